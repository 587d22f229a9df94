"""What the search for records needs of a page: the meaning of class names and sums of words.

Class names cost most of the time. So they are first read for block-level elements with a few
words, and for elements inside those that may be records only when needed (`read_names_under`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import methodcaller
from typing import TypeAlias
from weakref import ReferenceType, ref

import numpy as np

from thresher.page import Node, Page
from thresher.page.array_types import AnyRows, Bools, Int32s, Int64s
from thresher.page.arrays import levels_inside
from thresher.page.attributes import attribute_values, distinct_values
from thresher.page.tags import BLOCK, HEADING, NAMES, NUMBER, lookup
from thresher.page.views import content_words_before
from thresher.page.words import collapsed
from thresher.structure.threads.vocabulary import (
    AUTHOR,
    NAME_BITS,
    OUTSIDE,
    RECORD_NAMES,
    TIME,
    RecordName,
)

_OUTSIDE_TAGS = lookup("nav footer")
_HREF = methodcaller("attr", "href")
_RECORD_WORDS = 3  # at least, of an element that may be a record, with author and time
_OUTSIDE_SHARE = 0.4  # an element with more of the page's words is no sidebar, whatever its name
_MEMBER_LINK_WORDS = 6  # at most, of a link to a member's page

_SCHEMA_ORG_RECORDS = {
    "Comment": RecordName("comment", "schema.org/Comment"),
    "Answer": RecordName("comment", "schema.org/Answer"),
    "Question": RecordName("post", "schema.org/question"),
    "DiscussionForumPosting": RecordName("post", "schema.org/DiscussionForumPosting"),
}
# Parts of the addresses of members' pages on common platforms, by what is in several of them.
_MEMBER_ADDRESSES = {
    "user": ("/user", "user/", "user.php", "user?id="),
    "member": ("/member", "member=", "memberlist.php", "member.php"),
    "profile": ("/profile", "profile/", "profile=", "profile.php", "action=profile"),
    "space": ("space-uid-", "mod=space"),
    "/": ("/author/", "/people/", "/u/", "/@", "/nick/", "/~"),
}
_WITHOUT_DIGITS = {ord(digit): None for digit in "0123456789"}


@dataclass(frozen=True, slots=True, eq=False)
class PageFacts:
    """Names and sums of words of one page, read once for all steps.

    `bits`, `class_of_row` and `class_names` are filled in further by `read_names_under`.
    """

    of_page: ReferenceType[Page]  # weak: the page keeps these facts, and would keep itself
    bits: Int32s  # of each row whose names were read: its `name_bits`, else 0
    class_of_row: Int64s  # of each row whose names were read: the place in `class_names`
    class_names: list[str | None]
    candidates: Int64s  # rows of block-level elements with at least a few words, in order
    record_names: dict[int, RecordName]  # by place among the candidates; few have one
    has_numbered_id: Bools  # of each candidate: the id has a digit
    words: Int64s  # before each row, without those in forms and code; one more for the total
    unlinked: Int64s  # the same without words in links
    outside: Int64s  # rows of sidebars, menus and footers, in order

    @property
    def page(self) -> Page:
        """The page, which is there as long as something else holds it."""
        page = self.of_page()
        if page is None:
            raise ReferenceError("the page of these facts is gone.")
        return page

    def rows_with(self, bits: int) -> Int64s:
        """Return the rows that have one of the bits, in order."""
        return (self.bits & bits).nonzero()[0]

    def is_under(self, marked: Int64s, rows: AnyRows) -> Bools:
        """Return one bool per row of `rows`: whether it is or is under a marked row (in order)."""
        if not len(marked):
            return np.zeros(len(rows), np.bool_)
        return levels_inside(marked, self.page.end, rows) > 0

    def words_in(self, rows: AnyRows) -> Int64s:
        """Return the number of words under each of the rows."""
        return self.words.take(self.page.end.take(rows)) - self.words.take(rows)

    def unlinked_in(self, rows: AnyRows) -> Int64s:
        """Return the number of words under each of the rows that are not in links."""
        return self.unlinked.take(self.page.end.take(rows)) - self.unlinked.take(rows)

    def time_rows(self) -> Int64s:
        """Return the rows of elements that are or are named a time, in order."""
        is_time = ((self.bits & TIME) != 0) | (self.page.tag == NUMBER["time"])
        found: Int64s = is_time.nonzero()[0]
        return found

    def linked_headings(self) -> Int64s:
        """Return the rows of links in headings, and of headings in links, in order.

        They have two words or more and do not name an author. Links in headings lead to another
        page. If all say the same, such as "Tea" and "Re: Tea", they are the subjects of posts, and
        there are none.
        """
        page = self.page
        parent, tag = page.parent, page.tag
        links = page.is_link.nonzero()[0]
        parents = np.maximum(parent.take(links), 0)
        grandparents = np.maximum(parent.take(parents), 0)
        heading = np.where(HEADING.take(tag.take(parents)), parents, grandparents)
        fits = HEADING.take(tag.take(heading)) & (self.words_in(links) > 1)
        fits &= ((self.bits.take(links) | self.bits.take(heading)) & AUTHOR) == 0
        links = links[fits]
        leads_elsewhere = ["#" not in link_address(page, row) for row in links.tolist()]
        in_links = (HEADING.take(tag) & page.linked).nonzero()[0]
        in_links = in_links[self.words_in(in_links) > 1]
        found = np.sort(np.concatenate((links[np.array(leads_elsewhere, np.bool_)], in_links)))
        return found[:0] if _are_one_subject(page, found) else found


def _are_one_subject(page: Page, headings: Int64s) -> bool:
    """Return whether several headings say the same, with "Re:" before one at least."""
    subjects: set[str] = set()
    are_answers = False
    for row in headings.tolist():
        line, count = _ANSWER.subn("", text_under(page, row).casefold(), count=1)
        subjects.add(line)
        are_answers = are_answers or count > 0
        if len(subjects) > 1:  # true of most pages
            return False
    return are_answers and len(headings) > 1


_ANSWER = re.compile(r"^(?:re|aw|antw|sv|odp|rif|回复|答复) ?[:：] ?")


def subject(line: str) -> str:
    """Return a heading in small letters, without the sign of an answer before it."""
    return _ANSWER.sub("", line.casefold().strip(), count=1)


def link_address(page: Page, row: int) -> str:
    """Return the address of a link as written; "#" for an empty or missing one."""
    return _HREF(page.nodes[row]) or "#"


def collapsed_texts(page: Page, places: Iterable[int]) -> list[str]:
    """Return these of the page's texts, with each run of white space as one space."""
    return [collapsed(page.texts[place]) for place in places]


