"""What holds for every page: no word lost, none twice, none out of order; TEI is valid.

Markdown is read back with another reader (markdown-it) and TEI with lxml, so that the words
compared are those a reader of the output sees.
"""

from __future__ import annotations

import re
from html import escape
from html.parser import HTMLParser
from pathlib import Path

import pytest
import turbohtml
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree
from markdown_it import MarkdownIt

import thresher.render
from tests.growth import assert_linear
from thresher.render import Header, html, markdown, prepare, tei

SCHEMA = Path(thresher.render.__file__).parent / "tei" / "tei.rng"
RELAX_NG = etree.RelaxNG(etree.parse(str(SCHEMA)))
READER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
INLINE = "a b code del em i ins kbd mark s span strong sub sup u".split()

text = st.text('abc é漢1 *_[]()<>&#!`~-+.|:\\$"=\n\t', max_size=8).map(escape)
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
    """The words of HTML: inline tags join, all others part."""

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


def prepared(source: str) -> turbohtml.Element:
    body = turbohtml.parse(source, allow_declarative_shadow_roots=False).find("body")
    assert body is not None
    return prepare(body)


def source_words(source: str) -> list[str]:
    """The words of the tree that a browser makes of the source."""
    body = turbohtml.parse(source, allow_declarative_shadow_roots=False).find("body")
    assert body is not None
    return Words(body.inner_html).words


def valid(document: str) -> etree._Element:
    root = etree.fromstring(document.encode())
    assert RELAX_NG.validate(root), RELAX_NG.error_log
    return root


@settings(max_examples=300, deadline=None)
@given(page)
def test_html_keeps_the_words(source: str) -> None:
    assert Words(html(prepared(source))).words == source_words(source)


@settings(max_examples=300, deadline=None)
@given(page)
def test_markdown_keeps_the_words(source: str) -> None:
    assert Words(READER.render(markdown(prepared(source)))).words == source_words(source)


@settings(max_examples=300, deadline=None)
@given(page)
def test_tei_keeps_the_words_and_is_valid(source: str) -> None:
    body = valid(tei(prepared(source))).find("{*}text/{*}body")
    assert body is not None
    found = re.findall(r"\w", "".join(body.itertext()))
    assert found == list("".join(source_words(source)))


@settings(max_examples=100, deadline=None)
@given(page)
def test_preparing_twice_changes_nothing(source: str) -> None:
    body = prepared(source)
    once = body.inner_html
    assert prepare(body).inner_html == once


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60))
def test_any_text_gives_valid_tei(source: str) -> None:
    told = dict.fromkeys(("title", "site", "url", "language", "published", "kind"), source)
    valid(tei(prepared(source), header=Header(**told, authors=(source,), confidence=0.5)))


@pytest.mark.parametrize(
    "shape",
    "<div> <blockquote> <ul><li> <ol><li> <table><tr><th> <dl><dd> <b> <q> <figure> <details> "
    "<a\thref=x><span> <h1><div>".split(" "),
)
def test_deep_pages_end_in_valid_tei(shape: str) -> None:
    body = prepared(shape * 500 + "word")
    valid(tei(body))
    assert "word" in markdown(body)
    assert Words(html(body)).words == ["word"]


GROWTH = {
    "items": lambda n: "<ul>" + "<li>a <b>b</b> c" * n + "</ul>",
    "cells": lambda n: "<table>" + "<tr><th>a<td>b<td>c<td>d" * (n // 4) + "</table>",
    "spans": lambda n: "<table><tr>" + "<th rowspan=65534>a" * n + "<tr><td colspan=1000>b" * n,
    "notes": lambda n: (
        "".join(f"<p>a<sup><a href=#f{i}>{i}</a></sup>" for i in range(n))
        + "".join(f"<p id=f{i}>b" for i in range(n))
    ),
    "formulas": lambda n: "<p>" + "<math alttext=x>x</math> y " * n,
    "images": lambda n: "<p>a" + "<img data-src=a.png><noscript><img src=a.png></noscript>" * n,
    "sources": lambda n: "<picture>" + "<source srcset='a 1x'>" * n + "<img>" * n,
    "formatting": lambda n: "<p>" + "a<i>b<b>c</b></i>" * n,
    "code": lambda n: "<pre>a</pre>" * n,
    "signs": lambda n: "<p>" + "*_[`<~ " * n,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", GROWTH)
def test_time_grows_with_the_page(name: str) -> None:
    def tree(size: int) -> turbohtml.Element:
        body = turbohtml.parse(GROWTH[name](size)).find("body")
        assert body is not None
        return body

    def render(tree: turbohtml.Element) -> None:
        body = prepare(tree)
        markdown(body)
        html(body)
        tei(body)

    assert_linear(render, tree, 3_000)
