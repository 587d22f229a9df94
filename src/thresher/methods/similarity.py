"""Similarity: keep the paragraphs that are similar to the others of the page (thesis 7.2.3).

The thesis gives an idea and no algorithm: without stop words, and with the rest reduced to stems,
the sentences and paragraphs of the main content are similar to each other, by cosine or by the
overlap score of its chapter 5, weighted by tf or tf-idf. With N units (paragraphs, or sentences)
on a page, tf(t, s) the count of stem t in unit s, and df(t) the number of units with it:

    w(t, s)  = tf(t, s), or tf(t, s) * ln(N / df(t))
    u(s)     = w(s) / |w(s)|,  0 if |w(s)| = 0
    cosine   = mean over the other units r of u(s) . u(r)
    overlap  = mean over the other units r of w(s) . u(r)      (s is the query)

A unit is content if its mean similarity is above `share` times the mean of that of all units. The
mean needs no pairs: with U the sum of all u it is (u(s) . U - u(s) . u(s)) / (N - 1), so the cost
is that of counting and sorting the words.

Departures: the thesis leaves open what follows. A paragraph is a text block; a sentence ends at
`.`, `!`, `?` or similar marks of other scripts before white space, or with its text block. Stop
words are those of the page's language (`thresher.metadata.stop_words`), none for a language without
a list. A stem is the first `stem` letters of a word, since a stemmer by language would need another
library, and comparing whole words changes little (docs/methods/similarity.md). Of a text with
several sentences, more words must be in content than not. Hidden text is neither compared nor kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

import numpy as np

from thresher.metadata.stop_words import page_stop_words
from thresher.methods.common.option_checks import Options, Range
from thresher.page import Page, Selection
from thresher.page.array_types import Floats, Int64s
from thresher.page.sentences import split_at_stops
from thresher.page.words import words

Metric: TypeAlias = Literal["cosine", "overlap"]
Weights: TypeAlias = Literal["tf", "tf-idf"]
Unit: TypeAlias = Literal["sentences", "paragraphs"]


@dataclass(frozen=True, slots=True)
class Similarity(Options):
    """Keep the paragraphs that are more similar to the other paragraphs than the mean."""

    unit: Unit = "paragraphs"  # thesis: both; swept, see docs/methods/similarity.md
    metric: Metric = "overlap"  # thesis: either; swept
    weights: Weights = "tf-idf"  # thesis: either; swept
    stop_words: bool = True  # thesis: remove them
    stem: Annotated[int, Range(1)] = 5  # letters of a word that are compared; swept
    share: float = 1.0  # of the page's mean similarity, which a unit must exceed; swept

    def __call__(self, page: Page) -> Selection:
        """Return the texts with more words in content than outside of it."""
        stops = page_stop_words(page) if self.stop_words else frozenset[str]()
        units = Units.of(page, self.unit, stops, self.stem)
        likeness = similarities(units, self.metric, self.weights)
        if not len(likeness):
            return page.none()
        # Sums in another order may differ in the last digits: a tie is not above the mean.
        is_content = likeness > self.share * likeness.mean() * (1 + 1e-9)
        sign = np.where(is_content[units.of_piece], units.piece_words, -units.piece_words)
        balance = np.bincount(units.text_of_piece, sign, len(page.text_rows))
        return Selection(page, balance > 0)


@dataclass(frozen=True, slots=True)
class Units:
    """The sentences or paragraphs of a page, and the stems in them."""

    number: int
    of_piece: Int64s  # the unit of each piece; links and bold words cut units into pieces
    piece_words: Int64s  # of each piece, stop words included
    text_of_piece: Int64s  # index of its text row among the text rows of the page
    unit: Int64s  # of each pair of a unit and a stem in it
    stem: Int64s  # of each pair, as a number
    count: Int64s  # tf of each pair

    @classmethod
    def of(cls, page: Page, unit: Unit, stops: frozenset[str], stem: int) -> Units:
        """Split the visible text of each block into units, and count the stems in them."""
        block = page.blocks.of_text.tolist()
        shown = (page.blocks.of_text >= 0) & ~page.hidden[page.text_rows]
        texts: list[int] = []
        pieces: list[int] = []
        sizes: list[int] = []
        kept: list[int] = []
        stems: list[str] = []
        number, last_block = -1, -1
        for index in shown.nonzero()[0].tolist():  # words are split text by text
            number += block[index] != last_block
            last_block = block[index]
            text = page.texts[index]
            parts = split_at_stops(text) if unit == "sentences" else [text]
            for place, part in enumerate(parts):
                number += place > 0
                found = words(part.casefold())
                left = [word[:stem] for word in found if word not in stops]
                texts.append(index)
                pieces.append(number)
                sizes.append(len(found))
                kept.append(len(left))
                stems += left
        of_piece = np.array(pieces, np.int64)
        pairs = _pairs(of_piece.repeat(np.array(kept, np.int64)), stems)
        piece_words, text_of_piece = np.array(sizes, np.int64), np.array(texts, np.int64)
        return cls(number + 1, of_piece, piece_words, text_of_piece, *pairs)


def _pairs(unit: Int64s, stems: Sequence[str]) -> tuple[Int64s, Int64s, Int64s]:
    """Return unit, stem and tf of each pair."""
    known: dict[str, int] = {}
    numbers = np.array([known.setdefault(stem, len(known)) for stem in stems], np.int64)
    many = max(len(known), 1)
    pair, count = np.unique(unit * many + numbers, return_counts=True)
    return pair // many, pair % many, count


def similarities(units: Units, metric: Metric, weights: Weights) -> Floats:
    """Return the mean similarity of each unit to all others."""
    if not units.number:
        return np.zeros(0)
    weight = units.count.astype(np.float64)
    if weights == "tf-idf":
        frequency = np.bincount(units.stem, minlength=1)
        weight *= np.log(units.number / np.maximum(frequency, 1))[units.stem]
    norm = np.sqrt(np.bincount(units.unit, weight**2, units.number))[units.unit]
    direction = np.divide(weight, norm, out=np.zeros_like(weight), where=norm > 0)
    total = np.bincount(units.stem, direction, minlength=1)
    others = total[units.stem] - direction
    query = direction if metric == "cosine" else weight
    found = np.bincount(units.unit, query * others, units.number)
    return np.maximum(found, 0) / max(units.number - 1, 1)  # rounding may leave less than 0
