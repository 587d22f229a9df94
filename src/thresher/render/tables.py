"""Tables: spans resolved into a plain grid, tables made for layout turned into blocks.

A cell that spans keeps its text in its first place; the other places are empty cells.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from turbohtml import Element, Node, Text

from thresher.page import table_grid as grid

_SECTIONS = frozenset({"thead", "tbody", "tfoot"})
_PARAGRAPHS = frozenset(grid.PARAGRAPHS.split())


@dataclass(slots=True)
class _Row:
    cells: list[Element]
    last: int  # the last row of its section


@dataclass(slots=True)
class _Table:
    rows: list[_Row] = field(default_factory=list)
    captions: list[Element] = field(default_factory=list)
    others: list[Node] = field(default_factory=list)


def settle_tables(body: Element) -> None:
    """Rewrite every table to `table > caption? + tr*` without spans, or to blocks."""
    for table in list(body.iter_elements("table")):
        parts = _read(table)
        if _is_data(table, parts):
            _write(table, parts, _pad(_grid(parts.rows)))
        else:
            _to_blocks(table, parts)


def _read(table: Element) -> _Table:
    """The rows, captions and strays of one table, nested tables left alone."""
    parts = _Table()
    loose: list[Node] = []
    for child in [*table.children]:
        if isinstance(child, Element) and child.tag in _SECTIONS:
            _read_rows([*child.children], parts)
        elif isinstance(child, Element) and child.tag == "tr":
            loose.append(child)
            continue
        elif isinstance(child, Element) and child.tag == "caption":
            parts.captions.append(child)
        elif not isinstance(child, Element) or child.tag not in ("colgroup", "col"):
            parts.others.append(child)
            continue
        _read_rows(loose, parts)
        loose = []
    _read_rows(loose, parts)
    return parts


def _read_rows(children: list[Node], parts: _Table) -> None:
    """Add the rows of one section; its end bounds the row spans within it."""
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


def _is_data(table: Element, parts: _Table) -> bool:
    """Whether the table holds data; cells are looked into only where the rest does not tell."""
    cells = [cell for row in parts.rows for cell in row.cells]
    counts = grid.Counts(
        role=table.attr("role") or "",
        headers=sum(cell.tag == "th" for cell in cells),
        captions=sum(bool(caption.text.strip()) for caption in parts.captions),
        wide_rows=sum(len(row.cells) > 1 for row in parts.rows),
        crowded=0,
    )
    if not grid.is_data(counts):
        return False
    # At the first crowded cell the answer is known, so nested tables are not read again and again.
    crowded = not grid.is_data(counts._replace(crowded=1)) and any(map(_is_crowded, cells))
    return grid.is_data(counts._replace(crowded=int(crowded)))


def _is_crowded(cell: Element) -> bool:
    """Whether a cell holds a table, or a paragraph after another."""
    stack: list[Node | None] = [*reversed(cell.children)]
    one_ended = False
    while stack:
        node = stack.pop()
        if node is None:
            one_ended = True
        elif isinstance(node, Element):
            if node.tag == "table" or (one_ended and node.tag in _PARAGRAPHS):
                return True
            if node.tag in _PARAGRAPHS:
                stack.append(None)
            stack.extend(reversed(node.children))
    return False


def _to_blocks(table: Element, parts: _Table) -> None:
    blocks = [*parts.captions, *parts.others]
    blocks += [cell for row in parts.rows for cell in row.cells]
    shell = Element("div")
    table.replace_with(shell)
    for block in blocks:
        if isinstance(block, Element):
            block.tag = "div" if block.tag in ("caption", "td", "th") else block.tag
        shell.append(block)


def _grid(rows: list[_Row]) -> list[list[Element]]:
    """The cells at their true columns, empty cells between."""
    shape = [grid.Row([_span(cell) for cell in row.cells], row.last) for row in rows]
    return [
        _fill(row.cells, columns) for row, columns in zip(rows, grid.places(shape), strict=True)
    ]


def _span(cell: Element) -> grid.Span:
    return grid.span({name: cell.attr(name) for name in ("colspan", "rowspan")})


def _fill(cells: list[Element], columns: list[int]) -> list[Element]:
    line: list[Element] = []
    for cell, column in zip(cells, columns, strict=True):
        line.extend(Element("td") for _ in range(column - len(line)))
        line.append(cell)
    return line


def _pad(rows: list[list[Element]]) -> list[list[Element]]:
    """Rows of equal length, unless one row is so long that the table would swell."""
    width = max(map(len, rows), default=0)
    if width * len(rows) <= grid.budget(sum(map(len, rows))):
        for cells in rows:
            cells.extend([Element("td") for _ in range(width - len(cells))])
    return rows


def _write(table: Element, parts: _Table, rows: list[list[Element]]) -> None:
    """Rebuild the table from its rows; rows that show nothing are left out."""
    table.clear()
    strays = [node for node in parts.others if not isinstance(node, Text) or node.data.strip()]
    if strays:
        table.insert_before(*strays)
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
