"""CRF: blocks and features against the HTML read slowly, and the labels by hand."""

import numpy as np
import pytest
from hypothesis import given

import thresher
from tests import slow_definitions as slow
from tests.methods import slow_trained
from thresher import InputError, UsageError
from thresher.methods.common.linear_chain import best_labels, probabilities
from thresher.methods.crf import CRF, FEATURES, SequenceWeights, features
from thresher.methods.model.files import load, to_bytes

PLACE = {name: number for number, name in enumerate(FEATURES)}
FIRST = dict(zip(FEATURES, np.cumsum([0, *FEATURES.values()]).tolist(), strict=False))
WORDS = [1, 2, 3, 4, 6, 8, 11, 15, 20, 30, 45, 70, 120]
SHARES = [0.001, 0.05, 0.12, 0.25, 0.4, 0.6, 0.8, 0.95, 0.999]
KINDS = {"p": 1, "div": 2, "section": 15, "body": 16}


def value_of(number, bounds):
    """How many bounds a number reaches."""
    return sum(number >= bound for bound in bounds)


def values(page, name):
    return features(page).value[PLACE[name]].tolist()


@given(slow.pages())
def test_words_links_and_kinds_of_blocks(html):
    page, blocks = thresher.parse(html), slow_trained.blocks(html)
    words = [value_of(len(all_words), WORDS) for all_words, _, _ in blocks]
    links = [value_of(len(linked) / max(len(w), 1), SHARES) for w, linked, _ in blocks]
    kinds = [KINDS.get(name, 0) for _, _, name in blocks]
    assert values(page, "words") == words
    assert values(page, "links") == links
    assert values(page, "kind") == kinds
    assert values(page, "words before") == [value + 1 for value in [-1, *words][: len(words)]]
    assert values(page, "links after") == [v + 1 for v in [*links[1:], -1][: len(links)]]
    assert values(page, "words and links") == [
        w * (len(SHARES) + 1) + link for w, link in zip(words, links, strict=True)
    ]
    for column, count in zip(features(page).value, FEATURES.values(), strict=True):
        assert ((column >= 0) & (column < count)).all()  # every value is one of its feature


def write(path, transitions, **weights):
    """A model that weighs the given values, as `words=(value, weight)`."""
    weight = np.zeros(sum(FEATURES.values()), np.float32)
    for name, (value, number) in weights.items():
        weight[FIRST[name.replace("_", " ")] + value] = number
    arrays = {
        "weight": weight,
        "bias": np.array([-1.0], np.float32),
        "transitions": np.array(transitions, np.float32),
    }
    path.write_bytes(to_bytes("crf", arrays, features=FEATURES))
    return str(path)


HTML = "<p>one</p><p>one two three</p><p>one</p><p>one two three</p><p>four five</p>"


def test_a_page_by_hand(tmp_path):
    page = thresher.parse(HTML)
    # Three words weigh 4 - 1, all else -1: without transitions, the blocks of three words.
    alone = write(tmp_path / "a.npz", [[0, 0], [0, 0]], words=(3, 4.0))
    assert SequenceWeights.of(load("crf", alone)).scores(features(page)).tolist() == [
        -1, 3, -1, 3, -1
    ]  # fmt: skip
    for labels in ("each", "sequence"):
        found = CRF(model=alone, labels=labels)(page)
        assert found.text() == "one two three\n\none two three"
    # A change costs 1: the block between stays. 0 1 1 1 0 gives 3 - 1 + 3 - 2, 0 1 0 1 0 6 - 4.
    joined = write(tmp_path / "b.npz", [[0, -1], [-1, 0]], words=(3, 4.0))
    kept = CRF(model=joined, labels="sequence")(page)
    assert kept.text() == "one two three\n\none\n\none two three"


def test_labels_of_a_sequence_and_of_each_block(tmp_path):
    model = write(tmp_path / "m.npz", [[0.5, -0.5], [-0.5, 0.5]], words=(3, 3.0))
    page = thresher.parse(HTML)
    weights = SequenceWeights.of(load("crf", model))
    scores = weights.scores(features(page))
    for labels, content in (
        ("sequence", best_labels(scores, weights.transitions)),
        ("each", probabilities(scores, weights.transitions) > 0.5),
    ):
        texts = page.text_rows[page.blocks.of_text >= 0][content]
        assert CRF(model=model, labels=labels)(page) == page.select(texts)


def test_when_the_best_sequence_is_empty_each_block_decides(tmp_path):
    # Staying at 0 is worth 1 a pair: 0 0 0 gives 2, and 0 1 0 only the block's own 1.6.
    model = write(tmp_path / "m.npz", [[1.0, 0.0], [0.0, 1.2]], words=(3, 2.6))
    page = thresher.parse("<p>one</p><p>one two three</p><p>one</p>")
    weights = SequenceWeights.of(load("crf", model))
    scores = weights.scores(features(page))  # -1, 1.6, -1
    assert not best_labels(scores, weights.transitions).any()
    probability = probabilities(scores, weights.transitions)
    threshold = float(probability[1]) - 0.01
    assert CRF(model=model, labels="sequence", threshold=threshold)(page).text() == "one two three"


def test_marks_of_many_scripts_end_sentences():
    for text in ("One. Two! Three?", "一。二！三？", "یک۔ دو؟ سه."):
        page = thresher.parse(f"<p>{text}")
        assert values(page, "sentence ends") == [value_of(3, [1, 2, 3, 5, 8, 16])]


def test_elements_around_a_block():
    page = thresher.parse("<nav><ul><li>Home</ul></nav><article><h2>Tea</h2><p>Warm</article>")
    assert values(page, "in nav menu") == [1, 0, 0]
    assert values(page, "in article") == [0, 1, 1]
    assert values(page, "after a heading") == [0, 0, 1]
    assert values(page, "siblings")[2] == 2  # the h2 and the p have one parent


def test_hidden_text_is_not_counted():
    plain = thresher.parse("<p>one two</p><p>three</p>")
    more = thresher.parse("<p><b hidden>no</b>one two<b hidden>x y z</b></p><p>three</p>")
    for name in ("words", "links", "kind", "characters per word", "share of words before"):
        assert values(plain, name) == values(more, name)
    assert "no" not in CRF()(more).text()


def test_a_model_of_other_features_is_refused(tmp_path):
    path = tmp_path / "m.npz"
    path.write_bytes(to_bytes("crf", {}, features={"words": 3}))
    with pytest.raises(InputError, match=r"it was trained on other features\. Train it again\."):
        CRF(model=str(path))(thresher.parse("<p>one"))


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("labels", "some", "labels of crf is 'some': give 'each' or 'sequence'."),
        ("threshold", 0.0, "threshold of crf is 0.0: give a number above 0 and below 1."),
    ],
)
def test_bad_options_are_refused(option, value, message):
    with pytest.raises(UsageError) as error:
        CRF(**{option: value})
    assert str(error.value) == message


def test_the_paragraph_of_an_article_is_likely():
    page = thresher.parse(
        "<nav><a href=/>Home</a> <a href=/tea>Tea</a></nav><article><h1>Tea</h1><p>Warm the pot. "
        + "Put in a spoon of leaves for each cup, pour on the water, and wait three minutes. " * 3
        + "</article>"
    )
    assert "spoon of leaves" in CRF()(page).text()
    assert "Home" not in CRF()(page).text()
