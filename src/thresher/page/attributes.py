"""Attribute values: of many elements at once, the distinct ones, and integers."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from itertools import count, repeat
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from thresher.page.array_types import Int64s, Rows
from thresher.page.core import COMPILED

if TYPE_CHECKING:
    from thresher.page.page import Node
if COMPILED:
    from thresher.page import _walk

Value = TypeVar("Value", bound=Hashable)


def attribute_values(elements: list[Node], name: str) -> Iterator[str | None]:
    """Return the value of an attribute of each element, None if it has none."""
    if not elements:
        return iter(())
    return map(type(elements[0]).attr, elements, repeat(name))  # faster than bound methods


def distinct(values: Iterable[Value], size: int) -> tuple[list[Value], Rows]:
    """Return the distinct ones of `size` values in order, and the index there of each value."""
    number: defaultdict[Value, int] = defaultdict(count().__next__)
    index: Rows = np.fromiter(map(number.__getitem__, values), np.intp, size)
    return list(number), index


def distinct_values(nodes: list[Node], rows: Int64s, name: str) -> tuple[list[str | None], Int64s]:
    """Return the distinct values of an attribute of elements, and the index there of each one's.

    `nodes` are those of a page, of which `rows` are the elements.
    """
    if not COMPILED:
        elements = list(map(nodes.__getitem__, rows.tolist()))
        return distinct(attribute_values(elements, name), len(elements))
    index = np.empty(len(rows), np.int64)
    return _walk.read_distinct(nodes, rows, name, index), index


def class_and_id(node: Node) -> str:
    """Return the class and the id of an element, with a space between them."""
    return f"{node.attr('class') or ''} {node.attr('id') or ''}"


class NameCache(dict[str | None, Any]):
    """What a function says of a class or an id; kept for the names of all pages, which share most.

    Names of more than `longest` characters are not kept.
    """

    def __init__(self, compute: Callable[[str | None], Any], longest: int) -> None:
        self.compute, self.longest = compute, longest

    def __missing__(self, name: str | None) -> Any:
        """Compute the value of a name that is new."""
        value = self.compute(name)
        if len(self) > _MOST_NAMES:
            self.clear()
        if len(name or "") <= self.longest:
            self[name] = value
        return value


_MOST_NAMES = 50_000  # those of a few hundred sites


_INTEGER = re.compile(r"[ \t\n\f\r]*([+-]?)([0-9]+)")
_LARGEST = 2**31 - 1  # the largest integer in browsers


def parse_integer(text: str | None) -> int | None:
    """Return the integer that an attribute value starts with, None if there is none.

    https://html.spec.whatwg.org/#rules-for-parsing-integers: white space, a sign, ASCII digits;
    anything after the digits is ignored.
    """
    match = _INTEGER.match(text or "")
    if match is None:
        return None
    digits = match[2].lstrip("0")
    size = _LARGEST if len(digits) > 10 else min(int(digits or "0"), _LARGEST)
    return -size if match[1] == "-" else size
