"""`thresher threads`: the posts of weblogs and forums by year, or each post as a line of JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Literal, TypeAlias, get_args

import click

from thresher.batch.messages import Messages
from thresher.batch.sources import Input, ReadOptions, find_inputs
from thresher.cli.options import (
    check_read_options,
    examples,
    glob_option,
    open_output,
    read_options,
    read_pages,
    warn_of_status,
)
from thresher.document import Document, extract
from thresher.structure.threads.weblog import WeblogPost, merged, per_year, summary

Form: TypeAlias = Literal["table", "json", "jsonl"]

_EPILOG = examples(
    "thresher threads examples/demo.html",
    "thresher threads examples --format json",
    "thresher threads examples --format jsonl --output build/posts.jsonl",
)


@click.command("threads", epilog=_EPILOG)
@click.argument("sources", metavar="INPUT...", nargs=-1, required=True)
@click.option(
    "--format",
    "form",
    type=click.Choice(get_args(Form)),
    default="table",
    show_default=True,
    help="A table with a row for each year, JSON with the posts too, or a line of JSON with the "
    "text of each post and comment.",
)
@click.option("--output", metavar="FILE", help="The file to write. Standard output unless given.")
@glob_option
@read_options
@click.option("--quiet", is_flag=True, help="Show errors only, no warnings.")
def command(
    sources: tuple[str, ...],
    form: Form,
    output: str | None,
    globs: tuple[str, ...],
    quiet: bool,
    **options: Any,
) -> int:
    """Count the posts of weblogs and forums by year, and comments.

    A post that is on several pages is counted once; the lines of jsonl are written for each page.

    INPUT is a file, a folder, - for standard input, or an address that starts with http:// or
    https://. An input that cannot be read is reported and the others go on; the exit code is then
    2.
    """
    messages, reading = Messages(quiet), ReadOptions(**options)
    inputs = find_inputs(sources, messages, globs=globs)
    check_read_options(reading, inputs, several=len(inputs) > 1)
    posts: list[WeblogPost] = []
    read = written = 0
    with open_output(output, inputs, messages) as write:
        for source, page in read_pages(inputs, reading, messages):
            read += 1
            document = extract(page)
            if form == "jsonl":
                records = document.threads.post_dicts(page)
                write(_json_lines(source, document, records))
                written += len(records)
            else:
                posts += document.weblog_posts
            warn_of_status(source, page.status, messages)
        posts = merged(posts)
        if form != "jsonl":
            write(_json(posts) if form == "json" else _table(posts))
    if read and not posts and not written:
        messages.warn("no posts found.")
    return 2 if messages.failed else 0


def _json_lines(source: Input, document: Document, posts: Sequence[dict[str, Any]]) -> str:
    """Return one line for each post of a page."""
    page = {"input": source.name, "url": document.url, "title": document.title}
    return "".join(json.dumps(page | post, ensure_ascii=False) + "\n" for post in posts)


def _json(posts: Sequence[WeblogPost]) -> str:
    """Return the years and the posts."""
    return json.dumps(summary(posts), ensure_ascii=False, indent=2) + "\n"


def _table(posts: Sequence[WeblogPost]) -> str:
    """Return a table with one row for each year; "" without posts."""
    years = per_year(posts)
    if not years:
        return ""
    columns = list(next(iter(years.values())))
    lines = [["year", *columns]]
    lines += [[year, *(str(counts[name]) for name in columns)] for year, counts in years.items()]
    sizes = [max(map(len, column)) for column in zip(*lines, strict=True)]
    rows = ("  ".join(map(str.rjust, line, sizes)) for line in lines)
    return "".join(f"{row}\n" for row in rows)
