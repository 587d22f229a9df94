"""Blocks of code: their text, language and line numbers, from literal HTML."""

from __future__ import annotations

import pytest

from tests.growth import assert_linear
from tests.render.helpers import tree
from thresher import extract
from thresher.render.markdown.writer import markdown

CODE = {
    "a block": ("<pre><code>a\n  b\n</code></pre>", "```\na\n  b\n```"),
    "without code": ("<pre>a  b\tc</pre>", "```\na  b\tc\n```"),
    "leading lines and tabs": ("<pre>\n\n\n\ta</pre>", "```\n\n\n\ta\n```"),
    "fences within": ("<pre>```\na\n````</pre>", "`````\n```\na\n````\n`````"),
    "language of the code": ('<pre><code class="language-py">a</code></pre>', "```py\na\n```"),
    "language of an attribute": (
        '<pre data-enlighter-language="php">a</pre>',
        "```php\na\n```",
    ),
    "language as that of people": ('<pre lang="C#">a</pre>', "```c#\na\n```"),
    "a language of people": ('<pre lang="pl">a</pre>', "```\na\n```"),
    "language of docutils": (
        '<pre class="code literal-block python">a</pre>',
        "```python\na\n```",
    ),
    "language of the block": ('<pre class="lang-js hl">a</pre>', "```js\na\n```"),
    "language of MediaWiki": (
        '<div class="mw-highlight mw-highlight-lang-lua mw-content-ltr"><pre>a</pre></div>',
        "```lua\na\n```",
    ),
    "language of Crayon": ('<pre class="lang:python decode:true">a</pre>', "```python\na\n```"),
    "language with an option": (
        '<pre><code class="language-js:title=src/tea.js">a</code></pre>',
        "```js\na\n```",
    ),
    "language with lines": ('<pre><code class="lang-ts{1,3}">a</code></pre>', "```ts\na\n```"),
    "language of rustdoc": ('<pre class="rust rust-example-rendered">a</pre>', "```rust\na\n```"),
    "a language beside another class": ('<pre class="rust wide">a</pre>', "```\na\n```"),
    "Objective-C": ('<pre lang="objc">a</pre>', "```objc\na\n```"),
    "lines without a break behind them": (
        '<pre>a\n<span class="gatsby-highlight-code-line">b</span>'
        '<span class="gatsby-highlight-code-line"></span>'
        '<span class="gatsby-highlight-code-line">  <b>c</b></span>d</pre>',
        "```\na\nb\n\n  c\nd\n```",
    ),
    "language by a class alone": ('<pre><code class="python">a</code></pre>', "```python\na\n```"),
    "a class alone of a wrapper": ('<div class="less"><pre>a</pre></div>', "```\na\n```"),
    "language of a wrapper": (
        '<div class="highlight highlight-source-c++"><pre>a</pre></div>',
        "```c++\na\n```",
    ),
    "language of a brush": ('<pre class="brush: ruby; toolbar: false">a</pre>', "```ruby\na\n```"),
    "language of SyntaxHighlighter": (
        '<div class="syntaxhighlighter  java"><pre>a</pre></div>',
        "```java\na\n```",
    ),
    "language of a brush in an attribute": (
        '<pre data-syntaxhighlighter-params="brush: sql; gutter: true">a</pre>',
        "```sql\na\n```",
    ),
    "numbers in a list in a block": (
        '<pre><code>a\nb</code><ul class="pre-numbering"><li>1</li><li>2</li></ul></pre>',
        "```\na\nb\n```",
    ),
    "colours are text": ("<pre><span class=k>if</span> <i>x</i></pre>", "```\nif x\n```"),
    "breaks": ("<pre>a<br>b<div>c</div>d</pre>", "```\na\nb\nc\nd\n```"),
    "line elements": (
        '<pre><code><span class="line">a</span><span class="line">b</span></code></pre>',
        "```\na\nb\n```",
    ),
    "numbers in spans": (
        '<pre><span class="lineno">1 </span>a\n<span class="lineno">2 </span>b</pre>',
        "```\na\nb\n```",
    ),
    "numbers in a cell of a layout table": (
        '<table role="presentation"><tr><td class="linenos"><pre>1\n2</pre></td>'
        '<td class="code"><pre>a\n b</pre></td></tr></table>',
        "```\na\n b\n```",
    ),
    "numbers in rows": (
        '<table><tr><td data-line-number="1"></td><td>a</td></tr>'
        '<tr><td data-line-number="2"></td><td>  b</td></tr></table>',
        "```\na\n  b\n```",
    ),
    "numbers in a table of values stay": (
        "<table><tr><th>n<th>x<tr><td>1<td><pre>a</pre></table>",
        "| n | x |\n| --- | --- |\n| 1 | `a` |",
    ),
    "a class that is no language": (
        '<pre class="block_block__dom6m language-block_block__dom6m">x</pre>',
        "```\nx\n```",
    ),
    "a language of the figure around a table": (
        '<figure class="highlight js"><table><tr><td class="gutter"><pre>1</pre></td>'
        '<td class="code"><pre>a</pre></td></tr></table></figure>',
        "```js\na\n```",
    ),
    "a language that Pygments does not know": (
        '<pre><code class="language-svelte">x</code></pre>',
        "```svelte\nx\n```",
    ),
    "two codes in one block": (
        '<pre><code class="language-js">a</code><code class="language-css">b</code></pre>',
        "```js\na\n```\n\n```css\nb\n```",
    ),
    "a code for each line": (
        "<pre><code>a</code>\n<code>  b</code>\n<code>c</code></pre>",
        "```\na\n  b\nc\n```",
    ),
    "lines of code without a block": (
        '<div><code class="hljs block">a\n  b</code></div>',
        "```\na\n  b\n```",
    ),
    "code that a class calls a block": (
        '<div><p>a</p><code class="hl lean block">\n    <b>def</b> x\n  </code><p>b</p></div>',
        "a\n\n```\ndef x\n```\n\nb",
    ),
    "lines of code between paragraphs": (
        "<div><p>a</p><code>\n    b\n      c\n    d</code><h2>e</h2></div>",
        "a\n\n```\nb\n  c\nd\n```\n\n## e",
    ),
    "a word with the class of a block": (
        '<p>Call <code class="block">a</code> first.',
        "Call `a` first.",
    ),
    "lines between breaks": (
        "<pre><code>line 1</code><br><code>  line 2</code><br></pre>",
        "```\nline 1\n  line 2\n```",
    ),
    "tabs in one block": (
        "<pre><div class=tab><code class=js>a = 1</code></div>\n<div class=tab>"
        "<code class=py>b = 1</code></div></pre>",
        "```js\na = 1\n```\n\n```py\nb = 1\n```",
    ),
    "lines in boxes": (
        "<pre><div><code class=js>a = 1</code></div><div><code class=js>b = 1</code></div></pre>",
        "```js\na = 1\nb = 1\n```",
    ),
    "a box of code": (
        "<dl><dt>a<dd><p>b<div class='code-block' data-lang=http>GET /\n\n&gt; {%\n  x\n%}</div>"
        "</dl>",
        "a\n: b\n\n  ```http\n  GET /\n\n  > {%\n    x\n  %}\n  ```",
    ),
    "a box of code with more than text": (
        '<div class="code-block"><p>a\nb</p><p>c</p></div>',
        "a b\n\nc",
    ),
    "code within a sentence stays there": (
        "<p>Call <code>a\nb</code> first.",
        "Call `a b` first.",
    ),
    "numbered cells": (
        '<table><tr><td class="blob-num">1</td><td>a</td></tr>'
        '<tr><td class="blob-num">2</td><td>  b</td></tr></table>',
        "```\na\n  b\n```",
    ),
    "SyntaxHighlighter without numbers": (
        "<div class='syntaxhighlighter nogutter java'><table><tr><td class=code><div>"
        "<div class=line><code>int</code> <code>a = 1;</code></div>"
        "<div class=line><code>a++;</code></div></div></td></tr></table></div>",
        "```java\nint a = 1;\na++;\n```",
    ),
    "Gitea": (
        "<table><tr><td class=lines-num><span data-line-number=1></span></td><td class=lines-code>"
        "<code>if a:\n</code></td></tr><tr><td class=lines-num></td><td class=lines-code><code>"
        "  <b>print</b> <i>a</i>\n</code></td></tr></table>",
        "```\nif a:\n  print a\n```",
    ),
    "a file name above numbered lines": (
        "<table><tr><th colspan=2>a.py</th></tr><tr><td class=linenos><pre>1</pre></td><td><pre>"
        "a = 1</pre></td></tr></table>",
        "```\na = 1\n```",
    ),
    "nothing is escaped": ("<pre>*a* &lt;b&gt; [c]</pre>", "```\n*a* <b> [c]\n```"),
}


