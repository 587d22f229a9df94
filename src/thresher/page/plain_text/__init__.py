"""Readable plain text of kept rows: paragraphs, lists, tables, code.

Two kept texts are separated by the strongest element that starts or ends between them: nothing, a
space, a line break, a cell, a new line or a new paragraph (see `gaps`). Most pages have no
formulas, data tables or code, so the tags that a page has are looked up first.

`_text` is the compiled version: it finds the texts to write with the gaps before them, and says
whether there is text in tables or formulas, or in ordered lists, which few pages have.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import compress
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from thresher.page.array_types import AnyRows, Bools, Int32s, Rows, UInt8s, UInt16s
from thresher.page.arrays import innermost, levels_inside
from thresher.page.core import COMPILED
from thresher.page.plain_text import gaps
from thresher.page.plain_text.formulas import formula_copies, may_have_formulas, with_tex
from thresher.page.plain_text.gaps import BREAK, CELL, JOIN, LINE, PARAGRAPH, SPACE
from thresher.page.plain_text.lists import item_marks, list_depth, list_marks
from thresher.page.plain_text.raised import with_raised
from thresher.page.plain_text.tables import cell_marks, data_cells, data_tables
from thresher.page.tags import RAW
from thresher.page.words import collapsed, is_white_space

if TYPE_CHECKING:
    from thresher.page.page import Page

__all__ = [
    "TextPlaces",
    "block_texts",
    "data_tables",
    "formula_copies",
    "may_have_formulas",
    "place_texts",
    "plain_text",
    "separating_spaces",
    "with_raised",
]

_DEEPEST = 20  # levels of lists that are indented, so that white space stays in proportion
_INDENTS = tuple("  " * level for level in range(_DEEPEST + 1))
_LEADS = tuple(start + indent for start in ("\n", "\n\n") for indent in _INDENTS)
_LINE_STARTS = {BREAK: "\n", LINE: "\n", PARAGRAPH: "\n\n"}


def plain_text(page: Page, keep: Bools) -> str:
    """Return the kept texts (one bool per text row) as plain text."""
    page, keep = with_tex(page, keep)
    return _compiled_text(page, keep) if COMPILED else _plain_text(page, keep)


def _compiled_text(page: Page, keep: Bools) -> str:
    found, cells = gaps.read(page, keep, skips=True), None
    has_formulas = found.needs & gaps.FORMULA
    if found.needs & gaps.TABLE:
        tables = data_tables(page)
        cells = data_cells(page, tables) if tables.any() else None
    if has_formulas:
        keep = keep & ~formula_copies(page, keep)
    if has_formulas or cells is not None:  # rare
        found = gaps.read(page, keep, cells, skips=True)
    marks, bars = {}, {}
    if found.has_numbers or page.stated.check_boxes:
        items = np.array(found.items(), np.intp)
        marks = item_marks(page, items, has_numbers=found.has_numbers)
    if cells is not None:
        bars = cell_marks(page, np.array(found.cells(), np.intp))
    return found.write(page.texts, marks, bars)


def _plain_text(page: Page, keep: Bools) -> str:
    _, runs = _kept_runs(page, keep)
    return "" if runs is None else runs.write()


def _kept_runs(page: Page, keep: Bools) -> tuple[Rows, _Runs | None]:
    """Return the index in `page.texts` of each text to write, and the runs they make, if any."""
    bits, present = gaps.tag_bits(page)
    if present & gaps.FORMULA:
        keep = keep & ~formula_copies(page, keep)
    kept = keep.nonzero()[0]
    if not len(kept):
        return kept, None
    part = slice(int(kept[0]), int(kept[-1]) + 1)  # only the texts from the first to the last kept
    text_rows = page.text_rows[part]
    blank = _blank(page, part)
    code = gaps.rows_with(bits, gaps.KEEPS_SPACE) if present & gaps.KEEPS_SPACE else kept[:0]
    written = _written(page, code, text_rows, keep[part], blank)
    rows = text_rows[written]
    if not len(rows):
        return kept[:0], None
    texts = list(compress(page.texts[part], written.tobytes()))
    cells = _data_cells(page, bits, rows) if present & gaps.TABLE else None
    if present & gaps.LIST:
        gaps.flatten_lists(page, bits)
    if cells is not None:
        gaps.flatten_cells(page, bits, cells)
    between = gaps.gap_bits(page, bits, rows, _spaces(page, text_rows[blank]))
    level = gaps.gap_levels(bits, rows, between)
    spaced = (between & np.uint16(gaps.BLANK)) != 0
    between[spaced | (level != JOIN)] = 0  # already separated
    spaced |= gaps.chip_gaps(page, bits, rows, texts, between)
    depth, marks = _leads(page, bits, rows, cells)
    verbatim = levels_inside(code, page.end, rows) > 0
    return written.nonzero()[0] + kept[0], _Runs.of(texts, level, spaced, verbatim, depth, marks)


class _Runs(NamedTuple):
    """Runs: texts that follow each other in one line without marks or code between them.

    A paragraph with links in it is a run. Its white space is collapsed as a whole. Joined pieces of
    code are also a run, except for the one that starts a new line.
    """

    texts: list[str]  # the texts of all runs, with spaces where they are needed
    gap: UInt8s  # level of the gap before each text
    start: Rows  # index of each run's first text
    level: UInt8s  # level of the gap before each run
    spaced: Bools  # True if white space is in that gap
    verbatim: Bools  # True if the run is code
    depth: Rows  # indentation, in levels
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
        """Group texts into runs; the arguments have one entry per text."""
        begins = level > SPACE
        if verbatim.any():
            one = verbatim[1:] & verbatim[:-1] & (level[1:] == JOIN) & (level[:-1] <= SPACE)
            begins[1:] |= (verbatim[1:] | verbatim[:-1]) & ~one
            # A script between them is an empty text: a run of its own, which a space may follow.
            begins[[index for index, text in enumerate(texts) if not text]] = True
        if marks:
            begins[list(marks)] = True
        apart = (spaced | (level == SPACE)) & ~(begins | verbatim)
        for index in apart.nonzero()[0].tolist():
            texts[index] = f" {texts[index]}"
        start = begins.nonzero()[0]
        return cls(
            texts=texts,
            gap=level,
            start=start,
            level=level.take(start),
            spaced=spaced.take(start),
            verbatim=verbatim.take(start),
            depth=depth.take(start),
            marks=marks,
        )

    def write(self) -> str:
        """Return the runs as text, each with line ends, indentation, mark or space before it."""
        is_line = (self.level > SPACE) & (self.level != CELL)
        if is_line.all() and not self.verbatim.any():
            lines = self._lines()
            if len(lines) == len(self.start):
                return self._write_lines(lines)
        return self._write_pieces()

    def _lines(self) -> list[str]:
        """Return the text of each run with white space collapsed.

        All at once, separated by NUL, which parsed HTML does not contain.
        """
        texts = self.texts.copy()
        for index in self.start[1:].tolist():
            texts[index] = f"\0{texts[index]}"
        whole = collapsed("".join(texts))
        return [line.strip() for line in whole.split("\0")]

    def _write_lines(self, lines: list[str]) -> str:
        """Return runs that are one line each as text."""
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
        """Return runs of all kinds as text."""
        bounds = [*self.start.tolist(), len(self.texts)]
        closes = np.ones(len(self.start), np.bool_)  # no code follows in the same line
        closes[:-1] = (self.level[1:] >= CELL) | ~self.verbatim[1:]
        columns = (self.level, self.spaced, self.verbatim, self.depth, closes)
        facts = zip(bounds[:-1], bounds[1:], *(c.tolist() for c in columns), strict=True)
        pieces: list[str] = []
        in_code = ended = False  # the run before is code; it ends with white space
        for start, stop, gap, apart, code, deep, closing in facts:
            text = "".join(self.texts[start:stop])
            indent = _INDENTS[min(deep, _DEEPEST)]
            if code:
                body = text if gap < CELL else text.lstrip("\n")
                body = (body.rstrip("\n") if closing else body).replace("\n", f"\n{indent}")
                apart = apart and not in_code
            else:
                body = collapsed(text)
                apart = apart or text[0].isspace()
            if gap in _LINE_STARTS:
                pieces.append(_LINE_STARTS[gap] + indent)
            elif ended or (
                (gap == SPACE or (gap == JOIN and apart)) and not pieces[-1][-1:].isspace()
            ):
                pieces.append(" ")
            pieces += (self.marks.get(start, ""), body)
            in_code, ended = code, not code and text[-1].isspace()
        return _tidy("".join(pieces))


@dataclass(frozen=True, slots=True, eq=False)
class TextPlaces:
    """Plain text, and where each of the texts of a page is in it.

    Plain text changes only white space, and adds marks of list items and bars between cells before
    some texts. So the characters of a text that are not white space (solid characters) are found by
    counting. Texts without any are left out.
    """

    text: str
    index: Rows  # of each text in `page.texts`
    gap: UInt8s  # level of the gap before each text; see `gaps`
    solid: Rows  # where the solid characters of `text` are
    first: Rows  # of each text, index in `solid` of its first solid character
    size: Rows  # solid characters of each text

    @property
    def begins(self) -> Rows:
        """Where each text begins in the plain text, after marks and white space."""
        return self.solid.take(self.first)

    @property
    def ends(self) -> Rows:
        """Where each text ends in the plain text: one past its last solid character."""
        return self.solid.take(self.first + self.size - 1) + 1


def place_texts(page: Page, keep: Bools) -> TextPlaces | None:
    """Return `plain_text` and the places of the kept texts in it; None if it is empty."""
    index, runs = _kept_runs(page, keep)
    if runs is None:
        return None
    written = runs.write()
    solid = (~is_white_space(written)).nonzero()[0]
    size = np.array([_solid_size(text) for text in runs.texts], np.intp)
    marked = size.copy()  # with the marks before each text
    for at, mark in runs.marks.items():
        marked[at] += _solid_size(mark)
    first = marked.cumsum() - size
    some = size > 0
    if not some.any():
        return None
    return TextPlaces(written, index[some], runs.gap[some], solid, first[some], size[some])


def _solid_size(text: str) -> int:
    """Return the number of characters that are not white space."""
    return sum(map(len, text.split()))


def block_texts(page: Page, keep: Bools, of_text: Int32s) -> dict[int, str]:
    """Return the kept text of each block, by number of block.

    `of_text` is the block of each text row, `page.blocks.of_text` or another grouping; texts with
    -1 are not kept. White space is collapsed, but not in code.
    """
    written, leads, verbatim = _pieces(page, keep & (of_text >= 0))
    before = np.maximum.accumulate(np.where(of_text < 0, 0, np.arange(len(keep))))
    block_of = of_text.take(before.take(written))  # blank text: the block before it
    pieces: dict[int, list[str]] = {}
    for block, lead, text in zip(block_of.tolist(), leads, written.tolist(), strict=True):
        block_pieces = pieces.setdefault(block, [])
        block_pieces += (lead if block_pieces else "", page.texts[text])
    has_code = set(block_of[verbatim].tolist())
    joined = {
        block: _tidy("".join(parts)) if block in has_code else collapsed("".join(parts))
        for block, parts in pieces.items()
    }
    return {block: text for block, text in joined.items() if text}


def _pieces(page: Page, keep: Bools) -> tuple[AnyRows, list[str], Bools]:
    """Return the texts to write in blocks, what is written before each, and which are code."""
    if COMPILED:
        found = gaps.read(page, keep)
        flags = found.flags()
        is_code = np.array(flags, np.uint8) & np.uint8(gaps.IS_VERBATIM)
        return np.array(found.indexes(), np.intp), [gaps.LEADS[bits] for bits in flags], is_code > 0
    bits, _ = gaps.tag_bits(page)
    code = gaps.rows_with(bits, gaps.KEEPS_SPACE)
    blank = _blank(page)
    written = _written(page, code, page.text_rows, keep, blank)
    rows = page.text_rows[written]
    texts = list(compress(page.texts, written.tobytes()))
    between = gaps.gap_bits(page, bits, rows, _spaces(page, page.text_rows[blank]))
    broken = gaps.count_breaks(bits, rows) > 0
    apart = gaps.chip_gaps(page, bits, rows, texts, between) | broken
    apart |= (between & np.uint16(gaps.BLANK)) != 0
    verbatim = levels_inside(code, page.end, rows) > 0
    space = np.where(verbatim, np.where(broken, "\n", ""), np.where(apart, " ", ""))
    return written.nonzero()[0], space.tolist(), verbatim


def separating_spaces(page: Page, keep: Bools) -> Int32s:
    """Return the rows of white space, kept or not, for which plain text writes white space.

    These are those between two kept texts of one line, and those in code between kept texts or
    right before one, such as the indentation of a first line.
    """
    rows, blank = page.text_rows, _blank(page)
    bits, present = gaps.tag_bits(page)
    solid = keep & ~blank
    at, spaces = solid.nonzero()[0], blank.nonzero()[0]
    if not len(at) or not len(spaces):
        return rows[:0]
    joined = np.ones(len(at) + 1, np.bool_)  # no element separates it from the text before
    between = gaps.gap_bits(page, bits, rows[at], rows[:0])
    joined[:-1] = gaps.gap_levels(bits, rows[at], between) == JOIN
    joined[-1] = False  # after the last kept text
    found = np.zeros(len(rows), np.bool_)
    found[spaces] = joined[at.searchsorted(spaces)]
    if present & gaps.KEEPS_SPACE:
        code = gaps.rows_with(bits, gaps.KEEPS_SPACE)
        found |= _written(page, code, rows, keep, blank) | _leading(page, code, rows, keep, blank)
    return _spaces(page, rows[found & blank])


def _leading(page: Page, code: Rows, rows: Int32s, keep: Bools, blank: Bools) -> Bools:
    """Return which blank texts in code are right before a kept text of the same element."""
    around = innermost(code, page.end, rows)
    solid = (~blank).nonzero()[0]
    after = solid.searchsorted(np.arange(len(rows)))
    known = after < len(solid)
    following = solid[after[known]]
    found = np.zeros(len(rows), np.bool_)
    found[known] = keep[following] & (around[following] == around[known]) & (around[known] >= 0)
    return found & blank


def _blank(page: Page, part: slice = slice(None)) -> Bools:
    """Return one bool per text: True if it is only white space, no-break spaces included."""
    rows, texts = page.text_rows[part], page.texts[part]
    blank: Bools = page.chars.take(rows) == 0
    for index in ((page.words.take(rows) == 0) & ~blank).nonzero()[0].tolist():
        blank[index] = texts[index].isspace()
    return blank


def _spaces(page: Page, blank_rows: Int32s) -> Int32s:
    """Return the blank text rows that are white space, not scripts or styles."""
    return blank_rows[~RAW.take(page.tag.take(page.parent.take(blank_rows)))]


def _written(page: Page, code: Rows, rows: Int32s, keep: Bools, blank: Bools) -> Bools:
    """Return the texts to write: the kept solid ones, and the blank ones between two in code.

    `code` holds the rows of `<pre>` and the like, where blank text is a line break or indentation.
    """
    solid: Bools = keep & ~blank
    if not len(code):
        return solid
    around = innermost(code, page.end, rows)
    found = (blank & (around >= 0)).nonzero()[0]
    at = solid.nonzero()[0]
    after = at.searchsorted(found)
    inner = (after > 0) & (after < len(at))
    found, after = found[inner], after[inner]
    same = (around[at[after - 1]] == around[found]) & (around[at[after]] == around[found])
    solid[found[same]] = True
    return solid


def _tidy(text: str) -> str:
    """Return the text without spaces at line ends, and without line ends around it."""
    lines = [line.rstrip() for line in text.split("\n")]
    return "\n".join(lines).strip("\n")


def _data_cells(page: Page, bits: UInt16s, rows: Int32s) -> Bools | None:
    """Return one bool per row: True for cells of data tables. None if there are none with text."""
    if not levels_inside(gaps.rows_with(bits, gaps.TABLE), page.end, rows).any():
        return None
    tables = data_tables(page)
    return data_cells(page, tables) if tables.any() else None


def _leads(
    page: Page, bits: UInt16s, rows: Int32s, cells: Bools | None
) -> tuple[Rows, dict[int, str]]:
    """Return the indentation of each text if it starts a line, in levels, and marks by index.

    The mark is that of a list item, or bars for the cells before the text. Text after the mark of
    an item is indented below it; a table is indented as a whole.
    """
    items = gaps.rows_with(bits, gaps.ITEM)
    items = items[(items < rows[-1]) & (page.end.take(items) > rows[0])]  # others have no text
    item_of = around = innermost(items, page.end, rows)
    depth, marks = np.zeros(len(rows), np.intp), list_marks(page, item_of)
    cell_of = None if cells is None else innermost(cells.nonzero()[0], page.end, rows)
    if marks:  # else no text is in an item
        if cell_of is not None:
            around = innermost(items, page.end, np.where(cell_of >= 0, cell_of, rows))
        depth = list_depth(page, around)
        marked = np.fromiter(marks, np.intp, len(marks))
        depth[marked[around[marked] == item_of[marked]]] -= 1
    if cell_of is not None:
        for index, bars in cell_marks(page, cell_of).items():
            marks[index] = bars + marks.get(index, "")
    return depth, marks
