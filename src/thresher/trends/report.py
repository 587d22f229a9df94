"""The report of trends: one self-contained HTML page for readers who never saw the thesis.

    panels      --report-->   findings in sentences, plot, documents behind each period, tables

A click on a period of a plot, or an arrow key, lists the documents behind it, those with the
highest score first. The page loads nothing and runs no script: the periods are radio buttons, and
the style shows the list of the one that is chosen. Tables of keywords are sorted the same way.

Titles, names and addresses come from documents of others: they are escaped, and an address becomes
a link only if it begins with http:// or https://.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from thresher.errors import UsageError
from thresher.page.array_types import Floats, Rows
from thresher.trends.documents import DatedDocument
from thresher.trends.keywords import KeywordQuality
from thresher.trends.plot import (
    BAND_OPACITY,
    NamePlaces,
    alone,
    highest,
    is_abrupt,
    last_values,
    look,
    most_ticks,
    name_of,
    named_changes,
    names_beside,
    query_number,
    short_names,
    shorten,
    side_step,
    spread,
    ticks,
)
from thresher.trends.trend import SCALE, Trends
from thresher.viewer.charts import STYLE as CHART_STYLE
from thresher.viewer.charts import clean
from thresher.viewer.page_shell import count, html_page

MAX_LISTED = 50  # documents of a period and query
_MIN_LISTED = 5
_MAX_IN_ALL = 20_000  # documents in all lists: about 5 MB
_MAX_TITLE = 220
_MAX_URL = 2_000
_MAX_MARKED = 60  # periods with a dot each

_SHAPES = {  # of a curve: the verb in the sentence about it
    "emerging": "<b>emerges</b>",
    "fading": "<b>fades</b>",
    "peaked": "has a <b>peak</b>",
    "dipped": "has a <b>dip</b>",
    "steady": "is <b>steady</b>",
}
_SORTS = {  # of the tables of keywords: identifier and title
    "given": "as given",
    "name": "a to z",
    "documents": "documents",
    "correlation": "fit",
    "loss": "contribution",
}


def report(
    panels: Mapping[str, Trends], *, title: str = "Trends", notes: Sequence[str] = ()
) -> str:
    """Return a self-contained HTML page with a section for each panel.

    `notes` are sentences about what was left out, such as documents without a date.
    """
    if not panels:
        raise UsageError("there is nothing to report: give at least one panel.")
    first = next(iter(panels.values()))
    lists = sum(len(trends.periods) * len(trends.queries) for trends in panels.values())
    listed = min(max(_MAX_IN_ALL // max(lists, 1), _MIN_LISTED), MAX_LISTED)
    sections = [
        _Section(number, name, trends, listed)
        for number, (name, trends) in enumerate(panels.items())
    ]
    body = _BODY.format(
        title=clean(title),
        subtitle=_subtitle(first),
        about=_about(first),
        notes="".join(f'<p class="note">{clean(note, 500)}</p>' for note in notes),
        contents=_contents(panels),
        sections="\n".join(section.html() for section in sections),
    )
    rules = "\n".join(rule for section in sections for rule in section.rules())
    return html_page(clean(title), CHART_STYLE + _STYLE + _colors(first) + rules, body)


# --- above the sections --------------------------------------------------------------------------


def _subtitle(trends: Trends) -> str:
    parts = [
        count(len(trends.documents), "document"),
        trends.span,
        f"{len(trends.queries)} queries" if len(trends.queries) != 1 else "1 query",
        f"weight {trends.weight}",
    ]
    return " · ".join(escape(part) for part in parts if part)


def _about(trends: Trends) -> str:
    return (
        "<p>A query is a list of keywords. The score of a document is the cosine between its "
        "keywords and those of the query: 0 if it has none of them, 1 if it has them all in the "
        f"same proportions. A curve is the mean score of all documents of a {trends.by}, times "
        f"1000. The pale band, or the bar at a {trends.by} between gaps, is where this mean lies "
        f"with {trends.confidence:.0%} confidence: the fewer documents, the wider.</p>"
    )


def _contents(panels: Mapping[str, Trends]) -> str:
    if len(panels) == 1:
        return ""
    links = (f'<a href="#s{n}">{clean(name, 60)}</a>' for n, name in enumerate(panels))
    return f'<nav aria-label="Sources">{" ".join(links)}</nav>'


def _colors(trends: Trends) -> str:
    """Return a class with the colour of each query, lighter on a dark page."""
    light, dark = [], []
    for number in range(len(trends.queries)):
        color, _ = look(number)
        light.append(f".c{number} {{ --c: {color}; }}")
        dark.append(f".c{number} {{ --c: color-mix(in oklab, {color}, white 38%); }}")
    return (
        "\n".join(light)
        + "\n@media (prefers-color-scheme: dark) {\n" + "\n".join(dark) + " }\n"
    )  # fmt: skip


def _query(trends: Trends, number: int) -> str:
    """Return the name of a query with its coloured mark."""
    name = clean(short_names([query.name for query in trends.queries], 80)[number], 130)
    return f'<span class="query c{number}"><i></i><bdi>{name}</bdi></span>'


def _table(head: Sequence[str], rows: Sequence[str], kind: str = "") -> str:
    first, *others = head
    cells = f"<th>{first}</th>" + "".join(f'<th scope="col">{name}</th>' for name in others)
    return (
        f'<div class="scroll" tabindex="0"><table class="{kind}"><thead><tr>{cells}</tr></thead>'
        f"<tbody>\n{chr(10).join(rows)}\n</tbody></table></div>"
    )


def _score(value: float) -> str:
    """Return a score x 1000; a dash if there is none."""
    return f"{value * SCALE:.0f}" if np.isfinite(value) else "–"


def _percent(value: float) -> str:
    return f"{value:.0%}" if np.isfinite(value) else "–"


def link(url: str, text: str) -> str:
    """Return `text`, which is HTML, as a link if the address begins with http:// or https://."""
    try:
        parts = urlsplit(url.strip())
    except ValueError:
        return text
    if parts.scheme.lower() not in ("http", "https") or not parts.netloc or len(url) > _MAX_URL:
        return text
    return f'<a href="{clean(url.strip(), _MAX_URL)}" rel="noopener noreferrer nofollow">{text}</a>'


