"""What stands between two kept texts: all that starts or ends there, as bits.

Each tag has its bits, so one gather tells everything that the layout asks about the page, and one
"or" over the rows between two texts tells what parts them. Of the levels the strongest counts.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from thresher.page.ancestors import levels_inside
from thresher.page.array_types import Bools, Int32s, Rows, UInt8s, UInt16s
from thresher.page.arrays import inside
from thresher.page.columns import Columns
from thresher.page.tags import BLOCK, LAST_ID, lookup

# Levels, rising: how far apart two texts stand. Without a bit they join.
JOIN, SPACE, BREAK, CELL, LINE, PARAGRAPH = range(6)
_LEVELS = 0b11111  # the bit of a level is 1 << (level - 1)

# What else lies in a gap.
_CHIP_STARTS, _CHIP_ENDS, BLANK = 1 << 5, 1 << 6, 1 << 7
_CHIPS = _CHIP_STARTS | _CHIP_ENDS
_IN_GAPS = _LEVELS | _CHIP_STARTS

# What else a tag may be to the layout.
KEEPS_SPACE, CODE, LIST, ITEM, TABLE, FORMULA = (1 << bit for bit in range(8, 14))

_NAMES = {
    KEEPS_SPACE: "pre listing xmp plaintext textarea",
    CODE: "pre listing xmp plaintext textarea code kbd samp tt",
    LIST: "ul ol menu dir",
    ITEM: "li",
    TABLE: "table",
    FORMULA: "math",
    # Two of these side by side are drawn apart (`<a>one</a><a>two</a>`).
    _CHIP_STARTS: "a span button label option time img small",
}
_STARTS_PARAGRAPH = lookup(
    "p h1 h2 h3 h4 h5 h6 ul ol dl menu dir table pre blockquote figure figcaption article section "
    "header footer aside nav main form fieldset hr listing xmp address details hgroup"
)
# In one line, but never without a space around it; the last ones are of SVG and MathML.
_APART = lookup("button textarea select option optgroup input text mtext mtd")


def _table() -> UInt16s:
    """Return the bits of every tag number."""
    level = np.where(BLOCK, LINE, JOIN)
    level[_STARTS_PARAGRAPH] = PARAGRAPH
    level[_APART] = SPACE
    level[lookup("br")] = BREAK
    table = np.zeros(LAST_ID + 1, np.uint16)
    for number in range(SPACE, PARAGRAPH + 1):
        table[level == number] = 1 << (number - 1)
    for bit, names in _NAMES.items():
        table[lookup(names)] |= bit
    return table


_BITS = _table()
_STRONGEST = np.array([bits.bit_length() for bits in range(_LEVELS + 1)], np.uint8)


def kinds(page: Columns) -> tuple[UInt16s, int]:
    """Return the bits of every row, and which of them occur on the page at all."""
    kind = _BITS.take(page.tag)
    return kind, int(np.bitwise_or.reduce(kind))


def having(kind: UInt16s, bit: int) -> Rows:
    """Return the rows that have the bit."""
    rows: Rows = ((kind & np.uint16(bit)) != 0).nonzero()[0]
    return rows


def _set_level(kind: UInt16s, rows: Rows, level: int) -> None:
    """Give the rows another level."""
    kind[rows] = (kind[rows] & ~np.uint16(_LEVELS)) | np.uint16(1 << (level - 1))


def flatten_lists(page: Columns, kind: UInt16s) -> None:
    """A list in a list is no paragraph."""
    lists = having(kind, LIST)
    reach = np.maximum.accumulate(page.end.take(lists))
    nested = lists[1:][reach[:-1] > lists[1:]]
    if len(nested):
        _set_level(kind, nested, LINE)


def flatten_cells(page: Columns, kind: UInt16s, cells: Bools) -> None:
    """In a cell of a table of data all stands in one line."""
    _set_level(kind, (inside(cells, page.end) & ((kind & _LEVELS) != 0)).nonzero()[0], SPACE)
    _set_level(kind, cells.nonzero()[0], CELL)


def between(page: Columns, kind: UInt16s, rows: Int32s, blank_rows: Int32s) -> UInt16s:
    """Return what lies between each of the texts in `rows` and the one before it, as bits.

    That is what starts after the row before up to the text itself, and what ends there. A paragraph
    starts with the first text.
    """
    found = np.empty(len(rows), np.uint16)
    found[:1] = 1 << (PARAGRAPH - 1)
    if len(rows) < 2:
        return found
    first, stop = int(rows[0]) + 1, int(rows[-1]) + 1
    events = kind[first:stop] & np.uint16(_IN_GAPS)
    around = (page.end[: first - 1] >= first).nonzero()[0]  # of the first text: they end later
    some = (events != 0).nonzero()[0] + first
    elements = np.concatenate((around, some))
    at = page.end.take(elements) - first
    ends_here = (at < len(events)).nonzero()[0]
    elements, at = elements.take(ends_here), at.take(ends_here)
    ending = kind.take(elements)
    ending = (ending & np.uint16(_LEVELS)) | (ending & np.uint16(_CHIP_STARTS)) << np.uint16(1)
    np.bitwise_or.at(events, at, ending)
    blank_rows = blank_rows[(blank_rows >= first) & (blank_rows < stop)] - first
    events[blank_rows] |= np.uint16(BLANK)
    found[1:] = np.bitwise_or.reduceat(events, rows[:-1] + (1 - first))
    return found


def levels(kind: UInt16s, rows: Int32s, gaps: UInt16s) -> UInt8s:
    """Return the strongest level in each of the gaps; two line breaks make a paragraph."""
    level: UInt8s = _STRONGEST.take(gaps & np.uint16(_LEVELS))
    broken = level == BREAK
    if broken.any():
        level[broken & (breaks(kind, rows) > 1)] = PARAGRAPH
    return level


def breaks(kind: UInt16s, rows: Int32s) -> Rows:
    """Count the line breaks between each text and the one before it."""
    at = rows.searchsorted(having(kind, 1 << (BREAK - 1)))
    return np.bincount(at, minlength=len(rows))[: len(rows)]


def chips(page: Columns, kind: UInt16s, rows: Int32s, texts: Sequence[str], gaps: UInt16s) -> Bools:
    """Tell in which gaps one chip ends and another starts, and so parts the words around it.

    Not in code; and not pieces of one word or figure, such as single letters, `$` before `5`, or a
    comma in a span of its own.
    """
    apart: Bools = (gaps & np.uint16(_CHIPS)) == _CHIPS
    some = apart.nonzero()[0]
    if not len(some):
        return apart
    in_code = levels_inside(having(kind, CODE), page.end, rows.take(some)) > 0
    linked = page.linked.take(rows)
    for index, excluded in zip(some.tolist(), in_code.tolist(), strict=True):
        before, after = texts[index - 1], texts[index]
        whole = len(before) > 1 and len(after) > 1
        whole = whole or bool(linked[index - 1] and linked[index])  # as in an index of letters
        whole = whole and before[-1:].isalnum() and after[:1].isalnum()
        apart[index] = whole and not excluded
    return apart
