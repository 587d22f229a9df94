"""TEI P5 from the normal form: a header, and the text as nested divisions.

A heading opens a `div` that holds what follows down to the next heading of its level or above; a
heading within a list, quotation or cell, where TEI has no place for `head`, becomes a `label`. The
schema beside this module (`tei.rng`) is the part of TEI P5 (https://tei-c.org/guidelines/p5/) used.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from turbohtml import Element, Node, Text

from thresher.render.footnotes import NOTE, REFERENCE
from thresher.render.list_numbers import item_numbers
from thresher.render.open_elements import HEADINGS, INLINE
from thresher.render.options import Include
from thresher.render.tei import header as tei_header
from thresher.render.tei.header import Header, escaped, quoted, target

_LANGUAGE = re.compile(r"[a-zA-Z]{1,8}(?:-[a-zA-Z0-9]{1,8})*")
_RENDITION = {
    "em": "italic",
    "strong": "bold",
    "u": "underline",
    "ins": "underline",
    "mark": "mark",
    "sub": "subscript",
    "sup": "superscript",
    "kbd": "keyboard",
}
_SIMPLE = {  # elements written as one TEI element, with its start tag
    "p": ("p", "<p>"),
    "ul": ("list", '<list type="unordered">'),
    "blockquote": ("quote", "<quote>"),
    "table": ("table", "<table>"),
    "tr": ("row", "<row>"),
    "td": ("cell", "<cell>"),
    "th": ("cell", '<cell role="label">'),
    "caption": ("head", "<head>"),
    "figure": ("figure", "<figure>"),
    "figcaption": ("head", "<head>"),
    "summary": ("label", "<label>"),
    "q": ("quote", '<quote rend="inline">'),
    "del": ("del", "<del>"),
}


def tei(body: Element, *, header: Header = Header(), include: Include = Include()) -> str:
    """The TEI document of a prepared tree: always well-formed, valid against `tei.rng`."""
    writer = _Writer(include)
    writer.write(body)
    text = "".join(writer.parts)
    if not writer.has_text:
        text += "<p/>"  # a body needs a block other than figures, notes and milestones
    known = _LANGUAGE.fullmatch(header.language) is not None
    lang = f" xml:lang={quoted(header.language)}" if known else ""
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<TEI xmlns="http://www.tei-c.org/ns/1.0"{lang}>\n'
        f"{tei_header.write(header)}\n"
        f"<text><body>{text}</body></text>\n"
        "</TEI>\n"
    )


class _Writer:
    """Walks the normal form without recursion and collects the pieces of XML."""

    def __init__(self, include: Include) -> None:
        self.include = include
        self.parts: list[str] = []
        self.divisions: list[int] = []  # the levels of the headings of the open divisions
        self.has_text = False
        self.labels: set[str] = set()  # notes already written: an xml:id is unique

    def write(self, body: Element) -> None:
        """Write the blocks of the body, each heading opening its division."""
        for block in body.children:
            if isinstance(block, Element) and block.tag not in ("figure", "hr", "aside"):
                self.has_text = True
            if isinstance(block, Element) and block.tag in HEADINGS:
                level = int(block.tag[1])
                self._close_divisions(level)
                self.divisions.append(level)
                self.parts.append("<div><head>")
                self._walk([*block.children])
                self.parts.append("</head>")
            else:
                self._walk([block])
        self._close_divisions(0)

    def _close_divisions(self, level: int) -> None:
        while self.divisions and self.divisions[-1] >= level:
            self.divisions.pop()
            self.parts.append("</div>")

    def _walk(self, nodes: list[Node]) -> None:
        stack: list[Node | str] = [*reversed(nodes)]
        while stack:
            node = stack.pop()
            if isinstance(node, str):
                self.parts.append(node)
            elif isinstance(node, Text):
                self.parts.append(escaped(node.data))
            elif isinstance(node, Element):
                stack.extend(reversed(self._element(node)))

    def _element(self, node: Element) -> list[Node | str]:
        """The pieces of one element: XML as it stands, and nodes still to be written."""
        tag = node.tag
        if tag in _SIMPLE:
            name, start = _SIMPLE[tag]
            children: list[Node | str] = [*node.children]
            if tag == "figure":
                children = _in_paragraphs(node)
            return [start, *children, f"</{name}>"]
        if tag in _RENDITION and not _is_reference(node):
            return [f'<hi rend="{_RENDITION[tag]}">', *node.children, "</hi>"]
        special = _SPECIAL.get(tag)
        if special is not None:
            return special(self, node)
        if tag in HEADINGS:
            return [f'<label type="head" n="{tag[1]}">', *node.children, "</label>"]
        return [*node.children]

    def _list(self, node: Element) -> list[Node | str]:
        pieces: list[Node | str] = ['<list type="ordered">']
        for item, number in item_numbers(node):
            pieces += [f'<item n="{number}">', *item.children, "</item>"]
        return [*pieces, "</list>"]

    def _glossary(self, node: Element) -> list[Node | str]:
        """Terms and definitions in pairs, as TEI wants them: several of either share one."""
        pieces: list[Node | str] = ['<list type="gloss">']
        for terms, definitions in _pairs(node):
            pieces.append("<label>")
            for place, term in enumerate(terms):
                pieces += ["<lb/>" if place else "", *term.children]
            pieces += ["</label>", "<item>"]
            for definition in definitions:
                several = len(definitions) > 1
                pieces += _in_paragraphs(definition) if several else [*definition.children]
            pieces.append("</item>")
        return [*pieces, "</list>"]

    def _item(self, node: Element) -> list[Node | str]:
        return ["<item>", *node.children, "</item>"]

    def _link(self, node: Element) -> list[Node | str]:
        address = target(node.attr("href") or "")
        if not self.include.links or not address:
            return [*node.children]
        return [f"<ref target={quoted(address)}>", *node.children, "</ref>"]

    def _raised(self, node: Element) -> list[Node | str]:
        """A reference to a footnote."""
        label = escaped(node.text)
        return [f'<ref type="note" target="#fn-{label}">{label}</ref>']

    def _note(self, node: Element) -> list[Node | str]:
        label = (node.attr("id") or "").removeprefix("fn-")
        name = f' n="{escaped(label)}" xml:id="fn-{escaped(label)}"'
        if node.attr("role") != NOTE or not re.fullmatch(r"\w+", label) or label in self.labels:
            name = ""
        self.labels.add(label)
        return [f'<note place="foot"{name}>', *node.children, "</note>"]

    def _image(self, node: Element) -> list[Node | str]:
        address = target(node.attr("src") or "")
        if not self.include.images or not address:
            return []
        alt = node.attr("alt")
        start = f"<graphic url={quoted(address)}"
        return [f"{start}><desc>{escaped(alt)}</desc></graphic>" if alt else f"{start}/>"]

    def _code(self, node: Element) -> list[Node | str]:
        return [f"<code>{escaped(node.text)}</code>"]

    def _block_of_code(self, node: Element) -> list[Node | str]:
        code = node.find("code")
        name = (code.attr("class") or "") if code is not None else ""
        language = name.removeprefix("language-")
        lang = f" lang={quoted(language)}" if language else ""
        start = f'<p><code rend="block"{lang} xml:space="preserve">'
        return [f"{start}{escaped(node.text)}</code></p>"]

    def _formula(self, node: Element) -> list[Node | str]:
        rend = "display" if "display" in (node.attr("class") or "") else "inline"
        text = escaped(node.text.strip("$"))
        return [f'<formula notation="TeX" rend="{rend}">{text}</formula>']

    def _break(self, _node: Element) -> list[Node | str]:
        return ["<lb/>"]

    def _rule(self, _node: Element) -> list[Node | str]:
        return ['<milestone unit="section" rend="rule"/>']


_SPECIAL: dict[str, Callable[[_Writer, Element], list[Node | str]]] = {
    "ol": _Writer._list,
    "dl": _Writer._glossary,
    "li": _Writer._item,
    "a": _Writer._link,
    "sup": _Writer._raised,
    "aside": _Writer._note,
    "img": _Writer._image,
    "code": _Writer._code,
    "pre": _Writer._block_of_code,
    "span": _Writer._formula,
    "br": _Writer._break,
    "hr": _Writer._rule,
}


def _is_reference(node: Element) -> bool:
    if node.tag != "sup" or len(node) != 1:
        return False
    link = node[0]
    return isinstance(link, Element) and link.attr("role") == REFERENCE


def _pairs(glossary: Element) -> list[tuple[list[Element], list[Element]]]:
    """The terms of a glossary that share definitions, with these."""
    pairs: list[tuple[list[Element], list[Element]]] = []
    for child in glossary.children:
        if isinstance(child, Element):
            if not pairs or (child.tag == "dt" and pairs[-1][1]):
                pairs.append(([], []))
            pairs[-1][child.tag == "dd"].append(child)
    return pairs


def _in_paragraphs(holder: Element) -> list[Node | str]:
    """The content of a figure or definition: images stand alone, other lines in a paragraph."""
    pieces: list[Node | str] = []
    line: list[Node] = []
    for child in [*holder.children, None]:
        inline = isinstance(child, Text) or (isinstance(child, Element) and child.tag in INLINE)
        if inline and not (isinstance(child, Element) and child.tag == "img" and not line):
            assert child is not None
            line.append(child)
            continue
        if line:
            pieces += ["<p>", *line, "</p>"]
            line = []
        if child is not None:
            pieces.append(child)
    return pieces
