"""Loops over the characters of texts, which also run compiled."""

from __future__ import annotations

import re
from json.encoder import encode_basestring

from thresher.page.words import collapsed as collapsed
from thresher.render.compiled import use_compiled

_SPACES = re.compile(r"[ \t\n\f\r]+")


def character_table(characters: str) -> bytes:
    """Return one byte for each of the first 256 characters: 1 if it is among those given."""
    return bytes(chr(number) in characters for number in range(256))


def collapse_spaces(text: str) -> str:
    """Return the text with each run of white space as one space."""
    return _SPACES.sub(" ", text) if "  " in text or not text.isprintable() else text


def has_any(text: str, characters: bytes) -> bool:
    """Return whether the text has one of the characters in a table."""
    return 1 in text.encode("latin-1", "replace").translate(characters)


_CONTROLS = character_table("".join(map(chr, {*range(32), 0x85} - {9, 10})))


def has_controls(text: str) -> bool:
    """Return whether the text has control characters or line ends, but for tabs and "\\n"."""
    return has_any(text, _CONTROLS) or "\u2028" in text or "\u2029" in text


HAS_MARKS, TWO_DOLLARS = 1, 2  # bits of `tex_marks`


def tex_marks(texts: list[str]) -> int:
    """Return the bits of what texts have that formulas are written with.

    `HAS_MARKS`: joined, they have a backslash or two dollars side by side. `TWO_DOLLARS`: one of
    them has two dollars.
    """
    whole = "".join(texts)
    has_marks = "\\" in whole or "$$" in whole
    has_dollars = "$" in whole and any(text.count("$") > 1 for text in texts)
    return HAS_MARKS * has_marks | TWO_DOLLARS * has_dollars


def texts_with_dollars(texts: list[str]) -> list[int]:
    """Return the indexes of the texts with two dollars."""
    return [index for index, text in enumerate(texts) if text.count("$") > 1]


class Words:
    """Words to look for in texts, whatever the case of their letters.

    They are of ASCII, in lower case, and at most 64. A regular expression with many words takes
    longer, so this tells where one is needed.
    """

    def __init__(self, *words: str) -> None:
        self.words = words

    def are_in(self, text: str) -> bool:
        """Return whether a text has one of the words, also as a part of another word."""
        folded = text.casefold()
        return any(word in folded for word in self.words)


def quoted(text: str) -> str:
    """Return a text as a JSON string, with no more escapes than needed."""
    return encode_basestring(text)


use_compiled(
    globals(),
    "Words",
    "collapsed",
    "has_any",
    "has_controls",
    "quoted",
    "tex_marks",
    "texts_with_dollars",
)
