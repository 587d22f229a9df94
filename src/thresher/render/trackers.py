"""Addresses of what counts visits, shows advertisements, or draws buttons and forms."""

from __future__ import annotations

import re
from functools import lru_cache

# Hosts and paths that count visits, show advertisements, or draw buttons and forms.
_TRACKER = re.compile(
    r"//(?:[\w-]+\.)*(?:doubleclick\.net|googlesyndication\.com|googletagmanager\.com"
    r"|google-analytics\.com|googleadservices\.com|amazon-adsystem\.com|adnxs\.com|criteo\.com"
    r"|criteo\.net|taboola\.com|outbrain\.com|scorecardresearch\.com|quantserve\.com"
    r"|imrworldwide\.com|chartbeat\.net|addthis\.com|sharethis\.com|disqus\.com|hcaptcha\.com"
    r"|bat\.bing\.com|px\.ads\.linkedin\.com|analytics\.twitter\.com|mc\.yandex\.ru"
    r"|pixel\.wp\.com|stats\.wp\.com|facebook\.com/(?:tr|plugins)|google\.com/recaptcha"
    r"|platform\.twitter\.com/widgets|accounts\.google\.com|t\.co/i/adsct)(?:[/?#:]|$)",
    re.IGNORECASE,
)


def is_tracker(url: str) -> bool:
    """Return whether a URL counts visits, shows advertisements, or draws buttons and forms."""
    begin = url[:200]
    host = begin.partition("//")[2].lstrip("/").partition("/")[0]
    if begin.count("//") < 2 and not _may_track(host):
        return False
    return _TRACKER.search(begin) is not None


# Parts of the hosts above; a faster test.
_NAMES = (
    "doubleclick google amazon adnxs criteo taboola outbrain scorecard quantserve imrworldwide "
    "chartbeat addthis sharethis disqus hcaptcha bing linkedin twitter yandex wp.com facebook "
    "t.co"
).split()


@lru_cache(10_000)
def _may_track(host: str) -> bool:
    folded = host.casefold()
    return any(name in folded for name in _NAMES)
