"""The worst pages of an evaluation: their missing and extra words, as HTML.

Words are compared along a longest common subsequence, as in the LCS score: case and the way an
accent is encoded do not matter. The number of pages, of words compared and shown, and of letters of
a word are bounded.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Literal, NamedTuple

from thresher.evaluate.results import WorstPage
from thresher.evaluate.scores import folded
from thresher.page.words import words
from thresher.viewer.charts import clean
from thresher.viewer.page_shell import count

MAX_PAGES = 300
MAX_COMPARED = 5_000  # words of each text
MAX_SHOWN = 800  # words of a diff, plus the rest of the run that exceeds it
_MAX_LETTERS = 60  # of a word with the characters up to the next one
_ENDS = {"common": 8, "missing": 60, "extra": 60}  # words shown at each end of a folded run
_TOO_FEW = 4  # words; so few are not folded

Kind = Literal["common", "missing", "extra"]
_KINDS: dict[str, Kind] = {"equal": "common", "delete": "missing", "insert": "extra"}


class Run(NamedTuple):
    """Consecutive words of one kind, each with the characters up to the next word."""

    kind: Kind
    words: list[str]


def word_diff(gold: str, found: str) -> list[Run]:
    """Return the words of both texts in order: common, missing in `found`, or extra in it.

    Only the first `MAX_COMPARED` words of each text are compared.
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
    # The line end separates the last word from a run that may follow.
    text = unicodedata.normalize("NFC", text) + "\n"
    found = words(text)[: MAX_COMPARED + 1]
    starts, at = [], 0
    for word in found:
        at = text.index(word, at)
        starts.append(at)
        at += len(word)
    ends = [*starts[1:], len(text)][: len(starts)]
    pieces = zip(found, starts, ends, strict=True)
    return [(folded(word), _piece(text, start, end)) for word, start, end in pieces][:MAX_COMPARED]


def _piece(text: str, start: int, end: int) -> str:
    if end - start > _MAX_LETTERS:
        return f"{text[start : start + _MAX_LETTERS]}… "
    return re.sub(r"\s+", " ", text[start:end])


# --- as HTML -------------------------------------------------------------------------------------


def worst_pages(pages: Sequence[WorstPage]) -> str:
    """Return a folded element per page, under the names of their corpora."""
    items = []
    for corpus, own in groupby(pages[:MAX_PAGES], key=lambda page: page.corpus):
        items.append(f"<h3><bdi>{clean(corpus)}</bdi></h3>")
        items += [_page(page, number == 0) for number, page in enumerate(own)]
    if len(pages) > MAX_PAGES:
        items.append(f'<p class="note">{count(len(pages) - MAX_PAGES, "more page")} left out.</p>')
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
    if compared >= MAX_COMPARED:
        notes.append(f"only the first {MAX_COMPARED:,} words of each text are compared")
    if not page.found.strip():
        notes.append("the tool gave no text")
    body = "".join(_bounded(runs))
    return f'<p class="sub">{", ".join(notes)}.</p><p class="diff" dir="auto">{body}</p>'


def _bounded(runs: Sequence[Run]) -> Iterator[str]:
    """Yield the runs, marked and folded, until `MAX_SHOWN` words are shown."""
    left = MAX_SHOWN
    for number, run in enumerate(runs):
        if left <= 0:
            yield "<i>… the rest is not shown.</i>"
            return
        text, shown = _folded(run, number > 0, number + 1 < len(runs))
        left -= shown
        mark = {"common": "", "missing": "ins", "extra": "del"}[run.kind]
        space = " " * text.endswith(" ")  # after the mark, not inside it
        yield f"<{mark}>{text.rstrip()}</{mark}>{space}" if mark else text


def _folded(run: Run, before: bool, after: bool) -> tuple[str, int]:
    """Return a run without its middle, and the number of words it shows.

    Of common words, only those beside a run `before` or `after` are shown.
    """
    end = _ENDS[run.kind]
    head = end if before or run.kind != "common" else 0
    tail = end if after or run.kind != "common" else 0
    if len(run.words) <= head + tail + _TOO_FEW:
        return _text(run.words), len(run.words)
    hidden = count(len(run.words) - head - tail, "word")
    fold = "…" if run.kind == "common" else f"… {hidden} …"
    last = _text(run.words[len(run.words) - tail :])
    return f'{_text(run.words[:head])}<i title="{hidden}">{fold}</i> {last}', head + tail


def _text(pieces: Sequence[str]) -> str:
    return clean("".join(pieces), most=MAX_SHOWN * (_MAX_LETTERS + 2))


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
