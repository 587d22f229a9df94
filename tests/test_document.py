"""Documents: metadata, blocks, status, output formats, and arguments of `extract`."""

import gc
import json
import pickle
import re
import weakref
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

import thresher
from tests.pages import soup, well_formed
from tests.structure.threads.markup import XENFORO, records_html
from thresher import (
    Block,
    Document,
    Include,
    InputError,
    Page,
    Selection,
    UsageError,
    combine,
    extract,
    metadata,
    methods,
    parse,
)
from thresher.metadata import headline
from thresher.methods.default.features import KINDS as PAGE_KINDS
from thresher.structure import block_kinds as kinds
from thresher.structure import threads
from thresher.structure.block_kinds import KINDS, STRUCTURES

FORMS = ("text", "markdown", "html", "json", "tei", "speech")

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


# --- metadata ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "title"),
    [
        ("<title>Tea</title><p>x", "Tea"),
        ("<title>  Tea \n time </title><p>x", "Tea time"),
        ("<title>Making tea | The Kettle</title><h1>Making tea¶</h1><p>x", "Making tea"),
        ("<h2>One</h2><h1>Two</h1><h1>Three</h1>", "Two"),
        ("<h1 hidden>One</h1><h1>Two</h1>", "Two"),
        ("<title>Tea &amp; time</title>", "Tea & time"),
        ("<p>x<svg><title>icon</title></svg></p>", ""),
        ("", ""),
    ],
)
def test_title(source, title):
    assert plain(source).title == title


def test_the_headline_has_its_row():
    document = plain(ARTICLE)
    assert document.headline.text == document.title == "Making tea"
    assert document.page.name(document.headline.row) == "h1"
    assert plain("<title>Tea</title>").headline.row == -1


WITH_METADATA = """<html lang="en-GB"><head><title>Tea</title>
<meta property="og:site_name" content="Kettle"><meta name="author" content="Ada Lovelace">
<meta property="article:published_time" content="2024-05-03"></head>
<body><h1>Tea</h1><p>Warm the pot.</p></body></html>"""


def test_properties_that_are_short_for_metadata():
    document = plain(WITH_METADATA)
    assert document.authors == ("Ada Lovelace",)
    assert document.date == "2024-05-03"
    assert document.site == "Kettle"
    assert document.language == "en-GB"
    assert document.metadata.published.source == "article:published_time"


def test_missing_metadata_is_none():
    document = plain("<p>x")
    assert (document.authors, document.date, document.site, document.language) == (
        (), None, None, None,
    )  # fmt: skip


def test_posts_of_a_thread():
    posts = "".join(
        f"<li class=comment id=comment-{n}><cite class=fn>Ada</cite> <time datetime=2024-05-0{n}>"
        f"then</time><p>Mine is silent since I turned the flame down {n}.</p></li>"
        for n in (1, 2, 3)
    )
    document = plain(f"<article><h1>T</h1><p>Warm it.</p></article><ol class=commentlist>{posts}")
    assert [post.author for post in document.threads.posts] == ["Ada"] * 3
    assert plain("<p>x").threads.posts == ()


# --- blocks --------------------------------------------------------------------------------------


def test_kinds_and_positions_of_blocks():
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
        ("comment", "Lovely, thank you."),
    ]
    for block in document.blocks:
        place = block.position
        assert ARTICLE[place.offset :].startswith(block.text[:4])
        assert ARTICLE.split("\n")[place.line - 1][place.column :].startswith(block.text[:4])
    assert document.blocks[1].position.css_path.endswith("h1")


def test_the_position_of_a_partly_kept_block_is_that_of_its_kept_text():
    page = parse("<p>one <b>two</b></p>")
    document = extract(page, method=lambda page: page.select(page.text_rows[1:]))
    assert [(block.text, block.position.column) for block in document.blocks] == [("two", 10)]


def test_a_block_knows_its_piece_of_the_source():
    page = parse("<p>one <b>two</b>\n<i>three</i> four</p><p>five")
    document = extract(page, method=lambda page: page.select(page.text_rows[:4]))
    (block,) = document.blocks
    assert block.source == "one <b>two</b>\n<i>three"
    assert block.end == (2, 8, 26)
    assert [block.source for block in document.page_blocks] == [
        "one <b>two</b>\n<i>three</i> four",
        "five",
    ]


