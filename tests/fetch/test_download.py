"""`fetch` with a local HTTP server that behaves well or badly on request."""

import asyncio
import gzip
import inspect
import logging
import re
import threading
import traceback
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import FrozenInstanceError
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote

import numpy as np
import pytest

from thresher.errors import FetchError, InputError, ThresherError, UsageError
from thresher.fetch import fetch as fetch_public
from thresher.page.parse import Limits

fetch = partial(fetch_public, private=True)  # the server runs on this computer

PAGE = "<title>Grüße</title><p>Grain.".encode()
MEGABYTE = 1_000_000


class Server(ThreadingHTTPServer):
    """Answers by path with the functions below; records requests and completed answers."""

    daemon_threads = True
    block_on_close = False

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.seen: list[dict[str, str]] = []
        self.answered: list[str] = []
        self.stopping = threading.Event()

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.server_port}{path}"

    def handle_error(self, request: object, client_address: object) -> None:
        """Print nothing when the client disconnects early, as in many tests."""


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        self.server.seen.append({name.lower(): value for name, value in self.headers.items()})
        name, _, argument = self.path.lstrip("/").partition("/")
        ANSWERS[name](self, unquote(argument))
        self.server.answered.append(name)

    def reply(self, body: bytes = PAGE, status: int = 200, **headers: str) -> None:
        self.send_response(status)
        named = {"content_type": "text/html", "content_length": str(len(body))} | headers
        for name, value in named.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def drip(self, data: bytes) -> None:
        """Send one byte at a time, each within the timeout."""
        for byte in data:
            if self.server.stopping.wait(0.05):
                return
            self.wfile.write(bytes([byte]))

    def log_message(self, *_: object) -> None:
        pass


def send_page(handler: Handler, _: str) -> None:
    handler.reply()


def send_empty(handler: Handler, _: str) -> None:
    handler.reply(b"")


def send_typed(handler: Handler, content_type: str) -> None:
    handler.reply(content_type=content_type.replace("_", "; "))


def send_untyped(handler: Handler, _: str) -> None:
    handler.send_response(200)
    handler.end_headers()
    handler.wfile.write(PAGE)


def send_status(handler: Handler, status: str) -> None:
    handler.reply(status=int(status))


def send_hops(handler: Handler, left: str) -> None:
    target = f"/hops/{int(left) - 1}" if int(left) > 1 else "/page"
    handler.reply(b"", 302, location=target, set_cookie="crumb=1; Path=/")


def send_loop(handler: Handler, _: str) -> None:
    handler.reply(b"", 301, location="/loop")


def send_away(handler: Handler, target: str) -> None:
    handler.reply(b"", 307, location=target)


def send_away_to_hex(handler: Handler, target: str) -> None:
    """Redirect to an address in hexadecimal, which the path does not show."""
    handler.reply(b"", 307, location=bytes.fromhex(target).decode("latin-1"))


def send_nothing(handler: Handler, _: str) -> None:
    handler.server.stopping.wait(10)


def send_slow_head(handler: Handler, _: str) -> None:
    handler.drip(b"HTTP/1.1 200 OK\r\nX-Long: " + b"x" * 400)


def send_slow_body(handler: Handler, _: str) -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", "text/html")
    handler.end_headers()
    handler.drip(b"x" * 400)


def send_big(handler: Handler, size: str) -> None:
    handler.reply(b"x" * int(size))


def send_gzip(handler: Handler, size: str) -> None:
    handler.reply(gzip.compress(b"x" * int(size)), content_encoding="gzip")


def send_cut_gzip(handler: Handler, _: str) -> None:
    handler.reply(gzip.compress(bytes(range(256)) * 40)[:-20], content_encoding="gzip")


def send_false_gzip(handler: Handler, _: str) -> None:
    handler.reply(content_encoding="gzip")


def send_endless_after_gzip(handler: Handler, _: str) -> None:
    handler.send_response(200)
    handler.send_header("Content-Encoding", "gzip")
    handler.end_headers()
    handler.wfile.write(gzip.compress(PAGE))
    while not handler.server.stopping.is_set():
        handler.wfile.write(b"x" * 65_536)


def send_empty_members(handler: Handler, _: str) -> None:
    handler.send_response(200)
    handler.send_header("Content-Encoding", "gzip")
    handler.end_headers()
    while not handler.server.stopping.is_set():
        handler.wfile.write(gzip.compress(b"") * 1000)


