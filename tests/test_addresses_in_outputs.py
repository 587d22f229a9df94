"""Every address of every output passes `thresher.page.addresses.resolve`."""

import ast
import json
from pathlib import Path

import pytest

import thresher
from thresher.document import field_names
from thresher.render import FORMATS

SOURCE = Path(thresher.__file__).parent

# The only modules that read an attribute with an address, and what for. A module that shows an
# address must take it from `resolve` or `Page.resolve`.
READS = {
    "page/rewritten.py": "whether a link edits a section",
    "page/page.py": "base_url: resolved",
    "page/parse.py": "whether an element is a link",
    "page/unclosed.py": "whether a script has an address",
    "page/controls.py": "whether a link leads to the page itself",
    "page/plain_text/formulas.py": "whether an image may show a formula",
    "page/plain_text/raised.py": "whether a number leads to a note of the page",
    "methods/default/groups.py": "whether the links of a list lead to the page itself",
    "methods/default/neighbours.py": "as in methods/default/groups.py",
    "metadata/headline_vote.py": "whether a heading is a link to the home page",
    "metadata/subjects.py": "whether links lead to other sites",
    "metadata/declared.py": "links of the head: resolved in metadata/__init__.py",
    "metadata/licence.py": "whether a link leads to a licence",
    "metadata/links.py": "licences and tags: resolved in metadata/__init__.py",
    "metadata/candidates.py": "whether a link leads to an author; licences as above",
    "structure/links.py": "resolved",
    "structure/threads/weblog.py": "resolved",
    "structure/threads/page_facts.py": "whether links lead to users and posts",
    "methods/crunch.py": "hosts of advertisers; `links`: resolved",
    "evaluate/structure.py": "compares outputs, shows none of them",
    "render/normal_form.py": "resolved",
    "render/images.py": "resolved",
    "render/media.py": "resolved",
    "render/kept_tree.py": "whether a link leads to a place of the page",
    "metadata/__init__.py": "whether a link is an e-mail address",
    "render/kept_images.py": "whether an image is loaded later",
    "render/posts.py": "whether posts have the same image",
    "render/html.py": "of the normal form, checked once more",
    "render/footnotes.py": "links within the page",
    "render/speech.py": "whether a link is a footnote",
    "render/in_place.py": "the base of a page that is shown as it is",
    "render/markdown/lines.py": "of the normal form",
    "render/markdown/writer.py": "whether a heading links to a place",
    "render/tei/writer.py": "of the normal form",
}
JOINS = {"page/addresses.py", "evaluate/structure.py"}
_NAMES = {"href", "xlink:href", "src", "srcset", "action", "formaction", "poster", "data-src"}


def test_no_other_module_reads_or_joins_addresses():
    reading, joining = set(), set()
    for path in SOURCE.rglob("*.py"):
        name = path.relative_to(SOURCE).as_posix()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and node.value in _NAMES:
                reading.add(name)
            if isinstance(node, ast.alias | ast.Attribute):
                called = node.name if isinstance(node, ast.alias) else node.attr
                if called == "urljoin":
                    joining.add(name)
    reading = {name for name in reading if not name.startswith(("viewer/", "visual/"))}
    assert reading == set(READS)
    assert joining == JOINS


UNSAFE = (
    "javascript:alert(1)", "JaVaScRiPt:alert(1)", " java\tscript:alert(1)",
    "\x01javascript:alert(1)",
    "java\nscript:alert(1)", "data:text/html,<script>alert(1)</script>", "vbscript:alert(1)",
    "livescript:alert(1)", "blob:https://a.b/x", "file:///etc/passwd", "about:blank",
    "view-source:x",
    "javascript&colon;alert(1)", "feed:javascript:alert(1)", "jar:javascript:x!/", "filesystem:x",
    "intent://x", "ms-msdt:/id", "x-apple:alert",
)  # fmt: skip
_RELATED = "<div class=related-articles><h3>Related</h3><ul>{}</ul></div>"


def _page(address: str) -> str:
    given = address.replace("&", "&amp;").replace("&amp;colon;", "&colon;").replace('"', "&quot;")
    declared = {"@type": "Article", "url": address, "image": address, "license": address}
    data = json.dumps(declared).replace("<", "\\u003c")
    article = "<p>" + "All night it rained on the roof, and nobody slept at all. " * 8
    links = "".join(
        f'<li><a href="{given}{n or ""}">A long headline of another story {n}</a>' for n in range(4)
    )
    return f"""<base href="{given}"><title>Rain</title><link rel=canonical href="{given}">
        <link rel=image_src href="{given}"><link rel=license href="{given}">
        <meta property=og:url content="{given}"><meta property=og:image content="{given}">
        <script type="application/ld+json">{data}</script>
        <article><h1>Rain</h1>{article * 3}<a href="{given}">one</a>
        <a rel=license href="{given}">l</a>
        <a rel=author href="{given}">Jane Doe</a>
        <img src="{given}" alt=two width=600 height=400><img data-src="{given}" srcset="{given} 2x">
        <svg><a xlink:href="{given}">three</a></svg>
        <sup><a role=doc-noteref href="{given}">4</a></sup></article>
        {_RELATED.format(links)}"""


@pytest.mark.parametrize("address", UNSAFE)
def test_no_output_has_an_address_that_could_run_code(address):
    for url in (None, "https://example.org/a"):
        document = thresher.extract(_page(address), url=url)
        outputs = {form: document.render(form) for form in FORMATS if form != "in-place"}
        outputs["all fields"] = document.json(fields=field_names())
        outputs["plain"] = thresher.extract(document.page, method="plain").markdown()
        scheme = (
            address.strip(" \x01").replace("\t", "").replace("\n", "").partition(":")[0].lower()
        )
        for form, output in outputs.items():
            assert f"{scheme.partition('&')[0]}:" not in output.lower().replace("\t", ""), form
        assert all(link.address.startswith(("http", "/")) for link in document.related)


def test_related_links_that_run_code_are_left_out():
    links = (
        "<li><a href='javascript:a'>One story of rain</a><li><a href=/b>Another story of rain</a>"
    )
    page = f"<article>{'<p>All night it rained on the roof of the house.</p>' * 9}</article>"
    document = thresher.extract(page + _RELATED.format(links), url="https://example.org/")
    assert [link.address for link in document.related] == ["https://example.org/b"]


def test_a_long_base_is_not_copied_into_every_link():
    base = "http://a.b/" + "x" * 50_000 + "/"
    links = "<a href=y>word</a> " * 100
    document = thresher.extract(f"<base href='{base}'><p>{links}", method="plain")
    assert len(document.markdown()) < 5_000
