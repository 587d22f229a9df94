"""Declarations in a page: `<title>`, meta tags, links and JSON-LD.

The name of a meta tag is its `name`, `property`, `itemprop` or `http-equiv` in lower case. These
cover OpenGraph (https://ogp.me), Twitter cards, Dublin Core, `citation_*` and others.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from functools import cached_property
from html import unescape
from urllib.parse import urlsplit

from thresher.metadata import json_ld
from thresher.metadata.json_ld import Item
from thresher.metadata.search import rows_by_tag
from thresher.page import Page
from thresher.page.attributes import NameCache
from thresher.page.core import COMPILED
from thresher.page.tags import NUMBER
from thresher.page.words import collapsed, words

if COMPILED:
    from thresher.metadata import _search

_MOST_TAGS = 2_000  # meta tags, links, JSON-LD scripts or titles; later ones are not read
_LONGEST = 10_000  # characters of a meta tag or a title
_PERMALINK = " ¶\N{LINK SYMBOL}\N{ZERO WIDTH SPACE}"  # after a title that was made from a heading
_NAMED_BY = ("property", "name", "itemprop", "http-equiv")
# Relations of links that describe the page; most links are style sheets and icons.
_RELATIONS = {"canonical", "license", "image_src"}


@dataclass(frozen=True)
class Declarations:
    """The declarations of one page, each list in document order."""

    title: str  # of the head; "" if there is none
    meta: dict[str, list[str]]  # contents by name, in lower case; without empty ones
    links: dict[str, list[str]]  # addresses by relation, in lower case
    items: list[Item]  # JSON-LD objects about the page

    @cached_property
    def works(self) -> list[Item]:
        """The JSON-LD objects that are a piece of writing.

        Those with the headline of the page come first, then those with another one.
        """
        works = [item for item in self.items if json_ld.is_work(item)]
        if sum("headline" in item for item in works) < 2:  # true of most pages
            return sorted(works, key=lambda item: "headline" not in item)
        titles = [title.casefold() for title in (self.title, *self.meta.get("og:title", ())[:1])]

        def rank(item: Item) -> int:
            headline = item.get("headline")
            if not isinstance(headline, str) or not headline.strip():
                return 1 + ("headline" not in item)
            own = collapsed(unescape(headline)).casefold().strip()
            return int(not any(own in title for title in titles))

        return sorted(works, key=rank)

    @cached_property
    def dated_works(self) -> list[Item]:
        """The works without videos, images and reviews, unless there are no others.

        A video on a page has its own upload date, and a review its own date.
        """
        return [work for work in self.works if not json_ld.is_media_or_review(work)] or self.works

    @cached_property
    def by_id(self) -> dict[str, Item]:
        """The JSON-LD objects with a name, by their `@id`."""
        named = ((item.get("@id"), item) for item in self.items if "name" in item)
        return {key: item for key, item in named if isinstance(key, str)}


def declarations(page: Page) -> Declarations:
    """Return the declarations of a page (of the whole page for a part); read once per page."""
    while page.base is not None:
        page = page.base
    return page.cached(_read)


def _read(page: Page) -> Declarations:
    rows = rows_by_tag(page)
    meta = _meta(page, rows.meta[:_MOST_TAGS])
    if _PARSELY_PAGE in meta:  # false of most
        _add_parsely_page(meta)
    declared = Declarations(
        _title(page, rows.title[:_MOST_TAGS]),
        meta,
        _links(page, rows.link[:_MOST_TAGS]),
        json_ld.page_objects(_scripts(page)),
    )
    if not any("headline" in item for item in declared.items):  # true of most pages
        return declared
    return replace(declared, items=_of_this_page(page, declared))


_PARSELY_PAGE = "parsely-page"
_OF_PARSELY = {"author": "author", "tags": "tags", "pub_date": "pub-date", "section": "section"}


def _add_parsely_page(meta: dict[str, list[str]]) -> None:
    """Add the values of `parsely-page`, an object in JSON, as the newer meta tags of Parse.ly."""
    values = json_ld.page_objects(meta[_PARSELY_PAGE][:1])
    for key, name in _OF_PARSELY.items():
        texts = [text for value in values[:1] for text in json_ld.property_texts(value.get(key))]
        if texts:
            meta.setdefault(f"parsely-{name}", texts)


# --- works of other pages ---------------------------------------------------------------------

_MOST_HEADINGS = 5
_LIKE, _SAME = 0.5, 0.9  # share of the words of the shorter one of two headlines


def _of_this_page(page: Page, declared: Declarations) -> list[Item]:
    """Return the JSON-LD objects without works that clearly are of another page.

    Their headline is unlike every title of this page, and either their address is another one, too,
    or another work has a headline like that of this page. If the address of this page is not known,
    the words in their address have to be unlike its titles.
    """
    meta = declared.meta
    titles = [declared.title, *meta.get("og:title", ())[:1], *meta.get("twitter:title", ())[:1]]
    titles += (page.line(row) for row in rows_by_tag(page).h1[:_MOST_HEADINGS])
    names = [own for own in map(_words, titles) if len(own) > 1]
    headlines = [
        _words(unescape(text)) if isinstance(text := item.get("headline"), str) else set()
        for item in declared.items
    ]
    likeness = [_likeness(headline, names) for headline in headlines]
    if not names or min(likeness) >= _LIKE:  # true of most
        return declared.items
    links = (page.url, *declared.links.get("canonical", ())[:1], *meta.get("og:url", ())[:1])
    own_paths = [path for path in map(_path, links) if path is not None]
    has_own = any(
        headline and alike >= _SAME for headline, alike in zip(headlines, likeness, strict=True)
    )

    def is_of_other(item: Item) -> bool:
        paths = [path for path in map(_path, json_ld.addresses(item)) if path]
        if not paths:
            return has_own
        if own_paths:
            return not any(_is_same(one, own) for one in paths for own in own_paths)
        return all(_likeness(_words(" ".join(path)), names) < _LIKE for path in paths)

    return [
        item
        for item, alike in zip(declared.items, likeness, strict=True)
        if alike >= _LIKE or not is_of_other(item)
    ]


def _words(text: str) -> set[str]:
    return set(words(text[:_LONGEST].casefold().replace("-", " ").replace("_", " ")))


def _likeness(own: set[str], names: list[set[str]]) -> float:
    """Return the highest share of words in common with a name, 1 if there are no words."""
    if not own:
        return 1.0
    return max((len(own & name) / min(len(own), len(name)) for name in names), default=1.0)


def _path(address: str | None) -> list[str] | None:
    """Return the parts of the path of an address without an ending such as `.html`, else None."""
    try:
        parts = urlsplit(address or "#")
    except ValueError:
        return None
    if parts.scheme not in ("http", "https", "") or not (parts.netloc or parts.path):
        return None
    path = [part for part in parts.path.split("/") if part]
    return path and [*path[:-1], path[-1].partition(".")[0]]


def _is_same(one: list[str], other: list[str]) -> bool:
    """Return whether the last part of one path is in the other: `/tea/amp` is `/2024/tea.html`."""
    return one[-1] in other or (len(other) > 0 and other[-1] in one)


def _title(page: Page, rows: list[int]) -> str:
    """Return the first title that is not empty and not inside an SVG drawing."""
    html_rows = (
        row
        for row in rows
        if page.tag[page.parent[row]] == NUMBER["head"]  # true of most
        or page.nodes[row].namespace.name != "SVG"
    )
    texts = ("".join(page.texts_inside(row)) for row in html_rows)
    lines = (collapsed(text[:_LONGEST]).rstrip(_PERMALINK) for text in texts)
    return next(filter(None, lines), "")


def _meta(page: Page, rows: list[int]) -> dict[str, list[str]]:
    return _search.find_meta(page.nodes, rows, _LONGEST) if COMPILED else _plain_meta(page, rows)


def _plain_meta(page: Page, rows: list[int]) -> dict[str, list[str]]:
    contents = defaultdict(list)
    for row in rows:
        node = page.nodes[row]
        content = (node.attr("content") or "").strip()
        if content and len(content) <= _LONGEST:
            for attribute in _NAMED_BY:
                names = node.attr(attribute)
                if names:
                    for name in names.lower().split():
                        contents[name].append(content)
    return dict(contents)


def _links(page: Page, rows: list[int]) -> dict[str, list[str]]:
    if COMPILED:
        rows = _search.find_related(page.nodes, rows, _relations)
    addresses = defaultdict(list)
    for row in rows:
        node = page.nodes[row]
        for relation in _relations[node.attr("rel")]:
            address = (node.attr("href") or "").strip()
            if address:
                addresses[relation].append(address)
    return dict(addresses)


def _relations_in(value: str | None) -> set[str]:
    return _RELATIONS.intersection((value or "").lower().split())


_relations = NameCache(_relations_in, 100)


def _scripts(page: Page) -> list[str]:
    return [code for row in page.stated.linked_data[:_MOST_TAGS] if (code := page.code(row))]
