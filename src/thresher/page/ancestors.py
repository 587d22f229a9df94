"""Which of a few elements stands around each of a few rows.

`arrays.inside` and `arrays.nearest` answer for every row of a page. Where a few hundred texts are
asked about a few dozen lists or cells, two sorted searches cost a tenth of that. Subtrees are
either nested or apart, so with `m` the marked rows and `end` the first row after each subtree

    level(row) = (how many m <= row) - (how many end[m] <= row)

is the number of marked subtrees that a row lies in.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from thresher.page.array_types import Int32s, Rows

AnyRows = npt.NDArray[np.integer[Any]]


def levels_inside(marked: Rows, end: Int32s, rows: AnyRows) -> Rows:
    """Count for each of `rows` the subtrees of the `marked` rows (in order) that it lies in."""
    ends = end.take(marked)
    ends.sort()
    levels: Rows = marked.searchsorted(rows, "right") - ends.searchsorted(rows, "right")
    return levels


def innermost(marked: Rows, end: Int32s, rows: AnyRows) -> Rows:
    """Return for each of `rows` the nearest ancestor-or-self among `marked`, -1 if there is none.

    It is the last marked row up to the row that lies in as many marked subtrees (its own included).
    """
    level = levels_inside(marked, end, rows)
    if not level.any():
        return np.full(len(rows), -1)
    size = len(end)
    key = levels_inside(marked, end, marked) * size + marked
    key.sort()
    place = key.searchsorted(level * size + rows, "right") - 1
    found: Rows = np.where(level > 0, key.take(place) % size, -1)
    return found
