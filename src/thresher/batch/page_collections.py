"""Collections of pages with their addresses, and the site of each page.

A collection is one of these; its pages are read one at a time:

- A folder: all pages below it (see `thresher.batch.sources`). If one of its folders, or the folder
  itself, is named after a host, as `wget --mirror` names them, the address is `https://HOST/PATH`.
- Parquet and JSON Lines: the columns html, url and site; one of the last two may be missing.
- WARC: the responses with status 200 that are HTML.
"""

from __future__ import annotations

import codecs
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from thresher import metadata
from thresher.batch.messages import Messages
from thresher.batch.sources import Input, ReadOptions, find_inputs, read_bytes
from thresher.errors import InputError
from thresher.page import Page
from thresher.page.addresses import without_password
from thresher.page.decode import fits
from thresher.page.parse import Limits, parse
from thresher.site.related import host_of
from thresher.site.site import MOST_HOST, Site
from thresher.site.store import SiteStore

if TYPE_CHECKING:
    from fastwarc.warc import WarcRecord

_HOST_NAME = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z]", re.I)
_HTML_TYPES = ("text/html", "application/xhtml+xml")
_MOST_SITES = 20  # in memory
_ROWS_AT_ONCE = 32  # of a Parquet file, in memory


@dataclass(frozen=True, slots=True)
class StoredPage:
    """A page of a collection, not parsed yet."""

    name: str  # where it is, for messages
    html: bytes
    url: str = ""  # "" if it is not known
    site: str = ""
    charset: str | None = None  # as the server said

    def parse(self) -> Page:
        """Return the page in columns; an address that is none is left out.

        Raises `InputError` if it is no page.
        """
        limits = Limits(bytes=ReadOptions().max_bytes)
        url = self.url if host_of(self.url) else None
        try:
            return parse(self.html, url=url, charset=self.charset, limits=limits)
        except InputError as error:
            raise InputError(f"{self.name}: {error}") from error

    def host(self) -> str:
        """Return the host: of its address, else `site`, else of its canonical link; "" if none."""
        return host_of(self.url) or self.site or canonical_host(self.parse())


def canonical_host(page: Page) -> str:
    """Return the host of the address that a page names as its own, "" if it names none."""
    return host_of(metadata.read(page).canonical.value)


def host_in_path(path: Path) -> str:
    """Return the host that a folder of a path is named after, "" if there is none."""
    return host_of(_address_of_path(path))


def _address_of_path(path: Path) -> str:
    """Return `https://HOST/PATH` for a path with a folder named like a host, else ""."""
    folders = path.parts[:-1]
    named = (at for at, part in enumerate(folders) if _HOST_NAME.fullmatch(part))
    at = next(named, len(folders))
    return f"https://{quote('/'.join(path.parts[at:]))}" if at < len(folders) else ""


@dataclass
class SitesOfPages:
    """Finds the site of each page in a store, and counts the pages without one."""

    store: SiteStore
    host: str | None = None  # of pages without an address
    found: dict[str, Site | None] = field(default_factory=dict)  # by host
    nameless: int = 0  # pages whose host is not known
    unknown: Counter[str] = field(default_factory=Counter)  # pages of each host not in the store

    def of(self, page: Page, source: Input) -> Site | None:
        """Return the site of a page; None if its host is not known, or not in the store.

        The host of a page without an address is `host`, else that after which a folder around it
        is named, else that of its canonical link.
        """
        host = host_of(page.url or "") or self.host
        if not host and source.kind == "file":
            host = host_in_path(Path(source.name))
        host = host or canonical_host(page)
        if not host or len(host) > MOST_HOST:
            self.nameless += 1
            return None
        if host not in self.found:
            if len(self.found) >= _MOST_SITES:
                self.found.clear()
            self.found[host] = self.store.get(host)
        site = self.found[host]
        if site is None:
            self.unknown[host] += 1
        return site


def read_collection(
    path: Path, messages: Messages, globs: Sequence[str] = ()
) -> Iterator[StoredPage]:
    """Yield the pages of a collection; a page that cannot be read is reported and skipped.

    `globs` choose the files of a folder.
    """
    name = path.name.lower()
    if path.is_dir():
        return _read_folder(path, messages, globs)
    if not path.exists():
        raise InputError(f"there is no {path}: give a folder, or a {_KINDS} file.")
    if name.endswith(".parquet"):
        return _read_parquet(path, messages)
    if name.endswith((".jsonl", ".ndjson")):
        return _read_json_lines(path, messages)
    if name.endswith((".warc", ".warc.gz")):
        return _read_warc(path)
    raise InputError(f"cannot tell what {path} is: give a folder, or a {_KINDS} file.")


