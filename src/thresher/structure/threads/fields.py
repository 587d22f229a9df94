"""The fields of records: author, time, text and depth.

They are found by array expressions over all elements and texts inside records (`RecordRows`), which
leave out the rest of the page. Records may nest: a row belongs to the innermost one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from thresher.metadata import dates
from thresher.metadata.candidates import is_time
from thresher.page import Node, Page
from thresher.page.array_types import AnyRows, Bools, Int32s, Int64s, UInt16s
from thresher.page.arrays import innermost, levels_inside
from thresher.page.attributes import NameCache, attribute_values, distinct
from thresher.page.controls import control_texts
from thresher.page.tags import BLOCK, HEADING, NUMBER, lookup
from thresher.page.words import collapsed
from thresher.structure.threads.page_facts import (
    PageFacts,
    collapsed_texts,
    described,
    subject,
    text_under,
    texts_under,
)
from thresher.structure.threads.spans import Spans
from thresher.structure.threads.vocabulary import (
    AUTHOR,
    BODY,
    BYLINE,
    CONTROL,
    IS_CONTROL,
    LONGEST_CONTROL,
    QUOTE,
    REPLIES,
    SIGNATURE,
    TIME,
)

_MARKS = " \t\n,;:|·•-–—"  # beside a name
_STAMP_WORDS = 16  # at most, of an element that is a time


@dataclass(frozen=True, slots=True, eq=False)
class RecordRows:
    """The elements and the texts of records."""

    facts: PageFacts
    records: Spans
    group: Int64s  # of each record: the number of its group; those of a group are built alike
    elements: Int64s  # rows of all elements in records, in order
    owner: Int64s  # of each element: the number of its record
    words: Int64s  # of each element: words under it
    bits: Int32s  # of each element: its bits by name
    tag: UInt16s  # of each element
    texts: Int64s  # places in `page.texts` of texts with characters, by record, then in order
    text_rows: Int32s  # of each text: its row
    text_owner: Int64s  # of each text: the number of its record

    @classmethod
    def of(cls, facts: PageFacts, records: Spans, group: Int64s) -> RecordRows:
        """Collect the elements and texts of records."""
        page = facts.page
        owner = records.innermost(len(page))
        elements = ((owner >= 0) & (page.tag != 0)).nonzero()[0]
        text_owner = owner.take(page.text_rows)
        texts = ((text_owner >= 0) & (page.chars.take(page.text_rows) > 0)).nonzero()[0]
        texts = texts.take(text_owner.take(texts).argsort(kind="stable"))
        return cls(
            facts=facts,
            records=records,
            group=group,
            elements=elements,
            owner=owner.take(elements),
            words=facts.words_in(elements),
            bits=facts.bits.take(elements),
            tag=page.tag.take(elements),
            texts=texts,
            text_rows=page.text_rows.take(texts),
            text_owner=text_owner.take(texts),
        )

    def first_rows(self, places: Int64s) -> Int64s:
        """Return for each record the row of its first element among those at `places`, else -1."""
        found = np.full(len(self.records), -1)
        found[self.owner.take(places[::-1])] = self.elements.take(places[::-1])
        return found

    def bounds(self, owner: Int64s) -> list[int]:
        """Return where each record begins in a column sorted by `owner`, and its length."""
        bounds: list[int] = owner.searchsorted(np.arange(len(self.records) + 1)).tolist()
        return bounds


# --- text ----------------------------------------------------------------------------------------

_FORM_CONTROLS = lookup("button select textarea option label input")
_CONTROL_WORDS = 60  # at most, of a control or a signature
_BODY_PRESENCE = 0.6  # share of records that have an element of the body's tag and class, at least
_BODIES_PER_RECORD = 1.2  # of the records that have one, at most
_BODY_SHARE, _NAMED_BODY_SHARE = 0.5, 0.3  # of the records' words, at least; less if named a body
_NEAR_LARGEST = 0.8  # of the largest share: elements with less are a part of the text,
_NAMED_NEAR_LARGEST = 0.6  # unless they are named a body;
_UNNAMED_NEAR_LARGEST = 1  # beside one that is, others hold all of its words
_WORDS_PER_LEVEL = 1e-4  # of elements with the same words the innermost is the body


@dataclass(frozen=True, slots=True, eq=False)
class Bodies:
    """Which elements hold the texts of the records, and which hold something else."""

    rows: RecordRows
    bodies: Int64s  # rows of elements that hold the texts, in order
    owner: Int64s  # of each body: the number of its record
    has_body: Bools  # of each record: whether it has such an element
    controls: Int64s  # rows of buttons, votes, signatures, forms, in order
    bylines: Int64s  # rows of elements with the author or the time, in order
    quoting: list[int]  # rows of elements with what the records quote of others, in order
    quotes: Int64s  # the same with the rows of titles before them, in order
    headings: Int64s  # rows of headings above the bodies that belong to the texts, in order

    def spans(self) -> list[tuple[int, int]]:
        """Return the first row of the body of each record and the first after it; else its own."""
        page, records = self.rows.facts.page, self.rows.records
        found = list(zip(records.begins.tolist(), records.ends.tolist(), strict=True))
        seen: dict[int, list[int]] = {}
        for number, row in zip(self.owner.tolist(), self.bodies.tolist(), strict=True):
            seen.setdefault(number, []).append(row)
        for number, own in seen.items():
            found[number] = own[0], max(int(page.end[row]) for row in own)
        return found

    def is_control(self, rows: AnyRows, owner: Int64s) -> Bools:
        """Return one bool per row: whether it is in a control, or hidden in a shown record.

        `owner` is the number of the record of each row.
        """
        facts = self.rows.facts
        hidden = facts.page.hidden
        is_hidden = hidden.take(rows) & ~hidden.take(self.rows.records.begins).take(owner)
        return is_hidden | facts.is_under(self.controls, rows)

    def is_text(self, rows: AnyRows, owner: Int64s) -> Bools:
        """Return one bool per row: whether it belongs to the text of its record, see `owner`.

        This includes what the record quotes of another one.
        """
        box = innermost(self.bodies, self.rows.facts.page.end, rows)
        box = np.where(box < 0, -1, self.bodies.searchsorted(box))
        in_body = np.append(self.owner, -1).take(box) == owner  # that of a record around it is none
        in_byline = self.rows.facts.is_under(self.bylines, rows)
        found = np.where(self.has_body.take(owner), in_body, ~in_byline)
        found |= self.rows.facts.is_under(self.headings, rows)
        return found & ~self.is_control(rows, owner)

    def headings_of_records(self) -> list[tuple[int, ...]]:
        """Return the rows of the headings above the body of each record."""
        found: list[list[int]] = [[] for _ in range(len(self.rows.records))]
        numbers = self.rows.elements.searchsorted(self.headings)
        for row, owner in zip(self.headings.tolist(), self.rows.owner.take(numbers), strict=True):
            found[owner].append(row)
        return [tuple(several) for several in found]

    def images_of_records(self) -> list[tuple[int, ...]]:
        """Return the rows of the images in the body of each record, without those it quotes."""
        found: list[list[int]] = [[] for _ in range(len(self.rows.records))]
        places = (self.rows.tag == NUMBER["img"]).nonzero()[0]
        images, owner = self.rows.elements.take(places), self.rows.owner.take(places)
        is_own = self.has_body.take(owner) & self.is_text(images, owner)
        is_own &= ~self.rows.facts.is_under(self.quotes, images)
        for row, number in zip(images[is_own].tolist(), owner[is_own].tolist(), strict=True):
            found[number].append(row)
        return [tuple(several) for several in found]

    def is_quoted(self, rows: AnyRows, owner: Int64s) -> Bools:
        """Return one bool per row of the texts: whether it is quoted from another record.

        In a record that has no words of its own nothing is.
        """
        found = self.rows.facts.is_under(self.quotes, rows)
        has_own = np.zeros(len(self.rows.records), np.bool_)
        has_own[owner[~found]] = True
        return found & has_own.take(owner)

    def quotations_of_records(self) -> list[tuple[Quotation, ...]]:
        """Return what each record quotes of others."""
        found: list[list[Quotation]] = [[] for _ in range(len(self.rows.records))]
        numbers = self.rows.elements.searchsorted(self.quoting)
        for row, owner in zip(self.quoting, self.rows.owner.take(numbers), strict=True):
            found[owner].append(_quotation(self.rows.facts.page, row))
        return [tuple(several) for several in found]

    def is_closing_byline(
        self, places: Int64s, owner: Int64s, authors: list[str], times: list[tuple[str, str]]
    ) -> Bools:
        """Return one bool for each text of a record: whether it is of the line that ends it.

        Such a line says the author and the time, and nothing more: "– Ada Mar 4 at 10:00". The
        texts are given by their places in `page.texts`, by record, then in order; `owner` is the
        record of each, `authors` and `times` are those of all records.
        """
        facts = self.rows.facts
        is_byline = facts.is_under(self.bylines, facts.page.text_rows.take(places))
        found = np.zeros(len(places), np.bool_)
        for number in np.unique(owner[is_byline]).tolist():
            first, last = owner.searchsorted((number, number + 1)).tolist()
            texts = collapsed_texts(facts.page, places[first:last].tolist())
            begin = len(texts)
            while begin and (is_byline[first + begin - 1] or not texts[begin - 1].strip(_MARKS)):
                begin -= 1
            line = " ".join(filter(None, texts[begin:]))
            author, time = authors[number], times[number][1]
            has_both = author in line and time in line.replace(author, "", 1)
            if begin and author and time and has_both:
                found[first + begin : last] = True
        return found


def find_bodies(rows: RecordRows) -> Bodies:
    """Find the elements that hold the texts of the records, group by group."""
    facts, begins, words = rows.facts, rows.records.begins, rows.words
    is_inner = begins.take(rows.owner) != rows.elements
    is_control = ((rows.bits & CONTROL) != 0) & (words <= _CONTROL_WORDS)
    is_control &= words * 2 < facts.words_in(begins).take(rows.owner)
    if facts.page.present[NUMBER["pre"]]:  # a class of code may name its buttons
        is_control &= ~_hold(rows, (facts.page.tag == NUMBER["pre"]).nonzero()[0])
    is_control |= _FORM_CONTROLS.take(rows.tag)
    is_control |= _are_signatures(rows)
    is_byline = ((rows.bits & (AUTHOR | TIME)) != 0) | (rows.tag == NUMBER["time"])
    is_byline &= words <= _STAMP_WORDS
    is_byline |= (rows.bits & BYLINE) != 0
    bylines = rows.elements[is_inner & is_byline]
    controls = np.concatenate((rows.elements[is_inner & is_control], _control_texts(rows)))
    controls.sort()
    is_stamp = is_byline & ((rows.bits & (TIME | BODY)) == TIME) | ((rows.bits & BYLINE) != 0)
    times = rows.elements[is_inner & is_stamp]
    may_be_body = (words > 0) | ((rows.bits & BODY) != 0)  # that of a picture has no words
    is_box = BLOCK.take(rows.tag) | ((rows.bits & BODY) != 0)
    places = (is_inner & is_box & may_be_body).nonzero()[0]
    places = places[~facts.is_under(controls, rows.elements.take(places))]
    group = rows.group.take(rows.owner.take(places))
    before = _words_before(rows, np.sort(np.concatenate((controls, times))))
    sizes = Counter(rows.group.tolist())
    stated, stated_group = _stated_bodies(rows, is_inner)
    bodies: list[Int64s] = []
    for number in sorted(sizes, key=lambda one: (-sizes[one], one)):
        own, own_begins = places[group == number], begins[rows.group == number]
        alike = _alike(rows, own, bodies[0]) if bodies and len(own_begins) == 1 else own[:0]
        found = _body_elements(rows, own, own_begins, before) if len(alike) != 1 else alike
        by_microdata = stated[stated_group == number]
        if len(alike) != 1 and len(by_microdata) >= _BODY_PRESENCE * len(own_begins):
            with_both = rows.owner.take(rows.elements.searchsorted(by_microdata))
            owner = rows.owner.take(rows.elements.searchsorted(found))
            found = np.concatenate((by_microdata, found[~np.isin(owner, with_both)]))
        bodies.append(found)
    body_rows = np.sort(np.concatenate(bodies))
    owner = rows.owner.take(rows.elements.searchsorted(body_rows))
    has_body = np.zeros(len(begins), np.bool_)
    has_body[owner] = True
    quoting = _quoting_elements(rows, is_inner, body_rows)
    quotes = np.array(sorted((*quoting, *_titles_before(facts.page, quoting))), np.int64)
    beside = np.sort(np.concatenate((controls, bylines)))
    headings = _headings(rows, is_inner, body_rows, owner, beside)
    return Bodies(rows, body_rows, owner, has_body, controls, bylines, quoting, quotes, headings)


def _are_signatures(rows: RecordRows) -> Bools:
    """Return one bool per element: whether it is named a signature, which may be a long one."""
    found: Bools = ((rows.bits & SIGNATURE) != 0) & (rows.words <= _SIGNATURE_WORDS)
    if found.any():
        of_record = rows.facts.words_in(rows.records.begins).take(rows.owner)
        found &= rows.words <= _SIGNATURE_SHARE * of_record
    return found


_SIGNATURE_SHARE = 0.9  # of the words of a record, at most: with more it holds the text
_SIGNATURE_WORDS = 200  # at most


def _stated_bodies(rows: RecordRows, is_inner: Bools) -> tuple[Int64s, Int64s]:
    """Return the rows of the texts of records by microdata, and the groups of these records.

    There is none in a record that has several.
    """
    page = rows.facts.page
    nodes = page.cached(described)
    properties = attribute_values(nodes, "itemprop")
    stated = [node for node, name in zip(nodes, properties, strict=True) if name in _TEXTS]
    if not stated:  # true of most pages
        return _NO_ROWS, _NO_ROWS
    found = page.is_one_of(stated[:_MOST_TEXTS_STATED])
    is_stated = found.take(rows.elements) & is_inner & (rows.words > 0)
    elements, owner = rows.elements[is_stated], rows.owner[is_stated]
    is_only = np.bincount(owner, minlength=len(rows.records)).take(owner) == 1
    return elements[is_only], rows.group.take(owner[is_only])


_TEXTS = frozenset(("text", "articleBody", "commentText"))  # properties
_MOST_TEXTS_STATED = 5_000


def _headings(
    rows: RecordRows, is_inner: Bools, bodies: Int64s, owner: Int64s, beside: Int64s
) -> Int64s:
    """Return the rows of headings above the bodies that say what each record is about, in order.

    Entries of live blogs and release notes have them. Those of boards repeat the subject of the
    thread, or name authors. `owner` is the record of each body, `beside` are rows of controls,
    authors and times.
    """
    facts, page = rows.facts, rows.facts.page
    is_heading = is_inner & HEADING.take(rows.tag)
    if not is_heading.any() or not len(bodies):  # true of most boards
        return _NO_ROWS
    first_body = np.full(len(rows.records), -1)
    first_body[owner[::-1]] = bodies[::-1]
    is_heading &= page.end.take(rows.elements) <= first_body.take(rows.owner)
    is_heading &= (rows.words > 0) & (rows.words <= _HEADING_WORDS)
    is_heading &= (rows.bits & (AUTHOR | TIME | CONTROL)) == 0
    found = rows.elements[is_heading & ~_hold(rows, beside)]
    found = found[~(facts.is_under(beside, found) | page.hidden.take(found))]
    texts = [subject(text_under(page, row)) for row in found.tolist()]
    seen = Counter(texts)
    titles = "\0".join([subject(text_under(page, row)) for row in _title_rows(page)])
    is_own = [seen[text] == 1 and text not in titles and not _is_stamp(text) for text in texts]
    own = found[np.array(is_own, np.bool_)]
    headed = np.unique(rows.owner.take(rows.elements.searchsorted(own)))
    if len(headed) < max(2, len(found) / 2, _HEADED_SHARE * len(rows.records)):
        return _NO_ROWS
    if facts.words_in(own).mean() < _MEAN_HEADING_WORDS:  # they may be names
        authors = facts.rows_with(AUTHOR)
        if rows.records.hold(authors[~facts.is_under(own, authors)]).mean() < _SIGNED_SHARE:
            return _NO_ROWS
    return own


def _title_rows(page: Page) -> list[int]:
    """Return the rows of the titles of the page."""
    is_title = (page.tag == NUMBER["h1"]) | (page.tag == NUMBER["title"])
    found: list[int] = is_title.nonzero()[0][:_MOST_TITLES].tolist()
    return found


def _is_stamp(heading: str) -> bool:
    """Return whether a heading is the number or the time of a post."""
    rest = _NUMBERED.sub("", heading, count=1)
    return not rest or _is_date(rest)


_MOST_TITLES = 3
_HEADING_WORDS, _MEAN_HEADING_WORDS = (
    30,
    3.0,
)  # at most, of one; at least, of such that are no names
_HEADED_SHARE, _SIGNED_SHARE = 0.3, 0.7  # of the records, at least
_NUMBERED = re.compile(
    r"^(?:(?:post|reply|answer|comment|message|beitrag|antwort)\W{0,3}\d*|#\d+)(?!\w)\W*", re.I
)


def _hold(rows: RecordRows, marked: Int64s) -> Bools:
    """Return one bool per element: whether it is or holds one of some rows, which are in order."""
    ends = rows.facts.page.end.take(rows.elements).astype(np.int64)
    return Spans(rows.elements, ends).hold(marked)


def _control_texts(rows: RecordRows) -> Int64s:
    """Return the rows of texts such as "Reply" that are links or stand alone in their blocks.

    Those that are controls on any page are found too, such as the buttons of code, perhaps twice.
    """
    page = rows.facts.page
    of_page = page.cached(control_texts)
    of_code = rows.text_rows[of_page.take(rows.texts)] if of_page is not None else _NO_ROWS
    is_short = page.chars.take(rows.text_rows) <= LONGEST_CONTROL
    places, text_rows = rows.texts[is_short], rows.text_rows[is_short]
    chosen = _say_controls(page, places)
    places, text_rows = places[chosen], text_rows[chosen]
    is_found = _stand_alone(page, places) | page.linked.take(text_rows)
    is_found |= _separate_controls(page, places, is_found)
    return np.concatenate((text_rows[is_found], of_code, _edit_lines(rows)))


def _edit_lines(rows: RecordRows) -> Int64s:
    """Return the rows of texts in blocks that only say when a record was changed, and by whom."""
    page = rows.facts.page
    block, found = page.blocks.of_text, list[int]()
    chars = page.chars.take(rows.text_rows)
    for place in rows.texts[(chars >= _SHORTEST_EDIT) & (chars <= _LONGEST_EDIT_LINE)].tolist():
        begin = page.texts[place].lstrip()[:40]
        if begin[:4].lower() not in _CHANGED_FIRST or not begin.lower().startswith(_CHANGED):
            continue  # true of most texts
        following = range(place, min(place + _MOST_EDIT_TEXTS, len(block)))
        own = [one for one in following if block[one] in (block[place], -1)]
        line = collapsed("".join([page.texts[one] for one in own])).strip()
        row = int(page.text_rows[place])
        is_whole = row == page.blocks.first[block[place]] or page.tag[row - 1] == NUMBER["br"]
        if is_whole and len(line) <= _LONGEST_EDIT_LINE and _DIGIT.search(line):
            found += page.text_rows.take(own).tolist()
    return np.array(found, np.int64)


_CHANGED = (
    "edited ", "last edited", "last modified", "this post was edited", "this post has been edited",
    "this post was last modified", "post edited", "zuletzt bearbeitet", "zuletzt geändert",
    "bearbeitet von", "geändert von", "dernière modification", "dernière édition", "édité par",
    "modifié par", "message édité", "message modifié", "última edición", "editado por",
    "última edição", "modificato da", "ultima modifica", "laatst bewerkt", "laatst aangepast",
    "последний раз редактировал", "отредактировано", "ostatnio edytowany", "ostatnio zmieniony",
    "本帖最后由", "最后编辑", "最後編輯",
)  # fmt: skip
_CHANGED_FIRST = frozenset(begin[:4] for begin in _CHANGED)
_SHORTEST_EDIT, _LONGEST_EDIT_LINE = 5, 140  # characters
_MOST_EDIT_TEXTS = 10
_NO_ROWS = np.zeros(0, np.int64)


def _say_controls(page: Page, places: Int64s) -> Bools:
    """Return one bool for each place in `page.texts`: whether a button of a post says so."""
    texts = map(page.texts.__getitem__, places.tolist())
    return np.fromiter(map(IS_CONTROL.__getitem__, texts), np.bool_, len(places))


def _separate_controls(page: Page, places: Int64s, is_control: Bools) -> Bools:
    """Return one bool for each place in `page.texts`: a bar or dot before or after a control."""
    marks = [page.texts[place].strip() in _SEPARATORS for place in places.tolist()]
    is_mark = np.array(marks, np.bool_)
    beside = np.zeros(len(page.texts) + 2, np.bool_)  # with a place before the first text
    beside[places[is_control]] = beside[places[is_control] + 2] = True
    found: Bools = is_mark & beside[places + 1]
    return found


_SEPARATORS = frozenset("| · • - – / ‖ :: »".split())


def controls_among(page: Page, keep: Bools) -> Int64s:
    """Return the places of kept texts in blocks of nothing but controls, such as "Post Cancel"."""
    is_short = keep & (page.chars.take(page.text_rows) <= LONGEST_CONTROL)
    places = is_short.nonzero()[0]
    places = places[_say_controls(page, places)]
    return places[_stand_alone(page, places)]


def lines_about_thread(page: Page, keep: Bools, first: int) -> list[int]:
    """Return the places of kept texts in lines about a thread before the row of its first post.

    They say how often it was read, or who opened it: "Author Topic: Tea (Read 12 times)".
    """
    places = (keep & (page.text_rows < first)).nonzero()[0]
    block = page.blocks.of_text.take(places)
    begins = np.append(True, block[1:] != block[:-1]).nonzero()[0] if len(places) else block
    found: list[int] = []
    for begin, end in pairwise((*begins.tolist(), len(places))):
        own = places[begin:end].tolist()
        if len(own) <= _MOST_EDIT_TEXTS:
            line = collapsed("".join([page.texts[place] for place in own])).strip()
            if len(line) <= _LONGEST_EDIT_LINE and _ABOUT_THREAD.fullmatch(line):
                found += own
    return found


_ABOUT_THREAD = re.compile(
    r".{1,120}\((?:read|gelesen|lu|leído|lida|gelezen|letto|przeczytany|прочитано) [\d.,]+ "
    r"(?:times|mal|fois|veces|vezes|keer|volte|razy|раз)\)"
    r"|(?:open |closed |merged |draft )?\S{1,40} opened this (?:issue|pull request) "
    r".{0,40}\d.{0,40}",
    re.I,
)


def opening_times(page: Page, places: Int64s, owner: Int64s) -> Bools:
    """Return one bool for each text of a record: whether it is of a line with its time.

    The line is a `<time>` with which the text of the record begins. The texts are given by their
    places in `page.texts`, by record, then in order; `owner` is the record of each.
    """
    found = np.zeros(len(places), np.bool_)
    times = (page.tag == NUMBER["time"]).nonzero()[0]
    if not len(times) or not len(places):
        return found
    block = page.blocks.of_text.take(places)
    is_in_time = levels_inside(times, page.end, page.text_rows.take(places)) > 0
    is_first = np.append(True, owner[1:] != owner[:-1])
    for start in (is_first & is_in_time).nonzero()[0].tolist():
        end = start
        while end < len(places) and is_in_time[end] and block[end] == block[start]:
            end += 1
        if end < len(places) and owner[end] == owner[start] and block[end] != block[start]:
            found[start:end] = True
    return found


def _stand_alone(page: Page, places: Int64s) -> Bools:
    """Return one bool for each place in `page.texts`: whether its block holds such texts alone.

    The others have no characters, or are at one of the `places` too.
    """
    block = page.blocks.of_text
    is_other = (page.chars.take(page.text_rows) > 0) & (block >= 0)
    is_other[places] = False
    others = np.bincount(block[is_other], minlength=len(page.blocks))
    found: Bools = (block.take(places) >= 0) & (others.take(np.maximum(block.take(places), 0)) == 0)
    return found


def member_cards(rows: RecordRows) -> Int64s:
    """Return the rows of the boxes in records that are named for authors alone, in order."""
    is_member = ((rows.bits & (AUTHOR | BODY)) == AUTHOR) & (rows.words <= _CONTROL_WORDS)
    is_member &= rows.records.begins.take(rows.owner) != rows.elements
    found: Int64s = rows.elements[is_member]
    return found


def _words_before(rows: RecordRows, beside: Int64s) -> Int64s:
    """Return the words before each row that may be a record's text, and their total.

    Those in links are left out, and those of boxes that are named for authors alone: the rank and
    the other data of a member may be longer than the post. `beside` are rows of buttons and times,
    whose words are left out too; of both kinds, in order.
    """
    unlinked, members = rows.facts.unlinked, member_cards(rows)
    words = np.diff(unlinked)
    held = words.nonzero()[0]
    left_out = np.sort(np.concatenate((members, beside)))
    words[held[rows.facts.is_under(left_out, held)]] = 0
    return np.concatenate((unlinked[:1], words.cumsum()))


def _body_elements(rows: RecordRows, places: Int64s, begins: Int64s, before: Int64s) -> Int64s:
    """Return the smallest elements of one tag and class that hold most of the records' words.

    `places` are those of the elements of the records that begin at `begins`, all of one group;
    `before` has the words before each row (`_words_before`).
    """
    facts, elements = rows.facts, rows.elements.take(places)
    page = facts.page
    if not len(places):
        return elements
    key = _tag_and_class(facts, elements, (rows.bits.take(places) & BODY) != 0)
    count = np.bincount(key)
    size = len(rows.records)
    records_and_keys = np.unique(key * size + rows.owner.take(places))
    present = np.bincount(records_and_keys // size, minlength=len(count))
    words = before.take(page.end.take(elements)) - before.take(elements)
    held = np.bincount(key, words, len(count))
    is_named = np.bincount(key, (rows.bits.take(places) & BODY) != 0, len(count)) > 0.5 * count
    ends = page.end[begins]
    # A nested record ends the own part.
    own_ends = np.minimum(np.append(begins[1:], ends[-1:]), ends)
    total = int((before[own_ends] - before[begins]).sum())
    share = held / max(total, 1)
    fits = (present >= _BODY_PRESENCE * len(begins)) & (count <= _BODIES_PER_RECORD * present)
    fits &= share >= np.where(is_named, _NAMED_BODY_SHARE, _BODY_SHARE)
    if not fits.any():
        return elements[:0]
    near = np.full(len(share), _NEAR_LARGEST)
    largest = share[fits].max()
    if (fits & is_named).any():  # a paragraph in it may hold nearly as much, but no list beside it
        largest = share[fits & is_named].max()
        near = np.where(is_named, _NAMED_NEAR_LARGEST, _UNNAMED_NEAR_LARGEST)
    fits &= share >= near * largest
    level = np.bincount(key, page.level.take(elements)) / count
    mean = held / np.maximum(present, 1)  # not the sum: that of one in fewer records is less
    smallest = np.where(fits, mean - level * _WORDS_PER_LEVEL, np.inf).argmin()
    found: Int64s = elements[key == smallest]
    return found


def _alike(rows: RecordRows, places: Int64s, bodies: Int64s) -> Int64s:
    """Return the rows of the elements at `places` with the tag and class of the first body.

    A single post whose text is too short for the names of the others is built as they are.
    """
    elements, facts = rows.elements.take(places), rows.facts
    if not len(bodies):
        return elements[:0]
    name = facts.class_names[facts.class_of_row[bodies[0]]]
    names = [facts.class_names[one] for one in facts.class_of_row.take(elements).tolist()]
    is_alike = np.array([bool(name) and one == name for one in names], np.bool_)
    found: Int64s = elements[is_alike & (rows.tag.take(places) == facts.page.tag[bodies[0]])]
    return found


def _tag_and_class(facts: PageFacts, rows: Int64s, is_named: Bools) -> Int64s:
    """Return a number for the tag and first class of each row, from 0 in order of appearance.

    Elements that are named a body, if only by their ids, have other numbers than those that are
    not.
    """
    class_of = facts.class_of_row.take(rows)
    word_of = np.bincount(class_of)  # of each class that occurs, the number of its first word
    classes = word_of.nonzero()[0]
    names = [facts.class_names[one] or "" for one in classes.tolist()]
    word_of[classes] = distinct([name.split(" ", 1)[0] for name in names], len(names))[1]
    key = (word_of.take(class_of) * 65_536 + facts.page.tag.take(rows)) * 2 + is_named
    return distinct(key.tolist(), len(rows))[1]


# --- quotations ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Quotation:
    """What a record quotes of another one."""

    row: int  # of its element
    author: str  # "" if the page does not say
    title: tuple[int, ...]  # rows of the texts that say so, and of a label such as "Quote:"


def _quoting_elements(rows: RecordRows, is_inner: Bools, bodies: Int64s) -> list[int]:
    """Return the rows of elements with what the records quote of others; one may be in another.

    These are elements named a quote, those that begin with a line such as "Ada wrote:", and
    `<blockquote>` elements that say whose they are, follow such a line, or repeat what another
    record says.
    """
    page, elements = rows.facts.page, rows.elements
    named = set(elements[is_inner & ((rows.bits & QUOTE) != 0)].tolist())
    is_other = is_inner & (rows.tag == NUMBER["blockquote"])
    others = elements[is_other & ~_hold(rows, bodies)].tolist()
    titled = _titled_quotes(rows, {*bodies.tolist(), *named, *others})
    uncited: list[int] = []
    for row in others:
        if row not in named:
            found = _quotation(page, row) if _may_have_author(page, row) else None
            is_titled = found is not None and (found.author or found.title)
            (titled.add if is_titled else uncited.append)(row)
    return sorted({*named, *titled, *_repeated(rows, uncited)})


def _may_have_author(page: Page, row: int) -> bool:
    """Return False if a `<blockquote>` surely does not say whose it is; this costs little."""
    first, stop = page.text_span(row)
    begin = "".join(page.texts[first : min(stop, first + _MOST_LINES)])[:_LONGEST_QUOTE_TITLE]
    return bool(
        ":" in begin
        or "表于" in begin
        or begin.lstrip()[:5].lower() in _TITLE_BEGINNINGS
        or _ends_in_colon(page, first)
        or _stated_author(page, row)
    )


_TITLE_BEGINNINGS = ("origi", "quote", "zitat", "cita ", "citat", "citaa", "cytat", "цитат")


def _ends_in_colon(page: Page, place: int) -> bool:
    """Return whether the last text before a place in `page.texts` ends in a colon."""
    before = (page.texts[at].rstrip() for at in range(place - 1, max(place - 4, -1), -1))
    return next(filter(None, before), "").endswith(":")


def _titles_before(page: Page, quotes: list[int]) -> list[int]:
    """Return the rows of texts right before quotations that are their titles."""
    found: list[int] = []
    for row in quotes:
        if _ends_in_colon(page, page.text_span(row)[0]):  # false of most
            title = _quotation(page, row).title
            found += title if title and title[0] < row else ()
    return found


def _quotation(page: Page, row: int) -> Quotation:
    """Return a quotation with its author, from an attribute, its first lines or the line before.

    The author is "" if none of them says it.
    """
    author = _stated_author(page, row)
    title: list[int] = []
    first, stop = page.text_span(row)
    for line, places in _first_lines(page, first, stop):
        by = _quoted_author(line, author)
        is_day = by is None and bool(title) and dates.is_only_date(line.strip(_MARKS))
        if by is None and not is_day:
            break
        title += places
        author = author or by or ""
    if not title and (before := _line_before(page, first)):
        by = _quoted_author(before[0], author)
        if by and (author or _HAS_DIGIT.search(before[0]) or _is_alone(page, by)):
            author, title = author or by, before[1]
    return Quotation(row, author, tuple(page.text_rows.take(title).tolist()) if title else ())


_HAS_DIGIT = re.compile(r"\d")  # of a date: "On 3 May, Ada Berg wrote:"


def _is_alone(page: Page, name: str) -> bool:
    """Return whether a text of the page is a name and nothing else, as those of members are.

    "The manual says:" is a sentence of the post.
    """
    return name.lstrip("@").casefold() in page.cached(_short_texts)


def _short_texts(page: Page) -> frozenset[str]:
    texts = (text.strip() for text in page.texts if len(text) <= 2 * _LONGEST_AUTHOR)
    return frozenset(text.lstrip("@").casefold() for text in texts)


_AUTHOR_ATTRIBUTES = (
    "data-quote", "data-ipsquote-username", "data-username", "data-author", "data-cite",
)  # fmt: skip
_MOST_LINES = 3  # with the title of a quotation: a label, who wrote it, when
_MOST_PIECES = 8  # texts of such a line


def _stated_author(page: Page, row: int) -> str:
    """Return the name that an attribute of a quotation's element, or of one around it, states."""
    for node in (page.nodes[row], page.nodes[page.parent[row]]):
        if node.attrs:
            given = [one for one in _AUTHOR_ATTRIBUTES if one in node.attrs]
            name = next(filter(None, (_given_author(node, one) for one in given)), "")
            if name or "class" in node.attrs:  # one around it that has a name is something else
                return name
    return ""


