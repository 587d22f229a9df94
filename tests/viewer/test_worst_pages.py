"""Word diffs and the list of worst pages."""

import random

from hypothesis import given
from hypothesis import strategies as st
from lxml import html

from thresher.evaluate.results import WorstPage
from thresher.evaluate.scores import lcs
from thresher.page.words import words
from thresher.viewer.worst_pages import word_diff, worst_pages


def test_a_diff_marks_missing_and_extra_words() -> None:
    assert word_diff("The cat sat, here.", "Home the cat here") == [
        ("extra", ["Home "]),
        ("common", ["The ", "cat "]),
        ("missing", ["sat, "]),
        ("common", ["here. "]),
    ]
    assert word_diff("", "") == []
    assert word_diff("", "a") == [("extra", ["a "])]
    assert word_diff("a", "") == [("missing", ["a "])]
    assert word_diff("長い文", "長文") == [
        ("common", ["長"]),
        ("missing", ["い"]),
        ("common", ["文 "]),
    ]


@given(*[st.text("ab c.", max_size=30)] * 2)
def test_a_diff_holds_both_texts(gold: str, found: str) -> None:
    runs = word_diff(gold, found)
    for text, other in ((gold, "extra"), (found, "missing")):
        kept = [word for run in runs if run.kind != other for word in run.words]
        assert [words(word)[0] for word in kept] == words(text)
    common = sum(len(run.words) for run in runs if run.kind == "common")
    assert common == round(lcs(words(found), words(gold)).recall * len(words(gold)))


def test_long_stretches_in_common_are_folded() -> None:
    same = " ".join(f"w{n}" for n in range(100))
    text = worst_pages([WorstPage("c", "p", "t", 0.5, f"x {same} y", f"{same} z")])
    (diff,) = html.fromstring(text).find_class("diff")
    assert diff.text_content() == (
        "x w0 w1 w2 w3 w4 w5 w6 w7 … w92 w93 w94 w95 w96 w97 w98 w99 z y "
    )
    assert diff.xpath("./ins/text()") == ["x", "y"]
    assert diff.xpath("./del/text()") == ["z"]


def test_diffs_are_bounded() -> None:
    draw = random.Random(3)
    gold, found = (" ".join(draw.choices("abcdefghij", k=50_000)) for _ in range(2))
    pages = [WorstPage("c", "p", "t", 0.1, gold, found)] * 3
    text = worst_pages([*pages, WorstPage("c", "p", "t", 0.1, "x" * 10**6, "&" * 10**6)])
    assert len(text) < 100_000
    assert "only the first 5,000 words of each text are compared" in text
    assert "the rest is not shown" in text
