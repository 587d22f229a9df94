"""Posts without record names, found at their authors or by the shape of tables.

At authors: of the element around all of them, each child that holds an author begins a record,
which lasts to the next such child. So a record may be one element or several in a row (`dt` with
`dd`, two rows of a table).

In tables without class names: old boards write a post as a row, or as a table of its own, with the
author in the first cell and the text in the second. A data table may look the same, so the
conditions are strict: rows at one depth in the page; a first cell that begins with something like a
name; a date with the time of day in nearly every record, as boards print it and data tables do not;
prose in the second cell; and most of the page's words in all of them together. The cells then get
the bits that class names would give them (`AUTHOR`, `BODY`), so the records are read like any
others.
"""

from __future__ import annotations

import re
from itertools import pairwise
from statistics import median
from typing import NamedTuple

import numpy as np

from thresher.metadata import dates
from thresher.page import Page
from thresher.page.array_types import Bools, Int64s
from thresher.page.tags import CELL, NUMBER
from thresher.page.words import collapsed
from thresher.structure.threads.index_pages import are_entries, follow_article
from thresher.structure.threads.page_facts import (
    PageFacts,
    collapsed_texts,
    read_names_under,
    texts_under,
)
from thresher.structure.threads.spans import Spans
from thresher.structure.threads.vocabulary import AREA, AUTHOR, BODY

_FEWEST_AUTHORS = 3
_MOST_PLACES = 16  # kinds of places where authors may be that are tried
_MEDIAN_WORDS = 12  # least median of the words of posts outside of an area of comments
_PAGE_SHARE = 0.5  # least share of the page's words that are in posts, if posts have dates
_UNDATED_PAGE_SHARE = 0.8  # least share of the page's words that are in posts without dates
_UNLINKED_SHARE = 0.6  # least share of the posts' words that are not in links
_STAMPED_SHARE = 0.8  # least share of records that have a date and a time of day
_TIMED_SHARE = 0.7  # least share of posts that have a time, if posts count as dated
_MOST_AUTHOR_WORDS = 5  # words of the name of an author
_AREA_WORDS = 25  # least words of an area that may hold posts; shorter ones are headings and forms
_AREA_POST_WORDS = 6  # least median of the words of posts in an area of comments
_LONGEST_STAMP = 80  # characters of a text that is a date
_MOST_TEXTS = 40  # of a record that are searched for a date with a time of day
_TIME_OF_DAY = re.compile(r"(?<!\d)\d{1,2}:\d{2}(?!\d)")


def may_have_author_cuts(facts: PageFacts) -> bool:
    """Return whether a page may have posts between authors, from what has been read so far.

    True for an area of comments, several boxes named for authors, or a page that is mostly hidden:
    a copy for browsers without scripts, as of forums that are drawn by a script.
    """
    bits = facts.bits[facts.candidates]
    areas = facts.candidates[(bits & AREA) != 0]
    return bool(
        (facts.unlinked_in(areas) >= _AREA_WORDS).any()
        or np.count_nonzero(bits & AUTHOR) >= _FEWEST_AUTHORS
        or 2 * int(facts.page.words[facts.page.hidden].sum()) > int(facts.words[-1])
    )


def posts_at_authors(facts: PageFacts) -> Spans:
    """Return the posts that begin with authors in like places; of several, those with most words.

    Authors are in like places if they have the same tag and depth, and are all inside or all
    outside of areas of comments. The commonest places are tried first.
    """
    page = facts.page
    read_names_under(facts, np.zeros(1, np.int64))
    rows = facts.rows_with(AUTHOR)
    words = facts.words_in(rows)
    fits = (words > 0) & (words <= _MOST_AUTHOR_WORDS) & ~facts.is_under(facts.outside, rows)
    rows = np.array([row for row in rows[fits].tolist() if _has_letter(page, row)], np.int64)
    in_area = facts.is_under(facts.rows_with(AREA), rows)
    place = (page.tag[rows].astype(np.int64) * 4096 + page.level[rows]) * 2 + in_area
    places, first, count = np.unique(place, return_index=True, return_counts=True)
    best, most_words = Spans.none(), 0
    for number in (-count).argsort(kind="stable")[:_MOST_PLACES].tolist():
        records = cut_at(page, rows[place == places[number]])
        if len(records) and _are_posts(facts, records, in_area=bool(in_area[first[number]])):
            words_held = int(records.sums(facts.unlinked).sum())
            if words_held > most_words:
                best, most_words = records, words_held
    return best


