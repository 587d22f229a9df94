"""Text of a page in Markdown is never a tag in a renderer that lets HTML pass."""

from __future__ import annotations

import html
import re
from random import Random

import markdown as python_markdown
import pytest
from markdown_it import MarkdownIt

import thresher
from tests.growth import assert_linear
from thresher.render import Include

PAYLOAD = "img src=x onerror=alert(1)"
TAG = f"&lt;{PAYLOAD}&gt;"  # the page shows it as text
PAGES = {
    "underlined": f"<p>a &lt;<u>{PAYLOAD}&gt;</u>",
    "bold in a summary": f"<details><summary>&lt;<b>{PAYLOAD}&gt;</b></summary><p>x</details>",
    "reference": f"<p>x<sup><a role=doc-noteref href=#fn-1>{TAG}</a></sup>",
    "reference to a label": f"<p>x<sup><a role=doc-noteref href='#fn-{TAG}'>{TAG}</a></sup>",
    "label": f"<aside role=doc-footnote id='fn-1]: {TAG}'>note</aside>",
    "code of a note": f"<p>x<sup><a href=#n>1</a></sup><ol><li id=n><pre>{TAG}</pre></ol>",
    "title of a link": f"<p><a href=x title='a\" {TAG} &amp;lt;'>y</a>",
    "address of a link": f"<p><a href='http://a.b/`{TAG}`)'>y</a>",
    "backtick in an address": f"<p><a href='http://a.b/`'>y</a> x <code>{TAG}</code>",
    "backtick in an address as text": (
        f"<p><a href='http://a.b/`'>http://a.b/`</a> x <code>{TAG}</code>"
    ),
    "address as text": f"<p><a href='http://a.b/{TAG}'>http://a.b/{TAG}</a>",
    "alternative text": f"<p>x<img src=x.png alt='] {TAG}&#10;&#10;{TAG}' title='{TAG}'>",
    "caption": f"<table><caption>{TAG}<tr><td>a<td>b<tr><td>c<td>{TAG}</table>",
    "code in a cell": f"<table><tr><td>a<td>b<tr><td><pre>a&#13;{TAG}\n{TAG}|</pre><td>x</table>",
    "term": f"<dl><dt>{TAG}<dd>{TAG}</dl>",
    "heading": f"<h2>{TAG}</h2><p>x",
    "code in a line": f"<p>x <code>`{TAG}``</code>",
    "code beside code": f"<p><code>a</code><u><code>``{TAG}</code></u>",
    "backtick in a formula": f"<p>a <math alttext='a`b'><mi>x</mi></math> c <code>{TAG}</code>",
    "control characters": f"<p>&lt;&#2;{PAYLOAD}&gt; &lt;&#3;{PAYLOAD}&gt;",
}  # fmt: skip
# Where the page shows the link or the address of a script as text.
SCRIPT = "javascript:alert(1)"
_NOTE = "<sup><a href=#n>1</a></sup>"
_NOTES = "<ol><li id=n>"
LINKS = {
    "text": f"<p>[x]({SCRIPT}) ![x]({SCRIPT}) [x]: {SCRIPT}<p>[x]: {SCRIPT}<p>[x] [x][x] [x][]",
    "after a bracket in a formula": f"<p><math alttext='[x'><mi>x</mi></math> y]({SCRIPT})",
    "after a formula, in two texts": f"<p><math alttext='['><mi>x</mi></math>y]<u>({SCRIPT})</u>",
    "formula of another line of a cell": (
        f"<table><tr><td><math alttext='['><mi>x</mi></math><p>y]({SCRIPT})<td>b<tr><td>c<td>d"
    ),
    "address after a reference": f"<p>x{_NOTE}({SCRIPT}){_NOTES}note</ol>",
    "address of a reference": f"<p>{_NOTE}: {SCRIPT}<p>x{_NOTE}{_NOTES}note</ol>",
    "note that is an address": f"<p>x{_NOTE}{_NOTES}{SCRIPT}</ol>",
    "note that is an address with a title": f"<p>x{_NOTE}{_NOTES}{SCRIPT} 'y'</ol>",
    "note that begins with an address": f"<p>x{_NOTE}{_NOTES}<p>{SCRIPT}<p>More of it.</ol>",
    "address as text": f"<p><a href='http://a.b/[x]({SCRIPT})'>http://a.b/[x]({SCRIPT})</a>",
    "title of a link": f"<p><a href=x title='\") [x]({SCRIPT}) (\"'>y</a>",
    "control character": f"<p>[x]&#2;({SCRIPT})",
    "description": f"<meta name=description content='[x]({SCRIPT}) ![x]({SCRIPT})'>",
    "alternative text": f"<p>x<img src=y alt='x]({SCRIPT}) ['>",
}  # fmt: skip
# Only CommonMark has fences.
FENCES = {
    f"{name} in {outside}": f"{outside}<pre>a{end}```{end}{end}{TAG}{end}</pre>"
    for name, end in {
        "CR": "&#13;", "VT": "&#11;", "FF": "&#12;", "NEL": "&#x85;", "LS": "&#x2028;",
        "PS": "&#x2029;", "FS": "&#28;", "LF": "\n",
    }.items()
    for outside in ("", "<blockquote>", "<ul><li>", "<dl><dt>x<dd>", "<ul><li>" * 60,
                    "<blockquote>" * 60)
}  # fmt: skip

