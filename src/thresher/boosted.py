"""Boosted symmetric trees as arrays, evaluated for all blocks at once.

A symmetric tree asks the same question at every node of a level, so its answers are the bits of a
leaf's number:
    bit d of leaf = matrix[feature[d]] > border[d]
All questions of all trees are one gather and one comparison; the sum over trees of the leaves'
values is the log-odds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

__all__ = ["SymmetricTrees", "sigmoid"]

Floats = npt.NDArray[np.float64]


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
    def from_arrays(
        cls, arrays: Mapping[str, npt.NDArray[np.generic]], prefix: str
    ) -> SymmetricTrees:
        """Read what `arrays` gave."""
        return cls(
            arrays[f"{prefix}_feature"].astype(np.int32),
            arrays[f"{prefix}_border"].astype(np.float32),
            arrays[f"{prefix}_value"].astype(np.float32),
            arrays[f"{prefix}_bias"].astype(np.float64),
        )

    def __call__(self, matrix: npt.NDArray[np.float32]) -> Floats:
        """Return the log-odds, (classes, columns), of a matrix of shape (features, columns)."""
        depth, trees = self.feature.shape
        leaf = np.zeros((trees, matrix.shape[1]), np.uint16)
        for level in range(depth):
            asked = matrix.take(self.feature[level], axis=0) > self.border[level][:, np.newaxis]
            leaf |= asked.astype(np.uint16) << np.uint16(level)
        place = leaf + (np.arange(trees, dtype=np.int64) << depth)[:, np.newaxis]
        found = [value.ravel().take(place).sum(axis=0, dtype=np.float64) for value in self.value]
        return np.stack(found) + self.bias[:, np.newaxis]


def sigmoid(odds: Floats) -> Floats:
    """Return the probability of log-odds."""
    found: Floats = 1.0 / (1.0 + np.exp(-odds))
    return found
