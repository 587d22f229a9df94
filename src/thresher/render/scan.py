"""Loops over the characters of texts, which also run compiled."""

from __future__ import annotations

import re
from json.encoder import encode_basestring

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


def any_has(texts: list[str], characters: bytes) -> bool:
    """Return whether one of the texts has one of the characters in a table."""
    return has_any("".join(texts), characters)


def quoted(text: str) -> str:
    """Return a text as a JSON string, with no more escapes than needed."""
    return encode_basestring(text)


use_compiled(globals(), "any_has", "collapse_spaces", "has_any", "quoted")
