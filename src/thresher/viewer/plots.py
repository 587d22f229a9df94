"""Plots of the papers, drawn for one page or over a corpus, for readers who never saw the papers.

    lines       content and code of each line, and their smoothed difference (Fig. 4.14, 4.17)
    characters  the same for R2L and DANA: ASCII and other characters of each line (Fig. 4.3, 4.4)
    filters     the same without and with each filter of links (Fig. 4.5 to 4.10, 4.13 to 4.17)
    tokens      the number of tags before each token, and the span that BTE keeps (Fig. 3.5)
    slopes      the same with the windows and regions of DSC (Fig. 3.6, 3.7)
    blur        the content code vector of CCB before and after blurring (Fig. 3.8)
    ratios      text to tags of each line, and CETR's clusters in two dimensions (Fig. 3.10)
    lengths     the length of each line of text, and Density's region (Fig. 3.13)
    density     text density and composite density of each element, for CETD (Fig. 3.2, 3.3)

The figures are those of the thesis.

Over a corpus: scores against an option of a method (BlockExtractor Fig. 4, 5), and scores against
the confidence in them.

Each panel has a title, axes in plain words and a sentence below it. A curve has at most
`MAX_POINTS` points, or twice as many for densities and lengths: neighbours are gathered in bins,
and the sentence says how many share one. A bin has the mean of its values, of elements and lengths
the highest kept and the highest dropped; a bin counts as kept if any of its members is. matplotlib
is imported when a plot is drawn, and its global state is neither used nor changed.
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
from thresher.methods.ccb import CCB
from thresher.methods.cetd import CETD, density_sums
from thresher.methods.cetr import CETR, hidden_runs, tag_ratios
from thresher.methods.danag import DANA, R2L, AdDANAg, DANAg, differences, regions_of_content
from thresher.methods.density import Density, densest_region
from thresher.methods.dsc import low_slope, window_size, windows
from thresher.page import Page
from thresher.page.array_types import Bools, Floats, Int64s
from thresher.page.arrays import subtree_sums
from thresher.viewer.page_shell import count

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

What: TypeAlias = Literal[
    "lines", "characters", "filters", "tokens", "slopes", "blur", "ratios", "lengths", "density",
    "all",
]  # fmt: skip
LineMethod: TypeAlias = R2L | DANA | DANAg | AdDANAg
Panel: TypeAlias = "Callable[[Axes], None]"
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
_WIDTH, _PANEL_HEIGHT, _HALF_HEIGHT, _TALL_HEIGHT = 9.0, 3.3, 2.6, 5.2  # inches
_SEPARATED = 1_000  # from here on numbers get a comma
_CAPTION_CHARS = 112  # that fit in a line below a panel, half as many below half a panel


# --- what is drawn -------------------------------------------------------------------------------


def _bin_starts(size: int) -> Int64s:
    """Return where the bins of `size` points begin; at most `MAX_POINTS` bins."""
    return np.unique(np.linspace(0, size, min(size, MAX_POINTS), endpoint=False, dtype=np.int64))


def _bin_means(values: Floats | Int64s | Bools, edges: Int64s) -> Floats:
    """Return the mean of each bin; `edges` are the starts of the bins, then the end."""
    if len(edges) < 2:
        return np.zeros(0, np.float64)
    means: Floats = np.add.reduceat(values, edges[:-1], dtype=np.float64) / np.diff(edges)
    return means


def _bin_edges(size: int) -> Int64s:
    """Return the starts of the bins of `size` points, then the end; nothing for no points."""
    return np.append(_bin_starts(size), size) if size else np.zeros(0, np.int64)


@dataclass(frozen=True, slots=True)
class LineCurve:
    """Content, code and difference of each line, or of each bin of lines."""

    size: int  # lines
    length: int  # characters of a line
    kept_lines: int
    edges: Int64s  # first line of each bin, then the end
    content: Floats
    code: Floats
    difference: Floats
    kept: Bools  # any line of the bin


def line_curve(page: Page, method: LineMethod | None = None) -> LineCurve:
    """Measure the lines of the source as R2L, DANA, DANAg or AdDANAg do; AdDANAg unless given."""
    method = AdDANAg() if method is None else method
    content, code = method.counts(page.lines(method.length))
    difference = differences(content, code, method.smooth)
    kept = regions_of_content(content, difference, method.gap)
    edges = _bin_edges(len(content))
    return LineCurve(
        len(content),
        method.length,
        int(kept.sum()),
        edges,
        _bin_means(content, edges),
        _bin_means(code, edges),
        _bin_means(difference, edges),
        _bin_means(kept, edges) > 0,
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
class SlopeCurve:
    """The number of tags before some of the tokens, and the windows and regions of DSC."""

    size: int  # tokens
    width: int  # tokens of a window
    slope: float  # tags per token of the page; a window is low below half of it
    edges: Int64s  # first token of each bin, then the end
    tags: Int64s  # before each edge
    in_region: Bools  # any token of the bin
    window_edges: Int64s  # first token of each window or bin of windows, then the end
    window_slopes: Floats  # tags per token


def slope_curve(page: Page) -> SlopeCurve:
    """Count the tags along the page, in all and in each window."""
    tokens = page.tokens
    is_tag = ~tokens.is_word[~(tokens.is_word & page.hidden[tokens.row])]
    size, width = len(is_tag), window_size(len(is_tag))
    edges = _bin_edges(size)
    begin, tags = windows(is_tag)
    bins = _bin_edges(len(begin))
    after_each = np.append(begin, size if len(begin) else [])  # windows overlap by half
    return SlopeCurve(
        size,
        width,
        float(is_tag.mean()) if size else 0.0,
        edges,
        np.concatenate(([0], is_tag.cumsum()))[edges],
        _bin_means(low_slope(is_tag), edges) > 0,
        after_each[bins].astype(np.int64),
        _bin_means(tags / width, bins),
    )


@dataclass(frozen=True, slots=True)
class BlurCurve:
    """The content code vector of CCB, before and after blurring, in bins."""

    size: int  # items: characters that are not white space
    threshold: float
    rounds: int
    edges: Int64s  # first item of each bin, then the end
    share: Floats  # of content
    blurred: Floats
    kept: Bools  # any item of the bin is above the threshold


def blur_curve(page: Page) -> BlurCurve:
    """Measure the characters of the source as CCB does."""
    method = CCB()
    is_content, blurred = method.vectors(page)
    edges = _bin_edges(len(is_content))
    return BlurCurve(
        len(is_content),
        method.t,
        method.rounds,
        edges,
        _bin_means(is_content, edges),
        _bin_means(blurred, edges),
        _bin_means(blurred > method.t, edges) > 0,
    )


@dataclass(frozen=True, slots=True)
class RatioPoints:
    """The text-to-tag ratios of CETR: of each line or bin of lines, and as points (T, G)."""

    size: int  # lines
    length: int  # characters of a line
    edges: Int64s  # first line of each bin, then the end
    ratio: Floats
    smoothed: Floats
    kept: Bools  # any line of the bin
    points: Floats  # (T, G) of every line, or of evenly spaced ones, smoothed
    cluster: Int64s  # of each point; 0 is dropped
    centroids: Floats  # the first at (0, 0)


def ratio_points(page: Page) -> RatioPoints:
    """Measure the lines of the source as CETR does."""
    method = CETR()
    lines = page.lines(method.length)
    ratio = tag_ratios(lines, hidden_runs(page, lines))
    points, cluster, centroids = method.clusters(ratio)
    edges = _bin_edges(len(ratio))
    shown = _bin_starts(len(ratio))
    return RatioPoints(
        len(ratio),
        method.length,
        edges,
        _bin_means(ratio, edges),
        _bin_means(points[:, 0], edges),
        _bin_means(cluster != 0, edges) > 0,
        points[shown],
        cluster[shown].astype(np.int64),
        centroids,
    )


@dataclass(frozen=True, slots=True)
class LengthPoints:
    """The lengths of the lines of text that Density sees, or of the longest of each bin."""

    size: int  # lines of text
    least: int  # characters of a candidate, C1
    at: Int64s  # indices of the points among the lines
    length: Int64s
    kept: Bools


def length_points(page: Page) -> LengthPoints:
    """Measure the lines of text, and find the densest region."""
    method = Density()
    length = method.text_lines(page)[2]
    kept = densest_region(length, method.c1, method.c2)
    at = _highest(length.astype(np.float64), kept)
    return LengthPoints(len(length), method.c1, at, length[at], kept[at])


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
    at = _highest(density[rows], kept)
    return DensityPoints(kind, len(rows), at, density[rows][at], kept[at], threshold)


def _highest(values: Floats, kept: Bools) -> Int64s:
    """Return the indices of the highest kept and the highest dropped value of each bin."""
    of_bin = np.searchsorted(_bin_starts(len(values)), np.arange(len(values)), side="right")
    group = 2 * of_bin + kept
    order = np.lexsort((-values, group))
    is_first = np.diff(group[order], prepend=-1) != 0
    return np.sort(order[is_first])


# --- files and figures ---------------------------------------------------------------------------


def require_matplotlib(extra: str = "evaluate") -> None:
    """Raise `UsageError`, which names the extra to install, if matplotlib is not installed."""
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError as error:
        raise UsageError(
            f"pictures need matplotlib: install it with pip install 'thresher[{extra}]'."
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
        raise UsageError(f"no picture {what!r}: give {', '.join(_PANELS)} or all.")
    rows = [row for key in _PANELS if what in (key, "all") for row in _PANELS[key](page)]
    figure, all_axes = _blank_figure([len(row) for row in rows], name)
    panels = [panel for row in rows for panel in row]
    for draw_panel, axes in zip(panels, all_axes, strict=True):
        with plot_style():
            draw_panel(axes)
    return figure


def plot_style() -> Any:
    """Return a context in which matplotlib draws in the style of all plots."""
    import matplotlib.style

    return matplotlib.style.context(["default", _SETTINGS])


def _blank_figure(columns: Sequence[int], name: str) -> tuple[Figure, list[Axes]]:
    """Return a figure with one or two panels in each row, and its axes in order."""
    require_matplotlib()
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    layout = ConstrainedLayoutEngine(h_pad=0.12, w_pad=0.1)
    with plot_style():
        heights = [_PANEL_HEIGHT if count == 1 else _HALF_HEIGHT for count in columns]
        figure = Figure(figsize=(_WIDTH, sum(heights) + 0.4), layout=layout)
        grid = figure.add_gridspec(len(columns), 2, height_ratios=heights)
        axes = [
            figure.add_subplot(grid[row, :] if count == 1 else grid[row, column])
            for row, count in enumerate(columns)
            for column in range(count)
        ]
        if name:
            figure.suptitle(drawable(name), x=0.012, ha="left", fontsize=14, parse_math=False)
    return figure, axes


def drawable(text: str) -> str:
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
        textwrap.fill(caption, _CAPTION_CHARS // 2 if _is_half(axes) else _CAPTION_CHARS),
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
    close = {"handlelength": 1.0, "handletextpad": 0.4, "columnspacing": 0.9, "fontsize": 8.0}
    axes.legend(
        loc="lower right",
        bbox_to_anchor=(1.0, 1.0),
        ncols=4,
        borderaxespad=0.2,
        **(close if _is_half(axes) else {}),
    )


def _is_half(axes: Axes) -> bool:
    """Return True for one of two panels in a row."""
    place = axes.get_subplotspec()
    return place is not None and len(place.colspan) == 1


def _write_empty(axes: Axes, message: str) -> None:
    axes.text(0.5, 0.5, message, transform=axes.transAxes, ha="center", color="#555555")
    axes.set(xticks=[], yticks=[])


def _bin_note(size: int, noun: str) -> str:
    """Return a sentence that says how many lines or elements share a bin; "" for one each."""
    each = -(-size // MAX_POINTS)
    return f" A step stands for up to {each:,} {noun}." if each > 1 else ""


# --- lines ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _LineWords:
    """What the panels of a line method say."""

    text: str = "text"
    code: str = "tags"
    question: str = "How much of each line is text?"
    caption: str = (
        "Up: characters that a reader sees; down: characters of tags; the main text is where upper "
        "bars are long and lower ones short."
    )


def _draw_line_panel(
    axes: Axes, lines: LineCurve, bars: Sequence[tuple[Floats, str, str]], *words: str
) -> None:
    """Draw bars (heights, colour, label) over the shaded kept lines; `words` are for `_finish`."""
    title, up, caption = words
    if lines.size:
        _shade(axes, lines.edges, lines.kept, "kept lines")
        for heights, color, label in bars:
            axes.stairs(heights, lines.edges, fill=True, color=color, label=label)
        axes.axhline(0, color="#333333", linewidth=0.8)
        _legend(axes)
    else:
        _write_empty(axes, "The page has no lines.")
    across = f"line of the source, cut every {lines.length} characters"
    _finish(axes, title, across, up, f"{caption}{_bin_note(lines.size, 'lines')}")


def _shade(axes: Axes, edges: Int64s, kept: Bools, label: str | None) -> None:
    """Shade the kept bins over the whole height of a panel."""
    axes.stairs(
        kept.astype(np.float64),
        edges,
        fill=True,
        transform=axes.get_xaxis_transform(),
        color=_SHADE,
        alpha=0.22,
        linewidth=0,
        label=label,
    )


_ADDANAG_WORDS = _LineWords()


def _draw_lines(axes: Axes, lines: LineCurve, words: _LineWords = _ADDANAG_WORDS) -> None:
    if lines.size:
        most = max(float(lines.content.max()), float(lines.code.max()), 1.0) * 1.05
        axes.set_ylim(-most, most)
        axes.yaxis.set_major_formatter(lambda value, _: f"{abs(value):,.0f}")
    _draw_line_panel(
        axes,
        lines,
        [(lines.content, _KEPT, words.text), (-lines.code, _CODE, words.code)],
        words.question,
        f"characters: {words.code} | {words.text}",
        words.caption,
    )


def _draw_difference(
    axes: Axes, lines: LineCurve, question: str = "Which lines does addanag keep?",
    caption: str = "", words: _LineWords = _ADDANAG_WORDS,
) -> None:  # fmt: skip
    difference = lines.difference
    more_text, more_code = np.maximum(difference, 0), np.minimum(difference, 0)
    _draw_line_panel(
        axes,
        lines,
        [(more_text, _KEPT, f"more {words.text}"), (more_code, _DROPPED, f"more {words.code}")],
        question,
        f"{words.text} minus {words.code}",
        caption
        or "Text minus tags, summed over a line and its two neighbours; of the lines above zero, "
        "the richest region and those near it are kept.",
    )


def _line_rows(page: Page) -> list[list[Panel]]:
    lines = line_curve(page)
    return [[partial(_draw_lines, lines=lines)], [partial(_draw_difference, lines=lines)]]


_CHARACTER_WORDS = _LineWords(
    "non-ASCII",
    "ASCII",
    "How much of each line is not ASCII?",
    "Up: characters from U+0080 on; down: ASCII, in which tags are written; in a script that has "
    "no ASCII letters, the main text is where upper bars are long and lower ones short.",
)


def _character_rows(page: Page) -> list[list[Panel]]:
    """Return panels for R2L and DANA: the lines, then what each of them keeps."""
    rows: list[list[Panel]] = []
    for method, name in ((R2L(), "r2l"), (DANA(), "dana")):
        lines = line_curve(page, method)
        if not rows:
            rows.append([partial(_draw_lines, lines=lines, words=_CHARACTER_WORDS)])
        rows.append([
            partial(
                _draw_difference,
                lines=lines,
                words=_CHARACTER_WORDS,
                question=f"Which lines does {name} keep?",
                caption=f"Summed over a line and its two neighbours; {name} keeps the richest "
                f"region above zero and joins the next ones up to a distance of {method.gap}: "
                f"{count(lines.kept_lines, 'line')} of {lines.size:,}.",
            )
        ])  # fmt: skip
    return rows


_FILTER_WORDS = (
    ("No filter", "danag: the tags of links count in full."),
    ("Filter 1", "Links are removed with their text."),
    ("Filter 2", "The tags of links lose their attributes."),
    ("Filter 3", "addanag: a link counts as much in tags as in text."),
)


def _filter_rows(page: Page) -> list[list[Panel]]:
    """Return two panels for each filter: the lines, and their smoothed difference."""
    curves = [line_curve(page, AdDANAg(filter=number)) for number in (0, 1, 2, 3)]
    most = max((max(one.content.max(), one.code.max()) for one in curves if one.size), default=1.0)
    least = min((one.difference.min() for one in curves if one.size), default=-1.0)
    highest = max((one.difference.max() for one in curves if one.size), default=1.0)
    return [
        [
            partial(_draw_filter_lines, lines=lines, most=most, words=words, first=not number),
            partial(_draw_filter_difference, lines=lines, span=(least, highest), first=not number),
        ]
        for number, (lines, words) in enumerate(zip(curves, _FILTER_WORDS, strict=True))
    ]


def _draw_filter_lines(
    axes: Axes, lines: LineCurve, most: float, words: tuple[str, str], first: bool
) -> None:
    _draw_lines(axes, lines, _LineWords(question=words[0], caption=words[1]))
    axes.set_ylim(-1.05 * max(most, 1.0), 1.05 * max(most, 1.0))
    axes.set_ylabel("tags | text")
    _shorten(axes, keep_legend=first)


def _draw_filter_difference(
    axes: Axes, lines: LineCurve, span: tuple[float, float], first: bool
) -> None:
    kept = f"{count(lines.kept_lines, 'line')} of {lines.size:,} kept."
    _draw_difference(axes, lines, "Smoothed", kept)
    least, highest = span
    axes.set_ylim(1.05 * min(least, -1.0), 1.05 * max(highest, 1.0))
    _shorten(axes, keep_legend=first)


def _shorten(axes: Axes, *, keep_legend: bool) -> None:
    """Give half a panel a short name of its axis, and no legend unless it is the first."""
    axes.set_xlabel("line of the source", loc="left")
    legend = axes.get_legend()
    if legend is not None and not keep_legend:
        legend.remove()


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


def _token_rows(page: Page) -> list[list[Panel]]:
    return [[partial(_draw_tags, tags=tag_curve(page))]]


# --- slopes --------------------------------------------------------------------------------------


def _draw_slope_curve(axes: Axes, slopes: SlopeCurve) -> None:
    if slopes.size:
        _shade(axes, slopes.edges, slopes.in_region, "kept regions")
        axes.plot(slopes.edges, slopes.tags, color="#333333", linewidth=1.6, label="tags so far")
        in_region = np.append(slopes.in_region, False)
        at_end = np.append(False, slopes.in_region)  # a bin is drawn from its start to its end
        flat = np.where(in_region | at_end, slopes.tags.astype(np.float64), np.nan)
        axes.plot(slopes.edges, flat, color=_KEPT, linewidth=3.2)
        axes.set_ylim(bottom=0)
        _legend(axes)
    else:
        _write_empty(axes, "The page has neither words nor tags.")
    found = int(np.count_nonzero(np.diff(slopes.in_region, prepend=False, append=False)) // 2)
    _finish(
        axes,
        "Where is the curve of tags flat? (dsc)",
        "words and tags of the page, in order",
        "tags so far",
        f"The curve climbs with every tag; unlike bte, dsc keeps every flat stretch, here "
        f"{count(found, 'region')}. A page without main text has none.",
    )


def _draw_windows(axes: Axes, slopes: SlopeCurve) -> None:
    if len(slopes.window_slopes):
        limit = slopes.slope / 2
        _shade(axes, slopes.edges, slopes.in_region, None)
        is_low = slopes.window_slopes < limit
        seen = 0.01 * float(slopes.window_slopes.max())  # a low window without tags is a line
        for chosen, color, label in ((is_low, _KEPT, "low"), (~is_low, _DROPPED, "not low")):
            heights = np.where(chosen, np.maximum(slopes.window_slopes, seen), 0.0)
            axes.stairs(heights, slopes.window_edges, fill=True, color=color, label=label)
        text = f"half of the page's {slopes.slope:.2f}"
        axes.axhline(limit, color=_LIMIT, linestyle="--", linewidth=1.4, label=text)
        _legend(axes)
    else:
        _write_empty(axes, "The page is shorter than a window.")
    note = _bin_note(2 * slopes.size // slopes.width, "windows")
    _finish(
        axes,
        "Which windows have few tags?",
        f"windows of {slopes.width} words and tags, each begins in the middle of the one before",
        "tags per word or tag",
        "A window is low when its share of tags is less than half of the page's; three low windows "
        f"in a row begin a region, three that are not low end it.{note}",
    )


def _slope_rows(page: Page) -> list[list[Panel]]:
    slopes = slope_curve(page)
    return [[partial(_draw_slope_curve, slopes=slopes)], [partial(_draw_windows, slopes=slopes)]]


# --- blur ----------------------------------------------------------------------------------------


def _draw_vector(axes: Axes, blur: BlurCurve, values: Floats, *words: str) -> None:
    """Draw the content code vector of CCB; `words` are for `_finish`, the first for the legend."""
    label, title, up, caption = words
    if blur.size:
        _shade(axes, blur.edges, blur.kept, "text is kept here")
        axes.stairs(values, blur.edges, fill=True, color=_KEPT, alpha=0.85, label=label)
        axes.set_ylim(0, 1.05)
    else:
        _write_empty(axes, "The page has no characters.")
    _finish(axes, title, "characters of the source without white space", up, caption)


def _draw_content_code(axes: Axes, blur: BlurCurve) -> None:
    each = -(-blur.size // MAX_POINTS)
    note = f" A step is the mean of up to {each:,} characters." if each > 1 else ""
    caption = f"1 for each character of text, 0 for each character of a tag.{note}"
    _draw_vector(axes, blur, blur.share, "text", "What is text, what is code?", "text", caption)
    if blur.size:
        _legend(axes)


def _draw_blurred(axes: Axes, blur: BlurCurve) -> None:
    _draw_vector(
        axes,
        blur,
        blur.blurred,
        "blurred",
        "What has text around it? (ccb)",
        "text around",
        "Every value is replaced by a weighted mean of its neighbours, "
        f"{count(blur.rounds, 'round')} long; text above the threshold is kept.",
    )
    if blur.size:
        text = f"threshold {blur.threshold:g}"
        axes.axhline(blur.threshold, color=_LIMIT, linestyle="--", linewidth=1.4, label=text)
        _legend(axes)


def _blur_rows(page: Page) -> list[list[Panel]]:
    blur = blur_curve(page)
    return [[partial(_draw_content_code, blur=blur)], [partial(_draw_blurred, blur=blur)]]


# --- ratios --------------------------------------------------------------------------------------


def _draw_ratios(axes: Axes, ratios: RatioPoints) -> None:
    if ratios.size:
        _shade(axes, ratios.edges, ratios.kept, "kept lines")
        axes.stairs(ratios.ratio, ratios.edges, fill=True, color=_DROPPED, label="T of a line")
        axes.stairs(ratios.smoothed, ratios.edges, color=_KEPT, linewidth=1.8, label="smoothed")
        axes.set_ylim(bottom=0)
        _legend(axes)
    else:
        _write_empty(axes, "The page has no lines.")
    _finish(
        axes,
        "How much text for the tags of a line? (cetr)",
        f"line of the source, cut every {ratios.length} characters",
        "T: characters per tag",
        "A line of running text has many characters for its tags. Smoothing keeps short lines "
        f"between long ones.{_bin_note(ratios.size, 'lines')}",
    )


def _draw_clusters(axes: Axes, ratios: RatioPoints) -> None:
    if ratios.size:
        for kept, color, mark, label in (
            (False, _DROPPED, "x", "dropped: nearest to zero"),
            (True, _KEPT, "o", "kept"),
        ):
            chosen = (ratios.cluster != 0) == kept
            across, up = ratios.points[chosen].T
            axes.plot(across, up, mark, color=color, markersize=3.6, label=label)
        across, up = ratios.centroids.T
        axes.plot(
            across, up, "D", color=_LIMIT, markersize=8, fillstyle="none", markeredgewidth=1.8,
            clip_on=False, zorder=4, label="centre of a cluster",
        )  # fmt: skip
        axes.set_ylim(bottom=0)
        _legend(axes)
    else:
        _write_empty(axes, "The page has no lines.")
    each = -(-ratios.size // MAX_POINTS)
    note = f" One line in {each:,} is drawn." if each > 1 else ""
    _finish(
        axes,
        "Which lines are alike?",
        "T: characters per tag, smoothed",
        "G: change of T",
        "A mark is a line. Those of the cluster at zero, with little text and little to come, are "
        f"dropped; the lines of the others are kept.{note}",
    )


def _ratio_rows(page: Page) -> list[list[Panel]]:
    ratios = ratio_points(page)
    return [[partial(_draw_ratios, ratios=ratios)], [partial(_draw_clusters, ratios=ratios)]]


# --- lengths -------------------------------------------------------------------------------------


def _draw_lengths(axes: Axes, points: LengthPoints) -> None:
    _draw_stems(axes, points.at, points.length, points.kept)
    if points.size:
        label = f"least length {points.least}"
        axes.axhline(points.least, color=_LIMIT, linestyle="--", linewidth=1.4, label=label)
        axes.set_ylim(bottom=0)
        _legend(axes)
    else:
        _write_empty(axes, "The page has no text.")
    note = _bin_note(points.size, "lines, of which the longest are drawn")
    _finish(
        axes,
        "Where are the long lines of text? (density)",
        "lines of text, in the order of the page",
        "characters",
        "A line is a text that no block tag interrupts. Of the lines that reach the least length "
        f"and are close to each other, the group with most characters is kept.{note}",
    )


def _length_rows(page: Page) -> list[list[Panel]]:
    return [[partial(_draw_lengths, points=length_points(page))]]


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


def _draw_stems(axes: Axes, at: Int64s, heights: Floats | Int64s, kept: Bools) -> None:
    """Draw a stem for each point: kept ones blue with a dot, dropped ones grey with a cross."""
    for is_kept, color, label, mark in (
        (False, _DROPPED, "dropped", "x"),
        (True, _KEPT, "kept", "o"),
    ):
        chosen = kept == is_kept
        if chosen.any():
            axes.vlines(at[chosen], 0, heights[chosen], color=color, linewidth=0.9)
            axes.plot(at[chosen], heights[chosen], mark, color=color, markersize=3.6, label=label)


def _draw_density(axes: Axes, points: DensityPoints) -> None:
    _draw_stems(axes, points.at, points.density, points.kept)
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


def _density_rows(page: Page) -> list[list[Panel]]:
    kinds = get_args(DensityKind)
    return [[partial(_draw_density, points=density_points(page, kind))] for kind in kinds]


# By the names of `What`, in the order of "all": the panels of a page, row by row.
_PANELS: dict[str, Callable[[Page], list[list[Panel]]]] = {
    "lines": _line_rows,
    "characters": _character_rows,
    "filters": _filter_rows,
    "tokens": _token_rows,
    "slopes": _slope_rows,
    "blur": _blur_rows,
    "ratios": _ratio_rows,
    "lengths": _length_rows,
    "density": _density_rows,
}


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
    figure, (axes,) = _blank_figure([1], name)
    words = any(isinstance(value, str) for value in values)
    at = np.arange(len(values)) if words else np.asarray(values, np.float64)
    table = np.asarray(scores, np.float64).reshape(-1, 3)
    order = np.argsort(at, kind="stable")
    at, table = at[order], table[order]
    with plot_style():
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
    figure, (axes,) = _blank_figure([1], name)
    figure.set_size_inches(_WIDTH, _TALL_HEIGHT)
    _, at, mean, low, high = np.asarray(bins, np.float64).reshape(-1, 5).T
    with plot_style():
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
