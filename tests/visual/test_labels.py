"""Kinds of segments, on pages with boxes written by hand."""

from dataclasses import replace

import numpy as np
import pytest

from tests.visual.boxes import at, div, laid_out
from thresher.visual.labels import KINDS, RULES, label, measure
from thresher.visual.segments import Segments

PROSE = "It rained on the roof all night and nobody in the old house slept a single hour of it. "
PARAGRAPHS = f"<p>{PROSE * 4}</p>" * 4
WORDS = "home rain wind frost tools".split()
LINKS = "".join(f"<a href=/{word} {at(0, 60, 40, 20)}>{word}</a> " for word in WORDS)


def segment_of(html, tag="section"):
    """A page as segments: the whole, and each element with the tag."""
    page = laid_out(html)
    # What `parse` takes for hidden, a browser shows.
    is_shown = np.array([page.name(row) in ("iframe", "video") for row in range(len(page))], bool)
    page = replace(page, visible=page.visible | is_shown)
    rows = [row for row in range(len(page)) if page.name(row) == tag]
    return Segments.of(page, [-1] + [0] * len(rows), [[0]] + [[row] for row in rows])


def part(left, top, width, height, inner, more=""):
    return f"<section {at(left, top, width, height, more)}>{inner}</section>"


# A page of 1000 by 1000 with an article, so that there is content elsewhere.
ARTICLE = part(250, 450, 500, 400, PARAGRAPHS)


def kind_of(html, rest=ARTICLE):
    """The kind of a segment on a page with an article."""
    return label(segment_of(html + rest)).kinds[1]


@pytest.mark.parametrize(
    ("kind", "html"),
    [
        ("menu", part(0, 60, 1000, 30, LINKS)),
        ("menu", part(0, 450, 150, 200, LINKS)),
        ("links", part(400, 870, 300, 50, f"<p>More to read: {LINKS}</p>")),
        ("header", part(0, 0, 1000, 150, f"<b>The weather</b> {LINKS}<p>Seen from a garden</p>")),
        ("logo", part(0, 0, 200, 100, f"<img {at(0, 0, 200, 100)} src=a.png>")),
        ("logo", part(0, 0, 200, 100, f"<a href=/ {at(0, 0, 200, 100)}></a>")),
        ("image", part(250, 600, 200, 100, f"<img {at(250, 600, 200, 100)} src=a.png>")),
        ("ad", part(250, 600, 300, 250, f"<iframe {at(250, 600, 300, 250)}></iframe>")),
        ("video", part(250, 600, 200, 200, f"<video {at(250, 600, 200, 180)}></video>")),
        ("form", part(0, 450, 200, 40, f"<input {at(0, 450, 100, 20)} type=text> <b>Search</b>")),
        ("title", part(250, 440, 500, 40, "<h2>What you need</h2>")),
        ("title", part(250, 440, 500, 40, "What you need", "font-size:24")),
        ("text", part(250, 440, 500, 60, f"<p>{PROSE}</p>")),
        ("footer", part(0, 950, 1000, 50, "<p>Seen and written in one garden</p>")),
        ("footer", part(0, 500, 300, 50, "<footer>Imprint</footer>")),
        ("sidebar", part(0, 300, 200, 600, "<p>The sky this week</p><p>Cloud</p>")),
        ("notice", part(0, 300, 200, 100, "<div class=cookie-banner>We use cookies</div>")),
        ("comments", part(0, 300, 200, 100, "<div class=comments>So do I</div>")),
        ("author", part(250, 440, 200, 20, "<p class=byline>By the gardener</p>")),
        ("other", part(250, 600, 100, 20, "")),
    ],
)
def test_each_kind(kind, html):
    assert kind_of(html) == kind


def test_most_of_the_content_is_the_content():
    assert label(segment_of(div(0, 0, 1000, 100, LINKS) + ARTICLE)).kinds == ("page", "content")


def test_a_data_table_is_a_table():
    cells = "<tr><th>week</th><th>rain</th></tr>" + "<tr><td>1</td><td>12</td></tr>" * 3
    table = f"<table {at(250, 460, 300, 100)}>{cells}</table>"
    segments = segment_of(ARTICLE.replace(PARAGRAPHS, PARAGRAPHS + table), tag="table")
    assert label(segments).kinds[1] == "table"


def test_kinds_that_a_segmenter_gave_are_kept():
    segments = segment_of(part(0, 60, 1000, 30, LINKS) + ARTICLE).labelled(["", "record", ""])
    assert label(segments).kinds == ("page", "record", "content")


def test_every_kind_has_a_rule_or_comes_from_a_segmenter():
    assert set(KINDS) == {rule.kind for rule in RULES} | {"list", "record", "other"}


def test_measures():
    html = part(100, 50, 400, 200, "<h2>Two words</h2><p>and</p><p>LINK</p>")
    html = html.replace("LINK", f"<a href=x {at(100, 200, 80, 20)}>one link</a>")
    html += part(500, 500, 500, 300, f"<img {at(500, 500, 500, 150)} src=a.png><b>eight</b>")
    found = measure(segment_of(html))
    assert found.left.tolist() == [-100 / 900, 0, 400 / 900]
    assert found.width.tolist() == pytest.approx([1000 / 900, 400 / 900, 500 / 900])
    assert found.top.tolist() == [0, 50, 500]
    assert found.below.tolist() == [-200, 550, 0]
    assert found.words.tolist() == [6, 5, 1]
    assert found.of_words.tolist() == pytest.approx([1, 5 / 6, 1 / 6])
    assert found.links.tolist() == [1, 1, 0]
    # 9 characters in the heading, 3 and 8 in the paragraphs; 8 of them are a link.
    assert found.heading[1] == pytest.approx(9 / 20)
    assert found.linked[1] == pytest.approx(8 / 20)
    assert found.images.tolist() == [1, 0, 1]
    assert found.image_share[2] == pytest.approx(0.5)
    assert found.undivided.tolist() == [False, True, True]


def test_a_segment_of_several_rows_is_the_sum_of_them():
    page = laid_out(div(0, 0, 100, 50, "one two") + div(0, 50, 100, 50, "three"))
    rows = [row for row in range(len(page)) if page.name(row) == "div"]
    assert measure(Segments.of(page, [-1], [rows])).words.tolist() == [3]


@pytest.mark.parametrize("html", ["", "<p></p>", "<p>word</p>"])
def test_pages_with_little_or_nothing(html):
    page = laid_out(html)
    rows = range(min(len(page), 1))
    found = label(Segments.of(page, [-1] * len(rows), [[row] for row in rows]))
    assert len(found.kinds) == len(rows)


def test_no_segments():
    assert label(Segments.of(laid_out("<p>word</p>"), [], [])).kinds == ()


def test_hidden_text_does_not_count():
    html = part(0, 0, 500, 50, "one <b style='display:none'>two three</b>")
    assert np.isclose(measure(segment_of(html)).words[1], 1)
