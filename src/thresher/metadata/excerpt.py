"""The excerpt of a page without a description: the beginning of its main content, on one line.

It is the first block that is long enough and is neither the headline nor a byline. Length is
measured in words and in letters, because `thresher.page.words` counts each character as a word in
scripts without spaces. A character of Han, Kana or Hangul counts as three letters.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import groupby

from thresher.metadata.bylines import starts_like_byline
from thresher.metadata.dates import to_iso
from thresher.page import Page, Selection
from thresher.page.array_types import Int32s
from thresher.page.tags import NUMBER
from thresher.page.words import words

_LONGEST = 200  # characters of an excerpt
_LONGEST_CUT = 50  # characters that may be left off at the end in order not to cut a word
_SHORT_WORDS, _SHORT_LETTERS = 8, 40  # a block with no more than these is skipped
_SYLLABLE = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3]")
_LETTERS_PER_SYLLABLE = 3
_LONGEST_BYLINE = 100  # letters
_SENTENCE_END = re.compile(r"[.!?…。！？।॥؟۔։]['\"”’»)\]」』]*\Z")
_MOST_BLOCKS = 200  # at the beginning of the content; later ones are not read


def excerpt(content: Selection, headline_row: int = -1, title: str = "") -> str:
    """Return the beginning of the main content after headline and byline, or "" if it is short.

    `headline_row` is the row of the headline, -1 if unknown. `title` is the title of the head.
    """
    headings = _headings(content.page, headline_row)
    title_letters = letters_and_digits(title)
    for text in _blocks(content):
        size = len(text) + (_LETTERS_PER_SYLLABLE - 1) * len(_SYLLABLE.findall(text))
        if size <= _SHORT_LETTERS or len(words(text)) <= _SHORT_WORDS:
            continue
        letters = letters_and_digits(text)
        is_heading = letters in headings or title_letters.startswith(letters)
        if not is_heading and not (size <= _LONGEST_BYLINE and _is_byline(text)):
            return _cut(text)
    return ""


def letters_and_digits(text: str) -> str:
    """Return the letters and digits of a text in lower case, to compare texts."""
    return "".join(filter(str.isalnum, text.casefold()))


def _blocks(content: Selection) -> Iterator[str]:
    """Yield the kept text of each of the first blocks on one line, cut at 5 times an excerpt."""
    page = content.page
    block: Int32s = page.blocks.of_text
    kept = (content.keep & (block >= 0)).nonzero()[0]
    last = block[kept[0]] + _MOST_BLOCKS if len(kept) else 0
    kept = kept[: block.take(kept).searchsorted(last)]
    for _, indices in groupby(kept.tolist(), block.__getitem__):
        text = "".join([page.texts[index][: 5 * _LONGEST] for index in indices])
        yield " ".join(text[: 5 * _LONGEST].split())


def _headings(page: Page, headline_row: int) -> set[str]:
    """Return the letters and digits of the headline and of the first `h1`."""
    rows = (page.tag == NUMBER["h1"]).nonzero()[0][:1].tolist()
    rows += [headline_row] if 0 <= headline_row < len(page) else []
    return {letters_and_digits(page.line(row)) for row in rows}


def _is_byline(text: str) -> bool:
    """Return whether a short text has a date or begins like a byline, and is not a sentence."""
    return not _SENTENCE_END.search(text) and (starts_like_byline(text) or to_iso(text) != "")


def _cut(text: str) -> str:
    """Cut a long text at a space near the end if there is one, and never before a vowel sign."""
    if len(text) <= _LONGEST:
        return text
    end = text.rfind(" ", _LONGEST - _LONGEST_CUT, _LONGEST)
    if end < 0:
        end = _LONGEST
        while end > _LONGEST - _LONGEST_CUT and unicodedata.category(text[end])[0] == "M":
            end -= 1
    return text[:end].rstrip() + "…"
