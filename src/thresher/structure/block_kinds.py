"""The kind of each block of a page: what it is made of, and which part of the page it belongs to.

The *structure* of a block is told by its elements: heading, list, table (of data, not of layout:
`thresher.structure.data_tables`), code, quote, caption, else paragraph. Its *part* is told by the innermost
element around it that names one, by its tag (`nav`), its role (`contentinfo`) or the words of its
class and id (`related-posts`): navigation, footer, comment and so on (`thresher.structure.class_names`). An
element that holds most of the page's visible words is the page, whatever its name.

A block that was kept has its structure as its kind, one that was dropped its part; comments and
what is said about an article (byline, date, tags) are such in both cases. Dropped without a part,
a heading, list, table, code or quote is called that, and a paragraph `other`.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from thresher.errors import UsageError
from thresher.page import Page
from thresher.page.ancestors import innermost, levels_inside
from thresher.page.array_types import Bools, Int8s, Rows
from thresher.page.arrays import inside, subtree_sums
from thresher.page.tags import CELL, HEADING, NUMBER, lookup
from thresher.page.views import PROSE_LINKS, PROSE_WORDS
from thresher.page.visibility import unseen_blocks
from thresher.structure.byline_blocks import leading_on, said_about
from thresher.structure.class_names import CODE, PARTS, named_parts
from thresher.structure.data_tables import cells_of_data

STRUCTURES = ("paragraph", "list", "table", "quote", "caption", "heading", "code")
KINDS = (*dict.fromkeys((*STRUCTURES, *PARTS)), "title")


_COMMENT, _META, _CAPTION, _RELATED, _NAVIGATION, _HEADER, _FOOTER = map(
    CODE.__getitem__, "comment meta caption related navigation header footer".split()
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
    prose &= ~unseen_blocks(page)
    prose &= ~_CODE_OR_COPY.take(page.tag.take(page.parent.take(blocks.first)))
    return int(blocks.words[prose].sum()) >= 100


_CODE_OR_COPY = lookup("textarea option title script style")


def asked(kinds: str | Iterable[str]) -> list[str]:
    """Return the kinds of blocks that are asked for, "main" among them, after checking them."""
    wanted = [kinds] if isinstance(kinds, str) or not isinstance(kinds, Iterable) else list(kinds)
    known = ("main", *KINDS)
    unknown = sorted(repr(name) for name in wanted if name not in known)
    if unknown:
        raise UsageError(f"no kind {unknown[0]} of block: give {', '.join(known)}.")
    return wanted


def kinds(page: Page, kept: Bools, marked: Int8s | None = None) -> list[str]:
    """Return the kind of each block; `kept` tells which were kept, `marked` are known `marks`."""
    if not len(page.blocks):
        return []
    named = _parts(page, marks(page) if marked is None else marked)
    structure = _structures(page, cells_of_data(page))
    part = np.where(named < 0, _by_links(page), named)
    part[(part < 0) & (structure == _CAPTION_CODE)] = _CAPTION
    part[unseen_blocks(page) & ~kept] = CODE["hidden"]
    alone = ~kept & (part < 0)
    part[alone & (structure == _PARAGRAPH_CODE)] = CODE["other"]
    about = ((named == _META) | (named == _CAPTION)) & (structure != _HEADING_CODE)
    told = (~kept & (part >= 0)) | (named == _COMMENT) | about
    return [
        PARTS[a] if is_part else STRUCTURES[b]
        for a, b, is_part in zip(part.tolist(), structure.tolist(), told.tolist(), strict=True)
    ]


def with_dropped(
    found: list[str], page: Page, kept: Bools, commented: Bools, headline: int
) -> list[str]:
    """Name among the kinds `found` the dropped blocks of comments and of the headline as such.

    `commented` tells which rows are readers' comments; `headline` is a row, -1 for none.
    """
    named, first = found.copy(), page.blocks.first
    for block in (commented.take(first) & ~kept).nonzero()[0].tolist():
        named[block] = named[block] if named[block] in ("form", "hidden") else "comment"
    if headline >= 0:
        begin, end = first.searchsorted((headline, page.end[headline])).tolist()
        for block in range(begin, end):
            named[block] = named[block] if kept[block] else "title"
    return named


def bare(page: Page) -> Bools:
    """Tell which blocks belong to the bare body of an article.

    Not so captions, bylines, dates, tags, comments, links to elsewhere, advertisements, requests.
    """
    if not len(page.blocks):
        return np.zeros(0, np.bool_)
    cells = CELL.take(page.tag).nonzero()[0]  # of all tables: it is about the text around them
    structure, part = _structures(page, cells), _parts(page, marks(page))
    is_heading = structure == _HEADING_CODE
    teaser = _of_links(page) & _long(page) | leading_on(page)
    teaser &= structure == _PARAGRAPH_CODE
    beside = (part >= 0) & (part != _HEADER) & ~(is_heading & (part == _META))
    beside |= said_about(page) & ~is_heading
    found: Bools = ~(beside | teaser | (structure == _CAPTION_CODE))
    return found


def comments(page: Page, marked: Int8s | None = None) -> Bools:
    """Tell for each row whether it stands among readers' comments; `marked` are known `marks`."""
    return inside((marks(page) if marked is None else marked) == _COMMENT, page.end)


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


def _structures(page: Page, cells: Rows) -> Int8s:
    """Return the structure of each block; those in one of the `cells` are of a table."""
    blocks = page.blocks
    found = np.zeros(len(blocks), np.int8)
    for name, table in _ELEMENTS:
        marked = cells if name == "table" else table.take(page.tag).nonzero()[0]
        found[levels_inside(marked, page.end, blocks.first) > 0] = STRUCTURES.index(name)
    return found


# --- parts ---------------------------------------------------------------------------------------


def _parts(page: Page, mark: Int8s) -> Int8s:
    """Return the part of each block that an element around it names, -1 if none does."""
    blocks = page.blocks
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


def _said_about(page: Page) -> Rows:
    """Return the rows of times, and of links to a tag or an author, in order."""
    asked = ((page.tag == _TIME) | (page.tag == _LINK)).nonzero()[0]
    is_time = (page.tag.take(asked) == _TIME).tolist()
    told = [
        time or not _ABOUT.isdisjoint((page.nodes[row].attr("rel") or "").lower().split())
        for row, time in zip(asked.tolist(), is_time, strict=True)
    ]
    found: Rows = asked[np.array(told, np.bool_)]
    return found


_ABOUT = frozenset(("tag", "author", "category"))


def _by_links(page: Page) -> Int8s:
    """Return the part of blocks made of links: a headline leads on, labels lead about."""
    leads = _long(page) & _has_headline(page)
    found: Int8s = np.where(leads, _RELATED, _NAVIGATION).astype(np.int8)
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


def marks(page: Page) -> Int8s:
    """Return the part that each element of the page names, -1 for most."""
    mark = np.full(len(page), -1, np.int8)
    body = max(page.body, 0)
    said = subtree_sums(page.chars > 0, page.end)  # what holds no text has no part in it
    rows = ((page.tag != 0) & (said > 0))[body + 1 :].nonzero()[0] + body + 1
    mark[rows] = named_parts(list(map(page.nodes.__getitem__, rows.tolist())))
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
    _TAG_PARTS[lookup(_names)] = CODE[_part]
