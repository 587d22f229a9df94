"""Headings by role and titles of quotations, in every output format."""

from __future__ import annotations

import re

import numpy as np
import pytest

from tests.render.helpers import inner_html, tree
from thresher import extract, parse
from thresher.page.roles import role_headings, role_level
from thresher.render.markdown.writer import markdown
from thresher.render.tei.writer import tei
from thresher.structure.block_kinds import kinds_of_blocks, row_parts

SHAPES = {
    "a level": ("<div role=heading aria-level=3>A b</div>c", "### A b\n\nc"),
    "no level": ('<div role="heading">A</div>c', "## A\n\nc"),
    "a level too deep": ("<div role='heading' aria-level=9>A</div>c", "###### A\n\nc"),
    "a span": ("<div><span role=heading aria-level=4>A</span>c</div>", "#### A\n\nc"),
    "an own element": ("<my-title role=heading aria-level=1>A</my-title>c", "# A\n\nc"),
    "around a heading": ("<div role=heading aria-level=2><h3>A</h3></div>c", "### A\n\nc"),
    "a heading itself": ("<h3 role=heading aria-level=2>A</h3>c", "### A\n\nc"),
    "an item": ("<ul><li role=heading>A</ul>", "- A"),
    "another role": ("<div role=headings>A</div>c", "A\n\nc"),
    "a long text": (f"<div role=heading>{'a ' * 51}</div>c", f"{('a ' * 51).strip()}\n\nc"),
}


@pytest.mark.parametrize(("source", "expected"), SHAPES.values(), ids=SHAPES)
def test_markdown(source: str, expected: str) -> None:
    assert markdown(tree(source)) == expected


def test_html_tei_and_text() -> None:
    source = "<div>a</div><div role=heading aria-level=3>B</div><div>c</div>"
    assert inner_html(tree(source)) == "<p>a</p><h3>B</h3><p>c</p>"
    assert "<p>a</p><div><head>B</head><p>c</p></div>" in tei(tree(source))
    assert parse(source).all().text() == "a\n\nB\n\nc"


def test_the_kind_of_the_block() -> None:
    page = parse("<div role=heading>B</div><p>c")
    kept = np.ones(len(page.blocks), np.bool_)
    assert kinds_of_blocks(page, kept, row_parts(page))[0] == "heading"


def test_a_part_of_a_page_has_its_headings() -> None:
    page = parse("<p>a<div role=heading>B</div>")
    part = page.only(page.all())
    assert [role_level(part, row) for row in role_headings(part)] == [2]


def test_a_page_without_roles() -> None:
    assert role_headings(extract("<p>a").page) == []


QUOTATIONS = {
    "<blockquote><div><cite>Ada wrote:</cite>The tea is cold.</div></blockquote>": (
        "> Ada wrote:\n>\n> The tea is cold."
    ),
    "<blockquote>The tea is cold.<cite>Ada</cite></blockquote>": "> The tea is cold.\n>\n> Ada",
    "<blockquote><cite>The Times</cite> says that it is cold.</blockquote>": (
        "> *The Times* says that it is cold."
    ),
    "<blockquote>It is in <cite>Emma</cite>, a novel.</blockquote>": "> It is in *Emma*, a novel.",
}


@pytest.mark.parametrize("html", QUOTATIONS)
def test_the_title_of_a_quotation_is_a_line(html: str) -> None:
    document = extract(f"<p>Tea</p>{html}", method="plain")
    assert document.markdown().endswith(QUOTATIONS[html])
    assert document.text.endswith(re.sub(r"(?m)^> ?|\*", "", QUOTATIONS[html]))


def test_a_box_of_paragraphs_is_no_heading() -> None:
    document = extract("<p>a</p><div role=heading><p>The tea is cold.</p></div>", method="plain")
    assert document.markdown() == "a\n\nThe tea is cold."
