"""Scan of the source: tags, runs of text, and the text row that each run became.

The source is scanned as UTF-8 bytes in a few array passes. Scripts, styles and comments are cut
out first. A text run lies between two tags. On most pages the k-th run that is not blank is the
k-th text row that is not blank, which their lengths confirm. On other pages (stray tags, text
moved out of tables) a run is matched through its anchor, the last start tag before it that the
parser kept: the k-th run after an anchor is the k-th text row after it. Of a page that was cut at
`Limits.rows`, only the source of its rows is scanned.

Differences from the parser, none of which changes the words of a page: `<` inside `<textarea>` and
`<title>` is taken for a tag; text that the parser moved (out of a table, say) has no run of its
own and is treated like the text before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from string import ascii_letters
from typing import TYPE_CHECKING

import numpy as np

from thresher.page.array_types import Bools, Int32s, Int64s, UInt8s
from thresher.page.arrays import freeze, groups_rank

if TYPE_CHECKING:
    from thresher.page.page import Page


def _at(mask: Bools) -> Int64s:
    """Return the positions where a mask is True: a faster `np.flatnonzero`."""
    return mask.nonzero()[0]


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _starts_character(code: UInt8s) -> Bools:
    """Return one bool per byte of UTF-8: True if it begins a character."""
    found: Bools = code.view(np.int8) >= -64  # bytes from 0x80 to 0xBF continue one
    return found


def ends_line(code: UInt8s) -> Bools:
    """Return one bool per byte: True if it ends a line (`\\n`, or `\\r` without `\\n` after it)."""
    found: Bools = code == ord("\n")
    returns = _at(code == ord("\r"))
    found[returns[np.append(code, 0)[returns + 1] != ord("\n")]] = True
    return found


def _characters(code: UInt8s) -> Rank:
    """Return the number of characters before each byte; `\\r\\n` counts as one."""
    counts, returns = _starts_character(code), code == ord("\r")
    counts[returns] = False
    return Rank(counts | ends_line(code) if returns.any() else counts)


def line_starts(source: str) -> Int64s:
    """Return the offset of the first character of each line."""
    if "\r" not in source:
        sizes = np.array([0, *map(len, source.split("\n"))], np.int64)
        return sizes[:-1].cumsum() + np.arange(len(sizes) - 1)
    code = np.frombuffer(_bytes(source), np.uint8)
    return _characters(code)(np.concatenate(([0], _at(ends_line(code)) + 1)))


class Rank:
    """Number of True entries of a mask before each position, stored in little more than a bit each.

    Jacobson 1989, "Space-efficient static trees and graphs": the count before every 64th entry is
    stored, and the entries as bits; the bits since the last stored count are counted on demand.
    """

    __slots__ = ("_before", "_size", "_words")

    def __init__(self, mask: Bools) -> None:
        bits = np.packbits(mask, bitorder="little")
        self._size = len(mask)
        self._words = np.zeros(len(mask) // 64 + 1, "<u8")
        self._words.view(np.uint8)[: len(bits)] = bits
        ones = np.bitwise_count(self._words)
        self._before = ones.cumsum(dtype=np.int64) - ones
        freeze(self._words, self._before)

    def __call__(self, at: Int64s) -> Int64s:
        """Return the counts before the given positions."""
        word = at >> 6
        since = self._words.take(word) & _BITS_BELOW.take(at & 63)
        found: Int64s = self._before.take(word) + np.bitwise_count(since)
        return found

    def mask(self) -> Bools:
        """Return the mask."""
        bits = np.unpackbits(self._words.view(np.uint8), count=self._size, bitorder="little")
        return bits.view(np.bool_)


_BITS_BELOW = np.array([(1 << bit) - 1 for bit in range(64)], np.uint64)


@dataclass(frozen=True, slots=True, eq=False)
class Scan:
    """Tags and text runs of a source; blank runs are left out.

    First and last are byte offsets in `code`, the source without scripts, styles and comments.
    Places count characters of the reflowed source, in which each run of white space is one.
    """

    source: str  # as given, with its line ends
    code: UInt8s
    pieces: tuple[Int64s, Int64s]  # the pieces of `code`: their offsets in it, and in the source
    tag_first: Int64s
    tag_last: Int64s  # one past the ">"
    run_first: Int64s  # white space around the text included
    run_last: Int64s
    run_begin: Int64s  # place of the first solid character
    run_end: Int64s  # one past the last
    run_text: Int64s  # index of the run's text row among the text rows of the page, -1 for none
    text_count: int
    place: Rank  # of each byte, and one more for the end

    @classmethod
    def of(cls, page: Page) -> Scan:
        """Scan a page's source."""
        source = page.html or page.source
        code, pieces = _joined(source, list(_without_code(source)))
        solid = _at(page.chars.take(page.text_rows) > 0)
        if len(page) == page.limits[0]:
            code, pieces = _of_first_runs(code, pieces, len(solid))
        place = Rank(_has_place(code, pieces[0][1:] - len(_SEAM)))
        for careful in (False, True):
            tag_first, tag_last = _tags(code, careful)
            runs = _Runs.between(code, tag_first, tag_last, place)
            run_text = _match_in_order(page, solid, runs, code)
            if run_text is not None:
                break
        else:
            run_offset = SourceOffsets.between(source, code, pieces)(runs.first)
            run_text = _match_by_anchor(page, solid, run_offset)
        return cls(
            source=source,
            code=code,
            pieces=pieces,
            tag_first=tag_first,
            tag_last=tag_last,
            run_first=runs.first,
            run_last=runs.last,
            run_begin=runs.begin,
            run_end=runs.end,
            run_text=run_text,
            text_count=len(page.text_rows),
            place=place,
        )

    @property
    def opens_anchor(self) -> Bools:
        """One bool per tag: True for `<a ...>`."""
        return self._named_a(self.tag_first + 1)

    @property
    def closes_anchor(self) -> Bools:
        """One bool per tag: True for `</a>`."""
        is_end: Bools = self.code.take(self.tag_first + 1) == ord("/")
        return is_end & self._named_a(self.tag_first + 2)

    def _named_a(self, at: Int64s) -> Bools:
        """Return whether the name `a` is at each offset; it may end with the source."""
        code, after = self.code, at + 1
        ends = _ENDS_NAME.take(code.take(after, mode="clip")) | (after >= len(code))
        found: Bools = ((code.take(at, mode="clip") | 32) == ord("a")) & ends
        return found

    def rows_from_runs(self, chosen: Int64s, size: Int64s) -> Bools:
        """Return one bool per text row: True if over half of its runs' characters are chosen.

        `chosen` and `size` count characters of each run. Text without a run of its own has the
        value of the text before it.
        """
        known = self.run_text >= 0
        row = self.run_text[known]
        share = np.bincount(row, (2 * chosen - size)[known], self.text_count)
        latest = np.zeros(self.text_count, np.int64)  # texts before the first run have no share
        latest[row] = row
        found: Bools = share.take(np.maximum.accumulate(latest)) > 0
        return found

    def trimmed(self) -> tuple[Int64s, Int64s]:
        """Return first and last of the runs without the white space around their text."""
        bounds = _solid_parts(self.code, self.run_first, self.run_last)
        return bounds[:, 0], bounds[:, 1]

    def offsets_in_source(self, offsets: Int64s) -> Int64s:
        """Return the character offsets in `Page.source` of byte offsets in `code`."""
        return SourceOffsets.of(self)(offsets)

    def text_offsets(self, page: Page) -> Int32s:
        """Return for each row of the page the offset in `source` of its text; -1 where unknown."""
        found = np.full(len(page), -1, np.int32)
        offset = self.offsets_in_source(self.trimmed()[0])
        known = _at(self.run_text >= 0)[::-1]  # reversed: the first run of a row is set last
        found[page.text_rows[self.run_text[known]]] = offset[known]
        freeze(found)
        return found


