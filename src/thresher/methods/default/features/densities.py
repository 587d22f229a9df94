"""Densities of the containers around a block, six steps up from it and three down from the body.

For a container with W words (LW in links), C characters (LC in links), T tags, LT links, N blocks:
    share = W / W(body)      links = LW / W       blocks = log(1 + N)     words per block = W / N
    text density = C / (T - 1)                    (CETD; T counts the container, so at least 1)
    composite text density = C/T * log_base(C/LC * T/LT)                 (CETD, thesis 3.2.7)
    paragraphs = P / N       images = I / N       prose = words in blocks of prose / W
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from thresher.methods.default.features.containers import Outline, Sums
from thresher.page.array_types import Float32s, Floats, Rows
from thresher.page.tags import NAMES, NUMBER, numbers

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
MEASURE = {name: line for line, (name, _) in enumerate(_MEASURES)}  # line of each measure
_STEPS_UP = (
    ("a0", "the block's own container"), ("a1", "one step up"), ("a2", "two steps up"),
    ("a3", "three steps up"), ("a4", "four steps up"), ("a5", "five steps up"),
)  # fmt: skip
_STEPS_DOWN = (
    ("t1", "one step down from the body"), ("t2", "two steps down"), ("t3", "three steps down"),
)  # fmt: skip

# Groups of elements; for each, a feature is 1 if the block is inside one of them.
_ELEMENTS = (
    ("p", "p"), ("li", "li dt dd"), ("heading", "h1 h2 h3 h4 h5 h6"), ("cell", "td th"),
    ("table", "table"), ("button", "button"), ("form", "form"), ("nav", "nav"),
    ("header", "header"), ("footer", "footer"), ("aside", "aside"), ("main", "main"),
    ("article", "article"), ("section", "section"), ("figure", "figure"),
    ("caption", "figcaption caption"), ("quote", "blockquote"), ("code", "pre code"),
    ("dl", "dl"), ("list", "ul ol menu"), ("details", "details"), ("noscript", "noscript"),
    ("template", "template"), ("label", "label legend"), ("dialog", "dialog"),
    ("address", "address"), ("time", "time"),
)  # fmt: skip
ELEMENT_BITS = np.zeros(
    65_536, np.int32
)  # of each tag: one bit for each of _ELEMENTS, one for custom
for _bit, (_, _names) in enumerate(_ELEMENTS):
    ELEMENT_BITS[numbers(_names)] |= 1 << _bit
ELEMENT_BITS[len(NAMES) :] |= 1 << len(_ELEMENTS)

HEADING_LEVEL = np.zeros(65_536)  # of each tag: 1 to 6 for h1 to h6, else 0
for _level in range(1, 7):
    HEADING_LEVEL[NUMBER[f"h{_level}"]] = _level
LEVEL_OF_TAG = HEADING_LEVEL.astype(np.uint8)  # the same, for kernels

COMMON = (  # features of the smallest container around both a block and another place
    ("up", "steps up to the first container that holds {} too"),
    ("down", "steps from the first container that holds it and {} down to that"),
    ("share", "share of the page's words in the first container that holds {} too"),
    ("links", "share of words in links, in the first container that holds {} too"),
    ("prose", "share of words in prose, in the first container that holds {} too"),
)

DENSITY_FEATURES = {
    "densities": tuple(
        (f"{measure}_{step}", f"{meaning}, {where}")
        for measure, meaning in _MEASURES
        for step, where in (*_STEPS_UP, *_STEPS_DOWN)
    ),
    "siblings": tuple(
        (f"siblings_a{step}", f"containers beside the one {step} steps up") for step in range(3)
    ),
    "inside": (
        *((f"in_{name}", f"stands in {tags.replace(' ', ', ')}") for name, tags in _ELEMENTS),
        ("in_custom", "stands in an element that HTML does not know"),
    ),
    "element": (
        ("level", "depth in the tree"),
        ("depth", "steps from the body"),
        ("tag", "number of the name of the element around its first text"),
        ("heading", "1 to 6 in h1 to h6, else 0"),
        ("hidden", "a browser does not show it"),
    ),
    "common with h1": tuple(
        (f"h1_{name}", meaning.format("the first h1") + " (-1: none)") for name, meaning in COMMON
    ),
    "common with richest": tuple(
        (f"rich_{name}", meaning.format("the container richest in prose"))
        for name, meaning in COMMON
    ),
}


def fill_density_features(
    outline: Outline, h1: int, level: Floats, lines: Mapping[str, Float32s]
) -> Float32s:
    """Fill in DENSITY_FEATURES, and return the measures of each container.

    `h1` is the block of the first h1 (-1: none), `level` has the heading level of each block.
    """
    page = outline.page
    measures = measure_containers(outline.sums).astype(np.float32)
    steps = _steps(outline)
    around = lines["densities"].reshape(len(measures), *steps.shape)
    measures.take(steps, axis=1, out=around, mode="clip")

    size = len(outline.row)
    children = np.bincount(outline.wider[outline.is_step], minlength=size)
    siblings = lines["siblings"]
    siblings[:] = children.take(outline.wider.take(steps[: len(siblings)]))
    _fill_inside(outline, lines["inside"])

    inner = page.parent.take(page.blocks.first)
    tree_level, depth, tag, heading, hidden = lines["element"]
    tree_level[:] = page.level.take(inner)
    depth[:] = outline.depth.take(outline.container)
    tag[:] = np.minimum(page.tag.take(inner), len(NAMES))
    heading[:] = level
    hidden[:] = page.blocks.hidden

    own, below = (np.bincount(step, outline.prose, size) for step in steps[:2])
    richest = int((own + 0.5 * below).argmax())
    fill_common(
        outline, int(outline.container[h1]) if h1 >= 0 else -1, measures, lines["common with h1"]
    )
    fill_common(outline, richest, measures, lines["common with richest"])
    return measures


def measure_containers(sums: Sums) -> Floats:
    """Return the measures of each container, one line for each of _MEASURES."""
    words, block_count = np.maximum(sums.words, 1), np.maximum(sums.blocks, 1)
    found = np.empty((len(_MEASURES), len(words)))
    share, links, blocks, block_words, density, composite, paragraphs, images, prose = found
    np.divide(sums.words, words[0], out=share)
    np.divide(sums.linked_words, words, out=links)
    np.log1p(sums.blocks, out=blocks)
    np.divide(sums.words, block_count, out=block_words)
    np.divide(sums.chars, np.maximum(sums.tags - 1, 1), out=density)
    composite[:] = _composite_density(sums)
    np.divide(sums.paragraphs, block_count, out=paragraphs)
    np.divide(sums.images, block_count, out=images)
    np.divide(sums.prose, words, out=prose)
    return found


def _composite_density(sums: Sums) -> Floats:
    """Return log(1 + |CTD|) with CTD's sign; zero denominators are 1, also inside the base."""
    chars, linked, tags = sums.chars, sums.linked_chars, sums.tags
    body = linked[0] / max(chars[0], 1)
    base = np.log(chars / np.maximum(chars - linked, 1) * linked + body * chars + np.e)
    inner = chars / np.maximum(linked, 1) * tags / np.maximum(sums.links, 1)
    density = chars / np.maximum(tags, 1) * np.log(np.maximum(inner, 1e-9)) / base
    density[chars == 0] = 0.0
    found: Floats = np.copysign(np.log1p(np.abs(density)), density)
    return found


