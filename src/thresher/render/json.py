"""JSON with an indent, as `json.dumps(value, ensure_ascii=False, indent=2)` writes it, but fast.

The standard encoder falls back to Python as soon as an indent is asked for. A list or dict without
another inside is one call of its fast encoder here, with the line end as the separator.
"""

from __future__ import annotations

from functools import lru_cache
from json import JSONEncoder
from typing import Any


def indented(value: Any, depth: int = 0) -> str:
    """Write plain data, with strings as keys; it is nested a few levels deep, so this recurses."""
    if not isinstance(value, (dict, list, tuple)) or not value:
        return _encoder(0).encode(value)
    inner = f"\n{'  ' * (depth + 1)}"
    parts = value.values() if isinstance(value, dict) else value
    if not any(isinstance(part, (dict, list, tuple)) for part in parts):
        written = _encoder(depth + 1).encode(value)
        return f"{written[0]}{inner}{written[1:-1]}\n{'  ' * depth}{written[-1]}"
    if isinstance(value, list) and _are_flat(value):
        return _rows(value, depth)
    pieces = [indented(part, depth + 1) for part in parts]
    opens, closes = "[]"
    if isinstance(value, dict):
        opens, closes = "{}"
        names = map(_encoder(0).encode, value)
        pieces = [f"{name}: {piece}" for name, piece in zip(names, pieces, strict=True)]
    return f"{opens}{inner}{f',{inner}'.join(pieces)}\n{'  ' * depth}{closes}"


def _are_flat(value: list[Any]) -> bool:
    """Whether a list is one of dicts with nothing nested in them."""
    return all(
        isinstance(row, dict)
        and row
        and not any(isinstance(part, (dict, list, tuple)) for part in row.values())
        for row in value
    )


def _rows(value: list[dict[str, Any]], depth: int) -> str:
    """Write flat dicts in one call: no string holds a line end, so `},` before one ends a dict."""
    outer, inner, parts = (f"\n{'  ' * (depth + more)}" for more in range(3))
    written = _encoder(depth + 2).encode(value)[2:-2]
    written = written.replace(f"}},{parts}{{", f"{inner}}},{inner}{{{parts}")
    return f"[{inner}{{{parts}{written}{inner}}}{outer}]"


@lru_cache
def _encoder(depth: int) -> JSONEncoder:
    """The encoder of a list or dict whose parts are indented so deep."""
    return JSONEncoder(ensure_ascii=False, separators=(f",\n{'  ' * depth}", ": "))
