"""Inputs of a command: files, folders, standard input and addresses, read one at a time."""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeVar

from thresher.batch.file_names import url_path_parts
from thresher.batch.messages import Messages
from thresher.errors import InputError
from thresher.fetch import Fetched, fetch
from thresher.page import Page
from thresher.page.addresses import without_password
from thresher.page.parse import Limits, parse

if TYPE_CHECKING:  # imported where pages are rendered: it takes time
    from thresher.visual import Browser, RenderedPage, RenderOptions

AnyPage = TypeVar("AnyPage", bound=Page)

_PAGE_SUFFIXES = frozenset(
    ".html .htm .xhtml .xht .shtml .php .phtml .asp .aspx .jsp .jspx .cfm .mhtml .mht .eml".split()
)
_PACKED_SUFFIXES = frozenset({".gz", ".zst", ".br"})
_PROGRAM_SUFFIXES = frozenset(".cgi .fcgi .pl .do .action .dll .exe .ashx".split())
# A query that `wget` left in a name, with "@" for "?" where names may not have it.
_QUERY = re.compile(r"\?.*|@[^.@=]{1,60}=.*", re.S)
# What a file without an extension starts with if it is a page.
_PAGE_START = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*|<!--[^>]*>\s*)*+"
    rb"<(?:!doctype\s+html|html|head|body|title|meta|h1|div|p|article|table)[\s>]",
    re.I,
)
_SNIFFED = 1_024  # bytes of a file without an extension
_URL = re.compile(r"[a-z][a-z0-9+.-]*://", re.I)


@dataclass(frozen=True, slots=True)
class Input:
    """One page to read."""

    name: str  # as given, without user name and password, or the path of a file found in a folder
    kind: Literal["file", "url", "stdin"]
    parts: tuple[str, ...]  # of its path below the output folder
    address: str = field(default="", repr=False)  # to fetch, as given; "" if it is the name

    @classmethod
    def of_address(cls, address: str) -> Input:
        """Return the input of an address."""
        name = without_password(address)
        return cls(name, "url", url_path_parts(name), address)


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """Options for reading pages, the same for all inputs."""

    url: str | None = None
    charset: str | None = None
    user_agent: str | None = None
    timeout: float = 20.0
    max_bytes: int = Limits().bytes
    private: bool = False  # also read addresses of this computer and of private networks


def is_folder(argument: str) -> bool:
    """Return True for the path of a folder."""
    return os.path.isdir(argument)  # noqa: PTH112 (Path.is_dir raises for a name that is too long)


def is_page_name(path: Path) -> bool:
    """Return True if a file is a page by its extension, as .html, .php, .mhtml or .html.gz.

    A query that `wget` left in a name, as in index.php?id=1, is not part of the extension.
    """
    suffixes = _suffixes(path)
    if suffixes and suffixes[-1] in _PACKED_SUFFIXES:
        suffixes.pop()
    return bool(suffixes) and suffixes[-1] in _PAGE_SUFFIXES


def _suffixes(path: Path) -> list[str]:
    return [suffix.lower() for suffix in Path(_QUERY.sub("", path.name)).suffixes]


def find_inputs(
    arguments: tuple[str, ...],
    messages: Messages,
    skip: Path | None = None,
    globs: Sequence[str] = (),
) -> list[Input]:
    """Return the inputs that arguments name, in order.

    Folders are searched for pages: files with the extension of a page, and HTML without any or with
    that of a program. With
    `globs`, they are searched for the files whose name, or path below the folder if it has a slash,
    matches one of the patterns. The folder `skip`, where the output goes, is left out.
    """
    inputs: list[Input] = []
    for argument in arguments:
        if argument == "-":
            inputs.append(Input("-", "stdin", ("stdin",)))
        elif _URL.match(argument):  # `fetch` refuses the schemes it does not support
            inputs.append(Input.of_address(argument))
        elif is_folder(argument):
            folder = Path(argument)
            parents = (folder.resolve().name,) if len(arguments) > 1 else ()
            inputs += _pages_in_folder(folder, parents, messages, skip, globs)
        else:
            inputs.append(Input(argument, "file", (Path(argument).name or argument,)))
    return inputs


def _pages_in_folder(
    folder: Path,
    parents: tuple[str, ...],
    messages: Messages,
    skip: Path | None,
    globs: Sequence[str],
) -> list[Input]:
    """Return the pages below a folder, sorted; links to folders, which may loop, are ignored."""
    real_skip = None if skip is None else os.path.realpath(skip)
    paths: list[Path] = []
    errors: list[OSError] = []
    for place, folders, files in os.walk(folder, onerror=errors.append):
        folders[:] = [name for name in folders if os.path.realpath(Path(place, name)) != real_skip]
        here = (Path(place, name) for name in files)
        paths += [path for path in here if _is_wanted(path, folder, globs) and _is_file(path)]
    for error in errors:
        messages.error(_read_error(str(error.filename), error))
    if not paths and not errors:
        reason = f"no file matches {', '.join(globs)}" if globs else "no file is HTML by its name"
        messages.error(f"no pages in {folder}: {reason}; choose files with --glob '*.page'.")
    paths.sort(key=lambda path: path.parts)
    return [Input(str(path), "file", (*parents, *path.relative_to(folder).parts)) for path in paths]


