"""Which texts a browser shows.

A block may contain words that are hidden within its sentence: a sort key in a table cell, a
fallback for browsers without scripts. Methods see all words; such words are removed from the
blocks that a method selects, and so are the texts of controls, such as a heading's link to itself
(`thresher.page.controls`). A fully hidden block is kept if the method selects it, because on
many pages a script shows it. For the same reason hidden sentences within a visible block are shown:
they are what "read more" unfolds. If they begin as the visible words do, these are an abridged
copy, and are removed instead.

Two things count as shown although a browser hides them: the brackets around the reading of a word
(`rp`), without which both would run together, and MathML that is hidden beside a picture of itself,
but not its annotations, which are copies.
"""

from __future__ import annotations

import numpy as np

from thresher.page.array_types import Bools, Int64s
from thresher.page.arrays import freeze, inside
from thresher.page.controls import control_texts
from thresher.page.core import COMPILED
from thresher.page.lazy import lazy_pattern
from thresher.page.page import Page
from thresher.page.tags import HIDDEN, NUMBER, lookup
from thresher.page.words import words

if COMPILED:
    from thresher.page import _views

# Hidden words of at least this number that end as a sentence does are shown. On all corpora these
# are in the gold text of the 3 kept blocks that have them, and with 6 words also menus of products.
_UNFOLDED_WORDS = 10
_SENTENCE_END = lazy_pattern(r"[.!?…。！？।؟۔։]['\"”’»)\]」』]*\s*\Z")
_SAME_WORDS = 5  # words at the beginning of an abridged copy

ANNOTATION = lookup("annotation annotation-xml")


def hidden_blocks(page: Page) -> Bools:
    """Return one bool per block: True if all of its texts are hidden."""
    return page.cached(_hidden)[1]


def _hidden_texts(page: Page) -> Bools:
    """Return one bool per text row: True if it is hidden."""
    return page.cached(_hidden)[0]


def shown_texts(page: Page, chosen: Bools | None = None) -> Bools:
    """Return one bool per text row: True if its block is chosen and the text is shown.

    Texts of fully hidden blocks count as shown, those of controls do not. Without `chosen`, one
    bool per block, every text is chosen, blank ones included.
    """
    hidden, controls = _hidden_texts(page), page.cached(control_texts)
    if COMPILED and chosen is not None:
        chosen = np.ascontiguousarray(chosen)
        shown = np.empty(len(hidden), np.bool_)
        of_text, of_block = page.blocks.of_text, hidden_blocks(page)
        if _views.find_shown(of_text, hidden, of_block, controls, chosen, shown):
            folded = page.cached(_folded_texts)
            _views.find_shown(of_text, folded, of_block, controls, chosen, shown)
        return shown
    found = page.all().keep if chosen is None else page.blocks.text_mask(chosen)
    if controls is not None:
        found = found & ~controls
    if not (hidden & found).any():  # true of most pages
        return found
    folded = page.cached(_folded_texts)
    return found & (~folded | page.blocks.text_mask(hidden_blocks(page)))


def _folded_texts(page: Page) -> Bools:
    """Return one bool per text row: True if it is hidden and is not shown by "read more"."""
    hidden = _hidden_texts(page)
    of_text = page.blocks.of_text
    found = hidden.nonzero()[0]
    counts = page.words.take(page.text_rows.take(found))
    if counts.sum() < _UNFOLDED_WORDS:
        return hidden
    found = found[counts > 0]
    found = found[~hidden_blocks(page).take(of_text.take(found))]
    if not len(found):  # true of most pages
        return hidden
    never = inside(HIDDEN.take(page.tag) | (page.tag == NUMBER["a"]), page.end)
    found = found[~never.take(page.text_rows.take(found))]
    blocks, first = np.unique(of_text.take(found), return_index=True)
    folded = hidden.copy()
    for texts in np.split(found, first[1:]) if len(blocks) else ():
        _unfold(page, texts, folded)
    freeze(folded)
    return folded


def _unfold(page: Page, texts: Int64s, folded: Bools) -> None:
    """Set the hidden texts of a block as shown if they are sentences, and a copy as hidden."""
    text = " ".join(page.texts[index] for index in texts.tolist())
    unfolded = words(text)
    if len(unfolded) < _UNFOLDED_WORDS or not _SENTENCE_END.search(text[-20:]):
        return
    block = page.blocks.of_text[texts[0]]
    span = slice(int(page.blocks.texts_from[block]), int(page.blocks.texts_to[block]) + 1)
    shown = [text for text, gone in zip(page.texts[span], folded[span], strict=True) if not gone]
    if words(" ".join(shown))[:_SAME_WORDS] == unfolded[:_SAME_WORDS]:
        folded[span] |= page.blocks.of_text[span] == block
    folded[texts] = False


def _hidden(page: Page) -> tuple[Bools, Bools]:
    """Return which texts are hidden, and which blocks have no other texts."""
    found = (_compiled_hidden if COMPILED else _plain_hidden)(page)
    freeze(*found)
    return found


def _compiled_hidden(page: Page) -> tuple[Bools, Bools]:
    if page.walked is not None:  # true of pages that are no parts of others
        return page.walked.hidden
    blocks = page.blocks
    found = np.empty(len(blocks.of_text), np.bool_)
    of_block = np.ones(len(blocks.first), np.bool_)
    _views.find_hidden(
        page.tag, page.end, page.parent, page.hidden, blocks.of_text, NUMBER["rp"], NUMBER["math"],
        ANNOTATION, found, of_block,
    )  # fmt: skip
    return found, of_block


def _plain_hidden(page: Page) -> tuple[Bools, Bools]:
    found = _plain_hidden_texts(page)
    of_block = np.ones(len(page.blocks) + 1, np.bool_)
    of_block[page.blocks.of_text[~found]] = False  # -1 (no block) is the last entry
    return found, of_block[:-1]


def _plain_hidden_texts(page: Page) -> Bools:
    rows = page.text_rows
    found = page.hidden.take(rows)
    if page.present[NUMBER["rp"]]:
        found &= page.tag.take(page.parent.take(rows)) != NUMBER["rp"]
    if page.present[NUMBER["math"]]:
        is_formula = page.tag == NUMBER["math"]
        shown = inside(is_formula, page.end) & ~inside(ANNOTATION.take(page.tag), page.end)
        found &= ~shown.take(rows)
    return found
