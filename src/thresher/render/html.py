"""Sanitised HTML: one `article` with elements and attributes from a fixed list."""

from __future__ import annotations

import re

from thresher.page.addresses import is_safe
from thresher.render.compiled import use_compiled
from thresher.render.scan import character_table, has_any
from thresher.render.tree import Element, Node, Text

_TAGS = frozenset(
    "a aside blockquote br caption code dd del details div dl dt em figcaption figure h1 h2 h3 h4 "
    "h5 h6 hr img ins kbd li mark ol p pre q span strong sub summary sup table tbody td th tr u "
    "ul".split()
)
_STARTS = {tag: f"<{tag}>" for tag in _TAGS}
_ENDS = {tag: f"</{tag}>" for tag in _TAGS}
_DROPPED = frozenset({"script", "style", "template", "iframe", "noembed"})  # with their content
_VOID = frozenset({"br", "hr", "img"})
_ATTRIBUTES = {
    "a": frozenset({"href", "title", "role"}),
    "aside": frozenset({"id", "role"}),
    "code": frozenset({"class"}),
    "img": frozenset({"src", "alt", "title"}),
    "li": frozenset({"value"}),
    "ol": frozenset({"start", "reversed", "type"}),
    "span": frozenset({"class"}),
}
_VALUES = {  # what these attributes may hold; the others may hold anything
    "a role": re.compile(r"doc-noteref"),
    "aside role": re.compile(r"doc-footnote"),
    "aside id": re.compile(r"fn-\w+"),
    "code class": re.compile(r"language-[\w+#.-]+"),
    "span class": re.compile(r"math (?:inline|display)"),
}
_ANY = frozenset({"alt", "title"})  # attributes that may hold anything
_BOXES = ('<input type="checkbox" disabled>', '<input type="checkbox" disabled checked>')
_MARKUP = character_table('&<>"\u00a0')
_URLS = frozenset({"href", "src"})


def html(body: Element, *, links: bool = True) -> str:
    """Return the HTML of a tree in the normal form, safe to show in a page.

    Elements and attributes that are not in the lists above are not written, whatever the tree
    holds. Without `links`, references to footnotes are not links either.
    """
    return _written(body, links)


def _written(body: Element, links: bool) -> str:
    parts = ["<article>"]
    stack: list[Node | str] = ["</article>", *reversed(body.children)]
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            parts.append(node)
            continue
        if isinstance(node, Text):
            words = node
            parts.append(_escaped(words.data))
            continue
        element = node
        tag = element.tag
        if tag in _ENDS and (links or tag != "a"):
            parts.append(_start_tag(element) if element.attrs else _STARTS[tag])
            if tag not in _VOID:
                stack.append(_ENDS[tag])
                stack += (_with_sections(element) if tag == "table" else element.children)[::-1]
        elif tag == "input":
            if element.attr("type") == "checkbox":
                parts.append(_BOXES[element.attr("checked") is not None])
        elif tag not in _DROPPED:
            stack += element.children[::-1]
    return "".join(parts)


def _with_sections(table: Element) -> list[Node | str]:
    """Return the content of a table with its rows in a `tbody`."""
    rows = [node for node in table.children if isinstance(node, Element) and node.tag == "tr"]
    others = [node for node in table.children if not isinstance(node, Element) or node.tag != "tr"]
    return [*others, "<tbody>", *rows, "</tbody>"] if rows else [*others]


def _start_tag(node: Element) -> str:
    tag, attributes = node.tag, node.attrs or {}
    allowed = _ATTRIBUTES.get(tag, frozenset())
    written = f"<{tag}"
    for name, value in attributes.items():
        if (name in allowed or name == "dir") and _is_allowed(tag, name, value):
            written += f' {name}="{_escaped(value, True)}"'
    return written + ">"


def _is_allowed(tag: str, name: str, value: str) -> bool:
    if name in _URLS:
        return is_safe(value)
    pattern = None if name in _ANY else _VALUES.get(f"{tag} {name}")
    return pattern is None or pattern.fullmatch(value) is not None


def _escaped(text: str, quotes: bool = False) -> str:
    """Return text as it is written in HTML."""
    if not has_any(text, _MARKUP):
        return text
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    text = text.replace("\u00a0", "&nbsp;")
    return text.replace('"', "&quot;") if quotes else text


use_compiled(globals(), "html")
