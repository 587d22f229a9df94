"""The report of a run: one self-contained HTML page that needs no knowledge of the papers.

    results --rows--> means per corpus --> findings, charts, tables; worst pages --> word diffs

A switch at the top chooses the F1 that everything shows: words counted in any order, or in the
order of the text. The page loads nothing and runs no script; its size depends on the number of
tools, corpora and groups, not of pages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from thresher.evaluate import peers
from thresher.evaluate.failures import WorstPage
from thresher.evaluate.results import Mean, PageResult, Results, Row, group_of
from thresher.viewer import charts
from thresher.viewer.charts import Dot, clean
from thresher.viewer.page_shell import count, sheet
from thresher.viewer.report_text import BODY, CORPUS, EXPLAINED, SHORT, STYLE
from thresher.viewer.worst_pages import STYLE as WORST_STYLE
from thresher.viewer.worst_pages import worst_pages

_MEASURES = ("bag", "lcs")  # what the switch offers
_COLUMNS = {  # above a column; the parts stand on lines of their own
    "bag_f1": ("any order", "F1"),
    "bag_precision": ("any order", "precision"),
    "bag_recall": ("any order", "recall"),
    "lcs_f1": ("in order", "F1"),
    "lcs_precision": ("in order", "precision"),
    "lcs_recall": ("in order", "recall"),
    "shingle_f1": ("4-word runs", "F1"),
    "snippets": ("snippets", "right"),
}
_GROUPINGS = {"kind": "kind of page", "lang": "language", "site": "site"}
_FEWEST_GROUPS, _MOST_GROUPS = 2, 30
_GOOD, _BAD = 0.9, 0.5  # F1 of pages that count as read well, and as lost


@dataclass(frozen=True, slots=True)
class _Corpus:
    """One corpus of the run: its pages, and a row per tool."""

    name: str
    pages: list[PageResult]
    rows: list[Row]

    def ranked(self, measure: str) -> list[Row]:
        """Return the rows that have an F1, the best first."""
        having = [row for row in self.rows if f"{measure}_f1" in row.means]
        return sorted(having, key=lambda row: -row.means[f"{measure}_f1"].value)


def report(results: Results, worst: Sequence[WorstPage] = ()) -> str:
    """Return a self-contained HTML page with the charts, tables and worst pages of a run."""
    corpora = _corpora(results)
    tools = list(dict.fromkeys([*results.tools, *(page.tool for page in results.pages)]))
    pages = sum(_page_count(corpus) for corpus in corpora)
    parts = [count(pages, "page"), count(len(tools), "tool")]
    parts.append(f"{len(corpora)} corpora" if len(corpora) != 1 else "1 corpus")
    sections = "\n".join(
        _section(corpus, number, EXPLAINED if number == 0 else SHORT)
        for number, corpus in enumerate(corpora)
    )
    body = BODY.format(
        subtitle=", ".join(parts),
        contents=_contents(corpora, worst),
        tools=_tool_list(tools, results.tools),
        overview=_overview(corpora) if len(corpora) > 1 else "",
        sections=sections or '<p class="note">No pages were measured.</p>',
        worst=_worst(worst),
    )
    return sheet("Evaluation report", STYLE + charts.STYLE + WORST_STYLE, body)


def _corpora(results: Results) -> list[_Corpus]:
    pages: dict[str, list[PageResult]] = {}
    for page in results.pages:
        pages.setdefault(page.corpus, []).append(page)
    return [_Corpus(name, own, Results(tuple(own)).rows()) for name, own in pages.items()]


def _page_count(corpus: _Corpus) -> int:
    return len({page.page for page in corpus.pages})


# --- small pieces --------------------------------------------------------------------------------


def _tool(name: str) -> str:
    kind = "peer" if _is_peer(name) else "ours"
    what = "another tool" if _is_peer(name) else "method"
    mark = f'<i class="mark {kind}" title="{what}"></i>'
    return f'<span class="tool">{mark}<code><bdi>{clean(name)}</bdi></code></span>'


def _is_peer(tool: str) -> bool:
    return tool in peers.names()


def _mean(mean: Mean | None, *, best: bool = False) -> str:
    """Return a table cell with a mean and its interval."""
    if mean is None:
        return '<td class="none">–</td>'
    value = f"<b>{mean.value:.3f}</b>" if best else f"{mean.value:.3f}"
    return f"<td>{value}<small>{mean.low:.3f}–{mean.high:.3f}</small></td>"


def _milliseconds(value: float) -> str:
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}" if value >= 0.1 else f"{value:.4f}"


def _table(head: Sequence[str], rows: Sequence[str], kind: str = "") -> str:
    first, *others = head
    cells = f"<th>{first}</th>" + "".join(f'<th scope="col">{name}</th>' for name in others)
    return (
        f'<div class="scroll" tabindex="0"><table class="{kind}"><thead><tr>{cells}</tr></thead>'
        f"<tbody>\n{chr(10).join(rows)}\n</tbody></table></div>"
    )


def _by_measure(draw: Callable[[str], str]) -> str:
    """Return something once for each F1; the switch shows one of them."""
    return "".join(f'<div class="{measure}">{draw(measure)}</div>' for measure in _MEASURES)


# --- what stands above the corpora ---------------------------------------------------------------


def _contents(corpora: Sequence[_Corpus], worst: Sequence[WorstPage]) -> str:
    links = [f'<a href="#c{n}">{clean(corpus.name)}</a>' for n, corpus in enumerate(corpora)]
    if worst:
        links.append('<a href="#worst">worst pages</a>')
    return f"<nav>{' '.join(links)}</nav>" if len(links) > 1 else ""


def _tool_list(tools: Sequence[str], versions: dict[str, str]) -> str:
    if not tools:
        return ""
    rows = [
        f'<tr><th scope="row">{_tool(tool)}</th>'
        f"<td>{'another tool' if _is_peer(tool) else 'method'}</td>"
        f"<td>{clean(versions.get(tool, '')) or '–'}</td></tr>"
        for tool in tools
    ]
    table = _table(["tool", "what it is", "version or digest of the source"], rows, "words")
    title = f"What was measured: {count(len(tools), 'tool')}"
    return f"<details><summary>{title}</summary>{table}</details>"


def _overview(corpora: Sequence[_Corpus]) -> str:
    def draw(measure: str) -> str:
        means = {
            c.name: {r.tool: r.means[f"{measure}_f1"] for r in c.ranked(measure)} for c in corpora
        }
        return _matrix(means, "tool", overall=True)

    return (
        "<section><h2>All corpora</h2><figure><figcaption><p>Mean F1 on each corpus, its 95 % "
        "interval below, the best in bold. The last column is the mean of the corpora, for tools "
        f"that ran on all of them.</p></figcaption>{_by_measure(draw)}</figure></section>"
    )


def _matrix(means: dict[str, dict[str, Mean]], corner: str, *, overall: bool = False) -> str:
    """Return a table of tools by groups; `means` is by group, then by tool."""
    tools = list(dict.fromkeys(tool for of_group in means.values() for tool in of_group))
    average = {
        tool: float(np.mean([own[tool].value for own in means.values()]))
        for tool in tools
        if all(tool in own for own in means.values())
    }
    tools.sort(key=lambda tool: -average.get(tool, -1.0))
    top = {group: max(mean.value for mean in own.values()) for group, own in means.items() if own}

    def cell(group: str, tool: str) -> str:
        mean = means[group].get(tool)
        return _mean(mean, best=mean is not None and mean.value == top[group])

    if len(means) > max(len(tools), 8) and not overall:  # the longer side goes down the page
        rows = [
            f'<tr><th scope="row"><bdi>{clean(group)}</bdi></th>'
            f"{''.join(cell(group, tool) for tool in tools)}</tr>"
            for group in means
        ]
        return _table([corner, *map(_tool, tools)], rows, "matrix")
    rows = []
    for tool in tools:
        cells = "".join(cell(group, tool) for group in means)
        if overall:
            cells += f"<td>{average[tool]:.3f}</td>" if tool in average else _mean(None)
        rows.append(f'<tr><th scope="row">{_tool(tool)}</th>{cells}</tr>')
    groups = [f"<bdi>{clean(group)}</bdi>" for group in means]
    return _table(["tool", *groups, *["mean"] * overall], rows, "matrix")


# --- one corpus ----------------------------------------------------------------------------------


def _section(corpus: _Corpus, number: int, explained: dict[str, str]) -> str:
    return CORPUS.format(
        number=number,
        name=clean(corpus.name),
        pages=count(_page_count(corpus), "page"),
        finding=_by_measure(lambda measure: _finding(corpus.ranked(measure), measure)),
        speed=_by_measure(lambda measure: charts.speed(_speed_dots(corpus, measure))),
        balance=_by_measure(
            lambda measure: charts.precision_recall(_balance_dots(corpus, measure))
        ),
        spread=_by_measure(lambda measure: _spread(corpus, measure)),
        means=_means(corpus),
        groups="".join(_groups(corpus)),
        **{f"about_{name}": text for name, text in explained.items()},
    )


def _finding(rows: Sequence[Row], measure: str) -> str:
    """Say in words who is best, how sure that is, and who is fastest."""
    if not rows:
        return "<p>No page has this score.</p>"
    best, *others = rows
    top = best.means[f"{measure}_f1"]
    said = (
        f"{_tool(best.tool)} has the highest mean F1: <b>{top.value:.3f}</b>, with 95 % confidence "
        f"between {top.low:.3f} and {top.high:.3f}."
    )
    near = [row for row in others if row.means[f"{measure}_f1"].high >= top.low]
    if near:
        names = ", ".join(_tool(row.tool) for row in near[:5]) + (" and more" if near[5:] else "")
        said += f" The intervals of {names} overlap with it: on other pages the order may differ."
    fastest = min(rows, key=lambda row: row.milliseconds)
    if others and fastest is best:
        said += f" It is also the fastest: {_milliseconds(best.milliseconds)} ms a page."
    elif others:
        said += (
            f" The fastest is {_tool(fastest.tool)} at {_milliseconds(fastest.milliseconds)} ms a "
            f"page; the best takes {_milliseconds(best.milliseconds)} ms."
        )
    failed = [f"{_tool(row.tool)} on {count(row.failed, 'page')}" for row in rows if row.failed]
    if failed:
        said += f" Failed: {', '.join(failed)} (these pages count as empty texts)."
    return f'<p class="finding">{said}</p>'


def _hover(row: Row, measure: str) -> str:
    f1 = row.means[f"{measure}_f1"]
    return (
        f"{row.tool}: F1 {f1.value:.3f} ({f1.low:.3f} to {f1.high:.3f}), "
        f"{_milliseconds(row.milliseconds)} ms a page"
    )


def _speed_dots(corpus: _Corpus, measure: str) -> list[Dot]:
    dots = []
    for row in corpus.ranked(measure):
        f1, spent = row.means[f"{measure}_f1"], row.milliseconds
        hover = _hover(row, measure)
        bars = (spent, spent), (f1.low, f1.high)
        dots.append(Dot(row.tool, _is_peer(row.tool), spent, f1.value, *bars, hover))
    return dots


def _balance_dots(corpus: _Corpus, measure: str) -> list[Dot]:
    dots = []
    for row in corpus.ranked(measure):
        recall, precision = (row.means.get(f"{measure}_{name}") for name in ("recall", "precision"))
        if recall is None or precision is None:
            continue
        hover = (
            f"{_hover(row, measure)}, recall {recall.value:.3f}, precision {precision.value:.3f}"
        )
        bars = (recall.low, recall.high), (precision.low, precision.high)
        dots.append(Dot(row.tool, _is_peer(row.tool), recall.value, precision.value, *bars, hover))
    return dots


def _spread(corpus: _Corpus, measure: str) -> str:
    scores: dict[str, list[float]] = {}
    for page in corpus.pages:
        if (score := page.scores.get(f"{measure}_f1")) is not None:
            scores.setdefault(page.tool, []).append(score)
    rows = []
    for row in corpus.ranked(measure):
        values = np.asarray(scores[row.tool])
        tenth, median = np.quantile(values, (0.1, 0.5))
        rows.append(
            f'<tr class="{"peer" if _is_peer(row.tool) else "ours"}">'
            f'<th scope="row">{_tool(row.tool)}</th><td>{charts.strip(values.tolist())}</td>'
            f"<td>{tenth:.3f}</td><td>{median:.3f}</td>"
            f"<td>{np.mean(values < _BAD):.1%}</td><td>{np.mean(values >= _GOOD):.1%}</td></tr>"
        )
    head = ["tool", "pages from the worst to the best", "worst tenth below", "median",
            f"pages under {_BAD}", f"pages from {_GOOD}"]  # fmt: skip
    return _table(head, rows, "spread")


def _means(corpus: _Corpus) -> str:
    names = [name for name in _COLUMNS if any(name in row.means for row in corpus.rows)]
    top = {n: max(row.means[n].value for row in corpus.rows if n in row.means) for n in names}
    ranked = corpus.ranked("bag")
    rows = []
    for row in [*ranked, *(row for row in corpus.rows if row not in ranked)]:
        cells = "".join(
            _mean(mean, best=mean is not None and mean.value == top[name])
            for name, mean in ((name, row.means.get(name)) for name in names)
        )
        rows.append(
            f'<tr><th scope="row">{_tool(row.tool)}</th>{cells}'
            f"<td>{_milliseconds(row.milliseconds)}</td><td>{row.megabytes_per_second:.2f}</td>"
            f"<td>{row.pages:,}</td><td>{row.failed:,}</td></tr>"
        )
    head = [
        "tool",
        *("<br>".join(_COLUMNS[name]) for name in names),
        "ms<br>a page",
        "MB/s",
        "pages",
        "failed",
    ]
    return _table(head, rows, "means")


def _groups(corpus: _Corpus) -> Iterator[str]:
    """Yield a folded table for each way to group the pages that gives neither one nor too many."""
    number = {n: len({group_of(page, n) for page in corpus.pages} - {""}) for n in _GROUPINGS}
    by = [name for name in _GROUPINGS if _FEWEST_GROUPS <= number[name] <= _MOST_GROUPS]
    if not by:
        return
    wanted = [f"{measure}_f1" for measure in _MEASURES]
    slim = tuple(
        replace(page, scores={name: page.scores.get(name) for name in wanted})
        for page in corpus.pages
    )
    rows = Results(slim).rows(by)
    for name in by:
        own = [row for row in rows if row.group.startswith(f"{name}: ")]
        tables = _by_measure(partial(_group_table, own, name))
        yield (
            f"<details><summary>F1 by {_GROUPINGS[name]} ({number[name]} groups)</summary>"
            f"{tables}</details>"
        )


def _group_table(rows: Sequence[Row], name: str, measure: str) -> str:
    sizes: dict[str, int] = {}
    for row in rows:
        sizes[row.group] = max(row.pages, sizes.get(row.group, 0))
    means: dict[str, dict[str, Mean]] = {}
    for group in sorted(sizes, key=lambda group: -sizes[group]):
        label = f"{group.removeprefix(f'{name}: ')} ({sizes[group]:,})"
        means[label] = {
            row.tool: row.means[f"{measure}_f1"]
            for row in rows
            if row.group == group and f"{measure}_f1" in row.means
        }
    return _matrix(means, _GROUPINGS[name])


def _worst(pages: Sequence[WorstPage]) -> str:
    if not pages:
        return ""
    return (
        '<section id="worst"><h2>Worst pages</h2><p>The text as a proofreader would mend it: '
        "<ins>underlined words</ins> are <b>missing</b> (in the gold text, not found by the tool), "
        "<del>struck words</del> are <b>extra</b> (found, but not in the gold text). Long "
        f"stretches in common are folded to “…”.</p>{worst_pages(pages)}</section>"
    )
