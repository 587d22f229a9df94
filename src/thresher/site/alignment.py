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
without anchors that is still too large is cut in proportion. So time and memory stay linear in the
sequences on pages of any size; only beyond `CELLS` the cost may be above the least.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from thresher.page.array_types import Int64s, Rows

CELLS = 1_000_000  # of one table, 8 MB: two pages of 1,000 rows that have nothing in common


def align(first: ArrayLike, second: ArrayLike, *, longest: bool = False) -> Rows:
    """Return for each item of `first` the position of its equal partner in `second`, or -1."""
    a, b = np.asarray(first, np.int64), np.asarray(second, np.int64)
    partner = np.full(len(a), -1, np.intp)
    for a_from, a_to, b_from, b_to in _parts(a, b):
        pairs = _solve(a[a_from:a_to], b[b_from:b_to], longest)
        own = pairs >= 0
        partner[a_from:a_to][own] = pairs[own] + b_from
    head = _common(a, b)
    tail = _common(a[head:][::-1], b[head:][::-1])
    partner[:head] = np.arange(head)
    partner[len(a) - tail :] = np.arange(len(b) - tail, len(b))
    return partner


def _common(a: Int64s, b: Int64s) -> int:
    """Return how many items at the start are equal."""
    size = min(len(a), len(b))
    differ = (a[:size] != b[:size]).nonzero()[0]
    return int(differ[0]) if len(differ) else size


def _parts(a: Int64s, b: Int64s) -> Iterator[tuple[int, int, int, int]]:
    """Yield the stretches of both sequences that are aligned with each other, in order."""
    head = _common(a, b)
    tail = _common(a[head:][::-1], b[head:][::-1])
    whole = (head, len(a) - tail, head, len(b) - tail)
    waiting = [(whole, True)]
    while waiting:
        (a_from, a_to, b_from, b_to), may_anchor = waiting.pop()
        n, m = a_to - a_from, b_to - b_from
        if not n or not m:
            continue
        if n * m <= CELLS:
            yield a_from, a_to, b_from, b_to
            continue
        anchors = _anchors(a[a_from:a_to], b[b_from:b_to]) if may_anchor else []
        if anchors:
            edges = [(a_from + i, b_from + j) for i, j in anchors]
        else:
            pieces = -(-n * m // CELLS)
            edges = [(a_from + n * k // pieces, b_from + m * k // pieces) for k in range(1, pieces)]
        edges = [(a_from, b_from), *edges, (a_to, b_to)]
        waiting += [
            ((i, i_next, j, j_next), False)
            for (i, j), (i_next, j_next) in reversed(list(pairwise(edges)))
        ]


def _anchors(a: Int64s, b: Int64s) -> list[tuple[int, int]]:
    """Return pairs of items that occur once in each sequence and stand in the same order."""
    values, at_a, count_a = np.unique(a, return_index=True, return_counts=True)
    others, at_b, count_b = np.unique(b, return_index=True, return_counts=True)
    both, own, other = np.intersect1d(
        values[count_a == 1], others[count_b == 1], assume_unique=True, return_indices=True
    )
    del both
    i, j = at_a[count_a == 1][own], at_b[count_b == 1][other]
    order = i.argsort()
    return _rising(list(zip(i[order].tolist(), j[order].tolist(), strict=True)))


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
