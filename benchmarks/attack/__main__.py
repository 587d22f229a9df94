"""Run every attack and print one table; end with an error if one did harm.

`python -m benchmarks.attack` runs all modules of this folder that have a function `attack`, those
named on the command line, or with `--but` all others. `--write` (`make attack`) stores the figures
in docs/figures/attack.json and writes them into SECURITY.md; a test compares both.
"""

from __future__ import annotations

import argparse
import json
import os
import pkgutil
import sys
import time
from datetime import date
from importlib import import_module
from pathlib import Path
from typing import Any

import benchmarks.attack
from benchmarks.attack.rows import Row, cells, print_rows
from benchmarks.marked_blocks import markdown_table, write_block

ROOT = Path(__file__).parents[2]
LAST_RUN = ROOT / "docs" / "figures" / "attack.json"


def batteries() -> list[str]:
    """Return the names of the modules that attack."""
    names = sorted(module.name for module in pkgutil.iter_modules(benchmarks.attack.__path__))
    return [
        name
        for name in names
        if name != "__main__" and hasattr(import_module(f"benchmarks.attack.{name}"), "attack")
    ]


def main() -> None:
    known = batteries()
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(known))
    parser.add_argument("--but", action="append", default=[], metavar="NAME")
    parser.add_argument("--write", action="store_true", help="write the figures into SECURITY.md")
    options = parser.parse_args()
    if options.write and (options.names or options.but):
        parser.error("--write is for a run of everything: leave out the names.")
    rows: list[Row] = []
    began = time.monotonic()
    for name in options.names or known:
        if name in options.but:
            continue
        before = time.monotonic()
        found = import_module(f"benchmarks.attack.{name}").attack()
        print(f"{name}: {time.monotonic() - before:.0f} s", flush=True)
        rows += found
    print_rows([*rows, total(rows)])
    if options.write:
        write(rows, time.monotonic() - began)
    sys.exit(1 if any(row.failed for row in rows) else 0)


def write(rows: list[Row], seconds: float) -> None:
    """Store the figures of a whole run, and write them into SECURITY.md."""
    figures = {
        "date": date.today().isoformat(),
        "minutes": round(seconds / 60, 1),
        "cores": os.cpu_count(),
        "rows": [row._asdict() for row in rows],
    }
    LAST_RUN.write_text(json.dumps(figures, indent=1, allow_nan=False) + "\n", encoding="utf-8")
    write_block(ROOT / "SECURITY.md", "attack", security_block(figures))


def security_block(figures: dict[str, Any]) -> str:
    """Return what SECURITY.md says about a run: a sentence and a table."""
    rows = [Row(**row) for row in figures["rows"]]
    everything = total(rows)
    failed = f"{everything.failed:,} failed" if everything.failed else "none failed"
    said = (
        f"The last run, on {figures['date']}, tried {everything.tried:,} inputs in "
        f"{figures['minutes']:.0f} minutes on {figures['cores']} cores; {failed}. Exponents are "
        "the worst, seconds those of a MB of a page, memory the peak beyond the parsed page."
    )
    head = ("attack", "tried", "failed", "exponent", "s per MB", "MB")
    table = markdown_table(head, [(one.name, *cells(one)) for one in [*rows, everything]])
    return "\n".join([said, "", *table]) + "\n"


def total(rows: list[Row]) -> Row:
    """Return one row for all: sums, and the worst of each measure."""
    exponents, seconds, memory = (
        [value for value in (getattr(row, name) for row in rows) if value is not None]
        for name in ("exponent", "seconds", "memory")
    )
    return Row(
        "all",
        sum(row.tried for row in rows),
        sum(row.failed for row in rows),
        exponent=max(exponents, default=None),
        seconds=max(seconds, default=None),
        memory=max(memory, default=None),
    )


if __name__ == "__main__":
    main()
