"""Addresses of what counts visits, shows advertisements, or draws buttons and forms."""

from __future__ import annotations

import re

from thresher.render.scan import Words

# Hosts and paths that count visits, show advertisements, or draw buttons and forms.
_TRACKER = re.compile(
    r"//(?:[\w-]+\.)*(?:doubleclick\.net|googlesyndication\.com|googletagmanager\.com"
    r"|google-analytics\.com|googleadservices\.com|amazon-adsystem\.com|adnxs\.com|criteo\.com"
    r"|criteo\.net|taboola\.com|outbrain\.com|scorecardresearch\.com|quantserve\.com"
    r"|imrworldwide\.com|chartbeat\.net|addthis\.com|sharethis\.com|disqus\.com|hcaptcha\.com"
    r"|bat\.bing\.com|px\.ads\.linkedin\.com|analytics\.twitter\.com|mc\.yandex\.ru"
    r"|pixel\.wp\.com|stats\.wp\.com|facebook\.com/(?:tr|plugins)|google\.com/recaptcha"
    r"|platform\.twitter\.com/widgets|accounts\.google\.com|t\.co/i/adsct"
    r"|blogger\.com/navbar\.g)(?:[/?#:]|$)",
    re.IGNORECASE,
)


# Parts of the hosts above.
TRACKER_NAMES = Words(
    *(
        "doubleclick google amazon adnxs criteo taboola outbrain scorecard quantserve imrworldwide "
        "chartbeat addthis sharethis disqus hcaptcha bat.bing ads.linkedin twitter mc.yandex "
        "pixel.wp stats.wp facebook.com t.co/i/ blogger.com"
    ).split()
)


def is_tracker(url: str) -> bool:
    """Return whether a URL counts visits, shows advertisements, or draws buttons and forms."""
    begin = url[:200]
    return TRACKER_NAMES.are_in(begin) and _TRACKER.search(begin) is not None
