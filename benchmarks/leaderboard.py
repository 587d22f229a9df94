"""Measure every method and peer on every shared corpus, beside what the papers claim.

A run writes its figures to a JSON file, and from there docs/leaderboard.md and the table of the
README; a test checks that these agree. `make leaderboard` runs it. Methods that are made for one
script only are also scored on the pages in it, from all corpora; `--right-to-left` measures these
pages alone and leaves the other figures as they are. The default and the peers that write Markdown
or HTML are scored by structure too, which `--structure` measures alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.corpus_pages import (
    argument_parser,
    corpus_paths,
    exit_with,
    gold_pages,
    is_right_to_left,
)
from benchmarks.marked_blocks import markdown_table, write_block
from thresher import methods
from thresher.evaluate import corpora, peers
from thresher.evaluate.corpora import GoldPage
from thresher.evaluate.results import Results, Row
from thresher.evaluate.run import Tools, evaluate
from thresher.evaluate.structure import KINDS, StructureResults, evaluate_structure

# Methods whose scores are too good here, as options were swept or weights trained on these pages.
# The module of a method says which of its options were swept.
_LENGTH = "the length of a line was swept on these corpora"
_SWEPT = "options were swept on wcxb-dev and fundus"
_TRAINED = "trained on wcxb-dev and fundus"
IN_SAMPLE = {
    **dict.fromkeys(("addanag", "danag", "dana", "r2l"), _LENGTH),
    **dict.fromkeys(
        ("accb", "ccb", "tccb", "cetr", "crunch", "density", "gswce", "k-fe", "mantratzis"), _SWEPT
    ),
    **dict.fromkeys(("content-seeker", "crf", "default", "maxent", "memm", "mss"), _TRAINED),
}

# Methods that are made for one script only, and which. On other pages they find little or nothing.
ONE_SCRIPT = dict.fromkeys(("dana", "r2l"), "right-to-left")

_CORPORA = (
    "wcxb-dev", "dragnet", "daniel", "big9-chaos", "fundus", "voa-dari", "cleaneval-dev",
)  # fmt: skip
_SCORES = {  # name in the JSON file: name in the results
    "lcs_f1": "lcs_f1",
    "shingle_f1": "shingle_f1",
    "precision": "bag_precision",
    "recall": "bag_recall",
    "present": "present",
    "absent": "absent",
}


def summary(results: Results, limit: int | None = None) -> dict[str, Any]:
    """Return the figures of a run, as they are written to the JSON file."""
    found: dict[str, Any] = {
        "date": datetime.now(UTC).date().isoformat(),
        "pages": "all" if limit is None else "drawn",
        "versions": {tool: v for tool, v in results.tools.items() if tool in peers.names()},
        "corpora": {},
    }
    for row in results.rows():
        corpus = found["corpora"].setdefault(row.corpus, {"pages": row.pages, "tools": {}})
        corpus["tools"][row.tool] = _entry(row)
    return found


def _entry(row: Row) -> dict[str, Any]:
    """Return the figures of one tool on one corpus."""
    f1 = row.means["bag_f1"]
    return {
        "word_f1": [round(value, 4) for value in (f1.value, f1.low, f1.high)],
        **{
            name: round(row.means[measure].value, 4)
            for name, measure in _SCORES.items()
            if measure in row.means
        },
        "milliseconds": round(row.milliseconds, 2),
        "failed": row.failed,
    }


# --- pages of one script -------------------------------------------------------------------------


def right_to_left(paths: Sequence[Path], tools: Tools, cache: Path | None) -> dict[str, Any]:
    """Measure all tools on the right-to-left pages of all corpora, as one corpus."""
    found = {
        corpora.name_of(path): [
            page for page in gold_pages([path], None) if is_right_to_left(page.text)
        ]
        for path in paths
    }
    with TemporaryDirectory() as folder:
        path = Path(folder) / "right-to-left.parquet"
        _write_corpus([page for pages in found.values() for page in pages], path)
        results = evaluate([path], tools, cache_path=cache)
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "pages": {name: len(pages) for name, pages in found.items() if pages},
        "tools": {row.tool: _entry(row) for row in results.rows()},
    }


def _write_corpus(pages: Sequence[GoldPage], path: Path) -> None:
    import pyarrow
    from pyarrow import parquet

    parquet.write_table(pyarrow.Table.from_pylist([asdict(page) for page in pages]), path)


# --- structure -----------------------------------------------------------------------------------


def structure_summary(results: StructureResults) -> dict[str, Any]:
    """Return the figures of structure, as they are written to the JSON file."""
    rows = results.rows()
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "pages": rows[0].pages,
        "tools": [
            {
                "tool": row.tool,
                "form": row.form,
                "f1": {
                    kind: [round(value, 4) for value in (f1.value, f1.low, f1.high)]
                    for kind, f1 in row.f1.items()
                },
                "elsewhere": row.elsewhere,
                "failed": row.failed,
            }
            for row in rows
        ],
    }


_STRUCTURE = """
## Structure

