"""The outline of a page: its blocks, the containers around them, and sums over each container.

A *container* is a block-level element with text below it that may be content; the body is always
one. Where nested containers hold the same words (a `div` in a `div` in a `section`), the outermost
one stands for all of them, so each step outwards adds text, however deep the markup is nested.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from thresher.methods.default.features.characters import Characters, count_characters
from thresher.page import Page
from thresher.page.array_types import Bools, Floats, Int32s, Rows, UInt16s
from thresher.page.arrays import inside
from thresher.page.tags import BLOCK, NEVER_CONTENT, NUMBER
from thresher.page.views import PROSE_LINKS, PROSE_WORDS

Scalar = TypeVar("Scalar", np.int64, np.uint64, np.float64)


class Sums(NamedTuple):
    """What the subtree of each container holds: one number per container in each field."""

    words: Floats
    linked_words: Floats
    chars: Floats
    linked_chars: Floats
    tags: Floats  # elements, the container included
    links: Floats  # `a` elements
    blocks: Floats  # that may be content
    paragraphs: Floats  # `p` elements
    images: Floats  # `img` elements
    prose: Floats  # words in blocks of prose


class Nesting(NamedTuple):
    """Which containers have ended where another one begins."""

    order: Rows  # the containers sorted by their ends
    ended: Rows  # of each container: how many containers end at or before its start

    @classmethod
    def of(cls, row: Int32s, end: Int32s) -> Nesting:
        """Sort containers by their ends; as 16-bit numbers where they fit, in linear time."""
        order = (end.astype(np.int16) if end.max() < 2**15 else end).argsort(kind="stable")
        return cls(order, end.take(order).searchsorted(row, side="right"))

    def sum_outwards(self, values: npt.NDArray[Scalar]) -> npt.NDArray[Scalar]:
        """Sum the values of each container and of all containers around it, line by line.

        The sum is over what began at or before the container, less what ended by then. Unsigned
        numbers may wrap around.
        """
        ended = np.zeros((*values.shape[:-1], values.shape[-1] + 1), values.dtype)
        values.take(self.order, axis=-1).cumsum(axis=-1, out=ended[..., 1:])
        found: npt.NDArray[Scalar] = values.cumsum(axis=-1) - ended.take(self.ended, axis=-1)
        return found


@dataclass(frozen=True, eq=False)
class Outline:
    """The blocks of a page and their containers, both in document order."""

    page: Page
    # one entry per block
    allowed: Bools  # it may be content
    words: Floats  # 0 if it is not allowed
    linked: Floats  # words in links
    prose: Floats  # its words if it is prose, else 0
    characters: Characters
    container: Rows  # the innermost container around it
    # one entry per container; the first one is the body
    row: Int32s
    tag: UInt16s
    end: Int32s
    parent: Rows  # the container around it; the body is its own
    sums: Sums
    outermost: Rows  # the outermost container with the same words
    wider: Rows  # the `outermost` of the nearest container around it with more words
    is_step: Bools  # it is its own `outermost`, and not the body
    depth: Rows  # number of steps down from the body
    levels: int  # depth of the page's deepest row

    def __len__(self) -> int:
        """Return the number of blocks."""
        return len(self.container)

    @cached_property
    def nesting(self) -> Nesting:
        """Which containers have ended where another one begins."""
        return Nesting.of(self.row, self.end)

    @cached_property
    def ancestors(self) -> list[Rows]:
        """The containers 1, 2, 4, ... levels further out."""
        return _ancestors(self.parent, self.levels)

    def nearest(self, marked: Bools) -> Rows:
        """Return for each container the nearest marked one, itself or around it; -1: none."""
        return _nearest(marked, self.ancestors)


def find_outermost(words: Floats, parent: Rows, ancestors: list[Rows]) -> Rows:
    """Return for each container the outermost one with as many words."""
    has_more_around = words.take(parent) > words
    has_more_around[0] = True
    return _nearest(has_more_around, ancestors)


def page_outline(page: Page) -> Outline:
    """Find the containers of a page that has rows, and sum what they hold."""
    blocks = page.blocks
    never = inside(NEVER_CONTENT.take(page.tag), page.end)
    allowed = ~never.take(blocks.first)
    words = np.multiply(blocks.words, allowed, dtype=np.float64)
    linked = np.multiply(blocks.linked_words, allowed, dtype=np.float64)
    prose = words * ((words >= PROSE_WORDS) & (linked < PROSE_LINKS * words))

    totals = _running_totals(page, never, allowed, prose)
    row, parent, container = _containers(page, never, allowed, totals[Sums._fields.index("chars")])
    end = page.end.take(row)
    sums = Sums(*(totals.take(end, axis=1) - totals.take(row, axis=1)).astype(np.float64))
    levels = int(page.level.max())
    ancestors, nesting = _ancestors(parent, levels), Nesting.of(row, end)
    outermost = find_outermost(sums.words, parent, ancestors)
    is_step = outermost == np.arange(len(row))
    is_step[0] = False
    outline = Outline(
        page=page, allowed=allowed, words=words, linked=linked, prose=prose,
        characters=count_characters(page), container=container,
        row=row, tag=page.tag.take(row), end=end, parent=parent, sums=sums, outermost=outermost,
        wider=outermost.take(parent.take(outermost)), is_step=is_step,
        depth=nesting.sum_outwards(is_step.astype(np.intp)), levels=levels,
    )  # fmt: skip
    outline.__dict__.update(ancestors=ancestors, nesting=nesting)  # known already
    return outline


def _nearest(marked: Bools, ancestors: list[Rows]) -> Rows:
    """Return for each container the nearest marked one: the last of those around it."""
    found = np.arange(len(marked))
    found[~marked] = -1
    for further_out in ancestors:  # pointer doubling
        np.maximum(found, found.take(further_out), out=found)
    return found


def _ancestors(parent: Rows, levels: int) -> list[Rows]:
    """Return the containers 1, 2, 4, ... levels further out, for pointer doubling."""
    found = [parent]
    for _ in range(levels.bit_length() - 1):
        found.append(found[-1].take(found[-1]))
    return found[: levels.bit_length()]


def _containers(
    page: Page, never: Bools, allowed: Bools, chars: Int32s
) -> tuple[Int32s, Rows, Rows]:
    """Return the rows of the containers, the parent of each, and the container of each block.

    `chars` has the number of characters before each row, and in the last place all of them.
    """
    blocks = page.blocks
    body = page.body
    is_container = BLOCK.take(page.tag)
    is_container &= chars.take(page.end) > chars[:-1]
    is_container &= ~never
    is_container[:body] = False
    is_container[body] = True
    row = is_container.nonzero()[0].astype(np.int32)
    index = np.zeros(len(page), np.intp)
    index[row] = np.arange(len(row))
    outer = blocks.around.take(np.maximum(page.parent.take(row), 0))
    parent = index.take(np.maximum(outer, 0))
    parent[0] = 0
    return row, parent, index.take(np.maximum(blocks.parent, 0)) * allowed


def _running_totals(page: Page, never: Bools, allowed: Bools, prose: Floats) -> Int32s:
    """Return each of `Sums` over all rows before a row; in the last place over the whole page."""
    tag, first = page.tag, page.blocks.first
    totals = np.zeros((len(Sums._fields), len(page) + 1), np.int32)
    # One line per field of `Sums`, so far with the number of each row alone.
    words, linked_words, chars, linked_chars, *counts = totals[:, 1:]
    tags, links, blocks, paragraphs, images, prose_words = counts
    may_be_content = ~never
    np.multiply(page.words, may_be_content, out=words)
    np.multiply(page.chars, may_be_content, out=chars)
    np.multiply(words, page.linked, out=linked_words)
    np.multiply(chars, page.linked, out=linked_chars)
    tags[:] = tag != 0
    links[:] = page.is_link
    blocks[first] = allowed
    paragraphs[:] = tag == NUMBER["p"]
    images[:] = tag == NUMBER["img"]
    prose_words[first] = prose
    totals.cumsum(axis=1, dtype=np.int32, out=totals)
    return totals
