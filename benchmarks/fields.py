"""Score authors and dates: how often they are those of the gold, where the gold has them.

A date is right when its day is the gold's, each as written or in universal time. `published` is
compared alone; `date` is `published`, else `modified`; `either` is right when one of the two is, as
gold often has whichever date a page shows. Names are compared by their words in lower case: `any
author` is right when one name is in both, `all authors` when the names are the same. `make fields`
writes the table of docs/metadata.md.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from benchmarks.corpus_pages import exit_with, write_corpus_table
from benchmarks.marked_blocks import markdown_table
from thresher import metadata
from thresher.evaluate.corpora import GoldPage
from thresher.metadata import Metadata, headline
from thresher.page.parse import parse
from thresher.page.words import words

CORPORA = ("fundus", "wcxb-dev")

_AUTHOR_SEPARATOR = re.compile(r"[;,&]|\sand\s")


def names(authors: Iterable[str]) -> set[str]:
    """Return the names of authors in lower case, without punctuation."""
    plain = (unicodedata.normalize("NFKC", author).casefold() for author in authors)
    return {" ".join(words(name)) for name in plain} - {""}


def days(date: str) -> set[str]:
    """Return the day of a date as written, and in universal time if it has a time zone."""
    found = {date[:10]} - {""}
    try:
        moment = datetime.fromisoformat(date)
    except ValueError:
        return found
    if moment.tzinfo is not None:
        found.add(moment.astimezone(UTC).date().isoformat())
    return found


def scores(pages: Iterable[GoldPage]) -> dict[str, tuple[int, int]]:
    """Return the number of pages with the right value, and with a gold value, of each field."""
    right: Counter[str] = Counter()
    with_gold: Counter[str] = Counter()
    for one in pages:
        page = parse(one.html, url=one.url or None)
        found = metadata.read(page, headline_row=headline.find(page).row)
        for field, is_right in _correct(one, found).items():
            with_gold[field] += 1
            right[field] += is_right
    return {field: (right[field], with_gold[field]) for field in with_gold}


def _correct(gold: GoldPage, found: Metadata) -> dict[str, bool]:
    """Return whether each field that the gold has is right."""
    correct: dict[str, bool] = {}
    if gold.date:
        wanted = days(gold.date)
        published, modified = days(found.published.value), days(found.modified.value)
        correct["published"] = bool(wanted & published)
        correct["date"] = bool(wanted & days(found.date.value))
        correct["either"] = bool(wanted & (published | modified))
    if gold.author:
        named, own = names(_AUTHOR_SEPARATOR.split(gold.author)), names(found.authors.value)
        correct["any author"] = bool(named & own)
        correct["all authors"] = named == own
    return correct


def table(by_corpus: dict[str, dict[str, tuple[int, int]]]) -> str:
    """Return the table of docs/metadata.md."""
    rows = []
    for field in ("published", "date", "either", "any author", "all authors"):
        cells = []
        for own in by_corpus.values():
            right, pages = own.get(field, (0, 0))
            cells += [f"{right / max(pages, 1):.3f}", str(pages)]
        rows.append([field, *cells])
    head = [""]
    for name in by_corpus:
        head += [name, "pages"]
    return "\n".join(markdown_table(head, rows)) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Score the fields and write the table into the page; return the exit code."""
    return write_corpus_table(
        "fields", __doc__, "docs/metadata.md", CORPORA, scores, table, arguments
    )


if __name__ == "__main__":
    exit_with(main)
