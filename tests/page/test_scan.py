"""Ranks, and the runs of text that the scan matches with text rows."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import thresher
from tests.growth import assert_linear
from thresher import Limits, Page, parse
from thresher.page.scan import Rank


@given(st.lists(st.booleans(), max_size=300))
@example([])
@example([True] * 64)
@example([True] * 129)
def test_rank_counts_true_entries_before_each_position(mask):
    rank = Rank(np.array(mask, np.bool_))
    places = range(len(mask) + 1)
    assert rank(np.array(places)).tolist() == [sum(mask[:place]) for place in places]
    assert rank.mask().tolist() == mask


def text_row(page: Page, text: str) -> int:
    return next(row for row in page.text_rows.tolist() if page.text(row).strip() == text)


@pytest.mark.parametrize(
    ("source", "text", "place"),
    [
        ("<p>tea", "tea", (1, 3)),
        ("tea", "tea", (1, 0)),
        ("\n\n  tea", "tea", (3, 2)),
        ("<p>\n   tea", "tea", (2, 3)),
        ("<p>a\r\n<b>tea</b>", "tea", (2, 3)),
        ("<p>a\r\r\n<b>tea</b>", "tea", (3, 3)),
        ("<p>чай 茶 <b>tea</b>", "tea", (1, 12)),
        ("<p>🍵🍵<b>tea</b>", "tea", (1, 8)),
        ("<p title='🍵>'>tea", "tea", (1, 14)),
        ("<!-- a\n<p>x --><p>tea", "tea", (2, 11)),
        ("<script>'<p>';\n</script>tea", "tea", (2, 9)),
        ("<style>a > b {}</style>\n<p>tea", "tea", (2, 3)),
        ("a<!-- b -->tea", "tea", (1, 11)),
        ("a<br>tea", "tea", (1, 5)),
        ("<p>&nbsp;<b>tea</b>", "tea", (1, 12)),
        ("<ul><li>a<li>tea</ul>", "tea", (1, 13)),
        ("<table><tr><td>a<td>tea</table>", "tea", (1, 20)),
        ("<p>a</b>tea", "atea", (1, 3)),
        ("a < b<p>tea", "tea", (1, 8)),
        ("<SCRIPT>x</SCRIPT><P>tea", "tea", (1, 21)),
        ("<p>a</p></div></span><p>tea", "tea", (1, 24)),
        ("<pre>\ntea</pre>", "tea", (2, 0)),
    ],
)  # fmt: skip
def test_text_positions(source, text, place):
    page = parse(source)
    assert page.position(text_row(page, text))[:2] == place


@pytest.mark.parametrize(
    ("source", "text", "place"),
    [
        ("<title>a < b</title><p>tea", "tea", (1, 23)),
        ("<title>a <b>c</title><p>tea", "tea", (1, 24)),
        ("<textarea><p>x</p></textarea>\n<p>tea", "tea", (2, 3)),
        ("<iframe><p>x</p></iframe>\n<p>tea", "tea", (2, 3)),
        ("<svg><![CDATA[ <b> ]]></svg>\n<p>tea", "tea", (2, 3)),
        ("<script><!-- <script> </script> --></script>\n<p>tea", "tea", (2, 3)),
        ("<script>a</scripty>b</script>tea", "tea", (1, 29)),
        ("<b>1<p>2</b>3</p>tea", "tea", (1, 17)),
        ("<?x y?><!ELEMENT z><p>tea", "tea", (1, 22)),
        ("<p a=\"'>\" b='\">'>tea", "tea", (1, 17)),
        ("<script>a</SCRIPT><p>tea", "tea", (1, 21)),
        ("<!-- a --!><p>tea", "tea", (1, 14)),
        ("<!-->x<p>tea", "tea", (1, 9)),
    ],
)
def test_text_positions_after_difficult_markup(source, text, place):
    page = parse(source)
    assert page.position(text_row(page, text))[:2] == place


@pytest.mark.parametrize(
    ("html", "texts", "run_text"),
    [
        ("two</a>two", ["twotwo"], [0, 0]),  # a stray end tag splits the run, not the text
        ("three<table>two", ["threetwo"], [0, -1]),  # the table comes after the text in the tree
    ],
)
def test_runs_that_are_not_in_the_order_of_the_texts(html, texts, run_text):
    page = parse(html)
    assert [page.text(row) for row in page.text_rows.tolist()] == texts
    assert page.scan.run_text.tolist() == run_text


def test_texts_with_spaces_between_them_are_paired_in_order():
    # The spaces are characters of the texts, and not of the runs. Pairing by the tags before the
    # texts would do as well, but the offsets of tags are slow to read.
    page = parse("<p>one <b>two</b> three <i>four</i> <a href=x>five</a> six" * 20)
    assert page.scan.run_text.tolist() == page.chars[page.text_rows].nonzero()[0].tolist()
    assert "offsets" not in vars(page)


# --- pages that were cut -------------------------------------------------------------------------

REPEATED = [
    "<p>one <b>two</b> three\n",
    "<p>x &amp; y<script>if (a<b) c()</script> z<!-- no > text -->\n",
    "<a title='a > b' href=x>one</a> <img alt=y>\ntwo<br>\n",
    "<tr><td>one<td>two\n",
]


@pytest.mark.parametrize("piece", REPEATED)
def test_of_a_page_that_was_cut_only_the_source_of_its_rows_is_scanned(piece):
    begin = "<title>x</title>" + "<table>" * piece.startswith("<tr>")
    whole = parse(begin + piece * 200)
    cut = parse(begin + piece * 900, limits=Limits(rows=len(whole)))
    assert "rows" in cut.status
    assert cut.scan.run_text.tolist() == whole.scan.run_text.tolist()
    assert len(cut.scan.code) <= len(whole.scan.code)
    assert "offsets" not in vars(cut)
    for method in ("ccb", "cetr", "danag"):
        assert thresher.extract(cut, method=method).text.split() == (
            thresher.extract(whole, method=method).text.split()
        )


@pytest.mark.parametrize("rows", range(1, 12))
def test_a_page_may_be_cut_anywhere(rows):
    page = parse("<p>one <b>two</b><p>three <i>four</i> five", limits=Limits(rows=rows))
    assert page.scan.run_text.tolist() == page.chars[page.text_rows].nonzero()[0].tolist()


@pytest.mark.parametrize("method", ["ccb", "cetr", "danag"])
def test_a_cut_does_not_change_how_time_grows(method):
    def made(size):  # the small pages are whole, the large ones are cut
        return parse("<p>some words here\n" * size, limits=Limits(rows=7_500))

    assert_linear(lambda page: thresher.extract(page, method=method).text, made, 2_000)


@pytest.mark.parametrize("size", [1, 2, 7])
def test_sources_are_scanned_in_pieces(size, monkeypatch):
    source = "<p> a  中<b>\r\n  c 🍵</b> \t\n<!-- x -->d<i title='>'> </i>e f</p>" * 9
    scan = parse(source).scan
    monkeypatch.setattr("thresher.page.scan._BYTES_AT_ONCE", size)
    other = parse(source).scan
    for name in ("tag_first", "tag_last", "run_first", "run_begin", "run_end", "run_text"):
        assert getattr(other, name).tolist() == getattr(scan, name).tolist(), name
    assert other.place.mask().tolist() == scan.place.mask().tolist()
