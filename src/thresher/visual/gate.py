"""The gate: the only way from a headless browser to the network.

    Chromium --proxy, with a password--> Gate --thresher.fetch.addresses.connect--> public address

A `Gate` is an HTTP proxy on 127.0.0.1 that runs in the event loop of its caller. Each connection
serves one request and closes, so that a connection never carries requests for two hosts:

- `CONNECT host:port`, for https and websockets: bytes are copied in both directions;
- `GET http://host/path` and the like: the head is parsed, its headers for the proxy are removed,
  and it is sent to the host with a body of the declared length; the answer is copied.

The host is resolved and checked by the same function as in `fetch`, whoever asks: the page, a
redirect, a frame, a script or a worker. The connection is made to the checked address; proxies of
the environment are not used. The browser must not resolve names or connect by other ways:
`BROWSER_FLAGS` closes those. The password is new for each gate, so that other programs on this
computer cannot use it.
"""

from __future__ import annotations

import asyncio
import base64
import hmac
import re
import secrets
from asyncio import StreamReader, StreamWriter
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from thresher.errors import FetchError, UsageError
from thresher.fetch.addresses import connect, is_public

# Flags of Chromium that close its ways around the gate. There is no --disable-features here: the
# last one given wins, and Playwright gives its own (which turns off MediaRouter, a search for
# devices in the local network).
BROWSER_FLAGS = (
    # A browser context without a gate has a proxy that does not exist, not a direct way.
    "--proxy-server=http://gate.invalid:1",
    # Chromium connects directly to localhost, 127.0.0.0/8, ::1 and 169.254.0.0/16 otherwise.
    "--proxy-bypass-list=<-loopback>",
    # No name is resolved (prefetch, preconnect, WebRTC); 127.0.0.1 is the gate itself.
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    # WebRTC sends no UDP packets, which this proxy cannot carry. Chromium 150 knows the first name
    # of the flag only, older ones the second.
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-quic",  # HTTP/3 and WebTransport are UDP
    "--no-pings",  # the attribute ping of links
    "--disable-background-networking",  # updates of lists and extensions, field trials
    "--disable-component-update",  # updates of parts of the browser
    "--disable-domain-reliability",  # reports of failed requests
    "--disable-sync",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-breakpad",  # crash reports
    "--metrics-recording-only",  # usage reports are not sent
    "--no-first-run",
    "--no-default-browser-check",
)

_USER = "thresher"
_MAX_HEAD = 65_536  # bytes of the head of a request or response
_HEAD_TIME = 10.0  # seconds until the head of a request is complete
_CHUNK = 65_536  # bytes copied at a time
_MAX_CONNECTIONS = 512  # Chromium opens up to 32, and 255 for websockets
_MAX_REFUSED = 1_000  # entries of `refused`, so that a page cannot fill the memory
_MAX_INTERIM = 8  # answers such as "103 Early Hints" before the final one

_Connection = tuple[StreamReader, StreamWriter]
_Headers = list[tuple[bytes, bytes]]  # name and value


