"""Trees of CatBoost as arrays: read, joined, averaged, and written to a model file.

The log-odds of symmetric trees are a sum over trees, so the mean of several models is one model: it
has the trees of all of them, and each leaf is divided by their number.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from thresher.methods.model.boosted_trees import NEVER_EXCEEDED, SymmetricTrees


def catboost_trees(model: Any, classes: int) -> SymmetricTrees:
    """Return the trees of a CatBoost model."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.json"
        model.save_model(str(path), format="json")
        data = json.loads(path.read_text(encoding="utf-8"))
    trees = data["oblivious_trees"]
    questions = [tree["splits"] or [] for tree in trees]  # none: a tree that is one leaf
    depth = max([1, *map(len, questions)])
    columns = [part["flat_feature_index"] for part in data["features_info"]["float_features"]]
    feature = np.zeros((depth, len(trees)), np.int32)
    border = np.full((depth, len(trees)), NEVER_EXCEEDED)  # of a tree with fewer questions
    value = np.zeros((classes, len(trees), 2**depth), np.float32)
    for index, tree in enumerate(trees):
        for level, split in enumerate(questions[index]):
            feature[level, index] = columns[split["float_feature_index"]]
            border[level, index] = split["border"]
        leaves = np.array(tree["leaf_values"], np.float32).reshape(-1, classes).T
        value[:, index, : leaves.shape[1]] = leaves
    scale, bias = data["scale_and_bias"]
    bias = np.broadcast_to(np.asarray(bias, np.float64), (classes,)).copy()
    return SymmetricTrees(feature, border, value * scale, bias)


def join_trees(parts: Sequence[SymmetricTrees]) -> SymmetricTrees:
    """Return the trees of all parts, made as deep as the deepest."""
    depth = max(trees.feature.shape[0] for trees in parts)
    first_used = min(int(trees.feature.min()) for trees in parts)  # for levels that ask nothing
    feature, border, value = [], [], []
    for trees in parts:
        more = ((0, depth - trees.feature.shape[0]), (0, 0))
        feature.append(np.pad(trees.feature, more, constant_values=first_used))
        border.append(np.pad(trees.border, more, constant_values=NEVER_EXCEEDED))
        leaves = 2**depth - trees.value.shape[2]
        value.append(np.pad(trees.value, ((0, 0), (0, 0), (0, leaves))))
    bias = np.sum([trees.bias for trees in parts], axis=0)
    arrays = np.concatenate(feature, axis=1), np.concatenate(border, axis=1)
    return SymmetricTrees(*arrays, np.concatenate(value, axis=1), bias)


def mean_trees(members: Sequence[SymmetricTrees]) -> SymmetricTrees:
    """Return trees whose log-odds are the mean of those of the members.

    The first trees of all members come first, then their second ones, and so on: the first trees of
    a boosted model say most, so the first trees of the mean rule out most blocks.
    """
    joined = join_trees(members)
    place = np.concatenate([np.arange(trees.feature.shape[1]) for trees in members])
    order = place.argsort(kind="stable")
    return replace(
        joined,
        feature=joined.feature[:, order],
        border=joined.border[:, order],
        value=joined.value[:, order] / np.float32(len(members)),
        bias=joined.bias / len(members),
    )


def tree_arrays(
    trees: SymmetricTrees, prefix: str, used_name: str
) -> dict[str, npt.NDArray[np.generic]]:
    """Return the arrays of trees for a model file, which numbers only the features they use."""
    used, number = np.unique(trees.feature, return_inverse=True)
    numbered = replace(trees, feature=number.reshape(trees.feature.shape).astype(np.int32))
    return {used_name: used.astype(np.uint16), **numbered.arrays(prefix)}