@pytest.mark.parametrize(("source", "expected"), CODE.values(), ids=CODE)
def test_code_in_markdown(source: str, expected: str) -> None:
    assert markdown(tree(source)) == expected


IN_TABLES = {
    "Hexo": (
        "<figure class='highlight python'><table><tr><td class=gutter><pre>"
        "<span class=line>1</span><br><span class=line>2</span><br></pre></td><td class=code><pre>"
        "<span class=line><span class=keyword>def</span> f(x):</span><br>"
        "<span class=line>    <span class=keyword>return</span> x</span><br></pre></td></tr>"
        "</table></figure>",
        "def f(x):\n    return x",
    ),
    "Crayon": (
        "<table class=crayon-table><tr><td class=crayon-nums><div class=crayon-num>1</div>"
        "<div class=crayon-num>2</div></td><td class=crayon-code><div>"
        "<div class=crayon-line><span>def</span> f(x):</div>"
        "<div class=crayon-line>    <span>return</span> x</div></div></td></tr></table>",
        "def f(x):\n    return x",
    ),
    "GitHub": (
        "<table class=highlight><tr><td class=blob-num data-line-number=1></td>"
        "<td class=blob-code>def f(x):</td></tr><tr><td class=blob-num data-line-number=2></td>"
        "<td class=blob-code>    return x</td></tr></table>",
        "def f(x):\n    return x",
    ),
    "SyntaxHighlighter": (
        "<div class='syntaxhighlighter java'><table><tr><td class=gutter><div class='line'>1</div>"
        "<div class='line'>2</div></td><td class=code><div><div class='line'><code>int</code> "
        "<code>a = 1;</code></div><div class='line'><code>a++;</code></div></div></td></tr></table>"
        "</div>",
        "int a = 1;\na++;",
    ),
    "a gist": (
        "<div class=gist><table class=highlight><tr><td class=blob-num data-line-number=1>1</td>"
        "<td class=blob-code>a = 1</td></tr><tr><td class=blob-num data-line-number=2>2</td>"
        "<td class=blob-code>b = 2</td></tr></table></div>",
        "a = 1\nb = 2",
    ),
    "lines in a list": (
        "<pre class=java><ol><li><div>int a;</div></li><li><div>  a++;</div></li></ol></pre>",
        "int a;\n  a++;",
    ),
    "two blocks in one": ("<pre><code>x</code><code>y</code></pre>", "x\n\ny"),
    "a table beside code": (
        "<table><tr><td>a<td>b<tr><td>c<td>d</table><pre>x\n  y</pre>",
        "a | b\nc | d\n\nx\n  y",
    ),
}


