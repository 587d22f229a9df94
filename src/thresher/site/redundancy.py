"""Redundancy removal: blocks that are on other pages of the site are noise (Lin, Chen, Niu 2012).

The third step of BlockExtractor (paper 2.4 and 3). A BLE&IE block (`thresher.methods
.blockextractor.Blocks`) is a tree of elements and texts, with a copy of the element around it as
its root. It is redundant when a block of another page of the site has

    tree edit distance <= edit_share * nodes of the block

With `edit_share` 0 the trees must be equal, which a hash of the tree tells. Otherwise the distance
is computed (`thresher.site.tree_distance`) for the few learned blocks that can be within it. A
title that is a teaser on another page stays, since a heading and a link in a list are different
trees.

    seen = SeenBlocks.of(pages)                         or seen.learn(page), page by page
    thresher.extract(html, method=SiteBlockExtractor(seen))

Departures: the paper names the tree edit distance but no limit; `edit_share` is that limit. The
paper drops a block that is on any other page; `page_share` asks for more of them. An element is
labelled with its name and a text with its words, so renaming either costs 1, whatever its length.
Attributes do not count. White space is collapsed. A page is never compared with itself: a learned
page with the same address, or with the same blocks, is not another page.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from heapq import nsmallest
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np

from thresher.document import to_page
from thresher.errors import InputError, UsageError
from thresher.methods.blockextractor import BlockExtractor, Blocks
from thresher.methods.common.option_checks import Share, check_option
from thresher.page import Page, Selection
from thresher.page.array_types import Bools, Rows
from thresher.page.words import collapsed
from thresher.site.matching import stable_hash
from thresher.site.tree_distance import Tree, distance, least_distance, steps

# Limits of what is kept of a site.
MOST_PAGES = 20  # the ones learned last
MOST_BLOCKS = 1_000  # of a page
MOST_TREE_NODES = 200  # of a block that is kept as a tree; larger ones are found by hash only
MOST_NODES = 80_000  # of all trees

# Limits of the work for a page, beyond which near blocks are not found.
MOST_CANDIDATES = 20  # learned blocks that the distance of one block is computed to
MOST_COUNTED = 200  # learned blocks whose labels are counted for one block
MOST_STEPS = 1_000_000  # forests that are compared for a page: less than a second

_LABEL_BITS = 0xFFFFFFFF
_VERSION = 1  # of `to_json`


# --- blocks as trees -----------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class BlockTrees:
    """The BLE&IE blocks of a page as trees."""

    blocks: Blocks

    def __len__(self) -> int:
        """Return the number of blocks."""
        return len(self.blocks)

    @cached_property
    def first(self) -> Rows:
        """The first node of each block below its root; the others follow one another."""
        nodes = (self.blocks.of_node >= 0).nonzero()[0]
        return nodes[self.blocks.of_node[nodes].searchsorted(np.arange(len(self)))]

    @cached_property
    def size(self) -> Rows:
        """The number of nodes of each block, its root included."""
        of_node = self.blocks.of_node
        return np.bincount(of_node[of_node >= 0], minlength=len(self)) + 1

    @cached_property
    def labels(self) -> list[str]:
        """The label of each node: the name of an element, or `#` and the words of a text."""
        page, row = self.blocks.page, self.blocks.row
        labels = [page.names[tag] for tag in page.tag[row].tolist()]
        is_text = (page.tag[row] == 0).nonzero()[0]
        of_text = page.text_rows.searchsorted(row[is_text].astype(np.int32))
        for node, text in zip(is_text.tolist(), of_text.tolist(), strict=True):
            labels[node] = "#" + collapsed(page.texts[text])
        return labels

    @cached_property
    def keys(self) -> list[int]:
        """A hash of each block: the same for equal trees, in every process.

        The labels in document order with the sizes of their subtrees determine a tree. No label
        contains a line break.
        """
        sizes = (self.blocks.end - np.arange(len(self.blocks.end))).tolist()
        lines = [f"{size} {label}" for size, label in zip(sizes, self.labels, strict=True)]
        columns = (self.blocks.root.tolist(), self.first.tolist(), self.size.tolist())
        return [
            stable_hash("\n".join([self.labels[root], *lines[first : first + size - 1]]))
            for root, first, size in zip(*columns, strict=True)
        ]

    def tree(self, block: int) -> Tree:
        """Return a block as a tree, each label as 32 bits of its hash."""
        root, first = int(self.blocks.root[block]), int(self.first[block])
        last = first + int(self.size[block]) - 1
        labels = [self.labels[root], *self.labels[first:last]]
        ends = [len(labels), *(self.blocks.end[first:last] - first + 1).tolist()]
        return Tree.of([stable_hash(label) & _LABEL_BITS for label in labels], ends)


# --- what was seen -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SeenPage:
    """A learned page: a hash of its address, "" if unknown, and the keys of its blocks."""

    address: str  # 16 hexadecimal digits: an address may hold a password
    keys: frozenset[int]

    @classmethod
    def of(cls, trees: BlockTrees) -> SeenPage:
        """Return what is kept of a page, besides its trees."""
        url = trees.blocks.page.url
        return cls(f"{stable_hash(url):016x}" if url else "", frozenset(trees.keys[:MOST_BLOCKS]))

    def is_same(self, other: SeenPage) -> bool:
        """Return whether both are the same page, perhaps at different times."""
        return self.address == other.address != "" or self.keys == other.keys


@dataclass(eq=False)
class SeenBlocks:
    """The blocks of the pages of a site that were learned last.

    It holds at most `MOST_PAGES` pages of `MOST_BLOCKS` blocks, and `MOST_NODES` nodes of trees,
    whatever is learned: less than 3 MB written as JSON. It can be pickled; `to_json` and
    `from_json` give and take plain values.
    """

    pages: list[SeenPage] = field(default_factory=list)  # in the order of learning
    trees: dict[int, Tree] = field(default_factory=dict)  # by key, for blocks that are small enough

    @classmethod
    def of(cls, pages: Iterable[str | bytes | Path | Page]) -> SeenBlocks:
        """Learn some pages of a site: HTML, files or parsed pages."""
        seen = cls()
        for page in pages:
            seen.learn(page)
        return seen

    def __repr__(self) -> str:
        """Return the numbers of pages and of different blocks."""
        return f"<SeenBlocks: {len(self._pages_of)} blocks of {len(self.pages)} pages>"

    def __getstate__(self) -> dict[str, Any]:
        """Pickle the fields; cached values are computed again."""
        return {one.name: self.__dict__[one.name] for one in fields(self)}

    # --- learning ---------------------------------------------------------------------------

    def learn(self, source: str | bytes | Path | Page, *, url: str | None = None) -> None:
        """Learn one more page, in place of what was known of the same page.

        The page that was learned first is forgotten when there are too many.
        """
        trees = BlockTrees(Blocks.of(to_page(source, url)))
        page = SeenPage.of(trees)
        if not page.keys:
            return
        others = [one for one in self.pages if not one.is_same(page)]
        new = dict(self.trees)
        left = MOST_NODES // MOST_PAGES  # for the trees of one page
        for block, key in enumerate(trees.keys[:MOST_BLOCKS]):
            size = int(trees.size[block])
            if key not in new and size <= min(left, MOST_TREE_NODES):
                new[key] = trees.tree(block)
                left -= size
        self._set([*others, page][-MOST_PAGES:], new)

    def _set(self, pages: list[SeenPage], trees: dict[int, Tree]) -> None:
        """Replace pages and trees; drop trees of forgotten pages, and the oldest of too many."""
        self.pages = pages
        for name in ("_pages_of", "_with_label"):
            self.__dict__.pop(name, None)
        kept = {key: tree for key, tree in trees.items() if key in self._pages_of}
        surplus = sum(map(len, kept.values())) - MOST_NODES
        for key in list(kept):
            if surplus <= 0:
                break
            surplus -= len(kept.pop(key))
        self.trees = kept

    # --- applying ---------------------------------------------------------------------------

    def is_redundant(
        self,
        blocks: Blocks,
        *,
        edit_share: float = 0.0,
        page_share: float = 0.0,
        among: Bools | None = None,
    ) -> Bools:
        """Return one bool per block of a page: True if it is on enough other pages.

        Enough is one page, and at least `page_share` of the learned ones. Blocks where `among` is
        False are not looked at.
        """
        trees = BlockTrees(blocks)
        here = SeenPage.of(trees)
        others = {at for at, page in enumerate(self.pages) if not page.is_same(here)}
        enough = max(1, ceil(round(page_share * len(others), 6)))
        found = np.zeros(len(trees), np.bool_)
        wanted = range(len(trees)) if among is None else among.nonzero()[0].tolist()
        left = MOST_STEPS
        for block in wanted:
            on = others.intersection(self._pages_of.get(trees.keys[block], ()))
            most = int(edit_share * trees.size[block])
            if len(on) < enough <= len(others) and most and trees.size[block] <= MOST_TREE_NODES:
                tree = trees.tree(block)
                for key in self._candidates(tree, most):
                    new = others.intersection(self._pages_of[key]) - on
                    work = steps(tree, self.trees[key], most)
                    if new and work <= left:
                        left -= int(work)
                        on |= new if distance(tree, self.trees[key], most) <= most else set()
                    if len(on) >= enough:
                        break
            found[block] = len(on) >= enough
        return found

    def _candidates(self, tree: Tree, most: int) -> list[int]:
        """Return the keys of learned trees that can be within a distance, the likeliest first.

        A tree within the distance lacks at most `most` labels of this one. So it has one of any
        `most + 1` of them, and the rarest ones lead to the fewest trees.
        """
        with_label = self._with_label
        rarest = sorted(tree.labels, key=lambda label: len(with_label.get(label, ())))[: most + 1]
        keys: dict[int, None] = {}
        for label in dict.fromkeys(rarest):
            having = with_label.get(label, [])
            first = bisect_left(having, len(tree) - most, key=self._size)
            last = bisect_right(having, len(tree) + most, lo=first, key=self._size)
            keys |= dict.fromkeys(having[first : min(last, first + MOST_COUNTED - len(keys))])
        near = ((least_distance(tree, self.trees[key]), key) for key in keys)
        best = nsmallest(MOST_CANDIDATES, (one for one in near if one[0] <= most))
        return [key for _, key in best]

    def _size(self, key: int) -> int:
        return len(self.trees[key])

    @cached_property
    def _pages_of(self) -> dict[int, list[int]]:
        """The places in `pages` of the pages that have each block."""
        found: dict[int, list[int]] = {}
        for at, page in enumerate(self.pages):
            for key in page.keys:
                found.setdefault(key, []).append(at)
        return found

    @cached_property
    def _with_label(self) -> dict[Hashable, list[int]]:
        """The trees that have each label, the smallest first."""
        found: dict[Hashable, list[int]] = {}
        for key in sorted(self.trees, key=self._size):
            for label in self.trees[key].counts:
                found.setdefault(label, []).append(key)
        return found

    # --- as plain values ----------------------------------------------------------------------

    def to_json(self) -> dict[str, Any]:
        """Return everything as values that `json` writes; keys are 16 hexadecimal digits."""
        return {
            "version": _VERSION,
            "pages": [
                {"address": page.address, "blocks": [f"{key:016x}" for key in sorted(page.keys)]}
                for page in self.pages
            ],
            "trees": {
                f"{key:016x}": [list(tree.labels), list(tree.leftmost)]
                for key, tree in self.trees.items()
            },
        }

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> SeenBlocks:
        """Return the blocks that `to_json` gave; what is above the limits is left out."""
        try:
            if values["version"] != _VERSION:
                raise ValueError("another version")
            pages = [_page(**page) for page in values["pages"]]
            trees = {_key(key): _tree(*tree) for key, tree in values["trees"].items()}
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise InputError(
                "these are no blocks of a site: give what SeenBlocks.to_json returned."
            ) from error
        seen = cls()
        fitting = [page for page in pages if len(page.keys) <= MOST_BLOCKS]
        seen._set(
            fitting[-MOST_PAGES:],
            {key: tree for key, tree in trees.items() if len(tree) <= MOST_TREE_NODES},
        )
        return seen


def _page(address: str, blocks: list[str]) -> SeenPage:
    if type(address) is not str or type(blocks) is not list:
        raise ValueError("a page has an address and a list of blocks")
    return SeenPage(address and f"{_key(address):016x}", frozenset(map(_key, blocks)))


def _key(digits: str) -> int:
    key = int(digits, 16)
    if not 0 <= key < 2**64:
        raise ValueError("a key has 64 bits")
    return key


def _tree(labels: list[int], leftmost: list[int]) -> Tree:
    """Return a tree, if the leftmost leaves are those of one."""
    if len(labels) != len(leftmost) or not all(type(label) is int for label in labels):
        raise ValueError("a tree has a number for each label")
    roots: list[int] = []  # leftmost leaves of the subtrees so far that have no parent yet
    for node, first in enumerate(leftmost):
        if type(first) is not int or first > node:
            raise ValueError("a leaf is below its node")
        if first < node:
            while roots and roots[-1] > first:
                roots.pop()
            if not roots or roots.pop() != first:
                raise ValueError("a leaf begins a subtree")
        roots.append(first)
    if roots != [0]:
        raise ValueError("a tree has one root")
    return Tree(tuple(labels), tuple(leftmost))


# --- the method ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SiteBlockExtractor:
    """BlockExtractor with all three steps: dense blocks that are not on other pages of the site.

    More may be learned with `seen.learn` at any time.
    """

    seen: SeenBlocks
    threshold: float = 1.5  # paper 3.3
    edit_share: Share = 0.0  # docs/methods: to 0.1 no difference, from 0.2 on content is lost
    page_share: Share = 0.0  # paper: any other page; swept in docs/methods

    def __post_init__(self) -> None:
        """Raise `UsageError` for the first argument that is not as declared."""
        if not isinstance(self.seen, SeenBlocks):
            raise UsageError("seen is no SeenBlocks: make one with SeenBlocks.of(pages).")
        check_option("threshold", self.threshold, float)
        check_option("edit_share", self.edit_share, Share)
        check_option("page_share", self.page_share, Share)

    def __call__(self, page: Page) -> Selection:
        """Return the text of dense blocks that are not on other pages of the site."""
        blocks = Blocks.of(page)
        kept = BlockExtractor(self.threshold).choose(blocks)
        of_row = np.full(len(page), -1)
        of_row[blocks.row] = blocks.of_node
        of_text = of_row[page.text_rows]
        among = np.zeros(len(blocks) + 1, np.bool_)  # the last is for -1: in no block
        among[of_text[kept.keep]] = True
        redundant = self.seen.is_redundant(
            blocks, edit_share=self.edit_share, page_share=self.page_share, among=among[:-1]
        )
        return Selection(page, kept.keep & ~np.append(redundant, False)[of_text])
