"""The frame: the blocks of a page, the containers around them, and what each container holds.

A *container* is a block-level element with words below it. Of a chain of containers that hold the
same words (a `div` in a `div` in a `section`) the outermost stands for all: going up from it, one
always meets more text. So the ancestors of a block are steps that mean something on every page,
however deep its markup is nested.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from thresher.arrays import inside, nearest
from thresher.columns import Bools
from thresher.features.characters import Characters, characters
from thresher.page import Page
from thresher.tags import BLOCK, NUMBER, lookup

__all__ = ["SUMS", "Floats", "Frame", "Places", "frame", "within"]

Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.intp]

# Their text is a copy, a form's content or code, never part of an article.
NEVER = lookup("head title textarea select option optgroup datalist script style")

# What is summed over the subtree of each container.
SUMS = (
    "words", "linked words", "chars", "linked chars", "tags", "links", "blocks", "paragraphs",
    "images", "prose", "digits",
)  # fmt: skip

PROSE_WORDS = 15  # a block of prose: at least so many words,
PROSE_LINKS = 0.3  # and less than this share of them in links


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
    home: Places  # the container of each block
    row: npt.NDArray[np.int32]  # of each container; the first is the body
    end: npt.NDArray[np.int32]
    parent: Places  # its container; the first is its own
    sums: Floats  # one line for each of SUMS, one column per container
    top: Places  # the outermost container with the same words
    climb: Places  # from a container to the `top` of the next one with more words
    depth: Places  # how many times one can climb
    levels: int  # of the page's tree: what pointer doubling must cover

    def __len__(self) -> int:
        """Return the number of blocks."""
        return len(self.home)


def frame(page: Page) -> Frame:
    """Find the containers of a page that is not empty, and sum what they hold."""
    blocks = page.blocks
    never = inside(NEVER[page.tag], page.end)
    allowed = ~never[blocks.first]
    words, linked = blocks.words * allowed, blocks.linked_words * allowed
    prose = words * ((words >= PROSE_WORDS) & (linked < PROSE_LINKS * words))
    found = characters(page, len(blocks))

    row, parent, home = _containers(page, never, allowed)
    end = page.end[row]
    sums = _sums(page, never, allowed, prose, found, row, end)
    total = sums[0]
    more = total[parent] > total
    more[0] = True
    above = parent.copy()
    above[0] = -1
    top = nearest(more, above)
    climb = top[parent[top]]
    is_step = top == np.arange(len(row))
    is_step[0] = False
    depth = within(is_step.astype(np.int64), row, end).astype(np.intp)
    return Frame(
        page, allowed, words.astype(np.float64), blocks.chars.astype(np.float64),
        linked.astype(np.float64), prose.astype(np.float64), found, home, row, end, parent, sums,
        top, climb, depth, int(page.level.max()),
    )  # fmt: skip


def _containers(
    page: Page, never: Bools, allowed: Bools
) -> tuple[npt.NDArray[np.int32], Places, Places]:
    """Return the rows of the containers, the parent of each, and the container of each block."""
    around = page.blocks.around
    body = page.body
    counted = np.zeros(len(page) + 1, np.int64)
    np.cumsum(np.where(never, 0, page.chars), out=counted[1:])
    is_container = BLOCK[page.tag] & (counted[page.end] > counted[:-1]) & ~never
    is_container[:body] = False
    is_container[body] = True
    row = is_container.nonzero()[0].astype(np.int32)
    index = is_container.cumsum() - 1
    index[~is_container] = 0
    outer = around[np.maximum(page.parent[row], 0)]
    parent = index[np.maximum(outer, 0)]
    parent[0] = 0
    home = np.where(allowed, index[np.maximum(page.blocks.parent, 0)], 0)
    return row, parent, home


def _sums(
    page: Page,
    never: Bools,
    allowed: Bools,
    prose: npt.NDArray[np.integer],
    found: Characters,
    row: npt.NDArray[np.int32],
    end: npt.NDArray[np.int32],
) -> Floats:
    """Sum each quantity over the subtree of each container: one prefix sum for all."""
    tag, first = page.tag, page.blocks.first
    counted = np.zeros((len(SUMS), len(page) + 1))
    each = counted[:, 1:]
    each[0], each[2] = page.words, page.chars
    each[0:3:2, never] = 0
    each[1], each[3] = each[0] * page.linked, each[2] * page.linked
    each[4] = tag != 0
    each[5] = tag == NUMBER["a"]
    each[6, first] = allowed
    each[7] = tag == NUMBER["p"]
    each[8] = tag == NUMBER["img"]
    each[9, first] = prose
    each[10, first] = found.digits * allowed
    counted.cumsum(axis=1, out=counted)
    sums: Floats = counted.take(end, axis=1) - counted.take(row, axis=1)
    return sums


def within(
    values: npt.NDArray[np.generic],
    row: npt.NDArray[np.int32],
    end: npt.NDArray[np.int32],
) -> npt.NDArray[np.generic]:
    """Sum the values of each container and of all containers around it.

    What began at or before it, less what ended by then; sums of unsigned numbers may wrap round.
    """
    begun = values.cumsum()
    order = end.argsort(kind="stable")
    ended = np.concatenate((values[:1] * 0, values[order].cumsum()))
    found: npt.NDArray[np.generic] = begun - ended[end[order].searchsorted(row, side="right")]
    return found
