"""Scores of structure: the definition written slowly with lxml, and pages by hand."""

import json
import re
import unicodedata

import lxml.html
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.errors import InputError, UsageError
from thresher.evaluate import peers
from thresher.evaluate.structure import (
    KINDS,
    Counts,
    Element,
    Source,
    code_tokens,
    common_elements,
    compare,
    elements,
    evaluate_structure,
    markdown_to_html,
    matches,
    read,
)
from thresher.page.words import words

# --- the definition ------------------------------------------------------------------------------

PARTS = st.sampled_from(
    [
        "<h2>Pot</h2>", "<h3>Warm <b>pot</b>s</h3>", "<h2> </h2>", "<p>Tea</p>", "<li>lone</li>",
        "<ul><li>milk<ul><li>cold</li><li>warm</li></ul></li><li>sugar</li></ul>",
        "<ol><li>One<br>two</li></ol>", "<pre>a = 1\n  b</pre>", "<pre><code>x\n\n\ty</code></pre>",
        "<blockquote><p>More</p><blockquote>tea</blockquote></blockquote>",
        "<table><tr><th>a</th><td>b c</td><td></td></tr></table>",
        '<a href="https://a.example/b/">Link</a>', '<a href="#c">No</a>', "<a>None</a>",
        '<img src="https://a.example/i.png?w=2">', "<img alt=x>",
    ]
)  # fmt: skip


def slow_words(node, without=()):
    """Return the words of an element, blocks apart."""

    def text(node, top=True):
        if not top and node.tag in without:
            return " " + (node.tail or "")
        inner = (node.text or "") + "".join(text(child, False) for child in node)
        space = "" if node.tag in ("a", "b", "code", "img") else " "
        return space + inner + space + ("" if top else node.tail or "")

    folded = unicodedata.normalize("NFC", text(node)).casefold()
    return tuple(words(unicodedata.normalize("NFC", folded)))


def slow_code(node):
    text = node.text_content().expandtabs(4)
    lines = [line.rstrip() for line in text.split("\n") if line.strip()]
    common = min((len(line) - len(line.lstrip()) for line in lines), default=0)
    return tuple(re.findall(r"\n *|\w+|[^\w\s]", "\n".join(line[common:] for line in lines)))


def slow_elements(html):
    tree = lxml.html.document_fromstring(f"<body>{html}</body>")
    found = {kind: [] for kind in KINDS}
    for node in tree.iter(*(f"h{level}" for level in range(1, 7))):
        found["headings"].append(slow_words(node))
    found["items"] = [slow_words(node, ("ul", "ol")) for node in tree.iter("li")]
    found["code"] = [slow_code(node) for node in tree.iter("pre")]
    outermost = tree.xpath("//blockquote[not(ancestor::blockquote)]")
    found["quotes"] = [slow_words(node) for node in outermost]
    found["cells"] = [slow_words(node, ("table",)) for node in tree.iter("td", "th")]
    for kind in ("headings", "items", "code", "quotes", "cells"):
        found[kind] = [own for own in found[kind] if own]
    found["links"] = [
        slow_words(node) for node in tree.iter("a") if node.get("href", "#")[0] != "#"
    ]
    found["images"] = [() for node in tree.iter("img") if node.get("src")]
    return found


@given(st.lists(PARTS, max_size=8))
def test_elements_are_those_of_the_definition(parts):
    html = "".join(parts)
    found = elements(html)
    assert {kind: [each.words for each in found[kind]] for kind in KINDS} == slow_elements(html)


WORDS = st.lists(st.sampled_from("abc"), min_size=1, max_size=4)


@given(st.lists(WORDS, max_size=5), st.lists(WORDS, max_size=5))
def test_short_elements_match_if_they_are_equal(found, gold):
    """Of up to four words, two texts are equal or at most 6/7 similar."""
    pairs = matches([Element(tuple(w)) for w in found], [Element(tuple(w)) for w in gold])
    assert all(found[one] == gold[other] for one, other in pairs)
    left = [tuple(w) for w in gold]
    equal = 0
    for each in map(tuple, found):
        if each in left:
            left.remove(each)
            equal += 1
    assert len(pairs) == equal
    assert len({one for one, _ in pairs}) == len({other for _, other in pairs}) == equal


# --- by hand -------------------------------------------------------------------------------------


def counts(found, gold, source=None):
    return compare(elements(found, source), elements(gold, source))


