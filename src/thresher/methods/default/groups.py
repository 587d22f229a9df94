"""Wholes: lists, tables, quotes and code stand or fall as a whole, and with the text around them.

Trees judge each block alone, and where they are in doubt, they would keep one point of a list in
four. So the blocks of a list share one probability, the mean over its words (`as_wholes`), and
what stands in the middle of kept text is kept with it (`between`).
"""

from __future__ import annotations

import numpy as np

from thresher.methods.default.features.containers import Frame
from thresher.page.array_types import Bools, Floats, Rows
from thresher.page.tags import NUMBER, lookup
from thresher.page.visibility import unseen_blocks

_LIST, _TABLE = lookup("ul ol dl"), NUMBER["table"]
_SMALL = 200  # words of a table; old pages are laid out in larger ones
_WHOLE = lookup("ul ol dl table blockquote pre")

# Of what stands in the middle of kept text: its least probability, its most words in links. Swept
# in three folds by site: 0.05 to 0.3 give wcxb-dev 0.0004, and change no other corpus by more.
_LEAST, _LINKS = 0.05, 0.5


def as_wholes(frame: Frame, probability: Floats) -> Floats:
    """Give the blocks of a list, or of a small table, one probability: the mean of its words.

    What was ruled out (0) stays out.
    """
    is_table = frame.tag == _TABLE
    is_group = _LIST.take(frame.tag) | is_table
    if not is_group.any():
        return probability
    group = frame.nearest(is_group).take(frame.home)
    listed = (group >= 0).nonzero()[0]
    group, own, words = group.take(listed), probability.take(listed), frame.words.take(listed)
    held = np.bincount(group, words, len(is_group))
    mean = np.bincount(group, own * words, len(is_group)) / np.maximum(held, 1)
    as_one = (own > 0) & (~is_table | (held <= _SMALL)).take(group)
    found = probability.copy()
    found[listed] = np.where(as_one, mean.take(group), own)
    return found


def between(frame: Frame, probability: Floats, kept: Bools) -> Bools:
    """Keep a list, a table, a quote or code too whose neighbours on both sides are kept.

    Neighbours are the blocks before and after, in the same container; hidden text stays out.
    """
    solid = (frame.words > 0).nonzero()[0]
    first = frame.page.blocks.first
    whole = _outermost(frame)
    bounds = np.array((frame.row.take(whole), frame.end.take(whole)))
    begin, end = first.take(solid).searchsorted(bounds)  # its blocks with words
    some = (begin < end).nonzero()[0]
    begin, end, whole, bounds = (part.take(some, axis=-1) for part in (begin, end, whole, bounds))
    fits = (begin > 0) & (end < len(solid))
    if fits.any():
        neighbour = solid.take((begin - 1, end), mode="clip")
        fits &= _has_neighbours(frame, kept, neighbour, (begin, end), whole)
    if not fits.any():
        return kept
    begin, end, bounds = begin[fits], end[fits], bounds[:, fits]
    edges = np.array((begin, end)).T.ravel()
    words, linked, expected = (
        np.add.reduceat(line.take(solid), edges)[::2]
        for line in (frame.words, frame.linked, probability * frame.words)
    )
    chosen = (expected >= _LEAST * words) & (linked < _LINKS * words)
    step = np.zeros(len(frame) + 1, np.int8)  # wholes lie apart: 1 in the chosen, 0 elsewhere
    begins, ends = first.searchsorted(bounds[:, chosen])
    step[begins] = 1
    step[ends] -= 1
    inside = step[:-1].cumsum(dtype=np.int8).view(np.bool_)
    return kept | (inside & (probability > 0) & ~unseen_blocks(frame.page))


def _outermost(frame: Frame) -> Rows:
    """Return the containers that are lists, tables, quotes or code, and stand in no other."""
    whole = _WHOLE.take(frame.tag).nonzero()[0]
    apart = np.ones(len(whole), np.bool_)
    reached = np.maximum.accumulate(frame.end.take(whole))
    np.less_equal(reached[:-1], frame.row.take(whole[1:]), out=apart[1:])
    return whole[apart]


def _has_neighbours(
    frame: Frame, kept: Bools, neighbour: Rows, bounds: tuple[Rows, Rows], whole: Rows
) -> Bools:
    """Tell of which wholes both neighbours are kept and stand in the same container.

    A neighbour that stands in a whole itself stands where that does. `neighbour` has the blocks
    before and after, `bounds` where the blocks of each whole begin and end.
    """
    around = frame.parent.take(whole)
    home = frame.home.take(neighbour)
    beside = frame.parent.take(home)
    begin, end = bounds
    meet = (begin[1:] == end[:-1]).nonzero()[0]
    beside[0, meet + 1] = around.take(meet)
    beside[1, meet] = around.take(meet + 1)
    fits = kept.take(neighbour) & ((beside == around) | (home == around))
    both: Bools = fits[0] & fits[1]
    return both
