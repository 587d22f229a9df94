"""Training of the default: CatBoost's symmetric trees on the features of all blocks.

- Label of a block: `labels`. Weight: its words over the gold's length, at most 0.3, plus a little;
  a page's weights sum to 3 at most. Pages without gold text are left out.
- Of a page with many blocks a sample is taken, the heavier ones first, and weighted up again.
- A page is shown several times: as it is, changed (`copies`), and as a page of the old web.
- Names are looked up in a table that leaves the page's own site out (`tokens`).
- The page's kind: a second set of trees on the features of the whole page.
- Confidence: two halves of the sites judge each other; expected F1 against what came out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from zlib import crc32

import numpy as np
import numpy.typing as npt

from thresher.errors import InputError
from thresher.evaluate.corpora import GoldPage
from thresher.evaluate.scores import tokens
from thresher.evaluate.training.augmentation import Copy, beside, content_html, shortened, thinned
from thresher.evaluate.training.catboost_export import exported
from thresher.evaluate.training.folds import folds_of_groups
from thresher.evaluate.training.name_odds import PageTokens, TokenCounts, page_tokens
from thresher.evaluate.training.trainer import Learned, need
from thresher.methods.default.features import KINDS, NAMES, PAGE_FEATURES, NameTable, features
from thresher.methods.default.features.class_odds import NAME_FEATURES, Named, name_features
from thresher.methods.default.features.containers import Frame
from thresher.methods.default.features.page import SCHEMA
from thresher.methods.default.features.title import PAGE_TITLE_FEATURES
from thresher.methods.default.judge import BETA, best_prefix, is_old, judge_kinds, with_care
from thresher.methods.model.boosted_trees import SymmetricTrees, sigmoid, softmax
from thresher.page import Page
from thresher.page.array_types import Bools, Float32s, Floats, Rows

_TREES = 300  # 200 at a rate of 0.13 do as well on wcxb-dev, and less well on big9-chaos
_RATE = 0.12
_DEPTH = 6
_FIRST = 60  # trees that rule out the hopeless blocks
_KIND_TREES = 150
_KIND_DEPTH = 4
_KIND_FOLDS = 5
_MOST_BLOCKS = 250  # of one page
_HEAVIEST, _LIGHTEST, _PAGE = 0.3, 0.002, 3.0

# Pages from before HTML5 have few class names, none of its elements, no structured data. Half of
# the pages and copies are shown once more without them, so that the trees learn to do without.
_OLD_SHARE = 0.5
# What each counts, as it is and as a page of the old web: docs/models/default.md has what it gives.
_WORTH = {"page": (1.0, 0.15), "short": (0.3, 0.1), "thin": (0.5, 0.0), "beside": (0.15, 0.15)}
_LISTS = ("listing", "collection", "forum")  # kinds of pages that are put beside articles
_OLD = NAMES.index("page_old")
_MODERN = [
    index
    for index, name in enumerate(NAMES)
    if name.startswith(("names_", "page_names_"))
    or name in {
        "in_nav", "in_header", "in_footer", "in_aside", "in_main", "in_article", "in_section",
        "in_figure", "in_caption", "in_details", "in_dialog", "in_time", "in_template",
        "in_custom", "page_main", "page_article", "page_type", "page_article_count",
        "page_section_count", "page_time_count", "page_svg_block",
        *(f"page_{said}" for said in SCHEMA),
    }
]  # fmt: skip
# What only the page's kind is told by.
_OF_KIND = [NAMES.index(name) for name, _ in PAGE_TITLE_FEATURES]

_NAMES_AT = NAMES.index(NAME_FEATURES[0][0])
_KINDS_AT = NAMES.index(f"page_names_{KINDS[0]}")
_NO_TABLE = NameTable.of([], np.zeros(0), np.zeros((0, len(KINDS))))


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """What is kept of a page: its features, its names, its labels."""

    matrix: Float32s
    frame: Frame  # without its page
    names: Named
    tokens: PageTokens
    content: Bools  # of each block
    gold: int  # tokens of the gold text
    role: str = "page"  # what was changed: a key of _WORTH
    other: str = ""  # the site of what was put beside it
    copies: tuple[Sample, ...] = ()

    @property
    def usable(self) -> Bools:
        """Blocks that are learned from."""
        return self.frame.allowed & (self.frame.words > 0)

    @property
    def weight(self) -> Floats:
        """How much each block counts."""
        weight = np.minimum(self.frame.words / max(self.gold, 1), _HEAVIEST) + _LIGHTEST
        scaled: Floats = weight * min(1.0, _PAGE / max(float(weight[self.usable].sum()), 1e-9))
        return scaled

    def with_names(self, table: NameTable) -> Float32s:
        """Return the features with the names looked up in a table."""
        matrix = self.matrix.copy()
        by_name, kinds = name_features(self.frame, self.names, table)
        matrix[_NAMES_AT : _NAMES_AT + len(by_name)] = by_name
        matrix[_KINDS_AT : _KINDS_AT + len(KINDS)] = kinds[:, np.newaxis]
        return matrix


class DefaultTrainer:
    """Learns trees, the table of names and the calibration."""

    def __init__(self) -> None:
        self._lists: list[tuple[str, str]] = []  # site and HTML of what may stand beside an article

    def sample(self, page: Page, content: Bools, gold: GoldPage) -> Sample | None:
        """Compute the features of a page and its copies; None when nothing can be learned of it."""
        own = sample_of(page, content, gold)
        if own is None or not content.any():
            return own
        made = self._copies(own, page, content, gold)
        found = (sample_of(*copy[:2], gold, copy.left) for _, _, copy in made)
        copies = (
            replace(sample, role=role, other=other)
            for sample, (role, other, _) in zip(found, made, strict=True)
            if sample is not None and sample.content.any()
        )
        return replace(own, copies=tuple(copies))

    def _copies(
        self, own: Sample, page: Page, content: Bools, gold: GoldPage
    ) -> list[tuple[str, str, Copy]]:
        """Change a page: how, with what of which site, and what came out."""
        rng = np.random.default_rng(crc32(gold.id.encode()))
        made: list[tuple[str, str, Copy | None]] = []
        if gold.kind == "article":
            made.append(("short", "", shortened(page, content, rng)))
            if self._lists:
                site, html = self._lists[int(rng.integers(len(self._lists)))]
                both = beside(page, content, html, rng)
                if both is not None and rng.random() < 0.5:
                    both = shortened(both.page, both.content, rng) or both
                made.append(("beside", site, both))
        else:
            made.append(("thin", "", thinned(page, own.frame, content, rng)))
        if gold.kind in _LISTS and (html := content_html(page, content)):
            self._lists.append((own.tokens.site, html))
        return [(role, other, copy) for role, other, copy in made if copy is not None]

    def fit(self, samples: Sequence[Sample | None], seed: int) -> Learned:
        """Train on all samples."""
        usable = [sample for sample in samples if sample is not None]
        _check(usable)
        model = _Trained(usable, seed)
        knots = _calibrate(usable, seed)
        return Learned(
            {**model.arrays(), "knots": knots},
            {"features": len(NAMES), "trees": _TREES, "kinds": list(KINDS)},
        )


def sample_of(page: Page, content: Bools, gold: GoldPage, left: float = 1.0) -> Sample | None:
    """Compute the features of a page; `left` is the part of the gold text that it still has."""
    found = features(page, _NO_TABLE)
    wanted = len(tokens(gold.text))
    if found is None or not wanted:
        return None
    frame, names = found.frame, found.names
    of_block = content[page.blocks.texts_from]
    light = replace(frame, page=None, characters=None)  # type: ignore[arg-type]
    site = gold.site.casefold() or f"page {gold.id}"
    under = _under(frame, of_block)
    kept = page_tokens(site, gold.kind, names.pairs, names.of_container, under)
    return Sample(found.matrix, light, names, kept, of_block, max(1, round(left * wanted)))


def _check(samples: Sequence[Sample]) -> None:
    """Refuse what nothing can be learned from, in a sentence."""
    if len({sample.tokens.site for sample in samples}) < 2:
        raise InputError("default learns from pages of two sites or more that have a gold text.")
    content = np.concatenate([sample.content[sample.usable] for sample in samples])
    if content.all() or not content.any():
        raise InputError("all blocks or none are content: do the texts belong to these pages?")


def _under(frame: Frame, content: Bools) -> Floats:
    """Return the shares of the page's words below each container: content, and all."""
    size = len(frame.row)
    share = frame.words / max(float(frame.words.sum()), 1.0)
    own = np.stack([np.bincount(frame.home, part, size) for part in (share * content, share)])
    upto = np.concatenate((np.zeros((2, 1)), own.cumsum(axis=1)), axis=1)
    after = frame.row.searchsorted(frame.end)
    found: Floats = upto[:, after] - upto[:, :-1]
    return found


