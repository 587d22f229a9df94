"""Cells whose text is a table's: tables of data, without those that lay out the page.

A table lays out the page if the renderers take it for such (`grid.is_data`: it holds other tables,
several paragraphs in a cell, or no row of two cells, and names no columns), and also if

- one of its cells holds most of the page's words: that is the page; or
- it holds most of the page's words, most of them in prose, and names no columns.

What stands in such a table is what it would be without it.
"""

from __future__ import annotations

import numpy as np

from thresher.page import Page
from thresher.page.ancestors import innermost
from thresher.page.array_types import Rows
from thresher.page.arrays import subtree_sums
from thresher.page.plain_text.tables import data_tables
from thresher.page.tags import CELL, NUMBER, lookup
from thresher.page.views import PROSE_WORDS

_NAMING = lookup("th caption")


def cells_of_data(page: Page) -> Rows:
    """Return the cells of the page's tables of data."""
    tables = (page.tag == NUMBER["table"]).nonzero()[0]
    cells = CELL.take(page.tag).nonzero()[0]
    if not len(tables):
        return cells[:0]
    words = subtree_sums(np.where(page.hidden, 0, page.words), page.end)
    whole = int(words[page.body])
    is_data = data_tables(page, page.attributes)
    table_of = innermost(tables, page.end, cells)
    is_page = 2 * words.take(cells) > whole
    is_data[table_of[is_page & (table_of >= 0)]] = False

    blocks = page.blocks
    long = np.where((blocks.words >= PROSE_WORDS) & ~blocks.hidden, blocks.words, 0)
    at = np.zeros(len(page), np.int64)
    at[blocks.first] = long
    prose = subtree_sums(at, page.end).take(tables)
    held = words.take(tables)
    named = innermost(tables, page.end, _NAMING.take(page.tag).nonzero()[0])
    is_data[tables[(2 * held > whole) & (2 * prose > held) & ~np.isin(tables, named)]] = False
    found: Rows = cells[(table_of >= 0) & is_data.take(table_of)]
    return found
