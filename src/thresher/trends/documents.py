"""Dated documents, and the files they are read from.

| form      | what it is                                                                          |
|-----------|-------------------------------------------------------------------------------------|
| `ris`     | RIS (thesis, Listing 6.1): `TY  - JOUR` or `TY - JOUR`; tags TI, AB, JO, PY, DA, UR |
| `xml`     | the XML of the thesis (Listing 6.2): `<research>` with journal, title, date, ...    |
| `bibtex`  | BibTeX and BibLaTeX; LaTeX accents become letters                                   |
| `parquet` | Parquet                                                                             |
| `json`    | JSON Lines, an object or a list; also what `thresher extract --format json` writes  |
| `csv`     | CSV with column names in the first line; commas, semicolons or tabs                 |
| `tsv`     | the same with tabs                                                                  |

In the last four, and as fields of BibTeX, these columns are read; their case does not matter:

- the title: title, headline;
- the text: abstract, text, content, summary (the first that is not empty);
- the date: date, published, year and month, and similar; else the date in the address;
- the source: source, journal, venue, site and similar; a list is joined with commas; of an
  extracted page that does not name its site, the host;
- url or doi; language or lang.

A record that cannot be read, or has neither a title nor a text, is left out, and `problems` of the
result has a sentence about it. A date that cannot be read is "". Text is UTF-8 or UTF-16; a line
that is not UTF-8 is read as Windows-1252.
"""

from __future__ import annotations

import codecs
import csv
import html.entities
import io
import json
import math
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, Literal, TypeAlias, get_args, overload
from xml.parsers import expat
from xml.sax.saxutils import escape

from thresher.batch.atomic_file import write_file
from thresher.batch.page_collections import host_in_path
from thresher.errors import InputError, UsageError
from thresher.metadata.dates import date_in_url, to_partial_iso
from thresher.page.addresses import without_password
from thresher.site.related import host_of

Form: TypeAlias = Literal["ris", "xml", "bibtex", "parquet", "json", "csv", "tsv"]
FORMS: tuple[Form, ...] = get_args(Form)

_EXTENSIONS: dict[str, Form] = {
    ".ris": "ris",
    ".xml": "xml",
    ".bib": "bibtex",
    ".bibtex": "bibtex",
    ".parquet": "parquet",
    ".json": "json",
    ".jsonl": "json",
    ".ndjson": "json",
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
}
_KINDS = ".ris, .xml, .bib, .parquet, .jsonl, .json, .csv or .tsv"
_PAGES = {".html", ".htm", ".xhtml"}
_PACKED = {".gz", ".bz2", ".xz", ".zst", ".zip"}
_Stream: TypeAlias = "io.BufferedReader[Any] | io.BytesIO"


@dataclass(frozen=True, slots=True)
class DatedDocument:
    """A text with a date.

    `date` is ISO 8601 and as exact as it is known: "2006", "2006-05" or "2006-05-17"; "" if there
    is none. A number is read as a year, and a `datetime.date` as its day. `source` is the journal
    or the site the document comes from.
    """

    title: str
    text: str
    date: str
    source: str = ""
    url: str = ""
    language: str = ""

    def __post_init__(self) -> None:
        day: Any = self.date
        if isinstance(day, date):
            object.__setattr__(self, "date", day.isoformat()[:10])
        elif isinstance(day, int) and not isinstance(day, bool):
            object.__setattr__(self, "date", f"{day:04}")
        for name in self.__slots__:
            value: Any = getattr(self, name)
            if not isinstance(value, str):
                raise UsageError(f"the {name} of a document is {value!r:.60}: give a text.")
        if self.date and not _is_iso(self.date):
            raise UsageError(
                f"the date {self.date!r} is not of the form 2006, 2006-05 or 2006-05-17: "
                "convert it with thresher.metadata.dates.to_partial_iso."
            )


@dataclass(frozen=True, slots=True)
class ReadResult(Sequence[DatedDocument]):
    """The documents of a file or folder, as a sequence, and what could not be read.

    `problems` has one sentence for each record or file that was left out.
    """

    documents: tuple[DatedDocument, ...]
    problems: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.documents)

    @overload
    def __getitem__(self, index: int) -> DatedDocument: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[DatedDocument, ...]: ...
    def __getitem__(self, index: int | slice) -> DatedDocument | tuple[DatedDocument, ...]:
        return self.documents[index]


