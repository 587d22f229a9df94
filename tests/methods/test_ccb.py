"""CCB against Algorithm 7 (thesis 3.3.1.3) character by character, and by hand."""

from html import unescape

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import thresher
from tests import slow_definitions as slow
from tests.methods import slow_ccb
from thresher import UsageError
from thresher.methods.ccb import CCB, blurred, content_code

# Errors of the wide Gaussian, as documented: a text whose ratio is so close to t is left out.
NEAR = 0.01

MENU = '<ul><li><a href="/tea/all">All teas</a></li><li><a href="/pots">Pots</a></li></ul>' * 3
TEXT = "<p>" + "Warm the pot, put in the leaves, pour on the water and wait. " * 6 + "</p>"


@given(slow.pages(), st.sampled_from([(2, 1), (9, 2), (12, 6)]), st.sampled_from([0.3, 0.5]))
def test_it_keeps_the_same_words_as_the_slow_definition(html, range_and_rounds, t):
    r, rounds = range_and_rounds
    expected = slow_ccb.Blur(html, "ccb", r, rounds)
    assume(not any(abs(ratio - t) < NEAR for ratio in expected.content()))
    found = CCB(r, rounds, t)(thresher.parse(html))
    assert slow.kept_words(found) == expected.words(t)


def lengths(size: int) -> st.SearchStrategy[list[int]]:
    return st.lists(st.integers(1, size), min_size=2, max_size=12)


@pytest.mark.parametrize(("r", "rounds", "near"), [(40, 50, 2e-3), (25, 3, 3e-3), (12, 1, 8e-3)])
@given(lengths=lengths(60))
def test_one_wide_blur_is_many_narrow_ones(r, rounds, near, lengths):
    bounds = np.concatenate(([0], np.cumsum(lengths)))
    begin, end = bounds[1:-1:2], bounds[2::2]
    bits = np.repeat(np.arange(len(lengths)) % 2, lengths)
    w, c = np.array(slow_ccb.weights(r)), bits.astype(float)
    for _ in range(rounds):
        c = np.convolve(np.pad(c, r, "symmetric"), w, "valid")
    variance = rounds * float(np.sum(w * np.arange(-r, r + 1) ** 2))
    found = blurred(begin, end, len(bits), variance)
    assert found == pytest.approx(c[bits == 1], abs=near)


def test_the_slow_blur_by_hand():
    # r = 3 is sigma = 1; weights 0.0044, 0.0540, 0.2420, 0.3991 and back.
    assert slow_ccb.weights(3) == pytest.approx(
        [0.0044, 0.0540, 0.2420, 0.3991, 0.2420, 0.0540, 0.0044], abs=5e-5
    )
    # 0 1 0 0, mirrored: 0 0 1 0 | 0 1 0 0 | 0 0 1 0.
    assert slow_ccb.blurred([0, 1, 0, 0], 3, 1) == pytest.approx(
        [0.2420 + 0.0540, 0.3991 + 0.0044, 0.2420, 0.0540 + 0.0044], abs=1e-4
    )


def nothing_out(scan):
    return np.zeros(len(scan.tag_first), bool), np.zeros(len(scan.run_first), bool)


def test_the_vector_by_hand():
    scan = thresher.parse("<p>Tea &amp; milk</p>\n<a href='/'>ho me</a><!-- x --> end").scan
    # <p> 3, Tea&milk 8, </p> and <ahref='/'> 4 + 11, home 4, </a> 4, end 3; the comment is nothing.
    begin, end, size = content_code(scan, *nothing_out(scan))
    assert (begin.tolist(), end.tolist(), size) == ([3, 26, 34], [11, 30, 37], 37)


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("&amp;", 1),
        ("&#1587;", 1),
        ("&#x2014;&nbsp;", 1),
        ("&amp", 1),
        ("a&ampb", 3),
        ("a&#32;b&#x20 c&Tab;d", 4),
        ("a&b;c", 5),  # there is no such name
        ("AT&T; &", 6),
        ("&NotEqualTilde;", 2),
        ("&CounterClockwiseContourIntegral;&amp;", 2),
        ("&" + "x" * 40 + ";", 42),
    ],
)
def test_a_character_reference_is_the_characters_it_stands_for(text, size):
    scan = thresher.parse(f"<p>{text}").scan
    assert content_code(scan, *nothing_out(scan))[2] == 3 + size


