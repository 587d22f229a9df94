"""Segmentation by seam degree and content similarity (Zeng and others 2013, paper 002).

A visual block is a visible element with its box (x, y, w, h). Two children of a block adjoin
vertically if one ends above the other begins, their ranges of x meet, and no third child lies
between; horizontally likewise. With `seam` the length of the range that they share:
    SD = seam^2 / (w1 * w2)         above each other; heights if side by side              (1), (2)
    AvgSD = mean of SD over the pairs of adjoining children                                     (3)
The contents of a block are its texts, link texts, images and inputs, also those of the blocks
inside it. The area of a text is its length * font size^2 (4), of the others w * h. A content vector
has the areas of one type, largest first. For two blocks, u and v their vectors of a type:
    Cos = u . v / (|u| |v|)         the shorter one filled up with 0; 0 if one is empty         (5)
    Weight = (sum u + sum v) / (area of all contents of both blocks)                            (6)
    CS = sum of Weight * Cos over the four types                                                (7)
    AvgCS = mean of CS over the pairs of adjoining children                                     (8)
A block without children has AvgSD = AvgCS = 1, one with a single child 0 and 0. From the root
down, a block is divided into its children if AvgSD < alpha or AvgCS < beta, else it is a segment.

Departures, where the paper says nothing or what cannot be meant:

- Several children of which no two adjoin: both averages are 0.
- A child lies between two others if it reaches below the upper one, begins above the lower one and
  covers a part of the range that they share, or touches it if the range is a single point. So
  overlapping blocks do not adjoin. Blocks that touch at a corner are one pair, with SD 0.
- Two blocks without any content have CS = 0.
- An element that is not visible, or has no area, is no block; its children are those of the block
  around it. The root of the page is always a block.
- The inside of a picture or of a form field has no blocks, and its text is no content of its own.
- The text of a divided block that lies in none of its children is not lost: the text between two
  of them is a segment. It takes no part in the averages.
- `whole_lines` (off): inline elements and text that stand side by side are one block, so a link
  in a sentence does not divide the sentence. A block that contains nothing else has no children.
- Siblings that overlap by the thousands can have a quadratic number of pairs. The search ends
  after `_WORK` steps per child, which children that do not overlap never reach.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import sqrt
from operator import mul
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from thresher.errors import UsageError
from thresher.methods.common.option_checks import Options, Share
from thresher.page.array_types import Bools, Floats, Int64s, Rows
from thresher.page.arrays import freeze, inside, nearest, subtree_sums
from thresher.page.tags import lookup
from thresher.visual.rendered_page import RenderedPage
from thresher.visual.segments import Segments

# An iframe shows another document, often an advertisement: one content, as a picture is.
_IMAGE = lookup("img svg canvas video object embed applet iframe")
_INPUT = lookup("input select textarea button meter progress")
_TYPES = 4  # text, link text, images, inputs

_STEPS = np.arange(11) / 10  # the values of alpha and of beta in the experiment of the paper


@dataclass(frozen=True, slots=True)
class Seam(Options):
    """Divide the blocks whose children do not fill a rectangle or have different contents."""

    alpha: Share = 0.9  # paper: divide if AvgSD is below
    beta: Share = 0.8  # paper: divide if AvgCS is below
    whole_lines: bool = False  # ours: take inline elements and text side by side as one block

    def __call__(self, page: RenderedPage) -> Segments:
        """Return the segments; their measures `seam` and `similarity` are AvgSD and AvgCS."""
        blocks = page.cached(_measured_blocks, self.whole_lines)
        whole = ~((blocks.seam < self.alpha) | (blocks.similarity < self.beta))
        reached = np.ones(len(blocks), np.bool_)
        reached[1:] = ~inside(whole, blocks.end)[blocks.parent[1:]]
        number = np.cumsum(reached) - 1
        kept = np.flatnonzero(reached)
        parent = np.where(blocks.parent[kept] >= 0, number[blocks.parent[kept]], -1)
        return Segments.of(
            page,
            parent.tolist(),
            [blocks.rows[at] for at in kept.tolist()],
            seam=blocks.seam[kept],
            similarity=blocks.similarity[kept],
        )


def sweep(page: RenderedPage, *, whole_lines: bool = False) -> Int64s:
    """Return the number of segments for alpha (first axis) and beta of 0, 0.1, ..., 1.

    A block stays whole where alpha <= AvgSD and beta <= AvgCS. `own` is for each step of alpha the
    number of steps of beta, from 0, at which it stays whole, and `above` that at which a block
    around it does: it is a segment at the steps from `above` to `own`.
    """
    blocks = page.cached(_measured_blocks, whole_lines)
    steps = len(_STEPS)
    alphas = _STEPS.searchsorted(blocks.seam, "right")
    betas = _STEPS.searchsorted(blocks.similarity, "right")
    own = np.where(np.arange(steps) < alphas[:, None], betas[:, None], 0)
    above = np.zeros_like(own)
    for members in _by_level(blocks):
        parents = blocks.parent[members]
        above[members] = np.maximum(above[parents], own[parents])
    change = np.zeros((steps, steps + 1), np.int64)
    is_segment = own > above
    alpha = np.nonzero(is_segment)[1]
    np.add.at(change, (alpha, above[is_segment]), 1)
    np.subtract.at(change, (alpha, own[is_segment]), 1)
    counts: Int64s = np.cumsum(change, axis=1)[:, :-1]
    return counts


def normalised(counts_of_pages: npt.ArrayLike) -> Floats:
    """Return counts (see `sweep`) / the largest of their page, averaged over pages (formula 9)."""
    counts = np.asarray(counts_of_pages, np.float64)
    if counts.ndim != 3 or not counts.size or (counts <= 0).any():
        raise UsageError(
            "normalised needs the counts of at least one page: give [sweep(page), ...]."
        )
    mean: Floats = (counts / counts.max(axis=(1, 2), keepdims=True)).mean(axis=0)
    return mean


# --- blocks --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Blocks:
    """The blocks of a page and the texts between them, in document order, the root first."""

    rows: list[Rows]  # that each is made of; several if it is a run of text
    parent: Rows  # index of the block around it, -1 for the root
    end: Rows  # index of the first block after it that is not inside it
    box: Floats  # x, y, w, h
    takes_part: Bools  # in the averages of its parent
    seam: Floats = field(default_factory=lambda: np.zeros(0))  # AvgSD, once measured
    similarity: Floats = field(default_factory=lambda: np.zeros(0))  # AvgCS

    def __len__(self) -> int:
        return len(self.parent)


def _measured_blocks(page: RenderedPage, whole_lines: bool) -> _Blocks:
    if not len(page):
        return _Blocks([], *(np.zeros(0, np.intp),) * 2, np.zeros((0, 4)), np.zeros(0, np.bool_))
    is_whole = inside(page.visible & (_IMAGE | _INPUT)[page.tag], page.end)
    in_whole = is_whole & (page.parent >= 0) & is_whole[page.parent]
    units = _units(page, in_whole, whole_lines)
    # The unit of each row: itself or the nearest around it, and the one around that.
    is_unit = np.zeros(len(page), np.bool_)
    is_unit[units.row] = True
    unit_of = nearest(is_unit, page.parent)
    around = np.where(units.row > 0, unit_of[page.parent[units.row]], -1)
    starts, block_of_unit = _runs(units, around)
    block_of_row = np.full(len(page) + 1, -1)  # the last entry is that of row -1
    block_of_row[units.row] = block_of_unit
    order = np.argsort(block_of_unit, kind="stable")
    rows = np.split(units.row[order], np.cumsum(np.bincount(block_of_unit))[:-1])
    first = units.row[starts]
    blocks = _Blocks(
        rows,
        parent=block_of_row[around[starts]],
        end=first.searchsorted(page.end[[each[-1] for each in rows]]),
        box=_boxes(page, rows),
        takes_part=whole_lines | ~units.joins[starts],
    )
    return _measure(blocks, _contents(page, in_whole, block_of_row[unit_of], len(blocks)))


@dataclass(frozen=True, slots=True)
class _Units:
    """The rows that blocks are made of, in document order."""

    row: Rows
    joins: Bools  # one block with its neighbours that do, too


def _units(page: RenderedPage, in_whole: Bools, whole_lines: bool) -> _Units:
    """Return the visible elements and the texts, and which of them join."""
    is_block = page.visible & (page.tag != 0) & ~in_whole
    is_block[0] = True
    is_text = page.visible & (page.chars > 0) & ~in_whole
    if not whole_lines:
        rows = np.flatnonzero(is_block | is_text)
        return _Units(rows, is_text[rows])
    is_line = is_block & page.inline & (subtree_sums(is_block & ~page.inline, page.end) == 0)
    is_line[0] = False
    joins = is_line | is_text
    in_line = inside(is_line, page.end)[page.parent] & (page.parent >= 0)
    rows = np.flatnonzero((is_block | is_text) & ~in_line)
    # A line that is all that its block contains is no block of its own.
    is_unit = np.zeros(len(page), np.bool_)
    is_unit[rows] = True
    around = np.where(rows > 0, nearest(is_unit, page.parent)[page.parent[rows]], -1)
    starts, _ = _runs(_Units(rows, joins[rows]), around)
    lines_and_blocks = np.bincount(around[starts] + 1, minlength=len(page) + 1)[1:]
    is_alone = joins[rows] & (lines_and_blocks[around] == 1)
    return _Units(rows[~is_alone], joins[rows[~is_alone]])


def _runs(units: _Units, around: Rows) -> tuple[Rows, Rows]:
    """Return the first unit of each block, in order, and the block of each unit.

    `around` is the row of the unit that each one lies in: neighbours are those of the same one.
    """
    order = np.lexsort((units.row, around))
    joins, place = units.joins[order], around[order]
    is_first = np.ones(len(order), np.bool_)
    is_first[1:] = ~(joins[1:] & joins[:-1] & (place[1:] == place[:-1]))
    starts = order[is_first]
    block_of = np.empty(len(order), np.intp)
    block_of[order] = np.argsort(np.argsort(starts))[np.cumsum(is_first) - 1]
    return np.sort(starts), block_of


def _boxes(page: RenderedPage, rows: list[Rows]) -> Floats:
    flat = np.concatenate(rows)
    starts = np.cumsum([0, *map(len, rows)])[:-1]
    x, y, w, h = (column[flat].astype(np.float64) for column in (page.x, page.y, page.w, page.h))
    left, top = np.minimum.reduceat(x, starts), np.minimum.reduceat(y, starts)
    right, bottom = np.maximum.reduceat(x + w, starts), np.maximum.reduceat(y + h, starts)
    return np.column_stack((left, top, right - left, bottom - top))


def _by_level(blocks: _Blocks) -> Iterator[Rows]:
    """Return the blocks of each level below the root, in order."""
    level = np.zeros(len(blocks), np.intp)
    for at, parent in enumerate(blocks.parent[1:].tolist(), start=1):
        level[at] = level[parent] + 1
    order = np.argsort(level, kind="stable")
    bounds = np.cumsum(np.bincount(level)) if len(blocks) else np.zeros(1, np.intp)
    return (order[low:high] for low, high in pairwise(bounds.tolist()))


# --- averages ------------------------------------------------------------------------------------

Vectors: TypeAlias = tuple[list[float], ...]  # one for each type of content, largest area first


def _contents(page: RenderedPage, in_whole: Bools, of_row: Rows, size: int) -> list[Vectors]:
    """Return the areas of the contents of each block, without those of the blocks inside it."""
    is_text = page.visible & (page.chars > 0) & ~in_whole
    kind = np.where(is_text, np.where(page.linked, 1, 0), -1)
    is_shown = page.visible & ~in_whole
    kind[is_shown & _IMAGE[page.tag]] = 2
    kind[is_shown & _INPUT[page.tag]] = 3
    rows = np.flatnonzero(kind >= 0)
    area = np.where(
        kind[rows] < 2,
        page.chars[rows] * page.font_size[rows].astype(np.float64) ** 2,
        page.w[rows].astype(np.float64) * page.h[rows],
    )
    nothing: Vectors = ([],) * _TYPES
    found = [nothing] * size
    for block, which, value in zip(
        of_row[rows].tolist(), kind[rows].tolist(), area.tolist(), strict=True
    ):
        if found[block] is nothing:
            found[block] = tuple([] for _ in range(_TYPES))
        found[block][which].append(value)
    return found


def _measure(blocks: _Blocks, contents: list[Vectors]) -> _Blocks:
    """Return the blocks with their averages, from the innermost to the root.

    The vectors of a block are those of its children, merged: sorting joins sorted lists in linear
    time. They are needed once, for the pairs of its parent.
    """
    parts: list[list[int]] = [[] for _ in range(len(blocks))]
    for at, parent in enumerate(blocks.parent[1:].tolist(), start=1):
        parts[parent].append(at)
    seam, similarity = np.ones(len(blocks)), np.ones(len(blocks))
    for at in range(len(blocks) - 1, -1, -1):
        children = [part for part in parts[at] if blocks.takes_part[part]]
        if children:
            pairs = adjoining_pairs(blocks.box[children])
            seam[at] = similarity[at] = 0.0
            if len(pairs):
                seam[at] = seam_degrees(blocks.box[children], pairs).mean()
                similarity[at] = _average_similarity([contents[each] for each in children], pairs)
        if parts[at]:
            contents[at] = _merge([contents[at], *(contents[part] for part in parts[at])])
            for part in parts[at]:
                contents[part] = ()
        else:
            for vector in contents[at]:
                vector.sort(reverse=True)
    freeze(seam, similarity)
    return replace(blocks, seam=seam, similarity=similarity)


def _merge(all_vectors: Iterable[Vectors]) -> Vectors:
    merged = []
    for of_type in zip(*all_vectors, strict=True):
        filled = [vector for vector in of_type if vector]
        if len(filled) > 1:
            joined = [area for vector in filled for area in vector]
            joined.sort(reverse=True)
            merged.append(joined)
        else:
            merged.append(filled[0] if filled else [])
    return tuple(merged)


def _average_similarity(contents: Sequence[Vectors], pairs: Rows) -> float:
    total = 0.0
    measured = [_Measured.of(vectors) for vectors in contents]
    for one, other in pairs.tolist():
        total += _similarity(measured[one], measured[other])
    return total / len(pairs)


@dataclass(frozen=True, slots=True)
class _Measured:
    """The content vectors of a block that are not empty, each with its sum and its squares' sum."""

    vectors: dict[int, tuple[list[float], float, float]]

    @classmethod
    def of(cls, vectors: Vectors) -> _Measured:
        return cls(
            {
                kind: (vector, sum(vector), sum(map(mul, vector, vector)))
                for kind, vector in enumerate(vectors)
                if vector
            }
        )


