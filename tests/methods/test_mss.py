"""MSS against naive Bayes and Algorithm 8 written slowly, and by hand."""

import math
from functools import cache

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import thresher
from tests import slow_definitions as slow
from tests.methods import slow_trained
from thresher import UsageError
from thresher.methods.model.files import load, to_bytes
from thresher.methods.mss import BITS, MSS, Weights, best_runs, features
from thresher.page.tags import NAMES

TAGS = [*NAMES, "?"]


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """Weights of no meaning, the same on every run."""
    random = np.random.default_rng(11)
    arrays = {
        "prior": np.array([-0.25], np.float32),
        "token": random.normal(0.2, 1.0, (3, 1 << BITS)).astype(np.float16),
        "parent": random.normal(0.0, 1.0, len(TAGS)).astype(np.float16),
    }
    path = tmp_path_factory.mktemp("mss") / "model.npz"
    path.write_bytes(to_bytes("mss", arrays, tags=TAGS))
    return str(path)


@cache
def weights_of(model):
    """The prior, the weights of tokens and those of parents, as plain Python numbers."""
    arrays = load("mss", model).arrays
    parents = dict(zip(TAGS, arrays["parent"].tolist(), strict=True))
    return float(arrays["prior"][0]), arrays["token"].tolist(), parents


def slow_scores(html, model):
    return slow_trained.mss_probabilities(html, *weights_of(model))


@given(html=slow.pages())
def test_probabilities_are_those_of_naive_bayes(model, html):
    found = Weights.of(load("mss", model)).probabilities(features(thresher.parse(html)))
    assert found.tolist() == pytest.approx(slow_scores(html, model), rel=1e-5)


@given(html=slow.pages())
def test_the_best_run_is_that_of_algorithm_8(model, html):
    scores = [p - 0.5 for p in slow_scores(html, model)]
    upto = np.concatenate(([0.0], np.cumsum(scores)))
    sums = np.sort((upto[:, np.newaxis] - upto)[np.tril_indices(len(upto), -1)])
    assume(len(sums) < 2 or sums[-1] - sums[-2] > 1e-6)  # else rounding decides
    found = MSS(model=model, runs="best")(thresher.parse(html))
    assert slow.kept_words(found) == slow_trained.mss(html, scores)


# --- by hand -------------------------------------------------------------------------------------

THESIS = [4, -5, 3, -5, 1, 2, -2, 2, -2, 1, 5]


def test_the_example_of_the_thesis():
    best = MSS(runs="best").choose(np.array(THESIS, np.float64))
    assert best.nonzero()[0].tolist() == [4, 5, 6, 7, 8, 9, 10]  # 1 2 -2 2 -2 1 5, sum 7
    assert list(slow_trained.best_range(THESIS)) == [4, 5, 6, 7, 8, 9, 10]


@pytest.mark.parametrize(
    ("share", "kept"),
    [(0.0, [0, 2, 4, 5, 6, 7, 8, 9, 10]), (0.5, [0, 4, 5, 6, 7, 8, 9, 10]), (0.6, range(4, 11))],
)
def test_all_maximal_runs_of_a_share_of_the_best(share, kept):
    # Maximal runs: 4; 3; 1 2 -2 2 -2 1 5 = 7. Half of 7 is 3.5, six tenths are 4.2.
    found = MSS(runs="all", least_share=share).choose(np.array(THESIS, np.float64))
    assert found.nonzero()[0].tolist() == list(kept)


@pytest.mark.parametrize(
    ("k", "runs"),
    [(1, [[4, 10]]), (2, [[4, 10], [0, 0]]), (3, [[4, 10], [0, 0], [2, 2]])],
)
def test_the_k_best_runs_of_the_example(k, runs):
    scores = np.array(THESIS, np.float64)
    assert best_runs(scores, k).tolist() == runs  # sums 7, 4, 3
    assert best_runs(scores, 9).tolist() == [[4, 10], [0, 0], [2, 2]]
    kept = MSS(runs="k-best", k=k).choose(scores).nonzero()[0].tolist()
    assert kept == sorted(at for first, last in runs for at in range(first, last + 1))


@given(st.lists(st.integers(-4, 4), max_size=24), st.integers(1, 6))
def test_the_k_best_runs_are_the_first_of_all_sorted(scores, k):
    runs = slow_trained.maximal_ranges(scores)
    runs.sort(key=lambda run: (-sum(scores[run.start : run.stop]), run.start))
    found = best_runs(np.array(scores, np.float64), k)
    assert found.tolist() == [[run.start, run.stop - 1] for run in runs[:k]]


