"""Blocks of a Markdown page that a program writes.

A block is between two comments that name it: `<!-- speed: written by make bench -->` and
`<!-- speed: end -->`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from thresher.errors import InputError


def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(rf"(<!-- {name}: [^\n]*-->\n)(.*?)(<!-- {name}: end -->)", re.S)


def block(text: str, name: str) -> str:
    """Return the text between the comments of a name."""
    found = _pattern(name).search(text)
    if found is None:
        raise InputError(f"no block {name!r}: put <!-- {name}: ... --> and <!-- {name}: end -->.")
    return found[2]


def with_block(text: str, name: str, content: str) -> str:
    """Return a text with new content between the comments of a name."""
    block(text, name)
    return _pattern(name).sub(lambda found: f"{found[1]}{content}{found[3]}", text, count=1)


def write_block(page: Path, name: str, content: str) -> None:
    """Replace the text between the comments of a name in a file."""
    text = page.read_text(encoding="utf-8")
    page.write_text(with_block(text, name, content), encoding="utf-8")


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Return the lines of a table; all columns but the first are aligned to the right."""
    lines = ["| " + " | ".join(head) + " |", "|---" + "|---:" * (len(head) - 1) + "|"]
    return lines + ["| " + " | ".join(row) + " |" for row in rows]
