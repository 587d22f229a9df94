"""Which part of a page an element names: by its role, or by the words of its class and id.

Class names are English the world over, so no language of the page is read.
"""

from __future__ import annotations

import re

import numpy as np

from thresher.page import Node
from thresher.page.array_types import Int8s
from thresher.page.attributes import attribute, distinct

PARTS = (
    "comment", "meta", "caption", "related", "advertisement", "notice", "navigation", "header",
    "footer", "form", "hidden", "other",
)  # fmt: skip
CODE = {name: code for code, name in enumerate(PARTS)}


def named_parts(elements: list[Node]) -> Int8s:
    """Return the part that each element names, as a number in `PARTS`, -1 for most.

    Elements share their names, so each name is looked at once.
    """
    if not elements:
        return np.zeros(0, np.int8)
    size = len(elements)
    values, of = distinct(attribute(elements, "role"), size)
    roles = [_ROLES.get((value or "")[:_LONGEST].strip().lower(), "") for value in values]
    part = np.array([CODE.get(role, -1) for role in roles], np.int8).take(of)
    rank = np.full(size, _NONE, np.int8)
    tokens = np.zeros(size, np.int64)
    for name in ("class", "id", "itemprop"):
        values, of = distinct(attribute(elements, name), size)
        said = np.array([_said(value) if value else (0, _NONE) for value in values]).take(of, 0)
        tokens += said[:, 0]
        rank = np.minimum(rank, said[:, 1])
    told = (rank < _NONE) & ((tokens <= _MOST_TOKENS) | (rank == _COMMENT))
    part[told] = _BY_RANK.take(rank[told])
    return part


_ROLES = {
    "navigation": "navigation", "menu": "navigation", "menubar": "navigation",
    "contentinfo": "footer", "search": "form", "form": "form", "dialog": "notice",
    "alertdialog": "notice", "alert": "notice", "banner": "header", "button": "form",
}  # fmt: skip

# Whole names: `has-comments` and `comments-open` say something about an article.
_COMMENTS = re.compile(
    r"comments?|comment-?(?:list|section|area|thread)|comments-(?:area|list|section|container|"
    r"wrapper|thread)|disqus_thread|disqus|commentlist|respond",
    re.I,
)

# Words of classes and ids; of several in one name the part that stands first here wins.
_WORDS: tuple[tuple[str, frozenset[str]], ...] = tuple(
    (part, frozenset(names.split()))
    for part, names in (
        (
            "advertisement",
            "ad ads advert adverts advertisement advertisements advertising adsense adsbygoogle "
            "adslot adunit adbox adwrapper sponsor sponsors sponsored promo promos promoted "
            "promotion dfp taboola outbrain",
        ),
        (
            "notice",
            "cookie cookies consent gdpr newsletter subscribe popup modal "
            "optin signup onetrust cookiebar cookiebanner",
        ),
        (
            "related",
            "related relatedposts relatedarticles recommended recommendation recommendations "
            "recommends similar suggested suggestions trending popular mostread mostpopular "
            "upnext readnext morestories teasers",
        ),
        (
            "meta",
            "byline dateline pubdate postdate timestamp datetime meta postmeta entrymeta "
            "articlemeta tags taglist tagcloud posttags share sharing sharebar sharedaddy "
            "addthis addtoany social socials date published author authors readtime",
        ),
        ("caption", "caption captions figcaption credit credits photocredit imagecredit"),
        (
            "navigation",
            "nav navbar navigation menu menus submenu breadcrumb breadcrumbs crumbs pagination "
            "pager sitemap topbar skip toolbar",
        ),
        ("footer", "footer copyright colophon imprint"),
        ("form", "searchform searchbox loginform login"),
        ("header", "masthead siteheader"),
    )
)
_COMMENT = 0  # comes before all of them
_NONE = len(_WORDS) + 1
_BY_RANK = np.array([CODE["comment"], *(CODE[part] for part, _ in _WORDS)], np.int8)
_KNOWN: frozenset[str] = frozenset().union(*(words for _, words in _WORDS))
_NEUTRAL = frozenset(
    "bar block box buttons container icons info inner item items line links list name row section "
    "text tools wrap wrapper".split()
)
# A token of a few words: not a slug (`zendaya-promoted-dune-part-two`), nor random (`n1AuAd`).
_TOKEN = re.compile(r"[^\W\d_]+(?:[-_]+[^\W\d_]+)*(?:[-_]*\d+)?")
_WORD = re.compile(r"[a-z]+|[A-Z]+(?![a-z])|[A-Z][a-z]*")
_MOST_WORDS = 4  # of a token
_MOST_TOKENS = 8  # of a class: with more it tells the story of a whole post
_LONGEST = 400  # characters of a name that are read


def _said(name: str) -> tuple[int, int]:
    """Return how many tokens a name has, and the rank of the part that one of them tells."""
    tokens = name[:_LONGEST].split()
    return len(tokens), min(map(_RANKS.__getitem__, tokens), default=_NONE)


class _Ranks(dict[str, int]):
    """The rank of the part that each token tells, found when first asked for."""

    def __missing__(self, token: str) -> int:
        if len(self) >= _MOST_KNOWN:
            self.clear()
        self[token] = rank = _rank(token)
        return rank


_MOST_KNOWN = 50_000  # tokens
_RANKS = _Ranks()


def _rank(token: str) -> int:
    if _COMMENTS.fullmatch(token):
        return _COMMENT
    words = [word.lower() for word in _WORD.findall(token)]
    if _KNOWN.isdisjoint(words) or len(words) > _MOST_WORDS or not _TOKEN.fullmatch(token):
        return _NONE
    for rank, (part, known) in enumerate(_WORDS, 1):
        found = [word in known for word in words]
        # `date-posts` are posts; `post-date` and `date-line` are dates.
        if any(found) if part != "meta" else _ends_in(words, found):
            return rank
    return _NONE


def _ends_in(words: list[str], found: list[bool]) -> bool:
    """Tell whether the last word that is not neutral was found."""
    rest = [hit for word, hit in zip(words, found, strict=True) if hit or word not in _NEUTRAL]
    return bool(rest) and rest[-1]
