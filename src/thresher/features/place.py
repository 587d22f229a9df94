"""Place: where a block stands among the others, what repeats it, and what is beside it."""

from __future__ import annotations

import numpy as np

from thresher.arrays import groups_rank
from thresher.features.frame import Floats, Frame, Places, within
from thresher.features.names import Named

__all__ = ["PLACE_FEATURES", "place_features"]

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

_NO_H1 = (-999.0, -9.0)


def place_features(frame: Frame, names: Named, h1: int, level: Floats) -> Floats:
    """Return PLACE_FEATURES; `level` tells the headings, `h1` which block is the first h1."""
    size = len(frame)
    words, linked = frame.words, frame.linked
    total = max(float(words.sum()), 1.0)
    before = words.cumsum() - words
    own = np.arange(size, dtype=np.float64)
    if h1 >= 0:
        from_h1 = np.stack((own - h1, (before - before[h1]) / total))
    else:
        from_h1 = np.repeat(np.array(_NO_H1)[:, np.newaxis], size, 1)
    place = np.stack((own / max(size, 1), own, size - own, before / total))
    keys = _paths(frame, names)
    copies = _copies(frame)
    return np.concatenate(
        (
            _own(frame),
            place,
            from_h1,
            _sections(frame, level, before, total),
            _repeated(keys[0], words, linked, total),
            _repeated(keys[1], words, linked, total),
            copies,
            _beside(frame),
        )
    )


def _own(frame: Frame) -> Floats:
    found = frame.characters
    words = np.maximum(frame.words, 1)
    texts = frame.page.blocks.of_text
    count = np.bincount(texts[texts >= 0], minlength=len(frame))
    return np.stack(
        (
            frame.words, frame.chars, frame.linked / words, count, found.stops, found.commas,
            found.capitals, found.capitals / words, found.digits / words, found.money, found.last,
        )
    )  # fmt: skip


def _sections(frame: Frame, level: Floats, before: Floats, total: float) -> Floats:
    """Describe the way from the last heading, and the section that it opens."""
    size = len(frame)
    own = np.arange(size)
    last = np.maximum.accumulate(np.where((level > 0) & frame.allowed, own, -1))
    any_before = last >= 0
    section = last + 1
    words = np.bincount(section, frame.words, size + 1)
    linked = np.bincount(section, frame.linked, size + 1)
    count = np.bincount(section, minlength=size + 1)
    shape = np.stack(
        (words / total, linked / np.maximum(words, 1), count, words / np.maximum(count, 1))
    )
    return np.concatenate(
        (
            np.where(any_before, np.stack((own - last, before - before[last])), -1.0),
            np.where(any_before, level[last], 0.0)[np.newaxis],
            shape.take(section, axis=1),
        )
    )


_SEED = np.random.default_rng(7)
_OF_TAG = _SEED.integers(0, 2**63, 65_536).astype(np.uint64)
_ODD = np.uint64(0x9E3779B97F4A7C15)


def _paths(frame: Frame, names: Named) -> tuple[Places, Places]:
    """Return a key of each block's tag path, and one of its tag and class path.

    A path is the sum over its containers of a random number that depends on name and depth: equal
    paths have equal sums, different ones differ but for a chance of one in 2**64.
    """
    page = frame.page
    depth = page.level[frame.row].astype(np.uint64) * np.uint64(2) + np.uint64(1)
    of_tag = _OF_TAG.take(page.tag.take(frame.row)) * depth
    of_pair = np.array([hash(pair[0]) & (2**63 - 1) for pair in names.pairs], np.uint64)
    of_name = (of_pair * _ODD).take(names.of_container) * depth
    inner = _OF_TAG.take(page.tag.take(page.parent[page.blocks.first])) * _ODD
    tags = within(of_tag, frame.row, frame.end).astype(np.uint64)
    both = tags + within(of_name, frame.row, frame.end).astype(np.uint64)
    return (tags[frame.home] + inner).view(np.int64), (both[frame.home] + inner).view(np.int64)


def _groups(key: Places) -> tuple[Places, Places, Places]:
    """Return the group of each element, and first and last element of each group."""
    order = key.argsort(kind="stable")
    sorted_key = key[order]
    starts = np.ones(len(key), np.bool_)
    starts[1:] = sorted_key[1:] != sorted_key[:-1]
    group = np.empty(len(key), np.intp)
    group[order] = starts.cumsum() - 1
    begin = starts.nonzero()[0]
    return group, order[begin], order[np.append(begin[1:], len(key))[: len(begin)] - 1]


def _repeated(key: Places, words: Floats, linked: Floats, total: float) -> Floats:
    """Describe the blocks with the same key."""
    group, first, last = _groups(key)
    count = np.bincount(group)
    held, held_links = np.bincount(group, words), np.bincount(group, linked)
    lines = (
        count,
        held / total,
        held_links / np.maximum(held, 1),
        (last - first) / max(len(key), 1),
        held / np.maximum(count, 1),
    )
    return np.array(lines, np.float64).take(group, axis=1)


def _copies(frame: Frame) -> Floats:
    """Count the blocks that begin with the same text and are as long, and those before each."""
    blocks = frame.page.blocks
    texts = frame.page.texts
    first = frame.page.text_rows.searchsorted(blocks.first)
    code = np.array([hash(texts[index]) for index in first.tolist()], np.int64)
    key = code * 31 + blocks.chars
    order = key.argsort(kind="stable")
    rank = np.empty(len(key), np.intp)
    rank[order] = groups_rank(key[order])
    group, _, _ = _groups(key)
    return np.stack((np.bincount(group)[group], rank)).astype(np.float64)


def _beside(frame: Frame) -> Floats:
    """Describe the neighbours."""
    size = len(frame)
    words = frame.words
    share = frame.linked / np.maximum(words, 1)
    each = np.full((3, size + 2), -1.0)
    each[0, 1:-1], each[1, 1:-1], each[2, 1:-1] = words, share, frame.characters.stops
    total = np.zeros((2, size + 1))
    np.cumsum(np.stack((words, frame.linked)), axis=1, out=total[:, 1:])
    own = np.arange(size)
    near = []
    for reach in (4, 10):
        begin, end = np.maximum(own - reach, 0), np.minimum(own + reach + 1, size)
        around = total.take(end, axis=1) - total.take(begin, axis=1)
        near.append(around[1] / np.maximum(around[0], 1))
    return np.stack((each[0, :-2], each[1, :-2], each[0, 2:], each[1, 2:], each[2, 2:], *near))
