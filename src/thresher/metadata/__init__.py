"""What a page says about itself: authors, dates, site, language, and where each was found.

Structured data is asked first (JSON-LD, then meta tags), then the page: microdata, `rel=author`,
bylines and dates by the names of their classes, `<time>`, and at last the address. Nothing reads
the whole text; the elements that may hold an answer are chosen by one selector, and only if an
answer is still missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from typing import Any, Generic, TypeVar
from urllib.parse import urlsplit

from thresher.metadata import candidates as hints
from thresher.metadata import dates
from thresher.metadata import declared_language as languages
from thresher.metadata import excerpt as excerpts
from thresher.metadata import language as scripts
from thresher.metadata.bylines import author_names
from thresher.metadata.declared import Declared, declared
from thresher.metadata.json_ld import names_of, strings_of
from thresher.page import Page, Selection

__all__ = ["Field", "Metadata", "read"]

Value = TypeVar("Value", str, tuple[str, ...])


@dataclass(frozen=True, slots=True)
class Field(Generic[Value]):
    """A value and where it came from: `json-ld`, the name of a meta tag, `rel`, ..."""

    value: Value
    source: str = ""  # "" when nothing was found

    def __bool__(self) -> bool:
        """Whether something was found."""
        return bool(self.value)


_NOTHING: Field[str] = Field("")
_NONE: Field[tuple[str, ...]] = Field(())


@dataclass(frozen=True, slots=True)
class Metadata:
    """The metadata of a page; a field that was not found is empty."""

    authors: Field[tuple[str, ...]] = _NONE
    published: Field[str] = _NOTHING  # ISO 8601: a day, or an instant with its zone
    modified: Field[str] = _NOTHING
    site: Field[str] = _NOTHING
    language: Field[str] = _NOTHING  # BCP 47, such as de-AT
    direction: Field[str] = _NOTHING  # ltr or rtl
    description: Field[str] = _NOTHING
    excerpt: Field[str] = _NOTHING  # the description, else how the text begins
    image: Field[str] = _NOTHING
    tags: Field[tuple[str, ...]] = _NONE
    licence: Field[str] = _NOTHING
    canonical: Field[str] = _NOTHING

    @property
    def date(self) -> Field[str]:
        """When it was published; if that is not said, when it was last changed."""
        return self.published or self.modified

    def to_dict(self) -> dict[str, Any]:
        """Return what was found as plain data: {name: {"value": ..., "source": ...}}."""
        found = {field.name: getattr(self, field.name) for field in fields(self)}
        plain = {name: asdict(field) for name, field in found.items() if field}
        for entry in plain.values():
            if isinstance(entry["value"], tuple):
                entry["value"] = list(entry["value"])
        return plain


def read(page: Page, content: Selection | None = None, headline_row: int = -1) -> Metadata:
    """Read the metadata of a page.

    `content` is the main content, if it is known: its letters may tell the language, its begin is
    an excerpt. `headline_row` is where the headline stands: bylines and dates are near it.
    """
    if not len(page):
        return Metadata()
    says = declared(page)
    language = Field(*languages.declared_language(page, says))
    language = language or Field(*scripts.by_script(page, content))
    month_first = _month_first(language.value, page.url or "")
    authors = _authors(says)
    published = _date(says, _PUBLISHED, month_first)
    modified = _date(says, _MODIFIED, month_first)
    site = _site(page, says)
    own = not authors or _is_of_site(authors.value, site.value, page.url or "")  # bylines say more
    for look in (hints.read, hints.near):
        if not own and published:
            break
        found = look(page, headline_row)
        byline = _hinted_authors(found) if own else _NONE
        authors, own = byline or authors, own and not byline
        published = published or _hinted_date(found.published, month_first)
        modified = modified or _hinted_date(found.modified, month_first)
    description = _first(says, _DESCRIPTION)
    return Metadata(
        authors=authors,
        published=published or _address_date(page, says),
        modified=modified,
        site=site,
        language=language,
        direction=Field(*languages.direction(page, language.value, says.title)),
        description=description,
        excerpt=description or _begin(content, headline_row, says.title),
        image=_address(page, _first(says, _IMAGE)) or _linked(page, says, "image_src"),
        tags=_tags(says),
        licence=_licence(page, says),
        canonical=_linked(page, says, "canonical") or _address(page, _first(says, _CANONICAL)),
    )


# --- where values stand: a key of JSON-LD begins with "@", the others are meta tags --------------

_PUBLISHED = (
    "@datePublished article:published_time og:published_time datepublished article.published "
    "article:published parsely-pub-date sailthru.date dc.date.issued dcterms.issued dc.date "
    "dcterms.date dc.date.created dcterms.created dc.issued citation_publication_date "
    "citation_date pubdate publishdate publish-date publish_date publication_date date "
    "cxenseparse:recs:publishtime rnews:datepublished bt:pubdate displaydate "
    "originalpublicationdate published_at article_date_original @uploadDate @dateCreated "
    "og:article:published_time article:publish_time created datecreated"
).split()
_MODIFIED = (
    "@dateModified article:modified_time og:modified_time og:updated_time datemodified "
    "dcterms.modified dc.date.modified last-modified lastmod modified updated_at revised "
    "article:updated_time"
).split()
_AUTHORS = (
    "author article:author_name parsely-author sailthru.author dc.creator dcterms.creator "
    "dc.creator.name citation_author byl authors article:author og:article:author "
    "cxenseparse:author rbauthors creator dc.contributor"
).split()
_DESCRIPTION = (
    "description og:description twitter:description @description dc.description "
    "dcterms.description sailthru.description dcterms.abstract"
).split()
_IMAGE = (
    "og:image:secure_url og:image og:image:url twitter:image twitter:image:src @image "
    "@thumbnailUrl sailthru.image.full parsely-image-url thumbnail image msapplication-tileimage"
).split()
_LICENCE = (
    "@license dc.rights.license dcterms.license dc.rights dcterms.rights cc:license license rights"
).split()
_CANONICAL = "og:url @url @mainEntityOfPage twitter:url parsely-link".split()
_TAGS = (
    "@keywords article:tag parsely-tags sailthru.tags news_keywords keywords dc.subject og:tag "
    "citation_keywords"
).split()
_SITE = (
    "og:site_name application-name al:android:app_name dc.publisher citation_journal_title".split()
)


def _all(says: Declared, names: Iterable[str]) -> Iterable[tuple[str, str]]:
    """Yield the values of the first name that has any, each with its source, then of the next."""
    for name in names:
        if name.startswith("@"):
            for work in says.dated_works if "date" in name.lower() else says.works:
                for text in strings_of(work.get(name[1:])):
                    yield text, f"json-ld {name[1:]}"
        else:
            for text in says.meta.get(name, ()):
                yield text, name


def _first(says: Declared, names: Iterable[str]) -> Field[str]:
    return next((Field(_line(text), name) for text, name in _all(says, names)), _NOTHING)


_LONGEST = 5_000  # characters of a value


def _line(text: str) -> str:
    return " ".join(text[:_LONGEST].split())


def _address(page: Page, field: Field[str]) -> Field[str]:
    """Return a link made absolute; a text that is no link stays as it is."""
    if not field or " " in field.value:
        return field if not _RUNS.match(field.value) else _NOTHING
    return _of_web(page.resolve(field.value), field.source)


_RUNS = re.compile(r"\W*(?:(?:javascript|vbscript)\s*:|data:\w+/)", re.I)  # a program, a document


def _of_web(address: str, source: str) -> Field[str]:
    """Return an address of the web, or one that is relative to an unknown page; else nothing."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return _NOTHING
    of_web = (parts.scheme in ("http", "https") and parts.netloc) or not parts.scheme
    return Field(address, source) if of_web else _NOTHING


