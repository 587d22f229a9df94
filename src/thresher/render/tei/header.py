"""The TEI header: title, authors, dates and source of a text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import quote
from xml.sax.saxutils import escape, quoteattr

# Characters that XML 1.0 cannot hold (https://www.w3.org/TR/xml/#charsets).
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_MARKUP = re.compile("[&<>]")
_UNSAFE = re.compile(r'[\s<>"{}|\\^`]')
# What `when` may hold of ISO 8601: a day, or an instant of a day.
_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)?)?")


@dataclass(frozen=True, slots=True)
class Header:
    """What the TEI header says; empty fields are left out."""

    title: str = ""
    authors: tuple[str, ...] = ()
    site: str = ""
    published: str = ""  # ISO 8601
    modified: str = ""  # ISO 8601
    url: str = ""
    language: str = ""
    kind: str = ""  # of the page
    kind_probability: float = 0.0  # 0 to 1
    confidence: float | None = None  # the expected F1 of the text, 0 to 1


def write_header(header: Header) -> str:
    """Return the element `teiHeader`."""
    authors = _elements("author", *header.authors)
    confidence = profile = ""
    if header.confidence is not None:
        note = f'<note type="confidence">{header.confidence:.3f}</note>'
        confidence = f"<notesStmt>{note}</notesStmt>"
    if header.kind:
        term = f'<term cert="{header.kind_probability:.3f}">{escaped(header.kind)}</term>'
        keywords = f"<textClass><keywords>{term}</keywords></textClass>"
        profile = f"<profileDesc>{keywords}</profileDesc>"
    return (
        "<teiHeader><fileDesc>"
        f"<titleStmt><title>{_one_line(header.title)}</title>{authors}</titleStmt>"
        "<publicationStmt><p>Extracted from a web page.</p></publicationStmt>"
        f"{confidence}<sourceDesc>{_source(header, authors)}</sourceDesc>"
        f"</fileDesc>{profile}</teiHeader>"
    )


def _source(header: Header, authors: str) -> str:
    """Return the page as a bibliographic item."""
    parts = _elements("title", header.title) + authors + _elements("publisher", header.site)
    for kind, date in (("published", header.published), ("modified", header.modified)):
        if _DATE.fullmatch(date):
            parts += f'<date type="{kind}" when="{date}">{date}</date>'
    url = safe_url(header.url)
    if url:
        parts += f"<ref target={quoted(url)}>{escaped(header.url)}</ref>"
    return f"<bibl>{parts}</bibl>" if parts else "<p></p>"


def _elements(name: str, *texts: str) -> str:
    """Return one element for each text that is not empty."""
    return "".join(f"<{name}>{line}</{name}>" for line in map(_one_line, texts) if line)


def _one_line(text: str) -> str:
    return escaped(" ".join(text.split()))


def escaped(text: str) -> str:
    """Return text with markup escaped, without the characters that XML cannot hold."""
    if text.isprintable() and _MARKUP.search(text) is None:
        return text
    return escape(_FORBIDDEN.sub("", text))


def quoted(text: str) -> str:
    """Return text as the value of an XML attribute, in quotes."""
    return quoteattr(_FORBIDDEN.sub("", text))


def safe_url(url: str) -> str:
    """Return a URL in which characters that RFC 3986 does not allow are percent-encoded."""
    return _UNSAFE.sub(lambda match: quote(match[0]), _FORBIDDEN.sub("", url).strip())
