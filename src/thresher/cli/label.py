"""`thresher label`: make one labelled file of pages and the texts beside them."""

from __future__ import annotations

import os
from pathlib import Path

import click

from thresher.batch.atomic_file import NewFile
from thresher.batch.messages import Messages
from thresher.batch.sinks import refuse_source
from thresher.cli.evaluate import page_progress
from thresher.cli.options import examples
from thresher.errors import InputError

_EPILOG = examples(
    "thresher label examples --output labelled.jsonl",
    "thresher train default labelled.jsonl --base shipped --output mine.npz",
)

_LEAST_FOUND = 0.5  # of the words of a text: below it, page and text hardly belong together


@click.command("label", epilog=_EPILOG)
@click.argument("folder")
@click.option("--output", metavar="FILE", help="What to write; labelled.jsonl unless given.")
def command(folder: str, output: str | None) -> None:
    """Put the pages of FOLDER and their texts into one file, to train on.

    FOLDER holds NAME.html with the main content in NAME.txt beside it, in folders of sites or all
    in one. Pages without a text are passed over. FILE ends in .jsonl or .parquet.
    """
    from thresher.evaluate.corpora import size
    from thresher.evaluate.training.label_corpus import form_of, labelled, to_bytes

    place, target = Path(folder), Path(output or "labelled.jsonl")
    form = form_of(target)
    if place.is_dir():
        refuse_source(target, {os.path.realpath(path) for path in place.rglob("*")})
    messages = Messages(quiet=False)
    rows = []
    with page_progress([place], None) as advance:
        for row, found in labelled(place):
            if not row["text"].strip():
                messages.warn(f"{row['id']}: its text is empty; look whether the page is.")
            elif found < _LEAST_FOUND:
                share = f"{100 * found:.0f} %"
                messages.warn(f"{row['id']}: {share} of its text stands in the page; look at it.")
            rows.append(row)
            advance(1)
    alone = (size(place) or 0) - len(rows)
    if alone > 0:
        pages = "1 page has" if alone == 1 else f"{alone:,} pages have"
        messages.warn(f"{pages} no text: put NAME.txt beside NAME.html to have them too.")
    if not any(row["text"].strip() for row in rows):
        raise InputError(f"no page of {folder} has a text: there would be nothing to learn.")
    with NewFile(target) as file:
        file.add(to_bytes(rows, form))
    sites = len({row["site"] for row in rows if row["site"]})
    click.echo(f"{target} is written: pages {len(rows)}, sites {sites}.")
