"""Headings that a page makes of other elements, by `role="heading"`.

See https://www.w3.org/TR/wai-aria-1.2/#heading. Methods see these elements as they are; the output
formats write them as headings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from thresher.page.attributes import parse_integer
from thresher.page.tags import HEADING, lookup

if TYPE_CHECKING:
    from thresher.page.page import Page

_MAY_BE_HEADING = lookup("div span p section header strong b font center", others=True)
_MOST_WORDS = 50  # of a heading; more are text, as after an element that is never closed
_USUAL_LEVEL = 2  # of a heading that states none


def role_headings(page: Page) -> list[int]:
    """Return the rows of elements that are headings by their role, in order."""
    return page.cached(_role_headings) if page.stated.headings else []  # most pages have none


def _role_headings(page: Page) -> list[int]:
    rows = np.array(page.stated.headings, np.intp)
    rows = rows[_MAY_BE_HEADING.take(page.tag.take(rows))]
    is_heading = HEADING.take(page.tag)
    is_heading[rows] = True
    headings, ends = is_heading.nonzero()[0], page.end.take(rows)
    before = np.concatenate(([0], page.words.cumsum()))
    words = before.take(ends) - before.take(rows)
    fits = headings.searchsorted(ends) - headings.searchsorted(rows) == 1  # itself
    fits &= (words > 0) & (words <= _MOST_WORDS)
    found: list[int] = rows[fits].tolist()
    return found


def role_level(page: Page, row: int) -> int:
    """Return the level, 1 to 6, of an element that is a heading by its role."""
    level = parse_integer(page.nodes[row].attr("aria-level"))
    return min(max(_USUAL_LEVEL if level is None else level, 1), 6)
