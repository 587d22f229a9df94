"""R2L, DANA, DANAg, AdDANAg: content from the lines of the source (Mohammadzadeh; thesis 4.3-4.6).

T1 and T2 are the content and code characters of each line.
    diff_i = (T1 - T2)_{i-1} + (T1 - T2)_i + (T1 - T2)_{i+1}                               (4.2)
    diff_i = (T1 - T2)_i      with `smooth=False`, for highly structured pages (4.5.2)     (4.6)
Regions are runs of lines with diff > 0. The region with most content is the main one. On either
side of it the next region joins while x_j - y_i + 1 <= gap (4.4), until the first failure; y_i is
the last line of the region before, x_j the first line of the one after.

R2L and DANA (4.3, 4.4) count by character set: T1 = characters from U+0080 on, T2 = the others;
with `unit="bytes"` T1 and T2 are the bytes from 128 on and below 128 (4.3.2). R2L prints only the
characters from U+0080 on of the chosen lines, DANA their whole text. DANAg (4.5) takes T1 from the
parser, T2 = length - T1. AdDANAg (4.6) is DANAg after the tags of hyperlinks are normalised
(4.6.1); LT = length of anchor text:
    Filter 1 removes the hyperlinks with their text,
    Filter 2 strips the attributes of their tags,
    Filter 3 replaces the attributes by max(0, LT - 7) characters; 7 = len("<a></a>").

Departures: lines are reflowed to one length, since the line breaks of today's pages mean little
(`length`; 0 keeps them as written), and a run of white space is then one character. A row is kept
when most of its characters are in chosen lines. Lines between regions are not kept. Hidden text
counts as content and is not kept. R2L and DANA count characters as written (a reference such as
`&#1587;` is ASCII), also in attributes; R2L prints one space for each run of ASCII. The thesis
reads a file as bytes, of which every right-to-left letter has two, and speaks of numbers of
characters: here characters are the default. Bytes are those of UTF-8 whatever the charset of the
page, so that a Chinese character has three; a line has `length` characters in either unit. For
DANAg and AdDANAg white space beside a tag counts as code. The filler of Filter 3 is placed where
the attributes began; the part that is longer than the attributes is placed before the ">". A tag
without attributes, or without a tag that closes it, is not changed. Filters 2 and 3 change the tags
of all anchors; the hyperlinks that Filter 1 removes are those with an `href`. With a headline
(`thresher.methods.common.headline_bound`) the regions between its bounds join at any distance.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np

from thresher.methods.common.headline_bound import HeadlineBy, bounded, has_bound
from thresher.methods.common.option_checks import Options
from thresher.page import Page, Selection
from thresher.page.array_types import Bools, Int64s
from thresher.page.arrays import run_bounds
from thresher.page.scan import Scan
from thresher.page.views import Lines

Counts: TypeAlias = tuple[Int64s, Int64s]  # T1 and T2 of each line
Unit: TypeAlias = Literal["characters", "bytes"]

_EMPTY_ANCHOR = len("<a></a>")
_NON_ASCII = 0x80  # least byte of a non-ASCII character in UTF-8
_LEAD, _LEAD_OF_3, _LEAD_OF_4 = 0xC0, 0xE0, 0xF0  # least first bytes of those of 2, 3, 4 bytes


class _LineMethod(Options):
    """Base class: choose lines by their content and code characters."""

    __slots__ = ()
    gap: int
    length: int
    smooth: bool
    headline: str
    headline_by: HeadlineBy
    subtree: bool

    def counts(self, lines: Lines) -> Counts:
        """Return T1 and T2 of each line."""
        raise NotImplementedError

    def __call__(self, page: Page) -> Selection:
        """Return the visible text rows in the lines of content.

        Between the bounds of a headline, the lines of all regions are content.
        """
        lines = page.lines(self.length)
        content, code = self.counts(lines)
        diff = differences(content, code, self.smooth)
        shown = ~page.where(page.hidden)
        kept = Selection(page, lines.rows_of(regions_of_content(content, diff, self.gap))) & shown
        if not has_bound(self):
            return kept
        return bounded(kept, self, Selection(page, lines.rows_of(diff > 0)) & shown)


@dataclass(frozen=True, slots=True)
class R2L(_LineMethod):
    """Keep the non-ASCII characters of the lines with more of them than of ASCII."""

    gap: int = 8  # thesis 4.3.4
    length: int = 160  # characters of a line; as AdDANAg's, see docs/methods
    unit: Unit = "characters"  # "bytes": thesis 4.3.2
    smooth: bool = True  # formula 4.2; False is formula 4.6 (thesis 4.5.2)
    headline: str = ""  # of the article, if known: a bound (thesis 7.2.1)
    headline_by: HeadlineBy = "given"  # how to find it otherwise; thesis: "titlefinder"
    subtree: bool = False  # keep all text between the bounds; thesis 7.2.1 read literally

    def counts(self, lines: Lines) -> Counts:
        """Return the non-ASCII and ASCII characters or bytes of each line."""
        return by_character_set(lines, self.unit)

    def __call__(self, page: Page) -> Selection:
        """Return the text rows in the lines of content; their ASCII is not printed."""
        return replace(_LineMethod.__call__(self, page), characters="non-ascii")


@dataclass(frozen=True, slots=True)
class DANA(_LineMethod):
    """Keep the lines with more non-ASCII characters than ASCII around the richest region."""

    gap: int = 20  # thesis 4.4
    length: int = 160  # characters of a line; as AdDANAg's, see docs/methods
    unit: Unit = "characters"  # "bytes": thesis 4.3.2
    smooth: bool = True  # formula 4.2; False is formula 4.6 (thesis 4.5.2)
    headline: str = ""  # of the article, if known: a bound (thesis 7.2.1)
    headline_by: HeadlineBy = "given"  # how to find it otherwise; thesis: "titlefinder"
    subtree: bool = False  # keep all text between the bounds; thesis 7.2.1 read literally

    def counts(self, lines: Lines) -> Counts:
        """Return the non-ASCII and ASCII characters or bytes of each line."""
        return by_character_set(lines, self.unit)


@dataclass(frozen=True, slots=True)
class DANAg(_LineMethod):
    """Keep the lines with more content than code around the richest region, links as they are."""

    gap: int = 20  # thesis 4.4
    length: int = 160  # characters of a line; as AdDANAg's, see docs/methods
    smooth: bool = True  # formula 4.2; False is formula 4.6 (thesis 4.5.2)
    headline: str = ""  # of the article, if known: a bound (thesis 7.2.1)
    headline_by: HeadlineBy = "given"  # how to find it otherwise; thesis: "titlefinder"
    subtree: bool = False  # keep all text between the bounds; thesis 7.2.1 read literally

    def counts(self, lines: Lines) -> Counts:
        """Return the text and other characters of each line."""
        return by_parser(lines)


@dataclass(frozen=True, slots=True)
class AdDANAg(_LineMethod):
    """Keep the lines with more content than code around the richest region."""

    gap: int = 20  # thesis 4.4
    filter: Literal[0, 1, 2, 3] = 3  # thesis 4.6.1.3; 0 for none, which is DANAg
    length: int = 160  # characters of a line; swept on the shared corpora, see docs/methods
    smooth: bool = True  # formula 4.2; False is formula 4.6 (thesis 4.5.2)
    headline: str = ""  # of the article, if known: a bound (thesis 7.2.1)
    headline_by: HeadlineBy = "given"  # how to find it otherwise; thesis: "titlefinder"
    subtree: bool = False  # keep all text between the bounds; thesis 7.2.1 read literally

    def counts(self, lines: Lines) -> Counts:
        """Return the text and other characters of each line after the filter."""
        return normalised(lines, self.filter)

    def __call__(self, page: Page) -> Selection:
        """Return the text rows in the lines of content, with Filter 1 without linked text."""
        kept = _LineMethod.__call__(self, page)
        return kept - page.where(page.linked) if self.filter == 1 else kept


def differences(content: Int64s, code: Int64s, smooth: bool = True) -> Int64s:
    """Return diff of each line (formula 4.2); lines outside the page count 0.

    If not `smooth`, neighbours do not count (formula 4.6).
    """
    balance = content - code
    if not smooth:
        return balance
    diff: Int64s = balance.copy()
    diff[1:] += balance[:-1]
    diff[:-1] += balance[1:]
    return diff


def regions_of_content(content: Int64s, diff: Int64s, gap: int) -> Bools:
    """Return one bool per line: True in the main region and those joined to it (Algorithm 1)."""
    chosen: Bools = diff > 0
    first, last = run_bounds(chosen)
    if not len(first):
        return chosen
    total = np.concatenate(([0], content.cumsum()))
    main = int(np.argmax(total[last + 1] - total[first]))
    far = first[1:] - last[:-1] + 1 > gap  # between each region and the next
    left = np.flatnonzero(far[:main])
    right = np.flatnonzero(far[main:])
    begin = left[-1] + 1 if len(left) else 0
    end = main + right[0] if len(right) else len(first) - 1
    chosen[: first[begin]] = False
    chosen[last[end] + 1 :] = False
    return chosen


def by_character_set(lines: Lines, unit: Unit = "characters") -> Counts:
    """Return the characters of each line from U+0080 on, and the others (4.3.2).

    With the unit "bytes" return the bytes of each in UTF-8; the others have one byte each.
    """
    code = lines.scan.code
    first, last = run_bounds(code >= _NON_ASCII)
    content = lines.covered(lines.place(first), lines.place(last + 1))
    if unit == "characters":
        return content, lines.length - content
    lead = (code >= _LEAD).nonzero()[0]
    width = 2 + (code.take(lead) >= _LEAD_OF_3) + (code.take(lead) >= _LEAD_OF_4)
    size = np.bincount(lines.line_of(lines.place(lead)), width, len(lines)).astype(np.int64)
    return size, lines.length - content


def by_parser(lines: Lines) -> Counts:
    """Return the characters of each line that are text, and the others (4.5)."""
    content = lines.content
    return content, lines.length - content


def normalised(lines: Lines, number: int) -> Counts:
    """Return content and code of each line after hyperlink filter `number`; 0 is no filter."""
    content, code = by_parser(lines)
    scan = lines.scan
    opening, closing = _anchors(scan, only_links=number == 1)
    if not number or not len(opening):
        return content, code
    first, last = scan.tag_first[opening], scan.tag_last[opening]
    if number == 1:
        return _without_links(lines, first, scan.tag_last[closing])
    close = lines.place(last - 1)
    size = close - lines.place(first + len("<a"))  # of the attributes and the white space before
    has_any = size > 1  # a space or a slash alone is no attribute
    text = np.zeros(len(first), np.int64) if number == 2 else _anchor_text(scan, opening, closing)
    filler = np.maximum(0, text - _EMPTY_ANCHOR)
    new_size = np.where(filler > 0, filler + 1, 0)  # with the space before the filler
    shorter = np.where(has_any, np.maximum(size - new_size, 0), 0)
    longer = np.where(has_any, np.maximum(new_size - size, 0), 0)
    removed = lines.covered(close - shorter, close)
    added = np.bincount(lines.line_of(close), longer, len(lines)).astype(np.int64)
    return content, code - removed + added


def _anchors(scan: Scan, only_links: bool) -> tuple[Int64s, Int64s]:
    """Return the tags that open anchors, or only links, and the next tags that can close them."""
    opens = scan.opens_anchor
    opening = (opens & _has_address(scan) if only_links else opens).nonzero()[0]
    closing = (scan.closes_anchor | opens).nonzero()[0]
    after = closing.searchsorted(opening, side="right")
    opening, after = opening[after < len(closing)], after[after < len(closing)]
    return opening, closing[after]


_ADDRESS = re.compile(rb"""[\s"'/]href(?=[\s=/>])""", re.I)


