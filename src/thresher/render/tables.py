"""Tables: spans resolved into a plain grid, tables made for layout turned into blocks.

A cell that spans keeps its text in its first place; the other places are empty cells. A column in
which no cell begins would be empty in every row and is left out, so the width of a grid is bounded
by its cells whatever `colspan` says (limits: https://html.spec.whatwg.org/#forming-a-table).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from turbohtml import Element, Node, Text

_MAX_COLSPAN = 1000  # the HTML standard's limits
_MAX_ROWSPAN = 65534
_DIGITS = re.compile(r"\s*\+?([0-9]{1,6})")
_SECTIONS = frozenset({"thead", "tbody", "tfoot"})
_BLOCKS = frozenset(
    "address article aside blockquote center div dl fieldset figure form h1 h2 h3 h4 h5 h6 hr ol p "
    "pre section ul".split()
)


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
        rows = [row.cells for row in parts.rows]
        if _is_layout(table, parts):
            _to_blocks(table, parts)
        else:
            _write(table, parts, _pad(_grid(parts.rows) or rows))


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


def _is_layout(table: Element, parts: _Table) -> bool:
    """Whether the table only places blocks on the page."""
    if table.attr("role") in ("presentation", "none"):
        return True
    cells = [cell for row in parts.rows for cell in row.cells]
    if any(cell.tag == "th" for cell in cells) or any(c.text.strip() for c in parts.captions):
        return False
    if all(len(row.cells) <= 1 for row in parts.rows):
        return True
    return any(_holds_blocks(cell) for cell in cells)


def _holds_blocks(cell: Element) -> bool:
    """A table or several blocks within a cell, each looked for at its first levels only."""
    blocks = 0
    level: list[Node] = [cell]
    for _ in range(3):
        level = [child for node in level for child in node.children]
        tags = [child.tag for child in level if isinstance(child, Element)]
        if "table" in tags:
            return True
        blocks = max(blocks, sum(tag in _BLOCKS for tag in tags))
        if blocks > 1:
            return True
        level = [child for child in level if isinstance(child, Element) and child.tag in _BLOCKS]
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


def _span(cell: Element, name: str, limit: int) -> int:
    digits = _DIGITS.match(cell.attr(name) or "")
    return min(int(digits[1]), limit) if digits else 1


def _grid(rows: list[_Row]) -> list[list[Element]] | None:
    """The cells at their true columns, empty cells between; None if spans would swell the table.

    `busy[c]` is the first row in which column `c` is free again. The budget keeps time and memory
    within a constant factor of the cells, however the spans are set.
    """
    total = sum(len(row.cells) for row in rows)
    budget = _budget(total)
    busy: dict[int, int] = {}
    placed: list[list[tuple[int, Element]]] = []
    for number, row in enumerate(rows):
        column, line = 0, []
        for cell in row.cells:
            while busy.get(column, 0) > number:
                column += 1
                budget -= 1
            line.append((column, cell))
            width = max(1, _span(cell, "colspan", _MAX_COLSPAN))
            height = _span(cell, "rowspan", _MAX_ROWSPAN)
            last = row.last if height == 0 else min(row.last, number + height - 1)
            if last > number:
                busy.update(dict.fromkeys(range(column, column + width), last + 1))
                budget -= width
            column += width
            if budget < 0:
                return None
        placed.append(line)
    starts = sorted({column for line in placed for column, _ in line})
    index = {column: place for place, column in enumerate(starts)}
    area = sum(index[line[-1][0]] + 1 for line in placed if line)
    if area > _budget(total):
        return None
    return [_fill(line, index) for line in placed]


def _budget(cells: int) -> int:
    """How many places the grid of a table with so many cells may have."""
    return 16 * cells + 10_000


def _fill(line: list[tuple[int, Element]], index: dict[int, int]) -> list[Element]:
    cells: list[Element] = []
    for column, cell in line:
        while len(cells) < index[column]:
            cells.append(Element("td"))
        cells.append(cell)
    return cells


def _pad(grid: list[list[Element]]) -> list[list[Element]]:
    """Rows of equal length, unless one row is so long that the table would swell."""
    width = max(map(len, grid), default=0)
    if width * len(grid) <= _budget(sum(map(len, grid))):
        for cells in grid:
            cells.extend([Element("td") for _ in range(width - len(cells))])
    return grid


def _write(table: Element, parts: _Table, grid: list[list[Element]]) -> None:
    """Rebuild the table from its grid; rows that show nothing are left out."""
    table.clear()
    strays = [node for node in parts.others if not isinstance(node, Text) or node.data.strip()]
    if strays:
        table.insert_before(*strays)
    table.extend(parts.captions)
    for cells in grid:
        if any(cell.text.strip() or cell.find("img") is not None for cell in cells):
            row = Element("tr")
            row.extend(cells)
            table.append(row)
    if table.find("tr") is None:  # a caption alone is no table
        table.tag = "div"
        for caption in parts.captions:
            caption.tag = "div"
