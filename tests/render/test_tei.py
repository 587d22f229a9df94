"""TEI from literal HTML, each valid against the schema of the package."""

from __future__ import annotations

import pickle
from html import escape

import pytest
from lxml import etree

from tests.render.helpers import RELAX_NG, tree, valid_tei
from thresher import Limits, extract, parse
from thresher.render import Include
from thresher.render.tei.header import Header
from thresher.render.tei.writer import tei

NO_HEADER = Header()


def document(source: str, header: Header = NO_HEADER) -> str:
    written = tei(tree(source), header=header)
    valid_tei(written)
    return written


def text(source: str) -> str:
    return document(source).split("<body>")[1].split("</body>")[0]


CASES = {
    "bare text": ("a", "<p>a</p>"),
    "nothing": ("", "<p/>"),
    "a figure alone": (
        "<figure><img src=/a.png></figure>",
        '<figure><graphic url="/a.png"/></figure><p/>',
    ),
    "divisions": (
        "x<h2>a</h2>b<h3>c</h3>d<h2>e</h2>",
        "<p>x</p><div><head>a</head><p>b</p><div><head>c</head><p>d</p></div></div>"
        "<div><head>e</head></div>",
    ),
    "levels that fall": (
        "<h3>a</h3><h1>b</h1>",
        "<div><head>a</head></div><div><head>b</head></div>",
    ),
    "a heading in a list": (
        "<ul><li><h3>a</h3>b</ul>",
        '<list type="unordered"><item><label type="head" n="3">a</label><p>b</p></item></list>',
    ),
    "numbers": (
        "<ol start=3><li>a<li value=9>b</ol>",
        '<list type="ordered"><item n="3">a</item><item n="9">b</item></list>',
    ),
    "terms": (
        "<dl><dt>a<dt>b<dd>c<dd>d<dt>e</dl>",
        '<list type="gloss"><label>a<lb/>b</label><item><p>c</p><p>d</p></item>'
        "<label>e</label><item></item></list>",
    ),
    "tables": (
        "<table><caption>c</caption><tr><th>a<tr><td>b</table>",
        '<table><head>c</head><row><cell role="label">a</cell></row>'
        "<row><cell>b</cell></row></table>",
    ),
    "quotations": (
        "<blockquote>a</blockquote><q>b</q>",
        '<quote><p>a</p></quote><p><quote rend="inline">b</quote></p>',
    ),
    "code": (
        '<pre class="language-py">a\n  b</pre><code>c</code>',
        '<p><code rend="block" lang="py" xml:space="preserve">a\n  b</code></p>'
        "<p><code>c</code></p>",
    ),
    "links and images": (
        "<a href='/x y'>a</a> <img src=/i.png alt='&lt;b'>",
        '<p><ref target="/x%20y">a</ref> <graphic url="/i.png"><desc>&lt;b</desc></graphic></p>',
    ),
    "a figure": (
        "<figure><img src=/i.png><figcaption>c</figcaption></figure>a",
        '<figure><graphic url="/i.png"/><head>c</head></figure><p>a</p>',
    ),
    "a linked image in a figure": (
        "<figure><a href=/x><img src=/i.png></a></figure>a",
        '<figure><p><ref target="/x"><graphic url="/i.png"/></ref></p></figure><p>a</p>',
    ),
    "renditions": (
        "<i>a</i> <b>b</b> <sup>c</sup> <del>d</del>",
        '<p><hi rend="italic">a</hi> <hi rend="bold">b</hi> <hi rend="superscript">c</hi> '
        "<del>d</del></p>",
    ),
    "breaks and rules": (
        "a<br>b<hr>",
        '<p>a<lb/>b</p><milestone unit="section" rend="rule"/>',
    ),
    "formulas": (
        "<math alttext='a<b' display=block></math>",
        '<p><formula notation="TeX" rend="display">a&lt;b</formula></p>',
    ),
    "footnotes": (
        "<p>a<sup><a href=#n>1</a></sup><ol><li id=n>b</ol>",
        '<p>a<ref type="note" target="#fn-1">1</ref></p><list type="ordered"><item n="1">'
        '<note place="foot" n="1" xml:id="fn-1">b</note></item></list>',
    ),
    "control characters": ("a&#1;\x0bb&#xFFFE;", "<p>ab</p>"),
}


