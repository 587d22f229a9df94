"""Characters and words: how text is counted everywhere, in methods and in scores.

`words` of a text: runs of `\\w`; in scripts that write without spaces (Han, Kana, Thai, Lao, Khmer,
Myanmar) each such character is a word. `chars` of a text: its length after HTML's white
space is collapsed to single spaces and trimmed, so that indentation does not look like content.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

import numpy as np
import numpy.typing as npt

__all__ = ["measure", "words"]

# Ranges of the scripts without spaces between words, as a regular expression's class.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\ua9e0-\ua9ff\uaa60-\uaa7f"  # South East Asia
    "\u3005-\u3007\u3021-\u3029\u3038-\u303b\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f"  # Kana, marks
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U0001b000-\U0001b16f\U00020000-\U0003ffff"  # Han
)
_WORD = re.compile(rf"(?=[{_UNSPACED}])\w|[^\W{_UNSPACED}]+")

_OTHER, _RUN, _SINGLE, _SPACE = 0, 1, 2, 3


def words(text: str) -> list[str]:
    """Split `text` into its words."""
    return _WORD.findall(text)


@cache
def _classes() -> npt.NDArray[np.uint8]:
    """Class of every code point: part of a run, a word by itself, white space, or other."""
    classes = np.full(0x110000, _OTHER, np.uint8)
    assigned = np.arange(0x40000, dtype="<u4")  # past it no letters, digits or spaces exist
    everything = assigned.tobytes().decode("utf-32-le", "surrogatepass")
    for pattern, kind in ((r"\w+", _RUN), (r"[ \t\n\f\r]+", _SPACE)):
        for match in re.finditer(pattern, everything):
            classes[match.start() : match.end()] = kind
    for match in re.finditer(rf"[{_UNSPACED}]+", everything):
        unspaced = classes[match.start() : match.end()]
        unspaced[unspaced == _RUN] = _SINGLE
    return classes


def measure(
    texts: Sequence[str],
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Count `chars` and `words` of many texts at once."""
    if not texts:
        return np.zeros(0, np.int32), np.zeros(0, np.int32)
    joined = "\n".join([*texts, ""])  # white space of their own keeps the texts apart
    code: npt.NDArray[np.integer]
    if joined.isascii():
        code = np.frombuffer(joined.encode("ascii"), np.uint8)
    else:
        code = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), "<u4")
    kind = _classes().take(code)
    pair = kind << 2
    pair[1:] |= kind[:-1]
    pair[0] |= _SPACE

    lengths = np.fromiter(map(len, texts), np.int64, len(texts)) + 1
    counts = np.add.reduceat(_COUNTS.take(pair), np.cumsum(lengths) - lengths)
    chars, word_count = (counts & _LOW) - 1, counts >> 32
    return np.maximum(chars, 0).astype(np.int32), word_count.astype(np.int32)


_LOW = 2**32 - 1


def _counts() -> npt.NDArray[np.int64]:
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
