"""The headline of a page, and where each block is in relation to it.

Pages of today mark their headline with an h1; older ones often do not. Most repeat it in `<title>`,
with the name of the site before or after it. White space and case aside, the headline is the block
whose text is the largest part of the title; a heading counts as if it were a quarter of the title
longer, an h1 as if it were half of the title longer. Without such a block it is the first h1.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import compress

import numpy as np

from thresher.methods.default.features.containers import Outline
from thresher.methods.default.features.densities import COMMON, fill_common
from thresher.methods.default.features.position import fill_distance
from thresher.page import Page
from thresher.page.array_types import Bools, Float32s, Floats, Rows
from thresher.page.tags import NUMBER

TITLE_FEATURES = {
    "distance from headline": (
        ("title_blocks", "blocks after the headline, negative before it; -999 without one"),
        ("title_words", "share of the page's words between the headline and it; -9 without one"),
    ),
    "common with headline": tuple(
        (f"title_{name}", meaning.format("the headline") + " (-1: none)")
        for name, meaning in COMMON
    ),
}

STEPS = 4

PAGE_TITLE_FEATURES = (
    ("page_title_part", "share of the title that the headline says, 0 if there is none in it"),
    *(
        (f"page_title_{name}_{step}", f"{meaning} {step} steps up from the headline (-1: none)")
        for name, meaning in (
            ("prose", "words in blocks of prose,"),
            ("links", "share of words in links,"),
            ("share", "share of the page's words,"),
        )
        for step in range(STEPS)
    ),
)

LEAST_CHARS = 4  # of a headline
LEAST_SHARE = 0.2  # of the title
MOST_CHARS = 400  # of a title that are read
HEADING_BONUS, H1_BONUS = 0.25, 0.5  # in shares of the title


def find_headline(outline: Outline, level: Floats, h1: int) -> tuple[int, float]:
    """Return the block of the headline (-1: none), and its share of the title.

    Without a block that is part of the title it is `h1`, the first h1, and the share is 0. `level`
    has the heading level of each block.
    """
    blocks = outline.page.blocks
    written = page_title(outline.page)
    title = squeezed(written)
    least = max(LEAST_CHARS, LEAST_SHARE * len(title))
    fits = (blocks.chars <= len(written)) & (blocks.chars >= least)
    fits &= outline.allowed & ~blocks.hidden
    best = (0.0, -h1, 0.0)  # share and bonus, minus the block (the first one wins), share
    for among, bonus in ((level == 1, H1_BONUS), (level > 1, HEADING_BONUS), (level == 0, 0.0)):
        if best[0] <= 1.0 + bonus:  # else even the whole title would be less
            length, minus_block = _longest_part(outline.page, fits & among, title)
            if length >= least:
                share = length / len(title)
                best = max(best, (share + bonus, minus_block, share))
    return -best[1], best[2]


def _longest_part(page: Page, candidates: Bools, title: str) -> tuple[int, int]:
    """Return the length of the longest text that is part of the title, and minus its block.

    `candidates` says which blocks are compared. Of texts of one length the first block wins.
    """
    chosen = candidates.nonzero()[0]
    if not len(chosen):
        return 0, 0
    texts = _squeezed_texts(page, chosen)
    found = compress(
        zip(map(len, texts), (-chosen).tolist(), strict=True), map(title.__contains__, texts)
    )
    return max(found, default=(0, 0))


def _squeezed_texts(page: Page, chosen: Rows) -> list[str]:
    """Return the text of each chosen block without white space and case.

    The texts are squeezed all at once, with NUL (which HTML cannot contain) between them.
    """
    first, last = page.blocks.texts_from.take(chosen), page.blocks.texts_to.take(chosen)
    texts = list(map(page.texts.__getitem__, first.tolist()))
    for place in (first < last).nonzero()[0].tolist():
        texts[place] = "".join(page.texts[first[place] : last[place] + 1])
    found = squeezed("\0".join(texts).replace(" ", "")).split("\0")
    return found if len(found) == len(texts) else list(map(squeezed, texts))


def page_title(page: Page) -> str:
    """Return the first title in the head that is not blank."""
    for row in (page.tag[: page.body] == NUMBER["title"]).nonzero()[0].tolist():
        text = " ".join("".join(page.texts_inside(row))[:MOST_CHARS].split())
        if text:
            return text
    return ""


def squeezed(text: str) -> str:
    """Return a text without white space and case."""
    return "".join(text.split()).casefold()


def fill_title_features(
    outline: Outline, h1: int, level: Floats, measures: Float32s, lines: Mapping[str, Float32s]
) -> tuple[int, list[float]]:
    """Fill in TITLE_FEATURES, and return the block of the headline and PAGE_TITLE_FEATURES.

    `measures` are those of the containers, `level` and `h1` as in `find_headline`. The features of
    the first h1 must be filled in already: mostly it is the headline.
    """
    block, share = find_headline(outline, level, h1)
    total = max(float(outline.words.sum()), 1.0)
    distance, common = lines["distance from headline"], lines["common with headline"]
    if block == h1:
        distance[:], common[:] = lines["distance from h1"], lines["common with h1"]
    else:
        fill_distance(block, outline.words.cumsum() - outline.words, total, distance)
        fill_common(outline, int(outline.container[block]), measures, common)
    if block < 0:
        return block, [0.0, *[-1.0] * (len(PAGE_TITLE_FEATURES) - 1)]
    around = [int(outline.outermost[outline.container[block]])]
    for _ in range(STEPS - 1):
        around.append(int(outline.wider[around[-1]]))
    sums = outline.sums
    words, linked, prose = (
        values.take(around) for values in (sums.words, sums.linked_words, sums.prose)
    )
    links = linked / np.maximum(words, 1)
    return block, [share, *prose.tolist(), *links.tolist(), *(words / total).tolist()]
