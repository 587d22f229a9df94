"""Training of the default: the mean of several models of CatBoost's symmetric trees over blocks.

- The label of a block comes from `gold_alignment`. Its weight is its words over the gold's length,
  at most 0.3, plus a little; the weights of a page sum to 3 at most. Pages without gold text are
  left out.
- Of a page with many blocks a sample is used, heavy blocks more often, and weighted up again. Each
  of the models that are averaged has its own draw.
- A page is used several times: as it is, changed (`augmentation`), and as a page of the old web.
- Names are looked up in a table that leaves out the page's own site (`name_odds`).
- The page's kind has trees of its own, on the features of the whole page; changed pages count
  little.
- Two more sets of trees learn from what the trees over blocks find on sites held out: models of
  four fifths of the sites, one member each, judge the pages of the others. One tells pages from
  copies without their content, the other judges blocks again by what is expected of the whole page.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
import numpy.typing as npt

from thresher.errors import InputError
from thresher.evaluate.corpora import GoldPage
from thresher.evaluate.scores import tokens
from thresher.evaluate.training.augmentation import (
    Copy,
    content_html,
    emptied,
    shortened,
    thinned,
    with_list_beside,
)
from thresher.evaluate.training.name_odds import PageTokens, TokenCounts, page_tokens
from thresher.evaluate.training.trainer import Learned, folds_of_groups, need
from thresher.evaluate.training.trees import catboost_trees, mean_trees, tree_arrays
from thresher.methods.default.features import (
    KINDS,
    LINES,
    NAMES,
    PAGE_LINES,
    NameTable,
    block_features,
)
from thresher.methods.default.features.class_odds import NamePairs, name_features
from thresher.methods.default.features.containers import Outline
from thresher.methods.default.features.page import SCHEMA
from thresher.methods.default.judge import SECOND_FEATURES, fill_kinds, second_features
from thresher.methods.default.no_content import has_notice, no_content_features
from thresher.methods.model.boosted_trees import SymmetricTrees, sigmoid, softmax
from thresher.page import Page
from thresher.page.array_types import Bools, Float32s, Floats, Rows
from thresher.page.parse import parse

_MEMBERS = 3  # models that are averaged; docs/models/default.md has what each is worth
_TREES = 300  # of a member; 200 at a rate of 0.13 do as well on wcxb-dev, less well on big9-chaos
_RATE = 0.12
_DEPTH = 6
_FIRST = 60  # trees, of all members together, that are enough to rule out most blocks
# Kinds in five folds by site: 300 trees at a rate of 0.08 have a log loss of 0.51 on real pages,
# 150 at 0.1 one of 0.53.
_KIND_TREES = 300
_KIND_RATE = 0.08
_KIND_DEPTH = 4
# The weight of a changed page for the kinds, real pages having 1. With 1, the accuracy on real
# pages is 0.81; with 0.2, 0.83; with 0 it is 0.83, and 0.57 instead of 0.85 on pages as old ones.
_KIND_COPY = 0.2
_KIND_FOLDS = 5
_MOST_BLOCKS = 60  # of one page in the draw of a member
_MOST_WEIGHT, _LEAST_WEIGHT = 0.3, 0.002  # of a block
_PAGE_WEIGHT = 3.0  # at most, of all blocks of a page
_IMPOSSIBLE = -9.0  # log-odds of a page kind that never occurs

# Pages from before HTML5 have few class names, none of its elements, no structured data. Half of
# the pages and copies are used once more without them, so that the trees learn to do without.
_OLD_SHARE = 0.5


class _Weight(NamedTuple):
    """The weight of a page in the training."""

    as_is: float
    as_old: float  # as a page of the old web


# By what was changed in the page: docs/models/default.md has what each is worth.
_WEIGHTS = {
    "page": _Weight(1.0, 0.15),
    "short": _Weight(0.3, 0.1),
    "thin": _Weight(0.5, 0.0),
    "beside": _Weight(0.15, 0.15),
}
_LISTS = ("listing", "collection", "forum")  # kinds of pages that are put beside articles
_OLD = NAMES.index("page_old")
_MODERN = [  # features that are 0 on a page of the old web
    index
    for index, name in enumerate(NAMES)
    if name.startswith(("names_", "page_names_"))
    or name in {
        "in_nav", "in_header", "in_footer", "in_aside", "in_main", "in_article", "in_section",
        "in_figure", "in_caption", "in_details", "in_dialog", "in_time", "in_template",
        "in_custom", "page_main", "page_article", "page_type", "page_article_count",
        "page_section_count", "page_time_count", "page_svg_block",
        *(f"page_{name}" for name in SCHEMA),
    }
]  # fmt: skip

# Trees that judge blocks again (`judge.SECOND_FEATURES`), on pages of today only. Real pages have
# more content than changed ones, which the trees over blocks have learned from, too; without any
# changed page, however, they keep too much of short articles. docs/models/default.md has what the
# weights are worth.
_SECOND_TREES, _SECOND_RATE, _SECOND_DEPTH = 100, 0.04, 4
_SECOND_WEIGHTS = {"page": 1.0, "short": 0.15, "beside": 0.15}
# Expected words above which pages are alike: few have more, and a long page lost its second half.
_MOST_EXPECTED = 500
_EXPECTED_WORDS = SECOND_FEATURES.index("expected_words")

# Pages without content: small trees over the whole page. A copy without content counts little,
# since such pages are rare: docs/models/default.md has what it is worth.
_EMPTY_TREES, _EMPTY_RATE, _EMPTY_DEPTH = 150, 0.08, 3
_EMPTY, _EMPTY_OLD = 0.04, 0.3
_LEAST_SITES = 4  # to learn from sites held out
_HELD_OUT_FOLDS = 5
_NO_TABLE = NameTable.of([], np.zeros(0), np.zeros((0, len(KINDS))))


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """The features, names and labels of the blocks of a page."""

    matrix: Float32s
    outline: Outline  # without its page and characters
    names: NamePairs
    tokens: PageTokens
    content: Bools  # one per block
    gold: int  # number of tokens of the gold text
    change: str = "page"  # what was changed in the page: a key of _WEIGHTS
    other_site: str = ""  # the site of the list that was put beside it
    copies: tuple[Sample, ...] = ()
    empty: Sample | None = None  # the page without its content
    notice: bool = False  # whether its title or a heading is that of an error or a barrier

    @property
    def usable(self) -> Bools:
        """One bool per block: True if it is trained on."""
        return self.outline.allowed & (self.outline.words > 0)

    @property
    def weight(self) -> Floats:
        """The weight of each block."""
        words = self.outline.words / max(self.gold, 1)
        weight = np.minimum(words, _MOST_WEIGHT) + _LEAST_WEIGHT
        total = max(float(weight[self.usable].sum()), 1e-9)
        scaled: Floats = weight * min(1.0, _PAGE_WEIGHT / total)
        return scaled

    def with_names(self, table: NameTable) -> Float32s:
        """Return the features with the names looked up in a table."""
        matrix = self.matrix.copy()
        matrix[LINES["names"]], kinds = name_features(self.outline, self.names, table)
        matrix[LINES["page names"]] = kinds[:, np.newaxis]
        return matrix


class DefaultTrainer:
    """Learns the trees, the table of names and the confidence."""

    def __init__(self) -> None:
        self._lists: list[tuple[str, str]] = []  # site and HTML of lists to put beside articles

    def sample(self, page: Page, content: Bools, gold: GoldPage) -> Sample | None:
        """Return the sample of a page with its changed copies; None if nothing can be learned."""
        own = sample_of(page, content, gold)
        if own is None or not content.any():
            return own
        copies = []
        for change, other_site, copy in self._copies(own, page, content, gold):
            sample = sample_of(copy.page, copy.content, gold, copy.left) if copy else None
            if sample is not None and sample.content.any():
                copies.append(replace(sample, change=change, other_site=other_site))
        return replace(own, copies=tuple(copies), empty=_empty_sample(content, gold))

    def _copies(
        self, own: Sample, page: Page, content: Bools, gold: GoldPage
    ) -> list[tuple[str, str, Copy | None]]:
        """Change a page; return what was changed, the site of the list beside it, and the copy."""
        rng = np.random.default_rng(crc32(gold.id.encode()))
        copies: list[tuple[str, str, Copy | None]] = []
        if gold.kind == "article":
            copies.append(("short", "", shortened(page, content, rng)))
            if self._lists:
                site, html = self._lists[int(rng.integers(len(self._lists)))]
                both = with_list_beside(page, content, html, rng)
                if both is not None and rng.random() < 0.5:
                    both = shortened(both.page, both.content, rng) or both
                copies.append(("beside", site, both))
        else:
            copies.append(("thin", "", thinned(page, own.outline, content, rng)))
        if gold.kind in _LISTS and (html := content_html(page, content)):
            self._lists.append((own.tokens.site, html))
        return copies

    def fit(self, samples: Sequence[Sample | None], seed: int) -> Learned:
        """Train on all samples."""
        usable = [sample for sample in samples if sample is not None]
        if len({sample.tokens.site for sample in usable}) < 2:
            raise InputError(
                "default learns from pages of two sites or more that have a gold text."
            )
        content = np.concatenate([sample.content[sample.usable] for sample in usable])
        if content.all() or not content.any():
            raise InputError("all blocks or none are content: do the texts belong to these pages?")
        model = _Model(usable, seed)
        return Learned(
            {**model.arrays(), **_held_out_arrays(usable, seed)},
            {
                "features": len(NAMES),
                "trees": model.block.feature.shape[1],
                "kinds": list(KINDS),
            },
        )


def sample_of(page: Page, content: Bools, gold: GoldPage, left: float = 1.0) -> Sample | None:
    """Return the sample of a page; `left` is the share of the gold text that the page still has."""
    found = block_features(page, _NO_TABLE)
    wanted = len(tokens(gold.text))
    if found is None or not wanted:
        return None
    outline, names = found.outline, found.names
    of_block = content[page.blocks.texts_from]
    light = replace(outline, page=None, characters=None)  # type: ignore[arg-type]
    site = gold.site.casefold() or f"page {gold.id}"
    under = _shares_under(outline, of_block)
    kept = page_tokens(site, gold.kind, names.pairs, names.of_container, under)
    size = max(1, round(left * wanted))
    return Sample(found.matrix, light, names, kept, of_block, size, notice=has_notice(page))


def _empty_sample(content: Bools, gold: GoldPage) -> Sample | None:
    """Return the sample of a page without its content, often with a notice instead."""
    rng = np.random.default_rng(crc32(gold.id.encode()))
    copy = emptied(parse(gold.html), content, rng)
    return sample_of(copy.page, copy.content, gold)


def _shares_under(outline: Outline, content: Bools) -> Floats:
    """Return the shares of the page's words below each container: of content, and of all words."""
    size = len(outline.row)
    share = outline.words / max(float(outline.words.sum()), 1.0)
    own = [np.bincount(outline.container, part, size) for part in (share * content, share)]
    upto = np.concatenate((np.zeros((2, 1)), np.array(own).cumsum(axis=1)), axis=1)
    after = outline.row.searchsorted(outline.end)
    found: Floats = upto[:, after] - upto[:, :-1]
    return found


