"""VIPS: vision-based page segmentation (Cai, Yu, Wen, Ma 2003; thesis 3.2.5).

    page --rules--> blocks --gaps--> separators --cut at the heaviest--> parts --again--> tree

A round takes one block (at first the page), divides its elements from the outside in until a rule
stops, and groups the blocks that it found by the separators between them. Another round follows
inside each block. Every segment gets a degree of coherence from 1 to 10 (DoC), and a segment is
divided as long as its degree is below the permitted one, `pdoc`.

The report leaves many numbers open, and thesis 3.2.5 is a summary. These are the rules used here.

**Words.** Content is visible text and visible replaced elements (images, videos, form fields). A
node is *valid* if it is visible and is or contains content; other rows are passed over, and the
children of an element without a box count as its parent's. *Text* is a text row, or an inline
element whose valid content is text in inline elements only (the report's virtual text node). The
*box* of a node is what one sees of it: that of the row for content and for elements with a
background of their own, otherwise the smallest box around its children, as far as it lies within
its own. The *share* of a node is the area of its box by that of the block of this round.

**Rules.** The first one that holds decides about a node. "Divide" goes on with its valid children,
"keep" makes it a block of this round. T is the degree by tag and size, see below.

     1  no content                                              cut: it is part of no block
     2  the block of this round                                 divide
     3  content itself                                          keep, 10
     4  all children are text, none is <hr>                     keep, 10 if all of it has one font
                                                                size and weight, otherwise 9
     5  no text, and its background is not its parent's         keep, T
     6  one child, which is no text                             divide
     7  a child is no inline element     (inline, p)            divide
     8  a child is <hr>                  (not table, tr)        divide
     9  the areas of its children sum    (table, tr)            divide
        up to more than its own
    10  rule 5 holds for a child         (not table)            divide
    11  a child is text, and its share is below `mixed`         keep, T
    12  the share of its largest child is below `small`         keep, T
    13  the sibling before it was kept   (not tr)               keep, T
    14  by default                       (table, td, th)        keep, T
    15  by default                       (others)               divide

**T** is 8 for inline elements, p, headings, list items and cells; 7 for tables, their parts, lists
and forms; 6 for others. It falls by 1, 2, 4 for nodes larger than 1/8, 1/4, 1/2 of the page.

**Separators.** A horizontal one is a gap between blocks, over the whole width of the group: no
block crosses it. Blocks that touch, or overlap by no more than a pixel, have a separator between
them. Vertical ones likewise. The space between the blocks and the border is none. The weight, from
1 to 9, compares the block that ends last before the separator with the first one after it:

     a  distance of at least 0, 6, 12, 24, 48 pixels            1, 2, 3, 4, 5
     b  an <hr> in it                                           +2
     c  the backgrounds differ                                  +2
     d  horizontal: the mean font sizes differ by a pixel, or
        the mean weights by 100                                 +1
     e  horizontal: the font above is smaller by a pixel        +1
     f  horizontal: both are or contain only text, or they have
        the same tag, the same tags of children, each run of
        equal ones once, and areas that differ by a factor of
        at most 2                                               -2

**Structure.** Merging the blocks beside the lightest separators first, up to the heaviest ones, is
cutting at the heaviest ones first. So a group of blocks is cut at all its heaviest separators, the
horizontal ones if both directions have them, and each part is a group again, in which separators
appear that were crossed before. Blocks without separators between them become parts at once, and
so do those of a group in 32 groups of the same round.

**Coherence.** A block that is not divided any further has the degree of its rule. A group with
separators up to weight w has 10 - w (9 without separators), but no more than its parts. A divided
block has that degree too if it is higher than the one of its rule. No part has less than the
segment that it is part of.

Departures: images and form fields are content, which the report does not mention. A box is what
one sees, since blocks of today's pages touch, with their distance inside them. Rule 4 comes before
rules 5 and 6, so that a coloured button is one text. T falls below 6 for large nodes. Separators
are found again in each group. In the report the permitted degree also decides what is extracted in
a round; here the tree is the same for all degrees and `pdoc` only says where to cut it, so that the
segments of a higher one divide those of a lower one.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Annotated, NamedTuple, TypeAlias

import numpy as np

from thresher.methods.common.option_checks import Options, Range, Share
from thresher.page.array_types import AnyRows, Bools, Floats, Int64s, Rows
from thresher.page.arrays import inside, nearest, subtree_sums
from thresher.page.tags import lookup
from thresher.visual.rendered_page import RenderedPage
from thresher.visual.segments import Segments

_REPLACED = lookup(
    "img image video audio canvas iframe embed object svg math input textarea select meter progress"
)
_HR = lookup("hr")
_P, _TABLE, _TR, _CELL = (lookup(names) for names in ("p", "table", "tr", "td th"))
_PROSE = lookup("p h1 h2 h3 h4 h5 h6 li dt dd td th pre address caption figcaption summary")
_LISTS = lookup("table thead tbody tfoot tr ul ol dl menu dir form fieldset")

_WHITE = 0xFFFFFFFF  # what a page without a background shows
_DISTANCES = (6, 12, 24, 48)  # pixels at which the weight of a separator rises
_SIZES = ((1 / 2, 4), (1 / 4, 2), (1 / 8, 1))  # share of the page, by how much it lowers T
_OVERLAP = 1  # pixels by which blocks beside a separator may overlap: boxes are rounded
_NESTING = 32  # groups in groups in one round: more are no layout, and would take too long
_LARGER, _BOLDER = 1, 100  # differences of font size and weight that count
_X, _Y = 0, 1  # axes: vertical separators are gaps along x, horizontal ones along y
_DIVIDE = 0  # what a rule returns instead of a degree


@dataclass(frozen=True, slots=True)
class Vips(Options):
    """Divide a page at its visual separators, until each segment is coherent enough."""

    pdoc: Annotated[int, Range(1, 10)] = 8  # permitted degree of coherence
    small: Share = 0.1  # share of the block that a child must have for its parent to be divided
    mixed: Share = 0.2  # share that a node with text and other children must have

    def __call__(self, page: RenderedPage) -> Segments:
        """Return the segments, with their degree of coherence as measure `coherence`."""
        nodes = _Nodes.of(page)
        if not nodes.row:  # nothing to see
            whole = [[0]] if len(page) else []
            return Segments.of(page, [-1 for _ in whole], whole, coherence=[10 for _ in whole])
        return _cut(page, nodes.row, _structure(nodes, self.small, self.mixed), self.pdoc)


# --- the valid nodes of a page -------------------------------------------------------------------


class _Line(NamedTuple):
    """A visible <hr>."""

    centre: tuple[float, float]
    axis: int  # across which it lies: _Y for a horizontal one


@dataclass(frozen=True, slots=True)
class _Nodes:
    """The valid nodes in document order: one entry each, node numbers instead of rows.

    Lists rather than arrays: the rules look at one node after the other.
    """

    row: list[int]  # of the page
    end: list[int]  # first node after what is in it
    top: list[int]  # nodes that no other contains
    low: tuple[list[float], list[float]]  # left and top edge of the box
    high: tuple[list[float], list[float]]  # right and bottom edge
    area: list[float]
    whole: float  # area of the page
    tag: list[int]
    by_tag: list[int]  # T without size
    background: list[int]  # that one sees behind it
    font: list[tuple[float, float]]  # mean size and weight of its text
    is_content: list[bool]
    is_text: list[bool]
    all_text: list[bool]  # all children are text, and none is <hr>
    one_font: list[bool]
    has_text: list[bool]  # a child is text
    only_child: list[bool]  # it has one child, which is no text
    own_background: list[bool]  # rule 5
    must_divide: list[bool]  # rules 7 to 10
    keeps: list[bool]  # rule 14
    follows: list[bool]  # rule 13 applies to it
    largest: list[float]  # area of its largest child
    lines: dict[int, list[_Line]]  # each visible <hr>, by the node that it is a child of
    tags: dict[int, tuple[int, ...]] = field(default_factory=dict)  # known results of child_tags

    def child_tags(self, node: int) -> tuple[int, ...]:
        """Return the tags of a node's children, each run of equal ones once."""
        tags = self.tags.get(node)
        if tags is None:
            tags = tuple(tag for tag, _ in groupby(map(self.tag.__getitem__, self.children(node))))
            self.tags[node] = tags
        return tags

    def children(self, node: int) -> Iterator[int]:
        """Yield the valid children of a node."""
        child, end = node + 1, self.end[node]
        while child < end:
            yield child
            child = self.end[child]

    @classmethod
    def of(cls, page: RenderedPage) -> _Nodes:
        replaced = _REPLACED.take(page.tag) & page.visible
        covered = inside(replaced, page.end)[page.parent] & (page.parent >= 0)
        is_text = (page.tag == 0) & page.visible & (page.chars > 0)
        content = (is_text | replaced) & ~covered
        valid = page.visible & (subtree_sums(content, page.end) > 0)

        row = np.flatnonzero(valid)
        number = np.cumsum(valid) - 1
        above = nearest(valid, page.parent)
        parent = _numbers(above, number, page.parent[row])
        end = row.searchsorted(page.end[row])
        tag = page.tag[row]
        inline = page.inline[row]
        in_text = inline & (subtree_sums(~inline | replaced[row], end) == 0)
        seen = _backgrounds(page)[row]
        behind = np.where(parent >= 0, seen[parent], _WHITE) if len(row) else seen
        own_background = (seen != behind) & ~in_text
        box = _boxes(page, row, parent, content[row] | (seen != behind))
        area = (box[:, 2] - box[:, 0]) * (box[:, 3] - box[:, 1])
        lines = np.flatnonzero(_HR.take(page.tag) & page.visible & ~covered)
        lined = np.zeros(len(row), np.bool_)
        under = _numbers(above, number, page.parent[lines])
        lined[under[under >= 0]] = True

        def any_child(mask: Bools) -> Bools:
            return _child_sums(parent, mask.astype(np.float64)) > 0

        children = _child_sums(parent, np.ones(len(row)))
        texts = _child_sums(parent, in_text.astype(np.float64))
        largest = np.zeros(len(row))
        np.maximum.at(largest, parent[parent >= 0], area[parent >= 0])
        is_table, is_tr, is_cell = _TABLE.take(tag), _TR.take(tag), _CELL.take(tag)
        must_divide = any_child(~inline) & (inline | _P.take(tag))
        must_divide |= lined & ~is_table & ~is_tr
        must_divide |= (_child_sums(parent, area) > 1.001 * area) & (is_table | is_tr)
        must_divide |= any_child(own_background) & ~is_table
        by_tag = np.where(inline | _PROSE.take(tag), 8, np.where(_LISTS.take(tag), 7, 6))
        size, weight, one_font = _fonts(page, row, end)
        top = np.flatnonzero(parent < 0)
        return cls(
            row=row.tolist(),
            end=end.tolist(),
            top=top.tolist(),
            low=(box[:, 0].tolist(), box[:, 1].tolist()),
            high=(box[:, 2].tolist(), box[:, 3].tolist()),
            area=area.tolist(),
            whole=_area_around(box[top]),
            tag=tag.tolist(),
            by_tag=by_tag.tolist(),
            background=seen.tolist(),
            font=list(zip(size.tolist(), weight.tolist(), strict=True)),
            is_content=content[row].tolist(),
            is_text=in_text.tolist(),
            all_text=((children == texts) & (children > 0) & ~lined).tolist(),
            one_font=one_font.tolist(),
            has_text=(texts > 0).tolist(),
            only_child=((children == 1) & (texts == 0)).tolist(),
            own_background=own_background.tolist(),
            must_divide=must_divide.tolist(),
            keeps=(is_table | is_cell).tolist(),
            follows=(~is_tr).tolist(),
            largest=largest.tolist(),
            lines=_lines(page, lines, under),
        )


