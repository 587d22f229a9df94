"""Densities of the containers around a block: the papers' numbers, at six steps up and three down.

For a container with W words (LW in links), C characters (LC in links), T tags, LT links, N blocks:
    share = W / W(body)      links = LW / W       blocks = log(1 + N)     words a block = W / N
    text density = C / (T - 1)                    (CETD; T counts the container, so at least 1)
    composite text density = C/T * log_base(C/LC * T/LT)                 (CETD, thesis 3.2.7)
    paragraphs = P / N       images = I / N       prose = words in blocks of prose / W
"""

from __future__ import annotations

import numpy as np

from thresher.methods.default.features.containers import Frame
from thresher.page.array_types import Float32s, Floats, Rows
from thresher.page.tags import NAMES, NUMBER, lookup

_MEASURES = (
    ("share", "share of the page's words"),
    ("links", "share of words in links"),
    ("blocks", "log of one more than the number of blocks"),
    ("block_words", "words a block"),
    ("density", "text density: characters a tag"),
    ("composite", "composite text density, log scale"),
    ("paragraphs", "p elements a block"),
    ("images", "img elements a block"),
    ("prose", "share of words in blocks of prose"),
)
_STEPS = (
    ("a0", "the block's own container"), ("a1", "one step up"), ("a2", "two steps up"),
    ("a3", "three steps up"), ("a4", "four steps up"), ("a5", "five steps up"),
    ("t1", "one step down from the body"), ("t2", "two steps down"), ("t3", "three steps down"),
)  # fmt: skip
_UP, _DOWN = 6, 3

# Inside which elements: one bit each.
_GROUPS = (
    ("p", "p"), ("li", "li dt dd"), ("heading", "h1 h2 h3 h4 h5 h6"), ("cell", "td th"),
    ("table", "table"), ("button", "button"), ("form", "form"), ("nav", "nav"),
    ("header", "header"), ("footer", "footer"), ("aside", "aside"), ("main", "main"),
    ("article", "article"), ("section", "section"), ("figure", "figure"),
    ("caption", "figcaption caption"), ("quote", "blockquote"), ("code", "pre code"),
    ("dl", "dl"), ("list", "ul ol menu"), ("details", "details"), ("noscript", "noscript"),
    ("template", "template"), ("label", "label legend"), ("dialog", "dialog"),
    ("address", "address"), ("time", "time"),
)  # fmt: skip
_BITS = np.zeros(65_536, np.int32)
for _bit, (_, _names) in enumerate(_GROUPS):
    _BITS[lookup(_names)] |= 1 << _bit
_BITS[len(NAMES) :] |= 1 << len(_GROUPS)  # custom elements

COMMON = (
    ("up", "steps up to the first container that holds {} too"),
    ("down", "steps from the first container that holds it and {} down to that"),
    ("share", "share of the page's words in the first container that holds {} too"),
    ("links", "share of words in links, in the first container that holds {} too"),
    ("prose", "share of words in prose, in the first container that holds {} too"),
)

TREE_FEATURES = (
    *(
        (f"{measure}_{step}", f"{meaning}, {where}")
        for measure, meaning in _MEASURES
        for step, where in _STEPS
    ),
    *((f"siblings_a{step}", f"containers beside the one {step} steps up") for step in range(3)),
    *((f"in_{name}", f"stands in {names.replace(' ', ', ')}") for name, names in _GROUPS),
    ("in_custom", "stands in an element that HTML does not know"),
    ("level", "depth in the tree"),
    ("depth", "steps from the body"),
    ("tag", "number of the name of the element around its first text"),
    ("heading", "1 to 6 in h1 to h6, else 0"),
    ("hidden", "a browser does not show it"),
    *((f"h1_{name}", meaning.format("the first h1") + " (-1: none)")
      for name, meaning in COMMON),
    *((f"rich_{name}", meaning.format("the container richest in prose"))
      for name, meaning in COMMON),
)  # fmt: skip


def densities(frame: Frame) -> Floats:
    """Return the measures of each container, one line each."""
    words, linked, chars, linked_chars, tags, links, blocks = frame.sums[:7]
    some_words, some_blocks = np.maximum(words, 1), np.maximum(blocks, 1)
    found = np.empty((len(_MEASURES), len(words)))
    np.divide(words, some_words[0], out=found[0])
    np.divide(linked, some_words, out=found[1])
    np.log1p(blocks, out=found[2])
    np.divide(words, some_blocks, out=found[3])
    np.divide(chars, np.maximum(tags - 1, 1), out=found[4])
    found[5] = _composite(chars, tags, linked_chars, links)
    np.divide(frame.sums[7:9], some_blocks, out=found[6:8])  # paragraphs, images
    np.divide(frame.sums[9], some_words, out=found[8])  # prose
    return found


