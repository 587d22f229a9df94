"""Score the ways to find a headline, as table 5.4 of the thesis, on corpora with gold titles.

A headline is right when it is the gold title, case and white space aside. With A right headlines,
B wrong ones and C pages whose headline was not found (among them the pages of B):

    precision = A / (A + B)    recall = A / (A + C)    F1 = their harmonic mean

The column "words" counts a headline as right when its words are those of the gold title: other
quotes and dashes are then no error. `make headlines` writes the table of docs/headline.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TypeAlias

from benchmarks.corpus_pages import exit_with, write_corpus_table
from benchmarks.marked_blocks import markdown_table
from thresher.document import extract
from thresher.evaluate.corpora import GoldPage
from thresher.metadata import headline
from thresher.metadata.headline import Headline, TitleFinder
from thresher.page import Page, Selection
from thresher.page.parse import parse
from thresher.page.words import words

CORPORA = ("fundus", "wcxb-dev")

Finder: TypeAlias = Callable[[Page, Selection | None], Headline]

FINDERS: dict[str, Finder] = {
    "tf": TitleFinder("tf"),
    "tf-idf": TitleFinder("tf-idf"),
    "overlap": TitleFinder("overlap"),
    "sum": TitleFinder("sum"),
    "tf, improved (5.5)": TitleFinder("tf", improved=True),
    "sum, improved (5.5)": TitleFinder("sum", improved=True),
    "tf, whole texts": TitleFinder("tf", whole_texts=True),
    "sum, whole texts": TitleFinder("sum", whole_texts=True),
    "largest heading": lambda page, _: headline.largest_heading(page),
    "title": lambda page, _: headline.title(page),
    "default (`find`)": headline.find,
}


def folded(text: str) -> str:
    """Return a text in lower case, its white space collapsed."""
    return " ".join(text.casefold().split())


def scores(pages: Sequence[GoldPage], finders: dict[str, Finder]) -> dict[str, tuple[float, ...]]:
    """Return precision, recall, F1 and the share of equal words of each finder."""
    right: Counter[str] = Counter()
    alike: Counter[str] = Counter()
    found: Counter[str] = Counter()
    gold = [page for page in pages if page.title]
    for one in gold:
        page = parse(one.html, url=one.url or None)
        content = extract(page).selection
        for name, finder in finders.items():
            text = finder(page, content).text
            found[name] += bool(text)
            right[name] += folded(text) == folded(one.title)
            alike[name] += words(text.casefold()) == words(one.title.casefold())
    measured: dict[str, tuple[float, ...]] = {}
    for name in finders:
        precision = right[name] / max(found[name], 1)
        recall = right[name] / max(len(gold), 1)
        f1 = 2 * precision * recall / (precision + recall) if right[name] else 0.0
        measured[name] = (precision, recall, f1, alike[name] / max(len(gold), 1))
    return measured


def table(by_corpus: dict[str, dict[str, tuple[float, ...]]]) -> str:
    """Return the table of docs/headline.md."""
    head = [""]
    for name in by_corpus:
        head += [f"{name}: P", "R", "F1", "words"]
    first = next(iter(by_corpus.values()))
    rows = [
        [finder, *(f"{value:.3f}" for own in by_corpus.values() for value in own[finder])]
        for finder in first
    ]
    return "\n".join(markdown_table(head, rows)) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Score every finder and write the table into the page; return the exit code."""
    return write_corpus_table(
        "headlines",
        __doc__,
        "docs/headline.md",
        CORPORA,
        lambda pages: scores(pages, FINDERS),
        table,
        arguments,
    )


if __name__ == "__main__":
    exit_with(main)