def _numbers(above: Rows, number: Rows, rows: AnyRows) -> Rows:
    """Return the node numbers of the nearest valid ancestors-or-selves of `rows`, -1 for none."""
    found = np.where(rows >= 0, above[rows], -1)
    return np.where(found >= 0, number[found], -1)


def _lines(page: RenderedPage, rows: Rows, parent: Rows) -> dict[int, list[_Line]]:
    """Return the <hr> at `rows` by their parents."""
    x, y, w, h = (column[rows] for column in (page.x, page.y, page.w, page.h))
    centres = zip((x + w / 2).tolist(), (y + h / 2).tolist(), strict=True)
    axes = np.where(w < h, _X, _Y).tolist()
    found: dict[int, list[_Line]] = {}
    for above, centre, axis in zip(parent.tolist(), centres, axes, strict=True):
        found.setdefault(above, []).append(_Line(centre, axis))
    return found


def _child_sums(parent: Rows, values: Floats) -> Floats:
    """Return the sum of `values` over the children of each node."""
    inner = parent >= 0
    sums: Floats = np.bincount(parent[inner], values[inner], minlength=len(parent)).astype(
        np.float64
    )
    return sums


def _backgrounds(page: RenderedPage) -> Int64s:
    """Return the colour behind each row: that of the nearest element which is not transparent."""
    painted = nearest(page.background & 0xFF > 0, page.parent)
    return np.where(painted >= 0, page.background[painted], _WHITE).astype(np.int64)


