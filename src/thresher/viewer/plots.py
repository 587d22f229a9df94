"""Plots of the papers, drawn for one page or over a corpus, for readers who never saw the papers.

    lines    content and code of each line, and their smoothed difference (thesis Fig. 4.3, 4.4)
    tokens   the number of tags before each token, and the span kept (thesis Fig. 3.5, 3.6)
    density  text density and composite density of each element (thesis Fig. 3.2, 3.3)

Over a corpus: scores against an option of a method (BlockExtractor Fig. 4, 5), and scores against
the confidence in them.

Each panel has a title, axes in plain words and a sentence below it. A curve has at most
`MAX_POINTS` points, or twice as many for densities: neighbours are gathered in bins, and the
sentence says how many share one. Of lines a bin has the mean, of elements the densest kept and the
densest dropped; a bin of lines counts as kept if any of its lines is. matplotlib is imported when a
plot is drawn, and its global state is neither used nor changed.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from thresher.errors import UsageError
from thresher.methods.bte import BTE
from thresher.methods.cetd import CETD, density_sums
from thresher.methods.danag import AdDANAg, differences, normalised, regions_of_content
from thresher.page import Page
from thresher.page.array_types import Bools, Floats, Int64s
from thresher.page.arrays import subtree_sums
from thresher.viewer.page_shell import count

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

What: TypeAlias = Literal["lines", "tokens", "density", "all"]
DensityKind: TypeAlias = Literal["text", "composite"]
FORMATS = ("png", "svg", "pdf")
MAX_POINTS = 1_000  # of a curve; a plot is not wide enough to show more

# Okabe and Ito's colours, which stay apart for the colour-blind; kept is always the blue.
_KEPT, _CODE, _LIMIT, _DROPPED, _SHADE = "#0072b2", "#e69f00", "#d55e00", "#9a9a9a", "#56b4e9"
_THIRD = "#009e73"

_SETTINGS = {
    "font.family": "DejaVu Sans",  # comes with matplotlib
    "font.size": 10.0,
    "axes.titlesize": 12.0,
    "axes.titlelocation": "left",
    "axes.titleweight": "bold",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#e6e6e6",
    "grid.linewidth": 0.8,
    "legend.frameon": False,
    "legend.fontsize": 9.0,
    "svg.hashsalt": "thresher",  # the same picture for the same page
}
_WIDTH, _PANEL_HEIGHT, _TALL_HEIGHT = 9.0, 3.3, 5.2  # inches
_SEPARATED = 1_000  # from here on numbers get a comma
_CAPTION_CHARS = 112  # that fit in a line below a panel


# --- what is drawn -------------------------------------------------------------------------------


def _bin_starts(size: int) -> Int64s:
    """Return where the bins of `size` points begin; at most `MAX_POINTS` bins."""
    return np.unique(np.linspace(0, size, min(size, MAX_POINTS), endpoint=False, dtype=np.int64))


@dataclass(frozen=True, slots=True)
class LineCurve:
    """Content, code and difference of each line, or of each bin of lines, as AdDANAg has them."""

    size: int  # lines
    length: int  # characters of a line
    edges: Int64s  # first line of each bin, then the end
    content: Floats
    code: Floats
    difference: Floats
    kept: Bools  # any line of the bin


def line_curve(page: Page) -> LineCurve:
    """Measure the lines of the source."""
    method = AdDANAg()
    content, code = normalised(page.lines(method.length), method.filter)
    difference = differences(content, code)
    kept = regions_of_content(content, difference, method.gap)
    size = len(content)
    starts = _bin_starts(size)
    if not size:
        none = np.zeros(0, np.float64)
        return LineCurve(0, method.length, starts, none, none, none, kept)
    edges = np.append(starts, size)

    def bin_means(values: Int64s) -> Floats:
        means: Floats = np.add.reduceat(values, starts) / np.diff(edges)
        return means

    return LineCurve(
        size,
        method.length,
        edges,
        bin_means(content),
        bin_means(code),
        bin_means(difference),
        np.logical_or.reduceat(kept, starts),
    )


@dataclass(frozen=True, slots=True)
class TagCurve:
    """The number of tags before some of the tokens, and the span that BTE keeps."""

    size: int  # tokens
    at: Int64s  # positions between tokens, from 0 to `size`
    tags: Int64s  # before each position
    span: tuple[int, int] | None  # positions before the first and after the last kept word


def tag_curve(page: Page) -> TagCurve:
    """Count the tags along the page, and find where the kept words begin and end."""
    is_word, row = page.tokens.is_word, page.tokens.row
    at = np.append(_bin_starts(len(row)), len(row))
    tags = np.concatenate(([0], np.cumsum(~is_word)))[at]
    kept_row = np.zeros(len(page), np.bool_)
    kept_row[BTE()(page).rows] = True
    kept = np.flatnonzero(is_word & kept_row[row])
    return TagCurve(len(row), at, tags, (int(kept[0]), int(kept[-1]) + 1) if len(kept) else None)


@dataclass(frozen=True, slots=True)
class DensityPoints:
    """The CETD density of the elements that hold text, or of the densest of each bin."""

    kind: DensityKind
    size: int  # elements that hold text
    at: Int64s  # indices of the points among them
    density: Floats
    kept: Bools
    threshold: float | None  # None if no element holds text


def density_points(page: Page, kind: DensityKind) -> DensityPoints:
    """Measure the elements of the body; one is kept if all its visible text is."""
    method = CETD(density=kind)
    chars = np.where(page.hidden, 0, page.chars)
    chars_inside = subtree_sums(chars, page.end)
    in_body = np.zeros(len(page), np.bool_)
    in_body[max(page.body, 0) : page.end[page.body] if len(page) else 0] = True
    rows = np.flatnonzero(in_body & (page.tag != 0) & (chars_inside > 0))
    if not len(rows):
        none = np.zeros(0, np.int64)
        return DensityPoints(kind, 0, none, none.astype(np.float64), none.astype(np.bool_), None)
    density = method.densities(page)
    threshold = method.least_density(page, density, density_sums(page, density))
    kept_text = np.zeros(len(page), np.bool_)
    kept_text[method(page).rows] = True
    kept = (subtree_sums(np.where(kept_text, chars, 0), page.end) == chars_inside)[rows]
    at = _densest(density[rows], kept)
    return DensityPoints(kind, len(rows), at, density[rows][at], kept[at], threshold)


def _densest(density: Floats, kept: Bools) -> Int64s:
    """Return the indices of the densest kept and the densest dropped element of each bin."""
    of_bin = np.searchsorted(_bin_starts(len(density)), np.arange(len(density)), side="right")
    group = 2 * of_bin + kept
    order = np.lexsort((-density, group))
    is_first = np.diff(group[order], prepend=-1) != 0
    return np.sort(order[is_first])


# --- files and figures ---------------------------------------------------------------------------


def require_matplotlib() -> None:
    """Raise `UsageError` if matplotlib is not installed."""
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError as error:
        raise UsageError(
            "pictures need matplotlib: install it with pip install 'thresher[evaluate]'."
        ) from error


def image_format(path: Path) -> str:
    """Return the format that the name of a picture ends in: png, svg or pdf."""
    form = path.suffix.lower().removeprefix(".")
    if form not in FORMATS:
        raise UsageError(f"{path} is not a name for a picture: end it in .png, .svg or .pdf.")
    return form


def picture(page: Page, what: What = "all", *, form: str = "png", name: str = "") -> bytes:
    """Return the plots of a page as the content of a file; `form` is png, svg or pdf."""
    if form not in FORMATS:
        raise UsageError(f"no format {form!r} for pictures: give png, svg or pdf.")
    return image_bytes(draw(page, what, name=name), form)


def image_bytes(figure: Figure, form: str) -> bytes:
    """Return a figure as the content of a file; the same figure gives the same bytes."""
    import matplotlib

    dates = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
    data = BytesIO()
    with matplotlib.rc_context({"svg.hashsalt": _SETTINGS["svg.hashsalt"]}):
        figure.savefig(data, format=form, dpi=120, metadata=dates.get(form))
    if form != "png":
        return data.getvalue()
    from PIL import Image  # comes with matplotlib

    png = BytesIO()  # with a palette, as the plots have few colours: about half the size
    with Image.open(data) as image:
        image.convert("RGB").quantize(128, dither=Image.Dither.NONE).save(png, "PNG")
    return png.getvalue()


def draw(page: Page, what: What = "all", *, name: str = "") -> Figure:
    """Return a figure with the panels that `what` names; `name` is its title."""
    if what not in get_args(What):
        raise UsageError(f"no picture {what!r}: give lines, tokens, density or all.")
    panels: list[Callable[[Axes], None]] = []
    if what in ("lines", "all"):
        lines = line_curve(page)
        panels += [partial(_draw_lines, lines=lines), partial(_draw_difference, lines=lines)]
    if what in ("tokens", "all"):
        panels.append(partial(_draw_tags, tags=tag_curve(page)))
    if what in ("density", "all"):
        panels += [
            partial(_draw_density, points=density_points(page, kind))
            for kind in get_args(DensityKind)
        ]
    figure, all_axes = _blank_figure(len(panels), name)
    for draw_panel, axes in zip(panels, all_axes, strict=True):
        with _style():
            draw_panel(axes)
    return figure


def _style() -> Any:
    import matplotlib.style

    return matplotlib.style.context(["default", _SETTINGS])


def _blank_figure(panels: int, name: str) -> tuple[Figure, list[Axes]]:
    require_matplotlib()
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    layout = ConstrainedLayoutEngine(h_pad=0.12, w_pad=0.1)
    with _style():
        figure = Figure(figsize=(_WIDTH, _PANEL_HEIGHT * panels + 0.4), layout=layout)
        axes = list(figure.subplots(panels, 1, squeeze=False)[:, 0])
        if name:
            figure.suptitle(_drawable(name), x=0.012, ha="left", fontsize=14, parse_math=False)
    return figure, axes


def _drawable(text: str) -> str:
    """Return a text in one line, with a box for each character that the font lacks."""
    from matplotlib.font_manager import findfont, get_font

    known = get_font(findfont("DejaVu Sans")).get_charmap()
    return "".join(c if ord(c) in known else "□" for c in " ".join(text.split()))[:80]


def _finish(axes: Axes, title: str, across: str, up: str, caption: str) -> None:
    """Set the title and the names of the axes, and write the caption below."""
    axes.set_title(title)
    axes.set_xlabel(across, loc="left")
    axes.set_ylabel(up)
    axes.margins(x=0.01)
    if axes.get_xticks().max(initial=0) >= _SEPARATED:
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    if axes.get_yscale() == "linear" and axes.get_yticks().max(initial=0) >= _SEPARATED:
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.annotate(
        textwrap.fill(caption, _CAPTION_CHARS),
        (0, 0),
        xytext=(0, -38),
        xycoords="axes fraction",
        textcoords="offset points",
        va="top",
        fontsize=9,
        color="#555555",
        parse_math=False,
        annotation_clip=False,
    )


def _legend(axes: Axes) -> None:
    """Put the legend above the panel at the right, where it covers nothing."""
    axes.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=4, borderaxespad=0.2)


def _write_empty(axes: Axes, message: str) -> None:
    axes.text(0.5, 0.5, message, transform=axes.transAxes, ha="center", color="#555555")
    axes.set(xticks=[], yticks=[])


def _bin_note(size: int, noun: str) -> str:
    """Return a sentence that says how many lines or elements share a bin; "" for one each."""
    each = -(-size // MAX_POINTS)
    return f" A step stands for up to {each:,} {noun}." if each > 1 else ""


# --- lines ---------------------------------------------------------------------------------------


def _draw_line_panel(
    axes: Axes, lines: LineCurve, bars: Sequence[tuple[Floats, str, str]], *words: str
) -> None:
    """Draw bars (heights, colour, label) over the shaded kept lines; `words` are for `_finish`."""
    title, up, caption = words
    if lines.size:
        axes.stairs(
            lines.kept.astype(np.float64),
            lines.edges,
            fill=True,
            transform=axes.get_xaxis_transform(),
            color=_SHADE,
            alpha=0.22,
            linewidth=0,
            label="kept lines",
        )
        for heights, color, label in bars:
            axes.stairs(heights, lines.edges, fill=True, color=color, label=label)
        axes.axhline(0, color="#333333", linewidth=0.8)
        _legend(axes)
    else:
        _write_empty(axes, "The page has no lines.")
    across = f"line of the source, cut every {lines.length} characters"
    _finish(axes, title, across, up, f"{caption}{_bin_note(lines.size, 'lines')}")


def _draw_lines(axes: Axes, lines: LineCurve) -> None:
    if lines.size:
        most = max(float(lines.content.max()), float(lines.code.max()), 1.0) * 1.05
        axes.set_ylim(-most, most)
        axes.yaxis.set_major_formatter(lambda value, _: f"{abs(value):,.0f}")
    _draw_line_panel(
        axes,
        lines,
        [(lines.content, _KEPT, "text"), (-lines.code, _CODE, "tags")],
        "How much of each line is text?",
        "characters: tags | text",
        "Up: characters that a reader sees; down: characters of tags; the main text is where upper "
        "bars are long and lower ones short.",
    )


def _draw_difference(axes: Axes, lines: LineCurve) -> None:
    difference = lines.difference
    more_text, more_tags = np.maximum(difference, 0), np.minimum(difference, 0)
    _draw_line_panel(
        axes,
        lines,
        [(more_text, _KEPT, "more text"), (more_tags, _DROPPED, "more tags")],
        "Which lines does addanag keep?",
        "text minus tags",
        "Text minus tags, summed over a line and its two neighbours; of the lines above zero, the "
        "richest region and those near it are kept.",
    )


# --- tokens --------------------------------------------------------------------------------------


def _draw_tags(axes: Axes, tags: TagCurve) -> None:
    if tags.size:
        axes.plot(tags.at, tags.tags, color="#333333", linewidth=1.6, label="tags so far")
        axes.set_ylim(bottom=0)
    else:
        _write_empty(axes, "The page has neither words nor tags.")
    if tags.span:
        first, last = tags.span
        within = np.array([first, *tags.at[(tags.at > first) & (tags.at < last)], last])
        axes.axvspan(first, last, color=_SHADE, alpha=0.22, linewidth=0, label="kept span")
        axes.plot(within, np.interp(within, tags.at, tags.tags), color=_KEPT, linewidth=3.2)
        _legend(axes)
    _finish(
        axes,
        "Where do tags pause? (bte)",
        "words and tags of the page, in order",
        "tags so far",
        "The curve climbs with every tag and runs flat through words; the long flat stretch is "
        "the main text, and the span with most words for fewest tags is kept.",
    )


# --- density -------------------------------------------------------------------------------------

_DENSITY_WORDS = {
    "text": (
        "How much text for each tag?",
        "characters per tag, log scale",
        "Characters for each tag inside an element: running text is dense, menus are not; "
        'cetd(density="text") keeps dense elements and all that they hold.',
    ),
    "composite": (
        "How much text that is not links? (cetd)",
        "density, log scale",
        "The same, but text and tags of links count against an element; cetd keeps elements at or "
        "above the threshold and all that they hold.",
    ),
}


def _draw_density(axes: Axes, points: DensityPoints) -> None:
    for kept, color, label in ((False, _DROPPED, "dropped"), (True, _KEPT, "kept")):
        at, density = points.at[points.kept == kept], points.density[points.kept == kept]
        if len(at):
            axes.vlines(at, 0, density, color=color, linewidth=0.9)
            mark = "o" if kept else "x"
            axes.plot(at, density, mark, color=color, markersize=3.6, label=label)
    if points.threshold is not None:
        axes.set_yscale("symlog", linthresh=10)
        axes.set_ylim(bottom=0)
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
        label = f"threshold {points.threshold:,.1f}"
        axes.axhline(points.threshold, color=_LIMIT, linestyle="--", linewidth=1.4, label=label)
        _legend(axes)
    else:
        _write_empty(axes, "No element of the page holds text.")
    title, up, caption = _DENSITY_WORDS[points.kind]
    note = _bin_note(points.size, "elements, of which the densest are drawn")
    _finish(axes, title, "elements with text, in the order of the page", up, caption + note)


# --- over a corpus -------------------------------------------------------------------------------


def threshold_sweep(
    values: Sequence[float | str],
    scores: Sequence[tuple[float, float, float]],
    *,
    option: str = "threshold",
    name: str = "",
) -> Figure:
    """Draw precision, recall and F1 of a method for each value of one of its options.

    The best F1 is marked. Values that are words are drawn side by side in the order given.
    """
    if len(values) != len(scores):
        raise UsageError(f"{count(len(values), 'value')} but {count(len(scores), 'score')}.")
    figure, (axes,) = _blank_figure(1, name)
    words = any(isinstance(value, str) for value in values)
    at = np.arange(len(values)) if words else np.asarray(values, np.float64)
    table = np.asarray(scores, np.float64).reshape(-1, 3)
    order = np.argsort(at, kind="stable")
    at, table = at[order], table[order]
    with _style():
        for column, label, look, color in (
            (0, "precision", "s--", _CODE),
            (1, "recall", "^--", _THIRD),
            (2, "F1", "o-", _KEPT),
        ):
            axes.plot(at, table[:, column], look, color=color, markersize=5, label=label)
        if len(at):
            _mark_best(axes, at, table[:, 2], [str(values[i]) for i in order])
        else:
            _write_empty(axes, "No values were measured.")
        if words:
            axes.set_xticks(at, [str(value) for value in values])
        _finish(
            axes,
            f"How {option} changes the scores",
            option,
            "mean score",
            "Precision: how much of what is kept is right; recall: how much of what is right is "
            "kept; F1 is high when both are.",
        )
    return figure


def _mark_best(axes: Axes, at: npt.NDArray[Any], f1: Floats, names: list[str]) -> None:
    best = int(np.argmax(f1))
    label = f"best F1 {f1[best]:.3f} at {names[best]}"
    axes.axvline(at[best], color=_LIMIT, linestyle=":", linewidth=1.4, label=label)
    axes.set_ylim(0, 1.02)
    axes.legend(loc="upper right", bbox_to_anchor=(1.0, -0.1), ncols=4, borderaxespad=0)


def reliability(bins: Sequence[tuple[float, ...]], *, name: str = "") -> Figure:
    """Draw F1 against confidence.

    A bin is (pages, mean confidence, mean F1, first quartile, third quartile of the F1).
    """
    figure, (axes,) = _blank_figure(1, name)
    figure.set_size_inches(_WIDTH, _TALL_HEIGHT)
    _, at, mean, low, high = np.asarray(bins, np.float64).reshape(-1, 5).T
    with _style():
        axes.plot((0, 1), (0, 1), "--", color=_LIMIT, linewidth=1.4, label="as promised")
        half = "middle half of its pages"
        axes.vlines(at, low, high, color=_SHADE, alpha=0.5, linewidth=5, label=half)
        axes.plot(at, mean, "o-", color=_KEPT, markersize=6, label="mean F1 of a bin")
        start = np.floor(min(at.min(initial=0.9), low.min(initial=0.9)) * 10) / 10  # of both axes
        axes.set(xlim=(start, 1), ylim=(start, 1.01))
        _legend(axes)
        _finish(
            axes,
            "What is confidence worth?",
            "mean confidence of a bin",
            "word F1 that came out",
            "All dots stand for the same number of pages, from the least to the most confident; "
            "above the dashed line they came out better than promised, below it worse.",
        )
    return figure
