"""What was kept and what was dropped, as one HTML page to look at.

    document --pieces--> what of each block is kept --entries--> list and map --> page

Every text block that a browser would show stands in its order: kept ones with a green bar, dropped
ones small and grey, and inside a kept block the words that the method left out struck through. At
the side runs a map of the whole page, where the height of a strip is its share of the words. Who
hovers over a block sees its kind and its place, and if the default chose, how probable it is that
the block is content, with the reason that sets it most apart.

The page loads nothing and runs no script. It is bounded: past `MERGE_FROM` blocks a run of dropped
blocks becomes one entry, past `MOST_ENTRIES` entries the list ends, and a text is cut at
`MOST_CHARS`. It says so where it happens; the counts and the map cover everything.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from itertools import groupby
from operator import itemgetter

import numpy as np

from thresher.document import Document
from thresher.methods.default.judge import judge_of
from thresher.methods.default.reasons import strongest, typical
from thresher.page import Page
from thresher.page.array_types import Bools, Int32s, Int64s, Rows
from thresher.page.plain_text import block_texts
from thresher.page.tags import CELL
from thresher.viewer.page_shell import Paths, count, cut, sheet, source_lines, subtitle

MERGE_FROM = 3_000  # blocks of the page
MOST_ENTRIES = 20_000
MOST_CHARS = 20_000  # of one kept text
MOST_CHARS_MERGED = 300  # of a run of dropped blocks
STRIPS = 300  # of the map
_SHORT = 60  # characters of a table cell that stands beside its neighbours


@dataclass(frozen=True, slots=True)
class _Entry:
    """One item of the list: a block, or a run of dropped blocks."""

    number: int  # of its first block, in the page's order
    blocks: int
    kept: bool
    pieces: list[tuple[bool, str]]  # kept or not, and the text
    row: int


@dataclass(frozen=True, slots=True, eq=False)
class _Shown:
    """The blocks to show: per block the words kept and dropped, and its pieces of text."""

    kept: Bools
    kept_words: Int64s
    dropped_words: Int64s
    row: Int32s
    pieces: list[list[tuple[bool, str]]]


def explain(document: Document) -> str:
    """Return a self-contained HTML page that shows what `document` keeps of its page."""
    shown = _shown(document)
    listed, left = _bounded(list(_entries(shown)))
    items = "\n".join(_items(document, listed))
    if left:
        items += f'\n<p class="note">{count(left, "more block")} not listed here.</p>'
    title = escape(document.title or "Untitled page")
    language = escape(document.language or "")
    body = _BODY.format(
        title=title,
        subtitle=_subtitle(document),
        figures=_figures(shown),
        language=f' lang="{language}"' if language else "",
        map=_map(shown, listed),
        items=items or '<p class="note">This page shows no text.</p>',
    )
    return sheet(f"{title} – kept and dropped", _STYLE, body)


# --- blocks and entries --------------------------------------------------------------------------


def _shown(document: Document) -> _Shown:
    """Cut each block where the choice changes; leave out what is neither visible nor kept."""
    page, keep, view = document.page, document.selection.keep, document.page.blocks
    shown = keep | ~page.hidden[page.text_rows]
    of_text = np.where(shown, view.of_text, -1)
    inside = np.flatnonzero(of_text >= 0)
    block, choice = of_text[inside], keep[inside]
    starts = np.ones(len(inside), np.bool_)
    starts[1:] = (np.diff(block) != 0) | (np.diff(choice.astype(np.int8)) != 0)
    piece_of_text = np.full(len(of_text), -1, np.int32)
    piece_of_text[inside] = np.cumsum(starts) - 1
    texts = block_texts(page, page.texts, shown, piece_of_text)

    pieces: dict[int, list[tuple[bool, str]]] = {}
    of_piece = zip(block[starts].tolist(), choice[starts].tolist(), strict=True)
    for number, (of_block, kept) in enumerate(of_piece):
        if number in texts:
            pieces.setdefault(of_block, []).append((kept, texts[number]))
    numbers = np.fromiter(pieces, np.intp, len(pieces))
    words = page.words[page.text_rows[inside]]
    kept_words = np.bincount(block, words * choice, len(view))[numbers].astype(np.int64)
    all_words = np.bincount(block, words, len(view))[numbers].astype(np.int64)
    any_kept = np.bincount(block, choice, len(view))[numbers] > 0
    return _Shown(
        any_kept, kept_words, all_words - kept_words, view.first[numbers], list(pieces.values())
    )


def _entries(shown: _Shown) -> Iterator[_Entry]:
    """Yield the blocks one by one, or on a large page the runs of dropped ones as one."""
    merge = len(shown.kept) > MERGE_FROM
    rows = shown.row.tolist()
    run: list[int] = []
    for number, kept in enumerate([*shown.kept.tolist(), True]):
        if merge and not kept:
            run.append(number)
            continue
        if run:
            yield _merged(shown, run, rows[run[0]])
            run = []
        if number < len(rows):
            yield _Entry(number, 1, kept, shown.pieces[number], rows[number])


def _merged(shown: _Shown, run: list[int], row: int) -> _Entry:
    text = ""
    for number in run:
        if len(text) > MOST_CHARS_MERGED:
            break
        text += (" · " if text else "") + " ".join(piece for _, piece in shown.pieces[number])
    if len(text) > MOST_CHARS_MERGED:
        text = f"{text[:MOST_CHARS_MERGED]} …"
    return _Entry(run[0], len(run), False, [(False, text)], row)


def _bounded(entries: list[_Entry]) -> tuple[list[_Entry], int]:
    """Cut the list; the second value is the number of blocks that are left out."""
    return entries[:MOST_ENTRIES], sum(entry.blocks for entry in entries[MOST_ENTRIES:])


# --- the list ------------------------------------------------------------------------------------


def _items(document: Document, entries: list[_Entry]) -> Iterator[str]:
    page = document.page
    kinds = {block.row: block.kind for block in document.page_blocks}
    rows = np.fromiter((entry.row for entry in entries), np.intp, len(entries))
    paths = Paths(page)
    lines = source_lines(page, rows)
    of_table = zip(entries, lines, _judged(document, rows), _table_rows(page, entries), strict=True)
    for table_row, group in groupby(of_table, key=itemgetter(3)):
        items = [
            _item(entry, kinds.get(entry.row, "paragraph"), paths.of(entry.row), line, judged)
            for entry, line, judged, _ in group
        ]
        if table_row < 0 or len(items) == 1:
            yield from items
        else:
            yield f"<section>{''.join(items)}</section>"


def _judged(document: Document, rows: Rows) -> list[str]:
    """What the default thought of the block at each row, if it was the default that chose."""
    judged = document.judgement if document.method.partition("(")[0] == "default" else None
    if judged is None:
        return [""] * len(rows)
    page, judge = document.page, judge_of(document.model)
    blocks = page.blocks.of_text.take(page.text_rows.searchsorted(rows)).astype(np.intp)
    why = strongest(judge, judged, blocks, typical(judge, judged))
    return [
        f"\nprobability {share:.2f}{f'; {reason}' if reason else ''}"
        for share, reason in zip(judged.probability.take(blocks).tolist(), why, strict=True)
    ]


def _table_rows(page: Page, entries: list[_Entry]) -> list[int]:
    """The table row that each entry is a short cell of, else -1: its cells stand side by side."""
    found = [-1] * len(entries)
    for index, entry in enumerate(entries):
        around = int(page.blocks.parent[_block_of(page, entry.row)])
        if around > 0 and CELL[page.tag[around]] and len(entry.pieces) == 1:
            short = entry.blocks == 1 and len(entry.pieces[0][1]) <= _SHORT
            found[index] = int(page.parent[around]) if short else -1
    return found


def _block_of(page: Page, row: int) -> int:
    return int(page.blocks.of_text[np.searchsorted(page.text_rows, row)])


def _item(entry: _Entry, kind: str, path: str, line: int, judged: str) -> str:
    pieces = [(kept, escape(cut(text, MOST_CHARS))) for kept, text in entry.pieces]
    body = " ".join(text if kept == entry.kept else f"<s>{text}</s>" for kept, text in pieces)
    state = "k" if entry.kept else "d"
    hover = f"{kind}, {'kept' if entry.kept else 'dropped'}: {path}{judged}"
    if entry.blocks > 1:
        state, hover = "d m", f"{entry.blocks:,} dropped blocks from {path}"
        body = f"<b>{entry.blocks:,} dropped blocks</b> {body}"
    return (
        f'<div id="b{entry.number}" class="{state} {kind}" title="{escape(hover)}">'
        f'<i>{line}</i><p dir="auto">{body}</p></div>'
    )


# --- header and map ------------------------------------------------------------------------------


def _subtitle(document: Document) -> str:
    method = f"method <code>{escape(document.method)}</code>"
    return subtitle(method, document.url, document.status)


def _figures(shown: _Shown) -> str:
    kept, dropped = int(shown.kept_words.sum()), int(shown.dropped_words.sum())
    blocks = int(np.count_nonzero(shown.kept))
    share = round(100 * kept / max(kept + dropped, 1))
    return (
        f'<span class="key kept"><b>kept</b> {count(blocks, "block")}, '
        f"{count(kept, 'word')} ({share} %)</span> "
        f'<span class="key dropped"><b>dropped</b> {count(len(shown.kept) - blocks, "block")}, '
        f"{count(dropped, 'word')}</span>"
    )


def _map(shown: _Shown, listed: list[_Entry]) -> str:
    """Strips from top to bottom: a block each, or parts of equal weight when there are too many."""
    blocks = len(shown.kept)
    if not blocks:
        return ""
    green = np.where(shown.kept, np.maximum(shown.kept_words, 1), 0)  # a lone dash is a strip too
    grey = np.where(shown.kept, shown.dropped_words, np.maximum(shown.dropped_words, 1))
    weight = green + grey
    first = np.arange(blocks)
    if blocks > STRIPS:
        before = np.cumsum(weight) - weight
        part = before * STRIPS // weight.sum()
        first = np.flatnonzero(np.diff(part, prepend=-1))
    green, grey = np.add.reduceat(green, first), np.add.reduceat(grey, first)
    share = np.rint(100 * green / (green + grey)).astype(np.int64)
    numbers = np.array([entry.number for entry in listed])
    targets = numbers[np.searchsorted(numbers, first, side="right") - 1]
    columns = (targets, green + grey, share)
    strips = "".join(
        f'<a tabindex="-1" href="#b{target}" style="flex-grow:{height};--kept:{percent}%"></a>'
        for target, height, percent in zip(*(column.tolist() for column in columns), strict=True)
    )
    look = "fine" if blocks > STRIPS else "coarse"
    return f'<nav aria-hidden="true" class="{look}">{strips}</nav>'


_STYLE = """
html { scroll-padding-top: 30vh; }
header, main { margin: 0 auto; max-width: 52rem; padding: 0 3.6rem 0 1rem; }
header { padding-top: 1.6rem; }
.legend { align-items: center; border: solid var(--line); border-width: 1px 0; display: flex;
  flex-wrap: wrap; font-size: .875rem; gap: .3rem 1.5rem; margin: 0 0 1.2rem; padding: .6rem 0; }
