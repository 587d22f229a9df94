"""Decode bytes, and mend text that was decoded or encoded wrongly before.

The charset is the first of these that is there and fits:

1. the byte order mark, unless the bytes after it cannot be in its charset
2. the argument `charset`, as it is
3. UTF-16 or UTF-32, if every second byte (or three of four) of the markup is zero
4. `<meta>`, or the XML declaration
5. UTF-8, if most of the bytes past ASCII are valid
6. what turbohtml detects from the bytes, a few of which may be in no charset

Texts of a page in UTF-8 that are in another charset, as from another file or database, are decoded
in what is detected from all of them.

A declared charset does not fit if it produces replacement characters, if the bytes past ASCII are
valid UTF-8, if its letters are Latin and those of the words are not or the reverse, if it is
windows-1252 and words have signs within them, if it is Cyrillic and the words are in no Cyrillic
language, or if there are the escapes of ISO-2022-JP. A Cyrillic charset, declared or detected,
gives way to another in which far more words are words, and others to Mac Roman or the charsets of
DOS if only in these the bytes within words are small letters.
ISO-8859-2 means windows-1250 if there are letters that only this has, and windows-1252 means
ISO-8859-15 or windows-1257 if letters of these are in words. UTF-8 may be CESU-8.

`Mending` finds and mends what the charset does not explain, in `str` too: C1 controls, text that
was encoded as UTF-8 twice, all of it or single texts, and soft hyphens.

https://html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from importlib import import_module
from itertools import accumulate, compress
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.errors import UsageError
from thresher.page.core import COMPILED
from thresher.page.lazy import LazyModule, lazy_pattern

if TYPE_CHECKING:
    import html

    from turbohtml import detect
else:  # few pages need them
    html, detect = LazyModule("html"), LazyModule("turbohtml.detect")
if COMPILED:
    from thresher.page import _walk

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # starts with the mark of UTF-16
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_REPLACED = "\N{REPLACEMENT CHARACTER}"


def decode(data: str | bytes, charset: str | None = None) -> tuple[str, str | None]:
    """Return the decoded text, without lone surrogates, and the charset used (None for str)."""
    if charset is not None and not is_charset(charset):
        raise UsageError(
            f"unknown charset {charset!r}: leave it out to have it detected, or give a name such "
            "as utf-8 or windows-1251."
        )
    if isinstance(data, str):
        return well_formed(data.removeprefix("\ufeff")), None
    return _decode_bytes(data, charset)


_LONE = lazy_pattern("[\ud800-\udfff]")


def well_formed(text: str) -> str:
    """Return the text with lone surrogates, which cannot be encoded, replaced by U+FFFD."""
    has_surrogates = _walk.find_signs(text, 0)[0] if COMPILED else not _is_encodable(text)
    return _LONE.sub(_REPLACED, text) if has_surrogates else text


def _is_encodable(text: str) -> bool:
    """Return whether a text can be encoded; in parts that the processor's cache holds."""
    if text.isascii():
        return True
    try:
        for first in range(0, len(text), _AT_ONCE):
            text[first : first + _AT_ONCE].encode("utf-16-le")
    except UnicodeEncodeError:
        return False
    return True


_AT_ONCE = 32_768  # characters


def is_charset(label: str) -> bool:
    """Return whether `label` is a name in the Encoding Standard, or a common alias of one."""
    return _codec(label) is not None


def _codec(label: str) -> codecs.CodecInfo | None:
    _register_codecs()
    name = label.strip().lower()
    if (old := _old_codec(name)) is not None:
        return old
    for known in (name, _ALIASES.get(name, name), _ISO.sub("iso-8859-", name)):
        try:
            return codecs.lookup(f"whatwg-{known}")
        except (LookupError, ValueError):
            continue
    return None


# Charsets that the Encoding Standard does not read, as Python names them. Browsers must not, since
# some hide scripts from filters: nothing is run here.
_OLD = frozenset(
    "cp437 cp720 cp737 cp775 cp850 cp852 cp855 cp857 cp858 cp860 cp861 cp862 cp863 cp864 cp865 "
    "cp869 mac-croatian mac-greek mac-iceland mac-latin2 mac-romanian mac-turkish johab hz "
    "iso2022_kr utf-7".split()
)
_PYTHON_NAMES = {"hz-gb-2312": "hz", "x-mac-ce": "mac-latin2", "x-johab": "johab"}
_ISO = re.compile(r"\Aiso[-_]?8859[-_]?")


@lru_cache(maxsize=256)
def _old_codec(name: str) -> codecs.CodecInfo | None:
    """Return the codec of a charset that the Encoding Standard does not have, None for others."""
    try:
        codec = codecs.lookup(_PYTHON_NAMES.get(name, name))
    except (LookupError, ValueError):
        return None
    return codec if codec.name in _OLD else None


@cache
def _register_codecs() -> None:
    """Import the detection of charsets, which registers the codecs of the Encoding Standard."""
    import_module("turbohtml.detect")


# Common names that are not in the Encoding Standard.
_ALIASES = {
    "latin-1": "latin1", "utf-16-le": "utf-16le", "utf-16-be": "utf-16be", "utf_8": "utf-8",
    "cp932": "shift_jis", "cp949": "euc-kr", "cp936": "gbk", "cp950": "big5",
    "cp874": "windows-874",
}  # fmt: skip


# --- the charset of bytes ------------------------------------------------------------------------


def _decode_bytes(data: bytes, charset: str | None) -> tuple[str, str]:
    for mark, name in _MARKS:
        if data.startswith(mark):
            if _may_have_mark(data[len(mark) :], name):
                return data[len(mark) :].decode(name, "replace"), name
            data = data[len(mark) :]
            break
    if charset is not None:
        return _decode_as(charset, data)
    wide = wide_charset(data)
    if wide is not None:
        return data.decode(wide, "replace"), wide
    label = _declared_charset(data)
    valid = None if data.isascii() else _valid_utf_8(data, label) or _of_cesu_8(data)
    if valid is not None:
        return valid, "utf-8"
    if _has_escapes(data):
        return _decode_as("iso-2022-jp", data)
    old = _old_latin(data, label)
    if old is not None:
        return _decode_as(old, data)
    if label is not None and fits(label, data):
        return _decode_as(_western(_cyrillic(label, data), data), data)
    return _decode_as("utf-8", data) if _is_mostly_utf_8(data) else _detected(data)


