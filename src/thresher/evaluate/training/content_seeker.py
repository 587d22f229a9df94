"""Training of Content-Seeker: stop words, then a forest for granularity, then one for content.

Granularity is learned from the elements that a division from the top comes to: those that are no
part of an element of good granularity. Content is learned from the segments that the first forest
makes, each labelled by most of its words. Of a page at most `_MOST` elements are taken, so that
long pages do not decide alone; each weighs as the square root of its words.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.evaluate.corpora import GoldPage
from thresher.evaluate.training.trainer import Learned, need
from thresher.methods.content_seeker import FEATURES, STEM, ContentSeeker, Units, segments, units
from thresher.methods.model.forest import Forest
from thresher.page import Page
from thresher.page.array_types import Bools, Float32s, Floats, Int32s, Int64s, Rows, UInt32s
from thresher.page.words import stems

_PURE = 0.9  # share of words of one kind in a segment of good granularity; ours
_STOP_WORDS = 512  # stems; ours
_MOST = 120  # elements of a page; ours
_TREES, _DEPTH, _LEAF = 16, 9, 0.0005  # of a forest: trees, levels, share of the weight in a leaf
_STOPS = FEATURES.index("share of stop words")


class _Sample(NamedTuple):
    """The units of a page, the words of its blocks, and which of those are content."""

    units: Units  # without the share of stop words: that is known when all pages are
    first: Rows  # of each unit the first block and, below, one past the last
    last: Rows
    stem: UInt32s
    block: Int32s  # of each stem
    share: Floats  # of each unit's words that are content


_NO_STOPS = np.zeros(0, np.uint32)


class ContentSeekerTrainer:
    """Two random forests."""

    def sample(self, page: Page, content: Bools, gold: GoldPage) -> _Sample:  # noqa: ARG002
        """Count what each unit holds, and how much of it is content."""
        found, blocks = units(page, _NO_STOPS), page.blocks
        first = blocks.first.searchsorted(found.row)
        last = blocks.first.searchsorted(found.end)
        texts = ((blocks.of_text >= 0) & ~page.hidden[page.text_rows]).nonzero()[0]
        words = page.words[page.text_rows[texts]] * content[texts]
        in_content = np.bincount(blocks.of_text[texts], words, len(blocks))
        upto = np.concatenate(([0], in_content.cumsum()))
        share = (upto[last] - upto[first]) / np.maximum(found.words, 1)
        stem = stems([page.texts[text] or "" for text in texts.tolist()], STEM)
        block = np.repeat(blocks.of_text[texts], page.words[page.text_rows[texts]])
        return _Sample(found, first, last, stem, block, share)

    def fit(self, samples: Sequence[_Sample], seed: int) -> Learned:
        """Find the stop words, divide the pages, judge the segments."""
        stop_words = frequent(samples)
        values = [_with_stops(sample, stop_words) for sample in samples]
        random = np.random.default_rng(seed)
        chosen = [_some(_asked(sample), random) for sample in samples]
        good = [good_granularity(sample.units, sample.share) for sample in samples]
        granularity = _forest(
            [value[:, rows] for value, rows in zip(values, chosen, strict=True)],
            [labels[rows] for labels, rows in zip(good, chosen, strict=True)],
            [sample.units.words[rows] for sample, rows in zip(samples, chosen, strict=True)],
            seed,
        )
        judge = Forest(**granularity)
        found = [
            _some(_divided(sample.units, value, judge), random)
            for sample, value in zip(samples, values, strict=True)
        ]
        content = _forest(
            [value[:, rows] for value, rows in zip(values, found, strict=True)],
            [sample.share[rows] >= 0.5 for sample, rows in zip(samples, found, strict=True)],
            [sample.units.words[rows] for sample, rows in zip(samples, found, strict=True)],
            seed + 1,
        )
        arrays = {"stop_words": stop_words}
        for name, forest in (("granularity", granularity), ("content", content)):
            arrays |= {f"{name}_{part}": column for part, column in forest.items()}
        return Learned(arrays, {"features": list(FEATURES)})


def frequent(samples: Sequence[_Sample]) -> UInt32s:
    """Return the stems that stand on most pages, sorted; the smaller number on ties."""
    pages = [np.unique(sample.stem) for sample in samples]
    stem, count = np.unique(np.concatenate([_NO_STOPS, *pages]), return_counts=True)
    best = np.lexsort((stem, -count))[:_STOP_WORDS]
    return np.sort(stem[best])


def _with_stops(sample: _Sample, stop_words: UInt32s) -> Float32s:
    """Return the features of a page's units, the share of stop words among them."""
    is_stop = np.isin(sample.stem, stop_words)
    blocks = int(sample.last.max(initial=0))
    upto = np.concatenate(([0], np.bincount(sample.block[is_stop], minlength=blocks).cumsum()))
    value = sample.units.value.copy()
    value[_STOPS] = (upto[sample.last] - upto[sample.first]) / np.maximum(sample.units.words, 1)
    return value


