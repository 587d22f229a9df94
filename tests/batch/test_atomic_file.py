"""Files that are replaced only when they are complete."""

import errno
import json
import re
import stat
from pathlib import Path

import pytest

from tests.cli.commands import DEMO, files, interrupted, run


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


def test_output_that_cannot_be_written(pages: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for arguments in (
        ("extract", DEMO, "--output", tmp_path / "file" / "below"),
        ("extract", pages, "--output", tmp_path / "file"),
        ("extract", pages, "--format", "csv", "--output", tmp_path),
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


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/syscall").exists(), reason="needs Linux")
def test_ctrl_c_keeps_what_was_done(tmp_path: Path) -> None:
    target = tmp_path / "all.jsonl"
    target.write_text("old")
    code, errors = interrupted("extract", DEMO, "-", "--format", "json", "--output", target)
    assert code == 130
    assert errors.count(b"\n") <= 2
    assert b"the records so far are in" in errors
    assert target.read_text() == "old"
    (line,) = (tmp_path / "all.jsonl.partial").read_text().splitlines()
    assert json.loads(line)["input"] == str(DEMO)
    assert files(tmp_path) == ["all.jsonl", "all.jsonl.partial"]


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/syscall").exists(), reason="needs Linux")
def test_ctrl_c_leaves_no_unfinished_file(tmp_path: Path) -> None:
    code, _ = interrupted("extract", "-", "--output", tmp_path / "out.txt")
    assert code == 130
    assert files(tmp_path) == []
