"""Chains of two labels against all sequences of labels, one by one."""

import math
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher import UsageError
from thresher.methods.common.linear_chain import (
    best_labels,
    best_labels_of_steps,
    probabilities,
    probabilities_of_steps,
)

# Quarters add up exactly, so that ties are ties.
NUMBERS = st.integers(-12, 12).map(lambda number: number / 4)
SCORES = st.lists(NUMBERS, max_size=9)
TRANSITIONS = st.lists(NUMBERS, min_size=4, max_size=4).map(lambda m: [m[:2], m[2:]])


def all_scores(scores, transitions):
    """The score of every sequence of labels."""
    return {
        labels: sum(s for s, label in zip(scores, labels, strict=True) if label)
        + sum(transitions[a][b] for a, b in pairwise(labels))
        for labels in product((0, 1), repeat=len(scores))
    }


@given(SCORES, TRANSITIONS)
def test_the_best_labels_are_those_of_the_largest_score(scores, transitions):
    known = all_scores(scores, transitions)
    best = [labels for labels, score in known.items() if score == max(known.values())]
    # An item is 1 when that is so in every best sequence.
    assert best_labels(scores, transitions).tolist() == [
        all(column) for column in zip(*best, strict=True)
    ]


@given(SCORES, TRANSITIONS)
def test_probabilities_are_sums_over_all_sequences(scores, transitions):
    weight = {y: math.exp(score) for y, score in all_scores(scores, transitions).items()}
    total = sum(weight.values())
    expected = [
        sum(w for labels, w in weight.items() if labels[item]) / total
        for item in range(len(scores))
    ]
    assert probabilities(scores, transitions).tolist() == pytest.approx(expected)


STEPS = st.lists(st.lists(NUMBERS, min_size=4, max_size=4), max_size=8)


@given(STEPS)
def test_steps_that_differ_from_item_to_item(matrices):
    known = {
        labels: sum(m[2 * a + b] for m, a, b in zip(matrices, (0, *labels), labels, strict=False))
        for labels in product((0, 1), repeat=len(matrices))
    }
    steps = np.array(matrices).reshape(-1, 2, 2).transpose(1, 2, 0)
    best = [labels for labels, score in known.items() if score == max(known.values())]
    assert best_labels_of_steps(steps).tolist() == [all(c) for c in zip(*best, strict=True)]
    total = sum(map(math.exp, known.values()))
    assert probabilities_of_steps(steps).tolist() == pytest.approx(
        [
            sum(math.exp(score) for labels, score in known.items() if labels[item]) / total
            for item in range(len(matrices))
        ]
    )


def slow_viterbi(scores, transitions):
    """The textbook's loop over items, with back pointers."""
    value, back = [0.0, scores[0]], []
    for score in scores[1:]:
        came = [max((0, 1), key=lambda i, j=j: value[i] + transitions[i][j]) for j in (0, 1)]
        value = [value[i] + transitions[i][j] + j * score for j, i in enumerate(came)]
        back.append(came)
    labels = [int(value[1] > value[0])]
    for came in reversed(back):
        labels.append(came[labels[-1]])
    return labels[::-1]


def test_a_long_chain_is_labelled_as_by_the_loop():
    random = np.random.default_rng(5)
    scores, transitions = random.normal(size=3_001) * 2, random.normal(size=(2, 2))
    expected = slow_viterbi(scores.tolist(), transitions.tolist())
    assert best_labels(scores, transitions).tolist() == [bool(label) for label in expected]


def test_by_hand():
    # A pair of equal labels is worth 1: (1 1 1) gives 2 - 1 + 2 + 1 + 1 = 5, (1 0 1) only 4.
    assert best_labels([2, -1, 2], [[1, 0], [0, 1]]).tolist() == [True, True, True]
    assert best_labels([2, -1, 2], [[0, 0], [0, 0]]).tolist() == [True, False, True]
    # Without transitions every item is a coin of its own: 1 / (1 + exp(-s)).
    alone = probabilities([0, math.log(3)], [[0, 0], [0, 0]])
    assert alone.tolist() == pytest.approx([0.5, 0.75])
    # Equal neighbours weigh 2, the first item 3: (1 1) 6, (1 0) 3, (0 1) 1, (0 0) 2, in all 12.
    both = probabilities([math.log(3), 0], [[math.log(2), 0], [0, math.log(2)]])
    assert both.tolist() == pytest.approx([9 / 12, 7 / 12])


def test_scores_that_exp_cannot_hold():
    labels = probabilities([5_000, -5_000, 0.0], [[900, 0], [0, 900]])
    assert np.isfinite(labels).all()
    assert labels[0] == 1.0


def test_wrong_shapes_are_refused():
    for scores, transitions in (([[1.0]], np.zeros((2, 2))), ([1.0], np.zeros((3, 2)))):
        with pytest.raises(UsageError, match="2 x 2 transitions"):
            best_labels(scores, transitions)
    with pytest.raises(UsageError, match="2 x 2 x items"):
        best_labels_of_steps(np.zeros((2, 3, 4)))
