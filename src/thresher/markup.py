"""Elements as tags: how long they are in the source, and rows written as HTML."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from typing import Any

import numpy as np

from thresher.columns import Columns, Ints, freeze
from thresher.tags import VOID, lookup

__all__ = ["tag_lengths", "write"]

_FOREIGN = lookup("svg math", others=True)  # `<path/>` ends itself


def tag_lengths(
    page: Columns,
    source: str,
    spans: Iterable[Any],
    attributes: Callable[[int], Mapping[str, str]],
) -> Ints:
    """Count the characters of each element's tags: as written, or as they would be written.

    `spans` are the parser's source locations, None where it implied the element. An element that
    the parser made a second time, after misnested tags, counts as implied.
    """
    counts = np.zeros(len(page), np.int32)
    seen: set[int] = set()
    for row, span in enumerate(spans):
        if page.tag[row] == 0:
            continue
        name = len(page.name(row))
        end = 0 if VOID[page.tag[row]] else name + len("</>")
        if span is None or span.start_tag.start_offset in seen:
            written = attributes(row).items()
            counts[row] = name + len("<>") + sum(len(k) + len(v) + 4 for k, v in written) + end
            continue
        seen.add(span.start_tag.start_offset)
        counts[row] = span.start_tag.end_offset - span.start_tag.start_offset
        closed = span.end_tag
        if closed is not None:
            counts[row] += closed.end_offset - closed.start_offset
        elif not (
            _FOREIGN[page.tag[row]] and source.startswith("/>", span.start_tag.end_offset - 2)
        ):
            counts[row] += end
    return counts


def write(
    page: Columns,
    texts: Sequence[str | None],
    attributes: Callable[[int], Mapping[str, str]],
) -> tuple[str, Ints]:
    """Write rows as HTML; also return the offset of each element's start tag (-1 for text)."""
    pieces: list[str] = []
    offsets = np.full(len(page), -1, np.int32)
    open_rows: list[int] = []
    at = 0
    text = iter(texts)

    def add(piece: str) -> None:
        nonlocal at
        pieces.append(piece)
        at += len(piece)

    for row in [*range(len(page)), len(page)]:
        while open_rows and page.end[open_rows[-1]] <= row:
            add(f"</{page.name(open_rows.pop())}>")
        if row == len(page):
            break
        if page.tag[row] == 0:
            add(escape(next(text) or "", quote=False))
            continue
        offsets[row] = at
        written = (f' {name}="{escape(value)}"' for name, value in attributes(row).items())
        add(f"<{page.name(row)}{''.join(written)}>")
        if not VOID[page.tag[row]]:
            open_rows.append(row)
    freeze(offsets)
    return "".join(pieces), offsets
