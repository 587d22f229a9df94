"""The title: the block that says what the page's `<title>` says, and where a block stands to it.

Pages of today mark their headline with an h1, older ones often do not; but most say it in the title
as well, with the name of the site before or after it. White space and case put aside, the headline
is the block whose text is the largest part of the title; that it is a heading counts as a quarter
of the title more, an h1 as half. Without such a block the first h1 is taken.
"""

from __future__ import annotations

from itertools import compress

import numpy as np

from thresher.methods.default.features.containers import Frame
from thresher.methods.default.features.densities import COMMON, fill_common
from thresher.methods.default.features.position import distance
from thresher.page import Page
from thresher.page.array_types import Bools, Float32s, Floats, Rows
from thresher.page.tags import NUMBER

TITLE_FEATURES = (
    ("title_blocks", "blocks after the headline, negative before it; -999 without one"),
    ("title_words", "share of the page's words between the headline and it; -9 without one"),
    *(
        (f"title_{name}", meaning.format("the headline") + " (-1: none)")
        for name, meaning in COMMON
    ),
)

_STEPS = 4

PAGE_TITLE_FEATURES = (
    ("page_title_part", "share of the title that the headline says, 0 if there is none in it"),
    *(
        (f"page_title_{name}_{step}", f"{meaning} {step} steps up from the headline (-1: none)")
        for name, meaning in (
            ("prose", "words in blocks of prose,"),
            ("links", "share of words in links,"),
            ("share", "share of the page's words,"),
        )
        for step in range(_STEPS)
    ),
)

_LEAST = 4  # characters of a headline
_LEAST_PART = 0.2  # of the title
_LONGEST = 400  # characters of a title that are read
_HEADING, _H1 = 0.25, 0.5


def title_block(frame: Frame, level: Floats, h1: int) -> tuple[int, float]:
    """Return the block that says most of the title, and its share; or the first h1 (-1), and 0.

    `level` is that of each block's heading.
    """
    blocks = frame.page.blocks
    written = _title(frame.page)
    title = _squeezed(written)
    least = max(_LEAST, _LEAST_PART * len(title))
    fits = (blocks.chars <= len(written)) & (blocks.chars >= least)
    fits &= frame.allowed & ~blocks.hidden
    best = (0.0, -h1, 0.0)  # how like, the block with its sign turned (the first counts), its share
    for among, extra in ((level == 1, _H1), (level > 1, _HEADING), (level == 0, 0.0)):
        if best[0] <= 1.0 + extra:  # else even the whole title would be less
            length, place = _longest(frame.page, fits & among, title)
            if length >= least:
                share = length / len(title)
                best = max(best, (share + extra, place, share))
    return -best[1], best[2]


def _longest(page: Page, asked: Bools, title: str) -> tuple[int, int]:
    """Return of the longest text of some blocks that stands in the title how long it is, and whose.

    The number of the block has its sign turned; of texts as long it is the first one's.
    """
    chosen = asked.nonzero()[0]
    if not len(chosen):
        return 0, 0
    said = _said(page, chosen)
    found = compress(
        zip(map(len, said), (-chosen).tolist(), strict=True), map(title.__contains__, said)
    )
    return max(found, default=(0, 0))


def _said(page: Page, chosen: Rows) -> list[str]:
    """Return the text of each of some blocks, without white space and case.

    All at once, parted by NUL, which HTML does not have.
    """
    first, last = page.blocks.texts_from.take(chosen), page.blocks.texts_to.take(chosen)
    said = list(map(page.texts.__getitem__, first.tolist()))
    for place in (first < last).nonzero()[0].tolist():
        said[place] = "".join(filter(None, page.texts[first[place] : last[place] + 1]))
    written: list[str] = said  # type: ignore[assignment]  # none is None: code makes no block
    solid = _squeezed("\0".join(written).replace(" ", "")).split("\0")
    return solid if len(solid) == len(said) else list(map(_squeezed, written))


def _title(page: Page) -> str:
    """Return the first title of the head that says something."""
    for row in (page.tag[: page.body] == NUMBER["title"]).nonzero()[0].tolist():
        rows = range(row + 1, int(page.end[row]))
        text = " ".join("".join(map(page.text, rows))[:_LONGEST].split())
        if text:
            return text
    return ""


def _squeezed(text: str) -> str:
    """Return a text without white space and case."""
    return "".join(text.split()).casefold()


def title_features(
    frame: Frame,
    level: Floats,
    h1: int,
    measures: Float32s,
    of_h1: tuple[Float32s, Float32s],
    out: Float32s,
) -> tuple[int, list[float]]:
    """Fill in TITLE_FEATURES, and return the block of the headline and PAGE_TITLE_FEATURES.

    `measures` are those of the containers, `level` and `h1` as in `title_block`, `of_h1` the same
    features of the first h1: mostly that is the headline.
    """
    block, part = title_block(frame, level, h1)
    total = max(float(frame.words.sum()), 1.0)
    if block == h1:
        out[:2], out[2:] = of_h1
    else:
        before = frame.words.cumsum() - frame.words
        distance(block, before, total, out[:2])
        fill_common(frame, int(frame.home[block]), measures, out[2:])
    if block < 0:
        return block, [0.0, *[-1.0] * (len(PAGE_TITLE_FEATURES) - 1)]
    around = [int(frame.top[frame.home[block]])]
    for _ in range(_STEPS - 1):
        around.append(int(frame.climb[around[-1]]))
    held, linked, prose = frame.sums.take(around, axis=1)[[0, 1, 9]]
    words = np.maximum(held, 1)
    shares = (linked / words).tolist(), (held / total).tolist()
    return block, [part, *prose.tolist(), *shares[0], *shares[1]]
