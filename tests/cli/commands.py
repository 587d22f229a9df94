"""Run commands of the command line in this process, as a program, or on a terminal."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

from click.testing import CliRunner, Result

from thresher.cli import main

ROOT = Path(__file__).parents[2]
DEMO = ROOT / "examples" / "demo.html"
LONG = "All night it rained on the roof and nobody in the house slept a single hour."
PAGE = f"<html lang=en><title>Rain</title><body><p>{LONG}</p>"


def run(*arguments: object, given: bytes | None = None, width: int = 100) -> Result:
    """Run a command in this process."""
    env = {"COLUMNS": str(width), "NO_COLOR": "1"}
    return CliRunner().invoke(main, [str(one) for one in arguments], input=given, env=env)


def program(*arguments: object, **options: object) -> "subprocess.CompletedProcess[bytes]":
    """Run a command as a program of its own."""
    command = [sys.executable, "-m", "thresher", *map(str, arguments)]
    settings = {"capture_output": True, "timeout": 60} | options
    return subprocess.run(command, **settings)  # type: ignore[call-overload,no-any-return]


def files(folder: Path) -> list[str]:
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())


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