# --- cutting out code and comments ---------------------------------------------------------------

_SEAM = b"<!>"  # joins the pieces: separates two runs like a tag, but has no length

# Each ends at its end tag, or at the end of the source. Possessive, so that it never backtracks.
_CODE = re.compile(
    r"""<(?: !-- (?: -?> | (?: [^-]++ | -(?!-!?>) )*+ [^>]*+ >?+ )
          | script (?=[\s/>]) (?: [^<]++ | <(?!/script[\s/>]) )*+ [^>]*+ >?+
          | style (?=[\s/>]) (?: [^<]++ | <(?!/style[\s/>]) )*+ [^>]*+ >?+ )""",
    re.ASCII | re.IGNORECASE | re.VERBOSE,
)


def _without_code(source: str) -> Iterator[tuple[int, int]]:
    """Yield the stretches of the source outside scripts, styles and comments, in order."""
    at = 0
    for found in _CODE.finditer(source):
        if found.start() > at:
            yield at, found.start()
        at = found.end()
    if at < len(source):
        yield at, len(source)


def _joined(
    source: str, stretches: Sequence[tuple[int, int]]
) -> tuple[UInt8s, tuple[Int64s, Int64s]]:
    """Return the stretches joined, and the start of each one in the result and in the source."""
    pieces = [_bytes(source[first:last]) for first, last in stretches]
    size = np.array([len(piece) + len(_SEAM) for piece in pieces], np.int64)
    first = np.array([first for first, _ in stretches], np.int64)
    return np.frombuffer(_SEAM.join(pieces), np.uint8), (size.cumsum() - size, first)