def _boxes(page: RenderedPage, row: Rows, parent: Rows, opaque: Bools) -> Floats:
    """Return left, top, right and bottom of what one sees of each node.

    A loop, since a node's box needs those of its children.
    """
    x, y = page.x[row].astype(np.float64), page.y[row].astype(np.float64)
    own = np.stack((x, y, x + page.w[row], y + page.h[row]), axis=1)
    nothing = [np.inf, np.inf, -np.inf, -np.inf]
    found: list[list[float]] = [list(nothing) for _ in row]
    bounds, above, is_opaque = own.tolist(), parent.tolist(), opaque.tolist()
    for node in range(len(row) - 1, -1, -1):
        bound, box = bounds[node], found[node]
        if not is_opaque[node]:
            left, top = max(bound[0], box[0]), max(bound[1], box[1])
            right, bottom = min(bound[2], box[2]), min(bound[3], box[3])
            if left < right and top < bottom:
                bound = [left, top, right, bottom]
        found[node] = bound
        if above[node] >= 0:
            outer = found[above[node]]
            outer[0], outer[1] = min(outer[0], bound[0]), min(outer[1], bound[1])
            outer[2], outer[3] = max(outer[2], bound[2]), max(outer[3], bound[3])
    return np.array(found).reshape(-1, 4)


