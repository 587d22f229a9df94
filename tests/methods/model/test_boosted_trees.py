"""Symmetric trees: array evaluation against a loop over trees, and files that do not fit."""

import math
import pickle
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cores import needs_kernels, plain_core
from thresher import InputError
from thresher.methods.model.boosted_trees import (
    SymmetricTrees,
    sigmoid,
    softmax,
    staged_probabilities,
)
from thresher.methods.model.files import load, to_bytes


def random_trees(
    seed: int, features: int = 5, depth: int = 3, trees: int = 7, classes: int = 2
) -> SymmetricTrees:
    rng = np.random.default_rng(seed)
    value = rng.normal(scale=0.1, size=(classes, trees, 2**depth)).astype(np.float16)
    return SymmetricTrees(
        rng.integers(0, features, (depth, trees)).astype(np.int32),
        rng.integers(-2, 3, (depth, trees)).astype(np.float32),
        value.astype(np.float32),
        rng.normal(size=classes),
    )


def by_loop(trees: SymmetricTrees, column: list[float], label: int) -> float:
    """The log-odds of one block: tree after tree, comparison after comparison."""
    odds = float(trees.bias[label])
    for tree in range(trees.feature.shape[1]):
        leaf = 0
        for level in range(trees.feature.shape[0]):
            if column[trees.feature[level, tree]] > trees.border[level, tree]:
                leaf += 2**level
        odds += float(trees.value[label, tree, leaf])
    return odds


@given(
    seed=st.integers(0, 1_000),
    depth=st.integers(1, 8),
    trees=st.integers(1, 9),
    classes=st.integers(1, 3),
    size=st.integers(0, 6),
)
def test_the_arrays_give_what_a_loop_gives(seed, depth, trees, classes, size):
    made = random_trees(seed, 5, depth, trees, classes)
    matrix = np.random.default_rng(seed).integers(-3, 4, (5, size)).astype(np.float32)
    found = made(matrix)
    assert found.shape == (classes, size)
    for label in range(classes):
        expected = [by_loop(made, column, label) for column in matrix.T.tolist()]
        assert found[label].tolist() == pytest.approx(expected)


