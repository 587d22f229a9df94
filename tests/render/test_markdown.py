"""Markdown from literal HTML: one idea per case."""

from __future__ import annotations

import pytest

from tests.render.helpers import tree
from thresher.render.markdown.writer import markdown

BLOCKS = {
    "an image as a heading": ("<h2><img src=a.png></h2>", "![](a.png)"),
    "an image with a name": ("<h2><img src=a.png alt=Tea></h2>", "## ![Tea](a.png)"),
    "an image before a heading": ("<h2><img src=a.png>Tea</h2>", "## ![](a.png)Tea"),
    "headings": ("<h1>a</h1><h3>b</h3><h6>c</h6>", "# a\n\n### b\n\n###### c"),
    "a heading and its number as links to themselves": (
        '<h2 id=b><a href="#a">1. </a><a href="#b">Tea <i>pots</i></a></h2>',
        "## 1. Tea *pots*",
    ),
    "a heading with a link to a place and text": (
        '<h2>On <a href="#b">tea</a></h2>',
        "## On [tea](#b)",
    ),
    "a heading of signs is a rule": (
        "<p>a</p><h2>_____</h2><p>b</p><h3> * * * </h3><p>c</p><h2>--</h2>",
        "a\n\n---\n\nb\n\n---\n\nc\n\n## --",
    ),
    "an empty heading vanishes": ("<h2> </h2><p>x</p>", "x"),
    "a heading keeps its hashes": ("<h2>C #</h2>", "## C \\#"),
    "a break in a heading is a space": ("<h2>a<br>b</h2>", "## a b"),
    "boxes in a heading are one heading": ("<h1><div>1</div><div>Title</div></h1>", "# 1 Title"),
    "a paragraph in a heading is the heading": ("<h2><p>x</p></h2>", "## x"),
    "an unclosed heading ends at its first block": ("<h1>T<p>a<p>b", "# T\n\na\n\nb"),
    "paragraphs": ("<p>a</p>b<p>c</p>", "a\n\nb\n\nc"),
    "boxes are paragraphs": ("<div>a<div>b</div>c</div>", "a\n\nb\n\nc"),
    "white space": ("<p>  a\n\t b  </p>", "a b"),
    "a break": ("a<br>b", "a\\\nb"),
    "breaks at the ends vanish": ("<p><br>a<br></p>", "a"),
    "two breaks part paragraphs": ("a<br><br>b<br> <br> <br>c", "a\n\nb\n\nc"),
    "a rule": ("a<hr>b", "a\n\n---\n\nb"),
    "quotations": (
        "<blockquote><p>a<p>b<blockquote>c</blockquote></blockquote>d",
        "> a\n>\n> b\n>\n> > c\n\nd",
    ),
    "a list in a quotation": (
        "<blockquote><ul><li>a<li>b</ul></blockquote>",
        "> - a\n> - b",
    ),
    "details": ("<details><summary>s</summary>t</details>u", "**s**\n\nt\n\nu"),
    "a summary may begin with a no-break space": (
        "<details><summary>&nbsp;s</summary>t</details>",
        "**s**\n\nt",
    ),
    "a strong summary is strong once": (
        "<details><summary><b>s</b></summary>t</details>",
        "**s**\n\nt",
    ),
    "a figure": (
        "<figure><img src=/a.png alt=b><figcaption>c <i>d</i></figcaption></figure>",
        "![b](/a.png)\n\nc *d*",
    ),
    "a caption of two paragraphs": (
        "<figure><img src=/a.png><figcaption><p>c<p>d</figcaption></figure>",
        "![](/a.png)\n\nc\\\nd",
    ),
    "terms": (
        "<dl><dt>T<dd>D<dd>E<dt>U<dt>V<dd><p>F<p>G</dl>",
        "T\n: D\n: E\n\nU\nV\n: F\n\n  G",
    ),
    "code as a definition": (
        "<dl><dt>T<dd><pre>a</pre>b</dl>",
        "T\n:\n\n  ```\n  a\n  ```\n\n  b",
    ),
    "a nested definition that is a list": (
        "<dl><dt>T<dd>D<dl><dt>U<dd><ul><li>a<li>b</ul></dl></dl>",
        "T\n: D\n\n  U\n\n  - a\n  - b",
    ),
    "terms without definitions": ("<dl><dt>T<dt>U<dt>V</dl>", "T\n\nU\n\nV"),
    "terms without definitions at the end": ("<dl><dt>T<dd>D<dt>U<dt>V</dl>", "T\n: D\n\nU\n\nV"),
    "definitions without terms": ("<dl><dd>D<dd>E</dl>", "D\n\nE"),
    "a definition before the first term": ("<dl><dd>D<dt>T<dd>E</dl>", "D\n\nT\n: E"),
    "tasks": (
        "<ul><li><input type=checkbox checked disabled> a<li><label><input type=checkbox> b</label>"
        "<li><p><input type=checkbox> c</p></ul>",
        "- [x] a\n- [ ] b\n- [ ] c",
    ),
    "boxes that are no tasks": (
        "<ul><li>a <input type=checkbox><li><input type=radio> b</ul><input type=checkbox> c"
        "<form><ul><li><input type=checkbox> d</ul></form>",
        "- a\n- b\n\nc\n\n- d",
    ),
    "a box beside a paragraph": (
        "<ul><li><label><input type=checkbox></label><div><p>a</p></div><li><label>"
        "<input type=checkbox checked></label><div><p>b</p><p>c</p></div></ul>",
        "- [ ] a\n\n- [x] b\n\n  c",
    ),
    "a box in a paragraph before another one": (
        "<ul><li><p><input type=checkbox> a</p><p>b</p></ul>",
        "- [ ] a\n\n  b",
    ),
    "a box that folds a box": (
        "<ul><li><input type=checkbox id=f><div><label for=f></label><p>a</div></ul>",
        "- a",
    ),
    "a box with an empty label": (
        "<ul><li><input type=checkbox id=f><label for=f></label> a</ul>",
        "- [ ] a",
    ),
    "numbered tasks": ("<ol><li><input type=checkbox> a</ol>", "1. [ ] a"),
    "terms in boxes": ("<dl><div><dt>T<dd>D</div></dl>", "T\n: D"),
    "right to left": ("<p dir=rtl>שלום עולם", "שלום עולם"),
    "no-break spaces alone are no paragraph": ("<p>&nbsp;</p><p>x</p>", "x"),
}

