"""Tree edit distance: how many nodes must be inserted, deleted or renamed to make one tree another.

Zhang and Shasha 1989, "Simple fast algorithms for the editing distance between trees and related
problems": with the nodes in post-order, the distance of two forests that end at nodes i and j is

    F(i, j) = min(F(i-1, j) + 1, F(i, j-1) + 1, F(l(i)-1, l(j)-1) + T(i, j))

where l(i) is the leftmost leaf below i and T(i, j) the distance of the two subtrees; it is filled
in for pairs of keyroots (nodes with a left sibling, and the root), inner pairs first.

`distance` is bounded: it stops at once when the sizes or the labels of the trees already tell that
the distance is above `most`. The labels in one tree but not in the other must each be renamed,
inserted or deleted, so the number of labels of the larger tree that the other lacks is a lower
bound.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class Tree:
    """An ordered tree: labels of the nodes in post-order, and the leftmost leaf below each."""

    labels: tuple[str, ...]
    leftmost: tuple[int, ...]

    @classmethod
    def of(cls, labels: list[str], ends: list[int]) -> Tree:
        """Make a tree from its nodes in document order; `ends` are first nodes after subtrees."""
        post: list[str] = []
        leftmost: list[int] = []
        open_nodes: list[tuple[int, int]] = []  # a node, and its leftmost leaf in post-order
        for node in range(len(labels) + 1):
            while open_nodes and (node == len(labels) or ends[open_nodes[-1][0]] <= node):
                closed, first = open_nodes.pop()
                post.append(labels[closed])
                leftmost.append(first)
            if node < len(labels):
                open_nodes.append((node, len(post)))
        return cls(tuple(post), tuple(leftmost))

    def __len__(self) -> int:
        """Return the number of nodes."""
        return len(self.labels)

    @cached_property
    def counts(self) -> Counter[str]:
        """How often each label occurs."""
        return Counter(self.labels)

    @property
    def keyroots(self) -> list[int]:
        """The last node with each leftmost leaf, in order."""
        return sorted({first: node for node, first in enumerate(self.leftmost)}.values())


def distance(a: Tree, b: Tree, most: float = float("inf")) -> float:
    """Return the edit distance of two trees, or infinity when it is above `most`."""
    if a.labels == b.labels and a.leftmost == b.leftmost:
        return 0
    common = (a.counts & b.counts).total()
    if max(len(a), len(b)) - common > most:
        return float("inf")
    subtrees = [[0] * len(b) for _ in a.labels]
    for i in a.keyroots:
        for j in b.keyroots:
            _fill(a, b, i, j, subtrees)
    found = subtrees[-1][-1]
    return found if found <= most else float("inf")


def _fill(a: Tree, b: Tree, i: int, j: int, subtrees: list[list[int]]) -> None:
    """Fill in the distances of the subtrees on the left paths below two keyroots."""
    first_i, first_j = a.leftmost[i], b.leftmost[j]
    above = list(range(j - first_j + 2))  # forests of b against an empty forest of a
    table = [above]
    for x in range(first_i, i + 1):
        row = [above[0] + 1]
        of_tree = a.leftmost[x] == first_i
        skip_x = table[a.leftmost[x] - first_i]
        for y in range(first_j, j + 1):
            at = y - first_j
            best = min(above[at + 1], row[at]) + 1
            if of_tree and b.leftmost[y] == first_j:
                best = min(best, above[at] + (a.labels[x] != b.labels[y]))
                subtrees[x][y] = best
            else:
                best = min(best, skip_x[b.leftmost[y] - first_j] + subtrees[x][y])
            row.append(best)
        table.append(row)
        above = row
