"""Posts whose markup names nothing, found at lines with a name and a time.

The classes of many sites are made by programs (`css-1x2y3z`, `sc-jQbJRc`) or only say how a box
looks. A reader still sees posts there: a name, a time beside it, a text, and this again and again.

1. Stamps: short texts that are a time or an age ("3 hours ago"), and `<time>` elements, in like
   places: in elements of the same tag at the same depth. The commonest places are tried first.
2. Records: the page is cut at the stamps, at the children of the element around all of them
   (`unnamed_posts.cut_at`).
3. Names: in nearly all records, a text that may be a name stands a few texts before the stamp, or
   right after it.
4. Prose: the records hold most of the page's words and enough each, are no entries of a list and
   follow no article. Below a heading such as "Comments" or "Reviews" they need not be most of it.
5. A sign that people talk, as events and releases have names and times too: buttons such as
   "Reply", links to members, "6 answers", "Re:", a person who writes twice, or a form for a text.

The elements of the names and stamps then get the bits that class names would give them, so the
fields are read as from other records.
"""

from __future__ import annotations

import re
from collections import Counter
from statistics import median
from typing import NamedTuple

import numpy as np

from thresher.metadata import dates
from thresher.page import Page
from thresher.page.array_types import Int64s
from thresher.page.attributes import NameCache
from thresher.page.tags import HEADING, NUMBER
from thresher.page.words import collapsed
from thresher.structure.threads.index_pages import are_entries, prose_words
from thresher.structure.threads.page_facts import PageFacts, read_names_under, text_under
from thresher.structure.threads.spans import Spans
from thresher.structure.threads.unnamed_posts import cut_at, is_content, is_name
from thresher.structure.threads.vocabulary import AUTHOR, BYLINE, IS_CONTROL, TIME

_FEWEST = 3  # posts
_MOST_PLACES = 6  # kinds of places where stamps may be that are tried
_LONGEST_STAMP = 60  # characters of a text that is a stamp
_MOST_STAMPS = 20_000  # of a page; a page with more is no thread
_NAMED_SHARE = 0.8  # of the records that have a name, and no second stamp, at least
_MOST_BEFORE, _MOST_AFTER = 16, 12  # texts before and after a stamp where the name may be
_MEDIAN_WORDS, _AREA_WORDS = 12, 6  # of a post at least; below a heading such as "Comments"
_UNLINKED_SHARE = 0.6  # of the words of the posts that are not in links, at least
# Stamps before the other posts that may be of the first one, elements around such a stamp that may
# be it, and the share of the prose there that it holds, at least.
_MOST_OPENINGS, _MOST_AROUND, _OPENING_SHARE = 4, 8, 0.8
_LINE_WORDS = 16  # at most, of an element that is only a name or a stamp
_BYLINE_WORDS, _WORDS_AFTER = 40, 4  # at most, of a box with both; after the latter of them
_SIGNED_SHARE = 0.5  # of the records that have a button or link to a member, at least
_MOST_TEXTS = 80  # of a record that are searched for buttons, the first and the last ones

_MARKS = " \t\n,;:|·•∙-–—()[]«»：／/"
_LEAD = re.compile(
    r"(?:(?:on|at|am|le|el|il|op|em|den|date|posted|updated|edited|asked|answered|replied|said|"
    r"reviewed|written|verfasst|geschrieben|publié|publicado)\b[ :,]*){1,3}",
    re.I,
)
_SHORT_AGE = re.compile(r"\d{1,3} ?(?:s|m|h|d|w|mo|y|min|hrs?|yrs?)", re.I)  # "2y"
_TIME_OF_DAY = re.compile(r"(?<!\d)\d{1,2}:\d{2}(?!\d)")
_LABELS = frozenset("by from von par por de da di door av af од от to wrote says said date".split())
_AREA_LABEL = re.compile(
    r"(?:.{0,20}\b)?(?:comments?|reviews?|repl(?:y|ies)|responses?|discussion|kommentare?|"
    r"bewertungen|rezensionen|antworten|commentaires|avis|réponses|comentarios|opiniones|reseñas|"
    r"respuestas|comentários|avaliações|commenti|recensioni|reacties|komentarze|opinie|отзывы|"
    r"комментарии|评论|評論|レビュー|コメント)\b.{0,40}",
    re.I,
)
_COUNTED = re.compile(
    r"\(?\d{1,5} (?:repl(?:y|ies)|answers?|posts?|responses?|messages?|antworten|beiträge|"
    r"réponses|respuestas|respostas|risposte|reacties|odpowiedzi|ответов|ответа)\)?",
    re.I,
)
_LETTERS = re.compile(r"[^\W\d_]{2}")
_ANSWER = re.compile(r"(?:re|aw|antw|sv|odp|回复|答复) ?[:：]", re.I)


