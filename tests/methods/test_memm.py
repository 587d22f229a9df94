"""MEMM against all sequences of labels, and by hand."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import thresher
from tests import slow_definitions as slow
from tests.methods import slow_trained
from thresher import InputError, UsageError
from thresher.methods.crf import FEATURES, MEMM, MarkovWeights, features
from thresher.methods.model.files import load, to_bytes

WORDS = [1, 2, 3, 4, 6, 8, 11, 15, 20, 30, 45, 70, 120]


def write(path, weight, bias):
    """A model file; the rows of `weight` are the weights after other text and after content."""
    arrays = {"weight": np.asarray(weight, np.float32), "bias": np.asarray(bias, np.float32)}
    path.write_bytes(to_bytes("memm", arrays, features=FEATURES))
    return str(path)


def by_words(path, after_other, after_content, bias):
    """A model that weighs the number of words alone, value by value."""
    weight = np.zeros((2, sum(FEATURES.values())))
    weight[0, : len(after_other)], weight[1, : len(after_content)] = after_other, after_content
    return write(path, weight, bias)


# --- the definition ------------------------------------------------------------------------------


def probability(labels, scores):
    """P of labels: the product over the blocks, each given the label before; 0 before the first."""
    found = 1.0
    for before, label, (after_other, after_content) in zip(
        (0, *labels), labels, scores, strict=False
    ):
        p = 1 / (1 + math.exp(-(after_content if before else after_other)))
        found *= p if label else 1 - p
    return found


def slow_labels(scores, which, threshold=0.5):
    """Score all sequences of labels, one by one."""
    known = {y: probability(y, scores) for y in product((0, 1), repeat=len(scores))}
    assert sum(known.values()) == pytest.approx(1)
    best = max(known, key=known.get)
    if which == "sequence" and any(best):
        return [bool(label) for label in best]
    sums = [sum(p for y, p in known.items() if y[place]) for place in range(len(scores))]
    largest = max(sums, default=0)
    return [total > (threshold if largest > threshold else largest / 2) for total in sums]


OTHER = np.random.default_rng(3).normal(0, 2, len(WORDS) + 1)
CONTENT = np.random.default_rng(4).normal(0, 2, len(WORDS) + 1)
BIAS = (-0.3, 0.4)


@pytest.fixture(scope="module")
def words_only(tmp_path_factory):
    return by_words(tmp_path_factory.mktemp("memm") / "m.npz", OTHER, CONTENT, BIAS)


def slow_memm(html, which):
    """The words of the blocks that are content, from the HTML string."""
    blocks = slow_trained.blocks(html)
    values = [sum(len(words) >= bound for bound in WORDS) for words, _, _ in blocks]
    weights = np.float32(OTHER).tolist(), np.float32(CONTENT).tolist()
    bias = np.float32(BIAS).tolist()
    scores = [tuple(w[value] + b for w, b in zip(weights, bias, strict=True)) for value in values]
    pairs = zip(blocks, slow_labels(scores, which), strict=True)
    return [word for (words, _, _), is_content in pairs if is_content for word in words]


@pytest.mark.parametrize("which", ["sequence", "each"])
@given(html=slow.pages())
def test_it_keeps_the_blocks_of_the_most_probable_labels(words_only, which, html):
    assume(len(slow_trained.blocks(html)) <= 9)  # 512 sequences
    found = MEMM(model=words_only, labels=which)(thresher.parse(html))
    assert slow.kept_words(found) == slow_memm(html, which)


@pytest.mark.parametrize("which", ["sequence", "each"])
@given(sizes=st.lists(st.integers(1, 9), max_size=9))
def test_it_does_so_for_paragraphs_of_any_length(words_only, which, sizes):
    html = "".join(f"<p>{'w ' * size}</p>" for size in sizes)
    found = MEMM(model=words_only, labels=which)(thresher.parse(html))
    assert slow.kept_words(found) == slow_memm(html, which)


def test_the_shipped_weights_are_summed_value_by_value():
    page = thresher.parse("<nav><a href=/>Home</a></nav><p>Warm the pot, and wait a while.</p>")
    model = load("memm")
    first = np.cumsum([0, *FEATURES.values()])[:-1].tolist()
    steps = MarkovWeights.of(model).steps(features(page))
    for before in (0, 1):
        weight = model.arrays["weight"][before].tolist()
        for place, block in enumerate(features(page).value.T.tolist()):
            score = float(model.arrays["bias"][before])
            score += sum(weight[f + v] for f, v in zip(first, block, strict=True))
            p = 1 / (1 + math.exp(-score))
            assert np.exp(steps[before, :, place]).tolist() == pytest.approx([1 - p, p])


# --- by hand -------------------------------------------------------------------------------------

THREE_TO_ONE = math.log(3)  # log-odds of 3/4


def test_a_page_by_hand(tmp_path):
    # One word: 1/4 after other text, 3/4 after content. Three words: 3/4 after either.
    model = by_words(
        tmp_path / "m.npz",
        [0, -THREE_TO_ONE, 0, THREE_TO_ONE],
        [0, THREE_TO_ONE, 0, THREE_TO_ONE],
        [0, 0],
    )
    page = thresher.parse("<p>a</p><p>one two three</p><p>b</p>")
    steps = np.exp(MarkovWeights.of(load("memm", model)).steps(features(page)))
    assert steps[0, 1].tolist() == pytest.approx([0.25, 0.75, 0.25])  # content after other text
    assert steps[1, 1].tolist() == pytest.approx([0.75, 0.75, 0.75])  # content after content
    # 0 1 1 has 3/4 * 3/4 * 3/4 = 27/64. Next are 0 0 0, 0 1 0 and 1 1 1 with 9/64 each.
    assert MEMM(model=model)(page).text() == "one two three\n\nb"
    # Each block: 1/4; 3/4; 3/4 * 3/4 + 1/4 * 1/4 = 5/8.
    each = {"model": model, "labels": "each"}
    assert MEMM(**each)(page).text() == "one two three\n\nb"
    assert MEMM(**each, threshold=0.63)(page).text() == "one two three"
    assert MEMM(**each, threshold=0.62)(page).text() == "one two three\n\nb"
    assert MEMM(**each, threshold=0.24)(page).text() == "a\n\none two three\n\nb"


def test_the_label_before_the_first_block_is_other(tmp_path):
    page = thresher.parse("<p>a</p><p>one two three</p>")
    rarely, often = [0, -5, 0, 5], [0, 5, 0, 5]
    for rows, text in (((rarely, often), "one two three"), ((often, rarely), "a\n\none two three")):
        model = by_words(tmp_path / f"{len(text)}.npz", *rows, [0, 0])
        assert MEMM(model=model)(page).text() == text


def test_only_the_block_before_counts(tmp_path):
    # A MEMM looks back: the block after the content follows it, the one before does not.
    model = by_words(tmp_path / "m.npz", [0, -1, 0, 3], [0, 1, 0, 3], [0, 0])
    page = thresher.parse("<p>a</p><p>one two three</p><p>b</p><p>c</p>")
    assert MEMM(model=model)(page).text() == "one two three\n\nb\n\nc"


def test_when_the_best_labels_are_empty_each_block_decides(tmp_path):
    # One word: .4 after other text, .6 after content. 0 0 has .6 * .6 = .36, which is the most.
    # Each block: .4, and .6 * .4 + .4 * .6 = .48.
    model = by_words(tmp_path / "m.npz", [0, math.log(0.4 / 0.6)], [0, math.log(0.6 / 0.4)], [0, 0])
    page = thresher.parse("<p>a</p><p>b</p>")
    for labels in ("sequence", "each"):
        assert MEMM(model=model, labels=labels, threshold=0.45)(page).text() == "b"
        # None has more than .5, both have more than .24.
        assert MEMM(model=model, labels=labels, threshold=0.5)(page).text() == "a\n\nb"
    assert MEMM(model=model)(thresher.parse("<hr>")).text() == ""


def test_blocks_that_are_much_less_probable_than_the_best_are_dropped(tmp_path):
    # One word: .1 after either. Three words: .4. Half of .4 is .2.
    odds = [0, math.log(0.1 / 0.9), 0, math.log(0.4 / 0.6)]
    model = by_words(tmp_path / "m.npz", odds, odds, [0, 0])
    page = thresher.parse("<p>a</p><p>one two three</p><p>b</p>")
    assert MEMM(model=model)(page).text() == "one two three"


# --- files and options ---------------------------------------------------------------------------


def test_a_model_of_other_features_is_refused(tmp_path):
    path = tmp_path / "m.npz"
    path.write_bytes(to_bytes("memm", {}, features={"words": 3}))
    with pytest.raises(InputError, match=r"it was trained on other features\. Train it again\."):
        MEMM(model=str(path))(thresher.parse("<p>one"))


def test_a_model_with_weights_for_one_label_is_refused(tmp_path):
    path = write(tmp_path / "m.npz", np.zeros(sum(FEATURES.values())), [0, 0])
    with pytest.raises(InputError, match=r"its array 'weight' has the shape \(854,\)"):
        MEMM(model=path)(thresher.parse("<p>one"))


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("labels", "some", "labels of memm is 'some': give 'sequence' or 'each'."),
        ("threshold", 1.0, "threshold of memm is 1.0: give a number above 0 and below 1."),
    ],
)
def test_bad_options_are_refused(option, value, message):
    with pytest.raises(UsageError) as error:
        MEMM(**{option: value})
    assert str(error.value) == message


def test_the_paragraph_of_an_article_is_likely():
    page = thresher.parse(
        "<nav><a href=/>Home</a> <a href=/tea>Tea</a></nav><article><h1>Tea</h1><p>Warm the pot. "
        + "Put in a spoon of leaves for each cup, pour on the water, and wait three minutes. " * 3
        + "</article>"
    )
    assert "spoon of leaves" in MEMM()(page).text()
    assert "Home" not in MEMM()(page).text()
