"""Columns of a page against a slow walk made with `html.parser`, and the laws they obey."""

import pickle
from dataclasses import replace
from html import escape
from pathlib import Path

import numpy as np
import pytest
import turbohtml
from hypothesis import example, given, settings
from hypothesis import strategies as st

import thresher
from tests.cores import needs_kernels
from tests.growth import assert_linear
from tests.pages import COLUMNS, check_nesting, columns_of, slow_rows, soup, well_formed
from thresher import InputError, Limits, UsageError, parse
from thresher.page import parse as reading
from thresher.page.arrays import subtree_sums
from thresher.page.tags import NAMES

# --- against another parser ----------------------------------------------------------------------


@given(well_formed)
@settings(max_examples=120)
def test_columns_equal_a_slow_walk(source):
    page, rows = parse(source), slow_rows(source)
    assert [page.name(row) for row in range(len(page))] == [row.name for row in rows]
    assert columns_of(page) == {
        "tag": page.tag.tolist(),
        "end": [row.end for row in rows],
        "parent": [row.parent for row in rows],
        "level": [row.level for row in rows],
        "chars": [row.chars for row in rows],
        "words": [row.words for row in rows],
        "linked": [row.linked for row in rows],
        "hidden": [row.hidden for row in rows],
    }
    assert page.status == "complete"
    check_nesting(page)


@given(well_formed)
@settings(max_examples=120)
def test_texts_and_attributes_equal_a_slow_walk(source):
    page, rows = parse(source), slow_rows(source)
    for number, row in enumerate(rows):
        assert page.attributes(number) == row.attributes
        if row.name != "#text":
            assert page.text(number) == ""
        elif rows[row.parent].name not in ("script", "style"):
            assert page.text(number) == row.text


@given(well_formed)
def test_subtree_sums_equal_a_slow_walk(source):
    page, rows = parse(source), slow_rows(source)
    slow = [0] * len(rows)
    for row in rows:  # each text counts for itself and everything around it
        above, count = rows.index(row), row.words
        while above >= 0:
            slow[above] += count
            above = rows[above].parent
    assert subtree_sums(page.words, page.end).tolist() == slow


# --- laws ----------------------------------------------------------------------------------------


@pytest.mark.slow
@given(soup)
@settings(max_examples=500)
@example("<p><b><i><a><table><tr>" * 30)
@example("<b><p>x</b>y</p>z")
@example("<table>a<tr>b<td>c</table>d")
@example("<template><template><td>x</td></template>y</template>z")
@example("<frameset><frame></frameset>")
@example("<plaintext></plaintext><p>x")
@example("<svg><foreignObject><p>x</svg>y")
def test_rows_nest_whatever_the_html(source):
    page = parse(source)
    check_nesting(page)
    assert len(page) == 0 or page.name(0) == "html"
    assert (len(page) == 0) == (page.status == "empty")


@given(soup)
@settings(max_examples=120)
def test_hidden_and_linked_reach_down(source):
    page = parse(source)
    for row in range(1, len(page)):
        above = page.parent[row]
        assert page.hidden[row] >= page.hidden[above]
        is_link = page.name(row) == "a" and page.nodes[row].attr("href") is not None
        assert page.linked[row] == (page.linked[above] or is_link)


@given(soup)
@settings(max_examples=100)
def test_the_same_input_gives_the_same_columns(source):
    first, second = parse(source), parse(source)
    assert columns_of(first) == columns_of(second)
    assert (first.texts, first.names, first.status) == (second.texts, second.names, second.status)


@given(soup)
@settings(max_examples=120)
def test_a_pickled_page_is_the_same_page(source):
    page = parse(source, url="https://example.org/a")
    again = pickle.loads(pickle.dumps(page))
    assert columns_of(again) == columns_of(page)
    assert (again.texts, again.names, again.source) == (page.texts, page.names, page.source)
    assert (again.url, again.charset, again.status) == (page.url, page.charset, page.status)
    assert again.markup.tolist() == page.markup.tolist()
    for row in range(len(page)):
        assert again.text(row) == page.text(row)
        assert again.attributes(row) == page.attributes(row)
        assert again.position(row) == page.position(row)


