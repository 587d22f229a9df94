"""Metadata of a page: authors, dates, site, language and others, each with its source.

Structured data comes first (JSON-LD, then meta tags), then the page itself: microdata,
`rel=author`, bylines and dates by class, `<time>`, short texts near the headline, and the URL for
dates. The page is searched only for fields that structured data does not have.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache, partial
from html import unescape
from itertools import pairwise
from time import time
from typing import Any, Generic, TypeVar
from urllib.parse import urlsplit

from thresher.metadata import candidates, dates
from thresher.metadata.bylines import author_names, cited_names, without_place
from thresher.metadata.declared import Declarations, declarations
from thresher.metadata.excerpt import excerpt, letters_and_digits
from thresher.metadata.json_ld import people_and_organizations, property_texts
from thresher.metadata.language import direction, page_language
from thresher.metadata.licence import licences
from thresher.metadata.links import telling_links
from thresher.metadata.subjects import CLASS_KINDS, tags_and_categories
from thresher.page import Page, Selection
from thresher.page.attributes import NameCache
from thresher.page.tags import NUMBER
from thresher.page.words import collapsed

__all__ = ["Field", "Metadata", "read"]

Value = TypeVar("Value", str, tuple[str, ...])


@dataclass(frozen=True, slots=True)
class Field(Generic[Value]):
    """A value and its source: `json-ld author`, the name of a meta tag, `class`, ..."""

    value: Value
    source: str = ""  # "" if no value was found

    def __bool__(self) -> bool:
        """Return whether a value was found."""
        return bool(self.value)


_NO_TEXT: Field[str] = Field("")
_NO_TEXTS: Field[tuple[str, ...]] = Field(())


@dataclass(frozen=True, slots=True)
class Metadata:
    """The metadata of a page; a field that was not found is empty."""

    authors: Field[tuple[str, ...]] = _NO_TEXTS
    published: Field[str] = _NO_TEXT  # ISO 8601: a day, or a time with its zone
    modified: Field[str] = _NO_TEXT  # the last change, as `published`
    site: Field[str] = _NO_TEXT
    language: Field[str] = _NO_TEXT  # BCP 47, such as de-AT
    direction: Field[str] = _NO_TEXT  # ltr or rtl
    description: Field[str] = _NO_TEXT
    excerpt: Field[str] = _NO_TEXT  # the description, else the beginning of the content
    image: Field[str] = _NO_TEXT
    tags: Field[tuple[str, ...]] = _NO_TEXTS
    categories: Field[tuple[str, ...]] = _NO_TEXTS  # sections that the page is filed under
    licence: Field[str] = _NO_TEXT
    canonical: Field[str] = _NO_TEXT

    @property
    def date(self) -> Field[str]:
        """The date of publication, else of the last change."""
        return self.published or self.modified

    def to_dict(self) -> dict[str, Any]:
        """Return the fields that were found as {name: {"value": ..., "source": ...}}."""
        plain: dict[str, Any] = {}
        for name in self.__dataclass_fields__:
            field = getattr(self, name)
            if field:
                value = list(field.value) if isinstance(field.value, tuple) else field.value
                plain[name] = {"value": value, "source": field.source}
        return plain


def read(page: Page, content: Selection | None = None, headline_row: int = -1) -> Metadata:
    """Return the metadata of a page.

    `content` is the main content, if known: its beginning is an excerpt, and its language is
    detected if the page declares none. `headline_row` is the row of the headline, -1 if unknown:
    bylines and dates are searched near it.
    """
    if not len(page):
        return Metadata()
    declared = declarations(page)
    url = page.url or ""
    language = Field(*page_language(page, declared, content))
    month_first = _is_month_first(_with_region(language.value, declared), url)
    published = _first_date(_declared_dates(declared), month_first)
    modified = _first_date(_declared_values(declared, _MODIFIED), month_first)
    if modified and published.value[:_TO_DAY] > modified.value[:_TO_DAY]:
        published = _before(modified, published, declared, month_first)
    site = _site(page, declared)
    authors = _declared_authors(declared, site.value)
    whole, near = candidates.whole_page(page, headline_row)
    links = telling_links(whole, CLASS_KINDS)
    site_names = [*_site_names(site.value, url), *_TITLE_END.findall(declared.title)]
    byline_wanted = not authors or _is_site_name(authors.value, site_names)
    of_visit = _NO_TEXT
    for search in (partial(candidates.element_candidates, links=links), candidates.text_candidates):
        if not byline_wanted and published:
            break
        wanted = candidates.AUTHORS * byline_wanted
        wanted |= 0 if published and modified else candidates.DATES
        found = search(whole, near, wanted)
        if byline_wanted:
            byline = _first_byline(found["authors"], site_names)
            authors, byline_wanted = byline or authors, not byline
        if not published:
            month = dates.month_in_url(_canonical_link(declared)) or dates.month_in_url(url)
            published = _first_date(found["published"], month_first, month)
            of_visit = of_visit or _first_date(found["clocks"], month_first, month)
        modified = modified or _first_date(found["modified"], month_first)
    if "json-ld" not in authors.source:
        authors = _authors_of_paper(whole, near) or authors or _sender(whole, near)
    if authors and _is_the_site(authors.value, site_names, declared):
        authors = _NO_TEXTS
    elif len(authors.value) > 1:
        authors = Field(_without_site(authors.value, site_names), authors.source)
    tags, categories = tags_and_categories(
        whole, declared, links, near, _site_names(site.value, url)
    )
    description = _without_markup(_first(declared, _DESCRIPTION))
    return Metadata(
        authors=authors,
        published=published or _url_date(page, declared) or _if_not_today(of_visit),
        modified=modified,
        site=site,
        language=language,
        direction=Field(*direction(page, language.value, declared.title)),
        description=description,
        excerpt=description or _excerpt(content, headline_row, declared.title),
        image=(
            _url(page, _first(declared, _IMAGE))
            or _link(page, declared.links.get("image_src", ()), "link image_src")
        ),
        tags=Field(*tags),
        categories=Field(*categories),
        licence=next(
            filter(None, (_url(page, Field(*found)) for found in licences(whole, declared, links))),
            _NO_TEXT,
        ),
        canonical=(
            _link(page, declared.links.get("canonical", ()), "link canonical")
            or _url(page, _first(declared, _CANONICAL))
        ),
    )


_SHOWN = frozenset({"class", "text", "time", "link to author"})  # sources of what may be a post's


def may_be_of_posts(found: Metadata) -> bool:
    """Return whether the author or the date is missing, or may be that of a post of a thread."""
    return found.authors.source in {"", *_SHOWN} or found.published.source in {"", *_SHOWN}


def with_first_post(
    found: Metadata, author: str, published: str, others: Iterable[tuple[str, str]] = ()
) -> Metadata:
    """Return the metadata of a thread with author and time of its first post where it has none.

    They also replace those that were found near the headline, if these are of one of the `others`:
    the authors and times of later posts.
    """
    names = tuple(author_names([author])) or ((author,) if author else ())
    later = [(tuple(author_names([name])) or (name,), time[:_TO_DAY]) for name, time in others]
    authors, date = found.authors, found.published
    day = date.value[:_TO_DAY]
    of_others = [own for own, written in later if own != names and written == day]
    if date.source in _SHOWN and "" < published[:_TO_DAY] < day and of_others:
        date = Field(published, "first post")
        if names and authors.source in _SHOWN and authors.value in of_others:
            authors = Field(names, "first post")
    return replace(
        found,
        authors=authors or (Field(names, "first post") if names else _NO_TEXTS),
        published=date or (Field(published, "first post") if published else _NO_TEXT),
    )


# --- declared values: a name with "@" is a property of JSON-LD, others are meta tags ----------

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
    "author article:author_name parsely-author sailthru.author citation_author citation_authors "
    "dc.creator dcterms.creator dc.creator.name byl authors article:author og:article:author "
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
_CANONICAL = "og:url @url @mainEntityOfPage twitter:url parsely-link".split()
_SITE = (
    "og:site_name application-name al:android:app_name dc.publisher citation_journal_title".split()
)
_LONGEST = 5_000  # characters of a value


def _declared_values(declared: Declarations, names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield the values of each name with their sources, in the order of the names."""
    meta = declared.meta
    for name in names:
        if name[0] == "@":
            key = name[1:]
            for work in declared.dated_works if "date" in key.lower() else declared.works:
                if key in work:
                    for text in property_texts(work[key]):
                        yield text, f"json-ld {key}"
        elif name in meta:
            for text in meta[name]:
                yield text, name


