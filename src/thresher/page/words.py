"""Counting of characters and words, the same for methods and for scores.

The words of a text are runs of `\\w`; in scripts written without spaces (Han, Kana, Thai, Lao,
Khmer, Myanmar) each character is a word. Combining marks (Unicode's categories Mn, Mc and Me: vowel
signs, points, accents) and the zero-width joiner continue the word that they follow: पुल is one
word. A mark that does not follow a word, as after an emoji, is no word. The non-joiner separates
words, as Persian writes it between the parts of compounds. The characters of a text are its length
after HTML's white space is collapsed to single spaces and trimmed, so that indentation does not
count as content; the column `chars` of a page adds the spaces between the texts of a run.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.page.array_types import Bools, Int32s, Int64s, Rows, UInt8s, UInt32s
from thresher.page.lazy import lazy_pattern

# Scripts without spaces between words, as a character class of a regular expression.
UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\ua9e0-\ua9ff\uaa60-\uaa7f"  # South East Asia
    "\u3005-\u3007\u3021-\u3029\u3038-\u303b\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f"  # Kana, marks
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U0001b000-\U0001b16f\U00020000-\U0003ffff"  # Han
)
_ASCII_WORD = re.compile(r"\w+")
_FIRST_MARK, _LAST_MARK = 0x300, 0xE01EF
_JOINER = 0x200D  # zero-width joiner, between letters of one word
_LAST_LETTER = 0x20000  # past it are only letters of Han, and the marks that select their shape,
_VARIATIONS = 0xE0100  # which begin here

_OTHER, _RUN, _SINGLE, _SPACE, _MARK = 0, 1, 2, 3, 4


def words(text: str) -> list[str]:
    """Return the words of a text."""
    return (_ASCII_WORD if text.isascii() else _word()).findall(text)


def word_starts(text: str) -> Int64s:
    """Return where the words of a text begin."""
    found = (_ASCII_WORD if text.isascii() else _word()).finditer(text)
    return np.fromiter((match.start() for match in found), np.int64)


_LAST_SPACE = 0x3000


@cache
def _white_space() -> Bools:
    """Return one bool per code point up to the one after the last white space."""
    return np.array([chr(code).isspace() for code in range(_LAST_SPACE + 2)])


def is_white_space(text: str) -> Bools:
    """Return one bool per character: True for white space, as `str.isspace` and `split` see it."""
    code = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")
    return _white_space().take(code, mode="clip")


@cache
def _word() -> re.Pattern[str]:
    """Return the pattern of a word, with the marks of `_classes`."""
    codes = (character_classes() == _MARK).nonzero()[0]
    spans = np.split(codes, (np.diff(codes) > 1).nonzero()[0] + 1)
    marks = "".join(f"{chr(span[0])}-{chr(span[-1])}" for span in spans)
    # Most characters that follow a word are below all marks: the lookahead rejects them quickly.
    marked = f"(?=[{chr(_FIRST_MARK)}-{chr(_LAST_MARK)}])[{marks}]"
    return re.compile(
        rf"(?=[{UNSPACED}])\w(?:{marked}+)?+|[^\W{UNSPACED}]++(?:{marked}++[^\W{UNSPACED}]*+)*+"
    )


_UNSEEN_SIGNS = "\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"
_UNSEEN = lazy_pattern(rf"[{_UNSEEN_SIGNS}]+")
_ALL_UNSEEN = lazy_pattern(rf"[\x00-\x20\xa0{_UNSEEN_SIGNS}]*")


def has_unseen(text: str) -> bool:
    """Return whether a text has signs without a width."""
    return not text.isascii() and any(map(text.__contains__, _UNSEEN_SIGNS))


def seen(text: str) -> str:
    """Return a text; without them if it has nothing but white space and signs without a width."""
    if text.isascii() or not _ALL_UNSEEN.fullmatch(text):  # true of most
        return text
    return _UNSEEN.sub("", text)


_ASCII = lazy_pattern(r"[\x00-\x7f]+")


def non_ascii(text: str) -> str:
    """Return the characters from U+0080 on, with one space for each run of others between them."""
    return _ASCII.sub(" ", text).strip(" ")


@cache
def character_classes() -> UInt8s:
    """Return the class of every code point: run, single word, white space, mark or other."""
    classes = np.full(0x110000, _OTHER, np.uint8)
    assigned = np.arange(0x40000, dtype="<u4")  # there are no letters, digits or spaces past it
    everything = assigned.tobytes().decode("utf-32-le", "surrogatepass")
    for pattern, kind in ((r"\w+", _RUN), (r"[ \t\n\f\r]+", _SPACE)):
        for match in re.finditer(pattern, everything):
            classes[match.start() : match.end()] = kind
    for match in re.finditer(rf"[{UNSPACED}]+", everything):
        unspaced = classes[match.start() : match.end()]
        unspaced[unspaced == _RUN] = _SINGLE
    others = (classes[_FIRST_MARK:_LAST_LETTER] == _OTHER).nonzero()[0] + _FIRST_MARK
    characters = others.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")
    categories = "".join(map(unicodedata.category, characters)).encode("ascii")  # two letters each
    classes[others[np.frombuffer(categories, np.uint8)[::2] == ord("M")]] = _MARK
    classes[_VARIATIONS : _LAST_MARK + 1] = _MARK
    classes[_JOINER] = _MARK
    return classes


def _reclassify_marks(kind: UInt8s) -> None:
    """Change the class of each mark in place: in a run if it follows one, else other."""
    if not kind.size or kind.max() < _MARK:  # most texts have none
        return
    marks = (kind == _MARK).nonzero()[0]
    begins = np.ones(len(marks), np.bool_)  # first of several adjacent marks
    np.not_equal(np.diff(marks), 1, out=begins[1:])
    before = marks[begins] - 1
    in_run = (before >= 0) & (kind.take(before) == _RUN)
    kind[marks] = np.where(in_run, _RUN, _OTHER).take(begins.cumsum() - 1)


class Letters(NamedTuple):
    """The code points of many texts in one array; one separator follows each text."""

    code: npt.NDArray[np.integer[Any]]
    ends: Rows  # position of the separator after each text

    @classmethod
    def of(cls, texts: Sequence[str], errors: str = "surrogatepass") -> Letters:
        """Encode the texts; with `errors="strict"` a lone surrogate raises UnicodeEncodeError."""
        code = _code_points(texts, "\0", errors)
        ends = (code == 0).nonzero()[0]
        if len(ends) != len(texts):  # a text contains NUL, which parsed HTML does not
            code = _code_points(texts)
            ends = np.cumsum(np.fromiter(map(len, texts), np.intp, len(texts)) + 1) - 1
        return cls(code, ends)

    @property
    def starts(self) -> Rows:
        """Position of the first character of each text."""
        starts = np.zeros(len(self.ends), np.intp)
        np.add(self.ends[:-1], 1, out=starts[1:])
        return starts

    def is_space(self, positions: Rows) -> Bools:
        """Return whether the character at each position is white space."""
        found: Bools = character_classes().take(self.code.take(positions)) == _SPACE
        return found

    def measure(self) -> tuple[Int32s, Int32s]:
        """Return the characters of each text without its outer white space, and its words."""
        if not len(self.ends):
            return np.zeros(0, np.int32), np.zeros(0, np.int32)
        # With indices of type intp, `take` needs half the time.
        kind = character_classes().take(self.code.astype(np.intp))
        kind[self.ends] = _SPACE
        if self.code.dtype != np.uint8:  # ASCII has no marks
            _reclassify_marks(kind)
        pair = kind * np.uint8(4)
        pair[1:] |= kind[:-1]
        pair[0] |= _SPACE
        counts = np.add.reduceat(_COUNTS.take(pair.astype(np.intp)), self.starts)
        chars, word_count = (counts & _LOW) - 1, counts >> 32
        return np.maximum(chars, 0).astype(np.int32), word_count.astype(np.int32)


def measure(texts: Sequence[str]) -> tuple[Int32s, Int32s]:
    """Return the `chars` and `words` counts of each text."""
    return Letters.of(texts).measure()


def _code_points(
    texts: Sequence[str], end: str = "\n", errors: str = "surrogatepass"
) -> npt.NDArray[np.integer]:
    """Return the code points of all texts, each text followed by `end`."""
    joined = end.join([*texts, ""])
    if joined.isascii():
        return np.frombuffer(joined.encode("ascii"), np.uint8)
    return np.frombuffer(joined.encode("utf-32-le", errors), "<u4")


_LOW = 2**32 - 1


def _counts() -> Int64s:
    """Return what a character adds to the counts: `(words << 32) + chars`.

    The index is `class << 2 | class of the character before`. A solid character adds 1 to chars,
    and 1 more for the space before it if it follows white space: one too many per text.
    """
    table = np.zeros(16, np.int64)
    for kind in (_OTHER, _RUN, _SINGLE):
        for before in (_OTHER, _RUN, _SINGLE, _SPACE):
            word = kind == _SINGLE or (kind == _RUN and before != _RUN)
            table[kind << 2 | before] = (word << 32) + 1 + (before == _SPACE)
    return table


_COUNTS = _counts()


# --- stems ---------------------------------------------------------------------------------------

_FNV = np.uint32(0x01000193)  # Fowler, Noll, Vo: the 32-bit prime
_ONE = ord("1")


@cache
def _folded() -> UInt32s:
    """Return every code point in lower case, if that is one character; any digit as "1"."""
    folded = np.arange(0x110000, dtype=np.uint32)
    for number in range(0x20000):  # there are no letters with case past it
        character = chr(number)
        if character.isdecimal():
            folded[number] = _ONE
        elif not character.islower() and len(lower := character.lower()) == 1:
            folded[number] = ord(lower)
    return folded


def stems(texts: Sequence[str], length: int) -> UInt32s:
    """Return the hash of the stem of each word of many texts, in order.

    The stem is the first `length` characters of a word in lower case; "1" for a word that begins
    with a digit; for a single letter with marks, the letter. The hash is FNV: h = 0, then
    h = (h * prime) ^ character for each character.
    """
    if not texts:
        return np.zeros(0, np.uint32)
    code = _code_points(texts)
    kind = character_classes().take(code)
    _reclassify_marks(kind)
    in_run = kind == _RUN
    begins = in_run.copy()
    begins[1:] &= ~in_run[:-1]
    begins |= kind == _SINGLE
    place = begins.nonzero()[0]
    found: UInt32s = _folded().take(code.take(place))
    alive = in_run.take(place) & (found != _ONE)
    for _ in range(1, length):
        place += 1  # past the end: clipped to the white space after the last text
        alive &= in_run.take(place, mode="clip")
        character = _folded().take(code.take(place, mode="clip"))
        found = np.where(alive, (found * _FNV) ^ character, found)
    return found


# --- classes of characters -----------------------------------------------------------------------


def tally(texts: Sequence[str], classes: UInt8s, count: int) -> Int64s:
    """Return the number of characters of the classes 1 to `count` in each text: (count, texts).

    `classes` is the class of each code point; code points past its end have that of its last entry.
    """
    if not texts:
        return np.zeros((count, 0), np.int64)
    kind = classes.take(_code_points(texts), mode="clip")
    place = ((kind > 0) & (kind <= count)).nonzero()[0]  # few of the characters
    lengths = np.fromiter(map(len, texts), np.int64, len(texts)) + 1
    text = lengths.cumsum().searchsorted(place, side="right")
    number = (kind[place].astype(np.int64) - 1) * len(texts) + text
    return np.bincount(number, minlength=count * len(texts)).reshape(count, len(texts))


_AT_ONCE = 500_000  # characters: their words need up to twenty times as much memory


def collapsed(text: str) -> str:
    """Return a text with each run of white space as one space, and none around it.

    A long text is split in parts, because the list of its words would be far larger than itself.
    """
    if len(text) <= _AT_ONCE:
        return " ".join(text.split())
    parts: list[str] = []
    is_apart = False  # white space comes before the next part
    for first in range(0, len(text), _AT_ONCE):
        part = text[first : first + _AT_ONCE]
        words = " ".join(part.split())
        is_apart |= part[0].isspace()
        if words:
            parts += (" " if is_apart and parts else "", words)
            is_apart = part[-1].isspace()
    return "".join(parts)
