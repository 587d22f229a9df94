"""Where records go: the screen, one file, or a folder with a file for each input."""

from __future__ import annotations

import os
import sys
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType
from typing import Protocol

from thresher.batch.atomic_file import NewFile, OutputError, encoded, make_folder, print_bytes
from thresher.batch.file_names import Names
from thresher.batch.formats import EXTENSIONS, Writer
from thresher.batch.messages import Messages, printable
from thresher.batch.sources import Input
from thresher.document import Document


class Sink(AbstractContextManager["Sink"], Protocol):
    """Takes documents one after the other."""

    def put(self, source: Input, document: Document) -> None:
        """Write one document, all of it."""
        ...


def open_sink(
    writer: Writer, output: Path | None, inputs: list[Input], messages: Messages, *, folder: bool
) -> Sink:
    """Choose the sink for an output; `folder`: a file for each input."""
    if output is None:
        return Screen(writer)
    sources = {os.path.realpath(source.name) for source in inputs if source.kind == "file"}
    if folder:
        return Folder(writer, output, sources)
    refuse_source(output, sources)
    return OneFile(writer, output, messages)


def refuse_source(path: Path, sources: set[str]) -> None:
    """Never write over what is still to be read."""
    if os.path.realpath(path) in sources:
        raise OutputError(f"{path} is an input: give another --output.")


class Screen(Sink):
    """Standard output: UTF-8, or what the terminal can show."""

    def __init__(self, writer: Writer) -> None:
        self.writer = writer
        self.count = 0
        self.terminal = sys.stdout is not None and sys.stdout.isatty()

    def __enter__(self) -> Screen:
        """Write what stands before all records."""
        self._write(self.writer.header)
        return self

    def __exit__(
        self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None
    ) -> None:
        """Leave the stream open: it is not ours."""

    def put(self, source: Input, document: Document) -> None:
        """Print a document; among several on a terminal, below its name."""
        text = self.writer(source, document)
        if self.writer.form in ("text", "markdown") and self.writer.several:
            if self.terminal:
                text = f"==> {source.name} <==\n\n{text}"
            if self.count and text:
                text = f"\n{text}"
        self.count += bool(text)
        self._write(text)

    def _write(self, text: str) -> None:
        data = encoded(text)
        if self.terminal:
            shown = printable(data.decode())
            data = shown.encode(sys.stdout.encoding or "utf-8", "replace")
        print_bytes(data)


class OneFile(Sink):
    """One file for everything, replaced when all is done."""

    def __init__(self, writer: Writer, path: Path, messages: Messages) -> None:
        self.writer = writer
        self.messages = messages
        self.file = NewFile(path)

    def __enter__(self) -> OneFile:
        """Open the file and write what stands before all records."""
        self.file.__enter__()
        self.file.add(encoded(self.writer.header))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Give the file its name."""
        self.file.__exit__(kind, error, traceback)

    def put(self, source: Input, document: Document) -> None:
        """Add the record of one document."""
        self.file.add(encoded(self.writer(source, document)))
        if self.writer.several:
            self.file.messages = self.messages  # from now on there is something to keep


class Folder(Sink):
    """A folder with one file for each input, in the same tree."""

    def __init__(self, writer: Writer, path: Path, sources: set[str]) -> None:
        self.writer = writer
        self.path = path
        self.sources = sources
        self.names = Names()

    def __enter__(self) -> Folder:
        """Create the folder."""
        make_folder(self.path)
        return self

    def __exit__(
        self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None
    ) -> None:
        """Nothing to do: every file is complete."""

    def put(self, source: Input, document: Document) -> None:
        """Write the file of one document."""
        path = self.path / self.names.file(source.parts, EXTENSIONS[self.writer.form])
        refuse_source(path, self.sources)
        record = encoded(self.writer(source, document))
        with NewFile(path) as file:
            file.add(record)