# --- charts --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Frame:
    """The size of a chart of curves, in SVG units."""

    periods: int
    top_value: float
    beside: float  # space for the names at the right
    width: float = 940
    left: float = 44
    top: float = 12
    curves: float = 300  # height of the frame of the curves
    strip: float = 34  # height of the bars below

    @property
    def bottom(self) -> float:
        """The line of the zero."""
        return self.top + self.curves

    @property
    def height(self) -> float:
        """The whole height: curves, bars and the names of the periods."""
        return self.bottom + (self.strip + 8 if self.strip else 0) + 24

    @property
    def step(self) -> float:
        """The width of a period."""
        return (self.width - self.left - self.beside) / max(self.periods, 1)

    def x(self, at: float) -> float:
        """The middle of a period."""
        return self.left + (at + 0.5) * self.step

    def y(self, value: float) -> float:
        """The height of a value; values above the frame are cut."""
        return self.bottom - min(value / self.top_value, 1.02) * self.curves


def _score_chart(trends: Trends, frame: _Frame) -> str:
    """Draw the mean scores with their bands, the change points and the number of documents."""
    bands = [
        f'<path class="band c{number}" d="{_band(low, high, frame)}"/>'
        f'<path class="bar c{number}" d="{_error_bars(low, high, frame, shift)}"/>'
        for number, (low, high, shift) in enumerate(
            zip(SCALE * trends.low.T, SCALE * trends.high.T, _shifts(trends, frame), strict=True)
        )
    ]
    behind = [_axes(trends, frame, ""), _bars(trends, frame), *bands]
    parts = [*behind, *_curves(trends, SCALE * trends.mean, frame), _diamonds(trends, frame)]
    return _svg(f"Mean score of each query by {trends.by}", frame, parts)


def _share_chart(trends: Trends, frame: _Frame) -> str:
    """Draw the share of the documents without any keyword, in per cent."""
    parts = [_axes(trends, frame, " %"), *_curves(trends, 100 * trends.without_keyword, frame)]
    return _svg("Share of the documents without any keyword of each query", frame, parts)


def _shifts(trends: Trends, frame: _Frame) -> list[float]:
    """Return how far the lone points of each query are beside their periods."""
    number = len(trends.queries)
    return [side_step(each, number, frame.step) for each in range(number)]


def _curves(trends: Trends, values: Floats, frame: _Frame) -> Iterator[str]:
    """Yield the curves of all queries, and their names."""
    for number, (curve, shift) in enumerate(zip(values.T, _shifts(trends, frame), strict=True)):
        dashes = look(number)[1]
        given = f' stroke-dasharray="{dashes}"' if dashes else ""
        yield f'<path class="curve c{number}"{given} d="{_line(curve, frame)}"/>'
        lone = alone(curve)
        dots = "".join(
            f'<circle cx="{frame.x(at) + shift * lone[at]:.1f}" cy="{frame.y(curve[at]):.1f}" '
            'r="3"/>'
            for at in np.flatnonzero(
                np.isfinite(curve) if len(curve) <= _MAX_MARKED else lone
            ).tolist()
        )
        yield f'<g class="dots c{number}">{dots}</g>'
    yield _names(trends, values, frame)


