"""The normal form: links, what is left out, and shadow roots, from literal HTML."""

from __future__ import annotations

import pytest

from tests.render.helpers import inner_html, tree

PAGE = "https://example.org/a/page.html"

LINKS = {
    "relative": ("<a href=b.html>x</a>", '<a href="https://example.org/a/b.html">x</a>'),
    "within the page": ("<a href=#b>x</a>", f'<a href="{PAGE}#b">x</a>'),
    "mail": ("<a href=mailto:a@b.c>x</a>", '<a href="mailto:a@b.c">x</a>'),
    "script": ("<a href='javascript:f()'>x</a>", "x"),
    "script in disguise": ("<a href=' java\nscript:f()'>x</a>", "x"),
    "data": ("<a href='data:text/html,y'>x</a>", "x"),
    "broken": ("<a href='http://[x'>x</a>", "x"),
    "empty": ("<a href=''>x</a>", "x"),
}

LEFT_OUT = {
    "script and style": ("a<script>b</script><style>c</style><template>d</template>", "<p>a</p>"),
    "comments": ("a<!-- b -->", "<p>a</p>"),
    "controls": ("a<input value=b><datalist><option>c</datalist>", "<p>a</p>"),
    "frames": ("a<iframe>b</iframe>", "<p>a</p>"),
    "noscript text is text": ("a<noscript> b</noscript>", "<p>a b</p>"),
    "drawings are their text": ("a<svg><title>b</title><text>c</text></svg>d", "<p>a b c d</p>"),
    "attributes": ("<p class=x id=y style=z onclick=f()>a", "<p>a</p>"),
    "direction stays": (
        "<div dir=rtl><p>a<ul><li>b</ul></div>c",
        '<p dir="rtl">a</p><ul dir="rtl"><li>b</li></ul><p>c</p>',
    ),
}


@pytest.mark.parametrize(("source", "expected"), LINKS.values(), ids=LINKS)
def test_urls_of_links(source: str, expected: str) -> None:
    assert inner_html(tree(source, url=PAGE)) == f"<p>{expected}</p>"


@pytest.mark.parametrize(("source", "expected"), LEFT_OUT.values(), ids=LEFT_OUT)
def test_elements_and_attributes_that_are_left_out(source: str, expected: str) -> None:
    assert inner_html(tree(source)) == expected


def test_without_links_and_images() -> None:
    source = "<p>a <a href=/x><img src=/y.png></a> <a href=/z>b</a>"
    assert inner_html(tree(source, links=False, images=False)) == "<p>a b</p>"


def test_links_stay_relative_without_the_url_of_the_page() -> None:
    assert inner_html(tree("<a href=b>x</a>")) == '<p><a href="b">x</a></p>'


def test_a_link_to_nothing_is_text() -> None:
    assert inner_html(tree("<p>a <a href='#'>b</a> <a href='#c'>c</a>")) == (
        '<p>a b <a href="#c">c</a></p>'
    )


def test_a_link_to_an_address_that_a_script_shows_is_text() -> None:
    link = "<a href='/cdn-cgi/l/email-protection#1a2b' class=__cf_email__>[email protected]</a>"
    assert inner_html(tree(f"<p>Write to {link}.</p>")) == "<p>Write to [email protected].</p>"
