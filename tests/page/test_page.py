"""Texts of rows and blocks, selections and their algebra, and parts of pages."""

import pickle

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import thresher
from tests.pages import COLUMNS, check_nesting, columns_of, soup, well_formed
from thresher import Page, Selection, UsageError, methods, parse
from thresher.page.tags import NUMBER
from thresher.page.words import words

any_page = st.one_of(well_formed, soup)


@st.composite
def pages_with_selections(draw, count: int, sources=any_page):
    page = parse(draw(sources))
    bits = draw(st.randoms(use_true_random=False))
    size = len(page.text_rows)
    chosen = [np.array([bits.random() < 0.5 for _ in range(size)], np.bool_) for _ in range(count)]
    return page, *(Selection(page, keep) for keep in chosen)


def all_words(page: Page) -> list[str]:
    return [word for text in page.texts for word in words(text)]


def elements(page: Page) -> list[tuple[str, dict[str, str]]]:
    rows = np.flatnonzero(page.tag != 0).tolist()
    return [(page.name(row), page.attributes(row)) for row in rows]


def named(page: Page, mask) -> list[str]:
    """Return the names of the rows where `mask` is True, and the text of text rows."""
    return [
        page.text(row) if page.tag[row] == 0 else page.name(row) for row in np.flatnonzero(mask)
    ]


# --- the source ----------------------------------------------------------------------------------


def test_line_ends_become_line_feeds():
    assert parse("<p>a\r\nb\rc\nd\r\r\ne").source == "<p>a\nb\nc\nd\n\ne"
    assert parse(b"<p>a\r\nb\rc").source == "<p>a\nb\nc"


def test_text_and_attributes_of_a_row():
    page = parse("<p class=\" a  b \" data-x='1 &amp; 2' hidden>Tea &lt; coffee<img ALT=x alt=y>")
    row = [page.name(row) for row in range(len(page))].index("p")
    assert page.attributes(row)["data-x"] == "1 & 2"
    assert page.attributes(row)["class"].split() == ["a", "b"]
    assert page.attributes(row)["hidden"] == ""
    assert page.attributes(row + 2) == {"alt": "x"}
    assert page.text(row) == ""
    assert page.text(row + 1) == "Tea < coffee"
    assert page.attributes(row + 1) == {}


# --- texts ---------------------------------------------------------------------------------------


def test_texts_of_a_row():
    page = parse("<div> one <b>two</b><script>x</script><p>three\n four<br>five</p> </div>six")
    div = [page.name(row) for row in range(len(page))].index("div")
    assert page.texts_inside(div) == (" one ", "two", "", "three\n four", "five", " ")
    assert page.text_span(div) == (0, 6)
    assert page.lines_inside(div) == ["one two", "three four", "five"]
    assert page.line(div) == "one two three four five"
    assert page.line(div, 13) == "one two thre"  # with the first space
    assert page.texts_inside(div + 1) == (" one ",)
    assert page.line(0) == "one two three four five six"
    assert page.text(int(page.text_rows[2])) == "x"  # code is read from the node


def test_texts_of_blocks():
    page = parse("<p> one <b>two</b><script>x</script>three</p> <p>four")
    assert [page.block_text(block) for block in range(len(page.blocks))] == [
        " one twothree",
        "four",
    ]


def test_values_are_cached_with_the_page():
    calls = []

    def count(page: Page, start: int = 0) -> int:
        calls.append(start)
        return start + len(page)

    page = parse("<p>one")
    assert [page.cached(count), page.cached(count), page.cached(count, 7)] == [5, 5, 12]
    assert calls == [0, 7]
    again = pickle.loads(pickle.dumps(page))
    assert (again.cached(count), calls) == (5, [0, 7, 0])  # a pickle has no cached values
    again.prefill(body=3)
    assert again.body == 3


# --- algebra -------------------------------------------------------------------------------------


