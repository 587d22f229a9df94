"""The position of a block among the others, blocks like it, and its neighbours."""

from __future__ import annotations

from collections.abc import Mapping
from operator import itemgetter

import numpy as np

from thresher.methods.default.features.class_odds import NamePairs
from thresher.methods.default.features.containers import Outline
from thresher.page.array_types import Bools, Float32s, Floats, Rows


def _path_features(path: str, meaning: str) -> tuple[tuple[str, str], ...]:
    return (
        (f"{path}_count", f"blocks with the same {meaning}"),
        (f"{path}_share", f"share of the page's words in blocks with the same {meaning}"),
        (f"{path}_links", f"share of words in links in blocks with the same {meaning}"),
        (f"{path}_span", f"share of all blocks from the first to the last with the same {meaning}"),
        (f"{path}_words", f"words a block, of those with the same {meaning}"),
    )


POSITION_FEATURES = {
    "own": (
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
    ),
    "position": (
        ("place", "number of the block over the number of blocks"),
        ("from_start", "blocks before it"),
        ("to_end", "blocks from it to the end"),
        ("words_before", "share of the page's words before it"),
    ),
    "distance from h1": (
        ("h1_blocks", "blocks after the first h1, negative before it; -999 without one"),
        ("h1_words", "share of the page's words between the first h1 and it; -9 without one"),
    ),
    "last heading": (
        ("heading_blocks", "blocks since the last heading, -1 before the first"),
        ("heading_words", "words since the last heading, -1 before the first"),
        ("heading_last", "level of the last heading, 0 before the first"),
    ),
    "section": (
        ("section_share", "share of the page's words from the last heading to the next"),
        ("section_links", "share of words in links, from the last heading to the next"),
        ("section_blocks", "blocks from the last heading to the next"),
        ("section_block_words", "words a block, from the last heading to the next"),
    ),
    "same tag path": _path_features("tagpath", "tag path"),
    "same class path": _path_features("namepath", "tag and class path"),
    "copies": (
        ("copies", "blocks that begin with the same text and have as many characters"),
        ("copies_before", "blocks before it with the same beginning and length"),
    ),
    "block before": (
        ("before_words", "words of the block before"),
        ("before_links", "share of links in the block before"),
    ),
    "block after": (
        ("after_words", "words of the block after"),
        ("after_links", "share of links in the block after"),
        ("after_stops", "stops of the block after"),
    ),
    "neighbours": (
        ("near4_links", "share of words in links, of four blocks on each side"),
        ("near10_links", "share of words in links, of ten blocks on each side"),
    ),
}
REACHES = (4, 10)  # blocks on each side that count as neighbours


def fill_position_features(
    outline: Outline, names: NamePairs, h1: int, level: Floats, lines: Mapping[str, Float32s]
) -> None:
    """Fill in POSITION_FEATURES.

    `h1` is the block of the first h1 (-1: none), `level` has the heading level of each block.
    """
    size = len(outline)
    totals = np.zeros((2, size + 1))  # words and linked words before each block, and of all
    outline.words.cumsum(out=totals[0, 1:])
    outline.linked.cumsum(out=totals[1, 1:])
    words_before, total = totals[0, :-1], max(float(totals[0, -1]), 1.0)
    _fill_own(outline, lines["own"])
    number = np.arange(size)
    place, from_start, to_end, share_before = lines["position"]
    place[:], from_start[:], to_end[:] = number / size, number, size - number
    share_before[:] = words_before / total
    fill_distance(h1, words_before, total, lines["distance from h1"])
    is_heading = (level > 0) & outline.allowed
    section = is_heading.cumsum()  # of each block; 0 before the first heading
    _fill_last_heading(is_heading, section, level, words_before, lines["last heading"])
    _fill_section(outline, section, total, lines["section"])
    tag_paths, class_paths = _path_keys(outline, names)
    _fill_same_path(outline, tag_paths, total, lines["same tag path"])
    _fill_same_path(outline, class_paths, total, lines["same class path"])
    _fill_copies(_beginning_keys(outline), lines["copies"])
    _fill_neighbours(outline, totals, lines)


def fill_distance(block: int, words_before: Floats, total: float, lines: Float32s) -> None:
    """Fill in the distance of each block from one block, in blocks and in share of words.

    The distance is positive after that block; without one (-1) it is -999 and -9. `words_before`
    has the words before each block, `total` is the number of words on the page.
    """
    blocks, words = lines
    if block < 0:
        blocks[:], words[:] = -999.0, -9.0
        return
    blocks[:] = np.arange(len(words_before)) - block
    words[:] = (words_before - words_before[block]) / total


def _fill_own(outline: Outline, lines: Float32s) -> None:
    """Fill in the numbers of the block itself."""
    found = outline.characters
    some_words = np.maximum(outline.words, 1)
    of_text = outline.page.blocks.of_text
    texts = np.bincount(of_text + 1, minlength=len(outline) + 1)[1:]  # the first: of no block
    values = (
        outline.words, outline.page.blocks.chars, outline.linked / some_words, texts, found.stops,
        found.commas, found.capitals, found.capitals / some_words, found.digits / some_words,
        found.money, found.last,
    )  # fmt: skip
    for line, value in zip(lines, values, strict=True):
        line[:] = value


def _fill_last_heading(
    is_heading: Bools, section: Rows, level: Floats, words_before: Floats, lines: Float32s
) -> None:
    """Fill in the distance of each block from the last heading, and that heading's level."""
    headings = is_heading.nonzero()[0]
    blocks, words, last_level = lines
    lines[:2], last_level[:] = -1.0, 0.0
    if len(headings):
        first = int(headings[0])
        last = headings.take(section[first:] - 1)
        blocks[first:] = np.arange(first, len(section)) - last
        words[first:] = words_before[first:] - words_before.take(last)
        last_level[first:] = level.take(last)


