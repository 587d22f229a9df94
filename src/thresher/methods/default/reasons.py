"""Reasons for the probability of a block: what each feature adds to its log-odds.

A symmetric tree asks one question per level. With m(q) the mean of the leaves that are left after
the answers q, the feature asked at level d adds
    m(answers up to d) - m(answers up to d - 1)
and the sum over levels, trees and features, plus the mean of all leaves, is the log-odds (Saabas
2014, "Interpreting random forests"; the means are over leaves, since a model stores no counts).
What a feature adds to all blocks of a page does not explain one of them, so the mean over the page
is subtracted.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from thresher.methods.default.features import FEATURES, NAMES, PAGE_LINES
from thresher.methods.default.judge import Judge, Judgement
from thresher.methods.model.boosted_trees import SymmetricTrees
from thresher.page.array_types import Float32s, Floats, Rows

_MEANING = dict(FEATURES)
_BOOLEAN_PREFIXES = ("in_", "hidden")  # of features whose value is 0 or 1
_LEAST_WEIGHT = 0.005  # that two decimals show
_PART = 300  # blocks: a sample of a page for its means, and at once for the memory of each tree


@dataclass(frozen=True, slots=True)
class Reason:
    """One feature of a block, its value, and what that adds to the log-odds of being content."""

    feature: str
    value: float
    weight: float  # positive: for the block; negative: against it

    @property
    def meaning(self) -> str:
        """What the feature measures."""
        return _MEANING[self.feature]

    def __str__(self) -> str:
        """Return meaning, value and weight, such as `stands in nav: yes (-0.50)`."""
        value = f"{self.value:.3g}"
        if self.feature.startswith(_BOOLEAN_PREFIXES):
            value = "yes" if self.value else "no"
        return f"{self.meaning}: {value} ({self.weight:+.2f})"


def contributions(trees: SymmetricTrees, matrix: Float32s) -> Floats:
    """Return what each feature adds to the log-odds of each column of the matrix."""
    depth, count = trees.feature.shape
    value = trees.value[0]
    leaf = np.zeros((count, matrix.shape[1]), np.intp)
    mean = np.broadcast_to(value.mean(axis=1)[:, np.newaxis], leaf.shape)
    found = np.zeros(matrix.shape)
    for level in range(depth):
        answer = matrix.take(trees.feature[level], axis=0) > trees.border[level][:, np.newaxis]
        leaf |= answer.astype(np.intp) << level
        left = value.reshape(count, -1, 2 << level).mean(axis=1)  # low bits are the answers so far
        mean_left = np.take_along_axis(left, leaf, axis=1)
        order = trees.feature[level].argsort(kind="stable")
        asked, first = np.unique(trees.feature[level][order], return_index=True)
        found[asked] += np.add.reduceat((mean_left - mean)[order], first, axis=0)
        mean = mean_left
    return found


def _block_contributions(judge: Judge, judgement: Judgement, blocks: Rows) -> Floats:
    """Return what each feature adds to the log-odds of the given blocks."""
    values = judgement.features.matrix[:, blocks]
    found: Floats = contributions(judge.first, values) + contributions(judge.rest, values)
    return found


def mean_contributions(judge: Judge, judgement: Judgement) -> Floats:
    """Return what each feature adds in the mean over the page's blocks, or a sample of them.

    The judgement has all features: see `Judge.with_all_features`.
    """
    size = len(judgement.probability)
    sample = np.unique(np.linspace(0, size - 1, min(size, _PART)).astype(np.intp))
    mean: Floats = _block_contributions(judge, judgement, sample).mean(axis=1)
    return mean


def block_reasons(
    judge: Judge, judgement: Judgement, blocks: Rows, mean: Floats, most: int = 3
) -> list[list[Reason]]:
    """Return for each given block the features that set it most apart from the page's others.

    `mean` is that of `mean_contributions`. Features of the whole page are no reasons.
    """
    found = []
    for part in np.split(blocks, range(_PART, len(blocks), _PART)):
        weight = _block_contributions(judge, judgement, part) - mean[:, np.newaxis]
        weight[PAGE_LINES.start :] = 0.0
        strongest = (-np.abs(weight)).argsort(axis=0, kind="stable")[:most]
        for column, block in enumerate(part.tolist()):
            reasons = (
                Reason(
                    NAMES[feature],
                    float(judgement.features.matrix[feature, block]),
                    float(weight[feature, column]),
                )
                for feature in strongest[:, column].tolist()
            )
            found.append([reason for reason in reasons if abs(reason.weight) >= _LEAST_WEIGHT])
    return found
