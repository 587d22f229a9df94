"""Errors, exit codes, signals and help of the program."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import thresher
from tests.cli.commands import DEMO, ROOT, interrupted, program, run
from thresher.cli import main
from thresher.page.core import COMPILED


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["extract"], "Missing argument 'INPUT...'. See thresher extract --help."),
        (["extract", "x", "--method", "bten"], "no method 'bten': did you mean bte?"),
        (["extract", "x", "--method", "bte("], "cannot read the method 'bte('"),
        (
            ["extract", "x", "--method", "bte", "--favor", "recall"],
            "only the default can favor recall, not bte: leave out the method or favor.",
        ),
        (["extract", "x", "--charset", "klingon"], "unknown charset 'klingon'"),
        (["extract", "x", "y", "--url", "http://a/"], "--url is for a single file"),
        (["extract", "http://b/", "--url", "http://a/"], "--url is for a single file"),
        (["extract", "x", "--url", "http://[bad"], "'http://[bad' is no address: give one"),
        (["extract", "x", "--url", "notaurl"], "--url is 'notaurl': give the whole address"),
        (["extract", "x", "--url", "javascript:x()"], "give the whole address of the page"),
        (["extract", "-", "-"], "standard input can be read once"),
        (["extract", "x", "--max-bytes", "0"], "0 is not in the range"),
        (["extract", "x", "--timeout", "0"], "is not in the range"),
        (["extract", "x", "--timeout", "abc"], "'--timeout': 'abc' is not a number. See"),
        (["extract", "x", "--max-bytes", "1.5"], "'--max-bytes': '1.5' is not a whole number."),
        (["extract", "x", "--format", "pdf"], "'pdf' is not one of"),
        (["extract", "ftp://x/y"], "'ftp://x/y' cannot be fetched"),
        (["extract", "x" * 300], "file name too long."),
        (["methods", "bten"], "no method 'bten': did you mean bte?"),
        (["methods", "unionn"], "no method 'unionn': did you mean union?"),
        (["methods", "bte(tag_cost=2)"], "'bte(tag_cost=2)' has options: give the name"),
        (["explain", "."], ". is a folder: give one page."),
        (["explain", "x", "--output", "."], ". is a folder: give the name of a file."),
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


def test_exit_codes() -> None:
    assert run("extract", DEMO).exit_code == 0
    assert program("extract", "missing.html").returncode == 2
    assert run("extract", "missing.html", DEMO).exit_code == 2


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [("extract", DEMO, DEMO, "--format", "json"), ("methods",)])
def test_a_closed_pipe_ends_the_program_silently(arguments: tuple[object, ...]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = program(*arguments, capture_output=False, stdout=writer, stderr=subprocess.PIPE)
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [("extract", DEMO), ("methods",)])
def test_a_full_disk_is_an_error_in_one_sentence(arguments: tuple[object, ...]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = program(*arguments, capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 2
    assert done.stderr == b"Error: cannot write standard output: no space left on device.\n"


@pytest.mark.skipif(not Path("/proc/self/syscall").exists(), reason="needs Linux")
def test_ctrl_c_ends_without_a_traceback() -> None:
    code, errors = interrupted("extract", "-")
    assert (code, errors.strip()) == (130, b"")


def test_version_and_help() -> None:
    core = "compiled" if COMPILED else "plain"
    assert run("--version").stdout == f"thresher {thresher.__version__} ({core} core)\n"
    assert run().stdout == run("--help").stdout == run("-h").stdout
    summaries = run("--help").stdout.partition("Commands:\n")[2].partition("\n\n")[0]
    assert len(summaries.splitlines()) == len(main.commands)
    assert "..." not in summaries


@pytest.mark.slow
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
            command = shlex.split(re.split(" [>|] ", example)[0].removeprefix("thresher "))
            assert run(*command).exit_code == 0, example
