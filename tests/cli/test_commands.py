"""The command line, in this process where that is enough and as a real program where it is not."""

import csv
import errno
import gzip
import io
import json
import os
import random
import re
import signal
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

import thresher
from thresher.batch.file_names import Names, safe, url_parts
from thresher.cli import main

ROOT = Path(__file__).parents[2]
DEMO = ROOT / "examples" / "demo.html"
LONG = "All night it rained on the roof and nobody in the house slept a single hour."
PAGE = f"<html lang=en><title>Rain</title><body><p>{LONG}</p>"


def run(*arguments: object, given: bytes | None = None) -> Result:
    """Run a command in this process."""
    return CliRunner().invoke(main, [str(one) for one in arguments], input=given)


def program(*arguments: object, **options: object) -> "subprocess.CompletedProcess[bytes]":
    """Run a command as a program of its own."""
    command = [sys.executable, "-m", "thresher", *map(str, arguments)]
    settings = {"capture_output": True, "timeout": 60} | options
    return subprocess.run(command, **settings)  # type: ignore[call-overload,no-any-return]


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    """A folder with pages in a small tree, and things that are not pages."""
    folder = tmp_path / "pages"
    (folder / "deep" / "er").mkdir(parents=True)
    for name in ("b.html", "a.HTM", "deep/c.xhtml", "deep/er/b.html"):
        (folder / name).write_text(PAGE.replace("Rain", name), encoding="utf-8")
    (folder / "notes.txt").write_text("not a page")
    (folder / "dir.html").mkdir()
    return folder


def files(folder: Path) -> list[str]:
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())


# --- one input -----------------------------------------------------------------------------------


def test_a_file_as_text(tmp_path: Path) -> None:
    (tmp_path / "p.html").write_text(PAGE)
    done = run("extract", tmp_path / "p.html")
    assert (done.exit_code, done.stdout, done.stderr) == (0, f"{LONG}\n", "")


def test_the_demo_is_found_whole() -> None:
    text = run("extract", DEMO).stdout
    assert text.startswith("A bought rain gauge costs as much")
    assert text.endswith("either will do.\n")
    assert "hedgehog" in text
    assert "cookies" not in text
    assert "All rain reserved" not in text


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


def test_formats() -> None:
    def done(form: str) -> str:
        return run("extract", DEMO, "--format", form).stdout

    assert "| 3 | 21.7 | 24.0 | hail bounced out of the pot |" in done("markdown")
    assert "```python\ndef millimetres(grams, rim_cm):\n" in done("markdown")
    assert done("html").startswith("<article>")
    assert ElementTree.fromstring(done("tei")).tag == "{http://www.tei-c.org/ns/1.0}TEI"
    record = json.loads(done("json"))
    assert record["input"] == str(DEMO)
    assert record["title"] == "Measuring rain with a yoghurt pot"
    assert record["text"] == done("text").rstrip("\n")
    assert (record["date"], record["site"]) == ("2024-05-03", "puddle.example")
    assert record["kind"] == "article"
    assert 0.8 < record["confidence"] <= 1
    assert {"url", "language", "status", "method", "authors", "blocks"} <= record.keys()


def test_csv_has_a_header_and_the_documented_columns() -> None:
    written = run("extract", DEMO, "--format", "csv").stdout_bytes
    assert written.startswith(b"input,url,title,language,status,method,text\r\n")
    (row,) = csv.DictReader(io.StringIO(written.decode(), newline=""))
    assert (row["input"], row["url"], row["language"]) == (str(DEMO), "", "en")
    assert (row["status"], row["method"]) == ("complete", "default")
    assert row["text"] == thresher.extract(DEMO).text


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1", "@SUM(A1)", "＝1"])
def test_csv_disarms_formulas(tmp_path: Path, cell: str) -> None:
    (tmp_path / "p.html").write_text(f"<title>{cell}</title><p>{cell} {LONG}", encoding="utf-8")
    written = run("extract", tmp_path / "p.html", "--format", "csv").stdout
    (row,) = csv.DictReader(io.StringIO(written, newline=""))
    assert (row["title"], row["text"]) == (f"'{cell}", f"'{cell} {LONG}")


