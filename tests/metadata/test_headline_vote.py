"""The vote for the headline: each mark on literal HTML."""

import json
from itertools import product

import pytest

import thresher
from tests.cores import needs_kernels, plain_core
from thresher.metadata import headline
from thresher.metadata.headline_vote import (
    VOTES,
    _may_be_notices,
    _only_texts,
    best_candidate,
    headline_candidates,
    without_site,
)

KETTLE = "<title>Tea in three minutes | The Kettle</title>"
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
        ("<title>Vue.js</title><h1>Tea <a href='#tea'>&#8203;</a></h1>", "Tea", "h1"),
        ("<title>Vue.js</title><h1>Tea <a href='#tea'>Permalink</a></h1>", "Tea", "h1"),
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
def test_the_chosen_candidate(html, text, source):
    found = headline.find(thresher.parse(html))
    assert (found.text, found.source) == (text, source)
    assert (found.row >= 0) == (source in ("h1", "h2"))


LD = '<script type="application/ld+json">{}</script>'
NEWS = LD.format('{"@type": "NewsArticle", "headline": "Three minutes are enough for tea"}')
POST = LD.format('{"@type": "BlogPosting", "author": "Ada"}')


@pytest.mark.parametrize(
    ("html", "text"),
    [
        # news: the declared headline, above all if two sources agree
        (f"{NEWS}<h1>Enough is enough</h1>", "Three minutes are enough for tea"),
        (
            f"{NEWS}{OG.format('Tea: how long?')}<h1>Tea: how long?</h1>",
            "Tea: how long?",
        ),
        # other articles: the first h1
        (f"{POST}{OG.format('Tea and time')}<h1>Enough is enough</h1>", "Enough is enough"),
        (
            '<meta property="og:type" content="article">'
            f"{OG.format('Tea and time')}<h1>Enough is enough</h1>",
            "Enough is enough",
        ),
        # no article: the declared title
        (f"{OG.format('Tea and time')}<h1>Enough is enough</h1>", "Tea and time"),
        # an h1 in breadcrumbs is not the headline
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
        # unless og:title and JSON-LD agree with it
        (
            f"{NEWS}{OG.format('Three minutes are enough for tea')}"
            "<nav><h1>Three minutes are enough for tea</h1></nav><h1>How long tea takes</h1>",
            "Three minutes are enough for tea",
        ),
        # the markup of the heading
        ("<h1>Tea</h1><h1>How long tea takes</h1>", "Tea"),
        ("<h1>Tea</h1><h1 class=entry-title>How long tea takes</h1>", "How long tea takes"),
        ("<h1>Tea time</h1><h1 itemprop=headline>How long tea takes</h1>", "How long tea takes"),
        # the name of the site, also by JSON-LD
        (
            LD.format('{"@type": "WebSite", "name": "Kettle &amp; Co"}')
            + f"{OG.format('Kettle &amp; Co')}<h1>Tea time</h1>",
            "Tea time",
        ),
        # quotation marks are not separators
        ("<title>»Tea is ready« she said | The Kettle</title>", "»Tea is ready« she said"),
    ],
)
def test_marks(html, text):
    assert headline.find(thresher.parse(html)).text == text


def test_a_declared_spelling_is_preferred_to_that_of_a_heading():
    html = OG.format("Tea: three minutes") + "<h1><span>Tea</span> <span>three minutes</span></h1>"
    found = headline.find(thresher.parse(html))
    assert (found.text, found.source) == ("Tea: three minutes", "h1")
    assert found.row > 0
    two = f"{html}<title>Tea three minutes | The Kettle</title>"
    assert headline.find(thresher.parse(two)).text == "Tea three minutes"


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
def test_headings_of_notices_are_not_candidates(notice):
    page = thresher.parse(f"<title>Tea time</title>{notice}<h1>All about tea</h1>{PROSE}")
    assert headline.find(page).text == "All about tea"
    assert "your choice" not in [one.key for one in headline_candidates(page)]


@pytest.mark.parametrize("around", ["class=category-cookies", "class=cookies", "role=dialog"])
def test_a_recipe_or_a_dialog_with_the_whole_page_is_not_a_notice(around):
    page = thresher.parse(f"<div {around}><h1>Oatmeal cookies</h1>{PROSE}</div><p>Other")
    assert headline.find(page).text == "Oatmeal cookies"


