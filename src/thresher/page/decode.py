"""Decode bytes: by byte order mark, then the argument, then `<meta>`, then detection.

A `<meta>` that contradicts the bytes is ignored: if the bytes past ASCII are valid UTF-8, the page
is UTF-8. Such pages were served with a correct header, which is lost when they are stored.

https://html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding
"""

from __future__ import annotations

import codecs
import re

from turbohtml.detect import detect

from thresher.errors import UsageError

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# <meta charset=...>, or <meta http-equiv=content-type content="...; charset=...">
_META = re.compile(
    rb"<meta\s(?![^>]*\bname\s*=)[^>]*?charset\s*=\s*[\"']?\s*([A-Za-z0-9_:.+-]+)", re.I
)
_NO_META = re.compile(rb"<!--.*?-->|<(script|style)\b.*?</\1", re.S | re.I)
_META_WITHIN = 16_384  # bytes searched for <meta>; the standard requires 1,024, pages need more


def decode(data: str | bytes, charset: str | None = None) -> tuple[str, str | None]:
    """Return the decoded text and the charset used (None for str)."""
    if charset is not None and not is_charset(charset):
        raise UsageError(
            f"unknown charset {charset!r}: leave it out to have it detected, or give a name such "
            "as utf-8 or windows-1251."
        )
    if isinstance(data, str):
        return data.removeprefix("\ufeff"), None
    return _decode_bytes(data, charset)


_LONE = re.compile("[\ud800-\udfff]")


def well_formed(text: str) -> str:
    """Return the text with lone surrogates, which cannot be encoded, replaced by U+FFFD."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return _LONE.sub("\N{REPLACEMENT CHARACTER}", text)
    return text


def is_charset(label: str) -> bool:
    """Return whether `label` is a name in the Encoding Standard, or a common alias of one."""
    return _codec(label) is not None


def _decode_bytes(data: bytes, charset: str | None) -> tuple[str, str]:
    for mark, name in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(name, "replace"), name
    label = charset or _meta_charset(data)
    if charset is None and label not in (None, "utf-8") and _is_valid_utf_8(data):
        label = "utf-8"
    if label is not None:
        codec = _codec(label)
        assert codec is not None
        return codec.decode(data, "replace")[0], label.lower()
    if _is_mostly_utf_8(data):
        return data.decode("utf-8", "replace"), "utf-8"
    found = detect(data)
    return data.decode(found.codec or "utf-8", "replace"), (found.encoding or "utf-8").lower()


_ENOUGH = 6  # bytes past ASCII: in fewer, two letters of another charset may look like UTF-8


def _bytes_past_ascii(data: bytes) -> int:
    return len(data) - len(data.decode("ascii", "ignore"))


def _is_valid_utf_8(data: bytes) -> bool:
    """Return whether there are enough bytes past ASCII, and all are valid UTF-8."""
    if _bytes_past_ascii(data) < _ENOUGH:
        return False
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


_BROKEN = 0.01  # share of the bytes past ASCII that may be invalid in a UTF-8 page


def _is_mostly_utf_8(data: bytes) -> bool:
    """Return whether data is UTF-8 with few invalid bytes, such as a character cut at the end."""
    if data.isascii():
        return False
    broken = data.decode("utf-8", "replace").count("\N{REPLACEMENT CHARACTER}")
    past_ascii = _bytes_past_ascii(data)
    return broken <= 1 + _BROKEN * past_ascii and past_ascii > 2 * broken


def _meta_charset(data: bytes) -> str | None:
    """Return the charset named in the page's `<meta>`, None if there is none or it is unknown."""
    match = _META.search(_NO_META.sub(b"", data[:_META_WITHIN]))
    label = match[1].decode("ascii").lower() if match else None
    if label is None or not is_charset(label):
        return None
    # <meta> was read as ASCII, so the page cannot be UTF-16: the standard says UTF-8.
    return "utf-8" if label.startswith(("utf-16", "utf16", "unicode", "ucs-2")) else label


def _codec(label: str) -> codecs.CodecInfo | None:
    name = label.strip().lower()
    for known in (name, _ALIASES.get(name, name)):
        try:
            return codecs.lookup(f"whatwg-{known}")
        except (LookupError, ValueError):
            continue
    return None


# Common names that are not in the Encoding Standard.
_ALIASES = {
    "latin-1": "latin1", "utf-16-le": "utf-16le", "utf-16-be": "utf-16be", "utf_8": "utf-8",
    "cp932": "shift_jis", "cp949": "euc-kr", "cp936": "gbk", "cp950": "big5",
}  # fmt: skip
