"""Trees in the normal form from literal HTML, and validation of TEI."""

from pathlib import Path

from lxml import etree

from thresher import parse, render
from thresher.render.html import html
from thresher.render.kept_tree import kept_tree
from thresher.render.normal_form import normalise
from thresher.render.tree import Element, Text

RELAX_NG = etree.RelaxNG(etree.parse(str(Path(render.__file__).parent / "tei" / "tei.rng")))


def parsed_body(source: str) -> Element:
    """Return the body of a page as it is, not in the normal form."""
    tree = kept_tree(parse(source).all())
    children = [
        tree.copy(index) if tree.tags[index] else Text(tree.texts[index])
        for index in tree.children(-1)
    ]
    return Element("body", None, [*children])


def tree(
    source: str, *, url: str | None = None, links: bool = True, images: bool = True
) -> Element:
    """Return the tree of all text of a page in the normal form."""
    everything = kept_tree(parse(source, url=url).all())
    return normalise(everything, url=url, links=links, images=images)


def inner_html(body: Element) -> str:
    """Return a tree in the normal form as HTML."""
    return html(body).removeprefix("<article>").removesuffix("</article>")


def valid_tei(document: str) -> etree._Element:
    """Return the root of a TEI document after checking it against the schema."""
    root = etree.fromstring(document.encode())
    assert RELAX_NG.validate(root), RELAX_NG.error_log
    return root
