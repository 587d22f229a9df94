"""Alignment of two sequences: which items of one correspond to equal items of the other.

`align` minimises the edit distance, with insertions, deletions and substitutions of cost 1:

    M[i][j] = min(M[i-1][j-1] + differ, M[i-1][j] + 1, M[i][j-1] + 1)

and takes, among the alignments of least cost, one with the most equal pairs. That is one table: an
insertion or deletion costs 2K + 1 and a substitution 2K + 2, with K above every possible number of
edits, so the sum is 2K * edits + (n + m - 2 * pairs). With `longest=True` a substitution is not
allowed, and the pairs are a longest common subsequence.

Equal items at both ends are paired first, which never costs anything. What is left between them is
solved exactly if its table has at most `CELLS` cells. A larger one is cut at anchors: items that
occur once in each sequence, in the same order in both (the longest increasing run of them). A part
without anchors that is still too large is cut in proportion. Parts in which nothing is equal need
no table. So no table has more than `CELLS` cells, all tables together have about `sqrt(CELLS)`
cells for each item of the longer sequence, and time and memory are linear in the sequences. Only
beyond `CELLS` the cost may be above the least.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import pairwise
from math import ceil, sqrt

import numpy as np
from numpy.typing import ArrayLike

from thresher.page.array_types import Int64s, Rows

CELLS = 1_000_000  # of one table, 8 MB: two pages of 1,000 rows that have little in common


def align(first: ArrayLike, second: ArrayLike, *, longest: bool = False) -> Rows:
    """Return for each item of `first` the position of its equal partner in `second`, or -1."""
    a, b = np.asarray(first, np.int64), np.asarray(second, np.int64)
    partner = np.full(len(a), -1, np.intp)
    waiting = [(0, len(a), 0, len(b), True)]
    while waiting:
        a_from, a_to, b_from, b_to, may_anchor = waiting.pop()
        head = _equal_start(a[a_from:a_to], b[b_from:b_to])
        partner[a_from : a_from + head] = np.arange(b_from, b_from + head)
        a_from, b_from = a_from + head, b_from + head
        tail = _equal_start(a[a_from:a_to][::-1], b[b_from:b_to][::-1])
        a_to, b_to = a_to - tail, b_to - tail
        partner[a_to : a_to + tail] = np.arange(b_to, b_to + tail)

        x, y = a[a_from:a_to], b[b_from:b_to]
        if not len(x) or not len(y) or not np.isin(x, y).any():
            continue
        if len(x) * len(y) <= CELLS:
            pairs = _solve(x, y, longest)
            partner[a_from:a_to] = np.where(pairs >= 0, pairs + b_from, -1)
            continue
        cuts = (_anchors(x, y) if may_anchor else []) or _even_cuts(len(x), len(y))
        for (i, j), (i_next, j_next) in pairwise([(0, 0), *cuts, (len(x), len(y))]):
            part = (a_from + i, a_from + i_next, b_from + j, b_from + j_next)
            waiting.append((*part, False))
    return partner


def _equal_start(a: Int64s, b: Int64s) -> int:
    """Return how many items at the start are equal."""
    size = min(len(a), len(b))
    differ = (a[:size] != b[:size]).nonzero()[0]
    return int(differ[0]) if len(differ) else size


def _even_cuts(n: int, m: int) -> list[tuple[int, int]]:
    """Return where to cut two sequences of n and m items into parts of about `CELLS` cells."""
    parts = ceil(sqrt(n * m / CELLS)) + 1  # one more, as their sizes are rounded
    return [(n * part // parts, m * part // parts) for part in range(1, parts)]


def _anchors(a: Int64s, b: Int64s) -> list[tuple[int, int]]:
    """Return pairs of items that occur once in each sequence and stand in the same order.

    Of pairs that follow each other in both sequences, only the first and the last are returned.
    """
    values, at_a, count_a = np.unique(a, return_index=True, return_counts=True)
    others, at_b, count_b = np.unique(b, return_index=True, return_counts=True)
    once_a, once_b = count_a == 1, count_b == 1
    _, own, other = np.intersect1d(
        values[once_a], others[once_b], assume_unique=True, return_indices=True
    )
    i, j = at_a[once_a][own], at_b[once_b][other]
    order = i.argsort()
    pairs = _rising(list(zip(i[order].tolist(), j[order].tolist(), strict=True)))
    follows = [(i + 1, j + 1) == after for (i, j), after in pairwise(pairs)]
    inner = [False, *(both == (True, True) for both in pairwise(follows)), False]
    return [pair for pair, is_inner in zip(pairs, inner, strict=False) if not is_inner]


def _rising(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return a longest run of pairs, sorted by the first number, whose second numbers rise."""
    ends: list[int] = []  # the smallest second number that ends a run of each length
    number: list[int] = []  # and the pair it belongs to
    before = [-1] * len(pairs)
    for index, (_, j) in enumerate(pairs):
        at = bisect_left(ends, j)
        before[index] = number[at - 1] if at else -1
        ends[at : at + 1], number[at : at + 1] = [j], [index]
    found = []
    index = number[-1] if number else -1
    while index >= 0:
        found.append(pairs[index])
        index = before[index]
    return found[::-1]


def _solve(a: Int64s, b: Int64s, longest: bool) -> Rows:
    """Align two short sequences exactly: fill the table row by row, then trace it back.

    The last term of the minimum runs along a row: M[i][j] = min over k <= j of t[k] + gap * (j - k)
    with t the minimum of the other two, which is a running minimum of t[k] - gap * k.
    """
    n, m = len(a), len(b)
    gap = 2 * (n + m) + 1
    differ = 2 * gap if longest else gap + 1
    steps = gap * np.arange(m + 1)
    table = np.empty((n + 1, m + 1), np.int64)
    table[0] = steps
    for i in range(1, n + 1):
        row = table[i]
        np.add(table[i - 1], gap, out=row)
        np.minimum(row[1:], table[i - 1, :-1] + differ * (b != a[i - 1]), out=row[1:])
        row -= steps
        np.minimum.accumulate(row, out=row)
        row += steps
    partner = np.full(n, -1, np.intp)
    i, j = n, m
    while i and j:
        here = table[i, j]
        if a[i - 1] == b[j - 1] and here == table[i - 1, j - 1]:
            i, j = i - 1, j - 1
            partner[i] = j
        elif here == table[i - 1, j] + gap:
            i -= 1
        elif here == table[i, j - 1] + gap:
            j -= 1
        else:
            i, j = i - 1, j - 1
    return partner
