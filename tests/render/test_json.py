"""Indented JSON is what the standard library writes."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.render.json import indented

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
TREES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(TREES)
def test_it_is_the_standard_form(value):
    assert indented(value) == json.dumps(value, ensure_ascii=False, indent=2)


@pytest.mark.parametrize(
    "value",
    [
        [{"a": 1}, {"b": "},\n      {"}],
        {"rows": [{"a": "},\n      {", "b": None}, {"c": 2.5}], "empty": []},
        [{"a": 1}, {}],
        [{}],
        [[{"a": 1}], ({"b": 2},), ()],
        {"a": {"b": {"c": [1, "\u2028", "é"]}}},
    ],
)
def test_rows_keep_apart(value):
    assert indented(value) == json.dumps(value, ensure_ascii=False, indent=2)
