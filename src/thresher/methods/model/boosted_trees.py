"""Boosted symmetric trees as arrays, evaluated for all blocks at once.

A symmetric tree makes the same comparison at every node of a level, so the results of its
comparisons are the bits of a leaf's number:
    bit d of leaf = matrix[feature[d]] > border[d]
The comparisons of all trees, each done once, are one array expression; the sum of the leaves'
values over all trees, added in their order, is the log-odds. `_trees` is the compiled version of
the same, with equal results.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.methods.model.files import Model
from thresher.page.array_types import Bools, Float32s, Floats, Int32s, Rows, UInt8s
from thresher.page.core import COMPILED

if COMPILED:
    from thresher.methods.model import _trees

_DEEPEST = 8  # levels of a tree
NEVER_EXCEEDED = np.float32(3e38)  # a border that no number is above
_NONE_SHARED = 2**31 - 1
_COLUMNS_AT_ONCE = 1_024
_FEW_LEFT = 0.8  # of the columns: copying these takes less time than evaluating all


class _Comparisons(NamedTuple):
    """The distinct comparisons of all trees, sorted by feature and border."""

    feature: Rows
    border: Float32s
    number: Rows  # of the comparison at each level of each tree, the last level first
    leaves: Float32s  # (classes, trees, 2 ** depth)
    start: npt.NDArray[np.unsignedinteger]  # of each tree's leaves in the line of a class: a column
    varying: int  # the first so many comparisons may differ between columns of the matrix

    @classmethod
    def of(cls, feature: Int32s, border: Float32s, value: Float32s, shared: int) -> _Comparisons:
        """Return the comparisons; features from `shared` on are equal in all columns."""
        _, trees, size = value.shape
        order = np.lexsort((border.ravel(), feature.ravel()))
        by_feature, by_border = feature.ravel()[order], border.ravel()[order]
        is_new = np.ones(len(order), np.bool_)
        is_new[1:] = (np.diff(by_feature) != 0) | (by_border[1:] != by_border[:-1])
        number = np.empty(len(order), np.intp)
        number[order] = is_new.cumsum() - 1
        distinct = by_feature[is_new].astype(np.intp)
        return cls(
            distinct,
            by_border[is_new].astype(np.float32),
            number.reshape(feature.shape)[::-1].copy(),
            np.ascontiguousarray(value, np.float32),
            (np.arange(trees) * size).astype(np.min_scalar_type(trees * size))[:, np.newaxis],
            int(distinct.searchsorted(shared)),
        )

    def results(self, matrix: Float32s, first: Float32s) -> UInt8s:
        """Return 1 where a feature is above its border, shape (comparisons, columns).

        `first` is a column with all features; `matrix` may lack those that are shared.
        """
        above = np.empty((len(self.feature), matrix.shape[1]), np.bool_)
        each, shared = self.feature[: self.varying], self.feature[self.varying :]
        border = self.border[:, np.newaxis]
        np.greater(matrix.take(each, axis=0), border[: len(each)], out=above[: len(each)])
        above[len(each) :] = first.take(shared, axis=0) > border[len(each) :]
        return above.view(np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class SymmetricTrees:
    """Trees of one depth, for one or several classes."""

    feature: Int32s  # (depth, trees)
    border: Float32s  # (depth, trees)
    value: Float32s  # (classes, trees, 2 ** depth)
    bias: Floats  # (classes,)
    shared: int = _NONE_SHARED  # features from here on are equal in all columns of a matrix
    comparisons: _Comparisons = field(init=False, repr=False)
    kernel: Any = field(init=False, repr=False)  # the compiled version of the comparisons

    def __post_init__(self) -> None:
        """Arrange the comparisons and the leaves for evaluation."""
        own = _Comparisons.of(self.feature, self.border, self.value, self.shared)
        object.__setattr__(self, "comparisons", own)
        parts = (own.feature, own.border, own.varying, own.number, own.leaves)
        object.__setattr__(self, "kernel", _trees.Trees(*parts) if COMPILED else None)

    def arrays(self, prefix: str) -> dict[str, npt.NDArray[np.generic]]:
        """Return the arrays by name, for a model file."""
        return {
            f"{prefix}_feature": self.feature.astype(np.uint16),
            f"{prefix}_border": self.border,
            f"{prefix}_value": self.value.astype(np.float16),
            f"{prefix}_bias": self.bias,
        }

    @classmethod
    def of(cls, model: Model, prefix: str, features: int, classes: int) -> SymmetricTrees:
        """Return the trees of a model file after checking that they fit."""
        feature = model.array(f"{prefix}_feature", "integers", (None, None)).astype(np.int32)
        depth, trees = feature.shape
        fits = feature.min(initial=0) >= 0 and feature.max(initial=0) < features
        if depth > _DEEPEST or not fits:
            raise model.damaged(f"the trees of {prefix!r} ask for features that are not known")
        return cls(
            feature,
            model.array(f"{prefix}_border", "floats", (depth, trees)).astype(np.float32),
            model.array(f"{prefix}_value", "floats", (classes, trees, 2**depth)).astype(np.float32),
            model.array(f"{prefix}_bias", "floats", (classes,)).astype(np.float64),
        )

    def with_lines(self, lines: Rows, shared: int = _NONE_SHARED) -> SymmetricTrees:
        """Return the trees for a matrix that has feature `i` in line `lines[i]`.

        The lines from `shared` on are equal in all columns of the matrix.
        """
        return replace(self, feature=lines.take(self.feature).astype(np.int32), shared=shared)

    def split(self, count: int) -> tuple[SymmetricTrees, SymmetricTrees]:
        """Return the first `count` trees with the bias, and the others without."""

        def some(part: slice, bias: Floats) -> SymmetricTrees:
            return SymmetricTrees(
                np.ascontiguousarray(self.feature[:, part]),
                np.ascontiguousarray(self.border[:, part]),
                np.ascontiguousarray(self.value[:, part]),
                bias,
                self.shared,
            )

        return some(slice(count), self.bias), some(slice(count, None), np.zeros_like(self.bias))

    def __call__(self, matrix: Float32s, columns: Rows | None = None) -> Floats:
        """Return the log-odds, (classes, columns), of a matrix of shape (features, columns).

        With `columns`, the log-odds of these columns of the matrix.
        """
        sums = self._compiled if COMPILED else self._plain
        return sums(matrix, columns) + self.bias[:, np.newaxis]

    def fill_classes(self, matrix: Float32s, begin: int, into: int) -> Floats:
        """Return the probability of each class for the first column of a matrix.

        The features of the trees are in the lines from `begin` on. The probabilities are filled
        into all columns of the lines from `into` on.
        """
        found = np.empty(len(self.bias))
        if COMPILED:
            self.kernel.fill_classes(matrix, begin, into, self.bias, found)
        else:
            found[:] = softmax(self(matrix[begin:, :1]))[:, 0]
            matrix[into : into + len(found)] = found[:, np.newaxis]
        return found

    def _compiled(self, matrix: Float32s, columns: Rows | None = None) -> Floats:
        """Return the sums over all trees."""
        log_odds = np.zeros((len(self.bias), matrix.shape[1]))
        chosen = np.arange(matrix.shape[1]) if columns is None else columns
        self.kernel.add(np.ascontiguousarray(matrix), chosen, log_odds)
        return log_odds if columns is None else log_odds.take(columns, axis=1)

    def _plain(self, matrix: Float32s, columns: Rows | None = None) -> Floats:
        chosen = matrix if columns is None else matrix.take(columns, axis=1)
        return self._plain_sums(chosen, matrix[:, :1])

    def _plain_sums(self, matrix: Float32s, first: Float32s) -> Floats:
        """Evaluate many columns in parts, so that memory is bounded; see `_Comparisons.results`."""
        width = matrix.shape[1]
        if width <= _COLUMNS_AT_ONCE:
            return self._plain_part(matrix, first)
        parts = np.split(matrix, range(_COLUMNS_AT_ONCE, width, _COLUMNS_AT_ONCE), axis=1)
        return np.concatenate([self._plain_part(part, first) for part in parts], axis=1)

    def _plain_part(self, matrix: Float32s, first: Float32s) -> Floats:
        own = self.comparisons
        leaf = np.zeros((self.feature.shape[1], matrix.shape[1]), np.uint8)
        for bit in own.results(matrix, first).take(own.number, axis=0):
            leaf += leaf
            leaf |= bit
        values = own.leaves.reshape(len(own.leaves), -1).take(leaf + own.start, axis=1, mode="clip")
        if matrix.shape[1] == 1:  # NumPy adds several columns tree by tree, but not a single one
            values = values.cumsum(axis=1, dtype=np.float64)[:, -1:]
        sums: Floats = np.add.reduce(values, axis=1, dtype=np.float64)
        return sums


def staged_probabilities(
    stages: tuple[SymmetricTrees, ...], matrix: Float32s, chosen: Bools, hopeless: float
) -> Floats:
    """Return the probabilities of columns by trees of one class, evaluated in stages.

    After each stage, columns with log-odds up to `hopeless` keep these. Only the first stage has a
    bias. Columns that are not chosen have the probability 0.
    """
    if COMPILED:
        line = np.empty((1, matrix.shape[1]))
        _trees.fill_probabilities(stages, matrix, chosen, stages[0].bias[0], hopeless, line)
        probability: Floats = line[0]
        return probability
    log_odds = np.full(matrix.shape[1], stages[0].bias[0])
    columns, is_left = np.arange(matrix.shape[1]), chosen
    own, left = log_odds.copy(), matrix[: stages[0].shared]
    for trees in stages:
        some = is_left.nonzero()[0]
        if len(some) < _FEW_LEFT * len(columns):
            log_odds[columns] = own
            columns, own, is_left = columns.take(some), own.take(some), is_left.take(some)
            left = left.take(some, axis=1)
        if not len(columns):
            break
        own += trees._plain_sums(left, matrix[:, :1])[0] * is_left
        is_left = is_left & (own > hopeless)
    log_odds[columns] = own
    return sigmoid(log_odds) * chosen


def sigmoid(log_odds: Floats) -> Floats:
    """Return the probabilities of log-odds."""
    bounded = np.minimum(np.maximum(log_odds, -500.0), 500.0)  # exp() would overflow
    probability: Floats = 1.0 / (1.0 + np.exp(-bounded))
    return probability


def softmax(log_odds: Floats) -> Floats:
    """Return the probabilities of classes from their log-odds, both of shape (classes, columns)."""
    weight = np.exp(log_odds - np.maximum.reduce(log_odds))
    probability: Floats = weight / np.add.reduce(weight)
    return probability
