"""Results of a run: one record per page and tool, their means, and how to keep them."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field, fields
from functools import lru_cache, partial
from typing import Any

import numpy as np

from thresher.page.array_types import Floats

MEASURES = (
    "lcs_f1", "lcs_precision", "lcs_recall",
    "bag_f1", "bag_precision", "bag_recall",
    "shingle_f1", "shingle_precision", "shingle_recall",
    "snippets", "present", "absent",
)  # fmt: skip

_RESAMPLES, _SEED = 1000, 7  # of the bootstrap


@dataclass(frozen=True, slots=True)
class PageResult:
    """What one tool made of one page."""

    corpus: str
    page: str  # its id
    tool: str  # a method's expression, or a peer's name
    site: str
    lang: str
    kind: str
    scores: dict[str, float | None]  # by the names in MEASURES
    milliseconds: float  # CPU time from HTML to text
    characters: int  # of the page
    error: str = ""  # why the tool gave nothing, if it failed


@dataclass(frozen=True, slots=True)
class Mean:
    """A macro mean with its 95 % interval from the bootstrap."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Row:
    """One tool on one group of pages."""

    corpus: str
    group: str  # "all", or "site: ...", "lang: ...", "kind: ..."
    tool: str
    pages: int
    failed: int
    means: dict[str, Mean]
    milliseconds: float  # a page
    megabytes_per_second: float  # of characters


@dataclass(frozen=True, slots=True)
class Results:
    """All page results of a run."""

    pages: tuple[PageResult, ...]
    tools: dict[str, str] = field(default_factory=dict)  # each tool with its version

    def rows(self, by: Sequence[str] = ()) -> list[Row]:
        """Return the means per corpus and tool, over all pages and by site, lang or kind.

        Pages without a language or kind are in no such group.
        """
        groupings: list[Callable[[PageResult], str]] = [lambda _: "all"]
        groupings += [partial(group_of, name=name) for name in by]
        found: list[Row] = []
        for label in groupings:
            groups: dict[tuple[str, str, str], list[PageResult]] = {}
            for page in self.pages:
                if group := label(page):
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

    @classmethod
    def from_json(cls, text: str) -> Results:
        """Read what `to_json` wrote."""
        data: dict[str, Any] = json.loads(text)
        return cls(tuple(PageResult(**page) for page in data["pages"]), data["tools"])

    def to_csv(self) -> str:
        """Return one record per page and tool."""
        out = io.StringIO()
        plain = [name.name for name in fields(PageResult) if name.name != "scores"]
        writer = csv.writer(out)
        writer.writerow([*plain, *MEASURES])
        for page in self.pages:
            scores = [page.scores.get(name) for name in MEASURES]
            writer.writerow([*(getattr(page, name) for name in plain), *scores])
        return out.getvalue()


def group_of(page: PageResult, name: str) -> str:
    """Return the group of a page by site, lang or kind; "" if it is in none.

    A page whose site is not known shares it with no other, so it is a group of its own.
    """
    value = getattr(page, name)
    if not value and name == "site":
        return f"site: of page {page.page}"
    return f"{name}: {value}" if value else ""


def _row(corpus: str, group: str, tool: str, pages: Sequence[PageResult]) -> Row:
    means = {}
    for name in MEASURES:
        values = [score for page in pages if (score := page.scores.get(name)) is not None]
        if values:
            means[name] = mean(values)
    seconds = sum(page.milliseconds for page in pages) / 1000
    characters = sum(page.characters for page in pages)
    return Row(
        corpus=corpus,
        group=group,
        tool=tool,
        pages=len(pages),
        failed=sum(bool(page.error) for page in pages),
        means=means,
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
    """Return for each resample the weight of each value: how often it was drawn, over the size."""
    drawn = np.random.default_rng(_SEED).multinomial(size, np.full(size, 1 / size), _RESAMPLES)
    return drawn / size
