"""CatBoost's symmetric trees as arrays."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from thresher.methods.model.boosted_trees import NOBODY, SymmetricTrees
from thresher.page.array_types import Rows


def exported(model: Any, classes: int) -> tuple[SymmetricTrees, Rows]:
    """Turn a model of CatBoost into arrays, and list the features it asks for."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "model.json"
        model.save_model(str(place), format="json")
        told = json.loads(place.read_text(encoding="utf-8"))
    trees = told["oblivious_trees"]
    questions = [tree["splits"] or [] for tree in trees]  # none: a tree that is one leaf
    depth = max([1, *map(len, questions)])
    columns = [part["flat_feature_index"] for part in told["features_info"]["float_features"]]
    feature = np.zeros((depth, len(trees)), np.int64)
    border = np.full((depth, len(trees)), NOBODY)  # of a tree with fewer questions
    value = np.zeros((classes, len(trees), 2**depth), np.float32)
    for index, tree in enumerate(trees):
        for level, split in enumerate(questions[index]):
            feature[level, index] = columns[split["float_feature_index"]]
            border[level, index] = split["border"]
        leaves = np.array(tree["leaf_values"], np.float32).reshape(-1, classes).T
        value[:, index, : leaves.shape[1]] = leaves
    scale, bias = told["scale_and_bias"]
    used = np.unique(feature)
    number = np.zeros(int(used.max()) + 1, np.int32)
    number[used] = np.arange(len(used))
    bias = np.broadcast_to(np.asarray(bias, np.float64), (classes,)).copy()
    return SymmetricTrees(number[feature], border, value * scale, bias), used
