"""`thresher segment` with a real browser."""

import io
import json
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import pytest
from PIL import Image

from tests.cli.commands import DEMO, PAGE, on_a_terminal, program, run
from thresher.errors import InputError
from thresher.visual.browser import find_chromium


@pytest.fixture(autouse=True, scope="module")
def chromium() -> None:
    try:
        find_chromium()
    except InputError as error:
        pytest.skip(str(error))


@pytest.mark.slow
def test_the_tree_of_the_demo() -> None:
    done = run("segment", DEMO, "--depth", 2)
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert lines[0].startswith("page  1280×")
    kinds = [line.lstrip("│├└─ ").split("  ")[0] for line in lines[1:-1]]
    assert kinds[0] == "notice"
    assert {"header", "content", "title", "text", "sidebar", "list", "footer"} <= set(kinds)
    assert lines[-1].endswith(" segments.")
    assert max(map(len, lines)) <= 100


@pytest.mark.slow
def test_depth_and_width_of_the_window() -> None:
    done = run("segment", DEMO, "--depth", 0, "--width", 600, "--no-records", "--quiet")
    assert done.stdout.splitlines()[0].startswith("page  600×")
    assert len(done.stdout.splitlines()) == 2


@pytest.mark.slow
def test_json(tmp_path: Path) -> None:
    options = ("--method", "seam", "--alpha", 0.5, "--no-records", "--url", "https://rain.example/")
    done = run("segment", DEMO, *options, "--output", tmp_path / "x.json")
    assert done.stdout == f"{tmp_path / 'x.json'} is written.\n"
    found = json.loads((tmp_path / "x.json").read_text(encoding="utf-8"))
    assert found["url"] == "https://rain.example/"
    assert found["method"].startswith("seam(alpha=0.5, beta=0.8")
    assert found["width"] == 1280
    segments = found["segments"]
    assert [one["id"] for one in segments] == list(range(len(segments)))
    assert all(one["parent"] is None or one["parent"] < one["id"] for one in segments)
    assert set(segments[3]["measures"]) == {"seam", "similarity"}
    assert any(one["css"] == ["html > body > footer"] for one in segments)


@pytest.mark.slow
def test_png_by_the_name_of_the_output_and_on_standard_output(tmp_path: Path) -> None:
    run("segment", DEMO, "--method", "vips", "--pdoc", 5, "-o", tmp_path / "x.png")
    with Image.open(tmp_path / "x.png") as image:
        assert image.size[0] == 1296
    done = program("segment", "-", "--format", "png", input=PAGE.encode())
    assert Image.open(io.BytesIO(done.stdout)).format == "PNG"


@pytest.mark.slow
def test_a_terminal_has_colours_and_gets_no_picture() -> None:
    shown, _ = on_a_terminal("segment", DEMO, "--depth", 1, "--quiet")
    assert "\x1b[1;32mcontent\x1b[0m" in shown
    shown, _ = on_a_terminal("segment", DEMO, "--format", "png")
    assert shown == "Error: a picture is not for the terminal: give --output FILE.png.\n"


@pytest.mark.slow
def test_a_terminal_without_unicode(tmp_path: Path) -> None:
    (tmp_path / "p.html").write_text(PAGE + "<p>Ω</p>", encoding="utf-8")
    done = program(
        "segment", tmp_path / "p.html", "--quiet", env={"PYTHONIOENCODING": "ascii", "PATH": PATH}
    )
    assert done.returncode == 0


PATH = "/usr/local/bin:/usr/bin:/bin"


@pytest.mark.slow
def test_sweep(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(PAGE, encoding="utf-8")
    done = run("segment", "--sweep", tmp_path, DEMO, tmp_path / "no.html", "-o", tmp_path / "s.png")
    assert done.exit_code == 2
    assert "cannot read" in done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["alpha", "\\", "beta", *(f"{step / 10}" for step in range(11))]
    table = [[float(number) for number in line.split()] for line in lines[1:12]]
    assert [row[0] for row in table] == [step / 10 for step in range(11)]
    for row, above in zip(table[1:], table, strict=False):
        assert row[1:] == sorted(row[1:])
        assert all(one >= other for one, other in zip(row[1:], above[1:], strict=True))
    assert table[-1][-1] == 1.0
    assert lines[12].startswith("2 pages; at most ")
    assert (tmp_path / "s.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((DEMO, "--method", "gravity"), "no segmenter 'gravity': there are areacut, seam, vips."),
        ((DEMO, "--method", "vips", "--beta", "1"), "vips has no option beta: it has pdoc, "),
        ((DEMO, "--method", "vips", "--pdoc", "11"), "pdoc of vips is 11: give a whole number"),
        ((DEMO, "--method", "seam(alpha=2)"), "alpha of seam is 2: give a number from 0 to 1."),
        ((DEMO, DEMO), "give one page; only --sweep takes several, and folders."),
        ((DEMO.parent,), "give one page; only --sweep takes several, and folders."),
        ((DEMO, "-o", "x.gif"), "x.gif tells no format: end it in .png, .json or .txt"),
        ((DEMO, "-o", DEMO), "demo.html"),
        ((DEMO, "--sweep", "--alpha", "1"), "--sweep is for seam with all its alpha and beta"),
    ],
)
def test_wrong_options_are_sentences(arguments: tuple[object, ...], message: str) -> None:
    done = run("segment", *arguments)
    assert done.exit_code == 2
    assert message in done.stderr
    assert done.stderr.startswith("Error: ")
    assert done.stdout == ""