def test_the_best_candidate_has_the_most_votes_of_all():
    titles = (
        "",
        "<title>Tea in three minutes</title>",
        "<title>Pots of tea: a guide to pots</title>",
    )
    headings = (
        "",
        "<h1>Pots of tea</h1>",
        "<h1>Home</h1>",
        "<nav><h1><a href=/>Tea</a></h1></nav>",
    )
    others = (
        "",
        "<h2>Tea</h2><h2>Pots</h2>",
        "<h2>Tea</h2><h2 class=title itemprop=headline>Pots of tea</h2>",
        "<h2 class=title itemprop=name>Pots</h2><h2>Tea in three minutes</h2><h2>Home</h2>",
    )
    graphs = ("", OG.format("Pots of tea"), OG.format("Tea in three minutes"))
    for parts in product(graphs, titles, headings, others):
        page = thresher.parse("".join(parts) + "<p>text")
        every = headline_candidates(page)
        assert best_candidate(page) == max(every, key=lambda one: one.votes, default=None)


def test_headlines_of_several_articles_are_those_of_teasers():
    def script(*headlines: str) -> str:
        items = [{"@type": "NewsArticle", "headline": one} for one in headlines]
        return f'<script type="application/ld+json">{json.dumps(items)}</script>'

    page = "<title>Tea in three minutes</title><h1>Tea in three minutes</h1>"
    for teasers in (
        script("Coffee in two minutes", "Milk in one"),
        script("Coffee in two minutes", "Tea in three minutes"),
    ):
        assert headline.find(thresher.parse(page + teasers)).text == "Tea in three minutes"
    others = script("Coffee in two minutes", "Milk in one")
    assert headline.find(thresher.parse(others)).text == "Coffee in two minutes"


@needs_kernels
@pytest.mark.parametrize(
    "around",
    ["role=x", "class='A COOKIE x'", "id=GDPR", "class='ä'", "id='é'", "class=cooki", "role", ""],
)
def test_both_versions_find_what_may_be_a_notice(around):
    page = thresher.parse(f"<body><div {around}><section {around}><dialog><h1>a</h1></dialog>")
    found = _may_be_notices(page, len(page) - 1)
    assert len(found) == (1 if around in ("", "class=cooki") else 3)
    with plain_core():
        assert _may_be_notices(page, len(page) - 1) == found


def test_headings_with_one_text():
    page = thresher.parse(
        "<h2>one</h2><h2><b>two</b></h2><h2>three<b>four</b></h2><h2></h2>"
        f"<h2>{'x' * 700}</h2><h2>five <a href='#f' class=anchor>#</a></h2><h2>six"
    )
    rows = [row for row in range(len(page)) if page.name(row) == "h2"]
    found = ["one", "two", None, None, None, None, "six"]
    assert _only_texts(page, rows) == found
    with plain_core():
        assert _only_texts(page, rows) == found


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
        for one in headline_candidates(thresher.parse(html))
        for mark in one.marks
    }
    assert set(VOTES) <= marks


@pytest.mark.parametrize(
    ("heading", "title", "expected"),
    [
        ("<span>Fishing</span><span>Empty nets</span>", "Empty nets - The Bay", "Empty nets"),
        ("<span>Fishing</span><span>Empty nets</span>", "", "Fishing Empty nets"),
        ("<b>T</b>ea <i>time</i>", "", "Tea time"),
        ("i<b>Phone</b> cups", "", "iPhone cups"),
    ],
)
def test_parts_of_a_headline_are_not_glued(heading, title, expected):
    page = thresher.parse(f"<title>{title}</title><h1>{heading}</h1><p>The sea is empty.</p>")
    assert best_candidate(page).text == expected


def test_a_heading_by_its_role_may_be_the_headline():
    page = thresher.parse(
        "<div><div role=heading aria-level=1>The port is closed</div><p>A ship lost its rudder in "
        "the storm.</p><div role=heading aria-level=2>Fishermen wait</div><p>It is cold.</p></div>"
    )
    assert headline.find(page).text == "The port is closed"


