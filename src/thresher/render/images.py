"""Images: one usable URL each, also where the page loads them lazily, and no image twice.

Pages that load images lazily have a placeholder in `src` and the URL in another attribute, in a
`srcset`, in the sources of a `picture`, or in an image within a `noscript` beside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from turbohtml import Element, Node, Text

from thresher.render.node_set import NodeSet
from thresher.render.urls import IMAGE_SCHEMES, resolve

_LAZY = ("data-src", "data-original", "data-lazy-src", "data-original-src", "data-hi-res-src")
_LAZY_SETS = ("data-srcset", "data-lazy-srcset")
_PLACEHOLDER = re.compile(
    r"(?:^|[/_.-])(?:blank|spacer|placeholder|pixel|transparent|1x1|loading|lazy-?load)"
    r"\.(?:gif|png|svg|jpe?g|webp)(?:$|\?)",
    re.IGNORECASE,
)


def normalise_images(body: Element, base: str | None) -> None:
    """Write the URL of each image to `src`; drop images that have none or repeat the one before."""
    images = _Images(base, NodeSet(body.select("noscript img")))
    nodes = list(body.descendants)  # a list keeps them alive, so that their ids stay unique
    for node in nodes:
        if isinstance(node, Text):
            if node.data.strip():
                images.last = None
        elif isinstance(node, Element):
            if node.tag in ("td", "th", "li"):
                images.last = None
            elif node.tag in ("img", "amp-img"):
                images.normalise(node)


class _Images:
    """The images of a page, rewritten in document order."""

    def __init__(self, base: str | None, in_noscript: NodeSet) -> None:
        self.base = base
        self.in_noscript = in_noscript
        self.last: Element | None = None  # the image before, if no text is between
        self._pictures: dict[int, str | None] = {}  # the best source of a picture, by its id

    def normalise(self, image: Element) -> None:
        """Write the URL of one image, or remove the image."""
        if all(image.attr(name) in ("0", "1") for name in ("width", "height")):
            image.extract()  # it counts visits
            return
        url = self._url(image)
        if self.last is not None and self._repeats(image, url, self.last):
            image.extract()
            return
        if url is None and image not in self.in_noscript:
            url = self._url_from_noscript(image)
        if url is None:
            image.replace_with(Text(" "))  # its alternative text is not part of the kept text
            return
        image.tag = "img"
        image.attrs["src"] = url
        self.last = image

    def _repeats(self, image: Element, url: str | None, last: Element) -> bool:
        """Return whether an image is another copy of the one before it."""
        if image in self.in_noscript:
            return True
        if url is None:
            return False
        is_lazy = any(image.attr(name) for name in (*_LAZY, *_LAZY_SETS))
        return last.attr("src") == url or (last in self.in_noscript and is_lazy)

    def _url(self, image: Element) -> str | None:
        """Return the first lazy URL, else `src`, else the largest candidate of the sets."""
        for name in (*_LAZY, "src"):
            url = _usable(image.attr(name), self.base)
            if url is not None:
                return url
        url = _largest([image], self.base)
        parent = image.parent
        if url is None and isinstance(parent, Element) and parent.tag == "picture":
            if id(parent) not in self._pictures:
                self._pictures[id(parent)] = _largest(parent.find_all("source"), self.base)
            url = self._pictures[id(parent)]
        return url

    def _url_from_noscript(self, image: Element) -> str | None:
        """Return the URL of the image in a `noscript` right after this placeholder."""
        node: Node | None = image.next_sibling
        while isinstance(node, Text) and not node.data.strip():
            node = node.next_sibling
        inner = node.find("img") if isinstance(node, Element) and node.tag == "noscript" else None
        if inner is None:
            return None
        if not image.attr("alt"):
            image.attrs["alt"] = inner.attr("alt") or ""
        return self._url(inner)


def srcset_candidates(srcset: str) -> Iterator[tuple[str, float]]:
    """Yield the URLs of a `srcset` with their sizes, in pixels or as a pixel density.

    See https://html.spec.whatwg.org/#srcset-attributes.
    """
    url = ""
    for token in srcset.split():
        if url:
            size, _, rest = token.partition(",")
            yield url, _size(size)
            url = rest
        elif token.endswith(","):
            yield token.rstrip(","), 1.0
        else:
            url = token
    if url:
        yield url, 1.0


def _size(descriptor: str) -> float:
    try:
        return float(descriptor[:-1])
    except ValueError:
        return 1.0


def _largest(holders: list[Element], base: str | None) -> str | None:
    """Return the first of the largest usable candidates in the sets of the elements."""
    best, best_size = None, -1.0
    for holder in holders:
        for name in (*_LAZY_SETS, "srcset"):
            for candidate, size in srcset_candidates(holder.attr(name) or ""):
                url = _usable(candidate, base)
                if url is not None and size > best_size:
                    best, best_size = url, size
    return best


def _usable(url: str | None, base: str | None) -> str | None:
    absolute = resolve(url, base, IMAGE_SCHEMES)
    return None if absolute is None or _PLACEHOLDER.search(absolute) else absolute
