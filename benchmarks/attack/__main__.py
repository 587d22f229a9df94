"""Run every attack and print one table; end with an error if one did harm.

`python -m benchmarks.attack` runs all modules of this folder that have a function `attack`, those
named on the command line, or with `--but` all others.
"""

from __future__ import annotations

import argparse
import pkgutil
import sys
import time
from importlib import import_module

import benchmarks.attack
from benchmarks.attack.rows import Row, print_rows


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
    options = parser.parse_args()
    rows: list[Row] = []
    for name in options.names or known:
        if name in options.but:
            continue
        began = time.monotonic()
        found = import_module(f"benchmarks.attack.{name}").attack()
        print(f"{name}: {time.monotonic() - began:.0f} s", flush=True)
        rows += found
    print_rows([*rows, total(rows)])
    sys.exit(1 if any(row.failed for row in rows) else 0)


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
