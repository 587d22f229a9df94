"""Array algorithms compared with slow textbook definitions, and worked examples."""

from __future__ import annotations

import math
import tracemalloc
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from numpy.typing import NDArray

from tests.cores import needs_kernels, plain_core
from tests.growth import assert_linear
from thresher.errors import UsageError
from thresher.page.arrays import (
    best_run,
    groups_rank,
    innermost,
    inside,
    k_means,
    levels_inside,
    maximal_runs,
    nearest,
    run_bounds,
    smooth,
    subtree_max_row,
    subtree_sums,
)

# A ten-row tree. Row: children.  0: 1 6 | 1: 2 3 | 3: 4 5 | 6: 7 | 7: 8 9
PARENT = np.array([-1, 0, 1, 1, 3, 3, 0, 6, 7, 7])
END = np.array([10, 6, 3, 6, 5, 6, 10, 10, 9, 10])

small_ints = st.lists(st.integers(-4, 4), max_size=14)
# Quarters: their sums are exact, so ties between floats are true ties.
small_quarters = small_ints.map(lambda numbers: [number / 4 for number in numbers])


@st.composite
def trees(draw: st.DrawFn) -> tuple[list[int], list[int]]:
    """Draw the columns parent and end of a small tree in pre-order."""
    parent: list[int] = []
    path: list[int] = []  # rows still open, root first
    for row in range(draw(st.integers(0, 20))):
        if row:
            del path[draw(st.integers(1, len(path))) :]
        parent.append(path[-1] if path else -1)
        path.append(row)
    end = [max(below(parent, row)) + 1 for row in range(len(parent))]
    return parent, end


def above(parent: Sequence[int], row: int) -> list[int]:
    """Return the row and its ancestors, nearest first."""
    rows = []
    while row != -1:
        rows.append(row)
        row = parent[row]
    return rows


def below(parent: Sequence[int], row: int) -> list[int]:
    """Return the rows of a subtree: those that have `row` among their ancestors."""
    return [other for other in range(len(parent)) if row in above(parent, other)]


def all_runs(size: int) -> list[tuple[int, int]]:
    """Return every run (first, last), by first, then by last."""
    return [(first, last) for first in range(size) for last in range(first, size)]


# Subtrees


def test_ten_row_tree_is_consistent() -> None:
    assert [max(below(PARENT.tolist(), row)) + 1 for row in range(10)] == END.tolist()


def test_subtree_sums_of_the_ten_row_tree() -> None:
    values = np.arange(10)
    assert subtree_sums(values, END).tolist() == [45, 15, 2, 12, 4, 5, 30, 24, 8, 9]
    assert subtree_sums(values % 2 == 1, END).tolist() == [5, 3, 0, 2, 0, 1, 2, 2, 0, 1]


@pytest.mark.parametrize(
    ("given_type", "sum_type"),
    [("bool", "int64"), ("uint8", "int64"), ("int32", "int64"), ("float32", "float64")],
)
def test_subtree_sums_widen(given_type: str, sum_type: str) -> None:
    sums = subtree_sums(np.ones(300, dtype=given_type), np.full(300, 300))
    assert sums.dtype == sum_type
    assert sums[0] == 300  # past the range of uint8


def test_subtree_sums_of_large_integers_are_exact() -> None:
    values = np.array([1, 2**60, 1])  # floats would lose the ones
    assert subtree_sums(values, [3, 3, 3]).tolist() == [2**60 + 2, 2**60 + 1, 1]


@given(trees(), st.data())
def test_subtree_functions_match_a_walk(
    tree: tuple[list[int], list[int]], data: st.DataObject
) -> None:
    parent, end = tree
    size = len(parent)
    values = data.draw(st.lists(st.integers(-3, 3), min_size=size, max_size=size))
    mask = data.draw(st.lists(st.booleans(), min_size=size, max_size=size))
    subtrees = [below(parent, row) for row in range(size)]

    sums = subtree_sums(np.array(values, dtype=np.int32), end)
    assert sums.tolist() == [sum(values[row] for row in rows) for rows in subtrees]
    halves = subtree_sums(np.array(values) / 2, end)
    assert halves.tolist() == [sum(values[row] / 2 for row in rows) for rows in subtrees]
    # max() takes the first of equals
    best = [max(rows, key=lambda row: values[row]) for rows in subtrees]
    assert subtree_max_row(values, end).tolist() == best
    assert subtree_max_row(np.array(values) / 2, end).tolist() == best
    ancestors = [above(parent, row) for row in range(size)]
    assert inside(mask, end).tolist() == [any(mask[up] for up in rows) for rows in ancestors]
    expected = [next((up for up in rows if mask[up]), -1) for rows in ancestors]
    assert nearest(mask, parent).tolist() == expected


