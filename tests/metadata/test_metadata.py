"""Metadata: each field from each source, and hostile pages."""

import json
import pickle
from dataclasses import replace

import pytest
from hypothesis import given

import thresher
from tests.growth import assert_linear
from tests.pages import soup
from tests.structure.threads.markup import SAID, THREADS, WHEN, WHO, records_html
from thresher import metadata
from thresher.metadata import Field, Metadata, headline

URL = "https://www.example.org/tea"


def read(html: str, url: str | None = URL) -> Metadata:
    return metadata.read(thresher.parse(html, url=url))


def ld(value: object) -> str:
    return raw_ld(json.dumps(value))


def raw_ld(script: str) -> str:
    return f'<script type="application/ld+json">{script}</script>'


def meta(name: str, content: str, kind: str = "name") -> str:
    return f'<meta {kind}="{name}" content="{content}">'


H1 = "<h1>Tea time at home</h1>"


# --- authors -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("html", "names", "source"),
    [
        (
            ld({"@type": "NewsArticle", "author": {"@type": "Person", "name": "Ada Berg"}}),
            ["Ada Berg"],
            "json-ld author",
        ),
        (
            ld({"@type": "Article", "author": ["Ada Berg", {"name": "Max Tal"}]}),
            ["Ada Berg", "Max Tal"],
            "json-ld author",
        ),
        (
            ld(
                {
                    "@graph": [
                        {"@type": "WebPage"},
                        {"@type": "Article", "headline": "x", "author": {"@id": "#a"}},
                        {"@id": "#a", "@type": "Person", "name": "Ada Berg"},
                    ]
                }
            ),
            ["Ada Berg"],
            "json-ld author",
        ),
        (
            ld(
                {
                    "@type": "QAPage",
                    "mainEntity": {"@type": "Question", "author": {"name": "ada1815"}},
                }
            ),
            ["ada1815"],
            "json-ld author",
        ),
        (
            ld({"@type": "Article", "author": {"@type": "Organization", "name": "Tea Society"}}),
            ["Tea Society"],
            "json-ld author",
        ),
        (meta("author", "By Ada Berg and Max Tal"), ["Ada Berg", "Max Tal"], "author"),
        (
            meta("citation_author", "Berg, Ada") + meta("citation_author", "Tal, Max"),
            ["Ada Berg", "Max Tal"],
            "citation_author",
        ),
        (meta("DC.Creator", "Ada Berg"), ["Ada Berg"], "dc.creator"),
        (meta("parsely-author", "Ada Berg"), ["Ada Berg"], "parsely-author"),
        (meta("sailthru.author", "Ada Berg"), ["Ada Berg"], "sailthru.author"),
        (meta("article:author", "Ada Berg", "property"), ["Ada Berg"], "article:author"),
        (
            meta("twitter:label1", "Written by") + meta("twitter:data1", "Ada Berg"),
            ["Ada Berg"],
            "twitter:data1",
        ),
        (f'{H1}<p><a rel="author" href="/ada">Ada Berg</a>', ["Ada Berg"], "rel author"),
        (
            f'{H1}<p itemprop="author" itemscope><img><span itemprop="name">Ada Berg</span> writes',
            ["Ada Berg"],
            "itemprop author",
        ),
        (f'{H1}<p class="byline">Von Ada Berg', ["Ada Berg"], "class"),
        (f'{H1}<p class="ByLine">Von Ada Berg', ["Ada Berg"], "class"),
        (f'{H1}<p class="byline {"x" * 300}">Von Ada Berg', ["Ada Berg"], "class"),
        (
            f'{H1}<div class="post-author"><p>Ada Berg</p><p>Ada writes of tea in pots.</p></div>',
            ["Ada Berg"],
            "class",
        ),
        (f'{H1}<p><a href="/author/ada">Ada Berg</a>', ["Ada Berg"], "link to author"),
        (f'{H1}<b class="username">tea_lover7</b>', ["tea_lover7"], "class"),
        (f"{H1}<p>By Ada Berg</p>", ["Ada Berg"], "text"),
        (f"{H1}<p>By <b>Ada Berg</b></p>", ["Ada Berg"], "text"),
    ],
)
def test_authors(html, names, source):
    assert read(html).authors == Field(tuple(names), source)


@pytest.mark.parametrize(
    "html",
    [
        meta("article:author", "https://example.org/ada", "property"),
        f'{H1}<p class="comment-author">Ada Berg</p>',
        f'{H1}<p class="author" hidden>Ada Berg</p>',
        meta("twitter:label1", "Reading time") + meta("twitter:data1", "Three minutes"),
        ld({"@type": "BreadcrumbList", "author": "Ada Berg"}),
        ld({"@type": "ItemList", "itemListElement": [{"@type": "Article", "author": "Ada Berg"}]}),
    ],
)
def test_sources_that_are_not_the_author_of_the_page(html):
    assert read(html).authors == Field(())