def _first_lines(page: Page, first: int, stop: int) -> Iterator[tuple[str, list[int]]]:
    """Yield the first lines of some texts, with the places of the texts of each.

    A line ends at a block, a line break or a `<cite>`. A line of many pieces ends the search.
    """
    lines, places = 0, list[int]()
    texts = _solid_texts(page, range(first, min(stop, first + 2 * _MOST_PIECES)))
    for place in texts:
        if places and not _are_in_line(page, places[-1], place):
            yield _line(page, places), places
            lines, places = lines + 1, []
        if lines >= _MOST_LINES or len(places) >= _MOST_PIECES:
            return
        places.append(place)
    if places and stop <= first + 2 * _MOST_PIECES:
        yield _line(page, places), places


def _line_before(page: Page, place: int) -> tuple[str, list[int]] | None:
    """Return the line that ends before a text, with the places of its texts; None if it is long."""
    found: list[int] = []
    for before in _solid_texts(page, range(place - 1, max(place - 2 * _MOST_PIECES, -1), -1)):
        if found and not _are_in_line(page, before, found[0]):
            return _line(page, found), found
        found.insert(0, before)
    return None


def _solid_texts(page: Page, places: range) -> list[int]:
    """Return which of these places in `page.texts` are texts with characters."""
    return [place for place in places if page.chars[page.text_rows[place]]]


