"""The numbers behind the pictures of one page, at most a fixed number of points a curve.

    lines      content, code and their difference for each line, as AdDANAg sees them
    tokens     the number of tags before each token, as BTE sees it
    densities  the density of each element that holds text, as CETD sees it

Past `MOST_POINTS` points, neighbours are gathered in bins: of lines the mean, of elements the
densest, and a bin counts as kept when any of it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from thresher.methods.bte import BTE
from thresher.methods.cetd import CETD, density_sums
from thresher.methods.danag import AdDANAg, differences, normalised, regions_of_content
from thresher.page import Page
from thresher.page.array_types import Bools, Floats, Int64s
from thresher.page.arrays import subtree_sums

MOST_POINTS = 1_000  # more than a picture's width has pixels to tell apart

Kind: TypeAlias = Literal["text", "composite"]

_ADDANAG, _BTE = AdDANAg(), BTE()


def _starts(size: int) -> Int64s:
    """Where the bins begin that `size` points are gathered in; one each if they are few."""
    return np.unique(np.linspace(0, size, min(size, MOST_POINTS), endpoint=False, dtype=np.int64))


@dataclass(frozen=True, slots=True)
class Lines:
    """Content, code and difference of each line or bin of lines, and what is kept."""

    size: int  # lines
    length: int  # characters of a line
    edges: Int64s  # first line of each bin, then the end
    content: Floats
    code: Floats
    difference: Floats
    chosen: Bools  # any line of the bin


def lines(page: Page, method: AdDANAg = _ADDANAG) -> Lines:
    """Measure the lines of the source."""
    content, code = normalised(page.lines(method.length), method.filter)
    difference = differences(content, code)
    chosen = regions_of_content(content, difference, method.gap)
    size = len(content)
    start = _starts(size)
    if not size:
        none = np.zeros(0, np.float64)
        return Lines(0, method.length, start, none, none, none, chosen)
    edges = np.append(start, size)

    def mean(values: Int64s) -> Floats:
        means: Floats = np.add.reduceat(values, start) / np.diff(edges)
        return means

    return Lines(
        size=size,
        length=method.length,
        edges=edges,
        content=mean(content),
        code=mean(code),
        difference=mean(difference),
        chosen=np.logical_or.reduceat(chosen, start),
    )


@dataclass(frozen=True, slots=True)
class Tokens:
    """The number of tags before some of the tokens, and the first and last token kept."""

    size: int  # tokens
    at: Int64s  # places between tokens, from 0 to `size`
    tags: Int64s
    span: tuple[int, int] | None  # places as well


def tokens(page: Page, method: BTE = _BTE) -> Tokens:
    """Count the tags along the page, and find where the kept words begin and end."""
    is_word, row = page.tokens.is_word, page.tokens.row
    size = len(row)
    at = np.append(_starts(size), size)
    tags = np.concatenate(([0], np.cumsum(~is_word)))[at]
    kept_row = np.zeros(len(page), np.bool_)
    kept_row[method(page).rows] = True
    kept = np.flatnonzero(is_word & kept_row[row])
    return Tokens(size, at, tags, (int(kept[0]), int(kept[-1]) + 1) if len(kept) else None)


@dataclass(frozen=True, slots=True)
class Densities:
    """The density of the elements that hold text; when many, the densest of each bin."""

    kind: Kind
    size: int  # elements that hold text
    at: Int64s  # which of them are given
    density: Floats
    kept: Bools
    threshold: float | None


def densities(page: Page, kind: Kind) -> Densities:
    """Measure the elements of the body; one is kept when all its visible text is."""
    method = CETD(density=kind)
    chars = np.where(page.hidden, 0, page.chars)
    below = subtree_sums(chars, page.end)
    in_body = np.zeros(len(page), np.bool_)
    in_body[max(page.body, 0) : page.end[page.body] if len(page) else 0] = True
    rows = np.flatnonzero(in_body & (page.tag != 0) & (below > 0))
    if not len(rows):
        none = np.zeros(0, np.int64)
        return Densities(kind, 0, none, none.astype(np.float64), none.astype(np.bool_), None)
    density = method.densities(page)
    threshold = method.least_density(page, density, density_sums(page, density))
    kept_text = np.zeros(len(page), np.bool_)
    kept_text[method(page).rows] = True
    kept = (subtree_sums(np.where(kept_text, chars, 0), page.end) == below)[rows]
    at = _densest(density[rows], kept)
    return Densities(kind, len(rows), at, density[rows][at], kept[at], threshold)


def _densest(density: Floats, kept: Bools) -> Int64s:
    """The nodes to draw: of each bin the densest kept one and the densest dropped one."""
    of_bin = np.searchsorted(_starts(len(density)), np.arange(len(density)), side="right")
    group = 2 * of_bin + kept
    order = np.lexsort((-density, group))
    first = np.diff(group[order], prepend=-1) != 0
    found: Int64s = np.sort(order[first])
    return found
