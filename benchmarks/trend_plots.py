"""The trends of acl-abstracts: write the plot and the tables of docs/trends.md.

    acl-abstracts --queries of examples/acl.toml--> Trends --> docs/pictures/trends-acl.svg,
    docs/figures/trends.json, and two blocks of docs/trends.md: means, and change points

The corpus has 900 abstracts of each year from 2016 to 2026; it is not part of the repository.
`make trends` runs it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.corpus_pages import argument_parser, corpus_paths, exit_with
from benchmarks.marked_blocks import markdown_table, write_block
from thresher.trends import Trends, read_documents, read_queries, trend
from thresher.trends.plot import picture
from thresher.viewer.plots import image_format

CORPUS = "acl-abstracts"
QUERIES = Path("examples/acl.toml")
PAGE, PICTURE = Path("docs/trends.md"), Path("docs/pictures/trends-acl.svg")
FIGURES = Path("docs/figures/trends.json")


def figures_of(trends: Trends, name: str) -> dict[str, Any]:
    """Return the figures that the page shows: means x 1000, shapes, shares and change points."""
    return {
        "corpus": name,
        "documents": len(trends.documents),
        "weight": trends.weight,
        "means": trends.table(),
        "without keyword": {
            query.name: round(share, 3)
            for query, share in zip(trends.queries, trends.without_any().tolist(), strict=True)
        },
        "shapes": {
            query.name: shape for query, shape in zip(trends.queries, trends.shapes, strict=True)
        },
        "changes": [
            {
                "query": change.query,
                "period": change.period,
                "kind": change.kind,
                "before": round(1000 * change.before),
                "after": round(1000 * change.after),
            }
            for change in trends.changes
        ],
    }


def means_table(figures: dict[str, Any]) -> str:
    """Return the means, the share without keyword and the shapes as a Markdown table."""
    names = list(figures["shapes"])
    rows = [
        [row["period"], f"{row['documents']:,}"]
        + ["-" if row[name] is None else str(row[name]) for name in names]
        for row in figures["means"]
    ]
    rows.append(["no keyword", "", *(f"{figures['without keyword'][name]:.0%}" for name in names)])
    rows.append(["shape", "", *(figures["shapes"][name] for name in names)])
    return "\n".join(markdown_table(["year", "documents", *names], rows)) + "\n"


def changes_table(figures: dict[str, Any]) -> str:
    """Return the change points as a Markdown table."""
    rows = [
        [change["query"], change["period"], change["kind"], str(change["before"]),
         str(change["after"])]
        for change in figures["changes"]
    ]  # fmt: skip
    head = ["query", "year", "change", "mean before", "mean after"]
    return "\n".join(markdown_table(head, rows)) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Compute the trends and write everything; return the exit code."""
    parser = argument_parser("trend_plots", __doc__, "")
    parser.add_argument("--corpus", type=Path, help="a corpus instead of the usual one")
    parser.add_argument("--queries", type=Path, default=QUERIES, help="the file of the queries")
    parser.add_argument("--page", type=Path, default=PAGE, help="the page of the docs to rewrite")
    parser.add_argument("--picture", type=Path, default=PICTURE, help="where the plot is written")
    parser.add_argument(
        "--figures", type=Path, default=FIGURES, help="where the figures are written"
    )
    given = parser.parse_args(arguments)
    paths = corpus_paths("trends", [CORPUS], [given.corpus] if given.corpus else None)
    if not paths:
        return 2
    trends = trend(read_documents(paths[0]), read_queries(given.queries))
    figures = figures_of(trends, paths[0].stem)
    given.figures.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    given.picture.write_bytes(picture({paths[0].stem: trends}, image_format(given.picture)))
    write_block(given.page, "trend-means", means_table(figures))
    write_block(given.page, "trend-changes", changes_table(figures))
    sys.stdout.write(changes_table(figures))
    return 0


if __name__ == "__main__":
    exit_with(main)
