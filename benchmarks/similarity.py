"""Measure content by similarity: keep sentences that are similar to the others (thesis 7.2.3).

The thesis gives an idea, not an algorithm: stop words out, stem; the sentences of the main content
are similar to each other, by cosine or by the overlap score, with tf or tf-idf weights. Here

    w(t, s)  = tf(t, s), or tf(t, s) * ln(N / df(t)) over the N sentences of the page
    u(s)     = w(s) / |w(s)|
    cosine   = mean over the other sentences r of u(s) . u(r)
    overlap  = mean over the other sentences r of w(s) . u(r)      (chapter 5, with query s)

The mean needs no pairs: with U the sum of all u, it is (u(s) . U - u(s) . u(s)) / (N - 1), so the
cost is that of counting and sorting the words. A sentence is content if its similarity is above
`share` times the mean of the page; a text is kept if more than half of its words are in such
sentences.

Rules that the thesis leaves open: a sentence ends at `.`, `!`, `?`, their Arabic, Devanagari and
CJK equivalents, or with its text block. Stop words are the `stop` words that occur in most
sentences of the page, so no list per language is needed. A stem is the first `stem` letters of a
word. Hidden text is ignored.

The program prints the table of docs/experiments/similarity.md.
"""

from __future__ import annotations

import random
import re
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

import thresher
from benchmarks.corpus_pages import argument_parser, corpus_paths, exit_with
from thresher import methods
from thresher.evaluate import corpora, scores
from thresher.page import Method, Page, Selection
from thresher.page.array_types import Floats, Int64s
from thresher.page.words import words

_SENTENCE = re.compile(r"(?<=[.!?؟۔।…])\s+|(?<=[。！？])")


@dataclass(frozen=True, slots=True)
class Sentences:
    """The sentences of a page, and their terms as pairs of sentence and term."""

    size: Int64s  # words of each sentence, stop words included
    piece: Int64s  # the sentence of each piece; links and bold words cut sentences into pieces
    piece_size: Int64s  # words of each piece
    text: Int64s  # index of each piece among the text rows of the page
    sentence: Int64s  # of each pair
    term: Int64s  # of each pair
    count: Int64s  # tf of each pair


@dataclass(frozen=True, slots=True)
class Similarity:
    """Keep the sentences that are more similar to the other sentences than the mean."""

    metric: Literal["cosine", "overlap"] = "overlap"  # swept, see docs/experiments
    weights: Literal["tf", "tf-idf"] = "tf-idf"  # swept
    stop: int = 20  # number of stop words; the thesis removes stop words
    stem: int = 5  # letters of a word that are compared; swept
    share: float = 1.0  # times the mean similarity of the page, which a sentence must exceed; swept

    def __call__(self, page: Page) -> Selection:
        """Return the texts with more words in content sentences than in others."""
        found = sentences(page, self.stop, self.stem)
        likeness = similarities(found, self.metric, self.weights)
        if not len(likeness):
            return page.none()
        chosen = likeness > self.share * likeness.mean()
        sign = np.where(chosen[found.piece], found.piece_size, -found.piece_size)
        balance = np.bincount(found.text, sign, len(page.text_rows))
        return Selection(page, balance > 0)


def sentences(page: Page, stop: int, stem: int) -> Sentences:
    """Split the text of each block into sentences, and count the stems in them."""
    block = page.blocks.of_text
    shown = (block >= 0) & ~page.hidden[page.text_rows]
    text: list[int] = []
    piece: list[int] = []
    sizes: list[int] = []
    stems: list[str] = []
    number, last_block = -1, -1
    for index in shown.nonzero()[0].tolist():  # words are split text by text
        number += block[index] != last_block
        last_block = block[index]
        for place, part in enumerate(_SENTENCE.split(page.texts[index])):
            number += place > 0
            found = words(part.casefold())
            text.append(index)
            piece.append(number)
            sizes.append(len(found))
            stems += [word[:stem] for word in found]
    pieces, piece_size = np.array(piece, np.int64), np.array(sizes, np.int64)
    sentence = pieces.repeat(piece_size)
    pairs = _pairs(sentence, stems, stop)
    size = np.bincount(pieces, piece_size, number + 1).astype(np.int64)
    return Sentences(size, pieces, piece_size, np.array(text, np.int64), *pairs)