@pytest.mark.parametrize("limits", [Limits(rows=5), Limits(depth=4), Limits(bytes=60)])
def test_a_pickled_page_that_was_cut_has_its_own_rows(limits):
    page = parse("<ul>" + "<li>one <b>two</b><i> three</i></li>" * 9 + "</ul>", limits=limits)
    again = pickle.loads(pickle.dumps(page))
    assert columns_of(again) == columns_of(page)
    assert [again.nodes[row].tag for row in range(len(again)) if again.tag[row]] == [
        page.name(row) for row in range(len(page)) if page.tag[row]
    ]
    assert [again.position(row) for row in range(len(again))] == [
        page.position(row) for row in range(len(page))
    ]


@pytest.mark.parametrize("source", ["", "<p>Tea"])
def test_columns_are_read_only(source):
    page = parse(source)
    arrays = [getattr(page, name) for name in COLUMNS]
    arrays += [page.text_rows, page.markup, page.offsets, page.row_offsets]
    for column in [*arrays, *(getattr(pickle.loads(pickle.dumps(page)), name) for name in COLUMNS)]:
        assert not column.flags.writeable
        with pytest.raises(ValueError, match="read-only"):
            column[:] = 0
    with pytest.raises(AttributeError):
        page.tag = page.end


def test_column_types():
    page = parse("<p>Tea <a href=x>time</a>")
    types = {name: getattr(page, name).dtype for name in COLUMNS}
    assert types == {
        "tag": np.uint16, "end": np.int32, "parent": np.int32, "level": np.int32, "chars": np.int32,
        "words": np.int32, "linked": np.bool_, "hidden": np.bool_,
    }  # fmt: skip
    assert page.markup.dtype == np.int32


# --- literal pages -------------------------------------------------------------------------------


def shape(page: thresher.Page) -> list[tuple[str, int, int, int]]:
    return [
        (page.name(row), int(page.parent[row]), int(page.end[row]), int(page.level[row]))
        for row in range(len(page))
    ]


def test_a_page_by_hand():
    page = parse("<title>T</title><p>One <a href=x>two</a>&amp;</p>")
    assert shape(page) == [
        ("html", -1, 10, 0),
        ("head", 0, 4, 1),
        ("title", 1, 4, 2),
        ("#text", 2, 4, 3),
        ("body", 0, 10, 1),
        ("p", 4, 10, 2),
        ("#text", 5, 7, 3),
        ("a", 5, 9, 3),
        ("#text", 7, 9, 4),
        ("#text", 5, 10, 3),
    ]
    assert page.chars.tolist() == [0, 0, 0, 1, 0, 0, 4, 0, 3, 1]
    assert page.words.tolist() == [0, 0, 0, 1, 0, 0, 1, 0, 1, 0]
    assert np.flatnonzero(page.linked).tolist() == [7, 8]
    assert np.flatnonzero(page.hidden).tolist() == [1, 2, 3]
    assert page.text_rows.tolist() == [3, 6, 8, 9]
    assert page.texts == ("T", "One ", "two", "&")
    assert page.body == 4


def rows_named(page, name):
    return [row for row in range(len(page)) if page.name(row) == name]


def hidden_text(source: str) -> str:
    page = parse(source)
    return " ".join(page.text(row) for row in page.text_rows if page.hidden[row])


@pytest.mark.parametrize(
    ("source", "hidden"),
    [
        ("<title>T</title><p>a", "T"),
        ("<p hidden>a</p><p>b", "a"),
        ("<p hidden=until-found>a<b>c</b></p><p>b", "a c"),
        ('<p style="display:none">a</p>', "a"),
        ('<p style="color:red;DISPLAY : none !important">a</p>', "a"),
        ('<p style="visibility:hidden">a</p>', "a"),
        ('<p style="Visibility: Collapse">a</p>', "a"),
        ('<table style="border-collapse: collapse"><td>a</table>', ""),
        ('<p style="visibility: collapse; visibility: visible">a</p>', ""),
        ('<p style="backdrop-display:none; background:none">a</p>', ""),
        ('<p style="overflow:hidden">a</p>', ""),
        ('<p style="display:block;display:none">a</p>', "a"),
        ('<p style="display:none;display:block">a</p>', ""),
        ('<p style="display:none;visibility:visible">a</p>', "a"),
        ('<p style="display:block;\nvisibility:hidden">a</p>', "a"),
        ('<p style="display:none-such">a</p>', ""),
        ("<body><noscript><p>a</p></noscript>b", "a"),
        ("<template><p>a</p></template>b", "a"),
        ("<div><template shadowrootmode=open><p>a</p></template></div>b", ""),
        ("<dialog>a</dialog><dialog open>b</dialog>", "a"),
        ("<iframe>a</iframe><object>b</object><video>c</video><audio>d</audio>", "a b c d"),
        ("<canvas>a</canvas><datalist><option>b</datalist>", "a b"),
        ("<ruby>x<rp>(</rp><rt>y</rt><rp>)</rp></ruby>", "( )"),
        ("<svg><desc>a</desc><metadata>b</metadata><text>c</text></svg>", "a b"),
        ("<details><summary>a</summary>b</details>", ""),
        ("<p aria-hidden=true>a</p>", ""),
    ],
)
def test_hidden(source, hidden):
    assert hidden_text(source) == hidden


