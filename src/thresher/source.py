"""Where things stand in the source: tags, runs of text, and the row that each run became.

The source is scanned as UTF-8 bytes in a few array passes. Scripts, styles and comments are cut
out first. A text run lies between two tags. On most pages the k-th run that is not blank is the
k-th text row that is not blank, and their lengths say so. On the others (stray tags, text moved out
of tables) a run belongs to a row through its anchor, the last start tag before it that the parser
kept: the k-th run after an anchor is the k-th text row after it.

Departures from the parser, all without effect on which words a page has: `<` inside `<textarea>`
and `<title>` is taken for a tag; text that the parser moved (out of a table, say) has no run of its
own and follows the text before it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from thresher.arrays import groups_rank
from thresher.columns import Bools, Columns, Ints, freeze
from thresher.tags import VOID

__all__ = ["Places", "Scan", "line_starts", "write"]

Places: TypeAlias = npt.NDArray[np.int64]
Bytes: TypeAlias = npt.NDArray[np.uint8]


def _bytes(text: str) -> bytes:
    """Return the text in UTF-8, line ends as `\\n`."""
    raw = text.encode("utf-8", "surrogatepass")
    return raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in raw else raw


def _starts_character(code: Bytes) -> Bools:
    """Tell which bytes of UTF-8 begin a character."""
    found: Bools = (code & 0xC0) != 0x80
    return found


def _offsets_in_text(code: Bytes, places: Places) -> Places:
    """Translate offsets in UTF-8 bytes to offsets in characters."""
    return np.concatenate(([0], np.cumsum(_starts_character(code))))[places]


def line_starts(source: str) -> Places:
    """Return the offset of the first character of each line."""
    code = np.frombuffer(_bytes(source), np.uint8)
    return _offsets_in_text(code, np.concatenate(([0], np.flatnonzero(code == ord("\n")) + 1)))


@dataclass(frozen=True, slots=True, eq=False)
class Scan:
    """Tags and text runs of a source.

    First and last are byte offsets in `code`, the source without scripts, styles and comments.
    Places count characters, with every run of white space as one: the reflowed source. Blank runs
    are left out.
    """

    code: Bytes
    shift: tuple[Places, Places]  # from where on, and by how much, offsets in the source differ
    tag_first: Places
    tag_last: Places  # one past the ">"
    opens_anchor: Bools  # per tag: <a ...>
    closes_anchor: Bools  # per tag: </a>
    run_first: Places  # with the white space around it
    run_last: Places
    run_begin: Places  # place of its first solid character, reflowed
    run_end: Places  # one past the last
    run_text: Places  # which text row of the page (its index among them), -1 for none
    text_count: int
    place: Ints  # of each character, reflowed; one more for the end

    @classmethod
    def of(cls, source: str, page: Columns, offsets: Callable[[], Ints]) -> Scan:
        """Scan a page's source; `offsets` gives those of the elements, if they are needed."""
        raw = _bytes(source)
        pieces = list(_without_code(raw))
        code = np.frombuffer(b"".join(raw[first:last] for first, last in pieces), np.uint8)
        tag_first, tag_last = _tags(code)
        blank, place = _reflow(code)
        shift = _shift(pieces)
        runs = _Runs.between(code, (tag_first, tag_last), shift[0][1:], blank, place)
        opens, closes = _anchors(code, tag_first)
        solid = np.flatnonzero(page.chars[page.text_rows] > 0)
        run_text = _by_order(page, solid, runs, code)
        if run_text is None:
            whole = np.frombuffer(raw, np.uint8)
            run_source = _offsets_in_text(whole, _in_source(runs.first, shift))
            run_text = _by_anchor(page, offsets(), solid, run_source)
        return cls(
            code=code,
            shift=shift,
            tag_first=tag_first,
            tag_last=tag_last,
            opens_anchor=opens,
            closes_anchor=closes,
            run_first=runs.first,
            run_last=runs.last,
            run_begin=runs.begin,
            run_end=runs.end,
            run_text=run_text,
            text_count=len(page.text_rows),
            place=place,
        )

    def rows_from_runs(self, chosen: Places, size: Places) -> Bools:
        """Return per text row whether more than half of its runs' characters are chosen.

        Text without a run of its own follows the text before it.
        """
        known = self.run_text >= 0
        row = self.run_text[known]
        share = np.bincount(row, (2 * chosen - size)[known], self.text_count)
        has_run = np.zeros(self.text_count, np.bool_)
        has_run[row] = True
        latest = np.maximum.accumulate(np.where(has_run, np.arange(self.text_count), -1))
        return (latest >= 0) & (share[latest] > 0) if self.text_count else has_run

    def trimmed(self) -> tuple[Places, Places]:
        """Return the runs as offsets without the white space around them."""
        solid = np.flatnonzero(self.code > ord(" "))
        first = solid[np.searchsorted(solid, self.run_first)]
        return first, solid[np.searchsorted(solid, self.run_last) - 1] + 1

    def row_offsets(self, source: str, page: Columns, offsets: Ints) -> Ints:
        """Return the offset in the source of every row; implied ones stand with the row before."""
        found = offsets.copy()
        whole = np.frombuffer(_bytes(source), np.uint8)
        run_source = _offsets_in_text(whole, _in_source(self.trimmed()[0], self.shift))
        matched = np.flatnonzero(self.run_text >= 0)[::-1]  # so that the first run is set last
        found[page.text_rows[self.run_text[matched]]] = run_source[matched]
        latest = np.maximum.accumulate(np.where(found >= 0, np.arange(len(found)), -1))
        found = np.where(latest >= 0, found[latest], 0).astype(np.int32)
        freeze(found)
        return found


