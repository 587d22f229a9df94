"""Run methods and peers over corpora: all cores, bounded memory, nothing computed twice.

A page is read and parsed once for all methods; the time of a method is that of the parse, its own
and that of writing the text. Results are kept in a small SQLite file under a key made of the page,
its gold text, the tool and its version (for methods: of our source), so a second run only looks
them up.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import time
from collections import deque
from collections.abc import Callable, Container, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from itertools import islice
from multiprocessing import active_children, get_context
from pathlib import Path
from typing import Any

import thresher
from thresher import methods
from thresher.decode import decode
from thresher.errors import InputError, UsageError
from thresher.evaluate import corpora, peers
from thresher.evaluate.corpora import GoldPage
from thresher.evaluate.results import PageResult, Results
from thresher.evaluate.scores import score_text
from thresher.page import Method, Page
from thresher.parse import parse

__all__ = ["Tools", "evaluate"]

_AHEAD = 16  # pages under way for each process


@dataclass(frozen=True, slots=True)
class Tools:
    """What is measured: expressions of methods, and names of peers."""

    methods: tuple[str, ...] = ()
    peers: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse names that cannot be run, before any page is read."""
        for expression in self.methods:
            methods.read(expression)
        for name in self.peers:
            peers.peer(name)

    def __bool__(self) -> bool:
        return bool(self.methods or self.peers)

    def without(self, known: Container[str]) -> Tools:
        """Return those that are not known yet."""
        return Tools(
            tuple(name for name in self.methods if name not in known),
            tuple(name for name in self.peers if name not in known),
        )

    def keys(self) -> dict[str, str]:
        """Return each tool with all that decides its results: for peers also how we call them."""
        ours = source_digest("evaluate", "decode.py", "text.py")
        return self.versions() | {n: f"{peers.peer_version(n)} {ours}" for n in self.peers}

    def versions(self) -> dict[str, str]:
        """Return each tool with what decides its results: its version, for methods our source."""
        ours = source_digest()
        return dict.fromkeys(self.methods, ours) | {
            name: peers.peer_version(name) for name in self.peers
        }


