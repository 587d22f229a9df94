"""Scores of the fields of metadata."""

import json

import pytest

from benchmarks import fields
from benchmarks.fields import Record
from thresher.evaluate.corpora import GoldPage

DAY = "2024-05-03"
HTML = (
    f'<meta name="author" content="Ada Berg, Max Tal"><meta name="date" content="{DAY}">'
    '<meta property="article:modified_time" content="2024-06-01"><h1>Tea at home</h1>'
).encode()


def test_days_and_names():
    assert fields.days("2024-05-03 23:30:00-04:00") == {"2024-05-03", "2024-05-04"}
    assert fields.days("2024-05-03") == {"2024-05-03"}
    assert fields.days("") == set()
    assert fields.names(["Ada  BERG", "", "Max-Tal"]) == {"ada berg", "max tal"}


@pytest.mark.parametrize(
    ("licence", "name"),
    [
        ("https://creativecommons.org/licenses/by-nc-sa/4.0/deed.de", "by-nc-sa 4.0"),
        ("CC BY 3.0", "by 3.0"),
        ("CC BY", "by"),
        ("https://creativecommons.org/publicdomain/zero/1.0/", "zero 1.0"),
        ("https://www.gnu.org/copyleft/fdl.html", "https://www.gnu.org/copyleft/fdl.html"),
        ("", ""),
    ],
)
def test_names_of_licences(licence, name):
    assert fields.licence_name(licence) == name


def test_scores_of_a_worked_example():
    pages = [
        GoldPage("1", HTML, "", author="Ada Berg; Max Tal", date=DAY, title="Tea at Home"),
        GoldPage("2", HTML, "", author="Ada Berg", date="2024-06-01"),
        GoldPage("3", HTML, "", author="Eva Ort", date="2023-01-01"),
        GoldPage("4", HTML, "", kind="article", title="Coffee"),
        GoldPage("5", HTML, ""),
    ]
    found = fields.scores(pages, {"Thresher": fields.read_with_thresher})
    assert {field: by_tool["Thresher"] for field, by_tool in found.items()} == {
        "title": [True, False],
        "published": [True, False, False],
        "date": [True, False, False],
        "either date": [True, True, False],
        "any author": [True, True, False],
        "all authors": [True, False, False],
        "no author": [False],
    }
    table = fields.table({"mine": found})
    assert "| either date | mine | 3 | 0.667 |" in table
    assert table.endswith("trafilatura was not installed.\n")


def test_tags_categories_and_licences():
    gold = Record(tags=("tea", "pots"), categories=("Food",), licence="by 4.0")
    found = Record(tags=("Tea",), categories=("Food", "Home"), licence="CC BY 4.0")
    assert fields.correct(gold, found) == pytest.approx(
        {"tags": 2 / 3, "categories": 2 / 3, "tags and categories": 2 / 3, "licence": 1}
    )
    none = Record(tags=(), categories=(), licence="")
    assert fields.correct(none, found) == {"no licence": 0}


def test_a_tool_without_a_field_has_no_score():
    gold = Record(published=DAY, language="de")
    found = Record(published=DAY)
    assert fields.correct(gold, found) == {"date": 1, "either date": 1}
    table = fields.table({"mine": {"language": {"a": [1.0]}, "date": {"b": [0.5]}}})
    assert "| language | mine | 1 | 1.000 | – |" in table
    assert "| date | mine | 1 | – | 0.500 |" in table


def test_labels_name_pages_and_known_fields():
    labels = json.loads(fields.LABELS.read_text(encoding="utf-8"))
    assert all(url.startswith("http") for url in labels)
    assert {field for own in labels.values() for field in own} == {"tags", "categories", "licence"}
