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
    corrections_option,
    examples,
    limit_option,
    methods_option,
    read_method,
)
from thresher.cli.progress import corpus_progress
from thresher.errors import UsageError
from thresher.evaluate.results import MEASURES
from thresher.methods import combine
from thresher.viewer.page_shell import count

if TYPE_CHECKING:
    from thresher.evaluate.results import Results, Row
    from thresher.evaluate.structure import StructureRow

_EPILOG = examples(
    "thresher evaluate examples",
    "thresher evaluate examples -m bte -m cetd --peer turbohtml --report report.html",
    "thresher evaluate examples -m bte -m addanag --by site --score lcs_f1",
)

_GROUPS = ("site", "lang", "kind")
_SPEEDS = ("milliseconds", "megabytes_per_second")


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
@click.option(
    "--score",
    type=click.Choice((*MEASURES, *_SPEEDS)),
    help="Print this score alone, as the papers do: a row for each tool, a column for each group.",
)
@click.option(
    "--structure",
    is_flag=True,
    help="Score headings, lists, code, quotes, tables, links and images instead of the text.",
)
@limit_option
@corrections_option
@click.option("--jobs", type=click.IntRange(min=1), help="Processes; one per core unless given.")
@click.option("--json", "json_path", metavar="PATH", help="Write the results of all pages as JSON.")
@click.option("--csv", "csv_path", metavar="PATH", help="Write a record per page and tool as CSV.")
@click.option("--report", "report_path", metavar="PATH", help="Write charts and diffs as HTML.")
@click.option("--cache", "cache_path", metavar="PATH", help="Where results are kept for next time.")
@click.option("--no-cache", is_flag=True, help="Compute all results anew, and keep none.")
def command(
    corpora: tuple[str, ...], expressions: tuple[str, ...], peer_lists: tuple[str, ...],
    by: tuple[str, ...], score: str | None, structure: bool, limit: int | None,
    corrections: bool | None, jobs: int | None, cache_path: str | None, no_cache: bool,
    **paths: str | None,
) -> None:  # fmt: skip
    """Measure methods on pages whose main content is known.

    Other tools can be measured with them. CORPUS is a Parquet file, a file of JSON Lines (html,
    text, and what else is known), or a folder of pages with the gold text beside them. With
    --structure it is a file with gold_html or gold_markdown instead of the text.
    """
    peers = [name.strip() for listed in peer_lists for name in listed.split(",")]
    tools = [combine.write(read_method(expression)) for expression in expressions]
    cache: dict[str, Any] = {"cache_path": Path(cache_path)} if cache_path else {}
    if no_cache:
        cache = {"cache_path": None}
    places = [Path(corpus) for corpus in corpora]
    _check_outputs(places, [path for path in paths.values() if path])
    if structure:
        if by or score or corrections or jobs or cache or paths.pop("report_path"):
            raise UsageError("--structure takes --method, --peer, --limit, --json and --csv only.")
        _evaluate_structure(places, tools, tuple(filter(None, peers)), limit, **paths)
        return
    results = measure(
        places,
        tuple(tools or methods.names()),
        tuple(filter(None, peers)),
        jobs=jobs,
        limit=limit,
        corrected=bool(corrections),
        **cache,
    )
    rows = results.rows(by)
    click.echo(one_score(rows, score) if score else score_table(rows))
    for sentence in _missing_groups(rows, by):
        print_message("Note", sentence)
    _write(results, places, limit, bool(corrections), **paths)


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


# --- structure -----------------------------------------------------------------------------------


def _evaluate_structure(
    places: list[Path], tools: list[str], peers: tuple[str, ...], limit: int | None,
    json_path: str | None, csv_path: str | None,
) -> None:  # fmt: skip
    """Print the scores of structure, and write those of all pages."""
    from thresher.evaluate.structure import evaluate_structure

    with corpus_progress(places, limit) as advance:
        results = evaluate_structure(
            places, tools or ["default"], peers, limit=limit, progress=advance
        )
    click.echo(structure_table(results.rows()))
    if json_path:
        write_file(Path(json_path), to_utf8(results.to_json()))
    if csv_path:
        write_file(Path(csv_path), to_utf8(results.to_csv()))


