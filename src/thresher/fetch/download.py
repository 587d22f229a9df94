"""Download one page from an http or https address, within limits.

    address --request--> response --redirects--> check status and type --read--> Fetched

`timeout` limits each wait, `total_time` the whole download, `max_redirects` the redirects, and
`max_bytes` the body, counted after decompression while it arrives: this stops servers that send one
byte a second and small files that unpack to gigabytes. Cookies are neither stored nor sent.
Requests go to the transport itself, so redirects are followed here and every address passes the
same check; unless `private` allows others, only public addresses are connected to, at every
redirect. The user name and password of an address are sent as a header, and are taken off the
address before anything else sees it.
"""

from __future__ import annotations

import zlib
from base64 import b64encode
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from thresher.errors import FetchError, UsageError
from thresher.page.addresses import without_password
from thresher.page.decode import fits

if TYPE_CHECKING:
    from collections.abc import Coroutine

    import httpx

    from thresher.fetch.transport import CheckedTransport

# asyncio and httpx are imported where they are used: most runs need neither.

# Types that are read as a page; "" is a response without a type.
_PAGE_TYPES = {"", "text/html", "application/xhtml+xml", "application/xml", "text/xml"}

# Bytes that are unpacked together: zlib copies what follows each member, and members can be small.
_MOST_AT_ONCE = 4_096
_MOST_WITHOUT_CONTENT = 65_536  # packed bytes past `max_bytes`; gzip adds less to a page
_MAGIC = b"\x1f\x8b"  # the first bytes of a gzip member
_LAST_PORT = 65_535

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
    charset: str | None  # from Content-Type, if `parse` supports it and the body may be in it
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


class _Request(NamedTuple):
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

        shown = without_password(str(self.address))
        deadline = asyncio.get_running_loop().time() + self.total_time
        try:
            # A second more, so that a body can be cut at the deadline.
            limit = asyncio.timeout_at(deadline + self.partial)
            async with limit, self._transport() as transport:
                return await self._follow(transport, deadline)
        except FetchError:
            raise
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
        except Exception as error:  # httpx, its parsers, ssl and codecs raise many kinds
            reason = str(error) or type(error).__name__
            raise FetchError(
                f"{shown} cannot be read ({reason}): check the address and your connection."
            ) from error

    def _transport(self) -> CheckedTransport:
        from thresher.fetch.transport import CheckedTransport

        return CheckedTransport(private=self.private, timeout=self.timeout)

    def _to_send(self, address: httpx.URL) -> httpx.Request:
        """Return the request for an address; its user name and password are in a header only."""
        import httpx

        headers = {
            "User-Agent": self.user_agent,
            "Accept": "text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.1",
            "Accept-Encoding": "gzip",
            "Connection": "close",
        }
        if address.userinfo:
            pair = f"{address.username}:{address.password}"
            headers["Authorization"] = f"Basic {b64encode(pair.encode()).decode()}"
        return httpx.Request(
            "GET",
            address.copy_with(userinfo=b""),
            headers=headers,
            extensions={"timeout": httpx.Timeout(self.timeout).as_dict()},
        )

    async def _follow(self, transport: CheckedTransport, deadline: float) -> Fetched:
        address = self.address
        for _ in range(self.max_redirects + 1):
            request = self._to_send(address)
            response = await transport.handle_async_request(request)
            response.request = request
            try:
                if not response.has_redirect_location:
                    return await self._read(response, deadline)
                address = _address(response.headers["Location"], base=address)
            finally:
                await response.aclose()
        raise FetchError(
            f"{without_password(str(self.address))} redirects more than {self.max_redirects} "
            "times, perhaps in a circle: open it in a browser and give the address that it ends at."
        )

    async def _read(self, response: httpx.Response, deadline: float) -> Fetched:
        _check_status(response)
        content_type = response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
        if content_type not in _PAGE_TYPES:
            raise FetchError(
                f"{response.url} is {content_type}, not a web page: if it is HTML all the "
                "same, save it and give the file."
            )
        charset = response.charset_encoding
        body, cut = await self._body(response, deadline)
        return Fetched(
            body=body,
            url=without_password(str(response.url)),
            charset=charset if charset and fits(charset, body) else None,
            content_type=content_type,
            cut=cut,
        )

    async def _body(self, response: httpx.Response, deadline: float) -> tuple[bytes, bool]:
        """Return the unpacked body, at most `max_bytes` of it, and whether it is incomplete.

        httpx would unpack each chunk completely, whatever its size; zlib takes a limit.
        """
        import asyncio

        import httpx

        unpack = _Gzip() if _is_packed(response) else None
        body = bytearray()
        received = 0
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
                body += unpack(chunk, room) if unpack else chunk[:room]
                received += len(chunk)
                if len(body) > self.max_bytes:
                    return bytes(body[: self.max_bytes]), True
                if unpack and unpack.ended:
                    break
                if received > self.max_bytes + _MOST_WITHOUT_CONTENT:
                    return bytes(body), True
        except zlib.error as error:
            raise FetchError(
                f"{response.url} sent a damaged compressed page: try again later."
            ) from error
        return bytes(body), bool(unpack and body and unpack.incomplete)