def test_csv_leaves_the_name_of_standard_input_alone() -> None:
    written = run("extract", "-", "--format", "csv", given=PAGE.encode()).stdout
    assert written.splitlines()[1].startswith("-,,Rain,en,complete,default,")


@pytest.mark.parametrize(
    ("option", "without", "remains"),
    [
        ("links", "](/rain/depth)", "depth does not depend"),
        ("images", "![", "The two gauges"),
        ("tables", "21.7", "fourth week"),
    ],
)
def test_parts_are_on_or_off(option: str, without: str, remains: str) -> None:
    command = ("extract", DEMO, "--format", "markdown", "--method", "bte")
    on, off = run(*command, f"--{option}").stdout, run(*command, f"--no-{option}").stdout
    assert without in on
    assert without not in off
    assert remains in off


def test_comments_are_on_or_off() -> None:
    asked = ("extract", DEMO, "--method", "plain")
    assert "jam jar" in run(*asked).stdout
    assert "jam jar" not in run(*asked, "--no-comments").stdout


def test_url_makes_links_absolute() -> None:
    done = run("extract", DEMO, "--format", "markdown", "--url", "https://puddle.example/2024/")
    assert "(https://puddle.example/rain/depth)" in done.stdout


@pytest.mark.parametrize(
    ("methods", "told"),
    [
        (["bte", "cetd"], "--method is given twice: give one, or combine them, as in --method "),
        (["@"], "--method @ lacks the name of a method file: write @FILE.toml."),
    ],
)
def test_a_method_that_is_none(methods: list[str], told: str) -> None:
    given = [word for method in methods for word in ("--method", method)]
    for command in ("extract", "explain"):
        done = run(command, "-", *given, given=b"<p>Warm the pot.")
        assert done.exit_code == 2
        assert done.stderr.startswith(f"Error: {told}")


def test_method_and_favor_choose() -> None:
    def method(*options: str) -> str:
        record = json.loads(run("extract", DEMO, "--format", "json", *options).stdout)
        return str(record["method"])

    assert method("--method", "bte(tag_cost=2)") == "bte(tag_cost=2.0)"
    assert method("--favor", "recall") == thresher.extract(DEMO, favor="recall").method
    assert method("--favor", "recall") != method("--favor", "precision")
    both = method("--method", "default", "--favor", "precision")
    assert both == "default(favor='precision')"


@pytest.mark.parametrize(
    ("page", "status"), [("<nav></nav>", "no content found"), ("", "empty"), (" \n", "empty")]
)
def test_a_page_without_content_is_a_warning(page: str, status: str) -> None:
    done = run("extract", "-", given=page.encode())
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr == f"Warning: standard input: {status}.\n"
    assert run("extract", "-", "--quiet", given=page.encode()).stderr == ""


def test_max_bytes_cuts_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "p.html").write_text(PAGE + "x" * 10_000)
    done = run("extract", tmp_path / "p.html", "--max-bytes", len(PAGE))
    assert done.stdout == f"{LONG}\n"
    assert done.stderr == f"Warning: {tmp_path / 'p.html'}: cut at {len(PAGE)} bytes.\n"
    assert run("extract", tmp_path / "p.html", "--max-bytes", len(PAGE) + 10_000).stderr == ""


# --- several inputs ------------------------------------------------------------------------------


def test_several_texts_are_kept_apart(pages: Path) -> None:
    done = run("extract", pages / "b.html", pages / "a.HTM")
    assert done.stdout == f"{LONG}\n\n{LONG}\n"