def _line(page: Page, places: list[int]) -> str:
    return collapsed("".join([page.texts[place][: 2 * _LONGEST_QUOTE_TITLE] for place in places]))


def _are_in_line(page: Page, place: int, following: int) -> bool:
    """Return whether two texts, one after the other, are in one line."""
    row, after = int(page.text_rows[place]), int(page.text_rows[following])
    block = page.blocks.of_text
    is_apart = block[place] != block[following]
    between = page.tag[row + 1 : after][: 2 * _MOST_PIECES]
    is_apart = is_apart or bool(_BREAKS.take(between).any())
    around = page.parent[row]
    for _ in range(_MOST_IN_CITE):
        if around < 0 or page.end[around] > after:
            break
        is_apart = is_apart or page.tag[around] == NUMBER["cite"]
        around = page.parent[around]
    return not is_apart


_BREAKS = lookup("br hr")
_MOST_IN_CITE = 4  # levels of elements around a text that may be the end of a line
_WROTE = (
    r"wrote|said|says|writes|schrieb|hat geschrieben|sagte|a écrit|a dit|escribió|dijo|escreveu|"
    r"disse|ha scritto|ha detto|schreef|zei|skrev|kirjoitti|napisał(?:\(a\)|a)?|"
    r"napsal(?:\(a\)|a)?|(?:на)?писал(?:\(а\)|а)?|сказал(?:\(а\)|а)?|yazdı|írta|a scris|έγραψε"
)
_LABELS = "quote|zitat|citation|cita|citaat|cytat|цитата"
_QUOTE_LABEL = re.compile(rf"(?:{_LABELS}|citat|引用) ?:?", re.I)
# "(3 May, 10:00) Ada wrote: 4 May"; "Quote from: Ada on 3 May"; "Ada 发表于 2024-5-3".
_QUOTE_TITLES = (
    re.compile(
        rf"(?:\([^()]{{4,40}}\) ?)?(?P<name>\S.{{0,100}}?),? (?:{_WROTE}) ?: ?[↑»]?(?: .*\d.*)?",
        re.I,
    ),
    re.compile(
        r"(?:originally posted by|quote from|zitat von|citation de|cita de|citaat van|cytat|цитата)"
        r"(?: ?:)? (?P<name>\S.*?)(?: (?:on|am|le|el|op|w dniu|dnia|от) .*\d.*)?",
        re.I,
    ),
    re.compile(r"(?P<name>\S.*?) (?:发表于|發表於|wrote on|schrieb am) .*\d.*"),
)
_IN_ANGLES = re.compile("<[^<>]*>|\\[mailto:[^\\]]*\\]")
_DAY_BEFORE = re.compile(
    r"^(?:on|am|le|el|il|op|em|den)\b(?:.*\d(?: ?[ap]\.?m\b\.?)?| \w+day),? (?=\S)", re.I
)
_DAY_AFTER = re.compile(r",? (?:on|am|le|el|il|op|em|den) .*\d.*", re.I)
_LONGEST_QUOTE_TITLE = 140  # characters


