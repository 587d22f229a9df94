"""The kept rows of a page alone, from which the normal form is built."""

from __future__ import annotations

import re
from array import array
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import chain, compress
from typing import Any, TypeAlias

import numpy as np

from thresher.page import Page, Selection
from thresher.page.addresses import fragment
from thresher.page.array_types import Bools, Int32s, Rows, UInt16s
from thresher.page.arrays import subtree_sums
from thresher.page.attributes import attribute_values
from thresher.page.core import COMPILED
from thresher.page.plain_text import data_tables, gaps, separating_spaces
from thresher.page.plain_text.formulas import tex_rows
from thresher.page.plain_text.lists import item_numbers, task_boxes
from thresher.page.roles import quotation_titles, role_headings, role_level, separate_rows
from thresher.page.tags import HEADING, NAMES, NUMBER, bits_of, lookup
from thresher.page.views import kept_rows
from thresher.render.compiled import use_compiled
from thresher.render.kept_images import (
    LAZY,
    Beside,
    caption_boxes,
    dropped_captions,
    keep_beside,
    player_tags,
    with_amp_images,
)
from thresher.render.scan import HAS_MARKS, TWO_DOLLARS, tex_marks, texts_with_dollars
from thresher.render.tree import Element, Node, Text

if COMPILED:
    from thresher.render import _kept

# The names in `KeptTree.places`; of elements that HTML does not know, all.
_HAS_PLACES = lookup(
    "a audio code div embed iframe img listing math mjx-container noscript object pre script span "
    "sup td video xmp",
    others=True,
)
_NEVER_SHOWN = lookup("script style template")
_SHADOW_ROOT = "#shadow-root"  # the name of a template whose content a browser shows
_KINDS = bits_of(_HAS_PLACES, _NEVER_SHOWN, lookup("ol"), lookup("table"), HEADING)  # as in `_kept`
_ANNOTATION = NUMBER["annotation"]
_TEX = re.compile("tex(?!t)")  # not "text"
# The attributes in `KeptTree.image`.
_OF_IMAGE = tuple((name,) for name in ("alt", "title", "class", "width", "height", "src", *LAZY))
_NAMED = ("span", "div", "img")  # elements whose class may name a formula or code


