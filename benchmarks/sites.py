"""Measure what learned pages of a site add to extraction: page alone against page and site.

    sites of big9-chaos, daniel and the generator
        gains        word F1 after learning 1, 2, 5, 10 and 20 other pages of the site
        redesigns    the pages of a site in the order of years: extract each, then learn it
        two pages    the paper's own method, with the most related page by URL as reference
        Table 1      its successes and failures on generated sites whose causes are known
        costs        CPU time of learning and applying, size of a site over hundreds of pages

For each page, the learned pages are drawn with a seed among the other pages of its site, several
times. Scores are means over draws and the pages of a site, then over sites; intervals are from the
bootstrap over sites. The gold text is used for scores only, never for learning.

`make sites` writes the figures to docs/figures/sites.json, and from there the tables and pictures
of docs/site.md; a test checks that these agree.
"""

from __future__ import annotations

import copy
import gc
import json
import os
import pickle
import re
import time
import tracemalloc
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

import thresher
from benchmarks.corpus_pages import PagePool, argument_parser, corpus_paths, exit_with
from benchmarks.generator import CAUSES, generate_site
from benchmarks.generator.sites import YEARS
from benchmarks.marked_blocks import markdown_table, write_block
from thresher.evaluate import corpora
from thresher.evaluate.corpora import GoldPage
from thresher.evaluate.scores import bag, tokens
from thresher.page import Page
from thresher.site.matching import match
from thresher.site.related import most_related, url_key
from thresher.site.site import MOST_ROWS, MOST_TEMPLATES
from thresher.site.store import MOST_BYTES
from thresher.viewer.plots import image_bytes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COUNTS = (1, 2, 5, 10, 20)  # pages learned
NEARLY = 0.8  # of a count, if a site does not have more pages
DRAWS = 4  # of learned pages for each page
FEW, MANY = 8, 20  # pages of the sites that are measured
GENERATED = 16  # sites
SEED = 6
LEARNED = 5  # pages of the sites that are timed, and of the figures about a gap
BAR = 0.9  # a site below this F1 has a gap to close
ROUNDS = 5
TIMED = 60  # pages
SIZES = (1, 10, 50, 100, 200, 400, 800)  # pages learned when a site is weighed
FULL_PAGES = 200

RIGHT = 0.95  # precision and recall of a success in Table 1
TABLE_SITES, TABLE_PAGES = 10, 10  # for each cause
# The paper's first run, without its guards.
FIRST_RUN: dict[str, Any] = {"long_text": 1_000_000, "hidden": True}
CAUSE_WORDS = {
    "": "none",
    "F1": "F1: content of plain sentences only",
    "F2": "F2: invisible text",
    "F3": "F3: regular parts that are not rigid",
    "F4": "F4: highly dynamic regular parts",
    "lists": "lists, quotes and figures in the content",
}

ROOT = Path(__file__).resolve().parent.parent
FIGURES = ROOT / "docs" / "figures" / "sites.json"
PAGE = ROOT / "docs" / "site.md"
PICTURES = ROOT / "docs" / "pictures"

Figures = dict[str, Any]
_YEAR = re.compile(r"big\d+-(\d\d)/")


class Group(NamedTuple):
    """Pages of one site, and the set of sites that it belongs to."""

    corpus: str
    site: str
    pages: Sequence[GoldPage]


# --- sites ---------------------------------------------------------------------------------------


def by_site(corpus: str, pages: Iterable[GoldPage]) -> list[Group]:
    """Return the sites of a corpus with at least `FEW` pages.

    A site of big9-chaos is a site in one year, as `cnn 2009`: its pages have one design.
    """
    found: dict[str, list[GoldPage]] = {}
    for page in pages:
        year = _YEAR.match(page.id)
        found.setdefault(f"{page.site} 20{year[1]}" if year else page.site, []).append(page)
    return [
        Group(set_name(corpus, len(own)), site, own)
        for site, own in sorted(found.items())
        if site and len(own) >= FEW
    ]


def set_name(corpus: str, pages: int) -> str:
    """Return the set of sites that a site of a corpus belongs to."""
    if corpus == "daniel":
        return f"daniel, {MANY} pages or more" if pages >= MANY else "daniel, fewer pages"
    return corpus


