"""Links of a part of a page, as text and address."""

from __future__ import annotations

from typing import NamedTuple

from thresher.page import Page
from thresher.page.array_types import Bools
from thresher.page.arrays import innermost

_LONGEST_TEXT = 1_000  # characters of a link's text


class Link(NamedTuple):
    """A link: its text, and its address, absolute if the page has an address."""

    text: str
    address: str


def links_of(page: Page, texts: Bools) -> list[Link]:
    """Return the links around the chosen texts (one bool per text row), each address once.

    They are in the order of the page. Links to an anchor of the same page, links without text and
    links that could run code are left out.
    """
    anchors = page.is_link.nonzero()[0]
    around = innermost(anchors, page.end, page.text_rows[texts])
    found: dict[str, Link] = {}
    for row in dict.fromkeys(around[around >= 0].tolist()):
        href = page.attributes(row).get("href", "").strip()
        address = page.resolve(href) if href and not href.startswith("#") else ""
        text = page.line(row, _LONGEST_TEXT) if address and address not in found else ""
        if text:
            found[address] = Link(text, address)
    return list(found.values())
