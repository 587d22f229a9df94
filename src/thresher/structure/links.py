"""Links of a part of a page, as text and address."""

from __future__ import annotations

from typing import NamedTuple

from thresher.metadata.declared import one_line
from thresher.page import Page
from thresher.page.ancestors import innermost
from thresher.page.array_types import Bools
from thresher.page.tags import NUMBER


class Link(NamedTuple):
    """A link: its text, and its address as far as it can be made absolute."""

    text: str
    address: str


def links_of(page: Page, texts: Bools) -> list[Link]:
    """Return the links around the chosen texts, in order and each address once.

    Links to a place in the page itself, and those without text, are passed over.
    """
    anchors = (page.tag == NUMBER["a"]).nonzero()[0]
    around = innermost(anchors, page.end, page.text_rows[texts])
    found: dict[str, Link] = {}
    for row in dict.fromkeys(around[around >= 0].tolist()):
        href = page.attributes(row).get("href", "").strip()
        text = one_line(page, row) if href and not href.startswith("#") else ""
        if text:
            address = page.resolve(href)
            found.setdefault(address, Link(text, address))
    return list(found.values())