# A character past U+FFFF in CESU-8, as old databases and Java write it.
_SURROGATES = lazy_pattern(rb"\xed[\xa0-\xaf][\x80-\xbf]\xed[\xb0-\xbf][\x80-\xbf]")


def _of_cesu_8(data: bytes) -> str | None:
    """Return the text of bytes that are mostly UTF-8 with characters in CESU-8, None for others."""
    if _SURROGATES.search(data) is None:
        return None
    mended = _SURROGATES.sub(_of_surrogates, data)
    return _decode_as("utf-8", mended)[0] if _is_mostly_utf_8(mended) else None


def _of_surrogates(found: re.Match[bytes]) -> bytes:
    """Return two surrogates in UTF-8 as the character that they are in UTF-16."""
    pair = found[0].decode("utf-8", "surrogatepass").encode("utf-16-le", "surrogatepass")
    return pair.decode("utf-16-le").encode()


def _may_have_mark(data: bytes, name: str) -> bool:
    """Return whether the bytes after a byte order mark may be in its charset.

    Editors and servers put the mark before pages in other charsets.
    """
    if name == "utf-8":
        return data.isascii() or _valid_utf_8(data, None) is not None or _is_mostly_utf_8(data)
    start = data[:_MARKED_WITHIN]
    return 0 in start or _TAG_IN_ASCII.search(start) is None


_MARKED_WITHIN = 1_024  # bytes
_TAG_IN_ASCII = lazy_pattern(rb"<(?:!doctype|html|head|body|meta|title|div|p)[\s>]", re.I)


def _detected(data: bytes) -> tuple[str, str]:
    """Return bytes decoded in the charset that they seem to have, and its name."""
    name = _charset_of(data)
    codec = _codec(name)
    if codec is None:
        return _decode_as("utf-8", data)
    if (right := _cyrillic(name, data)) != name:
        return _decode_as(right, data)
    if name == "windows-1252" and _is_hungarian(data[:_MOST_LOOKED_AT]):
        return _decode_as("windows-1250", data)
    if (right := _western(name, data)) != name:
        return _decode_as(right, data)
    return codec.decode(data, "replace")[0], name


# Charsets that do not have all bytes, or not all rows of them, and the codecs of Python, which say
# which bytes are wrong.
_WITH_GAPS = {
    "shift_jis": "cp932", "euc-jp": "euc_jp", "gbk": "gb18030", "big5": "big5hkscs",
    "euc-kr": "cp949", "windows-1250": "cp1250", "windows-1251": "cp1251",
    "windows-1253": "cp1253", "windows-1254": "cp1254", "windows-1255": "cp1255",
    "windows-1257": "cp1257", "windows-874": "cp874", "iso-8859-6": "iso8859-6",
    "iso-8859-7": "iso8859-7", "iso-8859-8": "iso8859-8",
}  # fmt: skip
_NARROW = ("euc-jp", "euc-kr", "utf-8", "iso-2022-jp")  # no other text is without an error in them
_BETWEEN_TEXTS = lazy_pattern(rb"[<>\n]+")
_MOST_GAPS = 50  # each is looked for once more in what follows


def _charset_of(data: bytes) -> str:
    """Return the charset that bytes seem to have, though some of them may be wrong in it.

    The detection leaves out charsets in which a single byte is wrong. Those with few such bytes
    are likely if they are detected without these, and the likeliest is the one that most of the
    bytes between the wrong ones seem to be in too: elsewhere, every second byte may begin a
    character.
    """
    found = _detect(data)
    if found in _NARROW or data.isascii():
        return found
    texts = _texts_past_ascii(data)
    most = min(1 + _BROKEN * _past_ascii(texts), _MOST_GAPS)
    likely: dict[str, list[bytes]] = {}
    for name, codec in _WITH_GAPS.items():
        parts = _right_parts(texts, codec, most)
        if len(parts) > 1 and _detect(b"".join(parts)) == name:
            likely[name] = parts
    if len(likely) <= 1:
        return next(iter(likely), found)
    return max(likely, key=lambda name: _seem_to_be(name, likely[name]))


def _texts_past_ascii(data: bytes) -> bytes:
    """Return the first texts that are not ASCII, and the last, where a page may be cut."""
    texts = [text for text in _BETWEEN_TEXTS.split(data) if not text.isascii()]
    sizes = accumulate(map(len, texts))
    some = list(compress(texts, (size <= _MOST_LOOKED_AT for size in sizes)))
    return b"\n".join(some if len(some) == len(texts) else (*some, texts[-1][-_MOST_LOOKED_AT:]))


def _seem_to_be(name: str, parts: Iterable[bytes]) -> int:
    """Return how many bytes are in parts that seem to be in a charset."""
    return sum(len(part) for part in parts if _detect(part) == name)


def _detect(data: bytes) -> str:
    return (detect.detect(_UNDECLARED + data).encoding or "").lower()


def _right_parts(data: bytes, codec: str, most: float) -> list[bytes]:
    """Return the parts of bytes between those that are not in a charset.

    None if there are more than `most` of these.
    """
    parts: list[bytes] = []
    while len(parts) <= most:
        try:
            data.decode(codec)
        except UnicodeDecodeError as error:
            parts.append(data[: error.start])
            data = data[error.end :]
        else:
            return [*parts, data]
    return []


