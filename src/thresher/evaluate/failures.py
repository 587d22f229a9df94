"""The pages on which the best tools of a run did worst, with their texts, for the report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from thresher.evaluate import corpora, peers
from thresher.evaluate.results import PageResult, Results, Row
from thresher.methods import combine
from thresher.page.decode import decode
from thresher.page.parse import parse

_EACH = 5  # pages per corpus and tool
_TOOLS = 4  # the best tools: their failures teach most


@dataclass(frozen=True, slots=True)
class WorstPage:
    """A page on which a tool did badly: the text it should have found, and what it found."""

    corpus: str
    page: str  # its id
    tool: str
    f1: float
    gold: str
    found: str


def failures(results: Results, paths: Sequence[Path], limit: int | None) -> list[WorstPage]:
    """Extract again the pages on which the best tools of each corpus did worst."""
    wanted: dict[tuple[str, str], list[PageResult]] = {}
    rows = results.rows()
    for path in paths:
        for page in _worst(results, rows, corpora.name_of(path)):
            wanted.setdefault((page.corpus, page.page), []).append(page)
    found = []
    for path in paths:
        for gold in islice(corpora.read(path), limit):
            for page in wanted.get((corpora.name_of(path), gold.id), ()):
                text = _text(page.tool, decode(gold.html)[0])
                f1 = page.scores["bag_f1"] or 0.0
                found.append(WorstPage(page.corpus, page.page, page.tool, f1, gold.text, text))
    return sorted(found, key=lambda page: (page.corpus, page.tool, page.f1))


def _worst(results: Results, rows: list[Row], corpus: str) -> list[PageResult]:
    of_corpus = [row for row in rows if row.corpus == corpus]
    best = sorted(of_corpus, key=lambda row: -row.means["bag_f1"].value)[:_TOOLS]
    chosen: list[PageResult] = []
    for row in best:
        pages = [p for p in results.pages if p.corpus == corpus and p.tool == row.tool]
        chosen += sorted(pages, key=lambda page: page.scores["bag_f1"] or 0.0)[:_EACH]
    return chosen


def _text(tool: str, html: str) -> str:
    try:
        if tool in peers.names():
            return peers.peer(tool)(html)
        return combine.read(tool)(parse(html)).text()
    except Exception:  # a tool that fails gave nothing
        return ""