def send_members(handler: Handler, parts: str) -> None:
    """Send gzip members with pauses, so that they arrive in parts; the parts are in hexadecimal."""
    handler.send_response(200)
    handler.send_header("Content-Type", "text/html")
    handler.send_header("Content-Encoding", "gzip")
    handler.end_headers()
    for part in parts.split("-"):
        handler.wfile.write(bytes.fromhex(part))
        handler.server.stopping.wait(0.02)


def send_brotli(handler: Handler, _: str) -> None:
    handler.reply(content_encoding="br")


def send_broken_off(handler: Handler, _: str) -> None:
    handler.reply(content_length="1000")


ANSWERS: dict[str, Callable[[Handler, str], None]] = {
    name.removeprefix("send_"): answer
    for name, answer in list(globals().items())
    if name.startswith("send_")
}


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with Server() as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield running
        running.stopping.set()
        running.shutdown()
        thread.join()


def test_a_page_arrives_whole(server: Server) -> None:
    fetched = fetch(server.url("/page"))
    assert fetched.body == PAGE
    assert fetched.url == server.url("/page")
    assert fetched.content_type == "text/html"
    assert fetched.charset is None
    assert not fetched.cut
    with pytest.raises(FrozenInstanceError):
        fetched.cut = True  # type: ignore[misc]


@pytest.mark.parametrize(
    ("label", "charset"),
    [
        ("windows-1251", None),  # the page is in UTF-8
        ('"UTF-8"', "utf-8"),
        ("no-such-charset", None),
    ],
)
def test_charset_of_the_header(server: Server, label: str, charset: str | None) -> None:
    fetched = fetch(server.url(f"/typed/text/html_charset={label}"))
    assert (fetched.charset and fetched.charset.lower()) == charset


def test_a_missing_type_is_taken_for_a_page(server: Server) -> None:
    fetched = fetch(server.url("/untyped"))
    assert (fetched.body, fetched.content_type) == (PAGE, "")


def test_xhtml_is_a_page(server: Server) -> None:
    assert fetch(server.url("/typed/application/xhtml+xml")).content_type == "application/xhtml+xml"


@pytest.mark.parametrize("content_type", ["application/pdf", "image/png", "text/plain"])
def test_other_types_are_refused(server: Server, content_type: str) -> None:
    with pytest.raises(FetchError, match=f"is {content_type}, not a web page: .* save it"):
        fetch(server.url(f"/typed/{content_type}"))


def test_redirects_are_followed_without_cookies(server: Server) -> None:
    fetched = fetch(server.url("/hops/5"))
    assert fetched.body == PAGE
    assert fetched.url == server.url("/page")
    assert len(server.seen) == 6
    assert not any("cookie" in headers for headers in server.seen)


def test_one_redirect_too_many(server: Server) -> None:
    with pytest.raises(FetchError, match="redirects more than 5 times"):
        fetch(server.url("/hops/6"))
    with pytest.raises(FetchError, match="redirects more than 0 times"):
        fetch(server.url("/hops/1"), max_redirects=0)


def test_a_redirect_loop_ends(server: Server) -> None:
    with pytest.raises(FetchError, match="circle"):
        fetch(server.url("/loop"))
    assert len(server.seen) == 6


@pytest.mark.parametrize(
    "target", ["file:///etc/hostname", "ftp://127.0.0.1/x", "data:text/html,x", "javascript:1"]
)
def test_redirects_stay_on_the_web(server: Server, target: str) -> None:
    with pytest.raises(FetchError, match=r"redirects to .* cannot be fetched: give"):
        fetch(server.url(f"/away/{target}"))


@pytest.mark.parametrize(
    "target",
    [
        "http://[::1/",
        "http://127.0.0.1:99999/",
        "http://127.0.0.1:-1/",
        "http://127.0.0.1:0/",
        "http://xn--a.b/",
    ],
)
def test_redirects_to_invalid_addresses(server: Server, target: str) -> None:
    with pytest.raises(FetchError, match=r"redirects to .* (is not a|has no) valid"):
        fetch(server.url(f"/away/{target}"))


@pytest.mark.parametrize(
    ("status", "advice"),
    [
        (401, "log-in"),
        (403, "save the page"),
        (404, "answered 404 Not Found: check the address"),
        (429, "wait"),
        (503, "answered 503 Service Unavailable: .* try again later"),
        (418, "check the address"),
        (304, "check the address"),
    ],
)
def test_error_statuses(server: Server, status: int, advice: str) -> None:
    with pytest.raises(FetchError, match=advice):
        fetch(server.url(f"/status/{status}"))