# Charsets of the Mac and of DOS, which are hardly ever declared and not detected, and newer ones.
_OLD_LATIN = ("macintosh", "cp850", "cp852")
_NEW_LATIN = ("windows-1252", "windows-1250", "windows-1257")
_IN_WORD = lazy_pattern(rb"(?<=[a-z])[\x80-\xff](?=[a-z])")
_IN_ROW = lazy_pattern(rb"[\x80-\xff]{2}")
_FEWEST, _SHARE = 4, 0.2  # bytes in words, share of the bytes past ASCII
_FEWEST_LETTERS = 3  # bytes in words that are no apostrophe, quotation mark or dash of windows-1252
_MARKS_OF_1252 = "…‘’“”•–—".encode("windows-1252")
_MOST_IN_ROW = 0.3  # pairs per byte past ASCII: other scripts, and charsets of two bytes, have more
_SURE, _UNLIKELY = 0.9, 0.5  # of the bytes in words, small letters in an old, a new charset


def _old_latin(data: bytes, label: str | None) -> str | None:
    """Return the charset of the Mac or of DOS that bytes are in, None for others.

    Within words of small letters, nearly all bytes past ASCII are small letters in it, and most are
    not in newer charsets and the declared one.
    """
    if data.isascii():  # true of many pages
        return None
    some = data[:_MOST_LOOKED_AT]
    found = b"".join(_IN_WORD.findall(some))
    past_ascii = _past_ascii(some)
    letters = found.translate(None, _MARKS_OF_1252)
    if len(letters) < _FEWEST_LETTERS or len(found) < max(_FEWEST, _SHARE * past_ascii):
        return None
    if len(_IN_ROW.findall(some)) > _MOST_IN_ROW * past_ascii:
        return None
    declared = [label] if label is not None else []
    if max(_small_letters(name, letters) for name in (*_NEW_LATIN, *declared)) > _UNLIKELY:
        return None
    best = max(_OLD_LATIN, key=lambda name: _small_letters(name, found))
    return best if _small_letters(best, found) >= _SURE else None


def _small_letters(label: str, data: bytes) -> float:
    """Return the share of small letters among bytes in a charset, apostrophes aside."""
    codec = _codec(label)
    text = codec.decode(data, "replace")[0].replace("’", "") if codec is not None else ""
    count = sum(character.islower() and character not in "ƒªº" for character in text)
    return count / max(len(text), 1)


_CYRILLIC = ("windows-1251", "koi8-r", "koi8-u", "ibm866", "x-mac-cyrillic", "iso-8859-5")
_CYRILLIC_NAMES = frozenset(
    "windows-1251 cp1251 win-1251 x-cp1251 koi8-r koi8 koi koi8_r ibm866 cp866 866 x-mac-cyrillic "
    "x-mac-ukrainian iso-8859-5 iso8859-5 cyrillic koi8-u".split()
)
_CYRILLIC_WORD = lazy_pattern("(?<![^\x00-\x7f])[А-ЯЁІЇЄҐ]?[а-яёіїєґўђћљњџјќѕ]+(?![^\x00-\x7f])")
_COMMON_LETTERS = "оеаинтсрвл"  # two of three letters of Russian, and many of its neighbours
_LEAST_COMMON, _BETTER, _ENOUGH_LETTERS = 0.55, 1.03, 8


def _cyrillic(label: str, data: bytes) -> str:
    """Return the Cyrillic charset of bytes if it is likelier than the one that they have.

    In the right one, most words are in small letters but for the first, and the common letters are
    common. Other charsets are returned as they are.
    """
    name = label.strip().lower()
    if name not in _CYRILLIC_NAMES:
        return label
    some = data[:_MOST_LOOKED_AT]
    size, _ = _in_words(name, some)
    best = label
    for other in _CYRILLIC:
        letters, common = _in_words(other, some)
        if letters > _BETTER * size + _ENOUGH_LETTERS and common >= _LEAST_COMMON:
            best, size = other, letters
    return best


def _in_words(label: str, data: bytes) -> tuple[int, float]:
    """Return how many letters are in Cyrillic words if bytes are read so, and the common share."""
    codec = _codec(label)
    assert codec is not None
    found = "".join(_CYRILLIC_WORD.findall(codec.decode(data, "replace")[0])).lower()
    return len(found), sum(map(found.count, _COMMON_LETTERS)) / max(len(found), 1)


_UNDECLARED = b" " * 1024  # `detect` looks for a `<meta>` in the first 1,024 bytes


def _decode_as(label: str, data: bytes) -> tuple[str, str]:
    codec = _codec(label)
    assert codec is not None
    if label.strip().lower() in _LATIN_2 and _is_windows_1250(data):
        return _decode_as("windows-1250", data)
    text = codec.decode(data, "replace")[0]
    if _is_name_of(label, "utf-8") and (replaced := _replaced(text, data)):
        if replaced >= _FEW_BYTES and (mixed := _with_other_texts(data)) is not None:
            text = mixed
        elif replaced <= _MOST_STRAY:
            text = data.decode("utf-8", _STRAY_BYTES)
    return text, label.lower()


_TEXT = lazy_pattern(rb"(?<=>)[^<>]+")


def _with_other_texts(data: bytes) -> str | None:
    """Return UTF-8 decoded, with the texts that are rather in another charset decoded in this.

    None if there are no such texts. The charset is detected from all of them.
    """
    spans = [
        text.span()
        for text in _TEXT.finditer(data)
        if _past_ascii(text[0]) >= _FEW_BYTES and not _is_mostly_utf_8(text[0])
    ]
    others = b" ".join(data[begin:end] for begin, end in spans)
    name = _detected(others)[1] if spans else "utf-8"
    if name == "utf-8" or _replaced(_decode_as(name, others)[0], others):
        return None
    parts, at = list[str](), 0
    for begin, end in spans:
        parts += [
            data[at:begin].decode("utf-8", _STRAY_BYTES),
            _decode_as(name, data[begin:end])[0],
        ]
        at = end
    return "".join((*parts, data[at:].decode("utf-8", _STRAY_BYTES)))


_MOST_STRAY = 10_000  # bytes that are looked at one by one
_LATIN_2 = frozenset("iso-8859-2 iso8859-2 iso88592 iso_8859-2 latin2 l2 csisolatin2".split())
# Letters where ISO-8859-2 has C1 controls, and letters where windows-1250 has signs.
_ONLY_IN_1250 = "ŠŚŤŽŹšśťžź".encode("windows-1250")
_ONLY_IN_LATIN_2 = "ĄŚŹąśź".encode("iso-8859-2")


