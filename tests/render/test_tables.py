"""Tables: spans, headers, empty columns, and layout tables, from literal HTML."""

from __future__ import annotations

import pytest

from tests.render.helpers import inner_html, tree
from thresher import extract
from thresher.render.markdown.writer import markdown

TABLES = {
    "a header": (
        "<table><thead><tr><th>a<th>b<tbody><tr><td>1<td>2</table>",
        "| a | b |\n| --- | --- |\n| 1 | 2 |",
    ),
    "the first row is the header": (
        "<table><tr><td>1<td>2<tr><td>3<td>4</table>",
        "| 1 | 2 |\n| --- | --- |\n| 3 | 4 |",
    ),
    "one cell": ("<table><tr><th>a</table>", "a"),
    "a caption": ("<table><caption>C</caption><tr><th>a</table>", "C\n\n| a |\n| --- |"),
    "pipes and breaks": (
        "<table><tr><th>a|b<th>c<br>d<tr><td><code>x|y</code><td><p>e<p>f</table>",
        "| a\\|b | c<br>d |\n| --- | --- |\n| `x\\|y` | e<br>f |",
    ),
    "a list in a cell": (
        "<table><tr><th>a<th><ul><li>b<li>c</ul><tr><td>d<td><ol start=4><li>e</ol></table>",
        "| a | - b<br>- c |\n| --- | --- |\n| d | 4. e |",
    ),
    "code in a cell": (
        "<table><tr><th>a<th><pre>b\n  c</pre></table>",
        "| a | `b`<br>`  c` |\n| --- | --- |",
    ),
    "spans": (
        "<table><tr><th colspan=2>a<th>b<tr><td rowspan=2>c<td>d<td>e<tr><td>f<td>g</table>",
        "| a |  | b |\n| --- | --- | --- |\n| c | d | e |\n|  | f | g |",
    ),
    "absurd spans": (
        "<table><tr><th colspan=100000 rowspan=99999>a<tr><td>b<td>c</table>",
        "| a |  |  |\n| --- | --- | --- |\n|  | b | c |",
    ),
    "a span to the end": (
        "<table><tr><th rowspan=0>a<th>b<tr><td>c<tr><td>d</table>",
        "| a | b |\n| --- | --- |\n|  | c |\n|  | d |",
    ),
    "a span ends with its section": (
        "<table><thead><tr><th rowspan=9>a<th>b<tbody><tr><td>c<td>d</table>",
        "| a | b |\n| --- | --- |\n| c | d |",
    ),
    "rows of unequal length": (
        "<table><tr><th>a<tr><td>b<td>c</table>",
        "| a |  |\n| --- | --- |\n| b | c |",
    ),
    "empty cells stay, empty rows go": (
        "<table><tr><th>a<th>b<tr><td><td>c<tr><td><td></table>",
        "| a | b |\n| --- | --- |\n|  | c |",
    ),
    "an empty column goes": (
        "<table><tr><th>a<th><th>b<td> <tr><td>c<td><td>d<td></table>",
        "| a | b |\n| --- | --- |\n| c | d |",
    ),
    "a column with a header alone stays": (
        "<table><tr><th>a<th>b<tr><td>c<td></table>",
        "| a | b |\n| --- | --- |\n| c |  |",
    ),
    "a column with an image alone stays": (
        "<table><tr><th>a<th><tr><td>c<td><img src=/i.png></table>",
        "| a |  |\n| --- | --- |\n| c | ![](/i.png) |",
    ),
    "a column is left": (
        "<table><tr><th><th>a<tr><td><td>b</table>",
        "| a |\n| --- |\n| b |",
    ),
    "one column is layout": ("<table><tr><td>a<tr><td>b</table>", "a\n\nb"),
    "nested tables are layout": (
        "<table><tr><td>a<td><table><tr><td>b<td>c</table></table>",
        "a\n\n| b | c |\n| --- | --- |",
    ),
    "several blocks are layout": ("<table><tr><td><p>a<p>b<td>c</table>", "a\n\nb\n\nc"),
    "a role is layout": ("<table role=presentation><tr><td>a<td>b</table>", "a\n\nb"),
    "a table in a cell": (
        "<table><tr><th>a<th>b<tr><td>c<td><table><tr><td>d<td>e</table></table>",
        "| a | b |\n| --- | --- |\n| c | d<br>e |",
    ),
    "a link in a cell": (
        "<table><tr><th><a href=/a|b>x</a><th>y</table>",
        "| [x](/a\\|b) | y |\n| --- | --- |",
    ),
}


@pytest.mark.parametrize(("source", "expected"), TABLES.values(), ids=TABLES)
def test_tables_in_markdown(source: str, expected: str) -> None:
    assert markdown(tree(source)) == expected


@pytest.mark.parametrize("bullet", ["<img src=dot.gif>", "✓"])
def test_rows_of_bullets_are_items(bullet: str) -> None:
    row = "<tr><td>{}</td><td>{}</td></tr>"
    html = f"<table>{row.format(bullet, 'warm the <b>pot</b>')}{row.format(bullet, 'wait')}</table>"
    assert inner_html(tree(html)) == "<ul><li>warm the <strong>pot</strong></li><li>wait</li></ul>"


COLUMN = (
    "<td width=290 valign=top>{}<p>The {} of the harbour was closed on Monday, after a storm tore "
    "three boats from it, and opens again in May.</p><p>Until then the {} in the west is free for "
    "all boats, says the town.</p></td>"
)


@pytest.mark.parametrize("heading", ["<h2>{}</h2>", "<img src=a.png width=280><br><b>{}</b>"])
def test_the_columns_of_a_newsletter_are_written_one_after_the_other(heading: str) -> None:
    columns = [
        COLUMN.format(heading.format(title), title.lower(), other)
        for title, other in (("Jetty", "quay"), ("Pier", "ramp"))
    ]
    body = f"<table width=100%><tr>{columns[0]}<td width=20></td>{columns[1]}</tr></table>"
    source = f"<title>News</title><table width=600 align=center><tr><td>{body}</td></tr></table>"
    document = extract(source)
    for written in (document.text, document.markdown()):
        assert "|" not in written
        order = [written.find(part) for part in ("The jetty", "Until then the quay", "The pier")]
        assert -1 < order[0] < order[1] < order[2]
