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
import numpy.typing as npt

from thresher.page import Page

__all__ = ["Characters", "characters", "classes"]

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

    digits: npt.NDArray[np.int64]
    capitals: npt.NDArray[np.int64]
    stops: npt.NDArray[np.int64]
    commas: npt.NDArray[np.int64]
    questions: npt.NDArray[np.int64]
    money: npt.NDArray[np.int64]
    last: npt.NDArray[np.uint8]


@cache
def classes() -> npt.NDArray[np.uint8]:
    """Class of every code point."""
    table = np.zeros(0x110000, np.uint8)
    for code in range(0x30000):  # no digits, capitals or signs past it
        table[code] = _BY_CATEGORY.get(unicodedata.category(chr(code)), 0)
    for kind, signs in _SIGNS.items():
        table[[ord(sign) for sign in signs]] = kind
    return table


def characters(page: Page, size: int) -> Characters:
    """Count the characters of each of the page's `size` blocks."""
    of_text = page.blocks.of_text
    at = (of_text >= 0).nonzero()[0]
    block = of_text[at].astype(np.int64)
    texts = [page.texts[index] or "" for index in at.tolist()]
    joined = "\n".join([*texts, ""])
    code: npt.NDArray[np.integer]
    if joined.isascii():
        code = np.frombuffer(joined.encode("ascii"), np.uint8)
    else:
        code = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), "<u4")
    kind = classes().take(code)
    marked = kind.nonzero()[0]
    length = np.fromiter(map(len, texts), np.int64, len(texts)) + 1
    owner = block.repeat(length).take(marked)
    key = owner * _CLASSES + kind.take(marked)
    count = np.bincount(key, minlength=size * _CLASSES).reshape(size, _CLASSES).T
    is_last = np.ones(len(block), np.bool_)
    is_last[:-1] = block[1:] != block[:-1]
    ends = [texts[index].rstrip()[-1:] or " " for index in is_last.nonzero()[0].tolist()]
    last = classes().take(np.frombuffer("".join(ends).encode("utf-32-le", "surrogatepass"), "<u4"))
    digits, capitals, stops, commas, questions, money = count[_DIGIT : _MONEY + 1]
    return Characters(digits, capitals, stops, commas, questions, money, last)
