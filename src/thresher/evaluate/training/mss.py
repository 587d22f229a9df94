"""Training of MSS: naive Bayes from counts.

The weight of a value is ln P(value | content) / P(value | other). The counts are smoothed with
`_ALPHA` tokens for each value, divided by the priors, so that a value never seen has weight 0. All
pages have the same total weight, however long they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.evaluate.corpora import GoldPage
from thresher.evaluate.training.trainer import Learned
from thresher.methods.mss import BITS, UNKNOWN, features
from thresher.page import Page
from thresher.page.array_types import Bools, Floats, UInt16s
from thresher.page.tags import NAMES

_ALPHA = 10.0  # tokens; swept on half of wcxb-dev and fundus: 0.1, 1, 10
_PAGE = 1_000.0  # tokens that each page counts as
_PLACES = 1 << BITS


class _Sample(NamedTuple):
    """The features and labels of the tokens of a page."""

    place: UInt16s  # shape (3, tokens)
    parent: UInt16s
    content: Bools


def token_labels(is_word: Bools, word_is_content: Bools) -> Bools:
    """Return one bool per token: True if it is content.

    A tag is content if the nearest words on both sides are.
    """
    content = np.zeros(len(is_word) + 1, np.bool_)
    content[:-1][is_word] = word_is_content
    place = np.arange(len(is_word))
    before = np.maximum.accumulate(np.where(is_word, place, -1))  # -1 reads the last: False
    after = np.minimum.accumulate(np.where(is_word, place, len(is_word))[::-1])[::-1]
    labels: Bools = content[before] & content[after]
    return labels


class MSSTrainer:
    """Counts the tokens inside and outside of content."""

    def sample(self, page: Page, content: Bools, gold: GoldPage) -> _Sample:  # noqa: ARG002
        """Label the tokens of a page."""
        seen = features(page)
        in_content = np.zeros(len(page), np.bool_)
        in_content[page.text_rows] = content
        labels = token_labels(seen.is_word, in_content[seen.row[seen.is_word]])
        return _Sample(seen.place.astype(np.uint16), seen.parent.astype(np.uint16), labels)

    def fit(self, samples: Sequence[_Sample], seed: int) -> Learned:
        """Turn counts into weights; `seed` has no effect, since nothing is random."""
        del seed
        token = np.zeros((2, 3, _PLACES))
        parent = np.zeros((2, UNKNOWN + 1))
        for place, tag, content in samples:
            weight = _PAGE / max(len(content), 1)
            for label in (0, 1):
                chosen = content == bool(label)
                parent[label] += weight * np.bincount(tag[chosen], minlength=UNKNOWN + 1)
                for step in range(3):
                    count = np.bincount(place[step, chosen], minlength=_PLACES)
                    token[label, step] += weight * count
        total = parent.sum(axis=1)
        prior = np.log((total[1] + 1) / (total[0] + 1))
        arrays: dict[str, npt.NDArray[np.generic]] = {
            "prior": np.array([prior], np.float32),
            "token": log_odds(token, total).astype(np.float16),
            "parent": log_odds(parent, total).astype(np.float16),
        }
        return Learned(arrays, {"tags": [*NAMES, "?"]})


def log_odds(counts: Floats, total: Floats) -> Floats:
    """Return ln P(value | content) / P(value | other) of smoothed counts.

    `counts` has one row for other tokens and one for content, `total` their sums. `_ALPHA` tokens
    are added to each value, with the share of content among all tokens.
    """
    share = (total + 1) / (total + 1).sum()
    extra = _ALPHA * share.reshape(2, *[1] * (counts.ndim - 1))
    smooth = np.log((counts + extra) / share.reshape(extra.shape))
    found: Floats = smooth[1] - smooth[0]
    return found
