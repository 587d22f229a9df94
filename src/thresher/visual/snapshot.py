"""From a browser's snapshot of a document to a RenderedPage.

    snapshot --write--> HTML, and the place in it of every node --parse--> Page
             --boxes and styles of the node at each row's place--> RenderedPage

The snapshot (DOMSnapshot.captureSnapshot of Chromium) lists the nodes in document order, and the
boxes and computed styles of those that are laid out. The document is written as HTML and parsed
like any other page, so a rendered page is in every respect a page; the place of each start tag and
text in the HTML tells which node a row comes from.

What becomes of the parts of a document that are documents themselves:

- An iframe is an element without content, as for `parse`: its document is another page.
- A shadow root is flattened: its content stands in its element, and what the element itself
  contains stands in the slots, in the order in which a reader sees it.
- What a template contains, which a snapshot leaves out, is asked for apart.
- Pseudo-elements (`::before`) and the inner parts of form controls are left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from thresher.page import Page
from thresher.page.array_types import AnyRows, Bools, Floats, Int64s, Rows
from thresher.page.arrays import freeze, inside, subtree_sums
from thresher.page.parse import Limits, parse
from thresher.page.tags import NUMBER, VOID, lookup
from thresher.visual.rendered_page import RenderedPage

# The computed styles that a snapshot must hold, in this order.
STYLES = (
    *("display", "visibility", "overflow-x", "overflow-y", "clip", "clip-path"),
    *("font-size", "font-weight", "color", "background-color", "direction"),
)

_ELEMENT, _TEXT, _CDATA, _COMMENT = 1, 3, 4, 8

# Their text is written as it is, and where scripts run that of noscript too.
_RAW_TEXT = frozenset("script style xmp iframe noembed noframes plaintext".split())
_DROPS_NEWLINE = frozenset({"pre", "textarea", "listing"})  # a parser drops one after the tag
_VOID = frozenset(name for name, number in NUMBER.items() if VOID[number] and name != "image")
_MENU = lookup("select optgroup option datalist")


def rendered_page(
    snapshot: Mapping[str, Any],
    *,
    templates: Mapping[int, str] = MappingProxyType({}),
    scripts: bool = True,
    url: str | None = None,
    charset: str | None = None,
    limits: Limits = Limits(),
    notes: Sequence[str] = (),
    picture: bytes | None = None,
) -> RenderedPage:
    """Return the page of a snapshot taken with `scripts` on or off.

    `templates` is the HTML of each template by its node, and `notes` go into the status.
    """
    nodes = _Nodes.of(snapshot)
    raw = _RAW_TEXT | {"noscript"} if scripts else _RAW_TEXT
    html, places = _write(nodes, raw, templates)
    # The tags that a parser adds, and what scripts add, may double the source.
    room = replace(limits, bytes=2 * limits.bytes + 1000)
    page = replace(parse(html, url=url, limits=room), charset=charset)
    known = [note for note in (*notes, page.status) if note != "complete"]
    columns = _columns(page, nodes, _node_of_row(page, places))
    return _with_columns(page, columns, status="; ".join(known) or "complete", picture=picture)


def blank_page(html: str, url: str | None, charset: str | None) -> RenderedPage:
    """Return the page of a document without any content, as `parse` does."""
    page = replace(parse(html, url=url), charset=charset)
    columns: dict[str, Any] = {
        name: np.zeros(0, np.float32) for name in ("x", "y", "w", "h", "font_size")
    }
    columns |= {"visible": page.hidden, "inline": page.hidden, "font_weight": page.tag}
    columns |= dict.fromkeys(("color", "background"), np.zeros(0, np.uint32))
    return _with_columns(page, columns)


def _with_columns(page: Page, columns: Mapping[str, Any], **values: object) -> RenderedPage:
    freeze(*columns.values())
    given = {field.name: getattr(page, field.name) for field in fields(Page)}
    rendered = RenderedPage(**{**given, **columns, **values})
    rendered.prefill(nodes=page.nodes)
    return rendered


@dataclass(frozen=True, slots=True)
class _Nodes:
    """The nodes of the main document of a snapshot, in document order."""

    doctype: str
    parent: list[int]
    kind: list[int]  # of the DOM: 1 element, 3 text
    name: list[str]  # of the element
    value: list[str]  # of the text
    attributes: list[list[str]]  # name, value, name, value, ...
    skipped: list[bool]  # pseudo-elements and what they contain
    layout: Rows  # index of each node's layout box, -1 without one
    box: Floats  # x, y, w, h of each layout box
    style: Int64s  # of each layout box, an index in `strings` for each of STYLES
    strings: list[str]

    @classmethod
    def of(cls, snapshot: Mapping[str, Any]) -> _Nodes:
        document = snapshot["documents"][0]
        nodes, boxes = document["nodes"], document["layout"]
        # An empty text has the index -1, which is the string added here.
        strings = [*snapshot["strings"], ""]
        names = [strings[index] for index in nodes["nodeName"]]
        kind: list[int] = nodes["nodeType"]
        parent: list[int] = nodes["parentIndex"]
        pseudo = set(nodes.get("pseudoType", {}).get("index", ()))
        skipped: list[bool] = []
        for at, above in enumerate(parent):
            skipped.append(at in pseudo or (above >= 0 and skipped[above]))
        layout = np.full(len(names), -1, np.intp)
        layout[boxes["nodeIndex"]] = np.arange(len(boxes["nodeIndex"]))
        empty = len(strings) - 1
        style = [row if row else [empty] * len(STYLES) for row in boxes["styles"]]
        return cls(
            doctype=_doctype(names, kind, document, strings),
            parent=parent,
            kind=kind,
            name=[name.lower() if name == name.upper() else name for name in names],
            value=[strings[index] for index in nodes["nodeValue"]],
            attributes=[[strings[index] for index in pairs] for pairs in nodes["attributes"]],
            skipped=skipped,
            layout=layout,
            box=np.array(boxes["bounds"], np.float64).reshape(-1, 4),
            style=np.array(style, np.int64).reshape(-1, len(STYLES)),
            strings=strings,
        )

    def style_of(self, name: str, layout: AnyRows) -> list[str]:
        """Return a computed style of the given layout boxes."""
        column = self.style[layout, STYLES.index(name)]
        return [self.strings[index] for index in column.tolist()]


def _doctype(
    names: list[str], kind: list[int], document: Mapping[str, Any], strings: list[str]
) -> str:
    """Return the doctype, which decides how a parser nests tables in paragraphs."""
    try:
        name = names[kind.index(10)]
    except ValueError:
        return ""
    public, system = strings[document["publicId"]], strings[document["systemId"]]
    if public:
        return f'<!DOCTYPE {name} PUBLIC "{public}"' + (f' "{system}">' if system else ">")
    return f'<!DOCTYPE {name} SYSTEM "{system}">' if system else f"<!DOCTYPE {name}>"


# --- to HTML -------------------------------------------------------------------------------------

_TEXT_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "\xa0": "&nbsp;", "\r": "&#13;"}
_ESCAPE_TEXT = str.maketrans(_TEXT_ESCAPES)
_ESCAPE_VALUE = str.maketrans(_TEXT_ESCAPES | {'"': "&quot;"})


@dataclass(frozen=True, slots=True)
class _Places:
    """Where nodes stand in the written HTML; both columns increase."""

    offset: Int64s  # of each node that is written: its start tag or its text
    node: Int64s


def template_nodes(snapshot: Mapping[str, Any]) -> dict[int, int]:
    """Return the nodes of a snapshot that are templates, with the browser's number of each."""
    nodes, strings = snapshot["documents"][0]["nodes"], snapshot["strings"]
    found = (at for at, name in enumerate(nodes["nodeName"]) if strings[name] == "TEMPLATE")
    return {at: nodes["backendNodeId"][at] for at in found}


