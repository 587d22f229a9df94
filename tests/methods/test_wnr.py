"""WNR against the definition, words over nodes, node by node, and by hand."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import thresher
from tests import slow_definitions as slow
from tests.methods import slow_wlr
from thresher import UsageError
from thresher.methods.wlr.ratios import WNR, Content, relevances, weights


@given(slow_wlr.pages(), st.sampled_from(["summed", "printed"]))
def test_it_keeps_the_subtree_of_the_best_node(html, relevance):
    expected = slow_wlr.Wlr(html, "wnr", relevance)
    assume(not expected.is_close_call())
    kept = WNR(relevance=relevance)(thresher.parse(html))
    assert slow.kept_words(kept) == expected.words()


PAGE = "<h2>Tea</h2><div><p>Warm the <b>pot</b></p><p>Wait</p></div>"


def test_ratios_by_hand():
    tree = Content.of(thresher.parse(PAGE))
    # body h2 #text div p #text b #text p #text; each counts among its own nodes.
    assert tree.nodes().tolist() == [10, 2, 1, 7, 4, 1, 2, 1, 2, 1]
    ratio = tree.words() / tree.nodes()
    assert ratio.tolist() == [5 / 10, 1 / 2, 1, 4 / 7, 3 / 4, 2, 1 / 2, 1, 1 / 2, 1]
    # sqrt(2 * 0.5) = 1: ids 2, 5, 7, 9 of ratio 1, 2, 1, 1; r_WLR of 1 is (1 - 0.5) / (2 - 0.5).
    weight = weights(tree.words(), tree.nodes())
    assert weight[[2, 5, 7, 9]].tolist() == pytest.approx([1 / 3, 4 / 7, 2 / 7 / 3, 0])
    assert not weight[[0, 1, 3, 4, 6, 8]].any()
    relevance = relevances(tree, ratio, weight)
    # The p sums "Warm the" and "pot": 4/7 + 2/21 = 2/3, times 3/4.
    assert relevance[[4, 5]].tolist() == pytest.approx([1 / 2, 8 / 7])
    assert WNR()(tree.page).text() == "Warm the"


def test_bad_options_are_refused():
    with pytest.raises(
        UsageError, match=r"relevance of wnr is 'log': give 'summed' or 'printed'\."
    ):
        WNR(relevance="log")
