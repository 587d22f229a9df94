"""Renderers: a tree of chosen text as Markdown, sanitised HTML or TEI.

body = prepare(tree, url="https://example.org/page")
markdown(body), html(body), tei(body)

`hidden_in_place` needs no tree: it is the whole page, with the rest made invisible.
"""

from thresher.render.hide import hidden_in_place
from thresher.render.html import html
from thresher.render.markdown import markdown
from thresher.render.options import Include
from thresher.render.prune import pruned
from thresher.render.tei import tei
from thresher.render.tei_header import Header
from thresher.render.tree import prepare

__all__ = ["Header", "Include", "hidden_in_place", "html", "markdown", "prepare", "pruned", "tei"]
