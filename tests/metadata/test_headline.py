"""Headlines: TitleFinder against its definition, the baselines, the election."""

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
from thresher.metadata import headline_vote as votes
from thresher.metadata.headline import Headline, TitleFinder

MEASURES = ("tf", "tf-idf", "overlap", "sum")


def fast(html: str, measure: str) -> tuple[list[str], list[float]]:
    page = thresher.parse(html)
    finder = TitleFinder(measure)
    sentences, _ = headline._sentences(page, whole=False)
    kept = [one for one in sentences if headline._tokens(one)]
    vectors = headline._Vectors.of([headline._tokens(one) for one in kept])
    query = vectors.query(finder._title_words(page, None, vectors))
    return kept, finder.likeness(vectors, query).tolist()


@pytest.mark.parametrize("measure", MEASURES)
@settings(max_examples=40)
@given(html=slow.pages())
def test_likeness_is_as_defined(measure, html):
    sentences, found = fast(html, measure)
    assert sentences == slow.sentences(html)[1]
    assert found == pytest.approx(slow.likeness(html, measure), abs=1e-9)


@pytest.mark.parametrize("measure", MEASURES)
@settings(max_examples=40)
@given(html=slow.pages())
def test_the_first_of_the_likest_is_the_headline(measure, html):
    expected = slow.likeness(html, measure)
    found = TitleFinder(measure)(thresher.parse(html))
    if max(expected, default=0.0) == 0:
        assert found == Headline()
    else:
        texts = slow.sentences(html)[1]
        best = {texts[at] for at, one in enumerate(expected) if one >= max(expected) - 1e-9}
        assert found.text in best
        assert found.row > 0


KETTLE = "<title>Tea in three minutes | The Kettle</title>"


def test_by_hand():
    html = f"{KETTLE}<p>The Kettle</p><p>Tea in three minutes</p><p>Boil water.</p>"
    sentences, tf = fast(html, "tf")
    assert sentences == ["The Kettle", "Tea in three minutes", "Boil water."]
    assert tf == pytest.approx([2 / math.sqrt(2 * 6), 4 / math.sqrt(4 * 6), 0])
    idf = math.log(3)  # of every word: each stands in one of three sentences
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


def test_title_words_that_the_content_lacks_drop_out():
    html = "<title>Tea News Daily Post</title><p id=a>News Daily Post</p><p>Tea is ready</p>"
    page = thresher.parse(html)
    content = page.select([row for row in range(len(page)) if "Tea is" in page.text(row)])
    assert TitleFinder()(page, content).text == "News Daily Post"
    assert TitleFinder(improved=True)(page, content).text == "Tea is ready"
    assert TitleFinder(improved=True)(page).text == "News Daily Post"


def test_common_words_of_running_text_are_stop_words():
    filler = "".join(f"<p>on the far side of the hill a{n} b{n} c{n}</p>" for n in range(12))
    html = f"<title>the side of the hill of tea</title>{filler}<h2>Tea</h2>"
    assert TitleFinder()(thresher.parse(html)).text == "Tea"
    assert TitleFinder(stop_share=1.0)(thresher.parse(html)).text.startswith("on the far side")


def test_hidden_text_is_no_candidate_and_no_title_has_no_answer():
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


# --- the election: each mark on literal HTML ----------------------------------------------------

SITE = '<meta property="og:site_name" content="The Kettle">'
OG = '<meta property="og:title" content="{}">'