def _first(declared: Declarations, names: Iterable[str]) -> Field[str]:
    values = _declared_values(declared, names)
    return next((Field(_one_line(text), source) for text, source in values), _NO_TEXT)


def _one_line(text: str) -> str:
    return " ".join(text[:_LONGEST].split())


_REFERENCE = re.compile(r"&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[a-zA-Z]{2,31}\d{0,2});")
_OF_HTML = re.compile(r"</[a-zA-Z]|<(?:p|br|div)\b", re.I)  # and no name of an element: "<table>"
_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,300}>")
_GAP = re.compile(r"(?<=\S) (?=[.,;:!?](?:\s|\Z))")  # in place of a tag


def _without_markup(field: Field[str]) -> Field[str]:
    """Return a text without HTML that was escaped twice: "&lt;p&gt;It&amp;#039;s tea"."""
    text = field.value
    if "&" in text and _REFERENCE.search(text):
        text = unescape(text)
    if "<" in text and _OF_HTML.search(text):
        text = _GAP.sub("", _one_line(_TAG.sub(" ", text)))
    return field if text is field.value else Field(_one_line(text), field.source)


def _excerpt(content: Selection | None, headline_row: int, title: str) -> Field[str]:
    text = "" if content is None else excerpt(content, headline_row, title)
    return Field(text, "content") if text else _NO_TEXT


