"""Loops over the characters of texts against their definitions, for all widths of characters."""

from __future__ import annotations

import re
from json.encoder import encode_basestring

from hypothesis import given
from hypothesis import strategies as st

from thresher.render.scan import any_has, character_table, collapse_spaces, has_any, quoted

TEXTS = st.text(st.sampled_from(" \t\n\x0b\x0c\r\x1f\x85a<&\u00e9\u00a0\u0101\u2028\U0001f600"))


@given(TEXTS)
def test_runs_of_white_space_become_one_space(text: str) -> None:
    assert collapse_spaces(text) == re.sub("[ \t\n\f\r]+", " ", text)


@given(TEXTS)
def test_characters_of_a_table_are_found(text: str) -> None:
    assert has_any(text, character_table("<&\u00e9")) == any(sign in text for sign in "<&\u00e9")


@given(st.lists(TEXTS))
def test_one_of_several_texts_has_a_character(texts: list[str]) -> None:
    table = character_table("<&")
    assert any_has(texts, table) == any(has_any(text, table) for text in texts)


LONG = st.text(st.sampled_from('ab "\\\n\t\x00\x0b\x1f\x7fé☕🍵'), max_size=90)


@given(st.one_of(st.text(), LONG), st.integers(0, 40))
def test_a_text_as_json_is_that_of_the_standard_library(text: str, before: int) -> None:
    text = "a" * before + text
    assert quoted(text) == encode_basestring(text)