def _of_first_runs(
    code: UInt8s, pieces: tuple[Int64s, Int64s], count: int
) -> tuple[UInt8s, tuple[Int64s, Int64s]]:
    """Return the code up to the end of its first `count` runs, and its pieces."""
    tag_first, tag_last = _tags(code, careful=False)
    solid = np.concatenate(([0], (code > ord(" ")).cumsum(dtype=np.int32)))
    first, last = np.concatenate(([0], tag_last)), np.append(tag_first, len(code))
    runs = _at(solid.take(last) > solid.take(first))
    if len(runs) <= count:
        return code, pieces
    end = int(last[runs[count - 1]]) if count else 0
    start, offset = pieces
    held = start < max(end, 1)
    return code[:end], (start[held], offset[held])


@dataclass(frozen=True, slots=True, eq=False)
class SourceOffsets:
    """Converts byte offsets in the joined pieces to character offsets in `Page.source`."""

    code: UInt8s
    start: Int64s  # of each piece in `code`, in bytes
    shift: Int64s  # what to add to the offset of a character of each piece
    uncounted: Rank  # the bytes that begin no character, and the `\r` of each `\r\n`

    @classmethod
    def of(cls, scan: Scan) -> SourceOffsets:
        """Return the offsets of a scan."""
        return cls.between(scan.source, scan.code, scan.pieces)

    @classmethod
    def between(cls, source: str, code: UInt8s, pieces: tuple[Int64s, Int64s]) -> SourceOffsets:
        """Return the offsets of a source and its joined pieces."""
        start, first = pieces
        found = re.finditer("\r\n", source) if "\r" in source else ()
        pairs = np.array([pair.start() for pair in found], np.int64)
        is_uncounted = ~_starts_character(code)
        returns = _at(code == ord("\r")) if len(pairs) else pairs
        is_uncounted[returns[code.take(returns + 1, mode="clip") == ord("\n")]] = True
        uncounted = Rank(is_uncounted)
        shift = first - pairs.searchsorted(first) - start + uncounted(start)
        return cls(code, start, shift, uncounted)

    def __call__(self, offsets: Int64s) -> Int64s:
        """Return the character offsets in the source of byte offsets in the pieces."""
        if not len(self.start):
            return offsets
        piece = self.start.searchsorted(offsets, side="right") - 1
        found: Int64s = self.shift.take(piece) + offsets - self.uncounted(offsets)
        return found

    def of_runs(self, scan: Scan, runs: Int64s) -> tuple[Int64s, Int64s]:
        """Return the offsets in the source of the runs' first solid characters and of their ends.

        The end is one past the last solid character.
        """
        bounds = _solid_parts(self.code, scan.run_first.take(runs), scan.run_last.take(runs))
        offsets = self(bounds.ravel()).reshape(-1, 2)
        return offsets[:, 0], offsets[:, 1]


