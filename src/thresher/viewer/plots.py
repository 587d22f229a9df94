"""The papers' own pictures, drawn for one page, for readers who never saw the papers.

    lines    content and code of each line, and their smoothed difference (thesis Fig. 4.3, 4.4)
    tokens   the number of tags before each token, and the span kept (thesis Fig. 3.5, 3.6)
    density  text density and composite density of each element (thesis Fig. 3.2, 3.3)

and, over a corpus, scores against an option of a method (BlockExtractor Fig. 4, 5), or against the
confidence in them.

Each panel has a title, axes in plain words and a sentence below it. A page of any size is drawn
with a bounded number of points (see `curves`); the sentence says what a point stands for.
matplotlib is imported when a picture is asked for, and used without its global state.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from thresher.errors import UsageError
from thresher.page import Page
from thresher.page.array_types import Floats
from thresher.viewer import curves
from thresher.viewer.page_shell import count

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

What: TypeAlias = Literal["lines", "tokens", "density", "all"]
FORMATS = ("png", "svg", "pdf")

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


def need_matplotlib() -> None:
    """Say what to do when matplotlib is missing."""
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError as error:
        raise UsageError(
            "pictures need matplotlib: install it with pip install 'thresher[evaluate]'."
        ) from error


def picture(page: Page, what: What = "all", *, form: str = "png", name: str = "") -> bytes:
    """Return a picture of the page as a file's content; `form` is png, svg or pdf."""
    if form not in FORMATS:
        raise UsageError(f"no format {form!r} for pictures: give png, svg or pdf.")
    return saved(draw(page, what, name=name), form)


def saved(figure: Figure, form: str) -> bytes:
    """Return a figure as the content of a file."""
    import matplotlib

    dates = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}  # same page, same bytes
    data = BytesIO()
    with matplotlib.rc_context({"svg.hashsalt": _SETTINGS["svg.hashsalt"]}):
        figure.savefig(data, format=form, dpi=120, metadata=dates.get(form))
    return _few_colours(data) if form == "png" else data.getvalue()


def _few_colours(png: BytesIO) -> bytes:
    """The same picture with a table of colours, of which it has few: about half the size."""
    from PIL import Image  # comes with matplotlib

    data = BytesIO()
    with Image.open(png) as image:
        image.convert("RGB").quantize(128, dither=Image.Dither.NONE).save(data, "PNG")
    return data.getvalue()


def draw(page: Page, what: What = "all", *, name: str = "") -> Figure:
    """Return the figure with the panels asked for, under the page's name."""
    if what not in get_args(What):
        raise UsageError(f"no picture {what!r}: give lines, tokens, density or all.")
    panels: list[Any] = []
    if what in ("lines", "all"):
        measured = curves.lines(page)
        panels += [(_draw_lines, measured), (_draw_difference, measured)]
    if what in ("tokens", "all"):
        panels.append((_draw_tokens, curves.tokens(page)))
    if what in ("density", "all"):
        panels += [(_draw_density, curves.densities(page, kind)) for kind in get_args(curves.Kind)]
    figure, axes = _blank_figure(len(panels), name)
    for (paint, data), at in zip(panels, axes, strict=True):
        with _style():
            paint(at, data)
    return figure


def _style() -> Any:
    import matplotlib.style

    return matplotlib.style.context(["default", _SETTINGS])


def _blank_figure(panels: int, name: str) -> tuple[Figure, list[Axes]]:
    need_matplotlib()
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
    """The text in one line, with a sign for each character that the font lacks."""
    from matplotlib.font_manager import findfont, get_font

    known = get_font(findfont("DejaVu Sans")).get_charmap()
    return "".join(c if ord(c) in known else "□" for c in " ".join(text.split()))[:80]


def _finish(axes: Axes, title: str, across: str, up: str, caption: str) -> None:
    """Name the panel and its axes; the caption stands below."""
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
    """The key stands above the panel at the right, where it hides nothing."""
    axes.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=4, borderaxespad=0.2)


def _nothing(axes: Axes, message: str) -> None:
    axes.text(0.5, 0.5, message, transform=axes.transAxes, ha="center", color="#555555")
    axes.set(xticks=[], yticks=[])


