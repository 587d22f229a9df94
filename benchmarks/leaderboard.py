"""The leaderboard: every method and peer on every shared corpus, beside what the papers claim.

A run writes its figures to a JSON file; `page` turns that file into the page of the docs, and
`accuracy` into the table of the README. A test compares them, so they say what the last run
measured.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.claims import CLAIMS, DATA, PAPERS
from benchmarks.floors import corpora_folder
from benchmarks.marked_blocks import markdown_table, with_block
from thresher import methods
from thresher.evaluate import peers
from thresher.evaluate.results import Results
from thresher.evaluate.run import Tools, evaluate

__all__ = ["IN_SAMPLE", "accuracy", "main", "page", "summary"]

# Methods whose figures here flatter them, as something was chosen or learned on these pages; what
# is swept says so beside the option, in the method's module.
_LENGTH = "the length of a line was swept on these corpora"
_SWEPT = "options were swept on wcxb-dev and fundus"
_TRAINED = "trained on wcxb-dev and fundus"
IN_SAMPLE = {
    **dict.fromkeys(("addanag", "danag", "dana", "r2l"), _LENGTH),
    **dict.fromkeys(
        ("accb", "ccb", "tccb", "cetr", "crunch", "density", "gswce", "k-fe", "mantratzis"), _SWEPT
    ),
    **dict.fromkeys(("content-seeker", "crf", "default", "maxent", "mss"), _TRAINED),
}

_CORPORA = (
    "wcxb-dev", "dragnet", "daniel", "big9-chaos", "fundus", "voa-dari", "cleaneval-dev",
)  # fmt: skip
_SCORES = {  # in the JSON: in the results
    "lcs_f1": "lcs_f1",
    "shingle_f1": "shingle_f1",
    "precision": "bag_precision",
    "recall": "bag_recall",
    "present": "present",
    "absent": "absent",
}


def summary(results: Results, limit: int | None = None) -> dict[str, Any]:
    """Return the figures of a run that the page shows."""
    found: dict[str, Any] = {
        "date": datetime.now(UTC).date().isoformat(),
        "pages": "all" if limit is None else "drawn",
        "versions": {tool: v for tool, v in results.tools.items() if tool in peers.names()},
        "corpora": {},
    }
    for row in results.rows():
        corpus = found["corpora"].setdefault(row.corpus, {"pages": row.pages, "tools": {}})
        f1 = row.means["bag_f1"]
        corpus["tools"][row.tool] = {
            "word_f1": [round(value, 4) for value in (f1.value, f1.low, f1.high)],
            **{
                name: round(row.means[measure].value, 4)
                for name, measure in _SCORES.items()
                if measure in row.means
            },
            "milliseconds": round(row.milliseconds, 2),
            "failed": row.failed,
        }
    return found


# --- the page ------------------------------------------------------------------------------------

_HEAD = """# The leaderboard

Every method and every peer on every shared corpus, the best mean first; written by `make
leaderboard` from [leaderboard.json](leaderboard.json). Times are CPU milliseconds a page from HTML
to text, all tools in one run on one machine: compare them with each other, not with other
machines; [speed.md](speed.md) has them as multiples of a parse.

## Word F1

Common words, order aside (characters for Chinese); the mean over the pages of each corpus, the best
in bold, and the mean of the corpora.
"""

_MORE = """
## More scores

Means of the corpora. LCS F1 is the papers' score: words in order. 4-gram F1 counts runs of four
words. Precision and recall are those of the word F1. *Present* and *absent* are the shares of
snippets that must be in the text and are, or must not and are not{having}. *Failed* counts pages on
which a tool gave up; they score as empty texts.
"""

_CLAIMED = """
## What the papers claim

