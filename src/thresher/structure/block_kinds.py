"""The kind of each block of a page: its structure if it was kept, its part of the page if not.

The *structure* of a block follows from the elements around it: heading, list, data table, code,
quote, caption, else paragraph. Its *part* follows from the innermost element around it that names
one, by its tag (`nav`), its role (`contentinfo`) or the words of its class and id
(`related-posts`): navigation, footer, comment and so on (`thresher.structure.class_names`). An
element that holds more than half of the page's visible words names no part, whatever its class.

A kept block has its structure as its kind, a dropped block its part. Comments, bylines, dates, tags
and captions have their part as kind in both cases. A dropped block without a part has its
structure as kind, or `other` if that is paragraph.

A subtitle (deck, standfirst) is a short text soon after the headline; `_subtitle_blocks` says by
which rules. It has the kind `subtitle`, kept or not.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from thresher.errors import UsageError
from thresher.page import Page
from thresher.page.array_types import Bools, Int8s, Rows
from thresher.page.arrays import innermost, inside, levels_inside, subtree_sums
from thresher.page.attributes import attribute_values
from thresher.page.controls import gutter_cells
from thresher.page.plain_text.tables import data_tables
from thresher.page.roles import role_headings
from thresher.page.tags import CELL, HEADING, NUMBER, lookup
from thresher.page.views import PROSE_LINKS, PROSE_WORDS
from thresher.page.visibility import hidden_blocks
from thresher.structure.byline_blocks import byline_blocks, read_also_blocks
from thresher.structure.class_names import (
    PARTS,
    Part,
    may_name_comments,
    name_subtitles,
    parts_of_elements,
)


class Structure:
    """What a block is made of, as numbers. A block in several such elements has the highest."""

    PARAGRAPH, LIST, TABLE, QUOTE, CAPTION, HEADING, CODE = range(7)


STRUCTURES = tuple(name.lower() for name in vars(Structure) if name.isupper())  # by number
_ALL_KINDS = (*STRUCTURES, *PARTS, "title", "subtitle")
KINDS = tuple(dict.fromkeys(_ALL_KINDS))  # "caption" is both a structure and a part
_PART_0, _TITLE, _SUBTITLE = len(STRUCTURES), len(_ALL_KINDS) - 2, len(_ALL_KINDS) - 1  # places

_META_WORDS = 30  # at most, of a byline, a date, a list of tags,
_META_GROUP_WORDS = 100  # and of the element that holds them
_CAPTION_WORDS = 60  # at most, of a caption that only its class names so
_SUBTITLE_WORDS = 80  # at most, of the element of a subtitle,
_WORDS_BEFORE_SUBTITLE = 100  # and between the headline and it: bylines, dates, a caption
_TEASER_WORDS, _TEASER_CHARS = 4, 10  # at least, of a link that is a headline and not a label
_LINK_SHARE = 0.8  # of the words of a block that is made of links, at least

_TIME = NUMBER["time"]
_CODE_OR_COPY = lookup("textarea option title script style")
_ARTICLE = lookup("article main")
_TITLE_GROUP = lookup("hgroup header")
_NAMES_COLUMNS = lookup("th caption")
_ABOUT_RELATIONS = frozenset(("tag", "author", "category"))
_SENTENCE_ENDS = tuple('.!?。！？؟۔।…"”»')
_STRUCTURE_TAGS = {
    Structure.LIST: lookup("li dt dd"),
    Structure.QUOTE: lookup("blockquote"),
    Structure.CAPTION: lookup("figcaption caption"),
    Structure.HEADING: HEADING,
    Structure.CODE: lookup("pre listing xmp"),
}
_PART_OF_TAG = np.full(65_536, -1, np.int8)
for _part, _tags in {
    Part.NAVIGATION: "nav menu",
    Part.HEADER: "header",
    Part.FOOTER: "footer",
    Part.FORM: "form fieldset button label legend select option optgroup textarea datalist",
    Part.NOTICE: "dialog",
    Part.META: "address",
}.items():
    _PART_OF_TAG[lookup(_tags)] = _part


def readable(page: Page) -> bool:
    """Return whether a page has enough prose to read, without running an extraction method.

    A page is readable if it has 100 visible words in blocks of at least 15 words, less than 0.3 of
    them in links; swept on wcxb-dev and cleaneval-dev, see docs/document.md.
    """
    blocks = page.blocks
    is_prose = (blocks.words >= PROSE_WORDS) & (blocks.linked_words < PROSE_LINKS * blocks.words)
    is_prose &= ~hidden_blocks(page)
    is_prose &= ~_CODE_OR_COPY.take(page.tag.take(page.parent.take(blocks.first)))
    return int(blocks.words[is_prose].sum()) >= 100


def checked_kinds(kinds: str | Iterable[str]) -> list[str]:
    """Return one or several kinds of blocks as a list; raise `UsageError` for an unknown one.

    "main" is allowed besides `KINDS`.
    """
    names = [kinds] if isinstance(kinds, str) or not isinstance(kinds, Iterable) else list(kinds)
    known = ("main", *KINDS)
    unknown = sorted(repr(name) for name in names if name not in known)
    if unknown:
        raise UsageError(f"unknown kind of block {unknown[0]}: give {', '.join(known)}.")
    return names


def kinds_of_blocks(
    page: Page, kept: Bools, parts: Int8s, comments: Bools | None = None, headline: int = -1
) -> list[str]:
    """Return the kind of each block, one of `KINDS`.

    `kept` has one bool per block; `parts` is `row_parts(page)`. `comments` has one bool per row:
    dropped blocks of comments have the kind `comment`, unless they are `form` or `hidden`.
    `headline` is a row, -1 for none: dropped blocks of it have the kind `title`, and blocks after
    it may have the kind `subtitle`.
    """
    if not len(page.blocks):
        return []
    first = page.blocks.first
    named = _block_parts(page, parts)
    structure = _structures(page, _data_table_cells(page))
    part = np.where(named < 0, _link_parts(page), named)
    part[(part < 0) & (structure == Structure.CAPTION)] = Part.CAPTION
    part[hidden_blocks(page) & ~kept] = Part.HIDDEN
    part[~kept & (part < 0) & (structure == Structure.PARAGRAPH)] = Part.OTHER
    is_part = ~kept & (part >= 0)
    is_part |= named == Part.COMMENT
    is_part |= ((named == Part.META) | (named == Part.CAPTION)) & (structure != Structure.HEADING)
    kind = np.where(is_part, _PART_0 + part, structure)
    if headline >= 0:
        in_headline = slice(*first.searchsorted((headline, page.end[headline])).tolist())
        kind[in_headline][~kept[in_headline]] = _TITLE
        may_be_subtitle = (part < 0) | (part == Part.HEADER) | (part == Part.OTHER)
        kind[_subtitle_blocks(page, headline) & may_be_subtitle] = _SUBTITLE
    kinds = [_ALL_KINDS[number] for number in kind.tolist()]
    return kinds if comments is None else name_comments(page, kinds, kept, comments)


_NEVER_COMMENT = ("form", "hidden", "title")


def name_comments(page: Page, kinds: list[str], kept: Bools, comments: Bools) -> list[str]:
    """Return the kinds of blocks with `comment` for dropped blocks of comments.

    `comments` has one bool per row. Forms, the headline and hidden blocks stay what they are. Kept
    blocks have the same kind whatever is a comment.
    """
    found = list(kinds)
    for block in (comments.take(page.blocks.first) & ~kept).nonzero()[0].tolist():
        if found[block] not in _NEVER_COMMENT:
            found[block] = "comment"
    return found


def body_blocks(page: Page) -> Bools:
    """Return one bool per block: True if it may belong to the body of an article.

    False for captions, bylines, dates, tags, comments, menus, "read also" links, advertisements,
    forms and notices.
    """
    if not len(page.blocks):
        return np.zeros(0, np.bool_)
    cells = CELL.take(page.tag).nonzero()[0]  # of layout tables too
    structure, part = _structures(page, cells), _block_parts(page, row_parts(page))
    is_heading = structure == Structure.HEADING
    is_teaser = _is_made_of_links(page) & _is_as_long_as_headline(page) | read_also_blocks(page)
    is_teaser &= structure == Structure.PARAGRAPH
    is_outside = (part >= 0) & (part != Part.HEADER) & ~(is_heading & (part == Part.META))
    is_outside |= byline_blocks(page) & ~is_heading
    found: Bools = ~(is_outside | is_teaser | (structure == Structure.CAPTION))
    return found


def code_blocks(page: Page) -> Bools:
    """Return one bool per block: True inside a block of code, or a table of numbered lines."""
    starts = _STRUCTURE_TAGS[Structure.CODE].take(page.tag)
    numbers = page.cached(gutter_cells)
    if numbers:
        tables = (page.tag == NUMBER["table"]).nonzero()[0]
        starts[innermost(tables, page.end, np.array(numbers))] = True
    is_code = inside(starts, page.end)
    found: Bools = is_code.take(page.blocks.first)
    return found


def kept_comment_rows(page: Page, kept: Bools) -> Bools:
    """Return one bool per row: True inside kept elements named comments."""
    rows = ((page.tag != 0) & kept).nonzero()[0]
    if not may_name_comments(page, rows):  # true of most pages
        return np.zeros(len(page), np.bool_)
    return comment_rows(page, row_parts(page, kept))


def comment_rows(page: Page, parts: Int8s) -> Bools:
    """Return one bool per row: True inside elements named comments by `parts`, see `row_parts`."""
    return inside(parts == Part.COMMENT, page.end)


def inside_comments(page: Page, rows: list[int]) -> Bools:
    """Return what `comment_rows` does if these elements, which hold text, are named comments."""
    is_named = np.zeros(len(page), np.bool_)
    if not rows:
        return is_named
    body = max(page.body, 0)
    is_named[rows] = True
    is_named[: body + 1] = False
    words = subtree_sums(np.where(page.hidden, 0, page.words), page.end)
    is_named &= 2 * words <= words[body]
    return inside(is_named, page.end)


# --- structure -----------------------------------------------------------------------------------


def _structures(page: Page, cells: Rows) -> Int8s:
    """Return the `Structure` of each block; those in one of `cells` (rows, in order) are tables."""
    rows = {tag: table.take(page.tag).nonzero()[0] for tag, table in _STRUCTURE_TAGS.items()}
    rows[Structure.TABLE] = cells
    if page.stated.headings:
        by_role = np.array(role_headings(page), np.intp)
        rows[Structure.HEADING] = np.union1d(rows[Structure.HEADING], by_role)
    found = np.zeros(len(page.blocks), np.int8)
    for structure in sorted(rows):
        is_inside = levels_inside(rows[structure], page.end, page.blocks.first) > 0
        found[is_inside] = structure
    return found


def _data_table_cells(page: Page) -> Rows:
    """Return the rows of the cells of data tables, in order; layout tables are left out.

    A table lays out the page if `thresher.page.plain_text.tables.data_tables` leaves it out (it
    holds other tables, several paragraphs in a cell, or no row of two cells, and names no columns),
    and also if

    - one of its cells holds most of the page's words: the cell is the page; or
    - it holds most of the page's words, most of them in prose, and names no columns.
    """
    tables = (page.tag == NUMBER["table"]).nonzero()[0]
    cells = CELL.take(page.tag).nonzero()[0]
    if not len(tables):
        return cells[:0]
    words = subtree_sums(np.where(page.hidden, 0, page.words), page.end)
    page_words = int(words[page.body])
    is_data = data_tables(page)
    table_of_cell = innermost(tables, page.end, cells)
    holds_page = 2 * words.take(cells) > page_words
    is_data[table_of_cell[holds_page & (table_of_cell >= 0)]] = False

    blocks = page.blocks
    prose_at = np.zeros(len(page), np.int64)
    is_prose = (blocks.words >= PROSE_WORDS) & ~blocks.hidden
    prose_at[blocks.first] = np.where(is_prose, blocks.words, 0)
    prose = subtree_sums(prose_at, page.end).take(tables)
    held = words.take(tables)
    with_columns = innermost(tables, page.end, _NAMES_COLUMNS.take(page.tag).nonzero()[0])
    is_page = (2 * held > page_words) & (2 * prose > held) & ~np.isin(tables, with_columns)
    is_data[tables[is_page]] = False
    return cells[(table_of_cell >= 0) & is_data.take(table_of_cell)]


# --- subtitles -----------------------------------------------------------------------------------


def _subtitle_blocks(page: Page, headline: int) -> Bools:
    """Return one bool per block: True for the subtitle of a page whose headline is a row.

    A subtitle comes after the headline, with at most 100 words between them, and is

    - in an element of at most 80 words whose class, id, itemprop or role names a subtitle
      (`thresher.structure.class_names.name_subtitles`); or
    - in the `<hgroup>` of the headline; or
    - a heading in the same `<header>` as the headline. (A heading elsewhere begins a section.)

    A block that repeats the headline is none.
    """
    blocks, after = page.blocks, int(page.end[headline])
    found = np.zeros(len(blocks), np.bool_)
    first = int(blocks.first.searchsorted(after))
    shown = np.where(blocks.hidden[first:], 0, blocks.words[first:])
    words_before = shown.cumsum() - shown
    last = first + int(words_before.searchsorted(_WORDS_BEFORE_SUBTITLE, side="right"))
    if first == last:
        return found
    stop = int(blocks.last[last - 1]) + 1
    elements = (page.tag[after:stop] != 0).nonzero()[0] + after
    is_subtitle = name_subtitles(list(map(page.nodes.__getitem__, elements.tolist())))
    is_subtitle |= _is_in_title_group(page, headline, elements)
    words = subtree_sums(np.where(page.hidden, 0, page.words), page.end).take(elements)
    is_subtitle &= words <= _SUBTITLE_WORDS
    near = slice(first, last)
    found[near] = levels_inside(elements[is_subtitle], page.end, blocks.first[near]) > 0
    found &= ~blocks.hidden & (blocks.words > 0)
    title = "".join(page.line(headline).split())
    for block in found.nonzero()[0].tolist():
        found[block] = "".join(page.block_text(block).split()) != title
    return found


def _is_in_title_group(page: Page, headline: int, elements: Rows) -> Bools:
    """Return one bool per element: True in the headline's hgroup, and for headings in its header.

    `elements` are rows after the headline.
    """
    is_around = _TITLE_GROUP.take(page.tag[:headline]) & (page.end[:headline] > headline)
    groups = is_around.nonzero()[0]
    if not len(groups):
        return np.zeros(len(elements), np.bool_)
    found: Bools = elements < page.end[groups[-1]]  # of the innermost
    if page.tag[groups[-1]] != NUMBER["hgroup"]:
        found &= HEADING.take(page.tag.take(elements))
    return found


# --- parts ---------------------------------------------------------------------------------------


def row_parts(page: Page, is_asked: Bools | None = None) -> Int8s:
    """Return the `Part` that each row names, as a number; -1 for most rows.

    With `is_asked`, one bool per row, the attributes of no other elements are read.

    Only elements with text name a part, the body and elements with more than half of the page's
    visible words do not. In an article or main element, a footer is metadata and a header no part.
    """
    parts = np.full(len(page), -1, np.int8)
    body = max(page.body, 0)
    texts = subtree_sums(page.chars > 0, page.end)
    is_read = (page.tag != 0) & (texts > 0)
    is_read &= True if is_asked is None else is_asked
    rows = is_read[body + 1 :].nonzero()[0] + body + 1
    parts[rows] = parts_of_elements(page, rows)
    parts = np.where(parts < 0, _PART_OF_TAG.take(page.tag), parts)
    parts[: body + 1] = -1
    words = subtree_sums(np.where(page.hidden, 0, page.words), page.end)
    parts[2 * words > words[body : body + 1].sum()] = -1
    parts[(parts == Part.META) & (words > _META_GROUP_WORDS)] = -1
    ends = ((parts == Part.HEADER) | (parts == Part.FOOTER)).nonzero()[0]
    articles = _ARTICLE.take(page.tag).nonzero()[0]
    ends_of_article = ends[levels_inside(articles, page.end, ends) > 0]
    is_footer = parts[ends_of_article] == Part.FOOTER
    parts[ends_of_article] = np.where(is_footer, Part.META, -1)
    return parts


def _block_parts(page: Page, parts: Int8s) -> Int8s:
    """Return the `Part` of each block, -1 if no element around it names one; see `row_parts`."""
    blocks = page.blocks
    nearest = innermost((parts >= 0).nonzero()[0], page.end, blocks.first)
    found = np.where(nearest >= 0, parts.take(nearest), -1).astype(np.int8)
    menus = (parts == Part.NAVIGATION).nonzero()[0]
    in_menu = levels_inside(menus, page.end, blocks.first) > 0
    found[(found == Part.RELATED) & in_menu] = Part.NAVIGATION
    found[(found == Part.META) & (blocks.words > _META_WORDS)] = -1
    found[(found == Part.CAPTION) & (blocks.words > _CAPTION_WORDS)] = -1
    found[(found < 0) & _has_time_or_tag(page)] = Part.META
    return found


def _has_time_or_tag(page: Page) -> Bools:
    """Return one bool per block: True for short ones with a time, or a link to a tag or an author.

    False for those that end as a sentence does.
    """
    blocks = page.blocks
    links = page.is_link.nonzero()[0]
    relations = attribute_values(list(map(page.nodes.__getitem__, links.tolist())), "rel")
    is_about = [
        relation is not None and not _ABOUT_RELATIONS.isdisjoint(relation.lower().split())
        for relation in relations
    ]
    times = (page.tag == _TIME).nonzero()[0]
    rows = np.sort(np.concatenate((times, links[np.array(is_about, np.bool_)])))
    is_inside = (levels_inside(rows, page.end, page.text_rows) > 0) & (blocks.of_text >= 0)
    found = np.zeros(len(blocks), np.bool_)
    found[blocks.of_text[is_inside]] = True
    found &= blocks.words <= _META_WORDS
    for block in found.nonzero()[0].tolist():
        found[block] = not page.text(int(blocks.last[block])).rstrip().endswith(_SENTENCE_ENDS)
    return found


def _link_parts(page: Page) -> Int8s:
    """Return the `Part` of blocks made of links: RELATED with a headline, NAVIGATION; else -1."""
    anchors = page.is_link.nonzero()[0]
    is_long = subtree_sums(page.words, page.end).take(anchors) >= _TEASER_WORDS
    in_long = levels_inside(anchors[is_long], page.end, page.text_rows) > 0
    has_headline = np.zeros(len(page.blocks) + 1, np.bool_)
    has_headline[page.blocks.of_text[in_long]] = True  # -1, of no block, is the last
    is_related = _is_as_long_as_headline(page) & has_headline[:-1]
    found = np.where(is_related, Part.RELATED, Part.NAVIGATION).astype(np.int8)
    found[~_is_made_of_links(page)] = -1
    return found


def _is_made_of_links(page: Page) -> Bools:
    """Return one bool per block: True if most of its words are in links."""
    linked = page.blocks.linked_words
    return (linked >= _LINK_SHARE * page.blocks.words) & (linked > 0)


def _is_as_long_as_headline(page: Page) -> Bools:
    """Return one bool per block: True if it is as long as a headline, or longer."""
    return (page.blocks.words >= _TEASER_WORDS) & (page.blocks.chars >= _TEASER_CHARS)
