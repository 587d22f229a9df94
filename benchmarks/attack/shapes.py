"""Hostile shapes at growing sizes: how time grows, time per MB, and peak memory.

Each shape is a function from a number to a page. A process of its own, with limits of time and
memory, parses the shape at a size and at four times that size, runs every method on both, and
writes both in every format. The exponent of an operation is log(t4 / t1) / log 4: 1 is linear, 2
quadratic. One that seems too large is measured again, with larger pages too: one measurement within
the bound is enough, because quadratic time is too long in every one.

The peak memory is that of writing one large page of a shape in one format, beyond the memory that
the parsed page needs.
"""

from __future__ import annotations

import argparse
import gc
import json
import math
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import thresher
from benchmarks.attack.rows import Row, print_rows
from tests.test_hostile import PAGES, RENDERED
from thresher import methods
from thresher.document import field_names
from thresher.render import FORMATS, FormatName
from thresher.site import learn
from thresher.viewer.explain import explain

FACTOR = 4  # between the sizes
MOST = 1.3  # of an exponent
SIZE = 20_000  # characters of the small page
SHORTEST = 0.05  # seconds of a measurement on the large page; shorter ones are no evidence
TRIES = 6
SECONDS = 300  # of a process
ADDRESS_SPACE = 6_000_000_000  # bytes of a process
MEMORY = 300  # MB beyond the page
LARGE = 3_000_000  # characters of the page whose memory is measured

Make = Callable[[int], str]