def test_subtree_max_row_takes_the_first_on_ties() -> None:
    values = [0, 1, 1, 5, 5, 2, 5, 7, 7, 0]
    assert subtree_max_row(values, END).tolist() == [7, 3, 2, 3, 4, 5, 7, 7, 8, 9]


@pytest.mark.parametrize("shape", ["chain", "star"])
def test_subtree_max_row_of_a_million_rows(shape: str) -> None:
    size = 1_000_000
    values = np.arange(size) * 7919 % 1_000_003  # distinct: both numbers are prime
    end = np.full(size, size)
    if shape == "star":
        end[1:] = np.arange(2, size + 1)
    tracemalloc.start()
    rows = subtree_max_row(values, end)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 100 * size  # bytes; a table of all 20 levels alone would take 160 per row
    from_here = np.maximum.accumulate(values[::-1])[::-1]
    if shape == "chain":
        assert_array_equal(values[rows], from_here)
    else:
        assert rows[0] == np.argmax(values)
        assert_array_equal(rows[1:], np.arange(1, size))


def test_inside_and_nearest_of_the_ten_row_tree() -> None:
    mask = np.isin(np.arange(10), [1, 3, 7])
    assert np.flatnonzero(inside(mask, END)).tolist() == [1, 2, 3, 4, 5, 7, 8, 9]
    assert nearest(mask, PARENT).tolist() == [-1, 1, 1, 3, 3, 3, -1, 7, 7, 7]


def test_levels_inside_and_innermost_of_the_ten_row_tree() -> None:
    rows, none = np.arange(10), np.zeros(0, np.intp)
    marked = np.array([1, 3, 6])
    assert levels_inside(marked, END, rows).tolist() == [0, 1, 1, 2, 2, 2, 1, 1, 1, 1]
    assert innermost(marked, END, rows).tolist() == [-1, 1, 1, 3, 3, 3, 6, 6, 6, 6]
    assert innermost(np.array([0, 3]), END, rows).tolist() == [0, 0, 0, 3, 3, 3, 0, 0, 0, 0]
    assert innermost(none, END, rows[:2]).tolist() == [-1, -1]
    assert levels_inside(none, END, rows[:2]).tolist() == [0, 0]
    assert innermost(marked, END, none).tolist() == []
    for same in (rows.astype(np.int32), rows.astype(np.int16), rows.repeat(2)[::2]):
        assert innermost(marked, END, same).tolist() == innermost(marked, END, rows).tolist()
    assert innermost(marked, END, rows[::-1]).tolist() == [6, 6, 6, 6, 3, 3, 3, 1, 1, -1]


@given(trees(), st.data())
def test_innermost_equals_nearest(tree: tuple[list[int], list[int]], data: st.DataObject) -> None:
    parent, end = np.array(tree[0], np.intp), np.array(tree[1], np.intp)
    masks = st.lists(st.booleans(), min_size=len(end), max_size=len(end))
    mask = np.array(data.draw(masks), np.bool_)
    rows = np.flatnonzero(data.draw(masks))
    expected = nearest(mask, parent)[rows]
    assert_array_equal(innermost(np.flatnonzero(mask), end, rows), expected)


def subtree_results(
    mask: NDArray[np.bool_], parent: NDArray[Any], end: NDArray[Any], rows: NDArray[np.intp]
) -> list[NDArray[Any]]:
    marked, numbers = mask.nonzero()[0], np.arange(len(mask)) - 3
    return [
        inside(mask, end),
        nearest(mask, parent),
        levels_inside(marked, end, rows),
        levels_inside(marked, end, rows[::-1]),
        innermost(marked, end, rows),
        innermost(marked, end, rows[::-1]),
        subtree_sums(mask, end),
        subtree_sums(numbers, end),
        subtree_sums(numbers.astype(np.int32), end),
        subtree_sums(numbers / 7, end),
    ]


