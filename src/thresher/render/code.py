"""Blocks of code: their text exactly as written, their language, no line numbers."""

from __future__ import annotations

import re

from turbohtml import Element, Node, Text

from thresher.render.node_set import NodeSet

_PREFIXED = re.compile(r"(?:language|lang|highlight-source|highlight|src|code)-([\w+#.-]+)")
_BRUSH = re.compile(r"brush:\s*([\w+#.-]+)")
# Classes that say the next class is a language: "sourceCode python", "hljs ruby".
_ANNOUNCE = frozenset({"sourceCode", "hljs", "highlight", "prettyprint"})
_NOT_LANGUAGES = frozenset(
    "none default auto text plain plaintext nohighlight notranslate block wrapper linenums "
    "numberSource copyable".split()
)
_GUTTER = frozenset(
    "lineno linenos line-number line-numbers line-numbers-rows linenumber linenumbers lineNumber "
    "ln lnt gutter blob-num hljs-ln-numbers hljs-ln-n linenodiv rouge-gutter line-num "
    "LineNr".split()
)
_LINES = frozenset({"div", "li", "p", "tr"})
_LINE_CLASSES = frozenset({"line", "code-line", "token-line", "view-line"})
_NUMBERS = re.compile(r"[\d\s]*")
_WRAPPERS = 4  # how far above a block its language may stand


def settle_code(body: Element) -> None:
    """Make every block `pre > code` with plain text and at most a `language-x` class."""
    _drop_gutter_cells(body)
    _join_numbered_rows(body)
    gone = NodeSet()
    for block in body.select("pre, listing, xmp"):
        if block in gone:
            continue
        gone.update(block.descendants)
        language = _language(block)
        attributes = {"class": f"language-{language}"} if language else None
        text = code_text(block)
        if text.strip():
            code = Element("code", attributes, [Text(text)])
            block.replace_with(Element("pre", None, [code]))
        else:
            block.extract()


def code_text(block: Element) -> str:
    """The lines of a block: breaks and line elements end a line, gutters are left out."""
    parts: list[str] = []
    at_start = True
    stack: list[Node | None] = [block]
    while stack:
        node = stack.pop()
        if node is None:  # the end of a line element
            if not at_start:
                parts.append("\n")
            at_start = True
        elif isinstance(node, Text):
            parts.append(node.data)
            at_start = node.data.endswith("\n") if node.data else at_start
        elif isinstance(node, Element):
            if node.tag == "br":
                parts.append("\n")
                at_start = True
            elif not _is_gutter(node):
                is_line = node.tag in _LINES or not _LINE_CLASSES.isdisjoint(_classes(node))
                if is_line and not at_start:
                    parts.append("\n")
                    at_start = True
                if node.tag in _LINES:
                    stack.append(None)
                stack.extend(reversed(node.children))
    return "".join(parts).rstrip("\n\r \t").replace("\r\n", "\n")


def _classes(element: Element) -> list[str]:
    return (element.attr("class") or "").split()


def _is_gutter(element: Element) -> bool:
    if _GUTTER.isdisjoint(_classes(element)):
        return False
    return _NUMBERS.fullmatch(element.text) is not None


def _language(block: Element) -> str:
    """The language named on the code, the block, or what wraps the block."""
    code = block.find("code")
    for element in (code, block):
        if element is not None:
            language = _named(element)
            if language:
                return language
    wrapper = block.parent
    for _ in range(_WRAPPERS):
        if not isinstance(wrapper, Element) or wrapper.tag in ("body", "article", "main", "li"):
            break
        language = _named(wrapper)
        if language:
            return language
        wrapper = wrapper.parent
    return ""


def _named(element: Element) -> str:
    """The language one element names, "" if none."""
    names = _classes(element)
    brush = _BRUSH.search(element.attr("class") or "")
    found = [brush[1]] if brush else []
    found += [match[1] for match in map(_PREFIXED.fullmatch, names) if match]
    found += [element.attr(name) or "" for name in ("data-lang", "data-language")]
    if element.tag in ("pre", "code") and len(names) > 1 and names[0] in _ANNOUNCE:
        found.append(names[1])
    for name in found:
        if re.fullmatch(r"[\w+#.-]+", name) and name not in _NOT_LANGUAGES:
            return name.lower()
    return ""


def _drop_gutter_cells(body: Element) -> None:
    """Remove the cells of line numbers before a cell of code."""
    for block in body.select("td pre"):
        cell = block.closest("td")
        before = cell.previous_sibling if cell is not None else None
        while before is not None:
            following = before.previous_sibling
            if isinstance(before, Element) and _is_number_column(before):
                before.extract()
            before = following


def _is_number_column(cell: Element) -> bool:
    """Whether a cell only counts lines: named a gutter, or the numbers follow each other."""
    if _NUMBERS.fullmatch(cell.text) is None:
        return False
    inner = [cell, *cell.iter_elements(["div", "pre"])]
    if any(not _GUTTER.isdisjoint(_classes(element)) for element in inner):
        return True
    numbers = [int(number) for number in cell.text.split() if len(number) < 9]
    return len(numbers) > 1 and numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def _join_numbered_rows(body: Element) -> None:
    """A table with a numbered row per line of code becomes one block."""
    tables = [cell.closest("table") for cell in body.select("td[data-line-number]")]
    done = NodeSet()
    for table in tables:
        if table is None or table in done or table.closest("pre") is not None:
            continue
        done.update([table])
        rows = [
            "".join(cell.text for cell in row.find_all("td") if not cell.attr("data-line-number"))
            for row in table.iter_elements("tr")
        ]
        table.replace_with(Element("pre", None, [Text("\n".join(rows))]))
