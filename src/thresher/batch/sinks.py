"""Where records are written: standard output, one file, or a folder with a file per input."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from thresher.batch.atomic_file import (
    AtomicFile,
    OutputError,
    make_folder,
    to_utf8,
    write_file,
    write_stdout,
)
from thresher.batch.file_names import FileNames
from thresher.batch.formats import Writer
from thresher.batch.messages import Messages, printable
from thresher.batch.sources import Input
from thresher.document import Document


class Sink(Protocol):
    """Writes documents, one call each."""

    def write(self, source: Input, document: Document) -> None:
        """Write the record of one document."""


@contextmanager
def open_sink(
    writer: Writer,
    output: Path | None,
    inputs: Iterable[Input],
    messages: Messages,
    *,
    folder: bool,
) -> Iterator[Sink]:
    """Open the sink for `output`: standard output if None; with `folder` a file per input."""
    real_inputs = {os.path.realpath(source.name) for source in inputs if source.kind == "file"}
    if output is None:
        screen = StandardOutput(writer)
        screen.write_text(writer.header)
        yield screen
    elif folder:
        make_folder(output)
        yield Folder(writer, output, real_inputs)
    else:
        refuse_overwrite(output, real_inputs)
        with AtomicFile(output) as file:
            file.write(to_utf8(writer.header))
            yield OneFile(writer, file, messages)


def refuse_overwrite(path: Path, real_inputs: set[str]) -> None:
    """Raise if `path` is one of the inputs, which are given as `os.path.realpath` returns them."""
    if os.path.realpath(path) in real_inputs:
        raise OutputError(f"{path} is an input: give another --output.")


class StandardOutput:
    """Writes UTF-8 to standard output; to a terminal, in its encoding without control characters.

    Texts are separated by an empty line; on a terminal each has the name of its input above it.
    """

    def __init__(self, writer: Writer) -> None:
        self.writer = writer
        self.written = 0  # records that are not empty
        self.terminal = sys.stdout is not None and sys.stdout.isatty()

    def write(self, source: Input, document: Document) -> None:
        """Write the record of one document."""
        text = self.writer(source, document)
        if self.writer.form in ("text", "markdown", "speech") and self.writer.several:
            if self.terminal:
                text = f"==> {source.name} <==\n\n{text}"
            if self.written and text:
                text = f"\n{text}"
        self.written += bool(text)
        self.write_text(text)

    def write_text(self, text: str) -> None:
        """Write a text in the encoding of standard output."""
        data = to_utf8(text)
        if self.terminal:
            data = printable(data.decode()).encode(sys.stdout.encoding or "utf-8", "replace")
        write_stdout(data)


class OneFile:
    """Writes all records to one file; if interrupted, the records so far are kept."""

    def __init__(self, writer: Writer, file: AtomicFile, messages: Messages) -> None:
        self.writer = writer
        self.file = file
        self.messages = messages

    def write(self, source: Input, document: Document) -> None:
        """Add the record of one document."""
        self.file.write(to_utf8(self.writer(source, document)))
        if self.writer.several:
            self.file.partial_messages = self.messages


class Folder:
    """Writes a file per input, in the tree of folders that the inputs have."""

    def __init__(self, writer: Writer, path: Path, real_inputs: set[str]) -> None:
        self.writer = writer
        self.path = path
        self.real_inputs = real_inputs
        self.names = FileNames()

    def write(self, source: Input, document: Document) -> None:
        """Write the file of one document."""
        path = self.path / self.names.new_path(source.parts, self.writer.extension)
        refuse_overwrite(path, self.real_inputs)
        write_file(path, to_utf8(self.writer(source, document)))
