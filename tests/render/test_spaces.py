"""White space in elements of its own stays where it parts kept words, in every form."""

import html as escapes
import re

import pytest

from tests.growth import assert_linear
from thresher import Selection, parse
from thresher.render import html, markdown, prepare, pruned, tei


def choose(source: str, *kept: str) -> Selection:
    """Select the texts that are among `kept`, white space left alone."""
    page = parse(source)
    return page.select([row for row in page.text_rows.tolist() if page.text(row).strip() in kept])


def forms(selection: Selection) -> list[str]:
    """The text of the Markdown, the HTML and the TEI, without their marks."""
    body = [prepare(pruned(selection)) for _ in range(3)]
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
def test_white_space_parts_kept_words(source, text):
    selection = choose(source, "import", "json", "if", "x", "y")
    unmarked = text.replace("`", "")
    assert selection.text() == unmarked
    assert forms(selection) == [text, unmarked, unmarked]


def test_the_first_line_keeps_its_indentation():
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
def test_white_space_brings_nothing_back(source):
    body = prepare(pruned(choose(source, "x", "y")))
    assert html(body) == "<article><p>x</p><p>y</p></article>"


def test_white_space_in_scripts_is_none():
    assert forms(choose("<p>x<script> </script>y</p>", "x", "y")) == ["xy"] * 3


def test_spaces_are_found_in_linear_time():
    def make(size: int) -> Selection:
        page = parse("<pre>" + "<b>x</b><i> </i>" * size + "</pre>")
        return page.where(page.words > 0)

    assert_linear(pruned, make, 500)