def generated_sites(count: int) -> list[Group]:
    """Return generated sites of 21 pages: two sections, the designs of the years in turn."""
    found = []
    for number in range(count):
        years = [YEARS[number % len(YEARS)]]
        pages = list(generate_site(SEED, number, MANY + 1, years=years, sections=2))
        found.append(Group("generated", f"{pages[0].site} {years[0]}", pages))
    return found


def histories(corpus: str, pages: Iterable[GoldPage]) -> list[Group]:
    """Return the sites of big9-chaos that were redesigned, with their pages in order of years."""
    found: dict[str, list[GoldPage]] = {}
    for page in pages:
        if _YEAR.match(page.id):
            found.setdefault(page.site, []).append(page)
    return [
        Group(corpus, site, sorted(own, key=lambda page: (year_of(page), page.id)))
        for site, own in sorted(found.items())
    ]


def generated_histories(count: int) -> list[Group]:
    """Return generated sites with ten pages of each of their three designs."""
    found = []
    for number in range(count):
        pages = list(generate_site(SEED, number, 10 * len(YEARS), years=YEARS))
        found.append(Group("generated", pages[0].site, pages))
    return found


def year_of(page: GoldPage) -> int:
    """Return the year of a page's design."""
    year = _YEAR.match(page.id)
    return 2000 + int(year[1]) if year else int(page.id.split("-")[-2])


# --- gains ---------------------------------------------------------------------------------------


def f1(text: str, gold: Sequence[str]) -> float:
    """Return the word F1 of a text."""
    return bag(tokens(text), gold).f1


def parsed(page: GoldPage) -> Page:
    """Return the columns of a page."""
    return thresher.parse(page.html, url=page.url or None)


def gains(group: Group) -> Figures:
    """Return a site's mean F1 with the page alone, by pages learned, and with the paper's method.

    A count is measured if the site has that many other pages, or nearly: 8 of 10, 16 of 20.
    """
    pages = [parsed(page) for page in group.pages]
    counts = [count for count in COUNTS if len(pages) - 1 >= NEARLY * count]
    scores = {str(count): np.zeros((DRAWS, len(pages))) for count in counts}
    fixed = {name: np.zeros(len(pages)) for name in ("page", "R1", "R2")}
    for number, (gold, page) in enumerate(zip(group.pages, pages, strict=True)):
        words = tokens(gold.text)
        others = [other for other in range(len(pages)) if other != number]
        for draw in range(DRAWS):
            Random(f"{SEED} {group.site} {number} {draw}").shuffle(others)
            site, learned = thresher.Site(), 0
            for count in counts:
                for other in others[learned:count]:
                    site.learn(pages[other])
                learned = count
                scores[str(count)][draw, number] = f1(site.extract(page).text, words)
        reference = pages[related_to(number, group.pages, others)]
        fixed["page"][number] = f1(thresher.extract(page).text, words)
        first_run = match(page, reference, **FIRST_RUN).selection().text()
        fixed["R1"][number] = f1(first_run, words)
        fixed["R2"][number] = f1(match(page, reference).selection().text(), words)
    return {
        "corpus": group.corpus,
        "site": group.site,
        "pages": len(pages),
        "f1": {name: _rounded(table.mean()) for name, table in (fixed | scores).items()},
        "worst draw": {name: _rounded(table.mean(1).min()) for name, table in scores.items()},
    }


def _rounded(value: float) -> float:
    return round(float(value), 4)


def related_to(number: int, pages: Sequence[GoldPage], others: Sequence[int]) -> int:
    """Return the other page whose address is most related; the first one without addresses."""
    if not pages[number].url:
        return others[0]
    keys = sorted((url_key(pages[other].url), other) for other in others)
    return keys[most_related(url_key(pages[number].url), [key for key, _ in keys])][1]


# --- redesigns -----------------------------------------------------------------------------------


