"""Renderers: a tree of chosen text as Markdown, sanitised HTML or TEI.

body = prepare(tree, url="https://example.org/page")
markdown(body), html(body), tei(body)

`hidden_in_place` needs no tree: it is the whole page, with the rest made invisible.
"""

from thresher.render.html import html
from thresher.render.in_place import hidden_in_place
from thresher.render.markdown.writer import markdown
from thresher.render.options import Include
from thresher.render.prepare import prepare
from thresher.render.prune import pruned
from thresher.render.tei.header import Header
from thresher.render.tei.writer import tei

__all__ = ["Header", "Include", "hidden_in_place", "html", "markdown", "prepare", "pruned", "tei"]
