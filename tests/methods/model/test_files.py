"""Model files: writing, reading, and files that are refused."""

import io
import json
import os
import pickle
import re
import zipfile
from pathlib import Path

import numpy as np
import pytest

import thresher
from thresher import InputError, methods
from thresher.methods.model.files import FORMAT, file_name, load, shipped, to_bytes

TRAINED = ["boilerpipe", "content-seeker", "crf", "maxent", "memm", "mss"]
ARRAYS = {"b": np.arange(3, dtype=np.int32), "a": np.array([0.5, 2.0], np.float16)}


def write(path: Path, **header: object) -> str:
    path.write_bytes(to_bytes("crf", ARRAYS, **header))
    return str(path)


def test_a_written_file_is_read_back(tmp_path):
    found = load("crf", write(tmp_path / "m.npz", seed=7))
    assert found.header == {
        "format": FORMAT, "method": "crf", "thresher": thresher.__version__, "seed": 7
    }  # fmt: skip
    assert {name: array.tolist() for name, array in found.arrays.items()} == {
        name: array.tolist() for name, array in ARRAYS.items()
    }
    assert not found.arrays["a"].flags.writeable
    assert np.load(tmp_path / "m.npz", allow_pickle=False)["b"].tolist() == [0, 1, 2]


def test_a_model_without_arrays_is_json(tmp_path):
    path = tmp_path / "m.json"
    path.write_bytes(to_bytes("boilerpipe", {}, tree={"content": 0.5}))
    assert json.loads(path.read_text(encoding="utf-8"))["tree"] == {"content": 0.5}
    found = load("boilerpipe", str(path))
    assert (found.header["tree"], found.arrays) == ({"content": 0.5}, {})
    assert (file_name("boilerpipe"), file_name("crf")) == ("boilerpipe.json", "crf.npz")
    with pytest.raises(InputError, match=r"m\.json is a model of boilerpipe, not of crf\."):
        load("crf", str(path))


def test_the_same_arrays_give_the_same_bytes():
    backwards = dict(reversed(ARRAYS.items()))
    assert to_bytes("crf", ARRAYS, seed=1) == to_bytes("crf", backwards, seed=1)
    assert to_bytes("crf", ARRAYS, seed=1) != to_bytes("crf", ARRAYS, seed=2)


def test_a_file_is_read_once_and_again_when_it_changes(tmp_path):
    path = write(tmp_path / "m.npz")
    first = load("crf", path)
    assert load("crf", path) is first
    write(tmp_path / "m.npz", seed=123)
    assert load("crf", path).header["seed"] == 123


# --- files that are refused ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("version", "message"),
    [
        (FORMAT + 1, "was written by a newer thresher (9.9): upgrade, or train it again with "),
        (FORMAT - 1, "was written by an older thresher (9.9): train it again with "),
    ],
)
def test_another_format_is_one_sentence(tmp_path, version, message):
    path = write(tmp_path / "m.npz", format=version, thresher="9.9")
    with pytest.raises(InputError) as error:
        methods.get("crf", model=path)(thresher.parse("<p>one"))
    assert str(error.value).startswith(f"{path} {message}")
    assert str(error.value).endswith("thresher train crf.")


def test_a_model_of_another_method(tmp_path):
    path = write(tmp_path / "m.npz")
    with pytest.raises(InputError) as error:
        methods.get("mss", model=path)(thresher.parse("<p>one"))
    assert str(error.value) == f"{path} is a model of crf, not of mss."


def test_no_file(tmp_path):
    with pytest.raises(InputError, match=r"no model .*m\.npz: make one with thresher train crf\."):
        load("crf", str(tmp_path / "m.npz"))
    with pytest.raises(InputError, match="no model"):
        load("crf", "with a \0 in it")


@pytest.mark.parametrize("method", ["default", "crf", "boilerpipe"])
def test_devices_and_pipes_are_not_read(tmp_path, method):
    os.mkfifo(tmp_path / "pipe")
    for place in ("/dev/zero", str(tmp_path / "pipe"), str(tmp_path)):
        with pytest.raises(InputError, match=f"{place} is not a file: make a model with"):
            load(method, place)
    with pytest.raises(InputError, match="is not a file"):
        thresher.extract("<p>one", method=methods.get("default", model="/dev/zero"))


