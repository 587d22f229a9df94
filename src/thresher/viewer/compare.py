"""Compare methods on one page: what each keeps of every text block.

    page --compare--> Comparison --entries--> rows of a table --comparison_page--> HTML

A block is kept, dropped or kept in part. The majority decision on a word is what more than half of
the methods do with it; words on which the methods split evenly are left out of `agreement`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from html import escape
from itertools import groupby

import numpy as np

from thresher import methods as registry
from thresher.document import extract
from thresher.errors import UsageError
from thresher.page import Method, Page
from thresher.page.array_types import Bools, Int32s, Int64s
from thresher.page.arrays import inside
from thresher.page.plain_text import block_texts
from thresher.page.tags import HEADING
from thresher.viewer.page_shell import (
    ShortPaths,
    count,
    html_page,
    join_texts,
    line_numbers,
    subtitle,
    truncate,
)

MERGE_FROM = 3_000  # blocks; above, neighbours with equal states share a row of the page
MAX_ENTRIES = 10_000
MAX_CHARS = 5_000  # of one text
_MANY = 12  # methods; above, columns are narrower


class State(IntEnum):
    """What a method does with a block."""

    DROPPED = 0
    PARTLY = 1
    KEPT = 2


@dataclass(frozen=True, slots=True)
class Entry:
    """A row of the table: a block, or neighbouring blocks with equal states."""

    blocks: int
    text: str
    row: int  # of its first text
    states: tuple[State, ...]  # one per method

    @property
    def agreed(self) -> bool:
        """True if all methods have the same state."""
        return len(set(self.states)) <= 1


def compare(page: Page, methods: Sequence[str | Method] = ()) -> Comparison:
    """Run methods, given as objects or expressions, on a page; all methods unless given."""
    documents = [extract(page, method=method) for method in methods or registry.names()]
    titles = [document.method for document in documents]
    for title in titles:
        if titles.count(title) > 1:
            raise UsageError(f"{title} is given more than once: compare different methods.")
    keep = np.array([document.selection.keep for document in documents])
    return Comparison(page, tuple(titles), documents[0].title, keep)


@dataclass(frozen=True, eq=False)
class Comparison:
    """What each method keeps of a page."""

    page: Page
    methods: tuple[str, ...]
    title: str  # of the page
    keep: Bools  # methods x text rows

    # --- figures: one number per method -----------------------------------------------------

    @cached_property
    def words(self) -> list[int]:
        """Number of words that each method keeps."""
        kept: list[int] = (self.keep @ self._words).tolist()
        return kept

    @cached_property
    def all_words(self) -> int:
        """Number of words that a browser shows or that some method keeps."""
        return int(self._words[self._shown].sum())

    @cached_property
    def shares(self) -> list[float | None]:
        """Share of `all_words` that each method keeps; None if the page has no words."""
        return [words / self.all_words if self.all_words else None for words in self.words]

    @cached_property
    def agreement(self) -> list[float | None]:
        """Share of words on which each method agrees with the majority; None if there are none."""
        votes = 2 * self.keep.sum(axis=0)
        decided = np.where(self._shown & (votes != len(self.methods)), self._words, 0)
        same = (self.keep == (votes > len(self.methods))) @ decided
        total = int(decided.sum())
        return [float(words) / total if total else None for words in same.tolist()]

    @cached_property
    def _words(self) -> Int64s:
        return self.page.words[self.page.text_rows].astype(np.int64)

    @cached_property
    def _shown(self) -> Bools:
        shown: Bools = self.keep.any(axis=0) | ~self.page.hidden[self.page.text_rows]
        return shown

    # --- blocks -----------------------------------------------------------------------------

    @cached_property
    def blocks(self) -> list[Entry]:
        """The blocks that a browser shows or that some method keeps, in document order."""
        page, view = self.page, self.page.blocks
        of_text: Int32s = np.where(self._shown, view.of_text, np.int32(-1))
        texts = block_texts(page, self._shown, of_text)
        numbers = np.fromiter(texts, np.intp, len(texts))
        within = of_text >= 0
        block = of_text[within]
        size = np.bincount(block, minlength=len(view))
        columns = []
        for keep in self.keep:
            kept = np.bincount(block, keep[within], len(view))
            state = np.where(kept == size, State.KEPT, np.where(kept > 0, State.PARTLY, 0))
            columns.append(state[numbers].tolist())
        states = zip(*columns, strict=True)
        rows = page.text_rows[within][np.searchsorted(block, numbers)].tolist()
        return [
            Entry(1, text, row, tuple(map(State, of_block)))
            for text, row, of_block in zip(texts.values(), rows, states, strict=True)
        ]

    def entries(self, merge_from: int, most: int) -> tuple[list[Entry], int]:
        """Return at most `most` rows of a table, and the number of blocks left out at its end.

        With more than `merge_from` blocks, neighbours with equal states are one row.
        """
        rows = self.blocks
        if len(rows) > merge_from:
            alike = groupby(rows, key=lambda entry: entry.states)
            rows = [_merged(list(group)) for _, group in alike]
        return rows[:most], sum(entry.blocks for entry in rows[most:])


def _merged(group: list[Entry]) -> Entry:
    first = group[0]
    if len(group) == 1:
        return first
    text = join_texts(entry.text for entry in group)
    return Entry(len(group), text, first.row, first.states)


# --- the page ------------------------------------------------------------------------------------


def comparison_page(comparison: Comparison) -> str:
    """Return a self-contained HTML page: the text, with a column of marks for each method."""
    entries, left = comparison.entries(MERGE_FROM, MAX_ENTRIES)
    title = escape(comparison.title or "Untitled page")
    note = "" if entries else '<p class="note">This page shows no text.</p>'
    if left:
        note = f'<p class="note">{count(left, "more block")} not listed here.</p>'
    counts = (
        f"{count(len(comparison.methods), 'method')} on {count(comparison.all_words, 'word')} "
        f"in {count(len(comparison.blocks), 'block')}"
    )
    body = _BODY.format(
        title=title,
        subtitle=subtitle(counts, comparison.page.url, comparison.page.status),
        head=_head(comparison),
        rows="\n".join(_rows(comparison, entries)),
        note=note,
        many=' class="many"' * (len(comparison.methods) > _MANY),
    )
    return html_page(f"{title} – methods side by side", _STYLE, body)


def percent(share: float | None) -> str:
    """Return a share in percent, or a dash for None."""
    return "–" if share is None else f"{100 * share:.0f} %"


def _head(comparison: Comparison) -> str:
    """Return the head of the table: the name and the figures of each method."""
    names = "".join(
        f'<th scope="col" title="{escape(name)}"><span>{escape(name)}</span><b>{words:,}</b></th>'
        for name, words in zip(comparison.methods, comparison.words, strict=True)
    )
    figures = "".join(
        f'<tr class="f">{"".join(f"<td>{percent(value)}</td>" for value in values)}'
        f"<td></td><td>{label}</td></tr>"
        for values, label in (
            (comparison.shares, "of all words"),
            (comparison.agreement, "agreement with the majority"),
        )
    )
    return (
        f"<thead><tr>{names}<th></th><th>words kept</th></tr></thead>\n<tbody>{figures}</tbody>\n"
    )


_MARKS = {State.KEPT: '<td class="k">●', State.PARTLY: '<td class="p">◐', State.DROPPED: "<td>·"}


def _rows(comparison: Comparison, entries: list[Entry]) -> Iterator[str]:
    """Yield table rows; class s: all methods agree, h: heading, o: dropped by most methods."""
    page = comparison.page
    paths = ShortPaths(page)
    heading = inside(HEADING[page.tag], page.end)
    rows = np.fromiter((entry.row for entry in entries), np.intp, len(entries))
    for entry, line in zip(entries, line_numbers(page, rows), strict=True):
        marks = "".join(_MARKS[state] for state in entry.states)
        text = escape(truncate(entry.text, MAX_CHARS))
        place = paths.path(entry.row)
        if entry.blocks > 1:
            text = f"<b>{entry.blocks:,} blocks</b> {text}"
            place = f"{entry.blocks:,} blocks from {place}"
        classes = {
            "s": entry.agreed,
            "h": heading[entry.row] and entry.blocks == 1,
            "o": sum(entry.states) < len(entry.states) * State.KEPT / 2,
        }
        names = " ".join(name for name, applies in classes.items() if applies)
        given = f' class="{names}"' if names else ""
        hover = f"line {line}: {place}"
        yield f'<tr{given} title="{escape(hover)}">{marks}<td>{line}<td dir="auto">{text}</tr>'


_STYLE = """
header, main { margin: 0 auto; max-width: 64rem; padding: 0 1rem; }
header { padding-top: 1.6rem; }
main { padding-bottom: 6rem; }
.legend { align-items: center; border: solid var(--line); border-width: 1px 0; display: flex;
  flex-wrap: wrap; font-size: .875rem; gap: .3rem 1.5rem; margin: 0 0 .6rem; padding: .6rem 0; }
