"""Load pages in a headless Chromium and take them as columns.

    source --document--> address in the browser --load, settle--> snapshot --> RenderedPage

The document itself is read here, like any other page: a file, HTML, or an address through
`thresher.fetch`. The browser gets it from this program and has no network of its own:

- A saved page finds what it refers to in its own folder and below, and nowhere else on the disk.
- With `network`, other requests go through a `Gate`, which connects to public addresses only,
  unless `private` is True.
- Without, they fail at once.

One browser serves many pages, each in a fresh context: no cookies, no storage, no downloads. Every
wait has a limit. A page that is still loading or running scripts at the end of `timeout` is taken
as it is, and its status says so; one that crashes or stops answering raises `RenderError`, and the
next page starts a new browser.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import math
import mimetypes
import os
import re
import shutil
import signal
import threading
import time
import warnings
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote, unquote, urlsplit

from thresher.errors import InputError, RenderError, UsageError
from thresher.fetch import fetch
from thresher.page.decode import well_formed
from thresher.page.parse import Limits, check_is_html, check_url, read_file, read_source
from thresher.visual.gate import BROWSER_FLAGS, Gate
from thresher.visual.rendered_page import RenderedPage
from thresher.visual.snapshot import STYLES, blank_page, rendered_page, template_nodes

Value = TypeVar("Value")

_LARGEST = 16_384  # pixels of a window or a picture; Chromium draws none that is larger
_ADDRESS = re.compile(r"\s*https?://\S+\s*", re.I)
_SAVED = "http://saved.invalid/"  # where the folder of a saved page is served; no host has the name
_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_FLAGS = (
    *BROWSER_FLAGS,
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--hide-scrollbars",
    "--js-flags=--max-old-space-size=512",  # megabytes of objects of scripts, without buffers
    "--mute-audio",
)


class BrowserWarning(UserWarning):
    """The browser runs in a way that a user should know of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderOptions:
    """How pages are loaded."""

    scripts: bool = True  # run the page's scripts
    network: bool = False  # load what the page refers to from other addresses
    private: bool = False  # allow addresses of this computer and of private networks
    width: int = 1280  # of the window, in CSS pixels
    height: int = 1024
    timeout: float = 20.0  # seconds a page may take to load
    settle: float = 3.0  # seconds scripts may take to fill it after that
    max_bytes: int = 64_000_000  # of everything that a page loads from the network
    limits: Limits = Limits(rows=200_000)
    picture: bool = False  # take a picture of the page too

    def __post_init__(self) -> None:
        """Check the values."""
        for name in ("width", "height", "max_bytes"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise UsageError(f"{name} is {value!r}: give a whole number from 1.")
            if name != "max_bytes" and value > _LARGEST:
                raise UsageError(f"{name} is {value!r}: give at most {_LARGEST:,}.")
        for name in ("timeout", "settle"):
            value = getattr(self, name)
            if not isinstance(value, int | float) or not 0 < value < math.inf:
                raise UsageError(f"{name} is {value!r}: give seconds above 0.")
        for name in ("scripts", "network", "private", "picture"):
            if not isinstance(getattr(self, name), bool):
                raise UsageError(f"{name} is {getattr(self, name)!r}: give True or False.")
        if not isinstance(self.limits, Limits):
            raise UsageError(f"limits is {self.limits!r}: give thresher.Limits(...).")


def render(
    source: str | bytes | Path,
    *,
    url: str | None = None,
    charset: str | None = None,
    root: Path | None = None,
    options: RenderOptions = RenderOptions(),
) -> RenderedPage:
    """Load one page in a browser of its own; see `Browser.render`, which is faster for several."""
    with Browser() as browser:
        return browser.render(source, url=url, charset=charset, root=root, options=options)


def find_chromium() -> str:
    """Return the path of a Chromium: `THRESHER_CHROMIUM`, or the first of its names on the path."""
    given = os.environ.get("THRESHER_CHROMIUM")
    if given:
        if shutil.which(given):
            return given
        raise InputError(f"THRESHER_CHROMIUM is {given!r}, which is no program: check the path.")
    for name in _NAMES:
        found = shutil.which(name)
        if found:
            return found
    raise InputError(
        "no Chromium was found: install it (Debian: apt install chromium), or set "
        "THRESHER_CHROMIUM to the path of yours."
    )


@dataclass(frozen=True, slots=True)
class _Document:
    """A document to load, and where the browser believes it is."""

    html: str
    address: str
    url: str | None  # of the page
    charset: str | None
    root: Path | None = None  # the folder that `_SAVED` serves
    notes: list[str] = field(default_factory=list)


class Browser:
    """A headless Chromium, started with the first page; use it in a `with` statement.

    It runs in a thread of its own, so it works in notebooks too. Pages are loaded one at a time.
    """

    def __init__(self, executable: str | None = None) -> None:
        self._executable = executable
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._playwright: Any = None
        self._browser: Any = None
        self.process: int | None = None
        self._lock = threading.Lock()

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def render(
        self,
        source: str | bytes | Path,
        *,
        url: str | None = None,
        charset: str | None = None,
        root: Path | None = None,
        options: RenderOptions = RenderOptions(),
    ) -> RenderedPage:
        """Load a page and return it with its boxes.

        `source` is an http(s) address or HTML (`str`), HTML in some charset (`bytes`), or a file
        (`Path`), whose images and styles are read from the folder `root` (default: its own).
        Raises `RenderError` if the browser cannot load it, `InputError` if it cannot be read.
        """
        document = _read(source, url, charset, root, options)
        if not document.html.strip():
            return blank_page(document.html, document.url, document.charset)
        with self._lock:
            return self._run(self._render(document, options))

    def close(self) -> None:
        """End the browser."""
        with self._lock:
            if self._loop is None or self._thread is None:
                return
            with contextlib.suppress(Exception):
                self._run(asyncio.wait_for(self._stop(), 10))
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()
            self._loop = self._thread = None

    # --- the thread of the browser ----------------------------------------------------------

    def _run(self, work: Coroutine[Any, Any, Value]) -> Value:
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            # What is left of a page that was given up is of no interest to anybody.
            self._loop.set_exception_handler(lambda *_: None)
            self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
            self._thread.start()
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    async def _start(self) -> Any:
        if self._browser is not None and self._browser.is_connected():
            return self._browser
        try:
            from playwright.async_api import async_playwright
        except ImportError as error:
            raise UsageError(
                "rendering needs Playwright: run pip install 'thresher[browser]'."
            ) from error
        executable = self._executable or find_chromium()
        if self._playwright is None:
            self._playwright = await async_playwright().start()
        flags = list(_FLAGS)
        if os.geteuid() == 0:
            warnings.warn(
                "Chromium runs without its sandbox, because you are root: run as another user "
                "to render pages that you do not trust.",
                BrowserWarning,
                stacklevel=2,
            )
            flags.append("--no-sandbox")
        try:
            self._browser = await self._playwright.chromium.launch(
                executable_path=executable, args=flags, chromium_sandbox=os.geteuid() != 0
            )
        except Exception as error:
            raise InputError(
                f"{executable} could not be started: check that it is a Chromium that runs."
            ) from error
        session = await self._browser.new_browser_cdp_session()
        processes = (await session.send("SystemInfo.getProcessInfo"))["processInfo"]
        self.process = next(int(each["id"]) for each in processes if each["type"] == "browser")
        return self._browser

    async def _stop(self) -> None:
        if self._browser is not None:
            with contextlib.suppress(Exception):
                await self._browser.close()
        if self._playwright is not None:
            await self._playwright.stop()
        self._browser = self._playwright = None

    async def _render(self, document: _Document, options: RenderOptions) -> RenderedPage:
        most = 2 * options.timeout + options.settle + 10
        try:
            async with asyncio.timeout(most):
                browser = await self._start()
                return await _load(browser, document, options)
        except (UsageError, InputError, Warning):
            raise
        except TimeoutError as error:
            await self._drop()
            raise RenderError(
                f"the browser stopped answering within {most:g} seconds: the page is too large or "
                "its scripts never end. Try without scripts."
            ) from error
        except Exception as error:
            await self._drop()
            reason = str(error).strip().split("\n")[0]
            raise RenderError(
                f"the browser could not load the page ({reason}): try again, or without scripts."
            ) from error

    async def _drop(self) -> None:
        """Give the browser up; the next page starts a new one."""
        browser, self._browser = self._browser, None
        if browser is None:
            return
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.process, signal.SIGKILL)
        with contextlib.suppress(Exception):
            await asyncio.wait_for(browser.close(), 5)


