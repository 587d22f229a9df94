"""A tree of the kept rows alone, from which Markdown, HTML and TEI are written."""

from __future__ import annotations

from typing import Any

import numpy as np
import turbohtml

from thresher.page import Page, Selection
from thresher.page.array_types import Bools, Int32s, Rows
from thresher.page.arrays import inside, nearest, subtree_sums
from thresher.page.plain_text import data_tables, gaps, separating_spaces, side_by_side
from thresher.page.plain_text.lists import item_numbers
from thresher.page.tags import BLOCK, LIST, NUMBER
from thresher.render.kept_images import kept_images


def kept_tree(selection: Selection) -> turbohtml.Element:
    """Return the body of a new tree that holds only what the selection keeps.

    Dropped text is removed, and so are the elements that follow it (see `Selection.kept`). Images
    between kept text stay (see `kept_images`), and so does white space between kept words that is
    in an element of its own, as in highlighted code. Where a dropped block separates two texts in
    plain text, they stay separate (see `_gaps_to_keep`).
    """
    while selection.page.base is not None:  # only a page that was parsed has a tree
        selection = selection.lift()
    page = selection.page
    if page.body < 0:
        return turbohtml.Element("body")
    nodes = page.load(page, False)
    kept = selection.kept | _tex_rows(page, selection.kept) | kept_images(selection)
    kept |= _space_rows(selection, kept)
    kept[: page.body + 1] = True
    dropped = ~kept & kept[np.maximum(page.parent, 0)]  # the roots of what is dropped
    _write_numbers_and_roles(page, nodes)
    rows = page.text_rows[selection.keep]
    line_ends, spaced = _gaps_to_keep(page, rows[page.chars[rows] > 0], kept)
    dropped[line_ends] = False
    for row in line_ends.tolist():
        nodes[row].replace_with(turbohtml.Element("div"))
    for row in np.flatnonzero(dropped).tolist():
        nodes[row].extract()
    adjacent = rows[side_by_side(page, selection.keep)]  # links that plain text separates too
    for row in np.union1d(adjacent, spaced).tolist():
        nodes[row].data = f" {nodes[row].data}"
    body: turbohtml.Element = nodes[page.body]
    return body


def _write_numbers_and_roles(page: Page, nodes: list[Any]) -> None:
    """Write into the tree what can no longer be found out once text is dropped.

    These are the numbers of list items, and whether a table holds data (as in plain text).
    """
    lists = np.flatnonzero(LIST[page.tag])
    for row, number in item_numbers(page, lists).items():
        nodes[row].attrs["value"] = str(number)
    is_data = data_tables(page)
    for row in np.flatnonzero(page.tag == NUMBER["table"]).tolist():
        nodes[row].attrs["role"] = "table" if is_data[row] else "presentation"


def _space_rows(selection: Selection, kept: Bools) -> Bools:
    """Return one bool per row: white space between kept words, and the elements around it."""
    page = selection.page
    is_space = np.zeros(len(page), np.bool_)
    spaces = separating_spaces(page, selection.keep)
    is_space[spaces[~kept[spaces]]] = True
    return subtree_sums(is_space, page.end) > 0


def _tex_rows(page: Page, kept: Bools) -> Bools:
    """Return one bool per row: the TeX of formulas in blocks with kept text, and its ancestors.

    TeX is hidden, in a script or an annotation, so no selection has it.
    """
    is_tex = np.zeros(len(page), np.bool_)
    for row in np.flatnonzero(page.tag == NUMBER["script"]).tolist():
        is_tex[row] = page.attributes(row).get("type", "").lower().startswith("math/tex")
    for row in np.flatnonzero(page.tag == NUMBER["annotation"]).tolist():
        is_tex[row] = "tex" in page.attributes(row).get("encoding", "").lower()
    if not is_tex.any():
        return is_tex
    block = nearest(BLOCK[page.tag], page.parent)
    in_kept_block = (subtree_sums((page.tag == 0) & kept, page.end) > 0)[block] & (block >= 0)
    return subtree_sums(inside(is_tex & in_kept_block, page.end), page.end) > 0


_LINE_BITS = np.uint16(1 << (gaps.LINE - 1) | 1 << (gaps.PARAGRAPH - 1))
_GAP_BITS = _LINE_BITS | np.uint16(1 << (gaps.SPACE - 1) | 1 << (gaps.BREAK - 1))


def _gaps_to_keep(page: Page, rows: Int32s, kept: Bools) -> tuple[Rows, Int32s]:
    """Find where the tree of the kept rows would join two texts that plain text separates.

    Plain text looks at the whole page between two texts, so a dropped advertisement in the middle
    of an element still ends the line before it, and a dropped button still separates two words. The
    gaps between the texts in `rows` are compared with and without the rows that are not `kept`.

    Returns the dropped rows to replace by an empty `div`, one per line that would not end, and the
    texts that need a space before them.
    """
    bits, _ = gaps.tag_bits(page)
    if len(rows) < 2 or not (((bits & _GAP_BITS) != 0) & ~kept).any():
        return np.zeros(0, np.intp), rows[:0]
    before, after = (
        gaps.gap_levels(kind, rows, gaps.gap_bits(page, kind, rows, rows[:0]))
        for kind in (bits, np.where(kept, bits, np.uint16(0)))
    )
    spaced = rows[(before >= gaps.SPACE) & (before < gaps.LINE) & (after == gaps.JOIN)]
    joined = ((before >= gaps.LINE) & (after < gaps.LINE)).nonzero()[0]
    has_line_end = subtree_sums(((bits & _LINE_BITS) != 0) & ~kept, page.end) > 0
    roots = (has_line_end & ~kept & kept[np.maximum(page.parent, 0)]).nonzero()[0]
    first = roots.searchsorted(rows[joined - 1])  # the first one after the text before
    return roots[first[first < len(roots)]], spaced
