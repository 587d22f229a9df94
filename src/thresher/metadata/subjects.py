"""Tags and categories of a page: declared, linked near the content, or in its breadcrumbs.

Tags are the keywords of one page; categories are the sections that it is filed under. Both are
declared (JSON-LD, meta tags) or are links on the page: links with `rel=tag`, links in elements
whose class names tags or categories, and links to addresses such as `/tag/tea`. Links in menus,
side bars, teasers and running text are left out. Of a declared and a linked list, the linked one
is used if it contains the declared one. Meta keywords come last, as many sites repeat the same ones
on every page, and so do breadcrumbs, which lead to a page but are not always its categories.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from html import unescape
from typing import NamedTuple, TypeAlias

from thresher.metadata.declared import Declarations
from thresher.metadata.json_ld import Item, people_and_organizations
from thresher.metadata.links import Link
from thresher.page import Page
from thresher.page.attributes import NameCache
from thresher.page.tags import NUMBER, lookup
from thresher.page.words import collapsed

_MOST = 50  # tags or categories of a page
_LONGEST = 100  # characters of one
_LONGEST_VALUE = 5_000  # characters of a declared value

Found: TypeAlias = tuple[tuple[str, ...], str]  # names and their source; () and "" if none
_NOTHING: Found = ((), "")


def tags_and_categories(
    page: Page,
    declared: Declarations,
    links: Iterable[Link],
    headline_row: int = -1,
    site_names: Iterable[str] = (),
) -> tuple[Found, Found]:
    """Return the tags and the categories of a page, each with their source.

    `links` are those of `page`, which is not a part of a page. `headline_row` is the row of the
    headline, -1 if unknown: of several lists of links, the nearest one is used. `site_names` are
    names of the site, which are neither tags nor categories.
    """
    leave_out = {_key(name) for name in site_names} | _NO_SUBJECTS
    tags = _declared(declared, _TAGS, leave_out)
    categories = _declared(declared, _CATEGORIES, leave_out)
    if not tags[0] or not categories[0]:
        own = _of_own_site(page, declared, links)
        linked = _linked(page, own, headline_row, declared.title, leave_out)
        tags = _fuller(tags, linked[_TAG])
        categories = _fuller(categories, linked[_CATEGORY])
        if not categories[0]:
            categories = _breadcrumbs(page, declared, leave_out)
        if not categories[0]:
            categories = linked[_CRUMB]
        if not categories[0]:
            categories = _labelled_breadcrumbs(page, declared.title, leave_out)
    return tags if tags[0] else _declared(declared, _KEYWORDS, leave_out), categories


def _fuller(declared: Found, linked: Found) -> Found:
    """Return the linked names if they contain all declared ones, else the declared ones."""
    return linked if {*map(_key, declared[0])} <= {*map(_key, linked[0])} else declared


def _key(name: str) -> str:
    """Return a name in the form in which names are compared."""
    return "".join(filter(str.isalnum, name.casefold()))


def _distinct(names: Iterable[str], leave_out: set[str]) -> tuple[str, ...]:
    """Return names without repetitions, and without those that are empty, long or left out."""
    kept: dict[str, str] = {}
    for name in names:
        text = collapsed(name).strip(" #,;:·•|/›»>\"'")
        key = _key(text)
        if name.lstrip().startswith(_ARROWS):
            continue
        if key and len(text) <= _LONGEST and key not in leave_out and "://" not in text:
            kept.setdefault(key, text)
    return tuple(kept.values())[:_MOST]


# --- declared --------------------------------------------------------------------------------

# A name with "@" is a property of JSON-LD, the others are meta tags.
_TAGS = (
    "@keywords article:tag og:article:tag article:tags news_keywords citation_keywords "
    "parsely-tags sailthru.tags cxenseparse:keywords cxenseparse:recs:keywords og:tag tags "
    "bt:tags dc.subject dcterms.subject dc:subject"
).split()
_KEYWORDS = ["keywords", "keyword"]
_CATEGORIES = (
    "@articleSection article:section og:article:section og:section parsely-section "
    "cxenseparse:category cxenseparse:recs:category section category categories "
    "article:category dc.type.category"
).split()
# Names, as letters and digits, that say nothing about a page.
_NO_SUBJECTS = frozenset(
    "uncategorized uncategorised nocategory none null undefined tag tags category categories "
    "topics more all seeall viewall readmore allposts alltags allcategories permalink".split()
)
_ARROWS = tuple("<>«»‹›←→")  # before links to other pages
_SEPARATOR = re.compile(r"[,;|、，،؛]")


def _declared(declared: Declarations, sources: Iterable[str], leave_out: set[str]) -> Found:
    """Return the names of the first source that has any."""
    for source in sources:
        if source[0] == "@":
            values = (_names(work, source[1:]) for work in declared.works)
            texts = next(filter(None, values), None)
        else:
            texts = declared.meta.get(source)
        if not texts:
            continue
        pieces = (piece for text in texts for piece in _SEPARATOR.split(text[:_LONGEST_VALUE]))
        names = _distinct(map(unescape, pieces), leave_out)
        if names:
            return names, source.replace("@", "json-ld ")
    return _NOTHING


def _names(item: Item, name: str) -> list[str]:
    """Return the texts of a property of JSON-LD; of objects their names."""
    return [text for text, _ in people_and_organizations(item.get(name), {}) if text.strip()]


_HOME = {"home", "homepage", "start", "startseite", "accueil", "inicio", "início", "hem", "etusivu"}


def _breadcrumbs(page: Page, declared: Declarations, leave_out: set[str]) -> Found:
    """Return the breadcrumbs of JSON-LD (https://schema.org/BreadcrumbList) above the page."""
    within = (item["breadcrumb"] for item in declared.items if "breadcrumb" in item)
    for trail in (*declared.items, *within):
        steps = trail.get("itemListElement") if isinstance(trail, dict) else None
        if not isinstance(steps, list) or "BreadcrumbList" not in str(trail.get("@type")):
            continue
        named = [_step(step) for step in steps[:_MOST]]
        if named and page.url and page.resolve(named[-1][1]) == page.url:
            named.pop()
        names = _above_page([name for name, _ in named], declared.title)
        found = _distinct(names, leave_out | _HOME)
        if found:
            return found, "json-ld breadcrumb"
    return _NOTHING


def _step(step: object) -> tuple[str, str]:
    """Return the name and the address of a step: its own, or those of its `item`."""
    if not isinstance(step, dict):
        return "", ""
    item = step.get("item")
    inner = item if isinstance(item, dict) else {}
    name = step.get("name", inner.get("name"))
    address = inner.get("@id", inner.get("url")) if inner else item
    return (
        unescape(name) if isinstance(name, str) else "",
        address if isinstance(address, str) else "",
    )


def _above_page(names: list[str], title: str) -> list[str]:
    """Return the breadcrumbs without a last one that the title of the page begins with."""
    is_page = bool(names) and _key(title).startswith(_key(names[-1]))
    return names[:-1] if is_page else names


# --- links -----------------------------------------------------------------------------------

_TAG, _CATEGORY, _CRUMB, _BARRED = 1, 2, 3, -1  # what a class or an address stands for
# Links of one list by kind; longer ones are clouds and menus.
_MOST_LINKS = {_TAG: 40, _CATEGORY: 10, _CRUMB: 10}
_MOST_BY_ADDRESS = {_TAG: 15, _CATEGORY: 3}  # if only the addresses tell what the links are
_MOST_LISTS = 60
_ROWS_BETWEEN = 15  # between two links of one list
_LONGEST_LINK = 60  # characters of a tag
_LONGEST_REST = 40  # characters beside the links of a list that only addresses tell

_CATEGORY_PATH = r"[ck]ategor(?:y|ies?|ias?|ien|ías?)|rubriques?|rubrik|sections?"
_TAG_PATH = r"tags?|topics?|thema|themen|temas?|labels?"
_ADDRESS = re.compile(
    rf"/(?:({_CATEGORY_PATH})|(?:{_TAG_PATH}))/\w|"
    r"[?&](?:(cat|category)|tag)=(?![\w-]{1,40}-2\d(?:&|\Z))\w",  # no partner of Amazon
    re.I,
)
# Feeds, and buttons to share a page.
_NO_SUBJECT = re.compile(
    r"/(?:feed|rss)/?\Z|\.(?:xml|rss|atom)\Z|/sharer\b|/intent/|"
    r"\A(?:https?:)?//(?:www\.)?(?:twitter\.com/share|(?:amazon|amzn)\.)",
    re.I,
)
_CLASS_WORDS = {
    **dict.fromkeys("tag tags keyword keywords hashtag hashtags taglist posttags".split(), _TAG),
    **dict.fromkeys("topics labels tagslinks taxonomy".split(), _TAG),
    **dict.fromkeys("category categories cat cats kategorie kategorien rubrik".split(), _CATEGORY),
    **dict.fromkeys("rubrique categoria filedunder postedin postcategory".split(), _CATEGORY),
    "catlinks": _CATEGORY,  # of MediaWiki
}
_CRUMB_WORDS = frozenset("breadcrumb breadcrumbs crumb crumbs ariadne".split())
_BUILD_HASH = re.compile(r"__[A-Za-z\d-]{5,6}$")  # of class names such as `tags__EqdkK`
_NEUTRAL_WORDS = frozenset(
    "a block box button container content data field inline inner item items label line link links "
    "list meta name names outer pill pills row section single span story text title under value "
    "wrap wrapper".split()
)
# Words of classes of menus, side bars, teasers and other parts that are not about this page.
_BARRED_WORDS = frozenset(
    "menu nav navbar navigation sidebar widget related recommended recommendations popular "
    "trending cloud tagcloud teaser teasers card cards comment comments filter filters mega "
    "dropdown submenu carousel slider newsletter archive archives subnav subtopics latest recent "
    "preview previews".split()
)
_WORD = re.compile(r"[a-z]+|[A-Z]+(?![a-z])|[A-Z][a-z]*")
_MOST_TOKENS = 6  # with more, a class describes a whole post: its tags, its state, its template
_LONGEST_NAME = 200  # characters of a class that is read


# Part of every class that stands for something.
_TELLING = tuple(
    "tag cat crumb topic label keyword rubri kategor taxonom filed posted ariadn".split()
)


def _kind_of_name(name: str | None) -> int:
    """Return what the class of an element stands for, 0 if nothing or if it is too long."""
    if name is None or len(name) > _LONGEST_NAME:
        return 0
    folded = name.casefold()
    return _kind_of_class(name) if any(map(folded.__contains__, _TELLING)) else 0


# The kind of each class; negative if it names a part that is not about the page.
CLASS_KINDS = NameCache(_kind_of_name, _LONGEST_NAME)


def _kind_of_class(name: str) -> int:
    tokens = name.split()
    kinds = {_kind_of_token(token) for token in tokens}
    if _BARRED in kinds:
        return _BARRED
    return max(kinds) if len(tokens) <= _MOST_TOKENS else 0


@lru_cache(10_000)
def _is_barred(name: str | None) -> bool:
    """Return whether a class names a menu, a side bar, a teaser or a similar part."""
    tokens = (name or "")[:_LONGEST_NAME].split()
    if tokens == ["widget", "Blog"]:  # around the posts of Blogger
        return False
    return any(_kind_of_token(token) == _BARRED for token in tokens)


def _kind_of_token(token: str) -> int:
    """Return what one token of a class stands for; its last word that is not neutral decides."""
    words = [word.lower() for word in _WORD.findall(_BUILD_HASH.sub("", token))]
    if not _CRUMB_WORDS.isdisjoint(words):
        return _CRUMB
    if words[:2] == ["cat", "item"]:  # of WordPress, in lists of all categories
        return _BARRED
    if not _BARRED_WORDS.isdisjoint(words) or words[-2:] == ["hidden", "catlinks"]:
        return _BARRED
    telling = (word for word in reversed(words) if word not in _NEUTRAL_WORDS)
    return _CLASS_WORDS.get(next(telling, ""), 0)


_HOST = re.compile(r"\A(?:https?:)?//(?:www\.)?([\w.-]{1,253})", re.I)
_MOST_READ = 500  # links whose hosts are counted, of a page without an address
_LINKS_OF_SITE = 3  # with the same domain, at least, of a site
_LINKS_OF_PLATFORM = 4  # to tags and categories


def _of_own_site(page: Page, declared: Declarations, links: Iterable[Link]) -> list[Link]:
    """Return links without feeds and buttons, and without some to other sites.

    These are the ones that only their address tells. A page without an address has the domains of
    several of its links. Many such links to one site are those of the platform of a weblog.
    """
    kept, foreign = [], []
    for link in links:
        may_be_subject = link.kind != _CRUMB and (link.kind > 0 or link.is_subject)
        if may_be_subject and _NO_SUBJECT.search(link.address):
            continue
        domain = _domain(link.address) if link.kind == 0 and link.is_subject else ""
        foreign += [domain] if domain else []
        kept.append((link, domain))
    if not foreign:  # true of most
        return [link for link, _ in kept]
    names = [page.url or "", *declared.links.get("canonical", ()), *declared.meta.get("og:url", ())]
    own = {next(filter(None, map(_domain, names)), "")} - {""}
    if not own:
        rows = page.is_link.nonzero()[0][:_MOST_READ].tolist()
        counts = Counter(_domain(page.nodes[row].attr("href") or "") for row in rows)
        counts.update(foreign)
        own = {domain for domain, count in counts.items() if count >= _LINKS_OF_SITE}
    own |= {domain for domain, count in Counter(foreign).items() if count >= _LINKS_OF_PLATFORM}
    return [link for link, domain in kept if not domain or domain in own]


def _domain(address: str) -> str:
    """Return the last two parts of the host of an address, "" for a relative one."""
    host = _HOST.match(address)
    return ".".join(host[1].lower().split(".")[-2:]) if host else ""


class _Candidate(NamedTuple):
    row: int
    kind: int
    cost: int  # 0 for rel=tag, 1 for a class, `_BY_ADDRESS` for an address alone


_BY_ADDRESS = 2
_CLOSED = lookup("nav form select button aside")
_OWN = lookup("article main")


def _linked(
    page: Page, links: Iterable[Link], headline_row: int, title: str, leave_out: set[str]
) -> dict[int, Found]:
    """Return the tags, categories and breadcrumbs that are links, by kind."""
    found = dict.fromkeys((_TAG, _CATEGORY, _CRUMB), _NOTHING)
    candidates = _candidates(links)
    if not candidates:
        return found
    lists = [
        group
        for kind in (_TAG, _CATEGORY, _CRUMB)
        for group in _lists([link for link in candidates if link.kind == kind])
    ][:_MOST_LISTS]
    middle = headline_row if headline_row >= 0 else page.body
    # The cost of a list in hundreds of rows: how it was told, and its distance from the headline.
    for group in sorted(lists, key=lambda group: _cost(group[0], middle)):
        kind = group[0].kind
        if not found[kind][0] and _is_about_page(page, group, middle):
            found[kind] = _texts(page, group, title, leave_out)
    return found


def _cost(link: _Candidate, headline_row: int) -> float:
    distance = (link.row - headline_row) / 100
    return 3 * link.cost + (distance if distance >= 0 else -2 * distance)


def _candidates(links: Iterable[Link]) -> list[_Candidate]:
    """Return the links that may be tags, categories or breadcrumbs."""
    found = []
    for row, kind, address, relation, is_subject in links:
        if kind == _CRUMB:
            found.append(_Candidate(row, kind, 1))
        elif kind != _BARRED:
            is_marked = "tag" in relation or "category" in relation
            may_tell = kind or is_marked or is_subject
            match = _ADDRESS.search(address) if may_tell else None
            if kind or is_marked or match:
                is_category = "category" in relation or bool(match and (match[1] or match[2]))
                cost = 0 if is_marked else 1 if kind else _BY_ADDRESS
                found.append(_Candidate(row, _CATEGORY if is_category else kind or _TAG, cost))
    return found


def _lists(links: Sequence[_Candidate]) -> list[list[_Candidate]]:
    """Return the lists of links of one kind: those that are close to each other."""
    lists: list[list[_Candidate]] = []
    for link in links:
        before = lists[-1][-1] if lists else None
        is_next = before and link.row - before.row <= _ROWS_BETWEEN and link.cost == before.cost
        if is_next:
            lists[-1].append(link)
        else:
            lists.append([link])
    return lists


def _is_about_page(page: Page, group: list[_Candidate], headline_row: int) -> bool:
    """Return whether a list of links is about this page and not a menu, a teaser or a sentence."""
    first = group[0]
    most = (_MOST_BY_ADDRESS if first.cost == _BY_ADDRESS else _MOST_LINKS)[first.kind]
    if len(group) > most or page.hidden[first.row]:
        return False
    if first.cost == _BY_ADDRESS and not _is_alone(page, group):
        return False
    in_footer = False
    at = int(page.parent[first.row])
    while at > page.body:
        tag, holds_headline = page.tag[at], at < headline_row < page.end[at]
        if holds_headline or _OWN[tag]:
            in_footer = False
        if tag == NUMBER["article"] and not holds_headline and headline_row > page.body:
            return False
        if not holds_headline and first.kind != _CRUMB:
            if _CLOSED[tag] or _is_barred(page.nodes[at].attr("class")):
                return False
            if first.cost == _BY_ADDRESS and _is_menu(page, at, headline_row):
                return False
            in_footer |= bool(tag == NUMBER["footer"])
        at = int(page.parent[at])
    return not in_footer


def _is_menu(page: Page, row: int, headline_row: int) -> bool:
    """Return whether an element is a list above the headline, or has the id of a menu."""
    is_above = page.tag[row] == NUMBER["ul"] and page.end[row] <= headline_row
    return bool(is_above) or _is_barred(page.nodes[row].attr("id"))


def _is_alone(page: Page, group: list[_Candidate]) -> bool:
    """Return whether little text surrounds the links: they are not part of a sentence."""
    above = int(page.parent[group[0].row])
    inside_above = [link for link in group if link.row < page.end[above]]
    rest = len(page.line(above, 1_000)) - sum(len(page.line(one.row)) for one in inside_above)
    return rest <= _LONGEST_REST


_TRAIL = lookup("nav ol")  # most `ul` are menus
_MOST_TRAILS = 20  # of these that are read


def _labelled_breadcrumbs(page: Page, title: str, leave_out: set[str]) -> Found:
    """Return the breadcrumbs of a list or a `nav` that only its label or its type tells."""
    for row in _TRAIL.take(page.tag).nonzero()[0][:_MOST_TRAILS].tolist():
        node = page.nodes[row]
        names = f"{node.attr('aria-label') or ''} {node.attr('itemtype') or ''}"
        if "crumb" in names.lower() and not page.hidden[row]:
            links = page.is_link[row : page.end[row]].nonzero()[0] + row
            if len(links) <= _MOST_LINKS[_CRUMB]:
                group = [_Candidate(link, _CRUMB, 1) for link in links.tolist()]
                found = _texts(page, group, title, leave_out) if group else _NOTHING
                if found[0]:
                    return found
    return _NOTHING


_COUNT = re.compile(r"(?<=\S)\s*\(\d{1,3}\)\Z")  # of the pages with a tag: "Tea (12)"


def _texts(page: Page, group: list[_Candidate], title: str, leave_out: set[str]) -> Found:
    kind, cost = group[0].kind, group[0].cost
    texts = [page.line(link.row, _LONGEST) for link in group]
    if kind == _CRUMB:
        names = _distinct(_above_page(texts, title), leave_out | _HOME)
        return names, "breadcrumb" if names else ""
    short = (_COUNT.sub("", text) for text in texts if len(text) <= _LONGEST_LINK)
    names = _distinct(short, leave_out)
    return names, ("rel tag", "class", "address")[cost] if names else ""
