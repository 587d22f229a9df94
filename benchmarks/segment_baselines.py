"""Simple ways to divide a page, to compare segmentations with.

    whole page           one segment
    leaves               each visible text, image or other element with nothing visible inside
    elements at depth d  the elements d levels below the body, and leaves above; 1: children of body
    text blocks          runs of text that no block-level tag interrupts, as `Page.blocks`
    block fusion         neighbouring text blocks of similar text density are one segment
                         (Kohlschütter, Nejdl 2008, "A densitometric approach to web page
                         segmentation")

The last two need no browser. A way to divide a page is a function from a page to the rows of each
segment.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from thresher.page.array_types import Bools, Rows
from thresher.page.arrays import subtree_sums
from thresher.visual import RenderedPage

Division: TypeAlias = Callable[[RenderedPage], list[Rows]]

LINE = 80  # characters, for text density


def whole_page(page: RenderedPage) -> list[Rows]:
    """Return the page as one segment."""
    return [np.array([0])] if len(page) else []


def leaves(page: RenderedPage) -> list[Rows]:
    """Return each visible row with nothing visible inside."""
    shown = _shown(page)
    return _each(shown & (subtree_sums(shown, page.end) == 1))


@dataclass(frozen=True, slots=True)
class AtDepth:
    """Divide a page into the elements some levels below its body."""

    depth: int

    def __call__(self, page: RenderedPage) -> list[Rows]:
        """Return the elements at the depth with something visible inside, and leaves above it."""
        if not len(page):
            return []
        shown = _shown(page)
        inside = subtree_sums(shown, page.end)
        depth = page.level - page.level[page.body]
        above = (depth >= 0) & (depth < self.depth) & shown & (inside == 1)
        return _each(above | ((depth == self.depth) & (inside > 0)))


def text_blocks(page: RenderedPage) -> list[Rows]:
    """Return the texts of each block."""
    blocks = page.blocks
    solid = blocks.of_text >= 0
    starts = np.searchsorted(blocks.of_text[solid], np.arange(1, len(blocks)))
    found = np.split(page.text_rows[solid].astype(np.intp), starts)
    return [rows for rows in found if len(rows)]


@dataclass(frozen=True, slots=True)
class BlockFusion:
    """Join neighbouring text blocks whose densities differ by at most a share of the larger one.

    The density of a block is its words per line of 80 characters, its last line left out if there
    are others. Two blocks are joined if |d1 - d2| / max(d1, d2) is at most `threshold`; passes over
    the page are repeated until nothing changes. Of the paper's variants this is the plain one.
    """

    threshold: float  # paper: 0.38

    def __call__(self, page: RenderedPage) -> list[Rows]:
        """Return the texts of each segment."""
        groups = text_blocks(page)
        texts = [[_collapsed(page, rows)] for rows in groups]
        while True:
            joined: list[Rows] = []
            words: list[list[str]] = []
            for rows, text in zip(groups, texts, strict=True):
                if words and self._fits(density(words[-1]), density(text)):
                    joined[-1] = np.concatenate([joined[-1], rows])
                    words[-1] = words[-1] + text
                else:
                    joined.append(rows)
                    words.append(text)
            if len(joined) == len(groups):
                return groups
            groups, texts = joined, words

    def _fits(self, one: float, other: float) -> bool:
        largest = max(one, other)
        return largest == 0 or abs(one - other) / largest <= self.threshold


def density(texts: list[str]) -> float:
    """Return the words per line of 80 characters, the last line left out if there are others."""
    words = [word for text in texts for word in text.split()]
    lines, length, full = 1, 0, 0
    for place, word in enumerate(words):
        if length and length + 1 + len(word) > LINE:
            lines, length, full = lines + 1, 0, place
        length += len(word) + (length > 0)
    return full / (lines - 1) if lines > 1 else float(len(words))


def _collapsed(page: RenderedPage, rows: Rows) -> str:
    return " ".join(page.text(row) for row in rows.tolist())


def _shown(page: RenderedPage) -> Bools:
    shown: Bools = page.visible & ((page.tag != 0) | (page.chars > 0))
    return shown


def _each(chosen: Bools) -> list[Rows]:
    return [np.array([row]) for row in np.flatnonzero(chosen).tolist()]