def _fill_section(outline: Outline, section: Rows, total: float, lines: Float32s) -> None:
    """Fill in the sums over the section of each block, from a heading to the next."""
    count = np.bincount(section)
    words = np.bincount(section, outline.words)
    linked = np.bincount(section, outline.linked)
    values = (words / total, linked / np.maximum(words, 1), count, words / np.maximum(count, 1))
    np.array(values, np.float32).take(section, axis=1, out=lines, mode="clip")


_INDEX = np.arange(1, 65_537, dtype=np.uint64)
TAG_HASH = _INDEX * np.uint64(0xBF58476D1CE4E5B9)  # multiplied by odd numbers, then mixed
TAG_HASH ^= TAG_HASH >> np.uint64(31)
LEVEL_HASH = _INDEX[:1_024] * np.uint64(0x94D049BB133111EB)
LEVEL_HASH = (LEVEL_HASH ^ LEVEL_HASH >> np.uint64(29)) | np.uint64(1)
ODD = np.uint64(0x9E3779B97F4A7C15)


def _path_keys(outline: Outline, names: NamePairs) -> tuple[Rows, Rows]:
    """Return a hash of each block's tag path, and one of its tag and class path.

    The hash of a path is the sum over its containers of a random number of the tag or class times
    an odd random number of the level, plus a number of the element around the first text. Equal
    paths have equal hashes, and different paths nearly always differ.
    """
    page = outline.page
    of_level = LEVEL_HASH.take(page.level.take(outline.row), mode="wrap")
    classes = map(itemgetter(0), names.pairs)
    of_pair = np.fromiter(map(hash, classes), np.int64, len(names.pairs))
    of_pair &= 2**63 - 1
    hashes = np.empty((2, len(outline.row)), np.uint64)
    TAG_HASH.take(outline.tag, out=hashes[0], mode="clip")
    (of_pair.view(np.uint64) * ODD).take(names.of_container, out=hashes[1], mode="clip")
    inner = TAG_HASH.take(page.tag.take(page.parent.take(page.blocks.first))) * ODD
    tags, both = outline.nesting.sum_outwards(hashes * of_level).take(outline.container, axis=1)
    tags += inner
    both += tags
    return tags.view(np.int64), both.view(np.int64)


def _beginning_keys(outline: Outline) -> Rows:
    """Return a hash of each block's first text and its number of characters.

    Only the texts of blocks with as many characters as another block are read.
    """
    page, blocks = outline.page, outline.page.blocks
    alike = (np.bincount(blocks.chars).take(blocks.chars) > 1).nonzero()[0]
    first = blocks.texts_from.take(alike).tolist()
    key = blocks.chars.astype(np.int64)
    hashes = map(hash, map(page.texts.__getitem__, first))
    key[alike] += np.fromiter(hashes, np.int64, len(first)) * 31
    return key


def _groups(keys: Rows) -> tuple[Rows, Rows, Rows]:
    """Group blocks with equal keys.

    Return the blocks sorted by group and within it by place, where each group begins among them,
    and the group of each of them.
    """
    order = keys.argsort(kind="stable")
    ordered = keys.take(order)
    is_first = np.ones(len(keys), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=is_first[1:])
    group = is_first.cumsum()
    group -= 1
    return order, is_first.nonzero()[0], group


def _fill_same_path(outline: Outline, keys: Rows, total: float, lines: Float32s) -> None:
    """Fill in the sums over all blocks with the same path, given by its key."""
    order, begin, group = _groups(keys)
    count = np.bincount(group)
    words = np.add.reduceat(outline.words.take(order), begin)
    linked = np.add.reduceat(outline.linked.take(order), begin)
    span = order.take(begin + count - 1) - order.take(begin)
    values = (
        count, words / total, linked / np.maximum(words, 1), span / len(outline), words / count,
    )  # fmt: skip
    group_of_block = np.empty(len(keys), np.intp)
    group_of_block[order] = group
    np.array(values, np.float32).take(group_of_block, axis=1, out=lines, mode="clip")


def _fill_copies(keys: Rows, lines: Float32s) -> None:
    """Fill in how many blocks have the same key, and how many of them come before."""
    order, begin, group = _groups(keys)
    copies, copies_before = lines
    copies[order] = np.bincount(group).take(group)
    copies_before[order] = np.arange(len(keys)) - begin.take(group)


def _fill_neighbours(outline: Outline, totals: Floats, lines: Mapping[str, Float32s]) -> None:
    """Fill in the numbers of the block before, the block after, and some blocks on both sides.

    `totals` has the words and the linked words before each block, and of all blocks.
    """
    words, links = outline.words, outline.linked / np.maximum(outline.words, 1)
    before, after = lines["block before"], lines["block after"]
    before[:, 0], after[:, -1] = -1.0, -1.0
    for line, values in zip(before, (words, links), strict=True):
        line[1:] = values[:-1]
    for line, following in zip(after, (words, links, outline.characters.stops), strict=True):
        line[:-1] = following[1:]
    number = np.arange(len(outline))
    for line, reach in zip(lines["neighbours"], REACHES, strict=True):
        upto = totals.take(number + (reach + 1), axis=1, mode="clip")
        held, linked = upto - totals.take(number - reach, axis=1, mode="clip")
        line[:] = linked / np.maximum(held, 1)
