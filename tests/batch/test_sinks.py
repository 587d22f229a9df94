"""Standard output, one file, and folders with a file per input."""

import csv
import io
import json
from pathlib import Path

import pytest

from tests.cli.commands import DEMO, LONG, PAGE, files, on_a_terminal, run


def test_several_texts_are_kept_apart(pages: Path) -> None:
    done = run("extract", pages / "b.html", pages / "a.HTM")
    assert done.stdout == f"{LONG}\n\n{LONG}\n"


@pytest.mark.slow
def test_several_texts_on_a_terminal_have_headings(pages: Path) -> None:
    shown, _ = on_a_terminal("extract", pages / "b.html", pages / "a.HTM")
    assert shown == (
        f"==> {pages / 'b.html'} <==\n\n{LONG}\n\n==> {pages / 'a.HTM'} <==\n\n{LONG}\n"
    )


@pytest.mark.slow
def test_control_characters_do_not_reach_a_terminal(tmp_path: Path) -> None:
    (tmp_path / "p.html").write_text(f"<p>\x1b[31m\x9b {LONG}", encoding="utf-8")
    shown, _ = on_a_terminal("extract", tmp_path / "p.html")
    assert "\x1b" not in shown
    assert "\x9b" not in shown
    assert run("extract", tmp_path / "p.html").stdout.startswith("\x1b[31m")


def test_one_input_goes_into_a_folder_that_exists(tmp_path: Path) -> None:
    run("extract", DEMO, "--output", tmp_path)
    run("extract", DEMO, "--format", "tei", "--output", f"{tmp_path}/sub/")
    assert files(tmp_path) == ["demo.txt", "sub/demo.xml"]


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
    assert [len(row) for row in rows] == [10] * 5


@pytest.mark.parametrize("inputs", ["b.html", "."])
def test_an_input_is_never_written_over(pages: Path, inputs: str) -> None:
    (pages / "b.htm").write_text(PAGE)
    before = {name: (pages / name).read_bytes() for name in files(pages)}
    target = pages / inputs
    done = run("extract", target, "--format", "html", "--output", target)
    assert done.exit_code == 2
    assert "is an input: give another --output." in done.stderr
    assert {name: before[name] for name in before} == {n: (pages / n).read_bytes() for n in before}