def _is_windows_1250(data: bytes) -> bool:
    """Return whether bytes that are declared as ISO-8859-2 are rather windows-1250."""
    found = sum(map(data.count, _ONLY_IN_1250))
    return found > 0 and found > sum(map(data.count, _ONLY_IN_LATIN_2))


def _read_stray_byte(error: UnicodeError) -> tuple[str, int]:
    """Read a byte that is not UTF-8 as windows-1252 if it stands alone, else as U+FFFD.

    The first byte of a longer character may also be what is left of one that was cut. It counts as
    alone before a letter, at the end of a word of the same case, and as a word of one letter.
    """
    assert isinstance(error, UnicodeDecodeError)
    data, at = error.object, error.start
    byte, before, after = data[at], data[max(at - 1, 0) : at], data[at + 1 : at + 2]
    if error.end != at + 1 or not after or not (before.isascii() or _ends_character(data, at)):
        return _REPLACED, error.end
    if byte < 0xC0:
        is_alone = after.isascii() or after[0] >= 0xC2
    elif after.isalpha():
        is_alone = True
    elif before.isalpha():
        is_capital = byte < 0xDF
        is_alone = after.isascii() and byte not in _MOSTLY_CUT and before.isupper() >= is_capital
    else:
        is_alone = byte in _ONE_LETTER_WORDS and before == b" " and after == b" "
    return _WESTERN[byte] if is_alone else _REPLACED, error.end


_MOSTLY_CUT = b"\xc2\xe2"  # the first bytes of quotation marks, dashes and signs
_ONE_LETTER_WORDS = "àèéêóòùíÀÈÉÓÒÍ".encode("windows-1252")


def _ends_character(data: bytes, at: int) -> bool:
    """Return whether the bytes before a place are a whole character of UTF-8."""
    for size in (2, 3, 4):
        if at >= size and data[at - size] >= 0xC2:
            return bool(data[at - size : at].decode("utf-8", "ignore"))
    return False


_STRAY_BYTES = "thresher-stray-bytes"
codecs.register_error(_STRAY_BYTES, _read_stray_byte)


def fits(label: str, data: bytes) -> bool:
    """Return whether bytes may be in a charset that the page or its server declares."""
    codec = _codec(label)
    if codec is None or wide_charset(data) is not None:
        return False
    if _has_escapes(data):
        return _is_name_of(label, "iso-2022-jp")
    if data.isascii():
        return True
    if _is_name_of(label, "utf-8"):
        return _is_mostly_utf_8(data)
    if _valid_utf_8(data, label) is not None:
        return False
    if _is_of_other_script(label, data):
        return False
    if _is_name_of(label, "windows-1252"):
        return not _is_of_other_latin_charset(data)
    return _replaced(codec.decode(data, "replace")[0], data) <= 1 + _BROKEN * _past_ascii(data)


def _is_name_of(label: str, charset: str) -> bool:
    found, known = _codec(label), _codec(charset)
    return found is not None and known is not None and _answer(found) == _answer(known)


def _answer(codec: codecs.CodecInfo) -> str:
    """Return how a codec reads a few bytes, the same for all names of a charset."""
    return codec.decode("é中".encode() + bytes(range(128, 256)), "replace")[0]


_ENOUGH = 3  # bytes more than characters: fewer in another charset may be valid UTF-8
_BROKEN = 0.01  # share of the bytes past ASCII that may be invalid in the charset of a page


def _past_ascii(data: bytes) -> int:
    return len(data) - len(data.decode("ascii", "ignore"))


def _replaced(text: str, data: bytes) -> int:
    """Return how many replacement characters a text has that are not in its bytes."""
    return text.count(_REPLACED) - data.count(_REPLACED.encode())


def _valid_utf_8(data: bytes, label: str | None) -> str | None:
    """Return the text if the bytes are valid UTF-8, and rather that than in a declared charset."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    few = len(data) - len(text) < _ENOUGH
    return None if few and label is not None and not _is_rather_utf_8(text, data, label) else text


_OF_MANY_BYTES = re.compile(r"gb|big5|euc|shift|sjis|iso.2022|hz")  # in the name of a charset


@cache  # compiling them takes as long as importing three modules
def _usual_and_unusual() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return a pattern of texts of usual characters, and one of what Asian charsets seldom have.

    Usual are letters and signs of the scripts of many pages, without those that are hardly used.
    Seldom are broken, private or half-width characters, and others within a Latin word.
    """
    usual = re.compile(
        "[\x00-\x7f\xa0-\u017f\u0218-\u021b\u0300-\u0345\u0386-\u03ce\u0400-\u045f\u0490\u0491"
        "\u05d0-\u05ea\u0621-\u064a\u0660-\u0669\u06f0-\u06f9\u0900-\u0d7f\u0e01-\u0e5b"
        "\u1e00-\u1ef9\u2010-\u203a\u20a0-\u20bf\u2100-\u22ff\u2500-\u27bf\u3000-\u30ff"
        "\u4e00-\u9fa5\uac00-\ud7a3\uff01-\uff5e\ufeff\U0001f300-\U0001faff]*"
    )
    unusual = re.compile(
        "[\ufffd\ue000-\uf8ff\uff61-\uff9f]|[A-Za-z][\u3400-\ud7a3]|[\u3400-\ud7a3][a-z]"
    )
    return usual, unusual


def _is_rather_utf_8(text: str, data: bytes, label: str) -> bool:
    """Return whether bytes with few characters past ASCII are rather UTF-8 than in `label`."""
    codec = _codec(label)
    usual, unusual = _usual_and_unusual()
    if codec is None or not usual.fullmatch(text):
        return False
    if not _OF_MANY_BYTES.search(codec.name):
        return True
    return unusual.search(codec.decode(data, "replace")[0]) is not None


