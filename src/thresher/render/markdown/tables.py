"""Tables of GitHub Markdown: one line per row, the blocks of a cell joined by `<br>`."""

from __future__ import annotations

from collections.abc import Callable
from itertools import takewhile

from thresher.render.compiled import use_compiled
from thresher.render.markdown.lines import LineWriter
from thresher.render.normal_form import are_inline, is_inline, numbered_items
from thresher.render.tree import Element, Node, Text


def table_lines(
    table: Element, writer: LineWriter, keep_note: Callable[[Element], None]
) -> list[str]:
    """Return the rows of a table, the first as its header.

    `keep_note` is called with each footnote in a cell. Columns without any text or image are left
    out, as in plain text.
    """
    rows = [
        [_cell(cell, writer, keep_note) for cell in row.children if isinstance(cell, Element)]
        for row in table.children
        if isinstance(row, Element) and row.tag == "tr"
    ]
    filled = sorted({column for row in rows for column, cell in enumerate(row) if cell})
    if not filled:
        return []
    # A row may be shorter than others; `filled` is sorted, so this is linear in the cells.
    rows = [[row[column] for column in takewhile(len(row).__gt__, filled)] for row in rows]
    rows[0] += [""] * (len(filled) - len(rows[0]))
    lines = [f"| {' | '.join(row)} |" for row in rows]
    lines.insert(1, f"|{' --- |' * len(filled)}")
    return lines


def _cell(cell: Element, writer: LineWriter, keep_note: Callable[[Element], None]) -> str:
    """Return the content of a cell on one line."""
    if are_inline(cell.children):  # true of most
        return writer.write(cell.children) if cell.children else ""
    lines: list[str] = []
    line: list[Node] = []
    marker = ""  # of the list item that the next line begins
    stack: list[Node | str | None] = [None, *reversed(cell.children)]  # None ends a block
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            marker = node
            continue
        if node is not None and is_inline(node):
            line.append(node)
            continue
        if line:
            text = writer.write(line)
            lines.append(f"{marker}{text}" if text else "")
            marker = ""
            line = []
        if isinstance(node, Element):
            if node.tag == "aside":
                keep_note(node)
            elif node.tag == "pre":
                lines += [_code_line(text, writer) for text in node.text.splitlines()]
            elif node.tag != "hr":
                stack.append(None)
                stack.extend(reversed(_children(node)))
    return "<br>".join(filter(None, lines))


def _children(node: Element) -> list[Node | str]:
    """Return the children of a block; before each list item its marker."""
    if node.tag not in ("ul", "ol"):
        return [*node.children]
    pieces: list[Node | str] = []
    for item, number in numbered_items(node):
        pieces += [f"{number}. " if node.tag == "ol" else "- ", item]
    return pieces


def _code_line(text: str, writer: LineWriter) -> str:
    if not text.strip():
        return ""
    return writer.write([Element("code", None, [Text(text)])])


use_compiled(globals(), "table_lines")