@given(st.one_of(well_formed, soup))
@settings(max_examples=100)
def test_kept_blocks_of_random_pages(source):
    document = plain(source)
    for block in document.blocks:
        assert isinstance(block, Block)
        assert block.kind in (*STRUCTURES, "comment", "meta")
        assert block.kept
        assert block.text.strip()
        assert 0 <= block.position.offset <= len(document.page.source)


@given(st.one_of(well_formed, soup))
@settings(max_examples=60, deadline=None)
def test_all_blocks_of_random_pages(source):
    document = extract(source)
    for block in document.page_blocks:
        assert block.kind in KINDS
        assert 0 <= block.probability <= 1
        assert len(block.reasons) <= 3
    assert sum(block.kept for block in document.page_blocks) == len(document.blocks)
    assert document.select(KINDS).selection.words == document.page.words.sum()
    assert document.select("main").selection == document.selection


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


# --- output formats ------------------------------------------------------------------------------


def test_to_dict_is_plain_data():
    document = plain(ARTICLE, url="https://example.org/tea/")
    usual, data = document.to_dict(), document.to_dict(fields="+blocks, related")
    assert json.loads(json.dumps(data)) == data
    assert json.loads(document.render("json")) == usual
    assert json.loads(document.json(fields=["+blocks", "related"])) == data
    assert list(usual) == [
        "title", "authors", "date", "site", "language", "url", "kind", "confidence", "no_content",
        "status", "method", "readable", "kinds", "metadata", "text", "posts",
    ]  # fmt: skip
    assert list(data) == [*usual, "blocks", "related"]
    assert data["title"] == "Making tea"
    assert data["language"] == "en"
    assert data["site"] == "example.org"
    assert data["metadata"]["site"] == {"value": "example.org", "source": "address"}
    assert data["kind"] == max(data["kinds"], key=data["kinds"].__getitem__)
    assert data["readable"] is False
    assert 0 < data["confidence"] <= 1
    assert data["method"] == "plain"
    assert 0 <= data["blocks"][1].pop("probability") <= 1
    assert data["blocks"][1] == {
        "kind": "heading", "text": "Making tea", "line": 4, "column": 4,
        "offset": ARTICLE.index("Making tea</h1>"), "end_line": 4, "end_column": 14,
        "end_offset": ARTICLE.index("</h1>"),
        "css_path": "html > body > h1",
    }  # fmt: skip


def test_fields_are_written_in_the_order_given():
    document = plain(WITH_METADATA, url="https://kettle.example/tea")
    names = thresher.document.field_names()
    assert list(document.to_dict(fields=reversed(names))) == list(reversed(names))
    data = document.to_dict(fields="text,markdown,html,authors,title,authors")
    assert list(data) == ["text", "markdown", "html", "authors", "title"]
    assert data["text"] == document.text
    assert data["markdown"] == document.markdown()
    assert data["html"] == document.html()
    assert data["authors"] == list(document.authors)


def test_each_field_of_the_metadata_is_a_field():
    document = plain(WITH_METADATA, url="https://kettle.example/tea")
    for name, entry in document.metadata.to_dict().items():
        assert document.to_dict(fields=[name]) == {name: entry["value"]}
    assert plain("<p>tea").to_dict(fields="licence,tags") == {"licence": None, "tags": []}


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ("title,autors", r"no field 'autors': the fields are title, authors, date, .*\."),
        ("title,", r"a field has no name: the fields are title, .*\."),
        ("", r"a field has no name: the fields are title, .*\."),
        ((), r"no field is chosen: the fields are title, .*\."),
        ("+input", r"no field 'input': the fields are title, .*\."),
    ],
)
def test_an_unknown_field_is_refused(fields, message):
    with pytest.raises(UsageError, match=message):
        plain("<p>x").to_dict(fields=fields)


# --- title and front matter ----------------------------------------------------------------------

TITLED = """<html lang=en><head><title>Green tea | The Kettle</title>
<meta name=author content="Ada Byron"></head><body><h1>Green tea<a href="#top">¶</a></h1>
<p>Green tea needs cooler water.</p><h2>Green tea</h2><p>A section of the same name.</p>"""