def test_a_byline_is_preferred_to_the_name_of_the_site():
    said = meta("author", "Example") + meta("og:site_name", "Example", "property")
    assert read(f"{said}{H1}").authors == Field(("Example",), "author")
    assert read(f'{said}{H1}<p class="byline">Ada Berg').authors == Field(("Ada Berg",), "class")


# --- dates ---------------------------------------------------------------------------------------

DAY = "2024-05-03"


@pytest.mark.parametrize(
    ("html", "source"),
    [
        (ld({"@type": "Article", "datePublished": DAY}), "json-ld datePublished"),
        (
            ld([[{"@type": ["Thing", "BlogPosting"], "datePublished": {"@value": DAY}}]]),
            "json-ld datePublished",
        ),
        (ld({"@type": "VideoObject", "uploadDate": DAY}), "json-ld uploadDate"),
        (meta("article:published_time", DAY, "property"), "article:published_time"),
        (meta("datePublished", DAY, "itemprop"), "datepublished"),
        (meta("DC.date.issued", DAY), "dc.date.issued"),
        (meta("citation_publication_date", "2024/05/03"), "citation_publication_date"),
        (meta("parsely-pub-date", DAY), "parsely-pub-date"),
        (meta("sailthru.date", "Fri, 3 May 2024"), "sailthru.date"),
        (meta("date", "not said") + meta("created", DAY), "created"),
        (
            f'{H1}<span itemprop="datePublished" content="{DAY}">Friday</span>',
            "itemprop datePublished",
        ),
        (f'{H1}<time datetime="{DAY}">Friday</time>', "time"),
        (f"{H1}<time>3 May 2024</time>", "time"),
        (f'{H1}<p class="entry-date">3. Mai 2024</p>', "class"),
        (f"{H1}<p>May 3, 2024 in London</p>", "text"),
    ],
)
def test_published(html, source):
    assert read(html).published == Field(DAY, source)


@pytest.mark.parametrize(
    "beside",
    [
        {"@type": "VideoObject", "uploadDate": "2020-01-01", "dateModified": "2020-01-02"},
        {"@type": "Review", "datePublished": "2020-01-01"},
        {"@type": ["UserReview", "Review"], "datePublished": "2020-01-01"},
    ],
)
def test_the_date_of_a_video_or_a_review_is_not_that_of_the_page(beside):
    found = read(ld([beside, {"@type": "WebPage", "name": "Tea"}]) + H1)
    assert (found.published, found.modified) == (Field(""), Field(""))
    dated = read(ld([beside, {"@type": "Product", "datePublished": DAY}]) + H1)
    assert dated.published == Field(DAY, "json-ld datePublished")


def test_the_url_is_the_last_source_of_a_date():
    assert read(H1, "https://example.org/2024/05/03/tea").published == Field(DAY, "address")
    assert read(H1).published == Field("")


@pytest.mark.parametrize(
    ("html", "source"),
    [
        (ld({"@type": "Article", "dateModified": DAY}), "json-ld dateModified"),
        (meta("og:updated_time", DAY, "property"), "og:updated_time"),
        (f'{H1}<time itemprop="dateModified" datetime="{DAY}">x</time>', "itemprop dateModified"),
        (f'{H1}<time class="updated" datetime="{DAY}">x</time>', "time"),
        (f"{H1}<p>Last updated May 3, 2024</p>", "text"),
    ],
)
def test_modified(html, source):
    found = read(html)
    assert found.modified == Field(DAY, source)
    assert found.published == Field("")
    assert found.date == found.modified


def test_one_text_has_both_dates():
    found = read(f"{H1}<p>Published: 1 May 2024 | Updated: 3 May 2024</p>")
    assert found.published == Field("2024-05-01", "text")
    assert found.modified == Field(DAY, "text")


@pytest.mark.parametrize(
    ("language", "url", "iso"),
    [
        ("en-US", URL, "2024-05-03"),
        ("en-GB", URL, "2024-03-05"),
        ("en", "https://example.com/", "2024-05-03"),
        ("en", "https://example.co.uk/", "2024-03-05"),
        ("de", "https://example.com/", "2024-03-05"),
    ],
)
def test_the_order_of_numbers_depends_on_language_and_url(language, url, iso):
    html = f'<html lang="{language}">{H1}<time>5/3/2024</time>'
    assert read(html, url).published.value == iso


