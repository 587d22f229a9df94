"""Sequence labelling: CRF and MaxEnt on blocks (Gibson, Wellner, Lubar 2007; thesis 3.3.2.2).

A page is the sequence of its text blocks b_1 .. b_n; each is to be labelled content (1) or not (0).
Block t has features, each of which has a value out of a few, and the score of its being content is
the sum of the weights of the values it has:
    s[t] = sum over features f of weight[f, value of f at t]
MaxEnt judges each block alone:
    P(y_t = 1) = 1 / (1 + exp(-s[t]))
CRF judges all at once, with a weight for each pair of neighbouring labels:
    P(y_1 .. y_n) ~ exp(sum of s[t] * y_t + sum of m[y_t-1, y_t])
and takes the most probable sequence (Viterbi), or each block's own probability (`labels`).

Departures: the thesis names the models and no features. Ours see a block's words, links, marks and
place, the elements around it, and its neighbours; `FEATURES` lists them. None is a word of any
language. A block is text that no block-level tag interrupts. Hidden blocks are neither in the
sequence nor kept. The third model, the Markov one (MEMM), is left out: the paper finds it below the
CRF. When the most probable sequence has no content, each block's own probability decides after all.
Weights are those of `thresher train crf` and `thresher train maxent`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.errors import UsageError
from thresher.methods.common.linear_chain import best_labels, probabilities
from thresher.methods.model.files import Model, load
from thresher.page import Page, Selection
from thresher.page.array_types import Bools, Floats, Int32s, Int64s, Rows, UInt8s
from thresher.page.arrays import subtree_sums
from thresher.page.tags import LAST_ID, NUMBER, lookup
from thresher.page.words import tally

Numbers = npt.NDArray[np.integer]

# --- the features --------------------------------------------------------------------------------

# Bounds of the values: value k of a feature is from bound k-1 up to below bound k. Ours.
_WORDS = np.array([1, 2, 3, 4, 6, 8, 11, 15, 20, 30, 45, 70, 120])
_SHARES = np.array([0.001, 0.05, 0.12, 0.25, 0.4, 0.6, 0.8, 0.95, 0.999])
_COUNTS = np.array([1, 2, 3, 5, 8, 16])
_PLACES = np.array([1, 2, 4, 8, 16, 32, 64, 128, 256])
_LARGE = np.array([1, 5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560])
_RATES = np.array([0.01, 0.04, 0.08, 0.12, 0.2, 0.4])
_DEPTHS = np.arange(3, 24, 2)

# What the element around a block is. Value 0: any other.
_KINDS = (
    "p", "div", "li", "td th", "h1", "h2", "h3", "h4 h5 h6", "a span button label", "dd dt",
    "pre listing xmp", "blockquote", "figcaption caption", "form fieldset legend",
    "section article main", "body center",
    "header footer nav aside", "summary details", "address",
)  # fmt: skip

# What stands around it somewhere. One feature each, of two values.
_AROUND = (
    "nav menu", "header", "footer", "aside", "article", "main", "form", "table", "ul ol dl",
    "figure", "blockquote", "section", "li",
)  # fmt: skip
_HEADINGS = lookup("h1 h2 h3 h4 h5 h6")
_ENDS, _COMMAS, _DIGITS = 1, 2, 3


def _numbered(sets: tuple[str, ...]) -> UInt8s:
    """Give the names of each set its number, from 1; 0 for all others."""
    table = np.zeros(LAST_ID + 1, np.uint8)
    for number, names in enumerate(sets, 1):
        table[[NUMBER[name] for name in names.split()]] = number
    return table


def _marks() -> UInt8s:
    """Classes of characters: what ends a sentence, what divides one, digits."""
    table = np.zeros(0x10000, np.uint8)  # past it are no such marks
    table[[ord(c) for c in ".!?…。！？．؟۔।॥።"]] = _ENDS
    table[[ord(c) for c in ",;:、，；：،؛"]] = _COMMAS
    table[[ord(c) for c in "0123456789۰۱۲۳۴۵۶۷۸۹٠١٢٣٤٥٦٧٨٩"]] = _DIGITS
    return table


_KIND, _SET, _MARK = _numbered(_KINDS), _numbered(_AROUND), _marks()


def _bucket(values: npt.ArrayLike, bounds: npt.NDArray[np.generic]) -> Int32s:
    """Return which value a number falls into."""
    return bounds.searchsorted(np.asarray(values), side="right").astype(np.int32)


class Seen(NamedTuple):
    """The blocks of a page that are not hidden."""

    block: Int32s  # their numbers
    value: Int32s  # of each feature, shape (features, blocks)


class _Shown(NamedTuple):
    """What is not hidden: some text rows (as places among them), and the counts of every block."""

    text: Rows
    chars: Int32s
    words: Int32s
    linked_words: Int32s


def _shown(page: Page) -> _Shown:
    of_text = page.blocks.of_text
    text = ((of_text >= 0) & ~page.hidden[page.text_rows]).nonzero()[0]
    block, row = of_text[text], page.text_rows[text]
    words = page.words[row]
    columns = (page.chars[row], words, words * page.linked[row])
    sums = (np.bincount(block, one, len(page.blocks)).astype(np.int32) for one in columns)
    return _Shown(text, *sums)


def features(page: Page) -> Seen:
    """Return the features of the blocks; see `FEATURES` for their names and numbers of values."""
    visible = _shown(page)
    shown = (visible.chars > 0).nonzero()[0].astype(np.int32)
    if not len(shown):
        return Seen(shown, np.zeros((len(FEATURES), 0), np.int32))
    own = [*_own(page, shown, visible), *_region(page, shown)]
    own += _around(page, page.blocks.first[shown])
    words, links, kind = own[0], own[1], own[2]
    pairs = [words * (len(_SHARES) + 1) + links, kind * (len(_WORDS) + 1) + words]
    near = [_shifted(column, by) for by in (-2, -1, 1, 2) for column in (words, links, kind)]
    return Seen(shown, np.stack([*own, *pairs, *near]))


def _own(page: Page, shown: Int32s, visible: _Shown) -> list[Int32s]:
    """What a block itself is like."""
    words, linked = visible.words[shown], visible.linked_words[shown]
    marks = _marks_of_blocks(page, visible.text)[:, shown]
    parent = page.blocks.parent[shown]
    total = np.maximum(words, 1)
    before = words.cumsum() - words
    order = np.arange(len(shown))
    return [
        _bucket(words, _WORDS),
        _bucket(linked / total, _SHARES),
        _KIND.take(page.tag.take(parent)).astype(np.int32),
        _bucket(marks[0], _COUNTS),
        _bucket(marks[1], _COUNTS),
        _bucket(marks[0] / total, _RATES),
        _bucket(marks[2] / total, _RATES),
        _bucket(visible.chars[shown] / total, np.arange(2, 12)),
        _bucket(words / max(int(words.max(initial=1)), 1), _SHARES),
        _bucket(before / max(int(words.sum()), 1), np.arange(0.05, 1, 0.1)),
        _bucket(order, _PLACES),
        _bucket(len(shown) - 1 - order, _PLACES),
        _bucket(page.level.take(parent), _DEPTHS),
    ]


def _region(page: Page, shown: Int32s) -> list[Int32s]:
    """What the element around a block and the one around that hold, and how the last one ended."""
    blocks = page.blocks
    visible = np.where(page.hidden, 0, page.words)
    words = subtree_sums(visible, page.end)
    linked = subtree_sums(np.where(page.linked, visible, 0), page.end)
    texts = subtree_sums(_BLOCKS_OF_PROSE[page.tag] & ~page.hidden, page.end)
    row = blocks.parent[shown]
    before = np.concatenate(([-1], row[:-1]))
    parent = np.maximum(page.parent.take(row), 0)
    sibling = page.parent.take(row) == page.parent.take(np.maximum(before, 0))
    found = [(before == row).astype(np.int32) + 2 * sibling.astype(np.int32)]
    for _ in range(2):
        row = np.maximum(page.parent.take(row), 0)
        found += [
            _bucket(words[row], _LARGE),
            _bucket(linked[row] / np.maximum(words[row], 1), _SHARES),
            _bucket(texts[row], _COUNTS),
        ]
    found.append(_HEADINGS[page.tag.take(np.maximum(before, 0))].astype(np.int32))
    found.append(_KIND.take(page.tag.take(parent)).astype(np.int32))
    return found


_BLOCKS_OF_PROSE = lookup("p")


def _around(page: Page, row: Int32s) -> list[Int32s]:
    """Tell for each set of names whether an element of it stands around the given rows.

    As elements nest, so many are open at a row as have begun up to it less those that have ended.
    """
    number = _SET.take(page.tag)
    marked = number.nonzero()[0]
    found = []
    for one in range(1, len(_AROUND) + 1):
        begin = marked[number[marked] == one]
        begun = begin.searchsorted(row, side="right")
        ended = np.sort(page.end[begin]).searchsorted(row, side="right")
        found.append((begun > ended).astype(np.int32))
    return found


def _marks_of_blocks(page: Page, text: Rows) -> Int64s:
    """Count the marks that the given texts bring to each block, shape (3, blocks)."""
    counts = tally([page.texts[place] or "" for place in text.tolist()], _MARK, 3)
    block, size = page.blocks.of_text[text], len(page.blocks)
    return np.stack([np.bincount(block, one, size).astype(np.int64) for one in counts])


def _shifted(column: Int32s, by: int) -> Int32s:
    """Return the value of the block `by` places further, from 1; 0 outside the page."""
    found = np.zeros_like(column)
    if by > 0:
        found[:-by] = column[by:] + 1
    else:
        found[-by:] = column[:by] + 1
    return found


_N_WORDS, _N_SHARES, _N_KINDS = len(_WORDS) + 1, len(_SHARES) + 1, len(_KINDS) + 1


def _features() -> dict[str, int]:
    """Name every feature, with its number of values, in the order of `features`."""
    counts, rates, places = len(_COUNTS) + 1, len(_RATES) + 1, len(_PLACES) + 1
    found = {
        "words": _N_WORDS, "links": _N_SHARES, "kind": _N_KINDS, "sentence ends": counts,
        "commas": counts, "sentence ends per word": rates, "digits per word": rates,
        "characters per word": 11, "words against the longest": _N_SHARES,
        "share of words before": 11, "place from the start": places,
        "place from the end": places, "level": len(_DEPTHS) + 1, "siblings": 4,
    }  # fmt: skip
    for name in ("around", "around that"):
        found |= {
            f"words {name}": len(_LARGE) + 1, f"links {name}": _N_SHARES, f"p {name}": counts
        }  # fmt: skip
    found |= {"after a heading": 2, "kind around": _N_KINDS}
    found |= {f"in {names}": 2 for names in _AROUND}
    found |= {"words and links": _N_WORDS * _N_SHARES, "kind and words": _N_KINDS * _N_WORDS}
    for place in ("two before", "before", "after", "two after"):
        found |= {
            f"words {place}": _N_WORDS + 1,
            f"links {place}": _N_SHARES + 1,
            f"kind {place}": _N_KINDS + 1,
        }
    return found


FEATURES: dict[str, int] = _features()


# --- the models ----------------------------------------------------------------------------------


class SequenceWeights(NamedTuple):
    """What training found."""

    weight: Floats  # of every value of every feature, one feature after the other
    bias: float
    transitions: Floats  # of two labels that follow each other; all 0 for MaxEnt

    @classmethod
    def of(cls, model: Model) -> SequenceWeights:
        """Take the weights from a file; its features must be ours, with as many values."""
        if model.header.get("features") != FEATURES:
            raise model.damaged("it was trained on other features")
        weight = model.array("weight", "floats", (sum(FEATURES.values()),))
        bias = model.array("bias", "floats", (1,))
        transitions = model.array("transitions", "floats", (2, 2))
        return cls(weight.astype(np.float64), float(bias[0]), transitions.astype(np.float64))

    def scores(self, seen: Seen) -> Floats:
        """Return s of every block."""
        found: Floats = self.weight.take(seen.value + _FIRST[:, np.newaxis]).sum(axis=0) + self.bias
        return found


_FIRST = np.cumsum([0, *FEATURES.values()])[:-1]  # place of each feature's first weight

_weights = lru_cache(maxsize=32)(SequenceWeights.of)


def _check_options(model: object, threshold: float) -> None:
    if not isinstance(model, str):
        raise UsageError(f"model is {model!r}: give the path of a file.")
    if not 0 < threshold < 1:
        raise UsageError(f"threshold is {threshold}: give a number between 0 and 1.")


def _select(page: Page, seen: Seen, content: Bools) -> Selection:
    """Keep the texts of the blocks that are content."""
    keep = np.zeros(len(page.blocks), np.bool_)
    keep[seen.block] = content
    return Selection(page, page.blocks.texts(keep) & ~page.hidden[page.text_rows])


@dataclass(frozen=True, slots=True)
class CRF:
    """Keep the text blocks that a conditional random field labels as content."""

    model: str = ""  # path of a file that `thresher train crf` wrote; "": the one that ships
    labels: Literal["each", "sequence"] = "each"  # ours, see docs/methods; "sequence": Viterbi
    threshold: float = 0.5  # with labels="each": least probability of content; ours

    def __post_init__(self) -> None:
        """Check the options."""
        _check_options(self.model, self.threshold)
        if self.labels not in ("each", "sequence"):
            raise UsageError(f"labels is {self.labels!r}: give each or sequence.")

    def __call__(self, page: Page) -> Selection:
        """Label all blocks together."""
        weights = _weights(load("crf", self.model))
        seen = features(page)
        scores = weights.scores(seen)
        if self.labels == "sequence":
            content = best_labels(scores, weights.transitions)
            if content.any():
                return _select(page, seen, content)
        content = probabilities(scores, weights.transitions) > self.threshold
        return _select(page, seen, content)


@dataclass(frozen=True, slots=True)
class MaxEnt:
    """Keep the text blocks that a maximum entropy classifier takes for content, one by one."""

    model: str = ""  # path of a file that `thresher train maxent` wrote; "": the one that ships
    threshold: float = 0.5  # least probability of content; ours

    def __post_init__(self) -> None:
        """Check the options."""
        _check_options(self.model, self.threshold)

    def __call__(self, page: Page) -> Selection:
        """Label each block by itself."""
        weights = _weights(load("maxent", self.model))
        seen = features(page)
        scores = np.clip(weights.scores(seen), -_MOST_ODDS, _MOST_ODDS)
        return _select(page, seen, 1 / (1 + np.exp(-scores)) > self.threshold)


_MOST_ODDS = 500.0  # beyond it exp() has no number
