"""Alignment against the full table of Fig. 5, by hand, and its growth."""

import tracemalloc
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from tests.growth import assert_linear
from thresher.site import alignment
from thresher.site.alignment import align

few = st.lists(st.integers(0, 3), max_size=12)


# --- the slow definition -------------------------------------------------------------------------


def slow_cost(first, second, longest=False):
    """Return the least number of edits and, among alignments of that cost, the most equal pairs.

    Fig. 5 with the `+ 1` that line 14 has lost. The longest common subsequence has no
    substitutions.
    """
    table = [[(i + j, 0) for j in range(len(second) + 1)] for i in range(len(first) + 1)]
    for i in range(1, len(first) + 1):
        for j in range(1, len(second) + 1):
            (cost, pairs), up, left = table[i - 1][j - 1], table[i - 1][j], table[i][j - 1]
            ways = [(up[0] + 1, up[1]), (left[0] + 1, left[1])]
            if first[i - 1] == second[j - 1]:
                ways.append((cost, pairs + 1))
            elif not longest:
                ways.append((cost + 1, pairs))
            table[i][j] = min(ways, key=lambda way: (way[0], -way[1]))
    return table[-1][-1]


def cost_of(first, second, partner, longest=False):
    """Return the edits and the equal pairs of an alignment; fail if it is none."""
    pairs = [(i, int(j)) for i, j in enumerate(partner) if j >= 0]
    assert len(partner) == len(first)
    assert all(first[i] == second[j] for i, j in pairs)
    assert [j for _, j in pairs] == sorted({j for _, j in pairs})
    edits = 0
    for (i, j), (i_next, j_next) in zip(
        [(-1, -1), *pairs], [*pairs, (len(first), len(second))], strict=True
    ):
        n, m = i_next - i - 1, j_next - j - 1  # items between two pairs
        edits += n + m if longest else max(n, m)
    return edits, len(pairs)


@given(few, few, st.booleans())
@example([], [], False)
@example([0], [], True)
def test_it_has_the_least_cost_and_then_the_most_pairs(first, second, longest):
    partner = align(first, second, longest=longest)
    assert cost_of(first, second, partner, longest) == slow_cost(first, second, longest)


@given(st.lists(st.integers(0, 20), max_size=30), st.lists(st.integers(0, 20), max_size=30))
def test_beyond_the_largest_table_it_is_still_an_alignment(first, second):
    least, _ = slow_cost(first, second)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(alignment, "CELLS", 12)
        cost, _ = cost_of(first, second, align(first, second))
        assert cost >= least
        patch.setattr(alignment, "CELLS", 900)
        assert cost_of(first, second, align(first, second))[0] == least


# --- by hand -------------------------------------------------------------------------------------


def letters(text):
    return [ord(letter) for letter in text]


@pytest.mark.parametrize(
    ("first", "second", "partner"),
    [
        ("abc", "ac", [0, -1, 1]),  # section 5.1: a maps to a, c to c, b has no mapping
        ("ac", "abc", [0, 2]),
        ("", "abc", []),
        ("abc", "", [-1, -1, -1]),
        ("abc", "abc", [0, 1, 2]),
        ("abc", "xyz", [-1, -1, -1]),
        ("aa", "aaa", [0, 1]),
        ("ab", "ba", [1, -1]),  # two edits either way: the way with a pair is taken
        ("xaby", "xbay", [0, 2, -1, 3]),
    ],
)
def test_by_hand(first, second, partner):
    found = align(letters(first), letters(second))
    assert found.tolist() == partner


def test_of_equal_costs_the_one_with_most_pairs():
    # "abcd" to "bcxd": delete a and insert x, or substitute three letters. Two edits are fewer.
    assert align(letters("abcd"), letters("bcxd")).tolist() == [-1, 0, 1, 3]
    assert slow_cost("abcd", "bcxd") == (2, 3)


def test_a_longest_common_subsequence_may_cost_more_edits():
    first, second = letters("aaab"), letters("abcc")
    assert cost_of(first, second, align(first, second)) == slow_cost(first, second) == (3, 1)
    partner = align(first, second, longest=True)
    assert cost_of(first, second, partner, longest=True) == (4, 2)
    assert cost_of(first, second, partner) == (4, 2)  # edits with substitutions: one more than 3


# --- large sequences -----------------------------------------------------------------------------


def test_anchors_keep_long_sequences_together():
    generator = np.random.default_rng(7)
    template = np.arange(4_000)
    first = np.insert(template, 1_000, generator.integers(10_000, 10_005, 500))
    second = np.insert(template, 3_000, generator.integers(10_000, 10_005, 900))
    partner = align(first, second)
    assert (first[partner >= 0] == second[partner[partner >= 0]]).all()
    assert ((partner >= 0) | (first >= 10_000)).all()  # every row of the template has its partner