Mean F1 of headings, list items, blocks of code, quotes, cells of tables, links and images on the
pages of `structure` whose gold has them, the best in bold. [Scores of structure](structure.md) says
how elements are compared, and where the gold has a convention of its own.
"""

_FORMS = {"markdown": "Markdown", "html": "HTML"}


def structure_table(figures: dict[str, Any], home: str = "methods") -> list[str]:
    """Return the table of structure: a row for each tool and form."""
    entries = figures["tools"]
    best = {
        kind: max((entry["f1"][kind][0] for entry in entries if kind in entry["f1"]), default=None)
        for kind in KINDS
    }
    rows = [["pages", *(str(figures["pages"][kind]) for kind in KINDS)]]
    for entry in entries:
        tool = entry["tool"]
        name = f"*{tool}*" if tool in peers.names() else f"[{tool}]({home}/{tool}.md)"
        cells = [f"{name}, {_FORMS[entry['form']]}"]
        for kind in KINDS:
            value = entry["f1"].get(kind, [None])[0]
            is_best = value is not None and value == best[kind]
            cells.append(f"**{value:.3f}**" if is_best else _figure(value))
        rows.append(cells)
    return markdown_table(["", *KINDS], rows)


# --- what the papers claim -----------------------------------------------------------------------

# Mean F1 of the papers' own tables, on their own pages. A mean over sites is the plain mean of the
# table's row, as the tables give none. The thesis and BlockExtractor score by the longest common
# subsequence, words/leaves by words retrieved.

CLAIM_DATA = {
    "right-to-left": "2,166 pages of 10 sites in Arabic, Farsi, Pashto and Urdu "
    "(thesis, Tables 4.3, 4.6 and 4.11)",
    "Western": "9,101 pages of 12 sites, mostly news, in English, German and Italian "
    "(thesis, Table 4.12)",
    "top sites": "27 pages of much visited sites (words/leaves paper, Table 5)",
    "US and UK news": "400 pages of Yahoo!, CNN, BBC and the New York Times "
    "(BlockExtractor paper, Table 2)",
    "not named": "pages that the thesis does not name (3.3.1.4)",
}

# By method and data set. Of methods with a range in their name (TCCB-25) this is the best row.
CLAIMS: dict[str, dict[str, float]] = {
    "plain": {"Western": 0.570},
    "bte": {"right-to-left": 0.754},
    "dsc": {"right-to-left": 0.873, "Western": 0.772},
    "ccb": {"Western": 0.750},
    "accb": {"right-to-left": 0.850, "Western": 0.780},
    "tccb": {"right-to-left": 0.903, "Western": 0.764},
    "density": {"right-to-left": 0.800, "Western": 0.680},
    "fe": {"right-to-left": 0.183},
    "k-fe": {"right-to-left": 0.741},
    "lqf": {"right-to-left": 0.822, "Western": 0.679},
    "crunch": {"Western": 0.701},
    "r2l": {"right-to-left": 0.898},
    "dana": {"right-to-left": 0.938},
    "danag": {"right-to-left": 0.939, "Western": 0.810},
    "addanag": {"right-to-left": 0.955, "Western": 0.828},
    "cnr": {"top sites": 0.309},
    "wnr": {"top sites": 0.369},
    "clr": {"top sites": 0.738},
    "wlr": {"top sites": 0.738},
    "mss": {"not named": 0.979},
    "cetd": {"US and UK news": 0.759},
    "blockextractor": {"US and UK news": 0.947},
}

_CLAIM_NOTES = (
    "BlockExtractor's authors give the figure of `cetd` (with DensitySum), and their own with the "
    "blocks of other pages removed; `lqf` is the row LQF-25, `accb` ACCB-40, `tccb` TCCB-25 and "
    "`r2l` that with a gap of 8."
)


# --- the page ------------------------------------------------------------------------------------

_HEAD = """# The leaderboard

