"""Training of Content-Seeker: stop words, then a forest for granularity, then one for content.

Granularity is learned from the elements that a division from the top reaches: those that are not
inside an element of good granularity. Content is learned from the segments that the first forest
makes, each labelled by most of its words. At most `_MOST` elements of a page are used, so that long
pages do not decide alone; an element has the weight of the square root of its words.
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
from thresher.page.array_types import Bools, Float32s, Floats, Int32s, Rows, UInt32s
from thresher.page.words import stems

_PURE = 0.9  # share of words of one kind in a segment of good granularity; ours
_STOP_WORDS = 512  # stems; ours
_MOST = 120  # elements of a page; ours
_TREES, _DEPTH, _LEAF = 16, 9, 0.0005  # of a forest: trees, levels, share of the weight in a leaf
_STOPS = FEATURES.index("share of stop words")


class _Sample(NamedTuple):
    """The units of a page, the words of its blocks, and which of those are content."""

    units: Units  # without the share of stop words, which is known after all pages are read
    first: Rows  # the first block of each unit
    last: Rows  # one past its last block
    stem: UInt32s
    block: Int32s  # of each stem
    share: Floats  # of each unit's words that are content


_NO_STOPS = np.zeros(0, np.uint32)


class ContentSeekerTrainer:
    """Two random forests."""

    def sample(self, page: Page, content: Bools, gold: GoldPage) -> _Sample:  # noqa: ARG002
        """Return the units of a page and the share of content in each."""
        found, blocks = units(page, _NO_STOPS), page.blocks
        first = blocks.first.searchsorted(found.row)
        last = blocks.first.searchsorted(found.end)
        texts = ((blocks.of_text >= 0) & ~page.hidden[page.text_rows]).nonzero()[0]
        words = page.words[page.text_rows[texts]] * content[texts]
        in_content = np.bincount(blocks.of_text[texts], words, len(blocks))
        upto = np.concatenate(([0], in_content.cumsum()))
        share = (upto[last] - upto[first]) / np.maximum(found.words, 1)
        stem = stems([page.texts[text] for text in texts.tolist()], STEM)
        block = np.repeat(blocks.of_text[texts], page.words[page.text_rows[texts]])
        return _Sample(found, first, last, stem, block, share)

    def fit(self, samples: Sequence[_Sample], seed: int) -> Learned:
        """Find the stop words, then train the forests for granularity and for content."""
        stop_words = frequent_stems(samples)
        values = [_with_stops(sample, stop_words) for sample in samples]
        random = np.random.default_rng(seed)
        reached = [_at_most(_reached(sample), random) for sample in samples]
        is_good = [good_granularity(sample.units, sample.share) for sample in samples]
        granularity = _forest(samples, values, reached, is_good, seed)
        forest = Forest(**granularity)
        divided = [
            _at_most(_divided(sample.units, value, forest), random)
            for sample, value in zip(samples, values, strict=True)
        ]
        is_content = [sample.share >= 0.5 for sample in samples]
        content = _forest(samples, values, divided, is_content, seed + 1)
        arrays = {"stop_words": stop_words}
        for name, columns in (("granularity", granularity), ("content", content)):
            arrays |= {f"{name}_{part}": column for part, column in columns.items()}
        return Learned(arrays, {"features": list(FEATURES)})


def frequent_stems(samples: Sequence[_Sample]) -> UInt32s:
    """Return the stems that are on most pages, sorted; on ties the smaller number wins."""
    pages = [np.unique(sample.stem) for sample in samples]
    stem, count = np.unique(np.concatenate([_NO_STOPS, *pages]), return_counts=True)
    best = np.lexsort((stem, -count))[:_STOP_WORDS]
    return np.sort(stem[best])


def _with_stops(sample: _Sample, stop_words: UInt32s) -> Float32s:
    """Return the features of a page's units with the share of stop words filled in."""
    is_stop = np.isin(sample.stem, stop_words)
    blocks = int(sample.last.max(initial=0))
    upto = np.concatenate(([0], np.bincount(sample.block[is_stop], minlength=blocks).cumsum()))
    value = sample.units.value.copy()
    value[_STOPS] = (upto[sample.last] - upto[sample.first]) / np.maximum(sample.units.words, 1)
    return value


def good_granularity(found: Units, share: Floats) -> Bools:
    """Return one bool per unit: True for an element that is nearly all content or all other."""
    pure: Bools = np.maximum(share, 1 - share) >= _PURE
    pure[found.elements :] = False
    return pure


def _reached(sample: _Sample) -> Rows:
    """Return the elements that the division reaches: not inside one of good granularity."""
    found = sample.units
    good = good_granularity(found, sample.share)[: found.elements]
    reach = np.zeros(found.elements + 1, np.int64)
    np.maximum.accumulate(np.where(good, found.end[: found.elements], 0), out=reach[1:])
    return (reach[:-1] <= found.row[: found.elements]).nonzero()[0]


def _divided(found: Units, value: Float32s, forest: Forest) -> Rows:
    """Return the segments that the first forest makes."""
    is_good = forest.probabilities(value[:, : found.elements]) >= ContentSeeker().granularity
    return segments(found, is_good).astype(np.intp)


def _at_most(numbers: Rows, random: np.random.Generator) -> Rows:
    """Return at most `_MOST` of the numbers, in order."""
    if len(numbers) <= _MOST:
        return numbers
    return np.sort(random.choice(numbers, _MOST, replace=False))


def _forest(
    samples: Sequence[_Sample], values: list[Float32s], chosen: list[Rows], labels: list[Bools],
    seed: int,
) -> dict[str, Any]:  # fmt: skip
    """Train a forest on the chosen units of each page.

    All pages have the same total weight, and a unit has that of the square root of its words.
    """
    ensemble = need("sklearn.ensemble")
    roots = [
        np.sqrt(sample.units.words[rows] + 1.0)
        for sample, rows in zip(samples, chosen, strict=True)
    ]
    weight = np.concatenate([root / max(root.sum(), 1.0) for root in roots])
    table = np.concatenate(
        [value[:, rows] for value, rows in zip(values, chosen, strict=True)], axis=1
    )
    label = np.concatenate([own[rows] for own, rows in zip(labels, chosen, strict=True)])
    forest = ensemble.RandomForestClassifier(
        n_estimators=_TREES, max_depth=_DEPTH, min_weight_fraction_leaf=_LEAF,
        max_features="sqrt", random_state=seed, n_jobs=1,
    )  # fmt: skip
    forest.fit(table.T, label, weight)
    return forest_arrays([tree.tree_ for tree in forest.estimators_], bool(forest.classes_[-1]))


def forest_arrays(
    trees: Sequence[Any], last_is_content: bool
) -> dict[str, npt.NDArray[np.generic]]:
    """Return scikit-learn's trees as one table, level by level, so that siblings are adjacent."""
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
