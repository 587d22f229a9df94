"""The links of a page that may tell its authors, its subjects or its licence."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from thresher.metadata.search import rows_by_tag
from thresher.page import Page
from thresher.page.array_types import Rows
from thresher.page.arrays import levels_inside
from thresher.page.attributes import NameCache, attribute_values
from thresher.page.core import COMPILED
from thresher.page.tags import NUMBER

if COMPILED:
    from thresher.metadata import _search

_MOST_LINKS = 5_000  # of one page; later ones are not read
_LEVELS = 3  # elements around a link whose classes are read
_ROWS_INSIDE = 3  # at the beginning of a menu whose classes are read
_LONGEST = 1_000  # characters of these classes
_BREADCRUMBS = re.compile("crumb|ariadne", re.I)

# Parts of addresses of tags and categories, in the case as written here.
_SUBJECTS = "tag cat topic section label them tema rubri".split()
# Parts of addresses of authors and licences, and of `rel`, in any case.
_OTHERS = "/author creativecommons.org/".split()
_RELATIONS = "tag category license author".split()
_KERNEL_WORDS = tuple(
    [word.encode() for word in words] for words in (_SUBJECTS, _OTHERS, _RELATIONS)
)


class Link(NamedTuple):
    """A link that may tell something."""

    row: int
    kind: int  # what its class, or one around it, stands for; 0 for nothing
    address: str  # as written; "" without one
    relation: str  # `rel` as written; "" without one
    is_subject: bool  # whether the address has a part that those of tags and categories have


def telling_links(page: Page, kinds: NameCache) -> list[Link]:
    """Return the links of a page, in document order, that are not in a menu and may tell something.

    `kinds` has a number from -126 to 126 for each class, 0 if it stands for nothing. That of a link
    is the first that is not 0, of the link and of three elements around it inside the body, from
    the innermost on. A link may tell something if this is positive, or its address or its relation
    has a part that those of authors, tags, categories or licences have.

    A menu is a `nav`, unless its class or label, or a class just inside, names breadcrumbs.
    """
    if not COMPILED:
        return _plain_links(page, _menus(page), kinds)
    return _search.find_links(
        page.nodes, page.tag, page.linked, page.end, page.parent, page.body, NUMBER["a"],
        _menus(page), kinds, _LEVELS, *_KERNEL_WORDS, _MOST_LINKS, Link,
    )  # fmt: skip


def _plain_links(page: Page, menus: list[int], kinds: NameCache) -> list[Link]:
    links = page.is_link.nonzero()[0]
    is_outside = levels_inside(np.array(menus, np.intp), page.end, links) == 0
    rows: Rows = links[is_outside][:_MOST_LINKS]
    nodes = list(map(page.nodes.__getitem__, rows.tolist()))
    found = []
    for row, kind, address, relation in zip(
        rows.tolist(),
        _kinds_around(page, rows, kinds),
        (address or "" for address in attribute_values(nodes, "href")),
        (relation or "" for relation in attribute_values(nodes, "rel")),
        strict=True,
    ):
        is_subject = any(word in address for word in _SUBJECTS)
        is_other = any(word in address.lower() for word in _OTHERS)
        is_related = any(word in relation.lower() for word in _RELATIONS)
        if kind > 0 or is_subject or is_other or is_related:
            found.append(Link(row, kind, address, relation, is_subject))
    return found


def _kinds_around(page: Page, rows: Rows, kinds: NameCache) -> list[int]:
    """Return what the class of each link, or of one of the elements around it, stands for."""
    around = [rows]
    for _ in range(_LEVELS):
        around.append(np.maximum(page.parent[around[-1]], 0))
    is_wanted = np.zeros(len(page), np.bool_)
    for level in around:
        is_wanted[level] = True
    is_wanted[: page.body + 1] = False
    wanted = is_wanted.nonzero()[0]
    nodes = list(map(page.nodes.__getitem__, wanted.tolist()))
    of_row = np.zeros(len(page), np.int8)
    of_row[wanted] = list(map(kinds.__getitem__, attribute_values(nodes, "class")))
    found = of_row[rows]
    for level in around[1:]:
        found = np.where(found == 0, of_row[level], found)
    result: list[int] = found.tolist()
    return result


def _menus(page: Page) -> list[int]:
    """Return the rows of each `nav` without breadcrumbs."""
    return [row for row in rows_by_tag(page).nav if not _name_breadcrumbs(_names(page, row))]


@lru_cache(1_000)
def _name_breadcrumbs(names: str) -> bool:
    return _BREADCRUMBS.search(names) is not None


def _names(page: Page, row: int) -> str:
    """Return the label and the class of an element, and the classes just inside it."""
    node = page.nodes[row]
    first = range(row + 1, min(row + 1 + _ROWS_INSIDE, len(page)))
    inner = [page.nodes[at].attr("class") for at in first if page.tag[at]]
    return " ".join(filter(None, [node.attr("aria-label"), node.attr("class"), *inner]))[:_LONGEST]
