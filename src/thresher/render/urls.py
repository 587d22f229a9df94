"""URLs of links and images: made absolute, and refused if they could run code or embed data."""

from __future__ import annotations

import re
from urllib.parse import urljoin

LINK_SCHEMES = frozenset({"http", "https", "ftp", "mailto", "tel"})
IMAGE_SCHEMES = frozenset({"http", "https"})

# Browsers drop these from a URL before they read its scheme (https://url.spec.whatwg.org/).
_IGNORED = re.compile(r"[\x00-\x1f\x7f]")
_SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9+.\-]*):")


def resolve(
    url: str | None, base: str | None, schemes: frozenset[str] = LINK_SCHEMES
) -> str | None:
    """Return the URL made absolute against `base`; None if it is empty, broken or not safe."""
    cleaned = _IGNORED.sub("", url or "").strip()
    if not cleaned or not _is_allowed(cleaned, schemes):
        return None
    try:
        absolute = urljoin(base, cleaned) if base else cleaned
    except ValueError:
        return None
    return absolute if _is_allowed(absolute, schemes) else None


def is_safe(url: str) -> bool:
    """Return whether a URL is relative or has one of the schemes of links."""
    return _is_allowed(_IGNORED.sub("", url).strip(), LINK_SCHEMES)


def fragment(url: str | None, page_url: str | None) -> str:
    """Return the part after `#` of a link within the page; "" for every other link."""
    before, _, name = (url or "").strip().partition("#")
    return name if not before or before == (page_url or "").partition("#")[0] else ""


def _is_allowed(url: str, schemes: frozenset[str]) -> bool:
    scheme = _SCHEME.match(url)
    return scheme is None or scheme[1].lower() in schemes
