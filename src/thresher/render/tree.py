"""The tree that the output formats are written from: elements and texts in the normal form."""

from __future__ import annotations

from typing import TypeAlias

from thresher.render.compiled import use_compiled


class Text:
    """A piece of text."""

    __slots__ = ("data",)

    def __init__(self, data: str) -> None:
        self.data = data


class Element:
    """An element with its attributes and its content, in order."""

    __slots__ = ("attrs", "children", "tag")

    def __init__(
        self,
        tag: str,
        attrs: dict[str, str] | None = None,
        children: list[Node] | None = None,
    ) -> None:
        self.tag = tag
        self.attrs = attrs  # None: it has none
        self.children: list[Node] = [] if children is None else children

    def attr(self, name: str) -> str | None:
        """Return the value of an attribute, None if it is not set."""
        return None if self.attrs is None else self.attrs.get(name)

    def set(self, name: str, value: str) -> None:
        """Set an attribute."""
        if self.attrs is None:
            self.attrs = {}
        self.attrs[name] = value

    @property
    def text(self) -> str:
        """The texts inside, joined."""
        children = self.children
        if len(children) == 1 and type(children[0]) is Text:
            return children[0].data
        return "".join([node.data for node in self.descendants() if type(node) is Text])

    def descendants(self) -> list[Node]:
        """Return all nodes inside, in document order."""
        found: list[Node] = []
        stack = self.children[::-1]
        while stack:
            node = stack.pop()
            found.append(node)
            if type(node) is Element:
                stack.extend(reversed(node.children))
        return found


use_compiled(globals(), "Element", "Text")
Node: TypeAlias = Element | Text
