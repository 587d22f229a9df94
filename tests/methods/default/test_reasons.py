"""Reasons: the contributions of features sum up to the log-odds, and are written in words."""

from __future__ import annotations

import numpy as np
import pytest

import thresher
from thresher import parse
from thresher.methods.default.features import NAMES
from thresher.methods.default.judge import load_judge
from thresher.methods.default.reasons import (
    Reason,
    block_reasons,
    contributions,
    mean_contributions,
)
from thresher.methods.model.boosted_trees import SymmetricTrees

# One tree: is feature 0 above 1 (bit 0)? is feature 1 above 2 (bit 1)?
TREE = SymmetricTrees(
    feature=np.array([[0], [1]], np.int32),
    border=np.array([[1.0], [2.0]], np.float32),
    value=np.array([[[0.0, 4.0, 8.0, 20.0]]], np.float32),
    bias=np.array([0.5]),
)


def test_a_tree_by_hand():
    # All leaves: mean 8. Feature 0 above 1 leaves 4 and 20: mean 12, so it adds 4. Feature 1 above
    # 2 then leaves 20, so it adds 8. Below both: 0 and 8, mean 4, adds -4; then 0, adds -4.
    matrix = np.array([[2.0, 0.0, 2.0], [3.0, 0.0, 0.0]], np.float32)
    assert contributions(TREE, matrix).tolist() == [[4.0, -4.0, 4.0], [8.0, -4.0, -8.0]]


def test_one_feature_may_be_asked_twice():
    twice = SymmetricTrees(np.zeros((2, 1), np.int32), TREE.border, TREE.value, TREE.bias)
    assert contributions(twice, np.array([[3.0]], np.float32)).tolist() == [[12.0]]


def random_trees(seed: int) -> SymmetricTrees:
    random = np.random.default_rng(seed)
    return SymmetricTrees(
        random.integers(0, 5, (6, 9)).astype(np.int32),
        random.normal(size=(6, 9)).astype(np.float32),
        random.normal(size=(1, 9, 64)).astype(np.float32),
        np.array([0.3]),
    )


@pytest.mark.parametrize("seed", range(5))
def test_the_sum_is_the_log_odds(seed):
    trees = random_trees(seed)
    matrix = np.random.default_rng(seed + 100).normal(size=(5, 12)).astype(np.float32)
    base = trees.value[0].mean(axis=1).sum() + trees.bias[0]
    whole = contributions(trees, matrix).sum(axis=0) + base
    assert np.allclose(whole, trees(matrix)[0], atol=1e-4)


def test_words():
    assert str(Reason("in_nav", 1.0, -0.5)) == "stands in nav: yes (-0.50)"
    assert str(Reason("in_nav", 0.0, 0.25)) == "stands in nav: no (+0.25)"
    assert str(Reason("words", 1234.0, 0.5)) == "words: 1.23e+03 (+0.50)"


def test_the_strongest_come_first_and_sum_up_over_the_page():
    page = parse("<nav><a href=/>Home</a></nav>" + "<p>" + "Warm the pot. " * 9 + "<footer>x")
    judge = load_judge()
    judgement = judge(page)
    mean = mean_contributions(judge, judgement)
    every = block_reasons(judge, judgement, np.arange(3), mean, most=1_000)
    for found in every:
        weights = [abs(reason.weight) for reason in found]
        assert weights == sorted(weights, reverse=True)
        assert len({reason.feature for reason in found}) == len(found)
    # What sets blocks apart from their mean cancels out, but for what is too small to be told.
    total = sum(reason.weight for found in every for reason in found)
    assert abs(total) < 0.005 * 3 * len(NAMES)
    assert block_reasons(judge, judgement, np.array([0]), mean, most=2) == [every[0][:2]]


def test_the_strongest_of_many_blocks():
    page = parse("<ul>" + "<li>Tea <b>or</b> water" * 700 + "</ul><p>" + "Warm the pot. " * 9)
    judge = load_judge()
    judgement = judge(page)
    mean = mean_contributions(judge, judgement)
    found = block_reasons(judge, judgement, np.arange(701), mean)
    for block in (0, 299, 300, 650, 700):
        (alone,) = block_reasons(judge, judgement, np.array([block]), mean)
        assert [reason.feature for reason in found[block]] == [reason.feature for reason in alone]


def test_the_features_of_very_many_blocks_are_computed_again(monkeypatch):
    page = parse("<ul>" + "<li>Tea <b>or</b> water" * 20 + "</ul><p>" + "Warm the pot. " * 9)
    judge = load_judge()
    whole = judge(page)
    assert judge.with_all_features(whole) is whole
    monkeypatch.setattr("thresher.methods.default.judge._MOST_KEPT", 1_000)
    judgement = judge(page)
    assert judgement.features.matrix.shape[1] == 1
    assert judgement.keep().tolist() == whole.keep().tolist()
    again = judge.with_all_features(judgement)
    assert np.array_equal(again.features.matrix, whole.features.matrix)
    mean = mean_contributions(judge, again)
    assert np.array_equal(mean, mean_contributions(judge, whole))
    document = thresher.extract(page)
    assert (
        document.blocks[0].reasons
        == (block_reasons(judge, whole, np.array([document.blocks[0].number]), mean)[0])
    )


def test_a_block_alone_has_nothing_to_differ_from():
    judge = load_judge()
    judgement = judge(parse("<p>Warm the pot."))
    mean = mean_contributions(judge, judgement)
    assert block_reasons(judge, judgement, np.array([0]), mean) == [[]]
