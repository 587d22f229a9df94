"""Which of the titles that a page shows or declares is its headline: an election.

Candidates are the first headings, the titles that meta tags, JSON-LD and `<title>` declare, and
what stands before a separator in declared titles ("Tea | The Shop"). Candidates with the same
words are one. Each gets votes for where it stands and for how it agrees with the others; the most
votes win, the first of equals. Nothing depends on a language or on a site.

The votes were fitted on `wcxb-dev` and `fundus` (a conditional logit, folds by site), times ten
and rounded: whole numbers, so that equals are equal. `docs/headline.md` says what they reach.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape

from thresher.metadata.declared import Declared, declared, one_line
from thresher.metadata.json_ld import strings_of
from thresher.page import Page
from thresher.page.tags import NUMBER
from thresher.page.words import words

VOTES = {
    # where it was found; the first h1 is what the others are measured by
    "later h1": 13,
    "later h2": -15,
    "og:title": 2,
    "title": 8,
    "og:title to its last separator": 10,
    "title to its first separator": 13,
    # what the page says it is
    "og:title of news": 17,
    "json-ld headline of news": 15,
    "first h1 of another article": 12,
    # how the heading is marked up
    "class names a title": 7,
    "itemprop": 15,
    # how it agrees with the others
    "inside title": 8,
    "begins og:title": 11,
    # what speaks against it
    "stands alone": -24,  # neither the first h1 nor a declared headline
    "is the site's name": -14,
    "holds the site's name": -11,
    "first h1 in a trail": -18,  # of crumbs, where it is written for search engines
    "is a link": -12,
    "one word": -9,
}

# The same words may be spelled in several ways: in headings, a colon is often drawn by a style
# sheet and missing from the text. A spelling counts for each who wrote it.
_SPELLING = {"og:title": 3, "json-ld headline": 3, "title": 3, "h1": 2}
_PER_NAME = 6  # headings read of h1 and of h2
_LONGEST = 600  # characters of a headline
_PERMALINK = " ¶#§\N{LINK SYMBOL}"
_INVISIBLE = str.maketrans(dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff"))

# What stands between a title and the name of its site: dashes and dots in white space, bars
# anywhere.
_SEPARATOR = re.compile(r"\s+[-‐-―−|•·∙»«›‹/\\~:：>]+\s+|\s*[|｜ㅣ│¦]+\s*|\s*--+\s*|\s*：\s*")


@dataclass(slots=True)
class Candidate:
    """A text that may be the headline."""

    key: str  # its words, in lower case
    row: int  # where it stands; -1 when it is declared
    source: str  # where it was found first
    spellings: dict[str, set[str]] = field(default_factory=dict)  # of its words, with their sources
    marks: set[str] = field(default_factory=set)  # where it was found, and keys of VOTES

    @property
    def votes(self) -> int:
        """The sum of its votes."""
        return sum(VOTES.get(mark, 0) for mark in self.marks)

    @property
    def text(self) -> str:
        """The spelling that most of those who should know agree on."""
        return max(
            self.spellings,
            key=lambda line: sum(_SPELLING.get(source, 0) for source in self.spellings[line]),
        )


def elect(page: Page) -> Candidate | None:
    """Return the candidate with the most votes; None if there is no candidate."""
    return max(candidates(page), key=lambda one: one.votes, default=None)


def candidates(page: Page) -> list[Candidate]:
    """List the candidates of a page with their marks, the headings first."""
    says = declared(page)
    found: dict[str, Candidate] = {}
    titles: dict[str, str] = {}  # the words of whole titles, by their marks
    for text, row, source, mark in (*_headings(page), *_declared_titles(says)):
        line = " ".join(unescape(text).split())
        key = _key(line)
        if key:
            one = found.setdefault(key, Candidate(key, row, source))
            one.marks.add(mark)
            one.spellings.setdefault(line, set()).add(source.removeprefix("part of "))
            titles.setdefault(mark, key)
    kind = _kind(says)
    sites = _sites(says)
    for one in found.values():
        one.marks |= {
            *_agreements(one, titles),
            *_of_kind(one, kind),
            *_markup(one, page),
            *_doubts(one, sites),
        }
    return list(found.values())


def _key(text: str) -> str:
    return " ".join(words(text.casefold().translate(_INVISIBLE)))


# --- candidates: text, row, source, mark ---------------------------------------------------------

_Found = tuple[str, int, str, str]


def _headings(page: Page) -> Iterator[_Found]:
    for name in ("h1", "h2"):
        rows = (page.tag == NUMBER[name]).nonzero()[0]
        order = "first"
        for row in rows[~page.hidden.take(rows)][:_PER_NAME].tolist():
            if name == "h1" and _in_notice(page, row):
                continue
            text = one_line(page, row, _LONGEST).rstrip(_PERMALINK)
            if text:
                yield text, row, name, f"{order} {name}"
                order = "later"


def _declared_titles(says: Declared) -> Iterator[_Found]:
    for name in ("og:title", "twitter:title", "headline"):
        if name in says.meta:
            yield says.meta[name][0][:_LONGEST], -1, name, name
    headlines = (strings_of(work["headline"]) for work in says.works if "headline" in work)
    for headline in next(headlines, [])[:1]:
        yield headline[:_LONGEST], -1, "json-ld headline", "json-ld headline"
    if says.title:
        yield says.title[:_LONGEST], -1, "title", "title"
    for name, text in (("og:title", says.meta.get("og:title", [""])[0]), ("title", says.title)):
        gaps = [gap.start() for gap in _SEPARATOR.finditer(text[:_LONGEST])]
        if gaps:
            yield text[: gaps[0]], -1, f"part of {name}", f"{name} to its first separator"
            yield text[: gaps[-1]], -1, f"part of {name}", f"{name} to its last separator"


# --- marks ---------------------------------------------------------------------------------------

_WHOLE = {"first h1", "og:title", "twitter:title", "json-ld headline"}
_SURE = {"og:title", "json-ld headline"}  # if both say it, a trail speaks against nothing


def _agreements(one: Candidate, titles: dict[str, str]) -> Iterator[str]:
    padded = f" {one.key} "
    if "title" not in one.marks and padded in f" {titles.get('title', '')} ":
        yield "inside title"
    if "og:title" not in one.marks and f" {titles.get('og:title', '')} ".startswith(padded):
        yield "begins og:title"
    if not one.marks & _WHOLE:
        yield "stands alone"


def _kind(says: Declared) -> str:
    """What a page says it is: news, another article, or "" for neither."""
    types = " ".join(str(item.get("@type")) for item in says.items)
    if "NewsArticle" in types or "LiveBlog" in types:
        return "news"
    is_article = "Article" in types or "Posting" in types
    return "article" if is_article or says.meta.get("og:type", [""])[0] == "article" else ""


def _of_kind(one: Candidate, kind: str) -> Iterator[str]:
    if kind == "news":
        for name in ("og:title", "json-ld headline"):
            if name in one.marks:
                yield f"{name} of news"
    elif kind == "article" and "first h1" in one.marks:
        yield "first h1 of another article"


def _sites(says: Declared) -> set[str]:
    """Return the names of the site and its publisher."""
    names = says.meta.get("og:site_name", [])[:1]
    for item in says.items:
        kind = str(item.get("@type"))
        if "WebSite" in kind or "Organization" in kind:
            names += strings_of(item.get("name"))[:1]
    return {_key(unescape(name)) for name in names} - {""}


def _doubts(one: Candidate, sites: set[str]) -> Iterator[str]:
    if one.key in sites:
        yield "is the site's name"
    elif any(f" {site} " in f" {one.key} " for site in sites):
        yield "holds the site's name"
    if " " not in one.key:
        yield "one word"


# --- notices -------------------------------------------------------------------------------------

_NOTICE_ROLES = {"dialog", "alertdialog", "alert"}
# The words of a name that tell a request for consent; cookies are also baked.
_NOTICE = re.compile(
    r"cookie[\s_-]*(?:notice|banner|bar|box|bot|consent|control|dialog|info|law|layer|message|"
    r"modal|notification|overlay|policy|popup|prompt|wall)|(?:^|\s)cookies?(?:$|\s)|gdpr|onetrust|"
    r"(?:^|[\s_-])consent(?:$|[\s_-])",
    re.I,
)
_NOTICE_WORDS = ("cookie", "gdpr", "onetrust", "consent")  # one of which every such name holds
_MOST_AROUND = 64  # elements around a heading that are looked at
_WHOLE_PAGE = 0.5  # share of the page's words that no notice holds


def _in_notice(page: Page, row: int) -> bool:
    """Whether a heading stands in a dialog or a request for consent: it is of that one."""
    for _ in range(_MOST_AROUND):
        row = int(page.parent[row])
        if row <= page.body:
            break
        node = page.nodes[row]
        named = f"{node.attr('class') or ''} {node.attr('id') or ''}"
        tells = page.tag[row] == NUMBER["dialog"] or node.attr("role") in _NOTICE_ROLES
        if (tells or _names_notice(named)) and not _is_most(page, row):
            return True
    return False


def _names_notice(named: str) -> bool:
    folded = named.casefold()
    return any(word in folded for word in _NOTICE_WORDS) and _NOTICE.search(named) is not None


def _is_most(page: Page, row: int) -> bool:
    """Whether an element holds most of the page's visible words: then it is the page."""
    shown = page.words * ~page.hidden
    return int(shown[row : page.end[row]].sum()) > _WHOLE_PAGE * int(shown.sum())


# --- how a heading is marked up ------------------------------------------------------------------

_TITLED = re.compile(r"title|headline|heading", re.I)
_MOST_ANCESTORS = 12
_NEAR = 4  # steps up within which a list item or the name of a class makes a trail


def _markup(one: Candidate, page: Page) -> Iterator[str]:
    if one.row < 0:
        return
    node = page.nodes[one.row]
    if _TITLED.search(node.attr("class") or ""):
        yield "class names a title"
    if node.attr("itemprop") in ("headline", "name"):
        yield "itemprop"
    if one.source == "h1" and page.linked[one.row : page.end[one.row]].any():
        yield "is a link"
    if "first h1" in one.marks and not one.marks >= _SURE and _in_trail(page, one.row):
        yield "first h1 in a trail"


def _in_trail(page: Page, row: int) -> bool:
    """Whether a row is part of a navigation: in a `nav`, in a list item, or in crumbs by class."""
    for step in range(_MOST_ANCESTORS + 1):
        name = page.name(row)
        if name == "nav" or (step <= _NEAR and name == "li"):
            return True
        if step < _NEAR and "crumb" in (page.nodes[row].attr("class") or "").lower():
            return True
        row = int(page.parent[row])
        if row < 0:
            break
    return False
