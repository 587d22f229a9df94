"""Score the fields of metadata against gold, with trafilatura in the same run if it is installed.

For each field and corpus, the mean of a score between 0 and 1 over the pages whose gold has the
field:

    title                   its words are those of the gold title, ignoring case
    published               its day is the gold's, each as written or in universal time
    date                    the same of `published`, else `modified`
    either date             one of the two is right: gold often has whichever date a page shows
    any author              one name is in both; names are compared by their words in lower case
    all authors             the names are the same
    no author               no author is claimed, on articles whose gold has none
    language                its code without a region is the gold's
    site                    its words are those of the gold
    tags, categories        F1 of the set of tags or of categories, ignoring case
    tags and categories     F1 of both sets together
    licence                 it is the gold's, by its letters and version
    no licence              no licence is claimed, where the gold says that there is none

The corpora have no gold of tags, categories and licences: `tests/benchmarks/filed_under.json` has
labels for some of their pages, made by reading these pages. `make fields` writes the table of
docs/metadata.md.
"""

from __future__ import annotations

import importlib
import json
import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeAlias

from benchmarks.corpus_pages import exit_with, write_corpus_table
from benchmarks.marked_blocks import markdown_table
from thresher.document import extract
from thresher.evaluate.corpora import GoldPage
from thresher.evaluate.peers import peer_version
from thresher.page.decode import decode
from thresher.page.words import words

CORPORA = ("fundus", "wcxb-dev")
LABELS = Path("tests") / "benchmarks" / "filed_under.json"

_AUTHOR_SEPARATOR = re.compile(r"[;,&]|\sand\s")
_CREATIVE_COMMONS = re.compile(r"\b(by(?:-nc)?(?:-(?:nd|sa))?|zero)\b\W*(\d\.\d)?", re.I)


@dataclass(frozen=True, slots=True)
class Record:
    """The metadata of one page, as a tool found it or as the gold has it.

    None is a field that the tool does not have, or that the gold does not judge.
    """

    title: str | None = None
    authors: tuple[str, ...] | None = None
    published: str | None = None
    modified: str | None = None
    language: str | None = None
    site: str | None = None
    tags: tuple[str, ...] | None = None
    categories: tuple[str, ...] | None = None
    licence: str | None = None


Reader: TypeAlias = Callable[[GoldPage], Record]


def read_with_thresher(page: GoldPage) -> Record:
    """Return what Thresher finds."""
    document = extract(page.html, url=page.url or None)
    found = document.metadata
    return Record(
        document.title or "",
        found.authors.value,
        found.published.value,
        found.modified.value,
        found.language.value,
        found.site.value,
        found.tags.value,
        found.categories.value,
        found.licence.value,
    )


def read_with_trafilatura(page: GoldPage) -> Record:
    """Return what trafilatura finds; it has one date, scored as `date`, and no language."""
    extract_metadata = importlib.import_module("trafilatura").extract_metadata
    found = extract_metadata(decode(page.html)[0], default_url=page.url or None)
    return Record(
        found.title or "",
        tuple(filter(None, (found.author or "").split("; "))),
        found.date or "",
        None,
        None,
        found.sitename or "",
        # One string may hold several tags.
        tuple(tag.strip() for text in found.tags or () for tag in text.split(",")),
        tuple(found.categories or ()),
        found.license or "",
    )


def installed_readers() -> dict[str, Reader]:
    """Return the tools to compare, by the name that the table shows."""
    readers: dict[str, Reader] = {"Thresher": read_with_thresher}
    if version := peer_version("trafilatura"):
        readers[f"trafilatura {version}"] = read_with_trafilatura
    return readers


# --- gold ------------------------------------------------------------------------------------


def gold_record(page: GoldPage, labels: dict[str, dict[str, list[str] | str]]) -> Record:
    """Return the gold of a page; `labels` are those of `filed_under.json`, by URL."""
    own = labels.get(page.url, {})
    has_author = bool(page.author) or (page.kind == "article" and bool(page.title))
    return Record(
        title=page.title or None,
        authors=tuple(_AUTHOR_SEPARATOR.split(page.author)) if has_author else None,
        published=page.date or None,
        language=page.lang or None,
        tags=tuple(own["tags"]) if "tags" in own else None,
        categories=tuple(own["categories"]) if "categories" in own else None,
        licence=str(own["licence"]) if "licence" in own else None,
    )


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