def texts_under(page: Page, row: int, most: int | None = None) -> list[str]:
    """Return the texts under a row, or the first `most` of them, with white space collapsed."""
    return [collapsed(text) for text in page.texts_inside(row)[:most]]


def text_under(page: Page, row: int) -> str:
    """Return the text under a row on one line."""
    return " ".join(filter(None, texts_under(page, row)))


def page_facts(page: Page) -> PageFacts:
    """Read the classes, ids and types of a page's block-level elements, and sum its words."""
    words, unlinked = content_words_before(page)
    blocks = BLOCK.take(page.tag).nonzero()[0]
    blocks = blocks[blocks.searchsorted(page.body, side="right") :]
    rows = blocks[words.take(page.end.take(blocks)) - words.take(blocks) >= _RECORD_WORDS]
    class_names, class_of, ids = _known_names(page, rows) or _names(page, rows)
    record_names, has_numbered_id, bits = _read_names(len(rows), class_names, class_of, ids)
    for place in (page.tag.take(rows) >= len(NAMES)).nonzero()[0].tolist():  # custom elements
        name = RECORD_NAMES[page.name(int(rows[place]))]
        if name is not None:
            record_names.setdefault(place, name)
    _name_records_by_type(page, rows, record_names)
    bits_of_row, class_of_row = np.zeros(len(page), np.int32), np.zeros(len(page), np.int64)
    bits_of_row[rows], class_of_row[rows] = bits, class_of
    is_outside = _OUTSIDE_TAGS.take(page.tag)
    is_outside[rows[(bits & OUTSIDE) != 0]] = True
    outside = is_outside.nonzero()[0]
    held = unlinked.take(page.end.take(outside)) - unlinked.take(outside)
    return PageFacts(
        of_page=ref(page),
        bits=bits_of_row,
        class_of_row=class_of_row,
        class_names=class_names,
        candidates=rows,
        record_names=record_names,
        has_numbered_id=has_numbered_id,
        words=words,
        unlinked=unlinked,
        outside=outside[held < _OUTSIDE_SHARE * int(unlinked[-1])],
    )


def _bits_of_names(names: Sequence[str | None]) -> Int32s:
    return np.fromiter(map(NAME_BITS.__getitem__, names), np.int32, len(names))


Names: TypeAlias = tuple[list[str | None], Int64s, list[tuple[int, str]]]


def _names(page: Page, rows: Int64s) -> Names:
    """Return classes, the place among them of that of each element, and places with ids."""
    class_names, class_of = distinct_values(page.nodes, rows, "class")
    with_id = page.has_id.take(rows).nonzero()[0]
    elements = list(map(page.nodes.__getitem__, rows.take(with_id).tolist()))
    values = zip(with_id.tolist(), attribute_values(elements, "id"), strict=True)
    return class_names, class_of, [(place, name) for place, name in values if name]


