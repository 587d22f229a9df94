"""Stop words by language."""

import pytest

from thresher import parse
from thresher.metadata.stop_words import page_stop_words, stop_words


@pytest.mark.parametrize(
    ("language", "word"),
    [
        ("en", "the"), ("en-GB", "The".lower()), ("EN_us", "of"), ("de-AT", "und"), ("fa", "که"),
        ("ar", "من"), ("ja", "の"), ("nb", "og"), ("fr", "les"), ("ru", "и"), ("zh-Hant", "的"),
    ],
)  # fmt: skip
def test_stop_words_of_a_language(language, word):
    assert word in stop_words(language)


@pytest.mark.parametrize("word", ["samsung", "patent", "tea", "lte"])
def test_words_of_a_topic_are_none(word):
    assert word not in stop_words("en")
    assert word not in stop_words("de")


@pytest.mark.parametrize("language", ["", "xx", "tlh", "-", "english"])
def test_a_language_without_a_list(language):
    assert stop_words(language) == frozenset()


def test_words_are_as_texts_are_split():
    assert {"don", "t"} <= stop_words("en")  # from "don't"
    assert all(word == word.casefold() and not word.isspace() for word in stop_words("de"))
    assert "bao giờ" not in stop_words("vi")  # a phrase


def test_stop_words_of_a_page():
    assert "und" in page_stop_words(parse("<html lang=de><p>Tee"))
    english = "The rain fell on the roof of the house and nobody in it slept for a long time. " * 8
    assert "the" in page_stop_words(parse(f"<p>{english}"))
    assert page_stop_words(parse("<p>Tee")) == frozenset()
    assert page_stop_words(parse("")) == frozenset()
