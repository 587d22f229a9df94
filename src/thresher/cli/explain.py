"""`thresher explain`: a page to look at that shows what was kept and what was dropped."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import click

from thresher.batch.atomic_file import NewFile, encoded, print_bytes
from thresher.batch.sinks import refuse_source
from thresher.batch.sources import Reading
from thresher.cli.options import Choice, choice_options, examples, load_one, reading_options
from thresher.errors import UsageError
from thresher.viewer.explain import explain

_EPILOG = examples(
    "thresher explain examples/demo.html --output explained.html",
    "thresher explain examples/demo.html --method cetd > explained.html",
)


@click.command("explain", epilog=_EPILOG)
@click.argument("source", metavar="INPUT")
@choice_options
@click.option(
    "--output", metavar="PATH", help="The HTML file to write. Standard output unless given."
)
@reading_options
def command(source: str, method: str | None, favor: Any, output: str | None, **given: Any) -> None:
    """Show what is kept and what is dropped, as an HTML page.

    INPUT is a file, - for standard input, or an address that starts with http:// or https://.
    """
    choice, reading = Choice.of(method, favor), Reading(**given)
    to_screen = output in (None, "-")
    if to_screen and sys.stdout is not None and sys.stdout.isatty():
        raise UsageError("the page is for a browser: give --output FILE, or redirect the output.")
    page = encoded(explain(choice.extract(load_one(source, reading))))
    if to_screen:
        print_bytes(page)
        return
    path = Path(str(output))
    refuse_source(path, {os.path.realpath(source)})
    with NewFile(path) as file:
        file.add(page)
