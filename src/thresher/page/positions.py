"""Where many rows of a page stand at once: line, column, offset and CSS path.

The same as `Page.position` of each, but elements are not asked for their place while every row is
a text whose run in the source is known, and a path is the parent's path and one step.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from thresher.page.array_types import Int32s, Int64s, Rows
from thresher.page.page import Page, Position
from thresher.page.scan import in_source
from thresher.page.tags import LAST_ID

_UNSAFE = re.compile(r"[^\w-]")  # of a name in CSS
_SOLID = re.compile(rb"[^\x00-\x20]")
_MOST_STEPS = 64  # as in `Page.css_path`


def positions(page: Page, rows: Int32s) -> list[Position]:
    """Return the position of each of the rows."""
    if not len(rows):
        return []
    offsets = _offsets(page, rows).tolist()
    line = dict(_lines(page.source, sorted({*offsets})))
    return [
        Position(*line[offset], offset, path)
        for offset, path in zip(offsets, css_paths(page, rows), strict=True)
    ]


def _lines(source: str, offsets: list[int]) -> Iterator[tuple[int, tuple[int, int]]]:
    """Give for each of the offsets, in order, its line and its column.

    A few searches in the source are less than a list of all its lines.
    """
    line, start, at = 1, 0, 0
    for offset in offsets:
        line += source.count("\n", at, offset)
        start = source.rfind("\n", at, offset) + 1 or start
        at = offset
        yield offset, (line, offset - start)


def _offsets(page: Page, rows: Int32s) -> Int64s:
    """Return the offset of each row in the source; asks the elements only if it has to."""
    scan = page.scan
    run = np.full(len(page), -1, np.intp)  # of a row: its first
    known = (scan.run_text >= 0).nonzero()[0][::-1]
    run[page.text_rows[scan.run_text[known]]] = known
    run = run.take(rows)
    if (run < 0).any():
        return page.row_offsets.take(rows).astype(np.int64)
    begin = scan.run_first.take(run).tolist()
    code = scan.code.data
    first = np.array(
        [found.start() for at in begin if (found := _SOLID.search(code, at))], np.int64
    )
    return in_source(first, page.html or page.source, scan.code, scan.pieces)


def css_paths(page: Page, rows: Int32s) -> list[str]:
    """Return a CSS selector of each of the rows, for text of its parent."""
    while page.base is not None:
        page, rows = page.base, page.origin.take(rows)
    at = np.where(page.tag.take(rows) != 0, rows, page.parent.take(rows))
    deep = page.level.take(at) >= _MOST_STEPS
    path: dict[int, str] = {-1: ""}
    parent = page.parent
    for row, step in _steps(page, _around(page, at[~deep])).items():  # parents come first
        above = path[int(parent[row])]
        path[row] = f"{above} > {step}" if above else step
    return [
        page.css_path(row) if is_deep else path[row]
        for row, is_deep in zip(at.tolist(), deep.tolist(), strict=True)
    ]


def _around(page: Page, rows: Int32s) -> Rows:
    """Return the rows and all their ancestors, in order.

    The rows are few, so a climb of each to what is known beats passes over the whole page.
    """
    found, parent = {-1}, page.parent
    for row in rows.tolist():
        while row not in found:
            found.add(row)
            row = int(parent[row])
    return np.array(sorted(found)[1:], np.intp)


def _steps(page: Page, rows: Rows) -> dict[int, str]:
    """Return the last step of the path of each of the rows: its name, its place if it needs one."""
    asked = np.zeros(len(page) + 1, np.bool_)  # -1 is the last
    asked[page.parent.take(rows)] = True
    beside = (asked[page.parent] & (page.tag != 0)).nonzero()[0]
    key = page.parent.take(beside).astype(np.int64) * (LAST_ID + 1) + page.tag.take(beside)
    order = key.argsort(kind="stable")
    beside, key = beside[order], key[order]
    first = key.searchsorted(key)
    number, size = np.zeros(len(page), np.intp), np.zeros(len(page), np.intp)
    number[beside] = np.arange(len(key)) - first + 1
    size[beside] = key.searchsorted(key, side="right") - first
    tags, place, count = (column.take(rows).tolist() for column in (page.tag, number, size))
    safe = {tag: _UNSAFE.sub(r"\\\g<0>", page.names[tag]) for tag in {*tags}}
    return {
        row: f"{safe[tag]}:nth-of-type({nth})" if many > 1 else safe[tag]
        for row, tag, nth, many in zip(rows.tolist(), tags, place, count, strict=True)
    }
