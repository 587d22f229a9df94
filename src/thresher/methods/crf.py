"""Sequence labelling: CRF, MaxEnt and MEMM on blocks (Gibson, Wellner, Lubar 2007; thesis 3.3.2.2).

A page is the sequence of its text blocks b_1 .. b_n; each is labelled content (1) or not (0). Block
t has features, each with one of a few values, and its score as content is the sum of the weights of
its values:
    s[t] = sum over features f of weight[f, value of f at t]
MaxEnt labels each block separately:
    P(y_t = 1) = 1 / (1 + exp(-s[t]))
CRF labels all blocks together, with a weight for each pair of neighbouring labels:
    P(y_1 .. y_n) ~ exp(sum of s[t] * y_t + sum of m[y_t-1, y_t])
and takes the most probable sequence (Viterbi), or the probability of each block (`labels`).
MEMM, the maximum entropy Markov model (McCallum, Freitag, Pereira 2000), has one MaxEnt for each
label of the block before, with weights of its own:
    s_i[t] = sum over features f of weight_i[f, value of f at t]
    P(y_t = 1 | y_t-1 = i) = 1 / (1 + exp(-s_i[t]))
    P(y_1 .. y_n) = product of P(y_t | y_t-1), with y_0 = 0
and takes the most probable sequence too, or the probability of each block.

Departures: the thesis names the models but no features. Ours are the words, links, marks and place
of a block, the elements around it, and its neighbours; `FEATURES` lists them. None is a word of any
language. A block is text that no block-level tag interrupts. Hidden blocks are neither in the
sequence nor kept. The thesis prints MEMM as "MEHH". When the most probable sequence has no content,
the probability of each block decides. When no block is probable enough for MEMM, those with more
than half of the largest probability are kept: on a page of few blocks, all may be improbable, since
content seldom begins at any one block. The weights are those of `thresher train` with `crf`,
`maxent` or `memm`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.methods.common.linear_chain import (
    best_labels,
    best_labels_of_steps,
    probabilities,
    probabilities_of_steps,
)
from thresher.methods.common.option_checks import Options, Probability
from thresher.methods.model.boosted_trees import sigmoid
from thresher.methods.model.files import Model, cached_reader, load
from thresher.page import Page, Selection
from thresher.page.array_types import Bools, Floats, Int32s, Rows, UInt8s
from thresher.page.arrays import subtree_sums
from thresher.page.tags import HEADING, LAST_ID, NUMBER
from thresher.page.words import tally

# --- the features --------------------------------------------------------------------------------

# Bounds of the values: value k of a feature is from bound k-1 up to below bound k. Ours.
_WORDS = np.array([1, 2, 3, 4, 6, 8, 11, 15, 20, 30, 45, 70, 120])
_SHARES = np.array([0.001, 0.05, 0.12, 0.25, 0.4, 0.6, 0.8, 0.95, 0.999])
_COUNTS = np.array([1, 2, 3, 5, 8, 16])
_PLACES = np.array([1, 2, 4, 8, 16, 32, 64, 128, 256])
_LARGE = np.array([1, 5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560])
_RATES = np.array([0.01, 0.04, 0.08, 0.12, 0.2, 0.4])
_DEPTHS = np.arange(3, 24, 2)
_WORD_LENGTHS = np.arange(2, 12)
_TENTHS = np.arange(0.05, 1, 0.1)

# Kinds of the element around a block, numbered from 1. Value 0: any other element.
_KINDS = (
    "p", "div", "li", "td th", "h1", "h2", "h3", "h4 h5 h6", "a span button label", "dd dt",
    "pre listing xmp", "blockquote", "figcaption caption", "form fieldset legend",
    "section article main", "body center",
    "header footer nav aside", "summary details", "address",
)  # fmt: skip

# Sets of elements that may be around a block at any level. One feature each, of two values.
_AROUND = (
    "nav menu", "header", "footer", "aside", "article", "main", "form", "table", "ul ol dl",
    "figure", "blockquote", "section", "li",
)  # fmt: skip
_NEIGHBOURS = {"two before": -2, "before": -1, "after": 1, "two after": 2}

# Characters that are counted: ends of sentences, marks inside sentences, digits.
_MARKS = (".!?…。！？．؟۔।॥።", ",;:、，；：،؛", "0123456789۰۱۲۳۴۵۶۷۸۹٠١٢٣٤٥٦٧٨٩")


def _number_tags(sets: tuple[str, ...]) -> UInt8s:
    """Return the number of the set that each tag is in, from 1; 0 for tags in none."""
    table = np.zeros(LAST_ID + 1, np.uint8)
    for number, names in enumerate(sets, 1):
        table[[NUMBER[name] for name in names.split()]] = number
    return table


_KIND_OF_TAG, _SET_OF_TAG = _number_tags(_KINDS), _number_tags(_AROUND)
_CLASS_OF_CHARACTER = np.zeros(0x10000, np.uint8)  # all marks are below U+10000
for _number, _characters in enumerate(_MARKS, 1):
    _CLASS_OF_CHARACTER[[ord(character) for character in _characters]] = _number


def _number_of_values() -> dict[str, int]:
    """Return the number of values of every feature."""
    words, shares, kinds = len(_WORDS) + 1, len(_SHARES) + 1, len(_KINDS) + 1
    counts, rates, places = len(_COUNTS) + 1, len(_RATES) + 1, len(_PLACES) + 1
    sizes = {
        "words": words, "links": shares, "kind": kinds, "sentence ends": counts,
        "commas": counts, "sentence ends per word": rates, "digits per word": rates,
        "characters per word": len(_WORD_LENGTHS) + 1, "words against the longest": shares,
        "share of words before": len(_TENTHS) + 1, "place from the start": places,
        "place from the end": places, "level": len(_DEPTHS) + 1, "siblings": 4,
    }  # fmt: skip
    for name in ("around", "around that"):
        sizes |= {f"words {name}": len(_LARGE) + 1, f"links {name}": shares, f"p {name}": counts}
    sizes |= {"after a heading": 2, "kind around": kinds}
    sizes |= {f"in {names}": 2 for names in _AROUND}
    sizes |= {"words and links": words * shares, "kind and words": kinds * words}
    for place in _NEIGHBOURS:
        sizes |= {f"words {place}": words + 1, f"links {place}": shares + 1}
        sizes |= {f"kind {place}": kinds + 1}
    return sizes


FEATURES: dict[str, int] = _number_of_values()


class BlockFeatures(NamedTuple):
    """The blocks of a page that are not hidden."""

    block: Int32s  # their numbers
    value: Int32s  # of each feature in the order of `FEATURES`, shape (features, blocks)


def features(page: Page) -> BlockFeatures:
    """Return the features of the blocks; see `FEATURES` for their names and numbers of values."""
    counts = _visible_counts(page)
    shown = (counts.chars > 0).nonzero()[0].astype(np.int32)
    if not len(shown):
        return BlockFeatures(shown, np.zeros((len(FEATURES), 0), np.int32))
    columns = _own(page, shown, counts) | _region(page, shown)
    columns |= _around(page, page.blocks.first[shown])
    words, links, kind = columns["words"], columns["links"], columns["kind"]
    columns["words and links"] = words * FEATURES["links"] + links
    columns["kind and words"] = kind * FEATURES["words"] + words
    for place, by in _NEIGHBOURS.items():
        for name in ("words", "links", "kind"):
            columns[f"{name} {place}"] = _shifted(columns[name], by)
    return BlockFeatures(shown, np.stack([columns[name] for name in FEATURES]))


class _VisibleCounts(NamedTuple):
    """The visible text of a page: its text rows, and counts for every block."""

    text: Rows  # places among the text rows
    chars: Int32s
    words: Int32s
    linked_words: Int32s


def _visible_counts(page: Page) -> _VisibleCounts:
    of_text = page.blocks.of_text
    text = ((of_text >= 0) & ~page.hidden[page.text_rows]).nonzero()[0]
    block, row = of_text[text], page.text_rows[text]
    words = page.words[row]
    columns = (page.chars[row], words, words * page.linked[row])
    sums = (np.bincount(block, column, len(page.blocks)).astype(np.int32) for column in columns)
    return _VisibleCounts(text, *sums)


def _bucket(values: npt.ArrayLike, bounds: npt.NDArray[np.generic]) -> Int32s:
    """Return the number of bounds that are at most each value."""
    return bounds.searchsorted(np.asarray(values), side="right").astype(np.int32)


def _own(page: Page, shown: Int32s, counts: _VisibleCounts) -> dict[str, Int32s]:
    """Return the features of the blocks' own text and place."""
    words, linked = counts.words[shown], counts.linked_words[shown]
    marks = tally([page.texts[place] for place in counts.text.tolist()], _CLASS_OF_CHARACTER, 3)
    block, size = page.blocks.of_text[counts.text], len(page.blocks)
    ends, commas, digits = (
        np.bincount(block, column, size).astype(np.int64)[shown] for column in marks
    )
    parent = page.blocks.parent[shown]
    total = np.maximum(words, 1)
    order = np.arange(len(shown))
    return {
        "words": _bucket(words, _WORDS),
        "links": _bucket(linked / total, _SHARES),
        "kind": _KIND_OF_TAG.take(page.tag.take(parent)).astype(np.int32),
        "sentence ends": _bucket(ends, _COUNTS),
        "commas": _bucket(commas, _COUNTS),
        "sentence ends per word": _bucket(ends / total, _RATES),
        "digits per word": _bucket(digits / total, _RATES),
        "characters per word": _bucket(counts.chars[shown] / total, _WORD_LENGTHS),
        "words against the longest": _bucket(words / max(int(words.max()), 1), _SHARES),
        "share of words before": _bucket(
            (words.cumsum() - words) / max(int(words.sum()), 1), _TENTHS
        ),
        "place from the start": _bucket(order, _PLACES),
        "place from the end": _bucket(len(shown) - 1 - order, _PLACES),
        "level": _bucket(page.level.take(parent), _DEPTHS),
    }


