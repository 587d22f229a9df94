"""What trainers of all methods share: the protocol, folds by site, and optional libraries.

A trainer takes a sample of each page, then learns from the samples. A sample is a few arrays: the
pages of a corpus would not fit into memory, their samples do. Folds are by site, so that a model is
measured on sites, and their templates, that it never saw in training.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from random import Random
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from thresher.errors import InputError, UsageError
from thresher.evaluate.corpora import GoldPage
from thresher.page import Page
from thresher.page.array_types import Bools, Rows


class Learned(NamedTuple):
    """The content of a model file: arrays, and the header that describes them."""

    arrays: Mapping[str, npt.NDArray[np.generic]]
    header: Mapping[str, object]


class Trainer(Protocol):
    """Learns the weights of one method."""

    def sample(self, page: Page, content: Bools, gold: GoldPage) -> Any:
        """Return what is needed of a page; `content` has one bool per text row."""
        ...

    def fit(self, samples: Sequence[Any], seed: int) -> Learned:
        """Learn from the samples; the same samples and seed give the same weights."""
        ...


def need(module: str) -> Any:
    """Import a library of the extra `train`."""
    try:
        return import_module(module)
    except ImportError as error:
        raise InputError(
            f"training needs {module.partition('.')[0]}: pip install 'thresher[train]'."
        ) from error


def group_of(corpus: str, page: GoldPage) -> str:
    """Return the group of a page, all of which is in one fold: its site, or else itself."""
    return f"site {page.site.casefold()}" if page.site else f"page {corpus} {page.id}"


def folds_of_groups(groups: Sequence[str], folds: int, seed: int) -> Rows:
    """Return the fold of each page, given its group: groups are shuffled and dealt out in turn."""
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
