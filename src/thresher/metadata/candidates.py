"""Texts on a page that may be an author or a date, for pages that do not declare them.

Candidates are found by microdata, `rel`, `<time>`, class names, links to authors, and the wording
of short texts near the headline. They are ranked by kind and by distance from the headline: bylines
are below it or just above, while those far away belong to teasers or comments.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain, islice
from typing import NamedTuple, TypeAlias

import numpy as np

from thresher.metadata.bylines import (
    BYLINE_LETTERS,
    BYLINE_START,
    KOREAN_BYLINE,
    PARTICLES,
    are_roles,
    begins_with_publication,
    byline_after_date,
    byline_with_role,
)
from thresher.metadata.dates import is_only_date, to_iso
from thresher.metadata.links import Link
from thresher.metadata.search import rows_by_tag, short_elements, texts_with
from thresher.page import Node, Page
from thresher.page.array_types import Bools, UInt16s
from thresher.page.attributes import NameCache, class_and_id
from thresher.page.core import COMPILED
from thresher.page.tags import BREAKS_LINE, NAMES, NUMBER, lookup
from thresher.page.words import collapsed

if COMPILED:
    from thresher.metadata import _search

# (text, source) pairs, the best first, by field: "authors", "published", "modified", and "clocks",
# dates that are probably those of the visit.
Candidates: TypeAlias = dict[str, Iterable[tuple[str, str]]]

AUTHORS, DATES = 1, 2  # bits of what is wanted


class _Candidate(NamedTuple):
    field: str  # a key of Candidates
    rank: float  # the lowest is the best
    text: str
    source: str


_CHANGED = (
    *"modif updat revis aktualis actualis actualiz atualiz aggiornat bijgewerkt gewijzigd".split(),
    *("pdater", "edited", "changed", "mis à jour", "обновлен", "изменен", "aktualiz", "更新"),
)


def element_candidates(
    page: Page, headline_row: int, wanted: int, links: Iterable[Link]
) -> Candidates:
    """Return candidates in elements: those with microdata, and others near the headline.

    `wanted` has the bits `AUTHORS` and `DATES`; `links` are the telling ones of `page`; see
    `whole_page` for `page` and `headline_row`.
    """
    times = _times(page)
    rows = {
        *_rows_near_headline(page, headline_row, wanted, links),
        *times[:_MOST_TIMES],
        *_rows_of(page, _marked_elements(page)),
    }
    found = _of_elements(page, sorted(rows), headline_row, wanted, {*times})
    return _by_field(page, headline_row, found)


def text_candidates(page: Page, headline_row: int, wanted: int) -> Candidates:
    """Return short texts near the headline that contain a year or begin like a byline."""
    found = _in_short_texts(page, headline_row, wanted)
    return _by_field(page, headline_row, chain(found, _at_the_end(page, headline_row, wanted)))


def whole_page(page: Page, headline_row: int) -> tuple[Page, int]:
    """Return the page that a part was taken from, and the row of the headline or a substitute.

    `headline_row` is -1 if unknown; the first visible `h1` is used then, or the body.
    """
    if page.base is not None:
        page, headline_row = page.base, -1
    if headline_row < 0:
        headings = (row for row in rows_by_tag(page).h1 if not page.hidden[row])
        headline_row = next(headings, page.body)
    return page, headline_row


def _by_field(
    page: Page, headline_row: int, candidates: Iterable[tuple[int, _Candidate]]
) -> Candidates:
    """Return candidates, given with their rows, by field and rank, without those of other texts."""
    ranked = sorted(candidates, key=lambda each: each[1].rank)  # the first of equals first
    others: dict[int, bool] = {}

    def of_field(field: str, *, clocks: bool = False) -> Iterator[tuple[str, str]]:
        return (
            (one.text, one.source)
            for row, one in ranked
            if one.field == field
            and not _is_of_another_text(page, row, headline_row, others)
            and (field == "authors" or clocks == _is_clock(page, row, headline_row, one.text))
        )

    found: Candidates = {name: of_field(name) for name in ("authors", "published", "modified")}
    found["clocks"] = of_field("published", clocks=True)
    return found


_CLOCK = re.compile(
    r"(?<![^\s])(?:(?:site|main|page|td)[_-]?)?(?:(?:top|head(?:er)?|masthead)(?:[_-]?(?:bar|date|line))?|"
    r"(?:today|clock|current|now)(?:[_-]?(?:date|time))?|td-date)(?![\w-])",
    re.I,
)
_MOST_AROUND_CLOCK = 3  # elements


def _is_clock(page: Page, row: int, headline_row: int, text: str) -> bool:
    """Return whether a date is the day of the visit, which many sites have beside their name.

    It is above a menu that is above the headline, or in an element that is named like the top of a
    page or a clock, and does not say what it is the date of.
    """
    if row <= headline_row < page.end[row] or _LABEL.search(text) is not None:
        return False
    if row < headline_row and any(row < menu < headline_row for menu in rows_by_tag(page).nav):
        return True
    for _ in range(_MOST_AROUND_CLOCK):
        if row <= page.body or row <= headline_row < page.end[row]:
            return False
        names = class_and_id(page.nodes[row])[:_LONGEST] if page.tag[row] else ""
        if _names_clock(names):
            return True
        row = int(page.parent[row])
    return False


@lru_cache(10_000)
def _names_clock(names: str) -> bool:
    return _CLOCK.search(names) is not None


# Names of elements with comments of readers, what customers say, or links to other articles.
_OTHER_TEXT = re.compile(
    r"(?<![a-z])(?:comments?|comment(?:list|area|body|text|content|block|box|wrap|author)|replies|disqus\w*|related(?:posts|articles|"
    r"content)?|recommended|recommendations|testimonials?|more-?(?:stories|news|articles))(?![a-z])|"
    r"(?<![^\s])card(?![^\s])",
    re.I,
)


def _is_of_another_text(page: Page, row: int, headline_row: int, known: dict[int, bool]) -> bool:
    """Return whether a row is inside comments, quotations or related links without the headline.

    `known` has the answers for rows that were asked before, and is added to.
    """
    path = []
    is_other = False
    while row > page.body and row not in known and not row <= headline_row < page.end[row]:
        path.append(row)
        if page.tag[row] == NUMBER["blockquote"]:
            is_other = True
            break
        if page.tag[row] and _names_other_text(class_and_id(page.nodes[row])[:_LONGEST]):
            is_other = True
            break
        row = int(page.parent[row])
    is_other = is_other or known.get(row, False)
    known.update(dict.fromkeys(path, is_other))
    return is_other


@lru_cache(10_000)
def _names_other_text(names: str) -> bool:
    return _OTHER_TEXT.search(names) is not None


def _distance(row: int, headline_row: int) -> float:
    """Return the distance from the headline in hundreds of rows, threefold above the headline."""
    rows = row - headline_row
    return (rows if rows >= 0 else -3 * rows) / 100


def _contains_any(text: str, words: tuple[str, ...]) -> bool:
    """Return whether a text contains one of the words, ignoring case."""
    folded = text.casefold()
    return any(map(folded.__contains__, words))  # faster than a generator


# --- elements with microdata ----------------------------------------------------------------

_MOST_MARKED = 400  # elements
_MICRODATA = re.compile(
    r"(?<![^ \t\n\f\r])(?:author|datePublished|dateModified)(?![^ \t\n\f\r])"  # a whole word
)


def _marked_elements(page: Page) -> list[Node]:
    """Return the elements with microdata of an author or a date."""
    # One selector and a filter are faster than one selector for each value.
    nodes = page.nodes[0].select("[itemprop]")
    return [node for node in nodes if _MICRODATA.search(node.attr("itemprop") or "")][:_MOST_MARKED]


def _rows_of(page: Page, nodes: Iterable[Node]) -> Iterator[int]:
    """Yield the rows of nodes in document order; nodes after a limit of the page have none."""
    row = -1
    for node in nodes:
        try:
            row = page.nodes.index(node, row + 1)
        except ValueError:
            return
        yield row


# --- elements near the headline --------------------------------------------------------------

_ROWS_ABOVE, _ROWS_BELOW = 200, 800  # around the headline
_LINKS_BELOW = 1600  # rows below it in which links to authors count: names of readers have none
_MOST_TIMES = 20  # <time> elements, anywhere on the page
_LONGEST = 200  # characters of a byline
_MOST_TEXTS = 40  # text rows in a byline
_AUTHOR_WORDS = tuple(
    "author byline by-line by_line autor auteur verfasser written posted creator user nick".split()
)
_DATE_WORDS = tuple("date time publish posted meta".split())
_AGE_CLASS = "age"  # of Hacker News; too short for a word within a class


def _told_by(name: str | None) -> int:
    """Return the bits of what a class attribute may tell."""
    if not name:
        return 0
    has_author = _contains_any(name, (*_AUTHOR_WORDS, "poster"))
    has_date = name == _AGE_CLASS or _contains_any(name, _DATE_WORDS)
    return AUTHORS * has_author | DATES * has_date


_class_cache = NameCache(_told_by, _LONGEST)


def _rows_near_headline(
    page: Page, headline_row: int, wanted: int, links: Iterable[Link]
) -> Iterator[int]:
    """Yield rows near the headline with a class or a link of an author or a date."""
    start, stop = max(headline_row - _ROWS_ABOVE, 0), headline_row + _ROWS_BELOW
    far = headline_row + _LINKS_BELOW
    yield from short_elements(page, start, stop, _class_cache, _MOST_TEXTS, wanted)
    for row, _, address, relation, _ in links:
        if start <= row < far and ("/author" in address.lower() or "author" in relation.lower()):
            yield row


_CUSTOM_TIMES = frozenset("relative-time time-ago local-time".split())


def is_time(tag: UInt16s, names: tuple[str, ...]) -> Bools:
    """Return whether each row is `<time>`, or a custom element with the same attribute."""
    found: Bools = tag == NUMBER["time"]
    if len(names) > len(NAMES):
        for number, name in enumerate(names[len(NAMES) :], len(NAMES)):
            if name in _CUSTOM_TIMES:
                found |= tag == number
    return found


def _times(page: Page) -> list[int]:
    """Return the rows for which `is_time` is true."""
    if _CUSTOM_TIMES.isdisjoint(page.names[len(NAMES) :]):  # true of most pages
        return rows_by_tag(page).time
    found: list[int] = is_time(page.tag, page.names).nonzero()[0].tolist()
    return found


_BYLINE_CLASS = re.compile(
    r"(?:^|[\s_-])(?:by[-_]?line|(?:post|entry|article|meta|c)?[\s_-]?(?:author|autor|auteur|verfasser|creator)s?"
    r"(?:[\s_-]?(?:name|link|info|title|text|fn))?|written-?by|posted-?by)(?:$|[\s_-]{1,2})",
    re.I,
)
_NO_BYLINE = tuple(
    "comment reply avatar image img photo bio related social share follow icon desc about box "
    "card teaser sidebar widget recommend quote review role".split()
)
# The name in a box about the author: "author-box__name".
_NAME_IN_BOX = re.compile(r"(?:^|[\s_-])author-?(?:box|card|bio|info)[\w-]{0,20}name(?:$|\s)", re.I)
_USER_NAME_CLASS = re.compile(r"(?:^|[\s_-])(?:user-?name|nick-?name|poster)(?:$|\s)", re.I)
_AUTHOR_PATH = re.compile(r"/authors?(?![a-z])")  # not /authorization
_NO_DATE = tuple("comment reply related teaser sidebar widget recommend event expir card".split())


def _of_elements(
    page: Page, rows: Iterable[int], headline_row: int, wanted: int, times: set[int]
) -> Iterator[tuple[int, _Candidate]]:
    """Yield the candidates of elements with their rows; `times` are rows of `<time>`."""
    for row in rows:
        for one in _of_element(page, row, row in times, headline_row, wanted):
            yield row, one


def _of_element(
    page: Page, row: int, is_time: bool, headline_row: int, wanted: int
) -> Iterator[_Candidate]:
    """Yield the candidates of one element."""
    node = page.nodes[row]
    properties = node.attr("itemprop") or ""
    if page.hidden[row] and not properties:  # microdata counts even if hidden
        return
    names = _names(node.attr("class"), node.attr("rel"))
    others = f"{node.attr('href') or ''}{properties}".casefold()
    distance = _distance(row, headline_row)
    if wanted & AUTHORS and (
        names.has_author_words or any(map(others.__contains__, _AUTHOR_WORDS))
    ):
        for rank, text, source in _authors_of_element(page, row, names):
            yield _Candidate("authors", rank + distance, text, source)
    if not wanted & DATES:
        return
    if names.is_age:
        yield _Candidate("published", 1.0 + distance, node.attr("title") or "", "class")
    if is_time or names.has_date_words or any(map(others.__contains__, _DATE_WORDS)):
        for field, rank, text, source in _dates_of_element(page, row, is_time, names, properties):
            yield _Candidate(field, rank + distance, text, source)


class _Names(NamedTuple):
    """What the class and the relation of an element say."""

    has_author_words: bool
    has_date_words: bool
    is_author: bool  # by its relation
    is_byline: bool
    is_user_name: bool
    is_age: bool
    is_date: bool
    is_changed: bool  # the date would be that of the last change


@lru_cache(10_000)
def _names(own_class: str | None, relation: str | None) -> _Names:
    classes, relations = (_SPACES.split(value or "") for value in (own_class, relation))
    own, related = (" ".join(filter(None, words)) for words in (classes, relations))
    names = f"{own} {related} "
    has_date_words = _contains_any(names, _DATE_WORDS)
    return _Names(
        has_author_words=_contains_any(names, _AUTHOR_WORDS),
        has_date_words=has_date_words,
        is_author="author" in related.split(),
        is_byline=(
            bool(_BYLINE_CLASS.search(names))
            and not _contains_any(names.replace("vcard", ""), _NO_BYLINE)  # a contact
        )
        or bool(_NAME_IN_BOX.search(names)),
        is_user_name=bool(_USER_NAME_CLASS.search(names)),
        is_age=own == _AGE_CLASS,
        is_date=has_date_words and not _contains_any(names, _NO_DATE),
        is_changed=_contains_any(names, _CHANGED),
    )


_SPACES = re.compile(r"[ \t\n\f\r]+")


def _authors_of_element(page: Page, row: int, names: _Names) -> list[tuple[float, str, str]]:
    """Return ranks, without the distance, texts and sources."""
    node = page.nodes[row]
    if node.attr("itemprop") in ("author", "creator"):
        text = node.attr("content") or _person_name(page, row)
        return [(0.0, text, "itemprop author")]
    if names.is_author:
        return [(0.5, _with_siblings(page, row, "rel", _AUTHOR_RELATION), "rel author")]
    if names.is_byline:
        return [(1.0, line, "class") for line in _byline_lines(page, row)]
    address = (node.attr("href") or "").lower()
    if _AUTHOR_PATH.search(address) and not _FEED.search(address):
        return [(1.5, _with_siblings(page, row, "href", _AUTHOR_PATH), "link to author")]
    return [(2.0, _byline(page, row), "class")] if names.is_user_name else []


_AUTHOR_RELATION = re.compile("author")
_FEED = re.compile(r"\.(?:xml|rss|atom)\Z|/feed/?\Z|/rss/?\Z")
_MOST_SIBLINGS = 8  # links to authors; more are a list of all


def _with_siblings(page: Page, row: int, attribute: str, pattern: re.Pattern[str]) -> str:
    """Return the text of a link to an author, with those of the links to others beside it.

    Their attribute has the pattern, too.
    """
    parent = int(page.parent[row])
    reach = min(int(page.end[parent]), parent + _MOST_TEXTS)
    beside = (page.is_link[row:reach] & (page.parent[row:reach] == parent)).nonzero()[0] + row
    authors = [
        link
        for link in beside.tolist()
        if pattern.search((page.nodes[link].attr(attribute) or "").lower())
    ]
    if not authors or len(authors) > _MOST_SIBLINGS:
        return _byline(page, row)
    return ", ".join(filter(None, (_byline(page, link) for link in authors)))


_ISO_TITLE = re.compile(r"\d{4}-\d\d-\d\d")


def _dates_of_element(
    page: Page, row: int, is_time: bool, names: _Names, properties: str
) -> list[tuple[str, float, str, str]]:
    """Return fields, ranks without the distance, texts and sources."""
    node = page.nodes[row]
    value = node.attr("datetime") or node.attr("content") or ""
    title = "" if value else node.attr("title") or ""
    if page.tag[row] == NUMBER["abbr"] or _ISO_TITLE.match(title):
        value = value or title  # as Blogger has it: the text is an hour
    is_changed = names.is_changed or _contains_any(properties, _CHANGED)
    field = "modified" if is_changed else "published"
    if properties.startswith("date"):
        return [(field, 0.0, value or _text(page, row), f"itemprop {properties}")]
    if is_time and value:
        return [(field, 0.5, value, "time")]
    if is_time or names.is_date:
        text = value or _text(page, row)
        if any(map(str.isdigit, text)):
            source = "time" if is_time else "class"
            parts = [] if value or is_changed else _dated_parts(text)
            if {own for own, _ in parts} > {"published"} or (parts and _STAND.match(text)):
                return [(own, 1.0, part, source) for own, part in parts]
            field = "modified" if _contains_any(text[:20], _CHANGED) else field
            return [(field, 1.0, text, source)]
    return []


_STAND = re.compile(r"\s*stand\s?:", re.I)


def _text(page: Page, row: int) -> str:
    """Return the text of an element on one line, or "" if it is longer than a byline."""
    text = " ".join(_lines(page, row))
    return text if len(text) <= _LONGEST else ""


def _lines(page: Page, row: int) -> list[str]:
    """Return the lines of an element up to the length of a byline, without a line that is cut."""
    if len(page.texts_inside(row)) > _MOST_TEXTS:
        return []
    lines = page.lines_inside(row, _LONGEST + 1)
    return lines[:-1] if sum(map(len, lines)) > _LONGEST else lines


_NO_NAME = lookup("button time sup")  # inside a byline; numbers of notes are small


def _byline(page: Page, row: int) -> str:
    """Return the text of an element with names on one line, or "" if it is too long."""
    line = " ".join(_byline_lines(page, row))
    return line if len(line) <= _LONGEST else ""


def _byline_lines(page: Page, row: int) -> list[str]:
    """Return the lines of an element with names as `_lines` does, with its parts kept apart.

    Between elements beside each other is a comma if both may be names or the second is a role, else
    a space. Buttons, times and notes are left out.
    """
    first, last = page.text_span(row)
    if last - first <= 1 or last - first > _MOST_TEXTS:
        is_no_name = last - first == 1 and _is_in_no_name(page, int(page.text_rows[first]), row)
        return [] if is_no_name else _lines(page, row)
    lines, before = [""], -1
    for at, text in zip(page.text_rows[first:last].tolist(), page.texts[first:last], strict=True):
        if text.isspace() or _is_in_no_name(page, at, row):
            lines[-1] += " " if text.isspace() else ""
            continue
        if before >= 0 and BREAKS_LINE[page.tag[before:at]].any():
            lines.append("")
        elif before >= 0:
            lines[-1] += _between(page, before, at, lines[-1], text)
        lines[-1] += text
        before = at
    lines = [line for line in (" ".join(line.split()) for line in lines) if line]
    while sum(map(len, lines)) > _LONGEST:
        lines.pop()
    return lines


_TO_SUBJECT = re.compile(r"/(?:tags?|categor(?:y|ies)|topics?|sections?|kategorien?)/", re.I)


def _is_in_no_name(page: Page, at: int, row: int) -> bool:
    """Return whether a text inside an element is that of a button, a time or a note in it.

    Or that of a link to a tag or a category.
    """
    above = int(page.parent[at])
    while above > row:
        if _NO_NAME[page.tag[above]]:
            return True
        above = int(page.parent[above])
    return _is_in_subject(page, at, row)


def _is_in_subject(page: Page, at: int, row: int) -> bool:
    """Return whether a text inside an element is in a link to a tag or a category."""
    above = int(page.parent[at]) if page.linked[at] else row
    while above > row:
        if page.is_link[above] and _TO_SUBJECT.search(page.nodes[above].attr("href") or ""):
            return True
        above = int(page.parent[above])
    return False


def _between(page: Page, before: int, at: int, line: str, text: str) -> str:
    """Return what separates a text row from the end of the line before it."""
    if page.end[page.parent[before]] > at or page.parent[at] < before:  # one holds the other
        is_glued = line[-1:].islower() and (text[:1].isupper() or "@" in text)
        return " " if is_glued else ""
    last = line.rpartition(",")[2]
    are_names = len(last.split()) > 1 and len(text.split()) > 1 and text.strip()[:1].isupper()
    return ", " if are_names or are_roles(text) else " "


def _person_name(page: Page, row: int) -> str:
    """Return the text of the first element inside with `itemprop=name`, else of the element."""
    inner = page.nodes[row].select_one('[itemprop~="name"]')
    if inner is None:
        return _byline(page, row)
    return inner.attr("content") or " ".join(str(inner.text)[:_LONGEST].split())


# --- short texts near the headline -----------------------------------------------------------

_TEXTS_ABOVE, _TEXTS_BELOW = 12, 80  # text rows around the headline
_LONGEST_SHORT, _LONGEST_DATED = 80, 120  # characters; of a text that says when it was published
_YEAR = re.compile(r"(?:19|20)\d\d|\d{1,2}[./]\d{1,2}[./]\d\d|[年년]|25\d\d|[۰-۹٠-٩०-९০-৯๐-๙]{4}")
_DIGIT = re.compile(r"[\d年년]")  # part of every year; a faster test
_REPORTER = "기자"  # part of every `KOREAN_BYLINE`
_IS_BYLINE, _HAS_DIGIT, _IS_KOREAN = 1, 2, 4  # bits of the signs of a short text, as in `_search`


_NOBODY = frozenset(
    "a an the this that these those it its our my your their his her all no".split()
)


def _names_someone(text: str) -> bool:
    """Return whether a text after "by" may be a name and not the rest of a sentence."""
    words = text.split(maxsplit=2)
    if not words or words[0].casefold().strip(".,") in _NOBODY or words[0][0].isdecimal():
        return False
    return len(words) == 1 or not words[0].islower() or words[0] in PARTICLES


def _short_texts(page: Page, first: int, stop: int) -> tuple[list[int], list[int]]:
    """Return the places of visible short texts from `first` to before `stop`, and their signs."""
    if not COMPILED:
        return _plain_short_texts(page, first, stop)
    columns = page.texts, page.text_rows, page.chars, page.hidden
    return _search.find_short_texts(
        *columns, first, stop, _LONGEST_DATED, BYLINE_LETTERS, "年년", _REPORTER
    )


def _plain_short_texts(page: Page, first: int, stop: int) -> tuple[list[int], list[int]]:
    rows = page.text_rows[first:stop]
    chars = page.chars.take(rows)
    is_short = (chars > 0) & (chars <= _LONGEST_DATED) & ~page.hidden.take(rows)
    places = (is_short.nonzero()[0] + first).tolist()
    signs = [
        _IS_BYLINE * (text.lstrip()[:1] in BYLINE_LETTERS)
        | _HAS_DIGIT * bool(_DIGIT.search(text))
        | _IS_KOREAN * (_REPORTER in text)
        for text in map(page.texts.__getitem__, places)
    ]
    return places, signs


def _in_short_texts(page: Page, headline_row: int, wanted: int) -> Iterator[tuple[int, _Candidate]]:
    middle = int(page.text_rows.searchsorted(np.int32(headline_row)))
    places, signs = _short_texts(page, max(middle - _TEXTS_ABOVE, 0), middle + _TEXTS_BELOW)
    telling = _HAS_DIGIT * (wanted & DATES != 0) | (_IS_BYLINE | _IS_KOREAN) * (wanted & AUTHORS)
    name_follows = False  # the text before was "By" alone
    for at, sign in zip(places, signs, strict=True):
        text = page.texts[at]
        row = int(page.text_rows[at])
        if page.chars[row] > _LONGEST_SHORT and not _tells_of_publication(text, sign):
            continue
        start = BYLINE_START.match(text) if sign & telling & _IS_BYLINE else None
        rank = 2.5 + _distance(row, headline_row)
        if sign & _HAS_DIGIT and wanted & AUTHORS and row > headline_row:
            name = byline_after_date(collapsed(text)) or byline_with_role(collapsed(text))
            if name:
                yield row, _Candidate("authors", rank, name, "text")
        if not (name_follows or start or sign & telling & ~_IS_BYLINE):  # true of most
            continue
        if name_follows:
            yield row, _Candidate("authors", rank, text, "text")
        name_follows = start is not None and not text[start.end() :].strip()
        has_name = not name_follows and (
            _names_someone(text[start.end() :])
            if start
            else bool(sign & telling & _IS_KOREAN) and KOREAN_BYLINE.match(text) is not None
        )
        if has_name and row > headline_row and not _is_of_another_work(page, at, text):
            yield row, _Candidate("authors", rank, text, "text")
        if sign & telling & _HAS_DIGIT and _has_date(page, row, text, headline_row):
            for field, part in _dated_parts(text):
                yield row, _Candidate(field, rank, part, "text")


def _has_date(page: Page, row: int, text: str, headline_row: int) -> bool:
    """Return whether a text may have a date of the page; in the headline, it is nothing else."""
    if not _YEAR.search(text) or row < page.body:
        return False
    if _tells_of_event(text) or _has_refused_date(page, row):
        return False
    is_in_headline = headline_row <= row < page.end[headline_row] and headline_row != page.body
    return not is_in_headline or is_only_date(text)


_SIGNED = ("Written by", "Posted by", "Article by", "Geschrieben von")


def _at_the_end(page: Page, headline_row: int, wanted: int) -> Iterator[tuple[int, _Candidate]]:
    """Yield the byline of one line after an article, if the page has only one: "Written by Ada"."""
    places = texts_with(page, _SIGNED) if wanted & AUTHORS else []
    if len(places) != 1 or page.text_rows[places[0]] < headline_row:
        return
    block = int(page.blocks.of_text[places[0]])
    line = page.block_text(block)
    if len(line) <= _LONGEST_SHORT and line.lstrip().startswith(_SIGNED):
        yield int(page.text_rows[places[0]]), _Candidate("authors", _LAST, line, "text")


_LAST = 100.0  # a rank after all others
_SENTENCE = re.compile(r"[.!?…。]['\"”’»)]*\s*\Z")
_SMALL_WORD = re.compile(r"(?<![^\s(„“\"'’-])[^\W\d_A-Z]{2,}(?![\w.])")
_DATELINE = re.compile(r"[^.!?]{0,40}\d{4}\)?\s*[-–—:|)]")  # "Kiel, 3 May 2024 – "
_OF_PUBLICATION = re.compile(
    r"publi|post|updat|written|creat|releas|issued|modif|revis|edit|dated?\b|geschrieben|veröffent|"
    r"aktualis|erstell|erschien|stand\b|écrit|mis à jour|escrit|scritto|aggiorn|geplaatst|skrev|"
    r"opubl|aktualiz|опубл|обновл|last|first|zuletzt|filed|as of|copyright|©",
    re.I,
)
_GENERATED = re.compile(
    r"\b(?:page|seite|site|feed)\s(?:was\s)?(?:generated|rendered|erzeugt)\b", re.I
)
_EVENT_WORDS = 2  # in small letters, of a sentence, but for its last word


def _tells_of_publication(text: str, sign: int) -> bool:
    """Return whether a longer text begins like a byline or a date, and has a year."""
    return bool(sign & _HAS_DIGIT and begins_with_publication(text) and _YEAR.search(text))


def _tells_of_event(text: str) -> bool:
    """Return whether a text is a sentence with a date in it, and not about its publication.

    Or whether it says when a program wrote the page.
    """
    if _GENERATED.search(text):
        return True
    if not _SENTENCE.search(text) or _OF_PUBLICATION.search(text) or _DATELINE.match(text):
        return False
    return len(_SMALL_WORD.findall(text)) >= _EVENT_WORDS


def _has_refused_date(page: Page, row: int) -> bool:
    """Return whether a text is that of a `<time>` with a date.

    The date is a candidate, too, and a better one: texts are asked only if it is in the future.
    Dates of the last century may be what programs write for none.
    """
    above = int(page.parent[row])
    if page.tag[above] != NUMBER["time"]:
        return False
    return to_iso(page.nodes[above].attr("datetime") or "").startswith("20")


def _dated_parts(text: str) -> list[tuple[str, str]]:
    """Return the fields that a text has dates of: "1 May 2023 | Updated: 3 May 2023" has two."""
    labels = list(islice(_LABEL.finditer(text), _MOST_LABELS))
    if not any(label["changed"] for label in labels):  # true of most
        return [("published", text)]
    starts = [label.start() for label in labels]
    dated = [
        ("modified" if label is not None and label["changed"] else "published", text[start:end])
        for label, start, end in zip(
            [None, *labels], [0, *starts], [*starts, len(text)], strict=True
        )
        if _YEAR.search(text, start, end)
    ]
    fields = {field for field, _ in dated}
    is_sure = len(fields) > 1 or (
        fields == {"published"} and _YEAR.search(text, 0, starts[0]) is None
    )
    return dated if is_sure else [("modified", text)]


_MOST_LABELS = 6
_LABEL = re.compile(
    rf"(?P<changed>{'|'.join(_CHANGED)}|\A\s*stand\s?:)|publi|pubblic|veröffentl|erschienen|erstellt|"
    "posted|created|written|gepubl|opubl|опубл|публик|geplaatst|inserito|公開|投稿|发布|發布|掲載",
    re.I,
)


_CREDIT = re.compile(
    r"\b(?:photos?|photograph\w*|images?|pictures?|fotos?|bild\w*|graphics?|illustrations?|videos?|"
    r"credits?|CC\sBY)\b",
    re.I,
)
_QUOTATION = re.compile(r"\s*[\"“„«»‘‚「『]")
_PROSE_WORDS = 20  # of a paragraph


def _is_of_another_work(page: Page, at: int, text: str) -> bool:
    """Return whether "by" and a name are below a quotation, or after the name of an image.

    `at` is the place of the text among the texts of the page. "by" in lower case below a paragraph
    that is not just under the headline is no byline either.
    """
    blocks = page.blocks
    own = int(blocks.of_text[at])
    beginning = "".join(page.texts[blocks.texts_from[own] : at])
    if beginning.strip():
        return bool(_CREDIT.search(beginning[-_LONGEST:]))
    if own == 0:
        return False
    above = int(page.text_rows[blocks.texts_from[own - 1]])
    is_quoted = any(page.tag[row] == NUMBER["blockquote"] for row in _ancestors(page, above))
    is_marked = _QUOTATION.match(page.block_text(own - 1)) is not None
    is_below_prose = text.lstrip()[:1].islower() and blocks.words[own - 1] >= _PROSE_WORDS
    return is_quoted or is_marked or bool(is_below_prose)


def _ancestors(page: Page, row: int) -> Iterator[int]:
    """Yield the elements around a row inside the body, the innermost first."""
    row = int(page.parent[row])
    while row > page.body:
        yield row
        row = int(page.parent[row])
