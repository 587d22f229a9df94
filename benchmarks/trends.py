"""Time `thresher.trends.trend` beside a plain scikit-learn pipeline that gives the same numbers.

The documents are 100,000 abstracts: the first half of one and the second half of another abstract
of acl-abstracts; generated words without the corpora. The pipeline is CountVectorizer with the same
words and stems and the terms of the queries as its vocabulary, cosine_similarity for each query,
and the means by year. A time is CPU time, the best of some rounds. The figures are written to
docs/figures/trends-speed.json, and from there to docs/speed.md; `make bench` runs this program.
"""

from __future__ import annotations

import gc
import json
import random
import time
import unicodedata
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.corpus_pages import argument_parser, corpora_folder
from benchmarks.marked_blocks import markdown_table
from thresher.page.array_types import Floats
from thresher.page.words import words
from thresher.trends import DatedDocument, Query, Trends, read_documents, read_queries, trend
from thresher.trends.terms import Analyzer, need
from thresher.viewer.page_shell import count

DOCUMENTS, ROUNDS, SEED = 100_000, 3, 7
YEARS = range(1990, 2025)

ROOT = Path(__file__).resolve().parent.parent
FIGURES = ROOT / "docs" / "figures" / "trends-speed.json"
QUERIES = ROOT / "examples" / "acl.toml"

Figures = dict[str, Any]


# --- documents -----------------------------------------------------------------------------------


def sample_documents(number: int) -> tuple[list[DatedDocument], str]:
    """Return documents in random years and a note on their origin."""
    draw = random.Random(SEED)
    texts, origin = _abstracts(draw)
    documents = []
    for _ in range(number):
        first, second = draw.choice(texts), draw.choice(texts)
        text = f"{first[: len(first) // 2]} {second[len(second) // 2 :]}"
        documents.append(DatedDocument("", text, str(draw.choice(YEARS))))
    return documents, origin


def _abstracts(draw: random.Random) -> tuple[list[str], str]:
    folder = corpora_folder()
    file = None if folder is None else folder / "acl-abstracts.parquet"
    if file is not None and file.exists():
        texts = [document.text for document in read_documents(file)]
        return texts, f"mixed from acl-abstracts, seed {SEED}"
    keywords = [word for query in read_queries(QUERIES) for word in query.keywords]
    stock = [f"word{number}" for number in range(20_000)]
    odds = [1 / (number + 10) for number in range(len(stock))]
    texts = [
        " ".join(draw.choices(stock, odds, k=140) + draw.choices(keywords, k=2))
        for _ in range(1_000)
    ]
    return texts, f"generated with seed {SEED}, not comparable with real abstracts"


# --- what is timed -------------------------------------------------------------------------------


def plain_pipeline(documents: Sequence[DatedDocument], queries: Sequence[Query]) -> Floats:
    """Return the means of each year x query, with scikit-learn."""
    text_features = need("sklearn.feature_extraction.text")
    cosine_similarity = need("sklearn.metrics.pairwise").cosine_similarity
    stemmer = need("Stemmer").Stemmer("english")

    def stems(text: str) -> list[str]:
        text = unicodedata.normalize("NFKC", text.replace("\u00ad", "")).casefold()
        found: list[str] = stemmer.stemWords(words(text))
        return found

    of_query = [[" ".join(stems(keyword)) for keyword in query.keywords] for query in queries]
    terms = sorted({term for own in of_query for term in own})
    vectorizer = text_features.CountVectorizer(
        tokenizer=stems,
        token_pattern=None,
        lowercase=False,
        ngram_range=(1, max(len(term.split()) for term in terms)),
        vocabulary=terms,
    )
    counts = vectorizer.transform([document.text for document in documents])
    years = np.array([int(document.date) for document in documents])
    in_order = np.unique(years)
    means = np.zeros((len(in_order), len(queries)))
    for number, (query, own) in enumerate(zip(queries, of_query, strict=True)):
        weights = np.zeros(len(terms))
        np.add.at(weights, [terms.index(term) for term in own], query.weights)
        used = weights.nonzero()[0]
        scores = cosine_similarity(counts[:, used], weights[None, used])[:, 0]
        means[:, number] = [scores[years == year].mean() for year in in_order]
    return means


def all_of(trends: Trends) -> object:
    """Compute everything that a report shows."""
    return trends.changes, trends.shapes, trends.correlation, trends.keywords


def best_time(work: Callable[[], object], rounds: int) -> float:
    """Return the least CPU seconds of some rounds."""
    best = float("inf")
    for _ in range(rounds):
        gc.collect()
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def measure(number: int, rounds: int) -> Figures:
    """Measure everything; return the figures of trends-speed.json."""
    documents, origin = sample_documents(number)
    queries = read_queries(QUERIES)
    theirs: list[Floats] = []
    seconds = {
        "`trend`, tf": best_time(lambda: trend(documents, queries), rounds),
        "`trend`, tf-idf": best_time(lambda: trend(documents, queries, weight="tf-idf"), rounds),
        "`trend`, salton": best_time(lambda: trend(documents, queries, weight="salton"), rounds),
        "`trend`, changes, correlation and keywords": best_time(
            lambda: all_of(trend(documents, queries)), rounds
        ),
        "a plain scikit-learn pipeline": best_time(
            lambda: theirs.append(plain_pipeline(documents, queries)), 1
        ),
    }
    # Without stop words, keywords are n-grams, as in the pipeline.
    ours = trend(documents, queries, stop_words=False)
    unit = seconds["`trend`, tf"]
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "origin": origin,
        "documents": number,
        "words": sum(len(document.text.split()) for document in documents),
        "terms": sum(len({Analyzer().term(word) for word in each.keywords}) for each in queries),
        "rounds": rounds,
        "seconds": round(unit, 2),
        "ratios": {name: round(time / unit, 2) for name, time in seconds.items()},
        "difference": float(np.abs(ours.mean[ours.count > 0] - theirs[0]).max()),
        "versions": {name: version(name) for name in ("scikit-learn", "scipy", "PyStemmer")},
    }


# --- docs/speed.md -------------------------------------------------------------------------------


def docs_section(figures: Figures) -> list[str]:
    """Return the lines of docs/speed.md about trends."""
    versions = ", ".join(f"{name} {number}" for name, number in figures["versions"].items())
    agreement = (
        "All means of the pipeline agree with `trend` without stop words to 12 decimals."
        if figures["difference"] < 1e-12
        else f"The means differ by up to {figures['difference']:.1g}."
    )
    return [
        "", "## Trends", "",
        f"{figures['documents']:,} abstracts with {figures['words'] / 1e6:.1f} million words "
        f"({figures['origin']}) and {figures['terms']} terms of three queries, {figures['date']}: "
        f"CPU time as a multiple of `trend`, the best of {count(figures['rounds'], 'round')} "
        "(pipeline: 1). "
        f"`trend` takes {figures['seconds']:.1f} s on the machine of this run. {agreement}", "",
        *markdown_table(
            ["", "× trend"],
            [[name, f"{ratio:.2f}"] for name, ratio in figures["ratios"].items()],
        ),
        "", f"Versions: {versions}.",
    ]  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure; write trends-speed.json and docs/speed.md."""
    from benchmarks import speed  # which imports this module

    parser = argument_parser("trends", __doc__, "--documents 1000 --rounds 1")
    parser.add_argument("--documents", type=int, default=DOCUMENTS, help="number of documents")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="number of rounds")
    given = parser.parse_args(arguments)
    figures = measure(given.documents, given.rounds)
    FIGURES.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    speed.write_docs()
    print("\n".join(docs_section(figures)))


if __name__ == "__main__":
    main()
