"""Images: one usable address each, however the page delays them, and none twice.

Pages that load images late leave a placeholder in `src` and the address in another attribute, in
a `srcset`, in the sources of a `picture`, or in an image within a `noscript` beside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from turbohtml import Element, Node, Text

from thresher.render.addresses import IMAGE_SCHEMES, resolve

LAZY = ("data-src", "data-original", "data-lazy-src", "data-original-src", "data-hi-res-src")
LAZY_SETS = ("data-srcset", "data-lazy-srcset")
_PLACEHOLDER = re.compile(
    r"(?:^|[/_.-])(?:blank|spacer|placeholder|pixel|transparent|1x1|loading|lazy-?load)"
    r"\.(?:gif|png|svg|jpe?g|webp)(?:$|\?)",
    re.IGNORECASE,
)
# A longer container shows too much for a match to mean "the same caption".
_CAPTION_LIMIT = 2000


def settle_images(body: Element, base: str | None) -> None:
    """Give each image its true address as `src`; drop images that have none or repeat another."""
    in_noscript = set(body.select("noscript img"))
    shown: dict[Node, str] = {}
    last: Element | None = None  # the image before, with no text since
    for node in list(body.descendants):
        if isinstance(node, Text):
            if node.data.strip():
                last = None
        elif isinstance(node, Element):
            if node.tag in ("td", "th", "li"):
                last = None
            elif node.tag in ("img", "amp-img"):
                last = _settle(node, last, base, in_noscript, shown)


def _settle(
    image: Element,
    last: Element | None,
    base: str | None,
    in_noscript: set[Element],
    shown: dict[Node, str],
) -> Element | None:
    """Settle one image after `last`; return the image that now stands last."""
    address = _address(image, base)
    if image in in_noscript:
        if last is not None:  # it repeats the image that scripts would load
            image.extract()
            return last
    elif last is not None and address is not None:
        repeats = last.attr("src") == address
        if repeats or (last in in_noscript and _is_lazy(image)):
            image.extract()
            return last
    if address is None:
        address = _noscript_after(image, base)
    if address is None:
        _replace_by_alt(image, shown)
        return None
    image.tag = "img"
    image.attrs["src"] = address
    return image


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


def _largest(srcsets: list[str], base: str | None) -> str | None:
    best, best_size = None, -1.0
    for srcset in srcsets:
        for candidate, size in candidates(srcset):
            address = _usable(candidate, base)
            if address is not None and size > best_size:
                best, best_size = address, size
    return best


def _usable(address: str | None, base: str | None) -> str | None:
    resolved = resolve(address, base, IMAGE_SCHEMES)
    return None if resolved is None or _PLACEHOLDER.search(resolved) else resolved


def _address(image: Element, base: str | None) -> str | None:
    """A late address first, then `src`, then the largest candidate of the sets."""
    for name in (*LAZY, "src"):
        address = _usable(image.attr(name), base)
        if address is not None:
            return address
    sets = [image.attr(name) or "" for name in (*LAZY_SETS, "srcset")]
    parent = image.parent
    if isinstance(parent, Element) and parent.tag == "picture":
        for source in parent.find_all("source"):
            sets += [source.attr(name) or "" for name in (*LAZY_SETS, "srcset")]
    return _largest(sets, base)


def _is_lazy(image: Element) -> bool:
    return any(image.attr(name) for name in (*LAZY, *LAZY_SETS))


def _noscript_after(image: Element, base: str | None) -> str | None:
    """The address of the image in a `noscript` right after this placeholder."""
    node: Node | None = image.next_sibling
    while isinstance(node, Text) and not node.data.strip():
        node = node.next_sibling
    if not (isinstance(node, Element) and node.tag == "noscript"):
        return None
    inner = node.find("img")
    if inner is None:
        return None
    if not image.attr("alt"):
        image.attrs["alt"] = inner.attr("alt") or ""
    return _address(inner, base)


def _replace_by_alt(image: Element, shown: dict[Node, str]) -> None:
    """Put the alternative text where an image without address stood, unless it stands there too."""
    alt = " ".join((image.attr("alt") or "").split())
    holder = image.closest("figure") or image.parent
    if alt and holder is not None:
        if holder not in shown:
            shown[holder] = " ".join(holder.text.split())
        text = shown[holder]
        if len(text) > _CAPTION_LIMIT or alt not in text:
            image.replace_with(Text(alt))
            return
    image.extract()
