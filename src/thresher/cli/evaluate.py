"""`thresher evaluate`: measure methods and peers on pages whose main content is known."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from thresher import methods
from thresher.cli.files import NewFile, encoded
from thresher.cli.options import examples
from thresher.cli.sinks import refuse_source
from thresher.errors import UsageError

if TYPE_CHECKING:
    from thresher.evaluate.results import Results, Row
    from thresher.evaluate.run import Tools

__all__ = ["command", "measure_methods", "table"]

_EPILOG = examples(
    "thresher evaluate examples",
    "thresher evaluate examples -m bte -m cetd --peer turbohtml --report report.html",
)

_GROUPS = ("site", "lang", "kind")


@click.command("evaluate", epilog=_EPILOG)
@click.argument("corpora", metavar="CORPUS...", nargs=-1, required=True)
@click.option(
    "-m",
    "--method",
    "expressions",
    metavar="EXPR",
    multiple=True,
    help="A method to measure; give it again for more. All of them unless given.",
)
@click.option(
    "--peer",
    "peer_lists",
    metavar="NAMES",
    multiple=True,
    help="Other tools to measure beside them, separated by commas.",
)
@click.option(
    "--by",
    type=click.Choice(_GROUPS),
    multiple=True,
    help="Means by group as well; give it again for more.",
)
@click.option("--limit", type=click.IntRange(min=1), help="Take the first pages of each corpus.")
@click.option("--jobs", type=click.IntRange(min=1), help="Processes; one per core unless given.")
@click.option("--json", "json_path", metavar="PATH", help="Write all page results as JSON.")
@click.option("--csv", "csv_path", metavar="PATH", help="Write a record per page and tool.")
@click.option("--report", "report_path", metavar="PATH", help="Write a page of charts and diffs.")
@click.option("--cache", "cache_path", metavar="PATH", help="Where results are kept for next time.")
@click.option("--no-cache", is_flag=True, help="Keep nothing, and compute everything again.")
def command(
    corpora: tuple[str, ...], expressions: tuple[str, ...], peer_lists: tuple[str, ...],
    by: tuple[str, ...], limit: int | None, jobs: int | None, cache_path: str | None,
    no_cache: bool, **paths: Any,
) -> None:  # fmt: skip
    """Measure methods and other tools on pages whose main content is known.

    CORPUS is a Parquet file, a file of JSON Lines (html, text, and what else is known), or a
    folder of pages with the gold text beside them.
    """
    from thresher.evaluate.run import Tools

    named = [name.strip() for listed in peer_lists for name in listed.split(",")]
    tools = Tools(tuple(expressions or methods.names()), tuple(filter(None, named)))
    where = None if no_cache else Path(cache_path or _cache_home() / "scores.sqlite")
    places = [Path(corpus) for corpus in corpora]
    _check_outputs(places, [path for path in paths.values() if path])
    results = _measure(places, tools, jobs=jobs, cache_path=where, limit=limit)
    click.echo(table(results.rows(by)))
    _write(results, places, limit, **paths)


def _check_outputs(places: list[Path], outputs: list[str]) -> None:
    """Refuse, before anything is computed, to write over a corpus or one output over another."""
    for output in outputs:
        refuse_source(Path(output), {os.path.realpath(place) for place in places})
        if Path(output).is_dir():
            raise UsageError(f"{output} is a folder: give the name of a file.")
    if len({os.path.realpath(output) for output in outputs}) < len(outputs):
        raise UsageError("two outputs have the same name: give each its own.")


def _measure(places: list[Path], tools: Tools, **options: Any) -> Results:
    from thresher.evaluate.run import evaluate

    with _progress() as advance:
        return evaluate(places, tools, progress=advance, **options)


def measure_methods(places: list[Path], expressions: tuple[str, ...], limit: int | None) -> Results:
    """Measure methods with the usual cache."""
    from thresher.evaluate.run import Tools

    where = _cache_home() / "scores.sqlite"
    return _measure(places, Tools(expressions), cache_path=where, limit=limit)


def _cache_home() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "thresher"


@contextmanager
def _progress() -> Iterator[Callable[[int], object]]:
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import Progress, TextColumn, TimeElapsedColumn

    columns = TextColumn("{task.completed} pages"), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("pages", total=None)
        yield lambda pages: bar.advance(task, pages)


_COLUMNS = (
    ("word F1", "bag_f1"),
    ("LCS F1", "lcs_f1"),
    ("4-gram F1", "shingle_f1"),
    ("precision", "bag_precision"),
    ("recall", "bag_recall"),
    ("snippets", "snippets"),
)


def table(rows: list[Row]) -> str:
    """Return the means as lines of text, best word F1 first within each group."""
    lines = []
    ordered = sorted(rows, key=lambda row: (row.corpus, row.group != "all", row.group, _rank(row)))
    wide = max((len(row.tool) for row in ordered), default=4)
    seen = None
    for row in ordered:
        if (row.corpus, row.group) != seen:
            seen = row.corpus, row.group
            titles = "".join(f"{title:>11}" for title, _ in _COLUMNS)
            lines += ["", f"{row.corpus}, {row.group}: {row.pages} page{'s' * (row.pages != 1)}"]
            lines.append(f"{'':<{wide}}  {'word F1, 95 %':>15}{titles[11:]}{'ms':>8}{'MB/s':>7}")
        lines.append(_line(row, wide))
    return "\n".join(lines).lstrip("\n")


def _rank(row: Row) -> float:
    return -row.means["bag_f1"].value


def _line(row: Row, wide: int) -> str:
    f1 = row.means["bag_f1"]
    cells = [f"{f1.value:.3f} {f1.low:.2f}-{f1.high:.2f}".rjust(15)]
    for _, measure in _COLUMNS[1:]:
        mean = row.means.get(measure)
        cells.append(f"{mean.value:.3f}".rjust(11) if mean else "-".rjust(11))
    failed = f"  failed on {row.failed}" if row.failed else ""
    speed = f"{row.milliseconds:8.1f}{row.megabytes_per_second:7.1f}"
    return f"{row.tool:<{wide}}  {''.join(cells)}{speed}{failed}"


def _write(
    results: Results, places: list[Path], limit: int | None, json_path: str | None,
    csv_path: str | None, report_path: str | None,
) -> None:  # fmt: skip
    texts: dict[str, Callable[[], str]] = {}
    if json_path:
        texts[json_path] = results.to_json
    if csv_path:
        texts[csv_path] = results.to_csv
    if report_path:
        from thresher.evaluate.failures import failures
        from thresher.evaluate.report import report

        texts[report_path] = lambda: report(results, failures(results, places, limit))
    for path, make in texts.items():
        with NewFile(Path(path)) as file:
            file.add(encoded(make()))
