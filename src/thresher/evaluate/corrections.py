"""Corrections: which rows are content on pages whose gold text is missing or wrong.

`corrections.json` was made by reading the pages and following docs/convention.md. It holds row
numbers and no text of a page, and lies beside this module because `thresher train` has to give the
same model wherever it is installed. For each page, by corpus and id:

- `html`: the beginning of the SHA-256 digest of the page's bytes;
- `rows`: the rows that the parser makes of it;
- `why`: "missing" (no gold text), "absent" (gold text that is not in the page) or "wrong" (gold
  text that breaks the convention, mostly because it ends early);
- `content`: the first and the last row of each run of content, in order; none for a page without
  content, such as an error page or an empty shell.

Another version of a page, and a parser that divides it differently, are refused: the numbers would
point to other texts.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np

from thresher.errors import InputError
from thresher.page import Page
from thresher.page.array_types import Bools
from thresher.page.parse import parse

FILE = Path(__file__).with_name("corrections.json")
REASONS = ("missing", "absent", "wrong")
_DIGITS = 16  # of the digest: pages are compared with one other each


class Correction(NamedTuple):
    """The labels of a page, and what tells that it is the page that was labelled."""

    html: str
    rows: int
    why: Literal["missing", "absent", "wrong"]
    content: tuple[tuple[int, int], ...]


@cache
def load(file: Path = FILE) -> Mapping[str, Mapping[str, Correction]]:
    """Return the corrections by name of the corpus and id of the page."""
    data = json.loads(file.read_text(encoding="utf-8"))
    return {
        corpus: {
            page: Correction(
                entry["html"],
                entry["rows"],
                entry["why"],
                tuple((first, last) for first, last in entry["content"]),
            )
            for page, entry in pages.items()
        }
        for corpus, pages in data.items()
    }


def digest(html: bytes) -> str:
    """Return the digest by which a page is recognised."""
    return hashlib.sha256(html).hexdigest()[:_DIGITS]


def labelled_page(correction: Correction, html: bytes, name: str) -> Page:
    """Return the parsed page of a correction; refuse another one. `name` is for the message."""
    if digest(html) != correction.html:
        raise InputError(
            f"{name} is not the page that was corrected: its HTML differs. Read the corpus without "
            "corrections."
        )
    page = parse(html)
    if len(page) != correction.rows:
        raise InputError(
            f"{name} has {len(page)} rows, not {correction.rows} as when it was corrected: the "
            "parser has changed. Read the corpus without corrections."
        )
    return page


def row_labels(page: Page, content: tuple[tuple[int, int], ...]) -> Bools:
    """Return one bool per text row: True if it is in a run of content and in a block."""
    found = np.zeros(len(page.text_rows), np.bool_)
    for first, last in content:
        start, stop = np.searchsorted(page.text_rows, [first, last + 1])
        found[start:stop] = True
    return found & (page.blocks.of_text >= 0)


def corrected_text(page: Page, content: tuple[tuple[int, int], ...]) -> str:
    """Return the text of the rows that are content."""
    return page.select(page.text_rows[row_labels(page, content)]).text()


def row_runs(page: Page, content: Bools) -> tuple[tuple[int, int], ...]:
    """Return the first and the last row of each run of content, given one bool per block.

    A run ends where the next block is not content.
    """
    edges = np.diff(np.concatenate(([0], content.astype(np.int8), [0])))
    first = page.blocks.first[np.flatnonzero(edges == 1)]
    last = page.blocks.last[np.flatnonzero(edges == -1) - 1]
    return tuple(zip(first.tolist(), last.tolist(), strict=True))