# --- URLs ------------------------------------------------------------------------------------

_USUAL_URL = re.compile(r"https?://[a-zA-Z0-9.-]+(?:[/?#]|\Z)")
_UNSAFE = re.compile(r"\W*(?:(?:javascript|vbscript)\s*:|data:\w+/)", re.I)


def _url(page: Page, field: Field[str]) -> Field[str]:
    """Return a field with its URL made absolute; a text that is not a URL stays as it is."""
    if not field or " " in field.value:
        return _NO_TEXT if _UNSAFE.match(field.value) else field
    return _web_url(page.resolve(field.value), field.source)


def _web_url(url: str, source: str) -> Field[str]:
    """Return an http or https URL, or one relative to an unknown page; others are left out."""
    if _USUAL_URL.match(url):
        return Field(url, source)
    try:
        parts = urlsplit(url)
    except ValueError:
        return _NO_TEXT
    is_web = (parts.scheme in ("http", "https") and parts.netloc) or not parts.scheme
    return Field(url, source) if url and is_web else _NO_TEXT


def _link(page: Page, links: Iterable[str], source: str) -> Field[str]:
    """Return the first of some links that is a web URL."""
    urls = (_web_url(page.resolve(link), source) for link in links if link)
    return next(filter(None, urls), _NO_TEXT)


def _host(url: str) -> str:
    if not url:
        return ""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def _site(page: Page, declared: Declarations) -> Field[str]:
    name = _first(declared, _SITE)
    if name:
        host = _host(name.value) if "://" in name.value else ""
        return Field(host.removeprefix("www."), name.source) if host else name
    for item in declared.items:
        is_site = "WebSite" in str(item.get("@type"))
        names = property_texts(item.get("name")) if is_site else []
        names += [
            name for name, _ in people_and_organizations(item.get("publisher"), declared.by_id)
        ]
        if names:
            return Field(_one_line(names[0]), "json-ld")
    host = _host(page.url or "") or _host(_canonical_link(declared))
    return Field(host.removeprefix("www."), "address") if host else _NO_TEXT


def _canonical_link(declared: Declarations) -> str:
    return declared.links.get("canonical", [""])[0]


# --- authors ---------------------------------------------------------------------------------

_WRITTEN_BY = re.compile(
    r"writ|author|autor|auteur|verfas|geschrieben|écrit|escrit|scritto|skrev", re.I
)


def _declared_authors(declared: Declarations, site: str) -> Field[tuple[str, ...]]:
    people, organizations = _json_ld_authors(declared, site)
    if people:
        return Field(tuple(people), "json-ld author")
    texts = {name: declared.meta[name] for name in _AUTHORS if name in declared.meta}
    if _WRITTEN_BY.search(declared.meta.get("twitter:label1", [""])[0]):
        texts["twitter:data1"] = declared.meta.get("twitter:data1", [])[:1]
    for source, bylines in texts.items():
        names = (cited_names if source.startswith("citation_") else author_names)(bylines)
        if names:
            return Field(tuple(names), source)
    return Field(tuple(organizations), "json-ld author") if organizations else _NO_TEXTS