@pytest.mark.parametrize(
    "write",
    [
        lambda n: f"<p style='{'display:none;' * n}{'x' * 13 * n}'>y",
        lambda n: f"<p style='{'display:none;' * n}'>y",
        lambda n: f"<p style='{'display ' * n}'>y",
        lambda n: f"<p style='display{' ' * 8 * n}'>y",
        lambda n: f"<p style='{';visibility:' * n}'>y",
    ],
)
def test_one_long_style_takes_linear_time(write):
    assert_linear(parse, write, 2_000)


@pytest.mark.parametrize("place", ["<p {0}x=1>a", "<p x={0}>a", "<{0}p>a", "<p>{0}</p{0}>", "{0}"])
def test_lone_surrogates_anywhere_do_not_raise(place):
    text = place.format("\udc85")
    for source in (text, text.encode("utf-8", "surrogatepass")):
        page = parse(source)
        page.source.encode()
        for row in range(len(page)):
            if page.tag[row]:
                "".join(map("".join, page.attributes(row).items())).encode()


def test_a_device_is_read_up_to_the_limit():
    with pytest.raises(InputError, match="binary data"):
        parse(Path("/dev/zero"), limits=Limits(bytes=1_000))


def test_passwords_are_left_out_of_the_address_of_a_page():
    page = parse("<a href=x>a", url="http://user:secret@example.org/a@b")
    assert page.url == "http://example.org/a@b"
    assert page.resolve("x") == "http://example.org/x"
    for arguments in (
        {"source": "http://u:secret@h/a.html"},
        {"source": "", "url": "//u:secret@[h"},
    ):
        with pytest.raises(UsageError) as error:
            thresher.extract(**arguments)
        assert "secret" not in str(error.value)


def test_text_of_scripts_and_styles_is_a_row_without_content():
    page = parse("<p>a<script>var b = 1;</script><style>p {}</style>c")
    assert [page.text(row) for row in page.text_rows] == ["a", "var b = 1;", "p {}", "c"]
    assert page.words[page.text_rows].tolist() == [1, 0, 0, 1]
    assert page.chars[page.text_rows].tolist() == [1, 0, 0, 1]


def test_comments_and_doctypes_make_no_rows_but_part_text():
    page = parse("<!DOCTYPE html><!-- a --><p>b<!-- c -->d<?e?>f</p><!-- g -->")
    assert [page.text(row) for row in page.text_rows] == ["b", "d", "f"]
    assert [page.name(row) for row in range(len(page))] == [
        "html", "head", "body", "p", "#text", "#text", "#text",
    ]  # fmt: skip


def test_the_content_of_a_template_stands_under_it():
    page = parse("<template>a<template><td>b</td></template></template>")
    assert shape(page) == [
        ("html", -1, 8, 0),
        ("head", 0, 7, 1),
        ("template", 1, 7, 2),
        ("#text", 2, 4, 3),
        ("template", 2, 7, 3),
        ("td", 4, 7, 4),
        ("#text", 5, 7, 5),
        ("body", 0, 8, 1),
    ]


def test_a_page_of_frames_has_no_body():
    page = parse("<frameset><frame src=a></frameset>")
    assert [page.name(row) for row in range(len(page))] == ["html", "head", "frameset", "frame"]
    assert page.body == 0