@cache
def source_digest(*parts: str) -> str:
    """Return a digest of our source, or of parts of it: results are kept for the same code."""
    digest = hashlib.sha256()
    home = Path(thresher.__file__).parent
    for path in sorted(home.rglob("*.py")):
        if not parts or path.relative_to(home).parts[0] in parts:
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@contextmanager
def _pool(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Give worker processes; when the work is broken off, they are not waited for."""
    pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"))
    try:
        yield pool
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in active_children():
            process.kill()
        raise
    pool.shutdown()


def evaluate(
    paths: Sequence[Path],
    tools: Tools,
    *,
    jobs: int | None = None,
    cache_path: Path | None = None,
    limit: int | None = None,
    progress: Callable[[int], object] = lambda _: None,
) -> Results:
    """Measure all tools on all pages of the corpora.

    `limit` takes only the first pages of each corpus; `progress` is called with the number of pages
    that are done. Without `cache_path` nothing is kept.
    """
    found: list[PageResult] = []
    names = [corpora.name_of(path) for path in paths]
    if len(set(names)) < len(names):
        raise UsageError("two corpora have the same name: measure them one at a time.")
    store = _Store(cache_path)
    try:
        for path in paths:
            name = corpora.name_of(path)
            pages = islice(corpora.read(path), limit)
            for results in _results(name, pages, tools, store, jobs or os.cpu_count() or 1):
                found += results
                progress(1)
            if not any(result.corpus == name for result in found):
                raise InputError(f"{path} has no pages.")
    finally:
        store.close()
    return Results(tuple(found), tools.versions())


Entry = dict[str, Any]  # what is kept of one tool on one page
# a page, the keys of its entries by tool, those that are known, and the work on the others
_Started = tuple[GoldPage, dict[str, str], dict[str, Entry], Future[dict[str, Entry]]]


def _results(
    corpus: str, pages: Iterator[GoldPage], tools: Tools, store: _Store, jobs: int
) -> Iterator[list[PageResult]]:
    """Give the results page by page, in the order of the corpus; so many pages are under way."""
    versions = tools.keys()
    with _pool(jobs) as pool:

        def start(page: GoldPage) -> _Started:
            keys = {tool: _key(page, tool, version) for tool, version in versions.items()}
            kept = {tool: entry for tool, key in keys.items() if (entry := store.get(key))}
            new = tools.without(kept)
            return page, keys, kept, pool.submit(measure, page, new) if new else _nothing()

        def finish(started: _Started) -> list[PageResult]:
            page, keys, kept, work = started
            for tool, entry in work.result().items():
                store.put(keys[tool], entry)
                kept[tool] = entry
            return [_result(corpus, page, tool, kept[tool]) for tool in versions]

        waiting = deque(map(start, islice(pages, _AHEAD * jobs)))
        while waiting:
            yield finish(waiting.popleft())
            waiting.extend(map(start, islice(pages, 1)))


def _nothing() -> Future[dict[str, Entry]]:
    """Work that is done: all is known."""
    work: Future[dict[str, Entry]] = Future()
    work.set_result({})
    return work


def measure(page: GoldPage, tools: Tools) -> dict[str, Entry]:
    """Run every tool on one page; a tool that fails gets an empty text and its error."""
    html = decode(page.html)[0]
    start = time.process_time()
    parsed = parse(html)
    parse_time = time.process_time() - start
    entries = {}
    for expression in tools.methods:
        call = partial(_method_text, methods.read(expression), _fresh(parsed))
        entries[expression] = _entry(page, html, parse_time, call)
    for name in tools.peers:
        entries[name] = _entry(page, html, 0.0, partial(_peer(name), html))
    return entries


def _method_text(method: Method, page: Page) -> str:
    return method(page).text()


def _fresh(page: Page) -> Page:
    """Return the same page without the views that another method has made."""
    fresh = Page(**page.__getstate__())
    fresh.__dict__["nodes"] = page.nodes
    return fresh


@cache
def _peer(name: str) -> peers.Peer:
    return peers.peer(name)


def _entry(page: GoldPage, html: str, spent: float, call: Callable[[], str]) -> Entry:
    start = time.process_time()
    error = ""
    try:
        text = call()
    except Exception as failure:
        text, error = "", f"{type(failure).__name__}: {failure}"[:200]
    seconds = time.process_time() - start + spent
    return {
        "scores": score_text(text, page.text, page.must_have, page.must_not_have),
        "milliseconds": 1000 * seconds,
        "characters": len(html),
        "error": error,
    }


def _result(corpus: str, page: GoldPage, tool: str, entry: Entry) -> PageResult:
    return PageResult(
        corpus=corpus, page=page.id, tool=tool, site=page.site, lang=page.lang, kind=page.kind,
        **entry,
    )  # fmt: skip


# --- what is known already -----------------------------------------------------------------------


def _key(page: GoldPage, tool: str, version: str) -> str:
    digest = hashlib.sha256(page.html + b"\0%d\0" % len(page.html))
    for part in (page.text, *page.must_have, "", *page.must_not_have, "", tool, version):
        digest.update(part.encode("utf-8", "surrogatepass") + b"\0")
    return digest.hexdigest()


class _Store:
    """Entries by key in an SQLite file, or in none."""

    def __init__(self, path: Path | None) -> None:
        self._database: sqlite3.Connection | None = None
        if path is None:
            return
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._database = sqlite3.connect(path, isolation_level=None)
            self._database.execute("PRAGMA journal_mode=WAL")
            self._database.execute(
                "CREATE TABLE IF NOT EXISTS entry (key TEXT PRIMARY KEY, value TEXT NOT NULL)"
            )
        except (OSError, sqlite3.Error) as error:
            raise InputError(
                f"cannot keep results in {path}: give another --cache, or --no-cache."
            ) from error

    def get(self, key: str) -> Entry | None:
        if self._database is None:
            return None
        row = self._database.execute("SELECT value FROM entry WHERE key = ?", (key,)).fetchone()
        return json.loads(row[0]) if row else None

    def put(self, key: str, entry: Entry) -> None:
        if self._database is not None:
            self._database.execute(
                "INSERT OR REPLACE INTO entry VALUES (?, ?)", (key, json.dumps(entry))
            )

    def close(self) -> None:
        if self._database is not None:
            self._database.close()
