"""Trees in the normal form from literal HTML, and validation of TEI."""

from pathlib import Path

import turbohtml
from lxml import etree

from thresher import parse, render
from thresher.render import kept_tree, normalise

RELAX_NG = etree.RelaxNG(etree.parse(str(Path(render.__file__).parent / "tei" / "tei.rng")))


def parsed_body(source: str) -> turbohtml.Element:
    body = turbohtml.parse(source, allow_declarative_shadow_roots=False).find("body")
    assert body is not None
    return body


def tree(
    source: str, *, url: str | None = None, links: bool = True, images: bool = True
) -> turbohtml.Element:
    """Return the tree of all text of a page in the normal form."""
    everything = kept_tree(parse(source, url=url).all())
    return normalise(everything, url=url, links=links, images=images)


def valid_tei(document: str) -> etree._Element:
    """Return the root of a TEI document after checking it against the schema."""
    root = etree.fromstring(document.encode())
    assert RELAX_NG.validate(root), RELAX_NG.error_log
    return root
