"""WLR: words/leaves ratio, with CNR, WNR and CLR (Insa, Silva, Tamarit 2013).

Content nodes are the visible nodes of the body with words in their subtrees, outside of select,
noscript and similar elements; their ids number them in document order. tw(n) is the number of words
in the subtree of n. Its leaves l(n) are 1 for a leaf; else each run of children that join (Fig. 5:
#text, p, a, u, b, i, em, span, sub, sup, strong, div, each with l = 1) counts 1 and every other
child its own l. The ratio is
    WLR = tw / l      CLR = characters / l      WNR = tw / nodes      CNR = characters / nodes
Initial nodes have WLR >= sqrt(max WLR * WLR(root)), compared exactly, as squares. With r_pos
falling from 1 to 0 over their ids and r_WLR rising from 0 to 1 over the ratios of all content
nodes,
    W = r_pos * r_WLR for an initial node, else 0
    M = max(W, sum of M over the children)
    R = WLR * M                                                                (Definition 4.6)
The subtree of the node of the largest R, the lowest id on ties, is the main content.

Departures: Definition 4.6 sums R over the children where the text below it describes M. The printed
form selects the body on every page, since no ratio of words to leaves is below 1; here M is summed
(`relevance="printed"` uses the printed form, in logarithms, since it overflows). r_pos of a single
initial node is 1, and so is r_WLR when all ratios are equal. Positions are read only from inline
styles: a div with `position: absolute` or `fixed` there does not join. The same holds for
visibility (see `Page.hidden`). Characters are those of texts with words. Nodes include the node
itself. Hidden text is not kept. Relevances are computed in floats: those that differ by less than
one part in 10**12 are taken for ties.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from thresher.methods.common.option_checks import Options
from thresher.page import Page, Selection
from thresher.page.array_types import Bools, Floats, Int64s
from thresher.page.arrays import inside, subtree_sums
from thresher.page.tags import NUMBER, lookup

Relevance: TypeAlias = Literal["summed", "printed"]

_NOT_VALID = lookup("meta title head link style script select noscript")  # Definition 4.1
_JOINING = lookup("#text p a u b i em span sub sup strong div")  # Fig. 5
_DIV = NUMBER["div"]


class RatioMethod(Options):
    """Base class: keep the subtree of the most relevant node by a ratio."""

    __slots__ = ()
    relevance: Relevance

    def ratio(self, tree: Content) -> tuple[Int64s, Int64s]:
        """Return the ratio of every node as its numerator and its denominator."""
        raise NotImplementedError

    def __call__(self, page: Page) -> Selection:
        """Return the visible text of the best node."""
        row = best_row(page, self)
        return page.none() if row < 0 else page.under([row]) - page.where(page.hidden)


@dataclass(frozen=True, slots=True)
class WLR(RatioMethod):
    """Keep the subtree with most words for its leaves, early in the page."""

    relevance: Relevance = "summed"  # see the departures; "printed" is Definition 4.6 as printed

    def ratio(self, tree: Content) -> tuple[Int64s, Int64s]:
        """Return the words and the leaves of every node."""
        return tree.words(), leaves(tree)


@dataclass(frozen=True, slots=True)
class CLR(RatioMethod):
    """Keep the subtree with most characters for its leaves, early in the page."""

    relevance: Relevance = "summed"  # see the departures; "printed" is Definition 4.6 as printed

    def ratio(self, tree: Content) -> tuple[Int64s, Int64s]:
        """Return the characters and the leaves of every node."""
        return tree.chars(), leaves(tree)


@dataclass(frozen=True, slots=True)
class WNR(RatioMethod):
    """Keep the subtree with most words for its nodes, early in the page."""

    relevance: Relevance = "summed"  # see the departures; "printed" is Definition 4.6 as printed

    def ratio(self, tree: Content) -> tuple[Int64s, Int64s]:
        """Return the words and the nodes of every node."""
        return tree.words(), tree.nodes()


@dataclass(frozen=True, slots=True)
class CNR(RatioMethod):
    """Keep the subtree with most characters for its nodes, early in the page."""

    relevance: Relevance = "summed"  # see the departures; "printed" is Definition 4.6 as printed

    def ratio(self, tree: Content) -> tuple[Int64s, Int64s]:
        """Return the characters and the nodes of every node."""
        return tree.chars(), tree.nodes()


def best_row(page: Page, method: RatioMethod, removed: Bools | None = None) -> int:
    """Return the row of the best node (Algorithm 1), -1 when there are no words.

    Rows that are True in `removed` are treated as if they were not in the page.
    """
    tree = Content.of(page, removed)
    if not len(tree):
        return -1
    above, below = method.ratio(tree)
    relevance = relevances(tree, above / below, weights(above, below), method.relevance)
    most = relevance.max()
    size = max(1.0, abs(most)) if method.relevance == "printed" else most  # printed: a logarithm
    return int(tree.row[np.argmax(relevance >= most - _ROUNDING * size)])  # the lowest id on ties


# --- content nodes -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Content:
    """The content nodes of a page as a tree of their own, indexed by id."""

    page: Page
    row: Int64s  # of the page
    end: Int64s  # first id after the subtree
    parent: Int64s  # id, -1 at the root

    def __len__(self) -> int:
        """Return the number of content nodes."""
        return len(self.row)

    @classmethod
    def of(cls, page: Page, removed: Bools | None = None) -> Content:
        """Return the content nodes of a page (Definition 4.1) without the rows of `removed`."""
        left_out = page.hidden | inside(_NOT_VALID[page.tag], page.end)
        if removed is not None:
            left_out |= removed
        if page.body >= 0:
            left_out[: page.body] = left_out[page.end[page.body] :] = True
        is_content = subtree_sums(np.where(left_out, 0, page.words), page.end) > 0
        is_content &= ~left_out  # nodes above the body
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
    """Return l of every node (Definition 4.2 and Fig. 5), without a loop over levels.

    l of a node with l > 1 is the number of runs of joining nodes below it, except those inside a
    joining node.
    """
    may_join = _JOINING[tree.page.tag[tree.row]]
    is_single = _is_single(tree, may_join)
    positioned = _positioned(tree, is_single)
    if positioned.any():
        may_join &= ~positioned
        is_single = _is_single(tree, may_join)
    joins = may_join & is_single
    in_run = np.zeros(len(tree) + 1, np.bool_)  # whether the sibling before a node joins
    in_run[tree.end[::-1]] = joins[::-1]  # the first of all nodes that end there
    is_inner = np.zeros(len(tree), np.bool_)
    is_inner[1:] = inside(joins, tree.end)[tree.parent[1:]]
    starts_run = joins & ~in_run[:-1] & ~is_inner
    return np.where(is_single, 1, subtree_sums(starts_run, tree.end))


def _is_single(tree: Content, may_join: Bools) -> Bools:
    """Return one bool per node: True if l = 1.

    That is so if every node of its subtree has at most one child, or only children that may join.
    """
    child, size = tree.parent[1:], len(tree)
    several = np.bincount(child, minlength=size) > 1
    some_apart = np.bincount(child, ~may_join[1:], size) > 0
    is_single: Bools = subtree_sums(several & some_apart, tree.end) == 0
    return is_single


_POSITION = re.compile(r"(?:^|[;\s])(?:[Pp]osition|POSITION)\s*:\s*(?i:absolute|fixed)")


def _positioned(tree: Content, might_join: Bools) -> Bools:
    """Return one bool per node: True for a div that an inline style takes out of the flow.

    Attributes have no column, so this loops over the divs that might join, on pages whose source
    has the word "position".
    """
    is_positioned = np.zeros(len(tree), np.bool_)
    whole = page = tree.page
    while whole.base is not None:
        whole = whole.base
    if "osition" in whole.source or "OSITION" in whole.source:
        for place in np.flatnonzero((page.tag[tree.row] == _DIV) & might_join).tolist():
            style = page.attributes(tree.row[place]).get("style")
            is_positioned[place] = style is not None and _POSITION.search(style) is not None
    return is_positioned


# --- relevance -----------------------------------------------------------------------------------


_ROUNDING = 1e-12  # relative; more than the rounding errors of a sum over the nodes of a page


def is_initial(above: Int64s, below: Int64s) -> Bools:
    """Return one bool per node: True if its ratio `above / below` is initial (Definition 4.5).

    A node whose ratio is exactly at the threshold is initial. The root of the threshold is rounded,
    so squares are compared, and those that are nearly equal as whole numbers of any size.
    """
    ratio = above / below
    best = ratio.argmax()
    squares, limit = ratio * ratio, ratio[best] * ratio[0]
    initial: Bools = squares >= limit
    near = (np.abs(squares - limit) <= _ROUNDING * limit).nonzero()[0]
    own_above, own_below = above[near].astype(object), below[near].astype(object)
    limit_above = int(above[best]) * int(above[0])
    limit_below = int(below[best]) * int(below[0])
    initial[near] = own_above**2 * limit_below >= own_below**2 * limit_above
    return initial


def weights(above: Int64s, below: Int64s) -> Floats:
    """Return W of every node (Definitions 4.5 and 4.6); its ratio is `above / below`."""
    ratio = above / below
    initial = is_initial(above, below).nonzero()[0]
    span = initial[-1] - initial[0]
    r_pos = 1 - (initial - initial[0]) / span if span else np.ones(1)
    least, most = ratio.min(), ratio.max()
    weight = np.zeros(len(ratio))
    weight[initial] = r_pos * ((ratio[initial] - least) / (most - least) if most > least else 1.0)
    return weight


def relevances(tree: Content, ratio: Floats, weight: Floats, form: Relevance = "summed") -> Floats:
    """Return R of every node, in the printed form its logarithm.

    Only nodes with a weight in their subtree are visited, the deepest level first, so that all
    children are added to a node before its own value is used.
    """
    printed = form == "printed"
    zero = -np.inf if printed else 0.0
    with np.errstate(divide="ignore"):
        own, rate = (np.log(weight), np.log(ratio)) if printed else (weight, ratio)
    below = np.full(len(tree), zero)  # sum over the children
    level = tree.page.level[tree.row]
    weighted = np.flatnonzero(subtree_sums(weight > 0, tree.end))
    deepest_first = weighted[np.argsort(-level[weighted], kind="stable")]
    edges = np.flatnonzero(np.diff(level[deepest_first])) + 1
    for nodes in np.split(deepest_first, edges)[:-1]:  # the root has no parent
        m = np.maximum(own[nodes], below[nodes])
        if printed:
            np.logaddexp.at(below, tree.parent[nodes], rate[nodes] + m)
        else:
            np.add.at(below, tree.parent[nodes], m)
    m = np.maximum(own, below)
    relevance: Floats = rate + m if printed else rate * m
    return relevance
