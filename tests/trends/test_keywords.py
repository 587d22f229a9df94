"""The quality of keywords: by hand, and against trends without the keyword."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.trends import DatedDocument, Query, trend
from thresher.trends.vectors import WEIGHTS

DOCUMENTS = [
    DatedDocument("", "flood river", "2001"),
    DatedDocument("", "floods", "2001"),
    DatedDocument("", "flood flood bank river", "2002"),
    DatedDocument("", "bank", "2002"),
    DatedDocument("", "none", "2004"),
]
RIVERS = Query("rivers", ("flood", "river", "glacier"))


def test_by_hand():
    flood, river, glacier = trend(DOCUMENTS, [RIVERS]).keywords
    assert (flood.query, flood.keyword, flood.weight) == ("rivers", "flood", 1)
    assert (flood.occurrences, flood.documents, flood.share) == (4, 3, 0.6)
    assert (river.occurrences, river.documents, river.share) == (2, 2, 0.4)
    assert (glacier.occurrences, glacier.documents, glacier.share) == (0, 0, 0)
    # scores: (1, 1, 0) . (1, 1, 1) / sqrt 6, 1 / sqrt 3, (2, 1, 0) . (1, 1, 1) / sqrt 15, 0, 0
    scores = [2 / math.sqrt(6), 1 / math.sqrt(3), 3 / math.sqrt(15), 0, 0]
    # without "flood": 1 / sqrt 2, 0, 1 / sqrt 2, 0, 0
    without = [math.sqrt(0.5), 0, math.sqrt(0.5), 0, 0]
    assert flood.loss == pytest.approx((sum(scores) - sum(without)) / 5)
    assert flood.correlation == pytest.approx(np.corrcoef([1, 1, 1, 0, 0], without)[0, 1])
    # without "glacier", which never occurs, all scores are higher: sqrt 3 / sqrt 2 times as high
    assert glacier.loss == pytest.approx(sum(scores) / 5 * (1 - math.sqrt(1.5)))
    assert math.isnan(glacier.correlation)
    assert flood.share_by_period[:2] == (1, 0.5)
    assert math.isnan(flood.share_by_period[2])
    assert flood.share_by_period[3] == 0
    assert flood.shape == "steady"


WORDS = "flood floods river bank glacier other".split()
TEXTS = st.lists(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=8).map(" ".join), min_size=1, max_size=10
)


@given(TEXTS, st.sampled_from(WEIGHTS))
def test_the_score_without_a_keyword(texts, weight):
    documents = [DatedDocument("", text, "2001") for text in texts]
    query = Query("rivers", ("flood", "river bank", "glacier"), (2, 1, 1.5))
    found = trend(documents, [query], weight=weight)
    for number, row in enumerate(found.keywords):
        kept = [other for other in range(3) if other != number]
        rest = Query(
            "rest",
            tuple(query.keywords[other] for other in kept),
            tuple(query.weights[other] for other in kept),
        )
        without = trend(documents, [rest], weight=weight).scores[:, 0]
        present = trend(documents, [Query("own", (row.keyword,))]).scores[:, 0] > 0
        assert row.documents == present.sum()
        assert row.loss == pytest.approx(found.scores.mean() - without.mean(), abs=1e-12)
        if 0 < present.sum() < len(texts) and np.ptp(without) > 0:
            assert row.correlation == pytest.approx(np.corrcoef(present, without)[0, 1])
        else:
            assert math.isnan(row.correlation)


def test_keywords_with_the_same_stem():
    query = Query("q", ("abundance", "abundant", "niche"))
    documents = [DatedDocument("", text, "2001") for text in ("abundant niche", "abundance", "x")]
    first, second, third = trend(documents, [query]).keywords
    assert (first.same_term, second.same_term, third.same_term) == (
        ("abundant",), ("abundance",), (),
    )  # fmt: skip
    assert first.documents == second.documents == 2
    # without both of them, only "niche" remains: 1, 0, 0
    scores = [3 / math.sqrt(10), 2 / math.sqrt(5), 0]
    assert first.loss == second.loss == pytest.approx((sum(scores) - 1) / 3)


def test_a_query_of_one_keyword():
    (row,) = trend(DOCUMENTS, [Query("q", ("flood",))], weight="salton").keywords
    assert row.loss == pytest.approx(3 / 5)
    assert math.isnan(row.correlation)


def test_a_keyword_that_comes_up():
    documents = [
        DatedDocument(
            "", "flood" if place < 2 * (year > 2005) + 3 * (year > 2007) else "x", f"{year}"
        )
        for year in range(2000, 2012)
        for place in range(10)
    ]
    (row,) = trend(documents, [Query("q", ("flood",))]).keywords
    assert row.shape == "emerging"


def test_json():
    rows = [row.to_dict() for row in trend(DOCUMENTS, [RIVERS]).keywords]
    assert json.loads(json.dumps(rows, allow_nan=False)) == rows
    assert rows[2]["correlation"] is None
    assert rows[0]["share_by_period"] == [1, 0.5, None, 0]
    assert rows[0]["keyword"] == "flood"
    assert "query" not in rows[0]
