"""The checked transport under `fetch`: which address is connected to, certificates, proxies."""

import asyncio
import shutil
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest

from tests.fetch.test_addresses import NOWHERE, Resolver
from thresher.errors import FetchError
from thresher.fetch import fetch
from thresher.fetch.transport import CheckedTransport, proxy_for

PAGE = b"<p>Grain."
PUBLIC = "http://8.8.8.8"  # no request leaves: a proxy on this computer answers it


class Handler(BaseHTTPRequestHandler):
    """Answers with PAGE, or with a redirect to what follows "/to/"; also as a proxy."""

    server: "Server"

    def do_GET(self) -> None:
        self.server.seen.append((self.path, self.headers["Host"]))
        _, redirect, target = self.path.partition("/to/")
        self.send_response(302 if redirect else 200)
        if redirect:
            self.send_header("Location", target)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(PAGE)))
        self.end_headers()
        self.wfile.write(PAGE)

    def do_CONNECT(self) -> None:
        self.server.seen.append((self.path, self.headers["Host"]))
        self.send_error(502)

    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.seen: list[tuple[str, str]] = []

    def handle_error(self, request: object, client_address: object) -> None:
        """Print nothing when a client does not accept the certificate."""


@contextmanager
def running(server: Server) -> Iterator[Server]:
    with server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture
def server() -> Iterator[Server]:
    with running(Server()) as one:
        yield one


