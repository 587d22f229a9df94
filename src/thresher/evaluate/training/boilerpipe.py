"""Training of boilerpipe: a decision tree and a linear support vector machine on the same features.

The tree is CART with entropy (scikit-learn) in place of the paper's C4.8: binary splits at
thresholds. Instead of being pruned by estimated errors, it has at most `_LEAVES` leaves, each with
at least a share `_LEAF` of the weight, so that it can be read. The machine is scikit-learn's
LinearSVC (squared hinge loss) on features that are scaled to variance 1; the scales are put into
its weights.

A block has the weight of the square root of its words, and all pages have the same total weight.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from thresher.evaluate.corpora import GoldPage
from thresher.evaluate.training.trainer import Learned, need
from thresher.methods.boilerpipe import CLASSIFIER_FEATURES, classifier_features, features
from thresher.page import Page
from thresher.page.array_types import Bools, Float32s, Floats, Int32s

# Swept on 689 pages of wcxb-dev and fundus: 8, 16, 24, 40 and 100 leaves; 40 gained 0.002 on 24.
_LEAVES, _LEAF = 24, 0.002
_DIGITS = 6  # of the numbers in the model file


class _Sample(NamedTuple):
    """The features, labels and words of the blocks of a page."""

    value: Float32s  # shape (blocks, features)
    content: Bools
    words: Int32s


class BoilerpipeTrainer:
    """A decision tree and a linear support vector machine."""

    def sample(self, page: Page, content: Bools, gold: GoldPage) -> _Sample:  # noqa: ARG002
        """Label the blocks of a page: a block is content if its texts are."""
        found = features(page)
        in_content = np.zeros(len(found) + 1, np.bool_)  # the last is for -1: in no block
        in_content[found.blocks.of_text[content]] = True
        value = np.stack(list(classifier_features(found).values()), axis=1).astype(np.float32)
        return _Sample(value, in_content[:-1], found.words)

    def fit(self, samples: Sequence[_Sample], seed: int) -> Learned:
        """Find the tree and the weights; `seed` decides between equal splits of the tree."""
        value = np.concatenate([sample.value for sample in samples])
        content = np.concatenate([sample.content for sample in samples])
        roots = [np.sqrt(sample.words + 1.0) for sample in samples]
        weight = np.concatenate([root / max(root.sum(), 1.0) for root in roots])
        return Learned(
            {},
            {
                "tree": _tree(value, content, weight, seed),
                "svm": support_vector_machine(value, content, weight),
            },
        )


def _tree(value: Float32s, content: Bools, weight: Floats, seed: int) -> dict[str, Any]:
    """Return a decision tree as nested splits."""
    tree = need("sklearn.tree").DecisionTreeClassifier(
        criterion="entropy", max_leaf_nodes=_LEAVES, min_weight_fraction_leaf=_LEAF,
        random_state=seed,
    )  # fmt: skip
    found = tree.fit(value, content, weight)
    return nested_tree(found.tree_, bool(found.classes_[-1]))


def nested_tree(tree: Any, last_is_content: bool) -> dict[str, Any]:
    """Return scikit-learn's tree as splits inside of splits, with numbers of few digits."""
    nodes: list[dict[str, Any]] = [{} for _ in tree.children_left]
    for number, node in enumerate(nodes):
        share = tree.value[number][0]
        if tree.children_left[number] >= 0:
            node["feature"] = CLASSIFIER_FEATURES[tree.feature[number]]
            node["at most"] = _rounded(tree.threshold[number])
            node["then"] = nodes[tree.children_left[number]]
            node["else"] = nodes[tree.children_right[number]]
        else:
            content = share[-1] / share.sum() if last_is_content else 0.0
            node["content"] = round(float(content), 3)
    return nodes[0]


def support_vector_machine(value: Float32s, content: Bools, weight: Floats) -> dict[str, Any]:
    """Return the bias and the weight of each feature."""
    if len(set(content.tolist())) < 2:  # one class alone
        return {
            "bias": 1.0 if content.any() else -1.0,
            "weights": dict.fromkeys(CLASSIFIER_FEATURES, 0.0),
        }
    mean, scale = value.mean(axis=0, dtype=np.float64), value.std(axis=0, dtype=np.float64)
    scale = np.where(scale > 0, scale, 1.0)
    machine = need("sklearn.svm").LinearSVC(dual=False)
    machine.fit((value - mean) / scale, content, weight * (len(weight) / weight.sum()))
    weights = machine.coef_[0] / scale
    return {
        "bias": _rounded(machine.intercept_[0] - weights @ mean),
        "weights": dict(zip(CLASSIFIER_FEATURES, map(_rounded, weights.tolist()), strict=True)),
    }


def _rounded(number: float) -> float:
    return float(f"{number:.{_DIGITS}g}")
