"""All blocks of a page in order of relevance, and its menus (Insa, Silva, Tamarit 2013, section 7).

Blocks: the node that the words/leaves ratio finds best is a block; its subtree is removed from the
tree, everything is computed anew for what is left, and the next best node is the next block. Each
round is linear in the page, so their number is bounded.

Menus: "big concentrations of links in the DOM tree", of links with one or two words. For a node,
    HR = words of its links that have one or two words / all its words
A menu is a node with HR of at least `share` and at least `links` such links, unless a node around
it is one.

Departures: the paper calls the study of menus preliminary and gives neither ratio nor thresholds;
those here are ours. Words are counted instead of links, so that one paragraph beside many links is
not lost in a menu. What is hidden counts nothing and is in no part.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from thresher.errors import UsageError
from thresher.methods.wlr.ratios import WLR, Family, best_row
from thresher.page import Page, Selection
from thresher.page.array_types import Bools, Floats, Int64s
from thresher.page.arrays import inside, subtree_sums
from thresher.page.tags import NUMBER

_WLR = WLR()
_SHORT = 2  # words of a link in a menu; paper 7: one or two


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A part of a page. A page may have very many, so each makes its selection when asked."""

    page: Page
    row: int  # of its root
    shown: Bools  # rows of the page that may be text of a part

    @property
    def selection(self) -> Selection:
        """The text of the part."""
        mask = np.zeros(len(self.page), np.bool_)
        part = slice(self.row, self.page.end[self.row])
        mask[part] = self.shown[part]
        return self.page.where(mask)


def blocks(page: Page, *, method: Family = _WLR, most: int = 10) -> list[Part]:
    """Return the blocks of a page, the most relevant first, at most so many.

    The text of a block that was found is in no later one, also when that is around it.
    """
    if not isinstance(method, Family):
        raise UsageError(f"method is {method!r}: give one of the family, as in method=CLR().")
    if most < 0:
        raise UsageError(f"most is {most}: give a number from 0.")
    found: list[Part] = []
    removed = page.hidden.copy()
    while len(found) < most:
        row = best_row(page, method, removed)
        if row < 0:
            break
        found.append(Part(page, row, ~removed))
        removed[row : page.end[row]] = True
    return found


def menus(page: Page, *, share: float = 0.5, links: int = 3) -> list[Part]:
    """Return the subtrees that are menus, in document order.

    `share` was set to a half, of 0.4 to 1.0 on 200 pages of wcxb-dev: lower finds more of what
    pages mark as `<nav>` (see docs/methods/wlr.md), but most words of a menu should be its links'.
    `links` was not swept.
    """
    if not 0 < share <= 1:
        raise UsageError(f"share is {share}: give a number above 0, at most 1.")
    if links < 1:
        raise UsageError(f"links is {links}: give a number from 1.")
    ratio, count = hyperlink_ratios(page)
    is_menu = (ratio >= share) & (count >= links)
    is_menu[: max(page.body, 0)] = False  # what is above the body
    outermost = is_menu.copy()
    outermost[1:] &= ~inside(is_menu, page.end)[page.parent[1:]]
    shown = ~page.hidden
    return [Part(page, row, shown) for row in outermost.nonzero()[0].tolist()]


def hyperlink_ratios(
    page: Page,
) -> tuple[Floats, Int64s]:
    """Return HR of every row, and the number of links with one or two words in it."""
    words = np.where(page.hidden, 0, page.words)
    below = subtree_sums(words, page.end)
    is_short = (page.tag == NUMBER["a"]) & (below > 0) & (below <= _SHORT)
    short_words = subtree_sums(np.where(inside(is_short, page.end), words, 0), page.end)
    ratio: Floats = short_words / np.maximum(below, 1)
    return ratio, subtree_sums(is_short, page.end)
