"""Authors and dates in elements and short texts near the headline."""

import pytest

import thresher
from thresher import metadata
from thresher.metadata import Field, Metadata

H1 = "<h1>Tea time at home</h1>"
DAY = "2024-05-03"


def read(html: str) -> Metadata:
    return metadata.read(thresher.parse(html))


MENU = "<ul>" + "".join(f"<li><a href=/{n}>Tea {n}</a></li>" for n in range(150)) + "</ul>"


@pytest.mark.parametrize(
    ("html", "source"),
    [
        ("<p class=byline>By Ada Berg</p><p class=date>3 May 2024</p>", "class"),
        ("<p>By Ada Berg</p><p>3 May 2024</p>", "text"),
        ("<p><a href=/author/ada>Ada Berg</a><time>3 May 2024</time>", "link to author"),
    ],
)
def test_rows_near_the_headline_below_a_long_menu(html, source):
    found = read(f"{MENU}{H1}{html}")
    assert found.authors == Field(("Ada Berg",), source)
    assert found.published.value == DAY


def test_bylines_far_above_and_far_below_the_headline_are_not_read():
    byline = "<p class=byline>By Ada Berg</p><p>3 May 2024</p>"
    for html in (f"{byline}{MENU}{H1}", f"{H1}{MENU * 2}{byline}"):
        found = read(html)
        assert (found.authors, found.published) == (Field(()), Field(""))


def test_the_byline_nearest_to_the_headline_comes_first():
    teaser = '<p class="author">Max Tal</p>'
    found = read(f'{teaser}{"<p>x</p>" * 40}{H1}<p class="author">Ada Berg</p>{teaser}')
    assert found.authors.value == ("Ada Berg",)


def test_a_link_to_authorization_is_not_a_link_to_an_author():
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
def test_texts_that_begin_like_a_byline(line, name):
    assert read(f"{H1}<p>{line}</p>").authors == Field((name,), "text")


@pytest.mark.parametrize(
    ("line", "names", "published", "modified"),
    [
        ("Par Ada Berg, publié le 3 mai 2024 à 10h, mis à jour le 4 mai 2024", 1, 1, 1),
        ("Publié le 3 mai 2024 à 10h00 par Ada Berg, modifié le 4 mai 2024", 1, 1, 1),
        ("Mis à jour le 4 mai 2024 · par Ada Berg", 1, 0, 1),
        ("Published on May 3, 2024 by Ada Berg", 1, 1, 0),
        ("Posted on 3 May 2024 at 10:15 am by Ada Berg and Max Tal", 2, 1, 0),
        ("Updated 4 May 2024 · by Ada Berg", 1, 0, 1),
        ("May 3, 2024 | By Ada Berg", 1, 1, 0),
        ("Veröffentlicht am 3. Mai 2024 von Ada Berg", 1, 1, 0),
        ("Zuletzt aktualisiert am 4. Mai 2024 um 10:15 Uhr von Ada Berg", 1, 0, 1),
        ("Von Ada Berg | Stand: 03.05.2024, 10:15 Uhr", 1, 1, 0),
        ("Publicado el 3 de mayo de 2024 por Ada Berg", 1, 1, 0),
        ("Por Ada Berg, publicado el 3 de mayo de 2024, actualizado el 4 de mayo de 2024", 1, 1, 1),
        ("Pubblicato il 3 maggio 2024 da Ada Berg", 1, 1, 0),
        ("Di Ada Berg, pubblicato il 3 maggio 2024, aggiornato il 4 maggio 2024", 1, 1, 1),
        ("Gepubliceerd op 3 mei 2024 door Ada Berg", 1, 1, 0),
        ("Door Ada Berg, gepubliceerd op 3 mei 2024, bijgewerkt op 4 mei 2024", 1, 1, 1),
        ("Publicado em 3 de maio de 2024 por Ada Berg", 1, 1, 0),
        ("Por Ada Berg, publicado em 3 de maio de 2024, atualizado em 4 de maio de 2024", 1, 1, 1),
        ("Published on May 3, 2024 by Leaf Magazine", 0, 1, 0),
        ("Published on May 3, 2024 by the police", 0, 1, 0),
        ("Posted on May 3, 2024 by admin", 0, 1, 0),
        ("Published May 3, 2024 by Penguin, the book has 300 pages", 0, 1, 0),
        ("Updated May 4, 2024 by popular demand", 0, 0, 1),
        (
            "In May many more drank tea by the pot than in 2019, wrote Ada Berg in her newest book",
            0,
            0,
            0,
        ),
    ],
)
@pytest.mark.parametrize("element", ["p", "p class=byline"])
def test_lines_with_an_author_and_dates(line, names, published, modified, element):
    site = '<meta property="og:site_name" content="Leaf Magazine">'
    found = read(f"{site}{H1}<{element}>{line}</p>")
    assert found.authors.value == ("Ada Berg", "Max Tal")[:names]
    assert found.published.value == DAY * published
    assert found.modified.value == "2024-05-04" * modified


