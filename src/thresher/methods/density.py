"""Density: the densest region of text lines (Moreno, Deschacht, Moens 2009; thesis 3.3.3.2).

L are the lines of text as a parser gives them, without tags. Lines of at least C1 characters may
enter. Those that follow each other at a distance of at most C2 lines form a region, and the region
R with most characters is the main content.

Departures: C1 and C2 are ours, and so are these rules where the thesis gives none. A line is a
block of text, which no block-level tag interrupts (`lines="texts"`: a text between two tags of any
kind). Its length counts characters, white space collapsed. The distance of neighbours is 1. Density
is the sum of lengths over the lines of R; the first region wins a tie. Lines below C1 are not kept,
even inside R. Hidden text is neither counted nor kept. With a headline (see `thresher.methods.common.headline_bound`) all
lines between its bounds that may enter are kept, whatever their distance.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from thresher.errors import UsageError
from thresher.methods.common.headline_bound import bounded
from thresher.methods.common.option_checks import whole
from thresher.page import Page, Selection
from thresher.page.array_types import Bools


@dataclass(frozen=True, slots=True)
class Density:
    """Keep the long lines of text that stand close together."""

    c1: int = 80  # least length to enter; swept on wcxb-dev and fundus, see docs/methods
    c2: int = 20  # largest distance to join; swept on wcxb-dev and fundus, see docs/methods
    lines: Literal["blocks", "texts"] = "blocks"  # ours; swept on the same, see docs/methods
    headline: str = ""  # of the article, when known: a bound (thesis 7.2.1)

    def __post_init__(self) -> None:
        """Check the options."""
        whole(0, c1=self.c1, c2=self.c2)
        if self.lines not in ("blocks", "texts"):
            raise UsageError(f"lines is {self.lines!r}: give 'blocks' or 'texts'.")

    def __call__(self, page: Page) -> Selection:
        """Measure the lines, then keep those of the densest region."""
        rows = page.text_rows
        shown = (page.chars[rows] > 0) & ~page.hidden[rows]
        text = np.arange(len(rows)) if self.lines == "texts" else page.blocks.of_text
        # Only shown texts make lines: numbered in order, without gaps.
        is_first = np.diff(text[shown], prepend=-1) != 0
        line = is_first.cumsum() - 1
        length = np.bincount(line, page.chars[rows[shown]]).astype(np.int64)

        def keep(chosen: Bools) -> Selection:
            kept = np.zeros(len(rows), np.bool_)
            kept[shown] = chosen[line]
            return Selection(page, kept)

        found = keep(densest_region(length, self.c1, self.c2))
        if not self.headline:
            return found
        return bounded(found, self.headline, keep(length >= self.c1))


def densest_region(length: npt.NDArray[np.integer], c1: int, c2: int) -> Bools:
    """Tell which lines are in R."""
    chosen = np.zeros(len(length), np.bool_)
    entering = (length >= c1).nonzero()[0]
    if not len(entering):
        return chosen
    region = np.zeros(len(entering), np.int64)
    np.cumsum(np.diff(entering) > c2, out=region[1:])
    density = np.bincount(region, length[entering])
    chosen[entering[region == density.argmax()]] = True
    return chosen
