"""The compiled features of blocks: the arrays and constants that the kernel `_features` needs."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from thresher.methods.default.features import (
    _features,
    class_odds,
    densities,
    name_tokens,
    position,
    title,
)
from thresher.methods.default.features import page as of_page
from thresher.methods.default.features.characters import Characters, class_table
from thresher.methods.default.features.class_odds import NamePairs, NameTable
from thresher.methods.default.features.containers import Outline, Sums
from thresher.page import Page
from thresher.page.array_types import Float32s, UInt64s
from thresher.page.tags import BLOCK, NEVER_CONTENT, NUMBER
from thresher.page.tags import NAMES as TAG_NAMES
from thresher.page.views import PROSE_LINKS, PROSE_WORDS

_IS_BLOCK, _NEVER_CONTENT = BLOCK, NEVER_CONTENT
_CLASSES, _MEASURES = 8, len(densities.MEASURE)


def compiled_features(
    page: Page, table: NameTable, lines: tuple[int, ...], count_lines: int
) -> tuple[Float32s, Outline, NamePairs, int]:
    """Return the fields of `Features` for a page that has blocks.

    `lines` has the line of the matrix where each group of features begins.
    """
    blocks, body, tables = page.blocks, page.body, _tables(lines)
    size = len(blocks)
    number = np.empty(len(page), np.int32)
    count = _features.find_containers(
        page.tag, page.end, page.chars, _IS_BLOCK, _NEVER_CONTENT, body, number
    )
    allowed, of_blocks = np.empty(size, np.bool_), np.empty((3, size))
    container, last = np.empty(size, np.intp), np.zeros(size, np.uint8)
    counts = np.zeros((_CLASSES, size), np.int64)
    matrix = np.empty((count_lines, size), np.float32)
    row, tag, end = np.empty(count, np.int32), np.empty(count, np.uint16), np.empty(count, np.int32)
    links, sums = np.empty((4, count), np.intp), np.empty((len(Sums._fields), count))
    is_step, of_container = np.empty(count, np.bool_), np.empty(count, np.intp)
    measures = np.empty((_MEASURES, count), np.float32)
    pairs, headline, levels = _features.compute(
        tables, page, blocks, body, table.kernel, allowed, of_blocks, container, counts,
        last, matrix, number, row, tag, end, links, sums, is_step, of_container,
        measures,
    )  # fmt: skip
    words, linked, prose = of_blocks
    parent, outermost, wider, depth = links
    outline = Outline(
        page=page, allowed=allowed, words=words, chars=blocks.chars.astype(np.float64),
        linked=linked, prose=prose, characters=Characters(last, counts[1:7]), container=container,
        row=row, tag=tag, end=end, parent=parent, sums=Sums(*sums), outermost=outermost,
        wider=wider, is_step=is_step, depth=depth, levels=levels,
    )  # fmt: skip
    return matrix, outline, NamePairs(pairs, of_container), headline


@cache
def _tables(lines: tuple[int, ...]) -> Any:
    """Return what the compiled features need to know of the plain modules."""
    return _features.Tables(
        {
            "is_block": _IS_BLOCK,
            "never_content": _NEVER_CONTENT,
            "classes": class_table(),
            "element_bits": densities.ELEMENT_BITS,
            "heading_level": densities.HEADING_LEVEL,
            "tag_hash": position.TAG_HASH,
            "level_hash": position.LEVEL_HASH,
            "powers": _powers(),
            "reaches": np.array(position.REACHES, np.int64),
            "per_block": of_page.PER_BLOCK,
            "counted": of_page.COUNTED,
            "sections": of_page.SECTIONS,
            "lines": np.array(lines, np.int64),
        },
        {
            **{name: NUMBER[name] for name in ("a", "p", "img")},
            "prose_words": PROSE_WORDS,
            "prose_links": PROSE_LINKS,
            "known_tags": len(TAG_NAMES),
            "odd": position.ODD,
            "most_chars": name_tokens.MOST_CHARS,
            "most_words": name_tokens.MOST_WORDS,
            "decay": class_odds.DECAY,
            "least_chars": title.LEAST_CHARS,
            "least_share": title.LEAST_SHARE,
            "h1_bonus": title.H1_BONUS,
            "heading_bonus": title.HEADING_BONUS,
            "title": NUMBER["title"],
            "title_chars": title.MOST_CHARS,
            "in_main": of_page.INSIDE["in_main"],
            "in_article": of_page.INSIDE["in_article"],
        },
        of_page.OPEN_GRAPH_TYPES,
        of_page.schema_counts,
    )


def _powers() -> UInt64s:
    """Return the factor of each character of a word in its hash."""
    powers = np.full(name_tokens.MOST_CHARS, name_tokens.FACTOR, np.uint64)
    powers[0] = 1
    return powers.cumprod()
