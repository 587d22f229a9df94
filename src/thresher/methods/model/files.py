"""Model files: the arrays of a trained method, with a header.

A file is a zip as NumPy writes it (`.npz`): one `.npy` per array, and `header.json`, such as

    {"format": 1, "method": "crf", "thresher": "0.1.0", "trained on": ["wcxb-dev", "fundus"], ...}

A model without arrays, such as a decision tree whose thresholds one wants to read, is that JSON
alone. A file has no code: it is read without pickle, and the type and shape of every array are
checked. It has no date, so the same training gives the same bytes. A trained method loads the file
of its option `model`, or the installed one in the folder `weights`, once per process.
"""

from __future__ import annotations

import io
import json
import stat
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import numpy as np
import numpy.typing as npt

from thresher.errors import InputError
from thresher.page.lazy import LazyModule

if TYPE_CHECKING:
    import zipfile
    from importlib import metadata
else:  # needed when a model is read or written
    zipfile, metadata = LazyModule("zipfile"), LazyModule("importlib.metadata")

FORMAT = 1  # increased when older files can no longer be read
_HEADER = "header.json"
_MOST_BYTES = 64_000_000  # unpacked; the installed files have a hundredth of it
_LARGEST = float(np.finfo(np.float32).max)
_WEIGHTS = Path(__file__).parent / "weights"
_WITHOUT_ARRAYS = frozenset({"boilerpipe"})  # methods whose model is JSON alone

Arrays = Mapping[str, npt.NDArray[Any]]
Content = TypeVar("Content")


@dataclass(frozen=True, eq=False)
class Model:
    """The content of a model file."""

    path: Path
    header: Mapping[str, Any]
    arrays: Arrays

    def array(
        self, name: str, kind: Literal["floats", "integers"], shape: tuple[int | None, ...]
    ) -> npt.NDArray[Any]:
        """Return an array after checking it; None in `shape` is any length."""
        array = self.arrays.get(name)
        if array is None or array.dtype.kind not in ("f" if kind == "floats" else "iu"):
            raise self.damaged(f"it lacks an array {name!r} of {kind}")
        fits = array.ndim == len(shape) and all(
            wanted in (None, size) for wanted, size in zip(shape, array.shape, strict=True)
        )
        if not fits:
            raise self.damaged(f"its array {name!r} has the shape {array.shape}")
        if kind == "floats" and not _all_finite(array):
            raise self.damaged(f"its array {name!r} has infinite numbers or NaN")
        return array

    def damaged(self, reason: str) -> InputError:
        """Return the error for a file that was not written by training like this."""
        return InputError(f"{self.path} cannot be used: {reason}. Train it again.")


def file_name(method: str) -> str:
    """Return the usual name of a method's model file."""
    return f"{method}.json" if method in _WITHOUT_ARRAYS else f"{method}.npz"


def shipped(method: str) -> Path:
    """Return the path of the installed model of a method."""
    return _WEIGHTS / file_name(method)


def to_bytes(method: str, arrays: Arrays, **header: object) -> bytes:
    """Return the bytes of a model file; `header` adds to its header and must be plain JSON.

    Without arrays it is the header alone, as text.
    """
    about = {"format": FORMAT, "method": method, "thresher": metadata.version("thresher"), **header}
    text = json.dumps(about, ensure_ascii=False, indent=1) + "\n"
    if not arrays:
        return text.encode()
    members = {_HEADER: text.encode()}
    for name in sorted(arrays):
        array_file = io.BytesIO()
        np.lib.format.write_array(
            array_file, np.ascontiguousarray(arrays[name]), allow_pickle=False
        )
        members[f"{name}.npy"] = array_file.getvalue()
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in members.items():
            member = zipfile.ZipInfo(name)  # dated 1980, as every zip without a date
            member.compress_type = zipfile.ZIP_DEFLATED
            member.create_system = 3  # the same on every system
            archive.writestr(member, data, compresslevel=9)
    return file.getvalue()


def load(method: str, path: str = "") -> Model:
    """Return the model of a file, or the installed one; a changed file is read again."""
    place = Path(path) if path else shipped(method)
    try:
        state = place.stat()
    except (OSError, ValueError) as error:
        raise InputError(f"no model {place}: make one with thresher train {method}.") from error
    if not stat.S_ISREG(state.st_mode):
        raise InputError(f"{place} is not a file: make a model with thresher train {method}.")
    return _load(method, place, (state.st_mtime_ns, state.st_size))


def cached_reader(read: Callable[[Model], Content]) -> Callable[[Model], Content]:
    """Return `read` with a cache; whatever it raises is the error for a damaged file."""

    @lru_cache(maxsize=32)
    def checked(model: Model) -> Content:
        try:
            return read(model)
        except InputError:
            raise
        except Exception as error:  # numbers and names of many wrong kinds
            raise model.damaged("its parts do not fit together") from error

    return checked


@lru_cache(maxsize=32)
def _load(method: str, path: Path, _: tuple[int, int]) -> Model:
    try:
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
        if len(data) > _MOST_BYTES:
            raise _too_large(path)
        if zipfile.is_zipfile(io.BytesIO(data)):
            return _read_zip(method, path, data)
        header = json.loads(data)
        _check(method, path, header)
    except InputError:
        raise
    except Exception as error:  # damaged files make zipfile, json and NumPy raise many kinds
        raise InputError(f"{path} is not a model of thresher, or it is damaged.") from error
    return Model(path, header, {})


def _read_zip(method: str, path: Path, data: bytes) -> Model:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        if sum(member.file_size for member in archive.infolist()) > _MOST_BYTES:
            raise _too_large(path)
        header = json.loads(archive.read(_HEADER))
        _check(method, path, header)
        arrays = {
            name.removesuffix(".npy"): _read_array(archive.read(name))
            for name in archive.namelist()
            if name != _HEADER
        }
    return Model(path, header, arrays)


def _all_finite(array: npt.NDArray[Any]) -> bool:
    """Return whether all numbers are finite as 32-bit floats."""
    return bool((np.abs(array.astype(np.float64)) <= _LARGEST).all())


def _too_large(path: Path) -> InputError:
    return InputError(f"{path} is too large for a model of thresher.")


def _read_array(data: bytes) -> npt.NDArray[Any]:
    """Return the array of a `.npy` file; a shape that the data do not fill raises."""
    file = io.BytesIO(data)
    if np.lib.format.read_magic(file) != (1, 0):
        raise ValueError("not the version that `to_bytes` writes")
    shape, is_fortran, kind = np.lib.format.read_array_header_1_0(file)
    flat = np.frombuffer(data, kind, offset=file.tell())  # raises for objects
    array = flat.reshape(shape, order="F" if is_fortran else "C").copy()
    array.setflags(write=False)
    return array


def _check(method: str, path: Path, header: object) -> None:
    """Raise `InputError` for a file of another format or another method."""
    if not isinstance(header, dict) or type(header.get("format")) is not int:
        raise InputError(f"{path} is not a model of thresher, or it is damaged.")
    if header["format"] != FORMAT:
        age, advice = ("a newer", "upgrade, or ") if header["format"] > FORMAT else ("an older", "")
        raise InputError(
            f"{path} was written by {age} thresher ({header.get('thresher')}): {advice}train it "
            f"again with thresher train {method}."
        )
    if header.get("method") != method:
        raise InputError(f"{path} is a model of {header.get('method')}, not of {method}.")