def read_documents(
    path: str | Path | BinaryIO | Sequence[str | Path | BinaryIO], form: Form | None = None
) -> ReadResult:
    """Read the dated documents of a file, of a folder of such files, or of an open binary file.

    A list of these is read one after the other.

    The form is told by the extension of the file, else by its content; `form` overrides both. In
    a folder, all files below it with a known extension are read, in the order of their paths; with
    `form`, only those of that form. Raises `InputError` if nothing can be read at all.
    """
    if form is not None and form not in FORMS:
        raise UsageError(f"no form {form!r}: give one of {', '.join(FORMS)}.")
    if isinstance(path, list | tuple):
        parts = [read_documents(one, form) for one in path]
        return ReadResult(
            tuple(document for part in parts for document in part),
            tuple(problem for part in parts for problem in part.problems),
        )
    problems: list[str] = []
    if not isinstance(path, str | os.PathLike):
        stream = _opened(path)
        name = "standard input" if path is getattr(sys.stdin, "buffer", None) else "the given file"
        return _result(_read_stream(stream, name, form, problems), problems)
    path = Path(path)
    if path.is_dir():
        return _result(_read_folder(path, form, problems), problems)
    return _result(_read_file(path, form, problems), problems)


def _opened(file: Any) -> io.BytesIO:
    """Return the content of an open file; raise `UsageError` if it is none, or gives no bytes."""
    data = file.read() if callable(getattr(file, "read", None)) else None
    if not isinstance(data, bytes):
        raise UsageError(
            f"{file!r:.60} is no file of documents: give a path, a list of paths, or a file opened "
            "in binary mode."
        )
    return io.BytesIO(data)


def distinct(documents: Iterable[DatedDocument]) -> list[DatedDocument]:
    """Return the documents without those that repeat an earlier one.

    Documents with an address are the same if their addresses are; others, if they are equal.
    """
    found: dict[str | DatedDocument, DatedDocument] = {}
    for document in documents:
        found.setdefault(document.url.strip() or document, document)
    return list(found.values())


def _result(documents: Iterable[DatedDocument], problems: list[str]) -> ReadResult:
    return ReadResult(tuple(documents), tuple(problems))


def _read_folder(folder: Path, form: Form | None, problems: list[str]) -> Iterator[DatedDocument]:
    """Yield the documents of all files below a folder; a file that cannot be read is a problem."""
    paths, pages = _files_in(folder, form, problems)
    if not paths:
        if pages:
            raise InputError(_extract_first(folder))
        raise InputError(f"no documents in {folder}: its files must end in {_KINDS}.")
    for path in paths:
        try:
            yield from _read_file(path, form, problems)
        except InputError as error:
            problems.append(str(error))


def _files_in(folder: Path, form: Form | None, problems: list[str]) -> tuple[list[Path], bool]:
    """Return the files below a folder that have the form, and whether there are HTML pages."""
    errors: list[OSError] = []
    walk = os.walk(folder, onerror=errors.append)
    paths = sorted(Path(place, name) for place, _, files in walk for name in files)
    problems += [_cannot_read(error.filename, error) for error in errors]
    found = [
        path
        for path in paths
        if (kind := _EXTENSIONS.get(path.suffix.lower())) and form in (None, kind)
    ]
    return found, any(path.suffix.lower() in _PAGES for path in paths)


def _read_file(path: Path, form: Form | None, problems: list[str]) -> Iterator[DatedDocument]:
    suffix = path.suffix.lower()
    if form is None and suffix in _PAGES:
        raise InputError(_extract_first(path))
    if form is None and suffix in _PACKED:
        raise InputError(f"{path} is compressed: unpack it first.")
    try:
        stream = io.BufferedReader(path.open("rb", buffering=0), _HEAD)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise InputError(_cannot_read(path, error)) from error
    with stream:
        try:
            yield from _read_stream(stream, str(path), form or _EXTENSIONS.get(suffix), problems)
        except OSError as error:
            raise InputError(_cannot_read(path, error)) from error


def _read_stream(
    stream: _Stream, name: str, form: Form | None, problems: list[str]
) -> Iterator[DatedDocument]:
    """Yield the documents of an open file; the form is told by its content if it is None."""
    if form is None:
        head = _head(stream)
        form = _form_of(head)
        if form is None:
            is_page = re.match(rb"\s*<(?:!doctype\s+html|html)\b", head, re.I)
            raise InputError(_extract_first(name) if is_page else _unknown_form(name))
    yield from _READERS[form](stream, name, problems)


