"""Scores against slow definitions and values computed by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.evaluate.scores import bag, lcs, score_text, shingles, snippets, tokens

words = st.lists(st.sampled_from("abcde"), max_size=30)


def slow_lcs(left: list[str], right: list[str]) -> int:
    """The table of the textbook."""
    table = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for i, a in enumerate(left, 1):
        for j, b in enumerate(right, 1):
            best = max(table[i - 1][j], table[i][j - 1])
            table[i][j] = table[i - 1][j - 1] + 1 if a == b else best
    return table[-1][-1]


@given(words, words)
def test_lcs_equals_the_textbook(found, gold):
    score = lcs(found, gold)
    common = slow_lcs(found, gold)
    if not found and not gold:
        assert score == (1, 1, 1)
    elif not common:
        assert score == (0, 0, 0)
    else:
        p, r = common / len(found), common / len(gold)
        assert score == pytest.approx((p, r, 2 * p * r / (p + r)))


@given(words, words)
def test_bag_counts_each_word_as_often_as_both_have_it(found, gold):
    common = sum(min(found.count(word), gold.count(word)) for word in set(found))
    score = bag(found, gold)
    both_empty = float(not found and not gold)
    assert score.precision == pytest.approx(common / len(found) if common else both_empty)
    assert score.recall == pytest.approx(common / len(gold) if common else both_empty)
    assert lcs(found, gold).f1 <= score.f1 + 1e-9


def test_by_hand():
    # gold: the cat sat on the mat (6); found: the cat on a mat (5); in order: the cat on mat (4)
    score = lcs(tokens("The cat on a mat"), tokens("the cat sat on the mat"))
    assert score == pytest.approx((4 / 5, 4 / 6, 2 * (4 / 5) * (4 / 6) / (4 / 5 + 4 / 6)))
    # out of order: LCS of "b a" and "a b" is 1, the bags are the same
    assert lcs(["b", "a"], ["a", "b"]).f1 == 0.5
    assert bag(["b", "a"], ["a", "b"]).f1 == 1


@pytest.mark.parametrize(
    ("found", "gold", "f1"), [("", "", 1), ("", "one", 0), ("one", "", 0), ("one", "two", 0)]
)
def test_empty_texts(found, gold, f1):
    scores = score_text(found, gold)
    assert scores["lcs_f1"] == scores["bag_f1"] == scores["shingle_f1"] == f1


def test_tokens_are_the_words_of_the_pages():
    assert tokens("Größe: 3,5 KILO") == ["grösse", "3", "5", "kilo"]
    assert tokens("緑茶は二分") == list("緑茶は二分")


def test_shingles():
    assert shingles("a b c d e".split()) == [("a", "b", "c", "d"), ("b", "c", "d", "e")]
    assert shingles(["a", "b"]) == [("a", "b")]
    assert shingles([]) == []


def test_snippets():
    found = snippets("The  cat\nsat.", ["cat sat", "dog", "THE"], ["mat", "the cat"])
    assert found == {"snippets": 3 / 5, "present": 2 / 3, "absent": 1 / 2}
    nothing = dict.fromkeys(("snippets", "present", "absent"))
    assert snippets("anything", [], []) == nothing
    assert snippets("anything", ["any"], []) == {"snippets": 1, "present": 1, "absent": None}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("cafe\u0301", "café"),
        ("CAFE\u0301", "café"),
        ("\u1fb7", "\u03b1\u0342\u03b9"),  # folding takes this letter apart
        ("\ud55c\uae00", "\u1112\u1161\u11ab\u1100\u1173\u11af"),  # syllables, or their letters
    ],
)
def test_accents_count_the_same_however_they_are_written(one, other):
    assert tokens(one) == tokens(other)
    scores = score_text(f"{one} au lait", f"{other} au lait", [other], [])
    assert scores["bag_f1"] == scores["lcs_f1"] == scores["shingle_f1"] == scores["present"] == 1