def _solid_parts(code: UInt8s, first: Int64s, last: Int64s) -> Int64s:
    """Return the bounds of the runs of `code` without the white space around their texts.

    One row for each. Arrays of all bytes would need eight times the memory of the source.
    """
    data = code.data
    runs = zip(first.tolist(), last.tolist(), strict=True)
    return np.array([_solid_part(data, *run) for run in runs], np.int64).reshape(-1, 2)


def _solid_part(code: memoryview, first: int, last: int) -> tuple[int, int]:
    run = bytes(code[first:last])
    solid = run.lstrip(_BLANKS)
    first += len(run) - len(solid)
    return first, first + len(solid.rstrip(_BLANKS))


_BLANKS = bytes(range(ord(" ") + 1))


# --- tags and runs -------------------------------------------------------------------------------


def _bytes_where(characters: str) -> Bools:
    table = np.zeros(256, np.bool_)
    table[[ord(c) for c in characters]] = True
    return table


_STARTS_TAG = _bytes_where(ascii_letters + "/!?")
_ENDS_NAME = _bytes_where(" \t\n\f/>\0")

# A tag whose quotes must be read one by one. Possessive, so that it never backtracks.
_WHOLE_TAG = re.compile(
    rb"""<[/!?]?[^\s/>]*+(?:[^>=]++|=\s*+(?:"[^"]*+"|'[^']*+'|[^>\s"'][^>\s]*+)?+)*+>"""
)


def _tags(code: UInt8s, careful: bool) -> tuple[Int64s, Int64s]:
    """Find all tags: `<` before a letter, `/`, `!` or `?`, up to the next `>`.

    If `careful`, or where a quoted value may hold `>`, up to the next `>` outside quotes. A tag
    that is missed even so becomes a run of text without a row.
    """
    angles = _angles(code)
    closes = code.take(angles) == ord(">")
    opens = _at(_STARTS_TAG.take(code.take(angles + 1, mode="clip")) > closes)
    first = angles.take(opens)
    if not careful and 2 * len(opens) == len(angles) and closes[1::2].all():
        return first, angles[1::2] + 1  # they alternate
    closing = np.append(angles[closes], len(code) - 1)
    index = closes.cumsum().take(opens)  # of the next ">"
    close = closing.take(index)
    # Where "<" and ">" do not alternate, one of them is not markup.
    unsure = np.append(index[1:], len(closing) - 1) != index + 1
    if careful:
        unsure[:] = True
    if unsure.any():
        _close_outside_quotes(code, first, close, unsure)
    # A "<" inside another tag opens nothing.
    real = np.ones(len(first), np.bool_)
    real[1:] = first[1:] > np.maximum.accumulate(close)[:-1]
    return first[real], close[real] + 1


def _angles(code: UInt8s) -> Int64s:
    """Return the offsets of all `<` and `>`."""
    found = [
        first + _at((code[first : first + _BYTES_AT_ONCE] | 2) == ord(">"))  # they differ in a bit
        for first in range(0, len(code), _BYTES_AT_ONCE)
    ]
    return np.concatenate(found) if found else np.zeros(0, np.int64)


_BYTES_AT_ONCE = 1_000_000  # so that arrays of all bytes are few


def _close_outside_quotes(code: UInt8s, first: Int64s, close: Int64s, unsure: Bools) -> None:
    """Move the ends of those unsure tags whose first `>` is in a quoted value."""
    quotes = _at((code == ord('"')) | (code == ord("'")))
    upto = np.concatenate(([0], (code.take(quotes) == ord('"')).cumsum()))
    tags = _at(unsure)
    begin, end = quotes.searchsorted(first.take(tags)), quotes.searchsorted(close.take(tags))
    doubles = upto.take(end) - upto.take(begin)
    singles = end - begin - doubles
    # With one kind of quote and an even number of them, the ">" is outside.
    odd = ((doubles | singles) & 1 == 1) | ((doubles > 0) & (singles > 0))
    at = 0
    for index in tags[odd].tolist():
        if first[index] < at:
            continue
        whole = _WHOLE_TAG.match(code.data, int(first[index]))
        at = whole.end() if whole else len(code)
        close[index] = at - 1


