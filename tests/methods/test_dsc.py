"""DSC against Algorithm 6 token by token, and by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher
from tests import slow_definitions as slow
from thresher import UsageError
from thresher.methods.dsc import DSC, low_slope, window_size


@given(slow.pages())
def test_it_keeps_the_regions_of_low_slope(html):
    page = thresher.parse(html)
    assert slow.kept_words(DSC()(page)) == slow.dsc(html)
    assert slow.kept_words(DSC(listing=True)(page)) == slow.dsc(html, listing=True)


# Stretches of tags and of words, some of them long: (is_tag, length).
STRETCHES = st.lists(
    st.tuples(st.integers(0, 1), st.one_of(st.integers(1, 30), st.integers(60, 200))), max_size=15
)


@given(STRETCHES)
def test_tokens_in_regions(stretches):
    bits = [bit for bit, length in stretches for _ in range(length)]
    array = np.array(bits, np.bool_)
    assert low_slope(array).tolist() == slow.dsc_low(bits)
    assert low_slope(array, listing=True).tolist() == slow.dsc_listing(bits)


# In floats, 0.00875 * 5000 + 6.25 rounds up to 51.
@pytest.mark.parametrize(
    ("tokens", "size"),
    [(0, 8), (199, 8), (200, 8), (201, 9), (315, 10), (1000, 15), (4999, 50), (5000, 50),
     (5001, 50), (1_000_000, 50)],
)  # fmt: skip
def test_window_sizes(tokens, size):
    assert window_size(tokens) == size


def words_in_regions(bits: list[int], *, listing: bool = False) -> list[int]:
    found = low_slope(np.array(bits, np.bool_), listing=listing)
    return [place for place, bit in enumerate(bits) if found[place] and not bit]


def test_the_digest_by_hand():
    # N = 40, w = 8, half the mean slope 0.2. The windows at 8, 12, 16, 20, 24 have no tag, those at
    # 4 and 28 have four of eight. The listing opens at the third low window, the one at 16.
    bits = [1] * 8 + [0] * 24 + [1] * 8
    assert words_in_regions(bits) == list(range(8, 32))
    assert words_in_regions(bits, listing=True) == list(range(16, 32))


def test_a_region_ends_at_the_first_of_three_windows_that_are_not_low():
    # 24 words, then 24 tags, then 3 words: windows at 24, 28, 32 are not low, so 24 ends it; the
    # one at 20 is half tags, the first of the three that are not low.
    bits = [0] * 24 + [1] * 24 + [0] * 3
    assert np.flatnonzero(low_slope(np.array(bits, np.bool_))).tolist() == list(range(20))


def test_two_windows_that_are_not_low_do_not_end_a_region():
    # Eight tags among words: the windows at 28, 32, 36 hold 4, 8, 4 of them; one tag less on either
    # side would leave two windows. With four tags, only the windows at 28 and 32 hold any.
    bits = [0] * 32 + [1] * 4 + [0] * 32
    assert low_slope(np.array(bits, np.bool_)).all()
    bits = [0] * 32 + [1] * 8 + [0] * 32
    outside = np.flatnonzero(~low_slope(np.array(bits, np.bool_))).tolist()
    assert outside == list(range(28, 40))


def test_without_tags_all_is_content_and_without_windows_nothing():
    assert low_slope(np.zeros(5, np.bool_)).tolist() == [True] * 5
    assert low_slope(np.array([1, 0, 0, 0], np.bool_)).tolist() == [False] * 4
    assert low_slope(np.zeros(0, np.bool_)).tolist() == []


TEXT = "Warm the pot, put in the leaves, pour on the water just off the boil, and then wait."
MENU = "<ul>" + "<li><a href=/>Tea</a></li>" * 8 + "</ul>"


def test_two_stretches_are_kept_and_the_menu_between_is_not():
    page = thresher.parse(f"{MENU}<p>{TEXT * 2}</p>{MENU}<p>{TEXT * 2}</p>{MENU}")
    assert DSC()(page).text() == f"{TEXT * 2}\n\n{TEXT * 2}"


def test_a_text_is_kept_when_more_than_half_of_its_words_are():
    # html, head, /head, body, p: five tags; then 35 words; then 15 tags. The listing leaves token 4
    # out of the window there, so those at 4, 8 and 12 have no tag: the region opens at 12. Of 14
    # words from token 5 on, seven are inside; of 15, eight.
    def kept(first: int) -> list[str]:
        words = [f"<p>{'w ' * first}<!-- -->{'x ' * (35 - first)}</p>", "<hr>" * 12]
        return slow.kept_words(DSC(listing=True)(thresher.parse("".join(words))))

    assert kept(14) == ["x"] * 21
    assert kept(15) == ["w"] * 15 + ["x"] * 20


def test_hidden_words_are_no_tokens():
    shown = f"{MENU}<p>{TEXT * 2}</p>{MENU}"
    more = shown.replace("<li>", f"<li><!-- --><script>{TEXT}</script>")
    assert DSC()(thresher.parse(shown)).text() == DSC()(thresher.parse(more)).text() != ""
    hidden = thresher.parse(f"{MENU}<p hidden>{TEXT * 2}</p>{MENU}")
    assert not DSC()(hidden)


def test_bad_options_are_refused():
    with pytest.raises(UsageError, match=r"listing of dsc is 1: give True or False\."):
        DSC(listing=1)
