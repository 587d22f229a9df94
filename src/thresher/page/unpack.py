"""From the bytes of an input to a page: unpack it, and refuse what is no page.

| input | what is read |
|---|---|
| gzip, zlib, zstd, brotli | what is packed, up to the limit of bytes |
| MHTML, e-mail, the answer of a server | its root, the first HTML if it names none, else its text |
| web archive of Safari | its main resource |
| HTML that is escaped as text, in a string, an address or base64 | the HTML |
| plain text, Markdown, also with some tags | its paragraphs |
| scripts that begin with `#!` | their lines |
| RSS, Atom, OPML, sitemap, SVG, JSON, JSONP | nothing: `InputError` says what it is |
| CSS, scripts, PHP without a page | nothing: `InputError` says what it is |
| PDF, pictures, archives, programs, other binary data | nothing: `InputError` says what it is |

https://mimesniff.spec.whatwg.org/ has most of the signatures.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from turbohtml.extract import feed

from thresher.errors import InputError
from thresher.page.decode import decode, is_charset, well_formed, wide_charset
from thresher.page.lazy import LazyModule, lazy_pattern
from thresher.page.tags import HTML_NAMES

if TYPE_CHECKING:
    import html
    import plistlib
    import quopri
    from email.message import Message
    from urllib import parse as urllib_parse
else:  # few pages need them
    html, plistlib, quopri = LazyModule("html"), LazyModule("plistlib"), LazyModule("quopri")
    urllib_parse = LazyModule("urllib.parse")


class Unpacked(NamedTuple):
    """The source of a page, and what its packing says about it."""

    data: str | bytes
    notes: tuple[str, ...] = ()  # for the status
    charset: str | None = None
    url: str | None = None


def unpack(data: str | bytes, limit: int) -> Unpacked:
    """Return the source inside of an input, at most one byte more than `limit`.

    Raises `InputError` for what is no page, and for packed data that cannot be read.
    """
    found = Unpacked(data)
    if isinstance(data, str):
        if not _TEXT_MARKUP_FIRST.match(data):
            _refuse(_signature(data[:_LOOKED_AT].lstrip("\ufeff").encode("latin-1", "replace")))
        elif _PROPERTY_LIST.match(data):
            return _main_resource(well_formed(data).encode())
        return found if _HEADER_FIRST.match(data) is None else _unpacked_text(data)
    if _MARKUP_FIRST.match(data):
        return _main_resource(data) if _is_property_list(data) else found
    for _ in range(_MOST_LAYERS):
        inner = _unpacked_once(found, limit)
        if inner is None:
            break
        found = inner
    assert isinstance(found.data, bytes)
    _refuse(_binary_kind(found.data.removeprefix(BOM_UTF8)))
    return found


def _refuse(kind: str | None) -> None:
    """Raise if data is of some kind that is no page."""
    if kind is not None:
        raise InputError(f"this is {kind}, not a web page: {_advice(kind)}.")


_TEXT_MARKUP_FIRST = re.compile(r"\ufeff?\s{0,64}<")
_MARKUP_FIRST = re.compile(rb"(?:\xef\xbb\xbf)?[\t\n\f\r ]{0,64}<[a-zA-Z!?/]")
_MOST_LAYERS = 3  # as an MHTML file that was packed twice


def _unpacked_once(found: Unpacked, limit: int) -> Unpacked | None:
    """Return what is inside of packed data, None if it is not packed."""
    data = found.data
    assert isinstance(data, bytes)
    if _is_property_list(data):
        return _main_resource(data)._replace(notes=found.notes)
    if (answer := _ANSWER.match(data[:_HEADER_WITHIN])) is not None:
        return _body_of_answer(found, answer, limit)
    if _is_mhtml(data):
        return _root_of_mhtml(found)
    unpacked = _decompressed(data, limit + 1)
    if unpacked is None:
        return None
    inner, is_whole = unpacked
    if not inner and not is_whole:
        raise InputError("this compressed data ends before its text begins: get the file again.")
    return found._replace(data=inner, notes=found.notes if is_whole else (*found.notes, _CUT))


def _decompressed(data: bytes, size: int) -> tuple[bytes, bool] | None:
    """Return at most `size` bytes of compressed data, and False if it ends early.

    None if it is not compressed.
    """
    if data.startswith(b"\x1f\x8b"):
        return _read_gzip(data, size)
    if data.startswith(_ZLIB) and _is_binary(data):
        return _read_zlib(data, size)
    if data.startswith(b"\x28\xb5\x2f\xfd"):
        return _read_stream(data, "zstd", size)
    if not _may_be_brotli(data):
        return None
    try:
        inner, is_whole = _read_stream(data, "brotli", size)
    except InputError:
        return None  # the check for binary data says what it is
    is_page = _binary_kind(inner) is None and (is_whole or _TAG.search(inner) is not None)
    return (inner, is_whole) if is_page else None


_CUT = "cut where the compressed data ends"


# --- compressed data -----------------------------------------------------------------------------


def _read_gzip(data: bytes, size: int) -> tuple[bytes, bool]:
    """Return at most `size` bytes of all members of a gzip file, and False if it ends early."""
    unpacked = bytearray()
    while data.startswith(b"\x1f\x8b") and len(unpacked) < size:
        member = zlib.decompressobj(16 + zlib.MAX_WBITS)
        try:
            unpacked += member.decompress(data, size - len(unpacked))
        except zlib.error as error:
            if unpacked:
                return bytes(unpacked), False
            raise _damaged("gzip") from error
        if not member.eof:
            return bytes(unpacked), len(unpacked) >= size
        data = member.unused_data
    return bytes(unpacked), True


_ZLIB = (b"x\x01", b"x\x9c", b"x\xda")


def _read_zlib(data: bytes, size: int) -> tuple[bytes, bool]:
    """Return at most `size` bytes of zlib data ("deflate"), and False if it ends early."""
    stream = zlib.decompressobj()
    try:
        unpacked = stream.decompress(data, size)
    except zlib.error as error:
        raise _damaged("zlib") from error
    return unpacked, stream.eof or len(unpacked) >= size


def _damaged(codec: str) -> InputError:
    return InputError(
        f"this is damaged {codec} data, which cannot be unpacked: get the file again."
    )


def _read_stream(data: bytes, codec: str, size: int) -> tuple[bytes, bool]:
    """Return at most `size` bytes of zstd or brotli data, and False if it ends early."""
    try:
        import pyarrow as arrow
    except ImportError as error:
        raise InputError(
            f"this is compressed with {codec}, which needs pyarrow: pip install 'thresher[batch]', "
            "or unpack it first."
        ) from error
    unpacked = bytearray()
    try:
        with arrow.CompressedInputStream(arrow.BufferReader(data), codec) as stream:
            while len(unpacked) < size:
                chunk = stream.read(min(size - len(unpacked), _CHUNK))
                if not chunk:
                    break
                unpacked += chunk
    except (OSError, arrow.ArrowException) as error:
        if unpacked:
            return bytes(unpacked), False
        raise _damaged(codec) from error
    return bytes(unpacked), True


_CHUNK = 1 << 16  # bytes; what comes before a chunk that cannot be read is kept


def _may_be_brotli(data: bytes) -> bool:
    """Return whether data has no signature and is no text; brotli has none.

    Short text is stored in brotli as it is between a few bytes, the last of which is 3.
    """
    if not data or _signature(data) is not None:
        return False
    is_short = len(data) <= _SHORT and (data[-1] == 3 or 0 in data) and wide_charset(data) is None
    return is_short or _is_binary(data)


_SHORT = 512  # bytes


# --- e-mail and MHTML ----------------------------------------------------------------------------

_HEADER_FIRST = re.compile(r"\s{0,64}(?:HTTP/\d|[A-Za-z][A-Za-z-]{1,40}:[ \t\r\n]|From \S)")

_HEADER = lazy_pattern(
    rb"(?:From [^\n]{1,200}\n)?"
    rb"(?:[!-9;-~]{1,80}:[^\n]{0,998}\n(?:[ \t][^\n]{0,998}\n){0,32}){1,64}\r?\n"
)
_RELATED = lazy_pattern(
    rb"^content-type:\s{0,8}(?:multipart/(?:related|mixed|alternative)|text/html)\b", re.I | re.M
)
_SENT = lazy_pattern(
    rb"^(?:from:[^\n]{1,400}\S@\S|message-id:\s{0,8}<|mime-version:\s{0,8}1)", re.I | re.M
)
_ABOUT = lazy_pattern(rb"^(?:date|subject|to|newsgroups|content-type):", re.I | re.M)
_HEADER_WITHIN = 16_384  # bytes


def _is_mhtml(data: bytes) -> bool:
    """Return whether data starts with the header of an e-mail or MHTML file.

    A note that begins with the names of its author and readers has no address or number.
    """
    header = _HEADER.match(data[:_HEADER_WITHIN].lstrip())
    if header is None:
        return False
    is_sent = _SENT.search(header[0]) is not None and _ABOUT.search(header[0]) is not None
    return is_sent or _RELATED.search(header[0]) is not None


def _unpacked_text(text: str) -> Unpacked:
    """Return the source inside of an e-mail, an MHTML file or an answer that is already decoded."""
    found = Unpacked(text)
    for _ in range(_MOST_LAYERS):
        given = found.data
        data = well_formed(given).encode() if isinstance(given, str) else given
        if (answer := _ANSWER.match(data[:_HEADER_WITHIN])) is not None:
            found = _body_of_answer(found._replace(data=data), answer, len(data))._replace(
                charset="utf-8"
            )
        elif _is_mhtml(data):
            found = _root_of_mhtml(found._replace(data=data), is_decoded=True)
        else:
            break
    return found


# The first line and the header of the answer of a server, as `curl -i` writes them.
_ANSWER = lazy_pattern(
    rb"\s{0,64}HTTP/\d(?:\.\d)? \d{3}[^\n]{0,200}\n"
    rb"((?:[!-9;-~]{1,80}:[^\n]{0,998}\n(?:[ \t][^\n]{0,998}\n){0,32}){0,64})\r?\n"
)
_IN_PARTS = lazy_pattern(rb"^content-type:\s{0,8}multipart/", re.I | re.M)
_CHARSET = lazy_pattern(rb"^content-type:[^\n]{0,200}?charset=[\"']?([\w.:-]{1,40})", re.I | re.M)


def _body_of_answer(found: Unpacked, answer: re.Match[bytes], limit: int) -> Unpacked:
    """Return what a server answered, without the header unless it is that of several parts.

    "deflate" should be zlib, but some servers send its data alone.
    """
    assert isinstance(found.data, bytes)
    if _IN_PARTS.search(answer[1]) is not None:
        return found._replace(data=found.data[answer.start(1) :])
    named = _CHARSET.search(answer[1])
    charset = named[1].decode("ascii", "replace") if named else ""
    body = found.data[answer.end() :]
    body = _joined_chunks(body) if _CHUNKED.search(answer[1]) else body
    if _DEFLATED.search(answer[1]) and not body.startswith(_ZLIB):
        with suppress(zlib.error):  # then it was unpacked before
            body = zlib.decompressobj(-zlib.MAX_WBITS).decompress(body, limit + 1)
    return found._replace(
        data=body,
        charset=charset if is_charset(charset) else None,
    )


_CHUNKED = lazy_pattern(rb"^transfer-encoding:[^\n]{0,80}chunked", re.I | re.M)
_DEFLATED = lazy_pattern(rb"^content-encoding:\s*deflate", re.I | re.M)
_CHUNK_SIZE = lazy_pattern(rb"(?:\r?\n)?([\da-fA-F]{1,8})[ \t]*(?:;[^\n]{0,200})?\r?\n")


def _joined_chunks(body: bytes) -> bytes:
    """Return a body without the sizes of its chunks (RFC 9112, 7.1); as it is if it has none.

    Programs that join the chunks often leave the header as it was. If the sizes are wrong, what
    follows the last right one is kept as it is.
    """
    at, parts = 0, list[bytes]()
    while (size := _CHUNK_SIZE.match(body, at)) is not None:
        length = int(size[1], 16)
        at = size.end() + length
        parts.append(body[size.end() : at])
        if not length:
            return b"".join(parts)
    return b"".join((*parts, body[at:]))


def _root_of_mhtml(found: Unpacked, *, is_decoded: bool = False) -> Unpacked:
    """Return the page of an e-mail or MHTML file (RFC 2557), or its text if there is no HTML.

    The page is the part that `start` names, or that has the address of the file, or the first; of a
    page of frames, the longest other one. `is_decoded` says that the file was text:
    then only what is packed within it is in the charset that it names.
    """
    from email import message_from_bytes

    assert isinstance(found.data, bytes)
    try:
        message: Message = message_from_bytes(found.data.lstrip())
        parts = [part for part in message.walk() if not part.is_multipart()]
    except (RecursionError, ValueError, LookupError) as error:
        raise InputError("this is a damaged MHTML file: save the page again as HTML.") from error
    pages = [part for part in parts if part.get_content_type() in _PAGE_TYPES]
    start = message.get_param("start")
    address = message.get("Snapshot-Content-Location") or message.get("Content-Location")
    named = [part for part in pages if start and part.get("Content-ID") == start]
    if address and not named:
        named = [part for part in pages if part.get("Content-Location") == address]
    texts = [part for part in parts if part.get_content_type() == "text/plain"]
    if not pages and not texts:
        raise InputError("this is an e-mail or MHTML file without HTML: save the page as HTML.")
    root = (named or pages or texts)[0]
    if len(pages) > 1 and _FRAMES.search(_payload(root)):
        root = max(
            (part for part in pages if part is not root), key=lambda part: len(_payload(part))
        )
    body = _payload(root)
    is_packed = str(root.get("Content-Transfer-Encoding")).strip().lower() in _PACKED
    charset = "utf-8" if is_decoded and not is_packed else root.get_content_charset()
    charset = charset if charset and is_charset(charset) else None
    if not pages:
        text = f"<title>{_subject(message)}</title>\n{_paragraphs(decode(body, charset)[0])}"
        body, charset = text.encode(), "utf-8"
    url = str(root.get("Content-Location") or "")
    return found._replace(
        data=body, charset=charset, url=url if url.startswith(("http://", "https://")) else None
    )


_FRAMES = lazy_pattern(rb"<frameset[\s>]", re.I)


def _payload(part: Message) -> bytes:
    body = part.get_payload(decode=True)
    return body if isinstance(body, bytes) else b""


_PAGE_TYPES = {"text/html", "application/xhtml+xml"}
_PACKED = {"base64", "quoted-printable"}


def _subject(message: Message) -> str:
    """Return the subject of an e-mail on one line, escaped as HTML."""
    from email.errors import HeaderParseError
    from email.header import decode_header, make_header

    given = str(message.get("Subject") or "")
    with suppress(HeaderParseError, LookupError, ValueError):  # then it is used as it is written
        given = str(make_header(decode_header(given)))
    return html.escape(" ".join(given.split()), quote=False)


# --- web archives of Safari ----------------------------------------------------------------------

_LIST_WITHIN = 1_024  # bytes in which a property list begins
_PROPERTY_LIST = re.compile(
    r"\ufeff?\s{0,64}(?:<\?xml[^>]{0,200}>\s*)?(?:<!DOCTYPE plist[^>]{0,200}>\s*)?<plist\b"
)


def _is_property_list(data: bytes) -> bool:
    start = data[:_LIST_WITHIN]
    is_xml = b"<plist" in start and _PROPERTY_LIST.match(start.decode("latin-1")) is not None
    return is_xml or data.startswith(b"bplist00")


def _main_resource(data: bytes) -> Unpacked:
    """Return the page of a web archive; raise for other property lists."""
    try:
        found = plistlib.loads(data)
    except Exception as error:  # damaged lists raise errors of many kinds
        raise InputError("this is a damaged property list: save the page as HTML.") from error
    main = found.get("WebMainResource") if isinstance(found, dict) else None
    body = main.get("WebResourceData") if isinstance(main, dict) else None
    if not isinstance(main, dict) or not isinstance(body, bytes):
        raise InputError("this is a property list, not a web page: give HTML or text.")
    kind, charset, url = (
        str(main.get(f"WebResource{name}") or "")
        for name in ("MIMEType", "TextEncodingName", "URL")
    )
    if kind and kind not in _PAGE_TYPES and not kind.startswith("text/"):
        raise InputError(f"this is a web archive of {kind[:80]}, not of a page: give HTML or text.")
    is_address = url.startswith(("http://", "https://"))
    return Unpacked(
        body, charset=charset if is_charset(charset) else None, url=url if is_address else None
    )


# --- binary data ---------------------------------------------------------------------------------

_SIGNATURES: tuple[tuple[bytes, str], ...] = (
    (b"%PDF-", "a PDF document"),
    (b"%!PS", "a PostScript document"),
    (b"{\\rtf", "an RTF document"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office document"),
    (b"AT&TFORM", "a DjVu document"),
    (b"\x89PNG\r\n\x1a\n", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF87a", "a GIF picture"),
    (b"GIF89a", "a GIF picture"),
    (b"II*\x00", "a TIFF picture"),
    (b"MM\x00*", "a TIFF picture"),
    (b"\x00\x00\x01\x00", "an icon"),
    (b"\x00\x00\x00\x0cjP  ", "a JPEG 2000 picture"),
    (b"OggS", "an Ogg audio or video file"),
    (b"fLaC", "a FLAC audio file"),
    (b"ID3", "an MP3 audio file"),
    (b"\x1aE\xdf\xa3", "a Matroska or WebM video"),
    (b"PK\x03\x04", "a zip archive"),
    (b"PK\x05\x06", "a zip archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"\xfd7zXZ\x00", "an xz archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\x04\x22\x4d\x18", "an LZ4 archive"),
    (b"\x7fELF", "a program"),
    (b"\xfe\xed\xfa\xce", "a program"),
    (b"\xfe\xed\xfa\xcf", "a program"),
    (b"\xce\xfa\xed\xfe", "a program"),
    (b"\xcf\xfa\xed\xfe", "a program"),
    (b"\xca\xfe\xba\xbe", "a program"),
    (b"\x00asm", "a WebAssembly program"),
    (b"SQLite format 3\x00", "an SQLite database"),
    (b"PAR1", "a Parquet file"),
    (b"wOFF", "a font"),
    (b"wOF2", "a font"),
    (b"\x00\x01\x00\x00\x00", "a font"),
    (b"OTTO\x00", "a font"),
    (b"WARC/1.", "a WARC archive"),
)
_RIFF = {b"WEBP": "a WebP picture", b"WAVE": "a WAV audio file", b"AVI ": "an AVI video"}
# Signatures of text characters: they count only in data that is no text.
_MAY_BE_TEXT = (b"BZh", b"ID3", b"PAR1", b"fLaC", b"OggS", b"wOFF", b"wOF2")


def _signature(data: bytes) -> str | None:
    """Return what data is by its first bytes, None if it has no known signature."""
    for signature, kind in _SIGNATURES:
        if data.startswith(signature):
            return kind if signature not in _MAY_BE_TEXT or _is_binary(data) else None
    if data.startswith(b"RIFF") and data[8:12] in _RIFF:
        return _RIFF[data[8:12]]
    if data[4:8] == b"ftyp":
        return "an MP4, AVIF or HEIC file"
    if data[257:262] == b"ustar":
        return "a tar archive"
    if data.startswith((b"MZ", b"BM")) and b"\x00" in data[:64]:
        return "a program" if data.startswith(b"MZ") else "a BMP picture"
    is_late = data[:64].lstrip().startswith(b"%PDF-") or (
        b"%PDF-" in data[:64] and _is_binary(data)
    )
    return "a PDF document" if is_late else None


def _binary_kind(data: bytes) -> str | None:
    """Return what data is if it is no text, as "a PNG picture"; None for text."""
    return _signature(data) or ("binary data" if _is_binary(data) else None)


_CONTROLS = bytes({*range(0x20), 0x7F} - {*b"\t\n\x0b\f\r\x1b"})  # characters that no text has
_TAG = lazy_pattern(rb"<(?:[a-z][a-z0-9]{0,10}[\s/>]|!doctype|!--)", re.I)
_LOOKED_AT = 16_384  # bytes
_FEW = 4  # controls that any text may have


def _is_binary(data: bytes) -> bool:
    """Return whether data is neither text in some charset nor HTML with a few odd bytes."""
    some = data[:_LOOKED_AT]
    if not some or wide_charset(data) is not None or some.startswith((b"\xff\xfe", b"\xfe\xff")):
        return False
    odd = len(some) - len(some.translate(None, _CONTROLS))
    return odd > _FEW + len(some) * (0.3 if _TAG.search(some) else 0.01)


def _advice(kind: str) -> str:
    if kind == "a WARC archive":
        return "read its pages with a WARC library, or give the file to thresher site learn"
    if kind == "a zip archive":
        return "unpack it, or save a document as HTML or text first"
    if "archive" in kind:
        return "unpack it first"
    if "document" in kind:
        return "convert it to HTML or text first"
    return "give HTML or text"


# --- text that is no HTML ------------------------------------------------------------------------


def begins_as_html(text: str) -> bool:
    """Return whether a text begins as most pages do, with `<html>` or what may stand before it."""
    return _USUAL_BEGINNING.match(text) is not None and not _may_be_escaped(text)


def to_html(text: str) -> str:
    """Return the source of a page: HTML as it is, plain text as paragraphs.

    Raises `InputError` for feeds, sitemaps, JSON, style sheets and scripts.
    """
    if begins_as_html(text):
        return text
    text = _unescaped(text)
    start = text[:_START].lstrip()
    if start.startswith("#!/"):  # a script of a shell, or in Python
        return f"<pre>{html.escape(text, quote=False)}</pre>"
    if start.startswith("<"):
        _refuse_php(text, start)
        _refuse_feed(text, start)
        if start.startswith("<?xml") and "<![CDATA[" in text:
            text = _CODE_OR_CDATA.sub(_as_text, text)
        if _PAGE_FIRST.match(start):  # true of most pages
            return text
        if _is_markdown(text):
            return _paragraphs(_without_tags(text))
        return _paragraphs(text, has_tags=True) if _has_few_tags(text) else text
    _refuse_json(text, start)
    _refuse_code(text, start)
    if _is_plain_text(text):
        return _paragraphs(text)
    if _is_markdown(text):
        return _paragraphs(_without_tags(text))
    return _paragraphs(text, has_tags=True) if _has_inline_tags_alone(text) else text


_START = 4_096  # characters
_USUAL_BEGINNING = re.compile(
    r"\s{0,64}(?:<!doctype[^>]{0,400}>\s{0,64})?<(?:html|head|body)\b", re.I
)
_FIRST_ELEMENT = re.compile(
    r"(?:\s|<\?[^>]*>|<!--(?:[^-]|-(?!->))*-->|<!doctype[^>]*>)*+"
    r"<(rdf:rdf|(?:[a-z][\w.-]{0,20}:)?(?:rss|feed|urlset|sitemapindex|opml|svg))[\s>]",
    re.I,
)
_FEEDS = {"rss": "an RSS feed", "feed": "an Atom feed", "rdf": "an RSS feed"}
_END_OF_SVG = re.compile(r"</(?:[a-z]{1,8}:)?svg\s*>(?:\s|<!--[^<>]*-->)*\Z", re.I)


def _refuse_feed(text: str, start: str) -> None:
    """Raise if a text is a feed or a sitemap; the message has the first addresses in it."""
    found = _FIRST_ELEMENT.match(start)
    if found is None:
        return
    name = found[1].lower().rpartition(":")[2]
    if name == "svg":  # a page may begin with a sheet of icons, or a fragment with a picture
        is_file = found.start(1) > 1 or "http://www.w3.org/2000/svg" in start
        is_all = _END_OF_SVG.search(text, max(len(text) - _TAIL, 0)) is not None
        _refuse("an SVG picture" if is_file and is_all else None)
        return
    _refuse("an OPML list of feeds" if name == "opml" else None)
    if name in _FEEDS:
        kind, unit = _FEEDS[name], ("entry", "entries")
        links = _feed_links(text)
    else:
        kind, unit = "a sitemap", ("address", "addresses")
        links = _LOCATION.findall(text)
    count = f"{len(links):,} {unit[len(links) != 1]}"
    shown = [link for link in links if link][:_SHOWN]
    which = f", such as {', '.join(shown)}" if shown else ""
    raise InputError(f"this is {kind} with {count}, not a web page: give the pages of it{which}.")


_TAIL = 512  # characters
_LOCATION = lazy_pattern(
    r"<(?:[a-z][\w.-]{0,20}:)?loc>\s*+(?:<!\[CDATA\[)?+\s*+([^\s<]*?)(?:\]\]>)?+\s*+</", re.I
)
_SHOWN = 3


def _feed_links(text: str) -> list[str]:
    """Return the address of each entry of a feed, "" for one without."""
    found = feed(text)
    return [] if found is None else [(entry.link or "").strip() for entry in found.entries]


# --- escaped pages -------------------------------------------------------------------------------


def _may_be_escaped(text: str) -> bool:
    """Return whether the beginning of a page may be escaped, which is true of hardly any."""
    start = text[:_ESCAPED_WITHIN]
    return (
        ('=\\"' in start and '="' not in start and _QUOTE_IN_TAG.search(start) is not None)
        or ("=3D" in start and '="' not in start and _QUOTED_SIGN.search(start) is not None)
        or _LITERAL_LINE_END.match(start) is not None
    )


_ESCAPED_WITHIN = 2_048  # characters
_LITERAL_LINE_END = re.compile(r"\s{0,64}<[^<>\n]{1,400}>(?:\\r)?\\n")
_QUOTE_IN_TAG = lazy_pattern(r"<[a-z][^<>]{0,400}=\\\"", re.I)
_QUOTED_SIGN = lazy_pattern(r"<[a-z][^<>]{0,400}\s[a-z-]{1,40}=3D", re.I)
_SOFT_LINE_END = lazy_pattern(r"=\r?\n")


def _unescaped(text: str) -> str:
    """Return a page that was escaped as the text of another, in a string, an address or base64.

    Any other text is returned as it is.
    """
    start = text[:_ESCAPED_WITHIN].lstrip()
    if start.startswith("<"):
        if not _may_be_escaped(text):
            return text
        if "=3D" not in start:
            return _ESCAPES.sub(_unescaped_character, text)
        if _SOFT_LINE_END.search(text):
            return decode(quopri.decodestring(text.encode()))[0]
        return text
    address = _DATA_ADDRESS.match(start)
    if address is not None:
        body = urllib_parse.unquote_to_bytes(text.lstrip()[address.end() :])
        return decode(_from_base64(body) if address[1] else body)[0]
    if _PERCENT_FIRST.match(start):
        return urllib_parse.unquote_plus(text) if "%20" not in text else urllib_parse.unquote(text)
    if _BASE64_FIRST.match(start) and _BASE64.fullmatch(text):
        return decode(_from_base64(text.encode()))[0]
    for _ in range(_MOST_ESCAPED):
        if not _ESCAPED_FIRST.match(text) or _ANY_MARKUP.search(text):
            break
        text = html.unescape(text)
    return text


_MOST_ESCAPED = 3  # times
_DATA_ADDRESS = re.compile(r"data:text/html[^,\s]{0,80}?(;base64)?,", re.I)
_PERCENT_FIRST = re.compile(r"%3C(?:(?:!|%21)doctype|html)\b", re.I)
_BASE64_FIRST = re.compile(r"PCFET0NUWVBF|PCFkb2N0eXBl|PGh0bWw|PEhUTUw")  # <!DOCTYPE, <html
_BASE64 = re.compile(r"[A-Za-z\d+/\s]++=*+\s*")
_ESCAPED_FIRST = re.compile(r"\s{0,64}&(?:amp;){0,2}lt;(?:!doctype|html|head|body|\?xml)\b", re.I)
_ANY_MARKUP = re.compile(r"<[a-z/!]", re.I)
_ESCAPES = re.compile(r"(?:\\u[\da-fA-F]{4})+|\\[\"'/\\nrt]")
_CHARACTERS = {"n": "\n", "r": "\r", "t": "\t"}


def _unescaped_character(escape: re.Match[str]) -> str:
    if escape[0][1] == "u":
        return well_formed(str(json.loads(f'"{escape[0]}"')))
    return _CHARACTERS.get(escape[0][1], escape[0][1])


def _from_base64(data: bytes) -> bytes:
    data = b"".join(data.split())
    return base64.b64decode(data[: len(data) // 4 * 4])


# What has no end goes on to the last character, so that no end is searched twice.
_CODE_OR_CDATA = lazy_pattern(
    r"<(?:script|style)\b(?:[^<]|<(?!/(?:script|style)))*+"
    r"|<!\[CDATA\[((?:[^\]]|\](?!\]>))*+)(\]\]>|\Z)",
    re.I,
)


def _as_text(found: re.Match[str]) -> str:
    """Return the text of CDATA in XML escaped, a script or style as it is."""
    return html.escape(found[1], quote=False) if found[2] else found[0]


_CALLBACK = lazy_pattern(
    r"(?:/\*\*/\s*)?(?:typeof [\w$.]+ ===? ['\"]function['\"] && )?[\w$.]{1,80}\(\s*[\[{]"
)
_CODE_COMMENTS = lazy_pattern(r"\s*(?:/\*(?:[^*]|\*(?!/))*+\*/|//[^\n]*\n)\s*")
_STYLE = lazy_pattern(
    r"@(?:charset|import|media|font-face|keyframes|-webkit-keyframes|layer|supports)\b"
    r"|[\w.#*:,>~+()\[\]='\" -]{1,300}\s*\{\s*(?:[\w-]{2,40}\s*:[^;{}]{1,300}[;}]|\})"
)
_SCRIPT_START = lazy_pattern(
    r"[!;]?\(?\(?(?:async )?function\s*+[\w$]*+\s*+\(|\(\([\w$, ]*\)\s*=>|['\"]use strict['\"]"
    r"|(?:var|let|const)\s++[\w${}\[\], ]{1,200}=|import\s++[\w${}*, ]{1,200}from\s*+['\"]"
    r"|import\s*+['\"]|export\s+(?:default|const|function|class|\{)|(?:window|self|document|module|"
    r"exports|jQuery|define|\$)[.(\[]"
)
_CODE_END = "});]"


def _refuse_code(text: str, start: str) -> None:
    """Raise if a text is a style sheet, a script, or JSON in the call of a function."""
    at = 0
    for _ in range(_MOST_COMMENTS):
        comment = _CODE_COMMENTS.match(start, at)
        if comment is None:
            break
        at = comment.end()
    tail = text[-64:].rstrip()
    if not tail.endswith(tuple(_CODE_END)):
        return
    if _CALLBACK.match(start) and tail.rstrip(";").endswith(("})", "])")):
        raise InputError("this is JSON in a call (JSONP), not a web page: give HTML or text.")
    if "<html" in start.lower():
        return
    is_style = _STYLE.match(start, at) is not None
    if "</" in text and (is_style or "</script" in text.lower()):
        return  # a part of a page that begins within a script or a style
    if is_style and tail.endswith(("}", ";")):
        raise InputError("this is a style sheet (CSS), not a web page: give HTML or text.")
    if _SCRIPT_START.match(start, at):
        raise InputError("this is a script (JavaScript), not a web page: give HTML or text.")


# What has no end goes on to the last character, so that no end is searched twice.
_PHP = lazy_pattern(r"<\?(?:php\b|=).*?(?:\?>|\Z)", re.I | re.S)
_PAGE_IN_PHP = lazy_pattern(r"<(?:!doctype|html|head|body)\b", re.I)


def _refuse_php(text: str, start: str) -> None:
    """Raise if a text is PHP, and no page with some of it."""
    code = _PHP.match(start)
    if code is None or ";" not in code[0] or _PAGE_IN_PHP.search(text):
        return
    if _MARKUP.search(_PHP.sub("", text)) is None:
        raise InputError("this is PHP, not a web page: give the HTML that it writes.")


_MOST_COMMENTS = 8  # before code


def _refuse_json(text: str, start: str) -> None:
    """Raise if a text is JSON, also if it is damaged or has something before it."""
    guard = _JSON_GUARD.match(start)
    if guard is not None:
        text, start = text.lstrip()[guard.end() :], start[guard.end() :]
    if start.startswith(("{", "[", '"', "null")) and _is_json(text):
        raise InputError("this is JSON, not a web page: give the HTML inside of it.")
    if _JSON_FIRST.match(start) and not _PAGE_AFTER_JSON.search(text):
        raise InputError("this is damaged JSON, not a web page: give the HTML inside of it.")


# What servers write before JSON, so that it is no script, and the beginning of an object.
_JSON_GUARD = lazy_pattern(
    r"(?:\)\]\}'?,?|for\s*\(\s*;;\s*\)\s*;|while\s*\(\s*1\s*\)\s*;)\s*(?=[\[{])"
)
_JSON_FIRST = lazy_pattern(
    r"[\[\s]{0,64}\{\s*\"(?:[^\"\\\n]|\\.){1,100}\"\s*:\s*(?:[\"\[{\d-]|true|false|null)"
)
_PAGE_AFTER_JSON = lazy_pattern(r"[}\]]\s*<(?:!doctype|html|head|body)\b", re.I)


def _is_json(text: str) -> bool:
    """Return whether a text is JSON: an object or a list, several of them on lines, or `null`.

    A string counts only with markup or escapes in it, as others are quotations, and a list with one
    number does not: it may be the mark of a note.
    """
    text = text.strip()
    if text[-1] not in '}]"l':
        return False
    if len(text) > _MOST_JSON:
        return text[-1] in "}]" and text[1:65].lstrip()[:1] in ('"', "{", "[", "}")
    try:
        value, end = json.JSONDecoder().raw_decode(text)
    except RecursionError:
        return True
    except ValueError:
        return False
    if isinstance(value, str):
        return end == len(text) and ("<" in text or "\\" in text)
    if value is None or (isinstance(value, list) and [*map(type, value)] == [int]):
        return value is None and end == len(text)
    return text[end:].lstrip()[:1] in ("", "{", "[")


_MOST_JSON = 1_000_000  # characters that are read as JSON; the first and last decide for more

# The beginning of an end tag, a comment or a doctype, or a name that may be that of a tag.
_MARKUP = lazy_pattern(r"<(?:/[a-z]|!(?:--|doctype)|\?|([a-z][a-z\d]{0,15})(?=[\s/>]))", re.I)


# A comparison, which is no tag: `if a<b and c>d`. No element of one letter has such attributes.
_COMPARISON = lazy_pattern(r"<[a-z]\s(?=[^<>=\"']{0,200}(?:>|\Z))[^<>=\"'\w]{0,200}\w", re.I)


def _is_plain_text(text: str) -> bool:
    """Return whether a text has several lines, or a comparison, and no markup of HTML.

    Names that HTML does not have are no tags: `<file>`, `<stdio.h>`, `<https://example.org>`.
    """
    if "\n" not in text.strip() and _COMPARISON.search(text) is None:
        return False
    for found in _MARKUP.finditer(text):
        name = found[1]
        is_tag = name is None or name.lower() in HTML_NAMES
        if is_tag and _COMPARISON.match(text, found.start()) is None:
            return False
    return True


_PAGE_FIRST = re.compile(r"(?:<!doctype|<html|<head|<body|<\?xml)\b", re.I)
_NO_MARKDOWN = lazy_pattern(r"<(?:!doctype|html|head|body|pre|script|style|textarea)\b", re.I)
_MARKDOWN = lazy_pattern(r"^(?:#{1,6}[ \t]+\S|```|~~~)", re.M)
_LEAST_MARKDOWN = 2  # headings and marks of code
_LINE = lazy_pattern(r"^[^\n]*\S", re.M)
_FENCE = lazy_pattern(r"^(?:```|~~~)", re.M)
_ANY_TAG = lazy_pattern(r"`[^`\n]++`|<!--[^<>]*-->|</?([a-z][a-z\d]{0,15})(?:[\s/][^<>]*)?>", re.I)


def _is_markdown(text: str) -> bool:
    """Return whether a text is Markdown with some tags: headings or code, and more lines than tags.

    HTML may have lines like these in its blocks of code, scripts and styles.
    """
    if len(_MARKDOWN.findall(text)) < _LEAST_MARKDOWN or _NO_MARKDOWN.search(text):
        return False
    return sum(1 for _ in _MARKUP.finditer(text)) < len(_LINE.findall(text))


_INLINE_TAG = lazy_pattern(
    r"</?(?:a|abbr|b|big|br|cite|code|del|em|font|i|img|ins|kbd|mark|q|s|small|span|strike|strong|sub|"
    r"sup|tt|u|var)(?:[\s/][^<>]*+)?>",
    re.I,
)
_BLANK_LINE = lazy_pattern(r"\S[^\S\n]*\n[^\S\n]*\n\s*\S")


def _has_inline_tags_alone(text: str) -> bool:
    """Return whether a text has blank lines between its paragraphs, and no tags of blocks."""
    if not _BLANK_LINE.search(text):
        return False
    for found in _MARKUP.finditer(text):
        is_tag = found[1] is None or found[1].lower() in HTML_NAMES
        if is_tag and not _INLINE_TAG.match(text, found.start()):
            return False
    return True


def _has_few_tags(text: str) -> bool:
    """Return whether a text has paragraphs, and fewer tags than lines, none of them of blocks."""
    if not _has_inline_tags_alone(text):
        return False
    return sum(1 for _ in _INLINE_TAG.finditer(text)) < len(_LINE.findall(text))


def _without_tags(text: str) -> str:
    """Return Markdown without the tags of HTML, except those in code."""
    parts = _FENCE.split(text)
    marks = _FENCE.findall(text)
    parts[::2] = [_ANY_TAG.sub(_unless_html, part) for part in parts[::2]]
    return "".join(chain.from_iterable(zip(parts, [*marks, ""], strict=True)))


def _unless_html(tag: re.Match[str]) -> str:
    """Return code, and a tag whose name HTML does not have; "" for others and for comments."""
    if tag[0].startswith("`"):
        return tag[0]
    return tag[0] if tag[1] is not None and tag[1].lower() not in HTML_NAMES else ""


_BLANK_LINES = lazy_pattern(r"\n(?:[^\S\n]*\n)+")
_ITEM = lazy_pattern(r"\s*(?:[-*+•‣–]|\d{1,3}[.)]|\|)\s")
_WRAPPED = range(40, 101)  # characters of a line that ends where the next word would not fit


def _paragraphs(text: str, *, has_tags: bool = False) -> str:
    """Return plain text as HTML.

    Blank lines separate paragraphs. Lines of 40 to 100 characters are joined, as they were wrapped;
    other lines are kept as lines if they are short, and as paragraphs if they are long. Tags of
    `_INLINE_TAG` stay tags with `has_tags`, and what looks like a reference is one.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n").strip("\n")
    escape = _escape_text if has_tags else partial(html.escape, quote=False)
    written = (_paragraph(part.split("\n"), escape) for part in _BLANK_LINES.split(text))
    return f"<!DOCTYPE html>\n<article>\n{''.join(map(''.join, written))}</article>\n"


def _paragraph(lines: list[str], escape: Callable[[str], str]) -> Iterator[str]:
    """Yield the HTML of lines without a blank line among them."""
    if any(len(line) > _WRAPPED.stop for line in lines):
        yield from (f"<p>{escape(line)}</p>\n" for line in lines)
        return
    is_wrapped = all(len(line) in _WRAPPED for line in lines[:-1])
    yield "<p>"
    for number, line in enumerate(lines):
        if number:
            yield "\n" if is_wrapped and not _ITEM.match(line) else "<br>\n"
        yield escape(line)
    yield "</p>\n"


def _escape_text(line: str) -> str:
    """Return a line with inline tags as HTML: other signs that look like tags are escaped."""
    parts = _INLINE_TAG.split(line)
    tags = _INLINE_TAG.findall(line)
    texts = (part.replace("<", "&lt;") for part in parts)
    return "".join(chain.from_iterable(zip(texts, [*tags, ""], strict=True)))
