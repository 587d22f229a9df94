"""Place: where a block stands among the others, what repeats it, and what is beside it."""

from __future__ import annotations

from dataclasses import dataclass
from operator import itemgetter

import numpy as np

from thresher.methods.default.features.class_odds import Named
from thresher.methods.default.features.containers import Frame
from thresher.page.array_types import Float32s, Floats, Rows

_PATHS = (("tagpath", "tag path"), ("namepath", "tag and class path"))

PLACE_FEATURES = (
    ("words", "words"),
    ("chars", "characters"),
    ("links", "share of its words in links"),
    ("texts", "text rows"),
    ("stops", "full stops and exclamation marks"),
    ("commas", "commas and semicolons"),
    ("capitals", "capital letters"),
    ("capitals_word", "capital letters a word"),
    ("digits_word", "digits a word"),
    ("money", "signs of money"),
    ("last", "class of the last character: 0 letter, 1 digit, 2 capital, 3 stop, 4 comma, ..."),
    ("place", "number of the block over the number of blocks"),
    ("from_start", "blocks before it"),
    ("to_end", "blocks from it to the end"),
    ("words_before", "share of the page's words before it"),
    ("h1_blocks", "blocks after the first h1, negative before it; -999 without one"),
    ("h1_words", "share of the page's words between the first h1 and it; -9 without one"),
    ("heading_blocks", "blocks since the last heading, -1 before the first"),
    ("heading_words", "words since the last heading, -1 before the first"),
    ("heading_last", "level of the last heading, 0 before the first"),
    ("section_share", "share of the page's words from the last heading to the next"),
    ("section_links", "share of words in links, from the last heading to the next"),
    ("section_blocks", "blocks from the last heading to the next"),
    ("section_block_words", "words a block, from the last heading to the next"),
    *(
        (f"{path}_{name}", f"{meaning} with the same {path_meaning}")
        for path, path_meaning in _PATHS
        for name, meaning in (
            ("count", "blocks"),
            ("share", "share of the page's words in blocks"),
            ("links", "share of words in links in blocks"),
            ("span", "share of all blocks from the first to the last"),
            ("words", "words a block, of those"),
        )
    ),
    ("copies", "blocks that begin with the same text and have as many characters"),
    ("copies_before", "blocks before it with the same beginning and length"),
    ("before_words", "words of the block before"),
    ("before_links", "share of links in the block before"),
    ("after_words", "words of the block after"),
    ("after_links", "share of links in the block after"),
    ("after_stops", "stops of the block after"),
    ("near4_links", "share of words in links, of four blocks on each side"),
    ("near10_links", "share of words in links, of ten blocks on each side"),
)

_NONE = (-999.0, -9.0)


def place_features(frame: Frame, names: Named, h1: int, level: Floats, out: Float32s) -> None:
    """Fill in PLACE_FEATURES; `level` tells the blocks that are headings, `h1` the first h1."""
    size = len(frame)
    words, linked = frame.words, frame.linked
    total = max(float(words.sum()), 1.0)
    before = words.cumsum() - words
    own = np.arange(size, dtype=np.float64)
    _own(frame, out[:11])
    np.divide(own, size, out=out[11], casting="same_kind")
    out[12] = own
    np.subtract(size, own, out=out[13], casting="same_kind")
    np.divide(before, total, out=out[14], casting="same_kind")
    distance(h1, before, total, out[15:17])
    _sections(frame, level, before, total, out[17:24])
    groups = _Groups.of_keys(np.array((*_paths(frame, names), _beginnings(frame))))
    _repeated(groups, words, linked, total, out[24:34])
    _copies(groups, out[34:36])
    _beside(frame, out[36:])


def distance(block: int, before: Floats, total: float, out: Float32s) -> None:
    """Fill in how far each block stands behind one (-1: none), in blocks and in share of words.

    `before` counts the words before each block, `total` those of the page.
    """
    if block < 0:
        out[0], out[1] = _NONE
        return
    out[0] = np.arange(len(before)) - block
    out[1] = (before - before[block]) / total


def _own(frame: Frame, out: Float32s) -> None:
    found = frame.characters
    words = np.maximum(frame.words, 1)
    texts = np.bincount(frame.page.blocks.of_text + 1, minlength=len(frame) + 1)
    out[0], out[1] = frame.words, frame.chars
    np.divide(frame.linked, words, out=out[2], casting="same_kind")
    out[3] = texts[1:]  # the first are of no block
    out[4], out[5], out[6] = found.stops, found.commas, found.capitals
    np.divide(found.capitals, words, out=out[7], casting="same_kind")
    np.divide(found.digits, words, out=out[8], casting="same_kind")
    out[9], out[10] = found.money, found.last


def _sections(frame: Frame, level: Floats, before: Floats, total: float, out: Float32s) -> None:
    """Describe the way from the last heading, and the section that it opens."""
    size = len(frame)
    own = np.arange(size)
    is_heading = level > 0
    is_heading &= frame.allowed
    section = is_heading.cumsum()  # 0 before the first heading
    opens = is_heading.nonzero()[0]
    count = np.bincount(section, minlength=len(opens) + 1)
    words = np.bincount(section, frame.words, len(opens) + 1)
    linked = np.bincount(section, frame.linked, len(opens) + 1)
    some = np.maximum(count, 1)
    shape = np.array((words / total, linked / np.maximum(words, 1), count, words / some))
    np.take(shape.astype(np.float32), section, axis=1, out=out[3:], mode="clip")
    if not len(opens):
        out[:2], out[2] = -1.0, 0.0
        return
    first = int(opens[0])
    last = opens.take(section[first:] - 1)
    out[:2, :first], out[2, :first] = -1.0, 0.0
    out[0, first:] = own[first:] - last
    out[1, first:] = before[first:] - before.take(last)
    out[2, first:] = level.take(last)


