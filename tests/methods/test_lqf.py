"""LQF against Algorithm 3 over children, block after block, and by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher
from tests import slow_definitions as slow
from thresher import UsageError
from thresher.methods.lqf import LQF, block_of_texts, link_quotas


@given(slow.pages(), st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.75, 1.0]))
def test_it_keeps_the_blocks_with_few_links(html, quota):
    assert slow.kept_words(LQF(quota=quota)(thresher.parse(html))) == slow.lqf(html, quota)


def quotas(html: str) -> dict[str, float]:
    """q of each block-level element by name."""
    page = thresher.parse(html)
    found = link_quotas(page, block_of_texts(page))
    return {page.name(row): float(found[row]) for row in range(len(page)) if found[row]}


def test_a_block_by_hand():
    # "One ", "link" and " and text": 4 + 4 + 9 characters.
    assert quotas("<p>One <a href=/>link</a> and text</p>") == {"p": 4 / (4 + 4 + 9)}
    # "One ", "two three" and " four.": 4 + 9 + 6 characters, and 5 of 10 in the second.
    html = "<div>One <a href=/>two three</a> four.</div><p>Read <a href=/>more!</a></p>"
    assert quotas(html) == {"div": 9 / 19, "p": 1 / 2}
    # White space at the end of a block is no character.
    assert quotas("<p> One <a href=/>link</a> \n</p>") == {"p": 4 / (4 + 4)}
    # The target of a link is no link.
    assert quotas("<p>One <a name=x>two</a> <a href=/>link</a></p>") == {"p": 4 / (4 + 4 + 4)}


def test_children_are_counted_once_and_descendants_would_be_twice():
    # 2 of 10. Over descendants the texts (10), the a (2), the b and the span (0.2 of 8 each)
    # would all count: 2 + 1.6 + 1.6 of 10 + 2 + 8 + 8, which is 0.186.
    html = "<p><span><b><a href=/>ab</a>cdefgh</b></span>ij</p>"
    assert quotas(html) == {"p": 2 / 10}
    assert LQF(quota=0.2)(thresher.parse(html)).text() == "abcdefghij"
    assert not LQF(quota=0.19)(thresher.parse(html))


def test_nested_blocks_are_apart():
    html = "<div>abcd<a href=/>ef</a><p><a href=/>gh</a></p><p>ij</p></div>"
    assert quotas(html) == {"div": 2 / 6, "p": 1.0}
    assert LQF(quota=0.5)(thresher.parse(html)).text() == "abcdef\n\nij"
    assert LQF(quota=0.25)(thresher.parse(html)).text() == "ij"  # stays though its parent goes


def test_text_on_both_sides_of_a_nested_block_is_one_block():
    html = "<div><a href=/>ab</a><p>cd</p>efghij</div>"
    assert quotas(html) == {"div": 2 / 8}
    assert LQF()(thresher.parse(html)).text() == "ab\n\ncd\n\nefghij"


def test_a_block_at_the_quota_stays():
    html = "<p>abc<a href=/>d</a></p>"
    assert LQF(quota=0.25)(thresher.parse(html)).text() == "abcd"
    assert not LQF(quota=0.24)(thresher.parse(html))


def test_a_block_inside_a_link_is_a_link():
    assert quotas("<a href=/><div>One</div></a><p>two</p>") == {"div": 1.0}


def test_hidden_text_is_not_counted():
    html = "<p>ab<a href=/>cd</a><span hidden>{}</span></p>".format("x" * 100)
    assert quotas(html) == {"p": 0.5}


@pytest.mark.parametrize("quota", [-0.1, 1.1])
def test_bad_options_are_refused(quota):
    with pytest.raises(UsageError, match=f"quota of lqf is {quota}: give a number from 0 to 1."):
        LQF(quota=quota)
