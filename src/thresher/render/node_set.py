"""Sets of nodes by identity.

The parser gives many nodes that are made in Python, rather than parsed, one and the same hash: a
`set` of them takes quadratic time. A node stays the same object while something refers to it.
"""

from __future__ import annotations

from collections.abc import Iterable

from turbohtml import Node


class NodeSet:
    """A set of nodes, kept alive so that their identities stay theirs."""

    def __init__(self, nodes: Iterable[Node] = ()) -> None:
        self._nodes = {id(node): node for node in nodes}

    def update(self, nodes: Iterable[Node]) -> None:
        """Add nodes."""
        self._nodes.update((id(node), node) for node in nodes)

    def __contains__(self, node: object) -> bool:
        return id(node) in self._nodes

    def __len__(self) -> int:
        return len(self._nodes)
