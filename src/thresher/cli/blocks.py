"""`thresher blocks`: the blocks of a page in order of relevance, or its menus."""

from __future__ import annotations

from typing import Any

import click

from thresher.batch.messages import Messages, printable
from thresher.batch.sources import ReadOptions
from thresher.cli.options import examples, read_one_page, read_options
from thresher.methods.wlr.ranking import blocks, menus

_EPILOG = examples(
    "thresher blocks examples/demo.html --most 3", "thresher blocks examples/demo.html --menus"
)
_MAX_CHARS = 70  # of each block's text


@click.command("blocks", epilog=_EPILOG)
@click.argument("source", metavar="INPUT")
@click.option(
    "--most",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    help="List at most this many.",
)
@click.option("--menus", "list_menus", is_flag=True, help="List the menus, in document order.")
@read_options
def command(source: str, most: int, list_menus: bool, **options: Any) -> None:
    """List the blocks of a page, the most relevant first.

    They are ranked by the words/leaves ratio. INPUT is a file, - for standard input, or an address
    that starts with http:// or https://. Each block has a line with its number of words and its
    place in the tree, and one with its first words.
    """
    page = read_one_page(source, ReadOptions(**options))
    parts = menus(page)[:most] if list_menus else blocks(page, most=most)
    problems = [] if page.status == "complete" else [page.status]
    if not parts and not page.status.endswith("empty"):
        problems.append("no menus found" if list_menus else "no blocks found")
    if problems:
        name = "standard input" if source == "-" else source
        Messages().warn(f"{name}: {'; '.join(problems)}.")
    for number, part in enumerate(parts, 1):
        text = " ".join(part.selection.text().split())
        if len(text) > _MAX_CHARS:
            text = f"{text[: _MAX_CHARS - 4].rstrip()} ..."
        words = part.selection.words
        size = "1 word" if words == 1 else f"{words} words"
        click.echo(printable(f"{number}. {size}, {page.css_path(part.row)}\n   {text}"))
