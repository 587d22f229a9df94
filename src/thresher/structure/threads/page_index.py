"""What is read of a page once: names of elements as bits, and sums of words.

Names cost most of all, so they are read for blocks with a few words first, and for what is inside
those that may be records only after that (`read_within`).
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import methodcaller
from typing import Any

import numpy as np
import numpy.typing as npt

from thresher.page import Node, Page
from thresher.page.ancestors import AnyRows, levels_inside
from thresher.page.array_types import Bools, Int32s, Int64s
from thresher.page.attributes import attribute, distinct
from thresher.page.tags import BLOCK, NAMES, NEVER_CONTENT, NUMBER, lookup
from thresher.structure.threads.vocabulary import AUTHOR, OUTSIDE, record_key, sense

_ASIDE = lookup("nav footer")
_HREF = methodcaller("attr", "href")
_ITEMTYPE, _TYPEOF = (methodcaller("attr", name) for name in ("itemtype", "typeof"))
_FEWEST = 3  # words of an element that may be a record, author and time with them
_BESIDE_MOST = 0.4  # what holds more of the page's words is no sidebar, whatever its name says


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """What is read of a page once: the names of its blocks as bits, and sums of words."""

    page: Page
    bits: Int32s  # of each row; all but `rows` are filled in by `read_within`
    classes: Int64s  # of each row whose bits are filled in: which of `class_names` it has
    class_names: list[str | None]
    rows: Int64s  # block-level elements with at least a few words
    keys: Int64s  # of those: which of `names` is the record key
    names: list[str]  # "" first, of what says no record; a name may stand there twice
    numbered: Bools  # of those: the id has a digit
    words: Int64s  # words before each row that count, one more for the end
    free: Int64s  # the same without those in links
    beside: Int64s  # rows of what stands beside the content, in order

    @property
    def total(self) -> int:
        """Words of the page that are no links."""
        return int(self.free[-1])

    def saying(self, bits: int) -> Int64s:
        """Return the rows whose names say one of these, in order."""
        return (self.bits & bits).nonzero()[0]

    def under(self, marked: Int64s, rows: AnyRows) -> Bools:
        """Tell which of the rows are, or lie under, one of the marked rows (in order)."""
        if not len(marked):
            return np.zeros(len(rows), np.bool_)
        found: Bools = levels_inside(marked, self.page.end, rows) > 0
        return found

    def words_in(self, rows: AnyRows) -> Int64s:
        """Count the words under each of the rows."""
        return self.words.take(self.page.end.take(rows)) - self.words.take(rows)

    def free_in(self, rows: AnyRows) -> Int64s:
        """Count the words under each of the rows that are no links."""
        return self.free.take(self.page.end.take(rows)) - self.free.take(rows)


def before(values: npt.NDArray[np.integer[Any]]) -> Int64s:
    """Return the sum of the values before each row, one more for the end."""
    sums = np.zeros(len(values) + 1, np.int64)
    values.cumsum(out=sums[1:])
    return sums


def reading(page: Page) -> Reading:
    """Read the classes and ids of a page's blocks."""
    words, free = _words_before(page)
    blocks = BLOCK.take(page.tag).nonzero()[0]
    blocks = blocks[blocks.searchsorted(page.body, side="right") :]
    rows = blocks[words.take(page.end.take(blocks)) - words.take(blocks) >= _FEWEST]
    elements = list(map(page.nodes.__getitem__, rows.tolist()))
    class_names, of_class = distinct(attribute(elements, "class"), len(elements))
    ids = list(attribute(elements, "id"))
    keys, names, numbered, bits = _named(class_names, of_class, ids)
    for place in (page.tag.take(rows) >= len(NAMES)).nonzero()[0].tolist():
        _rename(keys, names, place, record_key(page.name(int(rows[place]))))
    _typed(page, elements, keys, names)
    of_row, class_of_row = np.zeros(len(page), np.int32), np.zeros(len(page), np.int64)
    of_row[rows], class_of_row[rows] = bits, of_class
    is_beside = _ASIDE.take(page.tag)
    is_beside[rows[(bits & OUTSIDE) != 0]] = True
    beside = is_beside.nonzero()[0]
    held = free.take(page.end.take(beside)) - free.take(beside)
    return Reading(
        page=page,
        bits=of_row,
        classes=class_of_row,
        class_names=class_names,
        rows=rows,
        keys=keys,
        names=names,
        numbered=numbered,
        words=words,
        free=free,
        beside=beside[held < _BESIDE_MOST * int(free[-1])],
    )


