"""The tables of chapter 4 of the thesis, measured on our corpora beside the thesis' own figures.

    gaps     R2L and DANA with the best gap of each site (Table 4.3)
    filters  the three filters of links by site (Tables 4.13 and 4.14)
    mss      MSS beside the figure that the thesis quotes (3.3.1.4)
    speed    megabytes per second (Tables 4.7 and 4.10)

Precision, recall and F1 are those of the longest common subsequence, as in the thesis. The figures
are written to docs/figures/chapter-4.json, and from there into docs/methods/chapter-4.md; a test
checks that these agree. `make chapter-4` runs it. The thesis' sites are not ours: what can be
compared is the order of the methods and the size of the differences.
"""

from __future__ import annotations

import gc
import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from benchmarks.corpus_pages import (
    argument_parser,
    corpus_paths,
    exit_with,
    gold_pages,
    is_right_to_left,
)
from benchmarks.marked_blocks import markdown_table, write_block
from thresher.errors import InputError
from thresher.evaluate import corpora
from thresher.evaluate.corpora import GoldPage
from thresher.evaluate.run import Tools, evaluate
from thresher.evaluate.scores import Score, lcs, tokens
from thresher.methods import combine
from thresher.methods.danag import DANA, R2L, AdDANAg
from thresher.page import Method, Page
from thresher.page.decode import decode
from thresher.page.parse import parse

ROOT = Path(__file__).resolve().parent.parent
LAST_RUN = ROOT / "docs" / "figures" / "chapter-4.json"
PAGE = ROOT / "docs" / "methods" / "chapter-4.md"

Figures: TypeAlias = dict[str, Any]

# --- what the thesis prints ----------------------------------------------------------------------


class GapRow(NamedTuple):
    """A row of Table 4.3, with the F1 of DANA at its gap of 20 (Table 4.6)."""

    site: str
    f1: float  # with a gap of 8
    best_gap: int
    best_f1: float
    dana: float


TABLE_4_3 = (
    GapRow("BBC, Farsi", 0.991, 8, 0.991, 0.994),
    GapRow("Hamshahri, Farsi", 0.991, 8, 0.991, 0.978),
    GapRow("Jame Jam, Farsi", 0.977, 3, 0.987, 0.945),
    GapRow("Al Ahram, Arabic", 0.929, 7, 0.983, 0.984),
    GapRow("Reuters, Arabic", 0.936, 4, 0.971, 0.967),
    GapRow("Embassy of Germany, Farsi", 0.954, 15, 0.971, 0.935),
    GapRow("BBC, Urdu", 0.956, 11, 0.997, 1.0),
    GapRow("BBC, Pashto", 0.974, 8, 0.974, 0.936),
    GapRow("BBC, Arabic", 0.987, 8, 0.987, 0.963),
    GapRow("Wikipedia, Farsi", 0.283, 16, 0.385, 0.674),
)
WIKIPEDIA_DANA_BEST = (160, 0.857)  # thesis 4.4.2: the only other gap that is given

