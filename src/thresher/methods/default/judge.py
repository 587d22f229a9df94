"""The judge: how probable it is that each block of a page is content, and which blocks to keep.

Features of every block go through boosted trees to a probability p. With w the words of a block,
the expected score of keeping a set S of blocks is
    F(S) = (1 + b^2) * sum over S of p*w / (sum over S of w + b^2 * sum over all of p*w)
and the best S of each size are the blocks of highest p: one sort and one running sum find the
prefix with the largest F. `BETA` holds b: the lower, the more precision counts.

Readers' comments are no part of a page that is not a forum, whatever the trees think of them: where
more than a few of the expected words stand under a name that speaks of comments, `thresher.structure.threads`
is asked.

Lists, tables, quotes and code stand or fall as a whole (`thresher.methods.default.groups`). A block that repeats
a kept one word for word is dropped. When less than a few words are expected, nothing is kept of
a page, and all that is shown of a few lines of HTML. The headline of an article is left to the
title where the trees are in doubt, so that texts begin alike, unless recall is favoured.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from thresher.methods.default.features import (
    KINDS,
    NAMES,
    PAGE_FEATURES,
    Features,
    NameTable,
    features,
)
from thresher.methods.default.groups import as_wholes, between
from thresher.methods.model.boosted_trees import SymmetricTrees, sigmoid, softmax
from thresher.methods.model.files import Model, load
from thresher.page import Page
from thresher.page.array_types import Bools, Float32s, Floats, Rows
from thresher.page.arrays import inside
from thresher.page.visibility import unseen_blocks
from thresher.structure.threads import comments

# For most pages, and for what may be an article of the old web, where lists of other articles look
# like text: 0.75 instead of 1 gives daniel 0.009 and costs dragnet 0.002, cleaneval-dev 0.017 and
# wcxb-dev, in two folds by site, nothing.
BETA = {"precision": (0.4, 0.4), "balance": (1.0, 0.75), "recall": (2.0, 2.0)}
_MAY_BE_ARTICLE = 0.2

_COPY = 8  # words from which a repeated block is a copy
_PRIME = 1_000_003
_LEAST = 3.0  # expected words below which a page has no content
_SURE = 0.6  # probability from which a headline is kept; without it daniel has 0.0004 more
_FRAGMENT = 20  # elements and texts; with fewer it is a piece of HTML, not a page


@dataclass(frozen=True, slots=True, eq=False)
class Judgement:
    """What the model thinks of a page."""

    features: Features
    probability: Floats  # of each block
    kinds: dict[str, float]  # the probability of each page kind

    @property
    def kind(self) -> str:
        """The most probable kind of the page."""
        return max(self.kinds, key=self.kinds.__getitem__)

    @property
    def with_care(self) -> bool:
        """Whether precision counts for more."""
        return with_care(self.kinds["article"], is_old(self.features.matrix))

    def keep(self, favor: str = "balance") -> Bools:
        """Tell which blocks to keep at an operating point."""
        words = self.features.frame.words
        if (self.probability * words).sum() < _LEAST:
            return self._fragment()
        frame = self.features.frame
        probability = as_wholes(frame, self.probability)
        kept = best_prefix(probability, words, BETA[favor][self.with_care])
        if favor != "precision":
            kept = between(frame, probability, kept)
        if favor == "balance":
            self._leave_headline(kept)
        return self._without_copies(kept)

    def _leave_headline(self, kept: Bools) -> None:
        """Drop the headline of an article that has more than it, unless it is sure enough."""
        headline = self.features.headline
        if headline >= 0 and self.kind == "article" and np.count_nonzero(kept) > 1:
            kept[headline] &= self.probability[headline] >= _SURE

    def _fragment(self) -> Bools:
        """Keep all that is shown of a few lines that are no whole page; nothing of a page."""
        frame = self.features.frame
        shown: Bools = frame.allowed & ~unseen_blocks(frame.page) & (frame.linked < frame.words)
        return shown & (len(frame.page) < _FRAGMENT)

    def _without_copies(self, kept: Bools) -> Bools:
        """Drop the blocks whose whole text stands in a kept block before."""
        page = self.features.frame.page
        blocks, texts = page.blocks, page.texts
        asked = (kept & (blocks.words >= _COPY)).nonzero()[0]
        asked = asked[self._alike(asked)]
        if not len(asked):
            return kept
        first, last = blocks.texts_from.take(asked).tolist(), blocks.texts_to.take(asked).tolist()
        seen: set[str] = set()
        for block, begin, end in zip(asked.tolist(), first, last, strict=True):
            pieces = filter(None, texts[begin : end + 1])
            text = " ".join([" ".join(piece.split()) for piece in pieces])
            kept[block] = text not in seen
            seen.add(text)
        return kept

    def _alike(self, asked: Rows) -> Bools:
        """Tell which of some blocks have as many words, capitals and so on as another of them.

        Copies have, and few others do: so most texts need not be compared.
        """
        key = self.features.frame.page.blocks.words.take(asked).astype(np.int64)
        found = self.features.frame.characters
        for count in (found.digits, found.capitals, found.stops, found.commas):
            key = key * _PRIME + count.take(asked)
        order = key.argsort()
        key = key.take(order)
        alike = np.zeros(len(asked), np.bool_)
        pairs = (key[1:] == key[:-1]).nonzero()[0]
        alike[order.take(pairs)] = alike[order.take(pairs + 1)] = True
        return alike

    def expected(self, kept: Bools) -> float:
        """Return the expected F1 of what is kept."""
        words = self.features.frame.words
        found = self.probability * words
        held = words[kept].sum() + found.sum()
        return float(2 * found[kept].sum() / held) if held else 0.0


def is_old(matrix: Float32s) -> bool:
    """Tell from the features whether a page is of the old web, without sections."""
    return bool(matrix[_OLD, 0])


_OLD = NAMES.index("page_old")


def with_care(article: float, old: bool) -> bool:
    """Tell whether a page may be an article of the old web."""
    return old and article > _MAY_BE_ARTICLE


def best_prefix(probability: Floats, words: Floats, beta: float) -> Bools:
    """Keep the blocks of highest probability that maximise the expected F score."""
    order = (-probability).argsort(kind="stable")
    found = (probability * words)[order].cumsum()
    held = words[order].cumsum()
    score = found / (held + beta * beta * found[-1:] + 1e-9)
    kept = np.zeros(len(words), np.bool_)
    kept[order[: int(score.argmax()) + 1]] = True
    return kept & (probability > 0)


@dataclass(frozen=True, slots=True, eq=False)
class Judge:
    """A model that has been read from its file."""

    table: NameTable
    first: SymmetricTrees  # a part of the trees tells which blocks are out of the question
    rest: SymmetricTrees
    page: SymmetricTrees  # for the kind of the page
    used: Rows  # the features that the trees ask for
    page_used: Rows
    knots: Floats  # expected F1 and what it was worth, (2, k)
    parts: tuple[SymmetricTrees, SymmetricTrees] = field(
        init=False
    )  # the same two, of all features

    def __post_init__(self) -> None:
        """Let the trees find what they ask for among all features, so that nothing is copied."""
        shared = len(NAMES) - PAGE_FEATURES
        parts = (self.first.asking(self.used, shared), self.rest.asking(self.used, shared))
        object.__setattr__(self, "parts", parts)

    @classmethod
    def of(cls, model: Model) -> Judge:
        """Read a model's arrays."""
        told = model.header.get("features", len(NAMES))
        if told != len(NAMES):
            raise model.damaged(f"it was trained on {told} features, and there are {len(NAMES)}")
        names = _names(model)
        size = len(names)
        table = NameTable.of(
            names,
            model.array("token_odds", "floats", (size,)),
            model.array("token_kinds", "floats", (size, len(KINDS))),
        )
        used = model.array("used", "integers", (None,)).astype(np.intp)
        page_used = model.array("page_used", "integers", (None,)).astype(np.intp)
        for asked, known in ((used, len(NAMES)), (page_used, PAGE_FEATURES - len(KINDS))):
            if asked.min(initial=0) < 0 or asked.max(initial=0) >= known:
                raise model.damaged("it asks for features that are not known")
        trees = SymmetricTrees.of(model, "block", len(used), 1)
        split = int(model.array("split", "integers", (1,))[0])
        knots = model.array("knots", "floats", (2, None)).astype(np.float64)
        if not knots.size:
            raise model.damaged("it has no knots")
        page = SymmetricTrees.of(model, "page", len(page_used), len(KINDS))
        return cls(table, *trees.split(split), page, used, page_used, knots)

    def __call__(self, page: Page) -> Judgement | None:
        """Judge all blocks of a page; None when it has none."""
        found = features(page, self.table)
        if found is None:
            return None
        kinds = judge_kinds(found.matrix, self.page, self.page_used)
        first, rest = self.parts
        odds = first(found.matrix)[0]
        likely = ((odds > _HOPELESS) & found.frame.allowed).nonzero()[0]
        if len(likely):
            odds[likely] += rest(found.matrix.take(likely, axis=1))[0]
        probability = sigmoid(odds)
        probability[~found.frame.allowed] = 0.0
        if kinds[_FORUM] < _IS_FORUM:
            probability[_comments(found, probability)] = 0.0
        return Judgement(found, probability, dict(zip(KINDS, kinds.tolist(), strict=True)))

    def confidence(self, judgement: Judgement, kept: Bools) -> float:
        """Return what F1 to expect, as it turned out on pages held out of the training."""
        if not kept.any():
            return 0.0
        return float(np.interp(judgement.expected(kept), *self.knots))


