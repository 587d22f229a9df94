"""`thresher blocks`: the blocks of a page in order of relevance or in two lists, or its menus."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import click

from thresher.batch.messages import Messages, printable
from thresher.batch.sources import ReadOptions
from thresher.cli.options import examples, read_method, read_one_page, read_options
from thresher.errors import UsageError
from thresher.methods.blockextractor import Block, BlockExtractor
from thresher.methods.wlr.ranking import blocks, menus
from thresher.methods.wlr.ratios import RatioMethod
from thresher.page import Page, Selection
from thresher.page.words import collapsed

_EPILOG = examples(
    "thresher blocks examples/demo.html --most 3",
    "thresher blocks examples/demo.html --method 'blockextractor(threshold=1)'",
    "thresher blocks examples/demo.html --menus",
)
_MAX_CHARS = 70  # of each block's text


@click.command("blocks", epilog=_EPILOG)
@click.argument("source", metavar="INPUT")
@click.option(
    "-m",
    "--method",
    "expression",
    metavar="EXPR",
    help="wlr (the default), clr, wnr or cnr: rank the blocks. blockextractor: list the blocks of "
    "content and those of noise.",
)
@click.option(
    "--most",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    help="List at most this many, of each list.",
)
@click.option("--menus", "list_menus", is_flag=True, help="List the menus, in document order.")
@read_options
def command(
    source: str, expression: str | None, most: int, list_menus: bool, **options: Any
) -> None:
    """List the blocks of a page by relevance, or content and noise.

    They are ranked by the words/leaves ratio, unless --method names another one. INPUT is a file, -
    for standard input, or an address that starts with http:// or https://. Each block has a line
    with its number of words, where its text begins and ends in the source (line:column) and its
    place in the tree, and one with its first words.
    """
    method = _block_method(expression, list_menus)
    page = read_one_page(source, ReadOptions(**options))
    if isinstance(method, BlockExtractor):
        content, noise = method.block_lists(page)
        _warn(page, source, "" if content or noise else "no blocks found")
        if content or noise:
            _print_list("Content", content, most)
            _print_list("Noise", noise, most)
        return
    parts = menus(page)[:most] if list_menus else blocks(page, method=method, most=most)
    nothing = "no menus found" if list_menus else "no blocks found"
    _warn(page, source, "" if parts else nothing)
    _print_blocks(page, ((part.row, part.selection, _size(part.selection)) for part in parts))


def _block_method(expression: str | None, list_menus: bool) -> BlockExtractor | RatioMethod:
    """Return the method of `--method`."""
    if list_menus and expression is not None:
        raise UsageError("--menus finds menus by their links: leave --method out.")
    method = read_method("wlr" if expression is None else expression)
    if isinstance(method, (BlockExtractor, RatioMethod)):
        return method
    raise UsageError(
        f"--method {expression} gives no blocks: give wlr, clr, wnr, cnr or blockextractor."
    )


def _warn(page: Page, source: str, problem: str) -> None:
    """Print a warning if a page is not complete or has a problem."""
    problems = [] if page.status == "complete" else [page.status]
    if problem and not page.status.endswith("empty"):
        problems.append(problem)
    if problems:
        name = "standard input" if source == "-" else source
        Messages().warn(f"{name}: {'; '.join(problems)}.")


def _print_list(title: str, found: Sequence[Block], most: int) -> None:
    """Print the blocks of BlockExtractor that are content, or those that are noise."""
    count = "1 block" if len(found) == 1 else f"{len(found):,} blocks"
    click.echo(f"{title}: {count}{f', the first {most:,}' if len(found) > most else ''}")
    shown = []
    for block in found[:most]:
        text = block.kept if len(block.kept_rows) else block.dropped
        size = _size(text)
        if len(block.kept_rows) and len(block.dropped_rows):
            size += f" ({_size(block.dropped)} left out)"
        shown.append((block.row, text, f"{size}, density {block.density:.2f}"))
    if found:
        _print_blocks(found[0].page, shown)


def _print_blocks(page: Page, shown: Iterable[tuple[int, Selection, str]]) -> None:
    """Print two lines for each block: its size and places, and its first words."""
    for number, (row, selection, size) in enumerate(shown, 1):
        text = collapsed(selection.text())
        if len(text) > _MAX_CHARS:
            text = f"{text[: _MAX_CHARS - 4].rstrip()} ..."
        place = f"{_extent(selection)}, {page.css_path(row)}"
        click.echo(printable(f"{number}. {size}, {place}\n   {text}"))


def _extent(selection: Selection) -> str:
    """Return where the text of a selection begins and ends in the source."""
    page = selection.page
    solid = selection.rows[page.chars[selection.rows] > 0]
    begin = page.position(int(solid[0]))
    end = page.ends(solid[:1], solid[-1:])[0]
    return f"{begin.line}:{begin.column}-{end.line}:{end.column}"


def _size(selection: Selection) -> str:
    return "1 word" if selection.words == 1 else f"{selection.words} words"
