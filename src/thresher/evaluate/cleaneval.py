"""Scores of CleanEval's structure marks (thesis 3.5; Baroni, Chantree, Kilgarriff, Sharoff 2008).

The gold texts of CleanEval mark where a segment begins: `<h>` a heading, `<l>` an item of a list,
`<p>` a paragraph. `marked_text` writes a document in this form, and `score_marks` compares two
marked texts.

Conventions. A mark belongs to the next word; of several marks before a word the last one counts,
and a mark without a word after it is ignored, as are closing marks. Words are those of
`thresher.evaluate.scores.tokens`.

Metrics. The words of both texts are aligned by their longest common subsequence, which also gives
the score of the text alone. A mark is found if its word is aligned with a word that is marked in
the gold text (`segments`), with the same mark (`labels`, and `by_mark` for each of the three). With
k marks found, precision is k / marks extracted, recall k / gold marks, and F1 their harmonic mean.

Departures: CleanEval's program takes an edit distance over words and marks together; here they are
scored apart, so that the structure of a text can be judged whatever the text is. A word that occurs
several times may be aligned in several ways; then one of the longest alignments is taken.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from thresher.document import Document
from thresher.evaluate.scores import Score, score_counts, tokens

Mark: TypeAlias = Literal["h", "l", "p"]
MARKS: tuple[Mark, ...] = get_args(Mark)

_MARK = re.compile(r"<(/?)([hlp])>", re.I)
_MARK_OF_KIND: dict[str, Mark] = {"heading": "h", "title": "h", "list": "l"}  # others: p


@dataclass(frozen=True, slots=True)
class MarkedText:
    """The words of a text, and the marks before them."""

    words: list[str]
    marks: dict[int, str]  # by the index of the word


@dataclass(frozen=True, slots=True)
class MarkScores:
    """Scores of a marked text."""

    text: Score  # of the words alone
    segments: Score  # of where segments begin
    labels: Score  # of where they begin, and their marks
    by_mark: dict[str, Score]  # the same for each of h, l, p


def read_marked(text: str) -> MarkedText:
    """Return the words of a marked text and their marks."""
    words: list[str] = []
    marks: dict[int, str] = {}
    pieces = _MARK.split(text)
    words += tokens(pieces[0])
    for closing, mark, piece in zip(pieces[1::3], pieces[2::3], pieces[3::3], strict=True):
        found = tokens(piece)
        if not closing:
            marks[len(words)] = mark.lower()
        words += found
    marks.pop(len(words), None)  # without a word
    return MarkedText(words, marks)


def marked_text(document: Document) -> str:
    """Return the kept blocks of a document with CleanEval's marks, each block on a line."""
    return "".join(
        f"<{_MARK_OF_KIND.get(block.kind, 'p')}>{' '.join(block.text.split())}\n"
        for block in document.blocks
    )


def score_marks(found: str, gold: str) -> MarkScores:
    """Return the scores of a marked text against a marked gold text."""
    ours, theirs = read_marked(found), read_marked(gold)
    partner = _alignment(ours.words, theirs.words)
    both = {at for at in ours.marks if partner.get(at, -1) in theirs.marks}
    same = {at for at in both if ours.marks[at] == theirs.marks[partner[at]]}

    def labelled(mark: str) -> Score:
        right = sum(ours.marks[at] == mark for at in same)
        counts = (list(text.marks.values()).count(mark) for text in (ours, theirs))
        return score_counts(right, *counts)

    return MarkScores(
        text=score_counts(len(partner), len(ours.words), len(theirs.words)),
        segments=score_counts(len(both), len(ours.marks), len(theirs.marks)),
        labels=score_counts(len(same), len(ours.marks), len(theirs.marks)),
        by_mark={mark: labelled(mark) for mark in MARKS},
    )


def _alignment(found: list[str], gold: list[str]) -> dict[int, int]:
    """Return for each word of the longest common subsequence its place in both texts."""
    from rapidfuzz.distance import LCSseq

    number: dict[str, int] = {}
    ours = [number.setdefault(word, len(number)) for word in found]
    theirs = [number.setdefault(word, len(number)) for word in gold]
    partner: dict[int, int] = {}
    for step in LCSseq.opcodes(ours, theirs):
        if step.tag == "equal":
            places = range(step.src_start, step.src_end), range(step.dest_start, step.dest_end)
            partner.update(zip(*places, strict=True))
    return partner