# --- other fields ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("html", "field", "value", "source"),
    [
        (meta("og:site_name", "Tea Post", "property"), "site", "Tea Post", "og:site_name"),
        (ld({"@type": "WebSite", "name": "Tea Post"}), "site", "Tea Post", "json-ld"),
        (
            ld({"@type": "Article", "publisher": {"name": "Tea Post"}}),
            "site",
            "Tea Post",
            "json-ld",
        ),
        (H1, "site", "example.org", "address"),
        ("<html lang=de_at>", "language", "de-AT", "html lang"),
        ("<html xml:lang=sr-latn-rs>", "language", "sr-Latn-RS", "html lang"),
        ("<body lang=fr>", "language", "fr", "body lang"),
        (meta("og:locale", "pt_BR", "property"), "language", "pt-BR", "og:locale"),
        (meta("content-language", "en, de", "http-equiv"), "language", "en", "content-language"),
        (ld({"@type": "Article", "inLanguage": "ja"}), "language", "ja", "json-ld inLanguage"),
        ("<html dir=RTL lang=en>", "direction", "rtl", "html dir"),
        ("<html lang=fa>", "direction", "rtl", "language"),
        ("<html lang=az-Arab>", "direction", "rtl", "language"),
        ("<html lang=ru>", "direction", "ltr", "language"),
        ("<title>12 שלום</title>", "direction", "rtl", "title"),
        ("<title>12 Tea</title>", "direction", "ltr", "title"),
        (meta("description", " Good  tea. "), "description", "Good tea.", "description"),
        (meta("og:description", "Good tea.", "property"), "excerpt", "Good tea.", "og:description"),
        (
            ld({"@type": "Article", "description": "Good &amp; tea"}),
            "description",
            "Good & tea",
            "json-ld description",
        ),
        (
            meta("og:image", "/tea.jpg", "property"),
            "image",
            "https://www.example.org/tea.jpg",
            "og:image",
        ),
        (
            meta("twitter:image", "tea.jpg"),
            "image",
            "https://www.example.org/tea.jpg",
            "twitter:image",
        ),
        (
            ld({"@type": "Article", "image": [{"@type": "ImageObject", "url": "/t.png"}]}),
            "image",
            "https://www.example.org/t.png",
            "json-ld image",
        ),
        (
            "<link rel=image_src href=/t.png>",
            "image",
            "https://www.example.org/t.png",
            "link image_src",
        ),
        (
            "<link rel=license href=https://l.example/by>",
            "licence",
            "https://l.example/by",
            "link license",
        ),
        (
            '<p><a rel="nofollow license" href="/by">CC</a>',
            "licence",
            "https://www.example.org/by",
            "rel license",
        ),
        (
            '<p itemprop="text">x<a rel="license" itemprop="license" href="/by">CC</a>',
            "licence",
            "https://www.example.org/by",
            "rel license",
        ),
        (
            meta("dc.rights", "Shared under https://creativecommons.org/licenses/by/4.0/ by all"),
            "licence",
            "https://creativecommons.org/licenses/by/4.0/",
            "dc.rights",
        ),
        (
            "<link rel='canonical' href='/cha'>",
            "canonical",
            "https://www.example.org/cha",
            "link canonical",
        ),
        (
            meta("og:url", "https://example.org/x", "property"),
            "canonical",
            "https://example.org/x",
            "og:url",
        ),
        (meta("keywords", "tea, water;Tea , "), "tags", ("tea", "water"), "keywords"),
        (
            meta("article:tag", "tea", "property")
            + meta("article:tag", "pots", "property")
            + meta("keywords", "x"),
            "tags",
            ("tea", "pots"),
            "article:tag",
        ),
        (
            ld({"@type": "Article", "keywords": ["tea", "hot water"]}),
            "tags",
            ("tea", "hot water"),
            "json-ld keywords",
        ),
    ],
)
def test_field(html, field, value, source):
    assert getattr(read(html), field) == Field(value, source)


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)",
        " JavaScript:alert(1)",
        "data:text/html,x",
        "mailto:ada@example.org",
        "file:///tea",
        "http://",
        "http://[",
    ],
)
def test_only_web_urls_are_returned(address):
    links = f'<link rel=canonical href="{address}"><link rel=license href="{address}">'
    found = read(f"{links}{meta('og:url', address, 'property')}{meta('og:image', address)}{H1}")
    assert (found.canonical, found.licence, found.image) == (Field(""), Field(""), Field(""))
    found = read(f'{meta("license", address)}<p><a rel=license href="{address}">x</a>')
    assert found.licence == Field("")
    found = read(f"{links}<link rel=canonical href=/tea>{meta('license', '/by')}{H1}")
    assert found.canonical == Field("https://www.example.org/tea", "link canonical")
    assert found.licence == Field("https://www.example.org/by", "license")


