"""Lists of records: pages that have them, pages that only look like it, and segmentations."""

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.visual.boxes import at, div, laid_out
from thresher.visual import Browser
from thresher.visual.records import record_lists, with_records
from thresher.visual.seam import Seam
from thresher.visual.segments import Segments


def records_of(html):
    """Return what the records of each list say."""
    page = laid_out(f"<body>{html}</body>")
    return [
        [
            " ".join(page.line(row) or page.text(row).strip() for row in record)
            for record in each.records
        ]
        for each in record_lists(page)
    ]


def tag(name, left, top, width, height, inner, more=""):
    return f"<{name} {at(left, top, width, height)} {more}>{inner}</{name}>"


def link(left, top, text, width=100):
    return tag("a", left, top, width, 20, text, 'href="/x"')


def image(left, top, size=80):
    return f"<img {at(left, top, size, size)}>"


# --- what is a list ------------------------------------------------------------------------------


def results(count=5, left=0):
    """Return search results, the second one with a picture."""
    return "".join(
        div(
            *(left, 100 * n, 500, 90),
            tag("h3", left, 100 * n, 500, 20, link(left, 100 * n, f"Title {n}"))
            + (image(left, 100 * n + 20, 40) if n == 1 else "")
            + tag("p", left, 100 * n + 20, 500, 60, f"Snippet {n} of the result."),
        )
        for n in range(count)
    )


def test_search_results():
    (found,) = records_of(results())
    assert found == [f"Title {n} Snippet {n} of the result." for n in range(5)]


def test_results_with_rules_and_empty_elements_between_them():
    blocks = [
        div(0, 100 * n, 500, 80, link(0, 100 * n, f"T{n}") + tag("p", 0, 100 * n, 500, 40, "Text."))
        + f"<hr {at(0, 100 * n + 85, 500, 2)}>"
        + div(0, 100 * n + 90, 500, 5)
        for n in range(4)
    ]
    assert [len(each) for each in records_of("".join(blocks))] == [4]


def product(name, left, top, number):
    inner = image(left, top) + link(left, top + 80, f"Product {number}")
    price = tag("span", left, top + 100, 50, 20, f"${number}")
    return tag(name, left, top, 120, 130, inner + price)


