"""`thresher plot`: the plots of the papers for one page."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import click

from thresher.batch.atomic_file import OutputError, write_file
from thresher.batch.file_names import FileNames
from thresher.batch.messages import Messages, printable
from thresher.batch.sources import ReadOptions, find_inputs
from thresher.cli.options import check_output, examples, read_one_page, read_options
from thresher.viewer.plots import What, image_format, picture, require_matplotlib

_EPILOG = examples(
    "thresher plot examples/demo.html --output demo.png",
    "thresher plot examples/demo.html --what slopes --output slopes.svg",
)


@click.command("plot", epilog=_EPILOG)
@click.argument("source", metavar="INPUT")
@click.option(
    "--what",
    type=click.Choice(get_args(What)),
    default="all",
    show_default=True,
    help="lines: text and tags of each line, for addanag. characters: the same by character set, "
    "for r2l and dana. filters: the same with each filter of links. tokens: the curve of tags, for "
    "bte. slopes: its windows, for dsc. blur: text around each character, for ccb. ratios: text "
    "for the tags of a line, for cetr. lengths: the lines of text, for density. density: text for "
    "each tag, for cetd.",
)
@click.option(
    "--output",
    metavar="PATH",
    help="The picture to write, as .png, .svg or .pdf. Named after the page, in the current "
    "folder, unless given.",
)
@read_options
def command(source: str, what: What, output: str | None, **options: Any) -> None:
    """Draw what the methods measure on one page.

    INPUT is a file, - for standard input, or an address that starts with http:// or https://. It
    needs matplotlib: pip install 'thresher[evaluate]'.
    """
    path = _default_path(source) if output is None else Path(output)
    form = image_format(path)
    require_matplotlib()
    check_output(path, [source])
    page = read_one_page(source, ReadOptions(**options))
    name = "standard input" if source == "-" else source
    write_file(path, picture(page, what, form=form, name=name))
    click.echo(printable(f"{path} is written."))


def _default_path(source: str) -> Path:
    """Return a name in the current folder after the page; raise if that file exists."""
    parts = find_inputs((source,), Messages())[0].parts
    path = Path(FileNames().new_path(parts[-1:], ".png"))
    if path.exists():
        raise OutputError(f"{path} exists: give --output {path} to replace it.")
    return path
