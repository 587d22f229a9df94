"""Crunch: a chain of filters (Gupta, Kaiser, Neistadt, Grimm 2003; thesis 3.2.1, Algorithm 1).

Each filter has a switch. Going down the tree, at each element:
    styles       its style is taken off
    ads          a link to a host of the list of advertisers goes; else
    link_cells   a cell goes when  characters in links / all characters  is above `threshold`; else
    text_links   a link with text goes, and may be listed at the end of the page
and apart from these
    images       images go
    tables       at last, tables go that have too little left in them
What goes, goes with all that it holds.

Departures: the list of hosts, the threshold and what is too little are open. An advertiser's link
is an `a` whose address has a listed host, or a host below one; hosts are found in the source first,
where `href` is in small letters or capitals alone. A cell is `td` or `th`, and with
`cells="blocks"` any block-level element below the body, since pages are no longer laid out in
tables. Characters are those of the whole cell, also of blocks in it. A table goes with fewer than
`substance` characters left. Style and images have no text (but drawings have): what their switches
change is seen in `html`, where style goes from every element, not from `div` alone, and style
sheets go too. What is hidden is not counted and goes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from html import escape
from itertools import chain, compress
from typing import Literal, NamedTuple

import numpy as np

from thresher.errors import UsageError
from thresher.methods.common.option_checks import number, whole
from thresher.page import Page, Selection
from thresher.page.array_types import Bools, Int32s
from thresher.page.arrays import inside, subtree_sums
from thresher.page.columns import Columns
from thresher.page.serialize import write
from thresher.page.tags import BLOCK, CELL, NUMBER, lookup

AD_HOSTS = (
    "2mdn.net adbutler.com adform.net adition.com adnxs.com adroll.com adsrvr.org "
    "adtech.de advertising.com amazon-adsystem.com atdmt.com bidswitch.net casalemedia.com "
    "criteo.com criteo.net doubleclick.com doubleclick.net fastclick.net googleadservices.com "
    "googlesyndication.com ligatus.com media.net mgid.com moatads.com openx.net outbrain.com "
    "plista.com pubmatic.com revcontent.com rubiconproject.com serving-sys.com smartadserver.com "
    "taboola.com teads.tv tradedoubler.com yieldmo.com zanox.com zedo.com zergnet.com"
)

_IMAGE = lookup("img image picture svg canvas map")
_NO_CELL = lookup("html head body frameset")
# At most so many white spaces and characters: a longer host is none, and time stays linear.
_HOST = r"""\s{0,9}=\s{0,9}["']?\s{0,9}(?:[Hh][Tt][Tt][Pp][Ss]?:)?//([^/\\"'\s<>?#]{1,253})"""
_HOSTS = {name: re.compile(name + _HOST) for name in ("href", "HREF")}
_FAR = 1_000  # characters before `href` in which its tag is looked for
_AUTHORITY = re.compile(r"\s*(?:https?:)?//([^/\\?#]{1,253})", re.I)


class Link(NamedTuple):
    """A link that was taken out of the page."""

    text: str
    address: str


@dataclass(frozen=True, slots=True)
class Crunch:
    """Keep what a chain of filters leaves: no advertisements, lists of links, empty tables."""

    styles: bool = True  # Algorithm 1: ignoreDivStyles
    images: bool = True  # thesis: the first technique
    ads: bool = True  # Algorithm 1: ignoreAds
    link_cells: bool = True  # Algorithm 1: ignoreLinkCells
    text_links: bool = False  # Algorithm 1: ignoreTextLink; ours: off, articles have links
    links_at_end: bool = False  # Algorithm 1: addLinksToBottom
    tables: bool = True  # thesis: the last technique
    cells: Literal["blocks", "tables"] = "blocks"  # "tables": the paper's
    threshold: float = 0.8  # link_cells; swept on wcxb-dev and fundus, see docs/methods
    substance: int = 5  # tables: characters; ours
    ad_hosts: str = AD_HOSTS  # ours

    def __post_init__(self) -> None:
        """Check the options."""
        if self.cells not in ("blocks", "tables"):
            raise UsageError(f"cells is {self.cells!r}: give blocks or tables.")
        number(0, 1, threshold=self.threshold)
        whole(0, substance=self.substance)

    def __call__(self, page: Page) -> Selection:
        """Apply the filters to the texts."""
        return page.where(~self.removed(page))

    # --- the filters ------------------------------------------------------------------------

    def removed(self, page: Page) -> Bools:
        """Tell which rows the filters take out; hidden ones are out from the start."""
        gone = page.hidden.copy()
        if self.ads:
            gone |= self.ad_links(page)
        chars = np.where(page.hidden, 0, page.chars)
        if self.link_cells:
            gone |= self.link_rich_cells(page, chars)
        if self.text_links:
            gone |= inside(_text_links(page, chars), page.end)
        if self.images:
            gone |= inside(_IMAGE.take(page.tag), page.end)
        return gone | self.empty_tables(page, chars * ~gone) if self.tables else gone

    def ad_links(self, page: Page) -> Bools:
        """Tell which rows are links to advertisers, or in one."""
        mask = np.zeros(len(page), np.bool_)
        listed = frozenset(self.ad_hosts.lower().split())
        if _names_a_host(page, listed):
            for row in (page.tag == NUMBER["a"]).nonzero()[0].tolist():
                match = _AUTHORITY.match(page.attributes(row).get("href", ""))
                mask[row] = match is not None and _is_listed(match[1], listed)
        return inside(mask, page.end) if mask.any() else mask

    def link_rich_cells(self, page: Page, chars: Int32s) -> Bools:
        """Tell which rows are in a cell whose share of linked characters is above the threshold."""
        is_cell = CELL.take(page.tag)
        if self.cells == "blocks":
            is_cell = BLOCK.take(page.tag) & ~_NO_CELL.take(page.tag)
        linked = subtree_sums(chars * page.linked, page.end)
        return inside(is_cell & (linked > self.threshold * subtree_sums(chars, page.end)), page.end)

    def empty_tables(self, page: Page, chars: Int32s) -> Bools:
        """Tell which rows are in a table with fewer characters left than have substance."""
        is_table = page.tag == NUMBER["table"]
        if not is_table.any():
            return np.zeros(len(page), np.bool_)
        left = subtree_sums(chars, page.end)
        return inside(is_table & (left < self.substance), page.end)

    # --- the page that is left --------------------------------------------------------------

    def links(self, page: Page) -> list[Link]:
        """Return the links that the filter `text_links` takes out and no other one, in order."""
        if not self.text_links:
            return []
        left = ~replace(self, text_links=False, tables=False).removed(page)
        rows = _text_links(page, np.where(left, page.chars, 0)).nonzero()[0]
        is_left = left[page.text_rows].tolist()
        texts = [text or "" for text in page.texts]
        bounds = page.text_rows.searchsorted(np.stack([rows, page.end[rows]])).T.tolist()
        return [
            Link(
                " ".join("".join(compress(texts[first:last], is_left[first:last])).split()),
                page.resolve(page.attributes(row).get("href", "")),
            )
            for row, (first, last) in zip(rows.tolist(), bounds, strict=True)
        ]

    def html(self, page: Page) -> str:
        """Return the page that is left as HTML, with its head; what went is listed on demand."""
        is_head = inside((page.tag == NUMBER["head"]) & (page.level == 1), page.end)
        keep = is_head | ~self.removed(page)
        if self.styles:
            keep &= ~inside(_styles(page), page.end)
        part = page.part(keep)
        origin = part.pop("origin").tolist()
        kept_texts = zip(page.texts, keep[page.text_rows].tolist(), strict=True)

        def attributes(row: int) -> dict[str, str]:
            given = page.attributes(origin[row])
            return {k: v for k, v in given.items() if not (self.styles and k == "style")}

        texts = [text for text, kept in kept_texts if kept]
        written = write(Columns(**part, names=page.names), texts, attributes)[0]
        if not self.links_at_end:
            return written
        before, body_ends, after = written.rpartition("</body>")
        return f"{before}{_listed(self.links(page))}{body_ends}{after}"


def _text_links(page: Page, chars: Int32s) -> Bools:
    """Tell which rows are links with text."""
    found: Bools = (page.tag == NUMBER["a"]) & (subtree_sums(chars, page.end) > 0)
    return found


def _styles(page: Page) -> Bools:
    """Tell which rows are style sheets, or lead to one."""
    found: Bools = page.tag == NUMBER["style"]
    for row in (page.tag == NUMBER["link"]).nonzero()[0].tolist():
        found[row] = "stylesheet" in page.attributes(row).get("rel", "").lower().split()
    return found


def _listed(links: list[Link]) -> str:
    """Write links as a list."""
    items = (f'<li><a href="{escape(to)}">{escape(text)}</a></li>' for text, to in links)
    return f"<ul>{''.join(items)}</ul>" if links else ""


def _names_a_host(page: Page, listed: frozenset[str]) -> bool:
    """Tell whether the source has a link to a listed host, before links are looked at one by one.

    Most pages that name such a host do so in `<link>` alone, to be connected early.
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
    tags = (source[max(start - _FAR, 0) : start].rpartition("<")[2][:4] for start in starts)
    return any(tag.lower() != "link" for tag in tags)


def _is_listed(host: str, listed: frozenset[str]) -> bool:
    """Tell whether a host is in the list, or below one: of a.example.org, example.org and org."""
    labels = host.rpartition("@")[2].partition(":")[0].lower().split(".")
    return any(".".join(labels[place:]) in listed for place in range(len(labels)))
