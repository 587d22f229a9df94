"""One attribute of many elements, and its distinct values."""

import thresher
from thresher.page.attributes import attribute, distinct


def test_values_come_in_order_and_none_where_there_is_none():
    page = thresher.parse("<p class=a>x<p>y<p class=b>z<p class=a>")
    elements = [page.nodes[row] for row in (page.tag > 0).nonzero()[0] if page.name(row) == "p"]
    values = list(attribute(elements, "class"))
    assert values == ["a", None, "b", "a"]
    found, of = distinct(values, len(values))
    assert found == ["a", None, "b"]
    assert of.tolist() == [0, 1, 2, 0]


def test_no_elements_have_no_values():
    assert list(attribute([], "class")) == []
    found, of = distinct([], 0)
    assert (found, of.tolist()) == ([], [])
