"""Videos, sounds, objects and frames of other pages: a link to each, in a line of its own.

The link has the title that the page states, else the name of the host. The address of an embedded
player becomes that of the page of the video. Players without an address, advertisements, and what
counts visits or draws buttons, are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import unquote, urlsplit

from thresher.page.addresses import IMAGE_SCHEMES, resolve
from thresher.page.attributes import parse_integer
from thresher.page.words import collapsed
from thresher.render.kept_tree import KeptTree
from thresher.render.trackers import is_tracker
from thresher.render.tree import Element, Text

MEDIA_TAGS = frozenset({"audio", "embed", "iframe", "object", "video"})
_ADDRESSES = (
    "data-src", "data-lazy-src", "data-litespeed-src", "data-cmp-src", "data-original", "src",
    "data",
)  # fmt: skip
# The parameters of an object that hold an address.
_PARAMETERS = frozenset({"movie", "src", "url", "filename"})
# Attributes of players that a script makes, and the page of what their values name.
_IDS = (
    "videoid", "video-id", "data-videoid", "data-video-id", "data-youtube-id", "data-vimeo-id",
    "data-tweetid", "data-shortcode",
)  # fmt: skip
_ID = re.compile(r"[\w-]{1,64}", re.ASCII)
_PAGES = {
    "youtube": "https://www.youtube.com/watch?v={}",
    "vimeo": "https://vimeo.com/{}",
    "dailymotion": "https://www.dailymotion.com/video/{}",
    "tweet": "https://twitter.com/i/status/{}",
    "amp-instagram": "https://www.instagram.com/p/{}/",
}
_TITLES = ("title", "aria-label", "data-title", "videotitle", "playlabel")
_TINY = 5  # pixels; a frame that is no larger is not for readers
_UNSEEN = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|(?<![\w-])(?:width|height)\s*:\s*[01](?![\d.%])",
    re.I,
)
_MOST_READ = 2_000  # characters of a style
_PLAYER = r"(?:https?:)?//(?:www\.|player\.)?"
_PLAYERS = (
    (
        re.compile(
            _PLAYER + r"youtube(?:-nocookie)?\.com/(?:embed|v)/(?!videoseries)([\w-]+)", re.I
        ),
        _PAGES["youtube"],
    ),
    (
        re.compile(_PLAYER + r"vimeo\.com/(?:video/|moogaloop\.swf\?clip_id=)(\d+)", re.I),
        _PAGES["vimeo"],
    ),
    (
        re.compile(_PLAYER + r"dailymotion\.com/(?:embed/|swf/)(?:video/)?(\w+)", re.I),
        _PAGES["dailymotion"],
    ),
)


def normalise_media(tree: KeptTree, base: str | None, *, images: bool = True) -> None:
    """Replace each video, sound or frame that has a usable address by a link to it.

    An object that is an image becomes one, if there are to be `images`.
    """
    skipped = tree.replaced_rows()
    for index in tree.places_of(MEDIA_TAGS):
        if index in skipped or tree.text(index).strip() or _is_unseen(tree, index):
            continue
        if tree.tags[index] == "iframe" and _is_part_of_the_site(tree, index):
            continue
        address = _address(tree, index, base)
        if address is not None:
            if tree.tags[index] == "object" and _is_drawing(tree, index):
                attributes = {
                    "src": address,
                    "alt": collapsed(tree.attr(index, "aria-label") or ""),
                }
                tree.replaced[index] = Element("img", attributes) if images else None
                continue
            title = next(filter(None, (tree.attr(index, name) for name in _TITLES)), "")
            text = collapsed(title) or _name(address)
            tree.replaced[index] = Element("a", {"href": address}, [Text(text)])


def _is_drawing(tree: KeptTree, index: int) -> bool:
    """Return whether an object is an image."""
    return (tree.attr(index, "type") or "").strip().lower().startswith("image/")


def _is_unseen(tree: KeptTree, index: int) -> bool:
    sizes = [parse_integer(tree.attr(index, name)) for name in ("width", "height")]
    if any(size is not None and size <= _TINY for size in sizes):
        return True
    if tree.attr(index, "hidden") is not None:
        return True
    if _UNSEEN.search((tree.attr(index, "style") or "")[:_MOST_READ]):
        return True
    return any(tree.tags[above] in ("a", "noscript") for above in tree.ancestors(index))


def _is_part_of_the_site(tree: KeptTree, index: int) -> bool:
    """Return whether a frame is a box of the site, such as a form, a counter or a banner.

    It holds a script, as advertisements do, or it does not scroll, states no title, and is not
    meant to fill the screen, unlike a player.
    """
    node = tree.nodes[index]
    if node is not None and "<script" in (node.text or ""):
        return True
    if (tree.attr(index, "scrolling") or "").lower() != "no":
        return False
    if any(tree.attr(index, name) for name in (*_TITLES, "allow")):
        return False
    if tree.attr(index, "allowfullscreen") is not None:
        return False
    addresses = [tree.attr(index, name) or "" for name in _ADDRESSES]
    return not any(player.match(given) for player, _ in _PLAYERS for given in addresses)


def _address(tree: KeptTree, index: int, base: str | None) -> str | None:
    flash = None  # no browser plays it any more: what else is there comes first
    for given in _given_addresses(tree, index):
        address = resolve(given, base, IMAGE_SCHEMES)
        if address is None or is_tracker(address):
            continue
        page = _page_of_player(address)
        if not _FLASH.search(page):
            return page
        flash = flash or page
    if flash is None and tree.tags[index] == "embed":
        return _page_of_id(tree, index)
    return flash


def _page_of_id(tree: KeptTree, index: int) -> str | None:
    """Return the page of what an attribute of a player names, None if it names nothing."""
    node = tree.nodes[index]
    for name in _IDS:
        given = tree.attr(index, name)
        if given and _ID.fullmatch(given):
            player = f"{node.tag} {name}"
            return next((page.format(given) for of, page in _PAGES.items() if of in player), None)
    return None


def _given_addresses(tree: KeptTree, index: int) -> Iterator[str | None]:
    for holder in (index, *tree.inside(index, ("source",))):
        for name in _ADDRESSES:
            yield tree.attr(holder, name)
    if tree.tags[index] == "object":
        node = tree.nodes[index]
        for parameter in node.select("param") if node is not None else ():
            if (parameter.attr("name") or "").lower() in _PARAMETERS:
                yield parameter.attr("value")
        for inner in tree.inside(index, ("embed",)):
            yield tree.attr(inner, "src")


def _page_of_player(address: str) -> str:
    for player, page in _PLAYERS:
        match = player.match(address)
        if match:
            return page.format(match[1])
    return address


def _name(address: str) -> str:
    """Return the name of a film, a sound, a PDF or a file without a host, else of the host."""
    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
    except ValueError:
        return address
    name = parts.path.rpartition("/")[2]
    if _FILE.search(name) or not host:
        return collapsed(unquote(name)) or address
    return host.removeprefix("www.")


_FLASH = re.compile(r"\.swf(?:[?#]|\Z)", re.I)
_FILE = re.compile(r"\.(?:aac|flac|m4[av]|mov|mp[34]|og[agv]|opus|pdf|wav|webm)\Z", re.I)