@pytest.mark.parametrize(
    ("kind", "found", "gold", "expected"),
    [
        ("headings", "<h1>A</h1><h2>B</h2>", "<h2>A</h2><h2>B</h2>", (2, 2, 2)),  # h1 is h2
        ("headings", "<h2>A</h2><h3>B</h3>", "<h3>A</h3><h4>B</h4>", (2, 2, 2)),
        ("headings", "<h2>A</h2><h2>B</h2>", "<h2>A</h2><h3>B</h3>", (1, 2, 2)),
        ("headings", "<h5>X</h5><h2>A</h2>", "<h3>A</h3>", (1, 2, 1)),  # X has no match
        ("items", "<li>a<ul><li>b</ul>", "<li>a</li><li>b</li>", (2, 2, 2)),
        ("items", "<p>a</p>", "<li>a</li>", (0, 0, 1)),
        ("code", "<pre>if x:\n  y</pre>", "<pre>\n    if x:\n      y\n</pre>", (1, 1, 1)),
        ("code", "<pre>if x: y</pre>", "<pre>if x:\n  y</pre>", (0, 1, 1)),
        ("code", "<code>x</code>", "<pre>x</pre>", (0, 0, 1)),
        ("code", "<pre><pre>x</pre></pre>", "<pre>x<br>y</pre>", (0, 1, 1)),
        ("quotes", "<blockquote>One, two</blockquote>", "<blockquote><p>one <p>Two!", (1, 1, 1)),
        ("cells", "<table><tr><th>a<td>b", "<table><tr><td>a<tr><td>b<td>c", (2, 2, 3)),
        ("links", "<a href=http://www.a.b/c>x</a>", "<a href=https://a.b/c/>x</a>", (1, 1, 1)),
        ("links", "<a href=http://a.b/?c>x</a>", "<a href=http://a.b/?d>x</a>", (0, 1, 1)),
        ("links", "<a href=http://a.b/c>x</a>", "<a href=http://a.b/c>y</a>", (0, 1, 1)),
        ("links", "<a href='javascript:a'>x</a><a href=#y>y</a>", "", (0, 0, 0)),
        ("images", "<img src=/w100/a.png>", "<img src=/w900/a.png?b>", (1, 1, 1)),
        ("images", "<img src=/get?a>", "<img src=/get?b>", (0, 1, 1)),
        ("images", "<img src=data:image/png;base64,aa>", "<img>", (0, 0, 0)),
        ("images", "<img srcset='/a.png 2x, /b.png 3x'>", "<img src=/a.png>", (1, 1, 1)),
    ],
)  # fmt: skip
def test_a_page_by_hand(kind, found, gold, expected):
    assert counts(found, gold)[kind] == Counts(*expected)


def test_one_word_in_ten_may_be_another():
    ten = [f"w{number}" for number in range(10)]
    gold = [Element(tuple(ten))]
    assert common_elements([Element((*ten[:9], "x"))], gold) == [(0, 0)]  # 2 * 9 / 20
    assert common_elements([Element((*ten[:8], "x", "y"))], gold) == []


def test_the_headline_is_no_heading():
    source = Source("<title>Hot tea | Drinks</title><h1>Tea, hot</h1>", title="Of tea")
    html = "".join(
        f"<h1>{text}</h1>" for text in ("Hot tea", "drinks", "Tea hot", "Of tea", "Hot", "Milk")
    )
    assert [each.words for each in elements(html, source)["headings"]] == [("milk",)]


def test_addresses_are_compared_whatever_the_base():
    page = '<link rel=canonical href="https://tea.example/a"><a href="//milk.example/x">y</a>'
    source = Source(page)
    for same in ("/b", "https://tea.example/b", "http://invented/b/", "b#c"):
        assert source.address(same) == "/b", same
    assert source.address("https://www.tea.example/b") == "/b"
    assert source.address("http://milk.example/b") == "milk.example/b"
    assert source.address("https://tea.example/a#place") == ""
    assert source.address("mailto:a@b.example") == "mailto:a@b.example"
    assert source.address("http://[broken") == "http://[broken"


def test_markdown():
    text = "A[^1] b\n\n| a | b |\n|---|---|\n| c | d |\n\n```sh\nx\n```\n\n[^1]: Note *one*\n"
    found = elements(markdown_to_html(text))
    assert [each.words for each in found["cells"]] == [("a",), ("b",), ("c",), ("d",)]
    assert [each.words for each in found["items"]] == [("note", "one")]
    assert [each.words for each in found["code"]] == [("x",)]
    assert elements(markdown_to_html("| a | b |\n| c | d |"))["cells"] == []  # no table there


