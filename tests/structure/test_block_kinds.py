"""Kinds of blocks by structure, by named part and by links; blocks of the body."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.growth import assert_linear
from tests.pages import soup, well_formed
from thresher import UsageError, parse
from thresher.page.tags import NUMBER
from thresher.structure.block_kinds import (
    KINDS,
    body_blocks,
    checked_kinds,
    comment_rows,
    kept_comment_rows,
    kinds_of_blocks,
    readable,
    row_parts,
)

BODY = (
    "<main><h1>Tea</h1>" + "<p>Warm the pot and wait until the water is just off the boil.</p>" * 9
)
BODY += "</main>"


def kind(markup: str, *, kept: bool = False) -> str:
    """Return the kind of the block with the word `here`, on a page that has a body."""
    page = parse(f"{BODY}{markup}")
    found = kinds_of_blocks(page, np.full(len(page.blocks), kept), row_parts(page))
    says = np.unique(page.blocks.of_text[["here" in (text or "") for text in page.texts]])
    assert len(says) == 1
    return found[says[0]]


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<p>here", "paragraph"),
        ("<h2>here</h2>", "heading"),
        ("<ul><li>here", "list"),
        ("<dl><dd>here", "list"),
        ("<table><tr><td>here<td>2", "table"),
        ("<table><td>here", "paragraph"),  # tables of layout
        ("<table><tr><td><p>one<p>here<td>2", "paragraph"),
        ("<table><tr><td><h2>here</h2><ul><li>two</ul><td>2", "heading"),
        ("<table><tr><td><p>one<ul><li>here</ul><td>2", "list"),
        ("<table><tr><td>1<td><table><tr><td>2<td>3</table>here", "paragraph"),
        ("<table><tr><td>1<td><table><tr><td>here<td>3</table>", "table"),  # data within layout
        ("<table role=presentation><tr><td>here<td>2", "paragraph"),
        ("<table><tr><th>1<td><p>one<p>here", "table"),  # it names its rows
        ("<blockquote><p>here", "quote"),
        ("<pre>here", "code"),
        ("<figure><figcaption>here", "caption"),
        ("<ul><li><pre>here", "code"),
        ("<nav><p>here", "paragraph"),
        ("<p hidden>here", "paragraph"),
        ("<div class=comments><p>here", "comment"),
        ("<p class=byline>here", "meta"),
        ("<h2 class=byline>here", "heading"),
        ("<p class=caption>here", "caption"),
    ],
)
def test_kinds_of_kept_blocks(markup, expected):
    assert kind(markup, kept=True) == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<p>here", "other"),
        ("<nav>here", "navigation"),
        ("<div role=navigation>here", "navigation"),
        ("<ul class=main-menu><li>here", "navigation"),
        ("<footer>here", "footer"),
        ("<div role=contentinfo>here", "footer"),
        ("<div id=footer>here", "footer"),
        ("<header>here", "header"),
        ("<form>here", "form"),
        ("<button>here", "form"),
        ("<div role=search>here", "form"),
        ("<div role=dialog>here", "notice"),
        ("<div class=cookieConsent>here", "notice"),
        ("<div class=ad-slot>here", "advertisement"),
        ("<div class=sponsored>here", "advertisement"),
        ("<div class=relatedPosts>here", "related"),
        ("<div id=comments>here", "comment"),
        ("<div itemprop=comment>here", "comment"),
        ("<p class=post-date>here", "meta"),
        ("<address>here", "meta"),
        ("<p>here <time>3 May</time>", "meta"),
        ("<p>here <a rel=tag href=/x>tea</a>", "meta"),
        ("<figure><figcaption>here", "caption"),
        ("<p class=photo-credit>here", "caption"),
        ("<p hidden>here", "hidden"),
        ("<nav hidden>here", "hidden"),
        ("<nav><i hidden>0001</i>here", "navigation"),
        ("<p><i hidden>0001</i><b hidden>here", "hidden"),
        ("<article><footer>here", "meta"),
        ("<article><header>here", "other"),
        ("<footer><nav>here", "navigation"),
        ("<div class=comments><form>here", "form"),
        ("<nav><div class=popular>here", "navigation"),
    ],
)
def test_kinds_of_dropped_blocks(markup, expected):
    assert kind(markup) == expected


SENTENCE = (
    "Warm the pot and wait until the water is just off the boil, then pour it over the leaves."
)
SHORT = "<tr><td>green<td>two cups<td>here" * 30


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        (f"<table><tr><td>Home<td><h2>here</h2>{SENTENCE}</table>", "heading"),
        (f"<table><tr><th>Home<td>{SENTENCE} here</table>", "paragraph"),  # the page is one cell
        (f"<table><tr><td>a<td>{SENTENCE}<tr><td>b<td>{SENTENCE} here</table>", "paragraph"),
        (f"<table><tr><th>a<td>{SENTENCE}<tr><th>b<td>{SENTENCE} here</table>", "table"),
        (f"<table>{SHORT}</table>", "table"),  # a grid of short texts is data
        (f"<p>{SENTENCE * 3}<table><tr><td>a<td>{SENTENCE} here</table>", "paragraph"),  # columns
    ],
)
def test_a_table_that_is_the_page_is_no_data_table(markup, expected):
    page = parse(markup)
    found = kinds_of_blocks(page, np.ones(len(page.blocks), np.bool_), row_parts(page))
    says = [found[at] for at, row in enumerate(page.blocks.first) if "here" in page.text(row)]
    assert {*says} == {expected}


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<h2>here</h2>", "heading"),
        ("<ul><li>here", "list"),
        ("<table><tr><th>Kind<th>Cups<tr><td>here<td>2", "table"),
        ("<table><tr><td><p>one<p>two<td><ul><li>here", "list"),  # a table of layout
        ("<table><tr><td><p>one<p>here", "other"),
        ("<blockquote><p>here", "quote"),
        ("<pre>here", "code"),
        ("<nav><ul><li>here", "navigation"),
        ("<ul hidden><li>here", "hidden"),
        ("<div class=comments><ul><li>here", "comment"),
        ("<ul><li><a href=/x>here</a>", "navigation"),
        ("<ul><li class=byline>here", "meta"),
    ],
)
def test_kinds_of_dropped_blocks_without_a_part(markup, expected):
    assert kind(markup) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("here is why the lowest bed freezes", "related"),
        ("here", "navigation"),
        ("here it is", "navigation"),
        ("here it is now", "related"),  # four words and ten characters are enough
        ("here i a m", "related"),
    ],
)
def test_a_long_link_is_related_and_a_short_one_navigation(text, expected):
    assert kind(f"<div><a href=/x>{text}</a></div>") == expected


def test_a_row_of_short_links_is_navigation():
    labels = "".join(f" | <a href=/{name}>{name}</a>" for name in "new past comments ask".split())
    assert kind(f"<div><b><a href=/>Kettle here</a></b>{labels}</div>") == "navigation"
    headline = "<a href=/x>here is why the lowest bed freezes</a>"
    assert kind(f"<div>{headline}{labels}</div>") == "related"
    split = "<a href=/x>here is <b>why the</b> <i>lowest bed</i></a>"
    assert kind(f"<div>{split}</div>") == "related"


def test_links_in_scripts_without_spaces():
    assert kind("<div><a href=/x>here 雨が一晩中降った理由</a></div>") == "related"
    assert kind("<div><a href=/x>here雨量</a></div>") == "navigation"


@pytest.mark.parametrize(
    "markup",
    [
        "<div id=zendaya-promoted-dune-part-two>here",  # a slug
        "<div id=block-n1AuAdJlVL>here",  # random
        "<div class='post-7 post type-post status-publish hentry tag-social tag-ad a b c'>here",
        "<div class=date-posts>here",
        "<div class=loaded>here",
        "<div class=has-comments>here",
        "<p class=meta>here " + "and more words " * 11,
        "<p>here on <time>3 May</time> it was.",
    ],
)
def test_names_without_a_part(markup):
    assert kind(markup) == "other"


def test_an_element_with_most_of_the_words_names_no_part():
    for name in ("comments", "ad", "nav", "footer"):
        page = parse(f"<div class={name}>{BODY}</div><p>Another.")
        kinds = kinds_of_blocks(page, np.zeros(len(page.blocks), np.bool_), row_parts(page))
        assert set(kinds) == {"heading", "other"}
        assert not comment_rows(page, row_parts(page)).any()


@pytest.mark.parametrize(
    "attributes",
    ["", "class=comments", "id=respond", "itemprop=comment", "class=has-comments", "role=comment"],
)
@pytest.mark.parametrize("content", ["<p>Lovely tea!", "<img>"])
def test_comments_that_are_kept_are_those_of_the_parts(attributes, content):
    page = parse(f"{BODY}<div {attributes}>{content}</div><p>Another.")
    for kept in (page.all().kept, page.none().kept):
        expected = comment_rows(page, row_parts(page, kept))
        assert kept_comment_rows(page, kept).tolist() == expected.tolist()


def test_body_blocks():
    page = parse(
        f"{BODY}<p class=byline>Ada<figure><figcaption>A pot</figcaption></figure>"
        "<p><a href=/x>Why coffee wants a coarser grind</a><ul><li><a href=/y>One of the list items"
        "</a></ul><header><h2>More</h2></header><div class=related><p>Cocoa"
    )
    texts = [page.text(row) for row in page.blocks.first[~body_blocks(page)]]
    assert texts == ["Ada", "A pot", "Why coffee wants a coarser grind", "Cocoa"]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("", False),
        ("<p>" + "word " * 99, False),
        ("<p>" + "word " * 100, True),
        ("<p hidden>" + "word " * 100, False),
        ("<p><i hidden>0001</i>" + "word " * 100, True),
        ("<p><a href=/>" + "word " * 100, False),
        ("<textarea>" + "word " * 100, False),
        ("<p>" + "雨が降った。" * 20, True),
        (("<p>" + "word " * 14) * 20, False),
        (("<p>" + "word " * 15) * 7, True),
    ],
)
def test_readable(source, expected):
    assert readable(parse(source)) is expected


def test_dropped_comments_and_headline():
    page = parse(f"{BODY}<p>A reader</p><form>here</form><h2>There</h2>")
    first = page.blocks.first
    comments = np.isin(np.arange(len(page)), first[-3:-1])
    kept = np.zeros(len(page.blocks), np.bool_)
    headline = int(first[-1])
    found = kinds_of_blocks(page, kept, row_parts(page), comments, headline)
    assert found[-3:] == ["comment", "form", "title"]
    found = kinds_of_blocks(page, ~kept, row_parts(page), comments, headline)
    assert found[-3:] == ["paragraph", "paragraph", "heading"]


def test_checked_kinds():
    assert checked_kinds("comment") == ["comment"]
    assert checked_kinds(iter(["main", "title"])) == ["main", "title"]


def test_an_unknown_kind_is_refused():
    with pytest.raises(
        UsageError, match="unknown kind of block 'advert': give main, paragraph, list"
    ):
        checked_kinds(["comment", "advert"])


@given(st.one_of(well_formed, soup))
@settings(max_examples=50, deadline=None)
def test_any_page(source):
    page = parse(source)
    for kept in (True, False):
        found = kinds_of_blocks(page, np.full(len(page.blocks), kept), row_parts(page))
        assert len(found) == len(page.blocks)
        assert set(found) <= set(KINDS)
    assert body_blocks(page).shape == (len(page.blocks),)
    assert comment_rows(page, row_parts(page)).shape == (len(page),)
    assert readable(page) in (True, False)


HOSTILE = {
    "wide": lambda n: "<p class=date>x <time>y</time></p>" * n,
    "linked": lambda n: "<div><a rel=tag href=/x>one two three four</a></div>" * n,
    "nested": lambda n: ("<div class=comments><nav>" * 200 + "x") * (n // 200),
}


@pytest.mark.slow
@pytest.mark.parametrize("make", HOSTILE.values(), ids=HOSTILE)
def test_growth(make):
    def act(page):
        kinds_of_blocks(page, np.zeros(len(page.blocks), np.bool_), row_parts(page))
        body_blocks(page)

    assert_linear(act, lambda n: parse(make(n)), 400)


# --- subtitles -----------------------------------------------------------------------------------


def subtitles(markup: str, *, kept: bool = False) -> list[str]:
    """Return the texts of the subtitles of a page whose headline is its first h1."""
    page = parse(markup + "<p>" + "Warm the pot and wait until the water is off the boil. " * 9)
    headline = (page.tag == NUMBER["h1"]).nonzero()[0].tolist()
    found = kinds_of_blocks(
        page,
        np.full(len(page.blocks), kept),
        row_parts(page),
        headline=headline[0] if headline else -1,
    )
    return [page.block_text(b).strip() for b, kind in enumerate(found) if kind == "subtitle"]


@pytest.mark.parametrize("kept", [False, True])
@pytest.mark.parametrize(
    "markup",
    [
        "<h1>Tea</h1><p class=subtitle>Why it is hot</p>",
        "<h1>Tea</h1><h2 class='article__sub-title'>Why it is hot</h2>",
        "<article><header><h1>Tea</h1><h2>Why it is hot</h2></header></article>",
        "<hgroup><h1>Tea</h1><p>Why it is hot</p></hgroup>",
        "<header><hgroup><h1>Tea</h1><p>Why it is hot</p></hgroup><p>By Ada</p></header>",
        "<h1>Tea</h1><p role=doc-subtitle>Why it is hot</p>",
        "<h1>Tea</h1><p itemprop=alternativeHeadline>Why it is hot</p>",
        "<h1>Tea</h1><p class=byline>By Ada</p><div class=standfirst><p>Why it is hot</div>",
        "<h1>Tea</h1><div class='ArticleHero_dek__EqdkK'>Why it is hot</div>",
        "<h1>Tea</h1><div id=StoryElement-leadText>Why it is hot</div>",
        "<h1>Tee</h1><p class=vorspann>Why it is hot",
        "<table><tr><td><h1>Tea</h1><div class=deck>Why it is hot</div></table>",
        "<h1>Tea</h1><p class=deck>Tea</p><p class=deck>Why it is hot</p>",  # the headline again
    ],
)
def test_subtitles(markup, kept):
    assert subtitles(markup, kept=kept) == ["Why it is hot"]


@pytest.mark.parametrize(
    "markup",
    [
        "<h1>Tea</h1><h2>Why it is hot</h2>",  # the heading of a section
        "<p class=subtitle>Why it is hot</p><h1>Tea</h1>",  # before the headline
        "<p class=subtitle>Why it is hot</p>",  # no headline
        "<h1>Tea</h1>Why it is hot",  # no element after the headline
        "<h1>Tea</h1>" + "<p>" + "word " * 101 + "</p><p class=subtitle>Too far</p>",
        "<h1>Tea</h1><p class=subtitle>" + "word " * 81,
        "<h1>Tea</h1><p class=subtitle hidden>Why it is hot</p>",
        "<h1>Tea</h1><p class=image-description>A cup</p>",
        "<h1>Tea</h1><p id=comments_intro>3 comments</p>",
        "<h1>Tea</h1><nav class=intro><a href=/>Home</a></nav>",
        "<h1>Tea</h1><p class=field-with-summary>Some text",
        "<h1>Tea</h1><div class=comments><p class=excerpt>I agree</div>",
        "<header><h1>Tea</h1><p>Our shop</p></header>",
    ],
)
def test_no_subtitles(markup):
    assert subtitles(markup) == []


def test_a_subtitle_of_several_blocks():
    markup = "<h1>Tea</h1><ul class=summary><li>It is hot.<li>It is green.</ul>"
    assert subtitles(markup) == ["It is hot.", "It is green."]


@settings(max_examples=60, deadline=None)
@given(soup, st.integers(0, 40))
def test_subtitles_of_any_page_come_after_the_headline(source, row):
    page = parse(f"<div class=intro>{source}")
    headline = min(row, len(page) - 1)
    found = kinds_of_blocks(
        page, np.zeros(len(page.blocks), np.bool_), row_parts(page), headline=headline
    )
    for block, kind in enumerate(found):
        assert kind != "subtitle" or page.blocks.first[block] >= page.end[headline]


def test_the_time_for_subtitles_grows_with_the_page():
    def kinds(page):
        return kinds_of_blocks(
            page, np.zeros(len(page.blocks), np.bool_), row_parts(page), headline=3
        )

    assert_linear(kinds, lambda size: parse("<h1>a</h1>" + "<p class=deck>" * size), 100)
    assert_linear(kinds, lambda size: parse("<h1>a</h1>" + "<div class=deck>.b" * size), 100)