class _Model:
    """The trees and the table of names, trained on some samples.

    The trees for blocks are the mean of several members, each trained on its own draw of blocks.
    """

    def __init__(self, samples: Sequence[Sample], seed: int, members: int = 0) -> None:
        counts = TokenCounts([sample.tokens for sample in samples])
        rng = np.random.default_rng(seed)
        used = sorted(_used_samples(samples, rng), key=lambda one: one[0].tokens.site)
        draws = [_Draw([], [], []) for _ in range(members or _MEMBERS)]
        pages = []
        for site, of_site in groupby(used, key=lambda one: one[0].tokens.site):
            table = counts.table(without=site)
            for sample, as_old in of_site:
                matrix = sample.with_names(table)
                if as_old:
                    matrix[_MODERN], matrix[_OLD] = 0, 1
                pages.append(matrix[PAGE_LINES, 0].copy())
                matrix[LINES["page title"]] = 0  # for the page's kind alone
                for draw in draws:
                    draw.add(matrix, sample, _weight(sample, as_old), rng)
        kinds = _PageKinds(used, np.stack(pages), seed)
        self.names = counts.table()
        self.page = kinds.trees
        trees: list[SymmetricTrees] = []
        while draws:  # each is large: it is dropped once it is used
            trees.append(draws.pop(0).train(kinds.held_out, seed + len(trees)))
        self.block = mean_trees(trees)

    def judge(self, sample: Sample, *, as_old: bool = False) -> tuple[Float32s, Floats]:
        """Return the features of a page and the probability of each block."""
        matrix = sample.with_names(self.names)
        if as_old:
            matrix[_MODERN], matrix[_OLD] = 0, 1
        fill_kinds(matrix, self.page)
        return matrix, sigmoid(self.block(matrix)[0]) * sample.outline.allowed

    def no_content_row(self, sample: Sample, as_old: bool) -> Float32s:
        """Return the features by which a page without content is known."""
        matrix, probability = self.judge(sample, as_old=as_old)
        words = sample.outline.words
        return no_content_features(matrix, probability, words, notice=sample.notice)[:, 0]

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the arrays of the model file."""
        return {
            **self.names.arrays(),
            "split": np.array([_FIRST], np.uint16),
            **tree_arrays(self.block, "block", "used"),
            **tree_arrays(self.page, "page", "page_used"),
        }


class _Draw(NamedTuple):
    """The blocks that one member is trained on, page by page."""

    features: list[Float32s]
    label: list[Bools]
    weight: list[Floats]

    def add(
        self, matrix: Float32s, sample: Sample, weight: float, rng: np.random.Generator
    ) -> None:
        """Draw from the blocks of a page that has the given weight."""
        chosen, weights = choose_blocks(sample, rng)
        self.features.append(matrix.take(chosen, axis=1).T)
        self.label.append(sample.content[chosen])
        self.weight.append(weights * weight)

    def train(self, kinds: Float32s, seed: int) -> SymmetricTrees:
        """Train a member; `kinds` has the probabilities of each page's kinds."""
        for table, probability in zip(self.features, kinds, strict=True):
            table[:, LINES["kinds"]] = probability
        return _train_blocks(
            np.concatenate(self.features),
            np.concatenate(self.label),
            np.concatenate(self.weight),
            seed,
        )


