"""Lone surrogates: in every position and type of input a result or an error of ours, never another.

A `str` may hold them (files read with `surrogateescape`, escapes of JSON); UTF-8 cannot.
"""

from pathlib import Path

import pytest

import thresher
from thresher.document import field_names
from thresher.errors import ThresherError
from thresher.render import FORMATS
from thresher.site import learn
from thresher.viewer.explain import explain

LONE = "\udc85"
PAGES = {
    "name of an attribute": f"<p {LONE}x=1>a b",
    "values of attributes": f"<p title='{LONE}' class='{LONE}' id='{LONE}' style='{LONE}'>a b",
    "language and direction": f"<html lang='{LONE}'><p lang='{LONE}' dir='{LONE}'>a b",
    "name of a tag": f"<x{LONE}>a b</x{LONE}><{LONE}>",
    "text": f"<p>a {LONE} b",
    "comment and doctype": f"<!DOCTYPE {LONE}><!--{LONE}--><?xml {LONE}?><p>a",
    "title": f"<title>{LONE}</title><h1>{LONE}</h1><p>a",
    "meta": f"<meta name='{LONE}' content='{LONE}'><meta name=author content='A {LONE} B'><p>a",
    "charset": f"<meta charset='{LONE}'><p>a",
    "addresses": f"<base href='http://{LONE}/'><p>a<a href='b{LONE}'>x</a><img src='{LONE}' alt=y>",
    "escapes of JSON": (
        '<script type=application/ld+json>{"@type":"Article","headline":"x \\udc85",'
        '"author":{"name":"A \\ud83d B"},"url":"http://a.b/\\udc85"}</script><p>a'
    ),
    "data of the page": (
        '<script id=__NEXT_DATA__ type=application/json>{"body":"<p>All night it \\udc85 rained on '
        'the roof and nobody slept at all.</p>"}</script><div id=__next></div>'
    ),
    "formulas": f"<p>x<script type=math/tex>{LONE}</script><math alttext='{LONE}'><mi>{LONE}</mi>",
    "note": f"<p>x<sup><a href='#{LONE}'>1</a></sup><p id='{LONE}'>note",
    "code": f"<pre><code class='language-{LONE}'>{LONE}</code></pre>",
    "table": f"<table><caption>{LONE}<tr><th>{LONE}<td colspan='{LONE}'>b<tr><td>c<td>d</table>",
    "references": f"<p>&#xd800;&#xDC85;&#56320; a &{LONE};",
    "foreign content": f"<svg {LONE}=1 xlink:{LONE}=2><![CDATA[{LONE}]]></svg><p>a",
    "template and frame": f"<template {LONE}>{LONE}</template><iframe srcdoc='{LONE}'></iframe>x",
    "date and byline": f"<time datetime='2-{LONE}'>1 {LONE}</time><p class=byline>By {LONE} A<p>x",
    "posts": f"<div class=post><span class=author>{LONE}</span><p>Some {LONE} words</div>" * 4,
    "two halves": "<p>\ud83c\udf75 a<p title='\ud83c\udf75'>b",
}


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("url", [None, f"http://a.b/{LONE}"])
def test_every_output_can_be_encoded(name, url):
    document = thresher.extract(PAGES[name], url=url, method="plain")
    outputs = [document.render(form) for form in FORMATS]
    outputs += [document.json(fields=field_names()), document.speech(ssml=True), explain(document)]
    assert all(written.encode("utf-8") for written in outputs if written)
    assert document.passages(5, overlap=2) is not None
    assert document.threads.to_dict() is not None
    assert all(block.position.css_path for block in document.page_blocks)
    assert learn([document.page] * 3).furniture is not None
    assert thresher.extract(PAGES[name].encode("utf-8", "surrogatepass")).status


@pytest.mark.parametrize(
    "act",
    [
        lambda: thresher.parse(b"<p>a", charset=LONE),
        lambda: thresher.parse(b"<p>a", charset=f"utf-8{LONE}"),
        lambda: thresher.extract(Path(f"{LONE}.html")),
        lambda: thresher.extract("<p>a", method=LONE),
        lambda: thresher.extract("<p>a", method=f"default(model='{LONE}')"),
        lambda: thresher.fetch(f"http://{LONE}.example/"),
        lambda: thresher.fetch(LONE),
    ],
)
def test_other_arguments_are_refused_in_a_sentence(act):
    with pytest.raises(ThresherError):
        act()
