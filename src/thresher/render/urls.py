"""Addresses: made absolute, and refused when they could run code or hold the data themselves."""

from __future__ import annotations

import re
from urllib.parse import urljoin

SAFE_SCHEMES = frozenset({"http", "https", "ftp", "mailto", "tel"})
IMAGE_SCHEMES = frozenset({"http", "https"})

# Browsers drop these from an address before they read its scheme (https://url.spec.whatwg.org/).
_IGNORED = re.compile(r"[\x00-\x1f\x7f]")
_SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9+.\-]*):")


def resolve(
    address: str | None, base: str | None, schemes: frozenset[str] = SAFE_SCHEMES
) -> str | None:
    """The address made absolute against `base`, or None if it is empty, broken or not safe."""
    if address is None:
        return None
    cleaned = _IGNORED.sub("", address).strip()
    if not cleaned or not _allowed(cleaned, schemes):
        return None
    if base:
        try:
            cleaned = urljoin(base, cleaned)
        except ValueError:
            return None
    return cleaned if _allowed(cleaned, schemes) else None


def fragment(address: str | None, page: str | None) -> str:
    """The part after `#` of a link within the page itself, "" for every other link."""
    before, mark, name = (address or "").strip().partition("#")
    if not mark or (before and before != (page or "").partition("#")[0]):
        return ""
    return name


def _allowed(address: str, schemes: frozenset[str]) -> bool:
    scheme = _SCHEME.match(address)
    return scheme is None or scheme[1].lower() in schemes
