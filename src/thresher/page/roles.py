"""Inline elements on lines of their own: headings by `role="heading"`, titles of quotations.

See https://www.w3.org/TR/wai-aria-1.2/#heading. Methods see these elements as they are; the output
formats write them as headings and paragraphs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from thresher.page.attributes import parse_integer
from thresher.page.tags import HEADING, NUMBER, lookup

if TYPE_CHECKING:
    from thresher.page.page import Page

_MAY_BE_HEADING = lookup("div span p section header strong b font center", others=True)
_MOST_WORDS = 50  # of a heading; more are text, as after an element that is never closed
_USUAL_LEVEL = 2  # of a heading that states none
_BLOCKQUOTE, _CITE = NUMBER["blockquote"], NUMBER["cite"]
_IN_QUOTATION = (NUMBER["blockquote"], NUMBER["div"], NUMBER["p"])  # between it and its title


def separate_rows(page: Page) -> list[int]:
    """Return the rows of elements that stand on lines of their own, in order: see the module."""
    titles = quotation_titles(page)
    return sorted((*role_headings(page), *titles)) if titles else role_headings(page)


def quotation_titles(page: Page) -> list[int]:
    """Return the rows of `<cite>` elements that begin or end a quotation without a space, in order.

    Boards write "Ada wrote:" so and draw it as a line of its own. In the middle of a quotation, or
    with a space between it and the text, it is the name of a work.
    """
    if not (page.present[_CITE] and page.present[_BLOCKQUOTE]):  # true of most pages
        return []
    return page.cached(_quotation_titles)


def _quotation_titles(page: Page) -> list[int]:
    found: list[int] = []
    reach = 0  # the end of the last one found: none is inside another
    for row in (page.tag == _CITE).nonzero()[0].tolist():
        around = int(page.parent[row])
        if row < reach or around < 0 or page.tag[around] not in _IN_QUOTATION:
            continue
        outer = around if page.tag[around] == _BLOCKQUOTE else int(page.parent[around])
        if outer >= 0 and page.tag[outer] == _BLOCKQUOTE and _is_apart(page, row, around):
            found.append(row)
            reach = int(page.end[row])
    return found


def _is_apart(page: Page, row: int, around: int) -> bool:
    """Return whether an element is the first or last in the one around it and a line by itself."""
    texts, (begin, stop), (first, last) = page.texts, page.text_span(around), page.text_span(row)
    title = "".join(texts[first:last]).strip() if last - first <= _MOST_IN_TITLE else ""
    if not title:
        return False
    if first == begin or not "".join(texts[begin : min(first, begin + _MOST_BLANK)]).strip():
        after = texts[last] if last < stop else ""
        return bool(after.strip()) and (title.endswith(":") or after[:1].isalnum())
    if last == stop or not "".join(texts[last : min(stop, last + _MOST_BLANK)]).strip():
        return not (texts[first - 1][-1:].isspace() or texts[first][:1].isspace())
    return False


_MOST_BLANK = 4  # texts before or after it that are white space
_MOST_IN_TITLE = 12  # texts of a title


def role_headings(page: Page) -> list[int]:
    """Return the rows of elements that are headings by their role, in order."""
    return page.cached(_role_headings) if page.stated.headings else []  # most pages have none


def _role_headings(page: Page) -> list[int]:
    rows = np.array(page.stated.headings, np.intp)
    rows = rows[_MAY_BE_HEADING.take(page.tag.take(rows))]
    if not len(rows):
        return []
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
