"""DANAg against the thesis (4.5) character by character, and by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher
from tests import slow_definitions as slow
from thresher import UsageError
from thresher.methods.danag import AdDANAg, DANAg, differences

GAPS = st.sampled_from([0, 2, 3, 20])
LENGTHS = st.sampled_from([0, 7, 20, 40, 160])


@given(slow.pages(), GAPS, LENGTHS, st.booleans())
def test_it_keeps_the_same_words_as_the_slow_definition(html, gap, length, smooth):
    page = thresher.parse(html)
    kept = DANAg(gap=gap, length=length, smooth=smooth)(page)
    assert slow.kept_words(kept) == slow.addanag(html, gap, 0, length, smooth)
    assert kept == AdDANAg(gap=gap, filter=0, length=length, smooth=smooth)(page)


def test_a_line_by_hand():
    lines = thresher.parse("<p>Hello</p>").lines(0)
    assert (lines.length.tolist(), lines.content.tolist(), lines.code.tolist()) == ([12], [5], [7])


def test_links_weigh_as_they_are_written():
    link = '<a href="/wiki/Tea_ceremony" title="Tea ceremony">tea</a>'
    page = thresher.parse(f"<p>Steep the {link} for three minutes, then drink it.</p>")
    lines = page.lines(0)
    # "Steep the" 9, "tea" 3, "for three ..." 33; tags 3 + 50 + 4 + 4 and two spaces beside them.
    assert (lines.content.tolist(), lines.code.tolist()) == ([45], [63])
    assert not DANAg(length=0)(page)
    assert AdDANAg(length=0)(page).text() == "Steep the tea for three minutes, then drink it."


def test_the_gap_joins_regions():
    html = "<p>Warm the pot.</p>\n" + "<hr>\n" * 3 + "<p>Pour on the water and wait.</p>\n"
    page = thresher.parse(html)
    lines = page.lines(0)
    # Balances 6, -4, -4, -4, 20, 0. Two lines lie between the regions: a distance of 4.
    assert differences(lines.content, lines.code).tolist() == [2, -2, -12, 12, 16, 20]
    assert DANAg(gap=4, length=0)(page).text() == "Warm the pot.\n\nPour on the water and wait."
    assert DANAg(gap=3, length=0)(page).text() == "Pour on the water and wait."


def test_formula_4_6():
    html = "<p>Warm the pot.</p>\n" + "<hr class=x>\n" * 2 + "<p>Pour on the water and wait.</p>"
    page = thresher.parse(html)
    lines = page.lines(0)
    assert differences(lines.content, lines.code).tolist() == [-6, -18, -4, 8]
    assert differences(lines.content, lines.code, smooth=False).tolist() == [6, -12, -12, 20]
    # The rules outweigh the first paragraph in 4.2; in 4.6 each line is on its own.
    assert DANAg(length=0)(page).text() == "Pour on the water and wait."
    both = DANAg(length=0, smooth=False)(page)
    assert both.text() == "Warm the pot.\n\nPour on the water and wait."
    assert AdDANAg(length=0, smooth=False)(page) == both


def test_smooth_is_a_switch():
    with pytest.raises(UsageError, match="smooth of danag is 1: give True or False"):
        DANAg(smooth=1)


@pytest.mark.parametrize("options", [{"gap": -1}, {"length": -1}])
def test_bad_options_are_refused(options):
    with pytest.raises(UsageError, match=r"is -\d+: give a whole number from 0 to 1,000,000\."):
        DANAg(**options)
