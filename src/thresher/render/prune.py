"""A tree of the kept rows alone: what every renderer but plain text starts from."""

from __future__ import annotations

from itertools import compress
from typing import Any

import numpy as np
import turbohtml

from thresher.page import Page, Selection
from thresher.page.array_types import Bools
from thresher.page.arrays import inside, nearest, subtree_sums
from thresher.page.plain_text import data_tables, parting_spaces, side_by_side
from thresher.page.plain_text.lists import LIST, item_numbers
from thresher.page.tags import BLOCK, NUMBER
from thresher.render.kept_gaps import parted
from thresher.render.kept_images import pictures


def pruned(selection: Selection) -> turbohtml.Element:
    """Return the body of a new tree that holds only what the selection keeps.

    Text that is dropped goes, and so do the elements that follow it (see `Selection.kept`); images
    between kept text stay (see `pictures`), and so does white space that parts kept words, though
    it stands in an element of its own, as in highlighted code. A block that goes from between two
    texts still parts them (see `parted`).
    """
    while selection.page.base is not None:  # only a page that was parsed has a tree
        selection = selection.lift()
    page = selection.page
    if page.body < 0:
        return turbohtml.Element("body")
    nodes = page.load(page, False)
    kept = selection.kept | _formulas(page, selection.kept) | pictures(selection)
    kept |= _spaces(selection, kept)
    kept[: page.body + 1] = True
    top = ~kept & kept[np.maximum(page.parent, 0)]
    body: turbohtml.Element = nodes[page.body]
    _pin(page, nodes)
    rows = page.text_rows[selection.keep]
    gaps = parted(page, rows[page.chars[rows] > 0], kept)
    top[gaps.branches] = False
    for row in gaps.branches.tolist():
        nodes[row].replace_with(turbohtml.Element("div"))
    for row in np.flatnonzero(top).tolist():
        nodes[row].extract()
    texts = [text or "" for text in compress(page.texts, selection.keep.tobytes())]
    apart = rows[side_by_side(page, rows, texts)]  # as in plain text: links do not stick together
    for row in np.union1d(apart, gaps.spaced).tolist():
        nodes[row].data = f" {nodes[row].data}"
    return body


def _pin(page: Page, nodes: list[Any]) -> None:
    """Write into the tree what depends on text that may go.

    That is the numbers of list items, and whether a table holds data (as in plain text).
    """
    lists = np.flatnonzero(LIST[page.tag])
    for row, number in item_numbers(page, lists, page.attributes).items():
        nodes[row].attrs["value"] = str(number)
    data = data_tables(page, page.attributes)
    for row in np.flatnonzero(page.tag == NUMBER["table"]).tolist():
        nodes[row].attrs["role"] = "table" if data[row] else "presentation"


def _spaces(selection: Selection, kept: Bools) -> Bools:
    """White space that parts kept words, as in plain text, and the elements around it."""
    page = selection.page
    found = np.zeros(len(page), np.bool_)
    spaces = parting_spaces(page, page.texts, selection.keep)
    spaces = spaces[~kept[spaces]]
    if not len(spaces):
        return found
    found[spaces] = True
    return subtree_sums(found, page.end) > 0


def _formulas(page: Page, kept: Bools) -> Bools:
    """The TeX of formulas beside kept text, which is hidden in a script or an annotation."""
    found = np.zeros(len(page), np.bool_)
    for row in np.flatnonzero(page.tag == NUMBER["script"]).tolist():
        found[row] = page.attributes(row).get("type", "").lower().startswith("math/tex")
    for row in np.flatnonzero(page.tag == NUMBER["annotation"]).tolist():
        found[row] = "tex" in page.attributes(row).get("encoding", "").lower()
    if not found.any():
        return found
    is_text = (page.tag == 0) & kept
    block = nearest(BLOCK[page.tag], page.parent)
    beside = (subtree_sums(is_text, page.end) > 0)[block] & (block >= 0)
    return subtree_sums(inside(found & beside, page.end), page.end) > 0
