"""Blocks of a Markdown page that a program writes.

A block stands between two comments that name it: `<!-- speed: written by make bench -->` and
`<!-- speed: end -->`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from thresher.errors import InputError

__all__ = ["block", "markdown_table", "with_block"]


def _place(name: str) -> re.Pattern[str]:
    return re.compile(rf"(<!-- {name}: [^\n]*-->\n)(.*?)(<!-- {name}: end -->)", re.S)


def block(text: str, name: str) -> str:
    """Return what stands between the comments of a name."""
    found = _place(name).search(text)
    if found is None:
        raise InputError(f"no block {name!r}: put <!-- {name}: ... --> and <!-- {name}: end -->.")
    return found[2]


def with_block(text: str, name: str, content: str) -> str:
    """Return a text with new content between the comments of a name."""
    block(text, name)
    return _place(name).sub(lambda found: f"{found[1]}{content}{found[3]}", text, count=1)


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Return the lines of a table; all columns but the first are numbers, set to the right."""
    lines = ["| " + " | ".join(head) + " |", "|---" + "|---:" * (len(head) - 1) + "|"]
    return lines + ["| " + " | ".join(row) + " |" for row in rows]
