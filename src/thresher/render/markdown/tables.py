"""Tables as GitHub writes them: one line per row, blocks within a cell joined by `<br>`."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable

from turbohtml import Element, Node, Text

from thresher.render.list_numbers import item_numbers
from thresher.render.markdown.lines import LineWriter
from thresher.render.open_elements import INLINE


def table_lines(
    table: Element, writer: LineWriter, set_aside: Callable[[Element], None]
) -> list[str]:
    """The rows of a table, the first as its header; footnotes in cells go to `set_aside`.

    Columns without any text or image are left out, as in plain text.
    """
    rows = [
        [_cell(cell, writer, set_aside) for cell in row.children if isinstance(cell, Element)]
        for row in table.children
        if isinstance(row, Element) and row.tag == "tr"
    ]
    filled = sorted({place for row in rows for place, cell in enumerate(row) if cell})
    if not filled:
        return []
    rows = [_only(filled, row) for row in rows]
    width = len(filled)
    rows[0] += [""] * (width - len(rows[0]))
    lines = [f"| {' | '.join(row)} |" for row in rows]
    lines.insert(1, f"|{' --- |' * width}")
    return lines


def _only(columns: list[int], row: list[str]) -> list[str]:
    """The cells of a row that stand in the columns; a row may be shorter than others."""
    return [row[column] for column in columns[: bisect_left(columns, len(row))]]


def _cell(cell: Element, writer: LineWriter, set_aside: Callable[[Element], None]) -> str:
    """The content of a cell on one line."""
    lines: list[str] = []
    line: list[Node] = []
    signs: list[str] = [""]  # the sign of the item that the next line begins
    stack: list[Node | str | None] = [None, *reversed(cell.children)]

    def flush() -> None:
        if line:
            text = writer.write(line)
            lines.append(f"{signs[0]}{text}" if text else "")
            signs[0] = ""
            line.clear()

    while stack:
        node = stack.pop()
        if node is None:
            flush()
        elif isinstance(node, str):
            signs[0] = node
        elif not isinstance(node, Element) or node.tag in INLINE:
            line.append(node)
        else:
            flush()
            if node.tag == "aside":
                set_aside(node)
            elif node.tag == "pre":
                lines += [_code_line(text, writer) for text in node.text.split("\n")]
            elif node.tag != "hr":
                stack.append(None)
                stack.extend(reversed(_children(node)))
    return "<br>".join(filter(None, lines))


def _children(node: Element) -> list[Node | str | None]:
    """The children of a block, items with their signs."""
    if node.tag in ("ul", "ol"):
        pieces: list[Node | str | None] = []
        for item, number in item_numbers(node):
            pieces += [f"{number}. " if node.tag == "ol" else "- ", item]
        return pieces
    return [*node.children]


def _code_line(text: str, writer: LineWriter) -> str:
    if not text.strip():
        return ""
    return writer.write([Element("code", None, [Text(text)])])
