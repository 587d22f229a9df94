"""The report of trends: what it says, that it is safe, and that a click lists documents."""

import re
from contextlib import contextmanager
from datetime import date, timedelta
from html.parser import HTMLParser
from itertools import pairwise

import numpy as np
import pytest
from lxml import html

from tests.trends.made_trends import QUERIES, document, long, small
from thresher.errors import InputError, UsageError
from thresher.trends import Query, trend
from thresher.trends.plot import choose_panels
from thresher.trends.report import MAX_LISTED, link, report


class Nesting(HTMLParser):
    """Insists that every element is closed where it was opened."""

    VOID = frozenset({"meta", "input", "br"})

    def __init__(self, page):
        super().__init__()
        self.open = []
        self.feed(page)
        assert not self.open

    def handle_starttag(self, tag, attrs):
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        return

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def read(page):
    """Parse with another parser; it must find nothing to mend in the nesting."""
    Nesting(page)
    return html.fromstring(page)


def text_of(element):
    return " ".join(element.text_content().split())


def documents_of(period):
    """The path of the lists of a period."""
    return f"//input[@id='s0p{period}']/following-sibling::div"


def listed(page, key):
    """The documents of one list: score and title."""
    return [
        (item.findtext("b"), text_of(item.find("span/bdi") if item.find("span/a") is None
                                     else item.find("span/a")))
        for item in page.xpath(key + "//li")
    ]  # fmt: skip


@pytest.fixture(scope="module")
def page():
    return read(report(choose_panels(small()), title="Weather <over> time", notes=["1 left out."]))


def test_each_source_has_a_section(page):
    assert [text_of(head) for head in page.iter("h2")] == [
        "all sources 6 documents, 2010 to 2013",
        "Climate 3 documents, 2010 to 2013",
        "Weather 3 documents, 2010 to 2013",
    ]
    assert text_of(page.find(".//h1")) == "Weather <over> time"
    assert [text_of(note) for note in page.xpath("//header/p[@class='note']")] == ["1 left out."]
    assert [a.get("href") for a in page.xpath("//nav/a")] == ["#s0", "#s1", "#s2"]


def test_findings_are_sentences(page):
    rain, sun = page.xpath("//section[@id='s0']/ul/li")
    assert text_of(rain) == "rain is steady: 569 in 2010, 354 in 2013."
    assert text_of(sun) == "sun is steady: 333 in 2010, 1000 in 2013."


def test_abrupt_changes_are_in_the_findings_and_in_the_plot():
    page = read(report({"all": long()}))
    half = round(1000 / 2**0.5)
    before, after = round(half / 20), round(half * 15 / 20)
    assert text_of(page.xpath("//ul/li")[0]) == (
        f"rain emerges: {before} in 2000, {after} in 2011; abrupt rise in 2006 (mean {before} "
        f"before, {after} after)."
    )
    chart = page.xpath("//svg")[0]
    assert "abrupt rise 2006" in chart.text_content()
    assert len(chart.xpath(".//path[@class='abrupt c0']")) == 1


def test_the_lists_have_the_documents_of_a_period_by_score(page):
    assert listed(page, documents_of(0) + "/div[@class='list q0']") == [
        ("1000", "A shower of rain"), ("707", "Rain and more rain"),
    ]  # fmt: skip
    rest = page.xpath(documents_of(0) + "/div[@class='list q0']/p")
    assert [text_of(one) for one in rest] == ["1 without any keyword of this query."]
    assert listed(page, documents_of(1) + "/div[@class='list q0']") == []
    assert not page.xpath(documents_of(2)), "2012 has no documents, hence no list"


def test_periods_are_radio_buttons_of_which_the_last_is_chosen(page):
    buttons = page.xpath("//section[@id='s0']//input[@name='s0p']")
    assert [button.get("id") for button in buttons] == ["s0p0", "s0p1", "s0p3"]
    assert [button.get("checked") is not None for button in buttons] == [False, False, True]
    assert [text_of(button.getnext()) for button in buttons] == [
        "2010: 3 documents", "2011: 1 document", "2013: 2 documents",
    ]  # fmt: skip


def test_the_table_has_the_means_and_a_dash_for_an_empty_period(page):
    table = page.xpath("//section[@id='s0']//table")[0]
    rows = [[text_of(cell) for cell in row] for row in table.iter("tr")]
    assert rows[0] == ["year", "documents", "rain", "sun"]
    assert [row[:2] for row in rows[1:]] == [
        ["2010", "3"],
        ["2011", "1"],
        ["2012", "0"],
        ["2013", "2"],
    ]
    trends = small()
    low, high = (f"{1000 * part[0, 0]:.0f}" for part in (trends.low, trends.high))
    assert rows[1][2] == f"569{low}–{high}"
    assert rows[3][2:] == ["–", "–"]


