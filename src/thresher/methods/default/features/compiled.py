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
from thresher.page.array_types import Float32s
from thresher.page.tags import BLOCK, NEVER_CONTENT, NUMBER
from thresher.page.tags import NAMES as TAG_NAMES
from thresher.page.views import PROSE_LINKS, PROSE_WORDS


def compiled_features(
    page: Page, table: NameTable, lines: tuple[int, ...]
) -> tuple[Float32s, Outline, NamePairs, int]:
    """Return the fields of `Features` for a page that has blocks.

    `lines` has the line of the matrix where each group of features begins.
    """
    matrix, headline, pairs, of_container, made, levels = _features.compute(
        _tables(lines), page, page.blocks, page.body, table.kernel
    )
    allowed, (words, linked, prose), container, last, counts, row, tag, end, links, *rest = made
    parent, outermost, wider, depth = links
    sums, is_step = rest
    page.prefill(block_names=(row, pairs, of_container))
    outline = Outline(
        page, allowed, words, linked, prose, Characters(last, counts[1:7]), container, row, tag,
        end, parent, Sums(*sums), outermost, wider, is_step, depth, levels,
    )  # fmt: skip
    return matrix, outline, NamePairs(pairs, of_container), headline


@cache
def _tables(lines: tuple[int, ...]) -> Any:
    """Return what the compiled features need to know of the plain modules."""
    return _features.Tables(
        {
            "is_block": BLOCK,
            "never_content": NEVER_CONTENT,
            "classes": class_table(),
            "element_bits": densities.ELEMENT_BITS,
            "heading_level": densities.HEADING_LEVEL,
            "tag_hash": position.TAG_HASH,
            "level_hash": position.LEVEL_HASH,
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
            "kinds": len(of_page.KINDS),
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
