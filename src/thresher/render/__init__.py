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

from typing import TYPE_CHECKING, Any

from thresher.render.options import Include, SpeechOptions

if TYPE_CHECKING:
    from thresher.render.formats import FORMATS, Content, FormatName

__all__ = ["FORMATS", "Content", "FormatName", "Include", "SpeechOptions"]


def __getattr__(name: str) -> Any:
    """Return one of the names of `formats`, which imports all writers."""
    if name not in {"FORMATS", "Content", "FormatName"}:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from thresher.render import formats

    return getattr(formats, name)
