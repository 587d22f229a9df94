"""Searches in all of a page: for tags, for words in texts, and for classes of many elements.

Each has a compiled version in `_search`; the function named `_plain_...` is its definition.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import compress
from typing import NamedTuple

import numpy as np

from thresher.page import Page
from thresher.page.attributes import NameCache, attribute_values
from thresher.page.core import COMPILED
from thresher.page.tags import LAST_ID, NUMBER

if COMPILED:
    from thresher.metadata import _search


class RowsByTag(NamedTuple):
    """The rows of some tags, in order."""

    meta: list[int]
    link: list[int]
    title: list[int]
    h1: list[int]
    h2: list[int]
    nav: list[int]
    time: list[int]


_TAGS = RowsByTag._fields
_KINDS = np.zeros(LAST_ID + 1, np.uint8)  # by tag number: 1 for the first of these tags, ...
_KINDS[[NUMBER[name] for name in _TAGS]] = range(1, len(_TAGS) + 1)
_KINDS.setflags(write=False)


def rows_by_tag(page: Page) -> RowsByTag:
    """Return the rows of the tags that describe a page; found once per page."""
    return page.cached(_rows_by_tag)


def _rows_by_tag(page: Page) -> RowsByTag:
    if COMPILED:
        return RowsByTag(*_search.find_tags(page.tag, _KINDS, len(_TAGS)))
    return _plain_rows_by_tag(page)


def _plain_rows_by_tag(page: Page) -> RowsByTag:
    return RowsByTag(*((page.tag == NUMBER[name]).nonzero()[0].tolist() for name in _TAGS))


def texts_with(page: Page, words: Iterable[str]) -> list[int]:
    """Return the places of the texts of a page that have one of the words.

    The words have at least two letters, all of ASCII.
    """
    if COMPILED:
        encoded = list(map(str.encode, words))
        return _search.find_texts(page.texts, page.text_rows, page.words, encoded)
    return _plain_texts_with(page, words)


def _plain_texts_with(page: Page, words: Iterable[str]) -> list[int]:
    every_text = "\n".join(page.texts)  # few pages have any of the words
    present = [word for word in words if word in every_text]
    numbered = enumerate(page.texts) if present else ()
    return [at for at, text in numbered if any(word in text for word in present)]


def short_elements(
    page: Page, start: int, stop: int, facts: NameCache, most_texts: int, wanted: int
) -> list[int]:
    """Return the visible elements from the row `start` to before `stop` whose class says something.

    `facts` has an integer for each class, whose bits are what it says. Elements are returned if a
    bit of `wanted` is set, or if another one is and they have an attribute `itemprop`. They have
    one to `most_texts` texts inside.
    """
    if COMPILED:
        return _search.find_short(
            page.nodes, facts, page.tag, page.hidden, page.end, page.text_rows, start, stop,
            most_texts, wanted,
        )  # fmt: skip
    return _plain_short_elements(page, start, stop, facts, most_texts, wanted)


def _plain_short_elements(
    page: Page, start: int, stop: int, facts: NameCache, most_texts: int, wanted: int
) -> list[int]:
    tags = page.tag[start:stop]
    elements = ((tags != 0) & ~page.hidden[start:stop]).nonzero()[0] + start
    before = np.searchsorted(page.text_rows, np.array((elements, page.end[elements]), np.int32))
    texts = before[1] - before[0]
    rows = elements[(texts > 0) & (texts <= most_texts)].tolist()
    nodes = list(map(page.nodes.__getitem__, rows))
    bits = list(map(facts.__getitem__, attribute_values(nodes, "class")))
    return [
        row
        for row, node, bit in compress(zip(rows, nodes, bits, strict=True), bits)
        if bit & wanted or node.attr("itemprop") is not None
    ]
