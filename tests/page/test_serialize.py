"""The lengths of tags, as written or as they would be serialised."""

import pytest
from hypothesis import given, settings

from tests.pages import slow_rows, soup, well_formed
from thresher import parse


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


def test_a_second_element_after_misnested_tags_has_its_serialised_length():
    # <b id=x>1<p>2</b>3: the parser makes a second <b id="x"> inside the paragraph
    page = parse("<b id=x>1<p>2</b>3")
    first, second = [row for row in range(len(page)) if page.name(row) == "b"]
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