class KeptTree:
    """The kept rows inside the body as lists, with one entry per row, in document order.

    `normalise` reads it once. Before that, formulas, images, footnotes, code and tables are
    rewritten: `replaced` says what takes the place of an element and all of its content.
    """

    __slots__ = (
        "_classes",
        "_images",
        "boxes",
        "ends",
        "kept",
        "layout_tables",
        "nodes",
        "notes",
        "numbers",
        "parents",
        "places",
        "replaced",
        "tags",
        "tex_marks",
        "texts",
    )

    def __init__(
        self,
        tags: list[str],
        ends: array[int],
        parents: array[int],
        texts: list[str],
        nodes: list[Any],
        places: dict[str, list[int]],
    ) -> None:
        self.tags = tags  # the name of each element; "" for text
        self.ends = ends  # the first index after the subtree
        self.parents = parents  # the index of the parent; -1 for the children of the body
        self.texts = texts  # the text; "" for elements
        self.nodes = nodes  # the parser's node; None for text and for elements not of the page
        self.places = places  # of the elements of some names
        self.kept: Bools | None = None  # one bool per row of the page; None for a part of a tree
        self.numbers: dict[int, int] = {}  # of the items of ordered lists
        self.layout_tables: set[int] = set()
        self.replaced: dict[int, Node | None] = {}  # None: it is left out
        self.boxes: dict[int, bool] = {}  # of tasks: whether they are checked
        self.notes: dict[int, str] = {}  # the labels of footnotes
        self.tex_marks = HAS_MARKS  # of the texts, as `scan.tex_marks` returns them, or all bits
        self._classes: list[tuple[int, str]] | None = None
        self._images: dict[int, list[str | None]] = {}

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.tags)

    def attr(self, index: int, name: str) -> str | None:
        """Return the value of an attribute of an element, None if it is not set."""
        node = self.nodes[index]
        value: str | None = None if node is None else node.attr(name)
        return value

    def attributes(self, index: int, names: tuple[tuple[str], ...]) -> list[str | None]:
        """Return the values of attributes, None for those that are not set."""
        node = self.nodes[index]
        if node is None:
            return [None] * len(names)
        if COMPILED:
            return _kept.read_attributes(node, names)
        return [node.attr(name) for (name,) in names]

    def image(self, index: int) -> list[str | None]:
        """Return what an image states: alt, title, class, width, height, src, and those in `LAZY`.

        None stands for what is not set.
        """
        known = self._images.get(index)
        if known is None:
            known = self._images[index] = self.attributes(index, _OF_IMAGE)
        return known

    def classes(self) -> list[tuple[int, str]]:
        """Return the elements span, div and img that may be a formula or code.

        Their class may name it, or a span or image has the attribute `data-tex`. Each comes with
        its class, "" for none, in the order of these names; few elements of a page do.
        """
        if self._classes is None:
            places = [self.places.get(tag, []) for tag in _NAMED]
            if COMPILED:
                self._classes = _kept.find_classes(self.nodes, places)
            else:
                self._classes = [
                    (index, names)
                    for indexes in places
                    for index in indexes
                    if _may_matter(names := self.attr(index, "class") or "")
                    or (indexes is not places[1] and self.attr(index, "data-tex") is not None)
                ]
        return self._classes

    def children(self, index: int) -> Iterator[int]:
        """Yield the children of an element that are not left out; of the body for -1."""
        ends, replaced = self.ends, self.replaced
        at, stop = index + 1, len(ends) if index < 0 else ends[index]
        while at < stop:
            if at not in replaced or replaced[at] is not None:
                yield at
            at = ends[at]

    def places_of(self, tags: Collection[str]) -> list[int]:
        """Return the elements of these names, in document order; see `_HAS_PLACES`."""
        found = [self.places[tag] for tag in tags if tag in self.places]
        return found[0] if len(found) == 1 else sorted(chain.from_iterable(found))

    def ancestors(self, index: int) -> Iterator[int]:
        """Yield the elements around a row, the nearest first."""
        index = self.parents[index]
        while index >= 0:
            yield index
            index = self.parents[index]

    def inside(self, index: int, tags: Collection[str]) -> list[int]:
        """Return the elements of these names in an element or the body (-1), none replaced."""
        at, own, replaced = index + 1, self.tags, self.replaced
        stop = len(own) if index < 0 else self.ends[index]
        found: list[int] = []
        while at < stop:
            if replaced and at in replaced:
                at = self.ends[at]
                continue
            if own[at] in tags:
                found.append(at)
            at += 1
        return found

    def previous(self, index: int) -> int:
        """Return the sibling before a row, -1 if there is none."""
        parent, before = self.parents[index], index - 1
        while before > parent:
            if self.parents[before] == parent:
                if before in self.replaced and self.replaced[before] is None:
                    before -= 1
                    continue
                return before
            before = self.parents[before]
        return -1

    def text(self, index: int) -> str:
        """Return the texts inside a row, joined."""
        if not self.tags[index] and index not in self.replaced:
            return self.texts[index]
        stop, replaced = self.ends[index], self.replaced
        if stop == index + 2 and index not in replaced and index + 1 not in replaced:
            return self.texts[index + 1]  # true of most
        if not replaced:
            return "".join(self.texts[index:stop])
        parts: list[str] = []
        at = index
        while at < stop:
            if at in replaced:
                parts.append(node_text(replaced[at]))
                at = self.ends[at]
            else:
                parts.append(self.texts[at])
                at += 1
        return "".join(parts)

    def replaced_rows(self) -> set[int]:
        """Return the rows that something else takes the place of."""
        found: set[int] = set()
        for index in self.replaced:
            found.update(range(index, self.ends[index]))
        return found

    def copy(self, index: int) -> Element:
        """Return an element of the page as it is, with its attributes and its content."""
        root = Element(self.tags[index], self._attributes(index))
        made = {index: root}
        at, stop = index + 1, self.ends[index]
        while at < stop:
            holder = made[self.parents[at]].children
            if at in self.replaced:
                replacement = self.replaced[at]
                holder += [] if replacement is None else [replacement]
                at = self.ends[at]
                continue
            if self.tags[at]:
                made[at] = Element(self.tags[at], self._attributes(at))
                holder.append(made[at])
            else:
                holder.append(Text(self.texts[at]))
            at += 1
        return root

    def _attributes(self, index: int) -> dict[str, str]:
        node = self.nodes[index]
        return {} if node is None else {name: node.attr(name) or "" for name in node.attrs}


