"""The links of a page outside its menus, with their addresses and relations."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from thresher.page import Page
from thresher.page.array_types import Rows
from thresher.page.arrays import levels_inside
from thresher.page.attributes import attribute_values
from thresher.page.core import COMPILED
from thresher.page.tags import NUMBER

if COMPILED:
    from thresher.metadata import _search

_MOST_LINKS = 5_000  # of one page; later ones are not read
_ROWS_INSIDE = 3  # at the beginning of a menu whose classes are read
_LONGEST = 1_000  # characters of these classes
_BREADCRUMBS = re.compile("crumb|ariadne", re.I)


@dataclass(frozen=True, slots=True)
class Links:
    """Links of one page in document order; the lists have one entry per row of `rows`."""

    rows: Rows
    addresses: list[str]  # as written; "" without one
    relations: list[str]  # `rel` as written; "" without one
    every_address: str  # the addresses, each on a line
    related: list[int]  # places of those with a relation


def page_links(page: Page) -> Links:
    """Return the links of a page that are not in a menu; read once per page.

    A menu is a `nav`, unless its class or label, or a class just inside, names breadcrumbs.
    """
    return page.cached(_read)


def _read(page: Page) -> Links:
    rows, addresses, relations = (_compiled_links if COMPILED else _plain_links)(page, _menus(page))
    related = [at for at, relation in enumerate(relations) if relation]
    return Links(rows, addresses, relations, "\n".join(addresses), related)


def _compiled_links(page: Page, menus: list[int]) -> tuple[Rows, list[str], list[str]]:
    rows: Rows = np.empty(min(len(page), _MOST_LINKS), np.intp)
    addresses: list[str] = []
    relations: list[str] = []
    attr = type(page.nodes[0]).attr
    columns = page.tag, page.linked, page.end, NUMBER["a"]
    count = _search.find_links(page.nodes, attr, *columns, menus, rows, addresses, relations)
    return rows[:count], addresses, relations


def _plain_links(page: Page, menus: list[int]) -> tuple[Rows, list[str], list[str]]:
    """Return the rows, addresses and relations of the links outside the menus."""
    links = page.is_link.nonzero()[0]
    is_outside = levels_inside(np.array(menus, np.intp), page.end, links) == 0
    rows: Rows = links[is_outside][:_MOST_LINKS]
    nodes = list(map(page.nodes.__getitem__, rows.tolist()))
    addresses = [address or "" for address in attribute_values(nodes, "href")]
    relations = [relation or "" for relation in attribute_values(nodes, "rel")]
    return rows, addresses, relations


def _menus(page: Page) -> list[int]:
    """Return the rows of each `nav` without breadcrumbs."""
    rows = (page.tag == NUMBER["nav"]).nonzero()[0].tolist()
    return [row for row in rows if not _name_breadcrumbs(_names(page, row))]


@lru_cache(1_000)
def _name_breadcrumbs(names: str) -> bool:
    return _BREADCRUMBS.search(names) is not None


def _names(page: Page, row: int) -> str:
    """Return the label and the class of an element, and the classes just inside it."""
    node = page.nodes[row]
    first = range(row + 1, min(row + 1 + _ROWS_INSIDE, len(page)))
    inner = [page.nodes[at].attr("class") for at in first if page.tag[at]]
    return " ".join(filter(None, [node.attr("aria-label"), node.attr("class"), *inner]))[:_LONGEST]
