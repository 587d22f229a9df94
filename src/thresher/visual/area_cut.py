"""Segmentation by area: divide what covers too much of the page, first coarsely, then finely.

    page --coarse--> header, content, footer, ... --fine--> menus, articles, pictures, ...

What one sees of a page are its visible leaves: texts, images, form fields and other elements with
nothing visible inside. The box of an element is the smallest one around its leaves. From the root
down, an element is divided into its parts if the area of its box is large enough:

    coarse    at least `coarse` of the area of the page
    fine      at least `fine` of a screen: the width of the page by `screen` pixels, or by its
              height if that is less

A coarse segment is divided again by the second threshold. So the result is a tree of three levels:
the page, coarse segments, fine segments. A coarse segment that is small enough has no fine ones.

Three rules say what the parts are:

- An element with leaves in one child only is divided as this child is.
- Inline children side by side are one part, if no block is in them: a line of text is not torn.
- Text stays together: an element is not divided if at least `lines` of its characters are in
  lines. Lines are children without a block inside, such as the paragraphs of an article or the
  entries of a menu, and children of at most `line` pixels in height, such as the rows of a table.

This is our own method. It was made and its numbers were chosen on 25 pages of segments-random;
docs/segmentation.md has its scores on 25 others.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import Annotated, TypeAlias

import numpy as np

from thresher.methods.common.option_checks import Options, Range, Share
from thresher.page.array_types import Bools, Floats, Rows
from thresher.page.arrays import subtree_sums
from thresher.page.tags import NUMBER
from thresher.visual.rendered_page import RenderedPage
from thresher.visual.segments import Segments

Part: TypeAlias = list[int]  # rows: one element, or a run of inline ones


@dataclass(frozen=True, slots=True)
class AreaCut(Options):
    """Divide what covers too much of the page, first coarsely, then finely."""

    coarse: Share = 0.85  # of the page; from 0.8 to 0.9 the mean F1 differs by 0.002
    fine: Share = 0.12  # of a screen; from 0.08 to 0.15 by 0.004
    lines: Share = 0.9  # of the characters of an element that is text; from 0.7 to 0.9 by 0.003
    line: Annotated[float, Range(0)] = 40.0  # pixels, two lines of text; the same from 35 to 70
    screen: Annotated[float, Range(1)] = 800.0  # pixels; from 600 to 1200 by 0.007

    def __call__(self, page: RenderedPage) -> Segments:
        """Return the page, its coarse segments and in them the fine ones, with their areas.

        The measure `area` is the share of the page that the box of a segment covers.
        """
        shapes = page.cached(_Shapes.of)
        if not shapes.leaves_inside[:1].any():
            return Segments.of(page, [-1], [range(min(len(page), 1))], area=[0.0])
        least_coarse = self.coarse * shapes.area[0]
        least_fine = self.fine * shapes.width * min(shapes.height, self.screen)
        parent: list[int] = [-1]
        found: list[Part] = [[0]]
        for part in self._divide(shapes, [0], least_coarse):
            parent.append(0)
            found.append(part)
            fine = self._divide(shapes, part, least_fine)
            if len(fine) > 1:
                parent += [len(found) - 1] * len(fine)
                found += fine
        areas = [shapes.area_of(part) / shapes.area[0] for part in found]
        return Segments.of(page, parent, found, area=areas)

    def _divide(self, shapes: _Shapes, part: Part, least: float) -> list[Part]:
        """Return the undivided parts of a part, in document order."""
        found: list[Part] = []
        waiting = [part]
        while waiting:
            part = waiting.pop()
            inner = self._parts(shapes, part, least)
            if len(inner) > 1:
                waiting.extend(reversed(inner))
            else:
                found.append(part)
        return found

    def _parts(self, shapes: _Shapes, part: Part, least: float) -> list[Part]:
        """Return the parts that a part is divided into; fewer than two if it is not."""
        if len(part) > 1 or shapes.area[part[0]] < least:
            return []
        parts = [part]
        while len(parts) == 1 and len(parts[0]) == 1:
            row = parts[0][0]
            parts = shapes.parts(row)
        if (
            len(parts) > 1
            and shapes.chars_in_lines(parts, self.line) >= self.lines * shapes.chars[row] > 0
        ):
            return []
        return parts


@dataclass(frozen=True, slots=True, eq=False)
class _Shapes:
    """What a division needs to know of each row: its box, its text, its children."""

    leaves_inside: Rows  # visible leaves
    area: Floats  # of the box around these, 0 without any
    box: Floats  # its left, top, right and bottom
    chars: Rows  # visible characters
    is_line: Bools  # True if no block with leaves is inside it
    joins: Bools  # with inline neighbours, to one part
    children: list[list[int]]  # those with leaves

    @classmethod
    def of(cls, page: RenderedPage) -> _Shapes:
        is_text = page.tag == 0
        shown = page.visible & (~is_text | (page.chars > 0)) & (page.tag != NUMBER["br"])
        shown[: page.body + 1] = False  # the page itself is no leaf
        is_leaf = shown & (subtree_sums(shown, page.end) == 1)
        leaves = subtree_sums(is_leaf, page.end)
        box = _boxes(page, is_leaf)
        sides = np.where(leaves[:, None] > 0, box[:, 2:] - box[:, :2], 0.0)
        is_block = ~page.inline & ~is_text & ~is_leaf & (leaves > 0)
        is_line = subtree_sums(is_block, page.end) == is_block
        children: list[list[int]] = [[] for _ in range(len(page))]
        for row in np.flatnonzero((leaves > 0) & (page.parent >= 0)).tolist():
            children[page.parent[row]].append(row)
        return cls(
            leaves_inside=leaves,
            area=sides.prod(axis=1),
            box=box,
            chars=subtree_sums(np.where(page.visible, page.chars, 0), page.end),
            is_line=is_line,
            joins=page.inline & is_line,
            children=children,
        )

    @property
    def width(self) -> float:
        """Width of the page."""
        return float(self.box[0, 2] - self.box[0, 0])

    @property
    def height(self) -> float:
        """Height of the page."""
        return float(self.box[0, 3] - self.box[0, 1])

    def area_of(self, part: Part) -> float:
        """Return the area of the box around a part."""
        low, high = self.box[part, :2].min(axis=0), self.box[part, 2:].max(axis=0)
        return float((high - low).prod())

    def parts(self, row: int) -> list[Part]:
        """Return the children of a row with leaves, inline ones side by side as one part."""
        found: list[Part] = []
        for joins, run in groupby(self.children[row], key=self.joins.__getitem__):
            rows = list(run)
            found += [rows] if joins else [[child] for child in rows]
        return found

    def chars_in_lines(self, parts: list[Part], line: float) -> int:
        """Return the characters of the rows without a block inside, or of at most this height."""
        rows = np.array([row for part in parts for row in part])
        is_low = self.box[rows, 3] - self.box[rows, 1] <= line
        return int(self.chars[rows][self.is_line[rows] | is_low].sum())


def _boxes(page: RenderedPage, is_leaf: Bools) -> Floats:
    """Return left, top, right and bottom around the leaves inside each row; inf without any.

    What lies to the left of the page or above it is cut off.
    """
    box = np.full((len(page), 4), np.inf)
    x, y = page.x[is_leaf].astype(np.float64), page.y[is_leaf].astype(np.float64)
    right, bottom = x + page.w[is_leaf], y + page.h[is_leaf]
    # The largest of a set of numbers is the smallest of the negative ones.
    box[is_leaf] = np.column_stack([x.clip(0), y.clip(0), -right.clip(0), -bottom.clip(0)])
    order = np.argsort(page.level, kind="stable")
    starts = np.searchsorted(page.level[order], np.arange(1, int(page.level.max(initial=0)) + 1))
    for rows in np.split(order, starts)[:0:-1]:  # the deepest level first, without the root
        np.minimum.at(box, page.parent[rows], box[rows])
    box[:, 2:] *= -1
    return box
