"""The vector space model: documents and queries as vectors of term weights, and their cosine.

With f_ij the number of times that term i occurs in document j, f_iq the weight of term i in query q
(2 for a keyword that is given twice), N the number of documents and df_i that of the documents with
term i (thesis, 2.2.2.2):

    weight     document                      query
    tf         f_ij                          f_iq
    tf/max     f_ij / max_i f_ij             f_iq / max_i f_iq                          (2.7)
    tf-idf     tf/max of the document * idf  tf/max of the query * idf                  (2.8, 2.9)
    salton     tf/max of the document * idf  (0.5 + 0.5 f_iq / max_i f_iq) * idf        (2.10)

    idf_i = log(N / df_i), 0 if df_i is 0
    score(q, j) = sum_i w_iq w_ij / (|w_q| |w_j|)                                       (2.6, 6.2)

The score is 0 if a vector has no length. It is between 0 and 1, as no weight is negative.

The dictionary of a query is the set of its own terms (thesis, Fig. 6.1). So the maximum of 2.7 and
the length of a document are over the terms of the query, not over all words of the document, and a
document has a high score if it has the terms of the query in the query's proportions, however long
it is: one occurrence of the only keyword of a query gives 1. A maximum divides a whole vector by
one number, which does not change its cosine: "tf/max" gives the scores of "tf".

Departures: formula 2.10 gives 0.5 idf to a term that the query does not have; such terms are not in
its dictionary. N and df are over the documents of the same language, if there are several.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from thresher.errors import UsageError
from thresher.page.array_types import Bools, Floats, Int64s
from thresher.trends.queries import Query
from thresher.trends.terms import Analyzer, Term, need

Weight: TypeAlias = Literal["tf", "tf/max", "tf-idf", "salton"]
WEIGHTS: tuple[str, ...] = get_args(Weight)
Sparse: TypeAlias = Any  # scipy.sparse.csr_array, which has no types


@dataclass(frozen=True, slots=True, eq=False)
class TermCounts:
    """How often the terms of some queries occur in documents of one language."""

    language: str
    rows: Int64s  # the number of each document
    terms: tuple[Term, ...]  # in alphabetical order
    counts: Sparse  # f_ij: documents x terms
    frequency: Floats  # f_iq: queries x terms
    keywords: tuple[Int64s, ...]  # for each query, the term of each keyword

    def select(self, chosen: Int64s) -> TermCounts:
        """Return the counts of chosen documents, which are numbered anew in the given order."""
        number = np.full(max(self.rows.max(initial=-1), chosen.max(initial=-1)) + 1, -1)
        number[chosen] = np.arange(len(chosen))
        rows = number[self.rows]
        kept = (rows >= 0).nonzero()[0]
        return TermCounts(
            self.language, rows[kept], self.terms, self.counts[kept], self.frequency, self.keywords
        )


def term_counts(
    texts: Sequence[str],
    queries: Sequence[Query],
    analyzer: Analyzer,
    rows: Int64s | None = None,
    titles: Sequence[str] = (),
) -> TermCounts:
    """Count the terms of the queries in each text, and in its title if titles are given.

    `rows` are the numbers of the texts, 0, 1, 2 and so on if they are not given. Keywords with the
    same stems are one term, with the sum of their weights. A keyword without letters and digits
    raises `UsageError`.
    """
    of_keyword = [[_term(analyzer, keyword) for keyword in query.keywords] for query in queries]
    terms = tuple(sorted({term for found in of_keyword for term in found}))
    number = {term: number for number, term in enumerate(terms)}
    keywords = tuple(np.array([number[term] for term in found], np.int64) for found in of_keyword)
    frequency = np.zeros((len(queries), len(terms)))
    for row, query in enumerate(queries):
        np.add.at(frequency[row], keywords[row], query.weights)
    text, term = analyzer.find([*texts, *titles], terms)
    counts = need("scipy.sparse").csr_array(
        (np.ones(len(text)), (text % max(len(texts), 1), term)), shape=(len(texts), len(terms))
    )
    rows = np.arange(len(texts)) if rows is None else rows
    return TermCounts(analyzer.language, rows, terms, counts, frequency, keywords)


def _term(analyzer: Analyzer, keyword: str) -> Term:
    term = analyzer.term(keyword)
    if not term:
        raise UsageError(f"the keyword {keyword!r} has no letters or digits: leave it out.")
    return term


def inverse_document_frequency(counts: Sparse) -> Floats:
    """Return idf of each term (2.8): log(N / df), 0 for a term that is in no document."""
    documents: Int64s = (counts > 0).sum(axis=0)
    return np.log(np.where(documents > 0, counts.shape[0], 1) / np.maximum(documents, 1))


def document_weights(counts: Sparse, idf: Floats, weight: str) -> Sparse:
    """Return the weights of the documents x terms of one query, from their counts."""
    if weight == "tf":
        return counts
    most = np.maximum(counts.max(axis=1).toarray(), 1).ravel()
    weights = counts.multiply(1 / most[:, None])
    return (weights if weight == "tf/max" else weights.multiply(idf[None, :])).tocsr()


def query_weights(frequency: Floats, idf: Floats, weight: str) -> Floats:
    """Return the weights of the terms of a query, of which each has a frequency above 0."""
    if weight == "tf":
        return frequency
    relative: Floats = frequency / frequency.max()
    if weight == "tf/max":
        return relative
    weights: Floats = idf * (relative if weight == "tf-idf" else 0.5 + 0.5 * relative)
    return weights


def cosine(documents: Sparse, query: Floats) -> Floats:
    """Return the cosine of each document (a row) with a query (2.6); 0 for a vector of zeros."""
    query = query / (query.max(initial=0.0) or 1.0)  # so that squares of large weights are finite
    product: Floats = documents @ query
    lengths = np.sqrt(documents.multiply(documents).sum(axis=1)) * np.sqrt(query @ query)
    return np.clip(product / np.where(lengths > 0, lengths, 1.0), 0.0, 1.0)


def scores(counts: TermCounts, weight: str) -> Floats:
    """Return the score of each document for each query: documents x queries."""
    check_weight(weight)
    found = np.zeros((counts.counts.shape[0], len(counts.frequency)))
    for number, frequency in enumerate(counts.frequency):
        own = frequency.nonzero()[0]
        found[:, number] = query_scores(counts.counts[:, own], frequency[own], weight)
    return found


def query_scores(counts: Sparse, frequency: Floats, weight: str) -> Floats:
    """Return the score of each document for one query, over the dictionary of its terms.

    `counts` are documents x terms, `frequency` is f_iq of each term, above 0.
    """
    if not len(frequency):
        return np.zeros(counts.shape[0])
    has_idf = weight in ("tf-idf", "salton")
    idf = inverse_document_frequency(counts) if has_idf else np.ones(len(frequency))
    query = query_weights(frequency, idf, weight)
    return cosine(document_weights(counts, idf, weight), query)


def has_term(counts: TermCounts) -> Bools:
    """Return whether each document has any keyword of each query: documents x queries."""
    found: Floats = counts.counts @ (counts.frequency > 0).T.astype(np.float64)
    return found > 0


def check_weight(weight: str) -> None:
    """Raise `UsageError` if there is no such weight."""
    if weight not in WEIGHTS:
        raise UsageError(f"no weight {weight!r}: give one of {', '.join(WEIGHTS)}.")
