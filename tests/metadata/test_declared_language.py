"""The language that a page declares, in all the places and ways."""

from __future__ import annotations

import json

import pytest

from thresher import parse
from thresher.metadata import Field, read
from thresher.metadata.declared import declared
from thresher.metadata.declared_language import declared_language, direction


def language(html: str) -> tuple[str, str]:
    page = parse(html)
    return declared_language(page, declared(page))


def linked(value: object) -> str:
    work = json.dumps({"@type": "Article", "headline": "Tea", "inLanguage": value})
    return f'<script type="application/ld+json">{work}</script>'


@pytest.mark.parametrize(
    "code", ["und", "mul", "zxx", "mis", "UND", "und-Latn", "", "english", "x"]
)
def test_codes_that_name_no_language(code):
    assert language(f'<html lang="{code}"><p>tea') == ("", "")
    assert language(f'<html lang="{code}"><body lang=de><p>tea') == ("de", "body lang")


def test_letters_are_asked_where_a_code_names_none():
    greek = "<p>Ζεσταίνουμε την τσαγιέρα και αφήνουμε τα φύλλα τρία λεπτά."
    assert read(parse(f"<html lang=und>{greek}")).language == Field("el", "script")


@pytest.mark.parametrize(
    ("code", "meant"),
    [
        ("cn", "zh"),
        ("CN", "zh"),
        ("jp", "ja"),
        ("ja-JP", "ja-JP"),
        ("zh_cn", "zh-CN"),
        ("iw", "he"),
        ("iw-IL", "he-IL"),
        ("cz", "cs"),
        ("dk", "da"),
        ("gr", "el"),
        ("ua", "uk"),
        ("se", "se"),  # Northern Sami
    ],
)
def test_codes_of_countries_and_of_old(code, meant):
    assert language(f"<html lang={code}><p>tea") == (meant, "html lang")


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ("de", "de"),
        (["de", "en"], "de"),
        ({"@type": "Language", "name": "German", "alternateName": "de"}, "de"),
        ({"@type": "Language", "name": "Old Norse", "alternateName": ["Norrœnt", "non"]}, "non"),
        ({"@type": "Language", "name": "pt-BR"}, "pt-BR"),
        ([{"@type": "Language", "name": "German"}, {"@value": "fr"}], "fr"),
        ({"@type": "Language", "name": "Old Norse"}, ""),
        ({"@type": "Language", "alternateName": {"@type": "Text"}}, ""),
        (7, ""),
        (None, ""),
    ],
)
def test_languages_of_linked_data(value, code):
    assert language(linked(value)) == ((code, "json-ld inLanguage") if code else ("", ""))


def test_direction_of_a_code_of_old():
    assert read(parse("<html lang=iw><p>tea")).direction == Field("rtl", "language")
    assert direction(parse("<p>tea"), "", "12") == ("", "")