def _quoted_author(line: str, stated: str) -> str | None:
    """Return the author that a line above a quotation names, "" for a label; None if it is neither.

    `stated` is the author that an attribute states.
    """
    line = line.strip("↑⬆ »\u00a0")
    if not line or len(line) > _LONGEST_QUOTE_TITLE:
        return None
    if _QUOTE_LABEL.fullmatch(line):
        return ""
    if stated and line.casefold() in (stated.casefold(), f"{stated.casefold()}:"):
        return stated
    match = next(filter(None, (pattern.fullmatch(line) for pattern in _QUOTE_TITLES)), None)
    if match is None:
        return None
    name = _DAY_BEFORE.sub("", _IN_ANGLES.sub("", match["name"]).strip(), count=1)
    name = _DAY_AFTER.sub("", name).strip(f"{_MARKS}\"'«»")
    is_name = 0 < len(name) <= _LONGEST_AUTHOR and len(name.split()) <= _AUTHOR_WORDS
    return name if is_name else None


def _repeated(rows: RecordRows, quotes: list[int]) -> list[int]:
    """Return which of these rows repeat what is said elsewhere in the records."""
    if not quotes:  # true of most pages
        return []
    page = rows.facts.page
    said = "\0".join(collapsed_texts(page, rows.texts.tolist()))
    found: list[int] = []
    for row in quotes[:_MOST_UNCITED]:
        piece = max(texts_under(page, row, _MOST_PIECES), key=len, default="").strip()
        piece = piece[:_LONGEST_QUOTE_TITLE]
        at = said.find(piece) if len(piece.split()) > _QUOTED_WORDS else -1
        if at >= 0 and said.find(piece, at + 1) >= 0:
            found.append(row)
    return found


