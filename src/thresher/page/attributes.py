"""Attribute values: of many elements at once, the distinct ones, and integers."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator
from itertools import count, repeat
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from thresher.page.array_types import Rows

if TYPE_CHECKING:
    from thresher.page.page import Node

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