_CLASS = itemgetter(0)
_SEED = np.random.default_rng(7)
_OF_TAG = _SEED.integers(0, 2**63, 65_536).astype(np.uint64)
_OF_LEVEL = _SEED.integers(0, 2**62, 1_024).astype(np.uint64) * np.uint64(2) + np.uint64(1)
_ODD = np.uint64(0x9E3779B97F4A7C15)


def _paths(frame: Frame, names: Named) -> tuple[Rows, Rows]:
    """Return a key of each block's tag path, and one of its tag and class path.

    A path is the sum over its containers of a random number of the name times an odd one of the
    level: equal paths have equal sums, and different ones nearly always differ.
    """
    page, home = frame.page, frame.home
    depth = _OF_LEVEL.take(page.level.take(frame.row), mode="wrap")
    of_pair = np.fromiter(map(hash, map(_CLASS, names.pairs)), np.int64, len(names.pairs))
    of_pair &= 2**63 - 1
    random = np.empty((2, len(frame.row)), np.uint64)
    _OF_TAG.take(frame.tag, out=random[0], mode="clip")
    (of_pair.view(np.uint64) * _ODD).take(names.of_container, out=random[1], mode="clip")
    inner = _OF_TAG.take(page.tag.take(page.parent.take(page.blocks.first))) * _ODD
    tags, both = frame.nesting.within(random * depth).take(home, axis=1)
    tags += inner
    both += tags
    return tags.view(np.int64), both.view(np.int64)


def _beginnings(frame: Frame) -> Rows:
    """Return a key of each block's first text and its number of characters.

    Only the texts of blocks that are as long as another one need be read.
    """
    page, blocks = frame.page, frame.page.blocks
    alike = (np.bincount(blocks.chars).take(blocks.chars) > 1).nonzero()[0]
    first = blocks.texts_from.take(alike).tolist()
    key = blocks.chars.astype(np.int64)
    codes = map(hash, map(page.texts.__getitem__, first))
    key[alike] += np.fromiter(codes, np.int64, len(first)) * 31
    return key


@dataclass(frozen=True, slots=True, eq=False)
class _Groups:
    """Equal keys of each of some lines: where they are when sorted, and whose group is which.

    Places count through all lines; a group is of one line.
    """

    order: Rows  # the columns of each line, by their keys
    begin: Rows  # the place where each group begins
    count: Rows
    of: Rows  # the group of each key

    @classmethod
    def of_keys(cls, keys: Rows) -> _Groups:
        """Sort the keys of each line."""
        lines, size = keys.shape
        order = keys.argsort(axis=1, kind="stable")
        place = (order + np.arange(0, keys.size, size)[:, np.newaxis]).ravel()
        sorted_key = keys.ravel().take(place)
        starts = np.empty(keys.size, np.bool_)
        np.not_equal(sorted_key[1:], sorted_key[:-1], out=starts[1:])
        starts[::size] = True
        begin = starts.nonzero()[0]
        count = np.empty(len(begin), np.intp)
        np.subtract(begin[1:], begin[:-1], out=count[:-1])
        count[-1] = keys.size - begin[-1]
        group = np.empty(keys.size, np.intp)
        group[place] = np.arange(len(begin)).repeat(count)
        return cls(order, begin, count, group.reshape(lines, size))


def _repeated(groups: _Groups, words: Floats, linked: Floats, total: float, out: Float32s) -> None:
    """Describe the blocks with the same tag path, and those with the same tag and class path."""
    size = len(words)
    order = groups.order[:2].ravel()
    known = int(groups.begin.searchsorted(len(order)))
    begin, count = groups.begin[:known], groups.count[:known]
    held, held_links = (np.add.reduceat(line.take(order), begin) for line in (words, linked))
    lines = np.empty((5, known), np.float32)
    lines[0] = count
    lines[1] = held / total
    lines[2] = held_links / np.maximum(held, 1)
    lines[3] = (order.take(begin + count - 1) - order.take(begin)) / size
    lines[4] = held / count
    for line, of in enumerate(groups.of[:2]):
        lines.take(of, axis=1, out=out[5 * line : 5 * line + 5], mode="clip")


def _copies(groups: _Groups, out: Float32s) -> None:
    """Count the blocks that begin with the same text and are as long, and those before each."""
    order, of = groups.order[2], groups.of[2]
    before = groups.begin.take(of.take(order)) - 2 * len(of)
    out[0] = groups.count.take(of)
    out[1, order] = np.arange(len(of)) - before


def _beside(frame: Frame, out: Float32s) -> None:
    """Describe the neighbours."""
    size = len(frame)
    words, linked = frame.words, frame.linked
    share = linked / np.maximum(words, 1)
    out[:2, 0], out[2:5, -1] = -1.0, -1.0
    out[0, 1:], out[1, 1:] = words[:-1], share[:-1]
    out[2, :-1], out[3, :-1], out[4, :-1] = words[1:], share[1:], frame.characters.stops[1:]
    total = np.zeros((2, size + 2 * _FURTHEST + 1))  # with nothing on both sides
    inner = total[:, _FURTHEST + 1 : _FURTHEST + 1 + size]
    words.cumsum(out=inner[0])
    linked.cumsum(out=inner[1])
    total[:, _FURTHEST + 1 + size :] = inner[:, -1:]
    for line, reach in ((5, 4), (6, _FURTHEST)):
        begin, end = _FURTHEST - reach, _FURTHEST + reach + 1
        around = total[:, end : end + size] - total[:, begin : begin + size]
        np.divide(around[1], np.maximum(around[0], 1), out=out[line], casting="same_kind")


_FURTHEST = 10  # blocks on each side
