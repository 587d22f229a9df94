"""Records: the elements of a page that repeat and hold one post each.

Candidates are the elements whose name says a record, grouped by tag and name. A group is judged by
what its members hold: words that are no links, a time, an author; a number in their id, and where
they stand. Where names say nothing, what repeats is the author: the page is cut in front of each
(`choice.anchored`).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log2
from operator import methodcaller

import numpy as np

from thresher.page.array_types import Int64s
from thresher.page.tags import HEADING, NUMBER
from thresher.structure.threads.page_index import Reading, read_within
from thresher.structure.threads.vocabulary import AREA, AUTHOR, TIME

_HREF = methodcaller("attr", "href")


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Elements that may be records, with what speaks for them."""

    key: str
    rows: Int64s
    ends: Int64s
    own: Int64s  # words that are no links, those of members inside a member left out
    words: int  # the sum of them
    evidence: float
    titled: float  # share with a heading that links elsewhere

    @property
    def weight(self) -> float:
        """By what the best group is chosen."""
        return self.evidence * log2(1 + self.words)


def groups(read: Reading) -> list[Group]:
    """Return the groups of records by name, the weightiest first."""
    page = read.page
    places = read.keys.nonzero()[0]
    places = places[~read.under(read.beside, read.rows.take(places))]
    if not len(places):
        return []
    by_name: dict[tuple[int, str], list[int]] = {}
    tags = page.tag.take(read.rows.take(places)).tolist()
    keys = read.keys.take(places).tolist()
    for place, tag, key in zip(places.tolist(), tags, keys, strict=True):
        by_name.setdefault((tag, read.names[key]), []).append(place)
    if len(by_name) > _MOST_GROUPS:
        largest = sorted(by_name.items(), key=lambda item: -len(item[1]))
        by_name = dict(largest[:_MOST_GROUPS])
        places = np.sort(np.concatenate([np.array(own) for own in by_name.values()]))
    if any(_may_matter(key, len(own)) for (_, key), own in by_name.items()):
        read_within(read, read.rows.take(places))
    marks, areas = _marks(read), read.saying(AREA)
    found = [_group(read, key, np.array(own), marks, areas) for (_, key), own in by_name.items()]
    return sorted(found, key=lambda group: -group.weight)


def _may_matter(key: str, count: int) -> bool:
    """Whether elements may be posts or the entries of an index: an article named a post is none."""
    return key[0] == "c" or count >= FEWEST_ENTRIES or (key[0] == "p" and count > 1)


FEWEST_ENTRIES = 3  # of an index
_MOST_GROUPS = 40  # that are judged, the largest: a page has a dozen, a hostile one any number


def timed(read: Reading) -> Int64s:
    """Return the rows that tell a time, in order."""
    tells = ((read.bits & TIME) != 0) | (read.page.tag == NUMBER["time"])
    found: Int64s = tells.nonzero()[0]
    return found


def _marks(read: Reading) -> tuple[Int64s, Int64s, Int64s, Int64s]:
    """Return the rows of times, of authors, of headings that link elsewhere, of first headings."""
    tag = read.page.tag
    authors = (((read.bits & AUTHOR) != 0) | (tag == NUMBER["cite"])).nonzero()[0]
    return timed(read), authors, titles(read), (tag == NUMBER["h1"]).nonzero()[0]


def titles(read: Reading) -> Int64s:
    """Return the rows of headings that link elsewhere: links in them, and headings in links."""
    page = read.page
    parent, tag = page.parent, page.tag
    links = (tag == NUMBER["a"]).nonzero()[0]
    above = np.maximum(parent.take(links), 0)
    over = np.maximum(parent.take(above), 0)
    heading = np.where(HEADING.take(tag.take(above)), above, over)
    fits = HEADING.take(tag.take(heading)) & (read.words_in(links) > 1)
    fits &= ((read.bits.take(links) | read.bits.take(heading)) & AUTHOR) == 0
    links = links[fits]
    apart = ["#" not in (_HREF(page.nodes[row]) or "#") for row in links.tolist()]
    linked = (HEADING.take(tag) & page.linked).nonzero()[0]
    linked = linked[read.words_in(linked) > 1]
    return np.sort(np.concatenate((links[np.array(apart, np.bool_)], linked)))


