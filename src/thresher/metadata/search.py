"""Searches in all of a page: for words in many texts, and for classes of many elements.

Each has a compiled version in `_search`; the function named `_plain_...` is its definition.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import compress

import numpy as np

from thresher.page import Page
from thresher.page.array_types import Rows
from thresher.page.attributes import NameCache, attribute_values
from thresher.page.core import COMPILED

if COMPILED:
    from thresher.metadata import _search


def texts_with(texts: Sequence[str], words: Iterable[str]) -> list[int]:
    """Return the places of the texts that contain one of the words.

    The words have at least two letters, all of ASCII.
    """
    if COMPILED:
        return _search.find_texts(tuple(texts), list(map(str.encode, words)))
    return _plain_texts_with(texts, words)


def _plain_texts_with(texts: Sequence[str], words: Iterable[str]) -> list[int]:
    every_text = "\n".join(texts)  # few pages have any of the words
    present = [word for word in words if word in every_text]
    numbered = enumerate(texts) if present else ()
    return [at for at, text in numbered if any(word in text for word in present)]


def facts_around(page: Page, rows: Rows, facts: NameCache, levels: int) -> list[int]:
    """Return what the class of each element, or of one around it, stands for.

    `facts` has a number from 0 to 127 for each class. The result is the first that is not 0, of the
    element and of `levels` elements around it inside the body, from the innermost on; 0 if there is
    none.
    """
    if COMPILED:
        known = np.full(len(page), -1, np.int8)
        attr = type(page.nodes[0]).attr
        return _search.find_around(
            page.nodes, attr, facts, page.parent, page.body, rows, levels, known
        )
    return _plain_facts_around(page, rows, facts, levels)


def _plain_facts_around(page: Page, rows: Rows, facts: NameCache, levels: int) -> list[int]:
    around = [rows]
    for _ in range(levels):
        around.append(np.maximum(page.parent[around[-1]], 0))
    is_wanted = np.zeros(len(page), np.bool_)
    for level in around:
        is_wanted[level] = True
    is_wanted[: page.body + 1] = False
    wanted = is_wanted.nonzero()[0]
    nodes = list(map(page.nodes.__getitem__, wanted.tolist()))
    of_row = np.zeros(len(page), np.int8)
    of_row[wanted] = list(map(facts.__getitem__, attribute_values(nodes, "class")))
    found = of_row[rows]
    for level in around[1:]:
        found = np.where(found == 0, of_row[level], found)
    result: list[int] = found.tolist()
    return result


def short_elements(
    page: Page, start: int, stop: int, facts: NameCache, most_texts: int
) -> list[int]:
    """Return the visible elements from the row `start` to before `stop` whose class says something.

    `facts` has a bool for each class. The elements have one to `most_texts` texts inside.
    """
    if COMPILED:
        return _search.find_short(
            page.nodes, type(page.nodes[0]).attr, facts, page.tag, page.hidden, page.end,
            page.text_rows, start, stop, most_texts,
        )  # fmt: skip
    return _plain_short_elements(page, start, stop, facts, most_texts)


def _plain_short_elements(
    page: Page, start: int, stop: int, facts: NameCache, most_texts: int
) -> list[int]:
    tags = page.tag[start:stop]
    elements = ((tags != 0) & ~page.hidden[start:stop]).nonzero()[0] + start
    before = np.searchsorted(page.text_rows, np.array((elements, page.end[elements]), np.int32))
    texts = before[1] - before[0]
    rows = elements[(texts > 0) & (texts <= most_texts)].tolist()
    classes = attribute_values(list(map(page.nodes.__getitem__, rows)), "class")
    return list(compress(rows, map(facts.__getitem__, classes)))
