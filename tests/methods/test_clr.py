"""CLR against the definition, characters over leaves, node by node, and by hand."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import thresher
from tests import slow_definitions as slow
from tests.methods import slow_wlr
from thresher import UsageError
from thresher.methods.wlr.ratios import CLR, Content, leaves, relevances, weights


@given(slow_wlr.pages(), st.sampled_from(["summed", "printed"]))
def test_it_keeps_the_subtree_of_the_best_node(html, relevance):
    expected = slow_wlr.Wlr(html, "clr", relevance)
    assume(not expected.is_close_call())
    kept = CLR(relevance=relevance)(thresher.parse(html))
    assert slow.kept_words(kept) == expected.words()


PAGE = "<h2>Tea</h2><div><p>Warm the <b>pot</b></p><p>Wait</p></div>"


def test_ratios_by_hand():
    tree = Content.of(thresher.parse(PAGE))
    names = [tree.page.name(row) for row in tree.row]
    assert names == "body h2 #text div p #text b #text p #text".split()
    # Tea 3, "Warm the " 9, pot 3, Wait 4. The h2 does not join: two leaves in the body, one else.
    ratio = tree.chars() / leaves(tree)
    assert ratio.tolist() == [19 / 2, 3, 3, 16, 12, 9, 3, 3, 4, 4]
    # sqrt(16 * 9.5) = 12.3: the div alone.
    weight = weights(tree.chars(), leaves(tree))
    assert weight.tolist() == [0, 0, 0, 1, 0, 0, 0, 0, 0, 0]
    assert relevances(tree, ratio, weight).tolist() == [9.5, 0, 0, 16, 0, 0, 0, 0, 0, 0]
    assert CLR()(tree.page).text() == "Warm the pot\n\nWait"


def test_bad_options_are_refused():
    with pytest.raises(
        UsageError, match=r"relevance of clr is 'log': give 'summed' or 'printed'\."
    ):
        CLR(relevance="log")
