"""Elements as tags: their length in the source, and rows written as HTML."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from thresher.page.array_types import Int32s
from thresher.page.arrays import freeze
from thresher.page.tags import VOID, lookup

if TYPE_CHECKING:
    from thresher.page.page import Page

_FOREIGN = lookup("svg math", others=True)  # `<path/>` closes itself


def tag_lengths(page: Page, spans: Iterable[Any]) -> Int32s:
    """Return the characters of each element's tags: as written, or as they would be serialised.

    `spans` are the parser's source locations of the rows, None for implied elements. An element
    that the parser made a second time, after misnested tags, counts as implied.
    """
    counts = np.zeros(len(page), np.int32)
    seen: set[int] = set()
    for row, span in enumerate(spans):
        if page.tag[row] == 0:
            continue
        name = len(page.name(row))
        end = 0 if VOID[page.tag[row]] else name + len("</>")
        if span is None or span.start_tag.start_offset in seen:
            given = page.attributes(row).items()
            counts[row] = name + len("<>") + sum(len(k) + len(v) + 4 for k, v in given) + end
            continue
        start_tag, end_tag = span.start_tag, span.end_tag
        seen.add(start_tag.start_offset)
        counts[row] = start_tag.end_offset - start_tag.start_offset
        if end_tag is not None:
            counts[row] += end_tag.end_offset - end_tag.start_offset
        elif not (
            _FOREIGN[page.tag[row]] and page.source.startswith("/>", start_tag.end_offset - 2)
        ):
            counts[row] += end
    return counts


def write(page: Page, attributes: Callable[[int], Mapping[str, str]]) -> tuple[str, Int32s]:
    """Return a page's rows as HTML, and the offset of each element's start tag (-1 for text).

    `attributes` returns the attributes of a row. Scripts and styles are written empty.
    """
    pieces: list[str] = []
    begins: list[int] = []  # per element, the number of pieces before its start tag
    open_rows: list[int] = []
    ends = page.end.tolist()
    is_void = VOID[page.tag].tolist()
    texts = iter(page.texts)
    for row, number in enumerate(page.tag.tolist()):
        while open_rows and ends[open_rows[-1]] <= row:
            pieces.append(f"</{page.name(open_rows.pop())}>")
        if number == 0:
            pieces.append(escape(next(texts), quote=False))
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