def zipped(**members: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in members.items():
            archive.writestr(name.replace("_json", ".json").replace("_npy", ".npy"), data)
    return file.getvalue()


HEADER = json.dumps({"format": FORMAT, "method": "crf", "thresher": "1"}).encode()


def with_objects() -> bytes:
    file = io.BytesIO()
    np.save(file, np.array([{"code": "runs"}], dtype=object), allow_pickle=True)
    return zipped(header_json=HEADER, a_npy=file.getvalue())


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"no zip at all",
        pickle.dumps(ARRAYS),
        zipped(a_npy=b"x"),
        zipped(header_json=b"{"),
        zipped(header_json=b"[" * 100_000),
        zipped(header_json=b'["format"]'),
        zipped(header_json=b'{"format": "1"}'),
        zipped(header_json=b'{"format": true, "method": "crf"}'),
        zipped(header_json=HEADER, a_npy=b"\x93NUMPY but cut"),
        with_objects(),
        to_bytes("crf", ARRAYS)[:-40],
    ],
)
def test_other_files_are_refused(tmp_path, data):
    path = tmp_path / "m.npz"
    path.write_bytes(data)
    with pytest.raises(InputError) as error:
        load("crf", str(path))
    assert str(error.value) == f"{path} is not a model of thresher, or it is damaged."


def test_damage_anywhere_is_the_same_sentence(tmp_path):
    """Flipped bytes make zip and NumPy raise errors of many kinds, or do no harm."""
    path, whole = tmp_path / "m.npz", to_bytes("crf", ARRAYS)
    message = {f"{path} is not a model of thresher, or it is damaged."}
    refused = 0
    for place in range(len(whole)):
        data = bytearray(whole)
        data[place] ^= 0xFF
        path.write_bytes(data)
        os.utime(path, ns=(place, place))
        try:
            load("crf", str(path))
        except InputError as error:
            refused += str(error) in message
    assert refused > len(whole) // 2


def test_a_zip_with_a_password_and_one_packed_in_an_unknown_way(tmp_path):
    path, whole = tmp_path / "m.npz", to_bytes("crf", ARRAYS)
    entry = whole.index(b"PK\x01\x02")  # in the list of members at the end
    for offset, value in ((8, 1), (10, 99)):  # the flag of a password; the number of the packing
        data = bytearray(whole)
        data[entry + offset] = value
        data[offset - 2] = value  # and at the member itself
        path.write_bytes(data)
        with pytest.raises(InputError, match=r"is not a model of thresher, or it is damaged\."):
            load("crf", str(path))


def test_a_file_that_unpacks_to_too_much(tmp_path):
    path = tmp_path / "m.npz"
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", HEADER)
        archive.writestr("a.npy", bytes(65_000_000))
    for data in (file.getvalue(), HEADER[:-1] + bytes(65_000_000)):
        path.write_bytes(data)
        with pytest.raises(InputError, match=r"is too large for a model of thresher\."):
            load("crf", str(path))


@pytest.mark.parametrize(
    ("name", "kind", "shape", "message"),
    [
        ("c", "floats", (None,), "it lacks an array 'c' of floats"),
        ("b", "floats", (None,), "it lacks an array 'b' of floats"),
        ("a", "integers", (2,), "it lacks an array 'a' of integers"),
        ("a", "floats", (3,), "its array 'a' has the shape (2,)"),
        ("a", "floats", (2, 1), "its array 'a' has the shape (2,)"),
    ],
)
def test_every_array_is_checked(tmp_path, name, kind, shape, message):
    path = write(tmp_path / "m.npz")
    with pytest.raises(InputError) as error:
        load("crf", path).array(name, kind, shape)
    assert str(error.value) == f"{path} cannot be used: {message}. Train it again."


def test_numbers_that_are_none(tmp_path):
    path = tmp_path / "m.npz"
    path.write_bytes(to_bytes("crf", {"a": np.array([1.0, np.nan])}))
    with pytest.raises(InputError, match="its array 'a' has infinite numbers or NaN"):
        load("crf", str(path)).array("a", "floats", (2,))


# --- what ships ----------------------------------------------------------------------------------


def test_every_trained_method_ships_its_model():
    with_model = [name for name in methods.names() if "model" in methods.options(name)]
    assert set(TRAINED) <= set(with_model)
    assert {path.name for path in shipped("crf").parent.iterdir()} >= set(map(file_name, TRAINED))


@pytest.mark.parametrize("name", TRAINED)
def test_shipped_models_are_small_and_hold_no_text(name):
    assert shipped(name).stat().st_size < 1_000_000
    found = load(name)
    assert set(found.header["trained on"]) == {"wcxb-dev", "fundus"}
    assert {array.dtype.kind for array in found.arrays.values()} <= set("fiu")
    # The header has names of tags and of features, and nothing that is longer.
    strings = re.findall(r'"([^"]*)"', json.dumps(found.header))
    assert max(map(len, strings)) <= 48
