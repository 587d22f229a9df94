"""Preparing a tree: every renderer works on the same normal form, made here once."""

from __future__ import annotations

from turbohtml import Element

from thresher.render.code import settle_code
from thresher.render.footnotes import REFERENCE, settle_footnotes
from thresher.render.images import settle_images
from thresher.render.maths import settle_maths
from thresher.render.normal_form import normal_form
from thresher.render.options import Include
from thresher.render.tables import settle_tables
from thresher.render.urls import resolve


def prepare(body: Element, *, url: str | None = None, include: Include = Include()) -> Element:
    """Normalise a tree in place for `markdown`, `html` and `tei`, and return it.

    The tree holds chosen text only, so no text is dropped for the element that holds it, except
    where it repeats other text (copies of a formula, line numbers, links back from a footnote) or
    is no text of the page (script, style, template, data lists).
    """
    _open_shadow_roots(body)
    body.remove("style, template")
    settle_maths(body)
    body.remove("script")
    settle_images(body, url)
    settle_footnotes(body, url)
    _settle_links(body, url)
    settle_code(body)
    settle_tables(body)
    normal_form(body, include)
    return body


def _open_shadow_roots(body: Element) -> None:
    """Put what a shadow root holds in its place: a browser shows it."""
    for root in body.select("template[shadowrootmode]"):
        content = [node for fragment in root.children for node in fragment.children]
        root.insert_before(*content)
        root.extract()


def _settle_links(body: Element, url: str | None) -> None:
    """Make addresses absolute; a link that is not safe loses its address."""
    for link in body.select("a[href]"):
        if link.attr("role") == REFERENCE:
            continue
        address = resolve(link.attr("href"), url)
        if address is None:
            del link.attrs["href"]
        else:
            link.attrs["href"] = address