LISTS = {
    "bullets": ("<ul><li>a<li>b</ul>", "- a\n- b"),
    "nested": ("<ul><li>a<ul><li>b<ul><li>c</ul></ul><li>d</ul>", "- a\n  - b\n    - c\n- d"),
    "an item that is only a list": ("<ul><li><ul><li>a<li>b</ul><li>c</ul>", "- a\n- b\n- c"),
    "characters of no width": ("\u200ba\u200b <b>\ufeffb</b>\u200b, c\u200bd", "a **b**, c\u200bd"),
    "numbers from zero": ("<ol start=0><li>a<li>b</ol>", "0. a\n1. b"),
    "numbers that jump": ("<ol start=3><li>a<li value=7>b<li>c</ol>", "3. a\n7. b\n8. c"),
    "numbers that fall": ("<ol reversed><li>a<li>b<li>c</ol>", "3. a\n2. b\n1. c"),
    "numbers below zero": ("<ol start=-1><li>a<li>b</ol>", "- -1. a\n0. b"),
    "an empty item counts": ("<ol><li>a<li><li>c</ol>", "1. a\n3. c"),
    "width of the number": ("<ol start=10><li>a<ul><li>b</ul></ol>", "10. a\n    - b"),
    "a list from 4 in an item": ("<ul><li>a<ol start=4><li>b</ol></ul>", "- a\n\n  4. b"),
    "loose": ("<ul><li><p>a<p>b<li>c</ul>", "- a\n\n  b\n\n- c"),
    "one paragraph is tight": ("<ul><li><p>a<li><p>b</ul>", "- a\n- b"),
    "a list in a list": ("<ul><li>a</li><ul><li>b</ul><li>c</ul>", "- a\n  - b\n- c"),
    "a list before the first item": ("<ul><ul><li>a</ul></ul>", "- a"),
    "text in a list": ("<ul>x<li>a</li>y<li>b</ul>", "x\n\n- a\n\n  y\n\n- b"),
    "items without a list": ("<div><li>a<li>b</div>", "- a\n- b"),
    "two lists in a row": ("<ul><li>a</ul><ul><li>b</ul>", "- a\n\n* b"),
    "two numbered lists in a row": ("<ol><li>a</ol><ol><li>b</ol>", "1. a\n\n1) b"),
    "a list at once in an item": ("<ol><li><ul><li>a</ul><li>b</ol>", "1. - a\n2. b"),
    "code in an item": (
        "<ul><li>a<pre>x\n  y</pre><li>b</ul>",
        "- a\n\n  ```\n  x\n    y\n  ```\n\n- b",
    ),
    "a table in an item": (
        "<ul><li>a<table><tr><th>1<th>2</table></ul>",
        "- a\n\n  | 1 | 2 |\n  | --- | --- |",
    ),
    "a rule in an item": ("<ul><li>b<hr>a</ul>", "- b\n\n  ---\n\n  a"),
    "a heading in an item": ("<ul><li><h3>a</h3>b</ul>", "- ### a\n\n  b"),
    "a quotation in an item": ("<ul><li><blockquote>a</blockquote></ul>", "- > a"),
}

