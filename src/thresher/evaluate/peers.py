"""Peers: other extractors as functions from HTML to text, to be measured beside the methods."""

from __future__ import annotations

import importlib
import logging
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version

from thresher.errors import UsageError

Peer = Callable[[str], str]


def _trafilatura(fast: bool) -> Peer:
    extract = importlib.import_module("trafilatura").extract
    return lambda html: extract(html, include_comments=False, fast=fast) or ""


def _readability() -> Peer:
    # It logs a traceback for every page without a body, and raises as well.
    logging.getLogger("readability").setLevel(logging.CRITICAL + 1)
    document = importlib.import_module("readability").Document
    lxml_html = importlib.import_module("lxml.html")

    def text(html: str) -> str:
        summary = document(html).summary()
        return str(lxml_html.fromstring(summary).text_content()) if summary.strip() else ""

    return text


def _resiliparse() -> Peer:
    extract = importlib.import_module("resiliparse.extract.html2text").extract_plain_text
    return lambda html: extract(html, main_content=True, alt_texts=False, links=False)


def _justext() -> Peer:
    justext = importlib.import_module("justext")
    stop_words = justext.get_stoplist("English")

    def text(html: str) -> str:
        paragraphs = justext.justext(html, stop_words)
        return "\n".join(part.text for part in paragraphs if not part.is_boilerplate)

    return text


def _turbohtml() -> Peer:
    parse = importlib.import_module("turbohtml").parse
    return lambda html: parse(html).main_text()


# name: the package that pip installs, and a function that returns the peer
_PEERS: dict[str, tuple[str, Callable[[], Peer]]] = {
    "justext": ("justext", _justext),
    "readability": ("readability-lxml", _readability),
    "resiliparse": ("resiliparse", _resiliparse),
    "trafilatura": ("trafilatura", lambda: _trafilatura(fast=False)),
    "trafilatura-fast": ("trafilatura", lambda: _trafilatura(fast=True)),
    "turbohtml": ("turbohtml", _turbohtml),
}


def names() -> list[str]:
    """Return the names of all peers, installed or not."""
    return list(_PEERS)


def peer(name: str) -> Peer:
    """Return a peer as a function from HTML to text."""
    if name not in _PEERS:
        raise UsageError(f"no peer {name!r}: there are {', '.join(_PEERS)}.")
    package, make = _PEERS[name]
    try:
        return make()
    except ImportError as error:
        raise UsageError(f"{name} is not installed: pip install {package}.") from error


def peer_version(name: str) -> str:
    """Return the version of a peer, "" if it is not installed."""
    try:
        return version(_PEERS[name][0])
    except PackageNotFoundError:
        return ""
