"""Sanitised HTML: one `article` of elements and attributes from a fixed list."""

from __future__ import annotations

import re

from turbohtml import Element
from turbohtml.clean import OnDisallowed, Policy, Sanitizer

from thresher.render.options import Include
from thresher.render.urls import SAFE_SCHEMES

TAGS = frozenset(
    "a aside blockquote br caption code dd del details div dl dt em figcaption figure h1 h2 h3 h4 "
    "h5 h6 hr img ins kbd li mark ol p pre q span strong sub summary sup table tbody td th tr u "
    "ul".split()
)
ATTRIBUTES = {
    "*": frozenset({"dir"}),
    "a": frozenset({"href", "title", "role"}),
    "aside": frozenset({"id", "role"}),
    "code": frozenset({"class"}),
    "img": frozenset({"src", "alt", "title"}),
    "li": frozenset({"value"}),
    "ol": frozenset({"start", "reversed", "type"}),
    "span": frozenset({"class"}),
}
_VALUES = {
    ("a", "role"): re.compile(r"doc-noteref"),
    ("aside", "role"): re.compile(r"doc-footnote"),
    ("aside", "id"): re.compile(r"fn-\w+"),
    ("code", "class"): re.compile(r"language-[\w+#.-]+"),
    ("span", "class"): re.compile(r"math (?:inline|display)"),
}


def html(body: Element, *, include: Include = Include()) -> str:
    """The HTML of a prepared tree, safe to show in a page."""
    return f"<article>{_SANITIZERS[include.links, include.images].sanitize(body)}</article>"


def _checked(tag: str, name: str, value: str) -> str | None:
    """Keep the values that the normal form uses, drop all others."""
    pattern = _VALUES.get((tag, name))
    return value if pattern is None or pattern.fullmatch(value) else None


def _sanitizer(*, links: bool, images: bool) -> Sanitizer:
    off = {tag for tag, on in (("a", links), ("img", images)) if not on}
    return Sanitizer(
        Policy(
            tags=TAGS - off,
            attributes=ATTRIBUTES,
            url_schemes=SAFE_SCHEMES,
            allow_fragment_urls=True,
            on_disallowed_tag=OnDisallowed.STRIP,
            remove_with_content=frozenset({"script", "style", "template", "iframe", "noembed"}),
            attribute_filter=_checked,
            allow_svg=False,
            allow_mathml=False,
        )
    )


_SANITIZERS = {
    (links, images): _sanitizer(links=links, images=images)
    for links in (True, False)
    for images in (True, False)
}
