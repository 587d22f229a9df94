"""Positions of rows compared with `html.parser`, literal values and CSS selection."""

import re
from html.parser import HTMLParser
from itertools import pairwise

import numpy as np
import pytest
import turbohtml
from hypothesis import example, given, settings

from tests.growth import assert_linear
from tests.pages import (
    SPACE,
    collapsed,
    line_and_column,
    slow_rows,
    soup,
    well_formed,
    written_offset,
)
from thresher import Page, UsageError, parse
from thresher.page.positions import css_paths, span_offsets


def rows_named(page: Page, name: str) -> list[int]:
    return [row for row in range(len(page)) if page.name(row) == name]


def text_row(page: Page, text: str) -> int:
    return next(row for row in page.text_rows.tolist() if page.text(row).strip() == text)


@given(well_formed)
@settings(max_examples=120)
def test_offsets_equal_the_slow_definition(source):
    page = parse(source)
    for number, row in enumerate(slow_rows(source)):
        if row.name == "#text" and not row.chars:
            continue
        offset = written_offset(source, row)
        line, column = line_and_column(source, offset)
        assert page.position(number)[:3] == (line, column, offset), (number, row)


@given(soup)
@settings(max_examples=150)
@example("<table>a<tr>b<td>c</table>d")
@example("<b>x<p>y</b>z")
@example("<p>a<table><b>b<tr><td>c")
@example("<a>1<div>2<a>3</div>4")
@example("<!--><p>x")
@example("<title>a<b>c</title>d<textarea>e<i>f</textarea>g")
def test_positions_of_any_page_are_inside_its_source(source):
    page = parse(source)
    for row in range(len(page)):
        position = page.position(row)
        assert 0 <= position.offset <= len(page.source)
        assert (position.line, position.column) == line_and_column(page.source, position.offset)


@given(soup)
@settings(max_examples=120)
def test_offsets_of_start_tags(source):
    page = parse(source)
    for row, offset in enumerate(page.offsets.tolist()):
        if page.tag[row] and offset >= 0:
            name = re.compile(r"<([^ \t\n\f/>]*)").match(page.source, offset)
            assert name is not None
            # <image> is read as <img>, and foreign names get their capitals back
            assert name[1].lower().replace("\0", "\ufffd") in (page.name(row).lower(), "image")


@given(well_formed)
@settings(max_examples=100)
def test_a_css_path_selects_its_element(source):
    page = parse(source)
    fresh = turbohtml.parse(source, allow_declarative_shadow_roots=False)
    elements = [fresh.root, *fresh.root.descendants]
    elements = [node for node in elements if isinstance(node, turbohtml.Element)]
    rows = [row for row in range(len(page)) if page.tag[row]]
    templates = set(rows_named(page, "template"))
    for row, element in zip(rows, elements, strict=True):
        above = int(page.parent[row])
        while above >= 0 and above not in templates:
            above = int(page.parent[above])
        if above < 0:  # selectors do not reach into templates
            assert fresh.select(page.position(row).css_path) == [element]


def test_a_text_has_the_path_of_its_element():
    page = parse("<div id=main><p>one</p><p>two <b>three</b></p></div>")
    assert (
        page.position(text_row(page, "one")).css_path
        == page.position(rows_named(page, "p")[0]).css_path
    )
    two = page.position(text_row(page, "two"))
    assert turbohtml.parse(page.source).select_one(two.css_path).text.startswith("two")


def test_an_implied_element_has_the_position_of_the_row_before():
    page = parse("\n<p>a<table><tr><td>b")
    body, tbody = rows_named(page, "body")[0], rows_named(page, "tbody")[0]
    assert page.offsets[body] == page.offsets[tbody] == -1
    assert page.position(0)[:3] == (1, 0, 0)
    assert page.position(tbody)[:3] == page.position(rows_named(page, "table")[0])[:3]
    assert page.position(rows_named(page, "tr")[0])[:3] == (2, 11, 12)


def test_text_that_the_parser_moved_has_a_position_in_the_source():
    page = parse("<p>a</p><table>moved<tr><td>b</td></tr></table><p>c")
    assert page.position(text_row(page, "c")).offset == page.source.index("c")
    assert page.position(text_row(page, "b")).offset == page.source.index("b<")
    assert 0 <= page.position(text_row(page, "moved")).offset < len(page.source)


@pytest.mark.parametrize("row", [-1, 5, 100])
def test_a_missing_row_raises(row):
    page = parse("<p>tea")
    assert len(page) == 5
    with pytest.raises(UsageError, match=rf"no row {row}: the page has rows 0 to 4\."):
        page.position(row)


# --- ends of blocks ------------------------------------------------------------------------------


