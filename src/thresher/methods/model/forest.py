"""Random forests as arrays, evaluated for many samples at once.

The nodes of all trees are in one table. Node i compares feature `feature[i]` of a sample with
`threshold[i]`: if it is at most that, the next node is `below[i]`, else `below[i] + 1`. A leaf has
`below` -1 and a probability in `value`. The result of the forest is the mean over its trees.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from thresher.methods.model.files import Model
from thresher.page.array_types import Float32s, Floats, Int32s


@dataclass(frozen=True, slots=True, eq=False)
class Forest:
    """Trees whose leaves hold probabilities."""

    root: Int32s  # the first node of each tree
    feature: Int32s
    threshold: Float32s
    below: Int32s
    value: Float32s

    @classmethod
    def of(cls, model: Model, name: str, features: int) -> Forest:
        """Return a forest of a model file after checking that every node leads to a leaf."""
        feature = model.array(f"{name}_feature", "integers", (None,)).astype(np.int32)
        size = len(feature)
        root = model.array(f"{name}_root", "integers", (None,)).astype(np.int32)
        below = model.array(f"{name}_below", "integers", (size,)).astype(np.int32)
        inner = (below >= 0).nonzero()[0]
        starts = len(root) > 0 and root.min() >= 0 and root.max() < size
        if not starts or below.max(initial=-1) >= size - 1 or (below[inner] <= inner).any():
            raise model.damaged(f"the trees of {name} lead nowhere")
        if feature.min() < 0 or feature.max() >= features:
            raise model.damaged(f"the trees of {name} ask for features that are not known")
        threshold = model.array(f"{name}_threshold", "floats", (size,)).astype(np.float32)
        value = model.array(f"{name}_value", "floats", (size,)).astype(np.float32)
        return cls(root, feature, threshold, below, value)

    def probabilities(self, values: Float32s | Floats) -> Floats:
        """Return the mean of the trees per sample; `values` has the shape (features, samples)."""
        samples = values.shape[1]
        flat = np.ascontiguousarray(values, np.float32).reshape(-1)
        sample = np.tile(np.arange(samples), len(self.root))
        node = np.repeat(self.root, samples)
        while True:  # each step goes to a later node, so the loop ends
            below = self.below.take(node)
            inner = (below >= 0).nonzero()[0]
            if not len(inner):
                break
            at = node.take(inner)
            value = flat.take(self.feature.take(at) * np.int64(samples) + sample.take(inner))
            node[inner] = below.take(inner) + (value > self.threshold.take(at))
        leaves = self.value.take(node).reshape(len(self.root), samples)
        mean: Floats = leaves.mean(axis=0, dtype=np.float64)
        return mean
