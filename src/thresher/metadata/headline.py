"""The headline of a page: TitleFinder (Mohammadzadeh, Gottron, Schweiggert, Heyer 2012; thesis 5).

The `<title>` is a query q, every sentence s of the page a document of N. With tf the count of a
word and idf = ln(N / df), where df is the number of sentences that hold the word:

    tf       cos(q, s) over tf
    tf-idf   cos(q, s) over tf * idf
    overlap  sum over words of q of tf(q) idf * tf(s) / |tf(s)|
    sum      the sum of the three

The sentence with the greatest similarity is the headline; the first of equals. Title words that no
sentence holds drop out, and a vector of length 0 has similarity 0. The improvement of 5.5 drops
title words that the main content lacks. The baselines are the title itself, and the first heading
of the highest order.

Departures: sentences end at `.`, `!`, `?` or their like in other scripts, before white space or at
the end of a text node (the thesis splits, and does not say where); `whole_texts` leaves text nodes
whole. Stop words need no list: a word in more than `stop_share` of the page's longer sentences is
one, when there are enough of these to tell. Hidden text is no candidate. The default, `find`, is
not of the thesis: it weighs headings, declared titles and their parts (see `thresher.metadata.headline_vote`), and
asks TitleFinder where a page has neither.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal, TypeAlias, get_args

import numpy as np

from thresher.errors import UsageError
from thresher.metadata import headline_vote as votes
from thresher.metadata.declared import declared, one_line
from thresher.page import Page, Selection
from thresher.page.array_types import Bools, Floats, Rows
from thresher.page.tags import NUMBER
from thresher.page.words import words

Measure: TypeAlias = Literal["tf", "tf-idf", "overlap", "sum"]


@dataclass(frozen=True, slots=True)
class Headline:
    """A headline, and where it came from."""

    text: str = ""
    row: int = -1  # of the page where it stands; -1 when it is only declared
    source: str = ""  # h1, og:title, titlefinder, ...; "" when none was found


@dataclass(frozen=True, slots=True)
class TitleFinder:
    """The sentence that is most like the `<title>`."""

    measure: Measure = "tf"  # thesis, table 5.4: the best of the four
    improved: bool = False  # thesis 5.5: drop title words that the main content lacks
    whole_texts: bool = False  # text nodes stay whole
    stop_share: float = 0.1  # of the sentences of `_LONG` words; not tuned

    def __post_init__(self) -> None:
        """Refuse a measure that there is not."""
        if self.measure not in get_args(Measure):
            several = ", ".join(get_args(Measure))
            raise UsageError(f"measure is {self.measure!r}: give one of {several}.")

    def __call__(self, page: Page, content: Selection | None = None) -> Headline:
        """Find the headline; `content` is the main content, for the improvement."""
        sentences, rows = _sentences(page, self.whole_texts)
        vectors = _Vectors.of([_tokens(sentence) for sentence in sentences])
        query = vectors.query(self._title_words(page, content, vectors))
        likeness = self.likeness(vectors, query)
        if not likeness.any():
            return Headline()
        best = int(likeness.argmax())
        return Headline(sentences[best], rows[best], "titlefinder")

    def likeness(self, vectors: _Vectors, query: Floats) -> Floats:
        """Return the similarity of the query, a count per word, to every sentence."""
        tf = vectors.cosine(query, np.ones(vectors.size))
        if self.measure == "tf":
            return tf
        tf_idf = vectors.cosine(query, vectors.idf)
        if self.measure == "tf-idf":
            return tf_idf
        overlap = vectors.overlap(query)
        return overlap if self.measure == "overlap" else tf + tf_idf + overlap

    def _title_words(self, page: Page, content: Selection | None, vectors: _Vectors) -> list[str]:
        given = _tokens(declared(page).title)
        wanted = given
        if self.improved and content is not None:
            held = set(_tokens(" ".join(_texts(page, content.keep))))
            wanted = [word for word in wanted if word in held]
        stops = vectors.stop_words(self.stop_share)
        return [word for word in wanted if word not in stops] or wanted or given


def title(page: Page) -> Headline:
    """Return the baseline of the thesis: the whole `<title>`."""
    text = declared(page).title
    return Headline(text, -1, "title") if text else Headline()


def largest_heading(page: Page) -> Headline:
    """Return the other baseline: the first visible `h1` with text, else `h2`, and so on."""
    for name in ("h1", "h2", "h3", "h4", "h5", "h6"):
        rows = ((page.tag == NUMBER[name]) & ~page.hidden).nonzero()[0]
        for row in rows[:_MOST_HEADINGS].tolist():
            text = one_line(page, row)
            if text:
                return Headline(text, row, name)
    return Headline()


_MOST_HEADINGS = 50  # empty ones that are passed over


def find(page: Page, content: Selection | None = None) -> Headline:
    """Find the headline by all that a page shows and declares.

    `content` is the main content, if it is known: it is used where nothing but the text is left.
    """
    if not len(page):
        return Headline()
    chosen = votes.elect(page)
    if chosen is None:
        return TitleFinder(whole_texts=True, improved=True)(page, content)
    return Headline(chosen.text, chosen.row, chosen.source)


# --- sentences -----------------------------------------------------------------------------------

# Where sentences end: Latin, Greek and Arabic signs before white space, those of CJK anywhere.
_SENTENCE_END = re.compile(r"(?<=[.!?؟۔…।])\s+|(?<=[。！？])(?=.)", re.S)
_DELETED = str.maketrans(dict.fromkeys("'\"’‘‚“”„«»‹›,،、:："))
_LONG = 8  # words of a sentence that has function words
_ENOUGH = 10  # such sentences, before any word is called a stop word


def _texts(page: Page, keep: Bools) -> list[str]:
    return [page.texts[at] or "" for at in keep.nonzero()[0].tolist()]


def _sentences(page: Page, whole: bool) -> tuple[list[str], list[int]]:
    """List the visible sentences of a page on one line each, with the rows they stand in."""
    rows = page.text_rows
    shown = (page.words.take(rows) > 0) & ~page.hidden.take(rows)
    sentences: list[str] = []
    found: list[int] = []
    texts = _texts(page, shown)
    for text, row in zip(texts, rows[shown].tolist(), strict=True):  # strings are no arrays
        line = " ".join(text.split())
        parts = [line] if whole else _SENTENCE_END.split(line)
        sentences += parts
        found += [row] * len(parts)
    return sentences, found


def _tokens(text: str) -> list[str]:
    return words(text.casefold().translate(_DELETED))


@dataclass(frozen=True, slots=True, eq=False)
class _Vectors:
    """The counts of words in sentences, as a sparse matrix: one entry per sentence and word."""

    number: dict[str, int]  # of each word
    sentence: Rows  # of each entry
    word: Rows
    count: Floats
    idf: Floats  # of each word
    length: Rows  # words of each sentence

    @classmethod
    def of(cls, sentences: Sequence[list[str]]) -> _Vectors:
        """Count the words of sentences."""
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

    @property
    def size(self) -> int:
        """How many words there are."""
        return len(self.number)

    def query(self, title_words: Sequence[str]) -> Floats:
        """Return the count of each word in the title; words of no sentence drop out."""
        known = [self.number[word] for word in title_words if word in self.number]
        return np.bincount(np.asarray(known, np.intp), minlength=self.size).astype(np.float64)

    def cosine(self, query: Floats, weight: Floats) -> Floats:
        """Return the cosine of the query with every sentence, all counts times `weight`."""
        entry = self.count * weight.take(self.word)
        norm = np.sqrt(self._summed(entry * entry)) * np.sqrt(np.square(query * weight).sum())
        return _over(self._summed(entry * (query * weight).take(self.word)), norm)

    def overlap(self, query: Floats) -> Floats:
        """Return the overlap score of the query with every sentence."""
        shared = self._summed(self.count * (query * self.idf).take(self.word))
        return _over(shared, np.sqrt(self._summed(np.square(self.count))))

    def stop_words(self, share: float) -> set[str]:
        """Return the words in more than `share` of the longer sentences."""
        is_long = self.length >= _LONG
        many = int(is_long.sum())
        if many < _ENOUGH:
            return set()
        held = np.bincount(self.word[is_long.take(self.sentence)], minlength=self.size)
        common = held > share * many
        return {word for word, at in self.number.items() if common[at]}

    def _summed(self, entry: Floats) -> Floats:
        return np.bincount(self.sentence, entry, len(self.length)).astype(np.float64)


def _over(above: Floats, below: Floats) -> Floats:
    return np.divide(above, below, out=np.zeros(len(above)), where=below > 0)
