"""The gate with real servers, with requests written byte by byte, and with Chromium."""

import asyncio
import base64
import json
import os
import shutil
import socket
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from thresher.errors import UsageError
from thresher.visual.gate import BROWSER_FLAGS, Gate

PAGE = b"<title>Kettle</title><p>Steep the tea."


class Handler(BaseHTTPRequestHandler):
    """Answers with a page, what was sent, a redirect or many bytes, by the path."""

    server: "Server"
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.server.seen.append((self.path, dict(self.headers)))
        name, _, argument = self.path.strip("/").partition("/")
        if name == "to":
            self.reply(b"", 302, ("Location", argument))
        elif name == "size":
            self.reply(b"x" * int(argument))
        elif name == "status":
            self.reply(b"", int(argument), ("WWW-Authenticate", 'Basic realm="x"'))
        else:
            self.reply(self.server.pages.get(self.path, PAGE))

    def do_POST(self) -> None:
        self.server.seen.append((self.path, dict(self.headers)))
        if self.headers["Transfer-Encoding"] == "chunked":
            body = b""
            while size := int(self.rfile.readline(), 16):
                body += self.rfile.read(size + 2)[:-2]
            self.rfile.readline()
        else:
            body = self.rfile.read(int(self.headers["Content-Length"]))
        self.reply(b"got " + body)

    def reply(self, body: bytes, status: int = 200, *headers: tuple[str, str]) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Keep-Alive", "timeout=5")
        for header in headers:
            self.send_header(*header)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.seen: list[tuple[str, dict[str, str]]] = []
        self.pages: dict[str, bytes] = {}

    @property
    def paths(self) -> list[str]:
        return [path for path, _ in self.seen]

    def url(self, path: str = "/") -> str:
        return f"http://127.0.0.1:{self.server_port}{path}"

    def handle_error(self, request: object, client_address: object) -> None:
        """Print nothing when the gate closes a connection."""


def start() -> Iterator[Server]:
    with Server() as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield running
        running.shutdown()
        thread.join()


@pytest.fixture
def server() -> Iterator[Server]:
    yield from start()


@pytest.fixture
def other() -> Iterator[Server]:
    yield from start()


