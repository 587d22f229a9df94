"""Rows to plain text that a person can read: paragraphs, lists, tables, code.

What stands between two kept texts is the strongest thing that starts or ends between them: nothing,
a space, a line break, a cell, a new line or a new paragraph. That is one maximum over rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from thresher.arrays import groups_rank, inside, nearest, subtree_sums
from thresher.columns import Bools, Columns
from thresher.tags import BLOCK, CELL, NUMBER, RAW, lookup

__all__ = ["block_texts", "plain_text", "side_by_side"]

_JOIN, _SPACE, _BREAK, _CELL, _LINE, _PARAGRAPH = range(6)

_STARTS_PARAGRAPH = lookup(
    "p h1 h2 h3 h4 h5 h6 ul ol dl menu dir table pre blockquote figure figcaption article section "
    "header footer aside nav main form fieldset hr listing xmp address details hgroup"
)
_LIST = lookup("ul ol menu dir")
_KEEPS_SPACE = lookup("pre listing xmp plaintext textarea")
# Two of these side by side are drawn apart (`<a>one</a><a>two</a>`).
_CHIP = lookup("a span button label option time img small")


def plain_text(
    page: Columns,
    texts: Sequence[str | None],
    keep: Bools,
    attributes: Callable[[int], Mapping[str, str]],
) -> str:
    """Write the kept texts (one boolean per text row) as plain text."""
    blank = _blank(page, texts)
    wanted = _wanted(page, keep, blank)
    rows = page.text_rows[wanted]
    if not len(rows):
        return ""
    between = _between(page, rows)
    spaced = _spaced(page, rows, blank)
    space_kept = inside(_KEEPS_SPACE[page.tag], page.end)[rows]
    lead = _leads(page, rows, attributes)
    pieces: list[str] = []
    in_code = False
    chosen = [texts[i] or "" for i in np.flatnonzero(wanted).tolist()]
    for text, gap, apart, verbatim, mark in zip(
        chosen, between.tolist(), spaced.tolist(), space_kept.tolist(), lead, strict=True
    ):
        if verbatim:
            body = text if gap < _CELL else text.strip("\n")
        else:
            body = " ".join(text.split())
            if text[0].isspace() and gap < _CELL:
                apart = True
        if gap <= _SPACE:
            apart = gap == _SPACE or (apart and not (verbatim and in_code))
            if apart and pieces and not pieces[-1][-1:].isspace():
                pieces.append(" ")
        elif pieces:
            pieces.append(_GAPS[gap])
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
    apart = _spaced(page, rows, blank) | broken
    verbatim = inside(_KEEPS_SPACE[page.tag], page.end)[rows]
    gap = np.where(verbatim, np.where(broken, "\n", ""), np.where(apart, " ", ""))
    pieces: dict[int, list[str]] = {}
    for index, block, space in zip(
        np.flatnonzero(wanted).tolist(), of_text[wanted].tolist(), gap.tolist(), strict=True
    ):
        parts = pieces.setdefault(block, [])
        parts += (space if parts else "", texts[index] or "")
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


_GAPS = {_BREAK: "\n", _CELL: "", _LINE: "\n", _PARAGRAPH: "\n\n"}


def _tidy(text: str) -> str:
    """Drop spaces at line ends."""
    lines = [line.rstrip() for line in text.split("\n")]
    return "\n".join(lines).strip("\n")


def _between(page: Columns, rows: npt.NDArray[np.int32]) -> npt.NDArray[np.int8]:
    """What separates each kept text from the one before it."""
    tag = page.tag
    strength = np.zeros(len(page), np.int8)
    strength[BLOCK[tag]] = _LINE
    strength[_STARTS_PARAGRAPH[tag]] = _PARAGRAPH
    strength[(tag == NUMBER["br"])] = _BREAK
    in_list = inside(_LIST[tag], page.end)
    strength[_LIST[tag] & in_list[np.maximum(page.parent, 0)]] = _LINE  # a list in a list
    is_data = inside(_data_tables(page), page.end)
    in_cell = nearest(CELL[tag] | (tag == NUMBER["table"]), page.parent)
    strength[is_data & CELL[tag[in_cell]] & (strength > _JOIN)] = _SPACE  # blocks inside a cell
    strength[is_data & CELL[tag]] = _CELL

    event = np.zeros(len(page) + 1, np.int8)
    event[:-1] = strength
    for level in range(_SPACE, _PARAGRAPH + 1):  # rising, so that the strongest end stays
        at = page.end[strength == level]
        event[at] = np.maximum(event[at], level)
    first = np.concatenate(([0], rows[:-1] + 1))
    # Between two kept texts lie the rows after the first up to the second.
    found = np.maximum.reduceat(event, np.stack([first, rows + 1], 1).ravel())[::2]
    return found.astype(np.int8)


def _data_tables(page: Columns) -> Bools:
    """Tables of data, not of layout: no table inside, and hardly more blocks than cells."""
    tag = page.tag
    is_table = tag == NUMBER["table"]
    tables = subtree_sums(is_table, page.end)
    cells = subtree_sums(CELL[tag], page.end)
    blocks = subtree_sums(_STARTS_PARAGRAPH[tag] & ~is_table, page.end)
    found: Bools = is_table & (tables == 1) & (blocks <= cells) & (cells > 1)
    return found


def _spaced(page: Columns, rows: npt.NDArray[np.int32], blank: Bools) -> Bools:
    """Whether a space belongs before each text though no tag breaks the line.

    It does when blank text lies between, or when one chip (a link, a span) ends and another starts.
    """
    blank_rows = page.text_rows[blank]
    mask = np.zeros(len(page) + 1, np.bool_)
    mask[blank_rows] = ~RAW[page.tag[page.parent[blank_rows]]]
    return side_by_side(page, rows) | (_events(mask, rows) > 0)


def side_by_side(page: Columns, rows: npt.NDArray[np.int32]) -> Bools:
    """Whether one chip ends and another starts between each text and the one before it."""
    chip = _CHIP[page.tag]
    ends = np.bincount(page.end[chip], minlength=len(page) + 1)
    apart: Bools = (_events(np.append(chip, False), rows) > 0) & (_events(ends, rows) > 0)
    apart[:1] = False
    return apart


def _events(events: npt.NDArray[np.generic], rows: npt.NDArray[np.int32]) -> npt.NDArray[np.int64]:
    """Count the events after each text's predecessor, up to the text itself."""
    total = np.concatenate(([0], np.cumsum(events)))
    return total[rows + 1] - total[np.concatenate(([0], rows[:-1] + 1))]