def _area_around(box: Floats) -> float:
    if not len(box):
        return 0.0
    (left, top), (right, bottom) = box[:, :2].min(axis=0), box[:, 2:].max(axis=0)
    return float((right - left) * (bottom - top))


def _fonts(page: RenderedPage, row: Rows, end: Rows) -> tuple[Floats, Floats, Bools]:
    """Return the mean font size and weight of each node's text, and whether there is one only.

    Means are over characters, and 0 without text.
    """
    is_text = page.tag[row] == 0
    chars = np.where(is_text, page.chars[row], 0).astype(np.int64)
    # Whole numbers, so that sums over equal texts are equal: hundredths of a pixel.
    size = np.round(100 * page.font_size[row]).astype(np.int64)
    weight = page.font_weight[row].astype(np.int64)
    total = np.maximum(subtree_sums(chars, end), 1)
    sizes, weights = (subtree_sums(chars * each, end) / total for each in (size, weight))
    texts = np.flatnonzero(is_text)
    changes = np.zeros(len(row), np.bool_)
    changes[texts[1:]] = (np.diff(size[texts]) != 0) | (np.diff(weight[texts]) != 0)
    # The first text of a node may differ from the text before the node.
    first = np.append(texts, -1)[texts.searchsorted(np.arange(len(row)))]
    inner = (first >= 0) & (first < end)
    outer_change = np.where(inner, changes[first], False) if len(row) else changes
    return sizes / 100, weights, subtree_sums(changes, end) - outer_change == 0


# --- blocks --------------------------------------------------------------------------------------


class _Block(NamedTuple):
    """A node that a round keeps."""

    node: int
    coherence: int


def _extract(
    nodes: _Nodes, node: int, small: float, mixed: float
) -> tuple[list[_Block], list[_Line]]:
    """Return the blocks of a round in document order, and the <hr> among them.

    The round is that of a node, or of the page, -1.
    """
    found: list[_Block] = []
    lines = list(nodes.lines.get(node, ()))
    whole = nodes.whole if node < 0 else nodes.area[node]
    stack = [iter(nodes.top) if node < 0 else nodes.children(node)]
    kept = [False]  # whether the sibling before was kept, on each level
    while stack:
        child = next(stack[-1], None)
        if child is None:
            stack.pop()
            kept.pop()
            continue
        coherence = _rule(nodes, child, small * whole, mixed * whole, kept[-1])
        kept[-1] = coherence != _DIVIDE
        if kept[-1]:
            found.append(_Block(child, coherence))
        else:
            lines += nodes.lines.get(child, ())
            stack.append(nodes.children(child))
            kept.append(False)
    return found, lines


