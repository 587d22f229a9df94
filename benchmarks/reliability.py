"""Measure whether a confidence of 0.8 means an F1 of 0.8, on sites that the model never saw.

    pages --folds by site--> models of the other folds --extract--> (confidence, F1) --> ten bins

Each fold is scored with a model trained on the pages of the other folds, as `thresher train
default` does. A bin holds a tenth of the pages, from the least to the most confident. The expected
calibration error is the mean over pages of the distance between the mean confidence and the mean F1
of their bin. Pages without gold text are left out, as in training.

`make reliability` runs it on wcxb-dev and fundus, and writes the figures and the picture of
docs/models/default.md. `--models` keeps the models in a folder, so that an interrupted run can
continue.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from textwrap import fill
from typing import NamedTuple

import numpy as np

from benchmarks.corpus_pages import (
    add_corpus_options,
    argument_parser,
    corpus_paths,
    exit_with,
    gold_pages,
)
from benchmarks.held_out import sample_of, write_model
from benchmarks.marked_blocks import write_block
from thresher import extract
from thresher.evaluate import corpora
from thresher.evaluate.scores import bag, tokens
from thresher.evaluate.training.train import trainer
from thresher.evaluate.training.trainer import folds_of_groups, group_of
from thresher.methods.default import Default
from thresher.viewer.plots import image_bytes, reliability

CORPORA = ("wcxb-dev", "fundus")
FOLDS, BINS = 5, 10
SEED = 0  # the folds of `thresher train --folds 5`


class Bin(NamedTuple):
    """Pages with about the same confidence."""

    pages: int
    confidence: float  # mean
    f1: float  # mean
    low: float  # first quartile of the F1
    high: float  # third quartile of the F1


def fold_models(paths: Sequence[Path], limit: int | None, folds: int, folder: Path) -> list[Path]:
    """Return for each page a model trained without its site; train those that do not exist yet."""
    groups = [
        group_of(corpora.name_of(path), gold)
        for path in paths
        for gold in gold_pages([path], limit)
    ]
    fold = folds_of_groups(groups, folds, SEED)
    places = [folder / f"{number}" / "default.npz" for number in range(folds)]
    missing = [number for number in range(folds) if not places[number].exists()]
    learner = trainer("default")
    samples = [sample_of(learner, gold) for gold in gold_pages(paths, limit)] if missing else []
    for number in missing:
        places[number].parent.mkdir(exist_ok=True)
        seen = (fold != number).nonzero()[0].tolist()
        write_model("default", [samples[page] for page in seen], places[number].parent)
        sys.stderr.write(f"fold {number + 1} of {folds} is trained\n")
    return [places[number] for number in fold.tolist()]


def confidence_and_f1(
    paths: Sequence[Path], limit: int | None, models: Sequence[Path]
) -> list[tuple[float, float]]:
    """Return for each page the confidence in its document and the document's word F1."""
    found = []
    for gold, model in zip(gold_pages(paths, limit), models, strict=True):
        wanted = tokens(gold.text)
        if wanted:
            document = extract(gold.html, method=Default(model=str(model)))
            found.append((document.confidence, bag(tokens(document.text), wanted).f1))
    return found


def bins_of(measured: Sequence[tuple[float, float]], bins: int) -> list[Bin]:
    """Cut the pages, in order of confidence, into bins of about equal size."""
    table = np.array(sorted(measured)).reshape(-1, 2)
    found = []
    for part in np.array_split(table, min(bins, len(table))):
        confidence, f1 = part.T
        low, high = np.quantile(f1, (0.25, 0.75)).tolist()
        found.append(Bin(len(part), float(confidence.mean()), float(f1.mean()), low, high))
    return found


def calibration_error(bins: Sequence[Bin]) -> float:
    """Return the expected calibration error."""
    off = sum(one.pages * abs(one.confidence - one.f1) for one in bins)
    return off / sum(one.pages for one in bins)


def as_json(bins: Sequence[Bin], folds: int) -> str:
    """Return the bins as the content of a file."""
    figures = {
        "folds": folds,
        "pages": sum(one.pages for one in bins),
        "expected calibration error": round(calibration_error(bins), 4),
        "bins": [
            {name: round(value, 4) for name, value in one._asdict().items()} for one in bins
        ],
    }  # fmt: skip
    return json.dumps(figures, indent=1) + "\n"


def sentences(bins: Sequence[Bin], folds: int, names: Sequence[str]) -> str:
    """Return the text of docs/models/default.md about the bins."""
    over = " and ".join(f"`{name}`" for name in names)
    least, most = bins[0], bins[-1]
    text = (
        f"In {folds} folds by site, with models that never saw the page's site, "
        f"the expected calibration error, over {len(bins)} bins of equal size, is "
        f"{calibration_error(bins):.3f} on {sum(one.pages for one in bins):,} pages of {over}. "
        "The tenth of the pages that it is least sure of has a mean confidence of "
        f"{least.confidence:.2f} and a mean F1 of {least.f1:.2f}, the tenth that it is surest of "
        f"{most.confidence:.2f} and {most.f1:.2f}."
    )
    return fill(text, 116) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Train, measure and write everything; return the exit code."""
    parser = argument_parser(
        "reliability",
        __doc__,
        "docs/models/default.md docs/figures/reliability.json docs/pictures/reliability.svg",
    )
    parser.add_argument("page", type=Path, help="the page of the docs to rewrite")
    parser.add_argument("json", type=Path, help="where the bins are written")
    parser.add_argument("picture", type=Path, help="where the picture is written (.svg, .png)")
    add_corpus_options(parser)
    parser.add_argument("--folds", type=int, default=FOLDS, help="number of folds")
    parser.add_argument("--models", type=Path, help="a folder to keep the models in")
    given = parser.parse_args(arguments)
    paths = corpus_paths("reliability", CORPORA, given.corpus)
    if not paths:
        return 2
    with tempfile.TemporaryDirectory() as scratch:
        kept = given.models or Path(scratch)
        models = fold_models(paths, given.limit, given.folds, kept)
        bins = bins_of(confidence_and_f1(paths, given.limit, models), BINS)
    text = sentences(bins, given.folds, [corpora.name_of(path) for path in paths])
    given.json.write_text(as_json(bins, given.folds), encoding="utf-8")
    given.picture.write_bytes(image_bytes(reliability(bins), given.picture.suffix[1:]))
    write_block(given.page, "reliability", text)
    sys.stdout.write(text)
    return 0


if __name__ == "__main__":
    exit_with(main)