def _unknown_form(name: str) -> str:
    return (
        f"cannot tell what {name} is: give its form with --read-as (form= in Python), one of "
        f"{', '.join(FORMS)}; or a file whose name ends in {_KINDS}."
    )


_HEAD = 1 << 16  # bytes that tell a form


def _head(stream: _Stream) -> bytes:
    """Return the first bytes of a stream without consuming them."""
    if isinstance(stream, io.BytesIO):
        return stream.getvalue()[:_HEAD]
    return stream.peek(_HEAD)


def _form_of(head: bytes) -> Form | None:
    """Return the form that the first bytes of a file have, None if they have none."""
    if head.startswith(b"PAR1"):
        return "parquet"
    text = "".join(_text_lines(io.BytesIO(head))).lstrip()
    if re.match(r"<(?!!doctype\s+html|html\b)", text, re.I):
        return "xml"
    if re.match(r"[{\[]", text):
        return "json"
    if re.search(r"^TY {1,2}-", text, re.M):
        return "ris"
    if re.search(r"^[^\S\n]*@\w+\s*[{(]", text, re.M):
        return "bibtex"
    first = text.split("\n", 1)[0]
    columns = _columns_of_line(first, _delimiter(first))
    return "csv" if len(columns & _COLUMNS) > 1 else None


def _extract_first(name: object) -> str:
    return (
        f"{name} has web pages, not documents: run thresher extract {name} --format json --output "
        "pages.jsonl first, and give pages.jsonl."
    )


def _cannot_read(name: object, error: OSError | ValueError) -> str:
    reason = (getattr(error, "strerror", None) or str(error)).lower()
    return f"cannot read {name}: {reason}."


def _missing_extra(what: str, library: str) -> InputError:
    return InputError(f"{what} needs {library}: pip install 'thresher[trends]'.")


def _text_lines(stream: _Stream) -> Iterator[str]:
    """Yield the lines of a text with their ends, which are "\\n".

    The encoding is UTF-16 with a byte order mark, else UTF-8; a line that is not UTF-8 is read as
    Windows-1252.
    """
    if _head(stream).startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        yield from io.StringIO(stream.read().decode("utf-16", "replace"), newline=None)
        return
    for number, raw in enumerate(stream):
        line = raw.removeprefix(codecs.BOM_UTF8) if number == 0 else raw
        try:
            text = line.decode()
        except UnicodeDecodeError:
            text = line.decode("cp1252", "replace")
        if "\r" in text:
            yield from io.StringIO(text, newline=None)
        else:
            yield text


# --- dates -----------------------------------------------------------------------------------


@lru_cache(maxsize=4096)  # a corpus has few dates
def _is_iso(text: str) -> bool:
    """Return whether a text is a year, month or day of the calendar, as ISO 8601 writes it."""
    if not re.fullmatch(r"[0-9]{4}(?:-[0-9]{2}){0,2}", text):
        return False
    try:
        date.fromisoformat(text + "0000-01-01"[len(text) :])
    except ValueError:
        return False
    return True


@lru_cache(maxsize=4096)
def _iso_of_text(text: str) -> str:
    return to_partial_iso(text)


def _iso(value: Any) -> str:
    """Return a date, a number or a text as an ISO date, "" if it is none."""
    if isinstance(value, datetime | date):
        return value.isoformat()[:10]
    return _iso_of_text(_text(value))


def _most_exact(dates: Iterable[str]) -> str:
    """Return the first date, or a later one that is the same date with its month or day."""
    found = ""
    for iso in dates:
        if iso.startswith(found) and len(iso) > len(found):
            found = iso
    return found


def _with_month(year: str, month: str, day: str) -> str:
    """Return a year with a month (5, May, "17 may") and a day added, as far as they are given."""
    if not year or not month:
        return year
    number = re.fullmatch(r"0?([1-9]|1[0-2])(?:\.0)?", month)
    text = f"{year}-{int(number[1]):02}" if number else f"{month} {year}"
    if number and re.fullmatch(r"\d{1,2}(?:\.0)?", day):
        text += f"-{int(float(day)):02}"
    return _most_exact((year, _iso_of_text(text)))


# --- records ---------------------------------------------------------------------------------