_MOST_UNCITED = 50  # so that the time stays linear


def _titled_quotes(rows: RecordRows, known: set[int]) -> set[int]:
    """Return the rows of elements in bodies that begin with a line such as "Ada wrote:".

    It is the innermost element that begins with the line and has more words. `known` are the rows
    of bodies, and of quotations that are known otherwise.
    """
    page, words = rows.facts.page, rows.facts.words
    found: set[int] = set()
    is_short = page.chars.take(rows.text_rows) <= _LONGEST_TITLE_TEXT
    texts = map(page.texts.__getitem__, rows.texts[is_short].tolist())
    for text, row in zip(texts, rows.text_rows[is_short].tolist(), strict=True):
        may_be = ":" in text or text.lstrip()[:1] in ("o", "O")  # false of most texts
        if not may_be or len(text) > _LONGEST_TITLE_TEXT or not _is_quote_title(text):
            continue
        around = int(page.parent[row])
        for _ in range(_MOST_AROUND_TITLE):
            if around in known or around < 0 or words[row] > words[around]:
                break
            if words[page.end[around]] > words[row + 1] + _QUOTED_WORDS:
                found.add(around)
                break
            around = int(page.parent[around])
    return found


def _is_quote_title(text: str) -> bool:
    line = text.strip()
    may_be = line.endswith(":") or line[:1] in ("o", "O")  # false of most lines
    return may_be and _QUOTE_TITLE.fullmatch(collapsed(line)) is not None


