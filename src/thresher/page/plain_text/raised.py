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
from thresher.page.tags import BLOCK, NUMBER

if TYPE_CHECKING:
    from thresher.page.page import Page

_RAISED, _LINK = NUMBER["sup"], NUMBER["a"]
_IS_NUMBER = re.compile(r"\s*([+\-−–]?\d{1,4})\s*", re.A)
_IS_NOTE = re.compile(r"\s*(?:\d{1,3}|[*†‡§]{1,3})\s*", re.A)
_LONGEST, _MOST_TEXTS = 8, 3  # characters of a raised number with white space; its texts
_DIGITS = str.maketrans("0123456789+-−–", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻")
_ARROWS = frozenset({"↩", "↩\ufe0e", "↩\ufe0f", "⏎", "↵"})


def with_raised(page: Page, keep: Bools) -> tuple[Page, Bools]:
    """Return the page with raised digits, and the texts to keep without those about notes."""
    if page.base is not None or not page.present[_RAISED]:  # true of most pages
        return page, keep
    notes: list[int] = []  # places of texts
    digits: list[int] = []
    for row in (page.tag == _RAISED).nonzero()[0].tolist():
        first, last = page.text_span(row)
        if not first < last <= first + _MOST_TEXTS or not keep[first:last].any():
            continue
        whole = "".join(page.texts[first:last])
        if len(whole) > _LONGEST:
            continue
        is_note, is_number = _IS_NOTE.fullmatch(whole), _IS_NUMBER.fullmatch(whole)
        if not (is_note or is_number):
            continue
        if page.text_span(_block_around(page, row))[0] == first:
            continue  # at the begin of its block, it is the number of a note
        if is_note and _leads_to_note(page, row):
            notes += range(first, last)
        elif is_number and page.texts[first - 1][-1:].strip():
            digits += range(first, last)
    written = _with_raised_digits(page, digits) if digits else page
    return written, _without_notes(page, keep, notes) if notes else keep


def _without_notes(page: Page, keep: Bools, notes: list[int]) -> Bools:
    """Return the texts to keep without some, and without the arrows that lead back from notes."""
    kept = keep.copy()
    kept[notes] = False
    arrows = [at for at in kept.nonzero()[0].tolist() if page.texts[at].strip() in _ARROWS]
    kept[[at for at in arrows if page.linked[page.text_rows[at]]]] = False
    return kept


def _block_around(page: Page, row: int) -> int:
    """Return the block-level element around a row, the root if there is none."""
    while row > 0 and not BLOCK[page.tag[row]]:
        row = int(page.parent[row])
    return max(row, 0)


def _leads_to_note(page: Page, row: int) -> bool:
    """Return whether the link right in or around a raised number leads to a place on the page."""
    link = next((at for at in (row + 1, int(page.parent[row])) if page.tag[at] == _LINK), None)
    return link is not None and "#" in page.attributes(link).get("href", "")


def _with_raised_digits(page: Page, places: list[int]) -> Page:
    """Return the page with the digits of some texts raised."""
    texts = list(page.texts)
    for at in places:
        texts[at] = texts[at].translate(_DIGITS)
    written = replace(page, texts=tuple(texts))
    written.prefill(nodes=page.nodes, stated=page.stated, text_rows=page.text_rows)
    return written