Every method and every peer on every [corpus](corpora.md), the best mean first; written by `make
leaderboard` from [its figures](figures/leaderboard.json). Times are CPU milliseconds a page from
HTML to text, all tools in one run on one machine: compare them with each other, not with other
machines; [speed](speed.md) has them as multiples of a parse.

## Word F1

Common words, order aside (characters for Chinese); the mean over the pages of each corpus, the best
in bold, and the mean of the corpora{beside}.
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


def docs_page(figures: dict[str, Any]) -> str:
    """Return docs/leaderboard.md."""
    board = _Board(figures)
    pages = ", ".join(f"{name} {corpus['pages']:,}" for name, corpus in board.corpora.items())
    peer_versions = ", ".join(f"{tool} {version}" for tool, version in figures["versions"].items())
    beside = ", beside that of the right-to-left pages of all corpora (RTL)" if board.script else ""
    head = _HEAD.format(beside=beside)
    lines = [head, *board.word_f1_table(), "", f"Pages: {pages}.{board.sampling}"]
    lines += [*board.script_note(), *board.in_sample_note(), ""]
    lines.append(f"Peers (in italics), without comments where they have a switch: {peer_versions}.")
    lines.append("jusText has its English stop words here, in every language.")
    having = board.corpora_with("present") or board.corpora_with("absent")
    lines.append(_MORE.format(having=f" ({', '.join(having)})" if having else ""))
    lines += board.score_table()
    if "structure" in figures:
        lines += [_STRUCTURE, *structure_table(figures["structure"])]
    lines.append(_CLAIMED)
    lines += [f"- {name}: {what}." for name, what in CLAIM_DATA.items()]
    lines += ["", _CLAIM_NOTES, "", *board.claim_table()]
    return "\n".join(lines) + "\n"


_README_METHODS = 6  # the best ones


def readme_block(figures: dict[str, Any]) -> str:
    """Return the block of the README: a table of the best methods and all peers."""
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
    which = (
        f"The best {_README_METHODS} of {len(ours)} methods" if ours[_README_METHODS:] else "All"
    )
    head = ["", "word F1", "LCS F1", "ms a page"]
    return "\n".join([
        f"{which} beside other tools (in italics). Scores are means of {len(board.corpora)} "
        f"corpora with {pages:,} pages.{board.sampling}", "", *markdown_table(head, rows),
        *board.in_sample_note(shown), *board.script_note(shown), *_readme_structure(figures),
    ]) + "\n"  # fmt: skip


def _readme_structure(figures: dict[str, Any]) -> Iterator[str]:
    """Yield the table of structure for the README."""
    if "structure" in figures:
        yield ""
        yield (
            "F1 of [structure](docs/structure.md), against the HTML or Markdown that the "
            "maintainers of two readers expect of their test pages:"
        )
        yield ""
        yield from structure_table(figures["structure"], "docs/methods")