def structure_table(rows: Sequence[StructureRow]) -> str:
    """Return the mean F1 of each kind as lines of text, and the pages that have such elements."""
    from thresher.evaluate.structure import KINDS

    wide = max((len(row.tool) for row in rows), default=4) + 10
    lines: list[str] = []
    for corpus in dict.fromkeys(row.corpus for row in rows):
        own = [row for row in rows if row.corpus == corpus]
        lines += ["", f"{corpus}: F1"]
        lines.append(" " * wide + "".join(f"{kind:>10}" for kind in KINDS))
        pages = "".join(f"{own[0].pages[kind]:>10}" for kind in KINDS)
        lines.append(f"{'pages':<{wide}}{pages}")
        for row in own:
            means = [row.f1.get(kind) for kind in KINDS]
            cells = "".join((f"{mean.value:.3f}" if mean else "-").rjust(10) for mean in means)
            failed = f"  failed on {row.failed}" if row.failed else ""
            lines.append(f"{row.tool + ', ' + row.form:<{wide}}{cells}{failed}")
        lines += ["", f"{corpus}: elements found on pages whose gold has none"]
        for row in own:
            cells = "".join(f"{row.elsewhere[kind]:>10}" for kind in KINDS)
            lines.append(f"{row.tool + ', ' + row.form:<{wide}}{cells}")
    return "\n".join(lines).lstrip("\n")


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


_MAX_COLUMNS, _COLUMN_WIDTH = 12, 14  # of a table of one score; the papers have 10 and 12 sites


def one_score(rows: list[Row], score: str) -> str:
    """Return the means of one score: a line for each tool and a column for each group.

    The best of each column has an asterisk. Of many groups the largest are shown.
    """
    lines: list[str] = []
    for corpus in sorted({row.corpus for row in rows}):
        own = [row for row in rows if row.corpus == corpus]
        pages = {row.group: row.pages for row in own}
        largest = sorted(pages, key=lambda name: (name != "all", -pages[name], name))
        shown, left = largest[:_MAX_COLUMNS], largest[_MAX_COLUMNS:]
        values = {(row.tool, row.group): _score_of(row, score) for row in own}
        tools = list(dict.fromkeys(row.tool for row in own))
        first = {tool: values.get((tool, "all")) or 0.0 for tool in tools}
        better = min if score == "milliseconds" else max
        best = {
            name: better((v for tool in tools if (v := values.get((tool, name))) is not None),
                         default=None)
            for name in shown
        }  # fmt: skip
        wide = max(len(tool) for tool in (*tools, "pages"))
        names = [_shortened(name.partition(": ")[2] or name) for name in shown]
        lines += ["", f"{corpus}, {score}"]
        lines.append(" " * wide + "".join(f"{name:>15} " for name in names).rstrip())
        lines.append(f"{'pages':<{wide}}" + "".join(f"{pages[n]:>15} " for n in shown).rstrip())
        for tool in sorted(tools, key=lambda tool: (-first[tool], tool)):
            cells = [_score_cell(values.get((tool, name)), best[name]) for name in shown]
            lines.append(f"{tool:<{wide}}" + "".join(cells).rstrip())
        if left:
            lines += ["", f"{corpus}: {count(len(left), 'smaller group')} left out; --csv has all."]
    return "\n".join(lines).lstrip("\n")


def _score_of(row: Row, score: str) -> float | None:
    """Return the mean of a score or a speed; None if the group has no such score."""
    if score in _SPEEDS:
        return float(getattr(row, score))
    mean = row.means.get(score)
    return mean.value if mean else None


def _score_cell(value: float | None, best: float | None) -> str:
    """Return a cell with its mark: an asterisk if it is the best."""
    shown = "-" if value is None else f"{value:.3f}"
    return f"{shown:>15}" + ("*" if value is not None and value == best else " ")


def _shortened(name: str) -> str:
    return name if len(name) <= _COLUMN_WIDTH else name[: _COLUMN_WIDTH - 1] + "…"


def _missing_groups(rows: list[Row], by: Sequence[str]) -> Iterator[str]:
    """Yield a sentence for each corpus whose pages lack a property to group them by."""
    for corpus in dict.fromkeys(row.corpus for row in rows):
        groups = [row.group for row in rows if row.corpus == corpus]
        for name in by:
            if not any(group.startswith(f"{name}: ") for group in groups):
                yield f"no page of {corpus} has a {name}, so there are no groups by {name}."


def _write(
    results: Results, places: list[Path], limit: int | None, corrected: bool,
    json_path: str | None, csv_path: str | None, report_path: str | None,
) -> None:  # fmt: skip
    texts: dict[str, Callable[[], str]] = {}
    if json_path:
        texts[json_path] = results.to_json
    if csv_path:
        texts[csv_path] = results.to_csv
    if report_path:
        from thresher.evaluate.run import worst_pages
        from thresher.viewer.report import report

        texts[report_path] = lambda: report(
            results, worst_pages(results, places, limit, corrected=corrected)
        )
    for path, make in texts.items():
        write_file(Path(path), to_utf8(make()))