def posts_at_inline_authors(facts: PageFacts) -> Spans:
    """Return posts whose authors are only named inside lines: dated to the minute, no article.

    Used where `may_have_author_cuts` is False. This reads the names of all elements, so the page
    must have several times of day.
    """
    short = (text for text in facts.page.texts if text and len(text) <= _LONGEST_STAMP)
    if sum(_TIME_OF_DAY.search(text) is not None for text in short) < _FEWEST_AUTHORS:
        return Spans.none()
    records = posts_at_authors(facts)
    if not len(records) or follow_article(facts, records):
        return Spans.none()
    is_safe = _have_stamps(facts.page, records).mean() >= _STAMPED_SHARE
    return records if is_safe and not are_entries(facts, records) else Spans.none()


def cut_at(page: Page, anchors: Int64s) -> Spans:
    """Return records that begin at the children of the element around all anchors that hold one.

    Each lasts to the next one; the last has as many children as the others by the median. There
    are none with less than two anchors.
    """
    if len(anchors) < 2:
        return Spans.none()
    around = int(page.parent[anchors[0]])
    while around >= 0 and page.end[around] <= anchors[-1]:
        around = int(page.parent[around])
    if around < 0:
        return Spans.none()
    children = ((page.parent == around) & (page.tag != 0)).nonzero()[0]
    begins = np.unique(children[children.searchsorted(anchors, side="right") - 1])
    ends = np.append(begins[1:], page.end[begins[-1]])
    sizes = np.diff(children.searchsorted(begins))
    if len(sizes):
        following = int(children.searchsorted(begins[-1])) + int(median(sizes.tolist()))
        ends[-1] = children[following] if following < len(children) else page.end[around]
    return Spans(begins.astype(np.int64), ends.astype(np.int64))


def _have_stamps(page: Page, records: Spans) -> Bools:
    """Return one bool per record: whether it has a short text with a date and a time of day."""
    bounds = page.text_rows.searchsorted((records.begins, records.ends)).T.tolist()
    texts = (collapsed_texts(page, range(first, last)[:_MOST_TEXTS]) for first, last in bounds)
    return np.array([any(map(_has_stamp, several)) for several in texts], np.bool_)


def _has_stamp(text: str) -> bool:
    if len(text) > _LONGEST_STAMP or not _TIME_OF_DAY.search(text):
        return False
    return bool(dates.to_iso(text)) or dates.is_only_date(text)


def _has_letter(page: Page, row: int) -> bool:
    return any(mark.isalpha() for text in texts_under(page, row) for mark in text)


def _are_posts(facts: PageFacts, records: Spans, *, in_area: bool) -> bool:
    """Return whether records cut at authors are like posts; in an area of comments few suffice."""
    is_dated = records.hold(facts.time_rows()).mean() >= _TIMED_SHARE
    unlinked = records.sums(facts.unlinked)
    middle = median(unlinked.tolist())
    if in_area:
        return bool(middle >= _AREA_POST_WORDS and is_dated)
    share = _PAGE_SHARE if is_dated else _UNDATED_PAGE_SHARE
    return bool(
        len(records) >= _FEWEST_AUTHORS
        and middle >= _MEDIAN_WORDS
        and unlinked.sum() >= share * facts.unlinked[-1]
        and unlinked.sum() >= _UNLINKED_SHARE * records.sums(facts.words).sum()
    )


# --- tables -------------------------------------------------------------------------------------

TABLE_GROUP = -1  # the group number of posts found by `table_posts`

