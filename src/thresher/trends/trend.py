"""TrendFinder: how similar the documents of each period are to queries (thesis, 6.6).

    1. the terms of the queries are counted in the text of each document (`trends.terms`)
    2. the score of a document for a query is the cosine of their vectors (`trends.vectors`)
    3. the curve of a query is the mean score of all documents of each year, month or week

A document without any keyword has the score 0 and counts in the mean. Titles are not scored, unless
asked for: the thesis uses abstracts alone. A document without text is left out and counted.

The confidence band: scores are between 0 and 1, most of them often exactly 0, and a period may have
few documents. A t interval then leaves the range, and has no width if all scores are equal, for
instance 0. The band here is made from the same three sums (number, sum, sum of squares) without
these faults. Its upper end is the quantile of a beta distribution with the mean and the variance of

    u = sum of g_i y_i,   y = the scores of the period and one more score, 1
                          g = shares drawn from the flat Dirichlet distribution
    mean of u = mean(y),  variance of u = variance(y) / (len(y) + 1)

and its lower end is the same with one more score of 0. If all scores are 0 or 1, it is exactly the
interval of Clopper and Pearson (1934); for many documents it approaches the t interval; one
document gives nearly the whole range. Compare Gaffke (2005), who takes the quantile of u itself.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property, lru_cache
from os import PathLike
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from thresher.errors import UsageError
from thresher.page.array_types import Bools, Floats, Int64s
from thresher.trends.changes import Change, Curve, Shape, changes_of, sum_by
from thresher.trends.documents import DatedDocument, distinct
from thresher.trends.keywords import KeywordQuality, keyword_quality
from thresher.trends.queries import Keywords, Query, to_queries
from thresher.trends.terms import Analyzer, has_stemmer, language_code, need
from thresher.trends.vectors import TermCounts, check_weight, has_term, scores, term_counts

By: TypeAlias = Literal["year", "month", "week"]
PERIODS: tuple[str, ...] = get_args(By)
SCALE = 1000  # of scores in tables, as in Table 6.4
MAX_PERIODS = 20_000
_RESERVED = {"period", "documents"}  # columns of `Trends.table`


def trend(
    documents: Iterable[DatedDocument],
    queries: Iterable[Query] | Mapping[str, Keywords],
    *,
    by: str = "year",
    weight: str = "tf",
    language: str = "en",
    stem: bool = True,
    stop_words: bool = True,
    confidence: float = 0.95,
    titles: bool = False,
) -> Trends:
    """Return the scores of documents for queries, and their means by year, month or week.

    - `documents`: those whose date is unknown, or less exact than `by`, and those without text are
      left out and counted.
    - `queries`: no two have the same name. A mapping of names to keywords will do, such as
      `{"floods": ["flood", "high water"]}` or `{"floods": {"flood": 2, "high water": 1}}`.
    - `by`: "year", "month" or "week" (of ISO 8601, which begins on Monday).
    - `weight`: "tf", "tf/max", "tf-idf" or "salton"; see `thresher.trends.vectors`.
    - `language`: of all documents as a BCP 47 tag; or "auto", for each document the one that it
      declares. Words are not stemmed if there is no stemmer for the language, or none is declared.
    - `stem`, `stop_words`: whether words are stemmed, and whether stop words are dropped inside
      keywords of several words; see `thresher.trends.terms`.
    - `confidence`: of the bands, between 0 and 1.
    - `titles`: whether the title of a document is scored with its text.
    """
    check_weight(weight)
    queries = to_queries(queries)
    _check(queries, by, confidence, language)
    used: list[DatedDocument] = []
    undated: list[DatedDocument] = []
    without_text: list[DatedDocument] = []
    labels: list[str] = []
    for document in _checked(documents):
        name = period_of(document.date, by)
        has_text = document.text.strip() or (titles and document.title.strip())
        if not name:
            undated.append(document)
        elif not has_text:
            without_text.append(document)
        else:
            used.append(document)
            labels.append(name)
    counts = tuple(
        term_counts(
            [used[row].text for row in rows],
            queries,
            Analyzer(code, stem, stop_words),
            np.array(rows, np.int64),
            [used[row].title for row in rows] if titles else (),
        )
        for code, rows in _languages(used, language).items()
    )
    return _trends(
        queries, by, weight, confidence, used, (undated, without_text), labels, counts, stem
    )


@dataclass(frozen=True, eq=False)
class Trends:
    """The scores of dated documents for queries, and their curves."""

    queries: tuple[Query, ...]
    by: str  # "year", "month" or "week"
    weight: str
    confidence: float
    documents: tuple[DatedDocument, ...]  # those with a usable date and a text
    left_out: tuple[DatedDocument, ...] = field(repr=False)  # without a date exact enough for `by`
    without_text: tuple[DatedDocument, ...] = field(repr=False)  # left out, too
    periods: tuple[str, ...]  # from the first to the last, also empty ones: "2006", "2006-W07"
    period: Int64s  # number of each document's period
    scores: Floats  # documents x queries, from 0 to 1
    found: Bools  # documents x queries: has any keyword
    count: Int64s  # documents of each period
    mean: Floats  # periods x queries; nan for a period without documents
    low: Floats  # periods x queries: confidence band of the mean
    high: Floats
    without_keyword: Floats  # periods x queries: share of documents with no keyword of the query
    counts: tuple[TermCounts, ...] = field(repr=False)  # terms of documents, by language
    stemmed: bool = True  # if stems were asked for

    @property
    def undated(self) -> int:
        """Number of documents that were left out for want of a date."""
        return len(self.left_out)

    @cached_property
    def repeated(self) -> int:
        """Number of documents that are given again: `thresher.trends.distinct` leaves them out."""
        return len(self.documents) - len(distinct(self.documents))

    @property
    def span(self) -> str:
        """The first and the last period: "2006 to 2010", "2006", or "" if there is none."""
        return " to ".join(dict.fromkeys((*self.periods[:1], *self.periods[-1:])))

    @cached_property
    def curves(self) -> tuple[Curve, ...]:
        """The sums by period of each query's scores."""
        return tuple(Curve.of(one, self.period, len(self.periods)) for one in self.scores.T)

    @cached_property
    def changes(self) -> list[Change]:
        """The change points of all curves, by query and then by period."""
        pairs = zip(self.queries, self.curves, strict=True)
        return [
            change
            for query, curve in pairs
            for change in changes_of(curve, query.name, self.periods)
        ]

    @cached_property
    def shapes(self) -> tuple[Shape, ...]:
        """The shape of each query's curve: emerging, fading, peaked, dipped or steady."""
        return tuple(curve.shape() for curve in self.curves)

    @cached_property
    def keywords(self) -> list[KeywordQuality]:
        """The quality of each keyword of each query."""
        return keyword_quality(
            self.counts, self.queries, self.weight, self.scores, self.period, len(self.periods)
        )

    @cached_property
    def correlation(self) -> Correlation:
        """How the curves go together."""
        means = self.mean[self.count > 0]
        steps = np.diff(means, axis=0)
        together = self.found.T.astype(np.float64) @ self.found / max(len(self.documents), 1)
        return Correlation(_correlations(means), _correlations(steps), _leads(steps), together)

    def without_any(self) -> Floats:
        """Return the share of all documents that have no keyword of each query."""
        return (
            1 - self.found.mean(axis=0)
            if len(self.documents)
            else np.full(len(self.queries), np.nan)
        )

    def table(self) -> list[dict[str, Any]]:
        """Return a row for each period: `period`, `documents`, and each query's mean x 1000.

        The mean is rounded, as in Table 6.4 of the thesis; None for a period without documents.
        """
        names = [query.name for query in self.queries]
        return [
            {"period": period, "documents": number}
            | {
                name: None if np.isnan(mean) else round(SCALE * mean)
                for name, mean in zip(names, means, strict=True)
            }
            for period, number, means in zip(
                self.periods, self.count.tolist(), self.mean.tolist(), strict=True
            )
        ]

    def notes(self) -> list[str]:
        """Return sentences about documents that are left out, repeated or read in another way."""
        notes = []
        if self.left_out:
            notes.append(
                f"{_documents(self.undated)} left out: no date, or none as exact as a {self.by}."
            )
        if self.without_text:
            number = len(self.without_text)
            notes.append(
                f"{number:,} {'document has' if number == 1 else 'documents have'} no text and "
                f"{'is' if number == 1 else 'are'} left out (--titles scores titles, too)."
            )
        if self.repeated:
            number = self.repeated
            notes.append(
                f"{number:,} {'document repeats' if number == 1 else 'documents repeat'} another "
                f"one (same address; without one, the same in everything) and "
                f"{'counts' if number == 1 else 'count'} again: leave repeated documents out with "
                "--distinct."
            )
        plain = [part for part in self.counts if self.stemmed and not has_stemmer(part.language)]
        if plain:
            names = ", ".join(part.language or "unknown" for part in plain)
            total = sum(len(part.rows) for part in plain)
            notes.append(
                f"{_documents(total)} read without stemming, as there is no stemmer for the "
                f"language ({names}): keywords are found as they are written."
            )
        return notes

    @cached_property
    def sources(self) -> dict[str, int]:
        """The number of documents of each source, by source in alphabetical order."""
        return dict(sorted(Counter(document.source for document in self.documents).items()))

    def by_source(self) -> dict[str, Trends]:
        """Return the trends of each source's documents alone, by source in alphabetical order.

        They are what `trend` returns for these documents: periods from their first to their last,
        N and df of tf-idf over the source.
        """
        number = {source: number for number, source in enumerate(self.sources)}
        own = np.array([number[document.source] for document in self.documents], np.int64)
        rows = np.split(own.argsort(kind="stable"), np.cumsum(list(self.sources.values()))[:-1])
        undated, empty = map(_grouped, (self.left_out, self.without_text))
        return {
            source: self._select(part, undated.get(source, []), empty.get(source, []))
            for source, part in zip(self.sources, rows, strict=False)
        }

    def _select(
        self, rows: Int64s, undated: list[DatedDocument], without_text: list[DatedDocument]
    ) -> Trends:
        counts = [part.select(rows) for part in self.counts]
        labels = [self.periods[number] for number in self.period[rows].tolist()]
        return _trends(
            self.queries,
            self.by,
            self.weight,
            self.confidence,
            [self.documents[row] for row in rows.tolist()],
            (undated, without_text),
            labels,
            tuple(part for part in counts if len(part.rows)),
            self.stemmed,
        )

    def documents_of(
        self, period: str, query: str | None = None, limit: int | None = None
    ) -> list[DatedDocument]:
        """Return the documents of a period, those with the highest score for a query first.

        Without a query, the highest of their scores counts. Documents with equal scores are in
        their given order. `limit` is the largest number of documents.
        """
        return [self.documents[row] for row in self.rows_of(period, query, limit).tolist()]

    def rows_of(self, period: str, query: str | None = None, limit: int | None = None) -> Int64s:
        """Return the rows of `documents_of` in `documents` and `scores`."""
        if period not in self.periods:
            raise UsageError(
                f"no period {period!r}: give one from {self.span or 'none (no dates)'}."
            )
        rows = (self.period == self.periods.index(period)).nonzero()[0]
        names = [each.name for each in self.queries]
        if query is not None and query not in names:
            raise UsageError(f"no query {query!r}: give one of {', '.join(names)}.")
        own = self.scores[rows] if query is None else self.scores[rows][:, [names.index(query)]]
        order = np.argsort(-own.max(axis=1), kind="stable")
        best: Int64s = rows[order[:limit]]
        return best

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the documents for JSON; nan is None."""
        return {
            "by": self.by,
            "weight": self.weight,
            "confidence": self.confidence,
            "documents": len(self.documents),
            "sources": self.sources,
            "undated": self.undated,
            "without_text": len(self.without_text),
            "repeated": self.repeated,
            "notes": self.notes(),
            "queries": [self._query_dict(number) for number in range(len(self.queries))],
            "periods": [
                {"period": period, "documents": number}
                for period, number in zip(self.periods, self.count.tolist(), strict=True)
            ],
            "correlation": {
                "levels": _plain(self.correlation.levels),
                "differences": _plain(self.correlation.differences),
                "lead": _plain(self.correlation.lead),
                "together": _plain(self.correlation.together),
            },
        }

    def _query_dict(self, number: int) -> dict[str, Any]:
        query = self.queries[number]
        return {
            "name": query.name,
            "shape": self.shapes[number],
            "mean": _plain(self.mean[:, number]),
            "low": _plain(self.low[:, number]),
            "high": _plain(self.high[:, number]),
            "without_keyword": _plain(self.without_keyword[:, number]),
            "without_keyword_in_all": _plain(self.without_any()[number]),
            "changes": [
                {
                    "period": change.period,
                    "kind": change.kind,
                    "before": change.before,
                    "after": change.after,
                }
                for change in self.changes
                if change.query == query.name
            ],
            "keywords": [row.to_dict() for row in self.keywords if row.query == query.name],
        }


@dataclass(frozen=True, slots=True, eq=False)
class Correlation:
    """How the curves of queries go together; each array is queries x queries, nan if undefined.

    Pearson's correlation over the periods that have documents. Curves that both rise have similar
    levels whatever their topics; differences between neighbouring periods tell whether they also
    move together from period to period.
    """

    levels: Floats  # of the means of periods
    differences: Floats  # of the differences between the means of neighbouring periods
    lead: Int64s  # [i, j] = k: curve i moves k periods before curve j; 0 if neither precedes
    together: Floats  # share of documents with a keyword of both; on the diagonal, of one


def _grouped(documents: Iterable[DatedDocument]) -> dict[str, list[DatedDocument]]:
    """Return the documents of each source."""
    found: dict[str, list[DatedDocument]] = {}
    for document in documents:
        found.setdefault(document.source, []).append(document)
    return found


def _documents(number: int) -> str:
    return "1 document was" if number == 1 else f"{number:,} documents were"


def _plain(values: Any) -> Any:
    """Return an array as lists, with None for nan."""
    array = np.asarray(values)
    return np.where(np.isnan(array), None, array).tolist()  # type: ignore[call-overload]


# --- making them ---------------------------------------------------------------------------------


def _checked(documents: Iterable[DatedDocument]) -> Iterator[DatedDocument]:
    """Yield the documents; raise `UsageError` for anything else."""
    given: Any = documents
    if isinstance(given, str | PathLike):
        raise UsageError(
            f"{given} is a name, not its documents: give read_documents({str(given)!r})."
        )
    if not isinstance(given, Iterable):
        raise UsageError("the documents are not a list: give one of DatedDocument.")
    for document in given:
        if not isinstance(document, DatedDocument):
            raise UsageError(
                f"{document!r:.60} is no document: give DatedDocument(title, text, date)."
            )
        yield document


def _check(queries: Sequence[Query], by: str, confidence: float, language: str) -> None:
    given: Any = language
    if not isinstance(given, str):
        raise UsageError(f'{given!r} is no language: give a code such as "en", or "auto".')
    if by not in PERIODS:
        raise UsageError(f"no period {by!r}: give one of {', '.join(PERIODS)}.")
    if not 0 < confidence < 1:
        raise UsageError(f"the confidence is {confidence}: give a number between 0 and 1.")
    if not queries:
        raise UsageError("there are no queries: give at least one.")
    names = [query.name for query in queries]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"two queries have the name {name!r}: rename one of them.")
        if name in _RESERVED:
            raise UsageError(f"{name!r} is a column of the table: give the query another name.")


def _languages(documents: Sequence[DatedDocument], language: str) -> dict[str, list[int]]:
    """Return the rows of the documents of each language."""
    if language != "auto":
        return {language_code(language): list(range(len(documents)))}
    rows: dict[str, list[int]] = {}
    for row, document in enumerate(documents):
        rows.setdefault(_declared(document.language), []).append(row)
    return dict(sorted(rows.items()))


def _declared(language: str) -> str:
    """Return the code of a declared language; "" if the declaration cannot be understood."""
    try:
        return language_code(language)
    except UsageError:
        return ""


def _trends(
    queries: tuple[Query, ...],
    by: str,
    weight: str,
    confidence: float,
    documents: Sequence[DatedDocument],
    left_out: tuple[Sequence[DatedDocument], Sequence[DatedDocument]],
    labels: Sequence[str],
    counts: tuple[TermCounts, ...],
    stemmed: bool,
) -> Trends:
    """Score documents with known counts and periods, and summarise them by period.

    `left_out` are the documents without a date and those without a text.
    """
    periods = all_periods(min(labels), max(labels), by) if labels else ()
    number = {name: number for number, name in enumerate(periods)}
    period = np.array([number[label] for label in labels], np.int64)
    own_scores = np.zeros((len(documents), len(queries)))
    found = np.zeros((len(documents), len(queries)), np.bool_)
    for part in counts:
        own_scores[part.rows] = scores(part, weight)
        found[part.rows] = has_term(part)
    count = np.bincount(period, minlength=len(periods))
    total, squares, with_keyword = (
        _sums(values, period, len(periods)) for values in (own_scores, own_scores**2, found)
    )
    filled = np.where(count > 0, count, np.nan)[:, None]
    mean = total / filled
    low, high = mean_interval(filled, total, squares, confidence)
    return Trends(
        queries=queries,
        by=by,
        weight=weight,
        confidence=confidence,
        documents=tuple(documents),
        left_out=tuple(left_out[0]),
        without_text=tuple(left_out[1]),
        periods=periods,
        period=period,
        scores=own_scores,
        found=found,
        count=count,
        mean=mean,
        low=low,
        high=high,
        without_keyword=1 - with_keyword / filled,
        counts=counts,
        stemmed=stemmed,
    )


def _sums(values: Floats | Bools, period: Int64s, periods: int) -> Floats:
    """Return the sums of the columns by period: periods x columns."""
    columns = [sum_by(period, column, periods) for column in values.T]
    return np.array(columns).reshape(values.shape[1], periods).T


# --- periods -------------------------------------------------------------------------------------


_ISO = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?(?![\d-])", re.ASCII)


@lru_cache(maxsize=100_000)
def period_of(iso: str, by: str) -> str:
    """Return the period of an ISO date: "2006", "2006-05" or "2006-W20"; "" if it has none.

    A date that is less exact than the period has none.
    """
    parts = _ISO.match(iso)
    if parts is None or parts[PERIODS.index(by) + 1] is None:
        return ""
    try:
        day = date(int(parts[1]), int(parts[2] or 1), int(parts[3] or 1))
    except ValueError:
        return ""
    if by == "week":
        year, week, _ = day.isocalendar()
        return f"{year:04}-W{week:02}"
    return iso[:7] if by == "month" else iso[:4]


def all_periods(first: str, last: str, by: str) -> tuple[str, ...]:
    """Return every period from the first to the last."""
    begin, end = _ordinal(first, by), _ordinal(last, by)
    if end - begin >= MAX_PERIODS:
        raise UsageError(
            f"the documents are from {first} to {last}, more than {MAX_PERIODS:,} {by}s: correct "
            "or leave out wrong dates, or use longer periods."
        )
    return tuple(_name(number, by) for number in range(begin, end + 1))


def _ordinal(period: str, by: str) -> int:
    """Return the number of a period: years, months or weeks from year 0."""
    if by == "week":
        return date.fromisocalendar(int(period[:4]), int(period[6:]), 1).toordinal() // 7
    return int(period[:4]) * 12 + int(period[5:]) - 1 if by == "month" else int(period)


def _name(number: int, by: str) -> str:
    if by == "week":
        year, week, _ = (date.fromordinal(7 * number + 1)).isocalendar()
        return f"{year:04}-W{week:02}"
    return f"{number // 12:04}-{number % 12 + 1:02}" if by == "month" else f"{number:04}"


# --- statistics ----------------------------------------------------------------------------------


def mean_interval(
    count: Floats, total: Floats, squares: Floats, confidence: float
) -> tuple[Floats, Floats]:
    """Return the confidence interval of the mean of scores in [0, 1], from their sums.

    The method is described at the top of this module. It contains the mean of the scores; nan where
    `count` is nan.
    """
    outside = (1 - confidence) / 2
    mean = total / count
    low = _quantile(count + 1, total, squares, outside)
    high = _quantile(count + 1, total + 1, squares + 1, 1 - outside)
    return np.fmin(low, mean), np.fmax(high, mean)


def _quantile(count: Floats, total: Floats, squares: Floats, share: float) -> Floats:
    """Return the quantile of the beta distribution with the moments of a Dirichlet mixture."""
    mean = np.clip(total / count, 0, 1)
    variance = (squares / count - mean**2) / (count + 1)
    varies = variance > 1e-15
    with np.errstate(invalid="ignore", divide="ignore"):
        size = mean * (1 - mean) / np.where(varies, variance, 1) - 1
        found = need("scipy.special").betaincinv(mean * size, (1 - mean) * size, share)
    return np.where(varies, found, mean)


def _correlations(columns: Floats) -> Floats:
    """Return Pearson's correlation of all pairs of columns; nan for a column without variance."""
    if len(columns) < 2:
        return np.full((columns.shape[1],) * 2, np.nan)
    centred = columns - columns.mean(axis=0)
    lengths = np.sqrt((centred**2).sum(axis=0))
    varies = lengths > 1e-12 * np.abs(columns).max(axis=0, initial=0) * np.sqrt(len(columns))
    lengths = np.where(varies & (lengths > 0), lengths, np.nan)
    found: Floats = centred.T @ centred / np.outer(lengths, lengths)
    return np.clip(found, -1, 1)


