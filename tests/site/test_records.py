"""Records as bytes and as JSON; damaged sites are in test_store.py."""

import struct
import zlib

import numpy as np
import pytest

from thresher.site.records import (
    DamagedError,
    pack,
    plain,
    read_column,
    read_columns,
    read_list,
    read_number,
    read_text,
    unpack,
)


def test_columns_are_written_as_is() -> None:
    columns = {
        "a": np.array([1, 2**64 - 1], np.uint64),
        "b": np.array([0.1, 3e38], np.float32),
        "c": np.array([-(2**31)], np.int32),
        "d": np.array([], np.uint32),
    }
    record = {"n": 3, "inner": [columns, {"e": np.array([2**32 - 1], np.uint32)}]}
    found = unpack(pack(record))["inner"]
    for name, column in columns.items():
        assert found[0][name].tolist() == column.tolist()
    assert plain({"a": columns["a"]}) == {"a": ["0000000000000001", "ffffffffffffffff"]}
    with pytest.raises(TypeError):
        pack({"a": np.zeros(3)})
    with pytest.raises(TypeError):
        pack({"a": np.zeros((2, 2), np.int32)})


@pytest.mark.parametrize(
    "head",
    [
        b"[]", b"nonsense", b"\xff\xfe", b"[" * 100_000, b'{"a":{"kind":"<u8","length":2}}',
        b'{"a":{"kind":"object","length":0}}', b'{"a":{"kind":"<u8","length":-1}}',
        b'{"a":{"kind":"<u8","length":true}}', b'{"a":{"kind":["<u8"],"length":1}}',
        b'{"a":{"kind":"<u8","length":' + b"9" * 30 + b"}}",
    ],
)  # fmt: skip
def test_bytes_with_a_right_checksum_are_checked_too(head: bytes) -> None:
    body = struct.pack("<I", len(head)) + head + b"12345678"
    with pytest.raises(DamagedError):
        unpack(b"thS1" + struct.pack("<I", zlib.crc32(body)) + body)


def test_the_layout_of_the_bytes():
    data = pack({"a": np.array([258], np.int32)})
    head = b'{"a":{"kind":"<i4","length":1}}'
    assert data[:4] == b"thS1"
    assert data[4:8] == struct.pack("<I", zlib.crc32(data[8:]))
    assert data[8:] == bytes([len(head), 0, 0, 0]) + head + bytes([2, 1, 0, 0])


def test_values_are_read_from_both_forms():
    record = {"n": 3, "t": "abc", "l": [1, 2], "c": np.array([5, 6], np.uint32)}
    for form in (unpack(pack(record)), plain(record)):
        assert read_number(form, "n", 0, 3) == 3
        assert read_text(form, "t", 3) == "abc"
        assert read_list(form, "l", 2) == [1, 2]
        assert read_column(form, "c", np.uint32, 2).tolist() == [5, 6]
        assert read_columns(form, {"c": np.uint32}, 2)["c"].dtype == np.uint32


def test_values_out_of_range_are_damage():
    record = {"n": 3, "t": "abc", "l": [1, 2], "c": [5, 6], "d": [1]}
    for read in (
        lambda: read_number(record, "n", 0, 2),
        lambda: read_number(record, "t", 0, 2),
        lambda: read_text(record, "t", 2),
        lambda: read_text(record, "missing", 2),
        lambda: read_list(record, "l", 1),
        lambda: read_column(record, "c", np.uint32, 1),
        lambda: read_column(record, "c", np.uint64, 2),
        lambda: read_columns(record, {"c": np.uint32, "d": np.uint32}, 2),
        lambda: read_columns(None, {"c": np.uint32}, 2),
    ):
        with pytest.raises(DamagedError):
            read()