def test_a_folder_is_searched_in_order(pages: Path) -> None:
    done = run("extract", pages, "--format", "json")
    found = [json.loads(line) for line in done.stdout.splitlines()]
    names = [Path(record["input"]).relative_to(pages).as_posix() for record in found]
    assert names == ["a.HTM", "b.html", "deep/c.xhtml", "deep/er/b.html"]


def test_one_bad_input_does_not_stop_the_others(pages: Path) -> None:
    done = run("extract", pages / "b.html", pages / "missing.html", pages / "a.HTM", "--quiet")
    assert done.exit_code == 2
    assert done.stdout.count("on the roof") == 2
    assert done.stderr == (
        f"Error: cannot read {pages / 'missing.html'}: no such file or directory; check the path, "
        "or put https:// before an address.\n"
    )


def test_an_empty_folder_is_an_error(tmp_path: Path, pages: Path) -> None:
    done = run("extract", tmp_path / "pages" / "dir.html", pages / "b.html")
    assert done.exit_code == 2
    assert re.fullmatch(r"Error: no pages in .*dir\.html: .*\.\n", done.stderr)
    assert "on the roof" in done.stdout


def test_links_to_folders_and_pipes_are_passed_over(pages: Path) -> None:
    (pages / "deep" / "circle").symlink_to(pages)
    os.mkfifo(pages / "pipe.html")
    done = run("extract", pages, "--format", "csv")
    assert done.exit_code == 0
    assert len(list(csv.reader(io.StringIO(done.stdout, newline="")))) == 1 + 4


def test_several_tei_documents_need_a_folder(pages: Path) -> None:
    done = run("extract", pages, "--format", "tei")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == ("Error: several TEI documents do not make one: give --output FOLDER.\n")


# --- output files --------------------------------------------------------------------------------


def test_one_input_goes_to_a_file_in_a_new_folder(tmp_path: Path) -> None:
    target = tmp_path / "new" / "er" / "demo.md"
    done = run("extract", DEMO, "--format", "markdown", "--output", target)
    assert (done.exit_code, done.stdout) == (0, "")
    assert target.read_text(encoding="utf-8") == run("extract", DEMO, "--format", "markdown").stdout
    assert files(tmp_path) == ["new/er/demo.md"]


def test_a_file_is_replaced_and_keeps_its_mode(tmp_path: Path) -> None:
    target, link = tmp_path / "out.txt", tmp_path / "link.txt"
    target.write_text("old " * 10_000)
    target.chmod(0o640)
    link.symlink_to(target)
    run("extract", DEMO, "--output", link)
    assert link.is_symlink()
    assert target.read_text(encoding="utf-8").startswith("A bought rain gauge")
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


def test_a_new_file_has_the_usual_mode(tmp_path: Path) -> None:
    (tmp_path / "usual").write_text("x")
    run("extract", DEMO, "--output", tmp_path / "out.txt")
    assert (tmp_path / "out.txt").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_one_input_goes_into_a_folder_that_exists(tmp_path: Path) -> None:
    run("extract", DEMO, "--output", tmp_path)
    run("extract", DEMO, "--format", "tei", "--output", f"{tmp_path}/sub/")
    assert files(tmp_path) == ["demo.txt", "sub/demo.xml"]


def test_a_html_file_is_a_whole_page(tmp_path: Path) -> None:
    page = "<html lang=de><title>Straße &amp; Weg</title><p>Die Straße ist naß, der Weg auch."
    (tmp_path / "p.html").write_text(page, encoding="utf-8")
    run("extract", tmp_path / "p.html", "--format", "html", "--output", tmp_path / "out.html")
    written = (tmp_path / "out.html").read_text(encoding="utf-8")
    assert written.startswith('<!DOCTYPE html>\n<html lang="de">\n<meta charset="utf-8">\n')
    assert "<title>Straße &amp; Weg</title>" in written


