"""Footnotes: references in the text, the notes they point to, and the links back.

A reference is a short raised link to a later element of the page. Its note is that element, or the
block around it. In the normal form a reference is `sup > a[role=doc-noteref]` and a note is an
`aside[role=doc-footnote]` with the id `fn-` and the note's label; links back are dropped.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import chain, islice

from thresher.page.addresses import fragment
from thresher.page.attributes import attribute_values
from thresher.render.kept_tree import KeptTree, node_text
from thresher.render.tree import Element, Text

REFERENCE = "doc-noteref"
NOTE = "doc-footnote"
_BLOCKS = frozenset({"li", "p", "div", "dd", "aside", "section", "td", "blockquote"})
_CONTAINERS = frozenset({"li", "dd", "td"})
_MARKED = re.compile(r"noteref|footnote|endnote|cite[-_]?ref|reference")
_BACK = re.compile(r"back-?ref|back-?link|reversefootnote|footnote-back|doc-backlink")
_BRACKETS = "[](){} \t\n\u00a0.:*†‡↩↑^"
_LABEL = re.compile(r"\w{1,12}")
_ID = re.compile(r"fn-\w{1,12}")  # of a note in the normal form
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_MAX_MARK = 16  # characters; a longer raised link is prose
_MAX_CLIMB = 6  # elements from the target of a reference up to its note


def is_reference(node: Element) -> bool:
    """Return whether an element of the normal form is a reference to a footnote."""
    if node.tag != "sup" or len(node.children) != 1:
        return False
    link = node.children[0]
    return isinstance(link, Element) and link.attr("role") == REFERENCE


def is_normal_reference(tree: KeptTree, link: int) -> bool:
    """Return whether a link of a page is a reference as the normal form has it, label included."""
    if tree.attr(link, "role") != REFERENCE:
        return False
    address = tree.attr(link, "href") or ""
    is_own = address.startswith("#") and _ID.fullmatch(address, 1) is not None
    return is_own and tree.text(link) == address.removeprefix("#fn-")


def is_normal_note(tree: KeptTree, index: int) -> bool:
    """Return whether an element of a page is a note as the normal form has it."""
    is_marked = tree.attr(index, "role") == NOTE
    return is_marked and _ID.fullmatch(tree.attr(index, "id") or "") is not None


def note_label(note: Element) -> str:
    """Return the label of a footnote in the normal form."""
    return (note.attr("id") or "").removeprefix("fn-")


@dataclass(slots=True)
class _Note:
    block: int
    references: list[int]
    label: str = ""


def normalise_footnotes(
    tree: KeptTree, addresses: dict[int, str | None], page_url: str | None
) -> None:
    """Replace references, mark notes with their labels, and leave out the links back.

    `addresses` are the values of the attribute `href` of the elements `a`.
    """
    links = [
        (link, fragment(address, page_url))
        for link, address in addresses.items()
        if address is not None and "#" in address
    ]
    links = [(link, name) for link, name in links if name]
    if not any(_looks_like_reference(tree, link) for link, _ in links):
        return
    pairs = _pairs(tree, links)
    notes = _find_notes(tree, pairs)
    if notes:
        _drop_back_links(tree, pairs, notes)
        for note in notes:
            _rewrite(tree, note)


def _pairs(tree: KeptTree, links: list[tuple[int, str]]) -> list[tuple[int, int]]:
    """Return the links to elements that are in the tree, with these elements."""
    wanted = {name for _, name in links}
    hidden = tree.replaced_rows()
    elements = [
        index for index, tag in enumerate(tree.tags) if tag and tree.nodes[index] is not None
    ]
    named: dict[str, int] = {}
    ids = attribute_values([tree.nodes[index] for index in elements], "id")
    for index, name in zip(elements, ids, strict=True):
        names = (name, tree.attr(index, "name")) if tree.tags[index] == "a" else (name,)
        for each in names:
            if each in wanted and index not in hidden:
                named.setdefault(each, index)
    return [(link, named[name]) for link, name in links if name in named and link not in hidden]


def _find_notes(tree: KeptTree, pairs: list[tuple[int, int]]) -> list[_Note]:
    """Return the notes with their labels, in the order of their first reference.

    `pairs` are links within the page and their targets. A note within another is left out.
    """
    found: dict[int, _Note] = {}
    for link, target in pairs:
        if _looks_like_reference(tree, link):
            block = _note_block(tree, target)
            if block is None or block <= link:
                continue  # not wholly after its reference
            if block in found:
                found[block].references.append(link)
            elif next(tree.inside(block, *_HEADINGS), None) is None:
                found[block] = _Note(block, [link])
    notes = [
        note
        for note in found.values()
        if not any(above in found for above in tree.ancestors(note.block))
    ]
    _label(tree, notes)
    return notes


def _label(tree: KeptTree, notes: list[_Note]) -> None:
    """Label each note as its reference does, or with the next free number."""
    wanted = [tree.text(note.references[0]).strip(_BRACKETS) for note in notes]
    taken, used = set(wanted), set[str]()
    number = 1
    for note, label in zip(notes, wanted, strict=True):
        if not _LABEL.fullmatch(label) or label in used:
            while str(number) in taken:
                number += 1
            label = str(number)
            number += 1
        used.add(label)
        note.label = label


def _looks_like_reference(tree: KeptTree, link: int) -> bool:
    text = tree.text(link).strip()
    if not text or len(text) > _MAX_MARK:
        return False
    parent = tree.parents[link]
    if parent >= 0 and tree.tags[parent] == "sup":
        return True
    if any(tree.tags[child] == "sup" for child in tree.children(link)):
        return True
    words = " ".join(tree.attr(link, name) or "" for name in ("class", "role", "epub:type", "rel"))
    return _MARKED.search(words) is not None


def _note_block(tree: KeptTree, target: int) -> int | None:
    """Return the block that is the target of a reference, or that holds it."""
    near = islice(chain([target], tree.ancestors(target)), _MAX_CLIMB)
    return next((index for index in near if tree.tags[index] in _BLOCKS), None)


def _drop_back_links(tree: KeptTree, pairs: list[tuple[int, int]], notes: list[_Note]) -> None:
    """Leave out the links from a note to the place that refers to it."""
    blocks = {note.block for note in notes}
    references = {link for note in notes for link in note.references}
    for link, target in pairs:
        if link in references or target >= link:
            continue
        if blocks.isdisjoint(tree.ancestors(link)):
            continue
        if target in blocks or not blocks.isdisjoint(tree.ancestors(target)):
            continue  # it points to an earlier note
        marked = _BACK.search(f"{tree.attr(link, 'class') or ''} {tree.attr(link, 'role') or ''}")
        if marked or len(tree.text(link).strip()) <= _MAX_MARK:
            holders = (
                index
                for index in chain([link], tree.ancestors(link))
                if "mw-cite-backlink" in (tree.attr(index, "class") or "").split()
            )
            tree.replaced[next(holders, link)] = None


def _rewrite(tree: KeptTree, note: _Note) -> None:
    for link in note.references:
        mark = Element("a", {"href": f"#fn-{note.label}", "role": REFERENCE}, [Text(note.label)])
        around = tree.parents[link]
        has_only_link = (
            around >= 0
            and tree.tags[around] == "sup"
            and len(list(tree.children(around))) <= 3  # brackets and the link
            and tree.text(around).strip(_BRACKETS) == tree.text(link).strip(_BRACKETS)
        )
        tree.replaced[around if has_only_link else link] = Element("sup", None, [mark])
    _drop_label(tree, note)
    tree.notes[note.block] = note.label
    if tree.tags[note.block] not in _CONTAINERS:
        tree.tags[note.block] = "aside"


def _drop_label(tree: KeptTree, note: _Note) -> None:
    """Drop the label where the note repeats it as its first word."""
    index, stop = note.block + 1, tree.ends[note.block]
    while index < stop:
        if index in tree.replaced:
            if node_text(tree.replaced[index]).strip():
                return
            index = tree.ends[index]
            continue
        text = tree.texts[index]
        if text.strip():
            match = re.match(rf"\s*[\[(]?{re.escape(note.label)}[\]).:]*(\s+|$)", text)
            if match:
                tree.texts[index] = text[match.end() :]
            return
        index += 1
