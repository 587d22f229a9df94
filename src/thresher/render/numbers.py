"""The true numbers of list items."""

from __future__ import annotations

import re
from collections.abc import Iterator

from turbohtml import Element

_NUMBER = re.compile(r"\s*([+-]?[0-9]{1,9})")


def item_numbers(items: Element) -> Iterator[tuple[Element, int]]:
    """The items of a list, each with its number as a browser shows it."""
    number = first_number(items)
    step = -1 if items.attr("reversed") is not None else 1
    for item in items.children:
        if isinstance(item, Element) and item.tag == "li":
            own = integer(item.attr("value"))
            number = number if own is None else own
            yield item, number
            number += step


def first_number(items: Element) -> int:
    """The number from which a list counts: `start`, or how many items a falling list has."""
    start = integer(items.attr("start"))
    if start is not None:
        return start
    if items.attr("reversed") is None:
        return 1
    return sum(isinstance(item, Element) and item.tag == "li" for item in items.children)


def pin_numbers(body: Element) -> None:
    """Write its number on each item of each ordered list, so that it stays when others go."""
    for items in body.iter_elements("ol"):
        for item, number in item_numbers(items):
            item.attrs["value"] = str(number)


def integer(text: str | None) -> int | None:
    """The integer an attribute begins with, None if it begins with none."""
    match = _NUMBER.match(text or "")
    return int(match[1]) if match else None
