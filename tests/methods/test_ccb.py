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
from thresher.methods.ccb import CCB, blurred, blurred_by, content_code

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


# --- weights -------------------------------------------------------------------------------------

KERNELS = [(1, 2, 1), (1,), (1, 1, 1, 1, 1), (0, 0, 1), (3, 1, 0, 0, 0.5)]


@pytest.mark.parametrize("longest", [3, 12, 40])  # short and long for the reach of the rounds
@given(data=st.data(), w=st.sampled_from(KERNELS), rounds=st.integers(0, 7))
def test_given_weights_are_used_exactly(longest, data, w, rounds):
    lengths = data.draw(st.lists(st.integers(1, longest), min_size=2, max_size=8))
    bounds = np.concatenate(([0], np.cumsum(lengths)))
    bits = (np.arange(len(lengths)) % 2).repeat(lengths)
    share = np.array(w) / sum(w)
    found = blurred_by(bounds[1:-1:2], bounds[2::2], len(bits), share, rounds)
    expected = slow_ccb.blurred_by(bits.astype(float).tolist(), share.tolist(), rounds)
    assert found == pytest.approx(np.array(expected)[bits == 1], abs=1e-9)


def test_weights_by_hand():
    # 0 0 1 1 0 with 1/4, 1/2, 1/4 is 0 1/4 3/4 3/4 1/4.
    found = blurred_by(np.array([2]), np.array([4]), 5, np.array([0.25, 0.5, 0.25]), 1)
    assert found == pytest.approx([0.75, 0.75])
    # Each item takes the value of the next one; beyond the end there is the mirror image.
    found = blurred_by(np.array([0, 3]), np.array([1, 4]), 4, np.array([0, 0, 1.0]), 1)
    assert found == pytest.approx([0, 1])


def test_the_weights_of_a_gaussian_can_be_given():
    share = slow_ccb.weights(9)
    bits = [float(n % 7 > 2) for n in range(60)]
    expected = slow_ccb.blurred(bits, 9, 3)
    assert slow_ccb.blurred_by(bits, share, 3) == pytest.approx(expected)


@given(
    slow.pages(), st.sampled_from(KERNELS), st.sampled_from([1, 3]), st.sampled_from([0.3, 0.55])
)
def test_a_page_blurred_with_given_weights(html, w, rounds, t):
    expected = slow_ccb.Blur(html, "ccb", 0, rounds, w)
    assume(not any(abs(ratio - t) < 1e-9 for ratio in expected.content()))
    method = CCB(rounds=rounds, t=t, w=w)
    assert slow.kept_words(method(thresher.parse(html))) == expected.words(t)


def test_weights_are_written_and_read():
    method = thresher.combine.read("ccb(w=(1, 2, 1))")
    assert method == CCB(w=(1, 2, 1))
    assert thresher.combine.write(method) == "ccb(w=(1, 2, 1))"


# --- the masked document -------------------------------------------------------------------------


@given(slow.pages(), st.sampled_from([(2, 1), (9, 2)]), st.sampled_from([0.3, 0.7]))
def test_the_masked_document_of_algorithm_7(html, range_and_rounds, t):
    r, rounds = range_and_rounds
    expected = slow_ccb.Blur(html, "ccb", r, rounds).content()
    assume(not any(abs(ratio - t) < NEAR for ratio in expected))
    found = CCB(r, rounds, t).masked(thresher.parse(html), "¤")
    assert found == slow_ccb.masked(html, expected, t, "¤")


def test_the_masked_document_by_hand():
    html = "<p>é &lt;&nbsp;b</p> <!-- c --><script>s</script>\r\n<i hidden>x &amp;</i>"
    page = thresher.parse(html)
    unix = html.replace("\r\n", "\n")
    # Nothing but hidden text is masked, as no value is at most 0.
    assert CCB(rounds=0, t=0).masked(page) == unix.replace("x &amp;", "_ _")
    # 6 content characters after blurring are below 0.99: there are tags around.
    assert CCB(r=9, rounds=3, t=0.99).masked(page, "#") == unix.replace(
        "é &lt;&nbsp;b", "# #&nbsp;#"
    ).replace("x &amp;", "# #")


def test_a_reference_is_masked_as_a_whole():
    page = thresher.parse("<p>&NotEqualTilde;</p>")  # two characters
    assert CCB(r=2, rounds=1, t=0.9).masked(page) == "<p>__</p>"
    assert CCB(rounds=0).masked(page) == "<p>&NotEqualTilde;</p>"


def test_text_outside_the_bounds_of_a_headline_is_masked():
    page = thresher.parse(f"{TEXT}<h1>On tea</h1>{TEXT}")
    found = CCB(rounds=2, headline="On tea").masked(page)
    assert found.index("Warm") > found.index("<h1>")
    assert found.startswith("<p>____ ___ ____ ___ __")


@pytest.mark.parametrize("replacement", ["", "ab", "<", "&"])
def test_bad_replacements_are_refused(replacement):
    with pytest.raises(UsageError, match=r"the replacement is .*: give one character other than"):
        CCB().masked(thresher.parse("<p>Tea"), replacement)


def test_vectors_have_the_values_of_content_and_code():
    page = thresher.parse("<p>Tea</p>")
    is_content, values = CCB(rounds=1, w=(1, 2, 1)).vectors(page)
    assert is_content.tolist() == [False] * 3 + [True] * 3 + [False] * 4
    # <p> is 0 0 1/4, Tea 3/4 1 3/4, </p> 1/4 0 0 0
    assert (4 * values).round(9).tolist() == [0, 0, 1, 3, 4, 3, 1, 0, 0, 0]


# --- the vector ----------------------------------------------------------------------------------


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
        ({"w": (1, 1)}, "w of ccb has 2 weights with the sum 2: give an odd number of them"),
        ({"w": (0, 0, 0)}, "w of ccb has 3 weights with the sum 0: .* not all 0"),
        ({"w": (1,) * 20_003}, "at most 20,001"),
        ({"w": (1, -1, 1)}, "w of ccb is .1, -1, 1.: give numbers from 0 to 1,000,000 in parenth"),
        ({"w": [1, 2, 1]}, "w of ccb is .*: give numbers from 0 to 1,000,000 in parentheses"),
        ({"w": (True, 2, 1)}, "w of ccb is .*: give numbers"),
        ({"w": (float("nan"), 2, 1)}, "w of ccb is .*: give numbers"),
    ],
)
def test_bad_options_are_refused(options, message):
    with pytest.raises(UsageError, match=message):
        CCB(**options)