def test_a_silent_server(server: Server) -> None:
    with pytest.raises(FetchError, match=r"sent nothing for 0\.2 seconds"):
        fetch(server.url("/nothing"), timeout=0.2)
    assert "nothing" not in server.answered  # the server would take 10 seconds


@pytest.mark.parametrize("path", ["/slow_head", "/slow_body"])
def test_a_server_that_drips(server: Server, path: str) -> None:
    with pytest.raises(FetchError, match=r"not complete after 0\.4 seconds"):
        fetch(server.url(path), timeout=5, total_time=0.4)
    assert path.strip("/") not in server.answered  # the server would take 20 seconds


@pytest.mark.slow
def test_the_whole_takes_at_most_three_waits(server: Server) -> None:
    with pytest.raises(FetchError, match=r"not complete after 0\.9 seconds"):
        fetch(server.url("/slow_body"), timeout=0.3)


@pytest.mark.parametrize(("size", "cut"), [(999, False), (1_000, False), (1_001, True)])
@pytest.mark.parametrize("kind", ["big", "gzip"])
def test_the_size_limit_cuts(server: Server, kind: str, size: int, cut: bool) -> None:
    fetched = fetch(server.url(f"/{kind}/{size}"), max_bytes=1_000)
    assert fetched.body == b"x" * min(size, 1_000)
    assert fetched.cut is cut


