"""The pages of related news that a page links to, read to be read aloud after it (thesis 6.1)."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from thresher.batch.messages import Messages
from thresher.batch.sources import Input, is_page_name
from thresher.document import Document
from thresher.errors import InputError
from thresher.metadata.stop_words import stop_words
from thresher.page.addresses import without_password
from thresher.page.words import words
from thresher.site.related import host_of

_HEADLINE_WORDS, _HEADLINE_CHARS = 4, 10  # at least, of a link that is no label
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:|//", re.I)


@dataclass(frozen=True, slots=True)
class RelatedPages:
    """Reads the first `count` pages that a document lists as related.

    `extract` reads an input as the command reads its own. A page that cannot be read, or that has
    no content, is a warning.
    """

    count: int
    extract: Callable[[Input], Document]
    messages: Messages

    def __call__(self, source: Input, document: Document) -> list[Document]:
        """Return the related documents of one that was read from `source`."""
        found: list[Document] = []
        for address in related_addresses(document)[: self.count]:
            try:
                related = self.extract(_linked_input(address, source))
            except InputError as error:
                self.messages.warn(f"a related page is left out: {error}")
                continue
            if related.selection.words:
                found.append(related)
            else:
                shown = without_password(address)
                self.messages.warn(f"a related page is left out: {shown}: {related.status}.")
        return found


def related_addresses(document: Document) -> list[str]:
    """Return the addresses of the related pages of a document, the most related first, each once.

    These are the links of `Document.related` whose text is as long as a headline, without links to
    the page itself. Those of the same host come first, then those that share the most words with
    the article: a word of the title counts twice, and a link of n words has the divisor n + 3, so
    that one common word in a short link is not much. (The rule was read off the links of 45 pages
    of `fundus`; nothing was fitted.)
    """
    own, stop = _without_fragment(document.url or ""), stop_words(document.language or "")
    title, text = ({*_words(part)} - stop for part in (document.title, document.text))
    host = host_of(own)
    rank: dict[str, tuple[bool, float]] = {}
    for link in document.related:
        address, found = _without_fragment(link.address), _words(link.text)
        if address == own or not _may_be_page(address):
            continue
        if len(found) < _HEADLINE_WORDS or len(link.text) < _HEADLINE_CHARS:
            continue
        distinct = {*found} - stop
        shared = 2 * len(distinct & title) + len(distinct & text)
        is_elsewhere = bool(_SCHEME.match(address)) and host_of(address) != host
        rank.setdefault(address, (is_elsewhere, -shared / (len(distinct) + 3)))
    return sorted(rank, key=rank.__getitem__)


def _words(text: str) -> list[str]:
    return [word.casefold() for word in words(text)]


def _without_fragment(address: str) -> str:
    return address.partition("#")[0].strip()


def _may_be_page(address: str) -> bool:
    """Return False for addresses of mail, telephone and scripts."""
    if _SCHEME.match(address) is None:
        return address != ""
    return address.lower().startswith(("http:", "https:", "//"))


def _linked_input(address: str, source: Input) -> Input:
    """Return the input that an address of a page names; raise `InputError` if there is none.

    A relative link of a file names a page in the same folder or below it. Nothing else on the disk
    is read because a page asks for it.
    """
    if _SCHEME.match(address):
        whole = f"https:{address}" if address.startswith("//") else address
        return Input.of_address(whole)
    if source.kind != "file":
        raise InputError(f"the link {address} is relative: give --url, the address of the page.")
    folder = Path(source.name).parent
    path = folder / unquote(address.partition("?")[0])
    if not _is_page_below(path, folder):
        raise InputError(
            f"the link {address} is no page in the folder of {source.name}: give --url, the "
            "address of the page, to fetch it."
        )
    return Input(str(path), "file", (path.name,))


def _is_page_below(path: Path, folder: Path) -> bool:
    try:
        real_path = Path(os.path.realpath(path))
    except ValueError:  # a NUL in the name
        return False
    return real_path.is_relative_to(os.path.realpath(folder)) and is_page_name(path)
