"""Files, folders, standard input and addresses as inputs."""

import csv
import gzip
import io
import json
import os
import random
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.cli.commands import LONG, PAGE, files, program, run


def test_standard_input_is_bytes_in_any_charset() -> None:
    page = "<meta charset=windows-1251><p>Дождь шёл всю ночь, и никто в доме не спал."
    done = program("extract", "-", input=page.encode("windows-1251"))
    assert done.stdout.decode() == "Дождь шёл всю ночь, и никто в доме не спал.\n"


def test_a_charset_that_is_given_wins(tmp_path: Path) -> None:
    (tmp_path / "p.html").write_bytes(
        "<meta charset=utf-8><p>雨が一晩中降った。".encode("shift_jis")
    )
    assert run("extract", tmp_path / "p.html", "--charset", "shift_jis").stdout == (
        "雨が一晩中降った。\n"
    )


def test_max_bytes_cuts_with_a_warning(tmp_path: Path) -> None:
    (tmp_path / "p.html").write_text(PAGE + "x" * 10_000)
    done = run("extract", tmp_path / "p.html", "--max-bytes", len(PAGE))
    assert done.stdout == f"{LONG}\n"
    assert done.stderr == f"Warning: {tmp_path / 'p.html'}: cut at {len(PAGE)} bytes.\n"
    assert run("extract", tmp_path / "p.html", "--max-bytes", len(PAGE) + 10_000).stderr == ""


def test_a_folder_is_searched_in_order(pages: Path) -> None:
    done = run("extract", pages, "--format", "json")
    found = [json.loads(line) for line in done.stdout.splitlines()]
    names = [Path(record["input"]).relative_to(pages).as_posix() for record in found]
    assert names == ["a.HTM", "b.html", "deep/c.xhtml", "deep/er/b.html"]


def test_a_folder_is_searched_for_every_kind_of_page(tmp_path: Path) -> None:
    page = PAGE.encode()
    for name, data in {
        "a.html.gz": gzip.compress(page),
        "b.php": page,
        "c.aspx": page,
        "d.php?id=1": page,
        "e": b"<!DOCTYPE html>" + page,
        "f.mhtml": b"MIME-Version: 1.0\nContent-Type: multipart/related; boundary=x\n\n"
        b"--x\nContent-Type: text/html\n\n" + page + b"\n--x--\n",
        "Makefile": b"all:\n",
        ".hidden": b"<!DOCTYPE html>" + page,
        "g.txt": page,
        "h.tar.gz": page,
    }.items():
        (tmp_path / name).write_bytes(data)
    done = run("extract", tmp_path, "--format", "json")
    assert done.exit_code == 0
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [Path(record["input"]).name for record in found] == [
        "a.html.gz", "b.php", "c.aspx", "d.php?id=1", "e", "f.mhtml"
    ]  # fmt: skip
    assert {record["text"] for record in found} == {LONG}


def test_a_glob_chooses_the_files_of_a_folder(pages: Path) -> None:
    (pages / "deep" / "d.page").write_text(PAGE)
    for globs, names in (
        (("*.page",), ["deep/d.page"]),
        (("deep/*",), ["deep/c.xhtml", "deep/d.page", "deep/er/b.html"]),
        (("a.*", "d.*"), ["a.HTM", "deep/d.page"]),
    ):
        options = [option for glob in globs for option in ("--glob", glob)]
        for command in ("extract", "passages"):
            done = run(command, pages, *options, *(["--format", "json"] * (command == "extract")))
            found = [json.loads(line)["input"] for line in done.stdout.splitlines() if line != ""]
            assert [Path(name).relative_to(pages).as_posix() for name in found] == names
    done = run("extract", pages, "--glob", "*.none")
    assert done.exit_code == 2
    assert "no file matches *.none" in done.stderr