def _bin_note(size: int, noun: str) -> str:
    each = -(-size // curves.MOST_POINTS)
    return f" A step stands for up to {each:,} {noun}." if each > 1 else ""


# --- lines ---------------------------------------------------------------------------------------


def _shade(axes: Axes, lines: curves.Lines) -> None:
    """Shade the kept lines from top to bottom."""
    axes.stairs(
        lines.chosen.astype(np.float64),
        lines.edges,
        fill=True,
        transform=axes.get_xaxis_transform(),
        color=_SHADE,
        alpha=0.22,
        linewidth=0,
        label="kept lines",
    )


def _draw_lines(axes: Axes, lines: curves.Lines) -> None:
    if lines.size:
        _shade(axes, lines)
        axes.stairs(lines.content, lines.edges, fill=True, color=_KEPT, label="text")
        axes.stairs(-lines.code, lines.edges, fill=True, color=_CODE, label="tags")
        axes.axhline(0, color="#333333", linewidth=0.8)
        most = max(float(lines.content.max()), float(lines.code.max()), 1.0) * 1.05
        axes.set_ylim(-most, most)
        axes.yaxis.set_major_formatter(lambda value, _: f"{abs(value):,.0f}")
        _legend(axes)
    else:
        _nothing(axes, "The page has no lines.")
    _finish(
        axes,
        "How much of each line is text?",
        f"line of the source, cut every {lines.length} characters",
        "characters: tags | text",
        "Up: characters that a reader sees; down: characters of tags; the main text is where upper "
        f"bars are long and lower ones short.{_bin_note(lines.size, 'lines')}",
    )


def _draw_difference(axes: Axes, lines: curves.Lines) -> None:
    if lines.size:
        _shade(axes, lines)
        edges, values = lines.edges, lines.difference
        axes.stairs(np.maximum(values, 0), edges, fill=True, color=_KEPT, label="more text")
        axes.stairs(np.minimum(values, 0), edges, fill=True, color=_DROPPED, label="more tags")
        axes.axhline(0, color="#333333", linewidth=0.8)
        _legend(axes)
    else:
        _nothing(axes, "The page has no lines.")
    _finish(
        axes,
        "Which lines does addanag keep?",
        f"line of the source, cut every {lines.length} characters",
        "text minus tags",
        "Text minus tags, summed over a line and its two neighbours; of the lines above zero, the "
        f"richest region and those near it are kept.{_bin_note(lines.size, 'lines')}",
    )


# --- tokens --------------------------------------------------------------------------------------


def _draw_tokens(axes: Axes, tokens: curves.Tokens) -> None:
    if tokens.size:
        axes.plot(tokens.at, tokens.tags, color="#333333", linewidth=1.6, label="tags so far")
        axes.set_ylim(bottom=0)
    else:
        _nothing(axes, "The page has neither words nor tags.")
    if tokens.span:
        first, last = tokens.span
        within = np.array([first, *tokens.at[(tokens.at > first) & (tokens.at < last)], last])
        axes.axvspan(first, last, color=_SHADE, alpha=0.22, linewidth=0, label="kept span")
        height = np.interp(within, tokens.at, tokens.tags)
        axes.plot(within, height, color=_KEPT, linewidth=3.2)
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


def _draw_density(axes: Axes, nodes: curves.Densities) -> None:
    for kept, color, label in ((False, _DROPPED, "dropped"), (True, _KEPT, "kept")):
        own = nodes.kept == kept
        if own.any():
            axes.vlines(nodes.at[own], 0, nodes.density[own], color=color, linewidth=0.9)
            mark = "o" if kept else "x"
            axes.plot(
                nodes.at[own], nodes.density[own], mark, color=color, markersize=3.6, label=label
            )
    if nodes.threshold is not None:
        axes.set_yscale("symlog", linthresh=10)
        axes.set_ylim(bottom=0)
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
        label = f"threshold {nodes.threshold:,.1f}"
        axes.axhline(nodes.threshold, color=_LIMIT, linestyle="--", linewidth=1.4, label=label)
        _legend(axes)
    else:
        _nothing(axes, "No element of the page holds text.")
    title, up, caption = _DENSITY_WORDS[nodes.kind]
    note = _bin_note(nodes.size, "elements, of which the densest are drawn")
    _finish(axes, title, "elements with text, in the order of the page", up, caption + note)


# --- over a corpus -------------------------------------------------------------------------------


def threshold_sweep(
    values: Sequence[float | str],
    scores: Sequence[tuple[float, float, float]],
    *,
    option: str = "threshold",
    name: str = "",
) -> Figure:
    """Draw precision, recall and F1, given for each value of a method's option.

    The best F1 is marked. Values that are words are set side by side in the order given.
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
            _nothing(axes, "No values were measured.")
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
    """Draw F1 against confidence; a bin is (pages, confidence, mean F1, first, third quartile)."""
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
