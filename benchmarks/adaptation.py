"""What some labelled pages of a kind add to a default that never saw that kind of page.

    all pages -- without the sites that have the kind --> base
    50 pages of the kind, whole sites   -- thresher train --base --> adapted
    the kind's pages of the other sites -- scored with both

A draw deals the sites of the kind out anew: each draw adapts to other pages and scores the rest.
The base is the same for all draws and has seen none of these sites.

`make adaptation` runs it on wcxb-dev and fundus and rewrites the table of docs/models/default.md.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.floors import corpora_folder
from benchmarks.held_out import SEED, sample_of, write_model
from benchmarks.marked_blocks import markdown_table, with_block
from thresher import parse
from thresher.evaluate import corpora
from thresher.evaluate.corpora import GoldPage
from thresher.evaluate.scores import bag, tokens
from thresher.evaluate.training.adapt import adapter
from thresher.evaluate.training.folds import group_of
from thresher.evaluate.training.trainers import trainer
from thresher.methods.default.extractor import Default
from thresher.methods.model import files as models

CORPORA = ("wcxb-dev", "fundus")
KINDS = ("forum", "product")
LABELLED = 50  # pages, at the most
DRAWS = 5


class Lesson(NamedTuple):
    """What is kept of a page."""

    site: str
    kind: str
    sample: Any
    gold: GoldPage | None  # of the kinds that are asked about


class Draw(NamedTuple):
    """F1 on the pages of a kind that were not adapted to, with the base and once adapted."""

    base: int  # pages that the base was trained on
    labelled: int
    scored: int
    before: float
    after: float


def lessons_of(paths: Sequence[Path], limit: int | None) -> list[Lesson]:
    """Read all pages; HTML is kept of the few that will be scored."""
    found = []
    learner = trainer("default")
    for path in paths:
        for number, gold in enumerate(corpora.read(path)):
            if number == limit:
                break
            kept = gold if gold.kind in KINDS else None
            site = group_of(corpora.name_of(path), gold)
            found.append(Lesson(site, gold.kind, sample_of(learner, gold), kept))
    return found


def dealt(lessons: Sequence[Lesson], most: int, seed: int) -> tuple[list[Lesson], list[Lesson]]:
    """Return pages of whole sites, as many as are labelled at the most, and those of the others."""
    sites = sorted({lesson.site for lesson in lessons})
    random.Random(seed).shuffle(sites)
    mine: list[Lesson] = []
    others: list[Lesson] = []
    for site in sites:
        own = [lesson for lesson in lessons if lesson.site == site]
        (mine if len(mine) + len(own) <= most else others).extend(own)
    return mine, others


def f1(model: Path, lessons: Sequence[Lesson]) -> float:
    """Return the mean word F1 over some pages."""
    method = Default(model=str(model))
    golds = [lesson.gold for lesson in lessons if lesson.gold is not None]
    found = [tokens(method(parse(gold.html)).text()) for gold in golds]
    scores = [bag(text, tokens(gold.text)).f1 for text, gold in zip(found, golds, strict=True)]
    return float(np.mean(scores))


def measured(lessons: Sequence[Lesson], kind: str, most: int, draws: int) -> list[Draw]:
    """Train the base without a kind, adapt it to each draw, score both on the other sites."""
    of_kind = [lesson for lesson in lessons if lesson.kind == kind]
    sites = {lesson.site for lesson in of_kind}
    rest = [lesson.sample for lesson in lessons if lesson.site not in sites]
    found = []
    with tempfile.TemporaryDirectory() as folder:
        write_model("default", rest, Path(folder))
        base, adapted = Path(folder) / "default.npz", Path(folder) / "adapted.npz"
        for seed in range(draws):
            mine, others = dealt(of_kind, most, seed)
            learner = adapter("default", str(base))
            labelled = [sample_of(learner, lesson.gold) for lesson in mine if lesson.gold]
            learned = learner.fit(labelled, SEED)
            place = adapted.with_stem(f"adapted{seed}")
            place.write_bytes(models.to_bytes("default", learned.arrays, **learned.header))
            scores = f1(base, others), f1(place, others)
            found.append(Draw(len(rest), len(mine), len(others), *scores))
            sys.stderr.write(f"{kind}: {found[-1]}\n")
    return found


def table(by_kind: dict[str, list[Draw]]) -> str:
    """Return the lines of the docs."""
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
    """Run all of it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("page", type=Path, nargs="?", help="the page of the docs to rewrite")
    parser.add_argument("--corpus", type=Path, action="append", help="instead of the usual ones")
    parser.add_argument("--limit", type=int, help="take the first pages of each corpus")
    parser.add_argument("--labelled", type=int, default=LABELLED, help="pages to adapt to")
    parser.add_argument("--draws", type=int, default=DRAWS, help="how often the sites are dealt")
    given = parser.parse_args(arguments)
    folder = corpora_folder()
    if folder is None and not given.corpus:
        sys.stdout.write("adaptation: no corpora, set THRESHER_CORPORA\n")
        return 2
    paths = given.corpus or [Path(folder or "") / f"{name}.parquet" for name in CORPORA]
    lessons = lessons_of(paths, given.limit)
    lines = table({kind: measured(lessons, kind, given.labelled, given.draws) for kind in KINDS})
    sys.stdout.write(lines)
    if given.page:
        text = given.page.read_text(encoding="utf-8")
        given.page.write_text(with_block(text, "adaptation", lines), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
