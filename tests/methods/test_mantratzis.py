"""Mantratzis against the formula node by node, and each rule by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher
from tests import slow_definitions as slow
from tests.methods import slow_trees
from thresher import UsageError
from thresher.methods.mantratzis import Mantratzis
from thresher.page.arrays import subtree_sums

SHARES = st.sampled_from([0.0, 0.4, 0.5, 0.75, 1.0])


@given(slow.pages(), SHARES, st.integers(1, 3), SHARES)
def test_it_drops_the_link_units_of_lists(html, unit, least, share):
    found = Mantratzis(unit=unit, least=least, share=share)(thresher.parse(html))
    assert slow.kept_words(found) == slow_trees.mantratzis(html, unit, least, share)


def kept(html: str, **options: float) -> str:
    return Mantratzis(**options)(thresher.parse(html)).text()


def test_a_tight_list_goes():
    html = "<ul><li><a href=/>Home</a></li><li><a href=/tea>Tea</a></li></ul><p>Steep it.</p>"
    assert kept(html) == "Steep it."


def test_a_table_of_links_goes_by_its_rows():
    row = "<tr><td><a href=/>Home</a></td></tr>"
    assert kept(f"<table>{row * 2}</table><p>Steep it.</p>") == "Steep it."


def test_of_a_loose_list_only_the_links_go():
    # Three of four children are links: s = 0.75.
    html = "<div><b>More</b><a href=/>One</a><a href=/>Two</a><a href=/>Three</a></div>"
    assert kept(html, share=0.75) == "More"
    assert kept(html, share=0.76) == "More One Two Three"


def test_links_in_a_sentence_stay():
    # Two of five children are links: s = 0.4, and a little more would be asked for.
    html = "<p>Steep <a href=/>it</a> for <a href=/>three</a> minutes.</p>"
    assert kept(html, share=0.41) == "Steep it for three minutes."
    assert kept(html, share=0.4) == "Steep for minutes."


def test_one_link_is_no_list():
    html = "<p><a href=/>Home</a></p>"
    assert kept(html) == "Home"
    assert kept(html, least=1) == ""


def test_a_wrapped_link_with_a_few_words_is_a_unit():
    # 9 of 12 characters are linked: " 3m" has three.
    item = "<li><a href=/>ninechars</a> 3m</li>"
    assert kept(f"<ul>{item}{item}</ul>", unit=0.75) == ""
    assert kept(f"<ul>{item}{item}</ul>", unit=0.76) != ""


def test_elements_inside_a_link_are_no_list():
    html = "<p>Read all of <a href=/><b>the</b> <i>story</i></a> there, and more.</p>"
    assert kept(html) == "Read all of the story there, and more."


def test_the_score_by_hand():
    page = thresher.parse("<div><b>More</b><a href=/>One</a><a href=/>Two</a><p></p></div>")
    method = Mantratzis()
    below = subtree_sums(page.chars, page.end)
    units = method.link_units(page, page.chars, below)
    assert [page.name(row) for row in units.nonzero()[0]] == ["a", "#text", "a", "#text"]
    is_list, s = method.link_lists(page, below, units)
    div = page.names.index("div")
    assert s[page.tag == div].tolist() == [2 / 3]  # the empty paragraph does not count
    assert [page.name(row) for row in is_list.nonzero()[0]] == ["div"]


def test_hidden_text_is_neither_counted_nor_kept():
    html = "<div><a href=/>One</a><a href=/ hidden>Two</a><p>Steep it.</p></div>"
    assert kept(html) == "One\n\nSteep it."


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("unit", 1.5, "give a number from 0 to 1"),
        ("share", -0.5, "give a number from 0 to 1"),
        ("least", 0, "give a whole number from 1 to 1,000,000"),
    ],
)
def test_bad_options_are_refused(option, value, message):
    with pytest.raises(UsageError, match=f"{option} of mantratzis is {value}: {message}."):
        Mantratzis(**{option: value})