@pytest.mark.parametrize("form", ["text", "markdown", "html", "tei", "json"])
@pytest.mark.parametrize("keeps_it", [True, False])
def test_the_title_is_the_first_heading_or_left_out(form, keeps_it):
    document = plain(TITLED)
    if not keeps_it:
        heading = document.page.under([document.headline.row])
        document = Document(document.page, document.selection - heading, "plain")

    def shown(include):
        is_json = form == "json"
        found = document.json(include, fields="text") if is_json else document.render(form, include)
        body = found.split("<text>")[-1]  # without the header of TEI
        return re.findall("Green tea(?! needs)", body)

    assert len(shown(Include(title=True))) == 2  # the title and the section
    assert len(shown(Include(title=False))) == 1
    assert len(shown(Include())) == 1 + keeps_it


@pytest.mark.parametrize(("forum", "kind"), [(0.95, "thread"), (0.2, "thread"), (0.01, "comments")])
def test_posts_are_a_thread_if_they_are_content(forum, kind):
    document = extract(records_html(XENFORO))
    assert document.judgement is not None
    judgement = replace(document.judgement, kinds={**document.judgement.kinds, "forum": forum})
    document.__dict__["judgement"] = judgement
    assert document.threads.kind == kind
    assert len(document.to_dict()["posts"]) == (len(document.threads) if kind == "thread" else 0)


def test_the_title_as_a_heading():
    document = extract(TITLED, method="plain")
    assert document.markdown(Include(title=True)).startswith("# Green tea\n\nGreen tea needs")
    assert document.html(Include(title=True)).startswith("<article><h1>Green tea</h1><p>Green")
    assert document.render("text", Include(title=True)).startswith("Green tea\n\nGreen tea needs")
    assert document.render("text", Include(title=False)).startswith("Green tea needs")
    odd = extract("<title>*Tea* &lt;b> &amp; [milk](x)</title><p>one", method="plain")
    assert odd.markdown(Include(title=True)) == "# \\*Tea\\* &lt;b> & \\[milk\\](x)\n\none"


def test_the_title_of_other_formats():
    document = extract(TITLED)
    assert document.speech().startswith("Green tea.")
    assert not document.speech(Include(title=False)).startswith("Green tea.")
    page = parse(TITLED)
    dropped = Document(page, page.all() - page.under([document.headline.row]), "plain")
    assert 'h1 style="visibility' in dropped.render("in-place")
    assert 'h1 style="visibility' not in dropped.render("in-place", Include(title=True))
    kept = Document(page, page.all(), "plain")
    assert 'h1 style="visibility' in kept.render("in-place", Include(title=False))


def test_a_title_without_a_heading_is_left_out_at_the_beginning_only():
    page = "<title>Green tea</title><p><b>Green</b> tea</p><p>one</p><p>Green tea</p>"
    document = plain(page)
    assert document.render("text", Include(title=False)) == "one\n\nGreen tea"
    assert document.render("text", Include(title=True)) == "Green tea\n\none\n\nGreen tea"
    assert plain("").render("text", Include(title=True)) == ""
    assert plain("<title>Tea</title><p>Tea").render("markdown", Include(title=True)) == "# Tea"


def test_metadata_before_the_content():
    document = plain(TITLED, url="https://kettle.example/green?a=1#b")
    written = document.markdown(Include(metadata=True))
    _, front, content = written.split("---\n", 2)
    assert yaml.safe_load(front) == {
        "title": "Green tea",
        "authors": ["Ada Byron"],
        "url": "https://kettle.example/green?a=1#b",
        "site": "kettle.example",
        "language": "en",
    }
    assert content.startswith("\nGreen tea needs cooler water.")
    assert document.render("text", Include(metadata=True)).startswith(
        "Title: Green tea\nAuthors: Ada Byron\nURL: https://kettle.example/green?a=1#b\n"
        "Site: kettle.example\nLanguage: en\n\nGreen tea needs cooler water.\n"
    )


def test_the_title_is_the_heading_or_in_the_front_matter():
    document = plain(TITLED)
    both = document.markdown(Include(metadata=True, title=True))
    assert both.startswith('---\nauthors:\n  - "Ada Byron"\n')
    assert "\n---\n\n# Green tea\n\nGreen tea needs" in both
    assert "title:" not in both
    only = document.markdown(Include(metadata=True, title=False))
    assert only == document.markdown(Include(metadata=True))
    assert plain("<p>one").markdown(Include(metadata=True)) == "one"