def test_a_missing_file_is_a_sentence() -> None:
    done = run("segment", "missing.html")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("Error: cannot read missing.html: no such file")


def test_a_missing_browser_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.delenv("THRESHER_CHROMIUM", raising=False)
    for command in (("segment",), ("extract", "--browser")):
        done = run(*command, DEMO)
        assert done.exit_code == 2
        assert done.stderr.startswith("Error: no Chromium was found: install it (")


def test_missing_playwright_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "playwright.async_api", None)
    done = run("segment", DEMO)
    assert done.exit_code == 2
    assert done.stderr == (
        "Error: rendering needs Playwright: run pip install 'thresher[browser]'.\n"
    )


# --- extract --browser ---------------------------------------------------------------------------

SENTENCE = "All night it rained on the roof and nobody in the house slept a single hour. "
FILLED = f"""<html lang=en><title>Rain</title><body><div id=place></div>
<script>place.innerHTML = '<p>' + '{SENTENCE}'.repeat(5) + '</p>'</script>"""
STYLED = f"""<html lang=en><title>Rain</title><link rel=stylesheet href=style.css><body>
<p>{SENTENCE * 5}</p><p class=gone>{SENTENCE.replace("rained", "snowed") * 3}</p>"""


@pytest.mark.slow
def test_text_that_a_script_makes(tmp_path: Path) -> None:
    (tmp_path / "p.html").write_text(FILLED, encoding="utf-8")
    assert run("extract", tmp_path / "p.html").stdout.strip() == ""
    assert run("extract", "--browser", tmp_path / "p.html").stdout.strip() == (SENTENCE * 5).strip()
    done = run("extract", "--browser", "--no-scripts", tmp_path / "p.html")
    assert done.stdout.strip() == ""
    assert run("extract", "--browser", "-", given=FILLED.encode()).stdout.startswith("All night")


@pytest.mark.slow
def test_text_that_a_style_sheet_hides(tmp_path: Path) -> None:
    (tmp_path / "p.html").write_text(STYLED, encoding="utf-8")
    (tmp_path / "style.css").write_text(".gone { display: none }", encoding="utf-8")
    assert "snowed" in run("extract", tmp_path / "p.html").stdout
    done = run("extract", "--browser", tmp_path / "p.html")
    assert "rained" in done.stdout
    assert "snowed" not in done.stdout


@pytest.mark.slow
def test_folders_and_failures_with_a_browser(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for name in ("a.html", "b.html"):
        (tmp_path / "in" / name).write_text(FILLED, encoding="utf-8")
    done = run(
        "extract", "--browser", "--format", "json", tmp_path / "in", tmp_path / "no.html", DEMO
    )
    assert done.exit_code == 2
    texts = [json.loads(line)["text"] for line in done.stdout.splitlines()]
    assert [text[:9] for text in texts] == ["All night", "All night", "A bought "]
    assert done.stderr.startswith("Error: cannot read ")
    assert len(done.stderr.splitlines()) == 1


def test_options_of_the_browser_need_the_browser() -> None:
    for option in ("--no-scripts", "--network", "--width=500"):
        done = run("extract", DEMO, option)
        assert (done.exit_code, done.stderr) == (
            2, "Error: --scripts, --network and --width are for --browser: give it too.\n",
        )  # fmt: skip


class Server(BaseHTTPRequestHandler):
    """A page whose text comes with a script of its own."""

    asked: ClassVar[list[tuple[str, str]]] = []

    def do_GET(self) -> None:
        Server.asked.append((self.path, self.headers["User-Agent"]))
        answers = {
            "/": ("text/html", "<title>Rain</title><p id=place></p><script src=fill.js></script>"),
            "/fill.js": ("text/javascript", f"place.innerText = '{SENTENCE}'.repeat(5)"),
        }
        kind, body = answers.get(self.path, ("text/plain", ""))
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_: object) -> None:
        return


@pytest.fixture
def address() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Server) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        Server.asked.clear()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.mark.slow
def test_a_page_from_an_address_may_load_its_scripts(address: str) -> None:
    done = run("extract", "--browser", "--private", "--user-agent", "Gauge/1", address)
    assert done.stdout.startswith("All night")
    assert Server.asked[0] == ("/", "Gauge/1")
    assert [path for path, _ in Server.asked].count("/") == 1
    done = run("extract", "--browser", "--private", "--no-network", address)
    assert done.stdout.strip() == ""


@pytest.mark.slow
def test_private_addresses_are_refused(address: str) -> None:
    done = run("extract", "--browser", address)
    assert done.exit_code == 2
    assert done.stderr.startswith("Error: 127.0.0.1 is an address of this computer")
    assert Server.asked == []
