"""Corpora: pages with their gold text, from Parquet, JSON Lines or folders.

A folder holds pages (`NAME.html`) with the gold text beside them: `NAME.txt`, or CleanEval's
`NAME-cleaned.txt` with its marks (`<p>`, `<h>`, `<l>`), or no text at all when the page itself
marks its content as the L3S-GN1 collection does (`<span class="x-nc-sel2">`).
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, fields
from itertools import compress, islice
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from thresher.errors import InputError
from thresher.page.decode import decode
from thresher.page.parse import parse


@dataclass(frozen=True, slots=True)
class GoldPage:
    """A page and what is right about it; empty where a corpus does not say."""

    id: str
    html: bytes
    text: str  # the main content, plain
    url: str = ""
    site: str = ""
    lang: str = ""
    kind: str = ""
    title: str = ""
    author: str = ""
    date: str = ""
    comments: str = ""
    must_have: tuple[str, ...] = ()
    must_not_have: tuple[str, ...] = ()


def name_of(path: Path) -> str:
    """Return the name of a corpus: that of its file or folder."""
    return path.resolve().name.removesuffix(".parquet").removesuffix(".jsonl")


def read(path: Path) -> Iterator[GoldPage]:
    """Read a corpus page by page."""
    if path.is_dir():
        return _folder(path)
    if not path.exists():
        raise InputError(f"no corpus {path}: give a .parquet or .jsonl file, or a folder.")
    if path.suffix == ".parquet":
        return _parquet(path)
    if path.suffix in (".jsonl", ".ndjson"):
        return _json_lines(path)
    raise InputError(f"cannot tell what {path} is: give a .parquet or .jsonl file, or a folder.")


def labelled(folder: Path) -> Iterator[GoldPage]:
    """Read the pages of a folder that have a gold text, and pass over the others."""
    return _folder(folder, pass_over=True)


def size(path: Path) -> int | None:
    """Return the number of pages of a corpus without reading them; None when it cannot be told."""
    try:
        if path.is_dir():
            return len(_pages(path))
        if path.suffix == ".parquet":
            from pyarrow import parquet

            return int(parquet.read_metadata(path).num_rows)
        with path.open("rb") as lines:
            return sum(not line.isspace() for line in lines)
    except (ImportError, OSError, ValueError):  # `read` says what is wrong
        return None


def drawn(path: Path, limit: int | None) -> Iterator[GoldPage]:
    """Read so many pages of a corpus, in its order, as a shuffle with a fixed seed has them first.

    The first pages of a corpus may all be of one kind.
    """
    count = size(path)
    if limit is None or count is None:
        return islice(read(path), limit)
    order = list(range(count))
    Random(_SEED).shuffle(order)
    chosen = np.zeros(count, np.bool_)
    chosen[order[:limit]] = True
    return compress(read(path), chosen.tolist())


_SEED = 7
_BATCH = 32  # pages in memory at once


def _parquet(path: Path) -> Iterator[GoldPage]:
    try:
        import pyarrow as arrow
        from pyarrow import parquet
    except ImportError as error:
        raise InputError("Parquet needs pyarrow: pip install 'thresher[evaluate]'.") from error
    try:
        with parquet.ParquetFile(path) as file:
            rows = (row for batch in file.iter_batches(_BATCH) for row in batch.to_pylist())
            for number, row in enumerate(rows, 1):
                yield _gold_page({"id": f"{number}", **row}, path)
    except (OSError, arrow.ArrowInvalid) as error:
        raise InputError(f"cannot read {path}: it is no Parquet file.") from error


def _json_lines(path: Path) -> Iterator[GoldPage]:
    try:
        lines = path.open(encoding="utf-8-sig", errors="replace")
    except OSError as error:
        raise _unreadable(path, error) from error
    with lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
            except (ValueError, RecursionError) as error:
                raise InputError(f"{path}, line {number}: this is no JSON.") from error
            if not isinstance(row, dict):
                raise InputError(f"{path}, line {number}: one JSON object a line is wanted.")
            yield _gold_page({"id": f"{number}", **row}, path)


def _gold_page(row: dict[str, Any], path: Path) -> GoldPage:
    html = row.get("html")
    if html is None or row.get("text") is None:
        raise InputError(f"{path}: page {row.get('id')} lacks html or text.")
    for name in ("html", "text"):
        if not isinstance(row[name], str | bytes if name == "html" else str):
            raise InputError(f"{path}: page {row.get('id')}: {name} must be text.")
    given = {field.name: row.get(field.name) for field in fields(GoldPage)}
    given["html"] = html if isinstance(html, bytes) else _as_bytes(html)
    for name in ("must_have", "must_not_have"):
        snippets = given[name] or ()
        if not isinstance(snippets, list | tuple) or not all(isinstance(s, str) for s in snippets):
            raise InputError(f"{path}: page {row.get('id')}: {name} must be a list of texts.")
        given[name] = tuple(snippets)
    for name, value in given.items():
        if name not in ("html", "must_have", "must_not_have") and value is not None:
            if not isinstance(value, str | int | float):
                raise InputError(f"{path}: page {row.get('id')}: {name} must be text.")
            given[name] = str(value)
    return GoldPage(**{name: value for name, value in given.items() if value is not None})


def _as_bytes(html: str) -> bytes:
    """Return a page that came as text; its mark says UTF-8, whatever its `<meta>` may say."""
    return codecs.BOM_UTF8 + html.encode("utf-8", "replace")


# --- folders -------------------------------------------------------------------------------------

_PAGES = {".html", ".htm", ".xhtml"}


def _pages(folder: Path) -> list[Path]:
    """Return the pages below a folder; a folder may be named like a page too."""
    found = (path for path in folder.rglob("*") if path.suffix.lower() in _PAGES)
    return sorted(path for path in found if not path.is_dir())


def _folder(folder: Path, pass_over: bool = False) -> Iterator[GoldPage]:
    pages = _pages(folder)
    if not pages:
        raise InputError(f"no pages in {folder}: it should hold .html files with gold text.")
    for path in pages:
        html = _content(path)
        name = path.relative_to(folder).with_suffix("").as_posix()
        site = path.parent.name if path.parent != folder else ""
        text = _gold_text(path, html)
        if text is not None:
            yield GoldPage(id=name, html=html, text=text, site=site)
        elif not pass_over:
            raise InputError(f"no gold text for {path}: put {path.stem}.txt beside it.")


def _gold_text(path: Path, html: bytes) -> str | None:
    """Return the gold text of a page, None if there is none."""
    for gold in (path.with_suffix(".txt"), path.with_name(f"{path.stem}-cleaned.txt")):
        if gold.is_dir():
            raise InputError(f"no gold text for {path}: {gold.name} is a folder, not a text.")
        if gold.exists():
            return without_marks(_text(gold))
    if b"x-nc-sel" in html:
        return annotated_text(html)
    return None


def _text(path: Path) -> str:
    """Read a text: UTF-8, or what it is detected to be, as pages are."""
    data = _content(path)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = decode(data)[0]
    if "\N{REPLACEMENT CHARACTER}" in text:
        raise InputError(f"the charset of {path} cannot be told: save it as UTF-8.")
    return text


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise _unreadable(path, error) from error


def _unreadable(path: Path, error: OSError) -> InputError:
    return InputError(f"cannot read {path}: {(error.strerror or 'unknown error').lower()}.")


_ADDRESS = re.compile(r"\A\s*URL:[^\n]*\n")
_MARKED = re.compile(r"^[ \t]*<[phl]>", re.I | re.M)
_MARK = re.compile(r"[ \t]*<[phl]>[ \t]*", re.I)


def without_marks(text: str) -> str:
    """Return a gold text without CleanEval's address line and marks; plain text stays as it is.

    A text is CleanEval's when a line starts with a mark; then marks within lines are marks too, and
    start a line.
    """
    if not _MARKED.search(text):
        return text
    return _MARK.sub("\n", _ADDRESS.sub("", text)).lstrip("\n")


# L3S-GN1: 1 headline, 2 text, 3 supplement; 4 is related content, 5 users' comments.
_CONTENT = re.compile(r"(?:^|\s)x-nc-sel[123](?:\s|$)")


def annotated_text(html: bytes) -> str:
    """Return the text that an L3S-style page marks as content."""
    page = parse(html)
    rows = [
        row
        for row in range(len(page))
        if page.tag[row] and _CONTENT.search(page.attributes(row).get("class", ""))
    ]
    return page.under(rows).text()