def test_texts_and_relative_urls():
    assert read("<link rel=canonical href=/tea>", None).canonical.value == "/tea"
    assert read(meta("dc.rights", "All rights reserved")).licence == Field("")
    assert read(meta("dc.rights", "javascript:alert(1) // x")).licence == Field("")
    assert read('<link rel=canonical href="java&#10;script:alert(1)">').canonical == Field("")


def test_an_excerpt_of_the_content():
    page = thresher.parse(f"{H1}<p>Short.</p><p>{'Tea needs time and patience. ' * 20}</p>")
    found = metadata.read(page, page.all()).excerpt
    assert found.source == "content"
    assert found.value.startswith("Tea needs time")
    assert found.value.endswith("…")
    assert len(found.value) <= 201
    assert metadata.read(page).excerpt == Field("")


def test_plain_data():
    found = read(meta("keywords", "tea,pots") + "<link rel=canonical href=/x>")
    assert found.to_dict() == {
        "site": {"value": "example.org", "source": "address"},
        "tags": {"value": ["tea", "pots"], "source": "keywords"},
        "canonical": {"value": "https://www.example.org/x", "source": "link canonical"},
    }
    assert json.loads(json.dumps(found.to_dict())) == found.to_dict()
    assert pickle.loads(pickle.dumps(found)) == found
    assert read("") == Metadata()
    assert Metadata().to_dict() == {}


def test_a_part_of_a_page_has_the_metadata_of_the_whole():
    page = thresher.parse(meta("author", "Ada Berg") + f"{H1}<time datetime={DAY}>x</time>")
    part = metadata.read(page.only(page.all()))
    assert part.authors.value == ("Ada Berg",)
    assert part.published.value == DAY


@given(soup)
def test_any_page_has_an_answer(html):
    found = read(html)
    for entry in found.to_dict().values():
        assert entry["value"]
        assert entry["source"]


# --- hostile pages -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "html",
    [
        "<meta name=author content='Ada Berg'>" * 30_000,
        "<meta name=keywords content='a,b'>" * 30_000,
        "<link rel=canonical href=/x>" * 30_000,
        raw_ld("[" * 30_000),
        raw_ld('{"a":' * 30_000),
        ld(
            {
                "@graph": [
                    {"@type": "Article", "author": {"name": f"Ada {n}"}} for n in range(20_000)
                ]
            }
        ),
        raw_ld('{"headline":"x",' * 30_000),
        "<script type='application/ld+json'>{}</script>" * 20_000,
        meta("author", "Ada Berg, " * 200_000),
        meta("date", "9" * 1_000_000),
        f"{H1}{'<time>May</time>' * 20_000}",
        f"{H1}{'<p class=author>' * 20_000}",
        f"{H1}{'<p class=date>1.1.1' * 20_000}",
        f"{H1}<p class=author>{'a ' * 1_000_000}</p>",
        f"{H1}<i itemprop=author>" * 10_000,
        f"<title>{'x' * 3_000_000}</title>",
        "<html lang='" + "a" * 1_000_000 + "'>",
    ],
    ids=range(17),
)
def test_hostile_pages_have_an_answer(html):
    found = read(html)
    assert len(json.dumps(found.to_dict())) < 100_000


@pytest.mark.slow
@pytest.mark.parametrize(
    "unit", ["<time>May</time>", "<meta name=date content=x>", "<p class=author>a"]
)
def test_time_is_linear(unit):
    def pages(n: int) -> thresher.Page:
        return thresher.parse(H1 + unit * n)

    def act(page: thresher.Page) -> None:
        fresh = replace(page)  # without cached values
        fresh.prefill(nodes=page.nodes)
        metadata.read(fresh, headline_row=headline.find(fresh).row)

    assert_linear(act, pages, 5_000)


# --- a site as its own author, dates in the future -----------------------------------------------


def test_the_site_is_the_author_of_its_news_only():
    author = {"@type": "Organization", "name": "Tea Times"}
    site = meta("og:site_name", "Tea Times", "property")
    work = {"author": author, "publisher": author, "headline": "Tea"}
    assert read(site + ld({"@type": "Article", **work}) + H1).authors == Field(())
    assert read(site + ld({"@type": "NewsArticle", **work}) + H1).authors.value == ("Tea Times",)
    other = {"@type": "Article", "author": {"@type": "Organization", "name": "Kettle Agency"}}
    assert read(site + ld(other) + H1).authors.value == ("Kettle Agency",)


