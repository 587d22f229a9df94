"""Hide in place: the whole page as HTML, with everything but the selection made invisible.

Insa, Silva, Tamarit 2013, section 6: taking the rest out of a page would move what is kept, so each
root of a subtree without kept text is given `visibility: hidden`. It still takes its space, and
the layout stays. Text that stands beside kept text in one element is wrapped in a `span` first.

The page is otherwise as it was, scripts included: it is as safe as the page itself. To be shown
from a file it names the charset it is written in, utf-8, and its address as `<base>` when that is
known. A style sheet that makes things visible by name still does.

Where no `span` can stand (in SVG and MathML, `option`, `textarea` and the like), dropped text
beside kept text is taken out.
"""

from __future__ import annotations

import numpy as np
import turbohtml

from thresher.arrays import inside
from thresher.columns import Bools
from thresher.page import Node, Page, Selection
from thresher.tags import lookup

__all__ = ["hidden_in_place"]

_STYLE = "visibility: hidden"
_NEVER_SHOWN = lookup("script style template link meta base title")
_NO_SPAN = lookup("svg math option textarea select title noscript noembed noframes iframe xmp")


def hidden_in_place(selection: Selection) -> str:
    """Return the page that the selection is of, with all that is not kept made invisible."""
    while selection.page.base is not None:  # only a page that was parsed has a tree
        selection = selection.lift()
    page = selection.page
    if page.body < 0:
        return page.source
    nodes = page.load(page, False)
    document = nodes[0].parent
    no_span = inside(_NO_SPAN[page.tag], page.end)
    for row in np.flatnonzero(_roots(page, selection)).tolist():
        if page.tag[row] != 0:
            _hide(nodes[row])
        elif no_span[row]:
            nodes[row].extract()
        else:
            nodes[row].wrap(turbohtml.Element("span", {"style": _STYLE}))
    _settle_head(document, page.url)
    return str(document.html)


def _roots(page: Page, selection: Selection) -> Bools:
    """Tell which rows are dropped and have a parent that is not; blank text is passed over."""
    kept = selection.kept.copy()
    kept[: page.body + 1] = True  # the head holds no text that is shown
    beside = kept[np.maximum(page.parent, 0)]
    found: Bools = ~kept & beside & ~_NEVER_SHOWN[page.tag] & ((page.tag != 0) | (page.chars > 0))
    return found


def _hide(node: Node) -> None:
    """Add to the style of an element."""
    before = (node.attr("style") or "").rstrip().rstrip(";")
    node.attrs["style"] = f"{before}; {_STYLE}" if before else _STYLE


def _settle_head(document: Node, url: str | None) -> None:
    """Name the charset, and the address that links and style sheets are relative to."""
    head = document.select_one("head")
    if head is None:
        return
    for meta in head.select('meta[charset], meta[http-equiv="content-type" i]'):
        meta.extract()
    if url is not None and document.select_one("base[href]") is None:
        head.insert(0, turbohtml.Element("base", {"href": url}))
    head.insert(0, turbohtml.Element("meta", {"charset": "utf-8"}))
