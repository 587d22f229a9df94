"""What a record says: its author, its time, its text, how deep it is nested.

All that is asked of many records at once is an array over rows: `owner` gives the record that each
row belongs to, the innermost one.
"""

from __future__ import annotations

import re
from operator import methodcaller

import numpy as np

from thresher import dates
from thresher.arrays import inside
from thresher.columns import Bools
from thresher.page import Node, Page
from thresher.tags import BLOCK, NUMBER, lookup
from thresher.threads.names import AUTHOR, BODY, CONTROL, INNER, TIME
from thresher.threads.records import Ints, Reading, before, enclosing

__all__ = ["authors", "bodies", "depths", "owners", "times"]

_CLASS = methodcaller("attr", "class")
_CLICKED = lookup("button select textarea option label input")


def owners(size: int, rows: Ints, ends: Ints) -> Ints:
    """Return for each row of the page the innermost record that it is in, -1 outside.

    The owner changes where a record begins, to that record, and where one ends, to the one around
    it. Of several that end at one row the outermost counts, and one that begins there wins.
    """
    change = np.full(size + 1, _SAME)
    change[0] = -1
    change[ends[::-1]] = enclosing(rows, ends)[::-1]
    change[rows] = np.arange(len(rows))
    place = np.maximum.accumulate(np.where(change != _SAME, np.arange(size + 1), 0))
    return change[place[:-1]]


_SAME = -2


# --- who and when --------------------------------------------------------------------------------

_MOST_WORDS = 6  # of a name
_LONGEST = 60  # characters of a name
_NAMING = lookup("a cite b strong span em h3 h4 h5 h6 font")


def _first(owner: Ints, rows: Ints, count: int) -> Ints:
    """Return the first of the given rows in each record, -1 if it has none."""
    found = np.full(count, -1)
    found[owner[rows[::-1]]] = rows[::-1]
    return found


def authors(read: Reading, owner: Ints, is_text: Bools, count: int) -> list[tuple[str, int]]:
    """Return the author of each record as written, "" if none is found, and the row.

    What microdata marks comes first, then what a name marks, then the first short bold text.
    """
    page = read.page
    words = read.words[page.end] - read.words[:-1]
    own = (owner >= 0) & (words > 0) & (page.tag != 0)
    marked = own & ((read.bits & (AUTHOR | CONTROL)) == AUTHOR) & (words <= _MOST_AROUND)
    rows = marked.nonzero()[0]
    stated = rows[[_ITEMPROP(page.nodes[row]) == "author" for row in rows.tolist()]]
    rows = rows[words[rows] <= _MOST_WORDS] if len(stated) == 0 else rows
    controls = before((read.bits & CONTROL) != 0)
    fits = own & (words <= _MOST_WORDS) & (controls[page.end] == controls[:-1])
    around = inside(marked, page.end)
    links = (fits & around & (page.tag == NUMBER["a"])).nonzero()[0]
    inner = (fits & around & (_NAMING[page.tag] | marked)).nonzero()[0]
    bold = (fits & _BOLD[page.tag] & ~is_text & ((read.bits & TIME) == 0)).nonzero()[0]
    chosen = _first(owner, bold, count)
    for candidates in (inner, rows[fits[rows]], stated):
        first = _first(owner, candidates, count)
        chosen = np.where(first >= 0, first, chosen)
    found = []
    for row in chosen.tolist():
        if row >= 0:  # within an element that also says "by" or when: the link, else what is marked
            for several in (links, inner):
                at = int(several.searchsorted(row, side="right"))
                if at < len(several) and several[at] < page.end[row]:
                    row = int(several[at])
                    break
        found.append((_name(_line(page, row)), row))
    return found


_MOST_AROUND = 40  # words of what is around an author's name
_BOLD = lookup("cite b strong dt h3 h4 h5 h6")
_ITEMPROP = methodcaller("attr", "itemprop")


def _name(text: str) -> str:
    name = text.strip(" \t\n,;:|·•-–—")
    return name if len(name) <= _LONGEST else ""


def _line(page: Page, row: int) -> str:
    """Return the text of a small element in one line."""
    if row < 0:
        return ""
    first, last = page.text_rows.searchsorted((row, page.end[row])).tolist()
    return " ".join(" ".join(text or "" for text in page.texts[first:last]).split())


_STAMPS = ("datetime", "content", "data-time", "data-timestamp", "data-utime", "title")
_LONGEST_TIME = 80  # characters
_TEXTS = 14  # texts of a record that are looked at for a date


