"""Lists, tables, quotes and code as groups: against slow definitions, and by hand."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thresher
from tests.cores import needs_kernels, plain_core
from tests.growth import assert_linear
from tests.methods.default import slow_features as slow
from tests.methods.default import slow_groups
from thresher.methods.default import judge
from thresher.methods.default.features.class_odds import name_pairs
from thresher.methods.default.features.containers import page_outline
from thresher.methods.default.groups import (
    blocks_inside,
    fill_between,
    share_probability,
    with_cells,
    with_code,
    with_declarations,
    with_figures,
    with_footnotes,
    with_headings_of_code,
    with_precise_code,
    with_referred_notes,
    without_contents,
    without_empty_sections,
    without_last_headings,
    without_link_sections,
)
from thresher.methods.default.judge import _label_texts, best_prefix
from thresher.methods.default.neighbours import with_neighbours, with_paragraphs
from thresher.structure import prompts

CHANCES = st.sampled_from([0.0, 0.04, 0.3, 0.9])


@pytest.mark.slow
@settings(max_examples=80)
@given(html=slow.pages(), data=st.data())
def test_groups_are_as_defined(html, data):
    page = slow.SlowPage(html)
    size = len(page.blocks)
    if not size:
        return
    p = data.draw(st.lists(CHANCES, min_size=size, max_size=size))
    kept = data.draw(st.lists(st.booleans(), min_size=size, max_size=size))
    outline = page_outline(thresher.parse(html))
    found = share_probability(outline, np.array(p))
    assert found.tolist() == pytest.approx(slow_groups.share_probability(page, p))
    chosen = {at for at, yes in enumerate(kept) if yes}
    filled = fill_between(outline, np.array(p), np.array(kept))
    assert set(filled.nonzero()[0].tolist()) == slow_groups.fill_between(page, p, chosen)
    headline = data.draw(st.integers(-1, size - 1))
    beside = with_neighbours(outline, np.array(p), np.array(kept), headline)
    wanted = slow_groups.with_neighbours(page, p, chosen, headline)
    assert set(beside.nonzero()[0].tolist()) == wanted


def shared(html: str, p: list[float]) -> list[float]:
    return share_probability(page_outline(thresher.parse(html)), np.array(p)).tolist()


def filled(html: str, p: list[float], kept: list[bool]) -> list[bool]:
    outline = page_outline(thresher.parse(html))
    return fill_between(outline, np.array(p), np.array(kept)).tolist()


def test_a_list_has_one_probability():
    words = "<li>one two three four</li>"
    html = f"<p>Tea</p><ul>{words}<li>five six</li></ul><ol>{words}{words}</ol>"
    # (0.9 * 4 + 0.3 * 2) / 6 = 0.7; (0.6 * 4 + 0.0 * 4) / 8 = 0.3, and what is ruled out stays out.
    assert shared(html, [0.9, 0.9, 0.3, 0.6, 0.0]) == pytest.approx([0.9, 0.7, 0.7, 0.3, 0.0])


@pytest.mark.parametrize(("words", "found"), [(100, [0.5, 0.5]), (101, [0.9, 0.1])])
def test_small_tables_have_one_probability(words, found):
    cells = f"<td>{'a ' * words}</td><td>{'b ' * words}</td>"
    assert shared(f"<table><tr>{cells}</tr></table>", [0.9, 0.1]) == pytest.approx(found)


AROUND = "<p>My neighbour put it better.</p>{}<p>So do I.</p>"


@pytest.mark.parametrize(
    ("inner", "p", "kept"),
    [
        ("<blockquote>Rain is rain.</blockquote>", 0.1, True),
        ("<blockquote><p>Rain is rain.</p></blockquote>", 0.1, True),
        ("<pre>print(rain)</pre>", 0.01, True),  # code need not be probable
        ("<table><tr><td>12 mm</td></tr></table>", 0.05, True),
        ("<table><tr><td>12 mm</td></tr></table>", 0.04, False),  # too improbable
        ("<ul><li><a href=x>Read more</a></li></ul>", 0.6, False),  # links
        ("<table><tr><td><a href=x>Rain</a></td></tr></table>", 0.49, False),
        ("<table><tr><td><a href=x>Rain</a></td></tr></table>", 0.5, True),  # a table of facts
        ("<div><div><pre>print(rain)</pre></div></div>", 0.1, True),  # wrapped code
        ("<div><ul><li>rain</li></ul></div>", 0.1, False),
        ("<div>Advertisement</div>", 0.3, False),  # no list, table, quote or code
        ("<blockquote hidden>Rain is rain.</blockquote>", 0.3, False),
        ("<blockquote><i hidden>0001</i>Rain is rain.</blockquote>", 0.3, True),
    ],
)
def test_what_stands_in_the_middle_of_kept_text_is_kept(inner, p, kept):
    assert filled(AROUND.format(inner), [0.9, p, 0.9], [True, False, True])[1] is kept


def test_several_groups_between_kept_text():
    """Each group is judged by its own words, not by those of another group or between groups."""
    html = (
        "<p>First</p><blockquote>Rain is rain.</blockquote><p>Second</p>"
        "<ul><li>one two</li><li>three</li></ul><p>Third</p><dl><dt>rain</dl><p>Last</p>"
    )
    kept = [True, False, True, False, False, True, False, True]
    for quote, items, term in product([0.04, 0.1], repeat=3):
        p = [0.9, quote, 0.9, items, items, 0.9, term, 0.9]
        wanted = [True, quote > 0.05, True, *[items > 0.05] * 2, True, term > 0.05, True]
        assert filled(html, p, kept) == wanted


@pytest.mark.parametrize(
    "between", ["<figure><figcaption>Rain</figcaption></figure>", "<h2>Rain</h2>"]
)
def test_dropped_captions_and_headings_are_no_neighbours(between):
    html = f"<p>First</p>{between}<blockquote>one two</blockquote>{between}<p>Last</p>"
    p = [0.9, 0.1, 0.1, 0.1, 0.9]
    assert filled(html, p, [True, False, False, False, True]) == [True, False, True, False, True]
    for other in ("<p>Rain</p>", "<div>Rain</div>"):
        text = html.replace(between, other)
        assert not filled(text, p, [True, False, False, False, True])[2]


@pytest.mark.parametrize(("p", "kept"), [(0.1, True), (0.09, False)])
def test_code_after_kept_text(p, kept):
    for code in ("<pre>print(rain)</pre>", "<div><pre>print(rain)</pre></div>"):
        assert (
            filled(f"<p>First</p>{code}<p>Last</p>", [0.9, p, 0.1], [True, False, False])[1] is kept
        )
        assert not filled(f"<p>First</p>{code}<p>Last</p>", [0.1, p, 0.9], [False, False, True])[1]


def test_both_neighbours_must_be_kept_and_in_the_same_container():
    html = AROUND.format("<ul><li>one two</li></ul>")
    assert not filled(html, [0.9, 0.3, 0.9], [True, False, False])[1]
    apart = "<div><p>First</p></div><ul><li>one two</li></ul><p>Last</p>"
    assert not filled(apart, [0.9, 0.3, 0.9], [True, False, True])[1]
    two = "<p>First</p><ul><li>one</li></ul><pre>two</pre><p>Last</p>"
    assert filled(two, [0.9, 0.9, 0.3, 0.9], [True, True, False, True])[2]


@pytest.mark.parametrize(
    ("before", "items", "kept"),
    [
        ("You need:", "<li>flour</li><li>water</li>", True),
        ("你需要：", "<li>面粉</li><li>水</li>", True),
        ("You need <b>this</b>: ", "<li>flour</li><li>water</li>", True),
        ("You need", "<li>flour</li><li>water</li>", False),
        ("See also:", "<li><a href=x>flour</a></li><li>water</li>", False),  # half of it is links
    ],
)
def test_a_list_after_a_colon(before, items, kept):
    html = f"<p>{before}</p><ul>{items}</ul><p>Last</p>"
    assert filled(html, [0.9, 0.3, 0.3, 0.1], [True, False, False, False])[1:3] == [kept] * 2
    assert not any(filled(html, [0.9, 0.01, 0.01, 0.1], [True, False, False, False])[1:3])


ENTRY = "<li><a href=#{0}>Part {0}</a>"
CONTENTS = f"<ul>{ENTRY.format('a')}<ul>{ENTRY.format('b')}</ul>{ENTRY.format('c')}</ul>"


@pytest.mark.parametrize(
    ("contents", "kept"),
    [
        (CONTENTS, False),
        (CONTENTS.replace("#", "https://a.example/b#"), False),
        (CONTENTS.replace("href=#c", "href=/c"), True),  # a link to another page
        (CONTENTS.replace("<li>", "<li>One of the chapters is "), True),  # more than links
        (f"<ul>{ENTRY.format('a')}{ENTRY.format('b')}</ul>", True),  # too few
    ],
)
def test_tables_of_contents_are_dropped(contents, kept):
    page = thresher.parse(f"<p>First</p>{contents}<p>Last</p>", url="https://a.example/b")
    outline = page_outline(page)
    found = without_contents(outline, np.ones(len(outline), np.bool_))
    assert found.tolist() == [True, *[kept] * (len(outline) - 2), True]


def beside(html: str, p: list[float], kept: list[int], headline: int = -1) -> list[int]:
    outline = page_outline(thresher.parse(html))
    marked = np.isin(np.arange(len(outline)), kept)
    return with_neighbours(outline, np.array(p), marked, headline).nonzero()[0].tolist()


PROSE = "<p>Rain fell on the town all day long, and on the hills.</p>"


@pytest.mark.parametrize(
    ("inner", "p", "kept"),
    [
        ("<p>Pros</p>", 0.05, True),
        ("<div>Why we like it</div>", 0.05, True),
        ("<div>Why we like it</div>", 0.04, False),
        ("<div><div>Why we like it</div><i></i></div>", 0.9, False),  # in no container of theirs
        ("<p><a href=x>Pros</a></p>", 0.4, False),
        ("<p hidden>Pros</p>", 0.4, False),
        ("<p>one two three four five six seven eight nine</p>", 0.3, True),
        ("<p>one two three four five six seven eight nine</p>", 0.29, False),
        ("<div>one two three four five six seven eight nine</div>", 0.4, False),
    ],
)
def test_a_block_between_kept_ones(inner, p, kept):
    if "<i>" in inner:
        inner = inner.replace("<i></i>", "<p>Not kept</p>")
        assert beside(PROSE + inner + PROSE, [0.9, p, 0.0, 0.9], [0, 3]) == [0, 3]
        return
    html = PROSE + inner + PROSE
    assert beside(html, [0.9, p, 0.9], [0, 2]) == ([0, 1, 2] if kept else [0, 2])
    assert beside(html, [0.9, p, 0.9], [0]) == [0]
    assert beside(html, [0.9, p, 0.9], [0, 2], headline=1) == [0, 2]


LONG = "What the weather in the hills and the valleys was like"


@pytest.mark.parametrize(
    ("inner", "kept"),
    [
        (f"<h2>{LONG}</h2>", [1]),
        (f"<div><h2>{LONG}</h2></div>", [1]),
        (f"<h2>{LONG}</h2><h3>{LONG}</h3>", [1, 2]),
        (f"<h3>{LONG}</h3><h2>{LONG}</h2>", [2]),  # no section of its own
        (f"<h2>{LONG}</h2><h2>{LONG}</h2>", [2]),
        (f"<h1>{LONG}</h1>", []),
        (f"<h2><a href=x>{LONG}</a></h2>", []),
        (f"<h2 hidden>{LONG}</h2>", []),
        (f"<p>Related</p><h2>{LONG}</h2>", []),  # the block before it is not kept
        (f"<div><div><h2>{LONG}</h2></div><p>Not kept</p></div>", []),
    ],
)
def test_a_heading_is_kept_with_the_text_below_it(inner, kept):
    html = f"<body><main>{PROSE}{inner}{PROSE}</main></body>"
    size = len(page_outline(thresher.parse(html)))
    found = beside(html, [0.1] * size, [0, size - 1])
    assert found == [0, *kept, size - 1]


@pytest.mark.parametrize("first", [True, False])
def test_a_neighbour_that_is_a_list_itself_may_stand_at_the_edge_of_the_page(first):
    lists = "<ul><li>one two</li></ul><ol><li>three four</li></ol>"
    html = f"{lists}<p>Last</p>" if first else f"<p>First</p>{lists}"
    assert filled(html, [0.9, 0.3, 0.9], [True, False, True]) == [True, True, True]


@needs_kernels
@settings(max_examples=200)
@given(html=slow.pages(), seed=st.integers(0, 1_000))
def test_both_versions_keep_the_same(html, seed):
    page = thresher.parse(html)
    size = len(page.blocks)
    if not size:
        return
    rng = np.random.default_rng(seed)
    outline = page_outline(page)
    p = np.where(rng.random(size) < 0.2, 0.0, rng.random(size)) * outline.allowed
    kept = (rng.random(size) < 0.7) & outline.allowed
    marked = rng.random(len(outline.tag)) < 0.1

    def results():
        shared = share_probability(outline, p)
        prefixes = [best_prefix(shared, outline.words, beta) for beta in (0.4, 1.0, 2.0)]
        fewer = [
            rule(some)
            for some in (kept, *prefixes)
            for rule in (
                lambda kept: judge._without_labels(outline, kept, _label_texts(outline, kept)),
                lambda kept: without_contents(outline, kept),
                lambda kept: without_empty_sections(outline, p, kept, seed % size - 1),
                lambda kept: without_last_headings(page, p, kept, seed % size - 1),
                lambda kept: prompts.without_prompts_between(page, kept),
            )
        ]
        inside = blocks_inside(outline, marked)
        return [shared, *prefixes, *fewer, inside]

    found = results()
    with plain_core():
        for one, other in zip(found, results(), strict=True):
            assert one.tolist() == other.tolist()


@needs_kernels
@settings(max_examples=200)
@given(html=slow.pages(), seed=st.integers(0, 1_000))
def test_both_versions_begin_with_the_same_blocks(html, seed):
    page = thresher.parse(html)
    size = len(page.blocks)
    if not size:
        return
    rng = np.random.default_rng(seed)
    outline = page_outline(page)
    p = rng.choice([0.0, 0.01, 0.3, 0.5, 0.9, *rng.random(3)], size)
    for beta, least in product((0.85, 2.0), (0.0, 0.6)):
        arguments = outline, p, beta, seed % (size + 1) - 1, least
        shared, kept, count = judge._compiled_start(*arguments)
        with plain_core():
            wanted = judge._plain_start(*arguments)
        assert (shared.tolist(), kept.tolist(), count) == (
            wanted[0].tolist(),
            wanted[1].tolist(),
            wanted[2],
        )


def test_links_of_headings_to_their_own_place_count_as_text():
    text = "<p>One two three four five six.</p>"
    for href, is_kept in (("#there", True), ("/there", False)):
        html = f"{text}<h2><a href={href}>Two words</a></h2>{text}"
        outline = page_outline(thresher.parse(html))
        found = with_neighbours(outline, np.full(3, 0.04), np.array([True, False, True]), -1)
        assert found.tolist() == [True, is_kept, True]


BESIDE = {  # the last of three paragraphs, and whether it is kept with the first two
    "a paragraph": (
        "<p>{}",
        "and so it went on until the evening, when all the guests had left",
        True,
    ),
    "a short one": ("<p>{}", "and so it went on", False),
    "of another element": (
        "<div>{}</div>",
        "and so it went on until the guests had all left it",
        False,
    ),
    "of links": (
        "<p><a href=/x>{}</a>",
        "and so it went on until the guests had all left it",
        False,
    ),
    "hidden": (
        "<p hidden>{}",
        "and so it went on until the evening, when all guests had left",
        False,
    ),
    "with an address": (
        "<p>{}",
        "write to tea@example.org if you have a story to tell us about it",
        False,
    ),
    "a credit": (
        "<p>{}",
        "two other reporters contributed to this report from the city of tea",
        False,
    ),
}


@pytest.mark.parametrize(("markup", "text", "stays"), BESIDE.values(), ids=BESIDE)
@pytest.mark.parametrize("p", [0.1, 0.4])
def test_paragraphs_beside_kept_ones(markup, text, stays, p):
    kept = "<p>Warm the pot before you pour.<p>Let it stand for three or four minutes at most."
    outline = page_outline(thresher.parse(f"<div>{kept}{markup.format(text)}</div>"))
    found = with_paragraphs(outline, np.array([0.9, 0.9, p]), np.array([True, True, False]))
    assert found.tolist() == [True, True, stays and p > 0.2]


def test_a_paragraph_beside_mostly_dropped_ones_stays_out():
    long = "<p>and so it went on until the evening, when all the guests had left it"
    outline = page_outline(thresher.parse(f"<div><p>Warm the pot.{long}{long}</div>"))
    kept = np.array([True, False, False])
    assert with_paragraphs(outline, np.array([0.9, 0.4, 0.4]), kept).tolist() == kept.tolist()


# --- headings without their sections --------------------------------------------------------------

SECTIONS = {  # HTML, the blocks kept before and after; "1" is kept
    "a section that is dropped": ("<h2>A</h2><p>b</p><h2>C</h2><p>d</p>", "1011", "0011"),
    "the last section": ("<h2>A</h2><p>b</p><h2>C</h2><p>d</p>", "1110", "1100"),
    "a section without text": ("<h2>A</h2><h2>B</h2><p>c</p>", "111", "111"),
    "a section with a kept part": ("<h2>A</h2><p>b</p><h3>C</h3><p>d</p>", "1011", "1011"),
    "a part is dropped, and then its section": ("<h2>A</h2><h3>B</h3><p>c</p>", "110", "100"),
    "a caption": ("<h2>A</h2><figure>b</figure><h2>C</h2><p>d</p>", "1011", "1011"),
    "hidden text": ("<h2>A</h2><p hidden>b</p><h2>C</h2><p>d</p>", "1011", "1011"),
    "text kept in part": ("<h2>A</h2><p>b</p><p>c</p>", "101", "101"),
    "no heading": ("<p>a</p><p>b</p>", "10", "10"),
    "no text": ("<p></p>", "", ""),
}


def sections(html: str, before: str, p: float = 0.5, headline: int = -1, lead: int = 4) -> str:
    """Return which blocks are kept below kept paragraphs, of which an article has some."""
    page = thresher.parse("<p>lead</p>" * lead + html)
    kept = np.array([sign == "1" for sign in "1" * lead + before], np.bool_)
    chances = np.full(len(kept), p)
    headline += lead if headline >= 0 else 0
    found = without_empty_sections(page_outline(page), chances, kept, headline)
    return "".join("01"[one] for one in found[lead:].tolist())


@pytest.mark.parametrize(("html", "before", "after"), SECTIONS.values(), ids=SECTIONS)
def test_headings_without_their_sections(html, before, after):
    assert sections(html, before) == after


def test_headings_that_stay_without_their_sections():
    html = "<h2>A</h2><p>b</p>"
    assert sections(html, "10", headline=0) == "10"
    assert sections(html, "10", p=0.81) == "10"  # the trees are sure of it
    assert sections(html.replace("A", "word " * 13), "10") == "10"  # long
    assert sections(html, "10", lead=1) == "10"  # half of what is kept is headings
    assert sections(html, "10", lead=2) == "00"


@pytest.mark.parametrize(
    ("last", "kept"),
    [
        ("<h2>Read on</h2>", False),
        ("<h3>Read on</h3><h3>See too</h3>", False),
        ("<h3>One</h3><h3>Two</h3><h3>Three</h3>", True),  # the items of a list
        ("<h1>Read on</h1>", True),
        (f"<h2>{'long ' * 13}</h2>", True),
    ],
)
def test_headings_at_the_end(last, kept):
    page = thresher.parse(f"<p>one two three</p><h2>Four</h2><p>five six</p>{last}")
    probability, all_kept = np.full(len(page.blocks), 0.5), np.ones(len(page.blocks), np.bool_)
    found = without_last_headings(page, probability, all_kept)
    assert found[:3].all()
    assert found[3:].tolist() == [kept] * (len(found) - 3)
    sure = np.full(len(page.blocks), 0.9)
    assert without_last_headings(page, sure, all_kept).all()


def test_names_that_say_nothing_alone_go_from_all_pages():
    page = thresher.parse("<p>one</p>" * 4 + "<h2>Contents</h2><ul><li>a</ul><h2>Tea</h2><p>b</p>")
    chances = np.full(len(page.blocks), 0.9)
    kept = np.array([True] * 5 + [False, True, True])
    found = without_empty_sections(page_outline(page), chances, kept, named_only=True)
    assert found.tolist() == [True] * 4 + [False, False, True, True]
    other = thresher.parse(page.source.replace("Contents", "Herbs"))
    found = without_empty_sections(page_outline(other), chances, kept, named_only=True)
    assert found.tolist() == kept.tolist()


def test_questions_without_answers_are_dropped_where_they_may_be():
    page = thresher.parse(
        "<h2>Is it hot?</h2><p>Yes it is.</p><h2>Tea</h2><p>Pots.</p>"
        + "<h2>Cup</h2>"
        + "<p>one</p>" * 4
    )
    kept = np.array([True, False, True, False] + [True] * 5)
    outline, chances = page_outline(page), np.full(len(page.blocks), 0.9)
    for with_questions in (False, True):
        found = without_empty_sections(
            outline, chances, kept, named_only=True, with_questions=with_questions
        )
        assert found.tolist() == [not with_questions, *kept.tolist()[1:]]


# --- footnotes -----------------------------------------------------------------------------------


@pytest.mark.parametrize("arrow", ["↩", "↩︎", "&#8617;&#xfe0e;", "⤴", "[↩]"])
def test_a_list_whose_items_lead_back_to_the_text_is_kept(arrow):
    note = f"<li id=n1>See the report. <a href='#r1'>{arrow}</a></li>"
    html = f"<p>Tea is warm.<a href='#n1'>1</a></p><ol>{note}{note}</ol><ul><li>Menu</li></ul>"
    assert with_notes(html, [0.9, 0.1, 0.1, 0.1]) == [True, True, True, False]
    assert with_notes(html, [0.9, 0.09, 0.09, 0.1]) == [True, False, False, False]


def test_other_lists_and_paragraphs_with_an_arrow_are_not_kept():
    back = "<a href='#r1'>↩</a>"
    html = f"<p>Tea is warm.</p><ol><li>See it. {back}</li><li>Share</li></ol><p>Back {back}</p>"
    assert with_notes(html, [0.9, 0.3, 0.3, 0.3]) == [True, False, False, False]


def with_notes(html: str, p: list[float]) -> list[bool]:
    outline = page_outline(thresher.parse(html))
    return with_footnotes(outline, np.array(p), np.array(p) >= 0.5).tolist()


NOTES = {
    "a list": ("<sup><a href='#n1'>1</a></sup>", "<ol><li id=n1>See <a href=r>it</a>.</li></ol>"),
    "a paragraph": ("<a href='#n1'>[1]</a>", "<p id=n1>[1] See the report.</p>"),
    "an anchor": ("<a href='#n1'><sup>1</sup></a>", "<p><a name=n1></a>[1] See the report.</p>"),
    "a link alone": ("<sup><a href='#n1'>1</a></sup>", "<ol><li id=n1><a href=r>It</a></ol>"),
    "a mark": ("<a href='#n1'>*</a>", "<div id=n1>* See the report.</div>"),
    "a cell": ("<a href='#n1'>[1]</a>", "<table><tr><th id=n1>1</th><td>See it.</td></table>"),
    "a term": ("<a href='#n1'>[1]</a>", "<dl><dt id=n1>1</dt> <dd>See it.</dd></dl>"),
}
PROSE = "Tea is warm and the pot is full{}, as it was on the day before, when it rained."


@pytest.mark.parametrize(("reference", "note"), NOTES.values(), ids=NOTES)
def test_notes_that_kept_text_refers_to_are_kept(reference, note):
    html = f"<p>{PROSE.format(reference)}</p><p>Share</p><div>{note}</div><p>Menu</p>"
    page = thresher.parse(html)
    found = kept_notes(page)
    assert found[:2] == [True, False]
    assert all(found[2:-1])
    assert not found[-1]
    assert kept_notes(page, first=False) == [False] * len(page.blocks)


@pytest.mark.parametrize(
    "html",
    [
        f"<p>{PROSE.format('')} <a href='#n'>see there</a></p><p id=n>A long menu</p>",  # no number
        f"<p>{PROSE.format('')} <a href='/n'>1</a></p><p id=n>A long menu</p>",  # another page
        "<p><a href='#n'>1</a> <a href='#o'>2</a></p><p id=n>A long menu</p>",  # a list of links
        f"<p>{PROSE.format('')} <a href='#n'>1</a></p><p hidden id=n>A long menu</p>",
        f"<p>{PROSE.format('')} <a href='#n'>1</a></p><div id=n>{'<p>A long menu' * 90}</div>",
    ],
)
def test_other_blocks_that_links_lead_to_are_not_kept(html):
    assert kept_notes(thresher.parse(html)).count(True) == 1


def kept_notes(page: thresher.Page, *, first: bool = True) -> list[bool]:
    kept = np.zeros(len(page.blocks), np.bool_)
    kept[0] = first
    return with_referred_notes(page_outline(page), kept).tolist()


@pytest.mark.slow
def test_time_is_linear_in_notes():
    def page(n: int) -> thresher.Page:
        notes = "".join(f"<div id=n{k}>See it." for k in range(n))
        prose = (PROSE.format(f"<a href='#n{k}'>1</a>") for k in range(n))
        return thresher.parse(f"<p>{' '.join(prose)}</p>{notes}")

    assert_linear(kept_notes, page, 200)


def test_notes_stay_with_an_article():
    prose = "".join(f"<p>{PROSE.format(f'<sup><a href=#n{n}>{n}</a></sup>')}" for n in range(1, 5))
    notes = "".join(f"<li id=n{n}><a href=https://a.example/{n}>Of {n}</a>" for n in range(1, 5))
    html = f"<title>Tea</title><article><h1>Tea</h1><div>{prose}</div></article><ol>{notes}</ol>"
    written = thresher.extract(html).markdown()
    assert [
        n for n in range(1, 5) if f"[^{n}]: [Of {n}](https://a.example/{n})" not in written
    ] == []
    assert "Of 1" not in thresher.extract(html, favor="precision").text


# --- sections of links ---------------------------------------------------------------------------

TEXT = "<p>" + "Tea is warm and the pot is full again. " * 5 + "</p>"
LINKS = "<p><a href=a>One more report</a></p><p><a href=b>Another report</a></p>"


@pytest.mark.parametrize(
    ("html", "dropped"),
    [
        (f"{TEXT}<p>Related posts:</p>{LINKS}", [1, 2, 3]),
        (f"{TEXT}<p>Related posts</p>{LINKS}{TEXT}", [1, 2, 3]),  # text goes on after it
        (f"{TEXT}<p>Read also</p>{TEXT}", []),  # no links
        (f"<p>Tea</p><p>Related posts</p>{LINKS}", []),  # nothing before it
        (f"{TEXT}<p>Tea and cake</p>{LINKS}", []),
        (f"{TEXT}<h3>About the author</h3><p>She likes tea.</p>", [1, 2]),
        (f"{TEXT}<h3>About the author</h3><p>{'She likes tea. ' * 60}</p>", []),  # too long
    ],
)
def test_sections_of_links_and_about_the_author_are_dropped(html, dropped):
    outline = page_outline(thresher.parse(html))
    kept = np.ones(len(outline), np.bool_)
    found = without_link_sections(outline, kept, _label_texts(outline, kept))
    assert (~found).nonzero()[0].tolist() == dropped
    assert kept.all()


@pytest.mark.parametrize(
    ("below", "is_dropped"),
    [("<ul><li><a href=x>Another post</a></ul>", True), ("<p>A dropped line</p>", False)],
)
def test_a_label_above_dropped_links_is_dropped(below, is_dropped):
    text = f"<p>{'Some words of the text. ' * 6}</p>"
    outline = page_outline(thresher.parse(f"{text}<h2>Related posts</h2>{below}{text}"))
    kept = np.array([True, True, False, True])
    found = without_link_sections(outline, kept, _label_texts(outline, kept))
    assert found.tolist() == [True, not is_dropped, False, True]


@pytest.mark.parametrize(
    ("below", "is_kept"),
    [
        ("", False),
        ("<div id=disqus_thread></div>", False),
        ("<img src=a.png>", True),
        ("<p>first to comment</p>", True),
    ],
)
def test_a_name_of_a_section_with_nothing_below_it_is_dropped(below, is_kept):
    page = thresher.parse(
        f"<p>one two three<p>four five six<h2>Discussion</h2>{below}<h2>More</h2><p>x"
    )
    kept = np.ones(len(page.blocks), np.bool_)
    chances = np.full(len(kept), 0.9)
    found = without_empty_sections(page_outline(page), chances, kept)
    assert found[2] == is_kept
    assert found.sum() == len(kept) - (not is_kept)


@pytest.mark.parametrize(
    ("html", "dropped"),
    [
        ("<ol><li>Boil<li>Share<li>Drink</ol>", []),
        ("<ul><li>Share<li>Print</ul><p>text", ["Share", "Print"]),
        ("<table><tr><td>Ctrl+P<td>Print</table>", []),
        (f"<table><tr><td>{'word ' * 70}<td>Print</table>", ["Print"]),
        ("<dl><dt>Share<dd>Gives it away.</dl>", []),
        ("<h2>Share</h2><p>It has three entries.", []),
        ("<p>text<h2>Share</h2><h2>Print</h2><p>text", ["Share"]),
        ("<p>text<p>Share<p>text", ["Share"]),
        ("<ol><li>Boil<li>Advertisement<li>Drink</ol>", ["Advertisement"]),
        ("<ul><li>Boil<li><a href=x>Read more</a></ul>", ["Read more"]),
    ],
)
def test_labels_are_dropped_unless_they_are_items_or_have_text_below(html, dropped):
    page = thresher.parse(html)
    outline = page_outline(page)
    kept = np.ones(len(page.blocks), np.bool_)
    found = judge._without_labels(outline, kept, _label_texts(outline, kept))
    assert [page.block_text(block).strip() for block in (~found).nonzero()[0].tolist()] == dropped


def declarations(html: str, chances: list[float], kept: list[bool], headline: int = -1):
    outline = page_outline(thresher.parse(html))
    found = with_declarations(outline, np.array(chances), np.array(kept), headline)
    return found.tolist()


def test_code_between_a_heading_and_its_text_is_kept_with_the_heading():
    html = "<div><h3>pour</h3><div><pre>void pour()</pre></div><p>Pours tea.</p></div>"
    html += "<h3>a</h3><pre>b</pre>"
    chances, kept = [0.1, 0.05, 0.9, 0.1, 0.1], [False, False, True, False, False]
    assert declarations(html, chances, kept) == [True, True, True, False, False]
    assert declarations(html, chances, kept, headline=0) == [False, True, True, False, False]
    assert declarations(html, [0.1, 0.0, 0.9, 0.1, 0.1], kept) == kept


def test_code_of_another_section_is_not_kept():
    html = "<div><h3>pour</h3><pre>void pour()</pre></div><div><p>Pours tea.</p></div>"
    assert declarations(html, [0.1, 0.1, 0.9], [False, False, True]) == [False, False, True]


def test_a_short_list_of_terms_after_kept_text_is_kept():
    def html(words: int) -> str:
        return f"<div><p>Pours tea.</p><dl><dt>cups</dt><dd>{'cup ' * words}</dd></dl></div>"

    chances, kept = [0.9, 0.2, 0.2], [True, False, False]
    assert declarations(html(20), chances, kept) == [True, True, True]
    assert declarations(html(100), chances, kept) == kept
    assert declarations(html(20), [0.9, 0.05, 0.05], kept) == kept
    linked = html(20).replace("<dd>", "<dd><a href=/>").replace("</dd>", "</a></dd>")
    assert declarations(linked, chances, kept) == kept


def test_declarations_take_linear_time():
    def make(n: int):
        html = "<h2>a</h2><pre>b</pre><p>c</p><dl><dt>d</dl>" * n
        outline = page_outline(thresher.parse(html))
        return outline, np.full(4 * n, 0.5), np.arange(4 * n) % 4 == 2

    assert_linear(lambda given: with_declarations(*given), make, 200)


def test_numbered_code_between_kept_blocks_is_kept():
    def found(chances: list[float], kept: list[bool]) -> list[bool]:
        table = (
            "<div><table><tr><td class=gutter>1</td><td class=code>pour()</td></tr></table></div>"
        )
        outline = page_outline(thresher.parse(f"<p>Call this:</p>{table}<p>Then drink.</p>"))
        return with_code(outline, np.array(chances), np.array(kept)).tolist()

    chances = [0.9, 0.01, 0.01, 0.9]
    assert found(chances, [True, False, False, True]) == [True, False, True, True]  # no number
    assert found(chances, [True, False, False, False]) == [True, False, False, False]
    assert found([0.9, 0.0, 0.0, 0.9], [True, False, False, True]) == [True, False, False, True]


def between_text(inner: str, chances: list[float], kept: list[bool]) -> list[bool]:
    html = f"<h1>Tea</h1><p>Call this:</p>{inner}<p>Then drink.</p>"
    outline = page_outline(thresher.parse(html))
    return with_code(outline, np.array(chances), np.array(kept), 0).tolist()


@pytest.mark.parametrize(
    ("inner", "added"),
    [
        ("<div class=input><div class=input_area><pre>pour()</pre></div></div>", "1"),
        ("<pre>pour()</pre><div>Out[1]:</div><table><tr><td>2<td>cups</table>", "1011"),
        ("<div>npm yarn</div><div><pre>pour()</pre></div><div><pre>drink()</pre></div>", "011"),
        ("<h3>Pour</h3><pre>pour()</pre>", "11"),
        ("<pre>pour()</pre><p>Figure 1</p>", "10"),
        (f"<div>{'cup ' * 9}</div><pre>pour()</pre>", "00"),
        ("<p>a</p><p>b</p><pre>pour()</pre>", "000"),
        ("<table><tr><td>2<td>cups</table>", "00"),
        (f"<pre>{'cup ' * 201}</pre>", "0"),
    ],
)
def test_code_between_kept_text_is_kept_however_improbable(inner, added):
    size = len(added)
    chances = [0.9, 0.9, *[0.01] * size, 0.9]
    wanted = [True, True, *(one == "1" for one in added), True]
    assert between_text(inner, chances, [True, True, *[False] * size, True]) == wanted


def test_code_that_is_not_between_kept_text_is_left_to_its_probability():
    code, kept = "<pre>pour()</pre>", [True, True, False, False]
    assert between_text(code, [0.9, 0.9, 0.01, 0.1], kept) == kept
    kept = [True, False, False, True]
    assert between_text(code, [0.9, 0.1, 0.01, 0.9], kept) == [True, False, True, True]
    kept = [False, False, False, True]
    assert between_text(code, [0.1, 0.1, 0.01, 0.9], kept) == kept


def test_code_between_text_takes_linear_time():
    def make(n: int):
        html = "<p>a</p><div><h3>b</h3><pre>c</pre></div>" * n
        outline = page_outline(thresher.parse(html))
        return outline, np.full(3 * n, 0.01), np.arange(3 * n) % 3 == 0

    assert_linear(lambda given: with_code(*given), make, 200)


@pytest.mark.parametrize(
    ("html", "chance", "headline", "wanted"),
    [
        ("<p>Text.</p><p>Aside.</p><h2>Use</h2><pre>pour()</pre>", 0.1, -1, "1011"),
        ("<p>Text.</p><p>Aside.</p><h2>Use</h2><pre>pour()</pre>", 0.1, 2, "1001"),
        ("<p>Text.</p><p>Aside.</p><h2>Use</h2><pre>pour()</pre>", 0.05, -1, "1001"),
        ("<p>Text.</p><p>Aside.</p><h1>Use</h1><pre>pour()</pre>", 0.1, -1, "1001"),
        ("<p>Text.</p><pre>a</pre><h2>Use</h2><p>pour()</p>", 0.1, -1, "1001"),
    ],
)
def test_the_heading_of_kept_code_is_kept(html, chance, headline, wanted):
    outline = page_outline(thresher.parse(html))
    kept = np.array([True, False, False, True])
    found = with_headings_of_code(outline, np.full(4, chance), kept, headline)
    assert "".join("01"[one] for one in found.tolist()) == wanted


def figures_kept(inner: str, chances: list[float], kept: list[bool]) -> str:
    html = f"<div><p>Compare them:</p>{inner}<p>Then drink.</p></div><p>End.</p>"
    outline = page_outline(thresher.parse(html))
    found = with_figures(outline, np.array(chances), np.array(kept))
    return "".join("01"[one] for one in found.tolist())


ROWS = "<table><tr><td>tea<td>2</tr><tr><td>milk<td>1</tr></table>"


@pytest.mark.parametrize(
    ("inner", "added"),
    [
        (f"<figure>{ROWS}<figcaption>Table 1</figcaption></figure>", "11111"),
        (f"<div><figure><figcaption>Table 1</figcaption><div>{ROWS}</div></figure></div>", "11111"),
        (f"<figure>{ROWS}<figcaption><a href=t>Source</a></figcaption></figure>", "11110"),
        ("<figure><figcaption>tea.py</figcaption><pre>pour()</pre></figure>", "11"),
        ("<figure><table><tr><td>Buy tea<td>now</table></figure>", "00"),  # one row
        ("<figure><figcaption>A cup</figcaption></figure>", "0"),
        (f"<div><p>Aside.</p><figure>{ROWS}</figure></div>", "00000"),  # not beside kept text
        (
            "<figure><table><tr><td><a href=a>tea</a><tr><td><a href=b>milk</a></table></figure>",
            "00",
        ),
    ],
)
def test_figures_of_tables_between_kept_text_are_kept(inner, added):
    size = len(added)
    chances, kept = [0.9, *[0.1] * size, 0.9, 0.9], [True, *[False] * size, True, True]
    assert figures_kept(inner, chances, kept) == f"1{added}11"


def test_improbable_figures_and_those_at_the_edge_of_the_text_stay_out():
    inner = f"<figure>{ROWS}</figure>"
    around = [True, *[False] * 4, True, True]
    assert figures_kept(inner, [0.9, *[0.04] * 4, 0.9, 0.9], around) == "1000011"
    assert figures_kept(inner, [0.9, 0.1, 0.0, 0.1, 0.1, 0.9, 0.9], around) == "1101111"
    for lost in (0, 5):
        kept = [at != lost and kept for at, kept in enumerate(around)]
        assert figures_kept(inner, [0.1] * 7, kept) == "".join("01"[one] for one in kept)


def test_figures_take_linear_time():
    def make(n: int):
        html = f"<p>a</p><div><figure>{ROWS}</figure></div>" * n + "<p>b</p>"
        outline = page_outline(thresher.parse(html))
        kept = np.arange(5 * n + 1) % 5 == 0
        return outline, np.full(5 * n + 1, 0.1), kept

    assert_linear(lambda given: with_figures(*given), make, 200)


def cells_kept(html: str, chances: list[float], kept: list[bool], headline: int = -1) -> str:
    outline = page_outline(thresher.parse(html))
    names = name_pairs(outline)
    found = with_cells(outline, names, np.array(chances), np.array(kept), headline)
    return "".join("01"[one] for one in found.tolist())


@pytest.mark.parametrize(
    ("parts", "wanted"),
    [
        (
            "<div class='jp-Cell jp-CodeCell'><div class=jp-InputPrompt>In [1]:</div><pre>pour()"
            "</pre></div>",
            "01",
        ),
        (
            "<div class='prompt input_prompt'>In [1]:</div><div class=input_area><pre>pour()</pre>"
            "</div><div class='output_text output_subarea'><pre>2</pre></div>",
            "011",
        ),
        ("<div class=nbinput><div class='cell_input docutils'><pre>pour()</pre></div></div>", "1"),
        ("<section class=ltx_section><p>All of it.</p></section><pre>1</pre>", "10"),
        ("<table class=memberdecls><tr><td>void<td>pour()</table>", "11"),
        ("<h4 class=Documentation-functionHeader>func Pour</h4><pre>func Pour()</pre>", "10"),
        ("<div class=cell><pre>pour()</pre></div>", "0"),
        ("<div class=my-jp-Cell><pre>pour()</pre></div>", "0"),
    ],
)
def test_parts_that_software_names_are_kept(parts, wanted):
    size = len(wanted)
    html, chances = f"<p>Call this:</p>{parts}", [0.9, *[0.01] * size]
    assert cells_kept(html, chances, [True, *[False] * size]) == f"1{wanted}"
    assert cells_kept(html, [0.9, *[0.0] * size], [True, *[False] * size]) == "1" + "0" * size


def test_the_headline_in_a_cell_and_the_end_of_a_newsletter_are_left_as_they_are():
    html = "<div class=jp-Cell><h1>Tea</h1><p>Pour it.</p></div><pre>1</pre>"
    assert cells_kept(html, [0.1, 0.1, 0.1], [False] * 3, 0) == "010"
    html = "<table><tr><td class=mcnTextContent>Tea<tr><td class=mcnTextContent>Unsubscribe</table>"
    assert cells_kept(html, [0.3, 0.02], [False, False]) == "10"


def test_with_precision_code_has_its_list_and_its_heading():
    html = (
        "<p>Text.</p><h2>Install</h2><ol><li>Get it<li><pre>tar x</pre></ol><h2>Use</h2>"
        "<pre>pour()</pre><h2>More</h2><p>Aside.</p>"
    )
    outline = page_outline(thresher.parse(html))
    code, usual = np.array([0, 0, 0, 1, 0, 1, 0, 0], np.bool_), np.ones(8, np.bool_)
    kept = np.array([1, 0, 0, 0, 0, 0, 0, 0], np.bool_)
    found = with_precise_code(outline, kept, usual, code)
    assert found.tolist() == [True] * 6 + [False] * 2
    usual[1:4] = False
    assert with_precise_code(outline, kept, usual, code).nonzero()[0].tolist() == [0, 4, 5]
    assert with_precise_code(outline, kept, usual, code & kept) is kept


def test_documentation_may_end_with_more_headings_without_sections():
    page = thresher.parse("<p>Text.</p><p>More.</p><h2>Parts</h2><h2>Notes</h2><h2>Links</h2>")
    chances, kept = np.full(5, 0.5), np.ones(5, np.bool_)
    assert without_last_headings(page, chances, kept) is kept  # three are the items of a list
    found = without_last_headings(page, chances, kept, most=4)
    assert found.tolist() == [True, True, False, False, False]