def _leads(
    page: Columns,
    rows: npt.NDArray[np.int32],
    attributes: Callable[[int], Mapping[str, str]],
) -> list[str]:
    """What stands before each text: a list mark with its indentation, or the cells before it."""
    marks = [""] * len(rows)
    item_of = nearest(page.tag == NUMBER["li"], page.parent)[rows]
    cell_of = nearest(CELL[page.tag] | (page.tag == NUMBER["table"]), page.parent)[rows]
    for index, mark in _list_marks(page, item_of, attributes).items():
        marks[index] = mark
    data = inside(_data_tables(page), page.end)[rows] & (cell_of >= 0)
    data &= CELL[page.tag[np.maximum(cell_of, 0)]]
    if data.any():
        for index, mark in _cell_marks(page, cell_of, data).items():
            marks[index] = mark + marks[index].lstrip()
    return marks


def _list_marks(
    page: Columns,
    item_of: npt.NDArray[np.intp],
    attributes: Callable[[int], Mapping[str, str]],
) -> dict[int, str]:
    """Marks by index of text: the first text of each list item gets one."""
    items, first = np.unique(item_of, return_index=True)
    first, items = first[items >= 0], items[items >= 0]
    if not len(items):
        return {}
    lists = _LIST[page.tag]
    depth = np.cumsum(np.bincount(np.flatnonzero(lists), minlength=len(page) + 1))
    depth = depth - np.cumsum(np.bincount(page.end[lists], minlength=len(page) + 1))
    numbers = _item_numbers(page, items, attributes)
    marks = {}
    for row, index in zip(items.tolist(), first.tolist(), strict=True):
        indent = "  " * (max(int(depth[row]), 1) - 1)
        number = numbers.get(row)
        marks[index] = f"{indent}- " if number is None else f"{indent}{number}. "
    return marks


def _item_numbers(
    page: Columns,
    items: npt.NDArray[np.intp],
    attributes: Callable[[int], Mapping[str, str]],
) -> dict[int, int]:
    """Return the number of each item of an ordered list (`start`, `value`, `reversed` honoured)."""
    parents = page.parent[items]
    ordered = np.unique(parents[page.tag[parents] == NUMBER["ol"]])
    if not len(ordered):
        return {}
    is_ordered = np.zeros(len(page), np.bool_)
    is_ordered[ordered] = True
    all_items = np.flatnonzero((page.tag == NUMBER["li"]) & is_ordered[page.parent])
    all_items = all_items[np.argsort(page.parent[all_items], kind="stable")]
    rank = groups_rank(page.parent[all_items])
    size = np.bincount(page.parent[all_items], minlength=len(page))
    numbers: dict[int, int] = {}
    number, step = 0, 1
    for row, place in zip(all_items.tolist(), rank.tolist(), strict=True):
        if place == 0:
            of_list = attributes(int(page.parent[row]))
            step = -1 if "reversed" in of_list else 1
            start = size[page.parent[row]] if step < 0 else 1
            number = _integer(of_list.get("start"), int(start)) - step
        number = _integer(attributes(row).get("value"), number + step)
        numbers[row] = number
    return numbers


def _integer(text: str | None, default: int) -> int:
    try:
        return int((text or "").strip()[:9])
    except ValueError:
        return default


def _cell_marks(
    page: Columns,
    cell_of: npt.NDArray[np.intp],
    data: Bools,
) -> dict[int, str]:
    """Bars before a cell's first text: one for each cell since the last text of the same row."""
    cells = np.flatnonzero(CELL[page.tag])
    by_row = cells[np.argsort(page.parent[cells], kind="stable")]
    column = np.zeros(len(page), np.int64)
    column[by_row] = groups_rank(page.parent[by_row])
    marks: dict[int, str] = {}
    last_row, last_column = -1, 0
    for index in np.flatnonzero(data).tolist():
        cell = int(cell_of[index])
        row, at = int(page.parent[cell]), int(column[cell])
        if row != last_row:
            marks[index] = "| " * at
        elif at > last_column:
            marks[index] = " |" * (at - last_column) + " "
        last_row, last_column = row, at
    return marks
