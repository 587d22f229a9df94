"""What goes from between two texts still parts them, in Markdown, HTML and TEI as in plain text."""

import pytest

from tests.growth import assert_linear
from thresher import Selection, parse
from thresher.render import html, markdown, prepare, pruned, tei

ADVERT = "<div class=ad>gone</div>"


def without(source: str, dropped: str = "gone") -> Selection:
    """Select every text but the dropped ones, white space left alone."""
    page = parse(source)
    shown = [row for row in page.text_rows.tolist() if page.text(row).strip()]
    return page.select([row for row in shown if page.text(row).strip() != dropped])


def as_html(selection: Selection) -> str:
    return html(prepare(pruned(selection))).removeprefix("<article>").removesuffix("</article>")


@pytest.mark.parametrize(
    ("source", "text", "written"),
    [
        (f"<div>one {ADVERT} two</div>", "one\ntwo", "one\n\ntwo"),
        (f"<div>one{ADVERT}two</div>", "one\ntwo", "one\n\ntwo"),
        (f"<div>one <a href=/x><b>{ADVERT}</b></a> two</div>", "one\ntwo", "one\n\ntwo"),
        (f"<div>one{ADVERT}<i>gone</i>{ADVERT}two</div>", "one\ntwo", "one\n\ntwo"),
        (f"<div><b>one{ADVERT}two</b> three</div>", "one\ntwo three", "**one**\n\n**two** three"),
        ("<div>one <div hidden>gone</div> two</div>", "one\ntwo", "one\n\ntwo"),
        ("<ul><li>one<ul><li>gone</ul>two</ul>", "- one\n  two", "- one\n\n  two"),
        ("<div>one <table><tr><td>gone</table> two</div>", "one\n\ntwo", "one\n\ntwo"),
        (f"<h2>one{ADVERT}two</h2>", "one\ntwo", "## one two"),
        (f"<pre>one{ADVERT}two</pre>", "one\ntwo", "```\none\ntwo\n```"),
        ("<p>one<button>gone</button>two</p>", "one two", "one two"),
        ("<p>one <span>gone</span> two</p>", "one two", "one two"),
        ("<p>one<i>gone</i>two</p>", "onetwo", "onetwo"),
        (f"<div>one <p>two</p>{ADVERT}<p>three</p></div>",) + ("one\n\ntwo\n\nthree",) * 2,
    ],
)
def test_lines_end_where_plain_text_ends_them(source, text, written):
    selection = without(source)
    assert selection.text() == text
    assert markdown(prepare(pruned(selection))) == written


def test_html_and_tei_have_two_paragraphs():
    selection = without(f"<div>one {ADVERT} two</div>")
    assert as_html(selection) == "<p>one</p><p>two</p>"
    assert "<body><p>one</p><p>two</p></body>" in tei(prepare(pruned(selection)))


def test_nothing_is_left_where_the_text_stands_apart_already():
    between = f"<ul>{ADVERT}<li>one</li><li>gone</li>{ADVERT}<li>two</li></ul>{ADVERT}<p>three</p>"
    assert as_html(without(between)) == "<ul><li>one</li><li>two</li></ul><p>three</p>"
    cells = f"<table><tr><th>one<td>two<tr><td>gone<td>gone<tr><td>three<td>x{ADVERT}</table>"
    assert as_html(without(cells)).count("<tr>") == 2


def test_images_stay_on_their_side_of_the_gap():
    selection = without(f"<div>one {ADVERT} <img src=/a.png> two</div>")
    assert as_html(selection) == '<p>one</p><p><img src="/a.png"> two</p>'


def test_gaps_are_compared_in_linear_time():
    def make(size: int) -> Selection:
        return without("<div>" + f"one {ADVERT} two <b>three</b>" * size + "</div>")

    assert_linear(pruned, make, 500)