def _may_matter(names: str) -> bool:
    """Return whether a class may name a formula or code."""
    return "ath" in names or "code" in names or _TEX.search(names) is not None


def node_text(node: Node | None) -> str:
    """Return the text of a node, "" for None."""
    if node is None:
        return ""
    return node.data if isinstance(node, Text) else node.text


def kept_tree(
    selection: Selection, images: Sequence[int] = (), *, captions: bool = False
) -> KeptTree:
    """Return what the selection keeps inside the body of its page, and images at some rows.

    With `captions`, dropped captions of images and media that stay are kept as well.

    Dropped text is left out, and so are the elements that follow it (see `Selection.kept`). Images
    between kept text stay (see `kept_images`), and so does white space between kept words that is
    in an element of its own, as in highlighted code. Where a dropped block separates two texts in
    plain text, they stay separate (see `_gaps_to_keep`).
    """
    while selection.page.base is not None:  # only a page that was parsed has nodes
        selection = selection.lift()
    page = selection.page
    if page.body < 0:
        return KeptTree([], array("i"), array("i"), [], [], {})
    kept = kept_rows(page, selection.keep)
    if page.stated.tex or page.present[_ANNOTATION]:
        tex = tex_rows(page, selection.keep)
        kept |= subtree_sums(tex, page.end) > 0
    beside = (_compiled_beside if COMPILED else keep_beside)(selection, kept)
    if images:
        chosen = np.zeros(len(page), np.bool_)
        chosen[images] = True
        kept |= subtree_sums(chosen, page.end) > 0
    selection = _with_captions(selection, kept) if captions else selection
    if beside.empty:
        _keep_anchors(page, kept, beside.empty)
    boxes = _keep_boxes(page, kept, beside.boxes) if beside.boxes else {}
    read = _compiled_lists if COMPILED else _plain_lists
    tree, index, ordered, tables, rules = read(selection, kept)
    tree.kept = kept
    _mark_separate_rows(page, kept, index, tree, rules)
    # What is in a template is not in the tree.
    if beside.players:
        _mark_players(tree, [int(index[row]) for row in beside.players if kept[row]])
    if boxes:
        tree.boxes = {int(index[row]): done for row, done in boxes.items() if kept[row]}
    # The rest can no longer be found out once text is dropped: the numbers of list items, and
    # whether a table holds data (as in plain text).
    if ordered:
        numbers = item_numbers(page, np.array(ordered, np.intp))
        tree.numbers = {int(index[row]): number for row, number in numbers.items() if kept[row]}
    if tables:
        is_data = data_tables(page)
        tree.layout_tables = {int(index[row]) for row in tables if not is_data[row]}
    _mark_formulas(page, tree)
    return tree


_HAS_SINGLE_DOLLARS = re.compile(
    r"""inlineMath[^;]{0,80}?\[\s{0,9}["']\$["']\s{0,9},|left["']?\s{0,9}:\s{0,9}["']\$["']"""
)
_SETTINGS = ("inlineMath", "delimiters")  # of MathJax and of KaTeX
_MOST_SETTINGS, _SETTINGS_CHARS = 50, 400  # that are looked at, and the characters of each
# A formula between single dollars, as Pandoc tells them from prices: with no space inside of them,
# and no digit after them. A dollar after a backslash is a price.
_SINGLE_DOLLARS = re.compile(r"(?<![\\$])\$(?![\s$])([^$]{0,999}?[^$\s\\])\$(?![\d$])")
_HOLDS_NO_FORMULA = frozenset(
    "pre code kbd samp tt listing xmp plaintext textarea script style math annotation".split()
)


