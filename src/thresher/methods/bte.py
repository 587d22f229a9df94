"""BTE: body text extraction (Finn, Kushmerick, Smyth 2001; thesis 3.3.1.1).

With B = 1 for a tag and 0 for a word, keep the span i..j that maximises (formula 3.3)
    sum(B[:i]) + sum(1 - B[i:j+1]) + sum(B[j+1:])
which is a constant plus the sum of 1 - 2B over the span: a maximum-sum run.

Departures: Algorithm 5 counts B[i] and B[j] as outside as well; the formula is followed. Ties go
to the smallest i, then the smallest j. Tags are those of the parsed tree, so a tag that the source
leaves out counts too; scripts and styles count as nothing. Hidden text (see `Page.hidden`) is
neither counted nor kept.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from thresher.errors import UsageError
from thresher.methods.common.headline_bound import bounded
from thresher.page import Page, Selection
from thresher.page.arrays import best_run

_DEAREST = 1_000_000  # sums over a page stay exact enough


@dataclass(frozen=True, slots=True)
class BTE:
    """Keep the one span richest in words and poorest in tags."""

    tag_cost: float = 1.0  # words that a tag weighs; paper: 1
    headline: str = ""  # of the article, when known: a bound (thesis 7.2.1)

    def __post_init__(self) -> None:
        """Check the options."""
        if not 0 < self.tag_cost <= _DEAREST:
            raise UsageError(
                f"tag_cost is {self.tag_cost}: give a number above 0, at most {_DEAREST:,}."
            )

    def __call__(self, page: Page) -> Selection:
        """Find the span over all tokens."""
        tokens = page.tokens
        score = np.where(tokens.is_word, 1.0, -self.tag_cost)
        score[page.hidden[tokens.row] & tokens.is_word] = 0.0
        span = best_run(score)
        if span is None:
            return page.none()
        first, last = tokens.row[span[0]], tokens.row[span[1]]
        found = page.select(np.arange(first, last + 1)) - page.where(page.hidden)
        return bounded(found, self.headline)
