"""Front matter is YAML that parsers read as it was meant."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from thresher.page.decode import well_formed
from thresher.render.front_matter import header_lines, put_before, yaml_front_matter

HOSTILE = [
    'He said: "no"',
    "it's 'so'",
    "a: b # c",
    "- item",
    "---",
    "...",
    "one\ntwo\r\n---\nthree",
    "2024-05-03",
    "12:30",
    "0x1F",
    "null",
    "yes",
    "~",
    "{a: b}",
    "[x]",
    "&anchor *alias !tag | > % @ `",
    "back\\slash \\u0041",
    "tab\tnul\0bell\x07escape\x1b",
    "\x7f\x85\x9f\xa0\u2028\u2029\ufeff\ufffe\uffff\U0001f600\U0010ffff",
    " spaces ",
    "日本語: 茶",
]


def loaded(text: str) -> object:
    """What a YAML parser reads between the two lines."""
    lines = text.split("\n")
    assert (lines[0], lines[-2:]) == ("---", ["---", ""])
    assert "---" not in lines[1:-2]
    return yaml.safe_load("\n".join(lines[1:-2]))


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts(text: str) -> None:
    assert loaded(yaml_front_matter({"title": text, "tags": [text, "tea"]})) == {
        "title": text,
        "tags": [text, "tea"],
    }


@settings(max_examples=300, deadline=None)
@given(st.text(st.characters(), min_size=1))
@example("\ud83d")
def test_any_text(text: str) -> None:
    assert loaded(yaml_front_matter({"title": text})) == {"title": well_formed(text)}


def test_values_that_were_not_found_are_left_out() -> None:
    assert yaml_front_matter({"title": "", "authors": (), "date": None}) == ""
    assert yaml_front_matter({"title": "", "date": "2024"}) == '---\ndate: "2024"\n---\n'
    assert header_lines({"title": "", "authors": (), "date": None}) == ""


def test_header_lines_are_lines() -> None:
    written = header_lines({"title": "Tea:\n a\tnote", "authors": ["Ada", "", "Jo"], "url": "x"})
    assert written == "Title: Tea: a note\nAuthors: Ada; Jo\nURL: x\n"


def test_an_empty_line_between_two_texts() -> None:
    assert put_before("b\n", "a\n") == "a\n\nb\n"
    assert put_before("", "a\n") == "a\n"
    assert put_before("b", "") == "b"
