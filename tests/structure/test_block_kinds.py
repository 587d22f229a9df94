"""Kinds of blocks: by structure, by what names them, by their links; and what is bare body."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.growth import assert_linear
from tests.pages import soup, well_formed
from thresher import parse
from thresher.structure.block_kinds import KINDS, bare, comments, kinds, readable

BODY = (
    "<main><h1>Tea</h1>" + "<p>Warm the pot and wait until the water is just off the boil.</p>" * 9
)
BODY += "</main>"


def kind(markup: str, *, kept: bool = False) -> str:
    """The kind of the block that says `here`, on a page that has a body."""
    page = parse(f"{BODY}{markup}")
    found = kinds(page, np.full(len(page.blocks), kept))
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
def test_what_was_kept_is_told_by_its_structure(markup, expected):
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
def test_what_was_dropped_is_told_by_its_place(markup, expected):
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
        (f"<p>{SENTENCE * 3}<table><tr><td>a<td>{SENTENCE} here</table>", "table"),
    ],
)
def test_a_table_that_is_the_page_is_none(markup, expected):
    page = parse(markup)
    found = kinds(page, np.ones(len(page.blocks), np.bool_))
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
def test_what_was_dropped_without_a_part_is_told_by_its_structure(markup, expected):
    assert kind(markup) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("here is why the lowest bed freezes", "related"),
        ("here", "navigation"),
        ("here it is", "navigation"),
    ],
)
def test_links_lead_on_or_about(text, expected):
    assert kind(f"<div><a href=/x>{text}</a></div>") == expected


def test_a_row_of_labels_does_not_lead_on():
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
def test_names_that_say_nothing(markup):
    assert kind(markup) == "other"


def test_what_holds_most_words_is_the_page():
    for name in ("comments", "ad", "nav", "footer"):
        page = parse(f"<div class={name}>{BODY}</div><p>Another.")
        assert set(kinds(page, np.zeros(len(page.blocks), np.bool_))) == {"heading", "other"}
        assert not comments(page).any()


def test_bare_body():
    page = parse(
        f"{BODY}<p class=byline>Ada<figure><figcaption>A pot</figcaption></figure>"
        "<p><a href=/x>Why coffee wants a coarser grind</a><ul><li><a href=/y>One of the list items"
        "</a></ul><header><h2>More</h2></header><div class=related><p>Cocoa"
    )
    texts = [page.text(row) for row in page.blocks.first[~bare(page)]]
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


@given(st.one_of(well_formed, soup))
@settings(max_examples=100, deadline=None)
def test_any_page(source):
    page = parse(source)
    for kept in (True, False):
        found = kinds(page, np.full(len(page.blocks), kept))
        assert len(found) == len(page.blocks)
        assert set(found) <= set(KINDS)
    assert bare(page).shape == (len(page.blocks),)
    assert comments(page).shape == (len(page),)
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
        kinds(page, np.zeros(len(page.blocks), np.bool_))
        bare(page)

    assert_linear(act, lambda n: parse(make(n)), 1_000)