class StampedPosts(NamedTuple):
    """Posts, and whether a heading says that they are comments or reviews."""

    records: Spans
    has_label: bool


def posts_at_stamps(facts: PageFacts) -> StampedPosts:
    """Return the posts of a page that has a name and a time above or below each text."""
    page = facts.page
    stamps = _stamps(page)
    stamps = stamps[~facts.is_under(facts.outside, page.text_rows.take(stamps))]
    if not _FEWEST <= len(stamps) <= _MOST_STAMPS:  # true of most pages
        return StampedPosts(Spans.none(), has_label=False)
    around = page.parent.take(page.text_rows.take(stamps))
    place = page.tag.take(around).astype(np.int64) * 4096 + page.level.take(around)
    places, count = np.unique(place, return_counts=True)
    for number in (-count).argsort(kind="stable")[:_MOST_PLACES].tolist():
        if count[number] >= _FEWEST:
            found = _posts_at(facts, stamps[place == places[number]], stamps)
            if found is not None:
                return found
    return StampedPosts(Spans.none(), has_label=False)


def _stamps(page: Page) -> Int64s:
    """Return the places in `page.texts` of texts that are a time, the first of each `<time>`."""
    chars = page.chars.take(page.text_rows)
    places = ((chars > 0) & (chars <= _LONGEST_STAMP)).nonzero()[0]
    times = (page.tag == NUMBER["time"]).nonzero()[0]
    first = page.text_rows.searchsorted(times)
    first = first[(first < len(page.texts))]
    is_first = np.zeros(len(page.texts), np.bool_)
    is_first[first] = True
    texts = map(page.texts.__getitem__, places.tolist())
    said = np.fromiter(map(_IS_STAMP.__getitem__, texts), np.bool_, len(places))
    found: Int64s = places[said | is_first.take(places)]
    return found


def _is_stamp(text: str | None) -> bool:
    line = collapsed(text or "").strip(_MARKS)
    if not any(map(str.isdigit, line)):
        return False
    line = _LEAD.sub("", line, count=1) or line
    if _SHORT_AGE.fullmatch(line) or dates.is_only_date(line):
        return True
    return _TIME_OF_DAY.search(line) is not None and bool(dates.to_iso(line))


_IS_STAMP = NameCache(_is_stamp, 4 * _LONGEST_STAMP)  # many posts are of the same day


def _posts_at(facts: PageFacts, stamps: Int64s, others: Int64s) -> StampedPosts | None:
    """Return the posts at some stamps; None if they are no posts.

    The stamps are given by their places in `page.texts`; `others` are all those of the page.
    """
    page = facts.page
    cut = cut_at(page, _rows(page, stamps))
    if len(cut) < max(_FEWEST, _NAMED_SHARE * len(stamps)):
        return None
    number = cut.begins.searchsorted(_rows(page, stamps), side="right") - 1
    records, stamps = cut, stamps[np.unique(number, return_index=True)[1]]
    has_label = _has_label(page, int(cut.begins[0]))
    opening = None if has_label else _opening(facts, others, int(cut.begins[0]))
    if opening is not None:
        begins, ends = np.append(opening.begin, cut.begins), np.append(opening.end, cut.ends)
        records, stamps = Spans(begins, ends), np.append(opening.stamp, stamps)
    if not _are_prose(facts, records, stamps, has_label=has_label):
        return None
    names = _names(page, records, stamps)
    if len(names) < _NAMED_SHARE * len(records):
        return None
    if opening is not None:  # its name is in a place of its own
        names += _names(page, Spans(records.begins[:1], records.ends[:1]), stamps[:1])
    read_names_under(facts, np.zeros(1, np.int64))
    said = [page.texts[name] for name in names]
    if are_entries(facts, records) or not (has_label or _has_sign(facts, records, said)):
        return None
    _mark(facts, _rows(page, np.array(names, np.int64)), AUTHOR)
    _mark(facts, _rows(page, stamps), TIME)
    _mark_bylines(facts, records, stamps, names)
    return StampedPosts(records, has_label)