_RECORDS_PER_ROW = 0.9  # with an author's cell, at least: else one record has several rows
_AUTHOR_CELL_WORDS = 60  # at most: the name with rank, number of posts, place
_TEXT_CELL_WORDS = 4  # at least, not in links
_NAME_WORDS, _LONGEST_NAME = 4, 30  # words and characters of a name, at most
_COLUMN_NAMES = frozenset("author autor auteur autore auteurs verfasser forfatter автор".split())
_AUTHOR_LABEL = re.compile(
    r"(?:from|author|name|(?:posted |written )?by|user(?:name)?|von|autor|verfasser|auteur|de|da|от"
    r"|автор)\s?:\s*",
    re.I,
)
# "Ada wrote on 3 May 2012:", "Posted by Ada - 3 May 2012", "Ada (3 May 2012)".
_HEAD_LINE = re.compile(
    r"(?P<by>(?:\w{2,12} )?(?:by|von|par|por|da) )?(?P<name>\S.{0,29}?)"
    r"(?:(?P<verb> (?:wrote|posted|said|says|writes|schrieb|sagte|a écrit|escribió|escreveu|"
    r"ha scritto|написал))\b| (?:on|at|am|le|el|il|em)\b| ?[,;:|·•(\[–—-])(?=.{0,40}\d).{1,80}",
    re.I,
)
_MOST_HEADED_CELLS = 8  # of a table that is a post
_NO_NAME_ENDS = (":", "?", ".", "!")
_INITIAL_LAST = re.compile(r"\w (?:[A-Z]|[JS]r)\.$")  # "Ada B.", "Al Berg Jr."
_MOST_BLANK = 20  # blank texts before a name
_STAMP_TEXTS = 3  # at most, of a line that is a date: "<b>Posted:</b> Mon ..."
_LEAD_WORDS = 4  # at most, before a date: "Posted on", "Verfasst am:"
_SUBJECT_WORDS = 20  # at most, on the line of a date
_HEAD_WORDS = 40  # at most, of a table with the date, the subject and buttons
_SIGNATURE_WORDS = 60  # at most
_SIGNATURE_LINE = re.compile(r"--|_{5,}")
_MEMBER_DATA = re.compile(r"(?:\A|[|·•,;] ?)(?:Posts|From|Location|Registered|Joined|IP) ?:")


def table_posts(facts: PageFacts) -> Spans:
    """Return the posts in table rows of two cells, and mark their cells in `facts`."""
    page = facts.page
    if not page.present[NUMBER["td"]]:  # true of most pages
        return Spans.none()
    author_cells = _author_cells(facts)
    if not len(author_cells):
        return Spans.none()
    named = len(page.nodes[0].select("td span.postbody"))  # phpBB 2
    fewest = min(named, 2) or _FEWEST_AUTHORS
    for cells in _cells_alike(page, author_cells, fewest):
        records = cut_at(page, cells) if len(cells) > 1 else _row_of(page, int(cells[0]))
        if _is_board(facts, cells, records, fewest):
            read_names_under(facts, np.zeros(1, np.int64))
            if not are_entries(facts, records):
                _mark_cells(facts, cells)
                return records
    return Spans.none()


def headed_posts(facts: PageFacts) -> Spans:
    """Return the posts that are tables with author and date above the text; mark their cells.

    The tables have one parent, or are in paragraphs of it, and have no tables in them.
    """
    page = facts.page
    tables = (page.tag == NUMBER["table"]).nonzero()[0]
    if len(tables) < _FEWEST_AUTHORS:  # true of most pages
        return Spans.none()
    following = np.append(tables[1:], len(page))
    tables = tables[following >= page.end.take(tables)]
    parent = page.parent.take(tables)
    parent = np.where(page.tag.take(parent) == NUMBER["p"], page.parent.take(parent), parent)
    parents, count = np.unique(parent, return_counts=True)
    tables = tables[parent == parents[count.argmax()]]
    cells = CELL.take(page.tag).nonzero()[0]
    parts = [_headed_parts(facts, cells, int(table)) for table in tables]
    posts = np.array(
        [
            (table, *part)
            for table, part in zip(tables.tolist(), parts, strict=True)
            if part is not None
        ],
        np.int64,
    ).reshape(-1, 3)
    begins, author_cells, text_cells = posts.T
    records = Spans(begins, page.end.take(begins).astype(np.int64))
    if len(records) < _FEWEST_AUTHORS or not is_content(facts, records):
        return Spans.none()
    if np.median(facts.unlinked_in(text_cells)) < _MEDIAN_WORDS:
        return Spans.none()
    read_names_under(facts, np.zeros(1, np.int64))
    _mark(facts, author_cells, text_cells)
    return records


