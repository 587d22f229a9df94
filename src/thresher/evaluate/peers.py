"""Peers: other extractors, to be measured beside the methods.

A peer is a function from HTML to text. Some also write Markdown or HTML: `markup`.
"""

from __future__ import annotations

import importlib
import logging
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Literal, TypeAlias

from thresher.errors import UsageError

Peer = Callable[[str], str]
Form: TypeAlias = Literal["markdown", "html"]
MarkupPeer = Callable[[str, str], str]  # from HTML and the address of the page


def _trafilatura(fast: bool) -> Peer:
    extract = importlib.import_module("trafilatura").extract
    return lambda html: extract(html, include_comments=False, fast=fast) or ""


def _trafilatura_markup(form: Form) -> MarkupPeer:
    extract = importlib.import_module("trafilatura").extract
    return lambda html, url: (
        extract(
            html,
            url=url or None,
            output_format=form,
            include_comments=False,
            include_formatting=True,
            include_images=True,
            include_links=True,
        )
        or ""
    )


def _quiet_readability() -> Any:
    """Return its class; it logs a traceback for every page without a body, and raises as well."""
    logging.getLogger("readability").setLevel(logging.CRITICAL + 1)
    return importlib.import_module("readability").Document


def _readability_html() -> MarkupPeer:
    document = _quiet_readability()
    return lambda html, url: str(document(html, url=url or None).summary())


def _readability() -> Peer:
    document = _quiet_readability()
    lxml_html = importlib.import_module("lxml.html")

    def text(html: str) -> str:
        summary = document(html).summary()
        return str(lxml_html.fromstring(summary).text_content()) if summary.strip() else ""

    return text


def _resiliparse() -> Peer:
    extract = importlib.import_module("resiliparse.extract.html2text").extract_plain_text
    return lambda html: extract(html, main_content=True, alt_texts=False, links=False)


def _resiliparse_html() -> MarkupPeer:
    extract = importlib.import_module("resiliparse.extract.html2text").extract_plain_text
    return lambda html, _: str(
        extract(html, preserve_formatting="minimal_html", main_content=True, links=True)
    )


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


def _turbohtml_markup(form: Form) -> MarkupPeer:
    parse = importlib.import_module("turbohtml").parse

    def write(html: str, _: str) -> str:
        content = parse(html).main_content()
        if content is None:
            return ""
        return str(content.to_markdown() if form == "markdown" else content.html)

    return write


# name: the package that pip installs, and a function that returns the peer
_PEERS: dict[str, tuple[str, Callable[[], Peer]]] = {
    "justext": ("justext", _justext),
    "readability": ("readability-lxml", _readability),
    "resiliparse": ("resiliparse", _resiliparse),
    "trafilatura": ("trafilatura", lambda: _trafilatura(fast=False)),
    "trafilatura-fast": ("trafilatura", lambda: _trafilatura(fast=True)),
    "turbohtml": ("turbohtml", _turbohtml),
}

# name: for each form that it writes, a function that returns the peer
_MARKUP: dict[str, dict[Form, Callable[[], MarkupPeer]]] = {
    "readability": {"html": _readability_html},
    "resiliparse": {"html": _resiliparse_html},
    "trafilatura": {
        "markdown": lambda: _trafilatura_markup("markdown"),
        "html": lambda: _trafilatura_markup("html"),
    },
    "turbohtml": {
        "markdown": lambda: _turbohtml_markup("markdown"),
        "html": lambda: _turbohtml_markup("html"),
    },
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


def markup_names() -> list[str]:
    """Return the names of the peers that write Markdown or HTML, installed or not."""
    return list(_MARKUP)


def markup(name: str) -> dict[Form, MarkupPeer]:
    """Return a peer as functions from HTML and an address to each form that it writes."""
    if name not in _MARKUP:
        raise UsageError(f"no peer {name!r} that keeps structure: there are {', '.join(_MARKUP)}.")
    peer(name)  # says what to install
    return {form: make() for form, make in _MARKUP[name].items()}


def peer_version(name: str) -> str:
    """Return the version of a peer, "" if it is not installed."""
    try:
        return version(_PEERS[name][0])
    except PackageNotFoundError:
        return ""