def licence_name(licence: str) -> str:
    """Return a licence of Creative Commons as `by-sa 4.0`, another licence as it is."""
    found = _CREATIVE_COMMONS.search(licence)
    if found is None:
        return licence.casefold().rstrip("/")
    return " ".join(filter(None, (found[1].lower(), found[2])))


# --- scores ----------------------------------------------------------------------------------


def f1(wanted: Iterable[str], found: Iterable[str]) -> float:
    """Return the F1 of found names."""
    gold, own = names(wanted), names(found)
    return 2 * len(gold & own) / max(len(gold) + len(own), 1)


def correct(gold: Record, found: Record) -> dict[str, float]:
    """Return the score of each field that the gold judges and the tool has."""
    return {
        **_correct_texts(gold, found),
        **_correct_dates(gold, found),
        **_correct_authors(gold, found),
        **_correct_subjects(gold, found),
    }


def _correct_texts(gold: Record, found: Record) -> dict[str, float]:
    scores: dict[str, float] = {}
    if gold.title and found.title is not None:
        scores["title"] = names([gold.title]) == names([found.title])
    if gold.language and found.language is not None:
        scores["language"] = gold.language.split("-")[0] == found.language.split("-")[0]
    if gold.site and found.site is not None:
        scores["site"] = names([gold.site]) == names([found.site])
    if gold.licence is not None and found.licence is not None:
        field = "licence" if gold.licence else "no licence"
        scores[field] = licence_name(gold.licence) == licence_name(found.licence)
    return scores


def _correct_dates(gold: Record, found: Record) -> dict[str, float]:
    if not gold.published or found.published is None:
        return {}
    wanted, published, modified = map(days, (gold.published, found.published, found.modified or ""))
    scores: dict[str, float] = {
        "date": bool(wanted & (published or modified)),
        "either date": bool(wanted & (published | modified)),
    }
    if found.modified is not None:
        scores["published"] = bool(wanted & published)
    return scores


def _correct_authors(gold: Record, found: Record) -> dict[str, float]:
    if gold.authors is None or found.authors is None:
        return {}
    wanted, own = names(gold.authors), names(found.authors)
    if not wanted:
        return {"no author": not own}
    return {"any author": bool(wanted & own), "all authors": wanted == own}


def _correct_subjects(gold: Record, found: Record) -> dict[str, float]:
    if gold.tags is None or gold.categories is None:
        return {}
    tags, categories = found.tags or (), found.categories or ()
    scores = {}
    if gold.tags:
        scores["tags"] = f1(gold.tags, tags)
    if gold.categories:
        scores["categories"] = f1(gold.categories, categories)
    if scores:
        scores["tags and categories"] = f1(gold.tags + gold.categories, tags + categories)
    return scores


Scores: TypeAlias = dict[str, dict[str, list[float]]]  # by field, by tool: one number per page


def scores(pages: Iterable[GoldPage], readers: dict[str, Reader] | None = None) -> Scores:
    """Return the scores of each field and tool."""
    labels = json.loads(LABELS.read_text(encoding="utf-8"))
    readers = installed_readers() if readers is None else readers
    by_field: Scores = defaultdict(lambda: defaultdict(list))
    for page in pages:
        gold = gold_record(page, labels)
        for tool, reader in readers.items():
            for field, score in correct(gold, reader(page)).items():
                by_field[field][tool].append(score)
    return by_field


# --- the table -------------------------------------------------------------------------------

_FIELDS = (
    "title", "published", "date", "either date", "any author", "all authors", "no author",
    "language", "site", "tags", "categories", "tags and categories", "licence", "no licence",
)  # fmt: skip


def table(by_corpus: dict[str, Scores]) -> str:
    """Return the table of docs/metadata.md, and a note if trafilatura is not installed."""
    tools = list({tool: None for own in by_corpus.values() for by in own.values() for tool in by})
    rows = []
    for field in _FIELDS:
        for corpus, own in by_corpus.items():
            if field in own:
                by_tool = own[field]
                pages = max(map(len, by_tool.values()))
                means = [
                    f"{sum(by_tool[tool]) / len(by_tool[tool]):.3f}" if tool in by_tool else "–"
                    for tool in tools
                ]
                rows.append([field, corpus, str(pages), *means])
    lines = markdown_table(["", "corpus", "pages", *tools], rows)
    if not any(tool.startswith("trafilatura") for tool in tools):
        lines += ["", "trafilatura was not installed."]
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Score the fields and write the table into the page; return the exit code."""
    return write_corpus_table(
        "fields", __doc__, "docs/metadata.md", CORPORA, scores, table, arguments
    )


if __name__ == "__main__":
    exit_with(main)
