"""Writing files: one gets its name when it is complete, so that none is left half-written."""

from __future__ import annotations

import errno
import os
import re
import secrets
import stat
import sys
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from thresher.batch.messages import Messages
from thresher.errors import ThresherError

_SURROGATE = re.compile("[\ud800-\udfff]")


class OutputError(ThresherError):
    """Something that cannot be written."""


def cannot_write(where: object, error: OSError) -> OutputError:
    """The sentence for a failed write."""
    reason = (error.strerror or str(error)).lower()
    return OutputError(f"cannot write {where}: {reason}.")


def encoded(text: str) -> bytes:
    """Return the text in UTF-8; a lone surrogate, which has none, is replaced."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text).encode()


def print_bytes(data: bytes) -> None:
    """Write to standard output at once."""
    if sys.stdout is None:
        raise OutputError("cannot write standard output: it is closed.")
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def make_folder(path: Path) -> None:
    """Create a folder and those above it."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise cannot_write(path, error) from error


class NewFile:
    """A file that replaces the one at `path` when the `with` block ends well.

    When it ends badly, `path` is as it was. If `messages` is set by then, the whole records so far
    are kept in `path` + ".partial", and it says so. A device or a pipe is written to directly.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.messages: Messages | None = None
        self.whole = 0  # bytes of complete records

    def __enter__(self) -> NewFile:
        """Open a file of another name beside it; fail now rather than after the work."""
        make_folder(self.path.parent)
        try:
            mode = self._mode()
            self.direct = mode is not None and not stat.S_ISREG(mode)
            self.target = self.path if self.direct else Path(os.path.realpath(self.path))
            if self.direct:
                self.place = self.path
                self.file: BinaryIO = self.place.open("wb")
            else:
                self.place = self.target.with_name(f".thresher-{secrets.token_hex(6)}.tmp")
                self.file = self.place.open("xb")
            if mode is not None and not self.direct:
                self.place.chmod(stat.S_IMODE(mode))
        except OSError as error:
            raise cannot_write(self.path, error) from error
        return self

    def add(self, data: bytes) -> None:
        """Write one record, all of it."""
        try:
            self.file.write(data)
            self.file.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            raise cannot_write(self.path, error) from error
        self.whole += len(data)

    def __exit__(
        self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None
    ) -> None:
        """Give the file its name, or take it away."""
        try:
            if kind is None:
                self._settle_well()
            else:
                self._settle_badly()
        except OSError as error:
            raise cannot_write(self.path, error) from error

    def _settle_well(self) -> None:
        try:
            self.file.close()
            if not self.direct:
                self.place.replace(self.target)
        except OSError:
            self._settle_badly()
            raise

    def _settle_badly(self) -> None:
        with suppress(OSError):  # what could not be flushed is no whole record
            self.file.close()
        if self.direct:
            return
        if self.messages is None or not self.whole:
            self.place.unlink(missing_ok=True)
            return
        os.truncate(self.place, self.whole)
        partial = self.target.with_name(f"{self.target.name}.partial")
        self.place.replace(partial)
        self.messages.error(f"{self.path} is not written; what was done is in {partial}.")

    def _mode(self) -> int | None:
        """The mode of what stands at `path` now, if it may be written to."""
        try:
            mode = self.path.stat().st_mode
        except FileNotFoundError:
            return None
        if not os.access(self.path, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return mode
