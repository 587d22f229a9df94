"""The frame of a self-contained HTML page, and small pieces that such pages share.

The pages load nothing and run no script; their colours follow the reader's choice of light or dark.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

import numpy as np

from thresher.page import Page
from thresher.page.array_types import Rows

_PATH_NAME = 40  # characters of a tag, and of its id and class
_PATH_STEPS = 5  # elements named in a path
_MAX_CHARS_JOINED = 300


def html_page(title: str, style: str, body: str) -> str:
    """Return a whole page; `title` and `body` are HTML, escaped by the caller."""
    return _PAGE.format(title=title, style=_PALETTE + style, body=body)


def count(number: int, noun: str) -> str:
    """Return a number with its noun: `1 word`, `2,000 words`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def subtitle(first: str, url: str | None, status: str) -> str:
    """Return a line of HTML: `first`, the address, and the status unless it is "complete"."""
    parts = [first]
    if url:
        parts.append(escape(url))
    if status != "complete":
        parts.append(f"<strong>{escape(status)}</strong>")
    return " · ".join(parts)


def truncate(text: str, most: int) -> str:
    """Return at most `most` characters of a text, and the number of characters left out."""
    if len(text) <= most:
        return text
    return f"{text[:most]} … ({len(text) - most:,} more characters)"


def join_texts(texts: Iterable[str]) -> str:
    """Return texts in one line, separated by dots and cut after 300 characters."""
    joined = ""
    for text in texts:
        joined += (" · " if joined else "") + text[: _MAX_CHARS_JOINED + 1]
        if len(joined) > _MAX_CHARS_JOINED:
            return f"{joined[:_MAX_CHARS_JOINED]} …"
    return joined


def line_numbers(page: Page, rows: Rows) -> list[int]:
    """Return the line of the source, from 1, in which each row begins."""
    if not len(rows):  # an empty page has no offsets
        return []
    offsets = page.row_offsets[rows]
    lines: list[int] = np.searchsorted(page.line_starts, offsets, side="right").tolist()
    return lines


class ShortPaths:
    """Short paths of tags, such as `main > article.post > p`."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.names: dict[int, str] = {}  # by row

    def path(self, row: int) -> str:
        """Return the names of the nearest elements around a text row, the outermost first."""
        steps: list[str] = []
        at = int(self.page.parent[row])
        while at > 0 and len(steps) < _PATH_STEPS:
            steps.append(self._name(at))
            at = int(self.page.parent[at])
        return " > ".join(["…"] * (at > 0) + steps[::-1])

    def _name(self, row: int) -> str:
        """Return tag, id and first class of an element."""
        if row not in self.names:
            attributes = self.page.attributes(row)
            marks = [f"#{word}" for word in attributes.get("id", "").split()[:1]]
            marks += [f".{word}" for word in attributes.get("class", "").split()[:1]]
            self.names[row] = self.page.name(row)[:_PATH_NAME] + "".join(marks)[:_PATH_NAME]
        return self.names[row]


_PALETTE = """
:root { color-scheme: light dark; --ink: #16181d; --soft: #63686f; --line: #d9dce1;
  --paper: #f6f7f9; --leaf: #eaf6ec; --green: #1f9d4d; --grey: #c5c9d0; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #eceef2; --soft: #9aa0a9; --line: #33373e; --paper: #16181c; --leaf: #1a2b20;
    --green: #3fbf6c; --grey: #4a4f58; } }
* { box-sizing: border-box; }
body { background: var(--paper); color: var(--ink); margin: 0;
  font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0; }
.sub { color: var(--soft); font-size: .875rem; margin: .3rem 0 1rem; }
.note { color: var(--soft); font-size: .875rem; padding: 1rem 0; }
"""

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="generator" content="Thresher">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
{body}</body>
</html>
"""
