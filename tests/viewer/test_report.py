"""The report of a run as a page."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from lxml import html

from thresher.evaluate.results import PageResult, Results, WorstPage
from thresher.viewer.report import report

TOOLS = {  # name: how good, how bent towards recall, and milliseconds
    "addanag": (0.86, 0.02, 2.4),
    "bte": (0.78, 0.06, 1.9),
    "cetd": (0.84, -0.03, 2.2),
    'cetd(threshold="path")': (0.845, -0.01, 2.3),
    "plain": (0.55, 0.4, 1.1),
    "justext": (0.80, -0.08, 41.0),
    "readability": (0.83, -0.04, 22.0),
    "resiliparse": (0.79, 0.05, 1.6),
    "trafilatura": (0.88, 0.0, 31.0),
    "turbohtml": (0.80, 0.03, 0.9),
}
KINDS = ("article", "forum", "product", "listing")


def sample(pages: int = 60, corpora: tuple[str, ...] = ("small news", "all kinds")) -> Results:
    """Made-up results that look like real ones: most pages good, some lost."""
    draw = random.Random(7)
    found = []
    for corpus in corpora:
        for number in range(pages):
            kind = draw.choice(KINDS)
            hard = draw.betavariate(1, 6) + 0.1 * KINDS.index(kind)
            for tool, (good, bent, spent) in TOOLS.items():
                lost = draw.random() < 0.05
                base = 0.0 if lost else min(1.0, good + 0.12 - hard * draw.random() * 1.5)
                precision = min(1.0, max(0.0, base - bent + draw.gauss(0, 0.03)))
                recall = min(1.0, max(0.0, base + bent + draw.gauss(0, 0.03)))
                scores: dict[str, float | None] = {"snippets": draw.choice((None, 1.0, 0.5))}
                for name, factor in (("bag", 1.0), ("lcs", 0.97), ("shingle", 0.9)):
                    p, r = precision * factor, recall * factor
                    scores |= {f"{name}_precision": p, f"{name}_recall": r}
                    scores[f"{name}_f1"] = 2 * p * r / (p + r) if p + r else 0.0
                found.append(
                    PageResult(
                        corpus=corpus, page=f"page-{number}", tool=tool,
                        site=f"site{number % 12}.example", lang=("en", "de")[number % 2], kind=kind,
                        scores=scores, milliseconds=spent * draw.uniform(0.4, 2.2),
                        characters=draw.randrange(10_000, 200_000),
                        error="ValueError: no body" if lost and tool == "readability" else "",
                    )
                )  # fmt: skip
    return Results(tuple(found), dict.fromkeys(TOOLS, "1.0"))


def worst() -> list[WorstPage]:
    gold = "The council met on Tuesday to discuss the new bridge. " + "It was a long evening. " * 30
    gold += (
        "In the end the members voted for the cheaper plan, which leaves the old pillars standing."
    )
    found = (
        "Home News Sport Contact. " + gold.replace("on Tuesday ", "") + " Share this. Read next."
    )
    return [
        WorstPage("small news", "page-7", "bte", 0.42, gold, found),
        WorstPage("all kinds", "page-3", "readability", 0.0, gold, ""),
        WorstPage("all kinds", "page-9", "cetd", 0.1, "短い文です", "短い別の文です"),
    ]


def read(page: str) -> html.HtmlElement:
    """Parse with another parser; it must find nothing to mend in the nesting."""
    Nesting(page)
    return html.fromstring(page)


class Nesting(HTMLParser):
    """Insists that every element is closed where it was opened."""

    VOID = frozenset({"meta", "input", "br"})

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.feed(page)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def one(tool: str = "bte", f1: float | None = 0.5, **given: str) -> PageResult:
    scores = {f"{name}_{part}": f1 for name in ("bag", "lcs") for part in ("f1", "precision")}
    scores |= {"bag_recall": f1, "lcs_recall": f1}
    named = {"corpus": "c", "page": "p", "site": "", "lang": "", "kind": ""} | given
    return PageResult(tool=tool, scores=scores, milliseconds=2.0, characters=10, **named)


@pytest.fixture(scope="module")
def page() -> str:
    return report(sample(), worst())


def test_the_page_names_every_tool_and_corpus_in_every_chart(page: str) -> None:
    read_page = read(page)
    assert [" ".join(h.text_content().split()) for h in read_page.iter("h2")] == [
        "All corpora", "small news 60 pages", "all kinds 60 pages", "Worst pages",
    ]  # fmt: skip
    charts = read_page.xpath("//svg[@class='chart']")
    assert len(charts) == 2 * 2 * 2  # corpora, kinds of chart, kinds of F1
    for chart in charts:
        labels = {text.split(" ")[0] for text in chart.xpath(".//g[@class='names']/text/text()")}
        assert labels == set(TOOLS)
        assert len(chart.xpath(".//circle")) == 5  # methods
        assert len(chart.xpath("./g[@class='peer']/path")) == 5
        assert len(chart.xpath(".//title")) == 10


def test_the_table_has_the_means_and_intervals_of_the_rows(page: str) -> None:
    tables = read(page).xpath("//table[@class='means']")
    rows = sample().rows()
    for table, corpus in zip(tables, ("small news", "all kinds"), strict=True):
        shown = {}
        for line in table.xpath("./tbody/tr"):
            name, *cells = ["|".join(cell.itertext()) for cell in line]
            shown[name] = cells
        for row in rows:
            if row.corpus == corpus:
                bag, lcs = row.means["bag_f1"], row.means["lcs_recall"]
                cells = shown[row.tool]
                assert cells[0] == f"{bag.value:.3f}|{bag.low:.3f}–{bag.high:.3f}"
                assert cells[5] == f"{lcs.value:.3f}|{lcs.low:.3f}–{lcs.high:.3f}"
                assert cells[-2:] == [str(row.pages), str(row.failed)]
        assert len(shown) == len(TOOLS)


def test_groups_are_shown_when_there_are_neither_one_nor_too_many() -> None:
    pages = [one(site=f"s{n}", lang="en", kind="ab"[n % 2], page=str(n)) for n in range(31)]
    titles = [s.text_content() for s in read(report(Results(tuple(pages)))).iter("summary")]
    assert titles == ["What was measured: 1 tool", "F1 by kind of page (2 groups)"]


def test_a_group_has_the_mean_of_its_pages() -> None:
    pages = [one(kind="ab"[n % 2], page=str(n), f1=0.25 if n % 2 else 1.0) for n in range(6)]
    table = read(report(Results(tuple(pages)))).xpath("//figure/details//table")[0]
    assert [cell.text_content() for cell in table.iter("th")][1:3] == ["a (3)", "b (3)"]
    assert [cell.text_content() for cell in table.iter("td")] == [
        "1.0001.000–1.000",
        "0.2500.250–0.250",
    ]


def test_the_finding_names_the_best_and_the_fastest_tool() -> None:
    good = [replace(one("bte", 0.9, page=str(n)), milliseconds=8.0) for n in range(3)]
    bad = [one("cetd", 0.4, page=str(n)) for n in range(3)]
    (finding, _) = read(report(Results((*good, *bad)))).find_class("finding")
    assert finding.text_content() == (
        "bte has the highest mean F1: 0.900, with 95 % confidence between 0.900 and 0.900. "
        "The fastest is cetd at 2.00 ms a page; the best takes 8.00 ms."
    )


def test_nothing_comes_from_outside_and_nothing_runs(page: str) -> None:
    read_page = read(page)
    links = read_page.xpath("//@href | //@src | //@*[name()='xlink:href']")
    assert links
    assert all(link.startswith("#") for link in links)
    assert not read_page.xpath(
        "//script | //link | //img | //iframe | //@*[starts-with(name(),'on')]"
    )
    assert "url(" not in page
    assert "@import" not in page
    targets = set(read_page.xpath("//@id"))
    assert {link[1:] for link in links} <= targets


def test_hostile_names_are_only_text() -> None:
    bad = '<script>alert("1")</script>\'"&\x00\ud800{0}</style></svg>'
    pages = [one(bad, corpus=bad + "2", page=bad, site=bad, lang=bad, kind=bad)]
    pages += [one(bad, corpus=bad, site=site, lang=site, kind=site) for site in (bad, "b")]
    made = report(
        Results(tuple(pages), {bad: bad}), [WorstPage(bad, bad, bad, 0.0, bad, bad + bad)]
    )
    made.encode()
    assert not read(made).xpath("//script")
    assert "alert(" in read(made).text_content()
    assert "<script" not in made
    assert "\x00" not in made


@pytest.mark.parametrize("pages", [(), (one(),), (one(f1=None),), (one(f1=0.0), one("x", 1.0))])
def test_few_results_make_a_page_too(pages: tuple[PageResult, ...]) -> None:
    made = report(Results(pages))
    assert ("No pages were measured" in read(made).text_content()) == (not pages)
    assert not re.search(r"\bnan\b", made)


def test_a_page_of_no_time_has_a_place() -> None:
    made = report(Results((replace(one(), milliseconds=0.0), one("cetd"))))
    assert not re.search(r"\b(nan|inf)\b", made)


@pytest.mark.slow
def test_the_size_does_not_depend_on_the_number_of_pages() -> None:
    small, large = (len(report(sample(pages, ("a",)))) for pages in (100, 250))
    assert large < 1.1 * small


def test_a_corpus_with_many_tools_and_groups_stays_bounded() -> None:
    groups = [{"kind": f"k{n}", "lang": f"l{n}", "site": f"s{n}"} for n in range(30)]
    pages = [
        one(f"tool{tool}", page=str(number), **group)
        for tool in range(20)
        for number, group in enumerate(groups)
    ]
    assert len(report(Results(tuple(pages)))) < 600_000
