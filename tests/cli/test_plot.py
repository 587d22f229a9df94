"""`thresher plot`."""

import builtins
from pathlib import Path
from typing import Any, get_args

import pytest

from tests.cli.commands import DEMO, run
from thresher.viewer.plots import What

SIGNS = {"png": b"\x89PNG\r\n", "svg": b"<?xml"}


@pytest.mark.slow
def test_the_command_prints_the_name_of_the_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("plot", DEMO, "--what", "tokens").stdout == "demo.png is written.\n"
    assert (tmp_path / "demo.png").read_bytes().startswith(SIGNS["png"])
    told = run("plot", DEMO, "--what", "tokens").stderr
    assert told == "Error: demo.png exists: give --output demo.png to replace it.\n"
    assert run("plot", DEMO, "--what", "tokens", "--output", "demo.png").exit_code == 0
    assert run("plot", "-", "--what", "lines", given=b"<p>rain").stdout == "stdin.png is written.\n"
    assert run("plot", DEMO, "--what", "density", "--output", "new/d.SVG").exit_code == 0
    assert (tmp_path / "new" / "d.SVG").read_bytes().startswith(SIGNS["svg"])


@pytest.mark.slow
@pytest.mark.parametrize("what", [name for name in get_args(What) if name != "all"])
def test_every_picture_can_be_asked_for(what: str, tmp_path: Path) -> None:
    done = run("plot", DEMO, "--what", what, "--output", tmp_path / "x.svg")
    assert done.exit_code == 0, done.stderr
    assert (tmp_path / "x.svg").read_bytes().startswith(SIGNS["svg"])


def test_wrong_arguments_are_errors(tmp_path: Path) -> None:
    told = run("plot", DEMO, "--output", tmp_path / "demo.gif").stderr
    assert "is not a name for a picture: end it in .png, .svg or .pdf." in told
    assert "is a folder: give one page." in run("plot", tmp_path, "--output", "x.png").stderr


def test_without_matplotlib_a_sentence_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real = builtins.__import__

    def missing(name: str, *arguments: Any, **options: Any) -> Any:
        if name.partition(".")[0] == "matplotlib":
            raise ImportError(name)
        return real(name, *arguments, **options)

    monkeypatch.setattr(builtins, "__import__", missing)
    done = run("plot", DEMO, "--output", "never.png")
    assert done.exit_code == 2
    assert "pip install 'thresher[evaluate]'" in done.stderr
