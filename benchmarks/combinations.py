"""Which combination of methods is best? Chosen on half of the sites, scored on the other half.

    pages --parse--> rows kept by each method --compress--> Sheet --choose--> expression --score-->

Trained methods are trained on the half that chooses. There, each page is judged by models of the
other folds (by site); on the other half, by models of the whole first half (`held_out`). The
method `default` takes no part: it is no method of the papers but what they were made into.

Every single method, and every filter in series with every method, runs once on every page. Text
rows that all of them treat alike are put together, so a page becomes a sheet of some dozens of
groups with their words, and a combination is scored in an instant: the words of a group stand for
those of the extracted text. The family of combinations is described at `family`. The winner and all
single methods are then scored on the other half as `thresher evaluate` does, on their text.

`make combinations` runs it on wcxb-dev and fundus and rewrites the table of docs/combining.md.
"""

from __future__ import annotations

import argparse
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
import numpy.typing as npt

from benchmarks.floors import corpora_folder
from benchmarks.held_out import TRAINED, samples_of, with_models, write_model
from benchmarks.many_pages import Run, pages_of
from thresher import combine, methods, parse
from thresher.evaluate import corpora
from thresher.evaluate.corpora import GoldPage
from thresher.evaluate.scores import bag, tokens
from thresher.evaluate.training.folds import folds_of_groups
from thresher.page.decode import decode

CORPORA = ("wcxb-dev", "fundus")
SEED = 7
FILTERS = ("lqf", "lqf(quota=0.5)", "lqf(quota=0.75)")  # what stands first in a series
FOLDS = 3  # of the half that chooses, for the trained methods
PRODUCT = "default"
LEFT_OUT = {"r2l", PRODUCT}  # r2l prints only some characters of its rows: groups cannot tell
BEST_PAIRED, BEST_IN_THREES, BEST_IN_FIVES, BEST_IN_SEVENS = 24, 16, 11, 9  # of the best so many
BEST_NESTED = 12  # combinations that are combined once more

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]


# --- pages ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Sheet:
    """A page as groups of text rows that all methods treat alike."""

    kept: Bools  # group x method: is it kept?
    words: Floats  # per group, how many words
    counts: Floats  # group x word of the gold text: how often
    gold: Floats  # per word of the gold text, how often there


class Part(NamedTuple):
    """What combinations are made of: a method by itself, or behind a filter."""

    method: str  # which method it is a form of
    expression: str


def names() -> list[str]:
    """Return the methods that take part; the filter comes with quotas of its own."""
    return [name for name in methods.names() if name not in LEFT_OUT | {"lqf"}]


def parts() -> list[Part]:
    """Return the single methods, then each behind each filter, in the order of `sheet_of`."""
    alone = [Part(name, name) for name in names()] + [Part("lqf", name) for name in FILTERS]
    return alone + [Part(name, f"series({first}, {name})") for first in FILTERS for name in names()]


def sheet_of(gold: GoldPage, models: Path) -> Sheet:
    """Run everything on one page; `models` is the folder of those that did not see its site."""
    page = parse(decode(gold.html)[0])
    found = [combine.read(with_models(name, models)) for name in names()]
    firsts = [combine.read(name)(page) for name in FILTERS]
    kept = [method(page).keep for method in found] + [first.keep for first in firsts]
    for first in firsts:  # as a series does it, but the part of the page is made once for all
        part = page if first.keep.all() else page.only(first)
        for method in found:
            then = method(part)
            kept.append(first.keep & (then if part is page else then.lift()).keep)
    return compressed(np.array(kept, np.bool_).T, [tokens(t or "") for t in page.texts], gold.text)


def compressed(kept: Bools, rows: Sequence[list[str]], gold: str) -> Sheet:
    """Put together the rows that have words and are kept by the same methods."""
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
    return Sheet(groups, words, counts, np.array(list(wanted.values()), np.float64))


def f1_of(keep: Bools, sheet: Sheet) -> Floats:
    """Return the word F1 of each candidate; `keep` is candidate x group."""
    chosen = keep.astype(np.float64)
    found = chosen @ sheet.words
    common = np.minimum(chosen @ sheet.counts, sheet.gold).sum(axis=1)
    size = found + sheet.gold.sum()
    return np.where(size > 0, 2 * common / np.maximum(size, 1), 1.0)


# --- the family ----------------------------------------------------------------------------------


class Candidate(NamedTuple):
    """A combination as text, and how it keeps groups given what its members keep."""

    expression: str
    members: tuple[int, ...]  # of the parts, or of the candidates of the round before
    at_least: int


def keeps(kept: Bools, candidates: Sequence[Candidate]) -> Bools:
    """Return candidate x group; all that we try are votes of their members."""
    found = np.empty((len(candidates), len(kept)), np.bool_)
    for index, (_, members, at_least) in enumerate(candidates):
        found[index] = kept[:, members].sum(axis=1) >= at_least
    return found


