"""Gaps between kept texts: the tags that start or end there, as bits.

Each tag has bits, so one gather gives the bits of every row, and a bitwise "or" over the rows
between two texts gives the bits of the gap. The strongest level in a gap says how it is written.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from thresher.page.array_types import Bools, Int32s, Rows, UInt8s, UInt16s
from thresher.page.arrays import inside, levels_inside
from thresher.page.core import COMPILED
from thresher.page.roles import separate_rows
from thresher.page.tags import BLOCK, LIST_NAMES, numbers

if TYPE_CHECKING:
    from thresher.page.page import Page
if COMPILED:
    from thresher.page.plain_text import _text

# Levels in rising order: how two texts are separated. Without any bit they are joined.
JOIN, SPACE, BREAK, CELL, LINE, PARAGRAPH = range(6)
_LEVELS = 0b11111  # the bit of a level is 1 << (level - 1)

# Other bits of a gap. A chip is an inline element that browsers draw apart from the next one.
_CHIP_STARTS, _CHIP_ENDS, BLANK = 1 << 5, 1 << 6, 1 << 7
_CHIPS = _CHIP_STARTS | _CHIP_ENDS
_IN_GAPS = _LEVELS | _CHIP_STARTS

# Other bits of a tag.
KEEPS_SPACE, CODE, LIST, ITEM, TABLE, FORMULA, _RAW, ORDERED = (1 << bit for bit in range(8, 16))

_NAMES = {
    KEEPS_SPACE: "pre listing xmp plaintext textarea",
    CODE: "pre listing xmp plaintext textarea code kbd samp tt",
    LIST: LIST_NAMES,
    ITEM: "li",
    TABLE: "table",
    FORMULA: "math",
    _RAW: "script style",
    ORDERED: "ol",
    _CHIP_STARTS: "a span button label option time img small",
}
_STARTS_PARAGRAPH = numbers(
    "p h1 h2 h3 h4 h5 h6 ul ol dl menu dir table pre blockquote figure figcaption article section "
    "header footer aside nav main form fieldset hr listing xmp address details hgroup"
)
# Inline, but always with a space around them; the last ones are of SVG and MathML.
_SPACED = numbers("button textarea select option optgroup input text mtext mtd")


def _table() -> UInt16s:
    """Return the bits of every tag number."""
    table = BLOCK.astype(np.uint16) << np.uint16(LINE - 1)
    table[_STARTS_PARAGRAPH] = 1 << (PARAGRAPH - 1)
    table[_SPACED] = 1 << (SPACE - 1)
    table[numbers("br")] = 1 << (BREAK - 1)
    for bit, names in _NAMES.items():
        table[numbers(names)] |= bit
    return table


TAG_BITS = _table()
# Bits of a text that `_text` finds. 1: white space is in the gap before it, 2: the gap lies between
# two chips, 4: it has a line break, 8: the text is code.
_IS_BROKEN, IS_VERBATIM = 4, 8
# What is written before a text within a block, by its flags.
LEADS = tuple(
    ("\n" if flags & _IS_BROKEN else "") if flags & IS_VERBATIM else (" " if flags else "")
    for flags in range(16)
)
_STRONGEST = np.array([bits.bit_length() for bits in range(_LEVELS + 1)], np.uint8)


def tag_bits(page: Page) -> tuple[UInt16s, int]:
    """Return the bits of every row, and the bits that occur on the page."""
    bits = TAG_BITS.take(page.tag)
    _separate_lines(page, bits)
    return bits, int(np.bitwise_or.reduce(bits))


def _separate_lines(page: Page, bits: UInt16s) -> None:
    """Make elements that stand on lines of their own paragraphs."""
    rows = separate_rows(page)
    if rows:
        _set_level(bits, np.array(rows, np.intp), PARAGRAPH)


def read(
    page: Page, keep: Bools, cells: Bools | None = None, *, skips: bool = False
) -> _text.Texts:
    """Find the texts to write and the gaps before them, compiled.

    `cells` are those of data tables: their content is one line, and so are lists inside lists. With
    `skips`, the flags before a paragraph say nothing: plain text does not need them.
    """
    return _text.Texts(
        page.texts, page.tag, page.end, page.parent, page.chars, page.words, page.linked,
        page.text_rows, keep, cells, TAG_BITS,
        separate_rows(page) or None, skips,
    )  # fmt: skip


def rows_with(bits: UInt16s, bit: int) -> Rows:
    """Return the rows that have the bit."""
    rows: Rows = ((bits & np.uint16(bit)) != 0).nonzero()[0]
    return rows


def _set_level(bits: UInt16s, rows: Rows, level: int) -> None:
    """Replace the level of the rows."""
    bits[rows] = (bits[rows] & ~np.uint16(_LEVELS)) | np.uint16(1 << (level - 1))


def flatten_lists(page: Page, bits: UInt16s) -> None:
    """Make lists inside lists start a line, not a paragraph."""
    lists = rows_with(bits, LIST)
    reach = np.maximum.accumulate(page.end.take(lists))
    nested = lists[1:][reach[:-1] > lists[1:]]
    if len(nested):
        _set_level(bits, nested, LINE)


def flatten_cells(page: Page, bits: UInt16s, cells: Bools) -> None:
    """Make the content of cells of data tables one line."""
    _set_level(bits, (inside(cells, page.end) & ((bits & _LEVELS) != 0)).nonzero()[0], SPACE)
    _set_level(bits, cells.nonzero()[0], CELL)


def gap_bits(page: Page, bits: UInt16s, rows: Int32s, blank_rows: Int32s) -> UInt16s:
    """Return the bits of the gap before each of the text rows.

    These are the bits of all elements that start between the text before it and the text, of all
    that end there, and BLANK for the `blank_rows` there. The first text starts a paragraph.
    """
    found = np.empty(len(rows), np.uint16)
    found[:1] = 1 << (PARAGRAPH - 1)
    if len(rows) < 2:
        return found
    first, stop = int(rows[0]) + 1, int(rows[-1]) + 1
    events = bits[first:stop] & np.uint16(_IN_GAPS)
    around = (page.end[: first - 1] >= first).nonzero()[0]  # ancestors of the first text
    some = (events != 0).nonzero()[0] + first
    elements = np.concatenate((around, some))
    at = page.end.take(elements) - first
    ends_here = (at < len(events)).nonzero()[0]
    elements, at = elements.take(ends_here), at.take(ends_here)
    ending = bits.take(elements)
    ending = (ending & np.uint16(_LEVELS)) | (ending & np.uint16(_CHIP_STARTS)) << np.uint16(1)
    np.bitwise_or.at(events, at, ending)
    blank_rows = blank_rows[(blank_rows >= first) & (blank_rows < stop)] - first
    events[blank_rows] |= np.uint16(BLANK)
    found[1:] = np.bitwise_or.reduceat(events, rows[:-1] + (1 - first))
    return found


def gap_levels(bits: UInt16s, rows: Int32s, gaps: UInt16s) -> UInt8s:
    """Return the strongest level in each gap; two line breaks make a paragraph."""
    level: UInt8s = _STRONGEST.take(gaps & np.uint16(_LEVELS))
    broken = level == BREAK
    if broken.any():
        level[broken & (count_breaks(bits, rows) > 1)] = PARAGRAPH
    return level


def count_breaks(bits: UInt16s, rows: Int32s) -> Rows:
    """Return the number of line breaks between each text and the one before it."""
    at = rows.searchsorted(rows_with(bits, 1 << (BREAK - 1)))
    return np.bincount(at, minlength=len(rows))[: len(rows)]


def chip_gaps(
    page: Page, bits: UInt16s, rows: Int32s, texts: Sequence[str], gaps: UInt16s
) -> Bools:
    """Return one bool per gap: True if a chip ends or starts there, and a space is needed.

    It is needed where one ends and another starts, and where letters tell that a new word begins,
    as in `<span>Photo</span>Ada`. False in code, and between pieces of one word or figure: single
    letters, `$` before `5`, a comma in a span of its own.
    """
    chips = gaps & np.uint16(_CHIPS)
    apart: Bools = chips == _CHIPS
    one_chip = (chips > 0) & ~apart & ((gaps & np.uint16(_LEVELS)) == 0)
    linked = page.linked.take(rows)
    for index in apart.nonzero()[0].tolist():
        before, after = texts[index - 1], texts[index]
        are_links = bool(linked[index - 1] and linked[index])  # as in an index of letters
        are_words = are_links or (len(before) > 1 and len(after) > 1)
        apart[index] = are_words and before[-1:].isalnum() and after[:1].isalnum()
    words = [at for at in one_chip.nonzero()[0].tolist() if _begins_word(texts[at - 1], texts[at])]
    apart[words] = True
    if apart.any():
        apart &= levels_inside(rows_with(bits, CODE), page.end, rows) == 0
    return apart


def _begins_word(before: str, after: str) -> bool:
    """Return whether a text begins with a capital, and the one before ends with small letters.

    Of 80 such pairs in gold texts of 2,900 pages, at most seven are one word.
    """
    begins = after[:1].isupper() and after[1:2].islower()
    return begins and before[-2:-1].islower() and before[-1:].islower()
