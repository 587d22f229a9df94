"""Corpora: pages with their gold text, from Parquet, JSON Lines or folders.

A folder holds pages (`NAME.html`) with the gold text beside them: `NAME.txt`, or CleanEval's
`NAME-cleaned.txt` with its marks (`<p>`, `<h>`, `<l>`), or no text at all when the page itself
marks its content as the L3S-GN1 collection does (`<span class="x-nc-sel2">`).
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from itertools import compress, islice
from pathlib import Path
from random import Random
from typing import Any

from thresher.errors import InputError, UsageError
from thresher.evaluate import corrections
from thresher.evaluate.corrections import Correction
from thresher.page.decode import decode
from thresher.page.parse import parse


@dataclass(frozen=True, slots=True)
class GoldPage:
    """A page with its gold text and metadata; fields that a corpus does not have are empty."""

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
    # Of a page that was corrected: the first and last row of each run of content, and the gold text
    # that the corpus has.
    content: tuple[tuple[int, int], ...] | None = None
    published: str | None = None


def name_of(path: Path) -> str:
    """Return the name of a corpus: that of its file or folder, without its suffix."""
    return path.resolve().name.removesuffix(".parquet").removesuffix(".jsonl")


def distinct_names(paths: Sequence[Path]) -> list[str]:
    """Return the names of corpora; two of one name are refused."""
    names = [name_of(path) for path in paths]
    if len(set(names)) < len(names):
        raise UsageError("two corpora have the same name: rename one of them.")
    return names


def read(path: Path, *, corrected: bool = False) -> Iterator[GoldPage]:
    """Read a corpus page by page; with `corrected`, with our corrections of its gold text."""
    if path.is_dir():
        pages = _read_folder(path)
    else:
        pages = (_gold_page(record, path) for record in records(path))
    known = corrections.load().get(name_of(path), {}) if corrected else {}
    return (_corrected(page, known[page.id], path) if page.id in known else page for page in pages)


def _corrected(gold: GoldPage, correction: Correction, path: Path) -> GoldPage:
    """Return a page with the text of the rows that a correction names; snippets are dropped."""
    page = corrections.labelled_page(correction, gold.html, f"{path}: page {gold.id}")
    return replace(
        gold,
        text=corrections.corrected_text(page, correction.content),
        must_have=(),
        must_not_have=(),
        content=correction.content,
        published=gold.text,
    )


def records(path: Path) -> Iterator[dict[str, Any]]:
    """Read the records of a Parquet or JSON Lines file, each with an id."""
    if not path.exists():
        raise InputError(f"no corpus {path}: give a .parquet or .jsonl file, or a folder.")
    if path.suffix == ".parquet":
        return _parquet_records(path)
    if path.suffix in (".jsonl", ".ndjson"):
        return _json_records(path)
    raise InputError(f"cannot tell what {path} is: give a .parquet or .jsonl file, or a folder.")


def read_labelled(folder: Path) -> Iterator[GoldPage]:
    """Read the pages of a folder that have a gold text, and skip the others."""
    return _read_folder(folder, skip_unlabelled=True)


def read_first(path: Path, limit: int | None, *, corrected: bool = False) -> Iterator[GoldPage]:
    """Read at most `limit` pages of a corpus, the first ones."""
    return islice(read(path, corrected=corrected), limit)


def read_sample(path: Path, limit: int | None, *, corrected: bool = False) -> Iterator[GoldPage]:
    """Read at most `limit` pages of a corpus, drawn with a fixed seed, in the order of the corpus.

    The first pages of a corpus may all be of one kind.
    """
    count = page_count(path)
    if limit is None or count is None:
        return read_first(path, limit, corrected=corrected)
    order = list(range(count))
    Random(7).shuffle(order)
    chosen = set(order[:limit])
    return compress(read(path, corrected=corrected), (number in chosen for number in range(count)))


def page_count(path: Path) -> int | None:
    """Return the number of pages of a corpus without reading them; None if it is not known."""
    try:
        if path.is_dir():
            return len(_page_files(path))
        if path.suffix == ".parquet":
            from pyarrow import parquet

            return int(parquet.read_metadata(path).num_rows)
        with path.open("rb") as lines:
            return sum(not line.isspace() for line in lines)
    except (ImportError, OSError, ValueError):  # `read` says what is wrong
        return None


def _parquet_records(path: Path) -> Iterator[dict[str, Any]]:
    try:
        import pyarrow as arrow
        from pyarrow import parquet
    except ImportError as error:
        raise InputError("Parquet needs pyarrow: pip install 'thresher[evaluate]'.") from error
    try:
        with parquet.ParquetFile(path) as file:
            batches = file.iter_batches(32)  # pages in memory at once
            rows = (row for batch in batches for row in batch.to_pylist())
            for number, row in enumerate(rows, 1):
                yield {"id": f"{number}", **row}
    except (OSError, arrow.ArrowInvalid) as error:
        raise InputError(f"cannot read {path}: it is not a Parquet file.") from error


def _json_records(path: Path) -> Iterator[dict[str, Any]]:
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
                raise InputError(f"{path}, line {number}: this is not JSON.") from error
            if not isinstance(row, dict):
                raise InputError(f"{path}, line {number}: one JSON object a line is wanted.")
            yield {"id": f"{number}", **row}


def _gold_page(row: dict[str, Any], path: Path) -> GoldPage:
    """Return a record as a page; fields that a page does not have are ignored."""
    where = f"{path}: page {row.get('id')}"
    if row.get("html") is None or row.get("text") is None:
        raise InputError(f"{where} lacks html or text.")
    given: dict[str, Any] = {}
    for name in (field.name for field in fields(GoldPage)):
        if name in ("content", "published"):  # a correction, never a column
            continue
        value = row.get(name)
        if name in ("must_have", "must_not_have"):
            value = value or ()
            if not isinstance(value, list | tuple) or not all(isinstance(s, str) for s in value):
                raise InputError(f"{where}: {name} must be a list of texts.")
            given[name] = tuple(value)
        elif value is not None:
            accepted = {"html": str | bytes, "text": str}.get(name, str | int | float)
            if not isinstance(value, accepted):
                raise InputError(f"{where}: {name} must be text.")
            given[name] = value if isinstance(value, bytes) else str(value)
    if isinstance(given["html"], str):  # the byte order mark overrides a charset in `<meta>`
        given["html"] = codecs.BOM_UTF8 + given["html"].encode("utf-8", "replace")
    return GoldPage(**given)


# --- folders -------------------------------------------------------------------------------------


def _page_files(folder: Path) -> list[Path]:
    """Return the pages below a folder; a folder may be named like a page too."""
    suffixes = {".html", ".htm", ".xhtml"}
    found = (path for path in folder.rglob("*") if path.suffix.lower() in suffixes)
    return sorted(path for path in found if not path.is_dir())


def _read_folder(folder: Path, skip_unlabelled: bool = False) -> Iterator[GoldPage]:
    pages = _page_files(folder)
    if not pages:
        raise InputError(f"no pages in {folder}: it should hold .html files with gold text.")
    for path in pages:
        html = _read_bytes(path)
        name = path.relative_to(folder).with_suffix("").as_posix()
        site = path.parent.name if path.parent != folder else ""
        text = _gold_text(path, html)
        if text is not None:
            yield GoldPage(id=name, html=html, text=text, site=site)
        elif not skip_unlabelled:
            raise InputError(f"no gold text for {path}: put {path.stem}.txt beside it.")


def _gold_text(path: Path, html: bytes) -> str | None:
    """Return the gold text of a page, None if there is none."""
    for gold in (path.with_suffix(".txt"), path.with_name(f"{path.stem}-cleaned.txt")):
        if gold.is_dir():
            raise InputError(f"no gold text for {path}: {gold.name} is a folder, not a text.")
        if gold.exists():
            return without_marks(_read_text(gold))
    if b"x-nc-sel" in html:
        return annotated_text(html)
    return None


def _read_text(path: Path) -> str:
    """Read a text as UTF-8, or in the charset that is detected as for pages."""
    data = _read_bytes(path)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = decode(data)[0]
    if "\N{REPLACEMENT CHARACTER}" in text:
        raise InputError(f"the charset of {path} is not known: save it as UTF-8.")
    return text


def _read_bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise _unreadable(path, error) from error


def _unreadable(path: Path, error: OSError) -> InputError:
    return InputError(f"cannot read {path}: {(error.strerror or 'unknown error').lower()}.")


_ADDRESS = re.compile(r"\A\s*URL:[^\n]*\n")
_MARK_AT_START = re.compile(r"^[ \t]*<[phl]>", re.I | re.M)
_MARK = re.compile(r"(?:(?<![ \t])[ \t]++)?<[phl]>[ \t]*", re.I)


def without_marks(text: str) -> str:
    """Return a gold text without CleanEval's address line and marks; other texts as they are.

    A text is CleanEval's if a line starts with a mark. Then marks within lines are marks too, and
    start a line.
    """
    if not _MARK_AT_START.search(text):
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
