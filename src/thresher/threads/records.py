"""Records: the elements of a page that repeat and hold one post each.

Candidates are the elements whose name says a record, grouped by tag and name. A group is judged by
what its members hold: words that are no links, a time, an author; a number in their id, and where
they stand. Where names say nothing, what repeats is the author: the page is cut in front of each
(`anchored`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from operator import methodcaller

import numpy as np
import numpy.typing as npt

from thresher.arrays import inside
from thresher.columns import Bools
from thresher.page import Page
from thresher.tags import BLOCK, HEADING, NAMES, NUMBER, lookup
from thresher.threads.names import AREA, AUTHOR, OUTSIDE, TIME, record_key, sense

__all__ = ["Group", "Reading", "enclosing", "groups", "own_sums", "read_within", "reading"]

Ints = npt.NDArray[np.int64]

_NEVER = lookup("head title textarea select option optgroup datalist script style")
_ASIDE = lookup("nav footer")
_CLASS, _ID, _HREF = (methodcaller("attr", name) for name in ("class", "id", "href"))
_ITEMTYPE, _TYPEOF = (methodcaller("attr", name) for name in ("itemtype", "typeof"))
_FEWEST = 3  # words of an element that may be a record, author and time with them
_BESIDE_MOST = 0.4  # what holds more of the page's words is no sidebar, whatever its name says


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """What is read of a page once: the names of its blocks as bits, and sums of words."""

    page: Page
    bits: npt.NDArray[np.int32]  # of each row; all but `rows` are filled in by `read_within`
    rows: Ints  # block-level elements with at least a few words
    keys: list[str]  # of those: the record key, "" if their name says none
    numbered: Bools  # of those: the id has a digit
    words: Ints  # words before each row that count, one more for the end
    free: Ints  # the same without those in links
    outside: Bools  # of each row: beside the content

    @property
    def total(self) -> int:
        """Words of the page that are no links."""
        return int(self.free[-1])


def before(values: npt.NDArray[np.generic]) -> Ints:
    """Return the sum of the values before each row, one more for the end."""
    sums = np.zeros(len(values) + 1, np.int64)
    np.cumsum(values, out=sums[1:])
    return sums


def reading(page: Page) -> Reading:
    """Read the classes and ids of a page's blocks."""
    counted = np.where(inside(_NEVER[page.tag], page.end), 0, page.words)
    words = before(counted)
    free = before(np.where(page.linked, 0, counted))
    is_candidate = BLOCK[page.tag] & (words[page.end] >= words[:-1] + _FEWEST)
    is_candidate[: page.body + 1] = False
    rows = is_candidate.nonzero()[0]
    nodes = page.nodes
    elements = [nodes[row] for row in rows.tolist()]
    keys, numbered, bits = _named(map(_CLASS, elements), map(_ID, elements))
    for place in (page.tag[rows] >= len(NAMES)).nonzero()[0].tolist():
        keys[place] = keys[place] or record_key(page.name(int(rows[place])))
    _typed(page, rows, keys)
    of_row = np.zeros(len(page), np.int32)
    of_row[rows] = bits
    beside = ((of_row & OUTSIDE) != 0) | _ASIDE[page.tag]
    beside &= free[page.end] - free[:-1] < _BESIDE_MOST * free[-1]
    return Reading(
        page, of_row, rows, keys, np.array(numbered, np.bool_), words, free,
        inside(beside, page.end),
    )  # fmt: skip


def _named(
    classes: Iterable[str | None], ids: Iterable[str | None]
) -> tuple[list[str], list[bool], list[int]]:
    """Return the record key of each element, whether its id is numbered, and its bits.

    Most elements share their names with others, so each distinct pair is looked at once; the digits
    of ids are left out before, as they make them all distinct.
    """
    distinct: dict[tuple[str | None, str | None], int] = {}
    pairs = zip(classes, ids, strict=True)
    numbers = [distinct.setdefault(pair, len(distinct)) for pair in pairs]
    looked_up = [_look_up(*pair) for pair in distinct]
    keys, numbered, bits = zip(*looked_up, strict=True) if looked_up else ((), (), ())
    return (
        [keys[number] for number in numbers],
        [numbered[number] for number in numbers],
        [bits[number] for number in numbers],
    )