def _region(page: Page, shown: Int32s) -> dict[str, Int32s]:
    """Return the features of the two elements around a block, and of the block before."""
    visible = np.where(page.hidden, 0, page.words)
    words = subtree_sums(visible, page.end)
    linked = subtree_sums(np.where(page.linked, visible, 0), page.end)
    paragraphs = subtree_sums((page.tag == NUMBER["p"]) & ~page.hidden, page.end)
    row = page.blocks.parent[shown]
    before = np.concatenate(([-1], row[:-1]))
    around = np.maximum(page.parent.take(row), 0)
    around_that = np.maximum(page.parent.take(around), 0)
    are_siblings = page.parent.take(row) == page.parent.take(np.maximum(before, 0))
    columns = {"siblings": (before == row).astype(np.int32) + 2 * are_siblings.astype(np.int32)}
    for name, element in (("around", around), ("around that", around_that)):
        own = words[element]
        columns[f"words {name}"] = _bucket(own, _LARGE)
        columns[f"links {name}"] = _bucket(linked[element] / np.maximum(own, 1), _SHARES)
        columns[f"p {name}"] = _bucket(paragraphs[element], _COUNTS)
    is_heading = HEADING[page.tag.take(np.maximum(before, 0))]
    columns["after a heading"] = is_heading.astype(np.int32)
    columns["kind around"] = _KIND_OF_TAG.take(page.tag.take(around)).astype(np.int32)
    return columns


