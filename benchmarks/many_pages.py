"""Work on every page of some corpora, in several processes, with a bar that tells how far it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.progress import Progress

from thresher.evaluate import corpora
from thresher.evaluate.corpora import GoldPage

Bools = npt.NDArray[np.bool_]
Result = TypeVar("Result")
AHEAD = 8  # tasks under way for each process


class Run:
    """Processes, and a bar for each of their tasks."""

    def __init__(self, paths: Sequence[Path], limit: int | None, jobs: int) -> None:
        self.paths, self.limit, self.jobs = paths, limit, jobs
        self.pool = ProcessPoolExecutor(jobs, get_context("spawn"))
        self.bar = Progress(console=Console(stderr=True))

    def __enter__(self) -> Run:
        self.bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.pool.shutdown(cancel_futures=True)
        self.bar.stop()

    def each(
        self, work: Callable[..., Result], wanted: Bools, told: str,
        models: Sequence[Path] | None = None, *more: object,
    ) -> list[Result]:  # fmt: skip
        """Do something with each wanted page and, where it needs them, its models."""
        pages = zip(pages_of(self.paths, self.limit), wanted.tolist(), strict=True)
        tasks = (
            (page, *([models[number]] if models else []), *more)
            for number, (page, taken) in enumerate(pages)
            if taken
        )
        return self.all(work, tasks, told, int(wanted.sum()))

    def all(
        self, work: Callable[..., Result], tasks: Iterable[tuple[Any, ...]], told: str,
        total: int | None = None,
    ) -> list[Result]:  # fmt: skip
        """Do all tasks; only some at a time are under way, for they may be large."""
        bar = self.bar.add_task(told, total=total)
        waiting: list[Future[Result]] = []
        done = []
        for task in tasks:
            waiting.append(self.pool.submit(work, *task))
            if len(waiting) >= AHEAD * self.jobs:
                done.append(waiting.pop(0).result())
                self.bar.advance(bar)
        for future in waiting:
            done.append(future.result())
            self.bar.advance(bar)
        return done


def pages_of(paths: Sequence[Path], limit: int | None) -> Iterator[GoldPage]:
    """Read the pages of all corpora, of each at most so many."""
    for path in paths:
        for number, page in enumerate(corpora.read(path)):
            if limit is not None and number >= limit:
                break
            yield page
