"""Groups of elements that may be records, by name: each element holds one post or entry.

Candidates are the elements whose class, id or type names a record, grouped by tag and name. A group
is scored by what its members hold: words not in links, a time, an author; by numbers in their ids;
and by where they are. Records without names are found by
`unnamed_posts`.

Reference: Liu, Grossman, Zhai 2003, "Mining data records in web pages", for records that repeat
under one parent.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log2

import numpy as np

from thresher.page.array_types import Int64s
from thresher.page.tags import NUMBER
from thresher.structure.threads.index_pages import FEWEST_ENTRIES
from thresher.structure.threads.page_facts import PageFacts, read_names_under
from thresher.structure.threads.spans import Spans
from thresher.structure.threads.vocabulary import AREA, AUTHOR, RecordName

_MOST_GROUPS = 40  # that are scored, the largest: a page has a dozen, a hostile one any number

# The evidence for a group, by shares of its members; set by hand on the forum pages of wcxb-dev and
# on a third of dragnet, where `ENOUGH_EVIDENCE` makes records.
ENOUGH_EVIDENCE = 1.5
_NAME = {"comment": 1.0, "post": 0.7, "entry": 0.0}
_SEVERAL = 0.3  # it has more than one member
_NUMBERED, _TIMED, _SIGNED, _IN_AREA = 0.5, 0.6, 0.5, 0.4  # id with a number, time, author, area
_LINKS, _MOST_LINKS = 3.0, 0.5  # against it: the share of words in links above a half
# Of posts alone, as articles are called posts too: against them are headings that link elsewhere,
# the page's h1 in one of them, and that most have neither time, author nor number.
_TITLED, _HAS_H1, _ANONYMOUS = 1.2, 0.8, 0.8
_KNOWN_SHARE = 0.75  # of posts with a time or an author, at least
_FEWEST_WORDS, _EMPTY = 3, 2.0  # words of a post not in links, on average; with less, against


@dataclass(frozen=True, slots=True, eq=False)
class RecordGroup:
    """Elements of one tag and name that may be records."""

    name: RecordName
    records: Spans
    own_words: Int64s  # of each member: words not in links, without members inside it
    words: int  # the sum of them
    evidence: float  # how likely they are records, see `ENOUGH_EVIDENCE`
    titled: float  # share of members with a heading that links elsewhere

    @property
    def weight(self) -> float:
        """The score by which the best group is chosen."""
        return self.evidence * log2(1 + self.words)


def record_groups(facts: PageFacts) -> list[RecordGroup]:
    """Return the groups of elements named as records, the one of highest weight first.

    The names inside of them are read, unless none of the groups is of posts or entries.
    """
    page = facts.page
    places = np.array(sorted(facts.record_names), np.int64)
    places = places[~facts.is_under(facts.outside, facts.candidates.take(places))]
    if not len(places):
        return []
    members: dict[tuple[int, RecordName], list[int]] = {}
    tags = page.tag.take(facts.candidates.take(places)).tolist()
    for place, tag in zip(places.tolist(), tags, strict=True):
        members.setdefault((tag, facts.record_names[place]), []).append(place)
    last = _join_descriptions(facts, members)
    if len(members) > _MOST_GROUPS:
        largest = sorted(members.items(), key=lambda item: -len(item[1]))
        members = dict(largest[:_MOST_GROUPS])
        places = np.sort(np.concatenate([np.array(own) for own in members.values()]))
    if any(_may_be_records(name, len(own)) for (_, name), own in members.items()):
        read_names_under(facts, facts.candidates.take(places))
    authors = (((facts.bits & AUTHOR) != 0) | (page.tag == NUMBER["cite"])).nonzero()[0]
    h1s = (page.tag == NUMBER["h1"]).nonzero()[0]
    landmarks = (facts.time_rows(), authors, facts.linked_headings(), h1s)
    # Shares of all groups at once: a page may have many of few members each.
    places = np.array([place for own in members.values() for place in own])
    rows = facts.candidates.take(places)
    records = Spans(rows, page.end.take(last.take(places)).astype(np.int64))
    has = [records.hold(landmark) for landmark in landmarks]
    has += [facts.has_numbered_id.take(places), facts.is_under(facts.rows_with(AREA), rows)]
    sizes = np.array([len(own) for own in members.values()])
    begins = sizes.cumsum() - sizes
    shares = (np.add.reduceat(np.array(has, np.int64), begins, axis=1) / sizes).T.tolist()
    groups = []
    for (_, name), own, begin, share in zip(members, sizes, begins, shares, strict=True):
        part = slice(begin, begin + own)
        groups.append(_group(facts, name, Spans(rows[part], records.ends[part]), share))
    return sorted(groups, key=lambda group: -group.weight)


def _join_descriptions(
    facts: PageFacts, members: dict[tuple[int, RecordName], list[int]]
) -> Int64s:
    """Join each `<dt>` with the `<dd>` after it, if those of one name take turns.

    The author is in the first, the text in the second. Return the last row of each candidate's
    record: its own, or that of the `<dd>`, whose group is taken out of `members`.
    """
    last = facts.candidates.copy()
    for tag, name in [key for key in members if key[0] == NUMBER["dt"]]:
        terms = facts.candidates.take(members[tag, name])
        own = members.get((NUMBER["dd"], name), [])
        descriptions = facts.candidates.take(np.array(own, np.int64))
        if len(terms) != len(descriptions):
            continue
        parent = facts.page.parent
        take_turns = (terms < descriptions).all() and (descriptions[:-1] < terms[1:]).all()
        if take_turns and (parent.take(terms) == parent.take(descriptions)).all():
            last[members[tag, name]] = descriptions
            del members[NUMBER["dd"], name]
    return last


def _may_be_records(name: RecordName, count: int) -> bool:
    """Return whether so many elements may be posts or entries; a single "post" is an article."""
    return name.kind == "comment" or count >= (2 if name.kind == "post" else FEWEST_ENTRIES)


def _group(facts: PageFacts, name: RecordName, records: Spans, shares: list[float]) -> RecordGroup:
    """Return the group of records that share tag and name.

    `shares` are those of members with a time, an author, a linked heading, an h1 and a number in
    the id, and of those in elements named for posts or comments.
    """
    timed, signed, titled, with_h1, numbered, in_area = shares
    own_words = records.own_sums(facts.unlinked)
    words, all_words = int(own_words.sum()), int(records.own_sums(facts.words).sum())
    linked = 1 - words / max(float(all_words), 1.0)
    count = len(records)
    evidence = _NAME[name.kind] + _SEVERAL * (count > 1) + _TIMED * timed + _SIGNED * signed
    evidence += _NUMBERED * numbered
    evidence += _IN_AREA * in_area - _LINKS * max(linked - _MOST_LINKS, 0.0)
    if name.kind == "post":
        evidence -= _TITLED * titled + _HAS_H1 * (with_h1 > 0)
        may_be_other = "question" in name.token or "email" in name.token  # of a FAQ, an address
        identified = 0.0 if may_be_other else numbered
        evidence -= _ANONYMOUS * (max(timed, signed, identified) < _KNOWN_SHARE)
    elif name.kind == "comment" and name.token.startswith("schema.org"):  # it may be of a FAQ
        evidence -= _ANONYMOUS * (max(timed, signed) < _KNOWN_SHARE)
    if words < _FEWEST_WORDS * count:
        evidence -= _EMPTY
    return RecordGroup(name, records, own_words, words, evidence, titled)
