"""Footnotes: references in the text, the notes they point to, and the links back.

A reference is a short raised link to a later element of the page. Its note is that element, or the
block around it. Afterwards a reference is `sup > a[role=doc-noteref]` and a note is held by
`aside[role=doc-footnote]`, both named by the note's label; links back are gone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from turbohtml import Element, Node, Text

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
_LONGEST_MARK = 16  # characters; a longer raised link is prose
_CLIMB = 6  # how far above its anchor a note may begin


@dataclass(slots=True)
class _Note:
    block: Element
    references: list[Element]
    label: str = ""


def settle_footnotes(body: Element, page: str | None) -> None:
    """Rewrite references and notes to their one form and drop the links back."""
    nodes = list(body.descendants)
    order = {id(node): place for place, node in enumerate(nodes)}
    names: dict[str, Element] = {}
    links: list[tuple[Element, str]] = []
    for node in nodes:
        if isinstance(node, Element):
            for name in (node.attr("id"), node.attr("name") if node.tag == "a" else None):
                if name:
                    names.setdefault(name, node)
            target = fragment(node.attr("href"), page) if node.tag == "a" else ""
            if target:
                links.append((node, target))
    pairs = [(link, names[name]) for link, name in links if name in names]
    notes = _find_notes(pairs, order)
    if notes:
        _drop_back_links(pairs, notes, order)
        for note in notes:
            _rewrite(note)


def _find_notes(pairs: list[tuple[Element, Element]], order: dict[int, int]) -> list[_Note]:
    """The notes in the order of their first reference, labelled; none within another."""
    found: dict[int, _Note] = {}
    for link, target in pairs:
        if _is_reference(link):
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
    """Name each note as its reference does, or by the next number that is free."""
    wanted = [note.references[0].text.strip(_BRACKETS) for note in notes]
    taken = set(wanted)
    used: set[str] = set()
    number = 1
    for note, label in zip(notes, wanted, strict=True):
        if not _LABEL.fullmatch(label) or label in used:
            while str(number) in taken:
                number += 1
            label = str(number)
            number += 1
        used.add(label)
        note.label = label


def _is_reference(link: Element) -> bool:
    text = link.text.strip()
    if not text or len(text) > _LONGEST_MARK:
        return False
    parent = link.parent
    raised = isinstance(parent, Element) and parent.tag == "sup"
    raised = raised or any(isinstance(child, Element) and child.tag == "sup" for child in link)
    words = " ".join(link.attr(name) or "" for name in ("class", "role", "epub:type", "rel"))
    return raised or _MARKED.search(words) is not None


def _note_block(target: Element) -> Element | None:
    """The block at or around the place that a reference points to."""
    node: Node | None = target
    for _ in range(_CLIMB):
        if not isinstance(node, Element):
            return None
        if node.tag in _BLOCKS:
            return node
        node = node.parent
    return None


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
        if marked or len(link.text.strip()) <= _LONGEST_MARK:
            holder = link.closest(".mw-cite-backlink")
            (link if holder is None else holder).extract()


def _rewrite(note: _Note) -> None:
    for link in note.references:
        mark = Element("a", {"href": f"#fn-{note.label}", "role": REFERENCE}, [Text(note.label)])
        shell = link.parent
        alone = (
            isinstance(shell, Element)
            and shell.tag == "sup"
            and len(shell) <= 3  # brackets and the link
            and shell.text.strip(_BRACKETS) == link.text.strip(_BRACKETS)
        )
        holder = shell if alone and shell is not None else link
        holder.replace_with(Element("sup", None, [mark]))
    _drop_label(note)
    attributes = {"role": NOTE, "id": f"fn-{note.label}"}
    if note.block.tag in _CONTAINERS:
        note.block.wrap_children(Element("aside", attributes))
    else:
        note.block.replace_with(aside := Element("aside", attributes))
        aside.extend(list(note.block.children))


def _drop_label(note: _Note) -> None:
    """Drop the label where the note repeats it as its first word."""
    for node in note.block.descendants:
        if isinstance(node, Text) and node.data.strip():
            match = re.match(rf"\s*[\[(]?{re.escape(note.label)}[\]).:]*(\s+|$)", node.data)
            if match:
                node.data = node.data[match.end() :]
            return