def _rule(nodes: _Nodes, node: int, small: float, mixed: float, after_kept: bool) -> int:
    """Return the degree of a node that is kept, or `_DIVIDE`; `small` and `mixed` are areas."""
    if nodes.is_content[node]:
        return 10
    if nodes.all_text[node]:
        return 10 if nodes.one_font[node] else 9
    if nodes.own_background[node]:
        return _by_tag_and_size(nodes, node)
    if nodes.only_child[node] or nodes.must_divide[node]:
        return _DIVIDE
    if (
        (nodes.has_text[node] and nodes.area[node] < mixed)
        or nodes.largest[node] < small
        or (after_kept and nodes.follows[node])
        or nodes.keeps[node]
    ):
        return _by_tag_and_size(nodes, node)
    return _DIVIDE


def _by_tag_and_size(nodes: _Nodes, node: int) -> int:
    """Return T of the rules."""
    fall = next((fall for share, fall in _SIZES if nodes.area[node] > share * nodes.whole), 0)
    return nodes.by_tag[node] - fall


# --- separators ----------------------------------------------------------------------------------


class _Separator(NamedTuple):
    """A gap between the blocks of a group."""

    weight: int
    at: int  # how many blocks of the group, sorted along the axis, lie before it
    place: float  # coordinate of its middle


def _separators(
    nodes: _Nodes, ordered: Sequence[int], axis: int, lines: Sequence[_Line]
) -> list[_Separator]:
    """Return the separators across an axis of a group, whose blocks are sorted along it."""
    low, high = nodes.low[axis], nodes.high[axis]
    ruled = sorted(line.centre[axis] for line in lines if line.axis == axis)
    found = []
    before = ordered[0]  # the block that ends last so far
    for at, node in enumerate(ordered):
        start, stop = high[before], low[node]
        if at and stop >= start - _OVERLAP:
            has_line = bisect_left(ruled, start) < bisect_right(ruled, stop)
            weight = _weight(nodes, before, node, axis, has_line)
            found.append(_Separator(weight, at, (start + stop) / 2))
        if high[node] > start:
            before = node
    return found


def _weight(nodes: _Nodes, before: int, after: int, axis: int, has_line: bool) -> int:
    """Return the weight of a separator from the blocks beside it."""
    distance = nodes.low[axis][after] - nodes.high[axis][before]
    weight = 1 + bisect_right(_DISTANCES, distance) + 2 * has_line
    weight += 2 * (nodes.background[before] != nodes.background[after])
    if axis == _Y:
        (size, bold), (next_size, next_bold) = nodes.font[before], nodes.font[after]
        if size and next_size:  # both have text
            weight += abs(size - next_size) >= _LARGER or abs(bold - next_bold) >= _BOLDER
            weight += next_size - size >= _LARGER
        weight -= 2 * _similar(nodes, before, after)
    return min(max(weight, 1), 9)


def _similar(nodes: _Nodes, before: int, after: int) -> bool:
    """Return whether two blocks have about the same structure."""
    texts = [nodes.is_text[node] or nodes.all_text[node] for node in (before, after)]
    if any(texts):
        return all(texts)
    least, most = sorted((nodes.area[before], nodes.area[after]))
    return (
        nodes.tag[before] == nodes.tag[after]
        and most <= 2 * least
        and nodes.child_tags(before) == nodes.child_tags(after)
    )


# --- structure -----------------------------------------------------------------------------------


