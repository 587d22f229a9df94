"""Similarity of sentences against cosines of all pairs, from the HTML with `html.parser`."""

import math
import re
from collections import Counter
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher
from benchmarks import similarity

# --- slowly, from the HTML -----------------------------------------------------------------------


class Reader(HTMLParser):
    """Lists the texts of paragraphs; a paragraph has no tags inside on these pages."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def handle_data(self, data: str) -> None:
        self.texts += [data] if data.strip() else []


def slow_sentences(html: str, stop: int, stem: int) -> list[Counter[str]]:
    reader = Reader()
    reader.feed(html)
    found = [s for text in reader.texts for s in re.split(r"(?<=[.!?])\s+", text)]
    bags = [Counter(word[:stem] for word in re.findall(r"\w+", s.lower())) for s in found]
    frequency: dict[str, int] = {}
    for word in (word for text in reader.texts for word in re.findall(r"\w+", text.lower())):
        frequency.setdefault(word[:stem], 0)
    for bag in bags:
        for word in bag:
            frequency[word] += 1
    out = sorted(frequency, key=lambda word: -frequency[word])[:stop]  # the first on ties
    return [Counter({w: n for w, n in bag.items() if w not in out}) for bag in bags]


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


WORDS = st.sampled_from("tea teas pot water waters the the the leaf boil".split())
SENTENCE = st.lists(WORDS, min_size=1, max_size=6).map(" ".join)
PARAGRAPH = st.lists(SENTENCE, min_size=1, max_size=3).map(". ".join)
PAGES = st.lists(PARAGRAPH, max_size=6).map(lambda ps: "".join(f"<p>{p}</p>" for p in ps))
METRICS = st.sampled_from(["cosine", "overlap"])
WEIGHTS = st.sampled_from(["tf", "tf-idf"])


@given(html=PAGES, metric=METRICS, weights=WEIGHTS, stop=st.integers(0, 3))
def test_the_sum_of_all_gives_the_mean_of_all_pairs(html, metric, weights, stop):
    found = similarity.sentences(thresher.parse(html), stop, 4)
    wanted = slow_similarities(slow_sentences(html, stop, 4), metric, weights)
    assert similarity.similarities(found, metric, weights).tolist() == pytest.approx(wanted)


# --- by hand -------------------------------------------------------------------------------------


def test_three_sentences_by_hand():
    # Unit vectors of "tea pot", "tea" and "milk": (1, 1, 0) / sqrt 2, (1, 0, 0), (0, 0, 1).
    found = similarity.sentences(thresher.parse("<p>Tea pot. Tea!</p><p>Milk</p>"), 0, 9)
    likeness = similarity.similarities(found, "cosine", "tf").tolist()
    assert likeness == pytest.approx([0.7071 / 2, 0.7071 / 2, 0.0], abs=1e-4)
    # The overlap score does not divide by the length of the sentence that asks.
    likeness = similarity.similarities(found, "overlap", "tf").tolist()
    assert likeness == pytest.approx([1 / 2, 0.7071 / 2, 0.0], abs=1e-4)


def test_stop_words_are_the_page_s_own_and_stems_are_cut():
    html = "<p>the teapot the lid</p><p>the teapots</p><p>le lait</p>"
    found = similarity.sentences(thresher.parse(html), 1, 6)
    # "the" is out; "teapot" and "teapots" are one term; lid, le, lait are the others.
    assert (found.sentence.tolist(), found.count.tolist()) == ([0, 0, 1, 2, 2], [1] * 5)
    assert found.term[0] == found.term[2]


def test_a_sentence_runs_through_links_and_ends_with_its_block():
    html = "<p>Warm <a href=/>the pot</a> first. Then wait</p><p>Pour。飲む。終</p>"
    found = similarity.sentences(thresher.parse(html), 0, 9)
    assert found.size.tolist() == [4, 2, 1, 2, 1]
    assert found.piece.tolist() == [0, 0, 0, 1, 2, 3, 4]
    assert found.text.tolist() == [0, 1, 2, 2, 3, 3, 3]


def test_sentences_about_one_thing_are_kept():
    html = (
        "<ul><li>Home</li><li>Imprint</li><li>Sports</li></ul>"
        "<p>Green tea needs cooler water than black tea.</p>"
        "<p>Black tea needs boiling water, and <b>green tea</b> spoils in boiling water.</p>"
        "<p hidden>Tea water tea water tea water.</p><p>Buy our newest phone today!</p>"
    )
    assert similarity.Similarity(stop=0)(thresher.parse(html)).text() == (
        "Green tea needs cooler water than black tea.\n\n"
        "Black tea needs boiling water, and green tea spoils in boiling water."
    )


@pytest.mark.parametrize("html", ["", "<p> </p>", "word", "<p>one</p><p>two</p>"])
def test_small_pages(html):
    assert similarity.Similarity()(thresher.parse(html)).text() in ("", "word")


def test_the_table(tmp_path, monkeypatch):
    page = thresher.parse("<p>one two</p><p>three</p>")
    monkeypatch.setattr(similarity, "sample", lambda path, number: [(page, "one two")] * number)
    lines = similarity.table({"all": lambda page: page.all()}, [tmp_path / "tea.jsonl"], 2)
    assert lines[-1] == "| all | 0.800 | 0.800 |"