# --- cutting out code and comments ---------------------------------------------------------------

_CODE_NAMES = re.compile(rb"<(script|style)[\s/>]", re.I)


def _without_code(raw: bytes) -> Iterator[tuple[int, int]]:
    """Give the stretches of the source outside scripts, styles and comments, in order."""
    code = np.frombuffer(raw, np.uint8)
    opening = np.flatnonzero(code[:-2] == ord("<"))
    one, two = code[opening + 1], code[opening + 2] | 32
    may_be_code = ((one | 32) == ord("s")) & ((two == ord("c")) | (two == ord("t")))
    at = 0
    for start in opening[(one == ord("!")) | may_be_code].tolist():
        if start < at:
            continue
        if raw.startswith(b"<!--", start):
            end = _after_comment(raw, start)
        elif name := _CODE_NAMES.match(raw, start):
            end = _after_code(raw, start, name[1])
        else:
            continue
        yield at, start
        at = end
    yield at, len(raw)


def _after_comment(raw: bytes, start: int) -> int:
    if raw.startswith((b">", b"->"), start + 4):  # <!--> and <!---> are whole comments
        return raw.index(b">", start) + 1
    end = raw.find(b"-->", start + 4)
    return len(raw) if end < 0 else end + 3


def _after_code(raw: bytes, start: int, name: bytes) -> int:
    if name.islower():
        end = raw.find(b"</" + name, start)
    else:
        found = re.compile(b"</" + name, re.I).search(raw, start)
        end = found.start() if found else -1
    close = raw.find(b">", end) if end >= 0 else -1
    return close + 1 if close >= 0 else len(raw)


def _shift(pieces: Sequence[tuple[int, int]]) -> tuple[Places, Places]:
    table = np.array(pieces, np.int64).reshape(-1, 2)
    start = np.cumsum(table[:, 1] - table[:, 0]) - (table[:, 1] - table[:, 0])
    return start, table[:, 0] - start


def _in_source(offsets: Places, shift: tuple[Places, Places]) -> Places:
    start, by = shift
    if not len(start):
        return offsets
    return offsets + by[np.searchsorted(start, offsets, side="right") - 1]