_LONGEST_TITLE_TEXT = 60  # characters
_MOST_AROUND_TITLE = 8  # elements around such a line in the quote
_QUOTED_WORDS = 3  # of a name and what is quoted, more
_QUOTE_TITLE = re.compile(
    rf"(?:{_LABELS}) ?:|originally posted by(?: \S.*)?"
    rf"|\S.{{0,40}} (?:{_WROTE}) ?:",
    re.I,
)


# --- author --------------------------------------------------------------------------------------

_AUTHOR_WORDS, _LONGEST_AUTHOR = 6, 60  # words and characters of a name, at most
_AUTHOR_BOX_WORDS = 40  # at most, of an element around an author's name
_AUTHOR_TAGS = lookup("a cite b strong span em h3 h4 h5 h6 font")
_BOLD_TAGS = lookup("cite b strong dt h3 h4 h5 h6")
_MAY_NAME_AUTHOR = _AUTHOR_TAGS | _BOLD_TAGS
# Labels before a name, and buttons in bold.
_NO_NAMES = frozenset(
    "by|posted by|written by|from|von|par|por|de|da|di|door|av|af|od|от|автор|author|autor|auteur|"
    "작성일|reply|reply to this|report|share|quote|permalink|answered|asked|commented".split("|")
)


def authors(rows: RecordRows, bodies: Bodies) -> list[str]:
    """Return the author of each record as written, "" if none is found.

    An author by microdata comes first, then one by class or link, then the first short bold text.
    If an element chosen for one of the records is only a date, elements that are only dates are
    left out and the choice is made again. An attribute of the record's own element comes before
    all of these if it is named `author`, and after them if it is `data-author`.
    """
    nodes = map(rows.facts.page.nodes.__getitem__, rows.records.begins.tolist())
    return [
        _given_author(node, "author") or name or _given_author(node, "data-author")
        for node, (_, name) in zip(nodes, _chosen_authors(rows, bodies), strict=True)
    ]


def _given_author(node: Node, attribute: str) -> str:
    """Return the name in an attribute; "" if it is too long, or only the number of a member."""
    name = collapsed(_attribute(node, attribute)).strip()
    return "" if name.isdecimal() or len(name) > _LONGEST_AUTHOR else name


def author_texts(rows: RecordRows, bodies: Bodies) -> list[int]:
    """Return the places in `page.texts` of the names of the records' authors."""
    page = rows.facts.page
    spans = [page.text_span(row) for row, name in _chosen_authors(rows, bodies) if name]
    return [place for first, last in spans for place in range(first, last)]


def _chosen_authors(rows: RecordRows, bodies: Bodies) -> list[tuple[int, str]]:
    """Return the row of the author's name in each record, -1 for none, and it; see `authors`."""
    places, by_microdata = _author_places(rows, bodies)
    texts: dict[int, str] = {-1: ""}  # of elements, without dates
    is_date = NameCache(_is_date, _LONGEST_STAMP)  # many posts are of the same day

    def read(several: Int64s) -> list[tuple[int, str]]:
        """Return these rows with their texts; each element is read once."""
        found = several.tolist()
        for row in found:
            if row not in texts:
                own = list(filter(None, texts_under(rows.facts.page, row)))
                texts[row] = " ".join([text for text in own if not is_date[text]])
                has_count = len(own) > 1 and own[-1].rpartition(" ")[2].isdecimal()
                if has_count or texts[row].casefold().strip(_MARKS) in _NO_NAMES:
                    texts[row] = ""
        return [(row, texts[row]) for row in found]

    chosen = read(_author_rows(rows, places, by_microdata))
    if any(row >= 0 and not _name(text) for row, text in chosen):
        is_name = [[bool(text) for _, text in read(rows.elements.take(own))] for own in places]
        places = [own[np.array(one, np.bool_)] for own, one in zip(places, is_name, strict=True)]
        chosen = read(_author_rows(rows, places, by_microdata))
    return [(row, _name(text)) for row, text in chosen]


def _short_elements(rows: RecordRows) -> Int64s:
    """Return the places of elements that may be chosen: with few words and no control in them."""
    may_be = (rows.words > 0) & (_words_besides_times(rows) <= _AUTHOR_WORDS)
    may_be &= _MAY_NAME_AUTHOR.take(rows.tag) | ((rows.bits & AUTHOR) != 0)
    places = may_be.nonzero()[0]
    elements, controls = rows.elements.take(places), rows.facts.rows_with(CONTROL)
    ends = rows.facts.page.end.take(elements)
    found: Int64s = places[controls.searchsorted(ends) == controls.searchsorted(elements)]
    return found


def _words_besides_times(rows: RecordRows) -> Int64s:
    """Return the words under each element, without those of times in elements named authors."""
    words = rows.words
    is_named = (rows.bits & AUTHOR) != 0
    is_time = ((rows.bits & TIME) != 0) & ~is_named & (words <= _STAMP_WORDS)
    times = rows.elements[is_time]
    if not len(times) or not is_named.any():
        return words
    named = is_named.nonzero()[0]
    texts = (rows.facts.page.words > 0).nonzero()[0]
    texts = texts[rows.facts.is_under(times, texts)]
    before = np.concatenate(([0], rows.facts.page.words.take(texts).cumsum()))
    elements = rows.elements.take(named)
    ends = rows.facts.page.end.take(elements)
    found = words.copy()
    found[named] -= before[texts.searchsorted(ends)] - before[texts.searchsorted(elements)]
    found[named[found[named] == 0]] = words[named[found[named] == 0]]
    return found


def _author_places(rows: RecordRows, bodies: Bodies) -> tuple[list[Int64s], Int64s]:
    """Return the places of short elements that may name authors, and of those by microdata.

    The short ones are bold, inside of elements that are named for authors, or named so.
    """
    page, elements, places = rows.facts.page, rows.elements, _short_elements(rows)
    is_named = (rows.bits & (AUTHOR | CONTROL)) == AUTHOR
    is_named &= (rows.words > 0) & (rows.words <= _AUTHOR_BOX_WORDS)
    boxes = _changes(rows)
    if len(boxes):
        is_named &= ~rows.facts.is_under(boxes, elements)
        places = places[~rows.facts.is_under(boxes, elements.take(places))]
    named = is_named.nonzero()[0]
    named_rows = elements.take(named)
    nodes = list(map(page.nodes.__getitem__, named_rows.tolist()))
    has_itemprop = [value == "author" for value in attribute_values(nodes, "itemprop")]
    inner = places[_AUTHOR_TAGS.take(rows.tag.take(places)) | is_named.take(places)]
    inner = inner[rows.facts.is_under(named_rows, elements.take(inner))]
    is_bold = _BOLD_TAGS.take(rows.tag.take(places)) & ((rows.bits.take(places) & TIME) == 0)
    bold = places[is_bold]
    bold = bold[~rows.facts.is_under(bodies.headings, elements.take(bold))]
    bold = bold[~bodies.is_text(elements.take(bold), rows.owner.take(bold))]
    found = [bold, inner, places[is_named.take(places)]]
    return found, named[np.array(has_itemprop, np.bool_)]


def _author_rows(rows: RecordRows, places: list[Int64s], by_microdata: Int64s) -> Int64s:
    """Return the row of the author's name in each record; -1 for none. See `_author_places`."""
    page, elements = rows.facts.page, rows.elements
    bold, inner, named = places
    chosen = rows.first_rows(bold)
    for better in (inner, named, by_microdata):
        first = rows.first_rows(better)
        chosen = np.where(first >= 0, first, chosen)
    # In an element that also holds "by" or a time, the author is the link, else what is named.
    links = elements.take(inner)
    links = links[page.is_link.take(links)]
    by_link = _first_inside(page, chosen, links)
    by_name = _first_inside(page, chosen, elements.take(inner))
    return np.where(by_link != chosen, by_link, by_name)


def _first_inside(page: Page, rows: Int64s, others: Int64s) -> Int64s:
    """Return for each row the first of the other rows (in order) inside it, else the row itself."""
    following = np.append(others, len(page)).take(others.searchsorted(rows, side="right"))
    return np.where((rows >= 0) & (following < page.end.take(rows)), following, rows)


def _is_date(text: str | None) -> bool:
    line = text or ""
    may_be = not line.isascii() or _DIGIT.search(line) is not None
    return may_be and dates.is_only_date(line)


_DIGIT = re.compile("[0-9]")