# One row a site: F1 without a filter (Tables 4.11 and 4.12), then recall, precision and F1 with
# filters 1, 2 and 3 (Tables 4.13 and 4.14).
_TABLE_4_13 = """
Al Ahram    .949  .942 .942 .942  .969 .969 .969  .949 .949 .949
BBC Arabic  .986  .987 .989 .987  .952 .691 .987  .969 .804 .985
BBC Pashto  .944  .961 .961 .959  .929 .918 .929  .944 .939 .944
BBC Persian .995  .997 .997 .997  .973 .961 .994  .985 .979 .996
BBC Urdu    .999  .999 .999 .999  .999 .999 .999  .999 .999 .999
Embassy     .917  .953 .953 .949  .833 .831 .902  .884 .883 .917
Hamshahri   .991  .953 .942 .993  .611 .498 .989  .716 .624 .991
Jame Jam    .966  .963 .963 .970  .970 .970 .976  .966 .966 .973
Reuters     .945  1.00 1.00 1.00  .897 .897 .897  .945 .945 .945
Wikipedia   .699  .853 .886 .810  .869 .852 .915  .852 .861 .852
"""
_TABLE_4_14 = """
BBC         .924  .913 .922 .890  .991 .935 .991  .939 .916 .922
Economist   .900  .967 .967 .967  .830 .732 .855  .884 .827 .900
Zdf         .912  .963 .963 .963  .880 .812 .880  .910 .871 .910
Golem       .979  .993 .745 .999  .941 .707 .989  .965 .724 .994
Heise       .945  .976 .965 .964  .900 .830 .911  .931 .884 .931
Republica   .970  .995 .994 .996  .872 .792 .954  .914 .865 .970
Spiegel     .949  .946 .946 .941  .943 .938 .974  .938 .937 .951
Telepolis   .932  .979 .979 .980  .914 .914 .919  .930 .930 .932
Yahoo       .952  .954 .952 .953  .948 .944 .948  .950 .948 .950
Wikipedia   .646  .810 .760 .787  .927 .882 .927  .856 .809 .840
Manual      .401  .687 .690 .686  .355 .356 .357  .403 .404 .404
Slashdot    .209  .399 .440 .372  .208 .192 .197  .248 .239 .236
"""


def thesis_filters(table: str) -> dict[str, list[float]]:
    """Return the ten figures of each site: F1 without a filter, then R, P and F1 of the filters."""
    rows = [line.split() for line in table.strip().splitlines()]
    return {" ".join(row[:-10]): [float(value) for value in row[-10:]] for row in rows}


FILTERS_RIGHT_TO_LEFT = thesis_filters(_TABLE_4_13)
FILTERS_WESTERN = thesis_filters(_TABLE_4_14)

MSS_CLAIM = 0.9794  # thesis 3.3.1.4: "an overall F1-measure of 97.94 %", without naming the pages

# MB/s of Tables 4.7 and 4.10, by our expressions; None where the thesis has no figure.
THROUGHPUT: dict[str, float | None] = {
    "accb": 0.40,
    "bte": 0.17,
    "dsc": 7.76,
    "fe": 14.33,
    "k-fe": 11.76,
    "lqf(quota=0.25)": 1.25,
    "lqf(quota=0.5)": 1.25,
    "lqf(quota=0.75)": 1.25,
    "tccb(r=18)": 17.09,
    "tccb(r=25)": 15.86,
    "density": 7.62,
    "r2l": None,
    "dana": 19.43,
    "danag": 11.41,
    "addanag": None,
}

# --- measuring -----------------------------------------------------------------------------------

GAPS = (*range(2, 21), 25, 30, 40, 60, 80, 120, 160)  # 2 joins nothing: a distance is at least 3
NON_LATIN = ("el", "ru", "zh")  # of daniel: other scripts without ASCII letters
LEAST_PAGES = 20  # of a site in the table of filters
LEAST_GAP_PAGES = 15  # of a site in another script, in the table of gaps
MSS_PAGES = 150  # drawn from each corpus
ROUNDS = 3  # of the timing; the best counts

Sites: TypeAlias = dict[str, list[GoldPage]]


def by_site(
    paths: Iterable[Path], wanted: Callable[[GoldPage], bool], least: int | None = None
) -> Sites:
    """Return the pages that are wanted by site, of sites with at least `least` such pages."""
    found: Sites = {}
    for path in paths:
        name = corpora.name_of(path)
        for page in gold_pages([path], None):
            if page.site and wanted(page):
                found.setdefault(f"{page.site} ({name})", []).append(page)
    large = {site: pages for site, pages in found.items() if len(pages) >= (least or 1)}
    return dict(sorted(large.items(), key=lambda item: -len(item[1])))


def score(page: Page, method: Method, gold: list[str], known: dict[bytes, Score]) -> Score:
    """Score a method on a page; `known` has the scores of other options by what they keep."""
    kept = method(page)
    key = kept.keep.tobytes() + kept.characters.encode()
    if key not in known:
        known[key] = lcs(tokens(kept.text()), gold)
    return known[key]


