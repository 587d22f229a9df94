"""Similarity against cosines of all pairs, from the HTML with `html.parser`, and by hand."""

import math
import re
from collections import Counter
from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher
from tests.growth import assert_linear
from thresher import UsageError
from thresher.methods.similarity import Similarity, Units, similarities

# --- slowly, from the HTML -----------------------------------------------------------------------

STOPS = frozenset({"the", "a", "of"})


class Reader(HTMLParser):
    """Lists the texts of paragraphs; a paragraph has no tags inside on these pages."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def handle_data(self, data: str) -> None:
        self.texts += [data] if data.strip() else []


def slow_units(html: str, unit: str, stops: frozenset[str], stem: int) -> list[Counter[str]]:
    reader = Reader()
    reader.feed(html)
    found = reader.texts
    if unit == "sentences":
        found = [part for text in found for part in re.split(r"(?<=[.!?])\s+", text)]
    split = [re.findall(r"\w+", text.lower()) for text in found]
    return [Counter(word[:stem] for word in words if word not in stops) for words in split]


def slow_similarities(bags: list[Counter[str]], metric: str, weights: str) -> list[float]:
    number = len(bags)
    frequency = Counter(word for bag in bags for word in bag)
    vectors = [
        {
            word: count * (1.0 if weights == "tf" else math.log(number / frequency[word]))
            for word, count in bag.items()
        }
        for bag in bags
    ]

    def norm(vector: dict[str, float]) -> float:
        return math.sqrt(sum(value * value for value in vector.values()))

    def likeness(one: dict[str, float], other: dict[str, float]) -> float:
        dot = sum(value * other.get(word, 0.0) for word, value in one.items())
        size = norm(other) * (norm(one) if metric == "cosine" else 1.0)
        return dot / size if size else 0.0

    return [
        sum(likeness(one, other) for j, other in enumerate(vectors) if j != i) / max(number - 1, 1)
        for i, one in enumerate(vectors)
    ]


WORDS = st.sampled_from("tea teas pot water waters the a of leaf boil".split())
SENTENCE = st.lists(WORDS, min_size=1, max_size=6).map(" ".join)
PARAGRAPH = st.lists(SENTENCE, min_size=1, max_size=3).map(". ".join)
PAGES = st.lists(PARAGRAPH, max_size=6).map(lambda ps: "".join(f"<p>{p}</p>" for p in ps))
METRICS = st.sampled_from(["cosine", "overlap"])
WEIGHTS = st.sampled_from(["tf", "tf-idf"])
UNITS = st.sampled_from(["sentences", "paragraphs"])


@given(html=PAGES, unit=UNITS, metric=METRICS, weights=WEIGHTS, stops=st.booleans())
def test_the_sum_of_all_gives_the_mean_of_all_pairs(html, unit, metric, weights, stops):
    left_out = STOPS if stops else frozenset()
    found = Units.of(thresher.parse(html), unit, left_out, 4)
    wanted = slow_similarities(slow_units(html, unit, left_out, 4), metric, weights)
    assert similarities(found, metric, weights).tolist() == pytest.approx(wanted, abs=1e-9)


@given(html=PAGES, metric=METRICS, weights=WEIGHTS, share=st.sampled_from([0.35, 0.7, 1.1]))
def test_paragraphs_above_the_share_of_the_mean_are_kept(html, metric, weights, share):
    english = f"<html lang=en><body>{html}"
    method = Similarity(metric=metric, weights=weights, stem=4, share=share)
    found = method(thresher.parse(english))
    wanted = slow_similarities(slow_units(html, "paragraphs", STOPS, 4), metric, weights)
    limit = share * sum(wanted) / max(len(wanted), 1)
    for kept, likeness in zip(found.keep.tolist(), wanted, strict=True):
        assert kept == (likeness > limit) or likeness == pytest.approx(limit, abs=1e-9)


# --- by hand -------------------------------------------------------------------------------------


def test_three_sentences_by_hand():
    # Unit vectors of "tea pot", "tea" and "milk": (1, 1, 0) / sqrt 2, (1, 0, 0), (0, 0, 1).
    page = thresher.parse("<p>Tea pot. Tea!</p><p>Milk</p>")
    found = Units.of(page, "sentences", frozenset(), 9)
    likeness = similarities(found, "cosine", "tf").tolist()
    assert likeness == pytest.approx([0.7071 / 2, 0.7071 / 2, 0.0], abs=1e-4)
    # The overlap score does not divide by the length of the sentence that asks.
    likeness = similarities(found, "overlap", "tf").tolist()
    assert likeness == pytest.approx([1 / 2, 0.7071 / 2, 0.0], abs=1e-4)
    # ln(3 / 2) = 0.405 for tea, ln 3 = 1.099 for pot and milk: |tea pot| = 1.171.
    likeness = similarities(found, "cosine", "tf-idf").tolist()
    assert likeness == pytest.approx([0.405 / 1.171 / 2] * 2 + [0.0], abs=1e-3)
    # As paragraphs there are two, with nothing in common.
    found = Units.of(page, "paragraphs", frozenset(), 9)
    assert similarities(found, "cosine", "tf").tolist() == [0.0, 0.0]


def test_stop_words_are_left_out_and_stems_are_cut():
    html = "<p>The teapot, the lid</p><p>the teapots</p><p>le lait</p>"
    found = Units.of(thresher.parse(html), "paragraphs", frozenset({"the"}), 6)
    # "teapot" and "teapots" are one term; lid, le, lait are the others.
    assert (found.unit.tolist(), found.count.tolist()) == ([0, 0, 1, 2, 2], [1] * 5)
    assert found.stem[0] == found.stem[2]
    assert found.piece_words.tolist() == [4, 2, 2]  # with stop words


def test_a_sentence_runs_through_links_and_ends_with_its_block():
    html = "<p>Warm <a href=/>the pot</a> first. Then wait</p><p>Pour。飲む。終</p>"
    found = Units.of(thresher.parse(html), "sentences", frozenset(), 9)
    assert found.of_piece.tolist() == [0, 0, 0, 1, 2, 3, 4]
    assert found.text_of_piece.tolist() == [0, 1, 2, 2, 3, 3, 3]
    assert found.piece_words.tolist() == [1, 2, 1, 2, 1, 2, 1]
    found = Units.of(thresher.parse(html), "paragraphs", frozenset(), 9)
    assert found.of_piece.tolist() == [0, 0, 0, 1]


TEA = (
    "<html lang={}><ul><li>Home</li><li>Imprint</li><li>Sports</li></ul>"
    "<p>Green tea needs cooler water than black tea.</p>"
    "<p>Black tea needs boiling water, and <b>green tea</b> spoils in boiling water.</p>"
    "<p hidden>Tea water tea water tea water.</p><p>Than and in than and in the.</p>"
)


@pytest.mark.parametrize("unit", ["paragraphs", "sentences"])
def test_paragraphs_about_one_thing_are_kept(unit):
    kept = (
        "Green tea needs cooler water than black tea.\n\n"
        "Black tea needs boiling water, and green tea spoils in boiling water."
    )
    english, unknown = thresher.parse(TEA.format("en")), thresher.parse(TEA.format("xx"))
    assert Similarity(unit=unit, share=0.5)(english).text() == kept
    # Without a list of stop words, the last paragraph is similar to the others.
    also = f"{kept}\n\nThan and in than and in the."
    assert Similarity(unit=unit, share=0.5)(unknown).text() == also
    assert Similarity(unit=unit, share=0.5, stop_words=False)(english).text() == also


def test_a_text_of_several_sentences_is_kept_by_the_majority_of_its_words():
    html = "<html lang=en><p>Tea pot tea pot. {}</p><p>Tea pot</p><p>Milk</p><p>Sugar</p>"
    method = Similarity(unit="sentences")
    some, many = (html.format(text) for text in ("Zebra yak", "Zebra yak zebra yak zebra"))
    assert "Zebra" in method(thresher.parse(some)).text()
    assert "Zebra" not in method(thresher.parse(many)).text()


@pytest.mark.parametrize("html", ["", "<p> </p>", "word", "<p>one</p><p>two</p>", "<p>... !"])
@pytest.mark.parametrize("unit", ["paragraphs", "sentences"])
def test_small_pages(html, unit):
    assert Similarity(unit=unit)(thresher.parse(html)).text() == ""


@pytest.mark.parametrize(
    "options", [{"unit": "words"}, {"metric": "dot"}, {"stem": 0}, {"share": -1.0}]
)
def test_bad_options(options):
    with pytest.raises(UsageError):
        Similarity(**options)


@pytest.mark.slow
def test_the_time_does_not_grow_with_the_number_of_pairs():
    rng = np.random.default_rng(7)

    def make(size):
        words = rng.integers(0, 2_000, (size, 8))
        return thresher.parse("".join(f"<p>{' '.join(map('w{}'.format, row))}" for row in words))

    assert_linear(Similarity(), make, 2_000)
