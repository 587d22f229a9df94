"""The TEI header: title, authors, dates, licence, keywords and source of a text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape
from urllib.parse import quote

from thresher.page.words import collapsed
from thresher.render.scan import character_table, has_any

# Characters that XML 1.0 cannot hold (https://www.w3.org/TR/xml/#charsets).
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_MARKUP, _QUOTED = character_table("&<>"), character_table('&<>"')
_UNSAFE = re.compile(r'[\s<>"{}|\\^`]')
_MAY_BE_UNSAFE = character_table(' <>"{}|\\^`')
# What `when` may hold of ISO 8601: a day, or an instant of a day.
DATE = re.compile(r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)?)?")


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
    licence: str = ""  # an address, or its name
    tags: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()  # sections that the page is filed under
    kind: str = ""  # of the page
    kind_probability: float = 0.0  # 0 to 1
    confidence: float | None = None  # the expected F1 of the text, 0 to 1


def write_header(header: Header) -> str:
    """Return the element `teiHeader`."""
    authors = _elements("author", *header.authors)
    confidence = ""
    if header.confidence is not None:
        note = f'<note type="confidence">{header.confidence:.3f}</note>'
        confidence = f"<notesStmt>{note}</notesStmt>"
    keywords = _keywords(header)
    profile = f"<profileDesc><textClass>{keywords}</textClass></profileDesc>" if keywords else ""
    return (
        "<teiHeader><fileDesc>"
        f"<titleStmt><title>{_one_line(header.title)}</title>{authors}</titleStmt>"
        f"<publicationStmt>{_publication(header)}</publicationStmt>"
        f"{confidence}<sourceDesc>{_source(header, authors)}</sourceDesc>"
        f"</fileDesc>{profile}</teiHeader>"
    )


def _publication(header: Header) -> str:
    """Return what the page states about its licence, else a sentence, as TEI asks for either."""
    licence = _one_line(header.licence)
    if not licence:
        return "<p>Extracted from a web page.</p>"
    url = safe_url(header.licence) if header.licence.startswith(("http://", "https://")) else ""
    target = f" target={quoted(url)}" if url else ""
    note = "<authority>Extracted from a web page.</authority>"
    return f"{note}<availability><licence{target}>{licence}</licence></availability>"


def _keywords(header: Header) -> str:
    """Return the kind of the page, its tags and its categories, each as a list of terms."""
    found = ""
    if _one_line(header.kind):
        term = f'<term cert="{header.kind_probability:.3f}">{_one_line(header.kind)}</term>'
        found = f"<keywords>{term}</keywords>"
    for scheme, names in (("tags", header.tags), ("categories", header.categories)):
        terms = _elements("term", *names)
        found += f'<keywords scheme="#{scheme}">{terms}</keywords>' if terms else ""
    return found


def _source(header: Header, authors: str) -> str:
    """Return the page as a bibliographic item."""
    parts = _elements("title", header.title) + authors + _elements("publisher", header.site)
    for kind, date in (("published", header.published), ("modified", header.modified)):
        if DATE.fullmatch(date):
            parts += f'<date type="{kind}" when="{date}">{date}</date>'
    url = safe_url(header.url)
    if url:
        parts += f"<ref target={quoted(url)}>{escaped(header.url)}</ref>"
    return f"<bibl>{parts}</bibl>" if parts else "<p></p>"


def _elements(name: str, *texts: str) -> str:
    """Return one element for each text that is not empty."""
    return "".join(f"<{name}>{line}</{name}>" for line in map(_one_line, texts) if line)


def _one_line(text: str) -> str:
    return escaped(collapsed(text))


def escaped(text: str) -> str:
    """Return text with markup escaped, without the characters that XML cannot hold."""
    if text.isprintable() and not has_any(text, _MARKUP):
        return text
    return escape(_FORBIDDEN.sub("", text), quote=False)


def quoted(text: str) -> str:
    """Return text as the value of an XML attribute, in quotes."""
    if text.isprintable() and not has_any(text, _QUOTED):
        return f'"{text}"'
    text = escape(_FORBIDDEN.sub("", text))
    return '"' + text.replace("\n", "&#10;").replace("\r", "&#13;").replace("\t", "&#9;") + '"'


def safe_url(url: str) -> str:
    """Return a URL in which characters that RFC 3986 does not allow are percent-encoded."""
    if url.isprintable() and not has_any(url, _MAY_BE_UNSAFE):
        return url
    return _UNSAFE.sub(lambda match: quote(match[0]), _FORBIDDEN.sub("", url).strip())
