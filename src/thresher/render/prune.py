"""A tree of the kept rows alone: what every renderer but plain text starts from."""

from __future__ import annotations

import numpy as np
import turbohtml

from thresher.arrays import inside, nearest, subtree_sums
from thresher.columns import Bools
from thresher.layout import side_by_side
from thresher.page import Page, Selection
from thresher.render.numbers import pin_numbers
from thresher.tags import BLOCK, NUMBER

__all__ = ["pruned"]


def pruned(selection: Selection) -> turbohtml.Element:
    """Return the body of a new tree that holds only what the selection keeps.

    Text that is dropped goes, and so do the elements that follow it (see `Selection.kept`).
    """
    while selection.page.base is not None:  # only a page that was parsed has a tree
        selection = selection.lift()
    page = selection.page
    if page.body < 0:
        return turbohtml.Element("body")
    nodes = page.load(page, False)
    kept = selection.kept | _formulas(page, selection.kept)
    kept[: page.body + 1] = True
    top = ~kept & kept[np.maximum(page.parent, 0)]
    body: turbohtml.Element = nodes[page.body]
    pin_numbers(body)  # an item keeps its number when those before it go
    for row in np.flatnonzero(top).tolist():
        nodes[row].extract()
    rows = page.text_rows[selection.keep]
    for row in rows[side_by_side(page, rows)].tolist():
        nodes[row].data = f" {nodes[row].data}"  # as in plain text: two links do not stick together
    return body


def _formulas(page: Page, kept: Bools) -> Bools:
    """Scripts that hold a formula (`type="math/tex"`) beside kept text, with the code in them."""
    found = np.zeros(len(page), np.bool_)
    for row in np.flatnonzero(page.tag == NUMBER["script"]).tolist():
        found[row] = page.attributes(row).get("type", "").lower().startswith("math/tex")
    if not found.any():
        return found
    is_text = (page.tag == 0) & kept
    block = nearest(BLOCK[page.tag], page.parent)
    beside = (subtree_sums(is_text, page.end) > 0)[block] & (block >= 0)
    return subtree_sums(inside(found & beside, page.end), page.end) > 0
