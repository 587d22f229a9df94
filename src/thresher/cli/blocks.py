"""`thresher blocks`: the blocks of a page in order of relevance, or its menus."""

from __future__ import annotations

from typing import Any

import click

from thresher.batch.messages import printable
from thresher.batch.sources import Reading
from thresher.cli.options import examples, load_one, reading_options
from thresher.methods.wlr.ranking import Part, blocks, menus
from thresher.page import Page

_EPILOG = examples(
    "thresher blocks examples/demo.html --most 3",
    "thresher blocks examples/demo.html --menus",
)
_MOST_TEXT = 70  # characters of each block that are shown


@click.command("blocks", epilog=_EPILOG)
@click.argument("source", metavar="INPUT")
@click.option(
    "--most",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    help="List at most so many.",
)
@click.option("--menus", "of_links", is_flag=True, help="The menus instead, in document order.")
@reading_options
def command(source: str, most: int, of_links: bool, **given: Any) -> None:
    """List the blocks of a page, the most relevant first, as the words/leaves ratio finds them.

    INPUT is a file, - for standard input, or an address that starts with http:// or https://. Each
    block has a line with its number of words and its place in the tree, and one with how it begins.
    """
    page = load_one(source, Reading(**given))
    found = menus(page)[:most] if of_links else blocks(page, most=most)
    for number, part in enumerate(found, 1):
        click.echo(printable(_entry(page, number, part)))


def _entry(page: Page, number: int, part: Part) -> str:
    selection = part.selection
    words, text = selection.words, " ".join(selection.text().split())
    begin = text if len(text) <= _MOST_TEXT else f"{text[: _MOST_TEXT - 4].rstrip()} ..."
    unit = "word" if words == 1 else "words"
    return f"{number}. {words} {unit}, {page.css_path(part.row)}\n   {begin}"
