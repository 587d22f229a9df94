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

MEASURES = ("tf", "tf-idf", "overlap", "sum")


def fast(html: str, measure: str) -> tuple[list[str], list[float]]:
    page = thresher.parse(html)
    finder = TitleFinder(measure)
    sentences, _ = headline._sentences(page, whole=False)
    kept = [one for one in sentences if headline._tokens(one)]
    vectors = headline._Vectors.of([headline._tokens(one) for one in kept])
    query = vectors.query(finder._title_words(page, None, vectors))
    return kept, finder.similarity(vectors, query).tolist()


@settings(max_examples=40)
@given(html=slow.pages())
def test_similarity_equals_the_definition(html):
    texts = slow.sentences(html)[1]
    for measure in MEASURES:
        sentences, similarity = fast(html, measure)
        expected = slow.similarity(html, measure)
        assert sentences == texts
        assert similarity == pytest.approx(expected, abs=1e-9)
        found = TitleFinder(measure)(thresher.parse(html))
        if max(expected, default=0.0) == 0:
            assert found == Headline()
        else:
            best = {texts[at] for at, one in enumerate(expected) if one >= max(expected) - 1e-9}
            assert found.text in best
            assert found.row > 0


KETTLE = "<title>Tea in three minutes | The Kettle</title>"


def test_similarities_of_a_worked_example():
    html = f"{KETTLE}<p>The Kettle</p><p>Tea in three minutes</p><p>Boil water.</p>"
    sentences, tf = fast(html, "tf")
    assert sentences == ["The Kettle", "Tea in three minutes", "Boil water."]
    assert tf == pytest.approx([2 / math.sqrt(2 * 6), 4 / math.sqrt(4 * 6), 0])
    idf = math.log(3)  # of every word: each is in one of three sentences
    overlap = fast(html, "overlap")[1]
    assert overlap == pytest.approx([2 * idf / math.sqrt(2), 4 * idf / 2, 0])
    assert fast(html, "tf-idf")[1] == pytest.approx(tf)  # one idf for all: the same cosine
    assert fast(html, "sum")[1] == pytest.approx([2 * tf[n] + overlap[n] for n in range(3)])


def test_sentences_are_split_or_whole():
    page = thresher.parse("<title>Is it tea?</title><h1>Is it tea? Yes. It is.</h1>")
    assert TitleFinder()(page).text == "Is it tea?"
    assert TitleFinder(whole_texts=True)(page).text == "Is it tea? Yes. It is."
    chinese = thresher.parse("<title>茶好</title><p>水开了。茶好！喝吧。</p>")
    assert TitleFinder()(chinese).text == "茶好！"


def test_improved_leaves_out_title_words_that_are_not_in_the_content():
    html = "<title>Tea News Daily Post</title><p id=a>News Daily Post</p><p>Tea is ready</p>"
    page = thresher.parse(html)
    content = page.select([row for row in range(len(page)) if "Tea is" in page.text(row)])
    assert TitleFinder()(page, content).text == "News Daily Post"
    assert TitleFinder(improved=True)(page, content).text == "Tea is ready"
    assert TitleFinder(improved=True)(page).text == "News Daily Post"


def test_words_of_many_sentences_are_stop_words():
    filler = "".join(f"<p>on the far side of the hill a{n} b{n} c{n}</p>" for n in range(12))
    html = f"<title>the side of the hill of tea</title>{filler}<h2>Tea</h2>"
    assert TitleFinder()(thresher.parse(html)).text == "Tea"
    assert TitleFinder(stop_share=1.0)(thresher.parse(html)).text.startswith("on the far side")


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


def test_an_unknown_measure_raises():
    with pytest.raises(UsageError, match="give one of tf, tf-idf, overlap, sum"):
        TitleFinder("bm25")


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
    assert TitleFinder()(thresher.parse(many)).text == "tea."


# --- measuring -----------------------------------------------------------------------------------


def test_scores_of_a_worked_example():
    pages = [
        GoldPage("1", b"<title>Tea</title><h1>Tea  TIME</h1>", "", title="tea time"),
        GoldPage("2", b"<title>Tea</title><h1>Coffee time</h1>", "", title="Tea"),
        GoldPage("3", b"<p>Nothing", "", title="Tea"),
        GoldPage("4", b"<h1>\xe2\x80\x9cTea\xe2\x80\x9d</h1>", "", title='"Tea"'),
        GoldPage("5", b"<h1>Tea</h1>", ""),  # no gold: not counted
    ]
    own = headlines.scores(pages, {"h1": lambda page, _: headline.largest_heading(page)})
    assert own["h1"] == pytest.approx((1 / 3, 1 / 4, 2 / 7, 2 / 4))
    assert "| h1 | 0.333 | 0.250 | 0.286 | 0.500 |" in headlines.table({"mine": own})


@given(st.text())
def test_folding_ignores_case_and_space_at_the_ends(text):
    assert headlines.folded(text.upper()) == headlines.folded(f" {text.upper()}\n")
