"""Indented JSON is that of the standard library."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thresher.render import json_text
from thresher.render.json_text import Table, indented_json, json_line

scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=200, deadline=None)
@given(values)
def test_any_value(value: Any) -> None:
    assert indented_json(value) == json.dumps(value, ensure_ascii=False, indent=2)


@pytest.mark.parametrize(
    "value",
    [
        [{"a": 1, "b": "}\0{"}, {"c": "\0"}],
        {"rows": [{"a": None, "b": []}, {"a": {}}], "more": [[1], {}]},
        [{"a": "x"}, {}],
        [{"a%s": 1, "%": "x%d\0"}, {"a%s": 2.5, "%": None}, {"a%s": True, "%": "%%"}],
        [{"a": 1, "b": 2}, {"b": 1, "a": 2}],
        ({"a": 1e300}, {"a": "\u2028"}),
        [],
        {},
        "é",
    ],
)
def test_lists_of_rows(value: Any) -> None:
    assert indented_json(value) == json.dumps(value, ensure_ascii=False, indent=2)


@pytest.mark.parametrize("size", [0, 1, 5_000])
def test_a_table_is_written_as_its_dictionaries(size: int) -> None:
    table = Table({"number": np.arange(size), "%": [f"x{n}\0" for n in range(size)],
                   "none": (None,) * size})  # fmt: skip
    rows = [{"number": n, "%": f"x{n}\0", "none": None} for n in range(size)]
    assert table.dicts() == rows
    for indented, plain in ((table, rows), ({"a": table}, {"a": rows})):
        assert indented_json(indented) == json.dumps(plain, ensure_ascii=False, indent=2)


def test_an_iterator_of_items_is_written_as_a_dictionary() -> None:
    value = {"a": 1, "b": [1, {"c": None}], "d": {}}
    assert indented_json(iter(value.items())) == json.dumps(value, indent=2)
    assert indented_json(iter(())) == "{}"


def test_long_texts_are_written_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_text, "_CHARACTERS_AT_ONCE", 5)
    long = '"\\\n中🍵\udc85 x' * 7
    rows = [{"text": long, "n": 1, "%": None}, {"text": "", "n": 2, "%": 0.5}]
    value = {"a": long, "rows": rows, "flat": [long, 1], "short": "abc"}
    table = Table({key: [row[key] for row in rows] for key in rows[0]})
    expected = json.dumps(value, ensure_ascii=False, indent=2)
    assert indented_json(value) == expected
    assert indented_json({**value, "rows": table}) == expected
    assert json_line({**value, "rows": table}.items()) == json.dumps(value, ensure_ascii=False)
    assert json_line(()) == "{}"
