"""`thresher label`: put pages and their gold texts into one labelled file."""

from __future__ import annotations

from pathlib import Path

import click

from thresher.batch.atomic_file import write_file
from thresher.batch.messages import Messages
from thresher.cli.options import check_output, examples
from thresher.cli.progress import corpus_progress
from thresher.errors import InputError

_EPILOG = examples(
    "thresher label examples --output labelled.jsonl",
    "thresher train default labelled.jsonl --base shipped --output mine.npz",
)

_MIN_FOUND = 0.5  # share of a text's words in its page; below it the two hardly belong together


@click.command("label", epilog=_EPILOG)
@click.argument("folder")
@click.option("--output", metavar="FILE", help="The file to write; labelled.jsonl unless given.")
def command(folder: str, output: str | None) -> None:
    """Put the pages of FOLDER and their texts into one file.

    thresher train reads it. FOLDER holds NAME.html with the main content in NAME.txt beside it, in
    folders of sites or all in one. Pages without a text are left out. FILE ends in .jsonl or
    .parquet.
    """
    from thresher.evaluate.corpora import page_count
    from thresher.evaluate.training.label_corpus import check_suffix, labelled_pages, to_bytes

    place, target = Path(folder), Path(output or "labelled.jsonl")
    check_suffix(target)
    check_output(target, place.rglob("*") if place.is_dir() else [])
    messages = Messages()
    rows = []
    with corpus_progress([place], None) as advance:
        for row, found in labelled_pages(place):
            if not row["text"].strip():
                messages.warn(f"{row['id']}: its text is empty; check whether the page is, too.")
            elif found < _MIN_FOUND:
                share = f"{100 * found:.0f} %"
                messages.warn(f"{row['id']}: only {share} of its text is in the page; check it.")
            rows.append(row)
            advance(1)
    unlabelled = (page_count(place) or 0) - len(rows)
    if unlabelled > 0:
        pages = "1 page has" if unlabelled == 1 else f"{unlabelled:,} pages have"
        messages.warn(f"{pages} no text: put NAME.txt beside NAME.html to include them.")
    if not any(row["text"].strip() for row in rows):
        raise InputError(f"no page of {folder} has a text: there would be nothing to learn.")
    write_file(target, to_bytes(rows, target.suffix))
    sites = len({row["site"] for row in rows if row["site"]})
    click.echo(f"{target} is written: pages {len(rows)}, sites {sites}.")