class TextOf(HTMLParser):
    """Collects the text of a piece of source, without scripts and styles."""

    def __init__(self, source: str) -> None:
        super().__init__(convert_charrefs=True)
        self.text, self.in_code = "", False
        self.feed(source)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.in_code = tag in ("script", "style")

    def handle_endtag(self, tag):
        self.in_code = False

    def handle_data(self, data):
        self.text += "" if self.in_code else data


def block_spans(page: Page) -> list[tuple[int, int]]:
    """Return the offsets where each block of a page begins and ends."""
    first, last = page.blocks.first, page.blocks.last
    starts, ends = page.positions(first), page.ends(first, last)
    for end in ends:
        assert (end.line, end.column) == line_and_column(page.source, end.offset)
    return [(start.offset, end.offset) for start, end in zip(starts, ends, strict=True)]


@given(well_formed)
@settings(max_examples=150, deadline=None)
def test_the_source_of_a_block_has_its_text_and_nothing_of_the_next(source):
    page = parse(source)
    spans = block_spans(page)
    for block, (start, end) in enumerate(spans):
        piece = source[start:end]
        assert piece == piece.strip(SPACE)
        assert collapsed(TextOf(piece).text) == collapsed(page.block_text(block))
    assert all(end <= start for (_, end), (start, _) in pairwise(spans))


@given(soup)
@settings(max_examples=200, deadline=None)
@example("<table>a<tr>b<td>c</table>d")
@example("<table><tr><td>b</td></tr>moved</table>c")
@example("x<table>moved<tr><td>b</table>")
@example("<b>x<p>y</b>z")
@example("<p>a</b>b</i>c<p>d")
@example("<title>a<b>c</title>d<textarea>e<i>f</textarea>g")
def test_blocks_of_any_page_do_not_overlap(source):
    page = parse(source)
    spans = sorted(block_spans(page))
    assert all(0 <= start <= end <= len(page.source) for start, end in spans)
    spans = [(start, end) for start, end in spans if start < end]
    assert all(end <= start for (_, end), (start, _) in pairwise(spans))


@pytest.mark.parametrize(
    ("source", "pieces"),
    [
        ("<p>one two</p><p>three", ["one two", "three"]),
        ("<p> one <b>two</b> three </p>", ["one <b>two</b> three"]),
        ("<p><b>one</b></p>", ["one"]),  # the tags around the text are outside
        ("<p>one<!-- a --> <i>two</i><script>3</script></p>four", ["one<!-- a --> <i>two", "four"]),
        ("one\r\n<p>two\r\nthree\r\n</p>", ["one", "two\nthree"]),
        ("<p>caf&eacute;&nbsp;</p>", ["caf&eacute;&nbsp;"]),
        ("<p>茶 🍵</p>\n<p>é", ["茶 🍵", "é"]),
        ("<p>a</b>b</i>c<p>d", ["a</b>b</i>c", "d"]),  # stray end tags
        ("<ul><li>one<li>two</ul>three", ["one", "two", "three"]),
        ("<p>one<br>two<p>", ["one<br>two"]),
        ("<p title='a>b'>one <a title='<p>'>two</a>", ["one <a title='<p>'>two"]),
        ("<p>a < b</p><p>c", ["a < b", "c"]),
        # Text that the parser moves out of a table: its place is not known.
        ("<p>a</p><table><tr><td>b</td></tr>moved</table><p>c", ["a", "", "b", "c"]),
        ("", []),
    ],
)
def test_literal_pieces_of_the_source(source, pieces):
    page = parse(source)
    assert [page.source[start:end] for start, end in block_spans(page)] == pieces


def test_a_block_ends_at_a_line_and_a_column():
    page = parse("<p>one\n<b>two</b>\n three </p>")
    assert page.ends(page.blocks.first, page.blocks.last) == [(3, 6, 24)]
    texts = page.text_rows[:2]
    assert page.ends(texts, texts) == [(1, 6, 6), (2, 6, 13)]
    assert page.ends(texts[:0], texts[:0]) == []


def test_the_time_for_ends_grows_with_the_page():
    def make(size: int) -> Page:
        return parse("<div><p>a<b>b</b>\n<table>x<tr><td>y" * size)

    def make_stray(size: int) -> Page:
        return parse("<p>one two</b>" + "three</i> " * size)

    for made in (make, make_stray):
        assert_linear(lambda page: page.ends(page.blocks.first, page.blocks.last), made, 100)


# --- many rows at once ---------------------------------------------------------------------------


def slow_path(page: Page, row: int) -> str:
    """Return the CSS path of an element, or of a text's parent, from the tree column by column."""
    steps: list[str] = []
    row = row if page.tag[row] else int(page.parent[row])
    while row >= 0 and len(steps) < 64:
        siblings = np.flatnonzero((page.parent == page.parent[row]) & (page.tag == page.tag[row]))
        number = siblings.tolist().index(row) + 1
        name = re.sub(r"[^\w-]", r"\\\g<0>", page.name(row))
        steps.insert(0, f"{name}:nth-of-type({number})" if len(siblings) > 1 else name)
        row = int(page.parent[row])
    return " > ".join(steps)


