"""The headline as a bound: where it is found, and which part of a selection it keeps."""

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thresher
from tests.pages import soup
from thresher import Page, UsageError, methods
from thresher.methods import combine
from thresher.methods.common import headline_bound
from thresher.methods.common.headline_bound import bounds, find_headline
from thresher.page import Selection

SOURCE_METHODS = "bte dsc danag addanag r2l dana ccb accb tccb mss cetr density".split()
PRESENT = [name for name in SOURCE_METHODS if name in methods.names()]

NEWS = """\
<body><p>Yesterday we told you about the coffee trade and all that befell its ships at sea.</p>
<article><div><h1>How to <em>make</em> tea</h1></div>
<div><p>Warm the pot, then put in the leaves, one spoon for each cup and one for the pot.</p>
<ul><li><a href="/a">Share</a></ul>
<p>Pour on the water just off the boil.</p></div></article>
<p>Readers also liked our long story about the coffee that nobody wanted to drink.</p></body>
"""


@dataclass
class Options:
    """The options of a method that are about its bounds."""

    headline: str = ""
    headline_by: str = "given"
    subtree: bool = False


def bounded(kept: Selection, headline: str, regions: Selection | None = None) -> Selection:
    return headline_bound.bounded(kept, Options(headline), regions)


def row_of(page: Page, words: str) -> int:
    return next(row for row in page.text_rows.tolist() if words in page.text(row))


def found_at(html: str, headline: str) -> str | None:
    page = thresher.parse(html)
    block = find_headline(page, headline)
    return None if block < 0 else page.css_path(int(page.blocks.first[block]))


# --- where the headline is -----------------------------------------------------------------------


@pytest.mark.parametrize("headline", ["How to make tea", "HOW  TO\nmake TEA", "How to make tea!"])
def test_case_space_and_marks_are_folded(headline):
    assert found_at(NEWS, headline) == "html > body > article > div:nth-of-type(1) > h1"


def test_the_largest_share_of_words_wins():
    # 2 * 4 / (4 + 6) = 0.8 of the first, 2 * 4 / (4 + 5) = 0.89 of the second.
    html = "<p>Today: how to make tea properly</p><div>How to make tea now</div>"
    assert found_at(html, "How to make tea") == "html > body > div"


def test_few_common_words_are_no_match():
    # Three of four words are 0.75, two of four 0.5; the threshold is 0.7.
    assert found_at("<h1>How to make coffee</h1>", "How to make tea") is not None
    assert found_at("<h1>How to drink coffee</h1>", "How to make tea") is None
    assert found_at("<h1>How to make tea</h1>", "") is None
    assert found_at("", "How to make tea") is None


def test_ties_go_to_the_highest_heading_then_to_the_first():
    html = "<p>Tea</p><h3>Tea</h3><h2 id=x>tea</h2><h2>Tea</h2><p>Tea</p>"
    assert found_at(html, "Tea") == "html > body > h2:nth-of-type(1)"
    assert found_at("<div><p>Tea</p><p>Tea</p></div>", "Tea") == (
        "html > body > div > p:nth-of-type(1)"
    )


def test_hidden_text_is_no_headline():
    html = "<title>Tea</title><h1 hidden>Tea</h1><p>Tea</p>"
    assert found_at(html, "Tea") == "html > body > p"


def test_languages_without_spaces():
    assert found_at("<p>朝の話</p><p>美味しい緑茶の淹れ方</p>", "美味しい緑茶の淹れ方") == (
        "html > body > p:nth-of-type(2)"
    )


# --- the bounds ----------------------------------------------------------------------------------


def test_the_bounds_are_the_headline_and_the_end_of_the_common_subtree():
    page = thresher.parse(NEWS)
    article = int(np.flatnonzero(page.tag == page.names.index("article"))[0])
    begin, end = bounds(page.all(), "How to make tea") or (0, 0)
    assert (begin, end) == (row_of(page, "How to"), int(page.end[article]))


def test_text_outside_the_bounds_is_removed():
    page = thresher.parse(NEWS)
    left = bounded(page.all(), "How to make tea").text()
    assert left.startswith("How to make tea\n\nWarm the pot")
    assert left.endswith("just off the boil.")


def test_the_region_decides_how_large_the_subtree_is():
    page = thresher.parse(NEWS)
    last = page.select([row_of(page, "Readers")])
    assert bounds(last, "How to make tea") == (row_of(page, "How to"), len(page))
    title = page.under([int(np.flatnonzero(page.tag == page.names.index("h1"))[0])])
    assert bounds(title, "How to make tea") == (row_of(page, "How to"), len(page))


