"""Indented JSON, faster than the standard library, which indents in Python."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from json import JSONEncoder
from json.encoder import encode_basestring
from typing import Any

import numpy as np

from thresher.page.array_types import Int64s

# NUL separates items: within strings it is written as an escape, so it can be replaced afterwards.
_encode = JSONEncoder(ensure_ascii=False, separators=("\0", ": ")).encode


@dataclass(frozen=True, slots=True)
class Table:
    """Dictionaries with the same keys, column by column: very many need less memory so.

    The values of a column are texts, numbers or None.
    """

    columns: dict[str, Sequence[Any] | Int64s]

    def __len__(self) -> int:
        """Return the number of dictionaries."""
        return len(next(iter(self.columns.values())))

    def parts(self) -> Iterator[list[Sequence[Any]]]:
        """Yield the columns of some rows after the other."""
        for first in range(0, len(self), _ROWS_AT_ONCE):
            some = (column[first : first + _ROWS_AT_ONCE] for column in self.columns.values())
            yield [part.tolist() if isinstance(part, np.ndarray) else part for part in some]

    def dicts(self) -> list[dict[str, Any]]:
        """Return the dictionaries."""
        keys = tuple(self.columns)
        return [
            dict(zip(keys, row, strict=True))
            for part in self.parts()
            for row in zip(*part, strict=True)
        ]


def indented_json(value: Any, indent: str = "\n") -> str:
    """Return the same text as `json.dumps(value, ensure_ascii=False, indent=2)`.

    Keys must be strings. The nesting of the value must be small, as in `Document.to_dict`. A
    `Table` stands for its dictionaries, and an iterator of keys and values for a dictionary whose
    values are not needed all at once.
    """
    parts: list[str] = []  # joined once: outputs may be long
    _add(parts, value, indent)
    return "".join(parts)


def _add(parts: list[str], value: Any, indent: str) -> None:
    inner = f"{indent}  "
    if isinstance(value, Iterator):
        _add_items(parts, value, indent)
    elif isinstance(value, Table):
        _add_rows(parts, _table_rows(tuple(value.columns), value.parts(), inner), indent)
    elif not isinstance(value, dict | list | tuple) or not value:
        parts.append(_encode(value))
    elif _is_flat(value):
        text = _encode(value).replace("\0", f",{inner}")
        parts.append(f"{text[0]}{inner}{text[1:-1]}{indent}{text[-1]}")
    elif isinstance(value, dict):
        _add_items(parts, value.items(), indent)
    elif _is_table(value):
        _add_rows(parts, _table_rows(tuple(value[0]), _columns(value), inner), indent)
    else:
        start = "["
        for each in value:
            parts.append(f"{start}{inner}")
            _add(parts, each, inner)
            start = ","
        parts.append(f"{indent}]")


def _add_items(parts: list[str], items: Iterable[tuple[str, Any]], indent: str) -> None:
    inner, start = f"{indent}  ", "{"
    for key, value in items:
        parts.append(f"{start}{inner}{_encode(key)}: ")
        _add(parts, value, inner)
        start = ","
        del value  # before the next one is made
    parts.append(f"{indent}}}" if start == "," else "{}")


def _add_rows(parts: list[str], rows: Iterable[str], indent: str) -> None:
    inner, start = f"{indent}  ", "["
    for row in rows:
        parts += (f"{start}{inner}", row)
        start = ","
    parts.append(f"{indent}]" if start == "," else "[]")


def _is_table(values: list[Any] | tuple[Any, ...]) -> bool:
    """Return whether values are dictionaries with the same keys that hold no others."""
    if {dict} != set(map(type, values)) or not values[0]:
        return False
    return len(set(map(tuple, values))) == 1 and all(map(_is_flat, values))


_ROWS_AT_ONCE = 4_096  # rows of a table that are written together, so that memory is bounded


def _columns(rows: Sequence[dict[str, Any]]) -> Iterator[list[Sequence[Any]]]:
    """Yield the columns of some rows of a table after the other."""
    for first in range(0, len(rows), _ROWS_AT_ONCE):
        some = rows[first : first + _ROWS_AT_ONCE]
        yield list(zip(*map(dict.values, some), strict=True))


def _table_rows(
    keys: Sequence[str], parts: Iterable[list[Sequence[Any]]], indent: str
) -> Iterator[str]:
    """Yield the text of each dictionary of a table, written column by column."""
    names = [_encode(key).replace("%", "%%") for key in keys]
    pairs = f",{indent}  ".join(f"{name}: %s" for name in names)
    write = f"{{{indent}  {pairs}{indent}}}".__mod__
    for values in parts:
        columns = [
            map(encode_basestring, column)
            if set(map(type, column)) == {str}
            else _encode(column)[1:-1].split("\0")
            for column in values
        ]
        yield from map(write, zip(*columns, strict=True))


_SCALARS = frozenset({str, int, float, bool, type(None)})


def _is_flat(value: dict[str, Any] | list[Any] | tuple[Any, ...]) -> bool:
    """Return whether a list or a dictionary holds no others."""
    held = value.values() if isinstance(value, dict) else value
    return _SCALARS.issuperset(map(type, held))