# The columns of each field, in order of preference, as `_column_name` writes them.
_TITLE = ("title", "headline", "article_title")
_TEXT = ("abstract", "text", "content", "summary")
_DATE = ("date", "published", "date_published", "publication_date", "pubdate", "published_at")
_YEAR = ("year", "publication_year", "pub_year")
_SOURCE = (
    "source",
    "journal",
    "journaltitle",
    "journal_title",
    "source_title",
    "journal_book",
    "booktitle",
    "venue",
    "site",
    "publication",
)
_URL = ("url", "link", "address", "doi")
_LANGUAGE = ("language", "lang", "langid")
_COLUMNS = frozenset(
    (*_TITLE, *_TEXT, *_DATE, *_YEAR, *_SOURCE, *_URL, *_LANGUAGE, "month", "day", "input")
)


def _column_name(name: object) -> str:
    """Return the name of a column in lower case, with words joined by underscores."""
    return "_".join(re.findall(r"\w+", str(name).casefold())).replace("__", "_")


def _text(value: Any) -> str:
    """Return a value of a record as text: "" for none, a list joined with commas."""
    if isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if value is None or isinstance(value, dict | bool):
        return ""
    if isinstance(value, float):
        if not math.isfinite(value):
            return ""
        return str(int(value)) if value == int(value) else str(value)
    if isinstance(value, list | tuple):
        return ", ".join(filter(None, map(_text, value)))
    return str(value)


def _document(record: Mapping[str, Any]) -> DatedDocument | None:
    """Return the document of a record with names as `_column_name` writes them.

    None if it has neither a title nor a text.
    """

    def first(names: Iterable[str]) -> str:
        given = (_text(record[name]).strip() for name in names if name in record)
        return next(filter(None, given), "")

    title, text, url = first(_TITLE), first(_TEXT), without_password(first(_URL))
    if not title and not text:
        return None
    year = _most_exact(_iso(record[name]) for name in _YEAR if name in record)
    exact = (_iso(record[name]) for name in _DATE if name in record)
    dates = chain(exact, (_with_month(year, first(["month"]), first(["day"])),))
    if re.match(r"10\.\d{4,}/", url):
        url = f"https://doi.org/{url}"
    source = first(_SOURCE) or _host_of_page(record, url)
    iso = _most_exact(dates) or date_in_url(url)
    return DatedDocument(title, text, iso, source, url, first(_LANGUAGE))


def _host_of_page(record: Mapping[str, Any], url: str) -> str:
    """Return the host of an extracted page that does not name its site, "" for other records."""
    if "input" not in record:
        return ""
    return host_of(url) or host_in_path(Path(_text(record["input"])))


def _documents(
    records: Iterable[tuple[str, Mapping[str, Any]]], problems: list[str]
) -> Iterator[DatedDocument]:
    """Yield the documents of records, given with their places; empty records are problems."""
    for where, record in records:
        document = _document(record)
        if document is None:
            problems.append(f"{where} has neither a title nor a text.")
        else:
            yield document


# --- RIS -------------------------------------------------------------------------------------

_RIS_LINE = re.compile(r"([A-Z][A-Z0-9])(?:  ?-(?: |$))[ \t]*(.*)")
_RIS_FIELDS = {
    "title": ("title", "primary_title"),
    "abstract": ("abstract", "notes_abstract"),
    "year": ("year", "publication_year"),
    "date": ("year", "publication_year", "date"),
    "journal": ("alternate_title3", "journal_name", "secondary_title", "alternate_title2"),
    "url": ("urls", "doi"),
    "language": ("language",),
}


def _read_ris(stream: _Stream, name: str, problems: list[str]) -> Iterator[DatedDocument]:
    """Read RIS record by record, so that a damaged one does not change the others.

    A record begins with TY and goes to ER or to the next TY. Of a tag that is given twice, such as
    the title in two languages, the first is used.
    """
    try:
        import rispy
    except ImportError as error:
        raise _missing_extra("RIS", "rispy") from error
    parser = rispy.RisParser(
        list_tags=list(rispy.TAG_KEY_MAPPING), delimiter_tags_mapping={}, skip_unknown_tags=True
    )
    found = False
    for line, lines in _ris_records(_text_lines(stream), rispy.TAG_KEY_MAPPING):
        found = True
        (tags,) = parser.parse_lines(iter([*lines, "ER  - "]))
        fields = {
            field: next((tags[key][0] for key in keys if tags.get(key)), "")
            for field, keys in _RIS_FIELDS.items()
        }
        dates = (_iso(text) for key in _RIS_FIELDS["date"] for text in tags.get(key, ()))
        record = fields | {"date": _most_exact(dates)}
        yield from _documents([(f"{name}, line {line}", record)], problems)
    if not found:
        raise InputError(f"{name} is not RIS: no line begins with TY  - .")


