"""Documents: title, blocks, status, every form; always an answer."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import thresher
from pages import soup, well_formed
from thresher import (
    Block,
    Document,
    Include,
    InputError,
    Page,
    Selection,
    UsageError,
    extract,
    methods,
    parse,
)

FORMS = ("text", "markdown", "html", "json", "tei")

ARTICLE = """<!DOCTYPE html>
<html lang="en"><head><title>Making tea | The Kettle</title></head>
<body><nav><a href="/">Home</a> <a href="/about">About</a></nav>
<h1>Making tea</h1>
<p>Warm the pot first, then put in <a href="leaves">two spoons of leaves</a>.</p>
<ul><li>Water just off the boil</li><li>Three minutes</li></ul>
<table><tr><th>Kind</th><th>Minutes</th></tr><tr><td>Green</td><td>2</td></tr></table>
<blockquote>Tea first, milk after.</blockquote>
<pre>steep(3)
  pour()</pre>
<figure><img src="pot.jpg" alt="a pot"><figcaption>The pot.</figcaption></figure>
<div class="comments"><p>Lovely, thank you.</p></div>
</body></html>
"""


def plain(source: str, **options) -> Document:
    return extract(source, method="plain", **options)


# --- title ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "title"),
    [
        ("<title>Tea</title><p>x", "Tea"),
        ("<title>  Tea \n time </title><p>x", "Tea time"),
        (
            "<title>Making tea | The Kettle</title><h1>The Kettle</h1><h2>Making tea</h2>",
            "The Kettle",
        ),
        ("<title>Making tea | The Kettle</title><h1>Home</h1><h2>MAKING TEA</h2>", "MAKING TEA"),
        ("<title>Making tea | The Kettle</title><h1>Other</h1>", "Making tea | The Kettle"),
        ("<title>Teapots</title><h1>Tea</h1>", "Teapots"),
        ("<h2>One</h2><h1>Two</h1><h1>Three</h1>", "Two"),
        ("<h2>One</h2>", ""),
        ("<h1 hidden>One</h1><h1>Two</h1>", "Two"),
        ("<title></title><h1>One</h1>", "One"),
        ("<title>Tea &amp; time</title>", "Tea & time"),
        ("<p>x<svg><title>icon</title></svg></p>", ""),
        ("<title>...</title><h1>...</h1>", "..."),
        ("", ""),
    ],
)
def test_title(source, title):
    assert plain(source).title == title


# --- blocks --------------------------------------------------------------------------------------


def test_kinds_and_places_of_blocks():
    document = plain(ARTICLE)
    found = [(block.kind, block.text) for block in document.blocks]
    assert found == [
        ("paragraph", "Home About"),
        ("heading", "Making tea"),
        ("paragraph", "Warm the pot first, then put in two spoons of leaves."),
        ("list", "Water just off the boil"),
        ("list", "Three minutes"),
        ("table", "Kind"),
        ("table", "Minutes"),
        ("table", "Green"),
        ("table", "2"),
        ("quote", "Tea first, milk after."),
        ("code", "steep(3)\n  pour()"),
        ("caption", "The pot."),
        ("paragraph", "Lovely, thank you."),
    ]
    for block in document.blocks:
        place = block.position
        assert ARTICLE[place.offset :].startswith(block.text[:4])
        assert ARTICLE.split("\n")[place.line - 1][place.column :].startswith(block.text[:4])
    assert document.blocks[1].position.css_path.endswith("h1")


def test_a_block_that_is_kept_in_part_stands_where_its_kept_text_does():
    page = parse("<p>one <b>two</b></p>")
    document = extract(page, method=lambda page: page.select(page.text_rows[1:]))
    assert [(block.text, block.position.column) for block in document.blocks] == [("two", 10)]


@given(st.one_of(well_formed, soup))
@settings(max_examples=150)
def test_blocks_of_any_page(source):
    document = plain(source)
    for block in document.blocks:
        assert isinstance(block, Block)
        assert block.kind in ("heading", "paragraph", "list", "table", "code", "quote", "caption")
        assert block.text.strip()
        assert 0 <= block.position.offset <= len(document.page.source)


# --- status --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "method", "status"),
    [
        ("<p>tea", "plain", "complete"),
        ("", "plain", "empty"),
        (" \n", "bte", "empty"),
        ("<p></p>", "plain", "no content found"),
        ("<img>", "bte", "no content found"),
        ("<script>x</script>", "addanag", "no content found"),
        ("<div>" * 600, "plain", "flattened at 512 levels; no content found"),
        ("<div>" * 600 + "x", "plain", "flattened at 512 levels"),
    ],
)
def test_status(source, method, status):
    assert extract(source, method=method).status == status


def test_status_of_a_cut_page():
    page = parse("<p>tea</p>" * 9, limits=thresher.Limits(rows=6))
    assert plain(page).status == "cut at 6 rows"
    none = extract(page, method=lambda page: page.none())
    assert none.status == "cut at 6 rows; no content found"


# --- forms ---------------------------------------------------------------------------------------


def test_to_dict_is_plain_data():
    data = plain(ARTICLE, url="https://example.org/tea/").to_dict()
    assert json.loads(json.dumps(data)) == data
    assert json.loads(plain(ARTICLE, url="https://example.org/tea/").render("json")) == data
    assert list(data) == ["title", "url", "language", "status", "method", "text", "blocks"]
    assert data["title"] == "Making tea"
    assert data["language"] == "en"
    assert data["method"] == "plain"
    assert data["blocks"][1] == {
        "kind": "heading", "text": "Making tea", "line": 4, "column": 4,
        "css_path": "html > body > h1",
    }  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_render_equals_the_named_forms(form):
    document = plain(ARTICLE)
    named = {
        "text": document.text,
        "markdown": document.markdown(),
        "html": document.html(),
        "json": json.dumps(document.to_dict(), ensure_ascii=False, indent=2),
        "tei": document.tei(),
    }
    assert document.render(form) == named[form]
    assert "Warm the pot" in named[form]
    assert document.render(form) == document.render(form)


def test_an_unknown_form_is_refused():
    with pytest.raises(
        UsageError, match=r"no format 'pdf': give text, markdown, html, json, tei or in-place\."
    ):
        plain("<p>x").render("pdf")


@pytest.mark.parametrize("form", FORMS)
def test_tables_on_and_off(form):
    document = plain(ARTICLE)
    assert "Green" in document.render(form)
    without = document.render(form, Include(tables=False))
    assert "Green" not in without
    assert "Three minutes" in without


@pytest.mark.parametrize("form", FORMS)
def test_readers_comments_on_and_off(form):
    document = plain(ARTICLE)
    assert "Lovely" in document.render(form)
    without = document.render(form, Include(comments=False))
    assert "Lovely" not in without
    assert "Three minutes" in without


def test_links_and_images_on_and_off():
    document = plain(ARTICLE, url="https://example.org/tea/")
    assert "(https://example.org/tea/leaves)" in document.markdown()
    assert "pot.jpg" in document.markdown()
    assert "leaves)" not in document.markdown(Include(links=False))
    assert "two spoons of leaves" in document.markdown(Include(links=False))
    assert "pot.jpg" not in document.markdown(Include(images=False))


@pytest.mark.parametrize(
    ("markup", "is_comment"),
    [
        ("class=comments", True), ("id=comment-list", True), ("class='post Comment'", True),
        ("id=disqus_thread", True),
        ("class=commentary", False), ("class=uncomment", False), ("itemprop=comment", True),
    ],
)  # fmt: skip
def test_what_counts_as_readers_comments(markup, is_comment):
    document = plain(f"<p>one</p><div {markup}><p>two</p></div>")
    assert document.render("text", Include(comments=False)) == (
        "one" if is_comment else "one\n\ntwo"
    )


def test_a_body_named_comments_is_still_the_page():
    assert plain("<body class=comments><p>one").render("text", Include(comments=False)) == "one"


def test_a_notebook_shows_the_status_escaped():
    page = parse("<p>one</p>")
    shown = plain(page)._repr_html_()
    assert "complete" in shown
    assert "one" in shown
    odd = Document(page, page.all(), "plain")
    odd.__dict__["status"] = "<script>alert(1)</script>"
    assert "<script>" not in odd._repr_html_()


def test_the_language():
    assert plain("<html lang=de><p>x").language == "de"
    assert plain("<html lang=''><p>x").language is None
    assert plain("").language is None


# --- extract -------------------------------------------------------------------------------------


def test_every_kind_of_input(tmp_path):
    file = tmp_path / "page.html"
    file.write_bytes(ARTICLE.encode())
    texts = {plain(source).text for source in (ARTICLE, ARTICLE.encode(), file, parse(ARTICLE))}
    assert len(texts) == 1
    with pytest.raises(InputError):
        extract(Path(tmp_path / "missing"))
    with pytest.raises(UsageError):
        extract(5)


def test_the_url_is_kept():
    assert plain("<p>x", url="https://example.org/").url == "https://example.org/"
    assert plain("<p>x").url is None


def test_every_kind_of_method():
    page = parse(ARTICLE)
    assert extract(page, method="cetd").method == "cetd"
    assert extract(page, method='cetd(threshold="body")').selection == methods.get(
        "cetd", threshold="body"
    )(page)
    assert extract(page, method=methods.get("bte", tag_cost=2.0)).method == "bte(tag_cost=2.0)"
    own = extract(page, method=lambda page: page.select(page.text_rows[:3]))
    assert len(own.selection) == 3
    assert isinstance(own.method, str)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "no-such"}, "no method 'no-such'"),
        ({"method": "bte(("}, "cannot read the method"),
        ({"method": "bte(nothing=1)"}, "has no option 'nothing'"),
        ({"method": 5}, "method must be a name such as"),
        ({"favor": "speed"}, "cannot favor 'speed': give precision, balance or recall"),
    ],
)
def test_bad_arguments(options, message):
    with pytest.raises(UsageError) as caught:
        extract("<p>x", **options)
    assert message in str(caught.value)


@pytest.mark.parametrize("favor", ["precision", "balance", "recall"])
def test_favor(favor):
    paragraph = "<p>" + "Warm the pot first, then put in two spoons of leaves. " * 9 + "</p>"
    document = extract(paragraph * 3, favor=favor)
    assert document.text.count("Warm the pot") == 27
    assert document.method in methods.names()


def test_a_method_may_answer_with_a_part():
    page = parse(ARTICLE)

    def in_series(page: Page) -> Selection:
        part = page.only(methods.get("plain")(page))
        return methods.get("bte")(part.only(part.all()))

    document = extract(page, method=in_series)
    assert document.selection.page is page
    assert "Warm the pot" in document.html()


@given(
    st.one_of(
        soup, st.binary(max_size=120), st.binary(max_size=80).map(lambda b: b"<p>" + b + b"<td>")
    )
)
@settings(max_examples=200)
@example("<p>\ud800")
@example("<ol start=99999999999999999999><li value=-99999999999>x")
@example("<table><td colspan=99999999 rowspan=-1>x<td>y")
@example("<a href='http://['>x</a><img src='http://[' srcset=',,, 1x'>")
@example("<math><annotation encoding=application/x-tex>\\x</annotation></math>")
def test_garbage_gives_a_document(source):
    for name in methods.names():
        document = extract(source, method=name, url="https://example.org/")
        assert isinstance(document, Document)
        assert document.status
        assert isinstance(document.title, str)
        assert json.loads(json.dumps(document.to_dict()))
    for form in FORMS:
        assert isinstance(document.render(form), str)
        assert isinstance(document.render(form, Include(False, False, False, False)), str)
    assert document._repr_html_().startswith("<div>")


# --- what a reviewer tripped over ----------------------------------------------------------------


@pytest.mark.parametrize("name", ["page.html", "https://a.example/b", " folder/a page.htm "])
def test_a_name_is_not_taken_for_a_page(name):
    with pytest.raises(thresher.UsageError, match="is a name, not HTML"):
        thresher.extract(name)


def test_text_without_tags_is_a_page():
    assert thresher.extract("Read page.html, please.", method="plain").text


@pytest.mark.parametrize("answer", [None, "text", np.ones(1, np.bool_)])
def test_a_method_must_return_a_selection_of_the_page(answer):
    with pytest.raises(thresher.UsageError, match="did not return a Selection"):
        thresher.extract("<p>one", method=lambda page: answer)
    other = thresher.parse("<p>two")
    with pytest.raises(thresher.UsageError, match="did not return a Selection"):
        thresher.extract("<p>one", method=lambda page: other.all())


def test_a_class_is_no_method():
    with pytest.raises(thresher.UsageError, match="callable on a page"):
        thresher.extract("<p>one", method=type(thresher.methods.get("bte")))


def test_an_address_is_given_to_a_parsed_page():
    page = thresher.parse('<p><a href="/x">one</a> two three four')
    document = thresher.extract(page, url="https://a.example/", method="plain")
    assert document.url == "https://a.example/"
    assert "https://a.example/x" in document.markdown()


def test_the_title_is_the_longest_heading_of_the_title():
    html = "<title>Foo of Bar | Site</title><h2>Site</h2><h1>Foo of Bar¶</h1>"
    assert thresher.extract(html).title == "Foo of Bar"


@pytest.mark.parametrize("name", ["post has-comments", "comments-open", "comments"])
def test_an_article_is_not_taken_for_comments(name):
    words = "wheat and chaff " * 30
    document = thresher.extract(f'<div class="{name}"><p>{words}</p></div>', method="plain")
    assert document.render("text", thresher.Include(comments=False)) == words.strip()


def test_tables_of_layout_stay_when_tables_are_off():
    html = "<table><tr><td><h1>T</h1><p>a b c</p><p>d e f</p></table><table><tr><td>1<td>2</table>"
    document = thresher.extract(html, method="plain")
    assert (
        document.render("text", thresher.Include(tables=False)).split() == "T a b c d e f".split()
    )


def test_hidden_words_are_told_when_nothing_is_found():
    assert thresher.extract("<p hidden>one two</p>").status == (
        "no content found (2 words are hidden)"
    )
