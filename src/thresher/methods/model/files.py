"""Model files: what a trained method learned, as arrays with a header.

A file is a zip as NumPy writes it (`.npz`): one `.npy` per array, and `header.json`, which says
what it is:

    {"format": 1, "method": "crf", "thresher": "0.1.0", "trained on": ["wcxb-dev", "fundus"], ...}

Nothing in it is code: it is read without pickle, and a reader checks every array's kind and shape.
It holds no date, so the same training gives the same bytes. A trained method loads the file that
its option `model` names, or the one that ships in the folder `weights`, once per process.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from thresher.errors import InputError

FORMAT = 1  # raised when files of before cannot be read any more
_HEADER = "header.json"
_MOST_BYTES = 64_000_000  # unpacked; ours are a hundredth of it
_HERE = Path(__file__).parent / "weights"

Arrays = Mapping[str, npt.NDArray[Any]]


@dataclass(frozen=True, eq=False)
class Model:
    """What a file holds."""

    path: Path
    header: Mapping[str, Any]
    arrays: Arrays

    def array(
        self, name: str, kind: Literal["floats", "integers"], shape: tuple[int | None, ...]
    ) -> npt.NDArray[Any]:
        """Return an array after checking it; None in `shape` stands for any length."""
        found = self.arrays.get(name)
        if found is None or found.dtype.kind not in ("f" if kind == "floats" else "iu"):
            raise self.damaged(f"it lacks an array {name!r} of {kind}")
        fits = found.ndim == len(shape) and all(
            wanted in (None, size) for wanted, size in zip(shape, found.shape, strict=True)
        )
        if not fits:
            raise self.damaged(f"its array {name!r} has the shape {found.shape}")
        if found.dtype.kind == "f" and not np.isfinite(found).all():
            raise self.damaged(f"its array {name!r} holds what is no number")
        return found

    def damaged(self, reason: str) -> InputError:
        """Return the error for a file that no training wrote like this."""
        return InputError(f"{self.path} cannot be used: {reason}. Train it again.")


def shipped(method: str) -> Path:
    """Return where the model that ships for a method is."""
    return _HERE / f"{method}.npz"


def to_bytes(method: str, arrays: Arrays, **header: object) -> bytes:
    """Return the file of a model; what `header` adds must be plain JSON."""
    about = {"format": FORMAT, "method": method, "thresher": version("thresher"), **header}
    text = json.dumps(about, ensure_ascii=False, indent=1) + "\n"
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        _add(archive, _HEADER, text.encode())
        for name in sorted(arrays):
            column = io.BytesIO()
            np.lib.format.write_array(
                column, np.ascontiguousarray(arrays[name]), allow_pickle=False
            )
            _add(archive, f"{name}.npy", column.getvalue())
    return file.getvalue()


def _add(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    """Add a member that tells no time of writing and no system it was written on."""
    member = zipfile.ZipInfo(name)  # dated 1980, as every zip without a date
    member.compress_type = zipfile.ZIP_DEFLATED
    member.create_system = 3
    archive.writestr(member, data, compresslevel=9)


def load(method: str, path: str = "") -> Model:
    """Return the model of a file, or the shipped one; a file is read again when it has changed."""
    place = Path(path) if path else shipped(method)
    try:
        state = place.stat()
    except (OSError, ValueError) as error:
        raise InputError(f"no model {place}: make one with thresher train {method}.") from error
    return _load(method, place, (state.st_mtime_ns, state.st_size))


@lru_cache(maxsize=32)
def _load(method: str, path: Path, _state: tuple[int, int]) -> Model:
    try:
        with zipfile.ZipFile(path) as archive:
            if sum(member.file_size for member in archive.infolist()) > _MOST_BYTES:
                raise InputError(f"{path} is too large for a model of thresher.")
            header = json.loads(archive.read(_HEADER))
            _check(method, path, header)
            arrays = {
                name.removesuffix(".npy"): _read_array(archive.read(name))
                for name in archive.namelist()
                if name != _HEADER
            }
    except InputError:
        raise
    except Exception as error:  # what damage makes zipfile and NumPy raise has no end
        raise InputError(f"{path} is no model of thresher, or it is damaged.") from error
    return Model(path, header, arrays)


def _read_array(data: bytes) -> npt.NDArray[Any]:
    array: npt.NDArray[Any] = np.lib.format.read_array(io.BytesIO(data), allow_pickle=False)
    array.setflags(write=False)
    return array


def _check(method: str, path: Path, header: object) -> None:
    """Refuse a file of another format or of another method, in one sentence."""
    if not isinstance(header, dict) or type(header.get("format")) is not int:
        raise InputError(f"{path} is no model of thresher, or it is damaged.")
    if header["format"] > FORMAT:
        raise InputError(
            f"{path} was written by a newer thresher ({header.get('thresher')}): upgrade, or "
            f"train it again with thresher train {method}."
        )
    if header["format"] < FORMAT:
        raise InputError(
            f"{path} was written by an older thresher ({header.get('thresher')}) and cannot be "
            f"read any more: train it again with thresher train {method}."
        )
    if header.get("method") != method:
        raise InputError(f"{path} is a model of {header.get('method')}, not of {method}.")
