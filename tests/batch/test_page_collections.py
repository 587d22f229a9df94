"""Pages of collections, their hosts and their sites; the command line tests read whole files."""

import gzip
import io
import json
from pathlib import Path

import pytest

import thresher
from thresher import InputError, Site
from thresher.batch.messages import Messages
from thresher.batch.page_collections import (
    SitesOfPages,
    StoredPage,
    canonical_host,
    host_in_path,
    page_count,
    read_collection,
)
from thresher.batch.sources import Input
from thresher.site.store import Store

OWN = "<link rel=canonical href='https://www.Own.example/a'><p>A text, and more."


def read(path: Path) -> list[StoredPage]:
    return list(read_collection(path, Messages()))


@pytest.mark.parametrize(
    ("path", "host"),
    [
        ("mirror/www.a.example/2024/x.html", "a.example"),
        ("A.Example/x.html", "a.example"),
        ("mirror/a.example/b.example/x.html", "a.example"),
        ("pages/x.html", ""),
        ("x.example", ""),  # a file
        ("v1.0/x.html", ""),
        (".hidden/..odd/-a.b/x.html", ""),
        ("xn--bcher-kva.example/x.html", "xn--bcher-kva.example"),
    ],
)
def test_the_host_that_a_folder_is_named_after(path: str, host: str):
    assert host_in_path(Path(path)) == host


def test_addresses_of_files_in_a_folder(tmp_path: Path):
    for name in ("www.a.example/2024/ü b.html", "www.a.example/index.htm", "loose.html"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("<p>x")
    assert [page.url for page in read(tmp_path)] == [
        "",
        "https://www.a.example/2024/%C3%BC%20b.html",
        "https://www.a.example/index.htm",
    ]
    assert [page.url for page in read(tmp_path / "www.a.example")] == [
        "https://www.a.example/2024/%C3%BC%20b.html",
        "https://www.a.example/index.htm",
    ]
    assert page_count(tmp_path) == 3


def test_the_host_of_a_page():
    html = OWN.encode()
    assert StoredPage("n", html, "https://www.b.example/x", "c.example").host() == "b.example"
    assert StoredPage("n", html, "", "c.example").host() == "c.example"
    assert StoredPage("n", html).host() == "own.example"
    assert StoredPage("n", b"<p>x").host() == ""
    assert StoredPage("n", b"<p>x", "no address").parse().url is None
    assert canonical_host(thresher.parse(OWN)) == "own.example"


def test_text_and_bytes_in_json_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    rows = [{"html": "<meta charset=latin1><p>ü", "url": 3, "more": 1}, {"html": 5}, {"url": "x"}]
    path = tmp_path / "a.ndjson"
    path.write_text("\n\n".join(map(json.dumps, rows)))
    (page,) = read(path)
    assert (page.url, page.site) == ("", "")
    assert "ü" in thresher.extract(page.parse(), method="plain").text
    assert capsys.readouterr().err.count("has no page: a text or bytes named html") == 2
    assert page_count(path) == 3
    assert page_count(tmp_path / "missing.jsonl") is None
    assert page_count(tmp_path / "a.warc") is None


def warc_record(url: str, head: str, body: bytes) -> bytes:
    """A response as RFC-like text; written by hand, so that another program could have."""
    http = f"HTTP/1.1 200 OK\r\n{head}Content-Length: {len(body)}\r\n\r\n".encode() + body
    lines = (
        "WARC/1.0", "WARC-Type: response", "WARC-Record-ID: <urn:uuid:0>",
        "WARC-Date: 2024-01-01T00:00:00Z", f"WARC-Target-URI: {url}",
        "Content-Type: application/http; msgtype=response", f"Content-Length: {len(http)}",
    )  # fmt: skip
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + http + b"\r\n\r\n"


def test_encodings_of_a_warc_file(tmp_path: Path):
    html = "Content-Type: text/html; charset={}\r\n"
    records = [
        warc_record("https://a.example/1", html.format("iso-8859-1"), "<p>ü".encode("latin-1")),
        warc_record("https://a.example/2", html.format("klingon"), "<p>ü".encode()),
        warc_record(
            "https://a.example/3",
            html.format("utf-8") + "Content-Encoding: gzip\r\n",
            gzip.compress("<p>ü".encode()),
        ),
        warc_record("https://a.example/4", "Content-Type: text/css\r\n", b"p {}"),
        warc_record("https://a.example/5", "", b"<p>no kind"),
    ]
    (tmp_path / "a.warc").write_bytes(b"".join(records))
    zipped = io.BytesIO()
    for record in records:
        zipped.write(gzip.compress(record))
    (tmp_path / "a.warc.gz").write_bytes(zipped.getvalue())
    for name in ("a.warc", "a.warc.gz"):
        pages = read(tmp_path / name)
        assert [page.url[-1] for page in pages] == ["1", "2", "3"]
        texts = [thresher.extract(page.parse(), method="plain").text for page in pages]
        assert texts == ["ü"] * 3


def test_a_path_that_is_no_collection(tmp_path: Path):
    with pytest.raises(InputError, match="give a folder"):
        read_collection(tmp_path / "missing", Messages())


def test_the_site_of_a_page(tmp_path: Path):
    store = Store(tmp_path / "sites.sqlite")
    for host in ("a.example", "own.example"):
        store.put(Site(host))

    def host(html: str, name: str, url: str | None = None, given: str | None = None) -> str | None:
        source = Input(name, "stdin" if name == "-" else "file", ())
        site = SitesOfPages(store, given).of(thresher.parse(html, url=url), source)
        return site.host if site else None

    assert host("<p>x", "-", "https://www.a.example/x", "own.example") == "a.example"
    assert host("<p>x", "a.example/x.html", given="own.example") == "own.example"
    assert host(OWN, "a.example/x.html") == "a.example"
    assert host(OWN, "-") == "own.example"
    assert host("<p>x", "-") is None
    assert host("<p>x", "-", "https://unknown.example/") is None


def test_pages_without_a_site_are_counted(tmp_path: Path):
    store = Store(tmp_path / "sites.sqlite")
    store.put(Site("a.example"))
    sites = SitesOfPages(store)
    urls = [None, "https://a.example/", *["https://b.example/"] * 2, f"https://{'x' * 300}.org/"]
    for url in urls:
        sites.of(thresher.parse("<p>x", url=url), Input("-", "stdin", ()))
    assert (sites.nameless, sites.unknown) == (2, {"b.example": 2})


def test_few_sites_are_kept_in_memory(tmp_path: Path):
    store = Store(tmp_path / "sites.sqlite")
    sites = SitesOfPages(store)
    for number in range(100):
        page = thresher.parse("<p>x", url=f"https://h{number}.example/")
        assert sites.of(page, Input("-", "stdin", ())) is None
        assert len(sites.found) <= 20


def test_a_warc_response_that_is_no_page_is_named(tmp_path: Path):
    head = "Content-Type: text/html; charset=utf-8\r\n"
    records = [
        warc_record("https://a.example/1", head, b"%PDF-1.7\n\x00\x01"),
        warc_record("https://a.example/2", head, "<p>Вскипятите воду".encode("windows-1251")),
    ]
    (tmp_path / "a.warc").write_bytes(b"".join(records))
    binary, russian = read_collection(tmp_path / "a.warc", Messages())
    with pytest.raises(InputError, match=r"a.warc, https://a.example/1: this is a PDF document"):
        binary.parse()
    assert russian.charset is None
    assert russian.parse().all().text() == "Вскипятите воду"
