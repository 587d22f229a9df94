"""Models of the trained methods for pages whose sites these models never saw.

The models that ship with Thresher were trained on pages of the corpora. A program that compares
trained methods on these pages trains its own models on other sites, writes them to a folder, and
lets the methods read them from there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from thresher import parse
from thresher.evaluate.corpora import GoldPage
from thresher.evaluate.training.gold_alignment import gold_labels
from thresher.evaluate.training.train import TRAINERS, trainer
from thresher.evaluate.training.trainer import Trainer
from thresher.methods.model import files as models

# Trained methods of the papers. Boilerpipe is not trained unless an option says so.
TRAINED = tuple(sorted(TRAINERS.keys() - {"boilerpipe", "default"}))
SEED = 0  # the default of `thresher train`
_NAME = re.compile(rf"(?<![\w-])({'|'.join(map(re.escape, TRAINED))})(?![\w-])")


def sample_of(learner: Trainer, gold: GoldPage) -> Any:
    """Return the training sample that a trainer makes of a page."""
    page = parse(gold.html)
    return learner.sample(page, gold_labels(page, gold), gold)


def samples_of(gold: GoldPage) -> list[Any]:
    """Return the training samples of a page for each method of `TRAINED`."""
    page = parse(gold.html)
    content = gold_labels(page, gold)
    return [trainer(name).sample(page, content, gold) for name in TRAINED]


def write_model(method: str, samples: Sequence[Any], folder: Path) -> None:
    """Train a method on the samples of some pages, and write its model into a folder."""
    learned = trainer(method).fit(samples, SEED)
    data = models.to_bytes(method, learned.arrays, seed=SEED, **learned.header)
    (folder / f"{method}.npz").write_bytes(data)


def with_models(expression: str, folder: Path) -> str:
    """Return an expression in which each trained method reads its model from a folder."""
    return _NAME.sub(lambda name: f"{name[0]}(model={f'{folder / name[0]}.npz'!r})", expression)
