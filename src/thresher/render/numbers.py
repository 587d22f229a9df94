"""The true numbers of list items."""

from __future__ import annotations

from collections.abc import Iterator

from turbohtml import Element


def item_numbers(items: Element) -> Iterator[tuple[Element, int]]:
    """The items of a list in the normal form, each with its number."""
    number = int(items.attr("start") or 1)
    step = -1 if items.attr("reversed") is not None else 1
    for item in items.children:
        if isinstance(item, Element):
            number = int(item.attr("value") or number)
            yield item, number
            number += step
