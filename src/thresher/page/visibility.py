"""Shown: the text of blocks as a browser shows it.

A block may hold words that are hidden within its sentence: a key to sort a table by, a fallback for
browsers without scripts. Models see all of it; once blocks are chosen, such words go. A block that
is hidden as a whole is another matter, for on many pages a script shows it: whoever chooses it
means it.

Two things count as shown though a browser does not show them: the brackets around the reading of a
word (`rp`), without which both would run together, and MathML that stands hidden beside a picture
of itself; not so its annotations, which are copies.
"""

from __future__ import annotations

import numpy as np

from thresher.page.array_types import Bools
from thresher.page.arrays import inside
from thresher.page.page import Page
from thresher.page.tags import NUMBER, lookup

_BRACKET, _FORMULA = NUMBER["rp"], NUMBER["math"]
_ANNOTATION = lookup("annotation annotation-xml")


def unseen_blocks(page: Page) -> Bools:
    """Tell which blocks are hidden as a whole."""
    return _unseen_blocks(page, _unseen(page))


def shown_texts(page: Page, chosen: Bools | None = None) -> Bools:
    """Tell for each text row whether it is of a chosen block, and shown if any of the block is.

    Unless blocks are given, all are chosen, and blank text too.
    """
    found = page.all().keep if chosen is None else page.blocks.texts(chosen)
    unseen = _unseen(page)
    if not (unseen & found).any():  # so it is of most pages
        return found
    shown: Bools = ~unseen | page.blocks.texts(_unseen_blocks(page, unseen))
    return found & shown


def _unseen_blocks(page: Page, unseen: Bools) -> Bools:
    found = np.ones(len(page.blocks) + 1, np.bool_)
    found[page.blocks.of_text[~unseen]] = False  # -1, of no block, is the last
    return found[:-1]


def _unseen(page: Page) -> Bools:
    """Tell which text rows are hidden."""
    rows = page.text_rows
    found = page.hidden.take(rows)
    found &= page.tag.take(page.parent.take(rows)) != _BRACKET
    formula = page.tag == _FORMULA
    if formula.any():
        written = inside(formula, page.end) & ~inside(_ANNOTATION.take(page.tag), page.end)
        found &= ~written.take(rows)
    return found
