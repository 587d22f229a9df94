"""Fit the votes of `thresher.metadata.headline_vote`, and score them on sites held out.

With x the marks of a candidate as zeros and ones and b the votes, it is the headline with

    p = exp(b . x) / sum over the candidates of the page of exp(b . x)

Newton's method maximises the sum of ln p over the right candidates, less |b|^2 / 2. A page without
a right candidate is not used for fitting, but counts as an error. The program prints the share of
pages that are right in ten folds by site, five times, and the votes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.corpus_pages import (
    add_corpus_options,
    argument_parser,
    corpus_paths,
    exit_with,
    gold_pages,
)
from benchmarks.headlines import CORPORA, folded
from thresher import parse
from thresher.evaluate import corpora
from thresher.evaluate.corpora import GoldPage
from thresher.evaluate.training.trainer import folds_of_groups, group_of
from thresher.metadata.headline_vote import VOTES, headline_candidates
from thresher.page.array_types import Floats
from thresher.page.words import words

FOLDS, SHUFFLES, STEPS = 10, 5, 12


@dataclass(frozen=True, eq=False)
class Ballot:
    """The candidates of one page."""

    corpus: str
    group: str
    marks: Floats  # candidates x votes, 0 or 1
    right: int  # the candidate with the words of the gold title; -1 if there is none
    exact: frozenset[int]  # candidates that are the gold title, case and white space aside


def ballots(corpus: str, pages: Iterable[GoldPage]) -> Iterator[Ballot]:
    """Yield the candidates of each page that has a gold title."""
    for gold in pages:
        if not gold.title:
            continue
        found = headline_candidates(parse(gold.html, url=gold.url or None))
        marks = np.array([[mark in one.marks for mark in VOTES] for one in found], np.float64)
        wanted = " ".join(words(gold.title.casefold()))
        right = next((at for at, one in enumerate(found) if one.key == wanted), -1)
        exact = (at for at, one in enumerate(found) if folded(one.text) == folded(gold.title))
        yield Ballot(corpus, group_of(corpus, gold), marks, right, frozenset(exact))


def fitted_votes(pages: list[Ballot]) -> Floats:
    """Return the votes that maximise the likelihood of the right candidates."""
    votes = np.zeros(len(VOTES))
    for _ in range(STEPS):
        gradient, hessian = -votes, np.eye(len(votes))
        for one in pages:
            if one.right < 0:
                continue
            score = one.marks @ votes
            chance = np.exp(score - score.max())
            chance /= chance.sum()
            mean = chance @ one.marks
            gradient = gradient + one.marks[one.right] - mean
            hessian += (one.marks.T * chance) @ one.marks - np.outer(mean, mean)
        votes = votes + np.linalg.solve(hessian, gradient)
    return votes


def is_right(pages: Iterable[Ballot], votes: Floats) -> list[bool]:
    """Return one bool per page: True if the candidate with the most votes is the gold title."""
    return [
        bool(len(one.marks)) and int((one.marks @ votes).argmax()) in one.exact for one in pages
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the share of right pages in folds, and the votes; return the exit code."""
    parser = argument_parser("headline_votes", __doc__, "--limit 200")
    add_corpus_options(parser)
    given = parser.parse_args(arguments)
    paths = corpus_paths("headline_votes", CORPORA, given.corpus)
    if not paths:
        return 2
    every = [
        one
        for path in paths
        for one in ballots(corpora.name_of(path), gold_pages([path], given.limit))
    ]
    right: dict[str, list[bool]] = {corpora.name_of(path): [] for path in paths}
    for seed in range(SHUFFLES):
        fold = folds_of_groups([one.group for one in every], FOLDS, seed)
        for number in range(FOLDS):
            votes = fitted_votes(
                [one for one, own in zip(every, fold, strict=True) if own != number]
            )
            held_out = [one for one, own in zip(every, fold, strict=True) if own == number]
            for one, hit in zip(held_out, is_right(held_out, votes), strict=True):
                right[one.corpus].append(hit)
    for name, found in right.items():
        sys.stdout.write(f"{name}: {np.mean(found):.3f} of the pages right, in folds by site\n")
    for mark, vote in zip(VOTES, (10 * fitted_votes(every)).round().astype(int), strict=True):
        sys.stdout.write(f"{mark}: {vote}\n")
    return 0


if __name__ == "__main__":
    exit_with(main)
