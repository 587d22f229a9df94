"""List items in plain text: their marks, numbers, task boxes and indentation."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from thresher.page.array_types import AnyRows, Rows
from thresher.page.arrays import innermost, levels_inside
from thresher.page.attributes import attribute_values, parse_integer
from thresher.page.tags import BLOCK, LIST, NUMBER

if TYPE_CHECKING:
    from thresher.page.page import Page


def list_depth(page: Page, items: Rows) -> Rows:
    """Return the number of lists around each item, at least 1; 0 where the item is -1."""
    lists = LIST.take(page.tag).nonzero()[0]
    depth = np.maximum(levels_inside(lists, page.end, items), 1)
    depth[items < 0] = 0
    return depth


def list_marks(page: Page, item_of: Rows) -> dict[int, str]:
    """Return the mark of the first text of each list item, by index of text.

    `item_of` is the item of each text, -1 for none.
    """
    inside = (item_of >= 0).nonzero()[0]
    if not len(inside):
        return {}
    # Reversed, so that the first text of an item is the one that stays.
    first = dict(zip(item_of.take(inside)[::-1].tolist(), inside[::-1].tolist(), strict=True))
    marks = item_marks(page, np.fromiter(first, np.intp, len(first)))
    return {index: marks.get(item, "- ") for item, index in first.items()}


def item_marks(page: Page, items: AnyRows, *, has_numbers: bool = True) -> dict[int, str]:
    """Return the marks of list items that are not a dash alone, by row: numbers and task boxes.

    Without `has_numbers`, none of the items is in an ordered list.
    """
    marks: dict[int, str] = {}
    if not len(items):
        return marks
    if has_numbers and page.present[NUMBER["ol"]]:
        lists = innermost(LIST.take(page.tag).nonzero()[0], page.end, items)
        numbers = item_numbers(page, lists[lists >= 0])
        marks = {item: f"{number}. " for item, number in numbers.items()}
    rows, begin, end = page.stated.check_boxes, items.min(), page.end.take(items).max()
    if bisect_left(rows, begin) < bisect_left(rows, end):  # false of most pages
        boxes, of_boxes = page.cached(_boxes_and_items)
        is_wanted = np.zeros(len(page) + 1, np.bool_)  # the last entry is for -1, no item
        is_wanted[items] = True
        fits = is_wanted.take(of_boxes)
        for box, item in zip(boxes[fits].tolist(), of_boxes[fits].tolist(), strict=True):
            is_checked = page.nodes[box].attr("checked") is not None
            marks[item] = f"{marks.get(item, '- ')}{TASK_SIGNS[is_checked]} "
    return marks


TASK_SIGNS = ("☐", "☑")  # of an open task, and of one that is done


def task_boxes(page: Page) -> dict[int, bool]:
    """Return the check boxes at the begin of list items, by row, and whether each is checked.

    Those in a form, such as the filters of a shop, are no tasks, nor are those that fold a box.
    """
    if not page.stated.check_boxes:  # true of most pages
        return {}
    boxes = page.cached(_boxes_and_items)[0].tolist()
    return {box: page.nodes[box].attr("checked") is not None for box in boxes}


def _boxes_and_items(page: Page) -> tuple[Rows, Rows]:
    """Return the rows of the check boxes of `task_boxes`, and those of their items."""
    rows = np.array(page.stated.check_boxes, np.intp)
    item_of = innermost(_items(page), page.end, rows)
    in_form = levels_inside((page.tag == NUMBER["form"]).nonzero()[0], page.end, rows) > 0
    texts = page.words.nonzero()[0]
    begins = texts.searchsorted(rows) == texts.searchsorted(item_of)
    fits = (item_of >= 0) & begins & ~in_form
    for place in fits.nonzero()[0].tolist():
        fits[place] = not _folds(page, int(rows[place]), int(item_of[place]))
    return rows[fits], item_of[fits]


def _folds(page: Page, box: int, item: int) -> bool:
    """Return whether a check box hides what is below it: its label is empty.

    The words of a task are in the line of the box or in its label; those here are in a block.
    """
    own = page.nodes[box].attr("id")
    if not own:  # true of most tasks
        return False
    place = int(page.text_rows.searchsorted(box))
    rows = page.text_rows[place : place + _MOST_BLANK].tolist()
    row = next((row for row in rows if page.words[row]), box)
    while row > box and not BLOCK[page.tag[row]]:
        row = int(page.parent[row])
    if row <= box:
        return False
    near = range(item, min(int(page.end[item]), item + _MOST_ROWS_TO_LABEL))
    labels = [row for row in near if page.tag[row] == NUMBER["label"]]
    return any(
        page.nodes[label].attr("for") == own and not "".join(page.texts_inside(label)).strip()
        for label in labels
    )


_MOST_BLANK, _MOST_ROWS_TO_LABEL = 40, 60  # texts after a box, and rows from its item to its label


def _items(page: Page) -> Rows:
    items: Rows = (page.tag == NUMBER["li"]).nonzero()[0]
    return items


def item_numbers(page: Page, lists: Rows) -> dict[int, int]:
    """Return the number of each item of the ordered ones among `lists`, by row.

    An item belongs to the nearest list around it (https://html.spec.whatwg.org/#list-owner).
    """
    ordered = lists[page.tag.take(lists) == NUMBER["ol"]]
    if not len(ordered):
        return {}
    is_ordered = np.zeros(len(page) + 1, np.bool_)  # the last entry is for -1, no list
    is_ordered[ordered] = True
    items = _items(page)
    owners = innermost(LIST.take(page.tag).nonzero()[0], page.end, items)
    numbered = is_ordered[owners]
    items_of: dict[int, list[int]] = {}
    for item, owner in zip(items[numbered].tolist(), owners[numbered].tolist(), strict=True):
        items_of.setdefault(owner, []).append(item)
    numbers: dict[int, int] = {}
    for owner, members in items_of.items():
        given = page.attributes(owner)
        values = attribute_values([page.nodes[item] for item in members], "value")
        count = count_items(given.get("start"), "reversed" in given, list(values))
        numbers.update(zip(members, count, strict=True))
    return numbers


def first_number(start: str | None, is_reversed: bool, size: int) -> int:
    """Return the number that an ordered list of `size` items starts with, given its attributes."""
    number = parse_integer(start)
    return (size if is_reversed else 1) if number is None else number


def count_items(start: str | None, is_reversed: bool, values: Sequence[str | None]) -> list[int]:
    """Return the number of each item of an ordered list, as a browser shows it.

    The arguments are the list's attributes `start` and `reversed`, and the attribute `value` of
    each item.
    """
    number = first_number(start, is_reversed, len(values))
    numbers: list[int] = []
    for own in map(parse_integer, values):
        number = number if own is None else own
        numbers.append(number)
        number += -1 if is_reversed else 1
    return numbers