@needs_kernels
@given(
    seed=st.integers(0, 1_000),
    depth=st.integers(0, 8),
    trees=st.integers(0, 9),
    shared=st.integers(0, 5),
    width=st.integers(0, 200),
)
def test_both_versions_give_the_same(seed, depth, trees, shared, width):
    made = random_trees(seed, 5, depth, trees).with_lines(np.arange(5), shared)
    rng = np.random.default_rng(seed)
    matrix = rng.integers(-3, 4, (5, width)).astype(np.float32)
    matrix[rng.random((5, width)) < 0.1] = np.nan
    matrix[shared:] = matrix[shared:, :1]
    assert np.array_equal(made._compiled(matrix), made._plain(matrix))
    assert np.array_equal(made._compiled(matrix.T.copy().T), made._plain(matrix))
    some = rng.random(width).argsort()[: width // 2]
    assert np.array_equal(made._compiled(matrix, some), made._plain(matrix, some))
    assert np.array_equal(made._plain(matrix, some), made._plain(matrix)[:, some])


@needs_kernels
@given(
    seed=st.integers(0, 1_000),
    trees=st.integers(0, 70),
    shared=st.integers(0, 40),
    width=st.integers(0, 200),
)
def test_wide_registers_give_the_same(seed, trees, shared, width):
    made = random_trees(seed, 40, 6, trees, 1).with_lines(np.arange(40), shared)
    rng = np.random.default_rng(seed)
    matrix = rng.integers(-3, 4, (40, width)).astype(np.float32)
    matrix[rng.random((40, width)) < 0.1] = np.nan
    matrix[shared:] = matrix[shared:, :1]
    some = rng.random(width).argsort()[: width // 2]
    if seed % 2:
        some.sort()
    expected = made._plain(matrix, some)
    assert np.array_equal(made._compiled(matrix, some), expected)
    made.kernel.is_wide = False
    assert np.array_equal(made._compiled(matrix, some), expected)


@needs_kernels
@given(seed=st.integers(0, 1_000), width=st.integers(1, 200), hopeless=st.floats(-3, 3))
def test_stages_leave_out_what_is_hopeless(seed, width, hopeless):
    rng = np.random.default_rng(seed)
    first, rest = random_trees(seed, 5, 3, 9, 1).split(2)
    stages = (first, *rest.split(3))
    matrix = rng.integers(-3, 4, (5, width)).astype(np.float32)
    columns = (rng.random(width) < 0.7).nonzero()[0]
    chosen = np.isin(np.arange(width), columns)
    found = staged_probabilities(stages, matrix, chosen, hopeless)
    with plain_core():
        assert np.array_equal(staged_probabilities(stages, matrix, chosen, hopeless), found)
    for column in range(width):
        odds = float(first.bias[0])
        for trees in stages if column in columns else ():
            odds += trees(matrix[:, [column]])[0, 0] - trees.bias[0]
            if odds <= hopeless:
                break
        assert found[column] == pytest.approx(1 / (1 + math.exp(-odds)) if chosen[column] else 0)


@needs_kernels
@given(seed=st.integers(0, 1_000), depth=st.integers(0, 8), classes=st.integers(1, 20))
def test_the_classes_of_the_first_column(seed, depth, classes):
    made = random_trees(seed, 5, depth, 9, classes)
    matrix = np.random.default_rng(seed).integers(-3, 4, (7 + classes, 3)).astype(np.float32)
    expected, again = matrix.copy(), matrix.copy()
    expected[6:-1] = found = softmax(made(matrix[1:6, :1]))
    assert made.fill_classes(matrix, 1, 6) == pytest.approx(found[:, 0], rel=1e-15)
    np.testing.assert_allclose(matrix, expected, rtol=1e-7)
    with plain_core():
        assert np.array_equal(made.fill_classes(again, 1, 6), found[:, 0])


@needs_kernels
def test_leaves_whose_sums_may_not_be_exact_are_added_in_order():
    made = random_trees(1, 40, 6, 50, 1)
    made = replace(made, value=(made.value / 3).astype(np.float32))
    matrix = np.random.default_rng(1).integers(-3, 4, (40, 90)).astype(np.float32)
    assert not made.kernel.is_wide
    assert np.array_equal(made._compiled(matrix), made._plain(matrix))


def test_by_hand():
    # Two comparisons: x > 1 is bit 0, y > 2 is bit 1.
    trees = SymmetricTrees(
        np.array([[0], [1]], np.int32),
        np.array([[1.0], [2.0]], np.float32),
        np.array([[[10.0, 20.0, 30.0, 40.0]]], np.float32),
        np.array([0.5]),
    )
    x, y = [1, 2, 1, 2], [2, 2, 3, 3]  # a border itself is not passed
    assert trees(np.array([x, y], np.float32)).tolist() == [[10.5, 20.5, 30.5, 40.5]]


@given(seed=st.integers(0, 100), count=st.integers(0, 7))
def test_two_parts_add_up_to_the_whole(seed, count):
    whole = random_trees(seed)
    first, rest = whole.split(count)
    matrix = np.random.default_rng(seed).normal(size=(5, 4)).astype(np.float32)
    assert first.feature.shape[1] == count
    assert (first.bias == whole.bias).all()
    np.testing.assert_allclose(first(matrix) + rest(matrix), whole(matrix))


def test_features_may_be_in_other_lines():
    made = random_trees(3)
    matrix = np.random.default_rng(3).normal(size=(5, 4)).astype(np.float32)
    lines = np.array([7, 1, 4, 0, 2])  # of a larger matrix
    larger = np.full((8, 4), np.nan, np.float32)
    larger[lines] = matrix
    assert np.array_equal(made.with_lines(lines)(larger), made(matrix))


@given(seed=st.integers(0, 100), shared=st.integers(0, 5), width=st.integers(0, 4))
def test_lines_that_are_equal_in_all_columns_are_compared_once(seed, shared, width):
    made = random_trees(seed)
    matrix = np.random.default_rng(seed).normal(size=(5, width)).astype(np.float32)
    matrix[shared:] = matrix[shared:, :1]
    assert np.array_equal(made.with_lines(np.arange(5), shared)(matrix), made(matrix))


def test_many_columns_are_evaluated_in_parts():
    made = random_trees(4)
    matrix = np.random.default_rng(4).normal(size=(5, 2_500)).astype(np.float32)
    parts = [made(matrix[:, at : at + 100]) for at in range(0, 2_500, 100)]
    assert np.array_equal(made(matrix), np.concatenate(parts, axis=1))


def test_probabilities_by_hand():
    assert sigmoid(np.array([0.0, math.log(3)])).tolist() == pytest.approx([0.5, 0.75])
    two_pages = np.array([[0.0, 1_000.0], [math.log(3), 0.0]])
    assert softmax(two_pages).T.tolist() == [pytest.approx([0.25, 0.75]), pytest.approx([1, 0])]


# --- files ---------------------------------------------------------------------------------------


def written(path: Path, **changed: object) -> str:
    """A model file of trees, with some of its arrays changed; None leaves one out."""
    arrays = {**random_trees(1).arrays("block"), **changed}
    kept = {name: array for name, array in arrays.items() if array is not None}
    path.write_bytes(to_bytes("default", kept))  # type: ignore[arg-type]
    return str(path)


def test_trees_come_back_from_a_file(tmp_path):
    made = random_trees(1)
    read = SymmetricTrees.of(load("default", written(tmp_path / "m.npz")), "block", 5, 2)
    matrix = np.random.default_rng(2).normal(size=(5, 30)).astype(np.float32)
    assert np.array_equal(read.feature, made.feature)
    assert np.array_equal(read.border, made.border)
    np.testing.assert_allclose(read(matrix), made(matrix), atol=0.02)  # leaves are kept in 16 bits


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"block_feature": None}, "it lacks an array 'block_feature' of integers"),
        ({"block_feature": np.full((3, 7), 5, np.uint16)}, "features that are not known"),
        ({"block_feature": np.zeros((9, 7), np.uint16)}, "features that are not known"),
        ({"block_feature": np.zeros(7, np.uint16)}, r"'block_feature' has the shape \(7,\)"),
        ({"block_border": np.zeros((3, 6), np.float32)}, r"'block_border' has the shape \(3, 6\)"),
        ({"block_border": np.full((3, 7), np.nan)}, "'block_border' has infinite numbers or NaN"),
        ({"block_value": np.zeros((1, 7, 8), np.float16)}, "'block_value' has the shape"),
        ({"block_value": np.zeros((2, 7, 4), np.float16)}, "'block_value' has the shape"),
        ({"block_bias": np.zeros(2, np.int32)}, "it lacks an array 'block_bias' of floats"),
    ],
)
def test_a_damaged_file_is_refused(tmp_path, changed, message):
    model = load("default", written(tmp_path / "m.npz", **changed))
    with pytest.raises(InputError, match=message):
        SymmetricTrees.of(model, "block", 5, 2)


def test_negative_features_are_refused(tmp_path):
    path = written(tmp_path / "m.npz", block_feature=np.full((3, 7), -1, np.int16))
    with pytest.raises(InputError, match="features that are not known"):
        SymmetricTrees.of(load("default", path), "block", 5, 2)


def test_trees_can_be_pickled():
    made, matrix = random_trees(3), np.arange(20, dtype=np.float32).reshape(5, 4) % 3
    assert np.array_equal(pickle.loads(pickle.dumps(made))(matrix), made(matrix))
