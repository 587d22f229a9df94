"""Words, stems and phrases: where the keywords of queries occur in texts (thesis, 2.1.4).

    text        compatibility forms are replaced (NFKC: the ligature "ﬁ" is "fi"), case is folded
    words       runs of letters and digits; everything else separates, also a hyphen, so that
                "land-use" is two words, in a keyword as in a text
    stems       of Snowball's stemmers (PyStemmer), by language
    term        the stems of a keyword: one, or several that are neighbours in the text

The words of a keyword are neighbours in a text if each one follows the one before it directly, or
is the first word after it that is no stop word. Stop words inside a keyword, between its first and
last word, are dropped: "quality of life" is found in "quality of life", "quality of the life" and
"quality life". The first and the last word are never dropped, nor is a keyword of one word: whoever
lists "system" or "land use" means it, though lists of stop words have "system" and "use". Other
stop words of a text are in no term and count nowhere. Keywords are counted independently: the text
"climate change" has both "climate" and "climate change".

In scripts without spaces (Han, Kana, Thai, Lao, Khmer, Myanmar) each character is a word
(`thresher.page.words`) and no stop word is dropped, so a keyword is found wherever its characters
follow each other: 翻译 is found in 机器翻译模型. A longer word that contains it counts, too.

Words of a language without a stemmer are compared as they are. The English stemmer keeps the "s" of
a word without vowels: list "LLM" and "LLMs".
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from itertools import chain
from typing import Any, TypeAlias

import numpy as np

from thresher.errors import UsageError
from thresher.metadata.stop_words import stop_words
from thresher.page.array_types import Int64s, Rows
from thresher.page.words import words

Term: TypeAlias = tuple[str, ...]  # the stems of a keyword

# Snowball's name of the stemmer of each language, by ISO 639 code.
_STEMMERS = dict(
    pair.split(":")
    for pair in (
        "ar:arabic ca:catalan cs:czech da:danish de:german el:greek en:english eo:esperanto "
        "es:spanish et:estonian eu:basque fa:persian fi:finnish fr:french ga:irish hi:hindi "
        "hu:hungarian hy:armenian id:indonesian it:italian lt:lithuanian nb:norwegian ne:nepali "
        "nl:dutch nn:norwegian no:norwegian pl:polish pt:portuguese ro:romanian ru:russian "
        "sr:serbian st:sesotho sv:swedish ta:tamil tr:turkish yi:yiddish"
    ).split()
)
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[a-z0-9]+)*")


def need(module: str) -> Any:
    """Import a module of the extra `trends`; raise `UsageError` if it is not installed."""
    try:
        return import_module(module)
    except ImportError as error:
        package = {"Stemmer": "PyStemmer"}.get(module, module.partition(".")[0])
        raise UsageError(f"trends need {package}: pip install 'thresher[trends]'.") from error


def language_code(language: str) -> str:
    """Return the language of a BCP 47 tag: `de` for `de-AT`; "" for "" and `und`.

    A text that is no such tag, such as "german", raises `UsageError`.
    """
    tag = language.strip().lower().replace("_", "-")
    if tag and not _LANGUAGE.fullmatch(tag):
        raise UsageError(f'{language!r} is no language: give a code such as "en" or "de".')
    code = tag.partition("-")[0]
    return "" if code == "und" else code


def has_stemmer(language: str) -> bool:
    """Return whether the words of a language, given as a BCP 47 tag, can be stemmed."""
    return _STEMMERS.get(language_code(language)) in need("Stemmer").algorithms()


@dataclass(frozen=True)
class Analyzer:
    """Turns keywords into terms, and finds terms in texts of one language."""

    language: str = "en"  # BCP 47; "" for any, without stemming and stop words
    stem: bool = True
    stop_words: bool = True  # may be between the words of a keyword

    @cached_property
    def _stem(self) -> Callable[[str], str]:
        if not (self.stem and has_stemmer(self.language)):
            return str
        stemmer = need("Stemmer").Stemmer(_STEMMERS[language_code(self.language)])
        stem_word: Callable[[str], str] = stemmer.stemWord
        return stem_word

    @cached_property
    def _stops(self) -> frozenset[str]:
        """Stop words that have more than one character in scripts without spaces."""
        listed = stop_words(language_code(self.language)) if self.stop_words else frozenset()
        return frozenset(word for word in listed if word.isascii() or not _is_unspaced(word))

    def term(self, keyword: str) -> Term:
        """Return the stems of a keyword; () if it has no letters and digits."""
        found = _words(keyword)
        last = len(found) - 1
        return tuple(
            self._stem(word)
            for number, word in enumerate(found)
            if number in (0, last) or word not in self._stops
        )

    def find(self, texts: Sequence[str], terms: Sequence[Term]) -> tuple[Int64s, Int64s]:
        """Return the text and the term of each occurrence of a term, as numbers."""
        hits = self._hits(texts, list(dict.fromkeys(chain.from_iterable(terms))))
        found = [(hits.matches(term), number) for number, term in enumerate(terms)]
        text = [hits.text[matches] for matches, _ in found]
        term = [np.full(len(matches), number) for matches, number in found]
        return _joined(text), _joined(term)

    def _hits(self, texts: Sequence[str], stems: Sequence[str]) -> _Hits:
        """Return the words of all texts that have one of these stems."""
        number = {stem: number for number, stem in enumerate(stems)}
        codes = _WordCodes(number, self._stem, self._stops)
        texts = [text if text.isascii() else _PUNCTUATION.sub(" ", text) for text in texts]
        plain = [number for number, text in enumerate(texts) if text.isascii()]
        other = [number for number, text in enumerate(texts) if not text.isascii()]
        parts = [
            codes.hits([texts[row] for row in rows], np.array(rows, np.int64), split)
            for order, split in ((plain, _ascii_words), (other, _all_words))
            for rows in _batches(order)
        ]
        return _Hits.join(number, parts)


_BATCH = 1000  # texts
_END = "\0"  # between two texts; no word


def _batches(order: Sequence[int]) -> Iterator[Sequence[int]]:
    return (order[start : start + _BATCH] for start in range(0, len(order), _BATCH))


def _joined(parts: Sequence[Int64s]) -> Int64s:
    return np.concatenate([np.zeros(0, np.int64), *parts])


# --- words ---------------------------------------------------------------------------------------

_SOFT_HYPHEN = "\u00ad"
# Quotation marks, dashes and other frequent characters that are no part of a word: without them,
# most texts of European languages are ASCII, which is faster to split.
_PUNCTUATION = re.compile(
    "[\u00a0-\u00a7\u00a9\u00ab\u00ac\u00ae\u00b0\u00b1\u00b6\u00b7\u00bb"
    "\u00bf\u00d7\u00f7\u2010-\u2023\u2030-\u203b\u20ac]+"
)
_SPACES = {code: " " for code in range(128) if not re.match(r"\w", chr(code))}
_PLAIN = str.maketrans(_SPACES | {code: chr(code + 32) for code in range(ord("A"), ord("Z") + 1)})


def _words(text: str) -> list[str]:
    """Return the words of a text, without regard to case."""
    if text.isascii():
        return text.translate(_PLAIN).split()
    return words(unicodedata.normalize("NFKC", text.replace(_SOFT_HYPHEN, "")).casefold())


def _ascii_words(texts: Sequence[str]) -> list[str]:
    """Return the words of ASCII texts, with `_END` after each text."""
    table = _PLAIN
    return f" {_END} ".join([*(text.translate(table) for text in texts), ""]).split()


def _all_words(texts: Sequence[str]) -> list[str]:
    """Return the words of any texts, with `_END` after each text."""
    found: list[str] = []
    for text in texts:
        found += _words(text)
        found.append(_END)
    return found


def _is_unspaced(word: str) -> bool:
    """Return whether a word is one character of a script without spaces: twice, it is two words."""
    return len(words(word + word)) == 2


class _WordCodes(dict[str, int]):
    """The code of each word, computed when the word is first met.

    2 s for a word whose stem has the number s, 2 s + 1 if the word is a stop word; -1 for a stop
    word with another stem, -2 for any other word, -3 for the end of a text.
    """

    def __init__(
        self, number: dict[str, int], stem: Callable[[str], str], stops: frozenset[str]
    ) -> None:
        super().__init__({_END: -3})
        self.number, self.stem, self.stops = number, stem, stops

    def __missing__(self, word: str) -> int:
        number, is_stop = self.number.get(self.stem(word), -1), word in self.stops
        self[word] = 2 * number + is_stop
        return self[word]

    def hits(
        self, texts: Sequence[str], rows: Int64s, split: Callable[[Sequence[str]], list[str]]
    ) -> _Hits:
        """Return the words of these texts, whose numbers are `rows`, that have one of the stems."""
        found = split(texts)
        code = np.fromiter(map(self.__getitem__, found), np.int64, len(found))
        place = (code >= 0).nonzero()[0]
        at_place = code[place]
        stop = at_place & 1
        is_stop_word = code == -1
        is_stop_word[place] = stop == 1
        before = place - np.cumsum(is_stop_word)[place] + stop
        text = rows[(code == -3).nonzero()[0].searchsorted(place)]
        return _Hits(self.number, text, at_place >> 1, stop, place, before, len(found))


@dataclass(frozen=True, eq=False)
class _Hits:
    """Words of texts that have one of some stems, in order."""

    number: dict[str, int]  # of each stem
    text: Int64s  # the number of the text
    stem: Int64s  # the number of the stem
    stop: Int64s  # 1 for a stop word
    place: Int64s  # words before this one
    content: Int64s  # words before this one that are no stop words
    words: int

    @classmethod
    def join(cls, number: dict[str, int], parts: Sequence[_Hits]) -> _Hits:
        """Return the hits of several batches of texts; their words are not neighbours."""
        starts = np.cumsum([0, *(part.words + 2 for part in parts)])
        return cls(
            number,
            _joined([part.text for part in parts]),
            _joined([part.stem for part in parts]),
            _joined([part.stop for part in parts]),
            _joined([part.place + start for part, start in zip(parts, starts, strict=False)]),
            _joined([part.content + start for part, start in zip(parts, starts, strict=False)]),
            int(starts[-1]),
        )

    @cached_property
    def _of_stem(self) -> list[Rows]:
        """The hits of each stem."""
        order = self.stem.argsort(kind="stable")
        ends = np.bincount(self.stem, minlength=len(self.number)).cumsum()
        return np.split(order, ends[:-1])

    @cached_property
    def _next(self) -> Rows:
        """For each hit, the hit that is the next word, or -1."""
        follows = np.zeros(len(self.place), np.bool_)
        np.equal(np.diff(self.place), 1, out=follows[:-1])
        return np.where(follows, np.arange(1, len(follows) + 1), -1)

    @cached_property
    def _next_content(self) -> Rows:
        """For each hit, the hit that is the next word but for stop words, or -1."""
        contents = (self.stop == 0).nonzero()[0]
        wanted = self.content + 1 - self.stop
        at = contents.searchsorted(np.arange(len(self.stop)), side="right")
        following = np.append(contents, -1)[at]
        return np.where((following >= 0) & (self.content[following] == wanted), following, -1)

    def matches(self, term: Term) -> Rows:
        """Return the first word of each occurrence of a term, as hits."""
        if not len(self.place):
            return np.zeros(0, np.intp)
        first = last = self._of_stem[self.number[term[0]]]
        for stem in term[1:]:
            following = np.full(len(last), -1)
            for step in (self._next_content, self._next):
                reached = step[last]
                fits = (reached >= 0) & (self.stem[reached] == self.number[stem])
                following[fits] = reached[fits]
            first, last = first[following >= 0], following[following >= 0]
        return first
