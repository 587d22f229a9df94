"""Features: what the learned default knows of each block of a page, as one matrix.

Every number is an array expression over the page's columns; `FEATURES` names and explains each.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from thresher.methods.default.features.class_odds import (
    NAME_FEATURES,
    Named,
    NameTable,
    name_features,
    named,
)
from thresher.methods.default.features.containers import Frame, frame
from thresher.methods.default.features.densities import (
    COMMON,
    TREE_FEATURES,
    heading_levels,
    tree_features,
)
from thresher.methods.default.features.page import KINDS, WHOLE_FEATURES, first_h1, whole_features
from thresher.methods.default.features.position import PLACE_FEATURES, place_features
from thresher.methods.default.features.title import TITLE_FEATURES, title_features
from thresher.page import Page
from thresher.page.array_types import Float32s

__all__ = ["FEATURES", "KINDS", "NAMES", "PAGE_FEATURES", "Features", "NameTable", "features"]

# Name and meaning of each, in the order of the matrix. The last ones are of the whole page.
FEATURES: tuple[tuple[str, str], ...] = (
    *TREE_FEATURES,
    *PLACE_FEATURES,
    *TITLE_FEATURES,
    *NAME_FEATURES,
    *WHOLE_FEATURES,
)
NAMES = tuple(name for name, _ in FEATURES)
PAGE_FEATURES = len(WHOLE_FEATURES)

_PLACE = len(TREE_FEATURES)
_TITLE = _PLACE + len(PLACE_FEATURES)
_NAMED = _TITLE + len(TITLE_FEATURES)
_FROM_H1 = NAMES.index("h1_blocks")
_WITH_H1 = NAMES.index("h1_up")
_REPEATED = NAMES.index("namepath_count")
_MAIN = NAMES.index("in_main")
_ARTICLE = NAMES.index("in_article")


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """The matrix, one line per feature and one column per block, and what it was made from."""

    matrix: Float32s
    frame: Frame
    names: Named
    headline: int  # the block that says the title, else the first h1, else -1

    @property
    def page(self) -> Float32s:
        """Return the features of the whole page."""
        return self.matrix[-PAGE_FEATURES:, 0]


def features(page: Page, table: NameTable) -> Features | None:
    """Compute all features of all blocks; None for a page without blocks."""
    if not len(page) or not len(page.blocks):
        return None
    made = frame(page)
    level = heading_levels(made)
    h1 = first_h1(made, level)
    names = named(made)
    matrix = np.empty((len(NAMES), len(made)), np.float32)
    measures = tree_features(made, h1, level, matrix[:_PLACE])
    place_features(made, names, h1, level, matrix[_PLACE:_TITLE])
    of_h1 = matrix[_FROM_H1 : _FROM_H1 + 2], matrix[_WITH_H1 : _WITH_H1 + len(COMMON)]
    headline, title = title_features(made, level, h1, measures, of_h1, matrix[_TITLE:_NAMED])
    matrix[_NAMED:-PAGE_FEATURES], kinds = name_features(made, names, table)
    repeated, marked = matrix[_REPEATED : _REPEATED + 2], matrix[[_MAIN, _ARTICLE]]
    whole = whole_features(made, h1, measures, repeated, marked, title, kinds)
    matrix[-PAGE_FEATURES:] = whole[:, np.newaxis]
    return Features(matrix, made, names, headline)
