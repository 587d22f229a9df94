"""Tables: spans resolved into a plain grid, and what a layout table holds.

A cell that spans others keeps its text at its first position; the other positions are empty cells,
or copies of the cell where they are asked for.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from thresher.page import table_grid
from thresher.page.words import collapsed
from thresher.render.compiled import use_compiled
from thresher.render.images import IMAGE_TAGS
from thresher.render.kept_tree import KeptTree

_PAIR = 2  # cells of a row that is an item with its bullet
EMPTY = -1  # a cell that the page does not have
_MAX_COPIED = 60  # characters of a cell that is copied to where its spans reach
_SECTIONS = frozenset({"thead", "tbody", "tfoot"})
_NO_CONTENT = frozenset({"colgroup", "col"})


class Copy(NamedTuple):
    """A copy of a cell where its span reaches."""

    tag: str
    text: str


Cell: TypeAlias = int | Copy  # its index in the tree, or `EMPTY`


@dataclass(slots=True)
class _Row:
    cells: list[int]
    last: int  # the index of the last row of its section


@dataclass(slots=True)
class Table:
    """The parts of a table, without those of tables in its cells."""

    rows: list[_Row] = field(default_factory=list)
    captions: list[int] = field(default_factory=list)
    others: list[int] = field(default_factory=list)  # what has no place in a table

    @property
    def blocks(self) -> list[int]:
        """The content of a layout table: captions, what has no place in a table, and cells."""
        return [*self.captions, *self.others, *(cell for row in self.rows for cell in row.cells)]

    def bulleted(self, tree: KeptTree) -> list[int]:
        """Return the second cells if each row has two, and the first one is a sign or a picture.

        Empty without rows, and with captions or anything else in the table.
        """
        if self.captions or self.others or not self.rows:
            return []
        for row in self.rows:
            if len(row.cells) != _PAIR or not _is_bullet(tree, row.cells[0]):  # noqa: SIM102
                if any(_shows_something(tree, cell) for cell in row.cells):
                    return []
        return [row.cells[1] for row in self.rows if len(row.cells) == _PAIR]

    def grid(self, tree: KeptTree, *, copy_spans: bool = False) -> list[list[Cell]]:
        """Return the cells of each row at their true columns; rows that show nothing are left out.

        The rows have the same length, unless one is so long that the table would swell. With
        `copy_spans`, short headings are copied to all cells that they span, and other short cells
        downwards.
        """
        rows = _padded(_at_columns(tree, self.rows))
        if copy_spans:
            _copy_spans(tree, self.rows, rows)
        return [row for row in rows if any(_shows_something(tree, cell) for cell in row)]


def read_table(tree: KeptTree, table: int) -> Table:
    """Return the parts of a table."""
    parts = Table()
    loose_rows: list[int] = []
    for child in tree.children(table):
        tag = tree.tags[child] if child not in tree.replaced else ""
        if tag == "tr":
            loose_rows.append(child)
        elif tag in _SECTIONS or tag == "caption" or tag in _NO_CONTENT:
            _read_rows(tree, loose_rows, parts)
            loose_rows = []
            if tag in _SECTIONS:
                _read_rows(tree, list(tree.children(child)), parts)
            elif tag == "caption":
                parts.captions.append(child)
        else:
            parts.others.append(child)
    _read_rows(tree, loose_rows, parts)
    return parts


def _read_rows(tree: KeptTree, children: list[int], parts: Table) -> None:
    """Add the rows of one section; no row span reaches beyond its end."""
    first = len(parts.rows)
    for child in children:
        if tree.tags[child] == "tr" and child not in tree.replaced:
            cells: list[int] = []
            for cell in tree.children(child):
                is_cell = tree.tags[cell] in ("td", "th") and cell not in tree.replaced
                (cells if is_cell else parts.others).append(cell)
            parts.rows.append(_Row(cells, 0))
        else:
            parts.others.append(child)
    for row in parts.rows[first:]:
        row.last = len(parts.rows) - 1


def _at_columns(tree: KeptTree, rows: list[_Row]) -> list[list[Cell]]:
    """Return the cells of each row at their true columns, with empty cells between."""
    given = [[_stated_span(tree, cell) for cell in row.cells] for row in rows]
    if not any(map(any, given)):  # true of most tables
        return [[*row.cells] for row in rows]
    shape = [
        table_grid.Row([*map(_span, spans)], row.last)
        for row, spans in zip(rows, given, strict=True)
    ]
    grid: list[list[Cell]] = []
    for row, columns in zip(rows, table_grid.cell_columns(shape), strict=True):
        line: list[Cell] = []
        for cell, column in zip(row.cells, columns, strict=True):
            line += [EMPTY] * (column - len(line))
            line.append(cell)
        grid.append(line)
    return grid


def _stated_span(tree: KeptTree, cell: int) -> tuple[str, str] | None:
    """Return the attributes of a cell that say what it spans, None if it has none."""
    columns, rows = tree.attr(cell, "colspan"), tree.attr(cell, "rowspan")
    return None if columns is None and rows is None else (columns or "", rows or "")


def _span(given: tuple[str, str] | None) -> table_grid.Span:
    return table_grid.span_of(*given) if given else table_grid.span_of(None, None)


def _padded(rows: list[list[Cell]]) -> list[list[Cell]]:
    """Return rows of equal length, or unchanged if one is so long that the table would swell."""
    width = max(map(len, rows), default=0)
    if width * len(rows) > table_grid.budget(sum(map(len, rows))):
        return rows
    return [row + [EMPTY] * (width - len(row)) for row in rows]


@dataclass(frozen=True, slots=True)
class _Reach:
    """A short cell that spans others, and the last column and row that it reaches."""

    copy: Copy
    column: int
    row: int


def _copy_spans(tree: KeptTree, rows: list[_Row], grid: list[list[Cell]]) -> None:
    """Put copies of cells into the empty cells that they span, at most one per cell of the table.

    A heading is copied to the right and downwards, any other cell downwards: a cell that is shared
    by several columns is read once, one that is shared by several rows belongs to each of them.
    """
    left = sum(len(row.cells) for row in rows)
    above: dict[int, _Reach] = {}  # by column
    for number, (row, line) in enumerate(zip(rows, grid, strict=True)):
        before: _Reach | None = None  # the heading to the left
        for column, cell in enumerate(line):
            if isinstance(cell, int) and cell != EMPTY:
                above[column] = _reach(tree, cell, column, number, row.last)
                before = above[column] if tree.tags[cell] == "th" else None
                continue
            source = above.get(column)
            if source is None or source.row < number:
                source = before if before is not None and column <= before.column else None
            if source is not None and source.copy.text and left > 0:
                line[column] = source.copy
                above[column] = source
                left -= 1


def _reach(tree: KeptTree, cell: int, column: int, row: int, last_row: int) -> _Reach:
    size = _span(_stated_span(tree, cell))
    text = collapsed(tree.text(cell)) if size.columns > 1 or size.rows != 1 else ""
    text = text if len(text) <= _MAX_COPIED else ""
    end = last_row if size.rows == 0 else min(last_row, row + size.rows - 1)
    return _Reach(Copy(tree.tags[cell], text), column + size.columns - 1, end)


def _is_bullet(tree: KeptTree, cell: int) -> bool:
    """Return whether a cell holds a picture or a sign, and no letter or digit."""
    text = tree.text(cell).strip()
    return _shows_something(tree, cell) and not any(map(str.isalnum, text))


def _shows_something(tree: KeptTree, cell: Cell) -> bool:
    """Return whether a cell holds text or an image."""
    if not isinstance(cell, int):
        return True
    if cell == EMPTY:
        return False
    has_text = bool(tree.text(cell).strip())
    return has_text or bool(tree.inside(cell, IMAGE_TAGS))


use_compiled(globals(), "read_table")
