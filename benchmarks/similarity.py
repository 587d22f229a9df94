"""Similarity: sentences that resemble the page's other sentences are content (thesis 7.2.3).

The thesis gives an idea, not an algorithm: stop words out, stem; the sentences of the main content
are similar to each other, by cosine or by the overlap score, with tf or tf-idf weights. Here

    w(t, s)  = tf(t, s), or tf(t, s) * ln(N / df(t)) over the N sentences of the page
    u(s)     = w(s) / |w(s)|
    cosine   = mean over the other sentences r of u(s) . u(r)
    overlap  = mean over the other sentences r of w(s) . u(r)      (of chapter 5: s asks)

The mean needs no pairs: with U the sum of all u, it is (u(s) . U - u(s) . u(s)) / (N - 1); a page
costs what it takes to count its words and sort them. A sentence is content when its similarity is
above `share` times the mean of the page's; a text is kept when more than half of its words are of
such sentences.

Rules of ours: a sentence ends at `.`, `!`, `?`, their Arabic, Devanagari and CJK kin, or with its
text block. Stop words are the `stop` words of the page that stand in most of its sentences, so no
list of any language is needed. A stem is the first `stem` letters of a word. Hidden text is neither
read nor kept.

Run `python benchmarks/similarity.py` for the table of docs/benchmarks/similarity.md.
"""

from __future__ import annotations

import argparse
import random
import re
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt

import thresher
from benchmarks import floors
from thresher import methods
from thresher.evaluate import corpora, scores
from thresher.page import Method, Page, Selection
from thresher.page.words import words

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

_SENTENCE = re.compile(r"(?<=[.!?؟۔।…])\s+|(?<=[。！？])")


@dataclass(frozen=True, slots=True)
class Sentences:
    """The sentences of a page as pairs of a sentence and a term, in order of sentences."""

    size: Ints  # words of each sentence, stop words included
    piece: Ints  # the sentence of each piece; a link or a bold word cuts one into pieces
    piece_size: Ints  # words of each piece
    text: Ints  # the text of each piece, as an index among the text rows of the page
    sentence: Ints  # of each pair
    term: Ints  # of each pair
    count: Ints  # tf of each pair


@dataclass(frozen=True, slots=True)
class Similarity:
    """Keep the sentences that are more similar to the page's other sentences than most."""

    metric: Literal["cosine", "overlap"] = "overlap"  # swept, see docs/experiments
    weights: Literal["tf", "tf-idf"] = "tf-idf"  # swept
    stop: int = 20  # words of the page that count as stop words; thesis: stop words out
    stem: int = 5  # letters of a word that count; swept
    share: float = 1.0  # of the page's mean similarity that a sentence must exceed; swept

    def __call__(self, page: Page) -> Selection:
        """Compare every sentence with the sum of all."""
        found = sentences(page, self.stop, self.stem)
        likeness = similarities(found, self.metric, self.weights)
        if not len(likeness):
            return page.none()
        chosen = likeness > self.share * likeness.mean()
        sign = np.where(chosen[found.piece], found.piece_size, -found.piece_size)
        balance = np.bincount(found.text, sign, len(page.text_rows))
        return Selection(page, balance > 0)


def sentences(page: Page, stop: int, stem: int) -> Sentences:
    """Cut the text of each block into sentences, and count the stems in them."""
    block = page.blocks.of_text
    shown = (block >= 0) & ~page.hidden[page.text_rows]
    text: list[int] = []
    piece: list[int] = []
    sizes: list[int] = []
    stems: list[str] = []
    number, last_block = -1, -1
    for index in shown.nonzero()[0].tolist():  # words are found one text after the other
        number += block[index] != last_block
        last_block = block[index]
        for place, part in enumerate(_SENTENCE.split(page.texts[index] or "")):
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


def _pairs(sentence: Ints, stems: Sequence[str], stop: int) -> tuple[Ints, Ints, Ints]:
    """Return each pair of a sentence and a term with its tf, without the page's stop words."""
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
    asked = unit if metric == "cosine" else weight
    return np.bincount(found.sentence, asked * others, number) / max(number - 1, 1)


# --- figures -------------------------------------------------------------------------------------

CORPORA = ("wcxb-dev", "fundus", "dragnet")


def f1(method: Method, pages: Sequence[tuple[Page, str]]) -> float:
    """Return the mean word F1 (bags of words) over pages with their gold text."""
    found = (
        scores.bag(scores.tokens(method(page).text()), scores.tokens(gold)).f1
        for page, gold in pages
    )
    return statistics.fmean(found)


def sample(path: Path, number: int) -> list[tuple[Page, str]]:
    """Return so many pages of a corpus, shuffled with seed 7, each with its gold text."""
    gold = list(corpora.read(path))
    random.Random(7).shuffle(gold)
    return [(thresher.parse(page.html), page.text or "") for page in gold[:number]]


def table(compared: dict[str, Method], folder: Path, number: int) -> list[str]:
    """Measure all on samples of the corpora, and write the figures as a Markdown table."""
    samples = {name: sample(folder / f"{name}.parquet", number) for name in CORPORA}
    lines = [f"| method | {' | '.join(CORPORA)} | mean |", "|---|---|---|---|---|"]
    for name, method in compared.items():
        found = [f1(method, pages) for pages in samples.values()]
        figures = " | ".join(f"{value:.3f}" for value in [*found, statistics.fmean(found)])
        lines.append(f"| {name} | {figures} |")
    return lines


def variants() -> dict[str, Method]:
    """Return the methods to compare: four kinds of similarity, and what is to be beaten."""
    made: dict[str, Method] = {}
    metrics: tuple[Literal["cosine", "overlap"], ...] = ("cosine", "overlap")
    schemes: tuple[Literal["tf", "tf-idf"], ...] = ("tf", "tf-idf")
    for metric in metrics:
        for weights in schemes:
            made[f"{metric}, {weights}"] = Similarity(metric=metric, weights=weights)
    made["overlap, tf-idf, `stop=0`"] = Similarity(stop=0)
    return made | {f"`{name}`": methods.get(name) for name in ("plain", "bte", "addanag")}


def main(say: Callable[[str], None] = print) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Measure similarity-based extraction.")
    parser.add_argument("--pages", type=int, default=100, help="pages of each corpus")
    given = parser.parse_args()
    folder = floors.corpora_folder()
    if folder is None:
        parser.error("no corpora: set THRESHER_CORPORA to the folder that holds them.")
    for line in table(variants(), folder, given.pages):
        say(line)


if __name__ == "__main__":
    main()
