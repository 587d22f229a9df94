"""The normal form: one small vocabulary, with blocks and lines strictly separate.

    block  = h1..h6, p, ul, ol, dl, blockquote, pre > code, table, figure, details, hr, aside
    line   = text, a, em, strong, code, del, ins, u, mark, sub, sup, kbd, q, br, img, span.math,
             span[lang] (for speech only)
    ul, ol hold li; dl holds dt and dd; table holds caption and tr, tr holds th and td

Bare text in the body, a quotation or `details` is wrapped in p; li, dd, th, td, figure and aside (a
footnote) may hold one line directly. Formatting around blocks moves into their lines, spaces move
out of formatting, equal neighbours merge, empty elements are dropped. Nesting deeper than
`MAX_DEPTH` is flattened, so that parsers with a depth limit can read every output.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, takewhile
from typing import Literal, TypeAlias

from turbohtml import Element, Namespace, Node, Text

from thresher.page.attributes import parse_integer
from thresher.page.plain_text.lists import count_items, first_number
from thresher.render.code import normalise_code
from thresher.render.footnotes import NOTE, REFERENCE, is_reference, normalise_footnotes
from thresher.render.images import normalise_images
from thresher.render.inline import Format, LineBuilder
from thresher.render.maths import normalise_maths
from thresher.render.tables import normalise_tables
from thresher.render.urls import resolve

MAX_DEPTH = 120  # open elements; libxml2 refuses XML deeper than 256
LANGUAGE = re.compile(r"[a-zA-Z]{2,8}(?:-[a-zA-Z0-9]{1,8})*")  # a tag that XML can hold
HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
INLINE = frozenset("a em strong code del ins u mark sub sup kbd q br img span".split())


def normalise(
    body: Element,
    *,
    url: str | None = None,
    links: bool = True,
    images: bool = True,
    spoken: bool = False,
) -> Element:
    """Rewrite a tree to the normal form in place, and return it.

    The tree holds kept text only, so text is dropped only where it repeats other text (copies of a
    formula, line numbers, links back from a footnote) or is never shown (script, style, template,
    data lists). URLs become absolute against `url`. Without `links` only their text stays, without
    `images` nothing of these. With `spoken`, what speech needs is added: `span[lang]` around words
    for which the page states a language, and copies of short cells where their spans reach.
    """
    _open_shadow_roots(body)
    body.remove("style, template")
    normalise_maths(body)
    body.remove("script")
    normalise_images(body, url)
    normalise_footnotes(body, url)
    _resolve_links(body, url)
    normalise_code(body)
    normalise_tables(body, copy_spans=spoken)
    root = Element("div")
    _Builder(root, links=links, images=images, languages=spoken).read(body)
    body.clear()
    body.extend(list(root.children))
    return body


def is_inline(node: Node) -> bool:
    """Return whether a node of the normal form belongs in a line, as text does."""
    return not isinstance(node, Element) or node.tag in INLINE


def lines_and_blocks(container: Element) -> Iterator[list[Node] | Element]:
    """Yield the content of an element: each line as a list of nodes, and each block."""
    for inline, nodes in groupby(container.children, is_inline):
        if inline:
            yield list(nodes)
        else:
            yield from (node for node in nodes if isinstance(node, Element))


def list_items(list_: Element) -> list[Element]:
    """Return the items of a list that are its children, as all are in the normal form."""
    return [item for item in list_.children if isinstance(item, Element) and item.tag == "li"]


def numbered_items(list_: Element) -> list[tuple[Element, int]]:
    """Return the items of a list, each with its number as a browser shows it."""
    items = list_items(list_)
    values = [item.attr("value") for item in items]
    numbers = count_items(list_.attr("start"), list_.attr("reversed") is not None, values)
    return list(zip(items, numbers, strict=True))


def _open_shadow_roots(body: Element) -> None:
    """Replace each shadow root by its content, as a browser shows it."""
    for root in body.select("template[shadowrootmode]"):
        root.insert_before(*[node for fragment in root.children for node in fragment.children])
        root.extract()


def _resolve_links(body: Element, url: str | None) -> None:
    """Make URLs absolute; a link that is not safe loses its `href`."""
    for link in body.select("a[href]"):
        if link.attr("role") != REFERENCE:
            address = resolve(link.attr("href"), url)
            if address is None:
                del link.attrs["href"]
            else:
                link.attrs["href"] = address


# --- the elements that are being filled -----------------------------------------------------------

FrameKind: TypeAlias = Literal["block", "mixed", "line", "items", "closed"]
_ITEM_TAGS = frozenset("li dt dd tr td th caption".split())


@dataclass(slots=True, eq=False)
class _Frame:
    """An element of the normal form that is being filled.

    Its kind says what it may hold. `block`: blocks. `mixed`: one line, or blocks. `line`: one line.
    `items`: items only; other content goes into the last item or, before the first, into the frame
    outside. `closed`: nothing more.
    """

    element: Element
    kind: FrameKind
    parent: _Frame | None
    attached: bool = False  # whether the element is in the tree
    size: int = 0  # how many blocks and lines it holds
    has_bare_line: bool = False  # whether it holds a line without p
    last: _Frame | None = None  # the last item
    number: int = 1  # of an item; in a list, of the next item
    step: int = 1
    implied: _Frame | None = None  # the list last made for items outside of any,
    implied_at: int = -1  # and the size at that time


class _Frames:
    """The stack of open frames, the innermost last.

    An element is put into the tree with its first content, so empty elements never appear.
    """

    def __init__(self, root: Element) -> None:
        self.open = [_Frame(root, "block", None, attached=True)]
        self.directions: list[str] = []  # of writing, from the open elements that state one

    @property
    def top(self) -> _Frame:
        """The innermost frame that is not closed."""
        return next(frame for frame in reversed(self.open) if frame.kind != "closed")

    def target(self) -> _Frame:
        """Return the frame that takes the next line or block."""
        for frame in reversed(self.open):
            while frame.kind == "items" and frame.last is not None:
                if frame.last.kind == "line" and frame.element.tag == "dl":
                    self.attach(_Frame(Element("dd"), "mixed", frame))
                frame = frame.last
            if frame.kind not in ("items", "closed"):
                return frame
        return self.open[0]

    def push(self, element: Element, kind: FrameKind) -> _Frame:
        """Open a frame, which is put into the tree when it gets content."""
        top = self.top
        parent = top if top.kind == "items" and element.tag in _ITEM_TAGS else self.target()
        frame = _Frame(element, kind, parent)
        self.open.append(frame)
        return frame

    def attach(self, frame: _Frame) -> None:
        """Put a frame, and the frames around it, into the tree."""
        pending: list[tuple[_Frame, _Frame]] = []
        while not frame.attached and frame.parent is not None:
            pending.append((frame, frame.parent))
            frame = frame.parent
        for new, parent in reversed(pending):
            if parent.element.tag == "ol":
                _write_number(new, parent)
            self._append(new.element, parent)
            parent.last = new
            new.attached = True

    def _append(self, block: Element, parent: _Frame) -> None:
        if parent is self.open[0] and self.directions and self.directions[-1] == "rtl":
            block.attrs["dir"] = "rtl"
        parent.element.append(block)
        parent.size += 1

    def put(self, block: Element) -> None:
        """Append a rule or a block of code, which have no direction."""
        target = self.target()
        self.attach(target)
        target.element.append(block)
        target.size += 1

    def begin_line(self) -> tuple[Element, bool]:
        """Return the element for a new line, and whether two breaks may split it."""
        target = self.target()
        self.attach(target)
        if target.kind == "line":
            return target.element, False
        if target.kind == "mixed" and target.size == 0:
            target.size, target.has_bare_line = 1, True
            return target.element, True
        if target.has_bare_line:
            target.has_bare_line = False
            _wrap_first_line(target.element)
        paragraph = Element("p")
        self._append(paragraph, target)
        return paragraph, True

    def push_list(self, source: Element, tag: str) -> None:
        """Open a list or a table; an ordered list counts as `source` says."""
        frame = self.push(Element(tag), "items")
        if tag == "ol":
            is_reversed = source.attr("reversed") is not None
            frame.number = first_number(source.attr("start"), is_reversed, len(list_items(source)))
            if is_reversed:
                frame.step = -1
                frame.element.attrs["reversed"] = ""
            if source.attr("type") in ("a", "A", "i", "I"):
                frame.element.attrs["type"] = source.attr("type")

    def push_implied_list(self, tag: str) -> None:
        """Open the list that items outside of any list share with their neighbours."""
        target = self.target()
        same = target.implied
        if same is not None and same.element.tag == tag and target.implied_at == target.size:
            self.open.append(same)
        else:
            target.implied = self.push(Element(tag), "items")
            target.implied_at = target.size + 1

    def push_item(self, source: Element, kind: FrameKind) -> None:
        """Open an item; in an ordered list it has its own number or else the next."""
        parent = self.top
        item = self.push(Element(source.tag), kind)
        if parent.element.tag == "ol":
            own = parse_integer(source.attr("value"))
            item.number = parent.number if own is None else own
            parent.number = item.number + parent.step


def _write_number(item: _Frame, parent: _Frame) -> None:
    """Write the number of an item only where counting on would give another."""
    if parent.last is None:
        if item.number != 1 or parent.step < 0:
            parent.element.attrs["start"] = str(item.number)
    elif item.number != parent.last.number + parent.step:
        item.element.attrs["value"] = str(item.number)


def _wrap_first_line(element: Element) -> None:
    """Wrap the line that an element holds directly in a paragraph."""
    paragraph = Element("p")
    line = list(takewhile(is_inline, element.children))
    element.insert(0, paragraph)
    paragraph.extend(line)


# --- reading the tree -----------------------------------------------------------------------------

_LISTS = {"ul": "ul", "ol": "ol", "menu": "ul", "dir": "ul", "dl": "dl", "table": "table"}
_HOLDERS = {"li": ("ul", "ol"), "dt": ("dl",), "dd": ("dl",), "tr": ("table",)}  # of items
_HOLDERS |= {"td": ("tr",), "th": ("tr",)}
_IMPLIED_LISTS = {"li": "ul", "dt": "dl", "dd": "dl"}
_CAPTIONS = {"caption": "table", "summary": "details", "figcaption": "figure"}
_BLOCKS_WITHOUT_FRAME = frozenset(
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
_FRAME_KINDS: dict[str, FrameKind] = dict.fromkeys(HEADINGS, "line")
_MAX_LANGUAGES = 4  # one within another
_FRAME_KINDS |= {"blockquote": "block", "details": "block", "figure": "mixed", "aside": "mixed"}


@dataclass(slots=True)
class _Opened:
    """What to undo at the end of an element."""

    frames: int  # how many frames were open before
    is_block: bool = False
    is_spaced: bool = False
    formats: int | None = None  # how many formats were open before, if one was added
    text: str = ""  # to add at the end
    has_direction: bool = False


class _Builder:
    """Reads the elements of a page in order and writes the normal form."""

    def __init__(self, root: Element, *, links: bool, images: bool, languages: bool) -> None:
        self.links = links
        self.images = images
        self.languages = languages
        self.frames = _Frames(root)
        self.line = LineBuilder(self.frames.begin_line)

    def read(self, body: Element) -> None:
        """Walk the tree without recursion: `None` ends the element opened last."""
        stack: list[Node | None] = [*reversed(body.children)]
        opened: list[_Opened] = []
        while stack:
            node = stack.pop()
            if node is None:
                self._leave(opened.pop())
            elif isinstance(node, Text):
                self.line.text(node.data)
            elif isinstance(node, Element) and not self._read_leaf(node):
                opened.append(self._enter(node))
                stack.append(None)
                stack.extend(reversed(node.children))
        self.line.end()

    def _read_leaf(self, node: Element) -> bool:
        """Drop or copy an element with its content; return False if it has to be entered."""
        tag = node.tag
        if tag in _DROPPED:
            return not (tag == "title" and node.namespace is Namespace.SVG)
        if tag == "br":
            if self.frames.top.element.tag in HEADINGS:
                self.line.space = True
            else:
                self.line.breaks += 1
        elif tag == "hr" or (tag == "pre" and _is_code(node)):
            if not self._begin_block():
                return False
            self.frames.put(Element("hr") if tag == "hr" else node.extract())
        elif tag == "img":
            if self.images and node.attr("src"):
                values = {name: node.attr(name) or "" for name in ("src", "alt", "title")}
                values = {name: " ".join(value.split()) for name, value in values.items() if value}
                self.line.element(Element("img", values))
        elif _is_formula(node) or is_reference(node):
            self.line.element(node.extract())
        else:
            return False
        return True

    def _enter(self, node: Element) -> _Opened:
        """Open what an element is in the normal form."""
        opened = _Opened(len(self.frames.open))
        direction = (node.attr("dir") or "").lower()
        if direction in ("rtl", "ltr"):
            self.frames.directions.append(direction)
            opened.has_direction = True
        if self.languages:
            self._enter_language(node, opened)
        tag = node.tag
        if tag in _FORMATS or tag == "a":
            self._enter_format(node, opened)
        elif tag == "p":
            self._block_edge(paragraph=True)
            opened.is_block = True
        elif tag in _SPACED:
            self.line.space = True
            opened.is_spaced = True
        elif tag == "rt" and not _has_brackets(node):
            self.line.text("(")
            opened.text = ")"
        else:
            opened.is_block = self._enter_block(node)
        return opened

    def _enter_language(self, node: Element, opened: _Opened) -> None:
        """Note the language that an element states for the words inside."""
        formats = self.line.formats
        language = (node.attr("lang") or node.attr("xml:lang") or "").strip()
        is_open = sum(open_format.tag == "span" for open_format in formats)
        if LANGUAGE.fullmatch(language) and is_open < _MAX_LANGUAGES:
            opened.formats = len(formats)
            formats.append(Format("span", node, (("lang", language),)))

    def _enter_format(self, node: Element, opened: _Opened) -> None:
        tag = _FORMATS.get(node.tag, "a")
        formats = self.line.formats
        is_new = all(open_format.tag != tag for open_format in formats)
        attributes: tuple[tuple[str, str], ...] = ()
        if tag == "a":
            address = node.attr("href")
            if not address or not self.links:
                return
            title = " ".join((node.attr("title") or "").split())
            attributes = (("href", address), *((("title", title),) if title else ()))
        if is_new:
            if opened.formats is None:
                opened.formats = len(formats)
            formats.append(Format(tag, node, attributes))
        elif tag == "q":  # a quotation within a quotation
            self.line.text('"')
            opened.text = '"'

    def _enter_block(self, node: Element) -> bool:
        """Open the frame of a block, if it gets one; return whether the element is a block."""
        tag = node.tag
        if tag in _BLOCKS_WITHOUT_FRAME and node.attr("role") != NOTE:
            self._block_edge()
        elif tag in _LISTS:
            if self._begin_block():
                self.frames.push_list(node, _LISTS[tag])
        elif tag in _FRAME_KINDS:
            if self._begin_block():
                note = {"id": node.attr("id") or "", "role": NOTE} if tag == "aside" else None
                self.frames.push(Element(tag, note), _FRAME_KINDS[tag])
        elif tag in _HOLDERS:
            self._enter_item(node)
        elif tag in _CAPTIONS:
            self._block_edge()
            if self.frames.top.element.tag == _CAPTIONS[tag]:
                self.frames.push(Element(tag), "line")
        else:
            return False
        return True

    def _enter_item(self, node: Element) -> None:
        """Open an item in its list, in a list made for it, or as a block without a frame."""
        tag = node.tag
        self._block_edge()
        top = self.frames.top
        if top.kind != "items" or top.element.tag not in _HOLDERS[tag]:
            if tag not in _IMPLIED_LISTS or not self._begin_block():
                return
            self.frames.push_implied_list(_IMPLIED_LISTS[tag])
        if tag == "tr":
            self.frames.push(Element("tr"), "items")
        elif tag in ("td", "th"):
            self.frames.attach(self.frames.push(Element(tag), "mixed"))
        else:
            self.frames.push_item(node, "line" if tag == "dt" else "mixed")

    def _begin_block(self) -> bool:
        """End the line before a block with a frame; return False if it has to be flattened."""
        top = self.frames.top
        if top.kind == "line" and top.element.tag not in HEADINGS:
            self._block_edge()
            return False
        self.line.end()
        if top.kind == "line":
            top.kind = "closed"  # a heading holds no blocks: it ends here
        return len(self.frames.open) < MAX_DEPTH

    def _block_edge(self, *, paragraph: bool = False) -> None:
        """Write the start or end of a block without a frame."""
        top = self.frames.top
        if top.kind != "line":
            self.line.end()
        elif paragraph and top.attached and top.element.tag in HEADINGS:
            self.line.end()
            top.kind = "closed"
        elif top.element.tag == "figcaption":
            self.line.breaks += 1
        else:
            self.line.space = True

    def _leave(self, opened: _Opened) -> None:
        if opened.text:
            self.line.space = False
            self.line.text(opened.text)
        if len(self.frames.open) > opened.frames:
            self.line.end()
            del self.frames.open[opened.frames :]
        elif opened.is_block:
            self._block_edge()
        if opened.is_spaced:
            self.line.space = True
        if opened.formats is not None:
            del self.line.formats[opened.formats :]
        if opened.has_direction:
            self.frames.directions.pop()


def _is_code(node: Element) -> bool:
    return len(node) == 1 and isinstance(node[0], Element) and node[0].tag == "code"


def _is_formula(node: Element) -> bool:
    return node.tag == "span" and (node.attr("class") or "").startswith("math ")


def _has_brackets(annotation: Element) -> bool:
    before = annotation.previous_sibling
    return isinstance(before, Element) and before.tag == "rp"