def _pairs(sentence: Int64s, stems: Sequence[str], stop: int) -> tuple[Int64s, Int64s, Int64s]:
    """Return sentence, term and tf of each pair, without the stop words of the page."""
    known: dict[str, int] = {}
    term = np.array([known.setdefault(stem, len(known)) for stem in stems], np.int64)
    many = max(len(known), 1)
    pair, count = np.unique(sentence * many + term, return_counts=True)
    sentence, term = pair // many, pair % many
    frequency = np.bincount(term, minlength=len(known))
    is_stop = np.zeros(len(known), np.bool_)
    is_stop[np.argsort(-frequency, kind="stable")[:stop]] = True
    left = ~is_stop[term]
    return sentence[left], term[left], count[left]


def similarities(
    found: Sentences, metric: Literal["cosine", "overlap"], weights: Literal["tf", "tf-idf"]
) -> Floats:
    """Return the mean similarity of each sentence to all others."""
    number = len(found.size)
    weight = found.count.astype(np.float64)
    if weights == "tf-idf":
        frequency = np.bincount(found.term)
        weight *= np.log(number / np.maximum(frequency, 1))[found.term]
    norm = np.sqrt(np.bincount(found.sentence, weight**2, number))[found.sentence]
    unit = np.divide(weight, norm, out=np.zeros_like(weight), where=norm > 0)
    total = np.bincount(found.term, unit)
    others = (total[found.term] if len(unit) else total) - unit
    own = unit if metric == "cosine" else weight
    return np.bincount(found.sentence, own * others, number) / max(number - 1, 1)


# --- figures -------------------------------------------------------------------------------------

CORPORA = ("wcxb-dev", "fundus", "dragnet")


def mean_f1(method: Method, pages: Sequence[tuple[Page, str]]) -> float:
    """Return the mean word F1 (bags of words) over pages with their gold text."""
    found = (
        scores.bag(scores.tokens(method(page).text()), scores.tokens(gold)).f1
        for page, gold in pages
    )
    return statistics.fmean(found)


def sample(path: Path, number: int) -> list[tuple[Page, str]]:
    """Return `number` pages of a corpus, shuffled with seed 7, each with its gold text."""
    gold = list(corpora.read(path))
    random.Random(7).shuffle(gold)
    return [(thresher.parse(page.html), page.text or "") for page in gold[:number]]


def table(compared: dict[str, Method], paths: Sequence[Path], number: int) -> list[str]:
    """Return a Markdown table of the mean F1 of methods on samples of the corpora."""
    samples = {corpora.name_of(path): sample(path, number) for path in paths}
    lines = [f"| method | {' | '.join(samples)} | mean |", "|---|---|---|---|---|"]
    for name, method in compared.items():
        found = [mean_f1(method, pages) for pages in samples.values()]
        figures = " | ".join(f"{value:.3f}" for value in [*found, statistics.fmean(found)])
        lines.append(f"| {name} | {figures} |")
    return lines


def variants() -> dict[str, Method]:
    """Return the methods to compare: four kinds of similarity, and methods of the papers."""
    compared: dict[str, Method] = {}
    metrics: tuple[Literal["cosine", "overlap"], ...] = ("cosine", "overlap")
    schemes: tuple[Literal["tf", "tf-idf"], ...] = ("tf", "tf-idf")
    for metric in metrics:
        for weights in schemes:
            compared[f"{metric}, {weights}"] = Similarity(metric=metric, weights=weights)
    compared["overlap, tf-idf, `stop=0`"] = Similarity(stop=0)
    return compared | {f"`{name}`": methods.get(name) for name in ("plain", "bte", "addanag")}


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; return the exit code."""
    parser = argument_parser("similarity", __doc__, "--pages 20")
    parser.add_argument("--pages", type=int, default=100, help="pages of each corpus")
    given = parser.parse_args(arguments)
    paths = corpus_paths("similarity", CORPORA)
    if not paths:
        return 2
    print(*table(variants(), paths, given.pages), sep="\n")
    return 0


if __name__ == "__main__":
    exit_with(main)
