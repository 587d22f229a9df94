"""Link clutter by level (Mantratzis, Orgun, Cassidy 2005; thesis 3.2.2).

Every level of the tree is searched for lists of links, tight ones (`<ul>` with a link in each item)
and loose ones (links and wrapped links between other nodes), scored by the amount of links and by
their place in the tree. With C characters below a node, LC of them in links:
    a node is a link unit when LC > 0 and LC / C >= unit
    s(n) = children of n that are link units / children of n with characters
    n is a list of links when it has at least `least` link units and s(n) >= share
The link units of every list of links are clutter, with their subtrees; the rest is content.

Departures: neither the thesis nor the abstract gives a formula; the one above is ours. Since a
unit may be a whole list, or a row of a table, the same rule at each level finds lists, tables of
links and columns of lists. A link is the smallest unit: nodes inside a link are not lists. Nodes
between the units of a loose list are kept. Hidden text is neither counted nor kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from thresher.methods.common.option_checks import Options, Range, Share
from thresher.page import Page, Selection
from thresher.page.array_types import Bools, Floats, Int32s, Int64s
from thresher.page.arrays import inside, subtree_sums


@dataclass(frozen=True, slots=True)
class Mantratzis(Options):
    """Keep the text that is not in a list of links, at any level of the tree."""

    unit: Share = 0.75  # share of linked characters; swept on wcxb-dev and fundus, see docs
    least: Annotated[int, Range(1)] = 2  # least number of link units in a list; ours
    share: Share = 0.5  # share of the children that are link units; swept like unit

    def __call__(self, page: Page) -> Selection:
        """Return the text without the link units of every list of links."""
        if not len(page):
            return page.none()
        chars = np.where(page.hidden, 0, page.chars)
        below = subtree_sums(chars, page.end)
        units = self.link_units(page, chars, below)
        is_list = self.link_lists(page, below, units)[0]
        clutter = np.zeros(len(page), np.bool_)
        clutter[1:] = units[1:] & is_list.take(page.parent[1:])
        return page.where(~inside(clutter, page.end) & ~page.hidden)

    def link_units(self, page: Page, chars: Int32s, below: Int64s) -> Bools:
        """Return one bool per row: True for a link unit; `below` is C of each row."""
        linked = subtree_sums(chars * page.linked, page.end)
        is_unit: Bools = (linked > 0) & (linked >= self.unit * below)
        return is_unit

    def link_lists(self, page: Page, below: Int64s, units: Bools) -> tuple[Bools, Floats]:
        """Return one bool per row, True for a list of links, and s of every row."""
        parent, size = page.parent[1:], len(page)
        amount = np.bincount(parent.compress(units[1:]), minlength=size)
        children = np.bincount(parent.compress(below[1:] > 0), minlength=size)
        s = amount / np.maximum(children, 1)
        return (amount >= self.least) & (s >= self.share) & ~page.linked, s
