"""`thresher evaluate`: measure methods and peers on pages whose main content is known."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from thresher import methods
from thresher.batch.atomic_file import NewFile, encoded
from thresher.batch.messages import say
from thresher.batch.sinks import refuse_source
from thresher.cli.options import examples, method_of
from thresher.errors import UsageError
from thresher.methods import combine
from thresher.viewer.page_shell import count

if TYPE_CHECKING:
    from thresher.evaluate.results import Results, Row
    from thresher.evaluate.run import Tools

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
    chosen = [combine.write(method_of(expression)) for expression in expressions]
    tools = Tools(tuple(chosen or methods.names()), tuple(filter(None, named)))
    where = None if no_cache else Path(cache_path or _cache_home() / "scores.sqlite")
    places = [Path(corpus) for corpus in corpora]
    _check_outputs(places, [path for path in paths.values() if path])
    results = _measure(places, tools, jobs=jobs, cache_path=where, limit=limit)
    rows = results.rows(by)
    click.echo(table(rows))
    for sentence in _without_groups(rows, by):
        say("Note", sentence)
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

    with page_progress(places, options.get("limit")) as advance:
        return evaluate(places, tools, progress=advance, **options)


def measure_methods(places: list[Path], expressions: tuple[str, ...], limit: int | None) -> Results:
    """Measure methods with the usual cache."""
    from thresher.evaluate.run import Tools

    where = _cache_home() / "scores.sqlite"
    return _measure(places, Tools(expressions), cache_path=where, limit=limit)


def _cache_home() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "thresher"


@contextmanager
def page_progress(places: list[Path], limit: int | None) -> Iterator[Callable[[int], object]]:
    """Show a bar on a terminal: pages done of all, time spent and time left."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )  # fmt: skip

    columns = (
        BarColumn(), MofNCompleteColumn(), TextColumn("pages"), TimeElapsedColumn(),
        TextColumn("left:"), TimeRemainingColumn(),
    )  # fmt: skip
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("pages", total=_total(places, limit))
        yield lambda pages: bar.advance(task, pages)


def _total(places: list[Path], limit: int | None) -> int | None:
    """Return how many pages will be measured, if all corpora can tell."""
    from thresher.evaluate import corpora

    total = 0
    for place in places:
        size = corpora.size(place)
        if size is None:
            return None
        total += size if limit is None else min(size, limit)
    return total


_COLUMNS = (
    ("word F1", "bag_f1"),
    ("LCS F1", "lcs_f1"),
    ("4-gram F1", "shingle_f1"),
    ("precision", "bag_precision"),
    ("recall", "bag_recall"),
    ("snippets", "snippets"),
)


_MOST_GROUPS = 40  # of a corpus in the terminal, the largest


def table(rows: list[Row]) -> str:
    """Return the means as lines of text, best word F1 first within each group."""
    groups: dict[str, dict[str, list[Row]]] = {}
    for row in rows:
        groups.setdefault(row.corpus, {}).setdefault(row.group, []).append(row)
    wide = max((len(row.tool) for row in rows), default=4)
    lines: list[str] = []
    for corpus, by_group in sorted(groups.items()):
        largest = sorted(by_group, key=lambda name: (name != "all", -by_group[name][0].pages, name))
        shown, left = largest[: _MOST_GROUPS + 1], largest[_MOST_GROUPS + 1 :]
        for name in shown[:1] + sorted(shown[1:]):
            lines += _group(f"{corpus}, {name}", by_group[name], wide)
        if left:
            lines += ["", f"{corpus}: {count(len(left), 'smaller group')} left out; --csv has all."]
    return "\n".join(lines).lstrip("\n")


def _group(title: str, rows: list[Row], wide: int) -> Iterator[str]:
    titles = "".join(f"{title:>11}" for title, _ in _COLUMNS)
    yield ""
    yield f"{title}: {rows[0].pages} page{'s' * (rows[0].pages != 1)}"
    yield f"{'':<{wide}}  {'word F1, 95 %':>15}{titles[11:]}{'ms':>8}{'MB/s':>7}"
    for row in sorted(rows, key=_rank):
        yield _line(row, wide)


def _without_groups(rows: list[Row], by: Sequence[str]) -> Iterator[str]:
    """Yield a sentence for each corpus whose pages do not say what they should be grouped by."""
    for corpus in dict.fromkeys(row.corpus for row in rows):
        own = [row.group for row in rows if row.corpus == corpus]
        for name in by:
            if not any(group.startswith(f"{name}: ") for group in own):
                yield f"no page of {corpus} has a {name}, so there are no groups by {name}."


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
        from thresher.viewer.report import report

        texts[report_path] = lambda: report(results, failures(results, places, limit))
    for path, make in texts.items():
        with NewFile(Path(path)) as file:
            file.add(encoded(make()))