@pytest.mark.parametrize(
    ("html", "text", "source"),
    [
        ("<h1>Tea time at home</h1><h2>More of it</h2>", "Tea time at home", "h1"),
        (
            f"{KETTLE}{SITE}<h1>The Kettle</h1><h2>Tea in three minutes</h2>",
            "Tea in three minutes",
            "h2",
        ),
        (f"{KETTLE}{SITE}", "Tea in three minutes", "part of title"),
        (SITE + OG.format("Tea at home - The Kettle"), "Tea at home", "part of og:title"),
        (
            f"{KETTLE}<h1><a href=/>Home of good things</a></h1><h1>Tea in three minutes</h1>",
            "Tea in three minutes",
            "h1",
        ),
        ("<h1>Tea time at home ¶</h1>", "Tea time at home", "h1"),
        ("<h1 hidden>Nothing to see here</h1><h1>Tea time at home</h1>", "Tea time at home", "h1"),
        ('<meta itemprop="headline" content="Tea time at home">', "Tea time at home", "headline"),
        (
            '<script type="application/ld+json">{"headline":"Tea &amp; time"}</script>',
            "Tea & time",
            "json-ld headline",
        ),
        ("<title>Tea</title><p>Tea</p>", "Tea", "title"),
    ],
)
def test_who_is_elected(html, text, source):
    found = headline.find(thresher.parse(html))
    assert (found.text, found.source) == (text, source)
    assert (found.row >= 0) == (source in ("h1", "h2"))


LD = '<script type="application/ld+json">{}</script>'
NEWS = LD.format('{"@type": "NewsArticle", "headline": "Three minutes are enough for tea"}')
POST = LD.format('{"@type": "BlogPosting", "author": "Ada"}')


@pytest.mark.parametrize(
    ("html", "text"),
    [
        # news: what is declared is believed, and more if two say it
        (f"{NEWS}<h1>Enough is enough</h1>", "Three minutes are enough for tea"),
        (
            f"{NEWS}{OG.format('Tea: how long?')}<h1>Tea: how long?</h1>",
            "Tea: how long?",
        ),
        # another article: its first h1
        (f"{POST}{OG.format('Tea and time')}<h1>Enough is enough</h1>", "Enough is enough"),
        (
            '<meta property="og:type" content="article">'
            f"{OG.format('Tea and time')}<h1>Enough is enough</h1>",
            "Enough is enough",
        ),
        # no article: what is declared
        (f"{OG.format('Tea and time')}<h1>Enough is enough</h1>", "Tea and time"),
        # an h1 as the last crumb of a trail is no headline
        (
            "<title>Tea time now</title><nav><h1>Tea time news</h1></nav>"
            "<h1>How long tea takes</h1>",
            "How long tea takes",
        ),
        (
            "<ol class=Breadcrumbs><li><h1>Tea time news</h1></ol><h1>How long tea takes</h1>",
            "How long tea takes",
        ),
        (
            "<div class=a-crumb><h1>Tea time news</h1></div><h1>How long tea takes</h1>",
            "How long tea takes",
        ),
        ("<div><h1>Tea time news</h1></div><h1>How long tea takes</h1>", "Tea time news"),
        # unless og:title and JSON-LD say it too
        (
            f"{NEWS}{OG.format('Three minutes are enough for tea')}"
            "<nav><h1>Three minutes are enough for tea</h1></nav><h1>How long tea takes</h1>",
            "Three minutes are enough for tea",
        ),
        # how a heading is marked up
        ("<h1>Tea</h1><h1>How long tea takes</h1>", "Tea"),
        ("<h1>Tea</h1><h1 class=entry-title>How long tea takes</h1>", "How long tea takes"),
        ("<h1>Tea time</h1><h1 itemprop=headline>How long tea takes</h1>", "How long tea takes"),
        # the name of the site, also by JSON-LD
        (
            LD.format('{"@type": "WebSite", "name": "Kettle &amp; Co"}')
            + f"{OG.format('Kettle &amp; Co')}<h1>Tea time</h1>",
            "Tea time",
        ),
        # quotation marks part nothing
        ("<title>»Tea is ready« she said | The Kettle</title>", "»Tea is ready« she said"),
    ],
)
def test_what_is_weighed(html, text):
    assert headline.find(thresher.parse(html)).text == text


def test_the_spelling_of_those_who_declare_wins_over_the_headings():
    html = OG.format("Tea: three minutes") + "<h1><span>Tea</span> <span>three minutes</span></h1>"
    found = headline.find(thresher.parse(html))
    assert (found.text, found.source) == ("Tea: three minutes", "h1")
    assert found.row > 0
    two = f"{html}<title>Tea three minutes | The Kettle</title>"
    assert headline.find(thresher.parse(two)).text == "Tea three minutes"