# --- reading the document ------------------------------------------------------------------------


def _read(
    source: str | bytes | Path,
    url: str | None,
    charset: str | None,
    root: Path | None,
    options: RenderOptions,
) -> _Document:
    url = check_url(url)
    if isinstance(source, Path):
        data = read_file(source, options.limits)
        folder = (source.parent if root is None else Path(root)).resolve()
        try:  # a link to a file is in the folder of the link
            place = (source.parent.resolve() / source.name).relative_to(folder)
        except ValueError as error:
            raise UsageError(
                f"{source} is not in {root}: give a folder that contains it."
            ) from error
        try:
            found = read_source(data, charset, options.limits)
        except InputError as error:
            raise InputError(f"{source}: {error}") from error
        address = _SAVED + quote(place.as_posix())
        return _Document(found.text, address, url or found.url, found.charset, folder, found.notes)
    if isinstance(source, str) and _ADDRESS.fullmatch(source):
        return _fetch(source.strip(), url, charset, options)
    if not isinstance(source, str | bytes):
        raise UsageError(
            f"cannot render a {type(source).__name__}: give HTML as str or bytes, an address, or a "
            "pathlib.Path."
        )
    check_is_html(source)
    content = well_formed(source) if isinstance(source, str) else source
    found = read_source(content, charset, options.limits)
    url = url or found.url
    is_address = url is not None and _ADDRESS.fullmatch(url)
    shown = url if url and is_address else _SAVED
    return _Document(found.text, shown, url, found.charset, None, found.notes)