# --- tags and runs -------------------------------------------------------------------------------


def _bytes_where(characters: str) -> Bools:
    table = np.zeros(256, np.bool_)
    table[[ord(c) for c in characters]] = True
    return table


_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_STARTS_TAG = _bytes_where(_LETTERS + "/!?")
_ENDS_NAME = _bytes_where(" \t\n\f/>\0")

# A tag whose quotes must be read one by one. Possessive, so that it never tries twice.
_WHOLE_TAG = re.compile(
    rb"""<[/!?]?[^\s/>]*+(?:[^>=]++|=\s*+(?:"[^"]*+"|'[^']*+'|[^>\s"'][^>\s]*+)?+)*+>"""
)


def _tags(code: Bytes) -> tuple[Places, Places]:
    """Find all tags: `<` before a letter, `/`, `!` or `?`, to the first `>` outside quotes."""
    less, more, double, single = (code == ord(mark) for mark in "<>\"'")
    marks = np.flatnonzero(less | more | double | single)
    mark = code[marks]
    opening = np.flatnonzero((mark == ord("<")) & (marks < len(code) - 1))
    opening = opening[_STARTS_TAG[code[marks[opening] + 1]]]
    first = marks[opening]

    number = np.where(mark == ord(">"), np.arange(len(marks)), len(marks))
    closing = np.minimum.accumulate(number[::-1])[::-1][opening]  # the first ">" after each
    close = np.append(marks, len(code) - 1)[closing]
    doubles, singles = (
        count[closing] - count[opening]
        for quote in "\"'"
        for count in [np.cumsum(np.append(mark, 0) == ord(quote))]
    )
    # With one kind of quote and an even number of them, the ">" is outside.
    unsure = ((doubles | singles) & 1 == 1) | ((doubles > 0) & (singles > 0))
    at = 0
    for index in np.flatnonzero(unsure).tolist():
        if first[index] < at:
            continue
        whole = _WHOLE_TAG.match(code.data, int(first[index]))
        at = whole.end() if whole else len(code)
        close[index] = at - 1
    # A "<" inside another tag's quotes opens nothing.
    reached = np.concatenate(([-1], np.maximum.accumulate(close)[:-1]))[: len(first)]
    real = first > reached
    return first[real], close[real] + 1


def _anchors(code: Bytes, tag_first: Places) -> tuple[Bools, Bools]:
    """Tell which tags are `<a ...>` and which `</a>`."""
    padded = np.append(code, np.zeros(3, np.uint8))
    one, two, three = (padded[tag_first + ahead] for ahead in (1, 2, 3))
    opens = ((one | 32) == ord("a")) & _ENDS_NAME[two]
    closes = (one == ord("/")) & ((two | 32) == ord("a")) & _ENDS_NAME[three]
    return opens, closes


def _reflow(code: Bytes) -> tuple[Bools, Ints]:
    """Tell which characters are blank, and everyone's place when white space collapses."""
    blank = code <= ord(" ")
    keep = _starts_character(code)
    keep[1:] &= ~(blank[1:] & blank[:-1])  # the first white space after something solid stays
    place = np.zeros(len(code) + 1, np.int32)
    np.cumsum(keep, out=place[1:])
    return blank, place