def test_a_folder_keeps_its_tree(pages: Path, tmp_path: Path) -> None:
    (pages / "a.html").write_text(PAGE)
    done = run("extract", pages, "--output", tmp_path / "out")
    assert (done.exit_code, done.stdout) == (0, "")
    assert files(tmp_path / "out") == ["a-2.txt", "a.txt", "b.txt", "deep/c.txt", "deep/er/b.txt"]


def test_several_arguments_never_collide(pages: Path, tmp_path: Path) -> None:
    other = tmp_path / "other" / "pages"
    other.mkdir(parents=True)
    (other / "b.html").write_text(PAGE)
    run("extract", pages, other, pages / "b.html", other / "b.html", "--output", tmp_path / "out")
    assert files(tmp_path / "out") == [
        "b-2.txt", "b.txt", "pages/a.txt", "pages/b-2.txt", "pages/b.txt", "pages/deep/c.txt",
        "pages/deep/er/b.txt",
    ]  # fmt: skip


def test_lines_of_json_and_csv_go_to_one_file(pages: Path, tmp_path: Path) -> None:
    run("extract", pages, "--format", "json", "--output", tmp_path / "all.jsonl")
    run("extract", pages, "--format", "csv", "--output", tmp_path / "all.csv")
    lines = (tmp_path / "all.jsonl").read_text().splitlines()
    assert len([json.loads(line) for line in lines]) == 4
    rows = list(csv.reader(io.StringIO((tmp_path / "all.csv").read_bytes().decode(), newline="")))
    assert [len(row) for row in rows] == [7] * 5


def test_output_is_not_taken_for_input(pages: Path) -> None:
    for _ in range(2):
        assert run("extract", pages, "--format", "html", "--output", pages / "out").exit_code == 0
    assert files(pages / "out") == ["a.html", "b.html", "deep/c.html", "deep/er/b.html"]


@pytest.mark.parametrize("inputs", ["b.html", "."])
def test_an_input_is_never_written_over(pages: Path, inputs: str) -> None:
    (pages / "b.htm").write_text(PAGE)
    before = {name: (pages / name).read_bytes() for name in files(pages)}
    target = pages / inputs
    done = run("extract", target, "--format", "html", "--output", target)
    assert done.exit_code == 2
    assert "is an input: give another --output." in done.stderr
    assert {name: before[name] for name in before} == {n: (pages / n).read_bytes() for n in before}


def test_output_that_cannot_be_written(pages: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for arguments in (
        ("extract", DEMO, "--output", tmp_path / "file" / "below"),
        ("extract", pages, "--output", tmp_path / "file"),
        ("extract", pages, "--format", "csv", "--output", tmp_path),
        ("explain", DEMO, "--output", tmp_path),
    ):
        done = run(*arguments)
        assert done.exit_code == 2
        assert re.fullmatch(r"Error: cannot write \S+: [a-z ]+\.\n", done.stderr)
    assert files(tmp_path / "pages") == ["a.HTM", "b.html", "deep/c.xhtml", "deep/er/b.html",
                                         "notes.txt"]  # fmt: skip


def test_a_device_is_written_to_and_not_replaced() -> None:
    assert run("extract", DEMO, "--output", "/dev/null").exit_code == 0
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)
    full = run("extract", DEMO, "--output", "/dev/full")
    assert (full.exit_code, full.stderr) == (
        2, "Error: cannot write /dev/full: no space left on device.\n"
    )  # fmt: skip


def test_a_failure_leaves_the_old_file_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "out.txt"
    target.write_text("old")

    def fail(*_: object) -> None:
        raise OSError(errno.EIO, "disk on fire")

    monkeypatch.setattr(Path, "replace", fail)
    done = run("extract", DEMO, "--output", target)
    assert (done.exit_code, done.stderr) == (2, f"Error: cannot write {target}: disk on fire.\n")
    assert files(tmp_path) == ["out.txt"]
    assert target.read_text() == "old"


