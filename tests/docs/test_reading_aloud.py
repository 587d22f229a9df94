"""docs/reading-aloud.md: the pipes into a speech program work as they are written."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.speech_program import seconds

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "reading-aloud.md"
PIPES = re.findall(r"^thresher .*\| espeak-ng .*$", PAGE.read_text(encoding="utf-8"), re.M)


def test_there_are_pipes() -> None:
    assert len(PIPES) == 3


@pytest.mark.slow
@pytest.mark.parametrize("pipe", [pipe for pipe in PIPES if " -w " in pipe])
def test_a_pipe_writes_a_sound_file(pipe: str, tmp_path: Path) -> None:
    if shutil.which("espeak-ng") is None:
        reason = "no eSpeak NG: install it (Debian: sudo apt install espeak-ng)"
        pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    subprocess.run(
        ["bash", "-o", "pipefail", "-c", pipe],
        cwd=tmp_path,
        env=os.environ | {"PATH": path},
        check=True,
        timeout=60,
    )
    (file,) = tmp_path.glob("*.wav")
    assert seconds(file.read_bytes()) > 60