def test_a_subtree_with_a_quarter_of_the_words_holds_no_region():
    html = (
        "<article><header><h1>Making tea</h1><p>one two</p></header>"
        "<p>three four five</p>{}</article><p>six</p>"
    )
    # Of 8 words after the headline 2 are in the header, of 7 they are more than a quarter.
    for more, end in (("<p>seven eight</p>", "article"), ("<p>seven</p>", "header")):
        page = thresher.parse(html.format(more))
        row = int(np.flatnonzero(page.tag == page.names.index(end))[0])
        assert bounds(page.all(), "Making tea") == (row_of(page, "Making"), int(page.end[row]))


def test_regions_between_the_bounds_are_kept():
    page = thresher.parse(NEWS)
    found = page.select([row_of(page, "Warm the pot")])
    assert bounded(found, "How to make tea", page.all()) == bounded(page.all(), "How to make tea")


def test_without_a_headline_nothing_changes():
    page = thresher.parse(NEWS)
    for headline in ("", "The price of gold"):
        assert bounded(page.all(), headline, page.none()) == page.all()


def test_nothing_found_after_the_headline():
    page = thresher.parse(NEWS)
    before = page.select([row_of(page, "Yesterday")])
    assert not bounded(before, "How to make tea")
    assert bounded(before, "How to make tea", page.all()).words == page.all().words - before.words


# --- a headline that is not given -----------------------------------------------------------------

TITLED = NEWS.replace("<body>", "<title>How to make tea - Kettle News</title><body>")


@pytest.mark.parametrize("headline_by", ["titlefinder", "vote"])
def test_a_headline_is_found_by_the_page_s_title(headline_by):
    page = thresher.parse(TITLED)
    found = Options(headline_by=headline_by)
    # TitleFinder finds one text, "How to": 2 of the 6 words of the title; the vote, the heading.
    text = {"titlefinder": "How to", "vote": "How to make tea"}[headline_by]
    assert headline_bound.headline_of(page, found) == text
    one_text = TITLED.replace("<em>make</em>", "make")
    page = thresher.parse(one_text)
    assert headline_bound.headline_of(page, found) == "How to make tea"
    kept = headline_bound.bounded(page.all(), found)
    assert kept == bounded(page.all(), "How to make tea")
    assert kept.words == 31


def test_a_given_headline_comes_before_a_found_one():
    page = thresher.parse("<title>Tea</title><p>Tea</p><p>Coffee</p><p>Milk</p>")
    both = Options("Coffee", "titlefinder")
    assert headline_bound.bounded(page.all(), both).text() == "Coffee\n\nMilk"
    found = Options(headline_by="titlefinder")
    assert headline_bound.bounded(page.all(), found).text() == "Tea\n\nCoffee\n\nMilk"


@pytest.mark.parametrize("headline_by", ["titlefinder", "vote"])
def test_without_a_headline_to_find_nothing_changes(headline_by):
    page = thresher.parse("<p>Tea</p><p>Coffee</p>")
    assert headline_bound.bounded(page.all(), Options(headline_by=headline_by)) == page.all()


# --- all text of the subtree ----------------------------------------------------------------------


def test_all_visible_text_between_the_bounds_is_kept():
    page = thresher.parse(NEWS.replace("<ul>", "<p hidden>Secret</p><ul>"))
    found = page.select([row_of(page, "Warm the pot")])
    whole = headline_bound.bounded(found, Options("How to make tea", subtree=True))
    assert whole.text() == (
        "How to make tea\n\n"
        "Warm the pot, then put in the leaves, one spoon for each cup and one for the pot.\n\n"
        "- Share\n\nPour on the water just off the boil."
    )
    assert bounded(found, "How to make tea") == found
    assert headline_bound.bounded(found, Options("Gold", subtree=True)) == found  # not on the page
    assert headline_bound.bounded(found, Options(subtree=True)) == found


@settings(max_examples=60)
@given(html=soup, subtree=st.booleans(), data=st.data())
def test_bounds_equal_the_definition(html, subtree, data):
    page = thresher.parse(html)
    count = len(page.text_rows)
    kept = Selection(
        page, np.array(data.draw(st.lists(st.booleans(), min_size=count, max_size=count)), bool)
    )
    block = data.draw(st.integers(0, max(page.blocks.first.size - 1, 0)))
    headline = page.block_text(block) if page.blocks.first.size else "Tea"
    found = find_headline(page, headline)
    own = headline_bound.bounded(kept, Options(headline, subtree=subtree))
    if found < 0:
        assert own == kept
        return
    first, last = int(page.blocks.first[found]), int(page.blocks.last[found])
    expected = []
    end = lower_bound(page, first, last, kept.rows.tolist())
    for row in page.text_rows.tolist():
        wanted = not page.hidden[row] if subtree else row in kept.rows
        if wanted and first <= row < end:
            expected.append(row)
    assert own.rows.tolist() == expected


