"""BlockExtractor: BLE&IE blocks and their density (Lin, Chen, Niu 2012).

Blocks. Consecutive children of an element stay together while their kinds match
    (IE|text)* p? q*  or  l*  or  t*                                         (Definition 1)
where IE is an inline element, p a block-level element with inline elements and text, q one with
only text, l a list and t a basic text element (p, h1 to h6). Where the kinds do not match, the
children are cut: those before the cut are a block, with a copy of the element as its root
(Algorithm 1). A child that fits no rule alone is divided in the same way. Whether a child stays
depends only on the child before it: IE and text follow IE and text; p follows these; q follows
these, p and q; l follows l; t follows t.

Density. With TtL the characters of text of a node or block, and TgL those of the names and
attributes of its elements, the root included,
    density = TtL / TgL                                                                     (3)
A text is content when the density of its block, and of every block-level element around it in the
block, is greater than the threshold (2.3). `block_lists` gives the blocks with content and those
that are noise.

Departures: the bars between the rules are missing in Definition 1; they are in Algorithm 1, which
omits the last block of an element. Blank text and hidden nodes, including scripts, are removed
first. An inline element that contains a block-level one is divided; so is an empty block-level
element, which therefore cuts. Lists (ul ol dl menu dir li dt dd) and basic texts are recognised by
name, with any content. Attributes have the length of `name="value"`, or of the name when the value
is empty, as parsed: not as written in the source (for example unquoted or with references). The
density of a block is compared also when its root is inline. At the threshold itself Algorithm 2
would keep a node, the text of 2.3 would not; here it is noise. A block of which nothing is left is
listed as noise, one without text is not listed. White space is collapsed before
characters are counted. The third step of the paper, which removes blocks that are on other pages of
the site, needs those pages: it is `thresher.site.SiteBlockExtractor`.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import compress
from typing import NamedTuple

import numpy as np

from thresher.methods.common.option_checks import Options
from thresher.page import Node, Page, Selection
from thresher.page.array_types import Bools, Floats, Int64s, UInt16s
from thresher.page.arrays import inside, subtree_sums
from thresher.page.tags import BLOCK, lookup

_LIST = lookup("ul ol dl menu dir li dt dd")
_BASIC_TEXT = lookup("p h1 h2 h3 h4 h5 h6")

# Kinds of children, and a table [kind before, kind] of the pairs that stay together in a block.
_NO_RULE, _INLINE, _P, _Q, _L, _T = range(6)
_FOLLOWS = np.zeros((6, 6), np.bool_)
_FOLLOWS[_INLINE, [_INLINE, _P, _Q]] = True
_FOLLOWS[[_P, _Q], _Q] = True
_FOLLOWS[[_L, _T], [_L, _T]] = True


@dataclass(frozen=True, slots=True)
class BlockExtractor(Options):
    """Keep the blocks with much text for the length of their tags."""

    threshold: float = 1.5  # paper 3.3, between 1.3 and 1.7; swept again in docs/methods

    def __call__(self, page: Page) -> Selection:
        """Return the text of dense blocks, without sparse block-level elements in them."""
        return self.choose(Blocks.of(page))

    def choose(self, blocks: Blocks) -> Selection:
        """Return the text to keep of a page whose blocks are known (Algorithm 2)."""
        return blocks.page.select(blocks.row[self._is_content(blocks, *blocks.densities())])

    def block_lists(self, page: Page) -> BlockLists:
        """Return the blocks of a page that hold content, and those that are noise."""
        blocks = Blocks.of(page)
        root, node = blocks.densities()
        is_content = self._is_content(blocks, root, node)
        text = ((blocks.of_node >= 0) & (page.chars[blocks.row] > 0)).nonzero()[0]
        lists = BlockLists([], [])
        for nodes in np.split(text, np.diff(blocks.of_node[text]).nonzero()[0] + 1):
            if not len(nodes):  # a page without text
                continue
            block = int(blocks.of_node[nodes[0]])
            kept = is_content[nodes]
            rows = blocks.row[nodes]
            row = int(blocks.row[blocks.root[block]])
            found = Block(page, row, float(root[block]), rows[kept], rows[~kept])
            (lists.content if kept.any() else lists.noise).append(found)
        return lists

    def _is_content(self, blocks: Blocks, root: Floats, node: Floats) -> Bools:
        """Return one bool per node: True if the block and all elements around it are dense."""
        dense_root = np.append(root > self.threshold, False)  # the last is for -1: in no block
        sparse = blocks.is_block_level & (blocks.of_node >= 0) & (node <= self.threshold)
        is_content: Bools = dense_root[blocks.of_node] & ~inside(sparse, blocks.end)
        return is_content


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """A BLE&IE block with text; selections are made on access, since a page may have many."""

    page: Page
    row: int  # of the element that its root is copied from
    density: float
    kept_rows: Int64s  # of the texts that are content
    dropped_rows: Int64s  # of the texts that are noise

    @property
    def kept(self) -> Selection:
        """The texts of the block that are content."""
        return self.page.select(self.kept_rows)

    @property
    def dropped(self) -> Selection:
        """The texts of the block that are noise."""
        return self.page.select(self.dropped_rows)


class BlockLists(NamedTuple):
    """The blocks of a page that have text, each list in document order."""

    content: list[Block]  # some text of each is content
    noise: list[Block]


@dataclass(frozen=True, slots=True, eq=False)
class Blocks:
    """The visible nodes of the body as a tree of their own, cut into BLE&IE blocks."""

    page: Page
    row: Int64s  # of the page
    end: Int64s  # first node after the subtree
    is_block_level: Bools
    of_node: Int64s  # the block of a node, -1 for a node that was divided
    root: Int64s  # of each block: the node that its root is copied from

    def __len__(self) -> int:
        """Return the number of blocks."""
        return len(self.root)

    @classmethod
    def of(cls, page: Page) -> Blocks:
        """Return the blocks of a page (Algorithm 1)."""
        row, end, parent = _visible(page)
        tag = page.tag[row]
        kind = _kinds(tag, end)
        kind[:1] = _NO_RULE  # the body is always divided
        whole = inside(kind != _NO_RULE, end)
        is_child = ~whole
        is_child[1:] = ~whole.take(parent[1:])  # of an element that is divided
        before = np.full(len(row) + 1, -1)  # the sibling before each node
        before[end[::-1]] = np.arange(len(row))[::-1]  # the first of all nodes that end there
        sibling = np.where(before[:-1] >= 0, kind[before[:-1]], _NO_RULE)
        begins = is_child & whole & ~_FOLLOWS[sibling, kind]
        of_node = np.where(whole, begins.cumsum() - 1, -1)
        return cls(page, row, end, BLOCK[tag], of_node, parent[begins])

    def densities(self) -> tuple[Floats, Floats]:
        """Return the density of each block and of each node; 0 for a text."""
        text = self.page.chars[self.row].astype(np.int64)
        tags = tag_lengths(self.page, self.row)
        whole = self.of_node >= 0
        block, size = self.of_node[whole], len(self)
        block_text = np.bincount(block, text[whole], size)
        block_tags = np.bincount(block, tags[whole], size) + tags[self.root]
        below = subtree_sums(tags, self.end)
        node = subtree_sums(text, self.end) / np.maximum(below, 1) * (below > 0)
        return block_text / block_tags, node


def _visible(page: Page) -> tuple[Int64s, Int64s, Int64s]:
    """Return row, end and parent of the visible nodes of the body, which is the first."""
    kept = ~page.hidden & ((page.tag != 0) | (page.chars > 0))
    if page.body >= 0:
        kept[: page.body] = kept[page.end[page.body] :] = False
    before = np.concatenate(([0], kept.cumsum()))
    row = kept.nonzero()[0]
    parent = before.take(page.parent.take(row))
    parent[:1] = -1
    return row, before.take(page.end.take(row)), parent


def _kinds(tag: UInt16s, end: Int64s) -> Int64s:
    """Return the kind of every node, from its name and its content."""
    is_element, is_block = tag != 0, BLOCK[tag] & (tag != 0)
    elements = subtree_sums(is_element, end) - is_element
    blocks = subtree_sums(is_block, end) - is_block
    has_content = end - np.arange(len(tag)) > 1
    return np.select(
        [_LIST[tag], _BASIC_TEXT[tag], blocks > 0, ~is_block, elements > 0, has_content],
        [_L, _T, _NO_RULE, _INLINE, _P, _Q],
        _NO_RULE,
    )


# --- lengths -------------------------------------------------------------------------------------


def tag_lengths(page: Page, row: Int64s) -> Int64s:
    """Return LofTag + LofAttr of the given rows, 0 for text."""
    tag = page.tag[row]
    size = np.fromiter(map(len, page.names), np.int64, len(page.names))
    size[0] = 0
    length: Int64s = size.take(tag)
    is_counted = np.zeros(len(page), np.bool_)
    is_counted[row[tag != 0]] = True
    elements = compress(page.nodes, is_counted.tobytes())
    length[tag != 0] += np.fromiter(map(_attributes_length, elements), np.int64)
    return length


def _attributes_length(node: Node) -> int:
    """Return LofAttr: the length of all `name="value"`, without the white space between them.

    Attributes have no column, so this is called for every element and takes most of the method's
    time.
    """
    length = 0
    for name, value in node.attrs.items():
        length += len(name)
        if value:
            length += len('=""') + len(value if type(value) is str else " ".join(value))
    return length
