"""CETD: content extraction via text density (Sun, Song, Liao 2011; thesis 3.2.7).

For a node with C characters and T tags below it, LC and LT of them in links, and LC_b and C_b those
of the body:
    TD = C / T                                                                             (3.1)
    CTD = C / T * log_base(C / LC * T / LT)                                                (3.2)
    base = ln(C / (C - LC) * LC + LC_b / C_b * C + e)
A zero denominator counts as 1, also inside the base; a node without characters has density 0.
DensitySum of a node is the sum of its children's densities, text children included; of a leaf, its
own density.

The threshold is the density of the body (thesis) or the least density on the path from the node of
the largest DensitySum up to the body (original). For each node at or above it, the node of the
largest DensitySum inside it (the first on ties) is content, with its whole subtree.

Departures: T counts the elements below the node; a link is `a` with an `href`, `button` or
`select`. Hidden nodes, including scripts and styles, are neither counted nor kept. A node of
density 0 is never content, so that nothing is kept of a page that has only links.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from thresher.methods.common.option_checks import Options
from thresher.page import Page, Selection
from thresher.page.array_types import Floats
from thresher.page.arrays import inside, subtree_max_row, subtree_sums
from thresher.page.tags import lookup

_CONTROL = lookup("button select")  # links too, for the thesis


def text_density(chars: npt.ArrayLike, tags: npt.ArrayLike) -> Floats:
    """Return TD of many nodes (formula 3.1)."""
    return np.asarray(chars, np.float64) / _at_least_1(tags)


def composite_density(
    chars: npt.ArrayLike,
    tags: npt.ArrayLike,
    link_chars: npt.ArrayLike,
    link_tags: npt.ArrayLike,
    body_link_chars: float,
    body_chars: float,
) -> Floats:
    """Return CTD of many nodes (formula 3.2)."""
    c, plain_chars = np.asarray(chars, np.float64), np.subtract(chars, link_chars)
    t, lc, lt = _at_least_1(tags), _at_least_1(link_chars), _at_least_1(link_tags)
    share = body_link_chars / max(body_chars, 1.0)
    base = np.log(c / _at_least_1(plain_chars) * lc + share * c + np.e)
    logarithm = np.log(np.maximum(c, 1.0) / lc * t / lt) / np.log(np.maximum(base, _LEAST_BASE))
    density: Floats = np.where(c > 0, c / t * logarithm, 0.0)
    return density


_LEAST_BASE = np.log(1 + np.e)  # of a node with characters; nodes without have density 0


def _at_least_1(values: npt.ArrayLike) -> Floats:
    numbers = np.asarray(values, np.float64)
    return np.where(numbers > 0, numbers, 1.0)


@dataclass(frozen=True, slots=True)
class CETD(Options):
    """Keep the subtrees densest in text, few in tags and links."""

    density: Literal["composite", "text"] = "composite"  # formula 3.2, or 3.1
    threshold: Literal["path", "body"] = "path"  # original, or thesis

    def __call__(self, page: Page) -> Selection:
        """Return the visible text of the densest subtrees."""
        if page.body < 0:
            return page.none()
        density = self.densities(page)
        density_sum = density_sums(page, density)
        at_least = self.least_density(page, density, density_sum)
        dense = (density >= at_least) & (density > 0) & (page.tag != 0)
        dense[: page.body] = dense[page.end[page.body] :] = False
        richest = subtree_max_row(density_sum, page.end)[dense]
        return page.under(richest) - page.where(page.hidden)

    def densities(self, page: Page) -> Floats:
        """Return the density of every row; a text row is a node with no tags below it."""
        chars = np.where(page.hidden, 0, page.chars)
        is_link = (page.is_link | _CONTROL[page.tag]) & ~page.hidden
        is_element = (page.tag != 0) & ~page.hidden
        in_link = inside(is_link, page.end)
        c = subtree_sums(chars, page.end)
        t = subtree_sums(is_element, page.end) - is_element
        if self.density == "text":
            return text_density(c, t)
        lc = subtree_sums(np.where(in_link, chars, 0), page.end)
        lt = subtree_sums(is_link, page.end) - is_link
        return composite_density(c, t, lc, lt, float(lc[page.body]), float(c[page.body]))

    def least_density(self, page: Page, density: Floats, density_sum: Floats) -> float:
        """Return the threshold: the least density of content."""
        if self.threshold == "body":
            return float(density[page.body])
        within = slice(page.body, page.end[page.body])
        row = page.body + int(np.argmax(density_sum[within]))
        least = float(density[row])
        while row != page.body:
            row = int(page.parent[row])
            least = min(least, float(density[row]))
        return least


def density_sums(page: Page, density: Floats) -> Floats:
    """Return DensitySum of every element.

    That of a leaf, its own density, is 0: an element with text has the text as a child.
    """
    has_parent = page.parent >= 0
    sums = np.bincount(page.parent[has_parent], density[has_parent], len(page))
    return sums.astype(np.float64)
