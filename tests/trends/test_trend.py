"""Trends: by hand, against plain definitions, and on abstracts of ACL conferences."""

import json
import math
from datetime import date, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest
from scipy.stats import t as t_distribution

from benchmarks.corpus_pages import corpora_folder
from thresher.errors import UsageError
from thresher.trends import DatedDocument, Query, distinct, read_documents, read_queries, trend
from thresher.trends.trend import all_periods, mean_interval, period_of
from thresher.trends.vectors import WEIGHTS

DOCUMENTS = [
    DatedDocument("one", "Floods: the river flooded; a flood.", "2001-05-17", "Rhine Post"),
    DatedDocument("two", "Heat waves and drought. The river is low.", "2001", "Heat Daily"),
    DatedDocument("three", "A heat wave, a heat wave, and a flood of news.", "2003", "Heat Daily"),
    DatedDocument("four", "Nothing of the kind.", "2003-01", "Rhine Post"),
    DatedDocument("five", "Flood without date", "", "Rhine Post"),
]
QUERIES = (Query("rivers", ("flood", "river", "flood")), Query("heat", ("heat wave", "drought")))


def test_by_hand():
    found = trend(DOCUMENTS, QUERIES)
    assert found.periods == ("2001", "2002", "2003")
    assert found.period.tolist() == [0, 0, 2, 2]
    assert found.count.tolist() == [2, 0, 2]
    assert found.undated == 1
    assert found.left_out == (DOCUMENTS[4],)
    assert found.documents == tuple(DOCUMENTS[:4])
    assert found.scores == pytest.approx(
        np.array([[7 / math.sqrt(50), 0], [1 / math.sqrt(5), 1],
                  [2 / math.sqrt(5), 1 / math.sqrt(2)], [0, 0]])
    )  # fmt: skip
    # rivers in 2001: (0.98995 + 0.44721) / 2; in 2003: (0.89443 + 0) / 2
    assert found.table() == [
        {"period": "2001", "documents": 2, "rivers": 719, "heat": 500},
        {"period": "2002", "documents": 0, "rivers": None, "heat": None},
        {"period": "2003", "documents": 2, "rivers": 447, "heat": 354},
    ]
    assert found.without_keyword[[0, 2]].tolist() == [[0, 0.5], [0.5, 0.5]]
    assert np.isnan(found.without_keyword[1]).all()
    assert found.without_any().tolist() == [0.25, 0.5]


@pytest.mark.parametrize(
    ("weight", "first", "last"),
    [
        ("tf", [719, 500], [447, 354]),
        ("tf/max", [719, 500], [447, 354]),
        ("tf-idf", [719, 500], [447, 224]),
        ("salton", [774, 500], [400, 224]),
    ],
)
def test_every_weight_by_hand(weight, first, last):
    rows = trend(DOCUMENTS, QUERIES, weight=weight).table()
    assert [rows[0]["rivers"], rows[0]["heat"]] == first
    assert [rows[2]["rivers"], rows[2]["heat"]] == last


WORDS = "flood floods river heat wave drought other the".split()
SOME = st.lists(
    st.builds(
        DatedDocument,
        st.just("t"),
        st.lists(st.sampled_from(WORDS), max_size=10).map(" ".join),
        st.sampled_from(["", "2001", "2002-03", "2004-03-09", "2004-12-31"]),
        st.sampled_from(["a", "b"]),
    ),
    max_size=12,
)


@given(SOME, st.sampled_from(WEIGHTS), st.sampled_from(["year", "month", "week"]))
def test_the_definition(documents, weight, by):
    found = trend(documents, QUERIES, weight=weight, by=by)
    assert len(found.documents) + found.undated + len(found.without_text) == len(documents)
    assert all(document.text.strip() for document in found.documents)
    assert ((found.scores >= 0) & (found.scores <= 1)).all()
    for number, period in enumerate(found.periods):
        rows = [
            row for row, each in enumerate(found.documents) if period_of(each.date, by) == period
        ]
        assert rows == (found.period == number).nonzero()[0].tolist()
        assert found.count[number] == len(rows)
        for column in range(len(QUERIES)):
            if not rows:
                assert math.isnan(found.mean[number, column])
                assert math.isnan(found.low[number, column])
                continue
            mean = sum(found.scores[row, column] for row in rows) / len(rows)
            assert found.mean[number, column] == pytest.approx(mean)
            assert 0 <= found.low[number, column] <= mean + 1e-12
            assert mean - 1e-12 <= found.high[number, column] <= 1
            assert found.low[number, column] < found.high[number, column]
            without = sum(not found.found[row, column] for row in rows) / len(rows)
            assert found.without_keyword[number, column] == pytest.approx(without)
    json.dumps(found.to_dict(), allow_nan=False)


