"""What a record says: its author, its time, its text, how deep it is nested."""

from __future__ import annotations

import re
from dataclasses import dataclass
from operator import methodcaller

import numpy as np

from thresher.metadata import dates
from thresher.page import Node, Page
from thresher.page.ancestors import AnyRows
from thresher.page.array_types import Bools, Int64s
from thresher.page.tags import BLOCK, NUMBER, lookup
from thresher.structure.threads.page_index import Reading
from thresher.structure.threads.record_rows import Parts
from thresher.structure.threads.records import enclosing
from thresher.structure.threads.vocabulary import AUTHOR, BODY, CONTROL, INNER, TIME

_CLICKED = lookup("button select textarea option label input")


# --- who and when --------------------------------------------------------------------------------

_MOST_WORDS = 6  # of a name
_LONGEST = 60  # characters of a name
_NAMING = lookup("a cite b strong span em h3 h4 h5 h6 font")


def authors(parts: Parts, said: Bodies) -> list[str]:
    """Return the author of each record as written, "" if none is found.

    What microdata marks comes first, then what a name marks, then the first short bold text. What
    says when is nobody's name: where it was chosen, it is left out and the choice made again.
    """
    page = parts.read.page
    fits = _without_controls(parts)
    rows = _signing(parts, said, fits)
    names = [_name(_undated(page, row)) for row in rows.tolist()]
    if any(row >= 0 and not name for row, name in zip(rows.tolist(), names, strict=True)):
        several = parts.elements.take(fits).tolist()
        fits = fits[np.array([bool(_undated(page, row)) for row in several], np.bool_)]
        names = [_name(_undated(page, row)) for row in _signing(parts, said, fits).tolist()]
    return names


def _signing(parts: Parts, said: Bodies, fits: Int64s) -> Int64s:
    """Return the row that names the author of each record, of small elements; -1 for none."""
    page, elements = parts.read.page, parts.elements
    is_marked = (parts.bits & (AUTHOR | CONTROL)) == AUTHOR
    is_marked &= (parts.words > 0) & (parts.words <= _MOST_AROUND)
    marked = is_marked.nonzero()[0]
    rows = elements.take(marked)
    by_microdata = [_ITEMPROP(page.nodes[row]) == "author" for row in rows.tolist()]
    stated = marked[np.array(by_microdata, np.bool_)]
    tag, marks = parts.tag.take(fits), is_marked.take(fits)
    inner = fits[_NAMING.take(tag) | marks]
    inner = inner[parts.read.under(rows, elements.take(inner))]
    bold = fits[_BOLD.take(tag) & ((parts.bits.take(fits) & TIME) == 0)]
    bold = bold[~said.is_text(elements.take(bold), parts.owner.take(bold))]
    chosen = parts.first(bold)
    for candidates in (inner, fits[marks], stated):
        first = parts.first(candidates)
        chosen = np.where(first >= 0, first, chosen)
    # Within an element that also says "by" or when, it is the link, else what is marked.
    links = elements.take(inner[parts.tag.take(inner) == NUMBER["a"]])
    by_link = _into(page, chosen, links)
    return np.where(by_link != chosen, by_link, _into(page, chosen, elements.take(inner)))


def _without_controls(parts: Parts) -> Int64s:
    """Return the places of elements with few words, and no control in them."""
    fits = ((parts.words > 0) & (parts.words <= _MOST_WORDS)).nonzero()[0]
    rows, controls = parts.elements.take(fits), parts.read.saying(CONTROL)
    after = parts.read.page.end.take(rows)
    found: Int64s = fits[controls.searchsorted(after) == controls.searchsorted(rows)]
    return found


def _into(page: Page, rows: Int64s, several: Int64s) -> Int64s:
    """Go from each row to the first of several rows inside it, if there is one."""
    following = np.append(several, len(page)).take(several.searchsorted(rows, side="right"))
    return np.where((rows >= 0) & (following < page.end.take(rows)), following, rows)


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


def _undated(page: Page, row: int) -> str:
    """Return the text of a small element in one line, without the texts in it that say when."""
    if row < 0:
        return ""
    first, last = page.text_rows.searchsorted((row, page.end[row])).tolist()
    texts = [" ".join((text or "").split()) for text in page.texts[first:last]]
    return " ".join(text for text in texts if text and not dates.is_dated(text))


_STAMPS = ("datetime", "content", "data-time", "data-timestamp", "data-utime", "title")
_LONGEST_TIME = 80  # characters
_TEXTS = 14  # texts of a record that are looked at for a date