def good_granularity(found: Units, share: Floats) -> Bools:
    """Tell which elements are of one kind, content or not; for the blocks the answer is False."""
    pure: Bools = np.maximum(share, 1 - share) >= _PURE
    pure[found.elements :] = False
    return pure


def _asked(sample: _Sample) -> Rows:
    """Return the elements that the division comes to: not inside one of good granularity."""
    found = sample.units
    good = good_granularity(found, sample.share)[: found.elements]
    reach = np.zeros(found.elements + 1, np.int64)
    np.maximum.accumulate(np.where(good, found.end[: found.elements], 0), out=reach[1:])
    return (reach[:-1] <= found.row[: found.elements]).nonzero()[0]


def _divided(found: Units, value: Float32s, judge: Forest) -> Rows:
    """Return the segments that the first forest makes."""
    is_good = judge.probabilities(value[:, : found.elements]) >= ContentSeeker().granularity
    return segments(found, is_good).astype(np.intp)


def _some(numbers: Rows, random: np.random.Generator) -> Rows:
    """Return at most `_MOST` of the numbers, in order."""
    if len(numbers) <= _MOST:
        return numbers
    return np.sort(random.choice(numbers, _MOST, replace=False))


def _forest(
    values: list[Float32s], labels: list[Bools],
    words: list[Int64s], seed: int,
) -> dict[str, Any]:  # fmt: skip
    """Grow a forest; each page weighs the same, a thing as the square root of its words."""
    ensemble = need("sklearn.ensemble")
    roots = [np.sqrt(count + 1.0) for count in words]
    weight = np.concatenate([root / max(root.sum(), 1.0) for root in roots])
    forest = ensemble.RandomForestClassifier(
        n_estimators=_TREES, max_depth=_DEPTH, min_weight_fraction_leaf=_LEAF,
        max_features="sqrt", random_state=seed, n_jobs=1,
    )  # fmt: skip
    forest.fit(np.concatenate(values, axis=1).T, np.concatenate(labels), weight)
    return grown([tree.tree_ for tree in forest.estimators_], bool(forest.classes_[-1]))


def grown(trees: Sequence[Any], last_is_content: bool) -> dict[str, npt.NDArray[np.generic]]:
    """Put scikit-learn's trees in one table, level by level, so that siblings stand together."""
    root: list[int] = []
    feature: list[int] = []
    below: list[int] = []
    threshold: list[float] = []
    value: list[float] = []
    for tree in trees:
        root.append(len(feature))
        order = [0]
        for node in order:  # grows as it goes: breadth first
            inner = tree.children_left[node] >= 0
            below.append(root[-1] + len(order) if inner else -1)
            if inner:
                order += [int(tree.children_left[node]), int(tree.children_right[node])]
            feature.append(max(int(tree.feature[node]), 0))
            threshold.append(float(tree.threshold[node]) if inner else 0.0)
            share = tree.value[node][0]
            value.append(float(share[-1] / share.sum()) if last_is_content else 0.0)
    return {
        "root": np.array(root, np.int32),
        "feature": np.array(feature, np.uint8),
        "threshold": np.array(threshold, np.float32),
        "below": np.array(below, np.int32),
        "value": np.array(value, np.float16),
    }
