"""Markdown, HTML and TEI agree with plain text: formulas, list numbers, tables, shadow roots."""

import numpy as np
import pytest

import thresher
from tests.growth import assert_linear
from thresher import Include, parse
from thresher.page.plain_text import data_tables


def extract(source: str) -> thresher.Document:
    return thresher.extract(source, method="plain")


def html(source: str) -> str:
    return extract(source).html().removeprefix("<article>").removesuffix("</article>")


def tei(source: str) -> str:
    return extract(source).tei().split("<body>")[1].split("</body>")[0]


# --- formulas ------------------------------------------------------------------------------------

TEX = '<annotation encoding="application/x-tex">\\alpha</annotation>'
EYE = "<span class=base><span>α</span></span>"

FORMULAS = {
    "MathML": (
        "<p>Euler <math><msup><mi>e</mi><mi>x</mi></msup></math> done",
        "Euler $e^x$ done",
        "Euler $e^x$ done",
    ),
    "MathML with TeX": (
        f"<p>a <math><semantics><mi>α</mi>{TEX}</semantics></math> b",
        "a $\\alpha$ b",
        "a $\\alpha$ b",
    ),
    "an annotation that is no TeX": (
        "<p>a <math><semantics><mi>α</mi><annotation encoding=MathType>@x@</annotation></math> b",
        "a $α$ b",
        "a $α$ b",
    ),
    "KaTeX": (
        f"<p>a <span class=katex><span class=katex-mathml><math><semantics><mi>α</mi>{TEX}"
        f"</semantics></math></span><span class=katex-html aria-hidden=true>{EYE}</span></span> b",
        "a $\\alpha$ b",
        "a $\\alpha$ b",
    ),
    "KaTeX without MathML": (
        f"<p>a <span class=katex><span class=katex-html aria-hidden=true>{EYE}</span></span> b",
        "a α b",
        "a α b",
    ),
    "MathJax 2": (
        f"<p>a <span class=MathJax><nobr aria-hidden=true>{EYE}</nobr><span role=presentation>"
        "<math><mi>α</mi></math></span></span><script type=math/tex>\\alpha</script> b",
        "a $\\alpha$ b",
        "a $\\alpha$ b",
    ),
    "MathJax 3": (
        "<p>a <mjx-container class=MathJax><mjx-math aria-hidden=true><mjx-mi><mjx-c></mjx-c>"
        "</mjx-mi></mjx-math><mjx-assistive-mml><math><mi>α</mi></math></mjx-assistive-mml>"
        "</mjx-container> b",
        "a $α$ b",
        "a $α$ b",
    ),
    "TeX in a script": (
        "<p>a <script type=math/tex>x_1</script> b",
        "a $x_1$ b",
        "a $x_1$ b",
    ),
    "TeX in the text": (r"<p>a \(x_1\) b", "a $x_1$ b", "a $x_1$ b"),
    "what is hidden beside a formula is no copy": (
        "<p><span><math><mi>α</mi></math></span><span aria-hidden=true> •</span>",
        "$α$ •",
        "$α$ •",
    ),
    "words and cells in a formula": (
        "<p><math><mi>a</mi><mtext>if</mtext><mi>b</mi><mtable><mtr><mtd><mn>1</mn></mtd><mtd>"
        "<mn>2</mn></mtd></mtr></mtable></math>",
        r"$a\text{if}b\begin{matrix} 1 & 2 \end{matrix}$",
        r"$a\text{if}b\begin{matrix} 1 & 2 \end{matrix}$",
    ),
    "a drawing": (
        "<p>a <svg><g><text>one</text><text>two<tspan>fold</tspan></text></g></svg> b",
        "a one twofold b",
        "a one twofold b",
    ),
}


@pytest.mark.parametrize(("source", "text", "markdown"), FORMULAS.values(), ids=FORMULAS)
def test_a_formula_is_shown_once_and_on_one_line(source, text, markdown):
    assert extract(source).text == text
    assert extract(source).markdown() == markdown


def test_tex_reaches_html_and_tei():
    source = FORMULAS["KaTeX"][0]
    assert html(source) == '<p>a <span class="math inline">$\\alpha$</span> b</p>'
    assert tei(source) == '<p>a <formula notation="TeX" rend="inline">\\alpha</formula> b</p>'


def test_a_copy_of_a_formula_that_is_selected_alone_is_the_formula():
    page = parse(FORMULAS["KaTeX"][0])
    copy = [row for row in page.text_rows.tolist() if page.text(row) == "α"][1]
    assert page.select([copy]).text() == "$\\alpha$"


def test_tex_of_a_dropped_paragraph_is_dropped():
    page = parse(f"<p>a<p>b <math><semantics><mi>α</mi>{TEX}</semantics></math>")
    document = thresher.extract(page, method=lambda page: page.select(page.text_rows[:1]))
    assert document.markdown() == "a"


# --- shadow roots --------------------------------------------------------------------------------


