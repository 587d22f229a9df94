"""Posts in tables that name nothing: a row of two cells each, who wrote and what.

Boards of the old web write a post as a row, or as a table of its own, with the author in the first
cell and the text in the second. A table of data may look the same, so much is asked: rows of one
depth in the page; a first cell that begins with something like a name; a date with the time of the
day in nearly every record, as boards print it and tables of data do not; prose in the second cell;
and most of the page's words in all of them together. What the shape says is then noted as names
would be (`AUTHOR`, `BODY`), so the records are read like any others.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from thresher.metadata import dates
from thresher.page import Page
from thresher.page.array_types import Bools, Int64s
from thresher.page.tags import NUMBER
from thresher.structure.threads.page_index import Reading
from thresher.structure.threads.vocabulary import AUTHOR, BODY

BY_SHAPE = -1  # the sort of records that are told by the shape of their table

_MOST_SIDE = 60  # words of the author's cell: with rank, number of posts, place
_FEWEST_SAID = 4  # words of the other cell that are no links
_MOST_NAME, _LONGEST_NAME = 4, 30  # words and characters of a name
_LONGEST_TIME = 80  # characters of a text that tells when
_MOST_TEXTS = 40  # texts of a record that are looked at for it
_MOST_BLANK = 20  # texts before a name that may be blank
_CLOCK = re.compile(r"(?<!\d)\d{1,2}:\d{2}(?!\d)")
_LABEL = (":", "?", ".", "!")  # a name does not end so


def signed_rows(read: Reading) -> Int64s:
    """Return the first cells of rows that may be posts, in order."""
    page = read.page
    cells = (page.tag == NUMBER["td"]).nonzero()[0]
    rows, first, count = np.unique(page.parent.take(cells), return_index=True, return_counts=True)
    headed = np.unique(page.parent.take((page.tag == NUMBER["th"]).nonzero()[0]))
    fits = (count == 2) & ~np.isin(rows, headed)
    sides = cells.take(first[fits])
    words, free = read.words_in(sides), said_beside(read, sides)
    fits = (words > 0) & (words <= _MOST_SIDE) & (free >= _FEWEST_SAID)
    sides = sides[fits & ~read.under(read.beside, sides)]
    return np.array([row for row in sides.tolist() if _begins_with_name(page, row)], np.int64)


def said_beside(read: Reading, sides: Int64s) -> Int64s:
    """Count the words that are no links in what follows each cell in its row."""
    page = read.page
    ends = page.end.take(page.parent.take(sides))
    return read.free.take(ends) - read.free.take(page.end.take(sides))


def _begins_with_name(page: Page, cell: int) -> bool:
    """Whether the first text of a cell may be a name: short, with a letter, no label, no date."""
    name = _first_text(page, cell)
    if not any(map(str.isalpha, name)) or len(name) > _LONGEST_NAME or name.endswith(_LABEL):
        return False
    return len(name.split()) <= _MOST_NAME and not (_CLOCK.search(name) or _says_when(name))


def _first_text(page: Page, cell: int) -> str:
    """Return the first text of a cell in one line; "" if many blank ones come before it."""
    first, last = page.text_rows.searchsorted((cell, page.end[cell])).tolist()
    few = page.texts[first : min(last, first + _MOST_BLANK)]
    return next(filter(None, (" ".join((text or "").split()) for text in few)), "")


def stamped(page: Page, rows: Int64s, ends: Int64s) -> Bools:
    """Tell which records, given where they begin and end, have a date with the time of the day."""
    bounds = page.text_rows.searchsorted((rows, ends)).T.tolist()
    return np.array([_is_stamped(page, first, last) for first, last in bounds], np.bool_)


def _is_stamped(page: Page, first: int, last: int) -> bool:
    for place in range(first, min(last, first + _MOST_TEXTS)):
        text = " ".join((page.texts[place] or "").split())
        if len(text) <= _LONGEST_TIME and _CLOCK.search(text) and _says_when(text):
            return True
    return False


def clocks(page: Page) -> int:
    """Count the short texts of a page that tell the time of the day."""
    short = (text for text in page.texts if text and len(text) <= _LONGEST_TIME)
    return sum(_CLOCK.search(text) is not None for text in short)


def _says_when(text: str) -> bool:
    return bool(dates.to_iso(text)) or dates.is_dated(text)


def note(read: Reading, sides: Int64s) -> None:
    """Note the author and the text of posts where names would say them."""
    page = read.page
    cells = (page.tag == NUMBER["td"]).nonzero()[0]
    said = cells.take(cells.searchsorted(page.end.take(sides)))  # the next one, of the same row
    read.bits[said] |= BODY
    read.classes[said] = len(read.class_names)
    read.class_names.append("body")
    read.bits[sides] |= AUTHOR


def names(read: Reading, rows: Int64s) -> list[str]:
    """Return the author of each record: the text that its first cell with an author begins with."""
    page = read.page
    is_side = (page.tag == NUMBER["td"]) & ((read.bits & AUTHOR) != 0)
    sides = is_side.nonzero()[0]
    return [_first_text(page, row) for row in sides.take(sides.searchsorted(rows)).tolist()]


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """What the texts of such posts begin and end with that is no text of theirs."""

    is_text: Bools  # of each text asked about
    stamps: list[str]  # of each post the line that says when it was written, "" for none


def lines(page: Page, places: Int64s, bounds: list[int]) -> Lines:
    """Find the lines that say when posts were written, and signatures.

    `places` are those of the posts' texts among the page's, by post; `bounds` where each post
    begins, one more for the end. A line that says when is the first one, if half of the posts have
    it there.
    """
    texts = [" ".join((page.texts[place] or "").split()) for place in places.tolist()]
    spans = list(pairwise(bounds))
    sizes = [_stamp_size(texts[begin : min(end, begin + _STAMP_TEXTS)]) for begin, end in spans]
    often = 2 * sum(size > 0 for size in sizes) >= len(sizes)
    is_text, stamps = np.ones(len(places), np.bool_), [""] * len(sizes)
    for post, ((begin, end), size) in enumerate(zip(spans, sizes, strict=True)):
        after = begin + size if often and begin + size < end else begin  # some text has to remain
        stamps[post] = " ".join(texts[begin:after])
        is_text[begin:after] = False
        is_text[_signature(page, places[after:end], texts[after:end]) + after : end] = False
    return Lines(is_text, stamps)


def _stamp_size(texts: list[str]) -> int:
    """Return how many of the first texts of a post say when, 0 if they do not."""
    sizes = range(1, len(texts) + 1)
    return next((size for size in sizes if _is_stamp(" ".join(texts[:size]))), 0)


def _is_stamp(line: str) -> bool:
    """Tell whether a line is a date with the time of the day, after a few words at most."""
    if len(line) > _LONGEST_TIME or not _CLOCK.search(line):
        return False
    pieces = line.split()
    leads = range(min(len(pieces), _LEAD_WORDS))
    return any(dates.is_dated(" ".join(pieces[start:])) for start in leads)


def _signature(page: Page, places: Int64s, texts: list[str]) -> int:
    """Return from which text on there is a signature: after a line of dashes or underscores."""
    last = len(texts) - 1
    for place in range(1, len(texts)):
        text = texts[place]
        sign = _SIGNS.fullmatch(text) or (place == last and text.startswith("-- "))
        if sign and _begins_line(page, int(page.text_rows[places[place]])):
            words = sum(len(line.split()) for line in texts[place:])
            return place if words <= _MOST_SIDE else len(texts)
    return len(texts)


def _begins_line(page: Page, row: int) -> bool:
    is_break = int(page.tag[row - 1]) in (NUMBER["br"], NUMBER["hr"])
    block = int(page.blocks.of_text[page.text_rows.searchsorted(row)])
    return is_break or int(page.blocks.first[block]) == row


_STAMP_TEXTS = 3  # that may say when: "<b>Posted:</b> Mon ..."
_LEAD_WORDS = 4  # before a date: "Posted on", "Verfasst am:"
_SIGNS = re.compile(r"--|_{5,}")
