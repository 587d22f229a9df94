"""What is known already: results by key in an SQLite file, for the same page, gold, tool and code.

An entry also says whose it is (`tool`) and by which code it was made (`version`). Code that is
gone never asks for its entries again, so they are dropped after each run: the file stays as large
as the results of one version of everything.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from thresher.errors import InputError
from thresher.evaluate.corpora import GoldPage
from thresher.methods.combine import Combination
from thresher.page import Method

Entry = dict[str, Any]  # what is kept of one tool on one page

_TABLE = """CREATE TABLE IF NOT EXISTS result (
    key TEXT PRIMARY KEY, tool TEXT NOT NULL, version TEXT NOT NULL, value TEXT NOT NULL)"""


def key_of(page: GoldPage, tool: str, version: str) -> str:
    """Return a digest of all that decides a result."""
    digest = hashlib.sha256(page.html + b"\0%d\0" % len(page.html))
    for part in (page.text, *page.must_have, "", *page.must_not_have, "", tool, version):
        digest.update(part.encode("utf-8", "surrogatepass") + b"\0")
    return digest.hexdigest()


def files_digest(method: Method) -> str:
    """Return a digest of the files that options of a method or of its parts name, "" for none.

    A model that was trained again has the same path, and finds something else.
    """
    if isinstance(method, Combination):
        return "".join(map(files_digest, method.parts))
    found = ""
    for name in getattr(method, "__dataclass_fields__", ()):
        option = getattr(method, name)
        if isinstance(option, str):
            with suppress(OSError, ValueError):  # most are no path
                found += hashlib.sha256(Path(option).read_bytes()).hexdigest()
    return found


class Store:
    """Entries by key in an SQLite file, or in none."""

    def __init__(self, path: Path | None) -> None:
        self._database: sqlite3.Connection | None = None
        if path is None:
            return
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._database = sqlite3.connect(path, isolation_level=None)
            self._database.execute("PRAGMA journal_mode=WAL")
            self._database.execute(_TABLE)
            self._database.execute("DROP TABLE IF EXISTS entry")  # of before versions were kept
        except (OSError, sqlite3.Error) as error:
            raise InputError(
                f"cannot keep results in {path}: give another --cache, or --no-cache."
            ) from error

    def get(self, key: str) -> Entry | None:
        """Return what is known under a key."""
        if self._database is None:
            return None
        row = self._database.execute("SELECT value FROM result WHERE key = ?", (key,)).fetchone()
        return json.loads(row[0]) if row else None

    def put(self, key: str, tool: str, version: str, entry: Entry) -> None:
        """Keep an entry, unless the tool failed: next time it may not."""
        if self._database is not None and not entry["error"]:
            self._database.execute(
                "INSERT OR REPLACE INTO result VALUES (?, ?, ?, ?)",
                (key, tool, version, json.dumps(entry)),
            )

    def prune(self, methods_version: str, peer_versions: Mapping[str, str]) -> None:
        """Drop what other versions made: of all methods, and of the peers that are named."""
        if self._database is None:
            return
        marks = ", ".join("?" * len(peer_versions))
        self._database.execute(
            f"DELETE FROM result WHERE version <> ? AND tool NOT IN ({marks})",
            (methods_version, *peer_versions),
        )
        for tool, version in peer_versions.items():
            self._database.execute(
                "DELETE FROM result WHERE tool = ? AND version <> ?", (tool, version)
            )

    def close(self) -> None:
        """Close the file."""
        if self._database is not None:
            self._database.close()