def _name(text: str) -> str:
    """Return the name that a text is; "" if it is too long, or the number of a member."""
    name = text.strip(_MARKS)
    is_number = name[:1] == "(" and name.strip("()#").isdecimal()
    return name if len(name) <= _LONGEST_AUTHOR and not is_number else ""


# --- time ----------------------------------------------------------------------------------------

_STAMP_ATTRIBUTES = (
    "datetime", "content", "data-time", "data-timestamp", "data-utime", "data-tippy-content",
    "title",
)  # fmt: skip
_CREATED = frozenset(("dateCreated", "datePublished", "datePosted"))  # of microdata
_LONGEST_STAMP = 80  # characters
_MOST_TEXTS = 14  # of a record that are searched for a date


def times(rows: RecordRows) -> list[tuple[str, str]]:
    """Return the time of each record in ISO 8601 and as written, "" for none.

    It is the first `<time>` or the first element named a time that can be read, else the latest
    date among the first texts, else the first of these as written, else a link with a day. A time
    that is an attribute of the record's own element, or in a `<meta>` of microdata, comes before
    all of these.
    """
    page = rows.facts.page
    stated_first = _microdata_times(rows)
    is_named = ((rows.bits & TIME) != 0) & (rows.words <= _STAMP_WORDS)
    is_exact = is_time(rows.tag, page.names)
    boxes = _changes(rows)
    if len(boxes):
        is_of_post = ~rows.facts.is_under(boxes, rows.elements)
        is_named, is_exact = is_named & is_of_post, is_exact & is_of_post
    is_named &= ~_are_numbers(rows, is_named)
    exact, named = (rows.first_rows(some.nonzero()[0]) for some in (is_exact, is_named))
    bounds, begins = rows.bounds(rows.text_owner), rows.records.begins.tolist()
    found = []
    for record, stamps in enumerate(zip(exact.tolist(), named.tolist(), strict=True)):
        stated = [_stated_time(page, row) for row in stamps if row >= 0]
        time = next((time for time in stated if time[0]), None)
        time = time or _inner_time(rows, stamps[1], is_named)
        if time is None:
            places = rows.texts[bounds[record] : bounds[record + 1]][:_MOST_TEXTS].tolist()
            time = _latest_time(page, places)
            time = time or (stated[0] if stated else _linked_time(page, places))
        given = _attribute(page.nodes[begins[record]], "created-timestamp")  # of Reddit
        given = given or stated_first.get(record, "")
        if given and (iso := dates.to_iso(given)):
            time = iso, time[1] or given
        found.append(time)
    return found


def _are_numbers(rows: RecordRows, is_named: Bools) -> Bools:
    """Return one bool per element: whether it is named a time and says the number of a post.

    A link such as "#3" is named a permalink, as those around times are.
    """
    page, found = rows.facts.page, np.zeros(len(rows.elements), np.bool_)
    for place in (is_named & (rows.words <= 2)).nonzero()[0].tolist():
        texts = texts_under(page, int(rows.elements[place]), _MOST_PIECES)
        found[place] = _POST_NUMBER("".join(texts)) is not None
    return found


_POST_NUMBER = re.compile(r"# ?\d{1,7}").fullmatch


def _changes(rows: RecordRows) -> Int64s:
    """Return the rows of boxes that say when records were changed, and by whom, in order.

    Such a box begins with a word such as "edited" and holds a single time. A record that has no
    other time has no such box.
    """
    page, facts = rows.facts.page, rows.facts
    chars = page.chars.take(rows.text_rows)
    is_short = (chars >= _SHORTEST_EDIT) & (chars <= _LONGEST_STAMP)
    texts = map(page.texts.__getitem__, rows.texts[is_short].tolist())
    is_said = np.array([_CHANGE(text.lstrip()[:20]) is not None for text in texts], np.bool_)
    if not is_said.any():  # true of most pages
        return _NO_ROWS
    said, owner = rows.text_rows[is_short][is_said], rows.text_owner[is_short][is_said]
    stamps = facts.time_rows()
    stamps = stamps[facts.words_in(stamps) <= _STAMP_WORDS]
    stamps = stamps[levels_inside(stamps, page.end, stamps) == 1]  # the outermost
    bodies = facts.rows_with(BODY)
    found: set[int] = set()
    for row, number in zip(said.tolist(), owner.tolist(), strict=True):
        record = int(rows.records.begins[number])
        box, around, stamped = row, int(page.parent[row]), 0
        for _ in range(_MOST_AROUND_CHANGE):
            end = int(page.end[around])
            held = stamps.searchsorted((around, end))
            is_part = around > record and facts.words_in(np.array([around]))[0] <= _AUTHOR_BOX_WORDS
            holds_body = bodies.searchsorted(around) < bodies.searchsorted(end)
            if not is_part or holds_body or held[1] - held[0] > 1:
                break
            box, stamped = around, max(stamped, int(held[1] - held[0]))
            around = int(page.parent[around])
        first, last = stamps.searchsorted((record, rows.records.ends[number])).tolist()
        if stamped and last - first > 1:
            found.add(box)
    return np.array(sorted(found), np.int64)


_CHANGE = re.compile(r"(?:last )?(?:edited|modified|bearbeitet|geändert|modifié)\b", re.I).match
_MOST_AROUND_CHANGE = 8  # elements around such a word


def _microdata_times(rows: RecordRows) -> dict[int, str]:
    """Return when records were written, as a `<meta>` in them states, by number of record."""
    found: dict[int, str] = {}
    for place in (rows.tag == NUMBER["meta"]).nonzero()[0].tolist():
        node = rows.facts.page.nodes[rows.elements[place]]
        if node.attr("itemprop") in _CREATED:
            found.setdefault(int(rows.owner[place]), node.attr("content") or "")
    return found


def _inner_time(rows: RecordRows, around: int, is_named: Bools) -> tuple[str, str] | None:
    """Return the time of the first elements named a time in one that cannot be read (-1: none)."""
    page = rows.facts.page
    if around < 0:
        return None
    first, last = rows.elements.searchsorted((around + 1, page.end[around])).tolist()
    inner = rows.elements[first:last][is_named[first:last]][:_MOST_INNER_TIMES].tolist()
    return next((time for row in inner if (time := _stated_time(page, row))[0]), None)


_MOST_INNER_TIMES = 4
_IN_NUMBERS = re.compile(r"(?<!\d)(\d{1,2})[/-](\d{1,2})[/-](?:\d{4}|\d{2})(?!\d)")
_HALF_DAYS = re.compile(r"\d\s?[ap]\.?m\b", re.I)


