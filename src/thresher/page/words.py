"""Characters and words: how text is counted everywhere, in methods and in scores.

`words` of a text: runs of `\\w`; in scripts that write without spaces (Han, Kana, Thai, Lao, Khmer,
Myanmar) each such character is a word. Combining marks (Unicode's categories Mn, Mc and Me: vowel
signs, points, accents) and the zero-width joiner go on with the word that they follow: पुल is one
word. A mark that follows no word is none, as after an emoji. The non-joiner parts words, as Persian
writes it between the parts of compounds. `chars` of a text: its length after HTML's white space is
collapsed to single spaces and trimmed, so that indentation does not look like content.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from thresher.page.array_types import Int32s, Int64s, Rows, UInt8s, UInt32s

# Ranges of the scripts without spaces between words, as a regular expression's class.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\ua9e0-\ua9ff\uaa60-\uaa7f"  # South East Asia
    "\u3005-\u3007\u3021-\u3029\u3038-\u303b\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f"  # Kana, marks
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U0001b000-\U0001b16f\U00020000-\U0003ffff"  # Han
)
_ASCII_WORD = re.compile(r"\w+")  # of text that has no other letters
_FIRST_MARK, _LAST_MARK = 0x300, 0xE01EF
_JOINER = 0x200D  # between letters of one word, to have them written together

_OTHER, _RUN, _SINGLE, _SPACE, _MARK = 0, 1, 2, 3, 4


def words(text: str) -> list[str]:
    """Split `text` into its words."""
    return (_ASCII_WORD if text.isascii() else _word()).findall(text)


@cache
def _word() -> re.Pattern[str]:
    """Return the pattern of a word, with the marks that `_classes` knows."""
    codes = (_classes() == _MARK).nonzero()[0]
    spans = np.split(codes, (np.diff(codes) > 1).nonzero()[0] + 1)
    marks = "".join(f"{chr(span[0])}-{chr(span[-1])}" for span in spans)
    # What follows most words comes before all marks: so much is told without going through them.
    marked = f"(?=[{chr(_FIRST_MARK)}-{chr(_LAST_MARK)}])[{marks}]"
    return re.compile(
        rf"(?=[{_UNSPACED}])\w(?:{marked}+)?+|[^\W{_UNSPACED}]++(?:{marked}++[^\W{_UNSPACED}]*+)*+"
    )


_ASCII = re.compile(r"[\x00-\x7f]+")


def non_ascii(text: str) -> str:
    """Return the characters from U+0080 on, with one space for each run of others between them."""
    return _ASCII.sub(" ", text).strip(" ")


@cache
def _classes() -> UInt8s:
    """Class of every code point: part of a run, a word by itself, white space, mark, or other."""
    classes = np.full(0x110000, _OTHER, np.uint8)
    assigned = np.arange(0x40000, dtype="<u4")  # past it no letters, digits or spaces exist
    everything = assigned.tobytes().decode("utf-32-le", "surrogatepass")
    for pattern, kind in ((r"\w+", _RUN), (r"[ \t\n\f\r]+", _SPACE)):
        for match in re.finditer(pattern, everything):
            classes[match.start() : match.end()] = kind
    for match in re.finditer(rf"[{_UNSPACED}]+", everything):
        unspaced = classes[match.start() : match.end()]
        unspaced[unspaced == _RUN] = _SINGLE
    others = (classes[_FIRST_MARK:_LAST_LETTER] == _OTHER).nonzero()[0] + _FIRST_MARK
    asked = others.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")
    categories = "".join(map(unicodedata.category, asked)).encode("ascii")  # of two letters each
    classes[others[np.frombuffer(categories, np.uint8)[::2] == ord("M")]] = _MARK
    classes[_VARIATIONS : _LAST_MARK + 1] = _MARK
    classes[_JOINER] = _MARK
    return classes


_LAST_LETTER = 0x20000  # past it are letters of Han alone, and the marks that choose their shape,
_VARIATIONS = 0xE0100  # which begin here


def _without_marks(kind: UInt8s) -> None:
    """Give each mark the class of what it follows, but as part of no run that of others."""
    if not kind.size or kind.max() < _MARK:  # most texts have none
        return
    marks = (kind == _MARK).nonzero()[0]
    begins = np.ones(len(marks), np.bool_)  # of several marks in a row
    np.not_equal(np.diff(marks), 1, out=begins[1:])
    before = marks[begins] - 1
    in_run = (before >= 0) & (kind.take(before) == _RUN)
    kind[marks] = np.where(in_run, _RUN, _OTHER).take(begins.cumsum() - 1)


@dataclass(frozen=True, slots=True, eq=False)
class Letters:
    """The characters of many texts as numbers, each text followed by one character more."""

    code: npt.NDArray[np.integer[Any]]
    ends: Rows  # where the character stands that follows each text

    @classmethod
    def of(cls, texts: Sequence[str], errors: str = "surrogatepass") -> Letters:
        """Read the texts; with "strict" for `errors` a lone surrogate raises UnicodeEncodeError."""
        code = _code_points(texts, "\0", errors)
        ends = (code == 0).nonzero()[0]
        if len(ends) != len(texts):  # a text has NUL in it, which HTML does not: the long way
            code = _code_points(texts)
            ends = np.cumsum(np.fromiter(map(len, texts), np.intp, len(texts)) + 1) - 1
        return cls(code, ends)

    @property
    def starts(self) -> Rows:
        """Where each text starts."""
        starts = np.zeros(len(self.ends), np.intp)
        np.add(self.ends[:-1], 1, out=starts[1:])
        return starts

    def measure(self) -> tuple[Int32s, Int32s]:
        """Count `chars` and `words` of each text."""
        if not len(self.ends):
            return np.zeros(0, np.int32), np.zeros(0, np.int32)
        # Indices that are of NumPy's own kind beforehand save it the half of a gather's time.
        kind = _classes().take(self.code.astype(np.intp))
        kind[self.ends] = _SPACE
        if self.code.dtype != np.uint8:  # ASCII has no marks
            _without_marks(kind)
        pair = kind * np.uint8(4)
        pair[1:] |= kind[:-1]
        pair[0] |= _SPACE
        counts = np.add.reduceat(_COUNTS.take(pair.astype(np.intp)), self.starts)
        chars, word_count = (counts & _LOW) - 1, counts >> 32
        return np.maximum(chars, 0).astype(np.int32), word_count.astype(np.int32)


def measure(
    texts: Sequence[str],
) -> tuple[Int32s, Int32s]:
    """Count `chars` and `words` of many texts at once."""
    return Letters.of(texts).measure()


def _code_points(
    texts: Sequence[str], end: str = "\n", errors: str = "surrogatepass"
) -> npt.NDArray[np.integer]:
    """Return the characters of all texts as numbers, each text followed by `end`."""
    joined = end.join([*texts, ""])
    if joined.isascii():
        return np.frombuffer(joined.encode("ascii"), np.uint8)
    return np.frombuffer(joined.encode("utf-32-le", errors), "<u4")


_LOW = 2**32 - 1


def _counts() -> Int64s:
    """What a character adds, by its class and that of the one before: words << 32, plus chars.

    A solid character adds 1, and 1 more for the space before it when it begins a piece: one space
    too many for the whole text.
    """
    table = np.zeros(16, np.int64)
    for kind in (_OTHER, _RUN, _SINGLE):
        for before in (_OTHER, _RUN, _SINGLE, _SPACE):
            word = kind == _SINGLE or (kind == _RUN and before != _RUN)
            table[kind << 2 | before] = (word << 32) + 1 + (before == _SPACE)
    return table


_COUNTS = _counts()


# --- stems ---------------------------------------------------------------------------------------

_FNV = np.uint32(0x01000193)  # Fowler, Noll, Vo: the prime of 32 bits
_ONE = ord("1")


@cache
def _folded() -> UInt32s:
    """Every code point in lower case, if that is one character; digits of any script as "1"."""
    folded = np.arange(0x110000, dtype=np.uint32)
    for number in range(0x20000):  # past it no letter has a case
        character = chr(number)
        if character.isdecimal():
            folded[number] = _ONE
        elif not character.islower() and len(lower := character.lower()) == 1:
            folded[number] = ord(lower)
    return folded


def stems(texts: Sequence[str], length: int) -> UInt32s:
    """Return a number for each word of many texts, in order; words that begin alike share it.

    A stem is the first `length` characters of a word in lower case, and "1" for a word that begins
    with a digit; of a word that is one letter with its marks, the letter. Its number is their FNV
    hash: h = 0; h = (h * prime) ^ character for each.
    """
    if not texts:
        return np.zeros(0, np.uint32)
    code = _code_points(texts)
    kind = _classes().take(code)
    _without_marks(kind)
    in_run = kind == _RUN
    begins = in_run.copy()
    begins[1:] &= ~in_run[:-1]
    begins |= kind == _SINGLE
    place = begins.nonzero()[0]
    found: UInt32s = _folded().take(code.take(place))
    alive = in_run.take(place) & (found != _ONE)
    for _ in range(1, length):
        place += 1  # past the end it is the white space that ends the last text
        alive &= in_run.take(place, mode="clip")
        character = _folded().take(code.take(place, mode="clip"))
        found = np.where(alive, (found * _FNV) ^ character, found)
    return found


# --- marks ---------------------------------------------------------------------------------------


def tally(texts: Sequence[str], classes: UInt8s, count: int) -> Int64s:
    """Count for each text the characters of the classes 1 to `count`: shape (count, texts).

    `classes` gives the class of each code point; those past its end have that of its last entry.
    """
    if not texts:
        return np.zeros((count, 0), np.int64)
    kind = classes.take(_code_points(texts), mode="clip")
    place = ((kind > 0) & (kind <= count)).nonzero()[0]  # few of the characters
    lengths = np.fromiter(map(len, texts), np.int64, len(texts)) + 1
    text = lengths.cumsum().searchsorted(place, side="right")
    number = (kind[place].astype(np.int64) - 1) * len(texts) + text
    return np.bincount(number, minlength=count * len(texts)).reshape(count, len(texts))
