"""Footnotes: references, notes and links back, from literal HTML."""

from __future__ import annotations

import pytest

from tests.render.helpers import tree
from thresher.render import markdown

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


@pytest.mark.parametrize(("source", "expected"), FOOTNOTES.values(), ids=FOOTNOTES)
def test_footnotes_in_markdown(source: str, expected: str) -> None:
    assert markdown(tree(source, url=PAGE)) == expected
