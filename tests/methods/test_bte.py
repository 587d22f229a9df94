"""BTE against formula 3.3, and by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher
from tests import slow_definitions as slow
from thresher import UsageError
from thresher.methods.bte import BTE
from thresher.page.arrays import best_run


@given(slow.pages(), st.sampled_from([0.25, 0.5, 2.0, 3.5]))
def test_it_maximises_formula_3_3_with_any_cost_of_a_tag(html, cost):
    page = thresher.parse(html)
    assert slow.kept_words(BTE()(page)) == slow.bte(html)
    assert slow.kept_words(BTE(tag_cost=cost)(page)) == slow.bte(html, cost)


@given(st.lists(st.integers(0, 1), max_size=30).filter(lambda bits: 0 in bits))
def test_ties_go_to_the_smallest_i_then_j(bits):
    _, i, j = slow.bte_range(bits)
    assert best_run(1 - 2 * np.array(bits)) == (i, j)


def test_the_digest_by_hand():
    # 1001011: the tag outside before (1), two words inside (2), three tags outside after (3).
    assert slow.bte_range([1, 0, 0, 1, 0, 1, 1]) == (6, 1, 2)
    assert best_run([-1, 1, 1, -1, 1, -1, -1]) == (1, 2)


# The tags that the parser implies around a fragment, html, head, /head, body and at the end /body
# and /html, stand outside every best range; what is between is the sequence under test.
@pytest.mark.parametrize(
    ("html", "tokens", "kept"),
    [
        ("<p>one two<br>three</p><hr>", "1001011", ["one", "two"]),  # T = 6: (1, 2)
        ("<p>one<br>two three</p>", "101001", ["one", "two", "three"]),  # (1, 4) before (3, 4)
        ("<br>one<br>two<br>", "10101", ["one"]),  # T = 3: (1, 1) before (3, 3) and (1, 3)
        ("<br><hr>", "11", []),
    ],
)
def test_a_page_by_hand(html, tokens, kept):
    page = thresher.parse(html)
    bits = "".join("01"[not is_word] for is_word in page.tokens.is_word)
    assert bits == f"1111{tokens}11"
    assert slow.kept_words(BTE()(page)) == kept


def test_a_span_crosses_cheap_tags_but_not_costly_ones():
    page = thresher.parse("<p>one two</p><p>three four five</p>")
    assert BTE(tag_cost=0.5)(page).text() == "one two\n\nthree four five"
    assert BTE(tag_cost=1)(page).text() == "one two\n\nthree four five"  # a tie: the smallest i
    assert BTE(tag_cost=1.5)(page).text() == "three four five"


def test_hidden_words_are_neither_counted_nor_kept():
    page = thresher.parse("<p hidden>" + "lorem " * 50 + "</p><p>one two three</p>")
    assert BTE()(page).text() == "one two three"


@pytest.mark.parametrize("cost", [0, -1.0, float("nan"), float("inf"), 1e300])
def test_bad_costs_are_refused(cost):
    with pytest.raises(UsageError, match=r"tag_cost of bte is .*: give a number above 0 and"):
        BTE(tag_cost=cost)
