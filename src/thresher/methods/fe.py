"""FE and K-FE: FeatureExtractor, K-FeatureExtractor (Debnath and others 2005; thesis 3.2.3).

1. The page is taken apart into blocks: for each tag of a list in turn, the outermost elements of
   that name in a block become blocks, and what remains of the block stays one (Algorithm 2).
2. Each block has a value for each feature. It goes to the winner basket when
       sum of its desired features >= sum of its other features
3. Values are taken again inside the basket. The block with the largest sum of desired features wins
   (FE), or all blocks in the cluster of that one, by k-means over the sums (K-FE).

Departures: Algorithm 2 loses the remainder and takes nested matches twice; both as above. The list
is of containers, since with `p` in it (as in the thesis) one paragraph wins; each tag has one turn,
as printed. K-FE may keep many blocks, so it divides until no block can be divided: a text belongs
to the nearest listed element around it (`once` is false). `hr` holds nothing: it divides its block.
Values are open: characters for text, heading (the thesis's Text-Tag), list, link and form, each
character counted for one of them (link first, then form, heading, list, text); pieces for style,
image, object and script. Sums are of these numbers as they are, in which characters decide;
`scale="each"` divides each feature by its largest value in the set of blocks, so that step 3 is
not step 2 again. Blocks without visible text are left out; ties go to the first. What is hidden
has no characters and is not kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from thresher.errors import UsageError
from thresher.methods.common.option_checks import whole
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
_MOST_CLUSTERS = 100  # the time grows with their number


@dataclass(frozen=True, slots=True)
class FE:
    """Keep the one block with most of the desired features."""

    tags: str = CONTAINERS  # thesis: table tr p hr ul and others not named; ours for today's pages
    once: bool = True  # Algorithm 2: one turn for each tag; False: until nothing can be divided
    desired: str = "text heading list style"  # thesis: for main content
    scale: Scale = "common"  # ours

    def __post_init__(self) -> None:
        """Check the options."""
        _check(self)

    def __call__(self, page: Page) -> Selection:
        """Let the largest block of the basket win."""
        basket, block, sums = _winner_basket(self, page)
        if not len(basket):
            return page.none()
        return _kept(page, block, basket[[int(sums.argmax())]])


@dataclass(frozen=True, slots=True)
class KFE:
    """Keep the cluster of blocks with most of the desired features."""

    k: int = 2  # clusters; swept on wcxb-dev and fundus, see docs/methods
    tags: str = CONTAINERS  # as in fe
    once: bool = False  # ours: see above
    desired: str = "text heading list style"  # as in fe
    scale: Scale = "common"  # as in fe

    def __post_init__(self) -> None:
        """Check the options."""
        whole(1, _MOST_CLUSTERS, k=self.k)
        _check(self)

    def __call__(self, page: Page) -> Selection:
        """Let the cluster with the largest block of the basket win."""
        basket, block, sums = _winner_basket(self, page)
        if not len(basket):
            return page.none()
        label, _ = k_means(sums, self.k)
        return _kept(page, block, basket[label == label[int(sums.argmax())]])


def _check(method: FE | KFE) -> None:
    """Raise when an option makes no sense."""
    for name, known in (("tags", NUMBER), ("desired", dict.fromkeys(FEATURES))):
        given = getattr(method, name).split()
        wrong = [word for word in given if word not in known or word == "#text"]
        if wrong or not given:
            what = f"features among {', '.join(FEATURES)}" if name == "desired" else "tag names"
            raise UsageError(f"{name} is {' '.join(wrong)!r}: give {what}, with spaces between.")
    if method.scale not in ("common", "each"):
        raise UsageError(f"scale is {method.scale!r}: give common or each.")


# --- blocks --------------------------------------------------------------------------------------


def block_roots(page: Page, tags: str, once: bool) -> Bools:
    """Tell which rows a block begins with: the root, and listed elements in turn."""
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
            # Outermost in its block: the nearest mark above is where the block begins.
            above = nearest(marked, page.parent)[page.parent[rows]]
            is_root[rows[is_root[above]]] = True
    return is_root


def blocks_of_rows(page: Page, tags: str, once: bool) -> Rows:
    """Return for each row the row that its block begins with: a listed element, the root or `hr`.

    Listed, `hr` begins a block of what follows it in its own, up to the next one.
    """
    is_root = block_roots(page, tags, once)
    root = nearest(is_root, page.parent)
    rules = (page.tag == NUMBER["hr"]).nonzero()[0] if "hr" in tags.split() else root[:0]
    if not len(rules):
        return root
    begin = np.append(is_root.nonzero()[0], rules)
    place = root * len(page)  # rows in order of block, then of the page
    place_of_begin = place[begin] + np.where(is_root[begin], 0, begin)
    order = place_of_begin.argsort()
    found = place_of_begin[order].searchsorted(place + np.arange(len(page)), side="right") - 1
    rows: Rows = begin[order][found]
    return rows


# --- features ------------------------------------------------------------------------------------


def feature_values(page: Page, block: Rows) -> dict[str, Int64s]:
    """Return the value of each feature of each block, at the row that the block begins with."""
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


def _winner_basket(method: FE | KFE, page: Page) -> tuple[Rows, Rows, Floats]:
    """Return the blocks in the basket, the block of each row, and the sums of desired features."""
    if not len(page):
        return page.text_rows.astype(np.intp), page.text_rows.astype(np.intp), np.zeros(0)
    block = blocks_of_rows(page, method.tags, method.once)
    values = feature_values(page, block)
    basket = np.sum([values[name] for name in _TEXTS], axis=0).nonzero()[0]
    wanted = method.desired.split()

    def total(names: list[str]) -> Floats:
        """Sum features over the blocks in the basket, each scaled within it."""
        sums = np.zeros(len(basket))
        for name in names:
            amount = values[name].take(basket)
            sums += amount / max(int(amount.max(initial=0)), 1) if each else amount
        return sums

    each = method.scale == "each"
    others = [name for name in FEATURES if name not in wanted]
    basket = basket[total(wanted) >= total(others)]
    return basket, block, total(wanted)


def _kept(page: Page, block: Rows, chosen: Rows) -> Selection:
    """Select the visible text of the chosen blocks."""
    wins = np.zeros(len(page), np.bool_)
    wins[chosen] = True
    return page.where(wins.take(block) & ~page.hidden)
