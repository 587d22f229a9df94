"""The whole page: its size, its mix of elements, what it says it is."""

from __future__ import annotations

import numpy as np

from thresher.methods.default.features.containers import Frame
from thresher.methods.default.features.title import PAGE_TITLE_FEATURES
from thresher.page import Page
from thresher.page.array_types import Float32s, Floats
from thresher.page.tags import NUMBER

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
    (
        "page_old",
        "1 if it has none of the sections of HTML5 (nav, main, article, ...), else 0",
    ),
    *PAGE_TITLE_FEATURES,
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
    frame: Frame,
    h1: int,
    measures: Float32s,
    repeated: Float32s,
    inside: Float32s,
    title: list[float],
    kinds: Floats,
) -> Floats:
    """Return WHOLE_FEATURES.

    `measures` are those of the containers, `repeated` count and share of each block's path,
    `inside` tells which blocks stand in main and in article, `title` are
    PAGE_TITLE_FEATURES, `kinds` is what names say.
    """
    page = frame.page
    size = len(frame)
    total, linked, prose = np.add.reduce((frame.words, frame.linked, frame.prose), axis=1).tolist()
    words = max(total, 1.0)
    hidden = page.blocks.hidden
    small = measures[0] < 0.9
    numbers = [
        size,
        words,
        len(page),
        linked / words,
        frame.words @ hidden / words,
        frame.words.max(),
        prose / words,
        np.count_nonzero(frame.prose),
        frame.prose @ ~hidden,
        float((measures[0] * measures[8] * small).max()),
        *repeated.max(axis=1).tolist(),
        *(inside @ frame.words / words).tolist(),
        frame.words[:h1].sum() / words if h1 >= 0 else -1.0,
        *_signs(frame, words),
        *_elements(page, size),
        *title,
        _open_graph(page),
        *_structured(page),
        *kinds.tolist(),
        *_NOT_JUDGED,
    ]
    return np.array(numbers, np.float64)


def _signs(frame: Frame, words: float) -> list[float]:
    """Return signs of money, share of blocks with one, and what a word has of other characters."""
    digits, capitals, stops, commas, questions, money = frame.characters.totals()
    rich = np.count_nonzero(frame.characters.money) / len(frame)
    return [money, rich, digits / words, (stops + commas) / words, capitals / words, questions]


def _elements(page: Page, blocks: int) -> list[float]:
    """Count elements, some of them a block, and tell whether no section is among them."""
    count = np.bincount(page.tag, minlength=_LAST + 1)
    return [
        *(count.take(_A_BLOCK_TAGS) / blocks).tolist(),
        *count.take(_COUNTED_TAGS).tolist(),
        float(not count.take(_SECTIONS).any()),
    ]


_LAST = max(NUMBER.values()) + 1
_A_BLOCK_TAGS = np.array([NUMBER[name] for name in _A_BLOCK])
_COUNTED_TAGS = np.array([NUMBER[name] for name in _COUNTED])
_SECTIONS = np.array(
    [NUMBER[name] for name in "nav header footer aside main article section".split()]
)
_NOT_JUDGED = (0.0,) * len(KINDS)
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
    rows = (page.tag == NUMBER["script"]).nonzero()[0].tolist()
    nodes = page.nodes
    said = [
        page.text(row + 1)
        for row in rows
        if (kind := nodes[row].attr("type")) is not None
        and kind.lower() == "application/ld+json"
        and row + 1 < len(page)
    ]
    if not said:
        return [0] * len(SCHEMA)
    text = "\n".join(said)[:_MOST_READ]
    return [min(text.count(f'"{name}"'), _MOST_SAID) for name in SCHEMA]
