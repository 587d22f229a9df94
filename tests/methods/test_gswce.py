"""GSWCE against its five steps written slowly, and each rule by hand."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import thresher
from tests import slow_definitions as slow
from tests.methods import slow_trees
from thresher import UsageError
from thresher.methods.gswce import GSWCE, find_date, token_list
from thresher.page.arrays import smooth

SIGMAS = st.sampled_from([0.5, 1.0, 2.0, 5.0])
THRESHOLDS = st.sampled_from([0.25, 0.5, 0.61])
BASES = st.sampled_from(["share", "text"])


@given(slow.pages(), SIGMAS, THRESHOLDS, BASES, st.sampled_from([0.6, 0.8, 1.0]))
def test_it_keeps_the_container_of_the_longest_run(html, sigma, threshold, base, share):
    expected = slow_trees.Gswce(html, sigma, threshold, base, share)
    assume(not expected.is_close_call())
    method = GSWCE(sigma=sigma, threshold=threshold, base=base, share=share)
    assert slow.kept_words(method(thresher.parse(html))) == expected.words()


HTML = (
    "<html><head><title>Tea</title></head><body><ul><li><a href=/>Home</a></li></ul>"
    "<div><p>Warm the pot well.</p><p>Pour on the water and wait for a while.</p></div>"
    "<p>Imprint</p></body></html>"
)


def test_tokens_by_hand():
    row, is_word = token_list(thresher.parse(HTML))
    # html body ul li a Home div p +4 p +9 p Imprint; the head is hidden.
    assert is_word.astype(int).tolist() == (
        [0, 0, 0, 0, 0, 1, 0, 0, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1]
    )
    assert row[:3].tolist() == [0, 4, 5]


def test_smoothing_by_hand():
    # Radius 3 and sigma 1: the weights are 1, exp(-1/2), exp(-2), exp(-9/2).
    smoothed = smooth([0, 1, 1, 0], 1.0)
    total = 1 + 0.6065 + 0.1353 + 0.0111
    assert smoothed[0] == pytest.approx((0.6065 + 0.1353) / total, abs=1e-4)


def test_the_run_and_its_base_by_hand():
    page = thresher.parse(HTML)
    method = GSWCE(sigma=1.0)
    # The tag between the paragraphs is lifted over 0.5 by the words around it.
    assert [page.text(row) for row in sorted(set(method.run(page).tolist()))] == [
        "Warm the pot well.",
        "Pour on the water and wait for a while.",
        "Imprint",
    ]
    # 13 of its 14 words are in the div, 9 (0.64) in its second paragraph.
    assert page.name(method.content(page, method.run(page))) == "div"
    assert method(page).text() == "Warm the pot well.\n\nPour on the water and wait for a while."


def test_the_base_as_printed_is_one_text():
    page = thresher.parse(HTML)
    assert GSWCE(sigma=1.0, base="text")(page).text() == "Pour on the water and wait for a while."


def test_the_base_holds_a_share_of_the_run():
    page = thresher.parse(HTML)
    # The run has 14 words: 13 of them in the div, 9 in its second paragraph.
    assert GSWCE(sigma=1.0, share=9 / 14)(page).text() == "Pour on the water and wait for a while."
    assert "Warm" in GSWCE(sigma=1.0, share=13 / 14)(page).text()
    assert "Home" in GSWCE(sigma=1.0, share=1.0)(page).text()  # the body has all


def test_the_longest_run_wins_and_the_first_of_equals():
    gap = "<br>" * 20
    page = thresher.parse(f"<p>one two three</p>{gap}<p>four five six</p>{gap}<p>seven</p>")
    assert GSWCE(sigma=0.5)(page).text() == "one two three"


@pytest.mark.parametrize("name", ["div", "td", "article", "section", "main", "p"])
def test_containers_of_content(name):
    inner = f"<{name}><b>Warm the pot well, with hot water.</b></{name}>"
    html = f"<table><tr>{inner}</tr></table>" if name == "td" else inner
    page = thresher.parse(f"{html}<i>x</i>")
    assert GSWCE(sigma=0.5)(page).text() == "Warm the pot well, with hot water."


def test_other_elements_are_no_containers():
    page = thresher.parse("<div><aside><b>Warm the pot well, with hot water.</b></aside>x</div>")
    assert GSWCE(sigma=0.5)(page).text().endswith("x")
    page = thresher.parse("<section><b>Warm the pot well, with hot water.</b></section>x")
    assert GSWCE(sigma=0.5, base="text")(page).text().endswith("x")


def test_hidden_text_gives_no_token():
    hidden = "<p hidden>A very long text that nobody can ever see on this page at all.</p>"
    assert GSWCE(sigma=0.5)(thresher.parse(f"<p>One two.</p>{hidden}")).text() == "One two."


ARTICLE = (
    "<title>How to steep tea - The Kettle</title><h2>The Kettle shop</h2><p>3/5/2012</p>"
    "<p>Published 5 March 2012</p><h1>How to <i>steep</i> tea</h1><p>{}</p><h2>Steep</h2>"
    "<p>Copyright 2001-01-02</p>"
).format("Warm the pot, put in the leaves, pour on the water and wait. " * 5)


def test_the_title_is_the_heading_most_like_the_title_element():
    assert GSWCE(sigma=3.0).title(thresher.parse(ARTICLE)) == "How to steep tea"


def test_of_headings_alike_the_nearest_before_the_longest_text_is_the_title():
    html = "<title>Tea</title><h1>Tea</h1><h2>tea</h2>{}<h3>TEA</h3>"
    page = thresher.parse(html.format("<br>" * 9 + "Warm the pot and wait for it." + "<br>" * 9))
    assert GSWCE(sigma=1.0).title(page) == "tea"


def test_without_a_heading_like_it_the_title_element_is_the_title():
    page = thresher.parse("<title> The\n Kettle </title><h1>Steep</h1><p>Warm the pot and wait.")
    assert GSWCE().title(page) == "The Kettle"
    assert GSWCE().title(thresher.parse("<p>Warm the pot and wait.")) == ""
    assert GSWCE().title(thresher.parse("")) == ""


def test_the_date_is_the_nearest_before_the_run_else_the_first_after():
    method = GSWCE(sigma=3.0)
    assert method.date(thresher.parse(ARTICLE)) == "2012-03-05"
    assert method.date(thresher.parse(ARTICLE.replace("5 March", "Spring"))) == "2001-01-02"
    assert method.date(thresher.parse("<p>Warm the pot and wait.")) == ""
    assert method.date(thresher.parse("")) == ""


def test_a_hidden_or_distant_date_is_none():
    text = "Warm the pot and wait for it to be done. " * 5
    hidden = thresher.parse(f"<p hidden>2012-03-05</p><p>{text}</p>")
    assert GSWCE(sigma=1.0).date(hidden) == ""
    distant = thresher.parse(f"<i>2012-03-05</i>{'<i>x</i><br>' * 50}<p>{text}</p>")
    assert GSWCE(sigma=1.0).date(distant) == ""


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("2011-03-05", "2011-03-05"),
        ("on 2011/3/5, 10:00", "2011-03-05"),
        ("2011年3月5日", "2011-03-05"),
        ("5.3.2011", "2011-03-05"),
        ("05. 03. 2011", "2011-03-05"),
        ("Sat, 5 Mar 2011", "2011-03-05"),
        ("5th March, 2011", "2011-03-05"),
        ("March 5, 2011", "2011-03-05"),
        ("Sept. 15th 2011", "2011-09-15"),
        ("first 2.1.2003, then 2004-05-06", "2003-01-02"),
        ("3/5/2011", ""),
        ("31.2.2011", ""),
        ("12345-01-02", ""),
        ("March 2011", ""),
        ("", ""),
    ],
)
def test_dates(text, date):
    assert find_date(text) == date


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("sigma", 0.0, "give a number above 0 and at most 1,000"),
        ("sigma", 1001.0, "give a number above 0 and at most 1,000"),
        ("threshold", 1.0, "give a number at least 0 and below 1"),
        ("share", 0.5, "give a number above 0.5 and at most 1"),
        ("base", "body", "give 'share' or 'text'"),
    ],
)
def test_bad_options_are_refused(option, value, message):
    with pytest.raises(UsageError, match=f"{option} of gswce is {value!r}: {message}."):
        GSWCE(**{option: value})
