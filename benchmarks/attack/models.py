"""Damaged model files: each must load and then predict, or be refused when it is loaded.

Files are damaged in two ways. Bytes are cut off or changed, which the checksums of the zip mostly
notice. Or the arrays and the header are changed and a whole new file is written: numbers that are
too large or none, shapes that do not fit, wrong types, missing parts, and counts that lie.
"""

from __future__ import annotations

import copy
import io
import json
import random
import tempfile
import time
import warnings
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import thresher
from benchmarks.attack.rows import Row, print_rows, row
from thresher import methods
from thresher.errors import InputError
from thresher.methods import boilerpipe, content_seeker, crf, mss
from thresher.methods.default.judge import Judge
from thresher.methods.model.files import Model, cached_reader, file_name, load, shipped
from thresher.page import Page

READERS: dict[str, Callable[[Model], object]] = {
    "boilerpipe": boilerpipe.TrainedClassifiers.of,
    "content-seeker": content_seeker.Classifiers.of,
    "crf": crf.SequenceWeights.of,
    "default": Judge.of,
    "maxent": crf.SequenceWeights.of,
    "memm": crf.MarkovWeights.of,
    "mss": mss.Weights.of,
}
# Besides the model: what a method needs to use it.
OPTIONS = {"boilerpipe": ({"classifier": "tree"}, {"classifier": "svm"})}
PATIENCE = 2.0  # seconds of CPU time for a prediction
ODD_NUMBERS = (float("nan"), float("inf"), -1e300, 3e38, -1.0, 0.0, 1e9, 2.0**40)
ODD_VALUES: tuple[Any, ...] = (
    None, -1, 10**400, float("nan"), True, "x", "", [], {}, [[1]], {"content": []}, 2**40,
)  # fmt: skip

Arrays = dict[str, npt.NDArray[Any]]


