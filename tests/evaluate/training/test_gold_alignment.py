"""Labels: which blocks are content according to the gold text, case by case."""

import numpy as np
import pytest

import thresher
from thresher.evaluate.training.gold_alignment import (
    block_labels,
    block_tokens,
    label_tokens,
    labels,
)


def content(html: str, gold: str) -> list[str]:
    """The texts of the blocks that are content, their words joined."""
    page = thresher.parse(html)
    blocks = block_tokens(page)
    marked = block_labels(page, gold).tolist()
    return [" ".join(block) for block, is_content in zip(blocks, marked, strict=True) if is_content]


ONE = "Warm the pot before the leaves go in."
TWO = "Then pour the water and wait a while."


def test_blocks_of_the_gold_are_content():
    html = f"<title>Tea</title><nav><a>Home page of all our teas</a></nav><p>{ONE}</p><p>{TWO}</p>"
    assert content(html, f"{ONE}\n\n{TWO}") == [
        "warm the pot before the leaves go in",
        "then pour the water and wait a while",
    ]


def test_half_of_a_long_block_is_enough():
    gold = "one two three four"
    assert content("<p>one two three four five six seven eight</p>", gold)
    assert not content("<p>one two three four five six seven eight nine</p>", gold)


def test_pairs_that_stand_alone_prove_nothing():
    # Every second word is one of the gold's, in order; no two of them stand together.
    assert not content("<p>one x two y three z four</p>", "one two three four")
    assert content("<p>one two x three four y z</p>", "one two three four")


def test_case_and_form_do_not_count():
    decomposed = "cafe\u0301 TEA and milk now"
    assert content(f"<p>{decomposed}</p>", "Café tea and milk now")


def test_a_short_block_needs_a_neighbour():
    gold = f"Making tea {ONE}"
    html = f"<p>Making tea</p><p>{ONE}</p><p>the pot</p>"
    assert content(html, gold) == ["making tea", "warm the pot before the leaves go in"]
    # Apart from what goes on in the gold, the same two words are none.
    apart = f"<p>Making tea</p><p>Not so</p><p>{ONE}</p>"
    assert content(apart, gold) == ["warm the pot before the leaves go in"]


def test_a_short_block_must_be_paired_whole():
    assert "making black tea" not in content(
        f"<p>Making black tea</p><p>{ONE}</p>", f"Making tea {ONE}"
    )


def test_a_short_block_that_is_a_line_of_the_gold_is_content():
    html = f"<p>Sugar</p><p>Not so</p><p>{ONE}</p>"
    assert content(html, f"Sugar\n{ONE}") == ["sugar", "warm the pot before the leaves go in"]
    assert content(html, f"Sugar too {ONE}") == ["warm the pot before the leaves go in"]


def test_one_word_alone_must_go_on_to_both_sides():
    gold = f"{ONE} Sugar {TWO}"
    assert "sugar" in content(f"<p>{ONE}</p><p>Sugar</p><p>{TWO}</p>", gold)
    assert "sugar" not in content(f"<p>{ONE}</p><p>Sugar</p><p>Not so</p><p>{TWO}</p>", gold)


def test_another_order_is_found_too():
    # The longest common subsequence pairs one of them; shingles find the other.
    html = f"<p>{TWO} It takes three minutes.</p><p>{ONE}</p>"
    assert len(content(html, f"{ONE}\n{TWO} It takes three minutes.")) == 2


def test_what_the_gold_has_once_is_given_out_once():
    html = f"<p>{TWO}</p><p>{TWO}</p><p>{ONE} It takes three minutes.</p>"
    found = content(html, f"{ONE} It takes three minutes.\n{TWO}")
    assert found == [
        "then pour the water and wait a while",
        "warm the pot before the leaves go in it takes three minutes",
    ]


@pytest.mark.parametrize("element", ["textarea", "title", "style", "datalist"])
def test_copies_in_fields_are_no_content(element):
    page = thresher.parse(f"<{element}>{ONE}</{element}><div><p>{ONE}</p></div>")
    marked = labels(page, ONE)
    assert marked.sum() == 1
    assert page.name(page.parent[page.text_rows[marked][0]]) == "p"


def test_a_label_for_each_text():
    page = thresher.parse("<p>Warm the <b>pot</b> before <i>the</i> leaves</p> \n <p>Home</p>")
    marked = labels(page, "Warm the pot before the leaves")
    assert len(marked) == len(page.text_rows)
    assert [page.text(row) for row in page.text_rows[marked]] == [
        "Warm the ", "pot", " before ", "the", " leaves",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("html", "gold"), [("", "tea"), ("<p>tea", ""), ("<p></p>", "x"), ("", "")]
)
def test_nothing_is_content_of_nothing(html, gold):
    assert not labels(thresher.parse(html), gold).any()


def test_tokens_by_hand():
    blocks = [["a", "b"], ["c", "d", "e", "f", "g"], [], ["h"]]
    gold = [["a", "b", "c", "d", "e", "f", "g"], ["h"]]
    assert label_tokens(blocks, gold).tolist() == [True, True, False, True]
    assert label_tokens([], gold).tolist() == []
    assert not label_tokens(blocks, []).any()


def test_an_enormous_page_is_paired_in_pieces(monkeypatch):
    words = [f"w{number}" for number in range(200)]
    html = "".join(
        f"<p>{' '.join(words[at : at + 10])}</p><p>other {at} words here now</p>"
        for at in range(0, 200, 10)
    )
    gold = " ".join(words)
    page = thresher.parse(html)
    whole = block_labels(page, gold)
    assert whole.sum() == 20
    monkeypatch.setattr("thresher.evaluate.training.gold_alignment._MOST_CELLS", 200 * 40)
    assert np.array_equal(block_labels(page, gold), whole)