@pytest.mark.parametrize("form", FORMS)
def test_render_equals_the_methods_of_each_format(form):
    document = plain(ARTICLE)
    named = {
        "text": document.text,
        "markdown": document.markdown(),
        "html": document.html(),
        "json": json.dumps(document.to_dict(), ensure_ascii=False, indent=2),
        "tei": document.tei(),
        "speech": document.speech(),
    }
    assert document.render(form) == named[form]
    assert "Warm the pot" in named[form]
    assert document.render(form) == document.render(form)


def test_an_unknown_format_is_refused():
    with pytest.raises(
        UsageError,
        match=r"no format 'pdf': give text, markdown, html, json, tei, speech, in-place\.",
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
def test_names_of_readers_comments(markup, is_comment):
    document = plain(f"<p>one</p><div {markup}><p>two</p></div>")
    assert document.render("text", Include(comments=False)) == (
        "one" if is_comment else "one\n\ntwo"
    )


def test_a_body_named_comments_is_still_the_page():
    assert plain("<body class=comments><p>one").render("text", Include(comments=False)) == "one"


def test_the_notebook_view_escapes_the_status():
    page = parse("<p>one</p>")
    shown = plain(page)._repr_html_()
    assert "complete" in shown
    assert "one" in shown
    odd = Document(page, page.all(), "plain")
    odd.__dict__["status"] = "<script>alert(1)</script>"
    assert "<script>" not in odd._repr_html_()


def test_language():
    assert plain("<html lang=de><p>x").language == "de"
    assert plain("<html lang=''><p>x").language is None
    assert plain("").language is None


def test_the_tei_header_has_the_metadata():
    header = plain(WITH_METADATA, url="https://kettle.example/tea").tei().split("<text>")[0]
    for element in (
        "<title>Tea</title><author>Ada Lovelace</author>",
        "<publisher>Kettle</publisher>",
        '<date type="published" when="2024-05-03">2024-05-03</date>',
        '<ref target="https://kettle.example/tea">',
        '<note type="confidence">',
        "<keywords><term cert=",
    ):
        assert element in header


# --- the default's model -------------------------------------------------------------------------

PARAGRAPH = (
    "Warm the pot first, then put in two spoons of leaves for every cup, and one more for the pot "
    "itself, as number {} always said when the water was just off the boil."
)
NEWS = f"""<html lang="en"><head><title>Making tea | The Kettle</title>
<meta property="og:type" content="article"></head><body>
<nav><a href="/">Home</a> <a href="/about">About</a></nav>
<main><article><h1>Making tea</h1>
<p class="byline">By Ada · <time datetime="2024-05-03">3 May 2024</time></p>
{"".join(f"<p>{PARAGRAPH.format(n)}</p>" for n in range(4))}
<figure><img src="pot.jpg" alt="a pot"><figcaption>The pot that we warmed.</figcaption></figure>
{"".join(f"<p>{PARAGRAPH.format(n)}</p>" for n in range(4, 8))}
<p class="tags">Filed under <a rel="tag" href="/tag/tea">tea</a></p></article>
<section class="related"><h2>More for you</h2><ul>
<li><a href="/coffee">Why coffee wants a coarser grind</a></li>
<li><a href="/cocoa?b=1">Cocoa without any lumps at all</a></li>
<li><a href="#top">Back to the top of the page</a></li></ul></section></main>
<footer><a href="/imprint">Imprint</a> © The Kettle</footer></body></html>
"""


def test_the_kind_of_the_page():
    document = extract(NEWS)
    assert document.kind == "article"
    assert list(document.kinds) == list(PAGE_KINDS)
    assert sum(document.kinds.values()) == pytest.approx(1)
    assert document.kind == max(document.kinds, key=document.kinds.get)


def test_confidence_follows_what_is_kept():
    page = parse(NEWS)
    good, bad = extract(page), extract(page, method=lambda page: page.select(page.text_rows[:3]))
    assert 0.8 < good.confidence <= 1
    assert bad.confidence < good.confidence
    assert extract(page, method=lambda page: page.none()).confidence == 0


def test_a_page_without_text_has_no_kind():
    for source in ("", "<p></p>", "<script>x</script>"):
        document = extract(source)
        assert (document.kind, document.kinds, document.confidence) == ("", {}, 0.0)
        assert document.page_blocks == document.blocks == document.related == []
        assert not document.readable
        assert document.select("main").text == ""


def test_reading_only_the_text_computes_nothing_else(monkeypatch):
    def refuse(*_):
        raise AssertionError("not needed for the text")

    for module, name in ((headline, "find"), (metadata, "read"), (threads, "read")):
        monkeypatch.setattr(module, name, refuse)
    monkeypatch.setattr(kinds, "kinds_of_blocks", refuse)
    assert "Warm the pot" in extract(NEWS).text


def test_the_page_is_judged_once(monkeypatch):
    document = extract(NEWS)
    monkeypatch.setattr(thresher.document, "load_judge", None)
    assert document.kind == "article"
    assert document.select("main").blocks[0].probability > 0.1


# --- all blocks ----------------------------------------------------------------------------------


def test_kinds_of_all_blocks():
    document = extract(NEWS)
    found = {block.text[:12]: block.kind for block in document.page_blocks}
    assert found["Home About"] == "navigation"
    assert found["Warm the pot"] == "paragraph"
    assert found["The pot that"] == "caption"
    assert found["By Ada · 3 M"] == found["Filed under "] == "meta"
    assert found["More for you"] == found["Why coffee w"] == "related"
    assert found["Imprint © Th"] == "footer"
    assert found["Making tea"] in ("heading", "title")


def test_select_a_dropped_headline():
    page = parse(NEWS)
    document = extract(page, method=lambda page: page.where(page.tag == 99))
    assert [block.text for block in document.page_blocks if block.kind == "title"] == ["Making tea"]
    assert document.select(["main", "title"]).text == "Making tea"


def test_select_by_kind():
    document = extract(NEWS, url="https://kettle.example/")
    related = document.select("related")
    assert related.text.startswith("More for you")
    assert "](https://kettle.example/coffee)" in related.markdown()
    both = document.select(kinds=["paragraph", "navigation"])
    assert both.text.startswith("Home About\n\nWarm the pot")
    assert (both.method, both.title) == (document.method, document.title)
    assert document.select([]).text == ""


def test_select_dropped_blocks_inside_an_article():
    inner = "<h2>How</h2><ul><li>one</ul><pre>two</pre><table><tr><th>a<th>b<tr><td>3<td>4</table>"
    page = parse(f"<article><h1>Tea</h1><p>Pour.</p>{inner}<p>Wait.</p></article>")
    document = extract(page, method=lambda page: page.select(page.text_rows[1:2]))
    assert document.text == "Pour."
    back = document.select(["main", "table", "code", "list"])
    assert back.text.split() == ["Pour.", *"- one two".split(), *"a | b 3 | 4".split()]
    assert document.select(["heading", "other"]).text == "How\n\nWait."


def test_to_dict_has_the_related_links():
    document = extract(NEWS, url="https://kettle.example/")
    data = document.to_dict(fields="related")["related"]
    assert data == [{"text": link.text, "address": link.address} for link in document.related]
    assert "https://kettle.example/coffee" in [link["address"] for link in data]


def test_select_takes_the_kept_part_of_a_partly_kept_block():
    document = extract("<p>one <b>two</b></p>", method=lambda page: page.select(page.text_rows[1:]))
    assert document.select("paragraph").text == "two"


def test_select_refuses_an_unknown_kind():
    with pytest.raises(
        UsageError, match=r"unknown kind of block 'menus': give main, paragraph, list"
    ):
        extract(NEWS).select(["main", "menus"])


@pytest.mark.parametrize(("kinds", "name"), [(None, "None"), (3, "3"), ([["list"]], "['list']")])
def test_select_refuses_other_types(kinds, name):
    with pytest.raises(UsageError, match=re.escape(f"unknown kind of block {name}: give main")):
        extract(NEWS).select(kinds)


def test_related_links():
    assert extract(NEWS, url="https://kettle.example/x/").related == [
        ("Why coffee wants a coarser grind", "https://kettle.example/coffee"),
        ("Cocoa without any lumps at all", "https://kettle.example/cocoa?b=1"),
    ]
    assert extract(NEWS).related[0].address == "/coffee"


def test_reasons_of_blocks():
    blocks = {block.text[:12]: block for block in extract(NEWS).page_blocks}
    navigation, body = blocks["Home About"], blocks["Warm the pot"]
    assert navigation.probability < 0.5 < body.probability
    assert navigation.reasons[0].weight < 0 < body.reasons[0].weight
    assert 1 <= len(body.reasons) <= 3
    assert body.reasons[0].meaning in str(body.reasons[0])


def test_pickle():
    document = extract(NEWS, url="https://kettle.example/")
    assert document.kind
    assert document.page_blocks
    again = pickle.loads(pickle.dumps(document))
    assert again.to_dict() == document.to_dict()
    assert again.related == document.related
    assert "judgement" not in pickle.loads(pickle.dumps(document)).__dict__
    block = pickle.loads(pickle.dumps(document.blocks[0]))
    assert (block.text, block.position) == (document.blocks[0].text, document.blocks[0].position)


def test_comments_are_found_by_repetition():
    records = "".join(
        f"<div class=yorum id=yorum-{n}><b class=author>Ada {n}</b> <time datetime=2024-05-0{n}>"
        f"then</time><p>Mine is silent since I turned the flame down, number {n}.</p></div>"
        for n in (1, 2, 3, 4)
    )
    source = NEWS.replace("</main>", f"</main><section>{records}</section>")
    said = [b.kind for b in extract(source).page_blocks if "turned the flame" in b.text]
    assert said == ["comment"] * 4
    assert "turned the flame" in plain(source).text
    without = plain(source).render("text", Include(comments=False))
    assert "turned the flame" not in without
    assert without.count("Warm the pot") == 8


# --- precision and recall ------------------------------------------------------------------------


def test_precision_gives_the_bare_body_of_an_article():
    document = extract(NEWS, favor="precision")
    assert document.method == "default(favor='precision')"
    assert document.text.count("Warm the pot") == 8
    for beside in ("The pot that", "By Ada", "Filed under", "coffee", "Home", "Imprint"):
        assert beside not in document.text


def test_recall_keeps_at_least_as_much():
    page = parse(NEWS)
    words = [extract(page, favor=f).selection.words for f in ("precision", "balance", "recall")]
    assert words == sorted(words)


# --- extract -------------------------------------------------------------------------------------


def test_all_types_of_input(tmp_path):
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


@pytest.mark.parametrize("url", ["http://[bad", "https://[::1", "http://\u2100.com/"])
def test_an_invalid_url_is_refused(url):
    for source in ("<p>x", parse("<p>x")):
        with pytest.raises(UsageError, match="is no address: give one such as"):
            extract(source, url=url)
    with pytest.raises(UsageError, match="the url is a bytes: give it as str"):
        extract("<p>x", url=url.encode())


@pytest.mark.parametrize("url", ["http://[bad", "https://[::1"])
def test_invalid_urls_in_a_page_do_no_harm(url):
    source = (
        f'<base href="{url}"><link rel="canonical" href="{url}"><p>one two <a href="{url}">three'
        f'</a> <a href="x">four</a> <img src="{url}">'
    )
    document = plain(source)
    for form in ("text", "markdown", "html", "json", "tei", "speech", "in-place"):
        assert "four" in document.render(form)


@pytest.mark.parametrize(
    ("source", "url"),
    [
        ("<p>one two", "https://example.org/\ud83d"),
        ('<meta name="description" content="tea \ud83d"><p>one two', None),
        ('<p>one <a href="https://example.org/\ud83d">two</a>', None),
    ],
)
def test_lone_surrogates_are_replaced(source, url):
    document = plain(source, url=url)
    for form in ("text", "markdown", "html", "json", "tei", "speech", "in-place"):
        assert "two" in document.render(form).encode().decode()


def test_all_types_of_method():
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
        ({"favor": "recall", "method": "bte"}, "only the default can favor recall, not bte"),
        ({"favor": "balance", "method": "bte"}, "only the default can favor balance, not bte"),
        (
            {"favor": "recall", "method": "default(favor='precision')"},
            "only the default can favor recall, not default(favor='precision')",
        ),
    ],
)
def test_bad_arguments(options, message):
    with pytest.raises(UsageError) as caught:
        extract("<p>x", **options)
    assert message in str(caught.value)


