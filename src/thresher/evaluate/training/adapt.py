"""Adapting the default to some pages of one's own: new trees on top of those of a base model.

Boosting continues where the base stopped: new trees are fitted to the labels with the base's
log-odds as the baseline, so that they learn only what the base gets wrong. The new trees are
inserted after the base's first trees, and all are evaluated as before. Their number is chosen in
folds by site: as many as make the loss on sites held out least, perhaps none.

Some tens of pages are few, so each is used three times more without some of its containers.

Names of the base keep their odds; new names that are seen on enough sites are added (without the
page's own site while training). The trees for page kinds and for pages without content are the
base's.
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
from thresher.evaluate.training.default import Sample, choose_blocks, sample_of
from thresher.evaluate.training.name_odds import TokenCounts
from thresher.evaluate.training.trainer import Learned, folds_of_groups, need
from thresher.evaluate.training.trees import catboost_trees, join_trees, tree_arrays
from thresher.methods.default.features import NameTable
from thresher.methods.default.judge import Judge, fill_kinds
from thresher.methods.model.boosted_trees import SymmetricTrees
from thresher.methods.model.files import Model, load
from thresher.page import Page
from thresher.page.array_types import Bools, Float32s, Floats, Rows

_TREES = 150  # at most
_RATE = 0.1
_DEPTH = 4
_FOLDS = 4
_COPIES = 3


def adapter(method: str, base: str) -> Adapter:
    """Return the trainer that starts from a model file, or from the shipped one ("shipped")."""
    if method != "default":
        raise UsageError(f"a base is for the method default, not for {method}: leave --base out.")
    return Adapter(load("default", "" if base == "shipped" else base))


@dataclass(frozen=True, slots=True, eq=False)
class _Table:
    """Blocks to train on, one line each."""

    features: Float32s
    label: Bools
    weight: Floats
    baseline: Floats  # the base's log-odds
    site: Rows  # number of the site


class Adapter:
    """A trainer that adds trees and names to a base model."""

    def __init__(self, base: Model) -> None:
        self.base = base
        self.judge = Judge.of(base)

    def sample(self, page: Page, content: Bools, gold: GoldPage) -> Sample | None:
        """Return the sample of a page with its thinned copies; None if nothing can be learned."""
        own = sample_of(page, content, gold)
        if own is None:
            return None
        rng = np.random.default_rng(crc32(gold.id.encode()))
        copies = (thinned(page, own.outline, content, rng) for _ in range(_COPIES))
        samples = (sample_of(copy.page, copy.content, gold, copy.left) for copy in copies if copy)
        return replace(own, copies=tuple(sample for sample in samples if sample is not None))

    def fit(self, samples: Sequence[Sample | None], seed: int) -> Learned:
        """Train new trees on all samples."""
        used = [one for sample in samples if sample for one in (sample, *sample.copies)]
        if not any(sample.usable.any() for sample in used):
            raise InputError("there is nothing to learn from: no page has text and gold text.")
        counts = TokenCounts([sample.tokens for sample in used])
        table = self._table(used, counts, seed)
        new = _best_tree_count(table, seed)
        parts = [self.judge.first, self.judge.rest]
        if new:
            parts.insert(1, _train_trees(table, np.ones(len(table.label), np.bool_), new, seed))
        trees = join_trees(parts)
        arrays: dict[str, npt.NDArray[Any]] = {
            **self.base.arrays,
            **self._with_new_names(counts.table()).arrays(),
            "split": np.array([self.judge.first.feature.shape[1] + new], np.uint16),
            **tree_arrays(trees, "block", "used"),
        }
        header = dict(self.base.header)
        for name in ("format", "method", "thresher", "seed"):
            header.pop(name, None)
        header["base"] = header.pop("trained on", {})
        return Learned(arrays, {**header, "trees": trees.feature.shape[1], "new trees": new})

    def _with_new_names(self, new: NameTable) -> NameTable:
        """Return the base's table with the tokens of another that it does not have."""
        old = self.judge.table
        tokens = [token for token in new.number if token not in old.number]
        at = [new.number[token] for token in tokens]
        return NameTable.of(
            [*old.number, *tokens],
            np.concatenate((old.odds, new.odds[at])),
            np.concatenate((old.kinds, new.kinds[at])),
        )

    def _table(self, samples: Sequence[Sample], counts: TokenCounts, seed: int) -> _Table:
        """Return the features, labels and baselines of the blocks to train on."""
        rng = np.random.default_rng(seed)
        sites = sorted({sample.tokens.site for sample in samples})
        parts: list[tuple[npt.NDArray[Any], ...]] = []
        for sample in samples:
            names = self._with_new_names(counts.table(without=sample.tokens.site))
            matrix = sample.with_names(names)
            fill_kinds(matrix, self.judge.page)
            chosen, weight = choose_blocks(sample, rng)
            features = matrix.take(chosen, axis=1)
            odds = self.judge.first(features)[0] + self.judge.rest(features)[0]
            site = np.full(len(chosen), sites.index(sample.tokens.site))
            parts.append((features.T, sample.content[chosen], weight, odds, site))
        return _Table(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def _train_trees(table: _Table, chosen: Bools, count: int, seed: int) -> SymmetricTrees:
    """Return at most `count` new trees, trained on the chosen blocks."""
    catboost = need("catboost")
    model = catboost.CatBoostClassifier(
        iterations=count, depth=_DEPTH, learning_rate=_RATE, l2_leaf_reg=10, random_seed=seed,
        border_count=48, rsm=0.25, bootstrap_type="Bernoulli", subsample=0.7, verbose=0,
        thread_count=1, allow_writing_files=False, boost_from_average=False,
    )  # fmt: skip
    model.fit(catboost.Pool(
        table.features[chosen], table.label[chosen].astype(int), weight=table.weight[chosen],
        baseline=table.baseline[chosen],
    ))  # fmt: skip
    return catboost_trees(model, 1)


def _best_tree_count(table: _Table, seed: int) -> int:
    """Return the number of new trees with the least loss on sites held out."""
    if table.label.all() or not table.label.any():
        return 0  # one class alone
    sites, number = np.unique(table.site, return_inverse=True)
    if len(sites) < 2:
        return _TREES // 2
    fold_of_site = folds_of_groups(list(map(str, sites.tolist())), min(_FOLDS, len(sites)), seed)
    fold_of = fold_of_site[number]
    loss = np.zeros(_TREES + 1)
    for fold in range(int(fold_of.max()) + 1):
        held_out = fold_of == fold
        label = table.label[~held_out]
        if not label.all() and label.any():
            loss += _losses(_train_trees(table, ~held_out, _TREES, seed), table, held_out)
    return int(loss.argmin())


def _losses(trees: SymmetricTrees, table: _Table, held_out: Bools) -> Floats:
    """Return the weighted log loss on the held out blocks after 0, 1, 2, ... trees."""
    features = table.features[held_out].T
    odds = table.baseline[held_out].copy()
    sign = np.where(table.label[held_out], 1.0, -1.0)
    weight = table.weight[held_out]
    loss = np.zeros(_TREES + 1)
    for number in range(_TREES + 1):
        loss[number] = (weight * np.logaddexp(0.0, -sign * odds)).sum()
        if number < trees.feature.shape[1]:
            odds += _single_tree(trees, number)(features)[0]
    return loss


def _single_tree(trees: SymmetricTrees, number: int) -> SymmetricTrees:
    """Return one of the trees; the first has the bias."""
    part = slice(number, number + 1)
    bias = trees.bias if number == 0 else np.zeros_like(trees.bias)
    return SymmetricTrees(trees.feature[:, part], trees.border[:, part], trees.value[:, part], bias)
