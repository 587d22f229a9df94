"""DSC: document slope curves (Pinto and others 2002; thesis 3.3.1.2).

With B = 1 for a tag and 0 for a word, d(i) = B[0] + ... + B[i] (3.4): the slope of d is high in
menus and low in text. A window of w tokens moves along in steps of w // 2,
    w = 8 up to N = 200 tokens, ceil((7 N + 5000) / 800) up to 5000, 50 above,
and is low when its slope is below half of the document's:
    (d(i + w - 1) - d(i - 1)) / w < d(N - 1) / N / 2.
Three low windows in a row begin a region of content, three that are not end it: a region runs from
the start of the first of the three low ones to the start of the first of the three that are not.

Departures: Algorithm 6 opens and closes a region at the third window of the three, leaves a token
out of each slope, and never reads the last window (`listing` does as it says; its last `else`
belongs to `lr = 0`, or no region would end). The window is computed in integers: in floats
0.00875 N + 6.25 is above 50 at N = 5000. What follows the last window goes with it. A page without
any tag is content. Tags are those of the parsed tree; scripts and styles count as nothing, hidden
words are no tokens and are not kept. A text is kept when more than half of its words lie in
regions.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from thresher.errors import UsageError
from thresher.methods.common.headline_bound import bounded
from thresher.page import Page, Selection
from thresher.page.array_types import Bools


@dataclass(frozen=True, slots=True)
class DSC:
    """Keep the stretches where tags are rare for this page."""

    listing: bool = False  # True: open, close and count as Algorithm 6 of the thesis is printed
    headline: str = ""  # of the article, when known: a bound (thesis 7.2.1)

    def __post_init__(self) -> None:
        """Check the options."""
        if not isinstance(self.listing, bool):
            raise UsageError(f"listing is {self.listing!r}: give True or False.")

    def __call__(self, page: Page) -> Selection:
        """Find the regions of low slope, then the texts that stand in them."""
        tokens = page.tokens
        counted = ~(tokens.is_word & page.hidden[tokens.row])
        is_word, row = tokens.is_word[counted], tokens.row[counted]
        low = low_slope(~is_word, listing=self.listing)
        words = np.bincount(row[is_word & low], minlength=len(page))
        found = page.where((2 * words > page.words) & ~page.hidden)
        return bounded(found, self.headline)


def window_size(count: int) -> int:
    """Return w for a document of so many tokens."""
    if count <= 200:
        return 8
    return 50 if count > 5000 else -((7 * count + 5000) // -800)


def low_slope(is_tag: Bools, *, listing: bool = False) -> Bools:
    """Tell for each token whether it lies in a region of low slope."""
    count, width = len(is_tag), window_size(len(is_tag))
    step = width // 2
    d = np.concatenate(([0], np.cumsum(is_tag)))  # d[i + 1] is the paper's d(i)
    if d[-1] == 0:
        return np.ones(count, np.bool_)
    begin = np.arange(0, count - width + (0 if listing else 1), step)
    tags = d[begin + width] - d[begin + 1 if listing else begin]
    in_region = _regions(2 * count * tags < width * d[-1], late=listing)
    if not len(begin):
        return np.zeros(count, np.bool_)
    token = np.arange(count)
    found: Bools = in_region[np.minimum(token // step, len(begin) - 1)]
    if listing:
        found &= token < begin[-1] + width
    return found


def _regions(low: Bools, *, late: bool) -> Bools:
    """Tell for each window whether a region is open at its start.

    The latest three in a row decide; `late` waits for the third of them.
    """
    opens, closes = low.copy(), ~low
    opens[-2:] = closes[-2:] = False
    for ahead in (1, 2):
        opens[:-ahead] &= low[ahead:]
        closes[:-ahead] &= ~low[ahead:]
    if late:
        opens, closes = (np.append([False, False], mask)[: len(low)] for mask in (opens, closes))
    place = np.arange(1, len(low) + 1)
    opened = np.maximum.accumulate(place * opens)
    found: Bools = opened > np.maximum.accumulate(place * closes)
    return found
