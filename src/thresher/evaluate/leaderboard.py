"""The leaderboard: every method and peer on every shared corpus, beside what the papers claim.

A run writes its figures to a JSON file; `page` turns that file into the page of the docs. A test
compares the two, so the page says what the last run measured.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from thresher import methods
from thresher.evaluate import peers
from thresher.evaluate.floors import corpora_folder
from thresher.evaluate.results import Results
from thresher.evaluate.run import Tools, evaluate

__all__ = ["CLAIMS", "main", "page", "summary"]

# Means of the papers' own tables, on their own pages: thesis 4.11 (right-to-left, 10 sites; LQF-25)
# and 4.12 (12 sites), words/leaves paper, Table 5.
CLAIMS = {
    "plain": "0.570 (4.12)",
    "bte": "0.754 (4.11)",
    "dsc": "0.873 (4.11), 0.772 (4.12)",
    "lqf": "0.822 (4.11), 0.679 (4.12)",
    "danag": "0.939 (4.11), 0.810 (4.12)",
    "addanag": "0.955 (4.11), 0.828 (4.12)",
    "wlr": "0.738 (5)",
    "clr": "0.738 (5)",
    "wnr": "0.369 (5)",
    "cnr": "0.309 (5)",
}

_CORPORA = (
    "wcxb-dev", "dragnet", "daniel", "big9-chaos", "fundus", "voa-dari", "cleaneval-dev",
)  # fmt: skip


def summary(results: Results) -> dict[str, Any]:
    """Return the figures of a run that the page shows."""
    found: dict[str, Any] = {"versions": {}, "corpora": {}}
    for tool, version in results.tools.items():
        if tool in peers.names():
            found["versions"][tool] = version
    for row in results.rows():
        corpus = found["corpora"].setdefault(row.corpus, {"pages": row.pages, "tools": {}})
        f1 = row.means["bag_f1"]
        corpus["tools"][row.tool] = {
            "word_f1": [round(value, 4) for value in (f1.value, f1.low, f1.high)],
            "lcs_f1": round(row.means["lcs_f1"].value, 4),
            "precision": round(row.means["bag_precision"].value, 4),
            "recall": round(row.means["bag_recall"].value, 4),
            "milliseconds": round(row.milliseconds, 2),
            "failed": row.failed,
        }
    return found


_HEAD = """# The leaderboard

Every method and every peer on every shared corpus, written by `make leaderboard` from
[leaderboard.json](leaderboard.json). The score is the word F1 (common words, order aside;
characters for Chinese), the mean over pages; more scores are in the JSON file. Times are CPU
milliseconds a page from HTML to text, all tools in one run on one machine: compare them with each
other, not with other machines. No method here was trained; `addanag` and `danag` had one option
(the length of a line) chosen on these corpora.
"""


def page(figures: dict[str, Any]) -> str:
    """Return the page of the docs."""
    corpora = figures["corpora"]
    tools = sorted(
        {tool for corpus in corpora.values() for tool in corpus["tools"]},
        key=lambda tool: -_mean(corpora, tool),
    )
    lines = [_HEAD, "| | mean | " + " | ".join(corpora) + " | ms |"]
    lines.append("|---" * (len(corpora) + 3) + "|")
    for tool in tools:
        shown = f"*{tool}*" if tool in figures["versions"] else f"[{tool}](methods/{tool}.md)"
        cells = [_score(corpus["tools"].get(tool), corpus) for corpus in corpora.values()]
        cells = [f"{_mean(corpora, tool):.3f}", *cells, f"{_milliseconds(corpora, tool):.1f}"]
        lines.append(f"| {shown} | {' | '.join(cells)} |")
    pages = ", ".join(f"{name} {corpus['pages']}" for name, corpus in corpora.items())
    named = ", ".join(f"{tool} {version}" for tool, version in figures["versions"].items())
    lines += ["", f"Pages: {pages}. The best score of a column is bold.", ""]
    lines.append(f"Peers (in italics), without comments where they have a switch: {named}.")
    lines += ["jusText has its English stop words here, in every language.", ""]
    lines += ["## What the papers claim", "", "On their own pages, which are not ours:", ""]
    lines += ["| method | mean F1 in the paper (table) | mean here |", "|---|---|---|"]
    for tool, claim in CLAIMS.items():
        if tool in tools:
            lines.append(f"| {tool} | {claim} | {_mean(corpora, tool):.3f} |")
    return "\n".join(lines) + "\n"


def _mean(corpora: dict[str, Any], tool: str) -> float:
    scores = [corpus["tools"][tool]["word_f1"][0] for corpus in corpora.values()]
    return float(sum(scores) / len(scores))


def _milliseconds(corpora: dict[str, Any], tool: str) -> float:
    pages = sum(corpus["pages"] for corpus in corpora.values())
    spent = sum(c["pages"] * c["tools"][tool]["milliseconds"] for c in corpora.values())
    return float(spent / pages)


def _score(entry: dict[str, Any], corpus: dict[str, Any]) -> str:
    best = max(other["word_f1"][0] for other in corpus["tools"].values())
    shown = f"{entry['word_f1'][0]:.3f}"
    return f"**{shown}**" if entry["word_f1"][0] == best else shown


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure everything and write the JSON file and the page beside it."""
    parser = argparse.ArgumentParser(prog="python -m thresher.evaluate.leaderboard")
    parser.add_argument("file", type=Path, help="the JSON file; the page is written beside it")
    parser.add_argument("--cache", type=Path, help="where results are kept for next time")
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
        results = evaluate(paths, tools, cache_path=given.cache)
        given.file.write_text(json.dumps(summary(results), indent=1) + "\n")
    figures = json.loads(given.file.read_text())
    given.file.with_suffix(".md").write_text(page(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