_LONGEST_LEAD = 3  # periods
_LEAD_LEVEL = 0.05  # probability of a lead of two given curves that do not depend on each other


def _leads(steps: Floats) -> Int64s:
    """Return by how many periods each curve precedes each other curve.

    Of all shifts by up to three periods to either side, the one with which the differences of two
    curves have the highest correlation, if it is significant: one-sided t test, corrected for the
    number of shifts. 0 if it is not, or if the correlation is highest without a shift.
    """
    number = steps.shape[1]
    best = np.nan_to_num(_correlations(steps), nan=-1.0)
    probability = np.zeros((number, number))
    leads = np.zeros((number, number), np.int64)
    for lag in range(1, _LONGEST_LEAD + 1):
        freedom = len(steps) - lag - 2
        if freedom < 1:
            break
        ahead = _correlations(np.hstack([steps[:-lag], steps[lag:]]))[:number, number:]
        for found, sign in ((ahead, 1), (ahead.T, -1)):
            better = found > best
            best[better] = found[better]
            with np.errstate(divide="ignore", invalid="ignore"):
                statistic = found * np.sqrt(freedom / (1 - found**2))
            tail = need("scipy.special").stdtr(freedom, -statistic)
            probability[better] = tail[better]
            leads[better] = sign * lag
    leads[probability > _LEAD_LEVEL / (2 * _LONGEST_LEAD + 1)] = 0
    np.fill_diagonal(leads, 0)
    return leads
