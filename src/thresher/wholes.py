"""Wholes: lists, tables, quotes and code stand or fall as a whole, and with the text around them.

Trees judge each block alone, and where they are in doubt, they would keep one point of a list in
four. So the blocks of a list share one probability, the mean over its words (`as_wholes`), and
what stands in the middle of kept text is kept with it (`between`).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from thresher.arrays import nearest
from thresher.columns import Bools
from thresher.features.frame import Floats, Frame
from thresher.tags import NUMBER, lookup

__all__ = ["as_wholes", "between"]

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
    tag = frame.page.tag.take(frame.row)
    is_table = tag == _TABLE
    group = nearest(_LIST.take(tag) | is_table, frame.above).take(frame.home)
    listed = (group >= 0).nonzero()[0]
    if not len(listed):
        return probability
    group, own, words = group.take(listed), probability.take(listed), frame.words.take(listed)
    held = np.bincount(group, words, len(tag))
    mean = np.bincount(group, own * words, len(tag)) / np.maximum(held, 1)
    as_one = (own > 0) & (~is_table | (held <= _SMALL)).take(group)
    found = probability.copy()
    found[listed] = np.where(as_one, mean.take(group), own)
    return found


def between(frame: Frame, probability: Floats, kept: Bools) -> Bools:
    """Keep a list, a table, a quote or code too whose neighbours on both sides are kept.

    Neighbours are the blocks before and after, in the same container; hidden text stays out.
    """
    solid = (frame.words > 0).nonzero()[0]
    if len(solid) < 3:
        return kept
    of_block = _outermost(frame).take(frame.home)
    whole = of_block.take(solid)
    begin = np.concatenate(([True], whole[1:] != whole[:-1])).nonzero()[0]
    end = np.append(begin[1:], len(solid))
    inner = (whole.take(begin) >= 0) & (begin > 0) & (end < len(solid))
    begin, end = begin[inner], end[inner]
    if not len(begin):
        return kept
    around = frame.parent.take(whole.take(begin))
    fits = np.ones(len(begin), np.bool_)
    for neighbour in (begin - 1, end):
        home = frame.home.take(solid.take(neighbour))
        own = whole.take(neighbour)
        beside = np.where(own >= 0, frame.parent.take(own), frame.parent.take(home))
        fits &= kept.take(solid.take(neighbour)) & ((beside == around) | (home == around))
    words, linked, expected = (
        np.add.reduceat(line.take(solid), np.stack((begin, end), axis=1).ravel())[::2]
        for line in (frame.words, frame.linked, probability * frame.words)
    )
    fits &= (expected >= _LEAST * words) & (linked < _LINKS * words)
    filled = np.zeros(len(frame.row), np.bool_)
    filled[whole.take(begin[fits])] = True
    inside = (of_block >= 0) & filled.take(of_block, mode="clip")
    return kept | (inside & (probability > 0) & ~frame.page.blocks.hidden)


def _outermost(frame: Frame) -> npt.NDArray[np.intp]:
    """Return for each container the outermost list, table, quote or code around it, -1 if none."""
    is_whole = _WHOLE.take(frame.page.tag.take(frame.row))
    depth = frame.nesting.within(is_whole.astype(np.int64))
    return nearest(is_whole & (depth == 1), frame.above)
