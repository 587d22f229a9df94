"""`thresher compare`: all methods side by side on one page, in the terminal or as HTML."""

from __future__ import annotations

import os
import shutil
import string
import sys
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from thresher.batch.atomic_file import NewFile, encoded, print_bytes
from thresher.batch.messages import printable
from thresher.batch.sinks import refuse_source
from thresher.batch.sources import Reading
from thresher.cli.options import examples, load_one, method_of, reading_options
from thresher.viewer.compare import Comparison, Entry, State, compare, percent, sheet_of
from thresher.viewer.page_shell import count

if TYPE_CHECKING:
    from rich.table import Table

_EPILOG = examples(
    "thresher compare examples/demo.html",
    "thresher compare examples/demo.html -m bte -m cetd",
    "thresher compare examples/demo.html --output compared.html",
)
_MERGE_FROM = 200  # blocks; a longer table is not read line by line
_MOST_ROWS = 1_000
_LEAST_TEXT = 24  # columns of the terminal that the text must have beside the marks
_LITTLE_TEXT = 16  # or marks stand without spaces between them
_NARROWEST = 40
_GAP = 2  # columns between methods
_MOST_TEXT = 200  # characters that are handed to the table, which cuts them further


@click.command("compare", epilog=_EPILOG)
@click.argument("source", metavar="INPUT")
@click.option(
    "-m",
    "--method",
    "expressions",
    metavar="EXPR",
    multiple=True,
    help="A method to compare, such as bte or 'cetd(threshold=\"body\")'; give it several times. "
    "All methods unless given.",
)
@click.option(
    "--output", metavar="PATH", help="The HTML file to write. A table on the terminal unless given."
)
@reading_options
def command(source: str, expressions: tuple[str, ...], output: str | None, **given: Any) -> None:
    """Show what each method keeps of one page, side by side.

    INPUT is a file, - for standard input, or an address that starts with http:// or https://.
    """
    chosen = [method_of(expression) for expression in expressions]
    page = load_one(source, Reading(**given))
    comparison = compare(page, chosen)
    if output is None:
        print_bytes(_printed(comparison))
        return
    data = encoded(sheet_of(comparison))
    if output == "-":
        print_bytes(data)
        return
    path = Path(output)
    refuse_source(path, {os.path.realpath(source)})
    with NewFile(path) as file:
        file.add(data)


# --- the table -----------------------------------------------------------------------------------


def _printed(comparison: Comparison) -> bytes:
    """The table in the encoding, the width and with the colours of standard output."""
    from rich.console import Console

    terminal = sys.stdout is not None and sys.stdout.isatty()
    encoding = (terminal and sys.stdout.encoding) or "utf-8"
    width = max(shutil.get_terminal_size(fallback=(100, 24)).columns, _NARROWEST)
    wide = sum(_widths(comparison)) + _GAP * len(comparison.methods) + _LEAST_TEXT <= width
    written = StringIO()
    console = Console(file=written, width=width, force_terminal=terminal, highlight=False)
    entries, left = comparison.entries(_MERGE_FROM, _MOST_ROWS)
    marks = _marks(encoding)
    if entries:
        console.print(_table(comparison, entries, marks, width=width, wide=wide))
    if left:
        console.print(f"{count(left, 'more block')}: --output FILE.html shows more.")
    if not wide or not entries:
        console.print(_figures(comparison))
    console.print("   ".join(f"{marks[state]} {word}" for state, word in _WORDS.items()))
    return written.getvalue().encode(encoding, "replace")


_WORDS = {State.KEPT: "kept", State.PARTLY: "kept in part", State.DROPPED: "dropped"}


def _marks(encoding: str) -> dict[State, str]:
    for kept, partly, dropped in ("●◐·", "#+."):
        try:
            (kept + partly + dropped).encode(encoding)
        except UnicodeEncodeError:
            continue
        return {State.KEPT: kept, State.PARTLY: partly, State.DROPPED: dropped}
    raise LookupError(encoding)  # pragma: no cover (ASCII is part of every terminal's encoding)


_STYLES = {State.KEPT: "green", State.PARTLY: "yellow", State.DROPPED: "dim"}


def _rows_of_figures(comparison: Comparison) -> list[tuple[str, list[str]]]:
    return [
        ("words kept", [f"{words:,}" for words in comparison.words]),
        ("share of words", [percent(share) for share in comparison.shares]),
        ("with the majority", [percent(share) for share in comparison.agreement]),
    ]


def _widths(comparison: Comparison) -> list[int]:
    """Columns that the name and the figures of each method take."""
    figures = [values for _, values in _rows_of_figures(comparison)]
    return [max(map(len, cells)) for cells in zip(comparison.methods, *figures, strict=True)]


def _letters(number: int) -> list[str]:
    """Short names for columns: a to z, A to Z, then numbers."""
    letters = string.ascii_letters
    return [letters[at] if at < len(letters) else str(at + 1) for at in range(number)]


def _table(
    comparison: Comparison,
    entries: list[Entry],
    marks: dict[State, str],
    *,
    width: int,
    wide: bool,
) -> Table:
    """Blocks as rows; with the figures at the end, or the marks in a row under letters."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    names = comparison.methods if wide else _letters(len(comparison.methods))
    widths = _widths(comparison) if wide else [len(name) for name in names]
    between = Text(" " * (wide or sum(widths) + len(widths) + _LITTLE_TEXT <= width))
    columns = widths if wide else [sum(widths) + len(between) * (len(widths) - 1)]
    text_width = width - sum(columns) - _GAP * len(columns)
    table.add_column("block", width=max(text_width, 1), no_wrap=True, overflow="ellipsis")
    for name, size in zip(names if wide else [between.plain.join(names)], columns, strict=True):
        table.add_column(Text(name), width=size, justify="center", no_wrap=True)
    for entry in entries:
        text = " ".join(printable(entry.text[:_MOST_TEXT]).split())
        if entry.blocks > 1:
            text = f"{entry.blocks:,} blocks: {text}"
        states = [
            Text(marks[state] if wide else marks[state].center(size), _STYLES[state])
            for state, size in zip(entry.states, widths, strict=True)
        ]
        cells = states if wide else [between.join(states)]
        table.add_row(Text(text, "" if any(entry.states) else "dim"), *cells)
    if wide:
        table.add_section()
        for label, values in _rows_of_figures(comparison):
            table.add_row(Text(label, "bold"), *values)
    return table


def _figures(comparison: Comparison) -> Table:
    """The figures with methods as rows: the key to the letters."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    rows = _rows_of_figures(comparison)
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("")
    table.add_column("method", overflow="fold")
    for label, _ in rows:
        table.add_column(label, justify="right")
    letters = _letters(len(comparison.methods))
    for cells in zip(letters, comparison.methods, *(values for _, values in rows), strict=True):
        table.add_row(*map(Text, cells))
    return table