@pytest.mark.parametrize(
    "html",
    [
        f'{H1}<p class="byline">Example</p>',
        f'{H1}<p class="author">Staff</p>',
        f'{H1}<p class="author">admin</p>',
        f"{H1}<p>By this change we mean a lot</p>",
        meta("author", "Tea Company Inc.") + H1,
        f'{H1}<p class="author">Posted by</p>',
    ],
)
def test_no_author_is_claimed(html):
    assert read(html).authors == Field(())


@pytest.mark.parametrize("name", ["byline", "by-line", "by_line", "article-by-line"])
def test_classes_of_bylines(name):
    assert read(f'{H1}<p class="{name}">Ada Berg</p>').authors == Field(("Ada Berg",), "class")


def test_cited_authors():
    cited = meta("citation_author", "Berg, Ada K.") + meta("citation_author", "Max Tal")
    assert read(cited).authors.value == ("Ada K. Berg", "Max Tal")


@pytest.mark.parametrize(
    "empty", ["1970-01-01T00:00:00Z", "1969-12-31T19:00:00-05:00", "1900-01-01", "0001-01-01", "0"]
)
def test_empty_fields_are_no_dates(empty):
    tag = meta("article:published_time", empty)
    assert not read(tag).published
    assert read(tag + meta("date", "2024-05-03")).published == Field("2024-05-03", "date")


def test_dates_in_the_future():
    day = f"{H1}<time datetime="
    assert read(f"{day}'03/04/2098'>x</time>").published == Field("")
    later = meta("article:published_time", "2098-01-01", "property") + meta("date", DAY)
    assert read(later).published == Field(DAY, "date")


@pytest.mark.parametrize(
    "name", ["published-date", "w-published-date", "publicationDate", "postdate"]
)
def test_dates_in_meta_tags_with_unusual_names(name):
    assert read(meta(name, DAY)).published.value == DAY


@pytest.mark.parametrize(
    ("author", "found"),
    [
        ("Leaf Magazine", ()),
        ("leaf.example", ()),
        ("Ada Leaf", ("Ada Leaf",)),  # a person's own site
    ],
)
def test_the_name_of_the_site_is_no_author(author, found):
    name = f'<meta property="og:site_name" content="{author}">'
    declared = f"{name}<meta name=author content='{author}'><h1>Tea</h1>"
    shown = f"{name}<h1>Tea</h1><p class=byline>By {author}</p>"
    for html in (declared, shown):
        assert read(html, "https://leaf.example/tea").authors.value == found


@pytest.mark.parametrize(
    ("author", "site", "found"),
    [
        ("The Kettle", "The Kettle", ()),
        ("The Kettle", "Kettle", ()),
        ("Kettle Magazine", "Kettle Magazine", ()),
        ("Ada Leaf", "Ada Leaf", ("Ada Leaf",)),  # a person's own site
        ("Ada Leaf", "The Kettle", ("Ada Leaf",)),
    ],
)
@pytest.mark.parametrize("separator", [" | ", " - ", "｜"])
def test_the_name_of_the_site_in_the_title_is_no_author(author, site, found, separator):
    title = f"<title>How tea is made{separator}{site}</title>"
    assert read(f"{title}<meta name=author content='{author}'>").authors.value == found


def test_all_links_to_authors_in_a_byline_count():
    links = [f"<a rel=author href=/{name[0]}>{name}</a>" for name in ("Ann Berg", "Tom Dahl")]
    page = thresher.parse(f"<h1>Tea at home</h1><p>By {' and '.join(links)}</p><p>Boil water.</p>")
    assert metadata.read(page).authors.value == ("Ann Berg", "Tom Dahl")


@pytest.mark.parametrize(
    ("locale", "iso"), [("en_GB", "2024-05-04"), ("en_US", "2024-04-05"), ("de_DE", "2024-04-05")]
)
def test_the_region_of_a_locale_orders_day_and_month(locale, iso):
    html = f"<html lang=en>{meta('og:locale', locale, 'property')}{H1}<p>Posted 04/05/2024</p>"
    assert read(html).published.value == iso


HARBOUR = (
    "<p>The harbour was rebuilt, and those who live beside it say that it is quiet now.</p>" * 4
)


@pytest.mark.parametrize(
    ("first", "date"),
    [
        ("The concert takes place on 3 June 2023.", ""),
        ("Born on 4 May 1950 in Kiel.", ""),
        ("Am 3. Juni 2023 findet das Konzert statt.", ""),
        ("3 June 2023", "2023-06-03"),
        ("This page was published on 3 June 2023.", "2023-06-03"),
        ("Kiel, 3 June 2023 – The harbour is open again.", "2023-06-03"),
    ],
)
def test_a_date_in_a_sentence_is_that_of_an_event(first, date):
    page = f"<title>Harbour</title><body><h1>The harbour</h1><p>{first}</p>{HARBOUR}"
    assert thresher.extract(page).metadata.published.value == date


