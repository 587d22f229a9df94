"""The votes of `thresher.metadata.headline_vote`: fitted on pages with a gold title, scored on sites held out.

With x the marks of a candidate as zeros and ones and b the votes, it is the headline with

    p = exp(b . x) / sum over the candidates of the page of exp(b . x)

Newton's method maximises the sum of ln p over the right candidates, less |b|^2 / 2. A page without
a right candidate teaches nothing, but counts as an error. Run

    THRESHER_CORPORA=... python benchmarks/headline_votes.py

to see the share of pages that are right in ten folds by site, five times, and the votes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from benchmarks.floors import corpora_folder
from benchmarks.headlines import CORPORA, folded
from thresher import parse
from thresher.evaluate import corpora
from thresher.evaluate.corpora import GoldPage
from thresher.evaluate.training.folds import folds_of_groups, group_of
from thresher.metadata.headline_vote import VOTES, candidates
from thresher.page.words import words

Floats = npt.NDArray[np.float64]

FOLDS, SHUFFLES, STEPS = 10, 5, 12


@dataclass(frozen=True, eq=False)
class Ballot:
    """The candidates of one page."""

    corpus: str
    group: str
    marks: Floats  # one row a candidate, one column a vote
    right: int  # the candidate with the words of the gold; -1 if there is none
    exact: frozenset[int]  # candidates that are the gold title, case and white space aside


def ballots(corpus: str, pages: Iterable[GoldPage]) -> Iterator[Ballot]:
    """Yield the candidates of each page that has a gold title."""
    for gold in pages:
        if not gold.title:
            continue
        found = candidates(parse(gold.html, url=gold.url or None))
        marks = np.array([[mark in one.marks for mark in VOTES] for one in found], np.float64)
        wanted = " ".join(words(gold.title.casefold()))
        right = next((at for at, one in enumerate(found) if one.key == wanted), -1)
        exact = (at for at, one in enumerate(found) if folded(one.text) == folded(gold.title))
        yield Ballot(corpus, group_of(corpus, gold), marks, right, frozenset(exact))


def fitted(taught: list[Ballot]) -> Floats:
    """Return the votes that make the right candidates likeliest."""
    votes = np.zeros(len(VOTES))
    for _ in range(STEPS):
        slope, bend = -votes, np.eye(len(votes))
        for one in taught:
            if one.right < 0:
                continue
            score = one.marks @ votes
            chance = np.exp(score - score.max())
            chance /= chance.sum()
            mean = chance @ one.marks
            slope = slope + one.marks[one.right] - mean
            bend += (one.marks.T * chance) @ one.marks - np.outer(mean, mean)
        votes = votes + np.linalg.solve(bend, slope)
    return votes


def hits(asked: Iterable[Ballot], votes: Floats) -> list[bool]:
    """Return for each page whether the candidate with the most votes is right."""
    return [
        bool(len(one.marks)) and int((one.marks @ votes).argmax()) in one.exact for one in asked
    ]


def main() -> int:
    """Print the share of right pages in folds, and the votes."""
    folder = corpora_folder()
    if folder is None:
        sys.stdout.write("no corpora: set THRESHER_CORPORA\n")
        return 2
    every = [
        one for name in CORPORA for one in ballots(name, corpora.read(folder / f"{name}.parquet"))
    ]
    right: dict[str, list[bool]] = {name: [] for name in CORPORA}
    for seed in range(SHUFFLES):
        fold = folds_of_groups([one.group for one in every], FOLDS, seed)
        for number in range(FOLDS):
            votes = fitted([one for one, own in zip(every, fold, strict=True) if own != number])
            asked = [one for one, own in zip(every, fold, strict=True) if own == number]
            for one, hit in zip(asked, hits(asked, votes), strict=True):
                right[one.corpus].append(hit)
    for name, found in right.items():
        sys.stdout.write(f"{name}: {np.mean(found):.3f} of the pages right, in folds by site\n")
    for mark, vote in zip(VOTES, (10 * fitted(every)).round().astype(int), strict=True):
        sys.stdout.write(f"{mark}: {vote}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
