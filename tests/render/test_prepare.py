"""Preparing a tree: links, images, formulas, footnotes, and what is left out."""

from __future__ import annotations

import pytest
import turbohtml

from thresher.render import Include, markdown, prepare
from thresher.render.images import candidates
from thresher.render.urls import resolve

PAGE = "https://example.org/a/page.html"

EVERYTHING = Include()


def tree(source: str, *, url: str | None = PAGE, include: Include = EVERYTHING) -> str:
    body = turbohtml.parse(source, allow_declarative_shadow_roots=False).find("body")
    assert body is not None
    return prepare(body, url=url, include=include).inner_html


def md(source: str) -> str:
    body = turbohtml.parse(source, allow_declarative_shadow_roots=False).find("body")
    assert body is not None
    return markdown(prepare(body, url=PAGE))


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

IMAGES = {
    "relative": ("<img src=b.png>", "b.png"),
    "data-src": ("<img src=data:image/gif;base64,R0 data-src=b.png>", "b.png"),
    "data-original": ("<img src=blank.gif data-original=b.png>", "b.png"),
    "data-lazy-src": ("<img src=/img/placeholder.png data-lazy-src=b.png>", "b.png"),
    "srcset": ("<img srcset='s.png 300w, l.png 1200w,m.png 600w'>", "l.png"),
    "data-srcset": ("<img data-srcset='s.png 1x, l.png 2x'>", "l.png"),
    "picture": ("<picture><source srcset='l.webp 2x, s.webp'><img></picture>", "l.webp"),
    "src before srcset": ("<img src=b.png srcset='l.png 2x'>", "b.png"),
    "noscript after a placeholder": (
        "<img src=data:, class=lazy> <noscript><img src=b.png></noscript>",
        "b.png",
    ),
    "noscript after a late image": (
        "<img data-src=b.png><noscript><img src=b-small.png></noscript>",
        "b.png",
    ),
    "noscript before a late image": (
        "<noscript><img src=b.png></noscript><img data-src=b-large.png>",
        "b.png",
    ),
    "noscript alone": ("<noscript><img src=b.png></noscript>", "b.png"),
    "the same twice": ("<img src=b.png><img src=b.png>", "b.png"),
}

FORMULAS = {
    "annotation": (
        "<math><semantics><mi>x</mi>"
        "<annotation encoding='application/x-tex'>x^2</annotation></semantics></math>",
        "$x^2$",
    ),
    "display": ("<math display=block alttext='\\frac{a}{b}'><mi>a</mi></math>", "$$\\frac{a}{b}$$"),
    "an encyclopedia": (
        "<span class=mwe-math-element><span style='display:none'>"
        "<math alttext='{\\displaystyle E=mc^{2}}'><mi>E</mi></math></span>"
        "<img class=mwe-math-fallback-image-inline alt='{\\displaystyle E=mc^{2}}' src=x.svg>"
        "</span>",
        "$E=mc^{2}$",
    ),
    "the fallback image alone": (
        "<img class=mwe-math-fallback-image-inline alt='{\\displaystyle a_1}' src=x.svg>",
        "$a_1$",
    ),
    "KaTeX": (
        "<span class=katex><span class=katex-mathml><math><semantics><mi>y</mi>"
        "<annotation encoding='application/x-tex'>y*_</annotation></semantics></math></span>"
        "<span class=katex-html aria-hidden=true>y</span></span>",
        "$y*_$",
    ),
    "KaTeX display": (
        "<span class=katex-display><span class=katex><math><semantics><mi>y</mi>"
        "<annotation encoding='application/x-tex'>y</annotation></semantics></math></span></span>",
        "$$y$$",
    ),
    "MathJax 2": (
        "<span class=MathJax_Preview>z</span><span class=MathJax>z</span>"
        "<script type='math/tex'>z < 1</script>",
        "$z < 1$",
    ),
    "MathJax 2 display": ("a <script type='math/tex; mode=display'>z</script>", "a $$z$$"),
    "MathJax 3": (
        "<mjx-container><mjx-math aria-hidden=true></mjx-math><mjx-assistive-mml>"
        "<math><msup><mi>x</mi><mn>2</mn></msup></math></mjx-assistive-mml></mjx-container>",
        "x^2",
    ),
    "MathML without TeX": (
        "<math><mfrac><mrow><mi>a</mi><mo>+</mo><mn>1</mn></mrow><mi>b</mi></mfrac></math>",
        "(a+1)/b",
    ),
    "dollars beside a formula": ("$5 <math alttext=x></math>", "\\$5 $x$"),
    "dollars elsewhere": ("$5 or $6", "$5 or $6"),
    "a formula in a cell": (
        "<table><tr><th><math alttext='|x|'></math><th>b</table>",
        "| $\\|x\\|$ | b |\n| --- | --- |",
    ),
}

