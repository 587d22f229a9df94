"""Progress bars on standard error."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path


def stderr_is_terminal() -> bool:
    """Return True if a progress bar can be shown."""
    return sys.stderr is not None and sys.stderr.isatty()


@contextmanager
def page_progress(
    total: int | None, *, shown: bool, noun: str = "pages"
) -> Iterator[Callable[[int], object]]:
    """Show pages done, pages in all, time spent and time left; `noun` is what they are called.

    Yield a function that adds a number of pages to those done.
    """
    if not shown:
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )  # fmt: skip

    columns = (
        BarColumn(), MofNCompleteColumn(), TextColumn(noun), TimeElapsedColumn(),
        TextColumn("left:"), TimeRemainingColumn(),
    )  # fmt: skip
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(noun, total=total)
        yield lambda pages: bar.advance(task, pages)


def corpus_progress(
    paths: list[Path], limit: int | None
) -> AbstractContextManager[Callable[[int], object]]:
    """Show the progress over the pages of corpora, at most `limit` of each."""
    shown = stderr_is_terminal()
    return page_progress(_page_count(paths, limit) if shown else None, shown=shown)


def _page_count(paths: list[Path], limit: int | None) -> int | None:
    """Return the number of pages, None if a corpus does not have a known size."""
    from thresher.evaluate import corpora

    total = 0
    for path in paths:
        size = corpora.page_count(path)
        if size is None:
            return None
        total += size if limit is None else min(size, limit)
    return total