def _around(page: Page, row: Int32s) -> dict[str, Int32s]:
    """Return for each set of `_AROUND` whether an element of it is around the given rows.

    Elements nest, so the number that are open at a row is the number that have begun up to it minus
    the number that have ended.
    """
    number = _SET_OF_TAG.take(page.tag)
    marked = number.nonzero()[0]
    columns = {}
    for wanted, names in enumerate(_AROUND, 1):
        begin = marked[number[marked] == wanted]
        begun = begin.searchsorted(row, side="right")
        ended = np.sort(page.end[begin]).searchsorted(row, side="right")
        columns[f"in {names}"] = (begun > ended).astype(np.int32)
    return columns


def _shifted(column: Int32s, by: int) -> Int32s:
    """Return 1 + the value of the block `by` places further; 0 outside the page."""
    shifted = np.zeros_like(column)
    if by > 0:
        shifted[:-by] = column[by:] + 1
    else:
        shifted[-by:] = column[:by] + 1
    return shifted


# --- the models ----------------------------------------------------------------------------------


class SequenceWeights(NamedTuple):
    """The weights of a trained model."""

    weight: Floats  # of every value of every feature, one feature after the other
    bias: float
    transitions: Floats  # of two neighbouring labels; all 0 for MaxEnt

    @classmethod
    def of(cls, model: Model) -> SequenceWeights:
        """Return the weights of a model file, which must have the same features and values."""
        if model.header.get("features") != FEATURES:
            raise model.damaged("it was trained on other features")
        weight = model.array("weight", "floats", (sum(FEATURES.values()),))
        bias = model.array("bias", "floats", (1,))
        transitions = model.array("transitions", "floats", (2, 2))
        return cls(weight.astype(np.float64), float(bias[0]), transitions.astype(np.float64))

    def scores(self, blocks: BlockFeatures) -> Floats:
        """Return s of every block."""
        weights = self.weight.take(blocks.value + _FIRST_WEIGHT[:, np.newaxis])
        scores: Floats = weights.sum(axis=0) + self.bias
        return scores


