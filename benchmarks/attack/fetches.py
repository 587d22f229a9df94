"""Hostile addresses and servers: each fetch returns a page or raises `FetchError`, in time.

A local server answers with exactly the bytes of a case: redirects to addresses that are none,
bodies whose length, chunks or compression lie, headers without an end, and bytes that come one at a
time. The error is one sentence and shows no password. All cases together are also one run of the
command line, whose last input must still be read.
"""

from __future__ import annotations

import gzip
import io
import os
import socketserver
import tempfile
import threading
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, redirect_stderr
from pathlib import Path
from urllib.parse import urlsplit

from benchmarks.attack.rows import Row, print_rows, row
from thresher.errors import FetchError
from thresher.fetch import fetch

WAIT = 0.5  # seconds: `timeout`
WHOLE = 1.5  # seconds: `total_time`
SLACK = 2.0  # seconds more that a fetch may take: the machine is busy
MOST_BYTES = 200_000
SECRET = "s3cret"

PAGE = b"<title>Rain</title><p>All night it rained on the roof and nobody slept."
Answer = bytes | Callable[[], Iterator[bytes]]


def attack(part: slice = slice(None)) -> list[Row]:
    """Fetch everything, or the given part of each list; return a row for each kind."""
    with serving() as server:
        answers = dict(list(ANSWERS.items())[part])
        server.answers = {f"/{number}": answer for number, answer in enumerate(answers.values())}
        addresses, targets = ADDRESSES[part], TARGETS[part]
        moved = {f"/to/{number}": redirect(target) for number, target in enumerate(targets)}
        server.answers |= moved
        # The command line takes what has no scheme for a file, and "/" for a folder of pages.
        inputs = [address for address in addresses if "://" in address]
        inputs += [server.url(path) for path in server.answers]
        return [
            row("fetch: addresses", map(outcome, addresses)),
            row("fetch: redirects", (outcome(server.url(path)) for path in moved)),
            row("fetch: answers", map(answer_outcomes(server, answers), answers)),
            row("fetch: addresses that are not public", refusals(server, PRIVATE[part])),
            row("fetch: a batch with all of them", [batch(inputs)]),
        ]


def outcome(address: str, private: bool = True) -> str:
    """Return "" if a fetch returns a page or raises `FetchError` in time, else what happened."""
    begin = time.monotonic()
    try:
        fetched = fetch(
            address, private=private, timeout=WAIT, total_time=WHOLE, max_bytes=MOST_BYTES
        )
    except FetchError as error:
        sentence = str(error)
        if SECRET in sentence:
            return f"{address!a} shows its password: {sentence!a}"
        if not sentence.endswith(".") or "\n" in sentence:
            return f"{address!a} raises no sentence: {sentence!a}"
    except Exception as error:
        return f"{address!a} raises {type(error).__name__}: {error!s:.200}"
    else:
        if SECRET in fetched.url or len(fetched.body) > MOST_BYTES:
            return f"{address!a} returns {len(fetched.body):,} bytes of {fetched.url!a}"
    seconds = time.monotonic() - begin
    return f"{address!a} takes {seconds:.1f} s" if seconds > WHOLE + SLACK else ""


def answer_outcomes(server: Server, answers: dict[str, Answer]) -> Callable[[str], str]:
    """Return a function from the name of an answer to the outcome of fetching it."""
    numbers = {name: number for number, name in enumerate(answers)}

    def of(name: str) -> str:
        found = outcome(server.url(f"/{numbers[name]}"))
        return f"{name}: {found}" if found else ""

    return of


def refusals(server: Server, hosts: Iterable[str]) -> Iterator[str]:
    """Yield the outcome of each address that is not public: no connection may be made to it."""
    for host in hosts:
        before = server.connections
        address = f"http://{host}:{server.port}/0"
        try:
            fetch(address, timeout=WAIT, total_time=WHOLE)
        except FetchError:
            yield f"{address} is connected to" if server.connections > before else ""
        except Exception as error:
            yield f"{address} raises {type(error).__name__}: {error}"
        else:
            yield f"{address} is read"


