"""`thresher explain`: an HTML page that shows what is kept and what is dropped."""

from __future__ import annotations

import sys
from typing import Any

import click

from thresher.batch.sources import ReadOptions
from thresher.cli.options import (
    examples,
    method_options,
    output_path,
    read_one_page,
    read_options,
    selected_method,
    write_output,
)
from thresher.document import extract
from thresher.errors import UsageError
from thresher.viewer.explain import explain

_EPILOG = examples(
    "thresher explain examples/demo.html --output explained.html",
    "thresher explain examples/demo.html --method cetd > explained.html",
)


@click.command("explain", epilog=_EPILOG)
@click.argument("source", metavar="INPUT")
@method_options
@click.option(
    "--output", metavar="PATH", help="The HTML file to write. Standard output unless given."
)
@read_options
def command(
    source: str, method: str | None, favor: Any, output: str | None, **options: Any
) -> None:
    """Show what is kept and what is dropped, as an HTML page.

    INPUT is a file, - for standard input, or an address that starts with http:// or https://.
    """
    selected = selected_method(method, favor)
    target = output_path(output, source)
    if target is None and sys.stdout is not None and sys.stdout.isatty():
        raise UsageError("the page is for a browser: give --output FILE, or redirect the output.")
    page = read_one_page(source, ReadOptions(**options))
    write_output(target, explain(extract(page, method=selected)))
