"""Sentences: where they end in several scripts, and where a stop does not end one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.growth import assert_linear
from thresher.page.sentences import sentence_starts, sentences, split_at_stops


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", []),
        ("No stop", ["No stop"]),
        ("One. Two! Three? Four… Five", ["One.", "Two!", "Three?", "Four…", "Five"]),
        ("Wait... What?! Yes.", ["Wait...", "What?!", "Yes."]),
        ("It broke.\nThen\nit rained. So", ["It broke.", "Then\nit rained.", "So"]),
        # quotes, brackets and notes after the stop; openers before the next sentence
        ('He said "go." Then he went.', ['He said "go."', "Then he went."]),
        ("«Oui.» «Non.» Il part.", ["«Oui.»", "«Non.»", "Il part."]),
        ("It ends (here.) “Next” one.", ["It ends (here.)", "“Next” one."]),
        ("Proved.[12][a] Now this.", ["Proved.[12][a]", "Now this."]),
        ("Proved.¹² Now this.", ["Proved.¹²", "Now this."]),
        ("¿Sí? ¡No! ¿Qué?", ["¿Sí?", "¡No!", "¿Qué?"]),
        # scripts with other stops, without white space
        ("今天很好。我们走吧！好吗？好", ["今天很好。", "我们走吧！", "好吗？", "好"]),
        ("“走。”他说。", ["“走。”", "他说。"]),
        ("「そうだ。」と言った。終わり。", ["「そうだ。」と言った。", "終わり。"]),
        ("你好!今天怎样?好", ["你好!", "今天怎样?", "好"]),
        ("यह पुल है। वह था।ठीक", ["यह पुल है।", "वह था।", "ठीक"]),
        ("یہ ہے۔وہ کیا تھا؟ ہاں۔", ["یہ ہے۔", "وہ کیا تھا؟", "ہاں۔"]),
        ("هذا بيت. هل هو كبير؟ نعم.", ["هذا بيت.", "هل هو كبير؟", "نعم."]),
        ("Սա տուն է։ Այո։", ["Սա տուն է։", "Այո։"]),
        ("Τι είναι\u037e Ένα σπίτι.", ["Τι είναι\u037e", "Ένα σπίτι."]),
    ],
)
def test_where_sentences_end(text, parts):
    assert sentences(text) == parts


@pytest.mark.parametrize(
    "text",
    [
        "Dr. Watson met Mr. Holmes and Prof. Moriarty on St. Mary's day.",
        "J. R. R. Tolkien and the U.S. Army left at 5 p.m. London time.",
        "It costs 3.5 dollars at www.example.org and v2.0.1 is out.",
        "Some fruit, e.g. Apples, i.e. Malus, cf. Linnaeus.",
        "See No. 5, Fig. 3, pp. 12 to 14 and vol. 2.",
        "On Jan. 5 it snowed.",
        "Yahoo! is a company, approx. five people, etc. and so on.",
        '"Really?" she asked. and went on',
        "Am 3. Mai kam z. B. Herr Dr. Müller, ca. Sechs bzw. Sieben.",
        "1. First",
        "Smith et al. (2010) say so.",
        "ул. Пушкина, им. Ленина, т. е. Москва.",
        "... and more",
        "no.space.after.the.stop.Here",
    ],
)
def test_stops_that_end_no_sentence(text):
    assert sentences(text) == [text]


def test_after_abbreviations_that_may_end_a_sentence_one_ends():
    assert sentences("Apples, pears, etc. Then it rained.") == [
        "Apples, pears, etc.",
        "Then it rained.",
    ]
    assert sentences("He said no. Then he left.") == ["He said no.", "Then he left."]
    assert sentences("It was 2019. The sun shone.") == ["It was 2019.", "The sun shone."]


def test_a_text_without_capitals_has_sentences_too():
    assert sentences("i went home. it was late, e.g. ten. dr. who came") == [
        "i went home.",
        "it was late, e.g. ten.",
        "dr. who came",
    ]


@given(st.text("aB.!?…。،؟۔ \n\"'([])12とÄ-", max_size=60))
def test_nothing_is_lost(text):
    starts = sentence_starts(text)
    assert starts == sorted(set(starts))
    assert all(0 < start < len(text) for start in starts)
    assert "".join("".join(sentences(text)).split()) == "".join(text.split())
    # A sentence ends with a stop, or with what closes after it.
    ends = [text[:start].rstrip()[-1] for start in starts]
    assert set(ends) <= set(".!?…。؟۔\"')]")


def test_every_stop_divides_for_the_methods_of_the_thesis():
    assert split_at_stops("Dr. Who came. So") == ["Dr.", "Who came.", "So"]
    assert split_at_stops("好。好") == ["好。", "好"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece", ["word ", "a. ", "A. ", "Word. ", ".", ". ", "。", '."', ". -", ".[", "1. ", "x!"]
)
def test_the_time_grows_with_the_text(piece):
    assert_linear(sentence_starts, lambda n: piece * n, 20_000)