def times(read: Reading, owner: Ints, count: int) -> list[tuple[str, str, int]]:
    """Return the time of each record in ISO 8601 and as written, "" for none, and the row."""
    page = read.page
    own = owner >= 0
    exact = (own & (page.tag == NUMBER["time"])).nonzero()[0]
    words = read.words[page.end] - read.words[:-1]
    near = (own & ((read.bits & TIME) != 0) & (words <= _MOST_TIME_WORDS)).nonzero()[0]
    texts = page.text_rows[own[page.text_rows] & (page.chars[page.text_rows] > 0)]
    bounds = owner[texts].argsort(kind="stable")
    texts = texts[bounds]
    starts = owner[texts].searchsorted(np.arange(count + 1)).tolist()
    found = []
    for place, rows in enumerate(
        zip(_first(owner, exact, count).tolist(), _first(owner, near, count).tolist(), strict=True)
    ):
        stated = [_stamped(page, row) for row in rows if row >= 0]
        dated = next((one for one in stated if one[0]), None)
        if dated is None:
            short = texts[starts[place] : starts[place + 1]][:_TEXTS]
            dated = _in_texts(page, short.tolist()) or (stated[0] if stated else ("", "", -1))
        found.append(dated)
    return found


_MOST_TIME_WORDS = 16


_STAMPED_ROWS = 4  # the element and what is first in it


def _attribute(node: Node, name: str) -> str:
    """Return an attribute, "" for none and of a text."""
    read = getattr(node, "attr", None)
    return "" if read is None else str(read(name) or "")


def _stamped(page: Page, row: int) -> tuple[str, str, int]:
    """Read a time off an element: what it states, else what it shows."""
    written = _line(page, row)[:_LONGEST_TIME]
    for node in page.nodes[row : min(int(page.end[row]), row + _STAMPED_ROWS)]:
        for name in _STAMPS:
            stated = _attribute(node, name)
            if stated and (iso := dates.to_iso(stated)):
                return iso, written or stated, row
    return dates.to_iso(written), written, row


_DIGIT = re.compile(r"\d")


def _in_texts(page: Page, rows: list[int]) -> tuple[str, str, int] | None:
    """Return the latest date among short texts: a member joined before writing."""
    found = []
    for row in rows:
        if page.chars[row] <= _LONGEST_TIME:
            text = " ".join(page.text(row).split())
            if _DIGIT.search(text) and (iso := dates.to_iso(text)):
                found.append((iso, text, row))
    return max(found, key=lambda one: one[0], default=None)


# --- how deep ------------------------------------------------------------------------------------

_INDENTS = ("depth", "data-depth", "indent", "aria-level", "data-level", "data-indent", "level")
_DEPTH_CLASS = re.compile(r"(?:^|[\s_-])(?:depth|level|indent|nested-?level)[_-]?(\d{1,3})(?:\s|$)")
_MARGIN = re.compile(
    r"(?:margin|padding)-(?:left|right|inline-start)\s*:\s*(\d+)(?:\.\d+)?\s*(px|em|%)?"
)
_LOOKED_AT = 8  # rows at the beginning of a record whose attributes may say how deep it is


def depths(read: Reading, rows: Ints, ends: Ints) -> Ints:
    """Return how deep each record is nested: in others, in boxes for answers, or as it says."""
    page = read.page
    around = enclosing(rows, ends)
    nested = np.zeros(len(rows), np.int64)
    for place, outer in enumerate(around.tolist()):  # in order: the outer one is known
        nested[place] = nested[outer] + 1 if outer >= 0 else 0
    if nested.any():
        return nested
    boxes = before((read.bits & INNER) != 0)
    closing = np.bincount(page.end[(read.bits & INNER) != 0], minlength=len(page) + 1).cumsum()
    boxed = boxes[rows] - closing[rows]
    boxed -= boxed.min()
    stated = _ranks(np.array([_stated(page, row) for row in rows.tolist()], np.int64))
    return np.asarray(np.maximum(stated, boxed), np.int64)


def _ranks(values: Ints) -> Ints:
    """Turn indents into depths: the smallest is 0, the next larger one 1."""
    return np.unique(values, return_inverse=True)[1].astype(np.int64)


