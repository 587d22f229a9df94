"""Adapting the default to some pages of one's own: new trees on top of those of a base model.

Boosting goes on where the base stopped: new trees are fitted to the labels with the base's log-odds
as the baseline, so that they learn only what the base gets wrong. A sum of trees is a sum of trees:
the new ones are put behind the base's first trees, and all is evaluated as before. How many are
kept is found in folds by site: as many as make the loss on sites held out least, perhaps none.

Some tens of pages are few, so each is shown three times more without some of its containers.

Names: those of the base stay as they are, new ones that are seen on enough sites come in addition
(without the page's own site while training). Page kinds and confidence are the base's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from zlib import crc32

import numpy as np
import numpy.typing as npt

from thresher.errors import InputError, UsageError
from thresher.evaluate.corpora import GoldPage
from thresher.evaluate.training.augmentation import thinned
from thresher.evaluate.training.catboost_export import exported
from thresher.evaluate.training.default import Sample, chosen_blocks, sample_of
from thresher.evaluate.training.folds import folds_of_groups
from thresher.evaluate.training.name_odds import TokenCounts
from thresher.evaluate.training.trainer import Learned, need
from thresher.methods.default.features import NameTable
from thresher.methods.default.judge import Judge, judge_kinds
from thresher.methods.model.boosted_trees import NOBODY, SymmetricTrees
from thresher.methods.model.files import Model, load
from thresher.page import Page
from thresher.page.array_types import Bools, Float32s, Floats, Rows

_TREES = 150  # at most
_RATE = 0.1
_DEPTH = 4
_FOLDS = 4
_COPIES = 3


def adapter(method: str, base: str) -> Adapter:
    """Return the trainer that goes on from a model file, or from the one that ships."""
    if method != "default":
        raise UsageError(f"a base is for the method default, not for {method}: leave --base out.")
    return Adapter(load("default", "" if base == "shipped" else base))


@dataclass(frozen=True, slots=True, eq=False)
class _Table:
    """Blocks to learn from, one line each."""

    features: Float32s
    label: Bools
    weight: Floats
    baseline: Floats
    site: Rows  # number of the site


class Adapter:
    """Learns what a base model does not know yet."""

    def __init__(self, base: Model) -> None:
        self.base = base
        self.judge = Judge.of(base)

    def sample(self, page: Page, content: Bools, gold: GoldPage) -> Sample | None:
        """Compute the features of a page and its copies; None when nothing can be learned of it."""
        own = sample_of(page, content, gold)
        if own is None:
            return None
        rng = np.random.default_rng(crc32(gold.id.encode()))
        made = (thinned(page, own.frame, content, rng) for _ in range(_COPIES))
        found = (sample_of(copy.page, copy.content, gold, copy.left) for copy in made if copy)
        return replace(own, copies=tuple(copy for copy in found if copy is not None))

    def fit(self, samples: Sequence[Sample | None], seed: int) -> Learned:
        """Train new trees on all samples."""
        usable = [shown for sample in samples if sample for shown in (sample, *sample.copies)]
        if not any(sample.usable.any() for sample in usable):
            raise InputError("there is nothing to learn from: no page has text and gold text.")
        counts = TokenCounts([sample.tokens for sample in usable])
        table = self._table(usable, counts, seed)
        kept = _best_count(table, seed)
        trees, used = self._with(_grown(table, kept, seed) if kept else None)
        names = self._names(counts.table())
        arrays: dict[str, npt.NDArray[Any]] = {
            **self.base.arrays,
            **names.arrays(),
            "used": used.astype(np.uint16),
            "split": np.array([self.judge.first.feature.shape[1] + kept], np.uint16),
            **trees.arrays("block"),
        }
        return Learned(arrays, {**self._told(), "trees": trees.feature.shape[1], "new trees": kept})

    def _told(self) -> dict[str, object]:
        header = dict(self.base.header)
        for name in ("format", "method", "thresher", "seed"):
            header.pop(name, None)
        trained_on = header.pop("trained on", {})
        return {**header, "base": trained_on}

    def _names(self, new: NameTable) -> NameTable:
        """Return the base's table with the tokens that it does not know."""
        old = self.judge.table
        unknown = [token for token in new.number if token not in old.number]
        at = [new.number[token] for token in unknown]
        return NameTable.of(
            [*old.number, *unknown],
            np.concatenate((old.odds, new.odds[at])),
            np.concatenate((old.kinds, new.kinds[at])),
        )

    def _table(self, samples: Sequence[Sample], counts: TokenCounts, seed: int) -> _Table:
        rng = np.random.default_rng(seed)
        sites = sorted({sample.tokens.site for sample in samples})
        parts: list[tuple[npt.NDArray[Any], ...]] = []
        for sample in samples:
            names = self._names(counts.table(without=sample.tokens.site))
            matrix = sample.with_names(names)
            judge_kinds(matrix, self.judge.page, self.judge.page_used)
            chosen, weight = chosen_blocks(sample, rng)
            asked = matrix.take(chosen, axis=1)
            odds = self._odds(asked)
            site = np.full(len(chosen), sites.index(sample.tokens.site))
            parts.append((asked.T, sample.content[chosen], weight, odds, site))
        return _Table(*(np.concatenate(column) for column in zip(*parts, strict=True)))

    def _odds(self, matrix: Float32s) -> Floats:
        """Return what the base says."""
        asked = matrix.take(self.judge.used, axis=0)
        found: Floats = self.judge.first(asked)[0] + self.judge.rest(asked)[0]
        return found

    def _with(self, new: tuple[SymmetricTrees, Rows] | None) -> tuple[SymmetricTrees, Rows]:
        """Return all trees, the new ones behind the first, and the features that they ask for."""
        parts = [(self.judge.first, self.judge.used), (self.judge.rest, self.judge.used)]
        if new is not None:
            parts.insert(1, new)
        return joined(parts)