def test_shadow_roots_are_shown():
    source = "<p>x</p><template shadowrootmode=open><p>shadow</p></template>"
    assert extract(source).text == extract(source).markdown() == "x\n\nshadow"
    assert html(source) == tei(source) == "<p>x</p><p>shadow</p>"


def test_shadow_roots_within_shadow_roots():
    source = (
        "<x-a><template shadowrootmode=open>a <x-b><template shadowrootmode=closed>b</template>"
        "</x-b><template>never</template></template></x-a>"
    )
    assert extract(source).text == "a\nb"
    assert extract(source).markdown() == "a b"


# --- list numbers --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ('<ol start="3abc"><li>a</ol>', "3. a"),
        ('<ol start="1_0"><li>a</ol>', "1. a"),
        ('<ol start="٣"><li>a</ol>', "1. a"),
        ('<ol start=" +7"><li>a</ol>', "7. a"),
        ('<ol><li value="2.9">a<li>b</ol>', "2. a\n3. b"),
        ("<ol><div><li>k</div><li>l</ol>", "1. k\n2. l"),
        ("<ol reversed><div><li>k</div><li>l</ol>", "2. k\n1. l"),
        ("<ol><li>a<li hidden>b<li>c</ol>", "1. a\n3. c"),
    ],
)
def test_numbers_are_those_of_a_browser(source, text):
    assert extract(source).text == text
    assert extract(source).markdown() == text


def test_numbers_in_html_and_tei():
    source = '<ol start="3abc"><div><li>a</div><li value="9.5">b</ol>'
    assert html(source) == '<ol start="3"><li>a</li><li value="9">b</li></ol>'
    assert tei(source) == ('<list type="ordered"><item n="3">a</item><item n="9">b</item></list>')


def test_items_keep_their_numbers_when_others_are_dropped():
    page = parse("<ol start=3><li>a<li>b<li>c</ol><ol reversed><li>d<li>e</ol>")
    document = thresher.extract(page, method=lambda page: page.select(page.text_rows[[0, 2, 4]]))
    assert document.text == "3. a\n5. c\n\n1. e"
    assert document.markdown() == "3. a\n5. c\n\n1) e"


# --- tables --------------------------------------------------------------------------------------

TABLES = {
    "rows spanned": (
        "<table><tr><th>A<th>B<tr><td rowspan=2>a<td>b<tr><td>c</table>",
        "A | B\na | b\n| c",
        [["A", "B"], ["a", "b"], ["", "c"]],
    ),
    "columns spanned": (
        "<table><tr><th colspan=2>A<th>B<tr><td>a<td>b<td>c</table>",
        "A | | B\na | b | c",
        [["A", "", "B"], ["a", "b", "c"]],
    ),
    "both": (
        "<table><tr><th rowspan=2 colspan=2>A<th>B<tr><td>b<tr><td>c<td>d<td>e</table>",
        "A | | B\n| | b\nc | d | e",
        [["A", "", "B"], ["", "", "b"], ["c", "d", "e"]],
    ),
    "to the end of the section": (
        "<table><tbody><tr><th rowspan=0>A<td>b<tr><td>c<tbody><tr><td>d<td>e</table>",
        "A | b\n| c\nd | e",
        [["A", "b"], ["", "c"], ["d", "e"]],
    ),
    "a span that nothing fills": (
        "<table><tr><th colspan=1000>A<tr><td>b<td>c</table>",
        "A\nb | c",
        [["A", ""], ["b", "c"]],
    ),
}


@pytest.mark.parametrize(("source", "text", "grid"), TABLES.values(), ids=TABLES)
def test_spans(source, text, grid):
    document = extract(source)
    assert document.text == text
    lines = document.markdown().split("\n")
    del lines[1]
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]
    assert cells == grid


KINDS = {
    "cells": ("<table><tr><td>a<td>b<tr><td>c<td>d</table>", True, "a | b\nc | d"),
    "one column": ("<table><tr><td>a<tr><td>b</table>", False, "a\nb"),
    "one column with a heading": ("<table><tr><th>a<tr><td>b</table>", True, "a\nb"),
    "a caption": ("<table><caption>a</caption><tr><td>b</table>", True, "a\nb"),
    "an empty caption": ("<table><caption> </caption><tr><td>b</table>", False, "b"),
    "a role": ("<table role=presentation><tr><th>a<th>b</table>", False, "a\nb"),
    "several paragraphs": ("<table><tr><td><p>a<p>b<td>c</table>", False, "a\n\nb\n\nc"),
    "one paragraph in another": (
        "<table><tr><td><blockquote><p>a</blockquote><td>b</table>",
        True,
        "a | b",
    ),
    "boxes": ("<table><tr><td><div>a</div><div>b</div><td>c</table>", True, "a b | c"),
    "two columns of prose": (f"<table><tr><td>{'a ' * 15}<td>b</table>", False, f"{'a ' * 14}a\nb"),
    "one row of short texts": ("<table><tr><td>a<td>b</table>", True, "a | b"),
    "paragraphs by line breaks": (
        "<table><tr><td>a<br><br>b<td>c<tr><td>d<td>e</table>",
        False,
        "a\n\nb\nc\nd\ne",
    ),
    "line breaks at the end of a cell": (
        "<table><tr><td>a<br><br><td>b<tr><td><br><br>c<td>d</table>",
        True,
        "a | b\nc | d",
    ),
    "a data table in a newsletter": (
        "<table><tr><td><table><tr><td>a<br><br>b<td>c</table><tr><td>"
        "<table><tr><td>d<td>e<tr><td>f<td>g</table></table>",
        True,
        "a\n\nb\nc\n\nd | e\nf | g",
    ),
    "several paragraphs under headings": (
        "<table><tr><th>a<th>b<tr><td><p>c<p>d<td>e</table>",
        True,
        "a | b\nc d | e",
    ),
}


