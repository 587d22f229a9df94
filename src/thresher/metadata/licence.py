"""The licence of a page's content: declared, or linked near the content or in the footer.

A licence is a URL. These are read, in this order: `link rel=license`, JSON-LD `license` of the
work, links with `rel=license`, meta tags, other links to a licence of Creative Commons. Licences of
one image (in captions and credits), of comments and of other works that a text mentions are left
out, and so are terms of use, copyright notices and other texts that name no licence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeAlias
from urllib.parse import urlsplit

from thresher.metadata.declared import Declarations
from thresher.metadata.json_ld import property_texts
from thresher.metadata.links import Links
from thresher.page import Page
from thresher.page.tags import lookup

Found: TypeAlias = tuple[str, str]  # a URL as written and its source

_META = "dc.rights.license dcterms.license dc.license cc:license license".split()
_META_RIGHTS = ["dc.rights", "dcterms.rights", "rights"]  # mostly copyright notices
_CREATIVE_COMMONS = re.compile(
    r"https?://(?:www\.)?creativecommons\.org/(?:licenses/[a-z-]{2,20}|publicdomain/zero)"
    r"[\w./-]{0,40}",
    re.I,
)
# Licences that are known by their address.
_KNOWN_LICENCE = re.compile(
    r"creativecommons\.org/(?:licenses/[a-z]|publicdomain/zero)|gnu\.org/(?:licenses|copyleft)|"
    r"opensource\.org/licenses|apache\.org/licenses|opendatacommons\.org/licenses|"
    r"nationalarchives\.gov\.uk/doc/open-government|artlibre\.org|mozilla\.org/\S{0,9}MPL|"
    r"etalab\.gouv\.fr|govdata\.de/dl-de|data\.gouv\.fr/licences",
    re.I,
)
# Tried once in each run of characters that are not blank, so that it takes linear time.
_TERMS = re.compile(
    r"(?<!\S)[^\s/]*+/\S*?(?:terms|privacy|legal|imprint|conditions|policy|agreement|reprints?)",
    re.I,
)
_LICENCE_PATH = re.compile(r"licen[cs]|lizenz|copyleft|rights", re.I)


def licences(page: Page, declared: Declarations, links: Links) -> Iterator[Found]:
    """Yield what may be the licence of a page, the best first: URLs as written and sources.

    `links` are those of `page`, which is not a part of a page.
    """
    for address in declared.links.get("license", ()):
        if not _TERMS.search(address):
            yield address, "link license"
    for work in declared.dated_works:
        if "headline" in work or "Article" in str(work.get("@type")):
            for address in property_texts(work.get("license")):
                if _is_licence(address):
                    yield address, "json-ld license"
    linked = [*_linked(page, links)]
    yield from ((address, source) for address, source in linked if source == "rel license")
    yield from _in_meta_tags(declared)
    yield from ((address, source) for address, source in linked if source == "link")


def _in_meta_tags(declared: Declarations) -> Iterator[Found]:
    """Yield the licences in meta tags: addresses, or licences of Creative Commons in a sentence."""
    for name in (*_META, *_META_RIGHTS):
        for text in declared.meta.get(name, ()):
            within = _CREATIVE_COMMONS.search(text)
            is_address = " " not in text and (name in _META or _KNOWN_LICENCE.search(text))
            if is_address and not _TERMS.search(text):
                yield text, name
            elif within:
                yield within[0], name


def _is_licence(address: str) -> bool:
    """Return whether an address is that of a licence: a known one, or one whose path says so."""
    if _KNOWN_LICENCE.search(address):
        return True
    try:
        return " " not in address.strip() and bool(_LICENCE_PATH.search(urlsplit(address).path))
    except ValueError:
        return False


# --- links -----------------------------------------------------------------------------------

_CAPTION = lookup("figcaption caption blockquote dialog")
_CREDIT_CLASS = re.compile(
    r"caption|credit|comment|gallery|attribution|thumb|photo|embed|related|teaser|card(?!s?-?body)",
    re.I,
)
# Words beside the licence of one image or of another work.
_CREDIT_TEXT = re.compile(
    r"\b(?:photos?|photograph\w*|images?|pictures?|pixabay|flickr|wikimedia|wikipedia|fotos?|bild\w*|"
    r"graphics?|icons?|illustrations?|videos?|music|screenshot|credit)\b",
    re.I,
)
_ABOUT_CONTENT = re.compile(
    r"\b(?:(?:this|the|all|our|its|any|other|your)\s(?:\w+\s)?(?:work|content|contents|site|website|page|"
    r"article|articles|text|texts|post|posts|blog|material|wiki|documentation|book)|content|contents|"
    r"except\s(?:where|as)|unless\s(?:otherwise|stated)|open[\s-]access|texts?|inhalte?|texte|werk|"
    r"contenus?|contenidos?|contenuti|obra|œuvre)\b",
    re.I,
)
_STATES_LICENCE = re.compile(
    r"licen[cs]|lizen[sz]|licenz|copyright|©|\brights\b|creative\s?commons|\bcc\b|unter|under|sous|bajo",
    re.I,
)
_LONGEST_NOTICE = 400  # characters of a notice around the link
_MOST_LINKS = 50  # that may lead to a licence
_LEVELS = 6  # elements around a link that may be a caption


def _linked(page: Page, links: Links) -> Iterator[Found]:
    """Yield the licences that links on the page lead to: of `rel=license`, and of others."""
    marked = [
        (at, "license" in relation.lower())
        for at, (address, relation) in enumerate(zip(links.addresses, links.relations, strict=True))
        if "creativecommons.org/" in address or (relation and "license" in relation.lower())
    ][:_MOST_LINKS]
    for at, is_marked in marked:
        address, row = links.addresses[at].strip(), int(links.rows[at])
        if not _CREATIVE_COMMONS.search(address) and (not is_marked or _TERMS.search(address)):
            continue
        if _is_of_page(page, row, is_marked):
            yield address, "rel license" if is_marked else "link"


def _is_of_page(page: Page, row: int, is_marked: bool) -> bool:
    """Return whether a link to a licence is about the page: not about an image or another work."""
    at = row
    for _ in range(_LEVELS):
        at = int(page.parent[at])
        if at <= page.body:
            break
        names = page.nodes[at].attr("class") or ""
        if _CAPTION[page.tag[at]] or _CREDIT_CLASS.search(names[:200]):
            return False
    notice = _notice(page, row)
    if _CREDIT_TEXT.search(notice) and not _ABOUT_CONTENT.search(notice):
        return False
    if is_marked or len(notice) <= len(page.line(row)) + 60:
        return True
    return bool(_STATES_LICENCE.search(notice) and _ABOUT_CONTENT.search(notice))


def _notice(page: Page, row: int) -> str:
    """Return the text of the line that a link is in."""
    above = int(page.parent[row])
    while above > page.body and page.names[page.tag[above]] in _INLINE:
        above = int(page.parent[above])
    return page.line(above, _LONGEST_NOTICE)


_INLINE = frozenset("a abbr b bdi cite em font i small span strong sub sup u".split())
