"""Characters: the digits, capitals, stops, commas, question marks and signs of money of a block.

One table over all code points gives the class of every character of the page, one count gives
the number of each class in each block. Letters without case and small letters have class 0 and cost
nothing more.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cache
from itertools import compress

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
    for character in map(chr, range(0x30000)):  # no digits, capitals or signs past it
        small = character.isalpha() and not (character.isupper() or character.istitle())
        if not small and character.isprintable():  # the others have no class
            kind = _BY_CATEGORY.get(unicodedata.category(character), 0)
            table[ord(character)] = kind
    for kind, signs in _SIGNS.items():
        table[[ord(sign) for sign in signs]] = kind
    return table


@cache
def _of_bytes() -> bytes:
    """Class of every character of one byte, for `bytes.translate`."""
    return classes()[:256].tobytes()


def _classes_of(text: str) -> tuple[npt.NDArray[np.integer], npt.NDArray[np.uint8]]:
    """Return the code points of a text and their classes; most are of one byte, which is fast."""
    data = text.encode("latin-1", "replace")
    kind = np.frombuffer(bytearray(data.translate(_of_bytes())), np.uint8)
    if text.isascii():
        return np.frombuffer(data, np.uint8), kind
    code = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")
    wide = (code > 0xFF).nonzero()[0]
    kind[wide] = classes().take(code.take(wide))
    return code, kind


def characters(page: Page, size: int) -> Characters:
    """Count the characters of each of the page's `size` blocks."""
    of_text = page.blocks.of_text
    solid = of_text >= 0
    block = of_text[solid]
    texts = [text or "" for text in compress(page.texts, solid.tobytes())]
    code, kind = _classes_of("\n".join([*texts, ""]))
    length = np.fromiter(map(len, texts), np.int64, len(texts)) + 1
    marked = (kind != 0).nonzero()[0]
    owner = block.repeat(length).take(marked)
    key = owner * _CLASSES + kind.take(marked)
    count = np.bincount(key, minlength=size * _CLASSES).reshape(size, _CLASSES).T
    digits, capitals, stops, commas, questions, money = count[_DIGIT : _MONEY + 1]
    last = _last(texts, block, code, length)
    return Characters(digits, capitals, stops, commas, questions, money, last)


def _last(
    texts: list[str],
    block: npt.NDArray[np.int32],
    code: npt.NDArray[np.integer],
    length: npt.NDArray[np.int64],
) -> npt.NDArray[np.uint8]:
    """Return the class of the last character of each block that is no white space."""
    is_last = np.ones(len(block), np.bool_)
    np.not_equal(block[1:], block[:-1], out=is_last[:-1])
    at = is_last.nonzero()[0]
    character = code.take(length.cumsum().take(at) - 2)
    last = classes().take(character)
    # All white space is among these; most texts end in something else.
    for number in ((character <= _SPACE) | (character > _ASCII)).nonzero()[0].tolist():
        end = texts[at[number]].rstrip()[-1:]
        last[number] = classes()[ord(end)] if end else 0
    return last


_SPACE, _ASCII = 0x20, 0x7F
