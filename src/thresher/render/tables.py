"""Tables: spans resolved into a plain grid, layout tables turned into blocks.

A cell that spans others keeps its text at its first position; the other positions are empty cells,
or copies of the cell where they are asked for.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from turbohtml import Element, Node, Text

from thresher.page import table_grid
from thresher.render.node_set import NodeSet

_MAX_COPIED = 60  # characters of a cell that is copied to where its spans reach
_SECTIONS = frozenset({"thead", "tbody", "tfoot"})


@dataclass(slots=True)
class _Row:
    cells: list[Element]
    last: int  # the index of the last row of its section


@dataclass(slots=True)
class _Table:
    """The parts of a table, without those of tables in its cells."""

    rows: list[_Row] = field(default_factory=list)
    captions: list[Element] = field(default_factory=list)
    others: list[Node] = field(default_factory=list)  # what has no place in a table


def normalise_tables(body: Element, *, copy_spans: bool = False) -> None:
    """Rewrite each table to `table > caption? + tr*` without spans, or to blocks.

    A layout table has the role `presentation`, which `kept_tree` writes. With `copy_spans`, short
    headings are copied to all cells that they span, and other short cells downwards.
    """
    for table in list(body.iter_elements("table")):
        parts = _read(table)
        if table.attr("role") == "presentation":
            _write_blocks(table, parts)
        else:
            grid = _padded(_grid(parts.rows))
            if copy_spans:
                _copy_spans(parts.rows, grid)
            _write(table, parts, grid)


def _read(table: Element) -> _Table:
    parts = _Table()
    loose_rows: list[Node] = []
    for child in [*table.children]:
        tag = child.tag if isinstance(child, Element) else ""
        if tag == "tr":
            loose_rows.append(child)
        elif tag not in (*_SECTIONS, "caption", "colgroup", "col"):
            parts.others.append(child)
        else:
            _read_rows(loose_rows, parts)
            loose_rows = []
            if tag in _SECTIONS:
                _read_rows([*child.children], parts)
            elif isinstance(child, Element) and tag == "caption":
                parts.captions.append(child)
    _read_rows(loose_rows, parts)
    return parts


def _read_rows(children: list[Node], parts: _Table) -> None:
    """Add the rows of one section; no row span reaches beyond its end."""
    first = len(parts.rows)
    for child in children:
        if isinstance(child, Element) and child.tag == "tr":
            cells = []
            for cell in child.children:
                if isinstance(cell, Element) and cell.tag in ("td", "th"):
                    cells.append(cell)
                else:
                    parts.others.append(cell)
            parts.rows.append(_Row(cells, 0))
        else:
            parts.others.append(child)
    for row in parts.rows[first:]:
        row.last = len(parts.rows) - 1


def _write_blocks(table: Element, parts: _Table) -> None:
    """Replace a layout table by its captions and cells as blocks."""
    blocks = [*parts.captions, *parts.others]
    blocks += [cell for row in parts.rows for cell in row.cells]
    holder = Element("div")
    table.replace_with(holder)
    for block in blocks:
        if isinstance(block, Element) and block.tag in ("caption", "td", "th"):
            block.tag = "div"
        holder.append(block)


def _grid(rows: list[_Row]) -> list[list[Element]]:
    """Return the cells of each row at their true columns, with empty cells between."""
    shape = [
        table_grid.Row(
            [
                table_grid.span({name: cell.attr(name) for name in ("colspan", "rowspan")})
                for cell in row.cells
            ],
            row.last,
        )
        for row in rows
    ]
    grid: list[list[Element]] = []
    for row, columns in zip(rows, table_grid.cell_columns(shape), strict=True):
        line: list[Element] = []
        for cell, column in zip(row.cells, columns, strict=True):
            line += [Element("td") for _ in range(column - len(line))]
            line.append(cell)
        grid.append(line)
    return grid


def _padded(rows: list[list[Element]]) -> list[list[Element]]:
    """Return rows of equal length, or unchanged if one is so long that the table would swell."""
    width = max(map(len, rows), default=0)
    if width * len(rows) > table_grid.budget(sum(map(len, rows))):
        return rows
    return [[*row, *(Element("td") for _ in range(width - len(row)))] for row in rows]


@dataclass(frozen=True, slots=True)
class _Reach:
    """A short cell that spans others, and the last column and row that it reaches."""

    tag: str
    text: str
    column: int
    row: int


def _copy_spans(rows: list[_Row], grid: list[list[Element]]) -> None:
    """Put copies of cells into the empty cells that they span, at most one per cell of the table.

    A heading is copied to the right and downwards, any other cell downwards: a cell that is shared
    by several columns is read once, one that is shared by several rows belongs to each of them.
    """
    left = sum(len(row.cells) for row in rows)
    above: dict[int, _Reach] = {}  # by column
    for number, (row, line) in enumerate(zip(rows, grid, strict=True)):
        own = NodeSet(row.cells)
        before: _Reach | None = None  # the heading to the left
        for column, cell in enumerate(line):
            if cell in own:
                above[column] = _reach(cell, column, number, row.last)
                before = above[column] if cell.tag == "th" else None
                continue
            source = above.get(column)
            if source is None or source.row < number:
                source = before if before is not None and column <= before.column else None
            if source is not None and source.text and left > 0:
                line[column] = Element(source.tag, None, [Text(source.text)])
                above[column] = source
                left -= 1


def _reach(cell: Element, column: int, row: int, last_row: int) -> _Reach:
    size = table_grid.span({name: cell.attr(name) for name in ("colspan", "rowspan")})
    text = " ".join(cell.text.split()) if size.columns > 1 or size.rows != 1 else ""
    text = text if len(text) <= _MAX_COPIED else ""
    end = last_row if size.rows == 0 else min(last_row, row + size.rows - 1)
    return _Reach(cell.tag, text, column + size.columns - 1, end)


def _write(table: Element, parts: _Table, rows: list[list[Element]]) -> None:
    """Rebuild a table from its rows; rows that show nothing are left out."""
    table.clear()
    others = [node for node in parts.others if not isinstance(node, Text) or node.data.strip()]
    if others:
        table.insert_before(*others)
    table.extend(parts.captions)
    for cells in rows:
        if any(cell.text.strip() or cell.find("img") is not None for cell in cells):
            row = Element("tr")
            row.extend(cells)
            table.append(row)
    if table.find("tr") is None:  # a caption alone is no table
        table.tag = "div"
        for caption in parts.captions:
            caption.tag = "div"
