"""Lists, tables, quotes and code are kept or dropped whole, and with the text around them.

The trees judge each block alone, so where they are in doubt they would keep one item of a list in
four. Therefore the blocks of a list share one probability, the mean over its words
(`share_probability`), and a list, table, quote or code between kept text is kept with it
(`fill_between`). `_keep` has the compiled versions.
"""

from __future__ import annotations

import numpy as np

from thresher.methods.default.features.containers import Outline
from thresher.page.array_types import Bools, Floats, Rows
from thresher.page.core import COMPILED
from thresher.page.tags import NUMBER, lookup
from thresher.page.visibility import hidden_blocks

if COMPILED:
    from thresher.methods.default import _keep

_LIST, _TABLE = lookup("ul ol dl"), NUMBER["table"]
_MOST_TABLE_WORDS = 200  # of a table that shares one probability; old pages are laid out in larger
_SHARES = _LIST | lookup("table")
_GROUP = lookup("ul ol dl table blockquote pre")

# Of a group between kept text: the least mean probability and the largest share of words in links.
# Swept in three folds by site: 0.05 to 0.3 give wcxb-dev 0.0004, and no other corpus changes more.
_LEAST_PROBABILITY, _MOST_LINKS = 0.05, 0.5


def share_probability(outline: Outline, probability: Floats) -> Floats:
    """Return the probabilities with one for each list and small table: the mean over its words.

    Blocks with probability 0, which cannot be content, keep it.
    """
    compute = _compiled_share if COMPILED else _plain_share
    return compute(outline, probability)


def _compiled_share(outline: Outline, probability: Floats) -> Floats:
    found = np.empty(len(probability))
    _keep.share_means(
        outline.tag, outline.parent, outline.container, outline.words, probability,
        _SHARES.view(np.uint8), _TABLE, _MOST_TABLE_WORDS, np.empty(len(outline.tag), np.intp),
        np.zeros((2, len(outline.tag))), found,
    )  # fmt: skip
    return found


def _plain_share(outline: Outline, probability: Floats) -> Floats:
    is_table = outline.tag == _TABLE
    is_group = _LIST.take(outline.tag) | is_table
    if not is_group.any():
        return probability
    group = outline.nearest(is_group).take(outline.container)
    blocks = (group >= 0).nonzero()[0]
    group, own, words = group.take(blocks), probability.take(blocks), outline.words.take(blocks)
    held = np.bincount(group, words, len(is_group))
    mean = np.bincount(group, own * words, len(is_group)) / np.maximum(held, 1)
    shares = (own > 0) & (~is_table | (held <= _MOST_TABLE_WORDS)).take(group)
    found = probability.copy()
    found[blocks] = np.where(shares, mean.take(group), own)
    return found


def fill_between(outline: Outline, probability: Floats, kept: Bools) -> Bools:
    """Keep also each list, table, quote or code whose neighbours on both sides are kept.

    The neighbours are the blocks with words before and after it; they must be in the same
    container. Hidden blocks and those with probability 0 stay out.
    """
    compute = _compiled_fill if COMPILED else _plain_fill
    return compute(outline, probability, kept)


def _compiled_fill(outline: Outline, probability: Floats, kept: Bools) -> Bools:
    found = kept.copy()
    _keep.fill_groups(
        outline.row, outline.end, outline.tag, outline.parent, outline.container,
        outline.page.blocks.first, outline.words, outline.linked, probability,
        hidden_blocks(outline.page).view(np.uint8), _GROUP.view(np.uint8), _LEAST_PROBABILITY,
        _MOST_LINKS, np.zeros(len(outline.row), np.uint8), np.empty(len(outline), np.intp),
        found.view(np.uint8),
    )  # fmt: skip
    return found


def _plain_fill(outline: Outline, probability: Floats, kept: Bools) -> Bools:
    worded = (outline.words > 0).nonzero()[0]  # the blocks with words
    first = outline.page.blocks.first
    group = _outermost_groups(outline)
    row, row_end = outline.row.take(group), outline.end.take(group)
    begin, end = first.take(worded).searchsorted((row, row_end))  # places in `worded`
    has_words = (begin < end).nonzero()[0]
    group, begin, end, row, row_end = (
        values.take(has_words) for values in (group, begin, end, row, row_end)
    )
    fits = (begin > 0) & (end < len(worded))
    if fits.any():
        neighbours = worded.take((begin - 1, end), mode="clip")
        fits &= _has_kept_neighbours(outline, kept, neighbours, begin[1:] == end[:-1], group)
    if not fits.any():
        return kept
    size = end[fits] - begin[fits]
    number = np.arange(len(size)).repeat(size)  # of the group that a block with words is in
    member = worded.take(np.arange(len(number)) + (end[fits] - size.cumsum()).repeat(size))
    words, linked, expected = (
        np.bincount(number, values.take(member))
        for values in (outline.words, outline.linked, probability * outline.words)
    )
    fits[fits] = (expected >= _LEAST_PROBABILITY * words) & (linked < _MOST_LINKS * words)
    step = np.zeros(len(outline) + 1, np.int8)  # groups are disjoint: 1 inside one, 0 elsewhere
    step[first.searchsorted(row[fits])] = 1
    step[first.searchsorted(row_end[fits])] -= 1
    is_inside = step[:-1].cumsum(dtype=np.int8).view(np.bool_)
    return kept | (is_inside & (probability > 0) & ~hidden_blocks(outline.page))


def _outermost_groups(outline: Outline) -> Rows:
    """Return the containers that are lists, tables, quotes or code, and in no other such one."""
    group = _GROUP.take(outline.tag).nonzero()[0]
    is_outermost = np.ones(len(group), np.bool_)
    reached = np.maximum.accumulate(outline.end.take(group))
    np.less_equal(reached[:-1], outline.row.take(group[1:]), out=is_outermost[1:])
    return group[is_outermost]


def _has_kept_neighbours(
    outline: Outline, kept: Bools, neighbours: Rows, meets_next: Bools, group: Rows
) -> Bools:
    """Return one bool per group: True if both neighbours are kept and in the same container.

    `neighbours` has the block before and the block after each group, `meets_next` says which groups
    have no words between them and the next group. The container of a neighbour that is itself in a
    group is the one around that group.
    """
    around = outline.parent.take(group)
    container = outline.container.take(neighbours)
    beside = outline.parent.take(container)
    meets = meets_next.nonzero()[0]
    beside[0, meets + 1] = around.take(meets)
    beside[1, meets] = around.take(meets + 1)
    fits = kept.take(neighbours) & ((beside == around) | (container == around))
    both: Bools = fits[0] & fits[1]
    return both