_EMPTY: tuple[list[float], float, float] = ([], 0.0, 0.0)


def _similarity(one: _Measured, other: _Measured) -> float:
    """Return CS; exactly 1 for equal vectors."""
    weights = weighted = 0.0
    for kind in sorted(one.vectors.keys() | other.vectors.keys()):
        u, sum_u, squares_u = one.vectors.get(kind, _EMPTY)
        v, sum_v, squares_v = other.vectors.get(kind, _EMPTY)
        weights += sum_u + sum_v
        if squares_u and squares_v:
            # `map` ends with the shorter vector: the rest of the other is multiplied by 0.
            cosine = min(sum(map(mul, u, v)) / sqrt(squares_u * squares_v), 1.0)
            weighted += (sum_u + sum_v) * cosine
    return weighted / weights if weights else 0.0


def content_similarity(one: Sequence[Sequence[float]], other: Sequence[Sequence[float]]) -> float:
    """Return CS of two blocks, given the areas of their texts, link texts, images and inputs."""
    if not len(one) == len(other) == _TYPES:
        raise UsageError(
            "content_similarity needs four lists of areas for each block: give [] too."
        )
    first, second = (
        _Measured.of(tuple(sorted(map(float, areas), reverse=True) for areas in block))
        for block in (one, other)
    )
    return _similarity(first, second)