_SAMPLING = {
    "all": "",
    "drawn": " Of larger corpora, a random sample is measured (`random.Random(7).shuffle`).",
    "first": " Of larger corpora, the first pages are measured.",
}


class _Board:
    """The figures of a run; `tools` are sorted by mean word F1, the best first."""

    def __init__(self, figures: dict[str, Any]) -> None:
        self.sampling = _SAMPLING[figures["pages"]]
        self.corpora: dict[str, Any] = figures["corpora"]
        self.peers = figures["versions"]
        self.script: dict[str, Any] = figures.get("right_to_left", {})
        known = {tool for corpus in self.corpora.values() for tool in corpus["tools"]}
        self.tools = sorted(known, key=lambda tool: (-(self.mean(tool, "word_f1") or 0.0), tool))

    def name(self, tool: str, home: str = "methods") -> str:
        """Return a link to a method, or the name of a peer in italics, with its marks.

        † is for methods that are in-sample, ‡ for those made for one script.
        """
        shown = f"*{tool}*" if tool in self.peers else f"[{tool}]({home}/{tool}.md)"
        marks = "†" * (tool in IN_SAMPLE) + "‡" * (tool in ONE_SCRIPT)
        return f"{shown} {marks}" if marks else shown

    def mean(self, tool: str, score: str) -> float | None:
        """Return the mean over the corpora that have this score; None if none has."""
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
        """Return the mean CPU time of a page."""
        own = [corpus for corpus in self.corpora.values() if tool in corpus["tools"]]
        spent = sum(c["pages"] * c["tools"][tool]["milliseconds"] for c in own)
        return float(spent / sum(corpus["pages"] for corpus in own))

    def corpora_with(self, score: str) -> list[str]:
        """Return the names of the corpora that have a score."""
        return [
            name
            for name, corpus in self.corpora.items()
            if any(score in entry for entry in corpus["tools"].values())
        ]

    def word_f1_table(self) -> list[str]:
        shown = {"RTL": self.script} if self.script else {}
        shown |= self.corpora
        best = {
            name: max(entry["word_f1"][0] for entry in corpus["tools"].values())
            for name, corpus in shown.items()
        }
        rows = []
        for tool in self.tools:
            cells = [self.name(tool), _figure(self.mean(tool, "word_f1"))]
            for name, corpus in shown.items():
                value = self._value(corpus, tool, "word_f1")
                cells.append(f"**{value:.3f}**" if value == best[name] else _figure(value))
            rows.append([*cells, f"{self.milliseconds(tool):.1f}"])
        return markdown_table(["", "mean", *shown, "ms"], rows)

    def score_table(self) -> list[str]:
        rows = []
        for tool in self.tools:
            means = [_figure(self.mean(tool, score)) for score in _SCORES]
            failed = sum(c["tools"].get(tool, {}).get("failed", 0) for c in self.corpora.values())
            rows.append([self.name(tool), *means, f"{failed:,}"])
        head = ["LCS F1", "4-gram F1", "precision", "recall", "present", "absent", "failed"]
        return markdown_table(["", *head], rows)

    def claim_table(self) -> list[str]:
        rows = []
        for tool in self.tools:
            if tool in CLAIMS:
                claimed = [_figure(CLAIMS[tool].get(name), "") for name in CLAIM_DATA]
                means = [_figure(self.mean(tool, score)) for score in ("lcs_f1", "word_f1")]
                rows.append([self.name(tool), *claimed, *means])
        return markdown_table(["", *CLAIM_DATA, "LCS F1 here", "word F1 here"], rows)

    def script_note(self, shown: Sequence[str] | None = None) -> Iterator[str]:
        """Yield a note on the methods of `ONE_SCRIPT`, with their scores on pages of the script."""
        if not self.script:
            return
        marked = any(tool in ONE_SCRIPT for tool in (self.tools if shown is None else shown))
        names = " and ".join(f"`{tool}`" for tool in sorted(ONE_SCRIPT))
        lead = "‡ Made" if marked else f"{names}, not shown, are made"
        pages = self.script["pages"]
        where = ", ".join(f"{number} of {name}" for name, number in pages.items())
        scores = ", ".join(
            f"`{tool}` {_figure(self._value(self.script, tool, 'word_f1'))} "
            f"(mean of all corpora {_figure(self.mean(tool, 'word_f1'))})"
            for tool in sorted(ONE_SCRIPT)
            if tool in self.script["tools"]
        )
        best = self.tools[0]
        yield ""
        yield (
            f"{lead} for right-to-left scripts only. Word F1 on the {sum(pages.values())} "
            f"right-to-left pages ({where}; measured {self.script['date']}): {scores}; `{best}` "
            f"{_figure(self._value(self.script, best, 'word_f1'))}."
        )

    def in_sample_note(self, shown: Sequence[str] | None = None) -> Iterator[str]:
        """Yield a note on the methods of `IN_SAMPLE`, if some are shown."""
        reasons: dict[str, list[str]] = {}
        for tool in self.tools if shown is None else shown:
            if tool in IN_SAMPLE:
                reasons.setdefault(IN_SAMPLE[tool], []).append(f"`{tool}`")
        if reasons:
            note = "; ".join(f"{', '.join(tools)}: {why}" for why, tools in reasons.items())
            yield ""
            yield f"† In-sample, so the figures flatter: {note}."