@dataclass(frozen=True, slots=True, eq=False)
class _Runs:
    """The stretches between tags that are not blank."""

    first: Places
    last: Places
    begin: Places
    end: Places

    @classmethod
    def between(
        cls, code: Bytes, tags: tuple[Places, Places], cuts: Places, blank: Bools, place: Ints
    ) -> _Runs:
        """Find them; what was cut out of the source at `cuts` parts two runs as a tag does."""
        tag_first, tag_last = tags
        around = np.searchsorted(tag_first, cuts, side="right") - 1
        cuts = cuts[(around < 0) | (np.append(tag_last, 0)[around] <= cuts)]
        first = np.sort(np.concatenate(([0], tag_last, cuts)))
        last = np.sort(np.concatenate((tag_first, cuts, [len(code)])))
        some = last > first
        first, last = first[some], last[some]
        begin = place[first] + blank[first]
        end = place[last] - blank[last - 1]
        solid = end > begin
        first, last = first[solid], last[solid]
        return cls(first, last, begin[solid], end[solid])

    def has_reference(self, code: Bytes) -> Bools:
        """Tell which runs hold an "&": their text may be shorter than their source."""
        references = np.flatnonzero(code == ord("&"))
        before_first, before_last = np.searchsorted(references, [self.first, self.last])
        found: Bools = before_last > before_first
        return found


# --- from runs to rows ---------------------------------------------------------------------------


# So many runs (or those without references) agree in length: off by one run, hardly any would.
_ENOUGH = 0.9


def _by_order(page: Columns, solid: Places, runs: _Runs, code: Bytes) -> Places | None:
    """Pair runs and texts in order, if there are as many and their lengths agree."""
    if len(solid) != len(runs.first):
        return None
    chars = page.chars[page.text_rows[solid]]
    same = chars == runs.end - runs.begin
    if np.count_nonzero(same) < _ENOUGH * len(same):
        same = same[~runs.has_reference(code)]
    return solid if np.count_nonzero(same) >= _ENOUGH * len(same) else None


def _by_anchor(page: Columns, offsets: Ints, solid: Places, run_source: Places) -> Places:
    """Return for each run the index of its text row, -1 if it became none."""
    written = np.flatnonzero(offsets >= 0)
    # Elements that the parser made again (after misnested tags) stand where the first one does.
    starts, index = np.unique(offsets[written], return_index=True)
    anchors = written[index]
    is_anchor = np.zeros(len(page), np.bool_)
    is_anchor[anchors] = True
    latest = np.maximum.accumulate(np.where(is_anchor, np.arange(len(page)), -1))

    text_anchor = latest[page.text_rows[solid]]
    before = np.searchsorted(starts, run_source, side="right") - 1
    run_anchor = np.where(before >= 0, np.append(anchors, -1)[before], -1)

    many = max(len(solid), len(run_source)) + 1
    text_key = text_anchor * many + groups_rank(text_anchor)
    run_key = run_anchor * many + groups_rank(run_anchor)
    # Surplus runs (a stray tag split the text) belong to the last text after their anchor.
    found = np.searchsorted(text_key, run_key, side="right") - 1
    if not len(solid):
        return np.full(len(run_source), -1)
    right = (found >= 0) & (text_anchor[found] == run_anchor)
    return np.where(right, solid[found], -1)


# --- writing rows as source ----------------------------------------------------------------------


def write(
    page: Columns,
    texts: Sequence[str | None],
    attributes: Callable[[int], Mapping[str, str]],
) -> tuple[str, Ints]:
    """Write rows as HTML; also return the offset of each element's start tag (-1 for text)."""
    pieces: list[str] = []
    offsets = np.full(len(page), -1, np.int32)
    open_rows: list[int] = []
    at = 0
    text = iter(texts)

    def add(piece: str) -> None:
        nonlocal at
        pieces.append(piece)
        at += len(piece)

    for row in [*range(len(page)), len(page)]:
        while open_rows and page.end[open_rows[-1]] <= row:
            add(f"</{page.name(open_rows.pop())}>")
        if row == len(page):
            break
        if page.tag[row] == 0:
            add(escape(next(text) or "", quote=False))
            continue
        offsets[row] = at
        written = (f' {name}="{escape(value)}"' for name, value in attributes(row).items())
        add(f"<{page.name(row)}{''.join(written)}>")
        if not VOID[page.tag[row]]:
            open_rows.append(row)
    freeze(offsets)
    return "".join(pieces), offsets
