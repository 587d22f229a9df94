"""Plots of trends: one panel per source with the curves of all queries (thesis, Fig. 6.2 to 6.4).

    curves      mean score x 1000 of each period; a period without documents is a gap
    bands       the confidence interval of each mean; a bar for a mean between two gaps
    marks       change points, named beside the curve
    strip       below the curves, the number of documents of each period

Each curve has its name at its right end. If there are more curves than lines of text beside the
panel, a legend below it has the names. matplotlib is imported when a plot is drawn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from thresher.errors import UsageError
from thresher.page.array_types import Bools, Floats
from thresher.trends.changes import Change
from thresher.trends.trend import SCALE, Trends
from thresher.viewer.page_shell import count
from thresher.viewer.plots import (
    drawable,
    image_bytes,
    image_format,
    plot_style,
    require_matplotlib,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe and Ito's colours, which stay apart for the colour-blind, without their yellow, which is
# too pale for a line. Further curves have the same colours with another dash.
COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#4d4d4d")
DASHES = ("", "6 2", "2 2", "8 2 2 2")

ALL_SOURCES = "all sources"  # the name of the panel with all documents
NO_SOURCE = "without source"  # and of the one with the documents that name none
MAX_PANELS = 8  # sources with a panel of their own unless they are named

# Inches: the frame of the curves (width, height), the strip below, and the space around them.
_CURVES, _STRIP = (7.0, 3.5), 0.42
_LEFT, _ABOVE, _BELOW, _TITLE, _CAPTION = 0.85, 0.42, 0.45, 0.5, 0.2
_PANEL_HEIGHT = _ABOVE + _CURVES[1] + 0.1 + _STRIP + _BELOW
_LABEL_CHARS = 34  # of a name beside its curve
_LABEL_SIZE, _TICK_SIZE = 9.0, 9.0  # points
_LETTER = 0.64  # width of a letter of the font, as a share of its size
_MAX_MARKED = 60  # periods with a dot each
BAND_OPACITY = 0.14  # of which three on top of each other can still be told apart
_MAX_NAMED = 12  # change points of a panel with their name


# --- what is drawn -------------------------------------------------------------------------------


def choose_panels(
    trends: Trends, names: Sequence[str] = (), *, together: bool = False
) -> dict[str, Trends]:
    """Return what gets a panel, by title: all documents, and the documents of each source.

    With `names`, only these sources. With `together`, all documents in one panel. Otherwise, the
    sources have panels of their own, the largest first, unless there are more than `MAX_PANELS`.
    The title is the name of the source, in quotation marks if it is that of another panel, such as
    "all sources".
    """
    if together and names:
        raise UsageError("sources are shown together or one by one: leave one of them out.")
    sizes = Counter(document.source for document in trends.documents)
    missing = [name for name in names if name not in sizes]
    if missing and not any(sizes):
        raise UsageError(
            f"no document has the source {missing[0]!r}, as none names its source: leave --source "
            "out."
        )
    if missing:
        raise UsageError(f"no document has the source {missing[0]!r}: give {_listed(sizes)}.")
    if not names and (together or len(sizes) > MAX_PANELS or not any(sizes)):
        return {ALL_SOURCES: trends}
    sources = {next(iter(sizes)): trends} if len(sizes) == 1 else trends.by_source()
    chosen = dict.fromkeys(names or _by_size(sizes))
    panels = {_title(name, sizes): sources[name] for name in chosen}
    return panels if names or len(sizes) == 1 else {ALL_SOURCES: trends} | panels


def _title(source: str, sources: Iterable[str]) -> str:
    """Return the title of a source's panel, which no other panel has."""
    if source not in (ALL_SOURCES, NO_SOURCE):
        return source or NO_SOURCE
    title = f'"{source}"'
    while title in sources:
        title = f'"{title}"'
    return title


def _by_size(sizes: Counter[str]) -> list[str]:
    return sorted(sizes, key=lambda name: (-sizes[name], name))


def _listed(sizes: Counter[str], most: int = 8) -> str:
    """Return the names of the largest sources in one line."""
    more = f" or one of {len(sizes) - most:,} more" if len(sizes) > most else ""
    names = (repr(name) if name else f"'' ({NO_SOURCE})" for name in _by_size(sizes)[:most])
    return ", ".join(names) + more


def is_abrupt(change: Change) -> bool:
    """Return True for a sudden change, which a plot names; gradual ones are only marked."""
    return change.kind.startswith("abrupt")


