"""Features of the whole page: its size, its mix of elements, and the kind it declares."""

from __future__ import annotations

from collections.abc import Mapping

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
    total, linked, prose = np.add.reduce(
        (outline.words, outline.linked, outline.prose), axis=1
    ).tolist()
    words = max(total, 1.0)
    hidden = page.blocks.hidden
    share = measures[MEASURE["share"]]
    richest = (share * measures[MEASURE["prose"]] * (share < 0.9)).max()
    same_path_count, same_path_share, *_ = lines["same class path"]
    in_main, in_article = (lines["inside"][INSIDE[name]] for name in ("in_main", "in_article"))
    counts = outline.characters.counts
    digits, capitals, stops, commas, questions, money = np.add.reduce(counts, axis=1).tolist()
    tags = np.bincount(page.tag, minlength=_LAST_TAG + 1)
    return [
        size,
        words,
        len(page),
        linked / words,
        outline.words @ hidden / words,
        outline.words.max(),
        prose / words,
        np.count_nonzero(outline.prose),
        outline.prose @ ~hidden,
        richest,
        same_path_count.max(),
        same_path_share.max(),
        in_main @ outline.words / words,
        in_article @ outline.words / words,
        outline.words[:h1].sum() / words if h1 >= 0 else -1.0,
        money,
        np.count_nonzero(outline.characters.money) / size,
        digits / words,
        (stops + commas) / words,
        capitals / words,
        questions,
        *(tags.take(PER_BLOCK) / size).tolist(),
        *tags.take(COUNTED).tolist(),
        float(not tags.take(SECTIONS).any()),
        *title,
        open_graph_type(page),
        *schema_counts(page),
        *kinds.tolist(),
    ]


INSIDE = {name: line for line, (name, _) in enumerate(DENSITY_FEATURES["inside"])}
_LAST_TAG = max(NUMBER.values()) + 1
PER_BLOCK, COUNTED, SECTIONS = (
    np.array([NUMBER[name] for name in names])
    for names in (
        _TAGS_PER_BLOCK,
        _TAGS_COUNTED,
        "nav header footer aside main article section".split(),
    )
)
OPEN_GRAPH_TYPES = {"article": 1, "product": 2, "website": 3}


def open_graph_type(page: Page) -> int:
    """Return the number of the page's og:type: 0 without one, 4 for one that is not known."""
    row = min(page.stated.graph_types, default=len(page))
    if row > page.body:
        return 0
    declared = (page.nodes[row].attr("content") or "").lower()
    numbers = (number for name, number in OPEN_GRAPH_TYPES.items() if name in declared)
    return next(numbers, 4 if declared else 0)


def schema_counts(page: Page) -> list[int]:
    """Count how often the page's structured data (JSON-LD) name each of SCHEMA."""
    scripts = page.stated.linked_data
    if not scripts:
        return [0] * len(SCHEMA)
    text = "\n".join(filter(None, map(page.code, scripts)))[:_MOST_READ]
    if COMPILED:
        counts = _features.count_quoted(text, SCHEMA)
    else:
        counts = [text.count(f'"{name}"') for name in SCHEMA]
    return [min(count, _MOST_COUNTED) for count in counts]
