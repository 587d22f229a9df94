"""The elements of the normal form that are being filled, innermost last.

An element is put into the tree when its first content comes, so what stays empty never appears.
"""

from __future__ import annotations

from dataclasses import dataclass

from turbohtml import Element, Text

from thresher.page.integers import integer
from thresher.render.list_numbers import first_number

HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
INLINE = frozenset("a em strong code del ins u mark sub sup kbd q br img span".split())
_ITEM_TAGS = frozenset("li dt dd tr td th caption".split())


@dataclass(slots=True, eq=False)
class Frame:
    """An element that is being filled, and what it may hold.

    `block`: blocks. `mixed`: one line or blocks. `line`: one line. `items`: items only, other
    content goes into the last item or, before the first, to the frame outside. `gone`: nothing.
    """

    element: Element
    kind: str
    parent: Frame | None
    attached: bool = False
    size: int = 0  # blocks and lines put into it
    direct: bool = False  # holds a line without p
    last: Frame | None = None  # the last item
    number: int = 1  # of an item; of the next item in a list
    step: int = 1
    implied: Frame | None = None  # the list last made for items outside any,
    implied_at: int = -1  # and the size at that time


class Frames:
    """The stack of open frames."""

    def __init__(self, root: Element) -> None:
        self.open = [Frame(root, "block", None, attached=True)]
        self.directions: list[str] = []

    @property
    def top(self) -> Frame:
        """The innermost frame that takes content."""
        return next(frame for frame in reversed(self.open) if frame.kind != "gone")

    def place(self) -> Frame:
        """The frame that takes a line or a block now."""
        for frame in reversed(self.open):
            while frame.kind == "items" and frame.last is not None:
                if frame.last.kind == "line" and frame.element.tag == "dl":
                    self.attach(Frame(Element("dd"), "mixed", frame))
                frame = frame.last
            if frame.kind not in ("items", "gone"):
                return frame
        return self.open[0]

    def push(self, element: Element, kind: str) -> Frame:
        """Open a frame for `element`, to be attached when it gets content."""
        top = self.top
        parent = top if top.kind == "items" and element.tag in _ITEM_TAGS else self.place()
        frame = Frame(element, kind, parent)
        self.open.append(frame)
        return frame

    def close(self, count: int) -> None:
        """Close the frames opened after the first `count`."""
        del self.open[count:]

    def attach(self, frame: Frame) -> None:
        """Put a frame, and those it stands in, into the tree."""
        pending: list[Frame] = []
        above: Frame | None = frame
        while above is not None and not above.attached:
            pending.append(above)
            above = above.parent
        for new in reversed(pending):
            parent = new.parent
            assert parent is not None
            if parent.element.tag == "ol":
                _write_number(new, parent)
            if parent is self.open[0]:
                self._direct(new.element)
            parent.element.append(new.element)
            parent.size += 1
            parent.last = new
            new.attached = True

    def put(self, element: Element) -> None:
        """Append a finished block."""
        place = self.place()
        self.attach(place)
        place.element.append(element)
        place.size += 1

    def begin_line(self) -> tuple[Element, bool]:
        """The element for a new line, and whether two breaks may split it."""
        place = self.place()
        self.attach(place)
        if place.kind == "line":
            return place.element, False
        if place.kind == "mixed":
            if place.size == 0:
                place.size, place.direct = 1, True
                return place.element, True
            if place.direct:
                place.direct = False
                _wrap_first_line(place.element)
        paragraph = Element("p")
        if place is self.open[0]:
            self._direct(paragraph)
        place.element.append(paragraph)
        place.size += 1
        return paragraph, True

    # Lists

    def push_list(self, source: Element, tag: str) -> None:
        """Open a list or a table; an ordered list counts as `source` says."""
        element = Element(tag)
        frame = self.push(element, "items")
        if tag != "ol":
            return
        frame.number = first_number(source)
        if source.attr("reversed") is not None:
            frame.step = -1
            element.attrs["reversed"] = ""
        if source.attr("type") in ("a", "A", "i", "I"):
            element.attrs["type"] = source.attr("type")

    def push_implied(self, tag: str) -> None:
        """Open the list that items without one share with their neighbours."""
        place = self.place()
        same = place.implied
        if same is not None and same.element.tag == tag and place.implied_at == place.size:
            self.open.append(same)
            return
        place.implied = self.push(Element(tag), "items")
        place.implied_at = place.size + 1

    def push_item(self, source: Element, kind: str) -> None:
        """Open an item; in an ordered list it takes the next number or its own."""
        parent = self.top
        item = self.push(Element(source.tag), kind)
        if parent.element.tag == "ol":
            own = integer(source.attr("value"))
            item.number = parent.number if own is None else own
            parent.number = item.number + parent.step

    # Direction of writing

    def turn(self, direction: str | None) -> bool:
        """Enter an element with a direction of its own; True if it has one."""
        if direction is None or direction.lower() not in ("rtl", "ltr"):
            return False
        self.directions.append(direction.lower())
        return True

    def _direct(self, block: Element) -> None:
        if self.directions and self.directions[-1] == "rtl":
            block.attrs["dir"] = "rtl"


def _write_number(item: Frame, parent: Frame) -> None:
    """Say the number of an item only where counting on would give another."""
    if parent.last is None:
        if item.number != 1 or parent.step < 0:
            parent.element.attrs["start"] = str(item.number)
    elif item.number != parent.last.number + parent.step:
        item.element.attrs["value"] = str(item.number)


def _wrap_first_line(element: Element) -> None:
    """Give the line that an element holds directly a paragraph of its own."""
    line = []
    for child in element.children:
        if not isinstance(child, Text) and not (isinstance(child, Element) and child.tag in INLINE):
            break
        line.append(child)
    paragraph = Element("p")
    element.insert(0, paragraph)
    paragraph.extend(line)