class Gate:
    """A proxy for one browser context, open while it is entered (`async with`).

    `private` also allows addresses of this computer and of private networks; `allow(host, port)` is
    True for hosts that may have such an address, for instance a server of the caller. Without
    `open`, every request is refused. `max_bytes` limits the bytes that pass in all, in both
    directions: then all connections are closed, and further requests refused. `timeout` limits a
    connection as a whole, in seconds.

    `port` is the port on 127.0.0.1, `bytes` how many bytes have passed, `full` whether `max_bytes`
    were too few, and `refused` has the host and the reason of the first refused requests.
    """

    def __init__(
        self,
        *,
        private: bool = False,
        open: bool = True,  # noqa: A002 (as in "the gate is open")
        max_bytes: int = 64_000_000,
        timeout: float = 60.0,
        allow: Callable[[str, int], bool] | None = None,
    ) -> None:
        for name, value in (("max_bytes", max_bytes), ("timeout", timeout)):
            if not value > 0:
                raise UsageError(f"{name} is {value}: give a number above 0.")
        self.port = 0
        self.refused: list[tuple[str, str]] = []
        self.bytes = 0
        self.full = False
        self._private = private
        self._open = open
        self._max_bytes = max_bytes
        self._timeout = timeout
        self._allow = allow
        self._password = secrets.token_urlsafe(32)
        self._connections: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    def for_playwright(self) -> dict[str, str]:
        """Return the argument `proxy` of Playwright's `launch` or `new_context`."""
        return {
            "server": f"http://127.0.0.1:{self.port}",
            "username": _USER,
            "password": self._password,
            "bypass": "<-loopback>",  # no host is reached without the gate, not even this computer
        }

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, limit=_CHUNK)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None
        self._cancel_connections()
        await asyncio.gather(*self._connections, return_exceptions=True)

    # --- one connection ---------------------------------------------------------------------------

    async def _serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        """Serve one connection of the browser: one request, one answer."""
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        try:
            if self._server is not None and len(self._connections) <= _MAX_CONNECTIONS:
                async with asyncio.timeout(self._timeout):
                    await self._answer((reader, writer))
                    writer.close()
                    await writer.wait_closed()
        except (OSError, asyncio.CancelledError):  # broken, too slow, or the gate is closing
            pass
        finally:
            self._connections.discard(task)
            writer.transport.abort()

    async def _answer(self, client: _Connection) -> None:
        try:
            async with asyncio.timeout(_HEAD_TIME):
                head, rest = await _read_head(client[0], _STRICT_END)
            request = _parse_request(head)
            self._check_password(request)
            target = await self._connect(request)
            try:
                if request.method == b"CONNECT":
                    await self._tunnel(client, target, rest)
                else:
                    await self._forward(request, client, target, rest)
            finally:
                target[1].transport.abort()
        except _RefusedError as refusal:
            client[1].write(refusal.response())
            await client[1].drain()

    def _check_password(self, request: _Request) -> None:
        expected = base64.b64encode(f"{_USER}:{self._password}".encode())
        scheme, _, given = request.proxy_authorization.partition(b" ")
        if scheme.lower() != b"basic" or not hmac.compare_digest(given.strip(), expected):
            raise _RefusedError(407, "Proxy Authentication Required")

    async def _connect(self, request: _Request) -> _Connection:
        """Connect to the host of a request, or refuse it."""
        host, port = request.host, request.port
        if not self._open:
            raise self._refuse(host, "the network is turned off.")
        if self.full:
            raise self._refuse(host, f"more than {self._max_bytes:,} bytes were loaded.")
        private = self._private or (self._allow is not None and self._allow(host, port))
        try:
            connection = await connect(host, port, private=private, timeout=self._timeout)
        except FetchError as error:
            raise self._refuse(host, str(error)) from error
        except OSError as error:
            raise _RefusedError(502, "Bad Gateway") from error
        address, its_port, *_ = connection[1].get_extra_info("peername")
        if its_port == self.port and not is_public(address):
            connection[1].transport.abort()
            raise self._refuse(host, "a gate does not connect to itself.")
        return connection

    def _refuse(self, host: str, reason: str) -> _RefusedError:
        if len(self.refused) < _MAX_REFUSED:
            self.refused.append((host, reason))
        return _RefusedError(403, "Forbidden")

    # --- copying ----------------------------------------------------------------------------------

    async def _tunnel(self, client: _Connection, target: _Connection, rest: bytes) -> None:
        """Copy bytes both ways until one side closes; Chromium never closes one direction only."""
        client[1].write(b"HTTP/1.1 200 Connection Established\r\n\r\n")
        await self._send(target[1], rest)
        await _until_first(self._copy(client[0], target[1]), self._copy(target[0], client[1]))

    async def _forward(
        self, request: _Request, client: _Connection, target: _Connection, rest: bytes
    ) -> None:
        """Send a request on and copy the answer, until one side closes."""
        await self._send(target[1], request.forwarded())
        await _until_first(
            self._send_body(request, client[0], target[1], rest),
            self._send_answer(target[0], client[1]),
        )

    async def _send_body(
        self, request: _Request, reader: StreamReader, writer: StreamWriter, rest: bytes
    ) -> None:
        """Send the body of a request; return when the browser closes the connection.

        What follows a body of a declared length is read and dropped. A chunked body ends itself:
        all that comes is sent, to a server that was told to close after this request.
        """
        left = request.length
        while data := rest or await reader.read(_CHUNK):
            rest = b""
            await self._send(writer, data if left is None else data[:left])
            left = None if left is None else max(0, left - len(data))

    async def _send_answer(self, reader: StreamReader, writer: StreamWriter) -> None:
        head, body = await _read_answer_head(reader)
        await self._send(writer, _answer_head(head) + body)
        await self._copy(reader, writer)

    async def _copy(self, reader: StreamReader, writer: StreamWriter) -> None:
        while data := await reader.read(_CHUNK):
            await self._send(writer, data)

    async def _send(self, writer: StreamWriter, data: bytes) -> None:
        """Count and send bytes; close all connections instead if these are too many."""
        if self.full or self.bytes + len(data) > self._max_bytes:
            self.full = True
            self._cancel_connections()
            raise ConnectionAbortedError("the gate is full")
        self.bytes += len(data)
        writer.write(data)
        await writer.drain()

    def _cancel_connections(self) -> None:
        for task in self._connections:
            task.cancel()


