"""What an attack found: how many inputs of a kind were tried, and how many did harm."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Row(NamedTuple):
    """One kind of attack."""

    name: str
    tried: int
    failed: int
    first: str = ""  # what the first failure was
    exponent: float | None = None  # the worst: time grows as the size to this power
    seconds: float | None = None  # the worst, per MB of a page
    memory: float | None = None  # the peak in MB, beyond that of the parsed page


def row(name: str, outcomes: Iterable[str]) -> Row:
    """Return the row of a kind of attack; an outcome is "", or a sentence about a failure."""
    found = list(outcomes)
    failures = [outcome for outcome in found if outcome]
    return Row(name, len(found), len(failures), failures[0] if failures else "")


def cells(one: Row) -> tuple[str, str, str, str, str]:
    """Return the figures of a row as written: tried, failed, exponent, seconds and memory."""
    exponent, seconds, memory = (
        "" if value is None else f"{value:.{digits}f}"
        for value, digits in ((one.exponent, 2), (one.seconds, 1), (one.memory, 0))
    )
    return f"{one.tried:,}", f"{one.failed:,}", exponent, seconds, memory


def print_rows(rows: Iterable[Row]) -> None:
    """Print the rows as a table, and below each failed one what happened first."""
    print(f"{'attack':<44} {'tried':>7} {'failed':>6} {'exponent':>8} {'s per MB':>8} {'MB':>6}")
    for one in rows:
        tried, failed, exponent, seconds, memory = cells(one)
        print(f"{one.name:<44} {tried:>7} {failed:>6} {exponent:>8} {seconds:>8} {memory:>6}")
        if one.first:
            print(f"    {one.first}")