def _ris_records(lines: Iterable[str], tags: Mapping[str, str]) -> Iterator[tuple[int, list[str]]]:
    """Yield the number of the first line of each record, and its lines, one for each tag.

    The lines are written with two spaces before the hyphen, as rispy wants them, and continued
    lines are joined. With one space only the tags of RIS count, as a text may go on with "US - ".
    """
    record: list[str] = []
    first = 0
    for number, line in enumerate(lines, 1):
        match = _RIS_LINE.match(line.rstrip("\n"))
        tag = match[1] if match and (line[3:4] == " " or match[1] in tags) else ""
        if tag == "TY" and record:
            yield first, record
        if match and tag == "TY":
            first, record = number, [f"TY  - {match[2]}"]
        elif tag == "ER" and record:
            yield first, record
            record = []
        elif match and tag and record:
            record.append(f"{tag}  - {match[2].strip()}")
        elif record and (words := line.strip()):
            record[-1] += f" {words}"
    if record:
        yield first, record


# --- XML of the thesis -----------------------------------------------------------------------

# What XML 1.0 cannot hold: control characters, surrogates, U+FFFE and U+FFFF.
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_XML_SPACE = re.compile("[ \t\r\n]+")


def write_xml(documents: Iterable[DatedDocument], path: str | Path) -> None:
    """Write documents as the XML of the thesis (Listing 6.2) to a file, in UTF-8; see `to_xml`."""
    write_file(Path(path), to_xml(documents))


def to_xml(documents: Iterable[DatedDocument]) -> bytes:
    """Return documents as the XML of the thesis (Listing 6.2), in UTF-8.

    One document is a `<research>` element; several are in a `<records>` element. `read_documents`
    reads the same documents back, except for the characters that XML cannot hold (control
    characters other than tab and line ends, surrogates, U+FFFE, U+FFFF): they are left out. A
    text with other white space than single spaces is marked with `xml:space="preserve"`.

    The document type of the listing, `note`, is not written, as the root element is another one.
    """
    records = [_xml_record(document) for document in documents]
    body = records[0] if len(records) == 1 else f"<records>\n{''.join(records)}</records>\n"
    return f'<?xml version="1.0" encoding="utf-8"?>\n{body}'.encode()


def _xml_record(document: DatedDocument) -> str:
    elements = [
        ("journal", document.source),
        ("title", document.title),
        ("date", document.date),
        ("abstract", document.text),
    ]
    elements += [(name, text) for name in ("url", "language") if (text := getattr(document, name))]
    return f"<research>\n{''.join(_xml_element(*element) for element in elements)}</research>\n"


def _xml_element(name: str, text: str) -> str:
    if not text.isprintable():
        text = _NOT_XML.sub("", text)
    written = escape(text).replace("\r", "&#13;")
    if text != _collapsed(text):
        return f'<{name} xml:space="preserve">{written}</{name}>\n'
    return f"<{name}>\n    {written}\n</{name}>\n" if text else f"<{name}></{name}>\n"


def _collapsed(text: str) -> str:
    """Return a text with single spaces for white space, and none around it."""
    text = text.strip(" \t\r\n")
    if any(mark in text for mark in ("  ", "\n", "\t", "\r")):  # faster than the expression
        return _XML_SPACE.sub(" ", text)
    return text


