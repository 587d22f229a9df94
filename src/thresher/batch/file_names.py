"""Names of output files: the tree of the inputs, valid on every system, without collisions."""

from __future__ import annotations

import re
import unicodedata
from hashlib import sha256
from itertools import count
from pathlib import PurePath
from urllib.parse import unquote, urlsplit

# Not allowed in a name on some system, or not a character at all (surrogates: undecodable bytes).
# The last two lines: marks that change the order in which a name is shown, so that its end looks
# like another extension, and characters that are not shown. Joiners, which Persian needs, stay.
_UNSAFE = re.compile(
    r'[\x00-\x1f\x7f-\x9f<>:"/\\|?*\ud800-\udfff'
    r"\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    r"\U000e0000-\U000e007f]+"
)
# https://learn.microsoft.com/en-us/windows/win32/fileio/naming-a-file
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.I)
_MAX_BYTES = 180  # of the 255 that most file systems allow: leaves room for a number and extension
_HTML_EXTENSION = re.compile(r"\.(?:[xs]?html?|xht|mht|mhtml)(?:\.(?:gz|zst|br))?$", re.I)


def safe_name(name: str) -> str:
    """Return a file name that is valid on every system; a name that is cut ends in a hash."""
    clean = _UNSAFE.sub("_", unicodedata.normalize("NFC", name)).rstrip(" .")
    clean = re.sub(r"^(?=\.)|^$", "_", clean)  # hidden, "..", or empty
    if _RESERVED.fullmatch(clean):
        clean = f"_{clean}"
    encoded = clean.encode()
    if len(encoded) <= _MAX_BYTES:
        return clean
    digest = sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{encoded[: _MAX_BYTES - 9].decode(errors='ignore')}-{digest}"


def url_path_parts(url: str) -> tuple[str, ...]:
    """Return host, path and query of an address as the parts of a file's path."""
    try:
        split = urlsplit(url)
        host = split.hostname or "page"
    except ValueError:
        return ("page",)
    *folders, page = [unquote(part) for part in split.path.split("/")]
    page = page or "index"
    if split.query:
        page = f"{_HTML_EXTENSION.sub('', page)}-{unquote(split.query)}"
    return (host, *filter(None, folders), page)


class FileNames:
    """Assigns each input a path below the output folder; no path is assigned twice."""

    def __init__(self) -> None:
        self.taken: set[tuple[str, ...]] = set()
        self.folders: dict[tuple[str, ...], tuple[str, ...]] = {(): ()}

    def new_path(self, parts: tuple[str, ...], extension: str) -> PurePath:
        """Return a new path for an input; inputs of the same folder get the same folder."""
        stem = _HTML_EXTENSION.sub("", parts[-1]) or parts[-1]
        return PurePath(*self._new_name(self._folder(parts[:-1]), safe_name(stem), extension))

    def _folder(self, parts: tuple[str, ...]) -> tuple[str, ...]:
        for depth in range(1, len(parts) + 1):
            part = parts[:depth]
            if part not in self.folders:
                self.folders[part] = self._new_name(
                    self.folders[part[:-1]], safe_name(part[-1]), ""
                )
        return self.folders[parts]

    def _new_name(self, folder: tuple[str, ...], stem: str, extension: str) -> tuple[str, ...]:
        """Return the first free name, numbered from 2; names that differ in case only collide."""
        for number in count(1):
            name = f"{stem}-{number}{extension}" if number > 1 else f"{stem}{extension}"
            key = tuple(part.casefold() for part in (*folder, name))
            if key not in self.taken:
                self.taken.add(key)
                break
        return (*folder, name)