@pytest.mark.parametrize(("source", "expected"), CASES.values(), ids=CASES)
def test_tei(source: str, expected: str) -> None:
    assert text(source) == expected


def test_the_header_has_title_source_and_language() -> None:
    found = document(
        "a", header=Header(title="A & B", url="https://x.y/?a=1&b=2", language="en-GB")
    )
    assert "<title>A &amp; B</title>" in found
    assert '<ref target="https://x.y/?a=1&amp;b=2">https://x.y/?a=1&amp;b=2</ref>' in found
    assert 'xml:lang="en-GB"' in found


def test_the_header_has_authors_dates_site_kind_and_confidence() -> None:
    header = Header(
        title="T", authors=("A", "B & C"), site="S", published="2024-05-03",
        modified="2024-05-04T10:00:00+02:00", kind="article", kind_probability=0.9, confidence=1.0,
    )  # fmt: skip
    found = document("a", header=header)
    assert "<titleStmt><title>T</title><author>A</author><author>B &amp; C</author>" in found
    assert '<notesStmt><note type="confidence">1.000</note></notesStmt>' in found
    assert (
        "<bibl><title>T</title><author>A</author><author>B &amp; C</author><publisher>S</publisher>"
        '<date type="published" when="2024-05-03">2024-05-03</date>'
        '<date type="modified" when="2024-05-04T10:00:00+02:00">2024-05-04T10:00:00+02:00</date>'
        "</bibl>"
    ) in found
    assert '<keywords><term cert="0.900">article</term></keywords>' in found


def test_the_header_has_licence_tags_and_categories() -> None:
    address = "https://creativecommons.org/licenses/by/4.0/"
    found = document("a", Header(licence=address, tags=("x & y", " "), categories=("Tea",)))
    assert f'<availability><licence target="{address}">{address}</licence></availability>' in found
    assert '<keywords scheme="#tags"><term>x &amp; y</term></keywords>' in found
    assert '<keywords scheme="#categories"><term>Tea</term></keywords>' in found
    assert "<licence>CC BY</licence>" in document("a", Header(licence="CC BY"))


def test_comments_are_a_division_of_the_back() -> None:
    comments = tree("<h3>Two comments</h3><p>b")
    root = valid_tei(tei(tree("<p>a"), comments=comments))
    assert "".join(root.find(".//{*}body").itertext()) == "a"
    division = root.find(".//{*}back/{*}div")
    assert division.get("type") == "comments"
    assert "".join(division.itertext()) == "Two commentsb"


POST = (
    "<li class=comment id=comment-{0}><cite class=fn>{1}</cite> <time datetime='2024-05-0{0}'>"
    "May {0}</time><div class=comment-content><p>I have seen this {2} with my own eyes, and so has "
    "my sister, who lives beside it.</p></div></li>"
)


def commented_page() -> str:
    prose = "<p>The valley was surveyed in spring by a party of four, who measured its {}.</p>"
    article = "".join(prose.format(name) for name in ("river", "depth", "hills", "fields"))
    posts = ((1, "Ada", "river"), (2, "Ben", "hill"), (3, "Cleo", "field"))
    comments = "".join(POST.format(*post) for post in posts)
    return (
        f"<title>Valley</title><main><article><h1>Valley</h1>{article}</article>"
        "<div id=comments class=comments-area><h2>3 comments</h2>"
        f"<ol class=comment-list>{comments}</ol></div></main>"
    )


