"""Inputs: files, folders, standard input and addresses of the web, read one at a time."""

from __future__ import annotations

import os
import re
import stat
import sys
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from thresher.batch.file_names import url_parts
from thresher.batch.messages import Messages
from thresher.errors import InputError
from thresher.fetch import fetch
from thresher.page import Page
from thresher.page.parse import Limits, parse

_SUFFIXES = {".html", ".htm", ".xhtml"}
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*://", re.I)


@dataclass(frozen=True, slots=True)
class Input:
    """One page to read."""

    name: str  # as given, or the path of a file found in a folder
    kind: Literal["file", "url", "stdin"]
    parts: tuple[str, ...]  # its place in the tree of outputs


@dataclass(frozen=True, slots=True)
class Reading:
    """How pages are read: the options that every input shares."""

    url: str | None = None
    charset: str | None = None
    user_agent: str | None = None
    timeout: float = 20.0
    max_bytes: int = Limits().bytes


def is_url(argument: str) -> bool:
    """Tell an address from a path; `fetch` says which addresses it takes."""
    return _ADDRESS.match(argument) is not None


def is_folder(argument: str) -> bool:
    """Tell a folder from everything else."""
    return os.path.isdir(argument)  # noqa: PTH112 (Path.is_dir raises for a name that is too long)


def find(arguments: tuple[str, ...], messages: Messages, skip: Path | None = None) -> list[Input]:
    """List the inputs in order. Folders are searched, except for `skip`, where output goes."""
    found: list[Input] = []
    for argument in arguments:
        if argument == "-":
            found.append(Input("-", "stdin", ("stdin",)))
        elif is_url(argument):
            found.append(Input(argument, "url", url_parts(argument)))
        elif is_folder(argument):
            folder = Path(argument)
            above = (folder.resolve().name,) if len(arguments) > 1 else ()
            found += _in_folder(folder, above, messages, skip)
        else:
            found.append(Input(argument, "file", (Path(argument).name or argument,)))
    return found


def _in_folder(
    folder: Path, above: tuple[str, ...], messages: Messages, skip: Path | None
) -> list[Input]:
    """The pages below a folder, sorted. Links to folders may go in circles: not followed."""
    avoid = None if skip is None else os.path.realpath(skip)
    paths: list[Path] = []
    closed: list[OSError] = []
    for place, folders, files in os.walk(folder, onerror=closed.append):
        folders[:] = [name for name in folders if os.path.realpath(Path(place, name)) != avoid]
        here = (Path(place, name) for name in files)
        paths += [path for path in here if path.suffix.lower() in _SUFFIXES and _is_file(path)]
    for error in closed:
        messages.error(_cannot_read(str(error.filename), error))
    if not paths and not closed:
        messages.error(f"no pages in {folder}: its files would end in .html, .htm or .xhtml.")
    paths.sort(key=lambda path: path.parts)
    return [Input(str(path), "file", (*above, *path.relative_to(folder).parts)) for path in paths]


def _is_file(path: Path) -> bool:
    """Leave out pipes and devices; what cannot be looked at is told when it is read."""
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except OSError:
        return True


def load(source: Input, reading: Reading) -> Page:
    """Read and parse one input; at most `max_bytes` of it, and the status says when it is cut."""
    limits = Limits(bytes=reading.max_bytes)
    if source.kind != "url":
        data = _read(source, reading.max_bytes + 1)  # one more, so that `parse` sees the cut
        return parse(data, url=reading.url, charset=reading.charset, limits=limits)
    fetched = fetch(
        source.name,
        user_agent=reading.user_agent,
        timeout=reading.timeout,
        max_bytes=reading.max_bytes + 1,
    )
    charset = reading.charset or fetched.charset
    page = parse(fetched.body, url=fetched.url, charset=charset, limits=limits)
    if fetched.cut and len(fetched.body) <= reading.max_bytes:
        notes = [] if page.status == "complete" else [page.status]
        return replace(page, status="; ".join(["cut by the server", *notes]))
    return page


def _read(source: Input, most: int) -> bytes:
    from_stdin = source.kind == "stdin"
    if from_stdin and sys.stdin is None:
        raise InputError("cannot read standard input: it is closed.")
    try:
        with nullcontext(sys.stdin.buffer) if from_stdin else Path(source.name).open("rb") as file:
            return file.read(most)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        name = "standard input" if from_stdin else source.name
        raise InputError(_cannot_read(name, error)) from error


def _cannot_read(name: str, error: OSError | ValueError) -> str:
    reason = (getattr(error, "strerror", None) or str(error)).lower()
    if isinstance(error, FileNotFoundError):
        return f"cannot read {name}: {reason}; check the path, or put https:// before an address."
    return f"cannot read {name}: {reason}."
