"""Names of authors in bylines."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thresher.metadata.bylines import (
    author_names,
    byline_after_date,
    starts_like_byline,
    without_place,
)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Ada Lovelace", ["Ada Lovelace"]),
        ("By Ada Lovelace", ["Ada Lovelace"]),
        ("ByAda Lovelace", ["Ada Lovelace"]),
        ("Posted by Ada Lovelace on May 3, 2024", ["Ada Lovelace"]),
        ("Von Ada Berg und Max Tal", ["Ada Berg", "Max Tal"]),
        ("Par Ada Berg et Max Tal", ["Ada Berg", "Max Tal"]),
        ("Por Ada Berg y Max Tal", ["Ada Berg", "Max Tal"]),
        ("José Ortega y Gasset", ["José Ortega y Gasset"]),
        ("Autor: Ada Berg", ["Ada Berg"]),
        ("作者：王小明", ["王小明"]),
        ("ada@b.example (Ada Berg)", ["Ada Berg"]),
        ("a@b.example (Ada Berg), m@b.example (Max Tal)", ["Ada Berg", "Max Tal"]),
        ("Ada Berg <ada@b.example>", ["Ada Berg"]),
        ("Ada Berg &lt;ada@b.example&gt;", ["Ada Berg"]),
        ('"Berg, Ada" <ada@b.example>', ["Ada Berg"]),
        ("noreply@b.example (Unknown)", []),
        ("Ada Berg in London and Max Tal in Rome", ["Ada Berg", "Max Tal"]),
        ("Ada Berg for The Tea Times", ["Ada Berg"]),
        ("Text: Ada Berg, Fotos: Max Tal", ["Ada Berg"]),
        ("Ada Berg, Max Tal & Eva Ort", ["Ada Berg", "Max Tal", "Eva Ort"]),
        ("By Ann Bee, Cid Dee, and Eve Fox", ["Ann Bee", "Cid Dee", "Eve Fox"]),
        ("By Category", []),
        ("By Ada Berg, Senior Tea Correspondent", ["Ada Berg"]),
        ("By Ada Berg, Food Editor", ["Ada Berg"]),
        ("By Ada Berg, Food Editor, and Max Tal", ["Ada Berg", "Max Tal"]),
        ("By Ada Berg, Professor of Tea, University of Rome", ["Ada Berg"]),
        ("By Ada Berg, BBC News", ["Ada Berg"]),
        ("Ada Berg | BBC News", ["Ada Berg"]),
        ("Ada Berg | Max Tal", ["Ada Berg", "Max Tal"]),
        ("Medically reviewed by Dr. Max Tal — Written by Ada Berg — Updated today", ["Ada Berg"]),
        ("By Ada Berg and Max Tal, Associated Press", ["Ada Berg", "Max Tal"]),
        ("Ada Berg, AP", ["Ada Berg"]),
        ("Ada Berg, Max Tal, dpa", ["Ada Berg", "Max Tal", "dpa"]),
        ("Reuters", ["Reuters"]),
        ("Written by Ada Berg. Medically reviewed by Max Tal, MD", ["Ada Berg"]),
        ("Ada B. Berg", ["Ada B. Berg"]),
        ("文・山田太郎", ["山田太郎"]),
        ("取材・文：山田太郎", ["山田太郎"]),
        ("WordPress", []),
        ("Super User", []),
        ("Tom D@tomd", ["Tom D"]),
        ("Ada Berg @ada", ["Ada Berg"]),
        ("Ada Berg (she) Max", ["Ada Berg Max"]),
        ("This post was written by Ada Berg", ["Ada Berg"]),
        ("Ada Berg Senior Reporter", ["Ada Berg"]),
        ("Tea Company LLC", []),
        ("Posted by", []),
        ("Last update", []),
        ("Quelle: sid/dpa", ["sid", "dpa"]),
        ("记者 王小明", ["王小明"]),
        ("记者 王小明 2024年5月3日", ["王小明"]),
        ("โดย สมชาย ใจดี", ["สมชาย ใจดี"]),
        ("מאת דוד כהן", ["דוד כהן"]),
        ("Par Ada Berg, publié le 3 mai 2024 à 15h47", ["Ada Berg"]),
        ("Por Ada Berg, publicado el 3 de mayo de 2024", ["Ada Berg"]),
        ("Von Ada Berg, aktualisiert am 3. Mai 2024", ["Ada Berg"]),
        ("作者：王小明 来源：新华网 2024-05-03", ["王小明"]),
        ("来源：新华网", []),
        ("بقلم: أحمد علي", ["أحمد علي"]),
        ("كتبت: سلمى علي، أحمد علي ٣ مايو ٢٠٢٤", ["سلمى علي", "أحمد علي"]),
        ("نویسنده: علی رضایی", ["علی رضایی"]),
        ("लेखक: राम शर्मा", ["राम शर्मा"]),
        ("Yazan: Ayşe Yılmaz", ["Ayşe Yılmaz"]),
        ("김철수 기자", ["김철수"]),
        ("김철수·이영희 기자 2024년 5월 3일", ["김철수", "이영희"]),
        ("[서울] 김철수 기자 = 봄", ["김철수"]),
        ("May 3, 09:12", []),
        ("Lovelace, Ada", ["Ada Lovelace"]),
        ("Ada Lovelace, Senior Editor", ["Ada Lovelace"]),
        ("Ada Lovelace | 3 May 2024", ["Ada Lovelace"]),
        ("Ada Lovelace (ada@example.org)", ["Ada Lovelace"]),
        ("Ada Lovelace @ada", ["Ada Lovelace"]),
        ("Ada &amp; Max", ["Ada", "Max"]),
        ("Ludwig van Beethoven", ["Ludwig van Beethoven"]),
        ("user447274", ["user447274"]),
        ("dpa", ["dpa"]),
        ("https://example.org/ada", []),
        ("/authors/ada", []),
        ("ada@example.org", []),
        ("3 May 2024", []),
        ("Read more", []),
        ("Staff writer", []),
        ("She writes about tea and kettles for a living", []),
        ("5 min read", []),
        ("", []),
    ],
)
def test_names(text, names):
    assert author_names([text]) == names


def test_a_name_is_listed_once():
    assert author_names(["Ada Berg", "By ADA BERG", "Max Tal"]) == ["Ada Berg", "Max Tal"]


@pytest.mark.parametrize(
    "text",
    ["By Ada", "written by", "VON: Ada", "作者：王小明", "Yazan: Ayşe", "[서울] 김철수 기자 = 봄"],
)
def test_beginnings_of_bylines(text):
    assert starts_like_byline(text)


@pytest.mark.parametrize("text", ["Bystanders", "Ada Berg", "De Gaulle", "Yazan", "시민기자 모집"])
def test_beginnings_of_other_texts(text):
    assert not starts_like_byline(text)


@settings(max_examples=50)
@given(st.lists(st.text(max_size=400), max_size=5))
def test_any_text_has_an_answer(texts):
    found = author_names(texts)
    assert len(found) <= 20
    assert all(1 < len(name) <= 60 for name in found)
    assert len({name.casefold() for name in found}) == len(found)


def test_huge_bylines():
    assert len(author_names([", ".join(f"Ada Berg{n}" for n in range(100_000))])) <= 20
    assert author_names(["by " * 1_000_000]) == []
    assert len(author_names(f"Ada Nr{n}" for n in range(100_000))) == 20


@pytest.mark.parametrize(
    ("byline", "names"),
    [
        ("Anna Maier, Kiel", ["Anna Maier"]),
        ("By Anna Maier and Jim Beam, Washington", ["Anna Maier", "Jim Beam"]),
        ("Anna Maier und Jo Doe, Berlin", ["Anna Maier", "Jo Doe"]),
        ("Anna Maier, Jim Beam", ["Anna Maier", "Jim Beam"]),
        ("Maier, Anna", ["Anna Maier"]),
        ("van Beethoven, Ludwig", ["van Beethoven", "Ludwig"]),
        ("Anna, Jim, Jo", ["Anna", "Jim", "Jo"]),
        ("Anna Maier, dpa", ["Anna Maier", "dpa"]),
    ],
)
def test_a_place_after_names(byline, names):
    assert author_names([without_place(byline)]) == names


@pytest.mark.parametrize(
    ("byline", "names"),
    [
        ("Anna Maier (1), Jo Doe (2) ((1) University of Kiel, (2) Oslo)", ["Anna Maier", "Jo Doe"]),
        ("Anna »", ["Anna"]),
        ("Anna Junior Member", ["Anna"]),
        ("Message", []),
        ("Members", []),
    ],
)
def test_what_boards_and_papers_write_beside_names(byline, names):
    assert author_names([byline]) == names


@pytest.mark.parametrize(
    ("byline", "names"),
    [
        ("Anna Maier1, Jo Doe2", ["Anna Maier", "Jo Doe"]),
        ("Anna Maier1,2, Jo Doe3", ["Anna Maier", "Jo Doe"]),
        ("Anna Maier², Jo Doe†", ["Anna Maier", "Jo Doe"]),
        ("tealover99", ["tealover99"]),
    ],
)
def test_numbers_of_notes(byline, names):
    assert author_names([byline]) == names


@pytest.mark.parametrize(
    ("byline", "names"),
    [
        ("dpa/Anna Maier", ["Anna Maier"]),
        ("Anna Maier/AFP", ["Anna Maier"]),
        ("Von Anna Maier/dpa", ["Anna Maier"]),
        ("Anna Maier - AFP", ["Anna Maier"]),
        ("Anna Maier | EFE", ["Anna Maier"]),
        ("Par Anna Maier avec AFP et Reuters", ["Anna Maier"]),
        ("Anna Maier mit Material von dpa", ["Anna Maier"]),
        ("Anna Maier and agencies", ["Anna Maier"]),
        ("By Anna Maier Associated Press", ["Anna Maier"]),
        ("Anna Maier, USA TODAY", ["Anna Maier"]),
        ("sid/dpa", ["sid", "dpa"]),
        ("red, wind.at/Agenturen", ["red", "wind.at"]),
    ],
)
def test_agencies_beside_a_person(byline, names):
    assert author_names([byline]) == names


@pytest.mark.parametrize(
    ("byline", "names"),
    [
        ("Anna Maier à Paris", ["Anna Maier"]),
        ("Anna Maier aus Kiel", ["Anna Maier"]),
        ("Ana Pérez en Madrid y Jo Doe en Nueva York", ["Ana Pérez", "Jo Doe"]),
        ("Ana Pérez em Lisboa", ["Ana Pérez"]),
        ("Anna Maier a Roma", ["Anna Maier"]),
        ("Anna Maier w Warszawie", ["Anna Maier"]),
        ("Анна Майер в Москве", ["Анна Майер"]),
        ("Anna Maier, à Lyon", ["Anna Maier"]),
        ("Anna Maier, zurzeit Kiew", ["Anna Maier"]),
        ("Anna Maier, corresponsal en Londres", ["Anna Maier"]),
        ("Von Anna Maier, Berlin", ["Anna Maier"]),
        ("Von Anna Maier, New York", ["Anna Maier"]),
        ("Jan Smit en Piet Visser", ["Jan Smit", "Piet Visser"]),
        ("Maria da Silva", ["Maria da Silva"]),
        ("Park In Bee", ["Park In Bee"]),
    ],
)
def test_places_after_names(byline, names):
    assert author_names([byline]) == names


@pytest.mark.parametrize(
    ("byline", "names"),
    [
        ("Anna MaierStaff Writer", ["Anna Maier"]),
        ("Anna Maier Redakteurin", ["Anna Maier"]),
        ("Redakteurin Anna Maier", ["Anna Maier"]),
        ("Political Editor Anna Maier", ["Anna Maier"]),
        ("Anna Maier Political Editor", ["Anna Maier"]),
        ("Anna Maier, Food and Drink Editor", ["Anna Maier"]),
        ("Anna Maier, Staff Writer, The Kettle", ["Anna Maier"]),
        ("Anna Maier Follow", ["Anna Maier"]),
        ("Anna Maier is a writer in Berlin.", ["Anna Maier"]),
        ("By ANNA MAIER FOR THE KETTLE", ["ANNA MAIER"]),
        ("Anna Maier pour Le Thé", ["Anna Maier"]),
        ("Words by Anna Maier Photos by Jo Doe", ["Anna Maier"]),
        ("Text von Anna Maier, Fotos von Jo Doe", ["Anna Maier"]),
        ("Kettle Staff", ["Kettle Staff"]),
        ("Community Editor", ["Community Editor"]),
        ("Die Redaktion", []),
        ("La Redacción", []),
        ("admin3", []),
    ],
)
def test_jobs_and_others_beside_names(byline, names):
    assert author_names([byline]) == names


@pytest.mark.parametrize(
    "lead",
    [
        "Guest post by", "Contributed by", "Opinion by", "Ein Gastbeitrag von", "Eine Kolumne von",
        "Geschrieben von", "Interview:", "Propos recueillis par", "Article rédigé par",
        "Publié par", "Publicado por", "Escrito por:", "Scritto da", "A cura di", "Geschreven door",
        "Skrevet av", "Napisała", "Autorka:", "Submitted by",
    ],
)  # fmt: skip
def test_words_before_names(lead):
    assert author_names([f"{lead} Anna Maier"]) == ["Anna Maier"]


@pytest.mark.parametrize("lead", ["Geschrieben von", "Escrito por", "Scritto da", "Submitted by"])
def test_words_of_content_systems_begin_bylines(lead):
    assert starts_like_byline(f"{lead} Anna")


def test_a_clause_about_the_author_is_no_name():
    assert author_names(["By Ada Berg, who lives in Kiel with her kettle"]) == ["Ada Berg"]
    assert author_names(["By Ada Berg, whose kettle rings, and his friends"]) == ["Ada Berg"]


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("By Ada Berg March 5, 2021", ["Ada Berg"]),
        ("By Ada Berg Tue Jan 5, 2021 9:12", ["Ada Berg"]),
        ("Ada Berg and Max Tal, 5 May 2021", ["Ada Berg", "Max Tal"]),
        ("By May Berg May 5, 2021", ["May Berg"]),
        ("ada_b 5 May 2021", ["ada_b"]),
    ],
)
def test_a_date_after_names(line, names):
    assert author_names([line]) == names


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("Guide by Ada Berg", ["Ada Berg"]),
        ("Buying guide, by Ada Berg", ["Ada Berg"]),
        ("Photo by Ada Berg", []),
        ("Powered by", []),
        ("Powered by Kettle", []),
        ("Onze redactie", []),
        ("Von unserer Redakteurin Anna Berg", ["Anna Berg"]),
        ("Our reporter Ada Berg", ["Ada Berg"]),
        ("Nachrichten", []),
        ("kettle.example, Leeds, England", ["kettle.example"]),
        ("kettle.example, Ada Berg", ["kettle.example", "Ada Berg"]),
        ("Por Ana Silva — São Paulo", ["Ana Silva"]),
        ("By Ada Berg – Leeds", ["Ada Berg"]),
        ("By Ada Berg – Max Tal", ["Ada Berg", "Max Tal"]),
        ("Ada Berg, Home and Garden Safety Expert", ["Ada Berg"]),
    ],
)
def test_labels_places_and_offices_are_no_authors(line, names):
    assert author_names([line]) == names


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("5 марта 2021, 10:15. Автор: Иван Петров", "Иван Петров"),
        ("来源：新华社 作者：王小明 2021-03-05 10:15", "王小明"),
        ("2021-03-05 作者：王小明", "王小明"),
        ("March 5, 2021 | Author: Ada Berg", "Ada Berg"),
        ("In 2021 the author: Ada Berg", ""),
    ],
)
def test_a_label_in_a_line_with_a_date(line, name):
    assert byline_after_date(line) == name


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("By Ada Berg/The Star-Ledger", ["Ada Berg"]),
        ("By ADA BERG / LEEDS DAILY NEWS", ["ADA BERG"]),
        ("Ada Berg, The Plain Dealer", ["Ada Berg"]),
        ("Ada Berg | Leeds Plain Dealer", ["Ada Berg"]),
        ("Posted by Ada Berg, Software Engineer", ["Ada Berg"]),
        ("Kirjoittaja: Matti Virtanen", ["Matti Virtanen"]),
        ("Szerző: Nagy Péter", ["Nagy Péter"]),
        ("ผู้เขียน: สมชาย ใจดี", ["สมชาย ใจดี"]),
        ("Medically reviewed by Kim Poe, MD — By Ada Berg", ["Ada Berg"]),
        ("Starts With A Bang", ["Starts With A Bang"]),
        ("Ada Berg with Max Tal", ["Ada Berg", "Max Tal"]),
        ("Updated: Race: E3 Harelbeke", []),
        ("About the Speaker", []),
        ("By Monday, all tea was gone.", []),
        ("Источник:", []),
        ("RSS", []),
        ("Design: Max Tal. Programming: Ada Berg", []),
        ("茶网_提供茶叶、期货与外汇市场的茶叶资讯，以及服务", []),
    ],
)
def test_papers_jobs_and_labels(line, names):
    assert author_names([line]) == names
