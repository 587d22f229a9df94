"""Files that are replaced only when their new content is complete."""

from __future__ import annotations

import errno
import os
import re
import secrets
import stat
import sys
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from thresher.batch.messages import Messages
from thresher.errors import ThresherError

_SURROGATE = re.compile("[\ud800-\udfff]")


class OutputError(ThresherError):
    """A file, folder or stream that cannot be written."""


def write_error(target: object, error: OSError) -> OutputError:
    """Return the exception for a failed write to `target`."""
    return OutputError(f"cannot write {target}: {(error.strerror or str(error)).lower()}.")


def to_utf8(text: str) -> bytes:
    """Return the text in UTF-8; lone surrogates, which UTF-8 cannot encode, are replaced."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text).encode()


def write_stdout(data: bytes) -> None:
    """Write to standard output and flush it."""
    if sys.stdout is None:
        raise OutputError("cannot write standard output: it is closed.")
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def make_folder(path: Path) -> None:
    """Create a folder and its parents, unless they exist."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise write_error(path, error) from error


def write_file(path: Path, data: bytes) -> None:
    """Write or replace a whole file."""
    with AtomicFile(path) as file:
        file.write(data)


class AtomicFile:
    """A file that replaces the one at `path` when the `with` block ends without an exception.

    The data goes to a temporary file in the same folder. After an exception `path` is unchanged;
    if `partial_messages` is set by then, the complete records so far are kept in
    `path` + ".partial", and an error message there says so. Devices and pipes are written directly.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.partial_messages: Messages | None = None
        self.written = 0  # bytes of complete records

    def __enter__(self) -> AtomicFile:
        """Open the temporary file, so that a path that cannot be written fails before the work."""
        make_folder(self.path.parent)
        try:
            mode = self._current_mode()
            self.direct = mode is not None and not stat.S_ISREG(mode)
            if self.direct:
                self.file: BinaryIO = self.path.open("wb")
            else:
                self.target = Path(os.path.realpath(self.path))
                self.temporary = self.target.with_name(f".thresher-{secrets.token_hex(6)}.tmp")
                self.file = self.temporary.open("xb")
                if mode is not None:
                    self.temporary.chmod(stat.S_IMODE(mode))
        except OSError as error:
            raise write_error(self.path, error) from error
        return self

    def write(self, data: bytes) -> None:
        """Write one complete record."""
        try:
            self.file.write(data)
            self.file.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            raise write_error(self.path, error) from error
        self.written += len(data)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Move the temporary file to `path`, or remove it after an exception."""
        try:
            if kind is not None:
                self._discard()
                return
            try:
                self.file.close()
                if not self.direct:
                    self.temporary.replace(self.target)
            except OSError:
                self._discard()
                raise
        except OSError as error:
            raise write_error(self.path, error) from error

    def _discard(self) -> None:
        """Remove the temporary file, or keep its complete records as `path` + ".partial"."""
        with suppress(OSError):  # data that cannot be flushed is not a complete record
            self.file.close()
        if self.direct:
            return
        if self.partial_messages is None or not self.written:
            self.temporary.unlink(missing_ok=True)
            return
        os.truncate(self.temporary, self.written)
        partial = self.target.with_name(f"{self.target.name}.partial")
        self.temporary.replace(partial)
        self.partial_messages.error(
            f"{self.path} is not written; the records so far are in {partial}."
        )

    def _current_mode(self) -> int | None:
        """Return the mode of the file at `path`, None if there is none; raise if read-only."""
        try:
            mode = self.path.stat().st_mode
        except FileNotFoundError:
            return None
        if not os.access(self.path, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return mode
