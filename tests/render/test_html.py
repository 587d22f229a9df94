"""Sanitised HTML from literal HTML."""

from __future__ import annotations

import pytest

from tests.render.helpers import parsed_body, tree
from thresher.render.html import html

CASES = {
    "headings": ("<h1 class=x>a</h1>", "<h1>a</h1>"),
    "lists": (
        "<ol start=3 type=a><li>a<li value=9>b</ol>",
        '<ol type="a" start="3"><li>a</li><li value="9">b</li></ol>',
    ),
    "tables": (
        "<table><caption>c</caption><tr><th colspan=2>a<tr><td>b<td>d</table>",
        "<table><caption>c</caption><tbody><tr><th>a</th><td></td></tr>"
        "<tr><td>b</td><td>d</td></tr></tbody></table>",
    ),
    "figures": (
        "<figure><img src=/a.png alt=b onerror=f()><figcaption>c</figcaption></figure>",
        '<figure><img src="/a.png" alt="b"><figcaption>c</figcaption></figure>',
    ),
    "code": (
        '<pre class="lang-py x">if a &lt; b:\n  c</pre>',
        '<pre><code class="language-py">if a &lt; b:\n  c</code></pre>',
    ),
    "formulas": (
        "<math alttext='a<b'></math>",
        '<p><span class="math inline">$a&lt;b$</span></p>',
    ),
    "terms": ("<dl><dt>a<dd>b</dl>", "<dl><dt>a</dt><dd>b</dd></dl>"),
    "details": (
        "<details open><summary>a</summary>b</details>",
        "<details><summary>a</summary><p>b</p></details>",
    ),
    "footnotes": (
        "<p>a<sup><a href=#n>1</a></sup><p id=n>b",
        '<p>a<sup><a href="#fn-1" role="doc-noteref">1</a></sup></p>'
        '<aside id="fn-1" role="doc-footnote">b</aside>',
    ),
    "scripts": (
        "<p onclick=f() style='x:y'>a<script>b</script><a href='javascript:c'>d</a>",
        "<p>ad</p>",
    ),
    "text that looks like markup": (
        "&lt;script&gt;a&lt;/script&gt;",
        "<p>&lt;script&gt;a&lt;/script&gt;</p>",
    ),
    "unknown elements": ("<x-y><font color=red>a</font></x-y>", "<p>a</p>"),
}


@pytest.mark.parametrize(("source", "expected"), CASES.values(), ids=CASES)
def test_html(source: str, expected: str) -> None:
    assert html(tree(source)) == f"<article>{expected}</article>"


def test_html_without_links_has_no_links_to_footnotes_either() -> None:
    source = "<p><a href=/x>a</a><sup><a href=#n>1</a></sup><p id=n>b"
    assert html(tree(source, links=False), links=False) == (
        '<article><p>a<sup>1</sup></p><aside id="fn-1" role="doc-footnote">b</aside></article>'
    )


def test_a_tree_that_is_not_in_the_normal_form_is_safe_too() -> None:
    source = (
        "<p onclick=f() style=x>a<script>b</script><a href='javascript:c' role=button>d</a>"
        "<span class=evil>e</span><iframe>f</iframe><aside id=g role=main>h</aside>"
    )
    assert html(parsed_body(source)) == (
        "<article><p>a<a>d</a><span>e</span></p><aside>h</aside></article>"
    )
