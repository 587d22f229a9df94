"""Rows to plain text that a person can read: paragraphs, lists, tables, code.

What stands between two kept texts is the strongest thing that starts or ends between them: nothing,
a space, a line break, a cell, a new line or a new paragraph. That is one maximum over rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from thresher.arrays import inside, nearest
from thresher.columns import Bools, Columns
from thresher.layout_formulas import formula_copies
from thresher.layout_lists import LIST, items_of, list_depth, list_marks
from thresher.layout_tables import cell_marks, data_cells, data_tables
from thresher.tags import BLOCK, NUMBER, RAW, lookup

__all__ = ["block_texts", "data_tables", "plain_text", "side_by_side"]

_JOIN, _SPACE, _BREAK, _CELL, _LINE, _PARAGRAPH = range(6)

_STARTS_PARAGRAPH = lookup(
    "p h1 h2 h3 h4 h5 h6 ul ol dl menu dir table pre blockquote figure figcaption article section "
    "header footer aside nav main form fieldset hr listing xmp address details hgroup"
)
_KEEPS_SPACE = lookup("pre listing xmp plaintext textarea")
_IS_CODE = lookup("pre listing xmp plaintext textarea code kbd samp tt")
# In one line, but never without a space around it; the last ones are of SVG and MathML.
_APART = lookup("button textarea select option optgroup input text mtext mtd")
# Two of these side by side are drawn apart (`<a>one</a><a>two</a>`).
_CHIP = lookup("a span button label option time img small")

_DEEPEST = 20  # levels of lists that are indented: white space must not outgrow the text


def plain_text(
    page: Columns,
    texts: Sequence[str | None],
    keep: Bools,
    attributes: Callable[[int], Mapping[str, str]],
) -> str:
    """Write the kept texts (one boolean per text row) as plain text."""
    blank = _blank(page, texts)
    wanted = _wanted(page, keep & ~formula_copies(page, keep, attributes), blank)
    rows = page.text_rows[wanted]
    if not len(rows):
        return ""
    cells = data_cells(page, data_tables(page, attributes))
    chosen = [texts[i] or "" for i in np.flatnonzero(wanted).tolist()]
    between = _between(page, rows, cells)
    spaced = _spaced(page, rows, chosen, blank)
    space_kept = inside(_KEEPS_SPACE[page.tag], page.end)[rows]
    indents, marks = _leads(page, rows, cells, attributes)
    pieces: list[str] = []
    in_code = False
    for text, gap, apart, verbatim, indent, mark in zip(
        chosen, between.tolist(), spaced.tolist(), space_kept.tolist(), indents, marks, strict=True
    ):
        if verbatim:
            body = (text if gap < _CELL else text.strip("\n")).replace("\n", f"\n{indent}")
        else:
            body = " ".join(text.split())
            if text[0].isspace() and gap < _CELL:
                apart = True
        if gap <= _SPACE:
            apart = gap == _SPACE or (apart and not (verbatim and in_code))
            if apart and pieces and not pieces[-1][-1:].isspace():
                pieces.append(" ")
        elif gap != _CELL:
            pieces.append(_GAPS[gap] + indent)
        pieces += (mark, body)
        in_code = verbatim
        if not verbatim and text[-1].isspace():
            pieces.append(" ")
    return _tidy("".join(pieces))


def block_texts(
    page: Columns, texts: Sequence[str | None], keep: Bools, of_text: npt.NDArray[np.int32]
) -> dict[int, str]:
    """Return the kept text of each block by its number; `of_text` gives the block of each text."""
    blank = _blank(page, texts)
    before = np.maximum.accumulate(np.where(of_text < 0, 0, np.arange(len(keep))))
    of_text = np.where(blank, of_text[before], of_text)  # blank text is of the block before it
    wanted = _wanted(page, keep, blank) & (of_text >= 0)
    rows = page.text_rows[wanted]
    if not len(rows):
        return {}
    breaks = np.concatenate(([0], np.cumsum(page.tag == NUMBER["br"])))[rows]
    broken = np.diff(breaks, prepend=breaks[:1]) > 0
    chosen = [texts[i] or "" for i in np.flatnonzero(wanted).tolist()]
    apart = _spaced(page, rows, chosen, blank) | broken
    verbatim = inside(_KEEPS_SPACE[page.tag], page.end)[rows]
    gap = np.where(verbatim, np.where(broken, "\n", ""), np.where(apart, " ", ""))
    pieces: dict[int, list[str]] = {}
    for text, block, space in zip(chosen, of_text[wanted].tolist(), gap.tolist(), strict=True):
        parts = pieces.setdefault(block, [])
        parts += (space if parts else "", text)
    raw = set(of_text[wanted][verbatim].tolist())
    joined = {
        block: _tidy("".join(parts)) if block in raw else " ".join("".join(parts).split())
        for block, parts in pieces.items()
    }
    return {block: text for block, text in joined.items() if text}


def _blank(page: Columns, texts: Sequence[str | None]) -> Bools:
    """Which texts hold nothing but white space, no-break spaces included."""
    chars, words = page.chars[page.text_rows], page.words[page.text_rows]
    blank: Bools = chars == 0
    for index in np.flatnonzero((chars > 0) & (words == 0)).tolist():
        blank[index] = (texts[index] or "").isspace()
    return blank


def _wanted(page: Columns, keep: Bools, blank: Bools) -> Bools:
    """Which texts to write: the kept ones that are not blank, and what parts two of them in code.

    Between the words of `<pre>`, blank text is a line break or an indentation.
    """
    solid: Bools = keep & ~blank
    code = nearest(_KEEPS_SPACE[page.tag], page.parent)[page.text_rows]
    found = np.flatnonzero(blank & (code >= 0))
    if not len(found) or not solid.any():
        return solid
    at = np.flatnonzero(solid)
    after = np.searchsorted(at, found)
    inner = (after > 0) & (after < len(at))
    found, after = found[inner], after[inner]
    same = (code[at[after - 1]] == code[found]) & (code[at[after]] == code[found])
    wanted = solid.copy()
    wanted[found[same]] = True
    return wanted


_GAPS = {_BREAK: "\n", _LINE: "\n", _PARAGRAPH: "\n\n"}


def _tidy(text: str) -> str:
    """Drop spaces at line ends."""
    lines = [line.rstrip() for line in text.split("\n")]
    return "\n".join(lines).strip("\n")


def _between(page: Columns, rows: npt.NDArray[np.int32], cells: Bools) -> npt.NDArray[np.int8]:
    """What separates each kept text from the one before it."""
    tag = page.tag
    strength = np.zeros(len(page), np.int8)
    strength[BLOCK[tag]] = _LINE
    strength[_STARTS_PARAGRAPH[tag]] = _PARAGRAPH
    strength[_APART[tag]] = _SPACE
    strength[(tag == NUMBER["br"])] = _BREAK
    in_list = inside(LIST[tag], page.end)
    strength[LIST[tag] & in_list[np.maximum(page.parent, 0)]] = _LINE  # a list in a list
    strength[inside(cells, page.end) & (strength > _JOIN)] = _SPACE  # blocks inside a cell
    strength[cells] = _CELL

    event = np.zeros(len(page) + 1, np.int8)
    event[:-1] = strength
    for level in range(_SPACE, _PARAGRAPH + 1):  # rising, so that the strongest end stays
        at = page.end[strength == level]
        event[at] = np.maximum(event[at], level)
    first = np.concatenate(([0], rows[:-1] + 1))
    # Between two kept texts lie the rows after the first up to the second.
    found = np.maximum.reduceat(event, np.stack([first, rows + 1], 1).ravel())[::2]
    lines = _events(np.append(tag == NUMBER["br"], False), rows)
    found[(lines > 1) & (found == _BREAK)] = _PARAGRAPH
    return found.astype(np.int8)


def _spaced(
    page: Columns, rows: npt.NDArray[np.int32], texts: Sequence[str], blank: Bools
) -> Bools:
    """Whether a space belongs before each text though no tag breaks the line.

    It does when blank text lies between, or when one chip (a link, a span) ends and another starts.
    """
    blank_rows = page.text_rows[blank]
    mask = np.zeros(len(page) + 1, np.bool_)
    mask[blank_rows] = ~RAW[page.tag[page.parent[blank_rows]]]
    return side_by_side(page, rows, texts) | (_events(mask, rows) > 0)


def side_by_side(page: Columns, rows: npt.NDArray[np.int32], texts: Sequence[str]) -> Bools:
    """Whether one chip ends and another starts between each text and the one before it.

    Words that stand so are drawn apart. Not in code; and not pieces of one word or figure, such as
    single letters, `$` before `5`, or a comma in a span of its own.
    """
    chip = _CHIP[page.tag]
    ends = np.bincount(page.end[chip], minlength=len(page) + 1)
    apart: Bools = (_events(np.append(chip, False), rows) > 0) & (_events(ends, rows) > 0)
    apart &= ~inside(_IS_CODE[page.tag], page.end)[rows]
    apart[:1] = False
    linked = page.linked[rows]
    for index in np.flatnonzero(apart).tolist():
        before, after = texts[index - 1], texts[index]
        whole = len(before) > 1 and len(after) > 1
        whole = whole or bool(linked[index - 1] and linked[index])  # as in an index of letters
        apart[index] = whole and before[-1:].isalnum() and after[:1].isalnum()
    return apart


def _events(events: npt.NDArray[np.generic], rows: npt.NDArray[np.int32]) -> npt.NDArray[np.int64]:
    """Count the events after each text's predecessor, up to the text itself."""
    total = np.concatenate(([0], np.cumsum(events)))
    return total[rows + 1] - total[np.concatenate(([0], rows[:-1] + 1))]


def _leads(
    page: Columns,
    rows: npt.NDArray[np.int32],
    cells: Bools,
    attributes: Callable[[int], Mapping[str, str]],
) -> tuple[list[str], list[str]]:
    """What stands before each text: its indentation when on a new line, and its mark.

    A mark is that of a list item, or bars for the cells before the text. What follows the mark of
    an item is indented below it; a table is indented as a whole.
    """
    cell_of = nearest(cells, page.parent)[rows]
    items = items_of(page)
    marks = list_marks(page, items[rows], attributes)
    item_of = items[np.where(cell_of >= 0, cell_of, rows)]
    depth = np.append(list_depth(page), 0)[item_of]  # -1, in no item, reads the 0
    marked = np.fromiter(marks, np.intp)
    depth[marked[item_of[marked] == items[rows[marked]]]] -= 1
    for index, bars in cell_marks(page, cell_of, attributes).items():
        marks[index] = bars + marks.get(index, "")
    indents = ["  " * level for level in np.minimum(depth, _DEEPEST).tolist()]
    return indents, [marks.get(index, "") for index in range(len(rows))]
