"""The quality of keywords: how much each keyword of a query contributes (thesis, 6.6.5).

For keyword k of query q, with the score without k: the score of a document if k were in neither the
query nor the dictionary:

    documents     how many documents have it, and their share
    correlation   of its presence in a document (0 or 1) with the document's score without it: above
                  0 if documents with k also have the other keywords of the query, near 0 if k has
                  nothing to do with them
    loss          mean score of all documents minus their mean score without k; below 0 if k lowers
                  the mean: a keyword that never occurs makes the query longer, and every cosine
                  smaller
    shape         of the curve of its share of documents by period (`thresher.trends.changes`)

Keywords with the same stems, such as "abundance" and "abundant", are one term: each of them has the
figures of that term, and its row names the others.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from thresher.page.array_types import Bools, Floats, Int64s
from thresher.trends.changes import Curve, Shape
from thresher.trends.queries import Query
from thresher.trends.vectors import TermCounts, query_scores


@dataclass(frozen=True, slots=True)
class KeywordQuality:
    """How much one keyword contributes to its query."""

    query: str
    keyword: str
    weight: float
    same_term: tuple[str, ...]  # other keywords of the query with the same stems
    occurrences: int
    documents: int  # with the keyword
    share: float  # of all documents
    correlation: float  # of presence with the score without it; nan if either does not vary
    loss: float  # of the mean score if the keyword is left out
    shape: Shape
    share_by_period: tuple[float, ...]  # nan for a period without documents

    def to_dict(self) -> dict[str, Any]:
        """Return the fields but `query` for JSON; nan is None."""
        fields = {name: getattr(self, name) for name in self.__slots__ if name != "query"}
        return {name: _plain(value) for name, value in fields.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    return None if isinstance(value, float) and math.isnan(value) else value


def keyword_quality(
    counts: Sequence[TermCounts],
    queries: Sequence[Query],
    weight: str,
    scores: Floats,
    period: Int64s,
    periods: int,
) -> list[KeywordQuality]:
    """Return one row for each keyword of each query, in their order.

    `counts` are the counts of the documents of each language, `scores` are documents x queries,
    `period` is the number of each document's period.
    """
    found = []
    for number, query in enumerate(queries):
        occurs, without = _of_keywords(counts, number, weight, len(query.keywords), len(period))
        for place, keyword in enumerate(query.keywords):
            present = occurs[:, place] > 0
            curve = Curve.of(present.astype(np.float64), period, periods)
            with np.errstate(invalid="ignore"):
                shares = curve.total / curve.count
            found.append(
                KeywordQuality(
                    query=query.name,
                    keyword=keyword,
                    weight=query.weights[place],
                    same_term=_same_term(counts, number, place, query),
                    occurrences=int(occurs[:, place].sum()),
                    documents=int(present.sum()),
                    share=_mean(present),
                    correlation=_correlation(present, without[:, place]),
                    loss=_mean(scores[:, number]) - _mean(without[:, place]),
                    shape=curve.shape(),
                    share_by_period=tuple(shares.tolist()),
                )
            )
    return found


def _of_keywords(
    counts: Sequence[TermCounts], number: int, weight: str, keywords: int, documents: int
) -> tuple[Floats, Floats]:
    """Return how often each keyword of a query occurs, and the score without it.

    Both are documents x keywords.
    """
    occurs, without = (np.zeros((documents, keywords)) for _ in range(2))
    for part in counts:
        frequency = part.frequency[number]
        dictionary = frequency.nonzero()[0]
        own, frequency = part.counts[:, dictionary], frequency[dictionary]
        of_keyword = dictionary.searchsorted(part.keywords[number])
        occurs[part.rows] = own.toarray()[:, of_keyword]
        for term in range(len(dictionary)):
            rest = np.delete(np.arange(len(dictionary)), term)
            left = query_scores(own[:, rest], frequency[rest], weight)
            without[np.ix_(part.rows, (of_keyword == term).nonzero()[0])] = left[:, None]
    return occurs, without


def _same_term(
    counts: Sequence[TermCounts], number: int, place: int, query: Query
) -> tuple[str, ...]:
    """Return the other keywords that have the same stems in any language of the documents."""
    same = np.zeros(len(query.keywords), np.bool_)
    for part in counts:
        same |= part.keywords[number] == part.keywords[number][place]
    same[place] = False
    return tuple(query.keywords[other] for other in same.nonzero()[0])


def _mean(values: Floats | Bools) -> float:
    return float(values.mean()) if len(values) else math.nan


def _correlation(present: Bools, scores: Floats) -> float:
    """Return Pearson's correlation; nan if either does not vary."""
    if not len(present) or present.all() or not present.any() or not np.ptp(scores):
        return math.nan
    return float(np.corrcoef(present, scores)[0, 1])
