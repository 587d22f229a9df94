"""Docstrings and comments as Markdown, for the reference.

Docstrings are plain text as NumPy would write it. In the reference, examples, indented formulas and
lines with arrows (a --> b) become code blocks, emphasis stays, and characters that Markdown would
read as something else are escaped. The comment beside or above a field of a class, or a constant,
is its documentation:

    pages: int  # how many were read

    # The names of all formats.
    NAMES = ("text", "html")
"""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import griffe

# --- docstrings ----------------------------------------------------------------------------------

# Inline code, and *emphasis*, which has no space inside of its stars and no letter outside of them.
_INSIDE = r"(?![\s*])[^*`<\[]*(?<!\s)"
_KEPT = re.compile(rf"(`[^`]*`|(?<![\w*])(?:\*{_INSIDE}\*|\*\*{_INSIDE}\*\*)(?![\w*]))")
_ITEM = re.compile(r"([-*]|\d+\.) ")
_COLUMNS = re.compile(r"\S {3,}\S|-->")  # a row of a table, or of a diagram


def markdown(text: str) -> str:
    """Return a docstring as Markdown."""
    lines: list[str] = []
    for kind, group in groupby(_kinds(text.split("\n")), key=lambda pair: pair[0]):
        content = [line for _, line in group]
        if kind == "text":
            lines += _escaped("\n".join(content)).split("\n")
            continue
        while content and not content[-1].strip():
            content.pop()
        shift = min(len(line) - len(line.lstrip()) for line in content if line.strip())
        lines += ["", f"```{kind}", *(line[shift:] for line in content), "```", ""]
    return "\n".join(lines).strip("\n")


def _kinds(lines: list[str]) -> Iterator[tuple[str, str]]:
    """Yield each line with the language of its code block, or "text" for prose."""
    kind, in_list = "text", False
    for line in lines:
        indent = len(line) - len(line.lstrip())
        if not line.strip():
            kind = "text" if kind == "python" else kind
        elif line.lstrip().startswith(">>> ") or kind == "python":
            kind = "python"
        elif (indent >= 4 and not in_list) or _COLUMNS.search(line):
            kind = "txt"
        else:
            kind, in_list = "text", bool(_ITEM.match(line.lstrip())) or (in_list and indent > 0)
        yield kind, line


def _escaped(text: str) -> str:
    """Return prose without the signs of Markdown and HTML, inline code and emphasis as they are."""
    parts = _KEPT.split(text)
    parts[::2] = [
        re.sub(r"(?!^\* )([*\[\]])", r"\\\1", part, flags=re.M).replace("<", "&lt;")
        for part in parts[::2]
    ]
    return "".join(parts)


# --- comments ------------------------------------------------------------------------------------


class Docstrings(griffe.Extension):
    """Give attributes their comments as docstrings, and write all docstrings as Markdown."""

    def __init__(self) -> None:
        self._comments: dict[Path, tuple[dict[int, str], dict[int, str]]] = {}

    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:
        """Write the docstring of a module, class, function or attribute as Markdown."""
        if obj.docstring:
            obj.docstring.value = markdown(obj.docstring.value)

    def on_attribute(self, *, attr: griffe.Attribute, **_: Any) -> None:
        """Set the docstring of one attribute."""
        path = attr.filepath
        if attr.docstring or not isinstance(path, Path) or attr.lineno is None:
            return
        if path not in self._comments:
            self._comments[path] = comments(path.read_text(encoding="utf-8"))
        beside, above = self._comments[path]
        own = range(attr.lineno, (attr.endlineno or attr.lineno) + 1)
        text = " ".join(beside[line] for line in own if line in beside)
        text = text or above.get(attr.lineno - 1, "")
        if text:
            attr.docstring = griffe.Docstring(_escaped(text), lineno=attr.lineno, parent=attr)


def comments(source: str) -> tuple[dict[int, str], dict[int, str]]:
    """Return the comments of a source: those at the end of a line, and those of whole lines.

    The first are by their line, the second by the last line of a block of them. Rules between the
    parts of a module and notes to other programs are left out.
    """
    beside: dict[int, str] = {}
    above: dict[int, str] = {}
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        line, column = token.start
        text = token.string.lstrip("# ").partition("  # ")[0].strip()
        skipped = text.startswith(("type: ignore", "noqa", "fmt: ", "---"))
        if token.type != tokenize.COMMENT or skipped:
            continue
        if token.line[:column].strip():
            beside[line] = text
        else:
            before = above.pop(line - 1, "")
            above[line] = f"{before} {text}".strip()
    return beside, above