@given(SOME, st.randoms(use_true_random=False), st.sampled_from(WEIGHTS))
def test_the_order_of_documents_does_not_matter(documents, random, weight):
    shuffled = random.sample(documents, len(documents))
    first, second = (trend(each, QUERIES, weight=weight) for each in (documents, shuffled))
    assert first.periods == second.periods
    for name in ("mean", "low", "high", "without_keyword"):
        assert getattr(first, name) == pytest.approx(getattr(second, name), nan_ok=True)


@pytest.mark.slow
@given(SOME, st.sampled_from(WEIGHTS))
def test_a_source_alone(documents, weight):
    for source, found in trend(documents, QUERIES, weight=weight).by_source().items():
        own = trend([each for each in documents if each.source == source], QUERIES, weight=weight)
        assert found.documents == own.documents
        assert found.undated == own.undated
        assert found.without_text == own.without_text
        assert found.periods == own.periods
        assert found.scores == pytest.approx(own.scores)
        assert json.dumps(found.to_dict()) == json.dumps(own.to_dict())
        assert found.table() == own.table()


def test_documents_of_a_period():
    found = trend(DOCUMENTS, QUERIES)
    assert [each.title for each in found.documents_of("2001", "rivers")] == ["one", "two"]
    assert [each.title for each in found.documents_of("2001", "heat")] == ["two", "one"]
    assert [each.title for each in found.documents_of("2001")] == ["two", "one"]
    assert [each.title for each in found.documents_of("2001", limit=1)] == ["two"]
    assert found.documents_of("2002") == []
    assert found.rows_of("2003", "rivers").tolist() == [2, 3]
    with pytest.raises(UsageError, match="no period '1999': give one from 2001 to 2003"):
        found.documents_of("1999")
    with pytest.raises(UsageError, match="no query 'Rhine': give one of rivers, heat"):
        found.documents_of("2001", "Rhine")


def test_titles_are_scored_when_asked_for():
    document = DatedDocument("Flood on the river", "bank erosion", "2001")
    query = [Query("q", ("flood", "river bank"))]
    assert trend([document], query).scores.tolist() == [[0]]
    assert trend([document], query, titles=True).scores == pytest.approx(math.sqrt(0.5))


def test_the_language_of_each_document():
    documents = [
        DatedDocument("", "Häuser am Fluss", "2001", language="de-CH"),
        DatedDocument("", "houses", "2001", language="en"),
        DatedDocument("", "houses house", "2001"),
        DatedDocument("", "家と家屋", "2001", language="ja"),
        DatedDocument("", "houses", "2001", language="no language at all"),
    ]
    query = [Query("q", ("Haus", "house", "家屋"))]
    found = trend(documents, query, language="auto")
    assert found.found.ravel().tolist() == [True, True, True, True, False]
    assert [part.language for part in found.counts] == ["", "de", "en", "ja"]
    assert found.notes() == [
        "3 documents were read without stemming, as there is no stemmer for the language "
        "(unknown, ja): keywords are found as they are written."
    ]
    assert trend(documents, query, language="auto", stem=False).notes() == []
    assert trend(documents, query).notes() == []
    assert [row.documents for row in found.keywords] == [1, 2, 1]


def test_notes_name_what_was_left_out():
    assert trend(DOCUMENTS, QUERIES).notes() == [
        "1 document was left out: no date, or none as exact as a year."
    ]
    assert trend(DOCUMENTS, QUERIES, by="week").notes() == [
        "4 documents were left out: no date, or none as exact as a week."
    ]


def test_documents_without_text_are_left_out_and_counted():
    documents = [
        DatedDocument("Flood", "", "2001", "a"),
        DatedDocument("River", " \n", "2002", "b"),
        DatedDocument("None", "flood", "2003", "b"),
        DatedDocument("Without date", "", "", "b"),
    ]
    found = trend(documents, QUERIES)
    assert found.documents == (documents[2],)
    assert found.without_text == tuple(documents[:2])
    assert found.left_out == (documents[3],)
    assert found.periods == ("2003",)
    assert found.to_dict()["without_text"] == 2
    assert found.notes()[1] == (
        "2 documents have no text and are left out (--titles scores titles, too)."
    )
    assert len(trend(documents, QUERIES, titles=True).documents) == 3
    assert [len(each.without_text) for each in found.by_source().values()] == [1]


