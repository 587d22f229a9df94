"""Hide in place: what is made invisible, and that nothing else changes."""

import re
from html import escape
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thresher
from tests import slow_definitions as slow
from thresher.render.in_place import hide_in_place

HIDE = ' style="visibility: hidden !important"'


def rows(page, name):
    return (page.tag == page.names.index(name)).nonzero()[0]


def body(html):
    return re.search(r"<body>(.*)</body>", html, re.S)[1]


def test_dropped_subtrees_are_hidden_and_bare_text_is_wrapped():
    page = thresher.parse(
        "<ul><li>Home</li></ul><div>loose <b>bold</b><p>One <b>two</b> three.</p> tail</div>"
    )
    assert body(hide_in_place(page.under(rows(page, "p")))) == (
        f"<ul{HIDE}><li>Home</li></ul><div><span{HIDE}>loose </span><b{HIDE}>bold</b>"
        f"<p>One <b>two</b> three.</p><span{HIDE}> tail</span></div>"
    )


def test_other_declarations_of_a_style_stay():
    page = thresher.parse('<p style="color: red; ">one</p><p style="color: blue">two</p><p>three')
    assert body(hide_in_place(page.under(rows(page, "p")[2:]))) == (
        '<p style="visibility: hidden !important; color: red;">one</p>'
        '<p style="visibility: hidden !important; color: blue">two</p><p>three</p>'
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("visibility:visible", ""),
        ("color: red; VISIBILITY : visible !important; top: 0", "color: red; top: 0"),
        ("visibility: visible !important; color: red; /* ", "color: red"),
        ("/* ; */ visib/**/ility: x; v\\69 sibility: visible !important", "visib ility: x"),
        ("\\76isibility:visible;all:initial !important;left:0", "left:0"),
        ("color: red; /* never closed", "color: red; /* never closed"),
        ("background: url(a;visibility:visible", "background: url(a;visibility:visible"),
        ("content: 'a; visibility: visible", "content: 'a; visibility: visible"),
        ('quotes: "\\"" "x;visibility:"; visibility: visible', 'quotes: "\\"" "x;visibility:"'),
        ("{;visibility: visible}; visibility: visible; left: 0", "{;visibility: visible}; left: 0"),
        ("]) visibility: visible", "]) visibility: visible"),
        ("\\0 visibility: visible", "\\0 visibility: visible"),
        ("overall: none; \\", "overall: none; \\"),
    ],
)
def test_the_visibility_in_a_style_is_overridden(before, after):
    style = "visibility: hidden !important" + (f"; {after}" if after else "")
    page = thresher.parse(f"<p>one</p><div style='{escape(before)}'>two</div>")
    written = thresher.parse(hide_in_place(page.under(rows(page, "p"))))
    assert written.attributes(int(rows(written, "div")[0]))["style"] == style


def test_visible_elements_inside_a_hidden_one_are_hidden_too():
    page = thresher.parse(
        "<div>one<b style='visibility: visible'>two</b><i style='color: red'>three</i></div>"
    )
    assert body(hide_in_place(page.none())) == (
        f'<div{HIDE}>one<b{HIDE}>two</b><i style="color: red">three</i></div>'
    )


def test_visibility_as_an_attribute_is_overridden():
    page = thresher.parse("<p><svg><g visibility=visible><text>two</text></g></svg></p>")
    assert body(hide_in_place(page.none())) == (
        f'<p{HIDE}><svg><g visibility="visible"{HIDE}><text>two</text></g></svg></p>'
    )


def test_styles_of_kept_elements_stay():
    html = '<p style="visibility: visible">one <b style="visibility: visible">two</b></p>'
    assert body(hide_in_place(thresher.parse(html).all())) == html