class _XmlRecords:
    """Collects the `<research>` elements of XML that is given to `parse`.

    External entities and document types are not read; a file that declares entities, which can
    expand to any size, is refused. The entities of HTML, such as `&eacute;`, are known.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.records: list[tuple[int, dict[str, str]]] = []  # line and fields
        self.path: list[str] = []  # names of the open elements
        self.record: dict[str, str] | None = None
        self.depth = 0  # of the record
        self.texts: list[str] = []
        self.preserve = False
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._characters
        self.parser.SkippedEntityHandler = self._skipped_entity
        self.parser.EntityDeclHandler = self._refuse_entity

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self.path.append(name.rpartition(":")[2].lower())
        if self.record is None and self.path[-1] == "research":
            self.record, self.depth = {}, len(self.path)
            self.records.append((self.parser.CurrentLineNumber, self.record))
        elif self.record is not None and len(self.path) == self.depth + 1:
            self.texts = []
            self.preserve = attributes.get("xml:space") == "preserve"

    def _end(self, _name: str) -> None:
        if self.record is not None and len(self.path) == self.depth + 1:
            text = "".join(self.texts)
            self.record.setdefault(self.path[-1], text if self.preserve else _collapsed(text))
        elif len(self.path) == self.depth:
            self.record, self.depth = None, 0
        self.path.pop()

    def _characters(self, text: str) -> None:
        if self.record is not None and len(self.path) > self.depth:
            self.texts.append(text)

    def _skipped_entity(self, name: str, _is_parameter: bool) -> None:
        self._characters(html.entities.html5.get(f"{name};", f"&{name};"))

    def _refuse_entity(self, *_: Any) -> None:
        raise InputError(
            f"{self.name} declares entities, which can expand to any size: it is not read. Replace "
            "the entities by their texts."
        )


def _read_xml(stream: _Stream, name: str, problems: list[str]) -> Iterator[DatedDocument]:
    """Read the records of XML; if it is not well-formed, those that are."""
    data = stream.read()
    before = len(problems)
    whole = _XmlRecords(name)
    try:
        whole.parser.Parse(data, True)
        found = whole.records
    except expat.ExpatError:
        found = _damaged_xml_records(data, name, problems)
    if not found and len(problems) == before:
        raise InputError(f"{name} has no <research> record: it is not the XML of trends.")
    for line, fields in found:
        document = _document_of_xml(fields)
        if document is None:
            problems.append(f"{name}, line {line} has neither a title nor a text.")
        else:
            yield document


def _document_of_xml(fields: Mapping[str, str]) -> DatedDocument | None:
    """Return the document of a record; its texts are exact, as `write_xml` wrote them."""

    def first(*names: str) -> str:
        return next((text for name in names if (text := fields.get(name))), "")

    title, text, written = first("title"), first("abstract", "text"), first("date", "year")
    if not title and not text:
        return None
    iso = written if _is_iso(written) else _iso(written)
    source, url = first("journal", "source"), without_password(first("url"))
    return DatedDocument(title, text, iso, source, url, first("language"))


def _damaged_xml_records(
    data: bytes, name: str, problems: list[str]
) -> list[tuple[int, dict[str, str]]]:
    """Return the records of a file that is not well-formed, such as several files in one.

    Each record is parsed alone, without the characters that XML cannot hold. An ampersand or "<"
    that begins neither an entity nor a tag is read as text.
    """
    declared = re.search(rb"<\?xml[^>]*encoding=[\"']([\w.-]+)", data[:200])
    try:
        text = data.decode(declared[1].decode() if declared else "utf-8")
    except (LookupError, UnicodeDecodeError):
        text = "".join(_text_lines(io.BytesIO(data)))
    text = re.sub(r"&(?!#?\w{1,32};)", "&amp;", _NOT_XML.sub("", text))
    text = re.sub(r"<(?![/!?A-Za-z])", "&lt;", text)
    found: list[tuple[int, dict[str, str]]] = []
    line = 1
    for part in re.split(r"(?=<research[\s>])", text):
        if part.startswith("<research"):
            end = part.rfind("</research")
            alone = _XmlRecords(name)
            try:
                alone.parser.Parse('<!DOCTYPE research SYSTEM "not-read.dtd">', False)
                alone.parser.Parse(part[:end] + "</research>" if end >= 0 else part, True)
                found += [(line, fields) for _, fields in alone.records]
            except expat.ExpatError as error:
                reason = expat.ErrorString(error.code)
                problems.append(f"{name}, line {line + error.lineno - 1}: {reason}.")
        line += part.count("\n")
    return found


# --- BibTeX ----------------------------------------------------------------------------------


class _Macros(dict[str, str]):
    """The texts of @string commands; one that is not defined stands for itself."""

    def __getitem__(self, name: str) -> str:
        return self.get(name.lower(), name)

    def __setitem__(self, name: str, text: str) -> None:
        super().__setitem__(name.lower(), text)


def _read_bibtex(stream: _Stream, name: str, problems: list[str]) -> Iterator[DatedDocument]:
    """Read BibTeX; if an entry is damaged, each entry alone, so that the others are kept."""
    text = "".join(_text_lines(stream))
    if not re.search(r"@\s*\w+\s*[{(]", text):
        raise InputError(f"{name} is not BibTeX: it has no entry such as @article{{...}}.")
    macros = _Macros()
    entries, errors = _bibtex_entries(text, macros)
    if not errors:
        yield from _documents(((f"{name}, {key}", fields) for key, fields in entries), problems)
        return
    line = 1
    for part in re.split(r"(?m)^(?=[ \t]*@\s*\w+\s*[{(])", text):
        entries, errors = _bibtex_entries(part, macros)
        if errors:
            problems.append(f"{name}, line {line}: {errors[0]}.")
        else:
            yield from _documents(((f"{name}, {key}", fields) for key, fields in entries), problems)
        line += part.count("\n")


def _bibtex_entries(
    text: str, macros: _Macros
) -> tuple[list[tuple[str, dict[str, str]]], list[str]]:
    """Return the keys and fields of the entries, and what is wrong with them."""
    try:
        from pybtex.database.input.bibtex import LowLevelParser
    except ImportError as error:
        raise _missing_extra("BibTeX", "pybtex") from error
    errors: list[str] = []

    def note(error: Exception) -> None:
        errors.append(str(error).split(": ", 1)[-1])

    entries: list[tuple[str, dict[str, str]]] = []
    for command, body in LowLevelParser(text, handle_error=note, macros=macros):
        if command.lower() in ("string", "preamble"):
            continue
        key, given = body
        fields: dict[str, str] = {}
        for field, parts in given:
            fields.setdefault(_column_name(field), " ".join("".join(parts).split()))
        kept = {
            field: value if field in _URL else _without_latex(value)
            for field, value in fields.items()
            if field in _COLUMNS
        }
        entries.append((str(key), kept))
    return entries, errors


_SIGNS = (("---", "—"), ("--", "–"), ("``", "“"), ("''", "”"), ("~", " "))


def _without_latex(text: str) -> str:
    """Return a text with letters for LaTeX accents, without braces and other commands."""
    if "\\" in text:
        text = re.sub(r"\\[A-Za-z]+\s?", "", " ".join(_decoded_words(text.split(" "))))
    for written, sign in _SIGNS:
        text = text.replace(written, sign)
    return " ".join(text.replace("{", "").replace("}", "").split())


def _decoded_words(words: list[str]) -> Iterator[str]:
    """Yield words; those with commands of LaTeX are decoded with the next word, as in "\\c c".

    The others are left as they are: decoding takes some microseconds for each character.
    """
    run: list[str] = []
    for word in words:
        if "\\" in word:
            run.append(word)
        elif run:
            yield _decoded_latex(" ".join([*run, word]))
            run = []
        else:
            yield word
    if run:
        yield _decoded_latex(" ".join(run))


@lru_cache(maxsize=4096)
def _decoded_latex(text: str) -> str:
    import latexcodec  # noqa: F401 (registers the codec; pybtex brings it)

    decode: Any = codecs.getdecoder("ulatex")
    text = re.sub(r"(?<!\\)%", r"\\%", text)  # no comment: exports do not escape it
    try:
        return str(decode(text)[0])
    except ValueError:
        return text


# --- Parquet ---------------------------------------------------------------------------------

_ROWS_AT_ONCE = 1024


def _read_parquet(stream: _Stream, name: str, problems: list[str]) -> Iterator[DatedDocument]:
    try:
        import pyarrow as arrow
        from pyarrow import parquet
    except ImportError as error:
        raise _missing_extra("Parquet", "pyarrow") from error
    try:
        with parquet.ParquetFile(stream) as file:
            given = {column: _column_name(column) for column in file.schema_arrow.names}
            wanted = {column: field for column, field in given.items() if field in _COLUMNS}
            _check_columns(set(wanted.values()), name)
            batches = file.iter_batches(_ROWS_AT_ONCE, columns=list(wanted))
            rows = (row for batch in batches for row in _plain(batch).to_pylist())
            records = (
                (f"{name}, row {number}", {wanted[column]: value for column, value in row.items()})
                for number, row in enumerate(rows, 1)
            )
            yield from _documents(records, problems)
    except (OSError, arrow.ArrowException) as error:
        raise InputError(f"cannot read {name}: it is not a Parquet file, or damaged.") from error


def _plain(batch: Any) -> Any:
    """Return a batch of Arrow with times as text, as those in nanoseconds are no Python values."""
    import pyarrow as arrow

    for at, field in enumerate(batch.schema):
        if arrow.types.is_timestamp(field.type):
            batch = batch.set_column(at, field.name, batch.column(at).cast(arrow.string()))
    return batch


def _check_columns(columns: Iterable[str], name: str) -> None:
    if not set(columns) & {*_TITLE, *_TEXT}:
        raise InputError(
            f"{name} has no column title, abstract or text: rename its columns so (and year or "
            "date, source, url, language)."
        )


# --- JSON ------------------------------------------------------------------------------------


def _read_json(stream: _Stream, name: str, problems: list[str]) -> Iterator[DatedDocument]:
    """Read JSON Lines, or one object or a list of them over several lines."""
    lines = ((number, line) for number, line in enumerate(_text_lines(stream), 1) if line.strip())
    first = next(lines, None)
    if first is None:
        raise InputError(f"{name} is empty.")
    is_lines = isinstance(_loaded(first[1]), dict)
    if not is_lines:
        rest = list(lines)
        whole = _loaded("".join(line for _, line in [first, *rest]))
        if whole is not None:
            records = whole if isinstance(whole, list) else [whole]
            places = ((f"{name}, record {number}", one) for number, one in enumerate(records, 1))
            yield from _documents(_json_records(places, problems), problems)
            return
        lines = (pair for pair in rest)
        if not any(isinstance(_loaded(line), dict) for _, line in rest):
            raise InputError(f"{name} is not JSON, nor JSON Lines.")
    places = ((f"{name}, line {number}", _loaded(line)) for number, line in chain([first], lines))
    yield from _documents(_json_records(places, problems), problems)


def _loaded(text: str) -> Any:
    """Return the value of a JSON text, None if it is not JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _json_records(
    places: Iterable[tuple[str, Any]], problems: list[str]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the objects with their places; other values are problems."""
    for where, value in places:
        if isinstance(value, dict):
            yield where, {_column_name(key): field for key, field in value.items()}
        else:
            problems.append(f"{where}: this is not an object of JSON.")


# --- CSV and TSV -----------------------------------------------------------------------------

_END = "\0end\0"  # a row added after the last one: if it is missing, a quote is open


def _read_csv(
    stream: _Stream, name: str, problems: list[str], delimiter: str = ""
) -> Iterator[DatedDocument]:
    lines = _text_lines(stream)
    header = next((line for line in lines if line.strip()), "")
    delimiter = delimiter or _delimiter(header)
    with _long_fields():
        reader = csv.reader(chain([header], lines, ["\n", _END]), delimiter=delimiter)
        columns = [_column_name(name) for name in next(reader, [])]
        _check_columns(columns, name)
        records = _csv_records(reader, columns, name, problems)
        yield from _documents(records, problems)


def _read_tsv(stream: _Stream, name: str, problems: list[str]) -> Iterator[DatedDocument]:
    return _read_csv(stream, name, problems, "\t")


def _csv_records(
    reader: Any, columns: list[str], name: str, problems: list[str]
) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the rows with their places; a quote that is never closed is a problem."""
    line = reader.line_num + 1
    for cells in reader:
        where = f"{name}, line {line}"
        line = reader.line_num + 1
        if cells == [_END]:
            return
        if cells and cells[-1].endswith(_END):
            problems.append(f"{where}: a quotation mark is never closed; the rest is not read.")
        elif any(cells[len(columns) :]):
            problems.append(
                f"{where} has more cells than the first line: quote texts with the delimiter."
            )
        elif cells:
            # Of two columns with one name the first that is not empty is used.
            record: dict[str, str] = {}
            for column, cell in zip(columns, cells, strict=False):
                record[column] = record.get(column) or cell
            yield where, record


@contextmanager
def _long_fields() -> Iterator[None]:
    """Let the csv module read fields of any length."""
    before = csv.field_size_limit(min(sys.maxsize, 2**31 - 1))
    try:
        yield
    finally:
        csv.field_size_limit(before)


def _columns_of_line(line: str, delimiter: str) -> set[str]:
    return {_column_name(cell) for cell in next(csv.reader([line], delimiter=delimiter), [])}


def _delimiter(header: str) -> str:
    """Return the delimiter that gives the most known columns; a comma if none does."""
    return max(",;\t|", key=lambda mark: len(_columns_of_line(header, mark) & _COLUMNS))


def is_undated_extract(path: str | Path) -> bool:
    """Return whether a file is CSV as `thresher extract` writes it, but without dates."""
    try:
        with Path(path).open("rb") as file:
            header = next(_text_lines(io.BytesIO(file.read(_HEAD))), "")
    except (OSError, ValueError):
        return False
    columns = _columns_of_line(header, _delimiter(header))
    return {"input", "text"} <= columns and not columns & {*_DATE, *_YEAR}


_Reader: TypeAlias = Callable[[Any, str, list[str]], Iterator[DatedDocument]]
_READERS: dict[Form, _Reader] = {
    "ris": _read_ris,
    "xml": _read_xml,
    "bibtex": _read_bibtex,
    "parquet": _read_parquet,
    "json": _read_json,
    "csv": _read_csv,
    "tsv": _read_tsv,
}