def judge_kinds(matrix: Float32s, trees: SymmetricTrees, used: Rows) -> Floats:
    """Return the probability of each page kind, and fill in the features that wait for it."""
    page = matrix[-PAGE_FEATURES : -len(KINDS), :1]
    found = softmax(trees(page.take(used, axis=0)))
    matrix[-len(KINDS) :] = found
    kinds: Floats = found[:, 0]
    return kinds


_FORUM = KINDS.index("forum")
_IS_FORUM = 0.5
_SPEAKING = "comment disqus reply replies respond response discussion feedback".split()
_ENOUGH = 0.03  # of the expected words: on 300 pages of dragnet 0 to 0.05 have the same F1


def _comments(found: Features, probability: Floats) -> Bools:
    """Tell which blocks are readers' comments; asked only where a name speaks of them."""
    frame, names = found.frame, found.names
    none = np.zeros(len(frame), np.bool_)
    speaks = names.where(_SPEAKING)
    if not speaks.any():
        return none
    marked = np.zeros(len(frame.page), np.bool_)
    marked[frame.row[speaks[names.of_container]]] = True
    first = frame.page.blocks.first
    under = inside(marked, frame.page.end)[first]
    expected = probability * frame.words
    if expected @ under <= _ENOUGH * expected.sum():
        return none
    return comments(frame.page)[first]


_HOPELESS = -4.0  # log-odds after the first trees, a chance of 0.018, below which a block is left


def _names(model: Model) -> list[str]:
    """Return the tokens of the table of names, one a line."""
    try:
        text = bytes(model.array("tokens", "integers", (None,)).astype(np.uint8)).decode()
    except UnicodeDecodeError as error:
        raise model.damaged("its names cannot be read") from error
    return text.split("\n") if text else []


@lru_cache(maxsize=8)
def _judge(model: Model) -> Judge:
    return Judge.of(model)


@lru_cache(maxsize=1)
def _shipped() -> Judge:
    """Return the judge that ships: its file does not change, so it is looked at once."""
    return _judge(load("default"))


def judge_of(path: str = "") -> Judge:
    """Return the judge of a model file, or the shipped one."""
    return _judge(load("default", path)) if path else _shipped()
