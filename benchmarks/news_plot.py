"""The picture of docs/news-monitoring.md: run the commands of the page and keep their plot.

    commands of the page  --in an empty folder-->  monitor/topics.png, copied to docs/pictures

The example makes its own pages, so nothing else is needed. `make news` runs it.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.corpus_pages import argument_parser, exit_with

ROOT = Path(__file__).parents[1]
PAGE, PICTURE = Path("docs/news-monitoring.md"), Path("docs/pictures/news-monitoring.png")
PLOT = "monitor/topics.png"  # as the page names it


def commands_of(text: str) -> list[str]:
    """Return the commands of a page up to the one that writes the plot; not those that install."""
    shown = re.findall(r"^\$ ((?:thresher|python) .*)$", text, re.M)
    last = next(at for at, command in enumerate(shown) if command.endswith(f"--output {PLOT}"))
    return shown[: last + 1]


def plot_of(text: str) -> bytes:
    """Run the commands of a page in an empty folder; return the plot that they write."""
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    with TemporaryDirectory() as folder:
        (Path(folder) / "examples").symlink_to(ROOT / "examples")
        for command in commands_of(text):
            subprocess.run(
                ["bash", "-c", command],
                cwd=folder,
                env=os.environ | {"PATH": programs},
                check=True,
                stdout=subprocess.DEVNULL,
            )
        return (Path(folder) / PLOT).read_bytes()


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the picture; return the exit code."""
    parser = argument_parser("news_plot", __doc__, "")
    parser.add_argument("--page", type=Path, default=PAGE, help="the page with the commands")
    parser.add_argument("--picture", type=Path, default=PICTURE, help="where the plot is written")
    given = parser.parse_args(arguments)
    given.picture.write_bytes(plot_of(given.page.read_text(encoding="utf-8")))
    return 0


if __name__ == "__main__":
    exit_with(main)
