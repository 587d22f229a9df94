"""MSS: maximum subsequence segmentation (Pasternack, Roth 2009; thesis 3.3.1.4).

The page without scripts and styles is a list of tags, words and numbers t_1 .. t_n; words are
stemmed, numbers become "1". A naive Bayes classifier, trained on pages whose content is known,
gives the probability p_i that token i is content from four features: the token, its two successors,
and its parent's tag:
    ln p_i / (1 - p_i) = prior + a[t_i] + b[t_i+1] + c[t_i+2] + d[parent tag of t_i]
where prior = ln P(content) / P(other) and each weight is ln P(value | content) / P(value | other).
The score of a token is p_i - 0.5, and content is the run with the largest sum,
    (a, b) = argmax over x <= y of sum(score[x..y])                                        (3.5)
Nothing is kept when no sum is above 0. Ruzzo and Tompa (1999) find all maximal runs, which do not
overlap; the k of them with the largest sums are `best_runs`, in order.

Departures: the trigram is three features, not one: most trigrams of a new page were never seen in
training, and the scores were lower. A stem is the first 5 letters of a word in lower case instead
of Porter's, so that it works for every language; a number is a word that begins with a digit. Stems
are hashed into 65,536 places; stems with the same place share a weight. The weights are those of
`thresher train mss`, where a tag is content when the nearest words on both sides are. All elements
of unknown names count as one name. Hidden text is neither counted nor kept. A text is kept when
most of its words are in a run. Since one run loses content in several parts, by default all maximal
runs are kept whose sum is at least a fifth of the best one's; `runs="best"` is the paper's rule,
and `runs="k-best"` keeps k maximal runs. The first of these has the sum of the best run, but of
several such runs it is the shortest, and Algorithm 8 takes the earliest. The k best runs are chosen
from the m maximal ones in time m + k log k, the thesis names n log k for both steps.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, NamedTuple
from zlib import crc32

import numpy as np

from thresher.methods.common.headline_bound import HeadlineBy, bounded
from thresher.methods.common.option_checks import Options, Probability, Range, Share
from thresher.methods.model.boosted_trees import sigmoid
from thresher.methods.model.files import Model, cached_reader, load
from thresher.page import Page, Selection
from thresher.page.array_types import Bools, Float32s, Floats, Int32s, Rows, UInt32s
from thresher.page.arrays import best_run, maximal_runs
from thresher.page.tags import NAMES
from thresher.page.words import stems

STEM = 5  # letters
BITS = 16  # of a place
UNKNOWN = len(NAMES)  # tag number of all names that are not in the tag table


class Features(NamedTuple):
    """The tokens of a page that are not hidden, with the features of the classifier."""

    row: Int32s  # of the element, or of the word's text
    is_word: Bools
    place: UInt32s  # hash of the token, the next one and the one after it, shape (3, n)
    parent: Int32s  # tag number of the parent


def features(page: Page) -> Features:
    """Return the tokens of a page with their features; tokens after the end have place 0."""
    row, is_word = page.tokens.row, page.tokens.is_word
    highest = np.maximum.accumulate(row)
    starts = np.ones(len(row), np.bool_)
    starts[1:] = row[1:] > highest[:-1]  # the row of an end tag is not above the rows before it
    shown = (~page.hidden[row]).nonzero()[0]
    row, is_word, starts = row[shown], is_word[shown], starts[shown]
    tag = np.minimum(page.tag[row], UNKNOWN)
    number = _TAG_NUMBERS[starts.astype(np.intp), tag]  # end tags, then start tags
    hidden = page.hidden[page.text_rows].tolist()
    texts = ["" if h else t for t, h in zip(page.texts, hidden, strict=True)]
    number[is_word] = stems(texts, STEM)
    place = np.zeros((3, len(row)), np.uint32)
    for step in range(3):
        place[step, : max(len(row) - step, 0)] = _hash(number[step:]) >> np.uint32(32 - BITS)
    parent = np.minimum(page.tag[np.maximum(page.parent[row], 0)], UNKNOWN).astype(np.int32)
    return Features(row, is_word, place, parent)


def _hash(number: UInt32s) -> UInt32s:
    """Return numbers spread over all 32 bits (Knuth's multiplicative hash)."""
    mixed: UInt32s = (number ^ (number >> np.uint32(15))) * np.uint32(0x9E3779B1)
    return mixed


# A number for the end tag and for the start tag of every name, shape (2, names).
_TAG_NUMBERS: UInt32s = np.array(
    [[crc32(f"{mark}{name}".encode()) for name in (*NAMES, "?")] for mark in ("</", "<")],
    np.uint32,
)


class Weights(NamedTuple):
    """The weights of naive Bayes."""

    prior: float
    token: Float32s  # of each place, for the token and its two successors: (3, places)
    parent: Float32s  # of each tag

    @classmethod
    def of(cls, model: Model) -> Weights:
        """Return the weights of a model file; tags that it does not name have weight 0."""
        tags = model.header.get("tags")
        if not isinstance(tags, list):
            raise model.damaged("its header has no tags")
        weights = model.array("parent", "floats", (len(tags),)).astype(np.float32)
        weight_of = dict(zip(tags, weights.tolist(), strict=True))
        parent = [weight_of.get(name, 0.0) for name in (*NAMES, "?")]
        token = model.array("token", "floats", (3, 1 << BITS)).astype(np.float32)
        prior = float(model.array("prior", "floats", (1,))[0])
        return cls(prior, token, np.array(parent, np.float32))

    def probabilities(self, tokens: Features) -> Floats:
        """Return p of every token."""
        odds = self.parent.take(tokens.parent).astype(np.float64) + self.prior
        for weights, place in zip(self.token, tokens.place, strict=True):
            odds += weights.take(place)
        return sigmoid(odds)


_weights = cached_reader(Weights.of)


@dataclass(frozen=True, slots=True)
class MSS(Options):
    """Keep the runs of tokens that a classifier of single tokens takes for content."""

    model: str = ""  # path of a file of `thresher train mss`; "": the one that is installed
    runs: Literal["best", "k-best", "all"] = "all"  # paper: best; swept on wcxb-dev and fundus
    k: Annotated[int, Range(1)] = 3  # runs that are kept with runs="k-best"; ours, see docs/methods
    threshold: Probability = 0.5  # paper: 0.5
    least_share: Share = 0.2  # of the best run's sum, with runs="all"; swept on the same: 0 to 0.4
    headline: str = ""  # of the article, if known: a bound (thesis 7.2.1)
    headline_by: HeadlineBy = "given"  # how to find it otherwise; thesis: "titlefinder"
    subtree: bool = False  # keep all text between the bounds; thesis 7.2.1 read literally

    def __call__(self, page: Page) -> Selection:
        """Return the texts with most of their words in the kept runs."""
        weights = _weights(load("mss", self.model))
        tokens = features(page)
        in_run = self.choose(weights.probabilities(tokens) - self.threshold)
        size = len(page)
        words = np.bincount(tokens.row[tokens.is_word], minlength=size)
        kept = np.bincount(tokens.row[tokens.is_word & in_run], minlength=size)
        return bounded(page.where((2 * kept > words) & ~page.hidden), self)

    def choose(self, scores: Floats) -> Bools:
        """Return one bool per token: True if it is in a run that is kept."""
        if self.runs == "best":
            in_run = np.zeros(len(scores), np.bool_)
            run = best_run(scores)
            if run is not None:
                in_run[run[0] : run[1] + 1] = True
            return in_run
        if self.runs == "k-best":
            good = best_runs(scores, self.k)
        else:
            found = maximal_runs(scores)
            total = _sums(scores, found)
            good = found[total >= self.least_share * total.max(initial=0.0)]
        edge = np.zeros(len(scores) + 1, np.int64)
        edge[good[:, 0]] += 1
        edge[good[:, 1] + 1] -= 1
        in_runs: Bools = edge.cumsum()[:-1] > 0
        return in_runs


def best_runs(scores: Floats, k: int) -> Rows:
    """Return the k maximal runs with the largest sums as rows (first, last), the best one first.

    The earlier of two runs with the same sum comes first. There are fewer than k if the scores have
    fewer maximal runs.
    """
    found = maximal_runs(scores)
    total = _sums(scores, found)
    if len(found) > k:
        least = np.partition(total, -k)[-k]
        at_least = (total == least).nonzero()[0][: k - np.count_nonzero(total > least)]
        chosen = np.union1d((total > least).nonzero()[0], at_least)  # in order of their places
        found, total = found[chosen], total[chosen]
    return found[np.argsort(-total, kind="stable")]


def _sums(scores: Floats, runs: Rows) -> Floats:
    """Return the sum of the scores in each run."""
    upto = np.concatenate(([0.0], scores.cumsum()))
    sums: Floats = upto[runs[:, 1] + 1] - upto[runs[:, 0]]
    return sums