def mean_scores(pages: Sequence[GoldPage], tried: Sequence[Method]) -> list[list[float]]:
    """Return the mean recall, precision and F1 of each method over the pages."""
    totals = [[0.0, 0.0, 0.0] for _ in tried]
    for gold in pages:
        page, words = parse(decode(gold.html)[0]), tokens(gold.text)
        known: dict[bytes, Score] = {}
        for total, method in zip(totals, tried, strict=True):
            found = score(page, method, words, known)
            for column, value in enumerate((found.recall, found.precision, found.f1)):
                total[column] += value / len(pages)
    return [[round(value, 4) for value in total] for total in totals]


def measure_gaps(paths: dict[str, Path]) -> Figures:
    """Return the F1 of R2L and DANA for each gap and site: right-to-left first, then others."""
    sites = by_site(paths.values(), lambda page: is_right_to_left(page.text))
    others = by_site([paths["daniel"]], lambda page: page.lang in NON_LATIN, LEAST_GAP_PAGES)
    found: Figures = {}
    for site, pages in (sites | others).items():
        found[site] = {"pages": len(pages), "right_to_left": site in sites}
        for name, kind in (("r2l", R2L), ("dana", DANA)):
            scores = mean_scores(pages, [kind(gap=gap) for gap in GAPS])
            found[site][name] = [f1 for _, _, f1 in scores]
    return {"gaps": list(GAPS), "sites": found}


def measure_filters(paths: dict[str, Path]) -> Figures:
    """Return recall, precision and F1 without and with each filter, by site."""
    tried = [AdDANAg(filter=number) for number in (0, 1, 2, 3)]
    right_to_left = by_site(paths.values(), lambda page: is_right_to_left(page.text))
    large = by_site(
        [paths["daniel"], paths["big9-chaos"]], lambda page: not is_right_to_left(page.text),
        LEAST_PAGES,
    )  # fmt: skip
    return {
        name: {
            site: {"pages": len(pages), "scores": mean_scores(pages, tried)}
            for site, pages in sites.items()
        }
        for name, sites in (("right_to_left", right_to_left), ("others", large))
    }


MSS_EXPRESSIONS = {"best run": 'mss(runs="best")', "all runs": "mss"}  # the paper's rule first


def measure_mss(paths: dict[str, Path]) -> Figures:
    """Return the mean F1 of MSS on drawn pages of each corpus."""
    written = {name: combine.write(combine.read(text)) for name, text in MSS_EXPRESSIONS.items()}
    results = evaluate(
        list(paths.values()), Tools(tuple(written.values())), limit=MSS_PAGES, sampled=True
    )
    found: Figures = {name: {} for name in written}
    for row in results.rows():
        (name,) = (name for name, tool in written.items() if tool == row.tool)
        found[name][row.corpus] = {
            "pages": row.pages,
            "lcs_f1": round(row.means["lcs_f1"].value, 4),
            "word_f1": round(row.means["bag_f1"].value, 4),
        }
    return found


def measure_speed(paths: dict[str, Path], rounds: int = ROUNDS) -> Figures:
    """Return the megabytes per CPU second of each method on right-to-left pages, HTML to text."""
    pages = [page.html for page in gold_pages([paths["voa-dari"]], None)]
    megabytes = sum(map(len, pages)) / 1e6
    todo = {text: combine.read(text) for text in THROUGHPUT}
    best = dict.fromkeys(todo, float("inf"))
    for _ in range(rounds):
        for text, method in todo.items():
            gc.collect()
            start = time.process_time()
            for html in pages:
                method(parse(decode(html)[0])).text()
            best[text] = min(best[text], time.process_time() - start)
    return {
        "pages": len(pages),
        "megabytes": round(megabytes, 2),
        "rounds": rounds,
        "methods": {text: round(megabytes / seconds, 2) for text, seconds in best.items()},
    }