def test_keywords_can_be_sorted(page):
    table = page.xpath("//section[@id='s0']//table[@class='keywords']")[0]
    rows = table.xpath("tbody/tr")
    assert [text_of(row[0]) for row in rows] == ["rain", "shower"]
    assert [text_of(row[1]) for row in rows] == ["3", "1"]
    assert [re.search("--name:(.)", row.get("style"))[1] for row in rows] == ["1", "2"]
    assert [re.search("--documents:(.)", row.get("style"))[1] for row in rows] == ["1", "2"]


def test_correlations_are_in_the_heat_map():
    trends = long()
    page = read(report({"all": trends}))
    levels, _ = page.xpath("//div[@class='heat']//table")
    shown = [[text_of(cell) for cell in row.xpath("td")] for row in levels.xpath("tbody/tr")]
    expected = [
        ["–" if np.isnan(value) else f"{value:.2f}" for value in row]
        for row in trends.correlation.levels.tolist()
    ]
    assert shown == expected
    one = trend([document("2010", "rain")], [Query("rain", ("rain",))])
    assert "move together" not in report({"all": one})


def test_a_period_between_gaps_has_an_error_bar(page):
    chart = page.xpath("//section[@id='s0']//svg")[0]
    bands, bars = (chart.xpath(f".//path[@class='{kind} c0']/@d") for kind in ("band", "bar"))
    assert [path.count("M") for path in bands] == [1]  # 2010 and 2011
    assert [path.count("M") for path in bars] == [1]  # 2013
    single = read(report({"all": trend([document("2010", "rain")], QUERIES)}))
    assert single.xpath("//svg")[0].xpath(".//path[@class='band c0']/@d") == [""]
    assert len(single.xpath("//svg")[0].xpath(".//path[starts-with(@class, 'bar')][@d!='']")) == 2
    assert text_of(single.find(".//h2")) == "all 1 document, 2010"
    assert "2010 to" not in text_of(single.find(".//header"))


def test_names_with_the_same_beginning_stay_apart():
    queries = [Query("a" * 85 + end, ("rain",)) for end in ("b", "c")]
    found = read(report({"all": trend([document("2010", "rain")], queries)}))
    for path in ("//svg[1]//text[starts-with(@class, 'name')]", "//ul/li//bdi"):
        names = [text_of(one) for one in found.xpath(path)]
        assert len(names) >= 2
        assert len(set(names)) == 2


def test_long_lists_are_cut_and_the_rest_is_counted():
    trends = trend([document("2010", "rain")] * (MAX_LISTED + 7), QUERIES[:1])
    page = read(report({"all": trends}))
    assert len(page.xpath(documents_of(0) + "//li")) == MAX_LISTED
    assert text_of(page.xpath(documents_of(0) + "//p")[0]) == "7 more with a lower score."


def test_the_page_does_not_grow_without_limit():
    weeks = [f"{year}-{month:02}-{day:02}" for year in range(2000, 2020) for month in range(1, 13)
             for day in (1, 8, 15, 22)]  # fmt: skip
    documents = [document(week, "rain", title=f"{week} {n}") for week in weeks for n in range(30)]
    data = report({"all": trend(documents, QUERIES[:1], by="week")})
    assert data.count("<li><b>") <= 20_000


HOSTILE = (
    "</title><script>alert(1)</script>\"'><img src=x onerror=alert(1)> \x00\x1b[2J\ud800\u202e"
)


def test_hostile_texts_are_escaped():
    documents = [
        document("2010", "rain", HOSTILE, title=HOSTILE, url=f"https://a.example/{HOSTILE}"),
        document("2011", "rain", "other", title=HOSTILE, url="javascript:alert(1)"),
        document("2011", "rain", "other", title=HOSTILE, url="http:alert(1)"),
    ]
    trends = trend(documents, [Query(HOSTILE.replace("\x00", ""), ("rain", HOSTILE))])
    page = report(choose_panels(trends), title=HOSTILE, notes=[HOSTILE])
    parsed = read(page)
    assert not parsed.xpath("//script | //img | //*[@onerror]")
    assert "\x1b" not in page
    assert "\x00" not in page
    assert {a.get("href")[:18] for a in parsed.xpath("//li//a")} == {"https://a.example/"}


@pytest.mark.parametrize(
    ("url", "is_link"),
    [
        ("https://a.example/x?a=1&b=2", True),
        ("HTTP://a.example", True),
        ("", False),
        ("javascript:alert(1)", False),
        ("java\nscript:alert(1)", False),
        ("data:text/html,x", False),
        ("//a.example/", False),
        ("http:", False),
        ("http://[broken", False),
        ("https://a.example/" + "x" * 3000, False),
        ("10.1000/xyz", False),
    ],
)
def test_only_web_addresses_become_links(url, is_link):
    assert ("<a " in link(url, "text")) is is_link
    if is_link:
        assert html.fromstring(link(url, "text")).get("href") == url


def test_the_page_loads_nothing():
    page = report(choose_panels(small()))
    assert "default-src 'none'" in page
    assert not re.search(r"<(?:script|link|img|iframe)\b|@import|url\(", page)


def test_nothing_to_report_is_an_error():
    with pytest.raises(UsageError, match="at least one panel"):
        report({})


# --- in a real browser ----------------------------------------------------------------------------


