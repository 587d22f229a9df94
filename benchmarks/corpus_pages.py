"""Pages of the corpora for the benchmark programs, their options, and work in several processes."""

from __future__ import annotations

import argparse
import os
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from rich.console import Console
from rich.progress import Progress

from benchmarks.marked_blocks import write_block
from thresher.errors import ThresherError
from thresher.evaluate import corpora
from thresher.evaluate.corpora import GoldPage
from thresher.page.array_types import Bools

Result = TypeVar("Result")
_TASKS_PER_PROCESS = 8  # waiting at a time; tasks may hold large pages


def argument_parser(name: str, doc: str | None, arguments: str) -> argparse.ArgumentParser:
    """Return the parser of a program: its docstring is the help, which ends in an example."""
    program = f"python -m benchmarks.{name}"
    return argparse.ArgumentParser(
        prog=program,
        description=doc,
        epilog=f"example:\n  {program} {arguments}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def exit_with(main: Callable[[], int]) -> NoReturn:
    """Run a program and exit with its code; print the sentence of an error without a traceback."""
    try:
        sys.exit(main())
    except ThresherError as error:
        sys.exit(str(error))


def add_corpus_options(parser: argparse.ArgumentParser) -> None:
    """Add `--corpus` and `--limit`."""
    parser.add_argument(
        "--corpus", type=Path, action="append", help="a corpus instead of the usual ones"
    )
    parser.add_argument("--limit", type=int, help="use only the first pages of each corpus")


def corpora_folder() -> Path | None:
    """Return the folder that THRESHER_CORPORA names, else `../shared/corpora`; None if missing."""
    named = os.environ.get("THRESHER_CORPORA")
    folder = Path(named) if named else Path("..") / "shared" / "corpora"
    return folder if folder.is_dir() else None


def corpus_paths(
    program: str, names: Sequence[str], given: Sequence[Path] | None = None
) -> list[Path]:
    """Return the files of the corpora that are `given`, else of those with these names.

    Without a folder of corpora, print what to do and return an empty list.
    """
    folder = corpora_folder()
    if given or folder is None:
        if not given:
            sys.stdout.write(f"{program}: no corpora, set THRESHER_CORPORA\n")
        return list(given or [])
    return [folder / f"{name}.parquet" for name in names]


def gold_pages(paths: Sequence[Path], limit: int | None) -> Iterator[GoldPage]:
    """Yield the pages of all corpora, at most `limit` of each."""
    for path in paths:
        for number, page in enumerate(corpora.read(path)):
            if number == limit:
                break
            yield page


def write_corpus_table(
    program: str,
    doc: str | None,
    page: str,
    names: Sequence[str],
    score: Callable[[list[GoldPage]], Result],
    table: Callable[[dict[str, Result]], str],
    arguments: Sequence[str] | None,
) -> int:
    """Run a program that scores each corpus and writes one table into a page of the docs.

    The table is written between the marks that have the program's name; `page` is the usual page,
    shown in the example. Return the exit code.
    """
    parser = argument_parser(program, doc, f"{page} --limit 50")
    parser.add_argument("page", type=Path, help="the page of the docs with the marked block")
    add_corpus_options(parser)
    given = parser.parse_args(arguments)
    paths = corpus_paths(program, names, given.corpus)
    if not paths:
        return 2
    by_corpus = {
        corpora.name_of(path): score(list(gold_pages([path], given.limit))) for path in paths
    }
    write_block(given.page, program, table(by_corpus))
    return 0


def is_right_to_left(text: str) -> bool:
    """Return True if more than half of the letters of a text are written from right to left."""
    letters = [unicodedata.bidirectional(character) for character in text if character.isalpha()]
    return 2 * sum(kind in ("R", "AL") for kind in letters) > len(letters)


class PagePool:
    """Processes that work on pages, with a progress bar for each round of tasks."""

    def __init__(self, paths: Sequence[Path], limit: int | None, jobs: int) -> None:
        self.paths, self.limit, self.jobs = paths, limit, jobs
        self.processes = ProcessPoolExecutor(jobs, get_context("spawn"))
        self.bar = Progress(console=Console(stderr=True))

    def __enter__(self) -> PagePool:
        self.bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.processes.shutdown(cancel_futures=True)
        self.bar.stop()

    def each_page(
        self, work: Callable[..., Result], wanted: Bools, title: str,
        models: Sequence[Path] | None = None, *more: object,
    ) -> list[Result]:  # fmt: skip
        """Return `work(page, models of the page, *more)` for each wanted page, in order."""
        pages = zip(gold_pages(self.paths, self.limit), wanted.tolist(), strict=True)
        tasks = (
            (page, *([models[number]] if models else []), *more)
            for number, (page, is_wanted) in enumerate(pages)
            if is_wanted
        )
        return self.each_task(work, tasks, title, int(wanted.sum()))

    def each_task(
        self, work: Callable[..., Result], tasks: Iterable[tuple[Any, ...]], title: str,
        total: int | None = None,
    ) -> list[Result]:  # fmt: skip
        """Return `work(*task)` for each task, in order."""
        bar = self.bar.add_task(title, total=total)
        waiting: list[Future[Result]] = []
        done = []
        for task in tasks:
            waiting.append(self.processes.submit(work, *task))
            if len(waiting) >= _TASKS_PER_PROCESS * self.jobs:
                done.append(waiting.pop(0).result())
                self.bar.advance(bar)
        for future in waiting:
            done.append(future.result())
            self.bar.advance(bar)
        return done