@pytest.mark.parametrize(
    ("title", "address", "headline"),
    [
        ("Kettle of Note: Some warm tea", "https://www.kettleofnote.example/tea", "Some warm tea"),
        ("Kettle of Note: Some warm tea", "https://kettleofnote.example/", None),
        ("Kettle: Some warm tea", "https://kettle.example/tea", None),
        ("Pots of tea: Some warm tea", "https://kettleofnote.example/tea", None),
        ("Some warm tea – for all | kettle.example", "https://kettle.example/tea", 23),
        ("Some warm tea | The others", "https://kettle.example/tea", None),
    ],
)
def test_the_name_of_the_site_beside_a_headline(title, address, headline):
    page = thresher.parse(f"<title>{title}</title><p>Tea", url=address)
    expected = title[:headline] if isinstance(headline, int) else headline or title
    assert without_site(title, page) == expected


def test_the_name_of_the_site_in_a_linked_heading():
    html = "<title>Tea Gamer: What a life</title><h1><a href=/>Tea Gamer</a></h1><p>Tea"
    assert without_site("Tea Gamer: What a life", thresher.parse(html)) == "What a life"
    html = html.replace("<a href=/>", "").replace("</a>", "")
    assert without_site("Tea Gamer: What a life", thresher.parse(html)) == "Tea Gamer: What a life"


PROSE = "<p>Boil the water first. Then let the leaves steep in the pot.</p>"


@pytest.mark.parametrize(
    ("html", "text", "source"),
    [
        # The only h1 is the name of the site, at either end of the title.
        ("<title>Tea time at home - The Kettle</title><h1>The Kettle</h1><h2>Tea time at home</h2>",
         "Tea time at home", "h2"),
        ("<title>The Kettle: Tea time at home</title><h1><a href=/>The Kettle</a></h1>"
         "<h3>Tea time at home</h3>", "Tea time at home", "h3"),
        # It is the name of a box, and the title is shown in no heading.
        ("<title>Tea time at home</title><h1>Our news</h1><div>Tea time at home</div>",
         "Tea time at home", "title"),
        # There is no h1, and the title begins with the name of the site.
        ("<title>KETTLE NEWS | Food | Tea time at home</title><div>KETTLE NEWS</div>"
         "<b>Tea time at home</b>", "Tea time at home", "title"),
        # Nothing is shown, and the name of the site is in capitals.
        ("<title>KETTLE NEWS | Food | Tea time at home</title>",
         "Tea time at home", "part of title"),
        ("<title>KETTLE NEWS | Tea time at home</title>", "KETTLE NEWS", "part of title"),
        # Parts of Chinese titles are between underscores.
        ("<title>如何泡茶才好喝_茶网</title>", "如何泡茶才好喝", "part of title"),
        # A heading at the beginning of the title is that of the page.
        ("<title>Tea time - Our kettles</title><h1>Tea time</h1><h2>Our kettles</h2>",
         "Tea time", "h1"),
        # So is one that the title does not have, if it has several words.
        ("<title>Tea time at home</title><h1>How we drink tea at work</h1>"
         "<h2>Tea time at home</h2>",
         "How we drink tea at work", "h1"),
        # A link to the home page is the name of the site.
        ("<title>Tea - The Old Kettle Shop</title><h1><a href=/tea>Tea</a></h1>"
         "<h2><a href=/>The Old Kettle Shop</a></h2>", "Tea", "h1"),
    ],
)  # fmt: skip
def test_a_part_of_the_title_that_is_shown_is_preferred_to_the_name_of_the_site(html, text, source):
    found = headline.find(thresher.parse(html + 2 * PROSE))
    assert (found.text, found.source) == (text, source)


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("Steeping tea – a short guide", "Steeping tea – a short guide"),
        ("2024.4 -> 2024.5 issue", "2024.4 -> 2024.5 issue"),
        ("Tea time at home | Tea and pots", "Tea time at home"),  # a bar is before a slogan
    ],
)
def test_a_declared_title_is_whole_if_the_title_of_the_head_adds_the_site(html, text):
    page = thresher.parse(f"{OG.format(html)}<title>{html} - The Kettle</title>{PROSE}")
    assert headline.find(page).text == text


def test_a_declared_title_is_split_if_a_heading_has_its_part():
    title = "Steeping tea – a short guide"
    html = f"{OG.format(title)}<title>{title} - The Kettle</title><h1>Steeping tea</h1>{PROSE}"
    assert headline.find(thresher.parse(html)).text == "Steeping tea"


def test_a_note_for_screen_readers_is_no_part_of_a_headline():
    note = "<span class=sr-only> (opens in new tab)</span>"
    page = thresher.parse(f"<title>Tea time - The Kettle</title><h1>Tea time{note}</h1>{PROSE}")
    assert headline.find(page).text == "Tea time"
