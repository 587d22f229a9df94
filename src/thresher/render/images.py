"""Images: one usable address each, however the page delays them, and none twice.

Pages that load images late leave a placeholder in `src` and the address in another attribute, in
a `srcset`, in the sources of a `picture`, or in an image within a `noscript` beside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from turbohtml import Element, Node, Text

from thresher.render.node_set import NodeSet
from thresher.render.urls import IMAGE_SCHEMES, resolve

LAZY = ("data-src", "data-original", "data-lazy-src", "data-original-src", "data-hi-res-src")
LAZY_SETS = ("data-srcset", "data-lazy-srcset")
_PLACEHOLDER = re.compile(
    r"(?:^|[/_.-])(?:blank|spacer|placeholder|pixel|transparent|1x1|loading|lazy-?load)"
    r"\.(?:gif|png|svg|jpe?g|webp)(?:$|\?)",
    re.IGNORECASE,
)
_DOTS = ("0", "1")


def settle_images(body: Element, base: str | None) -> None:
    """Give each image its true address as `src`; drop images that have none or repeat another."""
    settler = _Settler(base, NodeSet(body.select("noscript img")))
    nodes = list(body.descendants)  # kept, so that nodes keep their identities
    for node in nodes:
        if isinstance(node, Text):
            if node.data.strip():
                settler.last = None
        elif isinstance(node, Element):
            if node.tag in ("td", "th", "li"):
                settler.last = None
            elif node.tag in ("img", "amp-img"):
                settler.settle(node)


class _Settler:
    """Settles the images of a page one after the other."""

    def __init__(self, base: str | None, in_noscript: NodeSet) -> None:
        self.base = base
        self.in_noscript = in_noscript
        self.last: Element | None = None  # the image before, with no text since
        self._pictures: dict[int, str | None] = {}  # the best source of a picture

    def settle(self, image: Element) -> None:
        """Give one image its address, or take it out."""
        if image.attr("width") in _DOTS and image.attr("height") in _DOTS:
            image.extract()  # it counts visits
            return
        address = self._address(image)
        if self.last is not None and self._repeats(image, address, self.last):
            image.extract()
            return
        if address is None and image not in self.in_noscript:
            address = self._from_noscript(image)
        if address is None:
            image.replace_with(Text(" "))  # its alternative text is no part of the chosen text
            return
        image.tag = "img"
        image.attrs["src"] = address
        self.last = image

    def _repeats(self, image: Element, address: str | None, last: Element) -> bool:
        """Whether an image is another copy of the one before it."""
        if image in self.in_noscript:
            return True
        if address is None:
            return False
        return last.attr("src") == address or (last in self.in_noscript and _is_lazy(image))

    def _address(self, image: Element) -> str | None:
        """A late address first, then `src`, then the largest candidate of the sets."""
        for name in (*LAZY, "src"):
            address = _usable(image.attr(name), self.base)
            if address is not None:
                return address
        address = _largest([image], self.base)
        parent = image.parent
        if address is None and isinstance(parent, Element) and parent.tag == "picture":
            if id(parent) not in self._pictures:
                self._pictures[id(parent)] = _largest(parent.find_all("source"), self.base)
            address = self._pictures[id(parent)]
        return address

    def _from_noscript(self, image: Element) -> str | None:
        """The address of the image in a `noscript` right after this placeholder."""
        node: Node | None = image.next_sibling
        while isinstance(node, Text) and not node.data.strip():
            node = node.next_sibling
        inner = node.find("img") if isinstance(node, Element) and node.tag == "noscript" else None
        if inner is None:
            return None
        if not image.attr("alt"):
            image.attrs["alt"] = inner.attr("alt") or ""
        return self._address(inner)


def candidates(srcset: str) -> Iterator[tuple[str, float]]:
    """The addresses of a `srcset` with their sizes (https://html.spec.whatwg.org/#srcset-attributes)."""
    address: str | None = None
    for token in srcset.split():
        if address is None:
            address = token
            if token.endswith(","):
                yield token.rstrip(","), 1.0
                address = None
            continue
        size, _, rest = token.partition(",")
        yield address, _size(size)
        address = rest or None
    if address:
        yield address, 1.0


def _size(descriptor: str) -> float:
    try:
        return float(descriptor[:-1])
    except ValueError:
        return 1.0


def _largest(holders: list[Element], base: str | None) -> str | None:
    """The largest usable candidate of all sets that the elements name."""
    best, best_size = None, -1.0
    for holder in holders:
        for name in (*LAZY_SETS, "srcset"):
            for candidate, size in candidates(holder.attr(name) or ""):
                address = _usable(candidate, base)
                if address is not None and size > best_size:
                    best, best_size = address, size
    return best


def _usable(address: str | None, base: str | None) -> str | None:
    resolved = resolve(address, base, IMAGE_SCHEMES)
    return None if resolved is None or _PLACEHOLDER.search(resolved) else resolved


def _is_lazy(image: Element) -> bool:
    return any(image.attr(name) for name in (*LAZY, *LAZY_SETS))