def _is_mostly_utf_8(data: bytes) -> bool:
    """Return whether at least half of the characters past ASCII are valid UTF-8.

    In other charsets few are: their bytes would have to alternate between two ranges by chance.
    """
    if data.isascii():
        return False
    text = data.decode("utf-8", "replace")
    broken = _replaced(text, data)
    valid = len(text) - broken - len(text.encode("ascii", "ignore"))
    return valid >= broken


_WORDS_PAST_ASCII = lazy_pattern(rb"[\x80-\xff]{4,}")
_MOST_LOOKED_AT = 100_000  # bytes


def _is_of_other_script(label: str, data: bytes) -> bool:
    """Return whether words are in Latin letters and the charset is not, or the reverse."""
    charset = _known_name(label)
    if charset in _LATIN:
        return _is_without_latin_letters(data)
    some = data[:_MOST_LOOKED_AT]
    if charset in _OF_TWO_BYTES:
        alone = len(_IN_WORD.findall(some))
        if alone >= _FEW_BYTES and alone > _past_ascii(some) / 2:
            return True
        return charset in _OF_CHINA and _is_not_chinese(some)
    if charset in _OTHER_SCRIPTS and _is_in_latin_words(some):
        return True
    return charset in _CYRILLIC and (
        _is_in_no_cyrillic_language(charset, some) or _is_not_cyrillic(charset, some)
    )


_LATIN = tuple(
    "windows-1252 windows-1250 windows-1254 windows-1257 iso-8859-2 iso-8859-3 iso-8859-4 "
    "iso-8859-10 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16 macintosh".split()
)
_OF_TWO_BYTES = ("shift_jis", "euc-jp", "gbk", "gb18030", "big5", "euc-kr")
_OTHER_SCRIPTS = (
    *_CYRILLIC, "windows-1253", "iso-8859-7", "windows-1255", "iso-8859-8",
    "windows-1256", "iso-8859-6", "windows-874",
)  # fmt: skip


@lru_cache(maxsize=256)
def _known_name(label: str) -> str:
    """Return the name of a charset that one of these lists has, by any of its names; else ""."""
    known = (*_LATIN, *_OF_TWO_BYTES, *_OTHER_SCRIPTS)
    return next((name for name in known if _is_name_of(label, name)), "")


_WORDS_WITH_BOTH = lazy_pattern(
    rb"(?<![A-Za-z\x80-\xff])(?:[A-Za-z]++[\x80-\xff][A-Za-z\x80-\xff]*+|[\x80-\xff]++[A-Za-z])"
)
_WORDS_WITHOUT_ASCII = lazy_pattern(rb"(?<![A-Za-z\x80-\xff])[\x80-\xff]{2,}+(?![A-Za-z\x80-\xff])")
_LETTERS = bytes(range(0xC0, 0x100))  # letters in nearly all charsets of single bytes
_FEW_BYTES = 8


def _letters_in(found: list[bytes]) -> int:
    """Return how many bytes of words are letters past ASCII; one alone in a word is not counted."""
    data = b" ".join(found)
    return len(data) - len(data.translate(None, _LETTERS))


def _is_in_latin_words(data: bytes) -> bool:
    """Return whether most letters past ASCII are in words with letters of ASCII."""
    both = _letters_in(_WORDS_WITH_BOTH.findall(data))
    return both >= _FEW_BYTES and both > _letters_in(_WORDS_WITHOUT_ASCII.findall(data))


def _is_in_no_cyrillic_language(label: str, data: bytes) -> bool:
    """Return whether words in no Cyrillic charset have the letters that are common in all."""
    best = max(_in_words(name, data) for name in (label, *_CYRILLIC))
    return best[0] >= _ENOUGH_OF_LANGUAGE and best[1] < _LEAST_OF_LANGUAGE


def _is_not_cyrillic(label: str, data: bytes) -> bool:
    """Return whether few bytes are in Cyrillic words, and they seem to be of another script."""
    past_ascii = _past_ascii(data)
    if past_ascii < _ENOUGH_OF_LANGUAGE:
        return False
    if max(_in_words(name, data)[0] for name in (label, *_CYRILLIC)) > past_ascii / 2:
        return False
    return _charset_of(data) in (*_OF_TWO_BYTES, *_OTHER_SCRIPTS[len(_CYRILLIC) :])


_OF_CHINA = ("gbk", "gb18030")
_CHINESE = lazy_pattern("[\u4e00-\u9fa5]")
_MOST_COMMON = "的一是不了在有人中大上和我他这這国國来來个個为為"
_LEAST_COMMON_CHINESE = 0.03  # of the Chinese characters: texts have about 0.15


def _is_not_chinese(data: bytes) -> bool:
    """Return whether bytes in a charset of China have hardly any common characters of Chinese.

    And seem to be in another charset: nearly all pairs of bytes are characters in these.
    """
    characters = _CHINESE.findall(data.decode("gb18030", "replace"))
    common = sum(map(characters.count, _MOST_COMMON))
    if len(characters) < _FEW_WORDS or common > _LEAST_COMMON_CHINESE * len(characters):
        return False
    found = _charset_of(data)
    return found in _OF_TWO_BYTES and found not in _OF_CHINA


_ENOUGH_OF_LANGUAGE, _LEAST_OF_LANGUAGE = 60, 0.4  # letters, share of `_COMMON_LETTERS`


def _is_without_latin_letters(data: bytes) -> bool:
    """Return whether most bytes past ASCII are in words without a letter of ASCII.

    Or whether they stand four or more in a row, as in no Latin word.
    """
    some = data[:_MOST_LOOKED_AT]
    past_ascii = _past_ascii(some)
    if past_ascii < _FEW_WORDS:
        return False
    in_words = sum(map(len, _WORDS_PAST_ASCII.findall(some)))
    if in_words > past_ascii / 2:
        return True
    without = [word for word in _WORDS_WITHOUT_ASCII.findall(some) if _letters_in([word]) > 1]
    return _letters_in(without) > _letters_in(_WORDS_WITH_BOTH.findall(some))


_FEW_WORDS = 20  # bytes past ASCII