# --- adjoining blocks ----------------------------------------------------------------------------


def seam_degrees(boxes: Floats, pairs: Rows) -> Floats:
    """Return SD of pairs of adjoining boxes (formulas 1 and 2)."""
    one, other = boxes[pairs[:, 0]], boxes[pairs[:, 1]]
    shared = np.minimum(one[:, :2] + one[:, 2:], other[:, :2] + other[:, 2:]) - np.maximum(
        one[:, :2], other[:, :2]
    )
    # The ranges of adjoining boxes meet in one direction, and are apart or touch in the other.
    across = (shared[:, 0] < shared[:, 1]).astype(np.intp)  # 0: one above the other
    pair = np.arange(len(pairs))
    seam = np.maximum(shared[pair, across], 0.0)
    degrees: Floats = seam**2 / (one[pair, 2 + across] * other[pair, 2 + across])
    return degrees


def adjoining_pairs(boxes: npt.ArrayLike) -> Rows:
    """Return the pairs of adjoining boxes (x, y, w, h), as rows of two indices, the lower first.

    Takes n log n time if the boxes do not overlap; see the departures above.
    """
    box = np.asarray(boxes, np.float64).reshape(-1, 4)
    low, high = box[:, :2], box[:, :2] + box[:, 2:]
    found = {
        *_stacked_pairs(low[:, 0], high[:, 0], low[:, 1], high[:, 1]),
        *_stacked_pairs(low[:, 1], high[:, 1], low[:, 0], high[:, 0]),
    }
    return np.array(sorted(found), np.intp).reshape(-1, 2)


