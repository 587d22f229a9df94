"""Find the best combination of methods on half of the sites, and score it on the other half.

    pages --parse--> rows kept by each method --> RowGroups --choose--> expression --score-->

Trained methods are trained on the half that is used to choose. There, each page is extracted with
models of the other folds (by site); on the other half, with models of the whole first half
(`held_out`). The method `default` is left out, as it is not a method of the papers.

Every method, and every filter in series with every method, runs once on every page. Text rows that
are kept by the same methods form a group, so that a page is reduced to some dozens of groups with
their words and scoring a combination is quick: its text is taken to be the words of the kept
groups. `family` describes the combinations that are tried. The winner and all single methods are
then scored on the other half as `thresher evaluate` does, on their text.

`make combinations` runs it on wcxb-dev and fundus and writes the table of docs/combining.md.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from textwrap import wrap
from typing import NamedTuple

import numpy as np

from benchmarks.corpus_pages import (
    PagePool,
    add_corpus_options,
    argument_parser,
    corpus_paths,
    exit_with,
    gold_pages,
)
from benchmarks.held_out import TRAINED, samples_of, with_models, write_model
from benchmarks.marked_blocks import write_block
from thresher import combine, methods, parse
from thresher.evaluate import corpora
from thresher.evaluate.corpora import GoldPage
from thresher.evaluate.scores import bag, tokens
from thresher.evaluate.training.trainer import folds_of_groups
from thresher.page.array_types import Bools, Floats
from thresher.page.decode import decode

CORPORA = ("wcxb-dev", "fundus")
SEED = 7
FILTERS = ("lqf", "lqf(quota=0.5)", "lqf(quota=0.75)")  # the first methods of the series
FOLDS = 3  # of the half that is used to choose, for the trained methods
LEFT_OUT = {"default", "r2l"}  # r2l prints only some characters of its rows, groups are whole rows
# How many of the best parts or methods are tried in pairs and in votes of three, five and seven.
BEST_PAIRED, BEST_IN_THREES, BEST_IN_FIVES, BEST_IN_SEVENS = 24, 16, 11, 9
BEST_NESTED = 12  # combinations that are combined once more


# --- pages ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RowGroups:
    """A page as groups of text rows that are kept by the same methods."""

    kept: Bools  # groups x parts: True if the part keeps the group
    words: Floats  # number of words of each group
    counts: Floats  # groups x words of the gold text: occurrences in the group
    gold: Floats  # occurrences of each word in the gold text


class Part(NamedTuple):
    """A method by itself or after a filter, of which combinations are made."""

    method: str
    expression: str


def method_names() -> list[str]:
    """Return the methods that are combined, without the filters."""
    return [name for name in methods.names() if name not in LEFT_OUT | {"lqf"}]


def parts() -> list[Part]:
    """Return the single methods, then each after each filter, in the order of `row_groups`."""
    alone = [Part(name, name) for name in method_names()] + [Part("lqf", name) for name in FILTERS]
    return alone + [
        Part(name, f"series({first}, {name})") for first in FILTERS for name in method_names()
    ]


def row_groups(gold: GoldPage, models: Path) -> RowGroups:
    """Run all parts on one page; `models` is a folder of models that did not see its site."""
    page = parse(decode(gold.html)[0])
    found = [combine.read(with_models(name, models)) for name in method_names()]
    firsts = [combine.read(name)(page) for name in FILTERS]
    kept = [method(page).keep for method in found] + [first.keep for first in firsts]
    for first in firsts:  # as `series` does, but with one reduced page for all methods
        part = page if first.keep.all() else page.only(first)
        for method in found:
            then = method(part)
            kept.append(first.keep & (then if part is page else then.lift()).keep)
    return grouped(np.array(kept, np.bool_).T, [tokens(t) for t in page.texts], gold.text)


def grouped(kept: Bools, rows: Sequence[list[str]], gold: str) -> RowGroups:
    """Return the groups of rows; `kept` is rows x parts, `rows` has the words of each row."""
    wanted = Counter(tokens(gold))
    number = {word: index for index, word in enumerate(wanted)}
    some = np.flatnonzero([bool(row) for row in rows])
    groups, group = np.unique(kept[some], axis=0, return_inverse=True)
    words = np.zeros(len(groups))
    counts = np.zeros((len(groups), len(wanted)))
    for index, row in zip(group.ravel().tolist(), some.tolist(), strict=True):
        words[index] += len(rows[row])
        for word in rows[row]:
            if word in number:
                counts[index, number[word]] += 1
    return RowGroups(groups, words, counts, np.array(list(wanted.values()), np.float64))


def group_f1(keep: Bools, page: RowGroups) -> Floats:
    """Return the word F1 of each candidate; `keep` is candidates x groups."""
    chosen = keep.astype(np.float64)
    found = chosen @ page.words
    common = np.minimum(chosen @ page.counts, page.gold).sum(axis=1)
    size = found + page.gold.sum()
    return np.where(size > 0, 2 * common / np.maximum(size, 1), 1.0)


# --- the family ----------------------------------------------------------------------------------


class Candidate(NamedTuple):
    """A combination: it keeps the groups that at least `at_least` members keep."""

    expression: str
    members: tuple[int, ...]  # indices of parts, or of candidates of the round before
    at_least: int


def kept_by(candidates: Sequence[Candidate], kept: Bools) -> Bools:
    """Return candidates x groups, given groups x members."""
    found = np.empty((len(candidates), len(kept)), np.bool_)
    for index, (_, members, at_least) in enumerate(candidates):
        found[index] = kept[:, members].sum(axis=1) >= at_least
    return found


def family(all_parts: Sequence[Part], order: Sequence[int]) -> Iterator[Candidate]:
    """Yield all parts; unions and intersections of two; votes of 3, of 5 and of 7.

    `order` has the parts from the best to the worst on the half that is used to choose. A vote has
    one part of each method, its best, as the parts of one method make the same errors.
    """
    texts = [part.expression for part in all_parts]
    forms = list({all_parts[index].method: index for index in reversed(order)}.values())[::-1]
    for index in range(len(all_parts)):
        yield Candidate(texts[index], (index,), 1)
    for pair in combinations(order[:BEST_PAIRED], 2):
        yield _call("union", texts, pair, 1)
        yield _call("intersection", texts, pair, 2)
    for three in combinations(forms[:BEST_IN_THREES], 3):
        yield _call("vote", texts, three, 2)
    for five in combinations(forms[:BEST_IN_FIVES], 5):
        yield _call("vote", texts, five, 2)
        yield _call("vote", texts, five, 3)
    for seven in combinations(forms[:BEST_IN_SEVENS], 7):
        yield _call("vote", texts, seven, 3)
        yield _call("vote", texts, seven, 4)


def nested(first: Sequence[Candidate], best: Sequence[int], alone: int) -> Iterator[Candidate]:
    """Yield the best of the first round, combined with the first `alone` parts, and votes of 3."""
    texts = [candidate.expression for candidate in first]
    for index in best[:BEST_NESTED]:
        yield Candidate(texts[index], (index,), 1)
        for other in range(alone):
            yield _call("union", texts, (index, other), 1)
            yield _call("intersection", texts, (index, other), 2)
    for three in combinations(best[:BEST_NESTED], 3):
        yield _call("vote", texts, three, 2)


def _call(name: str, texts: Sequence[str], members: tuple[int, ...], at_least: int) -> Candidate:
    inner = [texts[member] for member in members]
    number = [f"at_least={at_least}"] if name == "vote" else []
    return Candidate(f"{name}({', '.join(inner + number)})", members, at_least)


class Choice(NamedTuple):
    """The best combination on the half that is used to choose."""

    expression: str
    f1: float
    tried: int  # number of combinations


def choose(
    pages: Sequence[RowGroups], watch: Callable[[Iterable[RowGroups]], Iterable[RowGroups]]
) -> Choice:
    """Return the best combination on these pages; `watch` shows the progress over them."""
    by_part = np.mean([group_f1(page.kept.T, page) for page in pages], axis=0)
    first = list(family(parts(), np.argsort(-by_part, kind="stable").tolist()))
    f1 = np.zeros(len(first))
    for page in watch(pages):
        f1 += group_f1(kept_by(first, page.kept), page)
    best = np.argsort(-f1, kind="stable").tolist()
    second = list(nested(first, best, len(method_names()) + len(FILTERS)))
    f1 = np.zeros(len(second))
    for page in watch(pages):
        f1 += group_f1(kept_by(second, kept_by(first, page.kept).T), page)
    winner = int(f1.argmax())
    return Choice(
        second[winner].expression, float(f1[winner]) / len(pages), len(first) + len(second)
    )


# --- the other half ------------------------------------------------------------------------------


def exact_scores(gold: GoldPage, models: Path, expressions: Sequence[str]) -> list[float]:
    """Return the word F1 of the text of each expression, as `thresher evaluate` computes it."""
    page = parse(decode(gold.html)[0])
    wanted = tokens(gold.text)
    found = [combine.read(with_models(e, models))(page) for e in expressions]
    return [bag(tokens(selection.text()), wanted).f1 for selection in found]


def interval(differences: Floats, sites: Sequence[str]) -> tuple[float, float]:
    """Return the 95 % interval of the mean difference, by a bootstrap that draws sites."""
    of_site = np.unique(sites, return_inverse=True)[1].ravel()
    sums = np.bincount(of_site, differences)
    sizes = np.bincount(of_site)
    drawn = np.random.default_rng(SEED).integers(len(sums), size=(2000, len(sums)))
    low, high = np.quantile(sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1), (0.025, 0.975))
    return float(low), float(high)


class Place(NamedTuple):
    """The corpus and the site of a page."""

    corpus: str
    site: str


def used_to_choose(places: Sequence[Place]) -> Bools:
    """Return one bool per page: True for those of half of the sites, drawn with a seed."""
    sites = sorted({place.site for place in places})
    random.Random(SEED).shuffle(sites)
    chosen = set(sites[: len(sites) // 2])
    return np.array([place.site in chosen for place in places])


def table(
    choice: Choice, tools: Sequence[str], scores: Floats, places: Sequence[Place], choosing: int
) -> str:
    """Return the text of docs/combining.md; `scores` is pages x (combination, single methods)."""
    mean = scores.mean(axis=0)
    best = 1 + int(mean[1:].argmax())
    low, high = interval(scores[:, 0] - scores[:, best], [place.site for place in places])
    corpus = np.array([place.corpus for place in places])
    kinds = list(dict.fromkeys(corpus.tolist()))
    lines = [
        f"Of {choice.tried:,} combinations the best on {choosing:,} pages of half of the sites was",
        "",
        "```text",
        choice.expression,
        "```",
        "",
        *wrap(
            f"with a word F1 of {choice.f1:.3f} there. On the {len(places):,} pages of the other "
            f"sites it has {mean[0]:.3f}, and the best single method, `{tools[best]}`, "
            f"{mean[best]:.3f}. The difference is {mean[0] - mean[best]:.3f} (95 % interval "
            f"{low:.3f} to {high:.3f}, bootstrap by site).",
            100,
        ),
        "",
        f"| on the other half of the sites | all | {' | '.join(kinds)} |",
        "|---" * (2 + len(kinds)) + "|",
    ]
    for index in np.argsort(-mean, kind="stable").tolist():
        shown = "**the combination**" if index == 0 else f"`{tools[index]}`"
        cells = [mean[index], *(scores[corpus == kind, index].mean() for kind in kinds)]
        lines.append(f"| {shown} | {' | '.join(f'{cell:.3f}' for cell in cells)} |")
    return "\n".join(lines) + "\n"


# --- the run -------------------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the experiment and write the page; return the exit code."""
    parser = argument_parser("combinations", __doc__, "docs/combining.md --limit 100 --jobs 2")
    parser.add_argument(
        "page", type=Path, nargs="?", help="the page of the docs with the marked block"
    )
    add_corpus_options(parser)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    given = parser.parse_args(arguments)
    paths = corpus_paths("combinations", CORPORA, given.corpus)
    if not paths:
        return 2
    start = time.monotonic()
    lines = experiment(paths, given.limit, given.jobs)
    sys.stdout.write(f"{lines}\n{time.monotonic() - start:.0f} seconds\n")
    if given.page:
        write_block(given.page, "combinations", lines)
    return 0