def history(group: Group) -> Figures:
    """Extract each page of a site with what was learned of all before it, then learn it."""
    site = thresher.Site()
    years: dict[int, Figures] = {}
    first_page: dict[int, int] = {}  # of each year, as numbered by the site
    for gold in group.pages:
        page, words, year = parsed(gold), tokens(gold.text), year_of(gold)
        first_page.setdefault(year, site.pages + 1)
        own = years.setdefault(year, {"page": [], "site": [], "own": [], "noticed": None})
        own["page"].append(round(f1(thresher.extract(page).text, words), 4))
        own["site"].append(round(f1(site.extract(page).text, words), 4))
        template = site.learn(page)
        own["own"].append(template is not None and template.first >= first_page[year])
        if site.redesigned and own["noticed"] is None and len(years) > 1 and own["own"][-1]:
            own["noticed"] = len(own["page"])
    return {
        "corpus": group.corpus,
        "site": group.site,
        "templates": len(site.templates),
        "years": {str(year): own for year, own in years.items()},
        "newest": newest(group),
    }


def newest(group: Group) -> Figures:
    """Return the mean F1 on the pages of the last design after learning five of its pages.

    The site either learned nothing else, or all pages of the designs before.
    """
    last = year_of(group.pages[-1])
    old = thresher.learn(parsed(page) for page in group.pages if year_of(page) != last)
    golds = [page for page in group.pages if year_of(page) == last]
    pages = [parsed(page) for page in golds]
    scores: dict[str, list[float]] = {"page": [], "new": [], "old and new": []}
    for number, (gold, page) in enumerate(zip(golds, pages, strict=True)):
        words = tokens(gold.text)
        others = [other for other in range(len(pages)) if other != number]
        drawn = Random(f"{SEED} {group.site} {number}").sample(others, min(LEARNED, len(others)))
        alone, after = thresher.Site(), copy.deepcopy(old)
        for other in drawn:
            alone.learn(pages[other])
            after.learn(pages[other])
        scores["page"].append(f1(thresher.extract(page).text, words))
        scores["new"].append(f1(alone.extract(page).text, words))
        scores["old and new"].append(f1(after.extract(page).text, words))
    return {name: round(float(np.mean(values)), 4) for name, values in scores.items()}


# --- Table 1 -------------------------------------------------------------------------------------


def is_right(text: str, gold: GoldPage) -> bool:
    """Return whether a text has the content, and besides it at most title, author and date."""
    found = tokens(text)
    most = tokens(f"{gold.title} {gold.author} {gold.date} {gold.text}")
    recall = bag(found, tokens(gold.text)).recall
    return recall >= RIGHT and bag(found, most).precision >= RIGHT


def table_1(cause: str, number: int) -> dict[str, int]:
    """Return how many pages of a generated site each method gets right."""
    years = [YEARS[number % len(YEARS)]]
    golds = list(generate_site(SEED, number, TABLE_PAGES, years=years, sections=2, cause=cause))
    pages = [parsed(gold) for gold in golds]
    right = dict.fromkeys(("R1", "R2", "any reference", "page", "site"), 0)
    for place, (gold, page) in enumerate(zip(golds, pages, strict=True)):
        order = [other for other in range(len(pages)) if other != place]
        Random(f"{SEED} {number} {place}").shuffle(order)
        reference = pages[related_to(place, golds, order)]
        site = thresher.learn(pages[other] for other in order[:LEARNED])
        found = {
            "R1": match(page, reference, **FIRST_RUN).selection().text(),
            "R2": match(page, reference).selection().text(),
            "any reference": match(page, pages[order[0]]).selection().text(),
            "page": thresher.extract(page).text,
            "site": site.extract(page).text,
        }
        for name, text in found.items():
            right[name] += is_right(text, gold)
    return right


# --- costs ---------------------------------------------------------------------------------------


