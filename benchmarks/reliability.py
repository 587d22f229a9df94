"""Whether a confidence of 0.8 is worth an F1 of 0.8, on sites that the model never saw.

    pages --folds by site--> models of the other folds --extract--> (confidence, F1) --> ten bins

Each fold has a model of its own, with a calibration of its own: `thresher train default` on the
pages of the other folds. A bin holds a tenth of the pages, from the least to the most confident.
The expected calibration error is the mean over pages of how far the mean confidence of their bin is
from its mean F1. Pages without gold text are left out, as in training: none of their F1 can be won.

`make reliability` runs it on wcxb-dev and fundus; it writes the figures and the picture of
docs/models/default.md. `--models` keeps the models in a folder: a run that was cut goes on there.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from textwrap import fill
from typing import NamedTuple

import numpy as np

from benchmarks.floors import corpora_folder
from benchmarks.held_out import sample_of, write_model
from benchmarks.many_pages import pages_of
from benchmarks.marked_blocks import with_block
from thresher import extract
from thresher.evaluate import corpora
from thresher.evaluate.scores import bag, tokens
from thresher.evaluate.training.folds import folds_of_groups, group_of
from thresher.evaluate.training.trainers import trainer
from thresher.methods.default.extractor import Default
from thresher.viewer.plots import reliability, saved

CORPORA = ("wcxb-dev", "fundus")
FOLDS, BINS = 5, 10
SEED = 0  # the folds of `thresher train --folds 5`


class Bin(NamedTuple):
    """Pages that the model is about equally sure of."""

    pages: int
    confidence: float  # mean
    f1: float  # mean
    low: float  # F1 that a quarter of the pages stays below
    high: float  # and that a quarter exceeds


def fold_models(paths: Sequence[Path], limit: int | None, folds: int, folder: Path) -> list[Path]:
    """Return for each page a model that never saw its site; those that are there are not made."""
    groups = [
        group_of(corpora.name_of(path), gold) for path in paths for gold in pages_of([path], limit)
    ]
    fold = folds_of_groups(groups, folds, SEED)
    places = [folder / f"{number}" / "default.npz" for number in range(folds)]
    missing = [number for number in range(folds) if not places[number].exists()]
    learner = trainer("default")
    samples = [sample_of(learner, gold) for gold in pages_of(paths, limit)] if missing else []
    for number in missing:
        places[number].parent.mkdir(exist_ok=True)
        seen = (fold != number).nonzero()[0].tolist()
        write_model("default", [samples[page] for page in seen], places[number].parent)
        sys.stderr.write(f"fold {number + 1} of {folds} is trained\n")
    return [places[number] for number in fold.tolist()]


def pairs(
    paths: Sequence[Path], limit: int | None, models: Sequence[Path]
) -> list[tuple[float, float]]:
    """Return for each page the confidence in its document, and the document's word F1."""
    found = []
    for gold, model in zip(pages_of(paths, limit), models, strict=True):
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
    told = {
        "folds": folds,
        "pages": sum(one.pages for one in bins),
        "expected calibration error": round(calibration_error(bins), 4),
        "bins": [
            {name: round(value, 4) for name, value in one._asdict().items()} for one in bins
        ],
    }  # fmt: skip
    return json.dumps(told, indent=1) + "\n"


def sentences(bins: Sequence[Bin], folds: int, names: Sequence[str]) -> str:
    """Return what the page of the docs says of the bins of some corpora."""
    over = " and ".join(f"`{name}`" for name in names)
    least, most = bins[0], bins[-1]
    told = (
        f"In {folds} folds by site, with models and calibrations that never saw the page's site, "
        f"the expected calibration error, over {len(bins)} bins of equal size, is "
        f"{calibration_error(bins):.3f} on {sum(one.pages for one in bins):,} pages of {over}. "
        "The tenth of the pages that it is least sure of has a mean confidence of "
        f"{least.confidence:.2f} and a mean F1 of {least.f1:.2f}, the tenth that it is surest of "
        f"{most.confidence:.2f} and {most.f1:.2f}."
    )
    return fill(told, 116) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run all of it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("page", type=Path, help="the page of the docs to rewrite")
    parser.add_argument("json", type=Path, help="where the bins are written")
    parser.add_argument("picture", type=Path, help="where the picture is written (.svg, .png)")
    parser.add_argument("--corpus", type=Path, action="append", help="instead of the usual ones")
    parser.add_argument("--limit", type=int, help="take the first pages of each corpus")
    parser.add_argument("--folds", type=int, default=FOLDS)
    parser.add_argument("--models", type=Path, help="a folder to keep the models in")
    given = parser.parse_args(arguments)
    folder = corpora_folder()
    if folder is None and not given.corpus:
        sys.stdout.write("reliability: no corpora, set THRESHER_CORPORA\n")
        return 2
    paths = given.corpus or [Path(folder or "") / f"{name}.parquet" for name in CORPORA]
    with tempfile.TemporaryDirectory() as scratch:
        kept = given.models or Path(scratch)
        models = fold_models(paths, given.limit, given.folds, kept)
        bins = bins_of(pairs(paths, given.limit, models), BINS)
    text = sentences(bins, given.folds, [corpora.name_of(path) for path in paths])
    given.json.write_text(as_json(bins, given.folds), encoding="utf-8")
    given.picture.write_bytes(saved(reliability(bins), given.picture.suffix[1:]))
    page = given.page.read_text(encoding="utf-8")
    given.page.write_text(with_block(page, "reliability", text), encoding="utf-8")
    sys.stdout.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
