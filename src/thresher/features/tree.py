"""Densities of the containers around a block: the papers' numbers, at six steps up and three down.

For a container with W words (LW in links), C characters (LC in links), T tags, LT links, N blocks:
    share = W / W(body)      links = LW / W       blocks = log(1 + N)     words a block = W / N
    text density = C / (T - 1)                    (CETD; T counts the container, so at least 1)
    composite text density = C/T * log_base(C/LC * T/LT)                 (CETD, thesis 3.2.7)
    paragraphs = P / N       images = I / N       prose = words in blocks of prose / W
    digits = D / W
"""

from __future__ import annotations

import numpy as np

from thresher.features.frame import Floats, Frame, Places
from thresher.tags import HEADING, NAMES, NUMBER, lookup

__all__ = ["TREE_FEATURES", "Common", "common", "densities", "tag_bits", "tree_features"]

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
    ("digits", "digits a word"),
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
_BITS = np.zeros(65_536, np.int64)
for _bit, (_, _names) in enumerate(_GROUPS):
    _BITS[lookup(_names)] |= 1 << _bit
_BITS[len(NAMES) :] |= 1 << len(_GROUPS)  # custom elements

_COMMON = (
    ("up", "steps from the block up to the common container"),
    ("down", "steps from there down to the other"),
    ("share", "share of the page's words there"),
    ("links", "share of words in links there"),
    ("prose", "share of words in prose there"),
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
    *((f"h1_{name}", f"{meaning}, where the other is the first h1 (-1: none)")
      for name, meaning in _COMMON),
    *((f"rich_{name}", f"{meaning}, where the other is the container richest in prose")
      for name, meaning in _COMMON),
)  # fmt: skip


def densities(frame: Frame) -> Floats:
    """Return the measures of each container, one line each."""
    words, linked, chars, linked_chars, tags, links, blocks, paragraphs, images, prose, digits = (
        frame.sums
    )
    some_words, some_blocks = np.maximum(words, 1), np.maximum(blocks, 1)
    return np.stack(
        (
            words / some_words[0],
            linked / some_words,
            np.log1p(blocks),
            words / some_blocks,
            chars / np.maximum(tags - 1, 1),
            _composite(chars, tags, linked_chars, links),
            paragraphs / some_blocks,
            images / some_blocks,
            prose / some_words,
            digits / some_words,
        )
    )


def _composite(chars: Floats, tags: Floats, linked: Floats, links: Floats) -> Floats:
    """Return log(1 + |CTD|) with CTD's sign; zero denominators are 1, also inside the base."""

    def some(values: Floats) -> Floats:
        return np.where(values == 0, 1.0, values)

    body = linked[0] / max(chars[0], 1)
    base = np.log(chars / some(chars - linked) * linked + body * chars + np.e)
    inner = chars / some(linked) * tags / some(links)
    density = np.where(chars > 0, chars / some(tags) * np.log(np.maximum(inner, 1e-9)) / base, 0.0)
    return np.sign(density) * np.log1p(np.abs(density))


def _steps(frame: Frame) -> Places:
    """Return the containers at the steps up and down, one line each."""
    home, climb, depth = frame.home, frame.climb, frame.depth
    at = frame.top[home]
    lines = [at]
    for _ in range(_UP - 1):
        lines.append(climb[lines[-1]])
    own = np.arange(len(frame.row))
    for wanted in range(1, _DOWN + 1):
        step = np.where((depth == wanted) & (frame.top == own), own, 0)
        latest = np.maximum.accumulate(step)[home]
        lines.append(np.where(depth[home] >= wanted, latest, at))
    return np.stack(lines)


def tag_bits(frame: Frame) -> Floats:
    """Return for each group of elements whether the block stands in one."""
    page = frame.page
    bits = _BITS.take(page.tag.take(frame.row))
    jump = frame.parent
    for _ in range(frame.levels.bit_length()):  # pointer doubling
        bits = bits | bits.take(jump)
        jump = jump.take(jump)
    inner = page.parent[page.blocks.first]
    near = _BITS.take(page.tag.take(inner))
    near |= _BITS.take(page.tag.take(np.maximum(page.parent.take(inner), 0)))
    found = bits[frame.home] | near
    return ((found >> np.arange(len(_GROUPS) + 1)[:, np.newaxis]) & 1).astype(np.float64)


class Common:
    """The common container of each block with another: steps up, steps down, and its number."""

    __slots__ = ("container", "down", "up")

    def __init__(self, frame: Frame, other: int) -> None:
        own = np.arange(other + 1)
        path = own[frame.end[: other + 1] > frame.row[other]]  # the other and all around it
        begin, end = frame.row[path], frame.end[path]
        first = frame.page.blocks.first
        begun = begin.searchsorted(first, side="right")
        unended = len(path) - end[::-1].searchsorted(first, side="right")
        at = np.maximum(np.minimum(begun, unended) - 1, 0)
        self.container = path[at]
        self.up = frame.depth[frame.home] - frame.depth[self.container]
        self.down = frame.depth[other] - frame.depth[self.container]


def common(frame: Frame, other: int, measures: Floats) -> Floats:
    """Return what _COMMON names, of each block and a container (-1: none)."""
    if other < 0:
        return np.full((len(_COMMON), len(frame)), -1.0)
    found = Common(frame, other)
    there = measures.take(found.container, axis=1)
    return np.stack((found.up, found.down, there[0], there[1], there[8]))


_LEVEL = np.zeros(65_536)
for _level in range(1, 7):
    _LEVEL[NUMBER[f"h{_level}"]] = _level


def tree_features(frame: Frame, h1: int) -> tuple[Floats, Floats]:
    """Return TREE_FEATURES, and the level of each block's heading (0 when it is none).

    `h1` is the block of the first h1, or -1.
    """
    page = frame.page
    measures = densities(frame)
    steps = _steps(frame)
    around = measures.take(steps.ravel(), axis=1).reshape(-1, len(frame))
    own = np.arange(len(frame.row))
    is_step = frame.top == own
    is_step[0] = False
    children = np.bincount(frame.climb[is_step], minlength=len(own))
    siblings = children[frame.climb[steps[:3]]]
    bits = tag_bits(frame)
    first = page.blocks.first
    inner = page.parent[first]
    tag = page.tag.take(inner)
    level = heading_levels(frame)
    single = np.stack(
        (
            page.level.take(inner), frame.depth[frame.home], np.minimum(tag, len(NAMES)), level,
            page.blocks.hidden,
        )
    )  # fmt: skip
    held = np.bincount(frame.top[frame.home], frame.prose, len(own))
    rich = held + 0.5 * np.bincount(frame.climb[frame.top[frame.home]], frame.prose, len(own))
    return np.concatenate(
        (
            around, siblings, bits, single,
            common(frame, int(frame.home[h1]) if h1 >= 0 else -1, measures),
            common(frame, int(rich.argmax()), measures),
        )
    ), measures  # fmt: skip


def heading_levels(frame: Frame) -> Floats:
    """Return 1 to 6 for a block in h1 to h6, else 0."""
    page = frame.page
    around = page.blocks.parent
    tag = page.tag.take(around)
    return np.where(HEADING[tag], _LEVEL.take(tag), 0.0)
