"""Charts as inline SVG: dots with intervals and labels that do not overlap, and strips.

Colours come from the style of the surrounding page (`--ours`, `--peer`, `--ink`, `--soft`,
`--line`, `--card`). Methods are round dots, peers are diamonds.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape, unescape

import numpy as np

_MAX_DOTS_NARROW = 12  # above, the chart is as wide as the page
_LINE_HEIGHT = 12.5  # of a label
_LETTER_WIDTH = 6.1  # of a label
_MAX_LETTERS = 30  # of a label
_MAX_LABELS = 60  # further dots have their name in the tooltip only
_MAX_STEPS = 12  # lines that a label may be away from its dot
_STRIP_POINTS = 100

Box = tuple[float, float, float, float]  # left, top, right, bottom
Taken = list[tuple[Box, float]]  # boxes, and the cost of covering a square unit of them
_SOLID, _THIN = 4.0, 1.0  # costs: dots and labels; bars and lines, which a label may cross


@dataclass(frozen=True, slots=True)
class Dot:
    """One tool in a chart, with the 95 % intervals of both values."""

    name: str
    peer: bool
    x: float
    y: float
    x_range: tuple[float, float]
    y_range: tuple[float, float]
    hover: str  # the tooltip


@dataclass(frozen=True, slots=True)
class _Layout:
    """The size of a chart and of the frame inside it, in SVG units."""

    width: int
    height: int
    reach: float  # scores further below the best are drawn on the edge, with their value
    left: int = 46
    top: int = 14

    @classmethod
    def of(cls, dots: Sequence[Dot]) -> _Layout:
        return cls(460, 350, 0.38) if len(dots) <= _MAX_DOTS_NARROW else cls(940, 600, 0.5)

    @property
    def right(self) -> int:
        return self.width - 12

    @property
    def bottom(self) -> int:
        return self.height - 44


@dataclass(frozen=True, slots=True)
class _Scale:
    """Maps values to SVG units, linearly or with `log` logarithmically; values are clipped."""

    low: float
    high: float
    start: float
    end: float
    log: bool = False

    def __call__(self, value: float) -> float:
        low, high = self.low, self.high
        value = min(max(value, low), high)
        if self.log:
            value, low, high = math.log(value), math.log(low), math.log(high)
        return self.start + (value - low) / (high - low) * (self.end - self.start)


def clean(text: str, most: int = 200) -> str:
    """Return a text escaped, cut, and with control characters and surrogates replaced."""
    if len(text) > most:
        text = f"{text[: most - 1]}…"
    return escape("".join("\ufffd" if unicodedata.category(c) in ("Cc", "Cs") else c for c in text))


# --- the charts ----------------------------------------------------------------------------------


def speed(dots: Sequence[Dot]) -> str:
    """Draw F1 (y) against CPU milliseconds a page (x, logarithmic)."""
    layout = _Layout.of(dots)
    x = _milliseconds([dot.x for dot in dots], layout)
    y = _shares([value for dot in dots for value in dot.y_range], layout, upwards=True)
    only_powers = x.high / x.low > 500  # no space for a label at each tick
    marks = [
        (x(tick), "" if only_powers and not f"{tick:e}".startswith("1.0") else f"{tick:g}")
        for tick in _one_two_five(x)
    ]
    frame = _frame(layout, marks, y, "CPU milliseconds a page   (faster ←)", "F1   (better →)")
    inside = frame + _front(dots, x, y) + _dots(layout, dots, x, y, [])
    return _svg("F1 against time", layout, inside)


def precision_recall(dots: Sequence[Dot]) -> str:
    """Draw precision (y) against recall (x), with lines of equal F1."""
    layout = _Layout.of(dots)
    x = _shares([value for dot in dots for value in dot.x_range], layout, top=1.0)
    y = _shares([value for dot in dots for value in dot.y_range], layout, upwards=True, top=1.0)
    lines, labels = _same_f1(x, y)
    marks = [(x(tick), f"{tick:g}") for tick in _ticks(x)]
    names = "recall   (finds all of the text →)", "precision   (finds nothing else →)"
    inside = _frame(layout, marks, y, *names) + lines + _dots(layout, dots, x, y, labels)
    return _svg("Precision against recall", layout, inside)


def strip(values: Sequence[float]) -> str:
    """Draw the scores of all pages, sorted, as one filled curve."""
    ordered = np.sort(np.asarray(values, np.float64))
    share = np.linspace(0, 1, min(len(ordered), _STRIP_POINTS))
    heights = np.quantile(ordered, share) if len(ordered) > 1 else np.repeat(ordered, 2)
    across = np.linspace(0, 200, len(heights))
    points = " ".join(
        f"{x:.4g},{40 - 40 * y:.4g}" for x, y in zip(across, heights.tolist(), strict=True)
    )
    return (
        '<svg class="strip" viewBox="0 0 200 40" preserveAspectRatio="none" aria-hidden="true">'
        f'<polygon points="0,40 {points} 200,40"/><path d="M0 20H200M50 0V40M100 0V40M150 0V40"/>'
        "</svg>"
    )


def _svg(label: str, layout: _Layout, inside: str) -> str:
    wide = " wide" * (layout.width > _Layout.of(()).width)
    return (
        f'<svg class="chart{wide}" viewBox="0 0 {layout.width} {layout.height}" role="img" '
        f'aria-label="{label}">{inside}</svg>'
    )


# --- scales and axes -----------------------------------------------------------------------------


def _shares(
    values: list[float], layout: _Layout, *, upwards: bool = False, top: float = 0.0
) -> _Scale:
    """Return a scale for scores: the tenths that they span, without scores far below the best."""
    start, end = (layout.bottom, layout.top) if upwards else (layout.left, layout.right)
    best = max(values, default=1.0)
    worst = min((value for value in values if value >= best - layout.reach), default=0.0)
    low = math.floor(round(worst * 10 - 0.1, 6)) / 10
    high = max(math.ceil(round(best * 10 + 0.1, 6)) / 10, top)
    low, high = max(low, 0.0), min(high, 1.0)
    if high - low < 0.19:
        low, high = (low, low + 0.2) if low < 0.8 else (0.8, 1.0)
    return _Scale(low, high, start, end)


def _milliseconds(values: list[float], layout: _Layout) -> _Scale:
    low = max(min(values, default=1.0), 1e-3)
    high = max(max(values, default=1.0), low)
    return _Scale(low / 1.35, high * 1.35, layout.left, layout.right, log=True)


def _ticks(scale: _Scale) -> list[float]:
    step = 0.05 if scale.high - scale.low < 0.45 else 0.1
    first, last = round(scale.low / step), round(scale.high / step)
    return [round(number * step, 2) for number in range(first, last + 1)]


def _one_two_five(scale: _Scale) -> list[float]:
    """Return the ticks 1, 2, 5, 10, 20, 50 and so on within the scale."""
    powers = range(math.floor(math.log10(scale.low)), math.ceil(math.log10(scale.high)) + 1)
    steps = [float(f"{digit}e{power}") for power in powers for digit in (1, 2, 5)]
    return [step for step in steps if scale.low <= step <= scale.high]


def _frame(
    layout: _Layout, marks: list[tuple[float, str]], y: _Scale, x_name: str, y_name: str
) -> str:
    lines, texts = [], []
    for place, name in marks:
        lines.append(f"M{place:.1f} {layout.top}V{layout.bottom}")
        texts.append(f'<text x="{place:.1f}" y="{layout.bottom + 15}" class="mid">{name}</text>')
    for tick in _ticks(y):
        lines.append(f"M{layout.left} {y(tick):.1f}H{layout.right}")
        texts.append(
            f'<text x="{layout.left - 6}" y="{y(tick) + 4:.1f}" class="end">{tick:g}</text>'
        )
    middle = (layout.top + layout.bottom) / 2
    return (
        f'<path class="grid" d="{"".join(lines)}"/><g class="axis">{"".join(texts)}'
        f'<text x="{(layout.left + layout.right) / 2}" y="{layout.height - 8}" class="mid">'
        f"{x_name}</text>"
        f'<text transform="translate(12 {middle}) rotate(-90)" class="mid">{y_name}</text></g>'
    )


def _front(dots: Sequence[Dot], x: _Scale, y: _Scale) -> str:
    """Draw the steps through the tools that no other tool beats in both speed and F1."""
    path, best = "", -1.0
    for dot in sorted(dots, key=lambda dot: (dot.x, -dot.y)):
        if dot.y > best:
            across, up = x(dot.x), y(dot.y)
            path += f"H{across:.1f}V{up:.1f}" if path else f"M{across:.1f} {up:.1f}"
            best = dot.y
    return f'<path class="front" d="{path}H{x.end}"/>' if path else ""


def _same_f1(x: _Scale, y: _Scale) -> tuple[str, Taken]:
    """Draw p = F r / (2 r - F) for F = 0.1, 0.2, ..., 0.9; also return the boxes of the labels."""
    paths, texts = [], []
    boxes: Taken = []
    for tenth in range(1, 10):
        f1 = tenth / 10
        lowest = max(x.low, f1 * y.high / (2 * y.high - f1))  # where the line enters at the top
        at_right = f1 * x.high / (2 * x.high - f1)
        highest = x.high if at_right >= y.low else f1 * y.low / (2 * y.low - f1)
        if lowest >= highest or f1 * lowest / (2 * lowest - f1) < y.low:
            continue
        steps = np.linspace(lowest, highest, 24).tolist()
        points = [f"{x(r):.1f},{y(f1 * r / (2 * r - f1)):.1f}" for r in steps]
        paths.append(f'<polyline points="{" ".join(points)}"/>')
        if at_right >= y.low:
            right, up = x.end - 3.0, y(at_right) - 3
            texts.append(f'<text x="{right}" y="{up:.1f}" class="end">F1 {f1:g}</text>')
            boxes.append(((right - 36, up - 9, right, up), _SOLID))
    return f'<g class="same">{"".join(paths)}{"".join(texts)}</g>', boxes


# --- dots and their labels -----------------------------------------------------------------------


def _dots(layout: _Layout, dots: Sequence[Dot], x: _Scale, y: _Scale, taken: Taken) -> str:
    """Draw the intervals, then the dots, then the labels."""
    bars, marks = [], []
    taken = list(taken)
    for dot in dots:
        across, up = x(dot.x), y(dot.y)
        left, right = (x(value) for value in dot.x_range)
        bottom, top = (y(value) for value in dot.y_range)
        kind = "peer" if dot.peer else "ours"
        bars.append(
            f'<path class="{kind}" d="M{across:.1f} {top:.1f}V{bottom:.1f}'
            f'M{left:.1f} {up:.1f}H{right:.1f}"/>'
        )
        marks.append(
            f'<g class="{kind}"><title>{clean(dot.hover, 400)}</title>'
            f"{_mark(dot.peer, across, up)}</g>"
        )
        taken += [
            ((across - 9, up - 7, across + 9, up + 7), _SOLID),
            ((across - 1, top, across + 1, bottom), _THIN),
            ((left, up - 1, right, up + 1), _THIN),
        ]
    names = "".join(_labels(layout, dots, x, y, taken))
    return f'<g class="bars">{"".join(bars)}</g>{"".join(marks)}<g class="names">{names}</g>'


def _mark(peer: bool, across: float, up: float) -> str:
    if peer:
        return f'<path d="M{across:.1f} {up - 6.5:.1f}l6.5 6.5-6.5 6.5-6.5-6.5z"/>'
    return f'<circle cx="{across:.1f}" cy="{up:.1f}" r="5"/>'


def _labels(
    layout: _Layout, dots: Sequence[Dot], x: _Scale, y: _Scale, taken: Taken
) -> Iterator[str]:
    """Yield each name at the cheapest place near its dot, names with space beside it first."""
    waiting = sorted(dots, key=lambda dot: y(dot.y))[:_MAX_LABELS]
    for steps in (0, _MAX_STEPS):
        for dot in list(waiting):
            across, up = x(dot.x), y(dot.y)
            text = clean(dot.name, _MAX_LETTERS) + _below(dot, x, y)
            width = _LETTER_WIDTH * len(unescape(text))
            cost, box = min(
                (_cost(layout, box, taken, across, up), box)
                for box in _boxes(across, up, width, steps)
            )
            if steps or cost < 1:
                taken.append((box, _SOLID))
                waiting.remove(dot)
                yield _label(text, box, across, up)


def _label(text: str, box: Box, across: float, up: float) -> str:
    """Return a name in its box, with a line to its dot unless it is beside it."""
    to_right = box[0] > across
    edge, anchor = (box[0], "") if to_right else (box[2], ' class="end"')
    height = (box[1] + box[3]) / 2
    line = ""
    if abs(height - up) > _LINE_HEIGHT / 2:
        side = across + (5 if to_right else -5)
        line = f'<path d="M{side:.1f} {up:.1f}L{edge:.1f} {height:.1f}"/>'
    return f'{line}<text x="{edge:.1f}" y="{height + 4:.1f}"{anchor}>{text}</text>'


def _below(dot: Dot, x: _Scale, y: _Scale) -> str:
    """Return the values of a dot that are below the scales, with arrows."""
    up = f" ↓{dot.y:.2f}" if dot.y < y.low else ""
    return up + (f" ←{dot.x:.2f}" if dot.x < x.low and not x.log else "")


def _boxes(across: float, up: float, width: float, steps: int) -> Iterator[Box]:
    """Yield the boxes for a label: right and left of its dot, then line by line further away."""
    for step in range(steps + 1):
        for height in {up - step * _LINE_HEIGHT, up + step * _LINE_HEIGHT}:
            gap = 9 + min(step, 2) * 4
            top, bottom = height - _LINE_HEIGHT / 2, height + _LINE_HEIGHT / 2
            yield across + gap, top, across + gap + width, bottom
            yield across - gap - width, top, across - gap, bottom


def _cost(layout: _Layout, box: Box, taken: Taken, across: float, up: float) -> float:
    """Return the cost of a box: what it covers, its distance, and a little for the left side."""
    covered = sum(weight * _overlap(box, other) for other, weight in taken)
    inside = (layout.left, 0.0, layout.width, layout.bottom)
    outside = (box[2] - box[0]) * (box[3] - box[1]) - _overlap(box, inside)
    away = abs((box[1] + box[3]) / 2 - up)
    return covered + 20 * outside + 1.5 * away + 0.5 * (box[0] < across)


def _overlap(one: Box, other: Box) -> float:
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    return max(width, 0.0) * max(height, 0.0)


STYLE = """
.chart { display: block; height: auto; width: 100%; }
.chart.wide { min-width: 44rem; }
.chart text { fill: var(--ink); font: 11px system-ui, sans-serif; }
.chart .axis text, .chart .same text { fill: var(--soft); }
.chart .same text { font-size: 9.5px; }
.chart .mid { text-anchor: middle; }
.chart .end { text-anchor: end; }
.grid { stroke: var(--line); stroke-width: 1; }
.front { fill: none; stroke: var(--soft); stroke-dasharray: 4 3; }
.same polyline { fill: none; stroke: var(--grey); stroke-dasharray: 2 3; }
.bars path { opacity: .55; stroke-width: 2.5; }
.wide .bars path { opacity: .4; stroke-width: 1.5; }
.bars .ours { stroke: var(--ours); }
.bars .peer { stroke: var(--peer); }
g.ours { fill: var(--ours); stroke: var(--card); }
g.peer { fill: var(--peer); stroke: var(--card); }
.names text { paint-order: stroke; stroke: var(--card); stroke-linejoin: round; stroke-width: 3; }
.names path { stroke: var(--soft); stroke-width: .7; }
.strip { background: var(--empty); display: block; height: 2.4rem; min-width: 7rem; width: 100%; }
.strip polygon { fill: var(--ours); opacity: .8; }
.peer .strip polygon { fill: var(--peer); }
.strip path { opacity: .35; stroke: var(--card); vector-effect: non-scaling-stroke; }
@media (max-width: 40rem) {
  .chart text { font-size: 12.5px; }
  .chart .same text { font-size: 11px; } }
"""