def test_white_space_is_that_of_unicode():
    points = [9, 10, 12, *(n for n in range(32, 0x3100) if chr(n) not in "<&"), 0xFEFF, 0x1F375]
    for some in (points[at : at + 50] for at in range(0, len(points), 50)):
        text = "a".join(map(chr, some))
        scan = thresher.parse(f"<p>{text}").scan
        assert content_code(scan, *nothing_out(scan))[2] == 3 + len("".join(text.split())), some


@given(st.lists(st.sampled_from("& # x a A 3 2 ; amp nbsp lt copy &# \xa0 \u3000 é".split(" "))))
def test_text_is_resolved_as_a_parser_does(pieces):
    text = "".join(pieces)
    scan = thresher.parse(f"<p>.{text}").scan
    solid = "".join(unescape(text).split())
    assert content_code(scan, *nothing_out(scan))[2] == 4 + len(solid)


def test_a_reference_in_a_tag_is_one_character_of_code():
    scan = thresher.parse('<a href="/?a=1&amp;b=2">x</a>').scan
    assert content_code(scan, *nothing_out(scan))[2] == len('<ahref="/?a=1&b=2">x</a>')
    scan = thresher.parse('<a href="/?a=1&copy=2" title="to&nbsp;me">x</a>').scan
    wanted = len('<ahref="/?a=1&copy=2"title="tome">x</a>')
    assert content_code(scan, *nothing_out(scan))[2] == wanted


def test_an_edge_by_hand():
    # 1000 items of content after 1000 of code, standard deviation 50: at one, two, three deviations
    # from the edge a normal distribution has 0.8413, 0.9772, 0.9987.
    found = blurred(np.array([1000]), np.array([2000]), 2000, 2500.0)
    assert found[[0, 50, 100, 150]] == pytest.approx([0.504, 0.8437, 0.9778, 0.9987], abs=1e-3)
    assert found[-1] == pytest.approx(1, abs=1e-9)  # the mirrored end: nothing but content


def test_text_alone_is_content():
    assert CCB()(thresher.parse("Tea.")).text() == "Tea."


def test_no_blur_keeps_everything():
    page = thresher.parse(MENU + TEXT)
    assert CCB(rounds=0)(page) == CCB(r=0)(page) == page.where(page.chars > 0)


def test_a_text_between_menus():
    page = thresher.parse(MENU + TEXT + MENU)
    # A vector of 769 items: 8 of 200 rounds, for a deviation of 37.
    assert CCB(t=0.4)(page) == CCB(t=0.4, rounds=8)(page) == page.where(page.chars > 100)
    # With a threshold as low as that of the menus menus are kept too.
    assert CCB(t=0.1)(page) == page.where(page.chars > 0)


def test_hidden_text_is_not_counted():
    page = thresher.parse("<p hidden>Never seen by anybody.</p><p>Tea</p>")
    scan = page.scan
    begin, end, size = content_code(scan, nothing_out(scan)[0], np.array([True, False]))
    assert (begin.tolist(), end.tolist(), size) == ([9, 16], [9, 19], 23)
    assert CCB(rounds=0)(page).text() == "Tea"


def test_a_headline_is_a_bound():
    page = thresher.parse(f"{TEXT}<h1>On tea</h1>{TEXT}")
    assert CCB(rounds=2)(page).words > 150
    below = CCB(rounds=2, headline="On tea")(page)
    assert below.rows[0] > page.blocks.last[0]
    assert below.words > 75


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"r": -1}, "r of ccb is -1: give a whole number from 0 to 10,000."),
        ({"rounds": -1}, "rounds of ccb is -1: give a whole number from 0 to 1,000,000."),
        ({"t": 1.0}, "t of ccb is 1.0: give a number at least 0 and below 1"),
        ({"t": -0.1}, "t of ccb is -0.1"),
    ],
)
def test_bad_options_are_refused(options, message):
    with pytest.raises(UsageError, match=message):
        CCB(**options)
