"""Loops over the characters of texts against their definitions, for all widths of characters."""

from __future__ import annotations

import re
from json.encoder import encode_basestring

from hypothesis import given
from hypothesis import strategies as st

from thresher.render.scan import (
    HAS_MARKS,
    TWO_DOLLARS,
    Words,
    character_table,
    collapse_spaces,
    collapsed,
    has_any,
    quoted,
    tex_marks,
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


@given(st.lists(st.text(st.sampled_from("$$\\ a\u00e9\u0124\u2424\u5c5c\U0001f600"), max_size=3)))
def test_marks_of_tex_are_found_across_texts_and_two_dollars_in_one(texts: list[str]) -> None:
    whole, found = "".join(texts), tex_marks(texts)
    assert bool(found & HAS_MARKS) == ("\\" in whole or "$$" in whole)
    assert bool(found & TWO_DOLLARS) == any(text.count("$") > 1 for text in texts)


@given(st.text(st.sampled_from("abAB1-\u00e9\u212a\U0001f600"), max_size=8))
def test_words_are_found_whatever_their_case(text: str) -> None:
    words = ("ab", "b1", "a-b", "aaa", "k")
    assert Words(*words).are_in(text) == any(word in text.casefold() for word in words)


LONG = st.text(st.sampled_from('ab "\\\n\t\x00\x0b\x1f\x7fé☕🍵'), max_size=90)


@given(st.one_of(st.text(), LONG), st.integers(0, 40))
def test_a_text_as_json_is_that_of_the_standard_library(text: str, before: int) -> None:
    text = "a" * before + text
    assert quoted(text) == encode_basestring(text)
