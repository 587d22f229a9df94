"""TCCB against Algorithm 7 token by token (thesis 3.3.1.3), and by hand."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import thresher
from tests import slow_definitions as slow
from tests.methods import slow_ccb
from thresher import UsageError
from thresher.methods.ccb import TCCB, blurred

NEAR = 0.01  # errors of the wide Gaussian, see test_ccb


@given(slow.pages(), st.sampled_from([(2, 1), (6, 2), (9, 6)]), st.sampled_from([0.3, 0.6]))
def test_it_keeps_the_same_words_as_the_slow_definition(html, range_and_rounds, t):
    r, rounds = range_and_rounds
    expected = slow_ccb.Blur(html, "tccb", r, rounds)
    assume(not any(abs(ratio - t) < NEAR for ratio in expected.content()))
    found = TCCB(r, rounds, t)(thresher.parse(html))
    assert slow.kept_words(found) == expected.words(t)


def test_tokens_by_hand():
    # 0 1 0 0 with r = 3: the word has 0.3991, and 0.0044 of its mirror image five items away is
    # out of reach; see test_ccb for the weights. Of the wide Gaussian the cells are items.
    found = blurred(np.array([1]), np.array([2]), 4, 1.0)
    assert found == pytest.approx([0.3989 + 0.0044], abs=1e-3)


@given(slow.pages(), st.sampled_from([(1, 2, 1), (1, 1, 1, 1, 1), (0, 1, 3)]))
def test_given_weights(html, w):
    expected = slow_ccb.Blur(html, "tccb", 0, 2, w)
    assume(not any(abs(ratio - 0.55) < 1e-9 for ratio in expected.content()))
    assert slow.kept_words(TCCB(rounds=2, t=0.55, w=w)(thresher.parse(html))) == expected.words(
        0.55
    )


def test_a_text_between_menus():
    menu = "<ul>" + "<li><a href=/>Tea</a></li>" * 20 + "</ul>"
    page = thresher.parse(menu + "<p>" + "Warm the pot and wait. " * 20 + "</p>" + menu)
    assert TCCB()(page) == page.where(page.words == 100)


def test_the_length_of_tags_does_not_matter():
    long = "<p>" + f"<b class='{'x' * 500}'>Warm</b> the pot and wait a bit. " * 20
    short = "<p>" + "<b>Warm</b> the pot and wait a bit. " * 20
    pages = thresher.parse(long), thresher.parse(short)
    # Of 20 times 7 words the first 7 are too near to the tags at the top.
    assert [slow.kept_words(TCCB()(page)) for page in pages] == [
        slow.slow_words("Warm the pot and wait a bit. " * 19)
    ] * 2


def test_hidden_words_are_no_tokens():
    hidden = "<p hidden>" + "never seen " * 50 + "</p>"
    menu = "<li><a href=/>Tea</a></li>" * 9
    assert not TCCB()(thresher.parse(menu + hidden + menu))


def test_a_headline_is_a_bound():
    text = "<p>" + "Warm the pot, put in the leaves, pour on the water and wait. " * 6 + "</p>"
    page = thresher.parse(f"{text}<h1>On tea</h1>{text}")
    below = TCCB(headline="On tea")(page)
    assert below.rows[0] > page.blocks.last[0]
    assert below.words > 75


@pytest.mark.parametrize("options", [{"r": -1}, {"rounds": -1}, {"t": 1.0}])
def test_bad_options_are_refused(options):
    with pytest.raises(UsageError, match=f"{next(iter(options))} "):
        TCCB(**options)
