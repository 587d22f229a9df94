"""Metadata: every field from every kind of source, and hostile pages."""

import json
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher
from benchmarks import fields
from tests.growth import assert_linear
from tests.pages import soup
from thresher import metadata
from thresher.evaluate.corpora import GoldPage
from thresher.metadata import Field, Metadata, headline
from thresher.metadata.json_ld import objects

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
def test_what_names_no_author_of_the_page(html):
    assert read(html).authors == Field(())


def test_a_byline_wins_over_the_name_of_the_site():
    said = meta("author", "Example") + meta("og:site_name", "Example", "property")
    assert read(f"{said}{H1}").authors == Field(("Example",), "author")
    assert read(f'{said}{H1}<p class="byline">Ada Berg').authors == Field(("Ada Berg",), "class")


def test_the_byline_near_the_headline_comes_first():
    teaser = '<p class="author">Max Tal</p>'
    found = read(f'{teaser}{"<p>x</p>" * 40}{H1}<p class="author">Ada Berg</p>{teaser}')
    assert found.authors.value == ("Ada Berg",)


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
def test_a_film_or_a_review_beside_a_work_does_not_date_the_page(beside):
    found = read(ld([beside, {"@type": "WebPage", "name": "Tea"}]) + H1)
    assert (found.published, found.modified) == (Field(""), Field(""))
    dated = read(ld([beside, {"@type": "Product", "datePublished": DAY}]) + H1)
    assert dated.published == Field(DAY, "json-ld datePublished")


def test_a_link_to_an_authorization_is_none_to_an_author():
    assert read(f'{H1}<p><a href="/Authorization">Sign In</a>').authors == Field(())
    assert read(f'{H1}<p><a href="/authors?id=3">Ada Berg</a>').authors.value == ("Ada Berg",)


@pytest.mark.parametrize(
    "line", ["记者 王小明 2024年5月3日", "โดย สมชาย ใจดี 3 พ.ค. 2567", "מאת דוד כהן 3 במאי 2024"]
)
def test_bylines_with_their_dates(line):
    found = read(f"{H1}<p>{line}</p>")
    assert found.authors.value in (("王小明",), ("สมชาย ใจดี",), ("דוד כהן",))
    assert found.published == Field(DAY, "text")


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("Par Ada Berg, publié le 3 mai 2024 à 15h47", "Ada Berg"),
        ("作者：王小明 来源：新华网 2024-05-03", "王小明"),
        ("بقلم: أحمد علي", "أحمد علي"),
        ("كتب: أحمد علي", "أحمد علي"),
        ("نویسنده: علی رضایی", "علی رضایی"),
        ("लेखक: राम शर्मा", "राम शर्मा"),
        ("Yazan: Ayşe Yılmaz", "Ayşe Yılmaz"),
        ("김철수 기자", "김철수"),
        ("김철수기자 kim@example.org", "김철수"),
    ],
)
def test_bylines_by_their_words(line, name):
    assert read(f"{H1}<p>{line}</p>").authors == Field((name,), "text")


@pytest.mark.parametrize(
    "line", ["كتب أحمد رسالة", "시민기자 모집", "인터넷 기자 모집", "Yazan adam", "लेखक की नई किताब"]
)
def test_words_of_bylines_in_other_lines(line):
    assert read(f"{H1}<p>{line}</p>").authors == Field(())


def test_digits_of_other_scripts_date_a_page():
    assert read(f"{H1}<p>৩ মে ২০২৪</p>").published == Field(DAY, "text")
    assert read(f"{H1}<p>३ मई २०२४</p>").published == Field(DAY, "text")


def test_the_address_is_asked_last():
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
def test_numbers_are_read_as_the_page_would(language, url, iso):
    html = f'<html lang="{language}">{H1}<time>5/3/2024</time>'
    assert read(html, url).published.value == iso


def test_comments_and_teasers_have_other_dates():
    found = read(f'{H1}<p class="comment-date">2 May 2023</p><p class="date">{DAY}</p>')
    assert found.published.value == DAY


# --- the others ----------------------------------------------------------------------------------


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
        (meta("dc.rights", "All rights reserved"), "licence", "All rights reserved", "dc.rights"),
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
def test_only_addresses_of_the_web_are_told(address):
    links = f'<link rel=canonical href="{address}"><link rel=license href="{address}">'
    found = read(f"{links}{meta('og:url', address, 'property')}{meta('og:image', address)}{H1}")
    assert (found.canonical, found.licence, found.image) == (Field(""), Field(""), Field(""))
    found = read(f'{meta("license", address)}<p><a rel=license href="{address}">x</a>')
    assert found.licence == Field("")
    found = read(f"{links}<link rel=canonical href=/tea>{meta('license', '/by')}{H1}")
    assert found.canonical == Field("https://www.example.org/tea", "link canonical")
    assert found.licence == Field("https://www.example.org/by", "license")


def test_texts_and_addresses_without_a_base():
    assert read("<link rel=canonical href=/tea>", None).canonical.value == "/tea"
    assert read(meta("dc.rights", "Data: all rights reserved")).licence.value.startswith("Data")
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


def test_a_part_of_a_page_says_what_the_whole_says():
    page = thresher.parse(meta("author", "Ada Berg") + f"{H1}<time datetime={DAY}>x</time>")
    part = metadata.read(page.only(page.all()))
    assert part.authors.value == ("Ada Berg",)
    assert part.published.value == DAY


# --- broken JSON-LD ------------------------------------------------------------------------------