def _known_names(page: Page, rows: Int64s) -> Names | None:
    """Return what `_names` does from names that were read before; None if they were not."""
    if page.block_names is None or not len(rows):
        return None
    known, pairs, pair_of_row = page.block_names
    places = known.searchsorted(rows)
    if not (known.take(places, mode="clip") == rows).all():
        return None
    pair_of = pair_of_row.take(places)
    classes, ids = zip(*pairs, strict=True)
    with_id = np.fromiter(map(bool, ids), np.bool_, len(ids)).take(pair_of).nonzero()[0]
    names = map(ids.__getitem__, pair_of.take(with_id).tolist())
    first = classes[pair_of[0]]  # that of rows whose names are not read
    return [first, *classes], pair_of + 1, list(zip(with_id.tolist(), names, strict=True))


def _read_names(
    size: int, class_names: list[str | None], class_of: Int64s, ids: list[tuple[int, str]]
) -> tuple[dict[int, RecordName], Bools, Int32s]:
    """Return the record names of elements by place, whether their ids have digits, their bits.

    Most elements share their class with others, so each class is read once. Digits are taken out
    of ids first, as they make them all distinct. An id with digits counts as a record's name only
    if the class names no comment or post.
    """
    by_class = list(map(RECORD_NAMES.__getitem__, class_names))
    has_name = np.array([name is not None for name in by_class], np.bool_).take(class_of)
    named = has_name.nonzero()[0]
    names = map(by_class.__getitem__, class_of.take(named).tolist())
    record_names = {place: name for place, name in zip(named.tolist(), names, strict=True) if name}
    short_ids = _without_digits([name for _, name in ids])
    bits = _bits_of_names(class_names).take(class_of)
    bits[[place for place, _ in ids]] |= _bits_of_names(short_ids)
    numbered: list[int] = []
    for (place, name), short in zip(ids, short_ids, strict=True):
        if len(short) == len(name):
            continue
        numbered.append(place)
        by_id, known = RECORD_NAMES[short], record_names.get(place)
        if by_id and (known is None or known.kind == "entry"):
            record_names[place] = by_id
    has_numbered_id = np.zeros(size, np.bool_)
    has_numbered_id[numbered] = True
    return record_names, has_numbered_id, bits


def _without_digits(names: list[str]) -> list[str]:
    """Return names without their digits, all at once: values of attributes have no NUL."""
    return "\0".join(names).translate(_WITHOUT_DIGITS).split("\0") if names else []


def described(page: Page) -> list[Node]:
    """Return the elements with a property of microdata, or a type of it or RDFa, in order."""
    found: list[Node] = page.nodes[0].select(":is([itemprop],[itemtype],[typeof])")
    return found


def _name_records_by_type(page: Page, rows: Int64s, names: dict[int, RecordName]) -> None:
    """Name elements by their microdata or RDFa type, where class and id name no record."""
    typed = page.cached(described)
    types = {*attribute_values(typed, "itemtype"), *attribute_values(typed, "typeof")}
    records = {kind: _SCHEMA_ORG_RECORDS.get((kind or "").rsplit("/", 1)[-1]) for kind in types}
    if not any(records.values()):  # true of most pages
        return
    for place in page.is_one_of(typed).take(rows).nonzero()[0].tolist():
        node = page.nodes[rows[place]]
        name = records[node.attr("itemtype") or node.attr("typeof")]
        if name is not None:
            names.setdefault(place, name)


def read_names_under(facts: PageFacts, marked: Int64s) -> None:
    """Read classes and ids of all elements under the marked rows; links to members are authors."""
    page = facts.page
    is_new = page.tag != 0
    is_new[facts.candidates] = False
    rows = is_new.nonzero()[0]
    rows = rows[facts.is_under(marked, rows)]
    names, name_of = distinct_values(page.nodes, rows, "class")
    facts.bits[rows] = _bits_of_names(names).take(name_of)
    with_id = rows[page.has_id.take(rows)]
    ids = attribute_values(list(map(page.nodes.__getitem__, with_id.tolist())), "id")
    facts.bits[with_id] |= _bits_of_names(_without_digits([name or "" for name in ids]))
    facts.class_of_row[rows] = name_of + len(facts.class_names)
    facts.class_names.extend(names)
    links = rows[page.is_link.take(rows)]
    words = facts.words_in(links)
    links = links[(words > 0) & (words <= _MEMBER_LINK_WORDS)]
    addresses, address_of = distinct_values(page.nodes, links, "href")
    joined = "\0".join(filter(None, addresses))
    stems = [stem for stem in _MEMBER_ADDRESSES if stem in joined]
    parts = [part for stem in stems for part in _MEMBER_ADDRESSES[stem] if part in joined]
    numbered = [(number, address) for number, address in enumerate(addresses) if address]
    is_member = np.zeros(len(addresses), np.bool_)
    is_member[[number for part in parts for number, address in numbered if part in address]] = True
    facts.bits[links[is_member.take(address_of)]] |= AUTHOR
