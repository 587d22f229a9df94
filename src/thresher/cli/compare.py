"""`thresher compare`: methods side by side on one page, in the terminal or as HTML.

In the terminal, columns are named after the methods if these fit the width; otherwise letters
stand for them, and a second table explains the letters.
"""

from __future__ import annotations

import shutil
import string
import sys
from io import StringIO
from typing import TYPE_CHECKING, Any

import click

from thresher.batch.atomic_file import write_stdout
from thresher.batch.messages import printable
from thresher.batch.sources import ReadOptions
from thresher.cli.options import (
    examples,
    methods_option,
    output_path,
    read_method,
    read_one_page,
    read_options,
    write_output,
)
from thresher.viewer.compare import Comparison, Entry, State, compare, comparison_page, percent
from thresher.viewer.page_shell import count

if TYPE_CHECKING:
    from rich.table import Table

_EPILOG = examples(
    "thresher compare examples/demo.html",
    "thresher compare examples/demo.html -m bte -m cetd",
    "thresher compare examples/demo.html --output compared.html",
)
_MERGE_FROM = 200  # blocks; above, neighbours with equal states share a row
_MAX_ROWS = 1_000
_MIN_TEXT = 24  # columns left for the text, or letters stand for the names of methods
_MIN_TEXT_SPACED = 16  # columns left for the text, or marks have no spaces between them
_MIN_WIDTH = 40
_GAP = 2  # columns between methods
_MAX_CHARS = 200  # of a text, before the table cuts it further
_STATE_NAMES = {State.KEPT: "kept", State.PARTLY: "kept in part", State.DROPPED: "dropped"}
_STYLES = {State.KEPT: "green", State.PARTLY: "yellow", State.DROPPED: "dim"}
_MARKS = ("●◐·", "#+.")  # kept, partly, dropped; the second for terminals without Unicode


@click.command("compare", epilog=_EPILOG)
@click.argument("source", metavar="INPUT")
@methods_option(
    "A method to compare, such as bte or 'cetd(threshold=\"body\")'; repeat it for more. "
    "All methods unless given."
)
@click.option(
    "--output", metavar="PATH", help="The HTML file to write. A table on the terminal unless given."
)
@read_options
def command(source: str, expressions: tuple[str, ...], output: str | None, **options: Any) -> None:
    """Show what each method keeps of one page, side by side.

    INPUT is a file, - for standard input, or an address that starts with http:// or https://.
    """
    methods = [read_method(expression) for expression in expressions]
    target = output_path(output, source)
    comparison = compare(read_one_page(source, ReadOptions(**options)), methods)
    if output is not None:
        write_output(target, comparison_page(comparison))
        return
    terminal = sys.stdout is not None and sys.stdout.isatty()
    encoding = (terminal and sys.stdout.encoding) or "utf-8"
    width = shutil.get_terminal_size(fallback=(100, 24)).columns
    table = comparison_table(comparison, width, encoding=encoding, color=terminal)
    write_stdout(table.encode(encoding, "replace"))


# --- the table -----------------------------------------------------------------------------------


def comparison_table(comparison: Comparison, width: int, *, encoding: str, color: bool) -> str:
    """Return the table for a terminal of this width and encoding."""
    from rich.console import Console

    width = max(width, _MIN_WIDTH)
    named = sum(_widths(comparison)) + _GAP * len(comparison.methods) + _MIN_TEXT <= width
    written = StringIO()
    console = Console(file=written, width=width, force_terminal=color, highlight=False)
    entries, left = comparison.entries(_MERGE_FROM, _MAX_ROWS)
    marks = _marks(encoding)
    if entries:
        console.print(_block_table(comparison, entries, marks, width=width, named=named))
    if left:
        console.print(f"{count(left, 'more block')}: --output FILE.html shows more.")
    if not named or not entries:
        console.print(_method_table(comparison))
    console.print("   ".join(f"{marks[state]} {name}" for state, name in _STATE_NAMES.items()))
    return written.getvalue()


def _marks(encoding: str) -> dict[State, str]:
    """Return the marks of the states, in ASCII if the encoding lacks the others."""
    try:
        _MARKS[0].encode(encoding)
    except UnicodeEncodeError:
        return dict(zip(_STATE_NAMES, _MARKS[1], strict=True))
    return dict(zip(_STATE_NAMES, _MARKS[0], strict=True))


def _figures(comparison: Comparison) -> dict[str, list[str]]:
    """Return the figures of each method, by the name of the figure."""
    return {
        "words kept": [f"{words:,}" for words in comparison.words],
        "share of words": [percent(share) for share in comparison.shares],
        "with the majority": [percent(share) for share in comparison.agreement],
    }


def _widths(comparison: Comparison) -> list[int]:
    """Return the columns that the name and the figures of each method take."""
    cells = zip(comparison.methods, *_figures(comparison).values(), strict=True)
    return [max(map(len, of_method)) for of_method in cells]


def _letters(number: int) -> list[str]:
    """Return short names: a to z, A to Z, then numbers."""
    letters = string.ascii_letters
    return [letters[at] if at < len(letters) else str(at + 1) for at in range(number)]


def _empty_table() -> Table:
    from rich import box
    from rich.table import Table

    return Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))


def _block_table(
    comparison: Comparison,
    entries: list[Entry],
    marks: dict[State, str],
    *,
    width: int,
    named: bool,
) -> Table:
    """Return a table with a row per block; if `named`, the figures of the methods at the end."""
    from rich.text import Text

    table = _empty_table()
    names = comparison.methods if named else _letters(len(comparison.methods))
    widths = _widths(comparison) if named else [len(name) for name in names]
    spaced = named or sum(widths) + len(widths) + _MIN_TEXT_SPACED <= width
    between = Text(" " * spaced)
    columns = widths if named else [sum(widths) + len(between) * (len(widths) - 1)]
    text_width = width - sum(columns) - _GAP * len(columns)
    table.add_column("block", width=max(text_width, 1), no_wrap=True, overflow="ellipsis")
    for name, size in zip(names if named else [between.plain.join(names)], columns, strict=True):
        table.add_column(Text(name), width=size, justify="center", no_wrap=True)
    for entry in entries:
        text = " ".join(printable(entry.text[:_MAX_CHARS]).split())
        if entry.blocks > 1:
            text = f"{entry.blocks:,} blocks: {text}"
        states = [
            Text(marks[state] if named else marks[state].center(size), _STYLES[state])
            for state, size in zip(entry.states, widths, strict=True)
        ]
        cells = states if named else [between.join(states)]
        table.add_row(Text(text, "" if any(entry.states) else "dim"), *cells)
    if named:
        table.add_section()
        for label, values in _figures(comparison).items():
            table.add_row(Text(label, "bold"), *values)
    return table


def _method_table(comparison: Comparison) -> Table:
    """Return a table with a row per method: its letter, its name and its figures."""
    from rich.text import Text

    figures = _figures(comparison)
    table = _empty_table()
    table.add_column("")
    table.add_column("method", overflow="fold")
    for label in figures:
        table.add_column(label, justify="right")
    letters = _letters(len(comparison.methods))
    for cells in zip(letters, comparison.methods, *figures.values(), strict=True):
        table.add_row(*map(Text, cells))
    return table