def grid(row, cell, columns, count, around="div"):
    rows = [
        tag(
            *(row, 0, 150 * (first // columns), 600, 130),
            "".join(
                product(cell, 150 * (n % columns), 150 * (first // columns), n)
                for n in range(first, min(first + columns, count))
            ),
        )
        for first in range(0, count, columns)
    ]
    return tag(around, 0, 0, 600, 150 * len(rows), "".join(rows))


@pytest.mark.parametrize(("columns", "count"), [(3, 9), (3, 8), (2, 6), (4, 8)])
@pytest.mark.parametrize("tags", [("tr", "td", "table"), ("div", "div", "div")])
def test_a_grid_of_products_in_rows_is_one_list_of_cells(columns, count, tags):
    row, cell, around = tags
    (found,) = records_of(grid(row, cell, columns, count, around))
    assert found == [f"Product {n}${n}" for n in range(count)]


def test_a_grid_without_rows():
    cells = "".join(product("li", 150 * (n % 3), 150 * (n // 3), n) for n in range(7))
    (found,) = records_of(tag("ul", 0, 0, 450, 450, cells))
    assert len(found) == 7


def test_records_in_columns():
    cells = "".join(product("li", 150 * (n // 3), 150 * (n % 3), n) for n in range(6))
    (found,) = records_of(tag("ul", 0, 0, 450, 450, cells))
    assert len(found) == 6


def test_a_forum_table_is_a_list_of_rows():
    rows = "".join(
        tag(
            *("tr", 0, 30 * n, 600, 30),
            tag("td", 0, 30 * n, 300, 30, link(0, 30 * n, f"Topic {n}") + "<b>by someone</b>")
            + tag("td", 300, 30 * n, 100, 30, str(n * 7))
            + tag("td", 400, 30 * n, 200, 30, "today at noon"),
        )
        for n in range(6)
    )
    (found,) = records_of(tag("table", 0, 0, 600, 180, rows))
    assert len(found) == 6
    assert found[1].startswith("Topic 1")


def test_teasers_that_are_paragraphs_begin_with_a_link():
    teasers = "".join(
        tag("p", 0, 50 * n, 500, 40, link(0, 50 * n, f"News {n}") + f"<br>What happened, {n}.")
        for n in range(4)
    )
    (found,) = records_of(teasers)
    assert len(found) == 4


def test_definitions_are_records_of_a_term_and_its_texts():
    terms = "".join(
        tag("dt", 0, 60 * n, 500, 20, f"Term {n}")
        + tag("dd", 0, 60 * n + 20, 500, 20, f"It means {n}.")
        + (tag("dd", 0, 60 * n + 40, 500, 20, "Or more.") if n == 1 else "")
        for n in range(4)
    )
    (found,) = records_of(tag("dl", 0, 0, 500, 240, terms))
    assert found == [
        *("Term 0 It means 0.", "Term 1 It means 1. Or more."),
        *("Term 2 It means 2.", "Term 3 It means 3."),
    ]


def headed(count, heading):
    return "".join(
        tag("h3", 0, 80 * n, 500, 20, heading(n)) + tag("p", 0, 80 * n + 25, 500, 40, f"About {n}.")
        for n in range(count)
    )


def test_headings_with_links_and_their_paragraphs():
    (found,) = records_of(headed(4, lambda n: link(0, 80 * n, f"News {n}")))
    assert found == [f"News {n} About {n}." for n in range(4)]


def test_the_last_group_does_not_take_what_follows_the_list():
    after = tag("p", 0, 400, 500, 20, "The end of the page.")
    (found,) = records_of(headed(4, lambda n: link(0, 80 * n, f"News {n}")) + after)
    assert found[-1] == "News 3 About 3."


def test_columns_of_entries_are_no_records_but_the_entries_are():
    columns = "".join(
        div(600 * n, 0, 500, 500, results(5, 600 * n).replace("Title", f"Column {n} title"))
        for n in range(3)
    )
    assert [len(each) for each in records_of(columns)] == [5, 5, 5]


# --- what is none --------------------------------------------------------------------------------


def test_the_paragraphs_of_an_article_are_no_records():
    text = "Tea is a drink. " * 20
    paragraphs = "".join(
        tag("p", 0, 100 * n, 500, 90, f"{text}<b>Hot</b> {link(200, 100 * n, 'tea')} it is.")
        for n in range(6)
    )
    assert records_of(paragraphs) == []
    assert records_of(paragraphs.replace("<p ", "<div ").replace("</p>", "</div>")) == []


def test_the_sections_of_an_article_are_no_records():
    assert records_of(headed(5, lambda n: f"Section {n}")) == []


def test_links_in_a_sentence_are_no_records():
    words = "".join(f"some words {link(70 * n + 30, 0, f'link {n}', 30)} and " for n in range(8))
    assert records_of(tag("p", 0, 0, 600, 20, words)) == []


def test_two_columns_are_no_list():
    assert records_of(results(2)) == []
    assert (
        records_of(div(0, 0, 300, 500, results(1)) + div(300, 0, 300, 500, results(1, 300))) == []
    )


def test_two_by_two_is_the_layout_of_a_page():
    assert records_of(grid("tr", "td", 2, 4, "table")) == []


def test_parts_of_a_page_of_very_different_size_are_no_records():
    def lines(n, count):
        return "".join(
            tag("p", 0, 500 * n + 20 * k, 500, 20, link(0, 0, "a") + "b") for k in range(count)
        )

    sizes = enumerate((1, 12, 1))
    parts = "".join(div(0, 500 * n, 500, 450, lines(n, count)) for n, count in sizes)
    (found,) = records_of(parts)  # the lines of the second part
    assert len(found) == 12


def test_the_words_of_a_menu_are_no_records():
    entries = "".join(
        tag("li", 80 * n, 0, 80, 20, link(80 * n, 0, f"Item {n}", 80)) for n in range(6)
    )
    assert records_of(tag("ul", 0, 0, 480, 20, entries)) == []
    assert records_of("".join(link(80 * n, 0, f"Item {n}", 70) + " | " for n in range(6))) == []


def test_the_columns_of_a_menu_are_no_records():
    columns = "".join(
        div(
            150 * n, 0, 140, 100, "".join(link(150 * n, 20 * k, f"Entry {n} {k}") for k in range(4))
        )
        for n in range(4)
    )
    assert records_of(columns) == []


def test_the_fields_of_a_form_are_no_records():
    fields = "".join(
        tag(
            *("tr", 0, 30 * n, 400, 30),
            tag("td", 0, 30 * n, 100, 30, f"Field {n}")
            + tag("td", 100, 30 * n, 300, 30, f"<input {at(100, 30 * n, 200, 20)}> required"),
        )
        for n in range(5)
    )
    assert records_of(tag("table", 0, 0, 400, 150, fields)) == []


def test_blocks_that_are_strewn_over_the_page_are_no_list():
    places = [(0, 0), (400, 30), (100, 300), (30, 120), (600, 500), (250, 10)]
    blocks = [
        div(x, y, 90, 60, link(x, y, "Title") + tag("p", x, y, 90, 20, "Text")) for x, y in places
    ]
    assert records_of("".join(blocks)) == []


def test_records_side_by_side_have_the_same_width():
    def cells(widths):
        return "".join(
            div(
                300 * n,
                0,
                width,
                90,
                link(300 * n, 0, "Title") + tag("p", 300 * n, 20, 90, 20, "Text"),
            )
            for n, width in enumerate(widths)
        )

    assert [len(each) for each in records_of(cells((200, 220, 210, 190)))] == [4]
    assert records_of(cells((80, 290, 100, 280))) == []


@pytest.mark.parametrize("html", ["", "text", "<p></p>"])
def test_poor_pages_have_no_lists(html):
    page = laid_out(html)
    assert record_lists(page) == []
    assert set(with_records(Seam()(page)).kinds) <= {""}


# --- in segments ---------------------------------------------------------------------------------


def tree(segments):
    """Return each segment as (level, kind, first words)."""
    return [
        (int(level), kind, segments.text(each)[:12])
        for each, (level, kind) in enumerate(zip(segments.level, segments.kinds, strict=True))
    ]


def whole(page, row=0):
    return Segments.of(page, [-1], [[row]], seam=[1.0])


TITLES = [f"Title {n} Snip"[:12] for n in range(3)]


def test_an_undivided_segment_that_says_nothing_else_is_the_list():
    page = laid_out(f"<body>{div(0, 0, 500, 300, results(3))}</body>")
    found = with_records(whole(page))
    assert tree(found) == [(0, "list", TITLES[0]), *((1, "record", title) for title in TITLES)]
    assert found.measures["seam"].tolist() == pytest.approx(
        [1, np.nan, np.nan, np.nan], nan_ok=True
    )


def test_what_an_undivided_segment_says_beside_the_list_is_a_segment():
    before, after = tag("h1", 0, 0, 500, 20, "Results"), tag("p", 0, 900, 500, 20, "Next page")
    page = laid_out(f"<body>{before}{div(0, 0, 500, 300, results(3))}{after}</body>")
    assert tree(with_records(whole(page)))[1:] == [
        (1, "", "Results"),
        (1, "list", TITLES[0]),
        *((2, "record", title) for title in TITLES),
        (1, "", "Next page"),
    ]


def test_the_segments_of_a_divided_list_lie_in_its_records():
    page = laid_out(f"<body>{div(0, 0, 500, 300, results(3))}</body>")
    found = with_records(Seam(1, 1)(page))
    kinds = [kind for _, kind, _ in tree(found)]
    assert kinds.count("list") == 1
    assert kinds.count("record") == 3
    owner = kinds.index("list")
    assert [each for each, kind in enumerate(kinds) if kind == "record"] == np.flatnonzero(
        found.parent == owner
    ).tolist()
    assert found.is_leaf.sum() == Seam(1, 1)(page).is_leaf.sum()


def test_segments_that_join_several_records_are_left_out():
    page = laid_out(f"<body>{results(4)}</body>")
    rows = [record[0] for record in record_lists(page)[0].records]
    joined = Segments.of(page, [-1, 0, 0], [[0], rows[:2], rows[2:]])
    kinds = with_records(joined).kinds
    assert kinds == ("list", "record", "record", "record", "record")


def test_a_list_that_cuts_through_a_segment_is_passed_over():
    page = laid_out(f"<body>{tag('h1', 0, 0, 500, 20, 'Results')}{results(4)}</body>")
    rows = [record[0] for record in record_lists(page)[0].records]
    title = int(page.parent[page.text_rows[0]])
    crossing = Segments.of(page, [-1, 0, 0], [[0], [title, rows[0]], rows[1:]])
    assert with_records(crossing).kinds == ("", "", "")


def test_kinds_that_segments_have_are_kept():
    page = laid_out(f"<body>{results(3)}</body>")
    found = with_records(whole(page).labelled(["page"]))
    assert found.kinds == ("page", "list", "record", "record", "record")


PARTS = st.lists(
    st.sampled_from(
        [
            *(
                results(3),
                results(5, 100),
                grid("tr", "td", 3, 6, "table"),
                tag("p", 0, 0, 9, 9, "A b"),
            ),
            *(headed(3, lambda n: link(0, 80 * n, "News")), "bare text", "<div>no area</div>"),
            tag("ul", 0, 0, 480, 20, "<li>a</li>" * 3),
        ]
    ),
    max_size=4,
)


@given(PARTS, st.sampled_from([0.0, 0.5, 1.0]), st.booleans())
def test_segments_stay_a_tree_and_lose_no_text(parts, threshold, whole_lines):
    page = laid_out(f"<body>{div(0, 0, 900, 900, ''.join(parts))}{''.join(parts[:2])}</body>")
    old = Seam(threshold, threshold, whole_lines)(page)
    found = with_records(old)
    inside = [covered(found, each) for each in range(len(found))]
    for each, parent in enumerate(found.parent.tolist()):
        assert parent < each
        if parent >= 0:
            assert inside[each] <= inside[parent]
    for parent in range(len(found)):
        below = np.flatnonzero(found.parent == parent)
        assert sum(len(inside[each]) for each in below) == len(
            set().union(*(inside[each] for each in below))
        )
        if found.kinds[parent] == "list":
            assert {found.kinds[each] for each in below} == {"record"}
    assert shown(found, page) == shown(old, page)


def covered(segments, each):
    return {row for top in segments.rows_of(each) for row in range(top, segments.page.end[top])}


def shown(segments, page):
    rows = set().union(*(covered(segments, each) for each in np.flatnonzero(segments.is_leaf)))
    return {row for row in rows if page.visible[row] and page.words[row]}


def test_many_siblings_take_linear_time():
    page = laid_out(f"<body>{results(3000)}</body>")
    started = time.process_time()
    (found,) = record_lists(page)
    assert len(found.records) == 3000
    assert len(with_records(Seam()(page))) >= 3000
    assert time.process_time() - started < 20


def test_in_a_browser(browser: Browser):
    item = "<li><img width=60 height=60 alt=''><a href='/x'>Lamp {n}</a> <b>{n} Euro</b></li>"
    style = "<style>ul { display: grid; grid-template-columns: repeat(3, 200px) }</style>"
    items = "".join(item.format(n=n) for n in range(7))
    page = browser.render(
        f"<!DOCTYPE html><title>Lamps</title>{style}<h1>Lamps</h1><ul>{items}</ul>"
    )
    found = with_records(Seam(0, 0)(page))
    assert list(found.kinds) == ["", "", "list", *["record"] * 7]