def times(parts: Parts) -> list[tuple[str, str]]:
    """Return the time of each record in ISO 8601 and as written, "" for none."""
    page = parts.read.page
    exact = (parts.tag == NUMBER["time"]).nonzero()[0]
    near = (((parts.bits & TIME) != 0) & (parts.words <= _MOST_TIME_WORDS)).nonzero()[0]
    stamps = zip(parts.first(exact).tolist(), parts.first(near).tolist(), strict=True)
    bounds = parts.split(parts.text_owner)
    found = []
    for place, rows in enumerate(stamps):
        stated = [_stamped(page, row) for row in rows if row >= 0]
        dated = next((one for one in stated if one[0]), None)
        if dated is None:
            short = slice(bounds[place], min(bounds[place + 1], bounds[place] + _TEXTS))
            places = parts.texts[short].tolist()
            dated = _in_texts(page, places)
            dated = dated or (stated[0] if stated else _linked_time(page, places))
        found.append(dated)
    return found


_MOST_TIME_WORDS = 16


_STAMPED_ROWS = 4  # the element and what is first in it


def _attribute(node: Node, name: str) -> str:
    """Return an attribute, "" for none and of a text."""
    read = getattr(node, "attr", None)
    return "" if read is None else str(read(name) or "")


def _stamped(page: Page, row: int) -> tuple[str, str]:
    """Read a time off an element: what it states, else what it shows."""
    written = _line(page, row)[:_LONGEST_TIME]
    for node in page.nodes[row : min(int(page.end[row]), row + _STAMPED_ROWS)]:
        for name in _STAMPS:
            stated = _attribute(node, name)
            if stated and (iso := dates.to_iso(stated)):
                return iso, written or stated
    return dates.to_iso(written), written


def _in_texts(page: Page, places: list[int]) -> tuple[str, str] | None:
    """Return the latest date among short texts: a member joined before writing."""
    found = []
    for place in places:
        text = " ".join((page.texts[place] or "").split())
        if len(text) <= _LONGEST_TIME and (iso := dates.to_iso(text)):
            found.append((iso, text))
    return max(found, key=lambda one: one[0], default=None)


def _linked_time(page: Page, places: list[int]) -> tuple[str, str]:
    """Return the first text of a link that says when, though not in which year."""
    for place in places:
        text = " ".join((page.texts[place] or "").split())
        is_link = bool(page.linked[page.text_rows[place]])
        if is_link and len(text) <= _LONGEST_TIME and dates.is_dated(text):
            return "", text
    return "", ""


# --- how deep ------------------------------------------------------------------------------------

_INDENTS = ("depth", "data-depth", "indent", "aria-level", "data-level", "data-indent", "level")
_DEPTH_CLASS = re.compile(r"(?:^|[\s_-])(?:depth|level|indent|nested-?level)[_-]?(\d{1,3})(?:\s|$)")
_MARGIN = re.compile(
    r"(?:margin|padding)-(?:left|right|inline-start)\s*:\s*(\d+)(?:\.\d+)?\s*(px|em|%)?"
)
_LOOKED_AT = 8  # rows at the beginning of a record whose attributes may say how deep it is


def depths(parts: Parts) -> list[int]:
    """Return how deep each record is nested: in others, in boxes for answers, or as it says."""
    page, rows = parts.read.page, parts.rows
    nested = [0] * len(rows)
    for place, outer in enumerate(enclosing(rows, parts.ends).tolist()):
        nested[place] = nested[outer] + 1 if outer >= 0 else 0  # in order: the outer one is known
    if any(nested):
        return nested
    boxes = parts.read.saying(INNER)
    boxed = boxes.searchsorted(rows)
    boxed -= np.sort(page.end.take(boxes)).searchsorted(rows, side="right")
    boxed -= boxed.min()
    stated = _ranks([_stated(page, row) for row in rows.tolist()])
    return [max(pair) for pair in zip(stated, boxed.tolist(), strict=True)]


def _ranks(values: list[int]) -> list[int]:
    """Turn indents into depths: the smallest is 0, the next larger one 1."""
    rank = {value: place for place, value in enumerate(sorted(set(values)))}
    return [rank[value] for value in values]


def _stated(page: Page, row: int) -> int:
    """Return the indent that a record states: an attribute, a class, a margin, a blank image."""
    for node in page.nodes[row : min(row + _LOOKED_AT, int(page.end[row]))]:
        given = _SPEAKING.intersection(getattr(node, "attrs", ()))  # a text has none
        for name in _INDENTS:
            if name in given and (said := _attribute(node, name)).isdecimal():
                return int(said[:_DIGITS])
        shown = _DEPTH_CLASS.search(_attribute(node, "class")) if "class" in given else None
        if "style" in given:
            shown = shown or _MARGIN.search(_attribute(node, "style"))
        if shown:
            return int(shown[1][:_DIGITS])
        if "height" in given and _attribute(node, "height") == "1":
            width = _attribute(node, "width")
            if width.isdecimal():
                return int(width[:_DIGITS])
    return 0


_SPEAKING = frozenset((*_INDENTS, "class", "style", "height"))
_DIGITS = 6  # of an indent that are read


# --- the text ------------------------------------------------------------------------------------

