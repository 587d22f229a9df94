"""What every trainer does: take a sample of each page, then learn from the samples.

A sample is a few arrays: the pages of a corpus would not fit into memory, their samples do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from thresher.errors import InputError
from thresher.evaluate.corpora import GoldPage
from thresher.page import Page
from thresher.page.array_types import Bools


class Learned(NamedTuple):
    """What goes into a model file: arrays, and what the header says about them."""

    arrays: Mapping[str, npt.NDArray[np.generic]]
    header: Mapping[str, object]


class Trainer(Protocol):
    """Learns the weights of one method."""

    def sample(self, page: Page, content: Bools, gold: GoldPage) -> Any:
        """Return what is needed of a page; `content` has one boolean per text row."""
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