def assert_same(page: Page, rows: np.ndarray) -> None:
    """Positions of many rows equal those of each row, with paths of the slow definition."""
    found = page.positions(rows)
    assert found == [page.position(row) for row in rows.tolist()]
    assert [place.css_path for place in found] == [
        slow_path(page.base or page, row)
        for row in (page.origin[rows] if page.base else rows).tolist()
    ]


@pytest.mark.parametrize(
    "source",
    [
        "<p>one<p>two\n<b>three</b>\n\n four",
        "<p>one</p>\r\n<p>é\r\n  two</p>\r<p>three",
        "<table>moved<tr><td>cell</table>after",
        "<p>日本\n語<i>x</i></p><script>\nif (a < b) {}\n</script>\n<p>end",
        "",
        "no markup\nat all",
        "<svg><a:b>x</a:b></svg>",
        "<div>" * 100 + "deep" + "<p>in" * 3,
    ],
)
def test_all_rows_of_a_page(source):
    page = parse(source)
    assert_same(page, page.text_rows)
    assert_same(page, np.arange(len(page), dtype=np.int32))


def test_literal_positions():
    page = parse("<p>one\n<p>two <b>three</b>")
    found = page.positions(page.text_rows)
    assert [place[:3] for place in found] == [(1, 3, 3), (2, 3, 10), (2, 10, 17)]
    assert found[2].css_path == "html > body > p:nth-of-type(2) > b"
    assert page.positions(page.text_rows[:0]) == []


def test_rows_in_any_order_and_twice():
    page = parse("<p>one\n<p>two\n<p>three")
    assert_same(page, page.text_rows[[2, 0, 2, 1]])


@settings(max_examples=50, deadline=None)
@given(soup)
def test_any_page(source):
    page = parse(source)
    assert_same(page, page.text_rows)
    part = page.only(page.where(np.arange(len(page)) % 3 != 0))
    assert css_paths(part, part.text_rows) == [part.css_path(row) for row in part.text_rows]
    assert_same(part, part.text_rows)


def test_time_grows_with_the_page():
    def make(size: int) -> Page:
        return parse("<div><p>a<b>b</b>\n" * size)

    assert_linear(lambda page: page.positions(page.text_rows), make, 200)


def test_one_long_line_is_read_once():
    def make(size: int) -> Page:
        return parse("<p>some words" * size)

    assert_linear(lambda page: page.positions(page.text_rows), make, 500)


# --- stretches of text ---------------------------------------------------------------------------


def stretch(page: Page, first: tuple[int, int], last: tuple[int, int]) -> str:
    """Return the source from one character to another, each a row and a number in it."""
    rows = (np.array([value]) for value in (*first, *last))
    begin, end = span_offsets(page, *rows)
    return page.source[begin[0] : end[0]]


@pytest.mark.parametrize(
    ("source", "first", "last", "expected"),
    [
        ("<p>one two", 0, -1, "one two"),
        ("<p> one two ", 3, 4, "tw"),
        ("<p>a &amp; b", 1, 1, "&amp;"),
        ("<p>a &amp;&#98; c", 1, 2, "&amp;&#98;"),
        ("<p>&ampx y", 0, 0, "&amp"),  # a reference without its semicolon
        ("<p>&ampx y", 1, 2, "x y"),
        ("<p>a &nosuch; b", 1, 2, "&n"),
        ("<p>a&semi;b", 1, 1, "&semi;"),
        ("<p>a &nbsp; b", 1, 1, "b"),
        ("<p>中 🍵 b", 1, 1, "🍵"),
        ("<p>one</b> two", 2, 3, "e</b> t"),  # a stray tag
        ("<p>a\r\nb\r\nc", 1, 1, "b"),
        ("<p>a&#1;b c", 2, 2, "a&#1;b c"),  # the parser reads the reference in another way
    ],
)
def test_a_stretch_of_one_text(source, first, last, expected):
    page = parse(source)
    row = int(page.text_rows[-1])
    assert stretch(page, (row, first), (row, last)) == expected


def test_a_stretch_of_several_texts():
    page = parse("<p>one two <b>three</b> four five</p>")
    first, _, last = page.text_rows.tolist()
    assert stretch(page, (first, 3), (last, 3)) == "two <b>three</b> four"


def test_a_stretch_that_begins_with_a_text_of_unknown_place():
    page = parse("<iframe><p>one</p></iframe><p>two three")
    first, last = page.text_rows.tolist()[-2:]
    assert page.text(last) == "two three"
    assert stretch(page, (first, 0), (last, 2)).endswith("two")