def _fetch(address: str, url: str | None, charset: str | None, options: RenderOptions) -> _Document:
    fetched = fetch(
        address,
        private=options.private,
        timeout=options.timeout,
        total_time=options.timeout,
        partial=True,
        max_bytes=options.limits.bytes,
    )
    found = read_source(fetched.body, charset or fetched.charset, options.limits)
    notes = ["cut by the server", *found.notes] if fetched.cut else found.notes
    return _Document(found.text, fetched.url, url or fetched.url, found.charset, None, notes)


# --- loading it ----------------------------------------------------------------------------------

# Seconds to load for a page that was kept from leading on: its load event may never come.
_GRACE = 1.0
_SCRIPT = re.compile(r"<script|\son[a-z]+\s*=|javascript:", re.I)
# What a saved page may load from its folder. A script that could read other files could send them.
_SHOWN_TYPES = frozenset({"stylesheet", "image", "media", "font", "script"})
_MOST_DOCUMENTS = 6  # a page that leads on to others: the last one is taken as it is
_MOST_TEMPLATES = 1_000  # whose content is asked for


async def _load(browser: Any, document: _Document, options: RenderOptions) -> RenderedPage:
    gate = Gate(open=options.network, private=options.private, max_bytes=options.max_bytes)
    async with gate:
        context = await browser.new_context(
            viewport={"width": options.width, "height": options.height},
            java_script_enabled=options.scripts,
            accept_downloads=False,
            service_workers="block",
            proxy=gate.for_playwright(),
        )
        try:
            return await _Visit(context, document, options, gate).render()
        finally:
            with contextlib.suppress(Exception):
                await asyncio.wait_for(context.close(), 5)


