"""Lists, tables, quotes and code are kept or dropped whole, and with the text around them.

The trees judge each block alone, so where they are in doubt they would keep one item of a list in
four. Therefore the blocks of a list share one probability, the mean over its words
(`share_probability`), and a list, table, quote or code between kept text is kept with it
(`fill_between`). `_keep` has the compiled versions. Tables of contents are dropped
(`without_contents`), and so is a heading whose section is dropped (`without_empty_sections`). Lists
of footnotes are kept (`with_footnotes`), and so are notes that kept text refers to
(`with_referred_notes`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from thresher.methods.default.features.class_odds import NamePairs
from thresher.methods.default.features.containers import Outline, find_outermost
from thresher.methods.default.features.densities import HEADING_LEVEL, LEVEL_OF_TAG
from thresher.page import Page
from thresher.page.addresses import fragment
from thresher.page.array_types import Bools, Floats, Rows, UInt16s
from thresher.page.arrays import in_ranges, innermost, inside
from thresher.page.attributes import attribute_values
from thresher.page.controls import control_texts, gutter_cells
from thresher.page.core import COMPILED
from thresher.page.tags import NUMBER, lookup
from thresher.page.views import last_blocks
from thresher.page.visibility import hidden_blocks

if COMPILED:
    from thresher.methods.default import _keep

_LIST, _TABLE = lookup("ul ol dl"), NUMBER["table"]
MOST_TABLE_WORDS = 200  # of a table that shares one probability; old pages are laid out in larger
_SHARES = _LIST | lookup("table")
_GROUP = lookup("ul ol dl table blockquote pre")

_CODE, _ROW, _FIGURE, _CAPTION = map(NUMBER.__getitem__, ("pre", "tr", "figure", "figcaption"))
# Captions and headings that are dropped are no neighbours of a group.
_SKIPPED = lookup("figcaption h1 h2 h3 h4 h5 h6")
# What the kernels need to know of each tag number: bits, and above them the level of a heading.
_TAG_BITS: UInt16s = (
    1 * _SHARES
    | 2 * _GROUP
    | 4 * _SKIPPED
    | 8 * _LIST
    | 16 * lookup("table")
    | 32 * lookup("pre")
    | 64 * lookup("p")
    | 128 * lookup("summary")
    | LEVEL_OF_TAG.astype(np.uint16) << 8
).astype(np.uint16)

# Of a group between kept text: the least mean probability and the largest share of words in links.
# Swept in three folds by site: 0.05 to 0.3 give wcxb-dev 0.0004, and no other corpus changes more.
_LEAST_PROBABILITY, _MOST_LINKS = 0.05, 0.5
_MOST_ANNOUNCED_LINKS = 0.3  # of a list after a line that ends in a colon
_PROBABLE = 0.5  # the mean probability from which on a table may be all links, as of facts
# The least mean probability of code after kept text. With 0.1, F1 of code on `structure` rises by
# 0.09, and word F1 on 300 pages each of six corpora by 0 to 0.00001.
_LEAST_CODE = 0.1
FILL_LIMITS = _LEAST_PROBABILITY, _MOST_LINKS, _MOST_ANNOUNCED_LINKS, _PROBABLE, _LEAST_CODE

# A table of contents: the least share of its words that are links, and the least number of links.
# On 300 pages each of six corpora, word F1 changes on one page of wcxb-dev, which gains 0.004.
CONTENTS_LINKS, _LEAST_CONTENTS = 0.8, 3

# A heading of an empty section is dropped if it is at most this probable and this long, and if
# fewer than half of the kept blocks are headings: else they are the items of the page. Without
# these limits, word F1 in two folds by site of wcxb-dev is 0.0006 lower, on dragnet 0.0003 higher.
MOST_PROBABLE, HEADING_WORDS, HEADING_SHARE = 0.8, 12, 0.5
MOST_LAST = 2  # headings at the end that are dropped
MOST_LAST_OF_MANUALS = 4  # the same of documentation, as "Specifications" and "See also"


def compiled_rules(outline: Outline) -> _keep.Rules:
    """Return the compiled rules on the arrays of an outline, made once."""
    rules: _keep.Rules | None = outline.__dict__.get("rules")
    if rules is None:
        rules = _keep.Rules(outline, hidden_blocks(outline.page), _TAG_BITS)
        outline.__dict__["rules"] = rules
    return rules


def blocks_inside(outline: Outline, marked: Bools) -> Bools:
    """Return one bool per block: True inside a marked container."""
    if COMPILED:
        found = np.empty(len(outline), np.bool_)
        compiled_rules(outline).mark_inside(marked, found)
        return found
    rows = np.zeros(len(outline.page), np.bool_)
    rows[outline.row[marked]] = True
    is_inside: Bools = inside(rows, outline.page.end)[outline.page.blocks.first]
    return is_inside


def share_probability(outline: Outline, probability: Floats) -> Floats:
    """Return the probabilities with one for each list and small table: the mean over its words.

    Blocks with probability 0, which cannot be content, keep it.
    """
    compute = _compiled_share if COMPILED else _plain_share
    return compute(outline, probability)


def _compiled_share(outline: Outline, probability: Floats) -> Floats:
    found = np.empty(len(probability))
    compiled_rules(outline).share_means(probability, MOST_TABLE_WORDS, found)
    return found


def _plain_share(outline: Outline, probability: Floats) -> Floats:
    is_table = outline.tag == _TABLE
    is_group = _LIST.take(outline.tag) | is_table
    if not is_group.any():
        return probability
    group = outline.nearest(is_group).take(outline.container)
    blocks = (group >= 0).nonzero()[0]
    group, own, words = group.take(blocks), probability.take(blocks), outline.words.take(blocks)
    held = np.bincount(group, words, len(is_group))
    mean = np.bincount(group, own * words, len(is_group)) / np.maximum(held, 1)
    shares = (own > 0) & (~is_table | (held <= MOST_TABLE_WORDS)).take(group)
    found = probability.copy()
    found[blocks] = np.where(shares, mean.take(group), own)
    return found


def fill_between(outline: Outline, probability: Floats, kept: Bools) -> Bools:
    """Keep also each list, table, quote or code whose neighbours on both sides are kept.

    The neighbours are the blocks with words before and after it, without dropped captions and
    headings; they must be in the same container. Code may be in elements of its own that hold
    nothing else. For a list, it is enough that the block before it is kept and ends in a colon, for
    code that the block before it is kept. A group of links stays out, but for a probable table.
    Hidden blocks and those with probability 0 stay out.
    """
    first = outline.page.blocks.first
    group = _outermost_groups(outline)
    group = group[outline.end.take(group) > first[kept.argmax()]]  # not before all kept blocks
    if not len(group):
        return kept
    is_skipped = _SKIPPED.take(outline.tag)
    is_skipped |= is_skipped.take(outline.parent)
    words = np.where(is_skipped.take(outline.container) & ~kept, 0.0, outline.words)
    around = _around_groups(outline)
    worded = (words > 0).nonzero()[0]  # the blocks with words
    row, row_end = outline.row.take(group), outline.end.take(group)
    first_worded = first.take(worded)
    begin, end = first_worded.searchsorted(row), first_worded.searchsorted(row_end)
    has_words = (begin < end).nonzero()[0]
    group, begin, end, row, row_end = (
        values.take(has_words) for values in (group, begin, end, row, row_end)
    )
    if not len(group):
        return kept
    neighbours = worded.take((begin - 1, end), mode="clip")
    before, after = _kept_neighbours(outline, kept, neighbours, begin, end, group, around)
    before &= begin > 0
    if not np.count_nonzero(before):
        return kept
    after &= end < len(worded)
    size = end - begin
    number = np.arange(len(size)).repeat(size)  # of the group that a block with words is in
    member = worded.take(np.arange(len(number)) + (end - size.cumsum()).repeat(size))
    held, linked, expected = (
        np.bincount(number, values.take(member))
        for values in (words, outline.linked, probability * words)
    )
    tag = outline.tag.take(group)
    before &= (expected >= _LEAST_PROBABILITY * held) | (tag == _CODE)
    is_probable = (tag == _TABLE) & (expected >= _PROBABLE * held)
    fits = before & ((linked < _MOST_LINKS * held) | is_probable)
    fits &= after | ((tag == _CODE) & (expected >= _LEAST_CODE * held))
    announced = before & ~fits & _LIST.take(tag)
    for one in (announced & (linked < _MOST_ANNOUNCED_LINKS * held)).nonzero()[0].tolist():
        fits[one] = _ends_in_colon(outline.page, int(neighbours[0, one]))
    if not np.count_nonzero(fits):  # true of most pages
        return kept
    begin, end = first.searchsorted((row[fits], row_end[fits]))
    is_inside = in_ranges(begin, end, len(outline))  # groups are disjoint
    return kept | (is_inside & (probability > 0) & ~hidden_blocks(outline.page))


def with_declarations(
    outline: Outline, probability: Floats, kept: Bools, headline: int = -1
) -> Bools:
    """Keep also code between a heading and kept text, which says what the code declares.

    The text is in the container around the code. The heading is kept with it. A short list of terms
    after kept text in the same container, as of parameters, is kept if it is probable enough.
    """
    page = outline.page
    worded = (outline.words > 0).nonzero()[0]
    groups = _DECLARES.take(outline.tag).nonzero()[0]
    if not len(groups):
        return kept
    bounds = page.blocks.first.take(worded).searchsorted(
        np.stack((outline.row.take(groups), outline.end.take(groups)))
    )
    may_stay = (probability > 0) & ~hidden_blocks(page)
    may_be = _sums((kept | ~may_stay).take(worded), *bounds) == 0
    may_be &= bounds[0] < bounds[1]
    if not may_be.any():  # true of most pages
        return kept
    around = _around_groups(outline)
    found = kept.copy()
    for group, begin, end in zip(groups[may_be].tolist(), *bounds[:, may_be].tolist(), strict=True):
        own = worded[begin:end]
        if found[own].any():
            continue
        before = int(worded[begin - 1]) if begin else -1
        home = int(around[group])
        if outline.tag[group] != _CODE:
            is_near = before >= 0 and found[before] and _is_inside(outline, before, home)
            words = outline.words.take(own)
            held, linked = words.sum(), outline.linked.take(own).sum()
            is_likely = probability.take(own) @ words >= _LEAST_CODE * held
            if is_near and is_likely and held <= _TERMS_WORDS and linked < _MOST_LINKS * held:
                found[own] = True
        elif end < len(worded) and before >= 0:
            level = LEVEL_OF_TAG[outline.tag[outline.container[before]]]
            if level and kept[worded[end]] and _is_inside(outline, int(worded[end]), home):
                found[own] = True
                found[before] |= level > 1 and before != headline and bool(may_stay[before])
    return found if (found != kept).any() else kept


def with_code(outline: Outline, probability: Floats, kept: Bools, headline: int = -1) -> Bools:
    """Keep also code between kept text, with the small tables beside it.

    Code is what is in `pre`, however improbable if it is short, and in tables with line numbers.
    The text before it and after it must be kept, but for a short block on each side, as of the
    labels of tabs. If such a block is a heading above the code, it is kept as well.
    """
    page = outline.page
    cells = page.cached(gutter_cells) if page.present[_TABLE] else []
    if not page.present[_CODE] and not cells:  # true of most pages
        return kept
    is_code = blocks_inside(outline, outline.tag == _CODE)
    is_worded = outline.words > 0
    may_stay = (outline.words <= MOST_TABLE_WORDS) | (probability >= _LEAST_CODE)
    if cells:
        is_numbered = np.zeros(len(page), np.bool_)
        tables = (page.tag == _TABLE).nonzero()[0]
        is_numbered[innermost(tables, page.end, np.array(cells))] = True
        in_numbered = inside(is_numbered, page.end).take(page.blocks.first)
        is_code, may_stay = is_code | in_numbered, may_stay | in_numbered
    may_stay &= (probability > 0) & ~hidden_blocks(page)
    missing = (is_code & is_worded & ~kept & may_stay).nonzero()[0]
    if not len(missing):
        return kept
    outline = without_controls(outline)
    is_worded = outline.words > 0
    is_small = (outline.tag == _TABLE) & (outline.sums.words <= MOST_TABLE_WORDS)
    is_beside = is_code | blocks_inside(outline, is_small)
    text = (is_worded & ~is_beside).nonzero()[0]
    found = kept.copy()
    for gap in np.unique(text.searchsorted(missing)).tolist():
        before, after = text[max(gap - 2, 0) : gap][::-1].tolist(), text[gap : gap + 2].tolist()
        if not (_has_kept(outline, kept, before) and _has_kept(outline, kept, after)):
            continue
        begin, end = before[0] + 1, after[0]
        found[begin:end] |= (is_beside & is_worded & may_stay)[begin:end]
        level = LEVEL_OF_TAG[outline.tag[outline.container[before[0]]]]
        found[before[0]] |= level > 1 and before[0] != headline and bool(may_stay[before[0]])
    return found if (found != kept).any() else kept


def with_precise_code(outline: Outline, kept: Bools, usual: Bools, code: Bools) -> Bools:
    """Keep also code that is usually kept, with the list that it is in and the heading above it."""
    code = code & usual & ~kept
    if not code.any():
        return kept
    found = kept | code
    lists = outline.nearest(_LIST.take(outline.tag)).take(outline.container)
    holds_code = np.zeros(len(outline.tag), np.bool_)
    holds_code[lists[code & (lists >= 0)]] = True
    if holds_code.any():
        found |= usual & blocks_inside(outline, holds_code)
    blocks = usual.nonzero()[0]
    is_above = HEADING_LEVEL.take(outline.tag.take(outline.container.take(blocks))) > 1
    is_above[:-1] &= (found & ~kept).take(blocks[1:])
    is_above[-1:] = False
    found[blocks[is_above]] = True
    return found


def with_figures(outline: Outline, probability: Floats, kept: Bools) -> Bools:
    """Keep also figures of tables and code between kept text, with captions without links.

    The figure may be alone in boxes of its own. Tables of one row and figures of links stay out.
    """
    page = outline.page
    if not page.present[_FIGURE] or not (page.present[_TABLE] or page.present[_CODE]):
        return kept
    figures = (outline.tag == _FIGURE).nonzero()[0]
    first = page.blocks.first
    if not len(figures):
        return kept
    places = outline.row.take(figures), outline.end.take(figures)
    rows, code = (
        np.diff((page.tag == number).nonzero()[0].searchsorted(places), axis=0)[0]
        for number in (_ROW, _CODE)
    )
    figures = figures[(rows > 1) | (code > 0)]
    begin, end = first.searchsorted((outline.row.take(figures), outline.end.take(figures)))
    worded = (outline.words > 0).nonzero()[0]
    may_stay = (probability > 0) & ~hidden_blocks(page)
    may_stay &= (outline.linked == 0) | ~blocks_inside(outline, outline.tag == _CAPTION)
    found = kept
    for at, own in enumerate(figures.tolist()):
        near = worded.searchsorted((begin[at], end[at])).tolist()
        if not near[0] or near[1] >= len(worded) or near[0] == near[1]:
            continue
        before, after = int(worded[near[0] - 1]), int(worded[near[1]])
        home = int(outline.parent[outline.outermost[own]])
        if not (found[before] and found[after]) or not (
            _is_inside(outline, before, home) and _is_inside(outline, after, home)
        ):
            continue
        blocks = slice(begin[at], end[at])
        words, linked = outline.words[blocks], outline.linked[blocks]
        is_likely = probability[blocks] @ words >= _LEAST_PROBABILITY * words.sum()
        if is_likely and linked.sum() < _MOST_LINKS * words.sum():
            found = found.copy() if found is kept else found
            found[blocks] |= may_stay[blocks]
    return found


def with_cells(
    outline: Outline, names: NamePairs, probability: Floats, kept: Bools, headline: int = -1
) -> Bools:
    """Keep also all parts of notebooks, papers and manuals that software has given its names.

    These are the cells of notebooks and their output, the sections of LaTeXML, and what Javadoc,
    Doxygen and pkg.go.dev say of classes and functions.
    """
    page = outline.page
    if not (page.present[_CODE] or page.present[_TABLE]):
        return kept
    classes = [(pair, names.pairs[pair][0] or "") for pair in names.containing(_STEMS_OF_PARTS)]
    named = [pair for pair, own in classes if not _PARTS.isdisjoint(own.split())]
    if not named and not any(_COLUMN in own for _, own in classes):  # true of most pages
        return kept
    is_part, is_column, is_number = np.zeros((3, len(names.pairs)), np.bool_)
    is_part[named] = True
    is_number[[pair for pair, own in classes if not _NUMBERS_OF_CELLS.isdisjoint(own.split())]] = 1
    is_column[[pair for pair, own in classes if _COLUMN in own.split()]] = 1
    found = blocks_inside(outline, is_part.take(names.of_container))
    found |= blocks_inside(outline, is_column.take(names.of_container)) & (
        probability >= _LEAST_COLUMN
    )
    found &= (probability > 0) & ~hidden_blocks(page)
    found &= ~blocks_inside(outline, is_number.take(names.of_container))
    found |= kept
    if headline >= 0:
        found[headline] = kept[headline]
    return found if (found != kept).any() else kept


_STEMS_OF_PARTS = (
    "jp-", "input_area", "output_sub", "output_area", "text_cell_r", "cell_input", "cell_output",
    "cell-code", "cell-output", "ltx_", "-description", "-summary", "-details", "memberdecls",
    "documentation-", "prompt", "mcntextcontent",
)  # fmt: skip
# Of the texts of a newsletter, those at its end have 0.02 or so.
_COLUMN, _LEAST_COLUMN = "mcnTextContent", 0.05
_NUMBERS_OF_CELLS = frozenset({"jp-InputPrompt", "jp-OutputPrompt", "prompt"})
_PARTS = frozenset(
    # of notebooks: nbconvert, its older releases, nbsphinx, MyST-NB, Quarto
    "jp-Cell input_area output_subarea "
    "text_cell_render cell_input cell_output cell-code cell-output "
    # of papers: LaTeXML
    "ltx_abstract ltx_section ltx_chapter ltx_appendix ltx_bibliography "
    # of manuals: Javadoc, Doxygen, pkg.go.dev
    "class-description method-summary constructor-summary field-summary nested-class-summary "
    "method-details constructor-details field-details memberdecls Documentation-functionHeader "
    "Documentation-typeHeader Documentation-typeFuncHeader Documentation-typeMethodHeader "
    "Documentation-declaration".split()
)


def with_headings_of_code(
    outline: Outline, probability: Floats, kept: Bools, headline: int = -1
) -> Bools:
    """Keep also the heading right above kept code, whatever is before it."""
    page = outline.page
    if not page.present[_CODE]:
        return kept
    worded = (outline.words > 0).nonzero()[0]
    container = outline.container.take(worded)
    is_code = (outline.tag.take(container) == _CODE) & kept.take(worded)
    is_heading = (HEADING_LEVEL.take(outline.tag.take(container)) > 1) & ~kept.take(worded)
    above = worded[:-1][is_heading[:-1] & is_code[1:]]
    if not len(above):  # true of most pages
        return kept
    above = above[(probability.take(above) >= _LEAST_CODE) & (above != headline)]
    above = above[~hidden_blocks(page).take(above)]
    found = kept.copy()
    found[above] = True
    return found


def without_controls(outline: Outline) -> Outline:
    """Return the outline without the words of controls of headings and code.

    A block of these alone has none, so it is between no blocks that belong together, and an element
    around code that adds only these holds nothing else.
    """
    page = outline.page
    controls = page.cached(control_texts)
    if controls is None:
        return outline
    rows = page.text_rows[controls & (page.blocks.of_text >= 0)]
    block = page.blocks.of_text[controls & (page.blocks.of_text >= 0)]
    words = page.words.take(rows)
    own = np.bincount(block, words, len(outline))
    in_links = np.bincount(block, words * page.linked.take(rows), len(outline))
    before = np.zeros(len(page) + 1)
    before[rows + 1] = words * (outline.words.take(block) > 0)
    before = before.cumsum()
    sums = outline.sums.words - before.take(outline.end) + before.take(outline.row)
    return replace(
        outline,
        words=np.maximum(outline.words - own, 0),
        linked=np.maximum(outline.linked - in_links, 0),
        outermost=find_outermost(sums, outline.parent, outline.ancestors),
    )


def _has_kept(outline: Outline, kept: Bools, blocks: list[int]) -> bool:
    """Return whether the first block is kept, or the second one if the first is short."""
    if not blocks or kept[blocks[0]]:
        return bool(blocks)
    return len(blocks) > 1 and outline.words[blocks[0]] <= _LABEL_WORDS and bool(kept[blocks[1]])


_LABEL_WORDS = 8  # of a block between code and kept text, as a caption or the labels of tabs


_DECLARES = lookup("pre dl")
_TERMS_WORDS = 80  # of a list of terms; longer ones may be lists of other pages


def _is_inside(outline: Outline, block: int, container: int) -> bool:
    row = outline.page.blocks.first[block]
    return bool(outline.row[container] <= row < outline.end[container])


def _around_groups(outline: Outline) -> Rows:
    """Return for each container the one around it, for code the one around all of its wrappers."""
    code = (outline.tag == _CODE).nonzero()[0]
    if not len(code):
        return outline.parent
    around = outline.parent.copy()
    around[code] = outline.parent.take(outline.outermost.take(code))
    return around


def _ends_in_colon(page: Page, block: int) -> bool:
    return page.block_text(block).rstrip().endswith((":", "："))


def with_footnotes(outline: Outline, probability: Floats, kept: Bools) -> Bools:
    """Keep also lists of footnotes: each of their blocks ends in an arrow back to the text.

    Blocks below `LEAST_NOTE` are not looked at. `probability` is shared within each list.
    """
    may_be = ~kept & (probability >= LEAST_NOTE) & (outline.words > 0)
    chosen = may_be.nonzero()[0]
    page = outline.page
    last = page.blocks.texts_to.take(chosen).tolist()
    if not any(map(_ARROWS.search, map(page.texts.__getitem__, last))):  # true of most pages
        return kept
    group = outline.nearest(_LIST.take(outline.tag)).take(outline.container.take(chosen))
    chosen, group = (one[group >= 0][:_MOST_NOTES] for one in (chosen, group))
    text = page.block_text
    lacks = [not _BACK.search(text(block)[-_BACK_CHARS:]) for block in chosen.tolist()]
    if all(lacks):
        return kept
    is_list_of_notes = np.bincount(group, lacks, len(outline.tag)) == 0
    found = kept.copy()
    found[chosen[is_list_of_notes.take(group)]] = True
    return found


LEAST_NOTE = 0.1
_MOST_NOTES = 400  # blocks that are looked at
_ARROWS = re.compile("[↩⤴]")
_BACK, _BACK_CHARS = re.compile(r"[↩⤴]\ufe0e?\ufe0f?[\s\])]*\Z"), 10  # the end of a footnote


def with_referred_notes(outline: Outline, kept: Bools) -> Bools:
    """Keep also the notes that numbers in kept text link to, wherever they are below it."""
    page, blocks = outline.page, outline.page.blocks
    prose = (kept & (outline.words > MOST_REFERENCES * outline.linked)).nonzero()[0]
    if not len(prose):
        return kept
    begin, end = int(blocks.first[prose[0]]), int(blocks.last[prose[-1]]) + 1
    chars = page.chars[begin:end]
    rows = (page.linked[begin:end] & (chars <= _REFERENCE_CHARS) & (chars > 0)).nonzero()[0] + begin
    if not len(rows):
        return kept
    places = page.text_rows.searchsorted(rows.astype(np.int32))
    named: dict[str, int] = {}  # the last block that refers to each note
    for row, place in zip(rows.tolist(), places.tolist(), strict=True):
        if _REFERENCE.fullmatch(page.texts[place]):
            block = int(blocks.of_text[place])
            if prose[min(int(prose.searchsorted(block)), len(prose) - 1)] == block:
                named[_target(page, row)] = block
    named.pop("", None)
    if not named:  # true of most pages
        return kept
    found = kept.copy()
    for name, row in _named_rows(page, named).items():
        notes = _note_blocks(page, row)
        is_below = len(notes) > 0 and int(notes[0]) > named[name]
        if is_below and outline.words.take(notes).sum() <= _NOTE_WORDS:
            found[notes] = True
    return found & (kept | (outline.allowed & ~hidden_blocks(page)))


_REFERENCE, _REFERENCE_CHARS = re.compile(r"\s*[\[(]?(?:\d{1,3}|[a-z*†‡])[\])]?\s*"), 6
MOST_REFERENCES = 3  # words of a block for each one in links, at least: else it is a list of links
_NOTE_WORDS = 150  # at most, of one note
_IN_NOTE = lookup("a sup span b strong em i small font cite label")
_CELL = lookup("td th")


def _target(page: Page, row: int) -> str:
    """Return the name of the place on the page that the link around a text leads to, else ""."""
    link = int(page.parent[row])
    while link > 0 and page.tag[link] != NUMBER["a"] and _IN_NOTE[page.tag[link]]:
        link = int(page.parent[link])
    return fragment(page.nodes[link].attr("href"), page.url) if link > 0 else ""


def _named_rows(page: Page, names: Mapping[str, int]) -> dict[str, int]:
    """Return the rows of the elements with these names, by `id`, or by `name` for links."""
    found: dict[str, int] = {}
    for name, rows in (("id", page.has_id), ("name", page.tag == NUMBER["a"])):
        chosen = rows.nonzero()[0].tolist() if len(found) < len(names) else []
        nodes = [page.nodes[row] for row in chosen]
        for row, own in zip(chosen, attribute_values(nodes, name), strict=True):
            if own is not None and own in names:
                found.setdefault(own, row)
    return found


def _note_blocks(page: Page, row: int) -> Rows:
    """Return the blocks of the note that an element names: its own, or those around a mark."""
    while _IN_NOTE[page.tag[row]] and page.parent[row] > 0:
        row = int(page.parent[row])
    if _CELL[page.tag[row]]:  # of the label; the note is beside it
        row = int(page.parent[row])
    end = int(page.end[row])
    if page.tag[row] == NUMBER["dt"]:  # what it says follows
        while end < len(page) and page.tag[end] in (0, NUMBER["dd"]):
            end = int(page.end[end])
    first, last = page.blocks.first.searchsorted((row, end)).tolist()
    found: Rows = np.arange(first, min(last, first + _NOTE_WORDS + 1))  # each has a word
    return found


def without_contents(outline: Outline, kept: Bools) -> Bools:
    """Drop tables of contents: lists of links that all lead to places on the same page."""
    page = outline.page
    find = _compiled_linked_lists if COMPILED else _plain_linked_lists
    found = kept
    reach = 0
    for one, begin, end in find(outline, kept):
        row, stop = int(outline.row[one]), int(outline.end[one])
        if row < reach:  # inside of another list
            continue
        reach = stop
        links = row + (page.tag[row:stop] == NUMBER["a"]).nonzero()[0]
        if len(links) < _LEAST_CONTENTS:
            continue
        if all(fragment(page.attributes(link).get("href"), page.url) for link in links.tolist()):
            found = kept.copy() if found is kept else found
            found[begin:end] = False
    return found


def _compiled_linked_lists(outline: Outline, kept: Bools) -> list[tuple[int, int, int]]:
    return compiled_rules(outline).find_linked_lists(kept, CONTENTS_LINKS)


def _plain_linked_lists(outline: Outline, kept: Bools) -> list[tuple[int, int, int]]:
    """Return the lists of links with kept blocks, each with its first block and the one after."""
    lists = _LIST.take(outline.tag).nonzero()[0]
    words, linked = (sums.take(lists) for sums in (outline.sums.words, outline.sums.linked_words))
    lists = lists[(linked >= CONTENTS_LINKS * words) & (linked > 0)]
    if not len(lists):
        return []
    ranges = outline.row.take(lists), outline.end.take(lists)
    begin, end = outline.page.blocks.first.searchsorted(ranges)
    some = (_sums(kept, begin, end) > 0).nonzero()[0]
    return list(zip(*(ints.take(some).tolist() for ints in (lists, begin, end)), strict=True))


def without_empty_sections(
    outline: Outline,
    probability: Floats,
    kept: Bools,
    headline: int = -1,
    *,
    named_only: bool = False,
    with_questions: bool = False,
) -> Bools:
    """Drop the headings of sections whose visible text is dropped.

    The block `headline` stays. A section ends at the next heading. A heading stays if its section
    has kept text or no text other than captions, or if the next kept heading is of a deeper level.
    Long or very probable headings stay, except "Contents" and other names that say nothing alone,
    and all of them if they are half of the kept blocks. These names go, too, if there is nothing
    below them. With `named_only`, only these names go, and questions, however probable,
    `with_questions`.
    """
    page = outline.page
    find = _compiled_doubtful if COMPILED else _plain_doubtful
    doubtful = find(outline, kept, headline)
    if not doubtful:
        return kept
    doubtful = [
        block
        for block in doubtful
        if not (named_only or probability[block] > MOST_PROBABLE)
        or _says_nothing_alone(page, block)
        or (with_questions and page.block_text(block).rstrip().endswith(("?", "？")))
    ]
    if not doubtful:  # true of most pages
        return kept
    chosen = np.array(doubtful, np.intp)
    blocks = page.blocks
    is_heading = HEADING_LEVEL.take(page.tag.take(blocks.parent)) > 0
    is_heading &= blocks.words > 0
    shown = (blocks.words > 0) & ~hidden_blocks(page) & ~is_heading
    headings = (is_heading & ~hidden_blocks(page)).nonzero()[0]
    ends = np.append(headings, len(kept)).take(headings.searchsorted(chosen, "right"))
    in_figure = inside(page.tag == NUMBER["figure"], page.end).take(blocks.first)
    is_empty = _sums(shown & ~kept & ~in_figure, chosen, ends) > 0
    for place in (~is_empty).nonzero()[0].tolist():
        is_empty[place] = _says_nothing_alone(page, doubtful[place]) and not _has_media(
            page, doubtful[place], int(ends[place])
        )
    found = kept.copy()
    found[chosen[is_empty]] = False
    return found


def _has_media(page: Page, block: int, end: int) -> bool:
    """Return whether images, frames and the like are between two blocks, or to the end."""
    first = page.blocks.first
    last = int(first[end]) if end < len(first) else len(page)
    return bool(_MEDIA.take(page.tag[int(page.blocks.last[block]) : last]).any())


_MEDIA = lookup("img picture video audio canvas iframe embed object svg math figure table form")


def _compiled_doubtful(outline: Outline, kept: Bools, headline: int) -> list[int]:
    return compiled_rules(outline).find_doubtful_headings(
        kept, headline, HEADING_WORDS, HEADING_SHARE
    )


def _plain_doubtful(outline: Outline, kept: Bools, headline: int) -> list[int]:
    """Return the short kept headings without kept text below them, except the headline.

    None if half of the kept blocks are headings. A heading of a deeper level may follow.
    """
    page, blocks = outline.page, outline.page.blocks
    level = HEADING_LEVEL.take(page.tag.take(blocks.parent))
    is_heading = (level > 0) & (blocks.words > 0)
    chosen = (is_heading & kept).nonzero()[0]
    if len(chosen) >= HEADING_SHARE * np.count_nonzero(kept):
        return []
    doubtful = (blocks.words.take(chosen) <= HEADING_WORDS) & (chosen != headline)
    doubtful[:-1] &= level.take(chosen[1:]) <= level.take(chosen[:-1])
    shown = (blocks.words > 0) & ~hidden_blocks(page) & ~is_heading
    doubtful &= _sums(shown & kept, chosen, np.append(chosen[1:], len(kept))) == 0
    found: list[int] = chosen[doubtful].tolist()
    return found


def _says_nothing_alone(page: Page, block: int) -> bool:
    """Return whether a heading has a name of a section that is nothing without its text."""
    if page.blocks.words[block] > NAME_WORDS:
        return False
    return " ".join(page.block_text(block).lower().split()).rstrip(SECTION_SIGNS) in SECTION_NAMES


NAME_WORDS, SECTION_SIGNS = 4, " :.!"  # words of a name, and the signs after it
_LINK_SECTIONS = frozenset(
    "related|related articles|related content|related posts|related stories|related news"
    "|related links|see also|read also|read more|further reading|similar posts|recent posts"
    "|popular posts|you may also like|you might also like|recommended|more stories|more news"
    "|other news|latest articles|latest news|most read|most popular|mehr zum thema|lesen sie auch"
    "|das könnte sie auch interessieren|lire aussi|à lire aussi|lea también|leggi anche|lees ook"
    "|przeczytaj też|czytaj też|czytaj także|zobacz też|zobacz także|читайте также|по теме"
    "|похожие новости|другие новости|материалы по теме|相关新闻|相关阅读|相关链接"
    "|διαβάστε επίσης".split("|")
)
_AUTHOR_SECTIONS = frozenset(
    "about the author|about the authors|about author|author bio|über den autor|über die autorin"
    "|à propos de l'auteur|sobre el autor|sobre o autor|sull'autore|over de auteur|o autorze"
    "|об авторе".split("|")
)
_OTHER_SECTIONS = frozenset(
    "references|comments|leave a comment|discussion|post a comment|join the conversation"
    "|join the discussion|leave a reply|tags|share|share this|follow us|newsletter|faq|faqs"
    "|customer reviews|reviews|notes|footnotes|sources|advertisement|kommentare|commentaires"
    "|comentarios|commenti|komentarze|комментарии".split("|")
)
CONTENTS_LABELS = frozenset(
    "contents|table of contents|in this article|on this page|inhalt|inhaltsverzeichnis|sommaire"
    "|table des matières|índice|indice|sumário|inhoud|spis treści|содержание|目次|目录".split("|")
)
# Of sections that are dropped with their label.
SECTION_LABELS = _LINK_SECTIONS | _AUTHOR_SECTIONS | CONTENTS_LABELS
SECTION_NAMES = SECTION_LABELS | _OTHER_SECTIONS


def without_link_sections(outline: Outline, kept: Bools, labels: Mapping[int, str]) -> Bools:
    """Drop links below a label such as "Related posts", and a last short text about the author.

    `labels` has the texts of short blocks, in lower case. A label goes with the blocks after it
    that are mostly links, kept or not. What is kept before it must have `_LEAST_BEFORE` words, and
    before a text about the author a share of `_SHARE_BEFORE`. In articles, word F1 on 300 pages of
    dragnet rises by 0.0020; one page of daniel and four of wcxb-dev gain, two of wcxb-dev lose
    0.01.
    """
    named = [block for block, text in labels.items() if text in SECTION_LABELS]
    named.sort(key=lambda block: labels[block] in _AUTHOR_SECTIONS)
    if not named:  # true of most pages
        return kept
    found = kept.copy()
    words = np.where(kept, outline.words, 0.0)
    before = words.cumsum() - words
    total = float(words.sum())
    for label in named:
        if labels[label] in CONTENTS_LABELS:
            found[label] &= not _is_above_links(outline, kept, label)
            continue
        if not kept[label] or before[label] < _LEAST_BEFORE:
            continue
        after = label + 1 + (words[label + 1 :] > 0).nonzero()[0]
        if labels[label] in _AUTHOR_SECTIONS:
            rest = total - before[label]
            if rest <= _AUTHOR_WORDS and before[label] >= _SHARE_BEFORE * total:
                found[label:] = False
            continue
        is_text = outline.linked.take(after) < _MOST_LINKS * outline.words.take(after)
        links = after[: is_text.argmax() if is_text.any() else len(after)]
        if len(links) and not _in_one_list(outline, after[len(links) - 1 : len(links) + 1]):
            found[label] = found[links] = False
        elif not len(links) and _is_above_links(outline, kept, label):
            found[label] = False
    return found


def _is_above_links(outline: Outline, kept: Bools, block: int) -> bool:
    """Return whether the next block with words is dropped and mostly links."""
    worded = (outline.words[block + 1 :] > 0).nonzero()[0]
    below = block + 1 + int(worded[0]) if len(worded) else block
    is_linked = outline.linked[below] >= _MOST_LINKS * outline.words[below]
    return below > block and not kept[below] and bool(is_linked)


def _in_one_list(outline: Outline, blocks: Rows) -> bool:
    """Return whether two blocks are in the same list; False for less than two."""
    if len(blocks) < 2:
        return False
    around = outline.nearest(_LIST.take(outline.tag)).take(outline.container.take(blocks))
    return bool(around[0] >= 0 and around[0] == around[1])


_LEAST_BEFORE, _SHARE_BEFORE, _AUTHOR_WORDS = 25, 0.3, 150


def without_last_headings(
    page: Page, probability: Floats, kept: Bools, headline: int = -1, most: int = MOST_LAST
) -> Bools:
    """Drop up to `most` headings at the end of the kept blocks, which have no section.

    More in a row are the items of a list. The limits are those of `without_empty_sections`.
    """
    blocks = page.blocks
    rows = last_blocks(page, kept, most + 2)
    last: list[int] = []
    for block in reversed(rows):
        level = HEADING_LEVEL[page.tag[blocks.parent[block]]]
        is_doubtful = probability[block] <= MOST_PROBABLE and block != headline
        if level < 2 or not is_doubtful or blocks.words[block] > HEADING_WORDS:
            break
        last.append(block)
    if not last or len(last) > most or len(last) == len(rows):
        return kept
    found = kept.copy()
    found[last] = False
    return found


def _sums(counted: Bools, begin: Rows, end: Rows) -> Rows:
    """Return how many entries are True in each range."""
    before = np.concatenate(([0], counted.cumsum()))
    sums: Rows = before.take(end) - before.take(begin)
    return sums


def _outermost_groups(outline: Outline) -> Rows:
    """Return the containers that are lists, tables, quotes or code, and in no other such one."""
    group = _GROUP.take(outline.tag).nonzero()[0]
    is_outermost = np.ones(len(group), np.bool_)
    reached = np.maximum.accumulate(outline.end.take(group))
    np.less_equal(reached[:-1], outline.row.take(group[1:]), out=is_outermost[1:])
    return group[is_outermost]


def _kept_neighbours(
    outline: Outline,
    kept: Bools,
    neighbours: Rows,
    begin: Rows,
    end: Rows,
    group: Rows,
    around: Rows,
) -> Bools:
    """Return for each group whether the neighbour before and the one after it are kept beside it.

    `neighbours` has the block before and the block after each group. `begin` and `end` tell which
    groups have no words between them and the next one. The container of a neighbour that is itself
    in a group is the one around that group.
    """
    own = around.take(group)
    container = outline.container.take(neighbours)
    beside = outline.parent.take(container)
    meets = (begin[1:] == end[:-1]).nonzero()[0]
    beside[0, meets + 1] = own.take(meets)
    beside[1, meets] = own.take(meets + 1)
    found: Bools = kept.take(neighbours) & ((beside == own) | (container == own))
    return found
