"""Passages: the main content in pieces of limited length, for search and question answering.

The content is first divided into sections: a heading (`h1` to `h6`) begins one. A passage never
crosses the border of a section. Within a section it is made of units that are never divided:

    sentence    of a paragraph; see `thresher.page.sentences`. A stretch of over 100 words without
                the end of a sentence is taken for lines, and each of its line breaks ends a unit
    list item   with all that is in it, if it is no longer than a passage and has no heading inside
    table       that holds data, or a block of code (`pre`), however long
    heading     together with the unit after it

A section with no more than `words` words is one passage. A longer one is divided into as few
passages as it needs, of about the same length, preferably between paragraphs. A unit longer than
`words` is a passage of its own. A passage with less than a tenth of `words` is joined to a
neighbour in its section, so a passage may have up to a fifth more than `words`.

The texts of the passages, one after the other, are the plain text of the content: each of its
words is in one passage. A heading is in the text of the first passage below it, and in the heading
path of all passages of its section. Headings that follow each other without text between them, each
deeper than the one before, begin one section; other headings without text are collected in passages
of their own. The heading path begins with the title of the page, unless one of its headings is that
title.

References: Callan 1994, "Passage-level evidence in document retrieval", for passages that respect
the structure of the text and have a bounded length; the thesis, section 6.4, for the use of main
content in question answering (it gives no method).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from thresher.errors import UsageError
from thresher.metadata.excerpt import letters_and_digits
from thresher.page import Page, Place, Position, Selection
from thresher.page.array_types import Bools, Int32s, Int64s, Rows
from thresher.page.arrays import innermost, inside, subtree_sums
from thresher.page.plain_text import TextPlaces, data_tables, place_texts
from thresher.page.plain_text.gaps import BREAK, LINE, PARAGRAPH
from thresher.page.positions import css_paths, place_at, span_offsets
from thresher.page.sentences import sentence_starts
from thresher.page.tags import NUMBER, lookup
from thresher.page.words import collapsed, non_ascii, word_starts
from thresher.page.words import words as split_words

_TINY = 0.1  # share of `words`: a passage with less is joined to a neighbour
_LONGEST_SENTENCE = 100  # words; a longer stretch may be divided at its line breaks
_LONGEST_HEADING = 50  # words; a longer one is text, as after an `<h2>` that is never closed
_SHORTEST = 0.75  # share of the ideal length at which passages may end, if there is a choice
_DISTANCE = 4.0  # what it costs to end one ideal length away, where a better border gains 1

# How good a place is for a passage to end: the stronger, the better.
_WEAK, _SENTENCE, _LINE, _PARAGRAPH = range(4)

_CODE = lookup("pre listing xmp plaintext textarea")
_ITEM = lookup("li dd dt")
_HEADINGS = lookup("h1 h2 h3 h4 h5 h6")


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of the main content."""

    number: int  # from 0, in the order of the page
    headings: tuple[str, ...]  # above it, the outermost first
    text: str  # as in the plain text of the content
    words: int  # of the text, as `thresher.page.words` counts
    row: int  # of its first text
    last_row: int  # of its last text
    position: Position  # where it begins in the source of the page
    end: Place  # where it ends in the source: one past its last character

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain data, ready for JSON."""
        return {
            "number": self.number,
            "headings": list(self.headings),
            "text": self.text,
            "words": self.words,
            "line": self.position.line,
            "column": self.position.column,
            "offset": self.position.offset,
            "end_line": self.end.line,
            "end_column": self.end.column,
            "end_offset": self.end.offset,
            "css_path": self.position.css_path,
        }


def passages(
    content: Selection,
    *,
    title: str = "",
    headline_row: int = -1,
    words: int = 200,
    overlap: int = 0,
) -> list[Passage]:
    """Divide the content of a page into passages of at most about `words` words.

    `title` is the title of the page and `headline_row` the row of the heading that holds it, -1 if
    there is none. With `overlap`, a passage also begins with the last units of the one before it in
    its section, up to that many words; it still has about `words` words in all.
    """
    check_lengths(words, overlap)
    page = content.page
    places = place_texts(page, content.keep)
    if places is None:
        return []
    units, sections = _sections(_Units.of(page, places, words - overlap), title, headline_row)
    spans: list[_Span] = []
    for section in sections:
        for first, last in pairwise(_divide(units, section, words - overlap)):
            least = units.before[first] - overlap
            begin = max(int(units.before.searchsorted(least)), section.first)
            spans.append(_Span(int(units.start[begin]), int(units.start[last]), section.path))
    found = _write(page, places, spans)
    return found if content.characters == "all" else _without_ascii(found)


def check_lengths(words: int, overlap: int) -> None:
    """Raise `UsageError` if passages cannot have these lengths."""
    for name, value, least in (("words", words, 1), ("overlap", overlap, 0)):
        given: object = value
        if not isinstance(given, int) or isinstance(given, bool) or given < least:
            raise UsageError(f"{name} is {value!r}: give a whole number from {least} on.")
    if overlap > words / 2:
        raise UsageError(f"overlap is {overlap}: give at most half of words, {words // 2}.")


# --- units ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class _Heading:
    """A heading of the content."""

    unit: int  # number of its unit
    level: int  # 1 to 6
    text: str  # on one line
    row: int  # of its element
    end: int  # first row after it


@dataclass(frozen=True, slots=True, eq=False)
class _Units:
    """The pieces of a plain text that are never divided, in order."""

    start: Rows  # where each begins in the text; one more for the end of the text
    before: Int64s  # words before each; one more for the end of the text
    strength: Rows  # of the border before each
    headings: list[_Heading]

    def __len__(self) -> int:
        """Return the number of units."""
        return len(self.strength)

    def only(self, kept: Bools) -> _Units:
        """Return these units without headings; the others are joined to the one before them."""
        with_end = np.append(kept, True)
        return _Units(self.start[with_end], self.before[with_end], self.strength[kept], [])

    @classmethod
    def of(cls, page: Page, places: TextPlaces, longest: int) -> _Units:
        """Divide a plain text; items of lists with up to `longest` words stay whole."""
        word = word_starts(places.text)
        rows = page.text_rows.take(places.index)
        wholes = _Wholes.of(page, places, rows, word, longest)
        start, strength = _borders(places, wholes, word)
        before = word.searchsorted(np.append(start, len(places.text)))
        # A unit without words (a row of stars) goes to the one before it, the first to the next.
        some = np.diff(before) > 0
        kept = some.nonzero()[0] if some.any() else np.zeros(1, np.intp)
        start, strength, before = start[kept], strength[kept], before[np.append(kept, len(some))]
        start[0] = 0
        start = np.append(start, len(places.text))
        begins, ends = places.begins, places.ends
        headings = [
            _Heading(
                unit=int(start.searchsorted(begins[first], side="right")) - 1,
                level=int(page.name(row)[1]),
                text=collapsed(places.text[begins[first] : ends[last]]),
                row=row,
                end=int(page.end[row]),
            )
            for row, first, last in wholes.headings
        ]
        return cls(start, before, strength, headings)


class _Group(NamedTuple):
    """An element of the page and its first and last written text."""

    row: int
    first: int
    last: int


@dataclass(frozen=True, slots=True, eq=False)
class _Wholes:
    """The texts that belong together: those of one table, code block, heading or list item."""

    of_text: Rows  # row of the element that is not divided, -1 for a text outside of all
    is_term: Bools  # of each text: in a `dt`, which explains what follows
    headings: list[_Group]

    @classmethod
    def of(
        cls, page: Page, places: TextPlaces, rows: Int32s, word: Int64s, longest: int
    ) -> _Wholes:
        solid = _outermost(page, data_tables(page) | _CODE.take(page.tag))
        is_heading = _HEADINGS.take(page.tag) & ~inside(solid, page.end)
        headings, sizes = _groups(page, places, rows, word, _outermost(page, is_heading))
        headings = [
            group
            for group, size in zip(headings, sizes, strict=True)
            if 0 < size <= _LONGEST_HEADING
        ]
        is_heading = np.zeros(len(page), np.bool_)
        is_heading[[group.row for group in headings]] = True

        items = _ITEM.take(page.tag) & (subtree_sums(is_heading, page.end) == 0)
        groups, sizes = _groups(page, places, rows, word, items)
        short = np.zeros(len(page), np.bool_)
        short[[group.row for group, size in zip(groups, sizes, strict=True) if size <= longest]] = (
            True
        )
        whole = _outermost(page, solid | is_heading | short)
        terms = (page.tag == NUMBER["dt"]).nonzero()[0]
        return cls(
            innermost(whole.nonzero()[0], page.end, rows),
            innermost(terms, page.end, rows) >= 0,
            headings,
        )


def _outermost(page: Page, mask: Bools) -> Bools:
    """Return the rows of a mask that are not inside another row of it."""
    around = inside(mask, page.end)
    found: Bools = mask & ~(around[np.maximum(page.parent, 0)] & (page.parent >= 0))
    return found


def _groups(
    page: Page, places: TextPlaces, rows: Int32s, word: Int64s, mask: Bools
) -> tuple[list[_Group], list[int]]:
    """Return the elements of a mask that hold written text, and their numbers of words."""
    elements = mask.nonzero()[0]
    first, after = rows.searchsorted(elements), rows.searchsorted(page.end.take(elements))
    some = after > first
    elements, first, last = elements[some], first[some], after[some] - 1
    begin, end = places.begins.take(first), places.ends.take(last)
    size = word.searchsorted(end) - word.searchsorted(begin)
    return list(map(_Group, elements.tolist(), first.tolist(), last.tolist())), size.tolist()


def _borders(places: TextPlaces, wholes: _Wholes, word: Int64s) -> tuple[Rows, Rows]:
    """Return where the units of a plain text begin, and the strength of the border before each."""
    text, gap, whole = places.text, places.gap, wholes.of_text
    begins, ends = places.begins, places.ends
    is_new = np.ones(len(whole), np.bool_)  # begins a block: a paragraph, a table, an item, ...
    is_new[1:] = (gap[1:] == LINE) | (gap[1:] == PARAGRAPH)
    is_new[1:] = np.where(whole[1:] == whole[:-1], is_new[1:] & (whole[1:] < 0), True)
    blocks = is_new.nonzero()[0]
    last = np.append(blocks[1:], len(whole)) - 1
    starts, strengths = [0], [_PARAGRAPH]
    columns = (blocks, begins.take(blocks), ends.take(last), gap.take(blocks))
    for index, begin, end, level in zip(*(column.tolist() for column in columns), strict=True):
        if index:
            is_line = level in (BREAK, LINE, PARAGRAPH)
            # A line begins with marks and indentation, which are before the text.
            start = text.rfind("\n", 0, begin) + 1 if is_line else begin
            starts.append(start)
            introduced = bool(wholes.is_term[index - 1]) or text[ends[index - 1] - 1] in ":："
            strong = _PARAGRAPH if level == PARAGRAPH else _LINE if is_line else _SENTENCE
            strengths.append(_WEAK if introduced else strong)
        if whole[index] < 0:
            inner = [begin + place for place in sentence_starts(text[begin:end])]
            inner = _with_line_breaks(text, begin, end, inner, word)
            starts += inner
            strengths += [_SENTENCE] * len(inner)
    return np.array(starts, np.intp), np.array(strengths, np.intp)


def _with_line_breaks(text: str, begin: int, end: int, inner: list[int], word: Int64s) -> list[int]:
    """Add the line breaks of stretches without the end of a sentence for very many words."""
    if word.searchsorted(end) - word.searchsorted(begin) <= _LONGEST_SENTENCE:
        return inner
    found: list[int] = []
    for first, last in pairwise([begin, *inner, end]):
        if first > begin:
            found.append(first)
        if word.searchsorted(last) - word.searchsorted(first) > _LONGEST_SENTENCE:
            lines = text[first:last].rstrip().split("\n")
            ends = np.cumsum([len(line) + 1 for line in lines[:-1]]) + first
            found += ends.tolist()
    return found


# --- sections ------------------------------------------------------------------------------------


class _Section(NamedTuple):
    """Units under the same headings: `first` to `last - 1`."""

    first: int
    last: int
    path: tuple[str, ...]


def _sections(units: _Units, title: str, headline_row: int) -> tuple[_Units, list[_Section]]:
    """Return the sections, and the units with each heading joined to the unit after it."""
    paths = _paths(units.headings, title, headline_row)
    chains: list[list[int]] = []  # headings that begin a section together
    for number, heading in enumerate(units.headings):
        before = units.headings[number - 1] if number else None
        if before and heading.unit == before.unit + 1 and heading.level > before.level:
            chains[-1].append(number)
        else:
            chains.append([number])
    begins = [units.headings[chain[0]].unit for chain in chains]
    is_joined = np.zeros(len(units), np.bool_)  # to the unit before it
    opening = (title,) if title else ()
    found = [_Section(0, begins[0] if begins else len(units), opening)]
    after_empty = False
    for chain, first, last in zip(chains, begins, [*begins, len(units)][1:], strict=True):
        is_empty = last - first == len(chain)  # only headings
        path = paths[chain[-1]]
        if is_empty:
            path = paths[chain[0]]  # all that the headings of the chain have in common
        else:
            is_joined[first + 1 : first + len(chain) + 1] = True
        if is_empty and after_empty:
            path = _common_start(found[-1].path, path)
            found[-1] = _Section(found[-1].first, last, path)
        else:
            found.append(_Section(first, last, path))
        after_empty = is_empty
    kept = ~is_joined
    number_of = np.append(0, kept.cumsum())  # units kept before each
    sections = [
        _Section(int(number_of[first]), int(number_of[last]), path)
        for first, last, path in found
        if last > first
    ]
    return units.only(kept), sections


def _common_start(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    """Return the headings with which both paths begin."""
    pairs = enumerate(zip(one, other, strict=False))
    size = next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))
    return one[:size]


def _paths(headings: Sequence[_Heading], title: str, headline_row: int) -> list[tuple[str, ...]]:
    """Return the heading path of the section of each heading."""
    letters = letters_and_digits(title)
    stack: list[tuple[int, str, bool]] = []  # level, text, whether it is the title
    found: list[tuple[str, ...]] = []
    for heading in headings:
        while stack and stack[-1][0] >= heading.level:
            stack.pop()
        is_title = heading.row <= headline_row < heading.end
        is_title = is_title or letters_and_digits(heading.text) == letters
        stack.append((heading.level, heading.text, is_title))
        path = tuple(text for _, text, _ in stack)
        has_title = not title or any(each for _, _, each in stack)
        found.append(path if has_title else (title, *path))
    return found


# --- passages ------------------------------------------------------------------------------------


def _divide(units: _Units, section: _Section, words: int) -> list[int]:
    """Return the units at which the passages of a section begin, and one past its last unit."""
    size = np.diff(units.before[section.first : section.last + 1])
    long = ((size > words).nonzero()[0] + section.first).tolist()
    bounds = [section.first]
    for stop in [*long, section.last]:
        while bounds[-1] < stop:
            bounds.append(_end(units, bounds[-1], stop, words))
        if stop < section.last:
            bounds.append(stop + 1)  # a long unit is a passage
    return _without_tiny(units.before, bounds, words)


def _end(units: _Units, first: int, last: int, words: int) -> int:
    """Return where the passage that begins with unit `first` ends: one past its last unit.

    The units up to `last - 1` are to be divided. The ideal passage has an equal share of them.
    """
    before = int(units.before[first])
    left = int(units.before[last]) - before
    if left <= words:
        return last
    ideal = left / -(-left // words)
    least = int(units.before.searchsorted(before + _SHORTEST * ideal))
    most = int(units.before.searchsorted(before + words, side="right")) - 1
    if least >= most:
        return max(most, first + 1)
    size = units.before[least : most + 1] - before
    score = units.strength[least : most + 1] - _DISTANCE * abs(size / ideal - 1)
    return least + int(score.argmax())


def _without_tiny(before: Int64s, bounds: Sequence[int], words: int) -> list[int]:
    """Return the bounds without those that make a tiny passage; it goes to a shorter neighbour."""
    size = np.diff(before.take(bounds)).tolist()
    found = [bounds[0]]  # where each passage begins
    sizes: list[int] = []  # of the passages found
    held = 0  # words of a tiny passage that begins at found[-1]
    for number, own in enumerate(size):
        total = own + held
        following = size[number + 1] if number + 1 < len(size) else None
        is_tiny = total < _TINY * words
        held = 0
        if is_tiny and sizes and (following is None or sizes[-1] <= following):
            sizes[-1] += total
            found[-1] = bounds[number + 1]
        elif is_tiny and following is not None:
            held = total
        else:
            sizes.append(total)
            found.append(bounds[number + 1])
    return found


class _Span(NamedTuple):
    """A stretch of the plain text that is a passage, and its heading path."""

    begin: int
    end: int
    path: tuple[str, ...]


def _write(page: Page, places: TextPlaces, spans: Sequence[_Span]) -> list[Passage]:
    """Return the passages of the given stretches, with their places in the source."""
    bounds = np.array([(span.begin, span.end) for span in spans], np.intp)
    begin, last_solid = places.solid.searchsorted(bounds.T)
    last_solid -= 1
    first_text = (places.first + places.size).searchsorted(begin, side="right")
    last_text = places.first.searchsorted(last_solid, side="right") - 1
    first = page.text_rows.take(places.index.take(first_text))
    last = page.text_rows.take(places.index.take(last_text))
    # A passage may begin with the mark of a list item, which no text row holds.
    inner_first = np.maximum(begin - places.first.take(first_text), 0)
    inner_last = last_solid - places.first.take(last_text)
    inner_last[inner_last == places.size.take(last_text) - 1] = -1
    source_begin, source_end = span_offsets(page, first, inner_first, last, inner_last)
    ends = places.solid.take(last_solid) + 1
    columns = zip(
        spans,
        ends.tolist(),
        first.tolist(),
        last.tolist(),
        place_at(page, source_begin),
        css_paths(page, first),
        place_at(page, source_end),
        strict=True,
    )
    found: list[Passage] = []
    for span, text_end, row, last_row, place, css_path, source in columns:
        text = places.text[span.begin : text_end]
        found.append(
            Passage(
                number=len(found),
                headings=span.path,
                text=text,
                words=len(split_words(text)),
                row=row,
                last_row=last_row,
                position=Position(place.line, place.column, place.offset, css_path),
                end=source,
            )
        )
    return found


def _without_ascii(found: Sequence[Passage]) -> list[Passage]:
    """Return the passages with the characters that are not ASCII, without empty ones."""
    texts = [(passage, non_ascii(passage.text)) for passage in found]
    return [
        replace(passage, number=number, text=text, words=len(split_words(text)))
        for number, (passage, text) in enumerate(pair for pair in texts if pair[1])
    ]
