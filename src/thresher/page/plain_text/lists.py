"""List items in plain text: their marks, their numbers, and how far they are indented."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from thresher.page.ancestors import innermost, levels_inside
from thresher.page.array_types import Rows
from thresher.page.arrays import groups_rank
from thresher.page.columns import Columns
from thresher.page.integers import integer
from thresher.page.tags import NUMBER, lookup

LIST = lookup("ul ol menu dir")


def list_depth(page: Columns, items: Rows) -> Rows:
    """Return in how many lists each item stands, one if in none; 0 for -1, no item."""
    lists = LIST.take(page.tag).nonzero()[0]
    depth = np.maximum(levels_inside(lists, page.end, items), 1)
    depth[items < 0] = 0
    return depth


def list_marks(
    page: Columns,
    item_of: Rows,
    attributes: Callable[[int], Mapping[str, str]],
) -> dict[int, str]:
    """Marks by index of text: the first text of each list item gets one."""
    inside = (item_of >= 0).nonzero()[0]
    if not len(inside):
        return {}
    # Backwards, so that of the texts of an item the first is the one that stays.
    first = dict(zip(item_of.take(inside)[::-1].tolist(), inside[::-1].tolist(), strict=True))
    numbers: dict[int, int] = {}
    if (page.tag == NUMBER["ol"]).any():
        items = np.fromiter(first, np.intp, len(first))
        lists = innermost(LIST.take(page.tag).nonzero()[0], page.end, items)
        numbers = item_numbers(page, np.unique(lists[lists >= 0]), attributes)
    return {
        index: f"{numbers[item]}. " if item in numbers else "- " for item, index in first.items()
    }


def item_numbers(
    page: Columns,
    lists: Rows,
    attributes: Callable[[int], Mapping[str, str]],
) -> dict[int, int]:
    """Return the number of each item of those `lists` that are ordered.

    `start`, `value` and `reversed` count. An item is of the nearest list around it
    (https://html.spec.whatwg.org/#list-owner), whatever stands between.
    """
    ordered = lists[page.tag.take(lists) == NUMBER["ol"]]
    if not len(ordered):
        return {}
    is_ordered = np.zeros(len(page) + 1, np.bool_)  # one more for "no list", -1
    is_ordered[ordered] = True
    items = np.flatnonzero(page.tag == NUMBER["li"])
    owner = innermost(LIST.take(page.tag).nonzero()[0], page.end, items)
    items, owner = items[is_ordered[owner]], owner[is_ordered[owner]]
    order = np.argsort(owner, kind="stable")
    items, owner = items[order], owner[order]
    rank = groups_rank(owner)
    size = np.bincount(owner, minlength=len(page))
    numbers: dict[int, int] = {}
    number, step = 0, 1
    for row, of, place in zip(items.tolist(), owner.tolist(), rank.tolist(), strict=True):
        if place == 0:
            given = attributes(of)
            step = -1 if "reversed" in given else 1
            start = integer(given.get("start"))
            number = (int(size[of]) if step < 0 else 1) if start is None else start
            number -= step
        own = integer(attributes(row).get("value"))
        number = number + step if own is None else own
        numbers[row] = number
    return numbers
