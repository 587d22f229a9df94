"""Run methods and peers over corpora: on all cores, in bounded memory, and nothing twice.

A page is read and parsed once for all methods; the time of a method is that of the parse, its own,
and that of writing the text. Each process runs every tool once before it takes a page, so no page
pays for imports and tables.

Results are kept in an SQLite file, by a key made of the page, its gold text, the tool and its
version (for methods: our source, what it computes with, and the files that its options name), so a
second run only looks them up. Failures are not kept. Results of other versions are dropped after
each run, so the file stays as large as the results of one version of everything.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import signal
import sqlite3
import time
from collections import deque
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import version
from itertools import islice
from multiprocessing import active_children, get_context
from pathlib import Path
from typing import Any

import thresher
from thresher.errors import InputError
from thresher.evaluate import corpora, peers
from thresher.evaluate.corpora import GoldPage
from thresher.evaluate.results import PageResult, Results, WorstPage
from thresher.evaluate.scores import score_text
from thresher.methods import combine
from thresher.methods.combine import Combination
from thresher.page import Method, Page
from thresher.page.decode import decode
from thresher.page.parse import parse

Entry = dict[str, Any]  # what is kept of one tool on one page: fields of PageResult

_AHEAD = 16  # pages in work for each process


@dataclass(frozen=True, slots=True)
class Tools:
    """The tools to measure: expressions of methods and names of peers, each once."""

    methods: tuple[str, ...] = ()
    peers: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Write the expressions in their plain form; refuse tools that cannot be run."""
        once = dict.fromkeys(combine.read(expression) for expression in self.methods)
        object.__setattr__(self, "methods", tuple(map(combine.write, once)))
        object.__setattr__(self, "peers", tuple(dict.fromkeys(self.peers)))
        for name in self.peers:
            peers.peer(name)

    def __bool__(self) -> bool:
        return bool(self.methods or self.peers)

    def without(self, known: Container[str]) -> Tools:
        """Return the tools that are not in `known`."""
        return Tools(
            tuple(name for name in self.methods if name not in known),
            tuple(name for name in self.peers if name not in known),
        )

    def keys(self) -> dict[str, str]:
        """Return for each tool a text of all that decides its results, but for its files."""
        return dict.fromkeys(self.methods, method_key()) | {n: peer_key(n) for n in self.peers}

    def versions(self) -> dict[str, str]:
        """Return the version of each tool; for methods a digest of our source."""
        ours = dict.fromkeys(self.methods, source_digest())
        return ours | {name: peers.peer_version(name) for name in self.peers}


# --- what decides a result -----------------------------------------------------------------------


@cache
def source_digest(*parts: str) -> str:
    """Return a digest of our source and tables, or of some files and folders of them."""
    digest = hashlib.sha256()
    home = Path(thresher.__file__).parent
    for path in sorted(home.rglob("*")):
        own = path.relative_to(home)
        chosen = not parts or any(own.is_relative_to(part) for part in parts)
        if chosen and "__pycache__" not in own.parts and path.is_file():
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def method_key() -> str:
    """Return what decides the results of all methods: our code, and what it computes with."""
    used = " ".join(f"{name} {version(name)}" for name in ("turbohtml", "numpy"))
    return f"{source_digest()} {used} python {platform.python_version()}"


def peer_key(name: str) -> str:
    """Return what decides the results of a peer: its version, and how we call and score it."""
    ours = source_digest("evaluate", "page/decode.py", "page/words.py")
    return f"{peers.peer_version(name)} {ours}"


def files_digest(method: Method) -> str:
    """Return a digest of the files that options of a method or of its parts name, "" for none.

    A model that was trained again has the same path and gives other results.
    """
    if isinstance(method, Combination):
        return "".join(map(files_digest, method.parts))
    found = ""
    for name in getattr(method, "__dataclass_fields__", ()):
        option = getattr(method, name)
        if isinstance(option, str):
            with suppress(OSError, ValueError):  # most are not paths
                found += hashlib.sha256(Path(option).read_bytes()).hexdigest()
    return found


def result_key(page: GoldPage, tool: str, decided_by: str) -> str:
    """Return a digest of all that decides a result."""
    digest = hashlib.sha256(page.html + b"\0%d\0" % len(page.html))
    for part in (page.text, *page.must_have, "", *page.must_not_have, "", tool, decided_by):
        digest.update(part.encode("utf-8", "surrogatepass") + b"\0")
    return digest.hexdigest()