@needs_kernels
@given(trees(), st.integers(0, 1_000), st.sampled_from([np.int32, np.int64]))
def test_both_versions_give_the_same(
    tree: tuple[list[int], list[int]], seed: int, kind: type[np.generic]
) -> None:
    parent, end = (np.array(column, kind) for column in tree)
    rng = np.random.default_rng(seed)
    mask, rows = rng.random(len(end)) < 0.4, np.flatnonzero(rng.random(len(end)) < 0.5)
    found = subtree_results(mask, parent, end, rows)
    with plain_core():
        expected = subtree_results(mask, parent, end, rows)
    for one, other in zip(found, expected, strict=True):
        assert one.dtype == other.dtype
        assert_array_equal(one, other)


def test_nearest_on_a_deep_chain() -> None:
    size = 200_000
    mask = np.zeros(size, dtype=bool)
    mask[[0, 150_000]] = True
    found = nearest(mask, np.arange(-1, size - 1))
    assert_array_equal(found, np.where(np.arange(size) < 150_000, 0, 150_000))


# Runs


@given(st.lists(st.booleans(), max_size=20))
def test_run_bounds_match_the_definition(mask: list[bool]) -> None:
    walled = [False, *mask, False]
    first = [place for place, pair in enumerate(pairwise(walled)) if pair == (False, True)]
    last = [place - 1 for place, pair in enumerate(pairwise(walled)) if pair == (True, False)]
    found_first, found_last = run_bounds(mask)
    assert (found_first.tolist(), found_last.tolist()) == (first, last)


def test_run_bounds_at_both_borders() -> None:
    first, last = run_bounds([True, True, False, True])
    assert (first.tolist(), last.tolist()) == ([0, 3], [1, 3])


@given(st.lists(st.integers(-3, 3), max_size=20).map(sorted))
def test_groups_rank_matches_the_definition(keys: list[int]) -> None:
    expected = [keys[:place].count(key) for place, key in enumerate(keys)]
    assert groups_rank(keys).tolist() == expected


def test_groups_rank_of_words() -> None:
    assert groups_rank(["a", "a", "b", "c", "c", "c"]).tolist() == [0, 1, 0, 0, 1, 2]


@pytest.mark.parametrize(
    ("scores", "run"),
    [
        ([1 - 2 * int(bit) for bit in "1001011"], (1, 2)),
        ([4, -5, 3, -5, 1, 2, -2, 2, -2, 1, 5], (4, 10)),
        ([1, -1, 2], (0, 2)),
        ([0, 1, 0], (0, 1)),
        ([2, -5, 2], (0, 0)),
        ([True, True], (0, 1)),
        ([0, 0], None),
        ([-3, -1], None),
        ([], None),
    ],
)
def test_best_run_examples(scores: list[int], run: tuple[int, int] | None) -> None:
    assert best_run(scores) == run


@given(small_ints | small_quarters)
def test_best_run_matches_the_definition(scores: list[float]) -> None:
    def total(run: tuple[int, int]) -> float:
        return sum(scores[run[0] : run[1] + 1])

    best = max(all_runs(len(scores)), key=total, default=None)  # max() takes the first of equals
    assert best_run(scores) == (best if best and total(best) > 0 else None)


def slow_maximal_runs(scores: Sequence[float], offset: int = 0) -> list[tuple[int, int]]:
    """Take the best run, the shortest on ties, then do the same on both sides of it."""

    def order(run: tuple[int, int]) -> tuple[float, int]:
        return sum(scores[run[0] : run[1] + 1]), run[0] - run[1]

    first, last = max(all_runs(len(scores)), key=order, default=(0, -1))
    if sum(scores[first : last + 1]) <= 0:
        return []
    return [
        *slow_maximal_runs(scores[:first], offset),
        (offset + first, offset + last),
        *slow_maximal_runs(scores[last + 1 :], offset + last + 1),
    ]


def runs_by_property(scores: Sequence[float]) -> list[tuple[int, int]]:
    """Return the runs whose proper parts all sum to less, that lie in no longer such run."""

    def holds(run: tuple[int, int]) -> bool:
        part = scores[run[0] : run[1] + 1]
        sums = [sum(part[first : last + 1]) for first, last in all_runs(len(part))]
        return sum(part) > 0 and sums.count(max(sums)) == 1 and max(sums) == sum(part)

    good = [run for run in all_runs(len(scores)) if holds(run)]
    return [
        (first, last)
        for first, last in good
        if not any(a <= first and last <= b and (a, b) != (first, last) for a, b in good)
    ]