CORPORA = ("voa-dari", "fundus", "daniel", "big9-chaos")
MSS_CORPORA = ("fundus", "big9-chaos", "daniel", "dragnet")
MEASURES: dict[str, tuple[Callable[[dict[str, Path]], Figures], Sequence[str]]] = {
    "gaps": (measure_gaps, ("voa-dari", "fundus", "daniel")),
    "filters": (measure_filters, CORPORA),
    "mss": (measure_mss, MSS_CORPORA),
    "speed": (measure_speed, ("voa-dari",)),
}

# --- the tables ----------------------------------------------------------------------------------


def best_gap(gaps: Sequence[int], scores: Sequence[float], usual: int) -> tuple[int, float]:
    """Return the gap with the best F1 to three digits, and that F1; of several the nearest."""
    rounded = [round(value, 3) for value in scores]
    top = max(rounded)
    best = [gap for gap, value in zip(gaps, rounded, strict=True) if value == top]
    return min(best, key=lambda gap: (abs(gap - usual), gap)), top


def gaps_block(figures: Figures) -> str:
    """Return the table of gaps: the thesis' sites, then ours."""
    gaps = figures["gaps"]
    rows = []
    for row in TABLE_4_3:
        other = WIKIPEDIA_DANA_BEST if row.site.startswith("Wikipedia") else None
        rows.append([
            f"thesis: {row.site}", "", _f(row.f1), str(row.best_gap), _f(row.best_f1),
            _f(row.dana), str(other[0]) if other else "–", _f(other[1]) if other else "–",
        ])  # fmt: skip
    for site, own in figures["sites"].items():
        cells = [f"**{site}**" if own["right_to_left"] else site, str(own["pages"])]
        for name, usual in (("r2l", 8), ("dana", 20)):
            gap, top = best_gap(gaps, own[name], usual)
            cells += [_f(own[name][gaps.index(usual)]), str(gap), _f(top)]
        rows.append(cells)
    head = ["", "pages", "`r2l`, gap 8", "best gap", "F1", "`dana`, gap 20", "best gap", "F1"]
    return "\n".join([*markdown_table(head, rows), "", _dated(figures)]) + "\n"


def filters_block(figures: Figures) -> str:
    """Return the tables of the filters: right-to-left sites, then the others."""
    head = ["", "pages", "F1: none", "R: 1", "2", "3", "P: 1", "2", "3", "F1: 1", "2", "3"]
    lines: list[str] = []
    for title, thesis, ours in (
        ("Right-to-left (Table 4.13):", FILTERS_RIGHT_TO_LEFT, figures["right_to_left"]),
        ("Other sites (Table 4.14):", FILTERS_WESTERN, figures["others"]),
    ):
        rows = [[f"thesis: {site}", "", *_filter_cells(row)] for site, row in thesis.items()]
        rows += [["*thesis: mean*", "", *_filter_cells(_means(thesis.values()))]]
        own = {site: _flat(one["scores"]) for site, one in ours.items()}
        rows += [
            [f"**{site}**", str(ours[site]["pages"]), *_filter_cells(row)]
            for site, row in own.items()
        ]
        if sum(one["pages"] >= LEAST_PAGES for one in ours.values()) > 1:
            pages = sum(one["pages"] for one in ours.values())
            rows += [["*mean of our sites*", f"{pages:,}", *_filter_cells(_means(own.values()))]]
        lines += [title, "", *markdown_table(head, rows), ""]
    return "\n".join([*lines, _wins(figures), "", _dated(figures)]) + "\n"


def _flat(scores: list[list[float]]) -> list[float]:
    """Return the figures of a site in the order of the thesis' tables."""
    none, *filters = scores
    return [none[2], *(one[column] for column in range(3) for one in filters)]


def _filter_cells(row: Sequence[float]) -> Iterator[str]:
    """Yield the cells of a site; the best F1 of the three filters is bold."""
    best = max(round(value, 3) for value in row[7:])
    for number, value in enumerate(row):
        yield f"**{_f(value)}**" if number >= 7 and round(value, 3) == best else _f(value)


def _means(rows: Iterable[Sequence[float]]) -> list[float]:
    columns = list(zip(*rows, strict=True))
    return [sum(column) / len(column) for column in columns]


