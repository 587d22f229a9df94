"""GSWCE: web content extraction by Gaussian smoothing (Liu and others 2011; thesis 3.2.8).

1. Nodes in pre-order give tokens: 0 for each element, 1 for each word of a text.
2. The sequence is smoothed with a Gaussian.
3. Tokens above a threshold may be content; their longest run without a gap is taken.
4. The content base node (CBN) is the node with most tokens of that run.
5. The nearest p, tr, td or div around it (or itself) is the content, whole.
The title and the date of publication are looked for as well.

Departures: sigma and the threshold are open in the thesis. Several rounds of a Gaussian are one of
a larger sigma, so there is one round. A text has most tokens of a run, so step 4 as printed ends in
a single paragraph where paragraphs are marked up (`base="text"`); by default the CBN is the deepest
node that holds `share` of the words of the run, and article, section and main stand beside p, tr,
td and div. Ties go to the first; without any such element it is the body. What is hidden gives no
token and is not kept. Rules for title and date are not given, ours are told at `title` and `date`.
"""

from __future__ import annotations

import datetime
import math
import re
from dataclasses import dataclass
from typing import Literal

import numpy as np

from thresher.errors import UsageError
from thresher.page import Page, Selection
from thresher.page.array_types import Bools, Rows
from thresher.page.arrays import run_bounds, smooth, subtree_sums
from thresher.page.tags import HEADING, NUMBER, lookup
from thresher.page.words import words

_PRINTED = lookup("p tr td div")
_HOLDS_CONTENT = lookup("p tr td div article section main")
_MOST_SIGMA = 1_000.0  # a page has some thousand tokens: more would be its mean
_NEAR = 50  # texts before or after the beginning of the content, in which its date is looked for


@dataclass(frozen=True, slots=True)
class GSWCE:
    """Keep the container of the longest run of words after smoothing."""

    sigma: float = 30.0  # tokens; swept on wcxb-dev and fundus, see docs/methods
    threshold: float = 0.5  # swept likewise
    base: Literal["share", "text"] = "share"  # "text": the paper's
    share: float = 0.7  # of the run's words that the base holds; swept likewise

    def __post_init__(self) -> None:
        """Check the options."""
        if not 0 < self.sigma <= _MOST_SIGMA:
            raise UsageError(f"sigma is {self.sigma}: give a number above 0, at most 1000.")
        if not 0 <= self.threshold < 1:
            raise UsageError(f"threshold is {self.threshold}: give a number from 0 to below 1.")
        if self.base not in ("share", "text"):
            raise UsageError(f"base is {self.base!r}: give share or text.")
        if not 0.5 < self.share <= 1:
            raise UsageError(f"share is {self.share}: give a number above 0.5, at most 1.")

    def __call__(self, page: Page) -> Selection:
        """Find the run, then its base, then the container around it."""
        run = self.run(page)
        if not len(run):
            return page.none()
        content = self.content(page, run)
        texts = page.text_rows
        keep = (texts >= content) & (texts < page.end[content]) & ~page.hidden[texts]
        return Selection(page, keep)

    def run(self, page: Page) -> Rows:
        """Return the text row of each word in the longest run above the threshold."""
        row, is_word = token_list(page)
        first, last = run_bounds(smooth(is_word, self.sigma) > self.threshold)
        if not len(first):
            return row[:0]
        longest = int((last - first).argmax())
        within = slice(first[longest], last[longest] + 1)
        return row[within][is_word[within]]

    def content(self, page: Page, run: Rows) -> int:
        """Return the row of the element around the content base node."""
        if self.base == "text":
            text = int(np.bincount(run).argmax())
            return _around(page, text, _PRINTED)
        held = subtree_sums(np.bincount(run, minlength=len(page)), page.end)
        # Nodes with more than half of the run hold each other: the last of them is the deepest.
        deepest = int((held >= self.share * len(run)).nonzero()[0][-1])
        return _around(page, deepest, _HOLDS_CONTENT)

    def title(self, page: Page) -> str:
        """Return the title: the heading most like `<title>` before the longest text of the run.

        Likeness is the cosine of both sets of words; the last heading wins ties. Without any such
        heading it is `<title>` itself.
        """
        names = (page.tag == NUMBER["title"]).nonzero()[0][:1]
        best, found = 0.0, " ".join(_text(page, int(row)) for row in names)
        known = set(words(found.lower()))
        run = self.run(page)
        headings = (HEADING[page.tag] & ~page.hidden).nonzero()[0]
        if len(run):
            headings = headings[headings < np.bincount(run).argmax()]
        for row in headings.tolist():
            text = _text(page, row)
            own = set(words(text.lower()))
            likeness = len(own & known) / math.sqrt(max(len(own) * len(known), 1))
            if likeness >= best and likeness > 0:
                best, found = likeness, text
        return found

    def date(self, page: Page) -> str:
        """Return the date of publication as `YYYY-MM-DD`: the last near before the run, else after.

        Near are the 50 texts before the run's first, then that one and the 50 after it. "" when
        none of them has a date.
        """
        run = self.run(page)
        if not len(run):
            return ""
        texts = [
            "" if page.hidden[row] or text is None else text
            for row, text in zip(page.text_rows.tolist(), page.texts, strict=True)
        ]
        begin = int(page.text_rows.searchsorted(run[0]))
        before = texts[max(begin - _NEAR, 0) : begin][::-1]
        dates = map(find_date, before + texts[begin : begin + _NEAR + 1])
        return next(filter(None, dates), "")


