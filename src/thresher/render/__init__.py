"""Output formats: a `Selection` as Markdown, HTML, TEI, JSON, speech, or hidden in place.

Markdown, HTML, TEI and speech are written from one tree:

    body = normalise(kept_tree(selection), url="https://example.org/page")
    markdown(body), html(body), tei(body)

`kept_tree` lists the kept rows of a page; `kept_images` says which images stay among them.
`normalise` reads these rows in order and builds a tree of a small vocabulary (`tree`), which the
docstring of `normal_form` lists; `maths`, `images`, `footnotes`, `code` and `tables` each say what
becomes of one kind of content. No page is parsed again. Some of these modules are also compiled:
see `compiled`. `in_place` needs no such tree: it writes the whole page with everything else made
invisible.

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
