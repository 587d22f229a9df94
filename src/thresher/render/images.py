"""Images: one usable URL each, also where the page loads them lazily, and no image twice.

Pages that load images lazily have a placeholder in `src` and the URL in another attribute, in a
`srcset`, in the sources of a `picture`, or in an image within a `noscript` beside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from html import unescape

from thresher.page.addresses import IMAGE_SCHEMES, resolve
from thresher.page.core import COMPILED
from thresher.render.compiled import use_compiled
from thresher.render.kept_images import LAZY
from thresher.render.kept_tree import KeptTree, node_text
from thresher.render.scan import Words, collapsed
from thresher.render.trackers import TRACKER_NAMES, is_tracker
from thresher.render.tree import Text

if COMPILED:
    from thresher.page import _views

_LAZY_SETS = ("data-srcset", "data-lazy-srcset")
_LAZY = (*LAZY, *_LAZY_SETS)
IMAGE_TAGS = frozenset({"img", "amp-img"})
_SEPARATE = frozenset({"td", "th", "li"})  # the same image may be in each of them
_NEAR, _NEAR_ROWS = 1_500, 400  # characters and rows between two copies of an image
_TINY = frozenset({"0", "1"})  # sizes in pixels
_PLACEHOLDER_NAMES = Words(
    "blank", "spacer", "placeholder", "pixel", "transparent", "1x1", "loading", "lazy", "loader",
    ".gif",
)  # fmt: skip
_PLACEHOLDER = re.compile(
    r"(?:^|[/_.-])(?:blank|spacer|placeholder|pixel|transparent|1x1|loading|lazy-?load"
    r"|ajax-?loader|loading-trans[\w-]*)"
    r"\.(?:gif|png|svg|jpe?g|webp)(?:$|\?)"
    r"|/(?:[a-d]|clear|dot|empty|pix|shim|space|trans)\.gif(?:$|\?)",
    re.IGNORECASE,
)
# Parts of the path of an address that leads to an image; `/stats/count.php?id=1` has none.
_IMAGE_PATH = re.compile(
    r"\.(?:jpe?g|png|gif|webp|avif|svg|bmp)\b|ima?ge?|photo|pic|thumb|media|asset|upload|file|latex"
    r"|chart|avatar|logo|resi[zs]e|cdn",
    re.IGNORECASE,
)
_SIGN = re.compile(
    r"/(?:pv|beacon|icon18_\w{1,40})\.(?:gif|png)\Z|/presskit/icons/[a-z]+\.svg\Z", re.IGNORECASE
)
_SIGN_NAMES = ("/pv.", "/beacon.", "/icon18_", "/presskit/")
_SMILEY = re.compile(r"smil(?:ey|ie)|emoji|emotic", re.IGNORECASE)
_SMILEY_NAMES = Words("smil", "emo")
# Parts of the addresses of trackers, signs and smileys.
_NAMES = Words(*TRACKER_NAMES.words, *_SIGN_NAMES, *_SMILEY_NAMES.words)


def normalise_images(tree: KeptTree, base: str | None) -> dict[int, dict[str, str]]:
    """Return the URL, the alternative text and the title of each image, by index.

    Images that have none, or that repeat the one before, are left out of the tree.
    """
    images = _Images(tree, base)
    tags = tree.tags
    skipped = tree.replaced_rows()
    before = 0
    for image in tree.places_of(IMAGE_TAGS):
        if image in skipped:
            continue
        if images.last >= 0 and (
            not _SEPARATE.isdisjoint(tags[before:image]) or _has_text(tree, before, image)
        ):
            images.last = -1
        images.normalise(image)
        before = image + 1
    return {image: images.attributes(image) for image in images.urls}


def _has_text(tree: KeptTree, first: int, stop: int) -> bool:
    """Return whether there is text in a range of rows; formulas count."""
    if not tree.replaced:
        return bool("".join(tree.texts[first:stop]).strip())
    for at in range(first, stop):
        text = node_text(tree.replaced[at]) if at in tree.replaced else tree.texts[at]
        if text.strip():
            return True
    return False


_BESIDE_ROWS, _PIECES = 30, 3  # rows beside an image, and texts that a name may be in


class _Images:
    """The images of a page, read in document order."""

    def __init__(self, tree: KeptTree, base: str | None) -> None:
        self.tree = tree
        self.base = base
        self.urls: dict[int, str] = {}
        self.alternatives: dict[int, str] = {}  # texts of images in `noscript`, by placeholder
        self.last = -1  # the image before, if no text is between
        self.seen: dict[str, int] = {}  # the last image of each URL
        self._pictures: dict[int, str | None] = {}  # the best source of a picture
        self._has_noscript = "noscript" in tree.places

    def normalise(self, image: int) -> None:
        """Find the URL of one image, or leave the image out."""
        tree, replaced = self.tree, self.tree.replaced
        alternative, _, classes, width, height, *addresses = tree.image(image)
        if width in _TINY and height in _TINY and not any(addresses[1:]):
            replaced[image] = None  # it counts visits
            return
        url = self._url(image)
        if url is not None:
            is_named = _NAMES.are_in(url)  # false of most
            if (is_named and is_tracker(url)) or self._counts_visits(image, url, is_named):
                replaced[image] = None
                return
            if _is_smiley(classes or "", url[-200:] if is_named else ""):
                replaced[image] = Text(_smiley(alternative or ""))
                return
        if self.last >= 0 and self._repeats(image, url):
            replaced[image] = None
            return
        is_from_noscript = url is None and not self._is_in_noscript(image)
        if is_from_noscript:
            url = self._url_from_noscript(image)
        if url is None:
            replaced[image] = Text(" ")  # its alternative text is not part of the kept text
            return
        if is_from_noscript and self.last >= 0 and _name(url) == _name(self.urls[self.last]):
            replaced[self.last] = None  # a small preview of the same image
            del self.urls[self.last]
        if url in self.seen and self._is_near(self.seen[url], image):
            replaced[image] = None  # a copy for other screens
            return
        self.urls[image] = url
        self.last = self.seen[url] = image

    def attributes(self, image: int) -> dict[str, str]:
        """Return the attributes of an image in the normal form."""
        tree, values = self.tree, {"src": collapsed(self.urls[image])}
        alternative, title = tree.image(image)[:2]
        alternative = self.alternatives.get(image) or alternative
        if alternative and "&#" in alternative:  # some programs escape twice
            alternative = unescape(alternative)
        if alternative:
            if not self._is_beside(image, alternative):
                values["alt"] = collapsed(alternative)
            elif title == alternative:
                title = None
        if title:
            values["title"] = collapsed(title)
        return values

    def _is_beside(self, image: int, alternative: str) -> bool:
        """Return whether the text right before an image or after it says the same.

        Its reader would read that twice, as before the name of a product below its picture.
        """
        texts = self.tree.texts
        said = collapsed(alternative).casefold()
        pieces = 0
        for at in range(image - 1, max(image - _BESIDE_ROWS, 0) - 1, -1):
            text = texts[at]
            if text and not text.isspace():
                if _is_same(text, said):
                    return True
                pieces += 1
                if pieces == _PIECES:
                    break
        after, pieces = "", 0
        for at in range(image + 1, min(image + _BESIDE_ROWS, len(texts))):
            text = texts[at]
            if text and not text.isspace():
                after = f"{after} {text}" if after else text
                if _is_same(after, said):
                    return True
                pieces += 1
                if pieces == _PIECES:
                    break
        return False

    def _is_near(self, first: int, second: int) -> bool:
        """Return whether an image is a part of the same text as one before it."""
        if second - first > _NEAR_ROWS:
            return False
        size, texts = 0, self.tree.texts
        for at in range(first, second):
            size += len(texts[at])
            if size > _NEAR:
                return False
        return _SEPARATE.isdisjoint(self.tree.tags[first:second])

    def _counts_visits(self, image: int, url: str, is_named: bool) -> bool:
        """Return whether an image without text is a request with data, or a sign of a site."""
        if not is_named and "?" not in url:  # true of most
            return False
        path, mark, query = url.partition("?")
        is_sign = is_named and _SIGN.search(path[-60:]) is not None
        if is_sign and not (self.tree.attr(image, "alt") or "").strip():
            return True
        is_file = not (path.endswith(".gif") and "&" in query)
        if not mark or (is_file and _IMAGE_PATH.search(path.partition("//")[2] or path)):
            return False
        return self._is_in_noscript(image) or not (self.tree.attr(image, "alt") or "").strip()

    def _is_in_noscript(self, image: int) -> bool:
        above = self.tree.parents[image] if self._has_noscript else -1
        while above >= 0 and self.tree.tags[above] != "noscript":
            above = self.tree.parents[above]
        return above >= 0

    def _repeats(self, image: int, url: str | None) -> bool:
        """Return whether an image is another copy of the one before it."""
        if self._is_in_noscript(image):
            return True
        if url is None:
            return False
        if _are_of_one_image(self.urls[self.last], url):
            return True
        if not self._is_in_noscript(self.last):
            return False
        return any([self.tree.attr(image, name) for name in _LAZY])  # noqa: C419

    def _url(self, image: int) -> str | None:
        """Return the first lazy URL, else `src`, else the largest candidate of the sets."""
        stated = self.tree.image(image)
        for at in (*range(6, len(stated)), 5):
            if stated[at]:
                url = _usable(stated[at], self.base)
                if url is not None:
                    return url
        url = self._largest([image])
        parent = self.tree.parents[image]
        if url is None and parent >= 0 and self.tree.tags[parent] == "picture":
            if parent not in self._pictures:
                self._pictures[parent] = self._largest(self.tree.inside(parent, ("source",)))
            url = self._pictures[parent]
        return url

    def _largest(self, holders: list[int]) -> str | None:
        """Return the first of the largest usable candidates in the sets of the elements."""
        best, best_size = None, -1.0
        for holder in holders:
            for name in (*_LAZY_SETS, "srcset"):
                stated = self.tree.attr(holder, name)
                if not stated:
                    continue
                for candidate, size in srcset_candidates(stated):
                    url = _usable(candidate, self.base)
                    if url is not None and size > best_size:
                        best, best_size = url, size
        return best

    def _url_from_noscript(self, image: int) -> str | None:
        """Return the URL of the image in a `noscript` right after this placeholder."""
        tags, after = self.tree.tags, self.tree.ends[image]
        parent = self.tree.parents[image]
        stop = self.tree.ends[parent] if parent >= 0 else len(self.tree)
        while after < stop and not tags[after] and not self.tree.texts[after].strip():
            after += 1
        if after >= stop or tags[after] != "noscript":
            return None
        images = self.tree.inside(after, ("img",))
        if not images:
            return None
        inner = images[0]
        if not self.tree.attr(image, "alt"):
            self.alternatives[image] = self.tree.attr(inner, "alt") or ""
        return self._url(inner)


def _is_same(text: str, said: str) -> bool:
    """Return whether a text that is not blank is another one, which is in one case."""
    if _MOST_FOLDED * len(text) < len(said) or text.lstrip()[:1].casefold()[:1] != said[:1]:
        return False  # true of most
    return collapsed(text).casefold() == said


_MOST_FOLDED = 3  # characters that one becomes in one case


def _is_smiley(classes: str, end: str) -> bool:
    """Return whether the class of an image or the end of its address names a smiley."""
    name = classes[:200]
    if not (name and _SMILEY_NAMES.are_in(name)) and not (end and _SMILEY_NAMES.are_in(end)):
        return False
    return _SMILEY.search(f"{end} {name}") is not None


def _smiley(alternative: str) -> str:
    """Return what is written for a smiley: its text, if that is no word, with spaces around."""
    text = alternative.strip()
    is_mark = text.startswith(":") or len(text) <= _LONGEST_MARK or not text.isascii()
    return f" {text} " if is_mark and len(text) <= _LONGEST_SMILEY else " "


_LONGEST_MARK, _LONGEST_SMILEY = 3, 20  # characters of ";-)" and of ":slightly_smiling:"


def srcset_candidates(srcset: str) -> Iterator[tuple[str, float]]:
    """Yield the URLs of a `srcset` with their sizes, in pixels or as a pixel density.

    See https://html.spec.whatwg.org/#srcset-attributes.
    """
    url = ""
    for token in srcset.split():
        if url:
            size, _, rest = token.partition(",")
            yield url, _size(size)
            url = rest
        elif token.endswith(","):
            yield token.rstrip(","), 1.0
        else:
            url = token
    if url:
        yield url, 1.0


# Sizes in the address of an image: at the end of its name, as a part of its path, in its query.
_SIZE = re.compile(
    r"[-_@]\d{2,4}x\d{2,4}(?=\.\w{3,4}(?:$|[?#]))|(?<=/)(?:\d{2,4}x\d{2,4}|[wh]_?\d{2,4})(?=/)"
    r"|(?<=[?&])(?:w|h|width|height|size|resize|fit|crop|quality|q|dpr|auto|fm|format)=[^&#]*&?"
)

_SIZE_BEGINS = [f"{side}{sign}" for side in ("/w", "/h") for sign in "_0123456789"]
_SIZE_SIGNS = Words("&", *(f"{digit}x" for digit in range(10)), *_SIZE_BEGINS)


def _are_of_one_image(first: str, second: str) -> bool:
    """Return whether two URLs are the same but for the size of the image."""
    if first == second:
        return True
    begin, other = _name(first)[:3], _name(second)[:3]
    if begin != other and begin.isalnum() and other.isalnum():  # no size is in letters and digits
        return False
    path, other = first.partition("?")[0], second.partition("?")[0]
    has_size = path == other or _SIZE_SIGNS.are_in(path) or _SIZE_SIGNS.are_in(other)
    if not has_size and path.isascii() and other.isascii():
        return False
    return _without_size(first) == _without_size(second)


@lru_cache(2)  # a run of images is compared in pairs
def _without_size(url: str) -> str:
    return _SIZE.sub("", url).rstrip("?&")


def _name(url: str) -> str:
    """Return the file name in the URL of an image."""
    return url.partition("?")[0].rpartition("/")[2]


def _size(descriptor: str) -> float:
    try:
        return float(descriptor[:-1])
    except ValueError:
        return 1.0


def _usable(url: str, base: str | None) -> str | None:
    is_whole = COMPILED and _views.is_whole_address(url, bool(base))  # true of most
    absolute = url if is_whole else resolve(url, base, IMAGE_SCHEMES)
    return None if absolute is None or _is_placeholder(absolute) else absolute


def _is_placeholder(url: str) -> bool:
    return _PLACEHOLDER_NAMES.are_in(url) and _PLACEHOLDER.search(url) is not None


use_compiled(globals(), "normalise_images", "srcset_candidates")