def _linked(page: Page, says: Declared, relation: str) -> Field[str]:
    links = says.links.get(relation, ())
    found = (_of_web(page.resolve(link), f"link {relation}") for link in links)
    return next(filter(None, found), _NOTHING)


def _licence(page: Page, says: Declared) -> Field[str]:
    """A licence by its address first: of a text, one cannot tell what it allows."""
    found = _linked(page, says, "license")
    if not found:
        link = hints.licence(page)
        found = _of_web(page.resolve(link), "rel license") if link else _NOTHING
    return found or _address(page, _first(says, _LICENCE))


def _begin(content: Selection | None, headline_row: int, title: str) -> Field[str]:
    text = excerpts.begin_of(content, headline_row, title) if content is not None else ""
    return Field(text, "content") if text else _NOTHING


# --- authors -------------------------------------------------------------------------------------


def _authors(says: Declared) -> Field[tuple[str, ...]]:
    people, organised = _linked_authors(says)
    if people:
        return Field(tuple(people), "json-ld author")
    for name in filter(says.meta.__contains__, _AUTHORS):
        names = author_names(says.meta[name])
        if names:
            return Field(tuple(names), name)
    labelled = author_names(_twitter_label(says))
    if labelled:
        return Field(tuple(labelled), "twitter:data1")
    return Field(tuple(organised), "json-ld author") if organised else _NONE


