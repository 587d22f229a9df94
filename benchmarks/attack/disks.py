"""Kills and full disks: a file is the old or the new one, whole, and an error is a sentence.

A program that replaces files over and over is killed at random moments; then the file must be one
of the two versions. A program whose files may not grow (`RLIMIT_FSIZE`), or that writes to a small
file system or to `/dev/full`, must end with exit code 2, one line on standard error, the old file
as it was, and nothing else in the folder.
"""

from __future__ import annotations

import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from benchmarks.attack.rows import Row, print_rows, row

ROOM = 65_536  # bytes that a file may have, or that the small file system has left
_LONGEST = 60.0  # seconds of one command
# Forks a process that writes, kills it, and prints what the file is then.
_KILLS = """
import os, random, signal, sys, time
from pathlib import Path
from thresher.batch.atomic_file import write_file
path, old, new = Path(sys.argv[1]), b"old " * 300_000, b"new " * 400_000
draw = random.Random(int(sys.argv[3]))
path.write_bytes(old)
for _ in range(int(sys.argv[2])):
    child = os.fork()
    while child == 0:
        write_file(path, new)
        write_file(path, old)
    time.sleep(draw.uniform(0.0, 0.03))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    data = path.read_bytes()
    print("" if data in (old, new) else f"the file has {len(data):,} bytes: {data[:40]!r}")
"""


def attack(kills: int = 100, seed: int = 1, part: slice = slice(None)) -> list[Row]:
    """Kill a program `kills` times and fill disks; return a row for each kind.

    `part` chooses among the commands that write to full disks.
    """
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        rows = [row("disk: kill -9 while a file is replaced", killed(place / "kill", kills, seed))]
        pages = _pages(place / "pages")
        commands = [
            command for command in COMMANDS[part] if _works(command, pages, place / "usual")
        ]
        rows += [
            row("disk: files may not grow", filled(commands, pages, place / "limit", limited=True)),
            row("disk: standard output is full", full_output(commands, pages)),
        ]
        with small_file_system(place / "small") as small:
            if small is not None:
                found = list(filled(commands, pages, small))
                rows.append(row("disk: a full file system", found))
    return rows


# --- kills ---------------------------------------------------------------------------------------


def killed(folder: Path, kills: int, seed: int) -> Iterator[str]:
    """Yield the outcome of each kill: "", or what is in the file then."""
    folder.mkdir()
    arguments = [str(folder / "file.txt"), str(kills), str(seed)]
    done = subprocess.run(
        [sys.executable, "-c", _KILLS, *arguments], capture_output=True, text=True, check=True
    )
    yield from done.stdout.splitlines()


# --- full disks ----------------------------------------------------------------------------------

# IN is the folder of pages, OUT a file to write.
COMMANDS: tuple[list[str], ...] = (
    ["extract", "IN", "--format", "json", "--output", "OUT"],
    ["extract", "IN", "--format", "csv", "--output", "OUT"],
    ["passages", "IN", "--output", "OUT"],
    ["explain", "IN/0.html", "--output", "OUT"],
    ["compare", "IN/0.html", "-m", "bte", "--output", "OUT"],
    ["site", "learn", "IN", "--host", "example.org", "--store", "OUT"],
)


def _pages(folder: Path) -> Path:
    """Write pages whose content does not fit on the small disks."""
    folder.mkdir()
    for number in range(4):
        text = "".join(
            f"<p>Rain {number} {line} fell on the roof all night." for line in range(2_000)
        )
        (folder / f"{number}.html").write_text(f"<title>{number}</title>{text}", encoding="utf-8")
    return folder


def _filled_in(command: list[str], pages: Path, target: Path) -> list[str]:
    return [part.replace("IN", str(pages)).replace("OUT", str(target)) for part in command]


def _run(
    arguments: list[str], limited: bool = False, stdout: int = subprocess.PIPE
) -> subprocess.CompletedProcess[bytes]:
    prepare: Callable[[], None] | None = _limit if limited else None
    return subprocess.run(
        [sys.executable, "-m", "thresher", *arguments],
        stdout=stdout,
        stderr=subprocess.PIPE,
        timeout=_LONGEST,
        check=False,
        preexec_fn=prepare,
        env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},
    )


def _limit() -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # the write fails instead of the program
    resource.setrlimit(resource.RLIMIT_FSIZE, (ROOM, ROOM))


def _works(command: list[str], pages: Path, target: Path) -> bool:
    """Return whether a command writes more than the small disks hold when nothing is wrong."""
    done = _run(_filled_in(command, pages, target))
    size = target.stat().st_size if target.exists() else 0
    target.unlink(missing_ok=True)
    return done.returncode == 0 and size > ROOM


def filled(
    commands: list[list[str]], pages: Path, folder: Path, limited: bool = False
) -> Iterator[str]:
    """Yield the outcome of each command whose output does not fit, with and without an old file."""
    folder.mkdir(exist_ok=True)
    for command in commands:
        for old in (None, b"old"):
            if old is not None and "--store" in command:
                continue  # a store is no file that is replaced
            target = folder / "out"
            if old is not None:
                target.write_bytes(old)
            done = _run(_filled_in(command, pages, target), limited)
            yield _verdict(command, done, target, old)
            for path in folder.iterdir():
                with suppress(OSError):
                    path.unlink()


def _verdict(
    command: list[str],
    done: subprocess.CompletedProcess[bytes],
    target: Path,
    old: bytes | None,
) -> str:
    name, said = " ".join(command), done.stderr.decode(errors="replace")
    errors = [line for line in said.splitlines() if line.startswith("Error: ")]
    if "Traceback" in said or done.returncode != 2 or not errors:
        return f"{name} ends with {done.returncode}: {said[-300:]!r}"
    if "--store" in command:
        return ""
    if old is not None and target.read_bytes() != old:
        return f"{name} destroys the old file"
    left = {path.name for path in target.parent.iterdir()} - {"out", "out.partial"}
    if old is None and target.exists():
        return f"{name} leaves {target.stat().st_size:,} bytes of a new file"
    return f"{name} leaves {sorted(left)}" if left else ""


def full_output(commands: list[list[str]], pages: Path) -> Iterator[str]:
    """Yield the outcome of each command whose standard output is a full device."""
    for command in commands:
        if "--store" in command:
            continue
        shown = _filled_in(command[: command.index("--output")], pages, Path("-"))
        full = os.open("/dev/full", os.O_WRONLY)
        try:
            done = _run(shown, stdout=full)
        finally:
            os.close(full)
        said = done.stderr.decode(errors="replace")
        is_fine = done.returncode == 2 and "Error: " in said and "Traceback" not in said
        yield "" if is_fine else f"{' '.join(command)} ends with {done.returncode}: {said[-300:]!r}"


@contextmanager
def small_file_system(place: Path) -> Iterator[Path | None]:
    """Mount a file system with little room; None if that is not allowed here."""
    place.mkdir()
    mount = shutil.which("mount")
    options = ["-t", "tmpfs", "-o", f"size={ROOM}", "tmpfs", str(place)]
    mounted = mount is not None and not subprocess.run(
        [mount, *options], capture_output=True, check=False
    ).returncode  # fmt: skip
    try:
        yield place if mounted else None
    finally:
        if mounted:
            subprocess.run(["umount", str(place)], check=False)


if __name__ == "__main__":
    print_rows(attack())
