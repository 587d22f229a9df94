"""Lists, tables, quotes and code as groups: against slow definitions, and by hand."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thresher
from tests.cores import needs_kernels, plain_core
from tests.methods.default import slow_features as slow
from tests.methods.default import slow_groups
from thresher.methods.default.features.containers import page_outline
from thresher.methods.default.groups import fill_between, share_probability
from thresher.methods.default.judge import best_prefix

CHANCES = st.sampled_from([0.0, 0.04, 0.3, 0.9])


@pytest.mark.slow
@settings(max_examples=80)
@given(html=slow.pages(), data=st.data())
def test_groups_are_as_defined(html, data):
    page = slow.SlowPage(html)
    size = len(page.blocks)
    if not size:
        return
    p = data.draw(st.lists(CHANCES, min_size=size, max_size=size))
    kept = data.draw(st.lists(st.booleans(), min_size=size, max_size=size))
    outline = page_outline(thresher.parse(html))
    found = share_probability(outline, np.array(p))
    assert found.tolist() == pytest.approx(slow_groups.share_probability(page, p))
    chosen = {at for at, yes in enumerate(kept) if yes}
    filled = fill_between(outline, np.array(p), np.array(kept))
    assert set(filled.nonzero()[0].tolist()) == slow_groups.fill_between(page, p, chosen)


def shared(html: str, p: list[float]) -> list[float]:
    return share_probability(page_outline(thresher.parse(html)), np.array(p)).tolist()


def filled(html: str, p: list[float], kept: list[bool]) -> list[bool]:
    outline = page_outline(thresher.parse(html))
    return fill_between(outline, np.array(p), np.array(kept)).tolist()


def test_a_list_has_one_probability():
    words = "<li>one two three four</li>"
    html = f"<p>Tea</p><ul>{words}<li>five six</li></ul><ol>{words}{words}</ol>"
    # (0.9 * 4 + 0.3 * 2) / 6 = 0.7; (0.6 * 4 + 0.0 * 4) / 8 = 0.3, and what is ruled out stays out.
    assert shared(html, [0.9, 0.9, 0.3, 0.6, 0.0]) == pytest.approx([0.9, 0.7, 0.7, 0.3, 0.0])


@pytest.mark.parametrize(("words", "found"), [(100, [0.5, 0.5]), (101, [0.9, 0.1])])
def test_small_tables_have_one_probability(words, found):
    cells = f"<td>{'a ' * words}</td><td>{'b ' * words}</td>"
    assert shared(f"<table><tr>{cells}</tr></table>", [0.9, 0.1]) == pytest.approx(found)


AROUND = "<p>My neighbour put it better:</p>{}<p>So do I.</p>"


@pytest.mark.parametrize(
    ("inner", "p", "kept"),
    [
        ("<blockquote>Rain is rain.</blockquote>", 0.1, True),
        ("<blockquote><p>Rain is rain.</p></blockquote>", 0.1, True),
        ("<pre>print(rain)</pre>", 0.1, True),
        ("<table><tr><td>12 mm</td></tr></table>", 0.05, True),
        ("<table><tr><td>12 mm</td></tr></table>", 0.04, False),  # too improbable
        ("<ul><li><a href=x>Read more</a></li></ul>", 0.3, False),  # links
        ("<div>Advertisement</div>", 0.3, False),  # no list, table, quote or code
        ("<blockquote hidden>Rain is rain.</blockquote>", 0.3, False),
        ("<blockquote><i hidden>0001</i>Rain is rain.</blockquote>", 0.3, True),
    ],
)
def test_what_stands_in_the_middle_of_kept_text_is_kept(inner, p, kept):
    assert filled(AROUND.format(inner), [0.9, p, 0.9], [True, False, True])[1] is kept


def test_several_groups_between_kept_text():
    """Each group is judged by its own words, not by those of another group or between groups."""
    html = (
        "<p>First</p><blockquote>Rain is rain.</blockquote><p>Second</p>"
        "<ul><li>one two</li><li>three</li></ul><p>Third</p><pre>print(rain)</pre><p>Last</p>"
    )
    kept = [True, False, True, False, False, True, False, True]
    for quote, items, code in product([0.04, 0.1], repeat=3):
        p = [0.9, quote, 0.9, items, items, 0.9, code, 0.9]
        wanted = [True, quote > 0.05, True, *[items > 0.05] * 2, True, code > 0.05, True]
        assert filled(html, p, kept) == wanted


def test_both_neighbours_must_be_kept_and_in_the_same_container():
    html = AROUND.format("<ul><li>one two</li></ul>")
    assert not filled(html, [0.9, 0.3, 0.9], [True, False, False])[1]
    apart = "<div><p>First</p></div><ul><li>one two</li></ul><p>Last</p>"
    assert not filled(apart, [0.9, 0.3, 0.9], [True, False, True])[1]
    two = "<p>First</p><ul><li>one</li></ul><pre>two</pre><p>Last</p>"
    assert filled(two, [0.9, 0.9, 0.3, 0.9], [True, True, False, True])[2]


@pytest.mark.parametrize("first", [True, False])
def test_a_neighbour_that_is_a_list_itself_may_stand_at_the_edge_of_the_page(first):
    lists = "<ul><li>one two</li></ul><ol><li>three four</li></ol>"
    html = f"{lists}<p>Last</p>" if first else f"<p>First</p>{lists}"
    assert filled(html, [0.9, 0.3, 0.9], [True, False, True]) == [True, True, True]


@needs_kernels
@settings(max_examples=200)
@given(html=slow.pages(), seed=st.integers(0, 1_000))
def test_both_versions_keep_the_same(html, seed):
    page = thresher.parse(html)
    size = len(page.blocks)
    if not size:
        return
    rng = np.random.default_rng(seed)
    outline = page_outline(page)
    p = np.where(rng.random(size) < 0.2, 0.0, rng.random(size))
    kept = rng.random(size) < 0.7

    def results():
        shared = share_probability(outline, p)
        prefixes = [best_prefix(shared, outline.words, beta) for beta in (0.4, 1.0, 2.0)]
        filled = [fill_between(outline, p, some) for some in (kept, *prefixes)]
        return [shared, *prefixes, *filled]

    found = results()
    with plain_core():
        for one, other in zip(found, results(), strict=True):
            assert one.tolist() == other.tolist()
