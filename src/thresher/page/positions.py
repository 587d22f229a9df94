"""Positions of rows in the source: line, column, offset, and a CSS path."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from thresher.page.array_types import AnyRows, Rows
from thresher.page.arrays import freeze
from thresher.page.tags import LAST_ID

if TYPE_CHECKING:
    from thresher.page.page import Page

_UNSAFE = re.compile(r"[^\w-]")  # must be escaped in a CSS name
_MOST_STEPS = 64  # in a path: on very deep pages all paths would be long


class Position(NamedTuple):
    """Position of a row: line (from 1), column and offset (from 0) in `source`, and CSS path."""

    line: int
    column: int
    offset: int
    css_path: str


def positions_of(page: Page, rows: AnyRows) -> list[Position]:
    """Return the position of each of the rows.

    An element that the source only implies has the offset of the nearest row before it that is
    written. Reading the offsets of elements is slow, so texts do without them where they can.
    """
    offset = page.text_offsets.take(rows)
    if (offset < 0).any():
        offset = page.row_offsets.take(rows)
    line = page.line_starts.searchsorted(offset, side="right")
    column = offset - page.line_starts.take(line - 1)
    paths = css_paths(page, rows)
    return list(map(Position, line.tolist(), column.tolist(), offset.tolist(), paths))


def css_paths(page: Page, rows: AnyRows) -> list[str]:
    """Return a CSS selector for each of the rows, for a text that of its parent.

    It has one step for the element and each ancestor, the nearest 64: the element's name, with
    `:nth-of-type` if siblings have the same name.
    """
    while page.base is not None:
        page, rows = page.base, page.origin.take(rows)
    number, count = page.cached(_places_among_siblings)
    parent, level = page.parent, page.level

    @cache
    def escaped_name(tag: int) -> str:
        return _UNSAFE.sub(r"\\\g<0>", page.names[tag])

    @cache
    def step(row: int) -> str:
        name = escaped_name(page.tag.item(row))
        return f"{name}:nth-of-type({number[row]})" if count[row] > 1 else name

    @cache
    def path(row: int) -> str:
        if level[row] < _MOST_STEPS:  # at most as many calls deep
            return f"{path(parent.item(row))} > {step(row)}" if row else step(row)
        steps = [step(row)]
        while len(steps) < _MOST_STEPS:
            row = parent.item(row)
            steps.append(step(row))
        return " > ".join(reversed(steps))

    elements = np.where(page.tag.take(rows) != 0, rows, parent.take(rows))
    return list(map(path, elements.tolist()))


def _places_among_siblings(page: Page) -> tuple[Rows, Rows]:
    """Return each element's place, from 1, among its siblings of the same name, and their number.

    Both arrays have one entry per row; 0 for texts.
    """
    elements = (page.tag != 0).nonzero()[0]
    key = page.parent.take(elements) * np.int64(LAST_ID + 1) + page.tag.take(elements)
    order = key.argsort(kind="stable")
    elements, key = elements[order], key[order]
    first = key.searchsorted(key)
    number, count = np.zeros(len(page), np.intp), np.zeros(len(page), np.intp)
    number[elements] = np.arange(1, len(key) + 1) - first
    count[elements] = key.searchsorted(key, side="right") - first
    freeze(number, count)
    return number, count