def _svg(label: str, frame: _Frame, parts: Sequence[str]) -> str:
    return (
        f'<svg class="chart wide" viewBox="0 0 {frame.width:.0f} {frame.height:.0f}" role="img" '
        f'aria-label="{clean(label)}">{"".join(parts)}</svg>'
    )


def _runs(known: Sequence[bool]) -> Iterator[range]:
    """Yield the runs of periods that have a value."""
    begin = None
    for at, is_known in enumerate([*known, False]):
        if is_known and begin is None:
            begin = at
        elif not is_known and begin is not None:
            yield range(begin, at)
            begin = None


def _line(curve: Floats, frame: _Frame) -> str:
    return "".join(
        "M" + "L".join(f"{frame.x(at):.1f} {frame.y(curve[at]):.1f}" for at in run)
        for run in _runs(np.isfinite(curve).tolist())
    )


def _band(low: Floats, high: Floats, frame: _Frame) -> str:
    """Return the outline of a band; a period between gaps has none."""
    path = ""
    for run in _runs((np.isfinite(low) & np.isfinite(high)).tolist()):
        if len(run) > 1:
            points = [(frame.x(at), frame.y(high[at])) for at in run]
            points += [(frame.x(at), frame.y(max(low[at], 0.0))) for at in reversed(run)]
            path += "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) + "Z"
    return path


def _error_bars(low: Floats, high: Floats, frame: _Frame, shift: float) -> str:
    """Return a bar for each period between gaps."""
    return "".join(
        f"M{x - 3:.1f} {top:.1f}h6m-3 0V{bottom:.1f}m-3 0h6"
        for at in np.flatnonzero(alone(low) & np.isfinite(high)).tolist()
        for x in (frame.x(at) + shift,)
        for top, bottom in ((frame.y(high[at]), frame.y(max(low[at], 0.0))),)
    )


def _axes(trends: Trends, frame: _Frame, unit: str) -> str:
    lines, texts = [], []
    for value in _round_values(frame.top_value):
        up = frame.y(value)
        lines.append(f"M{frame.left:.0f} {up:.1f}H{frame.width - frame.beside:.1f}")
        texts.append(
            f'<text x="{frame.left - 6:.0f}" y="{up + 4:.1f}" class="end">{value:g}{unit}</text>'
        )
    base = frame.height - 8
    most = most_ticks(trends.periods, frame.step * len(trends.periods), _TICK_LETTER)
    texts += [
        f'<text x="{frame.x(at):.1f}" y="{base:.1f}" class="mid">{trends.periods[at]}</text>'
        for at in (ticks(trends.periods, trends.by, most) if trends.periods else ())
    ]
    return f'<path class="grid" d="{"".join(lines)}"/><g class="axis">{"".join(texts)}</g>'


def _round_values(top: float) -> list[float]:
    """Return round values from 0 to `top`: four to seven of them."""
    power = 10.0 ** np.floor(np.log10(top / 4))
    step = next(power * digit for digit in (1, 2, 2.5, 5, 10) if top / (power * digit) <= 6)
    return [float(f"{step * number:.10g}") for number in range(int(top / step) + 1)]


def _bars(trends: Trends, frame: _Frame) -> str:
    most = int(trends.count.max(initial=0))
    if not frame.strip or not most:
        return ""
    base, wide = frame.bottom + 8 + frame.strip, frame.step * 0.76
    bars = "".join(
        f'<rect x="{frame.x(at) - wide / 2:.1f}" y="{base - size:.1f}" width="{wide:.1f}" '
        f'height="{size:.1f}"/>'
        for at, number in enumerate(trends.count.tolist())
        if (size := frame.strip * number / most)
    )
    return (
        f'<g class="counts">{bars}</g><g class="axis">'
        f'<text x="{frame.left - 6:.0f}" y="{base - frame.strip + 9:.1f}" class="end">{most:,}'
        f'</text><text x="{frame.left - 6:.0f}" y="{base:.1f}" class="end">docs</text></g>'
    )


def _names(trends: Trends, values: Floats, frame: _Frame) -> str:
    """Write the name of each curve at its end; nothing if they do not fit."""
    ends = last_values(values)
    wanted = [frame.y(value) for _, value in ends]
    places = spread(wanted, 14.0, frame.top + 4, frame.bottom)
    if places is None:
        return ""
    right = frame.width - frame.beside + 12
    shown = names_beside(trends)
    names = []
    for number, ((last, _), up, place) in enumerate(zip(ends, wanted, places, strict=True)):
        name = clean(shown[number])
        names.append(
            f'<path class="lead c{number}" d="M{frame.x(last) + 4:.1f} {up:.1f}L{right - 3:.1f} '
            f'{place:.1f}"/><text class="name c{number}" x="{right:.1f}" y="{place + 4:.1f}">'
            f"{name}</text>"
        )
    return "".join(names)


