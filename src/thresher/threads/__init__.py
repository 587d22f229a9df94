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
import numpy.typing as npt

from thresher.layout import block_texts
from thresher.page import Page, Selection
from thresher.threads import fields
from thresher.threads.choice import Kind, choose
from thresher.threads.records import Ints, reading

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
    count = len(rows)
    owner = fields.owners(len(page), rows, ends)
    is_text, is_control = fields.bodies(found, owner, rows, sort)
    texts = _texts(page, is_text, owner, count)
    kept = page.text_rows[(owner[page.text_rows] >= 0) & ~is_control[page.text_rows]]
    kept = kept[page.chars[kept] > 0]
    kept = kept[owner[kept].argsort(kind="stable")]
    bounds = owner[kept].searchsorted(np.arange(count + 1)).tolist()
    names = fields.authors(found, owner, is_text, count)
    dated = fields.times(found, owner, count)
    depth = fields.depths(found, rows, ends).tolist()
    posts = [
        Post(
            author=names[place][0],
            time=dated[place][0],
            time_as_written=dated[place][1],
            text=texts[place],
            depth=depth[place],
            row=row,
            rows=tuple(kept[bounds[place] : bounds[place + 1]].tolist()),
        )
        for place, row in enumerate(rows.tolist())
    ]
    said = tuple(post for post in posts if post.rows)
    return Threads(kind, said) if said else Threads()


def comments(page: Page) -> npt.NDArray[np.bool_]:
    """Tell which rows of a page are of readers' comments; none of a page that is a thread."""
    found = np.zeros(len(page), np.bool_)
    if not len(page) or not int(page.words.sum()):
        return found
    kind, rows, ends, _ = choose(reading(page))
    if kind == "comments":
        found = fields.owners(len(page), rows, ends) >= 0
    return found


def _texts(page: Page, is_text: npt.NDArray[np.bool_], owner: Ints, count: int) -> list[str]:
    """Return the text of each record, one line a block."""
    blocks = page.blocks
    keep = is_text[page.text_rows] & (blocks.of_text >= 0)
    lines: list[list[str]] = [[] for _ in range(count)]
    # A block may hold text of two records (an unclosed tag): number its parts by record.
    part = np.where(keep, blocks.of_text.astype(np.int64) * (count + 1) + owner[page.text_rows], -1)
    distinct, number = np.unique(part, return_inverse=True)
    number = (number - (distinct[:1] < 0).sum()).astype(np.int32)
    written = block_texts(page, page.texts, keep, number)
    whose = (distinct[distinct >= 0] % (count + 1)).tolist()
    for place in sorted(written):
        lines[whose[place]].append(written[place])
    return ["\n".join(several) for several in lines]