_commonmark = MarkdownIt("commonmark", {"html": True}).enable("table")
_every_link = MarkdownIt("commonmark", {"html": True}).enable("table")
_every_link.validateLink = lambda url: True  # type: ignore[method-assign]


def written(source: str, **include: bool) -> str:
    document = thresher.extract(f"<p>Some text.</p>{source}", method="plain")
    return document.markdown(Include(**include))


def has_image_with_handler(html: str) -> bool:
    page = thresher.parse(html)
    return any("onerror" in page.attributes(row) for row in range(len(page)) if page.tag[row])


@pytest.mark.parametrize("name", [*PAGES, *FENCES])
def test_page_text_is_no_tag(name: str) -> None:
    found = written((PAGES | FENCES)[name])
    assert not has_image_with_handler(_commonmark.render(found))
    if name in PAGES:
        more = ["tables", "footnotes", "def_list"]
        assert not has_image_with_handler(python_markdown.markdown(found))
        assert not has_image_with_handler(python_markdown.markdown(found, extensions=more))


@pytest.mark.parametrize("name", LINKS)
def test_page_text_is_no_link_to_a_script(name: str) -> None:
    more = ["tables", "footnotes", "def_list"]
    for include in ({}, {"metadata": True, "title": True}):
        found = written(LINKS[name], **include)
        assert not has_link_to_script(_every_link.render(found))
        assert not has_link_to_script(python_markdown.markdown(found, extensions=more))


def has_link_to_script(html: str) -> bool:
    page = thresher.parse(html)
    values = [page.attributes(row) for row in range(len(page)) if page.tag[row]]
    return any((at.get("href") or at.get("src") or "").startswith("javascript:") for at in values)


def test_the_check_notices_a_link() -> None:
    assert has_link_to_script(_every_link.render(f"[x]({SCRIPT})"))


def test_notes_with_a_colon_stay_in_the_line_of_their_label() -> None:
    found = written(f"<p>x{_NOTE}{_NOTES}Ibid: 4</ol>")
    assert found.endswith("[^1]: Ibid: 4")
    assert written(f"<p>x{_NOTE}{_NOTES}http://a.b/</ol>").endswith("[^1]: http://a.b/")


def test_front_matter_is_no_tag_where_it_is_not_known() -> None:
    found = written(f"<title>{TAG}</title>", metadata=True)
    assert "onerror" in found
    assert not has_image_with_handler(_commonmark.render(found))


def test_the_check_notices_a_tag() -> None:
    assert has_image_with_handler(_commonmark.render(f"a <{PAYLOAD}>"))


def test_only_references_of_the_normal_form_are_copied() -> None:
    own = "<p>a<sup><a role=doc-noteref href=#fn-1>1</a></sup></p>"
    note = "<aside role=doc-footnote id=fn-1>b</aside>"
    assert written(own + note).endswith("a[^1]\n\n[^1]: b")
    assert "[^" not in written("<p>a<sup><a role=doc-noteref href=#fn-1>2</a></sup>")
    assert "[^" not in written("<aside role=doc-footnote id=x>b</aside>")