_KINDS = ".parquet, .jsonl, .warc or .warc.gz"


def page_count(path: Path, globs: Sequence[str] = ()) -> int | None:
    """Return the number of pages of a collection without reading them; None if it is not known."""
    try:
        if path.is_dir():
            return len(find_inputs((str(path),), Messages(quiet=True), globs=globs))
        if path.name.lower().endswith(".parquet"):
            from pyarrow import parquet

            return int(parquet.read_metadata(path).num_rows)
        if path.name.lower().endswith((".jsonl", ".ndjson")):
            with path.open("rb") as lines:
                return sum(not line.isspace() for line in lines)
    except (ImportError, OSError, ValueError):  # `read_collection` says what is wrong
        return None
    return None


def _read_folder(folder: Path, messages: Messages, globs: Sequence[str]) -> Iterator[StoredPage]:
    named = Path(folder.resolve().name)
    for source in find_inputs((str(folder),), messages, globs=globs):
        try:
            html = read_bytes(source, ReadOptions().max_bytes + 1)
        except InputError as error:
            messages.error(str(error))
            continue
        yield StoredPage(source.name, html, _address_of_path(named.joinpath(*source.parts)))


def _read_parquet(path: Path, messages: Messages) -> Iterator[StoredPage]:
    try:
        import pyarrow as arrow
        from pyarrow import parquet
    except ImportError as error:
        raise InputError("Parquet needs pyarrow: pip install 'thresher[batch]'.") from error
    try:
        with parquet.ParquetFile(path) as file:
            columns = [name for name in ("html", "url", "site") if name in file.schema_arrow.names]
            if "html" not in columns:
                raise InputError(f"{path} lacks a column html: it should have html and url.")
            number = 0
            for batch in file.iter_batches(_ROWS_AT_ONCE, columns=columns):
                for row in batch.to_pylist():
                    number += 1
                    yield from _page_of_row(row, f"{path}, row {number}", messages)
    except (OSError, arrow.ArrowException) as error:
        raise InputError(f"cannot read {path}: it is not a Parquet file, or damaged.") from error


def _read_json_lines(path: Path, messages: Messages) -> Iterator[StoredPage]:
    try:
        with path.open(encoding="utf-8-sig", errors="replace") as lines:
            for number, line in enumerate(lines, 1):
                if not line.strip():
                    continue
                where = f"{path}, line {number}"
                try:
                    row = json.loads(line)
                except (ValueError, RecursionError):
                    messages.error(f"{where}: this is not JSON.")
                    continue
                yield from _page_of_row(row, where, messages)
    except OSError as error:
        reason = (error.strerror or "unknown error").lower()
        raise InputError(f"cannot read {path}: {reason}.") from error


def _page_of_row(row: Any, where: str, messages: Messages) -> Iterator[StoredPage]:
    """Yield the page of a record, or report what it lacks."""
    html = row.get("html") if isinstance(row, dict) else None
    if not isinstance(html, str | bytes):
        messages.error(f"{where} has no page: a text or bytes named html are wanted.")
        return
    if isinstance(html, str):  # the byte order mark overrides a charset in `<meta>`
        html = codecs.BOM_UTF8 + html.encode("utf-8", "replace")
    texts = [value if isinstance(value := row.get(name), str) else "" for name in ("url", "site")]
    yield StoredPage(where, html, *texts)


def _read_warc(path: Path) -> Iterator[StoredPage]:
    try:
        from fastwarc.warc import ArchiveIterator, WarcRecordType
    except ImportError as error:
        raise InputError("WARC files need fastwarc: pip install 'thresher[batch]'.") from error
    try:
        with path.open("rb") as file:
            kinds = WarcRecordType.response
            for record in ArchiveIterator(file, record_types=kinds, auto_decode="all"):
                yield from _page_of_record(record, path)
    except OSError as error:
        reason = (error.strerror or str(error) or "unknown error").lower()
        raise InputError(f"cannot read {path} as WARC: {reason}.") from error


def _page_of_record(record: WarcRecord, path: Path) -> Iterator[StoredPage]:
    """Yield the page of a response, unless it is no page or was not found."""
    url = record.headers.get("WARC-Target-URI") or ""
    if not url or not record.is_http or record.http_headers.status_code != 200:
        return
    if record.http_content_type in _HTML_TYPES:
        html = record.reader.read(ReadOptions().max_bytes + 1)
        charset = record.http_charset
        known = charset if charset and fits(charset, html) else None
        yield StoredPage(f"{path}, {without_password(url)}", html, url, "", known)
