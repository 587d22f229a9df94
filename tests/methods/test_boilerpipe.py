"""Boilerpipe's decision tree against a slow one, and branch by branch."""

import pytest
from hypothesis import given

import thresher
from tests import slow_definitions
from tests.methods import slow_boilerpipe as slow
from thresher import UsageError
from thresher.methods.boilerpipe import Boilerpipe


@given(slow_definitions.pages())
def test_it_keeps_what_the_tree_says(html):
    found = Boilerpipe()(thresher.parse(html))
    assert slow_definitions.kept_words(found) == slow.boilerpipe(html)


@given(slow.pages())
def test_it_keeps_the_same_of_pages_with_many_kinds_of_tags(html):
    found = Boilerpipe()(thresher.parse(html))
    assert slow_definitions.kept_words(found) == slow.boilerpipe(html)


def text(words, linked=0):
    """A paragraph of so many words, so many more in a link."""
    return f"<p>{'w ' * words}<a href=/>{'l ' * linked}</a></p>"


def kept(html, **options):
    """Which blocks of a page are kept."""
    page = thresher.parse(html)
    chosen = Boilerpipe(**options)(page).keep
    solid = page.chars[page.text_rows] > 0
    return chosen[solid].tolist()


@pytest.mark.parametrize(
    ("html", "second"),
    [
        # after text: w > 16, next w > 15 or previous w > 4
        (text(4) + text(16) + text(15), False),
        (text(4) + text(17) + text(15), True),
        (text(4) + text(16) + text(16), True),
        (text(5) + text(16) + text(15), True),
        # after links (all words of the first block are): w > 40 or next w > 17
        (text(0, 20) + text(40) + text(17), False),
        (text(0, 20) + text(41) + text(17), True),
        (text(0, 20) + text(40) + text(18), True),
    ],
)
def test_each_branch_by_hand(html, second):
    assert kept(html)[1] is second


def test_link_densities_on_the_edge():
    assert kept(text(40, 20)) == [False, False]  # 20/60 = .333333..., more than .333333
    assert kept(text(41, 20)) == [True, True]
    # 5/9 = .555555... is text still: 41 words are enough, and so are 17
    assert kept(text(4, 5) + text(17))[2] is True
    assert kept(text(4, 6) + text(17))[2] is False  # .6


def test_outside_the_page_there_are_no_words():
    assert kept(text(16)) == [False]
    assert kept(text(17)) == [True]
    assert kept("") == []


def test_a_tag_parts_a_block_and_a_link_does_not():
    words = "w " * 9
    assert kept(f"<p>{words}<a href=/>x</a> {words}</p>") == [True, True, True]
    assert kept(f"<p>{words}<b></b> {words}</p>") == [False, True]  # nine words before the second


def test_hidden_text_is_no_neighbour():
    hidden = f"<p hidden>{'h ' * 99}</p>"
    assert kept(text(16) + hidden) == [False, False]
    assert kept(hidden + text(17) + hidden) == [False, True, False]


def test_options_move_the_edges():
    assert kept(text(16), words=15) == [True]
    assert kept(text(3) + text(3), previous_words=2) == [False, True]
    assert kept(text(3) + text(3), next_words=2) == [True, False]
    assert kept(text(40, 20), link_density=0.5) == [True, True]
    assert kept(text(4, 6) + text(17), previous_link_density=0.7)[2] is True
    assert kept(text(0, 20) + text(40), words_after_links=39) == [False, True]
    assert kept(text(0, 20) + text(2) + text(17), next_words_after_links=16)[1] is True


def test_options_that_make_no_sense():
    with pytest.raises(UsageError, match=r"words is -1: give a whole number from 0 to 1,000,000\."):
        Boilerpipe(words=-1)
    with pytest.raises(UsageError, match="link_density is nan"):
        Boilerpipe(link_density=float("nan"))
