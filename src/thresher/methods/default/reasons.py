"""Why a block was judged as it was: what each feature adds to its log-odds.

A symmetric tree asks one question a level. With m(q) the mean of the leaves that are left after the
questions q, the feature asked at level d adds
    m(answers up to d) - m(answers up to d - 1)
and the sum over levels, trees and features, with the mean of all leaves, is the log-odds (Saabas
2014, "Interpreting random forests"; the means are over leaves, since a model keeps no counts).
What a feature adds to every block of a page tells nothing of one: its mean over the page is taken
off.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from thresher.methods.default.features import FEATURES, PAGE_FEATURES
from thresher.methods.default.judge import Judge, Judgement
from thresher.methods.model.boosted_trees import SymmetricTrees
from thresher.page.array_types import Float32s, Floats, Rows

_YES_OR_NO = ("in_", "hidden")  # features whose value is 0 or 1


@dataclass(frozen=True, slots=True)
class Reason:
    """One feature of a block, its value, and what that adds to the log-odds of being content."""

    feature: str
    value: float
    weight: float  # above 0 speaks for the block, below 0 against it

    @property
    def meaning(self) -> str:
        """What the feature measures."""
        return _MEANING[self.feature]

    def __str__(self) -> str:
        """Say it in words."""
        value = f"{self.value:.3g}"
        if self.feature.startswith(_YES_OR_NO):
            value = "yes" if self.value else "no"
        return f"{self.meaning}: {value} ({self.weight:+.2f})"


_MEANING = dict(FEATURES)


def contributions(trees: SymmetricTrees, matrix: Float32s) -> Floats:
    """Return what each feature adds to the log-odds of each column of the matrix."""
    depth, count = trees.feature.shape
    value = trees.value[0]
    leaf = np.zeros((count, matrix.shape[1]), np.intp)
    mean = np.broadcast_to(value.mean(axis=1)[:, np.newaxis], leaf.shape)
    found = np.zeros(matrix.shape)
    for level in range(depth):
        asked = matrix.take(trees.feature[level], axis=0) > trees.border[level][:, np.newaxis]
        leaf |= asked.astype(np.intp) << level
        left = value.reshape(count, -1, 2 << level).mean(axis=1)  # low bits are the answers so far
        now = np.take_along_axis(left, leaf, axis=1)
        np.add.at(found, trees.feature[level], now - mean)
        mean = now
    return found


def of_blocks(judge: Judge, judgement: Judgement, blocks: Rows) -> Floats:
    """Return what each feature that the trees use adds to the log-odds of some blocks."""
    asked = judgement.features.matrix[judge.used][:, blocks]
    found: Floats = contributions(judge.first, asked) + contributions(judge.rest, asked)
    return found


def typical(judge: Judge, judgement: Judgement) -> Floats:
    """Return what each feature adds in the mean over the page's blocks (a sample of them)."""
    size = len(judgement.probability)
    sample = np.unique(np.linspace(0, size - 1, min(size, _SAMPLE)).astype(np.intp))
    mean: Floats = of_blocks(judge, judgement, sample).mean(axis=1)
    return mean


_SAMPLE = 300  # blocks


def reasons(
    judge: Judge, judgement: Judgement, block: int, usual: Floats, most: int = 3
) -> list[Reason]:
    """Return what sets a block apart from the page's blocks, whose `typical` is `usual`.

    Features of the whole page are no reasons: all blocks share them.
    """
    weight = _weights(judge, judgement, np.array([block]), usual)[:, 0]
    order = (-np.abs(weight)).argsort(kind="stable")[:most].tolist()
    return [
        _reason(judge, judgement, block, at, float(weight[at]))
        for at in order
        if abs(weight[at]) >= _LEAST
    ]


def strongest(
    judge: Judge, judgement: Judgement, blocks: Rows, usual: Floats
) -> list[Reason | None]:
    """Return the first of the `reasons` of each of some blocks, None where there is none."""
    found: list[Reason | None] = []
    for begin in range(0, len(blocks), _SAMPLE):  # what is added takes memory for each tree
        some = blocks[begin : begin + _SAMPLE]
        weight = _weights(judge, judgement, some, usual)
        best = np.abs(weight).argmax(axis=0)
        most = np.take_along_axis(weight, best[np.newaxis], axis=0)[0].tolist()
        found += [
            _reason(judge, judgement, block, at, added) if abs(added) >= _LEAST else None
            for block, at, added in zip(some.tolist(), best.tolist(), most, strict=True)
        ]
    return found


def _weights(judge: Judge, judgement: Judgement, blocks: Rows, usual: Floats) -> Floats:
    """Return what each feature of a block, not of the page, adds beyond what is `usual`."""
    weight = of_blocks(judge, judgement, blocks) - usual[:, np.newaxis]
    weight[judge.used >= len(FEATURES) - PAGE_FEATURES] = 0.0
    return weight


def _reason(judge: Judge, judgement: Judgement, block: int, at: int, weight: float) -> Reason:
    number = int(judge.used[at])
    return Reason(FEATURES[number][0], float(judgement.features.matrix[number, block]), weight)


_LEAST = 0.005  # of a weight that two decimals show
