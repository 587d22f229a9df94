"""TEI P5 from the normal form: a header, and the text as nested divisions.

A heading opens a `div` that holds everything up to the next heading of its level or above. Within a
list, quotation or cell, where TEI does not allow `head`, a heading becomes a `label`. Each post of
a thread is a `div` whose `opener` has author, time and votes; readers' comments are a division of
the `back`. The schema beside this module (`tei.rng`) is the part of TEI P5
(https://tei-c.org/guidelines/p5/) used.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import takewhile

from thresher.page.plain_text.lists import TASK_SIGNS
from thresher.render.code import code_language
from thresher.render.compiled import use_compiled
from thresher.render.footnotes import NOTE, is_reference, note_label
from thresher.render.normal_form import HEADINGS, lines_and_blocks, numbered_items
from thresher.render.posts import POST
from thresher.render.tei.header import DATE, Header, escaped, quoted, safe_url, write_header
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
# Characters that a name in XML cannot hold (https://www.w3.org/TR/xml/#NT-NameChar, without those
# that few parsers know), and the one that replaces them.
_NOT_IN_NAMES = re.compile(r"[^-.0-9A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u0131\u0370-\u037d]")
_EMPTY = {"br": "<lb/>", "hr": '<milestone unit="section" rend="rule"/>'}


def tei(body: Element, *, header: Header = Header(), comments: Element | None = None) -> str:
    """Return a tree in the normal form as a TEI document, valid against `tei.rng`.

    `comments` is a tree of readers' comments.
    """
    names: set[str] = set()
    text, back = _divisions(body, names), ""
    if comments is not None:
        back = f'<back><div type="comments">{_divisions(comments, names)}</div></back>'
    is_language = _LANGUAGE.fullmatch(header.language) is not None
    lang = f" xml:lang={quoted(header.language)}" if is_language else ""
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<TEI xmlns="http://www.tei-c.org/ns/1.0"{lang}>\n'
        f"{write_header(header)}\n"
        f"<text><body>{text}</body>{back}</text>\n"
        "</TEI>\n"
    )


def _divisions(body: Element, names: set[str]) -> str:
    """Return the blocks and divisions of a tree."""
    writer = _Writer(names)
    writer.write(body)
    # A body needs a block other than figures, notes and milestones.
    return "".join(writer.parts) if writer.has_text else f"{''.join(writer.parts)}<p/>"


class _Writer:
    """Walks the normal form without recursion and collects the pieces of XML."""

    __slots__ = ("divisions", "has_text", "names", "parts")

    def __init__(self, names: set[str]) -> None:
        self.parts: list[str] = []
        self.divisions: list[int] = []  # the levels of the headings of the open divisions
        self.has_text = False
        self.names = names  # the `xml:id` of each note already written, which are unique

    def write(self, body: Element) -> None:
        """Write the blocks of the body; each heading opens its division."""
        for block in body.children:
            tag = block.tag if isinstance(block, Element) else ""
            if tag not in ("", "figure", "hr", "aside"):
                self.has_text = True
            if isinstance(block, Element) and tag == "article":
                self._division(block)
            elif isinstance(block, Element) and tag in HEADINGS:
                level = int(tag[1])
                self._close_divisions(level)
                self.divisions.append(level)
                self._walk(["<div><head>", *block.children, "</head>"])
            else:
                self._walk([block])
        self._close_divisions(0)

    def _division(self, node: Element) -> None:
        """Write a post, or what follows on one, as a division of its own (see `posts`)."""
        around, self.divisions = self.divisions, []
        self.parts.append(_post_start(node.attrs or {}) if node.attr("role") == POST else "<div>")
        self.write(node)
        self.parts.append("</div>")
        self.divisions = around

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
                words = piece
                self.parts.append(escaped(words.data))
            else:
                element = piece
                if element.tag in _TAGS:
                    start, end = _TAGS[element.tag]
                    self.parts.append(start)
                    stack.append(end)
                    stack += element.children[::-1]
                else:
                    stack += self._element(element)[::-1]

    def _element(self, node: Element) -> list[Node | str]:
        """Return the pieces of one element: XML, and nodes that are still to be written."""
        tag = node.tag
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
        name = _note_name(node.text)
        return [f'<ref type="note" target="#{name}">{escaped(node.text)}</ref>']

    def _note(self, node: Element) -> list[Node | str]:
        label = note_label(node)
        name = _note_name(label)
        named = f' n={quoted(label)} xml:id="{name}"'
        if node.attr("role") != NOTE or not label.strip() or name in self.names:
            named = ""
        self.names.add(name)
        return [f'<note place="foot"{named}>', *node.children, "</note>"]

    def _box(self, node: Element) -> list[Node | str]:
        return [TASK_SIGNS[node.attr("checked") is not None]]

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
    "input": _Writer._box,
    "code": _Writer._code,
    "pre": _Writer._code_block,
    "span": _Writer._formula,
}


def _post_start(known: dict[str, str]) -> str:
    """Return the start tag of a post, and its opener with what is known of it."""
    number, parent, votes = known["number"], known.get("parent"), known.get("votes")
    answers = f' corresp="#post-{parent}"' if parent else ""
    start = f'<div type="post" n="{number}" xml:id="post-{number}"{answers}>'
    time = known.get("time", "")
    written = known.get("time-as-written", time)
    when = f' when="{time}"' if DATE.fullmatch(time) else ""
    opener = f'<name type="person">{escaped(known["author"])}</name>' if "author" in known else ""
    opener += f"<date{when}>{escaped(written)}</date>" if written else ""
    opener += f'<num type="votes" value="{votes}">{votes}</num>' if votes else ""
    return f"{start}<opener>{opener}</opener>" if opener else start


def _note_name(label: str) -> str:
    """Return the `xml:id` of a note with this label, in which other characters are numbers."""
    return "fn-" + _NOT_IN_NAMES.sub(lambda match: f"_{ord(match[0]):x}", label)


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