def _composite(chars: Floats, tags: Floats, linked: Floats, links: Floats) -> Floats:
    """Return log(1 + |CTD|) with CTD's sign; zero denominators are 1, also inside the base."""
    body = linked[0] / max(chars[0], 1)
    base = np.log(chars / np.maximum(chars - linked, 1) * linked + body * chars + np.e)
    inner = chars / np.maximum(linked, 1) * tags / np.maximum(links, 1)
    density = chars / np.maximum(tags, 1) * np.log(np.maximum(inner, 1e-9)) / base
    density[chars == 0] = 0.0
    found: Floats = np.copysign(np.log1p(np.abs(density)), density)
    return found


def _steps(frame: Frame) -> Rows:
    """Return the containers at the steps up and down, one line each."""
    home, climb = frame.home, frame.climb
    lines = np.empty((_UP + _DOWN, len(frame)), np.intp)
    frame.top.take(home, out=lines[0], mode="clip")
    for step in range(1, _UP):
        climb.take(lines[step - 1], out=lines[step], mode="clip")
    wanted = np.arange(1, _DOWN + 1)[:, np.newaxis]
    own = np.arange(len(frame.row)) * frame.is_step
    latest = np.maximum.accumulate(own * (frame.depth == wanted), axis=1).take(home, axis=1)
    lines[_UP:] = np.where(frame.depth.take(home) >= wanted, latest, lines[0])
    return lines


def _tag_bits(frame: Frame, out: Float32s) -> None:
    """Tell for each group of elements whether the block stands in one."""
    page = frame.page
    bits = _BITS.take(frame.tag)
    for jump in frame.jumps:  # pointer doubling
        bits |= bits.take(jump)
    inner = page.parent.take(page.blocks.first)
    found = bits.take(frame.home)
    found |= _BITS.take(page.tag.take(inner))
    found |= _BITS.take(page.tag.take(np.maximum(page.parent.take(inner), 0)))
    single = np.unpackbits(found.view(np.uint8).reshape(-1, 4), axis=1, bitorder="little")
    out[:] = single.T[: len(out)]


class Common:
    """The common container of each block with another: steps up, steps down, and its number."""

    __slots__ = ("container", "down", "up")

    def __init__(self, frame: Frame, other: int) -> None:
        path = (frame.end[: other + 1] > frame.row[other]).nonzero()[0]  # it, and all around it
        begin, end = frame.row.take(path), frame.end.take(path)
        first = frame.row.take(frame.home)
        begun = begin.searchsorted(first, side="right")
        unended = len(path) - end[::-1].searchsorted(first, side="right")
        at = np.maximum(np.minimum(begun, unended) - 1, 0)
        self.container = path.take(at)
        depth = frame.depth.take(self.container)
        self.up = frame.depth.take(frame.home) - depth
        self.down = frame.depth[other] - depth


def fill_common(frame: Frame, other: int, measures: Float32s, out: Float32s) -> None:
    """Fill in what COMMON names, of each block and a container (-1: none)."""
    if other < 0:
        out[:] = -1.0
        return
    found = Common(frame, other)
    out[0], out[1] = found.up, found.down
    for line, measure in ((2, 0), (3, 1), (4, 8)):
        measures[measure].take(found.container, out=out[line], mode="clip")


_LEVEL = np.zeros(65_536)
for _level in range(1, 7):
    _LEVEL[NUMBER[f"h{_level}"]] = _level


def tree_features(frame: Frame, h1: int, level: Floats, out: Float32s) -> Float32s:
    """Fill in TREE_FEATURES, and return the measures of each container.

    `h1` is the block of the first h1, or -1; `level` that of each block's heading.
    """
    page = frame.page
    measures = densities(frame).astype(np.float32)
    steps = _steps(frame)
    lines = len(measures) * len(steps)
    around = out[:lines].reshape(len(measures), *steps.shape)
    measures.take(steps, axis=1, out=around, mode="clip")

    size = len(frame.row)
    children = np.bincount(frame.climb[frame.is_step], minlength=size)
    out[lines : lines + 3] = children.take(frame.climb.take(steps[:3]))
    lines += 3
    _tag_bits(frame, out[lines : lines + len(_GROUPS) + 1])
    lines += len(_GROUPS) + 1
    inner = page.parent.take(page.blocks.first)
    out[lines] = page.level.take(inner)
    out[lines + 1] = frame.depth.take(frame.home)
    out[lines + 2] = np.minimum(page.tag.take(inner), len(NAMES))
    out[lines + 3] = level
    out[lines + 4] = page.blocks.hidden
    lines += 5
    held = np.bincount(steps[0], frame.prose, size)
    rich = held + 0.5 * np.bincount(steps[1], frame.prose, size)
    fill_common(frame, int(frame.home[h1]) if h1 >= 0 else -1, measures, out[lines : lines + 5])
    fill_common(frame, int(rich.argmax()), measures, out[lines + 5 :])
    return measures


def heading_levels(frame: Frame) -> Floats:
    """Return 1 to 6 for a block in h1 to h6, else 0."""
    return _LEVEL.take(frame.page.tag.take(frame.page.blocks.parent))
