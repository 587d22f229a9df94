"""The frame: the blocks of a page, the containers around them, and what each container holds.

A *container* is a block-level element with words below it. Of a chain of containers that hold the
same words (a `div` in a `div` in a `section`) the outermost stands for all: going up from it, one
always meets more text. So the ancestors of a block are steps that mean something on every page,
however deep its markup is nested.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from thresher.methods.default.features.characters import Characters, characters
from thresher.page import Page
from thresher.page.array_types import Bools, Floats, Int32s, Rows, UInt16s
from thresher.page.arrays import inside
from thresher.page.tags import BLOCK, NEVER_CONTENT, NUMBER
from thresher.page.views import PROSE_LINKS, PROSE_WORDS

Scalar = TypeVar("Scalar", np.int64, np.uint64, np.float64)

# What is summed over the subtree of each container.
SUMS = (
    "words", "linked words", "chars", "linked chars", "tags", "links", "blocks", "paragraphs",
    "images", "prose",
)  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Nesting:
    """Which containers have ended where another one begins."""

    order: Rows  # the containers by their ends
    ended: Rows  # how many have ended before each begins

    @classmethod
    def of(cls, row: Int32s, end: Int32s) -> Nesting:
        """Sort containers by their ends; in 16 bits, where they fit, in linear time."""
        order = (end.astype(np.int16) if end.max() < 2**15 else end).argsort(kind="stable")
        return cls(order, end.take(order).searchsorted(row, side="right"))

    def within(self, values: npt.NDArray[Scalar]) -> npt.NDArray[Scalar]:
        """Sum the values of each container and of all containers around it; lines are apart.

        What began at or before it, less what ended by then; unsigned numbers may wrap round.
        """
        ended = np.zeros((*values.shape[:-1], values.shape[-1] + 1), values.dtype)
        values.take(self.order, axis=-1).cumsum(axis=-1, out=ended[..., 1:])
        found: npt.NDArray[Scalar] = values.cumsum(axis=-1) - ended.take(self.ended, axis=-1)
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """The blocks of a page and their containers, both in document order."""

    page: Page
    allowed: Bools  # of each block: it may be content
    words: Floats  # of each block, and the two below
    chars: Floats
    linked: Floats  # words in links
    prose: Floats  # its words when it is prose, else 0
    characters: Characters
    home: Rows  # the container of each block
    row: Int32s  # of each container; the first is the body
    tag: UInt16s
    end: Int32s
    parent: Rows  # its container; the first is its own
    sums: Floats  # one line for each of SUMS, one column per container
    top: Rows  # the outermost container with the same words
    climb: Rows  # from a container to the `top` of the next one with more words
    is_step: Bools  # it is its own `top`, and not the body
    depth: Rows  # how many times one can climb
    nesting: Nesting
    jumps: list[Rows]  # the containers 1, 2, 4, ... further out

    def __len__(self) -> int:
        """Return the number of blocks."""
        return len(self.home)

    def nearest(self, marked: Bools) -> Rows:
        """Return of each container the nearest marked one, itself or around it, -1 for none."""
        return _nearest(marked, self.jumps)


def frame(page: Page) -> Frame:
    """Find the containers of a page that is not empty, and sum what they hold."""
    blocks = page.blocks
    never = inside(NEVER_CONTENT.take(page.tag), page.end)
    allowed = ~never.take(blocks.first)
    words = np.multiply(blocks.words, allowed, dtype=np.float64)
    linked = np.multiply(blocks.linked_words, allowed, dtype=np.float64)
    prose = words * ((words >= PROSE_WORDS) & (linked < PROSE_LINKS * words))
    found = characters(page, len(blocks))

    counted = _counted(page, never, allowed, prose)
    row, parent, home = _containers(page, never, allowed, counted[2])
    end = page.end.take(row)
    sums = (counted.take(end, axis=1) - counted.take(row, axis=1)).astype(np.float64)
    total = sums[0]
    more = total.take(parent) > total
    more[0] = True
    jumps = _jumps(parent, int(page.level.max()))
    top = _nearest(more, jumps)
    climb = top.take(parent.take(top))
    is_step = top == np.arange(len(row))
    is_step[0] = False
    nesting = Nesting.of(row, end)
    return Frame(
        page, allowed, words, blocks.chars.astype(np.float64), linked, prose, found, home, row,
        page.tag.take(row), end, parent, sums, top, climb, is_step,
        nesting.within(is_step.astype(np.intp)), nesting, jumps,
    )  # fmt: skip


def _nearest(marked: Bools, jumps: list[Rows]) -> Rows:
    """Return of each container the nearest marked one: of those around it, the last."""
    found = np.where(marked, np.arange(len(marked)), -1)
    for jump in jumps:  # pointer doubling
        np.maximum(found, found.take(jump), out=found)
    return found


def _jumps(parent: Rows, levels: int) -> list[Rows]:
    """Return the containers 1, 2, 4, ... further out: what pointer doubling goes by."""
    jumps = [parent]
    for _ in range(levels.bit_length() - 1):
        jumps.append(jumps[-1].take(jumps[-1]))
    return jumps[: levels.bit_length()]


def _containers(
    page: Page, never: Bools, allowed: Bools, chars: Int32s
) -> tuple[Int32s, Rows, Rows]:
    """Return the rows of the containers, the parent of each, and the container of each block.

    `chars` counts the characters before each row, and in the end all.
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
    home = index.take(np.maximum(blocks.parent, 0)) * allowed
    return row, parent, home


def _counted(
    page: Page,
    never: Bools,
    allowed: Bools,
    prose: Floats,
) -> Int32s:
    """Count each of SUMS before each row, and in the end all: prefix sums."""
    tag, first = page.tag, page.blocks.first
    counted = np.zeros((len(SUMS), len(page) + 1), np.int32)
    each = counted[:, 1:]
    counts = ~never
    np.multiply(page.words, counts, out=each[0])
    np.multiply(page.chars, counts, out=each[2])
    np.multiply(each[0:3:2], page.linked, out=each[1:4:2])
    each[4] = tag != 0
    each[5] = tag == NUMBER["a"]
    each[6, first] = allowed
    each[7] = tag == NUMBER["p"]
    each[8] = tag == NUMBER["img"]
    each[9, first] = prose
    counted.cumsum(axis=1, dtype=np.int32, out=counted)
    return counted