def _json_ld_authors(declared: Declarations, site: str) -> tuple[list[str], list[str]]:
    """Return the people and the organizations that the first work with authors names.

    An organization that is the site is the author of news only: there it stands for the staff,
    elsewhere for nobody. One that is only the publisher is left out.
    """
    for work in declared.works:
        for key in ("author", "creator"):
            named = people_and_organizations(work.get(key), declared.by_id)
            people = author_names(name for name, is_organization in named if not is_organization)
            organizations = author_names(name for name, is_organization in named if is_organization)
            if people or organizations:
                publishers = people_and_organizations(work.get("publisher"), declared.by_id)
                own = {letters_and_digits(name) for name in (site, *dict(publishers))}
                if "News" in str(work.get("@type")):
                    own.discard(letters_and_digits(site))
                organizations = [
                    name for name in organizations if letters_and_digits(name) not in own
                ]
                return people, organizations
    return [], []


def _first_byline(
    found: Iterable[tuple[str, str]], site_names: list[str]
) -> Field[tuple[str, ...]]:
    """Return the names in the first byline that has any.

    Names of the site come last, and only those of several words: a person's own site.
    """
    of_site = _NO_TEXTS
    for text, source in found:
        is_shown = not source.startswith("itemprop")
        names = tuple(author_names([without_place(collapsed(text)) if is_shown else text]))
        if names and _INITIALS.fullmatch(names[0]) and source == "class":
            continue  # in the place of a picture
        if names and not _is_site_name(names, site_names):
            return Field(names, source)
        if names and " " in names[0]:
            of_site = of_site or Field(names, source)
    return of_site


_INITIALS = re.compile("[A-Z]{2}")


def _authors_of_paper(page: Page, headline_row: int) -> Field[tuple[str, ...]]:
    """Return the authors of a paper that LaTeXML wrote, without their affiliations.

    A name is the first line of its element; notes and what is in smaller type are left out.
    """
    node = page.nodes[headline_row]
    if "ltx_title" not in (node.attr("class") or ""):  # true of most pages
        return _NO_TEXTS
    lines: list[str] = []
    for one in page.nodes[0].select(".ltx_creator.ltx_role_author .ltx_personname")[:100]:
        texts: list[str] = []
        for child in one:
            if getattr(child, "tag", "") == "br":
                break
            texts += [] if getattr(child, "tag", "") in ("sup", "math") else [child.text]
        lines.append("".join(texts))
    return Field(tuple(author_names(lines)), "ltx_personname") if lines else _NO_TEXTS


def _sender(page: Page, headline_row: int) -> Field[tuple[str, ...]]:
    """Return who wrote an e-mail, as its archive says below the subject.

    Pipermail has a name in bold before the address, MHonArc a list with "From: Ada <a@b.example>".
    """
    if not page.present[_PRE]:  # true of most pages
        return _NO_TEXTS
    rows = range(int(page.end[headline_row]), min(int(page.end[headline_row]) + 120, len(page)))
    elements = [row for row in rows if page.tag[row]]
    for row, following in pairwise(elements[:4]):
        is_pair = page.tag[row] == _BOLD and page.tag[following] == _LINK
        if is_pair and (page.nodes[following].attr("href") or "").startswith("mailto:"):
            return Field(tuple(author_names([page.line(row)])), "sender")
    texts = [page.text(row) for row in rows if not page.tag[row]]
    for label, value in pairwise(texts):
        if label.strip(" :").lower() == "from" and value.lstrip()[:1] == ":":
            return Field(tuple(author_names([value.partition("<")[0].strip(" :\"'")])), "sender")
    return _NO_TEXTS


_PRE, _BOLD, _LINK = NUMBER["pre"], NUMBER["b"], NUMBER["a"]

# The last part of a title: the site's name, mostly.
_TITLE_END = re.compile(r"(?:\s[-–—|•·»:]|[|｜])\s*([^-–—|•·»:｜]{1,60})\Z")


def _is_site_name(authors: tuple[str, ...], site_names: list[str]) -> bool:
    """Return whether all authors are names of the site, by its name, its host or its titles."""
    names = {_site_key(name) for name in site_names}
    return all(_site_key(author) in names for author in authors)


def _site_key(name: str) -> str:
    """Return a name in the form in which names of sites are compared: "The Kettle" is "kettle"."""
    return letters_and_digits(name.casefold().removeprefix("the "))


def _without_site(authors: tuple[str, ...], site_names: list[str]) -> tuple[str, ...]:
    """Return authors without names of the site, if others are people: names of several words."""
    people = tuple(name for name in authors if not _is_site_name((name,), site_names))
    return people if all(" " in name for name in people) and people else authors


_ORGANIZATION = re.compile(
    r"\Athe\s|\b(?:magazine|news|times|daily|weekly|post|blog|journal|review|media|press|herald|tribune|guide"
    r"|gazette|team|staff|inc|ltd|llc|gmbh|academy|university|institute|foundation|store|shop|network"
    r"|online|radio|tv|today|group|company|studio|labs?|club|center|centre|association|society)\b",
    re.I,
)


