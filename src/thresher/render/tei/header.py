"""The TEI header: what is known about a text, and where it came from."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import quote
from xml.sax.saxutils import escape, quoteattr

# Characters that XML 1.0 cannot hold (https://www.w3.org/TR/xml/#charsets).
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_UNSAFE = re.compile(r'[\s<>"{}|\\^`]')
# What `when` may hold of ISO 8601: a day, or an instant of a day.
_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)?)?")


@dataclass(frozen=True, slots=True)
class Header:
    """What the header tells; empty fields are left out."""

    title: str = ""
    authors: tuple[str, ...] = ()
    site: str = ""
    published: str = ""  # ISO 8601
    modified: str = ""
    url: str = ""
    language: str = ""
    kind: str = ""  # of the page
    kind_probability: float = 0.0
    confidence: float | None = None  # in the extraction


def write(header: Header) -> str:
    """Return the element `teiHeader`."""
    authors = _each("author", header.authors)
    return (
        "<teiHeader><fileDesc>"
        f"<titleStmt><title>{_line(header.title)}</title>{authors}</titleStmt>"
        "<publicationStmt><p>Extracted from a web page.</p></publicationStmt>"
        f"{_notes(header)}"
        f"<sourceDesc>{_source(header, authors)}</sourceDesc>"
        f"</fileDesc>{_profile(header)}</teiHeader>"
    )


def _notes(header: Header) -> str:
    if header.confidence is None:
        return ""
    note = f'<note type="confidence">{header.confidence:.3f}</note>'
    return f"<notesStmt>{note}</notesStmt>"


def _source(header: Header, authors: str) -> str:
    """Describe the page as a bibliographic item."""
    address = target(header.url)
    told = _each("title", [header.title]) + authors + _each("publisher", [header.site])
    for kind, date in (("published", header.published), ("modified", header.modified)):
        if _DATE.fullmatch(date):
            told += f'<date type="{kind}" when="{date}">{date}</date>'
    if address:
        told += f"<ref target={quoted(address)}>{escaped(header.url)}</ref>"
    return f"<bibl>{told}</bibl>" if told else "<p></p>"


def _profile(header: Header) -> str:
    """Say what kind of page it is, and how sure that is."""
    if not header.kind:
        return ""
    term = f'<term cert="{header.kind_probability:.3f}">{escaped(header.kind)}</term>'
    return f"<profileDesc><textClass><keywords>{term}</keywords></textClass></profileDesc>"


def _each(name: str, texts: tuple[str, ...] | list[str]) -> str:
    lines = filter(None, map(_line, texts))
    return "".join(f"<{name}>{line}</{name}>" for line in lines)


def _line(text: str) -> str:
    return escaped(" ".join(text.split()))


def escaped(text: str) -> str:
    """Return text that XML can hold, its marks escaped."""
    return escape(_FORBIDDEN.sub("", text))


def quoted(text: str) -> str:
    """Return text as the value of an attribute, in quotes."""
    return quoteattr(_FORBIDDEN.sub("", text))


def target(address: str) -> str:
    """An address without the characters that no address may hold (RFC 3986)."""
    return _UNSAFE.sub(lambda match: quote(match[0]), _FORBIDDEN.sub("", address).strip())
