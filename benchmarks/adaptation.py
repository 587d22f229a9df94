"""Measure what some labelled pages of a kind add to a default that never saw this kind.

    all pages -- without the sites that have the kind --> base
    50 pages of the kind, whole sites   -- thresher train --base --> adapted
    the kind's pages of the other sites -- scored with both

Each draw splits the sites of the kind at random: it adapts to the pages of some and scores those of
the others. The base is the same for all draws and has seen none of these sites.

`make adaptation` runs it on wcxb-dev and fundus and writes the table of docs/models/default.md.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.corpus_pages import (
    add_corpus_options,
    argument_parser,
    corpus_paths,
    exit_with,
    gold_pages,
)
from benchmarks.held_out import SEED, sample_of, write_model
from benchmarks.marked_blocks import markdown_table, write_block
from thresher import parse
from thresher.evaluate import corpora
from thresher.evaluate.corpora import GoldPage
from thresher.evaluate.scores import bag, tokens
from thresher.evaluate.training.adapt import adapter
from thresher.evaluate.training.train import trainer
from thresher.evaluate.training.trainer import group_of
from thresher.methods.default import Default
from thresher.methods.model import files as models

CORPORA = ("wcxb-dev", "fundus")
KINDS = ("forum", "product")
LABELLED = 50  # pages at most
DRAWS = 5


class Lesson(NamedTuple):
    """A page as training sample; of the kinds in `KINDS` also its HTML."""

    site: str
    kind: str
    sample: Any
    gold: GoldPage | None


class Draw(NamedTuple):
    """Mean F1 on the scored pages of a kind, with the base and with the adapted model."""

    base: int  # pages that the base was trained on
    labelled: int  # pages that it was adapted to
    scored: int  # pages
    before: float
    after: float


def read_lessons(paths: Sequence[Path], limit: int | None) -> list[Lesson]:
    """Return all pages of the corpora, at most `limit` of each."""
    found = []
    learner = trainer("default")
    for path in paths:
        for gold in gold_pages([path], limit):
            kept = gold if gold.kind in KINDS else None
            site = group_of(corpora.name_of(path), gold)
            found.append(Lesson(site, gold.kind, sample_of(learner, gold), kept))
    return found


def split_by_site(
    lessons: Sequence[Lesson], most: int, seed: int
) -> tuple[list[Lesson], list[Lesson]]:
    """Return at most `most` pages, those of whole sites drawn at random, and all other pages."""
    sites = sorted({lesson.site for lesson in lessons})
    random.Random(seed).shuffle(sites)
    labelled: list[Lesson] = []
    others: list[Lesson] = []
    for site in sites:
        own = [lesson for lesson in lessons if lesson.site == site]
        (labelled if len(labelled) + len(own) <= most else others).extend(own)
    return labelled, others


def mean_f1(model: Path, lessons: Sequence[Lesson]) -> float:
    """Return the mean word F1 over some pages."""
    method = Default(model=str(model))
    golds = [lesson.gold for lesson in lessons if lesson.gold is not None]
    found = [tokens(method(parse(gold.html)).text()) for gold in golds]
    scores = [bag(text, tokens(gold.text)).f1 for text, gold in zip(found, golds, strict=True)]
    return float(np.mean(scores))


def measure(lessons: Sequence[Lesson], kind: str, most: int, draws: int) -> list[Draw]:
    """Train a base without the kind, adapt it to each draw, and score both on the other sites."""
    of_kind = [lesson for lesson in lessons if lesson.kind == kind]
    sites = {lesson.site for lesson in of_kind}
    rest = [lesson.sample for lesson in lessons if lesson.site not in sites]
    found = []
    with tempfile.TemporaryDirectory() as folder:
        write_model("default", rest, Path(folder))
        base = Path(folder) / "default.npz"
        for seed in range(draws):
            labelled, others = split_by_site(of_kind, most, seed)
            learner = adapter("default", str(base))
            samples = [sample_of(learner, lesson.gold) for lesson in labelled if lesson.gold]
            learned = learner.fit(samples, SEED)
            adapted = Path(folder) / f"adapted{seed}.npz"
            adapted.write_bytes(models.to_bytes("default", learned.arrays, **learned.header))
            scores = mean_f1(base, others), mean_f1(adapted, others)
            found.append(Draw(len(rest), len(labelled), len(others), *scores))
            sys.stderr.write(f"{kind}: {found[-1]}\n")
    return found


def table(by_kind: dict[str, list[Draw]]) -> str:
    """Return the table of docs/models/default.md."""
    head = ("left out", "base", "labelled", "scored", "before", "after", "lift", "least", "most")
    rows = []
    for kind, draws in by_kind.items():
        base, labelled, scored, before, after = np.mean(draws, axis=0).tolist()
        lifts = [draw.after - draw.before for draw in draws]
        counts = (f"{count:,.0f}" for count in (base, labelled, scored))
        values = (before, after, after - before, min(lifts), max(lifts))
        rows.append((kind, *counts, *(f"{value:.3f}" for value in values)))
    return "\n".join(markdown_table(head, rows)) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Train, measure and write the table; return the exit code."""
    parser = argument_parser("adaptation", __doc__, "docs/models/default.md --draws 2")
    parser.add_argument(
        "page", type=Path, nargs="?", help="the page of the docs with the marked block"
    )
    add_corpus_options(parser)
    parser.add_argument("--labelled", type=int, default=LABELLED, help="pages to adapt to")
    parser.add_argument("--draws", type=int, default=DRAWS, help="number of random splits")
    given = parser.parse_args(arguments)
    paths = corpus_paths("adaptation", CORPORA, given.corpus)
    if not paths:
        return 2
    lessons = read_lessons(paths, given.limit)
    lines = table({kind: measure(lessons, kind, given.labelled, given.draws) for kind in KINDS})
    sys.stdout.write(lines)
    if given.page:
        write_block(given.page, "adaptation", lines)
    return 0


if __name__ == "__main__":
    exit_with(main)