def _steps(outline: Outline) -> Rows:
    """Return the containers of each block at the steps up and then down, one line per step.

    Where there are fewer steps down, they are the block's own container.
    """
    container = outline.container
    found = np.empty((len(_STEPS_UP) + len(_STEPS_DOWN), len(outline)), np.intp)
    up, down = found[: len(_STEPS_UP)], found[len(_STEPS_UP) :]
    outline.outermost.take(container, out=up[0], mode="clip")
    for step in range(1, len(up)):
        outline.wider.take(up[step - 1], out=up[step], mode="clip")
    depth = np.arange(1, len(down) + 1)[:, np.newaxis]
    number = np.arange(len(outline.row)) * outline.is_step
    latest = np.maximum.accumulate(number * (outline.depth == depth), axis=1)
    is_below = outline.depth.take(container) >= depth
    down[:] = np.where(is_below, latest.take(container, axis=1), up[0])
    return found


def _fill_inside(outline: Outline, lines: Float32s) -> None:
    """Fill in for each of _ELEMENTS whether the block is inside one.

    All containers around it count, and the two innermost elements around its first text.
    """
    page = outline.page
    bits = ELEMENT_BITS.take(outline.tag)
    for ancestor in outline.ancestors:  # pointer doubling
        bits |= bits.take(ancestor)
    inner = page.parent.take(page.blocks.first)
    found = bits.take(outline.container)
    found |= ELEMENT_BITS.take(page.tag.take(inner))
    found |= ELEMENT_BITS.take(page.tag.take(np.maximum(page.parent.take(inner), 0)))
    single = np.unpackbits(found.view(np.uint8).reshape(-1, 4), axis=1, bitorder="little")
    lines[:] = single.T[: len(lines)]


def fill_common(outline: Outline, other: int, measures: Float32s, lines: Float32s) -> None:
    """Fill in the COMMON features of each block and another container (-1: none)."""
    if other < 0:
        lines[:] = -1.0
        return
    path = (outline.end[: other + 1] > outline.row[other]).nonzero()[0]  # it and all around it
    begin, end = outline.row.take(path), outline.end.take(path)
    own = outline.row.take(outline.container)
    begun = begin.searchsorted(own, side="right")
    not_ended = len(path) - end[::-1].searchsorted(own, side="right")
    common = path.take(np.maximum(np.minimum(begun, not_ended) - 1, 0))
    depth = outline.depth.take(common)
    up, down, *of_common = lines
    up[:] = outline.depth.take(outline.container) - depth
    down[:] = outline.depth[other] - depth
    for line, name in zip(of_common, ("share", "links", "prose"), strict=True):
        measures[MEASURE[name]].take(common, out=line, mode="clip")


def heading_levels(outline: Outline) -> Floats:
    """Return 1 to 6 for each block in h1 to h6, else 0."""
    return HEADING_LEVEL.take(outline.page.tag.take(outline.page.blocks.parent))
