"""Labels: which blocks of a page are content according to its gold text.

Page and gold are sequences of tokens (`evaluate.scores.tokens`). Their longest common subsequence
pairs tokens of the page with tokens of the gold. A pair counts if the pair before or after it on
the page is also the one before or after it in the gold, so that a lone "the" proves nothing.
- A block of five tokens or more is content if at least half of its tokens are paired so.
- A shorter block is content if all its tokens are, and the pairing continues into the block before
  or after it; or if it is a whole line of the gold.
- Gold whose order differs from the page's is not paired: a block of five tokens or more is also
  content if at least half of its 4-token shingles are in what is left of the gold.

Text in the head, in `textarea` and in `select` is never content, though it is often a copy of it.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from thresher.evaluate.corpora import GoldPage
from thresher.evaluate.corrections import row_labels
from thresher.evaluate.scores import shingles, tokens
from thresher.page import Page
from thresher.page.array_types import Bools, Int64s
from thresher.page.arrays import inside
from thresher.page.plain_text import block_texts
from thresher.page.tags import NEVER_CONTENT

_SHORT = 5  # tokens
_SHARE = 0.5  # of a block's tokens
_MOST_CELLS = 4_000_000_000  # bits of the table that pairs are read from: half a gigabyte


def gold_labels(page: Page, gold: GoldPage) -> Bools:
    """Return one bool per text row: True if a correction, or else the gold text, has it."""
    if gold.content is not None:
        return row_labels(page, gold.content)
    return labels(page, gold.text)


def labels(page: Page, gold: str) -> Bools:
    """Return one bool per text row: True if it is content."""
    return page.blocks.text_mask(block_labels(page, gold))


def block_tokens(page: Page) -> list[list[str]]:
    """Return the tokens of each block; none for blocks that cannot be content."""
    texts = block_texts(page, page.all().keep, page.blocks.of_text)
    never = inside(NEVER_CONTENT[page.tag], page.end)[page.blocks.first].tolist()
    return [[] if never[block] else tokens(texts.get(block, "")) for block in range(len(never))]


def block_labels(page: Page, gold: str) -> Bools:
    """Return one bool per block: True if it is content."""
    return label_tokens(block_tokens(page), [tokens(line) for line in gold.split("\n")])


def label_tokens(blocks: list[list[str]], gold_lines: list[list[str]]) -> Bools:
    """Return one bool per block, given its tokens: True if it is content."""
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
    continues = before[first] | after[last]
    is_line = np.array([tuple(blocks[b]) in whole for b in short.nonzero()[0].tolist()], np.bool_)
    is_paired = paired[first] >= 0
    # One token alone is little evidence: the pairing must continue on both sides.
    continues &= (size[short] > 1) | (before[first] & after[last])
    content[short] = ((share[short] == 1) & continues) | (is_line & is_paired)
    return content


def _pairs(page: list[str], gold: list[str]) -> Int64s:
    """Return for each token of the page the token of the gold it is paired with, -1 for none."""
    from rapidfuzz.distance import LCSseq

    paired = np.full(len(page), -1, np.int64)
    if not page or not gold:
        return paired
    number: dict[str, int] = {}
    wanted = [number.setdefault(token, len(number)) for token in gold]
    # Tokens that the gold does not have are left out, which makes the table smaller.
    known = [place for place, token in enumerate(page) if token in number]
    ours = [number[page[place]] for place in known]
    step = max(1, _MOST_CELLS // max(len(wanted), 1))
    at = 0
    for start in range(0, len(ours), step):  # one step, except on enormous pages
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
    """Return which tokens of the page are paired together with the one before or after.

    The three arrays have one bool per token: for either, for the one before, for the one after.
    """
    beside = (paired[1:] == paired[:-1] + 1) & (paired[:-1] >= 0)
    before, after = np.zeros(len(paired), np.bool_), np.zeros(len(paired), np.bool_)
    before[1:], after[:-1] = beside, beside
    return before | after, before, after


def _left_over(blocks: list[list[str]], content: Bools, gold: list[str], paired: Int64s) -> Bools:
    """Return one bool per block: True if it is found in the gold that no content is paired with."""
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