PAPER = (
    '<title>On Ferries</title><body><h1 class="ltx_title ltx_title_document">On Ferries</h1>'
    '<div class="ltx_authors"><span class="ltx_creator ltx_role_author"><span '
    'class="ltx_personname">Anna Maier<br>Department of Boats<br>University of Kiel</span></span>'
    '<span class="ltx_creator ltx_role_author"><span class="ltx_personname">Jo Doe<sup>1</sup>'
    '</span><span class="ltx_contact">Oslo, Norway</span></span></div>'
)
PIPERMAIL = (
    "<title>[Ferry] Bell</title><body><h1>[Ferry] Bell</h1><b>Anna Maier</b> "
    '<a href="mailto:f@b.example">anna at b.example</a><br><i>Fri May  3 10:00:00 UTC 2024</i>'
    "<hr><pre>The bell of the ferry does not ring any more.</pre>"
)
MHONARC = (
    "<title>Re: Bell</title><body><h1>Re: Bell</h1><hr><ul><li><em>To</em>: f@b.example</li><li>"
    '<em>From</em>: Anna Maier &lt;<a href="mailto:a@x">a@x</a>&gt;</li></ul><hr><pre>The bell of '
    "the ferry does not ring any more.</pre>"
)


@pytest.mark.parametrize(
    ("page", "authors"),
    [
        (PAPER + HARBOUR, ("Anna Maier", "Jo Doe")),
        (PIPERMAIL, ("Anna Maier",)),
        (MHONARC, ("Anna Maier",)),
    ],
    ids=["LaTeXML", "Pipermail", "MHonArc"],
)
def test_authors_of_papers_and_mails(page, authors):
    assert thresher.extract(page).metadata.authors.value == authors


def test_a_suffix_after_a_comma_is_part_of_the_name() -> None:
    head = '<title>Tea</title><meta name="author" content="Martin Ode, Jr.">'
    (name,) = thresher.extract(f"{head}<article><h1>Tea</h1><p>Steep it well.</p>").authors
    assert name.startswith("Martin Ode Jr")


OTHER = {
    "@type": "NewsArticle",
    "headline": "Tea harvest in Assam begins early",
    "author": {"name": "Max Tal"},
    "datePublished": "2020-01-02",
}
ASSAM = "https://leaf.example/news/assam-harvest"
KETTLES = "<title>Kettles of steel are loud – Leaf</title><h1>Kettles of steel are loud</h1>"


@pytest.mark.parametrize("address", [{"url": ASSAM}, {"mainEntityOfPage": {"@id": ASSAM}}])
@pytest.mark.parametrize(
    ("html", "url"),
    [
        (KETTLES, "https://leaf.example/kettles"),
        (f"{KETTLES}<link rel=canonical href=/kettles>", None),
        (KETTLES, None),
    ],
)
def test_works_of_other_pages_are_not_used(address, html, url):
    script = f'<script type="application/ld+json">{json.dumps({**OTHER, **address})}</script>'
    found = metadata.read(thresher.parse(f"{html}{script}", url=url))
    assert (found.authors, found.published) == (Field(()), Field(""))
    found = metadata.read(thresher.parse(f"{html}{script}<p>By Ada Berg</p><p>3 May 2024", url=url))
    assert (found.authors.value, found.published.value) == (("Ada Berg",), "2024-05-03")


def test_a_work_beside_that_of_the_page_is_not_used():
    works = [OTHER, {"@type": "NewsArticle", "headline": "Kettles of steel are loud"}]
    script = f'<script type="application/ld+json">{json.dumps(works)}</script>'
    assert metadata.read(thresher.parse(KETTLES + script)).authors == Field(())


@pytest.mark.parametrize(
    "changed",
    [
        {},  # without an address, nothing else is better
        {"url": "https://leaf.example/"},
        {"url": "https://leaf.example/2024/kettles.html"},
        {"url": ASSAM, "headline": "Loud kettles of steel"},
        {"url": "https://leaf.example/kettles/amp#article"},
        {"url": "http://["},
        {"url": ASSAM, "headline": ["Tea"]},
    ],
)
def test_works_that_may_be_of_the_page_are_used(changed):
    script = f'<script type="application/ld+json">{json.dumps({**OTHER, **changed})}</script>'
    found = metadata.read(thresher.parse(KETTLES + script, url="https://leaf.example/kettles"))
    assert (found.authors.value, found.published.value) == (("Max Tal",), "2020-01-02")


