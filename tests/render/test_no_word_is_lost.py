"""Every word of a page is in each output format once and in order, and TEI is valid.

Markdown is read back with another reader (markdown-it) and TEI with lxml, so that the words
compared are those a reader of the output sees.
"""

from __future__ import annotations

import re
from html import escape
from html.parser import HTMLParser

import pytest
import turbohtml
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tests.growth import assert_linear
from tests.render.helpers import inner_html, tree, valid_tei
from thresher import Selection, parse
from thresher.render.html import html
from thresher.render.kept_tree import kept_tree
from thresher.render.markdown.writer import markdown
from thresher.render.normal_form import normalise
from thresher.render.tei.header import Header
from thresher.render.tei.writer import tei

READER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
INLINE = "a b code del em i ins kbd mark s span strong sub sup u".split()

# Formulas are written as they are, so this reader would find emphasis in them: see `test_maths`.
text = (
    st.text('abc é漢1 *_[]()<>&#!`~-+.|:\\$"=\n\t', max_size=8)
    .filter(lambda text: not re.search(r"\\[()\[\]]|\$\$", text))
    .map(escape)
)
inline = st.recursive(
    text | st.just("<br>"),
    lambda inner: st.builds(
        lambda tag, parts: f"<{tag}{' href=/x' * (tag == 'a')}>{''.join(parts)}</{tag}>",
        st.sampled_from(INLINE),
        st.lists(inner, max_size=3),
    ),
    max_leaves=6,
)
line = st.lists(inline, max_size=3).map("".join)
cell = st.one_of(line, line.map(lambda part: f"<ul><li>{part}</ul>"))


def rows(cells: list[list[str]]) -> str:
    return "<table>" + "".join("<tr><th>" + "<td>".join(row) for row in cells) + "</table>"


leaf = st.one_of(
    line,
    line.map(lambda part: f"<p>{part}</p>"),
    line.map(lambda part: f"<h2>{part}</h2>"),
    line.map(lambda part: f"<pre>{part}</pre>"),
    st.just("<hr>"),
    st.lists(st.lists(cell, min_size=1, max_size=3), min_size=1, max_size=3).map(rows),
)
HOLDERS = [
    "<div>{}</div>",
    "<section>{}</section>",
    "<blockquote>{}</blockquote>",
    "<ul><li>{}</li></ul>",
    "<ol start=3><li>{}</li><li>z</li></ol>",
    "<ul>{}</ul>",
    "<li>{}</li>",
    "<dl><dt>t</dt><dd>{}</dd></dl>",
    "<figure>{}<figcaption>c</figcaption></figure>",
    "<details><summary>s</summary>{}</details>",
    "<b>{}</b>",
    "<h3>{}</h3>",
    "<dl><dt>{}</dt></dl>",
]
page = st.recursive(
    leaf,
    lambda inner: st.builds(
        lambda shape, parts: shape.format("".join(parts)),
        st.sampled_from(HOLDERS),
        st.lists(inner, max_size=3),
    ),
    max_leaves=8,
)


class Words(HTMLParser):
    """The words of HTML: all tags but inline ones separate words."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.parts: list[str] = []
        self.feed(source)
        self.close()
        self.words = re.findall(r"\w+", "".join(self.parts))

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag not in INLINE:
            self.parts.append(" ")

    def handle_endtag(self, tag: str) -> None:
        self.handle_starttag(tag, None)

    def handle_data(self, data: str) -> None:
        self.parts.append(data)


def source_words(source: str) -> list[str]:
    """Return the words of the tree that a browser makes of the source."""
    body = turbohtml.parse(source).find("body")
    assert body is not None
    return Words(body.inner_html).words


@settings(max_examples=150, deadline=None)
@given(page)
def test_html_keeps_the_words(source: str) -> None:
    assert Words(html(tree(source))).words == source_words(source)


@settings(max_examples=150, deadline=None)
@given(page)
def test_markdown_keeps_the_words(source: str) -> None:
    assert Words(READER.render(markdown(tree(source)))).words == source_words(source)


@settings(max_examples=150, deadline=None)
@given(page)
def test_tei_keeps_the_words_and_is_valid(source: str) -> None:
    body = valid_tei(tei(tree(source))).find("{*}text/{*}body")
    assert body is not None
    found = re.findall(r"\w", "".join(body.itertext()))
    assert found == list("".join(source_words(source)))


@settings(max_examples=60, deadline=None)
@given(page)
def test_the_normal_form_of_a_normal_form_is_the_same(source: str) -> None:
    once = inner_html(tree(source))
    assert inner_html(tree(once)) == once


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=60))
def test_any_text_gives_valid_tei(source: str) -> None:
    fields = dict.fromkeys(("title", "site", "url", "language", "published", "kind"), source)
    valid_tei(tei(tree(f"<p>{source}"), header=Header(**fields, authors=(source,), confidence=0.5)))


@pytest.mark.parametrize(
    "shape",
    "<div> <blockquote> <ul><li> <ol><li> <table><tr><th> <dl><dd> <b> <q> <figure> <details> "
    "<a\thref=x><span> <h1><div>".split(" "),
)
def test_deep_pages_give_valid_tei(shape: str) -> None:
    body = tree(shape * 500 + "word")
    valid_tei(tei(body))
    assert "word" in markdown(body)
    assert Words(html(body)).words == ["word"]


GROWTH = {  # tests/test_hostile.py has more
    "images": lambda n: "<p>a" + "<img data-src=a.png><noscript><img src=a.png></noscript>" * n,
    "sources": lambda n: "<picture>" + "<source srcset='a 1x'>" * n + "<img>" * n,
    "nested formatting": lambda n: "<p>" + "a<i>b<b>c</b></i>" * n,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", GROWTH)
def test_time_is_linear(name: str) -> None:
    def render(selection: Selection) -> None:
        body = normalise(kept_tree(selection))
        markdown(body)
        html(body)
        tei(body)

    assert_linear(render, lambda size: parse(GROWTH[name](size)).all(), 1_000)
