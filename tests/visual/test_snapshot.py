"""Pages that Chromium laid out, against `parse` and against boxes computed by hand."""

import pickle

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from tests.pages import well_formed
from thresher import extract, parse
from thresher.methods import get, names
from thresher.page.parse import Limits
from thresher.visual import RenderOptions

QUIET = RenderOptions(scripts=False)


def rows(page) -> list[tuple]:
    return [
        (page.name(row), page.end[row], page.parent[row], page.text(row))
        for row in range(len(page))
    ]


def row_of(page, text: str) -> int:
    return next(row for row in page.text_rows.tolist() if text in page.text(row))


SCRIPTLESS = [
    "<p>Tea",
    "",
    "   ",
    "<!doctype html><p>one<table><tr><td>two</table>three",  # standards mode: the table ends the p
    "<p>one<table><tr><td>two</table>three",  # quirks mode: the table is in the p
    '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN"><p>x<table><td>y</table>',
    "<p>before<!-- a comment -->after",
    "<pre>\n\nfirst line is blank</pre><textarea>\n\nx</textarea>",
    "<b><p>misnested</b> formatting</p>",
    "<table>foster<tr><td>cell<table><td>inner</table></table>",
    "<a href=/x>one<div><a href=/y>two</a></div></a>",
    '<svg viewBox="0 0 1 1"><foreignObject><p>in svg</p></foreignObject><path d=""/></svg>',
    "<math><mi>x</mi><annotation-xml encoding='text/html'><p>y</p></annotation-xml></math>",
    "<select><option>one<option selected>two</select><input value='&quot;&lt;'>",
    "<noscript><p>without scripts</p>&lt;b&gt;</noscript><p>after",
    "<template><p>in a template <template>nested</template></p></template><p>after",
    "<iframe src=x>fallback</iframe><xmp><b>raw</b></xmp><p>&nbsp;&amp;&lt;&#13;&#10;x",
    "<frameset><frame src=a><noframes>none</noframes></frameset>",
    "<my-card><p>custom</p></my-card><p title='a&quot;b&amp;c&nbsp;d'>x</p>",
    "<div hidden>gone</div><details><summary>more</summary>text</details>",
    "<style>p { color: red }</style><p>styled</p>",
    "<p>emoji \U0001f375 and \u0622\u0628 and \x00 nothing",
    "<plaintext>all <b>that</b> follows",
    "<body bgcolor=#fff text=#000><font size=7>old</font><center>mid</center>",
]


@pytest.mark.parametrize("html", SCRIPTLESS)
@pytest.mark.parametrize("scripts", [False, True], ids=["off", "on"])
def test_a_page_without_scripts_is_the_page_that_parse_reads(browser, html, scripts):
    rendered = browser.render(html, options=RenderOptions(scripts=scripts))
    assert rows(rendered) == rows(parse(html))
    assert rendered.names == parse(html).names


@pytest.mark.slow
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(html=well_formed)
def test_so_is_any_page_without_scripts_of_any_kind(browser, html):
    assert rows(browser.render(html, options=QUIET)) == rows(parse(html))


def test_the_source_is_the_document_as_it_stands(browser):
    html = "<title>T</title><p id=a>one<script>window.a.textContent = 'two'</script>"
    page = browser.render(html)
    assert page.source == (
        '<html><head><title>T</title></head><body><p id="a">two</p></body></html>'
    )
    assert page.source[page.row_offsets[row_of(page, "two")] :].startswith("two</p>")


def test_boxes_fonts_and_colours_are_those_of_the_style_sheet(browser):
    page = browser.render(
        "<!doctype html><style>"
        "#a { position: absolute; left: 30px; top: 40px; width: 200px; height: 50px;"
        "     background: rgb(1, 2, 3); color: rgba(255, 0, 0, 0.5); font: 700 20px serif }"
        "#b { position: absolute; left: 0; top: 1500px; width: 10px; height: 10px }"
        "</style><div id=a>tea</div><div id=b></div>",
        options=QUIET,
    )
    a, b = np.flatnonzero([page.name(row) == "div" for row in range(len(page))])
    assert (page.x[a], page.y[a], page.w[a], page.h[a]) == (30, 40, 200, 50)
    assert (page.x[b], page.y[b], page.w[b], page.h[b]) == (0, 1500, 10, 10)
    text = row_of(page, "tea")
    assert (page.font_size[text], page.font_weight[text]) == (20, 700)
    assert page.color[text] == 0xFF000080
    assert (page.background[a], page.background[text]) == (0x010203FF, 0)
    assert page.visible[a]
    assert not page.inline[a]
    assert page.inline[text]


HIDDEN = {
    "display": "<p style='display: none'>gone</p>",
    "sheet": "<style>.x { display: none }</style><p class=x>gone</p>",
    "media": "<style>@media screen { p.x { display: none } }</style><p class=x>gone</p>",
    "visibility": "<style>.x { visibility: hidden }</style><p class=x>gone</p>",
    "collapse": "<style>.x { visibility: collapse }</style><p class=x>gone</p>",
    "zero size": "<style>.x { width: 0; height: 0; overflow: hidden }</style><p class=x>gone</p>",
    "screen reader": "<style>.x { position: absolute; width: 1px; height: 1px; overflow: hidden;"
    " clip: rect(0 0 0 0) }</style><span class=x>gone</span>",
    "clip": "<style>.x { position: absolute; clip: rect(1px, 1px, 1px, 1px) }</style>"
    "<p class=x>gone</p>",
    "clip-path": "<style>.x { clip-path: inset(50%) }</style><p class=x>gone</p>",
    "far left": "<style>.x { position: absolute; left: -9999px }</style><p class=x>gone</p>",
    "far up": "<style>.x { position: absolute; top: -9999px }</style><p class=x>gone</p>",
    "font size": "<style>.x { font-size: 0 }</style><p class=x>gone</p>",
    "attribute": "<p hidden>gone</p>",
    "dialog": "<dialog>gone</dialog>",
    "details": "<details><summary>more</summary>gone</details>",
}


