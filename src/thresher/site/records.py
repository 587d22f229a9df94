"""Records: numbers, texts and columns of a site, as bytes and as JSON, checked when they are read.

A record is a dict of whole numbers, texts, lists, other records, and NumPy columns. It is written

- as bytes (`pack`): a checksum, the record as JSON with the kind and length of each column in its
  place, then the columns, one after the other, in little-endian order;
- as data for JSON (`plain`): the columns are lists. Numbers of 64 bits are texts of 16 hexadecimal
  digits, as many readers of JSON keep only 53 bits of a number.

The functions that read a value take it from either form. They raise `DamagedError` for a value that
is missing, of another kind or out of range; nothing that is read is executed.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Record: TypeAlias = dict[str, Any]
Column: TypeAlias = npt.NDArray[Any]

_MAGIC = b"thS1"
_START = struct.Struct("<4sII")  # magic, checksum of what follows it, length of the JSON
_KINDS = ("<u8", "<u4", "<i4", "<f4")  # of columns
_HEX_DIGITS = 16


class DamagedError(ValueError):
    """A record that cannot be read; the message says why, without a full stop."""


def pack(record: Record) -> bytes:
    """Return a record as bytes."""
    columns: list[bytes] = []

    def note(value: object) -> Record:
        column = np.asarray(value)
        kind = column.dtype.newbyteorder("<").str
        if column.ndim != 1 or kind not in _KINDS:
            raise TypeError(f"a column of kind {column.dtype} cannot be written")
        columns.append(column.astype(kind).tobytes())
        return {"kind": kind, "length": len(column)}

    text = json.dumps(record, default=note, ensure_ascii=False, separators=(",", ":"))
    head = text.encode("utf-8", "surrogatepass")
    body = b"".join((struct.pack("<I", len(head)), head, *columns))
    return _MAGIC + struct.pack("<I", zlib.crc32(body)) + body


def unpack(data: bytes) -> Record:
    """Return the record that `pack` made these bytes from."""
    if len(data) < _START.size or not data.startswith(_MAGIC):
        raise DamagedError("it does not begin as it should")
    _, checksum, size = _START.unpack_from(data)
    if zlib.crc32(data[8:]) != checksum:
        raise DamagedError("its checksum is wrong")
    at = _START.size + size

    def take(value: Record) -> object:
        nonlocal at
        if value.keys() != {"kind", "length"}:
            return value
        kind, length = value["kind"], value["length"]
        if kind not in _KINDS or type(length) is not int or length < 0:
            raise DamagedError("a column has an unknown kind")
        start, at = at, at + length * np.dtype(kind).itemsize
        if at > len(data):
            raise DamagedError("a column is cut off")
        return np.frombuffer(data, kind, length, start)

    try:
        text = data[_START.size : at].decode("utf-8", "surrogatepass")
        record = json.loads(text, object_hook=take)
    except (ValueError, RecursionError) as error:
        reason = str(error) if isinstance(error, DamagedError) else "its head is no JSON"
        raise DamagedError(reason) from error
    if at != len(data):
        raise DamagedError("something follows its last column")
    return checked_record(record)


def plain(value: Any) -> Any:
    """Return a record as data for JSON."""
    if isinstance(value, dict):
        return {name: plain(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [plain(inner) for inner in value]
    if isinstance(value, np.ndarray):
        numbers = value.tolist()
        return [f"{number:016x}" for number in numbers] if value.dtype.itemsize == 8 else numbers
    return value


# --- reading -------------------------------------------------------------------------------------


def checked_record(value: object) -> Record:
    """Return a value that must be a record."""
    if not isinstance(value, dict):
        raise DamagedError("it is no record")
    return value


def read_list(record: Record, name: str, most: int) -> list[Any]:
    """Return a list of at most `most` values."""
    value = record.get(name)
    if not isinstance(value, list) or len(value) > most:
        raise DamagedError(f"{name!r} must be a list of at most {most:,} values")
    return value


def read_text(record: Record, name: str, most: int) -> str:
    """Return a text of at most `most` characters."""
    value = record.get(name)
    if not isinstance(value, str) or len(value) > most:
        raise DamagedError(f"{name!r} must be a text of at most {most:,} characters")
    return value


def read_number(record: Record, name: str, least: int, most: int) -> int:
    """Return a whole number between `least` and `most`."""
    value = record.get(name)
    if type(value) is not int or not least <= value <= most:
        raise DamagedError(f"{name!r} must be a whole number from {least:,} to {most:,}")
    return value


def read_column(record: Record, name: str, kind: npt.DTypeLike, most: int) -> Column:
    """Return a column of a kind with at most `most` numbers."""
    value, wanted = record.get(name), np.dtype(kind)
    if isinstance(value, list) and len(value) <= most:
        value = _from_list(value, wanted, name)
    if not isinstance(value, np.ndarray) or len(value) > most or value.dtype != wanted:
        raise DamagedError(f"{name!r} must be a column of at most {most:,} numbers")
    if wanted.kind == "f" and not np.isfinite(value).all():
        raise DamagedError(f"{name!r} has a number that is not finite")
    return value.astype(wanted.newbyteorder("="))


def read_columns(
    record: object, kinds: Mapping[str, npt.DTypeLike], most: int
) -> dict[str, Column]:
    """Return columns of equal length by name."""
    columns = {name: read_column(checked_record(record), name, kinds[name], most) for name in kinds}
    if len({len(column) for column in columns.values()}) > 1:
        raise DamagedError(f"the columns {', '.join(columns)} differ in length")
    return columns


def _from_list(values: list[Any], kind: np.dtype[Any], name: str) -> Column:
    """Return a list of plain numbers as a column; of 64 bits each, from hexadecimal digits."""
    numbers: list[Any] = values
    if kind.itemsize == 8:
        texts = [value for value in values if type(value) is str and len(value) == _HEX_DIGITS]
        numbers = _hexadecimal(texts, name)
    expected: tuple[type, ...] = (int, float) if kind.kind == "f" else (int,)
    if len(numbers) < len(values) or not all(type(number) in expected for number in numbers):
        raise DamagedError(f"{name!r} holds something that is no number of its kind")
    try:
        with np.errstate(over="ignore"):  # a number too large for the column becomes infinite
            return np.array(numbers, kind)
    except OverflowError as error:
        raise DamagedError(f"{name!r} holds a number that is out of range") from error


def _hexadecimal(texts: list[str], name: str) -> list[int]:
    try:
        return [int(text, 16) for text in texts]
    except ValueError as error:
        raise DamagedError(f"{name!r} holds a text that is no hexadecimal number") from error