@pytest.mark.parametrize("favor", ["precision", "balance", "recall"])
def test_favor(favor):
    document = extract("".join(f"<p>{PARAGRAPH.format(n)}</p>" for n in range(3)), favor=favor)
    assert document.text.count("Warm the pot") == 3
    assert document.method == combine.write(combine.read(f'default(favor="{favor}")'))
    for method in ("default", document.method):
        assert extract(document.page, method=method, favor=favor).method == document.method


def test_a_method_may_return_a_selection_of_a_part_of_the_page():
    page = parse(ARTICLE)

    def in_series(page: Page) -> Selection:
        part = page.only(methods.get("plain")(page))
        return methods.get("bte")(part.only(part.all()))

    document = extract(page, method=in_series)
    assert document.selection.page is page
    assert "Warm the pot" in document.html()


@pytest.mark.slow
@given(
    st.one_of(
        soup, st.binary(max_size=4), st.binary(max_size=120).map(lambda b: b"<p>" + b + b"<td>")
    )
)
@settings(max_examples=60)
@example("<p>\ud800")
@example("<ol start=99999999999999999999><li value=-99999999999>x")
@example("<table><td colspan=99999999 rowspan=-1>x<td>y")
@example("<a href='http://['>x</a><img src='http://[' srcset=',,, 1x'>")
@example("<math><annotation encoding=application/x-tex>\\x</annotation></math>")
def test_random_input_gives_a_document(source):
    page = parse(b"<p>" + source if isinstance(source, bytes) else source)
    for name in methods.names():
        document = extract(page, method=name)
        assert isinstance(document, Document)
        assert document.status
    assert isinstance(document.title, str)
    assert json.loads(json.dumps(document.to_dict()))
    assert json.loads(json.dumps(document.threads.to_dict()))
    assert isinstance(document.readable, bool)
    for form in FORMS:
        assert isinstance(document.render(form), str)
        assert isinstance(document.render(form, Include(False, False, False, False)), str)
    assert document._repr_html_().startswith("<div>")


