"""The headline as a bound of the main content (Mohammadzadeh; thesis 7.2.1).

The headline is the upper bound: text before it is removed. The smallest subtree with the headline
and the region that a method kept is the lower bound: text after its end is removed. Between the two
bounds a method needs no threshold for the distance of its regions. Read literally, 7.2.1 keeps all
text of this subtree from the headline on: `subtree`.

Methods on the source have three options and pass themselves to `bounded`:

    headline      the headline, if it is known
    headline_by   how to find it otherwise: "titlefinder" as in the thesis, "vote" by
                  `thresher.metadata.headline.find`; "given": not at all
    subtree       keep all visible text between the bounds

Departures (the thesis gives only the idea): the headline is the text block that shares the largest
part of its words with the given or found headline, at least `_LEAST_SHARE`; ties go to the highest
heading, then to the first. The smallest subtree with the headline alone is the headline, so it must
have the region too: more than `_LEAST_PART` of the words that the method kept after the headline.
If the headline is not found there are no bounds. Without `subtree` the method decides whether the
headline itself is kept.
"""

from __future__ import annotations

from collections import Counter
from typing import Literal, Protocol, TypeAlias

import numpy as np

from thresher.metadata.headline import TitleFinder, find
from thresher.page import Page, Selection
from thresher.page.tags import NUMBER
from thresher.page.words import words

HeadlineBy: TypeAlias = Literal["given", "titlefinder", "vote"]

_LEAST_SHARE = 0.7  # swept on 130 pages each of fundus and wcxb-dev: 0.5 to 0.8, see docs/methods
_LEAST_PART = 0.25  # swept on 257 pages of fundus, 150 of wcxb-dev: 0.25 to 0.75

_RANK = np.zeros(1 << 16, np.int8)
_RANK[[NUMBER[f"h{level}"] for level in range(1, 7)]] = range(6, 0, -1)  # h1 is the highest


class BoundOptions(Protocol):
    """A method with the options of a bound."""

    @property
    def headline(self) -> str:
        """The headline, "" if it is not known."""

    @property
    def headline_by(self) -> HeadlineBy:
        """How to find a headline that is not known."""

    @property
    def subtree(self) -> bool:
        """Whether all visible text between the bounds is kept."""


def has_bound(method: BoundOptions) -> bool:
    """Return whether a method is to use a headline."""
    return bool(method.headline) or method.headline_by != "given"


def bounded(kept: Selection, method: BoundOptions, regions: Selection | None = None) -> Selection:
    """Return the part of `kept`, or of `regions` if given, that is between the bounds.

    `regions` is the text that the method would keep without its threshold. With `subtree`, return
    all visible text between the bounds. Without a headline, or if the page does not have it, return
    `kept`.
    """
    page = kept.page
    limits = bounds(kept, headline_of(page, method)) if has_bound(method) else None
    if limits is None:
        return kept
    begin, end = limits
    candidates = kept if regions is None else regions
    if method.subtree:
        candidates = ~page.where(page.hidden)
    return candidates & Selection(page, (page.text_rows >= begin) & (page.text_rows < end))


def headline_of(page: Page, method: BoundOptions) -> str:
    """Return the headline that a method is given, or else finds; "" if there is none."""
    if method.headline or method.headline_by == "given":
        return method.headline
    return TitleFinder()(page).text if method.headline_by == "titlefinder" else find(page).text


def bounds(kept: Selection, headline: str) -> tuple[int, int] | None:
    """Return the row of the headline and the first row after the lower bound, None if not found."""
    page, blocks = kept.page, kept.page.blocks
    block = find_headline(page, headline)
    if block < 0:
        return None
    first, last = int(blocks.first[block]), int(blocks.last[block])
    after = kept.rows[kept.rows > last]
    kept_words = np.zeros(len(page) + 1, np.int64)
    kept_words[after + 1] = page.words[after]
    upto = kept_words.cumsum()  # words kept after the headline and before each row
    if not upto[-1]:
        return first, len(page)
    # The subtrees with the headline start at it or before it, the smallest last.
    around = (page.end[: first + 1] > last).nonzero()[0]
    enough = upto[page.end[around]] > _LEAST_PART * upto[-1]
    return first, int(page.end[around[enough][-1]])


def find_headline(page: Page, headline: str) -> int:
    """Return the number of the text block that matches a headline best, -1 if none does."""
    wanted = Counter(words(headline.casefold()))
    blocks, count = page.blocks, wanted.total()
    common = 2 * np.minimum(blocks.words, count)  # upper bound of twice the words in common
    likely = (common >= _LEAST_SHARE * (blocks.words + count)) & (common > 0) & ~blocks.hidden
    candidates = likely.nonzero()[0]
    # Words are compared in a loop: few blocks are about as long as the headline.
    share = np.array([_share(wanted, page.block_text(block)) for block in candidates.tolist()])
    if not (share >= _LEAST_SHARE).any():
        return -1
    best = candidates[share == share.max()]
    rank = _RANK[page.tag[blocks.parent[best]]]
    return int(best[rank.argmax()])


def _share(wanted: Counter[str], text: str) -> float:
    """Return the share of the words of two texts that both have."""
    present = Counter(words(text.casefold()))
    return 2 * (wanted & present).total() / (wanted.total() + present.total())
