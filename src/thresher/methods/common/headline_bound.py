"""A known headline as a bound of the main content (Mohammadzadeh; thesis 7.2.1).

The headline is the upper bound: what stands before it is out. The smallest subtree that holds the
headline and the region that a method found is the lower bound: what stands after its end is out.
Between the two a method needs no threshold of its own for how far its regions lie apart.

It is an option of every method on the source, `headline`, and `bounded` is all that a method needs
for it.

Departures (the thesis gives the idea alone): the headline is the text block with the largest share
of its words, where there is one with a share of `_LEAST_SHARE`; of equal ones the highest heading,
then the first. A subtree holds the region when it has more than `_LEAST_PART` of the words that the
method kept after the headline. Without such a block nothing bounds. Whether the headline itself is
kept is left to the method.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from thresher.page import Page, Selection
from thresher.page.tags import NUMBER
from thresher.page.words import words

_LEAST_SHARE = 0.7  # swept on 130 pages each of fundus and wcxb-dev: 0.5 to 0.8, see docs/methods
_LEAST_PART = 0.25  # swept on 257 pages of fundus, 150 of wcxb-dev: 0.25 to 0.75

_RANK = np.zeros(1 << 16, np.int8)
_RANK[[NUMBER[f"h{level}"] for level in range(1, 7)]] = range(6, 0, -1)  # h1 is the highest


def bounded(found: Selection, headline: str, regions: Selection | None = None) -> Selection:
    """Return what lies between the bounds: of what was found, or of all `regions` if given.

    `regions` is what the method would keep without its threshold. Without a headline, or when the
    page does not have it, the answer is what was found.
    """
    limits = bounds(found, headline) if headline else None
    if limits is None:
        return found
    begin, end = limits
    rows = found.page.text_rows
    chosen = found if regions is None else regions
    return chosen & Selection(found.page, (rows >= begin) & (rows < end))


def bounds(found: Selection, headline: str) -> tuple[int, int] | None:
    """Return the row of the headline and the first row after the lower bound, if it is found."""
    page, blocks = found.page, found.page.blocks
    block = find_headline(page, headline)
    if block < 0:
        return None
    first, last = int(blocks.first[block]), int(blocks.last[block])
    kept = found.rows[found.rows > last]
    kept_words = np.zeros(len(page) + 1, np.int64)
    kept_words[kept + 1] = page.words[kept]
    upto = kept_words.cumsum()  # words kept after the headline and before each row
    if not upto[-1]:
        return first, len(page)
    # The subtrees that hold the headline start at it or before it, the smallest last.
    around = (page.end[: first + 1] > last).nonzero()[0]
    enough = upto[page.end[around]] > _LEAST_PART * upto[-1]
    return first, int(page.end[around[enough][-1]])


def find_headline(page: Page, headline: str) -> int:
    """Return the text block that matches a headline best, -1 if none does."""
    wanted = Counter(words(headline.casefold()))
    blocks, count = page.blocks, wanted.total()
    common = 2 * np.minimum(blocks.words, count)  # at most so many words of the two, twice
    likely = (common >= _LEAST_SHARE * (blocks.words + count)) & (common > 0) & ~blocks.hidden
    candidates = likely.nonzero()[0]
    # Words are compared one block after the other; few are about as long as the headline.
    share = np.array([_share(wanted, _text(page, block)) for block in candidates.tolist()])
    if not (share >= _LEAST_SHARE).any():
        return -1
    best = candidates[share == share.max()]
    rank = _RANK[page.tag[blocks.parent[best]]]
    return int(best[rank.argmax()])


def _text(page: Page, block: int) -> str:
    """Return the text of a block, its texts as they stand."""
    ends = [page.blocks.first[block], page.blocks.last[block]]
    first, last = page.text_rows.searchsorted(ends).tolist()
    return "".join(text or "" for text in page.texts[first : last + 1])


def _share(wanted: Counter[str], text: str) -> float:
    """Return how many of the words of two texts are common to both."""
    present = Counter(words(text.casefold()))
    return 2 * (wanted & present).total() / (wanted.total() + present.total())