def experiment(paths: Sequence[Path], limit: int | None, jobs: int) -> str:
    """Read, train, choose and score; return the text of docs/combining.md."""
    places = [Place(corpora.name_of(path), site) for path in paths for site in _sites(path, limit)]
    choosing = used_to_choose(places)
    others = [place for place, chosen in zip(places, choosing.tolist(), strict=True) if not chosen]
    with tempfile.TemporaryDirectory() as folder, PagePool(paths, limit, jobs) as pool:
        models = train(pool, choosing, [place.site for place in places], Path(folder))
        pages = pool.each_page(row_groups, choosing, "run methods", models)
        choice = choose(pages, lambda pages: pool.bar.track(pages, description="try combinations"))
        single = [name for name in methods.names() if name != "default"]
        tools = [choice.expression, *single, *FILTERS[1:]]
        scores = np.array(pool.each_page(exact_scores, ~choosing, "score", models, tools))
    return table(choice, tools, scores, others, int(choosing.sum()))


def train(pool: PagePool, choosing: Bools, sites: Sequence[str], folder: Path) -> list[Path]:
    """Train on the half that is used to choose; return the folder of models for each page."""
    chosen = np.flatnonzero(choosing).tolist()
    fold = folds_of_groups([sites[page] for page in chosen], FOLDS, SEED).tolist()
    samples = pool.each_page(samples_of, choosing, "sample pages")
    places = [folder / f"{number}" for number in range(FOLDS + 1)]  # the last: all of the half
    tasks = []
    for number, place in enumerate(places):
        place.mkdir()
        seen = [
            sample for sample, held_out in zip(samples, fold, strict=True) if held_out != number
        ]
        for index, method in enumerate(TRAINED):
            tasks.append((method, [sample[index] for sample in seen], place))
    pool.each_task(write_model, tasks, "train")
    models = [places[-1]] * len(choosing)
    for page, number in zip(chosen, fold, strict=True):
        models[page] = places[number]
    return models


def _sites(path: Path, limit: int | None) -> list[str]:
    """Return the site of each page; a page without a site is its own site."""
    pages = enumerate(gold_pages([path], limit))
    return [page.site or f"{corpora.name_of(path)} {number}" for number, page in pages]


if __name__ == "__main__":
    exit_with(main)
