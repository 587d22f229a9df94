"""Positions of many rows at once are those of each row."""

import numpy as np
import pytest
from hypothesis import given, settings

from tests.growth import assert_linear
from tests.pages import soup
from thresher import Page, parse
from thresher.page.positions import css_paths, positions


def assert_same(page: Page, rows: np.ndarray) -> None:
    assert positions(page, rows) == [page.position(row) for row in rows.tolist()]


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


def test_literal_places():
    page = parse("<p>one\n<p>two <b>three</b>")
    found = positions(page, page.text_rows)
    assert [place[:3] for place in found] == [(1, 3, 3), (2, 3, 10), (2, 10, 17)]
    assert found[2].css_path == "html > body > p:nth-of-type(2) > b"
    assert positions(page, page.text_rows[:0]) == []


def test_rows_in_any_order_and_twice():
    page = parse("<p>one\n<p>two\n<p>three")
    assert_same(page, page.text_rows[[2, 0, 2, 1]])


@settings(max_examples=100, deadline=None)
@given(soup)
def test_pages_of_all_sorts(source):
    page = parse(source)
    assert_same(page, page.text_rows)
    part = page.only(page.where(np.arange(len(page)) % 3 != 0))
    assert css_paths(part, part.text_rows) == [part.css_path(row) for row in part.text_rows]
    assert_same(part, part.text_rows)


def test_time_grows_with_the_page():
    def make(size: int) -> Page:
        return parse("<div><p>a<b>b</b>\n" * size)

    assert_linear(lambda page: positions(page, page.text_rows), make, 500)


def test_one_long_line_is_read_once():
    def make(size: int) -> Page:
        return parse("<p>some words" * size)

    assert_linear(lambda page: positions(page, page.text_rows), make, 2000)
