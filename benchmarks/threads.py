"""Threads measured: comments against gold, and posts against counts made by hand.

Comments, on a corpus whose gold keeps them apart (dragnet): the words of all records with author
and time, as the gold has them, against the gold's comments, as bags; of every page whose gold has
comments. Besides: on how many other pages comments are claimed, and which share of the words of
the gold's article is gone when the comments are taken out of the page (the gold's words that the
page has, before less after).

Posts, on forum pages: the number of posts against a count made by hand, right within one.

Kinds: what pages are taken for that are a thread, an index or neither by a verdict made by hand.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.floors import corpora_folder
from thresher.evaluate import corpora
from thresher.evaluate.corpora import GoldPage
from thresher.evaluate.scores import bag, tokens
from thresher.page.parse import parse
from thresher.structure import threads

__all__ = ["Comments", "comments", "kinds", "main", "posts", "within_one"]

COUNTS = Path("tests") / "data" / "forum_posts.json"
VERDICTS = Path("tests") / "data" / "thread_or_index.json"


@dataclass(frozen=True, slots=True)
class Comments:
    """What was measured on pages with comments in their gold, and on pages without."""

    pages: int  # with comments in their gold
    f1: float  # mean over those, of records with author and time
    text_f1: float  # the same of the posts' texts alone
    lost: float  # mean share of the article's words that is lost on those
    others: int  # pages without
    claimed: int  # of those, pages on which comments are claimed
    all_f1: float  # mean over all pages; nothing found where there is nothing is 1


def comments(pages: Iterable[GoldPage]) -> Comments:
    """Measure the comments of pages."""
    found, texts, lost, others = [], [], [], []
    for one in pages:
        page = parse(one.html, url=one.url or None)
        read = threads.read(page)
        is_claimed = read.kind == "comments"
        chosen = read.select(page) if is_claimed else page.none()
        gold = tokens(one.comments)
        score = bag(tokens(chosen.text()), gold).f1
        if not gold:
            others.append((is_claimed, score))
            continue
        found.append(score)
        said = "\n".join(post.text for post in read.posts) if is_claimed else ""
        texts.append(bag(tokens(said), gold).f1)
        article = Counter(tokens(one.text))
        before = article & Counter(tokens(page.all().text()))
        after = article & Counter(tokens((page.all() - chosen).text()))
        lost.append((before.total() - after.total()) / max(article.total(), 1))
    return Comments(
        pages=len(found),
        f1=_mean(found),
        text_f1=_mean(texts),
        lost=_mean(lost),
        others=len(others),
        claimed=sum(is_claimed for is_claimed, _ in others),
        all_f1=_mean([*found, *(score for _, score in others)]),
    )


def posts(pages: Iterable[GoldPage], wanted: Mapping[str, int]) -> dict[str, tuple[int, int]]:
    """Return the number of posts found and counted, by id of page."""
    return {
        one.id: (len(threads.read(parse(one.html, url=one.url or None))), wanted[one.id])
        for one in pages
        if one.id in wanted
    }


def within_one(found: Mapping[str, tuple[int, int]]) -> int:
    """Return on how many pages the number of posts is right within one."""
    return sum(abs(ours - counted) <= 1 for ours, counted in found.values())


def kinds(
    pages: Iterable[GoldPage], verdicts: Mapping[str, Sequence[str]]
) -> dict[str, Counter[str]]:
    """Return for each verdict, with the ids of its pages, how many pages are of which kind."""
    verdict_of = {name: verdict for verdict, names in verdicts.items() for name in names}
    found: dict[str, Counter[str]] = {verdict: Counter() for verdict in verdicts}
    for one in pages:
        if one.id in verdict_of:
            found[verdict_of[one.id]][threads.read(parse(one.html, url=one.url or None)).kind] += 1
    return found


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure all and print it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.threads")
    parser.add_argument(
        "counts", type=Path, nargs="?", default=COUNTS, help="posts counted by hand"
    )
    parser.add_argument(
        "verdicts", type=Path, nargs="?", default=VERDICTS, help="threads and indexes by hand"
    )
    parser.add_argument("--limit", type=int, help="pages of dragnet")
    given = parser.parse_args(arguments)
    folder = corpora_folder()
    if folder is None:
        sys.stdout.write("threads: no corpora, set THRESHER_CORPORA\n")
        return 2
    read = comments(list(corpora.read(folder / "dragnet.parquet"))[: given.limit])
    sys.stdout.write(
        f"comments on dragnet: word F1 {read.f1:.3f} over {read.pages} pages with comments "
        f"({read.text_f1:.3f} without authors and times), {read.all_f1:.3f} over all pages\n"
        f"claimed on {read.claimed} of {read.others} pages without; "
        f"{read.lost:.2%} of the articles' words lost\n"
    )
    counts = json.loads(given.counts.read_text(encoding="utf-8"))
    found = posts(corpora.read(folder / f"{counts['corpus']}.parquet"), counts["posts"])
    sys.stdout.write(f"posts: right within one on {within_one(found)} of {len(found)} pages\n")
    for name, (ours, counted) in sorted(found.items()):
        if ours != counted:
            sys.stdout.write(f"  {name}: {ours} found, {counted} counted\n")
    judged = json.loads(given.verdicts.read_text(encoding="utf-8"))
    pages = corpora.read(folder / f"{judged['corpus']}.parquet")
    for verdict, of_kind in kinds(pages, judged["verdicts"]).items():
        told = ", ".join(f"{number} {kind}" for kind, number in of_kind.most_common())
        sys.stdout.write(f"{of_kind.total()} pages by hand {verdict}: {told}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
