"""Tables of the docs that list methods: what each does, and how well.

`make methods-table` runs `python -m benchmarks.methods_table` and writes two tables between their
markers of docs/methods/README.md. A row of `methods` is made from the registry (the name), the page
of the method (its line "Works on: ...") and the docstring of its class ("Keep ..."). A new method
therefore needs its own page only. `accuracy` has the figures of the last leaderboard,
docs/figures/leaderboard.json; so does the table `other-corpora` of docs/models/README.md, of the
corpora that no model was trained on. `make leaderboard` writes them too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.corpus_pages import argument_parser, exit_with
from benchmarks.leaderboard import IN_SAMPLE
from benchmarks.marked_blocks import markdown_table, with_block, write_block
from thresher import methods
from thresher.errors import InputError

FOLDER = Path(__file__).parents[1] / "docs" / "methods"
FIGURES = FOLDER.parent / "figures" / "leaderboard.json"
MODEL_PAGE = FOLDER.parent / "models" / "README.md"


def works_on(name: str, folder: Path) -> str:
    """Return what a method works on, from the line "Works on: ..." of its page."""
    page = folder / f"{name}.md"
    text = page.read_text(encoding="utf-8") if page.exists() else ""
    line = re.search(r"^Works on: (.+)\.$", text, re.M)
    if line is None:
        raise InputError(
            f"docs/methods/{name}.md has no line 'Works on: text blocks.': "
            f"add one below the title that says what the method reads."
        )
    return line[1]


def keeps(name: str) -> str:
    """Return what a method keeps: the docstring of its class without "Keep" and the full stop."""
    summary = (type(methods.get(name)).__doc__ or "").partition("\n")[0]
    return summary.removeprefix("Keep ").removesuffix(".")


def table(folder: Path = FOLDER) -> str:
    """Return the Markdown table of all methods, one row each in order of their names."""
    rows = [("method", "works on", "keeps"), ("---", "---", "---")]
    rows += [
        (f"[`{name}`]({name}.md)", works_on(name, folder), keeps(name)) for name in methods.names()
    ]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def accuracy(figures: dict[str, Any]) -> str:
    """Return the table of the accuracy of all methods, the best mean first, and notes on it.

    `figures` are those of docs/figures/leaderboard.json.
    """
    corpora: dict[str, Any] = figures["corpora"]
    rows: list[tuple[float, list[str]]] = []
    missing = []
    for name in methods.names():
        scores = [corpus["tools"].get(name) for corpus in corpora.values()]
        if None in scores:
            missing.append(f"`{name}`")
            continue
        f1 = [score["word_f1"][0] for score in scores]
        means = [_mean(f1)] + [
            _mean([score[measure] for score in scores]) for measure in ("precision", "recall")
        ]
        mark = " †" if name in IN_SAMPLE else ""
        cells = [f"[`{name}`]({name}.md){mark}", *(f"{value:.3f}" for value in [*f1, *means])]
        rows.append((-means[0], cells))
    head = ["method", *corpora, "mean", "precision", "recall"]
    pages = ", ".join(f"{name} {corpus['pages']:,}" for name, corpus in corpora.items())
    drawn = ", drawn with `random.Random(7).shuffle` from larger sets" * (figures["pages"] != "all")
    lines = [*markdown_table(head, [cells for _, cells in sorted(rows)]), ""]
    lines.append(f"Pages: {pages}{drawn}. Measured {figures['date']}.")
    if missing:
        lines.append(f"Not measured yet: {', '.join(missing)}.")
    return "\n".join(lines) + "\n"


MODELS = ("mss", "crf", "maxent", "memm", "content-seeker", "bte", "plain")
TRAINED_ON = ("wcxb-dev", "fundus")


def other_corpora(figures: dict[str, Any]) -> str:
    """Return the table of word F1 of the models on the corpora that none was trained on."""
    rows = [
        [f"`{name}`", f"{corpus['pages']:,}"]
        + [f"{corpus['tools'][method]['word_f1'][0]:.3f}" for method in MODELS]
        for name, corpus in figures["corpora"].items()
        if name not in TRAINED_ON
    ]
    head = ["", "pages", *(f"`{method}`" for method in MODELS)]
    return "\n".join(markdown_table(head, rows)) + "\n"


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def page_with_tables(text: str, figures: dict[str, Any]) -> str:
    """Return the page with both tables."""
    return with_block(with_block(text, "methods", table()), "accuracy", accuracy(figures))


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the tables into the page."""
    argument_parser("methods_table", __doc__, "").parse_args(arguments)
    page = FOLDER / "README.md"
    figures = json.loads(FIGURES.read_text(encoding="utf-8"))
    text = page_with_tables(page.read_text(encoding="utf-8"), figures)
    page.write_text(text, encoding="utf-8")
    write_block(MODEL_PAGE, "other-corpora", other_corpora(figures))
    return 0


if __name__ == "__main__":
    exit_with(main)