def joined(
    parts: Sequence[tuple[SymmetricTrees, Rows]],
) -> tuple[SymmetricTrees, Rows]:
    """Put trees together, each with the list of the features that it asks for."""
    used = np.unique(np.concatenate([asked for _, asked in parts]))
    depth = max(trees.feature.shape[0] for trees, _ in parts)
    feature, border, value = [], [], []
    for trees, asked in parts:
        more = ((0, depth - trees.feature.shape[0]), (0, 0))
        feature.append(np.pad(used.searchsorted(asked)[trees.feature], more))
        border.append(np.pad(trees.border, more, constant_values=NOBODY))
        leaves = 2**depth - trees.value.shape[2]
        value.append(np.pad(trees.value, ((0, 0), (0, 0), (0, leaves))))
    bias = np.sum([trees.bias for trees, _ in parts], axis=0)
    whole = SymmetricTrees(
        np.concatenate(feature, axis=1).astype(np.int32), np.concatenate(border, axis=1),
        np.concatenate(value, axis=1), bias,
    )  # fmt: skip
    return whole, used


def _model(trees: int, seed: int) -> Any:
    return need("catboost").CatBoostClassifier(
        iterations=trees, depth=_DEPTH, learning_rate=_RATE, l2_leaf_reg=10, random_seed=seed,
        border_count=48, rsm=0.25, bootstrap_type="Bernoulli", subsample=0.7, verbose=0,
        thread_count=1, allow_writing_files=False, boost_from_average=False,
    )  # fmt: skip


def _pool(table: _Table, chosen: Bools) -> Any:
    return need("catboost").Pool(
        table.features[chosen], table.label[chosen].astype(int), weight=table.weight[chosen],
        baseline=table.baseline[chosen],
    )  # fmt: skip


def _grown(table: _Table, trees: int, seed: int) -> tuple[SymmetricTrees, Rows]:
    model = _model(trees, seed)
    model.fit(_pool(table, np.ones(len(table.label), np.bool_)))
    return exported(model, 1)


def _best_count(table: _Table, seed: int) -> int:
    """Return how many new trees make the loss on sites held out least."""
    if table.label.all() or not table.label.any():
        return 0  # nothing to tell apart
    sites = [f"{site}" for site in np.unique(table.site).tolist()]
    if len(sites) < 2:
        return _TREES // 2
    fold_of_site = folds_of_groups(sites, min(_FOLDS, len(sites)), seed)
    fold = fold_of_site[np.unique(table.site).searchsorted(table.site)]
    loss = np.zeros(_TREES + 1)
    for number in range(int(fold.max()) + 1):
        held_out = fold == number
        label = table.label[~held_out]
        if label.all() or not label.any():
            continue
        model = _model(_TREES, seed)
        model.fit(_pool(table, ~held_out))
        loss += _losses(model, table, held_out)
    return int(loss.argmin())


def _losses(model: Any, table: _Table, held_out: Bools) -> Floats:
    """Return the loss (weighted, log) on the held out blocks after 0, 1, 2, ... trees."""
    trees, used = exported(model, 1)
    asked = table.features[held_out].T.take(used, axis=0)
    odds = table.baseline[held_out].copy()
    sign = np.where(table.label[held_out], 1.0, -1.0)
    weight = table.weight[held_out]
    found = np.zeros(_TREES + 1)
    count = trees.feature.shape[1]
    for number in range(_TREES + 1):
        found[number] = (weight * np.logaddexp(0.0, -sign * odds)).sum()
        if number < count:
            odds += _one(trees, number)(asked)[0]
    return found


def _one(trees: SymmetricTrees, number: int) -> SymmetricTrees:
    part = slice(number, number + 1)
    bias = trees.bias if number == 0 else np.zeros_like(trees.bias)
    return SymmetricTrees(trees.feature[:, part], trees.border[:, part], trees.value[:, part], bias)
