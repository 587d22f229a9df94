"""Elements as tags: how long they are in the source, and rows written as HTML."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from typing import Any

import numpy as np

from thresher.page.array_types import Int32s
from thresher.page.columns import Columns, freeze
from thresher.page.tags import VOID, lookup

_FOREIGN = lookup("svg math", others=True)  # `<path/>` ends itself


def tag_lengths(
    page: Columns,
    source: str,
    spans: Iterable[Any],
    attributes: Callable[[int], Mapping[str, str]],
) -> Int32s:
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
) -> tuple[str, Int32s]:
    """Write rows as HTML; also return the offset of each element's start tag (-1 for text)."""
    pieces: list[str] = []
    begins: list[int] = []  # per element, the number of pieces before its start tag
    open_rows: list[int] = []
    ends = page.end.tolist()
    is_void = VOID[page.tag].tolist()
    text = iter(texts)
    for row, number in enumerate(page.tag.tolist()):
        while open_rows and ends[open_rows[-1]] <= row:
            pieces.append(f"</{page.name(open_rows.pop())}>")
        if number == 0:
            pieces.append(escape(next(text) or "", quote=False))
            continue
        begins.append(len(pieces))
        written = [f' {name}="{escape(value)}"' for name, value in attributes(row).items()]
        pieces.append(f"<{page.names[number]}{''.join(written)}>")
        if not is_void[row]:
            open_rows.append(row)
    pieces += [f"</{page.name(row)}>" for row in reversed(open_rows)]
    sizes = np.fromiter(map(len, pieces), np.int64, len(pieces))
    offsets = np.full(len(page), -1, np.int32)
    offsets[page.tag != 0] = (np.cumsum(sizes) - sizes)[begins]
    freeze(offsets)
    return "".join(pieces), offsets