class _PageKinds:
    """The trees for the kind of a page, and the probabilities for pages of sites held out.

    They learn from real pages; changed ones count little, so that the trees know short pages and
    pages of the old web, of which the samples have few.
    """

    def __init__(self, used: Sequence[tuple[Sample, bool]], pages: Float32s, seed: int) -> None:
        kinds = [sample.tokens.kind for sample, _ in used]
        kind = np.array([KINDS.index(name) if name in KINDS else -1 for name in kinds])
        is_real = [sample.change == "page" and not as_old for sample, as_old in used]
        weight = np.where(is_real, 1.0, _KIND_COPY)
        sites = [sample.tokens.site for sample, _ in used]
        fold_of = folds_of_groups(sites, min(_KIND_FOLDS, len(set(sites))), seed)
        self.held_out = np.zeros((len(used), len(KINDS)), np.float32)
        for fold in np.unique(fold_of).tolist():
            learned = (fold_of != fold) & (kind >= 0)
            trees = _train_kinds(pages[learned], kind[learned], weight[learned], seed)
            judged = fold_of == fold
            self.held_out[judged] = softmax(trees(pages[judged].T)).T
        known = kind >= 0
        self.trees = _train_kinds(pages[known], kind[known], weight[known], seed)


def _used_samples(samples: Sequence[Sample], rng: np.random.Generator) -> list[tuple[Sample, bool]]:
    """Return all samples and their copies, some of them once more as pages of the old web (True).

    Copies with a list of a site that is not among the samples, so held out, are left out.
    """
    sites = {"", *(sample.tokens.site for sample in samples)}
    every = [one for sample in samples for one in (sample, *sample.copies)]
    known = [sample for sample in every if sample.other_site in sites]
    is_old = (rng.random(len(known)) < _OLD_SHARE).tolist()
    used = [(sample, False) for sample in known]
    used += [(sample, True) for sample, old in zip(known, is_old, strict=True) if old]
    return [one for one in used if _weight(*one)]


