"""Labels: which blocks of a page are content, told by its gold text.

Page and gold are sequences of tokens (`evaluate.scores.tokens`). Their longest common subsequence
pairs tokens of the page with tokens of the gold; a pair counts when the pair before or after it on
the page is also the one before or after it in the gold, so that a lone "the" proves nothing.
- A block of five tokens or more is content when at least half of its tokens are paired so.
- A shorter one when all are, and the pairing goes on into the block before it or after it; or when
  it is a whole line of the gold.
- Gold whose order differs from the page's is not paired by then: a block of five tokens or more
  is content too when at least half of its 4-token shingles stand in what is left of the gold.

Text in the head, in `textarea` and in `select` is never content, though it often holds a copy.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from thresher.evaluate.scores import shingles, tokens
from thresher.page import Page
from thresher.page.array_types import Bools, Int64s
from thresher.page.arrays import inside
from thresher.page.plain_text import block_texts
from thresher.page.tags import NEVER_CONTENT

_SHORT = 5  # tokens
_SHARE = 0.5  # of a block's tokens
_MOST_CELLS = 4_000_000_000  # bits of the table that pairs are read from: half a gigabyte


def labels(page: Page, gold: str) -> Bools:
    """Tell for each text row whether it is content."""
    return page.blocks.texts(block_labels(page, gold))


def can_be_content(page: Page) -> Bools:
    """Tell for each block whether it may be content at all."""
    never = inside(NEVER_CONTENT[page.tag], page.end)
    return ~never[page.blocks.first]


def block_tokens(page: Page) -> list[list[str]]:
    """Return the tokens of each block; none for those that cannot be content."""
    texts = block_texts(page, page.texts, page.all().keep, page.blocks.of_text)
    allowed = can_be_content(page).tolist()
    return [tokens(texts.get(b, "")) if allowed[b] else [] for b in range(len(page.blocks))]


def block_labels(page: Page, gold: str) -> Bools:
    """Tell for each block whether it is content."""
    return label_tokens(block_tokens(page), [tokens(line) for line in gold.split("\n")])


def label_tokens(blocks: list[list[str]], gold_lines: list[list[str]]) -> Bools:
    """Label blocks of tokens by the lines of the gold."""
    gold = [token for line in gold_lines for token in line]
    size = np.array([len(block) for block in blocks], np.int64)
    end = size.cumsum()
    paired = _pairs([token for block in blocks for token in block], gold)
    solid, before, after = _joined(paired)
    total = np.concatenate(([0], solid.cumsum()))
    share = (total[end] - total[end - size]) / np.maximum(size, 1)
    content: Bools = (size >= _SHORT) & (share >= _SHARE)
    content |= _left_over(blocks, content, gold, paired)

    short = (size > 0) & (size < _SHORT)
    whole = {tuple(line) for line in gold_lines if line}
    first, last = (end - size)[short], end[short] - 1
    goes_on = before[first] | after[last]
    lone = np.array([tuple(blocks[b]) in whole for b in short.nonzero()[0].tolist()], np.bool_)
    matched = paired[first] >= 0
    # One token alone says little: it must go on to both sides.
    goes_on &= (size[short] > 1) | (before[first] & after[last])
    content[short] = ((share[short] == 1) & goes_on) | (lone & matched)
    return content


def _pairs(page: list[str], gold: list[str]) -> Int64s:
    """Return for each token of the page its place in the gold, -1 for none."""
    from rapidfuzz.distance import LCSseq

    paired = np.full(len(page), -1, np.int64)
    if not page or not gold:
        return paired
    number: dict[str, int] = {}
    wanted = [number.setdefault(token, len(number)) for token in gold]
    # What the gold does not know cannot be paired: left out, it makes the table small.
    known = [place for place, token in enumerate(page) if token in number]
    ours = [number[page[place]] for place in known]
    step = max(1, _MOST_CELLS // max(len(wanted), 1))
    at = 0
    for start in range(0, len(ours), step):  # one step, but on enormous pages
        found = LCSseq.opcodes(ours[start : start + step], wanted[at:])
        last = at
        for part in found:
            if part.tag == "equal":
                places = np.array(known[start + part.src_start : start + part.src_end], np.int64)
                paired[places] = np.arange(at + part.dest_start, at + part.dest_end)
                last = at + part.dest_end
        at = last
    return paired


def _joined(paired: Int64s) -> tuple[Bools, Bools, Bools]:
    """Return which pairs stand beside another one on both sides of the pairing, and on which."""
    beside = (paired[1:] == paired[:-1] + 1) & (paired[:-1] >= 0)
    before, after = np.zeros(len(paired), np.bool_), np.zeros(len(paired), np.bool_)
    before[1:], after[:-1] = beside, beside
    return before | after, before, after


def _left_over(blocks: list[list[str]], content: Bools, gold: list[str], paired: Int64s) -> Bools:
    """Find long blocks among the gold that no content so far accounts for."""
    used = np.zeros(len(gold), np.bool_)
    of_token = np.repeat(np.arange(len(blocks)), [len(block) for block in blocks])
    taken = paired[content[of_token] & (paired >= 0)]
    used[taken] = True
    free = Counter(
        run for place, run in enumerate(shingles(gold)) if not used[place : place + len(run)].any()
    )
    found = np.zeros(len(blocks), np.bool_)
    if not free:
        return found
    for number in np.flatnonzero(~content).tolist():
        runs = shingles(blocks[number]) if len(blocks[number]) >= _SHORT else []
        common = [run for run in runs if free[run] > 0]
        if runs and len(common) >= _SHARE * len(runs):
            found[number] = True
            free.subtract(common)
    return found
