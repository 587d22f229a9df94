"""Draw a Mermaid flow chart as SVG, so that the site needs no script for it.

Only what our pages use is read: lines `a --> b` below `flowchart TD`. A box is in the layer below
all boxes that point to it. An edge over several layers has a bend in each of them, which takes
room as a narrow box does. Within a layer, boxes stand in the order of the mean place of their
neighbours.
"""

from __future__ import annotations

import re
from html import escape
from itertools import pairwise

from thresher.errors import InputError

_EDGE = re.compile(r"\s*(\w+) --> (\w+)")
_BOX, _BEND, _HEIGHT, _GAP, _LAYER = 104, 14, 34, 26, 74  # in pixels
_SWEEPS = 12

Layers = list[list[str]]


def svg(chart: str) -> str:
    """Return a flow chart as an SVG element."""
    edges = read(chart)
    layers, edges = with_bends(edges, levels(edges))
    places = {}
    widths = [sum(map(_width, layer)) + _GAP * (len(layer) - 1) for layer in ordered(layers, edges)]
    for level, layer in enumerate(ordered(layers, edges)):
        left = (max(widths) - widths[level]) / 2
        for box in layer:
            places[box] = (left + _width(box) / 2 + 2, level * _LAYER + _HEIGHT / 2 + 2)
            left += _width(box) + _GAP
    lines = [_line(first, second, places) for first, second in edges]
    boxes = [_box(name, *place) for name, place in places.items() if not _is_bend(name)]
    width, height = max(widths) + 4, (len(layers) - 1) * _LAYER + _HEIGHT + 4
    head = '<path d="M0 0 L8 4 L0 8 z"/>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}" role="img" aria-label="flow chart">'
        f'<marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
        f'orient="auto">{head}</marker>{"".join(lines)}{"".join(boxes)}</svg>'
    )


def read(chart: str) -> list[tuple[str, str]]:
    """Return the edges of a chart."""
    first, *lines = [line for line in chart.splitlines() if line.strip()]
    found = [_EDGE.fullmatch(line) for line in lines]
    if first.strip() != "flowchart TD" or None in found:
        raise InputError("a diagram is `flowchart TD` and lines `a --> b`: write it so.")
    return [(edge[1], edge[2]) for edge in found if edge]


def levels(edges: list[tuple[str, str]]) -> dict[str, int]:
    """Return the layer of each box: one below the lowest that points to it."""
    level = {name: 0 for edge in edges for name in edge}
    for _ in level:
        for above, below in edges:
            level[below] = max(level[below], level[above] + 1)
    if level and max(level.values()) >= len(level):
        raise InputError("the boxes of a diagram point in a circle: remove one of the edges.")
    return level


def with_bends(
    edges: list[tuple[str, str]], level: dict[str, int]
) -> tuple[Layers, list[tuple[str, str]]]:
    """Return the boxes of each layer, and edges from each layer to the next."""
    layers: Layers = [[] for _ in range(max(level.values(), default=-1) + 1)]
    for name, at in level.items():
        layers[at].append(name)
    short: list[tuple[str, str]] = []
    for above, below in edges:
        chain = [above]
        for at in range(level[above] + 1, level[below]):
            chain.append(f"{above} {below} {at}")
            layers[at].append(chain[-1])
        chain.append(below)
        short += pairwise(chain)
    return layers, short


def ordered(layers: Layers, edges: list[tuple[str, str]]) -> Layers:
    """Return the layers with their boxes near those that they are connected with."""
    layers = [list(layer) for layer in layers]
    place = {name: float(at) for layer in layers for at, name in enumerate(layer)}
    for sweep in range(_SWEEPS):
        down = sweep % 2 == 0
        for layer in layers if down else reversed(layers):
            near = {name: [a if down else b for a, b in edges if name == (b if down else a)]
                    for name in layer}  # fmt: skip
            mean = {
                name: sum(place[other] for other in found) / len(found) if found else place[name]
                for name, found in near.items()
            }
            layer.sort(key=lambda name: mean[name])
            middle = (len(layer) - 1) / 2
            place |= {name: at - middle for at, name in enumerate(layer)}
    return layers


def _is_bend(name: str) -> bool:
    return " " in name


def _width(name: str) -> int:
    return _BEND if _is_bend(name) else _BOX


def _line(first: str, second: str, places: dict[str, tuple[float, float]]) -> str:
    (x, y), (to_x, to_y) = places[first], places[second]
    y += 0 if _is_bend(first) else _HEIGHT / 2
    to_y -= 0 if _is_bend(second) else _HEIGHT / 2
    middle = (y + to_y) / 2
    arrow = "" if _is_bend(second) else ' marker-end="url(#arrow)"'
    return (
        f'<path d="M{x:g} {y:g} C{x:g} {middle:g} {to_x:g} {middle:g} {to_x:g} {to_y:g}"{arrow}/>'
    )


def _box(name: str, x: float, y: float) -> str:
    return (
        f'<rect x="{x - _BOX / 2:g}" y="{y - _HEIGHT / 2:g}" width="{_BOX}" height="{_HEIGHT}" '
        f'rx="6"/><text x="{x:g}" y="{y:g}">{escape(name)}</text>'
    )