ARTICLE = '{"@type": "Article", "headline": "Tea", "datePublished": "2024-05-03"}'


@pytest.mark.parametrize(
    "script",
    [
        ARTICLE,
        f"<!-- {ARTICLE} -->",
        f"//<![CDATA[\n{ARTICLE}\n//]]>",
        f"{ARTICLE};",
        f"\ufeff{ARTICLE}",
        f"{ARTICLE}{ARTICLE}",
        f"{ARTICLE} trailing words",
        ARTICLE.replace("Tea", "Tea\nwith milk"),
        ARTICLE.replace("}", ",}"),
        f"[{ARTICLE},]",
        '{"@graph": ' + f"[[{ARTICLE}]]}}",
        ARTICLE.replace("}", ', "x": "unclosed'),
        ARTICLE.replace('"@type"', "'@type'"),
        ARTICLE[:-1],
    ],
)
def test_broken_scripts_are_mended_or_salvaged(script):
    found = read(f'<script type="application/LD+JSON; charset=utf-8">{script}</script>')
    assert found.published.value == DAY


def test_an_author_is_salvaged():
    broken = '{"author": {"@type": "Person", "name": "Ada \\u0042erg"}, "dateModified": "x" "y"'
    found = read(raw_ld(broken))
    assert found.authors.value == ("Ada Berg",)


@given(st.text(max_size=200))
def test_any_script_is_survived(script):
    assert isinstance(objects([script, ARTICLE]), list)


json_values = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=10) | st.just(DAY),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                "@type @graph @id @value @list name author headline datePublished keywords image "
                "url description inLanguage publisher license mainEntity".split()
            ),
            inner,
            max_size=6,
        )
    ),
    max_leaves=20,
)


@given(json_values)
def test_any_json_gives_well_formed_fields(value):
    found = read(ld(value))
    assert all(isinstance(name, str) and name for name in found.authors.value)
    assert isinstance(json.dumps(found.to_dict()), str)
    assert found.published.value in ("", DAY)


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
        "<meta name=author content='Ada Berg'>" * 100_000,
        "<meta name=keywords content='a,b'>" * 100_000,
        "<link rel=canonical href=/x>" * 100_000,
        raw_ld("[" * 100_000),
        raw_ld('{"a":' * 100_000),
        ld(
            {
                "@graph": [
                    {"@type": "Article", "author": {"name": f"Ada {n}"}} for n in range(20_000)
                ]
            }
        ),
        raw_ld('{"headline":"x",' * 100_000),
        "<script type='application/ld+json'>{}</script>" * 50_000,
        meta("author", "Ada Berg, " * 200_000),
        meta("date", "9" * 1_000_000),
        f"{H1}{'<time>May</time>' * 50_000}",
        f"{H1}{'<p class=author>' * 20_000}",
        f"{H1}{'<p class=date>1.1.1' * 50_000}",
        f"{H1}<p class=author>{'a ' * 1_000_000}</p>",
        f"{H1}<i itemprop=author>" * 30_000,
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
        page.__dict__.pop("_declared", None)
        page.__dict__.pop("_marked_nodes", None)
        metadata.read(page, headline_row=headline.find(page).row)

    assert_linear(act, pages, 20_000)


def test_linked_objects_are_bounded():
    nested: dict[str, object] = {"@type": "Article"}
    for _ in range(900):
        nested = {"mainEntity": nested}
    assert len(objects([json.dumps(nested)])) <= 500
    assert len(objects([json.dumps([{"@type": "Article"}] * 10_000)])) == 500
    assert objects(["x" * 3_000_000, ARTICLE]) == []  # past the limit nothing more is read


# --- measuring -----------------------------------------------------------------------------------


def test_days_and_names():
    assert fields.days("2024-05-03 23:30:00-04:00") == {"2024-05-03", "2024-05-04"}
    assert fields.days("2024-05-03") == {"2024-05-03"}
    assert fields.days("") == set()
    assert fields.names(["Ada  BERG", "", "Max-Tal"]) == {"ada berg", "max tal"}


def test_scores_by_hand():
    html = (
        meta("author", "Ada Berg, Max Tal")
        + meta("article:published_time", DAY, "property")
        + meta("article:modified_time", "2024-06-01", "property")
    ).encode()
    pages = [
        GoldPage("1", html, "", author="Ada Berg; Max Tal", date=DAY),
        GoldPage("2", html, "", author="Ada Berg", date="2024-06-01"),
        GoldPage("3", html, "", author="Eva Ort", date="2023-01-01"),
        GoldPage("4", html, ""),
    ]
    found = fields.scores(pages)
    assert found == {
        "published": (1, 3), "date": (1, 3), "either": (2, 3),
        "any author": (2, 3), "all authors": (1, 3),
    }  # fmt: skip
    assert "| either | 0.667 | 3 |" in fields.table({"mine": found})


@pytest.mark.parametrize(
    "script",
    [
        r'{"@type": "Article", "headline": "Kettles \uD83D and \ud83d\ude00", '
        r'"author": "A \udc00"}',
        r'{"@type": "Article",, "headline": "Kettles \uD83D and \ud83d\ude00", '
        r'"author": {"name": "A \udc00"}}',
    ],
)
def test_halves_of_characters_in_json_ld_are_replaced(script):
    document = thresher.extract(f'<script type="application/ld+json">{script}</script><p>tea')
    assert document.title == "Kettles \ufffd and \U0001f600"
    assert document.authors == ("A \ufffd",)
    assert json.loads(document.render("json").encode())["title"] == document.title
