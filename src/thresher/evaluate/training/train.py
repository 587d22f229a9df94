"""Train a method on corpora, or measure it in folds by site.

Pages are read twice for folds: once for the samples, once to measure each page with the model that
was trained without its site. One page is in memory at a time.
"""

from __future__ import annotations

import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from thresher import methods
from thresher.errors import InputError, UsageError
from thresher.evaluate import corpora
from thresher.evaluate.corpora import GoldPage
from thresher.evaluate.scores import bag, tokens
from thresher.evaluate.training.folds import folds_of_groups, group_of
from thresher.evaluate.training.gold_alignment import labels
from thresher.evaluate.training.trainer import Learned, Trainer
from thresher.evaluate.training.trainers import trainer
from thresher.methods.model import files as models
from thresher.page.parse import parse

BASELINES = ("bte", "plain")  # what a trained method must beat

Progress = Callable[[int], object]


def _pages(paths: Sequence[Path], limit: int | None) -> Iterator[tuple[str, GoldPage]]:
    names = [corpora.name_of(path) for path in paths]
    if len(set(names)) < len(names):
        raise UsageError("two corpora have the same name: give one of them another.")
    for name, path in zip(names, paths, strict=True):
        number = 0
        for page in islice(corpora.read(path), limit):
            number += 1
            yield name, page
        if not number:
            raise InputError(f"{path} has no pages.")


def train(
    method: str,
    paths: Sequence[Path],
    *,
    seed: int = 0,
    limit: int | None = None,
    progress: Progress = lambda _: None,
    learner: Trainer | None = None,
) -> bytes:
    """Return the model file of a method that is trained on all pages of the corpora.

    `learner` is the method's own trainer unless given, such as one that adapts a model.
    """
    learner = learner or trainer(method)
    counts: dict[str, int] = defaultdict(int)
    lessons = []
    for corpus, gold in _pages(paths, limit):
        lessons.append(_lesson(learner, gold))
        counts[corpus] += 1
        progress(1)
    return _file(method, _fit(learner, lessons, seed), dict(counts), seed)


class _Lesson(NamedTuple):
    """The sample of a page, and what its visible text has."""

    sample: Any
    content: bool
    other: bool


def _lesson(learner: Trainer, gold: GoldPage) -> _Lesson:
    page = parse(gold.html)
    content = labels(page, gold.text)
    shown = (page.words[page.text_rows] > 0) & ~page.hidden[page.text_rows]
    sample = learner.sample(page, content, gold)
    return _Lesson(sample, bool((content & shown).any()), bool((shown & ~content).any()))


def _fit(learner: Trainer, lessons: Sequence[_Lesson], seed: int) -> Learned:
    """Learn, unless there is nothing to tell apart."""
    if not any(lesson.content for lesson in lessons):
        raise InputError(
            "there is nothing to learn from: no text of these pages stands in their gold text."
        )
    if not any(lesson.other for lesson in lessons):
        raise InputError(
            "there is nothing to learn from: all text of these pages stands in their gold text."
        )
    return learner.fit([lesson.sample for lesson in lessons], seed)


def _file(method: str, learned: Learned, counts: dict[str, int], seed: int) -> bytes:
    header = {"trained on": counts, "seed": seed, **learned.header}
    return models.to_bytes(method, learned.arrays, **header)


@dataclass(frozen=True, slots=True)
class FoldScores:
    """Word F1 of a page by tool, and the fold in which it was held out."""

    corpus: str
    page: str
    fold: int
    f1: dict[str, float]


def cross_validate(
    method: str,
    paths: Sequence[Path],
    *,
    folds: int = 5,
    seed: int = 0,
    limit: int | None = None,
    progress: Progress = lambda _: None,
    learner: Trainer | None = None,
) -> list[FoldScores]:
    """Measure a method on each page with a model that never saw the page's site."""
    learner = learner or trainer(method)
    lessons, groups = [], []
    for corpus, gold in _pages(paths, limit):
        lessons.append(_lesson(learner, gold))
        groups.append(group_of(corpus, gold))
        progress(1)
    fold_of = folds_of_groups(groups, folds, seed).tolist()
    with tempfile.TemporaryDirectory() as folder:
        held_out = []
        for fold in range(folds):
            rest = [lesson for lesson, f in zip(lessons, fold_of, strict=True) if f != fold]
            place = Path(folder) / f"{fold}.npz"
            place.write_bytes(_file(method, _fit(learner, rest, seed), {}, seed))
            held_out.append(methods.get(method, model=str(place)))
        fixed = {name: methods.get(name) for name in BASELINES}
        scored = []
        for fold, (corpus, gold) in zip(fold_of, _pages(paths, limit), strict=True):
            page, wanted = parse(gold.html), tokens(gold.text)
            tools = {method: held_out[fold], **fixed}
            f1 = {name: bag(tokens(tool(page).text()), wanted).f1 for name, tool in tools.items()}
            scored.append(FoldScores(corpus, gold.id, fold, f1))
            progress(1)
    return scored