@pytest.mark.parametrize(("source", "expected"), IN_TABLES.values(), ids=IN_TABLES)
def test_code_in_tables_keeps_its_lines_in_text(source: str, expected: str) -> None:
    before, after = (
        f"<p>A paragraph with enough words that it is kept, since it says something: {word}.</p>"
        * 3
        for word in ("one", "two")
    )
    document = extract(f"<title>T</title><main>{before}{source}{after}</main>")
    assert f"one.\n\n{expected}\n\nA paragraph" in document.text
    assert document.selection.text() == document.text
    written = [word for passage in document.passages(50) for word in passage.text.split()]
    assert written == document.text.split()


@pytest.mark.parametrize("name", ["Hexo", "Crayon", "GitHub", "SyntaxHighlighter", "a gist"])
def test_tables_of_code_are_one_block_and_stay_with_precision(name: str) -> None:
    source, expected = IN_TABLES[name]
    prose = "<p>A paragraph with enough words that it is kept, since it says something of {}.</p>"
    before, after = (prose.format(word) * 3 for word in ("one", "two"))
    page = f"<title>T</title><main>{before}{source}{after}</main>"
    assert expected in [block.text for block in extract(page).blocks]
    assert f"{expected}\n\nA paragraph" in extract(page, favor="precision").text


def test_code_in_tables_takes_linear_time() -> None:
    row = (
        "<table><tr><td class=gutter>1<td><pre>x\n y</pre></table><pre><code>a</code><code>b</code>"
    )
    assert_linear(lambda page: extract(page, method="plain").text, lambda n: row * n, 200)


LINES = "def f(x):<br>&nbsp;&nbsp;&nbsp; y = x<br>\n&nbsp;&nbsp;&nbsp; return y"
INDENTED = {
    "code in a box": f'<div class="code"><code>{LINES}</code></div>',
    "a box": f'<div class="code">{LINES}</div>',
    "another font": f'<div class="codebox"><font face="Courier">{LINES}</font></div>',
    "code in a paragraph": f"<p><code>{LINES}</code></p>",
    "a box of a forum": f'<dl class="codebox"><dd><code>{LINES}</code></dd></dl>',
    "parts of lines": f'<div class="code"><code>{LINES.replace("def", "<b>def</b>")}</code></div>',
    "line ends": "<p><code>def f(x):\n    y = x\n    return y</code></p>",
}


@pytest.mark.parametrize("name", INDENTED)
def test_indents_of_lines_stay_in_text_and_markdown(name: str) -> None:
    document = extract(f"<p>So:</p>{INDENTED[name]}<p>Done.</p>", method="plain")
    code = "def f(x):\n    y = x\n    return y"
    assert document.text == f"So:\n\n{code}\n\nDone."
    assert document.markdown() == f"So:\n\n```\n{code}\n```\n\nDone."
    assert code in [block.text for block in document.blocks]


@pytest.mark.parametrize(
    "source",
    [
        "<div class=poem>One<br>&nbsp;&nbsp;two<br>&nbsp;&nbsp;three</div>",
        "<div class=code>One<br>two<br>three</div>",
        "<div class=postcode>One<br>&nbsp;&nbsp;two<br>&nbsp;&nbsp;three</div>",
        "<p>One <code>two\nthree</code> four</p>",
    ],
)
def test_other_lines_are_no_code(source: str) -> None:
    document = extract(source, method="plain")
    assert "```" not in document.markdown()
    assert "  " not in document.text


@pytest.mark.parametrize(
    "unit",
    [
        "<div class=code>a<br>&nbsp;&nbsp;b",
        "<div class=code>a<br>&nbsp;&nbsp;b</div>",
        "<code>a\n b\n c</code>",
        "<code>a\n b\n c",
    ],
)
def test_indented_lines_take_linear_time(unit: str) -> None:
    assert_linear(lambda page: extract(page, method="plain").text, lambda n: unit * n, 200)