# Letters of other Latin charsets, as windows-1252 reads them: signs within words, and letters that
# are used in few languages.
_SIGN_IN_WORD = lazy_pattern(
    rb"[A-Za-z\xc0-\xff][\xa3\xb1\xb3\xb6\xb9\xbc\xbe\xbf](?=[a-z\xc0-\xff])"
)
_SELDOM_LETTER = lazy_pattern(rb"[\x8a\x8d\x8e\x9a\x9d\x9e\xec\xf0\xf8\xfd\xfe]")
_MANY_SELDOM = 3
_OTHER_LATIN = frozenset(
    "windows-1250 windows-1254 windows-1257 windows-1258 iso-8859-2 iso-8859-4 iso-8859-9 "
    "iso-8859-10 iso-8859-13 iso-8859-16".split()
)


def _is_of_other_latin_charset(data: bytes) -> bool:
    """Return whether bytes are text of Central Europe, Turkey or the Baltic, not windows-1252."""
    some = data[:_MOST_LOOKED_AT]
    if _is_hungarian(some):
        return True
    if not _SIGN_IN_WORD.search(some) and len(_SELDOM_LETTER.findall(some)) < _MANY_SELDOM:
        return False
    return _charset_of(some) in _OTHER_LATIN


# Letters of ISO-8859-15 in words, where windows-1252 has signs.
_LATIN_9_IN_WORD = lazy_pattern(
    rb"(?<![\d\x80-\xff])[\xa8\xbd](?=[a-z]{3})|[a-z][\xa8\xb8\xbd][a-z]"
)
_ONLY_IN_1252 = lazy_pattern(rb"[\x80-\x9f]")
_OF_ESTONIAN = frozenset("äõöüšžÄÕÖÜŠŽ".encode("windows-1257"))


def _western(label: str, data: bytes) -> str:
    """Return another charset for windows-1252 if letters of it are in words, else the same.

    ISO-8859-15 has letters of French and Estonian in the places of signs, and windows-1257 those of
    Estonian in the places of two letters of Icelandic.
    """
    if _known_name(label) != "windows-1252":
        return label
    some = data[:_MOST_LOOKED_AT]
    if _LATIN_9_IN_WORD.search(some) and not _ONLY_IN_1252.search(some):
        return "iso-8859-15"
    letters = frozenset(some.translate(None, _NO_LETTERS))
    has_estonian = not letters.isdisjoint("šž".encode("windows-1257"))
    is_estonian = has_estonian and len(letters) > _MANY_SELDOM and letters <= _OF_ESTONIAN
    return "windows-1257" if is_estonian else label


_OF_HUNGARIAN = frozenset("áéíóöőúüűÁÉÍÓÖŐÚÜŰ".encode("windows-1250"))
_OFTEN = tuple("éöő".encode("windows-1250"))


def _is_hungarian(data: bytes) -> bool:
    """Return whether letters are those of Hungarian alone: windows-1252 has õ and û for two."""
    if data.count(0xF5) + data.count(0xFB) < _MANY_SELDOM:
        return False
    letters = frozenset(data.translate(None, _NO_LETTERS))
    return letters <= _OF_HUNGARIAN and all(letter in letters for letter in _OFTEN)


_NO_LETTERS = bytes(range(0xC0))


def _has_escapes(data: bytes) -> bool:
    """Return whether bytes have the escapes to Japanese and back of ISO-2022-JP."""
    if b"\x1b$" not in data or _TO_JAPANESE.search(data) is None:
        return False
    return data.isascii() or _past_ascii(data) <= 1 + _BROKEN * len(data)


_TO_JAPANESE = lazy_pattern(rb"\x1b\$[@B][!-~]{2,}+\x1b\([BJ]")


def wide_charset(data: bytes) -> str | None:
    """Return the name of UTF-16 or UTF-32 if bytes without a mark are in one of them, else None.

    Markup is ASCII, so that many bytes are zero, in the same places of each character.
    """
    some = data[:_WIDE_WITHIN]
    if some.count(0) < 2:
        return None
    size = len(some) // 4
    zeros = [some[place : 4 * size : 4].count(0) for place in range(4)]
    if zeros[3] == size and zeros[2] >= 0.9 * size and zeros[0] <= 0.1 * size:
        found = "utf-32-le"
    elif zeros[0] == size and zeros[1] >= 0.9 * size and zeros[3] <= 0.1 * size:
        found = "utf-32-be"
    else:
        even, odd = some[::2].count(0), some[1::2].count(0)
        few, many = sorted((even, odd))
        if many < 0.03 * len(some) or few > 0.4 * many:
            return None
        found = "utf-16-le" if many == odd else "utf-16-be"
    text = some.decode(found, "replace")
    return found if len(_NO_TEXT.findall(text)) <= 1 + 0.02 * len(text) else None


_WIDE_WITHIN = 16_384  # bytes
_NO_TEXT = lazy_pattern("[\x00-\x08\x0e-\x1f\ufffd\ufffe\uffff]")


# --- declarations --------------------------------------------------------------------------------

# What has no end goes on to the last byte, so that no end is searched twice.
_NOT_META = re.compile(rb"<!--(?:-?>|.*?(?:--!?>|\Z))|<(script|style)\b.*?(?:</\1|\Z)", re.S | re.I)
_META = re.compile(rb"<meta[\s/]([^>]*)", re.I)
_NAMED = re.compile(rb"\bname\s*=", re.I)
# <meta charset=...>, or <meta http-equiv=content-type content="...; charset=...">
_CHARSET = re.compile(rb"charset\s*=\s*(?:[\"']\s*)?([A-Za-z0-9_:.+-]+)", re.I)
_META_WITHIN = 16_384  # bytes searched for <meta>; the standard requires 1,024, pages need more
_XML = re.compile(rb"\s{0,64}<\?xml\s[^>]{0,256}?encoding\s{0,8}=\s{0,8}[\"']([A-Za-z0-9_:.+-]+)")