def _has_place(code: UInt8s, seams: Int64s) -> Bools:
    """Return one bool per byte: True if it has a place of its own in the reflowed source.

    Of several bytes of white space the first one has, seams have not.
    """
    keep = _starts_character(code)
    for first in range(0, len(code), _BYTES_AT_ONCE):
        blank = code[max(first - 1, 0) : first + _BYTES_AT_ONCE] <= ord(" ")
        part = keep[max(first - 1, 0) + 1 : first + _BYTES_AT_ONCE]
        np.greater(part, blank[1:] & blank[:-1], out=part)
    keep[seams[:, None] + np.arange(len(_SEAM))] = False
    return keep


@dataclass(frozen=True, slots=True, eq=False)
class _Runs:
    """The stretches between tags that are not blank; see `Scan` for the fields."""

    first: Int64s
    last: Int64s
    begin: Int64s
    end: Int64s

    @classmethod
    def between(cls, code: UInt8s, tag_first: Int64s, tag_last: Int64s, place: Rank) -> _Runs:
        """Find the runs between the tags."""
        first = np.concatenate(([0], tag_last))
        last = np.append(tag_first, len(code))
        some = last > first
        first, last = first[some], last[some]
        begin = place(first) + (code.take(first) <= ord(" "))
        end = place(last) - (code.take(last - 1) <= ord(" "))
        solid = end > begin
        return cls(first[solid], last[solid], begin[solid], end[solid])


# --- from runs to rows ---------------------------------------------------------------------------


_ENOUGH = 0.9  # share of lengths that must agree: off by one run, hardly any would


def _match_in_order(page: Page, solid: Int64s, runs: _Runs, code: UInt8s) -> Int64s | None:
    """Pair runs and texts in order, None unless there are as many and their lengths agree."""
    if len(solid) != len(runs.first):
        return None
    # A text's characters include up to two spaces, to the text before and to that after it.
    spaces = page.chars[page.text_rows[solid]] - (runs.end - runs.begin)
    same = (spaces >= 0) & (spaces <= 2)
    if np.count_nonzero(same) < _ENOUGH * len(same):
        references = _at(code == ord("&"))  # text may be shorter than the run that has some
        count = references.searchsorted(runs.last) - references.searchsorted(runs.first)
        same = same[count == 0]
    return solid if np.count_nonzero(same) >= _ENOUGH * len(same) else None


def _match_by_anchor(page: Page, solid: Int64s, run_offset: Int64s) -> Int64s:
    """Return for each run the index of its text row, -1 if it has none.

    `run_offset` is the offset of each run in the source, `solid` the index of each solid text.
    """
    if not len(solid):
        return np.full(len(run_offset), -1)
    offsets = page.offsets
    written = _at(offsets >= 0)
    # Elements that the parser made again (after misnested tags) have the offset of the first one.
    starts, index = np.unique(offsets[written], return_index=True)
    anchors = written[index]
    is_anchor = np.zeros(len(page), np.bool_)
    is_anchor[anchors] = True
    latest = np.maximum.accumulate(np.where(is_anchor, np.arange(len(page)), -1))

    text_anchor = latest[page.text_rows[solid]]
    before = starts.searchsorted(run_offset, side="right") - 1
    run_anchor = np.where(before >= 0, np.append(anchors, -1)[before], -1)

    many = max(len(solid), len(run_offset)) + 1
    text_key = text_anchor * many + groups_rank(text_anchor)
    run_key = run_anchor * many + groups_rank(run_anchor)
    # Surplus runs (a stray tag split the text) belong to the last text after their anchor.
    found = text_key.searchsorted(run_key, side="right") - 1
    right = (found >= 0) & (text_anchor[found] == run_anchor)
    return np.where(right, solid[found], -1)
