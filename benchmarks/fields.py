"""Fields: how often authors and dates are those of the gold, where the gold has them.

A date is right when its day is the gold's, each as written or in universal time. `published` is
compared alone; `date` is `published`, else `modified`; `either` asks whether one of the two is
right, as gold often takes whichever a page shows. Names are compared by their words in lower case:
`any author` when one name is in both, `all authors` when the names are the same.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from benchmarks.figures import write_figures
from benchmarks.marked_blocks import markdown_table
from thresher import metadata
from thresher.evaluate.corpora import GoldPage
from thresher.metadata import Metadata, headline
from thresher.page.parse import parse
from thresher.page.words import words

__all__ = ["CORPORA", "days", "main", "names", "scores", "table"]

CORPORA = ("fundus", "wcxb-dev")

_SEVERAL = re.compile(r"[;,&]|\sand\s")


def names(authors: Iterable[str]) -> set[str]:
    """Return the names of authors as they are compared."""
    plain = (unicodedata.normalize("NFKC", author).casefold() for author in authors)
    return {" ".join(words(name)) for name in plain} - {""}


def days(date: str) -> set[str]:
    """Return the day of a date as written, and in universal time if it has a zone."""
    found = {date[:10]} - {""}
    try:
        moment = datetime.fromisoformat(date)
    except ValueError:
        return found
    if moment.tzinfo is not None:
        found.add(moment.astimezone(UTC).date().isoformat())
    return found


def scores(pages: Iterable[GoldPage]) -> dict[str, tuple[int, int]]:
    """Return how many pages each field is right on, and how many have it in their gold."""
    right: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    for one in pages:
        page = parse(one.html, url=one.url or None)
        found = metadata.read(page, headline_row=headline.find(page).row)
        for field, is_right in _compared(one, found).items():
            asked[field] += 1
            right[field] += is_right
    return {field: (right[field], asked[field]) for field in asked}


def _compared(gold: GoldPage, found: Metadata) -> dict[str, bool]:
    answer: dict[str, bool] = {}
    if gold.date:
        wanted = days(gold.date)
        published, modified = days(found.published.value), days(found.modified.value)
        answer["published"] = bool(wanted & published)
        answer["date"] = bool(wanted & days(found.date.value))
        answer["either"] = bool(wanted & (published | modified))
    if gold.author:
        named, own = names(_SEVERAL.split(gold.author)), names(found.authors.value)
        answer["any author"] = bool(named & own)
        answer["all authors"] = named == own
    return answer


def table(by_corpus: dict[str, dict[str, tuple[int, int]]]) -> str:
    """Return the table of the docs."""
    rows = []
    for field in ("published", "date", "either", "any author", "all authors"):
        cells = []
        for own in by_corpus.values():
            right, asked = own.get(field, (0, 0))
            cells += [f"{right / max(asked, 1):.3f}", str(asked)]
        rows.append([field, *cells])
    head = [""]
    for name in by_corpus:
        head += [name, "pages"]
    return "\n".join(markdown_table(head, rows)) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the fields and write the table into the page."""
    return write_figures("fields", CORPORA, scores, table, arguments)


if __name__ == "__main__":
    sys.exit(main())