def _is_the_site(authors: tuple[str, ...], site_names: list[str], declared: Declarations) -> bool:
    """Return whether authors are the site itself and no person, on a page that is not news.

    Hosts and names such as "Leaf Magazine" are those of no person.
    """
    if not _is_site_name(authors, site_names):
        return False
    if any("News" in str(work.get("@type")) for work in declared.works):
        return False
    return all("." in author or _ORGANIZATION.search(author) for author in authors)


def _site_names(site: str, url: str) -> list[str]:
    """Return the names of a site: its own, its host and the parts of its host."""
    host = _host(url)
    return [site, host, host.removeprefix("www."), *host.split(".")] if host else [site]


# --- dates -----------------------------------------------------------------------------------


_OTHER_PUBLISHED = re.compile(
    r"publi(?:sh|cation|cado|é).{0,12}(?:date|time|on)|(?:date|time).{0,6}publi|(?:post|release).?date"
)


def _declared_dates(declared: Declarations) -> Iterator[tuple[str, str]]:
    """Yield the declared dates of publication; those of meta tags with unusual names come last."""
    yield from _declared_values(declared, _PUBLISHED)
    for name, texts in declared.meta.items():
        if _other_published[name]:
            yield from ((text, name) for text in texts)


def _is_other_published(name: str | None) -> bool:
    return _OTHER_PUBLISHED.search((name or "")[:60]) is not None


_other_published = NameCache(_is_other_published, 60)


def _first_date(found: Iterable[tuple[str, str]], month_first: bool, near: str = "") -> Field[str]:
    """Return the first text that is a date up to tomorrow, as ISO 8601.

    Of two readings of a date, the one in the month `near` is used: "2024-05".
    """
    latest = ""
    for text, source in found:
        latest = latest or _day_after(int(time() // _DAY))
        iso = dates.to_iso(text, month_first=month_first, latest=latest, near=near)
        if iso and not iso.startswith(_EMPTY_DATES):
            return Field(iso, source)
    return _NO_TEXT


def _before(
    modified: Field[str], published: Field[str], declared: Declarations, month_first: bool
) -> Field[str]:
    """Return a date of publication with day and month the other way if that is before the change.

    05/03/2021 is in March on a page that was changed on 9 March 2021.
    """
    other = _first_date(_declared_dates(declared), not month_first)
    is_before = "" < other.value[:_TO_DAY] <= modified.value[:_TO_DAY]
    return other if is_before and other.source == published.source else published


_TO_DAY = 10  # characters of ISO 8601 up to the day


# What programs write for a date that is not known: the first days of their calendars, one of them
# in a zone west of Greenwich, too.
_EMPTY_DATES = ("1970-01-01", "1969-12-31", "1900-01-01")
_DAY = 24 * 60 * 60  # seconds


@lru_cache(4)
def _day_after(days: int) -> str:
    """Return the day after so many days since 1970 as ISO 8601."""
    return date.fromordinal(date(1970, 1, 2).toordinal() + days).isoformat()


def _if_not_today(found: Field[str]) -> Field[str]:
    """Return a date, unless it is one of today, as that of a clock is, in any zone."""
    today = int(time() // _DAY)
    days = [_day_after(today + shift) for shift in (-2, -1, 0)]
    return _NO_TEXT if found.value[:_TO_DAY] in days else found


def _url_date(page: Page, declared: Declarations) -> Field[str]:
    iso = dates.date_in_url(page.url or "") or dates.date_in_url(_canonical_link(declared))
    return Field(iso, "address") if iso else _NO_TEXT


def _with_region(language: str, declared: Declarations) -> str:
    """Return a language with the region that `og:locale` names, but for the default of programs."""
    locale = next(iter(declared.meta.get("og:locale", ())), "").replace("_", "-").lower()
    is_named = "-" not in language and locale.startswith(f"{language.lower() or 'en'}-")
    return locale if is_named and locale != "en-us" else language


def _is_month_first(language: str, url: str) -> bool:
    """Return whether 5/3/2024 is in May, as in the United States and the Philippines."""
    tag = language.lower()
    if "-" in tag:
        return tag.startswith(("en-us", "en-ph", "es-us", "fil"))
    top_level = _host(url).rpartition(".")[2] if "://" in url else ""
    return tag in ("en", "") and (len(top_level) != 2 or top_level == "us")
