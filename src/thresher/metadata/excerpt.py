"""How a text begins, in a line: what an excerpt is when a page has no description.

The first block that is neither short, nor the headline, nor a line that says who wrote it and when.
Length is counted in words and in characters: in scripts without spaces each character is a word to
`thresher.page.words`, so that words alone would let every line pass. One of Han, Kana or Hangul stands
for several letters of an alphabet.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import groupby

from thresher.metadata import candidates as hints
from thresher.metadata.dates import to_iso
from thresher.metadata.declared import one_line
from thresher.page import Page, Selection
from thresher.page.array_types import Int32s
from thresher.page.tags import NUMBER
from thresher.page.words import words

_LONGEST = 200  # characters
_LAST_WORD = 50  # characters that may be left off, so as not to cut a word
_WORDS, _SENTENCE = 8, 40  # words and letters that a text worth an excerpt has more of
_DENSE = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3]")
_SYLLABLE = 3  # letters that one of those stands for
_BYLINE = 100  # letters of a line that says who and when
_ENDED = re.compile(r"[.!?…。！？।॥؟۔։]['\"”’»)\]」』]*\Z")  # a sentence; a byline has no end
_MOST_BLOCKS = 200  # that are looked at


def begin_of(content: Selection, headline_row: int = -1, title: str = "") -> str:
    """Return how the main content begins, after its headline and its byline; "" if it is short.

    `headline_row` is where the headline stands, if that is known; `title` is that of the head.
    """
    heads = _heads(content.page, headline_row)
    named = _letters(title)
    for text in _blocks(content):
        size = len(text) + (_SYLLABLE - 1) * len(_DENSE.findall(text))
        if size <= _SENTENCE or len(words(text)) <= _WORDS:
            continue
        letters = _letters(text)
        is_head = letters in heads or named.startswith(letters)
        if not is_head and not (size <= _BYLINE and _is_byline(text)):
            return _cut(text)
    return ""


def _blocks(content: Selection) -> Iterator[str]:
    """Yield what is kept of each of the first blocks, on one line and as far as it matters."""
    page = content.page
    block: Int32s = page.blocks.of_text
    kept = (content.keep & (block >= 0)).nonzero()[0]
    last = block[kept[0]] + _MOST_BLOCKS if len(kept) else 0
    kept = kept[: block.take(kept).searchsorted(last)]
    for _, places in groupby(kept.tolist(), block.__getitem__):
        text = "".join([(page.texts[place] or "")[: 5 * _LONGEST] for place in places])
        yield " ".join(text[: 5 * _LONGEST].split())


def _heads(page: Page, headline_row: int) -> set[str]:
    """Return the letters of the headline and of the first `h1`."""
    rows = (page.tag == NUMBER["h1"]).nonzero()[0][:1].tolist()
    rows += [headline_row] if 0 <= headline_row < len(page) else []
    return {_letters(one_line(page, row)) for row in rows}


def _letters(text: str) -> str:
    return "".join(mark for mark in text.casefold() if mark.isalnum())


def _is_byline(text: str) -> bool:
    """Tell whether a short line holds a date or begins as bylines do, and is no sentence."""
    return not _ENDED.search(text) and (hints.is_byline(text) or bool(to_iso(text)))


def _cut(text: str) -> str:
    """Cut a long text at a space, if there is one near the end; never before a vowel sign."""
    if len(text) <= _LONGEST:
        return text
    end = text.rfind(" ", _LONGEST - _LAST_WORD, _LONGEST)
    if end < 0:
        end = _LONGEST
        while end > _LONGEST - _LAST_WORD and unicodedata.category(text[end])[0] == "M":
            end -= 1
    return text[:end].rstrip() + "…"