def _weight(sample: Sample, as_old: bool) -> float:
    weight = _WEIGHTS[sample.change]
    return weight.as_old if as_old else weight.as_is


def choose_blocks(sample: Sample, rng: np.random.Generator) -> tuple[Rows, Floats]:
    """Return blocks to train on, about `_MOST_BLOCKS` at most, and their weights."""
    weight = sample.weight
    chosen = sample.usable.nonzero()[0]
    if len(chosen) <= _MOST_BLOCKS:
        return chosen, weight[chosen]
    share = weight[chosen] / weight[chosen].sum()
    chance = np.minimum(1.0, _MOST_BLOCKS * (share + 1 / len(chosen)) / 2)
    drawn = rng.random(len(chosen)) < chance
    return chosen[drawn], (weight[chosen] / chance)[drawn]


# --- CatBoost ------------------------------------------------------------------------------------


def _train_blocks(table: Float32s, label: Bools, weight: Floats, seed: int) -> SymmetricTrees:
    """Train the trees for blocks."""
    model = need("catboost").CatBoostClassifier(
        iterations=_TREES, depth=_DEPTH, learning_rate=_RATE, l2_leaf_reg=5, random_seed=seed,
        border_count=48, rsm=0.25, bootstrap_type="Bernoulli", subsample=0.7, verbose=0,
        allow_writing_files=False,
    )  # fmt: skip
    model.fit(table, label, sample_weight=weight)
    return catboost_trees(model, 1)


