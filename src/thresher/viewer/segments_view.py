"""Segments of a page for readers: a tree for the terminal, JSON, and the page with rectangles.

    segment_tree     lines for a terminal: kind, size, place, measures, first words
    segment_record   a dictionary for JSON, described in docs/visual.md
    segment_picture  a PNG: the page as the browser drew it, a labelled rectangle for each segment
    sweep_surface    the number of segments over alpha and beta, as a surface (paper, Fig. 4)

The picture (paper, Fig. 5) is drawn by the browser that loaded the page, which shows the picture of
the page with a box over each segment: nothing else has to be installed.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from thresher.errors import InputError
from thresher.page.array_types import Floats
from thresher.page.positions import css_paths
from thresher.viewer.page_shell import count
from thresher.visual import Browser, RenderedPage, RenderOptions
from thresher.visual.segments import Segments

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# One colour for each kind, dark enough for white letters; kinds with a like purpose are alike.
COLORS = {
    "content": "#0b6e4f", "text": "#2a9d60", "title": "#5a7d0a", "table": "#3f7f7f",
    "author": "#66802f", "comments": "#4c956c",
    "header": "#1d4ed8", "footer": "#475569", "menu": "#2f7ed8", "sidebar": "#0e7490",
    "links": "#6d4bd1",
    "image": "#b45309", "logo": "#92400e", "video": "#a16207",
    "ad": "#dc2626", "notice": "#9f1239", "form": "#be185d",
    "list": "#86198f", "record": "#c026d3",
    "page": "#334155", "other": "#6b7280",
}  # fmt: skip
_OTHER = COLORS["other"]


def _color(kind: str) -> str:
    return COLORS.get(kind, _OTHER)


def _kinds(segments: Segments) -> tuple[str, ...]:
    return segments.kinds or ("segment",) * len(segments)


def page_size(page: RenderedPage) -> tuple[int, int]:
    """Return the width and height of a page in pixels; what overflows to the right is left out."""
    if not len(page):
        return 0, 0
    seen = page.visible & (page.x < page.w[0])
    bottom = np.where(seen, page.y + page.h, 0).max(initial=0)
    return round(float(page.w[0])), round(float(bottom))


# --- JSON ----------------------------------------------------------------------------------------


def segment_record(segments: Segments, method: str) -> dict[str, Any]:
    """Return the segments of a page as a dictionary that JSON can write."""
    page = segments.page
    width, height = page_size(page)
    paths = css_paths(page, segments.rows)
    first = segments.first.tolist()
    return {
        "url": page.url,
        "status": page.status,
        "method": method,
        "width": width,
        "height": height,
        "segments": [
            {
                "id": each,
                "parent": parent if parent >= 0 else None,
                "kind": kind,
                "divided": not leaf,
                "box": [round(number, 1) for number in box],
                "css": list(dict.fromkeys(paths[first[each] : first[each + 1]])),
                "measures": {
                    name: round(float(values[each]), 4)
                    for name, values in segments.measures.items()
                    if np.isfinite(values[each])
                },
                "text": segments.text(each) if leaf else None,
            }
            for each, (parent, kind, leaf, box) in enumerate(
                zip(
                    segments.parent.tolist(),
                    _kinds(segments),
                    segments.is_leaf.tolist(),
                    segments.boxes.tolist(),
                    strict=True,
                )
            )
        ],
    }


# --- terminal ------------------------------------------------------------------------------------


class TreeLine(NamedTuple):
    """A line of the tree: the branch that leads to it, the kind, and what is said of it."""

    branch: str
    kind: str
    facts: str
    words: str


def segment_tree(segments: Segments, depth: int = 5) -> Iterator[TreeLine]:
    """Yield the lines of a tree, `depth` levels deep.

    A segment whose only part is another segment has no line of its own: the part stands for it.
    """
    parts: list[list[int]] = [[] for _ in range(len(segments))]
    roots: list[int] = []
    for each, parent in enumerate(segments.parent.tolist()):
        (parts[parent] if parent >= 0 else roots).append(each)
    inside = np.ones(len(segments), np.int64)
    for each in range(len(segments) - 1, -1, -1):
        if segments.parent[each] >= 0:
            inside[segments.parent[each]] += inside[each]
    kinds = _kinds(segments)
    boxes = segments.boxes.round().astype(int).tolist()

    # Not recursive: pages can be nested more deeply than Python allows.
    stack = [(root, "", root == roots[-1], 0) for root in reversed(roots)]
    while stack:
        each, indent, is_last, level = stack.pop()
        while len(parts[each]) == 1:
            each = parts[each][0]
        branch = "" if level == 0 else indent + ("└─ " if is_last else "├─ ")
        x, y, w, h = boxes[each]
        facts = [f"{w}×{h} at {x},{y}"]
        facts += [
            f"{name} {round(float(values[each]), 2):g}"
            for name, values in segments.measures.items()
            if np.isfinite(values[each])
        ]
        below = parts[each] if level < depth else []
        words = segments.text(each, 400) if not below else ""
        if parts[each] and not below:
            facts.append(f"{count(int(inside[each]) - 1, 'segment')} inside")
        yield TreeLine(branch, kinds[each], ", ".join(facts), words)
        deeper = "" if level == 0 else indent + ("   " if is_last else "│  ")
        stack += [(part, deeper, part == below[-1], level + 1) for part in reversed(below)]


# --- picture -------------------------------------------------------------------------------------

_MARGIN = 8
_LEAST_SIDE = 3  # pixels of a rectangle that is worth drawing


def segment_picture(segments: Segments, browser: Browser, name: str = "") -> bytes:
    """Return the page as PNG with a labelled rectangle for each undivided segment and each list.

    The page must have been rendered with `picture=True`. `browser` draws it.
    """
    page = segments.page
    if page.picture is None:
        raise InputError(
            "the page shows nothing to draw: it is empty, or was rendered without a picture."
        )
    width, _ = _png_size(page.picture)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "page.png").write_bytes(page.picture)
        drawing = Path(folder, "drawing.html")
        drawing.write_text(_drawing(segments, name), encoding="utf-8")
        options = RenderOptions(
            scripts=False, picture=True, width=width + 2 * _MARGIN, height=200, timeout=60
        )
        drawn = browser.render(drawing, options=options).picture
    assert drawn is not None
    return drawn


def _png_size(picture: bytes) -> tuple[int, int]:
    return int.from_bytes(picture[16:20], "big"), int.from_bytes(picture[20:24], "big")


def _drawing(segments: Segments, name: str) -> str:
    """Return the HTML of the picture: a legend, the page, and a box over each segment."""
    assert segments.page.picture is not None
    width, height = _png_size(segments.page.picture)
    kinds = _kinds(segments)
    is_drawn = segments.is_leaf | np.array([kind == "list" for kind in kinds], np.bool_)
    boxes: list[str] = []
    used: Counter[str] = Counter()
    drawn: set[tuple[int, ...]] = set()
    for each in np.flatnonzero(is_drawn).tolist():
        x, y, w, h = segments.boxes[each].tolist()
        x, y, right, bottom = max(x, 0), max(y, 0), min(x + w, width), min(y + h, height)
        w, h = right - x, bottom - y
        place = (round(x), round(y), round(w), round(h))
        if w < _LEAST_SIDE or h < _LEAST_SIDE or place in drawn:
            continue
        drawn.add(place)
        kind = kinds[each]
        used[kind] += 1
        chip = "" if _is_small(kind, w, h) else f"<i>{escape(kind)}</i>"
        look = "list" if kind == "list" else "leaf"
        boxes.append(
            f'<div class="box {look}" style="left:{x:.1f}px;top:{y:.1f}px;width:{w:.1f}px;'
            f'height:{h:.1f}px;--c:{_color(kind)}">{chip}</div>'
        )
    in_order = [kind for kind in (*COLORS, *used) if kind in used]
    legend = "".join(
        f'<span style="--c:{_color(kind)}"><b></b>{escape(kind)} {used[kind]}</span>'
        for kind in dict.fromkeys(in_order)
    )
    return _DRAWING.format(
        margin=_MARGIN, width=width, height=height, name=escape(name), legend=legend,
        boxes="".join(boxes),
    )  # fmt: skip


def _is_small(kind: str, width: float, height: float) -> bool:
    """Return True if a label would cover much of a rectangle."""
    return height < 15 or width < (1.2 if height > 34 else 2.5) * (7 * len(kind) + 8)


_DRAWING = """<!DOCTYPE html><meta charset=utf-8><style>
* {{ box-sizing: border-box; margin: 0; }}
body {{ background: #fff; font: 13px/1.4 "DejaVu Sans", "Liberation Sans", Arial, sans-serif;
  color: #1e293b; padding: {margin}px; }}
header {{ padding: 2px 2px 10px; }}
header p {{ font-weight: bold; margin-bottom: 4px; overflow-wrap: anywhere; }}
header span {{ display: inline-block; margin-right: 14px; white-space: nowrap; }}
header b {{ display: inline-block; width: 12px; height: 12px; border-radius: 2px;
  background: var(--c); margin-right: 5px; vertical-align: -1px; }}
main {{ position: relative; width: {width}px; height: {height}px; overflow: hidden;
  outline: 1px solid #cbd5e1; }}
img {{ display: block; width: {width}px; height: {height}px; }}
.box {{ position: absolute; }}
.leaf {{ outline: 2px solid var(--c); outline-offset: -1px;
  background: color-mix(in srgb, var(--c) 9%, transparent); }}
.list {{ outline: 2px dashed var(--c); }}
.box i {{ position: absolute; right: -1px; top: -1px; background: var(--c); color: #fff;
  font: bold 11px/14px "DejaVu Sans", "Liberation Sans", Arial, sans-serif; padding: 0 4px;
  border-radius: 0 0 0 3px; white-space: nowrap; }}
.list i {{ right: auto; left: -2px; top: -16px; border-radius: 3px 3px 0 0; }}
</style><header><p>{name}</p>{legend}</header>
<main><img src=page.png alt="">{boxes}</main>"""


# --- sweep ---------------------------------------------------------------------------------------


def sweep_surface(mean: Floats, steps: Sequence[float], pages: int) -> Figure:
    """Draw the normalised number of segments; `mean[i, j]` is at steps i of alpha and j of beta."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 6.4), layout="constrained")
    axes: Any = figure.add_subplot(projection="3d")
    alpha, beta = np.meshgrid(steps, steps, indexing="ij")
    axes.plot_surface(
        alpha, beta, mean, cmap="viridis", vmin=0, vmax=1, edgecolor="#ffffff", linewidth=0.4,
        rstride=1, cstride=1,
    )  # fmt: skip
    axes.set_xlabel("alpha (seam degree)")
    axes.set_ylabel("beta (content similarity)")
    axes.set_zlabel("segments / most of the page")
    axes.set_zlim(0, 1)
    axes.view_init(elev=24, azim=-128)
    axes.set_title(f"Number of segments, mean of {count(pages, 'page')}", fontweight="bold")
    return figure