def family(all_parts: Sequence[Part], order: Sequence[int]) -> Iterator[Candidate]:
    """Yield all parts; unions and intersections of two; votes of 3, of 5 and of 7.

    `order` are the parts from the best to the worst on the half that is used to choose. Votes are
    of different methods, each in its best form: forms of one method err alike.
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
    """Yield the best of the first round: with every part that is no series, and in votes of 3."""
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
    """What the choosing half says."""

    expression: str
    f1: float
    tried: int


def choose(sheets: Sequence[Sheet], watch: Callable[[Iterable[Sheet]], Iterable[Sheet]]) -> Choice:
    """Return the best combination on these pages."""
    by_part = np.mean([f1_of(sheet.kept.T, sheet) for sheet in sheets], axis=0)
    first = list(family(parts(), np.argsort(-by_part, kind="stable").tolist()))
    f1 = np.zeros(len(first))
    for sheet in watch(sheets):
        f1 += f1_of(keeps(sheet.kept, first), sheet)
    best = np.argsort(-f1, kind="stable").tolist()
    second = list(nested(first, best, len(names()) + len(FILTERS)))
    f1 = np.zeros(len(second))
    for sheet in watch(sheets):
        f1 += f1_of(keeps(keeps(sheet.kept, first).T, second), sheet)
    winner = int(f1.argmax())
    return Choice(
        second[winner].expression, float(f1[winner]) / len(sheets), len(first) + len(second)
    )


# --- the other half ------------------------------------------------------------------------------


def exact_scores(gold: GoldPage, models: Path, expressions: Sequence[str]) -> list[float]:
    """Return the word F1 of the text of each, as `thresher evaluate` has it."""
    page = parse(decode(gold.html)[0])
    wanted = tokens(gold.text)
    found = [combine.read(with_models(e, models))(page) for e in expressions]
    return [bag(tokens(selection.text()), wanted).f1 for selection in found]


def interval(differences: Floats, sites: Sequence[str]) -> tuple[float, float]:
    """Return the 95 % interval of the mean difference: a bootstrap that draws sites."""
    of_site = np.unique(sites, return_inverse=True)[1].ravel()
    sums = np.bincount(of_site, differences)
    sizes = np.bincount(of_site)
    drawn = np.random.default_rng(SEED).integers(len(sums), size=(2000, len(sums)))
    low, high = np.quantile(sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1), (0.025, 0.975))
    return float(low), float(high)


class Place(NamedTuple):
    """Where a page stands in the corpora."""

    corpus: str
    site: str


def halves(places: Sequence[Place]) -> Bools:
    """Tell which pages are for choosing: those of half of the sites, drawn with a seed."""
    sites = sorted({place.site for place in places})
    random.Random(SEED).shuffle(sites)
    chosen = set(sites[: len(sites) // 2])
    return np.array([place.site in chosen for place in places])


def table(
    choice: Choice, tools: Sequence[str], scores: Floats, places: Sequence[Place], choosing: int
) -> str:
    """Return the lines of the docs; `scores` is page x (the combination, then single methods)."""
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
    return "\n".join(lines)


BEGIN = "<!-- combinations: written by make combinations -->"
END = "<!-- combinations: end -->"


def rewritten(page: str, lines: str) -> str:
    """Return the page of the docs with new lines between its marks."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"the page has no marks: add {BEGIN} and {END}.")
    return f"{before}{BEGIN}\n{lines}\n{END}{after}"


# --- the run -------------------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None) -> int:
    """Run all of it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("page", type=Path, nargs="?", help="the page of the docs to rewrite")
    parser.add_argument("--limit", type=int, help="take the first pages of each corpus")
    parser.add_argument("--corpus", type=Path, action="append", help="instead of the usual ones")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    given = parser.parse_args(arguments)
    folder = corpora_folder()
    if folder is None and not given.corpus:
        sys.stdout.write("combinations: no corpora, set THRESHER_CORPORA\n")
        return 2
    paths = given.corpus or [Path(folder or "") / f"{name}.parquet" for name in CORPORA]
    start = time.monotonic()
    lines = experiment(paths, given.limit, given.jobs)
    sys.stdout.write(f"{lines}\n\n{time.monotonic() - start:.0f} seconds\n")
    if given.page:
        given.page.write_text(rewritten(given.page.read_text("utf-8"), lines), "utf-8")
    return 0


def experiment(paths: Sequence[Path], limit: int | None, jobs: int) -> str:
    """Read, train, choose and score; return the lines of the docs."""
    places = [Place(corpora.name_of(path), site) for path in paths for site in _sites(path, limit)]
    choosing = halves(places)
    others = [place for place, chosen in zip(places, choosing.tolist(), strict=True) if not chosen]
    with tempfile.TemporaryDirectory() as folder, Run(paths, limit, jobs) as run:
        models = train(run, choosing, [place.site for place in places], Path(folder))
        sheets = run.each(sheet_of, choosing, "run methods", models)
        choice = choose(sheets, lambda pages: run.bar.track(pages, description="try combinations"))
        single = [name for name in methods.names() if name != PRODUCT]
        tools = [choice.expression, *single, *FILTERS[1:]]
        scores = np.array(run.each(exact_scores, ~choosing, "score", models, tools))
    return table(choice, tools, scores, others, int(choosing.sum()))


def train(run: Run, choosing: Bools, sites: Sequence[str], folder: Path) -> list[Path]:
    """Train what is trained on the half that chooses; return for each page where its models are."""
    chosen = np.flatnonzero(choosing).tolist()
    fold = folds_of_groups([sites[page] for page in chosen], FOLDS, SEED).tolist()
    samples = run.each(samples_of, choosing, "sample pages")
    places = [folder / f"{number}" for number in range(FOLDS + 1)]  # the last: all of the half
    tasks = []
    for number, place in enumerate(places):
        place.mkdir()
        seen = [
            sample for sample, held_out in zip(samples, fold, strict=True) if held_out != number
        ]
        for index, method in enumerate(TRAINED):
            tasks.append((method, [sample[index] for sample in seen], place))
    run.all(write_model, tasks, "train")
    models = [places[-1]] * len(choosing)
    for page, number in zip(chosen, fold, strict=True):
        models[page] = places[number]
    return models


def _sites(path: Path, limit: int | None) -> list[str]:
    """Return the site of each page; a page without one is a site of its own."""
    pages = enumerate(pages_of([path], limit))
    return [page.site or f"{corpora.name_of(path)} {number}" for number, page in pages]


if __name__ == "__main__":
    sys.exit(main())
