"""From bytes to text: byte order mark, then the argument, then `<meta>`, then detection.

https://html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding
"""

from __future__ import annotations

import codecs
import re

from turbohtml.detect import detect

from thresher.errors import UsageError

__all__ = ["decode", "is_charset"]

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_META = re.compile(rb"<meta\s[^>]*?charset\s*=\s*[\"']?\s*([A-Za-z0-9_:.+-]+)", re.I)
_COMMENT = re.compile(rb"<!--.*?-->", re.S)
_META_WITHIN = (
    16_384  # bytes searched for <meta>; the specification asks for 1,024, pages need more
)


def decode(data: str | bytes, charset: str | None = None) -> tuple[str, str | None]:
    """Return the text, and the charset that was used (None for str)."""
    if isinstance(data, str):
        return data.removeprefix("\ufeff"), None
    return _decode_bytes(data, charset)


def is_charset(label: str) -> bool:
    """Tell whether the Encoding Standard knows `label`."""
    return _codec(label) is not None


def _decode_bytes(data: bytes, charset: str | None) -> tuple[str, str]:
    if charset is not None and not is_charset(charset):
        raise UsageError(
            f"unknown charset {charset!r}: leave it out to have it detected, or give a name such "
            "as utf-8 or windows-1251."
        )
    for mark, name in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(name, "replace"), name
    label = charset or _declared(data)
    if label is not None:
        codec = _codec(label)
        assert codec is not None
        return codec.decode(data, "replace")[0], label.lower()
    found = detect(data)
    return data.decode(found.codec or "utf-8", "replace"), (found.encoding or "utf-8").lower()


def _declared(data: bytes) -> str | None:
    """The charset that the page's own `<meta>` names, if it can be true."""
    head = data[:_META_WITHIN]
    if b"<!--" in head:
        head = _COMMENT.sub(b"", head)
    match = _META.search(head)
    label = match[1].decode("ascii").lower() if match else None
    if label is None or not is_charset(label):
        return None
    # We read <meta> as ASCII, so the page cannot be in UTF-16: the specification says UTF-8.
    return "utf-8" if label.startswith(("utf-16", "utf16", "unicode", "ucs-2")) else label


def _codec(label: str) -> codecs.CodecInfo | None:
    try:
        return codecs.lookup(f"whatwg-{label.strip().lower()}")
    except (LookupError, ValueError):
        return None
