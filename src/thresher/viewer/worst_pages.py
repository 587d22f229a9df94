"""The worst pages: what is missing and what is too much, word by word.

Words are compared along one longest common subsequence, as in the LCS score: without regard to case
or to how an accent is written.
All is bounded: words compared, words shown, letters of a word, pages.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Literal, NamedTuple

from thresher.evaluate.failures import WorstPage
from thresher.evaluate.scores import folded
from thresher.page.words import words
from thresher.viewer.charts import clean
from thresher.viewer.page_shell import count

MOST_PAGES = 300
MOST_COMPARED = 5_000  # words of each text
MOST_SHOWN = 800  # words of a diff, and the rest of the run that passes it
_LETTERS = 60  # of a word with what follows it
_ENDS = {"common": 8, "missing": 60, "extra": 60}  # words left at each end of a folded run
_FOLD = 4  # words that are not worth folding
_SPACES = re.compile(r"\s+")

Kind = Literal["common", "missing", "extra"]
_KINDS: dict[str, Kind] = {"equal": "common", "delete": "missing", "insert": "extra"}


class Run(NamedTuple):
    """Words in a row, each with what stands between it and the next one."""

    kind: Kind
    words: list[str]


def word_diff(gold: str, found: str) -> list[Run]:
    """Return the words of both texts in order: common, missing in `found`, or extra there.

    Only the first `MOST_COMPARED` words of each text are compared.
    """
    from rapidfuzz.distance import LCSseq

    wanted, given = _words(gold), _words(found)
    number: dict[str, int] = {}
    coded = [[number.setdefault(key, len(number)) for key, _ in side] for side in (wanted, given)]
    runs: list[Run] = []
    for step in LCSseq.opcodes(*coded):
        if step.tag == "insert":
            side = given[step.dest_start : step.dest_end]
        else:
            side = wanted[step.src_start : step.src_end]
        runs.append(Run(_KINDS[step.tag], [shown for _, shown in side]))
    return runs


def _words(text: str) -> list[tuple[str, str]]:
    """Return each word's folded form, and the word as written up to the next one."""
    # The line end parts the last word from what may follow it.
    text = unicodedata.normalize("NFC", text) + "\n"
    found = words(text)[: MOST_COMPARED + 1]
    starts, at = [], 0
    for word in found:
        at = text.index(word, at)
        starts.append(at)
        at += len(word)
    pieces = zip(found, starts, [*starts[1:], len(text)], strict=False)  # none: no end either
    return [(folded(word), _piece(text, *ends)) for word, *ends in pieces][:MOST_COMPARED]


def _piece(text: str, start: int, end: int) -> str:
    if end - start > _LETTERS:
        return f"{text[start : start + _LETTERS]}… "
    return _SPACES.sub(" ", text[start:end])


# --- as HTML -------------------------------------------------------------------------------------


def worst_pages(pages: Sequence[WorstPage]) -> str:
    """Return the pages one below the other, each to be opened, under the names of their corpora."""
    items = []
    for corpus, own in groupby(pages[:MOST_PAGES], key=lambda page: page.corpus):
        items.append(f"<h3><bdi>{clean(corpus)}</bdi></h3>")
        items += [_page(page, number == 0) for number, page in enumerate(own)]
    if len(pages) > MOST_PAGES:
        items.append(f'<p class="note">{count(len(pages) - MOST_PAGES, "more page")} left out.</p>')
    return "\n".join(items)


def _page(page: WorstPage, is_open: bool) -> str:
    return (
        f'<details class="worst"{" open" * is_open}><summary><b>F1 {page.f1:.3f}</b> '
        f"<code><bdi>{clean(page.tool)}</bdi></code> on <bdi>{clean(page.page)}</bdi></summary>"
        f"{_diff(page)}</details>"
    )


def _diff(page: WorstPage) -> str:
    runs = word_diff(page.gold, page.found)
    totals = {kind: sum(len(run.words) for run in runs if run.kind == kind) for kind in _ENDS}
    notes = [
        f"{count(totals['missing'], 'word')} missing",
        f"{totals['extra']:,} extra",
        f"{totals['common']:,} in common",
    ]
    compared = max(totals["missing"], totals["extra"]) + totals["common"]
    if compared >= MOST_COMPARED:
        notes.append(f"only the first {MOST_COMPARED:,} words of each text are compared")
    if not page.found.strip():
        notes.append("the tool gave no text")
    body = "".join(_bounded(runs))
    return f'<p class="sub">{", ".join(notes)}.</p><p class="diff" dir="auto">{body}</p>'


def _bounded(runs: Sequence[Run]) -> Iterator[str]:
    """Yield the runs marked and folded, as long as there is room."""
    left = MOST_SHOWN
    for number, run in enumerate(runs):
        if left <= 0:
            yield "<i>… the rest is not shown.</i>"
            return
        text, shown = _folded(run, number > 0, number + 1 < len(runs))
        left -= shown
        mark = {"common": "", "missing": "ins", "extra": "del"}[run.kind]
        space = " " * text.endswith(" ")  # stays outside of the mark
        yield f"<{mark}>{text.rstrip()}</{mark}>{space}" if mark else text


def _folded(run: Run, before: bool, after: bool) -> tuple[str, int]:
    """Return a run with its middle left out, and how many words it shows.

    Common words are only there to show where others are missing or extra, `before` or `after`.
    """
    end = _ENDS[run.kind]
    head = end if before or run.kind != "common" else 0
    tail = end if after or run.kind != "common" else 0
    if len(run.words) <= head + tail + _FOLD:
        return _text(run.words), len(run.words)
    hidden = count(len(run.words) - head - tail, "word")
    fold = "…" if run.kind == "common" else f"… {hidden} …"
    last = _text(run.words[len(run.words) - tail :])
    return f'{_text(run.words[:head])}<i title="{hidden}">{fold}</i> {last}', head + tail


def _text(pieces: Sequence[str]) -> str:
    return clean("".join(pieces), most=MOST_SHOWN * (_LETTERS + 2))


STYLE = """
.worst { border-top: 1px solid var(--line); padding: .5rem 0; }
.worst summary b { font-variant-numeric: tabular-nums; }
#worst h3 { margin: 1.4rem 0 .5rem; }
.diff { line-height: 1.75; margin: .4rem 0 .8rem; }
.diff i { color: var(--soft); font-size: .85em; }
ins, del { border-radius: 3px; box-decoration-break: clone; padding: .05em .2em;
  -webkit-box-decoration-break: clone; }
ins { background: var(--missing); text-decoration: underline; text-underline-offset: .2em; }
del { background: var(--extra); text-decoration: line-through; }
"""
