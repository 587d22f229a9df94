"""Names of output files: in the tree of the inputs, safe on every system, never twice the same."""

from __future__ import annotations

import re
import unicodedata
from hashlib import sha256
from pathlib import PurePath
from urllib.parse import unquote, urlsplit

# Not allowed in a name on some system, or not a character at all (surrogates: undecodable bytes).
_UNSAFE = re.compile(r'[\x00-\x1f\x7f-\x9f<>:"/\\|?*\ud800-\udfff]+')
# https://learn.microsoft.com/en-us/windows/win32/fileio/naming-a-file
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.I)
_MOST_BYTES = 180  # of 255 that most file systems allow: room for a number and an extension
_PAGE = re.compile(r"\.(?:x?html?)$", re.I)


def safe(name: str) -> str:
    """Return a name that every file system takes; a name that is cut gets a mark of its own."""
    clean = _UNSAFE.sub("_", unicodedata.normalize("NFC", name)).rstrip(" .")
    clean = re.sub(r"^(?=\.)|^$", "_", clean)  # hidden, "..", or nothing at all
    if _RESERVED.fullmatch(clean):
        clean = f"_{clean}"
    encoded = clean.encode()
    if len(encoded) <= _MOST_BYTES:
        return clean
    mark = sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{encoded[: _MOST_BYTES - 9].decode(errors='ignore')}-{mark}"


def url_parts(url: str) -> tuple[str, ...]:
    """Return host, path and query of an address as the parts of a file's path."""
    try:
        split = urlsplit(url)
        host = split.hostname or "page"
    except ValueError:
        return ("page",)
    *folders, page = [unquote(part) for part in split.path.split("/")]
    page = page or "index"
    if split.query:
        page = f"{_PAGE.sub('', page)}-{unquote(split.query)}"
    return (host, *filter(None, folders), page)


class Names:
    """Gives out paths below the output folder."""

    def __init__(self) -> None:
        self.taken: set[tuple[str, ...]] = set()
        self.folders: dict[tuple[str, ...], tuple[str, ...]] = {(): ()}

    def file(self, parts: tuple[str, ...], extension: str) -> PurePath:
        """Return a free path for an input with these parts; folders are the same each time."""
        folder = self._folder(parts[:-1])
        stem = _PAGE.sub("", parts[-1]) or parts[-1]
        return PurePath(*self._claim(folder, safe(stem), extension))

    def _folder(self, parts: tuple[str, ...]) -> tuple[str, ...]:
        for depth in range(1, len(parts) + 1):
            part = parts[:depth]
            if part not in self.folders:
                self.folders[part] = self._claim(self.folders[part[:-1]], safe(part[-1]), "")
        return self.folders[parts]

    def _claim(self, folder: tuple[str, ...], stem: str, extension: str) -> tuple[str, ...]:
        """Take the first free name: some systems do not tell upper from lower case."""
        number = 1
        while True:
            name = f"{stem}-{number}{extension}" if number > 1 else f"{stem}{extension}"
            key = (*(part.casefold() for part in folder), name.casefold())
            if key not in self.taken:
                self.taken.add(key)
                return (*folder, name)
            number += 1
