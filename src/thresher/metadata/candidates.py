"""Elements that may hold an author or a date, by microdata, `rel`, `<time>` and class names.

Those near the headline come first: a byline stands below it or just above; what stands far away is
a teaser's or a reader's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain, compress

import numpy as np

from thresher.metadata.declared import lines
from thresher.page import Node, Page
from thresher.page.tags import NUMBER

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
_MAY_BE_MARKED = '[itemprop],a[rel~="license"]'
_MICRODATA = re.compile(
    r"(?<![^ \t\n\f\r])(?:author|datePublished|dateModified)(?![^ \t\n\f\r])"  # of several words
)
_BYLINE = re.compile(
    r"(?:^|[\s_-])(?:by-?line|(?:post|entry|article|meta|c)?[\s_-]?(?:author|autor|auteur|verfasser)s?"
    r"(?:[\s_-]?(?:name|link|info|title|text|fn))?|written-?by|posted-?by)(?:$|[\s_-]{1,2})",
    re.I,
)
_NO_BYLINE = tuple(
    "comment reply avatar image img photo bio related social share follow icon desc about box "
    "card teaser sidebar widget recommend quote review".split()
)
_MEMBER = re.compile(r"(?:^|[\s_-])(?:user-?name|nick-?name|poster)(?:$|\s)", re.I)
_DATED = tuple("date time publish posted meta".split())
_NO_DATE = tuple("comment reply related teaser sidebar widget recommend event expir card".split())
_CHANGED = tuple("modif updat revis aktualis actualiz edited changed".split())


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
    elements, anchors = (tags != 0).nonzero()[0], (tags == NUMBER["a"]).nonzero()[0]
    classes = [node.attr("class") for node in compress(nodes, (tags != 0).tobytes())]
    told = np.fromiter(map(_names_hint.__getitem__, classes), np.bool_, len(classes))
    found = elements[told].tolist()
    found += anchors[_lead_to_author([nodes[at] for at in anchors.tolist()])].tolist()
    rows = {at + start for at in found}
    rows.update((page.tag == NUMBER["time"]).nonzero()[0][:_TIMES].tolist())
    return sorted(rows)


_NAMES = tuple(
    "author byline autor auteur verfasser written posted creator user nick poster date time "
    "publish meta".split()
)


class _NamesHint(dict[str | None, bool]):
    """Which classes name an author or a date, as far as they were asked about."""

    def __missing__(self, name: str | None) -> bool:
        found = _holds(name or "", _NAMES)
        if len(self) > _MOST_KEPT:
            self.clear()
        if len(name or "") <= _LONGEST:
            self[name] = found
        return found


_MOST_KEPT = 50_000  # classes of a few hundred sites
_names_hint = _NamesHint()


def _lead_to_author(anchors: list[Node]) -> list[int]:
    """Return which links lead to an author, by their address or by their relation."""
    relations = [anchor.attr("rel") for anchor in anchors]
    found = [at for at, text in enumerate(relations) if text and "author" in text.lower()]
    addresses = [anchor.attr("href") or "" for anchor in anchors]
    if "/author" in "\0".join(addresses).lower():
        found += [at for at, text in enumerate(addresses) if "/author" in text.lower()]
    return found


def _marked_nodes(page: Page) -> list[Node]:
    """List the elements with microdata or a licence; kept with the page, as it is asked twice."""
    kept: list[Node] | None = page.__dict__.get("_marked_nodes")
    if kept is None:
        found = page.nodes[0].select(_MAY_BE_MARKED) if len(page) else []
        kept = page.__dict__["_marked_nodes"] = [*filter(_is_marked, found)][:_MOST]
    return kept


def _is_marked(node: Node) -> bool:
    """Tell which of those that may be marked are; one selector for each mark would take longer."""
    properties = node.attr("itemprop")
    if properties is None or _MICRODATA.search(properties):
        return True
    return node.tag == "a" and "license" in (node.attr("rel") or "").lower().split()


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
_YEAR = re.compile(r"(?:19|20)\d\d|\d{1,2}[./]\d{1,2}[./]\d\d|[年년]|25\d\d|[۰-۹٠-٩०-९০-৯๐-๙]{4}")
_DIGIT = re.compile(r"[\d年년]")  # what every year holds: this alone is found faster
_LEAD = re.compile(
    r"\s*(?:(?:written|posted|published)\s+)?(?:by|von|par|por|di|af|av|door|autor|author|"
    r"автор|oleh|作者|記者|记者|โดย|מאת|بقلم)(?:\s*[:：]\s*|\s+|\Z)|"
    r"\s*(?:كتبت?|الكاتبة?|نویسنده|लेखक|लेखिका|লেখক|yazan|yazar)\s*[:：]\s*",  # also plain words
    re.I,
)
# A name, or some, before the word for a reporter; what stands there else is a kind of reporter.
_KOREAN = re.compile(
    r"\s*(?:\[[^\[\]]{1,20}\]\s*)?(?!시민|객원|인턴|수습|전문|취재|담당|선임|인터넷)"
    r"[가-힣]{2,4}(?:\s?[·,]\s?[가-힣]{2,4}){0,3}\s?기자(?=\s*(?:[\d(\[|/=·]|\Z|[\w.]+@))"
)


def is_byline(text: str) -> bool:
    """Tell whether a short text begins as bylines do."""
    return _LEAD.match(text) is not None or _KOREAN.match(text) is not None


def _near(page: Page, headline: int) -> Iterator[_Found]:
    middle = int(page.text_rows.searchsorted(headline))
    first = max(middle - _BEFORE, 0)
    around = page.text_rows[first : middle + _AFTER]
    chars = page.chars.take(around)
    shown = (chars > 0) & (chars <= _SHORT) & ~page.hidden.take(around)
    led = False
    rows = around.tolist()
    for at in shown.nonzero()[0].tolist():
        row, text = rows[at], page.texts[first + at] or ""
        rank = 2.5 + _distance(row, headline)
        if led:
            yield "author", rank, text, "text"
        lead = _LEAD.match(text)
        led = lead is not None and not text[lead.end() :].strip()
        named = not led and (lead is not None or _KOREAN.match(text) is not None)
        if named and row > headline:
            yield "author", rank, text, "text"
        if _DIGIT.search(text) and _YEAR.search(text) and row >= page.body:
            kind = "modified" if _holds(text, _CHANGED) else "published"
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
        _authors(page, row, named, properties) if _holds(named + properties, _WRITES) else (),
        _dates(page, row, named, properties)
        if is_time or _holds(named + properties, _DATED)
        else (),
    ):
        yield kind, rank + away, text, source


_NAMED_BY = ("class", "rel", "href")
_WRITES = tuple(
    "author byline by-line autor auteur verfasser written posted creator user nick".split()
)


def _holds(text: str, names: tuple[str, ...]) -> bool:
    """Tell whether a text holds one of the names, in whatever case."""
    folded = text.casefold()
    return any(name in folded for name in names)


_TO_AUTHOR = re.compile(r"/authors?(?![a-z])")  # not to /authorization


def _authors(page: Page, row: int, named: str, properties: str) -> Iterator[_Found]:
    given = page.nodes[row].attrs
    address = _plain(given.get("href")).lower()
    named = named.removesuffix(_plain(given.get("href")))
    if properties in ("author", "creator"):
        yield "author", 0.0, _property_text(page, row, given), "itemprop author"
    elif "author" in _plain(given.get("rel")).split():
        yield "author", 0.5, _text(page, row), "rel author"
    elif _BYLINE.search(named) and not _holds(named, _NO_BYLINE):
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
    kind = "modified" if _holds(f"{named} {properties}", _CHANGED) else "published"
    if properties.startswith("date"):
        yield kind, 0.0, stamped or _text(page, row), f"itemprop {properties}"
    elif is_time and stamped:
        yield kind, 0.5, stamped, "time"
    elif is_time or (_holds(named, _DATED) and not _holds(named, _NO_DATE)):
        text = _text(page, row)
        if text and any(mark.isdigit() for mark in text):
            changed = kind == "modified" or _holds(text[:20], _CHANGED)
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
