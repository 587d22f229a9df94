"""Threads: the posts of a forum page, the comments below an article, the entries of a weblog.

A page is first classified: a *thread* is made of posts, an article may have *comments*, an *index*
lists entries that lead to other pages; most pages are *none* of these (`classify`). Then the fields
of each record are read: author, time, text and depth (`fields`).

Records are found by the names of elements (`record_groups`), else by the authors in the page or by
the shape of tables (`unnamed_posts`).

References: the thesis, section 7.2.2 (posts and comments of weblogs; it sketches the task and
gives no method); Liu, Grossman, Zhai 2003, "Mining data records in web pages", for records that
repeat under one parent.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from thresher.metadata import dates
from thresher.page import Page, Selection
from thresher.page.array_types import Bools, Int32s, Int64s
from thresher.page.arrays import levels_inside
from thresher.page.page import readable
from thresher.page.plain_text import block_texts
from thresher.page.tags import NAMES, NUMBER
from thresher.structure.threads import fields
from thresher.structure.threads.classify import Kind, classify, may_have_comments
from thresher.structure.threads.page_facts import described, page_facts
from thresher.structure.threads.spans import Spans
from thresher.structure.threads.unnamed_posts import (
    TABLE_GROUP,
    TableTexts,
    table_author_texts,
    table_authors,
    table_texts,
)

_DATA_WORDS = 16  # at most, of a block with the rank of a member, the subject of a post and such

__all__ = [
    "Kind", "Post", "PostRows", "Threads", "comment_rows", "described", "kind_of", "read",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Post:
    """One post, comment or entry."""

    author: str  # as written; "" if none was found
    time: str  # ISO 8601; "" if it could not be read
    time_as_written: str  # "" if none was found
    text: str  # without author, time, controls and what is quoted of other posts
    depth: int  # 0 for one that answers none, or the page itself
    row: int  # of the page, where the record begins; see `page.position`
    rows: tuple[int, ...] = field(repr=False)  # its text rows, with author and time
    end: int = field(default=0, repr=False)  # the first row after the record
    text_rows: tuple[int, ...] = field(default=(), repr=False)  # those of its text alone
    quote_rows: tuple[int, ...] = field(default=(), repr=False)  # of what it quotes of other posts
    body: tuple[int, int] = field(default=(0, 0), repr=False)  # the rows from, to its text's box
    quotations: tuple[fields.Quotation, ...] = field(default=(), repr=False)
    votes: int | None = None  # for it, or those for it less those against it; None if not shown
    headings: tuple[int, ...] = field(default=(), repr=False)  # rows of those above the body
    images: tuple[int, ...] = field(default=(), repr=False)  # rows of those in its body


@dataclass(frozen=True, slots=True)
class Threads:
    """The posts of a page, in document order."""

    kind: Kind = "none"
    posts: tuple[Post, ...] = ()

    def __len__(self) -> int:
        """Return the number of posts."""
        return len(self.posts)

    def select(self, page: Page) -> Selection:
        """Return the selection of all posts on the page they were read from."""
        rows = [row for post in self.posts for row in post.rows]
        return page.select(np.array(rows, np.int64))

    @property
    def parents(self) -> list[int | None]:
        """The number of the post that each post answers; None if it answers none or the page."""
        found: list[int | None] = []
        open_posts: list[int] = []  # the posts that the next one may answer, the outermost first
        for number, post in enumerate(self.posts):
            while open_posts and self.posts[open_posts[-1]].depth >= post.depth:
                open_posts.pop()
            found.append(open_posts[-1] if open_posts else None)
            open_posts.append(number)
        return found

    def to_dict(self) -> dict[str, Any]:
        """Return the kind and the posts with all fields, for JSON."""
        return asdict(self)

    def plain_posts(self) -> list[dict[str, Any]]:
        """Return each post with its number and that of the post it answers, as plain data."""
        return [
            {
                "number": number,
                "parent": parent,
                "depth": post.depth,
                "author": post.author,
                "time": post.time,
                "time_as_written": post.time_as_written,
                "votes": post.votes,
                "text": post.text,
            }
            for number, (post, parent) in enumerate(zip(self.posts, self.parents, strict=True))
        ]

    def post_dicts(self, page: Page) -> list[dict[str, Any]]:
        """Return each post as plain data that can stand alone, such as a line of JSON.

        `page` is the page that they were read from.
        """
        positions = page.positions(np.array([post.row for post in self.posts], np.int64))
        return [
            {
                "kind": self.kind,
                **plain,
                "line": position.line,
                "column": position.column,
                "offset": position.offset,
                "css_path": position.css_path,
            }
            for plain, position in zip(self.plain_posts(), positions, strict=True)
        ]


@dataclass(frozen=True, slots=True, eq=False)
class PostRows:
    """The records of a page that are posts, and the rows of their texts."""

    kind: Kind
    rows: fields.RecordRows
    bodies: fields.Bodies
    lines: TableTexts | None  # of posts in the rows of a table
    places: Int64s  # places in `page.texts` of the posts' texts, by record, then in order
    owner: Int64s  # of each of these texts: the number of its record
    is_quoted: Bools  # of each of them: whether it is quoted from another post
    is_kept: Bools  # of each text in `rows`: whether it is no control

    @classmethod
    def of(cls, page: Page) -> PostRows | None:
        """Find the posts of a page; None if it has none."""
        if not page.words.any():
            return None
        facts = page.cached(page_facts)
        kind, records, group = page.cached(_classify)
        if kind == "none":
            return None
        rows = fields.RecordRows.of(facts, records, group)
        bodies = fields.find_bodies(rows)
        is_text = bodies.is_text(rows.text_rows, rows.text_owner)
        places, owner = rows.texts[is_text], rows.text_owner[is_text]
        lines = None
        if (group == TABLE_GROUP).all():
            lines = table_texts(page, places, rows.bounds(owner))
            places, owner = places[lines.is_text], owner[lines.is_text]
        is_quoted = bodies.is_quoted(page.text_rows.take(places), owner)
        is_kept = ~bodies.is_control(rows.text_rows, rows.text_owner)
        repeated = _previews(page, places[~is_quoted], owner[~is_quoted])
        if repeated:  # false of most pages
            is_kept &= ~np.isin(rows.texts, repeated)
            is_own = ~np.isin(places, repeated)
            places, owner, is_quoted = places[is_own], owner[is_own], is_quoted[is_own]
        return cls(kind, rows, bodies, lines, places, owner, is_quoted, is_kept)

    def refine(self, selection: Selection) -> Selection:
        """Return a selection with the texts of all posts, without the controls in and around them.

        The names of their authors are selected, and nothing else of the cards of members; of other
        short blocks beside the texts only lines with author and time, of all posts or of none. What
        is selected of quotations stays as it is. Without these blocks, word F1 on the 93 threads of
        wcxb-dev rises by 0.003.
        """
        kept_owner = self.rows.text_owner[self.is_kept]
        has_text = np.zeros(len(self.rows.records), np.bool_)
        has_text[kept_owner] = True
        if not has_text.any():
            return selection
        page, records, keep = selection.page, self.rows.records, selection.keep.copy()
        spans = Spans(records.begins[has_text], records.ends[has_text])
        is_beside = spans.innermost(len(page)).take(page.text_rows) < 0
        may_stay = is_beside & ~self.rows.facts.is_under(self.rows.facts.outside, page.text_rows)
        may_stay[self.places] = True
        if self.lines is None:
            may_stay[self.rows.texts[self.is_kept & self._is_long()]] = True
        else:
            keep &= ~self._is_beside_in_table()
        bylines = self._bylines(keep)
        keep &= may_stay
        keep[fields.controls_among(page, keep)] = False
        keep[fields.lines_about_thread(page, keep & is_beside, int(records.begins[0]))] = False
        is_own = ~self.is_quoted & has_text.take(self.owner)
        names = self._author_texts()
        for places in (bylines, self.places[is_own], names):
            keep[places] = True
        keep[_signs_before(page, keep, names)] = True
        return Selection(page, keep)

    def _is_long(self) -> Bools:
        """Return one bool for each text in `rows`: whether its block is too long for other data.

        Short blocks beside the text of a post are ranks, numbers and subjects.
        """
        page = self.rows.facts.page
        block = page.blocks.of_text.take(self.rows.texts)
        words = page.blocks.words.take(np.maximum(block, 0))
        found: Bools = (block >= 0) & (words > _DATA_WORDS)
        return found

    def _is_beside_in_table(self) -> Bools:
        """Return one bool per text: in the table of all posts and in none, as names of columns."""
        page, records = self.rows.facts.page, self.rows.records
        around = int(page.parent[records.begins[0]])
        is_table = page.tag[around] in (NUMBER["tbody"], NUMBER["table"])
        is_beside = records.innermost(len(page)) < 0
        is_beside[:around] = is_beside[int(page.end[around]) :] = False
        return (is_beside & is_table).take(page.text_rows)

    def _bylines(self, keep: Bools) -> Int64s:
        """Return the places in `page.texts` of what is kept of the lines with author and time.

        So that posts look alike, there is nothing if lines of less than half of the posts are
        selected, and each `<time>` if half of them are.
        """
        rows, page = self.rows, self.rows.facts.page
        if self.lines is not None:  # the cell of an author is named as a whole
            return rows.texts[:0]
        is_selected = keep.take(rows.texts)
        is_byline = self.is_kept & rows.facts.is_under(self.bodies.bylines, rows.text_rows)
        times = (page.tag == NUMBER["time"]).nonzero()[0]
        is_time = is_byline & rows.facts.is_under(times, rows.text_rows)
        is_card = rows.facts.is_under(fields.member_cards(rows), rows.text_rows)
        found = is_byline & is_selected & self._in_half(is_byline, is_selected) & ~is_card
        return rows.texts[found | (is_time & self._in_half(is_time, is_selected))]

    def _in_half(self, texts: Bools, is_selected: Bools) -> bool:
        """Return whether of half of the posts that have such texts one is selected."""
        owner = self.rows.text_owner
        some, several = (
            int(np.count_nonzero(np.bincount(owner[one]))) for one in (texts & is_selected, texts)
        )
        return 2 * some >= several

    def _author_texts(self) -> Int64s:
        """Return the places in `page.texts` of the shown names of authors."""
        page, rows = self.rows.facts.page, self.rows
        found = (
            fields.author_texts(rows, self.bodies)
            if self.lines is None
            else table_author_texts(rows.facts, rows.records)
        )
        places = np.array(found, np.int64)
        return places[~page.hidden.take(page.text_rows.take(places))]


def _previews(page: Page, places: Int64s, owner: Int64s) -> list[int]:
    """Return the places of texts with which records begin and that they then repeat.

    They are previews of long posts, shown until a reader asks for the whole. Each text is as the
    one that repeats it, or as its beginning.
    """
    words = page.words.take(page.text_rows.take(places))
    is_long = words >= _PREVIEW_WORDS
    numbers, first = np.unique(owner[is_long], return_index=True)
    starts = is_long.nonzero()[0][first].tolist()
    ends = owner.searchsorted(numbers, side="right").tolist()
    found: list[int] = []
    for start, end in zip(starts, ends, strict=True):
        text = page.texts[places[start]].strip()[:_PREVIEW_CHARS]
        following = range(start + 1, min(end, start + _MOST_PREVIEW_TEXTS))
        again = (at for at in following if page.texts[places[at]].lstrip().startswith(text))
        copy = next(again, end)
        last = copy - (copy > start + 1 and words[copy - 1] <= _BUTTON_WORDS)
        pairs = list(zip(places[start:last].tolist(), places[copy:end].tolist(), strict=False))
        same = sum(page.texts[b].strip().startswith(_begun(page.texts[a])) for a, b in pairs)
        if copy < end and same == last - start:
            found += places[start:copy].tolist()
    return found


def _begun(text: str) -> str:
    return text.strip().removesuffix("…").removesuffix("...").rstrip()


_PREVIEW_WORDS, _PREVIEW_CHARS = 8, 80  # at least, of the first text; at most, that are compared
_MOST_PREVIEW_TEXTS = 60
_BUTTON_WORDS = 3  # at most, of a text after a preview, such as "(more)"


def _signs_before(page: Page, keep: Bools, names: Int64s) -> Int64s:
    """Return the places of dashes and the like between kept text of a line and a name."""
    places = names[names > 1] - 1
    line = page.blocks.of_text
    is_sign = (page.words.take(page.text_rows.take(places)) == 0) & keep.take(places - 1)
    is_sign &= (line[places - 1] == line[places]) & (line[places] == line[places + 1])
    found: Int64s = places[is_sign & (line[places] >= 0)]
    return found


def read(page: Page) -> Threads:
    """Return the posts of a page; none if it has none. No page raises."""
    found = page.cached(PostRows.of)
    if found is None:
        return Threads()
    rows, bodies, records = found.rows, found.bodies, found.rows.records
    times = fields.times(rows)
    if found.lines is None:
        authors = fields.authors(rows, bodies)
    else:
        authors = table_authors(rows.facts, records)
        times = [
            (dates.with_clock(iso, stamp), stamp) if (iso := dates.to_iso(stamp)) else time
            for stamp, time in zip(found.lines.stamps, times, strict=True)
        ]
    times = fields.in_one_order(times)
    places, owner, is_quoted = found.places, found.owner, found.is_quoted
    if found.kind != "index":
        is_own = ~bodies.is_closing_byline(places, owner, authors, times)
        is_own &= ~fields.opening_times(page, places, owner)
        places, owner, is_quoted = places[is_own], owner[is_own], is_quoted[is_own]
    text_rows = page.text_rows.take(places)
    kept = rows.text_rows[found.is_kept]
    columns = (
        authors,
        times,
        _texts_of_records(page, places[~is_quoted], owner[~is_quoted], len(records)),
        fields.depths(rows),
        records.begins.tolist(),
        _rows_of_records(rows, kept, rows.text_owner[found.is_kept]),
        records.ends.tolist(),
        _rows_of_records(rows, text_rows[~is_quoted], owner[~is_quoted]),
        _rows_of_records(rows, text_rows[is_quoted], owner[is_quoted]),
        bodies.spans(),
        bodies.quotations_of_records(),
        fields.votes(rows),
        bodies.headings_of_records(),
        bodies.images_of_records(),
    )
    posts = tuple(
        Post(author, *time, *rest) for author, time, *rest in zip(*columns, strict=True) if rest[3]
    )
    return Threads(found.kind, posts) if posts else Threads()


def _rows_of_records(
    rows: fields.RecordRows, text_rows: Int32s, owner: Int64s
) -> list[tuple[int, ...]]:
    """Return the text rows of each record; `owner` is the record of each row, in order."""
    found = text_rows.tolist()
    return [tuple(found[begin:end]) for begin, end in pairwise(rows.bounds(owner))]


def _texts_of_records(page: Page, places: Int64s, owner: Int64s, size: int) -> list[str]:
    """Return the text of each of `size` records, with one line for each block or line break.

    `places` are those of their texts in `page.texts`; `owner` is the record of each.
    """
    block = page.blocks.of_text.take(places)
    # A block may hold text of two records (an unclosed tag): number its parts by record.
    is_new = np.ones(len(places), np.bool_)
    is_new[1:] = (block[1:] != block[:-1]) | (owner[1:] != owner[:-1])
    is_new[1:] |= np.diff(_breaks_before(page, page.text_rows.take(places))) > 0
    number = np.full(len(page.texts), -1, np.int32)
    number[places] = is_new.cumsum() - 1
    selection = readable(Selection(page, number >= 0))
    if selection.page is not page:  # TeX of images may be in white space beside the texts
        before = np.maximum.accumulate(np.where(number >= 0, np.arange(len(number)), 0))
        number = np.where(selection.keep, number.take(before), -1).astype(np.int32)
    written = block_texts(selection.page, number >= 0, number)
    lines: list[list[str]] = [[] for _ in range(size)]
    record_of_line = owner[is_new].tolist()
    for line in sorted(written):
        lines[record_of_line[line]].append(written[line])
    return ["\n".join(several) for several in lines]


def _breaks_before(page: Page, rows: Int32s) -> Int64s:
    """Return how many line breaks there are before each of the rows, without those in code."""
    breaks = (page.tag == NUMBER["br"]).nonzero()[0]
    code = (page.tag == NUMBER["pre"]).nonzero()[0]
    breaks = breaks[levels_inside(code, page.end, breaks) == 0]
    before: Int64s = breaks.searchsorted(rows)
    return before


def _classify(page: Page) -> tuple[Kind, Spans, Int64s]:
    return classify(page.cached(page_facts))


def may_have_posts(page: Page) -> bool:
    """Return False if a page surely has no posts: no element has an attribute or is a table cell.

    Posts and their authors are known by attributes, by names that HTML does not know, or by cells.
    """
    if page.present[NUMBER["td"]] or len(page.names) > len(NAMES):
        return True
    return any(len(page.nodes[row].attrs) for row in page.tag.nonzero()[0].tolist())


def kind_of(page: Page) -> Kind:
    """Return the kind of a page, without reading its posts."""
    return page.cached(_classify)[0] if page.words.any() else "none"


def comment_rows(page: Page) -> Bools:
    """Return one bool per row: whether it is in a reader's comment; none is on a forum page."""
    facts = page.cached(page_facts) if page.words.any() else None
    if facts is not None and may_have_comments(facts):
        kind, records, _ = page.cached(_classify)
        if kind == "comments":
            return records.innermost(len(page)) >= 0
    return np.zeros(len(page), np.bool_)
