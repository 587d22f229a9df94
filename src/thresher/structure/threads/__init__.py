"""Threads: the posts of a forum page, the comments below an article, the entries of a weblog.

A page is first judged: a *thread* is made of posts, an article may have *comments*, an *index*
lists entries that lead elsewhere; most pages are *none* of these. Then the records that repeat are
read: who wrote each, when, what, and under which other one it stands.

References: the thesis, section 7.2.2 (posts and comments of weblogs; it sketches the task and
gives no method); Liu, Grossman, Zhai 2003, "Mining data records in web pages", for records that
repeat under one parent.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from thresher.metadata import dates
from thresher.page import Page, Selection
from thresher.page.array_types import Bools, Int64s
from thresher.page.plain_text import block_texts
from thresher.structure.threads import fields
from thresher.structure.threads import table_boards as tables
from thresher.structure.threads.classify import Kind, choose, may_have_comments
from thresher.structure.threads.page_index import reading
from thresher.structure.threads.record_rows import Parts, owners

__all__ = ["Kind", "Post", "Threads", "comments", "read"]


@dataclass(frozen=True, slots=True)
class Post:
    """One post or comment."""

    author: str  # as written; "" if none was found
    time: str  # ISO 8601; "" if it could not be read
    time_as_written: str  # "" if none was found
    text: str  # without author, time and controls
    depth: int  # 0 for one that answers none, or the page itself
    row: int  # of the page, where the record begins: `page.position(row)` tells where that is
    rows: tuple[int, ...] = field(repr=False)  # its text rows, with author and time

    def to_dict(self) -> dict[str, Any]:
        """Return all fields by name, for JSON."""
        return asdict(self) | {"rows": list(self.rows)}


@dataclass(frozen=True, slots=True)
class Threads:
    """The posts of a page, in document order."""

    kind: Kind = "none"  # "thread", "comments", "index" or "none"
    posts: tuple[Post, ...] = ()

    def __len__(self) -> int:
        """Return the number of posts."""
        return len(self.posts)

    def select(self, page: Page) -> Selection:
        """Select the text of all posts on the page they were read from."""
        rows = [row for post in self.posts for row in post.rows]
        return page.select(np.array(rows, np.int64))

    def to_dict(self) -> dict[str, Any]:
        """Return the kind and the posts, for JSON."""
        return {"kind": self.kind, "posts": [post.to_dict() for post in self.posts]}


def read(page: Page) -> Threads:
    """Read the posts of a page. Bad pages give none; nothing raises."""
    if not len(page) or not int(page.words.sum()):
        return Threads()
    found = reading(page)
    kind, rows, ends, sort = choose(found)
    if kind == "none":
        return Threads()
    parts = Parts.of(found, rows, ends, sort)
    said = fields.bodies(parts)
    is_said = ~said.is_control(parts.text_rows, parts.text_owner)
    kept = parts.text_rows[is_said].tolist()
    bounds = parts.split(parts.text_owner[is_said])
    authors, times, texts = _said(parts, said)
    depths = fields.depths(parts)
    posts = tuple(
        Post(
            author=authors[place],
            time=times[place][0],
            time_as_written=times[place][1],
            text=texts[place],
            depth=depths[place],
            row=row,
            rows=tuple(kept[bounds[place] : bounds[place + 1]]),
        )
        for place, row in enumerate(rows.tolist())
        if bounds[place + 1] > bounds[place]
    )
    return Threads(kind, posts) if posts else Threads()


def _said(parts: Parts, said: fields.Bodies) -> tuple[list[str], list[tuple[str, str]], list[str]]:
    """Return who wrote each record, when, in ISO 8601 and as written, and what."""
    page, times = parts.read.page, fields.times(parts)
    is_text = said.is_text(parts.text_rows, parts.text_owner)
    places, owner = parts.texts[is_text], parts.text_owner[is_text]
    if not bool((parts.sort == tables.BY_SHAPE).all()):
        return fields.authors(parts, said), times, _texts(parts, places, owner)
    lines = tables.lines(page, places, parts.split(owner))
    times = [
        (iso, stamp) if (iso := dates.to_iso(stamp)) else time
        for stamp, time in zip(lines.stamps, times, strict=True)
    ]
    texts = _texts(parts, places[lines.is_text], owner[lines.is_text])
    return tables.names(parts.read, parts.rows), times, texts


def comments(page: Page) -> Bools:
    """Tell which rows of a page are of readers' comments; none of a page that is a thread."""
    found = np.zeros(len(page), np.bool_)
    if not len(page) or not int(page.words.sum()):
        return found
    read_page = reading(page)
    if not may_have_comments(read_page):
        return found
    kind, rows, ends, _ = choose(read_page)
    if kind == "comments":
        found = owners(len(page), rows, ends) >= 0
    return found


def _texts(parts: Parts, places: Int64s, owner: Int64s) -> list[str]:
    """Return the text of each record, one line a block; `owner` has the texts at `places`."""
    page = parts.read.page
    block = page.blocks.of_text.take(places)
    # A block may hold text of two records (an unclosed tag): number its parts by record.
    is_new = np.ones(len(places), np.bool_)
    is_new[1:] = (block[1:] != block[:-1]) | (owner[1:] != owner[:-1])
    number = np.full(len(page.texts), -1, np.int32)
    number[places] = is_new.cumsum() - 1
    written = block_texts(page, page.texts, number >= 0, number)
    lines: list[list[str]] = [[] for _ in range(len(parts))]
    whose = owner[is_new].tolist()
    for place in sorted(written):
        lines[whose[place]].append(written[place])
    return ["\n".join(several) for several in lines]
