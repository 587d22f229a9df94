"""Blocks near an article that are bylines, dates or "read also" links, though no class says so.

A byline or a date is a short block near the headline that holds nothing else: without the names
and the date, at most a lead-in such as "By" is left. A "read also" block is a short paragraph that
is mostly a link after a lead-in that ends in a colon ("Read also: ..."), in any language.
"""

from __future__ import annotations

import re

import numpy as np

from thresher.metadata.bylines import author_names
from thresher.metadata.dates import is_only_date
from thresher.page import Page
from thresher.page.array_types import Bools
from thresher.page.arrays import levels_inside
from thresher.page.tags import NUMBER
from thresher.page.words import collapsed

_BLOCKS_BEFORE, _BLOCKS_AFTER = 2, 6  # distance from a headline within which bylines are sought
_BYLINE_WORDS, _BYLINE_CHARS = 16, 200  # at most, of a byline with a date
_LEAD_WORDS = 3  # at most, before the first name: "By", "Text and photos:"
_LONGEST_JOIN = 4  # characters between two names: "and", "und"
_DATE_LEAD = re.compile(r"\A[^\d:：]{1,30}[:：]\s*+(?=.*\d)")  # "Updated:"
_SEPARATORS = " ,;|/•·–—-:：.&+"
_CLAUSE_MARK = re.compile(r"[,;|•·–—、，；]")
_ANY_NAME = "Ada"

_READ_ALSO_WORDS = 30  # at most, of the whole block
_LINK_WORDS = 4  # at least, of its link, which is then a headline and not a label
_LINK_SHARE = 0.5  # of the words of the block, at least


def byline_blocks(page: Page) -> Bools:
    """Return one bool per block: True for short blocks near a headline that only name who or when.

    Headlines are the `h1` elements, or the first `h2` if there is no `h1`.
    """
    blocks = page.blocks
    found = np.zeros(len(blocks), np.bool_)
    headlines = (page.tag == NUMBER["h1"]).nonzero()[0]
    if not len(headlines):
        headlines = (page.tag == NUMBER["h2"]).nonzero()[0][:1]
    titles = (levels_inside(headlines, page.end, blocks.first) > 0).nonzero()[0]
    near = titles[:, None] + np.arange(-_BLOCKS_BEFORE, _BLOCKS_AFTER + 1)
    near = np.unique(near[(near >= 0) & (near < len(blocks))])
    is_short = (blocks.words > 0) & (blocks.words <= _BYLINE_WORDS)
    is_short &= blocks.chars <= _BYLINE_CHARS
    is_short[titles] = False
    for block in near[is_short[near]].tolist():
        found[block] = _is_byline(" ".join(text for text, _ in _texts_of_block(page, block)))
    return found


def read_also_blocks(page: Page) -> Bools:
    """Return one bool per block: True for a short lead-in that ends in a colon, then a link."""
    blocks = page.blocks
    linked = blocks.linked_words
    found: Bools = (blocks.words <= _READ_ALSO_WORDS) & (linked >= _LINK_WORDS)
    found &= (linked >= _LINK_SHARE * blocks.words) & ~page.linked.take(blocks.first)
    for block in found.nonzero()[0].tolist():
        found[block] = _is_read_also(_texts_of_block(page, block))
    return found


def _texts_of_block(page: Page, block: int) -> list[tuple[str, bool]]:
    """Return the texts of a block in order, each with whether it is in a link."""
    blocks = page.blocks
    return [
        (collapsed(page.texts[place]), bool(page.linked[page.text_rows[place]]))
        for place in range(blocks.texts_from[block], blocks.texts_to[block] + 1)
        if blocks.of_text[place] == block
    ]


def _is_byline(line: str) -> bool:
    """Return whether a line is a byline (a date may follow), or a date (a lead-in may precede)."""
    if is_only_date(_DATE_LEAD.sub("", line, count=1)):
        return True
    names = author_names([line])
    if not names:
        return False
    rest = line
    for name in names:
        place = rest.find(name)
        if place < 0:  # written in another order ("Berg, Ada"), or interrupted
            return False
        rest = f"{rest[:place]}\n{rest[place + len(name) :]}"
    lead, *between, after = (part.strip(_SEPARATORS) for part in rest.split("\n"))
    if (after and not is_only_date(after)) or any(len(part) > _LONGEST_JOIN for part in between):
        return False
    if lead:
        return _introduces_name(lead, names[0])
    # Names alone could be anything; before a date they are names if each word has a capital.
    return bool(after) and not any(word.islower() for name in names for word in name.split())


def _introduces_name(lead: str, name: str) -> bool:
    """Return whether words such as "By" lead to a name: before another name, they leave just it."""
    is_short = lead.count(" ") < _LEAD_WORDS and not _CLAUSE_MARK.search(lead)
    is_lead = is_short and not name[:1].islower()
    return is_lead and author_names([f"{lead} {_ANY_NAME}"]) == [_ANY_NAME]


def _is_read_also(texts: list[tuple[str, bool]]) -> bool:
    """Return whether the text before the first link ends in a colon and none follows outside links.

    Punctuation outside of the links is allowed.
    """
    first = next(place for place, (text, is_link) in enumerate(texts) if is_link and text)
    lead = " ".join(text for text, _ in texts[:first]).strip()
    others = "".join(text for text, is_link in texts[first:] if not is_link)
    return lead.endswith((":", "：")) and not any(map(str.isalnum, others))
