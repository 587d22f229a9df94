"""TEI P5 from the normal form: a header, and the text as nested divisions.

A heading opens a `div` that holds everything up to the next heading of its level or above. Within a
list, quotation or cell, where TEI does not allow `head`, a heading becomes a `label`. The schema
beside this module (`tei.rng`) is the part of TEI P5 (https://tei-c.org/guidelines/p5/) used.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import takewhile

from thresher.render.code import code_language
from thresher.render.compiled import use_compiled
from thresher.render.footnotes import NOTE, is_reference, note_label
from thresher.render.normal_form import HEADINGS, lines_and_blocks, numbered_items
from thresher.render.tei.header import Header, escaped, quoted, safe_url, write_header
from thresher.render.tree import Element, Node, Text

_LANGUAGE = re.compile(r"[a-zA-Z]{1,8}(?:-[a-zA-Z0-9]{1,8})*")
_NAMES = {  # of TEI elements, with attributes, that have the same content as in the normal form
    "p": "p",
    "ul": 'list type="unordered"',
    "li": "item",
    "blockquote": "quote",
    "table": "table",
    "tr": "row",
    "td": "cell",
    "th": 'cell role="label"',
    "caption": "head",
    "figcaption": "head",
    "summary": "label",
    "q": 'quote rend="inline"',
    "del": "del",
    "em": 'hi rend="italic"',
    "strong": 'hi rend="bold"',
    "u": 'hi rend="underline"',
    "ins": 'hi rend="underline"',
    "mark": 'hi rend="mark"',
    "sub": 'hi rend="subscript"',
    "kbd": 'hi rend="keyboard"',
}
_NAMES |= {tag: f'label type="head" n="{tag[1]}"' for tag in HEADINGS}
_TAGS = {tag: (f"<{name}>", f"</{name.split()[0]}>") for tag, name in _NAMES.items()}
_EMPTY = {"br": "<lb/>", "hr": '<milestone unit="section" rend="rule"/>'}


def tei(body: Element, *, header: Header = Header()) -> str:
    """Return a tree in the normal form as a TEI document, valid against `tei.rng`."""
    writer = _Writer()
    writer.write(body)
    text = "".join(writer.parts)
    if not writer.has_text:
        text += "<p/>"  # a body needs a block other than figures, notes and milestones
    is_language = _LANGUAGE.fullmatch(header.language) is not None
    lang = f" xml:lang={quoted(header.language)}" if is_language else ""
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<TEI xmlns="http://www.tei-c.org/ns/1.0"{lang}>\n'
        f"{write_header(header)}\n"
        f"<text><body>{text}</body></text>\n"
        "</TEI>\n"
    )


class _Writer:
    """Walks the normal form without recursion and collects the pieces of XML."""

    __slots__ = ("divisions", "has_text", "labels", "parts")

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.divisions: list[int] = []  # the levels of the headings of the open divisions
        self.has_text = False
        self.labels: set[str] = set()  # of notes already written: an xml:id is unique

    def write(self, body: Element) -> None:
        """Write the blocks of the body; each heading opens its division."""
        for block in body.children:
            tag = block.tag if isinstance(block, Element) else ""
            if tag not in ("", "figure", "hr", "aside"):
                self.has_text = True
            if isinstance(block, Element) and tag in HEADINGS:
                level = int(tag[1])
                self._close_divisions(level)
                self.divisions.append(level)
                self._walk(["<div><head>", *block.children, "</head>"])
            else:
                self._walk([block])
        self._close_divisions(0)

    def _close_divisions(self, level: int) -> None:
        while self.divisions and self.divisions[-1] >= level:
            self.divisions.pop()
            self.parts.append("</div>")

    def _walk(self, pieces: list[Node | str]) -> None:
        stack = pieces[::-1]
        while stack:
            piece = stack.pop()
            if isinstance(piece, str):
                self.parts.append(piece)
            elif isinstance(piece, Text):
                self.parts.append(escaped(piece.data))
            elif isinstance(piece, Element):
                stack.extend(reversed(self._element(piece)))

    def _element(self, node: Element) -> list[Node | str]:
        """Return the pieces of one element: XML, and nodes that are still to be written."""
        tag = node.tag
        if tag in _TAGS:
            start, end = _TAGS[tag]
            return [start, *node.children, end]
        if tag in _EMPTY:
            return [_EMPTY[tag]]
        write = _WRITERS.get(tag)
        return [*node.children] if write is None else write(self, node)

    def _ordered_list(self, node: Element) -> list[Node | str]:
        pieces: list[Node | str] = ['<list type="ordered">']
        for item, number in numbered_items(node):
            pieces += [f'<item n="{number}">', *item.children, "</item>"]
        return [*pieces, "</list>"]

    def _glossary(self, node: Element) -> list[Node | str]:
        """Write pairs of a term and a definition, as TEI requires; several of either share one."""
        pieces: list[Node | str] = ['<list type="gloss">']
        for terms, definitions in _glossary_pairs(node):
            pieces.append("<label>")
            for index, term in enumerate(terms):
                pieces += ["<lb/>" if index else "", *term.children]
            pieces += ["</label>", "<item>"]
            for definition in definitions:
                several = len(definitions) > 1
                pieces += _in_paragraphs(definition) if several else [*definition.children]
            pieces.append("</item>")
        return [*pieces, "</list>"]

    def _figure(self, node: Element) -> list[Node | str]:
        return ["<figure>", *_in_paragraphs(node), "</figure>"]

    def _link(self, node: Element) -> list[Node | str]:
        url = safe_url(node.attr("href") or "")
        if not url:
            return [*node.children]
        return [f"<ref target={quoted(url)}>", *node.children, "</ref>"]

    def _superscript(self, node: Element) -> list[Node | str]:
        if not is_reference(node):
            return ['<hi rend="superscript">', *node.children, "</hi>"]
        label = escaped(node.text)
        return [f'<ref type="note" target="#fn-{label}">{label}</ref>']

    def _note(self, node: Element) -> list[Node | str]:
        label = note_label(node)
        name = f' n="{escaped(label)}" xml:id="fn-{escaped(label)}"'
        if node.attr("role") != NOTE or not re.fullmatch(r"\w+", label) or label in self.labels:
            name = ""
        self.labels.add(label)
        return [f'<note place="foot"{name}>', *node.children, "</note>"]

    def _image(self, node: Element) -> list[Node | str]:
        url, alt = safe_url(node.attr("src") or ""), node.attr("alt")
        if not url:
            return []
        start = f"<graphic url={quoted(url)}"
        return [f"{start}><desc>{escaped(alt)}</desc></graphic>" if alt else f"{start}/>"]

    def _code(self, node: Element) -> list[Node | str]:
        return [f"<code>{escaped(node.text)}</code>"]

    def _code_block(self, node: Element) -> list[Node | str]:
        language = code_language(node)
        lang = f" lang={quoted(language)}" if language else ""
        start = f'<p><code rend="block"{lang} xml:space="preserve">'
        return [f"{start}{escaped(node.text)}</code></p>"]

    def _formula(self, node: Element) -> list[Node | str]:
        rend = "display" if "display" in (node.attr("class") or "") else "inline"
        text = escaped(node.text.strip("$"))
        return [f'<formula notation="TeX" rend="{rend}">{text}</formula>']


_WRITERS: dict[str, Callable[[_Writer, Element], list[Node | str]]] = {
    "ol": _Writer._ordered_list,
    "dl": _Writer._glossary,
    "figure": _Writer._figure,
    "a": _Writer._link,
    "sup": _Writer._superscript,
    "aside": _Writer._note,
    "img": _Writer._image,
    "code": _Writer._code,
    "pre": _Writer._code_block,
    "span": _Writer._formula,
}


def _glossary_pairs(glossary: Element) -> list[tuple[list[Element], list[Element]]]:
    """Return the terms that share definitions, with these definitions."""
    pairs: list[tuple[list[Element], list[Element]]] = []
    for child in glossary.children:
        if isinstance(child, Element):
            if not pairs or (child.tag == "dt" and pairs[-1][1]):
                pairs.append(([], []))
            terms, definitions = pairs[-1]
            (definitions if child.tag == "dd" else terms).append(child)
    return pairs


def _in_paragraphs(holder: Element) -> list[Node | str]:
    """Return the content of a figure or definition with its lines in paragraphs.

    Images at the start of a line are not put into the paragraph.
    """
    pieces: list[Node | str] = []
    for piece in lines_and_blocks(holder):
        if isinstance(piece, Element):
            pieces.append(piece)
            continue
        images = list(takewhile(_is_image, piece))
        pieces += images
        if len(images) < len(piece):
            pieces += ["<p>", *piece[len(images) :], "</p>"]
    return pieces


def _is_image(node: Node) -> bool:
    return isinstance(node, Element) and node.tag == "img"


use_compiled(globals(), "tei")