@pytest.mark.parametrize(
    ("scores", "runs"),
    [
        ([1, -1, 2], [[0, 0], [2, 2]]),
        ([4, -5, 3, -3, 1, 2, -2, 2, -2, 1, 5], [[0, 0], [2, 2], [4, 10]]),  # the paper's example
        ([2, -1, 2], [[0, 2]]),
        ([0, 1, 0, 1, 0], [[1, 3]]),
        ([1, 1, -9, 1, 1], [[0, 1], [3, 4]]),
        ([-1, 0], []),
        ([], []),
    ],
)
def test_maximal_runs_examples(scores: list[int], runs: list[list[int]]) -> None:
    assert maximal_runs(scores).tolist() == runs


@given(small_ints | small_quarters)
@settings(max_examples=50)
def test_maximal_runs_match_both_definitions(scores: list[float]) -> None:
    runs = [tuple(run) for run in maximal_runs(scores).tolist()]
    assert runs == slow_maximal_runs(scores)
    assert runs == runs_by_property(scores)


def falling(size: int) -> NDArray[np.int64]:
    """Return scores whose candidates start ever lower: quadratic in a search without `lower`."""
    return np.tile([1, -2], size // 2)


def joining(size: int) -> NDArray[np.int64]:
    """Return ever smaller swings, which do not join, then a rise that joins them one by one."""
    swings = np.arange(size // 2, 0, -1)
    swings[1::2] *= -1
    return np.concatenate([swings, np.tile([2, 0], size // 4)])


def wandering(size: int) -> NDArray[np.int64]:
    """Return random steps without a trend."""
    return np.random.default_rng(5).choice([-1, 1], size)


@pytest.mark.slow
@pytest.mark.parametrize("shape", [falling, joining, wandering])
def test_maximal_runs_grow_linearly(shape: Callable[[int], NDArray[np.int64]]) -> None:
    assert_linear(maximal_runs, shape, 20_000)


# Smoothing


def slow_smooth(values: Sequence[float], sigma: float, radius: int) -> list[float]:
    """Return the weighted means, each from the two sums of the definition."""
    means = []
    for centre in range(len(values)):
        weights = {
            place: math.exp(-((place - centre) ** 2) / (2 * sigma**2))
            for place in range(len(values))
            if abs(place - centre) <= radius
        }
        mass = math.fsum(weights.values())
        means.append(math.fsum(weight * values[at] for at, weight in weights.items()) / mass)
    return means


@given(
    st.lists(st.floats(-100, 100), max_size=12),
    st.floats(0.1, 20),
    st.none() | st.integers(0, 15),
)
def test_smooth_matches_the_definition(
    values: list[float], sigma: float, radius: int | None
) -> None:
    reach = math.ceil(3 * sigma) if radius is None else radius
    found = smooth(values, sigma, radius)
    assert_allclose(found, slow_smooth(values, sigma, reach), rtol=1e-9, atol=1e-9)


def test_smooth_a_single_peak() -> None:
    near, far = math.exp(-0.5), math.exp(-2)
    whole = 1 + 2 * near + 2 * far
    found = smooth([0, 0, 0, 1, 0, 0, 0, 0], sigma=1, radius=2)
    expected = [0, far / (whole - far), near / whole, 1 / whole, near / whole, far / whole, 0, 0]
    assert_allclose(found, expected, rtol=1e-12)


@given(st.floats(-1e6, 1e6), st.integers(1, 30), st.floats(0.1, 50))
def test_smooth_keeps_constants(value: float, size: int, sigma: float) -> None:
    assert smooth([value] * size, sigma).tolist() == [value] * size


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=30), st.floats(0.1, 50))
def test_smooth_stays_in_range_and_mirrors(values: list[float], sigma: float) -> None:
    found = smooth(values, sigma)
    assert min(values) <= found.min()
    assert found.max() <= max(values)
    assert_allclose(smooth(values[::-1], sigma)[::-1], found, rtol=1e-9, atol=1e-6)


def test_smooth_reaches_three_sigmas_by_default() -> None:
    found = smooth([0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0], sigma=1)
    assert np.flatnonzero(found).tolist() == [2, 3, 4, 5, 6, 7, 8]
    found = smooth([0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0], sigma=1.1)
    assert np.flatnonzero(found).tolist() == [1, 2, 3, 4, 5, 6, 7, 8, 9]


def test_smooth_limits() -> None:
    values = [3.0, 1.0, 2.0]
    assert smooth(values, 1e-200).tolist() == values
    assert smooth(values, 5, radius=0).tolist() == values
    assert_allclose(smooth(values, 1e200), [2, 2, 2])


# Clusters


points_2d = st.lists(st.tuples(st.integers(-5, 5), st.integers(-5, 5)), max_size=12)


@given(points_2d, st.integers(1, 5), st.sampled_from([None, (0, 0)]))
def test_k_means_ends_at_a_fixed_point(
    points: list[tuple[int, int]], k: int, held: tuple[int, int] | None
) -> None:
    table = np.array(points, dtype=float).reshape(-1, 2)
    labels, centroids = k_means(table, k, fixed=held)
    assert labels.shape == (len(points),)
    assert centroids.shape == (k, 2)
    for point, label in zip(table, labels, strict=True):
        distances = [float(sum((point - centroid) ** 2)) for centroid in centroids]
        assert label == distances.index(min(distances))
    for label, centroid in enumerate(centroids):
        if held and label == 0:
            assert tuple(centroid) == held
        elif (labels == label).any():
            assert_allclose(centroid, table[labels == label].mean(axis=0), atol=1e-9)
    # Every cluster is used while there are points enough for it.
    free_labels = set(range(1 if held else 0, k))
    used = free_labels & set(labels.tolist())
    assert len(used) == min(len(free_labels), len(set(points) - {held}))


@given(st.permutations([3, 0, 0, 8, 5, 5, 1, 9]), st.integers(1, 6))
def test_k_means_start_does_not_depend_on_the_order(points: list[int], k: int) -> None:
    _, start = k_means(points, k, iterations=0)
    assert start.tolist() == k_means(sorted(points), k, iterations=0)[1].tolist()


def test_k_means_finds_three_groups() -> None:
    labels, centroids = k_means([10, 0, 21, 1, 11, 20, 2, 12, 22], 3)
    assert labels.tolist() == [1, 0, 2, 0, 1, 2, 0, 1, 2]
    assert centroids.tolist() == [1, 11, 21]


def test_k_means_with_the_origin_held() -> None:
    points = [[0, 0], [1, 0], [30, 2], [31, 1], [0, 1], [60, 4], [60, 6]]
    labels, centroids = k_means(points, 3, fixed=[0, 0])
    assert labels.tolist() == [0, 0, 1, 1, 0, 2, 2]
    assert centroids.tolist() == [[0, 0], [30.5, 1.5], [60, 5]]


def test_k_means_starts_from_distinct_points() -> None:
    # Plain quantiles of these points would start every centroid at 0.
    labels, centroids = k_means([0] * 50 + [7, 9], 3)
    assert labels.tolist() == [0] * 50 + [1, 2]
    assert centroids.tolist() == [0, 7, 9]


def test_k_means_with_no_iterations_shows_the_start() -> None:
    # The middles of two halves of ten ranks: 2 and 7.
    assert k_means(np.arange(10.0), 2, iterations=0)[1].tolist() == [2, 7]
    # The second column varies most; along it the order is 3, 2, 1, 0.
    points = [[0, 9], [1, 6], [2, 3], [3, 0]]
    assert k_means(points, 2, iterations=0)[1].tolist() == [[2, 3], [0, 9]]


def test_k_means_with_given_start() -> None:
    points = [0, 1, 10, 11]
    assert k_means(points, 2, start=[0, 100], iterations=0)[1].tolist() == [0, 100]
    labels, centroids = k_means([[p, 0] for p in points], 3, fixed=[0, 0], start=[[1, 0], [9, 0]])
    assert labels.tolist() == [0, 1, 2, 2]
    assert centroids.tolist() == [[0, 0], [1, 0], [10.5, 0]]


def test_k_means_start_avoids_the_held_centroid() -> None:
    assert k_means([0, 4, 8], 3, fixed=0, iterations=0)[1].tolist() == [0, 4, 8]


def test_k_means_fills_a_cluster_that_empties() -> None:
    # Found by search: after the first move label 1 has lost its points to the others.
    points = [[22, 15], [20, 2], [15, 10], [21, 21], [2, 1], [21, 9], [1, 7]]
    labels, centroids = k_means(points, 3, fixed=[0, 0])
    assert labels.tolist() == [1, 2, 2, 1, 0, 2, 0]
    assert_allclose(centroids, np.array([[0, 0], [43 / 2, 36 / 2], [56 / 3, 21 / 3]]))


def test_k_means_with_too_few_points() -> None:
    labels, centroids = k_means([5.0, 3.0], 4)
    assert labels.tolist() == [1, 0]
    assert centroids.tolist() == [3, 5, 5, 5]
    labels, centroids = k_means([[1, 1], [1, 1]], 3, fixed=[1, 1])
    assert labels.tolist() == [0, 0]
    assert centroids.tolist() == [[1, 1]] * 3


def test_k_means_equal_points_do_not_drift() -> None:
    labels, centroids = k_means([0.1] * 1000 + [0.7] * 1000, 3)
    assert labels.tolist() == [0] * 1000 + [1] * 1000
    assert centroids.tolist() == [0.1, 0.7, 0.7]


# All of them


def test_empty_inputs() -> None:
    none = np.empty(0, dtype=np.int32)
    no = np.empty(0, dtype=bool)
    assert subtree_sums(none, none).shape == (0,)
    assert subtree_max_row(none, none).shape == (0,)
    assert inside(no, none).shape == (0,)
    assert nearest(no, none).shape == (0,)
    assert [bounds.shape for bounds in run_bounds(no)] == [(0,), (0,)]
    assert groups_rank(none).shape == (0,)
    assert best_run(none) is None
    assert maximal_runs(none).shape == (0, 2)
    assert smooth(none, 1).shape == (0,)
    labels, centroids = k_means(np.empty((0, 2)), 3)
    assert labels.shape == (0,)
    assert centroids.tolist() == [[0, 0]] * 3


def test_inputs_may_be_read_only() -> None:
    values = np.array([3.0, -1.0, 2.0])
    mask, end, parent = np.array([False, True, False]), np.array([3, 2, 3]), np.array([-1, 0, 0])
    columns = [values, mask, end, parent]
    before = [column.copy() for column in columns]
    for column in columns:
        column.setflags(write=False)
    results = [
        subtree_sums(values, end),
        subtree_max_row(values, end),
        inside(mask, end),
        nearest(mask, parent),
        *run_bounds(mask),
        groups_rank(end),
        maximal_runs(values),
        smooth(values, 1),
        smooth(values, 1, radius=0),
        *k_means(values, 2),
    ]
    best_run(values)
    for column, copy in zip(columns, before, strict=True):
        assert_array_equal(column, copy)
    for result in results:
        assert not any(np.shares_memory(result, column) for column in columns)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: subtree_sums(np.ones(2), [2]), "one entry per row"),
        (lambda: subtree_sums(np.ones(2), [2.0, 2.0]), "row numbers"),
        (lambda: subtree_sums(np.ones((2, 2)), [2, 2]), "one-dimensional"),
        (lambda: best_run([1.0, math.nan]), "finite"),
        (lambda: best_run(["a"]), "bools, signed integers or floats"),
        (lambda: maximal_runs([math.inf]), "finite"),
        (lambda: inside([0, 1], [2, 2]), "bools"),
        (lambda: groups_rank([[1]]), "one-dimensional"),
        (lambda: smooth([1], 0), "sigma"),
        (lambda: smooth([1], math.inf), "sigma"),
        (lambda: smooth([1], 1, radius=-1), "radius"),
        (lambda: k_means([1.0], 0), "k must be"),
        (lambda: k_means([math.nan], 1), "finite"),
        (lambda: k_means([1.0], 1, fixed=[0, 0]), "fixed"),
        (lambda: k_means([1.0], 2, start=[0.0]), "start must be 2"),
        (lambda: k_means([1.0], 1, start=[math.inf]), "start must be 1"),
    ],
)
def test_errors_of_bad_arguments(call: Callable[[], object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        call()