_TICK_LETTER = 6.8  # width of a letter of the name of a period, at most


def _diamonds(trends: Trends, frame: _Frame) -> str:
    """Mark the change points, and name the abrupt ones."""
    position = {period: at for at, period in enumerate(trends.periods)}
    marks = []
    for change in trends.changes:
        at, number = position[change.period], query_number(trends, change.query)
        x, y = frame.x(at), frame.y(SCALE * trends.mean[at, number])
        size, kind = (6.5, "abrupt") if is_abrupt(change) else (4.5, "gradual")
        marks.append(
            f'<path class="{kind} c{number}" d="M{x:.1f} {y - size:.1f}l{size} {size}-{size} {size}'
            f'-{size}-{size}z"/>'
        )
    line = frame.top_value * 13 / frame.curves
    places = NamePlaces(frame.top_value, SCALE * trends.mean, 5.8 / frame.step, line)
    for change, (left, low, right, high) in named_changes(trends, places):
        marks.append(
            f'<text class="changed mid c{query_number(trends, change.query)}" '
            f'x="{frame.x((left + right) / 2):.1f}" y="{frame.y((low + high) / 2) + 4:.1f}">'
            f"{clean(name_of(change))}</text>"
        )
    return "".join(marks)


def _sparkline(values: Sequence[float], number: int) -> str:
    """Draw a small curve from 0 to its highest value; gaps where there is none."""
    curve = np.asarray(values, np.float64)
    most = float(np.nanmax(curve, initial=0.0)) or 1.0
    frame = _Frame(len(curve), most, 0, width=100, left=0, top=2, curves=20, strip=0)
    return (
        f'<svg class="spark c{number}" viewBox="0 0 100 24" preserveAspectRatio="none" '
        f'aria-hidden="true"><path d="{_line(curve, frame)}"/></svg>'
    )