@contextmanager
def opened(page, tmp_path, **options):
    """The page in Chromium; requests other than for the file itself fail the test."""
    from playwright.sync_api import sync_playwright

    from thresher.visual.browser import find_chromium

    try:
        chromium = find_chromium()
    except InputError as error:
        pytest.skip(str(error))
    path = tmp_path / "report.html"
    path.write_bytes(page.encode("utf-8", "replace"))
    requests = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        try:
            tab = browser.new_page(**options)
            tab.on("request", lambda request: requests.append(request.url))
            tab.goto(path.as_uri())
            yield tab
        finally:
            browser.close()
    assert requests == [path.as_uri()]


def shown(tab):
    """The titles of the documents that can be seen, also by a reader."""
    items = tab.locator(".documents li span:visible").all()
    assert all(item.bounding_box()["width"] > 20 for item in items)
    return [item.locator("bdi").inner_text() for item in items]


@pytest.mark.slow
def test_a_click_on_a_year_lists_its_documents(tmp_path):
    with opened(report({"all": small()}), tmp_path) as tab:
        assert shown(tab) == ["Sun", "Sun and rain"]  # of the last year, for the higher curve
        box = tab.locator("label[title^='2010']").bounding_box()
        tab.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        assert shown(tab) == ["Sun"]
        tab.locator(".chips label", has_text="rain").click()
        assert shown(tab) == ["A shower of rain", "Rain and more rain"]
        assert tab.locator(".documents:visible h4").inner_text() == "2010 3 documents"


@pytest.mark.slow
def test_years_can_be_chosen_with_the_keyboard(tmp_path):
    with opened(report({"all": small()}), tmp_path) as tab:
        for _ in range(10):
            tab.keyboard.press("Tab")
            if tab.evaluate("document.activeElement.name") == "s0p":
                break
        assert tab.evaluate("document.activeElement.id") == "s0p3"
        tab.keyboard.press("ArrowLeft")
        tab.keyboard.press("ArrowLeft")
        assert tab.locator(".documents:visible h4").inner_text() == "2010 3 documents"
        outline = "getComputedStyle(document.activeElement.nextElementSibling).outlineStyle"
        assert tab.evaluate(outline) == "solid"


@pytest.mark.slow
def test_a_thousand_weeks_are_shown_without_delay(tmp_path):
    first = date(2000, 1, 3)
    dates = [(first + timedelta(weeks=week)).isoformat() for week in range(1000)]
    page = report({"all": trend([document(day, "rain") for day in dates], QUERIES, by="week")})
    with opened(page, tmp_path) as tab:
        choose = """() => { const begin = performance.now();
            document.getElementById('s0p5').click(); document.body.offsetHeight;
            return performance.now() - begin; }"""
        assert tab.evaluate(choose) < 2_000  # milliseconds; a rule for each week takes 30,000
        assert tab.locator(".documents:visible h4").inner_text() == "2000-W06 1 document"


@pytest.mark.slow
def test_keywords_are_sorted_by_a_click(tmp_path):
    with opened(report({"all": small()}), tmp_path) as tab:
        places = """[...document.querySelector('.keywords').tBodies[0].rows]
            .map(row => [row.getBoundingClientRect().top, row.cells[0].innerText])
            .sort((a, b) => a[0] - b[0]).map(pair => pair[1])"""
        assert tab.evaluate(places) == ["rain", "shower"]
        loss = [row.loss for row in small().keywords if row.query == "rain"]
        tab.locator(".sorts label", has_text="contribution").click()
        best_first = ["rain", "shower"] if loss[0] >= loss[1] else ["shower", "rain"]
        assert tab.evaluate(places) == best_first


@pytest.mark.slow
@pytest.mark.parametrize("width", [360, 1200])
def test_the_page_is_as_wide_as_the_window(width, tmp_path):
    trends = long()
    with opened(report({"all": trends}), tmp_path, viewport={"width": width, "height": 800}) as tab:
        assert tab.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.slow
@pytest.mark.parametrize("by", ["year", "month", "week"])
@pytest.mark.parametrize("width", [360, 1200])
def test_names_of_periods_do_not_overlap(by, width, tmp_path):
    days = ("2016-01-01", "2019-12-30", "2020-12-28", "2021-01-03", "2021-01-04")
    spans = {"all": days, "later": days[2:], "half a year": ("2020-10-05", "2021-03-01")}
    panels = {
        name: trend([document(day, "rain") for day in span], QUERIES, by=by)
        for name, span in spans.items()
    }
    boxes = """[...document.querySelectorAll('.plot > svg')].map(chart =>
        [...chart.querySelectorAll('.axis text.mid')].map(text => text.getBoundingClientRect())
        .map(box => [box.left, box.right]))"""
    with opened(report(panels), tmp_path, viewport={"width": width, "height": 800}) as tab:
        charts = tab.evaluate(boxes)
    assert len(charts) == 3
    for found in charts:
        assert found
        assert all(before[1] + 2 < after[0] for before, after in pairwise(sorted(found)))
