"""The numbers of list items in the normal form, where items are children of their list."""

from __future__ import annotations

from collections.abc import Iterator

from turbohtml import Element

from thresher.page.integers import integer


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