async def _until_first(*copies: Coroutine[Any, Any, None]) -> None:
    """Run until the first of several copies ends; raise its exception."""
    tasks = [asyncio.ensure_future(copy) for copy in copies]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


class _RefusedError(Exception):
    """An answer of the gate itself; without a body, which could be taken for text of a page."""

    def __init__(self, status: int, phrase: str) -> None:
        super().__init__(f"{status} {phrase}")
        self.status = status

    def response(self) -> bytes:
        """Return the answer as bytes."""
        ask = 'Proxy-Authenticate: Basic realm="thresher"\r\n' if self.status == 407 else ""
        return (f"HTTP/1.1 {self}\r\n{ask}Content-Length: 0\r\nConnection: close\r\n\r\n").encode(
            "ascii"
        )


# --- heads of requests and answers ----------------------------------------------------------------

_STRICT_END = re.compile(rb"\r\n\r\n")
_END = re.compile(rb"\r?\n\r?\n")  # some servers send no carriage returns

_TOKEN = rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+"  # RFC 9110, 5.6.2
_HOST = rb"(?:\[([0-9A-Fa-f:.]+)\]|([0-9A-Za-z._~!$&'()*+,;=-]+))"
_REQUEST_LINE = re.compile(rb"(%s) ([!-~]+) HTTP/1\.1" % _TOKEN)
_HEADER = re.compile(rb"(%s):([\t -~\x80-\xff]*)" % _TOKEN)
_TUNNEL_TARGET = re.compile(_HOST + rb":([0-9]{1,5})()")
_HTTP_TARGET = re.compile(rb"(?i:http)://" + _HOST + rb"(?::([0-9]{1,5}))?([/?][^#]*)?")
_STATUS_LINE = re.compile(rb"HTTP/1\.[01] ([1-5][0-9]{2})(?: [^\r\n]*)?")

# Headers that concern one connection only (RFC 9110, 7.6.1), or the proxy.
_HOP_BY_HOP = {
    b"connection",
    b"keep-alive",
    b"proxy-authenticate",
    b"proxy-authorization",
    b"proxy-connection",
    b"te",
    b"upgrade",
}
_FRAMING = {b"content-length", b"transfer-encoding"}