# --- names ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("page", "page"),
        ("", "_"),
        ("..", "_"),
        (".hidden", "_.hidden"),
        ("a/b\\c:d?", "a_b_c_d_"),
        ("dots. .", "dots"),
        ("con", "_con"),
        ("NUL.tar", "_NUL.tar"),
        ("a\udcffb", "a_b"),
        ("a\x1b[31mb\n", "a_[31mb_"),
    ],
)
def test_safe_names(name: str, expected: str) -> None:
    assert safe(name) == expected


def test_long_names_are_cut_and_stay_apart() -> None:
    first, second = safe("雨" * 300 + "1"), safe("雨" * 300 + "2")
    assert first != second
    assert len(first.encode()) <= 180


@pytest.mark.parametrize(
    ("url", "parts"),
    [
        ("https://example.org", ("example.org", "index")),
        ("https://example.org/a/b.html", ("example.org", "a", "b.html")),
        ("https://user:secret@example.org:8080/a//", ("example.org", "a", "index")),
        ("https://example.org/p.html?id=2#top", ("example.org", "p-id=2")),
        ("https://example.org/%2e%2e/%2Fetc", ("example.org", "..", "/etc")),
        ("https://[::1", ("page",)),
    ],
)
def test_parts_of_addresses(url: str, parts: tuple[str, ...]) -> None:
    assert url_parts(url) == parts


@given(st.lists(st.lists(st.text("aA./\\\x00\udcffé", max_size=4), min_size=1, max_size=3)))
def test_names_stay_inside_and_never_collide(paths: list[list[str]]) -> None:
    names = Names()
    made = [names.file(tuple(parts), ".txt") for parts in paths]
    folded = [str(path).casefold() for path in made]
    assert len(set(folded)) == len(folded)
    folders = {str(parent).casefold() for path in made for parent in path.parents}
    assert not folders & set(folded)
    assert all(not path.is_absolute() and ".." not in path.parts for path in made)


