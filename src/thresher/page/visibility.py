"""Which texts a browser shows.

A block may contain words that are hidden within its sentence: a sort key in a table cell, a
fallback for browsers without scripts. Methods see all words; such words are removed from the
blocks that a method selects. A fully hidden block is kept if the method selects it, because on
many pages a script shows it.

Two things count as shown although a browser hides them: the brackets around the reading of a word
(`rp`), without which both would run together, and MathML that is hidden beside a picture of itself,
but not its annotations, which are copies.
"""

from __future__ import annotations

import numpy as np

from thresher.page.array_types import Bools
from thresher.page.arrays import as_bytes, freeze, inside
from thresher.page.core import COMPILED
from thresher.page.page import Page
from thresher.page.tags import NUMBER, lookup

if COMPILED:
    from thresher.page import _views

_ANNOTATION = lookup("annotation annotation-xml")


def hidden_blocks(page: Page) -> Bools:
    """Return one bool per block: True if all of its texts are hidden."""
    found = np.ones(len(page.blocks) + 1, np.bool_)
    hidden = page.cached(_hidden_texts)
    if COMPILED:
        _views.find_hidden_blocks(page.blocks.of_text, hidden.view(np.uint8), found.view(np.uint8))
    else:
        found[page.blocks.of_text[~hidden]] = False  # -1 (no block) is the last entry
    return found[:-1]


def shown_texts(page: Page, chosen: Bools | None = None) -> Bools:
    """Return one bool per text row: True if its block is chosen and the text is shown.

    Texts of fully hidden blocks count as shown. Without `chosen`, one bool per block, every text
    is chosen, blank ones included.
    """
    hidden = page.cached(_hidden_texts)
    if COMPILED and chosen is not None:
        shown = np.empty(len(hidden), np.bool_)
        _views.find_shown(
            page.blocks.of_text, hidden.view(np.uint8), hidden_blocks(page).view(np.uint8),
            as_bytes(chosen), shown.view(np.uint8),
        )  # fmt: skip
        return shown
    found = page.all().keep if chosen is None else page.blocks.text_mask(chosen)
    if not (hidden & found).any():  # true of most pages
        return found
    return found & (~hidden | page.blocks.text_mask(hidden_blocks(page)))


def _hidden_texts(page: Page) -> Bools:
    """Return one bool per text row: True if it is hidden."""
    found = (_compiled_hidden_texts if COMPILED else _plain_hidden_texts)(page)
    freeze(found)
    return found


def _compiled_hidden_texts(page: Page) -> Bools:
    found = np.empty(len(page.text_rows), np.bool_)
    _views.find_hidden(
        page.tag, page.end, page.parent, page.hidden.view(np.uint8), NUMBER["rp"], NUMBER["math"],
        _ANNOTATION.view(np.uint8), found.view(np.uint8),
    )  # fmt: skip
    return found


def _plain_hidden_texts(page: Page) -> Bools:
    rows = page.text_rows
    found = page.hidden.take(rows)
    found &= page.tag.take(page.parent.take(rows)) != NUMBER["rp"]
    is_formula = page.tag == NUMBER["math"]
    if is_formula.any():
        shown = inside(is_formula, page.end) & ~inside(_ANNOTATION.take(page.tag), page.end)
        found &= ~shown.take(rows)
    return found
