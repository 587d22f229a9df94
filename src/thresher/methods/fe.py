"""FE and K-FE: FeatureExtractor, K-FeatureExtractor (Debnath and others 2005; thesis 3.2.3).

1. The page is divided into blocks: for each tag of a list in turn, the outermost elements of that
   name in a block become blocks, and the rest of the block stays one block (Algorithm 2).
2. Each block has a value for each feature. It goes to the winner basket when
       sum of its desired features >= sum of its other features
3. Values are computed again inside the basket. The block with the largest sum of desired features
   wins (FE), or all blocks in the cluster of that block, by k-means over the sums (K-FE).

Departures: Algorithm 2 loses the rest of a block and takes nested matches twice; here both are as
in step 1. The list has containers, since with `p` in it (as in the thesis) a single paragraph wins;
each tag has one turn, as printed. K-FE may keep many blocks, so it divides until no block can be
divided: a text belongs to the nearest listed element around it (`once` is false). `hr` is empty and
divides the block around it. The thesis does not define the values. Here they are characters for
text, heading (the thesis's Text-Tag), list, link and form, each character counted for one of them
(link first, then form, heading, list, text), and elements for style, image, object and script. Sums
are of these numbers without scaling, so that characters dominate; `scale="each"` divides each
feature by its largest value in the set of blocks, so that step 3 differs from step 2. Blocks
without visible text are left out; ties go to the first. Hidden text has no characters and is not
kept.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal, TypeAlias

import numpy as np

from thresher.errors import UsageError
from thresher.methods.common.option_checks import Options, Range
from thresher.page import Page, Selection
from thresher.page.array_types import Bools, Floats, Int64s, Rows
from thresher.page.arrays import inside, k_means, nearest
from thresher.page.tags import HEADING, NUMBER, lookup

Scale: TypeAlias = Literal["common", "each"]

CONTAINERS = "table tr div section article main aside nav header footer form"

_FORM = lookup("button select label option textarea")
_LIST = lookup("ul ol dl")
_PIECES = {
    "style": lookup("style"),
    "image": lookup("img image picture svg canvas"),
    "object": lookup("object embed applet iframe frame video audio"),
    "script": lookup("script"),
}
_TEXTS = ("link", "form", "heading", "list", "text")  # the first that fits counts a character
FEATURES = (*_TEXTS, *_PIECES)


class _BlockMethod(Options):
    """Base class: score blocks by their features and keep the best."""

    __slots__ = ()
    tags: str
    once: bool
    desired: str
    scale: Scale

    def __post_init__(self) -> None:
        """Check the options, and the words of `tags` and `desired`."""
        Options.__post_init__(self)
        name = self.method_name()
        _check_words(f"tags of {name}", self.tags, NUMBER.keys() - {"#text"}, "tag", "tag names")
        wanted = f"features among {', '.join(FEATURES)}"
        _check_words(f"desired of {name}", self.desired, FEATURES, "feature", wanted)

    def __call__(self, page: Page) -> Selection:
        """Return the visible text of the winning blocks."""
        if not len(page):
            return page.none()
        block = blocks_of_rows(page, self.tags, self.once)
        values = feature_values(page, block)
        with_text = np.sum([values[name] for name in _TEXTS], axis=0).nonzero()[0]
        desired = self.desired.split()
        others = [name for name in FEATURES if name not in desired]
        enough = self.sums(values, desired, with_text) >= self.sums(values, others, with_text)
        basket = with_text[enough]
        if not len(basket):
            return page.none()
        is_winner = np.zeros(len(page), np.bool_)
        is_winner[basket[self.winners(self.sums(values, desired, basket))]] = True
        return page.where(is_winner.take(block) & ~page.hidden)

    def sums(self, values: dict[str, Int64s], names: list[str], blocks: Rows) -> Floats:
        """Return the sum of some features of each block, scaled within the given blocks."""
        sums = np.zeros(len(blocks))
        for name in names:
            amount = values[name].take(blocks)
            sums += amount / max(int(amount.max(initial=0)), 1) if self.scale == "each" else amount
        return sums

    def winners(self, sums: Floats) -> Rows:
        """Return the places of the winning blocks, from the sums of their desired features."""
        raise NotImplementedError


def _check_words(option: str, given: str, known: Collection[str], noun: str, wanted: str) -> None:
    """Raise `UsageError` when an option has a word that is not known, or no word."""
    unknown = next((word for word in given.split() if word not in known), None)
    if unknown is not None or not given.split():
        wrong = "is empty" if unknown is None else f"has {unknown!r}, which is not a known {noun}"
        raise UsageError(f"{option} {wrong}: give {wanted}, separated by spaces.")


@dataclass(frozen=True, slots=True)
class FE(_BlockMethod):
    """Keep the one block with most of the desired features."""

    tags: str = CONTAINERS  # thesis: table tr p hr ul and others not named; ours for today's pages
    once: bool = True  # Algorithm 2: one turn for each tag; False: until nothing can be divided
    desired: str = "text heading list style"  # thesis: for main content
    scale: Scale = "common"  # ours

    def winners(self, sums: Floats) -> Rows:
        """Return the place of the largest sum."""
        return np.array([sums.argmax()])


@dataclass(frozen=True, slots=True)
class KFE(_BlockMethod):
    """Keep the cluster of blocks with most of the desired features."""

    registry_name: ClassVar[str] = "k-fe"
    k: Annotated[int, Range(1, 100)] = 2  # clusters; swept on wcxb-dev and fundus, see docs/methods
    tags: str = CONTAINERS  # as in fe
    once: bool = False  # ours: see above
    desired: str = "text heading list style"  # as in fe
    scale: Scale = "common"  # as in fe

    def winners(self, sums: Floats) -> Rows:
        """Return the places of the cluster with the largest sum."""
        label, _ = k_means(sums, self.k)
        return np.flatnonzero(label == label[sums.argmax()])


# --- blocks --------------------------------------------------------------------------------------


def block_roots(page: Page, tags: str, once: bool) -> Bools:
    """Return one bool per row: True for the root and the listed elements that begin a block."""
    is_root = np.zeros(len(page), np.bool_)
    is_root[:1] = True
    names = [name for name in tags.split() if name != "hr"]
    if not once:
        is_root |= lookup(" ".join(names)).take(page.tag)
        return is_root
    for name in names:
        rows = (page.tag == NUMBER[name]).nonzero()[0]
        rows = rows[rows > 0]
        if len(rows):
            marked = is_root.copy()
            marked[rows] = True
            # An element is outermost in its block if the nearest mark above begins the block.
            above = nearest(marked, page.parent)[page.parent[rows]]
            is_root[rows[is_root[above]]] = True
    return is_root


def blocks_of_rows(page: Page, tags: str, once: bool) -> Rows:
    """Return for each row the first row of its block: a listed element, the root or `hr`.

    If `hr` is listed, it begins a block of the rows after it in its own block, up to the next `hr`.
    """
    is_root = block_roots(page, tags, once)
    root = nearest(is_root, page.parent)
    rules = (page.tag == NUMBER["hr"]).nonzero()[0] if "hr" in tags.split() else root[:0]
    if not len(rules):
        return root
    begin = np.append(is_root.nonzero()[0], rules)
    place = root * len(page)  # sorts rows by block, then by order in the page
    place_of_begin = place[begin] + np.where(is_root[begin], 0, begin)
    order = place_of_begin.argsort()
    nth = place_of_begin[order].searchsorted(place + np.arange(len(page)), side="right") - 1
    rows: Rows = begin[order][nth]
    return rows


# --- features ------------------------------------------------------------------------------------


def feature_values(page: Page, block: Rows) -> dict[str, Int64s]:
    """Return for each feature one value per row: that of a block is at its first row."""
    texts, size = page.text_rows, len(page)
    chars = np.where(page.hidden, 0, page.chars).take(texts)
    kind = np.full(len(texts), _TEXTS.index("text"))
    for name, table in (("list", _LIST), ("heading", HEADING), ("form", _FORM)):
        kind[inside(table.take(page.tag), page.end).take(texts)] = _TEXTS.index(name)
    kind[page.linked.take(texts)] = _TEXTS.index("link")
    amounts = np.bincount(kind * size + block.take(texts), chars, len(_TEXTS) * size)
    values = dict(zip(_TEXTS, amounts.astype(np.int64).reshape(len(_TEXTS), size), strict=True))
    for name, table in _PIECES.items():
        values[name] = np.bincount(block[table.take(page.tag)], minlength=size)
    return values
