"""The part of a page that an element's role, class, id or itemprop names: comments, menus, ads.

Class names are English words on pages of every language, so the page's language does not matter.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import compress

import numpy as np

from thresher.page import Node, Page
from thresher.page.array_types import Bools, Int8s, Rows
from thresher.page.attributes import NameCache, attribute_values


class Part:
    """The parts of a page as plain numbers, which NumPy compares faster than those of an enum.

    If an element names several parts, it is the one with the lowest number.
    """

    COMMENT, ADVERTISEMENT, NOTICE, RELATED, META, CAPTION = range(6)
    NAVIGATION, FOOTER, FORM, HEADER, HIDDEN, OTHER = range(6, 12)


PARTS = tuple(name.lower() for name in vars(Part) if name.isupper())  # by number
_NO_PART = len(PARTS)


def parts_of_elements(page: Page, rows: Rows) -> Int8s:
    """Return the `Part` that each element names, as a number; -1 for elements that name none.

    A class, id or itemprop that names a part takes precedence over the role. If the three have
    more than eight tokens together, only comments are recognised in them.
    """
    size = len(rows)
    elements = list(map(page.nodes.__getitem__, rows.tolist()))
    parts = np.full(size, -1, np.int8)
    roles = list(attribute_values(elements, "role"))
    for place in compress(range(size), roles):  # few have one
        parts[place] = _ROLES.get((roles[place] or "")[:_LONGEST_NAME].strip().lower(), -1)
    lowest = np.full(size, _NO_PART, np.int64)
    tokens = np.zeros(size, np.int64)
    places = page.has_id.take(rows).nonzero()[0]  # few have an id
    with_id = list(map(elements.__getitem__, places.tolist()))
    for name, chosen, named in (
        ("class", slice(None), elements),
        ("id", places, with_id),
        ("itemprop", slice(None), elements),
    ):
        values = attribute_values(named, name)
        read = np.fromiter(map(_names_read.__getitem__, values), np.int64, len(named))
        tokens[chosen] += read // _PER_TOKEN
        lowest[chosen] = np.minimum(lowest[chosen], read % _PER_TOKEN)
    is_named = (lowest < _NO_PART) & ((tokens <= _MOST_TOKENS) | (lowest == Part.COMMENT))
    parts[is_named] = lowest[is_named]
    return parts


def names_comments(name: str | None) -> bool:
    """Return whether a class, id or itemprop names comments."""
    return name is not None and bool(_names_read[name] % _PER_TOKEN == Part.COMMENT)


def may_name_comments(page: Page, rows: Rows) -> bool:
    """Return False if no element names comments, which costs less than to read all parts."""
    elements = list(map(page.nodes.__getitem__, rows.tolist()))
    with_id = list(compress(elements, page.has_id.take(rows).tobytes()))
    for name, named in (("class", elements), ("id", with_id), ("itemprop", elements)):
        if any(map(names_comments, attribute_values(named, name))):
            return True
    return False


_ROLES = {
    "navigation": Part.NAVIGATION, "menu": Part.NAVIGATION, "menubar": Part.NAVIGATION,
    "contentinfo": Part.FOOTER, "search": Part.FORM, "form": Part.FORM, "button": Part.FORM,
    "dialog": Part.NOTICE, "alertdialog": Part.NOTICE, "alert": Part.NOTICE, "banner": Part.HEADER,
}  # fmt: skip

# Whole tokens: `has-comments` and `comments-open` describe an article.
_COMMENT_TOKEN = re.compile(
    r"comments?|comment-?(?:list|section|area|thread)|comments-(?:area|list|section|container|"
    r"wrapper|thread)|disqus_thread|disqus|commentlist|respond",
    re.I,
)

# The words of tokens that name each other part, in the order of `Part`.
_PART_WORDS = {
    Part.ADVERTISEMENT: frozenset(
        "ad ads advert adverts advertisement advertisements advertising adsense adsbygoogle adslot "
        "adunit adbox adwrapper sponsor sponsors sponsored promo promos promoted promotion dfp "
        "taboola outbrain".split()
    ),
    Part.NOTICE: frozenset(
        "cookie cookies consent gdpr newsletter subscribe popup modal optin signup onetrust "
        "cookiebar cookiebanner".split()
    ),
    Part.RELATED: frozenset(
        "related relatedposts relatedarticles recommended recommendation recommendations "
        "recommends similar suggested suggestions trending popular mostread mostpopular upnext "
        "readnext morestories teasers".split()
    ),
    Part.META: frozenset(
        "byline dateline pubdate postdate timestamp datetime meta postmeta entrymeta articlemeta "
        "tags taglist tagcloud posttags share sharing sharebar sharedaddy addthis addtoany social "
        "socials date published author authors readtime".split()
    ),
    Part.CAPTION: frozenset(
        "caption captions figcaption credit credits photocredit imagecredit".split()
    ),
    Part.NAVIGATION: frozenset(
        "nav navbar navigation menu menus submenu breadcrumb breadcrumbs crumbs pagination pager "
        "sitemap topbar skip toolbar".split()
    ),
    Part.FOOTER: frozenset("footer copyright colophon imprint".split()),
    Part.FORM: frozenset("searchform searchbox loginform login".split()),
    Part.HEADER: frozenset("masthead siteheader".split()),
}
_ALL_WORDS: frozenset[str] = frozenset().union(*_PART_WORDS.values())
_NEUTRAL_WORDS = frozenset(
    "bar block box buttons container icons info inner item items line links list name row section "
    "text tools wrap wrapper".split()
)
# A token of a few words: not a slug (`zendaya-promoted-dune-part-two`), nor random (`n1AuAd`).
_TOKEN = re.compile(r"[^\W\d_]+(?:[-_]+[^\W\d_]+)*(?:[-_]*\d+)?")
_WORD = re.compile(r"[a-z]+|[A-Z]+(?![a-z])|[A-Z][a-z]*")
_MOST_WORDS = 4  # of a token
_MOST_TOKENS = 8  # with more, a class describes all of a post: its tags, its state, its template
_LONGEST_NAME = 400  # characters of an attribute that are read


_PER_TOKEN = _NO_PART + 1


def _read_name(name: str | None) -> int:
    """Return `_PER_TOKEN` for each token of a name, plus their lowest `Part` (else `_NO_PART`)."""
    tokens = (name or "")[:_LONGEST_NAME].split()
    return _PER_TOKEN * len(tokens) + min(map(_part_of_token, tokens), default=_NO_PART)


_names_read = NameCache(_read_name, _LONGEST_NAME)


@lru_cache(50_000)
def _part_of_token(token: str) -> int:
    """Return the `Part` that one token of a name stands for, `_NO_PART` if it is none."""
    if _COMMENT_TOKEN.fullmatch(token):
        return Part.COMMENT
    words = [word.lower() for word in _WORD.findall(token)]
    if _ALL_WORDS.isdisjoint(words) or len(words) > _MOST_WORDS or not _TOKEN.fullmatch(token):
        return _NO_PART
    for part, known in _PART_WORDS.items():
        telling = words
        if part == Part.META:  # the last one decides: `post-date` is a date, `date-posts` are posts
            telling = [word for word in words if word in known or word not in _NEUTRAL_WORDS][-1:]
        if not known.isdisjoint(telling):
            return part
    return _NO_PART


# --- subtitles -----------------------------------------------------------------------------------

_SUBTITLE_WORDS = frozenset(
    "subtitle subtitel subtitulo untertitel subhead subheadline subheading subhed subline "
    "standfirst deck dek lede vorspann chapo chapeau entradilla bajada sapo lead leadtext intro "
    "introduction summary excerpt abstract description".split()
)
_SUBTITLE_PAIRS = frozenset(("sub title", "sub head", "sub heading", "sub headline", "stand first"))
# Words of tokens that name something else: `image-description`, `speakable-summary`.
_NO_SUBTITLE_WORDS = frozenset(
    "ai author bio blog caption comment comments fig figure follow image img media meta photo "
    "picture product reprint reprints site social speakable toc twitter video with".split()
)
_BUILD_HASH = re.compile(r"__(?=[a-z]*[A-Z\d])\w{5,6}$")  # of class names such as `dek__EqdkK`


def name_subtitles(elements: list[Node]) -> Bools:
    """Return one bool per element: True if its class, id, itemprop or role names a subtitle.

    That is the short text below a headline: standfirst, deck, lead, summary.
    """
    found = np.zeros(len(elements), np.bool_)
    for name in ("class", "id", "itemprop", "role"):
        values = attribute_values(elements, name)
        found |= np.fromiter(map(_names_subtitle, values), np.bool_, len(elements))
    return found


@lru_cache(10_000)
def _names_subtitle(name: str | None) -> bool:
    return any(map(_is_subtitle, name[:_LONGEST_NAME].split())) if name else False


@lru_cache(10_000)
def _is_subtitle(token: str) -> bool:
    """Return whether a token of a name stands for a subtitle; the last word decides."""
    if token in ("alternativeHeadline", "doc-subtitle"):
        return True
    words = [word.lower() for word in _WORD.findall(_BUILD_HASH.sub("", token))]
    if len(words) > 2 * _MOST_WORDS or not _NO_SUBTITLE_WORDS.isdisjoint(words):
        return False
    while len(words) > 1 and words[-1] in _NEUTRAL_WORDS:
        words.pop()
    is_pair = " ".join(words[-2:]) in _SUBTITLE_PAIRS
    return is_pair or not _SUBTITLE_WORDS.isdisjoint(words[-1:])
