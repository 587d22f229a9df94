"""One attribute of many elements: its values, and the distinct ones with who has which.

Elements of a page share their names, so what is looked up once for each name costs little.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator
from itertools import count, repeat
from typing import TypeVar

import numpy as np

from thresher.page.array_types import Rows
from thresher.page.page import Node

Value = TypeVar("Value", bound=Hashable)


def attribute(elements: list[Node], name: str) -> Iterator[str | None]:
    """Read an attribute of each element."""
    if not elements:
        return iter(())
    return map(type(elements[0]).attr, elements, repeat(name))  # bound to none: that is faster


def distinct(values: Iterable[Value], size: int) -> tuple[list[Value], Rows]:
    """Return the distinct ones of so many values, as they come, and which of them each one is."""
    number: defaultdict[Value, int] = defaultdict(count().__next__)
    of: Rows = np.fromiter(map(number.__getitem__, values), np.intp, size)
    return list(number), of