# --- odd arguments and pages ---------------------------------------------------------------------


@pytest.mark.parametrize("name", ["page.html", "https://a.example/b", " folder/a page.htm "])
def test_a_file_name_is_refused_as_html(name):
    with pytest.raises(thresher.UsageError, match="is a name, not HTML"):
        thresher.extract(name)


def test_text_without_tags_is_html():
    assert thresher.extract("Read page.html, please.", method="plain").text


@pytest.mark.parametrize("answer", [None, "text", np.ones(1, np.bool_)])
def test_a_method_must_return_a_selection_of_the_page(answer):
    with pytest.raises(thresher.UsageError, match="did not return a Selection"):
        thresher.extract("<p>one", method=lambda page: answer)
    other = thresher.parse("<p>two")
    with pytest.raises(thresher.UsageError, match="did not return a Selection"):
        thresher.extract("<p>one", method=lambda page: other.all())


def test_a_class_is_refused_as_method():
    with pytest.raises(thresher.UsageError, match="callable on a page"):
        thresher.extract("<p>one", method=type(thresher.methods.get("bte")))


def test_url_of_a_parsed_page():
    page = thresher.parse('<p><a href="/x">one</a> two three four')
    document = thresher.extract(page, url="https://a.example/", method="plain")
    assert document.url == "https://a.example/"
    assert "https://a.example/x" in document.markdown()