def batch(inputs: list[str]) -> str:
    """Return "" if a run of the command line reads its last input after all others failed."""
    from click.testing import CliRunner

    from thresher.cli import main

    with tempfile.TemporaryDirectory() as folder:
        last = Path(folder, "last.html")
        last.write_bytes(PAGE)
        target = Path(folder, "out.json")
        arguments = ["extract", *inputs, str(last), "--private", "--timeout", str(WAIT)]
        with redirect_stderr(io.StringIO()):
            done = CliRunner().invoke(
                main, [*arguments, "--format", "json", "--output", str(target)]
            )
        written = target.read_text(encoding="utf-8") if target.exists() else ""
    if done.exit_code != 2 or str(last) not in written:
        return f"the batch ends with {done.exit_code} ({done.exception!r}): {done.output[-300:]!a}"
    shown = SECRET in written + done.output
    return "the batch shows a password" if shown else ""


# --- the server ----------------------------------------------------------------------------------


class Server(socketserver.ThreadingTCPServer):
    """Answers each path with given bytes, whatever they are, and closes."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = 64

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answers: dict[str, Answer] = {}
        self.connections = 0
        self.stopping = threading.Event()

    @property
    def port(self) -> int:
        """The port that the server listens on."""
        return int(self.server_address[1])

    def url(self, path: str) -> str:
        """Return the address of a path."""
        return f"http://127.0.0.1:{self.port}{path}"

    def handle_error(self, request: object, client_address: object) -> None:
        """Print nothing when a client goes away, as most do here."""


class _Handler(socketserver.StreamRequestHandler):
    server: Server

    def handle(self) -> None:
        self.server.connections += 1
        path = self.rfile.readline(65_536).decode("latin-1").split(" ")[1]
        while self.rfile.readline(65_536).strip():
            pass
        answer = self.server.answers.get(urlsplit(path).path, ok(PAGE))
        for part in (answer,) if isinstance(answer, bytes) else answer():
            if self.server.stopping.is_set():
                return
            self.wfile.write(part)


@contextmanager
def serving() -> Iterator[Server]:
    """Run the server in a thread; the proxies of the environment are not used."""
    known = {name: os.environ.pop(name) for name in _PROXIES if name in os.environ}
    try:
        with Server() as server:
            thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
            thread.start()
            try:
                yield server
            finally:
                server.stopping.set()
                server.shutdown()
                thread.join()
    finally:
        os.environ.update(known)


_PROXIES = [
    name
    for scheme in ("http", "https", "all")
    for name in (f"{scheme}_proxy", f"{scheme}_proxy".upper())
]


# --- what is sent --------------------------------------------------------------------------------


def ok(body: bytes, *headers: bytes, length: bool = True) -> bytes:
    """Return a whole answer with a page."""
    lines = [b"HTTP/1.1 200 OK", b"Content-Type: text/html", *headers]
    if length:
        lines.append(b"Content-Length: %d" % len(body))
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


def redirect(target: str) -> bytes:
    """Return a redirect; characters that are no bytes are sent as UTF-8."""
    try:
        location = target.encode("latin-1")
    except UnicodeEncodeError:
        location = target.encode("utf-8", "surrogatepass")
    return b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: " + location + b"\r\n\r\n"


def chunked(body: bytes) -> bytes:
    """Return an answer with this chunked body."""
    return ok(body, b"Transfer-Encoding: chunked", length=False)


def packed(name: bytes, body: bytes) -> bytes:
    """Return an answer with a body that claims to be compressed."""
    return ok(body, b"Content-Encoding: " + name)


def drip(head: bytes, pause: float = 0.05) -> Callable[[], Iterator[bytes]]:
    """Return an answer that never ends: one byte at a time after `head`."""

    def parts() -> Iterator[bytes]:
        yield head
        while True:
            time.sleep(pause)
            yield b"x"

    return parts


def endless(head: bytes, part: bytes) -> Callable[[], Iterator[bytes]]:
    """Return an answer that never ends and comes as fast as it is read."""

    def parts() -> Iterator[bytes]:
        yield head
        while True:
            yield part

    return parts


_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
_ZIPPED = gzip.compress(PAGE)

ANSWERS: dict[str, Answer] = {
    "a page": ok(PAGE),
    "nothing": b"",
    "no HTTP": b"220 ready\r\n" * 10,
    "noise": bytes(range(256)) * 40,
    "HTTP/9": b"HTTP/9.9 200 OK\r\n\r\n",
    "HTTP/2 preface": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "TLS alert": b"\x15\x03\x01\x00\x02\x02\x28",
    "status 99999": b"HTTP/1.1 99999 OK\r\n\r\n",
    "status text": b"HTTP/1.1 abc OK\r\n\r\n",
    "status 000": b"HTTP/1.1 000 OK\r\n\r\n",
    "status 101": b"HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n",
    "status 204": b"HTTP/1.1 204 None\r\n\r\n" + PAGE,
    "endless 100": endless(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 50),
    "302 without a place": b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n",
    "302 with two places": b"HTTP/1.1 302 F\r\nLocation: /a\r\nLocation: /b\r\n\r\n",
    "reason with escapes": b"HTTP/1.1 404 \x1b[31mred\x07\r\n\r\n",
    "reason in no charset": b"HTTP/1.1 404 \xff\xfe\r\n\r\n",
    "length 10 of 5": ok(PAGE[:5], b"Content-Length: 10", length=False),
    "length 5 of 10": ok(PAGE[:10], b"Content-Length: 5", length=False),
    "length below 0": ok(PAGE, b"Content-Length: -1", length=False),
    "length no number": ok(PAGE, b"Content-Length: x", length=False),
    "length past all": ok(PAGE, b"Content-Length: " + b"9" * 40, length=False),
    "two lengths": ok(PAGE, b"Content-Length: 5", b"Content-Length: 9", length=False),
    "length and chunks": ok(b"5\r\nhello\r\n0\r\n\r\n", b"Transfer-Encoding: chunked"),
    "chunk size no number": chunked(b"xyz\r\nhello\r\n0\r\n\r\n"),
    "chunk size below 0": chunked(b"-5\r\nhello\r\n0\r\n\r\n"),
    "chunk size past all": chunked(b"F" * 30 + b"\r\nhello"),
    "chunk too long": chunked(b"2\r\nhello\r\n0\r\n\r\n"),
    "chunks break off": chunked(b"50\r\nhello"),
    "chunks without an end": chunked(b"5\r\nhello\r\n"),
    "chunk extension without an end": endless(chunked(b"5;"), b"x" * 4_096),
    "trailers without an end": endless(chunked(b"0\r\n"), b"a: b\r\n" * 500),
    "unknown transfer": ok(PAGE, b"Transfer-Encoding: gzip, x"),
    "empty chunks": chunked(b"1\r\nx\r\n" * 2_000 + b"0\r\n\r\n"),
    "gzip": packed(b"gzip", _ZIPPED),
    "gzip in capitals": packed(b" X-GZIP ", _ZIPPED),
    "gzip that is none": packed(b"gzip", PAGE),
    "gzip of nothing": packed(b"gzip", b""),
    "gzip cut": packed(b"gzip", _ZIPPED[:-9]),
    "gzip head alone": packed(b"gzip", _ZIPPED[:10]),
    "gzip with a wrong sum": packed(b"gzip", _ZIPPED[:-8] + bytes(8)),
    "gzip with noise inside": packed(b"gzip", _ZIPPED[:20] + bytes(20) + _ZIPPED[40:]),
    "gzip members": packed(b"gzip", _ZIPPED * 3),
    "gzip and noise": packed(b"gzip", _ZIPPED + b"noise" * 9),
    "gzip second member cut": packed(b"gzip", _ZIPPED + _ZIPPED[:12]),
    "gzip second member bad": packed(b"gzip", _ZIPPED + b"\x1f\x8b\xff\xff" + bytes(20)),
    "gzip bomb": packed(b"gzip", gzip.compress(bytes(50_000_000))),
    "gzip of a gzip bomb": packed(b"gzip", gzip.compress(gzip.compress(bytes(9_000_000)))),
    "gzip twice": packed(b"gzip, gzip", gzip.compress(_ZIPPED)),
    "gzip members of nothing": endless(
        _HEAD + b"Content-Encoding: gzip\r\n\r\n", gzip.compress(b"") * 50
    ),
    "deflate": packed(b"deflate", zlib.compress(PAGE)),
    "br": packed(b"br", b"\x0b\x02\x80hello\x03"),
    "br that is none": packed(b"br", PAGE),
    "zstd that is none": packed(b"zstd", b"\x28\xb5\x2f\xfd" + PAGE),
    "compress": packed(b"compress", PAGE),
    "an encoding with escapes": packed(b"\x1b[31m", PAGE),
    "many encodings": packed(b", ".join([b"gzip"] * 5_000), _ZIPPED),
    "a header without an end": endless(_HEAD + b"X-Long: ", b"x" * 4_096),
    "headers without an end": endless(_HEAD, b"X-Many: y\r\n" * 500),
    "a header line without a colon": _HEAD + b"no colon\r\n\r\n" + PAGE,
    "a header name with spaces": _HEAD + b"na me: x\r\n\r\n" + PAGE,
    "a folded header": _HEAD + b"X-A: b\r\n  c\r\n\r\n" + PAGE,
    "NUL in a header": _HEAD + b"X-A: b\0c\r\n\r\n" + PAGE,
    "lone LF": ok(PAGE).replace(b"\r\n", b"\n"),
    "lone CR": ok(PAGE).replace(b"\r\n", b"\r"),
    "headers that drip": drip(_HEAD + b"X-Slow: "),
    "a body that drips": drip(_HEAD + b"\r\n"),
    "a chunk that drips": drip(chunked(b"FFFF\r\n")),
    "gzip that drips": drip(_HEAD + b"Content-Encoding: gzip\r\n\r\n" + _ZIPPED[:10]),
    "a body without an end": endless(_HEAD + b"\r\n", b"<p>rain " * 500),
    "silence": drip(b"", pause=60.0),
    "silence after the headers": drip(_HEAD + b"\r\n", pause=60.0),
    "a charset that is none": ok(PAGE, b"Content-Type: text/html; charset=\xff\xfe\0"),
    "a charset that is code": ok(PAGE, b"Content-Type: text/html; charset=zlib"),
    "a long charset": ok(PAGE, b"Content-Type: text/html; charset=" + b"x" * 50_000),
    "a type with escapes": ok(PAGE, b"Content-Type: \x1b]0;x\x07"),
    "a picture": ok(b"\x89PNG", b"Content-Type: image/png"),
    "cookies": ok(PAGE, *[b"Set-Cookie: a%d=b" % number for number in range(2_000)]),
    "a page of NUL": ok(bytes(10_000)),
    "a page of surrogates": ok(b"\xed\xa0\x80" * 1_000),
    "UTF-16 of half a character": ok(b"\xff\xfe\x00\xd8a"),
}

_HOSTS = (
    "xn--a.b", "xn--", "xn--zzzzzzz-\udc85", "a..b", ".a", "a" * 64 + ".b", ".".join(["a"] * 200),
    "a" * 5_000, "-a.b", "a_b.c", "\u200b.org", "\u00ad.org", "\u2024.org", "\u3002", "a\u0378.b",
    "\U0001f600.example", "\u0661.\u0662.\u0663.\u0664", "\uff11\uff12\uff17.0.0.1:1", "%00.b",
    "%2f", "%", "a%zz.b", "[", "]", "[::1", "[::1]x", "[]", "[::1%25lo]", "[v1.a]", "[1.2.3.4]",
    "[::ffff:999.1.1.1]", "256.256.256.256", "1.2.3.4.5", "0x", "0xg", "1e9", "127.0.0.1:-1",
    "127.0.0.1:0", "127.0.0.1:65536", "127.0.0.1:99999999999999999999", "127.0.0.1:", "127.0.0.1:x",
    "127.0.0.1:\u0661", "127.0.0.1: 1", "127.0.0.1:1:2", "127.0.0.1:+1", "127.0.0.1:1_0",
    "\udc85", "a\ud800b", "a b", "a\tb", "a\0b", "a\x7fb", "a<b>", "a^b", "a|b", "", ":", "@", ":@",
    f"u:{SECRET}@127.0.0.1:-1", f"u:{SECRET}@xn--a.b", f"u:{SECRET}@[::1", f"{SECRET}@",
    f"u:{SECRET}@a b", f"u:{SECRET}\udc85@a", f"u:{SECRET}@\udc85", f"u:{SECRET}@a:1:2",
    f"u:{SECRET}/@a", f"u:{SECRET}@127.0.0.1:1",
)  # fmt: skip
ADDRESSES = [
    *(f"http://{host}/" for host in _HOSTS),
    "", " ", "http:", "http:/", "http://", "http:///", "//", "/", "?", "#", "http", "://", "http:x",
    "HTTP://127.0.0.1:1/", "http:\\\\127.0.0.1:1\\", "https://127.0.0.1:1/", "ftp://a/", "file:///",
    "file:///etc/passwd", "data:text/html,x", "javascript:1", "about:blank", "ws://a/", "blob:x",
    "\udc85", "http://127.0.0.1:1/\udc85", "http://127.0.0.1:1/?\ud800", "http://127.0.0.1:1/#\ud800",
    "http://127.0.0.1:1/\0", "http://127.0.0.1:1/\n", "http://127.0.0.1:1/" + "a" * 70_000,
    "http://127.0.0.1:1/ a\r\nHost: b", "\x1b[31mhttp://a/", "http://" + "a." * 30_000 + "b/",
    "http://" + "@" * 20_000, "http://" + "[" * 20_000, "http://" + ":" * 20_000,
    f"ftp://u:{SECRET}@a/", f"//u:{SECRET}@a/", f"http:///u:{SECRET}@a/", f"x://u:{SECRET}@[/",
]  # fmt: skip
TARGETS = [
    *(
        f"{scheme}{host}/"
        for host in _HOSTS
        if not {"\0", "\n"} & {*host}
        for scheme in ("http://", "//")
    ),
    "", " ", "http:", "http://", "http:///", "//", "///", "?", "#", ":", "http", "//[", "http:x",
    "ftp://a/", "file:///etc/passwd", "data:text/html,x", "javascript:1", "about:blank", "mailto:a",
    "\udc85", "/\udc85", "?\ud800", "/" + "a" * 60_000, "../" * 10_000, "/%", "/%zz", "/\xff",
    "/to/0", "/to/27", "http://" + "a." * 20_000, "\\\\a\\b", "/\\a", f"ftp://u:{SECRET}@a/",
]  # fmt: skip
PRIVATE = (
    "127.0.0.1 localhost 127.1 127.255.255.254 2130706433 0x7f000001 017700000001 0 0.0.0.0 [::1] "
    "[::] [::ffff:127.0.0.1] [::ffff:7f00:1] [::127.0.0.1] [64:ff9b::127.0.0.1] "
    "[64:ff9b:1::127.0.0.1] [2002:7f00:1::] [2001:0:7f00:1::] 10.0.0.1 172.16.0.1 172.31.255.255 "
    "192.168.0.1 100.64.0.1 169.254.169.254 [fe80::1] [fe80::1%25lo] [fc00::1] [fd00:ec2::254] "
    "[fec0::1] 224.0.0.1 239.255.255.255 [ff02::1] 192.0.2.1 198.51.100.1 203.0.113.1 "
    "[2001:db8::1] 198.18.0.1 192.0.0.1 192.88.99.1 240.0.0.1 255.255.255.255 168.63.129.16 "
    "[4000::1] [100::1] [::ffff:10.0.0.1] [::ffff:169.254.169.254] [2002:a9fe:a9fe::] "
    "[64:ff9b::a00:1] [3fff::1]"
).split()


if __name__ == "__main__":
    print_rows(attack())