def _write(nodes: _Nodes, raw: Set[str], templates: Mapping[int, str]) -> tuple[str, _Places]:
    """Return the document as HTML, and the place of each node in it.

    The text of elements named in `raw` is written without escapes.
    """
    writer = _Writer(nodes)
    for node, kind in enumerate(nodes.kind):
        if nodes.skipped[node] or kind not in (_ELEMENT, _TEXT, _CDATA, _COMMENT):
            continue
        writer.close(nodes.parent[node])
        if kind == _COMMENT:  # keeps the texts before and after it apart
            writer.write("<!---->")
        elif node in templates:
            writer.write(templates[node], node)
        elif kind == _ELEMENT:
            writer.open(node)
        else:
            writer.text(node, raw)
    writer.close(-1)
    return "".join(writer.pieces), writer.places()


class _Writer:
    """Writes nodes as HTML and notes where each begins."""

    def __init__(self, nodes: _Nodes) -> None:
        self.nodes = nodes
        self.pieces: list[str] = [nodes.doctype]
        self.at = len(nodes.doctype)
        self.offsets: list[int] = []
        self.written: list[int] = []
        self.opened: list[int] = []
        self.is_plain = False  # after <plaintext>, which nothing ends

    def write(self, piece: str, node: int | None = None) -> None:
        if node is not None:
            self.offsets.append(self.at)
            self.written.append(node)
        self.pieces.append(piece)
        self.at += len(piece)

    def open(self, node: int) -> None:
        name = self.nodes.name[node]
        self.write(_start_tag(name, self.nodes.attributes[node]), node)
        self.opened.append(node)
        self.is_plain |= name == "plaintext"

    def text(self, node: int, raw: Set[str]) -> None:
        above = self.nodes.parent[node]
        text, name = self.nodes.value[node], self.nodes.name[above]
        if name in _DROPS_NEWLINE and text.startswith("\n") and self.written[-1] == above:
            self.write("\n")
        self.write(text if name in raw else text.translate(_ESCAPE_TEXT), node)

    def close(self, until: int) -> None:
        """Write the end tags of the elements inside the node `until`."""
        while self.opened and self.opened[-1] != until:
            name = self.nodes.name[self.opened.pop()]
            if name not in _VOID and not self.is_plain:
                self.write(f"</{name}>")

    def places(self) -> _Places:
        return _Places(np.array(self.offsets, np.int64), np.array(self.written, np.int64))


