"""Blocks in order of relevance and menus against slow definitions, and by hand."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import thresher
from tests import slow_definitions
from tests.methods import slow_wlr
from tests.methods.wlr import slow_ranking as slow
from thresher import UsageError
from thresher.methods.wlr.ranking import blocks, hyperlink_ratios, menus
from thresher.methods.wlr.ratios import CNR, WLR


def words_of(parts):
    return [slow_definitions.kept_words(part.selection) for part in parts]


@settings(max_examples=50)  # each computes the slow definition up to five times
@given(slow_wlr.pages(), st.integers(0, 5))
def test_the_best_is_removed_and_all_computed_again(html, most):
    expected = slow.blocks(html, most)
    assume(expected is not None)
    assert words_of(blocks(thresher.parse(html), most=most)) == expected


@given(slow_definitions.pages(), st.sampled_from([0.1, 0.5, 1.0]), st.integers(1, 3))
def test_menus_are_the_outermost_concentrations_of_short_links(html, share, links):
    found = menus(thresher.parse(html), share=share, links=links)
    assert words_of(found) == slow.menus(html, share, links)


@given(slow_wlr.pages())
def test_all_blocks_together_are_all_words(html):
    page = thresher.parse(html)
    found = blocks(page, most=1_000)
    everything = page.where(~page.hidden)
    for one in found:
        everything = everything - one.selection
    # What is left: text that Definition 4.1 leaves out, in select and the like.
    in_select = page.under((page.tag == page.names.index("select")).nonzero()[0])
    assert (everything - in_select).words == 0
    assert (
        sum(one.selection.words for one in found) + everything.words
        == page.where(~page.hidden).words
    )


HTML = (
    "<ul><li><a href=/>Home</a></li><li><a href=/tea>Tea</a></li><li><a href=/a>About us</a></li>"
    "</ul><article><p>Warm the pot first, then wait for three long minutes</p></article>"
    "<aside><p>Someone else has written about tea</p></aside>"
)


def test_blocks_of_a_page_by_hand():
    page = thresher.parse(HTML)
    found = blocks(page)
    # The ratios are 10 and 6 for the paragraphs, then 2 for the last item and 1 for the others.
    assert [page.name(part.row) for part in found] == ["article", "aside", "li", "body"]
    assert [part.selection.words for part in found] == [10, 6, 2, 2]
    assert found[3].selection.text() == "- Home\n- Tea"
    assert [part.row for part in blocks(page, most=1)] == [found[0].row]
    assert found[0].selection == WLR()(page)


def test_blocks_by_another_ratio():
    page = thresher.parse(HTML)
    assert blocks(page, method=CNR(), most=1)[0].selection == CNR()(page)


def test_menus_of_a_page_by_hand():
    page = thresher.parse(HTML)
    (menu,) = menus(page)
    assert page.name(menu.row) == "ul"
    assert menu.selection.text() == "- Home\n- Tea\n- About us"
    assert menus(page, links=4) == []
    ratio, count = hyperlink_ratios(page)
    assert (ratio[page.body], count[page.body]) == (4 / 20, 3)
    assert (ratio[menu.row], count[menu.row]) == (1.0, 3)


def test_a_link_of_three_words_does_not_count_for_a_menu():
    html = "<ul><li><a href=/>Home</a></li><li><a href=/tea>Tea</a></li><li>{}</li></ul>"
    page = thresher.parse(html.format("<a href=/n>Our new tea</a>"))
    assert menus(page) == []  # two short links
    page = thresher.parse(html.format("<a href=/n>New</a> <a href=/o>Our old tea</a>"))
    assert len(menus(page)) == 1  # 3 of 6 words
    assert menus(page, share=0.6) == []


def test_hidden_text_is_neither_counted_nor_in_a_part():
    page = thresher.parse(
        HTML + "<div hidden><p>Words that nobody ever sees on this page</p></div>"
    )
    assert [part.selection.words for part in blocks(page)] == [10, 6, 2, 2]
    page = thresher.parse(HTML.replace("Tea</a>", "Tea</a><span hidden>and many words</span>"))
    assert menus(page)[0].selection.text() == "- Home\n- Tea\n- About us"


@pytest.mark.parametrize("html", ["", " ", "<p> </p>", "<div hidden>one</div>"])
def test_pages_without_words_have_no_parts(html):
    page = thresher.parse(html)
    assert blocks(page) == []
    assert menus(page) == []


def test_bad_options_are_refused():
    page = thresher.parse(HTML)
    with pytest.raises(UsageError, match=r"method is 'bte': give WLR\(\), CLR\(\)"):
        blocks(page, method="bte")
    with pytest.raises(UsageError, match="most is -1: give a whole number from 0"):
        blocks(page, most=-1)
    with pytest.raises(UsageError, match="share is 0: give a number above 0"):
        menus(page, share=0)
    with pytest.raises(UsageError, match="links is 0: give a whole number from 1"):
        menus(page, links=0)
