"""Tables in plain text: which ones hold data, and the bars between their cells."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import numpy.typing as npt

from thresher import grid
from thresher.arrays import inside, nearest, subtree_sums
from thresher.columns import Bools, Columns
from thresher.tags import CELL, NUMBER, lookup

__all__ = ["cell_marks", "data_cells", "data_tables"]

_PARAGRAPH = lookup(grid.PARAGRAPHS)


def data_tables(page: Columns, attributes: Callable[[int], Mapping[str, str]]) -> Bools:
    """Tell for each row of the page whether it is a table of data, not one of layout."""
    tag, parent = page.tag, np.maximum(page.parent, 0)
    is_table = tag == NUMBER["table"]
    found = np.zeros(len(page), np.bool_)
    if not is_table.any():
        return found
    owner = nearest(is_table, page.parent)[parent]
    innermost = _PARAGRAPH[tag] & (subtree_sums(_PARAGRAPH[tag], page.end) == 1)
    several = subtree_sums(innermost, page.end) > 1
    crowded = CELL[tag] & (several | (subtree_sums(is_table, page.end) > 0))
    wide = np.bincount(parent[CELL[tag]], minlength=len(page)) > 1
    caption = (tag == NUMBER["caption"]) & (subtree_sums(page.chars, page.end) > 0)

    def count(mask: Bools) -> list[int]:
        of = owner[mask]
        found: list[int] = np.bincount(of[of >= 0], minlength=len(page))[tables].tolist()
        return found

    tables = np.flatnonzero(is_table)
    counts = zip(
        tables.tolist(),
        count(tag == NUMBER["th"]),
        count(caption),
        count(wide),
        count(crowded),
        strict=True,
    )
    for table, *facts in counts:
        role = attributes(table).get("role", "")
        found[table] = grid.is_data(grid.Counts(role, *facts))
    return found


def data_cells(page: Columns, tables: Bools) -> Bools:
    """Tell which rows are cells of the `tables`; a table within a cell is part of the cell."""
    outer = tables & ~inside(tables, page.end)[np.maximum(page.parent, 0)]
    table_of = nearest(page.tag == NUMBER["table"], page.parent)
    cells: Bools = CELL[page.tag] & outer[table_of] & (table_of >= 0)
    return cells


def cell_marks(
    page: Columns,
    cell_of: npt.NDArray[np.intp],
    attributes: Callable[[int], Mapping[str, str]],
) -> dict[int, str]:
    """Bars before a cell's first text: one for each column since the last text of the same row.

    `cell_of` gives the cell of each text, -1 for those outside the tables of data.
    """
    texts = np.flatnonzero(cell_of >= 0)
    if not len(texts):
        return {}
    cells = cell_of.take(texts)
    column = _columns(page, cells, attributes)
    marks: dict[int, str] = {}
    last_row, last_column = -1, 0
    rows = page.parent.take(cells).tolist()
    for index, cell, row in zip(texts.tolist(), cells.tolist(), rows, strict=True):
        at = column[cell]
        if row != last_row:
            marks[index] = "| " * at
        elif at > last_column:
            marks[index] = " |" * (at - last_column) + " "
        last_row, last_column = row, at
    return marks


def _columns(
    page: Columns,
    wanted: npt.NDArray[np.intp],
    attributes: Callable[[int], Mapping[str, str]],
) -> dict[int, int]:
    """Return the column of each cell of those tables that the wanted cells stand in."""
    is_table = page.tag == NUMBER["table"]
    table_of = nearest(is_table, page.parent)
    is_wanted = np.zeros(len(page), np.bool_)
    is_wanted[table_of[wanted]] = True
    is_wanted &= is_table
    cells = np.flatnonzero(CELL[page.tag] & is_wanted[table_of])
    is_row = page.tag == NUMBER["tr"]
    is_row[page.parent[cells]] = True
    rows = np.flatnonzero(is_row & is_wanted[table_of])
    cells_of: dict[int, list[int]] = {row: [] for row in rows.tolist()}
    for cell, row in zip(cells.tolist(), page.parent.take(cells).tolist(), strict=True):
        cells_of[row].append(cell)
    section = dict(zip(rows.tolist(), page.parent.take(rows).tolist(), strict=True))
    by_table: dict[int, list[int]] = {}
    for row, table in zip(rows.tolist(), table_of[rows].tolist(), strict=True):
        by_table.setdefault(table, []).append(row)
    column: dict[int, int] = {}
    for members in by_table.values():
        last = {section[row]: number for number, row in enumerate(members)}
        shape = [
            grid.Row([grid.span(attributes(cell)) for cell in cells_of[row]], last[section[row]])
            for row in members
        ]
        for row, found in zip(members, grid.places(shape), strict=True):
            column.update(zip(cells_of[row], found, strict=True))
    return column
