"""Runs without worker processes, which take most of the time of a small run."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any

import pytest

from thresher.evaluate import run


class InProcessPool:
    """A pool that does the work at once, in this process."""

    def submit(self, work: Callable[..., Any], *arguments: Any) -> "Future[Any]":
        done: Future[Any] = Future()
        done.set_result(work(*arguments))
        return done


@contextmanager
def in_process_pool(jobs: int, tools: run.Tools) -> Iterator[InProcessPool]:
    yield InProcessPool()


def without_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let runs measure pages in this process."""
    monkeypatch.setattr(run, "_pool", in_process_pool)
