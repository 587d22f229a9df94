"""Sanitised HTML: one `article` with elements and attributes from a fixed list."""

from __future__ import annotations

import re

from turbohtml import Element
from turbohtml.clean import OnDisallowed, Policy, Sanitizer

from thresher.render.urls import LINK_SCHEMES

_TAGS = frozenset(
    "a aside blockquote br caption code dd del details div dl dt em figcaption figure h1 h2 h3 h4 "
    "h5 h6 hr img ins kbd li mark ol p pre q span strong sub summary sup table tbody td th tr u "
    "ul".split()
)
_ATTRIBUTES = {
    "*": frozenset({"dir"}),
    "a": frozenset({"href", "title", "role"}),
    "aside": frozenset({"id", "role"}),
    "code": frozenset({"class"}),
    "img": frozenset({"src", "alt", "title"}),
    "li": frozenset({"value"}),
    "ol": frozenset({"start", "reversed", "type"}),
    "span": frozenset({"class"}),
}
_VALUES = {  # what these attributes may hold; the others may hold anything
    ("a", "role"): re.compile(r"doc-noteref"),
    ("aside", "role"): re.compile(r"doc-footnote"),
    ("aside", "id"): re.compile(r"fn-\w+"),
    ("code", "class"): re.compile(r"language-[\w+#.-]+"),
    ("span", "class"): re.compile(r"math (?:inline|display)"),
}


def html(body: Element, *, links: bool = True) -> str:
    """Return the HTML of a tree in the normal form, safe to show in a page.

    Without `links`, references to footnotes are not links either.
    """
    sanitizer = _WITH_LINKS if links else _WITHOUT_LINKS
    return f"<article>{sanitizer.sanitize(body)}</article>"


def _allowed_value(tag: str, name: str, value: str) -> str | None:
    pattern = _VALUES.get((tag, name))
    return value if pattern is None or pattern.fullmatch(value) else None


def _sanitizer(tags: frozenset[str]) -> Sanitizer:
    return Sanitizer(
        Policy(
            tags=tags,
            attributes=_ATTRIBUTES,
            url_schemes=LINK_SCHEMES,
            allow_fragment_urls=True,
            on_disallowed_tag=OnDisallowed.STRIP,
            remove_with_content=frozenset({"script", "style", "template", "iframe", "noembed"}),
            attribute_filter=_allowed_value,
            allow_svg=False,
            allow_mathml=False,
        )
    )


_WITH_LINKS = _sanitizer(_TAGS)
_WITHOUT_LINKS = _sanitizer(_TAGS - {"a"})
