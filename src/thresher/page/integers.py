"""Integers in attributes, read as HTML reads them.

https://html.spec.whatwg.org/#rules-for-parsing-integers: white space, a sign, ASCII digits; what
follows the digits is passed over.
"""

from __future__ import annotations

import re

_INTEGER = re.compile(r"[ \t\n\f\r]*([+-]?)([0-9]+)")
_LARGEST = 2**31 - 1  # what a browser's integers hold


def integer(text: str | None) -> int | None:
    """Return the integer that an attribute begins with, None if it begins with none."""
    match = _INTEGER.match(text or "")
    if match is None:
        return None
    digits = match[2].lstrip("0")
    size = _LARGEST if len(digits) > 10 else min(int(digits or "0"), _LARGEST)
    return -size if match[1] == "-" else size