def test_images_and_cells_follow_the_text_beside_them():
    page = thresher.parse(
        "<p>one<img src=a></p><p>two<img src=b></p><table><tbody><tr><td></td><td>three</td></tr>"
    )
    chosen = page.under([*rows(page, "p")[:1], *rows(page, "table")])
    assert body(hide_in_place(chosen)) == (
        f'<p>one<img src="a"></p><p{HIDE}>two<img src="b"></p>'
        "<table><tbody><tr><td></td><td>three</td></tr></tbody></table>"
    )


def test_doctype_comments_and_scripts_stay_and_blank_text_is_not_wrapped():
    html = (
        "<!DOCTYPE html><!-- a --><html><head><title>t</title></head><body><p>one</p>\n"
        "<script>two()</script><style>p{}</style><!-- b --></body></html>"
    )
    page = thresher.parse(html)
    expected = html.replace("<head>", '<head><meta charset="utf-8">')
    assert hide_in_place(page.all()) == expected
    assert hide_in_place(page.none()) == expected.replace("<p>", f"<p{HIDE}>")


def test_charset_and_address_are_those_of_the_file():
    html = "<meta charset=latin1><meta http-equiv=Content-Type content='text/html'><p>é"
    written = hide_in_place(thresher.parse(html, url="https://example.org/a/").all())
    assert written.count("charset") == 1
    assert '<head><meta charset="utf-8"><base href="https://example.org/a/"></head>' in written
    with_base = thresher.parse("<base href=/x/><p>one", url="https://example.org/a/")
    assert hide_in_place(with_base.all()).count("<base") == 1


def test_dropped_text_is_removed_where_no_span_is_allowed():
    page = thresher.parse("<svg><text>one<tspan>two</tspan>three</text></svg>")
    kept = page.select([row for row in page.text_rows if page.text(row) == "two"])
    assert body(hide_in_place(kept)) == "<svg><text><tspan>two</tspan></text></svg>"


def test_a_selection_of_a_part_hides_the_rest_of_the_page():
    page = thresher.parse("<p>one</p><p>two</p><p>three</p>")
    part = page.only(page.under(rows(page, "p")[:2]))
    first = part.under(rows(part, "p")[:1])
    assert body(hide_in_place(first)) == f"<p>one</p><p{HIDE}>two</p><p{HIDE}>three</p>"


@pytest.mark.parametrize("html", ["", " "])
def test_an_empty_page_stays_as_it_is(html):
    assert hide_in_place(thresher.parse(html).all()) == html


class Visible(HTMLParser):
    """Reads all words, and those that a browser would show."""

    def __init__(self):
        super().__init__()
        self.open, self.shown, self.words = [False], [], []

    def handle_starttag(self, tag, attrs):
        style = dict(attrs).get("style") or ""
        gone = tag in slow.HIDING or "display:none" in style or "visibility: hidden" in style
        if tag not in slow.VOID and tag not in ("meta", "base"):
            self.open.append(self.open[-1] or gone)

    def handle_endtag(self, tag):
        self.open.pop()

    def handle_data(self, data):
        self.words += slow.slow_words(data)
        self.shown += [] if self.open[-1] else slow.slow_words(data)


@settings(max_examples=50)
@given(slow.pages(), st.randoms(use_true_random=False))
def test_only_kept_words_are_visible_and_no_word_is_removed(html, random):
    page = thresher.parse(html)
    chosen = page.select([row for row in page.text_rows.tolist() if random.random() < 0.5])
    chosen = chosen - page.where(page.hidden)
    before, after = Visible(), Visible()
    before.feed(html)
    after.feed(hide_in_place(chosen))
    assert after.words == before.words
    assert after.shown == slow.kept_words(chosen)


def test_a_document_is_rendered_in_place():
    html = "<ul><li><a href=/>Home</a></ul><p>Warm the pot first, and wait for three minutes.</p>"
    document = thresher.extract(html, method="wlr")
    assert document.render("in-place") == hide_in_place(document.selection)
    assert f"<ul{HIDE}>" in document.render("in-place")
