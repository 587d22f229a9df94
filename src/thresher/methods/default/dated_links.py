"""Lists of other news beside an article: links, each with a time or a date beside it.

    10:17 A new city has a million inhabitants
    The harbour is closed until Friday [ 12:16 14/1 ]

The trees judge each block alone, and each of these looks like the only line of a report. On a page
that has a text of its own, several of them are a list of what else there is. On a page without one
they may be its content. In a definition list, what is said below each link goes with it.

Word F1 on 300 pages of daniel rises by 0.0102 (nine pages gain, none loses); no page of dragnet,
cleaneval-dev, big9-chaos, wcxb-dev and fundus changes.
"""

from __future__ import annotations

import re

import numpy as np

from thresher.methods.default.features.containers import Outline
from thresher.methods.default.groups import blocks_inside, compiled_rules
from thresher.page.array_types import Bools, Floats
from thresher.page.core import COMPILED
from thresher.page.tags import NUMBER

_LEAST_LINKS = 5  # of a list
_MOST_READ = 400  # blocks
# Of a link with a time: the least words in the link, the most beside it, and the most of both.
_LINKED_WORDS, _WORDS_BESIDE, _MOST_WORDS = 2, 5, 30
_UNLIKELY = 0.05  # blocks up to this probability are dropped in any case
# The text of a page: the words of blocks that are probable, long enough and hardly linked.
_TEXT_WORDS, _BLOCK_WORDS, _PROBABLE, _MOST_LINKED = 50, 15, 0.5, 0.2

_TIME = r"\d{1,2}[:.]\d\d(?!\d)"
_DATE = r"\d{1,2}[/.]\d{1,2}(?:[/.]\d{2,4})?(?!\d)"
_BEGINS = re.compile(rf"\s*+(?:\[\s*+)?+(?:{_TIME}|{_DATE})")
_ENDS = re.compile(rf"(?<!\d)(?:{_TIME}|{_DATE})\s*+\]?+\s*+\Z")
_END = 12  # characters in which a time at the end begins


def without_dated_links(outline: Outline, probability: Floats) -> Floats:
    """Return the probabilities with 0 for lists of links with times, beside a text."""
    if len(outline) < _LEAST_LINKS:
        return probability
    if COMPILED and not compiled_rules(outline).may_have_dated_links(
        probability, _UNLIKELY, _LINKED_WORDS, _WORDS_BESIDE, _MOST_WORDS, _LEAST_LINKS
    ):
        return probability  # true of most pages
    beside = outline.words - outline.linked
    may_be = (probability > _UNLIKELY) & (outline.linked >= _LINKED_WORDS)
    may_be &= (beside >= 1) & (beside <= _WORDS_BESIDE) & (outline.words <= _MOST_WORDS)
    if np.count_nonzero(may_be) < _LEAST_LINKS:
        return probability
    is_text = (probability >= _PROBABLE) & (outline.words >= _BLOCK_WORDS)
    is_text &= outline.linked < _MOST_LINKED * outline.words
    if outline.words[is_text].sum() < _TEXT_WORDS:
        return probability
    text = outline.page.block_text
    chosen = may_be.nonzero()[0][:_MOST_READ].tolist()
    dated = [block for block in chosen if _is_dated(text(block))]
    if len(dated) < _LEAST_LINKS:
        return probability
    found = probability.copy()
    found[dated] = 0.0
    found[_in_definitions(outline, dated)] = 0.0
    return found


def _is_dated(text: str) -> bool:
    return _BEGINS.match(text) is not None or _ENDS.search(text.rstrip()[-_END:]) is not None


def _in_definitions(outline: Outline, blocks: list[int]) -> Bools:
    """Return one bool per block: True inside a definition list that has one of `blocks`."""
    around = outline.parent.take(outline.container.take(blocks))
    is_list = np.zeros(len(outline.tag), np.bool_)
    is_list[around[outline.tag.take(around) == NUMBER["dl"]]] = True
    return blocks_inside(outline, is_list)
