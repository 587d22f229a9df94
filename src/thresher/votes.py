"""Which of the titles that a page shows or declares is its headline: an election.

Candidates are the first headings, the titles that meta tags, JSON-LD and `<title>` declare, and
the parts of declared titles between their separators ("Tea | The Shop"). Candidates with the same
words are one. Each gets votes for where it stands and for how it agrees with the others; the most
votes win, the first of equals. Nothing depends on a language or on a site.

The votes were fitted on `wcxb-dev` and `fundus` (a conditional logit, folds by site) and rounded
to a tenth; `docs/headline.md` says what they reach.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape
from itertools import pairwise

from thresher.declared import Declared, declared, one_line
from thresher.linked_data import strings_of
from thresher.page import Page
from thresher.tags import NUMBER
from thresher.text import words

__all__ = ["VOTES", "Candidate", "elect"]

VOTES = {
    # where it stands
    "first h1": 2.6,
    "h1": 1.3,  # a later one
    "first h2": 0.1,
    "h2": -1.6,
    "og:title": 1.9,
    "twitter:title": -0.2,
    "headline": 1.3,  # itemprop
    "json-ld headline": 1.3,
    "title": 0.6,
    "part of og:title": 1.3,
    "part of title": -0.3,
    # how it agrees with the others
    "inside title": 0.6,
    "begins title": 1.1,
    "inside og:title": -0.3,
    "begins og:title": 0.7,
    "inside a heading": 0.7,
    # what speaks against it
    "is the site's name": -1.1,
    "holds the site's name": -1.0,
    "is a link": -1.2,
    "one word": -1.3,
    "two words": -0.4,
}

# Their punctuation is what an editor wrote; in a heading, marks between spans are often missing.
_WELL_WRITTEN = ("og:title", "json-ld headline")
_PER_NAME = 6  # headings read of h1 and of h2
_LONGEST = 600  # characters of a headline
_MOST_PARTS = 8
_PERMALINK = " ¶#§\N{LINK SYMBOL}"
_INVISIBLE = str.maketrans(dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff"))

# What stands between a title and the name of its site: dashes and dots in white space, bars
# anywhere, the last comma.
_SEPARATOR = re.compile(
    r"\s+[-‐-―−|•·∙»«›‹/\\~:：>]+\s+|\s*[|｜ㅣ│¦]+\s*|\s*--+\s*|\s*[：»«]\s*|,\s+(?=[^,]*$)"
)


@dataclass(slots=True)
class Candidate:
    """A text that may be the headline."""

    text: str
    key: str  # its words, in lower case
    row: int  # where it stands; -1 when it is declared
    source: str  # where it was found first
    marks: set[str] = field(default_factory=set)  # keys of VOTES

    @property
    def votes(self) -> float:
        """The sum of its votes."""
        return sum(VOTES[mark] for mark in sorted(self.marks))


def elect(page: Page) -> Candidate | None:
    """Return the candidate with the most votes; None if there is no candidate."""
    says = declared(page)
    found: dict[str, Candidate] = {}
    for text, row, source, mark in (*_headings(page), *_declared_titles(says)):
        line = " ".join(unescape(text).split())
        key = _key(line)
        if key:
            one = found.setdefault(key, Candidate(line, key, row, source))
            one.marks.add(mark)
            if mark in _WELL_WRITTEN:
                one.text = line
    titles = {mark: f" {_key(text)} " for text, _, _, mark in _whole_titles(says)}
    headings = " | ".join(f" {one.key} " for one in found.values() if one.row >= 0)
    site = _key(" ".join(says.meta.get("og:site_name", [])[:1]))
    for one in found.values():
        one.marks |= set(_agreements(one, titles, headings)) | set(_doubts(one, page, site))
    return max(found.values(), key=lambda one: one.votes, default=None)


def _key(text: str) -> str:
    return " ".join(words(text.casefold().translate(_INVISIBLE)))


# --- candidates: text, row, source, mark ---------------------------------------------------------

_Found = tuple[str, int, str, str]


def _headings(page: Page) -> Iterator[_Found]:
    for name in ("h1", "h2"):
        rows = (page.tag == NUMBER[name]).nonzero()[0]
        mark = f"first {name}"
        for row in rows[~page.hidden.take(rows)][:_PER_NAME].tolist():
            text = one_line(page, row, _LONGEST).rstrip(_PERMALINK)
            if text:
                yield text, row, name, mark
                mark = name


def _whole_titles(says: Declared) -> Iterator[_Found]:
    for name in ("og:title", "twitter:title", "headline"):
        if name in says.meta:
            yield says.meta[name][0][:_LONGEST], -1, name, name
    headlines = (strings_of(work["headline"]) for work in says.works if "headline" in work)
    for headline in next(headlines, [])[:1]:
        yield headline[:_LONGEST], -1, "json-ld headline", "json-ld headline"
    if says.title:
        yield says.title[:_LONGEST], -1, "title", "title"


def _declared_titles(says: Declared) -> Iterator[_Found]:
    whole = list(_whole_titles(says))
    yield from whole
    for text, row, name, _ in whole:
        if name in ("og:title", "title"):
            for part in _parts(text):
                yield part, row, f"part of {name}", f"part of {name}"


def _parts(text: str) -> list[str]:
    """What stands before, after and between the separators of a title."""
    gaps = [gap.span() for gap in _SEPARATOR.finditer(text)][:_MOST_PARTS]
    parts = [text[:start] for start, _ in gaps] + [text[end:] for _, end in gaps]
    parts += [text[a[1] : b[0]] for a, b in pairwise(gaps)]
    return [part for part in parts if part.strip()]


# --- marks ---------------------------------------------------------------------------------------


def _agreements(one: Candidate, titles: dict[str, str], headings: str) -> Iterator[str]:
    padded = f" {one.key} "
    for name in ("title", "og:title"):
        if name in titles and name not in one.marks and padded in titles[name]:
            yield f"inside {name}"
            if titles[name].startswith(padded):
                yield f"begins {name}"
    if one.row < 0 and padded in headings:
        yield "inside a heading"


def _doubts(one: Candidate, page: Page, site: str) -> Iterator[str]:
    if site and one.key == site:
        yield "is the site's name"
    elif site and f" {site} " in f" {one.key} ":
        yield "holds the site's name"
    if one.source == "h1" and page.linked[one.row : page.end[one.row]].any():
        yield "is a link"
    count = one.key.count(" ") + 1
    if count <= 2:
        yield ("one word", "two words")[count - 1]