def _stated(page: Page, row: int) -> int:
    """Return the indent that a record states: an attribute, a class, a margin, a blank image."""
    last = min(row + _LOOKED_AT, int(page.end[row]))
    for at in range(row, last):
        given = page.attributes(at)
        for name in _INDENTS:
            if given.get(name, "").isdecimal():
                return int(given[name][:_DIGITS])
        shown = _DEPTH_CLASS.search(given.get("class", "")) or _MARGIN.search(
            given.get("style", "")
        )
        if shown:
            return int(shown[1][:_DIGITS])
        if given.get("height") == "1" and given.get("width", "").isdecimal():
            return int(given["width"][:_DIGITS])
    return 0


_DIGITS = 6  # of an indent that are read


# --- the text ------------------------------------------------------------------------------------

_PRESENT = 0.6  # share of records that have a body of one name
_ONCE = 1.2  # at most so many of it a record
_COVERED, _COVERED_NAMED = (
    0.5,
    0.3,
)  # share of the records' words it holds; less if its name says so
_MOST_CONTROL = 60  # words of a control or a signature


def bodies(read: Reading, owner: Ints, rows: Ints, sort: Ints) -> tuple[Bools, Bools]:
    """Return the rows of the records' texts, and those of controls, which are nobody's text."""
    page = read.page
    words = read.words[page.end] - read.words[:-1]
    in_record = owner >= 0
    root = np.zeros(len(page), np.bool_)
    root[rows] = True
    control = (
        ((read.bits & CONTROL) != 0) & (words <= _MOST_CONTROL) & (words * 2 < words[rows][owner])
    )
    control = inside(in_record & ~root & (control | _CLICKED[page.tag]), page.end)
    control |= page.hidden & in_record & ~page.hidden[rows][owner]
    elements = np.zeros(len(page), np.bool_)
    at = (in_record & ~root & BLOCK[page.tag] & (words > 0)).nonzero()[0]
    for number in np.unique(sort).tolist():
        elements |= _body_elements(read, at[sort[owner[at]] == number], owner, rows[sort == number])
    body = inside(elements, page.end) & in_record
    has = np.zeros(len(rows), np.bool_)
    has[owner[body]] = True
    said = ((read.bits & (AUTHOR | TIME)) != 0) | (page.tag == NUMBER["time"])
    said = inside(said & in_record & ~root & (words <= _MOST_TIME_WORDS), page.end)
    text = np.where(has[owner], body, ~said) & in_record & ~control
    return text, control


def _body_elements(read: Reading, at: Ints, owner: Ints, rows: Ints) -> Bools:
    """Find the elements of one tag and class that hold most of the records' words, the smallest.

    `at` are the elements of the records that begin at `rows`, all of one sort.
    """
    page = read.page
    found = np.zeros(len(page), np.bool_)
    if not len(at):
        return found
    keys = _keys(page, at)
    count = np.bincount(keys)
    records = int(owner.max()) + 1
    present = np.bincount(np.unique(keys * records + owner[at]) // records, minlength=len(count))
    held = np.bincount(keys, read.free[page.end[at]] - read.free[at], len(count))
    named = np.bincount(keys, (read.bits[at] & BODY) != 0, len(count)) > 0.5 * count
    ends = page.end[rows]
    whole = np.append(rows[1:], ends[-1:]).clip(max=ends)  # nested records end this one's own part
    share = held / max(int((read.free[whole] - read.free[rows]).sum()), 1)
    fits = (present >= _PRESENT * len(rows)) & (count <= _ONCE * present)
    fits &= share >= np.where(named, _COVERED_NAMED, _COVERED)
    if not fits.any():
        return found
    best = share[fits & named].max() if (fits & named).any() else share[fits].max()
    fits &= share >= _NEAR * best
    level = np.bincount(keys, page.level[at]) / count
    found[at[keys == np.where(fits, held - level * _DEEPER, np.inf).argmin()]] = True
    return found


def _keys(page: Page, at: Ints) -> Ints:
    """Number the tags with the first word of their class."""
    nodes = page.nodes
    number: dict[tuple[int, str], int] = {}
    pairs = zip(at.tolist(), page.tag[at].tolist(), strict=True)
    return np.array(
        [
            number.setdefault((tag, (_CLASS(nodes[row]) or "").split(" ", 1)[0]), len(number))
            for row, tag in pairs
        ]
    )


_DEEPER = 1e-4  # of a word: of elements with the same words the innermost is the text
_NEAR = 0.8  # of the largest share: what holds less is a part of the text