def _rows(page: Page, places: Int64s) -> Int64s:
    return page.text_rows.take(places).astype(np.int64)


def _are_prose(facts: PageFacts, records: Spans, stamps: Int64s, *, has_label: bool) -> bool:
    """Return whether records have enough words, and each the text above or below its stamp."""
    unlinked, words = records.sums(facts.unlinked), records.sums(facts.words)
    if unlinked.sum() < _UNLINKED_SHARE * words.sum():
        return False
    middle = median(unlinked.tolist())
    if middle < (_AREA_WORDS if has_label else _MEDIAN_WORDS):
        return False
    if not (has_label or is_content(facts, records)):
        return False
    before = facts.unlinked.take(_rows(facts.page, stamps)) - facts.unlinked.take(records.begins)
    is_above = 2 * median(before.tolist()) > middle
    # If records are several elements, the text above a stamp is in the record before it.
    is_one = (facts.page.end.take(records.begins) >= records.ends).mean() >= _NAMED_SHARE
    return bool(is_one or not is_above)


class _Opening(NamedTuple):
    """The first post: its first row, the row after it, and the place of its stamp."""

    begin: int
    end: int
    stamp: int


def _opening(facts: PageFacts, stamps: Int64s, first: int) -> _Opening | None:
    """Return the post that holds the prose before the row `first`, if it is built otherwise.

    It is the smallest element around a stamp that holds most of this prose; None if there is none.
    """
    page, words = facts.page, prose_words(facts, 0, first)
    earlier = stamps[page.text_rows.take(stamps) < first]
    for stamp in earlier[-_MOST_OPENINGS:].tolist() if words else ():
        box = int(page.parent[page.text_rows[stamp]])
        for _ in range(_MOST_AROUND):
            if box < 0 or page.end[box] > first:
                break
            if prose_words(facts, box, int(page.end[box])) >= _OPENING_SHARE * words:
                return _Opening(box, int(page.end[box]), stamp)
            box = int(page.parent[box])
    return None


def _has_label(page: Page, begin: int) -> bool:
    """Return whether the last heading before a row says that comments or reviews follow."""
    headings = HEADING.take(page.tag[:begin]).nonzero()[0]
    return len(headings) > 0 and bool(_AREA_LABEL.fullmatch(text_under(page, int(headings[-1]))))


def _names(page: Page, records: Spans, stamps: Int64s) -> list[int]:
    """Return the places of the texts that name authors, at most one for each record.

    They are in like places, before the stamps or right after them, and most of them differ, as
    ranks and labels do not. Of several such places it is the nearest.
    """
    firsts, lasts = page.text_rows.searchsorted((records.begins, records.ends)).tolist()
    names: dict[tuple[int, int], dict[int, int]] = {}  # of each place: by record
    steps: Counter[tuple[int, int]] = Counter()  # from the stamps
    for number, (stamp, begin, end) in enumerate(zip(stamps.tolist(), firsts, lasts, strict=True)):
        before = _solid(page, range(stamp - 1, max(begin, stamp - _MOST_BEFORE) - 1, -1))
        after = _solid(page, range(stamp + 1, min(end, stamp + _MOST_AFTER)))[:1]
        for step, at in enumerate((*before, *after)):
            around = int(page.parent[page.text_rows[at]])
            own = names.setdefault((int(page.tag[around]), int(page.level[around])), {})
            if number not in own and _may_be_name(page.texts[at]):
                own[number] = at
                steps[int(page.tag[around]), int(page.level[around])] += step
    enough = [place for place, own in names.items() if len(own) >= _NAMED_SHARE * len(records)]
    if not enough:
        return []

    def rank(place: tuple[int, int]) -> tuple[bool, float]:
        own = names[place]
        distinct = len({page.texts[at] for at in own.values()})
        return 2 * distinct < len(own), steps[place] / len(own)

    return list(names[min(enough, key=rank)].values())


