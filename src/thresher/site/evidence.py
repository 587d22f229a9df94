"""Keys of the blocks of a page that stay the same on other pages of its site.

The blocks are those of the default method. Each has two keys:

- `text`: a hash of its text, white space collapsed;
- `path`: a hash of the tags and classes of the containers around it, all digits taken as equal.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from thresher.methods.default.judge import Judgement
from thresher.page.array_types import Floats, UInt64s
from thresher.page.words import collapsed
from thresher.site.matching import stable_hash

_DIGITS = re.compile(r"\d+")
_ODD = np.uint64(0x9E3779B97F4A7C15)
# An odd random number for each level, so that the order of containers on a path matters.
_OF_LEVEL = np.random.default_rng(5).integers(0, 2**62, 1_024).astype(np.uint64) * 2 + 1


@dataclass(frozen=True, slots=True, eq=False)
class BlockKeys:
    """The keys of the blocks of a page."""

    text: UInt64s
    path: UInt64s

    @classmethod
    def of(cls, judgement: Judgement) -> BlockKeys:
        """Return the keys of all blocks of a judged page."""
        outline, names = judgement.features.outline, judgement.features.names
        page, size = outline.page, len(outline)
        lines = (collapsed(page.block_text(block)) for block in range(size))
        classes = (stable_hash(_DIGITS.sub("0", name or "")) for name, _ in names.pairs)
        of_class = np.fromiter(classes, np.uint64, len(names.pairs))
        of_tag = np.fromiter(map(stable_hash, page.names), np.uint64, len(page.names))
        of_level = _OF_LEVEL.take(page.level.take(outline.row), mode="wrap")
        own = of_class.take(names.of_container) + of_tag.take(outline.tag) * _ODD
        own[0] = 0  # the body: its classes often name the page or its section
        path = outline.nesting.sum_outwards(own * of_level).take(outline.container)
        inner = of_tag.take(page.tag.take(page.parent.take(page.blocks.first)))
        return cls(np.fromiter(map(stable_hash, lines), np.uint64, size), path + inner)

    def path_means(self, judgement: Judgement) -> tuple[UInt64s, Floats]:
        """Return the distinct paths, sorted, and the mean probability of the words at each."""
        words = judgement.features.outline.words
        path, of_block = np.unique(self.path, return_inverse=True)
        content = np.bincount(of_block, words * judgement.probability, len(path))
        return path, content / np.maximum(np.bincount(of_block, words, len(path)), 1)
