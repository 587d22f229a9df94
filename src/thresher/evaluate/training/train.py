"""Train a method on corpora, or measure it in folds by site.

For folds, pages are read twice: once for the samples, once to measure each page with the model that
was trained without its site. One page is in memory at a time. To add a trainer, add a line to
`TRAINERS`, and one to `USES` if a model can be used in several ways.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

from thresher import methods
from thresher.errors import InputError, UsageError
from thresher.evaluate import corpora
from thresher.evaluate.corpora import GoldPage
from thresher.evaluate.scores import bag, tokens
from thresher.evaluate.training.boilerpipe import BoilerpipeTrainer
from thresher.evaluate.training.content_seeker import ContentSeekerTrainer
from thresher.evaluate.training.crf import CRFTrainer, MaxEntTrainer, MEMMTrainer
from thresher.evaluate.training.default import DefaultTrainer
from thresher.evaluate.training.gold_alignment import gold_labels
from thresher.evaluate.training.mss import MSSTrainer
from thresher.evaluate.training.trainer import Trainer, folds_of_groups, group_of
from thresher.methods.model import files as models
from thresher.page.parse import parse

TRAINERS: dict[str, type[Trainer]] = {
    "boilerpipe": BoilerpipeTrainer,
    "content-seeker": ContentSeekerTrainer,
    "crf": CRFTrainer,
    "default": DefaultTrainer,
    "maxent": MaxEntTrainer,
    "memm": MEMMTrainer,
    "mss": MSSTrainer,
}
BASELINES = ("bte", "plain")  # measured beside a trained method
# Ways to use a model that are measured, by their heading in the table, each with its options. Those
# of other methods are measured with their default options.
USES: dict[str, dict[str, dict[str, str]]] = {
    "boilerpipe": {"tree": {"classifier": "tree"}, "svm": {"classifier": "svm"}},
    "memm": {"memm": {}, "memm, each": {"labels": "each"}},
}

CORRECTED = False  # whether models are trained with `thresher.evaluate.corrections`

Progress = Callable[[int], object]


def trainer(method: str) -> Trainer:
    """Return a new trainer of a method."""
    if method not in TRAINERS:
        near = get_close_matches(method, TRAINERS, 1)
        hint = f"did you mean {near[0]}?" if near else f"give one of {', '.join(sorted(TRAINERS))}."
        raise UsageError(f"{method!r} is not a trained method: {hint}")
    return TRAINERS[method]()


def _pages(
    paths: Sequence[Path], limit: int | None, corrected: bool
) -> Iterator[tuple[str, GoldPage]]:
    """Yield the pages of all corpora, each with the name of its corpus."""
    for name, path in zip(corpora.distinct_names(paths), paths, strict=True):
        page = None
        for page in corpora.read_first(path, limit, corrected=corrected):
            yield name, page
        if page is None:
            raise InputError(f"{path} has no pages.")


def train(
    method: str,
    paths: Sequence[Path],
    *,
    seed: int = 0,
    limit: int | None = None,
    corrected: bool = CORRECTED,
    progress: Progress = lambda _: None,
    learner: Trainer | None = None,
) -> bytes:
    """Return the model file of a method that is trained on all pages of the corpora.

    With `corrected`, the gold of the corpora is read with our corrections. `learner` is the
    method's own trainer unless given, such as one that adapts a model.
    """
    learner = learner or trainer(method)
    counts: Counter[str] = Counter()
    lessons = []
    for corpus, gold in _pages(paths, limit, corrected):
        lessons.append(_lesson(learner, gold))
        counts[corpus] += 1
        progress(1)
    return _model_file(method, learner, lessons, counts, seed)


class _Lesson(NamedTuple):
    """The sample of a page, and whether its visible text has content and other text."""

    sample: Any
    has_content: bool
    has_other: bool


def _lesson(learner: Trainer, gold: GoldPage) -> _Lesson:
    page = parse(gold.html)
    content = gold_labels(page, gold)
    shown = (page.words[page.text_rows] > 0) & ~page.hidden[page.text_rows]
    sample = learner.sample(page, content, gold)
    return _Lesson(sample, bool((content & shown).any()), bool((shown & ~content).any()))


def _model_file(
    method: str, learner: Trainer, lessons: Sequence[_Lesson], counts: Mapping[str, int], seed: int
) -> bytes:
    """Learn from the lessons; refuse those with content alone or without any."""
    for share, exists in (
        ("no", any(lesson.has_content for lesson in lessons)),
        ("all", any(lesson.has_other for lesson in lessons)),
    ):
        if not exists:
            raise InputError(
                f"there is nothing to learn from: {share} text of these pages is in their gold "
                "text."
            )
    learned = learner.fit([lesson.sample for lesson in lessons], seed)
    header = {"trained on": dict(counts), "seed": seed, **learned.header}
    return models.to_bytes(method, learned.arrays, **header)


@dataclass(frozen=True, slots=True)
class FoldScores:
    """Word F1 of a page by tool, and the fold in which it was held out."""

    corpus: str
    page: str
    fold: int
    f1: dict[str, float]
    published_f1: dict[str, float] | None = None  # of a corrected page: against the corpus's text


def cross_validate(
    method: str,
    paths: Sequence[Path],
    *,
    folds: int = 5,
    seed: int = 0,
    limit: int | None = None,
    corrected: bool = CORRECTED,
    progress: Progress = lambda _: None,
    learner: Trainer | None = None,
) -> list[FoldScores]:
    """Measure a method on each page with a model that never saw the page's site.

    With `corrected`, the models are trained and measured with our corrections, and corrected pages
    are also scored against the gold text that the corpus has.
    """
    learner = learner or trainer(method)
    lessons, groups = [], []
    for corpus, gold in _pages(paths, limit, corrected):
        lessons.append(_lesson(learner, gold))
        groups.append(group_of(corpus, gold))
        progress(1)
    fold_of = folds_of_groups(groups, folds, seed).tolist()
    uses = USES.get(method, {method: {}})
    names = BASELINES if method in uses else (method, *BASELINES)  # boilerpipe's published rules
    baselines = {name: methods.get(name) for name in names}
    with tempfile.TemporaryDirectory() as folder:
        held_out = []
        for fold in range(folds):
            rest = [lesson for lesson, f in zip(lessons, fold_of, strict=True) if f != fold]
            path = Path(folder) / str(fold)
            path.write_bytes(_model_file(method, learner, rest, {}, seed))
            held_out.append(
                {
                    use: methods.get(method, model=str(path), **options)
                    for use, options in uses.items()
                }
            )
        scored = []
        for fold, (corpus, gold) in zip(fold_of, _pages(paths, limit, corrected), strict=True):
            page = parse(gold.html)
            tools = {**held_out[fold], **baselines}
            found = {name: tokens(tool(page).text()) for name, tool in tools.items()}
            f1 = _f1(found, gold.text)
            published = None if gold.published is None else _f1(found, gold.published)
            scored.append(FoldScores(corpus, gold.id, fold, f1, published))
            progress(1)
    return scored


def _f1(found: Mapping[str, list[str]], gold: str) -> dict[str, float]:
    """Return the word F1 of the tokens that each tool found."""
    wanted = tokens(gold)
    return {name: bag(own, wanted).f1 for name, own in found.items()}