def test_the_first_of_the_k_best_has_the_sum_of_the_best_run():
    # Algorithm 8 takes 0..2, Ruzzo and Tompa the shortest part with the same sum.
    scores = np.array([1.0, -1.0, 2.0])
    assert MSS(runs="best").choose(scores).nonzero()[0].tolist() == [0, 1, 2]
    assert best_runs(scores, 2).tolist() == [[2, 2], [0, 0]]


def test_nothing_above_0_keeps_nothing():
    assert best_runs(np.array([-1.0, 0.0]), 3).tolist() == []
    for runs in ("best", "k-best", "all"):
        assert not MSS(runs=runs).choose(np.array([-1.0, 0.0, -2.0])).any()
        assert not MSS(runs=runs).choose(np.zeros(0)).any()


def weights(path, **odds):
    """A model in which only the tags of parents weigh."""
    arrays = {
        "prior": np.zeros(1, np.float32),
        "token": np.zeros((3, 1 << BITS), np.float16),
        "parent": np.array([odds.get(name, 0.0) for name in TAGS], np.float16),
    }
    path.write_bytes(to_bytes("mss", arrays, tags=TAGS))
    return str(path)


def test_a_page_by_hand(tmp_path):
    # A word in <p> has p = 3/4, in <a> 1/4, everything else 1/2.
    model = weights(tmp_path / "m.npz", p=math.log(3), a=-math.log(3))
    page = thresher.parse("<a>one two three</a><p>four five</p><a>six</a><p>seven</p>")
    seen = features(page)
    scores = Weights.of(load("mss", model)).probabilities(seen) - 0.5
    assert scores[seen.is_word].round(3).tolist() == [-0.25] * 3 + [0.25] * 2 + [-0.25, 0.25]
    assert MSS(model=model, runs="best")(page).text() == "four five"
    # With a fifth of 0.5 the second run, of 0.25, is kept as well.
    assert MSS(model=model)(page).text() == "four five\n\nseven"
    assert MSS(model=model, least_share=0.6)(page).text() == "four five"
    assert MSS(model=model, threshold=0.2)(page) == page.all()


def test_numbers_and_words_that_begin_alike_are_one_token():
    def places(html):
        seen = features(thresher.parse(html))
        return seen.place[0, seen.is_word].tolist()

    one, two, three = places("<p>1999 and 2000")
    assert one == three != two
    assert len(set(places("<p>read Reading READERS readings"))) == 3  # read, readi, reade, readi
    assert len(set(places("<p>reading readily"))) == 1


def test_unknown_elements_are_one_and_hidden_tokens_are_none():
    def tags(html):
        seen = features(thresher.parse(html))
        return seen.place[0, ~seen.is_word].tolist()

    assert tags("<my-card></my-card>") == tags("<your-card></your-card>")
    assert tags("<p></p>") == tags("<p></p><div hidden>one<b>two</b></div>")


def test_tags_of_a_model_are_matched_by_name(tmp_path):
    arrays = {
        "prior": np.zeros(1, np.float32),
        "token": np.zeros((3, 1 << BITS), np.float16),
        "parent": np.array([2.0, -1.0], np.float16),
    }
    path = tmp_path / "m.npz"
    path.write_bytes(to_bytes("mss", arrays, tags=["p", "no-such-name"]))
    found = Weights.of(load("mss", str(path)))
    assert {name for name, w in zip(TAGS, found.parent, strict=True) if w} == {"p"}


def test_a_known_headline_is_a_bound(tmp_path):
    model = weights(tmp_path / "m.npz", p=math.log(3), h1=math.log(3))
    page = thresher.parse("<p>Cookies are used here.</p><h1>Making tea</h1><p>Warm the pot.</p>")
    assert "Cookies" in MSS(model=model)(page).text()
    assert "Cookies" not in MSS(model=model, headline="Making tea")(page).text()


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("runs", "some", "runs of mss is 'some': give 'best', 'k-best' or 'all'."),
        ("k", 0, "k of mss is 0: give a whole number from 1 to 1,000,000."),
        ("threshold", 1.0, "threshold of mss is 1.0: give a number above 0 and below 1."),
        ("least_share", -0.1, "least_share of mss is -0.1: give a number from 0 to 1."),
        ("model", 7, "model of mss is 7: give text."),
    ],
)
def test_bad_options_are_refused(option, value, message):
    with pytest.raises(UsageError) as error:
        MSS(**{option: value})
    assert str(error.value) == message


@given(st.lists(st.integers(-3, 3), max_size=12))
def test_ties_go_to_the_earliest(scores):
    found = MSS(runs="best").choose(np.array(scores, np.float64))
    assert found.nonzero()[0].tolist() == list(slow_trained.best_range(scores))
