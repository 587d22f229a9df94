"""Measure content by similarity (thesis 7.2.3): the method `similarity` with other options.

The program prints the table of docs/experiments/similarity.md.
"""

from __future__ import annotations

import random
import statistics
from collections.abc import Sequence
from pathlib import Path

import thresher
from benchmarks.corpus_pages import argument_parser, corpus_paths, exit_with
from thresher import methods
from thresher.evaluate import corpora, scores
from thresher.methods.similarity import Metric, Similarity, Unit, Weights
from thresher.page import Method, Page

CORPORA = ("wcxb-dev", "fundus", "dragnet")


def mean_f1(method: Method, pages: Sequence[tuple[Page, str]]) -> float:
    """Return the mean word F1 (bags of words) over pages with their gold text."""
    found = (
        scores.bag(scores.tokens(method(page).text()), scores.tokens(gold)).f1
        for page, gold in pages
    )
    return statistics.fmean(found)


def sample(path: Path, number: int) -> list[tuple[Page, str]]:
    """Return `number` pages of a corpus, shuffled with seed 7, each with its gold text."""
    gold = list(corpora.read(path))
    random.Random(7).shuffle(gold)
    return [(thresher.parse(page.html), page.text or "") for page in gold[:number]]


def table(compared: dict[str, Method], paths: Sequence[Path], number: int) -> list[str]:
    """Return a Markdown table of the mean F1 of methods on samples of the corpora."""
    samples = {corpora.name_of(path): sample(path, number) for path in paths}
    lines = [f"| method | {' | '.join(samples)} | mean |", "|---|---|---|---|---|"]
    for name, method in compared.items():
        found = [mean_f1(method, pages) for pages in samples.values()]
        figures = " | ".join(f"{value:.3f}" for value in [*found, statistics.fmean(found)])
        lines.append(f"| {name} | {figures} |")
    return lines


def variants() -> dict[str, Method]:
    """Return the methods to compare: kinds of similarity, and methods of the papers."""
    compared: dict[str, Method] = {}
    units: tuple[Unit, ...] = ("paragraphs", "sentences")
    metrics: tuple[Metric, ...] = ("cosine", "overlap")
    schemes: tuple[Weights, ...] = ("tf", "tf-idf")
    for unit in units:
        for metric in metrics:
            for weights in schemes:
                method = Similarity(unit=unit, metric=metric, weights=weights)
                compared[f"{unit}, {metric}, {weights}"] = method
    compared["`similarity(stop_words=False)`"] = Similarity(stop_words=False)
    compared["`similarity(stop_words=False, share=1.5)`"] = Similarity(stop_words=False, share=1.5)
    return compared | {f"`{name}`": methods.get(name) for name in ("plain", "bte", "addanag")}


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; return the exit code."""
    parser = argument_parser("similarity", __doc__, "--pages 20")
    parser.add_argument("--pages", type=int, default=100, help="pages of each corpus")
    given = parser.parse_args(arguments)
    paths = corpus_paths("similarity", CORPORA)
    if not paths:
        return 2
    print(*table(variants(), paths, given.pages), sep="\n")
    return 0


if __name__ == "__main__":
    exit_with(main)
