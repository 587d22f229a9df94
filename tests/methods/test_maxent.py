"""MaxEnt: each block alone, by hand and against the sum of its weights."""

import math

import numpy as np
import pytest
from hypothesis import given

import thresher
from tests import slow_definitions as slow
from tests.methods import slow_trained
from thresher import UsageError
from thresher.methods.crf import FEATURES, MaxEnt, features
from thresher.methods.model.files import load, to_bytes

FIRST = np.cumsum([0, *FEATURES.values()])[:-1]
WORDS = [1, 2, 3, 4, 6, 8, 11, 15, 20, 30, 45, 70, 120]


def write(path, weight, bias):
    arrays = {
        "weight": np.asarray(weight, np.float32),
        "bias": np.array([bias], np.float32),
        "transitions": np.zeros((2, 2), np.float32),
    }
    path.write_bytes(to_bytes("maxent", arrays, features=FEATURES))
    return str(path)


@pytest.fixture(scope="module")
def words_only(tmp_path_factory):
    """The score of a block is the number of bounds that its words reach, less 2.5."""
    weight = np.zeros(sum(FEATURES.values()))
    weight[: FEATURES["words"]] = np.arange(FEATURES["words"])
    return write(tmp_path_factory.mktemp("maxent") / "m.npz", weight, -2.5)


@given(html=slow.pages())
def test_a_block_is_kept_when_its_probability_is_high_enough(words_only, html):
    expected = [
        word
        for words, _, _ in slow_trained.blocks(html)
        for word in words
        if 1 / (1 + math.exp(2.5 - sum(len(words) >= bound for bound in WORDS))) > 0.5
    ]
    assert slow.kept_words(MaxEnt(model=words_only)(thresher.parse(html))) == expected


def test_by_hand(words_only):
    # One word reaches one bound, three words three: 1 / (1 + exp(1.5)) = .182, (exp(-.5)) = .622.
    page = thresher.parse("<p>one</p><p>one two three</p>")
    assert MaxEnt(model=words_only)(page).text() == "one two three"
    assert MaxEnt(model=words_only, threshold=0.63)(page).text() == ""
    assert MaxEnt(model=words_only, threshold=0.18)(page).text() == "one\n\none two three"


def test_the_shipped_weights_are_summed_value_by_value():
    page = thresher.parse("<nav><a href=/>Home</a></nav><p>Warm the pot, and wait a while.</p>")
    model = load("maxent")
    weight, bias = model.arrays["weight"].tolist(), float(model.arrays["bias"][0])
    kept = []
    for block in features(page).value.T.tolist():
        score = bias + sum(weight[f + v] for f, v in zip(FIRST.tolist(), block, strict=True))
        kept.append(1 / (1 + math.exp(-score)) > 0.5)
    rows = page.text_rows[page.blocks.of_text >= 0]
    assert MaxEnt()(page) == page.select(rows[np.array(kept)])


def test_neighbours_labels_do_not_count(words_only):
    long, short = "<p>one two three</p>", "<p>one</p>"
    for html in (long + short + long, short + long + short):
        found = MaxEnt(model=words_only)(thresher.parse(html))
        assert found.text() == "\n\n".join(["one two three"] * html.count("three"))


def test_a_bad_threshold_is_refused():
    with pytest.raises(
        UsageError, match=r"threshold of maxent is 1\.5: give a number above 0 and below 1\."
    ):
        MaxEnt(threshold=1.5)