def costs(groups: Sequence[Group], rounds: int) -> Figures:
    """Return the CPU time of learning and of applying as multiples of that of `extract`.

    All three begin with the HTML. The sites have learned `LEARNED` pages before. Each page counts
    with the least time of all rounds.
    """
    drawn = [(group, page) for group in groups for page in group.pages[LEARNED:]]
    drawn = Random(SEED).sample(drawn, min(TIMED, len(drawn)))
    sites: dict[str, thresher.Site] = {}
    for group, _ in drawn:
        sites[group.site] = thresher.learn(page.html for page in group.pages[:LEARNED])
    learners: dict[str, thresher.Site] = {}
    works: dict[str, Callable[[Group, GoldPage], object]] = {
        "extract": lambda _, page: thresher.extract(page.html).text,
        "learn": lambda group, page: learners[group.site].learn(page.html),
        "apply": lambda group, page: sites[group.site].extract(page.html).text,
    }
    best = {name: np.full(len(drawn), np.inf) for name in works}  # seconds of each page
    for _ in range(rounds):
        learners.update(copy.deepcopy(sites))
        gc.collect()
        for number, (group, page) in enumerate(drawn):
            for name, work in works.items():
                start = time.process_time()
                work(group, page)
                best[name][number] = min(best[name][number], time.process_time() - start)
    total = {name: float(seconds.sum()) for name, seconds in best.items()}
    return {
        "pages": len(drawn),
        "rounds": rounds,
        "learn": round(total["learn"] / total["extract"], 2),
        "apply": round(total["apply"] / total["extract"], 2),
    }


def sizes(pages: Iterable[GoldPage]) -> list[dict[str, int]]:
    """Return the bytes of a site in memory and stored, after learning more and more pages."""
    site = thresher.Site()
    found = []
    for page in pages:
        site.learn(page.html, url=page.url or None)
        if site.pages in SIZES:
            found.append(
                {
                    "pages": site.pages,
                    "templates": len(site.templates),
                    "memory": bytes_in_memory(site),
                    "stored": len(site.to_bytes()),
                }
            )
    return found


def bytes_in_memory(value: object) -> int:
    """Return the bytes that a copy of an object takes."""
    data = pickle.dumps(value)
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        kept = pickle.loads(data)
        after = tracemalloc.get_traced_memory()[0]
        del kept
        return after - before
    finally:
        tracemalloc.stop()


def many_pages(corpora_pages: Mapping[str, list[GoldPage]]) -> dict[str, Iterable[GoldPage]]:
    """Return pages for `sizes`: of a generated site, of many hosts as if they were one, and full.

    Full pages have as many rows as a site keeps of a page, in as many designs as a site keeps.
    """
    most = max(SIZES)
    return {
        "a generated site": generate_site(SEED, 0, most, years=YEARS, sections=3),
        "all hosts of the corpora as one site": chain.from_iterable(corpora_pages.values()),
        "pages made to fill every table": map(full_page, range(FULL_PAGES)),
    }


def full_page(number: int) -> GoldPage:
    """Return a page with nearly `MOST_ROWS` blocks, many with a path and a text of their own.

    Some texts repeat on all pages of its design, so that they are kept as samples.
    """
    design, own = _letters(number % MOST_TEMPLATES), _letters(number)
    blocks = []
    for row in map(_letters, range(MOST_ROWS - 10)):
        is_new = len(row) > len("999")
        text = own if is_new or row.endswith("j") else design
        path = f"{design}x{row}{own if is_new else ''}"
        blocks.append(f'<p class="{path}">{text} {row} {"is a long text " * 8}')
    html = f"<body>{''.join(blocks)}"
    return GoldPage(id=own, html=html.encode(), text="", url=f"http://full.example/{number}")


def _letters(number: int) -> str:
    """Return a number written with letters, as digits of a class do not count."""
    return "".join(chr(ord(digit) + 49) for digit in str(number))


# --- a run ---------------------------------------------------------------------------------------


def measure(paths: Sequence[Path], generated: int, rounds: int, jobs: int) -> Figures:
    """Measure everything; return the figures of sites.json."""
    pages = {corpora.name_of(path): list(corpora.read(path)) for path in paths}
    groups = [group for name, own in pages.items() for group in by_site(name, own)]
    real = list(groups)
    groups += generated_sites(generated)
    redesigned = [group for name, own in pages.items() for group in histories(name, own)]
    redesigned += generated_histories(generated)
    causes = [(cause, number) for cause in CAUSES for number in range(TABLE_SITES)]
    with PagePool([], None, jobs) as pool:
        found: Figures = {
            "seed": SEED,
            "sites": pool.each_task(gains, ((group,) for group in groups), "gains", len(groups)),
            "redesigns": pool.each_task(
                history, ((group,) for group in redesigned), "redesigns", len(redesigned)
            ),
        }
        right = pool.each_task(table_1, causes, "Table 1", len(causes))
    by_cause: dict[str, dict[str, int]] = {cause: {} for cause in CAUSES}
    for (cause, _), one in zip(causes, right, strict=True):
        for name, pages_right in one.items():
            by_cause[cause][name] = by_cause[cause].get(name, 0) + pages_right
    found["table 1"] = by_cause
    found["table 1 pages"] = TABLE_SITES * TABLE_PAGES
    found["costs"] = costs(real or groups, rounds)
    found["sizes"] = {name: sizes(own) for name, own in many_pages(pages).items()}
    return found


