"""Counts of digits, capitals, stops, commas, question marks and currency signs in each block.

A table over all code points gives the class of every character of the page, and one `bincount`
gives the number of characters of each class in each block. Lower-case letters and letters without
case have class 0 and are not counted.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cache

import numpy as np

from thresher.page import Page
from thresher.page.array_types import Int64s, UInt8s

_DIGIT, _CAPITAL, _STOP, _COMMA, _QUESTION, _MONEY, _COLON = range(1, 8)
_CLASSES = 8

_CLASS_OF_CATEGORY = {"Nd": _DIGIT, "Lu": _CAPITAL, "Lt": _CAPITAL, "Sc": _MONEY}
_SIGNS = {
    _STOP: ".!\u2026\u3002\uff01\uff0e\u0964\u06d4\u061e\u1362\u104b",
    _COMMA: ",;\u060c\u061b\u3001\uff0c\uff1b\u055d\u1363",
    _QUESTION: "?\uff1f\u061f\u037e\u055e",
    _COLON: ":\uff1a",
}


@dataclass(frozen=True, slots=True, eq=False)
class Characters:
    """The number of characters of each class in each block."""

    last: UInt8s  # class of the block's last character that is not white space
    counts: Int64s  # one line per class, from digits to signs of money

    digits = property(lambda self: self.counts[0])
    capitals = property(lambda self: self.counts[1])
    stops = property(lambda self: self.counts[2])
    commas = property(lambda self: self.counts[3])
    questions = property(lambda self: self.counts[4])
    money = property(lambda self: self.counts[5])


@cache
def class_table() -> UInt8s:
    """Return the class of every code point."""
    table = np.zeros(0x110000, np.uint8)
    for character in map(chr, range(0x30000)):  # no digits, capitals or signs past it
        small = character.isalpha() and not (character.isupper() or character.istitle())
        if not small and character.isprintable():  # the others have no class
            kind = _CLASS_OF_CATEGORY.get(unicodedata.category(character), 0)
            table[ord(character)] = kind
    for kind, signs in _SIGNS.items():
        table[[ord(sign) for sign in signs]] = kind
    return table


def count_characters(page: Page) -> Characters:
    """Count the characters of each block of a page by class."""
    letters, blocks = page.letters, page.blocks
    table, size = class_table(), len(blocks)
    kind = table.take(letters.code)
    counted = (kind != 0).nonzero()[0]  # few of the characters, none of them in blank text or code
    length = letters.ends - letters.starts
    length += 1
    key = kind.take(counted) * np.intp(size)
    key += blocks.of_text.repeat(length).take(counted)
    counts = np.bincount(key, minlength=_CLASSES * size).reshape(_CLASSES, size)

    character = letters.code.take(letters.ends.take(blocks.texts_to) - 1)
    last = table.take(character)
    # All white space is below "!" or above ASCII, and most texts end in another character.
    may_be_space = ((character <= 0x20) | (character > 0x7F)).nonzero()[0]
    texts = blocks.texts_to.take(may_be_space).tolist()
    ends = [page.texts[text].rstrip()[-1:] or "\0" for text in texts]
    last[may_be_space] = table.take(list(map(ord, ends)))
    return Characters(last, counts[_DIGIT : _MONEY + 1])