def _headed_parts(facts: PageFacts, cells: Int64s, table: int) -> tuple[int, int] | None:
    """Return the cells with the author and with the text of a post, if a table is one.

    `cells` are those of the page. The author's cell is the first one, and the date is in its row:
    with a time of day, or in a line such as "Ada wrote on 3 May 2012:". Of the cells below, that
    with the most words has the text; another may have controls.
    """
    page = facts.page
    first, last = cells.searchsorted((table, page.end[table])).tolist()
    if not 2 <= last - first <= _MOST_HEADED_CELLS:
        return None
    author = int(cells[first])
    head = int(page.parent[author])
    below = cells[first + 1 : last]
    below = below[page.parent.take(below) != head]
    words = facts.unlinked_in(below)
    if not len(below) or words.max() < _TEXT_CELL_WORDS:
        return None
    line = " ".join(texts_under(page, head, _MOST_BLANK))
    is_dated = any(map(_has_stamp, (*texts_under(page, head, _MOST_BLANK), line)))
    is_dated = is_dated or _says_when(line)
    text = int(below[len(below) - 1 - words[::-1].argmax()])
    return (author, text) if is_dated and is_name(_author_text(page, author)) else None


def _says_when(line: str) -> bool:
    """Return whether a line says who wrote something on which day."""
    found = _HEAD_LINE.fullmatch(line)
    return found is not None and bool(found["by"] or found["verb"]) and bool(dates.to_iso(line))


def sign_tables(facts: PageFacts, records: Spans, texts: Spans) -> bool:
    """Mark the authors of posts that are tables or rows; return whether most posts have one.

    `texts` are the elements with the texts of the records, one each. The author is the first name
    that a cell before the text begins with. The records have dates with a time of day.
    """
    page = facts.page
    if not np.isin(page.tag.take(records.begins), (NUMBER["table"], NUMBER["tr"])).all():
        return False
    cells = (page.tag == NUMBER["td"]).nonzero()[0]
    bounds = cells.searchsorted((records.begins, texts.begins)).T.tolist()
    found: list[int] = []
    for first, last in bounds:
        before = cells[first:last][:_MOST_HEADED_CELLS].tolist()
        cell = next((one for one in before if _begins_with_name(page, one)), -1)
        if cell >= 0:
            found.append(_first_text_row(page, cell))
    if len(found) < _STAMPED_SHARE * len(records):
        return False
    if _have_stamps(page, records).mean() < _STAMPED_SHARE:
        return False
    facts.bits[page.parent.take(found)] |= AUTHOR
    return True


def _row_of(page: Page, cell: int) -> Spans:
    """Return the table row of a cell as a record."""
    row = page.parent[cell]
    return Spans(np.array([row], np.int64), np.array([page.end[row]], np.int64))


def _cells_alike(page: Page, cells: Int64s, fewest: int) -> list[Int64s]:
    """Return the cells of each table, then those at each depth, if they are at least `fewest`."""
    found: list[Int64s] = []
    for place in (page.parent.take(page.parent.take(cells)), page.level.take(cells)):
        places, count = np.unique(place, return_counts=True)
        found += [cells[place == one] for one in places[count >= fewest][:_MOST_PLACES].tolist()]
    return found


def _author_cells(facts: PageFacts) -> Int64s:
    """Return the first cells of the table rows that may be posts, in order."""
    page = facts.page
    cells = (page.tag == NUMBER["td"]).nonzero()[0]
    rows, first, count = np.unique(page.parent.take(cells), return_index=True, return_counts=True)
    with_head = np.unique(page.parent.take((page.tag == NUMBER["th"]).nonzero()[0]))
    firsts = cells.take(first[(count == 2) & ~np.isin(rows, with_head)])
    words = facts.words_in(firsts)
    fits = (words > 0) & (words <= _AUTHOR_CELL_WORDS) & ~facts.is_under(facts.outside, firsts)
    fits &= _words_beside(facts, firsts) >= _TEXT_CELL_WORDS
    found = [row for row in firsts[fits].tolist() if _begins_with_name(page, row)]
    return np.array(found, np.int64)


def _words_beside(facts: PageFacts, cells: Int64s) -> Int64s:
    """Return the words not in links that follow each cell in its table row."""
    page = facts.page
    row_ends = page.end.take(page.parent.take(cells))
    return facts.unlinked.take(row_ends) - facts.unlinked.take(page.end.take(cells))


def _begins_with_name(page: Page, cell: int) -> bool:
    """Return whether the first text of a cell may be a name: short, with a letter, not a date."""
    return is_name(_first_text(page, cell))


def is_name(name: str) -> bool:
    """Return whether a text may be a name; see `_begins_with_name`."""
    if len(name) > _LONGEST_NAME or len(name.split()) > _NAME_WORDS:
        return False
    if not any(map(str.isalpha, name)):
        return False
    if name.endswith(_NO_NAME_ENDS) and not _INITIAL_LAST.search(name):
        return False
    if name.casefold() in _COLUMN_NAMES:
        return False
    return not (_TIME_OF_DAY.search(name) or dates.to_iso(name) or dates.is_only_date(name))