def _words_before(page: Page) -> tuple[Int64s, Int64s]:
    """Count the words before each row that may be a record's: all of them, and those not linked."""
    texts = page.words.nonzero()[0]
    never = NEVER_CONTENT.take(page.tag).nonzero()[0]
    texts = texts[levels_inside(never, page.end, texts) == 0]
    counted = np.zeros(len(page), np.int64)
    counted[texts] = page.words.take(texts)
    words = before(counted)
    counted *= ~page.linked
    return words, before(counted)


def _senses(names: list[str | None]) -> Int32s:
    return np.array([sense(name) if name else 0 for name in names], np.int32)


def _named(
    classes: list[str | None], of_class: Int64s, ids: list[str | None]
) -> tuple[Int64s, list[str], Bools, Int32s]:
    """Return which record key each element has, the keys, whether its id is numbered, its bits.

    Most elements share their class with others, so each is looked at once; of ids the digits are
    left out before, as they make them all distinct.
    """
    names = ["", *(record_key(name) if name else "" for name in classes)]
    known = np.array([place if name else 0 for place, name in enumerate(names[1:], 1)], np.int64)
    keys, bits = known.take(of_class), _senses(classes).take(of_class)
    numbered = np.zeros(len(ids), np.bool_)
    having = [place for place, identity in enumerate(ids) if identity]
    if having:
        shorts = [(ids[place] or "").translate(_WITHOUT_DIGITS) for place in having]
        bits[having] |= np.array(list(map(sense, shorts)), np.int32)
        pairs = zip(having, shorts, strict=True)
        digits = [(place, short) for place, short in pairs if len(short) < len(ids[place] or "")]
        numbered[[place for place, _ in digits]] = True
        for place, short in digits:
            if (key := record_key(short)) and names[keys[place]][:5] in ("", "entry"):
                keys[place] = len(names)
                names.append(key)
    return keys, names, numbered, bits


_WITHOUT_DIGITS = {ord(digit): None for digit in "0123456789"}


def _rename(keys: Int64s, names: list[str], place: int, name: str) -> None:
    """Give an element another key, if its own name says none."""
    if name and not keys[place]:
        keys[place] = len(names)
        names.append(name)


_TYPES = {
    "Comment": "comment:schema.org/Comment",
    "Answer": "comment:schema.org/Answer",
    "Question": "post:schema.org/question",
    "DiscussionForumPosting": "post:schema.org/DiscussionForumPosting",
}


def _typed(page: Page, elements: list[Node], keys: Int64s, names: list[str]) -> None:
    """Name elements by their microdata or RDFa type, where their own name says no record."""
    stated = page.nodes[0].select("[itemtype],[typeof]")[:_MOST_TYPED]
    types = [(_ITEMTYPE(node) or _TYPEOF(node) or "").rsplit("/", 1)[-1] for node in stated]
    if _TYPES.keys().isdisjoint(types):
        return
    place_of = {id(node): place for place, node in enumerate(elements)}
    for node, stated_type in zip(stated, types, strict=True):
        place = place_of.get(id(node))
        if place is not None:
            _rename(keys, names, place, _TYPES.get(stated_type, ""))


_MOST_TYPED = 5_000  # elements with a type that are looked at


# What the address of a member's page holds on one site or another.
_PROFILE = (
    "/user", "user/", "/member", "member=", "/profile", "profile/", "profile=", "profile.php",
    "/author/", "/people/", "/u/", "/@", "memberlist.php", "member.php", "user.php",
    "user?id=", "/nick/", "action=profile",
)  # fmt: skip


def read_within(read: Reading, marked: Int64s) -> None:
    """Fill in the bits of all elements under the marked rows; links to members are authors."""
    page = read.page
    is_new = page.tag != 0
    is_new[read.rows] = False
    rows = is_new.nonzero()[0]
    rows = rows[read.under(marked, rows)]
    nodes = list(map(page.nodes.__getitem__, rows.tolist()))
    names, of_name = distinct(attribute(nodes, "class"), len(nodes))
    read.bits[rows] = _senses(names).take(of_name)
    read.classes[rows] = of_name + len(read.class_names)
    read.class_names.extend(names)
    links = (page.tag.take(rows) == NUMBER["a"]).nonzero()[0]
    words = read.words_in(rows.take(links))
    links = links[(words > 0) & (words <= _NAME_WORDS)]
    addresses = [_HREF(nodes[place]) or "" for place in links.tolist()]
    members = _to_members(addresses)
    if members:
        read.bits[rows.take(links.take(members))] |= AUTHOR


def _to_members(addresses: list[str]) -> list[int]:
    """Tell which addresses are of members' pages; what no address holds is looked for once."""
    whole = "\0".join(addresses)
    parts = [part for part in _PROFILE if part in whole]
    numbered = list(enumerate(addresses)) if parts else []
    return sorted({place for part in parts for place, address in numbered if part in address})


_NAME_WORDS = 6  # of a link to a member