def test_repeated_documents_are_counted_and_named():
    with_address = DatedDocument("a", "flood", "2001", url="https://a.example/1")
    without = DatedDocument("b", "river", "2001", "s")
    again = DatedDocument("a, corrected", "floods", "2002", url="https://a.example/1 ")
    other = DatedDocument("b", "river", "2001", "another source")
    given = [with_address, without, again, other, without]
    found = trend(given, QUERIES)
    assert len(found.documents) == 5
    assert found.repeated == found.to_dict()["repeated"] == 2
    (note,) = found.notes()
    assert note.startswith("2 documents repeat another one (same address; ")
    assert note.endswith(" and count again: leave repeated documents out with --distinct.")
    assert distinct(given) == [with_address, without, other]
    assert trend(distinct(given), QUERIES).notes() == []


def test_the_span_of_periods():
    assert trend(DOCUMENTS, QUERIES).span == "2001 to 2003"
    assert trend(DOCUMENTS[:2], QUERIES).span == "2001"
    assert trend([], QUERIES).span == ""


@pytest.mark.parametrize(("documents", "periods"), [([], 0), ([DatedDocument("", "flood", "")], 0)])
def test_no_documents(documents, periods):
    found = trend(documents, QUERIES)
    assert found.periods == ()
    assert found.table() == found.changes == []
    assert found.shapes == ("steady", "steady")
    assert found.by_source() == {}
    assert np.isnan(found.correlation.levels).all()
    assert [row.documents for row in found.keywords] == [0, 0, 0, 0]
    json.dumps(found.to_dict(), allow_nan=False)
    with pytest.raises(UsageError, match=r"give one from none \(no dates\)"):
        found.documents_of("2001")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"by": "day"}, "no period 'day': give one of year, month, week"),
        ({"weight": "bm25"}, "no weight 'bm25'"),
        ({"confidence": 95}, "give a number between 0 and 1"),
        ({"language": "english"}, "give a code such as"),
        ({"queries": []}, "give at least one"),
        ({"queries": ["rain"]}, "'rain' is no query: give names and keywords, as in"),
        ({"queries": "rain"}, "'rain' is no query"),
        ({"queries": None}, "None is no query"),
        ({"queries": {"rain": "rain"}}, "the keywords of 'rain' are not a list"),
        ({"queries": {"rain": []}}, "has no keywords"),
        ({"language": None}, "None is no language"),
        ({"documents": "corpus.ris"}, r"give read_documents\('corpus.ris'\)"),
        ({"documents": None}, "give one of DatedDocument"),
        ({"documents": ["a text"]}, r"'a text' is no document: give DatedDocument\(title"),
        ({"queries": [QUERIES[0]] * 2}, "two queries have the name 'rivers'"),
        ({"queries": [Query("documents", ("a",))]}, "give the query another name"),
    ],
)
def test_what_cannot_be_used(options, sentence):
    with pytest.raises(UsageError, match=sentence):
        trend(**{"documents": DOCUMENTS, "queries": QUERIES, **options})


def test_queries_may_be_a_mapping():
    expected = trend(DOCUMENTS, QUERIES)
    for rivers in (["flood", "river", "flood"], {"flood": 2, "river": 1}):
        found = trend(DOCUMENTS, {"rivers": rivers, "heat": ("heat wave", "drought")})
        assert found.queries == QUERIES
        assert found.table() == expected.table()


# --- periods -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("iso", "year", "month", "week"),
    [
        ("2006", "2006", "", ""),
        ("2006-05", "2006", "2006-05", ""),
        ("2006-05-17", "2006", "2006-05", "2006-W20"),
        ("2006-05-17T23:59:00Z", "2006", "2006-05", "2006-W20"),
        ("2005-01-01", "2005", "2005-01", "2004-W53"),  # a Saturday
        ("2006-13", "", "", ""),
        ("2006-02-30", "", "", ""),
        ("2006-W20", "", "", ""),
        ("", "", "", ""),
        ("0000", "", "", ""),
        ("20060517", "", "", ""),
        ("May 2006", "", "", ""),
    ],
)
def test_the_period_of_a_date(iso, year, month, week):
    assert [period_of(iso, by) for by in ("year", "month", "week")] == [year, month, week]


