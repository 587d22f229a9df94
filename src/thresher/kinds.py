"""The kind of each block of a page: what it is made of, and which part of the page it belongs to.

The *structure* of a block is told by its elements: heading, list, table, code, quote, caption, else
paragraph. Its *part* is told by the innermost element around it that names one, by its tag (`nav`),
its role (`contentinfo`) or the words of its class and id (`related-posts`): navigation, footer,
comment and so on. Class names are English the world over, so no language of the page is read. An
element that holds most of the page's visible words is the page, whatever its name.

A block that was kept has its structure as its kind, one that was dropped its part; comments and
what is said about an article (byline, date, tags) are such in both cases. Dropped without a part,
a heading, list, table, code or quote is called that, and a paragraph `other`.
"""

from __future__ import annotations

import re
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from thresher.arrays import inside, subtree_sums
from thresher.columns import Bools
from thresher.enclosing import innermost, levels_inside
from thresher.features.frame import PROSE_LINKS, PROSE_WORDS
from thresher.layout_tables import data_cells, data_tables
from thresher.page import Page
from thresher.tags import CELL, HEADING, NUMBER, lookup

__all__ = ["KINDS", "PARTS", "STRUCTURES", "bare", "comments", "kinds", "readable"]

STRUCTURES = ("paragraph", "list", "table", "quote", "caption", "heading", "code")
PARTS = (
    "comment", "meta", "caption", "related", "advertisement", "notice", "navigation", "header",
    "footer", "form", "hidden", "other",
)  # fmt: skip
KINDS = (*dict.fromkeys((*STRUCTURES, *PARTS)), "title")

Codes = npt.NDArray[np.int8]  # a number in STRUCTURES or PARTS, -1 for none

_CODE = {name: code for code, name in enumerate(PARTS)}
_COMMENT, _META, _CAPTION, _RELATED, _NAVIGATION, _HEADER, _FOOTER = map(
    _CODE.__getitem__, "comment meta caption related navigation header footer".split()
)
_MOST_META = 30  # words of a byline, a date, a list of tags,
_MOST_ABOUT = 100  # and of the element that holds them
_MOST_CAPTION = 60  # words of a caption that only its class calls so
_TEASER_WORDS, _TEASER_CHARS = 4, 10  # from which a link is a headline and not a label
_LINKED = 0.8  # share of words in links from which a block is made of links


def readable(page: Page) -> bool:
    """Tell whether a page has prose enough to read, without judging it.

    So it is with 100 visible words in blocks of at least 15 words with less than 0.3 in links;
    swept on wcxb-dev and cleaneval-dev, see docs/document.md.
    """
    blocks = page.blocks
    prose = (blocks.words >= PROSE_WORDS) & (blocks.linked_words < PROSE_LINKS * blocks.words)
    prose &= ~blocks.hidden
    prose &= ~_CODE_OR_COPY.take(page.tag.take(page.parent.take(blocks.first)))
    return int(blocks.words[prose].sum()) >= 100


_CODE_OR_COPY = lookup("textarea option title script style")


def kinds(page: Page, kept: Bools) -> list[str]:
    """Return the kind of each block; `kept` tells which blocks were kept."""
    if not len(page.blocks):
        return []
    named = _parts(page)
    structure = _structures(page)
    part = np.where(named < 0, _by_links(page), named)
    part[(part < 0) & (structure == _CAPTION_CODE)] = _CAPTION
    part[page.blocks.hidden & ~kept] = _CODE["hidden"]
    alone = ~kept & (part < 0)
    structure[alone] = _structures(page, of_data=True)[alone]
    part[alone & (structure == _PARAGRAPH_CODE)] = _CODE["other"]
    about = ((named == _META) | (named == _CAPTION)) & (structure != _HEADING_CODE)
    told = (~kept & (part >= 0)) | (named == _COMMENT) | about
    return [
        PARTS[a] if is_part else STRUCTURES[b]
        for a, b, is_part in zip(part.tolist(), structure.tolist(), told.tolist(), strict=True)
    ]


def bare(page: Page) -> Bools:
    """Tell which blocks belong to the bare body of an article.

    Not so captions, bylines, dates, tags, comments, links to elsewhere, advertisements, requests.
    """
    if not len(page.blocks):
        return np.zeros(0, np.bool_)
    structure, part = _structures(page), _parts(page)
    is_heading = structure == _HEADING_CODE
    teaser = _of_links(page) & _long(page) & (structure == _PARAGRAPH_CODE)
    beside = (part >= 0) & (part != _HEADER) & ~(is_heading & (part == _META))
    found: Bools = ~(beside | teaser | (structure == _CAPTION_CODE))
    return found


