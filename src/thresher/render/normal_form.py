"""The normal form: one small vocabulary, blocks and lines strictly apart, white space settled.

    block  = h1..h6, p, ul, ol, dl, blockquote, pre > code, table, figure, details, hr, aside
    line   = text, a, em, strong, code, del, ins, u, mark, sub, sup, kbd, q, br, img, span.math
    ul, ol hold li; dl holds dt and dd; table holds caption and tr, tr holds th and td

Bare text in the body, a quotation or `details` is wrapped in p; li, dd, th, td, figure and aside (a
footnote) may hold one line directly. Formatting around blocks moves into their lines, spaces move
out of formatting, equal neighbours merge, empty elements vanish. Nesting deeper than `MAX_FRAMES`
is flattened, so that every output can be read back by parsers with a depth limit.
"""

from __future__ import annotations

from typing import NamedTuple

from turbohtml import Element, Namespace, Node, Text

from thresher.render.footnotes import NOTE, REFERENCE
from thresher.render.inline import Format, Lines
from thresher.render.open_elements import HEADINGS, Frames
from thresher.render.options import Include

MAX_FRAMES = 120  # libxml2 refuses XML deeper than 256; a frame is one element of TEI

_LISTS = {"ul": "ul", "ol": "ol", "menu": "ul", "dir": "ul", "dl": "dl", "table": "table"}
_ITEMS = {"li": ("ul", "ol"), "dt": ("dl",), "dd": ("dl",), "tr": ("table",)}
_ITEMS |= {"td": ("tr",), "th": ("tr",)}
_IMPLIED = {"li": "ul", "dt": "dl", "dd": "dl"}
_PARTS = {"caption": "table", "summary": "details", "figcaption": "figure"}
_BOUNDARIES = frozenset(
    "address article aside body center dialog div fieldset footer form header hgroup html legend "
    "main nav optgroup option pre search section tbody tfoot thead".split()
)
_DROPPED = frozenset(
    "area base col colgroup datalist head iframe input link meta noembed noframes param script "
    "source style template title track wbr".split()
)
_SPACED = frozenset({"button", "desc", "select", "svg", "text", "textarea", "title"})
_FORMATS = {tag: tag for tag in "em strong code del ins u mark sub sup kbd q".split()}
_FORMATS |= {"i": "em", "cite": "em", "var": "em", "dfn": "em", "b": "strong", "tt": "code"}
_FORMATS |= {"samp": "code", "s": "del", "strike": "del"}
_FRAMES = dict.fromkeys(HEADINGS, "line")
_FRAMES |= {"blockquote": "block", "details": "block", "figure": "mixed", "aside": "mixed"}


class _Opened(NamedTuple):
    """What the end of an element has to undo."""

    frames: int  # how many frames were open before
    boundary: bool = False
    spaced: bool = False
    formats: int = -1  # how many formats were wanted before, -1 if none was added
    text: str = ""  # text to add at the end
    direction: bool = False


def normal_form(body: Element, include: Include) -> None:
    """Rewrite the children of `body` to the normal form."""
    root = Element("div")
    _Flow(root, include).read(body)
    body.clear()
    body.extend(list(root.children))