@given(pages_with_selections(3))
@settings(max_examples=100)
def test_selections_are_a_boolean_algebra(drawn):
    page, a, b, c = drawn
    every, none = page.all(), page.none()
    assert a | b == b | a
    assert a & b == b & a
    assert (a | b) | c == a | (b | c)
    assert (a & b) & c == a & (b & c)
    assert a & (b | c) == (a & b) | (a & c)
    assert a | (b & c) == (a | b) & (a | c)
    assert ~(a | b) == ~a & ~b
    assert ~(a & b) == ~a | ~b
    assert a - b == a & ~b
    assert ~~a == a
    assert (a | ~a, a & ~a) == (every, none)
    assert (a | none, a & every, a - none, a - every) == (a, a, a, none)
    assert len(a | b) == len(a) + len(b) - len(a & b)
    assert len({a, b, a | none, ~~b}) == len({a.keep.tobytes(), b.keep.tobytes()})


@given(pages_with_selections(1))
@settings(max_examples=100)
def test_what_a_selection_counts(drawn):
    page, chosen = drawn
    assert len(chosen) == len(chosen.rows) == sum(chosen.keep.tolist())
    assert bool(chosen) == (len(chosen) > 0)
    assert chosen.rows.tolist() == [
        r for r, k in zip(page.text_rows, chosen.keep, strict=True) if k
    ]
    assert chosen.words == sum(int(page.words[row]) for row in chosen.rows)
    assert page.select(chosen.rows) == chosen
    assert not chosen.keep.flags.writeable


def test_different_pages_do_not_mix():
    one, two = parse("<p>tea"), parse("<p>tea")
    assert one.all() != two.all()
    for act in ("__or__", "__and__", "__sub__"):
        with pytest.raises(UsageError, match="different pages: lift them to the same one"):
            getattr(one.all(), act)(two.all())
    with pytest.raises(UsageError, match="of another page: lift it"):
        one.only(two.all())
    assert one.all() != "tea"


def test_a_selection_has_one_boolean_per_text_row():
    page = parse("<p>tea <b>time</b>")
    with pytest.raises(UsageError, match=r"one boolean per text row: 2, not \(3,\)"):
        Selection(page, np.ones(3, np.bool_))


def test_ways_to_select():
    page = parse("<div>one<p>two <b>three</b></p></div><p>four</p>")
    texts = [page.text(row) for row in page.text_rows]
    assert texts == ["one", "two ", "three", "four"]

    def kept(selection):
        return [page.text(row) for row in selection.rows]

    rows = {page.name(row): row for row in range(len(page) - 1, -1, -1)}
    assert kept(page.all()) == texts
    assert kept(page.none()) == []
    assert kept(page.under([rows["p"]])) == ["two ", "three"]
    assert kept(page.under([rows["b"], rows["div"]])) == ["one", "two ", "three"]
    assert kept(page.under(np.array([], int))) == kept(page.under([])) == []
    assert kept(page.select([rows["p"], rows["p"] + 1])) == ["two "]
    assert kept(page.where(page.words > 0)) == texts
    assert kept(page.where(page.chars == 5)) == ["three"]
    assert kept(page.under(rows["p"])) == ["two ", "three"]


# --- what is kept --------------------------------------------------------------------------------


def kept_with(source: str, *texts: str) -> list[str]:
    page = parse(source)
    rows = [row for row in page.text_rows if page.text(row).strip() in texts]
    assert len(rows) == len(texts)
    return named(page, page.select(rows).kept)


