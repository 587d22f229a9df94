"""`thresher plot`: the papers' own pictures for one page."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, get_args

import click

from thresher.batch.atomic_file import NewFile, OutputError
from thresher.batch.file_names import Names
from thresher.batch.messages import Messages, printable
from thresher.batch.sinks import refuse_source
from thresher.batch.sources import Reading, find
from thresher.cli.options import examples, load_one, reading_options
from thresher.errors import UsageError
from thresher.viewer.plots import FORMATS, What, need_matplotlib, picture

_EPILOG = examples(
    "thresher plot examples/demo.html --output demo.png",
    "thresher plot examples/demo.html --what density --output density.svg",
)


@click.command("plot", epilog=_EPILOG)
@click.argument("source", metavar="INPUT")
@click.option(
    "--what",
    type=click.Choice(get_args(What)),
    default="all",
    show_default=True,
    help="lines: text and tags of each line, for addanag. tokens: the curve of tags, for bte. "
    "density: text for each tag, for cetd.",
)
@click.option(
    "--output",
    metavar="PATH",
    help="The picture to write, as .png, .svg or .pdf. Named after the page, in the current "
    "folder, unless given.",
)
@reading_options
def command(source: str, what: What, output: str | None, **given: Any) -> None:
    """Draw how the methods see one page.

    INPUT is a file, - for standard input, or an address that starts with http:// or https://. It
    needs matplotlib, which pip install 'thresher[evaluate]' brings.
    """
    path = _default(source) if output is None else Path(output)
    form = path.suffix.lower().removeprefix(".")
    if form not in FORMATS:
        raise UsageError(f"{path} is no name for a picture: end it in .png, .svg or .pdf.")
    need_matplotlib()
    refuse_source(path, {os.path.realpath(source)})
    page = load_one(source, Reading(**given))
    data = picture(page, what, form=form, name=_name(source))
    with NewFile(path) as file:
        file.add(data)
    click.echo(printable(f"{path} is written."))


def _default(source: str) -> Path:
    """The name of a new file here; what has that name already is not ours to replace."""
    (found, *_) = find((source,), Messages(quiet=False))
    path = Path(Names().file(found.parts[-1:], ".png"))
    if path.exists():
        raise OutputError(f"{path} exists: give --output {path} to replace it.")
    return path


def _name(source: str) -> str:
    return "standard input" if source == "-" else source