# --- tables --------------------------------------------------------------------------------------


def interval(values: Sequence[float]) -> tuple[float, float]:
    """Return the 95 % interval of a mean over sites, from the bootstrap."""
    table = np.asarray(values, np.float64)
    drawn = np.random.default_rng(SEED).integers(0, len(table), (2_000, len(table)))
    low, high = np.quantile(table[drawn].mean(1), (0.025, 0.975)).tolist()
    return low, high


class Gain(NamedTuple):
    """What some learned pages add on a set of sites: means over sites."""

    learned: int
    sites: int
    page: float
    site: float
    low: float  # of the interval of the gain
    high: float
    worst: float  # change of F1 on the site that loses most, or gains least
    worst_draw: float  # the same for a single draw of learned pages


def gains_of(figures: Figures) -> dict[str, list[Gain]]:
    """Return the gain of each set of sites, by pages learned."""
    found: dict[str, list[Gain]] = {}
    for corpus in dict.fromkeys(one["corpus"] for one in figures["sites"]):
        of_set = [one for one in figures["sites"] if one["corpus"] == corpus]
        own, draws = [one["f1"] for one in of_set], [one["worst draw"] for one in of_set]
        for count in COUNTS:
            if not all(str(count) in scores for scores in own):
                continue
            page = [scores["page"] for scores in own]
            site = [scores[str(count)] for scores in own]
            gain = [after - before for before, after in zip(page, site, strict=True)]
            low, high = interval(gain)
            least = min(draw[str(count)] - before for draw, before in zip(draws, page, strict=True))
            mean = (float(np.mean(page)), float(np.mean(site)))
            found.setdefault(corpus, []).append(
                Gain(count, len(own), *mean, low, high, min(gain), least)
            )
    return found


def gain_table(figures: Figures) -> str:
    """Return the table of F1 by pages learned."""
    head = ("sites", "number", "pages learned", "page alone", "page and site", "gain",
            "95 % interval", "worst site", "worst draw")  # fmt: skip
    rows = [
        (corpus, str(gain.sites), str(gain.learned), f"{gain.page:.4f}", f"{gain.site:.4f}",
         f"{gain.site - gain.page:+.4f}", f"{gain.low:+.4f} to {gain.high:+.4f}",
         f"{gain.worst:+.4f}", f"{gain.worst_draw:+.4f}")
        for corpus, own in gains_of(figures).items()
        for gain in own
    ]  # fmt: skip
    return _table(head, rows)


def gap_table(figures: Figures) -> str:
    """Return the table of sites below the bar, with the share of the gap that is closed."""
    head = ("site", "pages", "page alone", f"{LEARNED} pages learned", f"gap to {BAR}", "closed")
    rows = []
    for one in figures["sites"]:
        before, after = one["f1"]["page"], one["f1"][str(LEARNED)]
        if before < BAR and one["corpus"] != "generated":
            closed = (after - before) / (BAR - before)
            rows.append(
                (one["site"], str(one["pages"]), f"{before:.4f}", f"{after:.4f}",
                 f"{BAR - before:.4f}", f"{closed:.0%}")
            )  # fmt: skip
    return _table(head, sorted(rows, key=lambda row: row[2]))