# --- a section -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Section:
    """The part of the report about one panel."""

    number: int
    name: str
    trends: Trends
    listed: int  # documents of each list, at most

    @property
    def key(self) -> str:
        """The start of all identifiers in this section."""
        return f"s{self.number}"

    def html(self) -> str:
        trends = self.trends
        span = f", {trends.span}" if trends.span else ""
        head = (
            f"<h2><bdi>{clean(self.name)}</bdi> <small>{count(len(trends.documents), 'document')}"
            f"{span}</small></h2>"
        )
        parts = [head, self._findings(), self._plot(), self._scores(), self._changes()]
        parts += [self._without_keyword(), self._keywords(), self._correlation()]
        return f'<section id="{self.key}">\n' + "\n".join(filter(None, parts)) + "\n</section>"

    def rules(self) -> Iterator[str]:
        """Yield the style that shows the lists of the chosen query."""
        for number in range(len(self.trends.queries)):
            chosen = f"#{self.key}:has(#{self.key}q{number}:checked)"
            yield f"{chosen} .q{number} {{ display: block; }}"

    def _frame(self, top: float, **sizes: float) -> _Frame:
        beside = 6.3 * max(map(len, names_beside(self.trends)), default=0) + 20
        return _Frame(len(self.trends.periods), top, beside, **sizes)

    # --- in words ---

    def _findings(self) -> str:
        """Return a list with a sentence for each query."""
        trends = self.trends
        known = np.flatnonzero(trends.count).tolist()
        if not known:
            return '<p class="note">No document has a date.</p>'
        sentences = []
        for number, query in enumerate(trends.queries):
            curve = trends.mean[:, number]
            top = int(np.nanargmax(curve))
            text = (
                f"{_query(trends, number)} {_SHAPES[trends.shapes[number]]}: "
                f"{_score(curve[known[0]])} in {trends.periods[known[0]]}, "
                f"{_score(curve[known[-1]])} in {trends.periods[known[-1]]}"
            )
            if curve[top] > 1.05 * max(curve[known[0]], curve[known[-1]]):
                text += f", highest in {trends.periods[top]} ({_score(curve[top])})"
            text += "".join(
                f"; {change.kind} in {change.period} (mean {_score(change.before)} before, "
                f"{_score(change.after)} after)"
                for change in trends.changes
                if change.query == query.name and is_abrupt(change)
            )
            sentences.append(f"<li>{text}.</li>")
        return f'<ul class="findings">{"".join(sentences)}</ul>'

    # --- the plot and the documents behind it ---

    def _plot(self) -> str:
        trends = self.trends
        frame = self._frame(highest(trends))
        return (
            f"<figure><figcaption><h3>Scores by {trends.by}</h3><p>Mean score × 1000. Filled "
            "diamonds are abrupt changes, hollow ones gradual; grey bars are the number of "
            f"documents. Choose a {trends.by} in the plot, or with the arrow keys, to see its "
            f'documents below.</p></figcaption><div class="scroll sized"><div class="plot">'
            f"{_score_chart(trends, frame)}{self._chips()}{''.join(self._columns(frame))}"
            "</div></div></figure>"
        )

    def _chips(self) -> str:
        """Return a radio button for each query: by whose scores documents are listed."""
        trends = self.trends
        if not trends.documents:
            return ""
        last = int(np.flatnonzero(trends.count)[-1])
        first_shown = int(np.argmax(np.nan_to_num(trends.mean[last])))
        chips = "".join(
            f'<label><input type="radio" name="{self.key}q" id="{self.key}q{number}"'
            f"{' checked' if number == first_shown else ''}>{_query(trends, number)}</label>"
            for number in range(len(trends.queries))
        )
        legend = "<legend>Documents by their score for</legend>"
        return f'<fieldset class="chips">{legend}{chips}</fieldset>'

    def _columns(self, frame: _Frame) -> Iterator[str]:
        """Yield for each period with documents a radio button over the plot, and its list.

        The list is beside its button, so that one rule of the style shows the right one: a rule
        for each period would take a browser minutes if there are a thousand.
        """
        trends = self.trends
        order = np.argsort(trends.period, kind="stable")
        members = np.split(order, np.cumsum(trends.count)[:-1]) if len(trends.count) else []
        filled = np.flatnonzero(trends.count).tolist()
        for at in filled:
            name, period = f"{self.key}p{at}", trends.periods[at]
            size = count(int(trends.count[at]), "document")
            means = "\n".join(
                f"{clean(shorten(query.name, 60))}: {_score(trends.mean[at, number])}"
                for number, query in enumerate(trends.queries)
            )
            left = (frame.x(at) - frame.step / 2) / frame.width
            lists = "".join(self._list(members[at], n) for n in range(len(trends.queries)))
            yield (
                f'<div class="period" style="--x:{left:.3%};--w:{frame.step / frame.width:.3%};'
                f'--r:{frame.step:.2f}/{frame.height:.0f}"><input type="radio" '
                f'name="{self.key}p" id="{name}"{" checked" * (at == filled[-1])}>'
                f'<label for="{name}" title="{period}: {size}\n{means}"><span>'
                f'{period}: {size}</span></label><div class="documents"><h4>{period} '
                f"<small>{size}</small></h4>{lists}</div></div>"
            )

    def _list(self, own: Rows, number: int) -> str:
        """Return those of some documents with the highest scores, and the count of the others."""
        scores = self.trends.scores[own, number]
        found = int(self.trends.found[own, number].sum())
        best = np.lexsort((-scores, ~self.trends.found[own, number]))[: min(self.listed, found)]
        items = "".join(
            _item(self.trends.documents[own[each]], float(scores[each])) for each in best.tolist()
        )
        rest = []
        if found > len(best):
            rest.append(f"{found - len(best):,} more with a lower score")
        if found < len(own):
            rest.append(f"{len(own) - found:,} without any keyword of this query")
        note = f'<p class="rest">{"; ".join(rest)}.</p>' if rest else ""
        listed = f"<ol>{items}</ol>" if items else ""
        return f'<div class="list q{number}">{listed}{note}</div>'

    # --- tables ---

    def _scores(self) -> str:
        trends = self.trends
        rows = []
        for at, period in enumerate(trends.periods):
            cells = "".join(
                f"<td>{_score(mean)}{_interval(low, high)}</td>"
                for mean, low, high in zip(
                    trends.mean[at], trends.low[at], trends.high[at], strict=True
                )
            )
            rows.append(
                f'<tr><th scope="row">{period}</th><td>{int(trends.count[at]):,}</td>{cells}</tr>'
            )
        names = [_query(trends, number) for number in range(len(trends.queries))]
        table = _table([trends.by, "documents", *names], rows)
        return _folded(
            "All scores",
            "Mean score × 1000 of each period with its confidence interval below, as Table 6.4 of "
            "the thesis. A dash: no documents.",
            table,
        )

    def _changes(self) -> str:
        trends = self.trends
        rows = [
            f'<tr><th scope="row">{_query(trends, query_number(trends, change.query))}</th>'
            f"<td>{escape(change.kind)}</td><td>{change.period}</td><td>{_score(change.before)}"
            f"</td><td>{_score(change.after)}</td></tr>"
            for change in trends.changes
        ]
        if not rows:
            return '<p class="note">No curve has a change point.</p>'
        table = _table(["query", "change", trends.by, "mean before", "mean after"], rows, "words")
        return _folded(
            f"Change points ({len(rows)})",
            "Where the mean of a curve changes for longer than chance explains.",
            table,
        )

    def _without_keyword(self) -> str:
        trends = self.trends
        chart = _share_chart(trends, self._frame(100.0, curves=200, strip=0))
        return (
            "<figure><figcaption><h3>Documents without any keyword</h3><p>The share of the "
            "documents in which no keyword of the query occurs; their score is 0. Where almost all "
            "documents lack the keywords, few documents decide the curve.</p></figcaption>"
            f'<div class="scroll" tabindex="0">{chart}</div></figure>'
        )

    def _keywords(self) -> str:
        """Return a table of keywords for each query, with a switch of their order."""
        trends = self.trends
        chips = "".join(
            f'<label><input type="radio" name="{self.key}k" class="by-{name}"'
            f"{' checked' if name == 'given' else ''}>{title}</label>"
            for name, title in _SORTS.items()
        )
        tables = "".join(
            self._keyword_table([row for row in trends.keywords if row.query == query.name], number)
            for number, query in enumerate(trends.queries)
        )
        text = (
            "<b>Fit</b> is the correlation between the presence of a keyword and the score of the "
            "other keywords of its query: near 0, it has nothing to do with them. "
            "<b>Contribution</b> is what the mean score × 1000 would lose without the keyword; "
            "below 0, the keyword lowers it. The small curve is the share of the documents with "
            "the keyword over time."
        )
        content = (
            f'<fieldset class="sorts"><legend>Order</legend>{chips}</fieldset>'
            f'<div class="keyword-tables">{tables}</div>'
        )
        return _folded("Keywords", text, content, opened=self.number == 0)

    def _keyword_table(self, rows: Sequence[KeywordQuality], number: int) -> str:
        orders = {
            "given": range(len(rows)),
            "name": _ranks([row.keyword.casefold() for row in rows]),
            "documents": _ranks([-row.documents for row in rows]),
            "correlation": _ranks([-np.nan_to_num(row.correlation, nan=-2) for row in rows]),
            "loss": _ranks([-row.loss for row in rows]),
        }
        lines = [
            f'<tr style="{_places(orders, at)}">{_keyword_cells(row, number)}</tr>'
            for at, row in enumerate(rows)
        ]
        head = [
            "keyword",
            "documents",
            "share",
            "times",
            "fit",
            "contri&shy;bution",
            "shape",
            "over time",
        ]
        title = (
            f"<h4>{_query(self.trends, number)} <small>{count(len(rows), 'keyword')}</small></h4>"
        )
        return f"<div>{title}{_table(head, lines, 'keywords')}</div>"

    def _correlation(self) -> str:
        """Return the correlation of the curves, and of their changes, as coloured tables."""
        trends = self.trends
        if len(trends.queries) < 2:
            return ""
        parts = "".join(
            f"<div><h4>{title}</h4>{self._heat_map(values)}</div>"
            for title, values in (
                ("Of the curves", trends.correlation.levels),
                (f"Of the steps from {trends.by} to {trends.by}", trends.correlation.differences),
            )
        )
        return _folded(
            "How the queries move together",
            "Correlation between curves: 1, they rise and fall together (blue); −1, one falls when "
            "the other rises (orange); 0, neither. Two curves with a long trend correlate even if "
            "they have nothing to do with each other; the steps do not share this weakness.",
            f'<div class="heat">{parts}</div>',
            opened=self.number == 0,
        )

    def _heat_map(self, values: Floats) -> str:
        trends = self.trends
        rows = [
            f'<tr><th scope="row">{_query(trends, number)}</th>'
            f"{''.join(map(_heat_cell, line))}</tr>"
            for number, line in enumerate(values.tolist())
        ]
        names = [_query(trends, number) for number in range(len(trends.queries))]
        return _table(["", *names], rows)


