"""Raised numbers and the arrows of footnotes in plain text.

A raised number is written with raised digits: 10<sup>6</sup> is 10⁶, not 106. One that leads to a
note says nothing without the note's link, so it is left out, and so is the arrow that leads back
from a note to the text.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from thresher.page.array_types import Bools
from thresher.page.arrays import nearest
from thresher.page.tags import BLOCK, NUMBER

if TYPE_CHECKING:
    from thresher.page.page import Page

_RAISED, _LINK = NUMBER["sup"], NUMBER["a"]
_IS_NUMBER = re.compile(r"\s*([+\-−–]?\d{1,4})\s*", re.A)
_IS_NOTE = re.compile(r"\s*(?:\d{1,3}|[*†‡§]{1,3})\s*", re.A)
_LONGEST = 8  # characters of a raised number with white space
_DIGITS = str.maketrans("0123456789+-−–", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻")
_ARROWS = frozenset({"↩", "↩\ufe0e", "↩\ufe0f", "⏎", "↵"})


def with_raised(page: Page, keep: Bools) -> tuple[Page, Bools]:
    """Return the page with raised digits, and the texts to keep without those about notes."""
    if page.base is not None or not page.present[_RAISED]:  # true of most pages
        return page, keep
    texts, kept = list(page.texts), keep.copy()
    block = nearest(BLOCK.take(page.tag), page.parent)
    is_note_page = False
    for row in (page.tag == _RAISED).nonzero()[0].tolist():
        first, last = page.text_span(row)
        if not first < last <= first + 3 or not keep[first:last].any():
            continue
        whole = "".join(texts[first:last])
        around = max(int(block[row]), 0)
        if len(whole) > _LONGEST or page.text_span(around)[0] == first:
            continue  # at the begin of its block, it is the number of a note
        if _IS_NOTE.fullmatch(whole) and _leads_to_note(page, row):
            kept[first:last] = False
            is_note_page = True
        elif _IS_NUMBER.fullmatch(whole) and texts[first - 1][-1:].strip():
            for at in range(first, last):
                texts[at] = texts[at].translate(_DIGITS)
    if is_note_page:
        arrows = [at for at in kept.nonzero()[0].tolist() if texts[at].strip() in _ARROWS]
        kept[[at for at in arrows if page.linked[page.text_rows[at]]]] = False
    return _with_texts(page, texts), kept


def _leads_to_note(page: Page, row: int) -> bool:
    """Return whether the link right in or around a raised number leads to a place on the page."""
    link = next((at for at in (row + 1, int(page.parent[row])) if page.tag[at] == _LINK), None)
    return link is not None and "#" in page.attributes(link).get("href", "")


def _with_texts(page: Page, texts: list[str]) -> Page:
    """Return the page with other texts of the same lengths, or itself if they are the same."""
    if tuple(texts) == page.texts:
        return page
    written = replace(page, texts=tuple(texts))
    written.prefill(nodes=page.nodes, stated=page.stated, text_rows=page.text_rows)
    return written