class _Visit:
    """One page in the browser, from its request to its snapshot."""

    def __init__(
        self, context: Any, document: _Document, options: RenderOptions, gate: Gate
    ) -> None:
        self.context = context
        self.document = document
        self.options = options
        self.gate = gate
        self.notes = list(document.notes)
        self.deadline = time.monotonic() + options.timeout
        self.page: Any = None
        self.crashed = asyncio.Event()
        self.waiting = 0  # requests without an answer
        self.stayed: float | None = None  # when the page was kept from leading on to another
        self.documents = 0  # requests for the page itself, or one that it leads on to

    async def render(self) -> RenderedPage:
        await self.context.route("**/*", self.answer)
        page = self.page = await self.context.new_page()
        self.context.on("page", lambda other: asyncio.ensure_future(_close(other)))
        page.on("crash", lambda _: self.crashed.set())
        page.on("request", lambda _: self._count(1))
        page.on("requestfinished", lambda _: self._count(-1))
        page.on("requestfailed", lambda _: self._count(-1))
        session = await self.context.new_cdp_session(page)
        work = asyncio.ensure_future(self._take(session))
        crash = asyncio.ensure_future(self.crashed.wait())
        try:
            await asyncio.wait({work, crash}, return_when=asyncio.FIRST_COMPLETED)
            if not work.done():
                raise RenderError(
                    "the page crashed the browser, perhaps for want of memory: try without scripts."
                )
            return work.result()
        finally:
            work.cancel()
            crash.cancel()

    def _count(self, change: int) -> None:
        self.waiting += change

    async def answer(self, route: Any) -> None:
        """Answer a request of the browser: a document, a saved file, or the network."""
        request = route.request
        try:
            if self._is_other_window(request):
                await route.abort()
            elif _is_document(request):
                await self._answer_document(route, request)
            elif request.url.startswith(_SAVED):
                await self._answer_saved(route, request)
            elif self.options.network:
                await route.continue_()
            else:
                await route.abort()
        except Exception:  # such as a file that cannot be read: every request needs an answer
            with contextlib.suppress(Exception):  # the page was closed meanwhile
                await route.abort()

    def _is_other_window(self, request: Any) -> bool:
        """Return whether a request comes from a window that the page opened."""
        try:
            return request.frame.page is not self.page
        except Exception:  # Playwright does not know the frame of the first request yet
            return self.documents > 0 and request.is_navigation_request()

    async def _answer_saved(self, route: Any, request: Any) -> None:
        """Answer a request for a file of a saved page: what it shows, not what scripts ask for."""
        found = _saved_file(self.document.root, request.url)
        shown = request.resource_type in _SHOWN_TYPES
        if found is None or not shown or found.stat().st_size > self.options.max_bytes:
            await route.abort()
        else:
            kind = mimetypes.guess_type(found.name)[0] or "application/octet-stream"
            await route.fulfill(body=found.read_bytes(), content_type=kind)

    async def _answer_document(self, route: Any, request: Any) -> None:
        """Answer the request for the page itself, or for the page that it leads on to.

        A page that may not be loaded is answered with "204 No Content": the browser stays where
        it is, instead of showing a page of its own about the error.
        """
        self.documents += 1
        address = request.url.partition("#")[0]
        shown = address.removeprefix(_SAVED)[:200]
        if self.documents > _MOST_DOCUMENTS or request.method != "GET":
            await self._stay(route, f"leads on to {shown}, which was not loaded")
        elif self.documents == 1 or address == self.document.address:
            await route.fulfill(body=self.document.html, content_type="text/html; charset=utf-8")
        elif not self.options.network or address.startswith(_SAVED):
            await self._stay(route, f"leads on to {shown}, which was not loaded")
        else:
            try:
                found = await asyncio.to_thread(_fetch, address, None, None, self.options)
            except InputError as error:
                reason = str(error).rstrip(".")
                await self._stay(route, f"leads on to a page that cannot be loaded: {reason}")
                return
            self.document = replace(found, address=address)
            self.notes = list(found.notes)
            await route.fulfill(body=found.html, content_type="text/html; charset=utf-8")

    async def _stay(self, route: Any, note: str) -> None:
        """Keep the page from leading on to another."""
        self.stayed = time.monotonic()
        if note not in self.notes:
            self.notes.append(note)
        await route.fulfill(status=204)

    async def _take(self, session: Any) -> RenderedPage:
        await self._wait_for_load(session)
        await self._settle(session)
        await self._stop_scripts(session)
        snapshot = await session.send(
            "DOMSnapshot.captureSnapshot", {"computedStyles": list(STYLES)}
        )
        templates = await self._templates(session, snapshot)
        picture = await self._picture(session) if self.options.picture else None
        if self.gate.full:
            self.notes.append(f"loaded {self.options.max_bytes:,} bytes of its resources only")
        return rendered_page(
            snapshot,
            templates=templates,
            scripts=self.options.scripts,
            url=self.document.url,
            charset=self.document.charset,
            limits=self.options.limits,
            notes=self.notes,
            picture=picture,
        )

    async def _templates(self, session: Any, snapshot: Mapping[str, Any]) -> dict[int, str]:
        """Return the HTML of the first templates of a page, by their nodes."""
        found: dict[int, str] = {}
        for node, number in islice(template_nodes(snapshot).items(), _MOST_TEMPLATES):
            with contextlib.suppress(Exception):  # it is gone from the page
                answer = await session.send("DOM.getOuterHTML", {"backendNodeId": number})
                found[node] = answer["outerHTML"].replace("\r", "&#13;")
        return found

    # --- waiting ------------------------------------------------------------------------------

    async def _wait_for_load(self, session: Any) -> None:
        """Wait for the load event, until the deadline or until the page is too large."""
        loading = asyncio.ensure_future(
            self.page.goto(self.document.address, wait_until="load", timeout=1000 * self._left())
        )
        try:
            while not loading.done() and self._left() > 0:
                await asyncio.wait({loading}, timeout=min(0.25, self._left()))
                if self.stayed is not None and time.monotonic() - self.stayed > _GRACE:
                    return
                if not loading.done() and await self._nodes(session) > self.options.limits.rows:
                    break
            if loading.done() and loading.exception() is None:
                return
            self.notes.append(f"not fully loaded after {self.options.timeout:g} seconds")
        finally:
            loading.cancel()
            with contextlib.suppress(Exception, asyncio.CancelledError):
                await loading

    async def _settle(self, session: Any) -> None:
        """Wait until scripts have stopped changing the page: same count of nodes for half a second.

        Pages without scripts are ready when they are loaded.
        """
        if not self.options.scripts or self._left() <= 0:
            return
        until = min(time.monotonic() + self.options.settle, self.deadline)
        before, quiet, is_still = -1, 0, True
        while time.monotonic() < until and quiet < 3:
            count = await self._nodes(session)
            is_still = count == before > 0
            quiet = quiet + 1 if is_still and self.waiting <= 0 else 0
            before = count
            if count > self.options.limits.rows:
                return
            await asyncio.sleep(0.15)
        if not is_still and _SCRIPT.search(self.document.html):
            self.notes.append("its scripts were stopped")

    def _left(self) -> float:
        return self.deadline - time.monotonic()

    async def _nodes(self, session: Any) -> int:
        """Return the number of nodes of the page; 0 while a script keeps it from answering."""
        try:
            counters = await asyncio.wait_for(session.send("Memory.getDOMCounters"), 1.0)
        except TimeoutError:
            return 0
        return int(counters["nodes"])

    async def _stop_scripts(self, session: Any) -> None:
        """End the scripts, so that the page holds still."""
        if not self.options.scripts:
            return
        for command, arguments in (
            ("Emulation.setScriptExecutionDisabled", {"value": True}),
            ("Runtime.terminateExecution", {}),
        ):
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(session.send(command, arguments), 2)

    async def _picture(self, session: Any) -> bytes:
        metrics = await session.send("Page.getLayoutMetrics")
        size = metrics["cssContentSize"]
        clip = {
            "x": 0,
            "y": 0,
            "width": min(size["width"], _LARGEST),
            "height": min(size["height"], _LARGEST),
            "scale": 1,
        }
        shot = await session.send(
            "Page.captureScreenshot",
            {"format": "png", "clip": clip, "captureBeyondViewport": True},
        )
        return base64.b64decode(shot["data"])


def _is_document(request: Any) -> bool:
    """Return whether a request is for the page itself, not for a frame or a part of it."""
    if not request.is_navigation_request():
        return False
    try:
        return request.frame.parent_frame is None
    except Exception:  # Playwright does not know the frame of the first request yet
        return True


async def _close(page: Any) -> None:
    """Close a window that a page opened."""
    with contextlib.suppress(Exception):
        await page.close()


def _saved_file(root: Path | None, address: str) -> Path | None:
    """Return the file below `root` that an address of a saved page names, if there is one."""
    if root is None:
        return None
    try:
        found = (root / unquote(urlsplit(address).path).lstrip("/")).resolve()
        return found if found.is_relative_to(root) and found.is_file() else None
    except (OSError, ValueError):
        return None
