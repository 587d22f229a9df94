"""Rows to plain text that a person can read: paragraphs, lists, tables, code.

What stands between two kept texts is the strongest thing that starts or ends between them: nothing,
a space, a line break, a cell, a new line or a new paragraph (`layout_gaps`). Most pages have no
formula, no table of data and no code: what the page has at all is asked once, first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from thresher.page.ancestors import innermost, levels_inside
from thresher.page.array_types import Bools, Int32s, Rows, UInt8s, UInt16s
from thresher.page.columns import Columns
from thresher.page.plain_text import gaps
from thresher.page.plain_text.formulas import formula_copies
from thresher.page.plain_text.gaps import BREAK, CELL, JOIN, LINE, PARAGRAPH, SPACE
from thresher.page.plain_text.lists import list_depth, list_marks
from thresher.page.plain_text.tables import cell_marks, data_cells, data_tables
from thresher.page.tags import RAW

__all__ = ["block_texts", "data_tables", "parting_spaces", "plain_text", "side_by_side"]

_DEEPEST = 20  # levels of lists that are indented: white space must not outgrow the text
_INDENTS = tuple("  " * level for level in range(_DEEPEST + 1))
_LEADS = tuple(start + indent for start in ("\n", "\n\n") for indent in _INDENTS)
_LINE_STARTS = {BREAK: "\n", LINE: "\n", PARAGRAPH: "\n\n"}

Attributes = Callable[[int], Mapping[str, str]]


def plain_text(
    page: Columns, texts: Sequence[str | None], keep: Bools, attributes: Attributes
) -> str:
    """Write the kept texts (one boolean per text row) as plain text."""
    kind, present = gaps.kinds(page)
    if present & gaps.FORMULA:
        keep = keep & ~formula_copies(page, keep, attributes)
    kept = keep.nonzero()[0]
    if not len(kept):
        return ""
    part = slice(int(kept[0]), int(kept[-1]) + 1)  # what stands outside is not looked at
    text_rows = page.text_rows[part]
    blank = _blank(page, texts[part], text_rows)
    code = gaps.having(kind, gaps.KEEPS_SPACE) if present & gaps.KEEPS_SPACE else kept[:0]
    wanted = _wanted(page, code, text_rows, keep[part], blank).nonzero()[0]
    if not len(wanted):
        return ""
    rows = text_rows.take(wanted)
    chosen = [texts[index] or "" for index in (wanted + part.start).tolist()]
    cells = _cells(page, kind, rows, attributes) if present & gaps.TABLE else None
    if present & gaps.LIST:
        gaps.flatten_lists(page, kind)
    if cells is not None:
        gaps.flatten_cells(page, kind, cells)
    found = gaps.between(page, kind, rows, _spaces(page, text_rows[blank]))
    level = gaps.levels(kind, rows, found)
    spaced = (found & np.uint16(gaps.BLANK)) != 0
    found[spaced | (level != JOIN)] = 0  # the others stand apart already
    spaced |= gaps.chips(page, kind, rows, chosen, found)
    depth, marks = _leads(page, kind, rows, cells, attributes)
    verbatim = levels_inside(code, page.end, rows) > 0
    return _Runs.of(chosen, level, spaced, verbatim, depth, marks).write()


@dataclass(frozen=True, slots=True, eq=False)
class _Runs:
    """Texts that follow each other in one line without a mark or code: what parts them is a space.

    A paragraph with links in it is such a run. Its white space is collapsed as a whole. Pieces of
    code that join are a run too, but for the one that a new line starts with.
    """

    texts: list[str]  # all of them, with those spaces
    start: Rows  # index of each run's first text
    level: UInt8s  # what stands before each run
    spaced: Bools
    verbatim: Bools
    depth: Rows
    marks: Mapping[int, str]  # by index of text

    @classmethod
    def of(
        cls,
        texts: list[str],
        level: UInt8s,
        spaced: Bools,
        verbatim: Bools,
        depth: Rows,
        marks: Mapping[int, str],
    ) -> _Runs:
        """Find the runs."""
        begins = level > SPACE
        if verbatim.any():
            one = verbatim[1:] & verbatim[:-1] & (level[1:] == JOIN) & (level[:-1] <= SPACE)
            begins[1:] |= (verbatim[1:] | verbatim[:-1]) & ~one
            # A script between them is an empty text: it stays a piece, which a space may follow.
            begins[[index for index, text in enumerate(texts) if not text]] = True
        if marks:
            begins[list(marks)] = True
        apart = (spaced | (level == SPACE)) & ~(begins | verbatim)
        for index in apart.nonzero()[0].tolist():
            texts[index] = f" {texts[index]}"
        start = begins.nonzero()[0]
        return cls(
            texts=texts,
            start=start,
            level=level.take(start),
            spaced=spaced.take(start),
            verbatim=verbatim.take(start),
            depth=depth.take(start),
            marks=marks,
        )

    def write(self) -> str:
        """Write them with what stands before each: line ends, indentation, marks, spaces."""
        is_line = (self.level > SPACE) & (self.level != CELL)
        if is_line.all() and not self.verbatim.any():
            lines = self._lines()
            if len(lines) == len(self.start):
                return self._write_lines(lines)
        return self._write_pieces()

    def _lines(self) -> list[str]:
        """Collapse the white space of all runs at once, parted by NUL, which HTML does not have."""
        texts = self.texts.copy()
        for index in self.start[1:].tolist():
            texts[index] = f"\0{texts[index]}"
        whole = " ".join("".join(texts).split())
        return [line.strip() for line in whole.split("\0")]

    def _write_lines(self, lines: list[str]) -> str:
        """Write runs that are a line each."""
        kind = (self.level == PARAGRAPH) * len(_INDENTS) + np.minimum(self.depth, _DEEPEST)
        leads = [_LEADS[number] for number in kind.tolist()]
        if self.marks:
            marked = np.fromiter(self.marks, np.intp, len(self.marks))
            at = self.start.searchsorted(marked).tolist()
            for index, mark in zip(at, self.marks.values(), strict=True):
                leads[index] += mark
        pieces = [""] * (2 * len(lines))
        pieces[::2], pieces[1::2] = leads, lines
        return "".join(pieces).lstrip("\n")

    def _write_pieces(self) -> str:
        """Write runs of all kinds."""
        bounds = [*self.start.tolist(), len(self.texts)]
        closes = np.ones(len(self.start), np.bool_)  # nothing of its code follows on
        closes[:-1] = (self.level[1:] >= CELL) | ~self.verbatim[1:]
        columns = (self.level, self.spaced, self.verbatim, self.depth, closes)
        facts = zip(bounds[:-1], bounds[1:], *(c.tolist() for c in columns), strict=True)
        pieces: list[str] = []
        in_code = ended = False  # of the run before: it is code; white space ends it
        for start, stop, gap, apart, code, deep, closing in facts:
            text = "".join(self.texts[start:stop])
            indent = _INDENTS[min(deep, _DEEPEST)]
            if code:
                body = text if gap < CELL else text.lstrip("\n")
                body = (body.rstrip("\n") if closing else body).replace("\n", f"\n{indent}")
                apart = apart and not in_code
            else:
                body = " ".join(text.split())
                apart = apart or text[0].isspace()
            if gap in _LINE_STARTS:
                pieces.append(_LINE_STARTS[gap] + indent)
            elif ended or (_parts(gap, apart) and not pieces[-1][-1:].isspace()):
                pieces.append(" ")
            pieces += (self.marks.get(start, ""), body)
            in_code, ended = code, not code and text[-1].isspace()
        return _tidy("".join(pieces))


def _parts(gap: int, apart: bool) -> bool:
    """Tell whether a space belongs into a gap within a line."""
    return gap == SPACE or (gap == JOIN and apart)


def block_texts(
    page: Columns, texts: Sequence[str | None], keep: Bools, of_text: Int32s
) -> dict[int, str]:
    """Return the kept text of each block by its number; `of_text` gives the block of each text."""
    kind, _ = gaps.kinds(page)
    code = gaps.having(kind, gaps.KEEPS_SPACE)
    blank = _blank(page, texts, page.text_rows)
    before = np.maximum.accumulate(np.where(of_text < 0, 0, np.arange(len(keep))))
    of_text = np.where(blank, of_text[before], of_text)  # blank text is of the block before it
    wanted = _wanted(page, code, page.text_rows, keep, blank) & (of_text >= 0)
    rows = page.text_rows[wanted]
    if not len(rows):
        return {}
    chosen = [texts[i] or "" for i in wanted.nonzero()[0].tolist()]
    found = gaps.between(page, kind, rows, _spaces(page, page.text_rows[blank]))
    broken = gaps.breaks(kind, rows) > 0
    apart = gaps.chips(page, kind, rows, chosen, found) | broken
    apart |= (found & np.uint16(gaps.BLANK)) != 0
    verbatim = levels_inside(code, page.end, rows) > 0
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


def side_by_side(page: Columns, rows: Int32s, texts: Sequence[str]) -> Bools:
    """Tell which texts stand apart from the one before because a link, a span ... parts them."""
    kind, _ = gaps.kinds(page)
    found = gaps.between(page, kind, rows, rows[:0])
    return gaps.chips(page, kind, rows, texts, found)


def parting_spaces(page: Columns, texts: Sequence[str | None], keep: Bools) -> Int32s:
    """Return the rows of white space, kept or not, that part kept words: plain text writes a space.

    They are those between two kept texts of one line, and those in code that stand between kept
    texts or before one, as the indentation of a first line does.
    """
    rows, blank = page.text_rows, _blank(page, texts, page.text_rows)
    kind, present = gaps.kinds(page)
    solid = keep & ~blank
    at, spaces = solid.nonzero()[0], blank.nonzero()[0]
    if not len(at) or not len(spaces):
        return rows[:0]
    line = np.ones(len(at) + 1, np.bool_)  # of the gap before each kept text: nothing else parts it
    line[:-1] = gaps.levels(kind, rows[at], gaps.between(page, kind, rows[at], rows[:0])) == JOIN
    line[-1] = False  # nothing follows the last one
    found = np.zeros(len(rows), np.bool_)
    found[spaces] = line[at.searchsorted(spaces)]
    if present & gaps.KEEPS_SPACE:
        code = gaps.having(kind, gaps.KEEPS_SPACE)
        found |= _wanted(page, code, rows, keep, blank) | _leading(page, code, rows, keep, blank)
    return _spaces(page, rows[found & blank])


def _leading(page: Columns, code: Rows, rows: Int32s, keep: Bools, blank: Bools) -> Bools:
    """Which blank texts in code stand right before a kept text of the same piece."""
    code = innermost(code, page.end, rows)
    solid = (~blank).nonzero()[0]
    after = solid.searchsorted(np.arange(len(rows)))
    known = after < len(solid)
    following = solid[after[known]]
    found = np.zeros(len(rows), np.bool_)
    found[known] = keep[following] & (code[following] == code[known]) & (code[known] >= 0)
    return found & blank


def _blank(page: Columns, texts: Sequence[str | None], rows: Int32s) -> Bools:
    """Tell which of the texts (of these rows) hold white space alone, no-break spaces included."""
    chars, words = page.chars.take(rows), page.words.take(rows)
    blank: Bools = chars == 0
    for index in ((words == 0) & ~blank).nonzero()[0].tolist():
        blank[index] = (texts[index] or "").isspace()
    return blank


def _spaces(page: Columns, blank_rows: Int32s) -> Int32s:
    """Return the blank texts that are a space between words: those that are not scripts."""
    return blank_rows[~RAW.take(page.tag.take(page.parent.take(blank_rows)))]


def _wanted(page: Columns, code: Rows, rows: Int32s, keep: Bools, blank: Bools) -> Bools:
    """Which texts to write: the kept ones that are not blank, and what parts two of them in code.

    Between the words of `<pre>` (the rows in `code`), blank text is a line break or an indentation.
    """
    solid: Bools = keep & ~blank
    if not len(code):
        return solid
    code = innermost(code, page.end, rows)
    found = (blank & (code >= 0)).nonzero()[0]
    at = solid.nonzero()[0]
    after = at.searchsorted(found)
    inner = (after > 0) & (after < len(at))
    found, after = found[inner], after[inner]
    same = (code[at[after - 1]] == code[found]) & (code[at[after]] == code[found])
    wanted = solid.copy()
    wanted[found[same]] = True
    return wanted


def _tidy(text: str) -> str:
    """Drop spaces at line ends."""
    lines = [line.rstrip() for line in text.split("\n")]
    return "\n".join(lines).strip("\n")


def _cells(page: Columns, kind: UInt16s, rows: Int32s, attributes: Attributes) -> Bools | None:
    """Return the cells of the tables of data, None when no kept text stands in a table of data."""
    if not levels_inside(gaps.having(kind, gaps.TABLE), page.end, rows).any():
        return None
    tables = data_tables(page, attributes)
    return data_cells(page, tables) if tables.any() else None


def _leads(
    page: Columns, kind: UInt16s, rows: Int32s, cells: Bools | None, attributes: Attributes
) -> tuple[Rows, dict[int, str]]:
    """What stands before each text: how deep it is indented when on a new line, and its mark.

    A mark is that of a list item, or bars for the cells before the text. What follows the mark of
    an item is indented below it; a table is indented as a whole.
    """
    items = gaps.having(kind, gaps.ITEM)
    item_of = around = innermost(items, page.end, rows)
    depth, marks = np.zeros(len(rows), np.intp), list_marks(page, item_of, attributes)
    cell_of = None if cells is None else innermost(cells.nonzero()[0], page.end, rows)
    if marks:  # else no text stands in an item
        if cell_of is not None:
            around = innermost(items, page.end, np.where(cell_of >= 0, cell_of, rows))
        depth = list_depth(page, around)
        marked = np.fromiter(marks, np.intp, len(marks))
        depth[marked[around[marked] == item_of[marked]]] -= 1
    if cell_of is not None:
        for index, bars in cell_marks(page, cell_of, attributes).items():
            marks[index] = bars + marks.get(index, "")
    return depth, marks
