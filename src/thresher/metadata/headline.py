"""The headline of a page: `find`, the default, and TitleFinder with its baselines.

`find` returns the heading or declared title with the most votes (`headline_vote`). If a page has
neither, TitleFinder is used (Mohammadzadeh, Gottron, Schweiggert, Heyer 2012; thesis 5).

TitleFinder compares the `<title>` as a query q with every sentence s of the page, N in all. With tf
the count of a word and idf = ln(N / df), where df is the number of sentences with the word:

    tf       cos(q, s) over tf
    tf-idf   cos(q, s) over tf * idf
    overlap  sum over words of q of tf(q) idf * tf(s) / |tf(s)|
    sum      the sum of the three

The sentence with the greatest similarity is the headline, the first of equals. Title words that are
in no sentence are left out, and a vector of length 0 has similarity 0. The improvement of 5.5
leaves out title words that are not in the main content. The baselines are the title itself and the
first heading of the highest level.

Departures: sentences end at `.`, `!`, `?` or similar marks of other scripts, before white space or
at the end of a text node (the thesis does not say how it splits); with `whole_texts`, text nodes
are not split. There is no list of stop words: a word in more than `stop_share` of the page's longer
sentences is one, if there are enough such sentences. Hidden text is not used. `find` is not part of
the thesis.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal, TypeAlias, get_args

import numpy as np

from thresher.errors import UsageError
from thresher.metadata.declared import declarations
from thresher.metadata.headline_vote import best_candidate
from thresher.page import Page, Selection
from thresher.page.array_types import Bools, Floats, Rows
from thresher.page.tags import NUMBER
from thresher.page.words import words

Measure: TypeAlias = Literal["tf", "tf-idf", "overlap", "sum"]


@dataclass(frozen=True, slots=True)
class Headline:
    """A headline and its source."""

    text: str = ""
    row: int = -1  # of the page; -1 if it is declared only
    source: str = ""  # h1, og:title, titlefinder, ...; "" if there is no headline


@dataclass(frozen=True, slots=True)
class TitleFinder:
    """Find the sentence that is most similar to the `<title>`."""

    measure: Measure = "tf"  # thesis, table 5.4: the best of the four
    improved: bool = False  # thesis 5.5: leave out title words that are not in the content
    whole_texts: bool = False  # do not split text nodes into sentences
    stop_share: float = 0.1  # of sentences with `_LONG` or more words; not tuned

    def __post_init__(self) -> None:
        """Raise UsageError for an unknown measure."""
        if self.measure not in get_args(Measure):
            several = ", ".join(get_args(Measure))
            raise UsageError(f"measure is {self.measure!r}: give one of {several}.")

    def __call__(self, page: Page, content: Selection | None = None) -> Headline:
        """Return the headline; `content` is the main content, used if `improved`."""
        sentences, rows = _sentences(page, self.whole_texts)
        vectors = _Vectors.of([_tokens(sentence) for sentence in sentences])
        query = vectors.query(self._title_words(page, content, vectors))
        similarity = self.similarity(vectors, query)
        if not similarity.any():
            return Headline()
        best = int(similarity.argmax())
        return Headline(sentences[best], rows[best], "titlefinder")

    def similarity(self, vectors: _Vectors, query: Floats) -> Floats:
        """Return the similarity of every sentence to the query, which has one count per word."""
        tf = vectors.cosine(query, np.ones(len(vectors.number)))
        if self.measure == "tf":
            return tf
        tf_idf = vectors.cosine(query, vectors.idf)
        if self.measure == "tf-idf":
            return tf_idf
        overlap = vectors.overlap(query)
        return overlap if self.measure == "overlap" else tf + tf_idf + overlap

    def _title_words(self, page: Page, content: Selection | None, vectors: _Vectors) -> list[str]:
        given = wanted = _tokens(declarations(page).title)
        if self.improved and content is not None:
            in_content = set(_tokens(" ".join(_texts(page, content.keep))))
            wanted = [word for word in given if word in in_content]
        stops = vectors.stop_words(self.stop_share)
        return [word for word in wanted if word not in stops] or wanted or given


def title(page: Page) -> Headline:
    """Return the `<title>`, a baseline of the thesis."""
    text = declarations(page).title
    return Headline(text, -1, "title") if text else Headline()


def largest_heading(page: Page) -> Headline:
    """Return the first visible `h1` with text, else `h2`, and so on: the other baseline."""
    for name in ("h1", "h2", "h3", "h4", "h5", "h6"):
        rows = ((page.tag == NUMBER[name]) & ~page.hidden).nonzero()[0]
        for row in rows[:50].tolist():  # empty ones are skipped
            text = page.line(row)
            if text:
                return Headline(text, row, name)
    return Headline()


def find(page: Page, content: Selection | None = None) -> Headline:
    """Return the headline of a page, chosen among its headings and declared titles.

    `content` is the main content, if known; it is used only on pages without headings and titles.
    """
    if not len(page):
        return Headline()
    best = best_candidate(page)
    if best is None:
        return TitleFinder(whole_texts=True, improved=True)(page, content)
    return Headline(best.text, best.row, best.source)


# --- sentences -------------------------------------------------------------------------------

# Ends of sentences: Latin, Greek and Arabic marks before white space, those of CJK anywhere.
_SENTENCE_END = re.compile(r"(?<=[.!?؟۔…।])\s+|(?<=[。！？])(?=.)", re.S)
_DELETED = str.maketrans(dict.fromkeys("'\"’‘‚“”„«»‹›,،、:："))
_LONG = 8  # words of a longer sentence, in which stop words are counted
_ENOUGH = 10  # such sentences; with fewer there are no stop words


def _texts(page: Page, keep: Bools) -> list[str]:
    return [page.texts[at] for at in keep.nonzero()[0].tolist()]


def _sentences(page: Page, whole: bool) -> tuple[list[str], list[int]]:
    """Return the visible sentences of a page, each on one line, and their rows."""
    rows = page.text_rows
    shown = (page.words.take(rows) > 0) & ~page.hidden.take(rows)
    sentences: list[str] = []
    sentence_rows: list[int] = []
    for text, row in zip(_texts(page, shown), rows[shown].tolist(), strict=True):
        line = " ".join(text.split())
        parts = [line] if whole else _SENTENCE_END.split(line)
        sentences += parts
        sentence_rows += [row] * len(parts)
    return sentences, sentence_rows


def _tokens(text: str) -> list[str]:
    return words(text.casefold().translate(_DELETED))


@dataclass(frozen=True, slots=True, eq=False)
class _Vectors:
    """Word counts of sentences as a sparse matrix: one entry per sentence and distinct word."""

    number: dict[str, int]  # number of each word
    sentence: Rows  # sentence of each entry
    word: Rows  # word number of each entry
    count: Floats  # count of each entry
    idf: Floats  # of each word
    length: Rows  # words of each sentence

    @classmethod
    def of(cls, sentences: Sequence[list[str]]) -> _Vectors:
        """Return the vectors of sentences, given as lists of words."""
        number: dict[str, int] = {}
        for word in chain.from_iterable(sentences):
            number.setdefault(word, len(number))
        length = np.fromiter(map(len, sentences), np.intp, len(sentences))
        flat = np.fromiter(map(number.__getitem__, chain.from_iterable(sentences)), np.intp)
        key = np.arange(len(sentences)).repeat(length) * max(len(number), 1) + flat
        pairs, count = np.unique(key, return_counts=True)
        sentence, word_at = np.divmod(pairs, max(len(number), 1))
        holding = np.bincount(word_at, minlength=len(number))
        idf = np.log(len(sentences) / np.maximum(holding, 1)) if len(number) else np.zeros(0)
        return cls(number, sentence, word_at, count.astype(np.float64), idf, length)

    def query(self, title_words: Sequence[str]) -> Floats:
        """Return the count of each word in the title, without words that are in no sentence."""
        known = [self.number[word] for word in title_words if word in self.number]
        return np.bincount(np.asarray(known, np.intp), minlength=len(self.number)).astype(
            np.float64
        )

    def cosine(self, query: Floats, weight: Floats) -> Floats:
        """Return the cosine of the query with every sentence; counts are multiplied by `weight`."""
        entry = self.count * weight.take(self.word)
        norm = np.sqrt(self._sums(entry * entry)) * np.sqrt(np.square(query * weight).sum())
        return _divided(self._sums(entry * (query * weight).take(self.word)), norm)

    def overlap(self, query: Floats) -> Floats:
        """Return the overlap score of the query with every sentence."""
        shared = self._sums(self.count * (query * self.idf).take(self.word))
        return _divided(shared, np.sqrt(self._sums(np.square(self.count))))

    def stop_words(self, share: float) -> set[str]:
        """Return the words that are in more than `share` of the longer sentences."""
        is_long = self.length >= _LONG
        many = int(is_long.sum())
        if many < _ENOUGH:
            return set()
        held = np.bincount(self.word[is_long.take(self.sentence)], minlength=len(self.number))
        common = held > share * many
        return {word for word, at in self.number.items() if common[at]}

    def _sums(self, entry: Floats) -> Floats:
        return np.bincount(self.sentence, entry, len(self.length)).astype(np.float64)


def _divided(numerator: Floats, denominator: Floats) -> Floats:
    return np.divide(numerator, denominator, out=np.zeros(len(numerator)), where=denominator > 0)
