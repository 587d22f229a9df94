"""`thresher flow`: the tag sequence of a page with its region codes, and its parts."""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict, replace
from typing import Any, Literal

import click

from thresher.batch.messages import printable
from thresher.batch.sources import ReadOptions
from thresher.cli.options import examples, read_one_page, read_options, write_output
from thresher.errors import UsageError
from thresher.render.csv_text import csv_line, disarmed
from thresher.site.matching import FlowLine, flow_table

_EPILOG = examples(
    "thresher flow examples/demo.html",
    "thresher flow examples/demo.html --with examples/demo.html --tables --format csv",
)
_MIN_CONTENT = 20  # columns of the terminal that the content gets, however long the rest is
_MAX_CHARS = 2_000  # of a row's content in the table; no terminal is wider


@click.command("flow", epilog=_EPILOG)
@click.argument("source", metavar="INPUT")
@click.option("--tables", is_flag=True, help="Let <table> and <tr> make rows too.")
@click.option(
    "--with",
    "other",
    metavar="OTHER",
    help="Another page of the same site, read as INPUT is: adds the part of each row, which is "
    "common, regular, content, or hidden.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "json", "csv"]),
    default="table",
    show_default=True,
    help="A table, in which the content is cut at the width of the terminal, or all of it as JSON "
    "or CSV.",
)
@read_options
def command(
    source: str,
    tables: bool,
    other: str | None,
    form: Literal["table", "json", "csv"],
    **options: Any,
) -> None:
    """List the elements of a page that break the text flow.

    INPUT is a file, - for standard input, or an address that starts with http:// or https://. Each
    row is an element: its index and name, its region codes (begin, end, parent, level), and the
    inner tags and text that it holds. The root is row 0.
    """
    reading = ReadOptions(**options)
    if source == other == "-":
        raise UsageError("standard input can be read once: give - once.")
    page = read_one_page(source, reading)
    reference = None if other is None else read_one_page(other, replace(reading, url=None))
    lines = flow_table(page, tables=tables, reference=reference)
    write = {"table": _table, "json": _json, "csv": _csv}[form]
    write_output(None, write(lines, with_part=reference is not None))


def _record(line: FlowLine, with_part: bool) -> dict[str, Any]:
    """Return the columns of a row by name; the part is left out without another page."""
    record = asdict(line)
    if not with_part:
        del record["part"]
    return record


def _json(lines: list[FlowLine], with_part: bool) -> str:
    """Return a list of objects, each on a line."""
    records = (json.dumps(_record(line, with_part), ensure_ascii=False) for line in lines)
    written = ",\n".join(records)
    return f"[\n{written}\n]\n" if lines else "[]\n"


def _csv(lines: list[FlowLine], with_part: bool) -> str:
    """Return a header and one record per row."""
    columns = [name for name in FlowLine.__slots__ if with_part or name != "part"]
    records = ([disarmed(str(getattr(line, name))) for name in columns] for line in lines)
    return "".join(map(csv_line, [columns, *records]))


def _table(lines: list[FlowLine], with_part: bool) -> str:
    """Return a table as wide as the terminal, the content cut."""
    from rich.cells import cell_len, set_cell_size

    titles = ["row", "name", "(begin, end, parent, level)", *(["part"] if with_part else [])]
    cells = [
        [
            str(line.index),
            line.name,
            f"({line.begin}, {line.end}, {line.parent}, {line.level})",
            *([line.part] if with_part else []),
        ]
        for line in lines
    ]
    sizes = [max(map(len, column)) for column in zip(titles, *cells, strict=True)]
    width = shutil.get_terminal_size(fallback=(100, 24)).columns
    left = max(width - sum(sizes) - 2 * len(sizes), _MIN_CONTENT)
    contents = ["content", *(printable(line.content[:_MAX_CHARS]) for line in lines)]
    written = []
    for (index, *others), content in zip([titles, *cells], contents, strict=True):
        padded = [index.rjust(sizes[0]), *map(str.ljust, others, sizes[1:])]
        if cell_len(content) > left:
            content = f"{set_cell_size(content, left - 3).rstrip()}..."
        written.append("  ".join([*padded, content]).rstrip())
    return "".join(f"{line}\n" for line in written)