def _solid(page: Page, places: range) -> list[int]:
    """Return the places of texts that are more than marks and labels."""
    texts = ((place, collapsed(page.texts[place]).strip(_MARKS)) for place in places)
    return [place for place, text in texts if text and text.casefold() not in _LABELS]


def _may_be_name(text: str) -> bool:
    line = collapsed(text).strip(_MARKS)
    has_letters = _LETTERS.search(line) is not None  # "9.6K" has none
    return has_letters and is_name(line) and not IS_CONTROL[line] and not _ANSWER.match(line)


def _has_sign(facts: PageFacts, records: Spans, names: list[str]) -> bool:
    """Return whether a page has a sign that people talk in its records."""
    page = facts.page
    if page.present[NUMBER["textarea"]]:
        return True
    speakers = [collapsed(name).strip(_MARKS) for name in names]
    distinct = set(speakers)
    has_again = any(
        speakers[at] in speakers[:at][-_MOST_TEXTS:-1] and speakers[at] != speakers[at - 1]
        for at in range(2, len(speakers))
    )
    if has_again and len(distinct) > 1:
        return True
    members = facts.rows_with(AUTHOR)
    members = members[page.is_link.take(members)]
    if records.hold(members).mean() >= _SIGNED_SHARE and len(distinct) > 1:
        return True
    short = [at for at, text in enumerate(page.texts) if 0 < len(text) <= _LONGEST_STAMP]
    lines = [collapsed(page.texts[at]).strip() for at in short]
    if any(map(_COUNTED.fullmatch, lines)):
        return True
    rows = page.text_rows.take(np.array(short, np.int64)).astype(np.int64)
    says = [bool(line) and line[0].isalpha() and IS_CONTROL[line] for line in lines]
    is_control = np.array(says, np.bool_)
    is_answer = np.array([_ANSWER.match(line) is not None for line in lines], np.bool_)
    return bool(
        records.hold(rows[is_control]).mean() >= _SIGNED_SHARE
        or records.hold(rows[is_answer]).mean() >= _SIGNED_SHARE
    )


def _mark_bylines(facts: PageFacts, records: Spans, stamps: Int64s, names: list[int]) -> None:
    """Mark the smallest boxes around a name and the stamp of its record, if no text follows."""
    page, rows = facts.page, facts.page.text_rows
    owner = records.begins.searchsorted(rows.take(np.array(names, np.int64)), side="right") - 1
    for name, number in zip(names, owner.tolist(), strict=True):
        first, last = sorted((int(rows[name]), int(rows[stamps[number]])))
        box = int(page.parent[first])
        for _ in range(_MOST_AROUND):
            if box <= records.begins[number] or page.end[box] > last:
                break
            box = int(page.parent[box])
        if box > records.begins[number] and page.end[box] > last:
            words = facts.words.take((box, last + 1, page.end[box]))
            if words[2] - words[0] <= _BYLINE_WORDS and words[2] - words[1] <= _WORDS_AFTER:
                facts.bits[box] |= BYLINE


def _mark(facts: PageFacts, rows: Int64s, bits: int) -> None:
    """Give bits to the elements around texts, if they hold little more."""
    around = facts.page.parent.take(rows).astype(np.int64)
    around = around[facts.words_in(around) <= _LINE_WORDS]
    facts.bits[around] |= bits
