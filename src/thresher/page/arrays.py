"""Array algorithms that do not depend on pages: subtrees, runs, smoothing, clusters.

Tree columns: rows are in document order (pre-order). `end[i]` is the first row after the subtree
of `i`, so the subtree is `i .. end[i]-1`; `parent[i]` is the parent's row, -1 at the root.

Conventions: inputs are never modified. Bools and integers are summed as exact 64-bit integers
(totals must fit), floats as 64-bit floats. Rows and positions are returned as `intp`. An empty
input gives an empty result. Arguments of the wrong shape or type, and NaN or infinite numbers,
raise `UsageError`; it is not checked that `end` and `parent` describe a tree.

Sums of floats are rounded, so the tie rules below are exact for integers, and for floats whose
sums are exact (halves, quarters).

Where `_arrays` has a compiled version, the function named `_plain_...` is the definition.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from thresher.errors import UsageError
from thresher.page.array_types import AnyRows, Bools, Floats, Int64s, Rows
from thresher.page.core import COMPILED

if COMPILED:
    from thresher.page import _arrays


def freeze(*arrays: NDArray[np.generic]) -> None:
    """Make arrays read-only."""
    for array in arrays:
        array.setflags(write=False)


# Subtrees


@overload
def subtree_sums(values: NDArray[np.bool_ | np.integer[Any]], end: ArrayLike) -> Int64s: ...
@overload
def subtree_sums(values: NDArray[np.floating[Any]], end: ArrayLike) -> Floats: ...
def subtree_sums(values: ArrayLike, end: ArrayLike) -> Int64s | Floats:
    """Return the sum of `values` over each row's subtree, itself included: `c[end[i]] - c[i]`.

    `c` is the exclusive prefix sum, `c[i] = values[0] + ... + values[i-1]`. Integers are exact. A
    float sum has the rounding error of the whole prefix, so sum integers to compare with 0.
    """
    return _compiled_subtree_sums(values, end) if COMPILED else _plain_subtree_sums(values, end)


def _plain_subtree_sums(values: ArrayLike, end: ArrayLike) -> Int64s | Floats:
    numbers = _numbers(values, "values")
    prefix = _prefix(numbers)
    sums: Int64s | Floats = prefix.take(_rows(end, numbers.size, "end")) - prefix[:-1]
    return sums


def _compiled_subtree_sums(values: ArrayLike, end: ArrayLike) -> Int64s | Floats:
    numbers = np.asarray(values)
    if numbers.dtype == np.bool_ and numbers.ndim == 1:
        numbers = np.ascontiguousarray(numbers).view(np.uint8)
    elif numbers.dtype != np.int32 or numbers.ndim != 1:
        numbers = _numbers(values, "values")
    kind = np.float64 if numbers.dtype == np.float64 else np.int64
    sums: NDArray[Any] = np.empty(numbers.size + 1, kind)
    _arrays.add_subtrees(
        np.ascontiguousarray(numbers), _row_numbers(end, numbers.size, "end"), sums
    )
    return sums[:-1]


def subtree_max_row(values: ArrayLike, end: ArrayLike) -> Rows:
    """Return for each row the row of the largest value in its subtree, the first on ties.

    A sparse table (Bender and Farach-Colton 2000, "The LCA problem revisited") over ranks: with
    `T[p][i]` the highest rank among the `2**p` rows from `i`, a subtree of `2**p` to `2**(p+1) - 1`
    rows is covered by two overlapping stretches, `max(T[p][i], T[p][end[i] - 2**p])`. Powers are
    taken in rising order and only the current `T[p]` is kept: n log n time, linear memory.
    """
    numbers = _numbers(values, "values")
    size = numbers.size
    ends = _rows(end, size, "end")
    # Sorting the reversed values stably puts the first of equal values last: the highest rank.
    row_of_rank = size - 1 - np.argsort(numbers[::-1], kind="stable")
    highest = np.empty(size, dtype=np.intp)  # T[0]
    highest[row_of_rank] = np.arange(size)
    best = highest.copy()
    power_of_row = np.frexp(ends - np.arange(size))[1] - 1  # floor(log2(length)), exact
    for power in range(1, int(power_of_row.max(initial=0)) + 1):
        half = 1 << (power - 1)
        highest = np.maximum(highest[:-half], highest[half:])
        rows = np.flatnonzero(power_of_row == power)
        best[rows] = np.maximum(highest[rows], highest[ends[rows] - (1 << power)])
    # Rows of length 1 (power 0) are their own best and were set by the copy.
    return row_of_rank[best]


def inside(mask: ArrayLike, end: ArrayLike) -> Bools:
    """Return one bool per row: True if `mask` is True for the row or one of its ancestors.

    Only the outermost marked rows count, those that no marked subtree before them contains. Their
    subtrees are disjoint.
    """
    return _compiled_inside(mask, end) if COMPILED else _plain_inside(mask, end)


def _compiled_inside(mask: ArrayLike, end: ArrayLike) -> Bools:
    marked = _mask(mask)
    found = np.empty(marked.size, np.bool_)
    _arrays.mark_inside(np.ascontiguousarray(marked), _row_numbers(end, marked.size, "end"), found)
    return found


def _plain_inside(mask: ArrayLike, end: ArrayLike) -> Bools:
    marked = _mask(mask)
    rows = marked.nonzero()[0]
    ends = _rows(end, marked.size, "end").take(rows)
    outermost = np.ones(rows.size, dtype=np.bool_)
    np.less_equal(np.maximum.accumulate(ends)[:-1], rows[1:], out=outermost[1:])
    return in_ranges(rows[outermost], ends[outermost], marked.size)


def in_ranges(begin: AnyRows, end: AnyRows, size: int) -> Bools:
    """Return `size` bools: True in the ranges `begin[i] .. end[i]-1`, in order and disjoint."""
    bounds = np.zeros(2 * len(begin) + 2, np.intp)
    bounds[1:-1:2], bounds[2:-1:2], bounds[-1] = begin, end, size
    is_inside = np.zeros(len(bounds) - 1, np.bool_)  # of the stretches between the bounds
    is_inside[1::2] = True
    found: Bools = is_inside.repeat(bounds[1:] - bounds[:-1])
    return found


def nearest(mask: ArrayLike, parent: ArrayLike) -> Rows:
    """Return for each row the nearest ancestor-or-self where `mask` is True, -1 if there is none.

    Pointer doubling (Wyllie 1979, "The complexity of parallel computations"): a marked row points
    to itself, any other to its parent, and `jump = jump[jump]` doubles the levels that each
    pointer has climbed, so log2(depth) gathers are enough. Finished pointers are skipped.
    """
    return _compiled_nearest(mask, parent) if COMPILED else _plain_nearest(mask, parent)


def _compiled_nearest(mask: ArrayLike, parent: ArrayLike) -> Rows:
    marked = _mask(mask)
    found = np.empty(marked.size, np.intp)
    _arrays.find_nearest(
        np.ascontiguousarray(marked), _row_numbers(parent, marked.size, "parent"), found
    )
    return found


def _plain_nearest(mask: ArrayLike, parent: ArrayLike) -> Rows:
    marked = _mask(mask)
    size = marked.size
    jump = np.full(size + 1, -1, dtype=np.intp)  # index -1 reads the last entry, -1
    jump[:-1] = np.where(marked, np.arange(size), _rows(parent, size, "parent"))
    climbing = np.zeros(size + 1, dtype=np.bool_)
    np.logical_not(marked, out=climbing[:-1])
    rows = climbing.take(jump).nonzero()[0]
    while rows.size:
        jump[rows] = further = jump.take(jump.take(rows))
        rows = rows[climbing.take(further)]
    return jump[:-1]


def levels_inside(marked: Rows, end: AnyRows, rows: AnyRows) -> Rows:
    """Return for each of `rows` the number of subtrees of `marked` rows (sorted) that contain it.

    Subtrees are nested or disjoint, so this is `count(marked <= row) - count(end[marked] <= row)`.
    For a few rows this costs a tenth of `inside`, which works on every row of a page.
    """
    found = _find_marked(marked, end, rows, True)
    return _plain_levels_inside(marked, end, rows) if found is None else found


def _plain_levels_inside(marked: Rows, end: AnyRows, rows: AnyRows) -> Rows:
    if not len(marked):
        return np.zeros(len(rows), np.intp)
    ends = end.take(marked)
    ends.sort()
    levels: Rows = marked.searchsorted(rows, "right") - ends.searchsorted(rows, "right")
    return levels


def innermost(marked: Rows, end: AnyRows, rows: AnyRows) -> Rows:
    """Return for each of `rows` the nearest ancestor-or-self among `marked` (sorted), -1 for none.

    The same as `nearest`, for a few rows. It is the last marked row not after the row that lies in
    as many marked subtrees (its own included) as the row.
    """
    found = _find_marked(marked, end, rows, False)
    return _plain_innermost(marked, end, rows) if found is None else found


def _plain_innermost(marked: Rows, end: AnyRows, rows: AnyRows) -> Rows:
    level = _plain_levels_inside(marked, end, rows)
    if not np.count_nonzero(level):
        return np.full(len(rows), -1)
    size = len(end)
    key = _plain_levels_inside(marked, end, marked) * size + marked
    key.sort()
    first_key = level * size
    found: Rows = key.take(key.searchsorted(first_key + rows, "right") - 1) - first_key
    found[level == 0] = -1
    return found


def _find_marked(marked: Rows, end: AnyRows, rows: AnyRows, counts: bool) -> Rows | None:
    """Return what `levels_inside` (`counts`) or `innermost` does, by the kernel, if it can do so.

    It takes sorted rows only, which it compares with the marked ones in one pass.
    """
    found = np.empty(len(rows), np.intp)
    is_done = COMPILED and _arrays.find_marked(marked, end, rows, found, counts)
    return found if is_done else None


# Runs


def run_bounds(mask: ArrayLike) -> tuple[Rows, Rows]:
    """Return the first and the last position of each run of True values, in order."""
    marked = _mask(mask)
    padded = np.zeros(marked.size + 2, dtype=np.bool_)
    padded[1:-1] = marked
    edges = (padded[1:] != padded[:-1]).nonzero()[0]  # starts and ends of runs, alternating
    return edges[::2], edges[1::2] - 1


def groups_rank(keys: ArrayLike) -> Rows:
    """Return the rank of each element within its group of equal keys: 0, 1, 2, ...

    Equal keys must be adjacent, as in a sorted array: the rank is the distance to the latest
    position whose key differs from the one before it.
    """
    array = np.asarray(keys)
    if array.ndim != 1:
        raise UsageError("keys must be one-dimensional")
    position = np.arange(array.size)
    start = position.copy()
    start[1:][array[1:] == array[:-1]] = 0
    ranks: Rows = position - np.maximum.accumulate(start)
    return ranks


def best_run(scores: ArrayLike) -> tuple[int, int] | None:
    """Return the run (first, last) with the largest sum, or None if no sum is above 0.

    With exclusive prefix sums `c`, the run `i..j` sums to `c[j+1] - c[i]`, so the best run that
    ends at `j` starts at a minimum of `c[0..j]` (Bentley 1984, "Algorithm design techniques").
    Ties go to the smallest first, then to the smallest last.
    """
    numbers = _numbers(scores, "scores")
    if numbers.size == 0:
        return None
    prefix = _prefix(numbers)
    lowest = np.minimum.accumulate(prefix[:-1])
    gain = prefix[1:] - lowest
    # Ties. Let `last` be the smallest end of any best run, `first` its earliest start: the first
    # position where c equals lowest[last]. A best run with another end j > last starts where c
    # equals lowest[j] <= lowest[last]. If lower, it starts after `last`; if equal, not before
    # `first`. So no best run starts before `first`, and none from `first` ends before `last`.
    last = int(np.argmax(gain))  # argmax returns the first of equals
    if gain[last] <= 0:
        return None
    first = int(np.argmax(prefix[:-1] == lowest[last]))
    return first, last


def maximal_runs(scores: ArrayLike) -> Rows:
    """Return all maximal scoring runs as rows (first, last), in order: an array of shape (m, 2).

    A run is maximal if each proper part of it has a smaller sum, and no longer run that contains
    it has this property. Equivalently: take the best run, the shortest on ties, and repeat on both
    sides of it.

    Ruzzo and Tompa 1999, "A linear time algorithm for finding all maximal scoring subsequences".
    Each step depends on the stack that the previous one left, hence the loop. Adjacent positive
    scores always join, so the loop is over runs of positive scores, not over scores.
    """
    numbers = _numbers(scores, "scores")
    firsts, lasts = run_bounds(numbers > 0)
    prefix = _prefix(numbers)
    columns = (firsts, lasts, prefix[firsts], prefix[lasts + 1])
    first, last, before, through = (column.tolist() for column in columns)
    lower = [-1] * len(first)  # next lower stack entry with a smaller `before`, to try next
    depth = 0  # the stack is the first `depth` entries of these lists
    for candidate in range(len(first)):
        # Entries skipped through `lower` start no lower than the candidate that will cover them, so
        # they are not visited again: linear time.
        place = depth - 1
        while place >= 0 and before[place] >= before[candidate]:
            place = lower[place]
        start = candidate
        while place >= 0 and through[place] < through[candidate]:  # join all entries from there on
            start = depth = place
            place = lower[place]
        first[depth], before[depth] = first[start], before[start]
        last[depth], through[depth] = last[candidate], through[candidate]
        lower[depth] = place
        depth += 1
    return np.column_stack([first[:depth], last[:depth]]).astype(np.intp)


# Smoothing


def smooth(values: ArrayLike, sigma: float, radius: int | None = None) -> Floats:
    """Smooth with a Gaussian: `out[i] = sum(w[t] * values[i+t]) / sum(w[t])`.

    `w[t] = exp(-t**2 / (2 * sigma**2))` for `|t| <= radius`, by default `ceil(3 * sigma)`; what
    lies beyond is 0.27 % of a Gaussian. Both sums run over the positions that exist, so at the
    borders the weights inside are scaled up: a constant stays constant, and the result stays in
    the range of the values. Time n * radius.
    """
    if not (math.isfinite(sigma) and sigma > 0):
        raise UsageError(f"sigma must be a positive number, not {sigma}")
    if radius is None:
        radius = math.ceil(3 * sigma)
    if radius < 0:
        raise UsageError(f"radius must be 0 or more, not {radius}")
    numbers = _numbers(values, "values").astype(np.float64)
    size = numbers.size
    if size == 0:
        return numbers
    radius = min(radius, size - 1)  # weights further out have no value to weigh
    weights, total = _gaussian(sigma, radius)
    # The weights inside are w[-min(i, radius)] .. w[min(size-1-i, radius)].
    reach = np.minimum(np.arange(size), radius)
    mass = total.take(radius + reach[::-1] + 1) - total.take(radius - reach)
    mean = np.convolve(numbers, weights)[radius : radius + size] / mass
    # A weighted mean lies within the range of the values, despite rounding.
    inner: Floats = np.minimum(np.maximum(mean, numbers.min()), numbers.max())
    return inner


@lru_cache(maxsize=8)
def _gaussian(sigma: float, radius: int) -> tuple[Floats, Floats]:
    """Return the weights of `smooth` and their prefix sums."""
    with np.errstate(over="ignore", under="ignore"):  # a far weight becomes 0
        weights = np.exp(-0.5 * np.square(np.arange(-radius, radius + 1) / sigma))
    return weights, _prefix(weights)


# Clusters


def k_means(
    points: ArrayLike,
    k: int,
    *,
    fixed: ArrayLike | None = None,
    start: ArrayLike | None = None,
    iterations: int = 100,
) -> tuple[Rows, Floats]:
    """Cluster points of shape (n, d) or (n,) around k centroids: labels (n,), centroids (k, d).

    Lloyd 1982, "Least squares quantization in PCM": label each point with its nearest centroid
    (the lowest label on ties), move each centroid to the mean of its points, until no label changes
    or after `iterations` moves. The labels returned are those nearest to the centroids returned.

    - `start`: one point for each centroid that moves. By default these are the distinct points,
      ordered by the column that varies most, at k evenly spaced ranks (the middles of k equal
      parts). Nothing is random.
    - `fixed`: a centroid that never moves and has label 0; the default start is then k - 1 points
      that differ from it.
    - A cluster that becomes empty takes the point farthest from its own centroid, the first on
      ties.
    - With fewer distinct points than clusters, the surplus centroids repeat another one and stay
      empty; without any points they are `fixed`, or 0.

    Centroids of (n,) points have shape (k,).
    """
    if k < 1:
        raise UsageError(f"k must be 1 or more, not {k}")
    array = np.asarray(points, dtype=np.float64)
    if array.ndim not in (1, 2) or 0 in array.shape[1:] or not np.isfinite(array).all():
        raise UsageError("points must be finite numbers of shape (n,) or (n, d), d at least 1")
    table = array if array.ndim == 2 else array[:, np.newaxis]
    width = table.shape[1]
    held = _centroids(fixed, "fixed", 1, width) if fixed is not None else np.empty((0, width))
    free = k - len(held)
    if start is None:
        chosen = _default_start(table, free, held)
    else:
        chosen = _centroids(start, "start", free, width)
    centroids = np.concatenate([held, chosen])
    columns = np.ascontiguousarray(table.T)
    labels = _label(columns, centroids)
    for _ in range(iterations):
        moved = _move(columns, labels, centroids, len(held))
        if (moved == centroids).all():
            break
        centroids, before = moved, labels
        labels = _label(columns, centroids)
        if (labels == before).all():  # the next means would differ by rounding alone
            break
    return labels, centroids if array.ndim == 2 else centroids[:, 0]


def _centroids(points: ArrayLike, name: str, count: int, width: int) -> Floats:
    """Return given centroids as an array of shape (count, width)."""
    centroids = np.asarray(points, dtype=np.float64)
    if centroids.size != count * width or not np.isfinite(centroids).all():
        raise UsageError(f"{name} must be {count} point(s) of {width} finite number(s)")
    return centroids.reshape(count, width)


def _default_start(table: Floats, free: int, held: Floats) -> Floats:
    """Choose `free` centroids among the distinct points that differ from the held one."""
    nothing = held[0] if len(held) else np.zeros(table.shape[1])
    if len(table) == 0:
        return np.tile(nothing, (free, 1))
    widest = int(np.argmax(table.var(axis=0)))
    ordered = table[np.lexsort((*table.T, table[:, widest]))]  # the last key is primary
    is_new = np.ones(len(ordered), dtype=np.bool_)
    is_new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    is_new &= (ordered != nothing).any(axis=1) | (len(held) == 0)
    distinct = ordered[is_new]
    count = len(distinct)
    place = np.arange(free)
    if count > free:
        place = (2 * place + 1) * count // (2 * free)
    # If there are too few: each distinct point once, then the last one (or the held one) repeated.
    place = np.minimum(place, count - 1) + len(held)
    chosen: Floats = np.concatenate([held, distinct])[place]
    return chosen


def _label(columns: Floats, centroids: Floats) -> Rows:
    """Label each point with its nearest centroid, the lowest label on ties."""
    offsets = columns - centroids[:, :, np.newaxis]
    offsets *= offsets
    labels: Rows = np.add.reduce(offsets, axis=1).argmin(axis=0)
    return labels


def _move(columns: Floats, labels: Rows, centroids: Floats, held: int) -> Floats:
    """Return the centroids moved to the means of their points; the first `held` ones stay."""
    counts = np.bincount(labels, minlength=len(centroids))
    # The mean of the offsets is exact for a centroid that equals all its points.
    offsets = columns - centroids.T.take(labels, axis=1)
    sums = np.array([np.bincount(labels, column, len(centroids)) for column in offsets])
    moved: Floats = centroids + sums.T / np.maximum(counts, 1)[:, np.newaxis]
    moved[:held] = centroids[:held]
    if labels.size and not counts[held:].all():
        # One empty cluster per move, so that each move lowers the cost.
        distances = np.square(columns - moved.T.take(labels, axis=1)).sum(axis=0)
        farthest = int(distances.argmax())
        if distances[farthest] > 0:  # else every point already equals its centroid
            moved[held + int(counts[held:].argmin())] = columns[:, farthest]
    return moved


# Arguments


def _numbers(values: ArrayLike, name: str) -> NDArray[Any]:
    """Return a one-dimensional array as int64 (from bools and integers) or finite float64."""
    array = np.asarray(values)
    if array.ndim != 1:
        raise UsageError(f"{name} must be one-dimensional, not of shape {array.shape}")
    if array.dtype.kind != "f":
        if np.can_cast(array.dtype, np.int64):
            return array.astype(np.int64, copy=False)
        raise UsageError(f"{name} must be bools, signed integers or floats, not {array.dtype}")
    if not np.isfinite(array).all():
        raise UsageError(f"{name} must be finite: replace NaN and infinite numbers first")
    return array.astype(np.float64, copy=False)


def _mask(mask: ArrayLike) -> Bools:
    """Return a one-dimensional array of bools; integers raise, as they may be row numbers."""
    array = np.asarray(mask)
    if array.ndim != 1 or (array.size and array.dtype != np.bool_):
        raise UsageError("mask must be a one-dimensional array of bools, one per row")
    return array.astype(np.bool_, copy=False)


def _rows(rows: ArrayLike, size: int, name: str) -> Rows:
    """Return row numbers as `intp`; raise unless there are `size` of them."""
    array = np.asarray(rows)
    if array.shape != (size,):
        raise UsageError(f"{name} must have one entry per row: {size}, not {array.shape}")
    if size and array.dtype.kind not in "iu":
        raise UsageError(f"{name} must hold row numbers, not {array.dtype}")
    return array.astype(np.intp, copy=False)


def _row_numbers(rows: ArrayLike, size: int, name: str) -> AnyRows:
    """Return row numbers as the kernels take them: adjacent, of 32 or 64 bits."""
    array = np.asarray(rows)
    if array.dtype != np.int32 or array.shape != (size,):
        array = _rows(array, size, name)
    return np.ascontiguousarray(array)


def _prefix(numbers: NDArray[Any]) -> NDArray[Any]:
    """Return the exclusive prefix sums: one more entry than there are numbers, the first 0."""
    prefix = np.zeros(numbers.size + 1, dtype=numbers.dtype)
    np.cumsum(numbers, out=prefix[1:])
    return prefix