def attack(count: int = 1_050, seed: int = 1) -> list[Row]:
    """Damage the shipped models `count` times; return a row for each kind of damage."""
    draw = random.Random(seed)
    outcomes: dict[str, list[str]] = {kind: [] for kind in DAMAGE}
    names = sorted(READERS)
    pages = [thresher.parse(text) for text in _PAGES]
    with tempfile.TemporaryDirectory() as folder:
        for number in range(count):
            kind = list(DAMAGE)[number % len(DAMAGE)]
            method = names[number // len(DAMAGE) % len(names)]
            data = DAMAGE[kind](shipped(method).read_bytes(), draw)
            path = Path(folder, f"{number}-{file_name(method)}")
            path.write_bytes(data)
            outcomes[kind].append(outcome(method, path, pages))
            path.unlink()
    return [row(f"model: {kind}", found) for kind, found in outcomes.items()]


def outcome(method: str, path: Path, pages: list[Page]) -> str:
    """Return "" if a file is refused or predicts, else what went wrong."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            cached_reader(READERS[method])(load(method, str(path)))
        except InputError:
            return ""
        except Exception as error:
            return f"{path.name} raises {type(error).__name__} when it is loaded: {error}"
        try:
            begin = time.process_time()
            for options in OPTIONS.get(method, ({},)):
                for page in pages:
                    methods.get(method, model=str(path), **options)(page)
            seconds = time.process_time() - begin
        except Exception as error:
            return f"{path.name} raises {type(error).__name__} when it predicts: {error}"
    return f"{path.name} takes {seconds:.1f} s" if seconds > PATIENCE else ""


# --- damage --------------------------------------------------------------------------------------


def cut(data: bytes, draw: random.Random) -> bytes:
    """Return the beginning of a file."""
    return data[: draw.randrange(len(data))]


def flip(data: bytes, draw: random.Random) -> bytes:
    """Return a file with some bits flipped."""
    changed = bytearray(data)
    for _ in range(draw.choice((1, 1, 3, 50))):
        changed[draw.randrange(len(changed))] ^= 1 << draw.randrange(8)
    return bytes(changed)


def change_number(data: bytes, draw: random.Random) -> bytes:
    """Return a file with odd numbers in an array, or in its header if it has no arrays."""
    header, arrays = unpack(data)
    if not arrays:
        return change_header(data, draw)
    name = draw.choice(sorted(arrays))
    array = arrays[name].copy()
    number = draw.choice(ODD_NUMBERS)
    if array.dtype.kind == "f":
        array = array.astype(draw.choice((np.float64, array.dtype)))
    else:
        array = array.astype(np.int64)
        number = int(number) if np.isfinite(number) and abs(number) < 2**62 else -(2**62)
    with np.errstate(over="ignore"):
        if draw.random() < 0.3:
            array[...] = number
        elif array.size:
            array.reshape(-1)[draw.randrange(array.size)] = number
    return pack(header, arrays | {name: array})


def change_shape(data: bytes, draw: random.Random) -> bytes:
    """Return a file with an array of another shape or type, or without it."""
    header, arrays = unpack(data)
    if not arrays:
        return change_header(data, draw)
    name = draw.choice(sorted(arrays))
    array = arrays[name]
    changes: list[Callable[[], npt.NDArray[Any]]] = [
        lambda: array[:-1],
        lambda: array[:0],
        lambda: np.concatenate([array, array]),
        lambda: array.T.copy(),
        lambda: array[..., np.newaxis],
        lambda: array.reshape(-1),
        lambda: array.astype(np.int8 if array.dtype.kind == "f" else np.float32),
        lambda: np.zeros((0, 2**40), array.dtype),
        lambda: np.array(1, array.dtype),
        lambda: np.zeros(array.shape, "S3"),
    ]
    changed = dict(arrays)
    if draw.random() < 0.1:
        del changed[name]
    else:
        with np.errstate(invalid="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            changed[name] = draw.choice(changes)()
    return pack(header, changed)


def change_split(data: bytes, draw: random.Random) -> bytes:
    """Return a file with another number of a split, a root, a child or a feature."""
    header, arrays = unpack(data)
    wanted = ("split", "feature", "below", "root", "used", "stop_words")
    names = [name for name in sorted(arrays) if any(word in name for word in wanted)]
    if not names:
        return change_header(data, draw)
    name = draw.choice(names)
    array = arrays[name].astype(np.int64)
    array.reshape(-1)[draw.randrange(array.size)] = draw.choice(
        (-1, -(2**31), 2**31, 2**63 - 1, 65_535, 0, 1, 10_000)
    )
    return pack(header, arrays | {name: array})


def change_header(data: bytes, draw: random.Random) -> bytes:
    """Return a file with an odd value somewhere in its header."""
    header, arrays = unpack(data)
    places = list(_places(header))
    holder, key = draw.choice(places)
    holder[key] = copy.deepcopy(draw.choice(ODD_VALUES))
    return pack(header, arrays)


def lie_about_size(data: bytes, draw: random.Random) -> bytes:
    """Return a file with an array whose header promises more or less than there is."""
    header, arrays = unpack(data)
    if not arrays:
        return b" " * draw.randrange(10) + data + b"]" * draw.randrange(3)
    name = draw.choice(sorted(arrays))
    members = _members(header, arrays)
    member = members[f"{name}.npy"]
    written = str(arrays[name].shape).encode()
    huge = draw.choice((b"(999999999,)", b"(99999, 99999)", b"(2,)", b"()", b"(-1,)", b"(1e9,)"))
    at = member.index(written)
    members[f"{name}.npy"] = member[:at] + huge.ljust(len(written)) + member[at + len(written) :]
    return _zipped(members)


DAMAGE: dict[str, Callable[[bytes, random.Random], bytes]] = {
    "cut": cut,
    "bits flipped": flip,
    "odd numbers": change_number,
    "other shapes": change_shape,
    "wrong splits": change_split,
    "other headers": change_header,
    "sizes that lie": lie_about_size,
}


def unpack(data: bytes) -> tuple[dict[str, Any], Arrays]:
    """Return the header and the arrays of a model file."""
    if not data.startswith(b"PK"):
        return json.loads(data), {}
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        header = json.loads(archive.read("header.json"))
        arrays = {
            name.removesuffix(".npy"): np.load(io.BytesIO(archive.read(name)))
            for name in archive.namelist()
            if name.endswith(".npy")
        }
    return header, arrays


def pack(header: dict[str, Any], arrays: Arrays) -> bytes:
    """Return a whole model file with any content."""
    return _zipped(_members(header, arrays)) if arrays else json.dumps(header).encode()


def _members(header: dict[str, Any], arrays: Arrays) -> dict[str, bytes]:
    members = {"header.json": json.dumps(header).encode()}
    for name, array in arrays.items():
        file = io.BytesIO()
        np.lib.format.write_array(file, array, version=(1, 0), allow_pickle=False)
        members[f"{name}.npy"] = file.getvalue()
    return members


def _zipped(members: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return file.getvalue()


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each list and object of JSON with each of its keys."""
    todo = [value]
    while todo:
        one = todo.pop()
        keys = list(one) if isinstance(one, dict) else range(len(one))
        for key in keys:
            yield one, key
            if isinstance(one[key], dict | list):
                todo.append(one[key])


_PAGES = (
    "<title>Rain</title><h1>Rain</h1><p class=text>" + "All night it rained. " * 20 + "<ul><li>a",
    "<div id=nav><a href=/>Home</a></div>" + "<p>One <b>two</b> three, four five.</p>" * 30,
    "<p>one",
    "",
)


if __name__ == "__main__":
    print_rows(attack())
