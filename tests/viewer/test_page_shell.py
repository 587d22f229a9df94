"""Small pieces that the HTML pages share."""

import numpy as np
import pytest

import thresher
from thresher.viewer.page_shell import ShortPaths, count, join_texts, line_numbers, truncate


def test_count() -> None:
    assert [count(number, "word") for number in (0, 1, 2000)] == [
        "0 words",
        "1 word",
        "2,000 words",
    ]


def test_truncate() -> None:
    assert truncate("abc", 3) == "abc"
    assert truncate("abcd" * 1000, 2) == "ab … (3,998 more characters)"


@pytest.mark.parametrize(
    ("texts", "joined"),
    [
        ([], ""),
        (["a", "b"], "a · b"),
        (["a" * 300], "a" * 300),
        (["a" * 301], "a" * 300 + " …"),
        (["a" * 299, "b"], "a" * 299 + "  …"),
    ],
)
def test_join_texts(texts: list[str], joined: str) -> None:
    assert join_texts(texts) == joined


def test_lines_and_paths() -> None:
    page = thresher.parse("<div id='a b'>\n<ul class='c d'><li><b><i><u><s>x</s></u></i></b>")
    (row,) = (row for row in page.text_rows.tolist() if page.text(row) == "x")
    assert line_numbers(page, np.array([row])) == [2]
    assert line_numbers(page, np.zeros(0, np.intp)) == []
    assert ShortPaths(page).path(row) == "… > li > b > i > u > s"
    first = int(page.text_rows[0])
    assert ShortPaths(page).path(first) == "body > div#a"