def _look_up(class_name: str | None, identity: str | None) -> tuple[str, bool, int]:
    key, bits = (record_key(class_name), sense(class_name)) if class_name else ("", 0)
    if not identity:
        return key, False, bits
    short = identity.translate(_WITHOUT_DIGITS)
    number = len(short) < len(identity)
    if number and (not key or key.startswith("entry")):
        key = record_key(short) or key
    return key, number, bits | sense(short)


_WITHOUT_DIGITS = {ord(digit): None for digit in "0123456789"}


_TYPES = (
    ("Comment", "comment:schema.org/Comment"),
    ("Answer", "comment:schema.org/Answer"),
    ("Question", "post:schema.org/question"),
    ("DiscussionForumPosting", "post:schema.org/DiscussionForumPosting"),
)


def _typed(page: Page, rows: Ints, keys: list[str]) -> None:
    """Name elements by their microdata or RDFa type, where their own name says no record."""
    by_type = dict(_TYPES)
    at = 0
    for node in page.nodes[0].select("[itemtype],[typeof]")[:_MOST_TYPED]:
        stated = _ITEMTYPE(node) or _TYPEOF(node) or ""
        key = by_type.get(str(stated).rsplit("/", 1)[-1])
        if key is None:
            continue
        try:
            at = page.nodes.index(node, at)  # nodes and rows are in one order: one pass does
        except ValueError:  # past a limit: no row
            return
        place = int(rows.searchsorted(at))
        if place < len(rows) and rows[place] == at and not keys[place]:
            keys[place] = key


_MOST_TYPED = 5_000  # elements with a type that are looked at


# What the address of a member's page holds on one site or another.
_PROFILE = (
    "/user", "user/", "/member", "member=", "/profile", "profile/", "profile=", "profile.php",
    "/author/", "/people/", "/u/", "/@", "memberlist.php", "member.php", "user.php",
    "user?id=", "/nick/", "action=profile",
)  # fmt: skip


def read_within(read: Reading, within: Bools) -> None:
    """Fill in the bits of the elements where `within` is True; links to members are authors."""
    page = read.page
    wanted = within & (page.tag != 0)
    wanted[read.rows] = False
    rows = wanted.nonzero()[0]
    nodes = page.nodes
    classes = [_CLASS(nodes[row]) for row in rows.tolist()]
    known = {name: sense(name) if name else 0 for name in set(classes)}
    read.bits[rows] = [known[name] for name in classes]
    words = read.words[page.end[rows]] - read.words[rows]
    links = rows[(page.tag[rows] == NUMBER["a"]) & (words > 0) & (words <= _NAME_WORDS)]
    addresses = [_HREF(nodes[row]) or "" for row in links.tolist()]
    whole = "\0".join(addresses)
    places: list[int] = []
    for part in _PROFILE:
        at = whole.find(part)
        while at >= 0:
            places.append(at)
            following = whole.find("\0", at)
            at = whole.find(part, following) if following >= 0 else -1
    if places:
        ends = np.fromiter(map(len, addresses), np.int64, len(addresses)).cumsum()
        ends += np.arange(len(addresses))
        read.bits[links[np.unique(ends.searchsorted(places))]] |= AUTHOR


_NAME_WORDS = 6  # of a link to a member


# --- groups --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Elements that may be records, with what speaks for them."""

    key: str
    rows: Ints
    ends: Ints
    own: Ints  # words that are no links, those of members inside a member left out
    evidence: float
    titled: float  # share with a heading that links elsewhere

    @property
    def words(self) -> int:
        """Words of all members that are no links."""
        return int(self.own.sum())

    @property
    def weight(self) -> float:
        """By what the best group is chosen."""
        return self.evidence * float(np.log2(1 + self.words))


