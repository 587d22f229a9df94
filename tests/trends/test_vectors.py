"""Weights and cosine: by hand, against the formulas written slowly, and against scikit-learn."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
from sklearn.metrics.pairwise import cosine_similarity

from thresher.errors import UsageError
from thresher.trends.queries import Query
from thresher.trends.terms import Analyzer
from thresher.trends.vectors import (
    WEIGHTS,
    document_weights,
    has_term,
    inverse_document_frequency,
    query_scores,
    query_weights,
    scores,
    term_counts,
)

TEXTS = [
    "Floods: the river flooded; a flood.",
    "Heat waves and drought. The river is low.",
    "A heat wave, a heat wave, and a flood of news.",
    "Nothing of the kind.",
]
RIVERS = Query("rivers", ("flood", "river", "flood"))
HEAT = Query("heat", ("heat wave", "drought"))
COUNTS = [[0, 3, 0, 1], [1, 0, 1, 1], [0, 1, 2, 0], [0, 0, 0, 0]]


def test_the_table_of_counts():
    counts = term_counts(TEXTS, [RIVERS, HEAT], Analyzer())
    assert counts.terms == (("drought",), ("flood",), ("heat", "wave"), ("river",))
    assert counts.counts.toarray().tolist() == COUNTS
    assert counts.frequency.tolist() == [[0, 2, 0, 1], [1, 0, 1, 0]]
    assert [own.tolist() for own in counts.keywords] == [[1, 3], [2, 0]]
    assert has_term(counts).tolist() == [
        [True, False], [True, True], [True, True], [False, False],
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("weight", "rivers", "heat"),
    [
        # (3, 1) . (2, 1) / (sqrt 10 sqrt 5) = 7 / sqrt 50, and so on
        ("tf", [0.98995, 0.44721, 0.89443, 0], [0, 1, 0.70711, 0]),
        ("tf/max", [0.98995, 0.44721, 0.89443, 0], [0, 1, 0.70711, 0]),
        # flood and river are in 2 documents of 4, so their idf is the same; heat wave has half of
        # the idf of drought: (0, 1) . (2, 1) / sqrt 5 = 0.44721
        ("tf-idf", [0.98995, 0.44721, 0.89443, 0], [0, 1, 0.44721, 0]),
        # the query is (1, 0.75): (3, 1) . (1, 0.75) / (sqrt 10 * 1.25) = 0.94868
        ("salton", [0.94868, 0.6, 0.8, 0], [0, 1, 0.44721, 0]),
    ],
)
def test_scores_by_hand(weight, rivers, heat):
    found = scores(term_counts(TEXTS, [RIVERS, HEAT], Analyzer()), weight)
    assert found.T.tolist() == [pytest.approx(rivers, abs=1e-5), pytest.approx(heat, abs=1e-5)]


def test_weights_by_hand():
    counts = csr_array(np.array(COUNTS, float)[:, [1, 3]])  # flood, river
    idf = inverse_document_frequency(counts)
    assert idf.tolist() == pytest.approx([math.log(2)] * 2)
    frequency = np.array([2.0, 1.0])
    query = {weight: query_weights(frequency, idf, weight).tolist() for weight in WEIGHTS}
    assert query == {
        "tf": [2, 1],
        "tf/max": [1, 0.5],
        "tf-idf": pytest.approx([0.693147, 0.346574], abs=1e-6),
        "salton": pytest.approx([0.693147, 0.519860], abs=1e-6),
    }
    first = {w: document_weights(counts, idf, w).toarray()[0].tolist() for w in WEIGHTS}
    assert first == {
        "tf": [3, 1],
        "tf/max": pytest.approx([1, 1 / 3]),
        "tf-idf": pytest.approx([0.693147, 0.231049], abs=1e-6),
        "salton": pytest.approx([0.693147, 0.231049], abs=1e-6),
    }


def slow_score(document, query, documents, weight):
    """Formulas 2.6 to 2.10, for one document."""
    terms = [term for term in range(len(query)) if query[term]]
    most = max(document[term] for term in terms)
    most_in_query = max(query)
    w_document, w_query = [], []
    for term in terms:
        df = sum(1 for other in documents if other[term])
        idf = math.log(len(documents) / df) if df else 0.0
        tf = document[term] / most if most else 0.0
        tf_query = query[term] / most_in_query
        if weight == "tf":
            pair = document[term], query[term]
        elif weight == "tf/max":
            pair = tf, tf_query
        elif weight == "tf-idf":
            pair = tf * idf, tf_query * idf
        else:
            pair = tf * idf, (0.5 + 0.5 * tf_query) * idf
        w_document.append(pair[0])
        w_query.append(pair[1])
    product = sum(a * b for a, b in zip(w_document, w_query, strict=True))
    lengths = math.hypot(*w_document) * math.hypot(*w_query)
    return product / lengths if lengths else 0.0


TABLES = st.lists(st.lists(st.integers(0, 4), min_size=4, max_size=4), min_size=1, max_size=6)
FREQUENCIES = st.lists(st.integers(0, 3), min_size=4, max_size=4).filter(any)


@given(TABLES, FREQUENCIES, st.sampled_from(WEIGHTS))
def test_the_formulas(table, frequency, weight):
    own = np.flatnonzero(frequency)
    counts = csr_array(np.array(table, float)[:, own])
    found = query_scores(counts, np.array(frequency, float)[own], weight)
    expected = [slow_score(document, frequency, table, weight) for document in table]
    assert found.tolist() == pytest.approx(expected, abs=1e-9)
    assert ((found >= 0) & (found <= 1)).all()


WORDS = "flood river heat wave drought other the and".split()
DOCUMENTS = st.lists(
    st.lists(st.sampled_from(WORDS), max_size=15).map(" ".join), min_size=1, max_size=8
)


@given(DOCUMENTS)
def test_agreement_with_scikit_learn(texts):
    counts = term_counts(texts, [RIVERS, HEAT], Analyzer(stop_words=False))
    vectorizer = CountVectorizer(
        vocabulary=[" ".join(term) for term in counts.terms], ngram_range=(1, 2)
    )
    theirs = vectorizer.transform(texts).astype(float)
    assert counts.counts.toarray().tolist() == theirs.toarray().tolist()
    transformer = TfidfTransformer(norm=None, smooth_idf=False)
    with np.errstate(divide="ignore"):  # their idf of a term that does not occur is infinite
        idf = transformer.fit(theirs).idf_ - 1
    for weight, weights in (("tf", 1), ("tf-idf", np.where(np.isfinite(idf), idf, 0))):
        found = scores(counts, weight)
        for number, frequency in enumerate(counts.frequency):
            own = np.flatnonzero(frequency)
            documents = (theirs.toarray() * weights)[:, own]
            query = (frequency * weights)[None, own]
            expected = cosine_similarity(documents, query)[:, 0]
            assert found[:, number].tolist() == pytest.approx(expected.tolist(), abs=1e-9)


@given(DOCUMENTS.filter(len), st.permutations(range(8)), st.sampled_from(WEIGHTS))
def test_the_order_of_documents_does_not_matter(texts, order, weight):
    order = [number for number in order if number < len(texts)]
    found = scores(term_counts(texts, [RIVERS, HEAT], Analyzer()), weight)
    shuffled = scores(
        term_counts([texts[number] for number in order], [RIVERS, HEAT], Analyzer()), weight
    )
    assert shuffled == pytest.approx(found[order], abs=1e-12)


@given(DOCUMENTS)
def test_a_document_twice_as_long_has_the_same_score(texts):
    doubled = [f"{text} . {text}" for text in texts]
    once, twice = (
        scores(term_counts(each, [Query("q", ("flood", "river"))], Analyzer()), "tf")
        for each in (texts, doubled)
    )
    assert twice == pytest.approx(once, abs=1e-12)


def test_keywords_with_the_same_stem_are_one_term():
    counts = term_counts(["abundant"], [Query("q", ("abundance", "abundant", "niche"))], Analyzer())
    assert counts.terms == (("abund",), ("nich",))
    assert counts.frequency.tolist() == [[2, 1]]
    assert scores(counts, "tf").tolist() == [[pytest.approx(2 / math.sqrt(5))]]


def test_a_term_without_documents_weighs_nothing():
    counts = term_counts(["flood", ""], [Query("q", ("flood", "glacier"))], Analyzer())
    assert scores(counts, "tf").tolist() == [[pytest.approx(math.sqrt(0.5))], [0]]
    assert scores(counts, "tf-idf").tolist() == [[1], [0]]


def test_a_term_of_all_documents_has_no_idf():
    counts = term_counts(["flood", "flood"], [Query("q", ("flood",))], Analyzer())
    assert scores(counts, "tf").tolist() == [[1], [1]]
    assert scores(counts, "salton").tolist() == [[0], [0]]


def test_large_weights():
    query = Query("q", ("flood", "river"), (1e300, 1e300))
    counts = term_counts(["flood"], [query], Analyzer())
    assert scores(counts, "tf").tolist() == [[pytest.approx(math.sqrt(0.5))]]


def test_select():
    counts = term_counts(TEXTS, [RIVERS], Analyzer(), np.array([3, 0, 7, 5]))
    part = counts.select(np.array([5, 3, 2]))
    assert part.rows.tolist() == [1, 0]
    assert part.counts.toarray().tolist() == [[3, 1], [0, 0]]


def test_no_documents():
    assert scores(term_counts([], [RIVERS], Analyzer()), "tf-idf").shape == (0, 1)


def test_what_cannot_be_used():
    with pytest.raises(UsageError, match="no weight 'bm25': give one of tf, tf/max"):
        scores(term_counts(TEXTS, [RIVERS], Analyzer()), "bm25")
    with pytest.raises(UsageError, match="'!!' has no letters or digits"):
        term_counts(TEXTS, [Query("q", ("!!",))], Analyzer())