def has_single_dollars(page: Page) -> bool:
    """Return whether a page tells MathJax or KaTeX that formulas stand between single dollars."""
    source = page.html or ""
    for name in _SETTINGS:
        at = source.find(name)
        for _ in range(_MOST_SETTINGS):
            if at < 0:
                break
            if _HAS_SINGLE_DOLLARS.search(source, at, at + _SETTINGS_CHARS):
                return True
            at = source.find(name, at + 1)
    return False


def _mark_formulas(page: Page, tree: KeptTree) -> None:
    """Write formulas between single dollars with marks that mean nothing else: `\\(x\\)`."""
    tree.tex_marks = tex_marks(tree.texts)
    if not tree.tex_marks & TWO_DOLLARS:  # true of most pages
        return
    # The whole source is searched only if a text may have such a formula: prices have two dollars.
    texts = tree.texts
    marked = {index for index in texts_with_dollars(texts) if _SINGLE_DOLLARS.search(texts[index])}
    if not marked or not page.cached(has_single_dollars):
        return
    holds_none: list[bool] = []
    for index, parent in enumerate(tree.parents):
        is_inside = parent >= 0 and holds_none[parent]
        holds_none.append(is_inside or tree.tags[index] in _HOLDS_NO_FORMULA)
        if not is_inside and index in marked:
            tree.texts[index] = _SINGLE_DOLLARS.sub(r"\\(\1\\)", tree.texts[index])
            tree.tex_marks |= HAS_MARKS


def _with_captions(selection: Selection, kept: Bools) -> Selection:
    """Return the selection with dropped captions of what stays, and add their rows to `kept`."""
    boxes = (_compiled_captions if COMPILED else caption_boxes)(selection, kept)
    if not boxes:
        return selection
    found = dropped_captions(selection, boxes)
    kept |= found.rows
    return replace(selection, keep=selection.keep | found.texts)


def _compiled_beside(selection: Selection, kept: Bools) -> Beside:
    """Return what `keep_beside` does."""
    page, tag, players = selection.page, selection.page.tag, []
    if len(page.names) > len(NAMES):
        tag, players = with_amp_images(page), player_tags(page)
    keep = np.ascontiguousarray(selection.keep)
    return Beside(*_kept.keep_beside(page, tag, keep, kept, players))


def _compiled_captions(selection: Selection, kept: Bools) -> list[int]:
    """Return what `caption_boxes` does."""
    page = selection.page
    return _kept.find_captions(page, np.ascontiguousarray(selection.keep), kept)


# The kept rows as a tree, the number of these before each row of the page, the rows of kept ordered
# lists and of kept tables, and the rows and texts of kept headings that may be rules.
_Lists: TypeAlias = tuple[KeptTree, Int32s, list[int], list[int], list[tuple[int, str]]]


def _compiled_lists(selection: Selection, kept: Bools) -> _Lists:
    """Return what `_plain_lists` does."""
    page = selection.page
    before = np.empty(len(page) + 1, np.int32)
    keep = np.ascontiguousarray(selection.keep)
    lists, ordered, tables, rules = _kept.read_tree(
        page, keep, kept, before, gaps.TAG_BITS, separate_rows(page), _KINDS
    )
    tree = KeptTree(*lists)
    _add_scripts(page, kept, before, tree)
    return tree, before, ordered, tables, rules


def _plain_lists(selection: Selection, kept: Bools) -> _Lists:
    """Return the kept rows as lists, with the white space and the line ends that they need.

    `kept` is changed to what is in the lists.
    """
    page = selection.page
    bits, _ = gaps.tag_bits(page)
    _keep_spaces(selection, kept)
    kept[: page.body + 1] = True
    line_ends, spaced = _gaps_to_keep(selection, kept, bits)
    kept[line_ends] = True
    kept[: page.body + 1] = False
    kept[page.end[page.body] :] = False
    shadow_roots = _leave_out_code(page, kept)
    line_ends = line_ends[kept[line_ends]]
    tree, index = _lists(page, kept, line_ends)
    _add_scripts(page, kept, index, tree)
    for at in index[line_ends].tolist():
        tree.tags[at], tree.nodes[at] = "div", None
    for at in index[shadow_roots].tolist():
        tree.tags[at] = _SHADOW_ROOT
    spaced = spaced[kept[spaced]]
    for at in set(index[spaced].tolist()):
        tree.texts[at] = f" {tree.texts[at]}"
    ordered, tables = (
        (kept & (page.tag == NUMBER[name])).nonzero()[0].tolist() for name in ("ol", "table")
    )
    return tree, index, ordered, tables, list(_may_be_rules(page, kept))


