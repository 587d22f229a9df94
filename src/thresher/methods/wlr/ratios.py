"""WLR: words/leaves ratio, with CNR, WNR and CLR (Insa, Silva, Tamarit 2013).

Content nodes are the visible nodes of the body that hold words, outside of select, noscript and
the like; their ids count them in document order. tw(n) words stand in the subtree of n. Its leaves
l(n) are 1 for a leaf; else each run of children that join (Fig. 5: #text, p, a, u, b, i, em, span,
sub, sup, strong, div, each with l = 1) counts 1 and every other child its own l. The ratio is
    WLR = tw / l      CLR = characters / l      WNR = tw / nodes      CNR = characters / nodes
Initial nodes have WLR >= sqrt(max WLR * WLR(root)). With r_pos falling from 1 to 0 over their ids
and r_WLR rising from 0 to 1 over the ratios of all content nodes,
    W = r_pos * r_WLR for an initial node, else 0
    M = max(W, sum of M over the children)
    R = WLR * M                                                                (Definition 4.6)
The subtree of the node of the largest R, the lowest id on ties, is the main content.

Departures: Definition 4.6 sums R over the children where the text below it describes M. The printed
form selects the body on every page, since no ratio of words to leaves is below 1; here M is summed
(`relevance="printed"` follows the print, in logarithms, since it overflows). r_pos of a single
initial node is 1, and so is r_WLR when all ratios are equal. Positions are known from inline styles
alone: `position: absolute` or `fixed` there keeps a div from joining. So is visibility (see
`Page.hidden`), and `visibility: collapse` is not looked for. Characters are those of texts with
words. Nodes include the node itself. Hidden text is not kept.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from thresher.errors import UsageError
from thresher.page import Page, Selection
from thresher.page.array_types import Bools, Floats, Int64s
from thresher.page.arrays import inside, subtree_sums
from thresher.page.tags import NUMBER, lookup

Relevance: TypeAlias = Literal["summed", "printed"]

_NOT_VALID = lookup("meta title head link style script select noscript")  # Definition 4.1
_JOINING = lookup("#text p a u b i em span sub sup strong div")  # Fig. 5
_DIV = NUMBER["div"]


@dataclass(frozen=True, slots=True)
class WLR:
    """Keep the subtree with most words for its leaves, early in the page."""

    relevance: Relevance = "summed"  # see the departures; "printed" is Definition 4.6 as it stands

    def __post_init__(self) -> None:
        """Check the options."""
        _check(self.relevance)

    def __call__(self, page: Page) -> Selection:
        """Find the best node by words per leaf."""
        return _under(page, best_row(page, self))

    def ratio(self, tree: Content) -> Floats:
        """Return words per leaf of every node."""
        found: Floats = tree.words() / leaves(tree)
        return found


@dataclass(frozen=True, slots=True)
class CLR:
    """Keep the subtree with most characters for its leaves, early in the page."""

    relevance: Relevance = "summed"  # see the departures; "printed" is Definition 4.6 as it stands

    def __post_init__(self) -> None:
        """Check the options."""
        _check(self.relevance)

    def __call__(self, page: Page) -> Selection:
        """Find the best node by characters per leaf."""
        return _under(page, best_row(page, self))

    def ratio(self, tree: Content) -> Floats:
        """Return characters per leaf of every node."""
        found: Floats = tree.chars() / leaves(tree)
        return found


@dataclass(frozen=True, slots=True)
class WNR:
    """Keep the subtree with most words for its nodes, early in the page."""

    relevance: Relevance = "summed"  # see the departures; "printed" is Definition 4.6 as it stands

    def __post_init__(self) -> None:
        """Check the options."""
        _check(self.relevance)

    def __call__(self, page: Page) -> Selection:
        """Find the best node by words per node."""
        return _under(page, best_row(page, self))

    def ratio(self, tree: Content) -> Floats:
        """Return words per node of every node."""
        found: Floats = tree.words() / tree.nodes()
        return found


@dataclass(frozen=True, slots=True)
class CNR:
    """Keep the subtree with most characters for its nodes, early in the page."""

    relevance: Relevance = "summed"  # see the departures; "printed" is Definition 4.6 as it stands

    def __post_init__(self) -> None:
        """Check the options."""
        _check(self.relevance)

    def __call__(self, page: Page) -> Selection:
        """Find the best node by characters per node."""
        return _under(page, best_row(page, self))

    def ratio(self, tree: Content) -> Floats:
        """Return characters per node of every node."""
        found: Floats = tree.chars() / tree.nodes()
        return found


def _check(relevance: str) -> None:
    if relevance not in ("summed", "printed"):
        raise UsageError(f"relevance is {relevance!r}: give summed or printed.")


Family: TypeAlias = WLR | CLR | WNR | CNR


def best_row(page: Page, method: Family, removed: Bools | None = None) -> int:
    """Algorithm 1: return the row of the best node, -1 when there are no words.

    `removed`, one boolean per row, leaves subtrees out as if they were not there.
    """
    tree = Content.of(page, removed)
    if not len(tree):
        return -1
    ratios = method.ratio(tree)
    relevance = relevances(tree, ratios, weights(ratios), method.relevance)
    return int(tree.row[np.argmax(relevance)])  # the first of equals has the lowest id


def _under(page: Page, row: int) -> Selection:
    return page.none() if row < 0 else page.under([row]) - page.where(page.hidden)


# --- content nodes -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Content:
    """The content nodes of a page as a tree of their own: the place in these arrays is the id."""

    page: Page
    row: Int64s  # of the page
    end: Int64s  # first id after the subtree
    parent: Int64s  # id, -1 at the root

    def __len__(self) -> int:
        """Return the number of content nodes."""
        return len(self.row)

    @classmethod
    def of(cls, page: Page, removed: Bools | None = None) -> Content:
        """Definition 4.1; `removed` are rows that are no longer there."""
        left_out = page.hidden | inside(_NOT_VALID[page.tag], page.end)
        if removed is not None:
            left_out |= removed
        if page.body >= 0:
            left_out[: page.body] = left_out[page.end[page.body] :] = True
        is_content = subtree_sums(np.where(left_out, 0, page.words), page.end) > 0
        is_content &= ~left_out  # what is above the body
        before = np.concatenate(([0], is_content.cumsum()))
        row = is_content.nonzero()[0]
        parent = before[page.parent[row]]
        parent[:1] = -1
        return cls(page, row, before[page.end[row]], parent)

    def words(self) -> Int64s:
        """Return tw of every node."""
        return subtree_sums(self.page.words[self.row], self.end)

    def chars(self) -> Int64s:
        """Return the characters of every node."""
        return subtree_sums(self.page.chars[self.row], self.end)

    def nodes(self) -> Int64s:
        """Return the number of content nodes in every subtree, its root included."""
        counts: Int64s = self.end - np.arange(len(self))
        return counts


def leaves(tree: Content) -> Int64s:
    """Return l of every node (Definition 4.2 and Fig. 5), without going from level to level.

    A node with l > 1 counts the runs of joining nodes below it, but not those inside a node that
    joins itself.
    """
    may_join = _JOINING[tree.page.tag[tree.row]]
    is_single = _is_single(tree, may_join)
    positioned = _positioned(tree, is_single)
    if positioned.any():
        may_join &= ~positioned
        is_single = _is_single(tree, may_join)
    joins = may_join & is_single
    in_run = np.zeros(len(tree) + 1, np.bool_)  # whether the sibling before a node joins
    in_run[tree.end[::-1]] = joins[::-1]  # of all that end where it begins it is the first
    is_inner = np.zeros(len(tree), np.bool_)
    is_inner[1:] = inside(joins, tree.end)[tree.parent[1:]]
    starts_run = joins & ~in_run[:-1] & ~is_inner
    return np.where(is_single, 1, subtree_sums(starts_run, tree.end))


def _is_single(tree: Content, may_join: Bools) -> Bools:
    """Tell which nodes have l = 1.

    A node has when its children all may join, or there is at most one, and all of them have l = 1
    too: when the former holds for every node of its subtree.
    """
    child, size = tree.parent[1:], len(tree)
    several = np.bincount(child, minlength=size) > 1
    some_apart = np.bincount(child, ~may_join[1:], size) > 0
    found: Bools = subtree_sums(several & some_apart, tree.end) == 0
    return found


_POSITION = re.compile(r"(?:^|[;\s])(?:[Pp]osition|POSITION)\s*:\s*(?i:absolute|fixed)")


def _positioned(tree: Content, might_join: Bools) -> Bools:
    """Tell which divs among these nodes an inline style takes out of the flow.

    Attributes have no column, so this loops over the divs, on pages that speak of positions at all.
    A div that would not join anyway is not looked at.
    """
    found = np.zeros(len(tree), np.bool_)
    whole = page = tree.page
    while whole.base is not None:
        whole = whole.base
    if "osition" in whole.source or "OSITION" in whole.source:
        for place in np.flatnonzero((page.tag[tree.row] == _DIV) & might_join).tolist():
            style = page.attributes(tree.row[place]).get("style")
            found[place] = style is not None and _POSITION.search(style) is not None
    return found


# --- relevance -----------------------------------------------------------------------------------


def weights(ratio: Floats) -> Floats:
    """Return W of every node (Definitions 4.5 and 4.6)."""
    initial = np.flatnonzero(ratio >= np.sqrt(ratio.max() * ratio[0]))
    ids = initial[-1] - initial[0]
    r_pos = 1 - (initial - initial[0]) / ids if ids else np.ones(1)
    least, most = ratio.min(), ratio.max()
    found = np.zeros(len(ratio))
    found[initial] = r_pos * ((ratio[initial] - least) / (most - least) if most > least else 1.0)
    return found


def relevances(tree: Content, ratio: Floats, weight: Floats, form: Relevance = "summed") -> Floats:
    """Return R of every node, as a logarithm in the printed form.

    Only nodes at or above one with a weight are visited, the deepest level first; a child has
    been given to its parent before the parent is reached.
    """
    printed = form == "printed"
    nothing = -np.inf if printed else 0.0
    with np.errstate(divide="ignore"):
        own, rate = (np.log(weight), np.log(ratio)) if printed else (weight, ratio)
    below = np.full(len(tree), nothing)  # of the children, added up
    level = tree.page.level[tree.row]
    holds = np.flatnonzero(subtree_sums(weight > 0, tree.end))
    deepest_first = holds[np.argsort(-level[holds], kind="stable")]
    edges = np.flatnonzero(np.diff(level[deepest_first])) + 1
    for nodes in np.split(deepest_first, edges)[:-1]:  # the root has no parent
        given = np.maximum(own[nodes], below[nodes])
        if printed:
            np.logaddexp.at(below, tree.parent[nodes], rate[nodes] + given)
        else:
            np.add.at(below, tree.parent[nodes], given)
    most = np.maximum(own, below)
    found: Floats = rate + most if printed else rate * most
    return found
