"""LQF: link quota filter (Mantratzis and others 2005; Gupta and others; thesis 3.2.4).

For a block-level element, over its children and those of its inline elements (nested blocks are
treated separately):
    q = characters in links / all characters
A block whose q is above the quota is removed.

Departures: Algorithm 3 goes over descendants and recurses, so that it counts text in nested inline
elements twice; here it goes over children. (The text of the thesis divides linked by unlinked text,
the listing by all text; the listing is used.) A block without text has q = 0. A link is an `a` with
an `href`; text inside it is linked even if there are blocks between the two. When a block is
removed, the blocks inside it stay if their own q is low enough. White space is collapsed over the
run of text before characters are counted. Hidden text is neither counted nor kept.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from thresher.methods.common.option_checks import Options, Share
from thresher.page import Page, Selection
from thresher.page.array_types import Floats, Rows
from thresher.page.arrays import nearest
from thresher.page.tags import BLOCK


@dataclass(frozen=True, slots=True)
class LQF(Options):
    """Keep the blocks in which little of the text is links."""

    quota: Share = 0.25  # thesis, table 4.4: LQF-25; also 0.5 and 0.75

    def __call__(self, page: Page) -> Selection:
        """Return the visible text of the blocks with few links."""
        block = block_of_texts(page)
        few_links = link_quotas(page, block)[block] <= self.quota
        return Selection(page, few_links & ~page.hidden[page.text_rows])


def block_of_texts(page: Page) -> Rows:
    """Return the row of the nearest block-level element around each text row."""
    is_block = BLOCK[page.tag]
    is_block[:1] = True  # the root counts as a block
    return nearest(is_block, page.parent)[page.text_rows]


def link_quotas(page: Page, block: Rows) -> Floats:
    """Return q of every row, 0 for a row without text; `block` is the block of each text row."""
    texts = page.text_rows
    chars = np.where(page.hidden[texts], 0, page.chars[texts])
    total = np.bincount(block, chars, len(page))
    linked = np.bincount(block, chars * page.linked[texts], len(page))
    quotas: Floats = linked / np.maximum(total, 1)
    return quotas