def _is_wanted(path: Path, folder: Path, globs: Sequence[str]) -> bool:
    """Return whether a file of a folder is read as a page."""
    if globs:
        below = path.relative_to(folder).as_posix()
        return any(fnmatch(below if "/" in glob else path.name, glob) for glob in globs)
    return is_page_name(path) or _is_nameless_page(path)


def _is_nameless_page(path: Path) -> bool:
    """Return whether a file has no extension, or that of a program, and starts as HTML does.

    A number, as in `page-1.2`, is no extension.
    """
    last = _suffixes(path)[-1:]
    has_other = any(
        suffix not in _PROGRAM_SUFFIXES and not suffix[1:].isdecimal() for suffix in last
    )
    if path.name.startswith(".") or has_other or not _is_file(path):
        return False
    try:
        with path.open("rb") as file:
            return _PAGE_START.match(file.read(_SNIFFED)) is not None
    except OSError:
        return False


def _is_file(path: Path) -> bool:
    """Return False for pipes and devices; True if unknown, so that reading reports the error."""
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except OSError:
        return True


def read_page(source: Input, options: ReadOptions) -> Page:
    """Read and parse one input, at most `max_bytes` of it; the status says when it was cut."""
    if source.kind != "url":
        data = read_bytes(source, options.max_bytes + 1)  # one more, so that `parse` sees the cut
        return _parsed(source, data, options.url, options.charset, options)
    fetched = _fetch(source, options)
    charset = options.charset or fetched.charset
    page = _parsed(source, fetched.body, fetched.url, charset, options)
    return _noted(page, fetched, options)


def _parsed(
    source: Input, data: bytes, url: str | None, charset: str | None, options: ReadOptions
) -> Page:
    """Parse the bytes of an input; an error has its name."""
    try:
        return parse(data, url=url, charset=charset, limits=Limits(bytes=options.max_bytes))
    except InputError as error:
        name = "standard input" if source.kind == "stdin" else source.name
        raise InputError(f"{name}: {error}") from error


@dataclass(frozen=True, slots=True)
class BrowserReader:
    """Reads inputs as `read_page` does, and loads them in a browser that all of them share.

    `network` says whether a page may load what it refers to; None: only one from an address.
    """

    browser: Browser
    rendering: RenderOptions
    network: bool | None = None

    def read_page(self, source: Input, options: ReadOptions) -> RenderedPage:
        """Read and render one input, at most `max_bytes` of its document."""
        network = source.kind == "url" if self.network is None else self.network
        rendering = replace(
            self.rendering,
            network=network,
            private=options.private,
            timeout=options.timeout,
            limits=replace(self.rendering.limits, bytes=options.max_bytes),
        )
        if source.kind == "url":
            fetched = _fetch(source, options, partial=True)
            charset = options.charset or fetched.charset
            page = self.browser.render(
                fetched.body, url=fetched.url, charset=charset, options=rendering
            )
            return _noted(page, fetched, options)
        # A file is given as such, so that its images and styles are found beside it.
        file = Path(source.name) if source.kind == "file" else None
        return self.browser.render(
            file or read_bytes(source, options.max_bytes + 1),
            url=options.url,
            charset=options.charset,
            options=rendering,
        )


def _fetch(source: Input, options: ReadOptions, *, partial: bool = False) -> Fetched:
    """Fetch an address; with `partial` take what has come when `timeout` is over."""
    return fetch(
        source.address or source.name,
        private=options.private,
        partial=partial,
        total_time=options.timeout if partial else None,
        user_agent=options.user_agent,
        timeout=options.timeout,
        max_bytes=options.max_bytes + 1,
    )


def _noted(page: AnyPage, fetched: Fetched, options: ReadOptions) -> AnyPage:
    """Return the page; if the server cut it, its status says so."""
    if not fetched.cut or len(fetched.body) > options.max_bytes:
        return page
    notes = [] if page.status == "complete" else [page.status]
    return replace(page, status="; ".join(["cut by the server", *notes]))


def read_bytes(source: Input, size: int) -> bytes:
    """Return at most `size` bytes of a file or of standard input."""
    from_stdin = source.kind == "stdin"
    if from_stdin and sys.stdin is None:
        raise InputError("cannot read standard input: it is closed.")
    try:
        with nullcontext(sys.stdin.buffer) if from_stdin else Path(source.name).open("rb") as file:
            return file.read(size)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        name = "standard input" if from_stdin else source.name
        raise InputError(_read_error(name, error)) from error


def _read_error(name: str, error: OSError | ValueError) -> str:
    reason = (getattr(error, "strerror", None) or str(error)).lower()
    if isinstance(error, FileNotFoundError):
        return f"cannot read {name}: {reason}; check the path, or put https:// before an address."
    return f"cannot read {name}: {reason}."