def test_a_measure_that_there_is_not():
    with pytest.raises(UsageError, match="give one of tf, tf-idf, overlap, sum"):
        TitleFinder("bm25")


PROSE = "<p>" + "A long text about kettles and tea stands below. " * 5


@pytest.mark.parametrize(
    "notice",
    [
        "<div role=dialog><h1>Your choice</h1></div>",
        "<dialog open><h1>Your choice</h1></dialog>",
        '<div id="cookie-banner"><div><h1>Your choice</h1></div></div>',
        '<div class="onetrust-pc"><h1>Your choice</h1></div>',
    ],
)
def test_a_heading_of_a_notice_is_no_candidate(notice):
    page = thresher.parse(f"<title>Tea time</title>{notice}<h1>All about tea</h1>{PROSE}")
    assert headline.find(page).text == "All about tea"
    assert "your choice" not in [one.key for one in votes.candidates(page)]


@pytest.mark.parametrize("around", ["class=category-cookies", "class=cookies", "role=dialog"])
def test_cookies_are_also_baked_and_a_dialog_may_be_the_page(around):
    page = thresher.parse(f"<div {around}><h1>Oatmeal cookies</h1>{PROSE}</div><p>Other")
    assert headline.find(page).text == "Oatmeal cookies"


def test_every_vote_is_used():
    marks = {
        mark
        for html in (
            f"{KETTLE}{SITE}{OG.format('Tea in three minutes - The Kettle')}"
            '<meta name="twitter:title" content="Tea"><meta itemprop="headline" content="Tea time">'
            f"{NEWS}<nav><h1 class=title><a href=/>The Kettle</a></h1></nav>"
            "<h1 itemprop=headline>All of tea</h1>"
            "<h2>Tea in three minutes today</h2><h2>Minutes</h2>",
            f"{POST}<h1>Tea</h1>",
        )
        for one in votes.candidates(thresher.parse(html))
        for mark in one.marks
    }
    assert set(votes.VOTES) <= marks


def test_without_candidates_there_is_no_headline():
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
    page = thresher.parse(f"{KETTLE}{SITE}<p>Tea is good.</p>")
    assert headline.find(page.only(page.all())).text == "Tea in three minutes"


def test_huge_titles_and_many_headings():
    html = f"<title>{'tea | ' * 50_000}</title>" + "<h1>Tea time at home</h1>" * 20_000
    assert headline.find(thresher.parse(html)).text == "Tea time at home"
    many = "<title>tea</title>" + f"<p>{'tea. ' * 20_000}</p>"
    assert TitleFinder()(thresher.parse(many)).text == "tea."


# --- measuring -----------------------------------------------------------------------------------


def test_scores_by_hand():
    pages = [
        GoldPage("1", b"<title>Tea</title><h1>Tea  TIME</h1>", "", title="tea time"),
        GoldPage("2", b"<title>Tea</title><h1>Coffee time</h1>", "", title="Tea"),
        GoldPage("3", b"<p>Nothing", "", title="Tea"),
        GoldPage("4", b"<h1>\xe2\x80\x9cTea\xe2\x80\x9d</h1>", "", title='"Tea"'),
        GoldPage("5", b"<h1>Tea</h1>", ""),  # no gold: not asked
    ]
    own = headlines.scores(pages, {"h1": lambda page, _: headline.largest_heading(page)})
    assert own["h1"] == pytest.approx((1 / 3, 1 / 4, 2 / 7, 2 / 4))
    assert "| h1 | 0.333 | 0.250 | 0.286 | 0.500 |" in headlines.table({"mine": own})


@given(st.text())
def test_folding_keeps_no_case_and_no_space(text):
    assert headlines.folded(text.upper()) == headlines.folded(f" {text.upper()}\n")