def test_what_is_no_page_is_reported_and_the_others_go_on(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_bytes(b"%PDF-1.7\n\x00\x01")
    (tmp_path / "b.html").write_text(PAGE)
    done = run("extract", tmp_path)
    assert done.exit_code == 2
    assert done.stdout == f"{LONG}\n"
    assert done.stderr == (
        f"Error: {tmp_path / 'a.html'}: this is a PDF document, not a web page: convert it to HTML "
        "or text first.\n"
    )
    piped = program("extract", "-", input=b"\x89PNG\r\n\x1a\n\x00")
    assert piped.returncode == 2
    assert piped.stderr.startswith(b"Error: standard input: this is a PNG picture, not a web page")


def test_an_empty_folder_is_an_error(tmp_path: Path, pages: Path) -> None:
    done = run("extract", tmp_path / "pages" / "dir.html", pages / "b.html")
    assert done.exit_code == 2
    assert re.fullmatch(r"Error: no pages in .*dir\.html: .*\.\n", done.stderr)
    assert "on the roof" in done.stdout


def test_links_to_folders_and_pipes_are_ignored(pages: Path) -> None:
    (pages / "deep" / "circle").symlink_to(pages)
    os.mkfifo(pages / "pipe.html")
    done = run("extract", pages, "--format", "csv")
    assert done.exit_code == 0
    assert len(list(csv.reader(io.StringIO(done.stdout, newline="")))) == 1 + 4


def test_output_is_not_taken_for_input(pages: Path) -> None:
    for _ in range(2):
        assert run("extract", pages, "--format", "html", "--output", pages / "out").exit_code == 0
    assert files(pages / "out") == ["a.html", "b.html", "deep/c.html", "deep/er/b.html"]


def test_names_that_are_not_text(tmp_path: Path) -> None:
    name = os.fsdecode(os.fsencode(tmp_path) + b"/a\xff.html")
    Path(name).write_text(PAGE)
    done = run("extract", name, "--format", "json")
    assert done.exit_code == 0
    assert json.loads(done.stdout)["input"].endswith("/a\ufffd.html")
    missing = program("extract", f"{name}x")
    assert missing.returncode == 2
    assert b"a\\udcff.htmlx: no such file" in missing.stderr
    assert run("extract", name, name, "--output", tmp_path / "out").exit_code == 0
    assert files(tmp_path / "out") == ["a_-2.txt", "a_.txt"]


def test_standard_input_that_cannot_be_read() -> None:
    closed = os.open(os.devnull, os.O_WRONLY)
    try:
        done = program("extract", "-", stdin=closed)
    finally:
        os.close(closed)
    assert done.returncode == 2
    assert done.stderr == b"Error: cannot read standard input: bad file descriptor.\n"


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.server.agents.append(self.headers["User-Agent"])  # type: ignore[attr-defined]
        if self.path == "/moved":
            self.send_response(302)
            self.send_header("Location", "/articles/rain")
            self.end_headers()
            return
        if self.path == "/broken":
            self.send_response(200)
            self.send_header("Content-Encoding", "gzip")
            self.end_headers()
            noise = b"<!--" + random.Random(7).randbytes(999)  # does not shrink
            self.wfile.write(gzip.compress(PAGE.encode() + noise, mtime=0)[:-500])
            return
        self.send_response(200 if self.path == "/articles/rain" else 404)
        self.send_header("Content-Type", "text/html; charset=windows-1251")
        self.end_headers()
        page = f"<title>Дождь</title><p>{LONG} Дождь. <a href=next>More about it.</a>"
        self.wfile.write(page.encode("windows-1251"))

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[ThreadingHTTPServer]:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.agents = []  # type: ignore[attr-defined]
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def test_an_address_gives_charset_and_links(site: ThreadingHTTPServer) -> None:
    address = f"http://127.0.0.1:{site.server_port}"
    done = run(
        "extract", f"{address}/moved", "--format", "json", "--user-agent", "reader/1", "--private"
    )
    record = json.loads(done.stdout)
    assert record["input"] == f"{address}/moved"
    assert record["url"] == f"{address}/articles/rain"
    assert (record["title"], record["status"]) == ("Дождь", "complete")
    assert set(site.agents) == {"reader/1"}  # type: ignore[attr-defined]
    markdown = run("extract", f"{address}/moved", "--format", "markdown", "--private").stdout
    assert f"[More about it.]({address}/articles/next)" in markdown


def test_addresses_that_fail_and_go_on(site: ThreadingHTTPServer, tmp_path: Path) -> None:
    address = f"http://127.0.0.1:{site.server_port}"
    done = run(
        "extract",
        f"{address}/lost",
        f"{address}/articles/rain",
        "--private",
        "--output",
        tmp_path / "out",
    )
    assert done.exit_code == 2
    assert done.stderr == f"Error: {address}/lost answered 404 Not Found: check the address.\n"
    assert files(tmp_path / "out") == ["127.0.0.1/articles/rain.txt"]


def test_max_bytes_cuts_an_address_too(site: ThreadingHTTPServer) -> None:
    address = f"http://127.0.0.1:{site.server_port}/articles/rain"
    done = run("extract", address, "--private", "--max-bytes", "110")
    assert done.exit_code == 0
    assert done.stderr == f"Warning: {address}: cut at 110 bytes.\n"
    assert done.stdout.startswith(LONG)


def test_an_incomplete_download_is_used_with_a_warning(site: ThreadingHTTPServer) -> None:
    address = f"http://127.0.0.1:{site.server_port}/broken"
    done = run("extract", address, "--private")
    assert done.exit_code == 0
    assert done.stderr == f"Warning: {address}: cut by the server.\n"
    assert done.stdout.startswith(LONG)


def test_private_addresses_need_the_option(site: ThreadingHTTPServer) -> None:
    done = run("extract", f"http://127.0.0.1:{site.server_port}/articles/rain")
    assert done.exit_code == 2
    assert done.stderr == (
        "Error: 127.0.0.1 is an address of this computer, and only public addresses are read: to "
        "allow this one, pass private=True, or --private on the command line.\n"
    )
    assert site.agents == []  # type: ignore[attr-defined]


def test_names_of_files_that_wget_and_programs_wrote(tmp_path: Path) -> None:
    for name in ("index.html@q=1", "page-1.2", "k.cgi", "ada@tea.html"):
        (tmp_path / name).write_text(f"<!DOCTYPE html>{PAGE}")
    mail = f"MIME-Version: 1.0\nContent-Type: text/html\n\n{PAGE}"
    (tmp_path / "u.eml").write_text(mail)
    for name in ("tea.pl", "tea-1.3"):
        (tmp_path / name).write_text("#!/usr/bin/tea\n")
    (tmp_path / "tea.md").write_text(f"<p>{LONG}")
    done = run("extract", tmp_path, "--format", "json")
    found = [json.loads(line) for line in done.stdout.splitlines()]
    names = [Path(record["input"]).name for record in found]
    assert names == ["ada@tea.html", "index.html@q=1", "k.cgi", "page-1.2", "u.eml"]
    assert all(record["text"] == LONG for record in found)
