"""Random forests: array evaluation against a walk node by node, and files that do not fit."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher import InputError
from thresher.methods.content_seeker import FEATURES
from thresher.methods.model.files import load, to_bytes
from thresher.methods.model.forest import Forest

MODEL = load("content-seeker")
FORESTS = [Forest.of(MODEL, name, len(FEATURES)) for name in ("granularity", "content")]


def mean_of_trees(forest, values):
    """The mean over the trees of the leaf that a walk down the tree reaches."""
    leaves = []
    for root in forest.root.tolist():
        node = root
        while forest.below[node] >= 0:
            is_above = values[forest.feature[node]] > forest.threshold[node]
            node = int(forest.below[node]) + int(is_above)
        leaves.append(float(forest.value[node]))
    return sum(leaves) / len(leaves)


@given(st.lists(st.floats(-1e6, 1e6, width=32), min_size=len(FEATURES), max_size=len(FEATURES)))
def test_many_samples_at_once_give_what_a_walk_gives(values):
    samples = np.array([values, values[::-1], [0.0] * len(values)], np.float32).T
    for forest in FORESTS:
        expected = [mean_of_trees(forest, sample) for sample in samples.T.tolist()]
        assert forest.probabilities(samples).tolist() == pytest.approx(expected)


TREE = {  # feature 0 up to 1.5: 1, else 0
    "t_root": np.array([0], np.int32),
    "t_feature": np.array([0, 0, 0], np.uint8),
    "t_threshold": np.array([1.5, 0, 0], np.float32),
    "t_below": np.array([1, -1, -1], np.int32),
    "t_value": np.array([0, 1, 0], np.float16),
}


def forest_of(path, **changed):
    path.write_bytes(to_bytes("content-seeker", TREE | changed))
    return Forest.of(load("content-seeker", str(path)), "t", 1)


def test_a_tree_by_hand(tmp_path):
    forest = forest_of(tmp_path / "m.npz")
    assert forest.probabilities(np.array([[1.0, 1.5, 2.0]], np.float32)).tolist() == [1, 1, 0]


@pytest.mark.parametrize(
    ("part", "column", "message"),
    [
        ("root", [3], "lead nowhere"),
        ("below", [2, -1, -1], "lead nowhere"),
        ("below", [0, -1, -1], "lead nowhere"),
        ("feature", [99, 0, 0], "ask for features that are not known"),
        ("threshold", [0, 0], r"has the shape \(2,\)"),
    ],
)
def test_damaged_trees_are_refused(tmp_path, part, column, message):
    changed = {f"t_{part}": np.array(column, TREE[f"t_{part}"].dtype)}
    with pytest.raises(InputError, match=rf"{message}\. Train it again\.$"):
        forest_of(tmp_path / "m.npz", **changed)
