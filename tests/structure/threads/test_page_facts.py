"""Facts of a page: words before each row, record names, authors by links, texts under a row."""

import pytest

from thresher import parse
from thresher.methods.default.judge import Default
from thresher.page.core import COMPILED
from thresher.structure.threads.page_facts import (
    page_facts,
    read_names_under,
    text_under,
    texts_under,
)
from thresher.structure.threads.vocabulary import AUTHOR


def rows(page, tag):
    return [row for row in range(len(page)) if page.name(row) == tag]


def test_words_are_counted_without_forms_and_links():
    page = parse("<p>one two <a href=/>three</a></p><textarea>four</textarea>")
    facts = page_facts(page)
    assert (facts.words[-1], facts.unlinked[-1]) == (3, 2)
    assert facts.words_in(facts.candidates).tolist() == [3]
    assert facts.unlinked_in(facts.candidates).tolist() == [2]


@pytest.mark.parametrize(
    ("start", "name", "is_numbered"),
    [
        ("<div class=comment>", ("comment", "comment"), False),
        ("<div id=post-7>", ("post", "post-"), True),
        ("<div id=post>", None, False),  # without a number an id names no record
        ("<div class=comment id=post-7>", ("comment", "comment"), True),
        ("<div class=topic id=post-7>", ("post", "post-"), True),
        ("<my-comment>", ("comment", "my-comment"), False),
        ("<div itemtype=https://schema.org/Answer>", ("comment", "schema.org/Answer"), False),
        ("<div typeof=Question>", ("post", "schema.org/question"), False),
        ("<div class=post typeof=Question>", ("post", "post"), False),
        ("<div class=box>", None, False),
    ],
)
def test_record_names_of_elements(start, name, is_numbered):
    page = parse(f"{start}one two three")
    facts = page_facts(page)
    assert facts.record_names.get(0) == name
    assert facts.has_numbered_id.tolist() == [is_numbered]


def test_names_that_features_read_before_give_the_same_facts():
    html = (
        "<body class=all><div class='post user' id=post-7><p>one two three</p></div>"
        "<p id=x>one two three</p><div id=post-8 class=post><p class=body>one two three</p></div>"
    )
    page, known = parse(html), parse(html)
    Default().judge(known)
    assert page.block_names is None
    assert (known.block_names is not None) is COMPILED
    one, other = page_facts(page), page_facts(known)
    assert one.record_names == other.record_names
    assert one.bits.tolist() == other.bits.tolist()
    assert one.has_numbered_id.tolist() == other.has_numbered_id.tolist()
    classes = [[facts.class_names[at] for at in facts.class_of_row] for facts in (one, other)]
    assert classes[0] == classes[1]


def test_links_to_members_are_authors():
    page = parse("<div><a href=/user/ada>Ada</a> <a href=/kettle>Kettle</a> one two three</div>")
    facts = page_facts(page)
    assert not len(facts.rows_with(AUTHOR))
    read_names_under(facts, facts.candidates)
    assert facts.rows_with(AUTHOR).tolist() == rows(page, "a")[:1]


def test_sidebars_are_outside_unless_they_hold_much_of_the_page():
    page = parse(f"<p>{'word ' * 30}<div class=sidebar>one two three</div><nav>one</nav>")
    assert page_facts(page).outside.tolist() == [*rows(page, "div"), *rows(page, "nav")]
    page = parse(f"<p>word<div class=sidebar>{'word ' * 30}</div>")
    assert page_facts(page).outside.tolist() == []


def test_linked_headings():
    page = parse(
        "<h2><a href=/x>one two</a></h2><h2><a href=#x>one two</a></h2><h2><a href=/x>one</a></h2>"
        "<a href=/x><h3>one two</h3></a>"
    )
    expected = [rows(page, "a")[0], *rows(page, "h3")]
    assert page_facts(page).linked_headings().tolist() == expected


def test_texts_under_a_row():
    page = parse("<p> one\n <b>two  three</b> </p>four")
    assert texts_under(page, rows(page, "p")[0]) == ["one", "two three", ""]
    assert texts_under(page, rows(page, "p")[0], 1) == ["one"]
    assert text_under(page, rows(page, "p")[0]) == "one two three"