.legend label { cursor: pointer; margin-inline-start: auto; }
.key i { border: 1px solid var(--grey); display: inline-block; height: .9em;
  margin-inline-end: .45em; vertical-align: -.1em; width: .9em; }
.key .k, .key .p { border-color: var(--green); }
table { border-collapse: separate; border-spacing: 0; width: 100%; }
th, td { padding: 0; vertical-align: top; }
th { background: var(--paper); border-bottom: 1px solid var(--line); font-weight: 400;
  min-width: 2.4rem; padding: .5rem 0 .3rem; position: sticky; top: 0; vertical-align: bottom;
  width: 2.4rem; z-index: 1; }
th span { display: block; font: .875rem/1.2 ui-monospace, monospace; margin: 0 auto .4rem;
  max-height: 9rem; overflow: hidden; text-overflow: ellipsis; transform: rotate(180deg);
  white-space: nowrap; writing-mode: vertical-rl; }
th b { display: block; font-size: .75rem; font-variant-numeric: tabular-nums; }
th:last-child { color: var(--soft); font-size: .75rem; text-align: start; width: auto; }
.f td { color: var(--soft); font-size: .7rem; padding: .2rem 0; text-align: center;
  white-space: nowrap; }
.f td:last-child { font-size: .75rem; text-align: start; white-space: normal; }
.f:last-child td { border-bottom: 1px solid var(--line); }
.t td { border-left: 3px solid var(--paper); border-right: 3px solid var(--paper);
  color: var(--grey); font-size: .7rem; line-height: 1.9rem; text-align: center; }