def test_comments_that_are_no_content_are_posts_of_the_back() -> None:
    document_ = extract(commented_page())
    assert "my own eyes" not in document_.text
    root = valid_tei(document_.tei())
    posts = root.findall(".//{*}back/{*}div[@type='comments']/{*}div[@type='post']")
    assert ["".join(post.find("{*}opener").itertext()) for post in posts] == [
        "AdaMay 1", "BenMay 2", "CleoMay 3",
    ]  # fmt: skip
    assert [post.find(".//{*}date").get("when") for post in posts] == [
        "2024-05-01", "2024-05-02", "2024-05-03",
    ]  # fmt: skip
    assert ["this hill" in "".join(post.itertext()) for post in posts] == [False, True, False]
    assert "my own eyes" not in "".join(root.find(".//{*}body").itertext())


def test_comments_are_left_out_where_not_asked_for() -> None:
    document_ = extract(commented_page())
    assert "my own eyes" not in document_.tei(Include(comments=False))
    part = document_.select("main")
    assert "my own eyes" not in part.tei()
    assert pickle.loads(pickle.dumps(part)).tei() == part.tei()
    assert pickle.loads(pickle.dumps(document_)).tei() == document_.tei()


def test_comments_do_not_exceed_the_limit_of_an_output() -> None:
    whole = extract(commented_page()).tei()
    page = parse(commented_page(), limits=Limits(output=len(whole) - 100))
    cut = extract(page).tei()
    valid_tei(cut)
    assert len(cut) <= len(whole) - 100
    assert "river" in cut


def test_comments_of_a_page_are_apart() -> None:
    prose = "Some sentences of prose stand in this article, and they are about {}."
    names = ("tea", "coffee", "water", "milk", "sugar")
    article = "".join(f"<p>{prose.format(name)}</p>" for name in names)
    note = "<p class=comment>I like {} more than anything else, as I said in the last comment.</p>"
    page = (
        f"<article><h1>Drinks</h1>{article}</article><div class=comments>{note.format('it')}</div>"
    )
    document_ = extract(page, method="plain")
    root = valid_tei(document_.tei())
    assert "I like it" in "".join(root.find(".//{*}back").itertext())
    assert "I like it" not in "".join(root.find(".//{*}body").itertext())
    assert root.find(".//{*}back") is not None
    without = valid_tei(document_.tei(Include(comments=False)))
    assert without.find(".//{*}back") is None


IDS = ["a b", "1", "²", "①", "fn 1", "é", "x:y", "\u0300a", "a" * 20, "[1]", "*"]


@pytest.mark.parametrize("name", IDS)
def test_any_id_and_any_label_give_a_valid_name(name: str) -> None:
    identifier = escape(name, quote=True)
    note = f'<p id="{identifier}">{name} The note.</p>'
    link = f'<sup><a href="#{identifier}">{name}</a></sup>'
    valid_tei(tei(tree(f"<p>a{link} b{link}</p>{note}{note}")))


def test_labels_that_differ_have_names_that_differ() -> None:
    source = "a<sup><a href=#x>²</a></sup><sup><a href=#y>_b2</a></sup><p id=x>n</p><p id=y>m</p>"
    root = valid_tei(tei(tree(source)))
    names = [note.get("{http://www.w3.org/XML/1998/namespace}id") for note in root.iter("{*}note")]
    assert len(set(names)) == 2
    targets = [ref.get("target") for ref in root.iter("{*}ref")]
    assert targets == [f"#{name}" for name in names]


def test_an_invalid_date_is_left_out() -> None:
    assert "<date" not in document("a", header=Header(published="in May"))


def test_an_invalid_language_is_left_out() -> None:
    assert "xml:lang" not in document("a", header=Header(language="no language"))


def test_the_schema_refuses_invalid_tei() -> None:
    broken = document("a").replace("<p>a</p>", "<p><p>a</p></p>")
    assert not RELAX_NG.validate(etree.fromstring(broken.encode()))
