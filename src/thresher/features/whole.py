"""The whole page: its size, its mix of elements, what it says it is."""

from __future__ import annotations

import numpy as np

from thresher.features.frame import Floats, Frame, Lines
from thresher.page import Page
from thresher.tags import NUMBER

__all__ = ["KINDS", "SCHEMA", "WHOLE_FEATURES", "first_h1", "whole_features"]

KINDS = ("article", "forum", "product", "collection", "listing", "documentation", "service")

_A_BLOCK = "p li a img h2 h3 td button svg".split()
_COUNTED = "h1 table form input article section time pre code noscript blockquote dt video".split()
SCHEMA = (
    "NewsArticle", "Article", "BlogPosting", "Product", "DiscussionForumPosting", "QAPage",
    "ItemList", "CollectionPage", "BreadcrumbList", "FAQPage", "TechArticle",
)  # fmt: skip

WHOLE_FEATURES = (
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
    *((f"page_{name}_block", f"{name} elements a block") for name in _A_BLOCK),
    *((f"page_{name}_count", f"{name} elements") for name in _COUNTED),
    ("page_type", "og:type: 1 article, 2 product, 3 website, 4 another, 0 none"),
    *((f"page_{name}", f"times that structured data say {name}") for name in SCHEMA),
    *((f"page_names_{kind}", f"mean log-odds of {kind} over the names on the page")
      for kind in KINDS),
    *((f"kind_{kind}", f"probability that the page is of kind {kind}, 0 until it is judged")
      for kind in KINDS),
)  # fmt: skip

_MOST_SAID = 50
_MOST_READ = 200_000  # characters of structured data


def first_h1(frame: Frame, level: Floats) -> int:
    """Return the block of the first h1 that is shown, or -1."""
    found = ((level == 1) & frame.allowed & ~frame.page.blocks.hidden).nonzero()[0]
    return int(found[0]) if len(found) else -1


def whole_features(
    frame: Frame, h1: int, measures: Floats, repeated: Lines, inside: Lines, kinds: Floats
) -> Floats:
    """Return WHOLE_FEATURES.

    `measures` are those of the containers, `repeated` count and share of each block's path,
    `inside` tells which blocks stand in main and in article, `kinds` is what names say.
    """
    page, found = frame.page, frame.characters
    size = len(frame)
    words = max(float(frame.words.sum()), 1.0)
    hidden = page.blocks.hidden
    small = measures[0] < 0.9
    count = np.bincount(page.tag, minlength=_LAST + 1)
    numbers = [
        size,
        words,
        len(page),
        frame.linked.sum() / words,
        frame.words @ hidden / words,
        frame.words.max(),
        frame.prose.sum() / words,
        np.count_nonzero(frame.prose),
        frame.prose @ ~hidden,
        (measures[0] * measures[8] * small).max(),
        repeated[0].max(),
        repeated[1].max(),
        *(inside @ frame.words / words),
        frame.words[:h1].sum() / words if h1 >= 0 else -1.0,
        found.money.sum(),
        np.count_nonzero(found.money) / size,
        found.digits.sum() / words,
        (found.stops.sum() + found.commas.sum()) / words,
        found.capitals.sum() / words,
        found.questions.sum(),
        *(count[_A_BLOCK_TAGS] / size).tolist(),
        *count[_COUNTED_TAGS].tolist(),
        _open_graph(page),
        *_structured(page),
        *kinds.tolist(),
        *(0.0 for _ in KINDS),
    ]
    return np.array(numbers, np.float64)


_LAST = max(NUMBER.values()) + 1
_A_BLOCK_TAGS = [NUMBER[name] for name in _A_BLOCK]
_COUNTED_TAGS = [NUMBER[name] for name in _COUNTED]
_TYPES = {"article": 1, "product": 2, "website": 3}


def _open_graph(page: Page) -> int:
    """Read what kind of page og:type says it is."""
    for row in (page.tag[: page.body + 1] == NUMBER["meta"]).nonzero()[0].tolist():
        node = page.nodes[row]
        if node.attr("property") == "og:type":
            said = (node.attr("content") or "").lower()
            return next((code for name, code in _TYPES.items() if name in said), 4 if said else 0)
    return 0


def _structured(page: Page) -> list[int]:
    """Count the types that structured data (JSON-LD) name."""
    said: list[str] = []
    for row in (page.tag == NUMBER["script"]).nonzero()[0].tolist():
        node = page.nodes[row]
        if (node.attr("type") or "").lower() == "application/ld+json" and row + 1 < len(page):
            said.append(page.text(row + 1))
    if not said:
        return [0] * len(SCHEMA)
    text = "\n".join(said)[:_MOST_READ]
    return [min(text.count(f'"{name}"'), _MOST_SAID) for name in SCHEMA]