# What speaks for a group, in shares of its members; set by hand on the forum pages of wcxb-dev and
# on a third of dragnet, where `choice.ENOUGH` of it makes records.
_NAME = {"c": 1.0, "p": 0.7, "e": 0.0}  # its name is a comment's, a post's, an entry's of a list
_SEVERAL = 0.3  # it has more than one member
_NUMBERED, _TIMED, _SIGNED, _IN_AREA = 0.5, 0.6, 0.5, 0.4  # id with a number, time, author, area
_LINKS, _MOST_LINKS = 3.0, 0.5  # against it: the share of words in links above a half
# Of posts alone, as articles are called posts too: against them are headings that link elsewhere,
# the page's own heading in one of them, and that most have neither time, author nor number.
_TITLED, _HEADED, _ANONYMOUS = 1.2, 0.8, 0.8
_KNOWN = 0.75  # share of posts with a time or an author
_FEWEST_WORDS, _EMPTY = 3, 2.0  # words of a post that are no links, on average; with less, against


def _group(
    read: Reading, key: str, places: Int64s, marks: tuple[Int64s, ...], areas: Int64s
) -> Group:
    rows = read.rows.take(places)
    ends = read.page.end.take(rows).astype(np.int64)
    own = own_sums(rows, ends, read.free.take(ends) - read.free.take(rows))
    total = own_sums(rows, ends, read.words.take(ends) - read.words.take(rows))
    count = len(rows)
    time, author, titled, headed = (_share(mark, rows, ends) for mark in marks)
    words = int(own.sum())
    links = 1 - words / max(float(total.sum()), 1.0)
    evidence = _NAME[key[0]] + _SEVERAL * (count > 1) + _TIMED * time + _SIGNED * author
    numbered = np.count_nonzero(read.numbered.take(places)) / count
    evidence += _NUMBERED * numbered
    in_area = np.count_nonzero(read.under(areas, rows)) / count if len(areas) else 0.0
    evidence += _IN_AREA * in_area - _LINKS * max(links - _MOST_LINKS, 0.0)
    if key[0] == "p":
        evidence -= _TITLED * titled + _HEADED * (headed > 0)
        stated = 0.0 if "question" in key else numbered  # those of a FAQ are numbered too
        evidence -= _ANONYMOUS * (max(time, author, stated) < _KNOWN)
    elif key.startswith("comment:schema.org"):  # an answer may be one of a FAQ
        evidence -= _ANONYMOUS * (max(time, author) < _KNOWN)
    if words < _FEWEST_WORDS * count:
        evidence -= _EMPTY
    return Group(key, rows, ends, own, words, evidence, titled)


def _share(mark: Int64s, rows: Int64s, ends: Int64s) -> float:
    """Return the share of records in which one of the marked rows stands."""
    if not len(mark):
        return 0.0
    return np.count_nonzero(mark.searchsorted(ends) > mark.searchsorted(rows)) / len(rows)


def own_sums(rows: Int64s, ends: Int64s, sums: Int64s) -> Int64s:
    """Take from each member's sum those of the members directly inside it."""
    if len(rows) < 2 or bool((rows[1:] >= ends[:-1]).all()):
        return sums
    around = enclosing(rows, ends)
    has = around >= 0
    found: Int64s = sums - np.bincount(around[has], sums[has], len(rows)).astype(np.int64)
    return found


def enclosing(rows: Int64s, ends: Int64s) -> Int64s:
    """Return for each interval the innermost one around it, -1 if none; they nest, in order.

    It loops because each step depends on which intervals are open; a page has few records.
    """
    found = np.full(len(rows), -1)
    open_places: list[int] = []
    lasts = ends.tolist()
    for place, row in enumerate(rows.tolist()):
        while open_places and lasts[open_places[-1]] <= row:
            open_places.pop()
        if open_places:
            found[place] = open_places[-1]
        open_places.append(place)
    return found
