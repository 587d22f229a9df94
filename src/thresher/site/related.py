"""The most related page of a site, by its address (the hybrid paper's getMostRelated).

Pages of one template have addresses that begin alike: `/2017/03/11/tech/...` and
`/2017/03/12/tech/...`. Two addresses are the more related the longer their keys agree from the
start, where the key of an address is its host, its path and the names in its query, in lower case
with `0` for each run of digits. Among sorted keys the most related one stands right before or after
the place of the key that is looked for, so no other key has to be compared.

Departures: the paper takes "the most similar URL" and does not say how it is measured.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from itertools import takewhile
from urllib.parse import urlsplit

from thresher.page.addresses import without_password

_DIGITS = re.compile(r"\d+")


def host_of(url: str) -> str:
    """Return the host of an address in lower case, without `www.`; "" if it names none."""
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:  # brackets that do not close
        return ""
    return host.removeprefix("www.")


def public_address(url: str) -> str:
    """Return an address without user name, password, query and fragment, as it may be stored."""
    try:
        parts = urlsplit(without_password(url))
    except ValueError:
        return ""
    return f"{parts.scheme}://{parts.netloc}{parts.path}" if parts.netloc else ""


def url_key(url: str) -> str:
    """Return the key of an address: host, path and names in the query, `0` for a run of digits.

    "" for an address that cannot be read.
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    query = "&".join(sorted(part.partition("=")[0] for part in parts.query.split("&") if part))
    return _DIGITS.sub("0", f"{host_of(url)}{parts.path or '/'}?{query}".rstrip("?").casefold())


def most_related(key: str, keys: Sequence[str]) -> int:
    """Return the place of the most related key among sorted keys, -1 if there is none."""
    at = bisect_left(keys, key)
    near = [place for place in (at, at - 1) if 0 <= place < len(keys)]
    return max(near, key=lambda place: _common_characters(key, keys[place]), default=-1)


def _common_characters(a: str, b: str) -> int:
    """Return how many characters at the start of two texts are equal."""
    pairs = zip(a, b, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
