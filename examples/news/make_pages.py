"""Write the pages of three invented local papers, for docs/news-monitoring.md.

    python examples/news/make_pages.py build/news
    python examples/news/make_pages.py build/courier tolle-valley-courier.example

120 pages, ten a week from 18 March to 8 June 2024, in folders named after the hosts, as
`wget --mirror` leaves them; with a host, the 40 pages of its paper side by side in one folder. The
same pages are written every time. The town and the papers do not
exist; nobody is named.

In April the river rises and a dike breaks, in May a council is elected, then it gets hot: the
number of articles about each changes from week to week (`ARTICLES`). The menus and boxes around the
articles have the words flood, heat and election on every page.
"""

import sys
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from html import escape
from pathlib import Path
from random import Random
from typing import NamedTuple

FIRST_MONDAY = date(2024, 3, 18)
PAGES_A_WEEK = 10
# Articles about each topic in weeks 12 to 23 of 2024; the others of a week are about daily life.
ARTICLES = {
    "flood": (0, 1, 6, 8, 7, 4, 2, 1, 0, 0, 0, 0),
    "election": (0, 0, 0, 0, 1, 3, 4, 8, 4, 1, 0, 0),
    "heat": (0, 0, 0, 0, 0, 0, 0, 0, 1, 3, 6, 8),
}
WEEKS = len(ARTICLES["flood"])

PLACES = "Tanner Street,Quay Road,Mill Lane,the old town,the harbour,Orchard Hill".split(",")

# Of each topic: headlines, then sentences. {place} and {number} differ from page to page.
HEADLINES = {
    "flood": (
        "Flood closes {place} for a second day",
        "River Tolle rises {number} centimetres overnight",
        "Dike at {place} gives way",
        "Volunteers fill sandbags at {place}",
        "What the flood left behind in {place}",
    ),
    "election": (
        "Council election: what is at stake for {place}",
        "Candidates meet voters at {place}",
        "Ballot papers for {place} arrive late",
        "Turnout above {number} percent in council election",
        "Who may vote, and where",
    ),
    "heat": (
        "Heat wave: {number} degrees expected on Sunday",
        "Drinking fountains for {place}",
        "No shade at {place}: residents ask for trees",
        "Pool stays open longer in the heat",
        "Drought turns the lawns of {place} brown",
    ),
    "daily life": (
        "Bridge at {place} gets a new coat of paint",
        "Library lends {number} games in a month",
        "Market moves to {place} for the summer",
        "School choir sings in {place}",
        "Bakery at {place} changes hands",
        "Bus 4 will stop at {place} again",
    ),
}
SENTENCES = {
    "flood": (
        "The flood reached {place} shortly before midnight, faster than the gauge had suggested.",
        "Firefighters pumped water out of {number} cellars and closed the road to traffic.",
        "Volunteers carried sandbags to the dike until the water stopped rising.",
        "At its highest the river stood {number} centimetres above the usual mark.",
        "Families from the lowest houses slept in the gym and were given soup and blankets.",
        "Engineers will inspect the dike again once the flood has gone down.",
        "Insurance pays for flood damage only if the cellar was registered, the town hall said.",
        "The last high water of this kind was thirty years ago, and the marks are still visible.",
    ),
    "election": (
        "Four lists have put up candidates for the council election in May.",
        "Everybody who is sixteen or older may vote at the school or send the ballot by post.",
        "The candidates were asked about rents, the bus and the swimming pool.",
        "Helpers counted the votes of {place} twice, because {number} ballots were unclear.",
        "Posters of the candidates may hang for six weeks before the election, but not on trees.",
        "The polling station at {place} has a ramp and a bench for those who wait.",
        "After the election the council meets in public and chooses who leads it.",
        "Fewer people voted by post than five years ago, the clerk said.",
    ),
    "heat": (
        "The heat lasted through the night, and it was {number} degrees in many bedrooms.",
        "Doctors advise older people to drink often and to stay in the shade at noon.",
        "The town waters young trees with tank lorries, as the drought has reached their roots.",
        "Two schools ended lessons at eleven because of the heat.",
        "Farmers near {place} cut the barley early, before the drought could take the rest.",
        "A heat wave of ten days has not been measured here since records began.",
        "Sun sails will give shade to the playground at {place}.",
        "Whoever waters a garden before eight in the evening may have to pay a fine.",
    ),
    "daily life": (
        "The work took longer than planned, and the bill was paid with money from the summer fair.",
        "Children from {place} painted the benches and planted herbs beside them.",
        "About {number} visitors came on the first day, most of them on foot or by bicycle.",
        "The association was founded in a kitchen and now has its own room with a piano.",
        "Those who want to help can come on any Thursday after five.",
        "The new opening hours are written on the door in four languages.",
        "A neighbour lent the ladder, and the baker brought a tray of plum cake.",
        "Nothing changes for owners of a season ticket, the office said.",
    ),
}


class Article(NamedTuple):
    """One article, and where its page is."""

    host: str
    path: str
    day: date
    title: str
    paragraphs: list[str]


def write_pages(folder: Path, host: str | None = None) -> int:
    """Write all pages below a folder, or those of one host into it, and return their number."""
    number = 0
    for article in articles():
        if host not in (None, article.host):
            continue
        flat = article.path.replace("/", "-")
        file = folder / article.host / article.path if host is None else folder / flat
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(PAPERS[article.host](article), encoding="utf-8")
        number += 1
    return number