def _train_kinds(table: Float32s, kind: Rows, weight: Floats, seed: int) -> SymmetricTrees:
    """Train the trees for the page's kind; kinds that never occur are next to impossible."""
    present = np.unique(kind)
    bias = np.full(len(KINDS), _IMPOSSIBLE)
    if len(present) < 2:
        bias[present] = 0.0
        return SymmetricTrees(
            np.zeros((1, 1), np.int32), np.zeros((1, 1), np.float32),
            np.zeros((len(KINDS), 1, 2), np.float32), bias,
        )  # fmt: skip
    model = need("catboost").CatBoostClassifier(
        iterations=_KIND_TREES, depth=_KIND_DEPTH, learning_rate=_KIND_RATE, l2_leaf_reg=5,
        random_seed=seed, loss_function="MultiClass", rsm=0.3, bootstrap_type="Bernoulli",
        subsample=0.7, verbose=0, allow_writing_files=False,
    )  # fmt: skip
    model.fit(table, kind, sample_weight=weight)
    trees = catboost_trees(model, len(present))
    value = np.zeros((len(KINDS), *trees.value.shape[1:]), np.float32)
    value[present], bias[present] = trees.value, trees.bias
    return replace(trees, value=value, bias=bias)


# --- what is learned from sites held out ---------------------------------------------------------


def _held_out_arrays(samples: Sequence[Sample], seed: int) -> dict[str, npt.NDArray[Any]]:
    """Return the trees that learn from the judgements of models on sites that these never saw.

    Those are the trees for pages without content and those that judge blocks again; nothing if the
    sites are too few.
    """
    sites = sorted({sample.tokens.site for sample in samples})
    if len(sites) < _LEAST_SITES:
        return {}
    folds = min(_HELD_OUT_FOLDS, len(sites))
    fold_of = folds_of_groups([sample.tokens.site for sample in samples], folds, seed).tolist()
    pages, blocks = _EmptyRows([], [], []), _SecondRows([], [], [])
    for fold in range(folds):
        judged = [sample for sample, own in zip(samples, fold_of, strict=True) if own == fold]
        learned = [sample for sample, own in zip(samples, fold_of, strict=True) if own != fold]
        model = _Model(learned, seed, members=1)
        pages.add(model, judged)
        blocks.add(model, judged, {"", *sites})
    return {**pages.arrays(seed), **blocks.arrays(seed)}


class _EmptyRows(NamedTuple):
    """Pages with and without content."""

    features: list[Float32s]
    is_empty: list[bool]
    weight: list[float]

    def add(self, model: _Model, judged: Sequence[Sample]) -> None:
        """Add pages as a model judges them."""
        for sample, as_old in _whole_and_empty(judged):
            is_empty = not sample.content.any()
            self.features.append(model.no_content_row(sample, as_old))
            self.is_empty.append(is_empty)
            self.weight.append((_EMPTY if is_empty else 1.0) * (_EMPTY_OLD if as_old else 1.0))

    def arrays(self, seed: int) -> dict[str, npt.NDArray[Any]]:
        """Return the trees; nothing if there is nothing to tell apart."""
        if all(self.is_empty) or not any(self.is_empty):
            return {}
        parts = np.stack(self.features), np.array(self.is_empty), np.array(self.weight)
        return tree_arrays(_train_no_content(*parts, seed), "empty", "empty_used")