@pytest.mark.parametrize(
    ("source", "texts", "kept"),
    [
        ("<p>one</p><p>two</p>", ["one"], "html body p one"),
        ("<p>one <img> <b>x</b></p><p>two <img></p>", ["one"], "html body p one img"),
        ("<p>one<br>two</p><p>three<br>four</p>", ["one", "two"], "html body p one br two"),
        ("<div><p>one</p><img></div><p>two</p>", ["one"], "html body div p one img"),
        ("<div><p>one</p><div><img></div></div>two", ["one"], "html body div p one"),
        ("<figure><div><img></div><figcaption>one</figcaption></figure>two", ["one"],
         "html body figure div img figcaption one"),
        ("<figure><img><figcaption>one</figcaption></figure>two", ["two"], "html body two"),
        ("<table><tr><td>one<td></tr><tr><td></tr></table><table><td></table>two", ["one"],
         "html body table tbody tr td one td tr td"),
        ("<table><tr><td>one<td></tr></table>two", ["two"], "html body two"),
        ("<p>one <picture><source><img></picture></p>two", ["one"],
         "html body p one picture source img"),
        ("<p>one <svg><text>x</text><g></g></svg></p>two", ["one"], "html body p one svg text g"),
        ("<p>one</p>two", [], ""),
    ],
)  # fmt: skip
def test_elements_follow_the_text(source, texts, kept):
    found = kept_with(source, *texts)
    assert [name.strip() for name in found if name.strip()] == kept.split()


def test_everything_is_kept_with_all_text():
    page = parse("<head><meta><script>x</script></head><p></p><div>a<hr></div><ul></ul>")
    assert page.all().kept.all()


def test_white_space_stays_beside_kept_text():
    assert kept_with("<p><b>one</b> <i>two</i> <u>three</u></p> four", "one", "two") == [
        "html", "body", "p", "b", "one", " ", "i", "two", " ",
    ]  # fmt: skip


def test_code_is_not_kept_with_the_text_around_it():
    assert "script" not in kept_with("<p>one<script> </script><script>x</script></p>two", "one")


@given(pages_with_selections(1))
@settings(max_examples=120)
def test_kept_rows_are_closed_upwards(drawn):
    page, chosen = drawn
    kept = chosen.kept
    assert kept[chosen.rows].all()
    assert all(kept[page.parent[row]] for row in np.flatnonzero(kept) if row)
    dropped = page.text_rows[~chosen.keep]
    assert not kept[dropped][page.chars[dropped] > 0].any()


# --- a part of a page ----------------------------------------------------------------------------


@given(any_page)
@settings(max_examples=120)
@example("<table>a<tr><td>b</table><pre>\nc</pre><textarea>\n\nd</textarea>")
def test_only_all_is_the_page_itself(source):
    page = parse(source)
    part = page.only(page.all())
    assert columns_of(part) == columns_of(page)
    assert (part.texts, part.names, part.status, part.url) == (
        page.texts,
        page.names,
        page.status,
        page.url,
    )
    assert part.origin.tolist() == list(range(len(page)))
    assert part.markup.tolist() == page.markup.tolist()
    for row in range(len(page)):
        assert part.text(row) == page.text(row)
        assert part.attributes(row) == page.attributes(row)


@given(well_formed)
@settings(max_examples=120)
@example("<html><head></head><body><pre>\n\nx</pre>a &amp; b &lt;i&gt;</body></html>")
@example(
    "<html><head></head><body><p title='\"&amp;amp;'>a</p><script>1 < 2 && 3</script></body></html>"
)
def test_the_source_of_a_part_reads_as_the_same_page(source):
    page = parse(source)
    part = page.only(page.all())
    again = parse(part.source)
    assert all_words(again) == all_words(page)
    assert elements(again) == elements(page)  # code is left out


@given(pages_with_selections(1))
@settings(max_examples=120)
def test_only_keeps_what_was_chosen(drawn):
    page, chosen = drawn
    part = page.only(chosen)
    check_nesting(part)
    origin = part.origin
    assert origin.tolist() == np.flatnonzero(chosen.kept).tolist()
    for name in ("tag", "level", "chars", "words", "linked", "hidden"):
        assert getattr(part, name).tolist() == getattr(page, name)[origin].tolist()
        assert not getattr(part, name).flags.writeable
    assert [page.text(row) for row in origin] == [part.text(row) for row in range(len(part))]
    assert [part.attributes(row) for row in range(len(part))] == [
        page.attributes(row) for row in origin
    ]
    solid = page.select(chosen.rows[page.chars[chosen.rows] > 0])
    lifted = part.where(part.chars > 0).lift()
    assert lifted == solid
    assert part.all().lift().page is page
    for row in range(len(part)):
        assert 0 <= part.position(row).offset <= len(part.source)


