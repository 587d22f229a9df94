"""The tree of the kept rows: white space and line ends where plain text has them."""

import html as escapes
import re

import pytest

from tests.growth import assert_linear
from thresher import Selection, parse
from thresher.render.html import html
from thresher.render.kept_tree import kept_tree
from thresher.render.markdown.writer import markdown
from thresher.render.normal_form import normalise
from thresher.render.tei.writer import tei


def normal_tree(selection: Selection):
    return normalise(kept_tree(selection))


# --- dropped blocks between kept texts -----------------------------------------------------------

ADVERT = "<div class=ad>gone</div>"


def without(source: str, dropped: str = "gone") -> Selection:
    """Select every text but the dropped ones, white space left alone."""
    page = parse(source)
    shown = [row for row in page.text_rows.tolist() if page.text(row).strip()]
    return page.select([row for row in shown if page.text(row).strip() != dropped])


def as_html(selection: Selection) -> str:
    return html(normal_tree(selection)).removeprefix("<article>").removesuffix("</article>")


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
def test_a_dropped_block_ends_the_line_as_in_plain_text(source, text, written):
    selection = without(source)
    assert selection.text() == text
    assert markdown(normal_tree(selection)) == written


def test_a_dropped_block_ends_the_paragraph_in_html_and_tei():
    selection = without(f"<div>one {ADVERT} two</div>")
    assert as_html(selection) == "<p>one</p><p>two</p>"
    assert "<body><p>one</p><p>two</p></body>" in tei(normal_tree(selection))


def test_no_empty_block_is_left_where_none_is_needed():
    between = f"<ul>{ADVERT}<li>one</li><li>gone</li>{ADVERT}<li>two</li></ul>{ADVERT}<p>three</p>"
    assert as_html(without(between)) == "<ul><li>one</li><li>two</li></ul><p>three</p>"
    cells = f"<table><tr><th>one<td>two<tr><td>gone<td>gone<tr><td>three<td>x{ADVERT}</table>"
    assert as_html(without(cells)).count("<tr>") == 2


def test_images_stay_on_their_side_of_a_dropped_block():
    selection = without(f"<div>one {ADVERT} <img src=/a.png> two</div>")
    assert as_html(selection) == '<p>one</p><p><img src="/a.png"> two</p>'


@pytest.mark.slow
def test_gaps_are_compared_in_linear_time():
    def make(size: int) -> Selection:
        return without("<div>" + f"one {ADVERT} two <b>three</b>" * size + "</div>")

    assert_linear(kept_tree, make, 500)


# --- white space in elements of its own ----------------------------------------------------------


def choose(source: str, *kept: str) -> Selection:
    """Select the texts that are among `kept`, white space left alone."""
    page = parse(source)
    return page.select([row for row in page.text_rows.tolist() if page.text(row).strip() in kept])


def forms(selection: Selection) -> list[str]:
    """Return the text of the Markdown, the HTML and the TEI, without markup."""
    body = [normal_tree(selection) for _ in range(3)]
    fenced = re.sub(r"^```\w*\n|\n```$", "", markdown(body[0]))
    written = tei(body[2]).split("<body>")[1].split("</body>")[0]
    tagged = [re.sub(r"<[^>]*>", "", form) for form in (html(body[1]), written)]
    return [fenced, *map(escapes.unescape, tagged)]


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<pre><b>import</b><span> </span><b>json</b></pre>", "import json"),
        ("<pre><b>if</b>\n<i>    </i><b>x</b><i>\n</i><b>y</b></pre>", "if\n    x\ny"),
        ("<pre><b>if</b><i><u>\n\n  </u></i><b>x</b></pre>", "if\n\n  x"),
        ("<p>x<span> </span><span>y</span></p>", "x y"),
        ("<p>x<span><u>\n</u></span><span>y</span></p>", "x y"),
        ("<p>x<a href=/l>gone<i> </i></a><span>y</span></p>", "x y"),
        ("<p>x<i> </i><code><span>if</span><i> </i><span>y</span></code></p>", "x `if y`"),
    ],
)
def test_white_space_between_kept_words_stays(source, text):
    selection = choose(source, "import", "json", "if", "x", "y")
    unmarked = text.replace("`", "")
    assert selection.text() == unmarked
    assert forms(selection) == [text, unmarked, unmarked]


def test_the_first_line_of_code_keeps_its_indentation():
    selection = choose("<pre><i>  </i><b>x</b><i>\n  </i><b>y</b></pre>", "x", "y")
    assert forms(selection) == ["  x\n  y"] * 3


@pytest.mark.parametrize(
    "source",
    [
        "<p>x</p><p><b>gone</b><i> </i><b>gone</b></p><p>y</p>",
        "<p>x</p><ul><li><i> </i></li></ul><p>y</p>",
        "<p>x<a href=/l>gone<i> </i>gone</a></p><p>y</p>",
        "<p><a href=/l><i> </i>gone</a>x</p><p>y</p>",
        "<p>x</p><pre><b>gone</b><i> </i><b>gone</b></pre><p>y</p>",
    ],
)
def test_white_space_in_dropped_text_is_dropped(source):
    body = normal_tree(choose(source, "x", "y"))
    assert html(body) == "<article><p>x</p><p>y</p></article>"


def test_white_space_in_scripts_is_dropped():
    assert forms(choose("<p>x<script> </script>y</p>", "x", "y")) == ["xy"] * 3


def test_spaces_are_found_in_linear_time():
    def make(size: int) -> Selection:
        page = parse("<pre>" + "<b>x</b><i> </i>" * size + "</pre>")
        return page.where(page.words > 0)

    assert_linear(kept_tree, make, 500)
