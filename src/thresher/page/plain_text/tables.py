"""Tables in plain text: which tables hold data, and the bars between their cells."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from thresher.page import table_grid as grid
from thresher.page.array_types import AnyRows, Bools, Rows
from thresher.page.arrays import innermost, inside
from thresher.page.attributes import attribute_values
from thresher.page.core import COMPILED
from thresher.page.lazy import lazy_pattern
from thresher.page.tags import CELL, HEADING, NUMBER, bits_of, lookup

if TYPE_CHECKING:
    from thresher.page.page import Page
if COMPILED:
    from thresher.page.plain_text import _text

_PARAGRAPH = lookup(grid.PARAGRAPHS)
_MOST_BULLET = 2  # characters of a cell that is the bullet of an item
_PROSE_WORDS = 15  # at least, of a cell that is a column of prose if its row is the only one

# What the compiled version needs to know of each tag number.
_KINDS = bits_of(lookup("table"), CELL, lookup("th"), lookup("caption"), _PARAGRAPH, lookup("br"))


def data_tables(page: Page) -> Bools:
    """Return one bool per row of the page: True if it is a table that holds data.

    Tables that place an equation beside its number hold none.
    """
    found = np.zeros(len(page), np.bool_)
    if not page.present[NUMBER["table"]]:
        return found
    counts: Sequence[tuple[int, ...]]
    if COMPILED:
        counts = _text.count_tables(
            page.tag, page.end, page.parent, page.chars, page.words, _KINDS, _MOST_BULLET,
            _PROSE_WORDS,
        )  # fmt: skip
    else:
        counts = _count_tables(page)
    for table, *facts in counts:
        node = page.nodes[table]
        own = grid.Counts(node.attr("role") or "", *facts)
        found[table] = grid.is_data(own) and not _EQUATION.search(node.attr("class") or "")
        if found[table] and own.prose and not (own.role or own.headers or own.captions):
            found[table] = not _has_headed_prose(page, table)
    return found


def _has_headed_prose(page: Page, table: int) -> bool:
    """Return whether a cell has a heading and many other words, in a table with no other in it."""
    tags = page.tag[table : page.end[table]]
    headings = HEADING.take(tags).nonzero()[0] + table
    if not len(headings):
        return False
    cells = CELL.take(tags).nonzero()[0] + table
    words = np.concatenate(([0], page.words[table : page.end[table]].cumsum()))

    def held(rows: Rows) -> Rows:
        counts: Rows = words.take(page.end.take(rows) - table) - words.take(rows - table)
        return counts

    around = innermost(cells, page.end, headings)
    headings, around = headings[around >= 0], around[around >= 0]
    in_headings = np.bincount(cells.searchsorted(around), held(headings), len(cells))
    return bool(((in_headings > 0) & (held(cells) - in_headings >= _PROSE_WORDS)).any())


_EQUATION = lazy_pattern(
    r"(?:^|[\s_-])(?:eqn|equation|equationgroup|displaymath)(?:$|[\s_-])", re.I
)


def _count_tables(page: Page) -> list[tuple[int, ...]]:
    """Return for each table its row and the counts of `table_grid.Counts`, but for the role."""
    tables = (page.tag == NUMBER["table"]).nonzero()[0]
    cells = CELL.take(page.tag).nonzero()[0]
    paragraphs = _PARAGRAPH.take(page.tag).nonzero()[0]
    paragraphs = paragraphs[_within(page, paragraphs, paragraphs) == 1]  # the innermost
    crowded = (_within(page, paragraphs, cells) > 1) | (_within(page, tables, cells) > 0)
    crowded |= _has_blank_line(page, cells)
    words = np.concatenate(([0], page.words.cumsum()))
    prose = cells[words.take(page.end.take(cells)) - words.take(cells) >= _PROSE_WORDS]
    rows, first, size = np.unique(page.parent.take(cells), return_index=True, return_counts=True)
    is_wide = (size > 1) & ~((size == 2) & _are_bullets(page, cells.take(first), words))
    captions = (page.tag == NUMBER["caption"]).nonzero()[0]
    captions = captions[_within(page, page.chars.nonzero()[0], captions) > 0]

    def count(rows: AnyRows) -> list[int]:
        """Return for each table how many of the rows it is the nearest one around."""
        of = innermost(tables, page.end, page.parent.take(rows))
        counts: list[int] = np.bincount(
            tables.searchsorted(of[of >= 0]), None, len(tables)
        ).tolist()
        return counts

    counts = (
        tables.tolist(),
        count((page.tag == NUMBER["th"]).nonzero()[0]),
        count(captions),
        count(rows[is_wide]),
        count(cells[crowded]),
        count(rows),
        count(prose),
    )
    return list(zip(*counts, strict=True))


def _are_bullets(page: Page, cells: Rows, words: Rows) -> Bools:
    """Return one bool per cell: True if it has no words, but perhaps a sign or a picture.

    `words` are those before each row.
    """
    chars = np.concatenate(([0], page.chars.cumsum()))
    ends = page.end.take(cells)
    found: Bools = (words.take(ends) == words.take(cells)) & (
        chars.take(ends) - chars.take(cells) <= _MOST_BULLET
    )
    return found


def _has_blank_line(page: Page, cells: Rows) -> Bools:
    """Return one bool per cell: True if two line breaks in a row separate texts of it."""
    found = np.zeros(len(cells), np.bool_)
    breaks = (page.tag == NUMBER["br"]).nonzero()[0]
    texts = page.words.nonzero()[0]
    before = texts.searchsorted(breaks)
    doubles = (before[1:] == before[:-1]).nonzero()[0]
    if not len(doubles):
        return found
    first, second = (innermost(cells, page.end, breaks.take(doubles + at)) for at in (0, 1))
    same = (first == second) & (first >= 0)
    cell, at = first[same], before.take(doubles[same])
    is_between = texts.searchsorted(cell) < at
    is_between &= at < texts.searchsorted(page.end.take(cell))
    found[cells.searchsorted(cell[is_between])] = True
    return found


def _within(page: Page, counted: Rows, rows: Rows) -> Rows:
    """Return how many of the `counted` rows (sorted) are inside each of `rows`."""
    number: Rows = counted.searchsorted(page.end.take(rows)) - counted.searchsorted(rows)
    return number


def data_cells(page: Page, tables: Bools) -> Bools:
    """Return one bool per row: True for cells of the `tables` that are not inside another one."""
    outer = tables & ~inside(tables, page.end)[np.maximum(page.parent, 0)]
    cells = CELL.take(page.tag).nonzero()[0]
    table_of = innermost((page.tag == NUMBER["table"]).nonzero()[0], page.end, cells)
    found = np.zeros(len(page), np.bool_)
    found[cells[outer[table_of] & (table_of >= 0)]] = True
    return found


def cell_marks(page: Page, cell_of: AnyRows) -> dict[int, str]:
    """Return the bars before a cell's first text, by index of text.

    There is one bar for each column since the last text of the same row. Columns without any text
    do not count. `cell_of` is the cell of each text, -1 outside data tables.
    """
    texts = np.flatnonzero(cell_of >= 0)
    if not len(texts):
        return {}
    cells = cell_of.take(texts)
    column = _filled_columns(page, cells)
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


def _filled_columns(page: Page, cells: AnyRows) -> dict[int, int]:
    """Return the column of each of the cells; columns that hold none of them do not count."""
    if COMPILED:
        column, tables = _compiled_columns(page, cells)
    else:
        column = _columns(page, cells)
        tables = innermost((page.tag == NUMBER["table"]).nonzero()[0], page.end, cells).tolist()
    filled: dict[int, set[int]] = {table: set() for table in set(tables)}
    for table, cell in zip(tables, cells.tolist(), strict=True):
        filled[table].add(column[cell])
    if all(max(columns) < len(columns) for columns in filled.values()):  # true of most tables
        return column
    place = {
        table: {at: index for index, at in enumerate(sorted(columns))}
        for table, columns in filled.items()
    }
    pairs = zip(tables, cells.tolist(), strict=True)
    return {cell: place[table][column[cell]] for table, cell in pairs}


def _compiled_columns(page: Page, wanted: AnyRows) -> tuple[dict[int, int], list[int]]:
    """Return the columns of `_columns`, and the table of each of the wanted cells."""
    cells, places, tables = _text.cells_of_tables(
        page.tag, page.end, page.parent, _KINDS, wanted.tolist()
    )
    nodes = [page.nodes[cell] for cell in cells]
    spans = {*attribute_values(nodes, "colspan"), *attribute_values(nodes, "rowspan")}
    if spans <= {None}:  # true of most tables
        return dict(zip(cells, places, strict=True)), tables
    return _columns(page, wanted), tables


def _columns(page: Page, wanted: AnyRows) -> dict[int, int]:
    """Return the column of every cell of the tables that hold the wanted cells."""
    tables = (page.tag == NUMBER["table"]).nonzero()[0]
    is_wanted = np.zeros(len(page) + 1, np.bool_)  # the last entry is for -1, no table
    is_wanted[innermost(tables, page.end, wanted)] = True
    is_wanted[-1] = False

    def of_wanted(rows: Rows) -> tuple[Rows, Rows]:
        """Return those of the rows that are in these tables, and their tables."""
        table = innermost(tables, page.end, rows)
        return rows[is_wanted[table]], table[is_wanted[table]]

    cells, _ = of_wanted(CELL.take(page.tag).nonzero()[0])
    is_row = page.tag == NUMBER["tr"]
    is_row[page.parent.take(cells)] = True
    rows, table_of = of_wanted(is_row.nonzero()[0])
    nodes = [page.nodes[cell] for cell in cells.tolist()]
    spans = map(
        grid.span_of, attribute_values(nodes, "colspan"), attribute_values(nodes, "rowspan")
    )
    cells_of: dict[int, list[int]] = {row: [] for row in rows.tolist()}
    spans_of: dict[int, list[grid.Span]] = {row: [] for row in rows.tolist()}
    of_cells = page.parent.take(cells).tolist()
    for cell, row, span in zip(cells.tolist(), of_cells, spans, strict=True):
        cells_of[row].append(cell)
        spans_of[row].append(span)
    section = dict(zip(rows.tolist(), page.parent.take(rows).tolist(), strict=True))
    by_table: dict[int, list[int]] = {}
    for row, table in zip(rows.tolist(), table_of.tolist(), strict=True):
        by_table.setdefault(table, []).append(row)
    column: dict[int, int] = {}
    for members in by_table.values():
        last = {section[row]: number for number, row in enumerate(members)}
        shape = [grid.Row(spans_of[row], last[section[row]]) for row in members]
        for row, found in zip(members, grid.cell_columns(shape), strict=True):
            column.update(zip(cells_of[row], found, strict=True))
    return column