def articles() -> Iterator[Article]:
    """Yield the articles of all weeks, those of each paper in turn."""
    random = Random(2024)
    hosts = list(PAPERS)
    for week in range(WEEKS):
        topics = [topic for topic, counts in ARTICLES.items() for _ in range(counts[week])]
        topics += ["daily life"] * (PAGES_A_WEEK - len(topics))
        random.shuffle(topics)
        for at, topic in enumerate(topics):
            day = FIRST_MONDAY + timedelta(days=7 * week + at % 6)  # not on Sundays
            host = hosts[(week + at + at // 6) % len(hosts)]  # no two pages of a paper on one day
            yield article(random, host, day, topic)


def article(random: Random, host: str, day: date, topic: str) -> Article:
    """Return an article of six sentences about a topic."""

    def fill(text: str) -> str:
        return text.format(place=random.choice(PLACES), number=random.randint(21, 48))

    title = fill(random.choice(HEADLINES[topic]))
    sentences = [fill(sentence) for sentence in random.sample(SENTENCES[topic], 6)]
    slug = "-".join("".join(c if c.isalnum() else " " for c in title.lower()).split())
    paragraphs = [" ".join(sentences[at : at + 2]) for at in (0, 2, 4)]
    return Article(host, f"{day:%Y/%m/%d}/{slug}.html", day, title, paragraphs)


def written(day: date) -> str:
    """Return a day as "4 March 2024", whatever the language of the computer."""
    months = {3: "March", 4: "April", 5: "May", 6: "June"}
    return f"{day.day} {months[day.month]} {day.year}"


def paragraphs_of(article: Article) -> str:
    return "\n".join(f"<p>{escape(text)}</p>" for text in article.paragraphs)


def echo(article: Article) -> str:
    """A page with `<article>` and `<time>`."""
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<title>{escape(article.title)} | Ostermead Echo</title>
<meta property="og:site_name" content="Ostermead Echo"></head>
<body>
<header><a href="/">Ostermead Echo</a>
<nav><ul><li><a href="/town">Town</a></li><li><a href="/election">Election 2024</a></li>
<li><a href="/flood">Flood ticker</a></li><li><a href="/heat">Heat map</a></li></ul></nav></header>
<main><article>
<h1>{escape(article.title)}</h1>
<p class="byline"><time datetime="{article.day}T06:30:00+01:00">{written(article.day)}</time></p>
{paragraphs_of(article)}
</article></main>
<aside><h2>Most read</h2><ol><li><a href="/1">Flood: the pictures of the night</a></li>
<li><a href="/2">Election: all candidates in one table</a></li>
<li><a href="/3">Heat: where to swim</a></li></ol></aside>
<footer><a href="/imprint">Imprint</a> <a href="/privacy">Privacy</a> Ostermead Echo</footer>
</body></html>
"""


def lamp(article: Article) -> str:
    """A page of `<div>`s, with its date as JSON-LD."""
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{escape(article.title)} - Harbour Lamp</title>
<script type="application/ld+json">{{"@context": "https://schema.org", "@type": "NewsArticle",
"datePublished": "{article.day}", "publisher": {{"@type": "Organization",
"name": "Harbour Lamp"}}}}</script></head>
<body><div id="top"><a href="/">Harbour Lamp</a> <a href="/votes">Votes and ballots</a>
<a href="/river">High water</a> <a href="/drought">Drought</a></div>
<div class="story"><h1>{escape(article.title)}</h1>
{paragraphs_of(article)}
</div>
<div class="box"><h3>Also on Harbour Lamp</h3><a href="/a">How to build a dike from sandbags</a>
<a href="/b">Ten candidates, ten questions</a> <a href="/c">Shade: a map</a></div>
<div id="bottom">Harbour Lamp <a href="/contact">Contact</a> <a href="/letter">Newsletter</a></div>
</body></html>
"""


def courier(article: Article) -> str:
    """A page as twenty years ago; its date is only written in the text."""
    return f"""<html><head><meta charset="utf-8">
<title>{escape(article.title)} :: The Tolle Valley Courier</title></head>
<body><center><b>The Tolle Valley Courier</b></center><hr>
<a href="/">Home</a> | <a href="/flood">Flood</a> | <a href="/vote">Election</a> |
<a href="/heat">Heat wave</a> | <a href="/ads">Classifieds</a><hr>
<h2>{escape(article.title)}</h2>
<small>Published on {written(article.day)}</small>
{paragraphs_of(article)}
<hr><a href="/flood/1">Where the river was in 1994</a><br><a href="/vote/1">The last council</a><br>
<a href="/heat/1">Five ways through the drought</a>
<p><small>The Tolle Valley Courier appears every day but Sunday.</small></p>
</body></html>
"""


# The papers by host, each with the function that writes a page.
PAPERS: dict[str, Callable[[Article], str]] = {
    "ostermead-echo.example": echo,
    "harbour-lamp.example": lamp,
    "tolle-valley-courier.example": courier,
}


def main() -> None:
    if not 2 <= len(sys.argv) <= 3 or not {*sys.argv[2:]} <= {*PAPERS}:
        sys.exit("Name the folder to write: python examples/news/make_pages.py build/news")
    folder = Path(sys.argv[1])
    print(f"{write_pages(folder, *sys.argv[2:])} pages in {folder}")


if __name__ == "__main__":
    main()
