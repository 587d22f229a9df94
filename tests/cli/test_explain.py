"""`thresher explain`."""

import subprocess
import sys
from pathlib import Path

import pytest

import thresher
from tests.cli.commands import DEMO, ROOT, files, on_a_terminal, run


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


def test_explain_refuses_to_print_to_a_terminal() -> None:
    shown, _ = on_a_terminal("explain", DEMO)
    assert shown.startswith("Error: the page is for a browser: give --output")


@pytest.mark.slow
def test_the_demo_program_writes_its_files(tmp_path: Path) -> None:
    command = [sys.executable, ROOT / "examples" / "demo.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=60, check=True)
    assert done.stdout.decode().startswith(thresher.extract(DEMO).text)
    assert files(tmp_path) == ["demo-output/demo.md", "demo-output/explained.html"]
    assert all(name.encode() in done.stdout for name in files(tmp_path))
