"""Boosted symmetric trees as arrays, evaluated for all blocks at once.

A symmetric tree asks the same question at every node of a level, so its answers are the bits of a
leaf's number:
    bit d of leaf = matrix[feature[d]] > border[d]
All questions of all trees are one gather and one comparison; the sum over trees of the leaves'
values is the log-odds.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from thresher.models import Model

__all__ = ["NOBODY", "SymmetricTrees", "sigmoid", "softmax"]

Floats = npt.NDArray[np.float64]

_DEEPEST = 8
NOBODY = np.float32(3e38)  # a border that no number is above
_PART = 4_096  # columns at once


@dataclass(frozen=True, slots=True, eq=False)
class SymmetricTrees:
    """Trees of one depth; `value` may hold several classes."""

    feature: npt.NDArray[np.int32]  # (depth, trees)
    border: npt.NDArray[np.float32]  # (depth, trees)
    value: npt.NDArray[np.float32]  # (classes, trees, 2 ** depth)
    bias: npt.NDArray[np.float64]  # (classes,)

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

    def __call__(self, matrix: npt.NDArray[np.float32]) -> Floats:
        """Return the log-odds, (classes, columns), of a matrix of shape (features, columns).

        Many columns are taken in parts, so that memory stays bounded.
        """
        width = matrix.shape[1]
        if width <= _PART:
            return self._odds(matrix)
        return np.concatenate(
            [self._odds(matrix[:, at : at + _PART]) for at in range(0, width, _PART)], axis=1
        )

    def _odds(self, matrix: npt.NDArray[np.float32]) -> Floats:
        depth, trees = self.feature.shape
        leaf = np.zeros((trees, matrix.shape[1]), np.uint16)
        for level in range(depth):
            asked = matrix.take(self.feature[level], axis=0) > self.border[level][:, np.newaxis]
            leaf |= asked.astype(np.uint16) << np.uint16(level)
        place = leaf + (np.arange(trees, dtype=np.int32) << depth)[:, np.newaxis]
        found = [value.ravel().take(place).sum(axis=0, dtype=np.float64) for value in self.value]
        return np.stack(found) + self.bias[:, np.newaxis]


def sigmoid(odds: Floats) -> Floats:
    """Return the probability of log-odds."""
    found: Floats = 1.0 / (1.0 + np.exp(-odds))
    return found


def softmax(odds: Floats) -> Floats:
    """Return the probabilities of classes, one line each, from their log-odds."""
    weight = np.exp(odds - odds.max(axis=0))
    found: Floats = weight / weight.sum(axis=0)
    return found
