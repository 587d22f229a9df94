"""CETR against Algorithm 9 (thesis 3.3.3.1) line by line, and Fig. 3.11 by hand."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import thresher
from tests import slow_definitions as slow
from tests.methods import slow_lines
from thresher import Page, UsageError
from thresher.methods.cetr import CETR, change, histogram, rising_means, tag_ratios

LENGTHS = st.sampled_from([0, 15, 40, 320])

# Fig. 3.11, without the dots that stand for what was left out.
FIGURE = """\
<div id="topnav">
<div id="storyPageContent2">
<div id="author">James Smith</div>
OKLAHOMA CITY - Police were told that
The Oklahoman reported Sunday. <br><br> Jones had
</div></div>
"""


def ratios(page: Page, length: int) -> np.ndarray:
    lines = page.lines(length)
    hidden = np.append(page.hidden[page.text_rows], False)[lines.scan.run_text]
    return tag_ratios(lines, hidden)


def test_figure_3_11():
    assert ratios(thresher.parse(FIGURE), 0)[:6].tolist() == [0, 0, 5.5, 37, 20.5, 0]
    lines = slow_lines.cetr_lines(FIGURE, 0)
    assert [(line.text, line.tags) for line in lines[:6]] == [
        (0, 1),
        (0, 1),
        (11, 2),
        (37, 0),
        (41, 2),
        (0, 2),
    ]


@given(slow.pages(), LENGTHS)
def test_the_ratios_are_those_of_algorithm_9(html, length):
    expected = [line.ratio for line in slow_lines.cetr_lines(html, length)]
    found = ratios(thresher.parse(html), length).tolist()
    assert found[: len(expected)] == expected
    assert not any(found[len(expected) :])


@given(slow.pages(), LENGTHS, st.sampled_from([2, 3]), st.sampled_from([0, 1, 5, 100]))
def test_it_keeps_the_same_words_as_the_slow_definition(html, length, k, moves):
    points = slow_lines.cetr_points(html, length, 1.0, 3)
    labels, close_call = slow_lines.cetr_labels(points, k, moves)
    assume(not close_call)
    found = CETR(k=k, length=length, moves=moves)(thresher.parse(html))
    assert slow.kept_words(found) == slow_lines.cetr_words(html, length, labels)


def test_the_second_axis_by_hand():
    # The means of the next three are 30, 60, 60, 60; the last line has none after it.
    assert change(np.array([0.0, 0, 30, 60, 60]), 3).tolist() == [30, 50, 30, 0, 0]
    assert change(np.array([7.0]), 3).tolist() == [0]
    assert change(np.zeros(0), 3).tolist() == []


def test_smoothing_by_hand():
    # Weights 1, 0.6065, 0.1353, 0.0111 of lines at distance 0 to 3, over their sum of 2.5060, or of
    # 2.4949 and 2.3595 where one line, or two, are missing at the border.
    points = histogram(np.array([0, 0, 0, 0, 100.0, 0, 0, 0, 0]), 1.0, 3)
    assert points[:, 0].round(1).tolist() == [0, 0.5, 5.4, 24.2, 39.9, 24.2, 5.4, 0.5, 0]


def test_k_means_starts_from_rising_means():
    points = np.array([[0, 0], [0, 1], [4, 1], [8, 3], [12, 5], [24, 8]], float)
    # T has the mean 8: three points. Their mean is 14.67: one point.
    assert rising_means(points, 2)[0].tolist() == pytest.approx([44 / 3, 16 / 3])
    assert rising_means(points, 3)[1:].tolist() == [[24, 8], [24, 8]]
    assert rising_means(np.zeros((0, 2)), 2).tolist() == [[0, 0], [0, 0]]
    # The mean of three times 0.1 is above 0.1 by rounding; no start may be lost by that.
    assert np.full(3, 0.1).mean() > 0.1
    assert rising_means(np.full((3, 2), 0.1), 2).tolist() == [[np.full(3, 0.1).mean()] * 2] * 2


def test_a_text_between_menus():
    menu = "<ul>\n" + '<li><a href="/tea">Tea</a></li>\n' * 20 + "</ul>\n"
    text = "<p>\n" + "Warm the pot, put in the leaves, pour on the water and wait.\n" * 12 + "</p>"
    page = thresher.parse(menu + text + menu)
    found = CETR(length=0)(page)
    assert (found.words, found.text()[:13]) == (156, "Warm the pot,")
    # Lines of 60 hold two entries of the menu, and smoothing carries the text into the next one.
    assert CETR(length=60)(page).text()[:26] == "- Tea\n- Tea\n\nWarm the pot,"


def test_white_space_between_tags_is_no_text():
    assert ratios(thresher.parse("<p>   <b>   </b>   </p>"), 0).tolist() == [0]
    assert ratios(thresher.parse("<p>   <b> x </b>   </p>"), 0).tolist() == [3 / 4]


def test_a_tag_counts_where_it_begins():
    page = thresher.parse('<p class="x">Tea</p>')
    # Lines `<p cla`, `ss="x"`, `>Tea</`, `p>`.
    assert ratios(page, 6).tolist() == [0, 0, 3, 0]


def test_hidden_text_is_not_counted():
    page = thresher.parse("<p hidden>Nobody sees it.</p>\n<p>Tea</p>")
    assert ratios(page, 0).tolist() == [0, 1.5]


def test_a_headline_is_a_bound():
    text = "<p>" + "Warm the pot, put in the leaves, pour on the water and wait. " * 12 + "</p>"
    page = thresher.parse(f"{text}<hr><h1>On tea</h1>{text}")
    assert CETR(headline="On tea")(page).rows[0] > page.blocks.last[0]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"k": 1}, "k of cetr is 1: give a whole number from 2 to 100."),
        ({"ahead": 0}, "ahead of cetr is 0: give a whole number from 1"),
        ({"length": -1}, "length of cetr is -1: give a whole number from 0"),
        ({"sigma": 0.0}, "sigma of cetr is 0.0: give a number above 0"),
    ],
)
def test_bad_options_are_refused(options, message):
    with pytest.raises(UsageError, match=message):
        CETR(**options)
