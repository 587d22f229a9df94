"""Posts of a weblog: how many in each year, and their comments, counted and classified.

The thesis (7.2.2) asks how the number of a weblog's posts grows over the years, and which comments
belong to each post, since important posts have more of them; and it suggests to classify comments.
It gives no method. The posts of a page follow from the kind of its threads:

    index     each entry is a post; the number of its comments is read from a link to them
    thread    the first post is one, the other posts are its comments
    comments  the page is a post with the comments that were found
    none      the page is a post without comments if it has a date of publication, else it has none

A comment has the first of these classes that fits; none depends on the language:

    author    written by the author of the post
    link      with an address in its text (http://, www.)
    question  with a question mark at the end of a sentence
    short     at most five words
    remark    any other
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, TypeAlias, get_args
from urllib.parse import urldefrag

from thresher.page import Page
from thresher.page.words import words
from thresher.structure.threads import Post, Threads

CommentClass: TypeAlias = Literal["author", "link", "question", "short", "remark"]
CLASSES: tuple[CommentClass, ...] = get_args(CommentClass)
UNKNOWN = "unknown"  # the year of a post without a date

_SHORT_WORDS = 5
_TITLE_WORDS = 2  # of the link of an entry that is its title, at least
_ADDRESS = re.compile(r"https?://|\bwww\.", re.I)
_QUESTION = re.compile(
    "(?<![?\u061f\uff1f\u037e])[?\u061f\uff1f\u037e]++[\"'”’»)\\]]*+(?:\\s|$)"
)  # also Arabic, wide and Greek marks
_COMMENT_LINK = re.compile(r"comment|disqus|respond|replies", re.I)
# A whole number, with or without marks between thousands; "1.2k" is none, it is not exact.
_NUMBER = re.compile(r"(?<![-\w.,])(?:\d{1,3}(?:[.,'’\s]\d{3})+|\d{1,9})(?!\w|[.,]\d)")


@dataclass(frozen=True, slots=True)
class WeblogPost:
    """A post of a weblog and its comments."""

    title: str  # "" if unknown
    author: str  # "" if unknown
    time: str  # ISO 8601; "" if unknown
    url: str  # "" if unknown
    comments: int | None  # how many; None if the page does not say
    classes: dict[str, int] = field(default_factory=dict)  # of the comments on the page

    @property
    def year(self) -> str:
        """The year of the post, such as "2024"; "unknown" if it has no date."""
        return self.time[:4] or UNKNOWN


def weblog_posts(
    page: Page, found: Threads, *, title: str = "", author: str = "", time: str = ""
) -> list[WeblogPost]:
    """Return the posts on a page, in page order.

    `found` are the threads of the page; `title`, `author` and `time` those of the page itself.
    """
    if found.kind == "index":
        return [_entry(page, post) for post in found.posts]
    url = page.url or ""
    if found.kind == "thread":
        first, *answers = found.posts
        return [_with_comments(title, first.author, first.time, url, answers)]
    if found.kind == "comments" or time:
        return [_with_comments(title, author, time, url, found.posts)]
    return []


def _with_comments(
    title: str, author: str, time: str, url: str, comments: Sequence[Post]
) -> WeblogPost:
    counts = Counter(comment_class(comment, author) for comment in comments)
    classes: dict[str, int] = {name: counts[name] for name in CLASSES if counts[name]}
    return WeblogPost(title, author, time, url, len(comments), classes)


def comment_class(comment: Post, author: str = "") -> CommentClass:
    """Return the class of a comment; `author` is the author of the post that it belongs to."""
    if author and comment.author.casefold().split() == author.casefold().split():
        return "author"
    if _ADDRESS.search(comment.text):
        return "link"
    if _QUESTION.search(comment.text):
        return "question"
    return "short" if len(words(comment.text)) <= _SHORT_WORDS else "remark"


def _entry(page: Page, post: Post) -> WeblogPost:
    """Return the post that an entry of an index leads to."""
    title, url, comments = "", "", None
    seen = -1
    for row in post.rows:
        link = _link_around(page, row)
        if link < 0 or link == seen:
            continue
        seen = link
        text, address = page.line(link, 1_000), page.attributes(link).get("href", "")
        number = _NUMBER.search(text)
        if _COMMENT_LINK.search(address):
            if number and comments is None:
                comments = int("".join(filter(str.isdecimal, number[0])))
        elif not title and len(words(text)) >= _TITLE_WORDS and text != post.author:
            title, url = text, page.resolve(address)
    return WeblogPost(title, post.author, post.time, url, comments)


def _link_around(page: Page, row: int) -> int:
    """Return the row of the link that a text is in, -1 if it is in none."""
    if not page.linked[row]:
        return -1
    while row >= 0 and not page.is_link[row]:
        row = int(page.parent[row])
    return row


# --- several pages -------------------------------------------------------------------------------


def merged(posts: Iterable[WeblogPost]) -> list[WeblogPost]:
    """Return posts of several pages, each address once.

    A post is often on an index and on its own page. The one whose comments are known best stays:
    those with classes, then those with a number. Posts without an address are all kept.
    """
    found: dict[object, WeblogPost] = {}
    for number, post in enumerate(posts):
        address = urldefrag(post.url)[0].rstrip("/")
        key = address or number
        known = found.get(key)
        if known is None or _knowledge(post) > _knowledge(known):
            found[key] = post
    return list(found.values())


def _knowledge(post: WeblogPost) -> tuple[bool, bool]:
    return bool(post.classes), post.comments is not None


def per_year(posts: Iterable[WeblogPost]) -> dict[str, dict[str, int]]:
    """Return for each year the numbers of posts, of comments, and of comments of each class.

    Years are in order; posts without a date are counted as "unknown", the last.
    """
    found: dict[str, Counter[str]] = {}
    for post in posts:
        counts = found.setdefault(post.year, Counter())
        counts.update({"posts": 1, "comments": post.comments or 0, **post.classes})
    names = ("posts", "comments", *CLASSES)
    return {year: {name: found[year][name] for name in names} for year in sorted(found)}


def summary(posts: Sequence[WeblogPost]) -> dict[str, Any]:
    """Return the numbers of each year, and the posts, those with most comments first, for JSON."""
    ranked = sorted(posts, key=lambda post: -(post.comments or 0))
    return {"years": per_year(posts), "posts": [asdict(post) for post in ranked]}
