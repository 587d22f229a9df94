"""Blocks of code: their text exactly as written, their language, no line numbers."""

from __future__ import annotations

import re

from turbohtml import Element, Node, Text

from thresher.render.node_set import NodeSet

_LANGUAGE = re.compile(r"[\w+#.-]+")
_PREFIXED = re.compile(r"(?:language|lang|highlight-source|highlight|src|code)-([\w+#.-]+)")
_BRUSH = re.compile(r"brush:\s*([\w+#.-]+)")
# Classes after which the next class is a language: "sourceCode python", "hljs ruby".
_BEFORE_LANGUAGE = frozenset({"sourceCode", "hljs", "highlight", "prettyprint"})
_NOT_LANGUAGES = frozenset(
    "none default auto text plain plaintext nohighlight notranslate block wrapper linenums "
    "numberSource copyable".split()
)
_GUTTER = frozenset(
    "lineno linenos line-number line-numbers line-numbers-rows linenumber linenumbers lineNumber "
    "ln lnt gutter blob-num hljs-ln-numbers hljs-ln-n linenodiv rouge-gutter line-num "
    "LineNr".split()
)
_LINE_TAGS = frozenset({"div", "li", "p", "tr"})
_LINE_CLASSES = frozenset({"line", "code-line", "token-line", "view-line"})
_NUMBERS = re.compile(r"[\d\s]*")
_MAX_WRAPPERS = 4  # elements around a block that may name its language


def normalise_code(body: Element) -> None:
    """Rewrite each block to `pre > code` with plain text and at most a `language-x` class."""
    _drop_gutter_cells(body)
    _join_numbered_rows(body)
    done = NodeSet()
    for block in body.select("pre, listing, xmp"):
        if block in done:
            continue
        done.update(block.descendants)
        language = _language(block)
        attributes = {"class": f"language-{language}"} if language else None
        text = _code_text(block)
        if text.strip():
            code = Element("code", attributes, [Text(text)])
            block.replace_with(Element("pre", None, [code]))
        else:
            block.extract()


def code_language(block: Element) -> str:
    """Return the language of a `pre` in the normal form, "" if there is none."""
    code = block.find("code")
    return ((code.attr("class") or "") if code is not None else "").removeprefix("language-")


def _code_text(block: Element) -> str:
    """Return the lines of a block: breaks and line elements end a line, gutters are left out."""
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
                is_line = node.tag in _LINE_TAGS or not _LINE_CLASSES.isdisjoint(_classes(node))
                if is_line and not at_start:
                    parts.append("\n")
                    at_start = True
                if node.tag in _LINE_TAGS:
                    stack.append(None)
                stack.extend(reversed(node.children))
    return "".join(parts).rstrip("\n\r \t").replace("\r\n", "\n")


def _classes(element: Element) -> list[str]:
    return (element.attr("class") or "").split()


def _is_gutter(element: Element) -> bool:
    """Return whether an element holds line numbers and nothing else, and a class says so."""
    if _GUTTER.isdisjoint(_classes(element)):
        return False
    return _NUMBERS.fullmatch(element.text) is not None


def _language(block: Element) -> str:
    """Return the language that the code, the block, or an element around the block names."""
    code = block.find("code")
    language = (_named_language(code) if code is not None else "") or _named_language(block)
    wrapper = block.parent
    for _ in range(_MAX_WRAPPERS):
        if language or not isinstance(wrapper, Element):
            break
        if wrapper.tag in ("body", "article", "main", "li"):
            break
        language = _named_language(wrapper)
        wrapper = wrapper.parent
    return language


def _named_language(element: Element) -> str:
    """Return the language that one element names, "" if none."""
    classes = _classes(element)
    brush = _BRUSH.search(element.attr("class") or "")
    names = [brush[1]] if brush else []
    names += [match[1] for match in map(_PREFIXED.fullmatch, classes) if match]
    names += [element.attr(name) or "" for name in ("data-lang", "data-language")]
    if element.tag in ("pre", "code") and len(classes) > 1 and classes[0] in _BEFORE_LANGUAGE:
        names.append(classes[1])
    languages = (n.lower() for n in names if _LANGUAGE.fullmatch(n) and n not in _NOT_LANGUAGES)
    return next(languages, "")


def _drop_gutter_cells(body: Element) -> None:
    """Remove the cells of line numbers before a cell of code."""
    for block in body.select("td pre"):
        cell = block.closest("td")
        for before in list(cell.previous_siblings) if cell is not None else []:
            if isinstance(before, Element) and _is_number_column(before):
                before.extract()


def _is_number_column(cell: Element) -> bool:
    """Return whether a cell holds only line numbers: a class says so, or they are consecutive."""
    if _NUMBERS.fullmatch(cell.text) is None:
        return False
    inner = [cell, *cell.iter_elements(["div", "pre"])]
    if any(not _GUTTER.isdisjoint(_classes(element)) for element in inner):
        return True
    numbers = [int(number) for number in cell.text.split() if len(number) < 9]
    return len(numbers) > 1 and numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def _join_numbered_rows(body: Element) -> None:
    """Rewrite a table with one numbered row per line of code to one block."""
    done = NodeSet()
    for table in [cell.closest("table") for cell in body.select("td[data-line-number]")]:
        if table is None or table in done or table.closest("pre") is not None:
            continue
        done.update([table])
        rows = [
            "".join(cell.text for cell in row.find_all("td") if not cell.attr("data-line-number"))
            for row in table.iter_elements("tr")
        ]
        table.replace_with(Element("pre", None, [Text("\n".join(rows))]))
