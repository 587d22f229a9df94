"""Addresses: of links, absolute and refused if they could run code; of pages, without passwords.

`resolve` is the one way from an attribute of a page to an address in any output.
"""

from __future__ import annotations

import re
from urllib.parse import urljoin

from thresher.page.core import COMPILED
from thresher.page.lazy import lazy_pattern

if COMPILED:
    from thresher.page import _views

# A path of the library `pathlib` has one slash left of two.
_BEGIN = lazy_pattern(r"\s*(?:[a-z][a-z0-9+.\-]+:[/\\]+|(?:[a-z]:)?[/\\]{2,})", re.I)
_IN_TEXT = lazy_pattern(
    r"(?<![a-z0-9+.\-])[a-z][a-z0-9+.\-]*+:/[^\s'\"]*|(?<![^\s'\"(])[/\\]{2}[^\s'\"]*", re.I
)
# `user:password@` of an address without `//`, which is read as a file name. A name may be longer
# than 1,000 characters; no login is.
_LOGIN = lazy_pattern(
    r"(?<![^\s'\"(])(?!(?:mailto|sips?|xmpp|acct|tag|urn|mid|cid):)"
    r"[^\s'\"/\\:@?#]{1,1000}+:(?:[^\s'\"/\\@?#]{1,1000}+@)++(?=[^\s'\"@])",
    re.I,
)
_AUTHORITY = lazy_pattern(r"[^/?#]*")
_HOST_AND_PORT = lazy_pattern(r"(?:\[[^\[\]]*\]|[^:\[\]]*)(?::[0-9]*)?")


def without_password(address: str) -> str:
    """Return an address without user name and password; other texts are returned unchanged.

    An address that no program can read, such as one with a slash in its password, loses everything
    between its scheme and its last `@`.
    """
    if "@" not in address:
        return address
    begin = _BEGIN.match(address)
    if begin is None:
        login = _LOGIN.match(address)
        return address[login.end() :] if login else address
    authority = _AUTHORITY.match(address, begin.end())
    assert authority is not None  # it may be empty
    if "@" in authority[0]:
        after = authority.start() + authority[0].rindex("@") + 1
    elif authority[0] and _HOST_AND_PORT.fullmatch(authority[0]):
        return address
    else:
        after = address.rindex("@") + 1
    return address[: begin.end()] + address[after:]


def without_passwords(text: str) -> str:
    """Return a text with the user names and passwords of all addresses in it left out."""
    if "@" not in text:
        return text
    return _LOGIN.sub("", _IN_TEXT.sub(lambda found: without_password(found[0]), text))


# --- links and images -----------------------------------------------------------------------------

LINK_SCHEMES = frozenset({"http", "https", "ftp", "mailto", "tel"})
IMAGE_SCHEMES = frozenset({"http", "https"})

# Browsers drop these from a URL before they read its scheme (https://url.spec.whatwg.org/).
_IGNORED = lazy_pattern(r"[\x00-\x1f\x7f]")
_USUAL = ("https://", "http://", "/")
_SCHEME = lazy_pattern(r"([a-zA-Z][a-zA-Z0-9+.\-]*):")


def resolve(
    url: str | None, base: str | None, schemes: frozenset[str] = LINK_SCHEMES
) -> str | None:
    """Return the URL made absolute against `base`; None if it is empty, broken or not safe."""
    if COMPILED and url and _views.is_whole_address(url, bool(base)):  # true of most
        return url
    cleaned = _cleaned(url) if url else ""
    if not cleaned or not (cleaned.startswith(_USUAL) or _is_allowed(cleaned, schemes)):
        return None
    if not base or _is_joined_as_it_is(cleaned):
        return cleaned
    try:
        absolute = urljoin(base, cleaned)
    except ValueError:
        return None
    return absolute if _is_allowed(absolute, schemes) else None


# Whole addresses that `urljoin` returns unchanged, most of those of links and images: it may drop
# an empty part after `?`, `;` or `#`, and refuses some hosts with brackets or past ASCII.
_WHOLE = re.compile(r"https?://[\w.:-]+(?:/[^?#;\[\]]*)?(?:\?[^#;\[\]]+)?", re.ASCII)


def _is_joined_as_it_is(url: str) -> bool:
    return url.isascii() and _WHOLE.fullmatch(url) is not None


def is_safe(url: str) -> bool:
    """Return whether a URL is relative or has one of the schemes of links."""
    if COMPILED and _views.is_whole_address(url, False):  # true of most
        return True
    return _is_allowed(_cleaned(url), LINK_SCHEMES)


def fragment(url: str | None, page_url: str | None) -> str:
    """Return the part after `#` of a link within the page; "" for every other link."""
    if not url or "#" not in url:  # true of most links
        return ""
    before, _, name = url.strip().partition("#")
    if not before:
        return name
    own = (page_url or "").partition("#")[0]
    if not own or not before.endswith(own[own.rfind("/") + 1 :]):
        return ""
    return name if resolve(before, own) == own else ""


def _cleaned(url: str) -> str:
    """Return a URL as browsers read it, and without invisible characters before its scheme."""
    if url.isprintable():
        return url.strip()
    cleaned = _IGNORED.sub("", url).strip()
    shown = (at for at, character in enumerate(cleaned) if character.isprintable())
    return cleaned[next(shown, len(cleaned)) :].strip()


def _is_allowed(url: str, schemes: frozenset[str]) -> bool:
    if url.startswith(_USUAL):
        return True
    scheme = _SCHEME.match(url)
    return scheme is None or scheme[1].lower() in schemes
