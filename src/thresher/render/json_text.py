"""Indented JSON, faster than the standard library, which indents in Python."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from json import JSONEncoder, dumps
from math import isfinite
from typing import Any, TypeAlias

import numpy as np

from thresher.page.array_types import Int64s
from thresher.render.scan import quoted

_encode = JSONEncoder(ensure_ascii=False).encode


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
    output = _Output([])
    _add(output.write, value, indent)
    return output.text()


def json_line(items: Iterable[tuple[str, Any]]) -> str:
    """Return keys and values as an object on one line: `json.dumps(..., ensure_ascii=False)`."""
    output = _Output([])
    start = "{"
    for key, value in items:
        output.write(f"{start}{quoted(key)}: ")
        output.write(dumps(plain_data(value), ensure_ascii=False))
        start = ", "
        del value  # before the next one is made
    output.write("}" if start == ", " else "{}")
    return output.text()


def plain_data(value: Any) -> Any:
    """Return a value of `Document.field_values` as plain data."""
    return value.dicts() if isinstance(value, Table) else value


_Write: TypeAlias = Callable[[str], object]


@dataclass(slots=True)
class _Output:
    """A long text that grows in place: all of its parts joined at once would be held twice."""

    parts: list[str]  # to add
    size: int = 0  # characters of the parts
    begun: str = ""  # what is written before them

    def write(self, part: str) -> None:
        """Add a part."""
        self.parts.append(part)
        self.size += len(part)
        if self.size > _CHARACTERS_AT_ONCE:
            self.text()

    def text(self) -> str:
        """Return what was written."""
        text, self.begun = self.begun, ""  # CPython extends a text with one reference in place
        text += "".join(self.parts)
        self.parts, self.size, self.begun = [], 0, text
        return text


def _add(write: _Write, value: Any, indent: str) -> None:
    if isinstance(value, str):
        _add_text(write, value)
    elif isinstance(value, dict):
        _add_items(write, value.items(), indent)
    elif isinstance(value, list | tuple):
        _add_list(write, value, indent)
    elif isinstance(value, Table):
        _add_table(write, tuple(value.columns), value.parts(), indent)
    elif value is not None and isinstance(value, Iterator):
        _add_items(write, value, indent)
    else:
        write(_number(value))


def _number(value: Any) -> str:
    """Return a number, a bool or None as JSON."""
    if value is None:
        return "null"
    if value is True or value is False:
        return "true" if value else "false"
    if isinstance(value, float) and isfinite(value):
        return float.__repr__(value)
    return int.__repr__(value) if isinstance(value, int) else _encode(value)


def _value(value: Any) -> str:
    return quoted(value) if isinstance(value, str) else _number(value)


_WRITERS: dict[type, Callable[[Any], str]] = {str: quoted, int: int.__repr__}


def _add_list(write: _Write, values: list[Any] | tuple[Any, ...], indent: str) -> None:
    inner, start = f"{indent}  ", "["
    if values and _is_table(values):
        _add_table(write, tuple(values[0]), _columns(values), indent)
        return
    for each in values:
        if type(each) is str and len(each) <= _LONGEST_AT_ONCE:
            write(f"{start}{inner}{quoted(each)}")
        else:
            write(f"{start}{inner}")
            _add(write, each, inner)
        start = ","
    write(f"{indent}]" if values else "[]")


def _add_text(write: _Write, text: str) -> None:
    """Write a text as a JSON string, a long one in pieces."""
    if len(text) <= _CHARACTERS_AT_ONCE:
        write(quoted(text))
        return
    write('"')
    for first in range(0, len(text), _CHARACTERS_AT_ONCE):
        write(quoted(text[first : first + _CHARACTERS_AT_ONCE])[1:-1])
    write('"')


_CHARACTERS_AT_ONCE = 1_000_000  # of a text, so that memory is bounded
_LONGEST_AT_ONCE = 10_000  # characters of a text that is written together with its key


def _add_items(write: _Write, items: Iterable[tuple[str, Any]], indent: str) -> None:
    inner, start = f"{indent}  ", "{"
    for key, value in items:
        kind = type(value)
        if kind is str and len(value) <= _LONGEST_AT_ONCE:
            write(f"{start}{inner}{quoted(key)}: {quoted(value)}")
        elif kind is dict:
            write(f"{start}{inner}{quoted(key)}: ")
            _add_items(write, value.items(), inner)
        elif kind in _SCALARS and kind is not str:
            write(f"{start}{inner}{quoted(key)}: {_number(value)}")
        else:
            write(f"{start}{inner}{quoted(key)}: ")
            _add(write, value, inner)
        start = ","
        del value  # before the next one is made
    write(f"{indent}}}" if start == "," else "{}")


def _add_table(
    write: _Write, keys: Sequence[str], parts: Iterable[list[Sequence[Any]]], indent: str
) -> None:
    inner, start = f"{indent}  ", "["
    names = [quoted(key).replace("%", "%%") for key in keys]
    pairs = f",{inner}  ".join(f"{name}: %s" for name in names)
    fill = f"{{{inner}  {pairs}{inner}}}".__mod__
    for values in parts:
        kinds = [set(map(type, column)) for column in values]
        texts = (column for column, kind in zip(values, kinds, strict=True) if kind == {str})
        if max((max(map(len, column)) for column in texts), default=0) > _CHARACTERS_AT_ONCE:
            for row in zip(*values, strict=True):
                write(f"{start}{inner}")
                _add_items(write, zip(keys, row, strict=True), inner)
                start = ","
            continue
        columns = [
            map(_WRITERS.get(kind.pop(), _value) if len(kind) == 1 else _value, column)
            for column, kind in zip(values, kinds, strict=True)
        ]
        for written in map(fill, zip(*columns, strict=True)):
            write(f"{start}{inner}{written}")
            start = ","
    write(f"{indent}]" if start == "," else "[]")


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


_SCALARS = frozenset({str, int, float, bool, type(None)})


def _is_flat(value: dict[str, Any] | list[Any] | tuple[Any, ...]) -> bool:
    """Return whether a list or a dictionary holds no others."""
    held = value.values() if isinstance(value, dict) else value
    return _SCALARS.issuperset(map(type, held))