def _first_text(page: Page, cell: int) -> str:
    """Return the first text of a cell on one line; "" if there are many blank ones before it."""
    return next(filter(None, texts_under(page, cell, _MOST_BLANK)), "")


def _first_text_row(page: Page, cell: int) -> int:
    """Return the row of the first text of a cell that is not blank."""
    first, last = page.text_span(cell)
    places = range(first, last)
    return int(page.text_rows[next((at for at in places if page.texts[at].strip()), first)])


def _author_text(page: Page, cell: int) -> str:
    """Return the first text of a cell that is more than a label, without a label before it.

    Of a line such as "Ada wrote on 3 May 2012:" it is the name.
    """
    texts = texts_under(page, cell, _MOST_BLANK)
    text = next(filter(None, (_AUTHOR_LABEL.sub("", text) for text in texts)), "")
    line = _HEAD_LINE.fullmatch(text) if dates.to_iso(text) else None
    return text if line is None else line["name"]


def _is_board(facts: PageFacts, author_cells: Int64s, records: Spans, fewest: int) -> bool:
    """Return whether records that begin with authors' cells are the page's content, and dated."""
    if len(records) < max(fewest, _RECORDS_PER_ROW * len(author_cells)):
        return False
    if np.median(_words_beside(facts, author_cells)) < _MEDIAN_WORDS:
        return False
    has_stamps = _have_stamps(facts.page, records).mean() >= _STAMPED_SHARE
    return bool(has_stamps and is_content(facts, records))


def is_content(facts: PageFacts, records: Spans) -> bool:
    """Return whether records have most words of a page, are no links, and follow no article."""
    unlinked, words = (int(records.sums(sums).sum()) for sums in (facts.unlinked, facts.words))
    is_most = unlinked >= max(_PAGE_SHARE * facts.unlinked[-1], _UNLINKED_SHARE * words)
    return is_most and not follow_article(facts, records)


def _mark_cells(facts: PageFacts, author_cells: Int64s) -> None:
    """Give authors' cells and the text cells after them the bits that names would give them."""
    cells = (facts.page.tag == NUMBER["td"]).nonzero()[0]
    text_cells = cells.take(cells.searchsorted(facts.page.end.take(author_cells)))
    _mark(facts, author_cells, text_cells)


def _mark(facts: PageFacts, author_cells: Int64s, text_cells: Int64s) -> None:
    facts.bits[text_cells] |= BODY
    facts.class_of_row[text_cells] = len(facts.class_names)
    facts.class_names.append("body")
    facts.bits[author_cells] |= AUTHOR


def table_authors(facts: PageFacts, records: Spans) -> list[str]:
    """Return the author of each record in a table: the first text of its author's cell."""
    cells = _cells_of_authors(facts, records)
    return [_author_text(facts.page, row) for row in cells.tolist()]


def table_author_texts(facts: PageFacts, records: Spans) -> list[int]:
    """Return the places in `page.texts` of the authors of the records of `table_posts`."""
    page = facts.page
    spans = [page.text_span(row) for row in _cells_of_authors(facts, records).tolist()]
    return [
        next((at for at in range(first, last) if _is_no_label(page.texts[at])), first)
        for first, last in spans
    ]


def _is_no_label(text: str) -> bool:
    return bool(_AUTHOR_LABEL.sub("", collapsed(text)))


def _cells_of_authors(facts: PageFacts, records: Spans) -> Int64s:
    page = facts.page
    author_cells = (CELL.take(page.tag) & ((facts.bits & AUTHOR) != 0)).nonzero()[0]
    found: Int64s = author_cells.take(author_cells.searchsorted(records.begins))
    return found


class TableTexts(NamedTuple):
    """Which texts of table posts are their own, and the dates before them."""

    is_text: Bools  # of each text: it is neither the line with the date nor of a signature
    stamps: list[str]  # of each post: the line with its date, "" for none