@pytest.fixture
def proxy(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A proxy named by the environment, which answers every request itself."""
    with running(Server()) as one:
        monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{one.server_port}")
        monkeypatch.setenv("HTTPS_PROXY", f"127.0.0.1:{one.server_port}")
        yield one


def test_the_server_gets_the_name_and_the_result_shows_it(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    resolver = Resolver(monkeypatch, ["127.0.0.1"], [NOWHERE])
    address = f"http://kettle.example:{server.server_port}/tea"
    fetched = fetch(address, private=True)
    assert (fetched.url, fetched.body) == (address, PAGE)
    assert server.seen == [("/tea", f"kettle.example:{server.server_port}")]
    assert resolver.asked == ["kettle.example"]


def test_a_public_first_answer_does_not_open_the_way_for_a_second(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    resolver = Resolver(monkeypatch, [NOWHERE], ["127.0.0.1"])
    with pytest.raises(FetchError, match=r"cannot be read|sent nothing"):
        fetch(f"http://kettle.example:{server.server_port}/", timeout=0.5)
    assert resolver.asked == ["kettle.example"]
    assert server.seen == []


def test_the_next_address_is_tried(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    Resolver(monkeypatch, [NOWHERE, "127.0.0.1"])
    assert fetch(f"http://kettle.example:{server.server_port}/", private=True).body == PAGE


def test_every_hop_is_resolved(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    resolver = Resolver(monkeypatch, ["127.0.0.1"], ["127.0.0.1"])
    fetch(
        f"http://a.example:{server.server_port}/to/http://b.example:{server.server_port}/",
        private=True,
    )
    assert resolver.asked == ["a.example", "b.example"]


def test_a_host_without_an_address() -> None:
    with pytest.raises(FetchError, match=r"cannot be read .*: check the address"):
        fetch("http://name.invalid/")


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate and its key for kettle.example, in one file."""
    if not shutil.which("openssl"):
        pytest.skip("needs the program openssl")
    file = tmp_path_factory.mktemp("tls") / "kettle.pem"
    subprocess.run(
        [
            *"openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2".split(),
            *("-subj", "/CN=kettle.example", "-addext", "subjectAltName=DNS:kettle.example"),
            *("-keyout", f"{file}.key", "-out", file),
        ],
        check=True,
        capture_output=True,
    )
    file.write_bytes(file.read_bytes() + Path(f"{file}.key").read_bytes())
    return file


@pytest.fixture
def tls_server(certificate: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    server = Server()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    with running(server):
        yield server


def test_certificates_are_verified_for_the_name(
    tls_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    Resolver(monkeypatch, *[["127.0.0.1"]] * 4)
    port = tls_server.server_port
    assert fetch(f"https://kettle.example:{port}/", private=True).body == PAGE
    with pytest.raises(FetchError, match=r"(?i)certificate"):
        fetch(f"https://other.example:{port}/", private=True)
    with pytest.raises(FetchError, match=r"(?i)certificate"):
        fetch(f"https://kettle.example:{port}/to/https://other.example:{port}/", private=True)


def test_a_connection_is_not_used_for_another_name_of_its_address(
    tls_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    Resolver(monkeypatch, *[["127.0.0.1"]] * 2)
    port = tls_server.server_port

    async def read_two() -> None:
        transport = CheckedTransport(private=True, timeout=5)
        async with httpx.AsyncClient(transport=transport) as client:
            assert (await client.get(f"https://kettle.example:{port}/")).content == PAGE
            with pytest.raises(httpx.ConnectError, match=r"(?i)certificate"):
                await client.get(f"https://other.example:{port}/")

    asyncio.run(read_two())


def test_public_addresses_go_through_the_proxy(proxy: Server) -> None:
    assert fetch(f"{PUBLIC}/tea").body == PAGE
    assert proxy.seen == [(f"{PUBLIC}/tea", "8.8.8.8")]


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "10.0.0.1", "169.254.169.254", "100.64.0.1", "[fd00::1]", "[::ffff:a00:1]"],
)
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_private_addresses_do_not_reach_the_proxy(proxy: Server, scheme: str, host: str) -> None:
    with pytest.raises(FetchError, match="only public addresses are read"):
        fetch(f"{scheme}://{host}/")
    assert proxy.seen == []


def test_with_private_the_proxy_decides(proxy: Server) -> None:
    assert fetch("http://10.0.0.1/", private=True).body == PAGE
    assert fetch("http://intranet.invalid/", private=True).body == PAGE
    with pytest.raises(FetchError, match="502"):
        fetch("https://intranet.invalid/", private=True)
    assert [path for path, _ in proxy.seen] == [
        "http://10.0.0.1/",
        "http://intranet.invalid/",
        "intranet.invalid:443",
    ]


def test_a_name_that_cannot_be_checked_does_not_reach_the_proxy(proxy: Server) -> None:
    with pytest.raises(FetchError, match=r"intranet\.invalid has no address .*private=True"):
        fetch("http://intranet.invalid/")
    assert proxy.seen == []


def test_a_redirect_from_a_public_to_a_private_address(proxy: Server, server: Server) -> None:
    target = f"http://127.0.0.1:{server.server_port}/secret"
    with pytest.raises(FetchError, match=r"127\.0\.0\.1 is an address of this computer"):
        fetch(f"{PUBLIC}/to/{target}")
    assert [path for path, _ in proxy.seen] == [f"{PUBLIC}/to/{target}"]
    assert fetch(f"{PUBLIC}/to/{target}", private=True).url == target


def test_a_redirect_from_the_proxy_to_a_direct_connection_is_checked(
    proxy: Server, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    target = f"http://127.0.0.1:{server.server_port}/secret"
    with pytest.raises(FetchError, match=r"127\.0\.0\.1 is an address of this computer"):
        fetch(f"{PUBLIC}/to/{target}")
    assert server.seen == []
    fetch(f"{PUBLIC}/to/{target}", private=True)
    assert [path for path, _ in server.seen] == ["/secret"]


@pytest.mark.parametrize(
    ("no_proxy", "address", "proxied"),
    [
        ("", "http://kettle.example/", True),
        ("", "https://kettle.example/", True),
        ("*", "http://kettle.example/", False),
        ("kettle.example", "http://kettle.example:8080/", False),
        ("kettle.example", "http://www.kettle.example/", False),
        (".kettle.example", "https://www.kettle.example/", False),
        ("kettle.example:8080", "http://kettle.example:8080/", False),
        ("kettle.example:8080", "http://kettle.example/", True),
        ("other.example, ::1", "http://[::1]/", False),
        ("other.example, ::1", "http://[::1]:8080/", False),
    ],
)
def test_the_proxy_of_an_address(
    monkeypatch: pytest.MonkeyPatch, no_proxy: str, address: str, proxied: bool
) -> None:
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:3128")
    monkeypatch.setenv("NO_PROXY", no_proxy)
    assert proxy_for(httpx.URL(address)) == ("http://127.0.0.1:3128" if proxied else None)


def test_a_proxy_that_cannot_be_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "ftp://127.0.0.1:1")
    with pytest.raises(FetchError, match="the proxy of the environment cannot be used"):
        fetch(PUBLIC)