@given(pages_with_selections(2))
@settings(max_examples=150)
def test_only_composes(drawn):
    page, first, second = drawn
    part = page.only(first)
    inner_choice = part.where(second.kept[part.origin]) & part.where(part.chars > 0)
    inner = part.only(inner_choice)
    check_nesting(inner)
    lifted = inner.where(inner.chars > 0).lift().lift()
    assert lifted.page is page
    assert lifted == inner_choice.lift()
    assert [page.text(row) for row in part.origin[inner.origin]] == [
        inner.text(row) for row in range(len(inner))
    ]
    again = inner.only(inner.all())
    assert columns_of(again) == columns_of(inner)
    assert again.source == inner.source
    assert page.all().lift() == page.all()


@given(pages_with_selections(1))
@settings(max_examples=60)
def test_methods_run_on_a_part(drawn):
    page, chosen = drawn
    part = page.only(chosen)
    for name in methods.names():
        selection = methods.get(name)(part)
        assert selection.page is part
        assert not (selection.lift() & page.where(page.chars > 0)) - chosen
    for length in (0, 40):
        lines = part.lines(length)
        every = lines.rows_of(np.ones(len(lines), np.bool_))
        assert every.shape == part.text_rows.shape


@given(pages_with_selections(1, well_formed))
@settings(max_examples=150)
def test_all_lines_of_a_part_keep_all_its_rows(drawn):
    page, chosen = drawn
    part = page.only(chosen)
    lines = part.lines(40)
    every = lines.rows_of(np.ones(len(lines), np.bool_))
    assert every[part.chars[part.text_rows] > 0].all()


@given(pages_with_selections(1, well_formed))
@settings(max_examples=100)
def test_positions_in_the_source_of_a_part(drawn):
    page, chosen = drawn
    part = page.only(chosen)
    for row in range(len(part)):
        at = part.position(row).offset
        if part.tag[row]:
            assert part.source.startswith(f"<{part.name(row)}", at)


def test_methods_in_series():
    page = parse(
        "<nav><a href=a>Home</a> <a href=b>About</a></nav>"
        + "<p>" + "Steep the tea for three minutes. " * 9 + "</p>"
        + "<p>" + "Serve it warm with a little milk, or none. " * 9 + "</p>"
        + "<footer><a href=c>Legal</a></footer>"
    )  # fmt: skip
    first = page.under([row for row in range(len(page)) if page.name(row) == "p"])
    part = page.only(first)
    assert part.source.startswith("<html><body><p>Steep the tea")
    second = methods.get("addanag")(part)
    lifted = second.lift()
    assert lifted.page is page
    assert lifted.text().startswith("Steep the tea")
    assert lifted == first
    document = thresher.extract(page, method=lambda page: methods.get("bte")(page.only(first)))
    assert document.selection.page is page
    assert "minutes" in document.markdown()


def test_a_part_without_any_text():
    page = parse("<p>one</p><img>", url="https://example.org/a")
    part = page.only(page.none())
    assert (len(part), part.status, part.body) == (0, "complete", -1)
    assert part.source == ""
    assert part.all().text() == ""
    assert part.resolve("b") == "https://example.org/b"
    assert len(part.tokens.row) == len(part.blocks) == len(part.flow().row) == len(part.markup) == 0
    for name in methods.names():
        document = thresher.extract(part, method=name)
        assert document.text == document.title == ""
        for form in ("text", "markdown", "html", "json", "tei"):
            assert isinstance(document.render(form), str)


@pytest.mark.parametrize("form", ["text", "markdown", "html", "json", "tei"])
def test_a_part_renders(form):
    page = parse("<p>one <b>two</b></p><p>three</p>")
    rows = [row for row in page.text_rows if page.text(row) != "three"]
    part = page.only(page.select(rows))
    whole = thresher.extract(part, method="plain").render(form)
    assert "two" in whole
    assert "three" not in whole