def _figure(value: float | None, none: str = "–") -> str:
    return none if value is None else f"{value:.3f}"


def _measured_structure(peer_names: Sequence[str]) -> dict[str, Any]:
    """Return the figures of structure by their name in the JSON file; {} without its corpus."""
    paths = [path for path in corpus_paths("leaderboard", ["structure"]) if path.exists()]
    if not paths:
        return {}
    return {"structure": structure_summary(evaluate_structure(paths, ["default"], peer_names))}


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure; write the JSON file, the page and the block of the README."""
    parser = argument_parser(
        "leaderboard",
        __doc__,
        "docs/figures/leaderboard.json --page docs/leaderboard.md --readme README.md",
    )
    parser.add_argument("file", type=Path, help="the JSON file")
    parser.add_argument("--page", type=Path, help="the page; beside the JSON file unless given")
    parser.add_argument("--readme", type=Path, help="the page with the block 'accuracy'")
    parser.add_argument("--cache", type=Path, help="where results are kept for next time")
    parser.add_argument("--limit", type=int, help="draw this many pages of each corpus, seeded")
    parser.add_argument("--page-only", action="store_true", help="write the page from the file")
    parser.add_argument(
        "--right-to-left", action="store_true", help="measure only the right-to-left pages anew"
    )
    parser.add_argument("--structure", action="store_true", help="measure only structure anew")
    given = parser.parse_args(arguments)
    if not given.page_only:
        paths = corpus_paths("leaderboard", _CORPORA)
        if not paths:
            return 2
        installed = [name for name in peers.names() if peers.peer_version(name)]
        tools = Tools(tuple(methods.names()), tuple(installed))
        if given.right_to_left or given.structure:
            found = json.loads(given.file.read_text(encoding="utf-8"))
        else:
            found = summary(
                evaluate(paths, tools, limit=given.limit, sampled=True, cache_path=given.cache),
                given.limit,
            )
        if not given.structure:
            found["right_to_left"] = right_to_left(paths, tools, given.cache)
        if not given.right_to_left:
            found |= _measured_structure([n for n in peers.markup_names() if n in installed])
        given.file.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    figures = json.loads(given.file.read_text(encoding="utf-8"))
    page = given.page or given.file.with_suffix(".md")
    page.write_text(docs_page(figures), encoding="utf-8")
    if given.readme:
        write_block(given.readme, "accuracy", readme_block(figures))
    return 0


if __name__ == "__main__":
    exit_with(main)
