"""Spans of rows that nest."""

import numpy as np

from thresher.structure.threads.spans import Spans

SPANS = Spans(np.array([1, 3, 4, 8]), np.array([7, 6, 6, 9]))


def test_nested_spans():
    assert SPANS.innermost(10).tolist() == [-1, 0, 0, 1, 2, 2, 0, -1, 3, -1]
    assert SPANS.enclosing().tolist() == [-1, 0, 1, -1]
    rows_before = np.arange(11)
    assert SPANS.sums(rows_before).tolist() == [6, 3, 2, 1]
    assert SPANS.own_sums(rows_before).tolist() == [3, 1, 2, 1]


def test_spans_that_hold_a_row():
    assert SPANS.hold(np.array([3, 7])).tolist() == [True, True, False, False]
    assert SPANS.hold(np.array([], np.int64)).tolist() == [False] * 4


def test_no_spans():
    assert len(Spans.none()) == 0
    assert Spans.none().innermost(3).tolist() == [-1] * 3
