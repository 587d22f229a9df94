"""What parts two kept texts though it goes itself: a dropped block between them, or a button.

Plain text asks the whole page what lies between two texts, so an advertisement that is dropped from
the middle of an element still ends the line before it. A tree without the advertisement does not
tell any more. So one dropped branch of each such gap leaves an empty `div` behind, and where only a
space parted the words, the second text begins with it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from thresher.page import Page
from thresher.page.array_types import Bools, Int32s, Rows, UInt8s, UInt16s
from thresher.page.arrays import subtree_sums
from thresher.page.plain_text import gaps


class Parted(NamedTuple):
    """Where the tree of the kept rows would join what plain text parts."""

    branches: Rows  # dropped rows with a kept parent, each of which ends a line
    spaced: Int32s  # kept texts that need a space before them


def parted(page: Page, rows: Int32s, kept: Bools) -> Parted:
    """Compare the gaps between the texts in `rows` with and without what is not `kept`."""
    kind, _ = gaps.kinds(page)
    lines = ((kind & np.uint16(_LINE)) != 0) & ~kept
    spaces = ((kind & np.uint16(_SPACE)) != 0) & ~kept
    if len(rows) < 2 or not (lines.any() or spaces.any()):
        return Parted(np.zeros(0, np.intp), rows[:0])
    whole = _levels(page, kind, rows)
    left = _levels(page, np.where(kept, kind, np.uint16(0)), rows)
    spaced = rows[(whole >= gaps.SPACE) & (whole < gaps.LINE) & (left == gaps.JOIN)]
    ended = ((whole >= gaps.LINE) & (left < gaps.LINE)).nonzero()[0]
    holds = subtree_sums(lines, page.end) > 0
    branches = (holds & ~kept & kept[np.maximum(page.parent, 0)]).nonzero()[0]
    first = branches.searchsorted(rows[ended - 1])
    return Parted(branches[first[first < len(branches)]], spaced)


_LINE = 1 << (gaps.LINE - 1) | 1 << (gaps.PARAGRAPH - 1)
_SPACE = 1 << (gaps.SPACE - 1) | 1 << (gaps.BREAK - 1)


def _levels(page: Page, kind: UInt16s, rows: Int32s) -> UInt8s:
    """How far apart each text stands from the one before; the first is a paragraph of its own."""
    return gaps.levels(kind, rows, gaps.between(page, kind, rows, rows[:0]))
