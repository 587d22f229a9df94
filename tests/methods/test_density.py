"""Density against its description (thesis 3.3.3.2) line by line, and each rule of ours by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher
from tests import slow_definitions as slow
from tests.methods import slow_lines
from thresher import UsageError
from thresher.methods.density import Density, densest_region


@given(
    slow.pages(),
    st.sampled_from([0, 1, 10, 40, 80]),
    st.sampled_from([0, 1, 2, 20]),
    st.sampled_from(["blocks", "texts"]),
)
def test_it_keeps_the_same_words_as_the_slow_definition(html, c1, c2, kind):
    found = Density(c1, c2, kind)(thresher.parse(html))
    assert slow.kept_words(found) == slow_lines.density(html, c1, c2, kind)


def region(lengths: list[int], c1: int, c2: int) -> list[int]:
    return densest_region(np.array(lengths), c1, c2).nonzero()[0].tolist()


def test_lines_by_hand():
    lengths = [9, 90, 5, 80, 4, 4, 200, 7, 85]
    # Long enough are the lines 1, 3, 6 and 8, at distances of 2, 3 and 2.
    assert region(lengths, 80, 2) == [6, 8]  # 285 characters against 170
    assert region(lengths, 80, 3) == [1, 3, 6, 8]
    assert region(lengths, 80, 1) == [6]
    assert region(lengths, 81, 2) == [6, 8]
    assert region(lengths, 201, 2) == []
    assert region([], 0, 0) == []


def test_the_first_region_wins_a_tie():
    assert region([50, 0, 0, 50], 10, 1) == [0]


def test_short_lines_inside_the_region_are_not_kept():
    page = thresher.parse("<p>Warm the pot.</p><p>Yes.</p><p>Pour on the water.</p>")
    assert Density(c1=10, c2=2)(page).text() == "Warm the pot.\n\nPour on the water."
    assert Density(c1=10, c2=1)(page).text() == "Pour on the water."
    assert Density(c1=4, c2=1)(page) == page.all()


def test_a_line_is_a_block_or_a_text():
    page = thresher.parse("<p>Warm <b>the pot</b> and wait.</p>")
    assert Density(c1=15)(page) == page.all()  # 5 + 7 + 10 characters
    assert not Density(c1=15, lines="texts")(page)
    assert Density(c1=9, lines="texts")(page).text() == "and wait."


def test_hidden_text_is_no_line():
    page = thresher.parse("<p>Warm the pot.</p><p hidden>Nobody sees it.</p><p>Then wait.</p>")
    assert Density(c1=5, c2=1)(page).text() == "Warm the pot.\n\nThen wait."


def test_between_the_bounds_of_a_headline_all_long_lines_are_kept():
    menu = "<ul>" + "<li>Tea</li>" * 6 + "</ul>"
    page = thresher.parse(
        f"<p>Subscribe to our letter.</p><h1>Tea</h1><p>Warm the pot.</p>{menu}<p>Then wait.</p>"
    )
    assert Density(c1=9, c2=4)(page).text() == "Subscribe to our letter.\n\nWarm the pot."
    assert Density(9, 4, headline="Tea")(page).text() == "Warm the pot.\n\nThen wait."


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"c1": -1}, "c1 of density is -1: give a whole number from 0"),
        ({"c2": -1}, "c2 of density is -1: give a whole number from 0"),
        ({"lines": "rows"}, "lines of density is 'rows': give 'blocks' or 'texts'"),
    ],
)
def test_bad_options_are_refused(options, message):
    with pytest.raises(UsageError, match=message):
        Density(**options)
