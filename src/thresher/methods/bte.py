"""BTE: body text extraction (Finn, Kushmerick, Smyth 2001; thesis 3.3.1.1).

With B = 1 for a tag and 0 for a word, keep the span i..j that maximises (formula 3.3)
    sum(B[:i]) + sum(1 - B[i:j+1]) + sum(B[j+1:])
which is a constant plus the sum of 1 - 2B over the span: a maximum-sum run.

Departures: Algorithm 5 also counts B[i] and B[j] as outside the span; here the formula is used.
Ties go to the smallest i, then the smallest j. Tags are those of the parsed tree, so that tags
omitted in the source are counted; scripts and styles are not counted. Hidden text (see
`Page.hidden`) is neither counted nor kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from thresher.methods.common.headline_bound import HeadlineBy, bounded
from thresher.methods.common.option_checks import Options, Range
from thresher.page import Page, Selection
from thresher.page.arrays import best_run


@dataclass(frozen=True, slots=True)
class BTE(Options):
    """Keep the one span richest in words and poorest in tags."""

    # How many words one tag outweighs; paper: 1. At most a million, so that sums stay exact enough.
    tag_cost: Annotated[float, Range(0, without=(0,))] = 1.0
    headline: str = ""  # of the article, if known: a bound (thesis 7.2.1)
    headline_by: HeadlineBy = "given"  # how to find it otherwise; thesis: "titlefinder"
    subtree: bool = False  # keep all text between the bounds; thesis 7.2.1 read literally

    def __call__(self, page: Page) -> Selection:
        """Return the visible text of the best span."""
        tokens = page.tokens
        score = np.where(tokens.is_word, 1.0, -self.tag_cost)
        score[page.hidden[tokens.row] & tokens.is_word] = 0.0
        span = best_run(score)
        if span is None:
            return page.none()
        first, last = tokens.row[span[0]], tokens.row[span[1]]
        kept = page.select(np.arange(first, last + 1)) - page.where(page.hidden)
        return bounded(kept, self)
