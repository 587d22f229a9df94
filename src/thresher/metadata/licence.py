"""The licence of a page's content: declared, or linked near the content or in the footer.

A licence is a URL. These are read, in this order: `link rel=license`, JSON-LD `license` of the
work, links with `rel=license`, meta tags, other links to a licence of Creative Commons, and the
name of one with its version ("CC BY-SA 4.0") in a notice at the end. Licences of one image (in
captions and credits), of comments and of other works that a text mentions are left out, and so are
terms of use, copyright notices and other texts that name no licence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TypeAlias
from urllib.parse import urlsplit

from thresher.metadata.declared import Declarations
from thresher.metadata.json_ld import property_texts
from thresher.metadata.links import Link
from thresher.metadata.search import texts_with
from thresher.page import Page
from thresher.page.attributes import class_and_id
from thresher.page.tags import NUMBER, lookup

Found: TypeAlias = tuple[str, str]  # a URL as written and its source

_META = "dc.rights.license dcterms.license dc.license cc:license license".split()
_META_RIGHTS = ["dc.rights", "dcterms.rights", "rights"]  # mostly copyright notices
_CREATIVE_COMMONS = re.compile(
    r"(?:https?:)?//(?:www\.)?creativecommons\.org/(?:licenses/[a-z-]{2,20}|publicdomain/zero)"
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
# A part of the page, or the home page.
_NO_LICENCE = re.compile(r"#|\.?/?\Z|(?:https?:)?//[^/\s]*+/?\Z")
_LICENCE_PATH = re.compile(r"licen[cs]|lizenz|copyleft|rights", re.I)


def licences(page: Page, declared: Declarations, links: Iterable[Link]) -> Iterator[Found]:
    """Yield what may be the licence of a page, the best first: URLs as written and sources.

    `links` are those of `page`, which is not a part of a page.
    """
    for address in declared.links.get("license", ()):
        if not _TERMS.search(address) and not _NO_LICENCE.match(address.strip()):
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
    yield from ((address, "text") for address in _named(page))


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
# The same where prose may be about another site: only what says that it is about this one.
_ABOUT_THIS = re.compile(
    r"\b(?:(?:this|our|my)\s(?:\w+\s)?(?:work|content|site|website|page|article|text|post|blog|"
    r"material|wiki|documentation|book|paper|lesson|course|tutorial|translation)|"
    r"dies(?:e|er|es|em)?\s(?:werk|text|artikel|seite|beitrag|inhalt)|"
    r"cet(?:te)?\s(?:article|œuvre|texte|page)|est[ae]\s(?:obra|artículo|texto|página|artigo)|"
    r"quest[oa]?\W?(?:opera|articolo|testo|pagina))\b",
    re.I,
)
_STATES_LICENCE = re.compile(
    r"licen[cs]|lizen[sz]|licenz|copyright|©|\brights\b|creative\s?commons|\bcc\b|unter|under|sous|bajo",
    re.I,
)
# Words of sentences about licences in general.
_MENTIONS = re.compile(
    r"\b(?:such\sas|for\s(?:example|instance)|e\.g\.|there\s(?:are|is)|z\.\s?b\.|zum\sbeispiel|"
    r"par\sexemple|tel(?:le)?s?\sque|por\sejemplo|por\sexemplo|per\sesempio|"
    r"licen[cs]es\s(?:are|like|that|which|include|allow))",
    re.I,
)
_ORGANIZATION = "creativecommons.org/"
_LONGEST_LABEL = 30  # characters beside the link in a label
_LONGEST_NOTICE = 400  # characters of a notice around the link
_MOST_LINKS = 50  # that may lead to a licence
_PROSE_WORDS = 20  # of a line of prose
_FEW_WORDS = 5  # beside the link in a notice that does not say "licensed" or the like
_LEVELS = 6  # elements around a link that may be a caption


def _linked(page: Page, links: Iterable[Link]) -> Iterator[Found]:
    """Yield the licences that links on the page lead to: of `rel=license`, and of others."""
    left = _MOST_LINKS
    for link in links:
        is_marked = "license" in link.relation.lower()
        if not left or not (is_marked or _ORGANIZATION in link.address):
            continue
        left -= 1
        address = link.address.strip()
        if not _CREATIVE_COMMONS.search(address) and (
            not is_marked or _TERMS.search(address) or _NO_LICENCE.match(address)
        ):
            continue
        if _is_of_page(page, link.row, is_marked):
            scheme = "https:" if address.startswith("//") else ""
            yield scheme + address, "rel license" if is_marked else "link"


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
    if _is_of_comments(notice, page.line(row, _LONGEST_NOTICE)):
        return False
    if _CREDIT_TEXT.search(notice) and not _ABOUT_CONTENT.search(notice):
        return False
    if is_marked:
        return True
    if _states_own(notice):
        return True
    before, after = _prose_beside(page, row)
    if (before and after) or _MENTIONS.search(notice):
        return False
    link = page.line(row, _LONGEST_NOTICE)
    if after:  # above an article: a label
        label = notice.replace(link, "", 1).strip()
        return len(label) <= _LONGEST_LABEL and (
            not label or _STATES_LICENCE.search(label) is not None
        )
    beside = notice.replace(link, " ", 1)
    is_short = len(notice) <= len(link) + 60 and (
        not link
        or link not in notice
        or len(beside.split()) <= _FEW_WORDS
        or _STATES_LICENCE.search(beside) is not None
    )
    return is_short or bool(_STATES_LICENCE.search(notice) and _ABOUT_CONTENT.search(notice))


_COMMENTS = re.compile(r"\b(?:comments|kommentare|commentaires|comentarios|commenti)\b", re.I)


def _is_of_comments(notice: str, link: str) -> bool:
    """Return whether a notice says of the comments alone that they have the licence of a link."""
    before = re.split(r"[.;]\s", notice[: max(notice.find(link), 0)])[-1]
    return bool(_COMMENTS.search(before)) and not _ABOUT_CONTENT.search(before)


def _is_within_prose(page: Page, row: int) -> bool:
    """Return whether the line or list of a row has long lines before and after it beside it."""
    return all(_prose_beside(page, row))


def _prose_beside(page: Page, row: int) -> tuple[bool, bool]:
    """Return whether long lines are beside the line or list of a row, before it and after it."""
    line = _line_around(page, row)
    while line > page.body and _OF_LIST[page.tag[page.parent[line]]]:
        line = int(page.parent[line])
    above = int(page.parent[line])
    if above < 0:
        return False, False
    blocks = page.blocks
    own = slice(*blocks.first.searchsorted((above, page.end[above])).tolist())
    first = blocks.first[own]
    is_prose = (blocks.words[own] >= _PROSE_WORDS) & (page.parent.take(blocks.parent[own]) == above)
    return bool(is_prose[first < line].any()), bool(is_prose[first >= page.end[line]].any())


def _notice(page: Page, row: int) -> str:
    """Return the text of the line that a link is in."""
    return page.line(_line_around(page, row), _LONGEST_NOTICE)


def _line_around(page: Page, row: int) -> int:
    """Return the innermost element around a row that is not part of a line."""
    above = int(page.parent[row])
    while above > page.body and page.names[page.tag[above]] in _INLINE:
        above = int(page.parent[above])
    return above


_FOOTER, _OF_LIST = NUMBER["footer"], lookup("ul ol li dl dd")
_INLINE = frozenset("a abbr b bdi cite em font i small span strong sub sup u".split())


# --- names ---------------------------------------------------------------------------------------

_NAME = re.compile(
    r"\bCC[\s-]{1,3}(?P<short>BY(?:[\s-]{1,3}(?:NC|ND|SA)){0,2})[\s-]{1,3}(?P<version>[1-4]\.[05])\b"
    r"|\bCreative\sCommons(?:\s[\W]?)?\s?(?P<long>Attribution(?:[\s/–-]{1,3}(?:Non-?Commercial|"
    r"No-?Deriv(?:ative)?s?(?:\sWorks)?|Share-?\s?Alike)){0,2})\s\W?(?P<long_version>[1-4]\.[05])\b"
    r"|\b(?P<zero>CC0)\b",
    re.I,
)
_IN_NAMES = ("CC", "ommons", "COMMONS")  # one is part of each name that is read
_PARTS = (("non", "nc"), ("deriv", "nd"), ("share", "sa"))
_MOST_NAMED = 20  # texts with the name of a licence that are read
_LAST_BLOCKS = 8  # at the end of a page, in which a notice may be
_FOOTER_CLASS = re.compile(r"footer|copyright|licen[cs]e|colophon|impress", re.I)


def _named(page: Page) -> Iterator[str]:
    """Yield the addresses of licences that a notice in the footer or about this page names."""
    for at in texts_with(page, _IN_NAMES)[-_MOST_NAMED:]:
        row = int(page.text_rows[at])
        if page.linked[row] and _leads_to_licence(page, row):
            continue  # it was judged as a link
        notice = _notice(page, row)
        match = _NAME.search(notice) if _is_of_page(page, row, True) else None
        if match is None:
            continue
        is_last = _is_in_footer(page, row, at) and not _MENTIONS.search(notice)
        if is_last or (not page.linked[row] and _states_own(notice)):
            yield _address(match)


def _leads_to_licence(page: Page, row: int) -> bool:
    """Return whether the link around a text leads to a licence of Creative Commons."""
    while row > page.body and not page.is_link[row]:
        row = int(page.parent[row])
    return _ORGANIZATION in (page.nodes[row].attr("href") or "")


def _address(match: re.Match[str]) -> str:
    """Return the address of the licence that a text names."""
    if match["zero"]:
        return "https://creativecommons.org/publicdomain/zero/1.0/"
    if match["short"]:
        code = "-".join(re.findall(r"[a-z]+", match["short"].lower()))
    else:
        name = match["long"].lower()
        code = "-".join(["by", *(short for long, short in _PARTS if long in name)])
    version = match["version"] or match["long_version"]
    return f"https://creativecommons.org/licenses/{code}/{version}/"


def _states_own(notice: str) -> bool:
    """Return whether a notice states a licence of the page itself."""
    return bool(_STATES_LICENCE.search(notice) and _ABOUT_THIS.search(notice))


def _is_in_footer(page: Page, row: int, text: int) -> bool:
    """Return whether a text is in a footer, or in a short block at the end of the page."""
    at = row
    for _ in range(_LEVELS):
        at = int(page.parent[at])
        if at <= page.body:
            break
        names = class_and_id(page.nodes[at])[:200]
        if page.tag[at] == _FOOTER or _FOOTER_CLASS.search(names):
            return True
    block = int(page.blocks.of_text[text])
    is_last = len(page.blocks) - _LAST_BLOCKS <= block
    is_short = bool(page.blocks.words[block] <= _PROSE_WORDS)
    return is_last and is_short and not _is_within_prose(page, row)
