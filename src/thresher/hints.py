"""Elements that may hold an author or a date, by microdata, `rel`, `<time>` and class names.

Those near the headline come first: a byline stands below it or just above; what stands far away is
a teaser's or a reader's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain, compress
from operator import methodcaller

import numpy as np

from thresher.declared import lines
from thresher.page import Node, Page
from thresher.tags import NUMBER

__all__ = ["Hints", "licence", "near", "read"]


_Found = tuple[str, float, str, str]  # kind, rank, text, source


@dataclass(frozen=True, slots=True)
class Hints:
    """Texts that may hold the wanted value, the likeliest first, each with its source."""

    authors: list[tuple[str, str]] = field(default_factory=list)
    published: list[tuple[str, str]] = field(default_factory=list)
    modified: list[tuple[str, str]] = field(default_factory=list)


_MOST = 400  # elements that are looked at
_LONGEST = 200  # characters of a byline
_MOST_TEXTS = 40  # text rows below a hint; a larger element is no byline
_ABOVE, _BELOW = 200, 800  # rows around the headline whose elements are looked at
_TIMES = 20  # <time> elements that are looked at, wherever they stand
_SELECTOR = (
    '[itemprop~="author"],[itemprop~="datePublished"],[itemprop~="dateModified"],a[rel~="license"]'
)
_BYLINE = re.compile(
    r"(?:^|[\s_-])(?:by-?line|(?:post|entry|article|meta|c)?[\s_-]?(?:author|autor|auteur|verfasser)s?"
    r"(?:[\s_-]?(?:name|link|info|title|text|fn))?|written-?by|posted-?by)(?:$|[\s_-]{1,2})",
    re.I,
)
_NO_BYLINE = re.compile(
    r"comment|reply|avatar|image|img|photo|bio|related|social|share|follow|icon|desc|about|box|"
    r"card|teaser|sidebar|widget|recommend|quote|review",
    re.I,
)
_MEMBER = re.compile(r"(?:^|[\s_-])(?:user-?name|nick-?name|poster)(?:$|\s)", re.I)
_DATED = re.compile(r"date|time|publish|posted|meta", re.I)
_NO_DATE = re.compile(
    r"comment|reply|related|teaser|sidebar|widget|recommend|event|expir|card", re.I
)
_CHANGED = re.compile(r"modif|updat|revis|aktualis|actualiz|edited|changed", re.I)


def read(page: Page, headline_row: int = -1) -> Hints:
    """Collect the hints of a page; those near `headline_row` first (else near the first h1).

    Microdata is looked for in the whole page, the others around the headline.
    """
    page, headline_row = _whole(page, headline_row)
    rows = {*_around(page, headline_row), *_marked(page)}
    return _ranked(hint for row in sorted(rows) for hint in _of(page, row, headline_row))


def near(page: Page, headline_row: int = -1) -> Hints:
    """Collect short texts around the headline that hold a year, or begin like a byline."""
    return _ranked(_near(*_whole(page, headline_row)))


def _whole(page: Page, headline_row: int) -> tuple[Page, int]:
    """Return the page that a part was taken from, and where the headline is or may be."""
    if page.base is not None:
        page, headline_row = page.base, -1
    if headline_row < 0:
        headings = ((page.tag == NUMBER["h1"]) & ~page.hidden).nonzero()[0]
        headline_row = int(headings[0]) if len(headings) else page.body
    return page, headline_row


def _ranked(found: Iterable[_Found]) -> Hints:
    ranked = sorted(found, key=lambda hint: hint[1])  # stable: the first of equals
    return Hints(
        *(
            [(text, source) for kind, _, text, source in ranked if kind == wanted]
            for wanted in _KINDS
        )
    )


def licence(page: Page) -> str:
    """Return the address of the first link with `rel=license`; "" if there is none."""
    licensed = (node for node in _marked_nodes(page) if "license" in (node.attr("rel") or ""))
    found = next(licensed, None)
    return "" if found is None else str(found.attr("href") or "").strip()


_KINDS = ("author", "published", "modified")


def _around(page: Page, headline: int) -> list[int]:
    """Rows around the headline whose class names an author or a date, or whose link does.

    The first times of the page too.
    """
    start = max(headline - _ABOVE, 0)
    tags = page.tag[start : headline + _BELOW]
    nodes = page.nodes[start : headline + _BELOW]
    found = np.zeros(len(tags), np.bool_)
    for chosen, read, names in (
        (tags != 0, _CLASS, _NAMES),
        (tags == NUMBER["a"], _HREF, ("/author",)),
        (tags == NUMBER["a"], _REL, ("author",)),
    ):
        texts = [text or "" for text in map(read, compress(nodes, chosen.tobytes()))]
        found[chosen.nonzero()[0][_holding(texts, names)]] = True
    rows = {*(found.nonzero()[0] + start).tolist()}
    rows.update((page.tag == NUMBER["time"]).nonzero()[0][:_TIMES].tolist())
    return sorted(rows)


_CLASS, _HREF, _REL = (methodcaller("attr", name) for name in ("class", "href", "rel"))
_NAMES = tuple(
    "author byline autor auteur verfasser written posted creator user nick poster date time "
    "publish meta".split()
)


def _holding(texts: list[str], names: tuple[str, ...]) -> list[int]:
    """Return which texts hold one of the names: found in all texts at once, as that is fast."""
    whole = "\0".join(texts)  # no attribute holds it
    if whole.isascii():
        whole = whole.lower()
    else:  # some letters become two
        texts = [text.lower() for text in texts]
        whole = "\0".join(texts)
    places: list[int] = []
    for name in names:
        at = whole.find(name)
        while at >= 0:
            places.append(at)
            following = whole.find("\0", at)
            at = whole.find(name, following) if following >= 0 else -1
    if not places:
        return []
    ends = np.fromiter(map(len, texts), np.int64, len(texts)).cumsum() + np.arange(len(texts))
    return sorted({*ends.searchsorted(places).tolist()})


def _marked_nodes(page: Page) -> list[Node]:
    """List the elements with microdata or a licence; kept with the page, as it is asked twice."""
    kept: list[Node] | None = page.__dict__.get("_marked_nodes")
    if kept is None:
        found = page.nodes[0].select(_SELECTOR)[:_MOST] if len(page) else []
        kept = page.__dict__["_marked_nodes"] = list(found)
    return kept


def _marked(page: Page) -> Iterator[int]:
    """Yield rows with microdata; nodes and rows are in one order, so one pass does."""
    at = -1
    for node in _marked_nodes(page):
        try:
            at = page.nodes.index(node, at + 1)
        except ValueError:  # past a limit: no row
            return
        yield at


def _distance(row: int, headline: int) -> float:
    """How far a hint is from the headline, in hundreds of rows; what stands above counts thrice."""
    rows = row - headline
    return (rows if rows >= 0 else -3 * rows) / 100


# --- text near the headline --------------------------------------------------------------------

_BEFORE, _AFTER = 12, 80  # texts around the headline that may hold a date or a byline
_SHORT = 80  # characters of such a text
_YEAR = re.compile(r"(?:19|20)\d\d|\d{1,2}[./]\d{1,2}[./]\d\d|[年년]|[۰-۹٠-٩]{4}|25\d\d")
_LEAD = re.compile(
    r"\s*(?:(?:written|posted|published)\s+)?(?:by|von|par|por|di|af|av|door|autor|author|"
    r"автор|oleh|作者|記者|记者|โดย|מאת)(?:\s*[:：]\s*|\s+|\Z)",
    re.I,
)


def _near(page: Page, headline: int) -> Iterator[_Found]:
    middle = int(page.text_rows.searchsorted(headline))
    first = max(middle - _BEFORE, 0)
    around = page.text_rows[first : middle + _AFTER]
    chars = page.chars.take(around)
    shown = (chars > 0) & (chars <= _SHORT) & ~page.hidden.take(around)
    led = False
    for at in shown.nonzero()[0].tolist():
        row, text = int(around[at]), page.texts[first + at] or ""
        rank = 2.5 + _distance(row, headline)
        if led:
            yield "author", rank, text, "text"
        lead = _LEAD.match(text)
        led = lead is not None and not text[lead.end() :].strip()
        if lead is not None and not led and row > headline:
            yield "author", rank, text, "text"
        if _YEAR.search(text) and row >= page.body:
            kind = "modified" if _CHANGED.search(text) else "published"
            yield kind, rank, text, "text"


# --- one element ---------------------------------------------------------------------------------


def _of(page: Page, row: int, headline: int) -> Iterator[_Found]:
    """Yield what one element may hold."""
    given = page.nodes[row].attrs
    is_time = page.tag[row] == NUMBER["time"]
    if not given and not is_time:
        return
    named = " ".join([_plain(given.get(name)) for name in _NAMED_BY])
    properties = _plain(given.get("itemprop"))
    if page.hidden[row] and not properties:  # microdata is data, shown or not
        return
    away = _distance(row, headline)
    for kind, rank, text, source in chain(
        _authors(page, row, named, properties) if _WRITES.search(named + properties) else (),
        _dates(page, row, named, properties)
        if is_time or _DATED.search(named + properties)
        else (),
    ):
        yield kind, rank + away, text, source


_NAMED_BY = ("class", "rel", "href")
_WRITES = re.compile(
    r"author|by-?line|autor|auteur|verfasser|written|posted|creator|user|nick", re.I
)


_TO_AUTHOR = re.compile(r"/authors?(?![a-z])")  # not to /authorization


def _authors(page: Page, row: int, named: str, properties: str) -> Iterator[_Found]:
    given = page.nodes[row].attrs
    address = _plain(given.get("href")).lower()
    named = named.removesuffix(_plain(given.get("href")))
    if properties in ("author", "creator"):
        yield "author", 0.0, _property_text(page, row, given), "itemprop author"
    elif "author" in _plain(given.get("rel")).split():
        yield "author", 0.5, _text(page, row), "rel author"
    elif _BYLINE.search(named) and not _NO_BYLINE.search(named):
        yield from (("author", 1.0, line, "class") for line in _lines(page, row))
    elif _TO_AUTHOR.search(address):
        yield "author", 1.5, _text(page, row), "link to author"
    elif _MEMBER.search(named):
        yield "author", 2.0, _text(page, row), "class"


def _dates(page: Page, row: int, named: str, properties: str) -> Iterator[_Found]:
    given = page.nodes[row].attrs
    named = named.removesuffix(_plain(given.get("href")))
    is_time = page.tag[row] == NUMBER["time"]
    stamped = _plain(given.get("datetime") or given.get("content"))
    kind = "modified" if _CHANGED.search(f"{named} {properties}") else "published"
    if properties.startswith("date"):
        yield kind, 0.0, stamped or _text(page, row), f"itemprop {properties}"
    elif is_time and stamped:
        yield kind, 0.5, stamped, "time"
    elif is_time or (_DATED.search(named) and not _NO_DATE.search(named)):
        text = _text(page, row)
        if text and any(mark.isdigit() for mark in text):
            changed = kind == "modified" or bool(_CHANGED.search(text[:20]))
            yield "modified" if changed else "published", 1.0, text, "time" if is_time else "class"


def _plain(value: object) -> str:
    return value if isinstance(value, str) else " ".join(value or ())  # type: ignore[arg-type]


def _text(page: Page, row: int) -> str:
    """Return the text of a small element; "" for one that holds more than a byline."""
    text = " ".join(_lines(page, row))
    return text if len(text) <= _LONGEST else ""


def _lines(page: Page, row: int) -> list[str]:
    first, last = page.text_rows.searchsorted((row, page.end[row])).tolist()
    if last - first > _MOST_TEXTS:
        return []
    found = lines(page, row, _LONGEST + 1)
    return found[:-1] if sum(map(len, found)) > _LONGEST else found  # the last one is cut


def _property_text(page: Page, row: int, given: dict[str, object]) -> str:
    """Return a person's name: what is marked as `name` inside, else all of it."""
    stated = _plain(given.get("content"))
    if stated:
        return stated
    inner = page.nodes[row].select_one('[itemprop~="name"]')
    if inner is None:
        return _text(page, row)
    return _plain(inner.attr("content")) or " ".join(str(inner.text)[:_LONGEST].split())