def _has_address(scan: Scan) -> Bools:
    """Return one bool per tag: True if it has an attribute `href`."""
    found = [match.start() for match in _ADDRESS.finditer(scan.code.tobytes())]
    at = np.array(found, np.int64)
    tag = scan.tag_first.searchsorted(at) - 1
    at, tag = at[tag >= 0], tag[tag >= 0]
    has_address = np.zeros(len(scan.tag_first), np.bool_)
    has_address[tag[at < scan.tag_last[tag]]] = True
    return has_address


def _anchor_text(scan: Scan, opening: Int64s, closing: Int64s) -> Int64s:
    """Return LT: the characters of text between the tags."""
    upto = np.concatenate(([0], (scan.run_end - scan.run_begin).cumsum()))
    begin = scan.run_first.searchsorted(scan.tag_last[opening])
    end = scan.run_first.searchsorted(scan.tag_first[closing])
    length: Int64s = upto[end] - upto[begin]
    return length


def _without_links(lines: Lines, first: Int64s, last: Int64s) -> Counts:
    """Return content and code without the text and tags of hyperlinks (Filter 1)."""
    scan = lines.scan
    last = np.minimum(last, np.append(first[1:], len(scan.code)))  # `covered` needs disjoint spans
    link = first.searchsorted(scan.run_first, side="right") - 1
    inside = (link >= 0) & (scan.run_first < last[np.maximum(link, 0)])
    text = lines.covered(lines.run[0][inside], lines.run[1][inside])
    whole = lines.covered(lines.place(first), lines.place(last))
    return lines.content - text, lines.code - (whole - text)
