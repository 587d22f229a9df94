"""DSC: document slope curves (Pinto and others 2002; thesis 3.3.1.2).

With B = 1 for a tag and 0 for a word, d(i) = B[0] + ... + B[i] (3.4): the slope of d is high in
menus and low in text. A window of w tokens moves along in steps of w // 2,
    w = 8 up to N = 200 tokens, ceil((7 N + 5000) / 800) up to 5000, 50 above,
and is low when its slope is below half of the document's:
    (d(i + w - 1) - d(i - 1)) / w < d(N - 1) / N / 2.
Three low windows in a row begin a region of content, three windows that are not low end it. A
region runs from the start of the first of the three low windows to the start of the first of the
three others.

Departures: Algorithm 6 opens and closes a region at the third window of the three, leaves one token
out of each slope, and never reads the last window (`listing=True` does the same, except that the
last `else` is read as belonging to `lr = 0`, since otherwise no region would end). The window size
is computed in integers: in floats 0.00875 N + 6.25 is above 50 at N = 5000. Tokens after the last
window are treated like that window. A page without tags is all content. Tags are those of the
parsed tree; scripts and styles are not counted, hidden words are not tokens and are not kept. A
text is kept when more than half of its words are in regions.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from thresher.methods.common.headline_bound import HeadlineBy, bounded
from thresher.methods.common.option_checks import Options
from thresher.page import Page, Selection
from thresher.page.array_types import Bools, Int64s


@dataclass(frozen=True, slots=True)
class DSC(Options):
    """Keep the stretches where tags are rare for this page."""

    listing: bool = False  # True: open, close and count as printed in Algorithm 6 of the thesis
    headline: str = ""  # of the article, if known: a bound (thesis 7.2.1)
    headline_by: HeadlineBy = "given"  # how to find it otherwise; thesis: "titlefinder"
    subtree: bool = False  # keep all text between the bounds; thesis 7.2.1 read literally

    def __call__(self, page: Page) -> Selection:
        """Return the texts in regions of low slope."""
        tokens = page.tokens
        counted = ~(tokens.is_word & page.hidden[tokens.row])
        is_word, row = tokens.is_word[counted], tokens.row[counted]
        low = low_slope(~is_word, listing=self.listing)
        words = np.bincount(row[is_word & low], minlength=len(page))
        kept = page.where((2 * words > page.words) & ~page.hidden)
        return bounded(kept, self)


def window_size(count: int) -> int:
    """Return w for a document of `count` tokens."""
    if count <= 200:
        return 8
    return 50 if count > 5000 else -((7 * count + 5000) // -800)


def windows(is_tag: Bools, *, listing: bool = False) -> tuple[Int64s, Int64s]:
    """Return the first token of each window, and the number of tags in it."""
    count, width = len(is_tag), window_size(len(is_tag))
    d = np.concatenate(([0], np.cumsum(is_tag)))  # d[i + 1] is the paper's d(i)
    begin = np.arange(0, max(count - width + (0 if listing else 1), 0), width // 2)
    return begin, d[begin + width] - d[begin + 1 if listing else begin]


def low_slope(is_tag: Bools, *, listing: bool = False) -> Bools:
    """Return one bool per token: True if it is in a region of low slope."""
    count, width = len(is_tag), window_size(len(is_tag))
    all_tags = np.count_nonzero(is_tag)
    if all_tags == 0:
        return np.ones(count, np.bool_)
    begin, tags = windows(is_tag, listing=listing)
    if not len(begin):
        return np.zeros(count, np.bool_)
    in_region = _regions(2 * count * tags < width * all_tags, late=listing)
    token = np.arange(count)
    is_low: Bools = in_region[np.minimum(token // (width // 2), len(begin) - 1)]
    if listing:
        is_low &= token < begin[-1] + width
    return is_low


def _regions(low: Bools, *, late: bool) -> Bools:
    """Return one bool per window: True if a region is open at its start.

    The latest three equal windows in a row decide; with `late`, from the third of them on.
    """
    opens, closes = np.zeros((2, len(low)), np.bool_)
    three = np.stack((low[:-2], low[1:-1], low[2:]))
    first = slice(2, None) if late else slice(0, len(three[0]))
    opens[first], closes[first] = three.all(axis=0), ~three.any(axis=0)
    place = np.arange(1, len(low) + 1)
    last_opened = np.maximum.accumulate(place * opens)
    is_open: Bools = last_opened > np.maximum.accumulate(place * closes)
    return is_open
