"""K-FE against its definition, and by hand. Blocks and features are tested with FE."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher
from tests import slow_definitions as slow
from tests.methods import slow_trees
from thresher import UsageError
from thresher.methods.fe import FE, KFE


@given(
    slow.pages(),
    st.sampled_from(["p", "div p", "section div span"]),
    st.booleans(),
    st.sampled_from(["common", "each"]),
    st.integers(1, 4),
)
def test_it_keeps_the_cluster_of_the_winner(html, tags, once, scale, k):
    found = KFE(k=k, tags=tags, once=once, scale=scale)(thresher.parse(html))
    desired = KFE().desired
    assert slow.kept_words(found) == slow_trees.fe(html, tags, once, desired, scale, k)


def page_of(*sizes: int) -> thresher.Page:
    return thresher.parse("".join(f"<div>{'x' * size}</div>" for size in sizes))


@pytest.mark.parametrize(
    ("k", "kept"),
    [
        (1, [100, 90, 80, 10, 8]),  # the whole basket
        (2, [100, 90, 80]),  # around 90 and 9
        (5, [100]),  # each block alone
    ],
)
def test_clusters_by_hand(k, kept):
    found = KFE(k=k)(page_of(100, 90, 10, 80, 8)).text()
    assert sorted(map(len, found.split()), reverse=True) == kept


def test_it_keeps_all_text_that_fe_keeps():
    page = page_of(5, 50, 45, 3)
    assert FE()(page).words == 1
    assert not FE()(page) - KFE()(page)
    assert KFE()(page).words == 2


def test_blocks_outside_the_basket_are_in_no_cluster():
    html = "<div>{}</div><div><a href=/>{}</a></div><div>{}</div>".format("x" * 9, "y" * 9, "z" * 8)
    assert KFE(k=1)(thresher.parse(html)).text().split() == ["x" * 9, "z" * 8]


def test_nested_containers_are_blocks_of_their_own():
    page = thresher.parse("<div>One<div>Two two two two</div></div>")
    assert KFE()(page).text() == "Two two two two"
    assert KFE(once=True)(page).text().split() == ["One", "Two", "two", "two", "two"]


def test_bad_options_are_refused():
    with pytest.raises(UsageError, match=r"k of k-fe is 0: give a whole number from 1 to 100\."):
        KFE(k=0)
    with pytest.raises(UsageError, match=r"scale of k-fe is 'none': give 'common' or 'each'."):
        KFE(scale="none")
