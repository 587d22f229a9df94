"""Tables: the column of each cell, spans resolved; and whether a table holds data.

Both the plain text, which reads columns, and the renderers, which read a tree, ask here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from thresher.page.integers import integer

# Limits and zeros: https://html.spec.whatwg.org/#attributes-common-to-td-and-th-elements
_MAX_COLSPAN = 1000
_MAX_ROWSPAN = 65534


# Several of these in a cell show that the table only places them (div shows nothing).
PARAGRAPHS = (
    "p h1 h2 h3 h4 h5 h6 ul ol dl menu dir pre blockquote figure article section header footer "
    "aside nav main form fieldset hr listing xmp address details hgroup"
)


class Counts(NamedTuple):
    """What tells a table of data from one that only places blocks on the page."""

    role: str  # its attribute
    headers: int  # cells that are th
    captions: int  # captions with text
    wide_rows: int  # rows of two cells or more
    crowded: int  # cells with a table or with several paragraphs inside


def is_data(table: Counts) -> bool:
    """Whether a table holds data: it says so, names its columns, or is a grid of short texts."""
    if table.role in ("presentation", "none"):
        return False
    if table.role in ("table", "grid") or table.headers or table.captions:
        return True
    return table.wide_rows > 0 and table.crowded == 0


class Span(NamedTuple):
    """How many columns and rows a cell covers; 0 rows: all to the end of its section."""

    columns: int
    rows: int


_ONE = Span(1, 1)


def span(attributes: Mapping[str, str | None]) -> Span:
    """Read the span of a cell from its attributes."""
    if "colspan" not in attributes and "rowspan" not in attributes:
        return _ONE
    columns, rows = integer(attributes.get("colspan")), integer(attributes.get("rowspan"))
    return Span(
        min(columns, _MAX_COLSPAN) if columns is not None and columns > 0 else 1,
        min(rows, _MAX_ROWSPAN) if rows is not None and rows >= 0 else 1,
    )


class Row(NamedTuple):
    """The spans of a row's cells."""

    cells: Sequence[Span]
    last: int  # the last row of its section, which ends the spans of cells


def places(rows: Sequence[Row]) -> list[list[int]]:
    """Return the column of every cell, those columns left out in which no cell begins.

    `busy[c]` is the first row in which column `c` is free again. The budget keeps time, and the
    size of the grid, within a constant factor of the cells, however the spans are set: past it,
    spans count for nothing.
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
    """How many places the grid of a table with so many cells may have."""
    return 16 * cells + 10_000
