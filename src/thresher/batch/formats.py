"""A document as the text of one output record, in each format."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import dataclass, field
from html import escape
from typing import Literal, TypeAlias, get_args

from thresher.batch.sources import Input
from thresher.document import Document
from thresher.render import Include

Form: TypeAlias = Literal["text", "markdown", "html", "json", "tei", "csv", "in-place"]
FORMS: tuple[Form, ...] = get_args(Form)
EXTENSIONS: dict[Form, str] = {
    "text": ".txt",
    "markdown": ".md",
    "html": ".html",
    "json": ".json",
    "tei": ".xml",
    "csv": ".csv",
    "in-place": ".html",
}

_COLUMNS = ("input", "url", "title", "language", "status", "method", "text")

# A cell that a spreadsheet would run as a formula (https://owasp.org/www-community/attacks/CSV_Injection).
_FORMULA = re.compile(r"[=+\-@\t\r\n＝＋－＠].", re.S)


@dataclass(frozen=True, slots=True)
class Writer:
    """Writes documents in one format.

    `several`: JSON comes as lines, one object each. `whole`: HTML comes as a page that a browser
    can open, instead of a fragment.
    """

    form: Form
    include: Include = field(default_factory=Include)
    several: bool = False
    whole: bool = False

    @property
    def header(self) -> str:
        """What stands once before all records."""
        return _csv_line(_COLUMNS) if self.form == "csv" else ""

    def __call__(self, source: Input, document: Document) -> str:
        """Return the record of one document, its line end included; "" when there is nothing."""
        if self.form == "csv":
            return _csv_line(self._cells(source, document))
        if self.form == "json":
            record = {"input": source.name} | document.to_dict(self.include)
            shape = None if self.several else 2
            return json.dumps(record, ensure_ascii=False, indent=shape) + "\n"
        written = document.render(self.form, self.include)
        if self.form == "html" and self.whole:
            written = _page(document, written)
        return f"{written}\n" if written and not written.endswith("\n") else written

    def _cells(self, source: Input, document: Document) -> list[str]:
        text = document.render("text", self.include)
        cells = {"input": source.name, "text": text}
        return [
            _guarded(cells[name] if name in cells else getattr(document, name) or "")
            for name in _COLUMNS
        ]


def _guarded(cell: str) -> str:
    """Put an apostrophe before what a spreadsheet would take for a formula.

    The page's author chooses the text, and CSV is what people open in spreadsheets; who needs the
    text to the letter has JSON.
    """
    return f"'{cell}" if _FORMULA.match(cell) else cell


def _csv_line(cells: list[str] | tuple[str, ...]) -> str:
    """One record as in RFC 4180, ending in CR LF."""
    line = io.StringIO(newline="")
    csv.writer(line).writerow(cells)
    return line.getvalue()


def _page(document: Document, article: str) -> str:
    language = f' lang="{escape(document.language)}"' if document.language else ""
    return (
        f'<!DOCTYPE html>\n<html{language}>\n<meta charset="utf-8">\n'
        f"<title>{escape(document.title)}</title>\n{article}\n"
    )