@given(pages_with_selections(1))
@settings(max_examples=100)
def test_a_pickled_part_is_the_same_part(drawn):
    page, chosen = drawn
    part = page.only(chosen)
    again = pickle.loads(pickle.dumps(part))
    assert columns_of(again) == columns_of(part)
    assert again.origin.tolist() == part.origin.tolist()
    assert again.source == part.source
    assert again.markup.tolist() == part.markup.tolist()
    assert columns_of(again.base) == columns_of(page)
    assert [again.attributes(row) for row in range(len(again))] == [
        part.attributes(row) for row in range(len(part))
    ]
    assert [again.position(row) for row in range(len(again))] == [
        part.position(row) for row in range(len(part))
    ]
    assert again.all().lift().keep.tolist() == part.all().lift().keep.tolist()
    for name in (*COLUMNS, "origin"):
        assert not getattr(again, name).flags.writeable


def test_a_pickled_selection_keeps_its_page():
    page = parse("<p>one <b>two</b></p>")
    chosen = page.select([4])
    again = pickle.loads(pickle.dumps(chosen))
    assert again.text() == chosen.text() == "one"
    assert not again.keep.flags.writeable
    assert again | again.page.all() == again.page.all()


# --- the filter of characters --------------------------------------------------------------------

TEAS = "<p>چای green سبز</p><ul><li>دو 2 دقیقه</li></ul><p>tea</p>"


def test_ascii_is_one_space_when_it_is_not_printed():
    page = thresher.parse(TEAS)
    assert page.all().text() == "چای green سبز\n\n- دو 2 دقیقه\n\ntea"
    assert Selection(page, page.all().keep, "non-ascii").text() == "چای سبز دو دقیقه"
    assert Selection(page, page.none().keep, "non-ascii").text() == ""


def test_the_filter_of_characters_in_the_algebra():
    page = thresher.parse(TEAS)
    whole = page.all()
    filtered = Selection(page, page.select(page.text_rows[:2]).keep, "non-ascii")
    assert (filtered & whole) == (whole & filtered) == filtered
    assert (filtered | whole) == (whole | filtered) == whole
    assert (filtered | filtered) == filtered
    assert (filtered - page.none()) == filtered
    assert (whole - filtered).text() == "tea"
    assert (~filtered).text() == "tea"
    assert (~~filtered) == page.select(page.text_rows[:2]) != filtered
    assert hash(filtered & whole) == hash(filtered)


def test_the_filter_of_characters_is_lifted_and_pickled():
    page = thresher.parse(TEAS)
    part = page.only(page.all())
    found = Selection(part, part.all().keep, "non-ascii").lift()
    assert found == Selection(page, page.all().keep, "non-ascii")
    again = pickle.loads(pickle.dumps(found))
    assert (again.characters, again.text()) == ("non-ascii", found.text())


def test_an_unknown_filter_of_characters_raises():
    page = thresher.parse(TEAS)
    with pytest.raises(UsageError, match=r"characters is 'none': give all or non-ascii\."):
        Selection(page, page.all().keep, "none")


def test_letters_of_every_text_row():
    page = thresher.parse("<p>Tea<script>x</script> for <b>two</b></p>")
    for one in (page, pickle.loads(pickle.dumps(page))):
        spans = zip(one.letters.starts.tolist(), one.letters.ends.tolist(), strict=True)
        found = ["".join(map(chr, one.letters.code[start:end])) for start, end in spans]
        assert found == ["Tea", "", " for ", "two"]  # code is not read


def test_a_page_without_some_rows():
    page = parse("<p>one</p><div>two <b>three</b></div>")
    found = page.without(page.tag == NUMBER["div"])
    assert found.all().text() == "one"
    for mask in (page.hidden[1:], np.append(page.hidden, True), np.array(True)):
        with pytest.raises(UsageError, match=r"a mask needs one entry per row: 9, not \d+"):
            page.without(mask)
