"""Recurring records: repeated siblings as one list with its records.

The seam-degree paper leaves them open: the products of a result page have similar contents, so the
page is not divided there. `record_lists` finds such lists on a page, and `with_records` puts them
into a segmentation: a segment of kind "list", and inside it one of kind "record" for each record.

What is a list of records:

1. Siblings, at least `FEWEST`, one after the other, of the same tag and alike inside: at least
   `ALIKE` of the tag paths below them, three levels deep, are the same for two neighbours (the Dice
   coefficient: twice the common ones / the sum of both). Formatting (`b`, `span`) counts as text.
   What shows nothing, and rules between them, are passed over.
2. Or groups of siblings that begin with a title: `dt` and its `dd`, a heading or a line that begins
   with a link or a picture and what follows it, up to the next one. Every group has the same kind
   of title, and the groups are alike as in 1.
3. They are laid out in reading order: each one stands right of the one before it, or begins a new
   line at the left edge of the first; or column by column, with right and below exchanged. Records
   side by side have about the same width. One step in ten may differ.
4. A record says at least two things, of at least two kinds (text, link, picture) unless it is a
   definition or the row of a table with text; and at most `_SIZES` times as many as the usual one,
   or as few. So the words of a menu, the points of a list and the fields of a form are no records.
   Nor are the paragraphs of an article: an element that contains text as a paragraph does (`li`,
   `dt` and `dd` aside) is a record only if it begins with a link or a picture, as teasers do.
5. Rows whose cells, side by side, are records by these rules are a grid, and the cells of all rows
   are the records. Rows of a table whose cells differ are records themselves.
6. Lists do not lie in each other. The outer one counts, unless at least half of it consists of
   lists with more records: the columns of a page are not records, the entries in them are.

Two columns are therefore never a list, and three only if they are alike in structure and width.
The numbers were set by hand, looking at saved pages; they are not fitted to any measure.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TypeAlias

import numpy as np

from thresher.page.array_types import Bools, Floats, Int64s, Rows
from thresher.page.arrays import inside, nearest, subtree_sums
from thresher.page.tags import NUMBER, lookup
from thresher.visual.rendered_page import RenderedPage
from thresher.visual.segments import Segments

FEWEST = 3  # records of a list
ALIKE = 0.6  # Dice coefficient of the tag paths of neighbours, at least
LEAST_SAID = 2  # texts, links and pictures of a record
IN_ORDER = 0.9  # of the steps from record to record

_FORMATTING = lookup(
    "abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q s samp "
    "small span strike strong sub sup time tt u var"
)
_FLOWING = lookup("p h1 h2 h3 h4 h5 h6 blockquote pre center address")
_IMAGE = lookup("img svg canvas video object embed iframe")
_FIELD = lookup("input select textarea button")
_SMALLEST_IMAGE = 24  # pixels in both directions; smaller ones are spacers and bullets
_SIZES = 3  # times as many things as the usual record, or as few, a record may say
_EDGE = 8  # pixels by which two edges in line may differ
_WIDTH = 0.25  # by which records side by side may be wider or narrower
_MOST_TITLES = 8  # tags that are tried as the title of groups

_ITEM = lookup("li dt dd")
_NO_TITLE = lookup("#text ul ol dl dd menu dir")
_DT, _TR = NUMBER["dt"], NUMBER["tr"]

Record: TypeAlias = tuple[int, ...]  # the rows that it is made of


@dataclass(frozen=True, slots=True)
class RecordList:
    """A list of records, in document order."""

    records: tuple[Record, ...]
    rows: tuple[int, ...]  # what the list is made of: the records, or the rows of a grid
    start: int  # first row of the list
    stop: int  # one past its last row

    @classmethod
    def of(cls, page: RenderedPage, records: Sequence[Record], rows: Sequence[int]) -> RecordList:
        """Return the list of the given records and rows."""
        return cls(tuple(records), tuple(rows), rows[0], int(page.end[rows[-1]]))


def record_lists(page: RenderedPage) -> list[RecordList]:
    """Return the lists of records of a page, in document order; none lies in another."""
    return list(page.cached(_record_lists)) if len(page) else []


def _record_lists(page: RenderedPage) -> list[RecordList]:
    view = page.cached(_View)
    found = [each for units in view.children() for each in _lists_of(view, units)]
    return _outermost(view, sorted(found, key=lambda each: each.start))


class _View:
    """What the search needs of a page, as columns."""

    def __init__(self, page: RenderedPage) -> None:
        self.page = page
        self.end = page.end.tolist()
        self.tag = page.tag.tolist()
        is_field = page.visible & _FIELD[page.tag]
        is_image = page.visible & _IMAGE[page.tag]
        whole = inside(is_field | is_image, page.end)
        in_whole = whole & (page.parent >= 0) & whole[page.parent]
        shows = page.visible & ((page.chars > 0) | is_field | is_image)
        self.shown_before: Int64s = np.concatenate(([0], np.cumsum(shows)))
        self.shows: Bools = subtree_sums(shows, page.end) > 0
        is_image &= ~in_whole & (page.w >= _SMALLEST_IMAGE) & (page.h >= _SMALLEST_IMAGE)
        is_text = page.visible & (page.words > 0) & ~in_whole
        is_format = _FORMATTING[page.tag] & page.inline
        # Rows that count: elements that are no formatting, and texts with words.
        self.is_node: Bools = is_text | (page.visible & (page.tag != 0) & ~in_whole & ~is_format)
        self.is_node[0] = True
        self.parent: Rows = np.where(
            page.parent >= 0, nearest(self.is_node, page.parent)[page.parent], -1
        )
        # A text after a text, with nothing but formatting between them, continues it.
        self.is_said = (is_text & ~self._continues(is_text)) | is_image
        self.is_lead = (is_text & page.linked) | is_image  # what a teaser may begin with
        self.said_before: Int64s = np.concatenate(([0], np.cumsum(self.is_said)))
        self.said: Int64s = subtree_sums(self.is_said, page.end)
        plain, linked = is_text & ~page.linked, is_text & page.linked
        self.has_plain, self.has_link, self.has_image, self.has_field = (
            subtree_sums(each, page.end) > 0 for each in (plain, linked, is_image, is_field)
        )
        # Elements that contain text next to inline elements at most, as a paragraph does.
        is_block = self.is_node & ~page.inline
        holds_text, holds_block = (
            np.bincount(self.parent[rows], minlength=len(page)) > 0
            for rows in (np.flatnonzero(plain), np.flatnonzero(is_block & (self.parent >= 0)))
        )
        self.flows: Bools = (holds_text & ~holds_block & ~_ITEM[page.tag]) | _FLOWING[page.tag]

    def _continues(self, is_text: Bools) -> Bools:
        nodes = np.flatnonzero(self.is_node)
        before, after = nodes[:-1], nodes[1:]
        page = self.page
        same = is_text[before] & is_text[after] & (self.parent[before] == self.parent[after])
        found = np.zeros(len(page), np.bool_)
        found[after] = same & (page.linked[before] == page.linked[after])
        return found

    def children(self) -> Iterator[list[int]]:
        """Yield the nodes right below each node, if they are several; those that say something."""
        shows = self.is_node & (self.said > 0)
        shows[0] = False
        rows = np.flatnonzero(shows)
        order = np.lexsort((rows, self.parent[rows]))
        rows = rows[order]
        parents = self.parent[rows]
        bounds = np.flatnonzero(np.diff(parents, prepend=-2, append=-2))
        for low, high in pairwise(bounds.tolist()):
            if high - low > 1:
                yield rows[low:high].tolist()

    def units_in(self, row: int) -> list[int]:
        """Return the nodes right below a node that show something."""
        found = []
        at = row + 1
        while at < self.end[row]:
            if not self.is_node[at]:
                at += 1
                continue
            if self.said[at]:
                found.append(at)
            at = self.end[at]
        return found

    def with_blanks(self, record: Record) -> Record:
        """Return a record with what stands between its rows and says nothing."""
        found = []
        at, stop = record[0], self.end[record[-1]]
        while at < stop:
            if self.end[at] > stop:
                at += 1
                continue
            if self.shows[at]:
                found.append(at)
            at = self.end[at]
        return tuple(found)

    @cached_property
    def _paths(self) -> tuple[Int64s, Int64s]:
        """Sorted codes of tag paths below each node, and where those of each row begin.

        The path from a node to a row one, two or three levels below it is coded by the tags on it.
        """
        page, size = self.page, len(self.page)
        rows = np.flatnonzero(self.is_node & (self.said > 0))
        tag = page.tag.astype(np.uint64)
        code = tag[rows] + np.uint64(1)
        at = self.parent[rows]
        nodes, codes = [], []
        for _ in range(3):
            known = at >= 0
            rows, at, code = rows[known], at[known], code[known]
            nodes.append(at)
            codes.append(code)
            code = code * np.uint64(0x9E3779B97F4A7C15) + tag[at] + np.uint64(1)
            at = self.parent[at]
        node, path = np.concatenate(nodes), np.concatenate(codes).view(np.int64)
        order = np.lexsort((path, node))
        node, path = node[order], path[order]
        is_new = np.ones(len(node), np.bool_)
        is_new[1:] = (node[1:] != node[:-1]) | (path[1:] != path[:-1])
        node, path = node[is_new], path[is_new]
        return path, node.searchsorted(np.arange(size + 1)).astype(np.int64)

    def paths(self, record: Sequence[int]) -> set[int]:
        """Return the tag paths of a record."""
        codes, first = self._paths
        found = {-1 - self.tag[row] for row in record}
        for row in record:
            found.update(codes[first[row] : first[row + 1]].tolist())
        return found

    def begins_with_lead(self, row: int) -> bool:
        """Return whether the first thing that a node says is a link or a picture."""
        first = int(self.said_before.searchsorted(self.said_before[row] + 1)) - 1
        return first < self.end[row] and bool(self.is_lead[first])

    def boxes(self, records: Sequence[Record]) -> Floats:
        """Return left, top, right and bottom of each record."""
        page = self.page
        flat = np.array([row for record in records for row in record])
        starts = np.cumsum([0, *map(len, records)])[:-1]
        x, y = page.x[flat].astype(np.float64), page.y[flat].astype(np.float64)
        edges = (
            np.minimum.reduceat(x, starts),
            np.minimum.reduceat(y, starts),
            np.maximum.reduceat(x + page.w[flat], starts),
            np.maximum.reduceat(y + page.h[flat], starts),
        )
        return np.column_stack(edges)


# --- lists below one node ------------------------------------------------------------------------


def _lists_of(view: _View, units: list[int]) -> Iterator[RecordList]:
    """Yield the lists among siblings: first of single ones, then of groups in what is left."""
    rest: list[int] = []
    for run in _alike_runs(view, units):
        records = _cells(view, run) or [(unit,) for unit in run]
        if len(records) >= FEWEST and _are_records(view, records):
            yield from _groups(view, rest)
            rest = []
            yield RecordList.of(view.page, records, run)
        else:
            rest += run
    yield from _groups(view, rest)


def _cells(view: _View, rows: list[int]) -> list[Record]:
    """Return the cells of rows if they are alike from row to row, else nothing.

    Two rows need three cells each: two by two is the layout of a page.
    """
    if len(rows) < 2 or not view.tag[rows[0]]:
        return []
    cells: list[int] = []
    widest = 0
    for row in rows:
        units = view.units_in(row)
        while len(units) == 1 and view.tag[units[0]]:
            units = view.units_in(units[0])
        cells += units
        widest = max(widest, len(units))
    if widest < (2 if len(rows) >= FEWEST else FEWEST) or len(cells) <= (len(rows) - 1) * widest:
        return []
    if len({view.tag[cell] for cell in cells}) > 1:
        return []
    paths = [view.paths((cell,)) for cell in cells]
    is_grid = _share([_alike(one, other) for one, other in pairwise(paths)]) >= IN_ORDER
    records: list[Record] = [(cell,) for cell in cells]
    is_grid = is_grid and _in_lines(*view.boxes(records).T)
    return records if is_grid and _are_records(view, records) else []


def _alike_runs(view: _View, units: list[int]) -> Iterator[list[int]]:
    """Yield the siblings in runs of neighbours that are alike."""
    run: list[int] = []
    before: set[int] = set()
    for unit in units:
        paths = view.paths((unit,)) if view.tag[unit] else set()
        if run and not (view.tag[unit] == view.tag[run[-1]] and _alike(before, paths)):
            yield run
            run = []
        run.append(unit)
        before = paths
    if run:
        yield run


def _alike(one: set[int], other: set[int]) -> bool:
    return 2 * len(one & other) >= ALIKE * (len(one) + len(other)) > 0


def _groups(view: _View, units: list[int]) -> Iterator[RecordList]:
    """Yield at most one list of groups, each from a title to the next."""
    counts = Counter(view.tag[unit] for unit in units if _is_title(view, unit))
    titles = [tag for tag, count in counts.most_common(_MOST_TITLES) if count >= FEWEST]
    for title in titles:
        starts = [
            at for at, unit in enumerate(units) if view.tag[unit] == title and _is_title(view, unit)
        ]
        bounds = [*starts, min(starts[-1] + _usual_step(starts), len(units))]
        records = _longest_alike(view, [tuple(units[a:b]) for a, b in pairwise(bounds)])
        records = [view.with_blanks(each) for each in records]
        if len(records) >= FEWEST and _are_records(view, records):
            yield RecordList.of(view.page, records, [row for each in records for row in each])
            return


def _usual_step(starts: list[int]) -> int:
    return Counter(high - low for low, high in pairwise(starts)).most_common(1)[0][0]


def _longest_alike(view: _View, records: list[Record]) -> list[Record]:
    """Return the longest run of groups of several siblings of which neighbours are alike."""
    best: list[Record] = []
    run: list[Record] = []
    before: set[int] = set()
    for record in records:
        paths = view.paths(record) if len(record) > 1 else set()
        if not _alike(before, paths):
            run = []
        if paths:
            run.append(record)
        if len(run) > len(best):
            best = run
        before = paths
    return best


def _is_title(view: _View, unit: int) -> bool:
    tag = view.tag[unit]
    return tag == _DT or (not _NO_TITLE[tag] and view.begins_with_lead(unit))


def _are_records(view: _View, records: list[Record]) -> bool:
    """Return whether siblings that are alike are records: what they say, and where they stand."""
    said = np.array([sum(view.said[row] for row in record) for record in records])
    usual = float(np.median(said))
    if usual < LEAST_SAID or _share(said * _SIZES >= usual) < IN_ORDER:
        return False
    if _share(said <= usual * _SIZES) < IN_ORDER:
        return False
    if _share([_says_several(view, record) for record in records]) < 0.5:
        return False
    if _share([_is_form_row(view, record) for record in records]) > 0.5:
        return False
    first = [record[0] for record in records]
    if view.flows[first].any() and _share([view.begins_with_lead(row) for row in first]) < IN_ORDER:
        return False
    return _in_reading_order(view.boxes(records))


def _share(flags: Sequence[bool] | Bools) -> float:
    return float(np.mean(flags))


def _says_several(view: _View, record: Record) -> bool:
    """Return whether a record says different things, or is a row of a table or a definition."""
    rows, tag = list(record), view.tag[record[0]]
    kinds = (view.has_plain[rows].any(), view.has_link[rows].any(), view.has_image[rows].any())
    return sum(map(bool, kinds)) > 1 or tag == _DT or bool(tag == _TR and kinds[0])


def _is_form_row(view: _View, record: Record) -> bool:
    rows = list(record)
    shows = view.has_link[rows] | view.has_image[rows]
    return bool(view.has_field[rows].any() and not shows.any())


def _in_reading_order(boxes: Floats) -> bool:
    left, top, right, bottom = boxes.T
    return _in_lines(left, top, right, bottom) or _in_lines(top, left, bottom, right, across=False)


def _in_lines(
    left: Floats, top: Floats, right: Floats, bottom: Floats, *, across: bool = True
) -> bool:
    """Return whether boxes follow each other in lines that begin at the same edge.

    With `across` False the arguments are exchanged and the lines are columns.
    """
    in_line = (left[1:] >= right[:-1] - _EDGE) & (
        np.minimum(bottom[1:], bottom[:-1]) - np.maximum(top[1:], top[:-1])
        >= 0.5 * np.minimum(bottom[1:] - top[1:], bottom[:-1] - top[:-1])
    )
    new_line = (np.abs(left[1:] - left[0]) <= _EDGE) & (top[1:] >= bottom[:-1] - _EDGE)
    if not across and not (in_line.any() and new_line.any()):
        return False  # a single line or column is found the other way round
    if (in_line | new_line).mean() < IN_ORDER:
        return False
    if across and not in_line.any():
        return True
    width = right - left if across else bottom - top
    usual = float(np.median(width))
    fits = np.abs(width - usual) <= max(_WIDTH * usual, _EDGE)
    return bool(fits.mean() >= IN_ORDER)


# --- lists in lists ------------------------------------------------------------------------------


def _outermost(view: _View, lists: list[RecordList]) -> list[RecordList]:
    """Return the lists that count, without those inside of others."""
    kept: list[RecordList] = []
    at = 0
    while at < len(lists):
        outer = lists[at]
        after = at + 1
        while after < len(lists) and lists[after].start < outer.stop:
            after += 1
        inner = _top_level(lists[at + 1 : after])
        if _consists_of(view, outer, inner):
            at += 1
        else:
            kept.append(outer)
            at = after
    return kept


def _top_level(lists: list[RecordList]) -> list[RecordList]:
    found: list[RecordList] = []
    for each in lists:
        if not found or each.start >= found[-1].stop:
            found.append(each)
    return found


def _consists_of(view: _View, outer: RecordList, inner: list[RecordList]) -> bool:
    """Return whether at least half of what a list says is in lists with more records."""
    said = view.said_before
    count = sum(int(said[each.stop] - said[each.start]) for each in inner)
    records = sum(len(each.records) for each in inner)
    whole = int(said[outer.stop] - said[outer.start])
    return records > len(outer.records) and 2 * count >= whole


# --- into segments -------------------------------------------------------------------------------


def with_records(segments: Segments) -> Segments:
    """Return the segments with the lists of records of their page: kinds "list" and "record".

    A list is put into the innermost segment around it, or is that segment if it says nothing else.
    Segments inside a record stay in it; those that join several records are left out. If a segment
    that was not divided gets a list, what stands before and after the list is a segment too. A list
    that cuts through segments is passed over. Other segments keep their kinds; without any they
    have "". New segments have no measures (NaN).
    """
    page = segments.page
    if "list" in segments.kinds:  # they have their lists already
        return segments
    lists = record_lists(page)
    if not lists or not len(segments):
        return segments.labelled(segments.kinds or ("",) * len(segments))
    tree = _Tree(segments)
    for each in lists:
        tree.insert(each)
    tree.fill_leaves()
    return tree.segments()


class _Tree:
    """Segments while lists are put in."""

    def __init__(self, old: Segments) -> None:
        self.old = old
        self.page = old.page
        self.view = old.page.cached(_View)
        self.rows = [sorted(old.rows_of(each).tolist()) for each in range(len(old))]
        self.parent = old.parent.tolist()
        self.kinds = list(old.kinds or ("",) * len(old))
        self.start = [min(rows) for rows in self.rows]
        self.stop = [max(self.view.end[row] for row in rows) for rows in self.rows]
        self.reach: dict[int, tuple[int, int]] = {}  # rows that the parts of a segment cover
        for each, parent in enumerate(self.parent):
            first, last = self.reach.get(parent, (self.start[each], self.stop[each]))
            self.reach[parent] = min(first, self.start[each]), max(last, self.stop[each])
        self.dropped = [False] * len(old)
        self.filled: dict[int, list[int]] = {}  # undivided segments with the lists put into them
        self.of_row = old.of_row
        order = np.argsort(self.start, kind="stable")
        self.by_start: Rows = order
        self.starts = np.array(self.start)[order]

    def _new(self, parent: int, rows: list[int], kind: str) -> int:
        self.rows.append(rows)
        self.parent.append(parent)
        self.kinds.append(kind)
        self.start.append(rows[0])
        self.stop.append(self.view.end[rows[-1]])
        self.dropped.append(False)
        return len(self.rows) - 1

    def insert(self, found: RecordList) -> None:
        """Put a list in, unless it cuts through segments."""
        around = int(self.of_row[found.start])
        while around >= 0 and not self._contains(around, found):
            if self.start[around] < found.start:
                return
            around = int(self.old.parent[around])
        if around < 0:
            return
        low, high = self.starts.searchsorted((found.start, found.stop))
        within = [each for each in self.by_start[low:high].tolist() if each != around]
        place = self._places(found, within)
        if place is None:
            return
        owner = self._list_segment(around, found)
        records = [self._record_segment(owner, record) for record in found.records]
        for each in within:
            self._move(each, place[each], owner, records)

    def _contains(self, segment: int, found: RecordList) -> bool:
        if not self.start[segment] <= found.start < found.stop <= self.stop[segment]:
            return False
        rows = self.rows[segment]
        for row in (found.start, found.rows[-1]):
            at = bisect_right(rows, row) - 1
            if at < 0 or self.view.end[rows[at]] <= row:
                return False
        return True

    def _places(self, found: RecordList, within: list[int]) -> dict[int, int] | None:
        """Return the record that each segment lies in, -1 for none; None if one is cut."""
        starts = np.array([record[0] for record in found.records])
        stops = [self.view.end[record[-1]] for record in found.records]
        place: dict[int, int] = {}
        for each in within:
            start, stop = self.start[each], self.stop[each]
            if stop > found.stop:
                return None
            first = int(starts.searchsorted(start, "right")) - 1
            if first >= 0 and stop <= stops[first]:
                place[each] = first
                continue
            last = int(starts.searchsorted(stop - 1, "right")) - 1
            cuts_first = first >= 0 and starts[first] < start < stops[first]
            if cuts_first or (last >= 0 and stop < stops[last]):
                return None
            place[each] = -1
        return place

    def _list_segment(self, around: int, found: RecordList) -> int:
        shown = self.view.shown_before
        shown_around = shown[self.stop[around]] - shown[self.start[around]]
        says_more = shown_around > shown[found.stop] - shown[found.start]
        first, last = self.reach.get(around, (found.start, found.stop))
        has_more = first < found.start or last > found.stop
        if not says_more and not has_more and not self.kinds[around]:
            self.kinds[around] = "list"
            return around
        owner = self._new(around, list(found.rows), "list")
        if self.old.is_leaf[around]:
            self.filled.setdefault(around, []).append(owner)
        return owner

    def _record_segment(self, owner: int, record: Record) -> int:
        rows = list(record)
        low = self.starts.searchsorted(rows[0])
        while low < len(self.starts) and self.starts[low] == rows[0]:
            each = int(self.by_start[low])
            if self.rows[each] == rows:
                self.kinds[each] = "record"
                self.parent[each] = owner
                return each
            low += 1
        return self._new(owner, rows, "record")

    def _move(self, each: int, place: int, owner: int, records: list[int]) -> None:
        """Give a segment inside a list its new parent."""
        if each in (owner, *((records[place],) if place >= 0 else ())):
            return
        if place < 0:
            self.dropped[each] = True
            return
        parent = self.parent[each]
        inside_record = parent < len(self.old) and (
            self.start[records[place]] <= self.start[parent] < self.stop[records[place]]
            and self.stop[parent] <= self.stop[records[place]]
        )
        if not inside_record:
            self.parent[each] = records[place]

    def fill_leaves(self) -> None:
        """Make segments of what undivided segments say beside their lists."""
        for leaf, lists in self.filled.items():
            at = self.start[leaf]
            for each in lists:
                self._fill(leaf, at, self.start[each])
                at = self.stop[each]
            self._fill(leaf, at, self.stop[leaf])

    def _fill(self, leaf: int, start: int, stop: int) -> None:
        """Make a segment of the largest subtrees from one row to another that show something."""
        rows = []
        at = start
        while at < stop:
            if self.view.end[at] > stop or self.of_row[at] != leaf:
                at += 1
                continue
            if self.view.shows[at]:
                rows.append(at)
            at = self.view.end[at]
        if rows:
            self._new(leaf, rows, "")

    def segments(self) -> Segments:
        """Return the segments in document order, each before those inside it."""
        depth = [0] * len(self.rows)
        for each in range(len(self.rows)):
            at = each
            while at >= 0:
                depth[each] += 1
                at = self.parent[at]
        kept = [each for each in range(len(self.rows)) if not self.dropped[each]]
        kept.sort(key=lambda each: (self.start[each], depth[each]))
        number = {each: at for at, each in enumerate(kept)}
        missing = np.full(len(self.rows) - len(self.old), np.nan)
        found = Segments.of(
            self.page,
            [number[self.parent[each]] if self.parent[each] >= 0 else -1 for each in kept],
            [self.rows[each] for each in kept],
            **{
                name: np.concatenate((values, missing))[kept]
                for name, values in self.old.measures.items()
            },
        )
        return found.labelled([self.kinds[each] for each in kept])