class Store:
    """Entries by key in an SQLite file, or in memory when there is no path."""

    def __init__(self, path: Path | None) -> None:
        try:
            if path is not None:
                path.parent.mkdir(parents=True, exist_ok=True)
            self._database = sqlite3.connect(path or ":memory:", isolation_level=None)
            self._database.execute("PRAGMA journal_mode=WAL")
            self._database.execute(
                "CREATE TABLE IF NOT EXISTS result (key TEXT PRIMARY KEY, tool TEXT NOT NULL, "
                "version TEXT NOT NULL, value TEXT NOT NULL)"
            )
        except (OSError, sqlite3.Error) as error:
            raise InputError(
                f"cannot keep results in {path}: give another --cache, or --no-cache."
            ) from error

    def get(self, key: str) -> Entry | None:
        """Return the entry of a key, None if there is none."""
        row = self._database.execute("SELECT value FROM result WHERE key = ?", (key,)).fetchone()
        return json.loads(row[0]) if row else None

    def put(self, key: str, tool: str, version: str, entry: Entry) -> None:
        """Keep an entry, unless the tool failed: next time it may not."""
        if not entry["error"]:
            self._database.execute(
                "INSERT OR REPLACE INTO result VALUES (?, ?, ?, ?)",
                (key, tool, version, json.dumps(entry)),
            )

    def prune(self, methods_version: str, peer_versions: Mapping[str, str]) -> None:
        """Drop the entries of other versions, of all methods and of the peers that are named."""
        marks = ", ".join("?" * len(peer_versions))
        self._database.execute(
            f"DELETE FROM result WHERE version <> ? AND tool NOT IN ({marks})",
            (methods_version, *peer_versions),
        )
        self._database.executemany(
            "DELETE FROM result WHERE tool = ? AND version <> ?", peer_versions.items()
        )

    def close(self) -> None:
        """Close the file."""
        self._database.close()


# --- worker processes ----------------------------------------------------------------------------


