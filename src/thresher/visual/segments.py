"""Segments: the parts of a page that a segmentation finds, as a tree in columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeAlias

import numpy as np

from thresher.page.array_types import Bools, Floats, Int32s
from thresher.page.arrays import freeze
from thresher.page.words import collapsed
from thresher.visual.rendered_page import RenderedPage


@dataclass(frozen=True, eq=False, repr=False)
class Segments:
    """The segments of a page, each before the segments inside it, in document order.

    A segment is made of one or more rows with everything inside them. A segment that was divided
    contains the parts; the ones that were not, the leaves, are the result in the sense of the
    papers.
    """

    page: RenderedPage
    parent: Int32s  # the segment that it is a part of, -1 for the whole page
    rows: Int32s  # the rows of all segments, one segment after the other
    first: Int32s  # index in `rows` of each segment's first row; one more entry than segments
    measures: Mapping[str, Floats] = field(default_factory=dict)  # by name, one number a segment
    kinds: tuple[str, ...] = ()  # what each segment is, if it was asked for

    @classmethod
    def of(
        cls,
        page: RenderedPage,
        parent: Sequence[int],
        rows: Sequence[Iterable[int]],
        **measures: Iterable[float],
    ) -> Segments:
        """Return segments from their parents, the rows of each, and measures by name."""
        lists = [list(each) for each in rows]
        first = np.cumsum([0, *map(len, lists)]).astype(np.int32)
        flat = np.fromiter((row for each in lists for row in each), np.int32, int(first[-1]))
        above = np.array(parent, np.int32).reshape(-1)
        numbers = {name: np.array(list(values), np.float64) for name, values in measures.items()}
        freeze(first, flat, above, *numbers.values())
        return cls(page, above, flat, first, numbers)

    def __len__(self) -> int:
        """Return the number of segments, divided ones included."""
        return len(self.parent)

    def __repr__(self) -> str:
        """Return the number of segments."""
        return f"<Segments: {int(self.is_leaf.sum())} of {len(self)} undivided>"

    def rows_of(self, segment: int) -> Int32s:
        """Return the rows that a segment is made of, without those inside them."""
        return self.rows[self.first[segment] : self.first[segment + 1]]

    @cached_property
    def is_leaf(self) -> Bools:
        """One bool per segment: True if it was not divided."""
        found = np.ones(len(self), np.bool_)
        found[self.parent[self.parent >= 0]] = False
        freeze(found)
        return found

    @cached_property
    def level(self) -> Int32s:
        """How many segments each one lies in."""
        found = np.zeros(len(self), np.int32)
        for segment, parent in enumerate(self.parent.tolist()):
            found[segment] = found[parent] + 1 if parent >= 0 else 0
        freeze(found)
        return found

    @cached_property
    def of_row(self) -> Int32s:
        """The innermost segment of each row of the page, -1 outside all of them."""
        found = np.full(len(self.page), -1, np.int32)
        owner = np.repeat(np.arange(len(self), dtype=np.int32), np.diff(self.first))
        for segment, row in zip(owner.tolist(), self.rows.tolist(), strict=True):
            found[row : self.page.end[row]] = segment
        freeze(found)
        return found

    @cached_property
    def boxes(self) -> Floats:
        """x, y, w and h of each segment: the smallest box around its visible rows.

        A row without an area, such as a container of floats, has that of what it shows inside.
        """
        return np.array([self._box(segment) for segment in range(len(self))]).reshape(-1, 4)

    def _box(self, segment: int) -> tuple[float, float, float, float]:
        page = self.page
        rows = self.rows_of(segment)
        inner = [
            np.arange(row, row + 1 if page.visible[row] else page.end[row]) for row in rows.tolist()
        ]
        rows = np.concatenate([np.zeros(0, np.intp), *inner])
        rows = rows[page.visible[rows]]
        if not len(rows):
            return (0.0, 0.0, 0.0, 0.0)
        x, y = page.x[rows].min(), page.y[rows].min()
        right, bottom = (page.x[rows] + page.w[rows]).max(), (page.y[rows] + page.h[rows]).max()
        return float(x), float(y), float(right - x), float(bottom - y)

    def text(self, segment: int, limit: int = 10_000) -> str:
        """Return the visible text of a segment, on one line."""
        page = self.page
        pieces: list[str] = []
        before = -1
        for row in self.rows_of(segment).tolist():
            first, last = page.text_span(row)
            for text in range(first, last):
                if page.hidden[page.text_rows[text]]:
                    continue
                block = int(page.blocks.of_text[text])
                if block != before and block >= 0:
                    pieces.append(" ")
                    before = block
                pieces.append(page.texts[text])
        return collapsed("".join(pieces))[:limit]

    def labelled(self, kinds: Sequence[str]) -> Segments:
        """Return the same segments with their kinds."""
        return replace(self, kinds=tuple(kinds))


# A way to divide a page: any callable from a rendered page to its segments.
Segmenter: TypeAlias = Callable[[RenderedPage], Segments]
