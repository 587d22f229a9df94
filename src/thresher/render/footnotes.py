"""Footnotes: references in the text, the notes they point to, and the links back.

A reference is a short raised link to a later element of the page. Its note is that element, or the
block around it. In the normal form a reference is `sup > a[role=doc-noteref]` and a note is an
`aside[role=doc-footnote]` with the id `fn-` and the note's label; links back are dropped.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import chain, islice

from turbohtml import Element, Text

from thresher.render.node_set import NodeSet
from thresher.render.urls import fragment

REFERENCE = "doc-noteref"
NOTE = "doc-footnote"
_BLOCKS = frozenset({"li", "p", "div", "dd", "aside", "section", "td", "blockquote"})
_CONTAINERS = frozenset({"li", "dd", "td"})
_MARKED = re.compile(r"noteref|footnote|endnote|cite[-_]?ref|reference")
_BACK = re.compile(r"back-?ref|back-?link|reversefootnote|footnote-back|doc-backlink")
_BRACKETS = "[](){} \t\n\u00a0.:*†‡↩↑^"
_LABEL = re.compile(r"\w{1,12}")
_MAX_MARK = 16  # characters; a longer raised link is prose
_MAX_CLIMB = 6  # elements from the target of a reference up to its note


def is_reference(node: Element) -> bool:
    """Return whether an element of the normal form is a reference to a footnote."""
    if node.tag != "sup" or len(node) != 1:
        return False
    link = node[0]
    return isinstance(link, Element) and link.attr("role") == REFERENCE


def note_label(note: Element) -> str:
    """Return the label of a footnote in the normal form."""
    return (note.attr("id") or "").removeprefix("fn-")


@dataclass(slots=True)
class _Note:
    block: Element
    references: list[Element]
    label: str = ""


def normalise_footnotes(body: Element, page_url: str | None) -> None:
    """Rewrite references and notes to the normal form and drop the links back."""
    nodes = list(body.descendants)
    order = {id(node): index for index, node in enumerate(nodes)}
    named: dict[str, Element] = {}
    links: list[tuple[Element, str]] = []
    for node in nodes:
        if isinstance(node, Element):
            for name in (node.attr("id"), node.attr("name") if node.tag == "a" else None):
                if name:
                    named.setdefault(name, node)
            target = fragment(node.attr("href"), page_url) if node.tag == "a" else ""
            if target:
                links.append((node, target))
    pairs = [(link, named[name]) for link, name in links if name in named]
    notes = _find_notes(pairs, order)
    if notes:
        _drop_back_links(pairs, notes, order)
        for note in notes:
            _rewrite(note)


def _find_notes(pairs: list[tuple[Element, Element]], order: dict[int, int]) -> list[_Note]:
    """Return the notes with their labels, in the order of their first reference.

    `pairs` are links within the page and their targets. A note within another is left out.
    """
    found: dict[int, _Note] = {}
    for link, target in pairs:
        if _looks_like_reference(link):
            block = _note_block(target)
            if block is None or order.get(id(block), -1) <= order[id(link)]:
                continue  # not wholly after its reference
            if id(block) in found:
                found[id(block)].references.append(link)
            elif block.select_one("h1, h2, h3, h4, h5, h6") is None:
                found[id(block)] = _Note(block, [link])
    notes = [
        note
        for note in found.values()
        if not any(id(above) in found for above in note.block.ancestors)
    ]
    _label(notes)
    return notes


def _label(notes: list[_Note]) -> None:
    """Label each note as its reference does, or with the next free number."""
    wanted = [note.references[0].text.strip(_BRACKETS) for note in notes]
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


def _looks_like_reference(link: Element) -> bool:
    text = link.text.strip()
    if not text or len(text) > _MAX_MARK:
        return False
    is_raised = any(
        isinstance(node, Element) and node.tag == "sup" for node in (link.parent, *link)
    )
    words = " ".join(link.attr(name) or "" for name in ("class", "role", "epub:type", "rel"))
    return is_raised or _MARKED.search(words) is not None


def _note_block(target: Element) -> Element | None:
    """Return the block that is the target of a reference, or that holds it."""
    near = islice(chain([target], target.ancestors), _MAX_CLIMB)
    return next((node for node in near if isinstance(node, Element) and node.tag in _BLOCKS), None)


def _drop_back_links(
    pairs: list[tuple[Element, Element]], notes: list[_Note], order: dict[int, int]
) -> None:
    """Remove the links from a note to the place that refers to it."""
    blocks = NodeSet(note.block for note in notes)
    references = NodeSet(link for note in notes for link in note.references)
    for link, target in pairs:
        if link in references or order[id(target)] >= order[id(link)]:
            continue
        if not any(above in blocks for above in link.ancestors):
            continue
        if target in blocks or any(above in blocks for above in target.ancestors):
            continue  # it points to an earlier note
        marked = _BACK.search(f"{link.attr('class') or ''} {link.attr('role') or ''}")
        if marked or len(link.text.strip()) <= _MAX_MARK:
            holder = link.closest(".mw-cite-backlink")
            (link if holder is None else holder).extract()


def _rewrite(note: _Note) -> None:
    for link in note.references:
        mark = Element("a", {"href": f"#fn-{note.label}", "role": REFERENCE}, [Text(note.label)])
        around = link.parent
        has_only_link = (
            isinstance(around, Element)
            and around.tag == "sup"
            and len(around) <= 3  # brackets and the link
            and around.text.strip(_BRACKETS) == link.text.strip(_BRACKETS)
        )
        holder = around if has_only_link and around is not None else link
        holder.replace_with(Element("sup", None, [mark]))
    _drop_label(note)
    aside = Element("aside", {"role": NOTE, "id": f"fn-{note.label}"})
    if note.block.tag in _CONTAINERS:
        note.block.wrap_children(aside)
    else:
        note.block.replace_with(aside)
        aside.extend(list(note.block.children))


def _drop_label(note: _Note) -> None:
    """Drop the label where the note repeats it as its first word."""
    for node in note.block.descendants:
        if isinstance(node, Text) and node.data.strip():
            match = re.match(rf"\s*[\[(]?{re.escape(note.label)}[\]).:]*(\s+|$)", node.data)
            if match:
                node.data = node.data[match.end() :]
            return