def redesign_table(figures: Figures) -> str:
    """Return the table of redesigns: templates, when they were noticed, and F1 as pages come."""
    head = ("site", "design", "pages", "in a template of its own", "noticed after", "page alone",
            "as pages come")  # fmt: skip
    rows = []
    for one in figures["redesigns"]:
        if one["corpus"] == "generated":
            continue
        for number, (year, own) in enumerate(one["years"].items()):
            noticed = own["noticed"]
            when = "first design" if not number else f"page {noticed}" if noticed else "not noticed"
            rows.append(
                (one["site"], year, str(len(own["page"])), str(sum(own["own"])), when,
                 f"{np.mean(own['page']):.4f}", f"{np.mean(own['site']):.4f}")
            )  # fmt: skip
    return _table(head, rows)


def redesign_sentence(figures: Figures) -> str:
    """Return how many redesigns were noticed, for each corpus."""
    lines = []
    for corpus in dict.fromkeys(one["corpus"] for one in figures["redesigns"]):
        own = [one for one in figures["redesigns"] if one["corpus"] == corpus]
        later = [year for one in own for year in list(one["years"].values())[1:]]
        noticed = [year["noticed"] for year in later if year["noticed"]]
        apart = sum(sum(year["own"]) for year in later)
        pages = sum(len(year["own"]) for year in later)
        lines.append(
            f"{corpus}: {len(noticed)} of {len(later)} redesigns were noticed, on average after "
            f"{np.mean(noticed):.1f} pages; {apart} of {pages} pages of a later design went to a "
            "template that began with this design."
        )
    return "\n".join(f"- {line}" for line in lines) + "\n"


def newest_table(figures: Figures) -> str:
    """Return the table of F1 on the pages of the last design."""
    head = ("site", "page alone", f"{LEARNED} new pages", f"old designs, then {LEARNED} new pages")
    rows = []
    for corpus in dict.fromkeys(one["corpus"] for one in figures["redesigns"]):
        own = [one for one in figures["redesigns"] if one["corpus"] == corpus]
        names = ("page", "new", "old and new")
        if corpus != "generated":
            rows += [
                (one["site"], *(f"{one['newest'][name]:.4f}" for name in names)) for one in own
            ]
        means = (np.mean([one["newest"][name] for one in own]) for name in names)
        rows.append((f"mean of {len(own)} {corpus} sites", *(f"{mean:.4f}" for mean in means)))
    return _table(head, rows)


def paper_table(figures: Figures) -> str:
    """Return the table of the paper's own method."""
    names = {
        "R1": "two pages, R1", "R2": "two pages, R2", "page": "page alone",
        str(LEARNED): f"{LEARNED} pages learned",
    }  # fmt: skip
    rows = []
    for corpus in dict.fromkeys(one["corpus"] for one in figures["sites"]):
        own = [one["f1"] for one in figures["sites"] if one["corpus"] == corpus]
        means = (np.mean([scores[name] for scores in own]) for name in names)
        rows.append((corpus, str(len(own)), *(f"{mean:.3f}" for mean in means)))
    return _table(("sites", "number", *names.values()), rows)


def failure_table(figures: Figures) -> str:
    """Return Table 1 of the paper on generated sites: pages that came out right."""
    head = ("cause in the site", "R1", "R2", "R2, any page as reference", "page alone",
            f"{LEARNED} pages learned")  # fmt: skip
    rows = [
        (CAUSE_WORDS[cause], *(str(count) for count in right.values()))
        for cause, right in figures["table 1"].items()
    ]
    return _table(head, rows)


def cost_sentence(figures: Figures) -> str:
    """Return the cost of learning and applying."""
    own = figures["costs"]
    return (
        f"From HTML, parsing included, learning a page takes {own['learn']:.2f} times the CPU time "
        f"of `thresher.extract`, and `site.extract` {own['apply']:.2f} times "
        f"({own['pages']} pages, for each the best of {own['rounds']} rounds).\n"
        f"A site takes at most {MOST_BYTES / 1e6:.1f} MB (`thresher.site.store.MOST_BYTES`):\n"
    )


def size_table(figures: Figures) -> str:
    """Return the table of sizes over pages learned."""
    head = ("site", "pages learned", "templates", "memory, kB", "stored, kB")
    rows = [
        (name, f"{one['pages']:,}", str(one["templates"]), f"{one['memory'] / 1e3:,.0f}",
         f"{one['stored'] / 1e3:,.0f}")
        for name, own in figures["sizes"].items()
        for one in own
    ]  # fmt: skip
    return _table(head, rows)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    return "\n".join(markdown_table(head, rows)) + "\n"


