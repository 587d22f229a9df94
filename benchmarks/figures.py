"""Figures of a page of the docs: measured over corpora, written into a block of the page."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeVar

from benchmarks.floors import corpora_folder
from benchmarks.marked_blocks import with_block
from thresher.evaluate import corpora
from thresher.evaluate.corpora import GoldPage

__all__ = ["write_figures"]

T = TypeVar("T")


def write_figures(
    name: str,
    over: Iterable[str],
    scores: Callable[[list[GoldPage]], T],
    table: Callable[[dict[str, T]], str],
    arguments: Sequence[str] | None,
) -> int:
    """Run `python -m thresher.evaluate.NAME PAGE`: write the table over corpora as block NAME."""
    parser = argparse.ArgumentParser(prog=f"python -m thresher.evaluate.{name}")
    parser.add_argument("page", type=Path, help="the page with the block that is written")
    parser.add_argument("--limit", type=int, help="pages of each corpus")
    given = parser.parse_args(arguments)
    folder = corpora_folder()
    if folder is None:
        sys.stdout.write(f"{name}: no corpora, set THRESHER_CORPORA\n")
        return 2
    by_corpus = {
        corpus: scores(list(corpora.read(folder / f"{corpus}.parquet"))[: given.limit])
        for corpus in over
    }
    text = given.page.read_text(encoding="utf-8")
    given.page.write_text(with_block(text, name, table(by_corpus)), encoding="utf-8")
    return 0
