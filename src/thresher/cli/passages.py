"""`thresher passages`: the main content in pieces for search, as JSON Lines."""

from __future__ import annotations

import json
from typing import Any

import click

from thresher.batch.messages import Messages
from thresher.batch.sources import Input, ReadOptions, find_inputs
from thresher.cli.options import (
    check_read_options,
    examples,
    glob_option,
    method_options,
    open_output,
    read_options,
    read_pages,
    selected_method,
    warn_of_status,
)
from thresher.document import Document, extract
from thresher.structure.passages import check_lengths

_EPILOG = examples(
    "thresher passages examples/demo.html --words 100",
    "thresher passages examples --output build/passages.jsonl",
)


@click.command("passages", epilog=_EPILOG)
@click.argument("sources", metavar="INPUT...", nargs=-1, required=True)
@click.option(
    "--words",
    type=click.IntRange(min=1),
    default=200,
    show_default=True,
    help="How many words a passage has at most, if its sentences, tables and code allow it.",
)
@click.option(
    "--overlap",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Begin each passage with up to this many words of the one before it.",
)
@method_options
@click.option("--output", metavar="FILE", help="The file to write. Standard output unless given.")
@glob_option
@read_options
@click.option("--quiet", is_flag=True, help="Show errors only, no warnings.")
def command(
    sources: tuple[str, ...],
    words: int,
    overlap: int,
    method: str | None,
    favor: Any,
    output: str | None,
    globs: tuple[str, ...],
    quiet: bool,
    **options: Any,
) -> int:
    """Divide the main content of pages into passages for search.

    Passages (chunks) are what retrieval and question answering work on. A passage has whole
    sentences, tables and blocks of code of one section. It is written as one line of JSON with its
    text, the headings above it and where it begins and ends in the source.

    INPUT is a file, a folder, - for standard input, or an address that starts with http:// or
    https://. An input that cannot be read is reported and the others go on; the exit code is then
    2.
    """
    check_lengths(words, overlap)
    messages, reading = Messages(quiet), ReadOptions(**options)
    selected = selected_method(method, favor)
    inputs = find_inputs(sources, messages, globs=globs)
    check_read_options(reading, inputs, several=len(inputs) > 1)
    with open_output(output, inputs, messages) as write:
        for source, page in read_pages(inputs, reading, messages):
            document = extract(page, method=selected)
            write(_json_lines(source, document, words, overlap))
            warn_of_status(source, document.status, messages)
    return 2 if messages.failed else 0


def _json_lines(source: Input, document: Document, words: int, overlap: int) -> str:
    """Return one line for each passage."""
    page = {
        "input": source.name,
        "url": document.url,
        "title": document.title,
        "date": document.date,
    }
    records = (page | passage.to_dict() for passage in document.passages(words, overlap=overlap))
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