def _wins(figures: Figures) -> str:
    """Return a sentence that counts the sites where each filter has the best F1."""
    counts = []
    for rows in (
        [*FILTERS_RIGHT_TO_LEFT.values(), *FILTERS_WESTERN.values()],
        [_flat(one["scores"]) for kind in ("right_to_left", "others")
         for one in figures[kind].values()],
    ):  # fmt: skip
        best = [[round(v, 3) == max(round(w, 3) for w in row[7:]) for v in row[7:]] for row in rows]
        counts.append(([sum(column) for column in zip(*best, strict=True)], len(rows)))
    (thesis, their_sites), (ours, our_sites) = counts
    return (
        f"Sites where a filter has the best F1, alone or with others: filters 1, 2, 3 on "
        f"{_listed(thesis)} of the thesis' {their_sites} sites, and on {_listed(ours)} of our "
        f"{our_sites}."
    )


def _listed(values: Sequence[int]) -> str:
    *first, last = map(str, values)
    return f"{', '.join(first)} and {last}"


def mss_block(figures: Figures) -> str:
    """Return the table of MSS: the thesis' figure beside ours."""
    names = [name for name in MSS_EXPRESSIONS if name in figures]
    rows = [["thesis, pages not named", "", _f(MSS_CLAIM), *[""] * (2 * len(names) - 1)]]
    for corpus, first in figures[names[0]].items():
        cells = [corpus + (" †" if corpus == "fundus" else ""), str(first["pages"])]
        for name in names:
            own = figures[name][corpus]
            cells += [_f(own["lcs_f1"]), _f(own["word_f1"])]
        rows.append(cells)
    head = ["", "pages"]
    for name in names:
        head += [f"{name}: LCS F1", "word F1"]
    return "\n".join([*markdown_table(head, rows), "", _dated(figures)]) + "\n"


def speed_block(figures: Figures) -> str:
    """Return the table of megabytes per second."""
    own = figures["methods"]
    rows = [
        [f"`{text}`", "–" if thesis is None else f"{thesis:.2f}", f"{own[text]:.2f}"]
        for text, thesis in THROUGHPUT.items()
    ]
    note = (
        f"{figures['pages']} pages of voa-dari with {figures['megabytes']:g} MB, CPU time from the "
        f"bytes of a page to its text, the best of {figures['rounds']} rounds, on the machine of "
        f"this run. {_dated(figures)}"
    )
    head = ["", "thesis, MB/s", "here, MB/s"]
    return "\n".join([*markdown_table(head, rows), "", note]) + "\n"


def _f(value: float) -> str:
    return f"{value:.3f}"


def _dated(figures: Figures) -> str:
    return f"Measured on {figures['date']}."


BLOCKS: dict[str, Callable[[Figures], str]] = {
    "gaps": gaps_block,
    "filters": filters_block,
    "mss": mss_block,
    "speed": speed_block,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure; write the JSON file and the blocks of the page."""
    parser = argument_parser("chapter_4", __doc__, "--only speed")
    parser.add_argument("--only", action="append", choices=list(MEASURES), help="measure only this")
    parser.add_argument("--page-only", action="store_true", help="write the page of the last run")
    parser.add_argument("--json", type=Path, default=LAST_RUN, help="the file of the figures")
    parser.add_argument("--page", type=Path, default=PAGE, help="the page with the blocks")
    given = parser.parse_args(arguments)
    known = given.json.exists()
    figures: Figures = json.loads(given.json.read_text(encoding="utf-8")) if known else {}
    for name in [] if given.page_only else given.only or MEASURES:
        measure, wanted = MEASURES[name]
        paths = corpus_paths("chapter_4", wanted)
        if not paths:
            return 2
        date = datetime.now(UTC).date().isoformat()
        figures[name] = {"date": date, **measure(dict(zip(wanted, paths, strict=True)))}
        given.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    for name, block in BLOCKS.items():
        if name not in figures:
            raise InputError(f"{given.json} has no {name}: run it with --only {name}.")
        write_block(given.page, name, block(figures[name]))
    return 0


if __name__ == "__main__":
    exit_with(main)
