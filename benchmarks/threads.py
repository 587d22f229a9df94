"""Score comments against gold, and posts and page kinds against counts made by hand.

Comments, on dragnet, whose gold has them apart from the article: bag-of-words F1 of the records
with author and time, which the gold includes, over the pages whose gold has comments. Also the
number of other pages on which comments are found, and the share of the words of the gold article
that is lost when the comments are removed from the page.

Posts, on forum pages: the number of posts against a count made by hand, right within one.

Kinds: the kind that is found for pages which are a thread, an index or neither, as judged by hand.

Missing: on all pages of a thread of all corpora, the number of posts of which a text is not in the
text of the document. It should be 0. Also the same for comments of forum pages of wcxb-dev.

`make threads` prints all of it.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.corpus_pages import argument_parser, corpus_paths, exit_with, gold_pages
from thresher.document import extract
from thresher.evaluate import corpora
from thresher.evaluate.corpora import GoldPage
from thresher.evaluate.scores import bag, tokens
from thresher.page.parse import parse
from thresher.structure import threads

COUNTS = Path("tests") / "benchmarks" / "forum_posts.json"
VERDICTS = Path("tests") / "benchmarks" / "thread_or_index.json"


@dataclass(frozen=True, slots=True)
class Comments:
    """Scores on pages with comments in their gold, and on pages without."""

    pages: int  # with comments in their gold
    f1: float  # mean over those, of records with author and time
    text_f1: float  # the same of the posts' texts alone
    lost: float  # mean share of the article's words that is lost on those
    others: int  # pages without
    claimed: int  # of those, pages on which comments are found
    all_f1: float  # mean over all pages; 1 where there are no comments and none are found


def comments(pages: Iterable[GoldPage]) -> Comments:
    """Score the comments of pages."""
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
        text = "\n".join(post.text for post in read.posts) if is_claimed else ""
        texts.append(bag(tokens(text), gold).f1)
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
    """Return the number of posts that are found and the number counted by hand, by page id."""
    return {
        one.id: (len(threads.read(parse(one.html, url=one.url or None))), wanted[one.id])
        for one in pages
        if one.id in wanted
    }


def within_one(found: Mapping[str, tuple[int, int]]) -> int:
    """Return the number of pages on which the number of posts is right within one."""
    return sum(abs(ours - counted) <= 1 for ours, counted in found.values())


def kinds(
    pages: Iterable[GoldPage], verdicts: Mapping[str, Sequence[str]]
) -> dict[str, Counter[str]]:
    """Return the number of pages of each kind, by verdict; `verdicts` has page ids by verdict."""
    verdict_of = {name: verdict for verdict, names in verdicts.items() for name in names}
    found: dict[str, Counter[str]] = {verdict: Counter() for verdict in verdicts}
    for one in pages:
        if one.id in verdict_of:
            found[verdict_of[one.id]][threads.read(parse(one.html, url=one.url or None)).kind] += 1
    return found


@dataclass(frozen=True, slots=True)
class Missing:
    """Posts that the text of documents leaves out, wholly or in part."""

    pages: int  # with posts
    posts: int  # with text
    missing: int  # of these, posts of which a text is left out
    names: tuple[str, ...]  # the ids of their pages


def missing(pages: Iterable[GoldPage], kind: threads.Kind = "thread") -> Missing:
    """Count the posts of which a text is not in the text of the document, on pages of a kind."""
    count = posts = left_out = 0
    names: list[str] = []
    for one in pages:
        document = extract(one.html, url=one.url or None)
        if document.threads.kind != kind:
            continue
        kept = set(document.selection.rows.tolist())
        texts = [
            [row for row in post.text_rows if document.page.words[row]]
            for post in document.threads.posts
        ]
        texts = [rows for rows in texts if rows]
        lost = sum(not kept.issuperset(rows) for rows in texts)
        count, posts, left_out = count + 1, posts + len(texts), left_out + lost
        names += [one.id] if lost else []
    return Missing(count, posts, left_out, tuple(names))


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Print all scores; return the exit code."""
    parser = argument_parser("threads", __doc__, "--limit 100")
    parser.add_argument(
        "counts", type=Path, nargs="?", default=COUNTS, help="posts counted by hand"
    )
    parser.add_argument(
        "verdicts", type=Path, nargs="?", default=VERDICTS, help="kinds of pages judged by hand"
    )
    parser.add_argument("--limit", type=int, help="pages of dragnet")
    given = parser.parse_args(arguments)
    counts = json.loads(given.counts.read_text(encoding="utf-8"))
    judged = json.loads(given.verdicts.read_text(encoding="utf-8"))
    paths = corpus_paths("threads", ["dragnet", counts["corpus"], judged["corpus"]])
    if not paths:
        return 2
    dragnet, counted_pages, judged_pages = paths
    read = comments(gold_pages([dragnet], given.limit))
    sys.stdout.write(
        f"comments on dragnet: word F1 {read.f1:.3f} over {read.pages} pages with comments "
        f"({read.text_f1:.3f} without authors and times), {read.all_f1:.3f} over all pages\n"
        f"claimed on {read.claimed} of {read.others} pages without; "
        f"{read.lost:.2%} of the articles' words lost\n"
    )
    found = posts(corpora.read(counted_pages), counts["posts"])
    sys.stdout.write(f"posts: right within one on {within_one(found)} of {len(found)} pages\n")
    for name, (ours, counted) in sorted(found.items()):
        if ours != counted:
            sys.stdout.write(f"  {name}: {ours} found, {counted} counted\n")
    for verdict, of_kind in kinds(corpora.read(judged_pages), judged["verdicts"]).items():
        shown = ", ".join(f"{number} {kind}" for kind, number in of_kind.most_common())
        sys.stdout.write(f"{of_kind.total()} pages by hand {verdict}: {shown}\n")
    folder = dragnet.parent
    for path in sorted(folder.glob("*.parquet")):
        if path.stem not in _WITHOUT_PAGES:
            _print_missing(path.stem, missing(corpora.read_first(path, given.limit)))
    forums = [page for page in corpora.read(judged_pages) if page.kind == "forum"]
    _print_missing("forums below other content", missing(forums, "comments"))
    return 0


_WITHOUT_PAGES = ("acl-abstracts", "structure")


def _print_missing(name: str, found: Missing) -> None:
    where = f" ({', '.join(found.names)})" if found.names else ""
    sys.stdout.write(
        f"{name}: {found.missing} of {found.posts} posts of {found.pages} pages not in the text"
        f"{where}\n"
    )


if __name__ == "__main__":
    exit_with(main)
