"""Run methods and peers over corpora: all cores, bounded memory, nothing computed twice.

A page is read and parsed once for all methods; the time of a method is that of the parse, its own
and that of writing the text. Each process runs every tool once before it takes a page, so that no
page pays for imports and tables. Results are kept in a small SQLite file (see `cache`) under a key
made of the page, its gold text, the tool and its version (for methods: of our source and of what it
computes with, and of the files that its options name), so a second run only looks them up. Failures
are not kept.
"""

from __future__ import annotations

import hashlib
import os
import platform
import signal
import time
from collections import deque
from collections.abc import Callable, Container, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from importlib.metadata import version
from itertools import islice
from multiprocessing import active_children, get_context
from pathlib import Path

import thresher
from thresher.errors import InputError, UsageError
from thresher.evaluate import corpora, peers
from thresher.evaluate.cache import Entry, Store, files_digest, key_of
from thresher.evaluate.corpora import GoldPage
from thresher.evaluate.results import PageResult, Results
from thresher.evaluate.scores import score_text
from thresher.methods import combine
from thresher.page import Method, Page
from thresher.page.decode import decode
from thresher.page.parse import parse

_AHEAD = 16  # pages under way for each process


@dataclass(frozen=True, slots=True)
class Tools:
    """What is measured: expressions of methods, and names of peers; each once, in plain form."""

    methods: tuple[str, ...] = ()
    peers: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse names that cannot be run, before any page is read."""
        once = dict.fromkeys(combine.read(expression) for expression in self.methods)
        object.__setattr__(self, "methods", tuple(map(combine.write, once)))
        object.__setattr__(self, "peers", tuple(dict.fromkeys(self.peers)))
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
        """Return each tool with all that decides its results."""
        return dict.fromkeys(self.methods, method_key()) | {n: peer_key(n) for n in self.peers}

    def versions(self) -> dict[str, str]:
        """Return each tool with what decides its results: its version, for methods our source."""
        ours = source_digest()
        return dict.fromkeys(self.methods, ours) | {
            name: peers.peer_version(name) for name in self.peers
        }


@cache
def source_digest(*parts: str) -> str:
    """Return a digest of our source and tables, or of parts of them."""
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
    return (
        f"{peers.peer_version(name)} {source_digest('evaluate', 'page/decode.py', 'page/words.py')}"
    )


@contextmanager
def _pool(jobs: int, tools: Tools) -> Iterator[ProcessPoolExecutor]:
    """Give worker processes; when the work is broken off, they are not waited for."""
    others = set(active_children())
    context = get_context("spawn")
    pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=_warm, initargs=(tools,))
    try:
        yield pool
    except BaseException:
        with _deaf():  # a second Ctrl-C must not leave one of them alive, or we would wait for it
            for process in set(active_children()) - others:
                process.kill()
            pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown()


@contextmanager
def _deaf() -> Iterator[None]:
    """Put Ctrl-C off; processes that are started meanwhile never hear it: it is for us."""
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


def _warm(tools: Tools) -> None:
    """Run every tool on a small page, so that the first real page does not pay for imports."""
    measure(GoldPage("warm-up", _WARM_UP.encode(), "Steep the leaves"), tools)


def evaluate(
    paths: Sequence[Path],
    tools: Tools,
    *,
    jobs: int | None = None,
    cache_path: Path | None = None,
    limit: int | None = None,
    drawn: bool = False,
    progress: Callable[[int], object] = lambda _: None,
) -> Results:
    """Measure all tools on all pages of the corpora.

    `limit` takes only the first pages of each corpus, or with `drawn` so many that are drawn with a
    seed; `progress` is called with the number of pages that are done. Without `cache_path` nothing
    is kept.
    """
    found: list[PageResult] = []
    names = [corpora.name_of(path) for path in paths]
    if len(set(names)) < len(names):
        raise UsageError("two corpora have the same name: measure them one at a time.")
    store = Store(cache_path)
    try:
        for path in paths:
            name = corpora.name_of(path)
            pages = corpora.drawn(path, limit) if drawn else islice(corpora.read(path), limit)
            for results in _results(name, pages, tools, store, jobs or os.cpu_count() or 1):
                found += results
                progress(1)
            if not any(result.corpus == name for result in found):
                raise InputError(f"{path} has no pages.")
        store.prune(method_key(), {name: peer_key(name) for name in peers.names()})
    finally:
        store.close()
    return Results(tuple(found), tools.versions())


# a page, the keys of its entries by tool, those that are known, and the work on the others
_Started = tuple[GoldPage, dict[str, str], dict[str, Entry], Future[dict[str, Entry]]]


def _results(
    corpus: str, pages: Iterator[GoldPage], tools: Tools, store: Store, jobs: int
) -> Iterator[list[PageResult]]:
    """Give the results page by page, in the order of the corpus; so many pages are under way."""
    versions = tools.keys()
    files = {name: files_digest(combine.read(name)) for name in tools.methods}
    decided = {tool: made + files.get(tool, "") for tool, made in versions.items()}
    with _pool(jobs, tools) as pool:

        def start(page: GoldPage) -> _Started:
            keys = {tool: key_of(page, tool, all_of_it) for tool, all_of_it in decided.items()}
            kept = {tool: entry for tool, key in keys.items() if (entry := store.get(key))}
            new = tools.without(kept)
            with _deaf():
                work = pool.submit(measure, page, new) if new else _nothing()
            return page, keys, kept, work

        def finish(started: _Started) -> list[PageResult]:
            page, keys, kept, work = started
            for tool, entry in work.result().items():
                store.put(keys[tool], tool, versions[tool], entry)
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
        call = partial(_method_text, combine.read(expression), _fresh(parsed))
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
