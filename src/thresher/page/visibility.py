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
from thresher.page.arrays import freeze, inside
from thresher.page.page import Page
from thresher.page.tags import NUMBER, lookup

_ANNOTATION = lookup("annotation annotation-xml")


def hidden_blocks(page: Page) -> Bools:
    """Return one bool per block: True if all of its texts are hidden."""
    found = np.ones(len(page.blocks) + 1, np.bool_)
    shown = ~page.cached(_hidden_texts)
    found[page.blocks.of_text[shown]] = False  # -1 (no block) is the last entry
    return found[:-1]


def shown_texts(page: Page, chosen: Bools | None = None) -> Bools:
    """Return one bool per text row: True if its block is chosen and the text is shown.

    Texts of fully hidden blocks count as shown. Without `chosen`, one bool per block, every text
    is chosen, blank ones included.
    """
    found = page.all().keep if chosen is None else page.blocks.text_mask(chosen)
    hidden = page.cached(_hidden_texts)
    if not (hidden & found).any():  # true of most pages
        return found
    return found & (~hidden | page.blocks.text_mask(hidden_blocks(page)))


def _hidden_texts(page: Page) -> Bools:
    """Return one bool per text row: True if it is hidden."""
    rows = page.text_rows
    found = page.hidden.take(rows)
    found &= page.tag.take(page.parent.take(rows)) != NUMBER["rp"]
    is_formula = page.tag == NUMBER["math"]
    if is_formula.any():
        shown = inside(is_formula, page.end) & ~inside(_ANNOTATION.take(page.tag), page.end)
        found &= ~shown.take(rows)
    freeze(found)
    return found
