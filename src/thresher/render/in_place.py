"""Hide in place: the whole page as HTML, with everything but the selection made invisible.

Insa, Silva, Tamarit 2013, section 6: taking the rest out of a page would move what is kept, so each
root of a subtree without kept text is given `visibility: hidden`. It still takes its space, and
the layout stays. Text beside kept text in one element is wrapped in a `span` first. An element of
such a subtree may state its own visibility, in its style or, in SVG, as an attribute. This is
overridden: our declaration comes first, so that no unclosed comment or string hides it, it is
marked as important, and any other in the same style is removed.

The page is otherwise unchanged, scripts included, so it is as safe as the page itself. So that it
can be opened from a file, it names its charset, utf-8, and its URL as `<base>` if that is known.
A style sheet that makes elements inside such a subtree visible by name still does so.

Where no `span` is allowed (in SVG and MathML, `option`, `textarea` and the like), dropped text
beside kept text is removed.
"""

from __future__ import annotations

import re
import sys

import numpy as np
import turbohtml

from thresher.page import Node, Page, Selection
from thresher.page.array_types import Bools
from thresher.page.arrays import inside
from thresher.page.tags import lookup

_STYLE = "visibility: hidden !important"
_OVERRIDDEN = ("visibility", "all")  # properties
_NEVER_SHOWN = lookup("script style template link meta base title")
_NO_SPAN = lookup("svg math option textarea select title noscript noembed noframes iframe xmp")
# CSS Syntax 3, section 4: a comment, a string, a bracket, an escape, or the end of a declaration.
_CSS = re.compile(
    r"""/\*(?:[^*]|\*(?!/))*+(?:\*/)?|"(?:[^"\\\n]|\\[\s\S])*+"?|'(?:[^'\\\n]|\\[\s\S])*+'?"""
    r"|[(\[{]|[)\]}]|\\[\s\S]?|;"
)
_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})[ \t\n]?|([\s\S]))")


def hide_in_place(selection: Selection) -> str:
    """Return the HTML of the selection's page, with everything that is not kept made invisible."""
    while selection.page.base is not None:  # only a page that was parsed has a tree
        selection = selection.lift()
    page = selection.page
    if page.body < 0:
        return page.source
    nodes = page.load(page, False)
    document = nodes[0].parent
    no_span = inside(_NO_SPAN[page.tag], page.end)
    for row in np.flatnonzero(_roots_to_hide(page, selection)).tolist():
        if page.tag[row] != 0:
            _hide(nodes[row])
        elif no_span[row]:
            nodes[row].extract()
        else:
            nodes[row].wrap(turbohtml.Element("span", {"style": _STYLE}))
    _write_head(document, page.url)
    return str(document.html)


def _roots_to_hide(page: Page, selection: Selection) -> Bools:
    """Return one bool per row: True if it is dropped, its parent is not, and it is not blank."""
    kept = selection.kept.copy()
    kept[: page.body + 1] = True  # the head holds no text that is shown
    is_root = ~kept & kept[np.maximum(page.parent, 0)]
    is_blank = (page.tag == 0) & (page.chars == 0)
    roots: Bools = is_root & ~_NEVER_SHOWN[page.tag] & ~is_blank
    return roots


def _hide(root: Node) -> None:
    """Make an element invisible, and those inside it that state their own visibility."""
    _set_style(root)
    for node in root.select("[style], [visibility]"):
        if node.attr("visibility") is not None or _may_set_visibility(node.attr("style") or ""):
            _set_style(node)


def _set_style(node: Node) -> None:
    """Add `_STYLE` to the style of an element."""
    style = (node.attr("style") or "").strip()
    rest = _without_visibility(style) if _may_set_visibility(style) else style
    node.attrs["style"] = f"{_STYLE}; {rest}" if rest else _STYLE


def _may_set_visibility(style: str) -> bool:
    """Return whether a style may set the visibility; letters may be written as escapes."""
    lower = style.lower()
    return "visib" in lower or "\\" in lower or "all" in lower


def _without_visibility(style: str) -> str:
    """Return the declarations of a style except `visibility` and `all`, without comments."""
    parts, declarations, depth, at = [], [], 0, 0
    for match in _CSS.finditer(style):
        parts.append(style[at : match.start()])
        at = match.end()
        mark = match[0]
        depth = max(0, depth + (mark in "([{") - (mark in ")]}"))
        if mark == ";" and depth == 0:
            declarations.append("".join(parts).strip())
            parts = []
        else:
            parts.append(" " if mark.startswith("/*") else mark)
    declarations.append("".join([*parts, style[at:]]).strip())
    return "; ".join(each for each in declarations if each and _name(each) not in _OVERRIDDEN)


def _name(declaration: str) -> str:
    """Return the name of the property, with its escapes resolved."""
    return _ESCAPE.sub(_unescape, declaration.partition(":")[0]).strip().lower()


def _unescape(escape: re.Match[str]) -> str:
    if escape[1] is None:
        return escape[2]
    point = int(escape[1], 16)
    return chr(point) if 0 < point <= sys.maxunicode else "\ufffd"


def _write_head(document: Node, url: str | None) -> None:
    """Name the charset, and the URL that links and style sheets are relative to."""
    head = document.select_one("head")
    if head is None:
        return
    for meta in head.select('meta[charset], meta[http-equiv="content-type" i]'):
        meta.extract()
    if url is not None and document.select_one("base[href]") is None:
        head.insert(0, turbohtml.Element("base", {"href": url}))
    head.insert(0, turbohtml.Element("meta", {"charset": "utf-8"}))