def _may_be_rules(page: Page, kept: Bools) -> Iterator[tuple[int, str]]:
    """Yield the kept headings with a text alone that begins with no letter or digit."""
    headings = (HEADING.take(page.tag) & kept).nonzero()[0]
    headings = headings[page.end.take(headings) == headings + 2]
    headings = headings[page.tag.take(headings + 1) == 0]
    for row in headings.tolist():
        text = page.text(row + 1)
        if text and not text[0].isalnum():
            yield row, text


def _keep_anchors(page: Page, kept: Bools, empty: list[int]) -> None:
    """Add empty elements that kept links lead to, as notes begin with, to `kept`."""
    anchors: dict[str, int] = {}
    link, number_of = NUMBER["a"], page.tag.item
    for row in empty:
        node = page.nodes[row]
        name = node.attr("id") or (number_of(row) == link and node.attr("name"))
        if name:
            anchors.setdefault(name, row)
    if anchors:  # false of most pages
        links = (kept & (page.tag == NUMBER["a"])).nonzero()[0].tolist()
        for address in attribute_values([page.nodes[row] for row in links], "href"):
            row = anchors.get(fragment(address, page.url), -1) if address else -1
            if row >= 0:
                kept[row] = True


def _mark_separate_rows(
    page: Page, kept: Bools, index: Int32s, tree: KeptTree, rules: list[tuple[int, str]]
) -> None:
    """Give some kept rows the tags of what they are.

    These are headings of signs alone, which are rules, headings by role, and titles of quotations.
    `rules` are the rows and texts of headings that may be rules.
    """
    for row, text in rules:
        if _RULE.fullmatch(text[:_LONGEST_RULE]):
            tree.tags[index[row]] = "hr"
    for row in role_headings(page):
        if kept[row]:
            tree.tags[index[row]] = f"h{role_level(page, row)}"
    for row in quotation_titles(page):
        if kept[row]:
            tree.tags[index[row]] = "p"


_RULE, _LONGEST_RULE = re.compile(r"\s*(?:[_*=~—–-]\s?){3,}+\s*"), 500  # characters


def _mark_players(tree: KeptTree, players: list[int]) -> None:
    """Make elements that a script makes a player of embedded ones."""
    if players:  # false of most pages
        for at in players:
            tree.tags[at] = "embed"
        tree.places["embed"] = sorted([*tree.places.get("embed", ()), *players])


def _keep_boxes(page: Page, kept: Bools, boxes: list[int]) -> dict[int, bool]:
    """Add the boxes of kept tasks to `kept`; return whether each is checked, by row.

    `boxes` are the check boxes in kept list items.
    """
    tasks = task_boxes(page)
    found = {row: tasks[row] for row in boxes if row in tasks}
    for row in found:
        around = row
        while not kept[around]:
            kept[around] = True
            around = page.parent[around]
    return found


def _lists(page: Page, kept: Bools, line_ends: Int32s) -> tuple[KeptTree, Int32s]:
    """Return the rows where `kept` is True as lists, and the number of these before each row.

    They are inside the body. The rows `line_ends` are left out of the `places`.
    """
    before = np.zeros(len(kept) + 1, np.int32)
    has_place = _HAS_PLACES.take(page.tag)
    has_place[line_ends] = False
    rows = kept.nonzero()[0]
    kept.cumsum(out=before[1:])
    index = before.copy()
    index[page.body] = -1  # the parent of the outermost rows; no row ends there
    ends, parents = (
        array("i", index.take(column.take(rows)).tolist()) for column in (page.end, page.parent)
    )
    numbers = page.tag[rows].tolist()
    kept_nodes = compress(page.nodes, kept.tobytes())
    nodes = [node if number else None for node, number in zip(kept_nodes, numbers, strict=True)]
    tags = [page.names[number] if number else "" for number in numbers]
    texts = [""] * len(rows)
    kept_texts = compress(page.texts, kept.take(page.text_rows).tobytes())
    for at, text in zip((page.tag[rows] == 0).nonzero()[0].tolist(), kept_texts, strict=True):
        texts[at] = text
    places: dict[str, list[int]] = {}
    for at in has_place[rows].nonzero()[0].tolist():
        places.setdefault(tags[at], []).append(at)
    return KeptTree(tags, ends, parents, texts, nodes, places), before


