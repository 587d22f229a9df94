"""Results of a run: one record per page and tool, means of groups of pages, JSON and CSV."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, fields
from functools import lru_cache

import numpy as np

from thresher.page.array_types import Floats
from thresher.render.csv_text import csv_line, disarmed

MEASURES = (
    "lcs_f1", "lcs_precision", "lcs_recall",
    "bag_f1", "bag_precision", "bag_recall",
    "shingle_f1", "shingle_precision", "shingle_recall",
    "snippets", "present", "absent",
)  # fmt: skip

_RESAMPLES, _SEED = 1000, 7  # of the bootstrap


@dataclass(frozen=True, slots=True)
class PageResult:
    """The scores and the time of one tool on one page."""

    corpus: str
    page: str  # its id
    tool: str  # a method's expression, or a peer's name
    site: str
    lang: str
    kind: str
    scores: dict[str, float | None]  # by the names in MEASURES
    milliseconds: float  # CPU time from HTML to text
    characters: int  # of the page
    error: str = ""  # of a tool that failed; its text counts as empty


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean over pages with its 95 % interval from the bootstrap."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Row:
    """The means of one tool over one group of pages."""

    corpus: str
    group: str  # "all", or "site: ...", "lang: ...", "kind: ..."
    tool: str
    pages: int
    failed: int
    means: dict[str, Mean]
    milliseconds: float  # per page
    megabytes_per_second: float  # a million characters count as a megabyte


@dataclass(frozen=True, slots=True)
class WorstPage:
    """A page on which a tool did badly, with the gold text and the text that the tool found."""

    corpus: str
    page: str  # its id
    tool: str
    f1: float
    gold: str
    found: str


@dataclass(frozen=True, slots=True)
class Results:
    """All page results of a run."""

    pages: tuple[PageResult, ...]
    tools: dict[str, str] = field(default_factory=dict)  # each tool with its version

    def rows(self, by: Sequence[str] = ()) -> list[Row]:
        """Return the means per corpus and tool, over all pages and by site, lang or kind.

        Pages without a language or kind are in no such group.
        """
        found: list[Row] = []
        for label in ("all", *by):
            groups: dict[tuple[str, str, str], list[PageResult]] = {}
            for page in self.pages:
                if group := group_of(page, label):
                    groups.setdefault((page.corpus, group, page.tool), []).append(page)
            found += [_row(*key, members) for key, members in groups.items()]
        return found

    def mean_scores(self, tool: str) -> tuple[float, float, float]:
        """Return the mean word precision, recall and F1 of a tool over all pages."""
        pages = [page.scores for page in self.pages if page.tool == tool]
        precision, recall, f1 = (
            sum(scores[f"bag_{name}"] or 0.0 for scores in pages) / len(pages)
            for name in ("precision", "recall", "f1")
        )
        return precision, recall, f1

    def to_json(self) -> str:
        """Return the page results as JSON."""
        return json.dumps(
            {"tools": self.tools, "pages": [asdict(page) for page in self.pages]}, indent=1
        )

    def to_csv(self) -> str:
        """Return the page results as CSV, one record per page and tool."""
        plain = [name.name for name in fields(PageResult) if name.name != "scores"]
        lines = [csv_line([*plain, *MEASURES])]
        for page in self.pages:
            about = (getattr(page, name) for name in plain)
            cells = [disarmed(cell) if isinstance(cell, str) else cell for cell in about]
            lines.append(csv_line([*cells, *(page.scores.get(name) for name in MEASURES)]))
        return "".join(lines)


def group_of(page: PageResult, name: str) -> str:
    """Return the group of a page by "all", "site", "lang" or "kind"; "" if it is in none.

    A page whose site is not known is a group of its own.
    """
    value = "" if name == "all" else getattr(page, name)
    if not value:
        return {"all": "all", "site": f"site: of page {page.page}"}.get(name, "")
    return f"{name}: {value}"


def _row(corpus: str, group: str, tool: str, pages: Sequence[PageResult]) -> Row:
    values = {
        name: [score for page in pages if (score := page.scores.get(name)) is not None]
        for name in MEASURES
    }
    seconds = sum(page.milliseconds for page in pages) / 1000
    characters = sum(page.characters for page in pages)
    return Row(
        corpus=corpus,
        group=group,
        tool=tool,
        pages=len(pages),
        failed=sum(bool(page.error) for page in pages),
        means={name: mean(scores) for name, scores in values.items() if scores},
        milliseconds=1000 * seconds / len(pages),
        megabytes_per_second=characters / 1e6 / seconds if seconds else 0.0,
    )


def mean(values: Iterable[float]) -> Mean:
    """Return the mean with the 2.5th and 97.5th percentile of the means of resampled values."""
    array = np.asarray(list(values))
    if len(array) == 1:
        return Mean(*[float(array[0])] * 3)
    low, high = np.quantile(_resamples(len(array)) @ array, (0.025, 0.975))
    return Mean(float(array.mean()), float(low), float(high))


@lru_cache(maxsize=8)
def _resamples(size: int) -> Floats:
    """Return the weight of each value in each resample: how often it was drawn, over the size."""
    drawn = np.random.default_rng(_SEED).multinomial(size, np.full(size, 1 / size), _RESAMPLES)
    return drawn / size
