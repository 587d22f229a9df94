"""What a page declares about itself: `<title>`, meta tags, links and JSON-LD, read once.

Names of meta tags come from `name`, `property`, `itemprop` and `http-equiv`, in lower case:
OpenGraph (https://ogp.me), Twitter, Dublin Core, citation_* of libraries, and the like.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from thresher.metadata import json_ld as linked_data
from thresher.metadata.json_ld import Item
from thresher.page import Node, Page
from thresher.page.tags import BLOCK, NUMBER, lookup

_MOST_TAGS = 2_000  # meta tags, links and scripts that are read of one page
_MOST_CHARACTERS = 10_000  # of one meta tag or title
_NAMED_BY = ("property", "name", "itemprop", "http-equiv")


@dataclass(frozen=True)
class Declared:
    """The declarations of one page, each list in document order."""

    title: str  # of the head; "" if there is none
    meta: dict[str, list[str]]  # contents by name, in lower case; empty ones are left out
    links: dict[str, list[str]]  # addresses by relation, in lower case
    items: list[Item]  # objects of JSON-LD about the page

    def first(self, *names: str) -> tuple[str, str] | None:
        """Return the first of the named meta tags that is there, with its name."""
        return next(((self.meta[name][0], name) for name in names if name in self.meta), None)

    @cached_property
    def works(self) -> list[Item]:
        """The objects that are a piece of writing; those with a headline come first."""
        works = [item for item in self.items if linked_data.is_work(item)]
        return sorted(works, key=lambda item: "headline" not in item)

    @cached_property
    def dated_works(self) -> list[Item]:
        """The works whose dates are the page's: a film's or a review's only if it is all there is.

        A film on a page was uploaded on some day, a product was reviewed on another.
        """
        return [work for work in self.works if not linked_data.is_beside(work)] or self.works

    @cached_property
    def by_id(self) -> dict[str, Item]:
        """The objects by their `@id`."""
        named = ((item.get("@id"), item) for item in self.items if "name" in item)
        return {key: item for key, item in named if isinstance(key, str)}


def declared(page: Page) -> Declared:
    """Return what a page declares; read when first asked for, and kept with the page."""
    kept: Declared | None = page.__dict__.get("_declared")
    if kept is None:
        kept = page.__dict__["_declared"] = _read(page)
    return kept


def _read(page: Page) -> Declared:
    if page.base is not None:  # a part of a page declares what the whole does
        return declared(page.base)
    rows = _DECLARES[page.tag].nonzero()[0]
    tags = page.tag[rows]
    nodes = page.nodes
    chosen = {
        name: rows[tags == NUMBER[name]][:_MOST_TAGS].tolist()
        for name in ("meta", "link", "script", "title")
    }
    return Declared(
        _title(page, chosen["title"]),
        _meta(nodes, chosen["meta"]),
        _links(nodes, chosen["link"]),
        linked_data.objects(_scripts(page, chosen["script"])),
    )


_DECLARES = lookup("meta link script title")


def _title(page: Page, rows: list[int]) -> str:
    """The first title of HTML that says something; drawings have titles too."""
    for row in rows:
        if page.nodes[row].namespace.name != "SVG":
            title = one_line(page, row)
            if title:
                return title
    return ""


def _meta(nodes: list[Node], rows: list[int]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for row in rows:
        node = nodes[row]
        content = (node.attr("content") or "").strip()
        if not content or len(content) > _MOST_CHARACTERS:
            continue
        for kind in _NAMED_BY:
            names = node.attr(kind)
            if names:
                for name in names.lower().split():
                    found.setdefault(name, []).append(content)
    return found


# The relations that say something about the page; most links are of style sheets and icons.
_RELATIONS = {"canonical", "license", "image_src", "author"}


def _links(nodes: list[Node], rows: list[int]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for row in rows:
        node = nodes[row]
        for relation in (node.attr("rel") or "").lower().split():
            if relation in _RELATIONS:
                address = _plain(node.attr("href")).strip()
                found.setdefault(relation, []).extend([address] if address else [])
    return found


def _scripts(page: Page, rows: list[int]) -> list[str]:
    return [
        str(page.nodes[row + 1].data)
        for row in rows
        if "ld+json" in _plain(page.nodes[row].attr("type")).lower() and page.end[row] > row + 1
    ]


def _plain(value: Any) -> str:
    """The parser gives some attributes as lists of words."""
    return value if isinstance(value, str) else " ".join(value or ())


def one_line(page: Page, row: int, most: int = _MOST_CHARACTERS) -> str:
    """Return the text inside a row on one line; a block or a line break parts words."""
    return " ".join(lines(page, row, most))


def lines(page: Page, row: int, most: int = _MOST_CHARACTERS) -> list[str]:
    """Return the text inside a row line by line: a block or a line break begins a new one.

    Past `most` characters it is cut: what is asked here is short, or no answer.
    """
    end = int(page.end[row])
    first, last = page.text_rows.searchsorted(np.array((row, end), np.int32)).tolist()
    parts = _PARTS.take(page.tag[row:end]).tobytes()  # in which a True is a 1
    pieces: list[str] = []
    before = row
    left = most
    for at, text in zip(page.text_rows[first:last].tolist(), page.texts[first:last], strict=True):
        if 1 in parts[before + 1 - row : at - row]:
            pieces.append("\n")
        text = text or ""
        pieces.append(" ".join(f".{text[: left + 1]}.".split())[1:-1])  # space at the ends stays
        left -= len(text)
        before = at
        if left < 0:
            break
    split = "".join(pieces)[:most].split("\n")
    return [line for line in (" ".join(line.split()) for line in split) if line]


_PARTS = BLOCK | lookup("br")