class _Flow:
    """Reads a page's elements in order and writes the normal form."""

    def __init__(self, root: Element, include: Include) -> None:
        self.include = include
        self.frames = Frames(root)
        self.lines = Lines(self.frames.begin_line)

    def read(self, body: Element) -> None:
        """Walk the tree without recursion: `None` ends the element opened last."""
        stack: list[Node | None] = [*reversed(body.children)]
        opened: list[_Opened] = []
        while stack:
            node = stack.pop()
            if node is None:
                self._leave(opened.pop())
            elif isinstance(node, Text):
                self.lines.text(node.data)
            elif isinstance(node, Element) and not self._read_whole(node):
                opened.append(self._enter(node))
                stack.append(None)
                stack.extend(reversed(node.children))
        self.lines.end()

    def _read_whole(self, node: Element) -> bool:
        """Handle an element that is dropped or copied as it is; False for all others."""
        tag = node.tag
        if tag in _DROPPED:
            return not (tag == "title" and node.namespace is Namespace.SVG)
        if tag == "br":
            if self.frames.top.element.tag in HEADINGS:
                self.lines.space = True
            else:
                self.lines.line_break()
        elif tag == "hr" or (tag == "pre" and _is_code(node)):
            if not self._block():
                return False
            self.frames.put(Element("hr") if tag == "hr" else node.extract())
        elif tag == "img":
            if self.include.images and node.attr("src"):
                kept = {name: node.attr(name) or "" for name in ("src", "alt", "title")}
                kept = {name: " ".join(value.split()) for name, value in kept.items() if value}
                self.lines.element(Element("img", kept))
        elif _is_formula(node) or _is_reference(node):
            self.lines.element(node.extract())
        else:
            return False
        return True

    def _enter(self, node: Element) -> _Opened:
        """Open what an element stands for in the normal form."""
        frames = len(self.frames.open)
        direction = self.frames.turn(node.attr("dir"))
        tag = node.tag
        if tag in _FORMATS or tag == "a":
            return self._enter_format(node, frames)._replace(direction=direction)
        if tag == "p":
            self._boundary(paragraph=True)
            return _Opened(frames, boundary=True, direction=direction)
        if tag in _SPACED:
            self.lines.space = True
            return _Opened(frames, spaced=True, direction=direction)
        if tag == "rt" and not _has_brackets(node):
            self.lines.text("(")
            return _Opened(frames, text=")", direction=direction)
        boundary = self._enter_block(node)
        return _Opened(frames, boundary=boundary, direction=direction)

    def _enter_format(self, node: Element, frames: int) -> _Opened:
        wanted = self.lines.wanted
        before = len(wanted)
        if node.tag == "a":
            address = node.attr("href")
            if address and self.include.links and all(wish.tag != "a" for wish in wanted):
                title = " ".join((node.attr("title") or "").split())
                pairs = [("href", address), *([("title", title)] if title else [])]
                wanted.append(Format("a", node, tuple(pairs)))
                return _Opened(frames, formats=before)
            return _Opened(frames)
        tag = _FORMATS[node.tag]
        if all(wish.tag != tag for wish in wanted):
            wanted.append(Format(tag, node))
            return _Opened(frames, formats=before)
        if tag == "q":  # a quotation within a quotation
            self.lines.text('"')
            return _Opened(frames, text='"')
        return _Opened(frames)

    def _enter_block(self, node: Element) -> bool:
        """Open the frame of a block; True if the element is one, whether or not it gets a frame."""
        tag = node.tag
        if tag in _BOUNDARIES and node.attr("role") != NOTE:
            self._boundary()
        elif tag in _LISTS:
            if self._block():
                self.frames.push_list(node, _LISTS[tag])
        elif tag in _FRAMES:
            if self._block():
                note = {"id": node.attr("id") or "", "role": NOTE} if tag == "aside" else None
                self.frames.push(Element(tag, note), _FRAMES[tag])
        elif tag in _ITEMS:
            self._enter_item(node)
        elif tag in _PARTS:
            self._boundary()
            if self.frames.top.element.tag == _PARTS[tag]:
                self.frames.push(Element(tag), "line")
        else:
            return False
        return True

    def _enter_item(self, node: Element) -> None:
        """Open an item in its list, in a list made for it, or as a plain block."""
        tag = node.tag
        self._boundary()
        top = self.frames.top
        fits = top.kind == "items" and top.element.tag in _ITEMS[tag]
        if not fits and (tag not in _IMPLIED or not self._block()):
            return
        if not fits:
            self.frames.push_implied(_IMPLIED[tag])
        if tag == "tr":
            self.frames.push(Element("tr"), "items")
        elif tag in ("td", "th"):
            self.frames.attach(self.frames.push(Element(tag), "mixed"))
        else:
            self.frames.push_item(node, "line" if tag == "dt" else "mixed")

    def _block(self) -> bool:
        """Make room for a block with a frame; False where it has to be flattened."""
        top = self.frames.top
        if top.kind == "line" and top.element.tag not in HEADINGS:
            self._boundary()
            return False
        self.lines.end()
        if top.kind == "line":
            top.kind = "gone"  # a heading does not hold blocks: it ends here
        return len(self.frames.open) < MAX_FRAMES

    def _boundary(self, *, paragraph: bool = False) -> None:
        """The edge of a block without a frame."""
        top = self.frames.top
        if top.kind != "line":
            self.lines.end()
        elif paragraph and top.attached and top.element.tag in HEADINGS:
            self.lines.end()
            top.kind = "gone"
        elif top.element.tag == "figcaption":
            self.lines.line_break()
        else:
            self.lines.space = True

    def _leave(self, opened: _Opened) -> None:
        if opened.text:
            self.lines.space = False
            self.lines.text(opened.text)
        if len(self.frames.open) > opened.frames:
            self.lines.end()
            self.frames.close(opened.frames)
        elif opened.boundary:
            self._boundary()
        if opened.spaced:
            self.lines.space = True
        if opened.formats >= 0:
            del self.lines.wanted[opened.formats :]
        if opened.direction:
            self.frames.directions.pop()


def _is_code(node: Element) -> bool:
    return len(node) == 1 and isinstance(node[0], Element) and node[0].tag == "code"


def _is_formula(node: Element) -> bool:
    return node.tag == "span" and (node.attr("class") or "").startswith("math ")


def _is_reference(node: Element) -> bool:
    if node.tag != "sup" or len(node) != 1:
        return False
    link = node[0]
    return isinstance(link, Element) and link.attr("role") == REFERENCE


def _has_brackets(annotation: Element) -> bool:
    before = annotation.previous_sibling
    return isinstance(before, Element) and before.tag == "rp"
