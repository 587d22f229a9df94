"""`thresher trends`: how similar dated documents are to queries, over time (TrendFinder)."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
import numpy as np

from thresher.batch.atomic_file import to_utf8, write_file, write_stdout
from thresher.batch.messages import Messages, printable
from thresher.cli.options import check_output, examples
from thresher.cli.progress import page_progress, stderr_is_terminal
from thresher.errors import InputError, UsageError
from thresher.render.csv_text import csv_line, disarmed
from thresher.trends.documents import (
    FORMS,
    DatedDocument,
    Form,
    distinct,
    is_undated_extract,
    read_documents,
    to_xml,
)
from thresher.trends.plot import MAX_PANELS, choose_panels, picture, short_names, unwritable
from thresher.trends.queries import Query, read_queries, thesis_queries
from thresher.trends.trend import PERIODS, SCALE, Trends, trend
from thresher.trends.vectors import WEIGHTS
from thresher.viewer.page_shell import count
from thresher.viewer.plots import image_format, require_matplotlib

_EPILOG = examples(
    "thresher trends examples/abstracts.ris --queries examples/topics.toml",
    "thresher trends examples/abstracts.ris --queries examples/topics.toml --output trends.html",
    "thresher trends examples/abstracts.ris --queries thesis --together --output trends.svg",
)
_FORMATS = {
    ".png": "png",
    ".svg": "png",
    ".pdf": "png",
    ".html": "html",
    ".htm": "html",
    ".csv": "csv",
    ".json": "json",
    ".txt": "table",
}
_MAX_PROBLEMS = 5  # of a corpus that are printed
_MAX_NAMES = 4  # of corpora in a title
_NO_QUERIES = (
    "say what to look for: give --queries FILE.toml, a file with a line [queries] and below it one "
    'such as floods = ["flood", "high water"] for each topic, or --queries thesis for the four '
    "queries of the thesis (biology)."
)


@click.command("trends", epilog=_EPILOG)
@click.argument("corpora", metavar="CORPUS...", nargs=-1, required=True)
@click.option(
    "--queries",
    "query_file",
    metavar="FILE",
    help="The keywords of each topic, as TOML; or thesis: the four queries of the thesis.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "json", "csv", "png", "html"]),
    help="A table; everything as JSON; the means as CSV; a plot, as .png, .svg or .pdf; or a "
    "report for a browser. What the name in --output ends in, else table, unless given.",
)
@click.option(
    "--by", type=click.Choice(PERIODS), default="year", show_default=True, help="The periods."
)
@click.option(
    "--weight",
    type=click.Choice(WEIGHTS),
    default="tf",
    show_default=True,
    help="How keywords are weighed. tf: how often they occur, as in the thesis; tf/max: that, "
    "divided by the most frequent; tf-idf and salton: rare keywords count more.",
)
@click.option(
    "--source",
    "sources",
    metavar="NAME",
    multiple=True,
    help="Only the documents of this journal or site; repeat it for more, each by itself.",
)
@click.option("--together", is_flag=True, help="All sources in one plot and table.")
@click.option(
    "--language",
    default="en",
    show_default=True,
    metavar="CODE",
    help="The language of the documents and keywords, for stems and stop words; auto: the one that "
    "each document declares.",
)
@click.option("--no-stem", is_flag=True, help="Find keywords only as they are written.")
@click.option("--no-stop-words", is_flag=True, help="Keep stop words inside keywords.")
@click.option("--titles", is_flag=True, help="Look for keywords in the titles too.")
@click.option(
    "--distinct",
    "once",
    is_flag=True,
    help="Leave out documents that repeat another one: the same address; without one, the same in "
    "everything.",
)
@click.option(
    "--confidence",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.95,
    show_default=True,
    help="Of the bands around the curves.",
)
@click.option(
    "--read-as",
    type=click.Choice(FORMS),
    help="What CORPUS is; told by its name or content unless given.",
)
@click.option(
    "--write-xml",
    "xml_path",
    metavar="PATH",
    help="Also write the documents as the XML of the thesis; needs no --queries. - is standard "
    "output.",
)
@click.option("--output", metavar="PATH", help="The file to write. Standard output unless given.")
@click.option("--quiet", is_flag=True, help="Show errors only: no progress bar, no warnings.")
def command(
    corpora: tuple[str, ...], query_file: str | None, form: str | None, sources: tuple[str, ...],
    together: bool, once: bool, read_as: Form | None, xml_path: str | None, output: str | None,
    quiet: bool, **options: Any,
) -> None:  # fmt: skip
    """Show how topics come and go in dated documents.

    Each CORPUS is a file of abstracts or articles (RIS, BibTeX, XML of the thesis, Parquet, JSON
    Lines, CSV), a folder of such files, or - for standard input. The pages of a folder become such
    a file with thresher extract FOLDER --format json --output pages.jsonl.

    The score of a document for a query is the cosine between their keywords; a curve is the mean
    score of each year, month or week. It needs pip install 'thresher[trends]'.
    """
    messages = Messages(quiet)
    queries = _queries(query_file, xml_path)
    form = _format(form, output)
    _check_outputs(form, output, xml_path, corpora, has_queries=bool(queries))
    shown = stderr_is_terminal() and not quiet
    with page_progress(None, shown=shown, noun="documents") as advance:
        documents, problems = _documents(corpora, read_as, advance)
    for problem in problems:
        messages.warn(problem)
    if once:
        documents = _distinct(documents, messages)
    if xml_path is not None:
        _write(xml_path, to_xml(documents))
    if not queries:
        return
    trends = _trend(documents, queries, corpora, **options)
    for note in [*trends.notes(), *_without_documents(trends)]:
        messages.warn(note)
    panels = choose_panels(trends, sources, together=together)
    number = len({document.source for document in trends.documents})
    if number > MAX_PANELS and not (sources or together):
        messages.warn(
            f"{count(number, 'source')} are shown together: --source NAME shows one by itself, "
            "--together leaves out this warning."
        )
    name = _name(corpora)
    if form == "png":
        _warn_of_boxes(unwritable(panels, name), messages)
    _write(output, _content(form, Path(output or ""), panels, name, trends.notes()))


# --- reading -------------------------------------------------------------------------------------


def _queries(path: str | None, xml_path: str | None) -> tuple[Query, ...]:
    if path == "thesis":
        return thesis_queries()
    if path is not None:
        return read_queries(path)
    if xml_path is not None:
        return ()
    raise UsageError(_NO_QUERIES)


def _format(form: str | None, output: str | None) -> str:
    """Return the format that is given, or the one that the name of the output ends in."""
    if not _is_file(output):
        return form or "table"
    ending = Path(output or "").suffix.lower()
    known = _FORMATS.get(ending)
    if form is None and known is None:
        raise UsageError(
            f"{output}: the ending tells the format, and must be {_one_of(_FORMATS)}; or give "
            "--format."
        )
    if form is not None and known not in (None, form, "table"):
        endings = [end for end, kind in _FORMATS.items() if kind == form]
        raise UsageError(
            f"{output} ends in {ending}, but --format is {form}: end the name in "
            f"{_one_of(endings)}, or leave --format out."
        )
    return form or str(known)


def _one_of(endings: Iterable[str]) -> str:
    *others, last = endings
    return f"{', '.join(others)} or {last}" if others else last


def _is_file(path: str | None) -> bool:
    return path is not None and path != "-"


def _check_outputs(
    form: str,
    output: str | None,
    xml_path: str | None,
    corpora: Sequence[str],
    *,
    has_queries: bool,
) -> None:
    """Raise, before anything is read, if an output cannot be written or is one of the corpora."""
    if sum(corpus == "-" for corpus in corpora) > 1:
        raise UsageError("standard input can be read once: give - once.")
    to_file = _is_file(output)
    files = [Path(path) for path in (output, xml_path) if path is not None and path != "-"]
    for path in files:
        check_output(path, [corpus for corpus in corpora if corpus != "-"])
    if len(files) > len({path.resolve() for path in files}):
        raise UsageError("two outputs have the same name: give each its own.")
    if xml_path == "-" and has_queries and not to_file:
        raise UsageError(
            "the XML and the trends would both be on standard output: give --output FILE, or leave "
            "--queries out."
        )
    if form == "png":
        if not to_file:
            raise UsageError("a plot needs a file: give --output trends.png (or .svg or .pdf).")
        image_format(Path(output or ""))
        require_matplotlib("trends")
    elif form == "html" and not to_file and sys.stdout is not None and sys.stdout.isatty():
        raise UsageError("the report is for a browser: give --output FILE, or redirect the output.")


def _documents(
    corpora: Sequence[str], form: Form | None, advance: Callable[[int], object]
) -> tuple[list[DatedDocument], list[str]]:
    """Read all corpora; also return sentences about the records that were left out."""
    documents: list[DatedDocument] = []
    problems: list[str] = []
    for corpus in corpora:
        found = read_documents(sys.stdin.buffer if corpus == "-" else corpus, form)
        documents += found
        problems += found.problems
        advance(len(found))
    if not documents:
        raise InputError(
            f"{', '.join(corpora)}: no documents. Give a file with titles, dates and texts, or the "
            "output of thresher extract --format json."
        )
    if len(problems) > _MAX_PROBLEMS:
        more = f"{count(len(problems) - _MAX_PROBLEMS, 'more record')} left out likewise."
        problems[_MAX_PROBLEMS:] = [more]
    return documents, problems


def _distinct(documents: list[DatedDocument], messages: Messages) -> list[DatedDocument]:
    """Return the documents without repeated ones; say how many are left out."""
    kept = distinct(documents)
    if len(kept) < len(documents):
        messages.warn(f"{count(len(documents) - len(kept), 'repeated document')} left out.")
    return kept


def _trend(
    documents: Sequence[DatedDocument],
    queries: Sequence[Query],
    corpora: Sequence[str],
    *,
    no_stem: bool,
    no_stop_words: bool,
    by: str,
    **options: Any,
) -> Trends:
    """Score the documents; raise if there is nothing to show."""
    trends = trend(
        documents, queries, by=by, stem=not no_stem, stop_words=not no_stop_words, **options
    )
    if not trends.documents:
        raise InputError(_nothing_to_show(trends, documents, corpora))
    if not trends.found.any():
        raise InputError(
            "no document has any keyword of the queries: check their spelling, and --language "
            f"({options['language']})."
        )
    return trends


def _nothing_to_show(
    trends: Trends, documents: Sequence[DatedDocument], corpora: Sequence[str]
) -> str:
    """Return why no document can be used, and what to do."""
    if trends.without_text:
        return "no document with a date has a text: use --titles to score the titles."
    if trends.by != "year" and any(document.date for document in documents):
        return f"no document has a date as exact as a {trends.by}: use --by year."
    sentence = "no document has a date: give each a field date or year, such as 2006 or 2006-05-17"
    if any(is_undated_extract(corpus) for corpus in corpora):
        sentence += "; to write the pages with their dates, use thresher extract --format json"
    return f"{sentence}."


def _without_documents(trends: Trends) -> Iterator[str]:
    """Yield a sentence for each query whose keywords never occur."""
    for number, query in enumerate(trends.queries):
        if not trends.found[:, number].any():
            yield f"no document has a keyword of {query.name!r}: check their spelling."


def _name(corpora: Sequence[str]) -> str:
    """Return the names of the corpora without their endings, for a title."""
    paths = [Path(corpus).resolve() for corpus in dict.fromkeys(corpora) if corpus != "-"]
    names = [path.name if path.is_dir() else path.stem for path in paths]
    if len(names) > _MAX_NAMES:
        names[_MAX_NAMES - 1 :] = [f"{len(names) - _MAX_NAMES + 1} more"]
    return ", ".join(names)


# --- writing -------------------------------------------------------------------------------------


def _write(path: str | None, data: bytes) -> None:
    """Write a file, or standard output for None and -."""
    if path is None or path == "-":
        write_stdout(data)
    else:
        write_file(Path(path), data)


def _warn_of_boxes(names: Sequence[str], messages: Messages) -> None:
    """Warn, once, of names that a plot cannot show."""
    if names:
        more = f" and {count(len(names) - 1, 'other name')}" if len(names) > 1 else ""
        messages.warn(
            f"the font of plots lacks letters of {names[0]!r}{more}, which become boxes: --format "
            "html shows all letters."
        )


def _content(
    form: str, path: Path, panels: Mapping[str, Trends], name: str, notes: Sequence[str]
) -> bytes:
    """Return what is written in a format."""
    if form == "png":
        return picture(panels, image_format(path), name=name)
    if form == "html":
        from thresher.trends.report import report

        return to_utf8(report(panels, title=f"Trends in {name}" if name else "Trends", notes=notes))
    write = {"table": _table, "csv": _csv, "json": _json}[form]
    return to_utf8(write(panels))


def _json(panels: Mapping[str, Trends]) -> str:
    """Return an object with all that is known of each panel, by its name."""
    data = {name: trends.to_dict() for name, trends in panels.items()}
    return json.dumps(data, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


_COLUMNS = (
    "source", "period", "documents", "query", "mean_x1000", "low_x1000", "high_x1000",
    "without_keyword",
)  # fmt: skip


def _csv(panels: Mapping[str, Trends]) -> str:
    """Return a record for each source, query and period; empty cells where there are no documents.

    Scores are times 1000, as in the table, with three decimals.
    """
    records = [
        [disarmed(name), period, str(number), disarmed(query.name), *cells]
        for name, trends in panels.items()
        for place, query in enumerate(trends.queries)
        for period, number, *cells in zip(
            trends.periods,
            trends.count.tolist(),
            *(
                map(_decimal, (SCALE * means[:, place]).tolist())
                for means in (trends.mean, trends.low, trends.high)
            ),
            map(_decimal, trends.without_keyword[:, place].tolist()),
            strict=True,
        )
    ]
    return "".join(map(csv_line, [_COLUMNS, *records]))


def _decimal(value: float) -> str:
    return f"{value:.3f}" if np.isfinite(value) else ""


_MAX_NAME = 18  # cells of a query's name above its column


def _table(panels: Mapping[str, Trends]) -> str:
    """Return the means x 1000 of each panel, as Table 6.4, and what is known of the curves."""
    return "\n".join("".join(f"{line}\n" for line in _lines(*panel)) for panel in panels.items())


def _lines(name: str, trends: Trends) -> Iterator[str]:
    yield printable(
        f"{name}: {count(len(trends.documents), 'document')}, mean score x {SCALE}, "
        f"weight {trends.weight}"
    )
    names = [query.name for query in trends.queries]
    rows = [[trends.by, "documents", *short_names(names, _MAX_NAME, _cut)]]
    for row in trends.table():
        means = ["-" if row[name] is None else str(row[name]) for name in names]
        rows.append([row["period"], f"{row['documents']:,}", *means])
    rows.append(["no keyword", "", *(f"{share:.0%}" for share in trends.without_any().tolist())])
    rows.append(["shape", "", *trends.shapes])
    yield from _aligned(rows)
    for query in names:
        changes = [
            f"{change.kind} in {change.period} ({SCALE * change.before:.0f} to "
            f"{SCALE * change.after:.0f})"
            for change in trends.changes
            if change.query == query
        ]
        if changes:
            yield printable(f"{query}: {', '.join(changes)}")


def _cut(name: str, most: int) -> str:
    """Return a name in one line, cut after `most` cells of a terminal."""
    from rich.cells import cell_len, set_cell_size

    name = " ".join(printable(name).split())
    return name if cell_len(name) <= most else f"{set_cell_size(name, most - 3).rstrip()}..."


def _aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield the rows with columns aligned to the right, the first one to the left."""
    from rich.cells import cell_len

    sizes = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    for first, *others in rows:
        cells = [first + " " * (sizes[0] - cell_len(first))]
        cells += [
            " " * (size - cell_len(cell)) + cell
            for cell, size in zip(others, sizes[1:], strict=True)
        ]
        yield "  ".join(cells).rstrip()