def comments(page: Page) -> Bools:
    """Tell for each row of the page whether it stands among readers' comments."""
    return inside(_marks(page) == _COMMENT, page.end)


# --- structure -----------------------------------------------------------------------------------

_ELEMENTS = (  # the later wins
    ("list", lookup("li dt dd")),
    ("table", CELL),
    ("quote", lookup("blockquote")),
    ("caption", lookup("figcaption caption")),
    ("heading", HEADING),
    ("code", lookup("pre listing xmp")),
)
_PARAGRAPH_CODE = STRUCTURES.index("paragraph")
_HEADING_CODE = STRUCTURES.index("heading")
_CAPTION_CODE = STRUCTURES.index("caption")


def _structures(page: Page, *, of_data: bool = False) -> Codes:
    """Return the structure of each block; `of_data` asks for tables of data, not of layout."""
    blocks = page.blocks
    found = np.zeros(len(blocks), np.int8)
    for name, table in _ELEMENTS:
        asked = table.take(page.tag)
        if of_data and name == "table":
            asked = data_cells(page, data_tables(page, page.attributes))
        marked = asked.nonzero()[0]
        found[levels_inside(marked, page.end, blocks.first) > 0] = STRUCTURES.index(name)
    return found


# --- parts ---------------------------------------------------------------------------------------


def _parts(page: Page) -> Codes:
    """Return the part of each block that an element around it names, -1 if none does."""
    blocks = page.blocks
    mark = _marks(page)
    near = innermost((mark >= 0).nonzero()[0], page.end, blocks.first)
    part = np.where(near >= 0, mark.take(near), -1).astype(np.int8)
    menus = (mark == _NAVIGATION).nonzero()[0]
    part[(part == _RELATED) & (levels_inside(menus, page.end, blocks.first) > 0)] = _NAVIGATION
    part[(part == _META) & (blocks.words > _MOST_META)] = -1
    part[(part == _CAPTION) & (blocks.words > _MOST_CAPTION)] = -1
    part[(part < 0) & _dated(page)] = _META
    return part


def _dated(page: Page) -> Bools:
    """Tell which blocks are short, hold a time or a tag's link, and do not end as a sentence."""
    blocks = page.blocks
    marked = _said_about(page)
    rows = page.text_rows
    held = (levels_inside(marked, page.end, rows) > 0) & (blocks.of_text >= 0)
    found = np.zeros(len(blocks), np.bool_)
    found[blocks.of_text[held]] = True
    found &= blocks.words <= _MOST_META
    for block in found.nonzero()[0].tolist():  # a string has to be looked at
        found[block] = not page.text(int(blocks.last[block])).rstrip().endswith(_SENTENCE_ENDS)
    return found


_SENTENCE_ENDS = tuple('.!?。！？؟۔।…"”»')
_TIME, _LINK = NUMBER["time"], NUMBER["a"]


def _said_about(page: Page) -> npt.NDArray[np.intp]:
    """Return the rows of times, and of links to a tag or an author, in order."""
    asked = ((page.tag == _TIME) | (page.tag == _LINK)).nonzero()[0]
    is_time = (page.tag.take(asked) == _TIME).tolist()
    told = [
        time or not _ABOUT.isdisjoint((page.nodes[row].attr("rel") or "").lower().split())
        for row, time in zip(asked.tolist(), is_time, strict=True)
    ]
    found: npt.NDArray[np.intp] = asked[np.array(told, np.bool_)]
    return found


_ABOUT = frozenset(("tag", "author", "category"))


def _by_links(page: Page) -> Codes:
    """Return the part of blocks made of links: a headline leads on, labels lead about."""
    leads = _long(page) & _has_headline(page)
    found: Codes = np.where(leads, _RELATED, _NAVIGATION).astype(np.int8)
    found[~_of_links(page)] = -1
    return found


def _of_links(page: Page) -> Bools:
    """Tell which blocks are made of links."""
    linked = page.blocks.linked_words
    found: Bools = (linked >= _LINKED * page.blocks.words) & (linked > 0)
    return found


def _long(page: Page) -> Bools:
    """Tell which blocks are as long as a headline, or longer."""
    found: Bools = (page.blocks.words >= _TEASER_WORDS) & (page.blocks.chars >= _TEASER_CHARS)
    return found