@pytest.mark.parametrize("name", ["post has-comments", "comments-open", "comments"])
def test_an_article_is_not_taken_for_comments(name):
    words = "wheat and chaff " * 30
    document = thresher.extract(f'<div class="{name}"><p>{words}</p></div>', method="plain")
    assert document.render("text", thresher.Include(comments=False)) == words.strip()


def test_layout_tables_stay_without_tables():
    html = "<table><tr><td><h1>T</h1><p>a b c</p><p>d e f</p></table><table><tr><td>1<td>2</table>"
    document = thresher.extract(html, method="plain")
    assert (
        document.render("text", thresher.Include(tables=False)).split() == "T a b c d e f".split()
    )


def test_the_status_counts_hidden_words_when_nothing_is_found():
    assert thresher.extract("<p hidden>one two</p>").status == (
        "no content found (2 words are hidden)"
    )


# --- hidden text ---------------------------------------------------------------------------------

TOWN = (
    "<p>The town has <span style='display:none'>7004</span>10,000 people <noscript>Enable JS"
    "</noscript><iframe src=x><script>write(1)</script></iframe>who all cross the bridge.</p>"
)


@pytest.mark.parametrize("form", ["text", "markdown", "html", "tei", "json"])
def test_hidden_words_in_a_sentence_are_in_no_format(form):
    found = extract(TOWN).render(form)
    assert "The town has 10,000 people who all cross the bridge." in found
    assert "7004" not in found