# --- errors --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["extract"], "Missing argument 'INPUT...'. See thresher extract --help."),
        (["extract", "x", "--method", "bten"], "no method 'bten': did you mean bte?"),
        (["extract", "x", "--method", "bte("], "cannot read the method 'bte('"),
        (
            ["extract", "x", "--method", "bte", "--favor", "recall"],
            "only the default can favor recall, not bte: leave out one of both.",
        ),
        (["extract", "x", "--charset", "klingon"], "unknown charset 'klingon'"),
        (["extract", "x", "y", "--url", "http://a/"], "--url is for a single file"),
        (["extract", "http://b/", "--url", "http://a/"], "--url is for a single file"),
        (["extract", "x", "--url", "http://[bad"], "'http://[bad' is no address: give one"),
        (["extract", "-", "-"], "standard input can be read once"),
        (["extract", "x", "--max-bytes", "0"], "0 is not in the range"),
        (["extract", "x", "--timeout", "0"], "is not in the range"),
        (["extract", "x", "--format", "pdf"], "'pdf' is not one of"),
        (["extract", "ftp://x/y"], "cannot fetch 'ftp://x/y'"),
        (["extract", "x" * 300], "file name too long."),
        (["methods", "bten"], "no method 'bten': did you mean bte?"),
        (["explain", "."], ". is a folder: give one page."),
        (["explain", "missing.html"], "cannot read missing.html"),
        (["frobnicate"], "No such command 'frobnicate'. See thresher --help."),
        (["--frobnicate"], "No such option"),
    ],
)  # fmt: skip
def test_an_error_is_one_line_and_code_2(
    arguments: list[str], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run(*arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("Error: ")
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1


def test_names_that_are_not_text(tmp_path: Path) -> None:
    name = os.fsencode(tmp_path) + b"/a\xff.html"
    Path(os.fsdecode(name)).write_text(PAGE)
    command = [sys.executable, "-m", "thresher", "extract", name]
    done = subprocess.run([*command, "--format", "json"], capture_output=True, timeout=60)
    assert done.returncode == 0
    assert json.loads(done.stdout)["input"].endswith("/a\ufffd.html")
    missing = subprocess.run([*command[:-1], name + b"x"], capture_output=True, timeout=60)
    assert missing.returncode == 2
    assert b"a\\udcff.htmlx: no such file" in missing.stderr
    subprocess.run([*command, name, "--output", tmp_path / "out"], check=True, timeout=60)
    assert files(tmp_path / "out") == ["a_-2.txt", "a_.txt"]


def test_lone_surrogates_are_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = thresher.parse(f"<p>{LONG} \ud83d end")
    monkeypatch.setattr("thresher.cli.extract.load", lambda *_: broken)
    for form in ("text", "markdown", "html", "json", "csv"):
        run("extract", "x", "--format", form, "--output", tmp_path / form)
        assert "hour. \ufffd end" in (tmp_path / form).read_text(encoding="utf-8")
    assert "hour. \ufffd end" in run("extract", "x").stdout


# --- as a program --------------------------------------------------------------------------------


def test_the_command_line_starts_light() -> None:
    code = (
        "import sys; from thresher.cli import main\n"
        f"try: main(['extract', {str(DEMO)!r}])\n"
        "except SystemExit: print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    loaded = set(done.stdout.splitlines()[-1].split())
    assert "thresher.cli.extract" in loaded
    assert not loaded & {"rich", "httpx", "asyncio"}


def test_standard_input_that_cannot_be_read() -> None:
    closed = os.open(os.devnull, os.O_WRONLY)
    try:
        done = program("extract", "-", stdin=closed)
    finally:
        os.close(closed)
    assert done.returncode == 2
    assert done.stderr == b"Error: cannot read standard input: bad file descriptor.\n"


def test_exit_codes() -> None:
    assert program("extract", DEMO).returncode == 0
    assert program("extract", "missing.html").returncode == 2
    assert program("extract", "missing.html", DEMO).returncode == 2


@pytest.mark.parametrize(
    "arguments", [("extract", DEMO, DEMO, "--format", "json"), ("methods",), ("explain", DEMO)]
)
def test_a_reader_that_goes_away_is_no_error(arguments: tuple[object, ...]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = program(*arguments, capture_output=False, stdout=writer, stderr=subprocess.PIPE)
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.parametrize("arguments", [("extract", DEMO), ("methods",), ("explain", DEMO)])
def test_a_full_disk_is_a_sentence(arguments: tuple[object, ...]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = program(*arguments, capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 2
    assert done.stderr == b"Error: cannot write standard output: no space left on device.\n"


def interrupted(*arguments: object) -> "tuple[int, bytes]":
    """Start a program that waits for standard input, send it Ctrl-C, return code and errors."""
    command = [sys.executable, "-m", "thresher", *map(str, arguments)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as running:
        assert running.stdin is not None
        end = time.monotonic() + 30
        while not _waits_for_input(running.pid) and time.monotonic() < end:
            time.sleep(0.02)
        running.send_signal(signal.SIGINT)
        _, errors = running.communicate(timeout=30)
        return running.returncode, errors


def _waits_for_input(pid: int) -> bool:
    """Whether the program has read what there is: it sleeps in a read of file 0."""
    call = Path(f"/proc/{pid}/syscall").read_text().split()
    return call[:2] == ["0", "0x0"]


@pytest.mark.skipif(not Path("/proc/self/syscall").exists(), reason="needs Linux")
def test_ctrl_c_ends_without_a_traceback() -> None:
    code, errors = interrupted("extract", "-")
    assert (code, errors.strip()) == (130, b"")


@pytest.mark.skipif(not Path("/proc/self/syscall").exists(), reason="needs Linux")
def test_ctrl_c_keeps_what_was_done(tmp_path: Path) -> None:
    target = tmp_path / "all.jsonl"
    target.write_text("old")
    code, errors = interrupted("extract", DEMO, "-", "--format", "json", "--output", target)
    assert code == 130
    assert errors.count(b"\n") <= 2
    assert b"what was done is in" in errors
    assert target.read_text() == "old"
    (line,) = (tmp_path / "all.jsonl.partial").read_text().splitlines()
    assert json.loads(line)["input"] == str(DEMO)
    assert files(tmp_path) == ["all.jsonl", "all.jsonl.partial"]


@pytest.mark.skipif(not Path("/proc/self/syscall").exists(), reason="needs Linux")
def test_ctrl_c_leaves_no_unfinished_file(tmp_path: Path) -> None:
    code, _ = interrupted("extract", "-", "--output", tmp_path / "out.txt")
    assert code == 130
    assert files(tmp_path) == []


def on_a_terminal(*arguments: object, stdout_too: bool = True) -> tuple[str, str]:
    """Run a program on a terminal; return what it shows there and what it prints elsewhere."""
    ours, theirs = os.openpty()
    shown = bytearray()

    def listen() -> None:
        try:
            while data := os.read(ours, 65_536):
                shown.extend(data)
        except OSError:  # how Linux says that the other end is closed
            return

    listener = threading.Thread(target=listen)
    listener.start()
    done = program(
        *arguments,
        capture_output=False,
        stdout=theirs if stdout_too else subprocess.PIPE,
        stderr=theirs,
        env=os.environ | {"TERM": "xterm", "COLUMNS": "100"},
    )
    os.close(theirs)
    listener.join(10)
    os.close(ours)
    return shown.decode().replace("\r\n", "\n"), (done.stdout or b"").decode()


def test_several_texts_on_a_terminal_have_headings(pages: Path) -> None:
    shown, _ = on_a_terminal("extract", pages / "b.html", pages / "a.HTM")
    assert shown == (
        f"==> {pages / 'b.html'} <==\n\n{LONG}\n\n==> {pages / 'a.HTM'} <==\n\n{LONG}\n"
    )


def test_a_terminal_is_not_steered_by_a_page(tmp_path: Path) -> None:
    (tmp_path / "p.html").write_text(f"<p>\x1b[31m\x9b {LONG}", encoding="utf-8")
    shown, _ = on_a_terminal("extract", tmp_path / "p.html")
    assert "\x1b" not in shown
    assert "\x9b" not in shown
    assert run("extract", tmp_path / "p.html").stdout.startswith("\x1b[31m")


def test_the_progress_bar_is_for_many_inputs_on_a_terminal(pages: Path) -> None:
    shown, printed = on_a_terminal("extract", pages, "missing.html", stdout_too=False)
    assert "5/5" in shown
    assert "cannot read missing.html" in shown
    assert printed.count("on the roof") == 4
    for arguments in ([pages, "--quiet"], [pages / "b.html"]):
        shown, printed = on_a_terminal("extract", *arguments, stdout_too=False)
        assert shown == ""
        assert "on the roof" in printed
    assert "on the roof" not in program("extract", pages).stderr.decode()
    assert program("extract", pages).stderr == b""


def test_explain_does_not_flood_a_terminal() -> None:
    shown, _ = on_a_terminal("explain", DEMO)
    assert shown.startswith("Error: the page is for a browser: give --output")


# --- addresses -----------------------------------------------------------------------------------


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
    done = run("extract", f"{address}/moved", "--format", "json", "--user-agent", "reader/1")
    record = json.loads(done.stdout)
    assert record["input"] == f"{address}/moved"
    assert record["url"] == f"{address}/articles/rain"
    assert (record["title"], record["status"]) == ("Дождь", "complete")
    assert set(site.agents) == {"reader/1"}  # type: ignore[attr-defined]
    markdown = run("extract", f"{address}/moved", "--format", "markdown").stdout
    assert f"[More about it.]({address}/articles/next)" in markdown


def test_addresses_that_fail_and_go_on(site: ThreadingHTTPServer, tmp_path: Path) -> None:
    address = f"http://127.0.0.1:{site.server_port}"
    done = run(
        "extract", f"{address}/lost", f"{address}/articles/rain", "--output", tmp_path / "out"
    )
    assert done.exit_code == 2
    assert done.stderr == f"Error: {address}/lost answered 404 Not Found: check the address.\n"
    assert files(tmp_path / "out") == ["127.0.0.1/articles/rain.txt"]


def test_max_bytes_cuts_an_address_too(site: ThreadingHTTPServer) -> None:
    address = f"http://127.0.0.1:{site.server_port}/articles/rain"
    done = run("extract", address, "--max-bytes", "110")
    assert done.exit_code == 0
    assert done.stderr == f"Warning: {address}: cut at 110 bytes.\n"
    assert done.stdout.startswith(LONG)


def test_a_page_that_breaks_off_is_used_and_told(site: ThreadingHTTPServer) -> None:
    address = f"http://127.0.0.1:{site.server_port}/broken"
    done = run("extract", address)
    assert done.exit_code == 0
    assert done.stderr == f"Warning: {address}: cut by the server.\n"
    assert done.stdout.startswith(LONG)


# --- methods, explain, help ----------------------------------------------------------------------


def test_methods_are_listed_with_their_options() -> None:
    listed = run("methods").stdout
    for name in thresher.methods.names():
        assert re.search(rf"^{name} +Keep ", listed, re.M)
    assert "tag_cost=1.0" in listed
    assert listed.isascii()


@pytest.mark.parametrize("columns", [40, 60, 200])
def test_methods_fit_the_width(columns: int) -> None:
    done = program("methods", env=os.environ | {"COLUMNS": str(columns)})
    lines = done.stdout.decode().splitlines()
    assert max(map(len, lines)) <= columns
    assert " ".join(" ".join(lines).split()) == " ".join(run("methods").stdout.split())


def test_a_method_tells_its_paper_and_options() -> None:
    shown = run("methods", "BTE").stdout
    assert shown.startswith("BTE: body text extraction (Finn")
    assert "Departures:" in shown
    assert "\n\nOptions: tag_cost=1.0" in shown
    assert run("methods", "plain").stdout.endswith("\n\nOptions: none\n")


def test_explain_writes_a_page(tmp_path: Path) -> None:
    target = tmp_path / "new" / "explained.html"
    done = run("explain", DEMO, "--method", "cetd", "--output", target)
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", "")
    assert "<code>cetd</code>" in target.read_text(encoding="utf-8")
    assert run("explain", DEMO, "--method", "cetd").stdout == target.read_text(encoding="utf-8")
    copy = tmp_path / "copy.html"
    copy.write_bytes(DEMO.read_bytes())
    assert run("explain", copy, "--output", copy).exit_code == 2
    assert copy.read_bytes() == DEMO.read_bytes()


def test_the_demo_writes_what_it_says(tmp_path: Path) -> None:
    command = [sys.executable, ROOT / "examples" / "demo.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=60, check=True)
    assert done.stdout.decode().startswith(thresher.extract(DEMO).text)
    assert files(tmp_path) == ["demo-output/demo.md", "demo-output/explained.html"]
    assert all(name.encode() in done.stdout for name in files(tmp_path))


def test_version_and_help() -> None:
    assert run("--version").stdout == f"thresher {thresher.__version__}\n"
    assert run().stdout == run("--help").stdout == run("-h").stdout


@pytest.mark.parametrize("name", sorted(main.commands))
def test_the_examples_of_the_help_work(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    shown = run(name, "--help").stdout
    _, _, lines = shown.partition("\n  Examples:\n")
    examples = [line.strip() for line in lines.splitlines() if line.strip()]
    assert len(examples) >= 2
    for example in examples:
        assert "thresher " in example
        if "://" not in example:
            command = example.partition(" > ")[0].removeprefix("thresher ").split()
            assert run(*command).exit_code == 0, example
