"""Scores of CleanEval's marks against sets of marked words, and by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher import extract
from thresher.evaluate.cleaneval import marked_text, read_marked, score_marks
from thresher.evaluate.scores import Score, lcs

# --- the definition, on texts in which no word occurs twice --------------------------------------

# A word, whether it is in the found text, and its marks in the gold text and in the found text.
WORDS = st.lists(
    st.tuples(st.booleans(), st.sampled_from(["", "h", "l", "p"]), st.sampled_from("hlp,")),
    max_size=12,
)


def slow_score(found: set[object], gold: set[object]) -> Score:
    if not found and not gold:
        return Score(1.0, 1.0, 1.0)
    common = len(found & gold)
    if not common:
        return Score(0.0, 0.0, 0.0)
    precision, recall = common / len(found), common / len(gold)
    return Score(precision, recall, 2 * precision * recall / (precision + recall))


@given(WORDS)
def test_marks_are_found_where_their_words_are(words):
    gold, found = "", ""
    gold_marks, found_marks = {}, {}
    for number, (is_found, in_gold, in_found) in enumerate(words):
        word = f"w{number}"
        gold += f" <{in_gold}>{word}" if in_gold else f" {word}"
        gold_marks |= {word: in_gold} if in_gold else {}
        if is_found:
            is_marked = in_found != ","
            found += f" <{in_found}>{word}" if is_marked else f" {word}"
            found_marks |= {word: in_found} if is_marked else {}
    scores = score_marks(found, gold)
    assert scores.segments == pytest.approx(slow_score(set(found_marks), set(gold_marks)))
    pairs = set(found_marks.items()), set(gold_marks.items())
    assert scores.labels == pytest.approx(slow_score(*pairs))
    for mark in "hlp":
        of_mark = ({pair for pair in side if pair[1] == mark} for side in pairs)
        assert scores.by_mark[mark] == pytest.approx(slow_score(*of_mark))


TEXTS = st.lists(st.sampled_from("tea pot cup <p> <h> <l>".split()), max_size=15).map(" ".join)


@given(TEXTS, TEXTS)
def test_the_score_of_the_text_is_that_of_the_common_subsequence(found, gold):
    wanted = lcs(read_marked(found).words, read_marked(gold).words)
    assert score_marks(found, gold).text == pytest.approx(wanted)


@given(TEXTS)
def test_a_text_equals_itself(text):
    found = score_marks(text, text)
    assert {found.text, found.segments, found.labels, *found.by_mark.values()} == {Score(1, 1, 1)}


# --- by hand -------------------------------------------------------------------------------------


def test_reading_marks():
    found = read_marked("Zero <H>Hot tea</h>\n<p>\n<l>One <p></p>two<p>")
    assert found.words == ["zero", "hot", "tea", "one", "two"]
    assert found.marks == {1: "h", 3: "l", 4: "p"}  # the last mark has no word
    assert read_marked("") == read_marked("<p> <l>")


def test_scores_by_hand():
    gold = "<h>Hot tea <p>Warm the pot. <l>Milk <l>Sugar"
    found = "<p>Home <h>Hot tea Warm the pot. <p>Milk <l>Sugar"
    scores = score_marks(found, gold)
    assert scores.text == (7 / 8, 1.0, pytest.approx(14 / 15))
    # Segments begin at Home, Hot, Milk, Sugar; in the gold text at Hot, Warm, Milk, Sugar.
    assert scores.segments == (3 / 4, 3 / 4, 3 / 4)
    assert scores.labels == (2 / 4, 2 / 4, 2 / 4)  # Milk has another mark
    assert scores.by_mark["h"] == (1.0, 1.0, 1.0)
    assert scores.by_mark["l"] == (1.0, 1 / 2, pytest.approx(2 / 3))
    assert scores.by_mark["p"] == (0.0, 0.0, 0.0)


def test_nothing_to_mark():
    assert score_marks("", "").labels == (1.0, 1.0, 1.0)
    assert score_marks("tea", "tea").segments == (1.0, 1.0, 1.0)
    assert score_marks("<p>tea", "tea").segments == (0.0, 0.0, 0.0)


def test_a_document_with_marks():
    html = (
        "<h1>Tea</h1><p>Warm <b>the pot</b>.<ul><li>milk<li>sugar</ul>"
        "<blockquote>Drink</blockquote><nav>Home</nav><table><tr><th>Tea<th>Minutes<tr><td>green<td>2</table>"
    )
    document = extract(html, method=lambda page: page.all())
    assert marked_text(document) == (
        "<h>Tea\n<p>Warm the pot.\n<l>milk\n<l>sugar\n<p>Drink\n<p>Home\n"
        "<p>Tea\n<p>Minutes\n<p>green\n<p>2\n"
    )
    assert score_marks(marked_text(document), marked_text(document)).labels.f1 == 1.0