def test_every_period_between_two():
    assert all_periods("1998", "2001", "year") == ("1998", "1999", "2000", "2001")
    assert all_periods("2006-11", "2007-02", "month") == (
        "2006-11", "2006-12", "2007-01", "2007-02",
    )  # fmt: skip
    assert all_periods("2004-W52", "2005-W01", "week") == ("2004-W52", "2004-W53", "2005-W01")
    assert all_periods("0001", "0003", "year") == ("0001", "0002", "0003")


@given(st.dates(date(1, 1, 1), date(9990, 1, 1)), st.integers(0, 300))
def test_every_day_is_in_one_of_the_periods(first, days):
    last = first + timedelta(days)
    for by in ("year", "month", "week"):
        expected = {
            period_of((first + timedelta(more)).isoformat(), by): None for more in range(days + 1)
        }
        ends = (period_of(day.isoformat(), by) for day in (first, last))
        assert all_periods(*ends, by) == tuple(expected)


def test_a_wrong_date_does_not_make_endless_periods():
    documents = [DatedDocument("", "flood", day) for day in ("0001-01-01", "2020-01-01")]
    assert len(trend(documents, QUERIES).periods) == 2020
    with pytest.raises(UsageError, match="correct or leave out wrong dates"):
        trend(documents, QUERIES, by="week")


# --- bands ---------------------------------------------------------------------------------------


def interval(scores, confidence=0.95):
    scores = np.array(scores, float)
    sums = (np.array([value]) for value in (len(scores), scores.sum(), (scores**2).sum()))
    low, high = mean_interval(*sums, confidence)
    return low[0], high[0]


@pytest.mark.parametrize(("ones", "number"), [(0, 1), (1, 1), (0, 20), (3, 20), (20, 20), (7, 500)])
def test_zeros_and_ones_give_the_interval_of_clopper_and_pearson(ones, number):
    exact = binomtest(ones, number).proportion_ci(0.9, method="exact")
    found = interval([1] * ones + [0] * (number - ones), 0.9)
    assert found == pytest.approx((exact.low, exact.high), abs=1e-9)


def test_many_documents_give_nearly_the_t_interval():
    scores = np.random.default_rng(2).beta(2, 5, 2000)
    half = t_distribution.ppf(0.975, 1999) * scores.std(ddof=1) / math.sqrt(2000)
    found = interval(scores)
    assert found == pytest.approx((scores.mean() - half, scores.mean() + half), abs=half / 10)


def test_the_moments_by_hand():
    """One document with 0.4: u is uniform between 0.4 and 1, or between 0 and 0.4."""
    low, high = interval([0.4])
    # mean 0.7, variance 0.09 / 3 = 0.03: a beta distribution with a + b = 0.21 / 0.03 - 1 = 6
    draw = np.random.default_rng(4).beta(4.2, 1.8, 200_000)
    assert high == pytest.approx(np.quantile(draw, 0.975), abs=0.003)
    # mean 0.2, variance 0.04 / 3: a + b = 0.16 / (0.04 / 3) - 1 = 11
    draw = np.random.default_rng(4).beta(2.2, 8.8, 200_000)
    assert low == pytest.approx(np.quantile(draw, 0.025), abs=0.003)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30), st.floats(0.01, 0.99))
def test_a_band_contains_its_mean_and_has_a_width(scores, confidence):
    low, high = interval(scores, confidence)
    mean = np.mean(scores)
    assert 0 <= low <= mean + 1e-12
    assert mean - 1e-12 <= high <= 1
    assert low < high


@pytest.mark.slow
@pytest.mark.parametrize("documents", [2, 5, 20, 100])
@pytest.mark.parametrize("share", [0.05, 0.3, 1.0])
def test_a_band_covers_the_mean_in_95_of_100_cases(share, documents):
    draw = np.random.default_rng(9)
    scores = draw.beta(4, 4, (4000, documents)) * (draw.random((4000, documents)) < share)
    low, high = mean_interval(
        np.full(4000, documents), scores.sum(axis=1), (scores**2).sum(axis=1), 0.95
    )
    covered = np.mean((low <= 0.5 * share) & (0.5 * share <= high))
    assert covered >= 0.94


