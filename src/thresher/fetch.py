"""One page from an http or https address, with every resource bounded.

    address --ask--> answer --follow redirects--> check status and type --read--> Fetched

Each wait is bounded by `timeout`, everything together by `total_time`, hops by `max_redirects`, and
the body by `max_bytes`, counted after decompression and while it arrives: neither a server that
sends one byte a second nor a small file that unpacks to gigabytes gets further than that. No cookie
is stored or sent. Redirects are followed by hand so that each new address passes the same check as
the first.

It asks any address it is given, also one of the local network: who may choose the address is for
the caller to decide.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from thresher.errors import FetchError, UsageError
from thresher.page.decode import is_charset

if TYPE_CHECKING:
    from collections.abc import Coroutine

    import httpx

# asyncio and httpx are imported where they are used: most runs need neither.

# What a browser would show as a page; a server that names no type is believed to send one.
_PAGE_TYPES = {"", "text/html", "application/xhtml+xml", "application/xml", "text/xml"}

_ADVICE = {
    401: "it asks for a log-in; save the page from your browser and give the file",
    403: "it refuses programs; save the page from your browser and give the file",
    404: "check the address",
    410: "the page was taken away; look for a copy in a web archive",
    429: "it was asked too often; wait and try again",
}


@dataclass(frozen=True, slots=True)
class Fetched:
    """What a server sent: give `body`, `url` and `charset` to `thresher.parse`."""

    body: bytes
    url: str  # the address after the last redirect, without user name and password
    charset: str | None  # named in Content-Type, when it is one that `parse` knows
    content_type: str  # such as "text/html"; empty when the server named none
    cut: bool  # the body is incomplete: it passed max_bytes, or its compression broke off


def fetch(
    url: str,
    *,
    user_agent: str | None = None,
    timeout: float = 20.0,
    total_time: float | None = None,
    max_bytes: int = 32_000_000,
    max_redirects: int = 5,
) -> Fetched:
    """Get one page.

    `timeout` bounds each wait and `total_time` the whole, in seconds (three times `timeout` unless
    given); `max_bytes` bounds the body (the default is that of `thresher.parse`); `user_agent` is
    `thresher/VERSION` unless given.
    Raise `FetchError` when there is no page to be had, `UsageError` when an option makes no sense.
    """
    agent = _default_agent() if user_agent is None else user_agent
    if not (agent.isascii() and agent.isprintable()):
        raise UsageError(f"user agent {agent!r}: use printable ASCII characters only.")
    whole = 3 * timeout if total_time is None else total_time
    for name, value in (("timeout", timeout), ("total_time", whole), ("max_bytes", max_bytes)):
        if not value > 0:
            raise UsageError(f"{name} is {value}: give a number above 0.")
    if max_redirects < 0:
        raise UsageError(f"max_redirects is {max_redirects}: give 0 or more.")
    ask = _Ask(_address(url), agent, timeout, whole, max_bytes, max_redirects)
    return _run(ask.answer())


@dataclass(frozen=True, slots=True)
class _Ask:
    """One call of `fetch`, its arguments checked."""

    address: httpx.URL
    user_agent: str
    timeout: float
    total_time: float
    max_bytes: int
    max_redirects: int

    async def answer(self) -> Fetched:
        """Follow the redirects to a page; every failure on the way becomes a FetchError."""
        import asyncio

        import httpx

        shown = _shown(self.address)
        try:
            async with asyncio.timeout(self.total_time), self._client() as client:
                return await self._follow(client)
        except httpx.TimeoutException as error:
            raise FetchError(
                f"{shown} kept silent for {self.timeout:g} seconds: try later or with a longer "
                "timeout."
            ) from error
        except TimeoutError as error:
            raise FetchError(
                f"{shown} was not complete after {self.total_time:g} seconds: try later or with a "
                "longer timeout."
            ) from error
        except httpx.InvalidURL as error:  # httpx looks at a redirect's target before we do
            raise FetchError(
                f"{shown} redirects to what is not an address of the web ({error}): open it in a "
                "browser and give the address that it ends at."
            ) from error
        except httpx.HTTPError as error:
            reason = str(error) or type(error).__name__
            raise FetchError(
                f"{shown} cannot be read ({reason}): check the address and your connection."
            ) from error

    def _client(self) -> httpx.AsyncClient:
        from http.cookiejar import CookieJar, DefaultCookiePolicy

        import httpx

        return httpx.AsyncClient(
            headers={
                "User-Agent": self.user_agent,
                "Accept": "text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.1",
                "Accept-Encoding": "gzip",
            },
            timeout=self.timeout,
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
        )

    async def _follow(self, client: httpx.AsyncClient) -> Fetched:
        address = self.address
        for _ in range(self.max_redirects + 1):
            async with client.stream("GET", address) as response:
                if not response.has_redirect_location:
                    return await self._read(response)
                address = _address(response.headers["Location"], base=response.url)
        raise FetchError(
            f"{_shown(self.address)} redirects more than {self.max_redirects} times, perhaps in a "
            "circle: open it in a browser and give the address that it ends at."
        )

    async def _read(self, response: httpx.Response) -> Fetched:
        _check_status(response)
        content_type = response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
        if content_type not in _PAGE_TYPES:
            raise FetchError(
                f"{_shown(response.url)} is {content_type}, not a web page: if it is HTML all the "
                "same, save it and give the file."
            )
        charset = response.charset_encoding
        body, cut = await self._body(response)
        return Fetched(
            body=body,
            url=_shown(response.url),
            charset=charset if charset and is_charset(charset) else None,
            content_type=content_type,
            cut=cut,
        )

    async def _body(self, response: httpx.Response) -> tuple[bytes, bool]:
        """Return the unpacked body, at most `max_bytes` of it, and whether anything is missing.

        httpx would unpack each chunk whole, whatever its size; zlib stops where it is told.
        """
        gzip = zlib.decompressobj(16 + zlib.MAX_WBITS) if _is_packed(response) else None
        body = bytearray()
        try:
            async for chunk in response.aiter_raw():
                # One byte more than allowed tells a body that is cut from one that just fits.
                room = self.max_bytes + 1 - len(body)
                body += gzip.decompress(chunk, room) if gzip else chunk[:room]
                if len(body) > self.max_bytes:
                    return bytes(body[: self.max_bytes]), True
                if gzip and gzip.eof:  # anything after the end is ignored, not collected
                    break
        except zlib.error as error:
            raise FetchError(
                f"{_shown(response.url)} sent a damaged compressed page: try again later."
            ) from error
        return bytes(body), bool(gzip and body and not gzip.eof)


def _is_packed(response: httpx.Response) -> bool:
    encoding = response.headers.get("Content-Encoding", "").strip().lower()
    if encoding not in ("", "identity", "gzip", "x-gzip"):
        raise FetchError(
            f"{_shown(response.url)} is compressed with {encoding}, which was not asked for: save "
            "the page from your browser and give the file."
        )
    return "gzip" in encoding


def _address(text: str, base: httpx.URL | None = None) -> httpx.URL:
    """Read an address, relative to `base` if given, and insist on http or https and a host."""
    import httpx

    try:
        address = base.join(text) if base else httpx.URL(text.strip())
    except httpx.InvalidURL as error:
        raise FetchError(
            f"{text!r} is not a valid address ({error}): check its spelling."
        ) from error
    if address.scheme not in ("http", "https"):
        source = f"{_shown(base)} redirects to" if base else "cannot fetch"
        raise FetchError(
            f"{source} {text!r}: give an address that starts with http:// or https://."
        )
    if not address.host or (address.port or 0) > 65_535:
        raise FetchError(f"{text!r} names no host that can be: write https://example.org/page.")
    return address


def _shown(address: httpx.URL) -> str:
    """The address as it may be printed and stored: without user name and password."""
    return str(address.copy_with(userinfo=b""))


def _check_status(response: httpx.Response) -> None:
    if response.is_success:
        return
    status = response.status_code
    retry = "the server is in trouble; try again later" if status >= 500 else "check the address"
    raise FetchError(
        f"{_shown(response.url)} answered {status} {response.reason_phrase}".rstrip()
        + f": {_ADVICE.get(status, retry)}."
    )


def _default_agent() -> str:
    from importlib import metadata

    try:
        return f"thresher/{metadata.version('thresher')}"
    except metadata.PackageNotFoundError:  # run from a source tree that is not installed
        return "thresher"


def _run(work: Coroutine[Any, Any, Fetched]) -> Fetched:
    """Run to the end, also under an event loop that already runs, as in a notebook."""
    import asyncio
    from concurrent.futures import ThreadPoolExecutor

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    with ThreadPoolExecutor(max_workers=1) as pool:
        return pool.submit(asyncio.run, work).result()
