"""Footnotes: references, notes and links back, from literal HTML."""

from __future__ import annotations

import pytest

import thresher
from tests.growth import assert_linear
from tests.render.helpers import tree
from thresher.render.markdown.writer import markdown

PAGE = "https://example.org/a/page.html"

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
    "a link in a span that is raised, and a link back that is raised and bold": (
        "<p>a<span class=ref id=r><sup><span><a href=#n>[1]</a></span></sup></span> b"
        "<ol><li id=n><span><sup><b><a href=#r>^</a></b></sup></span><div><p>x</div></ol>",
        "a[^1] b\n\n[^1]: x",
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
    "addresses with the name of the page": (
        "<p>a<sup><a href=page.html#n id=r>1</a></sup><p id=n><a href=/a/page.html#r>1</a> x",
        "a[^1]\n\n[^1]: x",
    ),
    "a link to another page": (
        "<p>a<sup><a href=b.html#n>1</a></sup><p id=n>x",
        "a<sup>[1](https://example.org/a/b.html#n)</sup>\n\nx",
    ),
    "a number that is not raised, and the note begins with it": (
        "<p>a<span class=fn><a href=#n>1</a></span> b [<a href=#m>2</a>]<p id=n>1. x<p id=m>[2] y",
        "a[^1] b [^2]\n\n[^1]: x\n\n[^2]: y",
    ),
    "a number that is a link to a paragraph": (
        "<p>Page <a href=#n>1</a><p id=n>10 x",
        f"Page [1]({PAGE}#n)\n\n10 x",
    ),
    "notes in one paragraph": (
        "<p>a<sup><a href=#n>1</a></sup> b<sup><a href=#m>2</a></sup> c<sup><a href=#o>3</a></sup>"
        "<hr><p><a name=n><sup>1</sup></a> x <a href=#>↩</a><br><br>\n"
        "<a name=m><sup>2</sup></a> <em>y</em><br><span><a name=o>3</a></span> z<p>d",
        "a[^1] b[^2] c[^3]\n\n---\n\nd\n\n[^1]: x\n\n[^2]: *y*\n\n[^3]: z",
    ),
    "notes in one cell after a line": (
        "<p>a<sup><a href=#n>1</a></sup> b<sup><a href=#m>2</a></sup>"
        "<div>Notes<br><a name=n></a>1. x<br><a name=m></a>2. y</div>",
        "a[^1] b[^2]\n\nNotes\n\n[^1]: x\n\n[^2]: y",
    ),
    "a list of definitions": (
        "<p>a<sup><a href=#n id=r>1</a></sup> b<sup><a href=#m>[2]</a></sup>"
        "<dl><dt id=n><a href=#r>1</a><dd>x<dt>[2]<dd id=m><p>y<p>z</dl>",
        "a[^1] b[^2]\n\n[^1]: x\n\n[^2]: y\n\n    z",
    ),
    "a table for each note": (
        "<p>a <a class=footnote-reference href=#n id=r>[1]</a> b "
        "<a class=footnote-reference href=#m>[2]</a>"
        "<table id=n><tr><td><a href=#r>[1]</a><td>x</table>"
        "<table id=m><tr><td>[2]<td>y</table>",
        "a [^1] b [^2]\n\n[^1]: x\n\n[^2]: y",
    ),
    "a table of notes": (
        "<p>a<sup><a href=#n>1</a></sup> b<sup><a href=#m>2</a></sup> c<sup><a href=#o>3</a></sup>"
        "<table><tr id=n><td>1<td>x<tr><td><a name=m>2</a><td>y<tr><th id=o>↑3<td>z"
        "<tr><td>4<td>not cited</table>",
        "a[^1] b[^2] c[^3]\n\n4\n\nnot cited\n\n[^1]: x\n\n[^2]: y\n\n[^3]: z",
    ),
    "a table of other things": (
        "<p>a<sup><a href=#n>1</a></sup>"
        "<table><tr><th>No<th>Tea<tr><td id=n>1<td>x<tr><td>2<td>y</table>",
        f"a<sup>[1]({PAGE}#n)</sup>\n\n| No | Tea |\n| --- | --- |\n| 1 | x |\n| 2 | y |",
    ),
    "notes without links": (
        "<p>a<sup>1</sup> b<sup>[2]</sup><h2>Notes</h2><p><sup>1</sup> x<p><sup>2</sup> y",
        "a[^1] b[^2]\n\n## Notes\n\n[^1]: x\n\n[^2]: y",
    ),
    "notes without links after a rule": (
        "<p>a<sup>1</sup> b<sup>2</sup><hr><p><b>1</b> x<p><b>2</b> y",
        "a[^1] b[^2]\n\n---\n\n[^1]: x\n\n[^2]: y",
    ),
    "raised numbers without notes": (
        "<p>m<sup>2</sup><p><sup>2</sup> x",
        "m<sup>2</sup>\n\n<sup>2</sup> x",
    ),
    "verses": (
        "<p>a<sup>1</sup> b<sup>2</sup> c<p><sup>1</sup> x<sup>2</sup> y",
        "a<sup>1</sup> b<sup>2</sup> c\n\n<sup>1</sup> x<sup>2</sup> y",
    ),
    "a list between notes without links": (
        "<p>a<sup>1</sup> b<sup>2</sup><p><sup>1</sup> x<ul><li>c</ul><p>d</p><p><sup>2</sup> y",
        "a[^1] b[^2]\n\n[^1]: x\n\n    - c\n\n    d\n\n[^2]: y",
    ),
    "a heading between notes without links": (
        "<p>a<sup>1</sup> b<sup>2</sup><p><sup>1</sup> x<h2>c</h2><p><sup>2</sup> y",
        "a<sup>1</sup> b<sup>2</sup>\n\n<sup>1</sup> x\n\n## c\n\n<sup>2</sup> y",
    ),
    "a target that is not there": (
        "<p>a<sup><a href=#n>1</a></sup>",
        f"a<sup>[1]({PAGE}#n)</sup>",
    ),
    "brackets around a link back": (
        "<p>a<sup><a class=footnote-reference href=#n id=r>1</a></sup></p><aside id=n>"
        "<span class=label><span>[</span><a href=#r>1</a><span>]</span></span><p>b</p></aside>",
        "a[^1]\n\n[^1]: b",
    ),
    "a link to a section": (
        "<p>a<sup><a href=#n>1</a></sup><div id=n><h2>b</h2>c</div>",
        f"a<sup>[1]({PAGE}#n)</sup>\n\n## b\n\nc",
    ),
}