def _ranks(keys: Sequence[Any]) -> list[int]:
    """Return the place of each key in the sorted order; equal keys keep their order."""
    places = [0] * len(keys)
    for place, at in enumerate(sorted(range(len(keys)), key=lambda at: keys[at])):
        places[at] = place
    return places


def _places(orders: Mapping[str, Sequence[int]], at: int) -> str:
    """Return the style of a row: its place in each order."""
    return ";".join(f"--{name}:{places[at] + 1}" for name, places in orders.items())


def _keyword_cells(row: KeywordQuality, number: int) -> str:
    weight = f" <small>× {row.weight:g}</small>" if row.weight != 1 else ""
    others = ", ".join(row.same_term)
    same = f" <small>with {clean(others, 80)}</small>" if others else ""
    fit = f"{row.correlation:.2f}" if np.isfinite(row.correlation) else "–"
    return (
        f'<th scope="row"><bdi>{clean(row.keyword, 60)}</bdi>{weight}{same}</th>'
        f"<td>{row.documents:,}</td><td>{row.share:.1%}</td><td>{row.occurrences:,}</td>"
        f"<td>{fit}</td><td>{row.loss * SCALE:+.1f}</td><td>{row.shape}</td>"
        f"<td>{_sparkline(row.share_by_period, number)}</td>"
    )


