"""The columns of a page: one array per fact, one entry per row.

Rows are the elements and text nodes of the page in document order. `docs/data-model.md` follows a
ten-row page by hand.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from thresher.page.array_types import Bools, Int32s, UInt16s
from thresher.page.tags import NUMBER


def freeze(*arrays: npt.NDArray[np.generic]) -> None:
    """Make arrays read-only."""
    for array in arrays:
        array.setflags(write=False)


@dataclass(frozen=True, eq=False)
class Columns:
    """The tree and the counts of a page. All arrays are read-only and of one length."""

    tag: UInt16s  # number of the element's name in `names`; 0 for text
    end: Int32s  # first row after the subtree: the subtree of i is i .. end[i] - 1
    parent: Int32s  # row of the parent, -1 at the root
    level: Int32s  # depth, 0 at the root
    chars: Int32s  # characters of a text row, white space collapsed; 0 on elements
    words: Int32s  # words of a text row; 0 on elements
    linked: Bools  # inside an anchor
    hidden: Bools  # inside something that a browser does not show
    names: tuple[str, ...]  # the tag table: names[tag[i]]

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.tag)

    @cached_property
    def text_rows(self) -> Int32s:
        """Rows that are text, in order."""
        rows = np.flatnonzero(self.tag == 0).astype(np.int32)
        freeze(rows)
        return rows

    @cached_property
    def body(self) -> int:
        """Row of the body (the root when there is none, as on a page of frames; -1 if empty)."""
        found = np.flatnonzero((self.tag == NUMBER["body"]) & (self.level == 1))
        return int(found[0]) if len(found) else min(len(self), 1) - 1

    def name(self, row: int) -> str:
        """Return the element's name, or `#text`."""
        return self.names[int(self.tag[row])]

    def part(self, keep: Bools) -> dict[str, Any]:
        """Return the columns of the rows in `keep`, and `origin`, where they stood, by name.

        The ancestors of a row that is kept must be kept too.
        """
        before = np.concatenate(([0], np.cumsum(keep))).astype(np.int32)
        parent = np.where(self.parent[keep] >= 0, before[self.parent[keep]], np.int32(-1))
        names = ("tag", "level", "chars", "words", "linked", "hidden")
        found = {name: getattr(self, name)[keep] for name in names}
        origin = np.flatnonzero(keep).astype(np.int32)
        found |= {"end": before[self.end[keep]], "parent": parent, "origin": origin}
        freeze(*found.values())
        return found