@pytest.mark.parametrize(
    "line", ["كتب أحمد رسالة", "시민기자 모집", "인터넷 기자 모집", "Yazan adam", "लेखक की नई किताब"]
)
def test_texts_with_words_of_bylines_that_are_not_bylines(line):
    assert read(f"{H1}<p>{line}</p>").authors == Field(())


def test_dates_with_digits_of_other_scripts():
    assert read(f"{H1}<p>৩ মে ২০২৪</p>").published == Field(DAY, "text")
    assert read(f"{H1}<p>३ मई २०२४</p>").published == Field(DAY, "text")


def test_dates_of_comments_are_ignored():
    found = read(f'{H1}<p class="comment-date">2 May 2023</p><p class="date">{DAY}</p>')
    assert found.published.value == DAY


@pytest.mark.parametrize(
    ("byline", "names"),
    [
        ("<span>Jane Roe</span><span>Senior Reporter</span>", ["Jane Roe"]),
        ("<span>Jane Roe</span><span>Redakteur</span>", ["Jane Roe"]),
        ("Jane Roe<span>Staff Writer</span>", ["Jane Roe"]),
        ("<span>Jane Roe</span><button>Follow</button>", ["Jane Roe"]),
        ("<a>Jane Roe</a><time>3 May 2024</time>", ["Jane Roe"]),
        ("By <span>Jane Roe</span><span>John Doe</span>", ["Jane Roe", "John Doe"]),
        ("<span>By</span><a>Jane Roe</a> <a>John Doe</a>", ["Jane Roe", "John Doe"]),
        ("<span>Jane</span><span>Roe</span>", ["Jane Roe"]),
        ("<b>J</b>ane Roe", ["Jane Roe"]),
    ],
)
@pytest.mark.parametrize("attribute", ["class=author", "itemprop=author"])
def test_elements_beside_each_other_are_kept_apart(byline, names, attribute):
    assert list(read(f"{H1}<div {attribute}>{byline}</div>").authors.value) == names


TEXT = f"<p>{'The water must boil before the leaves go into the pot. ' * 3}</p>"


@pytest.mark.parametrize(
    "html",
    [
        "<ol class=comment-list><li class=comment><b class=fn>alice</b>"
        "<time datetime=2023-05-01T10:00Z>1 May</time>",
        "<div class=comment><span class=author>Troll King</span><p>3 May 2024</p>",
        "<div id=comments><a rel=author>Troll King</a><p>by Ada Berg</p>",
        "<aside class=related><a>More tea</a><time datetime=2019-05-01>1 May</time></aside>",
        "<blockquote>Tea is not for dice.</blockquote><p>by Albert Einstein</p>",
        "<p>“Tea is not for dice.”</p><p>By Albert Einstein</p>",
        "<p>by Albert Einstein</p>",
        "<p>Photo: <a href=//creativecommons.org/licenses/by/2.0/>CC BY 2.0</a> by Joe</p>",
    ],
)
def test_comments_related_texts_quotations_and_images_have_other_authors(html):
    found = read(f"<article>{H1}{TEXT * 3}</article>{html}")
    assert (found.authors, found.published) == (Field(()), Field(""))


def test_a_page_whose_headline_is_among_comments_has_their_author():
    found = read(f"<div class=comments>{H1}<p class=author>Ada Berg</p>{TEXT}</div>")
    assert found.authors.value == ("Ada Berg",)


@pytest.mark.parametrize(
    ("html", "time"),
    [
        ("<span class=age title='2023-05-01T11:30:00 1682940600'>1 day ago</span>", "11:30:00"),
        ("<relative-time datetime=2023-05-01T10:00:00Z>May 1</relative-time>", "10:00:00"),
        ("<time-ago datetime=2023-05-01T10:00:00Z>May 1</time-ago>", "10:00:00"),
    ],
)
def test_times_that_are_shown_as_an_age(html, time):
    assert read(f"{H1}{html}{TEXT}").published.value == f"2023-05-01T{time}+00:00"