Mean F1 in the papers, on their own pages, which are not ours:
"""


def page(figures: dict[str, Any]) -> str:
    """Return the page of the docs."""
    board = _Board(figures)
    pages = ", ".join(f"{name} {corpus['pages']:,}" for name, corpus in board.corpora.items())
    named = ", ".join(f"{tool} {version}" for tool, version in figures["versions"].items())
    chosen = f"Pages{board.chosen}: {pages}."
    lines = [_HEAD, *board.word_f1(), "", chosen, *board.in_sample(), ""]
    lines.append(f"Peers (in italics), without comments where they have a switch: {named}.")
    lines.append("jusText has its English stop words here, in every language.")
    having = board.corpora_with("present") or board.corpora_with("absent")
    lines.append(_MORE.format(having=f" ({', '.join(having)})" if having else ""))
    lines += [*board.more(), _CLAIMED]
    lines += [f"- {name}: {what}." for name, what in DATA.items()]
    lines += ["", PAPERS, "", *board.claims()]
    return "\n".join(lines) + "\n"


_README_METHODS = 6  # the best ones


def accuracy(figures: dict[str, Any]) -> str:
    """Return the table of the README: the best methods, and all peers."""
    board = _Board(figures)
    ours = [tool for tool in board.tools if tool not in figures["versions"]]
    shown = [tool for tool in board.tools if tool not in ours[_README_METHODS:]]
    rows = [
        [
            board.name(tool, "docs/methods"),
            _figure(board.mean(tool, "word_f1")),
            _figure(board.mean(tool, "lcs_f1")),
            f"{board.milliseconds(tool):.1f}",
        ]
        for tool in shown
    ]
    pages = sum(corpus["pages"] for corpus in board.corpora.values())
    told = f"The best {_README_METHODS} of {len(ours)} methods" if ours[_README_METHODS:] else "All"
    head = ["", "word F1", "LCS F1", "ms a page"]
    return "\n".join([
        f"{told} beside other tools (in italics): means of {len(board.corpora)} corpora with "
        f"{pages:,} pages{board.chosen}.", "", *markdown_table(head, rows), *board.in_sample(shown),
    ]) + "\n"  # fmt: skip


_CHOSEN = {
    "all": "",
    "drawn": ", of larger corpora drawn with a seed (`random.Random(7).shuffle`)",
    "first": ", of larger corpora the first",
}


class _Board:
    """The figures by tool, the best mean word F1 first."""

    def __init__(self, figures: dict[str, Any]) -> None:
        self.chosen = _CHOSEN[figures["pages"]]
        self.corpora: dict[str, Any] = figures["corpora"]
        self.peers = figures["versions"]
        known = {tool for corpus in self.corpora.values() for tool in corpus["tools"]}
        self.tools = sorted(known, key=lambda tool: (-(self.mean(tool, "word_f1") or 0.0), tool))

    def name(self, tool: str, home: str = "methods") -> str:
        shown = f"*{tool}*" if tool in self.peers else f"[{tool}]({home}/{tool}.md)"
        return f"{shown} †" if tool in IN_SAMPLE else shown

    def mean(self, tool: str, score: str) -> float | None:
        """The mean over the corpora that have this score; None when none has."""
        found = [self._value(corpus, tool, score) for corpus in self.corpora.values()]
        values = [value for value in found if value is not None]
        return sum(values) / len(values) if values else None

    @staticmethod
    def _value(corpus: dict[str, Any], tool: str, score: str) -> float | None:
        value = corpus["tools"].get(tool, {}).get(score)
        if value is None:
            return None
        return float(value[0] if isinstance(value, list) else value)

    def milliseconds(self, tool: str) -> float:
        own = [corpus for corpus in self.corpora.values() if tool in corpus["tools"]]
        spent = sum(c["pages"] * c["tools"][tool]["milliseconds"] for c in own)
        return float(spent / sum(corpus["pages"] for corpus in own))

    def corpora_with(self, score: str) -> list[str]:
        return [
            name
            for name, corpus in self.corpora.items()
            if any(score in entry for entry in corpus["tools"].values())
        ]

    def word_f1(self) -> list[str]:
        best = {
            name: max(entry["word_f1"][0] for entry in corpus["tools"].values())
            for name, corpus in self.corpora.items()
        }
        rows = []
        for tool in self.tools:
            cells = [self.name(tool), _figure(self.mean(tool, "word_f1"))]
            for name, corpus in self.corpora.items():
                value = self._value(corpus, tool, "word_f1")
                cells.append(f"**{value:.3f}**" if value == best[name] else _figure(value))
            rows.append([*cells, f"{self.milliseconds(tool):.1f}"])
        return markdown_table(["", "mean", *self.corpora, "ms"], rows)

    def more(self) -> list[str]:
        rows = []
        for tool in self.tools:
            means = [_figure(self.mean(tool, score)) for score in _SCORES]
            failed = sum(c["tools"].get(tool, {}).get("failed", 0) for c in self.corpora.values())
            rows.append([self.name(tool), *means, f"{failed:,}"])
        head = ["LCS F1", "4-gram F1", "precision", "recall", "present", "absent", "failed"]
        return markdown_table(["", *head], rows)

    def claims(self) -> list[str]:
        rows = []
        for tool in self.tools:
            if tool in CLAIMS:
                claimed = [_figure(CLAIMS[tool].get(name), "") for name in DATA]
                means = [_figure(self.mean(tool, score)) for score in ("lcs_f1", "word_f1")]
                rows.append([self.name(tool), *claimed, *means])
        return markdown_table(["", *DATA, "LCS F1 here", "word F1 here"], rows)

    def in_sample(self, shown: Sequence[str] | None = None) -> Iterator[str]:
        """Yield a note on the methods that saw these pages before, if some are shown."""
        reasons: dict[str, list[str]] = {}
        for tool in self.tools if shown is None else shown:
            if tool in IN_SAMPLE:
                reasons.setdefault(IN_SAMPLE[tool], []).append(f"`{tool}`")
        if reasons:
            told = "; ".join(f"{', '.join(tools)}: {why}" for why, tools in reasons.items())
            yield ""
            yield f"† In-sample, so the figures flatter: {told}."


def _figure(value: float | None, none: str = "–") -> str:
    return none if value is None else f"{value:.3f}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure everything; write the JSON file, the page beside it, and the table of the README."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.leaderboard")
    parser.add_argument("file", type=Path, help="the JSON file; the page is written beside it")
    parser.add_argument("--readme", type=Path, help="the file with the block 'accuracy'")
    parser.add_argument("--cache", type=Path, help="where results are kept for next time")
    parser.add_argument("--limit", type=int, help="draw so many pages of each corpus, seeded")
    parser.add_argument("--page-only", action="store_true", help="write the page from the file")
    given = parser.parse_args(arguments)
    if not given.page_only:
        folder = corpora_folder()
        if folder is None:
            sys.stdout.write("leaderboard: no corpora, set THRESHER_CORPORA\n")
            return 2
        installed = [name for name in peers.names() if peers.peer_version(name)]
        tools = Tools(tuple(methods.names()), tuple(installed))
        paths = [folder / f"{name}.parquet" for name in _CORPORA]
        results = evaluate(paths, tools, limit=given.limit, drawn=True, cache_path=given.cache)
        found = json.dumps(summary(results, given.limit), indent=1)
        given.file.write_text(f"{found}\n", encoding="utf-8")
    figures = json.loads(given.file.read_text(encoding="utf-8"))
    given.file.with_suffix(".md").write_text(page(figures), encoding="utf-8")
    if given.readme:
        text = given.readme.read_text(encoding="utf-8")
        new = with_block(text, "accuracy", accuracy(figures))
        given.readme.write_text(new, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