# --- how curves go together ----------------------------------------------------------------------


def yearly(levels, documents=10):
    """Documents of which a share has the keyword of each query: levels are queries x years."""
    return [
        DatedDocument("", "text " + " ".join(
            f"key{number}" for number, own in enumerate(levels) if place < own[year]
        ), str(2000 + year))
        for year in range(len(levels[0]))
        for place in range(documents)
    ]  # fmt: skip


def test_correlation_of_levels_and_differences():
    levels = [[1, 2, 3, 4, 5], [2, 3, 5, 6, 9], [9, 7, 5, 3, 1], [4, 4, 4, 4, 4]]
    found = trend(yearly(levels), [Query(f"q{n}", (f"key{n}",)) for n in range(4)]).correlation
    expected = np.corrcoef(levels[:3])
    assert found.levels[:3, :3] == pytest.approx(expected)
    assert np.isnan(found.levels[3]).all()
    # the first and the third go by equal steps: their differences do not vary
    assert np.isnan(found.differences[0]).all()
    assert found.differences[1, 1] == pytest.approx(1)
    # documents with key0 and key1: the smaller of both numbers in each year
    assert found.together[0, 1] == pytest.approx(15 / 50)
    assert found.together[0, 0] == pytest.approx(15 / 50)
    assert found.together[1, 1] == pytest.approx(25 / 50)
    assert found.together[3, 2] == pytest.approx((4 + 4 + 4 + 3 + 1) / 50)
    assert found.lead.tolist() == [[0] * 4] * 4


def test_differences_leave_empty_periods_out():
    levels = [[1, 5, 2, 9, 3], [2, 4, 3, 8, 1]]
    documents = [each for each in yearly(levels) if each.date != "2002"]
    queries = [Query("a", ("key0",)), Query("b", ("key1",))]
    expected = np.corrcoef(np.diff([[1, 5, 9, 3], [2, 4, 8, 1]]))
    assert trend(documents, queries).correlation.differences == pytest.approx(expected)


def test_a_curve_that_precedes_another():
    first = np.random.default_rng(6).integers(0, 10, 16)
    levels = [first.tolist(), np.roll(first, 2).tolist()]
    queries = [Query("first", ("key0",)), Query("later", ("key1",))]
    lead = trend(yearly(levels), queries).correlation.lead
    assert lead.tolist() == [[0, 2], [-2, 0]]


def test_leads_are_rarely_found_by_chance():
    draw = np.random.default_rng(8)
    found = 0
    for _ in range(60):
        levels = draw.integers(0, 10, (2, 12)).tolist()
        queries = [Query("a", ("key0",)), Query("b", ("key1",))]
        found += trend(yearly(levels), queries).correlation.lead.any()
    assert found <= 6


# --- a real corpus -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def acl():
    folder = corpora_folder()
    path = None if folder is None else folder / "acl-abstracts.parquet"
    if path is None or not path.exists():
        pytest.skip("needs acl-abstracts")
    return trend(read_documents(path), read_queries("examples/acl.toml"))


@pytest.mark.slow
def test_three_generations_of_language_technology(acl):
    assert acl.shapes == ("fading", "peaked", "emerging")
    statistical, bert, large = acl.mean.T
    year = {name: number for number, name in enumerate(acl.periods)}
    assert statistical[year["2016"]] == statistical.max()
    assert statistical[year["2021"] :].max() < statistical[year["2016"]] / 4
    assert bert[: year["2018"]].max() < 0.001
    assert int(bert.argmax()) in range(year["2020"], year["2023"])
    assert bert[year["2025"]] < 0.6 * bert.max()
    assert large[: year["2021"]].max() < 0.005
    assert large[year["2025"]] > 0.2
    abrupt = {(change.query, change.period) for change in acl.changes if "abrupt" in change.kind}
    assert ("statistical machine translation", "2018") in abrupt
    assert ("BERT-like models", "2019") in abrupt
    assert ("large language models", "2024") in abrupt
    rises = {c.period for c in acl.changes if c.query == "large language models"}
    assert {"2022", "2023"} <= rises


@pytest.mark.slow
def test_sources_of_a_real_corpus(acl):
    sources = acl.by_source()
    assert sum(len(each.documents) for each in sources.values()) == len(acl.documents)