.key::before { background: var(--green); border-radius: 2px; content: ""; display: inline-block;
  height: .8em; margin-inline-end: .45em; width: .8em; }
.dropped::before { background: var(--grey); }
.legend label { cursor: pointer; }
main { padding-bottom: 6rem; }
main div { border-left: 4px solid var(--grey); content-visibility: auto;
  contain-intrinsic-size: auto 2rem; display: flex; gap: .8rem; padding: .15rem .8rem; }
main p { flex: 1; margin: 0; min-width: 0; }
main i { color: var(--soft); flex: 0 0 2.6rem; font: .7rem/1.9 ui-monospace, monospace;
  opacity: .75; text-align: end; user-select: none; }
main .k { background: var(--leaf); border-color: var(--green); padding: .35rem .8rem; }
.k i { line-height: 2.2; }
.d { color: var(--soft); font-size: .8125rem; }
main > .k + .k, main > .d + .d { margin-top: -1px; }
main > .d + .k, main > .k + .d { margin-top: .5rem; }
.k + .heading.k { padding-top: 1.1rem; }
.heading.k p { font-size: 1.2rem; font-weight: 650; line-height: 1.4; }
.k + .list.k { padding-top: 0; }
.list.k p::before { content: "•"; margin-inline-end: .5em; }
.code.k p { font: .8125rem/1.5 ui-monospace, monospace; white-space: pre-wrap; }
section { display: flex; margin-top: -1px; }
main section div { flex: 1 1 0; min-width: 0; padding-bottom: .1rem; padding-top: .1rem; }
main section .k + .k, main section .d + .d { border-left: 1px solid var(--line); }
section div + div i { display: none; }
.quote.k p { font-style: italic; }
.caption.k p, .table.k p { font-size: .9rem; }
s { color: var(--soft); font-size: .8125rem; }
:target { outline: 2px solid var(--green); outline-offset: 1px; }
nav { bottom: 0; display: flex; flex-direction: column; padding: .5rem; position: fixed; right: 0;
  top: 0; width: 2.6rem; }
nav a { background: color-mix(in srgb, var(--green) var(--kept), var(--grey));
  box-shadow: inset 0 -1px rgb(128 128 128 / .25); flex: 1 1 0; min-height: 0; }
.fine a { box-shadow: none; }
nav a:hover { filter: brightness(1.15); outline: 2px solid var(--ink); z-index: 1; }
body:has(#only:checked) .d, body:has(#only:checked) s { display: none; }
@media (max-width: 40rem) {
  header, main { padding-left: .6rem; padding-right: 1.7rem; }
  nav { padding: .3rem .25rem; width: 1.4rem; }
  main div { gap: .5rem; padding: 0 .5rem; }
  main i { flex-basis: auto; } }
@media print { nav { display: none; } }
"""

_BODY = """<header>
<h1 dir="auto">{title}</h1>
<p class="sub">{subtitle}</p>
<p class="legend">{figures}
<label><input type="checkbox" id="only"> hide what was dropped</label></p>
</header>
{map}
<main{language}>
{items}
</main>
"""