.t .k, .key .k { background: var(--green); }
.t .p, .key .p { background: repeating-linear-gradient(135deg, var(--green) 0 3px, transparent 3px
  7px); }
.t .k, .t .p { color: transparent; }
.t td:nth-last-child(2) { color: var(--soft); font: .7rem/1.9rem ui-monospace, monospace;
  min-width: 3rem; padding-inline-end: .6rem; text-align: end; user-select: none; width: 3rem; }
.t td:last-child { border: 0; color: inherit; font-size: .9375rem; line-height: 1.5;
  padding: .2rem 0; text-align: start; }
.t tr:hover td:last-child { background: var(--leaf); }
.t .h td:last-child { font-size: 1.05rem; font-weight: 650; }
.t .o td:last-child { color: var(--soft); font-size: .8125rem; font-weight: 400; }
body:has(#only:checked) .s { display: none; }
body:has(.many) header, .many { max-width: 84rem; }
.many th { min-width: 1.3rem; width: 1.3rem; }
.many th b, .many .f td:not(:nth-last-child(-n + 2)) { margin: auto; transform: rotate(180deg);
  writing-mode: vertical-rl; }
.many .f td { padding: .3rem 0; vertical-align: middle; }
.many .f:last-child td:not(:nth-last-child(-n + 2)) { border: solid var(--line);
  border-width: 1px 0 0; }
.many .t td { border-width: 0 1px; }
.many th:last-child { width: auto; }
@media (max-width: 40rem) {
  header, main { padding: 0 .5rem; }
  header { padding-top: 1rem; }
  .t td:nth-last-child(2), th:nth-last-child(2), .f td:nth-last-child(2) { display: none; }
  .f { display: none; }
  th { min-width: 1.1rem; width: 1.1rem; }
  th b { margin: auto; transform: rotate(180deg); writing-mode: vertical-rl; }
  th span { font-size: .75rem; }
  .t td { border-width: 0 1px; }
  .t td:last-child { padding-inline-start: .4rem; } }
@media print { th { position: static; } .t td { print-color-adjust: exact; } }
"""

_BODY = """<header>
<h1 dir="auto">{title}</h1>
<p class="sub">{subtitle}</p>
<p class="legend"><span class="key"><i class="k"></i>kept</span>
<span class="key"><i class="p"></i>kept in part</span> <span class="key"><i></i>dropped</span>
<label><input type="checkbox" id="only"> only where the methods differ</label></p>
</header>
<main{many}>
<table>
{head}<tbody class="t">
{rows}
</tbody>
</table>
{note}
</main>
"""