def _start_tag(name: str, attributes: list[str]) -> str:
    pairs = zip(attributes[::2], attributes[1::2], strict=True)
    return f"<{name}" + "".join(f' {k}="{v.translate(_ESCAPE_VALUE)}"' for k, v in pairs) + ">"


def _node_of_row(page: Page, places: _Places) -> Int64s:
    """Return the node of each row; -1 for a row without one, such as white space."""
    offset = np.maximum(page.offsets, page.text_offsets).astype(np.int64)
    index = places.offset.searchsorted(offset, side="right") - 1
    return np.where((offset >= 0) & (index >= 0), places.node[index], -1)


# --- columns -------------------------------------------------------------------------------------


def _columns(page: Page, nodes: _Nodes, node_of: Int64s) -> dict[str, Any]:
    size = len(page)
    layout = np.where(node_of >= 0, nodes.layout[node_of], -1) if size else np.zeros(0, np.intp)
    laid = np.flatnonzero(layout >= 0)
    boxes = layout[laid]
    box = np.zeros((size, 4))
    box[laid] = nodes.box[boxes]
    _fill_contents(page, layout, box)

    shown = np.zeros(size, np.bool_)
    shown[laid] = _equals(nodes.style_of("visibility", boxes), "visible")
    clipped = np.zeros(size, np.bool_)
    clipped[laid] = _cuts_off(nodes, boxes)
    to_left = "rtl" in nodes.style_of("direction", boxes[:3])  # of the root and the body
    hidden = _hidden(page, layout, box, shown, clipped, to_left)

    inline = page.tag == 0
    inline[laid] |= [style.startswith("inline") for style in nodes.style_of("display", boxes)]
    size_of, weight = np.zeros(size, np.float32), np.zeros(size, np.uint16)
    color, background = np.zeros(size, np.uint32), np.zeros(size, np.uint32)
    size_of[laid] = _map(nodes.style_of("font-size", boxes), _number, np.float32)
    weight[laid] = _map(nodes.style_of("font-weight", boxes), _number, np.float32).clip(0, 1000)
    color[laid] = _map(nodes.style_of("color", boxes), _color, np.uint32)
    # A text has no background of its own, but the style of its element.
    background[laid] = _map(nodes.style_of("background-color", boxes), _color, np.uint32)
    background[page.tag == 0] = 0
    x, y, w, h = box.T.astype(np.float32)
    columns: dict[str, Any] = {"x": x, "y": y, "w": w, "h": h, "hidden": hidden, "inline": inline}
    columns |= {"font_size": size_of, "font_weight": weight, "color": color}
    return columns | {"background": background, "visible": ~hidden & (w > 0) & (h > 0)}


