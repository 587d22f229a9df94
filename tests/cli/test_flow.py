"""`thresher flow`."""

import csv
import io
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

import thresher
from tests.cli.commands import DEMO, run
from thresher.site import flow_table

FIRST = b"<title>1</title><div>News</div><h1>Rain</h1><ul><li><a>One</a></li></ul><p hidden>x</p>"
SECOND = b"<div>News</div><h1>Snow</h1><ul><li><a>Two</a></li><li><a>Three</a></li></ul>"


@pytest.fixture
def second(tmp_path: Path) -> Path:
    path = tmp_path / "second.html"
    path.write_bytes(SECOND)
    return path


def test_the_table_of_figure_6() -> None:
    assert run("flow", "-", given=FIRST).stdout == (
        "row  name  (begin, end, parent, level)  content\n"
        "  0  html  (0, 11, 0, 0)                <head><title>1<body>\n"
        "  1  div   (1, 2, 0, 1)                 News\n"
        "  2  h1    (3, 4, 0, 1)                 Rain\n"
        "  3  ul    (5, 8, 0, 1)\n"
        "  4  li    (6, 7, 5, 2)                 <a>One\n"
        "  5  p     (9, 10, 0, 1)                x\n"
    )


def test_with_another_page_there_are_parts(second: Path) -> None:
    done = run("flow", "-", "--with", second, given=FIRST)
    assert done.stdout == (
        "row  name  (begin, end, parent, level)  part     content\n"
        "  0  html  (0, 11, 0, 0)                common   <head><title>1<body>\n"
        "  1  div   (1, 2, 0, 1)                 common   News\n"
        "  2  h1    (3, 4, 0, 1)                 regular  Rain\n"
        "  3  ul    (5, 8, 0, 1)                 common\n"
        "  4  li    (6, 7, 5, 2)                 regular  <a>One\n"
        "  5  p     (9, 10, 0, 1)                hidden   x\n"
    )
    assert run("flow", second, "--with", "-", given=FIRST).stdout.count("regular") == 3


def test_json_and_csv_have_the_whole_content(second: Path) -> None:
    lines = flow_table(thresher.parse(DEMO))
    found = json.loads(run("flow", DEMO, "--format", "json").stdout)
    names = ["index", "name", "begin", "end", "parent", "level", "content"]
    assert [list(one.values()) for one in found] == [
        [getattr(line, name) for name in names] for line in lines
    ]
    assert list(found[0]) == names
    assert max(len(one["content"]) for one in found) > 200
    assert "Puddle & Gauge" in found[4]["content"]
    assert "› <span>Rain gauge" in run("flow", DEMO, "--format", "json").stdout  # not escaped

    written = run("flow", DEMO, "--format", "csv").stdout
    rows = list(csv.reader(io.StringIO(written, newline="")))
    assert rows[0] == names
    assert [row[6] for row in rows[1:]] == [line.content for line in lines]

    with_part = json.loads(run("flow", second, "--with", DEMO, "--format", "json").stdout)
    assert list(with_part[0]) == [*names, "part"]
    written = run("flow", second, "--with", DEMO, "--format", "csv").stdout
    assert written.splitlines()[0].endswith(",content,part")


def test_a_cell_is_no_formula() -> None:
    written = run("flow", "-", "--format", "csv", given=b"<p>=1+1</p>").stdout
    assert written.splitlines()[2] == "1,p,1,2,0,1,'=1+1"


def test_tables_make_rows_on_request() -> None:
    page = b"<table><tr><td>a</td></tr></table>"
    assert " tr " not in run("flow", "-", given=page).stdout
    shown = run("flow", "-", "--tables", given=page).stdout
    assert "  2  tr     (2, 5, 1, 2)\n" in shown
    with_part = run("flow", "-", "--tables", "--with", DEMO, given=page).stdout
    assert "content  a\n" in with_part


@pytest.mark.parametrize("width", [60, 100])
def test_the_content_is_cut_at_the_width_of_the_terminal(width: int) -> None:
    left = width - len("row  name  (begin, end, parent, level)  ")
    page = f"<p>{'x' * left}</p><p>{'x' * (left + 1)}</p><p>{'雨' * 1_000}</p>".encode()
    fits, cut, wide = run("flow", "-", given=page, width=width).stdout.splitlines()[2:]
    assert fits.endswith(f" {'x' * left}")
    assert cut.endswith(f" {'x' * (left - 3)}...")
    assert wide.endswith(f" {'雨' * ((left - 3) // 2)}...")  # each takes two columns


def test_a_narrow_terminal_shows_some_of_the_content() -> None:
    shown = run("flow", "-", given=b"<p>" + b"x" * 99, width=20).stdout
    assert f" {'x' * 17}...\n" in shown


def test_control_characters_do_not_reach_the_terminal() -> None:
    assert "�[31mred" in run("flow", "-", given=b"<p>\x1b[31mred</p>").stdout


@pytest.mark.parametrize("page", [b"", b"   ", b"<frameset><frame></frameset>", b"<p></p>"])
@pytest.mark.parametrize("form", ["table", "json", "csv"])
def test_a_page_without_text(page: bytes, form: str) -> None:
    done = run("flow", "-", "--with", DEMO, "--format", form, given=page)
    assert done.exit_code == 0
    if form == "json":
        json.loads(done.stdout)


def test_wrong_arguments_are_errors(tmp_path: Path) -> None:
    assert "standard input can be read once" in run("flow", "-", "--with", "-").stderr
    assert "is a folder: give one page." in run("flow", tmp_path).stderr
    assert "is a folder: give one page." in run("flow", DEMO, "--with", tmp_path).stderr
    assert "cannot read missing.html" in run("flow", DEMO, "--with", "missing.html").stderr
    assert "'pdf' is not one of" in run("flow", DEMO, "--format", "pdf").stderr
    assert "is no address" in run("flow", DEMO, "--url", "http://[bad").stderr


def test_the_address_is_that_of_the_first_page(second: Path) -> None:
    done = run("flow", DEMO, "--with", second, "--url", "https://example.org/")
    assert done.exit_code == 0


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=windows-1251")
        self.end_headers()
        self.wfile.write("<div>News</div><h1>Снег</h1>".encode("windows-1251"))

    def log_message(self, *_: object) -> None:
        pass


def test_addresses_are_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        address = f"http://127.0.0.1:{server.server_port}/snow"
        alone = run("flow", address, "--private")
        compared = run("flow", "-", "--with", address, "--private", given=FIRST)
        server.shutdown()
        thread.join()
    assert "h1    (3, 4, 0, 1)                 Снег\n" in alone.stdout
    assert "common   News\n" in compared.stdout
    assert "content  Rain\n" in compared.stdout
