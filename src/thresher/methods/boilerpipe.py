"""Boilerpipe: boilerplate by shallow text features (Kohlschütter, Fankhauser, Nejdl 2010).

Thesis 3.3.2.1. An atomic block is a run of text without tags except `<a>`. It has w words, a share
ld of them in links, and a block before and after it. The decision tree that the authors learned on
news pages and published: a block is content when ld <= .333333 and
    where ld of the block before <= .555556:  w > 16, or next w > 15, or previous w > 4
    else:                                     w > 40, or next w > 17

These rules are `classifier="rules"`. The paper learns its classifiers from pages whose content is
known, and so does `thresher train boilerpipe`, on all features x_f of `CLASSIFIER_FEATURES`:
    "tree": from the root, x_f <= threshold leads to "then", more to "else"; a leaf has the share
            of content there in training, and a block is content if it is more than a half
    "svm":  a block is content if  bias + sum over features f of weight_f * x_f > 0

`text_blocks` divides a page into blocks and counts their words, which is all that the rules need.
`features` also returns the other features that the thesis lists, one column each. The thesis names
them without definitions, so these are ours:

    words          see `thresher.page.words`
    sentences      end with . ! ? or an ellipsis before white space or the end of the block, with
                   closing quotes and brackets in between, or with an ideographic full stop,
                   exclamation or question mark; the rest is one more. Only those with words count
    upper case     as `str.isupper`: at least one capital and no small letter, so "I" and "B2" too
    dates, times   years from 1900 to 2099; 3/5/2024, 3.5.24, 2024-05-03; 14:30, 14:30:59; English
                   names of months and days of the week, whole or as three letters, with a capital
    tags           the nearest of h1 to h6, p and div around the block
    position       from 0; relative: 0 for the first block, 1 for the last

A ratio to 0 words is 0.

Departures: none known in the rules. The trained tree is CART with entropy and a bound on its leaves
instead of C4.8, and the machine has the squared hinge loss; both are trained on wcxb-dev and fundus
instead of the authors' news pages. Besides the features that the thesis lists they have the words
and link densities of the blocks before and after, as the rules do. The authors published a second
tree, on text density (words per line of 80 characters) instead of words; it is left out, since the
papers at hand have neither its numbers nor its line breaking. Outside the page there are blocks of
0 words. Words are those of `thresher.page.words`, not pieces between blanks. Blank and hidden text
is in no block, but tags of hidden elements divide the text around them. (The thesis names decision
trees and the features; the numbers are from the original publication.)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from itertools import compress
from math import isfinite
from operator import itemgetter, methodcaller
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.errors import UsageError
from thresher.methods.common.option_checks import Options
from thresher.methods.model.files import Model, cached_reader, load
from thresher.page import Page, Selection
from thresher.page.array_types import Bools, Floats, Int32s
from thresher.page.arrays import freeze, nearest
from thresher.page.tags import NUMBER, lookup
from thresher.page.words import words


@dataclass(frozen=True, slots=True)
class Boilerpipe(Options):
    """Keep the blocks that have many words and few links, or neighbours that do."""

    classifier: Literal["rules", "tree", "svm"] = "rules"  # original: the published tree
    model: str = ""  # for a tree or an svm: path of a file of `thresher train boilerpipe`
    # The numbers of the rules:
    link_density: float = 0.333333  # original: most ld of content
    previous_link_density: float = 0.555556  # original: most ld of a block of text before this one
    words: int = 16  # original: after text, content has more words than these,
    next_words: int = 15  # or the block after has more than these,
    previous_words: int = 4  # or the block before has more than these
    words_after_links: int = 40  # original: after links, content has more words than these,
    next_words_after_links: int = 17  # or the block after has more than these

    def __post_init__(self) -> None:
        """Check the options; the rules have no model."""
        Options.__post_init__(self)
        if self.model and self.classifier == "rules":
            raise UsageError(
                f"model of boilerpipe is {self.model!r}, but the rules use none: give "
                "classifier='tree' or 'svm' too."
            )

    def __call__(self, page: Page) -> Selection:
        """Return the text of the blocks that are content."""
        if self.classifier == "rules":
            blocks = text_blocks(page)
            is_content = self.classify(blocks)
        else:
            found = features(page)
            blocks = found.blocks
            is_content = getattr(_trained(load("boilerpipe", self.model)), self.classifier)(found)
        is_content = np.append(is_content, False)  # the last is for -1: in no block
        return Selection(page, is_content[blocks.of_text])

    def classify(self, blocks: TextBlocks) -> Bools:
        """Return one bool per block: True if it is content according to the rules."""
        w, ld = blocks.words, blocks.link_density
        previous_w, next_w = np.append(0, w)[:-1], np.append(w, 0)[1:]
        previous_ld = np.append(0.0, ld)[:-1]
        after_text = (
            (w > self.words) | (next_w > self.next_words) | (previous_w > self.previous_words)
        )
        after_links = (w > self.words_after_links) | (next_w > self.next_words_after_links)
        follows_text = previous_ld <= self.previous_link_density
        is_content: Bools = ld <= self.link_density
        return is_content & np.where(follows_text, after_text, after_links)


# --- blocks --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class TextBlocks:
    """Runs of visible text that no tag except `<a>` interrupts, in document order."""

    of_text: Int32s  # the block of each text row, -1 for blank and hidden text
    first: Int32s  # first text row
    words: Int32s
    linked_words: Int32s

    def __len__(self) -> int:
        """Return the number of blocks."""
        return len(self.first)

    @property
    def link_density(self) -> Floats:
        """The share of the words that are in links."""
        return _ratio(self.linked_words, self.words)


def text_blocks(page: Page) -> TextBlocks:
    """Return the atomic blocks of a page: its text, divided at every tag except `<a>`."""
    divides = (page.tag != 0) & (page.tag != NUMBER["a"])
    cut = np.zeros(len(page) + 1, np.bool_)
    cut[:-1] = divides
    cut[page.end[divides]] = True
    stretch = cut.cumsum()

    texts = page.text_rows
    is_shown = (page.chars.take(texts) > 0) & ~page.hidden.take(texts)
    rows = texts[is_shown]
    begins = np.ones(len(rows), np.bool_)
    begins[1:] = stretch[rows[1:]] != stretch[rows[:-1]]
    number = begins.cumsum() - 1
    of_text = np.full(len(texts), -1, np.int32)
    of_text[is_shown] = number
    count, linked = int(begins.sum()), page.words[rows] * page.linked[rows]
    blocks = TextBlocks(
        of_text=of_text,
        first=rows[begins],
        words=np.bincount(number, page.words[rows], count).astype(np.int32),
        linked_words=np.bincount(number, linked, count).astype(np.int32),
    )
    freeze(blocks.of_text, blocks.first, blocks.words, blocks.linked_words)
    return blocks


# --- features ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """The shallow text features of the blocks of a page: one column each, one entry per block."""

    blocks: TextBlocks
    words: Int32s
    average_word_length: Floats
    average_sentence_length: Floats  # in words
    capitalised: Int32s  # words that start with a capital
    upper_case: Int32s  # words that are all capitals
    capitalised_ratio: Floats  # to the number of words
    upper_case_ratio: Floats
    full_stop_ratio: Floats
    dates: Int32s  # dates and times
    bars: Int32s  # "|"
    h1: Bools
    h2: Bools
    h3: Bools
    h4: Bools
    h5: Bools
    h6: Bools
    p: Bools
    div: Bools
    link_density: Floats
    position: Int32s
    relative_position: Floats

    def __len__(self) -> int:
        """Return the number of blocks."""
        return len(self.blocks)


_TAGS = ("h1", "h2", "h3", "h4", "h5", "h6", "p", "div")
_IS_TAG = lookup(" ".join(_TAGS))


def features(page: Page) -> Features:
    """Return the features of the blocks of a page."""
    blocks = text_blocks(page)
    count = len(blocks)
    shown = blocks.of_text >= 0
    shown_texts = list(compress(page.texts, shown.tobytes()))
    edges = blocks.of_text[shown].searchsorted(np.arange(count + 1)).tolist()
    texts = ["".join(shown_texts[edges[i] : edges[i + 1]]) for i in range(count)]

    def count_each(text_counter: Callable[[str], int]) -> Int32s:
        return np.fromiter(map(text_counter, texts), np.int32, count)

    found_words = words("\n".join(shown_texts))
    block_of_word = blocks.of_text[shown].repeat(page.words[page.text_rows[shown]])

    def sum_over_words(values: Iterable[int]) -> Int32s:
        numbers = np.fromiter(values, np.int64, len(found_words))
        return np.bincount(block_of_word, numbers, count).astype(np.int32)

    capitalised = sum_over_words(map(str.isupper, map(itemgetter(0), found_words)))
    upper_case = sum_over_words(map(str.isupper, found_words))
    position = np.arange(count, dtype=np.int32)
    around = np.append(page.tag, 0)[nearest(_IS_TAG[page.tag], page.parent)[blocks.first]]
    columns = Features(
        blocks=blocks,
        words=blocks.words,
        average_word_length=_ratio(sum_over_words(map(len, found_words)), blocks.words),
        average_sentence_length=_ratio(
            blocks.words, count_each(lambda text: len(_SENTENCE.findall(text)))
        ),
        capitalised=capitalised,
        upper_case=upper_case,
        capitalised_ratio=_ratio(capitalised, blocks.words),
        upper_case_ratio=_ratio(upper_case, blocks.words),
        full_stop_ratio=_ratio(count_each(methodcaller("count", ".")), blocks.words),
        dates=count_each(lambda text: len(_DATE.findall(text))),
        bars=count_each(methodcaller("count", "|")),
        **{name: around == NUMBER[name] for name in _TAGS},
        link_density=blocks.link_density,
        position=position,
        relative_position=position / max(count - 1, 1),
    )
    freeze(*(getattr(columns, name) for name in Features.__slots__ if name != "blocks"))
    return columns


def _ratio(part: npt.NDArray[np.integer], whole: npt.NDArray[np.integer]) -> Floats:
    ratio: Floats = np.where(whole > 0, part, 0) / np.maximum(whole, 1)
    return ratio


# From a letter to the mark that ends the sentence; possessive, so that the time is linear.
_MARKS = ".!?…。！？"
_NOT_END = r"""[.!?…](?!["'”’»)\]]*+(?:\s|\Z))"""  # a mark that ends no sentence, as in 3.5
_SENTENCE = re.compile(rf"\w[^{_MARKS}]*+(?:{_NOT_END}[^{_MARKS}]*+)*+")

_MONTHS = "January February March April May June July August September October November December"
_DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday"
_NAMES = "|".join(f"{name[:3]}(?:{name[3:]})?" for name in f"{_MONTHS} {_DAYS}".split())
_DATE = re.compile(
    r"(?<!\w)(?=[\dADFJMNOSTW])"  # first characters of dates, tested first for speed
    rf"(?:\d{{1,4}}([-/.])\d{{1,2}}\1\d{{1,4}}|\d{{1,2}}:\d\d(?::\d\d)?|(?:19|20)\d\d|{_NAMES})"
    r"(?!\w)"
)


# --- trained classifiers -------------------------------------------------------------------------

_NEIGHBOURS = ("previous_words", "previous_link_density", "next_words", "next_link_density")
CLASSIFIER_FEATURES: tuple[str, ...] = (
    *(column.name for column in fields(Features) if column.name != "blocks"),
    *_NEIGHBOURS,
)


def classifier_features(found: Features) -> dict[str, Floats]:
    """Return the columns of `CLASSIFIER_FEATURES` by name; outside the page there are 0 words."""
    columns = {
        name: np.asarray(getattr(found, name), np.float64)
        for name in CLASSIFIER_FEATURES
        if name not in _NEIGHBOURS
    }
    for name in ("words", "link_density"):
        columns[f"previous_{name}"] = np.append(0.0, columns[name])[:-1]
        columns[f"next_{name}"] = np.append(columns[name], 0.0)[1:]
    return {name: columns[name] for name in CLASSIFIER_FEATURES}


class TrainedClassifiers(NamedTuple):
    """The decision tree and the support vector machine of a model file."""

    splits: dict[str, Any]
    bias: float
    weights: dict[str, float]

    @classmethod
    def of(cls, model: Model) -> TrainedClassifiers:
        """Return the classifiers of a model after checking every node and number."""
        machine = model.header.get("svm")
        machine = machine if isinstance(machine, dict) else {}
        bias, weights = machine.get("bias"), machine.get("weights")
        if not isinstance(weights, dict) or not all(map(_is_number, (bias, *weights.values()))):
            raise model.damaged("its svm is not a bias and weights")
        if set(weights) != set(CLASSIFIER_FEATURES):
            raise model.damaged("it was trained on other features")
        _check_tree(model)
        return cls(model.header["tree"], machine["bias"], weights)

    def tree(self, found: Features) -> Bools:
        """Return one bool per block: True if its leaf of the tree has mostly content."""
        columns = classifier_features(found)
        is_content = np.zeros(len(found), np.bool_)
        todo = [(self.splits, np.arange(len(found)))]
        while todo:
            node, blocks = todo.pop()
            if "content" in node:
                is_content[blocks] = node["content"] > 0.5
            elif len(blocks):
                is_low = columns[node["feature"]][blocks] <= node["at most"]
                todo += [(node["then"], blocks[is_low]), (node["else"], blocks[~is_low])]
        return is_content

    def svm(self, found: Features) -> Bools:
        """Return one bool per block: True if its weighted sum of features is above 0."""
        columns = classifier_features(found)
        total = np.full(len(found), self.bias)
        for name, weight in self.weights.items():
            total += weight * columns[name]
        return total > 0


_trained = cached_reader(TrainedClassifiers.of)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and isfinite(value)


def _check_tree(model: Model) -> None:
    """Raise `InputError` for a tree with a node that is neither a split nor a leaf."""
    todo = [model.header.get("tree")]
    while todo:
        node = todo.pop()
        if not isinstance(node, dict) or not _is_number(node.get("content", node.get("at most"))):
            raise model.damaged("its tree has a node that is neither a split nor a leaf")
        if "content" not in node:
            if node.get("feature") not in CLASSIFIER_FEATURES:
                raise model.damaged("its tree asks for features that are not known")
            todo += [node.get("then"), node.get("else")]
