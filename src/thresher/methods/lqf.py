"""LQF: link quota filter (Mantratzis and others 2005; Gupta and others; thesis 3.2.4).

For a block-level element, over its children and those of its inline elements (nested blocks are
judged on their own):
    q = characters in links / all characters
A block whose q is above the quota is removed.

Departures: Algorithm 3 goes over descendants and recurses, so that it counts text in nested inline
elements twice; it is followed over children. (The text next to it speaks of linked to not linked
text; the listing divides by all of it.) A block without text has q = 0. Text inside an anchor
is linked also when blocks lie between them. When a block is removed, the blocks in it stay if they
pass. White space is collapsed before characters are counted. Hidden text is neither counted nor
kept.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from thresher.methods.common.option_checks import number
from thresher.page import Page, Selection
from thresher.page.array_types import Floats, Rows
from thresher.page.arrays import nearest
from thresher.page.tags import BLOCK


@dataclass(frozen=True, slots=True)
class LQF:
    """Keep the blocks in which little of the text is links."""

    quota: float = 0.25  # thesis, table 4.4: LQF-25; also 0.5 and 0.75

    def __post_init__(self) -> None:
        """Check the options."""
        number(0, 1, quota=self.quota)

    def __call__(self, page: Page) -> Selection:
        """Judge every block by its own text."""
        block = block_of_texts(page)
        few_links = link_quotas(page, block)[block] <= self.quota
        return Selection(page, few_links & ~page.hidden[page.text_rows])


def block_of_texts(page: Page) -> Rows:
    """Return for each text row the nearest block-level element around it."""
    is_block = BLOCK[page.tag]
    is_block[:1] = True  # the root, whatever it is
    return nearest(is_block, page.parent)[page.text_rows]


def link_quotas(page: Page, block: Rows) -> Floats:
    """Return q of every row, 0 where no text is; `block` is that of each text row."""
    texts = page.text_rows
    chars = np.where(page.hidden[texts], 0, page.chars[texts])
    total = np.bincount(block, chars, len(page))
    linked = np.bincount(block, chars * page.linked[texts], len(page))
    found: Floats = linked / np.maximum(total, 1)
    return found
