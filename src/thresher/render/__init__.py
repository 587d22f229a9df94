"""Output formats: a `Selection` as Markdown, HTML, TEI, JSON, speech, or hidden in place.

Markdown, HTML, TEI and speech are written from one tree:

    tree = normalise(kept_tree(selection), url="https://example.org/page")
    markdown(tree), html(tree), tei(tree)

`kept_tree` builds a tree of the kept rows; `kept_images` says which images stay in it. `normalise`
rewrites that tree to a small vocabulary, which the docstring of `normal_form` lists; `maths`,
`images`, `footnotes`, `code` and `tables` each rewrite one kind of content for it. `in_place` needs
no such tree: it writes the whole page with everything else made invisible.

To add a format, write a module with a function that returns the text, from `Content.tree()` or
whatever else of `Content` it needs. Then add one line to `FORMATS` and the name to `FormatName`,
both in `formats`: `Document.render` and the `--format` option take their formats from there.
"""

from thresher.render.formats import FORMATS, Content, FormatName, Include
from thresher.render.html import html
from thresher.render.in_place import hide_in_place
from thresher.render.kept_tree import kept_tree
from thresher.render.markdown.writer import markdown
from thresher.render.normal_form import normalise
from thresher.render.speech import SpeechOptions, speech
from thresher.render.tei.header import Header
from thresher.render.tei.writer import tei

__all__ = [
    "FORMATS",
    "Content",
    "FormatName",
    "Header",
    "Include",
    "SpeechOptions",
    "hide_in_place",
    "html",
    "kept_tree",
    "markdown",
    "normalise",
    "speech",
    "tei",
]
