"""Blocks that are kept because the blocks around them are.

The trees judge each block alone. A label such as "Pros", which is repeated on the page, a bold line
or a heading may fall below the threshold although the text around it is kept. Rules keep them,
in this order. Blocks without words are skipped, hidden ones and the headline stay out.

- A block without links between two kept ones is kept if it is short, or is a `p` that is probable
  enough. The containers of the three are the same, siblings, or one around the other.
- A heading from `h2` on is kept if the next block is, and is no heading of its level or above, and
  if the block before it is kept. Dropped headings before it are skipped. The next block is inside
  of the second container around the heading. Headings of links stay out.
- In articles, a `p` that is probable enough is kept if most words of the `p` beside it are. What
  such text says of itself stays out: addresses, credits, requests to write or to follow.
- A formula in MathML is kept if the block before or after it is, in the element around it or in
  that around this one.

`_keep` has the compiled version of the first two.
"""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from thresher.methods.default.features.containers import Outline
from thresher.methods.default.features.densities import HEADING_LEVEL, LEVEL_OF_TAG
from thresher.page import Page
from thresher.page.array_types import Bools, Floats, Rows, UInt8s
from thresher.page.arrays import innermost
from thresher.page.tags import NUMBER
from thresher.page.visibility import hidden_blocks

# Of a block between kept ones: the words of a short one, the least probability of a short one and
# of a `p`. Both rules were chosen on dragnet, daniel, big9-chaos, cleaneval-dev, and two folds by
# site of wcxb-dev and fundus: together they gain 0.0001 to 0.0006 of word F1 on each.
_SHORT_WORDS, _LEAST_SHORT, _LEAST_PARAGRAPH = 8, 0.05, 0.3
_MOST_LINKS = 0.5  # share of the words of a heading
NEIGHBOUR_LIMITS = _SHORT_WORDS, _LEAST_SHORT, _LEAST_PARAGRAPH, _MOST_LINKS
_PARAGRAPH, _LINK = NUMBER["p"], NUMBER["a"]


# Of a `p` beside kept ones: its least probability, its least words, the most of them in links, and
# the least share of the words of all `p` beside it. Word F1 on 300 pages each rises by 0.0025 on
# voa-dari, 0.0010 on dragnet, 0.0006 on big9-chaos, 0.0002 on fundus and 0.0001 on daniel. With all
# texts that `_ASIDE` leaves out, big9-chaos and fundus lose.
LEAST_BESIDE, WORDS_BESIDE, LINKS_BESIDE, _SHARE_BESIDE = 0.2, 12, 0.3, 0.5
_ASIDE = re.compile(
    r"@|©|https?:|www\.|\.(?:com|net|org)\b|\d{1,2}[:.]\d\d"
    r"|\b(?:facebook|twitter|instagram|e-?mail|newsletters?|podcasts?|photo|video|comments?|click"
    r"|breaking|copyright|rights reserved|subscri\w{1,8}|sign up|follow (?:us|me|him|her)|to follow"
    r"|contributed to this|get in touch|contact us|originally (?:appeared|published)|read more"
    r"|find out more|for more information|may not be|our (?:app|site|website)"
    r"|this (?:article|column|story) (?:is|was)|in accordance with title|abonn\w{0,10}"
    r"|spende\w{0,4}|datenschutz\w{0,12}|lesedauer|über dieses thema|réservée? aux)\b",
    re.I,
)


def with_paragraphs(outline: Outline, probability: Floats, kept: Bools) -> Bools:
    """Keep also paragraphs beside kept ones: elements `p` of the same parent."""
    is_paragraph = outline.tag.take(outline.container) == _PARAGRAPH
    may_stay = is_paragraph & ~kept & (probability >= LEAST_BESIDE)
    may_stay &= outline.words >= WORDS_BESIDE
    chosen = may_stay.nonzero()[0]
    if not len(chosen):  # true of most pages
        return kept
    parent = outline.parent.take(outline.container)
    words = np.where(is_paragraph, outline.words, 0.0)
    held = np.bincount(parent, words * kept, len(outline.tag))
    share = held / np.maximum(np.bincount(parent, words, len(outline.tag)), 1)
    fits = share.take(parent.take(chosen)) >= _SHARE_BESIDE
    fits &= outline.linked.take(chosen) < LINKS_BESIDE * outline.words.take(chosen)
    fits &= ~hidden_blocks(outline.page).take(chosen)
    text = outline.page.block_text
    added = [block for block in chosen[fits].tolist() if not _ASIDE.search(text(block))]
    if not added:
        return kept
    found = kept.copy()
    found[added] = True
    return found


