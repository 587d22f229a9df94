"""Headings that a page makes of other elements, by `role="heading"`.

See https://www.w3.org/TR/wai-aria-1.2/#heading. Methods see these elements as they are; the output
formats write them as headings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from thresher.page.array_types import Rows
from thresher.page.arrays import subtree_sums
from thresher.page.attributes import attribute_values, parse_integer
from thresher.page.tags import HEADING, lookup

if TYPE_CHECKING:
    from thresher.page.page import Page

_MAY_BE_HEADING = lookup("div span p section header strong b font center", others=True)
_MOST_WORDS = 50  # of a heading; more are text, as after an element that is never closed
_USUAL_LEVEL = 2  # of a heading that states none


def role_headings(page: Page) -> dict[int, int]:
    """Return the level, 1 to 6, of each element that is a heading by its role, by row."""
    return page.cached(_role_headings)


def _role_headings(page: Page) -> dict[int, int]:
    candidates = _candidates(page).tolist()
    roles = list(attribute_values(list(map(page.nodes.__getitem__, candidates)), "role"))
    if "heading" not in roles:  # true of most pages
        return {}
    rows = np.array([row for row, role in zip(candidates, roles, strict=True) if role == "heading"])
    is_heading = HEADING.take(page.tag)
    is_heading[rows] = True
    words = subtree_sums(page.words, page.end).take(rows)
    fits = (subtree_sums(is_heading, page.end).take(rows) == 1) & (words <= _MOST_WORDS)
    return {row: _level(page.nodes[row].attr("aria-level")) for row in rows[fits].tolist()}


def _candidates(page: Page) -> Rows:
    """Return the elements that hold words directly or in a child; a heading holds little else."""
    holders = page.parent.take((page.words > 0).nonzero()[0])
    marked = np.zeros(len(page), np.bool_)
    marked[holders] = True
    marked[page.parent.take(holders)] = True
    rows: Rows = (marked & _MAY_BE_HEADING.take(page.tag)).nonzero()[0]
    return rows


def _level(stated: str | None) -> int:
    level = parse_integer(stated)
    return int(np.clip(_USUAL_LEVEL if level is None else level, 1, 6))