@pytest.mark.parametrize(("source", "expected"), FOOTNOTES.values(), ids=FOOTNOTES)
def test_footnotes_in_markdown(source: str, expected: str) -> None:
    assert markdown(tree(source, url=PAGE)) == expected


@pytest.mark.slow
def test_time_is_linear_in_notes_within_notes() -> None:
    def nested(n: int) -> thresher.Document:
        notes = (f"<div id=n{k}>y<sup><a href=#n{k + 1}>1</a></sup>" for k in range(n))
        source = "<p>x<sup><a href=#n0>1</a></sup>" + "".join(notes)
        return thresher.extract(source, method="plain")

    assert_linear(lambda document: document.tei(), nested, 125)


def test_notes_in_one_paragraph_begin_at_their_numbers() -> None:
    source = (
        "<p>Tea is hot<sup><a href=#n id=a>1</a></sup> and good<sup><a href=#m id=b>2</a></sup>."
        "<section><p><a id=n href=#a>1</a>. Or warm. <a id=m href=#b>[2]</a>: Or <b>not</b>."
    )
    document = thresher.extract(source, method="plain")
    written = "Tea is hot[^1] and good[^2].\n\n[^1]: Or warm.\n\n[^2]: Or **not**."
    assert document.markdown() == written


def test_empty_anchors_name_notes() -> None:
    source = (
        "<p>Tea is hot<a href=#n><sup>1</sup></a> and good<a href=#m><sup>2</sup></a>."
        "<p><a name=n></a>1. Or warm.<ul><li><span id=m></span>Or not.</ul>"
    )
    written = thresher.extract(source, method="plain").markdown()
    assert written == "Tea is hot[^1] and good[^2].\n\n[^1]: Or warm.\n\n[^2]: Or not."


@pytest.mark.slow
def test_time_is_linear_in_notes_of_a_table() -> None:
    def table(n: int) -> thresher.Document:
        links = "".join(f"<sup><a href=#n{k}>{k % 900 + 1}</a></sup>" for k in range(n))
        notes = "".join(f"<tr id=n{k}><td>{k % 900 + 1}<td>x" for k in range(n))
        return thresher.extract(f"<p>{links}<table>{notes}</table>", method="plain")

    assert_linear(lambda document: document.tei(), table, 125)


def test_a_reference_without_its_note_is_no_link_that_leads_nowhere() -> None:
    source = "<p>Tea is hot<sup><a href=#n>1</a></sup>, <a href=#top>up</a>."
    document = thresher.extract(source, method="plain")
    assert document.markdown() == "Tea is hot<sup>1</sup>, [up](#top)."
    assert document.render("speech") == "Tea is hot, up."
    known = thresher.extract(source, method="plain", url="https://tea.example/")
    assert "<sup>[1](https://tea.example/#n)</sup>" in known.markdown()
