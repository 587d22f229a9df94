"""Features of the whole page: its size, its mix of elements, and the kind it declares."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from thresher.methods.default.features.containers import Outline
from thresher.methods.default.features.densities import DENSITY_FEATURES, MEASURE
from thresher.methods.default.features.title import PAGE_TITLE_FEATURES
from thresher.page import Page
from thresher.page.array_types import Float32s, Floats
from thresher.page.core import COMPILED
from thresher.page.tags import NUMBER

if COMPILED:
    from thresher.methods.default.features import _features

KINDS = ("article", "forum", "product", "collection", "listing", "documentation", "service")

_TAGS_PER_BLOCK = "p li a img h2 h3 td button svg".split()
_TAGS_COUNTED = (
    "h1 table form input article section time pre code noscript blockquote dt video".split()
)
SCHEMA = (
    "NewsArticle", "Article", "BlogPosting", "Product", "DiscussionForumPosting", "QAPage",
    "ItemList", "CollectionPage", "BreadcrumbList", "FAQPage", "TechArticle",
)  # fmt: skip

PAGE_FEATURES = {
    "page": (
        ("page_blocks", "blocks"),
        ("page_words", "words"),
        ("page_rows", "elements and texts"),
        ("page_links", "share of words in links"),
        ("page_hidden", "share of words that a browser does not show"),
        ("page_longest", "words of the longest block"),
        ("page_prose", "share of words in blocks of prose"),
        ("page_prose_blocks", "blocks of prose"),
        ("page_prose_shown", "words in blocks of prose that are shown"),
        ("page_richest", "largest share times prose of a container with under 0.9 of the words"),
        ("page_repeats", "blocks with the most frequent tag and class path"),
        ("page_repeated", "largest share of words with one tag and class path"),
        ("page_main", "share of words in main"),
        ("page_article", "share of words in article"),
        ("page_h1", "share of words before the first h1, -1 without one"),
        ("page_money", "signs of money"),
        ("page_money_blocks", "share of blocks with one"),
        ("page_digits", "digits a word"),
        ("page_stops", "stops and commas a word"),
        ("page_capitals", "capitals a word"),
        ("page_questions", "question marks"),
        *((f"page_{name}_block", f"{name} elements a block") for name in _TAGS_PER_BLOCK),
        *((f"page_{name}_count", f"{name} elements") for name in _TAGS_COUNTED),
        ("page_old", "1 if it has none of the sections of HTML5 (nav, main, article, ...), else 0"),
    ),
    "page title": PAGE_TITLE_FEATURES,
    "page declares": (
        ("page_type", "og:type: 1 article, 2 product, 3 website, 4 another, 0 none"),
        *((f"page_{name}", f"times that structured data say {name}") for name in SCHEMA),
    ),
    "page names": tuple(
        (f"page_names_{kind}", f"mean log-odds of {kind} over the names on the page")
        for kind in KINDS
    ),
}

KIND_FEATURES = tuple(
    (f"kind_{kind}", f"probability that the page is of kind {kind}, 0 until it is judged")
    for kind in KINDS
)

_MOST_COUNTED = 50
_MOST_READ = 200_000  # characters of structured data


def first_h1(outline: Outline, level: Floats) -> int:
    """Return the block of the first h1 that is not hidden, -1 if there is none."""
    found = ((level == 1) & outline.allowed & ~outline.page.blocks.hidden).nonzero()[0]
    return int(found[0]) if len(found) else -1


def page_features(
    outline: Outline,
    h1: int,
    measures: Float32s,
    lines: Mapping[str, Float32s],
    title: list[float],
    kinds: Floats,
) -> list[float]:
    """Return PAGE_FEATURES.

    `measures` are those of the containers, `lines` the features of the blocks by group, `title`
    PAGE_TITLE_FEATURES, `kinds` the mean log-odds of each page kind over the names of the page.
    """
    page, size = outline.page, len(outline)
    sums = _page_sums(outline, measures, lines)
    words = max(sums.words, 1.0)
    found = outline.characters
    tags = np.bincount(page.tag, minlength=_LAST_TAG + 1)
    return [
        size,
        words,
        len(page),
        sums.linked / words,
        sums.hidden / words,
        sums.longest,
        sums.prose / words,
        sums.prose_blocks,
        sums.prose_shown,
        sums.richest,
        sums.repeats,
        sums.repeated,
        sums.in_main / words,
        sums.in_article / words,
        outline.words[:h1].sum() / words if h1 >= 0 else -1.0,
        found.money.sum(),
        np.count_nonzero(found.money) / size,
        found.digits.sum() / words,
        (found.stops.sum() + found.commas.sum()) / words,
        found.capitals.sum() / words,
        found.questions.sum(),
        *(tags.take(_PER_BLOCK) / size).tolist(),
        *tags.take(_COUNTED).tolist(),
        float(not tags.take(_SECTIONS).any()),
        *title,
        _open_graph_type(page),
        *_schema_counts(page),
        *kinds.tolist(),
    ]


class _PageSums(NamedTuple):
    """Sums over the words of all blocks, and largest values of a block or container."""

    words: float
    linked: float
    prose: float
    hidden: float
    longest: float
    prose_blocks: int
    prose_shown: float
    richest: float
    repeats: float
    repeated: float
    in_main: float
    in_article: float


def _page_sums(outline: Outline, measures: Float32s, lines: Mapping[str, Float32s]) -> _PageSums:
    hidden = outline.page.blocks.hidden
    share, prose = measures[MEASURE["share"]], measures[MEASURE["prose"]]
    same_path_count, same_path_share, *_ = lines["same class path"]
    in_main, in_article = (lines["inside"][_INSIDE[name]] for name in ("in_main", "in_article"))
    if COMPILED:
        return _PageSums(
            *_features.page_sums(
                outline.words, outline.linked, outline.prose, hidden.view(np.uint8), in_main,
                in_article, same_path_count, same_path_share, share, prose,
            )
        )  # fmt: skip
    return _PageSums(
        words=float(outline.words.sum()),
        linked=float(outline.linked.sum()),
        prose=float(outline.prose.sum()),
        hidden=float(outline.words @ hidden),
        longest=float(outline.words.max()),
        prose_blocks=int(np.count_nonzero(outline.prose)),
        prose_shown=float(outline.prose @ ~hidden),
        richest=float((share * prose * (share < 0.9)).max()),
        repeats=float(same_path_count.max()),
        repeated=float(same_path_share.max()),
        in_main=float(in_main @ outline.words),
        in_article=float(in_article @ outline.words),
    )


_INSIDE = {name: line for line, (name, _) in enumerate(DENSITY_FEATURES["inside"])}
_LAST_TAG = max(NUMBER.values()) + 1
_PER_BLOCK, _COUNTED, _SECTIONS = (
    np.array([NUMBER[name] for name in names])
    for names in (
        _TAGS_PER_BLOCK,
        _TAGS_COUNTED,
        "nav header footer aside main article section".split(),
    )
)
_OPEN_GRAPH_TYPES = {"article": 1, "product": 2, "website": 3}


def _open_graph_type(page: Page) -> int:
    """Return the number of the page's og:type: 0 without one, 4 for one that is not known."""
    for row in (page.tag[: page.body + 1] == NUMBER["meta"]).nonzero()[0].tolist():
        node = page.nodes[row]
        if node.attr("property") == "og:type":
            declared = (node.attr("content") or "").lower()
            numbers = (number for name, number in _OPEN_GRAPH_TYPES.items() if name in declared)
            return next(numbers, 4 if declared else 0)
    return 0


def _schema_counts(page: Page) -> list[int]:
    """Count how often the page's structured data (JSON-LD) name each of SCHEMA."""
    texts = [
        page.text(row + 1)
        for row in (page.tag == NUMBER["script"]).nonzero()[0].tolist()
        if (page.nodes[row].attr("type") or "").lower() == "application/ld+json"
        and row + 1 < len(page)
    ]
    text = "\n".join(texts)[:_MOST_READ]
    return [min(text.count(f'"{name}"'), _MOST_COUNTED) for name in SCHEMA]