@contextmanager
def _pool(jobs: int, tools: Tools) -> Iterator[ProcessPoolExecutor]:
    """Give worker processes; on an exception they are killed, not waited for."""
    others = set(active_children())
    context = get_context("spawn")
    pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=_warm_up, initargs=(tools,))
    try:
        yield pool
    except BaseException:
        with _interrupts_blocked():  # a second Ctrl-C would leave one alive, and we would wait
            for process in set(active_children()) - others:
                process.kill()
            pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown()


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Delay Ctrl-C; processes started meanwhile never get it, since only we handle it."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_WARM_UP = """<title>Tea</title><nav><a href="/">Home</a> <a href="/teas">Teas</a></nav>
<article><h1>Tea</h1><p>Steep the leaves for <b>three</b> minutes, just off the boil.</p>
<ul><li>milk</li><li>sugar</li></ul><table><tr><th>tea</th><td>茶 چای чай</td></tr></table>
<pre>boil</pre><blockquote>More tea.</blockquote></article><footer>Imprint</footer>"""


def _warm_up(tools: Tools) -> None:
    """Run every tool on a small page, so that the first real page does not pay for imports."""
    measure(GoldPage("warm-up", _WARM_UP.encode(), "Steep the leaves"), tools)


# --- the run -------------------------------------------------------------------------------------


def evaluate(
    paths: Sequence[Path],
    tools: Tools,
    *,
    jobs: int | None = None,
    cache_path: Path | None = None,
    limit: int | None = None,
    sampled: bool = False,
    corrected: bool = False,
    progress: Callable[[int], object] = lambda _: None,
) -> Results:
    """Measure all tools on all pages of the corpora.

    `limit` takes only the first pages of each corpus, or with `sampled` as many drawn with a fixed
    seed. With `corrected`, pages have our corrections of their gold text. `progress` is called with
    the number of pages done. Without `cache_path` nothing is kept.
    """
    found: list[PageResult] = []
    names = corpora.distinct_names(paths)
    store = Store(cache_path)
    try:
        for name, path in zip(names, paths, strict=True):
            read = corpora.read_sample if sampled else corpora.read_first
            pages = read(path, limit, corrected=corrected)
            before = len(found)
            for results in _results(name, pages, tools, store, jobs or os.cpu_count() or 1):
                found += results
                progress(1)
            if len(found) == before:
                raise InputError(f"{path} has no pages.")
        store.prune(method_key(), {name: peer_key(name) for name in peers.names()})
    finally:
        store.close()
    return Results(tuple(found), tools.versions())


# a page, the keys of its entries by tool, the entries that are known, the work on the others
_Started = tuple[GoldPage, dict[str, str], dict[str, Entry], Future[dict[str, Entry]]]


def _results(
    corpus: str, pages: Iterator[GoldPage], tools: Tools, store: Store, jobs: int
) -> Iterator[list[PageResult]]:
    """Yield the results page by page, in the order of the corpus, with `_AHEAD` pages in work."""
    versions = tools.keys()
    files = {name: files_digest(combine.read(name)) for name in tools.methods}
    decided_by = {tool: key + files.get(tool, "") for tool, key in versions.items()}
    with _pool(jobs, tools) as pool:

        def start(page: GoldPage) -> _Started:
            keys = {tool: result_key(page, tool, text) for tool, text in decided_by.items()}
            known = {tool: entry for tool, key in keys.items() if (entry := store.get(key))}
            new = tools.without(known)
            work: Future[dict[str, Entry]] = Future()
            if new:
                with _interrupts_blocked():
                    work = pool.submit(measure, page, new)
            else:
                work.set_result({})
            return page, keys, known, work

        def finish(started: _Started) -> list[PageResult]:
            page, keys, entries, work = started
            for tool, entry in work.result().items():
                store.put(keys[tool], tool, versions[tool], entry)
                entries[tool] = entry
            return [
                PageResult(corpus, page.id, tool, page.site, page.lang, page.kind, **entries[tool])
                for tool in versions
            ]

        waiting = deque(map(start, islice(pages, _AHEAD * jobs)))
        while waiting:
            yield finish(waiting.popleft())
            waiting.extend(map(start, islice(pages, 1)))


def measure(page: GoldPage, tools: Tools) -> dict[str, Entry]:
    """Run every tool on one page; a tool that fails gets an empty text and its error."""
    html = decode(page.html)[0]
    start = time.process_time()
    parsed = parse(html)
    parse_time = time.process_time() - start
    entries = {}
    for expression in tools.methods:
        fresh = replace(parsed)  # without the views that another method has made
        fresh.prefill(nodes=parsed.nodes)
        method = combine.read(expression)
        entries[expression] = _entry(page, html, parse_time, _method_text, method, fresh)
    for name in tools.peers:
        entries[name] = _entry(page, html, 0.0, _peer(name), html)
    return entries


def _method_text(method: Method, page: Page) -> str:
    return method(page).text()


@cache
def _peer(name: str) -> peers.Peer:
    return peers.peer(name)


def _entry(
    page: GoldPage, html: str, spent: float, tool: Callable[..., str], *arguments: Any
) -> Entry:
    """Call a tool, and return its scores, its time together with what was `spent`, its error."""
    start = time.process_time()
    error = ""
    try:
        text = tool(*arguments)
    except Exception as failure:
        text, error = "", f"{type(failure).__name__}: {failure}"[:200]
    seconds = time.process_time() - start + spent
    return {
        "scores": score_text(text, page.text, page.must_have, page.must_not_have),
        "milliseconds": 1000 * seconds,
        "characters": len(html),
        "error": error,
    }


# --- the worst pages -----------------------------------------------------------------------------

_WORST_PAGES = 5  # of each corpus and tool
_BEST_TOOLS = 4  # of each corpus: their failures teach most


def worst_pages(
    results: Results, paths: Sequence[Path], limit: int | None, *, corrected: bool = False
) -> list[WorstPage]:
    """Extract again the pages on which the best tools of each corpus did worst."""
    wanted: dict[tuple[str, str], list[PageResult]] = {}
    rows = sorted(results.rows(), key=lambda row: -row.means["bag_f1"].value)
    for corpus in map(corpora.name_of, paths):
        for tool in [row.tool for row in rows if row.corpus == corpus][:_BEST_TOOLS]:
            pages = [page for page in results.pages if (page.corpus, page.tool) == (corpus, tool)]
            for page in sorted(pages, key=_bag_f1)[:_WORST_PAGES]:
                wanted.setdefault((corpus, page.page), []).append(page)
    found = []
    for path in paths:
        for gold in corpora.read_first(path, limit, corrected=corrected):
            for page in wanted.get((corpora.name_of(path), gold.id), ()):
                text = _text(page.tool, decode(gold.html)[0])
                found.append(
                    WorstPage(page.corpus, page.page, page.tool, _bag_f1(page), gold.text, text)
                )
    return sorted(found, key=lambda page: (page.corpus, page.tool, page.f1))


def _bag_f1(page: PageResult) -> float:
    return page.scores["bag_f1"] or 0.0


def _text(tool: str, html: str) -> str:
    """Return the text that a tool extracts, "" if it fails."""
    try:
        if tool in peers.names():
            return _peer(tool)(html)
        return _method_text(combine.read(tool), parse(html))
    except Exception:
        return ""