def _has_headline(page: Page) -> Bools:
    """Tell which blocks stand in a link, or hold one, that is as long as a headline."""
    anchors = (page.tag == _LINK).nonzero()[0]
    long = subtree_sums(page.words, page.end).take(anchors) >= _TEASER_WORDS
    texts = levels_inside(anchors[long], page.end, page.text_rows) > 0
    found = np.zeros(len(page.blocks) + 1, np.bool_)
    found[page.blocks.of_text[texts]] = True  # -1 is the last
    return found[:-1]


def _marks(page: Page) -> Codes:
    """Return the part that each element names, -1 for most."""
    mark = np.full(len(page), -1, np.int8)
    body = max(page.body, 0)
    rows = (page.tag[body + 1 :] != 0).nonzero()[0] + body + 1
    for row in rows.tolist():  # attributes are strings
        node = page.nodes[row]
        if node.attrs:
            mark[row] = _part_of(*((node.attr(name) or "")[:_LONGEST] for name in _READ))
    by_tag = _TAG_PARTS.take(page.tag)
    mark = np.where(mark < 0, by_tag, mark)
    mark[: body + 1] = -1
    below = subtree_sums(np.where(page.hidden, 0, page.words), page.end)
    mark[2 * below > below[body : body + 1].sum()] = -1
    mark[(mark == _META) & (below > _MOST_ABOUT)] = -1
    own = ((mark == _HEADER) | (mark == _FOOTER)).nonzero()[0]
    articles = _ARTICLE.take(page.tag).nonzero()[0]
    within = own[levels_inside(articles, page.end, own) > 0]
    mark[within] = np.where(mark[within] == _FOOTER, _META, -1)
    return mark


_ARTICLE = lookup("article main")
_TAG_PARTS = np.full(65_536, -1, np.int8)
for _part, _names in (
    ("navigation", "nav menu"),
    ("header", "header"),
    ("footer", "footer"),
    ("form", "form fieldset button label legend select option optgroup textarea datalist"),
    ("notice", "dialog"),
    ("meta", "address"),
):
    _TAG_PARTS[lookup(_names)] = _CODE[_part]

_ROLES = {
    "navigation": "navigation", "menu": "navigation", "menubar": "navigation",
    "contentinfo": "footer", "search": "form", "form": "form", "dialog": "notice",
    "alertdialog": "notice", "alert": "notice", "banner": "header", "button": "form",
}  # fmt: skip

# Whole names: `has-comments` and `comments-open` say something about an article.
_COMMENTS = re.compile(
    r"(?:^|\s)(?:comments?|comment-?(?:list|section|area|thread)|comments-(?:area|list|section|"
    r"container|wrapper|thread)|disqus_thread|disqus|commentlist|respond)(?:$|\s)",
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
_NEUTRAL = frozenset(
    "bar block box buttons container icons info inner item items line links list name row section "
    "text tools wrap wrapper".split()
)
# A token of a few words: not a slug (`zendaya-promoted-dune-part-two`), nor random (`n1AuAd`).
_TOKEN = re.compile(r"[^\W\d_]+(?:[-_]+[^\W\d_]+)*(?:[-_]*\d+)?")
_WORD = re.compile(r"[a-z]+|[A-Z]+(?![a-z])|[A-Z][a-z]*")
_MOST_WORDS = 4  # of a token
_MOST_TOKENS = 8  # of a class: with more it tells the story of a whole post
_READ = ("class", "id", "role", "itemprop")
_LONGEST = 400  # characters of a name that are read


@lru_cache(20_000)
def _part_of(class_: str, id_: str, role: str, itemprop: str) -> int:
    names = f"{class_} {id_} {itemprop}"
    if _COMMENTS.search(names):
        return _COMMENT
    tokens = names.split()
    said = {_token_part(token) for token in tokens} if len(tokens) <= _MOST_TOKENS else set()
    for part, _ in _WORDS:
        if _CODE[part] in said:
            return _CODE[part]
    return _CODE.get(_ROLES.get(role.strip().lower(), ""), -1)


def _token_part(token: str) -> int:
    """Return the part that one token of a class names, or -1."""
    words = [word.lower() for word in _WORD.findall(token)] if _TOKEN.fullmatch(token) else []
    if len(words) > _MOST_WORDS:
        return -1
    for part, known in _WORDS:
        found = [word in known for word in words]
        # `date-posts` are posts; `post-date` and `date-line` are dates.
        is_meant = any(found) if part != "meta" else _ends_in(words, found)
        if is_meant:
            return _CODE[part]
    return -1


def _ends_in(words: list[str], found: list[bool]) -> bool:
    """Tell whether the last word that is not neutral was found."""
    rest = [hit for word, hit in zip(words, found, strict=True) if hit or word not in _NEUTRAL]
    return bool(rest) and rest[-1]
