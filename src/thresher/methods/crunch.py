"""Crunch: a chain of filters (Gupta, Kaiser, Neistadt, Grimm 2003; thesis 3.2.1, Algorithm 1).

Each filter has a switch. From the top of the tree down, at each element:
    styles       remove its style ads          remove a link to a host in the list of advertisers;
    else link_cells   remove a cell when  characters in links / all characters  is above
    `threshold`; else text_links   remove a link with text, and optionally list it at the end of the
    page
and independently of these
    images       remove images
    tables       at the end, remove tables with too little text left
An element is removed with its whole subtree.

Departures: the thesis gives neither the list of hosts nor the threshold nor a definition of too
little text. An advertiser's link is an `a` whose address has a listed host or a subdomain of one;
the source is searched for hosts first, where `href` must be all lower case or all capitals. A cell
is `td` or `th`, and with `cells="blocks"` any block-level element below the body, since pages are
no longer laid out in tables. The characters of a cell include those of blocks in it. A table is
removed when it has fewer than `substance` characters left. Styles and images have no text (except
drawings): their switches change the result of `html`, where style is removed from every element,
not only from `div`, and style sheets are removed too. Hidden text is not counted and is removed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from html import escape
from itertools import chain, compress
from typing import Literal, NamedTuple

import numpy as np

from thresher.methods.common.option_checks import Options, Share
from thresher.page import Page, Selection
from thresher.page.array_types import Bools, Int32s
from thresher.page.arrays import inside, subtree_sums
from thresher.page.serialize import write
from thresher.page.tags import BLOCK, CELL, NUMBER, lookup
from thresher.page.words import collapsed

AD_HOSTS = (
    "2mdn.net adbutler.com adform.net adition.com adnxs.com adroll.com adsrvr.org "
    "adtech.de advertising.com amazon-adsystem.com atdmt.com bidswitch.net casalemedia.com "
    "criteo.com criteo.net doubleclick.com doubleclick.net fastclick.net googleadservices.com "
    "googlesyndication.com ligatus.com media.net mgid.com moatads.com openx.net outbrain.com "
    "plista.com pubmatic.com revcontent.com rubiconproject.com serving-sys.com smartadserver.com "
    "taboola.com teads.tv tradedoubler.com yieldmo.com zanox.com zedo.com zergnet.com"
)

_IMAGE = lookup("img image picture svg canvas map")
_NOT_CELL = lookup("html head body frameset")
# White space and hosts have bounded lengths, so that the time is linear.
_HOST = r"""\s{0,9}=\s{0,9}["']?\s{0,9}(?:[Hh][Tt][Tt][Pp][Ss]?:)?//([^/\\"'\s<>?#]{1,253})"""
_HOSTS = {name: re.compile(name + _HOST) for name in ("href", "HREF")}
_MOST_BEFORE = 1_000  # characters between the start of a tag and its `href`
_AUTHORITY = re.compile(r"\s*(?:https?:)?//([^/\\?#]{1,253})", re.I)


class Link(NamedTuple):
    """A link that was removed from the page."""

    text: str
    address: str


@dataclass(frozen=True, slots=True)
class Crunch(Options):
    """Keep the text left by a chain of filters: no advertisements, lists of links, empty tables."""

    styles: bool = True  # Algorithm 1: ignoreDivStyles
    images: bool = True  # thesis: the first technique
    ads: bool = True  # Algorithm 1: ignoreAds
    link_cells: bool = True  # Algorithm 1: ignoreLinkCells
    text_links: bool = False  # Algorithm 1: ignoreTextLink; ours: off, articles have links
    links_at_end: bool = False  # Algorithm 1: addLinksToBottom
    tables: bool = True  # thesis: the last technique
    cells: Literal["blocks", "tables"] = "blocks"  # "tables": the paper's
    threshold: Share = 0.8  # link_cells; swept on wcxb-dev and fundus, see docs/methods
    substance: int = 5  # tables: characters; ours
    ad_hosts: str = AD_HOSTS  # ours

    def __call__(self, page: Page) -> Selection:
        """Return the text that the filters leave."""
        return page.where(~self.removed(page))

    # --- the filters ------------------------------------------------------------------------

    def removed(self, page: Page) -> Bools:
        """Return one bool per row: True if the filters remove it; hidden rows are removed."""
        removed = page.hidden.copy()
        if self.ads:
            removed |= self.ad_links(page)
        chars = np.where(page.hidden, 0, page.chars)
        if self.link_cells:
            removed |= self.link_rich_cells(page, chars)
        if self.text_links:
            removed |= inside(_text_links(page, chars), page.end)
        if self.images:
            removed |= inside(_IMAGE.take(page.tag), page.end)
        return removed | self.empty_tables(page, chars * ~removed) if self.tables else removed

    def ad_links(self, page: Page) -> Bools:
        """Return one bool per row: True for a link to an advertiser and the rows in it."""
        is_ad = np.zeros(len(page), np.bool_)
        listed = frozenset(self.ad_hosts.lower().split())
        if _links_to_any(page, listed):
            for row in page.is_link.nonzero()[0].tolist():
                match = _AUTHORITY.match(page.attributes(row).get("href", ""))
                is_ad[row] = match is not None and _is_listed(match[1], listed)
        return inside(is_ad, page.end) if is_ad.any() else is_ad

    def link_rich_cells(self, page: Page, chars: Int32s) -> Bools:
        """Return one bool per row: True in a cell with more linked text than the threshold."""
        is_cell = CELL.take(page.tag)
        if self.cells == "blocks":
            is_cell = BLOCK.take(page.tag) & ~_NOT_CELL.take(page.tag)
        linked = subtree_sums(chars * page.linked, page.end)
        return inside(is_cell & (linked > self.threshold * subtree_sums(chars, page.end)), page.end)

    def empty_tables(self, page: Page, chars: Int32s) -> Bools:
        """Return one bool per row: True in a table with fewer than `substance` characters left."""
        is_table = page.tag == NUMBER["table"]
        if not is_table.any():
            return np.zeros(len(page), np.bool_)
        left = subtree_sums(chars, page.end)
        return inside(is_table & (left < self.substance), page.end)

    # --- the rest of the page ---------------------------------------------------------------

    def links(self, page: Page) -> list[Link]:
        """Return the links that only the filter `text_links` removes, in document order."""
        if not self.text_links:
            return []
        left = ~replace(self, text_links=False, tables=False).removed(page)
        rows = _text_links(page, np.where(left, page.chars, 0)).nonzero()[0]
        is_left = left[page.text_rows].tolist()
        bounds = page.text_rows.searchsorted(np.stack([rows, page.end[rows]])).T.tolist()
        return [
            Link(
                collapsed("".join(compress(page.texts[first:last], is_left[first:last]))),
                page.resolve(page.attributes(row).get("href", "")),
            )
            for row, (first, last) in zip(rows.tolist(), bounds, strict=True)
        ]

    def html(self, page: Page) -> str:
        """Return the rest of the page as HTML with its head.

        With `links_at_end`, the body ends with a list of the removed links.
        """
        is_head = inside((page.tag == NUMBER["head"]) & (page.level == 1), page.end)
        keep = is_head | ~self.removed(page)
        if self.styles:
            keep &= ~inside(_styles(page), page.end)
        part = page.part(keep)

        def attributes(row: int) -> dict[str, str]:
            given = part.attributes(row)
            return {k: v for k, v in given.items() if not (self.styles and k == "style")}

        written = write(part, attributes)[0]
        if not self.links_at_end:
            return written
        before, body_ends, after = written.rpartition("</body>")
        return f"{before}{_link_list(self.links(page))}{body_ends}{after}"


def _text_links(page: Page, chars: Int32s) -> Bools:
    """Return one bool per row: True for a link with text."""
    is_link: Bools = page.is_link & (subtree_sums(chars, page.end) > 0)
    return is_link


def _styles(page: Page) -> Bools:
    """Return one bool per row: True for a style sheet, or a link to one."""
    is_style: Bools = page.tag == NUMBER["style"]
    for row in (page.tag == NUMBER["link"]).nonzero()[0].tolist():
        is_style[row] = "stylesheet" in page.attributes(row).get("rel", "").lower().split()
    return is_style


def _link_list(links: list[Link]) -> str:
    """Return links as an HTML list, "" if there are none."""
    items = (f'<li><a href="{escape(to)}">{escape(text)}</a></li>' for text, to in links)
    return f"<ul>{''.join(items)}</ul>" if links else ""


def _links_to_any(page: Page, listed: frozenset[str]) -> bool:
    """Return whether the source has a link to a listed host, other than in `<link>`.

    This is faster than reading the attributes of each link. Most pages name such hosts only in
    `<link>`, to connect early.
    """
    while page.base is not None:
        page = page.base
    source = page.html or page.source
    patterns = [pattern for name, pattern in _HOSTS.items() if name in source]
    hosts = set(chain.from_iterable(pattern.findall(source) for pattern in patterns))
    named = {host for host in hosts if _is_listed(host, listed)}
    if not named:
        return False
    matches = chain.from_iterable(pattern.finditer(source) for pattern in patterns)
    starts = (match.start() for match in matches if match[1] in named)
    tags = (source[max(start - _MOST_BEFORE, 0) : start].rpartition("<")[2][:4] for start in starts)
    return any(tag.lower() != "link" for tag in tags)


def _is_listed(host: str, listed: frozenset[str]) -> bool:
    """Return whether a host or a domain above it is listed: a.example.org, example.org, org."""
    labels = host.rpartition("@")[2].partition(":")[0].lower().split(".")
    return any(".".join(labels[place:]) in listed for place in range(len(labels)))