def groups(read: Reading) -> list[Group]:
    """Return the groups of records by name, the weightiest first."""
    page = read.page
    by_name: dict[tuple[int, str], list[int]] = {}
    tags = page.tag[read.rows].tolist()
    out = read.outside[read.rows].tolist()
    for place, key in enumerate(read.keys):
        if key and not out[place]:
            by_name.setdefault((tags[place], key), []).append(place)
    if not by_name:
        return []
    if len(by_name) > _MOST_GROUPS:
        largest = sorted(by_name.items(), key=lambda item: -len(item[1]))
        by_name = dict(largest[:_MOST_GROUPS])
    places = np.array([place for several in by_name.values() for place in several])
    named = np.zeros(len(page), np.bool_)
    named[read.rows[places]] = True
    read_within(read, inside(named, page.end))
    marks, area = _marks(read), inside((read.bits & AREA) != 0, page.end)
    found = [_group(read, key, np.array(own), marks, area) for (_, key), own in by_name.items()]
    return sorted(found, key=lambda group: -group.weight)


_MOST_GROUPS = 40  # that are judged, the largest: a page has a dozen, a hostile one any number


def _marks(read: Reading) -> Ints:
    """Count before each row: times, authors, headings that link elsewhere, first headings."""
    page = read.page
    tag = page.tag
    is_author = (read.bits & AUTHOR) != 0
    above = np.maximum(page.parent, 0)
    heading = np.where(HEADING[tag[above]], above, np.maximum(page.parent[above], 0))
    titled = (tag == NUMBER["a"]) & HEADING[tag[heading]] & ~is_author & ~is_author[heading]
    for row in titled.nonzero()[0].tolist():  # of the page's headings, which are few
        titled[row] = "#" not in (_HREF(page.nodes[row]) or "#")
    titled |= HEADING[tag] & page.linked
    titled &= read.words[page.end] - read.words[:-1] > 1
    return np.stack(
        (
            before(((read.bits & TIME) != 0) | (tag == NUMBER["time"])),
            before(is_author | (tag == NUMBER["cite"])),
            before(titled),
            before(tag == NUMBER["h1"]),
        )
    )


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


def _group(read: Reading, key: str, places: Ints, marks: Ints, area: Bools) -> Group:
    rows = read.rows[places]
    ends = read.page.end[rows].astype(np.int64)
    own = own_sums(rows, ends, read.free[ends] - read.free[rows])
    total = own_sums(rows, ends, read.words[ends] - read.words[rows])
    has = (marks[:, ends] - marks[:, rows]) > 0
    time, author, titled, headed = has.mean(axis=1).tolist()
    links = 1 - float(own.sum()) / max(float(total.sum()), 1.0)
    evidence = _NAME[key[0]] + _SEVERAL * (len(rows) > 1) + _TIMED * time + _SIGNED * author
    numbered = float(read.numbered[places].mean())
    evidence += _NUMBERED * numbered
    evidence += _IN_AREA * float(area[rows].mean()) - _LINKS * max(links - _MOST_LINKS, 0.0)
    if key[0] == "p":
        evidence -= _TITLED * titled + _HEADED * (headed > 0)
        evidence -= _ANONYMOUS * (max(time, author, numbered) < _KNOWN)
    elif key.startswith("comment:schema.org"):  # an answer may be one of a FAQ
        evidence -= _ANONYMOUS * (max(time, author) < _KNOWN)
    if own.mean() < _FEWEST_WORDS:
        evidence -= _EMPTY
    return Group(key, rows, ends, own, evidence, titled)


def own_sums(rows: Ints, ends: Ints, sums: Ints) -> Ints:
    """Take from each member's sum those of the members directly inside it."""
    if len(rows) < 2 or bool((rows[1:] >= ends[:-1]).all()):
        return sums
    around = enclosing(rows, ends)
    has = around >= 0
    return sums - np.bincount(around[has], sums[has], len(rows)).astype(np.int64)


def enclosing(rows: Ints, ends: Ints) -> Ints:
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
