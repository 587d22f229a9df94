"""Decision trees as arrays: many trees asked about many things at once.

The nodes of all trees stand in one table. Node i asks whether value `feature[i]` of a thing is at
most `threshold[i]`: if so the next node is `below[i]`, else `below[i] + 1`. A leaf has `below` -1
and an answer in `value`. The forest's answer is the mean over its trees.
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
        """Take a forest from a file, after checking that every node leads on to a leaf."""
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
        """Return the mean answer for each thing; `values` has the shape (features, things)."""
        things = values.shape[1]
        flat = np.ascontiguousarray(values, np.float32).reshape(-1)
        thing = np.tile(np.arange(things), len(self.root))
        node = np.repeat(self.root, things)
        while True:  # each step leads to a later node, so it ends
            below = self.below.take(node)
            going = (below >= 0).nonzero()[0]
            if not len(going):
                break
            at = node.take(going)
            seen = flat.take(self.feature.take(at) * np.int64(things) + thing.take(going))
            node[going] = below.take(going) + (seen > self.threshold.take(at))
        found = self.value.take(node).reshape(len(self.root), things)
        mean: Floats = found.mean(axis=0, dtype=np.float64)
        return mean