def _add_scripts(page: Page, kept: Bools, index: Int32s, tree: KeptTree) -> None:
    """Add the texts of kept scripts, which hold TeX and are not among the texts of the page."""
    for script in page.stated.tex:
        if kept[script]:
            for row in range(script + 1, page.end[script]):
                tree.texts[index[row]] = page.text(row)


def _leave_out_code(page: Page, kept: Bools) -> Rows:
    """Take scripts, styles and templates out of `kept`, and return the templates that are shown.

    Formulas in scripts stay.
    """
    rows = (kept & _NEVER_SHOWN.take(page.tag)).nonzero()[0]
    shown: list[int] = []
    for row in rows.tolist():
        name, node = page.name(row), page.nodes[row]
        if name == "template" and node.attr("shadowrootmode") is not None:
            shown.append(row)
        elif row not in page.stated.tex:
            kept[row : page.end[row]] = False
    found = np.array(shown, np.intp)
    return found[kept[found]]


def _keep_spaces(selection: Selection, kept: Bools) -> None:
    """Add white space between kept words, and the elements around it, to `kept`."""
    page = selection.page
    is_space = np.zeros(len(page), np.bool_)
    spaces = separating_spaces(page, selection.keep)
    is_space[spaces[~kept[spaces]]] = True
    kept |= subtree_sums(is_space, page.end) > 0


_LINE_BITS = np.uint16(1 << (gaps.LINE - 1) | 1 << (gaps.PARAGRAPH - 1))


def _gaps_to_keep(selection: Selection, kept: Bools, bits: UInt16s) -> tuple[Int32s, Int32s]:
    """Find where the kept rows alone would join two texts that plain text separates.

    Plain text looks at the whole page between two texts, so a dropped advertisement in the middle
    of an element still ends the line before it, and a dropped button still separates two words. The
    gaps between the kept texts are compared with and without the rows that are not `kept`.

    Returns the dropped rows to replace by an empty `div`, one per line that would not end, and the
    texts that need a space before them. Plain text also separates links that are side by side.
    """
    roots, before_joined, spaced = _read_gaps(selection, kept, bits)
    first = roots.searchsorted(before_joined)  # the first one after the text before
    return roots[first[first < len(roots)]], spaced


def _read_gaps(selection: Selection, kept: Bools, bits: UInt16s) -> list[Int32s]:
    """Return the dropped rows with a line end inside and a kept parent, and two lists of texts.

    These are the texts after which a line would not end, and the texts that need a space.
    """
    page, rows = selection.page, selection.rows
    if len(rows) < 2:
        return [rows[:0]] * 3
    between = gaps.gap_bits(page, bits, rows, rows[:0])
    texts = list(compress(page.texts, selection.keep.tobytes()))
    spaced = rows[gaps.chip_gaps(page, bits, rows, texts, between)]
    rows = rows[page.chars.take(rows) > 0]
    before, after = (
        gaps.gap_levels(own, rows, gaps.gap_bits(page, own, rows, rows[:0]))
        for own in (bits, np.where(kept, bits, np.uint16(0)))
    )
    joins = (before >= gaps.SPACE) & (before < gaps.LINE) & (after == gaps.JOIN)
    joined = ((before >= gaps.LINE) & (after < gaps.LINE)).nonzero()[0]
    has_line_end = subtree_sums(((bits & _LINE_BITS) != 0) & ~kept, page.end) > 0
    is_root = has_line_end & ~kept & kept[np.maximum(page.parent, 0)]
    roots = is_root.nonzero()[0].astype(np.int32)
    return [roots, rows[joined - 1], np.concatenate((spaced, rows[joins]))]


use_compiled(globals(), "KeptTree", "kept_tree", "node_text")