_PRESENT = 0.6  # share of records that have a body of one name
_ONCE = 1.2  # at most so many of it a record
_COVERED, _COVERED_NAMED = (
    0.5,
    0.3,
)  # share of the records' words it holds; less if its name says so
_MOST_CONTROL = 60  # words of a control or a signature


@dataclass(frozen=True, slots=True, eq=False)
class Bodies:
    """Where the texts of the records stand, and what in them is nobody's text."""

    parts: Parts
    bodies: Int64s  # rows of the elements that hold the texts
    has: Bools  # of each record, whether it has such an element
    controls: Int64s  # rows of buttons, votes, signatures, forms
    said: Int64s  # rows of what tells the author or the time

    def is_control(self, rows: AnyRows, owner: Int64s) -> Bools:
        """Tell which rows of these records are controls, or not shown though the record is."""
        hidden = self.parts.read.page.hidden
        found = hidden.take(rows)
        found &= ~hidden.take(self.parts.rows).take(owner)
        return found | self.parts.read.under(self.controls, rows)

    def is_text(self, rows: AnyRows, owner: Int64s) -> Bools:
        """Tell which rows of these records are of their texts."""
        under = self.parts.read.under
        found = np.where(self.has.take(owner), under(self.bodies, rows), ~under(self.said, rows))
        return found & ~self.is_control(rows, owner)


def bodies(parts: Parts) -> Bodies:
    """Find the texts of the records."""
    read, rows, words = parts.read, parts.rows, parts.words
    inner = ~parts.begins
    control = ((parts.bits & CONTROL) != 0) & (words <= _MOST_CONTROL)
    control &= words * 2 < read.words_in(rows).take(parts.owner)
    control |= _CLICKED.take(parts.tag)
    said = ((parts.bits & (AUTHOR | TIME)) != 0) | (parts.tag == NUMBER["time"])
    said &= words <= _MOST_TIME_WORDS
    at = (inner & BLOCK.take(parts.tag) & (words > 0)).nonzero()[0]
    of_sort = parts.sort.take(parts.owner.take(at))
    found = [
        _body_elements(parts, at[of_sort == number], rows[parts.sort == number])
        for number in sorted(set(parts.sort.tolist()))
    ]
    elements = np.sort(np.concatenate(found))
    has = np.zeros(len(rows), np.bool_)
    has[parts.owner[read.under(elements, parts.elements)]] = True
    return Bodies(
        parts=parts,
        bodies=elements,
        has=has,
        controls=parts.elements[inner & control],
        said=parts.elements[inner & said],
    )


def _body_elements(parts: Parts, at: Int64s, rows: Int64s) -> Int64s:
    """Find the elements of one tag and class that hold most of the records' words, the smallest.

    `at` are the places of the elements of the records that begin at `rows`, all of one sort.
    """
    read, elements = parts.read, parts.elements.take(at)
    page = read.page
    if not len(at):
        return elements
    keys = _keys(read, elements)
    count = np.bincount(keys)
    pairs = np.sort(keys * len(parts) + parts.owner.take(at))
    distinct = np.append(True, pairs[1:] != pairs[:-1])
    present = np.bincount(pairs[distinct] // len(parts), minlength=len(count))
    held = np.bincount(keys, read.free_in(elements), len(count))
    named = np.bincount(keys, (parts.bits.take(at) & BODY) != 0, len(count)) > 0.5 * count
    ends = page.end[rows]
    whole = np.append(rows[1:], ends[-1:]).clip(max=ends)  # nested records end this one's own part
    share = held / max(int((read.free[whole] - read.free[rows]).sum()), 1)
    fits = (present >= _PRESENT * len(rows)) & (count <= _ONCE * present)
    fits &= share >= np.where(named, _COVERED_NAMED, _COVERED)
    if not fits.any():
        return elements[:0]
    best = share[fits & named].max() if (fits & named).any() else share[fits].max()
    fits &= share >= _NEAR * best
    level = np.bincount(keys, page.level.take(elements)) / count
    found: Int64s = elements[keys == np.where(fits, held - level * _DEEPER, np.inf).argmin()]
    return found


def _keys(read: Reading, rows: Int64s) -> Int64s:
    """Number the tags with the first word of their class, in order of appearance."""
    number: dict[str, int] = {}
    words = [(name or "").split(" ", 1)[0] for name in read.class_names]
    first = np.array([number.setdefault(word, len(number)) for word in words])
    pairs = read.page.tag.take(rows) * len(number) + first.take(read.classes.take(rows))
    place = {pair: place for place, pair in enumerate(dict.fromkeys(pairs.tolist()))}
    return np.fromiter(map(place.__getitem__, pairs.tolist()), np.int64, len(rows))


_DEEPER = 1e-4  # of a word: of elements with the same words the innermost is the text
_NEAR = 0.8  # of the largest share: what holds less is a part of the text
