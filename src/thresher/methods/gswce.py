"""GSWCE: web content extraction by Gaussian smoothing (Liu and others 2011; thesis 3.2.8).

1. Nodes in pre-order give tokens: 0 for each element, 1 for each word of a text.
2. The sequence is smoothed with a Gaussian.
3. Tokens above a threshold may be content; their longest run without a gap is taken.
4. The content base node (CBN) is the node with most tokens of that run.
5. The nearest p, tr, td or div around it (or itself) is the content, whole.
It also finds the title and the date of publication.

Departures: the thesis does not give sigma and the threshold. Several rounds of a Gaussian are one
of a larger sigma, so there is one round. Since a text is the node with most tokens of a run, step 4
as printed keeps a single paragraph where paragraphs are marked up (`base="text"`); by default the
CBN is the deepest node with `share` of the words of the run, and article, section and main are
containers as well as p, tr, td and div. Ties go to the first; without a container it is the body.
Hidden nodes give no tokens and are not kept. The thesis has no rules for title and date; ours are
documented at `title` and `date`.
"""

from __future__ import annotations

import datetime
import math
import re
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from thresher.methods.common.option_checks import Options, Range
from thresher.page import Page, Selection
from thresher.page.array_types import Bools, Rows
from thresher.page.arrays import run_bounds, smooth, subtree_sums
from thresher.page.tags import HEADING, NUMBER, lookup
from thresher.page.words import collapsed, words

_CONTAINERS_OF_PAPER = lookup("p tr td div")
_CONTAINERS = lookup("p tr td div article section main")
_NEAR = 50  # texts before and after the beginning of the content that may hold its date


@dataclass(frozen=True, slots=True)
class GSWCE(Options):
    """Keep the container of the longest run of words after smoothing."""

    # Standard deviation of the Gaussian in tokens; swept on wcxb-dev and fundus, see docs/methods.
    # A value above 1,000 would give every token about the mean of the page.
    sigma: Annotated[float, Range(0, 1_000, without=(0,))] = 30.0
    threshold: Annotated[float, Range(0, 1, without=(1,))] = 0.5  # swept like sigma
    base: Literal["share", "text"] = "share"  # "text": the paper's
    # With base="share", the base holds at least this share of the run's words; swept like sigma.
    share: Annotated[float, Range(0.5, 1, without=(0.5,))] = 0.7

    def __call__(self, page: Page) -> Selection:
        """Return the visible text of the container around the run's base."""
        run = self.run(page)
        if not len(run):
            return page.none()
        return page.under([self.content(page, run)]) - page.where(page.hidden)

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
            return _container(page, text, _CONTAINERS_OF_PAPER)
        held = subtree_sums(np.bincount(run, minlength=len(page)), page.end)
        # Nodes with more than half of the run are nested: the last of them is the deepest.
        deepest = int((held >= self.share * len(run)).nonzero()[0][-1])
        return _container(page, deepest, _CONTAINERS)

    def title(self, page: Page) -> str:
        """Return the heading most similar to `<title>` before the longest text of the run.

        Similarity is the cosine of the two sets of words; ties go to the last heading. If no
        heading shares a word with `<title>`, the title is `<title>` itself.
        """
        title_rows = (page.tag == NUMBER["title"]).nonzero()[0][:1]
        best, title = 0.0, " ".join(_text(page, int(row)) for row in title_rows)
        known = set(words(title.lower()))
        run = self.run(page)
        headings = (HEADING[page.tag] & ~page.hidden).nonzero()[0]
        if len(run):
            headings = headings[headings < np.bincount(run).argmax()]
        for row in headings.tolist():
            text = _text(page, row)
            own = set(words(text.lower()))
            similarity = len(own & known) / math.sqrt(max(len(own) * len(known), 1))
            if similarity >= best and similarity > 0:
                best, title = similarity, text
        return title

    def date(self, page: Page) -> str:
        """Return the date of publication as `YYYY-MM-DD`, or "" if none is found.

        It is the last date in the 50 texts before the run's first text, else the first date in that
        text and the 50 after it.
        """
        run = self.run(page)
        if not len(run):
            return ""
        texts = [
            "" if page.hidden[row] else text
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


def _container(page: Page, row: int, containers: Bools) -> int:
    """Return the nearest container around a row, or the row itself; the body if there is none.

    `containers` has one bool per tag number.
    """
    is_container = containers.take(page.tag)
    is_container[page.body] = True
    while row > 0 and not is_container[row]:  # at most as many steps as the page is deep
        row = int(page.parent[row])
    return row


def _text(page: Page, row: int) -> str:
    """Return the text of a subtree on one line."""
    return collapsed("".join(page.texts_inside(row)))


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

    2011-03-05, 2011/3/5, 2011年3月5日, 5.3.2011, 5 March 2011 and March 5, 2011 are dates.
    3/5/2011 is not, since it may be in March or in May.
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