def test_anchors_are_pairs_that_rise_without_those_inside_a_run():
    first = np.array([1, 2, 3, 4, 9, 9, 5, 8])
    second = np.array([8, 1, 2, 3, 4, 9, 5, 9])
    assert alignment._anchors(first, second) == [(0, 1), (3, 4), (6, 6)]
    assert alignment._anchors(first, np.array([0, 7])) == []


NOTHING_IN_COMMON = (np.arange(5_000), np.arange(5_000, 10_000))
FIVE_VALUES = tuple(np.random.default_rng(seed).integers(0, 5, 5_000) for seed in (1, 2))


@pytest.mark.parametrize("pair", [NOTHING_IN_COMMON, FIVE_VALUES], ids=["nothing", "five-values"])
def test_there_is_never_a_full_table(pair):
    align(*pair)  # load what is loaded on first use
    tracemalloc.start()
    try:
        align(*pair)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 2 * 8 * alignment.CELLS  # bytes; the full table takes 200 MB


def nothing_in_common(n):
    return np.arange(n), np.arange(n, 2 * n)


def five_values(n):
    generator = np.random.default_rng(n)
    return generator.integers(0, 5, n), generator.integers(0, 5, n)


def one_value_in_common(n):
    first, second = nothing_in_common(n)
    first[::7], second[::5] = -1, -1
    return first, second


def one_much_longer(n):
    return np.zeros(20, np.int64) + np.arange(20) % 2, np.arange(n) % 3


def shuffled(n):
    return np.arange(n), np.random.default_rng(n).permutation(n)


def template_with_gaps(n):
    first, second = np.arange(n), np.arange(n)
    first[::3], second[1::4] = -1, -2
    return first, second


@pytest.mark.parametrize(
    "make",
    [
        nothing_in_common,
        five_values,
        one_value_in_common,
        one_much_longer,
        shuffled,
        template_with_gaps,
    ],
)
def test_time_grows_with_the_length(make):
    assert_linear(lambda pair: align(*pair), make, 5_000)


# --- how long sequences are cut ------------------------------------------------------------------


def test_a_longest_run_of_pairs_that_rise():
    assert alignment._rising([]) == []
    assert alignment._rising([(0, 5), (1, 1), (2, 4), (3, 2), (4, 3)]) == [(1, 1), (3, 2), (4, 3)]
    assert alignment._rising([(0, 3), (2, 2), (5, 0)]) == [(5, 0)]


@given(st.permutations(range(7)))
def test_no_run_of_rising_pairs_is_longer(order):
    pairs = list(enumerate(order))
    found = alignment._rising(pairs)
    assert set(found) <= set(pairs)
    assert all(one[0] < two[0] and one[1] < two[1] for one, two in pairwise(found))
    lengths = []  # of the longest run that ends at each pair
    for at, value in pairs:
        before = [lengths[i] for i, smaller in pairs[:at] if smaller < value]
        lengths.append(1 + max(before, default=0))
    assert len(found) == max(lengths)


def test_even_cuts():
    # 2,000 x 2,000 cells: three parts, so that none has more than a million cells.
    assert alignment._even_cuts(2_000, 2_000) == [(666, 666), (1_333, 1_333)]
    assert alignment._even_cuts(1_000, 9_000) == [(250, 2_250), (500, 4_500), (750, 6_750)]


@given(st.integers(1, 10**5), st.integers(1, 10**5))
def test_even_parts_are_small_enough_or_get_smaller(n, m):
    assume(n * m > alignment.CELLS)
    edges = [(0, 0), *alignment._even_cuts(n, m), (n, m)]
    sizes = [(k - i, o - j) for (i, j), (k, o) in pairwise(edges)]
    assert all(min(size) >= 0 and size != (n, m) for size in sizes)
    assert all(i * j <= alignment.CELLS for i, j in sizes) or min(n, m) < 100  # cut again then


def test_parts_without_anchors_are_aligned_in_proportion():
    first = np.arange(3_000) % 3  # nothing occurs once
    second = np.concatenate([[7], first, [8]])
    partner = align(first, second)
    assert (first[partner >= 0] == second[partner[partner >= 0]]).all()
    assert (partner >= 0).sum() >= 0.99 * len(first)


def test_between_anchors_the_alignment_is_exact():
    generator = np.random.default_rng(3)
    first, second = (generator.integers(0, 4, 3_000) for _ in range(2))
    first[::100] = second[::100] = 1_000 + np.arange(30)
    partner = align(first, second)
    assert partner[::100].tolist() == list(range(0, 3_000, 100))
    for begin in range(1, 3_000, 100):
        part = partner[begin : begin + 99]
        own = np.where(part >= 0, part - begin, -1)
        slices = first[begin : begin + 99].tolist(), second[begin : begin + 99].tolist()
        assert cost_of(*slices, own) == slow_cost(*slices)