@dataclass(frozen=True, slots=True)
class _Request:
    """The head of a request of the browser."""

    method: bytes
    host: str
    port: int
    path: bytes  # "" for CONNECT
    headers: _Headers  # without those for the proxy, and without Host
    length: int | None  # of the body; None if it is chunked
    proxy_authorization: bytes

    def forwarded(self) -> bytes:
        """Return the head to send to the host."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = "" if self.port == 80 else f":{self.port}"
        return b"".join(
            [
                b"%s %s HTTP/1.1\r\n" % (self.method, self.path),
                b"Host: %s\r\n" % (host + port).encode("ascii"),
                *(b"%s: %s\r\n" % header for header in self.headers),
                b"Connection: close\r\n\r\n",
            ]
        )


async def _read_head(
    reader: StreamReader, end: re.Pattern[bytes], read: bytes = b""
) -> tuple[bytes, bytes]:
    """Return a head without its end, and what was read after it; `read` was read before."""
    data = bytearray(read)
    searched = 0
    while not (found := end.search(data, max(0, searched - 3))):
        searched = len(data)
        if searched > _MAX_HEAD:
            raise _RefusedError(431, "Request Header Fields Too Large")
        more = await reader.read(_CHUNK)
        if not more:
            raise ConnectionResetError("the connection was closed within the head")
        data += more
    if found.start() > _MAX_HEAD:
        raise _RefusedError(431, "Request Header Fields Too Large")
    return bytes(data[: found.start()]), bytes(data[found.end() :])


def _parse_request(head: bytes) -> _Request:
    """Read the head of a request strictly; refuse what two readers could take differently."""
    first, *lines = head.split(b"\r\n")
    request = _REQUEST_LINE.fullmatch(first)
    fields = [_HEADER.fullmatch(line) for line in lines]
    if request is None or None in fields:
        raise _RefusedError(400, "Bad Request")
    method, target = request.groups()
    headers = [(field[1], field[2].strip(b" \t")) for field in fields if field is not None]
    pattern = _TUNNEL_TARGET if method == b"CONNECT" else _HTTP_TARGET
    place = pattern.fullmatch(target)
    if place is None or not 0 < int(place[3] or 80) <= 65_535:
        raise _RefusedError(400, "Bad Request")
    path = place[4] or b""
    length = _body_length(headers)
    if method == b"CONNECT" and length != 0:
        raise _RefusedError(400, "Bad Request")
    return _Request(
        method=method,
        host=(place[1] or place[2]).decode("ascii"),
        port=int(place[3] or 80),
        path=path if path.startswith(b"/") else b"/" + path,
        headers=_end_to_end(headers),
        length=length,
        proxy_authorization=b"".join(_values(headers, b"proxy-authorization")),
    )


def _values(headers: _Headers, name: bytes) -> list[bytes]:
    return [value for each, value in headers if each.lower() == name]


def _body_length(headers: _Headers) -> int | None:
    """Return the length of a body, None if it is chunked; refuse a length that is unclear."""
    lengths = _values(headers, b"content-length")
    encodings = [value.lower() for value in _values(headers, b"transfer-encoding")]
    if encodings == [b"chunked"] and not lengths:
        return None
    if (
        encodings
        or len(lengths) > 1
        or not re.fullmatch(rb"[0-9]{1,15}", b"".join(lengths) or b"0")
    ):
        raise _RefusedError(400, "Bad Request")
    return int(b"".join(lengths) or b"0")


def _end_to_end(headers: _Headers) -> _Headers:
    """Return the headers that are meant for the host, except Host itself."""
    named = {
        name.strip(b" \t").lower()
        for value in _values(headers, b"connection")
        for name in value.split(b",")
    }
    dropped = _HOP_BY_HOP | {b"host"} | (named - _FRAMING)
    return [(name, value) for name, value in headers if name.lower() not in dropped]


async def _read_answer_head(reader: StreamReader) -> tuple[bytes, bytes]:
    """Return the head of the final answer of a host, and what was read after it."""
    head, rest = b"", b""
    for _ in range(_MAX_INTERIM):
        try:
            head, rest = await _read_head(reader, _END, rest)
        except (_RefusedError, ConnectionResetError) as error:
            raise _RefusedError(502, "Bad Gateway") from error
        status = _STATUS_LINE.match(head)
        if status is None or status[1] in (b"101", b"407"):  # no switch; no question for a password
            break
        if not status[1].startswith(b"1"):
            return head, rest
    raise _RefusedError(502, "Bad Gateway")


def _answer_head(head: bytes) -> bytes:
    """Return the head of an answer as the browser gets it: it must close the connection, too."""
    first, *lines = re.split(rb"\r?\n", head)
    kept = [first]
    keep = True
    for line in lines:
        if not line.startswith((b" ", b"\t")):  # else it continues the line before
            keep = line.partition(b":")[0].strip(b" \t").lower() not in _HOP_BY_HOP
        if keep:
            kept.append(line)
    return b"\r\n".join([*kept, b"Connection: close", b"", b""])