def test_items_that_are_indented_too_far():
    text = "- a\n\t- b\n\t\t\t\t- c\n\t\t\t\t- d\n\t- e\n\n```\n- f\n            - g\n```\n"
    found = elements(markdown_to_html(text))
    assert [each.words for each in found["items"]] == [(name,) for name in "abcde"]
    assert found["code"][0].words == ("-", "f", "\n            ", "-", "g")


def test_footnotes_are_items():
    note = "<aside role=doc-footnote>Note</aside>"
    for html in (
        note,
        "<p data-type=footnote>Note</p>",
        f"<ol><li>{note}</ol>",
        "<ol><li>Note</ol>",
    ):
        assert [each.words for each in elements(html)["items"]] == [("note",)], html


def test_code_keeps_its_lines():
    assert code_tokens("\n\tif a:\n\n\t\tb()\n") == ("if", "a", ":", "\n    ", "b", "(", ")")


# --- runs ----------------------------------------------------------------------------------------

PAGES = [
    {
        "id": "tea",
        "html": "<title>Tea</title><h1>Tea</h1><h2>Pot</h2><p>Warm it.</p><ul><li>milk</li></ul>",
        "gold_markdown": '```json\n{"title": "Tea"}\n```\n\n## Pot\n\nWarm.\n\n- milk\n- sugar\n',
    },
    {"html": "<p>Warm it.</p><ul><li>a</li></ul>", "gold_html": "<p>Warm it.</p>"},
]


@pytest.fixture
def corpus(tmp_path):
    path = tmp_path / "small.jsonl"
    path.write_text("".join(json.dumps(page) + "\n" for page in PAGES))
    return path


def test_a_run(corpus):
    results = evaluate_structure([corpus], ["plain"], ["turbohtml"])
    rows = {(row.tool, row.form): row for row in results.rows()}
    assert list(rows) == [
        ("plain", "markdown"), ("plain", "html"), ("turbohtml", "markdown"), ("turbohtml", "html"),
    ]  # fmt: skip
    for form in ("markdown", "html"):
        row = rows["plain", form]
        assert row.f1["headings"].value == 1
        assert row.f1["items"].value == pytest.approx(2 / 3)
        assert (row.pages["items"], row.elsewhere["items"]) == (1, 1)
        assert "code" not in row.f1
    assert json.loads(results.to_json())["pages"][0]["counts"]["items"]["gold"] == 2
    lines = results.to_csv().splitlines()
    assert len(lines) == 1 + 2 * 4
    assert lines[1].startswith("small,tea,plain,markdown,,1,1,1,1.0,1,1,2,0.6667,")


def test_addresses_of_pages(tmp_path):
    noted = '<!-- {"url": "https://tea.example/a"} --><p>x'
    rows = [
        {"html": noted, "gold_html": ""},
        {"html": noted, "gold_html": "", "url": "https://milk.example/"},
        {"html": noted, "gold_html": "", "source": "mozilla-readability", "url": "https://x.y/"},
        {"html": "<p>x", "gold_html": ""},
    ]
    path = tmp_path / "pages.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert [page.url for page in read(path)] == [
        "https://tea.example/a", "https://milk.example/", "http://fakehost/test/page.html", "",
    ]  # fmt: skip


def test_a_tool_that_fails_has_found_nothing(corpus, monkeypatch):
    def fail(html, url):
        raise ValueError("no tea")

    monkeypatch.setattr(peers, "markup", lambda name: {"html": fail})
    results = evaluate_structure([corpus], [], ["turbohtml"], limit=1)
    assert results.pages[0].error == "ValueError: no tea"
    (row,) = results.rows()
    assert (row.failed, row.f1["items"].value) == (1, 0)


def test_what_is_wrong_is_said(tmp_path):
    path = tmp_path / "bad.jsonl"
    path.write_text('{"html": "x", "text": "x"}\n')
    with pytest.raises(InputError, match="lacks html, or gold_html"):
        list(read(path))
    path.write_text("")
    with pytest.raises(InputError, match="has no pages"):
        evaluate_structure([path], ["plain"])
    with pytest.raises(UsageError, match="keeps structure: there are readability"):
        peers.markup("justext")


@pytest.mark.parametrize("name", peers.markup_names())
def test_peers_that_are_installed_write_markup(name):
    if not peers.peer_version(name):
        pytest.skip("not installed")
    text = "Warm the pot, then pour, and wait for some minutes before you drink it. " * 5
    page = f"<html><body><article><h2>Pot</h2><p>{text}</p><p>{text}</p></article></body></html>"
    for form, write in peers.markup(name).items():
        output = write(page, "https://tea.example/")
        html = markdown_to_html(output) if form == "markdown" else output
        assert [each.words for each in elements(html)["headings"]] == [("pot",)], form