def with_formulas(page: Page, kept: Bools) -> Bools:
    """Keep also formulas in MathML beside kept blocks."""
    if not page.present[NUMBER["math"]]:
        return kept
    blocks = page.blocks
    formulas = (page.tag == NUMBER["math"]).nonzero()[0]
    is_formula = innermost(formulas, page.end, blocks.first) >= 0
    chosen = (is_formula & ~kept & ~hidden_blocks(page)).nonzero()[0]
    if not len(chosen):
        return kept
    found = kept.copy()
    for order, step in ((chosen, -1), (chosen[::-1], 1)):  # a formula may follow another one
        for block in order.tolist():
            beside = block + step
            if 0 <= beside < len(blocks) and found[beside] and _is_near(page, block, beside):
                found[block] = True
    return found


def _is_near(page: Page, block: int, other: int) -> bool:
    """Return whether a block is in the element around another one, or in that around this one."""
    blocks = page.blocks
    inner = int(blocks.parent[block])
    outer = int(blocks.around[page.parent[inner]]) if inner > 0 else inner
    return outer <= int(blocks.first[other]) < int(page.end[outer])


def with_neighbours(outline: Outline, probability: Floats, kept: Bools, headline: int) -> Bools:
    """Keep also short blocks and paragraphs between kept ones, and headings above kept text.

    The words of a dropped heading that link to a place on the page count as not linked.
    `headline` is the block that repeats the title of the page, -1 for none.
    """
    outline = _without_self_links(outline, kept)
    worded = (outline.words > 0).nonzero()[0]
    may_stay = ~hidden_blocks(outline.page).take(worded) & (worded != headline)
    found = kept.copy()
    found[worded[_is_between(outline, probability, kept, worded) & may_stay]] = True
    for at in _headings(outline, probability, found, worded, may_stay):
        found[worded[at]] = True
    return found


def _without_self_links(outline: Outline, kept: Bools) -> Outline:
    """Return the outline with the links of dropped headings to places of the page as text."""
    is_heading = HEADING_LEVEL.take(outline.tag.take(outline.container)) > 1
    blocks = (is_heading & (outline.linked > 0) & ~kept).nonzero()[0].tolist()
    found = [block for block in blocks if has_link_within(outline.page, block)]
    if not found:
        return outline
    linked = outline.linked.copy()
    linked[found] = 0
    return replace(outline, linked=linked)


def has_link_within(page: Page, block: int) -> bool:
    """Return whether the first link around a block leads to a place on the same page."""
    row = int(page.parent[page.blocks.first[block]])
    for _ in range(_MOST_INLINE):
        if row < 0:
            break
        if page.tag[row] == _LINK:
            return (page.nodes[row].attr("href") or "").startswith("#")
        row = int(page.parent[row])
    return False


_MOST_INLINE = 3  # elements between the text of a heading and its link


def _is_between(outline: Outline, probability: Floats, kept: Bools, worded: Rows) -> Bools:
    """Return one bool per block with words: True if it goes with the two kept ones around it."""
    found = np.zeros(len(worded), np.bool_)
    if len(worded) < 3:
        return found
    container = outline.container.take(worded)
    own, p = worded[1:-1], probability.take(worded[1:-1])
    is_short = (p >= _LEAST_SHORT) & (outline.words.take(own) <= _SHORT_WORDS)
    is_paragraph = (p >= _LEAST_PARAGRAPH) & (outline.tag.take(container[1:-1]) == _PARAGRAPH)
    is_kept = kept.take(worded)
    near = _are_near(outline, container[:-1], container[1:])
    found[1:-1] = is_kept[:-2] & ~is_kept[1:-1] & is_kept[2:] & near[:-1] & near[1:]
    found[1:-1] &= (outline.linked.take(own) == 0) & (is_short | is_paragraph)
    return found


