"""Sets of nodes by identity.

The parser gives the same hash to many nodes that are made in Python rather than parsed, so a `set`
of them takes quadratic time.
"""

from __future__ import annotations

from collections.abc import Iterable

from turbohtml import Node


class NodeSet:
    """A set of nodes; it keeps them alive, so that no other node gets the same id."""

    def __init__(self, nodes: Iterable[Node] = ()) -> None:
        self._nodes = {id(node): node for node in nodes}

    def update(self, nodes: Iterable[Node]) -> None:
        """Add nodes."""
        self._nodes.update((id(node), node) for node in nodes)

    def __contains__(self, node: object) -> bool:
        return id(node) in self._nodes
