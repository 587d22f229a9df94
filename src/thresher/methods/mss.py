"""MSS: maximum subsequence segmentation (Pasternack, Roth 2009; thesis 3.3.1.4).

The page without scripts and styles is a list of tags, words and numbers t_1 .. t_n; words are
stemmed, numbers become "1". A naive Bayes classifier, trained on pages whose content is known,
gives the probability p_i that token i is content from four features: the token, its two successors,
and its parent's tag:
    ln p_i / (1 - p_i) = prior + a[t_i] + b[t_i+1] + c[t_i+2] + d[parent tag of t_i]
where prior = ln P(content) / P(other) and each weight is ln P(value | content) / P(value | other).
The score of a token is p_i - 0.5, and content is the run with the largest sum,
    (a, b) = argmax over x <= y of sum(score[x..y])                                        (3.5)
Nothing is kept when no sum is above 0.

Departures: The trigram is three features, not one: as one, it is mostly unseen on a new page, and
the scores were lower. A stem is the first 5 letters of a word in lower case instead of Porter's, so
that it serves every language; a number is a word that begins with a digit. Stems are not listed but
hashed into 65,536 places; those that share a place share a weight. Weights are those of
`thresher train mss`, where a tag is content when the words nearest to it on both sides are. All
elements of unknown names count as one. What is hidden is neither counted nor kept. A text is kept
when most of its words are in a run. Content in several parts is lost to one run, so that by default
all maximal runs (Ruzzo, Tompa 1999) are kept whose sum is at least a fifth of the best one's;
`runs="best"` is the paper's rule.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple
from zlib import crc32

import numpy as np

from thresher.errors import UsageError
from thresher.methods.common.headline_bound import bounded
from thresher.methods.common.option_checks import number
from thresher.methods.model.files import Model, load
from thresher.page import Page, Selection
from thresher.page.array_types import Bools, Float32s, Floats, Int32s, UInt32s
from thresher.page.arrays import best_run, maximal_runs
from thresher.page.tags import NAMES
from thresher.page.words import stems

STEM = 5  # letters
BITS = 16  # of a place
UNKNOWN = len(NAMES)  # the number of every name that is not in the tag table


class Features(NamedTuple):
    """The tokens of a page that are not hidden, with what the classifier sees of them."""

    row: Int32s  # of the element, or of the text that holds the word
    is_word: Bools
    place: UInt32s  # of the token, of the next one and of the one after it, shape (3, n)
    parent: Int32s  # number of the parent's tag


def features(page: Page) -> Features:
    """List the tokens of a page; past its end follow tokens of place 0."""
    row, is_word = page.tokens.row, page.tokens.is_word
    highest = np.maximum.accumulate(row)
    starts = np.ones(len(row), np.bool_)
    starts[1:] = row[1:] > highest[:-1]  # an end tag comes after rows inside its element
    shown = (~page.hidden[row]).nonzero()[0]
    row, is_word, starts = row[shown], is_word[shown], starts[shown]
    tag = np.minimum(page.tag[row], UNKNOWN)
    number = _TAG_NUMBERS[starts.astype(np.intp), tag]
    hidden = page.hidden[page.text_rows].tolist()
    texts = ["" if h else t or "" for t, h in zip(page.texts, hidden, strict=True)]
    number[is_word] = stems(texts, STEM)
    place = np.zeros((3, len(row)), np.uint32)
    for step in range(3):
        place[step, : max(len(row) - step, 0)] = _mixed(number[step:]) >> np.uint32(32 - BITS)
    parent = np.minimum(page.tag[np.maximum(page.parent[row], 0)], UNKNOWN).astype(np.int32)
    return Features(row, is_word, place, parent)


def _mixed(number: UInt32s) -> UInt32s:
    """Spread numbers that are alike over all 32 bits (Knuth's multiplicative hash)."""
    mixed: UInt32s = (number ^ (number >> np.uint32(15))) * np.uint32(0x9E3779B1)
    return mixed


def _tag_numbers() -> UInt32s:
    """A number for the end tag and for the start tag of every name, shape (2, names)."""
    names = (*NAMES, "?")
    numbers = [[crc32(f"{mark}{name}".encode()) for name in names] for mark in ("</", "<")]
    return np.array(numbers, np.uint32)


_TAG_NUMBERS = _tag_numbers()


class Weights(NamedTuple):
    """What naive Bayes learned."""

    prior: float
    token: Float32s  # of each place, for the token and its successors: (3, places)
    parent: Float32s  # of each tag

    @classmethod
    def of(cls, model: Model) -> Weights:
        """Take the weights from a file; tags are matched by name, unknown ones weigh 0."""
        tags = model.header.get("tags")
        if not isinstance(tags, list):
            raise model.damaged("its header has no tags")
        given = model.array("parent", "floats", (len(tags),)).astype(np.float32)
        known = {name: float(weight) for name, weight in zip(tags, given, strict=True)}
        parent = [known.get(name, 0.0) for name in (*NAMES, "?")]
        token = model.array("token", "floats", (3, 1 << BITS)).astype(np.float32)
        prior = float(model.array("prior", "floats", (1,))[0])
        return cls(prior, token, np.array(parent, np.float32))

    def probabilities(self, seen: Features) -> Floats:
        """Return p of every token."""
        odds = self.parent.take(seen.parent).astype(np.float64) + self.prior
        for weights, place in zip(self.token, seen.place, strict=True):
            odds += weights.take(place)
        found: Floats = 1 / (1 + np.exp(-np.clip(odds, -_MOST_ODDS, _MOST_ODDS)))
        return found


_MOST_ODDS = 500.0  # beyond it exp() has no number

_weights = lru_cache(maxsize=32)(Weights.of)


@dataclass(frozen=True, slots=True)
class MSS:
    """Keep the run of tokens that look most like content, one by one."""

    model: str = ""  # path of a file that `thresher train mss` wrote; "": the one that ships
    runs: Literal["best", "all"] = "all"  # paper: best; swept on folds of wcxb-dev and fundus
    threshold: float = 0.5  # paper: 0.5
    least_share: float = 0.2  # of the best run's sum, with runs="all"; swept on the same: 0 to 0.4
    headline: str = ""  # of the article, when known: a bound (thesis 7.2.1)

    def __post_init__(self) -> None:
        """Check the options."""
        if not isinstance(self.model, str):
            raise UsageError(f"model is {self.model!r}: give the path of a file.")
        if self.runs not in ("best", "all"):
            raise UsageError(f"runs is {self.runs!r}: give best or all.")
        if not 0 < self.threshold < 1:
            raise UsageError(f"threshold is {self.threshold}: give a number between 0 and 1.")
        number(0, 1, least_share=self.least_share)

    def __call__(self, page: Page) -> Selection:
        """Score the tokens and keep the texts of the best run, or of all good ones."""
        weights = _weights(load("mss", self.model))
        seen = features(page)
        chosen = self.choose(weights.probabilities(seen) - self.threshold)
        size = len(page)
        words = np.bincount(seen.row[seen.is_word], minlength=size)
        kept = np.bincount(seen.row[seen.is_word & chosen], minlength=size)
        return bounded(page.where((2 * kept > words) & ~page.hidden), self.headline)

    def choose(self, scores: Floats) -> Bools:
        """Tell which tokens are in the runs that are kept."""
        chosen = np.zeros(len(scores), np.bool_)
        if self.runs == "best":
            run = best_run(scores)
            if run is not None:
                chosen[run[0] : run[1] + 1] = True
            return chosen
        first, last = maximal_runs(scores).T
        upto = np.concatenate(([0.0], scores.cumsum()))
        total = upto[last + 1] - upto[first]
        good = total >= self.least_share * total.max(initial=0.0)
        edge = np.zeros(len(scores) + 1, np.int64)
        edge[first[good]] += 1
        edge[last[good] + 1] -= 1
        inner: Bools = edge.cumsum()[:-1] > 0
        return inner