def test_a_cell_that_begins_with_hidden_text():
    source = (
        "<table><tr><th>Town<th>People<tr><td><span style='display:none'>0001</span>Aberg<td>10"
        "<tr><td><span style='display:none'>0002</span>Borg<td>12</table>"
    )
    document = extract(source)
    assert document.text == "Town | People\nAberg | 10\nBorg | 12"
    assert {block.kind for block in document.page_blocks} == {"table"}
    nothing = extract(source, method=lambda page: page.none())
    assert [block.text for block in nothing.page_blocks][2:] == ["Aberg", "10", "Borg", "12"]
    assert nothing.select("table").text == document.text
    assert nothing.select("hidden").text == ""


def test_select_hidden_blocks():
    nothing = extract("<p hidden>one <b>two</b></p><p>three", method=lambda page: page.none())
    assert nothing.select("hidden").text == "one two"
    assert [block.text for block in nothing.page_blocks] == ["one two", "three"]


def test_hidden_links_are_not_related_links():
    source = (
        "<div class=related><p><a href=/a>A long way to the old bridge</a> <span hidden>"
        "<a href=/b>A short way to the new bridge</a></span></div>"
    )
    document = extract(source, method=lambda page: page.none())
    assert [link.address for link in document.related] == ["/a"]


# --- pages without content -----------------------------------------------------------------------

PLACES = "Home News Sport Tea Cake Shop".split()
MENU = "".join(f"<li><a href=/{name}>{name}</a>" for name in PLACES)
FOOT = "<a href=/about>About us</a> <a href=/privacy>Privacy</a> <p>© 2024 The Daily Kettle</p>"
MISSING = "<h1>Page not found</h1><p>The page that you asked for does not exist any more.</p>"
LOGIN = (
    "<h1>Sign in</h1><form><label>E-mail</label><input><label>Password</label>"
    "<input type=password><button>Sign in</button><a href=/lost>Forgotten your password?</a></form>"
)
CONSENT = (
    "<div class=consent><h2>Your privacy</h2><p>We use cookies and similar methods to remember "
    "your choices and to measure how the site is used. Some partners process your data without "
    "asking for your consent.</p><button>Accept</button><button>Refuse</button></div>"
)
REPORT = (
    "<article><h1>Ferry stops for a week</h1><p>The ferry to the north island will not run next "
    "week. The company said on Tuesday that the engine has to be repaired and that a part is on "
    "its way from Norway.</p><p>Passengers can take the bus over the bridge with the same ticket. "
    "The bus leaves every hour from the market square.</p></article>"
)


def of_site(main, title="The Daily Kettle"):
    return extract(
        f"<title>{title}</title><header><nav><ul>{MENU}</ul></nav></header><main>{main}</main>"
        f"<footer>{FOOT}</footer>"
    )


@pytest.mark.parametrize(
    ("main", "title"),
    [
        (MISSING, "Page not found - The Daily Kettle"),
        (LOGIN, "Sign in - The Daily Kettle"),
        (CONSENT, "The Daily Kettle"),
        ("<div id=root></div><noscript>Enable JavaScript to run this app.</noscript>", "Kettle"),
        (f"<ul>{MENU}</ul>", "The Daily Kettle"),
    ],
)
def test_pages_without_content_are_known(main, title):
    document = of_site(main, title)
    assert document.no_content > 0.5
    assert not document.readable
    assert document.status.startswith(("probably no content", "no content")) or (
        document.no_content < 0.9
    )


def test_a_short_report_is_content():
    document = of_site(REPORT, "Ferry stops for a week - The Daily Kettle")
    assert document.no_content < 0.5
    assert document.status == "complete"
    assert "Norway" in document.text


def test_readable_needs_prose_and_content():
    prose = "<p>" + "The kettle of the house was old and hummed a song of its own every day. " * 30
    assert of_site(prose, "A kettle").readable
    assert extract("").no_content == 1.0
    assert extract("<p>Hot tea</p>").no_content == 0.0  # a fragment


def test_a_document_is_freed_at_once():
    comments = "".join(
        f'<div class="comment"><a href="/user/{n}">Ann {n}</a> <time>2024-05-0{n}</time>'
        f"<p>I steep mine for {n} minutes, and I like it.</p></div>"
        for n in range(1, 6)
    )
    html = f"<h1>Tea</h1><p>{'Steep it just off the boil. ' * 9}</p>{comments}"
    gc.disable()  # it would free what refers to itself
    try:
        document = extract(html)
        assert document.text
        assert document.threads.posts
        assert document.json()
        page = weakref.ref(document.page)
        del document
        assert page() is None
    finally:
        gc.enable()