FOOTNOTES = {
    "a list of notes": (
        "<p>a<sup><a href=#fn1 id=r1>1</a></sup> b<sup><a href=#fn2>2</a></sup>"
        "<ol><li id=fn1>x <a href=#r1>↩</a><li id=fn2><p>y<p>z</ol>",
        "a[^1] b[^2]\n\n[^1]: x\n\n[^2]: y\n\n    z",
    ),
    "brackets around the link": (
        "<p>a<sup id=r>[<a href=#n>3</a>]</sup><ol><li id=n><a href=#r>^</a> x</ol>",
        "a[^3]\n\n[^3]: x",
    ),
    "notes as paragraphs": (
        "<p>a<a href=#n name=r><sup>[1]</sup></a><p><a href=#r name=n>[1]</a> x<p>b",
        "a[^1]\n\nb\n\n[^1]: x",
    ),
    "a label repeated in its note": (
        "<p>a<sup><a href=#n>*</a></sup><p id=n>1. x",
        "a[^1]\n\n[^1]: x",
    ),
    "one note, two references": (
        "<p>a<sup><a href=#n>1</a></sup> b<sup><a href=#n>1</a></sup><ul><li id=n>x</ul>",
        "a[^1] b[^1]\n\n[^1]: x",
    ),
    "a note that refers to another": (
        "<p>a<sup><a href=#n>1</a></sup><p id=n>x<sup><a href=#m>2</a></sup><p id=m>y",
        "a[^1]\n\n[^1]: x[^2]\n\n[^2]: y",
    ),
    "notes stand in the order of their references": (
        "<p>a<sup><a href=#n>1</a></sup><sup><a href=#m>2</a></sup><p id=m>y<p id=n>x",
        "a[^1][^2]\n\n[^1]: x\n\n[^2]: y",
    ),
    "a target that is not there": (
        "<p>a<sup><a href=#n>1</a></sup>",
        f"a<sup>[1]({PAGE}#n)</sup>",
    ),
    "a link to a section": (
        "<p>a<sup><a href=#n>1</a></sup><div id=n><h2>b</h2>c</div>",
        f"a<sup>[1]({PAGE}#n)</sup>\n\n## b\n\nc",
    ),
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
def test_links(source: str, expected: str) -> None:
    assert tree(source) == f"<p>{expected}</p>"


@pytest.mark.parametrize(("source", "expected"), IMAGES.values(), ids=IMAGES)
def test_images(source: str, expected: str) -> None:
    assert tree(f"a{source}") == f'<p>a<img src="https://example.org/a/{expected}"></p>'


@pytest.mark.parametrize(("source", "expected"), FORMULAS.values(), ids=FORMULAS)
def test_formulas(source: str, expected: str) -> None:
    assert md(source) == expected


@pytest.mark.parametrize(("source", "expected"), FOOTNOTES.values(), ids=FOOTNOTES)
def test_footnotes(source: str, expected: str) -> None:
    assert md(source) == expected


@pytest.mark.parametrize(("source", "expected"), LEFT_OUT.values(), ids=LEFT_OUT)
def test_left_out(source: str, expected: str) -> None:
    assert tree(source) == expected


def test_an_image_without_address_leaves_a_gap() -> None:
    assert tree("<p>a<img src=data:, alt='b c'>d") == "<p>a d</p>"


def test_an_image_of_one_dot_goes() -> None:
    assert tree("<p>a<img src=/t.gif width=1 height=1 alt=b>") == "<p>a</p>"


def test_the_same_sign_in_two_cells_stays() -> None:
    cell = '<td><img src="https://example.org/y.png" alt="yes"></td>'
    source = "<table><tr><th>a<th>b<tr>" + "<td><img src=/y.png alt=yes>" * 2 + "</table>"
    assert tree(source).count(cell) == 2


def test_images_off_and_links_off() -> None:
    source = "<p>a <a href=/x><img src=/y.png></a> <a href=/z>b</a>"
    assert tree(source, include=Include(links=False, images=False)) == "<p>a b</p>"


def test_without_an_address_links_stay_relative() -> None:
    assert tree("<a href=b>x</a>", url=None) == '<p><a href="b">x</a></p>'


def test_candidates_of_a_srcset() -> None:
    found = list(candidates("a,b.png 1.5x, c.png,\nd.png 300w,e.png"))
    assert found == [("a,b.png", 1.5), ("c.png", 1.0), ("d.png", 300.0), ("e.png", 1.0)]


@pytest.mark.parametrize("address", ["JAVASCRIPT:x", "vbscript:x", "data:x", "\x01javascript:x"])
def test_unsafe_addresses(address: str) -> None:
    assert resolve(address, PAGE) is None
    assert resolve(address, None) is None


def test_prepare_works_in_place() -> None:
    body = turbohtml.parse("<div>a</div>").find("body")
    assert body is not None
    assert prepare(body) is body
    assert body.inner_html == "<p>a</p>"
