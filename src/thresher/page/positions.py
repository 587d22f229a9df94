"""Positions in the source: line, column and offset of rows, where their text ends, CSS paths."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache, partial
from html import unescape
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from thresher.page.array_types import AnyRows, Bools, Int64s, Rows
from thresher.page.arrays import freeze
from thresher.page.scan import SourceOffsets
from thresher.page.tags import LAST_ID
from thresher.page.words import is_white_space

if TYPE_CHECKING:
    from thresher.page.page import Page

_UNSAFE = re.compile(r"[^\w-]")  # must be escaped in a CSS name
# On very deep pages all paths would be long.
_MOST_STEPS = 64  # in a path
_LONGEST_NAME = 100  # characters; elements with longer names are `*`
_LONGEST_PATH, _SHORTEST_PATH = 2_000, 100  # characters that a path may always, or never, have
_MOST_CHARACTERS = 10_000_000  # of all paths together
_MANY, _MOST_LINES = 20_000, 1_000_000  # places, and lines of a source, that arrays are made for


class Position(NamedTuple):
    """Position of a row: line (from 1), column and offset (from 0) in `source`, and CSS path."""

    line: int
    column: int
    offset: int
    css_path: str  # of the row, or of the element that a text is in


class Place(NamedTuple):
    """A place in `source`: line (from 1), column and offset (from 0)."""

    line: int
    column: int
    offset: int


def positions_of(page: Page, rows: AnyRows) -> list[Position]:
    """Return the position of each of the rows.

    An element that the source only implies has the offset of the nearest row before it that is
    written. Reading the offsets of elements is slow, so texts do without them where they can.
    """
    offset = _offsets(page, rows)
    line, column = _lines_and_columns(page, offset)
    paths = css_paths(page, rows)
    return list(map(Position, line, column, offset.tolist(), paths))


class Spans(NamedTuple):
    """Where texts begin and end in `source`, one entry for each: see `Position` and `Place`."""

    line: Int64s
    column: Int64s
    offset: Int64s
    end_line: Int64s
    end_column: Int64s
    end_offset: Int64s
    css_path: list[str]


def spans_of(page: Page, first: AnyRows, last: AnyRows) -> Spans:
    """Return `positions_of(page, first)` and `ends_of(page, first, last)` together, as columns."""
    begin = _offsets(page, first)
    end = np.maximum(begin, page.cached(_Runs.of).after(page, first, last))
    offset = np.concatenate((begin, end)).astype(np.int64)
    places = _lines_and_columns(page, offset)
    line, column = (np.array(each, np.int64) for each in places)
    size = len(first)
    return Spans(
        line[:size], column[:size], offset[:size], line[size:], column[size:], offset[size:],
        css_paths(page, first),
    )  # fmt: skip


def _lines_and_columns(page: Page, offsets: AnyRows) -> tuple[list[int], list[int]]:
    """Return the line (from 1) and the column (from 0) of each offset in the source."""
    is_large = len(offsets) > _MANY and page.source.count("\n") < _MOST_LINES
    if is_large or len(offsets) < 2:  # one by one: the starts of all lines are kept for the next
        line = page.line_starts.searchsorted(offsets, side="right")
        return line.tolist(), (offsets - page.line_starts.take(line - 1)).tolist()
    source = page.source
    found: dict[int, tuple[int, int]] = {}
    number, start, before = 1, 0, 0  # of the last offset: its line, and where that begins
    for offset in np.unique(offsets).tolist():
        ends = source.count("\n", before, offset)
        if ends:
            number += ends
            start = source.rfind("\n", before, offset) + 1
        found[offset] = number, offset - start
        before = offset
    places = [found[offset] for offset in offsets.tolist()]
    return [line for line, _ in places], [column for _, column in places]


def _offsets(page: Page, rows: AnyRows) -> AnyRows:
    """Return the offset in the source of each of the rows; see `positions_of`."""
    found = page.cached(_FirstRuns.of).offsets(page, rows)
    return page.row_offsets.take(rows) if (found < 0).any() else found


@dataclass(frozen=True, slots=True, eq=False)
class _FirstRuns:
    """The first run in the source of each text row, -1 if it has none."""

    run: Int64s

    @classmethod
    def of(cls, page: Page) -> _FirstRuns:
        run_text = page.scan.run_text
        known = (run_text >= 0).nonzero()[0][::-1]  # reversed: the first run of a text is set last
        run = np.full(len(page.text_rows) + 1, -1, np.int64)  # the last entry is for no text
        run[run_text[known]] = known
        return cls(run)

    def offsets(self, page: Page, rows: AnyRows) -> Int64s:
        """Return the offset of each of the rows that is a text with a run, -1 for the others."""
        text = page.text_rows.searchsorted(rows)
        text = np.where(page.tag.take(rows) == 0, text, len(page.text_rows))
        run = self.run.take(text)
        found = np.full(len(rows), -1, np.int64)
        known = (run >= 0).nonzero()[0]
        found[known] = _run_offsets(page, run[known])[0]
        return found


def _run_offsets(page: Page, runs: Int64s) -> tuple[Int64s, Int64s]:
    """Return where the text of each run begins and ends in the source."""
    return page.cached(_source_offsets).of_runs(page.scan, runs)


def _source_offsets(page: Page) -> SourceOffsets:
    return SourceOffsets.of(page.scan)


def place_at(page: Page, offsets: AnyRows) -> list[Place]:
    """Return the places at the given offsets of the source."""
    line, column = _lines_and_columns(page, offsets)
    return list(map(Place, line, column, offsets.tolist()))


def ends_of(page: Page, first: AnyRows, last: AnyRows) -> list[Place]:
    """Return where the text that begins at each row of `first` ends, with `last` as its last row.

    The end is one past the last character, so that the source from `position(first).offset` to it
    holds the text of both rows and of those between them, with the tags between. Both rows are
    rows of text that are not blank. Two cases differ, on pages with errors in their markup:

    - where the parser changed the order of texts (text in a table moves before it), the end is
      that of the last text up to which tree and source have the same order, so that it never
      comes after other text;
    - a text whose place in the source is not known ends where it begins.
    """
    return place_at(page, _end_offsets(page, first, last))


def _end_offsets(page: Page, first: AnyRows, last: AnyRows) -> Int64s:
    """Return the offset at which each text ends; see `ends_of`."""
    return np.maximum(_offsets(page, first), page.cached(_Runs.of).after(page, first, last))


def span_offsets(
    page: Page, first: AnyRows, first_solid: AnyRows, last: AnyRows, last_solid: AnyRows
) -> tuple[Int64s, Int64s]:
    """Return the offsets in the source at which stretches of text begin and end.

    A stretch goes from a character of the text row `first` to one of the row `last`, both included.
    They are given as numbers, from 0, among the characters of the row that are not white space; -1
    is the last one. The end is one past the character, or past the reference that stands for it
    (`&amp;`). The limits of `ends_of` hold too. Where a text and its source do not agree, a stretch
    begins and ends with its rows.
    """
    begin = _offsets(page, first).astype(np.int64)
    end = _end_offsets(page, np.minimum(_next_known(page, first), last), last)
    runs = page.cached(_Runs.of)
    offsets = lru_cache(maxsize=2)(partial(runs.solid_offsets, page))  # rows come in order
    inner = (last_solid >= 0).nonzero()[0]
    inner = inner[end[inner] == _end_offsets(page, last[inner], last[inner])]  # in order
    ends_inside = set(inner.tolist())
    for number in np.union1d((first_solid > 0).nonzero()[0], inner).tolist():
        if first_solid[number] > 0 and (known := offsets(int(first[number]))):
            begin[number] = known[0][first_solid[number]]
        if number in ends_inside and (known := offsets(int(last[number]))):
            end[number] = known[1][last_solid[number]]
    return begin, np.maximum(begin, end)


def _next_known(page: Page, rows: AnyRows) -> AnyRows:
    """Return the first text row from each of `rows` on whose place in the source is known."""
    known = (page.text_offsets >= 0).nonzero()[0]
    return np.append(known, len(page)).take(known.searchsorted(rows))


@dataclass(frozen=True, slots=True, eq=False)
class _Runs:
    """The runs of text in the source whose text row is known, in the order of the source.

    A stretch is a series of runs whose texts are in the same order in the tree.
    """

    stretch: Int64s
    text: Int64s  # index of the run's text row among the text rows
    run: Int64s  # its number among all runs of the source
    first: Int64s  # of each text row: its first run, -1 if it has none
    order: Rows  # the runs in the order of their texts

    @classmethod
    def of(cls, page: Page) -> _Runs:
        run_text = page.scan.run_text
        known = (run_text >= 0).nonzero()[0]
        known = known[_holds_runs(page, run_text[known], known)]
        text = run_text.take(known)
        stretch = np.zeros(len(text), np.int64)
        np.less(text[1:], text[:-1]).cumsum(out=stretch[1:])
        first = np.full(len(page.text_rows), -1, np.int64)
        first[text[::-1]] = np.arange(len(text))[::-1]  # the first run of a text is set last
        return cls(stretch, text, known, first, text.argsort(kind="stable"))

    def after(self, page: Page, first: AnyRows, last: AnyRows) -> Int64s:
        """Return the offset at which each text ends, -1 if it has no run; see `ends_of`."""
        found = np.full(len(first), -1, np.int64)
        run = self.first.take(page.text_rows.searchsorted(first), mode="clip")
        has_run = (run >= 0).nonzero()[0]
        many = len(page.text_rows) + 1
        key = self.stretch * many + self.text  # in order: a new stretch where texts are not
        last_text = page.text_rows.searchsorted(last[has_run])
        wanted = self.stretch.take(run[has_run]) * many + last_text
        last_run = self.run.take(key.searchsorted(wanted, side="right") - 1)
        found[has_run] = _run_offsets(page, last_run)[1]
        return found

    def solid_offsets(self, page: Page, row: int) -> tuple[Int64s, Int64s] | None:
        """Return where each character of a text row begins and ends in the source.

        White space is left out. None if the runs of the row do not hold its text.
        """
        number = int(page.text_rows.searchsorted(row))
        first, last = self.text.searchsorted((number, number + 1), sorter=self.order)
        characters: list[str] = []
        begins: list[Int64s] = []
        ends: list[Int64s] = []
        start, stop = _run_offsets(page, self.run.take(self.order[first:last]))
        for offset, last_offset in zip(start.tolist(), stop.tolist(), strict=True):
            text, begin, end = _unescaped(page.source[offset:last_offset])
            characters.append(text)
            begins.append(begin + offset)
            ends.append(end + offset)
        text = "".join(characters)
        if _compact(text) != _compact(page.texts[number]):
            return None
        solid = ~is_white_space(text)
        return np.concatenate(begins)[solid], np.concatenate(ends)[solid]


# A reference of a character in a source, such as &amp; or &#38;, as `html.unescape` finds them.
_REFERENCE = re.compile(r"&(?:#[0-9]+;?|#[xX][0-9a-fA-F]+;?|[^\t\n\f <&#;]{1,32};?)")


def _unescaped(source: str) -> tuple[str, Int64s, Int64s]:
    """Return the text of a piece of source, and where each character begins and ends in it."""
    begin = np.arange(len(source), dtype=np.int64)
    end = begin + 1
    size = np.ones(len(source), np.int64)  # characters of the text that begin at each place
    pieces: list[str] = []
    at = 0
    for found in _REFERENCE.finditer(source):
        text = unescape(found[0])
        # "&amp.html" is a reference and five characters that stand for themselves.
        pairs = enumerate(zip(reversed(text), reversed(found[0]), strict=False))
        same = next((at for at, (a, b) in pairs if a != b), len(text))
        same = 0 if same == len(text) < len(found[0]) else same
        first, last = found.start(), found.end() - same
        pieces += (source[at:first], text)
        size[first:last] = 0
        if last > first:
            size[first], end[first] = len(text) - same, last
        at = found.end()
    return "".join((*pieces, source[at:])), begin.repeat(size), end.repeat(size)


def _holds_runs(page: Page, text: Int64s, runs: Int64s) -> Bools:
    """Return one bool per run: False for a run that is not part of its text.

    Stray tags cut a text into several runs. A run that follows them may also be text that the
    parser moved elsewhere, so all runs of such a text are compared with it, in order.
    """
    found = np.ones(len(text), np.bool_)
    several = (np.bincount(text, minlength=1) > 1).take(text).nonzero()[0]
    if not len(several):
        return found
    compared: dict[int, tuple[str, int]] = {}  # each text, and the number of characters found
    start, end = (bound.tolist() for bound in _run_offsets(page, runs.take(several)))
    for place, run in enumerate(several.tolist()):  # few runs: most texts have one
        number = int(text[run])
        whole, at = compared.get(number) or (_compact(page.texts[number]), 0)
        piece = _compact(unescape(page.source[start[place] : end[place]]))
        found[run] = whole.startswith(piece, at)
        compared[number] = whole, at + len(piece) * bool(found[run])
    return found


def _compact(text: str) -> str:
    """Return a text without white space."""
    return "".join(text.split())


def css_paths(page: Page, rows: AnyRows) -> list[str]:
    """Return a CSS selector for each of the rows, for a text that of its parent.

    It has one step for the element and each ancestor, the nearest 64: the element's name, with
    `:nth-of-type` if siblings have the same name. Many paths have fewer steps if they would
    together be longer than 10 million characters.
    """
    while page.base is not None:
        page, rows = page.base, page.origin.take(rows)
    elements = np.where(page.tag.take(rows) != 0, rows, page.parent.take(rows)).tolist()
    above = _ancestors_or_self(page, elements)
    if len(rows) < 2:  # one by one: the places of all elements are kept for the next one
        number, count = page.cached(_all_places)
    else:
        parents = np.zeros(len(page), np.bool_)
        parents[page.parent.take(above[1:])] = True
        number, count = _places_among_siblings(page, parents)
    tags = page.tag.take(above)
    names = {tag: _css_name(page.names[tag]) for tag in np.unique(tags).tolist()}
    longest = max(_SHORTEST_PATH, min(_LONGEST_PATH, _MOST_CHARACTERS // max(len(rows), 1)))
    columns = (page.parent, page.level, number, count)
    facts = zip(above, tags.tolist(), *(each.take(above).tolist() for each in columns), strict=True)
    paths: dict[int, str] = {}
    for row, tag, up, level, place, siblings in facts:  # parents come first
        step = f"{names[tag]}:nth-of-type({place})" if siblings > 1 else names[tag]
        path = f"{paths[up]} > {step}" if row else step
        if level >= _MOST_STEPS or len(path) > longest:
            path = path.split(" > ", 1)[-1]
            while len(path) > longest and " > " in path:
                path = path.split(" > ", 1)[1]
        paths[row] = path
    return list(map(paths.__getitem__, elements))


def _css_name(name: str) -> str:
    return _UNSAFE.sub(r"\\\g<0>", name) if len(name) <= _LONGEST_NAME else "*"


def _ancestors_or_self(page: Page, elements: list[int]) -> list[int]:
    """Return the rows of the elements and of those around them, in order."""
    found: set[int] = set()
    for row in elements:
        while row >= 0 and row not in found:
            found.add(row)
            row = page.parent.item(row)
    return sorted(found)


def _all_places(page: Page) -> tuple[Rows, Rows]:
    return _places_among_siblings(page, np.ones(len(page), np.bool_))


def _places_among_siblings(page: Page, parents: Bools) -> tuple[Rows, Rows]:
    """Return the places, from 1, of elements among siblings of the same name, and their numbers.

    Both arrays have one entry per row; 0 for texts, and for elements whose parent is not one of
    `parents` (one bool per row). The root has its place.
    """
    is_wanted = parents.take(np.maximum(page.parent, 0))
    is_wanted[:1] = True
    elements = ((page.tag != 0) & is_wanted).nonzero()[0]
    key = page.parent.take(elements) * np.int64(LAST_ID + 1) + page.tag.take(elements)
    order = key.argsort(kind="stable")
    elements, key = elements[order], key[order]
    first = key.searchsorted(key)
    number, count = np.zeros(len(page), np.intp), np.zeros(len(page), np.intp)
    number[elements] = np.arange(1, len(key) + 1) - first
    count[elements] = key.searchsorted(key, side="right") - first
    freeze(number, count)
    return number, count
