"""Boilerpipe: boilerplate by shallow text features (Kohlschütter, Fankhauser, Nejdl 2010).

Thesis 3.3.2.1. An atomic block is text that no tag but `<a>` parts. It has w words, a share ld of
them in links, and a block before and after it. The decision tree that the authors learned on news
pages and published: a block is content when ld <= .333333 and
    where ld of the block before <= .555556:  w > 16, or next w > 15, or previous w > 4
    else:                                     w > 40, or next w > 17

Departures: none known in the tree. The authors published a second tree, on text density (words for
each line of 80 characters) in place of words; it is left out, as the papers at hand have neither
its numbers nor how lines are broken. Outside the page there are blocks of 0 words. Words are those
of `thresher.page.words`, not pieces between blanks. Hidden text makes no block, but parts the text around
it. A block without words has ld = 0. (The thesis names decision trees and the features, which
`thresher.methods.common.shallow_blocks` has; the numbers are the original publication's.)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from thresher.methods.common.option_checks import number, whole
from thresher.methods.common.shallow_blocks import TextBlocks, text_blocks
from thresher.page import Page, Selection
from thresher.page.array_types import Bools


@dataclass(frozen=True, slots=True)
class Boilerpipe:
    """Keep the blocks that have many words and few links, or neighbours that do."""

    link_density: float = 0.333333  # original: content has at most this ld
    previous_link_density: float = 0.555556  # original: up to this ld, what comes before is text
    words: int = 16  # original: after text, more words than these,
    next_words: int = 15  # or more in the block after,
    previous_words: int = 4  # or more in the block before
    words_after_links: int = 40  # original: after links, more words than these,
    next_words_after_links: int = 17  # or more in the block after

    def __post_init__(self) -> None:
        """Check the options."""
        for name, kind in self.__dataclass_fields__.items():
            check = whole if type(kind.default) is int else number
            check(0, **{name: getattr(self, name)})

    def __call__(self, page: Page) -> Selection:
        """Classify the blocks of the page."""
        blocks = text_blocks(page)
        is_content = np.append(self.classify(blocks), False)  # the last for -1: in no block
        return Selection(page, is_content[blocks.of_text])

    def classify(self, blocks: TextBlocks) -> Bools:
        """Tell which blocks are content."""
        w, ld = blocks.words, blocks.link_density
        previous_w, next_w = np.append(0, w[:-1]), np.append(w[1:], 0)
        previous_ld = np.append(0.0, ld[:-1])
        if not len(w):
            return np.zeros(0, np.bool_)
        after_text = (
            (w > self.words) | (next_w > self.next_words) | (previous_w > self.previous_words)
        )
        after_links = (w > self.words_after_links) | (next_w > self.next_words_after_links)
        follows_text = previous_ld <= self.previous_link_density
        found: Bools = (ld <= self.link_density) & np.where(follows_text, after_text, after_links)
        return found