@contextmanager
def raw_server(answer: Callable[[socket.socket], None]) -> Iterator[int]:
    """Yield the port of a server that serves each connection with a function."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            while True:
                try:
                    connection, _ = listening.accept()
                except OSError:
                    return
                with connection:
                    answer(connection)

        thread = threading.Thread(target=serve)
        thread.start()
        yield listening.getsockname()[1]
        listening.shutdown(socket.SHUT_RDWR)
        thread.join()


def password(gate: Gate) -> bytes:
    settings = gate.for_playwright()
    pair = f"{settings['username']}:{settings['password']}"
    return b"Proxy-Authorization: Basic " + base64.b64encode(pair.encode()) + b"\r\n"


async def talk(gate: Gate, request: bytes, *, first: bytes = b"", known: bool = True) -> bytes:
    """Send a request line and headers, with the password unless not `known`; return the answer."""
    head, _, body = request.partition(b"\r\n\r\n")
    secret = password(gate) if known else b""
    reader, writer = await asyncio.open_connection("127.0.0.1", gate.port)
    try:
        writer.write(first + head + b"\r\n" + secret + b"\r\n" + body)
        return await asyncio.wait_for(reader.read(), 10)
    except ConnectionError:
        return b""
    finally:
        writer.close()


def ask(request: bytes, *, known: bool = True, **options: Any) -> tuple[bytes, Gate]:
    """Return the answer of a new gate, and the gate."""

    async def run() -> tuple[bytes, Gate]:
        async with Gate(**options) as gate:
            return await talk(gate, request, known=known), gate

    return asyncio.run(run())


def get(server: Server, path: str = "/", headers: bytes = b"") -> bytes:
    return f"GET {server.url(path)} HTTP/1.1\r\n".encode() + headers + b"\r\n"


def status(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1])


# --- requests -------------------------------------------------------------------------------------


def test_a_plain_request(server: Server) -> None:
    answer, gate = ask(
        get(
            server,
            "/tea?x=1",
            b"Host: wrong.example\r\nAccept: */*\r\nProxy-Connection: keep-alive\r\n"
            b"Connection: keep-alive, X-Hop\r\nX-Hop: 1\r\nUpgrade: h2c\r\nTE: trailers\r\n",
        ),
        private=True,
    )
    head, _, body = answer.partition(b"\r\n\r\n")
    assert (status(answer), body) == (200, PAGE)
    assert b"\r\nConnection: close" in head
    assert b"Keep-Alive" not in head
    assert server.seen == [
        (
            "/tea?x=1",
            {"Host": f"127.0.0.1:{server.server_port}", "Accept": "*/*", "Connection": "close"},
        )
    ]
    assert gate.refused == []
    assert len(answer) < gate.bytes < len(answer) + 200


def test_the_path_is_never_empty(server: Server) -> None:
    place = f"http://127.0.0.1:{server.server_port}".encode()
    for target in (place, place + b"?q=1"):
        assert status(ask(b"GET " + target + b" HTTP/1.1\r\n\r\n", private=True)[0]) == 200
    assert server.paths == ["/", "/?q=1"]


def test_bodies_with_a_length_and_in_chunks(server: Server) -> None:
    line = f"POST {server.url('/form')} HTTP/1.1\r\n".encode()
    sent = line + b"Content-Length: 3\r\n\r\ntea" + get(server, "/smuggled")
    answer, _ = ask(sent, private=True)
    assert answer.endswith(b"got tea")
    sent = line + b"Transfer-Encoding: chunked\r\n\r\n3\r\ntea\r\n4\r\npots\r\n0\r\n\r\n"
    answer, _ = ask(sent, private=True)
    assert answer.endswith(b"got teapots")
    assert server.paths == ["/form", "/form"]


@pytest.mark.slow
def test_a_large_body(server: Server) -> None:
    body = os.urandom(3_000_000)
    head = f"POST {server.url('/form')} HTTP/1.1\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    answer, gate = ask(head + body, private=True)
    assert answer.endswith(b"got " + body)
    assert gate.bytes > 2 * len(body)


def test_a_tunnel_copies_both_ways() -> None:
    def echo_backwards(connection: socket.socket) -> None:
        for _ in range(2):
            connection.sendall(connection.recv(100)[::-1])

    async def run(port: int) -> None:
        async with Gate(private=True) as gate:
            reader, writer = await asyncio.open_connection("127.0.0.1", gate.port)
            head = f"CONNECT 127.0.0.1:{port} HTTP/1.1\r\n".encode() + password(gate) + b"\r\n"
            writer.write(head + b"early")
            assert await reader.readuntil(b"\r\n\r\n") == (
                b"HTTP/1.1 200 Connection Established\r\n\r\n"
            )
            assert await reader.readexactly(5) == b"ylrae"
            writer.write(b"late")
            assert await reader.readexactly(4) == b"etal"
            assert await reader.read() == b""  # the server has closed the connection
            assert gate.bytes == 18
            writer.close()

    with raw_server(echo_backwards) as port:
        asyncio.run(run(port))


@pytest.mark.parametrize(
    "line",
    [
        b"GET / HTTP/1.1",  # to the gate itself, as to a server
        b"GET https://127.0.0.1/ HTTP/1.1",
        b"GET ftp://127.0.0.1/ HTTP/1.1",
        b"GET http:///path HTTP/1.1",
        b"GET http://user@127.0.0.1/ HTTP/1.1",
        b"GET http://127.0.0.1:0/ HTTP/1.1",
        b"GET http://127.0.0.1:65536/ HTTP/1.1",
        b"GET http://127.0.0.1:x/ HTTP/1.1",
        b"GET http://[::1 HTTP/1.1",
        b"GET http://[fe80::1%25lo]/ HTTP/1.1",
        b"GET http://127.0.0.1\\@x/ HTTP/1.1",
        b"GET http://127.0.0.1/#part HTTP/1.1",
        b"GET http://127.0.0.1/ HTTP/1.0",
        b"GET http://127.0.0.1/ HTTP/2",
        b"GET  http://127.0.0.1/ HTTP/1.1",
        b"GET http://127.0.0.1/ x HTTP/1.1",
        b"GET http://127.0.0.1/\xc3\xa4 HTTP/1.1",
        b"G\x00T http://127.0.0.1/ HTTP/1.1",
        b"CONNECT 127.0.0.1 HTTP/1.1",
        b"CONNECT 127.0.0.1: HTTP/1.1",
        b"CONNECT http://127.0.0.1:80/ HTTP/1.1",
        b"CONNECT 127.0.0.1:80/path HTTP/1.1",
        b"CONNECT 127.0.0.1:99999 HTTP/1.1",
        b"CONNECT 127.0.0.1:80 HTTP/1.1\r\nContent-Length: 5",
        b"",
    ],
)
def test_request_lines_that_are_refused(line: bytes) -> None:
    answer, gate = ask(line + b"\r\n\r\n", private=True)
    assert status(answer) == 400
    assert gate.bytes == 0


@pytest.mark.parametrize(
    "headers",
    [
        b"Content-Length: 1\r\nTransfer-Encoding: chunked",
        b"Content-Length: 1\r\nContent-Length: 2",
        b"Content-Length: 1, 1",
        b"Content-Length: +1",
        b"Content-Length: -1",
        b"Content-Length: 0x1",
        b"Transfer-Encoding: gzip, chunked",
        b"Transfer-Encoding: xchunked",
        b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
        b"Name : value",
        b" Name: value",
        b"Name: one\r\n two",
        b"Name: one\ntwo: three",
        b"Name: one\rtwo",
        b"Name: \x00",
        b"Name",
        b": value",
    ],
)
def test_headers_that_are_refused(server: Server, headers: bytes) -> None:
    answer, gate = ask(get(server, "/", headers + b"\r\n"), private=True)
    assert status(answer) == 400
    assert (server.seen, gate.bytes) == ([], 0)


def test_a_body_cannot_lose_its_length(server: Server) -> None:
    line = f"POST {server.url('/form')} HTTP/1.1\r\n".encode()
    headers = b"Connection: content-length\r\nContent-Length: 3\r\n\r\n"
    assert ask(line + headers + b"tea", private=True)[0].endswith(b"got tea")


@pytest.mark.parametrize("end", [b"\r\n", b""])
def test_a_head_that_is_too_long(server: Server, end: bytes) -> None:
    answer, _ = ask(get(server, "/", b"Name: " + b"x" * 70_000 + end), private=True)
    assert answer == b"" or status(answer) == 431  # the answer may be lost with the connection
    assert server.seen == []
    fits = b"Name: " + b"x" * 60_000 + b"\r\n"
    assert status(ask(get(server, "/", fits), private=True)[0]) == 200


# --- answers --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sent", "received"),
    [
        (b"HTTP/1.1 200 OK\n\nx", b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nx"),
        (
            b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nA: b\r\n\r\nx",
            b"HTTP/1.1 200 OK\r\nA: b\r\nConnection: close\r\n\r\nx",
        ),
        (
            b"HTTP/1.0 200 OK\r\nConnection: keep-alive,\r\n x\r\nA: b\r\n c\r\n\r\n",
            b"HTTP/1.0 200 OK\r\nA: b\r\n c\r\nConnection: close\r\n\r\n",
        ),
    ],
)
def test_answers_are_passed_on_with_an_end(sent: bytes, received: bytes) -> None:
    def answer(connection: socket.socket) -> None:
        connection.recv(1_000)
        connection.sendall(sent)

    with raw_server(answer) as port:
        request = f"GET http://127.0.0.1:{port}/ HTTP/1.1\r\n\r\n".encode()
        assert ask(request, private=True)[0] == received


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"SSH-2.0-OpenSSH\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nName: val",
        b"HTTP/1.1 101 Switching Protocols\r\n\r\n",
        b"HTTP/1.1 100 Continue\r\n\r\n" * 100,
        b"HTTP/1.1 200 OK\r\nName: " + b"x" * 70_000 + b"\r\n\r\n",
        b'HTTP/1.1 407 Who?\r\nProxy-Authenticate: Basic realm="x"\r\n\r\n',
    ],
)
def test_answers_that_are_no_answers(sent: bytes) -> None:
    def answer(connection: socket.socket) -> None:
        connection.recv(1_000)
        connection.sendall(sent)

    with raw_server(answer) as port:
        request = f"GET http://127.0.0.1:{port}/ HTTP/1.1\r\n\r\n".encode()
        assert status(ask(request, private=True)[0]) == 502


def test_a_host_that_cannot_be_reached() -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    for host in (f"127.0.0.1:{port}", "name.invalid"):
        answer, gate = ask(f"GET http://{host}/ HTTP/1.1\r\n\r\n".encode(), private=True)
        assert (status(answer), gate.refused) == (502, [])


# --- who may use it, and for what -----------------------------------------------------------------


@pytest.mark.parametrize(
    "header",
    [
        b"",
        b"Proxy-Authorization: Basic\r\n",
        b"Proxy-Authorization: Basic dGhyZXNoZXI6\r\n",
        b"Proxy-Authorization: Basic \xff\r\n",
        b"Proxy-Authorization: Bearer dGhyZXNoZXI6\r\n",
        b"Authorization: Basic dGhyZXNoZXI6\r\n",
    ],
)
def test_without_the_password_nothing_is_done(server: Server, header: bytes) -> None:
    for request in (get(server, "/", header), b"CONNECT 127.0.0.1:80 HTTP/1.1\r\n" + header):
        answer, gate = ask(request, known=False, private=True)
        assert status(answer) == 407
        assert b'\r\nProxy-Authenticate: Basic realm="thresher"\r\n' in answer
    assert (server.seen, gate.bytes, gate.refused) == ([], 0, [])


def test_each_gate_has_its_own_password(server: Server) -> None:
    async def run() -> None:
        async with Gate(private=True) as one, Gate(private=True) as two:
            request = get(server, "/", password(one))
            assert status(await talk(one, request, known=False)) == 200
            assert status(await talk(two, request, known=False)) == 407

    asyncio.run(run())


def test_the_gate_listens_on_this_computer_only() -> None:
    async def run() -> None:
        async with Gate() as gate:
            assert gate.for_playwright()["server"] == f"http://127.0.0.1:{gate.port}"
            with pytest.raises(OSError):  # noqa: PT011 (refused, or no such address)
                await asyncio.open_connection("::1", gate.port)

    asyncio.run(run())


@pytest.mark.parametrize(
    "host",
    "127.0.0.1 localhost 127.1 2130706433 0x7f000001 0 10.0.0.1 169.254.169.254 100.64.0.1 "
    "224.0.0.1 [::1] [::ffff:127.0.0.1] [fd00::1] [fe80::1]".split(),
)
def test_private_addresses_are_refused(server: Server, host: str) -> None:
    place = f"{host}:{server.server_port}"
    for line in (f"GET http://{place}/ HTTP/1.1\r\n\r\n", f"CONNECT {place} HTTP/1.1\r\n\r\n"):
        answer, gate = ask(line.encode())
        assert answer == b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        [(refused, reason)] = gate.refused
        assert refused == host.strip("[]")
        assert "only public addresses are read" in reason
    assert server.seen == []


def test_a_host_that_is_allowed(server: Server, other: Server) -> None:
    def allow(host: str, port: int) -> bool:
        return (host, port) == ("127.0.0.1", server.server_port)

    assert status(ask(get(server), allow=allow)[0]) == 200
    assert status(ask(get(other), allow=allow)[0]) == 403


def test_a_closed_gate_refuses_all(server: Server) -> None:
    answer, gate = ask(get(server), open=False, private=True)
    assert status(answer) == 403
    assert gate.refused == [("127.0.0.1", "the network is turned off.")]
    assert ask(b"CONNECT name.invalid:443 HTTP/1.1\r\n\r\n", open=False)[1].refused
    assert server.seen == []


def test_a_gate_does_not_connect_to_itself() -> None:
    async def run() -> None:
        async with Gate(private=True) as gate:
            for host in ("127.0.0.1", "localhost", "0.0.0.0", "[::ffff:127.0.0.1]"):
                request = f"CONNECT {host}:{gate.port} HTTP/1.1\r\n\r\n".encode()
                assert status(await talk(gate, request)) in (403, 502)
            assert ("127.0.0.1", "a gate does not connect to itself.") in gate.refused
            assert gate.bytes == 0

    asyncio.run(run())


# --- limits ---------------------------------------------------------------------------------------


def test_too_many_bytes_close_everything(server: Server) -> None:
    def wait(connection: socket.socket) -> None:
        connection.recv(1)

    async def run(port: int) -> None:
        async with Gate(private=True, max_bytes=100_000) as gate:
            reader, writer = await asyncio.open_connection("127.0.0.1", gate.port)
            line = f"CONNECT 127.0.0.1:{port} HTTP/1.1\r\n".encode()
            writer.write(line + password(gate) + b"\r\n")
            await reader.readuntil(b"\r\n\r\n")
            assert len(await talk(gate, get(server, "/size/50000"))) > 50_000
            assert not gate.full
            assert len(await talk(gate, get(server, "/size/5000000"))) < 100_000
            assert gate.full
            assert gate.bytes <= 100_000
            with pytest.raises(ConnectionError):  # noqa: PT012 (either may notice it)
                if await reader.read() == b"":  # the idle tunnel
                    raise ConnectionError
            assert status(await talk(gate, get(server))) == 403
            assert gate.refused == [("127.0.0.1", "more than 100,000 bytes were loaded.")]
            writer.close()

    with raw_server(wait) as port:
        asyncio.run(run(port))


def test_a_connection_takes_a_limited_time() -> None:
    closed = threading.Event()

    def wait(connection: socket.socket) -> None:
        connection.settimeout(10)
        while connection.recv(1_000):
            pass
        closed.set()

    with raw_server(wait) as port:
        for line in (f"GET http://127.0.0.1:{port}/", f"CONNECT 127.0.0.1:{port}"):
            answer, _ = ask(f"{line} HTTP/1.1\r\n\r\n".encode(), private=True, timeout=0.3)
            assert answer in (b"", b"HTTP/1.1 200 Connection Established\r\n\r\n")
            assert closed.wait(5)
            closed.clear()


def test_leaving_the_gate_closes_its_connections() -> None:
    closed = threading.Event()

    def wait(connection: socket.socket) -> None:
        connection.settimeout(10)
        connection.recv(1_000)
        closed.set()

    async def run(port: int) -> None:
        async with Gate(private=True) as gate:
            reader, writer = await asyncio.open_connection("127.0.0.1", gate.port)
            line = f"CONNECT 127.0.0.1:{port} HTTP/1.1\r\n".encode()
            writer.write(line + password(gate) + b"\r\n")
            await reader.readuntil(b"\r\n\r\n")
        assert await reader.read() == b""
        writer.close()
        with pytest.raises(OSError):  # noqa: PT011
            await asyncio.open_connection("127.0.0.1", gate.port)

    with raw_server(wait) as port:
        asyncio.run(run(port))
        assert closed.wait(5)


def test_a_browser_that_hangs_up_ends_the_request() -> None:
    closed = threading.Event()

    def send_without_end(connection: socket.socket) -> None:
        connection.recv(1_000)
        try:
            connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
            while True:
                connection.sendall(b"x" * 1_000)
        except OSError:
            closed.set()

    async def run(port: int) -> None:
        async with Gate(private=True) as gate:
            reader, writer = await asyncio.open_connection("127.0.0.1", gate.port)
            line = f"GET http://127.0.0.1:{port}/ HTTP/1.1\r\n".encode()
            writer.write(line + password(gate) + b"\r\n")
            await reader.readexactly(1_000)
            writer.close()
            assert await asyncio.to_thread(closed.wait, 5)

    with raw_server(send_without_end) as port:
        asyncio.run(run(port))


@pytest.mark.parametrize("options", [{"max_bytes": 0}, {"timeout": 0}, {"timeout": float("nan")}])
def test_bad_options(options: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match=f"{next(iter(options))} is .*: give a number above 0"):
        Gate(**options)


# --- a real browser -------------------------------------------------------------------------------

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")


@asynccontextmanager
async def browser(*flags: str) -> AsyncIterator[Any]:
    from playwright.async_api import async_playwright

    async with async_playwright() as playwright:
        running = await playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", *BROWSER_FLAGS, *flags]
        )
        try:
            yield running
        finally:
            await running.close()


async def visit(gate: Gate, url: str, *, seconds: float = 0.0, flags: tuple[str, ...] = ()) -> Any:
    """Return the status and title of a page, or the error of the browser."""
    from playwright.async_api import Error

    async with browser(*flags) as running:
        context = await running.new_context(proxy=gate.for_playwright())
        page = await context.new_page()
        try:
            response = await page.goto(url)
        except Error as error:
            return error.message
        await asyncio.sleep(seconds)
        return response.status, await page.title()


def only(server: Server) -> Callable[[str, int], bool]:
    return lambda host, port: port == server.server_port


@pytest.mark.slow
@needs_browser
def test_chromium_loads_a_page_and_its_parts(server: Server, other: Server) -> None:
    server.pages["/page"] = (
        f"<title>Kettle</title><img src='/pot.png'><img src='{other.url('/secret.png')}'>"
        f"<iframe src='{other.url('/frame')}'></iframe>"
        f"<script>fetch('{other.url('/script')}')</script>"
    ).encode()

    async def run() -> Gate:
        async with Gate(allow=only(server)) as gate:
            assert await visit(gate, server.url("/page")) == (200, "Kettle")
            return gate

    gate = asyncio.run(run())
    assert "/pot.png" in server.paths
    assert all("Proxy-Authorization" not in headers for _, headers in server.seen)
    assert other.seen == []
    assert len(gate.refused) >= 3


@pytest.mark.slow
@needs_browser
def test_chromium_is_refused_after_a_redirect(server: Server, other: Server) -> None:
    async def run() -> tuple[Any, Gate]:
        async with Gate(allow=only(server)) as gate:
            return await visit(gate, server.url(f"/to/{other.url('/secret')}")), gate

    result, gate = asyncio.run(run())
    assert "ERR_HTTP_RESPONSE_CODE_FAILURE" in result
    assert server.paths[0].startswith("/to/")
    assert other.seen == []
    assert [host for host, _ in gate.refused[:1]] == ["127.0.0.1"]


@pytest.mark.slow
@needs_browser
def test_chromium_has_no_way_without_a_gate(server: Server) -> None:
    from playwright.async_api import Error

    async def run() -> None:
        async with browser() as running:
            page = await (await running.new_context()).new_page()
            with pytest.raises(Error, match="ERR_PROXY_CONNECTION_FAILED"):
                await page.goto(server.url())
        async with Gate(open=False) as gate:
            assert "ERR_HTTP_RESPONSE_CODE_FAILURE" in await visit(gate, server.url())
            assert "ERR_TUNNEL" in await visit(gate, f"https://127.0.0.1:{server.server_port}/")

    asyncio.run(run())
    assert server.seen == []


@pytest.mark.slow
@needs_browser
def test_a_server_that_asks_for_a_password_does_not_get_that_of_the_gate(server: Server) -> None:
    async def run() -> None:
        async with Gate(private=True) as gate:
            await visit(gate, server.url("/status/401"))

    asyncio.run(run())
    assert server.paths[0] == "/status/401"
    assert all("Authorization" not in headers for _, headers in server.seen)


# What a page can try: names, websockets, WebRTC by UDP and TCP, WebTransport, beacons.
TRICKS = """<title>Tricks</title>
<link rel=dns-prefetch href="//prefetch.kettle.example">
<link rel=preconnect href="https://preconnect.kettle.example">
<link rel=preconnect href="http://127.0.0.1:TCP">
<link rel=prefetch href="http://127.0.0.1:TCP/prefetch">
<script>
const peers = [];
for (const urls of ["stun:127.0.0.1:UDP", "stun:stun.kettle.example:3478",
                    "turn:127.0.0.1:TCP?transport=tcp", "turns:127.0.0.1:TCP?transport=tcp"]) {
    const peer = new RTCPeerConnection({iceServers: [{urls, username: "u", credential: "c"}]});
    peer.createDataChannel("x");
    peer.createOffer().then(offer => peer.setLocalDescription(offer));
    peers.push(peer);
}
if (window.WebTransport) {
    const session = new WebTransport("https://127.0.0.1:UDP/");
    session.ready.catch(() => 0);
    session.closed.catch(() => 0);
}
new WebSocket("ws://127.0.0.1:TCP/");
new WebSocket("wss://127.0.0.1:TCP/");
new EventSource("http://127.0.0.1:TCP/events");
navigator.sendBeacon("http://127.0.0.1:TCP/beacon", "x");
fetch("http://127.0.0.1:TCP/kept", {mode: "no-cors", keepalive: true});
new Worker(URL.createObjectURL(new Blob(["fetch('http://127.0.0.1:TCP/worker')"])));
</script>"""


@contextmanager
def listeners() -> Iterator[tuple[socket.socket, socket.socket]]:
    """Yield a TCP and a UDP socket of 127.0.0.1 that wait for someone to come."""
    with (
        socket.create_server(("127.0.0.1", 0)) as tcp,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp,
    ):
        udp.bind(("127.0.0.1", 0))
        tcp.setblocking(False)
        udp.setblocking(False)
        yield tcp, udp


def was_reached(listener: socket.socket) -> bool:
    try:
        if listener.type == socket.SOCK_STREAM:
            listener.accept()[0].close()
        else:
            listener.recv(2_000)
    except BlockingIOError:
        return False
    return True


@pytest.mark.slow
@needs_browser
def test_chromium_finds_no_way_around_the_gate(server: Server, tmp_path: Path) -> None:
    log = tmp_path / "net-log.json"

    async def run() -> Gate:
        async with Gate(allow=only(server)) as gate:
            flags = (f"--log-net-log={log}",)
            assert (await visit(gate, server.url("/tricks"), seconds=3, flags=flags))[0] == 200
            return gate

    with listeners() as (tcp, udp):
        ports = {"TCP": tcp.getsockname()[1], "UDP": udp.getsockname()[1]}
        page = TRICKS
        for name, port in ports.items():
            page = page.replace(f":{name}", f":{port}")
        server.pages["/tricks"] = page.encode()
        gate = asyncio.run(run())
        assert not was_reached(tcp)
        assert not was_reached(udp)
    assert len(gate.refused) >= 7
    # What the browser did on the network by its own account.
    recorded = json.loads(log.read_text())
    names = {number: name for name, number in recorded["constants"]["logEventTypes"].items()}
    events = [(names[event["type"]], event.get("params", {})) for event in recorded["events"]]
    connected = {
        params["address"]
        for name, params in events
        if name == "TCP_CONNECT_ATTEMPT" and "address" in params
    }
    assert connected == {f"127.0.0.1:{gate.port}"}
    assert not [params for name, params in events if name == "UDP_BYTES_SENT"]
    assert not [params for name, params in events if name == "HOST_RESOLVER_MANAGER_JOB"]


@pytest.mark.slow
@needs_browser
def test_the_tricks_work_where_they_are_allowed(server: Server) -> None:
    """The control of the test above: with `private` the same page reaches the TCP socket."""

    async def run() -> Any:
        async with Gate(private=True) as gate:
            return await visit(gate, server.url("/tricks"), seconds=1)

    with listeners() as (tcp, udp):
        port = tcp.getsockname()[1]
        page = TRICKS.replace(":TCP", f":{port}").replace(":UDP", f":{udp.getsockname()[1]}")
        server.pages["/tricks"] = page.encode()
        assert asyncio.run(run())[0] == 200
        assert was_reached(tcp)
        assert not was_reached(udp)


@pytest.mark.slow
@needs_browser
def test_chromium_stops_when_the_gate_is_full(server: Server) -> None:
    server.pages[
        "/page"
    ] = (  # a frame: Chromium gives up an image that is none after its first bytes
        b"<title>Full</title><iframe src='/size/3000000'></iframe><img src='/after'>"
    )

    async def run() -> tuple[Any, Gate]:
        async with Gate(allow=only(server), max_bytes=200_000) as gate:
            return await visit(gate, server.url("/page")), gate

    result, gate = asyncio.run(run())
    assert result == (200, "Full")
    assert gate.full
    assert gate.bytes <= 200_000
