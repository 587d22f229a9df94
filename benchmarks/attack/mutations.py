"""Mutated pages through every format: each output is well-formed, harmless and the same twice.

The pages are pieces of real pages (of the corpora, else of generated ones), cut, repeated and
swapped, with tags, brackets and odd characters in them. Of each,
- JSON loads;
- TEI is valid by its schema;
- HTML read and written again is the same, and has only the elements that it may have;
- Markdown in a renderer that allows HTML makes only the tags that it writes itself;
- the same page gives the same output.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import turbohtml
from lxml import etree
from markdown_it import MarkdownIt

import thresher
from benchmarks.attack.rows import Row, print_rows, row
from benchmarks.safety import mutated
from benchmarks.speed import sample_pages
from thresher import render
from thresher.document import field_names
from thresher.render.html import _TAGS as HTML_TAGS

PIECES = (
    "<pre>", "</pre>", "<code>", "`", "```", "\n\n", "&#13;", "&lt;script&gt;", "&lt;", "<u>",
    "</u>", "<table><tr><td>", "<sup><a href=#a>1</a></sup>", "<p id=a>",
    "<aside role=doc-footnote id=fn-1>", "<blockquote>", "<ul><li>", "<dl><dt>", "<dd>", "[",
    "](", "\\", "*", "_", "|", "$", "<img alt='>'>", "<a href='x\"' title='\"&gt;'>", "</a>",
    "<math><mi>x", "<svg><title>", "\u2028", "&#11;", "<h1>", "<details><summary>", "<b>", "<i>",
    "<q>", "<ol start=99999999999>", "<template>", "<!--", "-->",
)  # fmt: skip
OWN_TAGS = frozenset({"mark", "sub", "sup", "kbd", "ins", "em", "strong", "del", "br"})


def attack(count: int = 5_000, seed: int = 1) -> list[Row]:
    """Mutate pages `count` times; return a row for each check."""
    checks = {
        "JSON loads": json_problem,
        "TEI is valid": tei_problem,
        "HTML is read as written": html_problem,
        "Markdown has no tags of the page": markdown_problem,
        "same twice": sameness_problem,
    }
    outcomes: dict[str, list[str]] = {name: [] for name in checks}
    for number, source in enumerate(pages(count, seed)):
        for name, check in checks.items():
            try:
                problem = check(source)
            except Exception as error:
                problem = f"{type(error).__name__}: {error!s:.300}"
            outcomes[name].append(f"page {number} of seed {seed}: {problem}" if problem else "")
    return [row(f"mutated pages: {name}", found) for name, found in outcomes.items()]


def pages(count: int, seed: int) -> Iterator[str]:
    """Yield mutated pages."""
    draw = random.Random(seed)
    for page in mutated(sample_pages(40)[0], count, seed):
        text = page
        for _ in range(draw.randrange(12)):
            at = draw.randrange(len(text) + 1)
            text = text[:at] + "".join(draw.choices(PIECES, k=draw.randrange(1, 4))) + text[at:]
        yield text


def json_problem(source: str) -> str:
    """Return "" if all fields are JSON, else what is wrong."""
    found = json.loads(thresher.extract(source).json(fields=field_names()))
    return "" if list(found) == list(field_names()) else "other fields"


@cache
def _schema() -> etree.RelaxNG:
    return etree.RelaxNG(etree.parse(str(Path(render.__file__).parent / "tei" / "tei.rng")))


def tei_problem(source: str) -> str:
    """Return "" if TEI is valid, else what is wrong."""
    root = etree.fromstring(thresher.extract(source, method="plain").tei().encode())
    return "" if _schema().validate(root) else str(_schema().error_log)[:300]


def html_problem(source: str) -> str:
    """Return "" if HTML is the same after it was read and has allowed elements only."""
    written = thresher.extract(source, method="plain").html()
    again = turbohtml.parse(f"<!DOCTYPE html><body>{written}")
    article = again.select_one("article")
    if article is None or article.html.replace("\u00a0", "&nbsp;") != written:
        return f"read again it is {str(article and article.html)[:200]!a}, not {written[:200]!a}"
    used = {node.tag for node in article.select("*")}
    return f"it has {used - HTML_TAGS}" if used - HTML_TAGS else ""


_commonmark = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


def markdown_problem(source: str) -> str:
    """Return "" if a renderer finds only tags that Thresher writes, else the others."""
    written = thresher.extract(source, method="plain").markdown()
    for token in _commonmark.parse(written):
        for part in [token, *(token.children or [])]:
            if part.type == "html_block":
                return f"a block of HTML: {part.content[:200]!a}"
            if part.type == "html_inline" and part.content.strip("</>") not in OWN_TAGS:
                return f"a tag: {part.content[:200]!a}"
    return ""


def sameness_problem(source: str) -> str:
    """Return "" if two extractions of a page give the same outputs."""
    first, second = thresher.extract(source), thresher.extract(source)
    for form in render.FORMATS:
        if first.render(form) != second.render(form):
            return f"{form} differs"
    return ""


if __name__ == "__main__":
    print_rows(attack())
