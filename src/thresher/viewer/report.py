"""The report of an evaluation: one self-contained HTML page for readers who never saw the papers.

    results --rows--> means per corpus --> findings, charts, tables; worst pages --> word diffs

A switch at the top selects the F1 that all charts and tables show: words in any order, or in the
order of the text. The page loads nothing and runs no script; its size depends on the number of
tools, corpora and groups, not on the number of pages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from thresher.evaluate import peers
from thresher.evaluate.results import Mean, PageResult, Results, Row, WorstPage, group_of
from thresher.viewer import charts
from thresher.viewer.charts import Dot, clean
from thresher.viewer.page_shell import count, html_page
from thresher.viewer.worst_pages import STYLE as WORST_STYLE
from thresher.viewer.worst_pages import worst_pages

_MEASURES = ("bag", "lcs")  # words in any order, words in order
_COLUMNS = {  # the two lines of each column title
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
_MIN_GROUPS, _MAX_GROUPS = 2, 30
_GOOD, _BAD = 0.9, 0.5  # F1 of good pages, and of lost pages

# Texts above the charts of the first corpus, and shorter ones for the others.
_EXPLAINED = {
    "speed": "Each mark is a tool: the higher, the better its text; the further left, the less "
    "computer time it takes. Each step to the right multiplies the time. The bar shows the range "
    "in which the mean lies with 95 % confidence: where two bars overlap much, the difference may "
    "be chance. The dashed line joins the tools that are the best for their speed; an arrow marks "
    "one far below the rest.",
    "balance": "Two ways to err. A tool far <b>left</b> loses parts of the text (low recall); a "
    "tool far <b>down</b> keeps menus, adverts or comments (low precision). The best corner is top "
    "right. Along a dotted line F1 stays the same: what is won on one side is lost on the other. "
    "The mean F1 of the pages, as in the table, can be a little off these lines.",
    "spread": "A mean hides whether a tool is fair on every page or perfect on most and lost on "
    "some. Here all pages stand in a row from the worst (left) to the best (right), as high as "
    "their F1. A full block would be perfect on every page; the empty corner at the left is what "
    "was lost.",
    "means": "All means over pages, with the 95 % interval below, the best in bold. <b>Any "
    "order</b> compares bags of words, <b>in order</b> the longest common subsequence of words, "
    "<b>4-word runs</b> all runs of four words. <b>Snippets</b>: the share of phrases that are in "
    "or out as they should be.",
}
_SHORT = {
    "speed": "Up is better, left is faster; bars are 95 % intervals; the dashed line joins the "
    "best for their speed.",
    "balance": "Left loses text, down keeps too much; on a dotted line F1 is the same.",
    "spread": "All pages from the worst to the best, as high as their F1; the empty corner is what "
    "was lost.",
    "means": "Means over pages with their 95 % intervals, the best in bold.",
}


@dataclass(frozen=True, slots=True)
class _Corpus:
    """One corpus of the run: its pages, and a row per tool."""

    name: str
    pages: list[PageResult]
    rows: list[Row]

    @property
    def page_count(self) -> int:
        """The number of different pages."""
        return len({page.page for page in self.pages})

    def ranked(self, measure: str) -> list[Row]:
        """Return the rows that have an F1, the best first."""
        with_f1 = [row for row in self.rows if f"{measure}_f1" in row.means]
        return sorted(with_f1, key=lambda row: -row.means[f"{measure}_f1"].value)


def report(results: Results, worst: Sequence[WorstPage] = ()) -> str:
    """Return a self-contained HTML page with the charts, tables and worst pages of a run."""
    by_corpus: dict[str, list[PageResult]] = {}
    for page in results.pages:
        by_corpus.setdefault(page.corpus, []).append(page)
    corpora = [_Corpus(name, own, Results(tuple(own)).rows()) for name, own in by_corpus.items()]
    tools = list(dict.fromkeys([*results.tools, *(page.tool for page in results.pages)]))
    pages = sum(corpus.page_count for corpus in corpora)
    parts = [count(pages, "page"), count(len(tools), "tool")]
    parts.append(f"{len(corpora)} corpora" if len(corpora) != 1 else "1 corpus")
    sections = "\n".join(
        _section(corpus, number, _EXPLAINED if number == 0 else _SHORT)
        for number, corpus in enumerate(corpora)
    )
    body = _BODY.format(
        subtitle=", ".join(parts),
        contents=_contents(corpora, worst),
        tools=_tool_list(tools, results.tools),
        overview=_overview(corpora) if len(corpora) > 1 else "",
        sections=sections or '<p class="note">No pages were measured.</p>',
        worst=_worst(worst),
    )
    return html_page("Evaluation report", _STYLE + charts.STYLE + WORST_STYLE, body)


# --- small pieces --------------------------------------------------------------------------------


def _is_peer(tool: str) -> bool:
    return tool in peers.names()


def _color_class(tool: str) -> str:
    return "peer" if _is_peer(tool) else "ours"


def _kind(tool: str) -> str:
    return "another tool" if _is_peer(tool) else "method"


def _tool(name: str) -> str:
    """Return the name of a tool with its coloured mark."""
    mark = f'<i class="mark {_color_class(name)}" title="{_kind(name)}"></i>'
    return f'<span class="tool">{mark}<code><bdi>{clean(name)}</bdi></code></span>'


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


def _row(head: str, cells: str, color: str = "") -> str:
    """Return a table row; `color` is its class."""
    given = f' class="{color}"' if color else ""
    return f'<tr{given}><th scope="row">{head}</th>{cells}</tr>'


def _by_measure(draw: Callable[[str], str]) -> str:
    """Return the HTML that `draw` returns for each F1; the switch shows one of them."""
    return "".join(f'<div class="{measure}">{draw(measure)}</div>' for measure in _MEASURES)


# --- above the corpora ---------------------------------------------------------------------------


def _contents(corpora: Sequence[_Corpus], worst: Sequence[WorstPage]) -> str:
    links = [f'<a href="#c{n}">{clean(corpus.name)}</a>' for n, corpus in enumerate(corpora)]
    if worst:
        links.append('<a href="#worst">worst pages</a>')
    return f"<nav>{' '.join(links)}</nav>" if len(links) > 1 else ""


def _tool_list(tools: Sequence[str], versions: dict[str, str]) -> str:
    if not tools:
        return ""
    rows = [
        _row(_tool(tool), f"<td>{_kind(tool)}</td><td>{clean(versions.get(tool, '')) or '–'}</td>")
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

    groups = [f"<bdi>{clean(group)}</bdi>" for group in means]
    if len(means) > max(len(tools), 8) and not overall:  # the longer side goes down the page
        cells = ["".join(cell(group, tool) for tool in tools) for group in means]
        rows = [_row(*row) for row in zip(groups, cells, strict=True)]
        return _table([corner, *map(_tool, tools)], rows, "matrix")
    rows = []
    for tool in tools:
        cell_texts = "".join(cell(group, tool) for group in means)
        if overall:
            cell_texts += f"<td>{average[tool]:.3f}</td>" if tool in average else _mean(None)
        rows.append(_row(_tool(tool), cell_texts))
    return _table(["tool", *groups, *["mean"] * overall], rows, "matrix")


# --- one corpus ----------------------------------------------------------------------------------


def _section(corpus: _Corpus, number: int, explained: dict[str, str]) -> str:
    return _CORPUS.format(
        number=number,
        name=clean(corpus.name),
        pages=count(corpus.page_count, "page"),
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
    """Return a paragraph: the best tool, how certain that is, and the fastest tool."""
    if not rows:
        return "<p>No page has this score.</p>"
    best, *others = rows
    top = best.means[f"{measure}_f1"]
    text = (
        f"{_tool(best.tool)} has the highest mean F1: <b>{top.value:.3f}</b>, with 95 % confidence "
        f"between {top.low:.3f} and {top.high:.3f}."
    )
    near = [row for row in others if row.means[f"{measure}_f1"].high >= top.low]
    if near:
        names = ", ".join(_tool(row.tool) for row in near[:5]) + (" and more" if near[5:] else "")
        text += f" The intervals of {names} overlap with it: on other pages the order may differ."
    fastest = min(rows, key=lambda row: row.milliseconds)
    if others and fastest is best:
        text += f" It is also the fastest: {_milliseconds(best.milliseconds)} ms a page."
    elif others:
        text += (
            f" The fastest is {_tool(fastest.tool)} at {_milliseconds(fastest.milliseconds)} ms a "
            f"page; the best takes {_milliseconds(best.milliseconds)} ms."
        )
    failed = [f"{_tool(row.tool)} on {count(row.failed, 'page')}" for row in rows if row.failed]
    if failed:
        text += f" Failed: {', '.join(failed)} (these pages count as empty texts)."
    return f'<p class="finding">{text}</p>'


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
            _row(
                _tool(row.tool),
                f"<td>{charts.strip(values.tolist())}</td><td>{tenth:.3f}</td><td>{median:.3f}</td>"
                f"<td>{np.mean(values < _BAD):.1%}</td><td>{np.mean(values >= _GOOD):.1%}</td>",
                _color_class(row.tool),
            )
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
        cells += (
            f"<td>{_milliseconds(row.milliseconds)}</td><td>{row.megabytes_per_second:.2f}</td>"
            f"<td>{row.pages:,}</td><td>{row.failed:,}</td>"
        )
        rows.append(_row(_tool(row.tool), cells))
    titles = ["<br>".join(_COLUMNS[name]) for name in names]
    return _table(["tool", *titles, "ms<br>a page", "MB/s", "pages", "failed"], rows, "means")


def _groups(corpus: _Corpus) -> Iterator[str]:
    """Yield a folded table for each grouping with neither one group nor too many."""
    number = {n: len({group_of(page, n) for page in corpus.pages} - {""}) for n in _GROUPINGS}
    by = [name for name in _GROUPINGS if _MIN_GROUPS <= number[name] <= _MAX_GROUPS]
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


# --- templates -----------------------------------------------------------------------------------

_BODY = """<header>
<h1>How well was the main text found?</h1>
<p class="sub">{subtitle}</p>
<p>Every tool got the same pages and had to return their main text. It was compared, word by word,
with the text that the corpus gives as right (the <i>gold</i> text). <b>Recall</b> is the share of
the gold words that were found, <b>precision</b> the share of the found words that are gold, and
<b>F1</b> their balance, high only if both are: 1 is perfect, 0 is nothing right.</p>
<p class="legend"><span><i class="mark ours"></i> a method of Thresher</span>
<span><i class="mark peer"></i> another tool</span></p>
{tools}
</header>
<form class="bar"><span class="switch">Words count
<label><input type="radio" name="measure" id="bag" checked> in any order</label>
<label><input type="radio" name="measure" id="lcs"> in the order of the text</label></span>
{contents}</form>
<main>
{overview}
{sections}
{worst}
</main>
"""

_CORPUS = """<section id="c{number}">
<h2><bdi>{name}</bdi> <small>{pages}</small></h2>
{finding}
<div class="pair">
<figure><figcaption><h3>Quality and speed</h3><p>{about_speed}</p></figcaption>{speed}</figure>
<figure><figcaption><h3>Too much or too little</h3><p>{about_balance}</p></figcaption>
{balance}</figure>
</div>
<figure><figcaption><h3>From the worst page to the best</h3><p>{about_spread}</p></figcaption>
{spread}</figure>
<figure><figcaption><h3>All figures</h3><p>{about_means}</p></figcaption>
{means}
{groups}</figure>
</section>"""

_STYLE = """
:root { --ours: #0067b0; --peer: #c85200; --card: #fff; --empty: #e9ebef; --missing: #cfe5f8;
  --extra: #fbdcc4; }
@media (prefers-color-scheme: dark) {
  :root { --ours: #62b0f4; --peer: #f59b4c; --card: #1d2025; --empty: #2b2f36; --missing: #173f61;
    --extra: #5c3413; } }
html { scroll-padding-top: 4rem; }
header, main, .bar { margin: 0 auto; max-width: 76rem; padding: 0 1.2rem; }
header { padding-top: 1.8rem; }
header p { max-width: 46rem; }
h2 { border-top: 3px solid var(--ink); font-size: 1.35rem; margin: 2.6rem 0 .6rem;
  padding-top: .6rem; }
h2 small { color: var(--soft); font-size: .875rem; font-weight: 400; }
h3 { font-size: 1.05rem; margin: 0; }
code { font: .92em ui-monospace, monospace; }
section > p, .finding { max-width: 54rem; }
.legend span { margin-inline-end: 1.5rem; white-space: nowrap; }
.tool { display: inline-block; max-width: 100%; }
.mark { background: var(--ours); border-radius: 50%; display: inline-block; height: .68em;
  margin-inline-end: .4em; print-color-adjust: exact; width: .68em; }
.mark.peer { background: var(--peer); border-radius: 1px; height: .6em; transform: rotate(45deg);
  width: .6em; }
.bar { align-items: center; background: var(--paper); border-bottom: 1px solid var(--line);
  display: flex; flex-wrap: wrap; font-size: .875rem; gap: .2rem 2rem; margin-top: 1rem;
  padding-bottom: .55rem; padding-top: .55rem; position: sticky; top: 0; z-index: 2; }
.bar label { cursor: pointer; margin-inline-start: .6rem; white-space: nowrap; }
.bar input { accent-color: var(--ours); }
nav { display: flex; gap: .2rem 1rem; max-width: 100%; overflow-x: auto; white-space: nowrap; }
a { color: var(--ours); }
.lcs, body:has(#lcs:checked) .bag { display: none; }
body:has(#lcs:checked) .lcs { display: block; }
.pair { display: grid; gap: 0 1.2rem;
  grid-template-columns: repeat(auto-fit, minmax(min(26rem, 100%), 1fr)); }
.pair:has(.wide) { grid-template-columns: minmax(0, 1fr); }
.pair .bag, .pair .lcs { overflow-x: auto; }
.pair figure { display: flex; flex-direction: column; justify-content: space-between; }
figure { background: var(--card); border: 1px solid var(--line); border-radius: 8px;
  margin: 1.2rem 0 0; min-width: 0; padding: 1rem 1.1rem; }
figcaption p { color: var(--soft); font-size: .875rem; margin: .25rem 0 .8rem; max-width: 54rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .875rem; font-variant-numeric: tabular-nums;
  min-width: 100%; overflow-wrap: normal; }
th { font-weight: 500; text-align: start; }
thead th { color: var(--soft); font-size: .8125rem; line-height: 1.3; padding: .3rem .6rem;
  vertical-align: bottom; }
thead th:first-child { padding-inline-start: .15rem; }
thead th + th { text-align: end; }
tbody th { background: inherit; left: 0; padding: .3rem .8rem .3rem .15rem; position: sticky;
  white-space: nowrap; z-index: 1; }
tbody tr { background: var(--card); border-top: 1px solid var(--line); }
td { padding: .3rem .6rem; text-align: end; white-space: nowrap; }
td small { color: var(--soft); display: block; font-size: .72rem; line-height: 1.2; }
.means td, .means thead th + th { padding-inline: .35rem; }
.means { font-size: .8125rem; }
.words, .matrix { min-width: 0; }
.words td, .words thead th { text-align: start; }
.spread td:nth-child(2) { width: 46%; }
.spread thead th:nth-child(2) { text-align: start; }
details { margin-top: .8rem; }
summary { cursor: pointer; }
@media (max-width: 40rem) {
  header, main, .bar { padding-left: .7rem; padding-right: .7rem; }
  figure { padding: .7rem; }
  .switch { font-size: .8125rem; }
  tbody th { max-width: 9rem; overflow: hidden; text-overflow: ellipsis; }
  tbody .tool { display: inline; } }
@media print {
  .bar nav { display: none; }
  .bar { position: static; }
  figure, tr { break-inside: avoid; }
  svg, .strip, ins, del { print-color-adjust: exact; }
  .scroll { overflow: visible; }
  details::details-content { content-visibility: visible; block-size: auto; } }
"""
