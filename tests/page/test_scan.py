"""Positions in the source, the source itself, and the markup column."""

import re

import numpy as np
import pytest
import turbohtml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.pages import line_and_column, slow_rows, soup, well_formed, written_offset
from thresher import Page, UsageError, parse
from thresher.page.scan import Rank


def rows_named(page: Page, name: str) -> list[int]:
    return [row for row in range(len(page)) if page.name(row) == name]


def text_row(page: Page, text: str) -> int:
    return next(row for row in page.text_rows.tolist() if page.text(row).strip() == text)


# --- the source ----------------------------------------------------------------------------------


def test_line_ends_become_line_feeds():
    assert parse("<p>a\r\nb\rc\nd\r\r\ne").source == "<p>a\nb\nc\nd\n\ne"
    assert parse(b"<p>a\r\nb\rc").source == "<p>a\nb\nc"


def test_text_and_attributes_of_a_row():
    page = parse("<p class=\" a  b \" data-x='1 &amp; 2' hidden>Tea &lt; coffee<img ALT=x alt=y>")
    row = rows_named(page, "p")[0]
    assert page.attributes(row)["data-x"] == "1 & 2"
    assert page.attributes(row)["class"].split() == ["a", "b"]
    assert page.attributes(row)["hidden"] == ""
    assert page.attributes(row + 2) == {"alt": "x"}
    assert page.text(row) == ""
    assert page.text(row + 1) == "Tea < coffee"
    assert page.attributes(row + 1) == {}


# --- ranks ---------------------------------------------------------------------------------------


@given(st.lists(st.booleans(), max_size=300))
@example([])
@example([True] * 64)
@example([True] * 129)
def test_a_rank_counts_what_is_true_before_each_place(mask):
    rank = Rank(np.array(mask, np.bool_))
    places = range(len(mask) + 1)
    assert rank(np.array(places)).tolist() == [sum(mask[:place]) for place in places]
    assert rank.mask().tolist() == mask


# --- positions -----------------------------------------------------------------------------------


@given(well_formed)
@settings(max_examples=400)
def test_every_row_stands_where_it_is_written(source):
    page = parse(source)
    for number, row in enumerate(slow_rows(source)):
        if row.name == "#text" and not row.chars:
            continue
        offset = written_offset(source, row)
        line, column = line_and_column(source, offset)
        assert page.position(number)[:3] == (line, column, offset), (number, row)


@given(soup)
@settings(max_examples=300)
@example("<table>a<tr>b<td>c</table>d")
@example("<b>x<p>y</b>z")
@example("<p>a<table><b>b<tr><td>c")
@example("<a>1<div>2<a>3</div>4")
@example("<!--><p>x")
@example("<title>a<b>c</title>d<textarea>e<i>f</textarea>g")
def test_positions_of_any_page_lie_in_its_source(source):
    page = parse(source)
    for row in range(len(page)):
        position = page.position(row)
        assert 0 <= position.offset <= len(page.source)
        assert (position.line, position.column) == line_and_column(page.source, position.offset)


@given(soup)
@settings(max_examples=200)
def test_start_tags_stand_where_they_are_written(source):
    page = parse(source)
    for row, offset in enumerate(page.offsets.tolist()):
        if page.tag[row] and offset >= 0:
            name = re.compile(r"<([^ \t\n\f/>]*)").match(page.source, offset)
            assert name is not None
            # <image> is read as <img>, and foreign names get their capitals back
            assert name[1].lower().replace("\0", "\ufffd") in (page.name(row).lower(), "image")


@given(well_formed)
@settings(max_examples=100)
def test_a_css_path_selects_its_element_in_a_fresh_tree(source):
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


