"""An HTML page that shows which blocks of a page are kept and which are dropped.

    document --> kept and dropped pieces of each block --> entries --> list and map --> HTML

The page lists every text block that a browser shows, in document order: kept blocks with a green
bar, dropped ones small and grey, and dropped words inside a kept block struck through. A map at the
side has a strip per block; its height is the block's share of the words. The tooltip of a block has
its kind and its path and, for the default method, the probability that the block is content with
the strongest reason.

The page loads nothing and runs no script. Its size is bounded: with more than `MERGE_FROM` blocks,
a run of dropped blocks is one entry; at most `MAX_ENTRIES` entries are listed; a text is cut after
`MAX_CHARS` characters. The page says where; the counts and the map always cover all blocks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from itertools import groupby
from operator import itemgetter

import numpy as np

from thresher.document import Document
from thresher.methods.default.judge import load_judge
from thresher.methods.default.reasons import block_reasons, mean_contributions
from thresher.page import Page
from thresher.page.array_types import Bools, Int32s, Int64s, Rows
from thresher.page.plain_text import block_texts
from thresher.page.tags import CELL
from thresher.viewer.page_shell import (
    ShortPaths,
    count,
    html_page,
    join_texts,
    line_numbers,
    subtitle,
    truncate,
)

MERGE_FROM = 3_000  # blocks of the page
MAX_ENTRIES = 20_000
MAX_CHARS = 20_000  # of one kept text
STRIPS = 300  # of the map
_SHORT_CELL = 60  # characters; shorter table cells are shown beside each other


@dataclass(frozen=True, slots=True)
class _Entry:
    """One item of the list: a block, or a run of dropped blocks."""

    number: int  # of its first block, in document order
    blocks: int
    kept: bool
    pieces: list[tuple[bool, str]]  # kept or not, and the text
    row: int  # of its first text


@dataclass(frozen=True, slots=True, eq=False)
class _Blocks:
    """The blocks to show, as columns."""

    kept: Bools  # any text of the block
    kept_words: Int64s
    dropped_words: Int64s
    row: Int32s  # of its first text
    pieces: list[list[tuple[bool, str]]]  # kept or not, and the text


def explain(document: Document) -> str:
    """Return a self-contained HTML page that shows what `document` keeps of its page."""
    blocks = _shown_blocks(document)
    entries = list(_entries(blocks))
    listed = entries[:MAX_ENTRIES]
    left = sum(entry.blocks for entry in entries[MAX_ENTRIES:])
    items = "\n".join(_items(document, listed))
    if left:
        items += f'\n<p class="note">{count(left, "more block")} not listed here.</p>'
    title = escape(document.title or "Untitled page")
    language = escape(document.language or "")
    body = _BODY.format(
        title=title,
        subtitle=subtitle(
            f"method <code>{escape(document.method)}</code>", document.url, document.status
        ),
        figures=_figures(blocks),
        language=f' lang="{language}"' if language else "",
        map=_map(blocks, listed),
        items=items or '<p class="note">This page shows no text.</p>',
    )
    return html_page(f"{title} – kept and dropped", _STYLE, body)


# --- blocks and entries --------------------------------------------------------------------------


def _shown_blocks(document: Document) -> _Blocks:
    """Return the blocks that are visible or kept, cut into kept and dropped pieces."""
    page, keep, view = document.page, document.selection.keep, document.page.blocks
    shown = keep | ~page.hidden[page.text_rows]
    of_text = np.where(shown, view.of_text, -1)
    inside = np.flatnonzero(of_text >= 0)
    block, choice = of_text[inside], keep[inside]
    starts = np.ones(len(inside), np.bool_)
    starts[1:] = (np.diff(block) != 0) | (np.diff(choice.astype(np.int8)) != 0)
    piece_of_text = np.full(len(of_text), -1, np.int32)
    piece_of_text[inside] = np.cumsum(starts) - 1
    texts = block_texts(page, shown, piece_of_text)

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
    return _Blocks(
        any_kept, kept_words, all_words - kept_words, view.first[numbers], list(pieces.values())
    )


def _entries(blocks: _Blocks) -> Iterator[_Entry]:
    """Yield an entry per block; on a large page one for each run of dropped blocks."""
    merge = len(blocks.kept) > MERGE_FROM
    rows, kept = blocks.row.tolist(), blocks.kept.tolist()
    for is_run, group in groupby(range(len(rows)), key=lambda number: merge and not kept[number]):
        numbers = list(group)
        if is_run:
            texts = (" ".join(text for _, text in blocks.pieces[number]) for number in numbers)
            pieces = [(False, join_texts(texts))]
            yield _Entry(numbers[0], len(numbers), False, pieces, rows[numbers[0]])
        else:
            for number in numbers:
                yield _Entry(number, 1, kept[number], blocks.pieces[number], rows[number])


# --- the list ------------------------------------------------------------------------------------


def _items(document: Document, entries: list[_Entry]) -> Iterator[str]:
    """Yield the HTML of each entry; the short cells of a table row are in one section."""
    page = document.page
    kinds = {block.row: block.kind for block in document.page_blocks}
    rows = np.fromiter((entry.row for entry in entries), np.intp, len(entries))
    paths = ShortPaths(page)
    columns = (
        entries,
        line_numbers(page, rows),
        _probabilities(document, rows),
        _table_rows(page, entries),
    )
    for table_row, group in groupby(zip(*columns, strict=True), key=itemgetter(3)):
        items = [
            _item(entry, kinds.get(entry.row, "paragraph"), paths.path(entry.row), line, reason)
            for entry, line, reason, _ in group
        ]
        if table_row < 0 or len(items) == 1:
            yield from items
        else:
            yield f"<section>{''.join(items)}</section>"


def _probabilities(document: Document, rows: Rows) -> list[str]:
    """Return the probability and strongest reason of the block at each row.

    The texts are empty unless the document was made by the default method.
    """
    judged = document.judgement if document.method.partition("(")[0] == "default" else None
    if judged is None:
        return [""] * len(rows)
    page, judge = document.page, load_judge(document.model)
    blocks = page.blocks.of_text.take(page.text_rows.searchsorted(rows)).astype(np.intp)
    judged = judge.with_all_features(judged)
    mean = mean_contributions(judge, judged)
    why = block_reasons(judge, judged, blocks, mean, most=1)
    return [
        f"\nprobability {share:.2f}{f'; {reasons[0]}' if reasons else ''}"
        for share, reasons in zip(judged.probability.take(blocks).tolist(), why, strict=True)
    ]


def _table_rows(page: Page, entries: list[_Entry]) -> list[int]:
    """Return the table row in which each entry is a short cell, -1 if it is none."""
    found = [-1] * len(entries)
    for index, entry in enumerate(entries):
        block = page.blocks.of_text[np.searchsorted(page.text_rows, entry.row)]
        parent = int(page.blocks.parent[block])
        is_cell = parent > 0 and CELL[page.tag[parent]]
        is_short = entry.blocks == len(entry.pieces) == 1 and len(entry.pieces[0][1]) <= _SHORT_CELL
        if is_cell and is_short:
            found[index] = int(page.parent[parent])
    return found


def _item(entry: _Entry, kind: str, path: str, line: int, reason: str) -> str:
    pieces = [(kept, escape(truncate(text, MAX_CHARS))) for kept, text in entry.pieces]
    body = " ".join(text if kept == entry.kept else f"<s>{text}</s>" for kept, text in pieces)
    state = "k" if entry.kept else "d"
    hover = f"{kind}, {'kept' if entry.kept else 'dropped'}: {path}{reason}"
    if entry.blocks > 1:
        state, hover = "d m", f"{entry.blocks:,} dropped blocks from {path}"
        body = f"<b>{entry.blocks:,} dropped blocks</b> {body}"
    return (
        f'<div id="b{entry.number}" class="{state} {kind}" title="{escape(hover)}">'
        f'<i>{line}</i><p dir="auto">{body}</p></div>'
    )


# --- header and map ------------------------------------------------------------------------------


def _figures(blocks: _Blocks) -> str:
    kept, dropped = int(blocks.kept_words.sum()), int(blocks.dropped_words.sum())
    kept_blocks = int(np.count_nonzero(blocks.kept))
    dropped_blocks = len(blocks.kept) - kept_blocks
    share = round(100 * kept / max(kept + dropped, 1))
    return (
        f'<span class="key kept"><b>kept</b> {count(kept_blocks, "block")}, '
        f"{count(kept, 'word')} ({share} %)</span> "
        f'<span class="key dropped"><b>dropped</b> {count(dropped_blocks, "block")}, '
        f"{count(dropped, 'word')}</span>"
    )


def _map(blocks: _Blocks, listed: list[_Entry]) -> str:
    """Return the map: a strip per block, or parts of equal weight if there are too many blocks."""
    size = len(blocks.kept)
    if not size:
        return ""
    # A block without words, such as a lone dash, has the height of one word.
    green = np.where(blocks.kept, np.maximum(blocks.kept_words, 1), 0)
    grey = np.where(blocks.kept, blocks.dropped_words, np.maximum(blocks.dropped_words, 1))
    weight = green + grey
    first = np.arange(size)
    if size > STRIPS:
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
    look = "fine" if size > STRIPS else "coarse"
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