@dataclass(slots=True)
class _Tree:
    """The segments down to single texts, each after the one that it is part of."""

    parent: list[int] = field(default_factory=list)
    nodes: list[list[int]] = field(default_factory=list)  # that each segment is made of
    least: list[int] = field(default_factory=list)  # degree by the rules
    weight: list[int] = field(default_factory=list)  # of the heaviest separator; 0: undivided

    def add(self, parent: int, nodes: list[int], least: int) -> int:
        self.parent.append(parent)
        self.nodes.append(nodes)
        self.least.append(least)
        self.weight.append(0)
        return len(self.parent) - 1

    def coherence(self) -> list[int]:
        """Return the degree of each segment."""
        found = list(self.least)
        of_parts = [10] * len(found)
        for segment in range(len(found) - 1, -1, -1):
            if self.weight[segment]:
                merged = min(10 - self.weight[segment], of_parts[segment])
                found[segment] = max(found[segment], merged)
            above = self.parent[segment]
            if above >= 0:
                of_parts[above] = min(of_parts[above], found[segment])
        for segment, above in enumerate(self.parent):
            if above >= 0:
                found[segment] = max(found[segment], found[above])
        return found


class _Group(NamedTuple):
    """Blocks of one round that are still to be divided, and the <hr> among them."""

    segment: int
    nodes: list[int]
    lines: Sequence[_Line]
    depth: int  # in how many groups of this round it lies


def _structure(nodes: _Nodes, small: float, mixed: float) -> _Tree:
    """Return the whole tree of a page."""
    tree = _Tree()
    tree.add(-1, nodes.top, 1)
    rounds = [(0, -1)]  # segments to divide, and the node of each
    while rounds:
        segment, node = rounds.pop()
        blocks, lines = _extract(nodes, node, small, mixed)
        if len(blocks) == 1:  # nothing to separate: the segment is this block
            (block,) = blocks
            tree.least[segment] = max(tree.least[segment], block.coherence)
            if block.coherence < 10:
                rounds.append((segment, block.node))
            continue
        coherence = dict(blocks)
        groups = [_Group(segment, list(coherence), lines, 0)]
        while groups:
            group = groups.pop()
            weight, parts = _parts(nodes, group)
            tree.weight[group.segment] = weight
            for part, among in sorted(parts, key=_first_node):
                alone = len(part) == 1
                degree = coherence[part[0]] if alone else 1
                inner = tree.add(group.segment, part, degree)
                if not alone:
                    groups.append(_Group(inner, part, among, group.depth + 1))
                elif degree < 10:
                    rounds.append((inner, part[0]))
    return tree


_Part: TypeAlias = tuple[list[int], Sequence[_Line]]  # nodes in document order, and <hr>


def _first_node(part: _Part) -> int:
    return part[0][0]


def _parts(nodes: _Nodes, group: _Group) -> tuple[int, list[_Part]]:
    """Return the weight of a group's heaviest separators, and the parts between them."""
    best, axis, order = 0, _Y, group.nodes
    found: list[_Separator] = []
    for across in (_Y, _X) if group.depth < _NESTING else ():
        ordered = sorted(group.nodes, key=nodes.low[across].__getitem__)
        separators = _separators(nodes, ordered, across, group.lines)
        heaviest = max((separator.weight for separator in separators), default=0)
        if heaviest > best:
            best, axis, order, found = heaviest, across, ordered, separators
    if not best:
        return 1, [([node], ()) for node in order]
    cuts = [separator for separator in found if separator.weight == best]
    at = [0, *(cut.at for cut in cuts), len(order)]
    lines = sorted(group.lines, key=lambda line: line.centre[axis])
    places = [line.centre[axis] for line in lines]
    until = [0, *(bisect_left(places, cut.place) for cut in cuts), len(lines)]
    return best, [
        (sorted(order[at[i] : at[i + 1]]), lines[until[i] : until[i + 1]])
        for i in range(len(at) - 1)
    ]


def _cut(page: RenderedPage, row: list[int], tree: _Tree, pdoc: int) -> Segments:
    """Return the segments down to those of the permitted degree, each before its parts."""
    coherence = tree.coherence()
    parts: list[list[int]] = [[] for _ in coherence]
    for segment, above in enumerate(tree.parent):
        if above >= 0 and coherence[above] < pdoc:
            parts[above].append(segment)
    number = [-1] * len(coherence)
    order: list[int] = []
    stack = [0]
    while stack:
        segment = stack.pop()
        number[segment] = len(order)
        order.append(segment)
        stack.extend(reversed(parts[segment]))
    return Segments.of(
        page,
        [number[tree.parent[segment]] if segment else -1 for segment in order],
        [[row[node] for node in tree.nodes[segment]] for segment in order],
        coherence=[coherence[segment] for segment in order],
    )
