"""Score the ways to find a headline, as table 5.4 of the thesis, on corpora with gold titles.

A headline is right when it is the gold title, case and white space aside. With A right headlines,
B wrong ones and C pages whose headline was not found (among them the pages of B):

    precision = A / (A + B)    recall = A / (A + C)    F1 = their harmonic mean

`make headlines` writes three tables of docs/headline.md:

    headlines          P, R and F1 of each finder, and the share of pages with the right words
                       (other quotes and dashes are then no error)
    headline-settings  F1 of 24 settings of TitleFinder: chosen on one half of the sites, reported
                       on the other
    headline-sites     F1 and KB/s by site, with the figures of the thesis for the same sites
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias, get_args

import numpy as np

from benchmarks.corpus_pages import (
    add_corpus_options,
    argument_parser,
    corpus_paths,
    exit_with,
    gold_pages,
)
from benchmarks.marked_blocks import markdown_table, write_block
from thresher.document import extract
from thresher.evaluate import corpora
from thresher.evaluate.corpora import GoldPage
from thresher.evaluate.training.trainer import folds_of_groups, group_of
from thresher.metadata import headline
from thresher.metadata.headline import Candidates, Headline, Measure, TitleFinder
from thresher.page import Page, Selection
from thresher.page.array_types import Bools, Floats
from thresher.page.parse import parse
from thresher.page.words import words

CORPORA = ("fundus", "wcxb-dev")
SITE_CORPORA = (*CORPORA, "voa-dari")  # for the table by site only
MEASURES: tuple[Measure, ...] = get_args(Measure)

Finder: TypeAlias = Callable[[Page, Selection | None], Headline]

BASELINES: dict[str, Finder] = {
    "largest heading": lambda page, _: headline.largest_heading(page),
    "title": lambda page, _: headline.title(page),
}
FINDERS: dict[str, Finder] = {
    **{measure: TitleFinder(measure) for measure in MEASURES},
    **{
        f"{measure}, as in the thesis": TitleFinder(measure, "sentences", stop_words=True)
        for measure in MEASURES
    },
    "tf, stop words removed": TitleFinder(stop_words=True),
    "tf, sentences": TitleFinder(candidates="sentences"),
    "tf, texts and sentences": TitleFinder(candidates="both"),
    "tf, improved (5.5)": TitleFinder(improved=True),
    "sum, improved (5.5)": TitleFinder("sum", improved=True),
    **BASELINES,
    "default (`find`)": lambda page, _: headline.find(page),
}
SETTINGS: dict[str, Finder] = {
    f"{candidates}, {'without' if removed else 'with'} stop words: {measure}": TitleFinder(
        measure, candidates, stop_words=removed
    )
    for candidates in get_args(Candidates)
    for removed in (False, True)
    for measure in MEASURES
}
TIMED: dict[str, Finder] = {**{name: FINDERS[name] for name in MEASURES}, **BASELINES}


def folded(text: str) -> str:
    """Return a text in lower case, its white space collapsed."""
    return " ".join(text.casefold().split())


class Answers(NamedTuple):
    """The headlines that were found on one page."""

    group: str  # its site
    title: str  # gold
    kilobytes: float  # of HTML, 1,000 bytes each
    text: dict[str, str]  # by finder
    seconds: dict[str, float]  # by finder, for those that were timed: of parsing and finding


def answers(
    corpus: str,
    pages: Iterable[GoldPage],
    finders: dict[str, Finder],
    timed: dict[str, Finder] | None = None,
) -> Iterator[Answers]:
    """Yield what the finders return for each page with a gold title."""
    for gold in pages:
        if not gold.title:
            continue
        url = gold.url or None
        page = parse(gold.html, url=url)
        content = extract(page).selection
        seconds = {}
        for name, finder in (timed or {}).items():
            start = time.process_time()
            finder(parse(gold.html, url=url), None)
            seconds[name] = time.process_time() - start
        text = {name: finder(page, content).text for name, finder in finders.items()}
        yield Answers(group_of(corpus, gold), gold.title, len(gold.html) / 1000, text, seconds)


def _f1(pages: Sequence[Answers], finder: str) -> tuple[float, float, float]:
    right = sum(folded(page.text[finder]) == folded(page.title) for page in pages)
    found = sum(bool(page.text[finder]) for page in pages)
    precision, recall = right / max(found, 1), right / max(len(pages), 1)
    return precision, recall, 2 * precision * recall / (precision + recall) if right else 0.0


# --- all finders -----------------------------------------------------------------------------


def scores(pages: Sequence[Answers]) -> dict[str, tuple[float, ...]]:
    """Return precision, recall, F1 and the share of equal words of each finder."""
    measured: dict[str, tuple[float, ...]] = {}
    for name in pages[0].text if pages else ():
        alike = sum(
            words(page.text[name].casefold()) == words(page.title.casefold()) for page in pages
        )
        measured[name] = (*_f1(pages, name), alike / len(pages))
    return measured


def table(by_corpus: dict[str, dict[str, tuple[float, ...]]]) -> str:
    """Return the table of all finders."""
    head = [""]
    for name in by_corpus:
        head += [f"{name}: P", "R", "F1", "words"]
    first = next(iter(by_corpus.values()))
    rows = [
        [finder, *(f"{value:.3f}" for own in by_corpus.values() for value in own[finder])]
        for finder in first
    ]
    return "\n".join(markdown_table(head, rows)) + "\n"


# --- settings of TitleFinder -----------------------------------------------------------------

HALVINGS = 200


def settings_table(pages: Sequence[Answers], halvings: int = HALVINGS) -> str:
    """Return F1 of each setting on two halves of the sites, and how often it is the best of one."""
    names = list(pages[0].text)
    right = np.array(
        [[folded(page.text[n]) == folded(page.title) for n in names] for page in pages]
    )
    found = np.array([[bool(page.text[n]) for n in names] for page in pages])
    groups = [page.group for page in pages]

    def f1(half: Bools) -> Floats:
        return np.asarray(2 * right[half].sum(0) / (found[half].sum(0) + half.sum()))

    best: Counter[str] = Counter()
    others = []
    for seed in range(halvings):
        half = folds_of_groups(groups, 2, seed) == 0
        chosen = int(f1(half).argmax())
        best[names[chosen]] += 1
        others.append(f1(~half)[chosen])
    half = folds_of_groups(groups, 2, 0) == 0
    cells = dict(zip(names, zip(f1(half).tolist(), f1(~half).tolist(), strict=True), strict=True))
    rows: dict[str, list[str]] = defaultdict(list)
    for name, (chosen_on, reported) in cells.items():
        rows[name.partition(": ")[0]].append(f"{chosen_on:.3f} / {reported:.3f}")
    lines = markdown_table(["", *MEASURES], ([name, *row] for name, row in rows.items()))
    often = "; ".join(f"{name} ({count})" for name, count in best.most_common())
    lines += [
        "",
        f"Best of the first half in {halvings} halvings: {often}. On the other half the best of "
        f"the first has an F1 of {np.mean(others):.3f} on average.",
    ]
    return "\n".join(lines) + "\n"


# --- sites -----------------------------------------------------------------------------------


class ThesisRow(NamedTuple):
    """A row of table 5.4: F1 and KB/s, each in the order of `TIMED`."""

    f1: tuple[float, ...]
    speed: tuple[float, ...]


THESIS = {
    "BBC": ThesisRow((1.0, 1.0, 1.0, 1.0, 0.0, 0.0), (157.6, 118.7, 119.3, 118.6, 840.3, 1025.3)),
    "Golem": ThesisRow(
        (1.0, 1.0, 1.0, 1.0, 1.0, 0.0), (265.6, 143.0, 143.4, 142.4, 1031.7, 1721.1)
    ),
    "Heise": ThesisRow(
        (0.999, 1.0, 0.998, 1.0, 1.0, 0.0), (197.9, 100.9, 101.3, 100.5, 1027.0, 1692.1)
    ),
    "Repubblica": ThesisRow(
        (0.999, 0.999, 0.999, 0.999, 1.0, 0.0), (295.1, 132.8, 133.2, 132.4, 882.9, 1309.3)
    ),
    "Slashdot": ThesisRow((1.0, 1.0, 1.0, 1.0, 0.0, 0.0), (122.9, 49.7, 49.7, 49.2, 834.3, 2030.4)),
    "Spiegel": ThesisRow(
        (0.977, 0.995, 0.996, 0.995, 0.0, 0.0), (196.7, 92.1, 92.2, 91.2, 662.2, 948.1)
    ),
    "Wikipedia": ThesisRow(
        (0.861, 0.805, 0.834, 0.828, 1.0, 0.0), (237.0, 95.1, 94.9, 94.1, 791.5, 932.6)
    ),
    "ZDF": ThesisRow((1.0, 1.0, 1.0, 1.0, 0.0, 0.0), (221.7, 92.7, 92.9, 92.2, 933.6, 1838.9)),
    "Macro-average": ThesisRow(
        (0.989, 0.975, 0.969, 0.978, 0.6, 0.1), (247.5, 131.2, 131.5, 130.7, 934.3, 1375.8)
    ),
}
# The sites of the thesis under their names in our corpora.
SAME_SITE = {
    "bbc": "BBC",
    "www.bbc.com": "BBC",
    "golem": "Golem",
    "heise": "Heise",
    "larepubblica": "Repubblica",
    "slashdot.org": "Slashdot",
    "developers.slashdot.org": "Slashdot",
    "linux.slashdot.org": "Slashdot",
    "spiegelonline": "Spiegel",
    "en.wikipedia.org": "Wikipedia",
    "zdf": "ZDF",
}
FEWEST_PAGES = 5  # of a site that is not in the thesis and has a row of its own


def sites_table(pages: Sequence[Answers]) -> str:
    """Return F1 and KB/s of each site with enough pages, and of those of the thesis."""
    by_site: dict[str, list[Answers]] = defaultdict(list)
    for page in pages:
        kind, _, site = page.group.partition(" ")
        if kind == "site":
            by_site[SAME_SITE.get(site, site)].append(page)
    figures = {site: _site_figures(own) for site, own in by_site.items()}
    figures["Macro-average"] = np.mean(list(figures.values()), axis=0)
    known = [site for site in THESIS if site in by_site]
    large = [site for site, own in by_site.items() if len(own) >= FEWEST_PAGES]
    large = sorted(set(large) - set(known), key=lambda site: (-len(by_site[site]), site))
    head = ["", "pages", *TIMED]
    lines: list[str] = []
    for title, column, form in (("F1", 0, "{:.3f}"), ("KB/s", 1, "{:,.0f}")):
        rows = []
        for site in (*known, *large, "Macro-average"):
            own = [form.format(value) for value in figures[site][column]]
            if site in THESIS:
                printed = THESIS[site][column]
                own = [f"{ours} ({form.format(p)})" for ours, p in zip(own, printed, strict=True)]
            many = len(by_site[site]) if site in by_site else sum(map(len, by_site.values()))
            name = site if site in by_site else f"{site} of {len(by_site):,} sites"
            rows.append([name, f"{many:,}", *own])
        lines += ["", *markdown_table([title, *head[1:]], rows)]
    return "\n".join(lines[1:]) + "\n"


def _site_figures(pages: Sequence[Answers]) -> Floats:
    """Return F1 and KB/s of the finders of the table by site: 2 x finders."""
    size = sum(page.kilobytes for page in pages)
    speed = [size / max(sum(page.seconds[name] for page in pages), 1e-9) for name in TIMED]
    return np.array([[_f1(pages, name)[2] for name in TIMED], speed])


# --- the program -----------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None) -> int:
    """Score every finder and write the tables into the page; return the exit code."""
    parser = argument_parser("headlines", __doc__, "docs/headline.md --limit 50")
    parser.add_argument("page", type=Path, help="the page of the docs with the marked blocks")
    add_corpus_options(parser)
    given = parser.parse_args(arguments)
    paths = corpus_paths("headlines", SITE_CORPORA, given.corpus)
    if not paths:
        return 2
    every = {
        name: list(answers(name, gold_pages([path], given.limit), {**FINDERS, **SETTINGS}, TIMED))
        for path in paths
        for name in [corpora.name_of(path)]
    }
    main_corpora = {name: own for name, own in every.items() if given.corpus or name in CORPORA}
    by_corpus = {name: scores(_of(own, FINDERS)) for name, own in main_corpora.items()}
    write_block(given.page, "headlines", table(by_corpus))
    pooled = [page for own in main_corpora.values() for page in _of(own, SETTINGS)]
    write_block(given.page, "headline-settings", settings_table(pooled))
    write_block(
        given.page, "headline-sites", sites_table([p for own in every.values() for p in own])
    )
    return 0


def _of(pages: Iterable[Answers], finders: Iterable[str]) -> list[Answers]:
    """Return the answers of some of the finders."""
    names = list(finders)
    return [page._replace(text={name: page.text[name] for name in names}) for page in pages]


if __name__ == "__main__":
    exit_with(main)