_FIRST_WEIGHT = np.cumsum([0, *FEATURES.values()])[:-1]  # place of each feature's first weight

_weights = cached_reader(SequenceWeights.of)


class MarkovWeights(NamedTuple):
    """The weights of a trained MEMM: one row for each label of the block before."""

    weight: Floats  # of every value of every feature, shape (2, values)
    bias: Floats

    @classmethod
    def of(cls, model: Model) -> MarkovWeights:
        """Return the weights of a model file, which must have the same features and values."""
        if model.header.get("features") != FEATURES:
            raise model.damaged("it was trained on other features")
        weight = model.array("weight", "floats", (2, sum(FEATURES.values())))
        bias = model.array("bias", "floats", (2,))
        return cls(weight.astype(np.float64), bias.astype(np.float64))

    def steps(self, blocks: BlockFeatures) -> Floats:
        """Return log P(y_t = j | y_t-1 = i) as [i, j, t]."""
        weights = self.weight.take(blocks.value + _FIRST_WEIGHT[:, np.newaxis], axis=1)
        scores = weights.sum(axis=1) + self.bias[:, np.newaxis]
        steps: Floats = -np.logaddexp(0.0, np.stack((scores, -scores), axis=1))
        return steps


_markov_weights = cached_reader(MarkovWeights.of)


def _texts_of(page: Page, blocks: BlockFeatures, is_content: Bools) -> Selection:
    """Return the visible texts of the blocks that are content."""
    keep = np.zeros(len(page.blocks), np.bool_)
    keep[blocks.block] = is_content
    return Selection(page, page.blocks.text_mask(keep) & ~page.hidden[page.text_rows])


@dataclass(frozen=True, slots=True)
class CRF(Options):
    """Keep the text blocks that a conditional random field labels as content."""

    model: str = ""  # path of a file of `thresher train crf`; "": the one that is installed
    labels: Literal["each", "sequence"] = "each"  # ours, see docs/methods; "sequence": Viterbi
    threshold: Probability = 0.5  # with labels="each": least probability of content; ours

    def __call__(self, page: Page) -> Selection:
        """Return the texts of the blocks that are content, all labelled together."""
        weights = _weights(load("crf", self.model))
        blocks = features(page)
        scores = weights.scores(blocks)
        if self.labels == "sequence":
            is_content = best_labels(scores, weights.transitions)
            if is_content.any():
                return _texts_of(page, blocks, is_content)
        is_content = probabilities(scores, weights.transitions) > self.threshold
        return _texts_of(page, blocks, is_content)


@dataclass(frozen=True, slots=True)
class MaxEnt(Options):
    """Keep the text blocks that a maximum entropy classifier takes for content, one by one."""

    model: str = ""  # path of a file of `thresher train maxent`; "": the one that is installed
    threshold: Probability = 0.5  # least probability of content; ours

    def __call__(self, page: Page) -> Selection:
        """Return the texts of the blocks that are content, each labelled separately."""
        weights = _weights(load("maxent", self.model))
        blocks = features(page)
        return _texts_of(page, blocks, sigmoid(weights.scores(blocks)) > self.threshold)


@dataclass(frozen=True, slots=True)
class MEMM(Options):
    """Keep the text blocks that a maximum entropy Markov model labels as content."""

    model: str = ""  # path of a file of `thresher train memm`; "": the one that is installed
    labels: Literal["sequence", "each"] = "sequence"  # original: Viterbi; "each": as for CRF, ours
    threshold: Probability = 0.5  # with labels="each": least probability of content; ours

    def __call__(self, page: Page) -> Selection:
        """Return the texts of the blocks that are content, each labelled after the one before."""
        blocks = features(page)
        steps = _markov_weights(load("memm", self.model)).steps(blocks)
        if self.labels == "sequence":
            is_content = best_labels_of_steps(steps)
            if is_content.any():
                return _texts_of(page, blocks, is_content)
        probability = probabilities_of_steps(steps)
        most = float(probability.max(initial=0.0))
        least = self.threshold if most > self.threshold else most / 2
        return _texts_of(page, blocks, probability > least)
