"""Linear chains of two labels: the best labels of a sequence, and the probability of each label.

Item t of a chain has a score s[t] for the label 1 (label 0 has 0), and a pair of neighbours has a
score m[i, j] for the labels i then j. The score of labels y is the sum of s[t] * y[t] and of
m[y[t-1], y[t]]; their probability is proportional to its exponential (Lafferty, McCallum, Pereira
2001, "Conditional random fields").

With matrices `M[t][i, j] = m[i, j] + s[t] * j`, the scores of all ways to reach item t are a matrix
product M[0] M[1] ... M[t] in which times is + and plus is the larger (best labels, Viterbi) or the
logarithm of the sum of exponentials (probabilities, forward and backward). That product is
associative, so all prefixes are computed by combining neighbours, then pairs, and so on: linear
work in log2(n) array steps instead of n (Ladner, Fischer 1980, "Parallel prefix computation").

A Markov chain is the same with matrices that differ from item to item (`best_labels_of_steps`,
`probabilities_of_steps`): `M[t][i, j]` is then the logarithm of the probability of j after i.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from thresher.errors import UsageError
from thresher.page.array_types import Bools, Floats


def best_labels(scores: npt.ArrayLike, transitions: npt.ArrayLike) -> Bools:
    """Return the labels of the largest score, one bool per item; False where both are equal."""
    return best_labels_of_steps(_steps(scores, transitions))


def probabilities(scores: npt.ArrayLike, transitions: npt.ArrayLike) -> Floats:
    """Return the probability that each item's label is 1, over all labels of the others."""
    return probabilities_of_steps(_steps(scores, transitions))


def best_labels_of_steps(steps: npt.ArrayLike) -> Bools:
    """Return the labels of the largest sum of steps, one bool per item; False where both are equal.

    `steps[i, j, t]` is the score of label j at item t after label i. The label before the first
    item is 0.
    """
    through = _through(steps, np.maximum)
    best: Bools = through[1] > through[0]
    return best


def probabilities_of_steps(steps: npt.ArrayLike) -> Floats:
    """Return the probability that each item's label is 1, over all labels of the others.

    The probability of labels is proportional to the exponential of the sum of their steps.
    """
    through = _through(steps, np.logaddexp)
    probability: Floats = np.exp(through[1] - np.logaddexp(through[0], through[1]))
    return probability


def _steps(scores: npt.ArrayLike, transitions: npt.ArrayLike) -> Floats:
    """Return the matrices M, shape (2, 2, items)."""
    score, between = np.asarray(scores, np.float64), np.asarray(transitions, np.float64)
    if score.ndim != 1 or between.shape != (2, 2):
        raise UsageError(
            "the chain has the wrong shape: give one score per item, 2 x 2 transitions."
        )
    steps = np.zeros((2, 2, len(score)))
    steps[:, 1] = score
    steps[:, :, 1:] += between[:, :, np.newaxis]  # the first item has no transition
    return steps


def _through(steps: npt.ArrayLike, plus: np.ufunc) -> Floats:
    """Return the sum (by `plus`) over all sequences with a label at an item, shape (2, items).

    It is the sum of a forward part, up to and with the item, and a backward part after it.
    """
    step = np.asarray(steps, np.float64)
    if step.ndim != 3 or step.shape[:2] != (2, 2):
        raise UsageError("the chain has the wrong shape: give steps of the shape 2 x 2 x items.")
    size = step.shape[2]
    if size == 0:
        return np.zeros((2, 0))
    forward = _prefix_products(step, plus)[0]  # the label before the first item is 0
    backward = np.zeros((2, size))
    if size > 1:
        reverse = step[:, :, :0:-1].swapaxes(0, 1)
        suffix = _prefix_products(reverse, plus)[:, :, ::-1]  # transposed: [label after, label]
        backward[:, :-1] = plus.reduce(suffix, axis=0)
    total: Floats = forward + backward
    return total


def _prefix_products(step: Floats, plus: np.ufunc) -> Floats:
    """Return the products of the first 1, 2, ... n matrices; `step` has the shape (2, 2, n)."""
    levels = [step]
    while levels[-1].shape[2] > 1:
        whole = levels[-1][:, :, : levels[-1].shape[2] // 2 * 2]
        levels.append(_product(whole[:, :, ::2], whole[:, :, 1::2], plus))
    products = levels.pop()
    for level in reversed(levels):
        prefix = np.empty_like(level)
        prefix[:, :, 0] = level[:, :, 0]
        prefix[:, :, 1::2] = products
        after = level[:, :, 2::2]
        prefix[:, :, 2::2] = _product(products[:, :, : after.shape[2]], after, plus)
        products = prefix
    return products


def _product(left: Floats, right: Floats, plus: np.ufunc) -> Floats:
    """Return products of pairs: [i, j] is the sum by `plus` over k of left[i, k] + right[k, j]."""
    product: Floats = plus.reduce(left[:, :, np.newaxis] + right[np.newaxis], axis=1)
    return product
