"""CNR against the definition, characters over nodes, node by node, and by hand."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import thresher
from tests import slow_definitions as slow
from tests.methods import slow_wlr
from thresher import UsageError
from thresher.methods.wlr.ratios import CNR, Content, relevances, weights


@given(slow_wlr.pages(), st.sampled_from(["summed", "printed"]))
def test_it_keeps_the_subtree_of_the_best_node(html, relevance):
    expected = slow_wlr.Wlr(html, "cnr", relevance)
    assume(not expected.is_close_call())
    kept = CNR(relevance=relevance)(thresher.parse(html))
    assert slow.kept_words(kept) == expected.words()


PAGE = "<h2>Tea</h2><div><p>Warm the <b>pot</b></p><p>Wait</p></div>"


def test_ratios_by_hand():
    tree = Content.of(thresher.parse(PAGE))
    # body h2 #text div p #text b #text p #text; each counts among its own nodes.
    assert tree.nodes().tolist() == [10, 2, 1, 7, 4, 1, 2, 1, 2, 1]
    ratio = tree.chars() / tree.nodes()
    assert ratio.tolist() == [19 / 10, 3 / 2, 3, 16 / 7, 12 / 4, 9, 3 / 2, 3, 2, 4]
    # sqrt(9 * 1.9) = 4.14: "Warm the " alone, id 5.
    weight = weights(tree.chars(), tree.nodes())
    assert weight.tolist() == [0, 0, 0, 0, 0, 1, 0, 0, 0, 0]
    relevance = relevances(tree, ratio, weight).tolist()
    assert relevance == [19 / 10, 0, 0, 16 / 7, 12 / 4, 9, 0, 0, 0, 0]
    assert CNR()(tree.page).text() == "Warm the"


def test_bad_options_are_refused():
    with pytest.raises(
        UsageError, match=r"relevance of cnr is 'log': give 'summed' or 'printed'\."
    ):
        CNR(relevance="log")