class _Gzip:
    """Unpacks gzip data that arrive in parts: one or several members, one after the other.

    Data after a member that do not begin another one are ignored.
    """

    def __init__(self) -> None:
        self._member = zlib.decompressobj(16 + zlib.MAX_WBITS)
        self._rest = b""  # of the last part: the first byte of a member at most
        self.ended = False

    @property
    def incomplete(self) -> bool:
        """Whether the data end within a member."""
        return not self.ended and not self._member.eof

    def __call__(self, data: bytes, room: int) -> bytes:
        """Return what the next data unpack to, at most `room` bytes of it."""
        parts = range(0, len(data), _MOST_AT_ONCE)
        unpacked = bytearray()
        for begin in parts:
            part = data[begin : begin + _MOST_AT_ONCE]
            unpacked += self._unpack(part, room - len(unpacked))
        return bytes(unpacked)

    def _unpack(self, data: bytes, room: int) -> bytes:
        unpacked = bytearray()
        data = self._rest + data
        self._rest = b""
        while data and len(unpacked) < room and not self.ended:
            if self._member.eof:
                if not data.startswith(_MAGIC[: len(data)]):
                    self.ended = True
                    break
                if len(data) < len(_MAGIC):
                    self._rest = data
                    break
                self._member = zlib.decompressobj(16 + zlib.MAX_WBITS)
            unpacked += self._member.decompress(data, room - len(unpacked))
            data = self._member.unused_data
        return bytes(unpacked)


def _is_packed(response: httpx.Response) -> bool:
    encoding = response.headers.get("Content-Encoding", "").strip().lower()
    if encoding not in ("", "identity", "gzip", "x-gzip"):
        raise FetchError(
            f"{response.url} is compressed with {encoding}, which is not supported: save "
            "the page from your browser and give the file."
        )
    return "gzip" in encoding


def _address(text: str, base: httpx.URL | None = None) -> httpx.URL:
    """Return an address, relative to `base` if given; raise unless it is http(s) with a host."""
    import httpx

    shown = without_password(text)
    name = f"{without_password(str(base))} redirects to {shown!r}, which" if base else repr(shown)
    try:
        address = base.join(text) if base else httpx.URL(text.strip())
        host, port = address.host, address.port
    except (httpx.InvalidURL, ValueError) as error:  # ValueError: IDNA or urllib refuses it
        # The error may quote a part of the password.
        reason = f" ({error})" if shown == text else ""
        raise FetchError(f"{name} is not a valid address{reason}: check its spelling.") from None
    if address.scheme not in ("http", "https"):
        raise FetchError(
            f"{name} cannot be fetched: give an address that starts with http:// or https://."
        )
    if not host or (port is not None and not 0 < port <= _LAST_PORT):
        raise FetchError(f"{name} has no valid host or port: write https://example.org/page.")
    return address


def _check_status(response: httpx.Response) -> None:
    if response.is_success:
        return
    status = response.status_code
    retry = "the server failed; try again later" if status >= 500 else "check the address"
    raise FetchError(
        f"{response.url} answered {status} {response.reason_phrase}".rstrip()
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
        is_running = False
    else:
        is_running = True
    if not is_running:
        return asyncio.run(work)
    with ThreadPoolExecutor(max_workers=1) as pool:
        return pool.submit(asyncio.run, work).result()