def test_the_title_of_an_abbreviation_is_a_date():
    stamp = "<p>Posted at <abbr class=published title=2023-05-01T10:00:00Z>10:00 AM</abbr></p>"
    assert read(f"{H1}{stamp}{TEXT}").published == Field("2023-05-01T10:00:00+00:00", "class")


@pytest.mark.parametrize(
    "html",
    [
        "<div class=card><a href=/x>Late</a><span class=byline>By Max Tal</span></div>",
        "<div class=testimonial><p>Good tea.</p><p class=author>Max Tal</p></div>",
        "<blockquote><p>Tea is good.</p><span class=author>— Max Tal</span></blockquote>",
        "<div class='byline'><a href='/tag/tea'>Green tea</a></div>",
        "<p class=author-role>We write about tea, coffee and cocoa.</p>",
        "<p>It is worn <a href='/x'>by this.</a></p><p>It grows <i>by 2032, they say.</i></p>",
    ],
)
def test_people_of_other_works_and_tags_are_no_authors(html):
    assert not read(f"{H1}<p>{'word ' * 30}</p>{html}").authors


@pytest.mark.parametrize(
    "line", ["<p>Written by <a href=/x>Ada Berg</a></p>", "<div>Posted by Ada Berg</div>"]
)
def test_one_byline_after_a_long_article(line):
    html = H1 + "<p>word word word</p>" * 200
    assert read(html + line).authors.value == ("Ada Berg",)
    assert not read(html + line + line.replace("Ada", "Max")).authors


@pytest.mark.parametrize(
    "line",
    [
        "Aktualisiert am 01.06.2024, veröffentlicht am 03.05.2024",
        "Last updated: 1 June 2024. First published: 3 May 2024",
        "Mis à jour le 1 juin 2024 - Publié le 3 mai 2024",
        "Aggiornato il 1 giugno 2024 - Pubblicato il 3 maggio 2024",
        "Обновлено: 1 июня 2024 | Опубликовано: 3 мая 2024",
        "Aktualizacja: 1.06.2024, Publikacja: 3.05.2024",
        "更新日：2024年6月1日 投稿日：2024年5月3日",
        "May 3, 2024 (updated June 1, 2024)",
        "Stand: 01.06.2024, veröffentlicht: 03.05.2024",
    ],
)
@pytest.mark.parametrize("element", ["p", "p class=meta"])
def test_both_dates_in_any_order(line, element):
    found = read(f"{H1}<{element}>{line}</p>")
    assert (found.published.value, found.modified.value) == (DAY, "2024-06-01")


@pytest.mark.parametrize(
    "clock",
    [
        "<div class=top><span class=date>9 April 2013</span></div>",
        "<header><time datetime=2013-04-09>9 April</time></header><nav><a href=/>Home</a></nav>",
        "<div id=td-date>9 April 2013</div>",
    ],
)
def test_a_clock_is_the_date_only_if_there_is_no_other_and_it_is_not_today(clock, monkeypatch):
    assert read(f"{clock}{H1}<p>3 May 2012</p>").published.value == "2012-05-03"
    assert read(f"{clock}{H1}").published.value == "2013-04-09"
    monkeypatch.setattr(metadata, "time", lambda: 1_365_500_000.0)  # 9 April 2013
    assert read(f"{clock}{H1}").published == Field("")


def test_a_date_above_the_headline_that_says_what_it_is():
    html = f"<p class=date>Published 3 May 2024</p><nav><a href=/>Home</a></nav>{H1}"
    assert read(html).published.value == DAY


def test_numbers_in_the_headline_and_dates_of_programs_are_no_dates():
    assert read("<h1>2024.4.4 to 2024.5.0: stuck</h1>").published == Field("")
    assert read("<h1>Tea <span>3 May 2024</span></h1>").published.value == DAY
    assert read(f"{H1}<footer>Page generated 2024-05-03</footer>").published == Field("")


def test_the_title_of_an_element_with_a_date_is_exact():
    found = read(f'{H1}<h5 class=published title="2012-01-11T19:42:37Z">01.11.12</h5>')
    assert found.published.value == "2012-01-11T19:42:37+00:00"
