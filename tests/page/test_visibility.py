"""Hidden blocks, and the texts of chosen blocks that are shown."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cores import needs_kernels, plain_core
from tests.pages import soup, well_formed
from thresher import Page, parse
from thresher.page.visibility import hidden_blocks, shown_texts


def shown(page: Page, chosen: np.ndarray | None = None) -> list[str]:
    return [page.texts[index] for index in shown_texts(page, chosen).nonzero()[0].tolist()]


def test_hidden_words_of_a_shown_block_are_left_out():
    page = parse("<p>one <span hidden>two</span></p><div hidden>three</div> <p>four")
    assert hidden_blocks(page).tolist() == [False, True, False]
    assert shown(page) == ["one ", "three", " ", "four"]
    assert shown(page, np.array([True, False, False])) == ["one "]
    assert shown(page, np.array([False, True, False])) == ["three"]  # a fully hidden block


@pytest.mark.parametrize(
    ("source", "texts"),
    [
        ("<ruby>x<rp>(</rp><rt>y</rt><rp>)</rp></ruby>", ["x", "(", "y", ")"]),
        ("<p>a<span hidden><math><mi>x</mi></math></span>", ["a", "x"]),
        (
            "<p>a<math><semantics><mi>x</mi><annotation>copy</annotation></semantics></math>",
            ["a", "x"],
        ),
    ],
)
def test_brackets_of_readings_and_formulas_are_shown(source, texts):
    assert shown(parse(source)) == texts


@needs_kernels
@given(html=st.one_of(well_formed, soup), seed=st.integers(0, 1_000))
def test_both_versions_give_the_same(html, seed):
    page, again = parse(html), parse(html)  # values are cached with the page
    chosen = np.random.default_rng(seed).random(len(page.blocks)) < 0.5
    found = hidden_blocks(page), shown_texts(page, chosen), shown_texts(page)
    with plain_core():
        expected = hidden_blocks(again), shown_texts(again, chosen), shown_texts(again)
    for one, other in zip(found, expected, strict=True):
        assert one.tolist() == other.tolist()
