"""Variations: what may be unusual about a page, with its probability."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from benchmarks.generator.blocks import Block, Code, Figure, Items, Post, Quote, Run, Table
from benchmarks.generator.sites import Design, Site

COPIES = {  # of the content, hidden, and not gold
    "hidden div": 0.06,
    "noscript": 0.06,
    "template": 0.06,
    "textarea": 0.06,
}
CONTENT = {  # contained in the content
    "links": 0.5,
    "lists": 0.35,
    "tables": 0.2,
    "spanning tables": 0.12,
    "code": 0.15,
    "quotes": 0.3,
    "figures": 0.3,
}
_CHANCES = {
    "short": 0.1,  # the content is one sentence
    **CONTENT,
    "comments": 0.35,  # of readers, apart from the content
    "long furniture": 0.25,  # more words of boilerplate than of content
    **COPIES,
    "noise": 0.2,  # many scripts, styles and HTML comments
    "unclosed": 0.12,
    "misnested": 0.08,
    "stray end tags": 0.08,
    "unquoted": 0.12,
    "no body": 0.08,  # no html, head and body tags
    "upper case": 0.08,
    "one line": 0.1,  # no line breaks at all
    "line per tag": 0.1,
    "legacy charset": 0.3,
    "no meta": 0.2,  # no declared charset
}
_LAYOUTS = ("table layout", "div layout")  # given by the design of the site

VARIATIONS: tuple[str, ...] = (*_CHANCES, *_LAYOUTS)
_COMMENTED = frozenset({"news", "blog", "product"})
_EXCLUDED = {
    "short": {*CONTENT, "misnested", "comments"},
    "one line": {"line per tag"},
    "tables": {"spanning tables"},
}


def choose(random: Random, site: Site, design: Design) -> frozenset[str]:
    """Return the variations of a page, chosen at random among those that are possible on it."""
    chosen = {name for name, chance in _CHANCES.items() if random.random() < chance}
    for name, excluded in _EXCLUDED.items():
        if name in chosen:
            chosen -= excluded
    if site.genre not in _COMMENTED:
        chosen.discard("comments")
    if not site.language.charsets:
        chosen.discard("legacy charset")
    if design.layout != "semantic":
        chosen.add("table layout" if design.layout == "tables" else "div layout")
    return frozenset(chosen)


def content_variations(blocks: Iterable[Block]) -> frozenset[str]:
    """Return the variations that the content contains, chosen or part of the genre."""
    found: set[str] = set()
    waiting = list(blocks)
    while waiting:
        block = waiting.pop()
        match block:
            case Items():
                found.add("lists")
            case Table(rows):
                spans = any(cell.across > 1 or cell.down > 1 for row in rows for cell in row)
                found.add("spanning tables" if spans else "tables")
            case Code():
                found.add("code")
            case Quote():
                found.add("quotes")
            case Figure():
                found.add("figures")
            case Post(_, _, inner):
                waiting += inner
        if any(run.mark == "a" for run in _runs(block)):
            found.add("links")
    return frozenset(found)


def _runs(block: Block) -> list[Run]:
    lines = [getattr(block, "line", ()), *getattr(block, "lines", ())]
    return [run for line in lines for run in line]
