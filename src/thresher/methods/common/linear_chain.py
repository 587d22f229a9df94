"""Linear chains of two labels: the best labels of a sequence, and the probability of each.

Item t of a chain has a score s[t] for the label 1 (label 0 has 0), and a pair of neighbours has a
score m[i, j] for the labels i then j. The score of labels y is the sum of s[t] * y[t] and of
m[y[t-1], y[t]]; their probability is proportional to its exponential (Lafferty, McCallum, Pereira
2001, "Conditional random fields").

With matrices M[t][i, j] = m[i, j] + s[t] * j, the scores of all ways to reach item t are a matrix
product M[0] M[1] ... M[t] in which times is + and plus is the larger (best labels, Viterbi) or the
logarithm of the sum of exponentials (probabilities, forward and backward). That product is
associative, so all prefixes are had by pairing neighbours, then pairs, and so on: linear work in
log2(n) array steps instead of n (Ladner, Fischer 1980, "Parallel prefix computation").
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from thresher.errors import UsageError
from thresher.page.array_types import Bools, Floats


def best_labels(scores: npt.ArrayLike, transitions: npt.ArrayLike) -> Bools:
    """Return the labels of the largest score; an item for which both do as well is False."""
    through = _through(scores, transitions, np.maximum)
    best: Bools = through[1] > through[0]
    return best


def probabilities(scores: npt.ArrayLike, transitions: npt.ArrayLike) -> Floats:
    """Return the probability that an item's label is 1, over all labels of the others."""
    through = _through(scores, transitions, np.logaddexp)
    found: Floats = np.exp(through[1] - np.logaddexp(through[0], through[1]))
    return found


def _through(scores: npt.ArrayLike, transitions: npt.ArrayLike, plus: np.ufunc) -> Floats:
    """Return for each label and item the sum (in the sense of `plus`) over all labels through it.

    Forward: what comes before an item and the item itself. Backward: what comes after it.
    """
    score, between = np.asarray(scores, np.float64), np.asarray(transitions, np.float64)
    if score.ndim != 1 or between.shape != (2, 2):
        raise UsageError("a chain needs one score per item and 2 x 2 transitions")
    size = len(score)
    if size == 0:
        return np.zeros((2, 0))
    step = np.zeros((2, 2, size))
    step[:, 1] = score
    step[:, :, 1:] += between[:, :, np.newaxis]  # nothing comes before the first item
    forward = _prefix_products(step, plus)[0]
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
    found = levels.pop()
    while levels:
        step = levels.pop()
        prefix = np.empty_like(step)
        prefix[:, :, 0] = step[:, :, 0]
        prefix[:, :, 1::2] = found
        after = step[:, :, 2::2]
        prefix[:, :, 2::2] = _product(found[:, :, : after.shape[2]], after, plus)
        found = prefix
    return found


def _product(left: Floats, right: Floats, plus: np.ufunc) -> Floats:
    """Multiply matrices pair by pair: [i, j] is the sum over k of left[i, k] times right[k, j]."""
    product: Floats = plus.reduce(left[:, :, np.newaxis] + right[np.newaxis], axis=1)
    return product
