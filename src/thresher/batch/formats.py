"""Documents as output records, in each format."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any, Literal, TypeAlias

from thresher.batch.sources import Input
from thresher.document import USUAL_FIELDS, Document, choose_fields, field_names
from thresher.errors import UsageError
from thresher.render import FORMATS, FormatName, Include, SpeechOptions
from thresher.render.csv_text import csv_line, disarmed
from thresher.render.json_text import indented_json, json_line, plain_data

Form: TypeAlias = FormatName | Literal["csv"]
EXTENSIONS: dict[Form, str] = {name: form.extension for name, form in FORMATS.items()}
EXTENSIONS["csv"] = ".csv"
FORMS: tuple[Form, ...] = tuple(EXTENSIONS)

# The fields of CSV and JSON unless others are chosen.
_USUAL: dict[Form, tuple[str, ...]] = {
    "csv": tuple("input url title language status method text date site authors".split()),
    "json": ("input", *USUAL_FIELDS),
}


@dataclass(frozen=True, slots=True)
class Writer:
    """Writes documents in one format.

    With `several`, records go to one place: JSON is written as one object per line. With
    `whole_page`, HTML is a complete page instead of an `<article>`. `fields` are for CSV and JSON
    (see `record_fields`). `speech` and `related`, which returns the documents to read after one,
    are for speech.
    """

    form: Form
    include: Include = field(default_factory=Include)
    several: bool = False
    whole_page: bool = False
    fields: Sequence[str] = ()  # the usual ones if empty
    speech: SpeechOptions = field(default_factory=SpeechOptions)
    related: Callable[[Input, Document], Sequence[Document]] | None = None

    @property
    def extension(self) -> str:
        """The extension of files in this format."""
        return ".ssml" if self.form == "speech" and self.speech.ssml else EXTENSIONS[self.form]

    @property
    def header(self) -> str:
        """The text before the first record: the column names of CSV, else ""."""
        return csv_line(self.columns) if self.form == "csv" else ""

    @property
    def columns(self) -> Sequence[str]:
        """The fields of a record, () for a format without any."""
        return self.fields or _USUAL.get(self.form, ())

    def __call__(self, source: Input, document: Document) -> str:
        """Return the record of one document with its line end; "" for an empty text."""
        if self.form == "csv" or self.form == "json":
            least = document.least_record(self.columns)
            return document.within_limit(lambda part: self._record(source, part), *least)
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

    def _record(self, source: Input, document: Document) -> str:
        """Return the chosen fields as an object of JSON or as a line of CSV."""
        columns = self.columns
        own = [name for name in columns if name != "input"]
        values = document.field_values(self.include, fields=own) if own else iter(())
        # One by one: a field is not needed once it is written.
        items = (("input", source.name) if name == "input" else next(values) for name in columns)
        if self.form == "csv":
            return csv_line([disarmed(_cell(plain_data(value))) for _, value in items])
        return (json_line(items) if self.several else indented_json(items)) + "\n"


def record_fields(form: Form, fields: str | None) -> tuple[str, ...]:
    """Return the fields of a format that has some: the usual ones, unless others are given."""
    if form not in _USUAL:
        if fields is not None:
            raise UsageError("--fields is for --format json and csv: give one of them too.")
        return ()
    return choose_fields(fields, _USUAL[form], ("input", *field_names()))


def _cell(value: Any) -> str:
    """Return a value as a cell: texts as they are or joined by `; `, other values as JSON."""
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return "; ".join(value)
    return json.dumps(value, ensure_ascii=False)


def _html_page(document: Document, article: str) -> str:
    language = f' lang="{escape(document.language)}"' if document.language else ""
    return (
        f'<!DOCTYPE html>\n<html{language}>\n<meta charset="utf-8">\n'
        f"<title>{escape(document.title)}</title>\n{article}\n"
    )
