"""The features of every block of a page, as one matrix for the boosted trees of the default.

Every number is an array expression over the page's columns; `FEATURES` names and explains each.
"""

from __future__ import annotations

from itertools import accumulate, chain, pairwise
from typing import NamedTuple

import numpy as np

from thresher.methods.default.features.class_odds import (
    NAME_FEATURES,
    NamePairs,
    NameTable,
    name_features,
    name_pairs,
)
from thresher.methods.default.features.containers import Outline, page_outline
from thresher.methods.default.features.densities import (
    DENSITY_FEATURES,
    fill_density_features,
    heading_levels,
)
from thresher.methods.default.features.page import (
    KIND_FEATURES,
    KINDS,
    PAGE_FEATURES,
    first_h1,
    page_features,
)
from thresher.methods.default.features.position import POSITION_FEATURES, fill_position_features
from thresher.methods.default.features.title import TITLE_FEATURES, fill_title_features
from thresher.page import Page
from thresher.page.array_types import Float32s
from thresher.page.core import COMPILED

if COMPILED:
    from thresher.methods.default.features.compiled import compiled_features

__all__ = [
    "FEATURES", "KINDS", "LINES", "NAMES", "PAGE_LINES", "Features", "NameTable", "block_features",
]  # fmt: skip

# Groups of features in the order of the matrix; each feature has a name and a meaning. Those from
# "page" on are the same for all blocks of a page.
_GROUPS: dict[str, tuple[tuple[str, str], ...]] = {
    **DENSITY_FEATURES,
    **POSITION_FEATURES,
    **TITLE_FEATURES,
    "names": NAME_FEATURES,
    **PAGE_FEATURES,
    "kinds": KIND_FEATURES,
}
FEATURES = tuple(chain.from_iterable(_GROUPS.values()))
NAMES = tuple(name for name, _ in FEATURES)
_BOUNDS = pairwise(accumulate(map(len, _GROUPS.values()), initial=0))
LINES = {group: slice(*bounds) for group, bounds in zip(_GROUPS, _BOUNDS, strict=True)}
_STARTS = tuple(part.start for part in LINES.values())
PAGE_LINES = slice(LINES["page"].start, LINES["kinds"].start)  # what the page's kind is judged by


class Features(NamedTuple):
    """The features of a page, and what they were computed from."""

    matrix: Float32s  # one line per feature, one column per block
    outline: Outline
    names: NamePairs
    headline: int  # the block that repeats the title, else the first h1, else -1


def block_features(page: Page, table: NameTable) -> Features | None:
    """Compute all features of all blocks; None for a page without blocks.

    The features "kinds" are 0: the trees for the page's kind fill them in.
    """
    if not len(page) or not len(page.blocks):
        return None
    if COMPILED:
        return Features(*compiled_features(page, table, _STARTS))
    return _plain_features(page, table)


def _plain_features(page: Page, table: NameTable) -> Features:
    """Return the features, in array expressions."""
    outline = page_outline(page)
    level = heading_levels(outline)
    h1 = first_h1(outline, level)
    names = name_pairs(outline)
    matrix = np.empty((len(NAMES), len(outline)), np.float32)
    lines = {group: matrix[part] for group, part in LINES.items()}
    measures = fill_density_features(outline, h1, level, lines)
    fill_position_features(outline, names, h1, level, lines)
    headline, title = fill_title_features(outline, h1, level, measures, lines)
    lines["names"][:], kinds = name_features(outline, names, table)
    of_page = page_features(outline, h1, measures, lines, title, kinds)
    matrix[PAGE_LINES] = np.array(of_page, np.float64)[:, np.newaxis]
    lines["kinds"][:] = 0.0
    return Features(matrix, outline, names, headline)