def test_cdata_in_svg_is_text():
    page = parse("<svg><text><![CDATA[a <b> c]]></text></svg>")
    assert page.text(int(page.text_rows[0])) == "a <b> c"


def test_names_of_html_have_the_same_number_everywhere():
    page = parse("<my-card><p>a<other-card><svg><foreignObject/></svg><my-card>")
    assert page.names[: len(NAMES)] == NAMES
    assert page.names[len(NAMES) :] == ("my-card", "other-card", "foreignObject")
    assert page.name(rows_named(page, "p")[0]) == "p"


# --- limits --------------------------------------------------------------------------------------

LIST = "<ul>" + "<li>one <b>two</b></li>" * 9 + "</ul>"


@pytest.mark.parametrize(
    ("limits", "status"),
    [
        (Limits(), "complete"),
        (Limits(bytes=len(LIST)), "complete"),
        (Limits(bytes=100), "cut at 100 characters"),
        (Limits(rows=4 + 9 * 4), "complete"),
        (Limits(rows=12), "cut at 12 rows"),
        (Limits(depth=5), "complete"),
        (Limits(depth=4), "cut at 4 levels"),
        (Limits(bytes=100, rows=12), "cut at 100 characters; cut at 12 rows"),
        (
            Limits(bytes=150, rows=6, depth=3),
            "cut at 150 characters; cut at 3 levels; cut at 6 rows",
        ),
    ],
)
def test_limits_cut_and_are_named(limits, status):
    page = parse(LIST, limits=limits)
    check_nesting(page)
    assert page.status == status
    assert len(page) <= limits.rows
    assert page.level.max() <= limits.depth
    assert len(page.source) <= limits.bytes


def test_limits_count_bytes_of_bytes():
    page = parse(("<p>" + "\u00e9" * 100).encode(), limits=Limits(bytes=103))
    assert page.status == "cut at 103 bytes"
    assert page.charset == "utf-8"
    assert page.texts == ("\u00e9" * 50,)


def test_a_cut_keeps_what_came_first():
    page = parse(LIST, limits=Limits(rows=8))
    assert page.all().text() == "- one two"


def test_depth_past_the_parsers_own_is_reported():
    page = parse("<div>" * 600 + "deep")
    check_nesting(page)
    assert page.status == "flattened at 512 levels"
    assert page.all().text() == "deep"


@pytest.mark.parametrize("field", ["bytes", "rows", "depth"])
@pytest.mark.parametrize("value", [0, -1])
def test_limits_that_leave_nothing_are_refused(field, value):
    with pytest.raises(UsageError, match=rf"limit {field} is {value}: give a whole number"):
        Limits(**{field: value})


@pytest.mark.slow
@given(soup)
@settings(max_examples=100)
def test_cut_pages_nest_and_render(source):
    for limits in (
        Limits(rows=1),
        Limits(rows=7),
        Limits(depth=1),
        Limits(depth=3),
        Limits(bytes=20),
    ):
        page = parse(source, limits=limits)
        check_nesting(page)
        document = thresher.extract(page, method="plain")
        for form in ("text", "markdown", "html", "json", "tei"):
            assert isinstance(document.render(form), str)


# --- input ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "source", ["", " \n\t ", b"", b" \r\n", "\ufeff", b"\xef\xbb\xbf", b"\xff\xfe"]
)
def test_nothing_to_read_is_an_empty_page(source):
    page = parse(source, url="https://example.org/")
    check_nesting(page)
    assert (len(page), page.status, page.body) == (0, "empty", -1)
    assert not page.all()
    assert page.all().text() == ""
    assert len(page.tokens.row) == len(page.blocks) == 0
    assert len(page.flow().row) == len(page.markup) == len(page.row_offsets) == 0
    assert page.lines(0).rows_of(np.zeros(len(page.lines(0)), np.bool_)).tolist() == []
    assert page.lines(80).content.sum() == 0
    assert len(page.only(page.all())) == len(page.only(page.none())) == 0
    assert page.resolve("a") == "https://example.org/a"
    assert pickle.loads(pickle.dumps(page)).status == "empty"
    for name in thresher.methods.names():
        document = thresher.extract(page, method=name)
        assert (document.text, document.title, document.blocks) == ("", "", [])
        assert document.status == "empty"
        for form in ("text", "markdown", "html", "json", "tei"):
            assert isinstance(document.render(form), str)