BLOCKS: dict[str, Callable[[Figures], str]] = {
    "sites-gains": gain_table,
    "sites-gaps": gap_table,
    "sites-redesigns": lambda figures: f"{redesign_sentence(figures)}\n{redesign_table(figures)}",
    "sites-newest": newest_table,
    "sites-two-pages": paper_table,
    "sites-failures": failure_table,
    "sites-costs": lambda figures: f"{cost_sentence(figures)}\n{size_table(figures)}",
}


# --- pictures ------------------------------------------------------------------------------------

# Okabe and Ito's colours, as in the other plots.
_BLUE, _SHADE, _ORANGE = "#0072b2", "#56b4e9", "#e69f00"
_VISIBLE = 0.0005  # the least change that gets a bar of its own


def _figure(title: str, size: tuple[float, float], panels: int = 1) -> tuple[Figure, list[Axes]]:
    """Return an empty figure in the look of `thresher.viewer.plots`, panels side by side."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=size, layout="constrained")
    figure.suptitle(title, x=0.01, ha="left", fontsize=12, fontweight="bold")
    found: list[Axes] = list(figure.subplots(1, panels, sharey=True, squeeze=False)[0])
    for axes in found:
        axes.spines[["top", "right"]].set_visible(False)
        axes.grid(color="#e6e6e6", linewidth=0.8)
        axes.set_axisbelow(True)
    return figure, found


def _signed(value: float, _: object = None) -> str:
    """Return a change for an axis."""
    return f"{value:+.2f}" if round(value, 4) else "0"


def draw_gains(figures: Figures) -> Figure:
    """Draw the gain by pages learned, a panel for each set of sites."""
    sets = gains_of(figures)
    figure, panels = _figure("What do learned pages add?", (9.0, 3.4), len(sets))
    at = {count: place for place, count in enumerate((0, *COUNTS))}
    for axes, (corpus, own) in zip(panels, sets.items(), strict=True):
        places = [0, *(at[gain.learned] for gain in own)]
        low, high = [0.0, *(gain.low for gain in own)], [0.0, *(gain.high for gain in own)]
        mean = [0.0, *(gain.site - gain.page for gain in own)]
        axes.axhline(0, color="#333333", linewidth=0.8)
        axes.fill_between(places, low, high, color=_SHADE, alpha=0.3, linewidth=0)
        axes.plot(places, mean, "o-", color=_BLUE, markersize=5)
        axes.annotate(
            f"{mean[-1]:+.3f}", (places[-1], mean[-1]), xytext=(5, 7),
            textcoords="offset points", ha="right", color=_BLUE, fontsize=9,
        )  # fmt: skip
        name = corpus.replace(", ", ",\n")
        axes.set_title(f"{name}\n{own[0].sites} sites", loc="left", fontsize=10)
        axes.set_xticks(range(len(at)), [str(count) for count in at])
        axes.set_xlim(-0.3, len(at) - 0.5)
    panels[0].set_ylabel("gain of word F1")
    panels[0].yaxis.set_major_formatter(_signed)
    figure.supxlabel("pages of the site learned (shaded: 95 % interval)", fontsize=10)
    return figure


def draw_sites(figures: Figures) -> Figure:
    """Draw the change of F1 on each real site after learning five pages, in order.

    Sites that hardly change share a row.
    """
    change: dict[tuple[str, str], float] = {}
    for one in figures["sites"]:
        if one["corpus"] != "generated":
            gain = one["f1"][str(LEARNED)] - one["f1"]["page"]
            change[one["corpus"].split(",")[0], one["site"]] = gain
    shown = {key: gain for key, gain in change.items() if abs(gain) >= _VISIBLE}
    if len(shown) < len(change):
        shown["", f"{len(change) - len(shown)} others, less than {_VISIBLE} each"] = 0.0
    order = sorted(shown, key=lambda key: shown[key])
    height = 1.6 + 0.22 * len(order)
    title = f"How does word F1 change with {LEARNED} learned pages?"
    figure, (axes,) = _figure(title, (9.0, height))
    for color, corpus in ((_BLUE, "big9-chaos"), (_ORANGE, "daniel")):
        rows = [place for place, key in enumerate(order) if key[0] == corpus]
        width = [shown[order[place]] for place in rows]
        axes.barh(rows, width, height=0.7, color=color, label=corpus)
        for place, gain in zip(rows, width, strict=True):
            axes.annotate(
                f"{gain:+.3f}", (gain, place), xytext=(4 if gain > 0 else -4, 0), va="center",
                ha="left" if gain > 0 else "right", textcoords="offset points", fontsize=8,
            )  # fmt: skip
    axes.axvline(0, color="#333333", linewidth=0.8)
    axes.set_yticks(range(len(order)), [site for _, site in order], fontsize=9)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    axes.grid(visible=False, axis="y")
    axes.margins(x=0.08)
    axes.set_ylim(-0.7, len(order) - 0.3)
    axes.set_xlabel("change of word F1", loc="left")
    axes.xaxis.set_major_formatter(_signed)
    axes.legend(loc="lower right", frameon=False, fontsize=9)
    return figure


def draw_redesigns(figures: Figures) -> Figure:
    """Draw the mean gain on the pages of a new design, as they come."""
    names = list(dict.fromkeys(one["corpus"] for one in figures["redesigns"]))
    title = "How soon does a site know a new design?"
    figure, panels = _figure(title, (9.0, 3.2), len(names))
    for axes, corpus in zip(panels, names, strict=True):
        own = [one for one in figures["redesigns"] if one["corpus"] == corpus]
        years = [year for one in own for year in one["years"].values()]
        size = max(len(year["page"]) for year in years)
        table = np.full((len(years), size), np.nan)
        for row, year in zip(table, years, strict=True):
            row[: len(year["page"])] = np.subtract(year["site"], year["page"])
        each = np.nanmean(table, axis=0)
        at = np.arange(1, size + 1)
        axes.axhline(0, color="#333333", linewidth=0.8)
        axes.bar(at, each, width=0.6, color=_SHADE, alpha=0.6, label="this page")
        axes.plot(at, each.cumsum() / at, "o-", color=_BLUE, markersize=5, label="mean so far")
        axes.set_title(f"{corpus}\n{len(own)} sites, {len(years)} designs", loc="left", fontsize=10)
        axes.set_xticks(at)
    panels[0].set_ylabel("gain of word F1")
    panels[0].yaxis.set_major_formatter(_signed)
    panels[0].legend(loc="upper left", frameon=False, fontsize=9)
    figure.supxlabel("page of the design, extracted before it is learned", fontsize=10)
    return figure


DRAWN: dict[str, Callable[[Figures], Figure]] = {
    "site-pages.svg": draw_gains,
    "site-each.svg": draw_sites,
    "site-redesigns.svg": draw_redesigns,
}


# --- the program ---------------------------------------------------------------------------------


def write_docs(figures: Figures, page: Path, pictures: Path) -> None:
    """Write the tables of docs/site.md and the pictures."""
    for name, content in BLOCKS.items():
        write_block(page, name, content(figures))
    for name, draw in DRAWN.items():
        (pictures / name).write_bytes(image_bytes(draw(figures), "svg"))


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure; write sites.json, the tables of docs/site.md and the pictures."""
    parser = argument_parser("sites", __doc__, "--page-only")
    parser.add_argument("--corpus", type=Path, action="append", help="instead of the usual ones")
    parser.add_argument("--generated", type=int, default=GENERATED, help="generated sites")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="rounds of timing")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--page-only", action="store_true", help="write the docs of the last run")
    given = parser.parse_args(arguments)
    if not given.page_only:
        paths = corpus_paths("sites", ("big9-chaos", "daniel"), given.corpus)
        if not paths:
            return 2
        figures = measure(paths, given.generated, given.rounds, given.jobs)
        FIGURES.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    write_docs(json.loads(FIGURES.read_text(encoding="utf-8")), PAGE, PICTURES)
    return 0


if __name__ == "__main__":
    exit_with(main)