def table_texts(page: Page, places: Int64s, bounds: list[int]) -> TableTexts:
    """Find the lines with dates that posts begin with, and the signatures that they end with.

    `places` are those of the posts' texts in `page.texts`, post by post; post `i` has the texts
    from `bounds[i]` to `bounds[i + 1]`. Dates are taken off only if half of the posts begin so, and
    with them all of a small table that they are in: subjects, buttons.
    """
    texts = collapsed_texts(page, places.tolist())
    spans = list(pairwise(bounds))
    heads = [_head(page, places[begin:end], texts[begin:end]) for begin, end in spans]
    are_common = 2 * sum(size > 0 for _, size in heads) >= len(heads)
    is_text, stamps = np.ones(len(places), np.bool_), []
    for (begin, end), (stamp, size) in zip(spans, heads, strict=True):
        after = begin + size if are_common and begin + size < end else begin  # some text must stay
        stamps.append(stamp if after > begin else "")
        is_text[begin:after] = False
        is_text[after + _signature_start(page, places[after:end], texts[after:end]) : end] = False
    return TableTexts(is_text, stamps)


def _head(page: Page, places: Int64s, texts: list[str]) -> tuple[str, int]:
    """Return the date that a post begins with, and the number of texts that are no text of it."""
    size = _first_table_size(page, places)
    found = next(filter(_has_stamp, texts[:size]), "")
    if found and len(" ".join(texts[:size]).split()) <= _HEAD_WORDS:
        return found, size
    stamp = _stamp_size(texts[:_STAMP_TEXTS])
    if not stamp:
        return "", 0
    return " ".join(texts[:stamp]), stamp + _rest_of_line(page, places[stamp:], texts[stamp:])


def _first_table_size(page: Page, places: Int64s) -> int:
    """Return how many texts of a post are in a table at its beginning that holds not all of it."""
    if not len(places):
        return 0
    first, last = page.text_rows[places[0]], page.text_rows[places[-1]]
    table = int(first)
    while table >= 0 and page.tag[table] != NUMBER["table"]:
        table = int(page.parent[table])
    if table < 0 or page.end[table] > last:
        return 0
    return int(page.text_rows.take(places).searchsorted(page.end[table]))


def _stamp_size(texts: list[str]) -> int:
    """Return how many texts at the beginning of a post make a line with its date, 0 for none."""
    sizes = range(1, len(texts) + 1)
    return next((size for size in sizes if _is_stamp(" ".join(texts[:size]))), 0)


def _rest_of_line(page: Page, places: Int64s, texts: list[str]) -> int:
    """Return how many texts after a date are on its line, such as "Post subject: Tea"; few words.

    0 if the line is long, or has no end: then the post is on it.
    """
    words = 0
    for number, (place, text) in enumerate(zip(places.tolist(), texts, strict=True)):
        if _begins_line(page, place):
            return number
        words += len(text.split())
        if words > _SUBJECT_WORDS:
            return 0
    return 0


def _is_stamp(line: str) -> bool:
    """Return whether a line is a date with a time of day, after a few words at most."""
    if len(line) > _LONGEST_STAMP or not _TIME_OF_DAY.search(line):
        return False
    words = line.split()
    leads = range(min(len(words), _LEAD_WORDS))
    return any(dates.is_only_date(" ".join(words[lead:])) for lead in leads)


def _signature_start(page: Page, places: Int64s, texts: list[str]) -> int:
    """Return the number of the text that begins a signature, else how many texts there are.

    A signature is short and begins with a line of dashes or underscores. So is what some boards
    say there about a member: "Posts: 11 | From: Kiel | Registered: Jan 2010".
    """
    last = len(texts) - 1
    for number in range(1, len(texts)):
        text = texts[number]
        is_sign = _SIGNATURE_LINE.fullmatch(text) is not None
        is_sign = is_sign or (number == last and text.startswith("-- "))
        is_sign = is_sign or _is_member_data(texts[number : number + _STAMP_TEXTS])
        if is_sign and _begins_line(page, int(places[number])):
            words = sum(len(line.split()) for line in texts[number:])
            return number if words <= _SIGNATURE_WORDS else len(texts)
    return len(texts)


def _is_member_data(texts: list[str]) -> bool:
    is_label = _MEMBER_DATA.match(texts[0]) is not None
    return is_label and len(_MEMBER_DATA.findall(" ".join(texts))) > 1


def _begins_line(page: Page, place: int) -> bool:
    """Return whether a text comes first in its block, or after a line break or rule."""
    row = int(page.text_rows[place])
    is_after_break = int(page.tag[row - 1]) in (NUMBER["br"], NUMBER["hr"])
    return is_after_break or int(page.blocks.first[page.blocks.of_text[place]]) == row
