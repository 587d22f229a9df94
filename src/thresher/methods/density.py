"""Density: the densest region of text lines (Moreno, Deschacht, Moens 2009; thesis 3.3.3.2).

L are the lines of text as a parser gives them, without tags. Lines of at least C1 characters are
candidates. Candidates at a distance of at most C2 lines from each other form a region, and the
region R with most characters is the main content.

Departures: C1, C2 and the following rules are ours, since the thesis gives none. A line is a block
of text that no block-level tag interrupts (`lines="texts"`: a text between two tags of any kind).
Its length is in characters, with white space collapsed. The distance of neighbours is 1. The
density of a region is the sum of the lengths of its lines; ties go to the first region. Lines
shorter than C1 are not kept, even inside R. Hidden text is neither counted nor kept. With a
headline (`thresher.methods.common.headline_bound`) all candidates between its bounds are kept, at
any distance.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from thresher.methods.common.headline_bound import HeadlineBy, bounded, has_bound
from thresher.methods.common.option_checks import Options
from thresher.page import Page, Selection
from thresher.page.array_types import Bools, Int64s


@dataclass(frozen=True, slots=True)
class Density(Options):
    """Keep the long lines of text that stand close together."""

    c1: int = 80  # least length of a candidate; swept on wcxb-dev and fundus, see docs/methods
    c2: int = 20  # largest distance to join; swept on wcxb-dev and fundus, see docs/methods
    lines: Literal["blocks", "texts"] = "blocks"  # ours; swept on the same, see docs/methods
    headline: str = ""  # of the article, if known: a bound (thesis 7.2.1)
    headline_by: HeadlineBy = "given"  # how to find it otherwise; thesis: "titlefinder"
    subtree: bool = False  # keep all text between the bounds; thesis 7.2.1 read literally

    def __call__(self, page: Page) -> Selection:
        """Return the lines of the densest region."""
        shown, line, length = self.text_lines(page)

        def texts_of(chosen: Bools) -> Selection:
            kept = np.zeros(len(shown), np.bool_)
            kept[shown] = chosen[line]
            return Selection(page, kept)

        kept = texts_of(densest_region(length, self.c1, self.c2))
        if not has_bound(self):
            return kept
        return bounded(kept, self, texts_of(length >= self.c1))

    def text_lines(self, page: Page) -> tuple[Bools, Int64s, Int64s]:
        """Return which texts form lines, the line of each of these, and the length of each line.

        Only visible texts form lines; the lines are numbered in order, without gaps.
        """
        rows = page.text_rows
        shown = (page.chars[rows] > 0) & ~page.hidden[rows]
        text = np.arange(len(rows)) if self.lines == "texts" else page.blocks.of_text
        is_first = np.diff(text[shown], prepend=-1) != 0
        line = is_first.cumsum() - 1
        return shown, line, np.bincount(line, page.chars[rows[shown]]).astype(np.int64)


def densest_region(length: npt.NDArray[np.integer], c1: int, c2: int) -> Bools:
    """Return one bool per line: True if it is a candidate in R."""
    is_dense = np.zeros(len(length), np.bool_)
    candidates = (length >= c1).nonzero()[0]
    if len(candidates):
        region = (np.diff(candidates, prepend=candidates[0]) > c2).cumsum()
        density = np.bincount(region, length[candidates])
        is_dense[candidates[region == density.argmax()]] = True
    return is_dense
