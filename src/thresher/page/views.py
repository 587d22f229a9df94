"""Views of a page: its rows as tokens, text blocks, flow rows and source lines.

Different papers work on different units. Each view is derived from the columns in a few array
expressions, and keeps the row of every item.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.page.array_types import Bools, Int32s, Int64s, Rows
from thresher.page.arrays import freeze, innermost, inside, nearest, run_bounds, subtree_sums
from thresher.page.core import COMPILED
from thresher.page.lazy import LazyModule
from thresher.page.tags import (
    BLOCK,
    BREAKS_FLOW,
    LEAF,
    NEVER_CONTENT,
    NUMBER,
    RAW,
    TABLE_PART,
    TABLE_ROW,
    VOID,
    bits_of,
    lookup,
)

if TYPE_CHECKING:
    from thresher.page import scan as scans
    from thresher.page.page import Page
    from thresher.page.scan import Rank, Scan
else:  # only lines need it
    scans = LazyModule("thresher.page.scan")
if COMPILED:
    from thresher.page import _views

PROSE_WORDS = 15  # a block of prose has at least this many words,
PROSE_LINKS = 0.3  # and less than this share of them in links

# What the kernels of `_views` need to know of each tag number.
_TAG_BITS = bits_of(BLOCK, LEAF, TABLE_PART, RAW, lookup("figure"), lookup("table"))


NUMBER_LINES, BOOL_LINES = 16, 5  # of `Walked`


class Walked(NamedTuple):
    """Columns that the compiled walk over a page fills beside those of its rows.

    The lines of `numbers` are the columns `end`, `parent`, `level`, `chars` and `words` of the
    page, `around`, the rows that are text, and the other columns of `Blocks`; those of `bools` are
    the columns `linked` and `hidden` of the page, the texts that are hidden (see `visibility`),
    `Blocks.hidden`, and the blocks without a shown text.
    """

    numbers: npt.NDArray[np.int32]
    bools: npt.NDArray[np.bool_]
    row_count: int
    text_count: int
    block_count: int

    @property
    def text_rows(self) -> Int32s:
        """Rows that are text, in order."""
        return self.numbers[6, : self.text_count]

    @property
    def hidden(self) -> tuple[Bools, Bools]:
        """Which texts are hidden, and which blocks have no other texts."""
        return self.bools[2, : self.text_count], self.bools[4, : self.block_count]

    def blocks(self) -> Blocks:
        """Return the blocks of the page."""
        numbers = self.numbers
        around, of_text = numbers[5, : self.row_count], numbers[7, : self.text_count]
        of_blocks = numbers[8:, : self.block_count]
        first, last, texts_from, texts_to, parent, chars, words, linked_words = of_blocks
        return Blocks(
            of_text, first, last, texts_from, texts_to, parent, around, chars, words, linked_words,
            self.bools[3, : self.block_count],
        )  # fmt: skip


# --- tokens --------------------------------------------------------------------------------------


class Tokens(NamedTuple):
    """Start tags, end tags and words in document order (scripts and styles left out)."""

    is_word: Bools
    row: Int32s  # of the element, or of the text that holds the word


def tokens(page: Page) -> Tokens:
    """Return the tokens: for a row its start tag or its words, and at its end an end tag.

    The end tags are those of the tree, so an element whose end tag is omitted has one too; void
    elements (`<br>`) have none.
    """
    is_element = (page.tag != 0) & ~RAW[page.tag]
    own = np.where(is_element, 1, page.words)  # tokens at the row itself
    before = np.cumsum(own) - own
    total = int(own.sum())

    closing = np.flatnonzero(is_element & ~VOID[page.tag])[::-1]  # inner elements close first
    closing = closing[np.argsort(page.end[closing], kind="stable")]
    ends = page.end[closing]
    closed_before = np.searchsorted(ends, np.arange(len(page)), side="right")
    own_before_end = np.append(before, total)[ends]

    size = total + len(closing)
    row = np.empty(size, np.int32)
    is_word = np.zeros(size, np.bool_)
    place = np.repeat(closed_before, own) + np.arange(total)
    row[place] = np.repeat(np.arange(len(page), dtype=np.int32), own)
    is_word[place] = np.repeat(~is_element, own)
    row[own_before_end + np.arange(len(closing))] = closing
    freeze(row, is_word)
    return Tokens(is_word, row)


# --- text blocks ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Blocks:
    """Runs of text rows that no block-level tag interrupts, in document order."""

    of_text: Int32s  # the block of each text row, -1 for blank text and code
    first: Int32s  # first text row
    last: Int32s  # last text row
    texts_from: Int32s  # index of the first text row in `page.texts`
    texts_to: Int32s  # index of the last one
    parent: Int32s  # nearest block-level element around the block
    around: Int32s  # of every row of the page: its nearest block-level ancestor or itself
    chars: Int32s
    words: Int32s
    linked_words: Int32s
    hidden: Bools

    def __len__(self) -> int:
        """Return the number of blocks."""
        return len(self.first)

    def text_mask(self, chosen: Bools) -> Bools:
        """Return one bool per text row: True if its block is chosen (one bool per block).

        False for blank text and code.
        """
        return np.append(chosen, False).take(self.of_text)  # -1 (no block) reads the last entry


def last_blocks(page: Page, kept: Bools, most: int, least_words: int = 1) -> list[int]:
    """Return the last kept blocks with enough words, at most so many, in order."""
    words = page.blocks.words
    if COMPILED:
        return _views.find_last(kept, words, least_words, most)
    found: list[int] = (kept & (words >= least_words)).nonzero()[0][-most:].tolist()
    return found


def blocks(page: Page) -> Blocks:
    """Return the blocks: a block-level element starts or ends between any two of them."""
    if COMPILED:
        return _compiled_blocks(page)
    found = _plain_blocks(page)
    freeze(*(getattr(found, name) for name in Blocks.__slots__))
    return found


def _compiled_blocks(page: Page) -> Blocks:
    if page.walked is not None:  # true of pages that are no parts of others
        return page.walked.blocks()
    around = np.empty(len(page), np.int32)
    of_text = np.empty(len(page.text_rows), np.int32)
    columns = np.empty((8, len(page.text_rows)), np.int32)
    hidden = np.empty(len(page.text_rows), np.bool_)
    size = _views.find_blocks(
        page.tag, page.end, page.parent, page.chars, page.words, page.linked,
        page.hidden, _TAG_BITS, np.zeros(len(page) + 1, np.uint8), around, of_text,
        columns, hidden,
    )  # fmt: skip
    freeze(of_text, around, columns, hidden)  # and so are parts of them
    first, last, texts_from, texts_to, parent, chars, words, linked_words = columns[:, :size]
    return Blocks(
        of_text, first, last, texts_from, texts_to, parent, around, chars, words, linked_words,
        hidden[:size],
    )  # fmt: skip


def _plain_blocks(page: Page) -> Blocks:
    is_block = BLOCK.take(page.tag)
    cut = np.zeros(len(page) + 1, np.intp)
    cut[:-1] = is_block
    cut[page.end.take(is_block.nonzero()[0])] = 1
    stretch = cut.cumsum()

    solid = page.chars.take(page.text_rows).nonzero()[0]
    rows = page.text_rows.take(solid)
    starts = np.ones(len(rows), np.bool_)
    of_row = stretch.take(rows)
    np.greater(of_row[1:], of_row[:-1], out=starts[1:])
    edges = starts.nonzero()[0]
    ends = np.full(len(edges), len(rows))
    ends[:-1] = edges[1:]
    of_text = np.full(len(page.text_rows), -1, np.int32)
    of_text[solid] = np.arange(len(edges), dtype=np.int32).repeat(ends - edges)

    counts = np.empty((3, len(rows)), np.int32)  # characters, words, words in links
    page.chars.take(rows, out=counts[0], mode="clip")
    page.words.take(rows, out=counts[1], mode="clip")
    np.multiply(counts[1], page.linked.take(rows), out=counts[2])
    if len(edges):
        counts = np.add.reduceat(counts, edges, axis=1, dtype=np.int32)
    around = nearest(is_block, page.parent).astype(np.int32)
    first = rows.take(edges)
    ends -= 1
    return Blocks(
        of_text=of_text,
        first=first,
        last=rows.take(ends),
        texts_from=solid.take(edges).astype(np.int32),
        texts_to=solid.take(ends).astype(np.int32),
        parent=around.take(first),
        around=around,
        chars=counts[0],
        words=counts[1],
        linked_words=counts[2],
        hidden=page.hidden.take(first),
    )


# --- flow rows -----------------------------------------------------------------------------------


class Flow(NamedTuple):
    """TSReC: the elements that break the text flow, with the paper's region codes.

    Codes count the start and end tags of these elements only; the root has begin 0, parent 0,
    level 0. The content C of flow row i are the other elements and the texts that it holds:
    `content[content_from[i] : content_from[i + 1]]`.
    """

    row: Int32s  # row of the page
    begin: Int32s
    end: Int32s
    parent: Int32s  # begin code of the enclosing flow row
    level: Int32s
    of_row: Int32s  # for every row of the page, the index of the flow row that holds it
    content: (
        Int32s  # rows of the page that are no flow rows, ordered by the flow row that holds them
    )
    content_from: Int32s  # where the content of each flow row begins, and the end of the last


def flow(page: Page, tables: bool = False) -> Flow:
    """Return the flow rows: the elements that break the text flow, and the root.

    Reference: Li, Meng, Li, Wang, "Hybrid method for automated news content extraction from the
    web", Fig. 3. Departures: line 12 of Fig. 3 swaps level and parent. In Fig. 6, `table` and `tr`
    make no row, but the text names TABLE as a tag that does: with `tables` they make rows.
    """
    is_flow = BREAKS_FLOW[page.tag] & (page.tag != 0)
    if tables:
        is_flow |= TABLE_ROW[page.tag]
    is_flow[:1] = True
    row = np.flatnonzero(is_flow)
    of_row = (np.cumsum(is_flow) - 1)[nearest(is_flow, page.parent)]
    order = np.arange(len(row))
    closed = np.sort(page.end[row])
    opened_before_end = np.searchsorted(row, page.end[row])
    depth_closed = np.searchsorted(closed, row, side="right")
    level = order - depth_closed
    begin = order + depth_closed
    # When i ends, all rows that start before its end have started, and all after i have ended.
    end = opened_before_end + (opened_before_end - 1 - level)
    around = np.where(order > 0, of_row[np.maximum(page.parent[row], 0)], 0)
    held = (~is_flow).nonzero()[0]
    content = held[of_row[held].argsort(kind="stable")]
    content_from = np.searchsorted(of_row[content], np.arange(len(row) + 1))
    columns = (row, begin, end, begin[around], level, of_row, content, content_from)
    ints = [column.astype(np.int32) for column in columns]
    freeze(*ints)
    return Flow(*ints)


# --- elements kept with their text ---------------------------------------------------------------


def kept_rows(page: Page, keep: Bools) -> Bools:
    """Return one bool per row: the kept texts (one bool per text row) and their elements.

    `Selection.kept` documents the rules.
    """
    if not COMPILED:
        return _plain_kept_rows(page, keep)
    kept = np.zeros(len(page), np.bool_)
    _views.keep_rows(page, np.ascontiguousarray(keep), _TAG_BITS, kept)
    return kept


def _plain_kept_rows(page: Page, keep: Bools) -> Bools:
    if keep.all():
        return np.ones(len(page), np.bool_)
    tag, parent = page.tag, np.maximum(page.parent, 0)
    kept = np.zeros(len(page), np.bool_)
    kept[page.text_rows[keep]] = True
    holds = subtree_sums(kept, page.end) > 0

    def near(rows: Rows, name: str) -> Bools:
        """Return for each row whether the nearest of some elements around it holds kept text."""
        if not page.present[NUMBER[name]]:
            return np.zeros(len(rows), np.bool_)
        around = innermost((tag == NUMBER[name]).nonzero()[0], page.end, rows)
        return (around >= 0) & holds.take(around)

    leaves, parts = LEAF.take(tag).nonzero()[0], TABLE_PART.take(tag).nonzero()[0]
    block = page.blocks.around.take(parent.take(leaves))
    beside = np.zeros(len(page), np.bool_)
    beside[leaves] = ((block >= 0) & holds.take(block)) | near(leaves, "figure")
    kept = inside(beside, page.end) & (tag != 0)
    kept[parts] |= near(parts, "table")
    blank = page.text_rows[page.chars.take(page.text_rows) == 0]
    around = parent.take(blank)
    kept[blank] = holds.take(around) & ~RAW.take(tag.take(around))
    return subtree_sums(kept | holds, page.end) > 0


# --- source lines --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """The source without scripts, styles and comments, in lines.

    Places count characters: of the reflowed source, or of the source as written without line ends.
    Line `i` is the places `bounds[i] .. bounds[i+1] - 1`.
    """

    scan: Scan
    place: Rank  # of each byte of the scan's text; one more for the end
    bounds: Int64s
    run: tuple[Int64s, Int64s]  # places where the text runs begin and end

    def __len__(self) -> int:
        """Return the number of lines."""
        return len(self.bounds) - 1

    @property
    def length(self) -> Int64s:
        """Characters of each line."""
        return self.bounds[1:] - self.bounds[:-1]

    @property
    def content(self) -> Int64s:
        """Characters of each line that belong to text runs."""
        return self.covered(*self.run)

    @property
    def code(self) -> Int64s:
        """Characters of each line that are not content."""
        return self.length - self.content

    def line_of(self, place: Int64s) -> Int64s:
        """Return the line that holds each place."""
        return np.minimum(self.bounds.searchsorted(place, side="right"), len(self)) - 1

    def covered(self, begin: Int64s, end: Int64s) -> Int64s:
        """Return for each line the number of its places in the stretches `begin .. end-1`.

        The stretches must be sorted and disjoint.
        """
        upto = _covered_upto(self.bounds, begin, end)
        return upto[1:] - upto[:-1]

    def rows_of(self, chosen: Bools) -> Bools:
        """Return one bool per text row: True if most of its characters are in chosen lines."""
        if not len(self):
            return np.zeros(self.scan.text_count, np.bool_)
        run = np.stack(self.run)
        first, last = run_bounds(chosen)
        upto = _covered_upto(run, self.bounds.take(first), self.bounds.take(last + 1))
        return self.scan.rows_from_runs(upto[1] - upto[0], run[1] - run[0])


def _covered_upto(place: Int64s, begin: Int64s, end: Int64s) -> Int64s:
    """Return the number of places before each given one that lie in sorted, disjoint stretches."""
    if not len(begin):
        return np.zeros(place.shape, np.int64)
    # The count rises by 1 per place inside a stretch and is constant outside: exact in floats.
    corner, rise = np.empty(2 * len(begin), np.int64), np.zeros(2 * len(begin), np.int64)
    corner[::2], corner[1::2] = begin, end
    np.subtract(end, begin, out=rise[1::2])
    covered: Int64s = np.interp(place, corner, rise.cumsum()).astype(np.int64)
    return covered


def lines(page: Page, length: int) -> Lines:
    """Return the source in lines of `length` characters, or as written if `length` is 0."""
    scan = page.scan
    size = np.array([len(scan.code)])
    if length:
        place, run = scan.place, (scan.run_begin, scan.run_end)
        end = int(place(size)[0])
        bounds = np.append(np.arange(0, end, min(length, end + 1)), end)
    else:
        # Line ends have no place; all other white space has one, and what has one when reflowed.
        counts = scan.place.mask() | (scan.code <= ord(" "))
        place = scans.Rank(counts & (scan.code != ord("\n")) & (scan.code != ord("\r")))
        bounds = place(np.concatenate(([0], np.flatnonzero(scans.ends_line(scan.code)) + 1, size)))
        first, last = scan.trimmed()
        run = place(first), place(last)
    freeze(bounds, *run)
    return Lines(scan, place, bounds, run)


def content_words_before(page: Page) -> tuple[Int64s, Int64s]:
    """Return the words before each row that may be content: all, and those not in links.

    There is one more entry, for the whole page.
    """
    words, unlinked = np.zeros((2, len(page) + 1), np.int64)
    if COMPILED:
        _views.sum_words(page, NEVER_CONTENT, words, unlinked)
        return words, unlinked
    counted = page.words * ~inside(NEVER_CONTENT.take(page.tag), page.end)
    counted.cumsum(out=words[1:])
    (counted * ~page.linked).cumsum(out=unlinked[1:])
    return words, unlinked