def test_all_authors_of_a_citation_are_read_beside_dublin_core():
    names = "".join(f'<meta name=citation_author content="{n}">' for n in ("Berg, Ada", "Tal, Max"))
    found = metadata.read(thresher.parse(f'<meta name="DC.creator" content="Berg, Ada">{names}<p>'))
    assert found.authors == Field(("Ada Berg", "Max Tal"), "citation_author")


@pytest.mark.parametrize(
    ("published", "modified", "day"),
    [
        ("05/03/2021", "2021-03-09", "2021-03-05"),
        ("05/03/2021", "2021-05-09", "2021-05-03"),
        ("05/03/2021", "2021-02-09", "2021-05-03"),  # neither is before the change
        ("05/13/2021", "2021-03-09", "2021-05-13"),
    ],
)
def test_day_and_month_of_a_date_after_the_last_change(published, modified, day):
    html = (
        f'<html lang=en><meta property="article:published_time" content="{published}">'
        f'<meta property="article:modified_time" content="{modified}"><p>Tea'
    )
    assert metadata.read(thresher.parse(html)).published.value == day


@pytest.mark.parametrize(
    ("moment", "day"),
    [
        ("", "2021-11-12"),
        ("datetime=2021-12-11", ""),
        ("datetime=0001-01-01", "2021-11-12"),
        ("datetime=1970-01-01", "2021-11-12"),
    ],
)
def test_the_text_of_a_date_in_the_future_is_not_read_the_other_way(monkeypatch, moment, day):
    monkeypatch.setattr(metadata, "time", lambda: 1_637_400_000)  # 20 November 2021
    html = f"<html lang=en-US><h1>Tea</h1><time {moment}>12/11/2021</time><p>Tea"
    assert metadata.read(thresher.parse(html)).published.value == day


# --- threads -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", THREADS)
def test_a_thread_has_author_and_day_of_its_first_post(name):
    around, record = THREADS[name]
    heading = "<title>Tea cosies</title><h1>Tea cosies</h1>"
    found = thresher.extract(heading + around.format(records_html(record))).metadata
    assert found.authors.value == (WHO[0],)
    assert found.published.value[:10] == WHEN[0]


def test_declared_authors_come_before_those_of_posts():
    around, record = THREADS["discourse"]
    html = meta("author", "Grace Hopper") + around.format(records_html(record))
    assert thresher.extract(html).authors == ("Grace Hopper",)


def test_a_thread_with_the_newest_post_first_has_no_author_of_its_first_post():
    around, record = THREADS["discourse"]
    given = [*enumerate(zip(WHO, WHEN, SAID, strict=True))]
    posts = [
        record.format(n=number, who=who, when=when, said=said, depth=0, pixels=0)
        for number, (who, when, said) in reversed(given)
    ]
    html = "<title>Tea cosies</title><h1>Tea cosies</h1>" + around.format("".join(posts))
    document = thresher.extract(html)
    assert [post.author for post in document.threads.posts] == list(reversed(WHO))
    assert document.authors == ()


# --- the site beside people, pictures of letters, links far below ---------------------------------


@pytest.mark.parametrize(
    ("names", "authors"),
    [
        (["Ada Berg", "The Kettle"], ("Ada Berg",)),
        (["Ada Berg", "example.org"], ("Ada Berg",)),
        (["Ada Berg", "Reuters"], ("Ada Berg", "Reuters")),
        (["ab", "The Kettle"], ("ab", "The Kettle")),
        (["The Kettle"], ("The Kettle",)),
    ],
)
def test_the_site_beside_people_is_no_author(names, authors):
    people = [{"@type": "Person", "name": name} for name in names]
    html = meta("og:site_name", "The Kettle", "property") + ld(
        {"@type": "NewsArticle", "headline": "Tea", "author": people}
    )
    assert read(f"{html}{H1}<p>Tea", "https://example.org/tea").authors.value == authors


def test_two_letters_in_the_place_of_a_picture_are_no_author():
    html = f"{H1}<div class=author>AB</div><div><span>by Ada Berg</span></div><p>Warm the pot."
    assert read(html).authors.value == ("Ada Berg",)
    assert read(f"{H1}<p>By AB</p><p>Warm the pot.").authors.value == ("AB",)


@pytest.mark.parametrize(
    "byline",
    [
        "<div class=creator-name>Ada Berg</div>",
        "<h4 class=elementor-author-box__name>Ada Berg</h4>",
        "<p>Ada Berg | Senior Writer | July 2, 2025</p>",
        "<p class=byline>July 2, 2025 &middot; Ada Berg on behalf of the Tea Board</p>",
    ],
)
def test_more_bylines(byline):
    assert read(f"{H1}{byline}<p>Warm the pot.").authors.value == ("Ada Berg",)


