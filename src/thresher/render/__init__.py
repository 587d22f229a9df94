"""Renderers: a tree of chosen text as Markdown, sanitised HTML or TEI.

body = prepare(tree, url="https://example.org/page")
markdown(body), html(body), tei(body)
"""

from thresher.render.html import html
from thresher.render.markdown import markdown
from thresher.render.options import Include
from thresher.render.prune import pruned
from thresher.render.tei import tei
from thresher.render.tree import prepare

__all__ = ["Include", "html", "markdown", "prepare", "pruned", "tei"]
