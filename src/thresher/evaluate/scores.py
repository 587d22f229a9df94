"""Scores: precision, recall and F1 of an extracted text against the gold text.

Tokens are the words of the text (`thresher.page.words.words`), case folded and in Unicode's
composed form (NFC), so that an accent counts the same however it is written. With k the length of
the longest common subsequence of extracted and gold tokens (thesis 4.2),
    r = k / |gold|,  p = k / |extracted|,  F1 = 2 p r / (p + r).
Nothing in common gives 0; two empty texts give 1.

Besides: the same with k the size of the common bag of words (WCXB's score), the same over bags of
4-word shingles, and the shares of snippets that are rightly present, rightly absent, and either.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple

from thresher.page.words import words

_SHINGLE = 4  # words


class Score(NamedTuple):
    """Precision, recall and their harmonic mean."""

    precision: float
    recall: float
    f1: float


def folded(text: str) -> str:
    """Return a text case folded and composed, as texts are compared (folding can decompose)."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


def tokens(text: str) -> list[str]:
    """Return the words of a text as they are compared."""
    return words(folded(text))


def score_counts(common: int, found: int, gold: int) -> Score:
    """Score by the numbers of items in common, found and in the gold text."""
    if not found and not gold:
        return Score(1.0, 1.0, 1.0)
    if not common:
        return Score(0.0, 0.0, 0.0)
    precision, recall = common / found, common / gold
    return Score(precision, recall, 2 * precision * recall / (precision + recall))


def lcs(found: Sequence[str], gold: Sequence[str]) -> Score:
    """Score by the longest common subsequence of tokens (bit-parallel)."""
    from rapidfuzz.distance import LCSseq

    number: dict[str, int] = {}
    coded = [[number.setdefault(token, len(number)) for token in side] for side in (found, gold)]
    return score_counts(LCSseq.similarity(*coded), len(found), len(gold))


def bag(found: Iterable[Hashable], gold: Iterable[Hashable]) -> Score:
    """Score by the common bag of two bags; order does not count."""
    ours, theirs = Counter(found), Counter(gold)
    return score_counts((ours & theirs).total(), ours.total(), theirs.total())


def shingles(side: Sequence[str]) -> list[tuple[str, ...]]:
    """Return all runs of four tokens; a shorter text is one run."""
    last = max(len(side) - _SHINGLE + 1, 1 if side else 0)
    return [tuple(side[start : start + _SHINGLE]) for start in range(last)]


def snippets(
    text: str, must_have: Sequence[str], must_not_have: Sequence[str]
) -> dict[str, float | None]:
    """Return the shares of snippets that are rightly present, rightly absent, and either.

    A share is None if there are no such snippets.
    """
    whole = _spaced(text)
    present = [_spaced(snippet) in whole for snippet in must_have]
    absent = [_spaced(snippet) not in whole for snippet in must_not_have]
    right = {"snippets": present + absent, "present": present, "absent": absent}
    return {name: sum(cases) / len(cases) if cases else None for name, cases in right.items()}


def _spaced(text: str) -> str:
    """Return a folded text with single spaces."""
    return " ".join(folded(text).split())


def score_text(
    text: str, gold: str, must_have: Sequence[str] = (), must_not_have: Sequence[str] = ()
) -> dict[str, float | None]:
    """Return all scores of an extracted text by name."""
    found, wanted = tokens(text), tokens(gold)
    by_name: dict[str, float | None] = {}
    for name, score in (
        ("lcs", lcs(found, wanted)),
        ("bag", bag(found, wanted)),
        ("shingle", bag(shingles(found), shingles(wanted))),
    ):
        by_name |= {f"{name}_{part}": value for part, value in score._asdict().items()}
    return by_name | snippets(text, must_have, must_not_have)
