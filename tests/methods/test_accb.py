"""ACCB against Algorithm 7 without the tags of anchors (thesis 3.3.1.3), and by hand."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import thresher
from tests import slow_definitions as slow
from tests.methods import slow_ccb
from thresher import UsageError
from thresher.methods.ccb import ACCB, CCB, content_code
from thresher.page import Page

NEAR = 0.01  # errors of the wide Gaussian, see test_ccb


@given(slow.pages(), st.sampled_from([(2, 1), (9, 2), (12, 6)]), st.sampled_from([0.3, 0.5]))
def test_it_keeps_the_same_words_as_the_slow_definition(html, range_and_rounds, t):
    r, rounds = range_and_rounds
    expected = slow_ccb.Blur(html, "accb", r, rounds)
    assume(not any(abs(ratio - t) < NEAR for ratio in expected.content()))
    found = ACCB(r, rounds, t)(thresher.parse(html))
    assert slow.kept_words(found) == expected.words(t)


def vector(page: Page) -> tuple[list[int], list[int], int]:
    scan = page.scan
    none = np.zeros(len(scan.run_first), bool)
    begin, end, size = content_code(scan, scan.opens_anchor | scan.closes_anchor, none)
    return begin.tolist(), end.tolist(), size


def test_anchor_tags_are_no_items_and_their_text_is():
    page = thresher.parse("<p>See <a href='/tea'>tea</a>, <abbr>etc</abbr></p>")
    # <p> 3, See tea and the comma 3 + 3 + 1, <abbr> 6, etc 3, </abbr> 7, </p> 4.
    assert vector(page) == ([3, 6, 9, 16], [6, 9, 10, 19], 30)


def test_links_do_not_break_a_text():
    link = '<a href="/wiki/Tea_ceremony" title="Tea ceremony">tea ceremony</a>'
    page = thresher.parse("<p>" + f"Steep it for the {link} and " * 8 + "drink.</p>")
    assert ACCB(rounds=5)(page) == page.where(page.chars > 0)
    assert not CCB(rounds=5, t=0.5)(page)


def test_without_links_it_is_ccb():
    page = thresher.parse("<ul><li>Home<li>Tea</ul><p>Warm the pot, then wait.</p><hr>" * 4)
    for t in (0.2, 0.4, 0.6):
        assert ACCB(40, 3, t)(page) == CCB(40, 3, t)(page)


def test_the_masked_document_keeps_links_in_text():
    link = '<a href="/wiki/Tea_ceremony" title="Tea ceremony">tea ceremony</a>'
    html = "<p>" + f"Steep it for the {link} and " * 8 + "drink.</p>"
    page = thresher.parse(html)
    assert ACCB(rounds=5).masked(page) == html
    assert "tea ceremony</a>" not in CCB(rounds=5, t=0.5).masked(page)


@given(slow.pages(), st.sampled_from([0.3, 0.7]))
def test_the_masked_document_against_the_slow_definition(html, t):
    expected = slow_ccb.Blur(html, "accb", 9, 2).content()
    assume(not any(abs(ratio - t) < NEAR for ratio in expected))
    found = ACCB(9, 2, t).masked(thresher.parse(html), "*")
    assert found == slow_ccb.masked(html, expected, t, "*")


def test_a_headline_is_a_bound():
    text = "<p>" + "Warm the pot, put in the leaves, pour on the water and wait. " * 6 + "</p>"
    page = thresher.parse(f"{text}<h1>On tea</h1>{text}")
    below = ACCB(rounds=2, headline="On tea")(page)
    assert below.rows[0] > page.blocks.last[0]
    assert below.words > 75


@pytest.mark.parametrize("options", [{"r": -1}, {"rounds": -1}, {"t": 1.0}])
def test_bad_options_are_refused(options):
    with pytest.raises(UsageError, match=f"{next(iter(options))} "):
        ACCB(**options)