def token_list(page: Page) -> tuple[Rows, Bools]:
    """Return the row of each token in pre-order, and whether it is a word (else an element)."""
    is_text = page.tag == 0
    count = np.where(is_text, page.words, 1) * ~page.hidden
    row = np.arange(len(page)).repeat(count)
    return row, is_text.take(row)


def _around(page: Page, row: int, table: Bools) -> int:
    """Return the nearest element of a table around a row, or the row itself; else the body."""
    holds = table.take(page.tag)
    holds[page.body] = True
    while row > 0 and not holds[row]:  # at most as many steps as the page is deep
        row = int(page.parent[row])
    return row


def _text(page: Page, row: int) -> str:
    """Return the text below a row in one line."""
    first, last = page.text_rows.searchsorted([row, page.end[row]])
    return " ".join("".join(text or "" for text in page.texts[first:last]).split())


_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_NAME = rf"(?P<name>{'|'.join(_MONTHS)})[a-z]*\.?"
_DATES = [
    re.compile(pattern, re.I)
    for pattern in (
        r"\b(?P<y>\d{4})\s?[-/.年]\s?(?P<m>\d{1,2})\s?[-/.月]\s?(?P<d>\d{1,2})(?!\d)",
        r"\b(?P<d>\d{1,2})\.\s?(?P<m>\d{1,2})\.\s?(?P<y>\d{4})\b",
        rf"\b(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\.?\s{_NAME},?\s(?P<y>\d{{4}})\b",
        rf"\b{_NAME}\s(?P<d>\d{{1,2}})(?:st|nd|rd|th)?,?\s(?P<y>\d{{4}})\b",
    )
]


def find_date(text: str) -> str:
    """Return the first date in a text as `YYYY-MM-DD`, "" if there is none.

    2011-03-05, 2011/3/5, 2011年3月5日, 5.3.2011, 5 March 2011 and March 5, 2011 are dates; 3/5/2011
    is not, since nobody knows which one.
    """
    matches = filter(None, (pattern.search(text) for pattern in _DATES))
    for match in sorted(matches, key=lambda match: match.start()):
        part = match.groupdict()
        month = int(part["m"]) if "m" in part else _MONTHS.index(part["name"].lower()) + 1
        try:
            return datetime.date(int(part["y"]), month, int(part["d"])).isoformat()
        except ValueError:  # such as 31.2.2011
            continue
    return ""
