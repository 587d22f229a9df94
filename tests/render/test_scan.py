"""Loops over the characters of texts against their definitions, for all widths of characters."""

from __future__ import annotations

import re
from json.encoder import encode_basestring

from hypothesis import given
from hypothesis import strategies as st

from thresher.render.scan import (
    Words,
    character_table,
    collapse_spaces,
    collapsed,
    has_any,
    has_tex_marks,
    has_two_dollars,
    quoted,
)

TEXTS = st.text(st.sampled_from(" \t\n\x0b\x0c\r\x1f\x85a<&\u00e9\u00a0\u0101\u2028\U0001f600"))


@given(TEXTS)
def test_runs_of_white_space_become_one_space(text: str) -> None:
    assert collapse_spaces(text) == re.sub("[ \t\n\f\r]+", " ", text)


@given(TEXTS)
def test_white_space_around_a_text_is_left_out(text: str) -> None:
    assert collapsed(text) == " ".join(text.split())


@given(TEXTS)
def test_characters_of_a_table_are_found(text: str) -> None:
    assert has_any(text, character_table("<&\u00e9")) == any(sign in text for sign in "<&\u00e9")


@given(st.lists(st.text(st.sampled_from("$$\\ a\u00e9\u0101\U0001f600"), max_size=3)))
def test_marks_of_tex_are_found_across_texts(texts: list[str]) -> None:
    whole = "".join(texts)
    assert has_tex_marks(texts) == ("\\" in whole or "$$" in whole)


@given(st.lists(st.text(st.sampled_from("$ a\u0124\u2424\U0001f600"), max_size=3)))
def test_two_dollars_are_found_in_one_text(texts: list[str]) -> None:
    assert has_two_dollars(texts) == any(text.count("$") > 1 for text in texts)


@given(st.text(st.sampled_from("abAB1-\u00e9\u212a\U0001f600"), max_size=8))
def test_words_are_found_whatever_their_case(text: str) -> None:
    words = ("ab", "b1", "a-b", "aaa", "k")
    assert Words(*words).are_in(text) == any(word in text.casefold() for word in words)


LONG = st.text(st.sampled_from('ab "\\\n\t\x00\x0b\x1f\x7fé☕🍵'), max_size=90)


@given(st.one_of(st.text(), LONG), st.integers(0, 40))
def test_a_text_as_json_is_that_of_the_standard_library(text: str, before: int) -> None:
    text = "a" * before + text
    assert quoted(text) == encode_basestring(text)
