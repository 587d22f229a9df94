"""`enclosing` answers for a few rows what `arrays.nearest` answers for all."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from tests.pages import soup
from thresher import parse
from thresher.page.ancestors import innermost, levels_inside
from thresher.page.arrays import nearest


def rows(*numbers: int) -> np.ndarray:
    return np.array(numbers, np.intp)


# Rows 0 to 6: 0 holds all, 1 holds 2 and 3, 2 holds 3, 4 holds 5.
END = np.array([7, 4, 4, 4, 6, 6, 7], np.int32)


def test_levels_count_the_subtrees_around_a_row_its_own_included():
    assert levels_inside(rows(1, 2, 4), END, np.arange(7)).tolist() == [0, 1, 2, 2, 1, 1, 0]


def test_the_innermost_is_the_last_that_is_still_open():
    assert innermost(rows(1, 2, 4), END, np.arange(7)).tolist() == [-1, 1, 2, 2, 4, 4, -1]
    assert innermost(rows(0, 2), END, np.arange(7)).tolist() == [0, 0, 2, 2, 0, 0, 0]


def test_without_marked_rows_nothing_is_around():
    assert innermost(rows(), END, rows(0, 3)).tolist() == [-1, -1]
    assert levels_inside(rows(), END, rows(0, 3)).tolist() == [0, 0]
    assert innermost(rows(1), END, rows()).tolist() == []


@given(soup, st.randoms(use_true_random=False))
def test_as_pointers_to_parents_find_it(source, random):
    page = parse(source)
    mask = np.array([random.random() < 0.3 for _ in range(len(page))], np.bool_)
    asked = np.flatnonzero([random.random() < 0.5 for _ in range(len(page))])
    found = innermost(np.flatnonzero(mask), page.end, asked)
    assert_array_equal(found, nearest(mask, page.parent)[asked])
