"""The kernels of the normal form, of HTML and of Markdown do what the plain modules do."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher
from tests.cores import needs_kernels, plain_core
from tests.pages import soup, well_formed
from tests.test_hostile import PAGES
from thresher.render import code, html, normal_form, scan
from thresher.render.kept_tree import KeptTree, kept_tree
from thresher.render.markdown import lines, writer
from thresher.render.normal_form import INLINE
from thresher.render.tree import Element, Node, Text

OPTIONS: tuple[dict[str, Any], ...] = (
    {"url": "https://example.org/a/b"},
    {"links": False, "images": False},
    {"spoken": True},
)
WRITERS: tuple[dict[str, Any], ...] = (
    {},
    {"bold": True},
    {"line_break": " ", "starts_block": False},
    {"line_break": "<br>", "in_cell": True, "starts_block": False},
)


def plain(module: ModuleType) -> Any:
    """Return a module without its compiled version: a name with `_` is taken for that."""
    package, _, name = module.__name__.rpartition(".")
    spec = spec_from_file_location(f"{package}._plain_{name}", Path(str(module.__file__)))
    assert spec is not None
    assert spec.loader is not None
    loaded = module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


PLAIN_FORM, PLAIN_LINES = plain(normal_form), plain(lines)
PLAIN_HTML, PLAIN_WRITER, PLAIN_SCAN = plain(html), plain(writer), plain(scan)


def described(node: Node) -> object:
    if isinstance(node, Text):
        return node.data
    return node.tag, node.attrs, len(node.children)


def check_normal_form(source: str) -> None:
    everything = thresher.parse(source).all()
    for options in OPTIONS:
        found = normal_form.normalise(kept_tree(everything), **options)
        expected = PLAIN_FORM.normalise(kept_tree(everything), **options)
        assert list(map(described, found.descendants())) == list(
            map(described, expected.descendants())
        )


@needs_kernels
@given(st.one_of(well_formed, soup))
def test_the_normal_form_of_random_pages(source: str) -> None:
    check_normal_form(source)


@needs_kernels
@pytest.mark.parametrize("name", PAGES)
def test_the_normal_form_of_hostile_pages(name: str) -> None:
    _, make = PAGES[name]
    check_normal_form(make(200))


PLAIN_CODE = plain(code)
PLAIN_CODE.COMPILED = False
IN_CODE = (
    "a", "\n", "  b", "<br>", "<span>c</span>", "<span class=k>d\n</span>", "<div>e</div>",
    "<span class=line>f</span>", "<span class=lineno>1</span>", "<br class=lineno>", "<img src=/g>",
    "<span class=gatsby-highlight-code-line>h</span>", "<code lang=c>i</code>",
)  # fmt: skip


@needs_kernels
@given(st.lists(st.sampled_from(IN_CODE), max_size=6))
def test_blocks_of_code(pieces: list[str]) -> None:
    everything = thresher.parse(f"<p>a</p><pre>{''.join(pieces)}</pre>").all()
    found, expected = kept_tree(everything), kept_tree(everything)
    for image in found.places.get("img", []):
        found.replaced[image] = expected.replaced[image] = Text("g")
    code.normalise_code(found)
    PLAIN_CODE.normalise_code(expected)
    assert found.replaced.keys() == expected.replaced.keys()
    for index, block in expected.replaced.items():
        known = found.replaced[index]
        assert (known and known_code(known)) == (block and known_code(block))


def known_code(block: Node) -> object:
    if isinstance(block, Text):
        return block.data
    return list(map(described, block.descendants()))


texts = st.text("ab12 .)([]*_~`&;#<>|$!\\:-+=\n\u00a0é\u200b世")
leaves = texts.map(Text)


def element(tag: str, children: list[Node], address: str, title: str) -> Element:
    if tag == "a":
        return Element(tag, {"href": address, "title": title}, children)
    if tag == "img":
        return Element(tag, {"src": address, "alt": title})
    return Element(tag, None, children)


nodes: st.SearchStrategy[Node] = st.recursive(
    leaves,
    lambda inner: st.builds(
        element, st.sampled_from(sorted(INLINE)), st.lists(inner, max_size=3), texts, texts
    ),
    max_leaves=8,
)


@needs_kernels
@given(st.lists(nodes, max_size=5))
def test_lines_of_markdown(line: list[Node]) -> None:
    for options in WRITERS:
        references: list[str] = []
        expected_references: list[str] = []
        found = lines.LineWriter(references, **options).write(line)
        assert found == PLAIN_LINES.LineWriter(expected_references, **options).write(line)
        assert references == expected_references


@needs_kernels
@given(st.one_of(well_formed, soup))
def test_html_and_markdown_of_random_pages(source: str) -> None:
    check_writers(source)


NOTE = "<p>a<sup><a href=#n>1</a></sup></p>{}<ol><li id=n>javascript: b</ol>"
BLOCKS = (
    "<hr>", "<p>c", "<ul><li><ul><li>d</ul></ul>", "<ol start=3><li>e<p>f</ol>", "<ol><li>g</ol>",
    "<dl><dt>h<dd>i<dd><pre>```\nj</pre></dl>", "<blockquote><hr>k</blockquote>", "<h2>l #</h2>",
    "<h3><a href=#m>m</a></h3>", "<ul><li><p><input type=checkbox></p><p>n</ul>", "é\u2028<", "😀&",
    "<table><caption>o<tr><td>p<td>q<tr><td>r</table>", "<details><summary>s</summary>t</details>",
    "<a href='javascript:x' title='&lt;\"'>u</a>", "<p dir=rtl>v", "<img src=/w alt='x&nbsp;'>",
)  # fmt: skip


@needs_kernels
@given(st.lists(st.sampled_from(BLOCKS), max_size=8))
def test_html_and_markdown_of_blocks(blocks: list[str]) -> None:
    check_writers(NOTE.format("".join(blocks)))
    check_writers(f"<ul><li>{''.join(blocks)}</ul><blockquote>{''.join(blocks[::2])}</blockquote>")


def check_writers(source: str) -> None:
    body = normal_form.normalise(kept_tree(thresher.parse(source).all()))
    for links in (True, False):
        assert html.html(body, links=links) == PLAIN_HTML.html(body, links=links)
    assert writer.markdown(body) == PLAIN_WRITER.markdown(body)


@needs_kernels
@given(st.lists(st.text("$a世😀")))
def test_texts_with_two_dollars(given: list[str]) -> None:
    assert scan.texts_with_dollars(given) == PLAIN_SCAN.texts_with_dollars(given)


def tree_lists(tree: KeptTree) -> object:
    """Return what a tree holds, for comparison."""
    lists = (tree.tags, tree.ends, tree.parents, tree.texts, list(map(id, tree.nodes)))
    return lists, tree.places, tree.numbers, tree.layout_tables, tree.boxes


@needs_kernels
@given(st.one_of(well_formed, soup), st.randoms(use_true_random=False))
def test_the_kept_rows_of_random_selections(source: str, random: Random) -> None:
    page = thresher.parse(
        f"<p>a</p><div><img src=/a.png width=300></div>{source}<figure><iframe src=/b></iframe>"
        "<video src=/c></video><figcaption>e <a href=/e>f</a></figcaption></figure>"
        "<div><img src=/g><div class=caption>g</div><p>h</p></div>"
        "<a id=d></a><div data-vimeo-id=1></div><p>b</p><ul><li>"
        "<span><input type=checkbox></span> <a href=#d>c</a></ul>"
    )
    chosen = page.select(np.array([row for row in page.text_rows if random.random() < 0.7], int))
    for captions in (False, True):
        found = kept_tree(chosen, captions=captions)
        with plain_core():
            expected = kept_tree(chosen, captions=captions)
        assert tree_lists(found) == tree_lists(expected)


@pytest.mark.parametrize("html", ["<div data-vimeo-id=1></div>", "<ul><li><input type=checkbox>c"])
def test_players_and_boxes_in_templates_are_not_in_the_tree(html: str) -> None:
    page = thresher.parse(f"<p>a</p><template><p>b</p>{html}<p>d</p></template>")
    tree = kept_tree(page.all())
    assert tree.tags == ["p", ""]
    assert not tree.boxes
