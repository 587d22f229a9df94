"""A store of sites: one SQLite file that several processes can read and write at once.

    store = Store("sites.sqlite")
    with store.edit("example.org") as site:     reads the site, or gives a new one,
        site.learn(html, url=url)               and writes it back when the block ends
    store.get("example.org").extract(html)

A store maps a host to the bytes of `Site.to_bytes`. An edit is one transaction: two processes that
learn the same site wait for each other and no page is lost. When the `with` block has ended, what
was learned is on the disk and survives a kill at any moment; before that, nothing of it is. As each
edit waits for the disk, it is faster to learn several pages in one.

A file that is no store, or was written by a newer version, gives an `InputError` and is left as it
is. So does a damaged one as soon as the damage is met; other sites in it can still be used. Its
kind and version are read from the header before SQLite opens it, as SQLite would repair the file of
another program.

A site takes at most `MOST_BYTES` in the store, and in memory, however many pages it has learned.
Any object with the methods of `SiteStore` can take the place of `Store`.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from thresher.errors import InputError, UsageError
from thresher.site import site as sites
from thresher.site import template as templates
from thresher.site.site import Site

_COUNTED = 8 + 4 + 4 + 4  # bytes of a key in a table
_ROW = 2 * 8 + 4 * 4  # bytes of a row of a learned page
_CHARACTER = 6  # bytes at most of a character in JSON
_SAMPLE = templates.SAMPLE_CHARS * _CHARACTER + 200  # with its key, its kind, and what Python adds
_TEMPLATE = (
    templates.MOST_TEXTS + templates.MOST_PATHS
) * _COUNTED + templates.MOST_SAMPLES * _SAMPLE
_REFERENCE = sites.MOST_ROWS * _ROW + 2 * sites.MOST_URL * _CHARACTER
_REST = 20_000 + 8 * sites.MOST_KNOWN  # host, numbers and names; known addresses

MOST_BYTES = sites.MOST_TEMPLATES * _TEMPLATE + sites.MOST_REFERENCES * _REFERENCE + _REST

WAIT = 60.0  # seconds for another process to finish its edit

_MAGIC = b"SQLite format 3\0"
_APPLICATION = 0x54687253  # "ThrS", in the header of the file
_VERSION = 1
_APPLICATION_AT, _VERSION_AT, _HEADER_SIZE = 68, 60, 100  # bytes, sqlite.org/fileformat.html


class SiteStore(Protocol):
    """What a store can do. A host is written as in an address; `www.` and case do not matter."""

    def get(self, host: str) -> Site | None:
        """Return a site, None if nothing was learned of it."""

    def edit(self, host: str) -> AbstractContextManager[Site]:
        """Give a site, new if need be, to a `with` block, and store what it has learned there."""

    def put(self, site: Site) -> None:
        """Store a site in place of the one with its host."""

    def hosts(self) -> list[str]:
        """Return the hosts of all sites, sorted."""

    def forget(self, host: str) -> bool:
        """Remove a site; False if there was none."""


@dataclass(frozen=True, slots=True)
class Store:
    """The sites in a SQLite file.

    The file is created when a site is stored; with `create=False` it must exist already. Each call
    opens and closes the file, so a store can be shared between threads and sent to other processes.
    """

    path: Path
    create: bool = True

    def __init__(self, path: str | os.PathLike[str], *, create: bool = True) -> None:
        object.__setattr__(self, "path", Path(path))
        object.__setattr__(self, "create", create)
        self._check_file()

    def get(self, host: str) -> Site | None:
        """Return a site, None if nothing was learned of it."""
        host = host_key(host)
        with self._connection() as connection:
            return self._read(connection, host)

    @contextmanager
    def edit(self, host: str) -> Iterator[Site]:
        """Give a site, new if need be, to a `with` block, and store what it has learned there.

        Other processes wait while the block runs. After an exception nothing is stored.
        """
        host = host_key(host)
        with self._connection(write=True) as connection:
            site = self._read(connection, host) or Site(host)
            yield site
            if site.pages:
                self._write(connection, host, site)

    def put(self, site: Site) -> None:
        """Store a site in place of the one with its host."""
        host = host_key(site.host)
        with self._connection(write=True) as connection:
            self._write(connection, host, site)

    def hosts(self) -> list[str]:
        """Return the hosts of all sites, sorted."""
        with self._connection() as connection:
            return [
                str(host) for (host,) in self._run(connection, "SELECT host FROM sites ORDER BY 1")
            ]

    def forget(self, host: str) -> bool:
        """Remove a site; False if there was none."""
        host = host_key(host)
        with self._connection(write=True) as connection:
            query = "DELETE FROM sites WHERE host = ? RETURNING host"
            return bool(self._run(connection, query, host))

    # --- rows -------------------------------------------------------------------------------

    def _read(self, connection: sqlite3.Connection, host: str) -> Site | None:
        rows = self._run(connection, "SELECT data FROM sites WHERE host = ?", host)
        if not rows:
            return None
        ((data,),) = rows
        try:
            if not isinstance(data, bytes) or len(data) > MOST_BYTES:
                raise InputError("this is no site that can be read: it is too large.")
            site = Site.from_bytes(data)
            if site.host != host:
                raise InputError(f"this is the site {site.host}.")
        except InputError as error:
            raise InputError(
                f"{host} in {self.path} is damaged: forget it and learn it again ({error})"
            ) from error
        return site

    def _write(self, connection: sqlite3.Connection, host: str, site: Site) -> None:
        site.host = host
        data = site.to_bytes()
        if len(data) > MOST_BYTES:
            raise UsageError(
                f"the site {host} has {len(data):,} bytes: a site has at most {MOST_BYTES:,}."
            )
        self._run(connection, "REPLACE INTO sites (host, data) VALUES (?, ?)", host, data)

    # --- the file ---------------------------------------------------------------------------

    @contextmanager
    def _connection(self, *, write: bool = False) -> Iterator[sqlite3.Connection]:
        """Open the file for one transaction, and commit it if the block ends without exception."""
        is_new = not self._check_file()
        address = self.path.absolute().as_uri()
        address = f"{address}?mode={'rwc' if is_new else 'rw'}"
        if is_new and not write:  # nothing is stored yet, and reading does not create a file
            address = ":memory:"
        try:
            opened = sqlite3.connect(address, timeout=WAIT, isolation_level=None, uri=True)
        except sqlite3.Error as error:
            raise self._unusable(error) from error
        with closing(opened) as connection:  # closing it rolls back what was not committed
            self._run(connection, "BEGIN IMMEDIATE" if write else "BEGIN")
            ((application,),) = self._run(connection, "PRAGMA application_id")
            if application == 0:  # an empty file, or the creation of one was killed
                self._make_table(connection, temporary=not write)
            yield connection
            self._run(connection, "COMMIT")

    def _make_table(self, connection: sqlite3.Connection, *, temporary: bool) -> None:
        """Make the table of a new file; a temporary one is in memory only."""
        columns = "(host TEXT PRIMARY KEY NOT NULL, data BLOB NOT NULL)"
        self._run(connection, f"CREATE {'TEMP ' if temporary else ''}TABLE sites {columns}")
        if not temporary:
            self._run(connection, f"PRAGMA application_id = {_APPLICATION}")
            self._run(connection, f"PRAGMA user_version = {_VERSION}")

    def _check_file(self) -> bool:
        """Return False if there is no file yet or an empty one; raise if it is no store."""
        try:
            with self.path.open("rb") as file:
                header = file.read(_HEADER_SIZE)
        except FileNotFoundError as error:
            if self.create and self.path.absolute().parent.is_dir():
                return False
            hint = "learn a site first" if not self.create else "make its folder first"
            raise InputError(
                f"there is no store {self.path}: {hint}, or check the path."
            ) from error
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise InputError(f"cannot read the store {self.path}: {reason}.") from error
        if not header:
            return False
        application = int.from_bytes(header[_APPLICATION_AT : _APPLICATION_AT + 4])
        version = int.from_bytes(header[_VERSION_AT : _VERSION_AT + 4])
        if not header.startswith(_MAGIC) or application != _APPLICATION:
            raise InputError(
                f"{self.path} is no store of sites: give another file; this one is left as it is."
            )
        if version > _VERSION:
            raise InputError(
                f"{self.path} was written by a newer version of thresher: use that version, or "
                "another file; this one is left as it is."
            )
        return True

    def _run(self, connection: sqlite3.Connection, query: str, *values: object) -> list[Any]:
        try:
            return connection.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise self._unusable(error) from error

    def _unusable(self, error: sqlite3.Error) -> InputError:
        """Return the exception for a file that SQLite cannot use."""
        if getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY:
            return InputError(
                f"{self.path} is in use by another process for {WAIT:.0f} seconds: try again later."
            )
        if not isinstance(error, sqlite3.OperationalError) or "no such" in str(error):
            return InputError(
                f"the store {self.path} is damaged ({error}): restore a copy, or learn into "
                "another file; this one is left as it is."
            )
        return InputError(f"cannot use the store {self.path}: {error}.")


def host_key(host: str) -> str:
    """Return the host under which a site is stored: in lower case, without `www.`."""
    key = host.strip().lower().removeprefix("www.")
    if not key or len(key) > sites.MOST_HOST:
        raise UsageError(
            f"{host[:80]!r} is no host: give one such as example.org, with at most "
            f"{sites.MOST_HOST} characters."
        )
    return key
