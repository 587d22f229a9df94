"""`thresher extract`: the main content of files, folders, standard input and addresses."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from thresher.batch.formats import FORMS, Form, Writer
from thresher.batch.messages import Messages
from thresher.batch.sinks import Sink, open_sink
from thresher.batch.sources import Input, Reading, find, is_folder, load
from thresher.cli.options import Choice, check_reading, choice_options, examples, reading_options
from thresher.document import Document
from thresher.errors import InputError, UsageError
from thresher.render import Include

_EPILOG = examples(
    "thresher extract examples/demo.html",
    "thresher extract examples --format markdown --output build/texts",
    "curl -s https://example.org/ | thresher extract - --url https://example.org/",
)


@click.command("extract", epilog=_EPILOG)
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMS),
    default="text",
    show_default=True,
    help="How the content is written.",
)
@choice_options
@click.option(
    "--output",
    metavar="PATH",
    help="A file; for several inputs or a folder, a folder with a file for each input, or with csv "
    "and json one file. Standard output unless given.",
)
@click.option("--links/--no-links", default=True, help="Keep links, or only their text.")
@click.option("--images/--no-images", default=True, help="Keep images.")
@click.option("--tables/--no-tables", default=True, help="Keep tables.")
@click.option("--comments/--no-comments", default=True, help="Keep readers' comments.")
@reading_options
@click.option("--quiet", is_flag=True, help="No progress bar and no warnings; errors are told.")
def command(
    inputs: tuple[str, ...],
    form: Form,
    method: str | None,
    favor: Any,
    output: str | None,
    quiet: bool,
    **given: Any,
) -> int:
    """Extract the main content of web pages.

    INPUT is a file, a folder (all .html, .htm and .xhtml files below it), - for standard input, or
    an address that starts with http:// or https://.

    An input that cannot be read is reported and the others go on; the exit code is then 2.
    """
    messages = Messages(quiet)
    choice = Choice.of(method, favor)
    include = Include(**{part: given.pop(part) for part in Include.__dataclass_fields__})
    reading = Reading(**given)
    several = len(inputs) > 1 or is_folder(inputs[0])
    target = None if output is None or output == "-" else Path(output)
    as_folder = target is not None and _as_folder(str(output), form, several)
    found = find(inputs, messages, skip=target if as_folder else None)
    check_reading(reading, found, several)
    if several and target is None and form == "tei":
        raise UsageError("several TEI documents do not make one: give --output FOLDER.")
    writer = Writer(form, include, several and not as_folder, whole=target is not None)
    if found:
        with open_sink(writer, target, found, messages, folder=as_folder) as sink:
            job = Job(choice, reading, sink, messages)
            with _progress(found, shown=not quiet and _has_screen(target)) as sources:
                job.run(sources)
    return 2 if messages.failed else 0


def _as_folder(output: str, form: Form, several: bool) -> bool:
    """Whether outputs go into a folder: when there are several, or when PATH is one."""
    if several:
        return form not in ("csv", "json")
    return output.endswith("/") or is_folder(output)


@dataclass(frozen=True, slots=True)
class Job:
    """Reads, extracts and writes inputs one after the other."""

    choice: Choice
    reading: Reading
    sink: Sink
    messages: Messages

    def run(self, sources: Iterable[Input]) -> None:
        """Go through the inputs; a bad one is told and passed over."""
        for source in sources:
            try:
                document = self.choice.extract(load(source, self.reading))
            except InputError as error:
                self.messages.error(str(error))
                continue
            self.sink.put(source, document)
            self._warn(source, document)

    def _warn(self, source: Input, document: Document) -> None:
        if document.status == "complete":
            return
        name = "standard input" if source.kind == "stdin" else source.name
        self.messages.warn(f"{name}: {document.status}.")


def _has_screen(target: Path | None) -> bool:
    """Whether a bar can be seen: on a terminal, unless the documents are printed there."""
    prints = target is None and sys.stdout is not None and sys.stdout.isatty()
    return sys.stderr is not None and sys.stderr.isatty() and not prints


@contextmanager
def _progress(sources: list[Input], *, shown: bool) -> Iterator[Iterable[Input]]:
    """Count the inputs that are done."""
    if not shown or len(sources) < 2:
        yield sources
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        yield progress.track(sources)