def _declared_charset(data: bytes) -> str | None:
    """Return the charset that the page names, None if it names none or one that is unknown."""
    for attributes in _META.findall(_NOT_META.sub(b"", data[:_META_WITHIN])):
        match = None if _NAMED.search(attributes) else _CHARSET.search(attributes)
        if match is not None:
            break
    else:
        match = _XML.match(data)
    label = match[1].decode("ascii").lower() if match else None
    if label is None or not is_charset(label):
        return None
    # The name was read as ASCII, so the page cannot be UTF-16: the standard says UTF-8. For
    # x-user-defined, whose letters are in the private area, it says windows-1252.
    if label.startswith(("utf-16", "utf16", "unicode", "ucs-2")):
        return "utf-8"
    return "windows-1252" if label == "x-user-defined" else label


# --- mending -------------------------------------------------------------------------------------


class Mending(NamedTuple):
    """What is wrong with the characters of a page, and how to mend its source.

    C1 controls are read as windows-1252, soft hyphens are removed, and text that was encoded as
    UTF-8 twice is decoded once more: the whole page, or single texts of it.
    """

    twice: str | None  # the charset as which UTF-8 was decoded before it was encoded again
    is_whole: bool  # the whole page was
    controls: bool  # there are C1 controls
    soft_hyphens: bool

    @classmethod
    def of(cls, texts: Iterable[str]) -> Mending | None:
        """Return what is wrong with the texts of a page, None if nothing is.

        The compiled walk over a page knows for most pages that nothing is.
        """
        texts = list(texts)
        past_ascii = [text for text in texts if not text.isascii()]
        text = "\n".join(past_ascii)
        if not text:
            return None
        data = text.encode("utf-8", "surrogatepass")
        twice, is_whole = _encoded_twice(text, data)
        if twice and not is_whole:  # true of few pages
            is_example = any(map(_ABOUT_CHARSETS.search, texts))
            if is_example or not any(_mended_text(one, twice) for one in past_ascii):
                twice = None
        controls = _C1_IN_UTF_8.search(data) is not None
        soft_hyphens = "\N{SOFT HYPHEN}" in text
        wrong = twice or controls or soft_hyphens
        return cls(twice, is_whole, controls or bool(twice), soft_hyphens) if wrong else None

    def mend(self, source: str) -> str:
        """Return the source without these characters."""
        if self.twice and self.is_whole:
            source = _decoded_once_more(source, self.twice)
        elif self.twice:
            charset = self.twice
            source = _TEXT_PAST_ASCII.sub(
                lambda text: _mended_text(text[0], charset) or text[0], source
            )
        if self.controls:
            source = _SIGN_WITH_CONTROL.sub(_decoded_sign, source)
        if self.soft_hyphens or self.twice:
            source = source.replace("\N{SOFT HYPHEN}", "")
            if "&shy" in source or "&#" in source:
                source = _SOFT_HYPHEN_REFERENCE.sub("", source)
        return _C1.sub(lambda sign: _WESTERN[ord(sign[0])], source) if self.controls else source


# C1 controls and the soft hyphen are wrong alone; in text that was encoded twice, these letters are
# if another character past ASCII follows.
_ALONE, _IN_PAIRS = 1, 2
_MAY_BE_WRONG = np.zeros(0x423, np.uint8)
_MAY_BE_WRONG[[*range(0x80, 0xA0), 0xAD]] = _ALONE
_MAY_BE_WRONG[[*range(0xC2, 0xF5), ord("Р"), ord("С")]] = _IN_PAIRS


def may_be_wrong(code: npt.NDArray[np.integer]) -> bool:
    """Return whether one of these code points may be wrong; of most pages none is."""
    past_ascii = (code > 0x7F).nonzero()[0]
    found = _MAY_BE_WRONG.take(code.take(past_ascii), mode="clip")
    pairs = (found[:-1] == _IN_PAIRS) & (past_ascii[1:] - past_ascii[:-1] == 1)
    return bool(np.count_nonzero(found == _ALONE) or np.count_nonzero(pairs))


_C1 = re.compile("[\x80-\x9f]")
_C1_IN_UTF_8 = re.compile(rb"\xc2[\x80-\x9f]")
# Three bytes of UTF-8, the second a control: one such sign, as a dash, is enough to be sure.
_SIGN_WITH_CONTROL = re.compile("[à-ï][\x80-\x9f][\x80-\xbf]")


def _decoded_sign(sign: re.Match[str]) -> str:
    found = sign[0].encode("latin-1").decode("utf-8", "replace")
    return sign[0] if _REPLACED in found else found


_SOFT_HYPHEN_REFERENCE = re.compile(
    r"&(?:shy(?:;|(?![\w=;]))|#0*173(?:;|(?!\d))|#[xX]0*[aA][dD](?:;|(?![\da-fA-F])))", re.A
)


def _characters(charset: str) -> list[str]:
    """Return the character of each byte in a charset; bytes without one are C1 controls."""
    return [bytes([byte]).decode(charset, "ignore") or chr(byte) for byte in range(256)]


_WESTERN = _characters("windows-1252")

# The first of the bytes of UTF-8, as it looks in a text that was decoded as windows-1252: in text
# that was encoded twice it stands before a character from U+0080 to U+00BF or punctuation.
_WESTERN_TWICE = re.compile(
    rb"\xc3[\x82-\xb4](?=\xc2|\xc5[\x92-\xbe]|\xc6\x92|\xcb|\xe2[\x80-\x84])"
)
_CYRILLIC_TWICE = ("Р", "С")  # nearly all letters of Russian begin with the bytes of these