def in_one_order(times: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the times of a thread with day and month of dates in numbers in the same order.

    The month comes first if a date needs it; else if none needs the other order, and either only
    then each post is later than the one before, or the page counts hours to twelve.
    """
    numbers = [_IN_NUMBERS.search(written) for _, written in times]
    if not any(numbers):
        return times
    firsts, seconds = (
        [int(match[part]) for match in numbers if match is not None] for part in (1, 2)
    )
    if max(firsts) > _MONTHS:
        return times
    swapped = [
        (dates.to_iso(written, month_first=True)[:10] + iso[10:], written)
        if match is not None and dates.to_iso(written)[:10] == iso[:10]
        else (iso, written)
        for match, (iso, written) in zip(numbers, times, strict=True)
    ]
    if max(seconds) > _MONTHS or _rise(swapped) > _rise(times):
        return swapped
    counts_to_twelve = any(_HALF_DAYS.search(written) for _, written in times)
    return swapped if counts_to_twelve and _rise(swapped) == _rise(times) else times


_MONTHS = 12


def _rise(times: list[tuple[str, str]]) -> bool:
    """Return whether no time is before the last one."""
    return all(one[0] <= other[0] for one, other in pairwise(times))


def _attribute(node: Node, name: str) -> str:
    """Return an attribute; "" if the node has none or is a text."""
    read = getattr(node, "attr", None)
    return "" if read is None else str(read(name) or "")


def _stated_time(page: Page, row: int) -> tuple[str, str]:
    """Return the time of an element, from its attributes, else from its text."""
    written = text_under(page, row)[:_LONGEST_STAMP]
    for node in page.nodes[row : min(int(page.end[row]), row + 4)]:  # with the first rows in it
        for name in _STAMP_ATTRIBUTES:
            value = _attribute(node, name)
            if value and (iso := dates.to_iso(value)):
                if _IN_NUMBERS.search(value) and not _IN_NUMBERS.search(written):
                    iso = dates.to_iso(written) or iso  # the order of day and month is known there
                return dates.with_clock(iso, value), written or value
    return dates.with_clock(dates.to_iso(written), written), written


def _latest_time(page: Page, places: list[int]) -> tuple[str, str] | None:
    """Return the latest date among short texts: a member joined before writing.

    That of a change is none.
    """
    texts = [text for text in collapsed_texts(page, places) if len(text) <= _LONGEST_STAMP]
    found = [
        (dates.with_clock(iso, text), text)
        for text in texts
        if (iso := dates.to_iso(text)) and not _EDITED.search(text)
    ]
    return max(found, key=lambda time: time[0], default=None)


_EDITED = re.compile(r"\b(?:edit(?:ed)?|modified|changed|bearbeitet|geändert|modifié)\b", re.I)


def _linked_time(page: Page, places: list[int]) -> tuple[str, str]:
    """Return the first linked text that is a date, though without a year, or whose link has one."""
    linked = [place for place in places if page.linked[page.text_rows[place]]]
    for place, text in zip(linked, collapsed_texts(page, linked), strict=True):
        title = _attribute(page.nodes[page.parent[page.text_rows[place]]], "title")
        if 0 < len(title) <= _LONGEST_STAMP and (iso := dates.to_iso(title)):
            return dates.with_clock(iso, title), text
        if len(text) <= _LONGEST_STAMP and dates.is_only_date(text):
            return "", text
    return "", ""


# --- votes ---------------------------------------------------------------------------------------

_VOTE_NAME = re.compile(
    r"(?:^|[\s_-])(?:up)?(?:votes?|score|points|karma|likes?|upvotes?)"
    r"(?:[_-]?(?:count|number|num|total|value|unvoted|score|points))?(?:$|\s)",
    re.I,
)
_VOTE_WORDS = ("vote", "score", "points", "karma", "like")  # part of every match; a faster test
_VOTES = re.compile(
    r"\(?(?:score ?: ?)?([+\-\u2212]?\d{1,7})"
    r"(?: +(?:points?|votes?|likes?|upvotes?)| +[a-z]+(?=\)))?\)?",
    re.I,
)
_LABEL_VOTES = re.compile(r"([+\-\u2212]?\d{1,7}) (?:points?|(?:up)?votes?|likes?)", re.I)
_LONGEST_VOTES = 32  # characters


def votes(rows: RecordRows) -> list[int | None]:
    """Return the number of votes that each record shows, None for none.

    It is the first element of microdata or named for votes that holds a number and nothing more.
    """
    page = rows.facts.page
    found: list[int | None] = [None] * len(rows.records)
    is_control = ((rows.bits & CONTROL) != 0) | (rows.words <= 2)
    places = (is_control & (rows.words <= 3)).nonzero()[0]
    owners, elements = rows.owner.take(places).tolist(), rows.elements.take(places).tolist()
    nodes = list(map(page.nodes.__getitem__, elements))
    classes = map(_NAMES_VOTES.__getitem__, attribute_values(nodes, "class"))
    given = attribute_values(nodes, "itemprop")
    for owner, row, is_named, kind in zip(owners, elements, classes, given, strict=True):
        is_for_votes = is_named or (is_named is None and kind == "upvoteCount")
        if is_for_votes and found[owner] is None:
            found[owner] = _number_of_votes(page, row)
    labels = attribute_values(nodes, "aria-label")
    for owner, label in zip(owners, labels, strict=True):
        match = _LABEL_VOTES.fullmatch(label.replace(",", "")) if label else None
        if match and found[owner] is None:  # of Lemmy, Quora
            found[owner] = int(match[1].replace("\u2212", "-"))
    for owner, text in _texts_of_votes(rows):
        if found[owner] is None:
            found[owner] = int(text)
    for number, row in enumerate(rows.records.begins.tolist()):
        stated = _attribute(page.nodes[row], "score") if found[number] is None else ""
        if _VOTES.fullmatch(stated):  # of Reddit
            found[number] = int(stated)
    return found


def _texts_of_votes(rows: RecordRows) -> list[tuple[int, str]]:
    """Return the numbers of texts such as "3 points", each the only one of its element.

    With each is the number of its record.
    """
    page = rows.facts.page
    places = page.words.take(rows.text_rows) == 2
    texts = map(page.texts.__getitem__, rows.texts[places].tolist())
    found = []
    owners, text_rows = rows.text_owner[places].tolist(), rows.text_rows[places].tolist()
    for owner, row, text in zip(owners, text_rows, texts, strict=True):
        match = _LABEL_VOTES.fullmatch(text.strip()) if text.rstrip().endswith(_POINTS) else None
        around = int(page.parent[row])
        is_alone = match and row == around + 1 and page.end[around] == row + 1
        if match and is_alone and not BLOCK[page.tag[around]]:
            found.append((owner, match[1].replace("\u2212", "-")))
    return found


_POINTS = ("point", "points", "vote", "votes", "likes")


def _names_votes(names: str | None) -> bool | None:
    """Return whether a class names votes, None if it says nothing of them."""
    if not names:
        return None
    if "dislike" in names:  # what is shown to those who vote against it
        return False
    is_named = any(word in names.casefold() for word in _VOTE_WORDS) and _VOTE_NAME.search(names)
    return True if is_named else None


_NAMES_VOTES = NameCache(_names_votes, 100)


def _number_of_votes(page: Page, row: int) -> int | None:
    stated = _attribute(page.nodes[row], "data-value") or _attribute(page.nodes[row], "content")
    written = text_under(page, row)[: _LONGEST_VOTES + 1]
    for text in (stated, written):
        match = _VOTES.fullmatch(text.replace(",", "").strip())
        if match and len(text) <= _LONGEST_VOTES:
            return int(match[1].replace("\u2212", "-"))
    return None


# --- depth ---------------------------------------------------------------------------------------

_DEPTH_ATTRIBUTES = (
    "depth", "data-depth", "indent", "aria-level", "data-level", "data-indent", "level",
)  # fmt: skip
_DEPTH_CLASS = re.compile(r"(?:^|[\s_-])(?:depth|level|indent|nested-?level)[_-]?(\d{1,3})(?:\s|$)")
_MARGIN = re.compile(
    r"(?:margin|padding)-(?:left|right|inline-start)\s*:\s*(\d+)(?:\.\d+)?\s*(px|em|%)?"
)
_READ_ATTRIBUTES = frozenset((*_DEPTH_ATTRIBUTES, "class", "style", "height"))


def depths(rows: RecordRows) -> list[int]:
    """Return how deep each record is nested: in others, in boxes of replies, or as it states."""
    page, begins = rows.facts.page, rows.records.begins
    nested: list[int] = []
    for outer in rows.records.enclosing().tolist():
        nested.append(nested[outer] + 1 if outer >= 0 else 0)
    if any(nested):
        return nested
    boxes = rows.facts.rows_with(REPLIES)
    boxed = boxes.searchsorted(begins)
    boxed -= np.sort(page.end.take(boxes)).searchsorted(begins, side="right")
    boxed -= boxed.min()
    indents = [_stated_indent(page, row) for row in begins.tolist()]
    rank = {indent: place for place, indent in enumerate(sorted(set(indents)))}
    return [max(rank[indent], box) for indent, box in zip(indents, boxed.tolist(), strict=True)]


def _stated_indent(page: Page, row: int) -> int:
    """Return the indent that a record states by an attribute, class, margin or blank image, else 0.

    The unit is not known: only the order of the indents of a page counts.
    """
    for node in page.nodes[row : min(row + 8, int(page.end[row]))]:  # the record's first rows
        given = _READ_ATTRIBUTES.intersection(getattr(node, "attrs", ()))  # a text has none
        numbers = [_attribute(node, name) for name in _DEPTH_ATTRIBUTES if name in given]
        match = _DEPTH_CLASS.search(_attribute(node, "class")) if "class" in given else None
        if match is None and "style" in given:
            match = _MARGIN.search(_attribute(node, "style"))
        if match:
            numbers.append(match[1])
        if "height" in given and _attribute(node, "height") == "1":
            numbers.append(_attribute(node, "width"))
        stated = next(filter(str.isdecimal, numbers), None)
        if stated is not None:
            return int(stated[:6])
    return 0
