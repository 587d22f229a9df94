"""What stands beside the body of an article without saying so: bylines, dates, links that lead on.

No class names them. A byline or a date stands near the headline and is nothing else: without the
names and the date that it says, nothing is left of it. A link that leads on is most of a short
paragraph, after a lead-in that ends in a colon: "Read also: ...", in any language.
"""

from __future__ import annotations

import re

import numpy as np

from thresher.metadata.bylines import author_names
from thresher.metadata.dates import is_dated
from thresher.page import Page
from thresher.page.ancestors import levels_inside
from thresher.page.array_types import Bools, Rows
from thresher.page.tags import NUMBER

_BEFORE, _AFTER = 2, 6  # blocks before and after a headline in which who and when are looked for
_MOST_WORDS = 16  # of a byline with a date
_LONGEST = 200  # characters of it
_MOST_LEADING = 30  # words of a paragraph that leads on,
_FEWEST_LINKED = 4  # of its link, which is a headline then and not a label,
_LINKED = 0.5  # and the share of its words in the link


def said_about(page: Page) -> Bools:
    """Tell which short blocks near a headline say who wrote it or when, and nothing else."""
    blocks = page.blocks
    found = np.zeros(len(blocks), np.bool_)
    headlines = _headlines(page)
    titles = (levels_inside(headlines, page.end, blocks.first) > 0).nonzero()[0]
    near = titles[:, None] + np.arange(-_BEFORE, _AFTER + 1)
    near = np.unique(near[(near >= 0) & (near < len(blocks))])
    short = (blocks.words > 0) & (blocks.words <= _MOST_WORDS) & (blocks.chars <= _LONGEST)
    short[titles] = False
    for block in near[short[near]].tolist():  # few of them, and each is read
        found[block] = _is_said_about(" ".join(text for text, _ in _texts(page, block)))
    return found


def _headlines(page: Page) -> Rows:
    """Return the rows of the headings of the first order, else the first of the second."""
    rows: Rows = (page.tag == NUMBER["h1"]).nonzero()[0]
    others: Rows = (page.tag == NUMBER["h2"]).nonzero()[0]
    return rows if len(rows) else others[:1]


def _texts(page: Page, block: int) -> list[tuple[str, bool]]:
    """Return the texts of a block in order, each with whether it is linked."""
    blocks = page.blocks
    return [
        (" ".join((page.texts[place] or "").split()), bool(page.linked[page.text_rows[place]]))
        for place in range(blocks.texts_from[block], blocks.texts_to[block] + 1)
        if blocks.of_text[place] == block
    ]


def _is_said_about(text: str) -> bool:
    """Tell whether a line is a byline with or without a date, or a date after a lead-in or none."""
    if is_dated(_LEAD_IN.sub("", text, count=1)):
        return True
    names = author_names([text])
    if not names:
        return False
    rest = text
    for name in names:
        place = rest.find(name)
        if place < 0:  # it was turned round, or has something within it
            return False
        rest = f"{rest[:place]}\n{rest[place + len(name) :]}"
    lead, *between, after = (part.strip(_MARKS) for part in rest.split("\n"))
    joined = all(len(part) <= _LONGEST_JOIN for part in between)
    if after and not is_dated(after):
        return False
    # Names alone could be anything; before a date they are names if each word has a capital.
    named = bool(after) and not any(word.islower() for name in names for word in name.split())
    return joined and (_introduces(lead, names[0]) if lead else named)


def _introduces(lead: str, name: str) -> bool:
    """Tell whether words such as "By" lead to a name: read with another one, they leave just it."""
    few = lead.count(" ") < _MOST_INTRODUCING and not _PARTED.search(lead)
    return few and not name[:1].islower() and author_names([f"{lead} {_ANY_NAME}"]) == [_ANY_NAME]


_LEAD_IN = re.compile(r"\A[^\d:：]{1,30}[:：]\s*(?=.*\d)")
_MARKS = " ,;|/•·–—-:：.&+"
_PARTED = re.compile(r"[,;|•·–—、，；]")
_ANY_NAME = "Ada"
_MOST_INTRODUCING = 3  # words
_LONGEST_JOIN = 4  # letters of a word between two names


def leading_on(page: Page) -> Bools:
    """Tell which short blocks are a lead-in that ends in a colon, and then a link."""
    blocks = page.blocks
    linked = blocks.linked_words
    found: Bools = (blocks.words <= _MOST_LEADING) & (linked >= _FEWEST_LINKED)
    found &= (linked >= _LINKED * blocks.words) & ~page.linked.take(blocks.first)
    for block in found.nonzero()[0].tolist():  # a string has to be looked at
        found[block] = _leads_on(_texts(page, block))
    return found


def _leads_on(texts: list[tuple[str, bool]]) -> bool:
    linked = [place for place, (text, is_link) in enumerate(texts) if is_link and text]
    lead = " ".join(text for text, _ in texts[: linked[0]]).strip()
    others = "".join(text for text, is_link in texts[linked[0] :] if not is_link)
    return lead.endswith((":", "：")) and not any(mark.isalnum() for mark in others)
