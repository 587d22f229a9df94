"""Atomic text blocks and their shallow features (Kohlschütter, Fankhauser, Nejdl 2010).

Thesis 3.3.2.1. An atomic block is text that no tag but `<a>` parts. Blank text makes no block and
hidden text is left out; its tags part the text around it like any other. `text_blocks` cuts the
page and counts; `features` adds all that the thesis lists, one column each.

The thesis names the features without saying how they are counted. Chosen here:

    words          as everywhere: see `thresher.page.words`
    sentences      end with . ! ? or an ellipsis before white space or the end of the block, closing
                   quotes and brackets between them, or with an ideographic full stop, exclamation
                   or question mark; what remains is one more. Only those with words count
    upper case     as `str.isupper`: a capital at least and no small letter, so "I" and "B2" too
    dates, times   years from 1900 to 2099; 3/5/2024, 3.5.24, 2024-05-03; 14:30, 14:30:59; English
                   names of months and days of the week, whole or as three letters, with a capital
    tags           the nearest of h1 to h6, p and div around the block
    position       from 0; relative: 0 for the first block, 1 for the last

A ratio to no words is 0.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import compress
from operator import itemgetter, methodcaller

import numpy as np
import numpy.typing as npt

from thresher.page import Page
from thresher.page.array_types import Bools, Floats, Int32s, Int64s
from thresher.page.arrays import nearest
from thresher.page.columns import freeze
from thresher.page.tags import NUMBER, lookup
from thresher.page.words import words


@dataclass(frozen=True, slots=True, eq=False)
class TextBlocks:
    """Runs of visible text that no tag but `<a>` interrupts, in document order."""

    of_text: Int32s  # the block of each text row, -1 for blank and hidden text
    first: Int32s  # first text row
    words: Int32s
    linked_words: Int32s

    def __len__(self) -> int:
        """Return the number of blocks."""
        return len(self.first)

    @property
    def link_density(self) -> Floats:
        """The share of the words that stand in anchors."""
        return _ratio(self.linked_words, self.words)


def text_blocks(page: Page) -> TextBlocks:
    """Cut the text at every tag but `<a>`."""
    parts = (page.tag != 0) & (page.tag != NUMBER["a"])
    cut = np.zeros(len(page) + 1, np.bool_)
    cut[:-1] = parts
    cut[page.end[parts]] = True
    stretch = cut.cumsum()

    texts = page.text_rows
    is_shown = (page.chars.take(texts) > 0) & ~page.hidden.take(texts)
    rows = texts[is_shown]
    begins = np.ones(len(rows), np.bool_)
    begins[1:] = stretch[rows[1:]] != stretch[rows[:-1]]
    number = begins.cumsum() - 1
    of_text = np.full(len(texts), -1, np.int32)
    of_text[is_shown] = number
    count, linked = int(begins.sum()), page.words[rows] * page.linked[rows]
    found = TextBlocks(
        of_text=of_text,
        first=rows[begins],
        words=np.bincount(number, page.words[rows], count).astype(np.int32),
        linked_words=np.bincount(number, linked, count).astype(np.int32),
    )
    freeze(found.of_text, found.first, found.words, found.linked_words)
    return found


# --- features ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """The shallow text features of the blocks of a page: one column each, one entry per block."""

    blocks: TextBlocks
    words: Int32s
    average_word_length: Floats
    average_sentence_length: Floats  # in words
    capitalised: Int32s  # words that start with a capital
    upper_case: Int32s  # words that are all capitals
    capitalised_ratio: Floats  # to the number of words
    upper_case_ratio: Floats
    full_stop_ratio: Floats
    dates: Int32s  # dates and times
    bars: Int32s  # "|"
    h1: Bools
    h2: Bools
    h3: Bools
    h4: Bools
    h5: Bools
    h6: Bools
    p: Bools
    div: Bools
    link_density: Floats
    position: Int32s
    relative_position: Floats

    def __len__(self) -> int:
        """Return the number of blocks."""
        return len(self.blocks)


_TAGS = ("h1", "h2", "h3", "h4", "h5", "h6", "p", "div")
_IS_TAG = lookup(" ".join(_TAGS))


def features(page: Page) -> Features:
    """Measure the blocks of a page."""
    blocks = text_blocks(page)
    count = len(blocks)
    texts = _texts(page, blocks)
    position = np.arange(count, dtype=np.int32)
    around = np.append(page.tag, 0)[nearest(_IS_TAG[page.tag], page.parent)[blocks.first]]
    sentences = _each(texts, _SENTENCE)
    full_stops = np.fromiter(map(methodcaller("count", "."), texts), np.int32, count)
    word_length, capitalised, upper_case = _of_words(page, blocks)
    found = Features(
        blocks=blocks,
        words=blocks.words,
        average_word_length=_ratio(word_length, blocks.words),
        average_sentence_length=_ratio(blocks.words, sentences),
        capitalised=capitalised,
        upper_case=upper_case,
        capitalised_ratio=_ratio(capitalised, blocks.words),
        upper_case_ratio=_ratio(upper_case, blocks.words),
        full_stop_ratio=_ratio(full_stops, blocks.words),
        dates=_each(texts, _DATE),
        bars=np.fromiter(map(methodcaller("count", "|"), texts), np.int32, count),
        **{name: around == NUMBER[name] for name in _TAGS},
        link_density=blocks.link_density,
        position=position,
        relative_position=position / max(count - 1, 1),
    )
    freeze(*(getattr(found, name) for name in Features.__slots__ if name != "blocks"))
    return found


def _ratio(part: npt.NDArray[np.integer], whole: npt.NDArray[np.integer]) -> Floats:
    found: Floats = np.where(whole > 0, part, 0) / np.maximum(whole, 1)
    return found


def _texts(page: Page, blocks: TextBlocks) -> list[str]:
    """Return the text of every block."""
    shown = blocks.of_text >= 0
    texts = [text or "" for text in compress(page.texts, shown.tobytes())]
    edges = blocks.of_text[shown].searchsorted(np.arange(len(blocks) + 1)).tolist()
    return ["".join(texts[edges[i] : edges[i + 1]]) for i in range(len(blocks))]


def _of_words(page: Page, blocks: TextBlocks) -> tuple[Int32s, Int32s, Int32s]:
    """Return for each block the length of all its words, and how many are capitalised and upper."""
    shown = blocks.of_text >= 0
    found = words("\n".join(text or "" for text in compress(page.texts, shown.tobytes())))
    block = blocks.of_text[shown].repeat(page.words[page.text_rows[shown]])

    def total(values: Int64s) -> Int32s:
        return np.bincount(block, values, len(blocks)).astype(np.int32)

    return (
        total(np.fromiter(map(len, found), np.int64, len(found))),
        total(np.fromiter(map(str.isupper, map(itemgetter(0), found)), np.int64, len(found))),
        total(np.fromiter(map(str.isupper, found), np.int64, len(found))),
    )


# From a letter to the mark that ends the sentence. What was read is not read again: linear.
_MARKS = ".!?…。！？"
_GOES_ON = r"""[.!?…](?!["'”’»)\]]*+(?:\s|\Z))"""  # a mark that ends nothing, as in 3.5
_SENTENCE = re.compile(rf"\w[^{_MARKS}]*+(?:{_GOES_ON}[^{_MARKS}]*+)*+")

_MONTHS = "January February March April May June July August September October November December"
_DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday"
_NAMES = "|".join(f"{name[:3]}(?:{name[3:]})?" for name in f"{_MONTHS} {_DAYS}".split())
_DATE = re.compile(
    r"(?<!\w)(?=[\dADFJMNOSTW])"  # what can begin at all, looked at first
    rf"(?:\d{{1,4}}([-/.])\d{{1,2}}\1\d{{1,4}}|\d{{1,2}}:\d\d(?::\d\d)?|(?:19|20)\d\d|{_NAMES})"
    r"(?!\w)"
)


def _each(texts: list[str], pattern: re.Pattern[str]) -> Int32s:
    """Count the matches in each text."""
    return np.fromiter(map(len, map(pattern.findall, texts)), np.int32, len(texts))
