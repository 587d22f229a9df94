"""Training of CRF, MaxEnt and MEMM: the same features of blocks, with and without other labels.

MaxEnt is logistic regression (scikit-learn, L-BFGS). A block has the weight of the square root of
its words, and all pages have the same total weight, so that long pages do not decide alone.

MEMM is two such regressions: one on the blocks after a block of content, one on the others and the
first block of each page. In training the label of the block before is the true one.

CRF is trained by CRFsuite (L-BFGS), which has no weights: of each page it gets one run of at most
`_STRETCH` consecutive blocks, at a random place.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.evaluate.corpora import GoldPage
from thresher.evaluate.training.trainer import Learned, need
from thresher.methods.crf import FEATURES, features
from thresher.page import Page
from thresher.page.array_types import Bools, Floats, Int32s, UInt16s

_STRETCH = 60  # blocks; swept on a fifth of wcxb-dev and fundus: 60, 100, all
_SIZE = sum(FEATURES.values())
_FIRST = np.cumsum([0, *FEATURES.values()])[:-1]


class _Sample(NamedTuple):
    """The features, labels and words of the blocks of a page."""

    value: UInt16s  # number of the weight, shape (blocks, features)
    content: Bools
    words: Int32s


class _BlockTrainer:
    """Takes the samples of both methods."""

    def sample(self, page: Page, content: Bools, gold: GoldPage) -> _Sample:  # noqa: ARG002
        """Label the blocks of a page: a block is content if its texts are."""
        found = features(page)
        blocks = page.blocks
        in_content = np.zeros(len(blocks) + 1, np.bool_)
        in_content[blocks.of_text[content]] = True
        value = (found.value + _FIRST[:, np.newaxis]).T.astype(np.uint16)
        return _Sample(value, in_content[found.block], blocks.words[found.block])


def _learned(weight: npt.ArrayLike, bias: float, transitions: npt.ArrayLike) -> Learned:
    arrays = {
        "weight": np.asarray(weight, np.float32),
        "bias": np.array([bias], np.float32),
        "transitions": np.asarray(transitions, np.float32),
    }
    return Learned(arrays, {"features": FEATURES})


class MaxEntTrainer(_BlockTrainer):
    """Logistic regression on single blocks."""

    def fit(self, samples: Sequence[_Sample], seed: int) -> Learned:
        """Find the weights; `seed` has no effect, since nothing is random."""
        del seed
        weight, bias = _regression(_table(samples))
        return _learned(weight, bias, np.zeros((2, 2)))


class MEMMTrainer(_BlockTrainer):
    """Two logistic regressions: on the blocks after other text, and on those after content."""

    def fit(self, samples: Sequence[_Sample], seed: int) -> Learned:
        """Find the weights for either label before; `seed` has no effect."""
        del seed
        table = _table(samples)
        found = [_regression(table.only(table.follows_content == label)) for label in (False, True)]
        arrays = {
            "weight": np.array([weight for weight, _ in found], np.float32),
            "bias": np.array([bias for _, bias in found], np.float32),
        }
        return Learned(arrays, {"features": FEATURES})


class _Table(NamedTuple):
    """The blocks of all pages, one after the other."""

    value: UInt16s  # number of the weight, shape (blocks, features)
    content: Bools
    follows_content: Bools  # whether the block before, on the same page, is content
    weight: Floats

    def only(self, chosen: Bools) -> _Table:
        """Return the table of some of the blocks."""
        return _Table(
            self.value[chosen],
            self.content[chosen],
            self.follows_content[chosen],
            self.weight[chosen],
        )


def _table(samples: Sequence[_Sample]) -> _Table:
    roots = [np.sqrt(sample.words + 1.0) for sample in samples]
    return _Table(
        value=np.concatenate([sample.value for sample in samples]),
        content=np.concatenate([sample.content for sample in samples]),
        follows_content=np.concatenate([np.append(False, s.content)[:-1] for s in samples]),
        weight=np.concatenate([100 * root / max(root.sum(), 1.0) for root in roots]),
    )


def _regression(table: _Table) -> tuple[Floats, float]:
    """Return the weights and the bias of a logistic regression."""
    linear_model, sparse = need("sklearn.linear_model"), need("scipy.sparse")
    if len(set(table.content.tolist())) < 2:  # one class alone
        return np.zeros(_SIZE), 1.0 if table.content.any() else -1.0
    count, width = table.value.shape
    matrix = sparse.csr_matrix(
        (np.ones(count * width), table.value.ravel(), np.arange(0, count * width + 1, width)),
        shape=(count, _SIZE),
    )
    found = linear_model.LogisticRegression(max_iter=200).fit(matrix, table.content, table.weight)
    return found.coef_[0], float(found.intercept_[0])


class CRFTrainer(_BlockTrainer):
    """A conditional random field on runs of blocks."""

    def fit(self, samples: Sequence[_Sample], seed: int) -> Learned:
        """Find the weights of values and of pairs of labels."""
        crfsuite = need("pycrfsuite")
        options = {"c2": 1.0, "max_iterations": 60, "feature.possible_transitions": True}
        trainer = crfsuite.Trainer(algorithm="lbfgs", params=options, verbose=False)
        random = np.random.default_rng(seed)
        names = [str(number) for number in range(_SIZE)]
        for sample in samples:
            last = max(len(sample.content) - _STRETCH, 0)
            begin = int(random.integers(0, last + 1))
            stretch = slice(begin, begin + _STRETCH)
            value, content = sample.value[stretch].tolist(), sample.content[stretch].tolist()
            if value:
                trainer.append(
                    [[names[v] for v in row] for row in value], [_LABEL[c] for c in content]
                )
        with tempfile.TemporaryDirectory() as folder:
            place = str(Path(folder) / "model")
            trainer.train(place)
            return _of_crfsuite(crfsuite.Tagger(), place)


_LABEL = ("other", "content")


def _of_crfsuite(tagger: Any, place: str) -> Learned:
    """Read the weights from CRFsuite's file: that of content minus that of the other label."""
    weight = np.zeros(_SIZE)
    with tagger.open(place):
        about = tagger.info()
    for (name, label), given in about.state_features.items():
        weight[int(name)] += given if label == _LABEL[1] else -given
    transitions = [[about.transitions.get((i, j), 0.0) for j in _LABEL] for i in _LABEL]
    return _learned(weight, 0.0, transitions)