@pytest.mark.parametrize(
    "line", ["Tea | Milk | July 2, 2025", "Ada Berg | Tea | Milk", "Ada | Editor"]
)
def test_lines_with_bars_that_are_no_bylines(line):
    assert read(f"{H1}<p>{line}</p><p>Warm the pot.").authors.value == ()


@pytest.mark.parametrize(("rows", "is_found"), [(10, True), (600, True), (1000, False)])
def test_links_to_authors_far_below_the_headline(rows, is_found):
    menu = "<p>tea</p>" * rows  # two rows each
    html = f"{H1}{menu}<span>by </span><p><a href=/articles/authors/ada>Ada Berg</a></p>"
    assert read(html).authors.value == (("Ada Berg",) if is_found else ())


def test_the_first_post_comes_before_the_second_that_is_nearer_to_the_headline():
    found = Metadata(authors=Field(("Max Tal",), "class"), published=Field("2024-05-04", "class"))
    first, later = ("Ada Berg", "2024-05-03T10:00:00"), ("Max Tal", "2024-05-04T09:00:00")
    own = metadata.with_first_post(found, *first, [later])
    assert own.authors == Field(("Ada Berg",), "first post")
    assert own.published == Field(first[1], "first post")
    declared = Metadata(
        authors=Field(("Max Tal",), "author"), published=Field("2024-05-03", "time")
    )
    assert metadata.with_first_post(declared, *first, [later]) == declared


def test_the_first_comment_below_an_article_is_not_by_its_author():
    prose = "<p>Warm the pot first, then steep the leaves for three minutes, and drink it.</p>" * 3
    comment = "<div class=comment><span class=comment-author>Max Tal</span> <p>Nice.</p></div>"
    html = f"<title>Tea</title><article><h1>Tea</h1>{prose}</article><div id=comments>{comment}"
    assert thresher.extract(f"{html}</div>").metadata.authors == Field(())


def test_the_signature_of_a_comment_is_no_byline():
    comment = "<div class=commentbody><p>Good.</p><p>Posted by: Max Tal</p></div>"
    assert metadata.read(thresher.parse(f"<h1>Tea</h1><p>Boil.</p>{comment}")).authors == Field(())


@pytest.mark.parametrize(
    "html",
    [
        "<p>By <a href=/authors/ada>Ada Berg</a>, <a href=/authors/max>Max Tal</a></p>",
        "<p><a href=/author/ada>Ada Berg</a> <a href=/author/max>Max Tal</a></p>",
        '<meta name=citation_authors content="Berg, Ada; Tal, Max">',
        "<meta name=citation_authors content='Ada Berg'>"
        "<meta name=citation_authors content='Max Tal'><meta name=dc.creator content='Ada Berg'>",
        '<script type="application/ld+json">{"@type": "Article", "author": ['
        '{"givenName": "Ada", "familyName": "Berg"}, {"name": "Max Tal"}]}</script>',
        '<meta name=parsely-page content=\'{"author": ["Ada Berg", "Max Tal"]}\'>',
    ],
)
def test_several_authors(html):
    assert metadata.read(thresher.parse(f"{html}<h1>Tea</h1>{html}")).authors.value == (
        "Ada Berg",
        "Max Tal",
    )


def test_a_contact_is_an_author_and_a_feed_is_none():
    card = "<span class='author vcard'><span class=fn>Ada Berg</span></span>"
    feed = "<a href=/author/ada.xml>Ada Berg</a>"
    for html, names in ((card, ("Ada Berg",)), (feed, ())):
        assert metadata.read(thresher.parse(f"<h1>Tea</h1>{html}")).authors.value == names


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("It&amp;#039;s tea", "It's tea"),
        ("&lt;p&gt;It is &lt;b&gt;tea&lt;/b&gt;.&lt;/p&gt;", "It is tea."),
        ("The &lt;table&gt; element ...", "The <table> element ..."),
        ("Tea &amp;amp; pots", "Tea & pots"),
        ("Tea & pots; more", "Tea & pots; more"),
    ],
)
def test_descriptions_that_were_escaped_twice(content, text):
    page = thresher.parse(f'<meta property="og:description" content="{content}"><p>Tea')
    assert metadata.read(page).description.value == text


def test_the_address_of_a_site_is_shown_as_its_host():
    page = thresher.parse(
        '<meta property="og:site_name" content="https://www.kettle.example"><p>Tea'
    )
    assert metadata.read(page).site == Field("kettle.example", "og:site_name")
