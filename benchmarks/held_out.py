"""Models of the trained methods that never saw the sites which they are asked about.

A trained method takes part in an experiment like any other, but with models of its own: one for
each fold of the pages that choose, trained on the other folds, and one trained on all of them for
the pages that score. The models that ship with thresher have seen pages of both.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from thresher import parse
from thresher.evaluate.corpora import GoldPage
from thresher.evaluate.training.gold_alignment import labels
from thresher.evaluate.training.trainer import Trainer
from thresher.evaluate.training.trainers import TRAINERS, trainer
from thresher.methods.model import files as models

TRAINED = tuple(sorted(TRAINERS.keys() - {"default"}))  # the methods of the papers among them
SEED = 0  # as thresher train has it
_NAME = re.compile(rf"(?<![\w-])({'|'.join(map(re.escape, TRAINED))})(?![\w-])")


def samples_of(gold: GoldPage) -> list[Any]:
    """Return what each trainer needs of a page, in the order of `TRAINED`."""
    page = parse(gold.html)
    content = labels(page, gold.text)
    return [trainer(name).sample(page, content, gold) for name in TRAINED]


def sample_of(learner: Trainer, gold: GoldPage) -> Any:
    """Return what one trainer needs of a page."""
    page = parse(gold.html)
    return learner.sample(page, labels(page, gold.text), gold)


def write_model(method: str, samples: Sequence[Any], folder: Path) -> None:
    """Train a method on the samples of some pages, and write its model into a folder."""
    learned = trainer(method).fit(samples, SEED)
    data = models.to_bytes(method, learned.arrays, seed=SEED, **learned.header)
    (folder / f"{method}.npz").write_bytes(data)


def with_models(expression: str, folder: Path) -> str:
    """Let each trained method of an expression read its model from a folder."""
    return _NAME.sub(lambda name: f"{name[0]}(model={f'{folder / name[0]}.npz'!r})", expression)
