"""Count defects of the Markdown of 200 pages that a program can find, ours and trafilatura's.

The pages are drawn from seven corpora with a fixed seed. What is a defect is decided from the
Markdown, from the texts of the page, and from the gold text, for each class by a rule of its own.
"""

from __future__ import annotations

import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from benchmarks.corpus_pages import argument_parser, corpus_paths, exit_with
from thresher import extract, parse
from thresher.evaluate import corpora, peers, structure
from thresher.evaluate.structure import StructurePage, markdown_to_html
from thresher.page.decode import decode
from thresher.page.words import words

PAGES = {
    "wcxb-dev": 80, "dragnet": 30, "daniel": 30, "fundus": 20, "big9-chaos": 15, "structure": 15,
    "cleaneval-dev": 10,
}  # fmt: skip
SEED = 2026
_CODE = re.compile(r"^ *(```+|~~~+).*?^ *\1[ \t]*$|`[^`\n]+`", re.S | re.M)
_LINK = re.compile(r"!?\[((?:[^\[\]\\]|\\.)*)\]\((?:[^()\s]|\([^()]*\))*(?: \"[^\"]*\")?\)")
_ESCAPE = re.compile(r"\\(?=[!-/:-@\[-`{}~])")
_CONTROL = re.compile(
    r"(?:share(?: (?:this|on|via).{0,30})?|tweet|print|e-?mail|copy(?: (?:link|code|url))?|"
    r"copied!?|save|reply|report|subscribe|sign (?:up|in)|log in|read more|show (?:more|less)|"
    r"see more|load more|view all|click here|comments?|like|follow(?: us)?|advertisement|"
    r"back to top|close|menu|search|skip to (?:main )?content|next|previous|download|"
    r"edit|permalink)\W*", re.I,
)  # fmt: skip


_SHOWN_CODE = re.compile(r"<(pre|code)\b.*?</\1>|<[^<>]+>", re.S)
_STRONG = re.compile(r"\*\*|__(?=\w)")


class Case(NamedTuple):
    """A page and what a tool wrote of it."""

    markdown: str
    prose: list[str]  # its lines without code, links and images as their texts
    known: frozenset[str]  # the words of the page
    stars: int  # marks of strong text in the texts of the page
    gold: str  # plain text
    lost: int  # elements of the gold: headings, items, code, quotes, cells, links, images


def _paragraphs(text: str, least: int = 10) -> list[list[str]]:
    found = (words(line.casefold()) for line in text.split("\n"))
    return [line for line in found if len(line) >= least]


def _shingles(line: Sequence[str]) -> set[tuple[str, ...]]:
    return {tuple(line[at : at + 4]) for at in range(len(line) - 3)}


def _missing(text: str, other: str) -> int:
    """Count the paragraphs of a text most of whose runs of four words another text has not."""
    known = _shingles(words(other.casefold())) if other else set()
    lines = [_shingles(line) for line in _paragraphs(text)] if other and text else []
    return sum(2 * len(line & known) < len(line) for line in lines)


def _needless_escapes(case: Case) -> int:
    """Count the lines that mean the same without one of their backslashes."""
    lines = [line for line in _CODE.sub("", case.markdown).split("\n") if _ESCAPE.search(line)]
    return sum(
        any(
            markdown_to_html(line) == markdown_to_html(line[: at.start()] + line[at.end() :])
            for at in list(_ESCAPE.finditer(line))[:20]
        )
        for line in lines[:200]
    )


def _empty_headings(case: Case) -> int:
    """Count headings with no text below them before one of the same or a higher level."""
    lines = [line for line in case.markdown.split("\n") if line.strip()]
    levels = [
        len(line) - len(line.lstrip("#")) if re.match(r"#{1,6} ", line) else 0 for line in lines
    ]
    return sum(0 < after <= level for level, after in zip(levels, [*levels[1:], 1], strict=False))


def _glued(case: Case) -> int:
    """Count words that the page has not, and that are two of its words without a space."""
    new = {word for line in case.prose for word in words(line.casefold())} - case.known
    return sum(
        any(word[:at] in case.known and word[at:] in case.known for at in range(3, len(word) - 2))
        for word in new
    )


def _broken_emphasis(case: Case) -> int:
    """Count the marks of strong text that are shown as they are."""
    shown = _SHOWN_CODE.sub("", markdown_to_html(case.markdown))
    return max(len(_STRONG.findall(shown)) - case.stars, 0)


