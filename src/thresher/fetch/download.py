"""Download one page from an http or https address, within limits.

    address --request--> response --redirects--> check status and type --read--> Fetched

`timeout` limits each wait, `total_time` the whole download, `max_redirects` the redirects, and
`max_bytes` the body, counted after decompression while it arrives: this stops servers that send one
byte a second and small files that unpack to gigabytes. Cookies are neither stored nor sent.
Redirects are followed here, not by httpx, so that every address passes the same check. Unless
`private` allows others, only public addresses are connected to, at every redirect.
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

# Types that are read as a page; "" is a response without a type.
_PAGE_TYPES = {"", "text/html", "application/xhtml+xml", "application/xml", "text/xml"}

_ADVICE = {
    401: "it needs a log-in; save the page from your browser and give the file",
    403: "it does not allow programs; save the page from your browser and give the file",
    404: "check the address",
    410: "the page was removed; look for a copy in a web archive",
    429: "too many requests; wait and try again",
}


@dataclass(frozen=True, slots=True)
class Fetched:
    """A response: pass `body`, `url` and `charset` to `thresher.parse`."""

    body: bytes
    url: str  # the address after the last redirect, without user name and password
    charset: str | None  # from Content-Type, if `parse` supports it
    content_type: str  # such as "text/html"; "" if the server sent none
    cut: bool  # the body is incomplete: longer than max_bytes, or its compressed data ended early


def fetch(
    url: str,
    *,
    private: bool = False,
    partial: bool = False,
    user_agent: str | None = None,
    timeout: float = 20.0,
    total_time: float | None = None,
    max_bytes: int = 32_000_000,
    max_redirects: int = 5,
) -> Fetched:
    """Download one page.

    `private` also allows addresses of this computer and of private networks; without it, a host
    that leads to such an address is refused, also after a redirect.

    `timeout` limits each wait and `total_time` the whole download, in seconds (default: three times
    `timeout`). With `partial`, a body that is not complete by then is cut there. `max_bytes`
    limits the body (default: that of `thresher.parse`). `user_agent` is `thresher/VERSION` by
    default. Raises `FetchError` if no page is returned, and `UsageError` for a bad option.
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
    request = _Request(
        _address(url), private, partial, agent, timeout, whole, max_bytes, max_redirects
    )
    return _run(request.send())


@dataclass(frozen=True, slots=True)
class _Request:
    """The checked arguments of `fetch`."""

    address: httpx.URL
    private: bool
    partial: bool
    user_agent: str
    timeout: float
    total_time: float
    max_bytes: int
    max_redirects: int

    async def send(self) -> Fetched:
        """Follow the redirects to a page; every failure becomes a FetchError."""
        import asyncio

        import httpx

        shown = _shown(self.address)
        deadline = asyncio.get_running_loop().time() + self.total_time
        try:
            # A second more, so that a body can be cut at the deadline.
            limit = asyncio.timeout_at(deadline + self.partial)
            async with limit, self._client() as client:
                return await self._follow(client, deadline)
        except httpx.TimeoutException as error:
            raise FetchError(
                f"{shown} sent nothing for {self.timeout:g} seconds: try later or with a longer "
                "timeout."
            ) from error
        except TimeoutError as error:
            raise FetchError(
                f"{shown} was not complete after {self.total_time:g} seconds: try later or with a "
                "longer timeout."
            ) from error
        except httpx.InvalidURL as error:  # httpx checks the target of a redirect first
            raise FetchError(
                f"{shown} redirects to an invalid address ({error}): open it in a "
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

        from thresher.fetch.transport import CheckedTransport

        return httpx.AsyncClient(
            transport=CheckedTransport(private=self.private, timeout=self.timeout),
            headers={
                "User-Agent": self.user_agent,
                "Accept": "text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.1",
                "Accept-Encoding": "gzip",
            },
            timeout=self.timeout,
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
        )

    async def _follow(self, client: httpx.AsyncClient, deadline: float) -> Fetched:
        address = self.address
        for _ in range(self.max_redirects + 1):
            async with client.stream("GET", address) as response:
                if not response.has_redirect_location:
                    return await self._read(response, deadline)
                address = _address(response.headers["Location"], base=response.url)
        raise FetchError(
            f"{_shown(self.address)} redirects more than {self.max_redirects} times, perhaps in a "
            "circle: open it in a browser and give the address that it ends at."
        )

    async def _read(self, response: httpx.Response, deadline: float) -> Fetched:
        _check_status(response)
        content_type = response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
        if content_type not in _PAGE_TYPES:
            raise FetchError(
                f"{_shown(response.url)} is {content_type}, not a web page: if it is HTML all the "
                "same, save it and give the file."
            )
        charset = response.charset_encoding
        body, cut = await self._body(response, deadline)
        return Fetched(
            body=body,
            url=_shown(response.url),
            charset=charset if charset and is_charset(charset) else None,
            content_type=content_type,
            cut=cut,
        )

    async def _body(self, response: httpx.Response, deadline: float) -> tuple[bytes, bool]:
        """Return the unpacked body, at most `max_bytes` of it, and whether it is incomplete.

        httpx would unpack each chunk completely, whatever its size; zlib takes a limit.
        """
        import asyncio

        import httpx

        gzip = zlib.decompressobj(16 + zlib.MAX_WBITS) if _is_packed(response) else None
        body = bytearray()
        chunks = response.aiter_raw()
        try:
            while True:
                try:
                    async with asyncio.timeout_at(deadline if self.partial else None):
                        chunk = await anext(chunks)
                except StopAsyncIteration:
                    break
                except (TimeoutError, httpx.ReadTimeout):
                    if self.partial and body:
                        return bytes(body), True
                    raise
                # One byte more than allowed, to know whether the body is cut or just fits.
                room = self.max_bytes + 1 - len(body)
                body += gzip.decompress(chunk, room) if gzip else chunk[:room]
                if len(body) > self.max_bytes:
                    return bytes(body[: self.max_bytes]), True
                if gzip and gzip.eof:  # anything after the end is ignored
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
            f"{_shown(response.url)} is compressed with {encoding}, which is not supported: save "
            "the page from your browser and give the file."
        )
    return "gzip" in encoding


def _address(text: str, base: httpx.URL | None = None) -> httpx.URL:
    """Return an address, relative to `base` if given; raise unless it is http(s) with a host."""
    import httpx

    try:
        address = base.join(text) if base else httpx.URL(text.strip())
        host = address.host
    except (httpx.InvalidURL, UnicodeError) as error:  # UnicodeError: a host that IDNA refuses
        raise FetchError(
            f"{text!r} is not a valid address ({error}): check its spelling."
        ) from error
    if address.scheme not in ("http", "https"):
        source = f"{_shown(base)} redirects to" if base else "cannot fetch"
        raise FetchError(
            f"{source} {text!r}: give an address that starts with http:// or https://."
        )
    if not host or (address.port or 0) > 65_535:
        raise FetchError(f"{text!r} has no valid host: write https://example.org/page.")
    return address


def _shown(address: httpx.URL) -> str:
    """Return the address without user name and password, to print and store."""
    return str(address.copy_with(userinfo=b""))


def _check_status(response: httpx.Response) -> None:
    if response.is_success:
        return
    status = response.status_code
    retry = "the server failed; try again later" if status >= 500 else "check the address"
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
    """Return the result of a coroutine, also if an event loop is running, as in a notebook."""
    import asyncio
    from concurrent.futures import ThreadPoolExecutor

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    with ThreadPoolExecutor(max_workers=1) as pool:
        return pool.submit(asyncio.run, work).result()
