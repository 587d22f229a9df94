"""The table of methods in docs/methods/README.md.

`make methods-table` runs `python -m benchmarks.methods_table` and writes the table between the
`methods` markers of that page. Each row is made from the registry (the name), the page of the
method (its line "Works on: ...") and the docstring of its class ("Keep ..."). A new method
therefore needs its own page only.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from benchmarks.corpus_pages import argument_parser, exit_with
from benchmarks.marked_blocks import with_block
from thresher import methods
from thresher.errors import InputError

FOLDER = Path(__file__).parents[1] / "docs" / "methods"


def works_on(name: str, folder: Path) -> str:
    """Return what a method works on, from the line "Works on: ..." of its page."""
    page = folder / f"{name}.md"
    text = page.read_text(encoding="utf-8") if page.exists() else ""
    line = re.search(r"^Works on: (.+)\.$", text, re.M)
    if line is None:
        raise InputError(
            f"docs/methods/{name}.md has no line 'Works on: text blocks.': "
            f"add one below the title that says what the method reads."
        )
    return line[1]


def keeps(name: str) -> str:
    """Return what a method keeps: the docstring of its class without "Keep" and the full stop."""
    summary = (type(methods.get(name)).__doc__ or "").partition("\n")[0]
    return summary.removeprefix("Keep ").removesuffix(".")


def table(folder: Path = FOLDER) -> str:
    """Return the Markdown table of all methods, one row each in order of their names."""
    rows = [("method", "works on", "keeps"), ("---", "---", "---")]
    rows += [
        (f"[`{name}`]({name}.md)", works_on(name, folder), keeps(name)) for name in methods.names()
    ]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the table into the page."""
    argument_parser("methods_table", __doc__, "").parse_args(arguments)
    page = FOLDER / "README.md"
    page.write_text(
        with_block(page.read_text(encoding="utf-8"), "methods", table()), encoding="utf-8"
    )
    return 0


if __name__ == "__main__":
    exit_with(main)