def _encoded_twice(text: str, data: bytes) -> tuple[str | None, bool]:
    """Return the charset as which UTF-8 may have been read before it was encoded again, if any.

    And whether all of the page was: at least two characters have to look like the bytes of UTF-8,
    most of them within words, and few letters past ASCII may not: a page that shows such text as an
    example has others. If not, single texts of the page may still be so.
    """
    cyrillic = sum(map(text.count, _CYRILLIC_TWICE))
    if len(_WESTERN_TWICE.findall(data)) >= _ENOUGH_TWICE:
        charset = "windows-1252"
    elif cyrillic >= _ENOUGH_TWICE and cyrillic >= len(text) / 8:
        charset = "windows-1251"
    else:
        return None, False
    found, in_word, _ = _twice_encoded(charset)
    count = sum(1 for _ in found.finditer(text))
    words = sum(1 for _ in in_word.finditer(text))
    others = len(_LETTER_PAST_ASCII.findall(found.sub("", text)))
    in_words = _IN_WORDS if others else _IN_WORDS_ALONE
    is_likely = count >= _ENOUGH_TWICE and words >= in_words * count and others <= _OTHERS * count
    return charset if count else None, is_likely


_ENOUGH_TWICE = 2  # characters; `_walk` has the same number
_OTHERS = 0.1  # letters past ASCII that were encoded once, for each that was encoded twice
_IN_WORDS = 0.5  # of the characters that were encoded twice,
_IN_WORDS_ALONE = 0.25  # if there are no others past ASCII: signs of currencies stand alone


# A text of a source; it begins behind a tag.
_TEXT_PAST_ASCII = re.compile(r"(?<=>)[^<>]*[^\x00-\x7f<>][^<>]*|(?<=>)[^<>]*&[^<>]*")
# Words of a page that may show text that was encoded twice as an example.
_ABOUT_CHARSETS = re.compile(
    r"mojibake|charset|character\ssets?\b|\b(?:en|de)cod(?:ed|ing)\b|utf-?8|unicode|windows-125\d|cp-?125\d|"
    r"iso-?8859|latin-?1\b|zeichensatz|zeichensätze|encodage|codificaci|кодировк",
    re.I,
)
_ENOUGH_IN_ONE = 2  # characters in one text; a quotation mark or a dash of three is enough alone


def _mended_text(text: str, charset: str) -> str:
    """Return one text of a page decoded once more, "" if it was not encoded twice.

    It was if all of its letters past ASCII look like the bytes of UTF-8, some of them within words,
    and are usual characters then.
    """
    if "&" in text:
        text = _REFERENCE.sub(_unescaped_past_ascii, text)
    found, in_word, _ = _twice_encoded(charset)
    count = len(found.findall(text))
    if count < _ENOUGH_IN_ONE and "â€" not in text:
        return ""
    if len(in_word.findall(text)) < max(_IN_WORDS_ALONE * count, 1):
        return ""
    if _LETTER_PAST_ASCII.search(found.sub("", text)):
        return ""
    decoded = _decoded_once_more(text, charset)
    usual, _ = _usual_and_unusual()
    return decoded if _REPLACED not in decoded and usual.fullmatch(decoded) else ""


def _decoded_once_more(text: str, charset: str) -> str:
    found, _, decoded = _twice_encoded(charset)
    known: dict[str, str] = {}  # most runs are the same few signs and letters

    def decode_run(run: str) -> str:
        if run not in known:
            known[run] = found.sub(lambda match: decoded(match[0]), run)
        return known[run]

    # Runs past ASCII, and between them those of ASCII: these are found fastest.
    parts = _ASCII.split(_REFERENCE.sub(_unescaped_past_ascii, text))
    for place in range(0, len(parts), 2):
        if parts[place + 1 : place + 2] and parts[place + 1][0] == " ":
            # The space is kept: see `_TWICE_AND_CHANGED`.
            parts[place] = decode_run(f"{parts[place]} ")[:-1]
        elif parts[place]:
            parts[place] = decode_run(parts[place])
    return "".join(parts)


_ASCII = re.compile(r"([\x00-\x7f]+)")

_REFERENCE = re.compile(r"&(?:[A-Za-z]{2,8}\d?|#\d{3,5}|#[xX][\da-fA-F]{2,4});")


def _unescaped_past_ascii(reference: re.Match[str]) -> str:
    return _unescaped(reference[0])


@lru_cache(maxsize=4_096)
def _unescaped(reference: str) -> str:
    """Return the character of a reference past ASCII, else the reference as it is."""
    character = html.unescape(reference)
    return reference if character.isascii() else character


_LETTER_PAST_ASCII = re.compile(r"[^\W\d_\x00-\x7f]")


# Two characters whose bytes other programs change: the no-break space after A with a tilde becomes
# a space, and the byte 9D, which windows-1252 does not have, the replacement character.
_TWICE_AND_CHANGED = {"Ã ": "à ", "â€\ufffd": "”"}


@cache
def _twice_encoded(
    charset: str,
) -> tuple[re.Pattern[str], re.Pattern[str], Callable[[str], str]]:
    """Return patterns of a character encoded twice and of one in a word, and how to decode it."""
    characters = _characters(charset)
    byte_of = {ord(character): byte for byte, character in enumerate(characters)}
    byte_of |= {byte: byte for byte in range(0x80, 0xA0)}

    def among(first: int, last: int) -> str:
        known = {*characters[first : last + 1], *map(chr, range(first, min(last, 0x9F) + 1))}
        return f"[{''.join(map(re.escape, sorted(known)))}]"

    after = among(0x80, 0xBF)
    one = (
        f"(?:{among(0xC2, 0xDF)}{after}|{among(0xE0, 0xEF)}{after}{{2}}"
        f"|{among(0xF0, 0xF4)}{after}{{3}})"
    )
    near = f"(?<=[A-Za-z\\d]){one}|(?<={after}){one}|{one}(?=[A-Za-z\\d]|{among(0xC2, 0xF4)})"
    if charset == "windows-1252":
        one += "|" + "|".join(map(re.escape, _TWICE_AND_CHANGED))

    @lru_cache(maxsize=65_536)
    def decoded(found: str) -> str:
        if found in _TWICE_AND_CHANGED:
            return _TWICE_AND_CHANGED[found]
        data = bytes(byte_of[ord(character)] for character in found)
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            return found

    # All begin past ASCII: that is soon seen of the others.
    past_ascii = "(?=[^\\x00-\\x7f])"
    return re.compile(f"{past_ascii}(?:{one})"), re.compile(f"{past_ascii}(?:{near})"), decoded