class _Trained:
    """Trees and table, trained on some samples."""

    def __init__(self, samples: Sequence[Sample], seed: int) -> None:
        counts = TokenCounts([sample.tokens for sample in samples])
        rng = np.random.default_rng(seed)
        blocks, label, weight, pages = [], [], [], []
        shown = _shown(samples, rng)
        for sample, aged in shown:
            matrix = sample.with_names(counts.table(without=sample.tokens.site))
            if aged:
                matrix[_MODERN], matrix[_OLD] = 0, 1
            chosen, weights = chosen_blocks(sample, rng)
            blocks.append(matrix[:, chosen].T)
            label.append(sample.content[chosen])
            weight.append(weights * _worth(sample, aged))
            pages.append(matrix[-PAGE_FEATURES : -len(KINDS), 0])
        kinds = _PageKinds([sample for sample, _ in shown], np.stack(pages), seed)
        for table, probability in zip(blocks, kinds.held_out, strict=True):
            table[:, -len(KINDS) :] = probability
            table[:, _OF_KIND] = 0
        self.names = counts.table()
        self.page, self.page_used = kinds.trees
        self.block, self.used = _boost(
            np.concatenate(blocks), np.concatenate(label), np.concatenate(weight), seed
        )

    def judge(self, sample: Sample) -> tuple[Floats, bool]:
        """Return the probability of each block, and whether to keep them with care."""
        matrix = sample.with_names(self.names)
        article = float(judge_kinds(matrix, self.page, self.page_used)[0])
        found = sigmoid(self.block(matrix.take(self.used, axis=0))[0])
        return found * sample.frame.allowed, with_care(article, is_old(matrix))

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return all that goes into the file."""
        return {
            **self.names.arrays(),
            "used": self.used.astype(np.uint16),
            "page_used": self.page_used.astype(np.uint16),
            "split": np.array([_FIRST], np.uint16),
            **self.block.arrays("block"),
            **self.page.arrays("page"),
        }


class _PageKinds:
    """The trees for the kind of a page, and what trees that never saw its site say of each page."""

    def __init__(self, samples: Sequence[Sample], pages: Float32s, seed: int) -> None:
        kind = np.array([_kind(sample) for sample in samples])
        sites = [sample.tokens.site for sample in samples]
        part = folds_of_groups(sites, min(_KIND_FOLDS, len(set(sites))), seed)
        self.held_out = np.zeros((len(samples), len(KINDS)), np.float32)
        for fold in np.unique(part).tolist():
            learned = (part != fold) & (kind >= 0)
            trees, used = _boost_kinds(pages[learned], kind[learned], seed)
            judged = part == fold
            self.held_out[judged] = softmax(trees(pages[judged].T.take(used, axis=0))).T
        self.trees = _boost_kinds(pages[kind >= 0], kind[kind >= 0], seed)


def _shown(samples: Sequence[Sample], rng: np.random.Generator) -> list[tuple[Sample, bool]]:
    """Return all samples and their copies, some of them once more as pages of the old web.

    Not what was made with a page of a site that is not among them, so held out.
    """
    sites = {"", *(sample.tokens.site for sample in samples)}
    every = [shown for sample in samples for shown in (sample, *sample.copies)]
    known = [sample for sample in every if sample.other in sites]
    aged = (rng.random(len(known)) < _OLD_SHARE).tolist()
    again = [(sample, True) for sample, old in zip(known, aged, strict=True) if old]
    return [shown for shown in [*((sample, False) for sample in known), *again] if _worth(*shown)]


def _worth(sample: Sample, aged: bool) -> float:
    return _WORTH[sample.role][aged]


def _kind(sample: Sample) -> int:
    return KINDS.index(sample.tokens.kind) if sample.tokens.kind in KINDS else -1


def chosen_blocks(sample: Sample, rng: np.random.Generator) -> tuple[Rows, Floats]:
    """Choose blocks to learn from, and their weights."""
    weight = sample.weight
    chosen = sample.usable.nonzero()[0]
    if len(chosen) <= _MOST_BLOCKS:
        return chosen, weight[chosen]
    share = weight[chosen] / weight[chosen].sum()
    chance = np.minimum(1.0, _MOST_BLOCKS * (share + 1 / len(chosen)) / 2)
    drawn = rng.random(len(chosen)) < chance
    return chosen[drawn], (weight[chosen] / chance)[drawn]


def _boost(table: Float32s, label: Bools, weight: Floats, seed: int) -> tuple[SymmetricTrees, Rows]:
    catboost = need("catboost")
    model = catboost.CatBoostClassifier(
        iterations=_TREES, depth=_DEPTH, learning_rate=_RATE, l2_leaf_reg=5, random_seed=seed,
        border_count=48, rsm=0.25, bootstrap_type="Bernoulli", subsample=0.7, verbose=0,
        allow_writing_files=False,
    )  # fmt: skip
    model.fit(table, label, sample_weight=weight)
    return exported(model, 1)


def _boost_kinds(table: Float32s, kind: Rows, seed: int) -> tuple[SymmetricTrees, Rows]:
    """Train the trees for the page's kind; kinds that never occur are next to impossible."""
    catboost = need("catboost")
    present = np.unique(kind)
    if len(present) < 2:
        none = SymmetricTrees(
            np.zeros((1, 1), np.int32), np.zeros((1, 1), np.float32),
            np.zeros((len(KINDS), 1, 2), np.float32),
            np.where(np.isin(range(len(KINDS)), present), 0.0, -9.0),
        )  # fmt: skip
        return none, np.zeros(1, np.intp)
    model = catboost.CatBoostClassifier(
        iterations=_KIND_TREES, depth=_KIND_DEPTH, learning_rate=0.1, l2_leaf_reg=5,
        random_seed=seed, loss_function="MultiClass", rsm=0.3, bootstrap_type="Bernoulli",
        subsample=0.7, verbose=0, allow_writing_files=False,
    )  # fmt: skip
    model.fit(table, kind)
    trees, used = exported(model, len(present))
    value = np.zeros((len(KINDS), *trees.value.shape[1:]), np.float32)
    bias = np.full(len(KINDS), -9.0)
    value[present], bias[present] = trees.value, trees.bias
    return replace(trees, value=value, bias=bias), used