INLINE = {
    "emphasis": ("<i>a</i> <b>b</b> <s>c</s>", "*a* **b** ~~c~~"),
    "spaces leave emphasis": ("a<b> b </b>c", "a **b** c"),
    "nested emphasis": ("<i>a <b>b</b></i>", "*a **b***"),
    "the same emphasis twice": ("<b><strong>a</strong></b>", "**a**"),
    "neighbours merge": ("<b>a</b><b>b</b>", "**ab**"),
    "neighbours with a space do not": ("<b>a</b> <b>b</b>", "**a** **b**"),
    "keys do not merge": ("<kbd>a</kbd><kbd>b</kbd>", "<kbd>a</kbd><kbd>b</kbd>"),
    "code merges": ("<code>a</code><code>b</code>", "`ab`"),
    "empty emphasis": ("x <i></i>y<i> </i>z", "x y z"),
    "emphasis within a word": ("f<i>oo</i>bar", "f*oo*bar"),
    "emphasis that signs cannot show": ('a<b>"b"</b>c', 'a<strong>"b"</strong>c'),
    "emphasis next to emphasis": ("<i>a</i><b>b</b>", "<em>a</em><strong>b</strong>"),
    "emphasis around blocks": ("<b><p>a</p><p>b</p></b>", "**a**\n\n**b**"),
    "neighbours without a space": ("<span>a</span><span>b</span>", "ab"),
    "small signs": (
        "x<sup>2</sup> H<sub>2</sub>O <mark>m</mark> <kbd>k</kbd> <ins>n</ins>",
        "x<sup>2</sup> H<sub>2</sub>O <mark>m</mark> <kbd>k</kbd> <ins>n</ins>",
    ),
    "quotation marks": ("<q>a <q>b</q></q>", '"a "b""'),
    "code": ("<code>a*b</code> <tt>_</tt>", "`a*b` `_`"),
    "code with backticks": ("<code>a`b</code> <code>``</code>", "``a`b`` ``` `` ```"),
    "a link within code": ("<code><a href=/x>f</a>()</code>", "[`f`](/x)`()`"),
    "a break within code": ("<code>a<br>b</code>", "`a`\\\n`b`"),
    "ruby": ("<ruby>漢<rt>kan</ruby>", "漢(kan)"),
    "ruby with brackets": ("<ruby>漢<rp>（</rp><rt>kan</rt><rp>）</rp></ruby>", "漢（kan）"),
    "a link": ('<a href="/x" title="t">a</a>', '[a](/x "t")'),
    "a link that is its text": ('<a href="https://x.y/">https://x.y/</a>', "<https://x.y/>"),
    "a link with brackets": ('<a href="/a b(c">[x]</a>', "[\\[x\\]](/a%20b%28c)"),
    "a link around an image": ("<a href=/x><img src=/a.png alt=b></a>", "[![b](/a.png)](/x)"),
    "a link around a heading": ("<a href=/x><h2>a</h2><p>b</a>", "## [a](/x)\n\n[b](/x)"),
    "a link in a heading": ("<h2><a href=/x>a</a></h2>", "## [a](/x)"),
    "spaces leave links": ("a<a href=/x> b </a>c", "a [b](/x) c"),
    "a link after an exclamation": ("a!<a href=/x>b</a>", "a\\![b](/x)"),
    "an empty link": ("a<a href=/x></a>b", "ab"),
    "an anchor": ("<a name=x>a</a>", "a"),
    "a button": ("a<button>b</button>c", "a b c"),
}