def test_a_gzip_bomb_stays_small(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = gzip.compress(b"x" * 50 * MEGABYTE)
    monkeypatch.setitem(ANSWERS, "bomb", lambda it, _: it.reply(bomb, content_encoding="gzip"))
    fetch(server.url("/page"))  # what httpx allocates once is not measured
    tracemalloc.start()
    try:
        fetched = fetch(server.url("/bomb"), max_bytes=MEGABYTE)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert len(fetched.body) == MEGABYTE
    assert fetched.cut
    assert peak < 10 * MEGABYTE


def test_compression_that_breaks_off_is_a_cut(server: Server) -> None:
    fetched = fetch(server.url("/cut_gzip"))
    assert fetched.cut
    assert fetched.body
    assert (bytes(range(256)) * 40).startswith(fetched.body)


def test_what_follows_the_compressed_page_is_not_read(server: Server) -> None:
    assert fetch(server.url("/endless_after_gzip"), total_time=5).body == PAGE


def in_parts(data: bytes, *places: int) -> str:
    """Return data in hexadecimal, divided at these places."""
    return "-".join(part.tobytes().hex() for part in np.split(np.frombuffer(data, "B"), places))


@pytest.mark.parametrize("inside", [-1, 0, 1, 2, 15])
def test_all_members_of_a_gzip_body_are_read(server: Server, inside: int) -> None:
    first, second = gzip.compress(b"Grain "), gzip.compress(b"and rain.")
    fetched = fetch(server.url(f"/members/{in_parts(first + second, len(first) + inside)}"))
    assert (fetched.body, fetched.cut) == (b"Grain and rain.", False)
    fetched = fetch(server.url(f"/members/{in_parts(first + second)}"), max_bytes=8)
    assert (fetched.body, fetched.cut) == (b"Grain an", True)


def test_what_follows_the_last_member(server: Server) -> None:
    whole = gzip.compress(b"Grain ") + gzip.compress(b"and rain.")
    for after in (b"\0" * 300, b"x", b"\x1f", b"\x1fx"):
        fetched = fetch(server.url(f"/members/{in_parts(whole + after)}"))
        assert (fetched.body, fetched.cut) == (b"Grain and rain.", False)
    fetched = fetch(server.url(f"/members/{in_parts(whole[:-9])}"))
    assert fetched.cut
    assert b"Grain and rain.".startswith(fetched.body)


def test_members_that_hold_nothing_end(server: Server) -> None:
    fetched = fetch(server.url("/empty_members"), max_bytes=100_000, total_time=10)
    assert (fetched.body, fetched.cut) == (b"", True)


def test_damaged_and_unknown_compression(server: Server) -> None:
    with pytest.raises(FetchError, match="damaged compressed page"):
        fetch(server.url("/false_gzip"))
    with pytest.raises(FetchError, match="compressed with br"):
        fetch(server.url("/brotli"))


def test_a_body_that_breaks_off(server: Server) -> None:
    with pytest.raises(FetchError, match="cannot be read"):
        fetch(server.url("/broken_off"))


def test_connection_refused(server: Server) -> None:
    server.stopping.set()
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as closed:
        port = closed.server_port
    with pytest.raises(FetchError, match="check the address and your connection"):
        fetch(f"http://127.0.0.1:{port}/")


@pytest.mark.parametrize(
    "address",
    [
        "",
        "example.org",
        "file:///etc/hostname",
        "ftp://example.org/",
        "data:text/html,x",
        "http://",
        "http:///page",
        "http://a\nb/",
        "http://[::1/",
        "http://127.0.0.1:99999/",
        "http://\u200b.org/",
    ],
)
def test_addresses_that_cannot_be_fetched(address: str) -> None:
    with pytest.raises(FetchError, match=r": \w.*\.$"):
        fetch(address)


def test_user_agent(server: Server) -> None:
    fetch(server.url("/page"))
    fetch(server.url("/page"), user_agent="my-crawler/2 (+mailto:me@example.org)")
    default, chosen = (headers["user-agent"] for headers in server.seen)
    assert default.startswith("thresher")
    assert chosen == "my-crawler/2 (+mailto:me@example.org)"


def test_passwords_are_used_but_not_shown(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    secret = server.url("/page").replace("//", "//user:secret@")
    assert fetch(secret).url == server.url("/page")
    assert server.seen[0]["authorization"].startswith("Basic ")
    assert "127.0.0.1" in caplog.text
    assert "secret" not in caplog.text
    assert fetch(server.url(f"/away_to_hex/{secret.encode().hex()}")).url == server.url("/page")
    assert server.seen[-1]["authorization"] == server.seen[0]["authorization"]


@pytest.mark.parametrize(
    "address",
    [
        "PAGE/status/404",
        f"PAGE/away_to_hex/{b'ftp://user:secret@host/x'.hex()}",
        f"PAGE/away_to_hex/{b'http://user:secret@xn--a.b/'.hex()}",
        f"PAGE/away_to_hex/{b'http://user:secret@127.0.0.1:-1/'.hex()}",
        "http://user:secret@127.0.0.1:-1/",
        "http://user:secret@127.0.0.1:99999/",
        "http://user:secret@[::1/",
        "http://user:secret@xn--a.b/",
        "http://user:se/cret@host/",
        "http:///user:secret@host/",
        "//user:secret@host/",
        "ftp://user:secret@host/",
        "http://secret@/x",
        "http://user:secret\ud800@host:1:2/",
        "http://user:secret@host\ud800/",
        "http://user:secret@10.0.0.1/",
    ],
)
def test_errors_show_no_password(server: Server, address: str) -> None:
    place = server.url("").replace("//", "//user:secret@")
    with pytest.raises(FetchError) as caught:
        fetch_public(address) if "10.0.0.1" in address else fetch(address.replace("PAGE", place))
    written = "".join(traceback.format_exception(caught.value))
    shown = [line for line in written.splitlines() if "Error: " in line]
    assert shown
    assert not re.search("secret|se/cret|cret@|'se'", "\n".join(shown))


def test_it_works_inside_a_running_event_loop(server: Server) -> None:
    async def notebook_cell() -> bytes:
        return fetch(server.url("/page")).body

    assert asyncio.run(notebook_cell()) == PAGE


@pytest.mark.parametrize(
    "options",
    [
        {"timeout": 0},
        {"timeout": float("nan")},
        {"total_time": -1},
        {"max_bytes": 0},
        {"max_redirects": -1},
        {"user_agent": "two\r\nlines: x"},
        {"user_agent": "grün"},
    ],
)
def test_bad_options(options: dict[str, object]) -> None:
    with pytest.raises(UsageError, match=next(iter(options)).replace("_", "[ _]")):
        fetch("http://127.0.0.1:1/", **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost", "127.1", "2130706433", "0x7f000001", "[::ffff:127.0.0.1]"]
)
def test_this_computer_is_read_only_with_private(server: Server, host: str) -> None:
    address = f"http://{host}:{server.server_port}/page"
    with pytest.raises(FetchError, match=r"of this computer, .*private=True, or --private"):
        fetch_public(address)
    assert server.seen == []
    assert fetch(address).body == PAGE


def test_the_size_limit_is_the_one_of_parse() -> None:
    assert inspect.signature(fetch).parameters["max_bytes"].default == Limits().bytes


def test_the_tree_of_errors() -> None:
    assert issubclass(FetchError, InputError)
    assert issubclass(InputError, ThresherError)
    assert issubclass(UsageError, ThresherError)
    assert issubclass(UsageError, ValueError)
    assert not issubclass(InputError, ValueError)


@pytest.mark.parametrize("address", ["http://xn--a.com/", "http://xn--/", "http://\u200b.example/"])
def test_a_host_that_cannot_be_encoded_is_a_sentence(address):
    with pytest.raises(FetchError):
        fetch(address)
