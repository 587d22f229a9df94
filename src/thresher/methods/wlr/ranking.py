"""All blocks of a page in order of relevance, and its menus (Insa, Silva, Tamarit 2013, section 7).

Blocks: the best node by the words/leaves ratio is a block; its subtree is removed from the tree,
everything is computed again for the rest, and the next best node is the next block. Each round
takes time linear in the page, so the number of rounds is limited.

Menus: "big concentrations of links in the DOM tree", of links with one or two words. For a node,
    HR = words of its links that have one or two words / all its words
A menu is a node with HR of at least `share` and at least `links` such links that is not inside
another menu.

Departures: the paper calls the study of menus preliminary and gives neither ratio nor thresholds;
those here are ours. Words are counted instead of links, so that a paragraph beside many links is
not part of a menu. Hidden text is not counted and is in no part.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from thresher.errors import UsageError
from thresher.methods.common.option_checks import Range, check_option
from thresher.methods.wlr.ratios import WLR, RatioMethod, best_row
from thresher.page import Page, Selection
from thresher.page.array_types import Bools, Floats, Int64s
from thresher.page.arrays import inside, subtree_sums

_WLR = WLR()
_SHORT = 2  # words of a link in a menu; paper 7: one or two


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A part of a page; its selection is made on access, since a page may have very many parts."""

    page: Page
    row: int  # of its root
    shown: Bools  # rows of the page whose text may be in the part

    @property
    def selection(self) -> Selection:
        """The text of the part."""
        mask = np.zeros(len(self.page), np.bool_)
        part = slice(self.row, self.page.end[self.row])
        mask[part] = self.shown[part]
        return self.page.where(mask)


def blocks(page: Page, *, method: RatioMethod = _WLR, most: int = 10) -> list[Part]:
    """Return at most `most` blocks of a page, the most relevant first.

    The text of a block is in no later block, even if that one is around it.
    """
    if not isinstance(method, RatioMethod):
        raise UsageError(f"method is {method!r}: give WLR(), CLR(), WNR() or CNR().")
    check_option("most", most, Annotated[int, Range(0)])
    parts: list[Part] = []
    removed = page.hidden.copy()
    while len(parts) < most and (row := best_row(page, method, removed)) >= 0:
        parts.append(Part(page, row, ~removed))
        removed[row : page.end[row]] = True
    return parts


def menus(page: Page, *, share: float = 0.5, links: int = 3) -> list[Part]:
    """Return the subtrees that are menus, in document order.

    `share` was swept from 0.4 to 1.0 on 200 pages of wcxb-dev: lower values find more of the
    elements that pages mark as `<nav>` (see docs/methods/wlr.md), but most words of a menu should
    be in links. `links` was not swept.
    """
    check_option("share", share, Annotated[float, Range(0, 1, without=(0,))])
    check_option("links", links, Annotated[int, Range(1)])
    ratio, count = hyperlink_ratios(page)
    is_menu = (ratio >= share) & (count >= links)
    is_menu[: max(page.body, 0)] = False  # nodes above the body
    outermost = is_menu.copy()
    outermost[1:] &= ~inside(is_menu, page.end)[page.parent[1:]]
    shown = ~page.hidden
    return [Part(page, row, shown) for row in outermost.nonzero()[0].tolist()]


def hyperlink_ratios(page: Page) -> tuple[Floats, Int64s]:
    """Return HR of every row, and the number of links with one or two words in it."""
    words = np.where(page.hidden, 0, page.words)
    below = subtree_sums(words, page.end)
    is_short = page.is_link & (below > 0) & (below <= _SHORT)
    short_words = subtree_sums(np.where(inside(is_short, page.end), words, 0), page.end)
    ratio: Floats = short_words / np.maximum(below, 1)
    return ratio, subtree_sums(is_short, page.end)
