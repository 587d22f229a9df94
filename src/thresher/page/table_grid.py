"""Tables: the column of each cell with spans resolved, and whether a table holds data.

Shared by plain text, which works on columns, and the renderers, which work on a tree.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from thresher.page.attributes import parse_integer

# Limits and zeros: https://html.spec.whatwg.org/#attributes-common-to-td-and-th-elements
_MAX_COLSPAN = 1000
_MAX_ROWSPAN = 65534

# Several of these in a cell are the sign of a layout table (div is not).
PARAGRAPHS = (
    "p h1 h2 h3 h4 h5 h6 ul ol dl menu dir pre blockquote figure article section header footer "
    "aside nav main form fieldset hr listing xmp address details hgroup"
)


class Counts(NamedTuple):
    """Counts that distinguish a data table from a layout table."""

    role: str  # the table's attribute
    headers: int  # cells that are th
    captions: int  # captions with text
    wide_rows: int  # rows of two cells or more
    crowded: int  # cells with a table or with several paragraphs inside
    rows: int  # with cells
    prose: int  # cells with many words


def is_data(table: Counts) -> bool:
    """Return whether a table holds data: by role, headers or caption, or as a grid of texts."""
    if table.role in ("presentation", "none"):
        return False
    if table.role in ("table", "grid") or table.headers or table.captions:
        return True
    are_columns = table.rows == 1 and table.prose > 0  # of a page or a letter
    return table.wide_rows > 0 and table.crowded == 0 and not are_columns


class Span(NamedTuple):
    """Number of columns and rows that a cell covers; 0 rows: all rows to the end of its section."""

    columns: int
    rows: int


_ONE = Span(1, 1)


def span(attributes: Mapping[str, str | None]) -> Span:
    """Return the span of a cell with these attributes."""
    return span_of(attributes.get("colspan"), attributes.get("rowspan"))


def span_of(colspan: str | None, rowspan: str | None) -> Span:
    """Return the span of a cell with these values of its attributes."""
    if colspan is None and rowspan is None:
        return _ONE
    columns, rows = parse_integer(colspan), parse_integer(rowspan)
    return Span(
        min(columns, _MAX_COLSPAN) if columns is not None and columns > 0 else 1,
        min(rows, _MAX_ROWSPAN) if rows is not None and rows >= 0 else 1,
    )


class Row(NamedTuple):
    """The spans of a row's cells."""

    cells: Sequence[Span]
    last: int  # index of the last row of its section, where the spans of cells end


def cell_columns(rows: Sequence[Row]) -> list[list[int]]:
    """Return the column of every cell; columns in which no cell begins are left out.

    `busy[c]` is the first row in which column `c` is free again. The budget keeps the time and the
    size of the grid within a constant factor of the number of cells; past it, spans are ignored.
    """
    if all(cell == _ONE for row in rows for cell in row.cells):
        return _without_spans(rows)
    left = limit = budget(sum(len(row.cells) for row in rows))
    busy: dict[int, int] = {}
    found: list[list[int]] = []
    for number, row in enumerate(rows):
        column, line = 0, []
        for cell in row.cells:
            while busy.get(column, 0) > number:
                column += 1
                left -= 1
            line.append(column)
            last = row.last if cell.rows == 0 else min(row.last, number + cell.rows - 1)
            if last > number:
                busy.update(dict.fromkeys(range(column, column + cell.columns), last + 1))
                left -= cell.columns
            column += cell.columns
            if left < 0:
                return _without_spans(rows)
        found.append(line)
    starts = sorted({column for line in found for column in line})
    index = {column: place for place, column in enumerate(starts)}
    if sum(index[line[-1]] + 1 for line in found if line) > limit:
        return _without_spans(rows)
    return [[index[column] for column in line] for line in found]


def _without_spans(rows: Sequence[Row]) -> list[list[int]]:
    return [list(range(len(row.cells))) for row in rows]


def budget(cells: int) -> int:
    """Return the largest allowed grid for a table with this many cells, in places."""
    return 16 * cells + 10_000
