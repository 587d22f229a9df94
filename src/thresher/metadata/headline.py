"""The headline of a page: `find`, the default, and TitleFinder with its baselines.

`find` returns the heading or declared title with the most votes (`headline_vote`); it is not part
of the thesis.

TitleFinder (Mohammadzadeh, Gottron, Schweiggert, Heyer 2012; thesis 5) compares the `<title>` as a
query q with every text s of the page, N in all. With tf the count of a word and idf = ln(N / df),
where df is the number of texts with the word:

    tf       cos(q, s) over tf
    tf-idf   cos(q, s) over tf * idf
    overlap  sum over words of q of tf(q) idf * tf(s) / |tf(s)|
    sum      the sum of the three

The text with the greatest similarity is the headline, the first of equals. Title words that are in
no text are left out, and a vector of length 0 has similarity 0. With `stop_words` the stop words of
the page's language are removed from the title and from the texts (thesis 2.1.4.4); a title of stop
words only is compared with all words. The improvement of 5.5 leaves out title words that are not in
the main content. The baselines are the title itself and the first heading of the highest level.

Departures: the thesis says both that text nodes are broken into sentences (5.3) and that a text
node is a sentence (5.3.2); `candidates` has both readings, and the default is the second. Sentences
end at `.`, `!`, `?` or similar marks of other scripts, before white space or at the end of a text
node (the thesis does not say how it splits). Stop words are not removed by default, because more
headlines are found with them (docs/headline.md). Hidden text and texts without words are not used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from thresher.errors import UsageError
from thresher.metadata.declared import declarations
from thresher.metadata.headline_vote import best_candidate, shown_title, without_site
from thresher.metadata.stop_words import page_stop_words
from thresher.page import Page, Selection
from thresher.page.array_types import Bools, Floats, Rows
from thresher.page.sentences import split_at_stops
from thresher.page.tags import NUMBER
from thresher.page.words import collapsed, words

Measure: TypeAlias = Literal["tf", "tf-idf", "overlap", "sum"]
Candidates: TypeAlias = Literal["texts", "sentences", "both"]


@dataclass(frozen=True, slots=True)
class Headline:
    """A headline and its source."""

    text: str = ""
    row: int = -1  # of the page; -1 if it is declared only
    source: str = ""  # h1, og:title, titlefinder, ...; "" if there is no headline


@dataclass(frozen=True, slots=True)
class TitleFinder:
    """Find the text that is most similar to the `<title>`.

    The defaults are the best of 24 settings on one half of the sites of fundus and wcxb-dev, see
    docs/headline.md. The thesis has `TitleFinder(measure, "sentences", stop_words=True)`.
    """

    measure: Measure = "tf"  # also the best of the thesis (table 5.4)
    candidates: Candidates = "texts"  # text nodes, the sentences in them, or both
    stop_words: bool = False  # remove them from the title and the texts
    improved: bool = False  # thesis 5.5: leave out title words that are not in the content

    def __post_init__(self) -> None:
        """Raise UsageError for an unknown measure or kind of candidates."""
        for name, kinds in (("measure", Measure), ("candidates", Candidates)):
            value = getattr(self, name)
            if value not in get_args(kinds):
                several = ", ".join(get_args(kinds))
                raise UsageError(f"{name} is {value!r}: give one of {several}.")

    def __call__(self, page: Page, content: Selection | None = None) -> Headline:
        """Return the headline; `content` is the main content, used if `improved`."""
        title_words = self._title_words(page, content)
        if not title_words:
            return Headline()
        stops = page_stop_words(page) if self.stop_words else frozenset[str]()
        if stops.issuperset(title_words):
            stops = frozenset()
        candidates = _candidates(page, self.candidates, stops)
        vectors = _Vectors.of([candidate.words for candidate in candidates])
        similarity = self.similarity(vectors, vectors.query(_without(title_words, stops)))
        if not similarity.any():
            return Headline()
        best = candidates[int(similarity.argmax())]
        return Headline(best.text, best.row, "titlefinder")

    def similarity(self, vectors: _Vectors, query: Floats) -> Floats:
        """Return the similarity of every text to the query, which has one count per word."""
        tf = vectors.cosine(query, np.ones(len(vectors.number)))
        if self.measure == "tf":
            return tf
        tf_idf = vectors.cosine(query, vectors.idf)
        if self.measure == "tf-idf":
            return tf_idf
        overlap = vectors.overlap(query)
        return overlap if self.measure == "overlap" else tf + tf_idf + overlap

    def _title_words(self, page: Page, content: Selection | None) -> list[str]:
        given = _tokens(declarations(page).title)
        if not self.improved or content is None:
            return given
        in_content = set(_tokens(" ".join(_texts(page, content.keep))))
        return [word for word in given if word in in_content] or given


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


def find(page: Page) -> Headline:
    """Return the headline of a page, chosen among its headings and declared titles."""
    best = best_candidate(page) if len(page) else None
    if best is None:
        return Headline()
    best = shown_title(page, best) or best
    return Headline(without_site(best.text, page), best.row, best.source)


# --- candidates of TitleFinder ---------------------------------------------------------------

_DELETED = str.maketrans(dict.fromkeys("'\"’‘‚“”„«»‹›,،、:："))


class _Candidate(NamedTuple):
    text: str  # on one line
    row: int
    words: list[str]


def _candidates(page: Page, kinds: Candidates, stops: frozenset[str]) -> list[_Candidate]:
    """Return the visible texts, sentences or both that have words other than stop words.

    With both, a text is followed by its sentences, if it has more than one.
    """
    rows = page.text_rows
    shown = (page.words.take(rows) > 0) & ~page.hidden.take(rows)
    found: list[_Candidate] = []
    for text, row in zip(_texts(page, shown), rows[shown].tolist(), strict=True):
        line = collapsed(text)
        parts = [] if kinds == "texts" else split_at_stops(line)
        if kinds != "sentences":
            parts = [line, *parts] if len(parts) > 1 else [line]
        found += [_Candidate(part, row, _without(_tokens(part), stops)) for part in parts]
    return [candidate for candidate in found if candidate.words]


def _texts(page: Page, keep: Bools) -> list[str]:
    return [page.texts[at] for at in keep.nonzero()[0].tolist()]


def _tokens(text: str) -> list[str]:
    return words(text.casefold().translate(_DELETED))


def _without(text_words: list[str], stops: frozenset[str]) -> list[str]:
    return [word for word in text_words if word not in stops] if stops else text_words


@dataclass(frozen=True, slots=True, eq=False)
class _Vectors:
    """Word counts of texts as a sparse matrix: one entry per text and distinct word."""

    number: dict[str, int]  # number of each word
    text: Rows  # text of each entry
    word: Rows  # word number of each entry
    count: Floats  # count of each entry
    idf: Floats  # of each word
    texts: int  # how many there are

    @classmethod
    def of(cls, texts: Sequence[list[str]]) -> _Vectors:
        """Return the vectors of texts, given as lists of words."""
        number: dict[str, int] = {}
        for word in chain.from_iterable(texts):
            number.setdefault(word, len(number))
        length = np.fromiter(map(len, texts), np.intp, len(texts))
        flat = np.fromiter(map(number.__getitem__, chain.from_iterable(texts)), np.intp)
        key = np.arange(len(texts)).repeat(length) * max(len(number), 1) + flat
        pairs, count = np.unique(key, return_counts=True)
        text, word_at = np.divmod(pairs, max(len(number), 1))
        holding = np.bincount(word_at, minlength=len(number))
        idf = np.log(len(texts) / np.maximum(holding, 1)) if len(number) else np.zeros(0)
        return cls(number, text, word_at, count.astype(np.float64), idf, len(texts))

    def query(self, title_words: Sequence[str]) -> Floats:
        """Return the count of each word in the title, without words that are in no text."""
        known = [self.number[word] for word in title_words if word in self.number]
        return np.bincount(np.asarray(known, np.intp), minlength=len(self.number)).astype(
            np.float64
        )

    def cosine(self, query: Floats, weight: Floats) -> Floats:
        """Return the cosine of the query with every text; counts are multiplied by `weight`."""
        entry = self.count * weight.take(self.word)
        norm = np.sqrt(self._sums(entry * entry)) * np.sqrt(np.square(query * weight).sum())
        return _divided(self._sums(entry * (query * weight).take(self.word)), norm)

    def overlap(self, query: Floats) -> Floats:
        """Return the overlap score of the query with every text."""
        shared = self._sums(self.count * (query * self.idf).take(self.word))
        return _divided(shared, np.sqrt(self._sums(np.square(self.count))))

    def _sums(self, entry: Floats) -> Floats:
        return np.bincount(self.text, entry, self.texts).astype(np.float64)


def _divided(numerator: Floats, denominator: Floats) -> Floats:
    return np.divide(numerator, denominator, out=np.zeros(len(numerator)), where=denominator > 0)
