"""Folds by site: what is measured on was never seen in training, not even its template."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np

from thresher.errors import UsageError
from thresher.evaluate.corpora import GoldPage
from thresher.page.array_types import Rows


def group_of(corpus: str, page: GoldPage) -> str:
    """Return what a page must not be torn from: its site; a page without one stands alone."""
    return f"site {page.site.casefold()}" if page.site else f"page {corpus} {page.id}"


def folds_of_groups(groups: Sequence[str], folds: int, seed: int) -> Rows:
    """Return the fold of each page: groups are dealt out in turn after a shuffle."""
    distinct = sorted(set(groups))
    if folds < 2 or folds > len(distinct):
        raise UsageError(
            f"{folds} folds cannot be made of {len(distinct)} "
            f"{'site' if len(distinct) == 1 else 'sites'}: give 2 or more, and at most as many as "
            "there are sites."
        )
    Random(seed).shuffle(distinct)
    fold = {group: number % folds for number, group in enumerate(distinct)}
    return np.array([fold[group] for group in groups], np.intp)
