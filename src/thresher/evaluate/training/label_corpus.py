"""Labelled files: the pages of a folder with their gold texts, in one file.

`thresher train` and `thresher evaluate` read them. The gold text of each page is looked for in the
page, so that the text of another page is noticed before anything is learned from it.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from thresher import metadata
from thresher.errors import InputError, UsageError
from thresher.evaluate import corpora
from thresher.evaluate.scores import bag, tokens
from thresher.evaluate.training.gold_alignment import block_tokens, label_tokens
from thresher.page import Page
from thresher.page.parse import parse
from thresher.site.related import host_of


class LabelledPage(NamedTuple):
    """A record of the file, and how much of the gold text was found in the page."""

    row: dict[str, str]
    found: float  # share of the words of the gold text; 1 for a page without gold text


def labelled_pages(folder: Path) -> Iterator[LabelledPage]:
    """Read the pages of a folder with gold text, NAME.html and NAME.txt; others are skipped."""
    if not folder.is_dir():
        raise InputError(f"{folder} is no folder: give one with pages and their texts.")
    for gold in corpora.read_labelled(folder):
        page = parse(gold.html)
        url = metadata.read(page).canonical.value
        site = gold.site or host_of(url)
        row = {"id": gold.id, "html": page.html or "", "text": gold.text, "url": url, "site": site}
        yield LabelledPage(row, _share_found(page, gold.text))


def _share_found(page: Page, gold: str) -> float:
    """Return the share of the words of a gold text that are in blocks labelled as content."""
    blocks = block_tokens(page)
    content = label_tokens(blocks, [tokens(line) for line in gold.split("\n")])
    found = [token for at in content.nonzero()[0].tolist() for token in blocks[at]]
    wanted = tokens(gold)
    return bag(found, wanted).recall if wanted else 1.0


def check_suffix(path: Path) -> None:
    """Refuse a file whose name does not end in .jsonl or .parquet."""
    if path.suffix.lower() not in (".jsonl", ".parquet"):
        raise UsageError(f"{path} is not a name for a labelled file: end it in .jsonl or .parquet.")


def to_bytes(rows: Sequence[dict[str, str]], suffix: str) -> bytes:
    """Return the records as a file: JSON Lines (".jsonl") or Parquet (".parquet")."""
    if suffix.lower() == ".jsonl":
        lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        return "".join(lines).encode("utf-8", "replace")
    try:
        import pyarrow as arrow
        from pyarrow import parquet
    except ImportError as error:
        raise InputError("Parquet needs pyarrow: pip install 'thresher[evaluate]'.") from error
    file = io.BytesIO()
    clean = [{k: v.encode("utf-8", "replace").decode() for k, v in row.items()} for row in rows]
    parquet.write_table(arrow.Table.from_pylist(clean), file)
    return file.getvalue()
