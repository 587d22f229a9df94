"""WLR against the paper's definitions node by node, and by hand."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import thresher
from tests import slow_definitions as slow
from tests.methods import slow_wlr
from thresher import UsageError
from thresher.methods.wlr.ratios import (
    CLR,
    WLR,
    Content,
    is_initial,
    leaves,
    relevances,
    weights,
)

# Joins that stop inside and resume: an inner run must not be counted with the outer ones.
NESTED = (
    "<html><head></head><body><div><section><p>w0e</p>w1e</section></div>w2e<span>w3e</span>"
    "<section><b>w4e<i>w5e</i></b><section>w6e</section>w7e</section></body></html>"
)


@example(NESTED)
@given(slow_wlr.pages())
def test_leaves_relevances_and_the_subtree_of_the_best_node(html):
    expected = slow_wlr.Wlr(html, "wlr")
    tree = Content.of(thresher.parse(html))
    assert [tree.page.name(row) for row in tree.row] == [n.name or "#text" for n in expected.nodes]
    assert tree.words().tolist() == [expected.tw(n) for n in expected.nodes]
    assert leaves(tree).tolist() == [expected.l(n) for n in expected.nodes]
    if expected.nodes:
        ratio = tree.words() / leaves(tree)
        weight = weights(tree.words(), leaves(tree))
        initial = is_initial(tree.words(), leaves(tree))
        assert initial.nonzero()[0].tolist() == expected.initial()
        assert weight.tolist() == pytest.approx(list(map(float, expected.weights().values())))
        assert relevances(tree, ratio, weight).tolist() == pytest.approx(expected.relevances())
    if not expected.is_close_call():
        assert slow.kept_words(WLR()(tree.page)) == expected.words()


@given(slow_wlr.pages())
def test_the_printed_relevance_selects_the_body(html):
    page = thresher.parse(html)
    kept = WLR(relevance="printed")(page)
    assert slow.kept_words(kept) == slow_wlr.Wlr(html, "wlr", "printed").words()
    if Content.of(page):
        assert kept.words == page.where(~page.hidden).words


def table(html: str) -> list[tuple[str, int, int]]:
    """Name, words and leaves of each content node but the body."""
    tree = Content.of(thresher.parse(html))
    names = [tree.page.name(row) for row in tree.row]
    return list(zip(names, tree.words().tolist(), leaves(tree).tolist(), strict=True))[1:]


EXAMPLE = (
    "<em>Gisela Molina</em>, author of the book <strong>Ethical Life</strong>,\n"
    'will be interviewed tomorrow in <a href="http://www.bbc.com">BBC</a>.'
)


def test_example_4_3():
    # The dot at the end has no word, and is no content node.
    assert table(f"<div>{EXAMPLE}</div>") == [
        ("div", 14, 1),
        ("em", 2, 1), ("#text", 2, 1), ("#text", 4, 1), ("strong", 2, 1), ("#text", 2, 1),
        ("#text", 5, 1), ("a", 1, 1), ("#text", 1, 1),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("html", "count"),
    [
        ("<p>one</p><p>two</p>", 1),
        ("<p>one</p><h2>two</h2><p>three</p>", 3),  # a heading does not join, and ends a run
        ("<h2>one</h2><h2>two</h2>", 2),
        ("<h2>one</h2>", 1),
        ("one<ul><li>two</li><li>three</li></ul>four", 4),
        ("one<hr>two<br><img alt=x>three", 1),  # nodes without words are none
        ("<div><p>one</p><p>two</p></div><div>three</div>", 1),
        ("<div>one<section>two</section></div><div>three</div><div>four</div>", 3),
        ("<div><font>one</font></div>two", 1),  # a single child passes its 1 on
        ("<div>one</div><div style='position:absolute'>two</div><div>three</div>", 3),
        ("<div>one</div><div style='top: 0; POSITION: FIXED'>two</div>", 2),
        ("<div>one</div><div style='background-position: fixed'>two</div>", 1),
        ("<div>one</div><div style='position: relative'>two</div>", 1),
        ("<p>one</p><p style='position: fixed'>two</p>", 1),  # only a div
        ("<div style='position: fixed'>one</div>", 1),
        ("one<select><option>two</option></select><noscript>three</noscript>four", 1),
        ("one<p hidden>two</p>three", 1),
        ("<h2>one</h2><h2 style='visibility: collapse'>two</h2><h2>three</h2>", 2),
    ],
)
def test_leaves_by_hand(html, count):
    tree = Content.of(thresher.parse(f"<article>{html}</article>"))
    assert leaves(tree)[1] == count


def test_content_nodes_by_hand():
    html = "<p>One</p><p> - </p><select><option>two</option></select><ul><li><br></li></ul>"
    assert table(html) == [("p", 1, 1), ("#text", 1, 1)]


ARTICLE = (
    "<ul><li>Home</li><li>Tea</li></ul>"
    "<div><p>Warm the pot first</p><p>Then wait for three long minutes</p></div>"
)


def test_a_page_by_hand():
    tree = Content.of(thresher.parse(ARTICLE))
    names = [tree.page.name(row) for row in tree.row]
    assert names == "body ul li #text li #text div p #text p #text".split()
    ratio = tree.words() / leaves(tree)
    # The list has two leaves, the div one, the body three: 12 words. sqrt(10 * 4) = 6.32
    assert ratio.tolist() == [4, 1, 1, 1, 1, 1, 10, 4, 4, 6, 6]
    # One initial node: r_pos = 1, and r_WLR = (10 - 1) / (10 - 1).
    weight = weights(tree.words(), leaves(tree))
    assert weight.tolist() == [0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]
    assert relevances(tree, ratio, weight).tolist() == [4, 0, 0, 0, 0, 0, 10, 0, 0, 0, 0]
    assert WLR()(tree.page).text() == "Warm the pot first\n\nThen wait for three long minutes"


# Two sections of a table: a body, two cells of l = 1 apart.
CELLS = "<table><tr><td>{}</td><td>{}</td></tr></table>"


def words(count: int) -> str:
    return " ".join(["w"] * count)


def test_weights_fall_over_the_ids_and_rise_with_the_ratio():
    # WLR of body, table, tbody, tr: 10; the cells and their texts 12 and 8. sqrt(12 * 10) = 10.95:
    # the first cell and its text, ids 4 and 5, are initial: r_pos 1 and 0, r_WLR 1.
    one, two = np.ones(8, np.int64), np.full(8, 2)
    ratio = np.array([10, 10, 10, 10, 12, 12, 8, 8])
    assert weights(ratio, one).tolist() == [0, 0, 0, 0, 1, 0, 0, 0]
    # 11.5 of 8 to 12 is 0.875, and stands in the middle of ids 4 to 6.
    twice = np.array([20, 20, 20, 20, 24, 23, 23, 16])
    assert weights(twice, two).tolist() == [0, 0, 0, 0, 1, 0.875 / 2, 0, 0]


def test_all_ratios_equal_makes_the_root_best():
    assert weights(np.full(3, 5), np.ones(3, np.int64)).tolist() == [1, 0.5, 0]
    assert weights(np.array([5]), np.array([1])).tolist() == [1]


def test_a_ratio_exactly_at_the_threshold_is_initial():
    # 50 words in 6 headings, which do not join. In floats sqrt(27 * 50 / 6) is above 15.
    sizes = [27, 15, 2, 2, 2, 2]
    assert np.sqrt(np.float64(27) * (50 / 6)) > 15
    tree = Content.of(thresher.parse("".join(f"<h2>{words(size)}</h2>" for size in sizes)))
    above, below = WLR().ratio(tree)
    assert (above[0], below[0]) == (50, 6)
    # The body has id 0, each heading is followed by its text: ids 1 and 2, 3 and 4.
    assert is_initial(above, below).nonzero()[0].tolist() == [1, 2, 3, 4]
    assert (75 * weights(above, below)).round(9).tolist()[1:5] == [75, 50, 13, 0]  # 13 of 25, a 3rd


@given(st.lists(st.tuples(st.integers(1, 60), st.integers(1, 8)), min_size=1, max_size=12))
def test_initial_nodes_are_those_of_exact_fractions(pairs):
    ratios = [Fraction(*pair) for pair in pairs]
    expected = [ratio**2 >= max(ratios) * ratios[0] for ratio in ratios]
    above, below = np.array(pairs).T
    assert is_initial(above, below).tolist() == expected


def test_large_counts_do_not_overflow():
    # (10**9 + 1)**2 * 1 against 10**9 * (10**9 + 2): one more, and one less.
    above = np.array([10**9, 10**9 + 2, 10**9 + 1])
    assert is_initial(above, np.ones(3, np.int64)).tolist() == [False, True, True]
    above = np.array([10**9 + 1, 10**9 + 1, 10**9])
    assert is_initial(above, np.ones(3, np.int64)).tolist() == [True, True, False]


def test_weights_of_children_add_up_and_the_ratio_stops_them():
    page = thresher.parse(f"<p>{words(1)}</p>" + CELLS.format(words(40), words(40)))
    tree = Content.of(page)
    ratio = tree.words() / leaves(tree)
    names = [page.name(row) for row in tree.row]
    assert names == ["body", "p", "#text", "table", "tbody", "tr", "td", "#text", "td", "#text"]
    assert ratio.tolist() == [27, 1, 1, 40, 40, 40, 40, 40, 40, 40]
    # sqrt(40 * 27) = 32.9: ids 3 to 9 are initial, of W = 6/6, 5/6, 4/6, 3/6, 2/6, 1/6, 0.
    weight = weights(tree.words(), leaves(tree))
    assert (6 * weight).round(9).tolist() == [0, 0, 0, 6, 5, 4, 3, 2, 1, 0]
    # td: 3/6 and 1/6; tr: max(4/6, 3/6 + 1/6); tbody 5/6, table 1, and the body takes the table's.
    relevance = relevances(tree, ratio, weight)
    assert (6 * relevance / ratio).round(9).tolist() == [6, 0, 0, 6, 5, 4, 3, 2, 1, 0]
    assert WLR()(page).words == 80


def test_ties_go_to_the_lower_id():
    page = thresher.parse("<div><div><p>one two three</p></div></div>")
    tree = Content.of(page)
    relevance = relevances(tree, np.ones(len(tree)), np.array([0, 0, 0, 1.0, 0]))
    assert relevance.tolist() == [1, 1, 1, 1, 0]
    assert WLR()(page).text() == "one two three"


def test_the_printed_form_does_not_overflow():
    deep = "<section>" * 400 + words(100) + "</section>" * 400
    page = thresher.parse(f"<p>one</p>{deep}<h2>two</h2>")
    tree = Content.of(page)
    ratio = tree.words() / leaves(tree)
    found = relevances(tree, ratio, weights(tree.words(), leaves(tree)), "printed")
    # 100 to the 401th is more than a float holds; the body multiplies it by 102 / 3.
    assert np.isfinite(found[0])
    assert found[0] - found[tree.parent == 0].max() == pytest.approx(np.log(34))
    assert WLR(relevance="printed")(page).words == 102
    assert WLR()(page).words == 100


def test_a_part_of_a_page_knows_its_positions():
    page = thresher.parse("<div>one</div><div style='position:absolute'>two</div><p hidden>x</p>")
    part = page.only(page.where(~page.hidden))
    assert leaves(Content.of(part)).tolist()[0] == leaves(Content.of(page)).tolist()[0] == 2


@pytest.mark.parametrize("kind", [WLR, CLR])
def test_bad_options_are_refused(kind):
    with pytest.raises(
        UsageError, match=r"relevance of [cw]lr is 'log': give 'summed' or 'printed'\."
    ):
        kind(relevance="log")