def _count(pattern: str, *, prose: bool = True) -> Callable[[Case], int]:
    found = re.compile(pattern, re.M)
    return lambda case: len(found.findall("\n".join(case.prose) if prose else case.markdown))


def _repeated(case: Case) -> int:
    lines = Counter(line.strip(" #*->") for line in case.prose if len(words(line)) >= 6)
    return sum(count - 1 for count in lines.values())


CLASSES: dict[str, Callable[[Case], int]] = {
    "paragraph of the gold text lost": lambda case: _missing(case.gold, case.markdown),
    "paragraph that the gold text has not": lambda case: _missing("\n".join(case.prose), case.gold),
    "element of the gold lost (`structure`)": lambda case: case.lost,
    "line said twice": _repeated,
    "control or label as a line": lambda case: sum(
        _CONTROL.fullmatch(line.strip(" #*->")) is not None for line in case.prose
    ),
    "heading without text below": _empty_headings,
    "words glued together": _glued,
    "line of signs alone": lambda case: sum(
        not words(line) and re.fullmatch(r"[\s|:-]*|[-*_ ]{3,}|>[> ]*", line) is None
        for line in case.prose
    ),
    "needless backslash": _needless_escapes,
    "empty link, heading or item": _count(
        r"(?<!!)\[\s*\]\(|^#{1,6}\s*$|^\s*(?:[-*+]|\d+\.)\s*$", prose=False
    ),
    "link of a heading to itself": _count(r"^#{1,6} .*(?:¶|\[#\]|🔗|\[edit\])", prose=False),
    "tag or reference as text": _count(
        r"(?<!\\)</?(?:div|span|p|td|tr|ul|li|script|iframe|font|b|strong)\b|&(?:nbsp|quot|#\d+);"
    ),
    "broken emphasis": _broken_emphasis,
    "doubled mark of an item": _count(r"^\s*(?:[-*+]|\d+\.) (?:[-*+•·‣–] |\d+[.)] )"),
    "paragraph cut within a sentence": _count(r"[a-z,]\n\n(?=[a-z]+ [a-z]+ )"),
}  # fmt: skip


def pages() -> Iterator[StructurePage]:
    """Yield the pages; those of other corpora than `structure` have plain text as gold."""
    paths = corpus_paths("defects", list(PAGES))
    for path, size in zip(paths, PAGES.values(), strict=False):
        if path.stem == "structure":
            every = list(structure.read(path))
        else:
            every = [
                StructurePage(page.id, decode(page.html)[0], page.text, page.url)
                for page in corpora.read(path)
            ]
        for page in random.Random(SEED).sample(every, size):
            yield replace(page, id=f"{path.stem}/{page.id}")


def case_of(page: StructurePage, markdown: str) -> Case:
    """Return a case, with what its rules need."""
    texts = parse(page.html).texts
    known = frozenset(word for text in texts for word in words(text.casefold()))
    stars = sum(len(_STRONG.findall(text)) for text in texts)
    text = _LINK.sub(r"\1", _LINK.sub(r"\1", _CODE.sub("", markdown)))
    lost, gold = 0, page.gold
    if page.id.startswith("structure/"):
        source = structure.Source(page.html, page.url, page.title)
        found = structure.elements(markdown_to_html(markdown), source)
        counts = structure.compare(found, structure.elements(gold, source))
        lost = sum(one.gold - one.common for one in counts.values())
        gold = parse(gold).all().text()
    return Case(markdown, text.split("\n"), known, stars, gold, lost)


def main() -> int:
    """Print how many defects of each class the Markdown of all pages has."""
    parser = argument_parser("defects", __doc__, "--each")
    parser.add_argument("--each", action="store_true", help="print the counts of each page, too")
    options = parser.parse_args()
    tools = {"ours": _ours, "trafilatura": peers.markup("trafilatura")["markdown"]}
    totals: dict[str, Counter[str]] = {tool: Counter() for tool in tools}
    for page in pages():
        for tool, write in tools.items():
            case = case_of(page, write(page.html, page.url))
            found = Counter({label: count(case) for label, count in CLASSES.items()})
            totals[tool] += found
            if options.each and +found:
                sys.stdout.write(f"{tool} {page.id} {dict(+found)}\n")
    for label in (*CLASSES, "all"):
        counts = [total.total() if label == "all" else total[label] for total in totals.values()]
        sys.stdout.write(f"| {label} | {' | '.join(map(str, counts))} |\n")
    return 0


def _ours(html: str, url: str) -> str:
    return extract(html, url=url or None).markdown()


if __name__ == "__main__":
    exit_with(main)
