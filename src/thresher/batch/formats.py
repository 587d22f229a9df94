"""Documents as output records, in each format."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Literal, TypeAlias

from thresher.batch.sources import Input
from thresher.document import Document
from thresher.render import FORMATS, FormatName, Include, SpeechOptions

Form: TypeAlias = FormatName | Literal["csv"]
EXTENSIONS: dict[Form, str] = {name: form.extension for name, form in FORMATS.items()}
EXTENSIONS["csv"] = ".csv"
FORMS: tuple[Form, ...] = tuple(EXTENSIONS)

_CSV_COLUMNS = (
    *("input", "url", "title", "language", "status", "method", "text"),
    *("date", "site", "authors"),
)

# A cell that a spreadsheet would run as a formula (https://owasp.org/www-community/attacks/CSV_Injection).
_FORMULA = re.compile(r"[=+\-@\t\r\n＝＋－＠].", re.S)


@dataclass(frozen=True, slots=True)
class Writer:
    """Writes documents in one format.

    With `several`, records go to one place: JSON is written as one object per line. With
    `whole_page`, HTML is a complete page instead of an `<article>`. `speech` and `related`, which
    returns the documents to read after one, are for speech.
    """

    form: Form
    include: Include = field(default_factory=Include)
    several: bool = False
    whole_page: bool = False
    speech: SpeechOptions = field(default_factory=SpeechOptions)
    related: Callable[[Input, Document], Sequence[Document]] | None = None

    @property
    def extension(self) -> str:
        """The extension of files in this format."""
        return ".ssml" if self.form == "speech" and self.speech.ssml else EXTENSIONS[self.form]

    @property
    def header(self) -> str:
        """The text before the first record: the column names of CSV, else ""."""
        return csv_line(_CSV_COLUMNS) if self.form == "csv" else ""

    def __call__(self, source: Input, document: Document) -> str:
        """Return the record of one document with its line end; "" for an empty text."""
        if self.form == "csv":
            cells = {
                "input": source.name,
                "text": document.render("text", self.include),
                "authors": "; ".join(document.authors),
            }
            return csv_line(
                [
                    disarmed(cells[name] if name in cells else getattr(document, name) or "")
                    for name in _CSV_COLUMNS
                ]
            )
        if self.form == "json":
            record = {"input": source.name} | document.to_dict(self.include)
            indent = None if self.several else 2
            return json.dumps(record, ensure_ascii=False, indent=indent) + "\n"
        if self.form == "speech":
            spoken, related = self.speech, self.related
            written = document.speech(
                self.include,
                ssml=spoken.ssml,
                code=spoken.code,
                related=related(source, document) if related else (),
            )
        else:
            written = document.render(self.form, self.include)
        if self.form == "html" and self.whole_page:
            written = _html_page(document, written)
        return f"{written}\n" if written and not written.endswith("\n") else written


def disarmed(cell: str) -> str:
    """Put an apostrophe before a cell that a spreadsheet would run as a formula.

    The text comes from the author of the page. JSON has the exact text.
    """
    return f"'{cell}" if _FORMULA.match(cell) else cell


def csv_line(cells: Sequence[str]) -> str:
    """Return one record as in RFC 4180, ending in CR LF."""
    line = io.StringIO(newline="")
    csv.writer(line).writerow(cells)
    return line.getvalue()


def _html_page(document: Document, article: str) -> str:
    language = f' lang="{escape(document.language)}"' if document.language else ""
    return (
        f'<!DOCTYPE html>\n<html{language}>\n<meta charset="utf-8">\n'
        f"<title>{escape(document.title)}</title>\n{article}\n"
    )