def _heat_cell(value: float) -> str:
    if not np.isfinite(value):
        return "<td>–</td>"
    side = "up" if value >= 0 else "down"
    return f'<td class="{side}" style="--s:{abs(value) * 70:.0f}%">{value:.2f}</td>'


def _interval(low: float, high: float) -> str:
    if not (np.isfinite(low) and np.isfinite(high)):
        return ""
    return f"<small>{_score(max(low, 0.0))}–{_score(high)}</small>"


def _item(document: DatedDocument, score: float) -> str:
    title = clean(document.title.strip() or "(without title)", _MAX_TITLE)
    facts = " · ".join(clean(fact, 80) for fact in (document.date, document.source) if fact)
    return (
        f"<li><b>{_score(score)}</b> <span>{link(document.url, f'<bdi>{title}</bdi>')} "
        f"<small>{facts}</small></span></li>"
    )


def _folded(title: str, text: str, content: str, *, opened: bool = True) -> str:
    return (
        f"<figure><details{' open' * opened}><summary><h3>{title}</h3></summary>"
        f"<figcaption><p>{text}</p></figcaption>{content}</details></figure>"
    )


# --- templates -----------------------------------------------------------------------------------

_BODY = """<header>
<h1>{title}</h1>
<p class="sub">{subtitle}</p>
{about}
{notes}
{contents}
</header>
<main>
{sections}
</main>
"""