def _are_near(outline: Outline, one: Rows, other: Rows) -> Bools:
    """Return whether containers are the same, siblings, or one around the other."""
    around, around_other = outline.parent.take(one), outline.parent.take(other)
    near: Bools = (one == other) | (around == around_other)
    near |= (around == other) | (around_other == one)
    return near


def _headings(
    outline: Outline, probability: Floats, kept: Bools, worded: Rows, may_stay: Bools
) -> list[int]:
    """Return the places in `worded` of dropped headings that go with the text below them."""
    is_heading = LEVEL_OF_TAG.take(outline.tag) > 0
    heading = outline.nearest(is_heading).take(outline.container.take(worded))
    level: UInt8s = np.where(heading >= 0, LEVEL_OF_TAG.take(outline.tag.take(heading)), 0)
    is_kept = kept.take(worded)
    dropped = (level >= 2) & ~is_kept
    if not dropped.any():
        return []
    last = np.maximum.accumulate(np.where(dropped, -1, np.arange(len(worded))))
    after_kept = np.append(False, (last >= 0) & is_kept.take(np.maximum(last, 0)))[:-1]
    may_stay = may_stay & after_kept & (probability.take(worded) > 0)
    may_stay &= outline.linked.take(worded) < _MOST_LINKS * outline.words.take(worded)
    chosen = (dropped & may_stay)[:-1].nonzero()[0][::-1]  # one may follow another
    home = outline.parent.take(outline.parent.take(heading.take(chosen)))
    row = outline.row.take(outline.container.take(worded.take(chosen + 1)))
    fits = (outline.row.take(home) <= row) & (row < outline.end.take(home))
    below = level.take(chosen + 1)
    fits &= (below == 0) | (below > level.take(chosen))
    found: list[int] = []
    for at in chosen[fits].tolist():
        if is_kept[at + 1] or at + 1 in found[-1:]:
            found.append(at)
    return found


def with_titles(outline: Outline, probability: Floats, kept: Bools, headline: int = -1) -> Bools:
    """Keep also probable headings between kept blocks, if the next one is kept."""
    page = outline.page
    worded = (outline.words > 0).nonzero()[0]
    is_title = (HEADING_LEVEL.take(outline.tag.take(outline.container)) > 1).take(worded)
    is_title &= (probability.take(worded) >= _LEAST_TITLE) & (worded != headline)
    is_title &= ~hidden_blocks(page).take(worded) & (outline.words.take(worded) <= _TITLE_WORDS)
    is_title[:-1] &= kept.take(worded[1:])
    is_title[-1:] = False
    is_title &= np.logical_or.accumulate(kept.take(worded))
    found = kept.copy()
    found[worded[is_title]] = True
    return found


def with_summaries(outline: Outline, kept: Bools) -> Bools:
    """Keep also the summary of each `<details>` whose next text is kept.

    A word or two between them, as the language of code, may be dropped.
    """
    page = outline.page
    summaries = (page.tag == NUMBER["summary"]).nonzero()[0]
    if not len(summaries):  # true of most pages
        return kept
    worded = (outline.words > 0).nonzero()[0]
    first = page.blocks.first.take(worded)
    begin, end = first.searchsorted((summaries, page.end.take(summaries)))
    ends = page.end.take(np.maximum(page.parent.take(summaries), 0))
    is_kept = np.append(kept.take(worded), (False, False))
    is_label = ~is_kept[:-1] & np.append(outline.words.take(worded) <= _BETWEEN_WORDS, False)
    text = end + is_label.take(end)
    after = np.append(first, (len(page), len(page))).take(text)
    follows = is_kept.take(text) & (after < ends) & (begin < end)
    added = worded.take(begin[follows])
    added = added[~(kept | hidden_blocks(page)).take(added)]
    if not len(added):
        return kept
    found = kept.copy()
    found[added] = True
    return found


_BETWEEN_WORDS = 2
_LEAST_TITLE, _TITLE_WORDS = 0.5, 12  # probability and words of a heading
