"""`thresher evaluate`: measure methods and peers on pages whose main content is known."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from thresher import methods
from thresher.batch.atomic_file import to_utf8, write_file
from thresher.batch.messages import print_message
from thresher.cli.options import (
    check_output,
    corpora_argument,
    examples,
    limit_option,
    methods_option,
    read_method,
)
from thresher.cli.progress import corpus_progress
from thresher.errors import UsageError
from thresher.methods import combine
from thresher.viewer.page_shell import count

if TYPE_CHECKING:
    from thresher.evaluate.results import Results, Row

_EPILOG = examples(
    "thresher evaluate examples",
    "thresher evaluate examples -m bte -m cetd --peer turbohtml --report report.html",
)

_GROUPS = ("site", "lang", "kind")


@click.command("evaluate", epilog=_EPILOG)
@corpora_argument
@methods_option("A method to measure; repeat it for more. All methods unless given.")
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
    help="Also print the means of each group; repeat it for more.",
)
@limit_option
@click.option("--jobs", type=click.IntRange(min=1), help="Processes; one per core unless given.")
@click.option("--json", "json_path", metavar="PATH", help="Write the results of all pages as JSON.")
@click.option("--csv", "csv_path", metavar="PATH", help="Write a record per page and tool as CSV.")
@click.option("--report", "report_path", metavar="PATH", help="Write charts and diffs as HTML.")
@click.option("--cache", "cache_path", metavar="PATH", help="Where results are kept for next time.")
@click.option("--no-cache", is_flag=True, help="Compute all results anew, and keep none.")
def command(
    corpora: tuple[str, ...], expressions: tuple[str, ...], peer_lists: tuple[str, ...],
    by: tuple[str, ...], limit: int | None, jobs: int | None, cache_path: str | None,
    no_cache: bool, **paths: str | None,
) -> None:  # fmt: skip
    """Measure methods on pages whose main content is known.

    Other tools can be measured with them. CORPUS is a Parquet file, a file of JSON Lines (html,
    text, and what else is known), or a folder of pages with the gold text beside them.
    """
    peers = [name.strip() for listed in peer_lists for name in listed.split(",")]
    tools = [combine.write(read_method(expression)) for expression in expressions]
    cache: dict[str, Any] = {"cache_path": Path(cache_path)} if cache_path else {}
    if no_cache:
        cache = {"cache_path": None}
    places = [Path(corpus) for corpus in corpora]
    _check_outputs(places, [path for path in paths.values() if path])
    results = measure(
        places,
        tuple(tools or methods.names()),
        tuple(filter(None, peers)),
        jobs=jobs,
        limit=limit,
        **cache,
    )
    rows = results.rows(by)
    click.echo(score_table(rows))
    for sentence in _missing_groups(rows, by):
        print_message("Note", sentence)
    _write(results, places, limit, **paths)


def _check_outputs(places: list[Path], outputs: list[str]) -> None:
    """Raise, before anything is computed, if an output is a corpus, a folder or given twice."""
    for output in outputs:
        check_output(Path(output), places)
    if len({os.path.realpath(output) for output in outputs}) < len(outputs):
        raise UsageError("two outputs have the same name: give each its own.")


def measure(
    places: list[Path], expressions: tuple[str, ...], peers: tuple[str, ...] = (), **options: Any
) -> Results:
    """Evaluate tools with a progress bar; results are cached in the user's cache folder."""
    from thresher.evaluate.run import Tools, evaluate

    tools = Tools(expressions, peers)
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    options = {"cache_path": Path(home) / "thresher" / "scores.sqlite"} | options
    with corpus_progress(places, options.get("limit")) as advance:
        return evaluate(places, tools, progress=advance, **options)


# --- the table -----------------------------------------------------------------------------------

_COLUMNS = (  # after the word F1
    ("LCS F1", "lcs_f1"),
    ("4-gram F1", "shingle_f1"),
    ("precision", "bag_precision"),
    ("recall", "bag_recall"),
    ("snippets", "snippets"),
)
_MAX_GROUPS = 40  # of a corpus, the largest


def score_table(rows: list[Row]) -> str:
    """Return the means as lines of text, best word F1 first within each group."""
    groups: dict[str, dict[str, list[Row]]] = {}
    for row in rows:
        groups.setdefault(row.corpus, {}).setdefault(row.group, []).append(row)
    wide = max((len(row.tool) for row in rows), default=4)
    lines: list[str] = []
    for corpus, by_group in sorted(groups.items()):
        largest = sorted(by_group, key=lambda name: (name != "all", -by_group[name][0].pages, name))
        shown, left = largest[: _MAX_GROUPS + 1], largest[_MAX_GROUPS + 1 :]
        for name in shown[:1] + sorted(shown[1:]):
            lines += _group_lines(f"{corpus}, {name}", by_group[name], wide)
        if left:
            lines += ["", f"{corpus}: {count(len(left), 'smaller group')} left out; --csv has all."]
    return "\n".join(lines).lstrip("\n")


def _group_lines(title: str, rows: list[Row], wide: int) -> Iterator[str]:
    titles = "".join(f"{title:>11}" for title, _ in _COLUMNS)
    yield ""
    yield f"{title}: {rows[0].pages} page{'s' * (rows[0].pages != 1)}"
    yield f"{'':<{wide}}  {'word F1, 95 %':>15}{titles}{'ms':>8}{'MB/s':>7}"
    for row in sorted(rows, key=lambda row: -row.means["bag_f1"].value):
        f1 = row.means["bag_f1"]
        cells = f"{f1.value:.3f} {f1.low:.2f}-{f1.high:.2f}".rjust(15)
        for _, score in _COLUMNS:
            mean = row.means.get(score)
            cells += (f"{mean.value:.3f}" if mean else "-").rjust(11)
        speed = f"{row.milliseconds:8.1f}{row.megabytes_per_second:7.1f}"
        failed = f"  failed on {row.failed}" if row.failed else ""
        yield f"{row.tool:<{wide}}  {cells}{speed}{failed}"


def _missing_groups(rows: list[Row], by: Sequence[str]) -> Iterator[str]:
    """Yield a sentence for each corpus whose pages lack a property to group them by."""
    for corpus in dict.fromkeys(row.corpus for row in rows):
        groups = [row.group for row in rows if row.corpus == corpus]
        for name in by:
            if not any(group.startswith(f"{name}: ") for group in groups):
                yield f"no page of {corpus} has a {name}, so there are no groups by {name}."


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
        from thresher.evaluate.run import worst_pages
        from thresher.viewer.report import report

        texts[report_path] = lambda: report(results, worst_pages(results, places, limit))
    for path, make in texts.items():
        write_file(Path(path), to_utf8(make()))
