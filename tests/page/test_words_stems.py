"""Stems of words and marks of texts, against loops over characters."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.pages import slow_words, unspaced
from thresher.page.words import measure, stems, tally


def slow_stem(word: str, length: int) -> int:
    """FNV over the first characters in lower case; a word that begins with a digit is "1".

    Of a letter that is a word by itself, its marks do not count.
    """
    number, begun = 0, []
    for character in word[: 1 if unspaced(word[0]) else length]:
        lower = character.lower()
        begun.append("1" if character.isdecimal() else lower if len(lower) == 1 else character)
    for character in ["1"] if begun[0] == "1" else begun:
        number = (number * 0x01000193 & 0xFFFFFFFF) ^ ord(character)
    return number


TEXTS = st.lists(st.text(alphabet="aZé İß12_٣ .\n茶กЖ𝕏-\u0301\u093f", max_size=20), max_size=6)


@given(TEXTS, st.integers(1, 7))
def test_every_word_has_its_stem(texts, length):
    expected = [slow_stem(word, length) for text in texts for word in slow_words(text)]
    found = stems(texts, length)
    assert found.dtype == np.uint32
    assert found.tolist() == expected
    assert len(found) == measure(texts)[1].sum()


def test_words_that_begin_alike():
    read, reads, reading, red = stems(["Reads reads", "READING red"], 4).tolist()
    assert read == reads == reading != red
    assert len(set(stems(["7 1984 3rd ۱۹"], 5).tolist())) == 1
    assert stems(["a"], 5).tolist() == [ord("a")]
    # ab: (0x61 * 0x01000193) ^ 0x62, in 32 bits
    assert stems(["ab"], 5).tolist() == [(0x61 * 0x01000193 & 0xFFFFFFFF) ^ 0x62]


@given(TEXTS)
def test_marks_are_counted(texts):
    classes = np.zeros(0x10000, np.uint8)
    classes[ord(".")], classes[ord("茶")] = 1, 2
    expected = [[text.count(mark) for text in texts] for mark in ".茶"]
    assert tally(texts, classes, 2).tolist() == expected


@pytest.mark.parametrize("count", [1, 3])
def test_no_texts(count):
    assert tally([], np.zeros(2, np.uint8), count).shape == (count, 0)
    assert stems([], 5).tolist() == []
