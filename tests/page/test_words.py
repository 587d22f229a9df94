"""Counts of characters and words, stems and tallies compared with loops over characters."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.pages import collapsed, slow_words, unspaced
from thresher.page import words as page_words
from thresher.page.words import (
    Letters,
    is_white_space,
    measure,
    stems,
    tally,
    word_starts,
    words,
)

texts = st.one_of(
    st.text(),
    st.text(alphabet=st.characters(codec=None, exclude_categories=())),  # surrogates too
    st.text(alphabet="a茶ก .\u0301\u093f\u20dd\u200c\u200d\ufe0f\U000e0100"),
    st.text(alphabet="aé_9 \t\n\f\r\u00a0\u3000茶ชาかカー々〆 一\u0e33\U00020000\U0001f375.-"),
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \n\t", []),
        ("Tea, for two.", ["Tea", "for", "two"]),
        ("don't", ["don", "t"]),
        ("snake_case 3.5", ["snake_case", "3", "5"]),
        ("naïve чай τσάι شاي", ["naïve", "чай", "τσάι", "شاي"]),
        ("茶を飲む", ["茶", "を", "飲", "む"]),
        ("tea茶tea", ["tea", "茶", "tea"]),
        ("カタカナ", ["カ", "タ", "カ", "ナ"]),
        ("한국어 단어", ["한국어", "단어"]),  # Korean has spaces
        ("ชาไทย", ["ช", "า", "ไ", "ท", "ย"]),
        ("ລາວ", ["ລ", "າ", "ວ"]),
        ("ខ្មែរ", ["ខ្", "មែ", "រ"]),  # a mark belongs to its letter
        ("မြန်မာ", ["မြ", "န်", "မာ"]),
        ("น้ำชา", ["น้", "ำ", "ช", "า"]),
        ("𠀀𠀁", ["𠀀", "𠀁"]),
        ("🍵 🍵", []),
        ("e\u0301te\u0301", ["e\u0301te\u0301"]),
        ("cafe\u0301 nai\u0308ve", ["cafe\u0301", "nai\u0308ve"]),
        ("पुराना पुल मरम्मत के लिए बंद", ["पुराना", "पुल", "मरम्मत", "के", "लिए", "बंद"]),
        ("பழைய பாலம் இன்று மூடப்பட்டது", ["பழைய", "பாலம்", "இன்று", "மூடப்பட்டது"]),
        ("مُحَمَّدٌ رَسُولُ", ["مُحَمَّدٌ", "رَسُولُ"]),
        ("שָׁלוֹם עוֹלָם", ["שָׁלוֹם", "עוֹלָם"]),
        ("ශ්\u200dරී می\u200cشود", ["ශ්\u200dරී", "می", "شود"]),
        ("茶\U000e0100茶", ["茶\U000e0100", "茶"]),  # a mark that chooses the letter's shape
        ("茶\u0301tea", ["茶\u0301", "tea"]),
        ("\u0301 ❤\ufe0ftea \u0301\u0301te", ["tea", "te"]),  # these follow no letter
        ("👩\u200d🚀", []),
        ("a\u200bb", ["a", "b"]),
    ],
)
def test_words_by_hand(text, expected):
    assert words(text) == expected
    assert measure([text])[1].tolist() == [len(expected)]


@pytest.mark.parametrize(
    ("text", "chars"),
    [
        ("", 0),
        (" ", 0),
        ("tea", 3),
        ("  tea \n time ", 8),
        ("\u00a0", 1),
        ("🍵", 1),
        ("a\u3000b", 3),
        ("\x0b", 1),
    ],
)
def test_chars_by_hand(text, chars):
    assert measure([text])[0].tolist() == [chars]


@given(texts)
@settings(max_examples=200)
def test_words_equal_the_slow_definition(text):
    assert words(text) == slow_words(text)


@given(st.lists(texts, max_size=8))
@settings(max_examples=200)
def test_measure_equals_the_slow_definition(many):
    chars, counts = measure(many)
    assert chars.dtype == counts.dtype == np.int32
    assert chars.tolist() == [len(collapsed(text)) for text in many]
    assert counts.tolist() == [len(slow_words(text)) for text in many]


@pytest.mark.slow
def test_every_kind_of_character():
    # All letters but those of Han, the selectors of their shape, and some of all other characters.
    codes = {*range(0x20000), *range(0xE0000, 0xE0200), *range(0x20000, 0x110000, 97)}
    characters = list(map(chr, sorted(codes)))
    for many in (characters, [f"a{character}b" for character in characters]):
        expected = list(map(slow_words, many))
        assert list(map(words, many)) == expected
        assert measure(many)[1].tolist() == list(map(len, expected))


def test_a_huge_text():
    chars, counts = measure(["word 茶 " * 100_000, "", "x"])
    assert chars.tolist() == [7 * 100_000 - 1, 0, 1]
    assert counts.tolist() == [200_000, 0, 1]


@given(many=st.lists(texts, max_size=6))
def test_letters_are_those_of_the_texts(many):
    letters = Letters.of(many)
    spans = zip(letters.starts.tolist(), letters.ends.tolist(), strict=True)
    found = ["".join(map(chr, letters.code[start:end].tolist())) for start, end in spans]
    assert found == many


# --- stems and tallies ---------------------------------------------------------------------------


def slow_stem(word: str, length: int) -> int:
    """Return the FNV hash of the first characters in lower case; "1" for a first digit.

    The marks of a letter that is a word by itself do not count.
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
def test_stems_equal_the_slow_definition(texts, length):
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
def test_tally_counts_characters_by_class(texts):
    classes = np.zeros(0x10000, np.uint8)
    classes[ord(".")], classes[ord("茶")] = 1, 2
    expected = [[text.count(mark) for text in texts] for mark in ".茶"]
    assert tally(texts, classes, 2).tolist() == expected


@pytest.mark.parametrize("count", [1, 3])
def test_no_texts(count):
    assert tally([], np.zeros(2, np.uint8), count).shape == (count, 0)
    assert stems([], 5).tolist() == []


@given(st.text("aB1_ \n.,中が́ก\u200d\x1f\u3000\xa0é🍵", max_size=40))
def test_where_words_begin_and_white_space_is(text):
    starts = word_starts(text).tolist()
    assert len(starts) == len(words(text))
    assert all(text.startswith(word, at) for at, word in zip(starts, words(text), strict=True))
    assert is_white_space(text).tolist() == [character.isspace() for character in text]


def test_white_space_of_all_code_points():
    text = "".join(map(chr, range(0x110000)))
    assert is_white_space(text).tolist() == [character.isspace() for character in text]


@pytest.mark.parametrize("size", [1, 2, 3, 7])
@given(text=st.text(alphabet="ab \n\t\u00a0\u2003", max_size=30))
def test_a_long_text_is_collapsed_in_parts(text, size):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("thresher.page.words._AT_ONCE", size)
        assert page_words.collapsed(text) == " ".join(text.split())