ESCAPES = {
    "brackets": ("a [sic] b [1] c", "a [sic] b [1] c"),
    "brackets at the end": ("said [Trump]", "said [Trump]"),
    "a note of the text": ("a [^1] b", "a \\[^1] b"),
    "a box at the start": ("[x] a [ ] b", "\\[x] a [ ] b"),
    "brackets before a link": ("a [b]<a href=/c>d</a>", "a \\[b][d](/c)"),
    "tildes between spaces": ("a ~ b ~ c", "a ~ b ~ c"),
    "signs of blocks": (
        "<p># a<p>1. b<p>2) c<p>* d<p>- e<p>+ f<p>&gt; g<p>===<p>---<p>| h<p>: i",
        "\\# a\n\n1\\. b\n\n2\\) c\n\n\\* d\n\n\\- e\n\n\\+ f\n\n\\> g\n\n\\===\n\n"
        "\\---\n\n\\| h\n\n\\: i",
    ),
    "signs after a break": ("a<br># b<br>1. c", "a\\\n\\# b\\\n1\\. c"),
    "harmless signs": ("a #1 - b + c > d. 1. e * f", "a #1 - b + c > d. 1. e * f"),
    "hash tags": ("#tag -5 +1 1.5", "#tag -5 +1 1.5"),
    "underscores": ("a_b_c _d_", "a_b_c \\_d\\_"),
    "asterisks": ("a*b* **c**", "a\\*b\\* \\*\\*c\\*\\*"),
    "tags": ("&lt;b&gt; a &lt; b &lt;!-- c --&gt;", "&lt;b> a < b &lt;!-- c -->"),
    "entities": ("&amp;amp; AT&amp;T &copy; &#x27;", "\\&amp; AT&T © '"),
    "links": ("[a](b) ![c](d) [e]: f", "\\[a\\](b) !\\[c\\](d) \\[e]: f"),
    "backslashes": ("a\\b \\* c\\", "a\\b \\\\* c\\\\"),
    "one star": ("Score* and ~5 of a_b, c_", "Score* and ~5 of a_b, c\\_"),
    "a star at the start": ("* tea", "\\* tea"),
    "a word with a star": ("*Note: tea", "*Note: tea"),
    "spaces at the begin of emphasis": ("<b>&nbsp;&nbsp; tea</b> pot", "**tea** pot"),
    "backticks": ("a `b`", "a \\`b\\`"),
    "tildes": ("~~a~~ ~5 km", "\\~\\~a\\~\\~ ~5 km"),
    "unicode": ("naïve 日本語 🙂 <i>ß</i>", "naïve 日本語 🙂 *ß*"),
}


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param(*case, id=name)
        for group in (BLOCKS, LISTS, INLINE, ESCAPES)
        for name, case in group.items()
    ],
)
def test_markdown(source: str, expected: str) -> None:
    assert markdown(tree(source)) == expected


def test_markdown_without_links() -> None:
    assert markdown(tree("<a href=/x>a</a> b", links=False)) == "a b"


def test_markdown_without_images() -> None:
    assert markdown(tree("<p>a <img src=/x.png alt=b> c", images=False)) == "a c"


def test_markdown_of_an_empty_body_is_empty() -> None:
    assert markdown(tree("")) == ""


HEADINGS_AND_RULES = {
    "numbers in headings": ("<h3>1. How + why</h3>", "### 1. How + why"),
    "signs in headings": ("<h3>+ a</h3>", "### + a"),
    "numbers in cells": ("<table><tr><th>1.<th>- a<tr><td>2)<td># b</table>",
                         "| 1. | - a |\n| --- | --- |\n| 2) | # b |"),
    "bold headings": ("<h2><b>a</b></h2>", "## a"),
    "emphasis in a heading": ("<h2><b>a</b> b</h2>", "## **a** b"),
    "bold headings in links": ("<h2><a href=/x><b>a</b></a></h2>", "## [**a**](/x)"),
    "headings linked to themselves": ("<h2 id=o><a href='#o'>a</a></h2>", "## a"),
    "rules first, last and twice": ("<hr><p>a</p><hr><hr><p>b</p><hr>", "a\n\n---\n\nb"),
    "titles that repeat the text": ("<a href=/x title='News today'>News</a>", "[News](/x)"),
    "titles of images": ("<img src=/x alt='A cat' title='a cat'>", "![A cat](/x)"),
    "titles that say more": ("<a href=/x title='of 1999'>News</a>", '[News](/x "of 1999")'),
    "spaces that do not break": ("a&nbsp; b &nbsp;c&nbsp;d&nbsp;", "a b c\u00a0d"),
    "such spaces at the beginning of emphasis": (
        "<u><b>&nbsp;a</b></u> more<i><b>&nbsp;of&nbsp;</b></i>it",
        "**a** more\u00a0***of***\u00a0it",
    ),
    "marks alone are not emphasised": (
        "cool<b>:</b> it<i>.</i> <b>(</b>a<b>)</b> <b>*</b> <i>-</i> <del>,</del>",
        "cool: it. (a) **\\*** *-* ~~,~~",
    ),
    "marks after a word at the beginning of emphasis": (
        "real<b>: those</b> and<i>, yes</i> or a<b>.NET</b>",
        "real: **those** and, *yes* or a<strong>.NET</strong>",
    ),
    "such spaces at the end of emphasis": ("<b>Bulk:&nbsp;</b>more", "**Bulk:**\u00a0more"),
    "emphasis around an image": ("<b><img src=/x alt=a></b>", "![a](/x)"),
}  # fmt: skip


@pytest.mark.parametrize(
    ("source", "expected"), HEADINGS_AND_RULES.values(), ids=HEADINGS_AND_RULES
)
def test_headings_rules_and_titles(source: str, expected: str) -> None:
    assert markdown(tree(source)) == expected
