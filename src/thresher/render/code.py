"""Blocks of code: their text exactly as written, their language, no line numbers."""

from __future__ import annotations

import re
from itertools import chain, compress

from thresher.page.attributes import attribute_values
from thresher.render.kept_tree import KeptTree
from thresher.render.tree import Element, Text

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
CODE_TAGS = frozenset({"pre", "listing", "xmp"})
_MAX_WRAPPERS = 4  # elements around a block that may name its language


def normalise_code(tree: KeptTree) -> None:
    """Replace each block by `pre > code` with plain text and at most a `language-x` class."""
    has_blocks = not CODE_TAGS.isdisjoint(tree.places)
    if "td" in tree.places:
        if has_blocks:
            _drop_gutter_cells(tree)
        _join_numbered_rows(tree)
    if has_blocks:
        _replace_blocks(tree)


def code_language(block: Element) -> str:
    """Return the language of a `pre` in the normal form, "" if there is none."""
    code = block.children[0] if block.children else None
    names = (code.attr("class") or "") if isinstance(code, Element) else ""
    return names.removeprefix("language-")


def _replace_blocks(tree: KeptTree) -> None:
    skipped = tree.replaced_rows()
    after = 0  # the end of the last block
    for block in tree.places_of(*CODE_TAGS):
        if block >= after and block not in skipped:
            tree.replaced[block] = _block(_code_text(tree, block), _language(tree, block))
            after = tree.ends[block]


def _block(text: str, language: str) -> Element | None:
    """Return a block of code, None if it is empty."""
    if not text.strip():
        return None
    attributes = {"class": f"language-{language}"} if language else None
    return Element("pre", None, [Element("code", attributes, [Text(text)])])


def _code_text(tree: KeptTree, block: int) -> str:
    """Return the lines of a block: breaks and line elements end a line, gutters are left out."""
    parts: list[str] = []  # none is empty
    line_ends: list[int] = []  # of the open line elements
    index, stop = block + 1, tree.ends[block]
    while True:
        while line_ends and line_ends[-1] == index:
            line_ends.pop()
            _end_line(parts)
        if index >= stop:
            return "".join(parts).rstrip("\n\r \t").replace("\r\n", "\n")
        tag = tree.tags[index]
        if index in tree.replaced or not tag or _is_gutter(tree, index):
            text = "" if tag and index not in tree.replaced else tree.text(index)
            parts += [text] if text else []
            index = tree.ends[index]
            continue
        if tag == "br":
            parts.append("\n")
        elif tag in _LINE_TAGS or not _LINE_CLASSES.isdisjoint(_classes(tree, index)):
            _end_line(parts)
            line_ends += [tree.ends[index]] if tag in _LINE_TAGS else []
        index += 1


def _end_line(parts: list[str]) -> None:
    """End the line that the last of the parts is in, if it has any text."""
    if parts and not parts[-1].endswith("\n"):
        parts.append("\n")


def _classes(tree: KeptTree, index: int) -> list[str]:
    return (tree.attr(index, "class") or "").split()


def _is_gutter(tree: KeptTree, index: int) -> bool:
    """Return whether an element holds line numbers and nothing else, and a class says so."""
    if _GUTTER.isdisjoint(_classes(tree, index)):
        return False
    return _NUMBERS.fullmatch(tree.text(index)) is not None


def _language(tree: KeptTree, block: int) -> str:
    """Return the language that the code, the block, or an element around the block names."""
    code = next(tree.inside(block, "code"), None)
    named = _named_language(tree, code) if code is not None else ""
    return named or _named_language(tree, block) or _language_around(tree, block)


def _language_around(tree: KeptTree, block: int) -> str:
    """Return the language that an element around the block names."""
    wrapper = tree.parents[block]
    for _ in range(_MAX_WRAPPERS):
        if wrapper < 0 or tree.tags[wrapper] in ("body", "article", "main", "li"):
            break
        language = _named_language(tree, wrapper)
        if language:
            return language
        wrapper = tree.parents[wrapper]
    return ""


def _named_language(tree: KeptTree, index: int) -> str:
    """Return the language that one element names, "" if none."""
    classes = _classes(tree, index)
    brush = _BRUSH.search(tree.attr(index, "class") or "")
    names = [brush[1]] if brush else []
    names += [match[1] for match in map(_PREFIXED.fullmatch, classes) if match]
    names += [tree.attr(index, name) or "" for name in ("data-lang", "data-language")]
    is_code = tree.tags[index] in ("pre", "code")
    if is_code and len(classes) > 1 and classes[0] in _BEFORE_LANGUAGE:
        names.append(classes[1])
    languages = (n.lower() for n in names if _LANGUAGE.fullmatch(n) and n not in _NOT_LANGUAGES)
    return next(languages, "")


def _drop_gutter_cells(tree: KeptTree) -> None:
    """Leave out the cells of line numbers before a cell of code."""
    seen: dict[int, int] = {}  # of each row of a table: the first cell that was not looked at
    for block in tree.places_of("pre"):
        cell = next((above for above in tree.ancestors(block) if tree.tags[above] == "td"), None)
        if cell is None:
            continue
        row = tree.parents[cell]
        at = seen.get(row, row + 1)
        while at < cell:
            if tree.tags[at] and _is_number_column(tree, at):
                tree.replaced[at] = None
            at = tree.ends[at]
        seen[row] = at


def _is_number_column(tree: KeptTree, cell: int) -> bool:
    """Return whether a cell holds only line numbers: a class says so, or they are consecutive."""
    text = tree.text(cell)
    if _NUMBERS.fullmatch(text) is None:
        return False
    inner = chain([cell], tree.inside(cell, "div", "pre"))
    if any(not _GUTTER.isdisjoint(_classes(tree, element)) for element in inner):
        return True
    numbers = [int(number) for number in text.split() if len(number) < 9]
    return len(numbers) > 1 and numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def _join_numbered_rows(tree: KeptTree) -> None:
    """Replace a table with one numbered row per line of code by one block."""
    cells = tree.places_of("td")
    given = attribute_values(list(map(tree.nodes.__getitem__, cells)), "data-line-number")
    for cell in compress(cells, given):
        around = list(tree.ancestors(cell))
        table = next((above for above in around if tree.tags[above] == "table"), None)
        if table is None or any(tree.tags[above] == "pre" for above in around):
            continue
        if any(above in tree.replaced for above in around):  # such as by another of its cells
            continue
        rows = [
            "".join(
                tree.text(inner)
                for inner in tree.inside(row, "td")
                if not tree.attr(inner, "data-line-number")
            )
            for row in tree.inside(table, "tr")
        ]
        text = "\n".join(rows).rstrip("\n\r \t")
        tree.replaced[table] = _block(text, _language_around(tree, table))
