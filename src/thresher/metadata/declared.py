"""Declarations in a page: `<title>`, meta tags, links and JSON-LD.

The name of a meta tag is its `name`, `property`, `itemprop` or `http-equiv` in lower case. These
cover OpenGraph (https://ogp.me), Twitter cards, Dublin Core, `citation_*` and others.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from html import unescape

from thresher.metadata import json_ld
from thresher.metadata.json_ld import Item
from thresher.metadata.search import rows_by_tag
from thresher.page import Page
from thresher.page.attributes import NameCache
from thresher.page.core import COMPILED
from thresher.page.tags import NUMBER
from thresher.page.words import collapsed

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
    return Declarations(
        _title(page, rows.title[:_MOST_TAGS]),
        _meta(page, rows.meta[:_MOST_TAGS]),
        _links(page, rows.link[:_MOST_TAGS]),
        json_ld.page_objects(_scripts(page)),
    )


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