def lower_bound(page: Page, first: int, last: int, kept: list[int]) -> int:
    """Return the end of the smallest subtree with the headline and a quarter of what follows."""
    after = [row for row in kept if row > last]
    total = sum(int(page.words[row]) for row in after)
    if total == 0:
        return len(page)
    row = first
    while row >= 0:
        end = int(page.end[row])
        inside = sum(int(page.words[one]) for one in after if one < end)
        if end > last and inside > total / 4:
            return end
        row = int(page.parent[row])
    return len(page)


# --- the options ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PRESENT)
def test_every_method_on_the_source_has_the_options(name):
    bound = {"headline": "", "headline_by": "given", "subtree": False}
    assert methods.options(name).items() >= bound.items()


PARAGRAPH = "چای سبز را با آب خنک‌تر دم کنید و سه دقیقه صبر کنید، سپس بنوشید. " * 12
FARSI = f"""\
<p>{PARAGRAPH}آغاز</p>
<article><h1>چگونه چای دم کنیم</h1><p>{PARAGRAPH}میانه</p></article><p>{PARAGRAPH}پایان</p>
"""


@pytest.mark.parametrize("name", PRESENT)
def test_every_method_on_the_source_keeps_text_between_the_bounds(name):
    page = thresher.parse(FARSI)
    free = methods.get(name)(page).text()
    bound = methods.get(name, headline="چگونه چای دم کنیم")(page).text()
    assert ("آغاز" in free, "میانه" in free, "پایان" in free) == (True, True, True)
    assert ("آغاز" in bound, "میانه" in bound, "پایان" in bound) == (False, True, False)
    assert methods.get(name, headline="قیمت طلا در بازار امروز")(page).text() == free


@pytest.mark.parametrize("name", PRESENT)
def test_every_method_on_the_source_finds_the_headline(name):
    page = thresher.parse(f"<html lang=fa><title>چگونه چای دم کنیم - قوری</title>{FARSI}")
    given = methods.get(name, headline="چگونه چای دم کنیم")
    for headline_by in ("titlefinder", "vote"):
        assert methods.get(name, headline_by=headline_by)(page) == given(page)
    whole = methods.get(name, headline_by="titlefinder", subtree=True)(page).text()
    assert ("آغاز" in whole, "میانه" in whole, "پایان" in whole) == (False, True, False)
    assert whole.startswith("چگونه چای دم کنیم")


def test_the_options_in_an_expression():
    method = combine.read("danag(headline_by='titlefinder', subtree=True)")
    assert method == methods.get("danag", headline_by="titlefinder", subtree=True)
    assert combine.write(method) == "danag(headline_by='titlefinder', subtree=True)"
    assert combine.read("danag(headline='How to make tea')") == methods.get(
        "danag", headline="How to make tea"
    )
    with pytest.raises(
        UsageError,
        match=r"^headline_by of bte is 'h1': give 'given', 'titlefinder' or 'vote'\.$",
    ):
        methods.get("bte", headline_by="h1")


def test_ccb_masks_what_is_outside_the_bounds():
    text = "Warm the pot, then put in the leaves, one spoon for each cup. " * 6
    html = f"<p>Ad</p><article><h1>Tea</h1><p>{text}</p><b>x</b></article><p>{text}</p>"
    page = thresher.parse(html)
    whole = methods.get("ccb", headline="Tea", subtree=True).masked(page)
    tags = f"<p>__</p><article><h1>Tea</h1><p>{text}</p><b>x</b></article>"
    assert whole.startswith(tags)
    assert "Warm" not in whole[len(tags) :]


def test_between_the_bounds_the_gap_is_ignored():
    text = "Warm the pot, then put in the leaves, one spoon for each cup. " * 6
    html = f"<article><h1>Making tea</h1><p>{text}</p>{'<hr>' * 1000}<p>{text}Milk</p></article>"
    page = thresher.parse(html)
    assert "Milk" not in methods.get("danag")(page).text()
    assert methods.get("danag", headline="Making tea")(page).text().count("Milk") == 1


def test_a_headline_is_text():
    with pytest.raises(UsageError, match=r"^headline of bte is 3: give text\.$"):
        methods.get("bte", headline=3)
