"""Headlines: TitleFinder compared with its definition, the baselines, and `find`."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thresher
from benchmarks import headlines
from tests.metadata import slow_headline as slow
from tests.pages import soup
from thresher.errors import UsageError
from thresher.evaluate.corpora import GoldPage
from thresher.metadata import headline
from thresher.metadata.headline import Headline, TitleFinder
from thresher.metadata.stop_words import page_stop_words

MEASURES = ("tf", "tf-idf", "overlap", "sum")


def fast(html: str, finder: TitleFinder) -> list[tuple[str, float]]:
    page = thresher.parse(html)
    title = finder._title_words(page, None)
    stops = page_stop_words(page) if finder.stop_words else frozenset()
    if stops.issuperset(title):
        stops = frozenset()
    found = headline._candidates(page, finder.candidates, stops)
    vectors = headline._Vectors.of([one.words for one in found])
    query = vectors.query([word for word in title if word not in stops])
    similarity = finder.similarity(vectors, query).tolist()
    return [(one.text, value) for one, value in zip(found, similarity, strict=True)]


@pytest.mark.parametrize("stop_words", [False, True])
@pytest.mark.parametrize("kinds", ["texts", "sentences", "both"])
@settings(max_examples=20)
@given(html=slow.pages())
def test_similarity_equals_the_definition(html, kinds, stop_words):
    for measure in MEASURES:
        finder = TitleFinder(measure, kinds, stop_words=stop_words)
        expected = slow.similarities(html, measure, kinds, stop_words)
        own = fast(html, finder)
        assert [text for text, _ in own] == [text for text, _ in expected]
        assert [value for _, value in own] == pytest.approx([v for _, v in expected], abs=1e-9)
        found = finder(thresher.parse(html))
        greatest = max((value for _, value in expected), default=0.0)
        if greatest == 0:
            assert found == Headline()
        else:
            assert found.text in {text for text, value in expected if value >= greatest - 1e-9}
            assert found.row > 0


KETTLE = "<title>Tea in three minutes | The Kettle</title>"


def test_similarities_of_a_worked_example():
    html = f"{KETTLE}<p>The Kettle</p><p>Tea in three minutes</p><p>Boil water.</p>"
    texts = ["The Kettle", "Tea in three minutes", "Boil water."]
    similarity = {}
    for measure in MEASURES:
        own = fast(html, TitleFinder(measure))
        assert [text for text, _ in own] == texts
        similarity[measure] = [value for _, value in own]
    tf, overlap = similarity["tf"], similarity["overlap"]
    assert tf == pytest.approx([2 / math.sqrt(2 * 6), 4 / math.sqrt(4 * 6), 0])
    idf = math.log(3)  # of every word: each is in one of three texts
    assert overlap == pytest.approx([2 * idf / math.sqrt(2), 4 * idf / 2, 0])
    assert similarity["tf-idf"] == pytest.approx(tf)  # one idf for all: the same cosine
    assert similarity["sum"] == pytest.approx([2 * tf[n] + overlap[n] for n in range(3)])


def test_candidates_are_texts_sentences_or_both():
    page = thresher.parse("<title>Is it tea?</title><h1>Is it tea? Yes. It is.</h1>")
    assert TitleFinder()(page).text == "Is it tea? Yes. It is."
    assert TitleFinder(candidates="sentences")(page).text == "Is it tea?"
    assert TitleFinder(candidates="both")(page).text == "Is it tea?"
    page = thresher.parse("<title>Is it tea? Yes.</title><h1>Is it tea? Yes. It is.</h1><p>Tea")
    assert TitleFinder(candidates="both")(page).text == "Is it tea? Yes. It is."
    chinese = thresher.parse("<title>茶好</title><p>水开了。茶好！喝吧。</p>")
    assert TitleFinder(candidates="sentences")(chinese).text == "茶好！"


STOPS = (
    "<title>The harbour of the North - Of the Day</title><h2>of the day</h2><p>Harbour North</p>"
)


def test_stop_words_are_removed_from_the_title_and_the_texts():
    # The title has "the" three times, "of" twice, and three more words: 3 * 3 + 2 * 2 + 3 = 16.
    page = thresher.parse(f"<html lang=en>{STOPS}")
    assert fast(f"<html lang=en>{STOPS}", TitleFinder()) == [
        ("of the day", pytest.approx(6 / math.sqrt(16 * 3))),
        ("Harbour North", pytest.approx(2 / math.sqrt(16 * 2))),
    ]
    assert TitleFinder()(page).text == "of the day"
    # Without stop words "harbour north day" are left of the title, "day" of the first text.
    assert fast(f"<html lang=en>{STOPS}", TitleFinder(stop_words=True)) == [
        ("of the day", pytest.approx(1 / math.sqrt(3))),
        ("Harbour North", pytest.approx(2 / math.sqrt(3 * 2))),
    ]
    assert TitleFinder(stop_words=True)(page).text == "Harbour North"


def test_stop_words_are_those_of_the_page_s_language():
    body = "<title>Die Die die Tee</title><p>die</p><p>Tee</p>"
    for language, text in (("de-AT", "Tee"), ("en", "die"), ("tlh", "die")):
        page = thresher.parse(f"<html lang={language}>{body}")
        assert TitleFinder(stop_words=True)(page).text == text


def test_a_title_of_stop_words_only_keeps_them():
    page = thresher.parse("<html lang=en><title>To be or not to be</title><p>to be<p>or<p>Tea")
    assert TitleFinder(stop_words=True)(page).text == "to be"


def test_improved_leaves_out_title_words_that_are_not_in_the_content():
    html = "<title>Tea News Daily Post</title><p id=a>News Daily Post</p><p>Tea is ready</p>"
    page = thresher.parse(html)
    content = page.select([row for row in range(len(page)) if "Tea is" in page.text(row)])
    assert TitleFinder()(page, content).text == "News Daily Post"
    assert TitleFinder(improved=True)(page, content).text == "Tea is ready"
    assert TitleFinder(improved=True)(page).text == "News Daily Post"


def test_the_topic_is_no_stop_word():
    """A word in many texts of the page is often its topic."""
    texts = "".join(
        f"<p>Samsung and the LTE patent, part {n} of a long story</p>" for n in range(20)
    )
    html = f"<title>LTE-Patent: Samsung verklagt | Golem</title><p>Golem</p>{texts}"
    page = thresher.parse(f"{html}<h1>LTE-Patent: Samsung verklagt</h1>")
    assert TitleFinder()(page).text == "LTE-Patent: Samsung verklagt"
    assert TitleFinder(stop_words=True)(page).text == "LTE-Patent: Samsung verklagt"


def test_no_headline_from_hidden_text_or_without_a_title():
    html = f"{KETTLE}<p hidden>Tea in three minutes</p><p>Tea</p>"
    assert TitleFinder()(thresher.parse(html)).text == "Tea"
    assert TitleFinder()(thresher.parse("<p>Tea</p>")) == Headline()
    assert TitleFinder()(thresher.parse("<title>Tea</title>")) == Headline()


def test_baselines():
    page = thresher.parse(f"{KETTLE}<h3>Three</h3><h2> </h2><h2>Two<br>lines</h2>")
    assert headline.title(page) == Headline("Tea in three minutes | The Kettle", -1, "title")
    assert headline.largest_heading(page).text == "Two lines"
    assert headline.largest_heading(page).source == "h2"
    assert headline.largest_heading(thresher.parse("<p>x")) == Headline()
    assert headline.title(thresher.parse("<svg><title>icon</title></svg>")) == Headline()


def test_an_unknown_option_raises():
    with pytest.raises(UsageError, match="give one of tf, tf-idf, overlap, sum"):
        TitleFinder("bm25")
    with pytest.raises(UsageError, match="'words': give one of texts, sentences, both"):
        TitleFinder(candidates="words")


def test_pages_without_a_headline():
    assert headline.find(thresher.parse("")) == Headline()
    assert headline.find(thresher.parse("<p>Only text.</p>")) == Headline()
    assert headline.find(thresher.parse("<h1>!?</h1><p>x</p>")) == Headline()


@given(soup)
def test_any_page_has_an_answer(html):
    page = thresher.parse(html)
    found = headline.find(page)
    assert -1 <= found.row < len(page)
    assert found.text == " ".join(found.text.split())
    assert bool(found.text) == bool(found.source)


def test_a_part_of_a_page_has_the_headline_of_the_whole():
    site = '<meta property="og:site_name" content="The Kettle">'
    page = thresher.parse(f"{KETTLE}{site}<p>Tea is good.</p>")
    assert headline.find(page.only(page.all())).text == "Tea in three minutes"


def test_huge_titles_and_many_headings():
    html = f"<title>{'tea | ' * 50_000}</title>" + "<h1>Tea time at home</h1>" * 20_000
    assert headline.find(thresher.parse(html)).text == "Tea time at home"
    many = "<title>tea</title>" + f"<p>{'tea. ' * 20_000}</p>"
    assert TitleFinder(candidates="sentences")(thresher.parse(many)).text == "tea."


# --- measuring -----------------------------------------------------------------------------------


def test_scores_of_a_worked_example():
    pages = [
        GoldPage("1", b"<title>Tea</title><h1>Tea  TIME</h1>", "", title="tea time"),
        GoldPage("2", b"<title>Tea</title><h1>Coffee time</h1>", "", title="Tea"),
        GoldPage("3", b"<p>Nothing", "", title="Tea"),
        GoldPage("4", b"<h1>\xe2\x80\x9cTea\xe2\x80\x9d</h1>", "", title='"Tea"'),
        GoldPage("5", b"<h1>Tea</h1>", ""),  # no gold: not counted
    ]
    found = headlines.answers("mine", pages, {"h1": headlines.BASELINES["largest heading"]})
    own = headlines.scores(list(found))
    assert own["h1"] == pytest.approx((1 / 3, 1 / 4, 2 / 7, 2 / 4))
    assert "| h1 | 0.333 | 0.250 | 0.286 | 0.500 |" in headlines.table({"mine": own})


def answered(site: str, **text: str) -> headlines.Answers:
    seconds = dict.fromkeys(headlines.TIMED, 0.5)
    texts = dict.fromkeys(headlines.TIMED, "") | text
    return headlines.Answers(f"site {site}", "Tea", 3.0, texts, seconds)


def test_the_best_setting_of_one_half_is_scored_on_the_other():
    names = ("texts: tf", "sentences: tf")
    pages = [
        answered(f"s{n}")._replace(text=dict(zip(names, ("Tea", ""), strict=True)))
        for n in range(4)
    ]
    written = headlines.settings_table(pages, halvings=3)
    assert "| texts | 1.000 / 1.000 |" in written
    assert "texts: tf (3). On the other half the best of the first has an F1 of 1.000" in written


def test_sites_have_f1_and_speed_beside_those_of_the_thesis():
    pages = [answered("golem", tf="Tea"), answered("golem"), answered("x", tf="Tea")]
    written = headlines.sites_table([*pages, *(answered("large", tf="TEA") for _ in range(5))])
    f1, speed = written.split("\n\n")
    assert "| Golem | 2 | 0.667 (1.000) | 0.000 (1.000) |" in f1  # one found, and it is right
    assert "| Golem | 2 | 6 (266) | 6 (143) |" in speed  # 6 KB in one second
    assert "| large | 5 | 1.000 | 0.000 |" in f1
    assert "| x |" not in f1
    assert "| Macro-average of 3 sites | 8 | 0.889 (0.989) |" in f1


@given(st.text())
def test_folding_ignores_case_and_space_at_the_ends(text):
    assert headlines.folded(text.upper()) == headlines.folded(f" {text.upper()}\n")