@pytest.mark.parametrize("name", HIDDEN)
def test_hidden_is_what_the_browser_computes(browser, name):
    page = browser.render(f"<!doctype html>{HIDDEN[name]}<p>kept", options=QUIET)
    assert page.hidden[row_of(page, "gone")], name
    assert not page.visible[row_of(page, "gone")], name
    assert not page.hidden[row_of(page, "kept")], name


SHOWN = {
    "a visible child": "<div style='visibility: hidden'>"
    "<p style='visibility: visible'>kept</p></div>",
    "contents": "<style>.x { display: contents }</style><div class=x><p>kept</p></div>",
    "a wrapper without height": "<div style='height: 0'><p>kept</p></div>",
    "a stronger rule": "<style>.x { display: none } p.x { display: block }</style><p class=x>kept",
    "a shown template": "<div><template shadowrootmode=open><p>kept</p></template></div>",
    "a child in a slot": "<div><template shadowrootmode=open><slot></slot></template>kept</div>",
    "open details": "<details open><summary>more</summary>kept</details>",
}


@pytest.mark.parametrize("name", SHOWN)
def test_and_so_is_what_is_shown(browser, name):
    page = browser.render(f"<!doctype html>{SHOWN[name]}", options=QUIET)
    row = row_of(page, "kept")
    assert not page.hidden[row], name
    assert page.visible[row], name


def test_an_element_without_a_box_has_that_of_its_content(browser):
    page = browser.render(
        "<!doctype html><style>.x { display: contents } p { position: absolute; margin: 0;"
        " width: 50px; height: 20px; left: 10px; top: 10px } p + p { left: 100px; top: 50px }"
        "</style><div class=x><p>a</p><p>b</p></div>",
        options=QUIET,
    )
    row = next(row for row in range(len(page)) if page.name(row) == "div")
    assert (page.x[row], page.y[row], page.w[row], page.h[row]) == (10, 10, 140, 60)
    assert not page.hidden[row]


def test_a_shadow_root_is_read_in_the_order_in_which_it_is_seen(browser):
    page = browser.render(
        "<div><template shadowrootmode=open><p>first</p><slot></slot><p>last</p></template>"
        "middle</div>",
        options=QUIET,
    )
    assert [text.strip() for text in page.texts if text.strip()] == ["first", "middle", "last"]


def test_the_document_of_an_iframe_is_another_page(browser):
    page = browser.render("<p>outside</p><iframe srcdoc='<p>inside</p>'></iframe>")
    assert [text for text in page.texts if text.strip()] == ["outside"]


def test_text_that_a_style_sheet_adds_is_left_out(browser):
    page = browser.render("<style>p::before { content: 'added' }</style><p>given", options=QUIET)
    assert [text for text in page.texts[1:] if text.strip()] == ["given"]


ARTICLE = "".join(
    f"<p>Paragraph {number} tells how tea is grown, picked, dried and shipped, at some length, and "
    "what the growers of the hills think of it.</p>"
    for number in range(6)
)


def test_every_method_runs_on_a_rendered_page(browser):
    html = (
        f"<title>Tea</title><nav><a href=/>Home</a></nav><h1>Tea</h1>{ARTICLE}<footer>(c)</footer>"
    )
    rendered = browser.render(html, options=QUIET)
    parsed = parse(rendered.source)
    for name in names():
        assert get(name)(rendered).text() == get(name)(parsed).text(), name


def test_a_document_of_a_page_filled_by_scripts(browser):
    html = f"<body><script>document.body.innerHTML = `<h1>Tea</h1>{ARTICLE}`</script>"
    assert "Paragraph 3" not in extract(html).text
    document = extract(browser.render(html))
    assert "Paragraph 3" in document.text
    assert "Paragraph 3" in document.markdown()


def test_a_part_of_a_rendered_page_keeps_its_boxes(browser):
    page = browser.render("<p>one</p><p>two</p>", options=QUIET)
    part = page.only(page.select([row_of(page, "two")]))
    assert part.y[row_of(part, "two")] == page.y[row_of(page, "two")]
    assert len(part.visible) == len(part)
    again = pickle.loads(pickle.dumps(page))
    assert rows(again) == rows(page)
    assert np.array_equal(again.w, page.w)


def test_a_page_past_a_limit_is_cut_and_says_so(browser):
    page = browser.render("<p>x" * 50, options=RenderOptions(scripts=False, limits=Limits(rows=20)))
    assert len(page) == 20
    assert page.status == "cut at 20 rows"
    cut = browser.render("<p>x" * 50, options=RenderOptions(limits=Limits(bytes=12)))
    assert cut.status == "cut at 12 characters"


def test_a_charset_is_found_as_parse_finds_it(browser):
    data = '<meta charset="windows-1251"><p>Чай</p>'.encode("cp1251")
    assert browser.render(data, options=QUIET).charset == parse(data).charset == "windows-1251"
    assert "Чай" in browser.render(data, options=QUIET).texts


def test_a_page_from_right_to_left_goes_on_to_the_left(browser):
    html = "<body style='margin:0'><div style='position:absolute;left:-500px;width:100px'>far</div>"
    page = browser.render(f"<!doctype html><html dir=rtl>{html}", options=QUIET)
    assert not page.hidden[row_of(page, "far")]
    page = browser.render(f"<!doctype html>{html}", options=QUIET)
    assert page.hidden[row_of(page, "far")]