class _SecondRows(NamedTuple):
    """Blocks that are judged again, page by page."""

    features: list[Float32s]
    label: list[Bools]
    weight: list[Floats]

    def add(self, model: _Model, judged: Sequence[Sample], sites: set[str]) -> None:
        """Add the blocks of pages as a model judges them.

        Changed pages with a part of a site that is not in `sites` are left out, and so are pages
        of the old web and those that do not have their gold text.
        """
        for sample in judged:
            for one in (sample, *sample.copies) if sample.content.any() else ():
                weight = _SECOND_WEIGHTS.get(one.change, 0.0)
                if not weight or one.matrix[_OLD, 0] or one.other_site not in sites:
                    continue
                matrix, probability = model.judge(one)
                kinds = matrix[LINES["kinds"], 0].astype(np.float64)
                blocks, features = second_features(probability, one.outline.words, kinds)
                features[_EXPECTED_WORDS] = np.minimum(features[_EXPECTED_WORDS], _MOST_EXPECTED)
                is_used = one.usable[blocks]
                self.features.append(features.T[is_used])
                self.label.append(one.content[blocks[is_used]])
                self.weight.append(weight * one.weight[blocks[is_used]])

    def arrays(self, seed: int) -> dict[str, npt.NDArray[Any]]:
        """Return the trees; nothing if there is nothing to tell apart."""
        label = np.concatenate([np.zeros(0, np.bool_), *self.label])
        if label.all() or not label.any():
            return {}
        parts = np.concatenate(self.features), label, np.concatenate(self.weight)
        return tree_arrays(_train_second(*parts, seed), "second", "second_used")


def _whole_and_empty(samples: Sequence[Sample]) -> Iterator[tuple[Sample, bool]]:
    """Yield pages, their shortened copies and those without content, also as old pages (True).

    Of a page whose gold text it does not have, it is not known whether it has content.
    """
    for sample in samples:
        if sample.content.any() and sample.empty is not None:
            short = [copy for copy in sample.copies if copy.change == "short"]
            for one in (sample, *short, sample.empty):
                yield one, False
                yield one, True


def _train_no_content(
    table: Float32s, is_empty: Bools, weight: Floats, seed: int
) -> SymmetricTrees:
    model = need("catboost").CatBoostClassifier(
        iterations=_EMPTY_TREES, depth=_EMPTY_DEPTH, learning_rate=_EMPTY_RATE, l2_leaf_reg=5,
        random_seed=seed, rsm=0.5, bootstrap_type="Bernoulli", subsample=0.7, verbose=0,
        allow_writing_files=False,
    )  # fmt: skip
    model.fit(table, is_empty, sample_weight=weight)
    return catboost_trees(model, 1)


def _train_second(table: Float32s, label: Bools, weight: Floats, seed: int) -> SymmetricTrees:
    """Train the trees that judge again, which add to the log-odds of the first feature."""
    catboost = need("catboost")
    model = catboost.CatBoostClassifier(
        iterations=_SECOND_TREES, depth=_SECOND_DEPTH, learning_rate=_SECOND_RATE, l2_leaf_reg=300,
        random_seed=seed, border_count=48, rsm=0.5, bootstrap_type="Bernoulli", subsample=0.7,
        leaf_estimation_iterations=1, verbose=0, thread_count=1, allow_writing_files=False,
        boost_from_average=False,
    )  # fmt: skip
    before = np.minimum(table[:, 0].astype(np.float64), _SUREST)
    baseline = np.log(before / (1.0 - before))
    model.fit(catboost.Pool(table, label.astype(int), weight=weight, baseline=baseline))
    return catboost_trees(model, 1)


_SUREST = 1.0 - 1e-6  # a probability whose log-odds are finite
