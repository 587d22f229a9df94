"""Many pages at once give what one after the other gives: threads, processes and asyncio.

docs/many-pages.md promises what is tested here.
"""

import asyncio
import os
import pickle
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

import thresher
from benchmarks.generator import generate
from thresher.site.store import Store

ROOT = Path(__file__).parents[1]
WORKERS = 4
PAGES = [page.html for page in generate(seed=11, pages=24)]
PAGES += [(ROOT / "docs/pages/forum.html").read_bytes(), (ROOT / "examples/demo.html").read_bytes()]
METHODS = ("bte", 'cetd(threshold="body")', "vote(bte, boilerpipe, mss, at_least=2)")


def described(document: thresher.Document) -> dict[str, Any]:
    """Everything that a document can say about its page."""
    return {
        "text": document.text,
        "markdown": document.markdown(),
        "html": document.html(),
        "tei": document.tei(),
        "speech": document.speech(),
        "data": document.to_dict(),
        "threads": document.threads.to_dict(),
        "passages": [passage.text for passage in document.passages(words=40)],
        "page_blocks": [(block.kind, block.text) for block in document.page_blocks],
        "methods": [thresher.extract(document.page, method=method).text for method in METHODS],
    }


def extracted(html: bytes) -> dict[str, Any]:
    return described(thresher.extract(html))


def extracted_document(html: bytes) -> thresher.Document:
    return thresher.extract(html)


@pytest.fixture(scope="module")
def one_by_one() -> list[dict[str, Any]]:
    return [extracted(html) for html in PAGES]


@pytest.fixture
def frequent_switches() -> Iterator[None]:
    """Let Python change threads as often as it can, so that a race has many chances."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


@pytest.mark.slow
@pytest.mark.usefixtures("frequent_switches")
def test_threads(one_by_one: list[dict[str, Any]]) -> None:
    with ThreadPoolExecutor(WORKERS) as pool:
        assert list(pool.map(extracted, PAGES)) == one_by_one


@pytest.mark.slow
@pytest.mark.usefixtures("frequent_switches")
def test_threads_that_share_pages_and_documents(one_by_one: list[dict[str, Any]]) -> None:
    """Each page is described by all threads at once, from one document."""
    some = slice(-6, None)
    with ThreadPoolExecutor(WORKERS) as pool:
        for html, expected in zip(PAGES[some], one_by_one[some], strict=True):
            document = thresher.extract(html)
            found = pool.map(described, [document] * WORKERS)
            assert list(found) == [expected] * WORKERS


@pytest.mark.slow
def test_processes(one_by_one: list[dict[str, Any]]) -> None:
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        assert list(pool.map(extracted, PAGES, chunksize=4)) == one_by_one


@pytest.mark.slow
def test_documents_from_other_processes(one_by_one: list[dict[str, Any]]) -> None:
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        documents = list(pool.map(extracted_document, PAGES, chunksize=4))
    assert [described(document) for document in documents] == one_by_one


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system cannot fork")
def test_processes_that_are_forked(one_by_one: list[dict[str, Any]]) -> None:
    """A fork copies what is loaded already, such as the models."""
    with ProcessPoolExecutor(2, get_context("fork")) as pool:
        assert list(pool.map(extracted, PAGES, chunksize=4)) == one_by_one


@pytest.mark.slow
def test_asyncio(one_by_one: list[dict[str, Any]]) -> None:
    async def all_pages() -> tuple[list[dict[str, Any]], int]:
        ticks = 0

        async def tick() -> None:
            nonlocal ticks
            while True:
                ticks += 1
                await asyncio.sleep(0)

        ticking = asyncio.create_task(tick())
        found = await asyncio.gather(*(asyncio.to_thread(extracted, html) for html in PAGES))
        ticking.cancel()
        return found, ticks

    found, ticks = asyncio.run(all_pages())
    assert found == one_by_one
    assert ticks > len(PAGES)  # the event loop went on meanwhile


def test_pages_and_documents_can_be_pickled(one_by_one: list[dict[str, Any]]) -> None:
    for html, expected in zip(PAGES, one_by_one, strict=True):
        document = thresher.extract(html)
        fresh, used = pickle.dumps(document), described(document) and pickle.dumps(document)
        assert len(used) <= len(fresh)  # what was computed meanwhile is not sent along
        assert described(pickle.loads(used)) == expected
        page = pickle.loads(pickle.dumps(document.page))
        assert thresher.extract(page).text == expected["text"]


@pytest.mark.slow
def test_threads_that_learn_one_site(tmp_path: Path) -> None:
    store = Store(tmp_path / "sites.sqlite")

    def learn(html: bytes) -> None:
        with store.edit("tea.example") as site:
            site.learn(html)

    with ThreadPoolExecutor(WORKERS) as pool:
        list(pool.map(learn, PAGES))
    stored = store.get("tea.example")
    assert stored is not None
    assert stored.pages == len(PAGES)


@pytest.mark.slow
@pytest.mark.usefixtures("frequent_switches")
def test_threads_that_read_one_site() -> None:
    site = thresher.learn(PAGES)
    expected = [site.extract(html).text for html in PAGES]
    with ThreadPoolExecutor(WORKERS) as pool:
        found = pool.map(lambda html: site.extract(html).text, PAGES)
        assert list(found) == expected