def _linked_authors(says: Declared) -> tuple[list[str], list[str]]:
    """The people, then the organisations, that the first object with authors names."""
    for work in says.works:
        for key in ("author", "creator"):
            named = names_of(work.get(key), says.by_id)
            people = author_names(name for name, organised in named if not organised)
            bodies = author_names(name for name, organised in named if organised)
            if people or bodies:
                return people, bodies
    return [], []


def _is_of_site(authors: tuple[str, ...], site: str, url: str) -> bool:
    """Whether the names say no more than whose site it is; so too when there are none."""
    known = {_letters(site), _letters(_host(url)), *map(_letters, _host(url).split("."))}
    return all(_letters(name) in known for name in authors)


def _letters(text: str) -> str:
    return "".join(mark for mark in text.casefold() if mark.isalnum())


def _twitter_label(says: Declared) -> list[str]:
    """The card's labelled value, where its label speaks of writing (in some languages)."""
    label = says.first("twitter:label1")
    value = says.first("twitter:data1")
    return [value[0]] if label and value and _WRITTEN.search(label[0]) else []


_WRITTEN = re.compile(
    r"writ|author|autor|auteur|verfas|geschrieben|écrit|escrit|scritto|skrev", re.I
)


def _hinted_authors(found: hints.Hints) -> Field[tuple[str, ...]]:
    for text, source in found.authors:
        names = author_names([text])
        if names:
            return Field(tuple(names), source)
    return _NONE


# --- dates ---------------------------------------------------------------------------------------


def _date(says: Declared, names: Iterable[str], month_first: bool) -> Field[str]:
    for text, name in _all(says, names):
        iso = dates.to_iso(text, month_first=month_first)
        if iso:
            return Field(iso, name)
    return _NOTHING


def _hinted_date(found: list[tuple[str, str]], month_first: bool) -> Field[str]:
    for text, source in found:
        iso = dates.to_iso(text, month_first=month_first)
        if iso:
            return Field(iso, source)
    return _NOTHING


def _address_date(page: Page, says: Declared) -> Field[str]:
    canonical = (says.links.get("canonical") or [""])[0]
    iso = dates.in_address(page.url or "") or dates.in_address(canonical)
    return Field(iso, "address") if iso else _NOTHING


def _month_first(language: str, url: str) -> bool:
    """Whether 5/3/2024 is in May: so in the United States and where their custom is followed."""
    tag = language.lower()
    if "-" in tag:
        return tag.startswith(("en-us", "en-ph", "es-us", "fil"))
    host = _host(url) if "://" in url else ""
    country = host.rpartition(".")[2]
    return tag in ("en", "") and (len(country) != 2 or country == "us")


# --- site ----------------------------------------------------------------------------------------


def _site(page: Page, says: Declared) -> Field[str]:
    declared_name = _first(says, _SITE)
    if declared_name:
        return declared_name
    for item in says.items:
        kind = str(item.get("@type"))
        names = strings_of(item.get("name")) if "WebSite" in kind else []
        names = names or [name for name, _ in names_of(item.get("publisher"), says.by_id)]
        if names:
            return Field(_line(names[0]), "json-ld")
    host = _host(page.url) or _host((says.links.get("canonical") or [""])[0])
    return Field(host.removeprefix("www."), "address") if host else _NOTHING


def _host(url: str | None) -> str:
    try:
        return urlsplit(url or "").hostname or ""
    except ValueError:
        return ""


# --- tags ----------------------------------------------------------------------------------------

_MOST_TAGS = 50


def _tags(says: Declared) -> Field[tuple[str, ...]]:
    """Return the tags of the first source that has some; one text may hold several."""
    by_source: dict[str, dict[str, str]] = {}
    for text, source in _all(says, _TAGS):
        if by_source and source not in by_source:
            break
        several = by_source.setdefault(source, {})
        for part in re.split(r"[,;|、，]", text[:_LONGEST]):
            tag = _line(part)
            if tag and len(tag) <= 100 and len(several) < _MOST_TAGS:
                several.setdefault(tag.casefold(), tag)
    for source, several in by_source.items():
        if several:
            return Field(tuple(several.values()), source)
    return _NONE