_KNOTS = 9


def _calibrate(samples: Sequence[Sample], seed: int) -> Floats:
    """Return expected F1 and the mean F1 that came out, on pages of sites held out."""
    sites = sorted({sample.tokens.site for sample in samples})
    straight = np.array([[0.0, 1.0], [0.0, 1.0]])
    if len(sites) < 4:
        return straight
    half = set(np.random.default_rng(seed).permutation(sites)[: len(sites) // 2].tolist())
    sides = [
        [sample for sample in samples if (sample.tokens.site in half) is side]
        for side in (True, False)
    ]
    pairs = []
    for learned, judged in (sides, sides[::-1]):
        model = _Trained(learned, seed)
        pairs += [_expected_and_true(sample, *model.judge(sample)) for sample in judged]
    expected, true = np.array(sorted(pairs)).T
    if len(expected) < 4 * _KNOTS:
        return straight
    parts = np.array_split(np.arange(len(expected)), _KNOTS)
    x = np.array([expected[part].mean() for part in parts])
    y = np.maximum.accumulate([true[part].mean() for part in parts])
    return np.stack(
        (np.concatenate(([0.0], x, [1.0])), np.concatenate(([0.0], y, [max(y[-1], x[-1])])))
    )


def _expected_and_true(sample: Sample, probability: Floats, care: bool) -> tuple[float, float]:
    words = sample.frame.words
    kept = best_prefix(probability, words, BETA["balance"][care])
    found = probability * words
    expected = 2 * found[kept].sum() / max(words[kept].sum() + found.sum(), 1e-9)
    right = (words * sample.content)[kept].sum()
    true = 2 * right / max(words[kept].sum() + sample.gold, 1.0)
    return float(expected), float(min(true, 1.0))