@pytest.mark.parametrize(("source", "is_data", "text"), KINDS.values(), ids=KINDS)
def test_all_formats_agree_whether_a_table_holds_data(source, is_data, text):
    page = parse(source)
    assert np.count_nonzero(data_tables(page)) == is_data
    document = extract(source)
    assert document.text == text
    assert ("<table>" in document.html()) == is_data
    assert ("<table>" in document.tei()) == is_data
    assert ("| --- |" in document.markdown()) == is_data


def test_a_table_in_a_table_of_layout():
    source = "<table><tr><td>a<td><table><tr><td>b<td>c</table></table>"
    assert extract(source).text == "a\n\nb | c"
    assert extract(source).markdown() == "a\n\n| b | c |\n| --- | --- |"


def test_a_table_in_a_cell_is_part_of_the_cell():
    source = "<table><tr><th>a<th>b<tr><td>c<td><table><tr><td>d<td>e</table></table>"
    assert extract(source).text == "a | b\nc | d e"


def test_dropped_cells_count_for_whether_a_table_holds_data():
    page = parse("<table><tr><td><p>a<p>b<td>c<tr><td>d<td>e</table>")
    document = thresher.extract(page, method=lambda page: page.select(page.text_rows[-2:]))
    assert document.markdown() == "d\n\ne"
    assert "|" not in document.text


def test_layout_tables_stay_without_tables():
    source = "<table><tr><td>a<p>b<p>c<td>d</table><table><tr><th>e<th>f</table>"
    without = Include(tables=False)
    assert extract(source).render("text", without).split() == ["a", "b", "c", "d"]
    assert extract(source).markdown(without) == "a\n\nb\n\nc\n\nd"


# --- inside list items ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<ul><li>a<p>b<p>c<li>d</ul>e", "- a\n\n  b\n\n  c\n\n- d\n\ne"),
        ("<ul><li>a<br>b</ul>", "- a\n  b"),
        ("<ul><li>a<pre>b\n c</pre></ul>", "- a\n\n  b\n   c"),
        ("<ul><li>a<ol><li>b<pre>c\nd</pre></ol></ul>", "- a\n  1. b\n\n    c\n    d"),
        ("<ul><li>a<table><tr><td>1<td>2<tr><td>3<td>4</table></ul>", "- a\n\n  1 | 2\n  3 | 4"),
        ("<ul><li><table><tr><td>1<td>2<tr><td><ul><li>3</ul><td>4</table></ul>",
         "- 1 | 2\n  - 3 | 4"),
        ("<ul><li>a</ul><table><tr><td>1<td>2</table>", "- a\n\n1 | 2"),
        ("<p>a<li>b<p>c", "a\n\n- b\n\n  c"),
    ],
)  # fmt: skip
def test_blocks_in_a_list_item_are_indented(source, text):
    assert extract(source).text == text


def test_the_indentation_of_deep_lists_is_limited():
    text = extract("<ul><li>" * 200 + "a<br>b").text
    assert text.split("\n") == [" " * 40 + "- a", " " * 40 + "b"]


# --- time ----------------------------------------------------------------------------------------


ODD = {
    "wide and tall cells": lambda n: "<table>" + "<tr><td rowspan=65534 colspan=1000>a<td>b" * n,
    "cells to the end": lambda n: "<table><tr>" + "<td rowspan=0>a" * n + "<tr><td>b" * n,
    "nested tables": lambda n: "<table><tr><td>a<td>" * (n // 10) + "b",
    "items in containers": lambda n: "<ol><div><li>a</div>" * (n // 10),
    "formulas": lambda n: "<p>" + FORMULAS["KaTeX"][0] * (n // 5),
    "formulas and text": lambda n: "<span class=katex>" + "<b><math>x</math></b><i>y</i>" * n,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", ODD)
def test_time_is_linear(name):
    def act(source):
        document = extract(source)
        assert document.text
        assert document.markdown()

    assert_linear(act, ODD[name], 1_000)
