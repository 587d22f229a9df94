"""Attribute values of many elements, their distinct ones, and integers."""

import numpy as np
import pytest

import thresher
from tests.cores import plain_core
from thresher.page.attributes import (
    attribute_values,
    distinct,
    distinct_values,
    parse_integer,
)


def test_values_and_distinct_values():
    page = thresher.parse("<p class=a>x<p>y<p class=b>z<p class=a>")
    elements = [page.nodes[row] for row in (page.tag > 0).nonzero()[0] if page.name(row) == "p"]
    values = list(attribute_values(elements, "class"))
    assert values == ["a", None, "b", "a"]
    found, of = distinct(values, len(values))
    assert found == ["a", None, "b"]
    assert of.tolist() == [0, 1, 2, 0]


def test_distinct_values_of_rows():
    page = thresher.parse("<p class=a>x<p>y<p class='b \u4e2d'>z<p class=''>v<p class=a>w")
    rows = np.array([row for row in range(len(page)) if page.name(row) == "p"])
    found, of = distinct_values(page.nodes, rows, "class")
    assert found == ["a", None, "b \u4e2d", ""]
    assert of.tolist() == [0, 1, 2, 3, 0]
    with plain_core():
        other, of_other = distinct_values(page.nodes, rows, "class")
    assert (other, of_other.tolist()) == (found, of.tolist())
    assert distinct_values(page.nodes, rows[:0], "class")[0] == []


def test_no_elements():
    assert list(attribute_values([], "class")) == []
    found, of = distinct([], 0)
    assert (found, of.tolist()) == ([], [])


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("12", 12),
        ("\t\n -3x", -3),
        ("+0", 0),
        ("000000000000007", 7),
        ("9" * 5000, 2**31 - 1),
        ("", None),
        (None, None),
        ("- 1", None),
        ("\N{NO-BREAK SPACE}1", None),
        ("x1", None),
    ],
)
def test_integers(text, number):
    assert parse_integer(text) == number