_WORK = 24  # steps per box; boxes that do not overlap took at most 11 in what was tried


class _Owner:
    """A box that reaches as far down as any other over some range, and the next that does too."""

    __slots__ = ("box", "other")

    def __init__(self, box: int, other: _Owner | None) -> None:
        self.box = box
        self.other = other


def _stacked_pairs(
    left: Floats, right: Floats, top: Floats, bottom: Floats
) -> set[tuple[int, int]]:
    """Return the pairs of boxes that adjoin vertically.

    A sweep from top to bottom. With M(x) the largest bottom of the boxes that begin above the
    current box j and cover x: box i adjoins j iff its bottom is M(x), and not below the top of j,
    over the whole range that the two share. M is a list of stretches of x, each with the boxes
    that own it. Coordinates of x are the numbers 0, 2, 4, ..., and what is between them 1, 3, 5:
    a box covers from 2a to 2b, both included, and a shared range of some length is owned if its
    odd numbers are.
    """
    size = len(left)
    order = np.lexsort((left, top))
    known = np.unique(np.concatenate((left, right)))
    first = (2 * known.searchsorted(left)).tolist()
    last = (2 * known.searchsorted(right)).tolist()
    begins, ends = top.tolist(), bottom.tolist()
    skyline = _Skyline(2 * len(known), 10_000 + _WORK * size)
    found: set[tuple[int, int]] = set()
    waiting: list[int] = []  # boxes that begin where the current one does, not yet in M
    for box in order.tolist():
        if waiting and begins[waiting[0]] < begins[box]:
            for each in waiting:
                skyline.add(each, first[each], last[each] + 1, ends[each])
            waiting.clear()
        waiting.append(box)
        owned = skyline.owned(first[box], last[box] + 1, begins[box])
        if skyline.work < 0:
            break
        for above, count in owned.items():
            shared = min(last[above], last[box]) - max(first[above], first[box])
            if 2 * count == shared:
                found.add((above, box) if above < box else (box, above))
    return found


