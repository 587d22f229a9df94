"""Parts of a page by role, class, id and itemprop."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thresher import parse
from thresher.structure.class_names import PARTS, parts_of_elements

WORDS = "ad post date meta comments has-comments related nav box item byline author share n1AuAd"
NAMES = st.lists(st.sampled_from([*WORDS.split(), "post-12", "date_3", "footer2"]), max_size=10)


def parts(markup: str) -> list[str]:
    """Return the part that each element of the body names, "" for none."""
    page = parse(markup)
    rows = (page.tag != 0).nonzero()[0]
    found = parts_of_elements(page, rows[rows > page.body])
    return [PARTS[code] if code >= 0 else "" for code in found.tolist()]


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<p>", ""),
        ("<p class='post-date'>", "meta"),
        ("<p class='date-posts'>", ""),
        ("<p class=related id=ads-1>", "advertisement"),
        ("<p class=ads id=comments>", "comment"),
        ("<p class='a b c d e f g' id=ads itemprop=x>", ""),  # nine tokens
        ("<p class='a b c d e f g h i' id=comments>", "comment"),
        ("<p class='a b c d e f g h i' role=navigation>", "navigation"),
        ("<p class=related role=navigation>", "related"),
        ("<p role=' Search '>", "form"),
        ("<p class=zendaya-promoted-dune-part-two>", ""),
        ("<p id=footer-12>", "footer"),
        ("<p id=12footer>", ""),
    ],
)
def test_part_of_one_element(markup, expected):
    assert parts(markup) == [expected]


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(NAMES, NAMES, NAMES), max_size=6))
def test_parts_of_several_elements(names):
    markup = [
        f"<p class='{' '.join(a)}' id='{' '.join(b)}' itemprop='{' '.join(c)}'></p>"
        for a, b, c in names
    ]
    assert parts("".join(markup)) == [part for each in markup for part in parts(each)]


def test_no_elements():
    assert parts("") == []
