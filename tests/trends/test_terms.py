"""Words, stems and phrases against a plain definition, and by hand."""

import re
import unicodedata

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher.trends.terms as terms_module
from thresher.errors import UsageError
from thresher.metadata.stop_words import stop_words
from thresher.page.words import words
from thresher.trends.terms import Analyzer, has_stemmer, language_code


def count(text, *keywords, **options):
    """How often each keyword occurs in a text."""
    analyzer = Analyzer(**options)
    terms = [analyzer.term(keyword) for keyword in keywords]
    text_number, term_number = analyzer.find([text], terms)
    assert set(text_number.tolist()) <= {0}
    return np.bincount(term_number, minlength=len(terms)).tolist()


def slow_count(text, keyword, stop, stem):
    """The definition, word by word."""
    found = [word.casefold() for word in re.findall(r"\w+", text)]
    wanted = [word.casefold() for word in re.findall(r"\w+", keyword)]
    wanted = [w for n, w in enumerate(wanted) if n in (0, len(wanted) - 1) or w not in stop]
    occurrences = 0
    for place in range(len(found)):
        if stem(found[place]) != stem(wanted[0]):
            continue
        for word in wanted[1:]:
            if place + 1 < len(found) and stem(found[place + 1]) == stem(word):
                place += 1
                continue
            place += 1
            while place < len(found) and found[place] in stop:
                place += 1
            if place == len(found) or stem(found[place]) != stem(word):
                break
        else:
            occurrences += 1
    return occurrences


WORDS = ["land", "Use", "uses", "of", "the", "river", "rivers", "é", "system", "x"]
TEXTS = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)
KEYWORDS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map("-".join)


@given(st.lists(TEXTS, max_size=5), st.lists(KEYWORDS, min_size=1, max_size=4), st.booleans())
def test_the_definition(texts, keywords, drop):
    analyzer = Analyzer(stop_words=drop)
    stop = stop_words("en") if drop else frozenset()
    text, term = analyzer.find(texts, [analyzer.term(keyword) for keyword in keywords])
    found = np.zeros((len(texts), len(keywords)), int)
    np.add.at(found, (text, term), 1)

    def stem(word):
        return Analyzer().term(word)[0]

    assert found.tolist() == [
        [slow_count(text, keyword, stop, stem) for keyword in keywords] for text in texts
    ]


@pytest.mark.parametrize(
    ("text", "keyword", "times"),
    [
        ("Land-use, land use; LAND\nUSE and landuse", "land-use", 3),
        ("Land-use, land use", "land use", 2),
        ("climate changes, climatic change", "climate change", 2),
        ("change of climate", "climate change", 0),
        ("quality of the life, quality life, quality: of life", "quality of life", 3),
        ("quality not life", "quality of life", 1),  # "not" is a stop word
        ("quality good food life", "quality of life", 0),
        ("system, systems", "system", 2),  # though it is a stop word
        ("out-of-vocabulary words, vocabulary", "out of vocabulary", 1),
        ("GPT-4, GPT 4, GPT-4o", "gpt-4", 2),
        ("to be or not to be", "to be", 2),
        ("a a a", "a a", 2),
        ("The species' richness", "species", 1),
        ("co\u00adoperation", "cooperation", 1),  # a soft hyphen
        ("ﬁnal ﬁgures", "figure", 1),  # ligatures
        ("Cafe\u0301 or café", "CAFÉ", 2),
        ("“climate change”—climate…change", "climate change", 2),
        ("", "climate", 0),
    ],
)
def test_by_hand(text, keyword, times):
    assert count(text, keyword) == [times]


def test_keywords_are_counted_independently():
    assert count("climate change, change", "climate", "change", "climate change") == [1, 2, 1]


def test_without_stop_words_words_are_direct_neighbours():
    text = "quality of life, quality of the life, quality life"
    assert count(text, "quality of life", stop_words=False) == [1]
    assert count(text, "quality life", stop_words=False) == [1]
    assert count(text, "quality life") == [3]


def test_without_stemming_words_are_as_written():
    assert count("Flood floods flooded", "flood", stem=False) == [1]
    assert count("Flood floods flooded", "flood") == [3]


def test_stems_are_those_of_the_language():
    assert count("Häuser, Haus, Hauses", "Haus", language="de-AT") == [3]
    assert count("les maisons, la maison", "maison", language="fr") == [2]
    assert count("maisons maison", "maison", language="") == [1]
    assert count("LLM LLMs", "llm") == [1]  # no vowel: the stemmer keeps the "s"


@pytest.mark.parametrize(
    ("text", "keyword", "language", "times"),
    [
        ("机器翻译模型和统计机器翻译", "机器翻译", "zh", 2),
        ("机的器", "机器", "zh", 0),  # 的 is a stop word, but not dropped in these scripts
        ("大規模言語モデルのモデル", "モデル", "ja", 2),
        ("ｶﾀｶﾅ カタカナ", "カタカナ", "ja", 2),  # half width
        ("การเปลี่ยนแปลงสภาพภูมิอากาศ", "ภูมิอากาศ", "th", 1),
        ("기후 변화", "기후 변화", "ko", 1),
        ("जलवायु परिवर्तन", "जलवायु परिवर्तन", "hi", 1),
    ],
)
def test_scripts_without_spaces_and_others(text, keyword, language, times):
    assert count(text, keyword, language=language) == [times]


def test_a_keyword_does_not_go_across_texts():
    analyzer = Analyzer()
    texts = ["climate", "change", "é climate", "change é"] * 700  # several batches
    text, _ = analyzer.find(texts, [analyzer.term("climate change")])
    assert text.tolist() == []
    text, term = analyzer.find(texts, [("climat",), ("chang",)])
    assert sorted(text.tolist()) == list(range(len(texts)))
    assert term[np.argsort(text)].tolist() == [0, 1] * 1400


def test_no_texts_and_no_terms():
    assert [part.tolist() for part in Analyzer().find([], [("a",)])] == [[], []]
    assert [part.tolist() for part in Analyzer().find(["a"], [])] == [[], []]
    assert Analyzer().term("– !") == ()


def test_languages():
    assert [language_code(tag) for tag in ("en", "de-AT", "pt_BR", "und", "")] == [
        "en", "de", "pt", "", "",
    ]  # fmt: skip
    assert [has_stemmer(tag) for tag in ("en", "nb", "ja", "")] == [True, True, False, False]
    with pytest.raises(UsageError, match="give a code such as"):
        language_code("english")


def test_a_missing_library_is_named(monkeypatch):
    def fail(name):
        raise ImportError(name)

    monkeypatch.setattr(terms_module, "import_module", fail)
    with pytest.raises(UsageError, match=r"PyStemmer: pip install 'thresher\[trends\]'"):
        has_stemmer("en")


def test_punctuation_that_is_dropped_first_separates_words_anyway():
    for character in map(chr, range(0x3000)):
        if terms_module._PUNCTUATION.match(character):
            text = unicodedata.normalize("NFKC", f"x{character}y").casefold()
            assert words(text) == ["x", "y"], character


@given(st.text(alphabet="aZ0_ \0\n'’-é–世", max_size=20))
def test_ascii_and_other_texts_are_split_alike(text):
    found = terms_module._words(text)
    assert found == words(unicodedata.normalize("NFKC", text).casefold())