def test_a_path_is_a_file(tmp_path):
    file = tmp_path / "tea.html"
    file.write_bytes("<p>чай".encode("windows-1251"))
    page = parse(file, charset="windows-1251")
    assert page.texts == ("чай",)


def test_a_file_that_cannot_be_read(tmp_path):
    with pytest.raises(
        InputError, match=r"cannot read .*missing\.html: no such file or directory\. Check"
    ):
        parse(tmp_path / "missing.html")
    with pytest.raises(InputError, match="is a directory"):
        parse(tmp_path)


def test_a_path_that_no_system_knows():
    with pytest.raises(InputError, match="cannot read"):
        parse(Path("\0"))


@pytest.mark.parametrize("source", [None, 5, ["<p>"]])
def test_other_input_is_refused(source):
    with pytest.raises(
        UsageError, match=f"cannot parse a {type(source).__name__}: give HTML as str"
    ):
        parse(source)


@pytest.mark.parametrize("kind", [bytearray, memoryview])
def test_bytes_of_other_kinds_are_bytes_or_refused(kind):
    with pytest.raises(UsageError, match="cannot parse a"):
        parse(kind(b"<p>tea"))


# --- addresses -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("head", "link", "address"),
    [
        ("", "b", "https://example.org/a/b"),
        ("", " b ", "https://example.org/a/b"),
        ("", "/b?c=d#e", "https://example.org/b?c=d#e"),
        ("", "//other.org/b", "https://other.org/b"),
        ("", "http://other.org/b", "http://other.org/b"),
        ("", "#top", "https://example.org/a/page#top"),
        ("", "", "https://example.org/a/page"),
        ("", "mailto:tea@example.org", "mailto:tea@example.org"),
        ("", "http://[", ""),
        ("", "javascript:alert(1)", ""),
        ("<base href=javascript:x>", "b", "https://example.org/a/b"),
        ("<base href=https://other.org/x/>", "b", "https://other.org/x/b"),
        ("<base href=/x/>", "b", "https://example.org/x/b"),
        ("<base href=x/><base href=y/>", "b", "https://example.org/a/x/b"),
        ("<base target=_blank><base href=y/>", "b", "https://example.org/a/y/b"),
        ("<base href=''>", "b", "https://example.org/a/b"),
    ],
)
def test_links_resolve(head, link, address):
    page = parse(f"<head>{head}</head><p>a", url="https://example.org/a/page")
    assert page.resolve(link) == address
    assert page.only(page.all()).resolve(link) == page.resolve(link)


@given(st.text(max_size=20), st.text(max_size=20), st.text(max_size=20))
@example("http://[", "#x", "http://[")
@example("\0", "\0:", "http:///")
def test_links_never_raise(base, link, url):
    page = replace(parse(f'<base href="{escape(base)}"><p>a'), url=url)  # `parse` refuses some
    assert isinstance(page.resolve(link), str)
    assert isinstance(thresher.extract(page).markdown(), str)
    assert isinstance(thresher.extract(page).render("json"), str)


@pytest.mark.parametrize("url", ["http://[", "https://[::1", "http://\u2100.com/"])
def test_what_is_no_address_is_refused(url):
    with pytest.raises(UsageError, match="is no address: give one such as https://"):
        parse("<p>a", url=url)
    with pytest.raises(UsageError, match="the url is a int: give it as str"):
        parse("<p>a", url=5)


def test_links_without_an_address_stay_as_they_are():
    page = parse("<a href=b>")
    assert page.base_url == ""
    assert page.resolve("b/c#d") == "b/c#d"
    assert parse("<base href=https://other.org/>x").resolve("b") == "https://other.org/b"


def test_lone_surrogates_are_replaced_in_a_page_whose_text_has_some():
    page = parse('<p title="a\udfffb">Hello \ud800 there, \N{PILE OF POO}')
    assert page.html == '<p title="a\ufffdb">Hello \ufffd there, \N{PILE OF POO}'
    assert page.all().text() == "Hello \ufffd there, \N{PILE OF POO}"
    assert thresher.extract("<p>Hello \ud800 there my friend").text.encode()
    assert parse("<p>Hello &#xD800; there").all().text() == "Hello \ufffd there"