class _Skyline:
    """The function M of `_stacked_pairs`: the lowest bottoms so far, from left to right."""

    def __init__(self, size: int, work: int) -> None:
        self.starts = [0, size]  # of each stretch; the last one is the end
        self.reach = [-np.inf, np.inf]  # M there
        self.owners: list[_Owner | None] = [None, None]
        self.work = work  # steps that are left

    def owned(self, low: int, high: int, top: float) -> dict[int, int]:
        """Return the boxes that own a part of low .. high - 1, and how many odd numbers of it.

        Only those that end at `top` or above.
        """
        counts: dict[int, int] = {}
        at = bisect_right(self.starts, low) - 1
        while self.starts[at] < high:
            self.work -= 1
            if self.reach[at] <= top:
                start, stop = max(self.starts[at], low), min(self.starts[at + 1], high)
                odd = stop // 2 - start // 2
                owner = self.owners[at]
                while owner is not None and self.work >= 0:
                    self.work -= 1
                    counts[owner.box] = counts.get(owner.box, 0) + odd
                    owner = owner.other
            at += 1
            if self.work < 0:
                break
        return counts

    def add(self, box: int, low: int, high: int, bottom: float) -> None:
        """Raise M to the bottom of a box over low .. high - 1."""
        start = bisect_right(self.starts, low) - 1
        stop = bisect_right(self.starts, high - 1)
        self.work -= stop - start
        starts, reach, owners = [], [], []
        if self.starts[start] < low:
            starts.append(self.starts[start])
            reach.append(self.reach[start])
            owners.append(self.owners[start])
        new = _Owner(box, None)
        for at in range(start, stop):
            if self.reach[at] > bottom:
                height, owner = self.reach[at], self.owners[at]
            elif self.reach[at] == bottom:
                height, owner = bottom, _Owner(box, self.owners[at])
            else:
                height, owner = bottom, new
            if owner is new and owners and owners[-1] is new:
                continue
            starts.append(max(self.starts[at], low))
            reach.append(height)
            owners.append(owner)
        if self.starts[stop] > high:
            starts.append(high)
            reach.append(self.reach[stop - 1])
            owners.append(self.owners[stop - 1])
        self.starts[start:stop] = starts
        self.reach[start:stop] = reach
        self.owners[start:stop] = owners