def look(number: int) -> tuple[str, str]:
    """Return the colour and the dashes of a curve by its number."""
    return COLORS[number % len(COLORS)], DASHES[number // len(COLORS) % len(DASHES)]


_YEARS = tuple(number * power for power in (1, 10, 100, 1_000, 10_000) for number in (1, 2, 5))
_STRIDES = {  # periods from one label to the next; the last ones are longer than any plot
    "year": _YEARS,
    "month": (1, 2, 3, 6, *(12 * years for years in _YEARS)),
    "week": (1, 2, 4, 13, 26, *(52 * years for years in _YEARS)),
}


def ticks(periods: Sequence[str], by: str, most: int = 14) -> list[int]:
    """Return the positions of the periods that are named below an axis.

    They are at round numbers: every fifth year is 2005, 2010 and so on, every fourth week of a year
    W01, W05 to W49. Two of them are at least `len(periods) / most` apart, so that names that fit
    `most` times side by side do not overlap.
    """
    stride = next(one for one in _STRIDES[by] if len(periods) <= most * one)
    return [at for at, period in enumerate(periods) if _is_round(period, by, stride)] or [0]


def _is_round(period: str, by: str, stride: int) -> bool:
    """Return whether a period is one of every `stride`, counted from a round year."""
    year, _, rest = period.partition("-")
    if by == "year":
        return int(year) % stride == 0
    if by == "month":
        return (int(year) * 12 + int(rest) - 1) % stride == 0
    week = int(rest.removeprefix("W"))
    if stride < 52:  # counted anew each year; the last one is not too near to the next year
        return (week - 1) % stride == 0 and (week + stride <= 53 or stride == 1)
    return week == 1 and int(year) % (stride // 52) == 0


def most_ticks(periods: Sequence[str], width: float, letter: float) -> int:
    """Return how many names of periods fit side by side in a width, given that of a letter."""
    size = letter * (max(map(len, periods[:1]), default=4) + 1)
    return min(max(int(width / size), 1), 14)


def spread(places: Sequence[float], gap: float, low: float, high: float) -> list[float] | None:
    """Move places apart until neighbours are at least `gap` apart, between `low` and `high`.

    The order is kept and the moves are small. Return None if there are too many for the range.

    >>> spread([5.0, 5.0, 9.0], 2.0, 0.0, 10.0)
    [4.0, 6.0, 9.0]
    """
    if gap * (len(places) - 1) > high - low:
        return None
    order = sorted(range(len(places)), key=lambda at: places[at])
    groups: list[tuple[float, int]] = []  # of touching labels: their middle and their number
    for at in order:
        middle, size = places[at], 1
        while groups and groups[-1][0] + groups[-1][1] * gap / 2 > middle - size * gap / 2:
            before, number = groups.pop()
            middle = (before * number + middle * size) / (number + size)
            size += number
        groups.append((middle, size))
    moved = [
        middle + gap * (number - (size - 1) / 2)
        for middle, size in groups
        for number in range(size)
    ]
    for number in range(len(moved)):
        moved[number] = max(moved[number], low + gap * number)
    for number in range(len(moved)):
        moved[-1 - number] = min(moved[-1 - number], high - gap * number)
    found = [0.0] * len(places)
    for place, at in zip(moved, order, strict=True):
        found[at] = place
    return found


def last_values(curves: Floats) -> list[tuple[int, float]]:
    """Return the last period with a value and the value of each curve; (0, 0.0) without any."""
    known: Bools = np.isfinite(curves)
    last = len(curves) - 1 - np.argmax(known[::-1], axis=0) if len(curves) else []
    return [
        (int(at), float(curves[at, number])) if known[:, number].any() else (0, 0.0)
        for number, at in enumerate(last)
    ]


def highest(trends: Trends) -> float:
    """Return where the axis of the scores ends: a little above the highest mean, x 1000.

    A band that is much higher, as that of a period with two documents, is cut.
    """
    means = float(np.nanmax(trends.mean, initial=0.0)) * SCALE
    bands = float(np.nanmax(trends.high, initial=0.0)) * SCALE
    return max(min(bands, means * 1.35) * 1.06, 1.0)


def alone(curve: Floats) -> Bools:
    """Return which values of a curve are between two gaps, so that no line reaches them."""
    known = np.isfinite(curve)
    lone: Bools = known & ~np.append(known[1:], False) & ~np.append(False, known[:-1])
    return lone


def side_step(number: int, queries: int, period: float, most: float = 6.0) -> float:
    """Return how far a lone point is moved sideways, so that the bars of queries do not coincide.

    `period` is the width of a period, `most` the largest distance between two bars.
    """
    return (number - (queries - 1) / 2) * min(most, 0.4 * period / max(queries, 1))


def shorten(text: str, most: int = _LABEL_CHARS) -> str:
    """Return a name in one line, cut after `most` characters."""
    text = " ".join(text.split())
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def short_names(
    names: Sequence[str], most: int = _LABEL_CHARS, cut: Callable[[str, int], str] = shorten
) -> list[str]:
    """Return names cut after `most` characters; where that makes two of them equal, later.

    Names that only differ after 40 more characters are numbered.

    >>> short_names(["large language models", "large language modelling", "rain"], 16)
    ['large language models', 'large language modell…', 'rain']
    """
    found = [cut(name, most) for name in names]
    for longer in range(most + 1, most + 41):
        same = {name for name, number in Counter(found).items() if number > 1}
        if not same:
            return found
        pairs = zip(names, found, strict=True)
        found = [cut(name, longer) if short in same else short for name, short in pairs]
    total, seen = Counter(found), Counter[str]()
    for at, short in enumerate(found):
        seen[short] += 1
        found[at] = f"{short} ({seen[short]})" if total[short] > 1 else short
    return found


Box = tuple[float, float, float, float]  # left, bottom, right, top, in periods and scores


@dataclass(frozen=True, slots=True)
class NamePlaces:
    """Finds places for the names of change points, in periods (across) and scores (up)."""

    top: float  # of the axis of the scores
    curves: Floats  # periods x queries
    letter: float  # width of a letter in periods
    line: float  # height of a line as a score

    def best(self, text: str, at: float, value: float, taken: Sequence[Box]) -> Box | None:
        """Return the box near a point that covers least; None if all cover another name."""
        half, end = self.letter * len(text) / 2, len(self.curves) - 0.5
        best: tuple[float, Box] | None = None
        for step in (1.3, -1.3, 2.4, -2.4, 3.5, -3.5):
            for shift in (0.0, -half, half):
                middle = min(max(at + shift, half - 0.5), end - half)
                place = value + step * self.line
                box = (
                    middle - half, place - self.line / 2, middle + half, place + self.line / 2
                )  # fmt: skip
                if box[1] < 0 or box[3] > self.top or any(_overlap(box, one) for one in taken):
                    continue
                cost = 3 * self._crossed(box) + 0.6 * abs(step) + 0.4 * bool(shift)
                if best is None or cost < best[0]:
                    best = cost, box
        return best and best[1]

    def _crossed(self, box: Box) -> int:
        """Return how many curves go through a box."""
        across = np.linspace(box[0], box[2], 33)
        heights = np.stack(
            [np.interp(across, np.arange(len(curve)), curve) for curve in self.curves.T]
        )
        slack = self.line * 0.2
        inside = (heights > box[1] - slack) & (heights < box[3] + slack)
        return int(inside.any(axis=1).sum())


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def named_changes(trends: Trends, places: NamePlaces) -> list[tuple[Change, Box]]:
    """Return the abrupt changes that are named in a plot, the largest first, and where."""
    position = {period: at for at, period in enumerate(trends.periods)}
    found: list[tuple[Change, Box]] = []
    for change in sorted(trends.changes, key=lambda change: -abs(change.after - change.before)):
        at, number = position[change.period], query_number(trends, change.query)
        if is_abrupt(change) and len(found) < _MAX_NAMED:
            taken = [box for _, box in found]
            value = SCALE * float(trends.mean[at, number])
            box = places.best(name_of(change), at, value, taken)
            if box is not None:
                found.append((change, box))
    return found


def name_of(change: Change) -> str:
    """Return the name of a change in a plot: "abrupt rise 2019"."""
    return f"{change.kind} {change.period}"


def query_number(trends: Trends, name: str) -> int:
    """Return the place of a query among the queries of trends."""
    return [query.name for query in trends.queries].index(name)


def names_beside(trends: Trends) -> list[str]:
    """Return the names of the queries as they are written beside their curves."""
    return short_names([query.name for query in trends.queries])


# --- the figure ----------------------------------------------------------------------------------


def draw(panels: Mapping[str, Trends], *, name: str = "") -> Figure:
    """Return a figure with the panels under each other; `name` is its title."""
    require_matplotlib("trends")
    from matplotlib.figure import Figure

    if not panels:
        raise UsageError("there is nothing to draw: give at least one panel.")
    names = [name for trends in panels.values() for name in names_beside(trends)]
    beside = 0.35 + _LABEL_SIZE / 72 * 0.62 * max(map(len, names), default=0)
    top = _TITLE if name else 0.1
    wide, high = _LEFT + _CURVES[0] + beside, top + len(panels) * _PANEL_HEIGHT + _CAPTION
    with plot_style():
        figure = Figure(figsize=(wide, high))
        for number, (title, trends) in enumerate(panels.items()):
            begin = high - top - number * _PANEL_HEIGHT - _ABOVE
            sizes = ((begin - _CURVES[1], _CURVES[1]), (begin - _CURVES[1] - 0.1 - _STRIP, _STRIP))
            curves, strip = (
                figure.add_axes((_LEFT / wide, bottom / high, _CURVES[0] / wide, size / high))
                for bottom, size in sizes
            )
            _draw_curves(curves, trends, title)
            _draw_strip(strip, trends)
        if name:
            figure.text(0.18 / wide, 1 - 0.36 / high, drawable(name), fontsize=14, parse_math=False)
        figure.text(_LEFT / wide, 0.17 / high, _caption(panels), fontsize=8.5, color="#555555")
    return figure


def _caption(panels: Mapping[str, Trends]) -> str:
    """Return the sentence below the panels."""
    confidence = next(iter(panels.values())).confidence
    has_bars = any(alone(curve).any() for trends in panels.values() for curve in trends.mean.T)
    mark = "Band or bar" if has_bars else "Band"
    parts = [f"{mark}: {confidence:.0%} confidence interval of the mean"]
    kinds = {is_abrupt(change) for trends in panels.values() for change in trends.changes}
    parts += ["filled diamond: abrupt change"] * (True in kinds)
    parts += ["hollow diamond: gradual change"] * (False in kinds)
    return "; ".join(parts) + "."


def picture(panels: Mapping[str, Trends], form: str = "png", *, name: str = "") -> bytes:
    """Return the plots as the content of a file; `form` is png, svg or pdf."""
    image_format(Path(f"x.{form}"))
    return image_bytes(draw(panels, name=name), form)


def unwritable(panels: Mapping[str, Trends], name: str = "") -> list[str]:
    """Return the names in a plot with letters that its font lacks: they are drawn as boxes."""
    require_matplotlib("trends")
    queries = (query.name for trends in panels.values() for query in trends.queries)
    names = (" ".join(text.split()) for text in dict.fromkeys((name, *panels, *queries)))
    return [text for text in names if drawable(text) != text[:80]]


def _draw_curves(axes: Axes, trends: Trends, title: str) -> None:
    at = np.arange(len(trends.periods))
    top = highest(trends)
    axes.set_ylim(0, top)
    axes.set_xlim(-0.5, len(at) - 0.5)
    means, low, high = (SCALE * part for part in (trends.mean, trends.low, trends.high))
    marker = "o" if len(at) <= _MAX_MARKED else ""
    for number in range(len(trends.queries)):
        color, dashes = look(number)
        style = (0, tuple(map(float, dashes.split()))) if dashes else "-"
        ends, lone = (low[:, number], high[:, number]), alone(means[:, number])
        bottom, top_line = (np.where(lone, np.nan, end) for end in ends)
        axes.fill_between(
            at, bottom, top_line, linewidth=0.6, facecolor=(color, BAND_OPACITY),
            edgecolor=(color, 0.4),
        )  # fmt: skip
        axes.plot(
            at, means[:, number], marker=marker, markersize=3.6, linewidth=1.9, color=color,
            linestyle=style, label=f"query {number}", clip_on=False, zorder=3,
            markevery=np.flatnonzero(~lone).tolist(),
        )  # fmt: skip
        step = side_step(number, len(trends.queries), 72 * _CURVES[0] / len(at)) if len(at) else 0
        _draw_bars(axes, means[:, number], ends, step, color)
    _name_curves(axes, trends, means)
    _name_changes(axes, trends, means)
    axes.set_ylabel("mean score × 1000")
    axes.set_title(drawable(title), parse_math=False)
    size = count(len(trends.documents), "document")
    axes.text(
        1.0, 1.025, f"{size}, {trends.span or 'no dates'}", ha="right",
        transform=axes.transAxes, fontsize=9, color="#555555",
    )  # fmt: skip
    axes.set_xticks(_named(trends))  # the lines of the grid
    axes.tick_params(axis="x", length=0, labelbottom=False)


def _named(trends: Trends) -> list[int]:
    """Return the positions of the periods that are named below the strip."""
    most = most_ticks(trends.periods, 72 * _CURVES[0], _LETTER * _TICK_SIZE)
    return ticks(trends.periods, trends.by, most) if trends.periods else []


def _draw_bars(
    axes: Axes, curve: Floats, ends: tuple[Floats, Floats], step: float, color: str
) -> None:
    """Draw a dot with an error bar for each value between two gaps, which no line reaches.

    They are `step` points beside their period.
    """
    from matplotlib.transforms import offset_copy

    at = np.flatnonzero(alone(curve))
    if not len(at):
        return
    low, high = (end[at] for end in ends)
    axes.errorbar(
        at, curve[at], (curve[at] - low, high - curve[at]), fmt="o", markersize=4.2, color=color,
        elinewidth=1.3, capsize=3, zorder=3,
        transform=offset_copy(axes.transData, axes.get_figure(root=True), x=step, units="points"),
    )  # fmt: skip


def _name_curves(axes: Axes, trends: Trends, means: Floats) -> None:
    """Write the name of each curve at its end, or all of them in a legend if they do not fit."""
    ends = last_values(means)
    top = axes.get_ylim()[1]
    line = top * _LABEL_SIZE * 1.35 / (_CURVES[1] * 72)  # the height of a label as a score
    places = spread([value for _, value in ends], line, line / 2, top - line / 2)
    if places is None:
        legend = axes.legend(
            loc="upper left", bbox_to_anchor=(1.01, 1.0), fontsize=7.5, borderaxespad=0
        )
        for text, name in zip(legend.get_texts(), names_beside(trends), strict=True):
            text.set_parse_math(False)
            text.set_text(drawable(name))
        return
    right = len(trends.periods) - 1
    named = zip(names_beside(trends), ends, places, strict=True)
    for number, (name, (last, value), place) in enumerate(named):
        color, _ = look(number)
        axes.annotate(
            drawable(name),
            (last, value),
            xytext=(right + 0.55 + 0.012 * (right + 1), place),
            color=color,
            fontsize=_LABEL_SIZE,
            va="center",
            annotation_clip=False,
            parse_math=False,
            arrowprops={"arrowstyle": "-", "color": color, "linewidth": 0.6, "alpha": 0.6,
                        "shrinkA": 1, "shrinkB": 2, "relpos": (0.0, 0.5)},
        )  # fmt: skip


def _name_changes(axes: Axes, trends: Trends, means: Floats) -> None:
    """Mark the change points, and name the abrupt ones."""
    position = {period: at for at, period in enumerate(trends.periods)}
    for change in trends.changes:
        at, number = position[change.period], query_number(trends, change.query)
        color, abrupt = look(number)[0], is_abrupt(change)
        axes.plot(
            at, means[at, number], "D", markersize=7.5 if abrupt else 5, color=color, zorder=4,
            markerfacecolor=color if abrupt else "white", markeredgewidth=1.3, clip_on=False,
            markeredgecolor="white" if abrupt else color,
        )  # fmt: skip
    top = axes.get_ylim()[1]
    letter, line = len(position) * 4.9 / (_CURVES[0] * 72), top * 11 / (_CURVES[1] * 72)
    for change, box in named_changes(trends, NamePlaces(top, means, letter, line)):
        axes.text(
            (box[0] + box[2]) / 2, (box[1] + box[3]) / 2, name_of(change), fontsize=8, ha="center",
            va="center", zorder=5, color=look(query_number(trends, change.query))[0],
            bbox={"facecolor": "white", "alpha": 0.75, "linewidth": 0, "pad": 0.6},
        )  # fmt: skip


def _draw_strip(axes: Axes, trends: Trends) -> None:
    """Draw the number of documents of each period as faint bars."""
    at = np.arange(len(trends.periods))
    axes.bar(at, trends.count, width=0.72, color="#c9ced6", linewidth=0)
    most = int(trends.count.max(initial=0))
    axes.set_ylim(0, max(most, 1) * 1.1)
    axes.set_yticks([most] if most else [])
    axes.set_yticklabels([f"{most:,}"] if most else [], fontsize=8)
    axes.grid(visible=False)
    axes.set_ylabel("docs", fontsize=8, rotation=0, ha="right", va="center", color="#555555")
    named = _named(trends)
    axes.set_xticks(named, [trends.periods[each] for each in named])
    axes.tick_params(axis="x", length=2, labelsize=_TICK_SIZE)
    axes.set_xlim(-0.5, len(at) - 0.5)