@pytest.mark.parametrize(
    ("html", "chars"),
    [
        ("<p>one <b>two</b> three", [4, 3, 6]),  # "one two three"
        ("<p>one<b> two</b> three", [3, 4, 6]),
        ("<b>a</b> <i>b</i>", [2, 0, 1]),  # blank text belongs to the text before
        ("<p> one </p><p> two </p>", [3, 3]),
        ("<p>one <br> two", [3, 3]),
        ("<p>one<b>two</b>", [3, 3]),
        ("<p>one <script>x</script> two", [4, 0, 3]),
        ("<p>a  \n<b>  </b>  b", [2, 0, 1]),
        ("<p>a\xa0<b>b", [2, 1]),  # a space that does not break is a character like others
    ],
)
def test_white_space_is_collapsed_over_a_run_of_text(html, chars):
    page = parse(html)
    assert page.chars[page.text_rows].tolist() == chars


def test_an_anchor_without_an_address_is_no_link():
    page = parse(
        "<a name=top>one<p>two</p><a href=''>three</a><a>four</a><svg><a xlink:href=x>five"
    )
    assert [page.text(row) for row in page.text_rows if page.linked[row]] == ["three", "five"]
    assert page.is_link.sum() == 2


@pytest.mark.parametrize(
    ("text", "limit", "left", "status"),
    [
        ("<p>" + "é" * 100, 103, "<p>" + "é" * 50, "cut at 103 bytes"),
        ("<p>" + "🍵" * 100, 102, "<p>" + "🍵" * 24, "cut at 102 bytes"),
        ("<p>" + "中" * 100, 303, "<p>" + "中" * 100, "complete"),
        ("<p>" + "x" * 99 + "中", 102, "<p>" + "x" * 99, "cut at 102 bytes"),
        ("<p>" + "\udc85" * 100, 33, "<p>" + "\ufffd" * 10, "cut at 33 bytes"),
    ],
)
def test_a_str_is_cut_at_the_bytes_of_its_utf_8(text, limit, left, status):
    page = parse(text, limits=Limits(bytes=limit))
    assert page.source == left
    assert page.status == status


@pytest.mark.parametrize("sign", ["\u200b", "\u200b\u200d", "\ufeff", " \u200c", "\u2060\u200e"])
def test_signs_without_a_width_alone_are_no_text(sign):
    page = parse(f"<p>Hot<p>{sign}<h2>{sign}</h2><ul><li>{sign}</ul><p>tea{sign}pot")
    assert page.all().text() == f"Hot\n\ntea{sign}pot"
    assert thresher.extract(page, method="plain").markdown().count("\n\n") == 1
    assert len(page.blocks) == 2
    within = parse(f"<p><i>{sign}</i>Hot<b>{sign}</b>tea").all().text()
    assert within == f"Hot{sign}tea"


# --- what `rewritten` may have to know ---------------------------------------------------------

SIGNS = (
    "<pre>", "</pre>", "<div class='a line'>", "<div>", "</div>", "<code>", "</code>", "<p>",
    "</p>", "<template>", "</template>", "<ul class=task>", "<ul role=tablist>",
    "<label for=tab-1>x", "<header class=recipe>", "<meta name=generator>",
    "<meta property=a name=generator>",
    "<script type='Math/MML '>", "</script>", "<textarea name=code>1</textarea>", " 1 ", "]", "ab ",
)  # fmt: skip


@needs_kernels
@given(st.lists(st.sampled_from(SIGNS), max_size=14))
@example([*["<div><code>a</code></div>"] * 99, "<div class=line><code>a</code></div>"])
@example([*["<div><code>a</code></div>"] * 100, "<div class=line><code>a</code></div>"])
@example(["<b>a </b><i> 1 </i><b> b</b>"])
def test_the_compiled_walk_finds_the_same_signs(pieces):
    document = turbohtml.parse(f"<body>{''.join(pieces)}", allow_declarative_shadow_roots=False)
    walked = reading._walked_rows(document, Limits())
    plain = reading._plain_rows(document, Limits())
    assert walked.may_have_lines == plain.may_have_lines
    assert walked.of_one_sign == plain.of_one_sign
    assert walked.values["stated"] == plain.values["stated"]
