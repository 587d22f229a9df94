"""Characters: the digits, capitals, stops, commas, question marks and signs of money of a block.

One table over all code points gives the class of every character of the page, one count gives
the number of each class in each block. Letters without case and small letters have class 0 and cost
nothing more.
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

_BY_CATEGORY = {"Nd": _DIGIT, "Lu": _CAPITAL, "Lt": _CAPITAL, "Sc": _MONEY}
_SIGNS = {
    _STOP: ".!\u2026\u3002\uff01\uff0e\u0964\u06d4\u061e\u1362\u104b",
    _COMMA: ",;\u060c\u061b\u3001\uff0c\uff1b\u055d\u1363",
    _QUESTION: "?\uff1f\u061f\u037e\u055e",
    _COLON: ":\uff1a",
}


@dataclass(frozen=True, slots=True, eq=False)
class Characters:
    """Counts of each block, and the class of its last character that is no white space."""

    counts: Int64s  # one line for each class
    last: UInt8s
    digits: Int64s  # the lines by name
    capitals: Int64s
    stops: Int64s
    commas: Int64s
    questions: Int64s
    money: Int64s

    def totals(self) -> list[int]:
        """Return the sums of the page: digits, capitals, stops, commas, question marks, money."""
        totals: list[int] = np.add.reduce(self.counts, axis=1)[_DIGIT : _MONEY + 1].tolist()
        return totals


@cache
def classes() -> UInt8s:
    """Class of every code point."""
    table = np.zeros(0x110000, np.uint8)
    for character in map(chr, range(0x30000)):  # no digits, capitals or signs past it
        small = character.isalpha() and not (character.isupper() or character.istitle())
        if not small and character.isprintable():  # the others have no class
            kind = _BY_CATEGORY.get(unicodedata.category(character), 0)
            table[ord(character)] = kind
    for kind, signs in _SIGNS.items():
        table[[ord(sign) for sign in signs]] = kind
    return table


def characters(page: Page, size: int) -> Characters:
    """Count the characters of each of the page's `size` blocks."""
    letters, of_text = page.letters, page.blocks.of_text
    table = classes()
    kind = table.take(letters.code)
    marked = (kind != 0).nonzero()[0]  # few of the characters, none of them in blank text or code
    length = letters.ends - letters.starts
    length += 1
    key = kind.take(marked) * np.intp(size)
    key += of_text.repeat(length).take(marked)
    counts = np.bincount(key, minlength=_CLASSES * size).reshape(_CLASSES, size)

    text = page.blocks.texts_to
    character = letters.code.take(letters.ends.take(text) - 1)
    last = table.take(character)
    # All white space is among these; most texts end in something else.
    asked = ((character <= _SPACE) | (character > _ASCII)).nonzero()[0]
    ends = [(page.texts[at] or "").rstrip()[-1:] or "\0" for at in text.take(asked).tolist()]
    last[asked] = table.take(list(map(ord, ends)))
    return Characters(counts, last, *counts[_DIGIT : _MONEY + 1])


_SPACE, _ASCII = 0x20, 0x7F
