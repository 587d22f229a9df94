"""The labelled file: the pages of a folder with the text that is right for each, in one file.

`thresher train` and `thresher evaluate` read it. Each page is parsed and its text is looked for in
it, so that a text that belongs to another page is noticed before anything is learned from it.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from thresher import metadata
from thresher.errors import InputError, UsageError
from thresher.evaluate import corpora
from thresher.evaluate.scores import bag, tokens
from thresher.evaluate.training.gold_alignment import block_tokens, label_tokens
from thresher.page import Page
from thresher.page.parse import parse

FORMS = ("jsonl", "parquet")


class Labelled(NamedTuple):
    """A page as it stands in the file, and how much of its text was found in it."""

    row: dict[str, str]
    found: float  # share of the words of the text; 1 for a page without text


def labelled(folder: Path) -> Iterator[Labelled]:
    """Read the pairs of a folder: NAME.html with NAME.txt beside it. Others are passed over."""
    if not folder.is_dir():
        raise InputError(f"{folder} is no folder: give one with pages and their texts.")
    for gold in corpora.labelled(folder):
        page = parse(gold.html)
        url = metadata.read(page).canonical.value
        site = gold.site or _host(url)
        row = {"id": gold.id, "html": page.html or "", "text": gold.text, "url": url, "site": site}
        yield Labelled(row, _found(page, gold.text))


def _host(url: str) -> str:
    try:
        return (urlsplit(url).hostname or "").removeprefix("www.")
    except ValueError:  # such as an unclosed bracket
        return ""


def _found(page: Page, text: str) -> float:
    """Return the share of the words of a text that stand in blocks labelled as content."""
    wanted = tokens(text)
    blocks = block_tokens(page)
    content = label_tokens(blocks, [tokens(line) for line in text.split("\n")]).tolist()
    ours = [token for at, block in enumerate(blocks) if content[at] for token in block]
    return bag(ours, wanted).recall if wanted else 1.0


def form_of(path: Path) -> str:
    """Tell from its name which kind of file is wanted."""
    form = path.suffix.lower().removeprefix(".")
    if form not in FORMS:
        raise UsageError(f"{path} is no name for a labelled file: end it in .jsonl or .parquet.")
    return form


def to_bytes(rows: Sequence[dict[str, str]], form: str) -> bytes:
    """Return the file, as JSON Lines or as Parquet."""
    if form == "jsonl":
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