# Beyond those of the tests: what took quadratic time, or much memory, in some version.
MORE: dict[str, Make] = {
    "style attribute": lambda n: f"<p style='{'display:none;' * n}{'x' * 13 * n}'>y",
    "newlines in code": lambda n: "<pre>a" + "\n" * n + "x</pre>",
    "backticks in code": lambda n: "<pre>" + "\n```" * n + "x</pre>",
    "brackets in an address": lambda n: f'<p><a href="http://a.b/{"(" * n}{")" * n}">x</a>',
    "closing brackets in an address": lambda n: f'<p><a href="http://a.b/{")" * n}">x</a>',
    "meta tags": lambda n: "<meta " * n,
    "meta charsets": lambda n: "<meta charset=" * n + "<p>x",
    "quotes around paragraphs": lambda n: "<blockquote>" * 500 + "<p>a b" * n,
    "divs around paragraphs": lambda n: "<div>" * 500 + "<p>a b</p>" * n,
    "lists around paragraphs": lambda n: "<ul><li>" * 200 + "<p>a b</p>" * n,
    "definitions of definitions": lambda n: "<dl><dt>x<dd>y" * n,
    "rows without a table end": lambda n: "<table>" + "<tr><td>x<td>y" * n,
    "long base": lambda n: f"<base href='http://a.b/{'x' * n}/'>" + "<a href=y>z</a> " * n,
    "long names": lambda n: f"<x-{'y' * n}>" * 20 + "<p>z" * n,
    "one long title": lambda n: f"<title>{'x ' * n}</title><h1>{'x ' * n}</h1><p>y",
    "many titles": lambda n: "<title>x</title><h1>x y</h1>" * n,
    "meta authors": lambda n: "<meta name=author content='A B, C D'>" * n + "<p>x",
    "authors in one": lambda n: f"<meta name=author content='{'A B, ' * n}'><p>x",
    "cites in a quotation": lambda n: "<blockquote>" + "<cite>x</cite>" * n,
    "quotations of posts": lambda n: (
        "<div class=post><a class=author>A</a><time>2020-01-01</time><blockquote><cite>B wrote:"
        "</cite>x y z</blockquote>hello there</div>"
    ) * n,
    "toggles of rustdoc": lambda n: (
        "<meta name=generator content=rustdoc>" + "<details><summary>x</summary>" * n
    ),
    "lines of Doxygen": lambda n: (
        "<meta name=generator content=Doxygen><div class=fragment>"
        + "<div class=line><span class=lineno>1</span>x</div>" * n
    ),
    "numbers of formulas": lambda n: (
        "<meta name=generator content=Docutils>" + "<div class=math><i class=eqno>1</i>x</div>" * n
    ),
    "tasks of a wiki": lambda n: "<ul class=inline-task-list>" + "<li class=checked>x" * n,
    "open attributes": lambda n: '<p>x<a href="y>' * n,
    "state of Nuxt": lambda n: (
        f"<script>window.__NUXT__=(function(a){{return {{x:[{'a,' * n}]}}}}(1))</script><p>x"
    ),
    "dates": lambda n: "<time datetime=2024-01-01>x</time> 1/2/2024 " * n,
    "digits": lambda n: "<p>" + "1" * n + " 2024-" * n,
    "json-ld": lambda n: (
        f"<script type='application/ld+json'>{'[' * n}{']' * n}</script><p>x"
    ),
    "json-ld graph": lambda n: (
        "<script type='application/ld+json'>"
        + json.dumps([{"@id": str(k), "author": {"@id": str(k + 1)}} for k in range(n)])
        + "</script><p>x"
    ),
    "keywords": lambda n: f"<meta name=keywords content='{'a, ' * n}'><p>x",
    "srcset": lambda n: f"<p>x<img srcset='{'a 1x, ' * n}'>",
    "picture sources": lambda n: "<p>x<picture>" + "<source srcset='a 2x'>" * n + "<img src=b>",
    "lazy images": lambda n: "<p>x" + "<img data-src=a><noscript><img src=a></noscript>" * n,
    "references to one note": lambda n: (
        "<p>" + "x<sup><a href=#n>1</a></sup>" * n + "<ol><li id=n>note</ol>"
    ),
    "notes in notes": lambda n: (
        "<p>x<sup><a href=#n0>1</a></sup>"
        + "".join(f"<div id=n{k}>y<sup><a href=#n{k + 1}>1</a></sup>" for k in range(n))
    ),
    "TeX": lambda n: f"<p>x<script type='math/tex'>{'{' * n}{'}' * n}</script>",
    "styled TeX": lambda n: f"<p>x<span class=katex data-tex='{'{ ' * n}'>y</span>",
    "nested rows of maths": lambda n: "<p>x<math>" + "<mrow><mi>y</mi>" * n + "</math>",
    "fractions": lambda n: "<p>x<math>" + "<mfrac><mi>y</mi><mi>z</mi></mfrac>" * n + "</math>",
    "numbered code": lambda n: (
        "<table>" + "<tr><td class=lineno>1<td><pre>x</pre>" * n + "</table>"
    ),
    "code in code": lambda n: "<pre>" + "<code>x\ny</code>" * n + "</pre>",
    "code of lines": lambda n: "<p><code>" + "x\n" * n + "</code>",
    "comments of readers": lambda n: (
        "<p>x y z<div id=comments>" + "<div class=comment><b>A</b> 1/2/2024 <p>c d e</div>" * n
    ),
    "posts": lambda n: "<div class=post><span class=author>A</span><p>Some words here.</div>" * n,
    "related links": lambda n: "<div class=related>" + "<a href=x>Some words here</a>" * n,
    "links in drawings": lambda n: "<p>x<svg>" + "<a xlink:href=x>y " * n,
    "spans of rows": lambda n: "<table>" + "<tr><td rowspan=9 colspan=9>x<td>y" * n,
    "nested spans of cells": lambda n: "<table><tr><td colspan=1000 rowspan=65534>x" * n,
    "emphasis": lambda n: "<p>" + "<em>x</em>y" * n,
    "nested emphasis": lambda n: "<p>" + "<em>x<strong>y<del>z" * n,
    "alternating emphasis": lambda n: "<p>" + "<i>x</i><b>y</b>" * n,
    "quotations in lines": lambda n: "<p>" + "<q>x" * n,
    "annotations": lambda n: "<p><ruby>" + "x<rt>y" * n,
    "asterisks": lambda n: "<p>" + "*" * n + " _" * n,
    "pipes": lambda n: "<table><tr><td>" + "|" * n + "<td>x</table>",
    "backslashes": lambda n: "<p>" + "\\" * n,
    "ampersands": lambda n: "<p>" + "&amp;" * n,
    "less than signs": lambda n: "<p>" + "&lt;" * n,
    "control characters": lambda n: "<p>" + "&#1;&#11;" * n + "x",
    "line separators": lambda n: "<p>" + "x\u2028\u2029\x85" * n,
    "no-break spaces": lambda n: "<p>" + "&nbsp;" * n + "x",
    "combining characters": lambda n: "<p>e" + "\u0301" * n,
    "Chinese": lambda n: "<p>" + "中文。" * n,
    "Arabic": lambda n: "<div dir=rtl>" + "<p>كلمة" * n,
    "Thai": lambda n: "<p>" + "ภาษาไทย" * n,
    "capitals": lambda n: "<p>" + "ABC. " * n,
    "sentences": lambda n: "<p>" + "Dr. A. B. said. " * n,
    "addresses as text": lambda n: "<p>" + "http://a.b/c?d=e " * n,
    "languages": lambda n: "<p>" + "<span lang=de>x</span> <span lang=fr>y</span> " * n,
    "nested languages": lambda n: "<p>" + "<span lang=de>x<span lang=fr>y" * n,
    "styles": lambda n: "<style>" + "a{b:c}" * n + "</style><p>x",
    "hidden in hidden": lambda n: "<div style='display:none'>x" * n,
    "mojibake": lambda n: "<p>" + "Ã¤Ã¶" * n,
    "unclosed comment": lambda n: "<p>x<!--" + "<p>some words" * n,
    "unclosed title": lambda n: "<title>" + "<p>some words" * n,
    "unclosed style": lambda n: "<style>" + "<p>some words" * n,
    "identifiers": lambda n: "".join(f"<p id=i{k} class='c{k} d{k}'>x" for k in range(n)),
    "same paragraph": lambda n: "<p>All night it rained on the roof and nobody slept.</p>" * n,
    "frames in text": lambda n: "<p>" + "x<iframe srcdoc='<p>y'></iframe>" * n,
    "embedded data": lambda n: (
        '<script>window.__DATA__={"body":"' + "All night it rained. " * n + '"}</script><p>x'
    ),
    "data in data": lambda n: "<script>x=" + '{"a":' * n + "1" + "}" * n + "</script><p>y",
    "templates in templates": lambda n: "<template><p>some words" * n,
}  # fmt: skip
# The same with other attributes, elements and characters: a shape stands for a class.
OTHERS: dict[str, Make] = {
    "style semicolons": lambda n: f"<p style='{';' * n}'>y",
    "style spaces": lambda n: f"<p style='display{' ' * n}:none'>y",
    "style visibility": lambda n: f"<p style='{'visibility:hidden;' * n}{'x' * 13 * n}'>y",
    "comments in a style": lambda n: f"<p style='{'/*' * n}display:none'>y",
    "class spaces": lambda n: f"<p class='{' ' * n}x'>y",
    "newlines in an alternative text": lambda n: "<p>x<img src=a alt='" + "\n" * n + "y'>",
    "title attr brackets": lambda n: "<p><a href=x title='" + "(" * n + ")" * n + "'>y</a>",
    "img src brackets": lambda n: "<p>x<img alt=z src='http://a.b/" + "(" * n + ")" * n + "'>",
    "href angle": lambda n: "<p><a href='http://a.b/" + "<" * n + ">" * n + "'>y</a>",
    "href backslash": lambda n: "<p><a href='http://a.b/" + "\\" * n + "'>y</a>",
    "href spaces": lambda n: "<p><a href='http://a.b/" + "x " * n + "'>y</a>",
    "href dots": lambda n: "<p><a href='http://a.b/" + "../" * n + "'>y</a>",
    "href percent": lambda n: "<p><a href='http://a.b/" + "%zz" * n + "'>y</a>",
    "href query": lambda n: "<p><a href='http://a.b/?" + "utm_source=x&" * n + "'>y</a>",
    "pre spaces": lambda n: "<pre>a" + " " * n + "x</pre>",
    "pre tabs": lambda n: "<pre>a" + "\t" * n + "\nx</pre>",
    "returns in code": lambda n: "<pre>a" + "&#13;" * n + "x</pre>",
    "pre in li": lambda n: "<ul><li><pre>a" + "\n" * n + "x</pre></ul>",
    "pre trailing": lambda n: "<pre>" + "a \n" * n + "</pre>",
    "code ticks": lambda n: "<p><code>" + "` " * n + "</code>",
    "code ticks runs": lambda n: (
        "<p><code>" + "".join("`" * k + " " for k in range(1, int((2 * n) ** 0.5))) + "</code>"
    ),
    "tildes pre": lambda n: "<pre>" + "~~~\n" * n + "</pre>",
    "breaks in a row": lambda n: "<p>a" + "<br>" * n + "b",
    "nbsp and space": lambda n: "<p>" + "&nbsp; " * n + "x",
    "spaces nbsp": lambda n: "<p>a <b>&nbsp;</b>" * n,
    "parts of a title": lambda n: "<title>" + " | a" * n + "</title><h1>a</h1><p>x",
    "title dashes": lambda n: "<title>" + "- " * n + "</title><h1>a</h1><p>x",
    "license": lambda n: "<link rel=license href='" + "/a" * n + "'><p>x",
    "license a": lambda n: "<p>x y z<a rel=license href='" + "/a" * n + "'>x</a>",
    "byline": lambda n: "<p class=byline>By " + "A B staff " * n + "</p><p>x",
    "date text": lambda n: "<p class=date>" + "1 January " * n + "</p><p>x",
    "time attr": lambda n: "<time datetime='" + "2024-" * n + "'>x</time><p>y",
    "parts of a declared title": lambda n: (
        "<meta property=og:title content='" + "a - " * n + "'><p>x"
    ),
    "escapes in json-ld": lambda n: (
        '<script type=application/ld+json>{"headline":"' + "\\u0041 " * n + '"}</script><p>x'
    ),
    "broken json-ld": lambda n: "<script type=application/ld+json>" + '{"a":' * n + "</script><p>x",
    "comments in json-ld": lambda n: (
        "<script type=application/ld+json>" + "/* " * n + "{}</script><p>x"
    ),
    "CDATA in json-ld": lambda n: (
        "<script type=application/ld+json>" + "<![CDATA[" * n + "{}</script><p>x"
    ),
    "next data": lambda n: (
        '<script id=__NEXT_DATA__ type=application/json>{"a":['
        + '"x y z",' * n
        + "1]}</script><div id=__next></div>"
    ),
    "streamed data": lambda n: (
        '<script>self.__next_f.push([1,"' + "a\\n" * n + '"])</script>' * 1 + "<p>x"
    ),
    "tex percent": lambda n: "<p>x<script type=math/tex>" + "%a" * n + "</script>",
    "tex backslash": lambda n: "<p>x<script type=math/tex>" + "\\" * n + "</script>",
    "tex begin": lambda n: "<p>x<script type=math/tex>" + "\\begin{a}" * n + "</script>",
    "tex dollars": lambda n: "<p>x<span class='math inline'>" + "$" * n + "</span>",
    "tex style": lambda n: (
        "<p>x<img class=mwe-math-fallback-image-inline src=y alt='"
        + "{\\displaystyle " * n
        + "}" * n
        + "'>"
    ),
    "address text": lambda n: "<p>" + "a@b." * n,
    "www text": lambda n: "<p>" + "www." * n,
    "http text": lambda n: "<p>" + "http://" * n,
    "hashes": lambda n: "<p>" + "#" * n + " x",
    "digits before a dot": lambda n: "<p>" + "1" * n + ". x",
    "under": lambda n: "<p>" + "_a" * n,
    "tildes": lambda n: "<p>" + "~" * n + "x",
    "bang bracket": lambda n: "<p>" + "![" * n,
    "references as text": lambda n: "<p>" + "&amp;#" * n + "x",
    "end tags as text": lambda n: "<p>" + "</" * n + "x",
    "cdata texts": lambda n: "<p>" + "&lt;![CDATA[" * n,
    "footnote refs text": lambda n: "<p>" + "[^1] " * n,
    "long name of a note": lambda n: (
        "<p>x<sup><a href='#" + "a" * n + "'>1</a></sup><p id='" + "a" * n + "'>note"
    ),
    "srcset commas": lambda n: "<p>x<img srcset='" + "," * n + "'>",
    "srcset spaces": lambda n: "<p>x<img src=y srcset='a" + " " * n + "1x'>",
    "iframe src": lambda n: (
        "<p>x<iframe src='https://www.youtube.com/embed/" + "a/" * n + "'></iframe>"
    ),
    "name of a language": lambda n: "<pre><code class='language-" + "x-" * n + "'>y</code></pre>",
    "table pipes": lambda n: "<table><tr><th>a<th>b" + "<tr><td>" + "\\|" * n + "<td>x</table>",
    "caption": lambda n: (
        "<table><caption>" + "x\n" * n + "</caption><tr><td>a<td>b<tr><td>c<td>d</table>"
    ),
    "digits of a number": lambda n: (
        "<ol start='" + "9" * n + "'><li value='" + "-9" * n + "'>x</ol>"
    ),
    "digits of a span": lambda n: "<table><tr><td colspan='" + "9" * n + "'>x<td>y</table>",
    "lang": lambda n: "<html lang='" + "a-" * n + "'><p>x",
    "base chain": lambda n: "<base href='http://a/" + "a/../" * n + "'><a href=x>y</a>",
    "canonical": lambda n: "<link rel=canonical href='http://" + "a." * n + "'><p>x",
    "refresh": lambda n: "<meta http-equiv=refresh content='" + "0;url=" * n + "'><p>x",
    "keywords ;": lambda n: "<meta name=keywords content='" + "; " * n + "'><p>x",
    "details nest": lambda n: "<details><summary>x</summary>" * n,
    "q nest": lambda n: "<p>" + "<q>" * n + "x",
    "fig nest": lambda n: "<figure><figcaption>x" * n,
    "terms without definitions": lambda n: "<dl>" + "<dt>a<dd>" * n,
    "ruby": lambda n: "<ruby>" * n + "x",
    "svg text": lambda n: "<svg><text>" + "x " * n,
    "math mrow": lambda n: "<p><math>" + "<msqrt>" * n + "<mi>x",
    "mtable": lambda n: "<p><math><mtable>" + "<mtr><mtd>x" * n,
    "math mfenced": lambda n: "<p><math>" + "<mfenced open='('>" * n + "<mi>x",
    "spaces in a name": lambda n: f"<p class='byline author {' ' * n}'>By A B</p><p>x",
    "hidden by many rules": lambda n: "<p style='" + "display:block;visibility:hidden;" * n + "'>y",
    "identifiers of one name": lambda n: "<p id=a><a href=#a>x</a>" * n,
    "links to oneself": lambda n: "<p>" + "<a href=#>x</a>" * n,
    "names of anchors": lambda n: "<p>" + "".join(f"<a name=n{k}></a>x" for k in range(n)),
    "areas of maps": lambda n: "<map>" + "<area href=x alt=y>" * n + "</map><p>x",
    "captions of figures": lambda n: "<figure><img src=x><figcaption>y</figcaption></figure>" * n,
    "pictures in links": lambda n: "<p>" + "<a href=x><img src=y alt=z></a>" * n,
    "nested lists of links": lambda n: "<ul><li><a href=x>y</a>" * n,
    "headings of all levels": lambda n: "".join(f"<h{k % 6 + 1}>x y" for k in range(n)),
    "sections": lambda n: "<section><h2>x</h2><p>y" * n,
    "articles in articles": lambda n: "<article><p>some words" * n,
    "navigation in text": lambda n: "<p>x<nav><a href=y>z</a></nav>" * n,
    "asides": lambda n: "<aside><p>x y</aside><p>z" * n,
    "cells of cells": lambda n: "<table><tr><td>" + "<div>x</div>" * n + "<td>y</table>",
    "cells of lists": lambda n: "<table><tr><td><ul>" + "<li>x" * n + "</ul><td>y</table>",
    "heads of tables": lambda n: "<table>" + "<thead><tr><th>x" * n + "</table>",
    "groups of columns": lambda n: "<table>" + "<col span=1000>" * n + "<tr><td>x<td>y</table>",
    "captions of tables": lambda n: "<table>" + "<caption>x" * n + "<tr><td>y<td>z</table>",
    "replies": lambda n: "<div class=comment>x y<div class=replies>" * n,
    "votes": lambda n: "<div class=answer><span class=vote-count>1</span><p>x y z</div>" * n,
    "quotations of posts": lambda n: (
        "<div class=post>A wrote:<blockquote>x</blockquote>y</div>" * n
    ),
    "products": lambda n: "<div class=product><img src=x><b>y</b><span>$1.00</span></div>" * n,
    "fields of forms": lambda n: "<form>" + "<label>x<input value=y></label>" * n,
    "data lists": lambda n: "<datalist>" + "<option value=x>" * n + "</datalist><p>y",
    "meters": lambda n: "<p>" + "<meter value=1>x</meter>" * n,
    "noscripts": lambda n: "<noscript><p>x y</noscript>" * n,
    "objects in objects": lambda n: "<object data=x>" * n + "y",
    "audio": lambda n: "<p>x" + "<audio src=y controls></audio>" * n,
    "custom elements": lambda n: "<my-part><p>x</p></my-part>" * n,
    "slots": lambda n: "<div><template shadowrootmode=open><slot></slot></template>x</div>" * n,
    "soft hyphens": lambda n: "<p>" + "a&shy;b" * n,
    "directions": lambda n: "<p>" + "<bdo dir=rtl>x</bdo><bdi>y</bdi>" * n,
    "overrides": lambda n: "<p>" + "\u202ea\u202c" * n,
    "joiners": lambda n: "<p>" + "\u200da\u200b" * n,
    "Greek with marks": lambda n: "<p>" + "α\u0345\u0308 " * n,
    "Hangul": lambda n: "<p>" + "한국어 " * n,
    "ligatures": lambda n: "<p>" + "ﬃ ŉ ß " * n,
    "superscripts": lambda n: "<p>" + "x<sup>2</sup>" * n,
    "years": lambda n: "<p>" + "2024 " * n,
    "prices": lambda n: "<p>" + "$1,000.00 " * n,
    "telephone numbers": lambda n: "<p>" + "+1-555-0100 " * n,
    "abbreviations": lambda n: "<p>" + "<abbr title='x y'>z</abbr> " * n,
}
# And by parts of a page: references, formatting that the parser makes again, tables, foreign
# content, names, notes, JSON-LD, addresses, images, bylines, lists, code, headings, cells, posts.
PARTS_OF_PAGES: dict[str, Make] = {
    "numeric references": lambda n: "<p>" + "&#120;&#x1F375;" * n,
    "unknown references": lambda n: "<p>" + "&notanentity;&ampx" * n,
    "references in a title": lambda n: f"<title>{'&eacute;&lt;' * n}</title><p>x",
    "many fonts": lambda n: (
        "<p>" + "".join(f"<font color=c{k}>x" for k in range(n)) + "</p><p>y" * 50
    ),
    "links in formatting": lambda n: "<p>" + "<b><a href=x>y</b></a>" * n,
    "nobr in nobr": lambda n: "<p>" + "<nobr>x" * n,
    "misnested big and small": lambda n: "<p>" + "<big><small>x</big></small>" * n,
    "formatting before blocks": lambda n: "<i><b><u><s>" + "<div>x</div>" * n,
    "tables in cells in tables": lambda n: "<table><tr><td><table><tr><td>x</table>y" * n,
    "text between rows": lambda n: "<table>" + "<tr>x<td>y</td>z</tr>w" * n,
    "forms in tables": lambda n: "<table>" + "<form><tr><td><input>x" * n,
    "selects in tables": lambda n: "<table><tr><td><select>" + "<tr><option>x" * n,
    "option groups": lambda n: "<select>" + "<optgroup label=x><option>y" * n,
    "rubies with parts": lambda n: "<p>" + "<ruby><rb>x<rtc><rt>y<rp>(</ruby>" * n,
    "svg in html in svg": lambda n: "<svg><foreignObject><p>x" * n,
    "math in svg": lambda n: "<svg><desc><math><annotation-xml encoding='text/html'><p>x" * n,
    "breakouts": lambda n: "<svg><g>x<p>y" * n,
    "class names of parts": lambda n: f"<div class='{'comment sidebar ' * n}'><p>x y</div>",
    "long class names": lambda n: (
        "".join(f"<p class='{'a-' * 50}{k}'>x" for k in range(n // 50 + 1))
    ),
    "same ids": lambda n: "<p id=a class=a>x y z" * n,
    "notes without references": lambda n: "<ol>" + "".join(f"<li id=fn{k}>x" for k in range(n)),
    "references without notes": lambda n: (
        "<p>" + "".join(f"x<sup><a href=#a{k}>{k}</a></sup>" for k in range(n))
    ),
    "raised numbers": lambda n: (
        "<p>" + "x<sup>1</sup>" * n + "".join(f"<p>{k} note" for k in range(n // 9))
    ),
    "notes to each other": lambda n: (
        "".join(f"<p id=n{k}><a href=#n{n - k}>{k}</a> x" for k in range(n))
    ),
    "many json-ld": lambda n: (
        '<script type=application/ld+json>{"@type":"Article","headline":"x"}</script>' * n + "<p>y"
    ),
    "words in links": lambda n: f"<p><a href=x>{'w' * n}</a>",
    "bytes in addresses": lambda n: f"<p><a href='http://a.b/{'%ff%00é🍵 ' * n}'>x</a>",
    "long hosts": lambda n: f"<p><a href='http://{'é.' * n}/'>x</a>",
    "tabs in schemes": lambda n: f"<p><a href='java{'&#9;' * n}script:x'>y</a>",
    "ports": lambda n: f"<p><a href='http://a.b:{'9' * n}/'>y</a>",
    "long description": lambda n: f"<meta name=description content='{'x y. ' * n}'><p>z",
    "many descriptions": lambda n: (
        "<meta name=description content='x y'><meta property=og:image content=z>" * n
    ),
    "images": lambda n: "<p>x" + "<img src=a.png alt='b c' width=300 height=200>" * n,
    "large srcsets": lambda n: (
        "<p>x" + f"<img srcset='{', '.join(f'a{k}.png {k}w' for k in range(40))}'>" * (n // 40 + 1)
    ),
    "data images": lambda n: f"<p>x<img src='data:image/png;base64,{'A' * n}'>",
    "many data images": lambda n: (
        "<p>x" + "<img src='data:image/gif;base64,R0lGODlhAQABAAAAACw='>" * n
    ),
    "svg data images": lambda n: f"<p>x<img src=\"data:image/svg+xml,{'<svg>' * n}\">",
    "bylines": lambda n: "<p class=byline>By Ann Bee and Cid Dee</p>" * n,
    "byline commas": lambda n: f"<p class=author>{'Ann Bee, ' * n}</p><p>x",
    "dates in words": lambda n: "<p class=date>Published 1 January 2024, updated 2 May</p>" * n,
    "dates of months": lambda n: f"<p>{'January February March 2024 ' * n}",
    "tiny lists": lambda n: "<ul><li>x</ul>" * n,
    "tiny ordered lists": lambda n: "<ol start=5 reversed><li>x</ol>" * n,
    "empty items": lambda n: "<ul>" + "<li>" * n,
    "lists without items": lambda n: "<ul>x<ul>y" * n,
    "nested definitions": lambda n: "<dl><dd>x" * n,
    "pre in paragraphs": lambda n: "<p>x<pre>y<p>z" * n,
    "unclosed code": lambda n: "<code>x\n<pre>y" * n,
    "ends of pre": lambda n: "<pre>x" + "</pre></code>" * n,
    "numbered rows in each other": lambda n: "<table><tr><td class=gutter>1<td>" * n + "<p>x",
    "classes of code": lambda n: f"<pre><code class='language-x {'a b ' * n}'>y</code></pre>",
    "listings": lambda n: "<listing>\nx</listing><xmp><p>y</xmp>" * n,
    "plaintext": lambda n: "<p>x<plaintext>" + "<p>y</plaintext>" * n,
    "headings in headings": lambda n: "<h1>x<h2>y" * n,
    "empty headings": lambda n: "<h2></h2>" * n + "<p>x",
    "heading roles": lambda n: "<div role=heading aria-level=2>x</div>" * n,
    "bases with addresses": lambda n: "<base href=http://a.b/>" * n + "<a href=x>y</a>",
    "huge spans": lambda n: "<table>" + "<tr><td colspan=1000>x<td rowspan=65534>y</tr>" * n,
    "zero spans": lambda n: "<table>" + "<tr><td rowspan=0>x<td colspan=0>y" * n,
    "data attributes": lambda n: "<p " + " ".join(f"data-a{k}='b c'" for k in range(n)) + ">x y z",
    "hidden spans": lambda n: "<p>" + "<span hidden>x</span>y" * n,
    "aria hidden": lambda n: "<p>x" + "<i aria-hidden=true>y</i>" * n,
    "details": lambda n: "<details open><summary>x</summary>y</details>" * n,
    "dialogs": lambda n: "<dialog open><p>x</dialog>" * n,
    "framesets": lambda n: "<frameset><noframes>x</noframes>" * n,
    "bodies": lambda n: "<body a=b><html c=d><head>x" * n,
    "numbers of pages": lambda n: "".join(f"<a href=?page={k}>{k}</a> " for k in range(n)),
    "share buttons": lambda n: (
        "<ul class=share>" + "<li><a href=https://facebook.com/sharer?u=x>Share</a>" * n
    ),
    "read more": lambda n: "<p>x y<a href=z>Read more</a></p>" * n,
    "marks of TeX": lambda n: "<p>" + r"\(x\) $$y$$ \begin{align}z\end{align} " * n,
    "half marks of TeX": lambda n: "<p>" + r"\( $$ \begin{align} " * n,
    "prompts": lambda n: "<pre>" + "$ ls\n>>> x\n" * n + "</pre>",
    "diff lines": lambda n: "<pre><code>" + "+ a\n- b\n@@ c\n" * n + "</code></pre>",
    "spans of code": lambda n: "<pre><code>" + "<span class=k>x</span> " * n + "</code></pre>",
    "lines of code": lambda n: "<div class=highlight>" + "<div class=line>x = 1</div>" * n,
    "videos": lambda n: "<p>x" + "<video src=a poster=b><source src=c>no video</video>" * n,
    "embeds": lambda n: "<p>x" + "<embed src=a><object data=b><param name=c value=d>e</object>" * n,
    "stray ends of paragraphs": lambda n: "x</p>" * n,
    "images as image": lambda n: "<p>x" + "<image src=a>" * n,
    "menus": lambda n: "<menu><menuitem>x" * n,
    "centres": lambda n: "<center><font size=2>x" * n,
    "marquees": lambda n: "<marquee>x<applet>y" * n,
    "deep json-ld objects": lambda n: (
        "<script type=application/ld+json>"
        + '{"@type":"Article","author":' * n + "1" + "}" * n + "</script><p>x"
    ),
    "json-ld authors": lambda n: (
        '<script type=application/ld+json>{"@type":"Article","author":['
        + '{"name":"A B"},' * n + "1]}</script><p>x"
    ),
    "json-ld body": lambda n: (
        '<script type=application/ld+json>{"@type":"Article","articleBody":"'
        + "All night it rained. " * n + '"}</script><p>x'
    ),
    "json-ld references": lambda n: (
        '<script type=application/ld+json>{"@graph":['
        + '{"@id":"a","author":{"@id":"a"}},' * n + "{}]}</script><p>x"
    ),
    "microdata": lambda n: (
        "<div itemscope itemtype=http://schema.org/Article>" * (n // 8)
        + "<span itemprop=author>A B</span>" * n
    ),
    "crossing spans": lambda n: (
        "<table><tr>"
        + "".join(
            f"<td rowspan={k % 99 + 1} colspan={k % 7 + 1}>x" + ("" if k % 5 else "<tr>")
            for k in range(n)
        )
    ),
    "posts with quotes": lambda n: (
        "<div class=post><a class=author>A</a><blockquote><p>x<blockquote><p>y</blockquote>"
        "</blockquote><p>z</div>" * n
    ),
    "replies by depth": lambda n: "".join(
        f"<div class=comment style='margin-left:{k % 40}px'><b>A</b><p>x y z</div>"
        for k in range(n)
    ),
    "tweets": lambda n: (
        "<blockquote class=twitter-tweet><p>x</p>- A "
        "<a href=https://twitter.com/a/status/1>1 May</a></blockquote>" * n
    ),
}  # fmt: skip
SHAPES: dict[str, Make] = {
    **{name: make for name, (_, make) in PAGES.items()},
    **{f"{name}, written": make for name, make in RENDERED.items()},
    **MORE,
    **OTHERS,
    **PARTS_OF_PAGES,
}
# Those that need the most memory.
LARGEST = (
    "rows without a table end", "quotes around paragraphs", "divs around paragraphs", "sibling p",
    "links and images, written", "formatting, written", "one text", "less than signs",
    "long base", "spans of rows", "comments of readers", "identifiers", "same paragraph", "astral",
    "Chinese", "nested lists of links", "headings of all levels", "custom elements",
)  # fmt: skip


# Large pages whose characters need more than one byte of memory; the first have one text.
WIDE: dict[str, Callable[[], str]] = {
    "10 million Chinese characters": lambda: "<p>" + "中文。" * 3_333_333,
    "8 million emoji": lambda: "<p>" + "🍵" * 7_999_000,
    "30 million emoji as str": lambda: "<p>" + "🍵" * 30_000_000,
    "12 million letters and an emoji": lambda: "<p>" + "words " * 2_000_000 + "🍵",
    "12 million Cyrillic letters": lambda: "<p>" + "слово " * 2_000_000,
    "Chinese paragraphs": lambda: f"<p>{'中文' * 50}" * 99_000,
    "Chinese comments": lambda: (
        f"<div class=comment><b>A</b> 1/2/2024 <p>{'中文' * 100}</div>" * 33_000
    ),
    "Chinese cells": lambda: "<table>" + f"<tr><td>{'中文' * 60}<td>y" * 40_000,
}


class Found(NamedTuple):
    """What was measured for a shape."""

    name: str
    tried: int
    exponents: dict[str, float]
    seconds: dict[str, float]  # per MB
    problem: str = ""


def attack(part: slice = slice(None)) -> list[Row]:
    """Measure every shape, or the given part of them."""
    names = list(SHAPES)[part]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(measured, names))
        large = [name for name in LARGEST if name in names]
        large += WIDE if part == slice(None) else ()
        memory = list(pool.map(measured_memory, large))
    kinds = ("parse", "method", "extract", "format", "part")
    rows = [_growth_row(kind, found) for kind in kinds]
    outcomes = [used for each in memory for used in each]
    failures = [f"{name} needs {used:.0f} MB" for name, used in outcomes if not used <= MEMORY]
    peak = max((used for _, used in outcomes if used < math.inf), default=0.0)
    first = failures[0] if failures else ""
    memory_row = Row("memory: formats", len(outcomes), len(failures), first, memory=peak)
    return [*rows, memory_row]


def _growth_row(kind: str, found: Iterable[Found]) -> Row:
    exponents: dict[str, float] = {}
    seconds: dict[str, float] = {}
    failures: list[str] = []
    tried = 0
    for one in found:
        if one.problem and kind == "parse":
            failures.append(f"{one.name}: {one.problem}")
        for act, exponent in one.exponents.items():
            if act.startswith(kind):
                exponents[f"{one.name}, {act}"] = exponent
        for act, each in one.seconds.items():
            if act.startswith(kind):
                tried += 1
                seconds[f"{one.name}, {act}"] = each
    failures += [
        f"{name}: exponent {value:.2f}" for name, value in exponents.items() if value > MOST
    ]
    slowest = max(seconds, key=seconds.__getitem__, default="")
    if slowest:
        print(f"slowest {kind}: {slowest}, {seconds[slowest]:.1f} s per MB", flush=True)
    return Row(
        f"growth: {kind}",
        tried,
        len(failures),
        failures[0] if failures else "",
        exponent=max(exponents.values(), default=1.0),
        seconds=max(seconds.values(), default=0.0),
    )


def measured(name: str) -> Found:
    """Measure the growth of a shape in a process of its own."""
    answer = _in_process("growth", name)
    if isinstance(answer, str):
        return Found(name, 1, {}, {}, answer)
    return Found(name, len(answer["seconds"]), answer["exponents"], answer["seconds"])


def measured_memory(name: str) -> list[tuple[str, float]]:
    """Return the memory in MB that each format needs for a large page of a shape."""
    answer = _in_process("memory", name)
    if isinstance(answer, str):
        return [(f"{name}: {answer}", math.inf)]
    return [(f"{name}, {form}", used) for form, used in answer.items()]


def _in_process(act: str, name: str) -> Any:
    command = [sys.executable, "-m", "benchmarks.attack.shapes", act, name]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return f"takes more than {SECONDS} s"
    if done.returncode:
        return f"ends with {done.returncode}: {done.stderr[-300:]}"
    return json.loads(done.stdout.splitlines()[-1])


# --- within the process --------------------------------------------------------------------------


def size_for(make: Make, characters: int) -> int:
    """Return the number with which a shape has about so many characters."""
    small, large = len(make(100)), len(make(1_100))
    return max(10, 100 + round((characters - small) * 1_000 / max(large - small, 1)))


def operations() -> Iterator[tuple[str, Callable[[Any], object]]]:
    """Yield each operation with its name: on a source (parse, extract), or on a page."""
    yield "parse", thresher.parse
    for name in methods.names():
        yield f"method {name}", partial(_text_by, name)
    yield "extract", _default_json
    for form in FORMATS:
        yield f"format {form}", partial(_in_format, form)
    yield "format all fields", _all_fields
    for name, read in PARTS.items():
        yield f"part {name}", read


def _text_by(method: str, page: thresher.Page) -> str:
    return thresher.extract(page, method=method).text


def _default_json(source: str) -> str:
    return thresher.extract(source).json()


def _in_format(form: FormatName, page: thresher.Page) -> str:
    return thresher.extract(page, method="plain").render(form)


def _all_fields(page: thresher.Page) -> str:
    return thresher.extract(page, method="plain").json(fields=field_names())


def _learn(page: thresher.Page) -> object:
    return learn([page, page, page]).furniture


# What is read of a page besides its content.
PARTS: dict[str, Callable[[thresher.Page], object]] = {
    "metadata": lambda page: thresher.extract(page, method="plain").metadata,
    "threads": lambda page: thresher.extract(page, method="plain").threads.to_dict(),
    "weblog": lambda page: thresher.extract(page, method="plain").weblog_posts,
    "passages": lambda page: thresher.extract(page, method="plain").passages(50, overlap=10),
    "blocks": lambda page: thresher.extract(page, method="plain").page_blocks,
    "related": lambda page: thresher.extract(page, method="plain").related,
    "report": lambda page: explain(thresher.extract(page)),
    "site": _learn,
}


def growth(name: str) -> dict[str, dict[str, float]]:
    """Return the exponents and the seconds per MB of every operation on a shape."""
    make = SHAPES[name]
    exponents: dict[str, float] = {}
    seconds: dict[str, float] = {}
    n = size_for(make, SIZE)
    source = make(FACTOR * n)
    gc.freeze()  # the collection before each measurement then takes no time
    for act_name, act in operations():
        on_page = not act_name.startswith(("parse", "extract"))
        large = _seconds(act, source, on_page)
        seconds[act_name] = large / len(source) * 1e6
        exponent = _exponent(act, make, n, on_page, large)
        if exponent is not None:
            exponents[act_name] = exponent
    return {"exponents": exponents, "seconds": seconds}


def _exponent(
    act: Callable[[Any], object], make: Make, n: int, on_page: bool, large: float
) -> float | None:
    """Return the least of several exponents; None if all is too fast to tell.

    Each compares one large page with as many small ones as have its size, one right after the
    other: a busy machine slows both.
    """
    if large < SHORTEST:
        return None
    best = math.inf
    for attempt in range(TRIES):
        size = n * (1 + attempt // 3)
        small = sum(_seconds(act, make(size), on_page) for _ in range(FACTOR)) / FACTOR
        large = _seconds(act, make(FACTOR * size), on_page)
        best = min(best, math.log(large / small, FACTOR))
        if best <= MOST:
            break
    return best


def _seconds(act: Callable[[Any], object], source: str, on_page: bool) -> float:
    given = thresher.parse(source) if on_page else source
    gc.collect()
    gc.disable()
    try:
        begin = time.process_time()
        act(given)
        return max(time.process_time() - begin, 1e-6)
    finally:
        gc.enable()


def memory(name: str) -> dict[str, float]:
    """Return the peak memory in MB of each format beyond that of the parsed page.

    That of a wide page is beyond its source too: one more copy of it, at most.
    """
    source = WIDE[name]() if name in WIDE else SHAPES[name](size_for(SHAPES[name], LARGE))
    page = thresher.parse(source)
    own = sys.getsizeof(page.source) / 1e6 if name in WIDE else 0.0
    used: dict[str, float] = {}
    for form, write in operations():
        if not form.startswith("format"):
            continue
        reading, writing = os.pipe()
        child = os.fork()
        if not child:
            before = _status("VmRSS")
            Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
            write(page)
            os.write(writing, str(_status("VmHWM") - before).encode())
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading) as answer:
            written = answer.read()
        os.waitpid(child, 0)
        used[form] = float(written) - own if written else math.inf
    return used


def _status(name: str) -> float:
    """Return a figure of this process in MB."""
    text = Path("/proc/self/status").read_text(encoding="ascii")
    return int(text.split(f"{name}:")[1].split()[0]) / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("act", nargs="?", choices=("growth", "memory"))
    parser.add_argument("name", nargs="?")
    options = parser.parse_args()
    if options.act is None:
        print_rows(attack())
        return
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    print(json.dumps(growth(options.name) if options.act == "growth" else memory(options.name)))


if __name__ == "__main__":
    main()