_STYLE = """
:root { --blue: #0067b0; --orange: #c85200; --card: #fff; --band: 1; }
@media (prefers-color-scheme: dark) {
  :root { --blue: #62b0f4; --orange: #f59b4c; --card: #1d2025; --band: 1.6; } }
header, main { margin: 0 auto; max-width: 76rem; padding: 0 1.2rem; }
header { padding-top: 1.8rem; }
main { padding-bottom: 3rem; }
header p { max-width: 48rem; }
header .note { padding: 0; }
nav { display: flex; flex-wrap: wrap; gap: .2rem 1rem; }
a { color: var(--blue); }
h2 { border-top: 3px solid var(--ink); font-size: 1.35rem; margin: 2.2rem 0 .6rem;
  padding-top: .6rem; }
h2 small, h4 small { color: var(--soft); font-size: .875rem; font-weight: 400; }
h3 { font-size: 1.05rem; margin: 0; }
h4 { font-size: .95rem; margin: .9rem 0 .3rem; }
.findings { margin: .4rem 0; max-width: 60rem; padding-inline-start: 1.1rem; }
figure { background: var(--card); border: 1px solid var(--line); border-radius: 8px;
  margin: 1.2rem 0 0; min-width: 0; padding: 1rem 1.1rem; }
figcaption p { color: var(--soft); font-size: .875rem; margin: .25rem 0 .8rem; max-width: 54rem; }
summary { cursor: pointer; }
summary h3 { display: inline; }
.scroll { overflow-x: auto; }
.query { white-space: nowrap; }
.query bdi { white-space: normal; }
.query i { background: var(--c); border-radius: 50%; display: inline-block; height: .68em;
  margin-inline-end: .4em; print-color-adjust: exact; width: .68em; }
.curve { fill: none; stroke: var(--c); stroke-linejoin: round; stroke-width: 2.2; }
.band { fill: var(--c); fill-opacity: calc(BAND_OPACITY * var(--band)); stroke: var(--c);
  stroke-opacity: .3; stroke-width: .7; }
.bar { fill: none; stroke: var(--c); stroke-width: 1.5; }
.dots { fill: var(--c); }
.lead { fill: none; opacity: .6; stroke: var(--c); stroke-width: .8; }
.chart .name, .chart .changed { fill: var(--c); }
.chart .name { font-size: 12px; font-weight: 500; }
.chart .changed { paint-order: stroke; stroke: var(--card); stroke-linejoin: round;
  stroke-width: 3.5; }
.gradual { fill: var(--card); stroke: var(--c); stroke-width: 1.8; }
.abrupt { fill: var(--c); stroke: var(--card); stroke-width: 1.5; }
.counts { fill: var(--grey); opacity: .7; }
.plot { min-width: 44rem; position: relative; }
.sized { container-type: inline-size; }
.period { display: contents; }
.period label { aspect-ratio: var(--r); border-radius: 4px; cursor: pointer; left: var(--x);
  position: absolute; top: 0; width: var(--w); }
.period label:hover { background: color-mix(in srgb, var(--ink), transparent 93%); }
.period :checked + label { background: color-mix(in srgb, var(--blue), transparent 86%);
  box-shadow: inset 0 -3px var(--blue); }
.period :focus-visible + label { outline: 2px solid var(--blue); }
.period input { left: var(--x); opacity: 0; pointer-events: none; position: absolute; top: 8rem; }
.period label span { clip-path: inset(50%); height: 1px; overflow: hidden; position: absolute;
  white-space: nowrap; width: 1px; }
.chips, .documents { left: 0; position: sticky; width: 100cqw; }
.chips { border-top: 1px solid var(--line); margin-top: .5rem; padding-top: .6rem; }
fieldset { border: 0; display: flex; flex-wrap: wrap; font-size: .875rem; gap: .2rem 1.1rem;
  margin: 0; min-width: 0; padding: 0; }
legend { color: var(--soft); float: left; padding: 0; }
fieldset label { cursor: pointer; }
fieldset input { accent-color: var(--blue); margin: 0 .35em 0 0; }
.documents, .list { display: none; }
.period :checked ~ .documents { display: block; }
.documents ol { list-style: none; margin: 0; max-height: 24rem; overflow-y: auto; padding: 0; }
.documents li { border-top: 1px solid var(--line); display: flex; font-size: .9rem; gap: .8rem;
  line-height: 1.4; padding: .35rem 0; }
.documents li b { color: var(--soft); flex: 0 0 2.6rem; font-variant-numeric: tabular-nums;
  font-weight: 500; text-align: end; }
.documents small { color: var(--soft); }
.rest { color: var(--soft); font-size: .875rem; margin: .5rem 0 0; }
table { border-collapse: collapse; font-size: .875rem; font-variant-numeric: tabular-nums;
  min-width: min(100%, 30rem); overflow-wrap: normal; }
th { font-weight: 500; text-align: start; }
thead th { color: var(--soft); font-size: .8125rem; line-height: 1.3; padding: .3rem .6rem;
  vertical-align: bottom; }
thead th:first-child { padding-inline-start: .15rem; }
thead th + th { text-align: end; }
tbody th { padding: .3rem .8rem .3rem .15rem; }
tbody tr { border-top: 1px solid var(--line); }
td { padding: .3rem .6rem; text-align: end; white-space: nowrap; }
td small { color: var(--soft); display: block; font-size: .72rem; line-height: 1.2; }
th small { color: var(--soft); font-weight: 400; }
.words td:nth-child(2), .words th:nth-child(2) { text-align: start; }
.heat { display: grid; gap: 0 2rem; }
.heat > div { min-width: 0; }
.heat { grid-template-columns: repeat(auto-fit, minmax(min(24rem, 100%), 1fr)); }
.keywords { display: grid; grid-template-columns: minmax(8rem, auto) repeat(6, auto) 7rem; }
.keywords thead, .keywords tbody { display: contents; }
.keywords tr { align-items: center; display: grid; grid-column: 1 / -1;
  grid-template-columns: subgrid; order: var(--given); }
.keywords thead tr { order: 0; }
.keywords thead th:last-child { text-align: start; }
.spark { display: block; height: 1.3rem; width: 6.5rem; }
.spark path { fill: none; stroke: var(--c); stroke-width: 1.6; vector-effect: non-scaling-stroke; }
.heat td { min-width: 3.4rem; text-align: center; }
.up { background: color-mix(in oklab, var(--blue) var(--s), transparent); }
.down { background: color-mix(in oklab, var(--orange) var(--s), transparent); }
@media (max-width: 40rem) {
  header, main { padding-left: .7rem; padding-right: .7rem; }
  figure { padding: .7rem; } }
@media print {
  figure, tr { break-inside: avoid; }
  svg, td { print-color-adjust: exact; }
  .documents ol { max-height: none; } }
"""
_STYLE = _STYLE.replace("BAND_OPACITY", str(BAND_OPACITY))
_STYLE += "\n".join(
    f"figure:has(.by-{name}:checked) .keywords tbody tr {{ order: var(--{name}); }}"
    for name in _SORTS
)
_STYLE += "\n"