@pytest.mark.parametrize(
    ("source", "text", "place"),
    [
        ("<p>tea", "tea", (1, 3)),
        ("tea", "tea", (1, 0)),
        ("\n\n  tea", "tea", (3, 2)),
        ("<p>\n   tea", "tea", (2, 3)),
        ("<p>a\r\n<b>tea</b>", "tea", (2, 3)),
        ("<p>a\r\r\n<b>tea</b>", "tea", (3, 3)),
        ("<p>чай 茶 <b>tea</b>", "tea", (1, 12)),
        ("<p>🍵🍵<b>tea</b>", "tea", (1, 8)),
        ("<p title='🍵>'>tea", "tea", (1, 14)),
        ("<!-- a\n<p>x --><p>tea", "tea", (2, 11)),
        ("<script>'<p>';\n</script>tea", "tea", (2, 9)),
        ("<style>a > b {}</style>\n<p>tea", "tea", (2, 3)),
        ("a<!-- b -->tea", "tea", (1, 11)),
        ("a<br>tea", "tea", (1, 5)),
        ("<p>&nbsp;<b>tea</b>", "tea", (1, 12)),
        ("<ul><li>a<li>tea</ul>", "tea", (1, 13)),
        ("<table><tr><td>a<td>tea</table>", "tea", (1, 20)),
        ("<p>a</b>tea", "atea", (1, 3)),
        ("a < b<p>tea", "tea", (1, 8)),
        ("<SCRIPT>x</SCRIPT><P>tea", "tea", (1, 21)),
        ("<p>a</p></div></span><p>tea", "tea", (1, 24)),
        ("<pre>\ntea</pre>", "tea", (2, 0)),
    ],
)  # fmt: skip
def test_text_positions(source, text, place):
    page = parse(source)
    assert page.position(text_row(page, text))[:2] == place


@pytest.mark.parametrize(
    ("source", "text", "place"),
    [
        ("<title>a < b</title><p>tea", "tea", (1, 23)),
        ("<title>a <b>c</title><p>tea", "tea", (1, 24)),
        ("<textarea><p>x</p></textarea>\n<p>tea", "tea", (2, 3)),
        ("<iframe><p>x</p></iframe>\n<p>tea", "tea", (2, 3)),
        ("<svg><![CDATA[ <b> ]]></svg>\n<p>tea", "tea", (2, 3)),
        ("<script><!-- <script> </script> --></script>\n<p>tea", "tea", (2, 3)),
        ("<script>a</scripty>b</script>tea", "tea", (1, 29)),
        ("<b>1<p>2</b>3</p>tea", "tea", (1, 17)),
        ("<?x y?><!ELEMENT z><p>tea", "tea", (1, 22)),
        ("<p a=\"'>\" b='\">'>tea", "tea", (1, 17)),
        ("<script>a</SCRIPT><p>tea", "tea", (1, 21)),
        ("<!-- a --!><p>tea", "tea", (1, 14)),
        ("<!-->x<p>tea", "tea", (1, 9)),
    ],
)
def test_text_positions_after_difficult_markup(source, text, place):
    page = parse(source)
    assert page.position(text_row(page, text))[:2] == place


def test_an_implied_element_stands_with_the_row_before():
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
def test_rows_that_are_not_there(row):
    page = parse("<p>tea")
    assert len(page) == 5
    with pytest.raises(UsageError, match=rf"no row {row}: the page has rows 0 to 4\."):
        page.position(row)


# --- markup --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "markup"),
    [
        # <html></html> 13, <head></head> 13, <body></body> 13, <p></p> 7
        ("<p>a", [13, 13, 13, 7, 0]),
        ("<p>a</p>", [13, 13, 13, 7, 0]),
        ("<p >a</p\n>", [13, 13, 13, 9, 0]),
        ("<p  class='a'   id=b>x</p>", [13, 13, 13, 25, 0]),
        ("<P CLASS=a>x", [13, 13, 13, 15, 0]),
        ("<br>", [13, 13, 13, 4]),
        ("<br/>", [13, 13, 13, 5]),
        ("<img src=a alt=''>", [13, 13, 13, 18]),
        ("<html lang=en><p>é<b>x</b>", [21, 13, 13, 7, 0, 7, 0]),
        ("<table><tr><td>x</table>", [13, 13, 13, 15, 15, 9, 9, 0]),
        ("<p title='>'>x</p>", [13, 13, 13, 17, 0]),
    ],
)
def test_markup_counted_by_hand(source, markup):
    assert parse(source).markup.tolist() == markup


def test_an_element_made_again_counts_as_it_would_be_written():
    # <b id=x>1<p>2</b>3: the parser makes a second <b id="x"> inside the paragraph
    page = parse("<b id=x>1<p>2</b>3")
    first, second = rows_named(page, "b")
    assert page.markup[first] in (len("<b id=x>") + len("</b>"), len("<b id=x></b>"))
    assert page.markup[second] == len('<b id="x"></b>')


@given(well_formed)
@settings(max_examples=100)
def test_markup_equals_the_tags_as_written(source):
    rows = slow_rows(source)
    assert parse(source).markup.tolist() == [row.start_tag + row.end_tag for row in rows]


@given(soup)
@settings(max_examples=150)
def test_markup_of_any_page(source):
    page = parse(source)
    assert ((page.markup > 0) == (page.tag != 0)).all()
