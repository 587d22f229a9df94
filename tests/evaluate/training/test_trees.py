"""Trees as arrays against CatBoost's own predictions, against sums and against means."""

import numpy as np

from tests.methods.model.test_boosted_trees import random_trees
from thresher.evaluate.training.trainer import need
from thresher.evaluate.training.trees import catboost_trees, join_trees, mean_trees, tree_arrays


def test_trees_give_catboosts_predictions():
    catboost = need("catboost")
    rng = np.random.default_rng(5)
    table = rng.normal(size=(400, 9)).astype(np.float32)
    label = table[:, 2] + table[:, 7] * table[:, 1] > 0.3
    model = catboost.CatBoostClassifier(
        iterations=25, depth=4, verbose=0, allow_writing_files=False, random_seed=0
    )
    model.fit(table, label)
    found = catboost_trees(model, 1)(table.T)[0]
    expected = model.predict(table, prediction_type="RawFormulaVal")
    np.testing.assert_allclose(found, expected, atol=1e-5)


def test_trees_of_classes_give_catboosts_predictions():
    catboost = need("catboost")
    rng = np.random.default_rng(6)
    table = rng.normal(size=(300, 6)).astype(np.float32)
    label = (table[:, 0] > 0).astype(int) + (table[:, 3] > 0.5)
    model = catboost.CatBoostClassifier(
        iterations=15, depth=3, loss_function="MultiClass", verbose=0, allow_writing_files=False
    )
    model.fit(table, label)
    found = catboost_trees(model, 3)(table.T)
    expected = model.predict(table, prediction_type="RawFormulaVal").T
    np.testing.assert_allclose(found, expected, atol=1e-5)


def test_joined_trees_add_up():
    parts = [
        random_trees(1, features=3, depth=2, classes=1).with_lines(np.array([4, 7, 9])),
        random_trees(2, features=2, depth=4, classes=1).with_lines(np.array([0, 7])),
        random_trees(3, features=1, depth=1, trees=2, classes=1).with_lines(np.array([9])),
    ]
    matrix = np.random.default_rng(3).normal(size=(10, 50)).astype(np.float32)
    expected = sum(trees(matrix) for trees in parts)
    joined = join_trees(parts)
    np.testing.assert_allclose(joined(matrix), expected)
    assert tree_arrays(joined, "block", "used")["used"].tolist() == [0, 4, 7, 9]


def test_the_mean_of_trees_has_the_mean_log_odds():
    members = [
        random_trees(1, features=3, depth=2, trees=4, classes=2),
        random_trees(2, features=3, depth=3, trees=2, classes=2),
        random_trees(3, features=3, depth=2, trees=5, classes=2),
    ]
    matrix = np.random.default_rng(4).normal(size=(3, 50)).astype(np.float32)
    found = mean_trees(members)
    np.testing.assert_allclose(
        found(matrix), np.mean([trees(matrix) for trees in members], axis=0), atol=1e-6
    )


def test_the_first_trees_of_the_mean_are_those_of_all_members():
    members = [random_trees(n, features=3, depth=2, trees=3, classes=1) for n in (1, 2)]
    matrix = np.random.default_rng(5).normal(size=(3, 20)).astype(np.float32)
    first = mean_trees(members).split(2)[0]
    expected = np.mean([trees.split(1)[0](matrix) for trees in members], axis=0)
    np.testing.assert_allclose(first(matrix), expected, atol=1e-6)
