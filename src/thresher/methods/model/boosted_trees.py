"""Boosted symmetric trees as arrays, evaluated for all blocks at once.

A symmetric tree asks the same question at every node of a level, so its answers are the bits of a
leaf's number:
    bit d of leaf = matrix[feature[d]] > border[d]
All questions of all trees, each once, are one gather and one comparison; the sum over trees of the
leaves' values is the log-odds.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from thresher.methods.model.files import Model
from thresher.page.array_types import Float32s, Floats, Int32s, Rows, UInt8s

_DEEPEST = 8
NOBODY = np.float32(3e38)  # a border that no number is above
_PART = 1_024  # columns at once


@dataclass(frozen=True, slots=True, eq=False)
class _Questions:
    """The questions of all trees, each once, and their leaves in one line per class."""

    feature: Rows
    border: Float32s  # a column
    number: Rows  # of the question at each level of each tree, the last level first
    leaves: Floats
    start: npt.NDArray[np.unsignedinteger]  # of each tree in such a line: a column
    varying: int  # so many of the questions, the first, have another answer in each column

    @classmethod
    def of(
        cls,
        feature: Int32s,
        border: Float32s,
        value: Float32s,
        shared: int,
    ) -> _Questions:
        """Find the questions that differ; features from `shared` on are alike in all columns."""
        classes, trees, size = value.shape
        pairs, number = np.unique(feature + 1j * border, return_inverse=True)
        return cls(
            pairs.real.astype(np.intp),
            pairs.imag.astype(np.float32)[:, np.newaxis],
            number.reshape(feature.shape)[::-1].copy(),
            value.reshape(classes, trees * size).astype(np.float64),
            (np.arange(trees) * size).astype(np.min_scalar_type(trees * size))[:, np.newaxis],
            int(pairs.real.searchsorted(shared)),
        )

    def answers(self, matrix: Float32s) -> UInt8s:
        """Answer each question for each column: 1 for yes."""
        passed = np.empty((len(self.feature), matrix.shape[1]), np.bool_)
        each, shared = self.feature[: self.varying], self.feature[self.varying :]
        border = self.border
        np.greater(matrix.take(each, axis=0), border[: len(each)], out=passed[: len(each)])
        passed[len(each) :] = matrix[:, :1].take(shared, axis=0) > border[len(each) :]
        return passed.view(np.uint8)


_NONE_SHARED = 2**31 - 1


@dataclass(frozen=True, slots=True, eq=False)
class SymmetricTrees:
    """Trees of one depth; `value` may hold several classes."""

    feature: Int32s  # (depth, trees)
    border: Float32s  # (depth, trees)
    value: Float32s  # (classes, trees, 2 ** depth)
    bias: Floats  # (classes,)
    shared: int = _NONE_SHARED  # the features from here on are the same in all columns
    questions: _Questions = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Lay the questions and the leaves out as they are asked."""
        questions = _Questions.of(self.feature, self.border, self.value, self.shared)
        object.__setattr__(self, "questions", questions)

    def arrays(self, prefix: str) -> dict[str, npt.NDArray[np.generic]]:
        """Return the arrays by name, to be kept in a file."""
        return {
            f"{prefix}_feature": self.feature.astype(np.uint16),
            f"{prefix}_border": self.border,
            f"{prefix}_value": self.value.astype(np.float16),
            f"{prefix}_bias": self.bias,
        }

    @classmethod
    def of(cls, model: Model, prefix: str, features: int, classes: int) -> SymmetricTrees:
        """Take the trees from a file, after checking that they fit."""
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

    def asking(self, lines: Rows, shared: int = _NONE_SHARED) -> SymmetricTrees:
        """Return the trees for a matrix that has each feature in another line.

        What stands in the lines from `shared` on is the same in all columns.
        """
        return replace(self, feature=lines.take(self.feature).astype(np.int32), shared=shared)

    def split(self, count: int) -> tuple[SymmetricTrees, SymmetricTrees]:
        """Return the first trees with the bias, and the others without."""
        halves = [
            SymmetricTrees(
                np.ascontiguousarray(self.feature[:, part]),
                np.ascontiguousarray(self.border[:, part]),
                np.ascontiguousarray(self.value[:, part]),
                bias,
            )
            for part, bias in (
                (slice(count), self.bias),
                (slice(count, None), np.zeros_like(self.bias)),
            )
        ]
        return halves[0], halves[1]

    def __call__(self, matrix: Float32s) -> Floats:
        """Return the log-odds, (classes, columns), of a matrix of shape (features, columns).

        Many columns are taken in parts, so that memory stays bounded.
        """
        width = matrix.shape[1]
        if width <= _PART:
            return self._odds(matrix)
        return np.concatenate(
            [self._odds(matrix[:, at : at + _PART]) for at in range(0, width, _PART)], axis=1
        )

    def _odds(self, matrix: Float32s) -> Floats:
        asked = self.questions
        leaf = np.zeros((self.feature.shape[1], matrix.shape[1]), np.uint8)
        for answer in asked.answers(matrix).take(asked.number, axis=0):
            leaf += leaf
            leaf |= answer
        place = leaf + asked.start
        found: Floats = np.add.reduce(asked.leaves.take(place, axis=1, mode="clip"), axis=1)
        found += self.bias[:, np.newaxis]
        return found


def sigmoid(odds: Floats) -> Floats:
    """Return the probability of log-odds."""
    found: Floats = 1.0 / (1.0 + np.exp(-odds))
    return found


def softmax(odds: Floats) -> Floats:
    """Return the probabilities of classes, one line each, from their log-odds."""
    weight = np.exp(odds - odds.max(axis=0))
    found: Floats = weight / weight.sum(axis=0)
    return found