@pytest.mark.parametrize("quotes", [30, 500])
def test_quote_marks_are_bounded(quotes: int) -> None:
    found = written("<blockquote>" * quotes + "<p>a b</p>" * 50)
    lines = found.splitlines()[2:]
    assert len(lines) == 99
    assert all(line.startswith("> " * 23) and len(line) <= 51 for line in lines)


SLOW = {
    "newlines in code": lambda n: "<pre>a" + "\n" * n + "x</pre>",
    "spaces in code": lambda n: "<pre>a" + "\n \t" * n + "x</pre>",
    "backticks in code": lambda n: "<pre>" + "\n```" * n + "x</pre>",
    "brackets in an address": lambda n: f'<p><a href="http://a.b/{"(" * n}{")" * n}">x</a>',
    "closing brackets": lambda n: f'<p><a href="http://a.b/{")" * n}">x</a>',
    "pairs of brackets": lambda n: f'<p><a href="http://a.b/{"()" * n}">x</a>',
    "pairs of pairs": lambda n: f'<p><a href="http://a.b/{"(())" * n}(">x</a>',
    "ampersands in a title": lambda n: f'<p><a href=x title="{"&amp;a" * n}">x</a>',
    "less than": lambda n: "<p>x" + "&lt;" * n,
    "blocks of code in a table": lambda n: (
        "<table>" + "<tr><td class=lineno>1<td><pre>x</pre>" * (n // 10) + "</table>"
    ),
    "numbered rows in each other": lambda n: (
        "<table><tr><td class=gutter>1<td>" * (n // 200) + "<p>x</p>"
    ),
    "classes of code": lambda n: f"<pre><code class='language-x {'a ' * n}'>y</code></pre>",
    "code of lines in a paragraph": lambda n: "<p>" + "<code>x\ny\nz</code> " * (n // 10),
}


@pytest.mark.parametrize("name", SLOW)
def test_markdown_is_linear(name: str) -> None:
    def documents(n: int) -> thresher.Document:
        return thresher.extract(SLOW[name](n), method="plain")

    assert_linear(lambda document: document.markdown(), documents, 20_000)


@pytest.mark.parametrize(
    "address",
    [
        "javascript&amp;colon;x", "java&amp;#115;cript:x", "javascript&amp;#58;x",
        "&amp;#x6a;avascript:x", "&amp;Tab;javascript:x", "&#xfeff;javascript:x",
        "&#x200b;javascript:x", "&#xad;&#x2060; javascript:x",
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "page",
    ["<p>a <a href='{}'>b</a>", "<p>a <img src='{}' alt=b>", "<p>a<iframe src='{}'></iframe>"],
)
def test_no_renderer_reads_another_scheme_in_an_address(page, address):
    text = thresher.extract(page.format(address), method="plain").markdown()
    renderer = MarkdownIt("commonmark")
    renderer.validateLink = lambda url: True  # as in renderers that check nothing
    for found in re.findall(r'(?:href|src)="([^"]*)"', renderer.render(text)):
        scheme = re.match(r"\W*([a-z]+):", html.unescape(found))
        assert scheme is None or scheme[1] not in {"javascript", "data"}, text


def test_references_in_addresses_keep_their_meaning():
    page = "<p>a <a href='http://a.b/?c=1&amp;copy=2&amp;d;'>b</a> <a href='?x=1&amp;y=2'>c</a>"
    text = thresher.extract(page, method="plain").markdown()
    assert text == "a [b](http://a.b/?c=1&copy=2&amp;d;) [c](?x=1&y=2)"


@pytest.mark.parametrize(
    "text",
    [
        "The __init__ method", "__name__ == '__main__'", "(__x__)", "___x___", "a__b__c", "_a__b_",
        "**x** ***y*** 2*3*4", "*__x__*", "_*x*_", "a_b_c",
    ],
)  # fmt: skip
def test_underscores_and_asterisks_are_text(text):
    found = written(f"<p>{text}</p>").removeprefix("Some text.\n\n")
    assert MarkdownIt("commonmark").render(found) == f"<p>{text}</p>\n"


def test_random_marks_are_text():
    random = Random(7)
    for _ in range(300):
        text = "".join(random.choices("__**abé1.,('!- ~", k=random.randrange(1, 24))).strip()
        text = f"a {' '.join(text.split())} b"
        found = written(f"<p>{text}</p>").removeprefix("Some text.\n\n")
        assert MarkdownIt("commonmark").render(found) == f"<p>{text}</p>\n"