def _fill_contents(page: Page, layout: Rows, box: Floats) -> None:
    """Give elements without a box of their own (`display: contents`) that of their content."""
    parent = page.parent
    for row in np.flatnonzero((parent >= 0) & (layout[parent] < 0))[::-1].tolist():
        above = parent[row]
        if (box[row, 2:] <= 0).any():
            continue
        if not box[above].any():
            box[above] = box[row]
            continue
        low = np.minimum(box[above, :2], box[row, :2])
        high = np.maximum(box[above, :2] + box[above, 2:], box[row, :2] + box[row, 2:])
        box[above] = *low, *(high - low)


def _cuts_off(nodes: _Nodes, boxes: Rows) -> Bools:
    """Return for each layout box whether it shows nothing of its content.

    True for a box of at most one pixel that cuts off what overflows it, and for one that is
    clipped to nothing: two ways to write text for screen readers only.
    """
    overflow = np.zeros(len(boxes), np.bool_)
    for name in ("overflow-x", "overflow-y"):
        overflow |= ~_equals(nodes.style_of(name, boxes), "visible")
    found = overflow & (nodes.box[boxes, 2:] <= 1).any(axis=1)
    for name in ("clip", "clip-path"):
        found |= _map(nodes.style_of(name, boxes), _is_nothing, np.bool_)
    return found


_PARTS = re.compile(r"-?(?<![\d.])[\d.]++(?=px|%|\b)")


def _is_nothing(clip: str) -> bool:
    """Return whether a `clip` or `clip-path` leaves no area."""
    parts = [float(part) for part in _PARTS.findall(clip)]
    if clip.startswith("rect(") and len(parts) == 4:
        top, right, bottom, left = parts
        return top >= bottom or left >= right
    if clip.startswith("inset(") and "%" in clip:
        return min(parts[:4]) >= 50
    return clip.startswith("circle(0")


def _hidden(
    page: Page, layout: Rows, box: Floats, shown: Bools, clipped: Bools, to_left: bool
) -> Bools:
    """Return one bool per row: True if the browser does not show it.

    Hidden are an element or text that is not laid out (`display: none`), one whose `visibility` is
    not `visible`, all that an element without an area cuts off, text without an area, and what
    lies wholly above the page or, unless the page goes on `to_left`, to the left of it. Blank text
    is hidden as its parent is, and the entries of a menu as the menu.
    """
    hidden = ~shown
    # Elements without a box, of which something is laid out: `display: contents`.
    hidden[(layout < 0) & (subtree_sums(layout >= 0, page.end) > 0)] = False
    is_text = page.tag == 0
    hidden |= is_text & (box[:, 2:] <= 0).any(axis=1)
    outside = box[:, 1] + box[:, 3] < 0
    if not to_left:
        outside |= box[:, 0] + box[:, 2] < 0
    hidden |= (layout >= 0) & outside
    hidden |= inside(clipped, page.end)
    blank = is_text & (page.chars == 0)
    parent = np.maximum(page.parent, 0)
    in_menu = _MENU.take(page.tag.take(parent)) & (page.parent >= 0)
    for row in np.flatnonzero(blank | in_menu).tolist():
        hidden[row] = hidden[page.parent[row]]
    return hidden


def _equals(values: list[str], wanted: str) -> Bools:
    return np.array([value == wanted for value in values], np.bool_)


def _map(values: list[str], read: Callable[[str], Any], dtype: type) -> npt.NDArray[Any]:
    """Return `read` of each value, called once for each distinct one."""
    known = {value: read(value) for value in set(values)}
    return np.array([known[value] for value in values], dtype)


_NUMBER = re.compile(r"-?[\d.]+(?:e[+-]?\d+)?")


def _number(style: str) -> float:
    """Return the number that a style begins with; 0 without one."""
    found = _NUMBER.match(style)
    return float(found.group()) if found else 0.0


def _color(style: str) -> int:
    """Return a computed colour, such as `rgba(0, 0, 0, 0.5)`, as 0xRRGGBBAA.

    Colours outside sRGB, which pages hardly use, count as black.
    """
    parts = [float(part) for part in _NUMBER.findall(style)]
    if not style.startswith("rgb") or len(parts) < 3:
        return 0x000000FF if style and style != "transparent" else 0
    alpha = parts[3] if len(parts) > 3 else 1.0
    red, green, blue, opacity = (
        min(max(round(part), 0), 255) for part in (*parts[:3], 255 * alpha)
    )
    return red << 24 | green << 16 | blue << 8 | opacity
